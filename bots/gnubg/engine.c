#define _GNU_SOURCE /* pipe2, prctl */
#include "engine.h"

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

#include "scratch.h"

enum {
    PATH = SCRATCH_PATH,
    TALK = 4096, /* size of the kept end of gnubg's output: banner and settings are about 1 KiB */
    START_MS = 20000, /* gnubg serves after 0.2 s on an idle machine */
    TCP_ATTEMPTS = 5, /* another process may take the free port before gnubg does */
    LOOK_MS = 250,    /* longest wait for gnubg before its output and the time are checked */
    LOOK_REPLIES = 64 /* replies before its output is checked; its output is then far from full */
};

struct engine {
    pid_t pid;    /* 0: none */
    int socket;   /* -1: none */
    int talk_fd;  /* standard output and error of gnubg; -1 closed */
    int unlooked; /* replies since gnubg's output was read */
    size_t talk_used;
    char talk[TALK];   /* the last part of it, terminated */
    char folder[PATH]; /* "" when removed */
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

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
    int used = snprintf(text, sizeof text, "set threads 1\nset cache 0\nset beavers %d\n",
                        settings->beavers ? 3 : 0);

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

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0) {
            close(pair[i]);
        }
    }
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
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    engine->talk_fd = output[0];
    output[0] = -1;
done:
    close_pair(input);
    close_pair(output);
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
        int64_t left = deadline_ms - now_ms();

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

/* Waits for the end of a line; reply gets the text before it, without '\n'. The socket's own time
 * limit ends each wait, so a reply costs one call. If gnubg's output were full, it would be read
 * after the limit. */
static enum bg_status read_line(char *reply, size_t size, struct engine *engine,
                                int64_t deadline_ms, struct bg_error *err)
{
    size_t used = 0;

    if (++engine->unlooked >= LOOK_REPLIES) {
        engine->unlooked = 0;
        talk_read(engine);
    }
    for (;;) {
        ssize_t count = recv(engine->socket, reply + used, size - 1 - used, 0);

        if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
            talk_read(engine);
            if (deadline_ms >= 0 && now_ms() >= deadline_ms) {
                return bg_error_set(err, BG_E_TIMEOUT, "gnubg does not answer");
            }
            continue;
        }
        if (count <= 0) {
            talk_read(engine);
            return bg_error_set(err, BG_E_CLOSED, "gnubg is gone; it said: %s", talk_last(engine));
        }
        used += (size_t)count;
        reply[used] = '\0';
        if (reply[used - 1] == '\n') {
            reply[used - 1] = '\0';
            return BG_OK;
        }
        if (used == size - 1) {
            return bg_error_set(err, BG_E_FORMAT, "gnubg's reply is longer than %zu bytes", used);
        }
    }
}

static enum bg_status send_line(struct engine *engine, const char *line, struct bg_error *err)
{
    char text[512];
    int length = snprintf(text, sizeof text, "%s\n", line);

    if (length >= (int)sizeof text) {
        return bg_error_set(err, BG_E_ARGUMENT, "question of %d bytes", length);
    }
    if (send(engine->socket, text, (size_t)length, MSG_NOSIGNAL) != length) {
        talk_read(engine);
        return bg_error_set(err, BG_E_CLOSED, "gnubg is gone; it said: %s", talk_last(engine));
    }
    return BG_OK;
}

/* Checks that gnubg answers: on a TCP port there may be another program, or no answer, because
 * gnubg serves one client at a time. */
static enum bg_status check_gnubg(struct engine *engine, int64_t deadline_ms, struct bg_error *err)
{
    char reply[512];
    enum bg_status status = send_line(engine, "version", err);

    while (status == BG_OK) {
        status = read_line(reply, sizeof reply, engine, deadline_ms, err);
        if (status == BG_OK && strstr(reply, "Software:") != NULL) {
            return BG_OK;
        }
    }
    return status;
}

/* Eight parameters: a socket address is three, and so are the program and where it listens. */
static enum bg_status serve_on(struct engine *engine, const char *program,
                               const struct engine_settings *settings, const char *endpoint, int fd,
                               const struct sockaddr *address, socklen_t size, struct bg_error *err)
{
    int64_t deadline_ms = now_ms() + START_MS;
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
    enum bg_status status = send_line(engine, line, err);

    if (status == BG_OK) {
        status = read_line(reply, size, engine, -1, err);
    }
    if (status == BG_OK && strchr(reply, '\n') != NULL) {
        status = bg_error_set(err, BG_E_FORMAT, "gnubg answers one question with two lines");
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
