/* played.h - finished games for tallies, written as rows of a table.
 */
#ifndef PLAYED_H
#define PLAYED_H

#include <sums/tally.h>

/* One game; length is the event's. over, match_winner: match play only. */
struct played {
    const char *a, *b;
    uint64_t pair;
    int leg, game;
    int winner; /* 0 a, 1 b, -1 drawn */
    int64_t points;
    int level;
    bool over;
    int match_winner;
    enum bg_fault fault; /* the loser's; NONE: the game ended without a fault */
};

/* Makes a store's view of a row; its id lies in `id`. Nothing to free. */
struct store_game played_game(char id[BG_GAME_ID], const struct played *row, int length_points);

/* Adds rows; fails the running test if one is refused. */
void played_add(struct tally *tally, const struct played *rows, size_t count);

#endif
