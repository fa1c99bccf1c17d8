/* bkg's evaluator and cube: smooth, symmetric, and of the documented signs.
 *
 * Oracles: counted shots of a player's table, positions of which one is plainly better, and cube
 * decisions that no player disputes. */

#include <math.h>
#include <stdio.h>

#include <bgref/play.h>
#include <bgref/variant.h>

#include "cube.h"
#include "score.h"
#include "support/suite.h"
#include "values.h"

#define SETUP "6:5 8:3 13:5 24:2"

/* "6:5 8:3 25:1": checkers on slots, in that side's numbering; the rest is borne off. */
static void place(struct bg_board *board, int seat, const char *text)
{
    int slot, count, used, left = BG_CHECKERS;

    while (sscanf(text, " %d:%d%n", &slot, &count, &used) == 2) {
        board->at[seat][slot] = (uint8_t)count;
        left -= count;
        text += used;
    }
    ck_assert_int_ge(left, 0);
    board->at[seat][BG_OFF] = (uint8_t)left;
}

static struct bg_board board_of(const char *own, const char *opponent)
{
    struct bg_board board = {0};

    place(&board, 0, own);
    place(&board, 1, opponent);
    return board;
}

static double odds_of(const struct bg_board *board, int roller)
{
    struct facts facts;

    facts_find(&facts, board, roller);
    return evaluate_odds(&weights, &facts);
}

/* ---- positions of games ---- */

static unsigned next_number(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 33);
}

/* Calls visit for every position of some games of random plays. */
static void visit_games(int games, void (*visit)(const struct bg_board *board))
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = bg_variant_find("backgammon");
    unsigned long long state = 17;

    for (int game = 0; game < games; game++) {
        struct bg_board board;

        bg_variant_setup(&board, variant);
        while (board.at[1][BG_OFF] < BG_CHECKERS) {
            struct bg_roll roll = {
                {(uint8_t)(next_number(&state) % 6 + 1), (uint8_t)(next_number(&state) % 6 + 1)}};
            struct bg_stage stage = bg_stage_of_roll(variant, roll);

            visit(&board);
            bg_play_list(&plays, variant, &board, 0, &stage);
            if (plays.count > 0) {
                bg_play_make(&board, variant, &board, 0,
                             &plays.play[next_number(&state) % plays.count]);
            }
            bg_board_swap(&board, &board);
        }
    }
}

static void check_symmetric(const struct bg_board *board)
{
    struct outlook own, opponent;
    struct bg_board theirs;

    bg_board_swap(&theirs, board);
    evaluate(&own, &weights, board, 0);
    evaluate(&opponent, &weights, &theirs, 1);
    ck_assert_double_eq_tol(own.win, 1.0 - opponent.win, 1e-9);
    ck_assert_double_eq_tol(own.gammon, opponent.lose_gammon, 1e-9);
    ck_assert_double_eq_tol(own.lose_backgammon, opponent.backgammon, 1e-9);
    ck_assert(own.win >= own.gammon && own.gammon >= own.backgammon && own.backgammon >= 0.0);
    ck_assert(1.0 - own.win >= own.lose_gammon && own.lose_gammon >= own.lose_backgammon);
}

TEST(both_seats_see_the_same_chances)
{
    visit_games(20, check_symmetric);
}

/* ---- smooth ---- */

static void check_blend(const struct blend *blend)
{
    static const struct blend steps[] = {{0.1, 0.0, 0.0}, {0.0, 0.01, 0.0}, {0.0, 0.0, 1.0}};
    double here[PHASE_COUNT], there[PHASE_COUNT], sum = 0.0;

    facts_blend(here, blend);
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        sum += here[phase] < 0.0 ? NAN : here[phase];
    }
    if (!(fabs(sum - 1.0) < 1e-12)) {
        ck_abort_msg("%f in all", sum);
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct blend moved = {blend->engaged + steps[i].engaged, blend->home + steps[i].home,
                              blend->pips + steps[i].pips};

        facts_blend(there, &moved);
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            if (fabs(here[phase] - there[phase]) > 0.04) {
                ck_abort_msg("class %d jumps at %f, %f, %f", phase, blend->engaged, blend->home,
                             blend->pips);
            }
        }
    }
}

TEST(classes_blend_without_edges)
{
    for (double engaged = 0.0; engaged < 60.0; engaged += 0.7) {
        for (double home = 0.0; home <= 1.0; home += 0.01) {
            for (double pips = 20.0; pips < 400.0; pips += 11.0) {
                struct blend blend = {engaged, home, pips};

                check_blend(&blend);
            }
        }
    }
}

/* The same terms, with the classes of a position that is a little more of another class. */
static void check_value_smooth(const struct bg_board *board)
{
    struct facts facts;
    struct blend blend;
    double before, after;

    facts_find(&facts, board, 0);
    blend = facts.blend;
    before = evaluate_odds(&weights, &facts);
    blend.engaged += 0.1;
    blend.home += 0.005;
    blend.pips += 0.5;
    facts_blend(facts.phase, &blend);
    after = evaluate_odds(&weights, &facts);
    ck_assert_msg(fabs(after - before) < 2.0 + 0.06 * fabs(before), "%f and %f", before, after);
}

TEST(value_follows_the_blend_without_jumps)
{
    visit_games(20, check_value_smooth);
}

/* ---- dice ---- */

TEST(shots_are_those_of_the_table)
{
    static const struct {
        const char *name, *thrower, *blots;
        double hit;
    } row[] = {
        {"six away", "24:1", "7:1", 17}, /* own 7 is their 18 */
        {"one away", "24:1", "2:1", 11},
        {"seven away", "24:1", "8:1", 6},
        {"twelve away", "24:1", "13:1", 3},
        {"six away behind a point on 3", "24:1", "7:1 4:2", 16},
        {"from the bar on the ace point", "25:1", "1:1", 11},
        {"two on the bar, blot on 7", "25:2", "7:1", 0},
        {"double shot, two and four away", "24:1", "3:1 5:1", 23},
        {"nothing to hit", "24:1", "7:2", 0},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct bg_board board = board_of(row[i].thrower, row[i].blots);
        struct shots shots;

        shots_find(&shots, board.at[0], board.at[1]);
        ck_assert_msg(fabs(36.0 * shots.hit - row[i].hit) < 1e-6, "%s: %.1f hit", row[i].name,
                      36.0 * shots.hit);
    }
}

/* ---- signs ---- */

/* Seat 1 is about to throw, except where `first` is. */
static const struct {
    const char *name, *better, *opponent, *worse, *worse_foe;
    bool first;
} signs[] = {
    {"a blot in direct range", SETUP, SETUP, "6:5 8:3 13:4 24:2 20:1", SETUP, false},
    {"one more blot", "6:4 8:3 13:4 24:2 5:2", SETUP, "6:4 8:3 13:4 24:2 5:1 4:1", SETUP, false},
    {"pips behind in a race", "6:5 5:5 4:5", "6:5 5:5 4:5", "9:5 8:5 7:5", "6:5 5:5 4:5", true},
    {"the other side to throw", SETUP, SETUP, SETUP, SETUP, false},
    {"on the bar", SETUP, SETUP, "6:5 8:3 13:5 24:1 25:1", SETUP, true},
    {"on the bar of a five point board", "6:3 5:3 4:3 8:3 13:2 25:1", "6:3 5:2 13:8 24:2",
     "6:3 5:3 4:3 8:3 13:2 25:1", "6:2 5:2 4:2 3:2 2:2 13:3 24:2", true},
    {"a prime before the back men", "4:2 5:2 6:3 7:2 8:2 9:2 13:2", "24:2 6:5 8:3 13:5",
     "3:2 5:2 6:3 8:2 10:2 11:2 13:2", "24:2 6:5 8:3 13:5", false},
    {"an anchor", "20:2 6:5 8:3 13:5", "24:2 6:5 8:3 13:3 4:2", "20:1 18:1 6:5 8:3 13:5",
     "24:2 6:5 8:3 13:3 4:2", false},
    {"checkers out of play", "6:4 5:3 4:2 8:3 13:3", "24:2 6:5 8:3 13:5", "6:4 5:3 2:2 8:3 15:3",
     "24:2 6:5 8:3 13:5", false},
    {"a gap and a stack in the bear-off", "6:2 5:2 4:2 3:1", "6:3 5:3 4:1", "6:5 2:1 1:1",
     "6:3 5:3 4:1", true},
};

TEST(signs_are_those_of_players)
{
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        struct bg_board better = board_of(signs[i].better, signs[i].opponent);
        struct bg_board worse = board_of(signs[i].worse, signs[i].worse_foe);
        bool tempo = bg_board_equal(&better, &worse);
        double more = odds_of(&better, tempo || signs[i].first ? 0 : 1);
        double less = odds_of(&worse, !tempo && signs[i].first ? 0 : 1);

        ck_assert_msg(more > less, "%s: %.1f is not above %.1f", signs[i].name, more, less);
    }
}

TEST(no_weight_turns_a_sign_and_every_term_counts)
{
    for (int i = 0; i < TERMS; i++) {
        double sum = 0.0;

        ck_assert(terms[i].sign == 1 || terms[i].sign == -1);
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            ck_assert_msg(weights.win[i][phase] >= 0.0, "%s", terms[i].name);
            sum += weights.win[i][phase];
        }
        ck_assert_msg(sum > 0.0, "%s is worth nothing", terms[i].name);
    }
    for (int i = 0; i < GAMMON_TERMS; i++) {
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            ck_assert(weights.gammon[i][phase] >= 0.0 && weights.backgammon[i][phase] >= 0.0);
        }
    }
}

TEST(known_chances_are_near)
{
    static const struct {
        const char *name, *own, *opponent;
        double low, high, gammon_low, gammon_high;
    } row[] = {
        {"the start", SETUP, SETUP, 0.50, 0.58, 0.10, 0.22},
        {"closed out, two on the bar", "6:3 5:3 4:3 3:2 2:2 1:2", "25:2 6:5 8:3 13:5", 0.95, 1.0,
         0.5, 1.0},
        {"one checker left each, on the ace point", "1:1", "1:1", 0.85, 1.0, 0.0, 0.0},
        {"a hopeless race", "6:5 5:5 4:5", "1:2", 0.0, 0.001, 0.0, 0.0},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct bg_board board = board_of(row[i].own, row[i].opponent);
        struct outlook outlook;

        evaluate(&outlook, &weights, &board, 0);
        ck_assert_msg(outlook.win >= row[i].low && outlook.win <= row[i].high &&
                          outlook.gammon >= row[i].gammon_low &&
                          outlook.gammon <= row[i].gammon_high,
                      "%s: %.3f, gammons %.3f", row[i].name, outlook.win, outlook.gammon);
    }
}

/* ---- the cube ---- */

struct cube_row {
    const char *name, *own, *opponent; /* own doubles, or is doubled */
    struct {
        enum bg_answer_kind own, other; /* own's before its throw, the other's to a double */
    } answer;
    int owner; /* of the cube before */
    int length, score[2];
    bool beavers;
};

#define RACE       "6:3 5:3 4:3 3:2 8:2 9:2"   /* 85 pips */
#define RACE_CLOSE "6:3 5:3 4:3 3:2 10:2 11:2" /* 93 */
#define RACE_FAR   "6:3 5:3 4:3 3:2 13:2 16:2" /* 109 */

static const struct cube_row cubes[] = {
    {"even race",
     RACE,
     RACE,
     {BG_ANSWER_ROLL, BG_ANSWER_TAKE},
     .owner = BG_CENTRED,
     .beavers = true},
    {"nine per cent ahead",
     RACE,
     RACE_CLOSE,
     {BG_ANSWER_DOUBLE, BG_ANSWER_TAKE},
     .owner = BG_CENTRED,
     .beavers = true},
    {"a quarter ahead",
     RACE,
     RACE_FAR,
     {BG_ANSWER_DOUBLE, BG_ANSWER_PASS},
     .owner = BG_CENTRED,
     .beavers = true},
    {"a quarter ahead, redoubles",
     RACE,
     RACE_FAR,
     {BG_ANSWER_DOUBLE, BG_ANSWER_PASS},
     .owner = 0,
     .beavers = true},
    {"far behind: beaver",
     RACE_FAR,
     RACE,
     {BG_ANSWER_ROLL, BG_ANSWER_RAISE},
     .owner = BG_CENTRED,
     .beavers = true},
    {"far behind, no beavers",
     RACE_FAR,
     RACE,
     {BG_ANSWER_ROLL, BG_ANSWER_TAKE},
     .owner = BG_CENTRED},
    {"hit for a closed board: beaver",
     SETUP,
     "6:2 5:2 4:2 3:2 2:2 1:2 8:3",
     {BG_ANSWER_ROLL, BG_ANSWER_RAISE},
     .owner = BG_CENTRED,
     .beavers = true},
    {"after the Crawford game the trailer doubles",
     SETUP,
     SETUP,
     {BG_ANSWER_DOUBLE, BG_ANSWER_TAKE},
     .owner = BG_CENTRED,
     .length = 5,
     .score = {2, 4}},
    {"one point is enough: the cube is dead",
     RACE,
     RACE_CLOSE,
     {BG_ANSWER_ROLL, BG_ANSWER_NONE},
     .owner = BG_CENTRED,
     .length = 5,
     .score = {4, 2}},
};

static struct bg_ask cube_ask(const struct cube_row *row)
{
    struct bg_ask ask = {.kind = BG_DECIDE_DOUBLE, .cube_owner = row->owner};

    ask.rules = bg_rules_default(bg_variant_find("backgammon"), row->length);
    ask.rules.beavers = row->beavers;
    ask.score[0] = row->score[0];
    ask.score[1] = row->score[1];
    ask.post_crawford = row->length > 0 && row->score[1] == row->length - 1;
    ask.board = board_of(row->own, row->opponent);
    return ask;
}

/* The same question from the doubled side. */
static struct bg_ask doubled_ask(const struct bg_ask *ask)
{
    struct bg_ask theirs = *ask;

    theirs.kind = BG_DECIDE_TAKE;
    theirs.may_raise = ask->rules.beavers;
    bg_board_swap(&theirs.board, &ask->board);
    theirs.score[0] = ask->score[1];
    theirs.score[1] = ask->score[0];
    theirs.cube_owner = ask->cube_owner == BG_CENTRED ? BG_CENTRED : 1 - ask->cube_owner;
    return theirs;
}

TEST(clear_cube_decisions_are_right)
{
    for (size_t i = 0; i < sizeof cubes / sizeof cubes[0]; i++) {
        struct bg_ask ask = cube_ask(&cubes[i]), theirs = doubled_ask(&ask);
        struct outlook own, opponent;
        enum bg_answer_kind action, answer;

        evaluate(&own, &weights, &ask.board, 0);
        evaluate(&opponent, &weights, &theirs.board, 1);
        action = cube_doubles(&ask, &own) ? BG_ANSWER_DOUBLE : BG_ANSWER_ROLL;
        answer = cube_answer(&theirs, &opponent);
        ck_assert_msg(action == cubes[i].answer.own, "%s: %s with %.3f", cubes[i].name,
                      bg_answer_name(action), own.win);
        ck_assert_msg(cubes[i].answer.other == BG_ANSWER_NONE || answer == cubes[i].answer.other,
                      "%s: %s with %.3f", cubes[i].name, bg_answer_name(answer), opponent.win);
    }
}

/* A beaver of our good double is raised again, one of our bad double passed or swallowed. */
TEST(raises_are_answered_by_the_side_that_gains)
{
    static const struct {
        const char *name;
        double win;
        int raise; /* 1: own doubled, 2: own was doubled and beavered */
        enum bg_answer_kind answer;
    } row[] = {
        {"a good double", 0.7, 1, BG_ANSWER_RAISE},
        {"a double that gains a little", 0.6, 1, BG_ANSWER_RAISE},
        {"a poor double", 0.45, 1, BG_ANSWER_TAKE},
        {"a hopeless double", 0.1, 1, BG_ANSWER_PASS},
        {"a raccoon against a good beaver", 0.6, 2, BG_ANSWER_RAISE},
        {"a raccoon against a poor beaver", 0.3, 2, BG_ANSWER_TAKE},
        {"a raccoon against a mad beaver", 0.1, 2, BG_ANSWER_PASS},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct outlook outlook = {.win = row[i].win, .live = OUTLOOK_LIVE};
        struct bg_ask ask = cube_ask(&cubes[0]);

        ask.kind = BG_DECIDE_RAISE;
        ask.raise = row[i].raise;
        ask.may_raise = true;
        ck_assert_msg(cube_answer(&ask, &outlook) == row[i].answer, "%s", row[i].name);
    }
}

/* With gammons enough a side plays on, but not under Jacoby's rule with the cube in the middle. */
TEST(too_good_to_double_depends_on_jacoby)
{
    struct outlook outlook = {.win = 0.95, .gammon = 0.6, .live = OUTLOOK_LIVE};
    struct bg_ask ask = cube_ask(&cubes[0]);

    ask.rules.jacoby = false;
    ck_assert(!cube_doubles(&ask, &outlook));
    ask.rules.jacoby = true;
    ck_assert(cube_doubles(&ask, &outlook));
    ask.cube_owner = 0;
    ck_assert(!cube_doubles(&ask, &outlook));
}

TEST(scores_follow_the_known_table)
{
    static const struct {
        double own, opponent, chance;
        bool crawford_over;
    } row[] = {
        {3, 3, 0.5, false},   {2, 3, 0.60, false},  {2, 5, 0.744, false}, {5, 9, 0.726, false},
        {1, 2, 0.677, false}, {1, 4, 0.815, false}, {3, 1, 0.322, true},  {4, 1, 0.31, true},
        {0, 3, 1.0, false},   {2, -1, 0.0, true},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct score score = {row[i].own, row[i].opponent, row[i].crawford_over};
        struct score turned = {row[i].opponent, row[i].own, row[i].crawford_over};

        ck_assert_double_eq_tol(score_chance(&score), row[i].chance, 0.015);
        ck_assert_double_eq_tol(score_chance(&score) + score_chance(&turned), 1.0, 1e-9);
    }
}

TEST(gives_up_only_what_is_lost)
{
    static const struct {
        struct outlook outlook;
        bool jacoby;
        int level;
    } row[] = {
        {{.win = 0.01}, false, 0},
        {{.win = 0.0}, false, 1},
        {{.win = 0.0, .lose_gammon = 0.5}, false, 0},
        {{.win = 0.0, .lose_gammon = 0.5}, true, 1}, /* only singles count */
        {{.win = 0.0, .lose_gammon = 1.0}, false, 2},
        {{.win = 0.0, .lose_gammon = 1.0, .lose_backgammon = 0.2}, false, 0},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct bg_ask ask = cube_ask(&cubes[0]);

        ask.rules.jacoby = row[i].jacoby;
        ck_assert_int_eq(cube_resigns(&ask, &row[i].outlook), row[i].level);
    }
}
