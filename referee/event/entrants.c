/* Places for all instances of a bot are made at the start, processes only for bots that have
 * something to play: most entrants of a knockout are out, and a process of each would take
 * memory and descriptors for nothing. `rests` marks a bot that was not started; a new fixture
 * starts it (absences_recall_needed). */
#include "entrants.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

void entrants_init(struct entrants *entrants, const struct config_event *event)
{
    size_t bots = (size_t)event->bot_count;

    *entrants = (struct entrants){
        .event = event,
        .list = memory_zeroed(bots, sizeof *entrants->list),
        .names = memory_zeroed(bots, sizeof *entrants->names),
        .programs = memory_zeroed(bots, sizeof *entrants->programs),
        .program = memory_zeroed(bots, sizeof *entrants->program),
        .tolerant = event->absent_unplayed,
    };
    for (size_t i = 0; i < bots; i++) {
        entrants->names[i] = event->bots[i].name;
        program_of(&entrants->program[i], &event->bots[i]);
        entrants->programs[i] = entrants->program[i].digest;
    }
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

void entrants_program(struct program *out, const struct entrants *entrants, int bot)
{
    struct competitor competitor = entrants->event->bots[bot]; /* borrows what it owns */

    if (entrants->list[bot].key[0] != '\0') {
        snprintf(competitor.key, sizeof competitor.key, "%s", entrants->list[bot].key);
    }
    program_of(out, &competitor);
}

static struct session *make_one(struct entrants *entrants, int bot)
{
    struct entrants_bot *entrant = &entrants->list[bot];
    struct session_setup own = entrants->setup;
    struct session *session;

    own.bot = &entrants->event->bots[bot];
    own.bot_index = bot;
    own.instance = entrant->session_count;
    own.credit = &entrant->credit;
    own.door = own.bot->remote ? own.door : NULL;
    own.holds_version = own.bot->remote && entrants->event->revisions != CONFIG_REVISIONS_SAME;
    own.start_ns = own.bot->remote ? entrants->event->door.appear_ns : own.start_ns;
    own.pin =
        own.pin > 0 ? own.pin : 1 + affinity_core(&entrants->event->affinity, entrants->processes);
    entrants->processes++;
    session = session_create(&own);
    roster_add(entrants->roster, session);
    entrant->sessions[entrant->session_count++] = session;
    return session;
}

/* A missing program counts as a failed start, which is tried again, if the event tolerates it. */
static enum bg_status start_one(struct entrants *entrants, int bot, struct bg_error *err)
{
    struct session *session = make_one(entrants, bot);
    struct bg_error why;
    enum bg_status status = session_start(session, &why);

    if (status == BG_E_START && entrants->tolerant) {
        session_start_later(session);
        return BG_OK;
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", why.text);
}

static int instances_of(const struct entrants *entrants, int bot)
{
    int own = entrants->event->bots[bot].remote ? 1 : entrants->event->bots[bot].instances;

    return own > 0 ? own : entrants->event->instances;
}

enum bg_status entrants_start(struct entrants *entrants, const bool *needed,
                              const struct session_setup *setup, struct roster *roster,
                              struct bg_error *err)
{
    enum bg_status status = BG_OK;

    entrants->setup = *setup;
    entrants->roster = roster;
    for (int i = 0; i < entrants->event->bot_count && status == BG_OK; i++) {
        struct entrants_bot *entrant = &entrants->list[i];
        int count = instances_of(entrants, i);

        entrant->rests = !needed[i];
        entrant->sessions = memory_zeroed((size_t)count, sizeof *entrant->sessions);
        for (int k = 0; k < count && needed[i] && status == BG_OK; k++) {
            status = start_one(entrants, i, err);
        }
    }
    return status;
}

void entrants_open(struct entrants *entrants, int bot)
{
    const struct entrants_bot *entrant = &entrants->list[bot];

    while (entrant->session_count < instances_of(entrants, bot)) {
        /* A place that was never started is then down like one that has ended, and can be
         * reopened. */
        session_close(make_one(entrants, bot), "it has not been started");
    }
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
    return least >= (entrants->event->bots[bot].remote ? 1 : is_long ? 2 : ENTRANTS_TRIES);
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

/* Returns whether it has as many tables as its entry in the list of keys allows; a host reads the
 * list again. */
static bool has_its_tables(const struct entrants *entrants, int bot)
{
    const struct entrants_bot *entrant = &entrants->list[bot];
    const struct session_door *door = entrants->setup.door;
    int tables = 0, most = entrants->event->bots[bot].limits.tables;

    if (door != NULL && door->tables != NULL && entrants->event->bots[bot].remote) {
        most = door->tables(door->user, bot, most);
    }
    for (int i = 0; i < entrant->session_count; i++) {
        tables += *session_tables(entrant->sessions[i]);
    }
    return most > 0 && tables >= most;
}

static struct session *pick(const struct entrants *entrants, int bot)
{
    const struct entrants_bot *entrant = &entrants->list[bot];
    struct session *best = NULL;
    bool stateful = is_stateful(entrant), needs_ready = entrants->event->commit;

    if (has_its_tables(entrants, bot)) {
        return NULL;
    }

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
        sessions[seat] = pick(entrants, fixture_bot(fixture, seat));
    }
    return sessions[0] != NULL && sessions[1] != NULL;
}

uint64_t entrants_decisions_of(const struct entrants_bot *bot)
{
    uint64_t sum = 0;

    for (int i = 0; i < bot->session_count; i++) {
        sum += session_work(bot->sessions[i]).decisions;
    }
    return sum;
}

uint64_t entrants_dropped_thoughts_of(const struct entrants_bot *bot)
{
    uint64_t sum = 0;

    for (int i = 0; i < bot->session_count; i++) {
        sum += session_work(bot->sessions[i]).dropped_thoughts;
    }
    return sum;
}

uint64_t entrants_decisions(const struct entrants *entrants)
{
    uint64_t sum = 0;

    for (int i = 0; i < entrants->event->bot_count; i++) {
        sum += entrants_decisions_of(&entrants->list[i]);
    }
    return sum;
}
