/* What pages may use of a core, second by second. */
#include "support/suite.h"

#include "site/budget.h"

#define MS_NS INT64_C(1000000)

static const struct {
    const char *name;
    int percent, used_ms, wait_ms; /* used at once; then nothing for so long */
    bool holds;
} rows[] = {
    {"less than ten seconds give", 30, 2999, 0, true},
    {"as much", 30, 3000, 0, false},
    {"a second gives something", 30, 3200, 1000, true},
    {"and no more than its part", 30, 3400, 1000, false},
    {"what took minutes is forgotten after ten seconds and a bit", 30, 600000, 10001, true},
    {"but not sooner", 30, 600000, 9999, false},
    {"a small part", 1, 100, 0, false},
    {"no limit", 100, 600000, 0, true},
};

TEST_ROWS(pages_have_a_part_of_a_core, rows)
{
    struct budget budget = {.percent = rows[_i].percent};
    const int64_t now_ns = 77000 * MS_NS; /* nothing is saved beyond ten seconds */

    ck_assert(budget_holds(&budget, now_ns));
    budget_take(&budget, rows[_i].used_ms * MS_NS);
    ck_assert_msg(budget_holds(&budget, now_ns + rows[_i].wait_ms * MS_NS) == rows[_i].holds, "%s",
                  rows[_i].name);
}
