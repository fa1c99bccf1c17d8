/* Error rates of decisions. */
#include <numbers/errors.h>

#include <math.h>

#include "support/vector.h"
#include "support/suite.h"

static const struct {
    const char *name;
    struct errors_decision decision;
    bool counted;
} decisions[] = {
    {"a play among others", {ERRORS_MOVE, false, false, 0}, true},
    {"the only play", {ERRORS_MOVE, true, false, 0}, false},
    {"a double", {ERRORS_DOUBLE, false, false, 0}, true},
    {"a take", {ERRORS_TAKE, false, false, 0}, true},
    {"a drop", {ERRORS_DROP, false, false, 0}, true},
    {"nobody thinks of a double", {ERRORS_NODOUBLE, false, false, 0}, false},
    {"a close no double", {ERRORS_NODOUBLE, false, true, 0}, true},
    {"a missed double", {ERRORS_NODOUBLE, false, false, 0.2}, true},
};

TEST_ROWS(counted_decisions, decisions)
{
    ck_assert_msg(errors_is_counted(&decisions[_i].decision) == decisions[_i].counted, "%s",
                  decisions[_i].name);
}

TEST(rates)
{
    struct errors_sum own = {0}, other = {0};
    struct errors_decision play = {ERRORS_MOVE, false, false, 0.03};
    struct errors_decision only = {ERRORS_MOVE, true, false, 0};
    struct errors_decision take = {ERRORS_TAKE, false, false, 0.05};
    struct errors_rates r;

    r = errors_rates_of(&own, &other);
    ck_assert(isnan(r.milli) && isnan(r.pr) && isnan(r.snowie));
    errors_add(&own, &take);
    r = errors_rates_of(&own, &other);
    ck_assert_double_eq_tol(r.milli, 50, 1e-12);
    ck_assert(isnan(r.snowie)); /* no checker has moved */
    errors_add(&own, &play);
    errors_add(&other, &only);
    r = errors_rates_of(&own, &other);
    ck_assert_double_eq_tol(r.milli, 40, 1e-12);
    ck_assert_double_eq_tol(r.pr, 20, 1e-12);
    ck_assert_double_eq_tol(r.snowie, 40, 1e-12);
    r = errors_rates_of(&other, &own);
    ck_assert(isnan(r.milli));
    ck_assert_double_eq(r.snowie, 0);
}

/* A judgement that a judge may give for a forced play. */
TEST(the_error_of_a_decision_that_does_not_count_is_left_out)
{
    struct errors_sum sum = {0};

    errors_count(&sum, true, false, 0.25);
    errors_count(&sum, true, true, 0.125);
    errors_count(&sum, false, true, 0.5);
    ck_assert_double_eq(sum.moves, 2);
    ck_assert_double_eq(sum.counted, 2);
    ck_assert_double_eq(sum.error, 0.625);
}

TEST(close_calls)
{
    ck_assert(errors_is_close(0.5, 0.65, 1));
    ck_assert(!errors_is_close(0.5, 0.67, 1));
    ck_assert(errors_is_close(1.1, 1.4, 1)); /* too good, but not by much */
    ck_assert(!errors_is_close(1.2, 1.4, 1));
    ck_assert(!errors_is_close(0, -0.16, 1));
}

void suite_begin(TCase *tests)
{
    vector_add(tests, "e01_error_rate");
}
