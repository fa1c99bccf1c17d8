/* leg_luck.h - the luck of a leg (a money game or a match). A leg counts only once all its games
 * are judged; this rule is only here.
 *
 *     leg_luck_add(&leg, game_number, &judged);    in any order
 *     if (leg_luck_is_whole(&leg, games)) { ... leg.luck ... }
 *     leg_luck_deinit(&leg);
 */
#ifndef RESULTS_SUMS_LEG_LUCK_H
#define RESULTS_SUMS_LEG_LUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A judge's result for one game. */
struct leg_luck_game {
    double luck, loss; /* A's minus B's: luck, and what errors cost */
    bool has_loss;     /* its choices are judged too */
};

/* All zero: no game is judged. */
struct leg_luck {
    int games;         /* judged games, each counted once */
    double luck, loss; /* sums over these games */
    bool lacks_loss;   /* some of them are judged without their choices */
    uint8_t *seen;     /* owned; one bit for each judged game */
    size_t seen_bytes;
};

/* Counts game number `game` of the leg as judged; ignores a game counted before. */
void leg_luck_add(struct leg_luck *leg, int game, const struct leg_luck_game *judged);

/* Whether all games are judged; games: number of games of the finished leg. */
bool leg_luck_is_whole(const struct leg_luck *leg, int games);

/* Empties it for another leg; keeps its memory. */
void leg_luck_clear(struct leg_luck *leg);
/* Call when no more games will be added: frees what only leg_luck_add needs; the sums stay. */
void leg_luck_close(struct leg_luck *leg);
void leg_luck_deinit(struct leg_luck *leg);

#endif
