#include "table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/cube.h>

#include "../bot/bot_words.h"
#include "../loop/loop.h"
#include "ask_answer.h"
#include "away.h"
#include "evidence.h"
#include "keeping.h"
#include "record/game_id.h"
#include "rules/dice_draw.h"
#include "rebuild.h"
#include "telling.h"

struct table {
    struct table_setup setup;
    char id[BG_GAME_ID];     /* of the running game; bots see slot.ask.game */
    char key[BG_KEY_HEX];    /* copy of setup.key_digest, which has a shorter life */
    const char *name[2];     /* of the bots on seats 0 and 1; lent */
    struct dice_ahead rolls; /* under setup.pair_key */
    struct bg_match match;
    struct record record; /* of the running game */
    bool recording;
    struct clock clocks[2];
    int on_clock;                   /* seat asked last, -1 none: its turn goes on */
    struct session_slot slot;       /* the one open decision */
    int asked;                      /* seat that owes it, -1 none */
    int64_t charged_ns;             /* time for the decision being judged, -1 none */
    char prev[RECORD_HASH];         /* hash of the leg's game before */
    char dice[2 * BG_KEY_HEX + 16]; /* copy of setup.dice_kind, which has a shorter life */
    struct store_fault *evidence;   /* owned; evidence of the fault that ended the game, else
                                     * NULL */
    struct telling *telling;        /* owned; NULL: no bot at this table wants to be told */
    unsigned unprepared;    /* bit for each seat that must be Ready before the game begins */
    struct keeping keeping; /* of the running game's steps */
    bool waiting;           /* for the store */
    bool has_news;          /* a game has ended, and its bots will be told when it is durable */
    bool is_reported;       /* the listener knows that the table is done */
    bool stopping, done;
};

/* Returns the leg's first game. */
static struct game_id leg_of(const struct table_setup *setup)
{
    const struct fixture *fixture = &setup->fixture;

    return game_id_of_leg(setup->event->bots[fixture->a].name, setup->event->bots[fixture->b].name,
                          fixture->pair, fixture->leg);
}

/* Handles an error of the system: the table stops playing. */
static void broken(struct table *table, const struct bg_error *err)
{
    table->done = true;
    table->setup.listener->broken(table->setup.user, err);
}

/* ------------------------------------------------------------------ telling */

/* Fills all but the decision's number, the game's id and the seed. */
static void fill_ask(struct bg_ask *ask, const struct table *table, int seat)
{
    ask_from_match(ask, &table->match, seat);
    ask->has_clock = table->clocks[seat].control.kind != CLOCK_NONE;
    ask->left_ns[0] = table->clocks[seat].left_ns;
    ask->left_ns[1] = table->clocks[1 - seat].left_ns;
    for (int side = 0; side < 2; side++) {
        const struct clock_control *control = &table->clocks[side == 0 ? seat : 1 - seat].control;

        ask->increment_ns[side] = control->inc_ns;
        ask->delay_ns[side] = control->delay_ns;
    }
    ask->ceiling_ns = table->setup.event->ceiling_ns;
    if (!table->setup.event->duplicate) {
        snprintf(ask->opponent, sizeof ask->opponent, "%s", table->name[1 - seat]);
    }
}

/* A seat's bot is told if it wants to be; one whose process is new is told the game as it is. */
static void tell(struct table *table, int seat, const struct bg_step *step)
{
    const struct session *session = table->setup.session[seat];
    struct bg_ask view = table->slot.ask;

    if (!session_wants_tells(session)) {
        return;
    }
    fill_ask(&view, table, seat);
    if (!telling_knows(table->telling, seat, session)) {
        telling_begin(table->telling, seat, session, &view, table->match.game);
    } else if (step != NULL) {
        telling_step(table->telling, seat, &view, step);
    }
}

/* step NULL: only how the game began, to those that do not know it. */
static void tell_both(struct table *table, const struct bg_step *step)
{
    tell(table, 0, step);
    tell(table, 1, step);
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
            fill_ask(&view, table, seat);
            telling_end(table->telling, seat, &view, &table->match);
        }
    }
    table->has_news = table->keeping.on;
    if (!table->has_news) {
        telling_release(table->telling, table->setup.session);
    }
}

/* Notes who has to be Ready for the game that begins, and tells the others of it. */
static void expect_seats(struct table *table)
{
    struct session *const *session = table->setup.session;

    table->slot.game_number = table->match.game;
    table->unprepared = 0;
    for (int seat = 0; seat < 2; seat++) {
        table->unprepared |= session_is_stateful(session[seat]) ? 1u << seat : 0;
    }
    if (table->telling == NULL &&
        (session_wants_tells(session[0]) || session_wants_tells(session[1]))) {
        table->telling = telling_create();
        table->slot.leaving = table->telling == NULL ? NULL : on_leaving;
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

    keeping_begin(&table->keeping);
    if (!table->setup.begun || table->setup.sink.each_steps == NULL) {
        return BG_OK;
    }
    table->setup.begun = false;
    return keeping_resume(&table->keeping, &game, &table->record, &table->rolls, err);
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
        header.seat_name[seat] = table->name[seat];
        header.seat_program[seat] = setup->programs[fixture_bot(&setup->fixture, seat)];
        header.seat_version[seat] = session_version(setup->session[seat]);
        header.seat_options[seat] = session_options(setup->session[seat]);
        header.left_ns[seat] = table->clocks[seat].left_ns;
    }
    table->on_clock = -1;
    table->recording = true;
    setup->listener->began(setup->user, table, header.game_id, &table->match);
    status = record_begin(&table->record, &header, err);
    if (status == BG_OK) {
        status = game_resume(table, &id, err);
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
    struct store_game *game = calloc(1, sizeof *game);

    if (game == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "finished game");
    }
    game->id = strdup(table->id);
    game->a = strdup(event->bots[fixture->a].name);
    game->b = strdup(event->bots[fixture->b].name);
    game->text = strndup(table->record.text, table->record.size);
    if (game->id == NULL || game->a == NULL || game->b == NULL || game->text == NULL) {
        store_game_destroy(game);
        return bg_error_set(err, BG_E_MEMORY, "finished game");
    }
    game->text_size = table->record.size;
    game->pair = fixture->pair;
    game->leg = fixture->leg;
    game->game = table->match.game;
    game->at_s = loop_calendar();
    fill_result(game, table);
    memcpy(game->hash, table->prev, sizeof game->hash);
    game->evidence = table->evidence;
    table->evidence = NULL;
    return table->setup.sink.put_game(table->setup.sink.user, game, err);
}

/* Ends the record and hands the game to the sink. */
static enum bg_status game_finish(struct table *table, struct bg_error *err)
{
    int64_t left_ns[2] = {table->clocks[0].left_ns, table->clocks[1].left_ns};
    enum bg_status status =
        record_end(&table->record, &table->match.result, left_ns, table->prev, err);

    table->recording = false;
    if (table->telling != NULL) {
        tell_end(table);
    }
    if (status == BG_OK) {
        status = game_put(table, err);
    }
    if (status == BG_OK && table->keeping.on) {
        keeping_end(&table->keeping, &table->setup.sink);
    }
    return status;
}

/* --------------------------------------------------------- the host's steps */

static enum bg_status note(struct table *table, const struct bg_step *step, int64_t spent_ns,
                           struct bg_error *err)
{
    enum bg_status status = record_append(&table->record, step, spent_ns, err);

    if (table->telling != NULL) {
        tell_both(table, step);
    }
    if (status == BG_OK && table->keeping.on) {
        status = keeping_add(&table->keeping, step, spent_ns, err);
    }
    return status;
}

static void must_step(struct table *table, const struct bg_step *step)
{
    enum bg_rule broken_rule = bg_match_step(&table->match, step);

    assert(broken_rule == BG_RULE_NONE);
    (void)broken_rule;
}

static enum bg_status roll_opening(struct table *table, struct bg_error *err)
{
    struct bg_step step = {.kind = BG_STEP_OPEN, .seat = -1};

    dice_ahead_draw(step.die, (size_t)bg_match_dice(&table->match), &table->rolls,
                    (uint64_t)table->match.game, BG_STREAM_OPEN, (uint64_t)table->match.openings);
    must_step(table, &step);
    return note(table, &step, -1, err);
}

/* spent_ns: time taken to decide not to double, -1 if it was not asked. */
static enum bg_status roll(struct table *table, int seat, int64_t spent_ns, struct bg_error *err)
{
    struct bg_step step = {.kind = BG_STEP_ROLL, .seat = seat};

    dice_ahead_draw(step.die, (size_t)bg_match_dice(&table->match), &table->rolls,
                    (uint64_t)table->match.game, seat == 0 ? BG_STREAM_0 : BG_STREAM_1,
                    (uint64_t)table->match.rolls[seat]);
    must_step(table, &step);
    return note(table, &step, spent_ns, err);
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
    must_step(table, &step);
    return game_begin(table, err);
}

/* ------------------------------------------------------------------- asking */

static void ask(struct table *table, int seat)
{
    const struct config_event *event = table->setup.event;
    int64_t allowed_ns;

    if (table->on_clock != seat) { /* a new turn: the delay starts again */
        clock_turn(&table->clocks[seat]);
        table->on_clock = seat;
    }
    fill_ask(&table->slot.ask, table, seat);
    allowed_ns = clock_allowed(&table->clocks[seat]);
    table->slot.limit_ns = allowed_ns < 0 || allowed_ns + event->margin_ns > event->ceiling_ns
                               ? event->ceiling_ns
                               : allowed_ns + event->margin_ns;
    table->slot.last_limit = table->slot.limit_ns == event->ceiling_ns;
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
        return roll_opening(table, err);
    case BG_NEED_ROLL:
        return roll(table, need.seat, -1, err);
    case BG_NEED_GAME:
        return next_game(table, err);
    default:
        table->done = true;
        return table->recording ? game_finish(table, err) : BG_OK;
    }
}

/* Asks a stateful bot to be Ready for the game; the decision follows when it is. */
static void prepare(struct table *table)
{
    int seat = (table->unprepared & 1) != 0 ? 0 : 1;

    table->unprepared &= ~(1u << seat);
    fill_ask(&table->slot.ask, table, seat);
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

    if (!table->keeping.on) {
        return true;
    }
    id.game = table->match.game;
    if (keeping_put(&table->keeping, &game, &err) != BG_OK) {
        broken(table, &err);
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

    while (!table->done && table->unprepared == 0 && !is_asked(table->match.need.kind) &&
           (!table->has_news || is_kept(table))) {
        if (host_step(table, &err) != BG_OK) {
            broken(table, &err);
            return;
        }
    }
    if (table->done) {
        report_done(table);
    }
    if ((table->done && !table->has_news) || !is_kept(table) || table->done) {
        return;
    }
    if (table->unprepared != 0) {
        prepare(table);
    } else {
        ask(table, table->match.need.seat);
    }
}

/* ------------------------------------------------------------------ judging */

/* Records the evidence, ends the game with the fault, and continues the match. */
static void lose(struct table *table, int seat, enum bg_fault fault, enum bg_rule rule,
                 const struct bg_answer *answer, const char *text)
{
    char room[320];
    const char *message = away_text(room, sizeof room, table->setup.session[seat], fault, text);
    int bot = fixture_bot(&table->setup.fixture, seat);
    struct session_reply reply = session_reply(table->setup.session[seat]);
    struct evidence evidence = {
        .game_id = table->id,
        .bot = table->name[seat],
        .fault = fault,
        .rule = rule,
        .match = &table->match,
        .seat = seat,
        .decision = table->slot.ask.decision,
        .answer = answer != NULL ? answer : reply.answer,
        .bytes = reply.data,
        .bytes_size = reply.size,
        .message = message,
        .stderr_tail = session_stderr(table->setup.session[seat]),
    };
    struct table_fault report = {bot,
                                 fault,
                                 table->id,
                                 message == NULL ? "" : message,
                                 rule == BG_RULE_NONE ? "" : bg_rule_number(rule),
                                 "",
                                 NULL};
    struct bg_step step = {.kind = BG_STEP_FAULT, .seat = seat, .fault = fault};
    struct bg_error err;
    enum bg_status status;
    char words[2048];

    evidence.words = bot_words(words, sizeof words, &table->setup.event->bots[bot]) ? words : NULL;
    evidence.alias = table->slot.ask.game;
    table->evidence = evidence_make(&evidence);
    if (table->evidence != NULL && table->evidence->reply != NULL) {
        report.reply = table->evidence->reply;
    }
    report.said = table->evidence == NULL ? NULL : table->evidence->stderr_tail;
    must_step(table, &step);
    status = note(table, &step, table->charged_ns, &err);
    table->asked = -1;
    table->unprepared = 0;
    if (status != BG_OK) {
        broken(table, &err);
        return;
    }
    table->setup.listener->fault(table->setup.user, &report);
    table_advance(table);
}

/* Applies a fitting answer. Returns the verdict; *status is an error if the record could not
 * grow. */
static enum bg_rule take_answer(enum bg_status *status, struct table *table, int seat,
                                const struct bg_answer *answer, int64_t spent_ns,
                                struct bg_error *err)
{
    struct bg_step step = {.seat = seat};
    enum bg_rule rule;

    *status = BG_OK;
    if (answer->kind == BG_ANSWER_ROLL) {
        *status = roll(table, seat, spent_ns, err);
        return BG_RULE_NONE;
    }
    rule = answer_take(&step, &table->match, &table->slot.ask, seat, answer);
    if (rule == BG_RULE_NONE) {
        *status = note(table, &step, spent_ns, err);
    }
    return rule;
}

static void judge(struct table *table, int seat, const struct bg_answer *answer, int64_t spent_ns)
{
    struct bg_error err;
    enum bg_status status;
    int turn = table->match.turn;
    char message[ANSWER_MISFIT];
    enum bg_rule rule = take_answer(&status, table, seat, answer, spent_ns, &err);

    if (rule == BG_RULE_SLOT && answer->kind == BG_ANSWER_INDEX) {
        answer_no_index(message, &table->slot.ask, answer->value);
        lose(table, seat, BG_FAULT_ILLEGAL, rule, answer, message);
        return;
    }
    if (rule != BG_RULE_NONE) {
        lose(table, seat, rule == BG_RULE_AMBIGUOUS ? BG_FAULT_AMBIGUOUS : BG_FAULT_ILLEGAL, rule,
             answer, bg_rule_text(rule));
        return;
    }
    if (table->match.turn != turn) { /* the increment is added only after a completed turn */
        clock_charge(&table->clocks[seat], 0, 0, true);
        table->on_clock = -1;
    }
    table->asked = -1;
    if (status != BG_OK) {
        broken(table, &err);
        return;
    }
    table_advance(table);
}

/* The answer is for another kind of decision, or is not an answer at all. */
static void lose_misfit(struct table *table, int seat, const struct bg_answer *answer)
{
    const char *trouble = session_reply(table->setup.session[seat]).trouble;
    char text[EVIDENCE_ANSWER], message[ANSWER_MISFIT];

    if (answer->kind == BG_ANSWER_NONE) {
        snprintf(message, sizeof message, "what answers decision %" PRIu64 " is not an answer: %s",
                 table->slot.ask.decision, trouble == NULL ? "nothing is in it" : trouble);
    } else {
        evidence_answer_write(text, table->match.rules.variant, answer);
        answer_misfit(message, table->slot.ask.kind, text);
    }
    lose(table, seat, BG_FAULT_GARBLED, BG_RULE_NONE, answer, message);
}

void table_on_answer(struct table *table, const struct bg_answer *answer, int64_t spent_ns,
                     int64_t credit_ns)
{
    const struct config_event *event = table->setup.event;
    int seat = table->asked;
    int64_t charged_ns = spent_ns - credit_ns;
    char message[128];
    bool in_time;

    if (answer == NULL) { /* Ready for the game */
        table->asked = -1;
        table_advance(table);
        return;
    }
    table->charged_ns = charged_ns;
    in_time = clock_charge(&table->clocks[seat], charged_ns, event->margin_ns, false);
    if (!in_time || charged_ns > event->ceiling_ns) {
        snprintf(message, sizeof message, "answered after %.3f s; %.3f s were allowed",
                 (double)charged_ns / 1e9, (double)table->slot.limit_ns / 1e9);
        lose(table, seat, BG_FAULT_LATE, BG_RULE_NONE, answer, message);
    } else if (!bg_answer_fits(table->slot.ask.kind, answer->kind)) {
        lose_misfit(table, seat, answer);
    } else {
        judge(table, seat, answer, charged_ns);
    }
}

void table_on_overdue(struct table *table, int64_t spent_ns)
{
    bool clocked = !table->slot.last_limit;
    char message[128];

    if (table->slot.announces) { /* no clock ran */
        snprintf(message, sizeof message,
                 "no Ready for the new game in %.3f s; %.3f s were allowed", (double)spent_ns / 1e9,
                 (double)table->slot.allowed_ns / 1e9);
        table_on_fault(table, BG_FAULT_SILENT, message);
        return;
    }

    snprintf(message, sizeof message, "no answer in %.3f s; %.3f s were allowed",
             (double)spent_ns / 1e9, (double)table->slot.limit_ns / 1e9);
    table->charged_ns = spent_ns;
    clock_charge(&table->clocks[table->asked], spent_ns, 0, false); /* no time is left on it */
    lose(table, table->asked, clocked ? BG_FAULT_LATE : BG_FAULT_SILENT, BG_RULE_NONE, NULL,
         message);
}

void table_on_fault(struct table *table, enum bg_fault fault, const char *message)
{
    table->charged_ns = -1;
    lose(table, table->asked, fault, BG_RULE_NONE, NULL, message);
}

void table_forfeit(struct table *table, int seat, const char *message)
{
    table->stopping = true;
    if (table->done || table->match.need.kind == BG_NEED_OPENING ||
        table->match.need.kind == BG_NEED_GAME) { /* the last waits for the store */
        return;
    }
    if (table->asked >= 0) {
        session_cancel(table->setup.session[table->asked], &table->slot);
    }
    table->charged_ns = -1;
    lose(table, seat, BG_FAULT_SILENT, BG_RULE_NONE, NULL, message);
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

    if (setup->begun) {
        status = rebuild_leg(&rebuild, &setup->sink, &leg, err);
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
    struct table *table = calloc(1, sizeof *table);

    if (table == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "table state");
    }
    table->setup = *setup;
    snprintf(table->dice, sizeof table->dice, "%s", setup->dice_kind);
    snprintf(table->key, sizeof table->key, "%s", setup->key_digest);
    table->asked = -1;
    table->on_clock = -1;
    table->slot.owner = table;
    table->keeping.on = setup->event->durable_decision && setup->sink.put_steps != NULL;
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
    telling_destroy(table->telling);
    keeping_deinit(&table->keeping);
    store_fault_destroy(table->evidence);
    free(table);
}

void table_stop(struct table *table)
{
    table->stopping = true;
}

const struct fixture *table_fixture(const struct table *table)
{
    return &table->setup.fixture;
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
