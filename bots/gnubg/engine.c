/* gnubg is driven as a separate, unmodified program, by its "external" interface: its licence
 * and its global state stay its own. A Unix socket is tried first and TCP after it, as versions
 * differ. Whether a second question may wait in its socket differs too, and is tried
 * (check_gnubg) instead of being asked for. */
#define _GNU_SOURCE /* pipe2, prctl */
#include "engine.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "../common/pipes.h"
#include "scratch.h"

enum {
    PATH = SCRATCH_PATH,
    TALK = 4096, /* size of the kept end of gnubg's output: banner and settings are about 1 KiB */
    START_MS = 20000,  /* gnubg serves after 0.2 s on an idle machine */
    TCP_ATTEMPTS = 5,  /* another process may take the free port before gnubg does */
    LOOK_MS = 250,     /* longest wait for gnubg before its output and the time are checked */
    LOOK_REPLIES = 64, /* replies before its output is checked; its output is then far from full */
    FRAME = 256,       /* gnubg reads this many bytes, uses the first line and drops the others */
    REPLIES = 4096
};

struct engine {
    pid_t pid;    /* 0: none */
    int socket;   /* -1: none */
    int talk_fd;  /* standard output and error of gnubg; -1 closed */
    int unlooked; /* replies since gnubg's output was read */
    int depth;    /* questions that may be open at once */
    int open;     /* questions sent and not answered */
    int added;    /* questions in unsent */
    size_t unsent_size;
    size_t at, end; /* replies that are read and not taken */
    size_t talk_used;
    char talk[TALK];   /* the last part of it, terminated */
    char folder[PATH]; /* "" when removed */
    char replies[REPLIES];
    char unsent[ENGINE_DEPTH * FRAME];
};

/* ---- the program ---- */

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

/* Debian keeps gnubg in the games folder, which is not in every PATH. */
static enum bg_status find_program(char out[PATH], const char *name, struct bg_error *err)
{
    const char *path = getenv("PATH");
    char folders[4 * PATH];
    char *rest = NULL;

    if (strchr(name, '/') != NULL) {
        snprintf(out, PATH, "%s", name);
        return is_program(out) ? BG_OK
                               : bg_error_set(err, BG_E_START, "%s: %s", name, strerror(errno));
    }
    snprintf(folders, sizeof folders, "%s:/usr/games", path == NULL ? "/usr/bin:/bin" : path);
    for (char *folder = strtok_r(folders, ":", &rest); folder != NULL;
         folder = strtok_r(NULL, ":", &rest)) {
        if (snprintf(out, PATH, "%s/%s", folder, name) < PATH && is_program(out)) {
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_START,
                        "%s: not in PATH and not in /usr/games; install the package gnubg, or "
                        "name the program by option Program",
                        name);
}

/* ---- the process ---- */

/* Only async-signal-safe calls: the process that forks may have threads. */
static void become_gnubg(const char *program, char *const environment[], const char *folder,
                         int input, int output, pid_t parent)
{
    char name[] = "gnubg", text[] = "-t", quiet[] = "-q", no_rc[] = "-r";
    char *const arguments[] = {name, text, quiet, no_rc, NULL};

    /* The signal works from here on; a bridge that ended before is found by getppid(). */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent || chdir(folder) != 0 ||
        dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0) {
        _exit(126);
    }
    execve(program, arguments, environment);
    _exit(127);
}

/* Gives gnubg its own environment: nothing from the user's configuration, no token of the referee,
 * numbers with a decimal point. */
static enum bg_status spawn(struct engine *engine, const char *program, int input, int output,
                            struct bg_error *err)
{
    char home[PATH + 8], temporary[PATH + 8], path[4 * PATH], library[4 * PATH];
    char locale[] = "LC_ALL=C";
    char *environment[6] = {home, temporary, locale, path, NULL, NULL};
    const char *value = getenv("PATH");
    pid_t parent = getpid();

    snprintf(home, sizeof home, "HOME=%s", engine->folder);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", engine->folder);
    snprintf(path, sizeof path, "PATH=%s", value == NULL ? "/usr/bin:/bin" : value);
    value = getenv("LD_LIBRARY_PATH");
    if (value != NULL) {
        snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s", value);
        environment[4] = library;
    }
    engine->pid = fork();
    if (engine->pid == 0) {
        become_gnubg(program, environment, engine->folder, input, output, parent);
    }
    if (engine->pid < 0) {
        engine->pid = 0;
        return bg_error_set(err, BG_E_SYSTEM, "start %s: %s", program, strerror(errno));
    }
    return BG_OK;
}

/* Sends all commands to gnubg; they fit into the pipe, so one write does not block. */
static enum bg_status send_commands(int fd, const struct engine_settings *settings,
                                    const char *endpoint, struct bg_error *err)
{
    static const char *const kinds[] = {"chequerplay", "cubedecision"};
    const int plies[] = {settings->plies, settings->cube_plies};
    char text[3 * PATH];
    /* With beavers gnubg decides the same, but says "beaver" where it would take and double: the
     * bridge takes if the rules have none (query_read). */
    int used = snprintf(text, sizeof text, "set threads 1\nset cache 0\nset beavers 3\n");

    for (int i = 0; i < 2; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "set evaluation %s evaluation plies %d\n"
                         "set evaluation %s evaluation cubeful %s\n"
                         "set evaluation %s evaluation noise %.6f\n"
                         "set evaluation %s evaluation deterministic on\n",
                         kinds[i], plies[i], kinds[i], settings->cubeful ? "on" : "off", kinds[i],
                         settings->noise, kinds[i]);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "external %s\n", endpoint);
    if (write(fd, text, (size_t)used) != used) {
        return bg_error_set(err, BG_E_SYSTEM, "write to gnubg: %s", strerror(errno));
    }
    return BG_OK;
}

static enum bg_status process_start(struct engine *engine, const char *program,
                                    const struct engine_settings *settings, const char *endpoint,
                                    struct bg_error *err)
{
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    enum bg_status status = BG_OK;

    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "pipe to gnubg: %s", strerror(errno));
        goto done;
    }
    /* Written before the other end can be closed, so no SIGPIPE can come. */
    status = send_commands(input[1], settings, endpoint, err);
    if (status != BG_OK) {
        goto done;
    }
    status = spawn(engine, program, input[0], output[1], err);
    if (status != BG_OK) {
        goto done;
    }
    /* It is read when there is time, and must never hold up an answer. */
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    engine->talk_fd = output[0];
    output[0] = -1;
done:
    pipes_close(input);
    pipes_close(output);
    return status;
}

static void process_end(struct engine *engine)
{
    if (engine->socket >= 0) {
        close(engine->socket);
        engine->socket = -1;
    }
    if (engine->pid > 0) {
        kill(engine->pid, SIGKILL);
        while (waitpid(engine->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        engine->pid = 0;
    }
    if (engine->talk_fd >= 0) {
        close(engine->talk_fd);
        engine->talk_fd = -1;
    }
    engine->talk_used = 0;
    engine->talk[0] = '\0';
    engine->open = engine->added = 0;
    engine->unsent_size = engine->at = engine->end = 0;
}

/* ---- gnubg's standard output ---- */

static void talk_keep(struct engine *engine, const char *bytes, size_t count)
{
    size_t room = sizeof engine->talk - 1 - engine->talk_used;

    if (count > room) {
        size_t drop = count - room;

        memmove(engine->talk, engine->talk + drop, engine->talk_used - drop);
        engine->talk_used -= drop;
    }
    memcpy(engine->talk + engine->talk_used, bytes, count);
    engine->talk_used += count;
    engine->talk[engine->talk_used] = '\0';
}

/* Drains without blocking; closes at the end of the stream. */
static void talk_read(struct engine *engine)
{
    char bytes[512];

    while (engine->talk_fd >= 0) {
        ssize_t count = read(engine->talk_fd, bytes, sizeof bytes);

        if (count > 0) {
            talk_keep(engine, bytes, (size_t)count);
        } else if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        } else {
            close(engine->talk_fd);
            engine->talk_fd = -1;
        }
    }
}

/* Returns the last line that is not empty; cuts the talk. */
static const char *talk_last(struct engine *engine)
{
    char *start;

    while (engine->talk_used > 0 && strchr("\n\r ", engine->talk[engine->talk_used - 1]) != NULL) {
        engine->talk[--engine->talk_used] = '\0';
    }
    if (engine->talk_used == 0) {
        return "(nothing)";
    }
    start = strrchr(engine->talk, '\n');
    return start == NULL ? engine->talk : start + 1;
}

/* Waits until gnubg prints that it serves. If it cannot serve, it exits by itself, because its
 * input has ended. */
static enum bg_status wait_serving(struct engine *engine, int64_t deadline_ms, struct bg_error *err)
{
    while (strstr(engine->talk, "Waiting for a connection") == NULL) {
        struct pollfd wait = {engine->talk_fd, POLLIN, 0};
        int64_t left = deadline_ms - pipes_now_ms();

        if (engine->talk_fd < 0) {
            return bg_error_set(err, BG_E_START, "gnubg does not serve; it said: %s",
                                talk_last(engine));
        }
        if (left <= 0) {
            return bg_error_set(err, BG_E_TIMEOUT, "gnubg does not serve after %d s",
                                START_MS / 1000);
        }
        poll(&wait, 1, (int)left);
        talk_read(engine);
    }
    return BG_OK;
}

/* ---- the socket ---- */

/* Takes ownership of fd. gnubg prints that it waits just after it listens. */
static enum bg_status connect_to(struct engine *engine, int fd, const struct sockaddr *address,
                                 socklen_t size, struct bg_error *err)
{
    const struct timeval limit = {.tv_usec = LOOK_MS * 1000};

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0 ||
        connect(fd, address, size) != 0) {
        enum bg_status status =
            bg_error_set(err, BG_E_START, "connect to gnubg: %s", strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return status;
    }
    engine->socket = fd;
    return BG_OK;
}

static enum bg_status gone(struct engine *engine, struct bg_error *err)
{
    talk_read(engine);
    return bg_error_set(err, BG_E_CLOSED, "gnubg is gone; it said: %s", talk_last(engine));
}

/* Reads once behind the replies that are not taken. BG_E_TIMEOUT: nothing came, or nothing is here.
 * The socket's own time limit ends the wait, so it costs one call. */
static enum bg_status replies_read(struct engine *engine, int flags, struct bg_error *err)
{
    ssize_t count;

    memmove(engine->replies, engine->replies + engine->at, engine->end - engine->at);
    engine->end -= engine->at;
    engine->at = 0;
    if (engine->end == sizeof engine->replies) {
        return bg_error_set(err, BG_E_FORMAT, "gnubg's reply is longer than %zu bytes",
                            sizeof engine->replies);
    }
    count = recv(engine->socket, engine->replies + engine->end,
                 sizeof engine->replies - engine->end, flags);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return BG_E_TIMEOUT;
    }
    if (count <= 0) {
        return gone(engine, err);
    }
    engine->end += (size_t)count;
    return BG_OK;
}

/* Takes a line from the replies that are here. BG_E_TIMEOUT: there is no complete line. */
static enum bg_status line_take(char *reply, size_t size, struct engine *engine,
                                struct bg_error *err)
{
    const char *start = engine->replies + engine->at;
    const char *end = memchr(start, '\n', engine->end - engine->at);

    if (end == NULL) {
        return BG_E_TIMEOUT;
    }
    if ((size_t)(end - start) >= size) {
        return bg_error_set(err, BG_E_FORMAT, "gnubg's reply has %zu bytes", (size_t)(end - start));
    }
    memcpy(reply, start, (size_t)(end - start));
    reply[end - start] = '\0';
    engine->at += (size_t)(end - start) + 1;
    return BG_OK;
}

/* Waits for a line. If gnubg's output were full, it would be read after the socket's time limit. */
static enum bg_status line_wait(char *reply, size_t size, struct engine *engine,
                                int64_t deadline_ms, struct bg_error *err)
{
    enum bg_status status;

    while ((status = line_take(reply, size, engine, err)) == BG_E_TIMEOUT) {
        status = replies_read(engine, 0, err);
        if (status == BG_E_TIMEOUT) {
            talk_read(engine);
            if (deadline_ms >= 0 && pipes_now_ms() >= deadline_ms) {
                return bg_error_set(err, BG_E_TIMEOUT, "gnubg does not answer");
            }
        } else if (status != BG_OK) {
            return status;
        }
    }
    return status;
}

int engine_depth(const struct engine *engine)
{
    return engine->depth;
}

/* gnubg reads FRAME bytes at once and forgets what stands behind the first line in them. So blanks
 * fill the frame, and the next read begins with the next question. A question that is sent alone
 * needs no blanks. */
enum bg_status engine_add(struct engine *engine, const char *line, struct bg_error *err)
{
    size_t length = strlen(line);
    char *frame = engine->unsent + engine->unsent_size;

    if (length > ENGINE_QUESTION) {
        return bg_error_set(err, BG_E_ARGUMENT, "question of %zu bytes", length);
    }
    assert(engine->open + engine->added < engine->depth);
    memcpy(frame, line, length);
    frame[length] = '\n';
    engine->unsent_size += length + 1;
    if (engine->depth > 1) {
        memset(frame + length + 1, ' ', FRAME - length - 1);
        engine->unsent_size += FRAME - length - 1;
    }
    engine->added++;
    return BG_OK;
}

/* One write never blocks: all open questions together are smaller than the socket's buffer. So
 * gnubg also never finds a part of a frame. */
enum bg_status engine_send(struct engine *engine, struct bg_error *err)
{
    size_t size = engine->unsent_size;

    if (size > 0 && send(engine->socket, engine->unsent, size, MSG_NOSIGNAL) != (ssize_t)size) {
        return gone(engine, err);
    }
    engine->open += engine->added;
    engine->added = 0;
    engine->unsent_size = 0;
    return BG_OK;
}

enum bg_status engine_take(char *reply, size_t size, struct engine *engine, bool wait,
                           struct bg_error *err)
{
    enum bg_status status =
        wait ? line_wait(reply, size, engine, -1, err) : line_take(reply, size, engine, err);

    if (status != BG_OK) {
        return status;
    }
    if (engine->open == 0) {
        return bg_error_set(err, BG_E_FORMAT, "gnubg answers without a question: %.80s", reply);
    }
    /* gnubg answers in order, so the oldest question is the one that was answered. */
    engine->open--;
    if (++engine->unlooked >= LOOK_REPLIES) {
        engine->unlooked = 0;
        talk_read(engine);
    }
    return BG_OK;
}

/* Reads lines up to one that has one of the two parts (the second may be NULL). */
static enum bg_status line_expect(bool *is_first, struct engine *engine, const char *const parts[2],
                                  int64_t deadline_ms, struct bg_error *err)
{
    char reply[512];
    enum bg_status status;

    do {
        status = line_wait(reply, sizeof reply, engine, deadline_ms, err);
        *is_first = status == BG_OK && strstr(reply, parts[0]) != NULL;
    } while (status == BG_OK && !*is_first &&
             (parts[1] == NULL || strstr(reply, parts[1]) == NULL));
    return status;
}

/* Checks that gnubg answers: on a TCP port there may be another program, or no answer, because
 * gnubg serves one client at a time. Finds out whether questions may wait at gnubg: two are sent at
 * once, and a third after the answer to the first. The next answer is the second's, or else the
 * second was dropped. */
static enum bg_status check_gnubg(struct engine *engine, int64_t deadline_ms, struct bg_error *err)
{
    static const char *const version[] = {"Software:", NULL}, *const debug[] = {"Debug", NULL},
                             *const second[] = {"No help", "Debug"};
    bool is_first, is_kept;
    enum bg_status status;

    engine->depth = ENGINE_DEPTH;
    if ((status = engine_add(engine, "version", err)) != BG_OK ||
        (status = engine_add(engine, "help", err)) != BG_OK ||
        (status = engine_send(engine, err)) != BG_OK ||
        (status = line_expect(&is_first, engine, version, deadline_ms, err)) != BG_OK ||
        (status = engine_add(engine, "set debug off", err)) != BG_OK ||
        (status = engine_send(engine, err)) != BG_OK ||
        (status = line_expect(&is_kept, engine, second, deadline_ms, err)) != BG_OK) {
        return status;
    }
    if (is_kept) {
        status = line_expect(&is_first, engine, debug, deadline_ms, err);
    } else {
        engine->depth = 1;
    }
    engine->open = 0;
    return status;
}

/* Eight parameters: a socket address is three, and so are the program and where it listens. */
static enum bg_status serve_on(struct engine *engine, const char *program,
                               const struct engine_settings *settings, const char *endpoint, int fd,
                               const struct sockaddr *address, socklen_t size, struct bg_error *err)
{
    int64_t deadline_ms = pipes_now_ms() + START_MS;
    enum bg_status status = process_start(engine, program, settings, endpoint, err);

    if (status == BG_OK) {
        status = wait_serving(engine, deadline_ms, err);
    }
    if (status == BG_OK) {
        status = connect_to(engine, fd, address, size, err);
        fd = -1;
    }
    if (status == BG_OK) {
        status = check_gnubg(engine, deadline_ms, err);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (status != BG_OK) {
        process_end(engine);
    }
    return status;
}

static enum bg_status serve_unix(struct engine *engine, const char *program,
                                 const struct engine_settings *settings, struct bg_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", engine->folder);

    if (length >= (int)sizeof address.sun_path) {
        return bg_error_set(err, BG_E_START, "%s/socket: longer than a socket's path can be",
                            engine->folder);
    }
    return serve_on(engine, program, settings, address.sun_path,
                    socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
                    (const struct sockaddr *)&address, sizeof address, err);
}

static bool free_port(struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool found;

    *address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    found = fd >= 0 && bind(fd, (struct sockaddr *)address, size) == 0 &&
            getsockname(fd, (struct sockaddr *)address, &size) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return found;
}

static enum bg_status serve_tcp(struct engine *engine, const char *program,
                                const struct engine_settings *settings, struct bg_error *err)
{
    struct sockaddr_in address;
    char endpoint[32];
    int fd, on = 1;

    if (!free_port(&address)) {
        return bg_error_set(err, BG_E_SYSTEM, "no free port on 127.0.0.1: %s", strerror(errno));
    }
    snprintf(endpoint, sizeof endpoint, "127.0.0.1:%d", ntohs(address.sin_port));
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return serve_on(engine, program, settings, endpoint, fd, (const struct sockaddr *)&address,
                    sizeof address, err);
}

/* ---- the contract ---- */

enum bg_status engine_start(struct engine **out, const struct engine_settings *settings,
                            struct bg_error *err)
{
    char program[PATH];
    enum bg_status status = find_program(program, settings->program, err);
    struct engine *engine = status == BG_OK ? calloc(1, sizeof *engine) : NULL;

    if (status != BG_OK) {
        goto done;
    }
    if (engine == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "gnubg process");
        goto done;
    }
    engine->socket = engine->talk_fd = -1;
    status = scratch_create(engine->folder, err);
    if (status != BG_OK) {
        goto done;
    }
    /* Only this process uses a socket in its own folder; gnubg supports it up to 1.07, later
     * versions TCP only. */
    status = serve_unix(engine, program, settings, err);
    for (int i = 0; i < TCP_ATTEMPTS && status == BG_E_START; i++) {
        status = serve_tcp(engine, program, settings, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    /* gnubg does not need the folder while it serves; removing it now leaves nothing behind. */
    scratch_remove(engine->folder);
    *out = engine;
    engine = NULL;
done:
    engine_stop(engine);
    return status;
}

enum bg_status engine_ask(char *reply, size_t size, struct engine *engine, const char *line,
                          struct bg_error *err)
{
    enum bg_status status = engine_add(engine, line, err);

    if (status == BG_OK) {
        status = engine_send(engine, err);
    }
    if (status == BG_OK) {
        status = engine_take(reply, size, engine, true, err);
    }
    return status;
}

void engine_stop(struct engine *engine)
{
    if (engine != NULL) {
        process_end(engine);
        scratch_remove(engine->folder);
        free(engine);
    }
}
