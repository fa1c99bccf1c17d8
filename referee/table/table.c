/* table_advance() is the only way forward: every answer, fault and durable write ends there. It
 * makes the host's steps until a bot owes something or the game is over. With durable decisions
 * it stops before it asks, until the steps so far are on the disk: a bot never knows more than
 * the results. */
#include "table_inside.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <bgref/cube.h>

#include "../loop/loop.h"
#include "ask_answer.h"
#include "record/game_id.h"
#include "rebuild.h"

/* Returns the leg's first game. */
static struct game_id leg_of(const struct table_setup *setup)
{
    const struct fixture *fixture = &setup->fixture;

    return game_id_of_leg(setup->event->bots[fixture->a].name, setup->event->bots[fixture->b].name,
                          fixture->pair, fixture->leg);
}

void table_broken(struct table *table, const struct bg_error *err)
{
    table->done = true;
    table->setup.listener->broken(table->setup.user, err);
}

/* ------------------------------------------------------------------ telling */

/* On its clock, without what it owes. */
static int64_t left_ns(const struct table *table, int seat)
{
    int64_t left_ns = table->clocks[seat].left_ns;

    return table->owed_ns[seat] < left_ns ? left_ns - table->owed_ns[seat]
           : left_ns > 0                  ? 0
                                          : left_ns;
}

void table_fill_ask(struct bg_ask *ask, const struct table *table, int seat)
{
    ask_from_match(ask, &table->match, seat);
    ask->has_clock = table->clocks[seat].control.kind != CLOCK_NONE;
    ask->left_ns[0] = left_ns(table, seat);
    ask->left_ns[1] = left_ns(table, 1 - seat);
    for (int side = 0; side < 2; side++) {
        const struct clock_control *control = &table->clocks[side == 0 ? seat : 1 - seat].control;

        ask->increment_ns[side] = control->inc_ns;
        ask->delay_ns[side] = control->delay_ns;
    }
    ask->ceiling_ns = table->setup.event->ceiling_ns;
    /* In pairs the name would help a bot to know the second leg by its first. */
    if (!table->setup.event->duplicate) {
        snprintf(ask->opponent, sizeof ask->opponent, "%s", table->name[1 - seat]);
    }
}

/* A seat's bot is told if it wants to be; one whose process is new is told the game as it is. */
static void tell_step(struct table *table, int seat, const struct bg_step *step)
{
    const struct session *session = table->setup.session[seat];
    struct bg_ask view = table->slot.ask;

    if (!session_wants_tells(session)) {
        return;
    }
    table_fill_ask(&view, table, seat);
    if (!telling_knows(table->telling, seat, session)) {
        telling_begin(table->telling, seat, session, &view, table->match.game);
    } else if (step != NULL) {
        telling_step(table->telling, seat, &view, step);
    }
}

/* step NULL: only how the game began, to those that do not know it. */
static void tell_both(struct table *table, const struct bg_step *step)
{
    tell_step(table, 0, step);
    tell_step(table, 1, step);
}

/* The open decision is about to be sent. */
static void on_leaving(void *owner)
{
    struct table *table = owner;

    tell_both(table, NULL);
    telling_release(table->telling, table->setup.session);
}

static void tell_end(struct table *table)
{
    for (int seat = 0; seat < 2; seat++) {
        struct bg_ask view = table->slot.ask;

        if (session_wants_tells(table->setup.session[seat])) {
            table_fill_ask(&view, table, seat);
            telling_end(table->telling, seat, &view, &table->match);
        }
    }
    /* With durable decisions the end too is told only when it is on the disk. */
    table->has_news = table->keeping.on;
    if (!table->has_news) {
        telling_release(table->telling, table->setup.session);
    }
}

static void tell_pairing(struct table *table)
{
    struct bg_ask view = table->slot.ask;

    for (int seat = 0; table->telling != NULL && seat < 2; seat++) {
        table_fill_ask(&view, table, seat);
        telling_pair(table->telling, seat, table->setup.session[seat], &view);
    }
}

/* Notes who has to be Ready for the game that begins, and tells the others of it. */
static void expect_seats(struct table *table)
{
    struct session *const *session = table->setup.session;

    table->slot.game_number = table->match.game;
    table->unprepared = 0;
    if (session[0] == NULL) {
        return;
    }
    for (int seat = 0; seat < 2; seat++) {
        table->unprepared |= session_is_stateful(session[seat]) ? 1u << seat : 0;
    }
    if (table->telling == NULL &&
        (session_wants_tells(session[0]) || session_wants_tells(session[1]))) {
        table->telling = telling_create();
        table->slot.leaving = on_leaving;
        tell_pairing(table);
    }
    if (table->telling != NULL) {
        telling_game(table->telling, table->record.steps);
        tell_both(table, NULL);
    }
}

/* ------------------------------------------------------------------- games */

/* Writes one time control, or two if a bot has its own. */
static void controls_write(char *out, size_t size, const struct clock clocks[2])
{
    char text[2][72];

    for (int seat = 0; seat < 2; seat++) {
        clock_control_write(text[seat], sizeof text[seat], &clocks[seat].control);
    }
    snprintf(out, size, strcmp(text[0], text[1]) == 0 ? "%s" : "%s / %s", text[0], text[1]);
}

static struct keeping_game kept_game(struct table *table, const struct game_id *id)
{
    return (struct keeping_game){.sink = &table->setup.sink,
                                 .id = id,
                                 .match = &table->match,
                                 .clocks = table->clocks,
                                 .on_clock = &table->on_clock};
}

/* The first game of the table may have been cut off at a decision: goes on there. */
static enum bg_status game_resume(struct table *table, const struct game_id *id,
                                  struct bg_error *err)
{
    const struct keeping_game game = kept_game(table, id);
    enum bg_status status;

    keeping_begin(&table->keeping);
    if (!table->setup.begun || table->setup.sink.each_steps == NULL) {
        return BG_OK;
    }
    table->setup.begun = false;
    status = keeping_resume(&table->keeping, &game, &table->record,
                            table->setup.event->manual_dice ? NULL : &table->rolls, err);
    if (status == BG_OK && table->keeping.rolling >= 0) { /* the decision to roll stands */
        hand_dice_begin(&table->hand, &table->match, table->keeping.rolling);
        table->rolling_ns = table->keeping.rolling_ns;
    }
    return status;
}

static const char *said_before(const struct table *table, const char *key)
{
    const char *value = record_view_value(table->before, key);

    return value == NULL ? "" : value;
}

/* Without a session the seat's program is the one that has played the game before. */
static void fill_seat(struct record_header *header, const struct table *table, int seat)
{
    const struct table_setup *setup = &table->setup;
    const struct session *session = setup->session[seat];

    header->seat_name[seat] = table->name[seat];
    header->left_ns[seat] = table->clocks[seat].left_ns;
    if (session != NULL) {
        header->seat_program[seat] = setup->programs[fixture_bot(&setup->fixture, seat)];
        header->seat_version[seat] = session_version(session);
        header->seat_options[seat] = session_options(session);
    } else {
        header->seat_program[seat] = said_before(table, seat == 0 ? "program0" : "program1");
        header->seat_version[seat] = said_before(table, seat == 0 ? "version0" : "version1");
        header->seat_options[seat] = said_before(table, seat == 0 ? "options0" : "options1");
    }
}

static enum bg_status game_begin(struct table *table, struct bg_error *err)
{
    const struct table_setup *setup = &table->setup;
    char clock[160];
    struct record_header header = {
        .game_id = table->id,
        .alias = table->slot.ask.game,
        .event = setup->event->name,
        .trust = setup->trust,
        .start = &table->match,
        .has_clock = table->clocks[0].control.kind != CLOCK_NONE ||
                     table->clocks[1].control.kind != CLOCK_NONE,
        .clock = clock,
        .prev = table->prev,
        .dice = table->dice,
        .key = table->key,
        .attempt = setup->attempt,
        .host = setup->host,
    };

    struct game_id id = leg_of(setup);
    enum bg_status status;

    id.game = table->match.game;
    game_id_write(table->id, &id);
    game_id_alias(table->slot.ask.game, &id, setup->attempt, &setup->id_key);
    table->slot.ask.bot_seed = bg_dice_bot_seed(table->slot.ask.game);
    controls_write(clock, sizeof clock, table->clocks);
    for (int seat = 0; seat < 2; seat++) {
        fill_seat(&header, table, seat);
    }
    table->on_clock = -1;
    table->recording = true;
    setup->listener->began(setup->user, table, header.game_id, &table->match);
    record_begin(&table->record, &header);
    status = game_resume(table, &id, err);
    if (status == BG_OK && table->keeping.marks) {
        const struct keeping_game game = kept_game(table, &id);

        status = keeping_mark(&table->keeping, &game, err);
    }
    expect_seats(table);
    return status;
}

/* Points, winner and score for bots a and b, not for seats. */
static void fill_result(struct store_game *game, const struct table *table)
{
    int leg = table->setup.fixture.leg;

    store_game_result(game, &table->match, leg);
    for (int bot = 0; bot < 2; bot++) {
        game->left_ns[bot] = table->clocks[game_id_seat_of(leg, bot)].left_ns;
    }
}

static enum bg_status game_put(struct table *table, struct bg_error *err)
{
    const struct config_event *event = table->setup.event;
    const struct fixture *fixture = &table->setup.fixture;
    struct store_game *game = memory_zeroed(1, sizeof *game);

    game->id = memory_text(table->id);
    game->a = memory_text(event->bots[fixture->a].name);
    game->b = memory_text(event->bots[fixture->b].name);
    game->text = memory_text_of(table->record.text, table->record.size);
    game->text_size = table->record.size;
    game->pair = fixture->pair;
    game->leg = fixture->leg;
    game->game = table->match.game;
    game->at_s = loop_calendar();
    fill_result(game, table);
    memcpy(game->hash, table->prev, sizeof game->hash);
    game->evidence = table->evidence;
    /* The game has it now, and goes to the store's thread with it. */
    table->evidence = NULL;
    table->setup.listener->ended(table->setup.user, game->end);
    return table->setup.sink.put_game(table->setup.sink.user, game, err);
}

/* Ends the record and hands the game to the sink. */
static enum bg_status game_finish(struct table *table, struct bg_error *err)
{
    int64_t left_ns[2] = {table->clocks[0].left_ns, table->clocks[1].left_ns};
    enum bg_status status;

    record_end(&table->record, &table->match.result, left_ns, table->prev);
    table->recording = false;
    if (table->telling != NULL) {
        tell_end(table);
    }
    status = game_put(table, err);
    if (status == BG_OK && table->keeping.on) {
        keeping_end(&table->keeping, &table->setup.sink);
    }
    return status;
}

/* --------------------------------------------------------- the host's steps */

/* What the seat thought goes into the record, and nowhere else: not to tell_both. */
static void note_thought(struct table *table, int seat)
{
    struct bg_thought thought;

    table->thinks = false;
    if (session_take_thought(&thought, table->setup.session[seat])) {
        record_append_thought(&table->record, &thought);
        if (table->keeping.on) {
            keeping_add_thought(&table->keeping, &thought);
        }
    }
}

static void report_step(const struct table *table, const struct bg_step *step, int64_t spent_ns)
{
    const struct clock *clocks = table->clocks;
    const struct record_made made = {step,
                                     &table->match,
                                     table->record.steps,
                                     clocks[0].control.kind != CLOCK_NONE ||
                                         clocks[1].control.kind != CLOCK_NONE,
                                     spent_ns,
                                     {clocks[0].left_ns, clocks[1].left_ns}};

    table->setup.listener->stepped(table->setup.user, table, &made);
}

void table_note(struct table *table, const struct bg_step *step, int64_t spent_ns)
{
    const struct record_time time = {spent_ns, spent_ns < 0 ? 0 : table->slot.waited_ns};

    record_append_timed(&table->record, step, &time);
    if (table->setup.listener->stepped != NULL) {
        report_step(table, step, spent_ns);
    }
    if (table->telling != NULL) {
        tell_both(table, step);
    }
    if (table->keeping.on) {
        keeping_add(&table->keeping, step, &time);
    }
    if (table->thinks) {
        note_thought(table, step->seat);
    }
}

void table_must_step(struct table *table, const struct bg_step *step)
{
    enum bg_rule broken_rule = bg_match_step(&table->match, step);

    assert(broken_rule == BG_RULE_NONE);
    (void)broken_rule;
}

/* Between two games of a match. Returns false if the table stops here. */
static enum bg_status next_game(struct table *table, struct bg_error *err)
{
    struct bg_step step = {.kind = BG_STEP_NEXT, .seat = -1};
    enum bg_status status = table->recording ? game_finish(table, err) : BG_OK;

    if (status != BG_OK || table->has_news) { /* comes back when the end was told */
        return status;
    }
    if (table->stopping) {
        table->done = true;
        return BG_OK;
    }
    table_must_step(table, &step);
    return game_begin(table, err);
}

/* ------------------------------------------------------------------- asking */

void table_clock_turn(struct table *table, int seat)
{
    if (table->on_clock != seat) {
        clock_turn(&table->clocks[seat]);
        table->on_clock = seat;
    }
}

static void ask_seat(struct table *table, int seat)
{
    const struct config_event *event = table->setup.event;
    int64_t allowed_ns;

    table_clock_turn(table, seat);
    table_fill_ask(&table->slot.ask, table, seat);
    allowed_ns = clock_allowed(&table->clocks[seat]);
    if (allowed_ns >= 0) {
        allowed_ns = allowed_ns > table->owed_ns[seat] ? allowed_ns - table->owed_ns[seat] : 0;
    }
    table->slot.limit_ns = allowed_ns < 0 || allowed_ns + event->margin_ns > event->ceiling_ns
                               ? event->ceiling_ns
                               : allowed_ns + event->margin_ns;
    /* Beyond the ceiling no answer is waited for: the process counts as hung. */
    table->slot.last_limit = table->slot.limit_ns == event->ceiling_ns;
    table->slot.pays_bank = clock_has_bank(&table->clocks[seat].control);
    table->asked = seat;
    session_ask(table->setup.session[seat], &table->slot);
}

/* Returns true if a bot owes the answer that the match needs. */
static bool is_asked(enum bg_need_kind need)
{
    return need != BG_NEED_NOTHING && need != BG_NEED_OPENING && need != BG_NEED_ROLL &&
           need != BG_NEED_GAME;
}

static enum bg_status host_step(struct table *table, struct bg_error *err)
{
    struct bg_need need = bg_match_need(&table->match);

    switch (need.kind) {
    case BG_NEED_OPENING:
        return table_roll_opening(table, err);
    case BG_NEED_ROLL:
        return table_roll(table, need.seat, -1, err);
    case BG_NEED_GAME:
        return next_game(table, err);
    default:
        table->done = true;
        return table->recording ? game_finish(table, err) : BG_OK;
    }
}

/* Asks a stateful bot to be Ready for the game; the decision follows when it is. */
static void prepare_seat(struct table *table)
{
    int seat = (table->unprepared & 1) != 0 ? 0 : 1;

    table->unprepared &= ~(1u << seat);
    table_fill_ask(&table->slot.ask, table, seat);
    table->slot.ask.kind = BG_DECIDE_NONE;
    table->slot.limit_ns = table->setup.event->ceiling_ns;
    table->asked = seat;
    session_ask(table->setup.session[seat], &table->slot);
}

/* Whether the bots may hear of everything so far. If not, the table waits for the store. An error
 * ends the run. */
static bool is_kept(struct table *table)
{
    struct game_id id = leg_of(&table->setup);
    const struct keeping_game game = kept_game(table, &id);
    struct bg_error err;

    if (!table->keeping.on && !table->keeping.marks) {
        return true;
    }
    id.game = table->match.game;
    if (keeping_put(&table->keeping, &game, &err) != BG_OK) {
        table_broken(table, &err);
        return false;
    }
    table->waiting = !keeping_is_durable(&table->keeping);
    if (!table->waiting && table->has_news) {
        table->has_news = false;
        telling_release(table->telling, table->setup.session);
    }
    return !table->waiting;
}

bool table_is_waiting(const struct table *table)
{
    return table->waiting;
}

void table_on_durable(struct table *table, uint64_t durable)
{
    table->keeping.durable = durable;
    if (table->waiting && keeping_is_durable(&table->keeping)) {
        table_advance(table);
    }
}

static void report_done(struct table *table)
{
    if (!table->is_reported) {
        table->is_reported = true;
        table->setup.listener->done(table->setup.user, table);
    }
}

void table_advance(struct table *table)
{
    struct bg_error err;

    table->done = table->done || (table->hand.held && table->stopping);
    while (!table->done && table->unprepared == 0 && !is_asked(table->match.need.kind) &&
           !table_dice_are_due(table) && (!table->has_news || is_kept(table))) {
        if (host_step(table, &err) != BG_OK) {
            table_broken(table, &err);
            return;
        }
    }
    if (table->done) {
        report_done(table);
    }
    /* A table that is done may still have an end to tell: is_kept() releases it, or lets the
     * table wait, which keeps its place until then (places.c). */
    if ((table->done && !table->has_news) || !is_kept(table) || table->done) {
        return;
    }
    if (table->unprepared != 0) {
        prepare_seat(table);
    } else if (table_dice_are_due(table)) {
        table_ask_dice(table);
    } else {
        ask_seat(table, table->match.need.seat);
    }
}

void table_forfeit_match(struct table *table, int seat, const char *message)
{
    enum bg_status status = BG_OK;
    struct bg_error err;

    assert(table->setup.session[0] == NULL && table->setup.session[1] == NULL);
    if (table->done || table->match.need.kind != BG_NEED_GAME) {
        return;
    }
    /* a game that was cut off may have been kept up to its end */
    while (status == BG_OK && table->match.need.kind == BG_NEED_GAME) {
        status = next_game(table, &err);
    }
    table->charged_ns = -1;
    if (status != BG_OK) {
        table_broken(table, &err);
    } else if (table->match.need.kind == BG_NEED_NOTHING) {
        table_advance(table);
    } else {
        table_lose(table, seat, &(struct table_loss){BG_FAULT_GONE, BG_RULE_NONE, NULL, message});
    }
}

/* ------------------------------------------------------------------ opening */

/* Starts from the usual set-up, or from the position of the pair. */
static enum bg_status begin_match(struct table *table, struct bg_error *err)
{
    const struct bg_rules *rules = &table->setup.rules;
    enum bg_status status = bg_rules_check(rules, err);

    if (status != BG_OK) {
        return status;
    }
    if (table->setup.start != NULL) {
        return bg_match_begin_at(&table->match, rules, table->setup.start, err);
    }
    bg_match_begin(&table->match, rules);
    return BG_OK;
}

static enum bg_status find_place(struct table *table, struct bg_error *err)
{
    const struct table_setup *setup = &table->setup;
    const struct game_id leg = leg_of(setup);
    struct rebuild rebuild = {.match = &table->match, .clocks = table->clocks, .prev = table->prev};
    enum bg_status status = BG_OK;

    /* Most fixtures have nothing stored, and the store is not asked for it. */
    if (setup->begun) {
        status = rebuild_leg(&rebuild, &setup->sink, &leg, err);
    }
    table->before = rebuild.last;
    if (setup->session[0] == NULL) {
        table->done = rebuild.games == 0;
        return status;
    }
    if (status == BG_OK && rebuild.games == 0) {
        status = begin_match(table, err);
    }
    if (status == BG_OK && rebuild.games == 0) {
        status = game_begin(table, err);
    }
    return status;
}

enum bg_status table_open(struct table **out, const struct table_setup *setup, struct bg_error *err)
{
    enum bg_status status;
    struct table *table = memory_zeroed(1, sizeof *table);

    table->setup = *setup;
    snprintf(table->dice, sizeof table->dice, "%s", setup->dice_kind);
    snprintf(table->key, sizeof table->key, "%s", setup->key_digest);
    table->asked = -1;
    table->on_clock = -1;
    table->slot.owner = table;
    table->keeping.on = setup->event->durable_decision && setup->sink.put_steps != NULL;
    table->keeping.marks = setup->marks && setup->sink.put_steps != NULL;
    dice_ahead_begin(&table->rolls, &setup->pair_key);
    for (int seat = 0; seat < 2; seat++) {
        const struct competitor *bot = &setup->event->bots[fixture_bot(&setup->fixture, seat)];

        table->name[seat] = bot->name;
        clock_begin(&table->clocks[seat], bot->has_clock ? &bot->clock : &setup->event->clock,
                    setup->rules.length_points);
    }
    status = find_place(table, err);
    if (status == BG_OK) {
        *out = table;
        table = NULL;
    }
    table_destroy(table);
    return status;
}

void table_destroy(struct table *table)
{
    if (table == NULL) {
        return;
    }
    if (table->asked >= 0) {
        session_cancel(table->setup.session[table->asked], &table->slot);
    }
    record_deinit(&table->record);
    record_view_destroy(table->before);
    telling_destroy(table->telling);
    keeping_deinit(&table->keeping);
    store_fault_destroy(table->evidence);
    free(table);
}

void table_stop(struct table *table)
{
    table->stopping = true;
    if (table->hand.held) {
        table_advance(table);
    }
}

bool table_is_held(const struct table *table)
{
    return table->hand.held;
}

const struct fixture *table_fixture(const struct table *table)
{
    return &table->setup.fixture;
}

uint64_t table_attempt(const struct table *table)
{
    return table->setup.attempt;
}

int table_place(const struct table *table)
{
    return table->setup.place;
}

struct session *table_session(const struct table *table, int seat)
{
    return table->setup.session[seat];
}

const char *table_game(const struct table *table)
{
    return table->recording ? table->slot.ask.game : NULL;
}

bool table_is_over(const struct table *table)
{
    return table->match.need.kind == BG_NEED_NOTHING;
}

bool table_is_done(const struct table *table)
{
    return table->done;
}
