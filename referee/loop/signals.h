/* signals.h - the signals that end a program, read in the loop like any other descriptor.
 *
 * SIGINT, SIGTERM and SIGHUP are blocked and read from a descriptor. A SIGHUP that is ignored when
 * the program starts (nohup) stays ignored, unless signals_add asks for it. SIGPIPE is ignored: the
 * program must not end because a reader is gone. Call signals_open before any thread is made:
 * threads inherit the blocked signals. A thread that a preloaded library made before main does not
 * block them; its handler forwards such signals.
 */
#ifndef REFEREE_LOOP_SIGNALS_H
#define REFEREE_LOOP_SIGNALS_H

#include <bgref/error.h>

struct signals;

/* At most one may exist in a program. BG_E_SYSTEM. */
enum bg_status signals_open(struct signals **out, struct bg_error *err);
/* Restores the state before signals_open, except for SIGPIPE; drops pending signals. NULL is
 * fine. */
void signals_close(struct signals *signals);

/* Another signal is read too: it means nothing but what the caller makes of it. A program that is
 * started with this signal blocked misses none. BG_E_SYSTEM. */
enum bg_status signals_add(struct signals *signals, int number, struct bg_error *err);

/* From now on Ctrl-Z does not stop this program: a seat in this terminal is a process of its own,
 * and would go on reading what is typed for the shell. */
void signals_keep_running(void);

/* Readable when a signal has come; signals_take returns its number, 0 if there is none. */
int signals_fd(const struct signals *signals);
int signals_take(struct signals *signals);
/* The number that the program that started this one sent with the last signal taken (sigqueue);
 * 0: none, or another program did. */
int signals_value(const struct signals *signals);

/* Returns the exit status of a program that this signal ended: 130, 143, 129. */
int signals_exit_status(int number);

#endif
