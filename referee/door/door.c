#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rules/clean.h>

#include "control.h"
#include "gateway.h"
#include "host_file.h"
#include "log.h"
#include "process/orphans.h"

#define SECOND_NS  INT64_C(1000000000)
#define WAIT_NS    (SECOND_NS / 10)
#define GRACE_NS   (SECOND_NS / 20) /* descriptors of an ending process close one by one */
#define LONGEST_NS (10 * SECOND_NS)

enum { START_MS = 10000, END_MS = 1500, LOOK_MS = 10 };

struct place {
    char endpoint[LINK_ENDPOINT]; /* the referee waits here for the bot; "" nowhere */
    bool has_failed;              /* the gateway has ended since then */
};

struct door {
    struct door_setup setup;
    struct session_door of_sessions;
    pid_t pid;                  /* the gateway; 0 none */
    int fd;                     /* to it; -1 none */
    char listen[HOST_ENDPOINT]; /* the next gateway listens where the first one did */
    struct place *places;       /* owned; by bot */
    int64_t wait_ns;            /* before the next start */
    uint64_t refused;           /* connections with unknown keys */
    bool is_written;            /* HOST.bgref */
};

/* ------------------------------------------------------------------------ the process */

/* The gateway keeps none of our descriptors but its socket and standard error (it closes the others
 * itself), none of our blocked signals, and a process group of its own: signals of the terminal are
 * for the referee. */
static int spawn(pid_t *pid, int socket, char **words)
{
    static char *const environment[] = {NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    int error;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, socket, CONTROL_FD);
    error = posix_spawn(pid, "/proc/self/exe", &files, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static enum bg_status start_process(struct door *door, struct bg_error *err)
{
    static char name[] = GATEWAY_NAME;
    char key[1024];
    char *words[] = {name, door->listen, key, NULL};
    int ends[2], socket, error;

    snprintf(key, sizeof key, "%s", door->setup.key);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "door: %s", strerror(errno));
    }
    /* dup2 to the same number would leave the descriptor to be closed at exec. */
    socket = fcntl(ends[1], F_DUPFD_CLOEXEC, CONTROL_FD + 1);
    close(ends[1]);
    error = socket < 0 ? errno : spawn(&door->pid, socket, words);
    if (socket >= 0) {
        close(socket);
    }
    if (error != 0) {
        door->pid = 0;
        close(ends[0]);
        return bg_error_set(err, BG_E_SYSTEM, "door: start the gateway: %s", strerror(error));
    }
    orphans_except(door->pid);
    door->fd = ends[0];
    for (int i = 0; i < door->setup.bot_count; i++) {
        const struct competitor *bot = &door->setup.bots[i];

        if (bot->remote) {
            control_send(door->fd, "allow %s %s", bot->name, bot->key);
        }
    }
    control_send(door->fd, "listen");
    return BG_OK;
}

/* Ends the gateway if it has not ended within patience_ms. Its number is free once it was waited
 * for, so it is not killed then. */
static void reap(const struct door *door, int patience_ms)
{
    pid_t ended = waitpid(door->pid, NULL, WNOHANG);

    for (int waited_ms = 0; ended == 0 && waited_ms < patience_ms; waited_ms += LOOK_MS) {
        poll(NULL, 0, LOOK_MS);
        ended = waitpid(door->pid, NULL, WNOHANG);
    }
    if (ended == 0) {
        kill(door->pid, SIGKILL);
        (void)waitpid(door->pid, NULL, 0);
    }
}

static void forget_process(struct door *door, int patience_ms)
{
    if (door->fd >= 0) {
        loop_unwatch(door->setup.loop, door->fd);
        close(door->fd);
        door->fd = -1;
    }
    if (door->pid > 0) {
        reap(door, patience_ms);
        orphans_forget(door->pid);
        door->pid = 0;
    }
}

/* ------------------------------------------------------------------------ its messages */

static enum bg_status take_bound(struct door *door, char *rest, struct bg_error *err)
{
    struct host_file host = {.name = ""};
    char fingerprint[KEY_FILE_PRINT];
    const char *hex = control_word(&rest), *endpoint = control_word(&rest);
    enum bg_status status;

    snprintf(door->listen, sizeof door->listen, "%s", endpoint);
    door->wait_ns = WAIT_NS;
    for (int i = 0; i < door->setup.bot_count; i++) {
        if (door->places[i].endpoint[0] != '\0') {
            control_send(door->fd, "open %s %s", door->setup.bots[i].name,
                         door->places[i].endpoint);
        }
    }
    if (door->is_written || !key_read_hex(host.key, hex)) {
        return BG_OK;
    }
    snprintf(host.name, sizeof host.name, "%s", door->setup.name);
    snprintf(host.endpoint, sizeof host.endpoint, "%s",
             door->setup.address[0] != '\0' ? door->setup.address : endpoint);
    status = host_file_write(&host, door->setup.file, err);
    if (status == BG_OK) {
        key_fingerprint(fingerprint, host.key);
        fprintf(stderr, "door: %s, fingerprint %s; authors need %s\n", host.endpoint, fingerprint,
                door->setup.file);
        door->is_written = true;
    }
    return status;
}

/* Foreign text in it is an address that libzmq wrote; it is cleaned when logged. */
static void take_news(struct door *door, const char *word, char *rest)
{
    if (strcmp(word, "came") == 0) {
        const char *name = control_word(&rest);

        log_warn("door", "bot=%s has connected from %s", name, rest == NULL ? "?" : rest);
    } else if (strcmp(word, "left") == 0) {
        const char *name = control_word(&rest);

        log_info("door", "bot=%s is away: %s", name, rest == NULL ? "?" : rest);
    } else if (strcmp(word, "refused") == 0 && door->refused++ == 0) {
        log_warn("door",
                 "a connection from %s was refused: its key is not among those of this "
                 "event (further ones are only counted)",
                 rest == NULL ? "?" : rest);
    }
}

/* Takes the next message. BG_E_TIMEOUT: there is none; BG_E_CLOSED: the gateway has ended. */
static enum bg_status take_one(struct door *door, struct bg_error *err)
{
    char text[CONTROL_TEXT];
    char *rest = text;
    const char *word;
    enum control_got got = control_take(text, door->fd);

    if (got != CONTROL_LINE) {
        return got == CONTROL_NOTHING ? BG_E_TIMEOUT
                                      : bg_error_set(err, BG_E_CLOSED, "the gateway has ended");
    }
    word = control_word(&rest);
    if (strcmp(word, "failed") == 0) {
        return bg_error_set(err, BG_E_CONFIG, "door: %s", rest == NULL ? "?" : rest);
    }
    if (strcmp(word, "bound") == 0) {
        return take_bound(door, rest, err);
    }
    take_news(door, word, rest);
    return BG_OK;
}

/* ------------------------------------------------------------------------ starting again */

static void start_again(void *user, int64_t now_ns);

static void plan_start(struct door *door)
{
    struct bg_error err;

    if (loop_after(door->setup.loop, door->wait_ns, start_again, door, &err) != BG_OK) {
        log_error("door", "start the gateway: %s", err.text);
    }
    door->wait_ns = 2 * door->wait_ns < LONGEST_NS ? 2 * door->wait_ns : LONGEST_NS;
}

static void on_news(void *user)
{
    struct door *door = user;
    struct bg_error err = {.text = ""};
    enum bg_status status;

    do {
        status = take_one(door, &err);
    } while (status == BG_OK);
    if (status != BG_E_TIMEOUT) {
        log_warn("door", "%s; it is started again, and remote bots can join then", err.text);
        for (int i = 0; i < door->setup.bot_count; i++) {
            door->places[i].has_failed = true;
        }
        forget_process(door, 0);
        plan_start(door);
    }
}

static void start_again(void *user, int64_t now_ns)
{
    struct door *door = user;
    struct bg_error err;

    (void)now_ns;
    if (start_process(door, &err) != BG_OK ||
        loop_watch(door->setup.loop, door->fd, on_news, door, &err) != BG_OK) {
        log_error("door", "%s", err.text);
        forget_process(door, 0);
        plan_start(door);
    }
}

/* ------------------------------------------------------------------------ for sessions */

static void opened(void *user, int bot, const char *endpoint)
{
    struct door *door = user;

    snprintf(door->places[bot].endpoint, LINK_ENDPOINT, "%s", endpoint);
    door->places[bot].has_failed = false;
    if (door->fd >= 0) {
        control_send(door->fd, "open %s %s", door->setup.bots[bot].name, endpoint);
    }
}

static void closed(void *user, int bot)
{
    struct door *door = user;

    if (door->places[bot].endpoint[0] != '\0' && door->fd >= 0) {
        control_send(door->fd, "shut %s", door->setup.bots[bot].name);
    }
    door->places[bot].endpoint[0] = '\0';
}

static bool owns(void *user, pid_t pid)
{
    const struct door *door = user;

    return pid > 0 && pid == door->pid;
}

static bool is_down(void *user, int bot)
{
    const struct door *door = user;

    return door->fd < 0 || door->places[bot].has_failed || control_has_ended(door->fd);
}

const struct session_door *door_of_sessions(const struct door *door)
{
    return &door->of_sessions;
}

/* ------------------------------------------------------------------------ opening and closing */

static enum bg_status wait_bound(struct door *door, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK && !door->is_written) {
        struct pollfd wait = {door->fd, POLLIN, 0};

        status = poll(&wait, 1, START_MS) <= 0
                     ? bg_error_set(err, BG_E_SYSTEM, "door: the gateway does not start")
                     : take_one(door, err);
    }
    return status == BG_E_CLOSED ? bg_error_set(err, BG_E_SYSTEM, "door: %s", err->text) : status;
}

enum bg_status door_open(struct door **out, const struct door_setup *setup, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    struct door *door = calloc(1, sizeof *door);
    enum bg_status status;

    if (door == NULL ||
        (door->places = calloc((size_t)setup->bot_count, sizeof *door->places)) == NULL) {
        free(door);
        return bg_error_set(err, BG_E_MEMORY, "door");
    }
    door->setup = *setup;
    door->of_sessions = (struct session_door){opened, closed, owns, is_down, door, GRACE_NS};
    door->fd = -1;
    door->wait_ns = WAIT_NS;
    snprintf(door->listen, sizeof door->listen, "%s", setup->listen);
    status = start_process(door, &why);
    if (status == BG_OK) {
        status = wait_bound(door, &why);
    }
    if (status == BG_OK) {
        status = loop_watch(setup->loop, door->fd, on_news, door, &why);
    }
    if (status != BG_OK) {
        bg_error_set(err, status, "%s", why.text);
        door_close(door);
        return status;
    }
    *out = door;
    return BG_OK;
}

void door_close(struct door *door)
{
    if (door != NULL) {
        loop_forget(door->setup.loop, door);
        forget_process(door, END_MS);
        free(door->places);
        free(door);
    }
}
