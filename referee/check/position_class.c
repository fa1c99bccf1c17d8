/* The classes are those for which known programs load something: an opening book, a race
 * database, a bear-off table. What a bot loads at its first question of a class costs it that
 * question's time in an event. */
#include "position_class.h"

#include <stdio.h>

enum { OPENING, CONTACT, RACE, BEAR_OFF };

static int farthest(const uint8_t at[BG_SLOTS])
{
    int slot = BG_SLOTS - 1;

    while (slot > 0 && at[slot] == 0) {
        slot--;
    }
    return slot;
}

/* In games in which both sides go the same way a race is only something like a race. */
static int phase_of(const struct bg_match *match)
{
    const uint8_t *own = match->board.at[0], *other = match->board.at[1];
    const int far = farthest(own), other_far = farthest(other);
    struct bg_board start;

    bg_variant_setup(&start, match->rules.variant);
    if (bg_board_equal(&start, &match->board)) {
        return OPENING;
    }
    if (own[BG_OFF] > 0 && other[BG_OFF] > 0 && far <= 6 && other_far <= 6) {
        return BEAR_OFF;
    }
    return far + other_far <= BG_POINTS ? RACE : CONTACT;
}

int position_class(const struct bg_match *match)
{
    const enum bg_need_kind kind = match->need.kind;
    const bool by_phase = kind == BG_NEED_PLAY || kind == BG_NEED_DOUBLE || kind == BG_NEED_TAKE;

    return (int)kind * POSITION_PHASES + (by_phase ? phase_of(match) : CONTACT);
}

void position_class_name(char *out, size_t size, int number)
{
    static const char *const phases[POSITION_PHASES] = {"opening", "contact", "race",
                                                        "both sides bearing off"};

    snprintf(out, size, "%s, %s", bg_need_name((enum bg_need_kind)(number / POSITION_PHASES)),
             phases[number % POSITION_PHASES]);
}
