/* luck.h - the luck of rolls, and results without it.
 *
 * A roll's luck is the value of its best play minus the value before the roll, both from one
 * evaluator, in raw units: points including the cube's value in money play, match-winning chance
 * (MWC, 0..1) in match play. Subtracting luck does not change the expectation of a result, with any
 * evaluator, and removes most of its variance (docs/statistics.md). Pure functions; undefined
 * values are NaN.
 */
#ifndef RESULTS_NUMBERS_LUCK_H
#define RESULTS_NUMBERS_LUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

enum luck_unit { LUCK_POINTS, LUCK_MWC };

/* The same value from the other side's view: -x in points, 1 - x in MWC. */
double luck_other_side(enum luck_unit unit, double value);

/* --- one roll ---------------------------------------------------------------------------- */

enum { LUCK_ROLLS = 21 };

/* Index of a roll in the order 11, 21, 22, 31, 32, 33, ... 66; the dice 1..6 in either order. */
int luck_roll_index(int die, int other);

/* How many of the 36 throws give this roll: 1 for doubles, else 2. */
int luck_roll_weight(int index);

struct luck_roll {
    double before; /* value before the roll, for the rolling side */
    double luck;   /* for the rolling side; above 0 is good luck */
};

/* after[i]: the roller's value after its best play of roll i. All values come from the same
 * evaluator at the same depth, with the cube as it is after the cube decision. NaN: roll i cannot
 * occur (doubles of an opening roll; the starter is taken as given). Returns false and sets both
 * fields to NaN if no roll can occur, or this roll cannot. */
bool luck_of_roll(struct luck_roll *out, const double after[LUCK_ROLLS], int index);

enum { LUCK_THROWS = 56 /* of three dice, in the order of bg_throw_at */ };

/* The same for three dice. */
bool luck_of_throw(struct luck_roll *out, const double after[LUCK_THROWS], int index);

/* Luck of an opening roll that also decides the starter (option `first`): one of 30 equally likely
 * throws. after: values for the starter; other: values for the other side if it had won the same
 * throw. Doubles are ignored. Returns false as luck_of_roll does. */
bool luck_of_opening(struct luck_roll *out, const double after[LUCK_ROLLS],
                     const double other[LUCK_ROLLS], int index, enum luck_unit unit);

/* Returns A's result (points, or 1 and 0) without luck; luck_a and luck_b are each side's luck in
 * its own favour. */
double luck_adjusted(double result_a, double luck_a, double luck_b);

/* --- fair dice ---------------------------------------------------------------------------- */

/* A chi-square over the 21 rolls. Count each roll once: of a duplicate pair count one leg only,
 * because the other leg has the same dice. Do not count opening rolls, because equal dice are
 * thrown again there. */
struct dice_counts {
    uint64_t roll[LUCK_ROLLS]; /* index: luck_roll_index */
};

enum { DICE_TEST_DF = LUCK_ROLLS - 1 };

/* Ignores dice outside 1..6. */
void dice_count(struct dice_counts *counts, int die, int other, uint64_t times);

struct dice_test {
    double rolls;
    double chi2; /* NaN if the rarest roll's expected count is below 5 (180 rolls) */
    double p;    /* probability that fair dice are at least as far off */
};

void dice_test_of(struct dice_test *out, const struct dice_counts *counts);

/* --- a set of games ---------------------------------------------------------------------- */

/* Luck of many rolls, added one by one; all zero is the empty sum. */
struct luck_rolls {
    double rolls, mean, squares; /* squares: sum of squared distances from the mean */
};

void luck_rolls_add(struct luck_rolls *sum, double luck);
void luck_rolls_merge(struct luck_rolls *sum, const struct luck_rolls *more);

/* One game (money) or match (match play): A's result, and how much luck A had over B. */
struct luck_result {
    uint64_t cluster; /* equal for the two legs of a pair; keep a cluster's results adjacent */
    int against;   /* A's opponent: each opponent has its own mean; its results must be adjacent */
    double result; /* A's result: points, or 1 and 0 */
    double luck;   /* A's luck minus B's luck */
    bool has_loss; /* every decision in the game or match is judged */
    double loss;   /* if has_loss: A's errors minus B's errors, in the same unit */
    double error;  /* if has_loss: mean error of both sides' counted decisions, normalised (EMG) */
};

/* Play is strong by the judge's own standard up to this mean error of a decision (30 mEMG). */
#define LUCK_STRONG 0.03

/* A mean with its error from clusters. Each cluster is compared with the mean against its opponent.
 * Interval and LOS use Student's t. */
struct luck_mean {
    double mean, se, ci[2]; /* per game or match; se, ci NaN unless an opponent has two clusters */
    double los;             /* probability that A is better than even: 0 points, 0.5 MWC */
    double sd;              /* standard deviation of single games or matches; NaN below two */
    double df;              /* degrees of freedom of se (Satterthwaite); NaN if se is NaN */
};

/* The same for printing: clips match-winning chances and interval ends to 0..1. The interval is NaN
 * if results have no spread or all of it lies outside 0..1. Do not compute with it. */
struct luck_mean luck_mean_shown(const struct luck_mean *mean, enum luck_unit unit);

struct luck_summary {
    enum luck_unit unit;
    double results, clusters;
    struct luck_mean plain, adjusted;
    struct luck_mean difference; /* adjusted minus plain; los NaN */
    /* The judge against itself: the adjusted result minus the errors that the judge found. It is
     * even (0 points, 0.5 MWC) in every single game if the judge makes no mistakes. This and the
     * fields derived from it are NaN unless all decisions are judged; los is NaN. */
    struct luck_mean itself;
    double own_coefficient; /* coefficient c for the results with their errors given back */
    double own_ratio;       /* their variance divided by the variance of `itself` */
    /* The same over the results of strong play alone (has_loss, and error at most LUCK_STRONG):
     * weak play leads to positions that are hard to value, and its errors are never found exactly.
     */
    struct {
        double results, clusters;
        double coefficient, ratio; /* NaN without two of them */
        double sd;                 /* of the results without luck and errors */
    } strong;
    double coefficient;  /* fitted c in result - c * luck; NaN without luck */
    double ratio;        /* variance of plain results / variance of adjusted ones (c = 1) */
    double ratio_fitted; /* the same with the fitted c */
    double roll_mean[2]; /* luck per roll for A and for B */
    double roll_se[2];
};

/* rolls may be NULL (not known). A variance ratio is NaN if the adjusted results have
 * no spread. */
void luck_summary_of(struct luck_summary *out, enum luck_unit unit,
                     const struct luck_result *result, size_t count,
                     const struct luck_rolls rolls[2]);

/* Health of a judged set. Unknown values, and sets with fewer than LUCK_CLUSTERS clusters, raise no
 * warning. The first two are alarms, the others advice. */
enum { LUCK_CLUSTERS = 30 };

enum luck_health {
    LUCK_HEALTHY = 0,
    LUCK_ROLLS_BIASED = 1,  /* mean luck per roll beyond 3 SE: rare luck, or wrong dice, weights or
                               bookkeeping */
    LUCK_RESULTS_APART = 2, /* adjusted and plain results differ by more than 3 SE: likewise */
    LUCK_JUDGE_WEAK =
        4,              /* in LUCK_CLUSTERS clusters of strong play or more, with errors given back,
                           c is outside 0.8..1.2 or the variance falls by less than a factor of 3 */
    LUCK_SCALE_OFF = 8, /* likewise c is outside 0.9..1.1: other stakes or cube */
    LUCK_UNCLEAR = 16   /* these games do not show how good the judge is: there is not enough strong
                           play, and c is outside 0.8..1.2 or the variance falls by less than a
                           factor of 3, as weak play causes too */
};

/* p after Holm: the share of tables like this one in which honest dice give such a row or a worse
 * one; NaN: not looked at (fewer than LUCK_CLUSTERS clusters). */
struct luck_checked {
    unsigned warnings; /* of enum luck_health */
    double rolls_p, apart_p;
};

/* Fills in the warnings for each of `count` rows that are printed together; the limit of 3 SE is
 * corrected by Holm for that number of rows. sides: 2 checks the luck of both sides of a row; 1
 * checks only the row's own side (the other side has its own row). */
void luck_health_of(struct luck_checked *out, const struct luck_summary *const *rows, size_t count,
                    int sides);

#endif
