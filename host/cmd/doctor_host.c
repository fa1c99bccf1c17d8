/* What the host itself checks at its start is checked by the same functions (host_check.h), so
 * the doctor never approves of what the host then refuses. Only ports are tried here: a host
 * binds them when it starts, and would say one after another which is taken. */
#define _GNU_SOURCE /* getaddrinfo */
#include "doctor_host.h"

#include <errno.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/line_ask.h"
#include "door/host_file.h"
#include "door/tcp_listen.h"
#include "host/host_check.h"
#include "host/host_config.h"
#include "host/host_start.h"
#include "base/utc.h"

#define GIB (INT64_C(1) << 30)

enum { ADDRESS_TEXT = 200 };

/* The cause and the remedy are those of `bgref host --check`. */
static bool found(doctor_say_fn say, const char *what, enum bg_status status,
                  const struct bg_error *err)
{
    size_t length = strlen(what);
    bool is_named = strncmp(err->text, what, length) == 0 && err->text[length] == ':';

    if (status != BG_OK) { /* the line has its name already */
        say(BAD, what, "%s", err->text + (is_named ? length + 2 : 0));
    }
    return status == BG_OK;
}

static void check_folder(doctor_say_fn say, const struct host_config *config)
{
    struct bg_error err = {.text = ""};
    struct statvfs disk;
    struct stat info;
    bool is_new;
    int64_t left;

    if (!found(say, "folder", host_check_folder(config, &is_new, &err), &err)) {
        return;
    }
    if (is_new) {
        say(GOOD, "folder", "%s: will be made", config->folder);
        return;
    }
    if (statvfs(config->folder, &disk) == 0) {
        left = (int64_t)(disk.f_bavail * disk.f_frsize);
        say(left > GIB ? GOOD : WARN, "folder", "%s: %.1f GiB are free", config->folder,
            (double)left / (double)GIB);
    }
    if (stat(config->folder, &info) == 0 && (info.st_mode & 0002) != 0) {
        say(WARN, "folder", "%s: every user may write to it; chmod o-w %s", config->folder,
            config->folder);
    }
}

/* Returns whether a host is running. */
static bool check_admin(doctor_say_fn say, const struct host_config *config)
{
    bool is_up = false;
    struct bg_error err = {.text = ""};
    struct sockaddr_un address;
    int fd, folder;
    enum bg_status status =
        line_socket_make(&fd, &folder, &address, SOCK_STREAM, config->socket, &err);

    /* The file alone says nothing, a killed host leaves it; only one that listens can be
     * connected to. */
    if (status == BG_OK && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) {
        say(WARN, "admin", "%s: a host is running", config->socket);
        is_up = true;
    } else if (status == BG_E_ARGUMENT || host_check_admin(config, &err) != BG_OK) {
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
    return is_up;
}

/* Whether this program may listen there now; else errno says more. */
static bool may_listen(const char *host, const char *port, char *why, size_t size)
{
    const struct addrinfo wanted = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int yes = 1;
    bool done = false;
    int error, failed = getaddrinfo(strcmp(host, "*") == 0 ? NULL : host, port, &wanted, &found);
    int fd = failed == 0 ? socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;

    if (fd >= 0) {
        /* As libzmq does: else a port of a host that has just ended would seem to be taken. */
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        done = bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 1) == 0;
    }
    error = failed != 0 ? EINVAL : errno;
    snprintf(why, size, "%s", failed != 0 ? gai_strerror(failed) : strerror(error));
    if (fd >= 0) {
        close(fd);
    }
    if (failed == 0) {
        freeaddrinfo(found);
    }
    errno = error;
    return done;
}

static const char *remedy_of(int error, const char *port)
{
    return error == EADDRINUSE      ? "end the program that has it ('ss -ltnp' lists them; "
                                      "bgref-host.socket may), or take "
                                      "another port"
           : error == EADDRNOTAVAIL ? "this machine has no such address: 0.0.0.0 is any of its own"
           : error == EACCES && atoi(port) < 1024
               ? "ports below 1024 are root's: take a higher one, or a socket of systemd"
               : "give it as tcp://ADDRESS:PORT";
}

/* is_up: a host runs, whose port it may be. */
static void check_port(doctor_say_fn say, const char *what, const char *whose, const char *listen,
                       bool is_up)
{
    char host[TCP_ADDRESS_HOST], why[ADDRESS_TEXT];
    const char *port = "";

    /* It has this form: door_value.c and host_config.c see to it. */
    (void)tcp_address_cut(host, &port, listen);
    if (may_listen(host, port, why, sizeof why)) {
        say(GOOD, what, "%s: %s can be listened to", whose, listen);
    } else if (is_up && errno == EADDRINUSE) {
        say(GOOD, what, "%s: %s is in use, as it is while the host runs", whose, listen);
    } else {
        say(BAD, what, "%s: %s: %s; %s", whose, listen, why, remedy_of(errno, port));
    }
}

static void check_key(doctor_say_fn say, const struct host_config *config, const char *whose,
                      const char *key)
{
    struct bg_error err = {.text = ""};

    if (found(say, "key", host_check_key(config, key, &err), &err)) {
        say(GOOD, "key", "%s: %s is for its user alone", whose, key);
    }
}

static void check_door(doctor_say_fn say, const struct host_config *config,
                       const struct host_event *event, bool is_up)
{
    if (event->listen[0] != '\0') {
        check_port(say, "door", event->name, event->listen, is_up);
        check_key(say, config, event->name, event->door_key);
    }
}

static void check_allow(doctor_say_fn say, const struct host_config *config)
{
    struct bg_error err = {.text = ""};
    int count;

    if (found(say, "allow", host_check_allow(config, &count, &err), &err) &&
        config->allow[0] != '\0') {
        say(GOOD, "allow", "%s: keys: %d", config->allow, count);
    }
}

/* The file for authors: whether it can be written, and is of use to them. */
static void check_file(doctor_say_fn say, const struct host_config *config)
{
    const struct config_door *door = &config->door;
    const char *address = door->address[0] != '\0' ? door->address : door->listen;
    struct bg_error err = {.text = ""};

    if (found(say, "file", host_check_file(config, &err), &err)) {
        say(GOOD, "file", "%s: %s is written for authors", config->name, door->file);
    }
    if (host_endpoint_is_any(address)) {
        say(WARN, "address",
            "%s: authors on other machines cannot use %s; say where they reach this machine "
            "(bots: door_address)",
            config->name, address);
    }
}

static void check_page(doctor_say_fn say, const struct host_config *config, bool is_up)
{
    struct bg_error err = {.text = ""};

    if (found(say, "page", host_check_page(config, &err), &err) && config->page[0] != '\0') {
        check_port(say, "page", config->name, config->page, is_up);
    }
}

/* The one door of all events. */
static void check_bots(doctor_say_fn say, const struct host_config *config, bool is_up)
{
    if (config->door.listen[0] != '\0') {
        check_port(say, "door", config->name, config->door.listen, is_up);
        check_file(say, config);
        check_key(say, config, config->name, config->key);
        check_allow(say, config);
    }
}

static void check_log(doctor_say_fn say, const struct host_config *config)
{
    struct bg_error err = {.text = ""};

    if (found(say, "log", host_check_log(config, &err), &err) && config->log[0] != '\0') {
        say(GOOD, "log", "%s can be written", config->log);
    }
}

static void check_begun(doctor_say_fn say, const struct host_config *config)
{
    struct bg_error err = {.text = ""};

    (void)found(say, "begun", host_check_begun(config, &err), &err);
}

static void check_clock(doctor_say_fn say)
{
    struct timex state = {.modes = 0};
    char now[UTC_TEXT];
    /* With no modes it only reads, which needs no rights. */
    bool set = adjtimex(&state) >= 0 && (state.status & STA_UNSYNC) == 0;

    utc_write(now, (int64_t)time(NULL));
    say(set ? GOOD : WARN, "utc", "%s, %s", now,
        set ? "kept by a time service"
            : "not kept by a time service (or not known here); starts follow this clock");
}

static void check_events(doctor_say_fn say, const struct host_config *config, bool is_up)
{
    int64_t now_s = (int64_t)time(NULL);

    for (int i = 0; i < config->rules.count; i++) {
        const struct agenda_event *rule = &config->rules.events[i];

        if (rule->start == AGENDA_AT && rule->repeat == CALENDAR_ONCE && rule->at_s < now_s) {
            say(WARN, "start", "%s: its start has passed; if it is not over, it begins at once",
                rule->name);
        }
        check_door(say, config, &config->events[i], is_up);
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
    bool is_up;

    folder[0] = '\0';
    if (host_config_read(&config, path, &err) != BG_OK) {
        say(BAD, "host", "%s", err.text);
        return;
    }
    say(GOOD, "host", "%s: %s, events: %d", path, config.name, config.rules.count);
    snprintf(folder, size, "%s", config.folder);
    check_folder(say, &config);
    is_up = check_admin(say, &config);
    if (config.metrics[0] != '\0') {
        check_port(say, "metrics", config.name, config.metrics, is_up);
    }
    check_bots(say, &config, is_up);
    check_page(say, &config, is_up);
    check_log(say, &config);
    check_begun(say, &config);
    check_clock(say);
    check_events(say, &config, is_up);
    check_user(say, &config);
    host_config_deinit(&config);
}
