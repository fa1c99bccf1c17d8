/* Games of earlier runs pass the same functions as those of this run, marked `stored`: counts
 * and the test see all of them, readers hear of them once. Without a reader and a test nothing
 * of the past is read (is_wanted), which for a large event saves its start seconds. */
#include "feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "record/round_robin.h"
#include "record/game_id.h"
#include "store/encounter.h"
#include "store/entry.h"
#include "sums/results_set.h"
#include "store/counted.h"

/* Name in the results: the judge of a luck-adjusted test. */
#define TEST_JUDGE  "sprt.judge"
#define PROGRESS_NS INT64_C(10000000000)
/* Longest wait for a slow reader of the event stream before play starts. */
#define PAST_WAIT_NS INT64_C(10000000000)

enum bg_status feed_open(struct feed *out, const struct config_event *event,
                         const struct source *source, struct bg_error *err)
{
    enum bg_status status;

    *out = (struct feed){.event = event, .source = source, .width = event->instances};
    for (int i = 0; i < event->bot_count; i++) {
        out->width = event->bots[i].instances > out->width ? event->bots[i].instances : out->width;
    }
    out->ready = memory_zeroed((size_t)event->bot_count * (size_t)out->width, sizeof *out->ready);
    pairs_init(&out->pairs, round_robin_legs(event->duplicate));
    judged_pairs_init(&out->judged, round_robin_legs(event->duplicate));
    status = broadcast_open(&out->broadcast, event, err);
    if (status == BG_OK) {
        status = chess_open(&out->chess, event, source, err);
    }
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

void feed_close(struct feed *feed)
{
    broadcast_close(feed->broadcast);
    feed->broadcast = NULL;
    chess_close(&feed->chess);
    events_close(&feed->events);
    sequential_deinit(&feed->test);
    pairs_deinit(&feed->pairs);
    judged_pairs_deinit(&feed->judged);
    tally_deinit(&feed->counted);
    free(feed->ready);
    feed->ready = NULL;
}

const struct sequential *feed_test(const struct feed *feed)
{
    return feed->testing ? &feed->test : NULL;
}

bool feed_is_decided(const struct feed *feed)
{
    return feed->testing && sequential_is_over(&feed->test);
}

bool feed_needs_judge(const struct feed *feed)
{
    return feed->luck && !feed_is_decided(feed);
}

bool feed_is_ahead(const struct feed *feed, uint64_t begun)
{
    uint64_t tables = (uint64_t)feed->event->concurrency;
    uint64_t lag = 2 * tables > FEED_LAG ? 2 * tables : FEED_LAG;

    return feed_needs_judge(feed) && begun >= feed->judged.judged + lag;
}

/* ---- finished games */

/* Returns the leg after its last game, which has the score. */
static struct pair_leg leg_of(const struct store_game *game)
{
    const struct encounter_game facts = encounter_game_of(game);

    return (struct pair_leg){.points = {game->score_a, game->score_b},
                             .games = (uint32_t)game->game + 1,
                             .state = encounter_leg_after(&facts)};
}

/* Handles a complete pair; in a luck-adjusted test its games are judged too. */
static void test_cluster(struct feed *feed, const struct pairs_cluster *cluster, bool stored)
{
    bool looked = !feed_is_decided(feed) && sequential_put(&feed->test, cluster);

    if (looked && !stored) {
        events_sprt(&feed->events, &feed->test);
    }
}

static const struct pair_leg never_played = {.state = PAIR_OPEN};

static const char *name_of(const struct feed *feed, int bot)
{
    return feed->event->bots[bot].name;
}

/* "A|B|PAIR" */
static void write_pair(char out[BG_GAME_ID], const struct feed *feed, const struct fixture *fixture)
{
    snprintf(out, BG_GAME_ID, "%s|%s|%" PRIu64, name_of(feed, fixture->a),
             name_of(feed, fixture->b), fixture->pair);
}

/* A leg is over, or is never played: this may complete its pair and decide the test. */
static void take_leg(struct feed *feed, const struct fixture *fixture, const struct pair_leg *leg,
                     bool stored)
{
    struct pairs_cluster cluster;
    bool whole = pairs_put(&cluster, &feed->pairs, fixture, leg);
    char pair[BG_GAME_ID];

    if (whole) {
        /* Before the test: a reader hears of the pair before the decision that it brings. */
        events_pair_finished(&feed->events, &cluster, stored);
        chess_pair(&feed->chess, &cluster);
        if (feed->broadcast != NULL && feed->event->duplicate) {
            write_pair(pair, feed, fixture);
            broadcast_stored(feed->broadcast, pair);
        }
    }
    if (feed->luck) {
        whole = judged_pairs_leg(&cluster, &feed->judged, fixture, leg);
    }
    if (whole && feed->testing) {
        test_cluster(feed, &cluster, stored);
    }
}

/* A game is judged: this may complete the judgements of its pair. */
static void take_judged(struct feed *feed, const struct fixture *fixture, int game,
                        const struct judgement *judgement, bool stored)
{
    struct pairs_cluster cluster;

    if (judged_pairs_luck(&cluster, &feed->judged, fixture, game,
                          judgement->luck[0] - judgement->luck[1])) {
        test_cluster(feed, &cluster, stored);
    }
}

static void take_game(struct feed *feed, const struct fixture *fixture,
                      const struct store_game *game, const struct move_times *times, bool stored)
{
    struct pair_leg leg;

    feed->games++;
    events_game_finished(&feed->events, fixture, game, times, stored);
    chess_game(&feed->chess, fixture, game, stored);
    broadcast_stored(feed->broadcast, game->id);
    if (!game->match_over) {
        return;
    }
    if (game->length_points > 0) {
        events_match_finished(&feed->events, fixture, game, stored);
    }
    leg = leg_of(game);
    take_leg(feed, fixture, &leg, stored);
    if (!stored && !feed_is_decided(feed)) { /* from then on only the counted games are reported,
                                              * at the end */
        chess_intervals(&feed->chess, fixture, feed_test(feed));
    }
}

static void on_game(void *user, const struct fixture *fixture, const struct store_game *game,
                    const struct move_times *times)
{
    struct feed *feed = user;

    take_game(feed, fixture, game, times, false);
    if (feed->on_game != NULL) {
        feed->on_game(feed->user, game);
    }
}

void feed_listen(struct feed *feed, feed_game_fn fn, void *user)
{
    feed->on_game = fn;
    feed->user = user;
}

static void on_past_game(void *user, const struct fixture *fixture, const struct store_game *game,
                         const struct move_times *times)
{
    struct feed *feed = user;

    take_game(feed, fixture, game, times, true);
    stream_drain(feed->events.stream, PAST_WAIT_NS);
}

static void on_past_unplayed(void *user, const struct fixture *fixture, const char *bot,
                             const char *why)
{
    struct feed *feed = user;

    events_unplayed(&feed->events, fixture, bot, why, true);
    take_leg(feed, fixture, &never_played, true);
}

static bool is_wanted(const struct feed *feed)
{
    return feed->testing || events_is_open(&feed->events) || chess_is_open(&feed->chess) ||
           feed->on_game != NULL || (feed->broadcast != NULL && feed->event->duplicate);
}

static void on_recalled(void *user, const struct fixture *fixture, int game,
                        const struct judgement *judgement)
{
    take_judged(user, fixture, game, judgement, true);
}

/* Reads the earlier judgements for the test, so that a decided test is recognised before any
 * program is started. */
static enum bg_status recall_judge(struct feed *feed, struct bg_error *err)
{
    struct store *store = ledger_store(feed->ledger);
    enum bg_status status =
        store_meta_text(feed->judge, sizeof feed->judge, store, TEST_JUDGE, err);

    if (status == BG_OK && feed->judge[0] != '\0') {
        status = ledger_past_judged(feed->ledger, feed->judge, on_recalled, feed, err);
    }
    return status;
}

static void on_set_aside(void *user, const struct store_attempt *attempt)
{
    struct feed *feed = user;

    events_set_aside(&feed->events, attempt);
}

static void on_reinstated(void *user, const char *bot, const struct reinstated *act)
{
    struct feed *feed = user;

    events_reinstated(&feed->events, bot, act);
}

enum bg_status feed_begin(struct feed *feed, struct ledger *ledger, const char *command,
                          const char *const *programs, struct bg_error *err)
{
    char digest[BG_KEY_HEX];
    struct events_start start = {.command = command,
                                 .dice_kind = ledger_dice(ledger),
                                 .trust = ledger_trust(ledger),
                                 .dice_digest = digest,
                                 .fixtures = source_total(feed->source),
                                 .settled = ledger_settled(ledger),
                                 .programs = programs};
    enum bg_status status;

    feed->ledger = ledger;
    if (is_wanted(feed) || feed->broadcast != NULL) {
        /* From here on games are kept for feed_take(); their times only where somebody reads them.
         */
        ledger_watch(ledger, events_is_open(&feed->events));
    }
    if (!is_wanted(feed)) {
        return BG_OK;
    }
    ledger_key_digest(digest, ledger);
    start.games = ledger_lock_tally(ledger)->games;
    ledger_unlock_tally(ledger);
    events_started(&feed->events, &start);
    status = store_all_attempts(ledger_store(ledger), on_set_aside, feed, err);
    if (status == BG_OK) {
        status = reinstated_each(ledger_store(ledger), on_reinstated, feed, err);
    }
    if (status == BG_OK) {
        status = ledger_past(ledger, events_is_open(&feed->events), on_past_game, feed, err);
    }
    if (status == BG_OK) {
        status = ledger_past_unplayed(ledger, on_past_unplayed, feed, err);
    }
    if (status == BG_OK && feed->luck) {
        status = recall_judge(feed, err);
    }
    return status;
}

void feed_drawn_anew(struct feed *feed, const struct store_attempt *attempt)
{
    events_set_aside(&feed->events, attempt);
}

static void on_judged(void *user, const struct fixture *fixture, int game,
                      const struct judgement *judgement)
{
    struct feed *feed = user;

    events_judged(&feed->events, fixture, game, judgement, false);
    if (feed->luck) {
        take_judged(feed, fixture, game, judgement, false);
    }
}

static void on_past_judged(void *user, const struct fixture *fixture, int game,
                           const struct judgement *judgement)
{
    struct feed *feed = user;

    events_judged(&feed->events, fixture, game, judgement, true);
    stream_drain(feed->events.stream, PAST_WAIT_NS);
}

/* The first judgement fixes the test's judge: a test with another judge's luck would be a different
 * test. */
static enum bg_status fix_judge(struct feed *feed, const char *judge, struct bg_error *err)
{
    struct store *store = ledger_store(feed->ledger);
    enum bg_status status;

    if (strcmp(feed->judge, judge) == 0) {
        return BG_OK;
    }
    if (feed->judge[0] != '\0') {
        return bg_error_set(
            err, BG_E_CONFIG,
            "judge: these results have a test of luck-adjusted results by '%.200s'; "
            "'%.200s' cannot go on with it, new results can begin with it",
            feed->judge, judge);
    }
    snprintf(feed->judge, sizeof feed->judge, "%s", judge);
    status = store_meta_set(store, TEST_JUDGE, judge, err);
    if (status == BG_OK) {
        status = ledger_past_judged(feed->ledger, judge, on_recalled, feed, err);
    }
    return status;
}

enum bg_status feed_judge(struct feed *feed, const char *judge, struct bg_error *err)
{
    enum bg_status status = feed->luck ? fix_judge(feed, judge, err) : BG_OK;

    if (feed->luck || events_is_open(&feed->events)) {
        ledger_watch_judged(feed->ledger);
    }
    if (status == BG_OK && events_is_open(&feed->events)) {
        status = ledger_past_judged(feed->ledger, judge, on_past_judged, feed, err);
    }
    return status;
}

void feed_take(struct feed *feed)
{
    if (feed->ledger != NULL) {
        ledger_take(feed->ledger, on_game, feed);
        ledger_take_judged(feed->ledger, on_judged, feed); /* after the games that they belong to */
    }
}

/* ---- what else happens */

void feed_ready(struct feed *feed, int bot, int instance, const char *version, const char *options)
{
    bool *was = &feed->ready[(size_t)bot * (size_t)feed->width + (size_t)instance];

    events_bot_ready(&feed->events, bot, instance, version, options, *was);
    *was = true;
}

void feed_fixture(struct feed *feed, const struct fixture *fixture)
{
    chess_started(&feed->chess, fixture);
}

void feed_game(struct feed *feed, const void *table, const struct fixture *fixture, const char *id,
               const struct bg_match *match)
{
    const struct public_game game = {
        .id = id,
        .event = feed->event->name,
        .name = {name_of(feed, fixture_bot(fixture, 0)), name_of(feed, fixture_bot(fixture, 1))},
        .match = *match};
    char pair[BG_GAME_ID];

    events_game_started(&feed->events, fixture, id, match);
    if (feed->broadcast != NULL) {
        write_pair(pair, feed, fixture);
        broadcast_begin(feed->broadcast, table, &game, feed->event->duplicate ? pair : NULL);
    }
}

void feed_fault(struct feed *feed, const struct events_fault *fault)
{
    feed->faults++;
    events_fault(&feed->events, fault);
    chess_fault(&feed->chess, fault->bot, fault->fault, fault->reply);
}

void feed_held(struct feed *feed, const struct events_held *held)
{
    events_held(&feed->events, held);
}

void feed_absent(struct feed *feed, int bot, const char *why)
{
    events_absent(&feed->events, bot, why);
}

void feed_quarantined(struct feed *feed, int bot, int faults, const char *why)
{
    events_quarantined(&feed->events, bot, faults, why);
}

void feed_unplayed(struct feed *feed, const struct fixture *fixture, int bot, const char *why)
{
    events_unplayed(&feed->events, fixture, bot < 0 ? "" : feed->event->bots[bot].name, why, false);
    take_leg(feed, fixture, &never_played, false);
    feed_take(feed);
}

/* ---- how it stands */

static struct events_state event_state(const struct feed *feed)
{
    const struct tally *counted = feed_counted(feed);
    struct events_state state = {.settled = ledger_settled(feed->ledger),
                                 .unplayed = ledger_unplayed(feed->ledger),
                                 .fixtures = source_total(feed->source),
                                 .games = feed->games};

    if (counted != NULL) {
        state.settled = counted->legs + state.unplayed;
        state.games = counted->games;
        state.surplus = feed->games - counted->games;
    }
    return state;
}

enum bg_status feed_count(struct feed *feed, struct bg_error *err)
{
    enum bg_status status;

    if (feed->has_counted || !feed_is_decided(feed)) {
        return BG_OK;
    }
    status = ledger_counted(&feed->counted, feed->ledger, feed->test.test.next, err);
    feed->has_counted = status == BG_OK;
    if (status != BG_OK) {
        tally_deinit(&feed->counted);
    }
    return status;
}

const struct tally *feed_counted(const struct feed *feed)
{
    return feed->has_counted ? &feed->counted : NULL;
}

void feed_pump(struct feed *feed, int64_t now_ns)
{
    stream_pump(feed->events.stream);
    stream_pump(feed->chess.out);
    broadcast_pump(feed->broadcast, now_ns);
    if (now_ns - feed->progress_ns >= PROGRESS_NS) {
        feed->progress_ns = now_ns;
        const struct events_state state = event_state(feed);

        events_progress(&feed->events, &state, feed->faults);
    }
}

uint64_t feed_planned_legs(const struct config_event *event, const struct sequential *decided)
{
    uint64_t pairs = decided == NULL ? event->pairs : decided->test.next;

    return config_event_has_form(event) ? 0 : round_robin_of_pairing(pairs, event->duplicate);
}

enum bg_status feed_standings(struct feed *feed, bool final, struct bg_error *err)
{
    const struct tally *tally;
    struct summary_options options = {
        .rating = RATING_OPTIONS_INIT,
        .planned_legs = feed_planned_legs(feed->event, feed->has_counted ? &feed->test : NULL),
        .final = final,
        .decided = feed->has_counted};
    int *place = NULL;
    enum bg_status status;

    if (!events_is_open(&feed->events)) {
        return BG_OK;
    }
    tally = ledger_lock_tally(feed->ledger);
    tally = feed->has_counted ? &feed->counted : tally;
    status = event_places(&place, source_season(feed->source), tally, err);
    options.place = place;
    if (status == BG_OK) {
        status = events_standings(&feed->events, tally, &options, err);
    }
    free(place);
    ledger_unlock_tally(feed->ledger);
    return status;
}

enum bg_status feed_keep(const struct feed *feed, struct bg_error *err)
{
    struct store *store = ledger_store(feed->ledger);
    enum bg_status status = feed->testing ? sequential_keep(&feed->test, store, err) : BG_OK;

    return status == BG_OK && feed_is_decided(feed)
               ? counted_write(store, feed->test.test.next, err)
               : status;
}

/* Games that the chess lines count again: the counted ones, in the order of the schedule. */
struct recounting {
    struct feed *feed;
    struct pairs pairs;
};

static void recount(void *user, const struct fixture *fixture, const struct store_game *game,
                    const struct move_times *times)
{
    struct recounting *recounting = user;
    struct feed *feed = recounting->feed;
    const struct pair_leg leg = leg_of(game);
    struct pairs_cluster cluster;

    (void)times;
    /* Surplus: it ended after the test's decision. */
    if (fixture->pair >= feed->test.test.next) {
        return;
    }
    chess_game(&feed->chess, fixture, game, true);
    if (game->match_over && pairs_put(&cluster, &recounting->pairs, fixture, &leg)) {
        chess_pair(&feed->chess, &cluster);
    }
}

/* Recounts in the schedule's order, because counts made during play depend on the order in which
 * games ended. */
static enum bg_status recount_chess(struct feed *feed, struct bg_error *err)
{
    struct recounting recounting = {.feed = feed};
    enum bg_status status;

    pairs_init(&recounting.pairs, feed->pairs.legs);
    chess_forget(&feed->chess);
    status = ledger_past(feed->ledger, false, recount, &recounting, err);
    pairs_deinit(&recounting.pairs);
    return status;
}

enum bg_status feed_final(struct feed *feed, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (chess_is_open(&feed->chess) && feed_is_decided(feed)) {
        status = recount_chess(feed, err);
    }
    if (status == BG_OK) {
        chess_final(&feed->chess, feed_test(feed));
    }
    chess_close(&feed->chess);
    return status;
}

/* ---- what the desk changed */

struct changing {
    struct feed *feed;
    const struct feed_change *change;
    struct reinstated last; /* of the bot that is back */
    uint64_t aside_games;   /* in the pairs of the change */
};

/* Reports the last attempt of each changed pair: it has just begun. */
static void report_aside(void *user, const struct store_attempt *attempt)
{
    struct changing *changing = user;

    for (size_t i = 0; i < changing->change->pair_count; i++) {
        const struct game_id *pair = &changing->change->pairs[i];
        char text[BG_GAME_ID];
        struct fixture fixture;

        if (attempt->pair == pair->pair && strcmp(attempt->a, pair->a) == 0 &&
            strcmp(attempt->b, pair->b) == 0) {
            game_id_write_leg(text, pair);
            if (ledger_find(&fixture, changing->feed->ledger, text) &&
                ledger_attempt(changing->feed->ledger, &fixture) == attempt->attempt) {
                events_set_aside(&changing->feed->events, attempt);
                changing->aside_games += attempt->games;
            }
        }
    }
}

static void keep_last(void *user, const char *bot, const struct reinstated *act)
{
    struct changing *changing = user;

    if (strcmp(bot, changing->change->back) == 0) {
        changing->last = *act;
    }
}

static enum bg_status report_change(struct changing *changing, struct bg_error *err)
{
    const struct feed_change *change = changing->change;
    struct feed *feed = changing->feed;
    struct store *store = ledger_store(feed->ledger);
    enum bg_status status = BG_OK;

    if (change->pair_count > 0) {
        status = store_all_attempts(store, report_aside, changing, err);
    }
    for (size_t i = 0; i < change->fixture_count && status == BG_OK; i++) {
        struct fixture fixture;

        if (ledger_find(&fixture, feed->ledger, change->fixtures[i])) {
            events_unplayed(&feed->events, &fixture, change->bot, change->reason, false);
        }
    }
    if (change->back != NULL && status == BG_OK) {
        status = reinstated_each(store, keep_last, changing, err);
        events_reinstated(&feed->events, change->back, &changing->last);
    }
    return status;
}

/* Puts the legs together again, without reporting their pairs a second time. */
static void recount_leg(struct feed *feed, const struct fixture *fixture,
                        const struct pair_leg *leg)
{
    struct pairs_cluster cluster;

    if (pairs_put(&cluster, &feed->pairs, fixture, leg)) {
        chess_pair(&feed->chess, &cluster);
    }
}

static void recount_past(void *user, const struct fixture *fixture, const struct store_game *game,
                         const struct move_times *times)
{
    struct feed *feed = user;
    const struct pair_leg leg = leg_of(game);

    (void)times;
    feed->games++;
    chess_game(&feed->chess, fixture, game, true);
    if (game->match_over) {
        recount_leg(feed, fixture, &leg);
    }
}

static void recount_unplayed(void *user, const struct fixture *fixture, const char *bot,
                             const char *why)
{
    (void)bot;
    (void)why;
    recount_leg(user, fixture, &never_played);
}

static enum bg_status recount_all(struct feed *feed, struct bg_error *err)
{
    enum bg_status status;

    feed->games = 0;
    chess_forget(&feed->chess);
    pairs_deinit(&feed->pairs);
    pairs_init(&feed->pairs, round_robin_legs(feed->event->duplicate));
    status = ledger_past(feed->ledger, false, recount_past, feed, err);
    return status == BG_OK ? ledger_past_unplayed(feed->ledger, recount_unplayed, feed, err)
                           : status;
}

static bool is_set_aside(const struct feed *feed, const struct feed_change *change,
                         const struct fixture *fixture)
{
    for (size_t i = 0; i < change->pair_count; i++) {
        const struct game_id *pair = &change->pairs[i];

        if (pair->pair == fixture->pair &&
            strcmp(pair->a, feed->event->bots[fixture->a].name) == 0 &&
            strcmp(pair->b, feed->event->bots[fixture->b].name) == 0) {
            return true;
        }
    }
    return false;
}

/* Without a look at other pairs. Of a pair that is set aside, the legs that are given up remain. */
static void recount_changed(struct feed *feed, const struct changing *changing)
{
    const struct feed_change *change = changing->change;
    struct fixture leg;

    feed->games -= changing->aside_games;
    for (size_t i = 0; i < change->pair_count; i++) {
        char text[BG_GAME_ID];

        game_id_write_leg(text, &change->pairs[i]);
        if (ledger_find(&leg, feed->ledger, text)) {
            pairs_forget(&feed->pairs, &leg);
            for (leg.leg = 0; leg.leg < 2; leg.leg++) {
                if (ledger_is_given_up(feed->ledger, &leg)) {
                    recount_leg(feed, &leg, &never_played);
                }
            }
        }
    }
    for (size_t i = 0; i < change->fixture_count; i++) {
        if (ledger_find(&leg, feed->ledger, change->fixtures[i]) &&
            !is_set_aside(feed, change, &leg)) {
            recount_leg(feed, &leg, &never_played);
        }
    }
}

/* The chess lines have scores in which no single pair can be found again, and a bot that is back
 * opens fixtures that only the store names: only then are all games counted. */
enum bg_status feed_recount(struct feed *feed, const struct feed_change *change,
                            struct bg_error *err)
{
    struct changing changing = {.feed = feed, .change = change};
    enum bg_status status = BG_OK;

    if (!is_wanted(feed)) {
        return BG_OK;
    }
    status = report_change(&changing, err);
    if (status == BG_OK && !chess_is_open(&feed->chess) && change->back == NULL) {
        recount_changed(feed, &changing);
    } else if (status == BG_OK) {
        status = recount_all(feed, err);
    }
    return status;
}

void feed_end(struct feed *feed, const char *outcome)
{
    if (feed->ledger != NULL) {
        const struct events_state state = event_state(feed);

        events_ended(&feed->events, outcome, &state, feed_test(feed));
    }
    events_close(&feed->events);
}
