/* What follows is taken by the season at once and stored before its fixtures can be seen (look), so
 * nothing is played by an act that is not stored. If it cannot be stored, the season is ahead of
 * the results: this run stores no further act, and the next one finds the same rows. Nothing is
 * stored that the season would refuse (act_once tries it on a copy). */
#define _GNU_SOURCE /* strdup */
#include "director.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "../log.h"
#include "fixtures/source_season.h"
#include "record/round_robin.h"
#include "season/act_words.h"
#include "season/season_store.h"
#include "season/seeds.h"
#include "store/run.h"

/* Names in the results (season/season_store.h). */
#define SEEDS  "season.seeds"
#define TABLES "season.tables"

/* Reasons of the referee's own absences; the desk's have others. */
#define NO_START   "it does not start"
#define QUARANTINE "quarantined after faults"

enum { SEEDS_ROOM = 131072 };

struct director {
    const struct config_event *event; /* lent, like names and ledger */
    const char *const *names;
    struct ledger *ledger;
    struct source *source; /* owned */
    struct season *season; /* owned; NULL before director_load, unless of a plain round robin */
    struct season *books;  /* owned: a plain round robin while the desk acts on it */
    struct plan plan;
    char *seed_text; /* owned; names with commas */
    char **seeds;    /* owned array of owned names */
    int seed_count;
    bool *is_ours; /* owned; by entrant: the referee noted its absence */
    size_t room;   /* of is_ours */
    int known;     /* entrants in it */
    bool is_stale; /* a leg or an act came: more may follow */
    bool has_begun;
    bool is_drawn; /* the first round, if anybody is there; before it nothing follows from acts,
                    * because who is absent from it is known when the bots have been started */
    enum bg_status status; /* what ends the run: of a row that was read, or was not stored */
    struct bg_error trouble;
};

/* ------------------------------------------------------------------- making, ending */

static enum bg_status make_season(struct director *director, const char *const *seeds, int count,
                                  struct bg_error *err)
{
    const struct config_event *event = director->event;
    const struct season_setup setup = {.event = event->name,
                                       .plan = director->plan,
                                       .seeds = seeds,
                                       .entrants = count,
                                       .legs = director->source->legs,
                                       .length_points = event->rules.length_points,
                                       .conditions = event->conditions,
                                       .is_cubeless = event->rules.rotation != NULL,
                                       .pairs = event->pairs,
                                       .tables = event->concurrency,
                                       /* games that a director set aside gave some results */
                                       .is_trusted = true};

    return season_create(&director->season, &setup, err);
}

/* Looks at the season after a change. */
static void look(struct director *director)
{
    const struct season *season = director->season;
    bool open = false;

    /* From the last: meetings that are open are among those that were made last. */
    for (size_t i = season_meetings(season); i-- > 0 && !open;) {
        open = season_meeting(season, i)->end == SEASON_OPEN && !season_meeting_is_bare(season, i);
    }
    director->is_drawn = director->is_drawn || season_meetings(season) > 0;
    source_season_stop(director->source,
                       !director_pairs(director) || (director->is_drawn && !open));
    source_season_look(director->source, season, director->ledger);
}

enum bg_status director_create(struct director **out, const struct config_event *event,
                               const char *const *names, struct bg_error *err)
{
    struct director *director = memory_zeroed(1, sizeof *director);
    enum bg_status status = BG_OK;

    director->event = event;
    director->names = names;
    director->source =
        source_season_create(names, event->bot_count, round_robin_legs(event->duplicate));
    if (config_event_has_form(event)) {
        status = plan_read(&director->plan, event->schedule, event->pairs, err);
    } else {
        status = make_season(director, names, event->bot_count, err);
        if (status == BG_OK) {
            look(director);
        }
    }
    if (status == BG_OK) {
        *out = director;
        director = NULL;
    }
    director_destroy(director);
    return status;
}

void director_destroy(struct director *director)
{
    if (director == NULL) {
        return;
    }
    season_destroy(director->season);
    source_destroy(director->source);
    for (int i = 0; director->seeds != NULL && i < director->seed_count; i++) {
        free(director->seeds[i]);
    }
    free(director->seeds);
    free(director->seed_text);
    free(director->is_ours);
    free(director);
}

const struct season *director_season(const struct director *director)
{
    return director->season;
}

const struct source *director_source(const struct director *director)
{
    return director->source;
}

/* A plain round robin reads its books anew for each wish: bots come into it by the list of bots, in
 * the middle of a run too, so its entrants are only known to the results. */
enum bg_status director_books(const struct season **out, struct director *director,
                              struct bg_error *err)
{
    enum bg_status status = director->status;

    if (status != BG_OK) {
        bg_error_set(err, status, "%s", director->trouble.text);
    } else if (!director_pairs(director)) {
        status = season_load(&director->books, ledger_store(director->ledger), err);
    }
    *out = director_pairs(director) ? director->season : director->books;
    return status;
}

void director_close_books(struct director *director)
{
    season_destroy(director->books);
    director->books = NULL;
}

bool director_pairs(const struct director *director)
{
    return director->plan.stages > 0;
}

bool director_has_begun(const struct director *director)
{
    return director->has_begun;
}

/* ------------------------------------------------------------------------ seeds */

static enum bg_status order_seeds(const char **names, int count, const struct config_event *event,
                                  struct bg_error *err)
{
    if (strcmp(event->seeds, "entry") == 0) {
        return BG_OK;
    }
    if (strcmp(event->seeds, "lot") != 0 && !config_seeds_are_rated(event)) {
        return seeds_by_list(names, count, event->seeds, err);
    }
    seeds_by_lot(names, count, event->name);
    if (event->rated != NULL) {
        seeds_first(names, count, event->rated);
    }
    return BG_OK;
}

/* Writes the names as one line. */
static void join_seeds(struct director *director, const char **names, int count)
{
    size_t used = 0;

    director->seed_text = memory_zeroed((size_t)count + 1, NAME_SIZE + 1);
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(director->seed_text + used, NAME_SIZE + 1, "%s%s",
                                 i > 0 ? "," : "", names[i]);
    }
}

static enum bg_status new_seeds(struct director *director, struct bg_error *err)
{
    int count = 0;
    const char **names = memory_zeroed((size_t)director->event->bot_count + 1, sizeof *names);
    struct bg_error why = {.text = ""};
    enum bg_status status;

    for (int i = 0; i < director->event->bot_count; i++) {
        if (!director->event->bots[i].late) {
            names[count++] = director->names[i];
        }
    }
    status = order_seeds(names, count, director->event, &why);
    if (status == BG_OK) {
        join_seeds(director, names, count);
    } else {
        status = bg_error_set(err, status == BG_E_ARGUMENT ? BG_E_CONFIG : status, "%s", why.text);
    }
    free(names);
    return status;
}

/* Splits the stored line into names. */
static void split_seeds(struct director *director)
{
    size_t room = 1;

    for (const char *at = director->seed_text; *at != '\0'; at++) {
        room += *at == ',';
    }
    director->seeds = memory_zeroed(room, sizeof *director->seeds);
    for (const char *at = director->seed_text; *at != '\0';) {
        size_t length = strcspn(at, ",");

        director->seeds[director->seed_count++] = memory_text_of(at, length);
        at += length + (at[length] == ',' ? 1 : 0);
    }
}

/* Reads the seeds of an event that has begun, or orders them. */
static enum bg_status find_seeds(struct director *director, struct bg_error *err)
{
    struct store *store = ledger_store(director->ledger);
    enum bg_status status;

    director->seed_text = memory_zeroed(SEEDS_ROOM, 1);
    status = store_meta_text(director->seed_text, SEEDS_ROOM, store, SEEDS, err);
    if (status == BG_OK && director->seed_text[0] == '\0') {
        free(director->seed_text);
        director->seed_text = NULL;
        status = new_seeds(director, err);
    }
    if (status == BG_OK) {
        split_seeds(director);
    }
    return status;
}

/* ------------------------------------------------------------------ acts and legs */

/* Remembers whether the referee itself noted an absence. */
static void note_absence(struct director *director, const struct act *act)
{
    int count = season_entrants(director->season), entrant;
    char name[NAME_SIZE];

    director->is_ours =
        memory_list(director->is_ours, &director->room, (size_t)count, sizeof *director->is_ours);
    for (; director->known < count; director->known++) {
        director->is_ours[director->known] = false;
    }
    if (act_kind_read(act->kind) == ACT_ABSENT &&
        act_word(name, sizeof name, act->subject, "bot")) {
        entrant = season_find(director->season, name);
        if (entrant >= 0) {
            director->is_ours[entrant] = strncmp(act->reason, NO_START, strlen(NO_START)) == 0 ||
                                         strcmp(act->reason, QUARANTINE) == 0;
        }
    }
}

static enum bg_status take(struct director *director, const struct act *act, struct bg_error *err)
{
    enum bg_status status = season_take(director->season, act, err);

    director->is_stale = true;
    director->has_begun = true;
    if (status == BG_OK) {
        note_absence(director, act);
    }
    return status;
}

static bool on_act(void *user, const struct act *act)
{
    struct director *director = user;
    struct bg_error why = {.text = ""};
    enum bg_status status = take(director, act, &why);

    if (status != BG_OK) {
        /* a row that was never allowed did not come from here: the results are wrong */
        director->status = bg_error_set(
            &director->trouble, status == BG_E_ARGUMENT ? BG_E_MISMATCH : status,
            "%s: row %" PRIu64 " of the journal (%s): %.300s; 'bgref verify' checks it",
            director->event->results, act->number, act->kind, why.text);
    }
    return status == BG_OK;
}

void director_game(void *user, const struct store_game *game)
{
    struct director *director = user;
    bool money = game->length_points == 0;
    const struct season_leg leg = {.a = game->a,
                                   .b = game->b,
                                   .pair = game->pair,
                                   .leg = game->leg,
                                   .winner = money ? game->winner : game->match_winner,
                                   .points = money ? game->points : 1};

    if (game->match_over) {
        director->is_stale = true;
        season_leg(director->season, &leg);
    }
}

static bool on_run(void *user, const struct run *run)
{
    for (size_t i = 0; i < run->games; i++) {
        struct store_game game;

        run_game_at(&game, run, i);
        director_game(user, &game);
    }
    return true;
}

/* ------------------------------------------------------------------------ opening */

/* Compares the entrants with the bots of the event file: a change is an act of the desk. */
static enum bg_status compare_bots(const struct director *director, struct bg_error *err)
{
    const struct config_event *event = director->event;
    const struct season *season = director->season;

    for (int i = 0; i < season_entrants(season); i++) {
        const struct season_entrant *entrant = season_entrant(season, i);

        if (entrant->state != SEASON_WITHDRAWN &&
            competitor_find(event->bots, event->bot_count, entrant->name) < 0) {
            return bg_error_set(err, BG_E_CONFIG,
                                "bots: %s is an entrant of this event; put it back into the list, "
                                "or take it out with: bgref desk %s withdraw %s --reason '...'",
                                entrant->name, director->event->results, entrant->name);
        }
    }
    for (int i = 0; i < director->event->bot_count; i++) {
        if (season_find(season, director->names[i]) < 0 && !director->event->bots[i].late) {
            log_warn("event",
                     "bot=%s is not an entrant of this event, which has begun; it enters with: "
                     "bgref desk %s late-enter %s",
                     director->names[i], director->event->results, director->names[i]);
        }
    }
    return BG_OK;
}

enum bg_status director_load(struct director *director, struct ledger *ledger, int64_t now_s,
                             struct bg_error *err)
{
    struct store *store = ledger_store(ledger);
    enum bg_status status;

    director->ledger = ledger;
    if (!director_pairs(director)) {
        return BG_OK; /* nothing follows from its games */
    }
    status = find_seeds(director, err);
    if (status == BG_OK) {
        status =
            make_season(director, (const char *const *)director->seeds, director->seed_count, err);
    }
    if (status == BG_OK) {
        status = store_all_runs(store, false, on_run, director, err); /* acts follow from it */
    }
    if (status == BG_OK) {
        status = store_all_acts(store, on_act, director, err);
    }
    if (status == BG_OK && director->status != BG_OK) {
        status = director->status;
        *err = director->trouble;
    }
    if (status == BG_OK) {
        status = compare_bots(director, err);
    }
    if (status == BG_OK) {
        look(director);
        status = director_settle(director, now_s, err);
    }
    return status;
}

/* ------------------------------------------------------------------------ acting */

static void write_time(char out[ACT_AT], int64_t now_s)
{
    time_t time = (time_t)now_s;
    struct tm utc;

    gmtime_r(&time, &utc);
    strftime(out, ACT_AT, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* Takes acts that were put into the store; stored: what it returned. On BG_E_TIMEOUT they wait in
 * its queue and have their numbers, so they are taken too. */
static enum bg_status take_stored(struct director *director, const struct act *acts, size_t count,
                                  enum bg_status stored, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < count && status == BG_OK && (stored == BG_OK || stored == BG_E_TIMEOUT);
         i++) {
        status = take(director, &acts[i], err);
    }
    return status == BG_OK ? stored : status;
}

enum bg_status director_settle(struct director *director, int64_t now_s, struct bg_error *err)
{
    struct season_acts acts = {NULL, 0};
    enum bg_status status;
    char at[ACT_AT];

    if (director->status != BG_OK) {
        return bg_error_set(err, director->status, "%s", director->trouble.text);
    }
    if (!director->is_drawn || !director->is_stale) {
        return BG_OK;
    }
    write_time(at, now_s);
    status = season_follow(&acts, director->season, at, &director->trouble);
    if (status == BG_OK && acts.count > 0) {
        status = store_put_acts(ledger_store(director->ledger), acts.acts, acts.count,
                                &director->trouble);
    }
    free(acts.acts);
    /* On BG_E_TIMEOUT they wait in the store's queue, and the next call looks at them. */
    director->is_stale = status != BG_OK;
    if (status == BG_OK) {
        look(director);
    } else if (status != BG_E_TIMEOUT) {
        director->status = status;
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", director->trouble.text);
}

/* Stores one act of the referee and takes it. */
static enum bg_status act_once(struct director *director, enum act_kind kind, const char *bot,
                               const char *reason, int64_t now_s, struct bg_error *err)
{
    struct store *store = ledger_store(director->ledger);
    struct act act = {.number = 0};
    struct season *trial;
    enum bg_status status;

    write_time(act.at, now_s);
    snprintf(act.who, sizeof act.who, "bgref"); /* nobody has decided it */
    snprintf(act.kind, sizeof act.kind, "%s", act_rules[kind].name);
    snprintf(act.subject, sizeof act.subject, "bot=%s", bot);
    snprintf(act.reason, sizeof act.reason, "%s", reason);
    season_seal(&act, director->season);
    trial = season_clone(director->season); /* what is stored must be allowed */
    status = season_take(trial, &act, err);
    season_destroy(trial);
    if (status == BG_OK) {
        status = store_put_acts(store, &act, 1, err);
    }
    return take_stored(director, &act, 1, status, err);
}

/* Notes who is absent or quarantined now, and who is back. Errors as of director_settle. */
static enum bg_status look_for_absent(struct director *director, const struct entrants *entrants,
                                      int64_t now_s, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    /* Nobody is absent from an event that is over: a run may begin to judge its games. */
    for (int i = 0; director_pairs(director) && i < director->event->bot_count && status == BG_OK &&
                    !season_is_over(director->season) && !season_is_closed(director->season);
         i++) {
        const struct entrants_bot *bot = &entrants->list[i];
        int entrant = season_find(director->season, director->names[i]);
        enum season_state state =
            entrant < 0 ? SEASON_WITHDRAWN : season_entrant(director->season, entrant)->state;
        bool gone = bot->quarantined || (bot->absent && !bot->recalled);
        char reason[ACT_REASON];

        if (state == SEASON_IN && gone) {
            snprintf(reason, sizeof reason, "%s%s%.300s", bot->quarantined ? QUARANTINE : NO_START,
                     bot->quarantined || bot->absent_why[0] == '\0' ? "" : ": ",
                     bot->quarantined ? "" : bot->absent_why);
            status = act_once(director, ACT_ABSENT, director->names[i], reason, now_s, err);
            /* What the desk has noted, the desk ends: a bot that was sent away does not come back
             * by starting. */
        } else if (state == SEASON_ABSENT && !gone && bot->was_ready && entrant < director->known &&
                   director->is_ours[entrant]) {
            status = act_once(director, ACT_REINSTATE, director->names[i], "it starts again", now_s,
                              err);
        }
    }
    return status;
}

enum bg_status director_take(struct director *director, const struct act *acts, size_t count,
                             struct bg_error *err)
{
    enum bg_status status;

    if (!director_pairs(director)) {
        return BG_OK;
    }
    status = take_stored(director, acts, count, BG_OK, err);
    if (status == BG_OK) {
        look(director);
    }
    return status;
}

enum bg_status director_begin(struct director *director, const struct entrants *entrants,
                              int64_t now_s, struct bg_error *err)
{
    struct store *store = ledger_store(director->ledger);
    enum bg_status status = BG_OK;
    char tables[16];

    if (!director_pairs(director)) {
        return BG_OK;
    }
    if (!director->has_begun) {
        /* Before the first act: acts that stand are read again with these seeds, also when the
         * list of bots has changed meanwhile. */
        status = store_meta_set(store, SEEDS, director->seed_text, err);
    }
    if (status == BG_OK) {
        snprintf(tables, sizeof tables, "%d", director->event->concurrency);
        status = store_meta_set(store, TABLES, tables, err);
    }
    if (status == BG_OK) {
        status = look_for_absent(director, entrants, now_s, err);
    }
    if (status == BG_OK) {
        director->is_stale = director->has_begun = director->is_drawn = true;
        status = director_settle(director, now_s, err);
    }
    return status;
}

enum bg_status director_run(struct director *director, const struct entrants *entrants,
                            int64_t now_s, struct bg_error *err)
{
    enum bg_status status = entrants == NULL || director->status != BG_OK
                                ? BG_OK
                                : look_for_absent(director, entrants, now_s, err);

    return status == BG_OK ? director_settle(director, now_s, err) : status;
}

/* ------------------------------------------------------------------ in words */

/* Rounds of a stage for so many entrants; 0: without rounds, or unknown. */
static int rounds_of(const struct plan_stage *stage, int entrants)
{
    switch (stage->form) {
    case PLAN_CIRCLE:
        return circle_rounds(entrants, stage->cycles);
    case PLAN_SWISS:
        return stage->rounds > 0 ? stage->rounds : swiss_rounds(entrants);
    default:
        return 0;
    }
}

void director_round(char out[DISPLAY_ROUND], const struct director *director)
{
    const struct season *season = director->season;
    const struct plan *plan;
    int stage, round = 0, count, rounds;

    out[0] = '\0';
    plan = &director->plan;
    stage = season_stage(season);
    count = season_entrants(season);
    for (size_t i = season_meetings(season); i-- > 0;) {
        const struct season_meeting *meeting = season_meeting(season, i);

        if (meeting->stage != stage) {
            break;
        }
        round = meeting->meeting.round > round ? meeting->meeting.round : round;
    }
    if (round == 0 || stage >= plan->stages) {
        return;
    }
    rounds = stage == 0 && plan->stage[0].groups <= 1 ? rounds_of(&plan->stage[0], count) : 0;
    if (plan->stages > 1) {
        snprintf(out, DISPLAY_ROUND, "stage %d, ", stage + 1);
    }
    snprintf(out + strlen(out), DISPLAY_ROUND - strlen(out), "round %d", round);
    if (rounds > 0) {
        snprintf(out + strlen(out), DISPLAY_ROUND - strlen(out), " of %d", rounds);
    }
}

/* Walkovers because a bot was absent, as far as it was not withdrawn. In a ladder or league such a
 * meeting is void: nobody had to meet. */
static int lacking_meetings(const struct season *season)
{
    int count = 0;

    for (size_t i = 0; i < season_meetings(season); i++) {
        const struct season_meeting *seen = season_meeting(season, i);
        bool is_lacking = seen->end == SEASON_WALKOVER && !seen->by_desk;
        int side[2] = {seen->meeting.a, seen->meeting.b};

        for (int k = 0; k < 2 && is_lacking; k++) {
            is_lacking = season_entrant(season, side[k])->state != SEASON_WITHDRAWN;
        }
        count += is_lacking;
    }
    return count;
}

static bool is_absent(const struct season *season, int entrant)
{
    return season_entrant(season, entrant)->state == SEASON_ABSENT;
}

bool director_lacks_games(const struct director *director)
{
    const struct season *season = director->season;
    bool lacks = lacking_meetings(season) > 0;

    for (int i = 0; i < season_entrants(season) && !lacks; i++) {
        lacks = is_absent(season, i);
    }
    return lacks;
}

/* Whether this run tried to start it: then its last error is printed elsewhere. */
static bool was_tried(const struct entrants *entrants, const char *name)
{
    int bot = competitor_find(entrants->event->bots, entrants->event->bot_count, name);

    return bot >= 0 && entrants->list[bot].absent;
}

void director_print_lacking(FILE *out, const struct director *director,
                            const struct entrants *entrants)
{
    const struct season *season = director->season;
    int meetings = lacking_meetings(season);

    if (meetings > 0) {
        fprintf(out, "WALKOVERS: %d meeting%s not played, because a bot was absent\n", meetings,
                plural((uint64_t)meetings, " was", "s were"));
    }
    for (int i = 0; i < season_entrants(season); i++) {
        const char *name = season_entrant(season, i)->name;

        if (is_absent(season, i) && !was_tried(entrants, name)) {
            fprintf(out, "ABSENT: %s; 'bgref desk' reinstates or withdraws it\n", name);
        }
    }
}
