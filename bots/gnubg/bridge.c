/* A queue of open decisions between bot and gnubg, in order: gnubg answers in the order of its
 * questions, so no answer needs a number. Settings that cannot be changed between two questions
 * (cubeful or not) have a process each; before a question for the other one the queue has to be
 * empty.
 *
 * Answers depend on their question alone. That is what lets a gnubg that died be started again,
 * and asked all open questions once more, without the game noticing. */
#include "bridge.h"

#include <stdio.h>
#include <time.h>

#include "values.h"

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- gnubg ---- */

/* The process for games with a cube, or without one. */
static struct engine **engine_at(struct bridge *bridge)
{
    return &bridge->engines[bridge->settings.cubeful];
}

static void stop(struct bridge *bridge)
{
    engine_stop(*engine_at(bridge));
    *engine_at(bridge) = NULL;
}

static bool plays_by(const struct bridge *bridge, const struct bg_rules *rules)
{
    return rules->cube == bridge->settings.cubeful;
}

static enum bg_status start_engine(struct bridge *bridge, struct bg_error *err)
{
    return *engine_at(bridge) != NULL ? BG_OK
                                      : engine_start(engine_at(bridge), &bridge->settings, err);
}

/* Chooses the process for these rules. No decision is open that needs the other one. The other one
 * goes on, though most events never need it: ending it would wait for a dying process while a clock
 * runs. */
static enum bg_status engine_for(struct bridge *bridge, const struct bg_rules *rules,
                                 struct bg_error *err)
{
    bridge->settings.cubeful = rules->cube;
    return start_engine(bridge, err);
}

static struct bridge_open *open_at(struct bridge *bridge, int i)
{
    return &bridge->open[(bridge->first + (unsigned)i) % ENGINE_DEPTH];
}

/* Asks gnubg as many of the open questions as may wait there. */
static enum bg_status send_questions(struct bridge *bridge, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (bridge->asked == 0) {
        bridge->since_ns = now_ns();
    }
    while (status == BG_OK && bridge->asked < bridge->count &&
           bridge->asked < (bridge->tells ? 1 : engine_depth(*engine_at(bridge)))) {
        status = engine_add(*engine_at(bridge), open_at(bridge, bridge->asked)->line, err);
        bridge->asked++;
    }
    return status == BG_OK ? engine_send(*engine_at(bridge), err) : status;
}

/* gnubg failed at the oldest open question. Starts it again, without any question: an answer
 * depends on its question alone, so all of them can be asked again. A second failure at the same
 * question is returned. */
static enum bg_status start_again(struct bridge *bridge, enum bg_status failure,
                                  struct bg_error *err)
{
    const struct bridge_open *oldest = open_at(bridge, 0);

    fprintf(stderr, "gnubg: game %s: %s (asked: %s)%s\n", oldest->ask.game, err->text, oldest->line,
            bridge->has_failed ? "" : "; starting it again");
    stop(bridge);
    bridge->asked = 0;
    if (bridge->has_failed) {
        return failure;
    }
    bridge->has_failed = true;
    return start_engine(bridge, err);
}

/* ---- answers ---- */

/* Sleeps while gnubg works at many short questions. */
static void hold_engine(const struct bridge *bridge)
{
    const struct timespec time = {.tv_nsec = (long)pace_hold_ns(&bridge->pace, bridge->asked)};

    if (time.tv_nsec > 0) {
        nanosleep(&time, NULL);
    }
}

/* Takes gnubg's answer to the oldest decision. BG_E_TIMEOUT, only without wait: it is not here. */
static enum bg_status answer_take(struct bg_answer *out, struct bridge *bridge, bool wait,
                                  struct bg_error *err)
{
    char reply[QUERY_LINE];
    enum bg_status status = engine_take(reply, sizeof reply, *engine_at(bridge), wait, err);

    return status == BG_OK ? query_read(out, &open_at(bridge, 0)->ask, reply, err) : status;
}

/* Asks gnubg, with nothing else open there, for the chances after the answer. A bot that cannot
 * tell what it thought still answers. */
static void tell(struct bridge *bridge, const struct bg_ask *ask, const struct bg_answer *answer)
{
    struct bg_thought thought = BG_THOUGHT_INIT;
    const bool played = answer->kind == BG_ANSWER_MOVES;
    const bool own_rolls = ask->kind == BG_DECIDE_DOUBLE;
    struct bg_chances *chances = &thought.chances;
    char line[QUERY_LINE], reply[QUERY_LINE];
    struct bg_ask shown = *ask;

    if ((!played && !own_rolls && ask->kind != BG_DECIDE_TAKE) ||
        (played && bg_play_check(&shown.board, ask->rules.variant, &ask->board, 0, &ask->stage,
                                 &answer->play) != BG_RULE_NONE) ||
        query_write_value(line, &shown, own_rolls, &bridge->strength, NULL) != BG_OK ||
        engine_ask(reply, sizeof reply, *engine_at(bridge), line, NULL) != BG_OK ||
        query_read_value(chances, reply, NULL) != BG_OK) {
        return;
    }
    if (!own_rolls) {
        *chances = (struct bg_chances){
            1.0 - chances->win,
            chances->lose_gammon,
            chances->lose_backgammon,
            chances->win_gammon,
            chances->win_backgammon,
            ask->rules.length_points > 0 ? 1.0 - chances->equity : -chances->equity};
    }
    thought.has_chances = true;
    thought.has_equity = played; /* of a double, gnubg tells the position's alone */
    thought.unit = ask->rules.length_points > 0 ? BG_EQUITY_MATCH : BG_EQUITY_POINTS;
    thought.plies = (uint32_t)bridge->strength.plies;
    (void)bg_bot_think(bridge->bot, ask, &thought, NULL);
}

/* Answers the oldest decision, which is then no longer open. */
static enum bg_status answer_send(struct bridge *bridge, const struct bg_answer *answer,
                                  struct bg_error *err)
{
    const struct bg_ask *ask = &open_at(bridge, 0)->ask;

    if (bridge->tells) {
        tell(bridge, ask, answer);
    }
    /* An answer came: the next failure is another one. */
    bridge->has_failed = false;
    bridge->first = (bridge->first + 1) % ENGINE_DEPTH;
    bridge->count--;
    bridge->asked--;
    return answer->kind == BG_ANSWER_MOVES
               ? bg_bot_answer_play(bridge->bot, ask, &answer->play, err)
               : bg_bot_answer(bridge->bot, ask, answer->kind, err);
}

/* Asks gnubg what is open, waits for an answer, and passes on all that are there. The caller has
 * open decisions. */
static enum bg_status work(struct bridge *bridge, struct bg_error *err)
{
    int taken = 0;
    enum bg_status status = send_questions(bridge, err);

    if (status == BG_OK) {
        hold_engine(bridge);
    }
    while (bridge->asked > 0) {
        struct bg_answer answer;

        if (status == BG_OK) {
            status = answer_take(&answer, bridge, taken == 0, err);
        }
        if (status == BG_E_TIMEOUT) {
            break;
        }
        if (status != BG_OK) {
            return start_again(bridge, status, err);
        }
        status = answer_send(bridge, &answer, err);
        if (status != BG_OK) {
            return status;
        }
        taken++;
    }
    const int64_t now = now_ns();

    pace_note(&bridge->pace, taken, now - bridge->since_ns, bridge->asked);
    bridge->since_ns = now;
    return BG_OK;
}

static enum bg_status finish_open(struct bridge *bridge, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK && bridge->count > 0) {
        status = work(bridge, err);
    }
    return status;
}

/* An unsupported question is reported; a second failure of gnubg is returned. */
static enum bg_status answer_value_ask(struct bridge *bridge, const struct bg_ask *ask,
                                       struct bg_error *err)
{
    struct query_strength strength = bridge->strength;
    struct bg_value value = BG_VALUE_INIT;
    enum bg_status status = BG_OK;

    /* Plays of a judge are those of checker decisions. */
    if (ask->kind == BG_VALUE_ROLLS) {
        strength.plies = bridge->settings.plies;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        status = engine_for(bridge, &ask->rules, err);
        if (status == BG_OK) {
            status = values_ask(&value, ask, *engine_at(bridge), &strength, err);
        }
        if (status == BG_OK || status == BG_E_ARGUMENT) {
            break;
        }
        fprintf(stderr, "gnubg: position to be valued: %s%s\n", err->text,
                attempt == 0 ? "; starting it again" : "");
        stop(bridge);
    }
    if (status == BG_E_ARGUMENT) {
        return bg_bot_answer_cannot(bridge->bot, ask, err->text, err);
    }
    return status != BG_OK ? status : bg_bot_answer_value(bridge->bot, ask, &value, err);
}

/* ---- decisions ---- */

/* Makes the decision an open one. Its question is written before, while ask is still lent. */
static enum bg_status take_ask(struct bridge *bridge, const struct bg_ask *ask,
                               struct bg_error *err)
{
    struct bridge_open *open = open_at(bridge, bridge->count);
    enum bg_status status = engine_for(bridge, &ask->rules, err);

    if (status == BG_OK) {
        status = query_write(open->line, ask, &bridge->strength, err);
    }
    if (status == BG_OK) {
        open->ask = *ask;
        bridge->count++;
    }
    return status;
}

/* Positions to value, and decisions for which gnubg needs other settings, wait until nothing is
 * open. */
static enum bg_status begin_ask(struct bridge *bridge, const struct bg_ask *ask,
                                struct bg_error *err)
{
    bool is_value = ask->kind >= BG_VALUE_POSITION;
    enum bg_status status = BG_OK;

    /* Backgammon's own opening leaves nothing to keep; gnubg has no such decision either. */
    if (ask->kind == BG_DECIDE_KEEP) {
        return bg_bot_answer(bridge->bot, ask, BG_ANSWER_KEEP, err);
    }
    if (is_value || !plays_by(bridge, &ask->rules)) {
        status = finish_open(bridge, err);
    }
    if (status != BG_OK) {
        return status;
    }
    return is_value ? answer_value_ask(bridge, ask, err) : take_ask(bridge, ask, err);
}

/* Takes the decisions that are here; without an open one, waits for the first. bg_bot_next sends
 * the answers. */
static enum bg_status take_all(struct bridge *bridge, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK && bridge->count < ENGINE_DEPTH) {
        const struct bg_ask *ask;

        status = bg_bot_next(&ask, bridge->bot, bridge->count > 0 ? 0 : -1, err);
        if (status == BG_E_TIMEOUT) {
            return BG_OK;
        }
        if (status == BG_OK) {
            status = begin_ask(bridge, ask, err);
        }
    }
    return status == BG_OK ? bg_bot_flush(bridge->bot, err) : status;
}

enum bg_status bridge_start(struct bridge *bridge, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int cube = 0; cube < 2 && status == BG_OK; cube++) {
        bridge->settings.cubeful = cube == 1;
        status = start_engine(bridge, err);
    }
    return status;
}

enum bg_status bridge_serve(struct bridge *bridge, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK) {
        status = take_all(bridge, err);
        if (status == BG_OK) {
            status = work(bridge, err);
        }
    }
    return status;
}

void bridge_end(struct bridge *bridge)
{
    engine_stop(bridge->engines[0]);
    engine_stop(bridge->engines[1]);
}
