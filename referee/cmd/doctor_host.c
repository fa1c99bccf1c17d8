#define _GNU_SOURCE /* getaddrinfo */
#include "doctor_host.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "desk/line_ask.h"
#include "host/host_config.h"
#include "host/privileges.h"
#include "words/utc.h"

#define GIB (INT64_C(1) << 30)

enum { ADDRESS_TEXT = 200 };

static void check_folder(doctor_say_fn say, const struct host_config *config)
{
    struct statvfs disk;
    struct stat info;
    int64_t left;

    if (stat(config->folder, &info) != 0) {
        say(errno == ENOENT ? GOOD : BAD, "folder", "%s: %s", config->folder,
            errno == ENOENT ? "will be made" : strerror(errno));
        return;
    }
    if (!S_ISDIR(info.st_mode) || access(config->folder, W_OK | X_OK) != 0) {
        say(BAD, "folder", "%s: not a folder that %s", config->folder, "this user may write to");
        return;
    }
    if (statvfs(config->folder, &disk) == 0) {
        left = (int64_t)(disk.f_bavail * disk.f_frsize);
        say(left > GIB ? GOOD : WARN, "folder", "%s: %.1f GiB are free", config->folder,
            (double)left / (double)GIB);
    }
    if ((info.st_mode & 0002) != 0) {
        say(WARN, "folder", "%s: every user may write to it; chmod o-w %s", config->folder,
            config->folder);
    }
}

static void check_admin(doctor_say_fn say, const struct host_config *config)
{
    struct bg_error err = {.text = ""};
    struct sockaddr_un address;
    int fd, folder;
    enum bg_status status = line_socket_make(&fd, &folder, &address, config->socket, &err);

    if (status == BG_OK && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) {
        say(WARN, "admin", "%s: a host is running", config->socket);
    } else if (status == BG_E_ARGUMENT) {
        say(BAD, "admin", "%s", err.text);
    } else {
        say(GOOD, "admin", "%s", config->socket);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (folder >= 0) {
        close(folder);
    }
}

/* Whether this program may listen there now. */
static bool may_listen(const char *host, const char *port, char *why, size_t size)
{
    const struct addrinfo wanted = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int yes = 1;
    bool done = false;
    int failed = getaddrinfo(strcmp(host, "*") == 0 ? NULL : host, port, &wanted, &found);
    int fd = failed == 0 ? socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;

    if (fd >= 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        done = bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 1) == 0;
    }
    snprintf(why, size, "%s", failed != 0 ? gai_strerror(failed) : strerror(errno));
    if (fd >= 0) {
        close(fd);
    }
    if (failed == 0) {
        freeaddrinfo(found);
    }
    return done;
}

static void check_port(doctor_say_fn say, const char *what, const char *whose, const char *listen)
{
    static const char scheme[] = "tcp://";
    char host[ADDRESS_TEXT], why[ADDRESS_TEXT], *port;

    snprintf(host, sizeof host, "%s", listen + strlen(scheme));
    port = strrchr(host, ':');
    *port++ = '\0';
    if (host[0] == '[') { /* an address of version 6 */
        memmove(host, host + 1, strlen(host));
        host[strcspn(host, "]")] = '\0';
    }
    if (may_listen(host, port, why, sizeof why)) {
        say(GOOD, what, "%s: %s can be listened to", whose, listen);
    } else {
        say(BAD, what, "%s: %s: %s", whose, listen, why);
    }
}

static void check_door(doctor_say_fn say, const struct host_event *event)
{
    struct stat info;

    if (event->listen[0] == '\0') {
        return;
    }
    check_port(say, "door", event->name, event->listen);
    if (stat(event->door_key, &info) != 0) {
        say(BAD, "key", "%s: %s: %s", event->name, event->door_key, strerror(errno));
    } else if ((info.st_mode & 0077) != 0) {
        say(BAD, "key", "%s: others may read %s; chmod 600 %s", event->name, event->door_key,
            event->door_key);
    } else {
        say(GOOD, "key", "%s: %s is for its user alone", event->name, event->door_key);
    }
}

static void check_clock(doctor_say_fn say)
{
    struct timex state = {.modes = 0};
    char now[UTC_TEXT];
    bool set = adjtimex(&state) >= 0 && (state.status & STA_UNSYNC) == 0;

    utc_write(now, (int64_t)time(NULL));
    say(set ? GOOD : WARN, "utc", "%s, %s", now,
        set ? "kept by a time service"
            : "not kept by a time service (or not known here); starts follow this clock");
}

static void check_events(doctor_say_fn say, const struct host_config *config)
{
    int64_t now_s = (int64_t)time(NULL);

    for (int i = 0; i < config->rules.count; i++) {
        const struct agenda_event *rule = &config->rules.events[i];

        if (rule->start == AGENDA_AT && rule->repeat == CALENDAR_ONCE && rule->at_s < now_s) {
            say(WARN, "start", "%s: its start has passed; if it is not over, it begins at once",
                rule->name);
        }
        check_door(say, &config->events[i]);
    }
}

static void check_user(doctor_say_fn say, const struct host_config *config)
{
    struct bg_error err = {.text = ""};

    if (privileges_check(config->user, false, &err) != BG_OK) {
        say(config->user[0] == '\0' ? WARN : BAD, "user", "%s", err.text);
    } else if (geteuid() == 0) {
        say(GOOD, "user", "root becomes %s at the start", config->user);
    }
}

void doctor_host(doctor_say_fn say, const char *path, char *folder, size_t size)
{
    struct host_config config;
    struct bg_error err = {.text = ""};

    folder[0] = '\0';
    if (host_config_read(&config, path, &err) != BG_OK) {
        say(BAD, "host", "%s", err.text);
        return;
    }
    say(GOOD, "host", "%s: %s, events: %d", path, config.name, config.rules.count);
    if (config.metrics[0] != '\0') {
        check_port(say, "metrics", config.name, config.metrics);
    }
    snprintf(folder, size, "%s", config.folder);
    check_folder(say, &config);
    check_admin(say, &config);
    check_clock(say);
    check_events(say, &config);
    check_user(say, &config);
    host_config_deinit(&config);
}
