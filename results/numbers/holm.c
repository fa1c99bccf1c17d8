#include "holm.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct tested {
    double p;
    size_t place;
};

static int by_p(const void *x, const void *y)
{
    double a = ((const struct tested *)x)->p, b = ((const struct tested *)y)->p;

    return (a > b) - (a < b);
}

void holm_adjust(double *out, const double *p, size_t count)
{
    struct tested *list = memory_zeroed(count, sizeof *list);
    size_t tested = 0;
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        out[i] = NAN;
        /* What was not tested does not count as a test, or pairs without games would make all
         * others harder to establish. */
        if (!isnan(p[i])) {
            list[tested++] = (struct tested){p[i], i};
        }
    }
    qsort(list, tested, sizeof *list, by_p);
    for (size_t i = 0; i < tested; i++) {
        /* The adjusted values must not fall again: a hypothesis is only rejected together with
         * all that have smaller p. */
        most = fmax(most, fmin(1, list[i].p * (double)(tested - i)));
        out[list[i].place] = most;
    }
    free(list);
}
