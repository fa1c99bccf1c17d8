/* No side's word is worth more than the other's: after each disagreement the other one is asked,
 * who may have mistyped. After HAND_DISAGREEMENTS of them the game is held for the director, as
 * two who insist do not agree by being asked again. */
#include "hand_dice.h"

#include <string.h>

#include <wire/wire.h>

/* Asks this seat for its own dice first. */
static void begin_part(struct hand_dice *hand, int roller)
{
    hand->roller = hand->asked = roller;
    hand->disagreements = 0;
    hand->said[0] = hand->said[1] = 0;
}

void hand_dice_begin(struct hand_dice *hand, const struct bg_match *match, int seat)
{
    int dice = bg_match_dice(match);

    *hand = (struct hand_dice){.opening = seat < 0, .count = seat < 0 ? dice / 2 : dice};
    begin_part(hand, seat < 0 ? 0 : seat);
}

void hand_dice_ask(struct bg_ask *ask, const struct hand_dice *hand)
{
    ask->kind = BG_DECIDE_DICE;
    memset(&ask->stage, 0, sizeof ask->stage);
    ask->may_raise = false;
    ask->resign_level = ask->refused_level = 0;
    ask->dice = hand->count;
    ask->own_dice = hand->asked == hand->roller;
    ask->opening_dice = hand->opening;
    ask->disagreements = hand->disagreements;
    wire_dice_of_digits(ask->entered, hand->said[1 - hand->asked]);
}

bool hand_dice_are_seen(const struct hand_dice *hand)
{
    bool has_first = hand->opening && hand->roller == 1;

    return hand->count > 0 && (has_first || hand->said[0] != 0 || hand->said[1] != 0);
}

static enum hand_news agree(struct hand_dice *hand, const uint8_t die[WIRE_DICE])
{
    size_t first = hand->opening && hand->roller == 1 ? (size_t)hand->count : 0;

    memcpy(hand->die + first, die, (size_t)hand->count);
    if (hand->opening && hand->roller == 0) {
        begin_part(hand, 1);
        return HAND_ASK;
    }
    return HAND_AGREED;
}

enum hand_news hand_dice_take(struct hand_dice *hand, uint32_t digits)
{
    const int other = 1 - hand->asked;
    uint8_t die[WIRE_DICE];

    if (wire_dice_of_digits(die, digits) != (size_t)hand->count) {
        return HAND_WRONG;
    }
    hand->said[hand->asked] = digits;
    if (hand->said[other] == digits) {
        return agree(hand, die);
    }
    if (hand->asked != hand->roller) {
        hand->disagreements++;
        hand->held = hand->disagreements >= HAND_DISAGREEMENTS;
    }
    hand->asked = other;
    return hand->held ? HAND_HELD : HAND_ASK;
}
