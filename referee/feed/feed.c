#include "feed.h"

#include <stdlib.h>
#include <string.h>

#include "tally/counted.h"

/* In the results: the judge whose judgements feed a luck-adjusted test. */
#define TEST_JUDGE  "sprt.judge"
#define PROGRESS_NS INT64_C(10000000000)
/* Before the first game nobody is held up by a slow reader. */
#define PAST_WAIT_NS INT64_C(10000000000)

enum bg_status herald_open(struct herald *out, const struct config_event *event,
                           const struct schedule *schedule, struct bg_error *err)
{
    enum bg_status status;

    *out = (struct herald){.event = event, .schedule = schedule, .width = event->instances};
    for (int i = 0; i < event->bot_count; i++) {
        out->width = event->bots[i].instances > out->width ? event->bots[i].instances : out->width;
    }
    out->ready = calloc((size_t)event->bot_count * (size_t)out->width, sizeof *out->ready);
    if (out->ready == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "bots");
    }
    pairs_init(&out->pairs, event->duplicate ? 2 : 1);
    judged_pairs_init(&out->judged, event->duplicate ? 2 : 1);
    status = chess_open(&out->chess, event, schedule, err);
    if (status == BG_OK) {
        status = events_open(&out->events, event, err);
    }
    if (status == BG_OK && event->sprt.on) {
        status = sequential_init(&out->test, event, err);
        out->testing = status == BG_OK;
        out->luck = out->testing && event->sprt.luck;
    }
    return status;
}

void herald_close(struct herald *herald)
{
    chess_close(&herald->chess);
    events_close(&herald->events);
    sequential_deinit(&herald->test);
    pairs_deinit(&herald->pairs);
    judged_pairs_deinit(&herald->judged);
    tally_deinit(&herald->counted);
    free(herald->ready);
    herald->ready = NULL;
}

const struct sequential *herald_test(const struct herald *herald)
{
    return herald->testing ? &herald->test : NULL;
}

bool herald_is_decided(const struct herald *herald)
{
    return herald->testing && sequential_is_over(&herald->test);
}

bool herald_needs_judge(const struct herald *herald)
{
    return herald->luck && !herald_is_decided(herald);
}

bool herald_is_ahead(const struct herald *herald, uint64_t begun)
{
    uint64_t tables = (uint64_t)herald->event->concurrency;
    uint64_t lag = 2 * tables > HERALD_LAG ? 2 * tables : HERALD_LAG;

    return herald_needs_judge(herald) && begun >= herald->judged.judged + lag;
}

/* ---- finished games */

/* The leg that this game has ended. */
static struct pairs_leg leg_of(const struct store_game *game)
{
    return (struct pairs_leg){.winner = game->match_winner,
                              .points = {game->score_a, game->score_b},
                              .games = game->game + 1};
}

static void note_trouble(struct herald *herald, enum bg_status status, const struct bg_error *err)
{
    if (status != BG_OK && herald->status == BG_OK) {
        herald->status = status;
        herald->trouble = *err;
    }
}

/* A pair is complete, judged where the test asks for that. */
static void feed_test(struct herald *herald, const struct pairs_cluster *cluster, bool stored)
{
    struct bg_error err;
    bool looked = false;
    enum bg_status status = BG_OK;

    if (!herald_is_decided(herald)) {
        status = sequential_put(&herald->test, &looked, cluster, &err);
    }
    if (looked && !stored) {
        events_sprt(&herald->events, &herald->test);
    }
    note_trouble(herald, status, &err);
}

/* A leg is over: perhaps its pair, and with it the test. */
static void take_leg(struct herald *herald, const struct fixture *fixture,
                     const struct pairs_leg *leg, bool stored)
{
    struct pairs_cluster cluster;
    struct bg_error err;
    bool whole = false;
    enum bg_status status = pairs_put(&cluster, &whole, &herald->pairs, fixture, leg, &err);

    if (status == BG_OK && whole) {
        events_pair_finished(&herald->events, &cluster, stored);
        chess_pair(&herald->chess, &cluster);
    }
    if (status == BG_OK && herald->luck) {
        status = judged_pairs_leg(&cluster, &whole, &herald->judged, fixture, leg, &err);
    }
    if (status == BG_OK && whole && herald->testing) {
        feed_test(herald, &cluster, stored);
    }
    note_trouble(herald, status, &err);
}

/* A game is judged: perhaps the last one of its pair. */
static void take_judged(struct herald *herald, const struct fixture *fixture, int game,
                        const struct judgement *judgement, bool stored)
{
    struct pairs_cluster cluster;
    struct bg_error err;
    bool whole;
    enum bg_status status = judged_pairs_luck(&cluster, &whole, &herald->judged, fixture, game,
                                              judgement->luck[0] - judgement->luck[1], &err);

    if (status == BG_OK && whole) {
        feed_test(herald, &cluster, stored);
    }
    note_trouble(herald, status, &err);
}

static void take_game(struct herald *herald, const struct fixture *fixture,
                      const struct store_game *game, const struct thinking *thinking, bool stored)
{
    struct pairs_leg leg;

    herald->games++;
    events_game_finished(&herald->events, fixture, game, thinking, stored);
    chess_game(&herald->chess, fixture, game, stored);
    if (!game->match_over) {
        return;
    }
    if (game->length_points > 0) {
        events_match_finished(&herald->events, fixture, game, stored);
    }
    leg = leg_of(game);
    take_leg(herald, fixture, &leg, stored);
    if (!stored && !herald_is_decided(herald)) { /* then only what counts is said, at the end */
        chess_intervals(&herald->chess, fixture, herald_test(herald));
    }
}

static void on_game(void *user, const struct fixture *fixture, const struct store_game *game,
                    const struct thinking *thinking)
{
    take_game(user, fixture, game, thinking, false);
}

static void on_past_game(void *user, const struct fixture *fixture, const struct store_game *game,
                         const struct thinking *thinking)
{
    struct herald *herald = user;

    take_game(herald, fixture, game, thinking, true);
    stream_drain(herald->events.stream, PAST_WAIT_NS);
}

static void on_past_unplayed(void *user, const struct fixture *fixture, const char *bot,
                             const char *why)
{
    struct herald *herald = user;

    events_unplayed(&herald->events, fixture, bot, why, true);
    take_leg(herald, fixture, &(struct pairs_leg){.unplayed = true}, true);
}

static bool is_wanted(const struct herald *herald)
{
    return herald->testing || events_is_open(&herald->events) || chess_is_open(&herald->chess);
}

static void on_recalled(void *user, const struct fixture *fixture, int game,
                        const struct judgement *judgement)
{
    take_judged(user, fixture, game, judgement, true);
}

/* What the judge of the test said in earlier runs, so that a decided test is known as decided
 * before any program is started. */
static enum bg_status recall_judge(struct herald *herald, struct bg_error *err)
{
    struct store *store = ledger_store(herald->ledger);
    bool found = false;
    enum bg_status status =
        store->ops->meta_get(store, TEST_JUDGE, herald->judge, sizeof herald->judge, &found, err);

    if (status == BG_OK && found) {
        status = ledger_past_judged(herald->ledger, herald->judge, on_recalled, herald, err);
    }
    return status;
}

static void on_set_aside(void *user, const struct store_attempt *attempt)
{
    struct herald *herald = user;

    events_set_aside(&herald->events, attempt);
}

enum bg_status herald_begin(struct herald *herald, struct ledger *ledger, const char *command,
                            const char *const *programs, struct bg_error *err)
{
    char digest[BG_KEY_HEX];
    struct events_start start = {.command = command,
                                 .dice_kind = ledger_dice(ledger),
                                 .trust = ledger_trust(ledger),
                                 .dice_digest = digest,
                                 .fixtures = schedule_count(herald->schedule),
                                 .settled = ledger_settled(ledger),
                                 .programs = programs};
    enum bg_status status;

    herald->ledger = ledger;
    if (!is_wanted(herald)) {
        return BG_OK;
    }
    ledger_watch(ledger, events_is_open(&herald->events));
    ledger_key_digest(digest, ledger);
    start.games = ledger_lock_tally(ledger)->games;
    ledger_unlock_tally(ledger);
    events_started(&herald->events, &start);
    status =
        ledger_store(ledger)->ops->all_attempts(ledger_store(ledger), on_set_aside, herald, err);
    if (status == BG_OK) {
        status = ledger_past(ledger, on_past_game, herald, err);
    }
    if (status == BG_OK) {
        status = ledger_past_unplayed(ledger, on_past_unplayed, herald, err);
    }
    if (status == BG_OK && herald->luck) {
        status = recall_judge(herald, err);
    }
    if (status == BG_OK && herald->status != BG_OK) {
        status = herald->status;
        *err = herald->trouble;
    }
    return status;
}

uint64_t herald_begun(struct herald *herald, struct ledger *ledger)
{
    return ledger_each_anew(ledger, on_set_aside, herald);
}

static void on_judged(void *user, const struct fixture *fixture, int game,
                      const struct judgement *judgement)
{
    struct herald *herald = user;

    events_judged(&herald->events, fixture, game, judgement, false);
    if (herald->luck) {
        take_judged(herald, fixture, game, judgement, false);
    }
}

static void on_past_judged(void *user, const struct fixture *fixture, int game,
                           const struct judgement *judgement)
{
    struct herald *herald = user;

    events_judged(&herald->events, fixture, game, judgement, true);
    stream_drain(herald->events.stream, PAST_WAIT_NS);
}

/* The judge whose judgements feed the test is fixed with its first one: another judge's luck would
 * make another test. */
static enum bg_status fix_judge(struct herald *herald, const char *judge, struct bg_error *err)
{
    struct store *store = ledger_store(herald->ledger);
    enum bg_status status;

    if (strcmp(herald->judge, judge) == 0) {
        return BG_OK;
    }
    if (herald->judge[0] != '\0') {
        return bg_error_set(
            err, BG_E_CONFIG,
            "judge: these results have a test of luck-adjusted results by '%.200s'; "
            "'%.200s' cannot go on with it, new results can begin with it",
            herald->judge, judge);
    }
    snprintf(herald->judge, sizeof herald->judge, "%s", judge);
    status = store->ops->meta_set(store, TEST_JUDGE, judge, err);
    if (status == BG_OK) {
        status = ledger_past_judged(herald->ledger, judge, on_recalled, herald, err);
    }
    return status;
}

enum bg_status herald_judge(struct herald *herald, const char *judge, struct bg_error *err)
{
    enum bg_status status = herald->luck ? fix_judge(herald, judge, err) : BG_OK;

    if (herald->luck || events_is_open(&herald->events)) {
        ledger_watch_judged(herald->ledger);
    }
    if (status == BG_OK && events_is_open(&herald->events)) {
        status = ledger_past_judged(herald->ledger, judge, on_past_judged, herald, err);
    }
    return status;
}

enum bg_status herald_take(struct herald *herald, struct bg_error *err)
{
    if (herald->ledger != NULL) {
        ledger_take(herald->ledger, on_game, herald);
        ledger_take_judged(herald->ledger, on_judged, herald); /* behind their games */
    }
    if (herald->status != BG_OK && err != NULL) {
        *err = herald->trouble;
    }
    return herald->status;
}

/* ---- what else happens */

void herald_ready(struct herald *herald, const struct session *session)
{
    int bot = session_bot_index(session), instance = session_instance(session);
    bool *was = &herald->ready[(size_t)bot * (size_t)herald->width + (size_t)instance];

    events_bot_ready(&herald->events, bot, instance, session_version(session),
                     session_options(session), *was);
    *was = true;
}

void herald_fixture(struct herald *herald, const struct fixture *fixture)
{
    chess_started(&herald->chess, fixture);
}

void herald_game(struct herald *herald, const struct fixture *fixture, const char *id,
                 const struct bg_match *match)
{
    events_game_started(&herald->events, fixture, id, match);
}

void herald_fault(struct herald *herald, const struct events_fault *fault)
{
    herald->faults++;
    events_fault(&herald->events, fault);
    chess_fault(&herald->chess, fault->bot, fault->fault, fault->reply);
}

void herald_absent(struct herald *herald, int bot, const char *why)
{
    events_absent(&herald->events, bot, why);
}

void herald_quarantined(struct herald *herald, int bot, int faults, const char *why)
{
    events_quarantined(&herald->events, bot, faults, why);
}

enum bg_status herald_unplayed(struct herald *herald, const struct fixture *fixture, int bot,
                               const char *why, struct bg_error *err)
{
    events_unplayed(&herald->events, fixture, herald->event->bots[bot].name, why, false);
    take_leg(herald, fixture, &(struct pairs_leg){.unplayed = true}, false);
    return herald_take(herald, err);
}

/* ---- how it stands */

static struct events_state state_of(const struct herald *herald)
{
    const struct tally *counted = herald_counted(herald);
    struct events_state state = {.settled = ledger_settled(herald->ledger),
                                 .unplayed = ledger_unplayed(herald->ledger),
                                 .fixtures = schedule_count(herald->schedule),
                                 .games = herald->games};

    if (counted != NULL) {
        state.settled = counted->legs + state.unplayed;
        state.games = counted->games;
        state.surplus = herald->games - counted->games;
    }
    return state;
}

enum bg_status herald_count(struct herald *herald, struct bg_error *err)
{
    enum bg_status status;

    if (herald->has_counted || !herald_is_decided(herald)) {
        return BG_OK;
    }
    status = ledger_counted(&herald->counted, herald->ledger, herald->test.test.next, err);
    herald->has_counted = status == BG_OK;
    if (status != BG_OK) {
        tally_deinit(&herald->counted);
    }
    return status;
}

const struct tally *herald_counted(const struct herald *herald)
{
    return herald->has_counted ? &herald->counted : NULL;
}

void herald_pump(struct herald *herald, int64_t now_ns)
{
    stream_pump(herald->events.stream);
    stream_pump(herald->chess.out);
    if (now_ns - herald->progress_ns >= PROGRESS_NS) {
        herald->progress_ns = now_ns;
        const struct events_state state = state_of(herald);

        events_progress(&herald->events, &state, herald->faults);
    }
}

enum bg_status herald_standings(struct herald *herald, bool final, struct bg_error *err)
{
    const struct tally *tally = ledger_lock_tally(herald->ledger);
    enum bg_status status =
        herald->has_counted
            ? events_standings(&herald->events, &herald->counted, herald->test.test.next, final,
                               err)
            : events_standings(&herald->events, tally, herald->event->pairs, final, err);

    ledger_unlock_tally(herald->ledger);
    return status;
}

enum bg_status herald_keep(const struct herald *herald, struct bg_error *err)
{
    struct store *store = ledger_store(herald->ledger);
    enum bg_status status = herald->testing ? sequential_keep(&herald->test, store, err) : BG_OK;

    return status == BG_OK && herald_is_decided(herald)
               ? counted_write(store, herald->test.test.next, err)
               : status;
}

/* Games that the chess lines count once more: those that count, in the order of the schedule. */
struct recounting {
    struct herald *herald;
    struct pairs pairs;
    enum bg_status status;
    struct bg_error *err;
};

static void recount(void *user, const struct fixture *fixture, const struct store_game *game,
                    const struct thinking *thinking)
{
    struct recounting *recounting = user;
    struct herald *herald = recounting->herald;
    const struct pairs_leg leg = leg_of(game);
    struct pairs_cluster cluster;
    bool whole = false;

    (void)thinking;
    if (recounting->status != BG_OK || fixture->pair >= herald->test.test.next) {
        return;
    }
    chess_game(&herald->chess, fixture, game, true);
    if (game->match_over) {
        recounting->status =
            pairs_put(&cluster, &whole, &recounting->pairs, fixture, &leg, recounting->err);
    }
    if (whole) {
        chess_pair(&herald->chess, &cluster);
    }
}

/* What was counted while it was played depends on the order in which games ended. */
static enum bg_status recount_chess(struct herald *herald, struct bg_error *err)
{
    struct recounting recounting = {.herald = herald, .err = err};
    enum bg_status status;

    pairs_init(&recounting.pairs, herald->pairs.legs);
    chess_forget(&herald->chess);
    status = ledger_past(herald->ledger, recount, &recounting, err);
    pairs_deinit(&recounting.pairs);
    return status == BG_OK ? recounting.status : status;
}

enum bg_status herald_final(struct herald *herald, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (chess_is_open(&herald->chess) && herald_is_decided(herald)) {
        status = recount_chess(herald, err);
    }
    if (status == BG_OK) {
        chess_final(&herald->chess, herald_test(herald));
    }
    chess_close(&herald->chess);
    return status;
}

void herald_end(struct herald *herald, const char *outcome)
{
    if (herald->ledger != NULL) {
        const struct events_state state = state_of(herald);

        events_ended(&herald->events, outcome, &state, herald_test(herald));
    }
    events_close(&herald->events);
}
