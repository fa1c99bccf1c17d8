/* witness.h - what the processes of a simulated world know: whether one was asked in a leg while a
 * process lived that had been asked in the other leg of the same pair. */
#ifndef SIM_WITNESS_H
#define SIM_WITNESS_H

#include <bgref/dice.h>

#include "config/config.h"

/* Begins to observe an event; key: its dice key. */
void witness_begin(const struct config_event *event, const struct bg_dice_key *key);
void witness_end(void);

/* A run begins; processes are counted from 0 again. */
void witness_new_run(void);

/* Process number `process` is asked in the game with this alias; the processes below `processes`
 * for which is_alive is true exist. */
void witness_ask(int process, const char *game, int processes, bool (*is_alive)(int process));

/* How often a process was asked while another one, or the same, knew the rolls; since
 * witness_begin. */
uint64_t witness_betrayals(void);
/* How often all processes of a run had ended and then one was asked. */
uint64_t witness_generations(void);
/* Games that are not in the event. */
uint64_t witness_unknown_games(void);

#endif
