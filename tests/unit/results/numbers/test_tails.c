/* Heavy tails, the bootstrap, seats and starters, drift: figures from single legs. */
#include <sums/effects.h>
#include <numbers/significance.h>
#include <sums/summary.h>
#include <tables/event_table.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <numbers/draw.h>
#include <record/record_lookup.h>

#include "support/played.h"
#include "support/suite.h"

enum { BOTS = 4 };

static const char *const name[BOTS] = {"ant", "bee", "cat", "dog"};

/* An event leg by leg, and its tally. */
struct played_event {
    struct tally tally;
    struct legs legs;
};

static void begin(struct played_event *event, int length, int bots)
{
    *event = (struct played_event){0};
    tally_init(&event->tally, length);
    for (int i = 0; i < bots; i++) {
        tally_add_bot(&event->tally, name[i]);
    }
}

/* A money game or a match of one game that gives a this many points, or the match. */
static void play(struct played_event *event, int a, int b, int pair, int leg, int points,
                 int starter)
{
    int won = points >= 0 ? 0 : 1;
    struct played row = {name[a], name[b], (uint64_t)pair, leg, 0, won, abs(points), 1,
                         true,    won,     BG_FAULT_NONE};
    char id[BG_GAME_ID];
    struct store_game game = played_game(id, &row, event->tally.length_points);

    played_add(&event->tally, &row, 1);
    legs_add_game(&event->legs, &event->tally, &game, starter);
}

static void end(struct played_event *event)
{
    tally_deinit(&event->tally);
    legs_deinit(&event->legs);
}

/* ------------------------------------------------------------------------------ legs */

TEST(games_in_any_order_are_assembled_into_legs)
{
    static const struct played rows[] = {
        {"ant", "bee", 1, 0, 1, 0, 2, 1, true, 0, BG_FAULT_NONE}, /* ends a match of two games */
        {"ant", "bee", 0, 1, 0, 1, 3, 1, true, 1, BG_FAULT_NONE},
        {"ant", "bee", 1, 0, 0, 1, 2, 2, false, 0, BG_FAULT_NONE},
        {"ant", "bee", 2, 0, 0, 0, 1, 1, false, 0, BG_FAULT_NONE}, /* not over */
        {"ant", "dog", 0, 0, 0, 0, 1, 1, true, 0, BG_FAULT_NONE},  /* from an unknown bot */
    };
    struct played_event event;
    char id[BG_GAME_ID];

    begin(&event, 3, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct store_game game = played_game(id, &rows[i], 3);

        legs_add_game(&event.legs, &event.tally, &game, (int)i == 2 ? 1 : 0);
    }
    legs_close(&event.legs);
    ck_assert_uint_eq(event.legs.count, 2);
    ck_assert_int_eq(event.legs.leg[0].leg, 1);
    ck_assert_int_eq(event.legs.leg[0].starter, 1); /* seat 0 of leg 1 is B's */
    ck_assert_double_eq(event.legs.leg[0].won, 0);
    ck_assert_double_eq(event.legs.leg[0].cube, 2);
    ck_assert_double_eq(event.legs.leg[1].points, 0);
    ck_assert_double_eq(event.legs.leg[1].won, 1);
    ck_assert_double_eq(event.legs.leg[1].first, 0);
    ck_assert_int_eq(event.legs.leg[1].starter, 1);
    ck_assert_uint_eq(legs_encounter_end(&event.legs, 0), 2);
    ck_assert_uint_eq(legs_cluster_end(&event.legs, 0), 1);
    end(&event);
}

static const struct {
    const char *text;
    int seat;
} openings[] = {
    {"steps #0000\nopen 31 #0000\n0 play 8/5 6/5 #0000\n1 roll 21 #0000\n", 0},
    {"steps #0000\nopen 33 #0000\nopen 26 #0000\n1 play 24/18 #0000\n", 1},
    {"steps #0000\n1 roll 21 #0000\n1 play 13/11 #0000\n", -1},
    {"steps #0000\nopen 31 #0000\nend off winner=0 #0000\n", -1},
    {"", -1},
};

TEST_ROWS(the_opening_roll_determines_who_begins, openings)
{
    ck_assert_int_eq(record_lookup_starter(openings[_i].text, strlen(openings[_i].text)),
                     openings[_i].seat);
}

/* ------------------------------------------------------------------------------ Holm */

TEST(holm_correction_agrees_with_the_definition)
{
    double p[] = {0.01, 0.04, NAN, 0.03, 0.5};

    holm_adjust(p, 5);
    ck_assert_double_eq_tol(p[0], 0.04, 1e-15);
    ck_assert_double_eq_tol(p[1], 0.09, 1e-15); /* not below the previous one */
    ck_assert(isnan(p[2]));
    ck_assert_double_eq_tol(p[3], 0.09, 1e-15);
    ck_assert_double_eq_tol(p[4], 0.5, 1e-15);
}

/* ----------------------------------------------------------------------------- tails */

TEST(one_game_that_outweighs_the_others_is_named)
{
    double points[100];
    struct tails tails;

    for (int i = 0; i < 100; i++) {
        points[i] = i % 2 == 0 ? 2 : -2;
    }
    tails_of(&tails, points, 100, 2);
    ck_assert(!tails.heavy);
    ck_assert_double_eq_tol(tails.share, 0.01, 1e-12);
    ck_assert_double_eq(tails.median, 0);
    points[99] = -64; /* 64 of about 4460 squared points, without its mean */
    tails_of(&tails, points, 100, 64);
    ck_assert(tails.heavy);
    ck_assert_double_eq(tails.largest, -64);
    ck_assert_double_gt(tails.share, 0.9);
    tails_of(&tails, points, 20, 64); /* among few games one is always the largest */
    ck_assert(!tails.heavy);
    tails_of(&tails, points, 20, 128); /* but there was no such cube */
    ck_assert(tails.heavy);
    tails_of(&tails, points, 0, 0);
    ck_assert(!tails.heavy && isnan(tails.share));
}

/* Money between equal sides; one game in `every` is worth a cube of 2^20. */
static void play_wild(struct played_event *event, int every)
{
    struct draw draw = DRAW_INIT(3);

    begin(event, 0, 3);
    for (int a = 0; a < 3; a++) {
        for (int b = a + 1; b < 3; b++) {
            for (int leg = 0; leg < 80; leg++) {
                int points = draw_unit(&draw) < 0.5 ? 1 : -2;
                bool wild = every > 0 && a == 0 && b == 1 && leg % every == 5;

                play(event, a, b, leg / 2, leg % 2, wild ? 1 << 20 : points, -1);
            }
        }
    }
    legs_close(&event->legs);
}

/* The table of an event as text or JSON; the caller frees it. */
static char *print(const struct played_event *event, const struct report_options *options,
                   bool json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    ck_assert_int_eq(json ? report_json_table(out, &event->tally, options, NULL)
                          : report_table(out, &event->tally, options, NULL),
                     BG_OK);
    fclose(out);
    return text;
}

TEST(tables_name_heavy_tails_in_one_line)
{
    struct report_options options = REPORT_OPTIONS_INIT;
    struct played_event event;
    char *text;

    play_wild(&event, 80);
    options.legs = &event.legs;
    text = print(&event, &options, false);
    ck_assert_ptr_nonnull(strstr(text, "* Heavy tails (ant, bee): "));
    ck_assert_ptr_nonnull(strstr(text, "largest cube 1048576"));
    ck_assert_ptr_nonnull(strstr(text, "cube_limit"));
    ck_assert_ptr_null(strstr(text, "cat)"));
    free(text);
    text = print(&event, &options, true);
    ck_assert_ptr_nonnull(strstr(text, "\"heavy_tails\":true"));
    ck_assert_ptr_nonnull(strstr(text, "\"largest_cube\":1048576"));
    free(text);
    options.legs = NULL; /* during an event: by the spread alone */
    text = print(&event, &options, false);
    ck_assert_ptr_nonnull(strstr(text, "* Heavy tails: games of ant spread by"));
    free(text);
    end(&event);
    play_wild(&event, 0);
    options.legs = &event.legs;
    text = print(&event, &options, false);
    ck_assert_ptr_null(strstr(text, "eavy tails"));
    free(text);
    end(&event);
}

/* ------------------------------------------------------------------------- bootstrap */

/* Four bots, `step` apart (points per game or logits); both legs of a pair are equal in a share
 * `same` of cases, from a's view otherwise opposite. */
static void play_field(struct played_event *event, int length, int pairs, double step,
                       struct draw *draw)
{
    begin(event, length, BOTS);
    for (int a = 0; a < BOTS; a++) {
        for (int b = a + 1; b < BOTS; b++) {
            double chance = 0.5 + step * (b - a);

            for (int pair = 0; pair < pairs; pair++) {
                double x = draw_unit(draw), size = draw_unit(draw);
                int most = size < 0.7 ? 1 : size < 0.95 ? 2 : 4;

                play(event, a, b, pair, 0, x < chance ? most : -most, 0);
                x = draw_unit(draw) < 0.4 ? 1 - x : draw_unit(draw);
                play(event, a, b, pair, 1, x < chance ? most : -most, 0);
            }
        }
    }
    legs_close(&event->legs);
}

/* Half widths compared with the model's bars, over a few events. */
static void assert_like_the_bars(int length, int pairs)
{
    struct draw draw = DRAW_INIT(11);
    double ratings = 0, ppgs = 0, count = 0;
    int left_out = 0;

    for (int round = 0; round < 10; round++) {
        struct played_event event;
        struct summary summary;
        struct summary_options options = {.rating = RATING_OPTIONS_INIT, .bootstrap = 500};

        /* the bootstrap has no prior: where pairs are few, bots must be apart for it not to count
         */
        play_field(&event, length, pairs, pairs < 40 ? 0.12 : 0.05, &draw);
        options.legs = &event.legs;
        ck_assert_int_eq(summary_of(&summary, &event.tally, &options, NULL), BG_OK);
        for (int i = 0; i < BOTS; i++) {
            const struct bootstrap_range *rating = &summary.bootstrap.rating[i];
            const struct strength_bot *bot = &summary.strength.bot[i];
            const struct summary_bot *own = &summary.bot[i];

            if (bot->flag == RATING_APART) { /* honest money games: one event in a hundred */
                ck_assert(summary.strength.rejected && isnan(bot->rating) && isnan(rating->low));
                left_out++;
                continue;
            }
            ck_assert_double_lt(rating->low, bot->rating);
            ck_assert_double_gt(rating->high, bot->rating);
            ratings += (rating->high - rating->low) / 2 / bot->bar;
            if (length == 0) {
                const struct bootstrap_range *ppg = &summary.bootstrap.ppg[i];

                ppgs += (ppg->high - ppg->low) / 2 / summary_bar(own->ppg.se, own->ppg_df);
            }
            count++;
        }
        summary_deinit(&summary);
        end(&event);
    }
    ck_assert_int_le(left_out, 1);
    ck_assert_double_eq_tol(ratings / count, 1, pairs < 40 ? 0.08 : 0.05);
    if (length == 0) {
        ck_assert_double_eq_tol(ppgs / count, 1, 0.06);
    }
}

TEST_LOOP(the_bootstrap_is_as_wide_as_the_sandwich, 0, 2)
{
    static const int pairs[] = {12, 40};

    assert_like_the_bars(0, pairs[_i]);
    assert_like_the_bars(5, pairs[_i]);
}

static const struct {
    uint64_t n;
    double p;
} binomials[] = {{1, 0.3}, {12, 0.5}, {40, 0.02}, {500, 0.9}, {20000, 0.0001}, {500000, 0.25}};

TEST_ROWS(binomial_numbers_have_their_mean_and_spread, binomials)
{
    enum { DRAWS = 40000 };
    struct draw draw = DRAW_INIT(11);
    double n = (double)binomials[_i].n, p = binomials[_i].p, variance = n * p * (1 - p);
    double sum = 0, squares = 0;

    for (int i = 0; i < DRAWS; i++) {
        double off = (double)draw_binomial(&draw, binomials[_i].n, p) - n * p;

        ck_assert(off >= -n * p && off <= n - n * p);
        sum += off;
        squares += off * off;
    }
    ck_assert_double_eq_tol(sum / DRAWS, 0, 5 * sqrt(variance / DRAWS));
    ck_assert_double_eq_tol(squares / DRAWS / variance, 1, 0.06);
}

/* More pairs than are drawn one by one: the interval follows from their spread. */
TEST(very_many_pairs_are_drawn_by_kind)
{
    enum { PAIRS = 30000 };
    static const int dealt[] = {-4, -1, 2, 5};
    struct draw draw = DRAW_INIT(3);
    struct bootstrap bootstrap = {0};
    struct played_event event;
    double sum = 0, squares = 0, se, mean;

    begin(&event, 0, 2);
    for (int pair = 0; pair < PAIRS; pair++) {
        int points = dealt[draw_below(&draw, 4)];
        const struct leg leg = {.b = 1,
                                .pair = (uint64_t)pair,
                                .over = true,
                                .points = points,
                                .won = points > 0,
                                .first = points > 0,
                                .cube = 1,
                                .starter = -1};

        legs_add(&event.legs, &leg);
        sum += points;
        squares += points * points;
    }
    legs_close(&event.legs);
    mean = sum / PAIRS;
    se = sqrt((squares / PAIRS - mean * mean) / PAIRS);
    ck_assert_int_eq(bootstrap_of(&bootstrap, 2, &event.legs, 0, NULL, NULL), BG_OK);
    ck_assert_int_eq(bootstrap.draws, BOOTSTRAP_DRAWS);
    ck_assert_double_eq_tol(bootstrap.ppg[0].low, mean - 1.96 * se, 0.3 * se);
    ck_assert_double_eq_tol(bootstrap.ppg[0].high, mean + 1.96 * se, 0.3 * se);
    ck_assert_double_eq_tol(bootstrap.ppg[1].low, -bootstrap.ppg[0].high, 1e-9);
    bootstrap_deinit(&bootstrap);
    end(&event);
}

TEST(the_bootstrap_is_the_same_each_time)
{
    struct draw draw = DRAW_INIT(5);
    struct report_options options = REPORT_OPTIONS_INIT;
    struct played_event event;
    char *first, *second;

    play_field(&event, 5, 20, 0.05, &draw);
    options.legs = &event.legs;
    options.bootstrap = 100;
    first = print(&event, &options, true);
    second = print(&event, &options, true);
    ck_assert_int_eq(strcmp(first, second), 0);
    ck_assert_ptr_null(strstr(first, "\"rating_boot_low\":null"));
    ck_assert_ptr_nonnull(strstr(first, "\"bootstrap_draws\":100"));
    free(first);
    first = print(&event, &options, false);
    ck_assert_ptr_null(strstr(first, "no bootstrap if"));
    free(first);
    free(second);
    end(&event);
}

/* 4 bots, 9 pairs each: 27 clusters per bot are too few for a spread. */
TEST(few_clusters_have_no_bootstrap)
{
    struct draw draw = DRAW_INIT(5);
    struct report_options options = REPORT_OPTIONS_INIT;
    struct played_event event;
    char *text;

    play_field(&event, 0, 9, 0, &draw);
    options.legs = &event.legs;
    options.bootstrap = 100;
    text = print(&event, &options, true);
    ck_assert_ptr_nonnull(strstr(text, "\"rating_boot_low\":null"));
    ck_assert_ptr_nonnull(strstr(text, "\"ppg_boot_high\":null"));
    ck_assert_ptr_null(strstr(text, "\"ppg_boot_high\":0"));
    free(text);
    text = print(&event, &options, false);
    ck_assert_ptr_nonnull(strstr(text, "No bootstrap intervals: each bot needs 30 clusters"));
    free(text);
    end(&event);
}

/* --------------------------------------------------------------------------- effects */

/* 40 pairs in which the starter (the same seat in both legs) wins by `gain` more, seat 0 by `seat`
 * more, and a by `strength` more. */
static void play_effects(struct played_event *event, int gain, int seat, int strength)
{
    begin(event, 0, 2);
    for (int pair = 0; pair < 40; pair++) {
        int starter = pair % 2;

        for (int leg = 0; leg < 2; leg++) {
            int a_seat = leg, points = 100 + strength + (pair % 4 < 2 ? 3 : -3);

            points += (starter == a_seat ? gain : -gain) + (a_seat == 0 ? seat : -seat);
            play(event, 0, 1, pair, leg, points, starter);
        }
    }
    legs_close(&event->legs);
}

TEST(effects_do_not_contain_strength)
{
    struct played_event event;
    struct effect effect[EFFECT_KINDS];

    play_effects(&event, 5, 2, 11);
    effects_of(effect, &event.legs);
    ck_assert_double_eq(effect[EFFECT_SEAT].clusters, 40);
    ck_assert_double_eq(effect[EFFECT_SEAT].legs, 80);
    ck_assert_double_eq_tol(effect[EFFECT_SEAT].estimate, 2, 1e-9);
    ck_assert_double_eq_tol(effect[EFFECT_STARTER].estimate, 5, 1e-9);
    ck_assert_double_eq_tol(effect[EFFECT_STARTER_LEG0].estimate, 5, 1e-9);
    ck_assert_double_eq_tol(effect[EFFECT_STARTER_APART].estimate, 0, 1e-9);
    ck_assert_double_gt(effect[EFFECT_STARTER_LEG0].se, 10); /* a's strength is noise there */
    ck_assert_double_eq_tol(effect[EFFECT_STARTER_GAME].estimate, 0, 1e-9); /* a wins them all */
    end(&event);
}

TEST(effects_need_thirty_pairs_with_both_legs)
{
    struct played_event event;
    struct effect effect[EFFECT_KINDS];
    struct draw draw = DRAW_INIT(2);

    begin(&event, 0, 2);
    for (int pair = 0; pair < 40; pair++) { /* 29 of them whole */
        int starter = (int)draw_below(&draw, 2);

        play(&event, 0, 1, pair, 0, 1 + (int)draw_below(&draw, 3), starter);
        if (pair < 29) {
            play(&event, 0, 1, pair, 1, -1 - (int)draw_below(&draw, 3), starter);
        }
    }
    legs_close(&event.legs);
    effects_of(effect, &event.legs);
    ck_assert_double_eq(effect[EFFECT_SEAT].clusters, 29);
    ck_assert(isfinite(effect[EFFECT_SEAT].estimate) && isnan(effect[EFFECT_SEAT].se));
    ck_assert_double_eq(effect[EFFECT_STARTER].clusters, 40);
    ck_assert(isfinite(effect[EFFECT_STARTER].low));
    end(&event);
}

/* ----------------------------------------------------------------------------- drift */

/* Encounter 0-1 changes by `change` from the first pair to the last; the others do not change. */
static void play_drift(struct played_event *event, int pairs, double change, struct draw *draw)
{
    begin(event, 0, 3);
    for (int a = 0; a < 3; a++) {
        for (int b = a + 1; b < 3; b++) {
            for (int pair = 0; pair < pairs; pair++) {
                double now = a == 0 && b == 1 ? change * pair / (pairs - 1) : 0;

                for (int leg = 0; leg < 2; leg++) {
                    play(event, a, b, pair, leg, (int)lrint(1000 * (now + draw_normal(draw))), 0);
                }
            }
        }
    }
    legs_close(&event->legs);
}

TEST(a_drifting_bot_is_found)
{
    struct draw draw = DRAW_INIT(8);
    struct played_event event;
    struct drift *drift;
    size_t count;

    play_drift(&event, 60, 2, &draw);
    drift = drift_of(&count, &event.legs);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(drift[0].a, 0);
    ck_assert_int_eq(drift[0].b, 1);
    ck_assert_double_lt(drift[0].p_holm, 0.01);
    ck_assert_double_lt(drift[0].low, 2000);
    ck_assert_double_gt(drift[0].high, 2000);
    ck_assert_double_gt(drift[1].p_holm, 0.05);
    ck_assert_double_gt(drift[2].p_holm, 0.05);
    free(drift);
    end(&event);
    play_drift(&event, 29, 2, &draw);
    drift = drift_of(&count, &event.legs);
    ck_assert_uint_eq(count, 0);
    free(drift);
    end(&event);
}

/* If entered in another order, the same is seen from the other side. */
TEST(drift_is_seen_from_the_bot_entered_first)
{
    for (int order = 0; order < 2; order++) {
        struct played_event event = {0};
        struct drift *drift;
        size_t count;

        tally_init(&event.tally, 0);
        tally_add_bot(&event.tally, name[order]);
        tally_add_bot(&event.tally, name[1 - order]);
        for (int pair = 0; pair < 40; pair++) { /* ant gains */
            play(&event, 0, 1, pair, 0, pair % 3 == 0 ? -1 : 1 + pair, 0);
        }
        play(&event, 1, 2, 0, 0, 1, 0); /* comes last, and is too short to be tested */
        legs_close(&event.legs);
        drift = drift_of(&count, &event.legs);
        ck_assert_uint_eq(count, 1);
        ck_assert_int_eq(drift->a, 0);
        ck_assert_int_eq(drift->b, 1);
        ck_assert(order == 0 ? drift->change > 5 : drift->change < -5);
        ck_assert_double_lt(drift->low, drift->change);
        ck_assert_double_gt(drift->high, drift->change);
        free(drift);
        end(&event);
    }
}

TEST(a_steady_bot_is_not_flagged)
{
    struct draw draw = DRAW_INIT(9);
    int alarms = 0, out = 0;

    for (int round = 0; round < 400; round++) {
        struct played_event event;
        struct drift *drift;
        size_t count;

        play_drift(&event, 30, 0, &draw);
        drift = drift_of(&count, &event.legs);
        alarms += drift[0].p_holm < 0.05 || drift[1].p_holm < 0.05 || drift[2].p_holm < 0.05;
        out += drift[0].low > 0 || drift[0].high < 0;
        free(drift);
        end(&event);
    }
    ck_assert_int_le(alarms, 34); /* 20 are expected; three standard errors more */
    ck_assert_int_ge(alarms, 6);
    ck_assert_int_le(out, 34);
    ck_assert_int_ge(out, 6);
}
