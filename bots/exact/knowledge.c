/* Values are those of the side to roll; a play is judged by the other side's value after it,
 * with the sign turned. Money play looks up the goal that the cube's owner and the rules make;
 * matches have no table of their own, so chances are looked up and the cube is estimated
 * (bkg/cube.c). */
#include "knowledge.h"

#include <math.h>
#include <string.h>

#include "bkg/cube.h"

enum { CHECKERS = 3 };

enum bg_status knowledge_open(struct knowledge *out, struct bg_error *err)
{
    char path[HYPER_FILE_PATH];
    enum bg_status status;

    memset(out, 0, sizeof *out);
    status = hyper_init_sides(&out->sides, CHECKERS, err);
    if (status == BG_OK) {
        status = hyper_file_find_path(path, CHECKERS, err);
    }
    return status == BG_OK ? hyper_file_open(&out->file, path, CHECKERS, err) : status;
}

void knowledge_close(struct knowledge *knowledge)
{
    hyper_deinit(&knowledge->sides);
    hyper_file_close(&knowledge->file);
}

/* Returns the values of `roller`, who is about to double or roll. */
static const struct values *table_at(const struct knowledge *knowledge,
                                     const struct bg_board *board, int roller)
{
    return solution_at(&knowledge->file.solution, hyper_find(&knowledge->sides, board->at[roller]),
                       hyper_find(&knowledge->sides, board->at[1 - roller]));
}

/* Returns what own plays for in money play, when the cube has been turned so often. */
static enum goal goal_of(const struct bg_ask *ask, int turns, int owner)
{
    const struct bg_rules *rules = &ask->rules;

    if (!rules->cube ||
        (rules->cube_limit > 0 && ldexp(1.0, ask->cube_log2 + turns) >= rules->cube_limit)) {
        return GOAL_CUBELESS;
    }
    if (owner == BG_CENTRED) {
        return rules->jacoby ? GOAL_JACOBY : GOAL_MIDDLE;
    }
    return owner == 0 ? GOAL_OWN : GOAL_OTHER;
}

/* Sets own's chances, from the values of the side on roll. */
static void find_outlook(struct outlook *out, const struct values *values, bool own_rolls)
{
    double win = (1.0 + (double)values->at[GOAL_WIN]) / 2.0;
    double gammon = (double)values->at[GOAL_GAMMON] + 1.0 - win;
    double lost = win - (double)values->at[GOAL_SAVE];

    /* Each belongs to a play of its own, so together they may go a little too far. */
    gammon = fmin(fmax(gammon, 0.0), win);
    lost = fmin(fmax(lost, 0.0), 1.0 - win);
    *out = own_rolls ? (struct outlook){.win = win, .gammon = gammon, .lose_gammon = lost}
                     : (struct outlook){.win = 1.0 - win, .gammon = lost, .lose_gammon = gammon};
    out->live = OUTLOOK_LIVE;
}

static bool is_money(const struct bg_ask *ask)
{
    return ask->rules.length_points == 0;
}

/* Returns own's value of board while `roller` is about to roll, for each point of the cube in
 * ask. */
static double value_at(const struct knowledge *knowledge, const struct bg_ask *ask,
                       const struct bg_board *board, int roller, struct cube_at at)
{
    const struct values *values = table_at(knowledge, board, roller);
    enum goal goal = goal_of(ask, at.turns, at.owner);
    struct outlook outlook;

    if (is_money(ask)) {
        double value =
            roller == 0 ? (double)values->at[goal] : -(double)values->at[goal_turn(goal)];

        return ldexp(value, at.turns);
    }
    find_outlook(&outlook, values, roller == 0);
    return cube_value(ask, &outlook, at);
}

double knowledge_after(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    const struct knowledge *known = user;
    const struct cube_at at = {0, ask->cube_owner};

    if (!is_money(ask) && board->at[0][BG_OFF] == known->sides.checkers) {
        return cube_points(ask, bg_variant_level(ask->rules.variant, board, 0));
    }
    return value_at(known, ask, board, 1, at); /* the values know games that are over */
}

/* Returns own's value of rolling now, without a double. */
static double rolled(const struct knowledge *knowledge, const struct bg_ask *ask)
{
    struct knowledge known = *knowledge;
    struct bg_ask shown = *ask;
    struct bg_roll_values rolls;
    double sum = 0.0;

    shown.played = NULL;
    bg_value_rolls(&rolls, &shown, knowledge_after, &known);
    for (int i = 0; i < BG_ROLLS; i++) {
        sum += bg_roll_weight(i) * rolls.equity[i];
    }
    return sum / 36.0;
}

static void find_cube(struct bg_cube_values *out, const struct knowledge *knowledge,
                      const struct bg_ask *ask)
{
    const struct cube_at taken = {1, 1};

    *out = (struct bg_cube_values){
        .no_double = rolled(knowledge, ask),
        .double_take = value_at(knowledge, ask, &ask->board, 0, taken),
        .double_pass = cube_points(ask, 1.0),
    };
}

bool knowledge_doubles(const struct knowledge *knowledge, const struct bg_ask *ask)
{
    struct bg_cube_values cube;

    find_cube(&cube, knowledge, ask);
    return fmin(cube.double_take, cube.double_pass) > cube.no_double;
}

/* After a double or an even number of raises the other side is on roll and own holds the cube if it
 * takes; after an odd number it is the reverse (rules.md C7). */
enum bg_answer_kind knowledge_takes(const struct knowledge *knowledge, const struct bg_ask *ask)
{
    int raises = ask->kind == BG_DECIDE_RAISE ? ask->raise : 0;
    bool doubler = raises % 2 == 1;
    const struct cube_at at = {1 + raises, doubler ? 1 : 0};
    double taken = value_at(knowledge, ask, &ask->board, doubler ? 0 : 1, at);

    if (ask->may_raise && taken > 0.0) {
        return BG_ANSWER_RAISE;
    }
    return taken >= cube_points(ask, -ldexp(1.0, raises)) ? BG_ANSWER_TAKE : BG_ANSWER_PASS;
}

static void find_chances(struct bg_chances *out, const struct knowledge *knowledge,
                         const struct bg_ask *ask)
{
    const struct cube_at at = {0, ask->cube_owner};
    struct outlook outlook;

    find_outlook(&outlook, table_at(knowledge, &ask->board, 0), true);
    *out = (struct bg_chances){.win = outlook.win,
                               .win_gammon = outlook.gammon,
                               .lose_gammon = outlook.lose_gammon,
                               .equity = value_at(knowledge, ask, &ask->board, 0, at)};
}

void knowledge_value(struct bg_value *out, const struct knowledge *knowledge,
                     const struct bg_ask *ask)
{
    struct knowledge known = *knowledge;

    switch (ask->kind) {
    case BG_VALUE_ROLLS:
        bg_value_rolls(&out->of.rolls, ask, knowledge_after, &known);
        break;
    case BG_VALUE_CUBE:
        find_cube(&out->of.cube, knowledge, ask);
        break;
    default:
        find_chances(&out->of.chances, knowledge, ask);
        break;
    }
}
