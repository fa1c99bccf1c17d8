/* A table is never destroyed from inside of its own calls: on_done() only notes its place, and
 * places_clear() clears it when the round of the loop settles. The free places are a stack, so
 * that with few tables the same low places are used, whose memory is warm. */
#include "places.h"

#include "base/memory.h"
#include "../log.h"
#include "base/plural.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts the fixture's two processes as used, or as free again. */
static void use(struct session *const sessions[2], int tables)
{
    *session_tables(sessions[0]) += tables;
    *session_tables(sessions[1]) += tables;
}

static bool is_elsewhere(const struct places *places)
{
    return places->elsewhere.ops != NULL;
}

int places_taken(const struct places *places)
{
    return places->live + places->committing +
           (is_elsewhere(places) ? places->elsewhere.ops->count(places->elsewhere.self) : 0);
}

int places_held(const struct places *places)
{
    int held = 0;

    for (int i = 0; i < places->event->concurrency; i++) {
        held += places->tables[i] != NULL && table_is_held(places->tables[i]);
    }
    return held;
}

/* A luck-adjusted test waits for its judge: only fixtures that complete a pair begin. */
static bool places_are_ahead(const struct places *places)
{
    return feed_is_ahead(places->feed,
                         ledger_settled(places->ledger) + (uint64_t)places_taken(places));
}

/* -------------------------------------------------------------------- tables */

static void on_done(void *user, struct table *table)
{
    struct places *places = user;

    /* Another machine may send the same fixture again, if the games of it are lost. */
    if (table_is_over(table) && places->supply.ops == NULL) {
        ledger_settle(places->ledger, table_fixture(table));
    }
    places->done[places->ended++] = table_place(table);
}

static void on_table_fault(void *user, const struct table_fault *fault)
{
    struct places *places = user;

    if (places->supply.ops != NULL) {
        places->supply.ops->fault(places->supply.self, fault);
    }
    offences_at_table(places->offences, fault);
}

static void on_began(void *user, const struct table *table, const char *game_id,
                     const struct bg_match *match)
{
    struct places *places = user;

    feed_game(places->feed, table, table_fixture(table), game_id, match);
}

static void on_stepped(void *user, const struct table *table, const struct record_made *made)
{
    const struct places *places = user;

    broadcast_step(places->feed->broadcast, table, made);
}

static void on_place_broken(void *user, const struct bg_error *err)
{
    struct places *places = user;

    places->listener->broken(places->user, err);
}

/* Tells the director; other games go on. */
static void on_held(void *user, const struct table_held *held)
{
    const struct places *places = user;
    struct events_held told = {.game_id = held->game_id};

    for (int seat = 0; seat < 2; seat++) {
        told.bot[seat] = fixture_bot(held->fixture, seat);
        told.said[seat] = held->said[seat];
        snprintf(places->entrants->list[told.bot[seat]].held, BG_GAME_ID, "%s", held->game_id);
    }
    feed_held(places->feed, &told);
    display_break(places->offences->display);
    log_warn("dice",
             "game=%s is held: the operators do not agree on a roll, %s sees %u and %s sees %u; "
             "look at the board, then interrupt the event and start it again (the roll is asked "
             "again), or void the pairing by the desk",
             held->game_id, held->name[0], (unsigned)held->said[0], held->name[1],
             (unsigned)held->said[1]);
}

static void on_ended(void *user, enum bg_end end)
{
    struct places *places = user;

    places->games_by_end[end]++;
}

static const struct table_listener table_listener = {
    on_done, on_table_fault, on_began, on_held, on_place_broken, on_ended, .stepped = NULL};
/* A look at each step costs time, so nobody looks where there are no pages. */
static const struct table_listener shown_listener = {
    on_done, on_table_fault, on_began, on_held, on_place_broken, on_ended, on_stepped};

/* The rules of a fixture: those of its pairing. */
static struct bg_rules rules_of(const struct places *places, const struct fixture *fixture)
{
    struct terms terms = source_terms(places->queue->source, fixture);

    return terms_rules(&places->event->rules, &terms);
}

/* Texts of a table's setup. */
struct papers {
    char digest[BG_KEY_HEX], committed[sizeof(struct commit_nonces) + 16];
};

/* nonces: with committed dice; NULL if the key alone determines the dice. Refuses to play if the
 * key is published, whatever the cause. */
static enum bg_status set_keys(struct table_setup *setup, struct papers *papers,
                               const struct places *places, const struct commit_nonces *nonces,
                               struct bg_error *err)
{
    const char *const *names = places->entrants->names;
    const struct fixture *fixture = &setup->fixture;
    struct bg_dice_key key;
    enum bg_status status = ledger_key_of(&key, places->ledger, fixture, err);

    if (status == BG_OK && ledger_key_is_public(places->ledger)) {
        status = bg_error_set(err, BG_E_STORE,
                              "results %s: the key of the dice is published, so nothing can be "
                              "played under it; give other --results",
                              places->event->results);
    }
    if (status != BG_OK) {
        return status;
    }
    bg_dice_key_digest(papers->digest, &key);
    setup->key_digest = papers->digest;
    bg_dice_id_key(&setup->id_key, &key);
    bg_dice_pair_key(&setup->pair_key, &key,
                     &(struct bg_dice_pair){.a = names[fixture->a],
                                            .b = names[fixture->b],
                                            .pair = fixture->pair,
                                            .attempt = setup->attempt,
                                            .nonce_a = nonces == NULL ? NULL : nonces->a,
                                            .nonce_b = nonces == NULL ? NULL : nonces->b});
    if (nonces != NULL) {
        snprintf(papers->committed, sizeof papers->committed, "committed %s %s", nonces->a,
                 nonces->b);
        setup->dice_kind = papers->committed;
    }
    return BG_OK;
}

/* A table of no sessions, which nobody listens to yet. */
static struct table_setup setup_of(struct places *places, const struct fixture *fixture)
{
    return (struct table_setup){
        .event = places->event,
        .rules = rules_of(places, fixture),
        .dice_kind = ledger_dice(places->ledger),
        .programs = places->entrants->programs,
        .trust = ledger_trust(places->ledger),
        .host = places->host,
        .fixture = *fixture,
        .attempt = ledger_attempt(places->ledger, fixture),
        .start = openings_order_of_pair(places->openings, fixture->pair),
        .begun = ledger_is_begun(places->ledger, fixture),
        .sink = game_sink_of(ledger_store(places->ledger)),
        .user = places,
    };
}

static bool open_table(struct places *places, const struct fixture *fixture,
                       struct session *const sessions[2], const struct commit_nonces *nonces)
{
    struct table_setup setup = setup_of(places, fixture);
    struct table **place;
    struct papers papers;
    struct bg_error err;
    enum bg_status status = BG_OK;

    setup.listener = places->feed->broadcast == NULL ? &table_listener : &shown_listener;
    setup.marks = ledger_draws_anew(places->ledger);
    setup.session[0] = sessions[0];
    setup.session[1] = sessions[1];
    setup.place = places->free[places->event->concurrency - places->live - 1];
    place = &places->tables[setup.place];
    if (places->supply.ops != NULL) {
        places->supply.ops->dress(places->supply.self, &setup);
    } else {
        status = set_keys(&setup, &papers, places, nonces, &err);
    }
    if (status == BG_OK) {
        feed_fixture(places->feed, fixture);
        status = table_open(place, &setup, &err);
    }
    if (status != BG_OK) {
        on_place_broken(places, &err);
        return false;
    }
    places->live++;
    use(sessions, 1);
    /* All is noted before: the game may be over inside of this call. */
    table_advance(*place);
    return true;
}

/* Nobody has to look at this game any more. */
static void forget_held(const struct places *places, const struct table *table)
{
    for (int seat = 0; seat < 2; seat++) {
        int bot = fixture_bot(table_fixture(table), seat);

        places->entrants->list[bot].held[0] = '\0';
    }
}

static void clear_table(struct places *places, int place)
{
    struct table *table = places->tables[place];

    if (table_is_held(table)) {
        forget_held(places, table);
    }
    use((struct session *const[]){table_session(table, 0), table_session(table, 1)}, -1);
    places->given_up += !table_is_done(table);
    broadcast_void(places->feed->broadcast, table);
    if (places->supply.ops != NULL) {
        places->supply.ops->left(places->supply.self, table_fixture(table), table_is_over(table));
    }
    table_destroy(table);
    places->tables[place] = NULL;
    places->live--;
    places->free[places->event->concurrency - places->live - 1] = place;
}

void places_tell_away(struct places *places)
{
    const bool had_away = places->has_away;

    places->has_away = false;
    for (int i = 0; i < places->event->concurrency && places->feed->broadcast != NULL; i++) {
        const struct table *table = places->tables[i];
        bool is_away[2] = {false, false};

        for (int seat = 0; table != NULL && seat < 2; seat++) {
            is_away[seat] = session_is_away(table_session(table, seat));
            places->has_away = places->has_away || is_away[seat];
        }
        if (table != NULL && (had_away || is_away[0] || is_away[1])) {
            broadcast_away(places->feed->broadcast, table, is_away);
        }
    }
}

/* Returns false if the desk voided the fixture or gave it up. */
static bool is_to_be_played(const struct places *places, const struct fixture *fixture)
{
    return source_has(places->queue->source, fixture) &&
           !ledger_is_settled(places->ledger, fixture);
}

/* ------------------------------------------------------------------ played elsewhere */

static enum bg_status hand_over(struct places *places, const struct fixture *fixture,
                                struct bg_error *err)
{
    struct table_setup setup = setup_of(places, fixture);
    struct papers papers;
    enum bg_status status = set_keys(&setup, &papers, places, NULL, err);

    if (status == BG_OK) {
        feed_fixture(places->feed, fixture);
        places->elsewhere.ops->play(places->elsewhere.self, &setup);
    }
    return status;
}

/* Its evidence charges the bot as at a table here, before the game goes to the store. */
static void charge_for(const struct places *places, const struct fixture *fixture,
                       const struct store_game *game, const char *message)
{
    const struct store_fault *evidence = game->evidence;
    const char *const *names = places->entrants->names;
    struct table_fault fault = {.fault = evidence->fault,
                                .game_id = game->id,
                                .message = message,
                                .rule = evidence->rule == NULL ? "" : evidence->rule,
                                .reply = evidence->reply == NULL ? "" : evidence->reply,
                                .said = evidence->stderr_tail};

    fault.bot = strcmp(evidence->bot, names[fixture->a]) == 0 ? fixture->a : fixture->b;
    offences_at_table(places->offences, &fault);
}

static enum bg_status on_played(void *user, const struct fixture *fixture, struct store_game *take,
                                const char *message, struct bg_error *err)
{
    struct places *places = user;
    const bool is_over = take->match_over;
    enum bg_status status;

    if (take->evidence != NULL) {
        charge_for(places, fixture, take, message);
    }
    places->games_by_end[take->end]++;
    status = store_put_game(ledger_store(places->ledger), take, err);
    if (status == BG_OK && is_over) {
        ledger_settle(places->ledger, fixture);
    } else if (status == BG_OK) {
        ledger_leave(places->ledger, fixture);
    }
    return status;
}

static void on_unplayable(void *user, const struct fixture *fixture, const char *why)
{
    struct places *places = user;

    offences_unplayable(places->offences, fixture, why);
}

static const struct elsewhere_listener elsewhere_listener = {on_played, on_unplayable,
                                                             on_place_broken};

enum bg_status places_open_elsewhere(struct places *places, struct loop *loop, struct bg_error *err)
{
    const struct elsewhere_setup setup = {.event = places->event,
                                          .loop = loop,
                                          .ledger = places->ledger,
                                          .names = places->entrants->names,
                                          .programs = places->entrants->programs,
                                          .listener = &elsewhere_listener,
                                          .user = places};

    return is_elsewhere(places) ? places->elsewhere.ops->open(places->elsewhere.self, &setup, err)
                                : BG_OK;
}

/* -------------------------------------------------------------- matches that are left */

bool places_is_match(const struct places *places, const struct fixture *fixture)
{
    return !config_event_has_form(places->event) && !places->event->manual_dice &&
           rules_of(places, fixture).length_points > 1;
}

static void on_lost(void *user, struct table *table)
{
    const struct places *places = user;

    ledger_settle(places->ledger, table_fixture(table));
}

/* Of a table without sessions; it never holds a game. */
static const struct table_listener lost_listener = {
    .done = on_lost,
    .fault = on_table_fault,
    .began = on_began,
    .broken = on_place_broken,
    .ended = on_ended,
};

/* Reads what the table needs. *found: the fixture has its dice. */
static enum bg_status find_dice(struct commit_nonces *nonces, bool *found,
                                const struct places *places, const struct fixture *fixture,
                                struct bg_error *err)
{
    struct store *store = ledger_store(places->ledger);
    enum bg_status status = store->ops->flush(store, err); /* its games will be read */

    *found = true;
    return status == BG_OK && places->commit != NULL
               ? commit_find(nonces, found, places->commit, fixture, err)
               : status;
}

enum places_loss places_lose_match(struct places *places, const struct fixture *fixture, int bot,
                                   const char *why, struct bg_error *err)
{
    struct table_setup setup = setup_of(places, fixture);
    struct commit_nonces nonces;
    struct table *table = NULL;
    struct papers papers;
    bool found, is_over = false;
    enum bg_status status;

    if (!setup.begun) {
        return PLACES_NOTHING;
    }
    status = find_dice(&nonces, &found, places, fixture, err);
    if (status != BG_OK) {
        return PLACES_LATER;
    }
    setup.listener = &lost_listener;
    status =
        set_keys(&setup, &papers, places, places->commit != NULL && found ? &nonces : NULL, err);
    if (status == BG_OK && found) {
        status = table_open(&table, &setup, err);
    }
    if (status != BG_OK) {
        on_place_broken(places, err);
    } else if (table != NULL) {
        table_forfeit_match(table, fixture_bot(fixture, 0) == bot ? 0 : 1, why);
        is_over = table_is_over(table);
    }
    table_destroy(table);
    return is_over ? PLACES_LOST : PLACES_NOTHING;
}

/* A quarantined bot does not play on. A match that a remote one has begun is lost: else faults that
 * cost no game would be a way out of it. */
static void leave_fixture(void *user, const struct fixture *fixture, int bot)
{
    struct places *places = user;
    const int faults = places->entrants->list[bot].faults;
    enum places_loss loss = PLACES_NOTHING;
    struct bg_error err;
    char why[100];

    if (places->event->bots[bot].remote && places_is_match(places, fixture)) {
        snprintf(why, sizeof why, PLACES_QUARANTINED, faults,
                 plural((uint64_t)faults, "fault", "faults"));
        loss = places_lose_match(places, fixture, bot, why, &err);
    }
    if (loss == PLACES_LATER) {
        on_place_broken(places, &err);
    } else if (loss == PLACES_NOTHING) {
        offences_give_up(places->offences, fixture, bot);
    }
}

/* A remote bot that has left loses its running games: else it would play them again, with dice that
 * it knows. */
static void forfeit(const struct places *places, struct table *table, int bot, bool is_absent)
{
    int seat = session_bot_index(table_session(table, 0)) == bot ? 0 : 1;

    if (!places->event->bots[bot].remote || table_is_done(table)) {
        return;
    }
    if (is_absent) {
        table_forfeit(table, seat, BG_FAULT_SILENT, places->entrants->list[bot].absent_why);
    } else if (places_is_match(places, table_fixture(table))) {
        table_forfeit(table, seat, BG_FAULT_GONE, "it was quarantined: the match is lost");
    }
    /* It may have games now, and goes on in this run, or is lost by one more. */
    ledger_leave(places->ledger, table_fixture(table));
}

/* A table that is done still has to tell its bots the end, when it is durable. */
static bool is_telling(const struct table *table)
{
    return table_is_done(table) && table_is_waiting(table);
}

/* A fixture that is played elsewhere, after a change of who plays what. */
static bool is_kept_elsewhere(void *user, const struct fixture *fixture)
{
    struct places *places = user;
    const int bot = entrants_quarantined(places->entrants, fixture);

    if (bot >= 0) {
        leave_fixture(places, fixture, bot);
    }
    return bot < 0 && entrants_absent(places->entrants, fixture) < 0 &&
           is_to_be_played(places, fixture);
}

static void clear_left(struct places *places, bool all)
{
    if (is_elsewhere(places)) {
        places->elsewhere.ops->review(places->elsewhere.self, is_kept_elsewhere, places);
    }
    for (int i = 0; i < places->event->concurrency; i++) {
        struct table *table = places->tables[i];
        int bot;

        if (table == NULL || (!all && is_telling(table))) {
            continue;
        }
        bot = entrants_absent(places->entrants, table_fixture(table));
        if (bot >= 0) {
            forfeit(places, table, bot, true);
        }
        bot = entrants_quarantined(places->entrants, table_fixture(table));
        if (bot >= 0) {
            forfeit(places, table, bot, false);
        }
        if (bot >= 0 && !table_is_done(table)) {
            leave_fixture(places, table_fixture(table), bot);
        }
        if (!table_is_done(table) &&
            (entrants_absent(places->entrants, table_fixture(table)) >= 0 ||
             !is_to_be_played(places, table_fixture(table)) ||
             ledger_attempt(places->ledger, table_fixture(table)) != table_attempt(table))) {
            ledger_leave(places->ledger, table_fixture(table));
            clear_table(places, i);
        } else if (all || ((bot >= 0 || table_is_done(table)) && !is_telling(table))) {
            clear_table(places, i);
        }
    }
}

void places_clear(struct places *places, enum places_what what)
{
    int waiting = 0;

    if (what != PLACES_DONE) {
        clear_left(places, what == PLACES_ALL);
    }
    for (int i = 0; i < places->ended && what == PLACES_DONE; i++) {
        if (!table_is_waiting(places->tables[places->done[i]])) {
            clear_table(places, places->done[i]);
        }
    }
    for (int i = 0; i < places->ended; i++) { /* those that still have to tell their bots the end */
        if (places->tables[places->done[i]] != NULL) {
            places->done[waiting++] = places->done[i];
        }
    }
    places->ended = waiting;
}

void places_on_durable(struct places *places)
{
    struct store *store = ledger_store(places->ledger);
    uint64_t durable;

    if (is_elsewhere(places)) {
        store->ops->progress(store, NULL, &durable, NULL);
        places->elsewhere.ops->durable(places->elsewhere.self, durable);
    }
    if (!places->event->durable_decision && !ledger_draws_anew(places->ledger)) {
        return;
    }
    store->ops->progress(store, NULL, &durable, NULL);
    for (int i = 0; i < places->event->concurrency; i++) {
        if (places->tables[i] != NULL && table_is_waiting(places->tables[i])) {
            table_on_durable(places->tables[i], durable);
        }
    }
}

void places_stop(struct places *places)
{
    /* First, as a table that stops may free a place, which must not be filled again. */
    places->is_closed = true;
    for (int i = 0; i < places->event->concurrency; i++) {
        if (places->tables[i] != NULL) {
            table_stop(places->tables[i]);
        }
    }
}

/* -------------------------------------------------------------- committed dice */

static void on_agreed(void *user, const struct fixture *fixture, struct session *const sessions[2],
                      const struct commit_nonces *nonces)
{
    struct places *places = user;

    places->committing--;
    use(sessions, -1);
    if (!places->is_closed && is_to_be_played(places, fixture)) {
        open_table(places, fixture, sessions, nonces);
    }
}

/* The fixture is tried again until a bot that refuses is quarantined. */
static void on_not_agreed(void *user, const struct fixture *fixture,
                          struct session *const sessions[2], int bot, const char *message)
{
    struct places *places = user;

    places->committing--;
    use(sessions, -1);
    if (bot >= 0) {
        offences_charge(
            places->offences,
            &(struct events_fault){.bot = bot, .fault = BG_FAULT_START, .message = message}, "");
    }
    bot = entrants_quarantined(places->entrants, fixture);
    if (bot >= 0) {
        leave_fixture(places, fixture, bot);
    } else if (entrants_absent(places->entrants, fixture) < 0 && is_to_be_played(places, fixture)) {
        fixture_queue_put_back(places->queue, fixture);
    }
}

static const struct commit_listener commit_listener = {on_agreed, on_not_agreed, on_place_broken};

void places_settle(struct places *places, int64_t now_ns)
{
    if (places->commit != NULL) {
        commit_settle(places->commit, now_ns);
    }
}

/* --------------------------------------------------------------- new fixtures */

/* The games of a begun fixture will be read. One that was cut off is played again with other dice,
 * else a bot would know them. */
static enum bg_status take_up(struct places *places, const struct fixture *fixture,
                              struct bg_error *err)
{
    struct store *store = ledger_store(places->ledger);
    char at[ANEW_TIME], reason[] = ANEW_REASON;
    struct store_attempt attempt = {.a = places->event->bots[fixture->a].name,
                                    .b = places->event->bots[fixture->b].name,
                                    .pair = fixture->pair,
                                    .reason = reason,
                                    .at = at};
    enum bg_status status = store->ops->flush(store, err);

    if (status == BG_OK) {
        status = ledger_draw_anew(at, places->ledger, fixture, loop_calendar(), err);
    }
    if (status == BG_OK && at[0] != '\0') {
        attempt.attempt = ledger_attempt(places->ledger, fixture);
        log_warn("event",
                 "pair=%s|%s|%" PRIu64 " attempt=%" PRIu64 " " ANEW_REASON
                 ": it is played again with other dice",
                 attempt.a, attempt.b, fixture->pair, attempt.attempt);
        feed_drawn_anew(places->feed, &attempt);
    }
    return status;
}

static bool begin(struct places *places, const struct fixture *fixture,
                  struct session *const sessions[2], int64_t now_ns)
{
    struct commit_nonces nonces;
    struct bg_error err;
    bool found = false;
    enum bg_status status =
        ledger_is_begun(places->ledger, fixture) ? take_up(places, fixture, &err) : BG_OK;

    if (status == BG_OK && places->commit != NULL) {
        status = commit_find(&nonces, &found, places->commit, fixture, &err);
    }
    if (!places->listener->heed(places->user, status, &err)) {
        fixture_queue_put_back(places->queue, fixture);
        return false;
    }
    if (is_elsewhere(places)) {
        status = hand_over(places, fixture, &err);
        if (status != BG_OK) {
            on_place_broken(places, &err);
        }
        return status == BG_OK;
    }
    if (places->commit == NULL) {
        return open_table(places, fixture, sessions, NULL);
    }
    if (found) {
        return open_table(places, fixture, sessions, &nonces);
    }
    places->committing++;
    use(sessions, 1);
    commit_ask(places->commit, fixture, sessions, now_ns);
    return true;
}

void places_fill(struct places *places, int64_t now_ns)
{
    struct fixture fixture;
    struct session *sessions[2];
    const struct elsewhere *elsewhere = &places->elsewhere;
    bool has_begun = true;

    while (has_begun && !places->is_closed && !places->is_held &&
           (is_elsewhere(places) ? elsewhere->ops->room(elsewhere->self) > 0
                                 : places_taken(places) < places->event->concurrency) &&
           !places_are_ahead(places) && fixture_queue_next(&fixture, sessions, places->queue)) {
        has_begun = begin(places, &fixture, sessions, now_ns);
    }
    if (is_elsewhere(places)) {
        elsewhere->ops->flush(elsewhere->self);
    }
}

/* ------------------------------------------------------------------- setting up */

static bool has(const struct table *table, const struct session *session)
{
    return table_session(table, 0) == session || table_session(table, 1) == session;
}

static size_t list_games(void *user, const struct session *session, const char **out, size_t most)
{
    const struct places *places = user;
    size_t count = 0;

    for (int i = 0; i < places->event->concurrency && count < most; i++) {
        const struct table *table = places->tables[i];

        if (table != NULL && has(table, session) && table_game(table) != NULL) {
            out[count++] = table_game(table);
        }
    }
    return count;
}

void places_init(struct places *places)
{
    const struct commit_setup setup = {.names = places->entrants->names,
                                       .key = ledger_key(places->ledger),
                                       .key_number = ledger_key_number(places->ledger),
                                       .ledger = places->ledger,
                                       .store = ledger_store(places->ledger),
                                       .limit_ns = places->event->new_game_ns,
                                       .listener = &commit_listener,
                                       .user = places};

    places->games = (struct session_games){list_games, places};
    places->tables = memory_zeroed((size_t)places->event->concurrency, sizeof *places->tables);
    places->free = memory_zeroed((size_t)places->event->concurrency, sizeof *places->free);
    places->done = memory_zeroed((size_t)places->event->concurrency, sizeof *places->done);
    for (int i = 0; i < places->event->concurrency; i++) {
        places->free[i] = places->event->concurrency - 1 - i;
    }
    if (places->event->commit) {
        commit_create(&places->commit, &setup, places->event->concurrency);
    }
}

void places_deinit(struct places *places)
{
    for (int i = 0; places->tables != NULL && i < places->event->concurrency; i++) {
        table_destroy(places->tables[i]);
    }
    free(places->tables);
    free(places->free);
    free(places->done);
    places->tables = NULL;
    places->free = places->done = NULL;
    commit_destroy(places->commit);
    places->commit = NULL;
}

/* ---------------------------------------------------------------------- the queue */

static bool is_same_fixture(const struct fixture *x, const struct fixture *y)
{
    return x->a == y->a && x->b == y->b && x->pair == y->pair && x->leg == y->leg;
}

/* Returns whether a fixture is being played, or its bots are asked for their nonces. */
static bool is_taken(void *user, const struct fixture *fixture)
{
    const struct places *places = user;
    bool taken =
        (places->commit != NULL && commit_has(places->commit, fixture)) ||
        (is_elsewhere(places) && places->elsewhere.ops->has(places->elsewhere.self, fixture));

    for (int i = 0; i < places->event->concurrency && !taken; i++) {
        const struct table *table = places->tables[i];

        taken = table != NULL && is_same_fixture(table_fixture(table), fixture);
    }
    return taken;
}

void places_open_queue(struct places *places, const struct source *source)
{
    *places->queue = (struct fixture_queue){.source = source,
                                            .ledger = places->ledger,
                                            .entrants = places->entrants,
                                            .unplayed = leave_fixture,
                                            .taken = is_taken,
                                            .user = places};
    fixture_queue_init(places->queue, places->event->concurrency);
}
