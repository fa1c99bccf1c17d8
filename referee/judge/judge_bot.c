#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../seat/last_words.h"
#include "seat/letters.h"
#include "seat/greeting.h"
#include "bot/registry.h"
#include "../seat/roster.h"
#include "judge_kinds.h"
#include "questions.h"

enum {
    ARENA_BYTES = 1 << 20,
    DEATHS_MAX = 3 /* consecutive deaths without a value */
};

#define SECOND_NS INT64_C(1000000000)
#define SWEEP_NS  (SECOND_NS / 20)
#define START_NS  (30 * SECOND_NS)
#define ITEM_NS   (60 * SECOND_NS) /* limit for one position */

/* One process, and the game it works on. */
struct place {
    struct session *session; /* owned by the roster */
    bool ready;
    bool busy;     /* has a game */
    bool asked;    /* a request is open */
    bool finished; /* the judgement or failure is to be reported */
    char *game_id; /* owned, like hash */
    char *hash;
    struct questions questions;
    struct bg_value *values; /* owned; one for each ask */
    size_t answered;         /* number of values received */
    size_t open;             /* asks in the open request */
    uint64_t number;         /* of the open request */
    int64_t sent_ns, stalled_ns;
    int64_t cpu_ns; /* the process's, when the game began */
    struct bg_error err;
};

struct judge_bot {
    struct judge base;
    struct judge_setup setup;
    struct competitor bot;
    char name[1200]; /* "" before ready */
    struct link *link;
    struct wire_reader *reader;
    struct roster roster;
    struct place *places; /* owned; setup.jobs of them */
    uint64_t requests;
    int deaths;
    bool pumping; /* a turn of on_pump is planned */
    bool broken;
    int64_t past_cpu_ns;  /* of ended processes */
    struct credit credit; /* unused: a judge has no clock */
};

static struct judge_bot *mine(struct judge *judge)
{
    return (struct judge_bot *)judge;
}

/* ---------------------------------------------------------------- games */

static void place_clear(struct place *place)
{
    free(place->game_id);
    free(place->hash);
    free(place->values);
    questions_deinit(&place->questions);
    *place = (struct place){.session = place->session, .ready = place->ready};
}

static void judge_break(struct judge_bot *judge, const struct bg_error *err)
{
    if (!judge->broken) {
        judge->broken = true;
        roster_close(&judge->roster, "the judge is done");
        judge->setup.listener->broken(judge->setup.user, err);
    }
}

/* Reports the judge's fault. */
static void judge_fault(struct judge_bot *judge, enum bg_fault fault, const char *text)
{
    struct bg_error err;

    bg_error_set(&err, fault == BG_FAULT_START ? BG_E_START : BG_E_MISMATCH,
                 "judge %s: %s: %.300s%s", judge->bot.name, bg_fault_name(fault), text,
                 fault == BG_FAULT_START && judge->setup.confined
                     ? "; it runs confined: judge_sandbox=off (of bgref judge: --sandbox off) lets "
                       "it see what you see"
                     : "");
    judge_break(judge, &err);
}

static enum bg_status judgement_make(struct judgement **out, const struct judge_bot *judge,
                                     const struct place *place, struct bg_error *err)
{
    struct judgement *judgement = calloc(1, sizeof *judgement);
    enum bg_status status = BG_E_MEMORY;

    if (judgement == NULL || (judgement->game_id = strdup(place->game_id)) == NULL ||
        (judgement->hash = strdup(place->hash)) == NULL ||
        (judgement->judge = strdup(judge->name)) == NULL) {
        bg_error_set(err, BG_E_MEMORY, "judgement");
    } else {
        judgement->cpu_ns = session_cpu_ns(place->session) - place->cpu_ns;
        status = questions_judge(judgement, &place->questions, place->values, err);
    }
    if (status != BG_OK) {
        judgement_destroy(judgement);
        judgement = NULL;
    }
    *out = judgement;
    return status;
}

/* Reports the game's judgement or failure and frees the place. */
static void place_finish(struct judge_bot *judge, struct place *place)
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

static void place_ask(struct judge_bot *judge, struct place *place)
{
    const struct bg_ask *asks[WIRE_EVALUATE_MAX];
    size_t left = place->questions.count - place->answered;

    place->open = left < WIRE_EVALUATE_MAX ? left : WIRE_EVALUATE_MAX;
    for (size_t i = 0; i < place->open; i++) {
        asks[i] = &place->questions.ask[place->answered + i];
    }
    place->asked = true;
    place->number = ++judge->requests;
    place->sent_ns = loop_now(judge->setup.loop);
    place->stalled_ns = loop_stalled(judge->setup.loop, place->sent_ns);
    letters_evaluate(place->session, place->number, asks, place->open);
}

/* A place's next step: a request, or the end of its game. */
static void place_advance(struct judge_bot *judge, struct place *place)
{
    if (judge->broken || !place->busy || place->asked) {
        return;
    }
    if (place->finished || place->answered == place->questions.count) {
        place_finish(judge, place);
    } else if (place->ready && !session_plays(place->session, place->questions.variant)) {
        bg_error_set(&place->err, BG_E_ARGUMENT, "judge %s does not play %s", judge->bot.name,
                     bg_variant_id(place->questions.variant));
        place_finish(judge, place);
    } else if (place->ready) {
        place_ask(judge, place);
    }
}

static bool is_answer(const struct place *place, const struct wire_message *message,
                      struct bg_error *err)
{
    if (!place->asked || message->number != place->number) {
        bg_error_set(err, BG_E_FORMAT,
                     "an evaluation with number %" PRIu64 ", which is not an open request",
                     message->number);
        return false;
    }
    if (message->count != place->open) {
        bg_error_set(err, BG_E_FORMAT, "an evaluation of %zu items, but the request has %zu",
                     message->count, place->open);
        return false;
    }
    return true;
}

/* Stores the values. If a roll cannot be valued its game fails; a cube decision without value is
 * left out. Returns false if a value is invalid; *err names it. */
static bool values_take(struct place *place, const struct wire_message *message,
                        struct bg_error *err)
{
    for (size_t i = 0; i < message->count; i++) {
        const struct bg_value *value = &message->values[i];
        const struct bg_ask *ask = &place->questions.ask[place->answered + i];

        if (bg_value_check(ask, value, err) != BG_OK) {
            return false;
        }
        if (value->cannot && ask->kind != BG_VALUE_CUBE && !place->finished) {
            place->finished = true;
            bg_error_set(&place->err, BG_E_ARGUMENT,
                         "it cannot evaluate position %zu of the game: %s", place->answered + i + 1,
                         value->why);
        }
        place->values[place->answered + i] = *value;
    }
    return true;
}

/* ---------------------------------------------------------------- the session's news */

static struct place *place_of(struct judge_bot *judge, const struct session *session)
{
    return &judge->places[session_instance(session)];
}

static void on_ready(void *user, struct session *session)
{
    struct judge_bot *judge = user;
    bool first = judge->name[0] == '\0';

    place_of(judge, session)->ready = true;
    if (first) {
        snprintf(judge->name, sizeof judge->name, "bot:%s %s", session_version(session),
                 session_options(session));
        judge->setup.listener->ready(judge->setup.user);
    }
    place_advance(judge, place_of(judge, session));
}

static void on_valued(void *user, struct session *session, const struct wire_message *message)
{
    struct judge_bot *judge = user;
    struct place *place = place_of(judge, session);
    struct bg_error err = {.text = ""};

    if (judge->broken) {
        return;
    }
    if (!is_answer(place, message, &err)) {
        judge_fault(judge, BG_FAULT_ORDER, err.text);
        return;
    }
    if (!values_take(place, message, &err)) {
        judge_fault(judge, BG_FAULT_GARBLED, err.text);
        return;
    }
    judge->deaths = 0;
    place->asked = false;
    place->answered += place->open;
    place_advance(judge, place);
}

/* A process that ends is started again by its session and gets its request again. A process that
 * does not start, or sends unreadable messages, would do so again: the judge is broken. */
static void on_fault(void *user, struct session *session, struct session_slot *slot,
                     enum bg_fault fault, const char *why)
{
    struct judge_bot *judge = user;
    struct place *place = place_of(judge, session);
    char text[512], said[LAST_WORDS];

    (void)slot;
    if (judge->broken) {
        return;
    }
    last_words(said, session_stderr(session));
    snprintf(text, sizeof text, "%.200s%s%.200s", why,
             said[0] == '\0' ? "" : "; its last words: ", said);
    if ((fault != BG_FAULT_CRASH && fault != BG_FAULT_UNREAD) || ++judge->deaths > DEATHS_MAX) {
        judge_fault(judge, fault, text);
        return;
    }
    judge->past_cpu_ns += session_cpu_ns(session);
    place->ready = place->asked = false;
    place->cpu_ns = 0;
}

static void on_closed(void *user, struct session *session)
{
    (void)user;
    (void)session;
}

static const struct session_listener session_listener = {
    .ready = on_ready, .fault = on_fault, .closed = on_closed, .valued = on_valued};

/* ---------------------------------------------------------------- the loop's news */

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    struct judge_bot *judge = user;

    roster_on_frame(&judge->roster, frame, received_ns, lag_ns);
}

static void on_pump(void *user, int64_t now_ns)
{
    struct judge_bot *judge = user;

    (void)now_ns;
    judge->pumping = false;
    for (int i = 0; i < judge->setup.jobs; i++) {
        place_advance(judge, &judge->places[i]);
    }
}

static void check_limits(struct judge_bot *judge, int64_t now_ns)
{
    int64_t stalled_ns = loop_stalled(judge->setup.loop, now_ns);

    for (int i = 0; i < judge->setup.jobs && !judge->broken; i++) {
        const struct place *place = &judge->places[i];
        int64_t spent_ns = now_ns - place->sent_ns - (stalled_ns - place->stalled_ns);

        if (place->asked && spent_ns > ITEM_NS * (int64_t)place->open) {
            char text[128];

            snprintf(text, sizeof text, "no values for %zu positions within %" PRId64 " s",
                     place->open, spent_ns / SECOND_NS);
            judge_fault(judge, BG_FAULT_SILENT, text);
        }
    }
}

static void on_sweep(void *user, int64_t now_ns)
{
    struct judge_bot *judge = user;
    struct bg_error err;

    roster_sweep(&judge->roster, now_ns);
    check_limits(judge, now_ns);
    if (loop_after(judge->setup.loop, SWEEP_NS, on_sweep, judge, &err) != BG_OK) {
        judge_break(judge, &err);
    }
}

/* ---------------------------------------------------------------- the judge's calls */

static void judge_bot_destroy(struct judge *base)
{
    struct judge_bot *judge = mine(base);

    if (judge == NULL) {
        return;
    }
    judge->broken = true; /* no further callbacks */
    roster_deinit(&judge->roster);
    loop_remove_link(judge->setup.loop, judge->link);
    loop_forget(judge->setup.loop, judge);
    link_destroy(judge->link);
    wire_reader_destroy(judge->reader);
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

static struct place *free_place(struct judge_bot *judge)
{
    struct place *found = NULL;

    for (int i = 0; i < judge->setup.jobs; i++) {
        struct place *place = &judge->places[i];

        if (!place->busy && (found == NULL || (place->ready && !found->ready))) {
            found = place;
        }
    }
    return found;
}

/* Reads the game's record; keeps an error for the listener. */
static void place_read(struct place *place, const struct judge_bot *judge,
                       const struct store_game *game)
{
    enum bg_status status =
        questions_read(&place->questions, game, judge->setup.errors, &place->err);

    if (status == BG_OK) {
        place->values = calloc(place->questions.count + 1, sizeof *place->values);
        place->err.status = BG_OK;
    }
    place->finished = status != BG_OK;
}

static enum bg_status judge_bot_submit(struct judge *base, const struct store_game *game,
                                       struct bg_error *err)
{
    struct judge_bot *judge = mine(base);
    struct place *place = free_place(judge);

    place_clear(place);
    place->game_id = strdup(game->id);
    place->hash = strdup(game->hash);
    if (place->game_id == NULL || place->hash == NULL) {
        place_clear(place);
        return bg_error_set(err, BG_E_MEMORY, "game for the judge");
    }
    place_read(place, judge, game);
    if (!place->finished && place->values == NULL) {
        place_clear(place);
        return bg_error_set(err, BG_E_MEMORY, "values of a game");
    }
    place->busy = true;
    place->cpu_ns = session_cpu_ns(place->session);
    if (!judge->pumping) { /* later: no callback inside a call */
        judge->pumping = true;
        return loop_after(judge->setup.loop, 0, on_pump, judge, err);
    }
    return BG_OK;
}

static int64_t judge_bot_cpu_ns(const struct judge *base)
{
    const struct judge_bot *judge = (const struct judge_bot *)base;
    int64_t sum = judge->past_cpu_ns;

    for (int i = 0; i < judge->setup.jobs; i++) {
        sum += session_cpu_ns(judge->places[i].session);
    }
    return sum;
}

static const struct judge_ops judge_bot_ops = {
    judge_bot_destroy, judge_bot_name,   judge_bot_room,
    judge_bot_busy,    judge_bot_submit, judge_bot_cpu_ns,
};

/* ---------------------------------------------------------------- opening */

/* Reads NAME or PATH, then the bot's options. */
static enum bg_status read_words(struct competitor *out, const char *words, struct bg_error *err)
{
    struct registry *registry = NULL;
    char key[JUDGE_WORD], value[JUDGE_WORD];
    enum bg_status status = registry_open(&registry, err);

    if (status == BG_OK && !judge_word(key, value, &words)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "judge bot: name a bot that can value positions, as in bot:greedy");
    }
    if (status == BG_OK) {
        status = registry_resolve(out, registry, key, err);
    }
    while (status == BG_OK && judge_word(key, value, &words)) {
        struct bg_error why = {.text = ""};

        if (competitor_set_option(out, key, value, &why) != BG_OK) {
            status = bg_error_set(err, BG_E_ARGUMENT, "judge %s: %s", out->name, why.text);
        }
    }
    registry_close(registry);
    return status;
}

static enum bg_status add_session(struct judge_bot *judge, int i, struct bg_error *err)
{
    const struct session_setup setup = {
        .bot = &judge->bot,
        .instance = i,
        .event = "judge",
        .loop = judge->setup.loop,
        .link = judge->link,
        .credit = &judge->credit,
        .reader = judge->reader,
        .start_ns = START_NS,
        .ceiling_ns = ITEM_NS,
        .new_game_ns = START_NS,
        .confined = judge->setup.confined,
        .hidden = judge->setup.hidden,
        .evaluator = true,
        .nice = judge->setup.nice,
        .listener = &session_listener,
        .user = judge,
    };
    struct session *session = NULL;
    enum bg_status status = session_create(&session, &setup, err);

    if (status == BG_OK) {
        status = roster_add(&judge->roster, session, err); /* takes ownership */
    }
    if (status == BG_OK) {
        judge->places[i].session = session;
        status = session_start(session, err);
    }
    return status;
}

static enum bg_status start(struct judge_bot *judge, struct bg_error *err)
{
    struct loop *loop = judge->setup.loop;
    enum bg_status status = link_zmtp_open(&judge->link, GREETING_MESSAGE_BYTES, err);

    if (status == BG_OK) {
        status = wire_reader_create(&judge->reader, ARENA_BYTES, err);
    }
    if (status == BG_OK) {
        status = loop_add_link(loop, judge->link, on_frame, judge, err);
    }
    if (status == BG_OK) {
        status = loop_after(loop, SWEEP_NS, on_sweep, judge, err);
    }
    for (int i = 0; i < judge->setup.jobs && status == BG_OK; i++) {
        status = add_session(judge, i, err);
    }
    return status;
}

enum bg_status judge_bot_open(struct judge **out, const char *words,
                              const struct judge_setup *setup, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct judge_bot *judge = calloc(1, sizeof *judge);

    if (judge == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "judge");
    }
    status = read_words(&judge->bot, words, err);
    if (status != BG_OK || setup == NULL) {
        free(judge);
        return status;
    }
    judge->base.ops = &judge_bot_ops;
    judge->setup = *setup;
    judge->places = calloc((size_t)setup->jobs, sizeof *judge->places);
    if (judge->places == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "judge");
    }
    if (status == BG_OK) {
        status = start(judge, err);
    }
    if (status == BG_OK) {
        *out = &judge->base;
        judge = NULL; /* now the caller's */
    }
    judge_bot_destroy(judge == NULL ? NULL : &judge->base);
    return status;
}
