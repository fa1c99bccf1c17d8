/* runs.h - the processes of a host's running events: started, ended, and started again.
 *
 * The agenda says which instances are running; runs_follow makes the processes agree with it. A
 * process that fails is started again after 1 s, which doubles up to 5 min and begins anew when one
 * has lived for a minute.
 */
#ifndef REFEREE_HOST_RUNS_H
#define REFEREE_HOST_RUNS_H

#include "agenda.h"
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

/* Lets the games of all processes end (hurry: ends them at once; so it does with those of an event
 * that stores each decision, where they go on later); starts nothing any more. */
void runs_drain(struct runs *runs, bool hurry);

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

#endif
