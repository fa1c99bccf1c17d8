/* Points per game and errors were computed by a few lines of Python from the formula (of clusters
 * with D points in n games: m = sum D / sum n, error = sqrt(c / (c - 1) * sum (D - m n)^2) / sum
 * n).
 */
#include "support/suite.h"

#include <math.h>

#include <base/utc.h>
#include <sums/rating_history.h>

enum { PAIRS = 50, BEGUN_S = 1000000, EACH_S = 60, SECOND_LEG_S = 50 };

static void add_pair(struct legs *legs, int pair, int length_points)
{
    for (int leg = 0; leg < 2; leg++) {
        const double points = leg == 0 ? pair * 7 % 5 - 2 : pair * 3 % 4 - 1;

        legs_add(legs, &(struct leg){.a = 0,
                                     .b = 1,
                                     .length_points = length_points,
                                     .pair = (uint64_t)pair,
                                     .points = points,
                                     .won = points > 0,
                                     .leg = (int8_t)leg,
                                     .over = true});
    }
}

static struct rating_history_date date_of(int pair, int leg)
{
    return (struct rating_history_date){0, 1, (uint64_t)pair, leg,
                                        BEGUN_S + pair * EACH_S + leg * SECOND_LEG_S};
}

/* Two bots, fifty pairs whose second legs end 50 s after the first ones. */
struct played {
    struct legs legs;
    struct rating_history_date date[2 * PAIRS];
    uint8_t point[2 * PAIRS];
    int64_t at_s[RATING_HISTORY_POINTS];
};

static struct played play(int length_points)
{
    struct played played = {.legs = {0}};

    for (int pair = 0; pair < PAIRS; pair++) {
        add_pair(&played.legs, pair, length_points);
        for (int leg = 0; leg < 2; leg++) { /* the last first: any order will do */
            played.date[2 * PAIRS - 1 - 2 * pair - leg] = date_of(pair, leg);
        }
    }
    legs_close(&played.legs);
    return played;
}

TEST(points_per_game_are_those_of_the_legs_that_had_ended)
{
    static const struct {
        int point;
        uint64_t legs;
        double ppg, se;
    } golden[] = {{21, 53, 0.20754716981132076, 0.18076863687172387},
                  {40, 100, 0.25, 0.131125426790613}};
    const struct rating_options options = RATING_OPTIONS_INIT;
    struct played played = play(0);
    struct rating_history history;

    ck_assert(
        rating_history_by_date(played.point, played.at_s, &played.legs, played.date, 2 * PAIRS));
    ck_assert_int_eq(played.at_s[0], BEGUN_S);
    ck_assert_int_eq(played.at_s[21], 1001569);
    ck_assert_int_eq(rating_history_of(&history, 2, &played.legs, played.point, &options, NULL),
                     BG_OK);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        const struct rating_then *then = &history.rating[2 * golden[i].point];

        ck_assert_uint_eq(history.legs[golden[i].point], golden[i].legs);
        ck_assert_double_eq_tol(then[0].rating, golden[i].ppg, 1e-12);
        ck_assert_double_eq_tol(then[1].rating, -golden[i].ppg, 1e-12);
        ck_assert_double_eq_tol(then[0].se, golden[i].se, 1e-12);
    }
    ck_assert_msg(isnan(history.rating[0].se), "one game has no error");
    rating_history_deinit(&history);
    legs_deinit(&played.legs);
}

TEST(the_last_ratings_of_matches_are_those_of_all)
{
    const struct rating_options options = RATING_OPTIONS_INIT;
    struct played played = play(5);
    struct rating_history all, late = {.rating = NULL};
    uint8_t first[2 * PAIRS] = {0};

    ck_assert(
        rating_history_by_date(played.point, played.at_s, &played.legs, played.date, 2 * PAIRS));
    ck_assert_int_eq(rating_history_of(&late, 2, &played.legs, played.point, &options, NULL),
                     BG_OK);
    ck_assert_int_eq(rating_history_of(&all, 2, &played.legs, first, &options, NULL), BG_OK);
    for (int bot = 0; bot < 2; bot++) {
        const int last = 2 * (RATING_HISTORY_POINTS - 1) + bot;

        ck_assert_double_eq_tol(late.rating[last].rating, all.rating[bot].rating, 1e-9);
        ck_assert_double_eq_tol(late.rating[last].se, all.rating[bot].se, 1e-9);
        ck_assert_double_eq(all.rating[last].rating, all.rating[bot].rating); /* nights */
        ck_assert_double_gt(late.rating[20 + bot].se, late.rating[last].se);
    }
    rating_history_deinit(&late);
    rating_history_deinit(&all);
    legs_deinit(&played.legs);
}

TEST(a_leg_that_was_not_looked_up_has_the_date_of_the_one_before)
{
    struct played played = play(0);
    struct rating_history_date some[] = {date_of(0, 0), date_of(10, 0), date_of(49, 0)};

    ck_assert(rating_history_by_date(played.point, played.at_s, &played.legs, some, 3));
    ck_assert_int_eq(played.point[2 * 10 - 1], 0);
    ck_assert_int_eq(played.point[2 * 10], 9); /* 600 of 2940 s: 8.2 of 40 parts */
    ck_assert_int_eq(played.point[2 * 49 - 1], 9);
    ck_assert_int_eq(played.point[2 * 49 + 1], 40);
    legs_deinit(&played.legs);
}

TEST(without_dates_and_within_a_minute_there_are_no_points_by_date)
{
    struct played played = play(0);
    struct rating_history_date some[] = {date_of(1, 0), date_of(2, 0)};

    ck_assert_msg(!rating_history_by_date(played.point, played.at_s, &played.legs, some, 2),
                  "pair 0 has no date");
    some[0] = date_of(0, 0);
    some[1].at_s = 0;
    ck_assert_msg(!rating_history_by_date(played.point, played.at_s, &played.legs, some, 2),
                  "the time of a game is not known");
    some[1].at_s = BEGUN_S + RATING_HISTORY_SHORT_S - 1;
    ck_assert(!rating_history_by_date(played.point, played.at_s, &played.legs, some, 2));
    some[1].at_s++;
    ck_assert(rating_history_by_date(played.point, played.at_s, &played.legs, some, 2));
    some[1].at_s = UTC_YEAR_10000;
    ck_assert_msg(!rating_history_by_date(played.point, played.at_s, &played.legs, some, 2),
                  "no clock had this time");
    legs_deinit(&played.legs);
}

TEST(with_many_encounters_only_some_points_are_rated)
{
    enum { BOTS = 18, LAST = RATING_HISTORY_POINTS - 1 };
    const struct rating_options options = RATING_OPTIONS_INIT;
    struct legs legs = {0};
    uint8_t point[BOTS * BOTS], first[BOTS * BOTS] = {0};
    struct rating_history some, all;

    for (int a = 0; a < BOTS; a++) {
        for (int b = a + 1; b < BOTS; b++) {
            point[legs.count] = (uint8_t)(legs.count % RATING_HISTORY_POINTS);
            legs_add(
                &legs,
                &(struct leg){
                    .a = a, .b = b, .length_points = 5, .won = (a + b) % 3 == 0, .over = true});
        }
    }
    ck_assert_int_eq(rating_history_of(&some, BOTS, &legs, point, &options, NULL), BG_OK);
    ck_assert_int_eq(rating_history_of(&all, BOTS, &legs, first, &options, NULL), BG_OK);
    ck_assert_int_eq(some.step, 2); /* 153 encounters */
    ck_assert_double_eq(some.rating[(LAST - 1) * BOTS].rating, 0);
    for (int bot = 0; bot < BOTS; bot++) {
        ck_assert_double_eq_tol(some.rating[LAST * BOTS + bot].rating,
                                all.rating[LAST * BOTS + bot].rating, 1e-9);
    }
    ck_assert_uint_lt(some.legs[LAST - 2], some.legs[LAST - 1]);
    rating_history_deinit(&some);
    rating_history_deinit(&all);
    legs_deinit(&legs);
}
