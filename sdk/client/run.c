/* Only public functions are used here, which proves that a bot without callbacks can do all of
 * this itself. A callback that is missing has the answer that every bot may give: take, roll,
 * keep, the first legal play. */
#include <bgref/run.h>

#include "sized.h"

#include <string.h>

/* Size in the first headers of this BG_ABI. */
enum { CALLBACKS_FIRST = SIZED_UP_TO(struct bg_callbacks, value) };

struct run {
    struct bg_bot *bot;
    struct bg_callbacks call;
    void *user;
};

/* With jacoby a gammon counts only after a taken double. It has no effect without a cube. */
static bool resignation_is_enough(const struct bg_ask *ask)
{
    int level = bg_variant_level(ask->rules.variant, &ask->board, 0);

    if (ask->rules.jacoby && ask->rules.cube && ask->rules.length_points == 0 &&
        ask->cube_owner == BG_CENTRED) {
        level = 1;
    }
    return ask->resign_level >= level;
}

/* What was thought of the decision just made goes with its answer. */
static void think(struct run *run, const struct bg_ask *ask)
{
    static const struct bg_thought none = BG_THOUGHT_INIT;
    static _Thread_local struct bg_thought thought;

    if (run->call.thinks != NULL && bg_bot_wants_thoughts(run->bot)) {
        thought = none;
        run->call.thinks(run->user, ask, &thought);
        /* An answer without its thought is an answer. */
        (void)bg_bot_think(run->bot, ask, &thought, NULL);
    }
}

static void first_play(struct bg_play *out, const struct bg_ask *ask)
{
    /* Large, and a program may run a bot in each of several threads. */
    static _Thread_local struct bg_play_list plays;

    bg_ask_plays(&plays, ask);
    if (plays.count > 0) {
        *out = plays.play[0];
    }
}

static enum bg_status play_serve(struct run *run, const struct bg_ask *ask, struct bg_error *err)
{
    struct bg_play play = {0};

    if (run->call.play != NULL) {
        run->call.play(run->user, ask, &play);
    } else {
        first_play(&play, ask);
    }
    think(run, ask);
    return bg_bot_answer_play(run->bot, ask, &play, err);
}

/* Returns the action that answers a decision without a play. */
static enum bg_answer_kind action_of(struct run *run, const struct bg_ask *ask)
{
    const struct bg_callbacks *call = &run->call;

    switch (ask->kind) {
    case BG_DECIDE_DOUBLE:
        return call->doubles != NULL && call->doubles(run->user, ask) ? BG_ANSWER_DOUBLE
                                                                      : BG_ANSWER_ROLL;
    case BG_DECIDE_TAKE:
        return call->take != NULL ? call->take(run->user, ask) : BG_ANSWER_TAKE;
    case BG_DECIDE_RAISE:
        return call->raise != NULL ? call->raise(run->user, ask) : BG_ANSWER_TAKE;
    case BG_DECIDE_KEEP:
        return call->keeps == NULL || call->keeps(run->user, ask) ? BG_ANSWER_KEEP
                                                                  : BG_ANSWER_REROLL;
    case BG_DECIDE_RESIGNATION:
        return (call->accepts != NULL ? call->accepts(run->user, ask) : resignation_is_enough(ask))
                   ? BG_ANSWER_ACCEPT
                   : BG_ANSWER_REFUSE;
    default:
        return BG_ANSWER_NONE;
    }
}

static enum bg_status value_serve(struct run *run, const struct bg_ask *ask, struct bg_error *err)
{
    static _Thread_local struct bg_value value;
    struct bg_error story = {.text = "not valued here"};
    enum bg_status status = BG_E_ARGUMENT;

    /* A callback that leaves something out must not send what stood there before. */
    memset(&value, 0, sizeof value);
    value.size = sizeof value;
    if (run->call.value != NULL) {
        run->call.value(run->user, ask, &value);
        status = bg_bot_answer_value(run->bot, ask, &value, &story);
    }
    /* The referee gets the reason why the value is invalid, because its user asked for the
     * value. */
    return status == BG_E_ARGUMENT ? bg_bot_answer_cannot(run->bot, ask, story.text, err) : status;
}

static enum bg_status dice_serve(struct run *run, const struct bg_ask *ask, struct bg_error *err)
{
    uint8_t die[4] = {0};

    if (run->call.dice == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "a bot with info.enters_dice needs the callback dice");
    }
    run->call.dice(run->user, ask, die);
    return bg_bot_answer_dice(run->bot, ask, die, err);
}

static enum bg_status ask_serve(struct run *run, const struct bg_ask *ask, struct bg_error *err)
{
    if (ask->kind >= BG_VALUE_POSITION) {
        return value_serve(run, ask, err);
    }
    if (run->call.resigns != NULL &&
        (ask->kind == BG_DECIDE_PLAY || ask->kind == BG_DECIDE_DOUBLE)) {
        int level = run->call.resigns(run->user, ask);

        /* bg_bot_resign refuses a level that was refused before, and the run would end with its
         * error. */
        if (level > ask->refused_level) {
            return bg_bot_resign(run->bot, ask, level, err);
        }
    }
    if (ask->kind == BG_DECIDE_DICE) {
        return dice_serve(run, ask, err);
    }
    if (ask->kind == BG_DECIDE_PLAY) {
        return play_serve(run, ask, err);
    }
    if (ask->kind == BG_DECIDE_NAME) {
        int number = run->call.names != NULL ? run->call.names(run->user, ask) : 6;

        think(run, ask);
        return bg_bot_answer_name(run->bot, ask, number, err);
    }
    enum bg_answer_kind action = action_of(run, ask);

    think(run, ask);
    return bg_bot_answer(run->bot, ask, action, err);
}

enum bg_status bg_bot_run(const struct bg_bot_info *info, const struct bg_callbacks *callbacks,
                          void *user, struct bg_error *err)
{
    struct run run = {.user = user};
    const struct bg_ask *ask;
    enum bg_status status =
        sized_check("bg_callbacks", callbacks->size, CALLBACKS_FIRST, sizeof run.call, err);

    if (status != BG_OK) {
        return status;
    }
    /* A program that was compiled with older headers has fewer members: the rest stays NULL. */
    memcpy(&run.call, callbacks, callbacks->size);
    status = bg_bot_open(&run.bot, info, err);
    if (status != BG_OK) {
        return status;
    }
    if (run.call.start != NULL) {
        run.call.start(user, run.bot);
    }
    while ((status = bg_bot_next(&ask, run.bot, -1, err)) == BG_OK) {
        status = ask_serve(&run, ask, err);
        if (status != BG_OK) {
            break;
        }
    }
    bg_bot_close(run.bot);
    /* A Goodbye, and a referee that is gone, are the usual end of a bot. */
    return status == BG_E_CLOSED ? BG_OK : status;
}
