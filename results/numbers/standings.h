/* standings.h - ranks by the announced rule: the score, then the criteria in their order, then a
 * shared rank. Pure; luck and ratings do not count.
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
    STANDINGS_NONE,       /* the score alone decides, or nothing does */
    STANDINGS_DIRECT,     /* score within the group, if every two of its members have met */
    STANDINGS_SB,         /* Sonneborn-Berger: points scored times that opponent's score */
    STANDINGS_WINS,       /* opponents beaten */
    STANDINGS_DIFFERENCE, /* points of all games, own minus the opponents' */
    STANDINGS_BUCHHOLZ    /* sum of the opponents' scores, once a row of the encounters */
};

/* The announced order of criteria. Round robins: standings_usual; Swiss events: standings_swiss. */
struct standings_order {
    int count;
    enum standings_criterion criterion[5];
};

extern const struct standings_order standings_usual; /* direct, sb, wins, diff */
extern const struct standings_order standings_swiss; /* buchholz, direct, sb */

struct standings_row {
    int player;
    int rank; /* from 1; the next rank after a shared one skips */
    bool shared;
    double score, sb, difference, buchholz;
    double share;                      /* score a leg; NaN when ranks are by score */
    int wins;                          /* opponents beaten */
    enum standings_criterion tiebreak; /* the last criterion that split its group */
};

/* rows[0..players-1], best first, by the usual order. */
void standings_of(struct standings_row *rows, int players,
                  const struct standings_encounter *encounters, size_t count);

/* The same for players with unequal numbers of legs, legs[k] in encounter k (matches, or money
 * games). Ranks by score per leg instead of score, also in direct encounters; Sonneborn-Berger uses
 * the opponents' scores per leg; the point difference is per leg. A player without legs has share
 * 0. */
void standings_by_share(struct standings_row *rows, int players,
                        const struct standings_encounter *encounters, const double *legs,
                        size_t count);

/* The same by an announced order. granted[player] is added to the scores: points without an
 * opponent, as of a bye; NULL: none. */
void standings_in_order(struct standings_row *rows, int players,
                        const struct standings_encounter *encounters, size_t count,
                        const double *granted, const struct standings_order *order);

/* "direct", "sb", "wins", "diff", "buchholz"; NULL for none. */
const char *standings_criterion_name(enum standings_criterion criterion);

#endif
