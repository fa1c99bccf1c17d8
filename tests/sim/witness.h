/* witness.h - what the bots of a simulated world know: whether one was asked in a game whose dice
 * had been shown in an earlier run. */
#ifndef SIM_WITNESS_H
#define SIM_WITNESS_H

#include <stdint.h>

/* Begins to observe an event, or ends it. */
void witness_begin(void);
void witness_end(void);

/* A run begins. */
void witness_new_run(void);

/* A process is asked in the game with this alias. */
void witness_ask(const char *game);

/* How many games were asked about in more than one run; since witness_begin. */
uint64_t witness_betrayals(void);

#endif
