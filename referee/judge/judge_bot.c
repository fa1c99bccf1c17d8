/* A process works on one game at a time, so its processor time can be given to that game; with
 * several games in a process it could only be shared out. A judge must not call its listener
 * from inside of judge_submit(): what is known at once (a record that cannot be read) waits for
 * on_pump(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "bot/bundled.h"
#include "bot/registry.h"
#include "base/closest.h"
#include "base/units.h"
#include "evaluators.h"
#include "rollout.h"
#include "game_rollouts.h"
#include "judge_kinds.h"
#include "questions.h"

enum { THROW_ASKS_MAX = 32 /* a value of 56 throws has up to 1.4 KB, a message 64 */ };

/* One process, and the game it works on. */
struct judge_bot_place {
    bool busy;     /* has a game */
    bool asked;    /* a request is open */
    bool finished; /* the judgement or failure is to be reported */
    char *game_id; /* owned, like hash */
    char *hash;
    struct questions questions;
    struct bg_value *values;        /* owned; one for each ask */
    struct value_noise *noise;      /* owned; the same; NULL without rollouts */
    struct game_rollouts *rollouts; /* owned; NULL without */
    size_t answered;                /* number of values received, without rollouts */
    int64_t work_ns;                /* the process's, when the game began */
    struct bg_error err;
};

struct judge_bot {
    struct judge base;
    struct judge_setup setup;
    struct competitor bot;
    struct rollout_words rollout; /* trials 0: the bot's own values are used */
    char name[1200];              /* "" before ready */
    struct evaluators *bots;
    struct judge_bot_place *places; /* owned; setup.jobs of them */
    bool pumping;                   /* a turn of on_pump is planned */
    bool broken;
};

static struct judge_bot *bot_judge(struct judge *judge)
{
    return (struct judge_bot *)judge;
}

/* ---------------------------------------------------------------- games */

static void place_clear(struct judge_bot_place *place)
{
    free(place->game_id);
    free(place->hash);
    free(place->values);
    free(place->noise);
    game_rollouts_destroy(place->rollouts);
    questions_deinit(&place->questions);
    *place = (struct judge_bot_place){.busy = false};
}

static int place_number(const struct judge_bot *judge, const struct judge_bot_place *place)
{
    return (int)(place - judge->places);
}

static enum bg_status judgement_make(struct judgement **out, const struct judge_bot *judge,
                                     const struct judge_bot_place *place, struct bg_error *err)
{
    struct judgement *judgement = memory_zeroed(1, sizeof *judgement);
    enum bg_status status;

    judgement->game_id = memory_text(place->game_id);
    judgement->hash = memory_text(place->hash);
    judgement->judge = memory_text(judge->name);
    judgement->cpu_ns =
        evaluators_work_ns(judge->bots, place_number(judge, place)) - place->work_ns;
    status = questions_judge(judgement, &place->questions, place->values, place->noise, err);
    if (status != BG_OK) {
        judgement_destroy(judgement);
        judgement = NULL;
    }
    *out = judgement;
    return status;
}

/* Reports the game's judgement or failure and frees the place. */
static void place_finish(struct judge_bot *judge, struct judge_bot_place *place)
{
    struct judgement *judgement = NULL;
    struct bg_error err = place->err;
    enum bg_status status = err.status;
    char game_id[BG_GAME_ID];

    if (status == BG_OK) {
        status = judgement_make(&judgement, judge, place, &err);
    }
    snprintf(game_id, sizeof game_id, "%s", place->game_id);
    place_clear(place); /* first, because the listener may submit the next game */
    if (status == BG_OK) {
        judge->setup.listener->judged(judge->setup.user, judgement);
    } else {
        judge->setup.listener->failed(judge->setup.user, game_id, &err);
    }
}

/* ---------------------------------------------------------------- requests */

/* Fills in the next questions; 0: all values are known. */
static size_t next_asks(struct judge_bot_place *place, const struct bg_ask **asks)
{
    size_t left = place->questions.count - place->answered;
    size_t most =
        bg_variant_dice(place->questions.variant) == 3 ? THROW_ASKS_MAX : EVALUATORS_ASKS_MAX;
    size_t count = left < most ? left : most;

    if (place->rollouts != NULL) {
        return game_rollouts_next(place->rollouts, asks, EVALUATORS_ASKS_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        asks[i] = &place->questions.ask[place->answered + i];
    }
    return count;
}

/* Sends the next request, or ends the game. */
static void place_ask(struct judge_bot *judge, struct judge_bot_place *place)
{
    const struct bg_ask *asks[EVALUATORS_ASKS_MAX];
    size_t count = next_asks(place, asks);

    if (count == 0) {
        place_finish(judge, place);
        return;
    }
    place->asked = true;
    evaluators_ask(judge->bots, place_number(judge, place), asks, count);
}

/* A place's next step: a request, or the end of its game. */
static void place_advance(struct judge_bot *judge, struct judge_bot_place *place)
{
    int number = place_number(judge, place);

    if (judge->broken || !place->busy || place->asked) {
        return;
    }
    if (place->finished) {
        place_finish(judge, place);
    } else if (!evaluators_is_free(judge->bots, number)) {
        return; /* its process is still starting */
    } else if (!evaluators_play(judge->bots, number, place->questions.variant)) {
        bg_error_set(&place->err, BG_E_ARGUMENT, "judge %s does not play %s", judge->bot.name,
                     bg_variant_id(place->questions.variant));
        place_finish(judge, place);
    } else {
        place_ask(judge, place);
    }
}

/* Stores the values. If a roll cannot be valued its game fails; a cube decision without value is
 * left out. */
static void values_take(struct judge_bot_place *place, const struct bg_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct bg_value *value = &values[i];
        const struct bg_ask *ask = &place->questions.ask[place->answered + i];

        if (value->cannot && ask->kind != BG_VALUE_CUBE && !place->finished) {
            place->finished = true;
            bg_error_set(&place->err, BG_E_ARGUMENT,
                         "it cannot evaluate position %zu of the game: %s", place->answered + i + 1,
                         value->why);
        }
        place->values[place->answered + i] = *value;
    }
    place->answered += count;
}

/* ---------------------------------------------------------------- the bots' news */

static void name_write(struct judge_bot *judge)
{
    /* The name holds all that changes a value, since judgements of one name are added up. */
    const struct rollout_words *words = &judge->rollout;
    const char *version = evaluators_version(judge->bots);
    const char *options = evaluators_options(judge->bots);

    if (words->trials == 0) {
        snprintf(judge->name, sizeof judge->name, "bot:%s %s", version, options);
        return;
    }
    snprintf(judge->name, sizeof judge->name,
             "rollout:%s %s trials=%llu truncate=%d variance-reduction=%s seed=%llu", version,
             options, (unsigned long long)words->trials, words->plies,
             words->reduces ? "on" : "off", (unsigned long long)words->seed);
}

static void on_pool_ready(void *user, int number)
{
    struct judge_bot *judge = user;
    bool first = judge->name[0] == '\0';

    if (first) {
        name_write(judge);
        judge->setup.listener->ready(judge->setup.user);
    }
    place_advance(judge, &judge->places[number]);
}

static void on_valued(void *user, int number, const struct bg_value *values, size_t count)
{
    struct judge_bot *judge = user;
    struct judge_bot_place *place = &judge->places[number];

    if (place->rollouts == NULL) {
        values_take(place, values, count);
    } else {
        place->finished = game_rollouts_take(place->rollouts, values, count, &place->err) != BG_OK;
    }
    place->asked = false;
    place_advance(judge, place);
}

static void on_pool_broken(void *user, const struct bg_error *err)
{
    struct judge_bot *judge = user;

    judge->broken = true;
    judge->setup.listener->broken(judge->setup.user, err);
}

static const struct evaluators_listener bots_listener = {on_pool_ready, on_valued, on_pool_broken};

static void on_pump(void *user, int64_t now_ns)
{
    struct judge_bot *judge = user;

    (void)now_ns;
    judge->pumping = false;
    for (int i = 0; i < judge->setup.jobs; i++) {
        place_advance(judge, &judge->places[i]);
    }
}

/* ---------------------------------------------------------------- the judge's calls */

static void judge_bot_destroy(struct judge *base)
{
    struct judge_bot *judge = bot_judge(base);

    if (judge == NULL) {
        return;
    }
    judge->broken = true; /* no further callbacks */
    evaluators_close(judge->bots);
    loop_forget(judge->setup.loop, judge);
    for (int i = 0; judge->places != NULL && i < judge->setup.jobs; i++) {
        place_clear(&judge->places[i]);
    }
    free(judge->places);
    free(judge);
}

static const char *judge_bot_name(const struct judge *base)
{
    const struct judge_bot *judge = (const struct judge_bot *)base;

    return judge->name[0] == '\0' ? NULL : judge->name;
}

static int judge_bot_busy(const struct judge *base)
{
    const struct judge_bot *judge = (const struct judge_bot *)base;
    int busy = 0;

    for (int i = 0; i < judge->setup.jobs; i++) {
        busy += judge->places[i].busy;
    }
    return busy;
}

/* Processes that are still starting accept games too: they get their request when they are
 * ready. */
static int judge_bot_room(const struct judge *base)
{
    const struct judge_bot *judge = (const struct judge_bot *)base;

    return judge->name[0] == '\0' || judge->broken ? 0 : judge->setup.jobs - judge_bot_busy(base);
}

static struct judge_bot_place *free_place(struct judge_bot *judge)
{
    struct judge_bot_place *found = NULL;

    for (int i = 0; i < judge->setup.jobs; i++) {
        struct judge_bot_place *place = &judge->places[i];

        if (!place->busy &&
            (found == NULL || (evaluators_is_free(judge->bots, i) &&
                               !evaluators_is_free(judge->bots, place_number(judge, found))))) {
            found = place;
        }
    }
    return found;
}

/* Makes room for the values. */
static void place_prepare(struct judge_bot_place *place, const struct judge_bot *judge)
{
    size_t count = place->questions.count;
    struct game_rollouts_setup setup = {.questions = &place->questions, .game_id = place->game_id};

    place->values = setup.values = memory_zeroed(count, sizeof *place->values);
    if (judge->rollout.trials > 0) {
        place->noise = setup.noise = memory_zeroed(count, sizeof *place->noise);
        place->rollouts = game_rollouts_create(&setup, &judge->rollout);
    }
}

/* Reads the game's record; keeps an error of it for the listener. */
static void place_read(struct judge_bot_place *place, const struct judge_bot *judge,
                       const struct store_game *game)
{
    place->finished =
        questions_read(&place->questions, game, judge->base.errors, &place->err) != BG_OK;
    if (!place->finished && judge->rollout.trials > 0 &&
        !bg_variant_turn_is_roll(place->questions.variant)) {
        place->finished = true;
        bg_error_set(&place->err, BG_E_ARGUMENT,
                     "%s: a turn is more than one roll of two dice, which a rollout cannot play; "
                     "the same bot without rollout: can judge it",
                     bg_variant_id(place->questions.variant));
    }
    if (!place->finished) {
        place->err.status = BG_OK;
        place_prepare(place, judge);
    }
}

static void judge_bot_submit(struct judge *base, const struct store_game *game)
{
    struct judge_bot *judge = bot_judge(base);
    struct judge_bot_place *place = free_place(judge);

    place_clear(place);
    place->game_id = memory_text(game->id);
    place->hash = memory_text(game->hash);
    place_read(place, judge, game);
    place->busy = true;
    place->work_ns = evaluators_work_ns(judge->bots, place_number(judge, place));
    if (!judge->pumping) { /* later: no callback inside a call */
        judge->pumping = true;
        loop_after(judge->setup.loop, 0, on_pump, judge);
    }
}

static int64_t judge_bot_cpu_ns(const struct judge *base)
{
    const struct judge_bot *judge = (const struct judge_bot *)base;
    int64_t sum = 0;

    for (int i = 0; i < judge->setup.jobs; i++) {
        sum += evaluators_cpu_ns(judge->bots, i);
    }
    return sum;
}

static const struct judge_ops judge_bot_ops = {
    judge_bot_destroy, judge_bot_name,   judge_bot_room,
    judge_bot_busy,    judge_bot_submit, judge_bot_cpu_ns,
};

/* ---------------------------------------------------------------- opening */

/* Reads a word of the rollout. *mine: it was one. */
static enum bg_status rollout_word(bool *mine, struct rollout_words *out, const char *key,
                                   const char *value, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *mine = true;
    if (strcmp(key, "trials") == 0) {
        status = count_read(&out->trials, value, 2, ROLLOUT_TRIALS_MAX, err);
    } else if (strcmp(key, "truncate") == 0) {
        status = int_read(&out->plies, value, 0, 1000, err);
    } else if (strcmp(key, "variance-reduction") == 0) {
        status = flag_read(&out->reduces, value, err);
    } else if (strcmp(key, "seed") == 0) {
        status = count_read(&out->seed, value, 0, UINT64_MAX, err);
    } else {
        *mine = false;
    }
    return status;
}

/* Reads NAME or PATH, then "errors", the bot's options, and those of a rollout if rollout is not
 * NULL. */
static enum bg_status read_words(struct competitor *out, bool *errors,
                                 struct rollout_words *rollout, const char *words,
                                 struct bg_error *err)
{
    struct registry *registry = NULL;
    char key[JUDGE_WORD], value[JUDGE_WORD];
    enum bg_status status = registry_open(&registry, err);

    if (status == BG_OK && !judge_word(key, value, &words)) {
        status = bg_error_set(
            err, BG_E_ARGUMENT, "judge %s: name a bot that can value positions, as in %s:greedy",
            rollout != NULL ? "rollout" : "bot", rollout != NULL ? "rollout" : "bot");
    }
    if (status == BG_OK) {
        status = registry_resolve(out, registry, key, err);
    }
    if (status == BG_OK && registry_only_plays(registry, key)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "judge %s: it does not value positions; bots that do are %s", key,
                              BUNDLED_EVALUATORS);
    }
    while (status == BG_OK && judge_word(key, value, &words)) {
        static const char *const alone[] = {"errors"};
        struct bg_error why = {.text = ""};
        bool of_rollout = false;

        if (strcmp(key, "errors") == 0 && value[0] == '\0') {
            *errors = true;
            continue;
        }
        if (value[0] == '\0') {
            status =
                bg_error_set(&why, BG_E_ARGUMENT, "'%s' has no value%s; an option is NAME=VALUE",
                             key, closest_perhaps(key, alone, 1).text);
        } else if (rollout != NULL) {
            status = rollout_word(&of_rollout, rollout, key, value, &why);
        }
        if (status == BG_OK && !of_rollout) {
            status = competitor_set_option(out, key, value, &why);
        }
        if (status != BG_OK) {
            status = bg_error_set(err, BG_E_ARGUMENT, "judge %s: %s%s%s", out->name,
                                  of_rollout ? key : "", of_rollout ? ": " : "", why.text);
        }
    }
    registry_close(registry);
    return status;
}

static enum bg_status start_places(struct judge_bot *judge, struct bg_error *err)
{
    const struct evaluators_setup setup = {
        .loop = judge->setup.loop,
        .bot = &judge->bot,
        .places = judge->setup.jobs,
        .role = "judge",
        .start_hint =
            judge->setup.confined
                ? "; it runs confined: judge_sandbox=off (of bgref judge: --sandbox off) lets "
                  "it see what you see"
                : "",
        .confined = judge->setup.confined,
        .hidden = judge->setup.hidden,
        .nice = judge->setup.nice,
        .listener = &bots_listener,
        .user = judge,
    };

    return evaluators_open(&judge->bots, &setup, err);
}

/* rollout: what is not said about it; NULL: the bot's own values. */
static enum bg_status open_either(struct judge **out, const char *words,
                                  const struct rollout_words *rollout,
                                  const struct judge_setup *setup, struct bg_error *err)
{
    enum bg_status status;
    bool errors = false;
    struct judge_bot *judge = memory_zeroed(1, sizeof *judge);

    if (rollout != NULL) {
        judge->rollout = *rollout;
    }
    status = read_words(&judge->bot, &errors, rollout == NULL ? NULL : &judge->rollout, words, err);
    if (status != BG_OK || setup == NULL) {
        free(judge);
        return status;
    }
    judge->base.ops = &judge_bot_ops;
    judge->setup = *setup;
    judge->base.errors = setup->errors || errors;
    judge->places = memory_zeroed((size_t)setup->jobs, sizeof *judge->places);
    status = start_places(judge, err);
    if (status == BG_OK) {
        *out = &judge->base;
        judge = NULL; /* now the caller's */
    }
    judge_bot_destroy(judge == NULL ? NULL : &judge->base);
    return status;
}

enum bg_status judge_bot_open(struct judge **out, const char *words,
                              const struct judge_setup *setup, struct bg_error *err)
{
    return open_either(out, words, NULL, setup, err);
}

enum bg_status judge_rollout_open(struct judge **out, const char *words,
                                  const struct judge_setup *setup, struct bg_error *err)
{
    const struct rollout_words usual = {.trials = 36, .plies = 7, .reduces = true, .seed = 1};

    return open_either(out, words, &usual, setup, err);
}
