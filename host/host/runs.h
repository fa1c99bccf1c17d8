/* runs.h - the processes of a host's running events: started, ended, and started again.
 *
 * The agenda says which instances are running; runs_follow makes the processes agree with it. A
 * process that fails is started again after 1 s, which doubles up to 5 min and begins anew when one
 * has lived for a minute.
 */
#ifndef HOST_HOST_RUNS_H
#define HOST_HOST_RUNS_H

#include "calendar/agenda.h"
#include "host_config.h"
#include "loop/loop.h"

struct host_door;
struct run; /* one event's process, or the wait for its next one */

/* The run of this instance has come to its end: next is the state that follows, why says more. */
typedef void (*runs_fn)(void *user, const char *instance, enum life next, const char *why);
/* Something that people want to read. */
typedef void (*runs_say_fn)(void *user, const char *instance, const char *text);

struct runs {
    const struct host_config *config; /* lent, like these */
    const struct agenda *agenda;
    const char *gallery;    /* socket of the host's pages; NULL: none */
    struct host_door *door; /* NULL: each event has its own */
    struct loop *loop;
    runs_fn over;
    runs_say_fn say;
    void (*empty)(void *user); /* draining, and the last process has ended */
    void *user;
    struct run *first; /* owned */
    bool draining;     /* nothing is started any more */
    bool lost;         /* games of a process were cut off */
};

/* Starts what is to run, ends what is not. */
void runs_follow(struct runs *runs);

/* Lets the games of all processes end, and starts nothing any more. Games of an event that stores
 * each decision are not waited for: they go on later. RUNS_FINISH: all running matches are. May be
 * called again to end what is left at once. */
enum runs_end { RUNS_FINISH, RUNS_END, RUNS_AT_ONCE };
void runs_drain(struct runs *runs, enum runs_end how);

/* Whether such an end has games to wait for. */
bool runs_have_games(const struct runs *runs, enum runs_end how);

/* The cause of its failures is gone: it is started at once, if it waits for its next start. */
void runs_try_again(struct runs *runs, const char *instance);

/* Kills the instance's process, which is stuck; it is started again. */
void runs_kill(const struct runs *runs, const char *instance);

/* Kills what is left. */
void runs_deinit(struct runs *runs);

/* Returns the pid of the instance's process, 0 if it has none; *wait: why, for people. */
int runs_pid(const struct runs *runs, const char *instance, const char **wait);

/* Returns the file with the numbers of the instance, which has a process. Lent. */
const char *runs_metrics(const struct runs *runs, const char *instance);

/* Returns the results of the instance, which is running; NULL: it is not. Lent. */
const char *runs_results(const struct runs *runs, const char *instance);

/* Writes where the results of an event's instance are, running or not. False: too long a name. */
bool runs_results_of(char out[HOST_PATH], const struct runs *runs, const char *event,
                     const char *instance);

#endif
