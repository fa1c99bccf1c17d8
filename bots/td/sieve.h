/* sieve.h - a coarse net that looks only at where the checkers stand, to find the plays of a roll
 * that are worth the full net.
 *
 * Its file is one of weights.h, with the inputs of the game's encoding; those of counts are 0. In
 * memory it is a table: what so many checkers on a slot add to each hidden unit. gnubg has such
 * nets too ("pruning nets").
 */
#ifndef BOTS_TD_SIEVE_H
#define BOTS_TD_SIEVE_H

#include "net.h"

enum { SIEVE_HIDDEN = 32 };

struct sieve;

/* Makes the table from a net with SIEVE_HIDDEN sigmoid units; net is not kept. BG_E_MEMORY;
 * BG_E_CONFIG: the net has other units. The caller destroys it. */
enum bg_status sieve_create(struct sieve **out, const struct net *net,
                            const struct encoding *encoding, struct bg_error *err);
/* NULL does nothing. */
void sieve_destroy(struct sieve *sieve);

/* Leaves only the inputs that the sieve's net sees, for learning. */
void sieve_inputs(struct inputs *inputs, const struct encoding *encoding);

/* A position from which plays of one seat start. */
struct sieve_near {
    const struct sieve *sieve; /* lent */
    struct bg_board board;
    int seat;
    float sum[SIEVE_HIDDEN];
};

void sieve_near_begin(struct sieve_near *out, const struct sieve *sieve,
                      const struct bg_board *board, int seat);
/* Chances after a play of the seat, roughly. They are not made consistent with each other. */
void sieve_chances(float out[NET_OUTPUTS], const struct sieve_near *near,
                   const struct bg_board *board);

#endif
