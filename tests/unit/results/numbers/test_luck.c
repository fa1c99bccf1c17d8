/* Luck of rolls and adjusted results. */
#include <numbers/luck.h>

#include <math.h>
#include <stdlib.h>

#include <numbers/draw.h>
#include <numbers/ppg.h>

#include "support/vector.h"
#include "support/suite.h"

TEST(rolls_have_their_places_and_weights)
{
    int weight = 0, place = 0;

    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            ck_assert_int_eq(luck_roll_index(high, low), place);
            ck_assert_int_eq(luck_roll_index(low, high), place);
            ck_assert_int_eq(luck_roll_weight(place), high == low ? 1 : 2);
            weight += luck_roll_weight(place++);
        }
    }
    ck_assert_int_eq(place, LUCK_ROLLS);
    ck_assert_int_eq(weight, 36);
}

/* For any values, the luck of all rolls sums to zero. */
TEST(luck_of_all_rolls_sums_to_zero)
{
    double after[LUCK_ROLLS], other[LUCK_ROLLS], sum = 0, opening = 0;
    struct luck_roll roll;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        after[i] = sin(i * 1.7);
        other[i] = cos(i * 0.3);
    }
    for (int i = 0; i < LUCK_ROLLS; i++) {
        ck_assert(luck_of_roll(&roll, after, i));
        sum += luck_roll_weight(i) * roll.luck;
        if (luck_roll_weight(i) == 2) {
            ck_assert(luck_of_opening(&roll, after, other, i, LUCK_POINTS));
            opening += roll.luck;
            ck_assert(luck_of_opening(&roll, other, after, i, LUCK_POINTS));
            opening -= roll.luck; /* the other side starts: from the first side's view */
        }
    }
    ck_assert_double_eq_tol(sum, 0, 1e-12);
    ck_assert_double_eq_tol(opening, 0, 1e-12);
}

TEST(opening_of_two_equal_sides)
{
    double money[LUCK_ROLLS], match[LUCK_ROLLS];
    struct luck_roll roll;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        bool doubles = luck_roll_weight(i) == 1;

        money[i] = doubles ? NAN : 0.01 * i - 0.05;
        match[i] = doubles ? NAN : 0.5 + 0.01 * i - 0.05;
    }
    ck_assert(luck_of_opening(&roll, money, money, luck_roll_index(3, 1), LUCK_POINTS));
    ck_assert_double_eq_tol(roll.before, 0, 1e-15);
    ck_assert_double_eq_tol(roll.luck, -0.02, 1e-15);
    ck_assert(luck_of_opening(&roll, match, match, luck_roll_index(3, 1), LUCK_MWC));
    ck_assert_double_eq_tol(roll.before, 0.5, 1e-15);
    ck_assert(!luck_of_opening(&roll, money, money, luck_roll_index(4, 4), LUCK_POINTS));
    ck_assert(isnan(roll.luck) && isnan(roll.before));
    /* the starter is known: the plain mean of the fifteen */
    ck_assert(luck_of_roll(&roll, money, luck_roll_index(3, 1)));
    ck_assert_double_eq_tol(roll.before, 0.01 * (210 - 50) / 15 - 0.05, 1e-15);
    ck_assert(!luck_of_roll(&roll, money, luck_roll_index(4, 4)));
    money[1] = NAN;
    ck_assert(!luck_of_opening(&roll, money, match, luck_roll_index(3, 1), LUCK_POINTS));
}

TEST(sides)
{
    ck_assert_double_eq(luck_other_side(LUCK_POINTS, 2), -2);
    ck_assert_double_eq(luck_other_side(LUCK_MWC, 0.25), 0.75);
    ck_assert_double_eq(luck_adjusted(2, 0.5, -0.25), 1.25);
}

static unsigned health_of(const struct luck_summary *summary)
{
    struct luck_checked health;

    luck_health_of(&health, &summary, 1, 2);
    return health.warnings;
}

/* --- sets of games ----------------------------------------------------------------------- */

/* Four games in two pairs, computed by hand. */
TEST(a_small_set)
{
    static const struct luck_result games[] = {{.cluster = 0, .result = 2, .luck = 1.5},
                                               {.cluster = 0, .result = -1, .luck = -1.5},
                                               {.cluster = 1, .result = 1, .luck = 1},
                                               {.cluster = 1, .result = -2, .luck = -2}};
    struct luck_rolls rolls[2] = {{0}};
    struct luck_summary s;

    for (int i = 0; i < 4; i++) {
        luck_rolls_add(&rolls[0], i); /* mean 1.5, sum of squares 5 */
    }
    luck_rolls_add(&rolls[1], 0.25);
    luck_summary_of(&s, LUCK_POINTS, games, 4, rolls);
    ck_assert_double_eq(s.results, 4);
    ck_assert_double_eq(s.clusters, 2);
    ck_assert_double_eq_tol(s.plain.mean, 0, 1e-12);
    ck_assert_double_eq_tol(s.plain.se, sqrt(2.0 * 2) / 4, 1e-12);
    ck_assert_double_eq_tol(s.plain.sd, sqrt(10.0 / 3), 1e-12);
    /* adjusted 0.5, 0.5, 0, 0 */
    ck_assert_double_eq_tol(s.adjusted.mean, 0.25, 1e-12);
    ck_assert_double_eq_tol(s.adjusted.se, sqrt(2.0 * 0.5) / 4, 1e-12);
    ck_assert_double_eq(s.adjusted.df, 1);
    ck_assert_double_eq_tol(s.adjusted.los, 0.75, 1e-9); /* Student's t of 1, one degree */
    ck_assert_double_eq_tol(s.adjusted.ci[1], 0.25 + 12.7062 * s.adjusted.se, 1e-4);
    ck_assert_double_eq_tol(s.difference.mean, 0.25, 1e-12);
    ck_assert(isnan(s.difference.los));
    /* luck about its mean: 1.75, -1.25, 1.25, -1.75 */
    ck_assert_double_eq_tol(s.coefficient, (3.5 + 1.25 + 1.25 + 3.5) / 9.25, 1e-12);
    ck_assert_double_eq_tol(s.ratio, (10.0 / 3) / (0.25 / 3), 1e-9);
    ck_assert_double_gt(s.ratio_fitted, s.ratio);
    ck_assert_double_eq_tol(s.roll_mean[0], 1.5, 1e-12);
    ck_assert_double_eq_tol(s.roll_se[0], sqrt(5.0 / 3 / 4), 1e-12);
    ck_assert_double_eq_tol(s.roll_mean[1], 0.25, 1e-12);
    ck_assert(isnan(s.roll_se[1]));
}

TEST(matches_are_even_at_one_half)
{
    static const struct luck_result matches[] = {{.cluster = 0, .result = 1, .luck = 0.4},
                                                 {.cluster = 0, .result = 0, .luck = -0.4},
                                                 {.cluster = 1, .result = 1, .luck = 0.5},
                                                 {.cluster = 2, .result = 0, .luck = -0.5}};
    struct luck_summary s;

    luck_summary_of(&s, LUCK_MWC, matches, 4, NULL);
    ck_assert_double_eq_tol(s.plain.los, 0.5, 1e-12);
    ck_assert_double_eq_tol(s.adjusted.mean, 0.5, 1e-12);
    ck_assert_double_eq_tol(s.adjusted.los, 0.5, 1e-12);
    ck_assert_int_eq(health_of(&s) & LUCK_ROLLS_BIASED, 0);
}

/* Identical bots: pairs cancel except for rounding errors of long sums. */
TEST(rounding_does_not_separate_equal_bots)
{
    struct luck_result games[40];
    struct luck_summary s;

    for (int i = 0; i < 20; i++) {
        double luck = 1 / (i + 3.0), residue = 1e-16 * (i % 3 + 1);

        games[2 * i] =
            (struct luck_result){.cluster = (uint64_t)i, .result = 1, .luck = luck + residue};
        games[2 * i + 1] =
            (struct luck_result){.cluster = (uint64_t)i, .result = -1, .luck = -luck};
    }
    luck_summary_of(&s, LUCK_POINTS, games, 40, NULL);
    ck_assert_double_eq(s.adjusted.se, 0);
    ck_assert_double_eq(s.adjusted.los, 0.5);
    ck_assert_double_eq(s.difference.se, 0);
    ck_assert_int_eq(health_of(&s) & LUCK_RESULTS_APART, 0);
}

/* A bot with three opponents of different strength: the spread around each mean counts, also with
 * few pairs. */
TEST(a_bot_s_interval_is_about_the_means_against_its_opponents)
{
    enum { EVENTS = 4000, OPPONENTS = 3, PAIRS = 5 };
    static const double truth[OPPONENTS] = {-2, 0, 5};
    struct draw draw = DRAW_INIT(7);
    double covered = 0, width = 0;

    for (int event = 0; event < EVENTS; event++) {
        struct luck_result games[2 * OPPONENTS * PAIRS];
        struct luck_summary s;
        size_t count = 0;

        for (int opponent = 0; opponent < OPPONENTS; opponent++) {
            for (int pair = 0; pair < PAIRS; pair++) {
                for (int leg = 0; leg < 2; leg++) {
                    games[count++] =
                        (struct luck_result){.cluster = (uint64_t)(opponent * PAIRS + pair),
                                             .against = opponent,
                                             .result = truth[opponent] + draw_normal(&draw)};
                }
            }
        }
        luck_summary_of(&s, LUCK_POINTS, games, count, NULL);
        covered += s.adjusted.ci[0] <= 1 && s.adjusted.ci[1] >= 1;
        width += (s.adjusted.ci[1] - s.adjusted.ci[0]) / 2 / EVENTS;
    }
    ck_assert_double_gt(covered / EVENTS, 0.93);
    ck_assert_double_lt(covered / EVENTS, 0.97);
    /* 30 games of deviation 1, t of nearly 12 degrees */
    ck_assert_double_eq_tol(width, 2.2 / sqrt(30), 0.02);
}

/* Against one opponent there was one pair: it gets the pooled variance of the others. */
TEST(a_single_pair_uses_the_pooled_variance)
{
    static const struct luck_result games[] = {{.cluster = 0, .against = 0, .result = 1},
                                               {.cluster = 1, .against = 0, .result = 3},
                                               {.cluster = 2, .against = 1, .result = 9}};
    struct luck_summary s;

    luck_summary_of(&s, LUCK_POINTS, games, 3, NULL);
    ck_assert_double_eq_tol(s.plain.se, sqrt(3 * 2.0) / 3, 1e-12); /* variance 2 of each */
    ck_assert_double_eq_tol(s.plain.df, 1, 1e-12);
    luck_summary_of(&s, LUCK_POINTS, games + 1, 2, NULL);
    ck_assert(isnan(s.plain.se) && isnan(s.plain.ci[0]) && isnan(s.plain.los));
    ck_assert_double_eq(s.plain.mean, 6);
}

TEST(small_sets_have_wide_intervals)
{
    static const struct luck_result one = {.cluster = 3, .result = 2, .luck = 0.5};
    struct luck_summary s;

    luck_summary_of(&s, LUCK_POINTS, NULL, 0, NULL);
    ck_assert(isnan(s.plain.mean) && isnan(s.adjusted.mean) && isnan(s.coefficient));
    ck_assert(isnan(s.ratio) && isnan(s.roll_mean[0]) && s.results == 0);
    ck_assert_int_eq(health_of(&s), LUCK_HEALTHY);
    luck_summary_of(&s, LUCK_POINTS, &one, 1, NULL);
    ck_assert_double_eq(s.adjusted.mean, 1.5);
    ck_assert(isnan(s.adjusted.se) && isnan(s.adjusted.sd) && isnan(s.ratio));
}

static const struct {
    const char *name;
    struct luck_summary summary;
    unsigned health;
} patients[] = {
    {"a good judge",
     {.coefficient = 1.02, .ratio = 40, .roll_mean = {0.001, 0.002}, .roll_se = {0.001, 0.001}},
     LUCK_HEALTHY},
    {"loaded dice",
     {.coefficient = 1, .ratio = 40, .roll_mean = {0, -0.004}, .roll_se = {0.001, 0.001}},
     LUCK_ROLLS_BIASED},
    {"results apart",
     {.coefficient = 1, .ratio = 40, .difference = {.mean = 0.2, .se = 0.05}},
     LUCK_RESULTS_APART},
    {"a judge that guesses, or blunders of others",
     {.coefficient = 0.28, .ratio = 0.8},
     LUCK_UNCLEAR},
    {"blunders of others",
     {.coefficient = 0.28,
      .ratio = 0.8,
      .itself = {.mean = 0},
      .own_coefficient = 1,
      .own_ratio = 30},
     LUCK_HEALTHY},
    {"a judge that guesses",
     {.coefficient = 0.28,
      .ratio = 0.8,
      .itself = {.mean = 0},
      .own_coefficient = 0.3,
      .own_ratio = 1,
      .strong = {.clusters = LUCK_CLUSTERS, .coefficient = 0.3, .ratio = 1}},
     LUCK_JUDGE_WEAK | LUCK_SCALE_OFF},
    {"the same where nobody plays well in its eyes",
     {.coefficient = 0.28,
      .ratio = 0.8,
      .itself = {.mean = 0},
      .own_coefficient = 0.3,
      .own_ratio = 1,
      .strong = {.clusters = LUCK_CLUSTERS - 1, .coefficient = 0.3, .ratio = 1}},
     LUCK_UNCLEAR},
    {"the judge sees a cube that is not there",
     {.coefficient = 0.81,
      .ratio = 8,
      .itself = {.mean = 0},
      .own_coefficient = 0.81,
      .own_ratio = 8,
      .strong = {.clusters = 50, .coefficient = 0.81, .ratio = 8}},
     LUCK_SCALE_OFF},
    {"a coarse judge",
     {.coefficient = 0.95,
      .ratio = 2.9,
      .itself = {.mean = 0},
      .own_coefficient = 1,
      .own_ratio = 2.9,
      .strong = {.clusters = 50, .coefficient = 1, .ratio = 2.9}},
     LUCK_JUDGE_WEAK},
    {"a good judge, most of whose games are weak play",
     {.coefficient = 0.28,
      .ratio = 0.8,
      .itself = {.mean = 0},
      .own_coefficient = 1,
      .own_ratio = 2.3,
      .strong = {.clusters = 30, .coefficient = 1, .ratio = 20}},
     LUCK_HEALTHY},
};

TEST_ROWS(health, patients)
{
    struct luck_summary patient = patients[_i].summary;

    if (patients[_i].summary.own_ratio == 0) {
        patient.itself.mean = NAN;
    }
    ck_assert_int_eq(health_of(&patient), LUCK_HEALTHY); /* no claim from 0 clusters */
    patient.clusters = LUCK_CLUSTERS;
    ck_assert_msg(health_of(&patient) == patients[_i].health, "%s: %u", patients[_i].name,
                  health_of(&patient));
}

/* 3.2 SE raises an alarm in a single row, not among twenty; 5 SE does in both. */
TEST(many_rows_are_tested_jointly)
{
    struct luck_summary healthy = {.clusters = 100,
                                   .coefficient = 1,
                                   .ratio = 40,
                                   .itself = {NAN},
                                   .difference = {.mean = 0.01, .se = 0.01}};
    struct luck_summary odd = healthy, wrong = healthy;
    const struct luck_summary *rows[20];
    struct luck_checked found[20];

    odd.difference.mean = 0.032;
    wrong.difference.mean = 0.05;
    ck_assert_int_eq(health_of(&odd), LUCK_RESULTS_APART);
    for (int i = 0; i < 20; i++) {
        rows[i] = i == 4 ? &odd : &healthy;
    }
    luck_health_of(found, rows, 20, 2);
    ck_assert_int_eq(found[4].warnings, LUCK_HEALTHY);
    ck_assert_double_eq_tol(found[4].apart_p, 20 * erfc(3.2 / sqrt(2)), 1e-9);
    ck_assert_double_eq(found[0].apart_p, 1);
    ck_assert_double_eq(found[4].rolls_p, 1);
    rows[7] = &wrong;
    luck_health_of(found, rows, 20, 2);
    ck_assert_int_eq(found[7].warnings, LUCK_RESULTS_APART);
    ck_assert_double_eq_tol(found[7].apart_p, 20 * erfc(5 / sqrt(2)), 1e-9);
    ck_assert_double_eq_tol(found[4].apart_p, 19 * erfc(3.2 / sqrt(2)), 1e-9);
    ck_assert_int_eq(found[0].warnings, LUCK_HEALTHY);
}

/* --- judges with a bug, in a game with known values ----------------------------------------- */

enum { LEAD_MAX = 60 };

/* Two sides roll in turn; the first side that is 60 pips ahead of the average wins. Each step of
 * the lead is fair, so it is worth its share of 60, except the last step, which a judge cannot
 * know.
 */
static double value_of(double lead)
{
    return lead / LEAD_MAX;
}

enum bug { BUG_NONE, BUG_WEIGHTS, BUG_DEPTH };

static double pips[LUCK_ROLLS]; /* of each roll, minus the average of 49/6 */

static void fill_pips(void)
{
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            pips[luck_roll_index(high, low)] = (high == low ? 4 * high : high + low) - 49.0 / 6;
        }
    }
}

/* The judge's luck of a roll with this lead before it: the weights may all be equal, and the played
 * roll may be valued with another evaluation than the 21. */
static double judged_luck(double lead, int index, enum bug bug)
{
    double after[LUCK_ROLLS], sum = 0;
    struct luck_roll roll;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        after[i] = value_of(lead + pips[i]);
        sum += after[i];
    }
    ck_assert(luck_of_roll(&roll, after, index));
    if (bug == BUG_WEIGHTS) {
        return after[index] - sum / LUCK_ROLLS;
    }
    if (bug == BUG_DEPTH) { /* the next roll is also known, which is worth a little */
        return roll.luck + 0.005 * (1 - after[index] * after[index]);
    }
    return roll.luck;
}

static uint64_t random_state;

static int throw(void)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return 1 + (int)((random_state >> 33) % 6);
}

/* Games of equal sides, judged; the luck of their rolls, and of the whole. */
static void play_judged(struct luck_summary *out, int games, enum bug bug)
{
    struct luck_result *result = calloc((size_t)games, sizeof *result);
    struct luck_rolls rolls[2] = {{0}};

    fill_pips();
    random_state = 7;
    for (int g = 0; g < games; g++) {
        double lead = 0, luck[2] = {0, 0}; /* of side 0 */

        for (int turn = 0; fabs(lead) < LEAD_MAX; turn++) {
            int side = turn % 2, index = luck_roll_index(throw(), throw());
            double own = side == 0 ? lead : -lead, lucky = judged_luck(own, index, bug);

            luck[side] += lucky;
            luck_rolls_add(&rolls[side], lucky);
            own += pips[index];
            lead = side == 0 ? own : -own;
        }
        result[g] = (struct luck_result){
            .cluster = (uint64_t)g, .result = lead > 0 ? 1 : -1, .luck = luck[0] - luck[1]};
    }
    luck_summary_of(out, LUCK_POINTS, result, (size_t)games, rolls);
    free(result);
}

static const struct {
    enum bug bug;
    unsigned alarm;
} bugs[] = {{BUG_NONE, 0}, {BUG_WEIGHTS, LUCK_ROLLS_BIASED}, {BUG_DEPTH, LUCK_ROLLS_BIASED}};

TEST_ROWS(a_judge_with_a_bug_raises_an_alarm, bugs)
{
    struct luck_summary summary;

    play_judged(&summary, 250, bugs[_i].bug);
    ck_assert_int_eq(health_of(&summary) & (LUCK_ROLLS_BIASED | LUCK_RESULTS_APART),
                     bugs[_i].alarm);
    ck_assert_double_gt(summary.ratio, 3);
}

/* After returning the errors, the judge's own remain. */
TEST(a_judge_without_mistakes_agrees_with_itself)
{
    struct luck_result games[40];
    struct luck_summary s;

    for (int i = 0; i < 40; i++) {
        double loss = i % 5 == 0 ? 0.75 : 0, luck = (i % 2 == 0 ? 1 : -1) + loss;

        games[i] = (struct luck_result){.cluster = (uint64_t)i,
                                        .result = i % 2 == 0 ? 1 : -1,
                                        .luck = luck,
                                        .has_loss = true,
                                        .loss = loss};
    }
    luck_summary_of(&s, LUCK_POINTS, games, 40, NULL);
    ck_assert_double_eq_tol(s.adjusted.mean, -0.15, 1e-12);
    ck_assert_double_eq_tol(s.itself.mean, 0, 1e-12);
    ck_assert_double_eq_tol(s.itself.sd, 0, 1e-12);
    ck_assert_double_eq_tol(s.own_coefficient, 1, 1e-12);
    games[3].has_loss = false;
    luck_summary_of(&s, LUCK_POINTS, games, 40, NULL);
    ck_assert(isnan(s.itself.mean) && isnan(s.own_ratio));
}

/* One game of 50 turns: the luck of each, the mistakes of both sides, and what a judge sees of
 * them: luck with `noise` a turn, mistakes with an error in proportion to their size. */
struct judged_world {
    const char *name;
    double mistake; /* mean of a turn, exponential */
    double noise;
    double seen;            /* share of a mistake's size that its error has */
    double false_mistake;   /* it sees where none is, mean of a turn */
    unsigned never, always; /* warnings */
};

static const struct judged_world worlds[] = {
    {"a good judge of strong play", 0.005, 0.03, 0.5, 0, LUCK_JUDGE_WEAK | LUCK_UNCLEAR, 0},
    {"a good judge of weak play", 0.2, 0.03, 1.0, 0.01, LUCK_JUDGE_WEAK, LUCK_UNCLEAR},
    {"a bad judge of play like its own", 0, 0.3, 0, 0, 0, LUCK_JUDGE_WEAK},
    {"a bad judge of other play", 0.005, 0.3, 0.5, 0.1, LUCK_JUDGE_WEAK, LUCK_UNCLEAR},
};

static struct luck_result judged_game(struct draw *draw, const struct judged_world *world)
{
    enum { TURNS = 50 };
    struct luck_result game = {.has_loss = true};

    for (int turn = 0; turn < TURNS; turn++) {
        double luck = 0.2 * draw_normal(draw), side = turn % 2 == 0 ? 1 : -1;
        double mistake = -world->mistake * log(1 - draw_unit(draw));
        double found = mistake * (1 + world->seen * draw_normal(draw)) -
                       world->false_mistake * log(1 - draw_unit(draw));

        found = found < 0 ? 0 : found;
        game.result += luck - side * mistake;
        game.luck += luck + world->noise * draw_normal(draw);
        game.loss += side * found;
        game.error += found / TURNS;
    }
    return game;
}

/* Only strong play can show that a judge is weak. */
TEST_ROWS(bad_play_does_not_make_a_weak_judge, worlds)
{
    enum { EVENTS = 100, GAMES = 100 };
    const struct judged_world *world = &worlds[_i];
    struct draw draw = DRAW_INIT(5 + (uint64_t)_i);
    int poor = 0;

    for (int event = 0; event < EVENTS; event++) {
        struct luck_result games[GAMES];
        struct luck_summary s;
        unsigned found;

        for (int i = 0; i < GAMES; i++) {
            games[i] = judged_game(&draw, world);
            games[i].cluster = (uint64_t)i;
        }
        luck_summary_of(&s, LUCK_POINTS, games, GAMES, NULL);
        found = health_of(&s) & ~(unsigned)LUCK_RESULTS_APART;
        ck_assert_msg((found & world->never) == 0, "%s: %u", world->name, found);
        ck_assert_msg((found & world->always) == world->always, "%s: %u", world->name, found);
        poor += s.own_ratio < 3;
    }
    /* The ratio over all games, whatever the play, blames the judge in either case. */
    ck_assert_int_eq(poor, _i == 0 ? 0 : EVENTS);
}

/* --- the dice ------------------------------------------------------------------------------ */

TEST(fair_dice_pass_and_loaded_ones_do_not)
{
    struct dice_counts fair = {{0}}, loaded = {{0}};
    struct dice_test test;

    random_state = 3;
    for (int i = 0; i < 36000; i++) {
        int die = throw(), other = throw();

        dice_count(&fair, die, other, 1);
        dice_count(&loaded, i % 50 == 0 ? 6 : die, other, 1); /* one six in 50 is not thrown */
    }
    dice_count(&fair, 0, 7, 1); /* not a roll of two dice */
    dice_test_of(&test, &fair);
    ck_assert_double_eq(test.rolls, 36000);
    ck_assert_double_gt(test.p, 0.01);
    dice_test_of(&test, &loaded);
    ck_assert_double_lt(test.p, 1e-3);
}

TEST(chi_square_by_hand)
{
    struct dice_counts counts = {{0}};
    struct dice_test test;

    for (int i = 0; i < LUCK_ROLLS; i++) {
        counts.roll[i] = 10 * (uint64_t)luck_roll_weight(i);
    }
    dice_test_of(&test, &counts);
    ck_assert_double_eq(test.chi2, 0);
    ck_assert_double_eq(test.p, 1);
    counts.roll[0] += 20; /* 1-1: 30 of 380 rolls, 380/36 expected */
    dice_test_of(&test, &counts);
    ck_assert_double_eq_tol(test.chi2, 36.842, 1e-3);
    ck_assert_double_eq_tol(test.p, 0.0122, 2e-4); /* tables: 35.02 at 0.02, 37.57 at 0.01 */
    counts = (struct dice_counts){{0}};
    dice_test_of(&test, &counts);
    ck_assert(isnan(test.chi2) && isnan(test.p));
}

void suite_begin(TCase *tests)
{
    vector_add(tests, "l01_luck_exact_race l02_luck_race_with_errors l03_luck_opening");
}
