/* luck.h - the luck of rolls, and results without it.
 *
 * A roll's luck is what the best play of the roll is worth minus what the roll was worth before it
 * was thrown, both by one evaluator, in raw units: points with the cube's value in money play,
 * match-winning chance (MWC, 0..1) in match play. Subtracting luck leaves the expectation of a
 * result as it is, whatever the evaluator, and most of its variance goes (docs/statistics.md).
 * Pure functions; what is not defined is NaN.
 */
#ifndef RESULTS_NUMBERS_LUCK_H
#define RESULTS_NUMBERS_LUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

enum luck_unit { LUCK_POINTS, LUCK_MWC };

/* What the other side sees: -x in points, 1 - x in MWC. */
double luck_other_side(enum luck_unit unit, double value);

/* --- one roll ---------------------------------------------------------------------------- */

enum { LUCK_ROLLS = 21 };

/* Place of a roll in the order 11, 21, 22, 31, 32, 33, ... 66; the dice 1..6 in either order. */
int luck_roll_index(int die, int other);

/* How many of the 36 throws are this roll: 1 for doubles, else 2. */
int luck_roll_weight(int index);

struct luck_roll {
    double before; /* value before the roll, to the side that rolls */
    double luck;   /* of that side, in its favour when above 0 */
};

/* after[i]: value to the roller after its best play of roll i, all by the same evaluator at the
 * same depth and with the cube as it stands after the cube decision; NaN: roll i cannot occur (the
 * doubles of an opening roll, whose starter is taken as given). False, and both NaN: no roll can
 * occur, or not this one. */
bool luck_of_roll(struct luck_roll *out, const double after[LUCK_ROLLS], int index);

/* The opening roll where it decides the starter as well (option `first`): one of 30 equally likely
 * throws. after: values to the starter, other: values to the other side had it won the same throw;
 * doubles are not looked at. False as above. */
bool luck_of_opening(struct luck_roll *out, const double after[LUCK_ROLLS],
                     const double other[LUCK_ROLLS], int index, enum luck_unit unit);

/* A's result (points, or 1 and 0) without luck; the luck of each side in that side's favour. */
double luck_adjusted(double result_a, double luck_a, double luck_b);

/* --- a set of games ---------------------------------------------------------------------- */

/* Luck of many rolls, added one by one; zeroed is none. */
struct luck_rolls {
    double rolls, mean, squares; /* squares: about the mean */
};

void luck_rolls_add(struct luck_rolls *sum, double luck);
void luck_rolls_merge(struct luck_rolls *sum, const struct luck_rolls *more);

/* One game (money) or match (match play): what A got and how much luck A had over B. */
struct luck_result {
    uint64_t cluster; /* equal for the two legs of a pair; results come with clusters together */
    int against;      /* of A: each opponent has a mean of its own; they come together */
    double result;    /* of A: points, or 1 and 0 */
    double luck;      /* luck of A minus luck of B */
    bool has_loss;    /* every decision in it is judged */
    double loss; /* then: what A gave away by errors minus what B gave away, in the same unit */
};

/* A mean with its error from clusters, each about the mean against its opponent. Interval and LOS
 * are Student's. */
struct luck_mean {
    double mean, se, ci[2]; /* a game or match; se and ci NaN without two clusters of an opponent */
    double los;             /* chance that A is better than even: 0 points, 0.5 MWC */
    double sd;              /* of single games or matches; NaN below two */
    double df;              /* degrees of freedom of se (Satterthwaite); NaN like it */
};

/* The same for people: chances to win a match and the ends of their intervals within 0 to 1, and no
 * interval (NaN) where results have no spread, or all of it lies outside. Nothing is computed from
 * it. */
struct luck_mean luck_mean_shown(const struct luck_mean *mean, enum luck_unit unit);

struct luck_summary {
    enum luck_unit unit;
    double results, clusters;
    struct luck_mean plain, adjusted;
    struct luck_mean difference; /* adjusted minus plain; los NaN */
    /* The judge against itself: the adjusted result minus what the errors that it found explain.
     * Even (0 points, 0.5 MWC) in every single game if the judge makes no mistakes. NaN, like what
     * follows of it, unless all decisions are judged; los NaN. */
    struct luck_mean itself;
    double own_coefficient; /* c of the results with their errors given back */
    double own_ratio;       /* variance of those over that of `itself` */
    double coefficient;     /* fitted c of result - c * luck; NaN without any luck */
    double ratio;           /* variance of plain results / of adjusted ones (c = 1) */
    double ratio_fitted;    /* the same with the fitted c */
    double roll_mean[2];    /* luck per roll of A, of B */
    double roll_se[2];
};

/* BG_E_MEMORY. rolls may be NULL: not known. A variance ratio is NaN where the adjusted results
 * have no spread. */
enum bg_status luck_summary_of(struct luck_summary *out, enum luck_unit unit,
                               const struct luck_result *result, size_t count,
                               const struct luck_rolls rolls[2], struct bg_error *err);

/* Health of a judged set. What is not known, and what fewer than LUCK_CLUSTERS clusters say, is not
 * held against it. The first two are alarms, the others advice. */
enum { LUCK_CLUSTERS = 30 };

enum luck_health {
    LUCK_HEALTHY = 0,
    LUCK_ROLLS_BIASED = 1,  /* mean luck per roll beyond 3 SE: dice, weights or bookkeeping */
    LUCK_RESULTS_APART = 2, /* adjusted and plain beyond 3 SE of their difference: trust neither */
    LUCK_JUDGE_WEAK = 4,    /* all decisions are judged, and without their errors c is outside
                               0.8..1.2 or the variance less than 3 times smaller */
    LUCK_SCALE_OFF = 8,     /* likewise, c outside 0.9..1.1: other stakes or another cube */
    LUCK_UNCLEAR = 16       /* decisions are not judged, and c is outside 0.8..1.2 or the variance
                               less than 3 times smaller: a weak judge, or weak play */
};

/* Any of the above together, of each of `count` rows that are looked at together: the limit of 3 SE
 * is Holm's for that many rows. sides: 2 where the luck of both sides of a row is looked at, 1
 * where that of its own side is (the other side has a row of its own). BG_E_MEMORY. */
enum bg_status luck_health_of(unsigned *out, const struct luck_summary *const *rows, size_t count,
                              int sides, struct bg_error *err);

#endif
