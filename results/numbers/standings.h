/* standings.h - ranks by the announced rule: score, direct encounter, Sonneborn-Berger, opponents
 * beaten, point difference, shared rank. Pure; luck and ratings are not used.
 */
#ifndef RESULTS_NUMBERS_STANDINGS_H
#define RESULTS_NUMBERS_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

/* Results between two players; rows with the same two players are added. */
struct standings_encounter {
    int a, b;
    double score_a, score_b; /* matches won; money: each player's net points */
    double difference;       /* a's points minus b's points over all games */
};

enum standings_criterion {
    STANDINGS_NONE, /* no criterion: the score alone decided, or the rank is shared */
    STANDINGS_DIRECT,
    STANDINGS_SB,
    STANDINGS_WINS,
    STANDINGS_DIFFERENCE
};

struct standings_row {
    int player;
    int rank; /* from 1; the next rank after a shared one skips */
    bool shared;
    double score, sb, difference;
    double share;                      /* score per leg; NaN if ranks are by score */
    int wins;                          /* opponents beaten */
    enum standings_criterion tiebreak; /* the last criterion that split its group */
};

/* Fills rows[0..players-1], best first. BG_E_MEMORY. */
enum bg_status standings_of(struct standings_row *rows, int players,
                            const struct standings_encounter *encounters, size_t count,
                            struct bg_error *err);

/* The same for players with unequal numbers of legs, legs[k] in encounter k (matches, or money
 * games). Ranks by score per leg instead of score, also in direct encounters; Sonneborn-Berger uses
 * the opponents' scores per leg; the point difference is per leg. A player without legs has share
 * 0. */
enum bg_status standings_by_share(struct standings_row *rows, int players,
                                  const struct standings_encounter *encounters, const double *legs,
                                  size_t count, struct bg_error *err);

/* "direct", "sb", "wins", "diff"; NULL for none. */
const char *standings_criterion_name(enum standings_criterion criterion);

#endif
