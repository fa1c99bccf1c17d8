/* Reports for people and programs: no nan, no overlong lines, and errors with their place. */
#define _GNU_SOURCE
#include <tables/event_table.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <document/json_value.h>
#include <sums/results_set.h>
#include <tables/input_text.h>
#include <tables/progress.h>
#include <tables/replay.h>

#include "support/played.h"
#include "support/suite.h"

enum { MONEY = 0, WIDEST = 100 };

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

static const struct played duel[] = {
    {"ant", "bee", 0, 0, 0, 0, 2, 2, false, 0, BG_FAULT_NONE},
    {"ant", "bee", 0, 1, 0, 0, 1, 1, false, 0, BG_FAULT_NONE},
    {"ant", "bee", 1, 0, 0, 1, 1, 1, false, 0, BG_FAULT_LATE},
    {"ant", "bee", 1, 1, 0, 0, 2, 2, false, 0, BG_FAULT_CRASH},
};

/* A tally of `bots` bots with random results. */
static void play(struct tally *tally, int bots, int length, int pairs, unsigned seed)
{
    char name[64][BG_GAME_ID];

    tally_init(tally, length);
    for (int i = 0; i < bots; i++) {
        snprintf(name[i], sizeof name[i], "bot%02d%.*s", i, (i * 7) % 60,
                 "_with_a_name_that_is_as_long_as_a_name_may_be_in_an_event_at_all");
        tally_add_bot(tally, name[i]);
    }
    for (int a = 0; a < bots; a++) {
        for (int b = a + 1; b < bots; b++) {
            for (int leg = 0; leg < 2 * pairs; leg++) {
                int winner = rand_r(&seed) % 3 == 0, level = 1 + rand_r(&seed) % 3;
                int fault = rand_r(&seed) % 9 == 0 ? 1 + rand_r(&seed) % (BG_FAULT_COUNT - 1) : 0;
                bool first = strcmp(name[a], name[b]) < 0;
                struct played row = {first ? name[a] : name[b],
                                     first ? name[b] : name[a],
                                     (uint64_t)(leg / 2),
                                     leg % 2,
                                     0,
                                     winner,
                                     level,
                                     level,
                                     rand_r(&seed) % 5 > 0,
                                     winner,
                                     (enum bg_fault)fault};

                played_add(tally, &row, 1);
            }
        }
    }
}

static int widest(const char *text)
{
    int most = 0, columns = 0;

    for (; *text != '\0'; text++) {
        columns += ((unsigned char)*text & 0xC0) != 0x80;
        columns = *text == '\n' ? 0 : columns;
        most = columns > most ? columns : most;
    }
    return most;
}

static void assert_readable(const char *text)
{
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    ck_assert_ptr_null(strstr(text, " \n"));
    ck_assert_msg(widest(text) <= WIDEST, "%d columns:\n%.1000s", widest(text), text);
}

/* The table as text; the caller frees it. */
static char *table_of(const struct tally *tally, const struct report_options *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_ok(report_table(out, tally, options, &error));
    fclose(out);
    return text;
}

static const struct {
    int bots, length, pairs;
} sizes[] = {{0, 0, 0},  {1, 0, 1},  {2, 0, 0},  {2, 0, 1},  {2, 5, 1},  {3, 1, 2},
             {5, 0, 40}, {5, 7, 40}, {13, 0, 3}, {13, 3, 3}, {41, 0, 1}, {41, 11, 1}};

TEST_ROWS(tables_are_readable_for_all_results, sizes)
{
    for (unsigned seed = 0; seed < 5; seed++) {
        struct report_options options = REPORT_OPTIONS_INIT;
        struct tally tally;
        char *text = NULL;

        play(&tally, sizes[_i].bots, sizes[_i].length, sizes[_i].pairs, seed);
        options.title = "event";
        text = table_of(&tally, &options);
        assert_readable(text);
        free(text);
        tally_deinit(&tally);
    }
}

/* The table is written encounter by encounter; it has the text of the value as a whole. */
/* Notes that are the same for every event are in two lines; all of them if asked for. */
TEST(a_brief_table_of_seven_bots_fits_a_screen)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    char *text;
    int lines = 0;

    tally_init(&tally, 1);
    for (int game = 0; game < 7 * 7 * 40; game++) {
        char name[2][8];
        int a = game % 7, b = game / 7 % 7, winner = game % 5 < 2;
        struct played row = {name[0], name[1], (uint64_t)game / 49, 0, 0, winner, 1, 1,
                             true,    winner,  BG_FAULT_NONE};

        snprintf(name[0], sizeof name[0], "bot%d", a);
        snprintf(name[1], sizeof name[1], "bot%d", b);
        if (a < b) {
            played_add(&tally, &row, 1);
        }
    }
    text = table_of(&tally, &options);
    ck_assert_ptr_nonnull(strstr(text, "taken as"));
    free(text);
    options.brief = true;
    text = table_of(&tally, &options);
    assert_readable(text);
    ck_assert_ptr_null(strstr(text, "taken as"));
    ck_assert_ptr_nonnull(strstr(text, "rate --explain"));
    for (const char *at = text; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    ck_assert_int_le(lines, 60);
    free(text);
    tally_deinit(&tally);
}

TEST_ROWS(event_json_written_in_parts_is_that_of_the_whole, sizes)
{
    static const char *const trust[] = {NULL, "own"};

    for (size_t i = 0; i < COUNT(trust); i++) {
        struct report_options options = REPORT_OPTIONS_INIT;
        struct tally tally;
        char *text[2] = {NULL, NULL};
        size_t size[2] = {0, 0};
        FILE *out[2] = {open_memstream(&text[0], &size[0]), open_memstream(&text[1], &size[1])};
        json_t *json = NULL;

        options.title = "event";
        options.trust = trust[i];
        play(&tally, sizes[_i].bots, sizes[_i].length, sizes[_i].pairs, 4);
        ck_assert_int_eq(report_json_table(out[0], &tally, &options, NULL), BG_OK);
        ck_assert_int_eq(table_json_of(&json, &tally, &options, NULL), BG_OK);
        ck_assert_int_eq(json_line(out[1], json, NULL), BG_OK);
        fclose(out[0]);
        fclose(out[1]);
        ck_assert_str_eq(text[0], text[1]);
        free(text[0]);
        free(text[1]);
        tally_deinit(&tally);
    }
}

TEST_ROWS(event_json_is_valid, sizes)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *json = NULL;

    play(&tally, sizes[_i].bots, sizes[_i].length, sizes[_i].pairs, 4);
    ck_assert_int_eq(report_json_table(out, &tally, &options, NULL), BG_OK);
    fclose(out);
    json = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(json);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "standings")), (size_t)sizes[_i].bots);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(json, "model"), "unit")),
                     sizes[_i].length == 0 ? "points per game" : "FIBS points");
    json_decref(json);
    free(text);
    tally_deinit(&tally);
}

/* One win: the loser has a number, but nothing bounds it from below. */
TEST(a_bot_that_won_nothing_has_a_number_with_one_end)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    struct played row = {"ant", "bee", 0, 0, 0, 0, 1, 1, true, 0, BG_FAULT_NONE};
    char *text = NULL;

    tally_init(&tally, 1);
    played_add(&tally, &row, 1);
    text = table_of(&tally, &options);
    ck_assert_msg(strstr(text, "bee has no lower limit") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "ant has no upper limit") != NULL, "%s", text);
    free(text);
    tally_deinit(&tally);
}

/* 42 of 54 is behind 41 of 50, and nothing is marked as provisional. */
TEST(bots_with_unequal_numbers_of_games_are_ranked_by_share)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    char *text = NULL;

    tally_init(&tally, 1);
    for (int i = 0; i < 54; i++) {
        struct played row = {"ant", "cat", (uint64_t)i, 0, 0, i >= 42, 1, 1, true, i >= 42, 0};

        played_add(&tally, &row, 1);
    }
    for (int i = 0; i < 50; i++) {
        struct played row = {"bee", "cat", (uint64_t)i, 0, 0, i >= 41, 1, 1, true, i >= 41, 0};

        played_add(&tally, &row, 1);
    }
    options.final = true;
    text = table_of(&tally, &options);
    ck_assert_msg(strstr(text, "\n   1  bee") != NULL, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "\n   2  ant"));
    ck_assert_ptr_nonnull(strstr(text, "share of matches won"));
    ck_assert_ptr_null(strstr(text, "provisional"));
    free(text);
    tally_deinit(&tally);
}

/* A bot's rating in the table. */
static double rating_of(const struct tally *tally, const char *name)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    char *text = NULL;
    size_t size = 0, i;
    FILE *out = open_memstream(&text, &size);
    double rating = NAN;
    json_t *json, *row;

    ck_assert_int_eq(report_json_table(out, tally, &options, NULL), BG_OK);
    fclose(out);
    json = json_loads(text, 0, NULL);
    json_array_foreach(json_object_get(json, "standings"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "bot")), name) == 0) {
            rating = json_number_value(json_object_get(row, "rating"));
        }
    }
    json_decref(json);
    free(text);
    return rating;
}

/* cat loses 1,000 matches to each of the others, and then wins one. */
/* Whether the first pair of bots has an established order. */
static bool is_established(const struct tally *tally, const struct report_options *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *event = NULL, *row;
    bool is = false;

    ck_assert_int_eq(report_json_table(out, tally, options, NULL), BG_OK);
    fclose(out);
    event = json_loads(text, 0, NULL);
    row = json_array_get(json_object_get(event, "encounters"), 0);
    is = json_is_true(json_object_get(row, "established")) ||
         json_is_true(json_object_get(row, "opponent_established"));
    json_decref(event);
    free(text);
    return is;
}

TEST(one_lucky_match_of_a_hopeless_bot_moves_nobody)
{
    struct played lucky = {"ant", "cat", 1000, 0, 0, 1, 1, 1, true, 1, 0};
    struct tally tally;
    double before = 0;

    tally_init(&tally, 3);
    for (int i = 0; i < 1000; i++) {
        struct played row = {"ant", "bee", (uint64_t)i, 0, 0, i % 5 < 2, 1, 1, true, i % 5 < 2, 0};
        struct played lost = {
            i % 2 == 0 ? "ant" : "bee", "cat", (uint64_t)i, 0, 0, 0, 1, 1, true, 0, 0};

        played_add(&tally, &row, 1);
        played_add(&tally, &lost, 1);
    }
    before = rating_of(&tally, "ant");
    ck_assert_double_lt(rating_of(&tally, "cat"), 0);
    played_add(&tally, &lucky, 1);
    ck_assert_double_eq_tol(rating_of(&tally, "ant"), before, 10);
    tally_deinit(&tally);
}

/* 10 fixtures each way were planned; cat played 2 of 20 and is dropped, with its results. */
TEST(after_a_stopped_test_less_is_established)
{
    int plain = 0, stopped = 0;

    for (int won = 5; won < 20; won++) {
        struct report_options options = REPORT_OPTIONS_INIT;
        struct tally tally;

        tally_init(&tally, 1);
        for (int k = 0; k < won + 5; k++) {
            int winner = k < won ? 0 : 1;
            struct played row = {"ant", "bee",  (uint64_t)k,  0, 0, winner, 1, 1,
                                 true,  winner, BG_FAULT_NONE};

            played_add(&tally, &row, 1);
        }
        plain += is_established(&tally, &options);
        options.decided = true;
        stopped += is_established(&tally, &options);
        tally_deinit(&tally);
    }
    ck_assert_int_gt(stopped, 0);
    ck_assert_int_gt(plain, stopped);
}

TEST(a_bot_with_few_games_is_not_ranked)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    char *text = NULL;

    tally_init(&tally, 1);
    for (int i = 0; i < 10; i++) {
        struct played row = {"ant", "bee", (uint64_t)i, 0, 0, i > 4, 1, 1, true, i > 4, 0};

        played_add(&tally, &row, 1);
    }
    for (int i = 0; i < 2; i++) {
        struct played row = {"ant", "cat", (uint64_t)i, 0, 0, 0, 1, 1, true, 0, 0};

        played_add(&tally, &row, 1);
    }
    options.planned_legs = 10;
    text = table_of(&tally, &options);
    ck_assert_ptr_null(strstr(text, "under half"));
    ck_assert_ptr_nonnull(strstr(text, "\n   1  ant"));
    free(text);
    options.final = true;
    text = table_of(&tally, &options);
    ck_assert_ptr_nonnull(strstr(text, "cat played under half of its fixtures"));
    ck_assert_ptr_nonnull(strstr(text, "\n  1=  ant"));
    ck_assert_ptr_nonnull(strstr(text, "\n   -  cat"));
    free(text);
    tally_deinit(&tally);
}

TEST(a_duel_prints_the_customary_lines)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    static const char *const lines[] = {
        " RESULT ant vs bee  +1.000 ± 6.841 ppg   win 75.0/25.0%   over 4 games\n",
        "ant n/g/bg 1-2-0 (25.0/50.0/0.0%)",
        "ant seat 0:+0.500 seat 1:+1.500",
        " FAULTS ant late 1\n FAULTS bee crash 1\n",
        "   RATE 2.0 games/s   avg turns 50.0   elapsed 2s\n",
        "Score of ant vs bee: 3 - 1 - 0  [0.750] 4\n",
        "  PAIRS by what ant won   0: 0  \u00bd: 0  1: 1  1\u00bd: 0  2: 1\n",
        "measured differences lean outwards",
    };

    tally_init(&tally, MONEY);
    played_add(&tally, duel, COUNT(duel));
    options.elapsed_s = 2;
    options.run_games = 4;
    options.decided = true;
    ck_assert_int_eq(report_duel(out, &tally, 0, 1, &options, NULL), BG_OK);
    fclose(out);
    for (size_t i = 0; i < COUNT(lines); i++) {
        ck_assert_msg(strstr(text, lines[i]) != NULL, "no line '%s' in\n%s", lines[i], text);
    }
    assert_readable(text);
    free(text);
    tally_deinit(&tally);
}

/* Equal bots split every pair: there is no spread between pairs, but still no certainty. Two
 * matches of even chances alone have the error 2000 / ln 10 / sqrt(2 / 4) = 1228.4 of the
 * difference; the field makes it smaller. */
TEST(a_rating_of_split_pairs_is_not_certain)
{
    static const struct played split[] = {
        {"ant", "bee", 0, 0, 0, 0, 1, 1, true, 0, BG_FAULT_NONE},
        {"ant", "bee", 0, 1, 0, 1, 1, 1, true, 1, BG_FAULT_NONE},
    };
    struct report_options options = REPORT_OPTIONS_INIT;
    struct tally tally;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    tally_init(&tally, 1);
    played_add(&tally, split, COUNT(split));
    ck_assert_int_eq(report_duel(out, &tally, 0, 1, &options, NULL), BG_OK);
    fclose(out);
    ck_assert_msg(strstr(text, "RATING +0.0 ± 2231.") != NULL, "%s", text);
    free(text);
    text = table_of(&tally, &options);
    ck_assert_msg(strstr(text, "1500.0    0.0") == NULL, "%s", text);
    free(text);
    tally_deinit(&tally);
}

TEST_LOOP(duels_are_readable_for_all_results, 0, 3)
{
    for (int pairs = 0; pairs < 6; pairs++) {
        struct report_options options = REPORT_OPTIONS_INIT;
        struct tally tally;
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);

        play(&tally, 2, _i, pairs, (unsigned)pairs);
        ck_assert_int_eq(report_duel(out, &tally, 0, 1, &options, NULL), BG_OK);
        fclose(out);
        assert_readable(text);
        free(text);
        tally_deinit(&tally);
    }
}

static const struct {
    const char *name;
    uint64_t done, total, before, games;
    double elapsed;
    const char *want;
} lines[] = {
    {"the beginning", 0, 400, 0, 0, 0,
     "0/400 (0.0%)  0.0 games/s  elapsed 0s  left -  leader ant +1.000 ± 6.841 ppg"},
    {"under way", 100, 400, 0, 100, 50,
     "100/400 (25.0%)  2.0 games/s  elapsed 50s  left 2m 30s  leader ant +1.000 ± 6.841 ppg"},
    {"after going on", 200, 400, 100, 100, 50,
     "200/400 (50.0%)  2.0 games/s  elapsed 50s  left 1m 40s  leader ant +1.000 ± 6.841 ppg"},
    {"the end", 400, 400, 0, 400, 7322,
     "400/400 (100.0%)  0.1 games/s  elapsed 2h 02m  left 0s  leader ant +1.000 ± 6.841 ppg"},
    {"nothing to do", 0, 0, 0, 0, 1,
     "0/0 (100.0%)  0.0 games/s  elapsed 1s  left -  leader ant +1.000 ± 6.841 ppg"},
};

TEST_ROWS(progress_in_one_line, lines)
{
    struct summary_options settings = {.rating = RATING_OPTIONS_INIT};
    struct summary summary;
    struct tally tally;
    char text[PROGRESS_TEXT], leader[PROGRESS_TEXT];
    struct progress progress = {.leader = leader,
                                .done = lines[_i].done,
                                .total = lines[_i].total,
                                .done_before = lines[_i].before,
                                .games = lines[_i].games,
                                .elapsed_s = lines[_i].elapsed};

    tally_init(&tally, MONEY);
    played_add(&tally, duel, COUNT(duel));
    ck_assert_int_eq(summary_of(&summary, &tally, &settings, NULL), BG_OK);
    progress_leader(leader, &summary);
    progress_format(text, &progress);
    ck_assert_msg(strcmp(text, lines[_i].want) == 0, "%s: %s", lines[_i].name, text);
    for (progress.columns = 20; progress.columns < 90; progress.columns++) {
        progress_format(text, &progress);
        ck_assert_int_le(widest(text), progress.columns);
        ck_assert(strncmp(text, lines[_i].want, strlen(text)) == 0);
    }
    summary_deinit(&summary);
    tally_deinit(&tally);
}

/* The cell of a row in the table's JSON. */
static double cell_of(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

/* Fields of bots of different strength, in which an interval over all games together differs from
 * the one stratified by opponent: the leader and its figures are the first row of the table. */
TEST(progress_of_a_judge_has_a_count_and_a_rate)
{
    struct progress_judging judging = {.done = 30, .total = 120, .elapsed_s = 10};
    char text[PROGRESS_TEXT];

    progress_judging(text, &judging);
    ck_assert_str_eq(text, "judged 30/120 (25.0%)  3.0 games/s  elapsed 10s  left 30s");
    judging = (struct progress_judging){.done = 0, .total = 120, .columns = 30};
    progress_judging(text, &judging);
    ck_assert_str_eq(text, "judged 0/120 (0.0%)  0.0 games");
    judging = (struct progress_judging){.done = 5, .total = 3, .elapsed_s = 1};
    progress_judging(text, &judging);
    ck_assert_ptr_nonnull(strstr(text, "judged 5/5 (100.0%)"));
}

TEST_LOOP(progress_has_the_numbers_of_the_table, 0, 2)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        struct summary_options settings = {.rating = RATING_OPTIONS_INIT};
        struct report_options options = REPORT_OPTIONS_INIT;
        struct summary summary;
        struct tally tally;
        char leader[PROGRESS_TEXT], want[PROGRESS_TEXT], *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        json_t *json, *row;

        play(&tally, 3 + (int)seed % 4, _i, 20, seed);
        ck_assert_int_eq(summary_of(&summary, &tally, &settings, NULL), BG_OK);
        progress_leader(leader, &summary);
        ck_assert_int_eq(report_json_table(out, &tally, &options, NULL), BG_OK);
        fclose(out);
        json = json_loads(text, 0, NULL);
        row = json_array_get(json_object_get(json, "standings"), 0);
        if (_i == MONEY) {
            snprintf(want, sizeof want, "%.64s %+.3f ± %.3f ppg",
                     json_string_value(json_object_get(row, "bot")), cell_of(row, "ppg"),
                     cell_of(row, "ppg_bar"));
        } else {
            snprintf(want, sizeof want, "%.64s %.1f %% won (95 %%: %.1f to %.1f)",
                     json_string_value(json_object_get(row, "bot")), cell_of(row, "won_percent"),
                     cell_of(row, "won_percent_low"), cell_of(row, "won_percent_high"));
        }
        ck_assert_str_eq(leader, want);
        json_decref(json);
        free(text);
        summary_deinit(&summary);
        tally_deinit(&tally);
    }
}

TEST(progress_of_a_sequential_test_predicts_no_end)
{
    char text[PROGRESS_TEXT];
    struct progress progress = {
        .done = 100, .total = 200000, .games = 100, .elapsed_s = 10, .end = PROGRESS_TEST};

    progress_format(text, &progress);
    ck_assert_str_eq(text, "100/200000 (0.1%)  10.0 games/s  elapsed 10s  left at most 5h 33m");
    progress.test = "LLR 1.20 (-2.94, 2.94) 50 pairs";
    progress_format(text, &progress);
    ck_assert_str_eq(text, "100/200000 (0.1%)  LLR 1.20 (-2.94, 2.94) 50 pairs  10.0 games/s  "
                           "elapsed 10s  left at most 5h 33m");
    progress.test = NULL;
    progress.end = PROGRESS_DECIDED;
    progress_format(text, &progress);
    ck_assert_str_eq(text, "100  10.0 games/s  elapsed 10s  the test is decided");
}

static const struct {
    const char *text, *want;
} bad_json[] = {
    {"{\"kind\": \"money\",\n \"input\": {]}", ":2:"},
    {"[]", "needs an object with kind and input"},
    {"{\"input\":{}}", "kind: missing"},
    {"{\"kind\":\"money\"}", "input: missing"},
    {"{\"kind\":\"blitz\",\"input\":{}}", "kind blitz is not supported"},
    {"{\"kind\":\"sprt\",\"input\":{}}", "input.tests: missing"},
    {"{\"kind\":\"sprt\",\"input\":{\"tests\":[{\"model\":\"cauchy\"}]}}",
     "input.tests[0].model: needs normal"},
    {"{\"kind\":\"sprt\",\"input\":{\"tests\":[{\"model\":\"normal\",\"x\":[1],\"h0\":0.1,\"h1\":0}"
     "]}}",
     "input.tests[0].h1: needs to be above"},
    {"{\"kind\":\"sprt\",\"input\":{\"tests\":[{\"model\":\"normal\",\"x\":[1],\"h0\":0,\"h1\":1,"
     "\"alpha\":1}]}}",
     "input.tests[0]: alpha and beta"},
    {"{\"kind\":\"sprt\",\"input\":{\"tests\":[{\"model\":\"binomial\",\"rows\":[[0,1,1]],\"h0\":0,"
     "\"h1\":1}]}}",
     "input.tests[0].rows[0][0]: a match has"},
    {"{\"kind\":\"sprt\",\"input\":{\"tests\":[{\"model\":\"multinomial\",\"counts\":[1,2,3],"
     "\"s0\":0.5,\"s1\":1}]}}",
     "needs two mean scores"},
    {"{\"kind\":\"fibs\",\"input\":{\"players\":[\"a\",\"b\"],\"matches\":[[\"a\",\"b\"]]}}",
     "input.matches[0]: needs [winner, loser, length]"},
    {"{\"kind\":\"errors\",\"input\":{\"decisions\":[{\"side\":\"C\"}]}}",
     "input.decisions[0].side: needs"},
    {"{\"kind\":\"luck\",\"input\":{\"result_a\":1,\"rolls\":[{\"side\":\"A\",\"dice\":[7,1]}]}}",
     "input.rolls[0].dice: needs two dice"},
    {"{\"kind\":\"luck\",\"input\":{\"result_a\":1,\"rolls\":[{\"side\":\"A\",\"dice\":[2,1],"
     "\"after\":[1]}]}}",
     "input.rolls[0].after: needs 21 numbers, has 1"},
    {"{\"kind\":\"money\",\"input\":{}}", "input.clusters: missing"},
    {"{\"kind\":\"money\",\"input\":{\"cluster\":[]}}",
     "input.cluster: unknown member; did you mean clusters?"},
    {"{\"kind\":\"money\",\"input\":{\"clusters\":[]},\"rounds\":3}",
     "rounds: unknown member; there are kind, input"},
    {"{\"kind\":\"errors\",\"input\":{\"decisions\":[{\"side\":\"A\",\"forcd\":1}]}}",
     "input.decisions[0].forcd: unknown member; did you mean forced?"},
    {"{\"kind\":\"money\",\"input\":{\"clusters\":[[1],[2,\"x\"]]}}",
     "input.clusters[1][1]: needs a number"},
    {"{\"kind\":\"interval\",\"input\":{\"rows\":[{\"wins\":3,\"matches\":2}]}}",
     "input.rows[0]: more wins than matches"},
    {"{\"kind\":\"interval\",\"input\":{\"rows\":[{\"pairs\":[1,2]}]}}",
     "input.rows[0].pairs: needs three counts"},
    {"{\"kind\":\"ratings\",\"input\":{\"players\":[\"a\",\"a\"],\"results\":[]}}",
     "input.players[1]: this name is given twice"},
    {"{\"kind\":\"ratings\",\"input\":{\"players\":[\"a\"],\"results\":[{\"a\":\"a\",\"b\":\"z\"}]}"
     "}",
     "input.results[0].b: \"z\" is not in input.players"},
    {"{\"kind\":\"ratings\",\"input\":{\"players\":[\"a\",\"b\"],\"results\":[{\"a\":\"a\",\"b\":"
     "\"b\","
     "\"length\":0,\"wins_a\":1,\"wins_b\":1}]}}",
     "input.results[0].length: is 0, needs at least 1"},
    {"{\"kind\":\"ratings\",\"input\":{\"players\":[\"a\",\"b\"],\"results\":[{\"a\":\"a\",\"b\":"
     "\"b\","
     "\"length\":1,\"wins_a\":1}]}}",
     "input.results[0].wins_b: missing"},
    {"{\"kind\":\"ratings\",\"input\":{\"players\":[\"a\",\"b\"],\"results\":[{\"a\":\"a\",\"b\":"
     "\"b\","
     "\"length\":1,\"wins_a\":1,\"wins_b\":1,\"pairs\":[1,1,1]}]}}",
     "input.results[0].pairs: give pairs or wins_a and wins_b"},
    {"{\"kind\":\"ratings\",\"input\":{\"players\":[\"a\"],\"options\":{\"anchro\":1},\"results\":["
     "]}}",
     "input.options.anchro: unknown member; did you mean anchor?"},
    {"{\"kind\":\"ratings\",\"input\":{\"players\":[\"a\"],\"options\":{\"prior\":-1},\"results\":["
     "]}}",
     "input.options.prior: is -1, needs at least 0"},
    {"{\"kind\":\"ppg_table\",\"input\":{\"players\":[\"a\",\"b\"],\"encounters\":[[\"a\",\"b\",1,"
     "0]]}}",
     "input.encounters[0]: the standard error needs to be above 0"},
    {"{\"kind\":\"standings\",\"input\":{\"players\":[\"a\",\"b\"],\"encounters\":[[\"a\",\"b\",1]]"
     "}}",
     "input.encounters[0]: needs [a, b, score of a, score of b, point difference]"},
};

TEST_ROWS(bad_json_is_reported_with_its_place, bad_json)
{
    char path[] = "/tmp/bgref-json-XXXXXX";
    int fd = mkstemp(path);
    struct json_input input;
    enum bg_status status = BG_OK;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bad_json[_i].text, strlen(bad_json[_i].text)),
                     (ssize_t)strlen(bad_json[_i].text));
    close(fd);
    status = json_input_read(&input, path, &error);
    unlink(path);
    ck_assert_int_eq(status, BG_E_FORMAT);
    ck_assert_msg(strstr(error.text, bad_json[_i].want) != NULL, "%s", error.text);
    ck_assert(strncmp(error.text, path, strlen(path)) == 0);
}

static const char *const vectors[] = {"r05_unbeaten_no_prior",
                                      "r06_disconnected",
                                      "r07_hundred_engines",
                                      "r09_weak_bridge",
                                      "r03_mixed_lengths_anchor",
                                      "m01_money_pairs",
                                      "i01_intervals",
                                      "p01_ppg_table",
                                      "t01_standings"};

TEST_ROWS(json_input_as_a_table_is_readable, vectors)
{
    char path[512];
    struct json_input input;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    snprintf(path, sizeof path, TEST_DATA "/ratings/%s.json", vectors[_i]);
    ck_assert_int_eq(json_input_read(&input, path, NULL), BG_OK);
    ck_assert_int_eq(report_text_input(out, &input, NULL), BG_OK);
    fclose(out);
    assert_readable(text);
    json_input_deinit(&input);
    free(text);
}

static void put_games(struct store *store)
{
    for (size_t i = 0; i < COUNT(duel); i++) {
        char id[BG_GAME_ID];
        struct store_game *game = calloc(1, sizeof *game);

        ck_assert_ptr_nonnull(game);
        *game = played_game(id, &duel[i], MONEY);
        game->id = strdup(id);
        game->a = strdup(duel[i].a);
        game->b = strdup(duel[i].b);
        game->text = strdup("");
        snprintf(game->hash, sizeof game->hash, "%064zu", i);
        ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
    }
}

/* A database that a referee still has open is read in its present state. */
TEST(an_event_is_read_while_it_is_written)
{
    char folder[] = "/tmp/bgref-report-XXXXXX", path[64], command[96];
    struct store *store = NULL;
    struct event_results results;
    struct report_options options;
    struct tally_sum sum;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/r.db", folder);
    assert_ok(store_sqlite_open(&store, path, &error));
    ck_assert_int_eq(store_meta_set(store, "event.event", "spring", NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "event.length", "0", NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "event.pairs", "3", NULL), BG_OK);
    ck_assert_int_eq(store_meta_set(store, "event.bots", "ant bee", NULL), BG_OK);
    put_games(store);
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);

    assert_ok(event_results_open(&results, path, &error));
    options = event_results_options(&results);
    ck_assert_str_eq(options.title, "spring");
    ck_assert_uint_eq(results.planned, 6);
    ck_assert(!options.final);
    tally_sum(&sum, &results.tally, 0, 1);
    ck_assert_int_eq(sum.points, 4);
    event_results_close(&results);

    ck_assert_int_eq(store_put_unplayed(store, "ant|bee|2|0", "bee", "gone", NULL), BG_OK);
    ck_assert_int_eq(store_put_unplayed(store, "ant|bee|2|1", "bee", "gone", NULL), BG_OK);
    ck_assert_int_eq(store->ops->flush(store, NULL), BG_OK);
    assert_ok(event_results_open(&results, path, &error));
    ck_assert(event_results_options(&results).final);
    event_results_close(&results);
    store_destroy(store);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

TEST(a_path_that_is_not_a_database_is_named)
{
    struct event_results results;

    ck_assert_int_eq(event_results_open(&results, "/nowhere/r.db", &error), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text, "/nowhere/r.db: No such file or directory");
    ck_assert_int_eq(event_results_open(&results, TEST_DATA "/record.txt", &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "record.txt"));
}

TEST(a_game_is_drawn_turn_by_turn)
{
    static const char *const said[] = {
        "beta (O) against alpha (X), backgammon, match to 5, score 2:1",
        "  1. opening: beta 3, alpha 3",
        "beta plays 8/5 6/5",
        "alpha doubles to 2",
        "beta: take",
        "offers to resign a single",
        "alpha wins 2 points (single, by resign)",
        "Score beta 2, alpha 3"};
    FILE *in = fopen(TEST_DATA "/record.txt", "r");
    char record[16384], *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct record_view *view = NULL;

    ck_assert_ptr_nonnull(in);
    assert_ok(record_read(&view, record, fread(record, 1, sizeof record, in), &error));
    fclose(in);
    assert_ok(replay_write(out, view, &error));
    fclose(out);
    for (size_t i = 0; i < COUNT(said); i++) {
        ck_assert_msg(strstr(text, said[i]) != NULL, "no '%s' in\n%s", said[i], text);
    }
    record_view_destroy(view);
    free(text);
}
