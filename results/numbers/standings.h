/* standings.h - ranks by the announced rule: score, direct encounter, Sonneborn-Berger, opponents
 * beaten, point difference, shared rank. Pure; luck and ratings have no say.
 */
#ifndef RESULTS_NUMBERS_STANDINGS_H
#define RESULTS_NUMBERS_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

/* Results between two players; several rows may name the same two and are added. */
struct standings_encounter {
    int a, b;
    double score_a, score_b; /* matches won; money: net points of each */
    double difference;       /* points of a minus points of b over all games */
};

enum standings_criterion {
    STANDINGS_NONE, /* the score alone decides, or nothing does */
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
    double share;                      /* score a leg; NaN when ranks are by score */
    int wins;                          /* opponents beaten */
    enum standings_criterion tiebreak; /* the last criterion that split its group */
};

/* rows[0..players-1], best first. BG_E_MEMORY. */
enum bg_status standings_of(struct standings_row *rows, int players,
                            const struct standings_encounter *encounters, size_t count,
                            struct bg_error *err);

/* The same where players have played unequal numbers, legs[k] in encounter k (matches, or money
 * games): ranks by score a leg instead of score, in direct encounters likewise, Sonneborn-Berger
 * with the opponents' scores a leg, and the point difference a leg. A player without legs has share
 * 0. */
enum bg_status standings_by_share(struct standings_row *rows, int players,
                                  const struct standings_encounter *encounters, const double *legs,
                                  size_t count, struct bg_error *err);

/* "direct", "sb", "wins", "diff"; NULL for none. */
const char *standings_criterion_name(enum standings_criterion criterion);

#endif
