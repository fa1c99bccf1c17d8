/* Ways to place checkers are numbered by binomials (the combinatorial number system): dense,
 * without a table of all ways, and monotonous, so moving any checker down lowers the number. */
#include "men.h"

#include <assert.h>

void men_init(struct men *out, int places, int count)
{
    assert(places >= 1 && places <= MEN_PLACES_MAX && count >= 1 && count <= MEN_COUNT_MAX);
    out->places = places;
    out->count = count;
    for (int m = 0; m <= count; m++) {
        uint64_t choose = 1;

        out->choose[m][0] = 1;
        for (int p = 1; p <= places; p++) {
            choose = choose * (uint64_t)(m + p) / (uint64_t)p;
            assert(choose <= INT32_MAX);
            out->choose[m][p] = (uint32_t)choose;
        }
    }
    out->ways = (int)out->choose[count][places];
}

/* Ways are in the order of their checkers on the highest place, then on the next, and so on. With m
 * checkers left for places 1..p, choose[m][p] - choose[m - n][p] ways have fewer than n on p. */
int men_number(const struct men *men, const uint8_t *at)
{
    uint32_t number = 0;
    int left = men->count;

    for (int p = men->places; p >= 1; p--) {
        if (at[p] > 0) {
            number += men->choose[left][p] - men->choose[left - at[p]][p];
            left -= at[p];
        }
    }
    return (int)number;
}

void men_place(uint8_t *at, const struct men *men, int number)
{
    uint32_t rest = (uint32_t)number;
    int left = men->count;

    for (int p = men->places; p >= 1; p--) {
        int here = 0;

        while (here < left && men->choose[left][p] - men->choose[left - here - 1][p] <= rest) {
            here++;
        }
        rest -= men->choose[left][p] - men->choose[left - here][p];
        left -= here;
        at[p] = (uint8_t)here;
    }
    at[0] = (uint8_t)left;
}
