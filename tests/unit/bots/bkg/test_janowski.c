/* The cube's formulas: against a slow recursion for matches, the known points of a fully live cube
 * in money play, and laws that hold for any cube; the scores against the project's model. */
#include <bgref/variant.h>
#include <math.h>

#include "numbers/met.h"
#include "cube.h"
#include "score.h"
#include "support/suite.h"

enum { PARTS = 20 };

static const double LIVES[] = {0.0, 0.3, 0.68, 1.0};

/* Scores of matches, and money play (length 0). */
static const struct {
    int length;
    int64_t score[2];
    bool crawford, post;
} GAMES[] = {
    {0, {0, 0}, false, false}, {7, {0, 0}, false, false},  {7, {5, 4}, false, false},
    {7, {2, 5}, false, false}, {7, {6, 3}, true, false},   {7, {3, 6}, false, true},
    {3, {1, 1}, false, false}, {15, {2, 9}, false, false}, {1, {0, 0}, false, false},
};

enum { GAMES_COUNT = sizeof GAMES / sizeof GAMES[0], LIVES_COUNT = sizeof LIVES / sizeof LIVES[0] };

static struct bg_ask ask_of(int game, int owner)
{
    struct bg_ask ask = {.kind = BG_DECIDE_DOUBLE, .cube_owner = owner};

    ask.rules = bg_rules_default(bg_variant_find("backgammon"), GAMES[game].length);
    ask.rules.jacoby = ask.rules.beavers = false;
    ask.score[0] = GAMES[game].score[0];
    ask.score[1] = GAMES[game].score[1];
    ask.crawford_game = GAMES[game].crawford;
    ask.post_crawford = GAMES[game].post;
    return ask;
}

/* With shares of the wins and losses that are gammons and backgammons. */
static struct outlook outlook_of(double win, double live)
{
    return (struct outlook){.win = win,
                            .gammon = 0.3 * win,
                            .backgammon = 0.02 * win,
                            .lose_gammon = 0.2 * (1.0 - win),
                            .lose_backgammon = 0.01 * (1.0 - win),
                            .live = live};
}

/* The same from the other side. */
static struct outlook turned(const struct outlook *outlook)
{
    return (struct outlook){.win = 1.0 - outlook->win,
                            .gammon = outlook->lose_gammon,
                            .backgammon = outlook->lose_backgammon,
                            .lose_gammon = outlook->gammon,
                            .lose_backgammon = outlook->backgammon,
                            .live = outlook->live};
}

static int other_owner(int owner)
{
    return owner == BG_CENTRED ? owner : 1 - owner;
}

static struct bg_ask turned_ask(const struct bg_ask *ask)
{
    struct bg_ask other = *ask;

    other.score[0] = ask->score[1];
    other.score[1] = ask->score[0];
    other.cube_owner = other_owner(ask->cube_owner);
    return other;
}

typedef void (*visit_fn)(const struct bg_ask *ask, double win, double live);

static void visit_all(visit_fn visit)
{
    for (int game = 0; game < GAMES_COUNT; game++) {
        for (int owner = -1; owner <= 1; owner++) {
            struct bg_ask ask = ask_of(game, owner == -1 ? BG_CENTRED : owner);

            for (int i = 0; i < LIVES_COUNT; i++) {
                for (int part = 0; part <= PARTS; part++) {
                    visit(&ask, (double)part / PARTS, LIVES[i]);
                }
            }
        }
    }
}

static double value(const struct bg_ask *ask, double win, double live)
{
    struct outlook outlook = outlook_of(win, live);

    return cube_value(ask, &outlook, (struct cube_at){0, ask->cube_owner});
}

/* ---- laws ---- */

static void is_symmetric(const struct bg_ask *ask, double win, double live)
{
    struct outlook outlook = outlook_of(win, live), theirs = turned(&outlook);
    struct bg_ask other = turned_ask(ask);
    double whole = ask->rules.length_points == 0 ? 0.0 : 1.0;
    double own = cube_value(ask, &outlook, (struct cube_at){0, ask->cube_owner});
    double opponent = cube_value(&other, &theirs, (struct cube_at){0, other.cube_owner});

    ck_assert_double_eq_tol(own + opponent, whole, 1e-9);
    for (int roller = 0; roller < 2; roller++) {
        own = cube_turn(ask, &outlook, (struct cube_at){0, ask->cube_owner}, roller);
        opponent = cube_turn(&other, &theirs, (struct cube_at){0, other.cube_owner}, 1 - roller);
        ck_assert_double_eq_tol(own + opponent, whole, 1e-9);
    }
}

static void rises_with_the_chance(const struct bg_ask *ask, double win, double live)
{
    if (win > 0.0) {
        ck_assert_double_ge(value(ask, win, live) + 1e-9, value(ask, win - 1.0 / PARTS, live));
    }
}

/* A dead cube leaves a straight line from all lost to all won, whoever owns it. */
static void dead_cube_is_a_line(const struct bg_ask *ask, double win, double live)
{
    double line = value(ask, 0.0, 0.0) * (1.0 - win) + value(ask, 1.0, 0.0) * win;

    if (live == 0.0 || ask->crawford_game || ask->rules.length_points == 1) {
        ck_assert_double_eq_tol(value(ask, win, live), line, 1e-9);
    }
}

static void owning_the_cube_is_no_loss(const struct bg_ask *ask, double win, double live)
{
    struct outlook outlook = outlook_of(win, live);

    if (ask->rules.length_points == 0) {
        double own = cube_value(ask, &outlook, (struct cube_at){0, 0});
        double middle = cube_value(ask, &outlook, (struct cube_at){0, BG_CENTRED});
        double other = cube_value(ask, &outlook, (struct cube_at){0, 1});

        ck_assert_double_ge(own + 1e-9, middle);
        ck_assert_double_ge(middle + 1e-9, other);
    }
}

static void turn_is_the_better_of_both(const struct bg_ask *ask, double win, double live)
{
    struct outlook outlook = outlook_of(win, live);
    struct cube_at here = {0, ask->cube_owner};
    double held = cube_value(ask, &outlook, here);
    double taken = cube_value(ask, &outlook, (struct cube_at){1, 1});
    double passed = cube_points(ask, 1.0);
    double better = fmax(held, fmin(taken, passed));
    bool may = ask->cube_owner != 1 && !ask->crawford_game;

    ck_assert_double_eq_tol(cube_turn(ask, &outlook, here, 0), may ? better : held, 1e-12);
}

TEST(laws_of_any_cube)
{
    visit_all(is_symmetric);
    visit_all(rises_with_the_chance);
    visit_all(dead_cube_is_a_line);
    visit_all(owning_the_cube_is_no_loss);
    visit_all(turn_is_the_better_of_both);
}

/* Keeler and Spencer: a fully live cube is turned at 80 % and taken from 20 %. */
TEST(live_money_cube_has_the_known_points)
{
    static const struct {
        int owner;
        double win, value;
    } row[] = {
        {0, 0.0, -1.0}, {0, 0.8, 1.0},  {0, 0.4, 0.0},   {1, 1.0, 1.0},  {1, 0.2, -1.0},
        {1, 0.6, 0.0},  {-1, 0.5, 0.0}, {-1, 0.2, -1.0}, {-1, 0.8, 1.0}, {-1, 0.65, 0.5},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct outlook outlook = {.win = row[i].win, .live = 1.0};
        struct bg_ask ask = ask_of(0, row[i].owner == -1 ? BG_CENTRED : row[i].owner);
        double found = cube_value(&ask, &outlook, (struct cube_at){0, ask.cube_owner});

        ck_assert_double_eq_tol(found, row[i].value, 1e-9);
    }
}

/* Janowski's own formula: an owned cube of liveness x is worth p (W + L + x / 2) - L. */
TEST(owned_money_cube_follows_janowski)
{
    for (int part = 1; part < 14; part++) {
        const double win = (double)part / PARTS, wins = 1.32, losses = 1.21;
        struct bg_ask ask = ask_of(0, 0);

        for (int i = 0; i < LIVES_COUNT; i++) {
            double formula = win * (wins + losses + LIVES[i] / 2.0) - losses;

            ck_assert_double_eq_tol(value(&ask, win, LIVES[i]), formula, 1e-9);
        }
    }
}

/* ---- matches, slowly ---- */

struct slow {
    const struct bg_ask *ask;
    double live;
};

static double slow_value(const struct slow *slow, double win, int turns, int owner);

/* Mean match chance of games that end at this cube, won or lost. */
static double slow_end(const struct slow *slow, int turns, double sign)
{
    const double cube = sign * ldexp(1.0, turns);
    const double gammons = sign > 0.0 ? 0.3 : 0.2, backgammons = sign > 0.0 ? 0.02 : 0.01;

    return (1.0 - gammons) * cube_points(slow->ask, cube) +
           (gammons - backgammons) * cube_points(slow->ask, 2.0 * cube) +
           backgammons * cube_points(slow->ask, 3.0 * cube);
}

/* The chance at which the side that is doubled to this many turns, which then owns the cube, may
 * take or pass. */
static double slow_point(const struct slow *slow, int turns, int taker)
{
    const double passed = cube_points(slow->ask, ldexp(taker == 0 ? -1.0 : 1.0, turns - 1));
    double low = 0.0, high = 1.0; /* own's chance */

    for (int i = 0; i < 22; i++) {
        const double middle = (low + high) / 2.0;

        if (slow_value(slow, middle, turns, taker) < passed) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* Whether a double from this cube can change anything for who makes it. */
static bool slow_may(const struct slow *slow, int turns, int seat, int owner)
{
    return owner != 1 - seat &&
           ldexp(1.0, turns) < slow->ask->rules.length_points - (double)slow->ask->score[seat];
}

static double slow_value(const struct slow *slow, double win, int turns, int owner)
{
    const double lost = slow_end(slow, turns, -1.0), won = slow_end(slow, turns, 1.0);
    double x[4] = {0.0, 0.0, 1.0, 1.0}, y[4] = {lost, lost, won, won}, live = won;

    if (slow_may(slow, turns, 1, owner)) {
        x[1] = slow_point(slow, turns + 1, 0);
        y[1] = cube_points(slow->ask, -ldexp(1.0, turns));
    }
    if (slow_may(slow, turns, 0, owner)) {
        x[2] = slow_point(slow, turns + 1, 1);
        y[2] = cube_points(slow->ask, ldexp(1.0, turns));
    }
    for (int i = 2; i >= 0; i--) {
        if (win <= x[i + 1] && x[i + 1] > x[i]) {
            live = y[i] + (y[i + 1] - y[i]) * (win - x[i]) / (x[i + 1] - x[i]);
        }
    }
    return slow->live * live + (1.0 - slow->live) * (lost + (won - lost) * win);
}

TEST(match_cubes_follow_a_slow_recursion)
{
    static const int games[] = {1, 2, 3, 6};

    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
        for (int owner = -1; owner <= 1; owner++) {
            const int at = owner == -1 ? BG_CENTRED : owner;
            struct bg_ask ask = ask_of(games[g], at);
            struct slow slow = {&ask, 0.0};

            for (int i = 0; i < LIVES_COUNT; i++) {
                slow.live = LIVES[i];
                for (int part = 2; part < PARTS; part += 6) {
                    const double win = (double)part / PARTS;

                    ck_assert_double_eq_tol(value(&ask, win, LIVES[i]),
                                            slow_value(&slow, win, 0, at), 2e-6);
                }
            }
        }
    }
}

TEST(scores_are_those_of_the_model)
{
    struct met met = {0};

    ck_assert_int_eq(met_model(&met, SCORE_TABLE, NULL), BG_OK);
    for (int own = 1; own <= SCORE_TABLE; own++) {
        for (int opponent = 1; opponent <= SCORE_TABLE; opponent++) {
            for (int over = 0; over < 2; over++) {
                const enum met_phase phase = over == 1 ? MET_POST : MET_NORMAL;
                const struct score score = {own, opponent, over == 1};

                ck_assert_double_eq_tol(score_chance(&score),
                                        met_chance(&met, own, opponent, phase), 5.1e-5);
            }
        }
    }
    met_deinit(&met);
}
