/* dice_draw.h - the dice of bg_dice_draw (bgref/dice.h) where one pair's key is used for many
 * draws.
 *
 *     struct dice_ahead dice;
 *
 *     dice_ahead_begin(&dice, &pair_key);
 *     dice_ahead_draw(out, 2, &dice, game, BG_STREAM_0, 0);
 *
 * The key is prepared once. Where the processor can hash four messages at once, the next draws of a
 * stream are made together with the one that is asked for. The dice are the same on every machine.
 */
#ifndef SDK_RULES_DICE_DRAW_H
#define SDK_RULES_DICE_DRAW_H

#include <bgref/dice.h>

#include "keyed_hash.h"

enum { DICE_OF_A_ROLL = 4 /* most dice of a draw that is made ahead */ };

struct dice_ahead {
    struct keyed_hash pair;
    struct dice_stream { /* of seats 0 and 1: draws from .. from + count - 1 of game */
        uint64_t game, from;
        int count;
        uint8_t dice[KEYED_HASH_LANES][DICE_OF_A_ROLL];
    } stream[2];
};

void dice_ahead_begin(struct dice_ahead *out, const struct bg_dice_key *pair_key);

/* The dice of bg_dice_draw under the key that dice was begun with; count 1 to DICE_OF_A_ROLL. */
void dice_ahead_draw(uint8_t *out, size_t count, struct dice_ahead *dice, uint64_t game,
                     enum bg_dice_stream stream, uint64_t n);

/* The same without drawing ahead; count may be anything. */
void dice_draw(uint8_t *dice, size_t count, const struct keyed_hash *pair, uint64_t game,
               enum bg_dice_stream stream, uint64_t n);

#endif
