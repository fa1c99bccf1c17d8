/* A descriptor, not a handler that sets a flag: a flag that is set just before the loop waits
 * would be seen when the wait ends, which may be never. A signalfd gives signals only to a
 * thread for which they are pending; hence the handler that passes on those that another thread
 * got. */
#define _DEFAULT_SOURCE /* sigset helpers of signalfd */
#include "signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/exit_status.h"
#include "base/memory.h"

enum { WATCHED = 3 };

static const int watched[WATCHED] = {SIGINT, SIGTERM, SIGHUP};

struct signals {
    int fd;
    int value; /* of the last one */
    sigset_t mask, old_mask;
    struct sigaction old_actions[WATCHED];
};

static pthread_t reader;

static void pass_on(int number)
{
    pthread_kill(reader, number);
}

/* nohup starts a program like that; blocked, the signal would come to the descriptor all the same.
 */
static bool hangup_is_ignored(void)
{
    struct sigaction action;

    return sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

enum bg_status signals_open(struct signals **out, struct bg_error *err)
{
    const struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    struct signals *signals = memory_zeroed(1, sizeof *signals);

    sigemptyset(&signals->mask);
    for (int i = 0; i < WATCHED; i++) {
        sigaddset(&signals->mask, watched[i]);
    }
    if (hangup_is_ignored()) {
        sigdelset(&signals->mask, SIGHUP);
    }
    signals->fd = signalfd(-1, &signals->mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->fd < 0) {
        free(signals);
        return bg_error_set(err, BG_E_SYSTEM, "signalfd: %s", strerror(errno));
    }
    sigprocmask(SIG_BLOCK, &signals->mask, &signals->old_mask);
    reader = pthread_self();
    for (int i = 0; i < WATCHED; i++) {
        bool is_taken = sigismember(&signals->mask, watched[i]) == 1;

        sigaction(watched[i], is_taken ? &action : NULL, &signals->old_actions[i]);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ,
           SIG_IGN); /* beyond a limit of file sizes (ulimit -f) writing then fails with an error */
    *out = signals;
    return BG_OK;
}

enum bg_status signals_add(struct signals *signals, int number, struct bg_error *err)
{
    sigaddset(&signals->mask, number);
    sigprocmask(SIG_BLOCK, &signals->mask, NULL);
    return signalfd(signals->fd, &signals->mask, SFD_CLOEXEC | SFD_NONBLOCK) >= 0
               ? BG_OK
               : bg_error_set(err, BG_E_SYSTEM, "signalfd: %s", strerror(errno));
}

void signals_close(struct signals *signals)
{
    if (signals == NULL) {
        return;
    }
    while (signals_take(signals) !=
           0) { /* a signal left pending would end the program with another status */
    }
    close(signals->fd);
    for (int i = 0; i < WATCHED; i++) {
        sigaction(watched[i], &signals->old_actions[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
    free(signals);
}

void signals_keep_running(void)
{
    signal(SIGTSTP, SIG_IGN); /* programs that are started have all signals as usual */
}

int signals_fd(const struct signals *signals)
{
    return signals->fd;
}

int signals_take(struct signals *signals)
{
    struct signalfd_siginfo info;

    if (read(signals->fd, &info, sizeof info) != (ssize_t)sizeof info) {
        return 0;
    }
    signals->value =
        info.ssi_code == SI_QUEUE && (pid_t)info.ssi_pid == getppid() ? info.ssi_int : 0;
    return (int)info.ssi_signo;
}

int signals_value(const struct signals *signals)
{
    return signals->value;
}

int signals_exit_status(int number)
{
    return number == SIGHUP ? EXIT_HANGUP : number == SIGINT ? EXIT_INTERRUPT : EXIT_TERMINATE;
}
