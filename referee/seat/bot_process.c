/* Descriptors of a process are in the loop only as long as the process is: an end removes the
 * watches first, because process_end() gives the descriptors up, and their numbers are soon
 * those of other files. The end of a process is passed on 20 ms late, after the frames that it
 * had sent: a bot that answers and exits has answered. */
#include "bot_process.h"

#include <signal.h>
#include <stdlib.h>

#include <sodium.h>

#include <rules/clean.h>

#include "base/memory.h"
#include "log.h"

enum { TOKEN = 33 };

#define SECOND_NS      INT64_C(1000000000)
#define EXIT_GRACE_NS  (SECOND_NS / 50)  /* the last frames of an ended process may still arrive */
#define STDERR_REST_NS (SECOND_NS / 100) /* pause between two reads of stderr */

struct bot_process {
    struct bot_process_setup setup;
    struct process *process; /* NULL none */
    char token[TOKEN];       /* this start's */
    bool exiting;            /* it has ended; its last frames may still arrive */
    bool leaving;            /* an earlier process was ended, and a part of it still exists */
    char *said;              /* owned: the clean copy that bot_process_stderr returned last */
};

struct bot_process *bot_process_create(const struct bot_process_setup *setup)
{
    struct bot_process *process = memory_zeroed(1, sizeof *process);

    process->setup = *setup;
    return process;
}

void bot_process_destroy(struct bot_process *process)
{
    if (process == NULL) {
        return;
    }
    bot_process_end(process);
    process_forget(process);
    loop_forget(process->setup.loop, process);
    free(process->said);
    free(process);
}

/* ---------------------------------------------------------------- standard error */

static void on_stderr(void *user);

static void on_stderr_rested(void *user, int64_t now_ns)
{
    struct bot_process *process = user;
    int fd = process_stderr_fd(process->process);
    struct bg_error err;

    (void)now_ns;
    if (fd >= 0 && loop_watch(process->setup.loop, fd, on_stderr, process, &err) != BG_OK) {
        log_warn("session", "bot=%s standard error cannot be watched, so it is no longer read: %s",
                 process->setup.bot->name, err.text);
    }
}

/* Drains stderr. At end of file removes the watch, because the descriptor number can be reused. */
void bot_process_read_stderr(struct bot_process *process)
{
    int fd;

    if (process == NULL || process->process == NULL) {
        return;
    }
    fd = process_stderr_fd(process->process);
    process_read_stderr(process->process);
    if (process_stderr_fd(process->process) < 0) {
        loop_unwatch(process->setup.loop, fd);
    }
}

/* Reads at most once in STDERR_REST_NS, so that a bot that writes without pause cannot occupy the
 * loop. */
static void on_stderr(void *user)
{
    struct bot_process *process = user;
    struct loop *loop = process->setup.loop;
    int fd;

    bot_process_read_stderr(process);
    fd = process_stderr_fd(process->process);
    if (fd >= 0) {
        loop_after(loop, STDERR_REST_NS, on_stderr_rested, process);
        loop_unwatch(loop, fd);
    }
}

const char *bot_process_stderr(struct bot_process *process)
{
    size_t size = 0;
    const char *tail;

    if (process == NULL || process->process == NULL) {
        return "";
    }
    tail = process_stderr_tail(process->process, &size);
    free(process->said);
    process->said = memory_zeroed(CLEAN_GROWTH * size + 1, 1);
    clean_write(process->said, CLEAN_GROWTH * size + 1, tail, size, CLEAN_TEXT);
    return process->said;
}

/* -------------------------------------------------------------- start and end */

static void on_exit_grace(void *user, int64_t now_ns)
{
    struct bot_process *process = user;
    char how[64] = "ended";

    (void)now_ns;
    process_reap(process->process, how, sizeof how);
    process->setup.listener->ended(process->setup.user, how);
}

static void on_news(void *user)
{
    struct bot_process *process = user;
    uint64_t held = process_excess(process->process);
    char how[64];

    if (held > 0) {
        process->setup.listener->too_large(process->setup.user, held);
        return;
    }
    if (!process_reap(process->process, how, sizeof how)) {
        return;
    }
    /* A descriptor at its end stays readable, and the loop would turn without rest. */
    loop_unwatch(process->setup.loop, process_news_fd(process->process));
    process->exiting = true;
    loop_after(process->setup.loop, EXIT_GRACE_NS, on_exit_grace, process);
}

static void make_token(char token[TOKEN])
{
    unsigned char bytes[TOKEN / 2];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(token, TOKEN, bytes, sizeof bytes);
}

const char *bot_process_token(const struct bot_process *process)
{
    return process == NULL ? NULL : process->token;
}

static enum bg_status watch_process(struct bot_process *process, struct bg_error *err)
{
    struct loop *loop = process->setup.loop;
    int stderr_fd = process_stderr_fd(process->process);
    enum bg_status status =
        loop_watch(loop, process_news_fd(process->process), on_news, process, err);

    if (status == BG_OK && stderr_fd >= 0) {
        status = loop_watch(loop, stderr_fd, on_stderr, process, err);
    }
    return status;
}

enum bg_status bot_process_start(struct bot_process *process, const char *endpoint,
                                 struct bg_error *err)
{
    const struct bot_process_setup *setup = &process->setup;
    struct launch launch = {
        .cmd = setup->bot->cmd,
        .dir = setup->bot->dir,
        .endpoint = endpoint,
        .token = process->token,
        .bot = setup->bot->name,
        .slot = setup->instance,
        .confined = setup->confined,
        .hidden = setup->hidden,
        .nice = setup->nice,
        .pin = setup->pin,
        .memory_bytes = setup->memory_bytes,
        .open_files = setup->open_files,
        .stderr_file = setup->bot->stderr_file,
    };
    enum bg_status status;

    /* New for each start: a process of the start before, which may still live, cannot greet as
     * this. */
    make_token(process->token);
    status = process_start(&process->process, &launch, err);
    if (status != BG_OK) {
        return status;
    }
    status = watch_process(process, err);
    if (status != BG_OK) {
        bot_process_end(process);
    }
    return status;
}

static void on_gone(void *user, int64_t now_ns)
{
    struct bot_process *process = user;

    (void)now_ns;
    process->leaving = false;
    process->setup.listener->gone(process->setup.user);
}

void bot_process_end(struct bot_process *process)
{
    struct loop *loop;

    if (process == NULL || process->process == NULL) {
        return;
    }
    loop = process->setup.loop;
    loop_unwatch(loop, process_news_fd(process->process));
    loop_unwatch(loop, process_stderr_fd(process->process));
    loop_forget(loop, process);
    process_end(process->process, loop, on_gone, process);
    process->process = NULL;
    process->exiting = false;
    process->leaving = true;
}

void bot_process_ask_to_end(struct bot_process *process)
{
    process_signal(process->process, SIGTERM);
}

/* ---------------------------------------------------------------- accessors */

bool bot_process_is_leaving(const struct bot_process *process)
{
    return process != NULL && process->leaving;
}

bool bot_process_is_exiting(const struct bot_process *process)
{
    return process != NULL && process->exiting;
}

bool bot_process_owns(const struct bot_process *process, pid_t pid)
{
    return process != NULL && process->process != NULL && process_owns(process->process, pid);
}

int64_t bot_process_cpu_ns(const struct bot_process *process)
{
    return process == NULL || process->process == NULL ? 0 : process_cpu_ns(process->process);
}

uint64_t bot_process_memory(const struct bot_process *process)
{
    return process == NULL || process->process == NULL ? 0 : process_memory(process->process);
}

struct core_look *bot_process_core_look(const struct bot_process *process, int64_t now_ns)
{
    return process == NULL || process->process == NULL
               ? NULL
               : process_core_look(process->process, now_ns);
}
