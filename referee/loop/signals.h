/* signals.h - the signals that end a program, read in the loop as any other descriptor.
 *
 * SIGINT, SIGTERM and SIGHUP are blocked and read from a descriptor; SIGPIPE is ignored: a reader
 * that went away is not the end of us. Call signals_open before any thread is made: they inherit
 * what is blocked. A thread that was made before main (by a preloaded library) blocks nothing; what
 * it gets is passed on.
 */
#ifndef REFEREE_LOOP_SIGNALS_H
#define REFEREE_LOOP_SIGNALS_H

#include <bgref/error.h>

struct signals;

/* One at a time in a program. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status signals_open(struct signals **out, struct bg_error *err);
/* As before signals_open, but for SIGPIPE; signals that nobody took are dropped. NULL is fine. */
void signals_close(struct signals *signals);

/* Readable when a signal has come; signals_take takes it: its number, 0 when there is none. */
int signals_fd(const struct signals *signals);
int signals_take(struct signals *signals);

/* The exit status of a program that this signal has ended: 130, 143, 129. */
int signals_exit_status(int number);

#endif
