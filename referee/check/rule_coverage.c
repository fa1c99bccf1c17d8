/* A rule matters in a position if some careless play breaks it there. So plays are tried that a
 * careless bot would make: none at all, one checker by one die from everywhere, and a legal play
 * without its last move. */
#include "rule_coverage.h"

#include <string.h>

static void try_play(bool broken[BG_RULE_COUNT], const struct bg_match *match,
                     const struct bg_play *play)
{
    struct bg_board result;

    broken[bg_play_check(&result, match->rules.variant, &match->board, match->need.seat,
                         &match->stage, play)] = true;
}

/* Returns the target slot of a move by number; a checker in hand enters as from the bar. */
static int target(int from, int number)
{
    int point = from == BG_HAND ? BG_BAR : from > BG_HAND ? from - 2 : from;

    point -= number;
    return point <= 0 ? BG_OFF : point > 24 ? point + 2 : point;
}

/* Tries a move of one checker by one number, including bearing off. */
static void try_moves(bool broken[BG_RULE_COUNT], const struct bg_match *match, int number)
{
    for (int from = 1; from < BG_SLOTS; from++) {
        struct bg_play play = {.moves = 1};

        if (match->board.at[match->need.seat][from] == 0) {
            continue;
        }
        play.move[0].from = (uint8_t)from;
        play.move[0].to = (uint8_t)target(from, number);
        try_play(broken, match, &play);
    }
}

uint64_t rule_coverage_find(bool broken[BG_RULE_COUNT], const struct bg_match *match)
{
    static struct bg_play_list list; /* static because it is large; used by one thread only */
    struct bg_play play = {.moves = 0};

    memset(broken, 0, BG_RULE_COUNT * sizeof *broken);
    try_play(broken, match, &play);
    for (int i = 0; i < match->stage.parts; i++) {
        try_moves(broken, match, match->stage.part[i].number);
    }
    bg_play_list(&list, match->rules.variant, &match->board, match->need.seat, &match->stage);
    play = list.play[0];
    if (play.moves > 0) {
        play.moves--;
        try_play(broken, match, &play);
    }
    broken[BG_RULE_NONE] = false;
    return (uint64_t)list.count * (uint64_t)(2 + 8 * match->stage.parts);
}
