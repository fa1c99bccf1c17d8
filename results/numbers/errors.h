/* errors.h - error rates of a side: the equity it lost per decision.
 *
 * The error of a decision is the value of the best choice minus the value of the choice made, at
 * least 0, in normalised equity (cube 1, EMG). It depends on the analysing engine: use it for
 * diagnosis, never for ranking. Pure; undefined values are NaN.
 */
#ifndef RESULTS_NUMBERS_ERRORS_H
#define RESULTS_NUMBERS_ERRORS_H

#include <stdbool.h>

enum errors_kind {
    ERRORS_MOVE,     /* a checker play */
    ERRORS_NODOUBLE, /* rolled although a double was allowed */
    ERRORS_DOUBLE,
    ERRORS_TAKE,
    ERRORS_DROP
};

struct errors_decision {
    enum errors_kind kind;
    bool forced; /* no choice (a checker play: one final position) */
    bool close;  /* NODOUBLE: see errors_is_close */
    double error;
};

/* Whether rolling on was a real decision: the equity of not doubling is within 0.16 of a double
 * with its best reply. */
bool errors_is_close(double no_double, double double_take, double double_drop);

/* Whether the decision counts in the number of decisions. */
bool errors_is_counted(const struct errors_decision *decision);

/* Sums for one side; all zero is the empty sum. */
struct errors_sum {
    double counted, error; /* decisions counted, and the equity they lost */
    double moves;          /* checker plays, including forced ones */
};

void errors_add(struct errors_sum *sum, const struct errors_decision *decision);
/* The same for a decision of which is known whether it counts; only then its error does. */
void errors_count(struct errors_sum *sum, bool is_move, bool is_counted, double error);

/* How bad an error is, in words that players know: from 0.02, 0.04 and 0.08 on. */
enum errors_mark { ERRORS_NONE, ERRORS_DOUBTFUL, ERRORS_ERROR, ERRORS_BLUNDER };

enum errors_mark errors_mark_of(double error);
const char *errors_mark_word(enum errors_mark mark); /* "blunder"; "": none */

struct errors_rates {
    double milli;  /* thousandths of a point per counted decision (mEMG) */
    double pr;     /* performance rating: half of milli */
    double snowie; /* thousandths per checker play of both sides */
};

struct errors_rates errors_rates_of(const struct errors_sum *own, const struct errors_sum *other);

#endif
