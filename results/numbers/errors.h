/* errors.h - error rates of a side: what it gave away per decision.
 *
 * The error of a decision is the value of the best choice minus that of the chosen one, at least 0,
 * in normalised (cube 1, EMG) equity. It depends on who analysed: a diagnosis, never a ranking.
 * Pure; what is not defined is NaN.
 */
#ifndef RESULTS_NUMBERS_ERRORS_H
#define RESULTS_NUMBERS_ERRORS_H

#include <stdbool.h>

enum errors_kind {
    ERRORS_MOVE,     /* a checker play */
    ERRORS_NODOUBLE, /* rolled where a double was allowed */
    ERRORS_DOUBLE,
    ERRORS_TAKE,
    ERRORS_DROP
};

/* "move", "nodouble", "double", "take", "drop". */
const char *errors_kind_name(enum errors_kind kind);

struct errors_decision {
    enum errors_kind kind;
    bool forced; /* there was no choice (a checker play: one final position) */
    bool close;  /* NODOUBLE: see errors_is_close */
    double error;
};

/* Whether rolling on was worth a thought: no double within 0.16 of a double with its best reply. */
bool errors_is_close(double no_double, double double_take, double double_drop);

/* Whether the decision enters the number of decisions. */
bool errors_is_counted(const struct errors_decision *decision);

/* Sums of one side; zeroed is none. */
struct errors_sum {
    double counted, error; /* decisions counted, what they gave away */
    double moves;          /* checker plays, forced ones too */
};

void errors_add(struct errors_sum *sum, const struct errors_decision *decision);

struct errors_rates {
    double milli;  /* thousandths of a point a counted decision (mEMG) */
    double pr;     /* performance rating: half of that */
    double snowie; /* thousandths a checker play of both sides */
};

struct errors_rates errors_rates_of(const struct errors_sum *own, const struct errors_sum *other);

#endif
