/* All that can be refused is refused before a game begins: the stream, the sandbox, the results
 * and their settings, the key of the dice. The settings are stored last, when the bots are ready
 * (preflight_play), so that an event whose bots do not start can be corrected and started again;
 * `fresh` results that were moved aside come back (preflight_undo). */
#include "preflight.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "../log.h"
#include "../loop/loop.h"
#include "bot/conditions.h"
#include "proof/desk_line.h"

/* Prints what of a file of positions is not used. */
static void note_left_out(const struct openings *openings)
{
    if (openings == NULL) {
        return;
    }
    if (openings->dice > 0 || openings->scores > 0 || openings->offers > 0) {
        log_warn("openings",
                 "of %zu positions dice are left out of %zu, length or score of %zu, a pending "
                 "double or resignation of %zu",
                 openings->count, openings->dice, openings->scores, openings->offers);
    }
    if (openings->bad > 0) {
        log_warn("openings", "%zu lines are left out, the first is %s", openings->bad,
                 openings->first_bad);
    }
}

enum bg_status preflight_results(struct preflight *preflight, struct bg_error *err)
{
    const struct config_event *event = preflight->event;
    enum bg_status status =
        feed_open(preflight->feed, event, director_source(preflight->director), err);

    if (status == BG_OK && director_pairs(preflight->director)) {
        feed_listen(preflight->feed, director_game, preflight->director);
    }
    if (status == BG_OK) {
        /* Before the results: with whom they may be played depends on whether bots are confined. */
        status = surroundings_choose(preflight->surroundings, event, err);
    }
    if (status == BG_OK) {
        /* Before a database is made: an undo removes only what this run has made. */
        fresh_look(&preflight->fresh, event->results);
    }
    if (status == BG_OK && event->fresh) {
        status = fresh_begin(&preflight->fresh, loop_calendar(), err);
    }
    if (status == BG_OK) {
        status = ledger_open(&preflight->ledger, event, preflight->surroundings->confined,
                             preflight->entrants->program, err);
    }
    if (status == BG_OK) {
        desk_clear(event->results);
    }
    if (status == BG_OK) {
        status = director_load(preflight->director, preflight->ledger, loop_calendar(), err);
        preflight->entrants->tolerant =
            preflight->entrants->tolerant || director_has_begun(preflight->director);
    }
    if (status == BG_OK) {
        status = ledger_open_key(preflight->ledger, director_source(preflight->director), err);
    }
    if (status == BG_OK) {
        status = surroundings_check_judge(event, preflight->ledger, err);
    }
    if (status == BG_OK) {
        /* After the key, by which they are shuffled. */
        openings_order_init(preflight->openings, event, ledger_first_key(preflight->ledger));
        note_left_out(event->positions);
    }
    if (status == BG_OK) {
        status = feed_begin(preflight->feed, preflight->ledger, preflight->command,
                            preflight->entrants->programs, err);
    }
    return status;
}

static bool note_steps(void *user, const struct store_steps *steps)
{
    (void)steps;
    *(bool *)user = true;
    return false;
}

/* Whether an earlier run has begun to play. What cannot be read now is found later. */
static bool has_begun(struct ledger *ledger)
{
    struct store *store = ledger_store(ledger);
    bool has_steps = false;

    (void)store_each_steps(store, NULL, note_steps, &has_steps, NULL);
    return has_steps || ledger_settled(ledger) > 0;
}

static enum bg_status open_door(struct preflight *preflight, struct loop *loop,
                                struct bg_error *err)
{
    const struct config_event *event = preflight->event;
    const struct door_setup setup = {.name = event->name,
                                     .listen = event->door.listen,
                                     .address = event->door.address,
                                     .key = event->door.key,
                                     .file = event->door.file,
                                     .bans = event->door.bans,
                                     .per_address = event->door.per_address,
                                     .connections = event->door.connections,
                                     .away_ns = event->door.appear_ns,
                                     .idle_ns = event->door.grace_ns,
                                     .bots = event->bots,
                                     .bot_count = event->bot_count,
                                     .status = bulletin_write,
                                     .status_user = &preflight->bulletin,
                                     .loop = loop};
    const struct lent_door_setup lent = {.fd = event->door.lender,
                                         .bots = event->bots,
                                         .bot_count = event->bot_count,
                                         .away_ns = event->door.appear_ns,
                                         .idle_ns = event->door.grace_ns,
                                         .goes_on = has_begun(preflight->ledger),
                                         .loop = loop};
    enum bg_status status;

    if (!config_event_has_remote(event)) {
        return BG_OK;
    }
    preflight->bulletin = (struct bulletin){.event = event,
                                            .ledger = preflight->ledger,
                                            .entrants = preflight->entrants,
                                            .director = preflight->director,
                                            .loop = loop};
    if (event->door.lender == 0) {
        return door_open(&preflight->door, &setup, err);
    }
    status = lent_door_open(&preflight->lent, &lent, err);
    return status == BG_OK
               ? lent_door_watch(preflight->lent, loop, bulletin_write, &preflight->bulletin, err)
               : status;
}

static const struct session_door *door_for_sessions(const struct preflight *preflight)
{
    if (preflight->lent != NULL) {
        return lent_door_of_sessions(preflight->lent);
    }
    return preflight->door == NULL ? NULL : door_of_sessions(preflight->door);
}

/* A cancelled event's Goodbye ends the stay, as that of one that has ended. */
static const char *say_end(struct preflight *preflight)
{
    const char *text = preflight->end == TOURNAMENT_PAUSED
                           ? "the event is paused, and goes on when its host says so"
                           : "the event is cancelled";

    if (preflight->door != NULL && preflight->end == TOURNAMENT_PAUSED) {
        door_ends(preflight->door, DOOR_SOME_TIME, text);
    }
    return text;
}

bool preflight_note_end(struct preflight *preflight, int value)
{
    preflight->end = value == TOURNAMENT_PAUSED || value == TOURNAMENT_CANCELLED
                         ? (enum tournament_end)value
                         : preflight->end;
    (void)preflight_interrupted(preflight, PREFLIGHT_INTERRUPTED);
    return preflight->end == TOURNAMENT_CANCELLED;
}

const char *preflight_interrupted(struct preflight *preflight, const char *why)
{
    const int64_t back_s = preflight->event->door.back_ns / INT64_C(1000000000);

    if (preflight->lent != NULL && lent_door_end(preflight->lent)[0] != '\0') {
        return lent_door_end(preflight->lent);
    }
    if (preflight->end != TOURNAMENT_INTERRUPTED) {
        return say_end(preflight);
    }
    if (preflight->door == NULL) {
        return why;
    }
    if (preflight->farewell[0] == '\0') {
        snprintf(preflight->farewell, sizeof preflight->farewell,
                 "%s and is expected to go on in %" PRId64 " s", why, back_s);
        door_ends(preflight->door, back_s, preflight->farewell);
    }
    return preflight->farewell;
}

void preflight_close_door(struct preflight *preflight)
{
    lent_door_close(preflight->lent);
    door_close(preflight->door);
    bulletin_deinit(&preflight->bulletin);
    preflight->lent = NULL;
    preflight->door = NULL;
}

enum bg_status preflight_start(struct preflight *preflight, const struct session_setup *setup,
                               struct roster *roster, struct bg_error *err)
{
    const struct config_event *event = preflight->event;
    struct session_setup shared = *setup;
    bool *needed = memory_zeroed((size_t)event->bot_count, sizeof *needed);
    enum bg_status status;

    /* A duel's name is often made from its bots' names, and opponents in pairs are not named. */
    shared.event = event->duplicate && event->bot_count == 2 ? "" : event->name;
    shared.rules = &event->rules;
    shared.enters_dice = event->manual_dice;
    shared.wants_thoughts = !event->drop_thoughts;
    shared.start_ns = event->start_ns;
    shared.ceiling_ns = event->ceiling_ns;
    shared.new_game_ns = event->new_game_ns;
    shared.memory_bytes = event->memory_bytes;
    shared.open_files = event->open_files;
    shared.confined = preflight->surroundings->confined;
    shared.pin = preflight->surroundings->pin;
    shared.hidden = event->results;
    fixture_queue_needed(needed, preflight->queue);
    status = open_door(preflight, setup->loop, err);
    shared.door = door_for_sessions(preflight);
    if (status == BG_OK) {
        status = entrants_start(preflight->entrants, needed, &shared, roster, err);
    }
    lent_door_ready(preflight->lent);
    free(needed);
    return status;
}

enum bg_status preflight_check(const struct preflight *preflight, struct bg_error *err)
{
    const struct entrants *entrants = preflight->entrants;
    bool *needed = memory_zeroed((size_t)preflight->event->bot_count, sizeof *needed);
    /* Once it has begun, its opponents win by walkover, and more may follow. */
    bool any = director_has_begun(preflight->director);
    int absent = -1;

    fixture_queue_needed(needed, preflight->queue);
    for (int i = 0; i < preflight->event->bot_count; i++) {
        any = any || needed[i];
        absent = entrants->list[i].absent ? i : absent;
    }
    free(needed);
    return any || absent < 0
               ? BG_OK
               : bg_error_set(err, BG_E_START,
                              "bot %s does not start: %s; the others have nothing to play",
                              entrants->names[absent], entrants->list[absent].absent_why);
}

enum bg_status preflight_store(const struct preflight *preflight, const struct identity *identities,
                               struct bg_error *err)
{
    enum bg_status status = ledger_begin(preflight->ledger, identities, loop_calendar(), err);

    if (status == BG_OK && identities != NULL) {
        status = director_begin(preflight->director, preflight->entrants, loop_calendar(), err);
    }
    return status;
}

/* Returns what a bot's processes sent in their Hello. */
static struct identity identity_of(const struct entrants_bot *entrant)
{
    struct identity identity = {.version = entrant->was_ready ? "" : NULL};

    for (int i = 0; i < entrant->session_count && identity.version != NULL; i++) {
        if (identity.version[0] == '\0') { /* "" while it is starting */
            identity = session_identity(entrant->sessions[i]);
        }
    }
    return identity;
}

/* The conditions of local bots; a remote one's author knows those of its machine. */
static void keep_conditions(const struct preflight *preflight)
{
    char conditions[CONDITIONS_TEXT];
    bool gnubg = false;

    for (int i = 0; i < preflight->event->bot_count; i++) {
        gnubg = gnubg || conditions_need_gnubg(preflight->event->bots[i].cmd);
    }
    conditions_here(conditions, gnubg);
    health_conditions(preflight->health, conditions);
}

enum bg_status preflight_play(struct preflight *preflight, int64_t now_ns, struct bg_error *err)
{
    struct identity *identities =
        memory_zeroed((size_t)preflight->event->bot_count, sizeof *identities);
    enum bg_status status = BG_OK;

    for (int i = 0; i < preflight->event->bot_count && status == BG_OK; i++) {
        identities[i] = identity_of(&preflight->entrants->list[i]);
    }
    if (status == BG_OK) {
        status = preflight_store(preflight, identities, err);
    }
    free(identities);
    if (status != BG_OK) {
        return status;
    }
    /* From here on the results have the settings, and are not taken back. */
    preflight->begun = true;
    if (preflight->fresh.kept[0] != '\0') {
        display_break(preflight->display);
        fprintf(stderr, "the old results are kept: %s\n", preflight->fresh.kept);
    }
    preflight->health->durable_decision = preflight->event->durable_decision;
    health_begin(preflight->health, ledger_store(preflight->ledger), preflight->command,
                 loop_calendar(), now_ns);
    keep_conditions(preflight);
    return BG_OK;
}

void preflight_undo(struct preflight *preflight)
{
    struct bg_error err;

    if (!preflight->begun && fresh_undo(&preflight->fresh, &err) != BG_OK) {
        log_error("event", "results=%s %s", preflight->event->results, err.text);
    }
}
