/* The printed form of any event: no invalid number, no impossible interval, no certainty, and all
 * forms agree. Random events: empty, one game, all drawn, all won, a bot that is absent, single
 * legs, several lengths of field. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <tables/adjusted_text.h>
#include <sums/results_set.h>
#include <tables/event_table.h>
#include <tables/judged_text.h>
#include <tables/plan_text.h>
#include <report/report.h>

#include "../support/random_match.h"
#include "../support/results_folder.h"

#include "support/suite.h"

/* --- random events ------------------------------------------------------------------------ */

/* The ends of games, in tenths: draws, wins of the first bot, wins of the second. */
struct kind {
    const char *name;
    int drawn, first; /* of ten games */
    int holes;        /* of ten legs are not played */
    bool absent;      /* the last bot plays nothing */
};

static const struct kind kinds[] = {
    {"even", 0, 5, 0, false},      {"all drawn", 10, 0, 0, false}, {"all won", 0, 10, 0, false},
    {"none won", 0, 0, 0, false},  {"some drawn", 3, 4, 0, false}, {"legs missing", 2, 5, 4, false},
    {"one absent", 0, 6, 0, true}, {"mostly won", 0, 9, 0, false},
};

static const struct {
    int bots, pairs;
} sizes[] = {{2, 0}, {2, 1}, {2, 2}, {2, 10}, {3, 1}, {3, 5}, {4, 12}, {2, 40}};

enum { KINDS = sizeof kinds / sizeof kinds[0], SIZES = sizeof sizes / sizeof sizes[0] };

static struct store_game *make_game(int a, int b, int pair, int leg, int length,
                                    const struct kind *kind, struct chance *chance)
{
    struct store_game *game = calloc(1, sizeof *game);
    int toss = chance_below(chance, 10);
    char names[2][8], id[64];

    snprintf(names[0], sizeof names[0], "bot%d", a);
    snprintf(names[1], sizeof names[1], "bot%d", b);
    snprintf(id, sizeof id, "%s|%s|%d|%d|0", names[0], names[1], pair, leg);
    *game = (struct store_game){
        .id = strdup(id),
        .a = strdup(names[0]),
        .b = strdup(names[1]),
        .pair = (uint64_t)pair,
        .leg = leg,
        .length_points = length,
        .winner = toss < kind->drawn                 ? -1
                  : toss < kind->drawn + kind->first ? 0
                                                     : 1,
        .turns = 30,
        .match_over = true,
        .text = strdup("record"),
        .text_size = 6,
        .end = toss < kind->drawn ? BG_END_CAP : BG_END_OFF,
    };
    if (game->winner >= 0) {
        game->level = 1 + chance_below(chance, 3);
        game->points = game->level << chance_below(chance, 3);
    }
    game->match_winner = game->winner;
    snprintf(game->hash, sizeof game->hash, "%064d", 1);
    return game;
}

/* A judge with much luck to find, so that adjusted results leave the range 0 to 1. */
static struct judgement *make_judgement(const struct store_game *game, struct chance *chance)
{
    struct judgement *judgement = calloc(1, sizeof *judgement);

    judgement->game_id = strdup(game->id);
    judgement->judge = strdup("judge 1");
    judgement->hash = strdup(game->hash);
    judgement->cpu_ns = -1;
    for (int bot = 0; bot < 2; bot++) {
        judgement->luck[bot] = (chance_below(chance, 2000) - 1000) / 1000.0;
    }
    return judgement;
}

static void put_settings(struct store *store, int bots, int pairs, int length)
{
    char text[64] = "";

    for (int i = bots; i-- > 0;) { /* entered in an order other than that of the names */
        snprintf(text + strlen(text), sizeof text - strlen(text), "bot%d ", i);
    }
    ck_assert_int_eq(store_meta_set(store, "event.bots", text, NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "event.event", "printed", NULL), BG_OK);
    snprintf(text, sizeof text, "%d", pairs);
    ck_assert_int_eq(store_meta_set(store, "event.pairs", text, NULL), BG_OK);
    snprintf(text, sizeof text, "%d", length);
    ck_assert_int_eq(store_meta_set(store, "event.length", length == 0 ? "money" : text, NULL),
                     BG_OK);
}

static void make_event(int bots, int pairs, int length, const struct kind *kind, unsigned seed)
{
    struct chance chance = {seed + 1};
    struct store *store = NULL;
    int playing = bots - (kind->absent && bots > 2 ? 1 : 0);

    ck_assert_int_eq(store_sqlite_open(&store, path, NULL), BG_OK);
    put_settings(store, bots, pairs, length);
    for (int a = 0; a < playing; a++) {
        for (int b = a + 1; b < playing; b++) {
            for (int leg = 0; leg < 2 * pairs; leg++) {
                if (chance_below(&chance, 10) >= kind->holes) {
                    struct store_game *game =
                        make_game(a, b, leg / 2, leg % 2, length, kind, &chance);
                    struct judgement *judgement = make_judgement(game, &chance);

                    ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
                    ck_assert_int_eq(store_put_judgement(store, judgement, NULL), BG_OK);
                }
            }
        }
    }
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    store_destroy(store);
}

/* --- printing ----------------------------------------------------------------------------- */

/* A word such as nan or inf, within any text. */
static bool has_no_number(const char *text)
{
    static const char *const words[] = {"nan", "inf", "NaN", "Infinity"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (const char *at = strstr(text, words[i]); at != NULL; at = strstr(at + 1, words[i])) {
            char before = at == text ? ' ' : at[-1], after = at[strlen(words[i])];

            if (strchr(" (<>=:[,+-\"", before) != NULL && strchr(" )<>=:],%\"\n", after) != NULL) {
                return true;
            }
        }
    }
    return false;
}

static void check_text(const char *what, const char *text)
{
    ck_assert_msg(!has_no_number(text), "%s has a number that is none:\n%s", what, text);
    ck_assert_msg(strstr(text, "\u00b1 0.000 ") == NULL && strstr(text, "\u00b10.000") == NULL,
                  "%s has an interval without width:\n%s", what, text);
    ck_assert_msg(strstr(text, "LOS 100.0") == NULL && strstr(text, "LOS 0.0") == NULL,
                  "%s claims certainty:\n%s", what, text);
}

/* A member that is a number or null; NaN null. */
static double number_at(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    ck_assert_msg(value != NULL, "no member %s", key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void check_standing(const json_t *row, bool money)
{
    double legs = number_at(row, "legs"), share = number_at(row, "won_percent");
    double low = number_at(row, "won_percent_low"), high = number_at(row, "won_percent_high");

    ck_assert_double_eq(number_at(row, "won") + number_at(row, "lost") + number_at(row, "drawn"),
                        legs);
    ck_assert(isnan(share) == (legs == 0));
    if (legs > 0) {
        double wins = number_at(row, "won") + 0.5 * number_at(row, "drawn");

        ck_assert_double_eq_tol(share, 100 * wins / legs, 1e-9);
    }
    if (!money && legs > 0) {
        ck_assert_msg(low >= 0 && high <= 100 && low <= share + 1e-9 && high >= share - 1e-9 &&
                          high > low,
                      "%g in %g to %g", share, low, high);
    }
    ck_assert(!(number_at(row, "ppg_bar") <= 0));
    ck_assert(!(number_at(row, "best_percent") < 0 || number_at(row, "best_percent") > 100));
}

static void check_encounter(const json_t *row, bool money)
{
    const json_t *counts = json_object_get(row, "pairs");
    double pairs = 0, wins = 0, los = number_at(row, "los");
    double low = number_at(row, "won_percent_low"), high = number_at(row, "won_percent_high");

    ck_assert_uint_eq(json_array_size(counts), 5);
    for (size_t i = 0; i < 5; i++) {
        pairs += json_number_value(json_array_get(counts, i));
        wins += 0.5 * (double)i * json_number_value(json_array_get(counts, i));
    }
    ck_assert(!(los < 0 || los > 1));
    /* without missing legs all are in pairs */
    if (2 * pairs == number_at(row, "won") + number_at(row, "lost") + number_at(row, "drawn")) {
        ck_assert_double_eq(wins, number_at(row, "won") + 0.5 * number_at(row, "drawn"));
    }
    ck_assert(money == isnan(low));
    if (!money) {
        ck_assert(low >= 0 && high <= 100);
    }
}

/* Writes one form into memory. */
struct form {
    char *text;
    size_t size;
    FILE *out;
};

static FILE *form_begin(struct form *form)
{
    *form = (struct form){NULL, 0, NULL};
    form->out = open_memstream(&form->text, &form->size);
    return form->out;
}

static json_t *form_json(struct form *form, const char *what)
{
    json_t *json;

    fclose(form->out);
    check_text(what, form->text);
    json = json_loads(form->text, 0, NULL);
    ck_assert_msg(json != NULL, "%s is no JSON: %s", what, form->text);
    free(form->text);
    return json;
}

static void form_text(struct form *form, const char *what)
{
    fclose(form->out);
    check_text(what, form->text);
    free(form->text);
}

/* A share of 10,000 draws, in percent. */
static void check_best(const json_t *row)
{
    double best = number_at(row, "best_percent");

    ck_assert_msg(isnan(best) || best == round(100 * best) / 100, "%.17g", best);
}

static void check_rate(const struct event_results *results)
{
    struct report_options options = event_results_options(results);
    struct form form;
    json_t *json, *row;
    struct legs legs;
    size_t i;

    assert_ok(event_results_legs(&legs, results, true, &error));
    options.legs = &legs;
    options.bootstrap = 100;
    assert_ok(report_table(form_begin(&form), &results->tally, &options, &error));
    form_text(&form, "rate");
    assert_ok(report_json_table(form_begin(&form), &results->tally, &options, &error));
    json = form_json(&form, "rate --json");
    json_array_foreach(json_object_get(json, "standings"), i, row)
    {
        check_standing(row, results->tally.length_points == 0);
        check_best(row);
    }
    json_array_foreach(json_object_get(json, "encounters"), i, row)
    {
        check_encounter(row, results->tally.length_points == 0);
    }
    json_decref(json);
    for (int a = 0; a < results->tally.bots; a++) {
        for (int b = 0; b < results->tally.bots; b++) {
            if (a != b) {
                assert_ok(report_duel(form_begin(&form), &results->tally, a, b, &options, &error));
                form_text(&form, "duel");
            }
        }
    }
    legs_deinit(&legs);
}

/* A chance to win as shown: null, or within 0 to 1. */
static void check_chance(const json_t *row, const char *key)
{
    double chance = number_at(row, key);

    ck_assert_msg(!(chance < 0 || chance > 1), "%s %g", key, chance);
}

/* Every line "A vs B" names first the bot that was entered first, and in match play every chance of
 * a line is a probability. */
static void check_judged_text(const char *text, const struct tally *tally)
{
    char line[256], first[64], second[64];

    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        double mean, low = 0, high = 1;
        int found = 0;

        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        if (sscanf(line, "%63s vs %63s ", first, second) == 2) {
            ck_assert_int_lt(tally_find(tally, first), tally_find(tally, second));
        } else if (tally->length_points > 0 &&
                   (strncmp(line, "  PLAIN", 7) == 0 || strncmp(line, "  ADJUSTED", 10) == 0)) {
            found =
                sscanf(line, " %*s %lf MWC a match SE %*s 95 %% %lf to %lf", &mean, &low, &high);
            ck_assert_msg(found >= 1 && mean >= 0 && mean <= 1 && low >= 0 && high <= 1 &&
                              low < high,
                          "%s", line);
        }
    }
}

/* The sums of its judge. */
static void check_adjusted(const struct event_results *results)
{
    struct report_options options = event_results_options(results);
    bool money = results->tally.length_points == 0;
    struct judged_sums sums;
    struct adjusted adjusted;
    struct form form;
    json_t *json, *row, *plain;
    size_t i;

    ck_assert_int_eq(judged_sums_read(&sums, results->store, &results->tally, NULL, NULL), BG_OK);
    if (sums.judge != NULL) {
        judged_text(form_begin(&form), &sums, &(struct judged_text_options){.pairings = true});
        fflush(form.out);
        check_judged_text(form.text, &results->tally);
        form_text(&form, "judge");
        ck_assert_int_eq(adjusted_of(&adjusted, &sums, NULL, NULL), BG_OK);
        adjusted_text(form_begin(&form), &adjusted, results->tally.games);
        form_text(&form, "rate --adjusted");
        options.adjusted = &adjusted;
        ck_assert_int_eq(report_json_table(form_begin(&form), &results->tally, &options, NULL),
                         BG_OK);
        json = form_json(&form, "rate --adjusted --json");
        plain = json_object_get(json, "encounters");
        json_array_foreach(json_object_get(json_object_get(json, "adjusted"), "encounters"), i, row)
        {
            const char *a = json_string_value(json_object_get(row, "bot"));
            const char *b = json_string_value(json_object_get(row, "opponent"));

            ck_assert_int_lt(tally_find(&results->tally, a), tally_find(&results->tally, b));
            if (!money) {
                check_chance(row, "adjusted");
            }
        }
        ck_assert_uint_eq(i, json_array_size(plain)); /* all games are judged */
        json_array_foreach(json_object_get(json_object_get(json, "adjusted"), "ratings"), i, row)
        {
            if (!money) {
                check_chance(row, "adjusted");
            }
        }
        json_decref(json);
        adjusted_deinit(&adjusted);
    }
    judged_sums_deinit(&sums);
}

static const json_t *table_rows(const json_t *report, const char *table)
{
    return json_object_get(json_object_get(json_object_get(report, "tables"), table), "rows");
}

static void check_report_chances(const json_t *report)
{
    const json_t *row;
    size_t i;

    json_array_foreach(table_rows(report, "luck"), i, row)
    {
        check_chance(row, "adjusted");
        check_chance(row, "adjusted_low");
        check_chance(row, "adjusted_high");
        check_chance(row, "plain_low");
        check_chance(row, "plain_high");
    }
    json_array_foreach(table_rows(report, "encounters"), i, row)
    {
        check_chance(row, "adjusted");
    }
}

static void check_report(bool money)
{
    json_t *json;
    struct doc *doc = NULL;
    struct form form;

    assert_ok(report_open(&doc, path, NULL, 100, &error));
    assert_ok(document_plain(form_begin(&form), doc, &error));
    form_text(&form, "report --text");
    assert_ok(document_html(form_begin(&form), doc, &error));
    form_text(&form, "report --html");
    assert_ok(document_json(form_begin(&form), doc, &error));
    json = form_json(&form, "report --json");
    if (!money) {
        check_report_chances(json);
    }
    json_decref(json);
    doc_destroy(doc);
}

/* Either an answer or a reason. */
static void check_plan(bool money)
{
    struct plan_question question = PLAN_QUESTION_INIT;
    struct plan_answer answer;
    struct form form;

    question.ppg = money ? 0.02 : 0;
    question.elo = money ? 0 : 50;
    if (plan_question_read(&question, path, &error) != BG_OK) {
        ck_assert_msg(strlen(error.text) > 0, "no reason");
        return;
    }
    plan_answer_of(&answer, &question);
    ck_assert_int_eq(plan_text(form_begin(&form), &answer), BG_OK);
    form_text(&form, "plan");
    assert_ok(plan_json(form_begin(&form), &answer, &error));
    json_decref(form_json(&form, "plan --json"));
}

TEST_LOOP(every_event_prints_numbers, 0, 2 * KINDS)
{
    const struct kind *kind = &kinds[_i % KINDS];
    int length = _i / KINDS;
    struct event_results results;

    for (unsigned size = 0; size < SIZES; size++) {
        unlink(path);
        make_event(sizes[size].bots, sizes[size].pairs, length, kind, size);
        ck_assert_int_eq(event_results_open(&results, path, NULL), BG_OK);
        check_rate(&results);
        check_adjusted(&results);
        event_results_close(&results);
        check_report(length == 0);
        check_plan(length == 0);
    }
}

/* The limits of the allowed inputs. */
TEST_LOOP_IN(plans, every_plan_is_a_number, 0, 7)
{
    static const struct {
        double ppg, elo, games, length, sd, confidence, power, alpha;
    } edges[] = {
        {1e-6, 0, 0, 7, 1e6, 0.9999, 0.9999, 1e-6}, {1000, 0, 0, 7, 1e-6, 0.5, 0.5, 0.4999},
        {0, 0.01, 0, 1, 0, 0.9999, 0.9999, 1e-6},   {0, 10000, 0, 1000, 0, 0.5, 0.5, 0.4999},
        {0, 10000, 0, 1000, 0, 0.95, 0.8, 0.05},    {0, 0, 2, 7, 1e6, 0.95, 0.8, 0.05},
        {0, 0, 1e15, 7, 1e-6, 0.95, 0.8, 0.05},
    };
    struct plan_question question = PLAN_QUESTION_INIT;
    struct plan_answer answer;
    struct form form;

    question.ppg = edges[_i].ppg;
    question.elo = edges[_i].elo;
    question.games = edges[_i].games;
    question.length_points = edges[_i].length;
    question.sd = edges[_i].sd;
    question.confidence = edges[_i].confidence;
    question.power = edges[_i].power;
    question.alpha = question.beta = edges[_i].alpha;
    plan_answer_of(&answer, &question);
    ck_assert_int_eq(plan_text(form_begin(&form), &answer), BG_OK);
    form_text(&form, "plan");
    ck_assert_int_eq(plan_json(form_begin(&form), &answer, NULL), BG_OK);
    json_decref(form_json(&form, "plan --json"));
}

SUITE_FIXTURE(make_folder, folder_remove)
