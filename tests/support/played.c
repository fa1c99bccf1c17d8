#include "played.h"

#include <check.h>
#include <stdio.h>

struct store_game played_game(char id[BG_GAME_ID], const struct played *row, int length_points)
{
    struct store_game game = {
        .id = id,
        .a = (char *)(size_t)row->a, /* lent; a store_game owns its names only inside the store */
        .b = (char *)(size_t)row->b,
        .pair = row->pair,
        .leg = row->leg,
        .game = row->game,
        .length_points = length_points,
        .winner = row->winner,
        .points = row->points,
        .level = row->level,
        .end = row->fault != BG_FAULT_NONE ? BG_END_FAULT
               : row->winner < 0           ? BG_END_DEAD
                                           : BG_END_OFF,
        .fault = row->fault,
        .turns = 50,
        .match_over = length_points == 0 || row->over,
        .match_winner = length_points == 0 ? row->winner
                        : row->over        ? row->match_winner
                                           : -1,
    };

    snprintf(id, BG_GAME_ID, "%s|%s|%llu|%d|%d", row->a, row->b, (unsigned long long)row->pair,
             row->leg, row->game);
    return game;
}

void played_add(struct tally *tally, const struct played *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char id[BG_GAME_ID];
        struct store_game game = played_game(id, &rows[i], tally->length_points);
        struct bg_error err = {0};

        ck_assert_msg(tally_add_game(tally, &game, &err) == BG_OK, "%s", err.text);
    }
}
