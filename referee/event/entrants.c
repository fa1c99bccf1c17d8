#include "entrants.h"

#include <stdlib.h>

enum bg_status entrants_init(struct entrants *entrants, const struct config_event *event,
                             struct bg_error *err)
{
    size_t bots = (size_t)event->bot_count;

    *entrants = (struct entrants){
        .event = event,
        .list = calloc(bots, sizeof *entrants->list),
        .names = calloc(bots, sizeof *entrants->names),
        .programs = calloc(bots, sizeof *entrants->programs),
        .program = calloc(bots, sizeof *entrants->program),
        .tolerant = event->absent_unplayed,
    };
    if (entrants->list == NULL || entrants->names == NULL || entrants->programs == NULL ||
        entrants->program == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "bots of the event");
    }
    for (size_t i = 0; i < bots; i++) {
        entrants->names[i] = event->bots[i].name;
        program_of(&entrants->program[i], &event->bots[i]);
        entrants->programs[i] = entrants->program[i].digest;
    }
    return BG_OK;
}

void entrants_deinit(struct entrants *entrants)
{
    for (int i = 0; entrants->list != NULL && i < entrants->event->bot_count; i++) {
        free(entrants->list[i].sessions);
    }
    free(entrants->list);
    free(entrants->names);
    free(entrants->programs);
    free(entrants->program);
}

/* absence_is_fine: a missing program counts as a failed start, which is tried again. */
static enum bg_status start_one(struct entrants_bot *entrant, const struct session_setup *setup,
                                struct roster *roster, bool absence_is_fine, struct bg_error *err)
{
    struct session *session;
    struct bg_error why;
    enum bg_status status = session_create(&session, setup, err);

    if (status == BG_OK) {
        status = roster_add(roster, session, err);
    }
    if (status == BG_OK) {
        entrant->sessions[entrant->session_count++] = session;
        status = session_start(session, &why);
        if (status == BG_E_START && absence_is_fine) {
            status = session_start_later(session, err);
        } else if (status != BG_OK) {
            bg_error_set(err, status, "%s", why.text);
        }
    }
    return status;
}

enum bg_status entrants_start(struct entrants *entrants, const bool *needed,
                              const struct session_setup *setup, struct roster *roster,
                              struct bg_error *err)
{
    const struct config_event *event = entrants->event;
    enum bg_status status = BG_OK;
    int number = 0; /* number of the process among all bots' processes */

    for (int i = 0; i < event->bot_count && status == BG_OK; i++) {
        struct entrants_bot *entrant = &entrants->list[i];
        int count = event->bots[i].instances > 0 ? event->bots[i].instances : event->instances;
        struct session_setup own = *setup;

        own.bot = &event->bots[i];
        own.bot_index = i;
        own.credit = &entrant->credit;
        entrant->sessions = calloc((size_t)count, sizeof *entrant->sessions);
        if (entrant->sessions == NULL) {
            status = bg_error_set(err, BG_E_MEMORY, "processes of the bots");
        }
        for (own.instance = 0; own.instance < count && needed[i] && status == BG_OK;
             own.instance++) {
            own.pin = setup->pin > 0 ? setup->pin : 1 + affinity_core(&event->affinity, number++);
            status = start_one(entrant, &own, roster, entrants->tolerant, err);
        }
    }
    return status;
}

void entrants_restart(const struct entrants *entrants, const bool *needed)
{
    for (int i = 0; i < entrants->event->bot_count; i++) {
        const struct entrants_bot *entrant = &entrants->list[i];

        for (int k = 0;
             k < entrant->session_count && needed[i] && !entrant->quarantined && !entrant->absent;
             k++) {
            session_reopen(entrant->sessions[k]);
        }
    }
}

bool entrants_are_starting(const struct entrants *entrants)
{
    for (int i = 0; i < entrants->event->bot_count; i++) {
        const struct entrants_bot *entrant = &entrants->list[i];

        for (int k = 0; k < entrant->session_count && !entrant->absent; k++) {
            enum session_state state = session_state(entrant->sessions[k]);

            if (state == SESSION_STARTING || state == SESSION_GREETED) {
                return true;
            }
        }
    }
    return false;
}

bool entrants_were_ready(const struct entrants *entrants)
{
    for (int i = 0; i < entrants->event->bot_count; i++) {
        const struct entrants_bot *entrant = &entrants->list[i];

        if (entrant->session_count > 0 && !entrant->was_ready && !entrant->quarantined &&
            !entrant->absent) {
            return false;
        }
    }
    return true;
}

int entrants_quarantined(const struct entrants *entrants, const struct fixture *fixture)
{
    if (entrants->list[fixture->a].quarantined) {
        return fixture->a;
    }
    return entrants->list[fixture->b].quarantined ? fixture->b : -1;
}

int entrants_absent(const struct entrants *entrants, const struct fixture *fixture)
{
    if (entrants->list[fixture->a].absent) {
        return fixture->a;
    }
    return entrants->list[fixture->b].absent ? fixture->b : -1;
}

bool entrants_give_up(struct entrants *entrants, int bot, int64_t now_ns)
{
    struct entrants_bot *entrant = &entrants->list[bot];
    bool is_long;
    int least = ENTRANTS_TRIES;

    if (entrant->failing_ns == 0) {
        entrant->failing_ns = now_ns;
    }
    is_long = !entrant->was_ready && now_ns - entrant->failing_ns >= entrants->event->start_ns;
    for (int k = 0; k < entrant->session_count; k++) {
        int tries = session_failed_starts(entrant->sessions[k]);

        least = tries < least ? tries : least;
    }
    return least >= (is_long ? 2 : ENTRANTS_TRIES);
}

/* The Hello of one process holds for all of the bot's processes: they run the same program. */
static bool is_stateful(const struct entrants_bot *entrant)
{
    for (int i = 0; i < entrant->session_count; i++) {
        if (session_is_stateful(entrant->sessions[i])) {
            return true;
        }
    }
    return false;
}

static struct session *pick(const struct entrants_bot *entrant, bool needs_ready)
{
    struct session *best = NULL;
    bool stateful = is_stateful(entrant);

    for (int i = 0; i < entrant->session_count; i++) {
        struct session *session = entrant->sessions[i];
        bool busy = stateful && *session_tables(session) > 0;

        if (session_state(session) != SESSION_READY || busy) {
            continue;
        }
        if (best == NULL || *session_tables(session) < *session_tables(best)) {
            best = session;
        }
    }
    /* If no process is ready, a stateless bot's tables queue at its first instance, except with
     * committed dice, which need a ready process. */
    if (best == NULL && !stateful && !needs_ready) {
        best = entrant->sessions[0];
    }
    return best;
}

bool entrants_seat(struct session *sessions[2], const struct entrants *entrants,
                   const struct fixture *fixture)
{
    for (int seat = 0; seat < 2; seat++) {
        sessions[seat] = pick(&entrants->list[fixture_bot(fixture, seat)], entrants->event->commit);
    }
    return sessions[0] != NULL && sessions[1] != NULL;
}

uint64_t entrants_decisions(const struct entrants *entrants)
{
    uint64_t sum = 0;

    for (int i = 0; i < entrants->event->bot_count; i++) {
        const struct entrants_bot *entrant = &entrants->list[i];

        for (int k = 0; k < entrant->session_count; k++) {
            sum += session_work(entrant->sessions[k]).decisions;
        }
    }
    return sum;
}
