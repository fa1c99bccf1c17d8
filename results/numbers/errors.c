/* Rates are quotients of sums and not means of games: a short game has few decisions, and its
 * rate would count as much as a long one's. */
#include "errors.h"

#include <math.h>

/* A convention; other programs use other limits, so their rates can differ by a few tenths. */
static const double CLOSE = 0.16;

bool errors_is_close(double no_double, double double_take, double double_drop)
{
    return fabs(no_double - fmin(double_take, double_drop)) < CLOSE;
}

bool errors_is_counted(const struct errors_decision *decision)
{
    if (decision->forced) {
        return false;
    }
    return decision->kind != ERRORS_NODOUBLE || decision->close || decision->error > 0;
}

void errors_add(struct errors_sum *sum, const struct errors_decision *decision)
{
    errors_count(sum, decision->kind == ERRORS_MOVE, errors_is_counted(decision), decision->error);
}

void errors_count(struct errors_sum *sum, bool is_move, bool is_counted, double error)
{
    sum->moves += is_move;
    if (is_counted) {
        sum->counted++;
        sum->error += error;
    }
}

enum errors_mark errors_mark_of(double error)
{
    return error >= 0.08   ? ERRORS_BLUNDER
           : error >= 0.04 ? ERRORS_ERROR
           : error >= 0.02 ? ERRORS_DOUBTFUL
                           : ERRORS_NONE;
}

const char *errors_mark_word(enum errors_mark mark)
{
    static const char *const words[] = {"", "doubtful", "error", "blunder"};

    return words[mark];
}

struct errors_rates errors_rates_of(const struct errors_sum *own, const struct errors_sum *other)
{
    double moves = own->moves + other->moves;

    return (struct errors_rates){
        .milli = own->counted > 0 ? 1000 * own->error / own->counted : NAN,
        .pr = own->counted > 0 ? 500 * own->error / own->counted : NAN,
        .snowie = moves > 0 ? 1000 * own->error / moves : NAN,
    };
}
