/* The luck of a game is taken twice: from gnubg's own sums, which have more digits, and as the
 * sum over its rolls, each with the cube and score that the record has. If the two differ by
 * more than rounding, gnubg has read another cube or score than was played, and the game is not
 * judged. */
#include "gnubg_game.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "record/game_id.h"

#define CLOSE_EMG     0.16 /* a decision not to double counts if closer (docs/statistics.md) */
#define LUCK_ROUNDING 1e-5 /* LU has five decimals, the sums six */

struct gnubg_game_judging {
    struct judgement *out;
    const struct analysed *analysed;
    const struct actions *actions;
    const struct gnubg_met *met;
    int leg;
    bool errors;
    int64_t cube;                        /* present value */
    int64_t offered;                     /* value offered by the last double or raise */
    const struct analysed_node *doubled; /* the last double's node, NULL none */
    double luck[2], tolerance; /* by seat: sum of the single rolls' luck, and its rounding error */
};

static int seat_bot(const struct gnubg_game_judging *judging, int seat)
{
    return game_id_bot_at(judging->leg, seat);
}

static double unit(const struct gnubg_game_judging *judging, int seat, int64_t cube)
{
    return gnubg_met_unit(judging->met, &judging->actions->start, seat, cube);
}

/* --- is it this game? ------------------------------------------------------------------------ */

static bool is_same_action(const struct analysed_node *node, const struct action *action)
{
    static const enum analysed_kind kinds[] = {[ACTION_ROLL] = ANALYSED_ROLL,
                                               [ACTION_DOUBLE] = ANALYSED_DOUBLE,
                                               [ACTION_RAISE] = ANALYSED_DOUBLE,
                                               [ACTION_TAKE] = ANALYSED_TAKE,
                                               [ACTION_DROP] = ANALYSED_DROP};
    const uint8_t *die = action->roll.die;

    if (node->kind != kinds[action->kind] || node->player != action->seat) {
        return false;
    }
    return action->kind != ACTION_ROLL || (node->die[0] == die[0] && node->die[1] == die[1]) ||
           (node->die[0] == die[1] && node->die[1] == die[0]);
}

static enum bg_status check_same(const struct gnubg_game_judging *judging, struct bg_error *err)
{
    const struct analysed *analysed = judging->analysed;
    const struct actions *actions = judging->actions;

    for (size_t i = 0; i < analysed->nodes && i < (size_t)actions->count; i++) {
        if (!is_same_action(&analysed->node[i], &actions->action[i])) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "gnubg's game differs from the record at step %d",
                                actions->action[i].step + 1);
        }
    }
    if (analysed->nodes != (size_t)actions->count) {
        return bg_error_set(err, BG_E_MISMATCH, "gnubg's game has %zu actions, the record %d",
                            analysed->nodes, actions->count);
    }
    return BG_OK;
}

/* --- luck ------------------------------------------------------------------------------------ */

static enum bg_status add_roll(struct gnubg_game_judging *judging, const struct analysed_node *node,
                               const struct action *action, struct bg_error *err)
{
    struct judgement *out = judging->out;
    double worth = unit(judging, action->seat, judging->cube);

    if (!node->has_luck) {
        return bg_error_set(err, BG_E_MISMATCH, "gnubg gives no luck for step %d",
                            action->step + 1);
    }
    out->roll[out->rolls++] =
        (struct judged_roll){action->step, seat_bot(judging, action->seat), node->luck * worth, 0};
    judging->luck[action->seat] += node->luck * worth;
    judging->tolerance += LUCK_ROUNDING * worth;
    return BG_OK;
}

/* gnubg's own sums are more precise; the rolls' sums show whether cube and score are right. */
static enum bg_status take_sums(struct gnubg_game_judging *judging, struct bg_error *err)
{
    const struct analysed *analysed = judging->analysed;
    bool is_there = analysed->has_luck_sums || judging->actions->count == 0;

    for (int seat = 0; seat < 2 && is_there; seat++) {
        if (fabs(analysed->luck[seat] - judging->luck[seat]) > judging->tolerance + LUCK_ROUNDING) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "gnubg's luck of seat %d is %.6f, but the sum of its rolls is %.6f",
                                seat, analysed->luck[seat], judging->luck[seat]);
        }
        judging->out->luck[seat_bot(judging, seat)] = analysed->luck[seat];
    }
    return is_there ? BG_OK : bg_error_set(err, BG_E_MISMATCH, "gnubg gives no sums of the luck");
}

/* --- errors ---------------------------------------------------------------------------------- */

static struct judged_choice *add_choice(struct gnubg_game_judging *judging, enum judged_kind kind,
                                        int seat, int step, double error)
{
    struct judgement *out = judging->out;
    struct judged_choice *choice = &out->choice[out->choices++];

    error = error > 0 ? error : 0;
    *choice = (struct judged_choice){.step = step,
                                     .bot = seat_bot(judging, seat),
                                     .kind = kind,
                                     .counted = true,
                                     .error = error,
                                     .loss = error * unit(judging, seat, judging->cube)};
    return choice;
}

static void best_write(char out[JUDGED_BEST], const struct analysed_play *best)
{
    char *at = out;

    *at = '\0';
    for (int i = 0; i < best->moves; i++) {
        char from[8], to[8];

        snprintf(from, sizeof from, "%d", best->from[i]);
        snprintf(to, sizeof to, "%d", best->to[i]);
        at += snprintf(at, (size_t)(out + JUDGED_BEST - at), "%s%s/%s", i == 0 ? "" : " ",
                       best->from[i] == BG_BAR ? "bar" : from, best->to[i] == BG_OFF ? "off" : to);
    }
}

static void add_judged_play(struct gnubg_game_judging *judging, const struct analysed_node *node,
                            const struct action *action)
{
    struct judged_choice *choice;

    if (!node->has_play || action->play_step < 0) {
        return; /* no play was possible, or none was made */
    }
    choice = add_choice(judging, JUDGED_PLAY, action->seat, action->play_step,
                        node->best_equity - node->equity);
    choice->counted = node->plays > 1;
    best_write(choice->best, &node->best);
}

/* Equities of a cube decision for the side that may double, in units of the cube before it; a pass
 * is worth 1. */
struct cube_values {
    double roll, take;
};

static struct cube_values cube_values(const struct gnubg_game_judging *judging,
                                      const struct analysed_node *node, int seat)
{
    const struct bg_match *start = &judging->actions->start;
    struct cube_values out = {node->no_double, node->take};
    double middle;

    if (start->rules.length_points > 0) {
        double worth = unit(judging, seat, judging->cube);

        middle = gnubg_met_after(judging->met, start, seat, seat, judging->cube) - worth;
        out.roll = (node->no_double - middle) / worth;
        out.take = (node->take - middle) / worth;
    }
    return out;
}

static void add_no_double(struct gnubg_game_judging *judging, const struct analysed_node *node,
                          const struct action *action)
{
    struct cube_values values;
    struct judged_choice *choice;
    double doubled;

    if (!node->has_cube) {
        return; /* the player had no access to the cube, it was dead, or there is none */
    }
    values = cube_values(judging, node, action->seat);
    doubled = fmin(values.take, 1);
    choice = add_choice(judging, JUDGED_DOUBLE, action->seat, action->step, doubled - values.roll);
    choice->counted = choice->error > 0 || fabs(values.roll - doubled) < CLOSE_EMG;
    strcpy(choice->best, choice->error > 0 ? "double" : "roll");
}

static void add_double(struct gnubg_game_judging *judging, const struct analysed_node *node,
                       const struct action *action)
{
    struct cube_values values;
    struct judged_choice *choice;

    if (!node->has_cube) {
        return;
    }
    values = cube_values(judging, node, action->seat);
    choice = add_choice(judging, JUDGED_DOUBLE, action->seat, action->step,
                        values.roll - fmin(values.take, 1));
    strcpy(choice->best, choice->error > 0 ? "roll" : "double");
}

/* A take or pass answers the double: what it costs the opponent is the doubler's gain. */
static void add_answer(struct gnubg_game_judging *judging, const struct action *action)
{
    struct cube_values values;
    struct judged_choice *choice;
    bool takes = action->kind != ACTION_DROP;
    double error;

    if (judging->doubled == NULL || !judging->doubled->has_cube) {
        return;
    }
    values = cube_values(judging, judging->doubled, 1 - action->seat);
    error = takes ? values.take - 1 : 1 - values.take;
    choice = add_choice(judging, JUDGED_TAKE, action->seat, action->step, error);
    strcpy(choice->best, takes == (choice->error > 0) ? "pass" : "take");
}

static void add_choices(struct gnubg_game_judging *judging, const struct analysed_node *node,
                        const struct action *action)
{
    switch (action->kind) {
    case ACTION_ROLL:
        add_no_double(judging, node, action);
        add_judged_play(judging, node, action);
        break;
    case ACTION_DOUBLE:
        add_double(judging, node, action);
        judging->doubled = node;
        break;
    case ACTION_RAISE: /* the first raise takes the double; gnubg does not value the raise itself */
    case ACTION_TAKE:
    case ACTION_DROP:
        add_answer(judging, action);
        judging->doubled = NULL;
        break;
    }
}

/* --- the whole ------------------------------------------------------------------------------- */

static enum bg_status judge_action(struct gnubg_game_judging *judging,
                                   const struct analysed_node *node, const struct action *action,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (judging->errors) {
        add_choices(judging, node, action);
    }
    if (action->kind == ACTION_ROLL) {
        status = add_roll(judging, node, action, err);
    } else if (action->kind == ACTION_TAKE) {
        judging->cube = judging->offered;
    } else {
        judging->offered = action->cube;
    }
    return status;
}

enum bg_status gnubg_game_judge(struct judgement *out, const struct analysed *analysed,
                                const struct actions *actions, int leg, bool errors,
                                const struct gnubg_met *met, struct bg_error *err)
{
    struct gnubg_game_judging judging = {
        .out = out,
        .analysed = analysed,
        .actions = actions,
        .met = met,
        .leg = leg,
        .errors = errors,
        .cube = INT64_C(1) << (actions->start.cube_log2 + actions->end.auto_doubles)};
    enum bg_status status = check_same(&judging, err);

    if (status != BG_OK) {
        return status;
    }
    out->roll = memory_zeroed(analysed->nodes, sizeof *out->roll);
    out->choice = memory_zeroed(2 * analysed->nodes, sizeof *out->choice);
    out->has_choices = errors;
    for (size_t i = 0; i < analysed->nodes && status == BG_OK; i++) {
        status = judge_action(&judging, &analysed->node[i], &actions->action[i], err);
    }
    return status == BG_OK ? take_sums(&judging, err) : status;
}
