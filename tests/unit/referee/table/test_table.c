/* One match at a table: its questions, the games for its sink, the end of games by faults, stopping
 * and rebuilding. Sessions and the sink are doubles; rules, record and dice are the real ones. */
#include "table/hand_dice.h"
#include "table/table.h"
#include "proof/verify.h"
#include "support/mirror.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_MAX = 16, SECOND = 1000000000 };

struct session {
    int seat, starts;
    bool is_starting;
    struct greeting greeting;
};

static struct session seats[2];
static struct session_slot *asked; /* the open decision */
static int asked_seat, questions, cancelled;
static bool waits;              /* decisions stay unsent */
static const char *games_alias; /* the running game's id, as bots see it */

void session_ask(struct session *session, struct session_slot *slot)
{
    ck_assert_ptr_null(asked); /* a table has one decision at a time */
    asked = slot;
    asked_seat = session->seat;
    questions++;
    slot->ask.decision = (uint64_t)questions;
    games_alias = slot->ask.game;
    if (slot->ask.kind != BG_DECIDE_NONE && slot->leaving != NULL && !waits) {
        slot->leaving(slot->owner); /* it is sent at once */
    }
}

void session_cancel(struct session *session, struct session_slot *slot)
{
    ck_assert_int_eq(session->seat, asked_seat);
    ck_assert_ptr_eq(slot, asked);
    asked = NULL;
    cancelled++;
}

const struct greeting *session_greeting(const struct session *session)
{
    return &session->greeting;
}

static const struct bg_thought *said_thought; /* beside every answer; NULL: nothing */
static int thoughts_taken;

bool session_take_thought(struct bg_thought *out, struct session *session)
{
    (void)session;
    thoughts_taken++;
    *out = said_thought == NULL ? *out : *said_thought;
    return said_thought != NULL;
}

struct session_reply session_reply(const struct session *session)
{
    return (struct session_reply){.trouble = "it is cut off"};
}

const char *session_stderr(struct session *session)
{
    return "Traceback";
}

bool session_charge_absence(struct session *session)
{
    return false;
}

int session_starts(const struct session *session)
{
    return session->starts;
}

enum session_state session_state(const struct session *session)
{
    return session->is_starting ? SESSION_STARTING : SESSION_READY;
}

const char *session_event(const struct session *session)
{
    return "spring";
}

/* ------------------------------------------------------------------- what bots are told */

static struct mirror mirrors[2];
static struct bg_tell_paired pairings[2][4];
static int pairing_count[2];

static void hear_pairing(int seat, const struct bg_tell *tell)
{
    ck_assert_int_lt(pairing_count[seat], 4);
    pairings[seat][pairing_count[seat]++] = tell->paired;
    ck_assert_str_eq(tell->game, "");
    ck_assert_int_eq(mirrors[seat].begins, 0); /* before the first game */
}

static struct wire_reader
    *reader; /* of a test; under a sanitizer, one for each message takes minutes */

/* Over the wire: what the client's library would hand to the bot. */
void session_tell(struct session *session, struct wire_tells *tells)
{
    struct wire_buffer buffer = {0};
    struct wire_message out;

    if (session->greeting.want_tells && tells->size > 0) {
        if (reader == NULL) {
            assert_ok(wire_reader_create(&reader, 1 << 20, &error));
        }
        assert_ok(wire_pack_tells(&buffer, tells, &error));
        assert_ok(wire_unpack_to_bot(&out, reader, buffer.data, buffer.size, &error));
        ck_assert_int_eq(out.content, WIRE_TELLS);
        for (size_t i = 0; i < out.count; i++) {
            const char *wrong;

            if (out.tells[i].kind == BG_TELL_PAIRED) {
                hear_pairing(session->seat, &out.tells[i]);
                continue;
            }
            wrong = mirror_hear(&mirrors[session->seat], &out.tells[i]);

            ck_assert_msg(wrong == NULL, "seat %d: %s", session->seat, wrong);
            ck_assert_str_eq(out.tells[i].game, games_alias);
        }
    }
    tells->size = 0;
    wire_buffer_deinit(&buffer);
}

/* ------------------------------------------------------------------------ the sink */

static struct store_game *games[GAMES_MAX];
static int game_count;
static bool full;                       /* the sink accepts nothing more */
static enum bg_end told_end;            /* of the game that the listener was told of last */
static uint64_t all_puts, durable_puts; /* of games and steps */

static enum bg_status put_game(void *user, struct store_game *take, struct bg_error *err)
{
    ck_assert_int_eq(take->end, told_end);
    told_end = BG_END_NONE;
    if (full) {
        store_game_destroy(take);
        return bg_error_set(err, BG_E_STORE, "the disk is gone");
    }
    ck_assert_int_lt(game_count, GAMES_MAX);
    games[game_count++] = take;
    all_puts++;
    return BG_OK;
}

static enum bg_status leg_games(void *user, const struct game_id *leg, store_game_fn fn,
                                void *fn_user, struct bg_error *err)
{
    ck_assert_str_eq(leg->a, "anna");
    ck_assert_str_eq(leg->b, "bert");
    ck_assert_uint_eq(leg->pair, 7);
    ck_assert_int_eq(leg->leg, 1);
    for (int i = 0; i < game_count; i++) {
        if (!fn(fn_user, games[i])) {
            break;
        }
    }
    return BG_OK;
}

/* Steps that were put; those of finished games are forgotten, as in a store. */
enum { STEPS_MAX = 16384 };
static struct store_steps *kept[STEPS_MAX];
static int kept_count;

static enum bg_status put_steps(void *user, struct store_steps *take, struct bg_error *err)
{
    ck_assert_int_lt(kept_count, STEPS_MAX);
    kept[kept_count++] = take;
    all_puts++;
    return BG_OK;
}

static uint64_t put_count(void *user)
{
    return all_puts;
}

static enum bg_status each_steps(void *user, const struct game_id *game, store_steps_fn fn,
                                 void *fn_user, struct bg_error *err)
{
    for (int i = 0; i < kept_count; i++) {
        if (kept[i]->game.game == game->game && !fn(fn_user, kept[i])) {
            break;
        }
    }
    return BG_OK;
}

/* -------------------------------------------------------------------- the listener */

static int done, began, broken;
static enum bg_fault faults[2]; /* the last one, by bot */
static char message[200], rule[20];

static void on_done(void *user, struct table *table)
{
    ck_assert(table_is_done(table));
    done++;
}

static void on_fault(void *user, const struct table_fault *fault)
{
    faults[fault->bot] = fault->fault;
    snprintf(message, sizeof message, "%s", fault->message);
    snprintf(rule, sizeof rule, "%s", fault->rule);
    ck_assert_pstr_eq(fault->said, fault->fault == BG_FAULT_GONE ? NULL : "Traceback");
}

static void on_began(void *user, const struct table *table, const char *game_id,
                     const struct bg_match *match)
{
    char expected[BG_GAME_ID];

    snprintf(expected, sizeof expected, "anna|bert|7|1|%d", match->game);
    ck_assert_str_eq(game_id, expected);
    began++;
}

static void on_ended(void *user, enum bg_end end)
{
    told_end = end;
}

static void on_broken(void *user, const struct bg_error *err)
{
    ck_assert_str_eq(err->text, "the disk is gone");
    broken++;
}

static struct table_held held;

static void on_held(void *user, const struct table_held *now)
{
    held = *now;
}

static const struct table_listener listener = {on_done,   on_fault, on_began, on_held,
                                               on_broken, on_ended, NULL};

/* ---------------------------------------------------------------------- a table */

static struct config_event event;
static struct competitor bots[2];
static struct table_setup setup;
static struct table *table;

static void begin(void)
{
    static const char *const programs[] = {"-", "-"};

    memset(&event, 0, sizeof event);
    memset(bots, 0, sizeof bots);
    strcpy(event.name, "evening");
    strcpy(bots[0].name, "anna");
    strcpy(bots[1].name, "bert");
    event.bots = bots;
    event.bot_count = 2;
    event.duplicate = true;
    event.rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    event.margin_ns = SECOND / 10;
    event.ceiling_ns = 60 * (int64_t)SECOND;
    setup = (struct table_setup){.event = &event,
                                 .rules = event.rules,
                                 .host = "sandbox=off",
                                 .dice_kind = "keyed",
                                 .programs = programs,
                                 .key_digest = "00",
                                 .trust = "own",
                                 .fixture = {0, 1, 7, 1}, /* leg 1: anna has seat 1 */
                                 .session = {&seats[0], &seats[1]},
                                 .sink = {put_game, leg_games, NULL},
                                 .listener = &listener};
    asked = NULL;
    questions = cancelled = game_count = done = began = broken = 0;
    full = false;
    memset(mirrors, 0, sizeof mirrors);
    memset(pairing_count, 0, sizeof pairing_count);
    seats[0].is_starting = false;
    waits = false;
    for (int seat = 0; seat < 2; seat++) {
        seats[seat] = (struct session){.seat = seat, .starts = 1};
        strcpy(seats[seat].greeting.version, seat == 0 ? "zero 1.0" : "one 1.0");
    }
    faults[0] = faults[1] = BG_FAULT_NONE;
    all_puts = durable_puts = 0;
}

/* Every decision survives a kill. */
static void keep(void)
{
    event.durable_decision = true;
    setup.sink.put_steps = put_steps;
    setup.sink.put_count = put_count;
    setup.sink.each_steps = each_steps;
}

static void end(void)
{
    table_destroy(table);
    table = NULL;
    wire_reader_destroy(reader);
    reader = NULL;
    for (int i = 0; i < game_count; i++) {
        store_game_destroy(games[i]);
    }
    for (int i = 0; i < kept_count; i++) {
        store_steps_destroy(kept[i]);
    }
    kept_count = 0;
}

static void open_table(void)
{
    assert_ok(table_open(&table, &setup, &error));
    table_advance(table);
}

/* Takes the open decision, as a session does before it reports an answer. */
static struct session_slot *take_asked(void)
{
    struct session_slot *slot = asked;

    ck_assert_ptr_nonnull(slot);
    asked = NULL;
    return slot;
}

/* An honest answer: it rolls, takes, and makes the first legal play. */
static void answer_one(void)
{
    static struct bg_play_list plays;
    struct session_slot *slot = take_asked();
    const struct bg_ask *ask = &slot->ask;
    struct bg_answer answer = {.decision = ask->decision};

    switch (ask->kind) {
    case BG_DECIDE_DOUBLE:
        answer.kind = BG_ANSWER_ROLL;
        break;
    case BG_DECIDE_TAKE:
        answer.kind = BG_ANSWER_TAKE;
        break;
    default:
        ck_assert_int_eq(ask->kind, BG_DECIDE_PLAY);
        bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
        answer.kind = BG_ANSWER_MOVES;
        answer.play = plays.play[0];
    }
    table_on_answer(slot->owner, &answer, 1000, 0);
}

/* Until `count` games are finished, or the table is done. */
static void play_games(int count)
{
    for (int i = 0; i < 100000 && asked != NULL && game_count < count; i++) {
        answer_one();
    }
    ck_assert_int_eq(game_count, count);
}

/* Every record can be read, names the previous one, and replays to the game's result. */
static void check_records(void)
{
    for (int i = 0; i < game_count; i++) {
        struct record_view *view = NULL;
        struct bg_match match;

        assert_ok(record_read(&view, games[i]->text, games[i]->text_size, &error));
        assert_ok(record_replay(&match, view, &error));
        ck_assert_str_eq(record_view_hash(view), games[i]->hash);
        ck_assert_str_eq(record_view_value(view, "prev"), i == 0 ? "" : games[i - 1]->hash);
        ck_assert_int_eq(games[i]->game, i);
        ck_assert_int_eq(games[i]->leg, 1);
        ck_assert_int_eq(games[i]->winner, match.result.winner < 0 ? -1 : 1 - match.result.winner);
        record_view_destroy(view);
    }
}

TEST(a_finished_money_game_is_delivered_once)
{
    open_table();
    play_games(1);
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(began, 1);
    ck_assert(table_is_over(table) && table_is_done(table));
    ck_assert_ptr_null(asked);
    ck_assert(games[0]->match_over);
    ck_assert_ptr_null(games[0]->evidence);
    check_records();
}

TEST(a_match_continues_until_one_side_has_the_points)
{
    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    open_table();
    for (int i = 0; i < 100000 && asked != NULL; i++) {
        answer_one();
    }
    ck_assert_int_eq(done, 1);
    ck_assert_int_ge(game_count, 2);
    ck_assert_int_eq(began, game_count);
    for (int i = 0; i < game_count; i++) {
        ck_assert_int_eq(games[i]->match_over, i == game_count - 1);
    }
    check_records();
}

TEST(a_stopped_table_ends_after_the_running_game)
{
    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 25);
    open_table();
    play_games(1);
    table_stop(table);
    play_games(2);
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(began, 2);
    ck_assert(table_is_done(table) && !table_is_over(table));
    ck_assert_ptr_null(asked);
}

TEST_LOOP(a_resumed_match_ends_as_an_uninterrupted_one, -1, 1)
{
    const struct bg_rotation *rotation = bg_rotation_at(_i);
    char hashes[GAMES_MAX][RECORD_HASH];
    int count;

    setup.rules = bg_rules_default(
        rotation == NULL ? bg_variant_find("backgammon") : bg_rotation_game(rotation, 0), 5);
    if (rotation != NULL) {
        setup.rules.rotation = rotation;
        setup.rules.cube = setup.rules.crawford = false;
    }
    open_table();
    for (int i = 0; i < 100000 && asked != NULL; i++) {
        answer_one();
    }
    count = game_count;
    ck_assert_int_ge(count, 2);
    for (int i = 0; i < count; i++) {
        strcpy(hashes[i], games[i]->hash);
    }
    table_destroy(table);
    for (int i = 1; i < count; i++) { /* all except the first were lost */
        store_game_destroy(games[i]);
    }
    game_count = 1;
    began = done = 0;
    setup.begun = true;
    open_table();
    for (int i = 0; i < 100000 && asked != NULL; i++) {
        answer_one();
    }
    ck_assert_int_eq(game_count, count);
    ck_assert_int_eq(began, count - 1);
    for (int i = 0; i < count; i++) {
        ck_assert_str_eq(games[i]->hash, hashes[i]);
    }
    check_records();
}

/* The value of a stored game's header. */
static void header_of(char out[100], int game, const char *key)
{
    struct record_view *view = NULL;

    ck_assert_int_eq(record_read(&view, games[game]->text, games[game]->text_size, NULL), BG_OK);
    snprintf(out, 100, "%s", record_view_value(view, key));
    record_view_destroy(view);
}

/* The table as it is opened to end the match of a bot that stays away. */
static void open_to_forfeit(void)
{
    table_destroy(table);
    table = NULL;
    asked = NULL;
    done = began = 0;
    setup.begun = true;
    setup.session[0] = setup.session[1] = NULL;
    assert_ok(table_open(&table, &setup, &error));
}

static void check_forfeited(int game, int seat)
{
    static const char *const keys[] = {"version0", "version1", "program0", "options1"};

    ck_assert_int_eq(game_count, game + 1);
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(began, 1);
    ck_assert(table_is_over(table) && table_is_done(table));
    ck_assert_int_eq(games[game]->fault, BG_FAULT_GONE);
    ck_assert(games[game]->match_over);
    ck_assert_int_eq(games[game]->winner, seat == 1 ? 1 : 0); /* anna: seat 1 */
    ck_assert_str_eq(games[game]->evidence->story, "it is away");
    ck_assert_ptr_null(asked);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char before[100], now[100];

        header_of(before, game - 1, keys[i]);
        header_of(now, game, keys[i]);
        ck_assert_str_eq(now, before);
    }
    check_records();
}

TEST_LOOP(who_stays_away_loses_the_match_by_one_more_game, 0, 2)
{
    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 25);
    open_table();
    play_games(2);
    open_to_forfeit();
    ck_assert(!table_is_done(table));
    table_forfeit_match(table, _i, "it is away");
    check_forfeited(2, _i);
    /* and it cannot lose it again */
    open_to_forfeit();
    ck_assert(table_is_over(table));
    table_forfeit_match(table, 1 - _i, "it is away");
    ck_assert_int_eq(game_count, 3);
    ck_assert_int_eq(done, 0);
}

TEST(a_match_without_a_game_is_not_lost)
{
    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 25);
    open_table();
    open_to_forfeit();
    ck_assert(table_is_done(table));
    table_forfeit_match(table, 0, "it is away");
    ck_assert_int_eq(game_count, 0);
    ck_assert_int_eq(done, 0);
}

TEST(an_illegal_play_loses_the_game_with_evidence)
{
    struct bg_answer answer = {.kind = BG_ANSWER_MOVES, .play = {1, {{24, 1}}}};

    setup.rules.cube = false;
    open_table();
    ck_assert_int_eq(asked->ask.kind, BG_DECIDE_PLAY);
    take_asked();
    table_on_answer(table, &answer, 1000, 0);
    ck_assert_int_eq(faults[asked_seat == 1 ? 0 : 1], BG_FAULT_ILLEGAL);
    ck_assert_str_ne(rule, "");
    ck_assert_int_eq(game_count, 1);
    ck_assert_int_eq(games[0]->end, BG_END_FAULT);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_ILLEGAL);
    ck_assert_int_eq(games[0]->winner, asked_seat == 1 ? 1 : 0);
    ck_assert_ptr_nonnull(games[0]->evidence);
    ck_assert_str_eq(games[0]->evidence->stderr_tail, "Traceback");
    ck_assert_int_eq(done, 1);
    check_records();
}

TEST(an_answer_of_the_wrong_kind_is_a_garbled_fault)
{
    struct bg_answer answer = {.kind = BG_ANSWER_ACCEPT};

    open_table();
    take_asked();
    table_on_answer(table, &answer, 1000, 0);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_GARBLED);
}

TEST(exceeding_the_ceiling_is_silent_and_exceeding_the_clock_is_late)
{
    open_table();
    ck_assert_int_eq(asked->limit_ns, event.ceiling_ns);
    ck_assert(asked->last_limit);
    take_asked();
    table_on_overdue(table, event.ceiling_ns);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_SILENT);
    end();
    begin();
    event.clock = (struct clock_control){.kind = CLOCK_MOVE, .move_ns = 2 * (int64_t)SECOND};
    open_table();
    ck_assert(!asked->last_limit);
    ck_assert_int_eq(asked->limit_ns, 2 * (int64_t)SECOND + event.margin_ns);
    take_asked();
    table_on_overdue(table, 3 * (int64_t)SECOND);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_LATE);
}

TEST(referee_credit_is_subtracted_from_the_time)
{
    struct session_slot *slot;
    struct bg_answer answer = {.kind = BG_ANSWER_NONE};

    event.clock = (struct clock_control){.kind = CLOCK_MOVE, .move_ns = 2 * (int64_t)SECOND};
    open_table();
    slot = take_asked();
    answer.decision = slot->ask.decision;
    table_on_answer(table, &answer, 3 * (int64_t)SECOND, 2 * (int64_t)SECOND);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_GARBLED); /* not an answer, but in time */
    end();
    begin();
    event.clock = (struct clock_control){.kind = CLOCK_MOVE, .move_ns = 2 * (int64_t)SECOND};
    open_table();
    take_asked();
    table_on_answer(table, &answer, 3 * (int64_t)SECOND, 0);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_LATE);
}

/* The first bot of the asked side, whichever it is. */
TEST(an_ask_has_increment_and_delay_of_both_clocks)
{
    const int64_t increment_ns[2] = {5 * (int64_t)SECOND, 0};
    const int64_t delay_ns[2] = {0, 12 * (int64_t)SECOND};

    assert_ok(clock_control_read(&event.clock, "bank=60s,inc=5s", &error));
    bots[1].has_clock = true;
    assert_ok(clock_control_read(&bots[1].clock, "bank=60s,delay=12s", &error));
    open_table();
    ck_assert(asked->ask.has_clock);
    for (int side = 0; side < 2; side++) {
        const int bot = fixture_bot(&setup.fixture, side == 0 ? asked_seat : 1 - asked_seat);

        ck_assert_int_eq(asked->ask.left_ns[side], 60 * (int64_t)SECOND);
        ck_assert_int_eq(asked->ask.increment_ns[side], increment_ns[bot]);
        ck_assert_int_eq(asked->ask.delay_ns[side], delay_ns[bot]);
    }
}

TEST(a_crash_is_stored_with_its_message)
{
    open_table();
    take_asked();
    table_on_fault(table, BG_FAULT_CRASH, "exit status 1");
    ck_assert_int_eq(games[0]->fault, BG_FAULT_CRASH);
    ck_assert_str_eq(message, "exit status 1");
}

TEST(a_failing_sink_breaks_the_table)
{
    full = true;
    open_table();
    for (int i = 0; i < 100000 && asked != NULL; i++) {
        answer_one();
    }
    ck_assert_int_eq(broken, 1);
    ck_assert_int_eq(done, 0);
    ck_assert(table_is_done(table));
    ck_assert_int_eq(game_count, 0);
}

TEST(a_destroyed_table_cancels_its_question)
{
    open_table();
    ck_assert_ptr_nonnull(asked);
    table_destroy(table);
    table = NULL;
    ck_assert_int_eq(cancelled, 1);
    ck_assert_int_eq(game_count, 0);
}

TEST(opponents_are_named_only_without_pairs)
{
    open_table();
    ck_assert_str_eq(asked->ask.opponent, "");
    end();
    begin();
    event.duplicate = false;
    open_table();
    ck_assert_str_eq(asked->ask.opponent, asked_seat == 1 ? "bert" : "anna");
}

/* ------------------------------------------------------------------- what bots are told */

static uint32_t dice;

static uint32_t draw(uint32_t below)
{
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 8) % below;
}

/* Dice of people: the roller throws, and both say what lies there, now and then after a slip. */
static uint8_t thrown[4];
static int dice_said, slips;

static uint32_t digits_of(const uint8_t *die, int count)
{
    return wire_digits_of_dice(die, (size_t)count);
}

static bool has_sums(const struct bg_rules *rules)
{
    return rules->opening == BG_OPENING_SUM_REROLL || rules->opening == BG_OPENING_SUM_PLAY;
}

static int has_three(const struct bg_variant *variant)
{
    const char *id = bg_variant_id(variant);

    return strcmp(id, "tabula") == 0 || strcmp(id, "xii-scripta") == 0 ? 3 : 2;
}

static struct bg_answer say_dice(const struct bg_ask *ask)
{
    const bool first = ask->own_dice && ask->entered[0] == 0;
    struct bg_answer answer = {.decision = ask->decision, .kind = BG_ANSWER_DICE};

    ck_assert_int_eq(ask->dice, ask->opening_dice ? (has_sums(&ask->rules) ? 2 : 1)
                                                  : has_three(ask->rules.variant));
    if (first) {
        for (int i = 0; i < ask->dice; i++) {
            thrown[i] = (uint8_t)(1 + draw(6));
        }
    }
    answer.value = digits_of(thrown, ask->dice);
    if (!ask->own_dice && ask->disagreements == 0 && draw(5) == 0) {
        const uint8_t slip[4] = {6, 6, 6, 6};

        slips += digits_of(slip, ask->dice) != answer.value;
        answer.value = digits_of(slip, ask->dice);
    }
    dice_said++;
    return answer;
}

/* Any legal answer: doubles, raises, passes, offers to resign. */
static void answer_wildly(void)
{
    static struct bg_play_list plays;
    struct session_slot *slot = take_asked();
    const struct bg_ask *ask = &slot->ask;
    struct bg_answer answer = {.decision = ask->decision};

    switch (ask->kind) {
    case BG_DECIDE_DICE:
        answer = say_dice(ask);
        break;
    case BG_DECIDE_DOUBLE:
        answer.kind = draw(4) == 0 ? BG_ANSWER_DOUBLE : BG_ANSWER_ROLL;
        break;
    case BG_DECIDE_TAKE:
    case BG_DECIDE_RAISE:
        answer.kind = draw(6) == 0                     ? BG_ANSWER_PASS
                      : ask->may_raise && draw(2) == 0 ? BG_ANSWER_RAISE
                                                       : BG_ANSWER_TAKE;
        break;
    case BG_DECIDE_KEEP:
        answer.kind = draw(2) == 0 ? BG_ANSWER_KEEP : BG_ANSWER_REROLL;
        break;
    case BG_DECIDE_NAME:
        answer.kind = BG_ANSWER_NAME;
        answer.value = 1 + draw(6);
        break;
    case BG_DECIDE_RESIGNATION:
        answer.kind = draw(4) == 0 ? BG_ANSWER_ACCEPT : BG_ANSWER_REFUSE;
        break;
    default:
        bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
        answer.kind = BG_ANSWER_MOVES;
        answer.play = plays.play[draw((uint32_t)plays.count)];
        if (ask->refused_level == 0 && draw(60) == 0) {
            answer.kind = BG_ANSWER_RESIGN;
            answer.value = 1;
        }
    }
    table_on_answer(slot->owner, &answer, 1000, 0);
}

static void play_told(int decisions)
{
    for (int i = 0; i < decisions && asked != NULL; i++) {
        if (seats[asked_seat].greeting.want_tells) {
            const char *wrong = mirror_compare(&mirrors[asked_seat], &asked->ask);

            ck_assert_msg(wrong == NULL, "seat %d: %s", asked_seat, wrong);
        }
        answer_wildly();
    }
}

/* _i / 2: the game; odd: a match to 7 points. */
TEST_LOOP(what_bots_are_told_leads_to_every_ask, 0, 2 * 25 + 1)
{
    const struct bg_variant *variant = bg_variant_at(_i / 2);

    if (variant == NULL) {
        ck_assert_int_ge(_i / 2, 25);
        return;
    }
    dice = (uint32_t)_i;
    event.rules = bg_rules_default(variant, _i % 2 == 0 ? 0 : 7);
    setup.rules = event.rules;
    seats[0].greeting.want_tells = seats[1].greeting.want_tells = true;
    open_table();
    play_told(100000);
    ck_assert_int_eq(done, 1);
    for (int seat = 0; seat < 2; seat++) {
        ck_assert_int_eq(mirrors[seat].begins, game_count);
        ck_assert_int_eq(mirrors[seat].ends, game_count);
        ck_assert_int_eq(mirrors[seat].match_ends, 1);
        ck_assert_int_gt(mirrors[seat].steps, 2);
    }
}

TEST(only_who_wants_it_is_told)
{
    seats[1].greeting.want_tells = true;
    open_table();
    play_told(100000);
    ck_assert_int_eq(mirrors[1].match_ends, 1);
    ck_assert_int_eq(mirrors[0].begins + mirrors[0].steps + mirrors[0].ends, 0);
}

/* At once, before anybody is asked; once a match, and only who wants it. */
TEST_LOOP(a_pairing_is_told_before_its_first_game, 0, 2)
{
    seats[0].greeting.want_tells = seats[1].greeting.want_tells = true;
    seats[0].greeting.want_pairings = true;
    seats[0].is_starting = _i == 1;
    event.duplicate = false;
    waits = true;
    setup.rules = event.rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    open_table();
    ck_assert_int_eq(mirrors[0].begins, 0);
    ck_assert_int_eq(pairing_count[0], _i == 0 ? 1 : 0); /* else with the begin */
    seats[0].is_starting = false;
    waits = false;
    asked->leaving(asked->owner);
    play_told(100000);
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(pairing_count[0], 1);
    ck_assert_int_eq(pairing_count[1], 0);
    ck_assert_str_eq(pairings[0][0].opponent, event.bots[fixture_bot(&setup.fixture, 1)].name);
    ck_assert_str_eq(pairings[0][0].event, "spring");
    ck_assert_int_eq(pairings[0][0].length, 3);
}

/* Not before the one who has to play it is asked. */
TEST(both_hear_of_a_roll_when_its_decision_is_sent)
{
    seats[0].greeting.want_tells = seats[1].greeting.want_tells = true;
    waits = true;
    open_table();
    ck_assert_int_eq(asked->ask.kind, BG_DECIDE_PLAY);
    ck_assert_int_eq(mirrors[0].begins + mirrors[1].begins, 0);
    ck_assert_int_eq(mirrors[0].steps + mirrors[1].steps, 0);
    asked->leaving(asked->owner);
    ck_assert_int_eq(mirrors[0].steps, 1);
    ck_assert_int_eq(mirrors[1].steps, 1);
    ck_assert_ptr_null(mirror_compare(&mirrors[asked_seat], &asked->ask));
}

/* A new process is told the game as it is, by the next step or the next Ask. */
TEST(a_new_process_is_told_the_game_as_it_is)
{
    int restarts = 0;

    dice = 5;
    seats[0].greeting.want_tells = seats[1].greeting.want_tells = true;
    open_table();
    for (int i = 0; i < 40 && asked != NULL; i++) {
        if (i % 5 == 2) {
            seats[0].starts++;
            restarts++;
        }
        answer_wildly();
        if (asked != NULL) {
            ck_assert_int_eq(mirrors[0].begins, 1 + restarts);
        }
        if (asked != NULL && asked_seat == 0 && restarts > 0) {
            ck_assert(mirrors[0].is_late);
            ck_assert(bg_board_equal(&mirrors[0].begin.board, &asked->ask.board));
        }
    }
    ck_assert_int_gt(restarts, 2);
    ck_assert_int_eq(mirrors[1].begins, 1);
    ck_assert_uint_gt(mirrors[0].next, 4); /* its tells go on counting */
}

TEST(the_opening_is_not_rolled_before_stateful_bots_are_ready)
{
    seats[0].greeting.stateful = seats[1].greeting.stateful = true;
    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    open_table();
    for (int game = 0; asked != NULL; game++) {
        for (int seat = 0; seat < 2; seat++) {
            struct session_slot *slot = take_asked();

            ck_assert_int_eq(slot->ask.kind, BG_DECIDE_NONE);
            ck_assert_int_eq(asked_seat, seat);
            ck_assert_int_eq(slot->game_number, game);
            ck_assert_int_eq(slot->ask.turn, 0);
            ck_assert_int_eq(slot->ask.stage.parts, 0);
            table_on_answer(slot->owner, NULL, 0, 0);
        }
        play_games(game + 1);
    }
    ck_assert_int_eq(done, 1);
    check_records();
}

TEST(a_bot_that_is_not_ready_in_time_loses_the_game)
{
    struct session_slot *slot;

    seats[1].greeting.stateful = true;
    event.clock = (struct clock_control){.kind = CLOCK_MOVE, .move_ns = 2 * (int64_t)SECOND};
    open_table();
    slot = take_asked();
    ck_assert_int_eq(asked_seat, 1);
    slot->announces = true;
    slot->allowed_ns = 9 * (int64_t)SECOND;
    table_on_overdue(table, 10 * (int64_t)SECOND);
    ck_assert_int_eq(faults[0], BG_FAULT_SILENT); /* anna: seat 1 */
    ck_assert_str_eq(message, "no Ready for the new game in 10.000 s; 9.000 s were allowed");
    ck_assert_int_eq(game_count, 1);
    ck_assert_int_eq(games[0]->left_ns[0], games[0]->left_ns[1]); /* no clock ran */
    check_records();
}

/* ------------------------------------------------------- what survives a kill */

/* The disk has written everything that was put. */
static void commit(void)
{
    durable_puts = all_puts;
    table_on_durable(table, durable_puts);
}

/* At each wait: nothing was sent since the last commit, not even that a game began or ended. */
TEST(nothing_follows_for_bots_before_it_is_durable)
{
    int waits_seen = 0;

    keep();
    seats[0].greeting.want_tells = seats[1].greeting.want_tells = true;
    seats[1].greeting.stateful = true;
    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    open_table();
    for (int i = 0; i < 100000 && done == 0; i++) {
        int told = mirrors[0].begins + mirrors[0].steps + mirrors[0].ends;

        if (asked != NULL && asked->ask.kind == BG_DECIDE_NONE) {
            table_on_answer(take_asked()->owner, NULL, 0, 0);
        } else if (asked != NULL) {
            answer_one();
        }
        if (table_is_waiting(table)) {
            waits_seen++;
            ck_assert_uint_lt(durable_puts, all_puts);
            ck_assert_ptr_null(asked);
            ck_assert_int_eq(mirrors[0].begins + mirrors[0].steps + mirrors[0].ends, told);
            table_on_durable(table, all_puts - 1); /* another table's */
            ck_assert_ptr_null(asked);
            ck_assert_int_eq(mirrors[0].begins + mirrors[0].steps + mirrors[0].ends, told);
            if (done == 0) {
                commit();
            }
        }
        ck_assert(done > 0 || asked != NULL || table_is_waiting(table));
    }
    ck_assert_int_gt(waits_seen, 50);
    ck_assert_int_eq(done, 1);
    ck_assert(table_is_waiting(table)); /* to tell the end */
    ck_assert_int_eq(mirrors[0].match_ends, 0);
    commit();
    ck_assert(!table_is_waiting(table));
    ck_assert_int_eq(mirrors[0].match_ends, 1);
    ck_assert_int_eq(mirrors[1].ends, game_count);
    ck_assert_int_eq(done, 1);
    check_records();
}

static int thoughts_in(const char *text)
{
    int count = 0;

    while ((text = strstr(text, "\nthought ")) != NULL) {
        count++;
        text++;
    }
    return count;
}

/* Row 1: the event drops them, and nobody reads any. */
TEST_LOOP(what_bots_think_is_in_the_record, 0, 2)
{
    struct bg_thought thought = BG_THOUGHT_INIT;

    strcpy(thought.text, "roll");
    said_thought = &thought;
    thoughts_taken = 0;
    event.drop_thoughts = _i == 1;
    open_table();
    play_games(1);
    said_thought = NULL;
    event.drop_thoughts = false;
    ck_assert_int_eq(thoughts_in(games[0]->text), thoughts_taken);
    ck_assert(_i == 1 ? thoughts_taken == 0 : thoughts_taken > 20);
    check_records();
}

/* Without the setting nobody waits. */
TEST(a_table_waits_only_if_every_decision_is_to_survive)
{
    keep();
    event.durable_decision = false;
    open_table();
    play_games(1);
    ck_assert_int_eq(kept_count, 0);
    ck_assert_int_eq(done, 1);
}

static void play_kept(int decisions)
{
    for (int i = 0; i < decisions && done == 0; i++) {
        if (asked != NULL) {
            answer_one();
        }
        if (done == 0) {
            commit();
        }
    }
}

/* The referee is killed after _i decisions: the same decision is asked again, with the same dice
 * and clocks, and the records are those of an event that was not killed. */
TEST_LOOP(a_killed_game_goes_on_at_its_open_decision, 0, 12)
{
    char hashes[GAMES_MAX][RECORD_HASH];
    const struct session_slot *slot;
    struct bg_ask before;
    int count;

    struct bg_thought thought = BG_THOUGHT_INIT;

    strcpy(thought.text, "kept");
    said_thought = _i % 2 == 0 ? &thought : NULL;
    /* The delay is longer than one decision and shorter than the two of a turn. */
    const char *clock = _i % 3 == 0 ? "bank=60s,inc=1s" : "bank=60s,delay=1500ns";

    assert_ok(clock_control_read(&event.clock, clock, &error));
    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 5);
    keep();
    open_table();
    commit();
    play_kept(100000);
    ck_assert_int_eq(done, 1);
    count = game_count;
    for (int i = 0; i < count; i++) {
        strcpy(hashes[i], games[i]->hash);
    }
    end();
    game_count = done = 0;
    asked = NULL;
    open_table();
    commit();
    play_kept(_i * 7);
    slot = asked;
    ck_assert_ptr_nonnull(slot);
    before = slot->ask;
    table_destroy(table);
    for (int i = 0; i < kept_count; i++) { /* the games' own transactions did this */
        if (kept[i]->game.game < game_count) {
            store_steps_destroy(kept[i]);
            kept[i--] = kept[--kept_count];
        }
    }
    setup.begun = true;
    asked = NULL;
    open_table();
    ck_assert_ptr_nonnull(asked);
    ck_assert_int_eq(asked->ask.kind, before.kind);
    ck_assert_str_eq(asked->ask.game, before.game);
    ck_assert_int_eq(asked->ask.turn, before.turn);
    ck_assert(memcmp(&asked->ask.stage, &before.stage, sizeof before.stage) == 0);
    ck_assert(bg_board_equal(&asked->ask.board, &before.board));
    ck_assert_int_eq(asked->ask.left_ns[0], before.left_ns[0]);
    ck_assert_int_eq(asked->ask.left_ns[1], before.left_ns[1]);
    play_kept(100000);
    ck_assert_int_eq(game_count, count);
    for (int i = 0; i < count; i++) {
        ck_assert_str_eq(games[i]->hash, hashes[i]);
    }
    ck_assert_int_eq(thoughts_in(games[0]->text) > 0, _i % 2 == 0);
    said_thought = NULL;
    check_records();
}

/* A game that was cut off by the end of the referee is lost where it stood. */
TEST(who_stays_away_loses_a_kept_game_at_its_decision)
{
    struct record_view *view = NULL;
    int left = 0;

    setup.rules = bg_rules_default(bg_variant_find("backgammon"), 25);
    keep();
    open_table();
    commit();
    while (game_count < 1) {
        play_kept(1);
    }
    play_kept(5);
    ck_assert_int_eq(game_count, 1);
    for (int i = 0; i < kept_count; i++) { /* the game's own transaction did this */
        if (kept[i]->game.game < game_count) {
            store_steps_destroy(kept[i]);
        } else {
            kept[left++] = kept[i];
        }
    }
    kept_count = left;
    open_to_forfeit();
    table_forfeit_match(table, 1, "it is away");
    check_forfeited(1, 1);
    ck_assert_int_eq(record_read(&view, games[1]->text, games[1]->text_size, NULL), BG_OK);
    ck_assert_int_gt(record_view_steps(view), 5);
    record_view_destroy(view);
}

/* Stored steps are not believed: 0 an illegal play, 1 other dice, 2 no step, 3 a row is missing. */
TEST_LOOP(stored_steps_that_cannot_be_are_refused, 0, 4)
{
    static const char *const wrong[] = {"play 0 24/1\n", NULL, "nonsense\n", NULL};
    static const char *const why[] = {
        "game anna|bert|7|1|0 was cut off and cannot go on: its stored",
        "these are not the dice of the event's key", "'nonsense': is not a step",
        "steps before it are missing"};

    keep();
    open_table();
    commit();
    play_kept(6);
    table_destroy(table);
    table = NULL;
    ck_assert_int_gt(kept_count, 4);
    setup.begun = true;
    if (_i == 1) {
        setup.pair_key.bytes[0] ^= 1;
    } else if (_i == 3) {
        store_steps_destroy(kept[2]);
        kept[2] = kept[--kept_count];
    } else {
        free(kept[2]->lines);
        kept[2]->lines = strdup(wrong[_i]);
    }
    ck_assert_int_eq(table_open(&table, &setup, &error), BG_E_STORE);
    ck_assert_msg(strstr(error.text, why[_i]) != NULL, "%s", error.text);
    ck_assert_ptr_null(table);
}

/* A bot leaves while its last answer is on its way to the disk. */
TEST(a_waiting_table_can_be_forfeited)
{
    keep();
    open_table();
    ck_assert(table_is_waiting(table));
    commit();
    answer_one();
    ck_assert(table_is_waiting(table));
    table_forfeit(table, 0, BG_FAULT_SILENT, "it has left");
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_SILENT);
    ck_assert_ptr_null(asked);
    table_on_durable(table, all_puts);
    ck_assert_ptr_null(asked);
    check_records();
}

/* ------------------------------------------------------------------- dice of people */

static void by_hand(void)
{
    event.manual_dice = true;
    event.duplicate = false;
    setup.dice_kind = "manual";
    keep();
}

/* Answers and commits until it is over. */
static void play_by_hand(int decisions)
{
    for (int i = 0; i < decisions && done == 0; i++) {
        if (asked != NULL) {
            answer_wildly();
        }
        if (done == 0) {
            commit();
        }
    }
}

/* The same clocks and results follow from the records alone. */
static void verify_games(uint64_t *rolls)
{
    const struct verify_options options = {.dice = "manual"};
    struct verify_sum sum = {.games = 0};
    char *text = NULL;
    size_t size = 0;

    for (int i = 0; i < game_count; i++) {
        text = realloc(text, size + games[i]->text_size);
        ck_assert_ptr_nonnull(text);
        memcpy(text + size, games[i]->text, games[i]->text_size);
        size += games[i]->text_size;
    }
    assert_ok(verify_text(&sum, text, size, &options, &error));
    ck_assert_uint_eq(sum.entered, sum.rolls);
    ck_assert_uint_eq(sum.clocked, sum.games);
    *rolls = sum.rolls;
    free(text);
}

/* Every game, money and matches: the dice are those that both said, as many as the game needs. */
TEST_LOOP(people_roll_in_every_game, 0, 2 * 25 + 1)
{
    const struct bg_variant *variant = bg_variant_at(_i / 2);
    uint64_t rolls;

    if (variant == NULL) {
        ck_assert_int_ge(_i / 2, 25);
        return;
    }
    dice = (uint32_t)_i;
    dice_said = slips = 0;
    event.rules = bg_rules_default(variant, _i % 2 == 0 ? 0 : 3);
    setup.rules = event.rules;
    ck_assert_int_eq(clock_control_read(&event.clock, "bank=60s,inc=1s", NULL), BG_OK);
    seats[0].greeting.want_tells = seats[1].greeting.want_tells = true;
    by_hand();
    open_table();
    commit();
    play_by_hand(100000);
    ck_assert_int_eq(done, 1);
    verify_games(&rolls);
    ck_assert_int_ge(dice_said, 2 * (int)rolls); /* nothing counts that only one has said */
    ck_assert(slips > 0 || rolls < 20);
}

/* Goes on to a question for own dice after the decision to roll; false: the game ended. */
static bool to_own_dice(bool decided)
{
    for (int i = 0; i < 100000 && done == 0; i++) {
        const bool is_roll = asked->ask.kind == BG_DECIDE_DOUBLE;
        struct session_slot *slot;
        struct bg_answer answer = {.kind = BG_ANSWER_ROLL};

        if (is_roll) {
            slot = take_asked();
            table_on_answer(slot->owner, &answer, 3 * (int64_t)SECOND, 0);
        } else {
            answer_wildly();
        }
        commit();
        if (done == 0 && asked->ask.kind == BG_DECIDE_DICE && asked->ask.own_dice &&
            !asked->ask.opening_dice && asked->ask.entered[0] == 0 && (is_roll || !decided)) {
            return true;
        }
    }
    return false;
}

static void say(uint32_t digits, int64_t spent_ns)
{
    const struct bg_answer answer = {.kind = BG_ANSWER_DICE, .value = digits};
    struct session_slot *slot = take_asked();

    ck_assert_int_eq(slot->ask.kind, BG_DECIDE_DICE);
    table_on_answer(slot->owner, &answer, spent_ns, 0);
    commit();
}

/* The referee is killed while the dice are asked for: the decision to roll stands, the dice that
 * one side has said do not. _i: whether one has said them. */
TEST_LOOP(a_killed_table_asks_for_the_same_roll, 0, 2)
{
    uint64_t rolls;
    int64_t left_ns;
    int roller;

    dice = 3;
    ck_assert_int_eq(clock_control_read(&event.clock, "bank=60s,delay=2s", NULL), BG_OK);
    setup.rules = event.rules = bg_rules_default(bg_variant_find("backgammon"), 25);
    by_hand();
    open_table();
    commit();
    for (int kill = 0; kill < 4; kill++) {
        ck_assert(to_own_dice(true));
        roller = asked_seat;
        left_ns = asked->ask.left_ns[0];
        if (_i == 1) {
            say(63, 1000);
            ck_assert_int_eq(asked_seat, 1 - roller);
        }
        table_destroy(table);
        asked = NULL;
        setup.begun = true;
        open_table();
        ck_assert_int_eq(asked->ask.kind, BG_DECIDE_DICE);
        ck_assert_int_eq(asked_seat, roller);
        ck_assert_int_eq(asked->ask.entered[0], 0);
        ck_assert_int_eq(asked->ask.left_ns[0], left_ns);
        say(61, 1000);
        say(61, 1000);
        ck_assert_int_eq(asked->ask.kind, BG_DECIDE_PLAY);
        ck_assert_int_eq(asked->ask.left_ns[0], left_ns - SECOND); /* 3 s, of which 2 are free */
    }
    play_by_hand(100000);
    ck_assert_int_eq(done, 1);
    verify_games(&rolls);
}

/* To say dice is free, but not long enough to think about the roll. */
TEST_LOOP(time_for_own_dice_beyond_what_is_free_runs_on_the_clock, 0, 2)
{
    uint64_t rolls;
    int64_t left_ns, others_ns;

    dice = 4;
    event.ceiling_ns = 300 * (int64_t)SECOND;
    ck_assert_int_eq(clock_control_read(&event.clock, "bank=60s,inc=0s", NULL), BG_OK);
    setup.rules = event.rules = bg_rules_default(bg_variant_find("backgammon"), 1);
    by_hand();
    open_table();
    commit();
    ck_assert(to_own_dice(false));
    left_ns = asked->ask.left_ns[0];
    others_ns = asked->ask.left_ns[1];
    ck_assert_int_eq(asked->limit_ns, left_ns + HAND_FREE_NS + event.margin_ns);
    ck_assert(!asked->last_limit);
    say(61, HAND_FREE_NS);
    say(61, HAND_FREE_NS); /* of the other side */
    ck_assert_int_eq(asked->ask.left_ns[0], left_ns);
    ck_assert_int_eq(asked->ask.left_ns[1], others_ns);
    ck_assert(to_own_dice(false));
    left_ns = asked->ask.left_ns[0];
    say(31, HAND_FREE_NS + 5 * (int64_t)SECOND);
    say(31, 0);
    ck_assert_int_eq(asked->ask.left_ns[0], left_ns - 5 * (int64_t)SECOND);
    if (_i == 0) { /* and it costs the game */
        ck_assert(to_own_dice(false));
        say(31, HAND_FREE_NS + 61 * (int64_t)SECOND);
    } else {
        ck_assert(to_own_dice(false));
        take_asked();
        table_on_overdue(table, HAND_FREE_NS + 61 * (int64_t)SECOND);
        commit();
    }
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_LATE);
    verify_games(&rolls);
}

/* Dice that both see, or the first play, in no time. */
static void go_on(void)
{
    static struct bg_play_list plays;
    struct session_slot *slot;
    struct bg_answer answer = {.kind = BG_ANSWER_MOVES};

    ck_assert_int_eq(done, 0);
    if (asked->ask.kind == BG_DECIDE_DICE) {
        say(31, 0);
        return;
    }
    slot = take_asked();
    ck_assert_int_eq(slot->ask.kind, BG_DECIDE_PLAY);
    bg_play_list(&plays, slot->ask.rules.variant, &slot->ask.board, 0, &slot->ask.stage);
    answer.play = plays.play[0];
    table_on_answer(slot->owner, &answer, 0, 0);
    commit();
}

/* Who confirms late holds up the game for nothing: its next decision is charged with that, or its
 * flag falls at once. */
TEST_LOOP(time_to_confirm_beyond_what_is_free_runs_on_the_clock_of_who_confirms, 0, 2)
{
    uint64_t rolls;
    int64_t left_ns, others_ns;
    int confirmer;

    dice = 4;
    event.ceiling_ns = 300 * (int64_t)SECOND;
    ck_assert_int_eq(clock_control_read(&event.clock, "bank=60s,inc=0s", NULL), BG_OK);
    setup.rules = event.rules = bg_rules_default(bg_variant_find("backgammon"), 1);
    by_hand();
    open_table();
    commit();
    ck_assert(to_own_dice(false));
    left_ns = asked->ask.left_ns[0];
    others_ns = asked->ask.left_ns[1];
    say(61, 0);
    confirmer = asked_seat;
    ck_assert_int_eq(asked->limit_ns, others_ns + HAND_FREE_NS + event.margin_ns);
    ck_assert(!asked->last_limit);
    say(61, HAND_FREE_NS + 10 * (int64_t)SECOND);
    ck_assert_int_eq(asked_seat, 1 - confirmer);
    ck_assert_int_eq(asked->ask.left_ns[0], left_ns);
    ck_assert_int_eq(asked->ask.left_ns[1], others_ns - 10 * (int64_t)SECOND);
    do { /* its next decision is charged, and only that one */
        go_on();
    } while (asked_seat != confirmer || asked->ask.kind != BG_DECIDE_PLAY);
    ck_assert_int_eq(asked->ask.left_ns[0], others_ns - 10 * (int64_t)SECOND);
    ck_assert_int_eq(asked->limit_ns, asked->ask.left_ns[0] + event.margin_ns);
    do {
        go_on();
    } while (asked_seat != confirmer || asked->ask.kind != BG_DECIDE_DICE || asked->ask.own_dice);
    ck_assert_int_eq(asked->ask.left_ns[0], others_ns - 10 * (int64_t)SECOND);
    if (_i == 0) {
        say(31, HAND_FREE_NS + 51 * (int64_t)SECOND);
    } else {
        take_asked();
        table_on_overdue(table, HAND_FREE_NS + 51 * (int64_t)SECOND);
        commit();
    }
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(games[0]->fault, BG_FAULT_LATE);
    ck_assert_int_eq(games[0]->winner, confirmer); /* bots by name: seat 0 is the second one */
    verify_games(&rolls);                          /* also the clocks */
}

static const struct {
    bool roller; /* who misbehaves */
    struct bg_answer answer;
    enum bg_fault fault;
} dice_faults[] = {
    {true, {.kind = BG_ANSWER_DICE, .value = 6}, BG_FAULT_GARBLED},
    {false, {.kind = BG_ANSWER_DICE, .value = 631}, BG_FAULT_GARBLED},
    {true, {.kind = BG_ANSWER_ROLL}, BG_FAULT_GARBLED},
    {false, {.kind = BG_ANSWER_RESIGN, .value = 1}, BG_FAULT_GARBLED},
    {true, {.kind = BG_ANSWER_NONE}, BG_FAULT_GARBLED},
};

TEST_ROWS(a_wrong_answer_to_the_question_for_dice_is_a_fault, dice_faults)
{
    uint64_t rolls;
    struct session_slot *slot;

    dice = 6;
    ck_assert_int_eq(clock_control_read(&event.clock, "bank=60s,inc=1s", NULL), BG_OK);
    by_hand();
    open_table();
    commit();
    ck_assert(to_own_dice(true));
    if (!dice_faults[_i].roller) {
        say(31, 0);
    }
    slot = take_asked();
    table_on_answer(slot->owner, &dice_faults[_i].answer, 1000, 0);
    ck_assert_int_eq(game_count, 1);
    ck_assert_int_eq(games[0]->fault, dice_faults[_i].fault);
    ck_assert_ptr_nonnull(games[0]->evidence);
    verify_games(&rolls); /* also the clocks: the decision to roll is not charged without a roll */
}

static void disagree(void)
{
    for (int i = 0; i < HAND_DISAGREEMENTS; i++) {
        ck_assert_int_eq(asked->ask.disagreements, i);
        say(66, 1000);
        say(21, 1000);
    }
}

/* Who disagrees for ever gets no other roll, and no game: the director looks. */
TEST_LOOP(a_game_is_held_when_the_operators_do_not_agree, 0, 3)
{
    int roller;

    dice = 7;
    by_hand();
    open_table();
    commit();
    ck_assert(to_own_dice(true));
    roller = asked_seat;
    held = (struct table_held){.game_id = NULL};
    disagree();
    ck_assert_ptr_null(asked);
    ck_assert_int_eq(done, 0);
    ck_assert_int_eq(game_count, 0);
    ck_assert_str_eq(held.game_id, "anna|bert|7|1|0");
    ck_assert_uint_eq(held.said[roller], 66);
    ck_assert_uint_eq(held.said[1 - roller], 21);
    table_advance(table);
    ck_assert_ptr_null(asked);
    if (_i == 0) {
        table_stop(table);
    } else { /* nobody has to wait at the board for the director */
        table_forfeit(table, _i - 1, BG_FAULT_SILENT, "it has left");
    }
    ck_assert_int_eq(done, _i == 0);
    ck_assert(!table_is_over(table));
    ck_assert_int_eq(game_count, 0);
    table_destroy(table);
    done = 0;
    setup.begun = true;
    open_table(); /* the roll that lies on the board is asked again */
    ck_assert_int_eq(asked->ask.kind, BG_DECIDE_DICE);
    ck_assert_int_eq(asked_seat, roller);
    ck_assert_int_eq(asked->ask.disagreements, 0);
    say(21, 1000);
    say(21, 1000);
    ck_assert_int_eq(asked->ask.kind, BG_DECIDE_PLAY);
}

/* Else who does not like its first die leaves, and rolls another one. */
TEST_LOOP(who_leaves_after_a_die_of_the_opening_was_seen_loses_the_game, 0, 8)
{
    uint64_t rolls;

    ck_assert_int_eq(clock_control_read(&event.clock, "bank=60s,inc=1s", NULL), BG_OK);
    by_hand();
    open_table();
    commit();
    ck_assert(asked->ask.opening_dice);
    for (int said = 0; said < _i / 2; said++) { /* 0: nobody has said anything */
        say(4, 1000);
    }
    table_forfeit(table, _i % 2, BG_FAULT_SILENT, "it has left");
    ck_assert_int_eq(done, _i >= 2);
    ck_assert_int_eq(game_count, _i >= 2);
    if (_i >= 2) {
        ck_assert_int_eq(games[0]->fault, BG_FAULT_SILENT);
        ck_assert_int_eq(games[0]->winner, _i % 2); /* bots by name: seat 0 is the second one */
        verify_games(&rolls);
    }
}

TEST(a_run_that_ends_does_not_wait_for_a_game_that_is_held_later)
{
    dice = 8;
    by_hand();
    open_table();
    commit();
    ck_assert(to_own_dice(false));
    table_stop(table);
    ck_assert_int_eq(done, 0);
    disagree();
    ck_assert_int_eq(done, 1);
    ck_assert(!table_is_over(table));
}

/* Equal dice are rolled again, and double the stake where the rules say so. */
TEST(equal_dice_of_the_opening_are_rolled_again)
{
    event.rules.auto_doubles = 1;
    setup.rules = event.rules;
    by_hand();
    open_table();
    commit();
    for (int i = 0; i < 2; i++) {
        for (int said = 0; said < 4; said++) {
            ck_assert(asked->ask.opening_dice);
            ck_assert_int_eq(asked->ask.dice, 1);
            ck_assert_int_eq(asked->ask.own_dice, said % 2 == 0);
            ck_assert_int_eq(asked->ask.cube_log2, i);
            say(i == 0 || said < 2 ? 4 : 6, 1000);
        }
    }
    ck_assert_int_eq(asked->ask.kind, BG_DECIDE_PLAY);
    ck_assert_int_eq(asked_seat, 1);
    ck_assert_int_eq(asked->ask.cube_log2, 1);
    ck_assert_int_eq(asked->ask.stage.part[0].number, 6);
}

SUITE_FIXTURE(begin, end)
