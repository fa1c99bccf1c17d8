/* To look for the matches of a bot is to walk all fixtures, so it is not done in each sweep.
 * who_is_there() is one number for all that decides whether a match can be lost; a bot whose
 * matches were looked through keeps it (lost_to), and only another number is a reason to look
 * again. */
#include "forfeits.h"

#include <stdio.h>

#include "base/units.h"
#include "base/plural.h"

#define SECOND_NS INT64_C(1000000000)
/* From the begin of a try on a bot has this long to be greeted, whatever its time. */
#define GREET_NS (5 * SECOND_NS)

static int64_t less(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns a number for those who are there now, never 0 (FNV-1a). */
static uint64_t who_is_there(const struct forfeits *forfeits)
{
    uint64_t number = UINT64_C(14695981039346656037);

    for (int i = 0; i < forfeits->event->bot_count; i++) {
        number = (number ^ (forfeits->entrants->list[i].absent ? 2 : 1)) * UINT64_C(1099511628211);
    }
    return number | 1;
}

/* Whether the event waits for this bot. A version that it does not take is for the desk. */
static bool is_awaited(const struct forfeits *forfeits, int bot)
{
    const struct entrants_bot *entrant = &forfeits->entrants->list[bot];

    return forfeits->event->bots[bot].remote && entrant->absent && !entrant->quarantined &&
           (entrant->trying || entrant->try_ns > 0);
}

/* Whether it was quarantined while it was away: nobody waits for it. One that was there has lost
 * its matches at once (places.h). */
static bool is_put_out(const struct forfeits *forfeits, int bot)
{
    const struct entrants_bot *entrant = &forfeits->entrants->list[bot];

    return forfeits->event->bots[bot].remote && entrant->absent && entrant->quarantined;
}

/* By its host. */
static bool is_bot_kept(const struct forfeits *forfeits, int bot)
{
    const struct session_door *door = forfeits->entrants->setup.door;

    return door != NULL && door->is_kept != NULL && door->is_kept(door->user, bot);
}

static bool is_down(const struct forfeits *forfeits, int bot)
{
    const struct session_door *door = forfeits->entrants->setup.door;

    return door != NULL && door->is_down(door->user, bot);
}

/* The time that a bot has to come back. */
static int64_t grace_ns(const struct forfeits *forfeits)
{
    const struct config_door *door = &forfeits->event->door;

    return less(door->grace_ns, door->appear_ns);
}

static void run_time(const struct forfeits *forfeits, int bot, int64_t now_ns)
{
    struct entrants_bot *entrant = &forfeits->entrants->list[bot];
    struct forfeits_clock *gone = &entrant->gone;
    bool begins = entrant->trying && !gone->was_trying;

    if (entrant->trying &&
        (gone->by_ns == 0 || is_bot_kept(forfeits, bot) || is_down(forfeits, bot))) {
        gone->by_ns = now_ns + grace_ns(forfeits);
    } else if (begins) {
        int64_t greeted_ns = now_ns + less(GREET_NS, grace_ns(forfeits) / 2);

        gone->by_ns = greeted_ns > gone->by_ns ? greeted_ns : gone->by_ns;
    }
    if (gone->was_trying && !entrant->trying) {
        gone->tried_ns = now_ns;
    }
    gone->was_trying = entrant->trying;
}

/* A bot that comes between two tries finds nobody who waits: its time is over within a try. */
static bool is_over(const struct entrants_bot *entrant, int64_t now_ns)
{
    const struct forfeits_clock *gone = &entrant->gone;

    return gone->by_ns > 0 && now_ns >= gone->by_ns &&
           (entrant->trying || gone->tried_ns >= gone->by_ns);
}

/* Finds fixture i, if the bot can lose it: another one waits for it to go on. */
static bool can_lose(struct fixture *out, const struct forfeits *forfeits, uint64_t i, int bot)
{
    const struct source *source = forfeits->queue->source;
    int other;

    source->ops->fixture(out, source, i);
    if ((out->a != bot && out->b != bot) || source_is_void(source, i)) {
        return false;
    }
    other = out->a == bot ? out->b : out->a;
    return !forfeits->entrants->list[other].absent &&
           !ledger_is_settled(forfeits->queue->ledger, out) &&
           ledger_is_begun(forfeits->queue->ledger, out) && places_is_match(forfeits->places, out);
}

static void write_why(char out[160], const struct forfeits *forfeits, int bot)
{
    const struct entrants_bot *entrant = &forfeits->entrants->list[bot];
    char grace[40];

    duration_write(grace, sizeof grace, grace_ns(forfeits));
    if (entrant->quarantined) {
        snprintf(out, 160, PLACES_QUARANTINED, entrant->faults,
                 plural((uint64_t)entrant->faults, "fault", "faults"));
    } else {
        snprintf(out, 160, "it has left this match, and was not back within %s: the match is lost",
                 grace);
    }
}

/* Returns false if the store has to be waited for. */
static bool lose_all(const struct forfeits *forfeits, int bot)
{
    char why[160];
    struct fixture fixture;
    struct bg_error err;

    write_why(why, forfeits, bot);
    for (uint64_t i = 0, end = fixture_queue_known(forfeits->queue); i < end; i++) {
        if (can_lose(&fixture, forfeits, i, bot) &&
            places_lose_match(forfeits->places, &fixture, bot, why, &err) == PLACES_LATER) {
            return false;
        }
    }
    return true;
}

void forfeits_sweep(struct forfeits *forfeits, int64_t now_ns)
{
    uint64_t there = who_is_there(forfeits);

    for (int i = 0; i < forfeits->event->bot_count; i++) {
        struct entrants_bot *entrant = &forfeits->entrants->list[i];

        bool is_out = is_put_out(forfeits, i);

        if (is_awaited(forfeits, i)) {
            run_time(forfeits, i, now_ns);
            is_out = is_over(entrant, now_ns);
        } else if (!is_out) {
            entrant->gone = (struct forfeits_clock){.by_ns = 0};
        }
        if (is_out && entrant->gone.lost_to != there && lose_all(forfeits, i)) {
            entrant->gone.lost_to = there;
        }
    }
}

static bool has_match(const struct forfeits *forfeits, int bot)
{
    struct fixture fixture;

    for (uint64_t i = 0, end = fixture_queue_known(forfeits->queue); i < end; i++) {
        if (can_lose(&fixture, forfeits, i, bot)) {
            return true;
        }
    }
    return false;
}

bool forfeits_are_open(const struct forfeits *forfeits)
{
    uint64_t there = who_is_there(forfeits);
    bool any = false;

    for (int i = 0; i < forfeits->event->bot_count && !any; i++) {
        any = (is_put_out(forfeits, i) || (is_awaited(forfeits, i) && !is_bot_kept(forfeits, i))) &&
              forfeits->entrants->list[i].gone.lost_to != there && has_match(forfeits, i);
    }
    return any;
}
