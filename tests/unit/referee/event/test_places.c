/* The places of an event: the number of fixtures that run at once, the reasons to wait, how tables
 * are cleared away, and committed dice. Tables, queue, ledger and the rest are doubles. */
#include "event/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

enum { TABLES_MAX = 12, PLACES = 3 };

struct session {
    int tables;
};

struct table {
    struct fixture fixture;
    struct session *session[2];
    struct table_listener listener;
    void *user;
    int place;
    char dice[160];
    bool is_over, is_done, is_stopped, is_open, is_waiting;
    uint64_t told; /* to table_on_durable */
};

static struct session seats[2];
static struct session *const pair[2] = {&seats[0], &seats[1]};
static struct table tables[TABLES_MAX];
static int opened, queued, put_back, given_up, left, settled, charged, held;
static int quarantined, absent, forfeits;
static struct competitor bots[2];
static struct entrants_bot list[2];
static uint64_t anew;        /* attempts of every pair */
static int64_t settled_pair; /* given up by the desk; -1 none */
static char lost_why[120];   /* the latest match that was lost without a table: seat and text */
static bool has_games;       /* the store has games of it */
static bool heeds, key_is_public, begun, committed, found, draws_anew;
static int drawn_anew; /* pairs */
static enum bg_status open_status, flushed;
static char broken_text[200];
static struct commit_setup commit;
static int asked;
static char at_table[120]; /* the latest fault: bot, game, message */

/* ------------------------------------------------------------------------- doubles */

int *session_tables(struct session *session)
{
    return &session->tables;
}

enum bg_status table_open(struct table **out, const struct table_setup *setup, struct bg_error *err)
{
    struct table *table = &tables[opened];

    if (open_status != BG_OK) {
        return bg_error_set(err, open_status, "the disk is gone");
    }
    ck_assert_int_lt(opened++, TABLES_MAX);
    *table = (struct table){.fixture = setup->fixture,
                            .session = {setup->session[0], setup->session[1]},
                            .listener = *setup->listener,
                            .user = setup->user,
                            .place = setup->place,
                            .is_open = true};
    snprintf(table->dice, sizeof table->dice, "%s", setup->dice_kind);
    *out = table;
    return BG_OK;
}

void table_advance(struct table *table)
{
    ck_assert(table->is_open);
}

void table_destroy(struct table *table)
{
    if (table != NULL) {
        table->is_open = false;
    }
}

void table_stop(struct table *table)
{
    table->is_stopped = true;
}

bool session_is_away(const struct session *session)
{
    (void)session;
    return false;
}

int session_bot_index(const struct session *session)
{
    return (int)(session - seats);
}

void table_forfeit(struct table *table, int seat, enum bg_fault fault, const char *message)
{
    forfeits++;
    ck_assert_int_eq(seat, absent >= 0 ? absent : quarantined);
    ck_assert_int_eq(fault, absent >= 0 ? BG_FAULT_SILENT : BG_FAULT_GONE);
    ck_assert_str_eq(message,
                     absent >= 0 ? "gone fishing" : "it was quarantined: the match is lost");
    table->is_done = true;
    table->listener.done(table->user, table);
}

void table_forfeit_match(struct table *table, int seat, const char *message)
{
    ck_assert_ptr_null(table->session[0]);
    ck_assert_ptr_null(table->session[1]);
    snprintf(lost_why, sizeof lost_why, "%d %s", seat, message);
    if (has_games) {
        table->is_over = table->is_done = true;
        table->listener.done(table->user, table);
    }
}

const struct fixture *table_fixture(const struct table *table)
{
    return &table->fixture;
}

uint64_t table_attempt(const struct table *table)
{
    return 0;
}

int table_place(const struct table *table)
{
    return table->place;
}

struct session *table_session(const struct table *table, int seat)
{
    return table->session[seat];
}

const char *table_game(const struct table *table)
{
    return table->is_done ? NULL : table->dice;
}

bool table_is_over(const struct table *table)
{
    return table->is_over;
}

bool table_is_held(const struct table *table)
{
    return false;
}

bool table_is_done(const struct table *table)
{
    return table->is_done;
}

bool table_is_waiting(const struct table *table)
{
    return table->is_waiting;
}

void table_on_durable(struct table *table, uint64_t durable)
{
    ck_assert(table->is_waiting);
    table->told = durable;
    table->is_waiting = durable < 5;
}

void commit_create(struct commit **out, const struct commit_setup *setup, int room)
{
    ck_assert_int_eq(room, PLACES);
    commit = *setup;
    *out = (struct commit *)&commit;
}

void commit_destroy(struct commit *gone)
{
}

enum bg_status commit_find(struct commit_nonces *out, bool *there, const struct commit *of,
                           const struct fixture *fixture, struct bg_error *err)
{
    *there = found;
    strcpy(out->a, "aa");
    strcpy(out->b, "bb");
    return BG_OK;
}

void commit_ask(struct commit *of, const struct fixture *fixture, struct session *const sessions[2],
                int64_t now_ns)
{
    asked++;
}

bool commit_has(const struct commit *of, const struct fixture *fixture)
{
    return false;
}

void commit_settle(struct commit *of, int64_t now_ns)
{
}

bool fixture_queue_next(struct fixture *out, struct session *sessions[2],
                        struct fixture_queue *queue)
{
    if (queued == 0) {
        return false;
    }
    queued--;
    *out = (struct fixture){0, 1, (uint64_t)queued, 0};
    sessions[0] = pair[0];
    sessions[1] = pair[1];
    return true;
}

void fixture_queue_put_back(struct fixture_queue *queue, const struct fixture *fixture)
{
    put_back++;
}

void fixture_queue_init(struct fixture_queue *queue, int room)
{
    ck_assert_int_eq(room, PLACES);
}

void offences_at_table(struct offences *offences, const struct table_fault *fault)
{
    snprintf(at_table, sizeof at_table, "%d %s %s", fault->bot, fault->game_id, fault->message);
}

void offences_charge(struct offences *offences, const struct events_fault *fault, const char *said)
{
    ck_assert_int_eq(fault->fault, BG_FAULT_START);
    charged++;
}

void offences_unplayable(struct offences *offences, const struct fixture *fixture, const char *why)
{
    given_up++;
    ck_assert_str_eq(why, "nobody can play it");
}

void offences_give_up(struct offences *offences, const struct fixture *fixture, int bot)
{
    ck_assert_int_eq(bot, quarantined);
    given_up++;
}

int entrants_quarantined(const struct entrants *entrants, const struct fixture *fixture)
{
    return quarantined;
}

int entrants_absent(const struct entrants *entrants, const struct fixture *fixture)
{
    return absent;
}

void feed_fixture(struct feed *feed, const struct fixture *fixture)
{
}

void feed_held(struct feed *feed, const struct events_held *told)
{
}

void feed_game(struct feed *feed, const void *table, const struct fixture *fixture, const char *id,
               const struct bg_match *match)
{
}

bool feed_is_ahead(const struct feed *feed, uint64_t all_begun)
{
    return false;
}

static enum bg_status flush(struct store *store, struct bg_error *err)
{
    return flushed;
}

static uint64_t durable;

static void progress(struct store *store, uint64_t *put, uint64_t *out,
                     struct duration_histogram *commits)
{
    ck_assert(put == NULL && commits == NULL);
    *out = durable;
}

static int stored;

static enum bg_status put(struct store *store, struct store_item *item, struct bg_error *err)
{
    ck_assert_int_eq(item->kind, STORE_ITEM_GAME);

    store_item_free(item);
    stored++;
    return BG_OK;
}

static const struct store_ops ops = {.flush = flush, .progress = progress, .put = put};
static struct store store = {&ops};

struct store *ledger_store(struct ledger *ledger)
{
    return &store;
}

const struct bg_dice_key *ledger_key(const struct ledger *ledger)
{
    static const struct bg_dice_key key;

    return &key;
}

int ledger_key_number(const struct ledger *ledger)
{
    return 1;
}

bool ledger_key_is_public(const struct ledger *ledger)
{
    return key_is_public;
}

enum bg_status ledger_key_of(struct bg_dice_key *out, const struct ledger *ledger,
                             const struct fixture *fixture, struct bg_error *err)
{
    *out = *ledger_key(ledger);
    return BG_OK;
}

bool ledger_draws_anew(const struct ledger *ledger)
{
    return draws_anew;
}

enum bg_status ledger_draw_anew(char at[ANEW_TIME], struct ledger *ledger,
                                const struct fixture *fixture, int64_t now_s, struct bg_error *err)
{
    strcpy(at, draws_anew ? "2026-11-26T00:00:00Z" : "");
    return BG_OK;
}

void feed_drawn_anew(struct feed *feed, const struct store_attempt *attempt)
{
    drawn_anew++;
}

const char *ledger_dice(const struct ledger *ledger)
{
    return "keyed";
}

const char *ledger_trust(const struct ledger *ledger)
{
    return "own";
}

uint64_t ledger_attempt(const struct ledger *ledger, const struct fixture *fixture)
{
    return anew;
}

bool ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture)
{
    return settled_pair >= 0 && fixture->pair == (uint64_t)settled_pair;
}

bool ledger_is_begun(const struct ledger *ledger, const struct fixture *fixture)
{
    return begun;
}

uint64_t ledger_settled(const struct ledger *ledger)
{
    return (uint64_t)settled;
}

void ledger_settle(struct ledger *ledger, const struct fixture *fixture)
{
    settled++;
}

void ledger_leave(struct ledger *ledger, const struct fixture *fixture)
{
    left++;
}

static bool on_heed(void *user, enum bg_status status, struct bg_error *err)
{
    held += !heeds;
    return heeds;
}

static void on_broken(void *user, const struct bg_error *err)
{
    snprintf(broken_text, sizeof broken_text, "%s", err->text);
}

/* --------------------------------------------------------------------------- tests */

void display_break(struct display *display)
{
}

static const struct places_listener listener = {on_heed, on_broken};
static const char *names[] = {"anna", "bert"};
static struct config_event event;
static struct entrants entrants;
static uint64_t number_of(const struct source *source, const struct fixture *fixture)
{
    return fixture->pair;
}

static const struct source_ops source_ops = {.number = number_of};
static const struct source source = {&source_ops, 2, 1};
static struct fixture_queue queue = {.source = &source};
static struct places places;
static const struct openings_order openings; /* games begin from the set-up */

static struct feed nobody_watches;

static void begin(void)
{
    seats[0].tables = seats[1].tables = 0;
    opened = queued = put_back = given_up = left = settled = charged = held = asked = 0;
    quarantined = absent = -1;
    settled_pair = -1;
    anew = 0;
    heeds = true;
    key_is_public = begun = found = draws_anew = false;
    drawn_anew = 0;
    has_games = false;
    lost_why[0] = '\0';
    open_status = flushed = BG_OK;
    broken_text[0] = '\0';
    memset(&event, 0, sizeof event);
    event.concurrency = PLACES;
    event.commit = committed;
    memset(bots, 0, sizeof bots);
    memset(list, 0, sizeof list);
    event.bots = bots;
    forfeits = 0;
    entrants = (struct entrants){.event = &event, .names = names, .list = list};
    places = (struct places){.feed = &nobody_watches,
                             .event = &event,
                             .entrants = &entrants,
                             .openings = &openings,
                             .queue = &queue,
                             .listener = &listener};
    places_init(&places);
}

static void begin_keyed(void)
{
    committed = false;
    begin();
}

static void begin_committed(void)
{
    committed = true;
    begin();
}

static void end(void)
{
    places_deinit(&places);
}

/* The table reports that it is done. */
static void finish(int number, bool is_over)
{
    tables[number].is_done = true;
    tables[number].is_over = is_over;
    tables[number].listener.done(tables[number].user, &tables[number]);
}

TEST(as_many_fixtures_run_as_there_are_places)
{
    queued = 5;
    places_fill(&places, 0);
    ck_assert_int_eq(places_taken(&places), PLACES);
    ck_assert_int_eq(seats[0].tables, PLACES);
    finish(1, true);
    ck_assert_int_eq(settled, 1);
    ck_assert_int_eq(places_taken(&places), PLACES); /* until it is cleared away */
    places_clear(&places, PLACES_DONE);
    ck_assert_int_eq(places_taken(&places), PLACES - 1);
    ck_assert_int_eq(seats[0].tables, PLACES - 1);
    ck_assert(!tables[1].is_open && tables[0].is_open);
    places_fill(&places, 0);
    ck_assert_int_eq(opened, PLACES + 1);
    ck_assert_uint_eq(places.given_up, 0);
}

TEST(the_running_games_of_a_session_are_listed)
{
    static struct session stranger;
    const char *games[PLACES + 1];

    queued = 5;
    places_fill(&places, 0);
    ck_assert_uint_eq(places.games.list(places.games.user, &seats[1], games, PLACES + 1), PLACES);
    ck_assert_uint_eq(places.games.list(places.games.user, &seats[1], games, 1), 1);
    ck_assert_uint_eq(places.games.list(places.games.user, &stranger, games, PLACES), 0);
    finish(1, true);
    ck_assert_uint_eq(places.games.list(places.games.user, &seats[0], games, PLACES), PLACES - 1);
}

TEST(a_free_place_is_reused)
{
    queued = 3 * PLACES;
    places_fill(&places, 0);
    for (int round = 0; round < PLACES; round++) {
        for (int i = 0; i < PLACES; i++) { /* some end in an order other than their start */
            const int number = opened - 1 - i;

            if (i <= round && !tables[number].is_done) {
                finish(number, true);
            }
        }
        places_clear(&places, PLACES_DONE);
        places_fill(&places, 0);
        ck_assert_int_eq(places_taken(&places), PLACES);
        for (int i = 0; i < PLACES; i++) {
            ck_assert_ptr_nonnull(places.tables[i]);
            ck_assert(places.tables[i]->is_open);
            ck_assert_int_eq(places.tables[i]->place, i);
        }
    }
    places_clear(&places, PLACES_ALL);
    ck_assert_int_eq(places_taken(&places), 0);
    ck_assert_int_eq(seats[0].tables, 0);
}

/* With `durable: decision` the end of a match is told when it is on the disk. */
TEST(a_done_table_stays_until_its_last_news_are_durable)
{
    event.durable_decision = true;
    queued = 2;
    places_fill(&places, 0);
    finish(0, true);
    finish(1, true);
    tables[0].is_waiting = true;
    durable = 4;
    places_on_durable(&places);
    ck_assert_uint_eq(tables[0].told, 4);
    ck_assert_uint_eq(tables[1].told, 0);
    quarantined = 0;
    places_clear(&places, PLACES_LEFT);
    places_clear(&places, PLACES_DONE);
    ck_assert_int_eq(given_up, 0);
    ck_assert(tables[0].is_open && !tables[1].is_open);
    ck_assert_int_eq(places.ended, 1);
    ck_assert_int_eq(places_taken(&places), 1);
    durable = 5;
    places_on_durable(&places);
    places_clear(&places, PLACES_DONE);
    ck_assert(!tables[0].is_open);
    ck_assert_int_eq(places.ended, 0);
    ck_assert_int_eq(places_taken(&places), 0);
}

TEST(nothing_begins_while_places_are_held_or_closed)
{
    queued = 2;
    places.is_held = true;
    places_fill(&places, 0);
    ck_assert_int_eq(opened, 0);
    places.is_held = false;
    places_fill(&places, 0);
    ck_assert_int_eq(opened, 2);
    places_stop(&places);
    ck_assert(tables[0].is_stopped && tables[1].is_stopped);
    queued = 1;
    places_fill(&places, 0);
    ck_assert_int_eq(opened, 2);
}

TEST(a_fixture_that_was_cut_off_gets_other_dice)
{
    queued = 1;
    draws_anew = true;
    places_fill(&places, 0);
    ck_assert_int_eq(drawn_anew, 0); /* nobody has seen its dice */
    queued = 1;
    begun = true;
    places_fill(&places, 0);
    ck_assert_int_eq(opened, 2);
    ck_assert_int_eq(drawn_anew, 1);
}

TEST(a_fixture_that_must_wait_for_the_store_is_put_back)
{
    queued = 2;
    heeds = false;
    places_fill(&places, 0);
    ck_assert_int_eq(put_back, 1);
    ck_assert_int_eq(opened, 0);
    ck_assert_int_eq(held, 1); /* the second one is not even tried */
}

TEST(a_stopped_match_is_not_settled)
{
    queued = 1;
    places_fill(&places, 0);
    finish(0, false);
    ck_assert_int_eq(settled, 0);
    ck_assert_int_eq(places.ended, 1);
}

TEST(a_quarantined_bots_running_match_is_given_up)
{
    queued = 2;
    places_fill(&places, 0);
    finish(0, true);
    quarantined = 1;
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(given_up, 1); /* the finished one is settled */
    ck_assert_int_eq(places_taken(&places), 0);
    ck_assert_uint_eq(places.given_up, 1);
}

TEST(an_absent_bots_running_match_stays_open)
{
    queued = 1;
    places_fill(&places, 0);
    absent = 0;
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(left, 1);
    ck_assert_int_eq(given_up, 0);
    ck_assert_int_eq(places_taken(&places), 0);
    ck_assert_int_eq(forfeits, 0);
}

TEST_LOOP(an_absent_remote_bot_loses_its_running_games, 0, 2)
{
    queued = 2;
    places_fill(&places, 0);
    finish(0, true);
    places_clear(&places, PLACES_DONE);
    bots[_i].remote = true;
    absent = _i;
    strcpy(list[_i].absent_why, "gone fishing");
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(forfeits, 1);
    ck_assert_int_eq(places_taken(&places), 0);
    ck_assert_int_eq(places.ended, 0);
}

/* 0: a match whose running game can be lost; 1: single games. */
TEST_LOOP(a_quarantined_remote_bot_loses_its_running_match, 0, 2)
{
    bots[1].remote = true;
    event.rules.length_points = _i == 0 ? 7 : 1;
    queued = 1;
    places_fill(&places, 0);
    quarantined = 1;
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(forfeits, _i == 0);
    ck_assert_int_eq(given_up, _i);
    ck_assert_int_eq(places_taken(&places), 0);
}

/* 0: games of it are stored; 1: none is; 2: its bot is not remote. */
TEST_LOOP(a_quarantined_remote_bot_loses_the_matches_that_it_has_begun, 0, 3)
{
    const struct fixture fixture = {0, 1, 3, 0};

    places_open_queue(&places, &source);
    bots[1].remote = _i != 2;
    list[1].faults = 5;
    event.rules.length_points = 7;
    begun = true;
    has_games = _i == 0;
    quarantined = 1;
    queue.unplayed(queue.user, &fixture, 1);
    ck_assert_int_eq(given_up, _i != 0);
    ck_assert_int_eq(settled, _i == 0);
    ck_assert_str_eq(lost_why,
                     _i == 2 ? "" : "1 it was quarantined after 5 faults: the match is lost");
    ck_assert(_i == 2 || !tables[0].is_open);
    ck_assert_int_eq(places_taken(&places), 0);
}

TEST(only_matches_that_have_begun_can_be_lost)
{
    const struct fixture fixture = {0, 1, 3, 1};

    has_games = true;
    ck_assert_int_eq(places_lose_match(&places, &fixture, 1, "it is away", &error), PLACES_NOTHING);
    ck_assert_int_eq(opened, 0);
    begun = true;
    ck_assert_int_eq(places_lose_match(&places, &fixture, 1, "it is away", &error), PLACES_LOST);
    ck_assert_str_eq(lost_why, "0 it is away");
    ck_assert_int_eq(settled, 1);
    flushed = BG_E_TIMEOUT;
    ck_assert_int_eq(places_lose_match(&places, &fixture, 1, "it is away", &error), PLACES_LATER);
    ck_assert_int_eq(opened, 1);
}

/* 0: the desk gave it up; 1: it has the pair played again. */
TEST_LOOP(a_running_match_that_the_desk_took_back_is_stopped, 0, 2)
{
    queued = 1;
    places_fill(&places, 0);
    settled_pair = (int64_t)tables[0].fixture.pair + 1;
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(places_taken(&places), 1);
    settled_pair -= _i == 0;
    anew = (uint64_t)_i;
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(places_taken(&places), 0);
    ck_assert_int_eq(seats[0].tables, 0);
    ck_assert_int_eq(given_up, 0);
    ck_assert(!tables[0].is_open);
}

TEST_IN(committed, nonces_of_a_match_that_the_desk_gave_up_open_no_table)
{
    const struct fixture fixture = {0, 1, 0, 0};
    const struct commit_nonces nonces = {"aa", "bb"};

    queued = 1;
    places_fill(&places, 0);
    ck_assert_int_eq(asked, 1);
    settled_pair = 0;
    commit.listener->agreed(commit.user, &fixture, pair, &nonces);
    ck_assert_int_eq(opened, 0);
    ck_assert_int_eq(places_taken(&places), 0);
    ck_assert_int_eq(seats[1].tables, 0);
}

TEST(no_game_is_played_under_a_published_key)
{
    queued = 2;
    key_is_public = true;
    places_fill(&places, 0);
    ck_assert_int_eq(opened, 0);
    ck_assert_ptr_nonnull(strstr(broken_text, "the key of the dice is published"));
    ck_assert_int_eq(seats[0].tables, 0);
}

TEST(a_table_that_cannot_open_stops_the_run)
{
    queued = 2;
    open_status = BG_E_STORE;
    places_fill(&places, 0);
    ck_assert_str_eq(broken_text, "the disk is gone");
    ck_assert_int_eq(places_taken(&places), 0);
}

TEST_IN(committed, a_fixture_keeps_its_place_while_its_bots_are_asked)
{
    const struct fixture fixture = {0, 1, 0, 0};
    const struct commit_nonces nonces = {"aa", "bb"};

    queued = 5;
    places_fill(&places, 0);
    ck_assert_int_eq(asked, PLACES);
    ck_assert_int_eq(places_taken(&places), PLACES);
    ck_assert_int_eq(seats[1].tables, PLACES);
    commit.listener->agreed(commit.user, &fixture, pair, &nonces);
    ck_assert_int_eq(opened, 1);
    ck_assert_str_eq(tables[0].dice, "committed aa bb");
    ck_assert_int_eq(places_taken(&places), PLACES);
    ck_assert_int_eq(seats[1].tables, PLACES);
}

TEST_IN(committed, nonces_of_an_earlier_run_are_not_asked_for_again)
{
    found = true;
    queued = 1;
    places_fill(&places, 0);
    ck_assert_int_eq(asked, 0);
    ck_assert_int_eq(opened, 1);
}

TEST_IN(committed, a_refused_nonce_is_charged_and_the_fixture_tried_again)
{
    const struct fixture fixture = {0, 1, 0, 0};

    queued = 2;
    places_fill(&places, 0);
    commit.listener->failed(commit.user, &fixture, pair, 1, "it showed another nonce");
    ck_assert_int_eq(charged, 1);
    ck_assert_int_eq(put_back, 1);
    ck_assert_int_eq(places_taken(&places), 1);
    quarantined = 1;
    commit.listener->failed(commit.user, &fixture, pair, -1, "");
    ck_assert_int_eq(charged, 1); /* no bot is at fault */
    ck_assert_int_eq(given_up, 1);
    ck_assert_int_eq(places_taken(&places), 0);
    ck_assert_int_eq(seats[0].tables, 0);
}

TEST_IN(committed, dice_agreed_after_the_end_are_not_played)
{
    const struct fixture fixture = {0, 1, 0, 0};
    const struct commit_nonces nonces = {"aa", "bb"};

    queued = 1;
    places_fill(&places, 0);
    places_stop(&places);
    commit.listener->agreed(commit.user, &fixture, pair, &nonces);
    ck_assert_int_eq(opened, 0);
    ck_assert_int_eq(places_taken(&places), 0);
}

TEST(the_queue_knows_which_fixtures_are_running)
{
    const struct fixture playing = {0, 1, 0, 0}, other = {0, 1, 1, 0};

    places_open_queue(&places, &source);
    queued = 1;
    places_fill(&places, 0);
    ck_assert(queue.taken(queue.user, &playing));
    ck_assert(!queue.taken(queue.user, &other));
    quarantined = 0;
    queue.unplayed(queue.user, &other, 0);
    ck_assert_int_eq(given_up, 1);
}

/* ------------------------------------------------------------------------- other machines */

static struct {
    const struct elsewhere_listener *listener;
    void *user;
    struct fixture fixture[PLACES + 2];
    int count, flushes;
    uint64_t told;
    char dice[20];
} machine;

static enum bg_status machine_open(void *self, const struct elsewhere_setup *setup,
                                   struct bg_error *err)
{
    machine.listener = setup->listener;
    machine.user = setup->user;
    return BG_OK;
}

static int machine_room(void *self)
{
    return PLACES + 2 - machine.count;
}

static void machine_play(void *self, const struct table_setup *setup)
{
    struct bg_dice_key wanted;

    bg_dice_pair_key(&wanted, ledger_key(NULL),
                     &(struct bg_dice_pair){.a = "anna", .b = "bert", .pair = setup->fixture.pair});
    ck_assert_mem_eq(&setup->pair_key, &wanted, sizeof wanted);
    snprintf(machine.dice, sizeof machine.dice, "%s", setup->dice_kind);
    machine.fixture[machine.count++] = setup->fixture;
}

static void machine_flush(void *self)
{
    machine.flushes++;
}

static bool machine_has(void *self, const struct fixture *fixture)
{
    for (int i = 0; i < machine.count; i++) {
        if (machine.fixture[i].pair == fixture->pair) {
            return true;
        }
    }
    return false;
}

static int machine_count(void *self)
{
    return machine.count;
}

static void machine_review(void *self, bool (*keep)(void *user, const struct fixture *fixture),
                           void *user)
{
    int kept = 0;

    for (int i = 0; i < machine.count; i++) {
        if (keep(user, &machine.fixture[i])) {
            machine.fixture[kept++] = machine.fixture[i];
        }
    }
    machine.count = kept;
}

static void machine_durable(void *self, uint64_t count)
{
    machine.told = count;
}

static const struct elsewhere_ops machine_ops = {.open = machine_open,
                                                 .room = machine_room,
                                                 .play = machine_play,
                                                 .flush = machine_flush,
                                                 .has = machine_has,
                                                 .count = machine_count,
                                                 .review = machine_review,
                                                 .durable = machine_durable};

static void begin_elsewhere(void)
{
    begin_keyed();
    memset(&machine, 0, sizeof machine);
    places.elsewhere = (struct elsewhere){&machine_ops, &machine};
    stored = 0;
    strcpy(at_table, "nobody");
    places_open_queue(&places, &source);
    ck_assert_int_eq(places_open_elsewhere(&places, NULL, NULL), BG_OK);
}

TEST_IN(elsewhere, fixtures_go_to_the_other_machines_as_they_have_room)
{
    const struct fixture first = {0, 1, 0, 0};

    queued = 2 * PLACES;
    places_fill(&places, 0);
    ck_assert_int_eq(machine.count, PLACES + 2); /* more than tables here */
    ck_assert_int_eq(places_taken(&places), PLACES + 2);
    ck_assert_int_eq(opened, 0);
    ck_assert_int_eq(machine.flushes, 1);
    ck_assert_str_eq(machine.dice, "keyed");
    ck_assert(!queue.taken(queue.user, &first)); /* the last of the queue */
    places_stop(&places);
    machine.count = 0;
    places_fill(&places, 0);
    ck_assert_int_eq(machine.count, 0);
}

TEST_IN(elsewhere, nothing_goes_there_under_a_published_key)
{
    queued = 1;
    key_is_public = true;
    places_fill(&places, 0);
    ck_assert_int_eq(machine.count, 0);
    ck_assert_ptr_nonnull(strstr(broken_text, "is published"));
}

/* As it comes from another machine. */
static struct store_game *game_of(bool is_over, bool has_fault)
{
    struct store_game *game = calloc(1, sizeof *game);

    game->id = strdup("anna|bert|0|0|0");
    game->match_over = is_over;
    if (has_fault) {
        game->evidence = calloc(1, sizeof *game->evidence);
        game->evidence->bot = strdup("bert");
    }
    return game;
}

TEST_IN(elsewhere, a_game_that_comes_is_stored_and_ends_its_fixture)
{
    const struct fixture fixture = {0, 1, 0, 0};

    strcpy(at_table, "");
    ck_assert_int_eq(
        machine.listener->game(machine.user, &fixture, game_of(false, false), "", NULL), BG_OK);
    ck_assert_int_eq(stored, 1);
    ck_assert_int_eq(settled, 0);
    ck_assert_int_eq(left, 1); /* its next game is played after this one */
    ck_assert_int_eq(
        machine.listener->game(machine.user, &fixture, game_of(true, true), "slow", NULL), BG_OK);
    ck_assert_int_eq(settled, 1);
    ck_assert_str_eq(at_table, "1 anna|bert|0|0|0 slow");
    machine.listener->unplayable(machine.user, &fixture, "nobody can play it");
    ck_assert_int_eq(given_up, 1);
    durable = 7;
    places_on_durable(&places);
    ck_assert_uint_eq(machine.told, 7);
}

TEST_IN(elsewhere, what_is_not_to_be_played_is_taken_back)
{
    queued = 3;
    places_fill(&places, 0);
    settled_pair = 1; /* by the desk */
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(machine.count, 2);
    quarantined = 0;
    places_clear(&places, PLACES_LEFT);
    ck_assert_int_eq(machine.count, 0);
    ck_assert_int_eq(given_up, 2);
}

/* The games of a run that another machine supplies. */
static int dressed, supply_faults, tables_left;

static void supply_dress(void *self, struct table_setup *setup)
{
    dressed++;
    setup->dice_kind = "of there";
}

static void supply_fault(void *self, const struct table_fault *fault)
{
    supply_faults++;
}

static void supply_left(void *self, const struct fixture *fixture, bool is_over)
{
    tables_left += is_over;
}

static const struct supply_ops supply_ops = {
    .dress = supply_dress, .fault = supply_fault, .left = supply_left};

TEST(dice_and_games_may_be_those_of_another_machine)
{
    const struct table_fault fault = {.game_id = "g", .message = "m"};

    places.supply = (struct supply){&supply_ops, NULL, &source};
    key_is_public = true; /* of a run that has no dice of its own */
    dressed = supply_faults = tables_left = 0;
    queued = 1;
    places_fill(&places, 0);
    ck_assert_int_eq(dressed, 1);
    ck_assert_str_eq(tables[0].dice, "of there");
    tables[0].listener.fault(tables[0].user, &fault);
    ck_assert_int_eq(supply_faults, 1);
    finish(0, true);
    places_clear(&places, PLACES_DONE);
    ck_assert_int_eq(tables_left, 1);
    ck_assert_int_eq(settled, 0); /* it may come again */
}

void suite_begin(TCase *tests)
{
    tcase_add_checked_fixture(tests, begin_keyed, end);
    tcase_add_checked_fixture(suite_case("committed"), begin_committed, end);
    tcase_add_checked_fixture(suite_case("elsewhere"), begin_elsewhere, end);
}
