/* Dice are derived again, moves are made again by the rules, and clocks run again from the
 * stated times: three things that one pass over the steps can check, because each of them needs
 * the position before the step. */
#include "verify_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char committed[] = "committed ";

/* One record during its replay. */
struct verify_steps_again {
    const struct record_view *view;
    struct bg_match *match;
    struct verify_sum *sum;
    bool derives; /* dice are derived from pair_key */
    bool foreign; /* dice from an imported file; no key gives them */
    bool entered; /* dice that people rolled; likewise */
    struct bg_dice_key pair_key;
    bool clocked;
    struct clock clocks[2];
    int on_clock; /* seat whose clock is running; -1: neither */
};

static enum bg_status broken(const struct verify_steps_again *again, int i, const char *why,
                             struct bg_error *err)
{
    struct bg_step step;
    char text[RECORD_STEP];

    record_view_step(&step, NULL, again->view, i);
    record_step_write(text, &step);
    return bg_error_set(err, BG_E_MISMATCH, "game %s: line %d (step %d) '%s': %s",
                        record_view_value(again->view, "id"), record_view_line(again->view, i),
                        i + 1, text, why);
}

/* ---------------------------------------------------------------------- dice */

/* "keyed" and "reproducible" dice follow from the event's key; "committed NA NB" also from the
 * bots' nonces. Other dice (of people, from a file, from an imported match) cannot be derived. */
static bool pair_key(struct bg_dice_key *out, const struct record_view *view,
                     const struct game_id *id, const struct bg_dice_key *event)
{
    const char *kind = record_view_value(view, "dice");
    char a[BG_KEY_HEX], b[BG_KEY_HEX];
    struct bg_dice_pair pair = {.a = id->a, .b = id->b, .pair = id->pair};

    pair.attempt = record_view_attempt(view);
    if (event == NULL) {
        return false;
    }
    if (strcmp(kind, "keyed") == 0 || strcmp(kind, "reproducible") == 0) {
        bg_dice_pair_key(out, event, &pair);
        return true;
    }
    if (strncmp(kind, committed, strlen(committed)) == 0 &&
        sscanf(kind + strlen(committed), "%64[0-9a-f] %64[0-9a-f]", a, b) == 2) {
        pair.nonce_a = a;
        pair.nonce_b = b;
        bg_dice_pair_key(out, event, &pair);
        return true;
    }
    return false;
}

static enum bg_status check_dice(struct verify_steps_again *again, const struct bg_step *step,
                                 int i, struct bg_error *err)
{
    const struct bg_match *match = again->match;
    bool opens = step->kind == BG_STEP_OPEN;
    enum bg_dice_stream stream = opens             ? BG_STREAM_OPEN
                                 : step->seat == 0 ? BG_STREAM_0
                                                   : BG_STREAM_1;
    int count = bg_match_dice(match);
    uint8_t dice[4] = {0};
    char why[96];

    again->sum->rolls++;
    again->sum->foreign += again->foreign;
    again->sum->entered += again->entered;
    /* Counted as a roll all the same: the sum says how many of all were derived. */
    if (!again->derives || count == 0) {
        return BG_OK;
    }
    bg_dice_draw(dice, (size_t)count, &again->pair_key, (uint64_t)match->game, stream,
                 (uint64_t)(opens ? match->openings : match->rolls[step->seat]));
    if (memcmp(dice, step->die, sizeof dice) != 0) {
        snprintf(why, sizeof why, "the key gives the dice %d%d%s", dice[0], dice[1],
                 count > 2 ? "and others after them" : "");
        return broken(again, i, why, err);
    }
    again->sum->derived++;
    return BG_OK;
}

/* -------------------------------------------------------------------- clocks */

enum bg_status verify_controls(struct clock_control out[2], const struct record_view *view,
                               struct bg_error *err)
{
    char text[2][64] = {"", ""};
    struct bg_error why;
    int read = sscanf(record_view_value(view, "clock"), "%63s / %63s", text[0], text[1]);

    for (int seat = 0; seat < 2; seat++) {
        if (read < 1 || clock_control_read(&out[seat], text[read == 2 ? seat : 0], &why) != BG_OK) {
            return bg_error_set(err, BG_E_MISMATCH, "game %s: clock '%.120s' is not a time control",
                                record_view_value(view, "id"), record_view_value(view, "clock"));
        }
    }
    return BG_OK;
}

/* The same arithmetic as in play: the delay is reset when the clock changes seats; a completed turn
 * adds an increment. */
static void charge(struct verify_steps_again *again, const struct bg_step *step, int64_t spent_ns,
                   int turn)
{
    struct clock *clock;

    if (step->seat < 0 || spent_ns < 0) {
        return;
    }
    clock = &again->clocks[step->seat];
    if (again->on_clock != step->seat) {
        clock_turn(clock);
    }
    again->on_clock = step->seat;
    /* No flag falls here whatever the margin was: a fault by time is a step of the record, and
     * its judgement is not repeated. */
    clock_charge(clock, spent_ns, INT64_MAX / 2, false);
    if (again->match->turn != turn && step->kind != BG_STEP_FAULT) {
        clock_charge(clock, 0, 0, true);
        again->on_clock = -1;
    }
}

static enum bg_status check_clocks(const struct verify_steps_again *again, struct bg_error *err)
{
    struct bg_result result;
    int64_t left_ns[2];

    record_view_result(&result, left_ns, again->view);
    for (int seat = 0; seat < 2 && again->clocked; seat++) {
        if (again->clocks[seat].left_ns != left_ns[seat]) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "game %s: the clock of seat %d ends at %" PRId64
                                " ns, its decisions leave %" PRId64 " ns",
                                record_view_value(again->view, "id"), seat, left_ns[seat],
                                again->clocks[seat].left_ns);
        }
    }
    again->sum->clocked += again->clocked;
    return BG_OK;
}

static enum bg_status start_clocks(struct verify_steps_again *again, const int64_t begin_ns[2],
                                   struct bg_error *err)
{
    struct clock_control controls[2];
    enum bg_status status = verify_controls(controls, again->view, err);

    again->on_clock = -1;
    again->clocked = record_view_value(again->view, "left") != NULL;
    for (int seat = 0; seat < 2 && status == BG_OK; seat++) {
        clock_begin(&again->clocks[seat], &controls[seat], again->match->rules.length_points);
        clock_resume(&again->clocks[seat], begin_ns[seat]);
    }
    return status;
}

/* --------------------------------------------------------------------- steps */

static enum bg_status play_step(struct verify_steps_again *again, int i, struct bg_error *err)
{
    struct bg_step step;
    int64_t spent_ns;
    int turn = again->match->turn;
    enum bg_status status = BG_OK;
    enum bg_rule rule;

    record_view_step(&step, &spent_ns, again->view, i);
    if (step.kind == BG_STEP_OPEN || step.kind == BG_STEP_ROLL) {
        status = check_dice(again, &step, i, err);
    }
    if (status != BG_OK) {
        return status;
    }
    rule =
        again->match->need.kind == BG_NEED_GAME ? BG_RULE_OVER : bg_match_step(again->match, &step);
    if (rule != BG_RULE_NONE) {
        char why[160];

        snprintf(why, sizeof why, "rule %s, %s", bg_rule_number(rule), bg_rule_text(rule));
        return broken(again, i, why, err);
    }
    charge(again, &step, spent_ns, turn);
    again->sum->steps++;
    return BG_OK;
}

enum bg_status verify_steps(struct bg_match *match, struct verify_sum *sum,
                            const struct record_view *view, const struct game_id *id,
                            const struct bg_dice_key *key, const int64_t begin_ns[2],
                            struct bg_error *err)
{
    struct verify_steps_again again = {.view = view, .match = match, .sum = sum};
    enum bg_status status = start_clocks(&again, begin_ns, err);

    again.derives = pair_key(&again.pair_key, view, id, key);
    again.foreign = strcmp(record_view_value(view, "dice"), "file") == 0;
    again.entered = strcmp(record_view_value(view, "dice"), "manual") == 0;
    for (int i = 0; i < record_view_steps(view) && status == BG_OK; i++) {
        status = play_step(&again, i, err);
    }
    return status == BG_OK ? check_clocks(&again, err) : status;
}
