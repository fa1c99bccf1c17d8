/* The members of a line are written in their order, the first of which is the mark of the
 * format: stream.c knows a file of events by its first bytes. Texts that come from bots or files
 * pass foreign_json(), because one byte that is not UTF-8 would make jansson refuse the whole
 * line. */
#include "feed_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include <bgref/api.h>

#include <base/memory.h>

#include "sums/summary.h"
#include "base/foreign.h"
#include "document/json_value.h"
#include "numbers/errors.h"
#include "tables/standing.h"

#include "log.h"
#include "loop/loop.h"

/* Longest wait at the end for a reader that still reads. */
#define CLOSE_WAIT_NS INT64_C(2000000000)
/* Longest wait for a slow reader before the first game. */
#define PAST_WAIT_NS INT64_C(10000000000)

enum bg_status events_open(struct events *out, const struct config_event *event,
                           struct bg_error *err)
{
    *out = (struct events){.event = event, .began_ns = loop_now(NULL)};
    return event->events[0] == '\0' ? BG_OK : stream_open(&out->stream, event->events, err);
}

void events_close(struct events *events)
{
    stream_close(events->stream, CLOSE_WAIT_NS);
    events->stream = NULL;
}

/* ---- lines. Without a reader a line is NULL: jansson frees what is set in it, and send drops it.
 */

static void set(json_t *json, const char *key, json_t *value)
{
    json_object_set_new(json, key, value);
}

static json_t *whole(uint64_t x)
{
    return json_integer((json_int_t)x);
}

static json_t *bot_name(const struct events *events, int bot)
{
    return bot < 0 ? json_null() : json_string(events->event->bots[bot].name);
}

static json_t *wall_time(void)
{
    int64_t now_ns = loop_wall();
    time_t seconds = (time_t)(now_ns / 1000000000);
    char day[40], out[64];
    struct tm tm;

    gmtime_r(&seconds, &tm);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(out, sizeof out, "%s.%03dZ", day, (int)(now_ns % 1000000000 / 1000000));
    return json_string(out);
}

/* Sets the members of every line, in this order; NULL if nobody reads the events. The line begins
 * with the mark by which stream.c recognises a file of events. */
static json_t *begin_line(struct events *events, const char *kind)
{
    json_t *json;

    if (!events_is_open(events)) {
        return NULL;
    }
    json = json_object();
    set(json, "schema", json_string("bgref-events"));
    set(json, "version", json_integer(EVENTS_VERSION));
    set(json, "seq", whole(events->lines++));
    set(json, "kind", json_string(kind));
    set(json, "wall", wall_time());
    set(json, "mono_ns", json_integer(loop_now(NULL) - events->began_ns));
    return json;
}

static void send(struct events *events, json_t *json)
{
    char *out;

    if (!events_is_open(events)) {
        return; /* json is NULL too */
    }
    /* 17 digits give every double back as it was. */
    out = json == NULL ? NULL : json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (out == NULL) {
        memory_none(0);
    }
    stream_put(events->stream, out, strlen(out));
    free(out);
    json_decref(json);
}

/* Sets a leg's pair and the bots' seats. */
static void set_fixture(json_t *json, const struct events *events, const struct fixture *fixture)
{
    set(json, "a", bot_name(events, fixture->a));
    set(json, "b", bot_name(events, fixture->b));
    set(json, "pair", whole(fixture->pair));
    set(json, "leg", json_integer(fixture->leg));
}

static void set_seats(json_t *json, const struct events *events, const struct fixture *fixture)
{
    set(json, "seat0", bot_name(events, fixture_bot(fixture, 0)));
    set(json, "seat1", bot_name(events, fixture_bot(fixture, 1)));
}

static json_t *both(json_t *a, json_t *b)
{
    return json_pack("{s:o, s:o}", "a", a, "b", b);
}

/* ---- the run */

static void put_setting(void *user, const char *key, const char *value)
{
    /* They have a list of their own, with their programs. */
    if (strcmp(key, "bots") != 0) {
        set(user, key, foreign_json(value));
    }
}

static json_t *bots(const struct events *events, const char *const *programs)
{
    json_t *list = json_array();

    for (int i = 0; i < events->event->bot_count; i++) {
        json_array_append_new(list, json_pack("{s:o, s:o}", "bot", bot_name(events, i), "program",
                                              foreign_json(programs[i])));
    }
    return list;
}

/* As text: the value may exceed the numbers of many JSON readers. */
static json_t *seed_of(const struct config_event *event)
{
    char seed[32];

    snprintf(seed, sizeof seed, "%" PRIu64, event->seed);
    return event->has_seed ? json_string(seed) : json_null();
}

void events_started(struct events *events, const struct events_start *start)
{
    const struct config_event *event = events->event;
    json_t *json, *settings;

    if (!events_is_open(events)) {
        return;
    }
    json = begin_line(events, "event_started");
    settings = json_object();
    set(json, "bgref", json_string(BG_VERSION));
    set(json, "event", foreign_json(event->name));
    set(json, "command", foreign_json(start->command));
    set(json, "results", foreign_json(event->results));
    set(json, "length", json_integer(event->rules.length_points));
    set(json, "duplicate", json_boolean(event->duplicate));
    set(json, "pairs", whole(event->pairs));
    set(json, "dice",
        json_pack("{s:s, s:s, s:o}", "kind", start->dice_kind, "digest", start->dice_digest, "seed",
                  seed_of(event)));
    config_event_each(event, put_setting, settings);
    put_setting(settings, "trust", start->trust);
    set(json, "trust", json_string(start->trust));
    set(json, "settings", settings);
    set(json, "bots", bots(events, start->programs));
    set(json, "fixtures", whole(start->fixtures));
    set(json, "settled_before", whole(start->settled));
    set(json, "games_before", whole(start->games));
    send(events, json);
}

void events_bot_ready(struct events *events, int bot, int instance, const char *version,
                      const char *options, bool again)
{
    json_t *json = begin_line(events, again ? "bot_restarted" : "bot_ready");

    set(json, "bot", bot_name(events, bot));
    set(json, "instance", json_integer(instance));
    set(json, "bot_version", foreign_json(version));
    set(json, "options", foreign_json(options));
    send(events, json);
}

/* ---- games */

void events_game_started(struct events *events, const struct fixture *fixture, const char *id,
                         const struct bg_match *match)
{
    int seat_a = game_id_seat_of(fixture->leg, 0), seat_b = game_id_seat_of(fixture->leg, 1);
    json_t *json = begin_line(events, "game_started");

    set(json, "id", foreign_json(id));
    set_fixture(json, events, fixture);
    set(json, "game", json_integer(match->game));
    set_seats(json, events, fixture);
    set(json, "variant", json_string(bg_variant_id(match->rules.variant)));
    set(json, "score",
        both(json_integer(match->score[seat_a]), json_integer(match->score[seat_b])));
    send(events, json);
}

static const char *outcome_of(const struct store_game *game)
{
    static const char *const names[] = {"drawn", "single", "gammon", "backgammon"};

    return names[game->winner < 0 || game->level < 0 || game->level > 3 ? 0 : game->level];
}

static int winner_of(const struct fixture *fixture, int winner)
{
    return winner < 0 ? -1 : winner == 0 ? fixture->a : fixture->b;
}

void events_game_finished(struct events *events, const struct fixture *fixture,
                          const struct store_game *game, const struct move_times *times,
                          bool stored)
{
    bool fault = game->end == BG_END_FAULT;
    int culprit = !fault || game->winner < 0 ? -1 : game->winner == 0 ? fixture->b : fixture->a;
    int seat_a = game_id_seat_of(fixture->leg, 0), seat_b = game_id_seat_of(fixture->leg, 1);
    json_t *json = begin_line(events, "game_finished");

    set(json, "id", foreign_json(game->id));
    set_fixture(json, events, fixture);
    set(json, "game", json_integer(game->game));
    set_seats(json, events, fixture);
    set(json, "length", json_integer(game->length_points));
    set(json, "winner", bot_name(events, winner_of(fixture, game->winner)));
    set(json, "points", json_integer(game->points));
    set(json, "outcome", json_string(outcome_of(game)));
    set(json, "cause", json_string(bg_end_name(game->end)));
    set(json, "fault", fault ? json_string(bg_fault_name(game->fault)) : json_null());
    set(json, "culprit", bot_name(events, culprit));
    set(json, "plies", json_integer(game->turns));
    set(json, "score", both(json_integer(game->score_a), json_integer(game->score_b)));
    set(json, "match_over", json_boolean(game->match_over));
    set(json, "decisions", both(whole(times->decisions[seat_a]), whole(times->decisions[seat_b])));
    set(json, "thought_ns",
        both(json_integer(times->spent_ns[seat_a]), json_integer(times->spent_ns[seat_b])));
    set(json, "left_ns", both(json_integer(game->left_ns[0]), json_integer(game->left_ns[1])));
    set(json, "hash", foreign_json(game->hash));
    set(json, "stored", json_boolean(stored));
    send(events, json);
}

/* A judge's results for a game, by bot. */
struct judged_totals {
    int rolls[2];
    struct errors_sum errors[2];
};

static void judged_sum(struct judged_totals *sums, const struct judgement *judgement)
{
    *sums = (struct judged_totals){.rolls = {0, 0}};
    for (size_t i = 0; i < judgement->rolls; i++) {
        sums->rolls[judgement->roll[i].bot]++;
    }
    for (size_t i = 0; i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];

        errors_count(&sums->errors[choice->bot], choice->kind == JUDGED_PLAY, choice->counted,
                     choice->error);
    }
}

void events_judged(struct events *events, const struct fixture *fixture, int game,
                   const struct judgement *judgement, bool stored)
{
    json_t *json = begin_line(events, "judged");
    struct judged_totals sums;

    judged_sum(&sums, judgement);
    set(json, "id", foreign_json(judgement->game_id));
    set_fixture(json, events, fixture);
    set(json, "game", json_integer(game));
    set(json, "judge", foreign_json(judgement->judge));
    set(json, "luck", both(json_real(judgement->luck[0]), json_real(judgement->luck[1])));
    set(json, "rolls", both(json_integer(sums.rolls[0]), json_integer(sums.rolls[1])));
    set(json, "decisions",
        judgement->has_choices
            ? both(whole((uint64_t)sums.errors[0].counted), whole((uint64_t)sums.errors[1].counted))
            : json_null());
    set(json, "error",
        judgement->has_choices
            ? both(json_real(sums.errors[0].error), json_real(sums.errors[1].error))
            : json_null());
    set(json, "cpu_ns", judgement->cpu_ns < 0 ? json_null() : json_integer(judgement->cpu_ns));
    set(json, "stored", json_boolean(stored));
    send(events, json);
}

void events_match_finished(struct events *events, const struct fixture *fixture,
                           const struct store_game *last, bool stored)
{
    json_t *json = begin_line(events, "match_finished");

    set_fixture(json, events, fixture);
    set_seats(json, events, fixture);
    set(json, "length", json_integer(last->length_points));
    set(json, "games", json_integer(last->game + 1));
    set(json, "winner", bot_name(events, winner_of(fixture, last->match_winner)));
    set(json, "score", both(json_integer(last->score_a), json_integer(last->score_b)));
    set(json, "stored", json_boolean(stored));
    send(events, json);
}

void events_pair_finished(struct events *events, const struct pairs_cluster *pair, bool stored)
{
    const struct pair_sum sum = pair_sum_of(&pair->pair);
    json_t *json;

    if (!events_is_open(events) || pairs_is_broken(pair)) {
        return;
    }
    json = begin_line(events, "pair_finished");
    set(json, "a", bot_name(events, pair->fixture.a));
    set(json, "b", bot_name(events, pair->fixture.b));
    set(json, "pair", whole(pair->fixture.pair));
    set(json, "legs", json_integer(pair->legs));
    set(json, "games", json_integer(sum.games));
    set(json, "points_a", json_integer(sum.net));
    set(json, "wins_a", json_real(pair_half_wins(&sum) / 2.0));
    set(json, "stored", json_boolean(stored));
    send(events, json);
}

/* ---- what bots do wrong */

void events_fault(struct events *events, const struct events_fault *fault)
{
    json_t *json = begin_line(events, "fault");

    set(json, "bot", bot_name(events, fault->bot));
    set(json, "fault", json_string(bg_fault_name(fault->fault)));
    set(json, "game", foreign_json(fault->game_id));
    set(json, "rule",
        fault->rule == NULL || fault->rule[0] == '\0' ? json_null() : foreign_json(fault->rule));
    set(json, "reply",
        fault->reply == NULL || fault->reply[0] == '\0' ? json_null() : foreign_json(fault->reply));
    set(json, "story", foreign_json(fault->message));
    set(json, "faults", json_integer(fault->count));
    send(events, json);
}

void events_held(struct events *events, const struct events_held *held)
{
    json_t *json = begin_line(events, "held"), *sees = json_object();
    char digits[16];

    for (int seat = 0; seat < 2; seat++) {
        snprintf(digits, sizeof digits, "%" PRIu32, held->said[seat]);
        set(sees, events->event->bots[held->bot[seat]].name, json_string(digits));
    }
    set(json, "game", foreign_json(held->game_id));
    set(json, "sees", sees);
    send(events, json);
}

void events_absent(struct events *events, int bot, const char *why)
{
    json_t *json = begin_line(events, "absent");

    set(json, "bot", bot_name(events, bot));
    set(json, "why", foreign_json(why));
    send(events, json);
}

void events_quarantined(struct events *events, int bot, int faults, const char *why)
{
    json_t *json = begin_line(events, "quarantined");

    set(json, "bot", bot_name(events, bot));
    set(json, "faults", json_integer(faults));
    set(json, "why", foreign_json(why));
    send(events, json);
}

void events_unplayed(struct events *events, const struct fixture *fixture, const char *bot,
                     const char *why, bool stored)
{
    json_t *json = begin_line(events, "unplayed");

    set_fixture(json, events, fixture);
    set(json, "bot", foreign_json(bot));
    set(json, "why", foreign_json(why));
    set(json, "stored", json_boolean(stored));
    send(events, json);
}

/* ---- how it stands */

static json_t *test_of(const struct sequential *sequential)
{
    const struct sprt *test = &sequential->test;
    const struct config_sprt *sprt = &sequential->event->sprt;

    return json_pack("{s:s, s:o, s:[f, f], s:f, s:f, s:s, s:s, s:s, s:o, s:o, s:o}", "state",
                     sprt_state_name(test->state), "llr", json_of(test->llr), "bounds",
                     test->bounds.lower, test->bounds.upper, "h0", sprt->h0, "h1", sprt->h1, "unit",
                     sequential_unit(sequential), "model", sequential_model(sequential),
                     "statistic", sprt->luck ? "luck" : "plain", "clusters", whole(test->clusters),
                     "mean", json_of(test->mean), "variance", json_of(sprt_variance(test)));
}

void events_set_aside(struct events *events, const struct store_attempt *attempt)
{
    json_t *json = begin_line(events, "set_aside");

    set(json, "a", foreign_json(attempt->a));
    set(json, "b", foreign_json(attempt->b));
    set(json, "pair", whole(attempt->pair));
    set(json, "attempt", whole(attempt->attempt));
    set(json, "games", whole(attempt->games));
    set(json, "reason", foreign_json(attempt->reason));
    set(json, "at", foreign_json(attempt->at));
    send(events, json);
}

void events_reinstated(struct events *events, const char *bot, const struct reinstated *act)
{
    json_t *json = begin_line(events, "reinstated");

    set(json, "bot", foreign_json(bot));
    set(json, "fixtures", whole(act->fixtures));
    set(json, "reason", foreign_json(act->reason));
    set(json, "at", foreign_json(act->at));
    send(events, json);
}

void events_sprt(struct events *events, const struct sequential *sequential)
{
    json_t *json = begin_line(events, "sprt"), *test = test_of(sequential);

    set(json, "bot", bot_name(events, 0));
    set(json, "opponent", bot_name(events, 1));
    json_object_update_missing(json, test);
    json_decref(test);
    send(events, json);
}

static void set_state(json_t *json, const struct events_state *state)
{
    set(json, "settled", whole(state->settled));
    set(json, "unplayed", whole(state->unplayed));
    set(json, "fixtures", whole(state->fixtures));
    set(json, "games", whole(state->games));
    set(json, "surplus", whole(state->surplus));
}

void events_progress(struct events *events, const struct events_state *state, uint64_t faults)
{
    json_t *json = begin_line(events, "progress");

    set_state(json, state);
    set(json, "faults", whole(faults));
    send(events, json);
}

enum bg_status events_standings(struct events *events, const struct tally *tally,
                                const struct summary_options *options, struct bg_error *err)
{
    struct summary summary;
    enum bg_status status;
    json_t *json;

    if (!events_is_open(events)) {
        return BG_OK;
    }
    status = summary_of(&summary, tally, options, err);
    if (status != BG_OK) {
        return status;
    }
    json = begin_line(events, "standings");
    set(json, "final", json_boolean(options->final));
    set(json, "standings", standing_json_rows(&summary));
    set(json, "model", standing_json_model(&summary));
    send(events, json);
    summary_deinit(&summary);
    return BG_OK;
}

void events_ended(struct events *events, const char *outcome, const struct events_state *state,
                  const struct sequential *sequential)
{
    json_t *json = begin_line(events, "event_ended");

    set(json, "outcome", json_string(outcome));
    set_state(json, state);
    set(json, "sprt", sequential == NULL ? json_null() : test_of(sequential));
    send(events, json);
}
