/* Whatever a bot does ends in a step of the match or in table_lose(), which keeps the evidence
 * first, as the match machine forgets the position with the next step. The clock is charged
 * before the answer is looked at: a late answer is late whatever it says. */
#include "table_inside.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../bot/bot_words.h"
#include "ask_answer.h"
#include "away.h"
#include "evidence.h"

enum { LATE_TEXT = 224 };

/* What the bot has said last; nothing without a session. */
static struct session_reply reply_of(const struct session *session)
{
    struct session_reply none = {.answer = NULL};

    return session == NULL ? none : session_reply(session);
}

void table_lose(struct table *table, int seat, const struct table_loss *loss)
{
    char room[320];
    const char *message =
        away_text(room, sizeof room, table->setup.session[seat], loss->fault, loss->text);
    int bot = fixture_bot(&table->setup.fixture, seat);
    struct session *session = table->setup.session[seat];
    struct session_reply reply = reply_of(session);
    struct evidence evidence = {
        .game_id = table->id,
        .bot = table->name[seat],
        .fault = loss->fault,
        .rule = loss->rule,
        .match = &table->match,
        .seat = seat,
        .decision = table->slot.ask.decision,
        .answer = loss->answer != NULL ? loss->answer : reply.answer,
        .bytes = reply.data,
        .bytes_size = reply.size,
        .message = message,
        .stderr_tail = session == NULL ? NULL : session_stderr(session),
    };
    struct table_fault report = {bot,
                                 loss->fault,
                                 table->id,
                                 message == NULL ? "" : message,
                                 loss->rule == BG_RULE_NONE ? "" : bg_rule_number(loss->rule),
                                 "",
                                 NULL};
    struct bg_step step = {.kind = BG_STEP_FAULT, .seat = seat, .fault = loss->fault};
    char words[2048];

    evidence.words = bot_words(words, sizeof words, &table->setup.event->bots[bot]) ? words : NULL;
    evidence.alias = table->slot.ask.game;
    table->evidence = evidence_make(&evidence);
    if (table->evidence->reply != NULL) {
        report.reply = table->evidence->reply;
    }
    report.said = table->evidence->stderr_tail;
    table_must_step(table, &step);
    table_note(table, &step, table->charged_ns);
    table->asked = -1;
    /* Nobody gets ready or says dice for a game that is over. */
    table->unprepared = 0;
    table->hand = (struct hand_dice){.count = 0};
    table->setup.listener->fault(table->setup.user, &report);
    table_advance(table);
}

/* Applies a fitting answer. Returns the verdict; *status is an error if the dice could not be
 * rolled. */
static enum bg_rule take_answer(enum bg_status *status, struct table *table, int seat,
                                const struct bg_answer *answer, int64_t spent_ns,
                                struct bg_error *err)
{
    struct bg_step step = {.seat = seat};
    enum bg_rule rule;

    *status = BG_OK;
    if (answer->kind == BG_ANSWER_ROLL) {
        *status = table_roll(table, seat, spent_ns, err);
        return BG_RULE_NONE;
    }
    rule = answer_take(&step, &table->match, &table->slot.ask, seat, answer);
    if (rule == BG_RULE_NONE) {
        table_note(table, &step, spent_ns);
    }
    return rule;
}

void table_end_turn(struct table *table, int seat, int turn)
{
    if (table->match.turn != turn) {
        clock_charge(&table->clocks[seat], 0, 0, true);
        table->on_clock = -1;
    }
}

static void judge(struct table *table, int seat, const struct bg_answer *answer, int64_t spent_ns)
{
    struct bg_error err;
    enum bg_status status;
    int turn = table->match.turn;
    char message[ANSWER_MISFIT];
    enum bg_rule rule;

    table->thinks = !table->setup.event->drop_thoughts;
    rule = take_answer(&status, table, seat, answer, spent_ns, &err);
    table->thinks = false; /* no step, or one that people roll for later */
    if (rule == BG_RULE_SLOT && answer->kind == BG_ANSWER_INDEX) {
        answer_no_index(message, &table->slot.ask, answer->value);
        table_lose(table, seat, &(struct table_loss){BG_FAULT_ILLEGAL, rule, answer, message});
        return;
    }
    if (rule != BG_RULE_NONE) {
        table_lose(
            table, seat,
            &(struct table_loss){rule == BG_RULE_AMBIGUOUS ? BG_FAULT_AMBIGUOUS : BG_FAULT_ILLEGAL,
                                 rule, answer, bg_rule_text(rule)});
        return;
    }
    table_end_turn(table, seat, turn);
    table->asked = -1;
    if (status != BG_OK) {
        table_broken(table, &err);
        return;
    }
    table_advance(table);
}

/* The answer is for another kind of decision, or is not an answer at all. */
void table_lose_misfit(struct table *table, int seat, const struct bg_answer *answer)
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
    table_lose(table, seat, &(struct table_loss){BG_FAULT_GARBLED, BG_RULE_NONE, answer, message});
}

/* Adds what was not charged, and what else its author cannot see. */
static void add_wait(char text[LATE_TEXT], const struct session_slot *slot)
{
    size_t size = strlen(text);

    if (slot->waited_ns > 0) {
        size += (size_t)snprintf(text + size, LATE_TEXT - size,
                                 ", besides %.1f ms for which it waited for a core",
                                 (double)slot->waited_ns / 1e6);
    }
    if (slot->is_stopped) {
        snprintf(text + size, LATE_TEXT - size, "; its process was stopped by a signal");
    }
}

/* What a seat still owes is charged with this decision. */
static int64_t take_owed(struct table *table, int seat)
{
    int64_t owed_ns = table->owed_ns[seat];

    table->owed_ns[seat] = 0;
    return owed_ns;
}

void table_on_answer(struct table *table, const struct bg_answer *answer, int64_t spent_ns,
                     int64_t credit_ns)
{
    const struct config_event *event = table->setup.event;
    int seat = table->asked;
    int64_t charged_ns = spent_ns - credit_ns;
    const struct clock before = table->clocks[seat < 0 ? 0 : seat];
    char message[LATE_TEXT];
    bool in_time, is_over;

    if (answer == NULL) { /* Ready for the game */
        table->asked = -1;
        table_advance(table);
        return;
    }
    if (table->slot.ask.kind == BG_DECIDE_DICE) {
        table_take_dice(table, answer, charged_ns);
        return;
    }
    is_over = charged_ns > event->ceiling_ns;
    charged_ns += take_owed(table, seat);
    table->charged_ns = charged_ns;
    in_time = clock_charge(&table->clocks[seat], charged_ns, event->margin_ns, false);
    if (!in_time || is_over) {
        snprintf(message, sizeof message, "answered after %.3f s; %.3f s were allowed",
                 (double)charged_ns / 1e9, (double)table->slot.limit_ns / 1e9);
        add_wait(message, &table->slot);
        table_lose(table, seat, &(struct table_loss){BG_FAULT_LATE, BG_RULE_NONE, answer, message});
    } else if (!bg_answer_fits(table->slot.ask.kind, answer->kind)) {
        table_lose_misfit(table, seat, answer);
    } else {
        if (event->manual_dice && answer->kind == BG_ANSWER_ROLL) {
            table->clocks[seat] = before; /* charged when the roll is recorded */
        }
        judge(table, seat, answer, charged_ns);
    }
}

void table_on_overdue(struct table *table, int64_t spent_ns)
{
    bool clocked = !table->slot.last_limit;
    char message[LATE_TEXT];

    if (table->slot.ask.kind == BG_DECIDE_NONE) { /* no clock ran */
        snprintf(message, sizeof message,
                 "no Ready for the new game in %.3f s; %.3f s were allowed", (double)spent_ns / 1e9,
                 (double)table->slot.allowed_ns / 1e9);
        table_on_fault(table, BG_FAULT_SILENT, message);
        return;
    }
    if (table->slot.ask.kind == BG_DECIDE_DICE) {
        table_dice_overdue(table, spent_ns);
        return;
    }
    snprintf(message, sizeof message, "no answer in %.3f s; %.3f s were allowed",
             (double)spent_ns / 1e9, (double)table->slot.limit_ns / 1e9);
    add_wait(message, &table->slot);
    table->charged_ns = spent_ns + take_owed(table, table->asked);
    clock_charge(&table->clocks[table->asked], table->charged_ns, 0,
                 false); /* no time is left on it */
    table_lose(table, table->asked,
               &(struct table_loss){clocked ? BG_FAULT_LATE : BG_FAULT_SILENT, BG_RULE_NONE, NULL,
                                    message});
}

void table_on_fault(struct table *table, enum bg_fault fault, const char *message)
{
    table->charged_ns = -1;
    table_lose(table, table->asked, &(struct table_loss){fault, BG_RULE_NONE, NULL, message});
}

/* Whether a side that leaves loses the running game. Not one that is held: its operators may go
 * until the director has looked, and the same roll is asked again. */
static bool is_lost_by_leaving(const struct table *table)
{
    if (table->done || table->hand.held || table->match.need.kind == BG_NEED_GAME) {
        return false; /* the last waits for the store */
    }
    return table->match.need.kind != BG_NEED_OPENING || hand_dice_are_seen(&table->hand);
}

void table_forfeit(struct table *table, int seat, enum bg_fault fault, const char *message)
{
    table->stopping = true;
    if (!is_lost_by_leaving(table)) {
        return;
    }
    if (table->asked >= 0) {
        session_cancel(table->setup.session[table->asked], &table->slot);
    }
    table->charged_ns = -1;
    table_lose(table, seat, &(struct table_loss){fault, BG_RULE_NONE, NULL, message});
}
