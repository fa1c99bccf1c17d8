/* budget.h - how much of a core pages may use: a part of the time that passes, of which at most ten
 * seconds are saved up. Pure.
 */
#ifndef GALLERY_SITE_BUDGET_H
#define GALLERY_SITE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Begins with what ten seconds give. */
struct budget {
    int percent;    /* of a core; 100: there is no limit */
    int64_t owe_ns; /* used beyond what has passed so far */
    int64_t at_ns;
};

/* Returns whether something is left at this time. */
bool budget_holds(struct budget *budget, int64_t now_ns);
/* Something has used a core for so long. */
void budget_take(struct budget *budget, int64_t used_ns);

#endif
