/* luck.h - the luck of rolls, and results without it.
 *
 * A roll's luck is what the best play of the roll is worth minus what the roll was worth before it
 * was thrown, both by one evaluator, in raw units: points with the cube's value in money play,
 * match-winning chance (MWC, 0..1) in match play. Subtracting luck leaves the expectation of a
 * result as it is, whatever the evaluator, and most of its variance goes (docs/statistics.md).
 * Pure functions; what is not defined is NaN.
 */
#ifndef LUCK_H
#define LUCK_H

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

/* One game (money) or match (match play): what A got and how much luck A had over B. */
struct luck_result {
    uint64_t cluster; /* equal for the two legs of a pair; results come with clusters together */
    double result;    /* of A: points, or 1 and 0 */
    double luck;      /* luck of A minus luck of B */
};

/* A mean with its error from clusters. */
struct luck_mean {
    double mean, se, ci[2]; /* a game or match; se and ci NaN below two clusters */
    double los;             /* chance that A is better than even: 0 points, 0.5 MWC */
    double sd;              /* of single games or matches; NaN below two */
};

struct luck_summary {
    enum luck_unit unit;
    double results, clusters;
    struct luck_mean plain, adjusted;
    struct luck_mean difference; /* adjusted minus plain; los NaN */
    double coefficient;          /* fitted c of result - c * luck; NaN without any luck */
    double ratio;                /* variance of plain results / of adjusted ones (c = 1) */
    double ratio_fitted;         /* the same with the fitted c */
    double roll_mean[2];         /* luck per roll of A, of B */
    double roll_se[2];
};

/* BG_E_MEMORY. rolls may be NULL: not known. A variance ratio is NaN where the adjusted results
 * have no spread. */
enum bg_status luck_summary_of(struct luck_summary *out, enum luck_unit unit,
                               const struct luck_result *result, size_t count,
                               const struct luck_rolls rolls[2], struct bg_error *err);

/* Health of a judged set. What is not known is not held against it. */
enum luck_health {
    LUCK_HEALTHY = 0,
    LUCK_ROLLS_BIASED = 1,  /* mean luck per roll beyond 3 SE: dice, weights or bookkeeping */
    LUCK_RESULTS_APART = 2, /* adjusted and plain beyond 3 SE of their difference: trust neither */
    LUCK_JUDGE_WEAK = 4,    /* c outside 0.8..1.2, or less than 3 times smaller variance */
    LUCK_SCALE_OFF = 8      /* c outside 0.9..1.1: the judge sees other stakes or another cube */
};

/* Any of the above together. */
unsigned luck_health_of(const struct luck_summary *summary);

#endif
