/* schedule.h - who meets whom, as a pure function of the event.
 *
 * Fixture number i of a round robin is computed, not stored: pair 0 of every pairing first (circle
 * method, so early results are spread), then pair 1, ... Each pair is two legs with the seats
 * exchanged (one leg when dice are plain). Names are compared by bytes; a fixture's A is the
 * smaller name. A fixture's id does not depend on the other bots or on the number of pairs.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/game_id.h"

struct fixture {
    int a, b; /* indices into the event's bots; name[a] < name[b] */
    uint64_t pair;
    int leg; /* 0 or 1; in leg 0 bot a has seat 0 */
};

struct schedule {
    int bots;
    const char *const *names; /* lent */
    uint64_t pairs;
    int legs; /* 2 duplicate pairs, 1 plain dice */
};

/* Number of fixtures in all. */
uint64_t schedule_count(const struct schedule *schedule);
/* Fixture i, 0 <= i < schedule_count. */
void schedule_fixture(struct fixture *out, const struct schedule *schedule, uint64_t i);

/* The number of a fixture: the inverse of schedule_fixture. */
uint64_t schedule_number(const struct schedule *schedule, const struct fixture *fixture);

/* The fixture's first game; names are the bots', by index. */
struct game_id schedule_game_id(const char *const *names, const struct fixture *fixture);

/* "A|B|pair|leg"; out has at least BG_GAME_ID bytes. */
void schedule_fixture_id(char *out, const struct schedule *schedule, const struct fixture *fixture);

#endif
