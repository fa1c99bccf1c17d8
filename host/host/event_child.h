/* event_child.h - a process of a host: this program with another command, as 'bgref tournament
 * EVENT.yaml' for a running event.
 *
 * What it prints goes to a file. It is in a process group of its own, and ends (SIGKILL) with the
 * host, however that ends; the event is then continued as after any kill.
 */
#ifndef HOST_HOST_EVENT_CHILD_H
#define HOST_HOST_EVENT_CHILD_H

#include <sys/types.h>

#include "calendar/agenda.h"
#include "event/tournament.h"
#include "loop/loop.h"

/* All is lent for the call. */
struct event_child_setup {
    const char *const *words; /* of the command, with the program's name */
    int count;
    const char *log; /* file to which it prints */
    int lent;        /* a descriptor that it inherits under this number; -1: none */
    int nice;        /* added to the host's niceness */
};

struct event_child;

/* The process has ended; state: as waitpid returns it. child may be closed here. */
typedef void (*event_child_fn)(void *user, struct event_child *child, int state);

/* loop and user are lent. BG_E_SYSTEM. */
enum bg_status event_child_start(struct event_child **out, const struct event_child_setup *setup,
                                 struct loop *loop, event_child_fn ended, void *user,
                                 struct bg_error *err);
/* Kills the process if it has not ended, and waits for it. NULL is fine. */
void event_child_close(struct event_child *child);

pid_t event_child_pid(const struct event_child *child);
/* Its first SIGTERM lets running games end, the next one ends it at once. */
void event_child_signal(const struct event_child *child, int number);
/* SIGTERM that says why. */
void event_child_end(const struct event_child *child, enum tournament_end why);

#endif
