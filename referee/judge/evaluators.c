/* All processes run the same program, so one that cannot be used (it does not start, its values
 * are invalid) breaks the pool: the next would do the same. Only a death is forgiven a few
 * times, as it may be the position's. No clock of a match runs here; each request has a limit by
 * its number of positions. */
#include "evaluators.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "../seat/last_words.h"
#include "seat/letters.h"
#include "seat/greeting.h"
#include "../seat/roster.h"

enum {
    ARENA_BYTES = 1 << 20,
    DEATHS_MAX = 3 /* consecutive deaths without a value */
};

_Static_assert((int)EVALUATORS_ASKS_MAX <= (int)WIRE_EVALUATE_MAX, "asks of one request");

#define SECOND_NS INT64_C(1000000000)
#define SWEEP_NS  (SECOND_NS / 20)
#define START_NS  (30 * SECOND_NS)
#define ITEM_NS   (60 * SECOND_NS) /* limit for one position */

struct evaluators_place {
    struct session *session; /* owned by the roster */
    bool ready, was_ready;
    bool asked; /* a request was sent */
    const struct bg_ask *ask[EVALUATORS_ASKS_MAX];
    size_t open;     /* asks of the request; 0: none */
    uint64_t number; /* of the request */
    int64_t sent_ns, stalled_ns;
    int64_t past_cpu_ns, past_work_ns; /* of ended processes */
    int64_t start_cpu_ns;              /* of this one until it was ready */
};

struct evaluators {
    struct evaluators_setup setup;
    struct competitor bot;
    struct link *link;
    struct wire_reader *reader;
    struct roster roster;
    struct evaluators_place *places; /* owned */
    struct session *known;           /* the first that was ready; lent from the roster */
    uint64_t requests;
    int deaths;
    bool broken;
    struct credit credit; /* unused: no clock runs here */
};

static void pool_break(struct evaluators *pool, const struct bg_error *err)
{
    if (!pool->broken) {
        pool->broken = true;
        roster_close(&pool->roster, "no more values are needed");
        pool->setup.listener->broken(pool->setup.user, err);
    }
}

/* Reports the bot's fault. A bot that we refused has started, so the hint for one that does not
 * start would be wrong. */
static void pool_fault(struct evaluators *pool, enum bg_fault fault, const char *text)
{
    static const char refused[] = "refused: ";
    bool is_missing = fault == BG_FAULT_START && strncmp(text, refused, sizeof refused - 1) != 0;
    struct bg_error err;

    bg_error_set(&err, fault == BG_FAULT_START ? BG_E_START : BG_E_MISMATCH, "%s %s: %s: %.300s%s",
                 pool->setup.role, pool->bot.name, bg_fault_name(fault), text,
                 is_missing ? pool->setup.start_hint : "");
    pool_break(pool, &err);
}

/* ---------------------------------------------------------------- requests */

static void place_send(struct evaluators *pool, struct evaluators_place *place)
{
    place->asked = true;
    place->number = ++pool->requests;
    place->sent_ns = loop_now(pool->setup.loop);
    place->stalled_ns = loop_stalled(pool->setup.loop, place->sent_ns);
    letters_evaluate(place->session, place->number, place->ask, place->open);
}

static bool is_answer(const struct evaluators_place *place, const struct wire_message *message,
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

/* Returns false if a value is invalid; *err names it. */
static bool values_are_valid(const struct evaluators_place *place,
                             const struct wire_message *message, struct bg_error *err)
{
    for (size_t i = 0; i < message->count; i++) {
        if (bg_value_check(place->ask[i], &message->values[i], err) != BG_OK) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- the session's news */

static struct evaluators_place *place_of(struct evaluators *pool, const struct session *session)
{
    return &pool->places[session_instance(session)];
}

static void on_session_ready(void *user, struct session *session)
{
    struct evaluators *pool = user;
    struct evaluators_place *place = place_of(pool, session);
    bool first = !place->was_ready;

    place->ready = place->was_ready = true;
    place->start_cpu_ns = session_cpu_ns(session);
    pool->known = pool->known == NULL ? session : pool->known;
    if (place->open > 0 && !pool->broken) {
        place_send(pool, place); /* its process before this one has died */
    } else if (first) {
        pool->setup.listener->ready(pool->setup.user, session_instance(session));
    }
}

static void on_valued(void *user, struct session *session, const struct wire_message *message)
{
    struct evaluators *pool = user;
    struct evaluators_place *place = place_of(pool, session);
    struct bg_error err = {.text = ""};

    if (pool->broken) {
        return;
    }
    if (!is_answer(place, message, &err)) {
        pool_fault(pool, BG_FAULT_ORDER, err.text);
        return;
    }
    if (!values_are_valid(place, message, &err)) {
        pool_fault(pool, BG_FAULT_GARBLED, err.text);
        return;
    }
    pool->deaths = 0;
    place->asked = false;
    place->open = 0;
    pool->setup.listener->valued(pool->setup.user, session_instance(session), message->values,
                                 message->count);
}

/* A process that ends is started again by its session and gets its request again. A process that
 * does not start, or sends unreadable messages, would do so again: the pool is broken. */
static void on_fault(void *user, struct session *session, struct session_slot *slot,
                     enum bg_fault fault, const char *why)
{
    struct evaluators *pool = user;
    struct evaluators_place *place = place_of(pool, session);
    char text[512], said[LAST_WORDS];

    (void)slot;
    if (pool->broken) {
        return;
    }
    last_words(said, session_stderr(session));
    snprintf(text, sizeof text, "%.200s%s%.200s", why,
             said[0] == '\0' ? "" : "; its last words: ", said);
    if ((fault != BG_FAULT_CRASH && fault != BG_FAULT_UNREAD) || ++pool->deaths > DEATHS_MAX) {
        pool_fault(pool, fault, text);
        return;
    }
    place->past_work_ns = evaluators_work_ns(pool, session_instance(session));
    place->past_cpu_ns += session_cpu_ns(session);
    place->ready = place->asked = false;
}

static void on_closed(void *user, struct session *session)
{
    (void)user;
    (void)session;
}

static const struct session_listener session_listener = {
    .ready = on_session_ready, .fault = on_fault, .closed = on_closed, .valued = on_valued};

/* ---------------------------------------------------------------- the loop's news */

static void pass_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                       int64_t lag_ns)
{
    struct evaluators *pool = user;

    roster_on_frame(&pool->roster, frame, received_ns, lag_ns);
}

static void check_limits(struct evaluators *pool, int64_t now_ns)
{
    int64_t stalled_ns = loop_stalled(pool->setup.loop, now_ns);

    for (int i = 0; i < pool->setup.places && !pool->broken; i++) {
        const struct evaluators_place *place = &pool->places[i];
        int64_t spent_ns = now_ns - place->sent_ns - (stalled_ns - place->stalled_ns);

        if (place->asked && spent_ns > ITEM_NS * (int64_t)place->open) {
            char text[128];

            snprintf(text, sizeof text, "no values for %zu positions within %" PRId64 " s",
                     place->open, spent_ns / SECOND_NS);
            pool_fault(pool, BG_FAULT_SILENT, text);
        }
    }
}

static void on_sweep(void *user, int64_t now_ns)
{
    struct evaluators *pool = user;

    roster_sweep(&pool->roster, now_ns);
    check_limits(pool, now_ns);
    loop_after(pool->setup.loop, SWEEP_NS, on_sweep, pool);
}

/* ---------------------------------------------------------------- calls */

bool evaluators_is_free(const struct evaluators *pool, int place)
{
    return pool->places[place].ready && pool->places[place].open == 0 && !pool->broken;
}

void evaluators_ask(struct evaluators *pool, int place, const struct bg_ask *const *asks,
                    size_t count)
{
    struct evaluators_place *at = &pool->places[place];

    assert(evaluators_is_free(pool, place) && count >= 1 && count <= EVALUATORS_ASKS_MAX);
    memcpy(at->ask, asks, count * sizeof *asks);
    at->open = count;
    place_send(pool, at);
}

bool evaluators_play(const struct evaluators *pool, int place, const struct bg_variant *variant)
{
    return session_plays(pool->places[place].session, variant);
}

const char *evaluators_version(const struct evaluators *pool)
{
    return session_version(pool->known);
}

const char *evaluators_options(const struct evaluators *pool)
{
    return session_options(pool->known);
}

int64_t evaluators_cpu_ns(const struct evaluators *pool, int place)
{
    return pool->places[place].past_cpu_ns + session_cpu_ns(pool->places[place].session);
}

int64_t evaluators_work_ns(const struct evaluators *pool, int place)
{
    const struct evaluators_place *at = &pool->places[place];

    return at->past_work_ns + (at->ready ? session_cpu_ns(at->session) - at->start_cpu_ns : 0);
}

/* ---------------------------------------------------------------- opening */

static enum bg_status add_session(struct evaluators *pool, int i, struct bg_error *err)
{
    const struct session_setup setup = {
        .bot = &pool->bot,
        .instance = i,
        .event = pool->setup.role,
        .loop = pool->setup.loop,
        .link = pool->link,
        .credit = &pool->credit,
        .reader = pool->reader,
        .start_ns = START_NS,
        .ceiling_ns = ITEM_NS,
        .new_game_ns = START_NS,
        .confined = pool->setup.confined,
        .hidden = pool->setup.hidden,
        .evaluator = true,
        .nice = pool->setup.nice,
        .listener = &session_listener,
        .user = pool,
    };
    struct session *session = session_create(&setup);

    roster_add(&pool->roster, session); /* takes ownership */
    pool->places[i].session = session;
    return session_start(session, err);
}

static enum bg_status start_pool(struct evaluators *pool, struct bg_error *err)
{
    struct loop *loop = pool->setup.loop;
    enum bg_status status = link_zmtp_open(&pool->link, GREETING_MESSAGE_BYTES, err);

    if (status == BG_OK) {
        status = wire_reader_create(&pool->reader, ARENA_BYTES, err);
    }
    if (status == BG_OK) {
        status = loop_add_link(loop, pool->link, pass_frame, pool, err);
    }
    loop_after(loop, SWEEP_NS, on_sweep, pool);
    for (int i = 0; i < pool->setup.places && status == BG_OK; i++) {
        status = add_session(pool, i, err);
    }
    return status;
}

enum bg_status evaluators_open(struct evaluators **out, const struct evaluators_setup *setup,
                               struct bg_error *err)
{
    enum bg_status status;
    struct evaluators *pool = memory_zeroed(1, sizeof *pool);

    pool->setup = *setup;
    pool->bot = *setup->bot;
    pool->places = memory_zeroed((size_t)setup->places, sizeof *pool->places);
    status = start_pool(pool, err);
    if (status == BG_OK) {
        *out = pool;
    } else {
        evaluators_close(pool);
    }
    return status;
}

void evaluators_close(struct evaluators *pool)
{
    if (pool == NULL) {
        return;
    }
    pool->broken = true; /* no further callbacks */
    /* The sessions first: their processes are told to end by the link and the loop. */
    roster_deinit(&pool->roster);
    loop_remove_link(pool->setup.loop, pool->link);
    loop_forget(pool->setup.loop, pool);
    link_destroy(pool->link);
    wire_reader_destroy(pool->reader);
    free(pool->places);
    free(pool);
}
