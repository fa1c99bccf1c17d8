#include "budget.h"

#define SAVED_NS INT64_C(10000000000)

bool budget_holds(struct budget *budget, int64_t now_ns)
{
    budget->owe_ns -= (now_ns - budget->at_ns) / 100 * budget->percent;
    budget->owe_ns = budget->owe_ns < 0 ? 0 : budget->owe_ns;
    budget->at_ns = now_ns;
    return budget->percent >= 100 || budget->owe_ns < SAVED_NS / 100 * budget->percent;
}

/* What a page has used is known only afterwards. One that took minutes is paid for with what ten
 * seconds give, as every other: who asks for the next one has not asked for it. */
void budget_take(struct budget *budget, int64_t used_ns)
{
    const int64_t most_ns = 2 * (SAVED_NS / 100 * budget->percent);

    budget->owe_ns = budget->owe_ns + used_ns < most_ns ? budget->owe_ns + used_ns : most_ns;
}
