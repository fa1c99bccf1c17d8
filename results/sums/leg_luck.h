/* leg_luck.h - the luck of a leg, a money game or a match, and the one rule of what counts: a leg
 * counts when every game of it is judged, and not before.
 *
 *     status = leg_luck_add(&leg, game_number, &judged, err);    in any order
 *     if (leg_luck_is_whole(&leg, games)) { ... leg.luck ... }
 *     leg_luck_deinit(&leg);
 */
#ifndef RESULTS_SUMS_LEG_LUCK_H
#define RESULTS_SUMS_LEG_LUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

/* What a judge found in one game. */
struct leg_luck_game {
    double luck, loss; /* of A minus that of B: luck, what was given away */
    bool has_loss;     /* its choices are judged too */
};

/* Zeroed: nothing is judged. */
struct leg_luck {
    int games;         /* judged, each counted once */
    double luck, loss; /* over them */
    bool lacks_loss;   /* some are judged without their choices */
    uint8_t *seen;     /* owned; a bit for each game that was judged */
    size_t seen_bytes;
};

/* Game number `game` of the leg is judged; nothing where it was before. BG_E_MEMORY. */
enum bg_status leg_luck_add(struct leg_luck *leg, int game, const struct leg_luck_game *judged,
                            struct bg_error *err);

/* Whether all of these games are judged: those of the whole leg, which is over. */
bool leg_luck_is_whole(const struct leg_luck *leg, int games);

/* For another leg: nothing is judged; keeps its memory. */
void leg_luck_clear(struct leg_luck *leg);
/* No game of it is judged any more: frees what only leg_luck_add needs; the sums stay. */
void leg_luck_close(struct leg_luck *leg);
void leg_luck_deinit(struct leg_luck *leg);

#endif
