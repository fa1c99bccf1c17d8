/* Two sources of dice make the same step: the key gives them at once, people say them, which
 * takes questions and time and may end with the director. The decision to roll is kept before
 * the dice (keeping_add_rolling): after a kill the same roll is asked for, not the decision
 * again. */
#include "table_inside.h"

#include <stdio.h>

#include "record/game_id.h"

/* ---------------------------------------------------------------- drawn from the key */

enum bg_status table_roll_opening(struct table *table, struct bg_error *err)
{
    struct bg_step step = {.kind = BG_STEP_OPEN, .seat = -1};

    dice_ahead_draw(step.die, (size_t)bg_match_dice(&table->match), &table->rolls,
                    (uint64_t)table->match.game, BG_STREAM_OPEN, (uint64_t)table->match.openings);
    table_must_step(table, &step);
    (void)err;
    table_note(table, &step, -1);
    return BG_OK;
}

static enum bg_status draw_roll(struct table *table, int seat, int64_t spent_ns,
                                struct bg_error *err)
{
    struct bg_step step = {.kind = BG_STEP_ROLL, .seat = seat};

    dice_ahead_draw(step.die, (size_t)bg_match_dice(&table->match), &table->rolls,
                    (uint64_t)table->match.game, seat == 0 ? BG_STREAM_0 : BG_STREAM_1,
                    (uint64_t)table->match.rolls[seat]);
    table_must_step(table, &step);
    (void)err;
    table_note(table, &step, spent_ns);
    return BG_OK;
}

enum bg_status table_roll(struct table *table, int seat, int64_t spent_ns, struct bg_error *err)
{
    if (!table->setup.event->manual_dice) {
        return draw_roll(table, seat, spent_ns, err);
    }
    hand_dice_begin(&table->hand, &table->match, seat);
    table->rolling_ns = spent_ns;
    if (table->keeping.on) {
        keeping_add_rolling(&table->keeping, seat, spent_ns);
    }
    return BG_OK;
}

/* ---------------------------------------------------------------- said by people */

bool table_dice_are_due(const struct table *table)
{
    enum bg_need_kind need = table->match.need.kind;

    return table->setup.event->manual_dice &&
           (table->hand.count > 0 || need == BG_NEED_OPENING || need == BG_NEED_ROLL);
}

static bool is_own(const struct table *table)
{
    return table->hand.asked == table->hand.roller;
}

static bool is_timed(const struct table *table)
{
    return !table->hand.opening && table->clocks[table->hand.asked].control.kind != CLOCK_NONE;
}

/* The roller's clock if its decision to roll, the time that was charged since, and more_ns took so
 * long. Returns false if its flag falls. */
static bool charge(struct clock *out, const struct table *table, int64_t more_ns)
{
    int64_t used_ns = (table->rolling_ns > 0 ? table->rolling_ns : 0) + more_ns;

    *out = table->clocks[table->hand.roller];
    if (table->on_clock != table->hand.roller) {
        clock_turn(out);
    }
    return used_ns == 0 || clock_charge(out, used_ns, table->setup.event->margin_ns, false);
}

/* The clock of the side that confirms, if what it owes and more_ns are charged. Returns false if
 * its flag falls. */
static bool charge_confirmer(struct clock *out, const struct table *table, int64_t more_ns)
{
    const int seat = table->hand.asked;

    *out = table->clocks[seat];
    if (table->on_clock != seat) {
        clock_turn(out);
    }
    return clock_charge(out, table->owed_ns[seat] + more_ns, table->setup.event->margin_ns, false);
}

/* Returns the longest time for the answer. *last: it is the ceiling, not the clock. */
static int64_t limit(bool *last, const struct table *table)
{
    const struct config_event *event = table->setup.event;
    struct clock clock;
    int64_t allowed_ns = -1;

    if (is_timed(table)) {
        (void)(is_own(table) ? charge(&clock, table, 0) : charge_confirmer(&clock, table, 0));
        allowed_ns = clock_allowed(&clock);
    }
    *last = allowed_ns < 0 || allowed_ns + event->margin_ns + HAND_FREE_NS > event->ceiling_ns;
    return *last ? event->ceiling_ns : allowed_ns + event->margin_ns + HAND_FREE_NS;
}

void table_ask_dice(struct table *table)
{
    if (table->hand.count == 0) {
        hand_dice_begin(&table->hand, &table->match, table->match.need.seat);
        table->rolling_ns = -1;
    }
    if (table->hand.held) {
        return;
    }
    table_fill_ask(&table->slot.ask, table, table->hand.asked);
    hand_dice_ask(&table->slot.ask, &table->hand);
    table->slot.limit_ns = limit(&table->slot.last_limit, table);
    table->asked = table->hand.asked;
    session_ask(table->setup.session[table->asked], &table->slot);
}

/* Both have said the same: the roll counts. */
static void count(struct table *table)
{
    struct bg_step step = {.kind = table->hand.opening ? BG_STEP_OPEN : BG_STEP_ROLL,
                           .seat = table->hand.opening ? -1 : table->hand.roller};
    int64_t spent_ns = table->rolling_ns;
    int turn = table->match.turn;

    for (int i = 0; i < HAND_DICE; i++) {
        step.die[i] = table->hand.die[i];
    }
    if (spent_ns >= 0) {
        table_clock_turn(table, step.seat);
        (void)clock_charge(&table->clocks[step.seat], spent_ns, table->setup.event->margin_ns,
                           false);
    }
    table->hand.count = 0;
    table_must_step(table, &step);
    table_note(table, &step, spent_ns);
    if (spent_ns >= 0) {
        table_end_turn(table, step.seat, turn);
    }
}

/* Nobody is asked any more; what both said goes to the director. */
static void hold(struct table *table)
{
    const struct table_setup *setup = &table->setup;
    const struct table_held held = {
        .fixture = &setup->fixture,
        .game_id = table->id,
        .name = {table->name[0], table->name[1]},
        .said = {table->hand.said[0], table->hand.said[1]},
    };

    setup->listener->held(setup->user, &held);
}

/* Who confirms has no step of its own in the record: its next one is charged, or its fault. */
static bool spend_confirming(struct table *table, int64_t more_ns)
{
    const int seat = table->hand.asked;
    struct clock clock;
    bool in_time = charge_confirmer(&clock, table, more_ns);

    table->owed_ns[seat] += more_ns;
    if (!in_time) {
        table_clock_turn(table, seat);
        table->clocks[seat] = clock;
        table->charged_ns = table->owed_ns[seat];
        table->owed_ns[seat] = 0;
    }
    return in_time;
}

/* Adds the time beyond what is free. Returns false if the flag of the side has fallen. */
static bool spend(struct table *table, int64_t spent_ns)
{
    struct clock clock;

    table->charged_ns = -1;
    if (!is_timed(table) || spent_ns <= HAND_FREE_NS) {
        return true;
    }
    if (!is_own(table)) {
        return spend_confirming(table, spent_ns - HAND_FREE_NS);
    }
    table->rolling_ns = (table->rolling_ns > 0 ? table->rolling_ns : 0) + spent_ns - HAND_FREE_NS;
    if (charge(&clock, table, 0)) {
        return true;
    }
    table_clock_turn(table, table->hand.roller);
    table->clocks[table->hand.roller] = clock;
    table->charged_ns = table->rolling_ns;
    return false;
}

void table_take_dice(struct table *table, const struct bg_answer *answer, int64_t charged_ns)
{
    const int seat = table->asked;
    enum hand_news news;
    char message[128];

    if (!spend(table, charged_ns) || charged_ns > table->setup.event->ceiling_ns) {
        snprintf(message, sizeof message, "said the dice after %.3f s; %.3f s were allowed",
                 (double)charged_ns / 1e9, (double)table->slot.limit_ns / 1e9);
        table_lose(table, seat, &(struct table_loss){BG_FAULT_LATE, BG_RULE_NONE, answer, message});
        return;
    }
    if (answer->kind != BG_ANSWER_DICE) {
        table_lose_misfit(table, seat, answer);
        return;
    }
    news = hand_dice_take(&table->hand, answer->value);
    if (news == HAND_WRONG) {
        snprintf(message, sizeof message, "said the dice %u where %d %s asked for",
                 (unsigned)answer->value, table->hand.count, table->hand.count == 1 ? "is" : "are");
        table_lose(table, seat,
                   &(struct table_loss){BG_FAULT_GARBLED, BG_RULE_NONE, answer, message});
        return;
    }
    table->asked = -1;
    if (news == HAND_HELD) {
        hold(table);
    } else if (news == HAND_AGREED) {
        count(table);
    }
    table_advance(table);
}

void table_dice_overdue(struct table *table, int64_t spent_ns)
{
    bool in_time = spend(table, spent_ns) || table->slot.last_limit;
    char message[128];

    snprintf(message, sizeof message, "did not say the dice in %.3f s; %.3f s were allowed",
             (double)spent_ns / 1e9, (double)table->slot.limit_ns / 1e9);
    table_lose(table, table->asked,
               &(struct table_loss){in_time ? BG_FAULT_SILENT : BG_FAULT_LATE, BG_RULE_NONE, NULL,
                                    message});
}
