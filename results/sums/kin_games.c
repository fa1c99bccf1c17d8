/* Millions of decisions are compared, so each is kept as two digests of fixed size and numbered
 * by sorting; the words of a choice are made again from its game when they are printed, which
 * few are. */
#include "kin_games.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include <base/memory.h>
#include <record/game_id.h>

#include "judged_sums.h"

/* A judge's errors of one game. */
struct judged_game {
    char *id;                     /* owned */
    struct judged_choice *choice; /* owned */
    size_t choices;
};

struct kin_games_reading {
    struct kin_games *out;
    const struct circuit *circuit;
    int event;
    struct kin_raw *raw; /* owned; by choice */
    size_t raw_room;
    struct judged_game *judged; /* owned; of this event, in the order of its games */
    size_t judged_count, judged_room, judged_at;
};

/* ------------------------------------------------------------------------ the numbers */

void kin_raw_of(struct kin_raw *out, const char *key, const char *choice)
{
    crypto_generichash(out->key, sizeof out->key, (const unsigned char *)key, strlen(key), NULL, 0);
    crypto_generichash(out->choice, sizeof out->choice, (const unsigned char *)choice,
                       strlen(choice), NULL, 0);
}

struct numbered {
    const struct kin_raw *raw;
    size_t at;
};

/* The place decides at last, so that equal choices keep the order of their games. */
static int compare_raw(const void *left, const void *right)
{
    const struct numbered *a = left, *b = right;
    int order = memcmp(a->raw, b->raw, sizeof *a->raw);

    return order != 0 ? order : a->at < b->at ? -1 : 1;
}

void kin_number(struct kin_choice *choices, const struct kin_raw *raw, size_t count)
{
    struct numbered *list = memory_zeroed(count, sizeof *list);
    int position = 0;
    size_t end;

    for (size_t i = 0; i < count; i++) {
        list[i] = (struct numbered){&raw[i], i};
    }
    qsort(list, count, sizeof *list, compare_raw);
    for (size_t i = 0; i < count; i = end, position++) {
        int choice = 0, cluster = choices[list[i].at].cluster;

        for (end = i; end < count &&
                      memcmp(list[end].raw->key, list[i].raw->key, sizeof list[i].raw->key) == 0;
             end++) {
            int own = choices[list[end].at].cluster;

            choice += end > i && memcmp(list[end].raw->choice, list[end - 1].raw->choice,
                                        sizeof list[end].raw->choice) != 0;
            choices[list[end].at].position = position;
            choices[list[end].at].choice = choice;
            cluster = own < cluster ? own : cluster;
        }
        for (size_t k = i; k < end; k++) {
            choices[list[k].at].cluster = cluster;
        }
    }
    free(list);
}

/* ----------------------------------------------------------------------- the judge */

static bool take_judgement(void *user, const struct store_game *game,
                           const struct judgement *judgement)
{
    struct kin_games_reading *reading = user;
    struct judged_game *judged;

    if (!judgement->has_choices || strcmp(judgement->hash, game->hash) != 0) {
        return true;
    }
    reading->judged = memory_list(reading->judged, &reading->judged_room, reading->judged_count + 1,
                                  sizeof *judged);
    judged = &reading->judged[reading->judged_count++];
    *judged =
        (struct judged_game){.id = memory_text(game->id),
                             .choice = memory_zeroed(judgement->choices, sizeof *judged->choice),
                             .choices = judgement->choices};
    if (judgement->choices > 0) {
        memcpy(judged->choice, judgement->choice, judgement->choices * sizeof *judged->choice);
    }
    return true;
}

static void forget_judged(struct kin_games_reading *reading)
{
    for (size_t i = 0; i < reading->judged_count; i++) {
        free(reading->judged[i].id);
        free(reading->judged[i].choice);
    }
    reading->judged_count = reading->judged_at = 0;
}

static enum bg_status choose_judge(struct kin_games *out, const struct circuit *circuit,
                                   const char *wanted, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < circuit->events && status == BG_OK && out->judge == NULL; i++) {
        struct judged_sums sums = {0};

        status = judged_sums_read(&sums, circuit->event[i].results.store, NULL, wanted, err);
        if (status == BG_OK && sums.judge != NULL && sums.choices) {
            out->judge = memory_text(sums.judge);
        }
        judged_sums_deinit(&sums);
    }
    return status;
}

/* The judged choices of a game; NULL: not judged. Games come in the order of the judgements. */
static const struct judged_game *judged_of(struct kin_games_reading *reading, const char *id)
{
    size_t at = reading->judged_at;

    if (at < reading->judged_count && strcmp(reading->judged[at].id, id) == 0) {
        reading->judged_at++;
        return &reading->judged[at];
    }
    return NULL;
}

static double error_at(const struct judged_game *judged, int step)
{
    for (size_t i = 0; judged != NULL && i < judged->choices; i++) {
        if (judged->choice[i].step == step) {
            return judged->choice[i].error;
        }
    }
    return NAN;
}

/* ------------------------------------------------------------------------ the games */

static void add_choice(struct kin_games_reading *reading, const char *key, const char *choice,
                       const struct kin_choice *values, int step)
{
    struct kin_games *out = reading->out;
    size_t room = out->room;

    out->choice = memory_list(out->choice, &room, out->count + 1, sizeof *out->choice);
    out->site = memory_list(out->site, &out->room, out->count + 1, sizeof *out->site);
    reading->raw =
        memory_list(reading->raw, &reading->raw_room, out->count + 1, sizeof *reading->raw);
    out->choice[out->count] = *values;
    out->site[out->count] = (struct kin_site){values->cluster, step};
    kin_raw_of(&reading->raw[out->count], key, choice);
    out->count++;
}

/* Replays a record and adds its decisions. A record that cannot be replayed ends there. */
static void add_steps(struct kin_games_reading *reading, const struct store_game *game,
                      const struct judged_game *judged, const struct record_view *view,
                      const int bot[2])
{
    struct bg_match match;
    int steps = record_view_steps(view);

    if (record_view_start(&match, view, NULL) != BG_OK) {
        return;
    }
    for (int i = 0; i < steps; i++) {
        char key[DECISION_KEY], choice[DECISION_CHOICE];
        struct bg_step step;
        int64_t spent_ns;

        record_view_step(&step, &spent_ns, view, i);
        if (decision_choice(choice, &match, &step) && decision_key(key, &match)) {
            struct kin_choice values = {
                .bot = bot[game_id_bot_at(game->leg, match.need.seat)],
                .cluster = (int)reading->out->games - 1,
                .error = error_at(judged, i),
            };

            add_choice(reading, key, choice, &values, i);
        }
        if (bg_match_step(&match, &step) != BG_RULE_NONE) {
            break;
        }
    }
}

static bool take_kin_game(void *user, const struct store_game *game)
{
    struct kin_games_reading *reading = user;
    struct kin_games *out = reading->out;
    const struct circuit_event *event = &reading->circuit->event[reading->event];
    int bot[2] = {tally_find(&event->results.tally, game->a),
                  tally_find(&event->results.tally, game->b)};
    const struct judged_game *judged = judged_of(reading, game->id);
    struct record_view *view = NULL;

    if (bot[0] < 0 || bot[1] < 0) {
        return true;
    }
    bot[0] = event->competitor[bot[0]];
    bot[1] = event->competitor[bot[1]];
    out->game = memory_list(out->game, &out->game_room, out->games + 1, sizeof *out->game);
    out->game[out->games++] = (struct kin_game){memory_text(game->id), reading->event};
    if (record_read(&view, game->text, game->text_size, NULL) == BG_OK) {
        add_steps(reading, game, judged, view, bot);
    }
    record_view_destroy(view);
    return true;
}

static enum bg_status read_event(struct kin_games_reading *reading, struct bg_error *err)
{
    struct store *store = reading->circuit->event[reading->event].results.store;
    enum bg_status status = store->ops->snapshot(store, true, err);

    if (status == BG_OK && reading->out->judge != NULL) {
        status = store_each_judgement(store, reading->out->judge, take_judgement, reading, err);
    }
    if (status == BG_OK) {
        status = store_all_games(store, true, take_kin_game, reading, err);
    }
    /* Ends also after a failure, which has its own message. */
    (void)store->ops->snapshot(store, false, NULL);
    forget_judged(reading);
    return status;
}

enum bg_status kin_games_read(struct kin_games *out, const struct circuit *circuit,
                              const char *judge, struct bg_error *err)
{
    struct kin_games_reading reading = {.out = out, .circuit = circuit};
    enum bg_status status;

    *out = (struct kin_games){.judge = NULL};
    status = choose_judge(out, circuit, judge, err);
    for (int i = 0; i < circuit->events && status == BG_OK; i++) {
        reading.event = i;
        status = read_event(&reading, err);
    }
    if (status == BG_OK) {
        kin_number(out->choice, reading.raw, out->count);
    }
    free(reading.raw);
    free(reading.judged);
    if (status != BG_OK) {
        kin_games_deinit(out);
    }
    return status;
}

void kin_games_deinit(struct kin_games *games)
{
    for (size_t i = 0; i < games->games; i++) {
        free(games->game[i].id);
    }
    free(games->game);
    free(games->choice);
    free(games->site);
    free(games->judge);
    *games = (struct kin_games){.judge = NULL};
}

/* ------------------------------------------------------------------------- in words */

struct kin_games_looking {
    const char *id;
    int step;
    char *key, *words;
};

static bool look_for_steps(void *user, const struct store_game *game)
{
    struct kin_games_looking *looking = user;
    struct record_view *view = NULL;
    struct bg_match match;
    struct bg_step step;

    if (strcmp(game->id, looking->id) != 0) {
        return true;
    }
    if (record_read(&view, game->text, game->text_size, NULL) == BG_OK &&
        decision_find(&match, &step, view, looking->step) && decision_key(looking->key, &match)) {
        decision_words(looking->words, &match, &step);
    }
    record_view_destroy(view);
    return false;
}

enum bg_status kin_games_words(char key[DECISION_KEY], char words[DECISION_WORDS],
                               const struct kin_games *games, const struct circuit *circuit,
                               size_t choice, struct bg_error *err)
{
    const struct kin_game *game = &games->game[games->site[choice].game];
    struct kin_games_looking looking = {game->id, games->site[choice].step, key, words};
    struct store *store = circuit->event[game->event].results.store;
    struct game_id id;

    snprintf(key, DECISION_KEY, "-");
    snprintf(words, DECISION_WORDS, "-");
    return game_id_read(&id, game->id)
               ? store_leg_games(store, id.a, id.b, id.pair, id.leg, look_for_steps, &looking, err)
               : BG_OK;
}
