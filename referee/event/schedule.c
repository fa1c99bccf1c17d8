#include "schedule.h"

#include <assert.h>
#include <string.h>

static uint64_t pairings(const struct schedule *schedule)
{
    uint64_t bots = (uint64_t)schedule->bots;

    return bots < 2 ? 0 : bots * (bots - 1) / 2;
}

uint64_t schedule_count(const struct schedule *schedule)
{
    return pairings(schedule) * (uint64_t)schedule->legs * schedule->pairs;
}

/* Pairing q of the circle method: bots sit on a wheel with an odd number of places (with an even
 * number of bots the last one stands in the hub). In round r the places r + k and r - k meet; place
 * r itself meets the hub, or rests where there is none. */
static void circle(int *first, int *second, int bots, uint64_t q)
{
    uint64_t wheel = (uint64_t)(bots % 2 == 0 ? bots - 1 : bots);
    uint64_t per_round = (uint64_t)bots / 2;
    uint64_t round = q / per_round;
    uint64_t k = q % per_round + (bots % 2 == 0 ? 0 : 1);

    *first = (int)((round + k) % wheel);
    *second = k == 0 ? bots - 1 : (int)((round + wheel - k) % wheel);
}

void schedule_fixture(struct fixture *out, const struct schedule *schedule, uint64_t i)
{
    uint64_t legs = (uint64_t)schedule->legs;
    uint64_t a_pair = pairings(schedule) * legs; /* fixtures of one pair of every pairing */
    int first, second;

    assert(i < schedule_count(schedule));
    circle(&first, &second, schedule->bots, i % a_pair / legs);
    if (strcmp(schedule->names[first], schedule->names[second]) > 0) {
        int swap = first;

        first = second;
        second = swap;
    }
    *out = (struct fixture){.a = first, .b = second, .pair = i / a_pair, .leg = (int)(i % legs)};
}

struct game_id schedule_game_id(const char *const *names, const struct fixture *fixture)
{
    struct game_id id = game_id_of(names[fixture->a], names[fixture->b]);

    id.pair = fixture->pair;
    id.leg = fixture->leg;
    return id;
}

void schedule_fixture_id(char *out, const struct schedule *schedule, const struct fixture *fixture)
{
    struct game_id id = schedule_game_id(schedule->names, fixture);

    game_id_write_leg(out, &id);
}

/* The inverse of circle(): each pairing has one round, that of the place in their middle. */
static uint64_t pairing_of(const struct schedule *schedule, int x, int y)
{
    uint64_t bots = (uint64_t)schedule->bots;
    uint64_t wheel = bots % 2 == 0 ? bots - 1 : bots;
    uint64_t per_round = bots / 2, round, k;

    if (bots % 2 == 0 && ((uint64_t)x == bots - 1 || (uint64_t)y == bots - 1)) {
        return (uint64_t)((uint64_t)x == bots - 1 ? y : x) * per_round;
    }
    round = (uint64_t)(x + y) * ((wheel + 1) / 2) % wheel; /* half of the sum: wheel is odd */
    k = ((uint64_t)x + wheel - round) % wheel;
    k = k > wheel / 2 ? wheel - k : k;
    return round * per_round + k - (bots % 2 == 0 ? 0 : 1);
}

uint64_t schedule_number(const struct schedule *schedule, const struct fixture *fixture)
{
    uint64_t legs = (uint64_t)schedule->legs;

    return fixture->pair * pairings(schedule) * legs +
           pairing_of(schedule, fixture->a, fixture->b) * legs + (uint64_t)fixture->leg;
}
