/* dice_draw.h - the dice of bg_dice_draw (bgref/dice.h) where one pair's key is used for many
 * draws: half the work.
 *
 *     keyed_hash_begin(&pair, pair_key.bytes);
 *     dice_draw(dice, 2, &pair, game, BG_STREAM_0, 0);
 */
#ifndef SDK_RULES_DICE_DRAW_H
#define SDK_RULES_DICE_DRAW_H

#include <bgref/dice.h>

#include "keyed_hash.h"

void dice_draw(uint8_t *dice, size_t count, const struct keyed_hash *pair, uint64_t game,
               enum bg_dice_stream stream, uint64_t n);

#endif
