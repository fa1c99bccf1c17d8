/* Several places of one bot are processes of their own, forked from this one: each has a loop, a
 * line and a bot, and one that fails does not take the others along. This process only waits and
 * passes signals on. */
#include "join_host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/exit_status.h>

#include "bot/command.h"
#include "bot/registry.h"
#include "cmd/command.h"
#include "door/gateway.h"
#include "cmd/join_status.h"
#include "cmd/joiner.h"
#include "log.h"

static enum bg_status choose_bot(struct competitor *out, const struct join_request *request,
                                 struct bg_error *err)
{
    struct registry *registry = NULL;
    enum bg_status status = registry_open(&registry, err);

    if (status == BG_OK) {
        status = registry_resolve(out, registry, request->bot, err);
    }
    for (int i = 0; status == BG_OK && request->words[i] != NULL; i++) {
        if (!command_append(out->cmd, sizeof out->cmd, request->words[i])) {
            status = bg_error_set(err, BG_E_ARGUMENT, "%s: its command is too long", request->bot);
        }
    }
    registry_close(registry);
    return status;
}

/* ------------------------------------------------------------------ several at once */

/* One process for each place. */
struct crowd {
    pid_t pids[GATEWAY_AT_ONCE]; /* 0: it has ended */
    int exit_status;             /* of the first that did not end well */
};

static void play_place(struct joiner_setup setup, int place, const sigset_t *signals, pid_t parent)
{
    struct bg_error err = {.text = ""};
    int exit_status;

    /* SIGTERM and not SIGKILL: the place ends its bot, too. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(EXIT_SURROUNDINGS);
    }
    sigprocmask(SIG_SETMASK, signals, NULL);
    setup.place = place;
    exit_status = joiner_run(&setup, &err);
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    exit(exit_status);
}

/* Returns whether one is left. */
static bool look_after(struct crowd *crowd, int count)
{
    bool any = false;

    for (int i = 0; i < count; i++) {
        int state;

        if (crowd->pids[i] > 0 && waitpid(crowd->pids[i], &state, WNOHANG) == crowd->pids[i]) {
            int code = WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_SURROUNDINGS;

            crowd->exit_status = crowd->exit_status == EXIT_DONE ? code : crowd->exit_status;
            crowd->pids[i] = 0;
        }
        any = any || crowd->pids[i] > 0;
    }
    return any;
}

/* Every process gets the signals that we get. */
static int play_crowd(const struct joiner_setup *setup, int count, struct bg_error *err)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    struct crowd crowd = {.exit_status = EXIT_DONE};
    pid_t self = getpid();
    sigset_t ours, before;

    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaddset(&ours, numbers[i]);
    }
    /* Before the first fork: a signal between two of them would be lost to those that come
     * later; sigwaitinfo() takes it afterwards. */
    sigprocmask(SIG_BLOCK, &ours, &before);
    fflush(NULL);
    for (int i = 0; i < count; i++) {
        crowd.pids[i] = fork();
        if (crowd.pids[i] == 0) {
            play_place(*setup, i, &before, self);
        }
        if (crowd.pids[i] < 0) {
            crowd.exit_status = EXIT_SURROUNDINGS;
            bg_error_set(err, BG_E_SYSTEM, "fork: %s", strerror(errno));
        }
    }
    while (look_after(&crowd, count)) {
        int number = sigwaitinfo(&ours, NULL);

        for (int i = 0; i < count && number > 0 && number != SIGCHLD; i++) {
            if (crowd.pids[i] > 0) {
                kill(crowd.pids[i], number);
            }
        }
    }
    return crowd.exit_status;
}

static int attend(const struct join_request *request, const struct host_file *host,
                  const struct join_secret *own, struct competitor *bot, struct bg_error *err)
{
    const struct joiner_setup setup = {
        .host = host, .own = own, .bot = bot, .quiet = request->quiet, .is_seat = request->is_seat};
    char fingerprint[KEY_FILE_PRINT];

    snprintf(bot->name, sizeof bot->name, "%s", own->public.name);
    key_fingerprint(fingerprint, host->key);
    if (!request->quiet) {
        printf("host: %s at %s, fingerprint %s\n", host->name, host->endpoint, fingerprint);
        fflush(stdout);
    }
    return request->at_once > 1 ? play_crowd(&setup, request->at_once, err)
                                : joiner_run(&setup, err);
}

static enum bg_status read_files(struct host_file *host, struct join_secret *own,
                                 const char *host_path, const char *key_path, struct bg_error *err)
{
    enum bg_status status = log_open(NULL, err);

    if (status == BG_OK) {
        status = host_file_read(host, host_path, err);
    }
    return status == BG_OK ? join_secret_read(own, key_path, err) : status;
}

/* The seat opens it by its name, which another user's terminal (su, sudo) forbids. */
static enum bg_status check_terminal(struct bg_error *err)
{
    const char *name = ttyname(STDIN_FILENO);
    int fd;

    if (name == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "standard input is not a terminal; a person plays in one");
    }
    fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "terminal %.200s: %s; start it in a terminal of your own, as 'ssh' or "
                            "'tmux' opens one",
                            name, strerror(errno));
    }
    close(fd);
    return BG_OK;
}

int join_host(const struct join_request *request)
{
    static struct competitor bot;
    struct host_file host;
    struct join_secret own = {.public = {.name = ""}};
    struct bg_error err = {.text = ""};
    enum bg_status status = read_files(&host, &own, request->host, request->key, &err);
    int exit_status;

    if (status == BG_OK) {
        status = choose_bot(&bot, request, &err);
    }
    if (status == BG_OK && request->is_seat) {
        status = check_terminal(&err);
    }
    exit_status =
        status == BG_OK ? attend(request, &host, &own, &bot, &err) : exit_status_of(status);
    join_secret_wipe(&own);
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    return exit_status;
}

int join_status(const char *host_path, const char *key_path, bool as_json)
{
    struct host_file host;
    struct join_secret own = {.public = {.name = ""}};
    struct bg_error err = {.text = ""};
    enum bg_status status = read_files(&host, &own, host_path, key_path, &err);
    int exit_status = status == BG_OK ? join_status_print(stdout, &host, &own, as_json, &err)
                                      : exit_status_of(status);

    join_secret_wipe(&own);
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    return exit_status;
}
