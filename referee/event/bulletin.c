/* A rank costs as much as a table of the event. However many authors ask, and however large the
 * event, counting takes at most a hundredth of the loop's time: the next count waits for PAUSE
 * times what the last one took. */
#include "bulletin.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

#define SECOND_NS INT64_C(1000000000)

enum { PAUSE = 100 /* factor: count again after this many times what it took */ };

void bulletin_deinit(struct bulletin *bulletin)
{
    free(bulletin->ranks);
    bulletin->ranks = NULL;
}

static void take_rank(void *user, const char *name, int place, bool shared)
{
    struct bulletin *bulletin = user;
    int bot = competitor_find(bulletin->event->bots, bulletin->event->bot_count, name);

    if (bot >= 0) {
        bulletin->ranks[bot] = (struct bulletin_rank){place, shared};
    }
}

static bool is_shared(const int *places, int count, int i)
{
    for (int k = 0; k < count; k++) {
        if (k != i && places[k] == places[i]) {
            return true;
        }
    }
    return false;
}

/* By the form of the event: rounds, brackets, stages. */
static void rank_by_season(struct bulletin *bulletin)
{
    const struct season *season = director_season(bulletin->director);
    int count = season_entrants(season);
    int *places = memory_zeroed((size_t)count + 1, sizeof *places);

    if (season_places(places, season, NULL) == BG_OK) {
        for (int i = 0; i < count; i++) {
            take_rank(bulletin, season_entrant(season, i)->name, places[i],
                      is_shared(places, count, i));
        }
        bulletin->ranked = count;
    }
    free(places);
}

static void rank(struct bulletin *bulletin)
{
    int64_t now_ns = loop_now(bulletin->loop), spent_ns;

    if (bulletin->ranks == NULL) {
        bulletin->ranks =
            memory_zeroed((size_t)bulletin->event->bot_count + 1, sizeof *bulletin->ranks);
    }
    if (now_ns < bulletin->due_ns) {
        return;
    }
    if (director_pairs(bulletin->director)) {
        rank_by_season(bulletin);
    } else {
        ledger_ranks(&bulletin->ranked, bulletin->ledger, take_rank, bulletin);
    }
    spent_ns = loop_now(bulletin->loop) - now_ns;
    bulletin->due_ns = now_ns + (PAUSE * spent_ns > SECOND_NS ? PAUSE * spent_ns : SECOND_NS);
}

static void take_results(struct status_event *out, const struct tally *tally, int bot)
{
    struct tally_sum sum;

    tally_sum(&sum, tally, bot, -1);
    out->games = (int64_t)sum.games;
    out->games_won = (int64_t)sum.won;
    out->games_lost = (int64_t)sum.lost;
    out->matches = (int64_t)sum.legs;
    out->matches_won = (int64_t)sum.legs_won;
    out->matches_lost = (int64_t)sum.legs_lost;
    out->points = sum.points;
    for (int fault = 0; fault < BG_FAULT_COUNT; fault++) {
        out->lost_by[fault] = (int64_t)tally->bot[bot].faults[fault];
    }
}

static const char *bot_state(const struct entrants_bot *entrant)
{
    bool is_here = false;

    for (int i = 0; i < entrant->session_count; i++) {
        is_here = is_here || session_state(entrant->sessions[i]) == SESSION_READY;
    }
    if (entrant->quarantined) {
        return "quarantined";
    }
    return entrant->absent ? "absent" : is_here ? "plays" : "awaited";
}

void bulletin_write(void *user, int bot, char out[STATUS_LINE])
{
    struct bulletin *bulletin = user;
    const struct entrants_bot *entrant = &bulletin->entrants->list[bot];
    struct status_event status = {.money = bulletin->event->rules.length_points == 0,
                                  .faults = entrant->faults,
                                  .faults_most = bulletin->event->quarantine};
    const struct tally *tally;
    int found;

    rank(bulletin);
    if (bulletin->ranks != NULL) {
        status.rank = bulletin->ranks[bot].place;
        status.shared = bulletin->ranks[bot].shared;
        status.of = bulletin->ranked;
    }
    snprintf(status.event, sizeof status.event, "%s", bulletin->event->name);
    snprintf(status.state, sizeof status.state, "%s", bot_state(entrant));
    snprintf(status.last_fault, sizeof status.last_fault, "%s", entrant->last_fault);
    snprintf(status.held, sizeof status.held, "%s", entrant->held);
    tally = ledger_lock_tally(bulletin->ledger);
    found = tally_find(tally, bulletin->entrants->names[bot]);
    if (found >= 0) {
        take_results(&status, tally, found);
    }
    ledger_unlock_tally(bulletin->ledger);
    (void)status_write_event(out, &status);
}
