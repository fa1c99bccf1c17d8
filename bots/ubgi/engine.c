/* Pipes and one process, one question at a time: UBGI is a dialogue of lines like chess
 * engines', without numbers for questions. The engine's standard error stays the bot's, where
 * its author looks for it. */
#define _GNU_SOURCE /* pipe2, prctl, execvpe */
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

#include <sys/prctl.h>
#include <sys/wait.h>

#include "../common/pipes.h"

enum { GOODBYE_MS = 200, START_FAILED = 127 };

struct engine {
    pid_t pid;
    int input, output; /* -1: closed */
    char asked[80];    /* its last question */
    size_t used, taken;
    char bytes[WORDS_LINE];
};

/* ---- starting ---- */

/* Returns the environment without the referee's variables: the engine must not use its socket. The
 * strings are environ's. */
static char **environment_create(void)
{
    size_t count = 0, kept = 0;
    char **out;

    while (environ[count] != NULL) {
        count++;
    }
    out = calloc(count + 1, sizeof *out);
    for (size_t i = 0; out != NULL && i < count; i++) {
        /* With them the engine could speak to the referee in the bot's name. */
        if (strncmp(environ[i], "BGREF_", 6) != 0) {
            out[kept++] = environ[i];
        }
    }
    return out;
}

/* Only async-signal-safe calls: the process that forks may have threads. */
static void become_engine(char *const argv[], char *const environment[], int input, int output,
                          pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
        /* An ignored signal would be inherited by exec, and change the engine. */
        signal(SIGPIPE, SIG_DFL) != SIG_ERR && dup2(input, STDIN_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0) {
        /* By PATH, as a user who writes a command expects. */
        execvpe(argv[0], argv, environment);
    }
    _exit(START_FAILED);
}

enum bg_status engine_start(struct engine **out, char *const argv[], struct bg_error *err)
{
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    char **environment = environment_create();
    struct engine *engine = calloc(1, sizeof *engine);
    pid_t parent = getpid();
    enum bg_status status = BG_OK;

    if (environment == NULL || engine == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "engine's process");
        goto done;
    }
    engine->input = engine->output = -1;
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "pipe to the engine: %s", strerror(errno));
        goto done;
    }
    engine->pid = fork();
    if (engine->pid == 0) {
        become_engine(argv, environment, input[0], output[1], parent);
    }
    if (engine->pid < 0) {
        engine->pid = 0;
        status = bg_error_set(err, BG_E_START, "start %s: %s", argv[0], strerror(errno));
        goto done;
    }
    engine->input = input[1];
    engine->output = output[0];
    input[1] = output[0] = -1;
    *out = engine;
    engine = NULL; /* now the caller's */
done:
    pipes_close(input);
    pipes_close(output);
    free((void *)environment);
    engine_stop(engine);
    return status;
}

/* ---- ending ---- */

/* Waits at most so long until the engine has ended; *ended is its wait status. */
static bool wait_end(struct engine *engine, int *ended, int64_t patience_ms)
{
    int64_t deadline_ms = pipes_now_ms() + patience_ms;
    const struct timespec pause = {.tv_nsec = 1000000};
    pid_t got;

    while ((got = waitpid(engine->pid, ended, WNOHANG)) == 0 && pipes_now_ms() < deadline_ms) {
        nanosleep(&pause, NULL);
    }
    if (got == engine->pid) {
        engine->pid = 0;
        return true;
    }
    return false;
}

/* Handles the end of its standard output, or an input that cannot be written. */
static enum bg_status gone(struct engine *engine, struct bg_error *err)
{
    int ended;

    /* Its output ends a moment before it can be waited for. */
    if (engine->pid == 0 || !wait_end(engine, &ended, GOODBYE_MS)) {
        return bg_error_set(err, BG_E_CLOSED, "the engine has closed its standard output%s%s",
                            engine->asked[0] == '\0' ? "" : " when asked: ", engine->asked);
    }
    if (WIFSIGNALED(ended)) {
        return bg_error_set(err, BG_E_CLOSED, "the engine was ended by signal %d (%s)%s%s",
                            WTERMSIG(ended), strsignal(WTERMSIG(ended)),
                            engine->asked[0] == '\0' ? "" : " when asked: ", engine->asked);
    }
    return bg_error_set(err, BG_E_CLOSED, "the engine has ended, exit status %d%s%s%s",
                        WEXITSTATUS(ended),
                        WEXITSTATUS(ended) == START_FAILED ? " (is the command right?)" : "",
                        engine->asked[0] == '\0' ? "" : ", when asked: ", engine->asked);
}

void engine_stop(struct engine *engine)
{
    int ended;

    if (engine == NULL) {
        return;
    }
    if (engine->pid > 0) {
        if (engine->input >= 0) {
            (void)!write(engine->input, "quit\n",
                         5); /* a failure is ignored: the engine is killed in any case */
            close(engine->input);
            engine->input = -1;
        }
        if (!wait_end(engine, &ended, GOODBYE_MS)) {
            kill(engine->pid, SIGKILL);
            while (waitpid(engine->pid, NULL, 0) < 0 && errno == EINTR) {
            }
        }
    }
    pipes_close((int[2]){engine->input, engine->output});
    free(engine);
}

/* ---- talking ---- */

/* The text is short and the engine has no unread answer to write, so the pipe accepts it at
 * once. */
enum bg_status engine_send(struct engine *engine, const char *text, const char *asked,
                           struct bg_error *err)
{
    size_t length = strlen(text), sent = 0;

    snprintf(engine->asked, sizeof engine->asked, "%s", asked);
    engine->asked[strcspn(engine->asked, "\n")] = '\0';
    while (sent < length) {
        ssize_t count = write(engine->input, text + sent, length - sent);

        if (count < 0 && errno != EINTR) {
            return gone(engine, err);
        }
        sent += count > 0 ? (size_t)count : 0;
    }
    return BG_OK;
}

/* Takes the next complete line; returns false if there is none yet. */
static bool cut_line(const char **out, struct engine *engine)
{
    char *start = engine->bytes + engine->taken;
    char *end = memchr(start, '\n', engine->used - engine->taken);

    if (end == NULL) {
        memmove(engine->bytes, start, engine->used - engine->taken);
        engine->used -= engine->taken;
        engine->taken = 0;
        return false;
    }
    *end = '\0';
    engine->taken = (size_t)(end + 1 - engine->bytes);
    *out = start;
    return true;
}

static enum bg_status read_more(struct engine *engine, struct bg_error *err)
{
    ssize_t count;

    if (engine->used == sizeof engine->bytes) {
        return bg_error_set(err, BG_E_FORMAT, "the engine's line is longer than %d bytes",
                            WORDS_LINE - 1);
    }
    count = read(engine->output, engine->bytes + engine->used, sizeof engine->bytes - engine->used);
    if (count < 0 && errno == EINTR) {
        return BG_OK;
    }
    if (count <= 0) {
        return gone(engine, err);
    }
    /* A line would seem to end there. */
    if (memchr(engine->bytes + engine->used, '\0', (size_t)count) != NULL) {
        return bg_error_set(err, BG_E_FORMAT, "the engine's line has a NUL byte in it");
    }
    engine->used += (size_t)count;
    return BG_OK;
}

enum bg_status engine_line(const char **out, struct engine *engine, int64_t patience_ms,
                           struct bg_error *err)
{
    int64_t deadline_ms = patience_ms < 0 ? -1 : pipes_now_ms() + patience_ms;
    enum bg_status status = BG_OK;

    while (status == BG_OK && !cut_line(out, engine)) {
        struct pollfd wait = {engine->output, POLLIN, 0};
        int64_t left = deadline_ms < 0 ? -1 : deadline_ms - pipes_now_ms();

        if (deadline_ms >= 0 && left <= 0) {
            return bg_error_set(err, BG_E_TIMEOUT, "the engine has not answered: %s",
                                engine->asked);
        }
        if (poll(&wait, 1, left > INT32_MAX ? INT32_MAX : (int)left) > 0) {
            status = read_more(engine, err);
        }
    }
    return status;
}
