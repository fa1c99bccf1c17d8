#include "anew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char reason[] = ANEW_REASON;

void anew_time(char out[ANEW_TIME], int64_t calendar_s)
{
    time_t time = (time_t)calendar_s;
    struct tm utc;

    gmtime_r(&time, &utc);
    strftime(out, ANEW_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void anew_deinit(struct anew *anew)
{
    free(anew->stored.pair);
    free(anew->planned.pair);
    *anew = (struct anew){.is_begun = false};
}

static bool add(struct anew_list *list, const struct fixture *fixture, uint64_t attempt)
{
    struct anew_pair *more = realloc(list->pair, (list->count + 1) * sizeof *more);

    if (more == NULL) {
        return false;
    }
    list->pair = more;
    more[list->count++] = (struct anew_pair){.fixture = *fixture, .attempt = attempt};
    return true;
}

bool anew_add(struct anew *anew, const struct fixture *pair, uint64_t attempt)
{
    return add(&anew->stored, pair, attempt);
}

bool anew_plan(struct anew *anew, const struct fixture *pair)
{
    return add(&anew->planned, pair, anew_attempt(anew, pair) + 1);
}

void anew_forget_stored(struct anew *anew)
{
    anew->stored.count = 0;
    for (size_t i = 0; i < anew->planned.count; i++) {
        anew->planned.pair[i].games = 0;
    }
}

static bool is_of_pair(const struct anew_pair *pair, const struct fixture *fixture)
{
    return pair->fixture.pair == fixture->pair && pair->fixture.a == fixture->a &&
           pair->fixture.b == fixture->b;
}

/* Of a test that has decided those that were at the tables: hundreds, among all its games. */
static struct anew_pair *find_planned(const struct anew *anew, const struct fixture *fixture)
{
    size_t low = 0, high = anew->planned.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (anew->planned.pair[middle].fixture.pair < fixture->pair) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low < anew->planned.count && anew->planned.pair[low].fixture.pair == fixture->pair) {
        if (is_of_pair(&anew->planned.pair[low], fixture)) {
            return &anew->planned.pair[low];
        }
        low++;
    }
    return NULL;
}

uint64_t anew_attempt(const struct anew *anew, const struct fixture *fixture)
{
    const struct anew_pair *planned = find_planned(anew, fixture);
    uint64_t attempt = 0;

    for (size_t i = 0; i < anew->stored.count; i++) { /* hardly ever more than a few */
        if (is_of_pair(&anew->stored.pair[i], fixture)) {
            attempt = anew->stored.pair[i].attempt; /* the last one stands behind those before it */
        }
    }
    return planned != NULL ? planned->attempt : attempt;
}

struct anew_pair *anew_find(const struct anew *anew, const struct fixture *fixture)
{
    return anew->is_begun ? NULL : find_planned(anew, fixture);
}

/* ------------------------------------------------------------------------ storing */

struct game_id *anew_pairs(const struct anew *anew, const struct config_event *event)
{
    struct game_id *pairs = calloc(anew->planned.count + 1, sizeof *pairs);

    for (size_t i = 0; pairs != NULL && i < anew->planned.count; i++) {
        const struct fixture *fixture = &anew->planned.pair[i].fixture;

        pairs[i] = game_id_of(event->bots[fixture->a].name, event->bots[fixture->b].name);
        pairs[i].pair = fixture->pair;
    }
    return pairs;
}

void anew_begin(struct anew *anew, const char at[ANEW_TIME])
{
    snprintf(anew->at, sizeof anew->at, "%s", at);
    anew->is_begun = true;
}

struct store_attempt anew_act(struct anew *anew, size_t i, const struct config_event *event)
{
    const struct anew_pair *pair = &anew->planned.pair[i];

    return (struct store_attempt){.a = event->bots[pair->fixture.a].name,
                                  .b = event->bots[pair->fixture.b].name,
                                  .pair = pair->fixture.pair,
                                  .attempt = pair->attempt,
                                  .games = pair->games,
                                  .reason = reason,
                                  .at = anew->at};
}
