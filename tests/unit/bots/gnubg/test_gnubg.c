/* The bridge's questions to GNU Backgammon, and a real gnubg's answers to them.
 *
 * Oracles: the documented lines of gnubg's external protocol with their answers; cube decisions of
 * gnubg's embedded evaluation, which does not use the protocol (vectors/gnubg-cube.tsv); the
 * results of the move vectors. */

#include <stdio.h>
#include <string.h>

#include <bgref/notation.h>

#include "engine.h"
#include "query.h"

#include "support/suite.h"

enum { ROW = 65536 };

static const struct query_strength plain = {0, 0.0};

/* ---- building decisions ---- */

/* "6:5 8:3 25:1": checkers on slots, in that side's numbering; the rest is borne off. */
static void place(struct bg_board *board, int seat, const char *text)
{
    int slot, count, used, left = BG_CHECKERS;

    while (sscanf(text, " %d:%d%n", &slot, &count, &used) == 2) {
        board->at[seat][slot] = (uint8_t)count;
        left -= count;
        text += used;
    }
    board->at[seat][BG_OFF] = (uint8_t)left;
}

static struct bg_stage stage_of(int a, int b)
{
    struct bg_roll roll = {{(uint8_t)(a > b ? a : b), (uint8_t)(a > b ? b : a), 0}};

    return bg_stage_of_roll(bg_variant_find("backgammon"), roll);
}

static struct bg_ask ask_begin(enum bg_decision kind, int length)
{
    struct bg_ask ask = {.decision = 7, .kind = kind, .cube_owner = BG_CENTRED};

    ask.rules = bg_rules_default(bg_variant_find("backgammon"), length);
    snprintf(ask.game, sizeof ask.game, "a|b|0|0|0");
    return ask;
}

#define SETUP "6:5 8:3 13:5 24:2"

struct row {
    const char *name;
    enum bg_decision kind;
    struct {
        int length, own, opponent;
    } score;
    const char *own, *opponent;
    int dice[2];
    struct {
        enum bg_answer_kind kind;
        const char *play;
    } answer;         /* as documented */
    const char *line; /* as documented, without options; NULL: the documentation shortens it */
    bool crawford, jacoby;
    int resignation;
};

/* The documented dialogue: 0-ply plays, 2-ply cube. */
static const struct row rows[] = {
    {"opening 31 in a match",
     BG_DECIDE_PLAY,
     {5, 0, 0},
     SETUP,
     SETUP,
     {3, 1},
     {BG_ANSWER_MOVES, "8/5 6/5"},
     .line = "board:me:you:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:"
             "1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"},
    {"both on the bar",
     BG_DECIDE_PLAY,
     {0, 0, 0},
     "7:5 9:3 14:5 25:1",
     "6:5 8:3 13:5 25:1",
     {6, 2},
     {BG_ANSWER_MOVES, "25/23 14/8"},
     .line = "board:me:you:0:0:0:-1:0:0:0:0:0:0:5:0:3:0:0:-5:0:5:0:0:-3:0:-5:0:0:0:0:0:1:1:6:2:6:2:"
             "1:1:1:0:1:-1:0:25:1:1:0:0:0:0:0:1",
     .jacoby = true},
    {"bearing off",
     BG_DECIDE_PLAY,
     {0, 0, 0},
     "2:2 3:1",
     "1:2",
     {6, 1},
     {BG_ANSWER_MOVES, "3/0 2/1"},
     .line = "board:me:you:0:0:0:0:0:2:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:0:1:6:1:6:1:1:"
             "1:1:0:1:-1:0:25:12:13:0:0:0:0:0:1",
     .jacoby = true},
    {"doubling a won race",
     BG_DECIDE_DOUBLE,
     {0, 0, 0},
     "1:2 2:1",
     "1:2 6:2",
     {0, 0},
     {BG_ANSWER_DOUBLE, NULL},
     .line = "board:me:you:0:0:0:0:2:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:0:0:0:0:-2:0:1:0:0:0:0:1:"
             "1:1:0:1:-1:0:25:12:11:0:0:0:0:0:1",
     .jacoby = true},
    {"not doubling a lost race",
     BG_DECIDE_DOUBLE,
     {0, 0, 0},
     "6:2",
     "1:2",
     {0, 0},
     {BG_ANSWER_ROLL, NULL},
     .line = "board:me:you:0:0:0:0:0:0:0:0:0:2:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:0:1:0:0:0:0:1:"
             "1:1:0:1:-1:0:25:13:13:0:0:0:0:0:1",
     .jacoby = true},
    {"passing a lost race",
     BG_DECIDE_TAKE,
     {0, 0, 0},
     "5:2 6:2",
     "1:2 2:1",
     {0, 0},
     {BG_ANSWER_PASS, NULL},
     .line = "board:me:you:0:0:0:0:2:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:-2:0:0:0:0:0:1:0:0:0:0:1:"
             "1:1:1:1:-1:0:25:12:11:0:0:0:0:0:1",
     .jacoby = true},
    {"a single offered, a gammon certain",
     BG_DECIDE_RESIGNATION,
     {0, 0, 0},
     "1:2",
     "13:15",
     {0, 0},
     {BG_ANSWER_REFUSE, NULL},
     .line = "board:me:you:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:15:0:0:0:0:0:0:0:0:0:0:-2:0:1:0:0:0:0:1:"
             "1:1:0:1:-1:0:25:0:13:0:0:0:0:0:1",
     .resignation = 1},
    {"a gammon offered, a gammon certain",
     BG_DECIDE_RESIGNATION,
     {0, 0, 0},
     "1:2",
     "13:15",
     {0, 0},
     {BG_ANSWER_ACCEPT, NULL},
     .resignation = 2},
    {"a single offered, a gammon certain but not counted",
     BG_DECIDE_RESIGNATION,
     {0, 0, 0},
     "1:2",
     "13:15",
     {0, 0},
     {BG_ANSWER_ACCEPT, NULL},
     .jacoby = true,
     .resignation = 1},
    {"a single offered, one point needed",
     BG_DECIDE_RESIGNATION,
     {5, 4, 0},
     "1:2",
     "13:15",
     {0, 0},
     {BG_ANSWER_ACCEPT, NULL},
     .resignation = 1},
    {"a single offered, the resigner needs one point",
     BG_DECIDE_RESIGNATION,
     {5, 0, 4},
     "1:2",
     "13:15",
     {0, 0},
     {BG_ANSWER_REFUSE, NULL},
     .resignation = 1},
    {"no double in the Crawford game",
     BG_DECIDE_DOUBLE,
     {5, 0, 4},
     "1:2 2:1",
     "1:2 6:2",
     {0, 0},
     {BG_ANSWER_ROLL, NULL},
     .crawford = true},
    {"a double after the Crawford game",
     BG_DECIDE_DOUBLE,
     {5, 0, 4},
     "1:2 2:1",
     "1:2 6:2",
     {0, 0},
     {BG_ANSWER_DOUBLE, NULL},
     .line = NULL},
};

enum { ROWS = sizeof rows / sizeof *rows };

static struct bg_ask ask_of_row(const struct row *row)
{
    struct bg_ask ask = ask_begin(row->kind, row->score.length);

    place(&ask.board, 0, row->own);
    place(&ask.board, 1, row->opponent);
    ask.score[0] = row->score.own;
    ask.score[1] = row->score.opponent;
    ask.rules.jacoby = row->jacoby;
    ask.crawford_game = row->crawford;
    ask.resign_level = row->resignation;
    if (row->kind == BG_DECIDE_PLAY) {
        ask.stage = stage_of(row->dice[0], row->dice[1]);
    }
    return ask;
}

/* ---- gnubg ---- */

static struct engine_settings settings_of(int plies, int cube_plies)
{
    return (struct engine_settings){
        .program = "gnubg", .plies = plies, .cube_plies = cube_plies, .cubeful = true};
}

static struct engine *start(const struct engine_settings *settings)
{
    struct engine *engine = NULL;

    assert_ok(engine_start(&engine, settings, &error));
    return engine;
}

static struct bg_answer answer_of(struct engine *engine, const struct bg_ask *ask, const char *name)
{
    char line[QUERY_LINE], reply[QUERY_LINE];
    struct bg_answer answer;

    ck_assert_msg(query_write(line, ask, &plain, &error) == BG_OK, "%s: %s", name, error.text);
    ck_assert_msg(engine_ask(reply, sizeof reply, engine, line, &error) == BG_OK, "%s: %s: %s",
                  name, error.text, line);
    ck_assert_msg(query_read(&answer, ask, reply, &error) == BG_OK, "%s: %s: %s", name, error.text,
                  line);
    ck_assert_msg(answer.decision == ask->decision, "%s: number of another decision", name);
    return answer;
}

TEST(documented_lines)
{
    for (int i = 0; i < ROWS; i++) {
        struct bg_ask ask = ask_of_row(&rows[i]);
        char line[QUERY_LINE];

        ck_assert_int_eq(query_write(line, &ask, &plain, NULL), BG_OK);
        if (rows[i].line != NULL) {
            line[strcspn(line, " ")] = '\0';
            ck_assert_msg(strcmp(line, rows[i].line) == 0, "%s:\n%s is not\n%s", rows[i].name, line,
                          rows[i].line);
        }
    }
}

TEST(documented_answers)
{
    struct engine_settings settings = settings_of(0, 2);
    struct engine *engine = start(&settings);

    for (int i = 0; i < ROWS; i++) {
        struct bg_ask ask = ask_of_row(&rows[i]);
        struct bg_answer answer = answer_of(engine, &ask, rows[i].name);

        ck_assert_msg(answer.kind == rows[i].answer.kind, "%s: answer kind %d, not %d",
                      rows[i].name, (int)answer.kind, (int)rows[i].answer.kind);
        if (rows[i].answer.play != NULL) {
            struct bg_play play;

            ck_assert_int_eq(bg_play_read(&play, rows[i].answer.play, NULL), BG_OK);
            ck_assert_msg(memcmp(&play, &answer.play, sizeof play) == 0, "%s: not %s", rows[i].name,
                          rows[i].answer.play);
        }
    }
    engine_stop(engine);
}

/* ---- against the embedded evaluation ---- */

static struct bg_ask ask_of_cube_row(const char *row, enum bg_answer_kind *expected)
{
    char position[16], kind[16], owner[16], decision[16];
    int length, roller, other, log2, post, jacoby, seat;
    struct bg_ask ask;

    ck_assert_msg(sscanf(row, "%15s %15s %d %d %d %d %15s %d %d %15s", position, kind, &length,
                         &roller, &other, &log2, owner, &post, &jacoby, decision) == 10,
                  "row %s", row);
    ask = ask_begin(strcmp(kind, "take") == 0 ? BG_DECIDE_TAKE : BG_DECIDE_DOUBLE, length);
    seat = ask.kind == BG_DECIDE_TAKE; /* the side on roll: the opponent if we are doubled */
    ck_assert_int_eq(bg_position_id_read(&ask.board, position, seat, NULL), BG_OK);
    ask.score[seat] = roller;
    ask.score[1 - seat] = other;
    ask.cube_log2 = log2;
    ask.cube_owner = strcmp(owner, "roller") == 0 ? seat : BG_CENTRED;
    ask.post_crawford = post != 0;
    ask.rules.jacoby = jacoby != 0;
    *expected = strcmp(decision, "double") == 0 ? BG_ANSWER_DOUBLE
                : strcmp(decision, "roll") == 0 ? BG_ANSWER_ROLL
                : strcmp(decision, "take") == 0 ? BG_ANSWER_TAKE
                                                : BG_ANSWER_PASS;
    return ask;
}

TEST(cube_rows)
{
    struct engine_settings settings = settings_of(0, 0);
    struct engine *engine = start(&settings);
    FILE *file = fopen(TEST_DATA "/gnubg-cube.tsv", "r");
    static char row[ROW];
    int count = 0;

    ck_assert_ptr_nonnull(file);
    while (fgets(row, sizeof row, file) != NULL) {
        enum bg_answer_kind expected = BG_ANSWER_NONE;

        if (row[0] != '#') {
            struct bg_ask ask = ask_of_cube_row(row, &expected);
            struct bg_answer answer = answer_of(engine, &ask, row);

            ck_assert_msg(answer.kind == expected, "answer kind %d to %s", (int)answer.kind, row);
            count++;
        }
    }
    ck_assert_int_eq(count, 233);
    fclose(file);
    engine_stop(engine);
}

/* ---- plays ---- */

/* Every `step`th row, so that all categories of the file occur. */
static int check_plays(struct engine *engine, FILE *file, int step)
{
    static char row[4 * ROW];
    char position[16], results[16], id[BG_POSITION_ID];
    int number = 0, asked = 0, d1, d2, count, used;

    while (fgets(row, sizeof row, file) != NULL) {
        struct bg_ask ask = ask_begin(BG_DECIDE_PLAY, 7);
        struct bg_board result;
        struct bg_answer answer;

        ck_assert_msg(row[0] == '#' || strchr(row, '\n') != NULL, "row longer than the buffer");
        if (row[0] == '#' || number++ % step != 0) {
            continue;
        }
        ck_assert_int_eq(
            sscanf(row, "%15s %d %d %d %n%15s", position, &d1, &d2, &count, &used, results), 5);
        if (count == 0) {
            continue;
        }
        ck_assert_int_eq(bg_position_id_read(&ask.board, position, 0, NULL), BG_OK);
        ask.stage = stage_of(d1, d2);
        answer = answer_of(engine, &ask, position);
        ck_assert_msg(bg_play_check(&result, ask.rules.variant, &ask.board, 0, &ask.stage,
                                    &answer.play) == BG_RULE_NONE,
                      "%s %d%d: the referee refuses gnubg's play", position, d1, d2);
        bg_position_id_write(id, &result, 0);
        ck_assert_msg(strstr(row + used, id) != NULL, "%s %d%d: %s is not a result of the vectors",
                      position, d1, d2, id);
        asked++;
    }
    return asked;
}

TEST(plays_are_legal)
{
    struct engine_settings settings = settings_of(0, 0);
    struct engine *engine = start(&settings);
    FILE *file = fopen(TEST_DATA "/backgammon-moves.tsv", "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_gt(check_plays(engine, file, 13), 300);
    fclose(file);
    engine_stop(engine);
}

/* ---- raises ---- */

struct raise_row {
    const char *name;
    const char *own, *opponent;
    int raise;
    bool may_raise;
    enum bg_answer_kind answer;
};

static const struct raise_row raises[] = {
    {"beavered when ahead", "1:2 2:1", "5:2 6:2", 1, true, BG_ANSWER_RAISE},
    {"beavered when ahead, no raccoons", "1:2 2:1", "5:2 6:2", 1, false, BG_ANSWER_TAKE},
    {"beavered at the set-up", SETUP, SETUP, 1, false, BG_ANSWER_TAKE},
    {"beavered when lost", "6:2 5:2 4:1", "1:2", 1, true, BG_ANSWER_PASS},
    {"raccooned when lost", "5:2 6:2", "1:2 2:1", 2, true, BG_ANSWER_PASS},
    {"beavered, our roll decides", "1:2", "1:2", 1, true, BG_ANSWER_RAISE},
    {"raccooned, the opponent's roll decides", "1:2", "1:2", 2, true, BG_ANSWER_PASS},
    {"raccooned when ahead", "1:2", "6:2 5:2 4:1", 2, true, BG_ANSWER_TAKE},
};

TEST(raises_by_equity)
{
    struct engine_settings settings = settings_of(0, 0);
    struct engine *engine;

    engine = start(&settings);
    for (size_t i = 0; i < sizeof raises / sizeof *raises; i++) {
        struct bg_ask ask = ask_begin(BG_DECIDE_RAISE, 0);

        place(&ask.board, 0, raises[i].own);
        place(&ask.board, 1, raises[i].opponent);
        ask.raise = raises[i].raise;
        ask.may_raise = raises[i].may_raise;
        ck_assert_msg(answer_of(engine, &ask, raises[i].name).kind == raises[i].answer, "%s",
                      raises[i].name);
    }
    engine_stop(engine);
}

TEST(beaver_or_take)
{
    struct engine_settings settings = settings_of(0, 0);
    struct bg_ask ask = ask_begin(BG_DECIDE_TAKE, 0);
    struct engine *engine;

    place(&ask.board, 0, SETUP);
    place(&ask.board, 1, SETUP);
    engine = start(&settings);
    ask.may_raise = true;
    ck_assert_int_eq(answer_of(engine, &ask, "beavers").kind, BG_ANSWER_RAISE);
    ask.may_raise = false;
    ck_assert_int_eq(answer_of(engine, &ask, "cube at its limit").kind, BG_ANSWER_TAKE);
    engine_stop(engine);
}

/* ---- refused questions ---- */

TEST(refused_questions)
{
    struct bg_ask ask = ask_begin(BG_DECIDE_PLAY, QUERY_LENGTH_MAX);
    char line[QUERY_LINE];

    place(&ask.board, 0, SETUP);
    place(&ask.board, 1, SETUP);
    ask.stage = stage_of(3, 1);
    assert_ok(query_write(line, &ask, &plain, &error));
    ask.rules.length_points = QUERY_LENGTH_MAX + 1;
    ck_assert_int_eq(query_write(line, &ask, &plain, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "65 points"));
    ask.rules.length_points = 7;
    ask.kind = BG_DECIDE_NAME;
    ck_assert_int_eq(query_write(line, &ask, &plain, &error), BG_E_ARGUMENT);
    ask.kind = BG_DECIDE_PLAY;
    ask.rules.variant = NULL;
    ck_assert_int_eq(query_write(line, &ask, &plain, &error), BG_E_ARGUMENT);
}

static const struct {
    enum bg_decision kind;
    const char *reply;
} nonsense[] = {
    {BG_DECIDE_PLAY, ""},
    {BG_DECIDE_PLAY, "roll"},
    {BG_DECIDE_PLAY, "Error: badly formed board"},
    {BG_DECIDE_DOUBLE, ""},
    {BG_DECIDE_DOUBLE, "take"},
    {BG_DECIDE_DOUBLE, "doubled"},
    {BG_DECIDE_TAKE, "8/5 6/5"},
    {BG_DECIDE_RESIGNATION, "take"},
    {BG_DECIDE_RAISE, "0.5 0.1 0.0 0.1 0.0"},
    {BG_DECIDE_RAISE, "Error: syntax error"},
};

TEST(unreadable_engine_reply_is_not_an_answer)
{
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        struct bg_ask ask = ask_begin(nonsense[i].kind, 0);
        struct bg_answer answer;

        ck_assert_msg(query_read(&answer, &ask, nonsense[i].reply, NULL) == BG_E_FORMAT,
                      "\"%s\" passed as an answer", nonsense[i].reply);
    }
}

/* The fullest position in the longest question stays within gnubg's limit. */
TEST(longest_line)
{
    struct query_strength strength = {3, 0.123456};
    struct bg_ask ask = ask_begin(BG_DECIDE_RAISE, 0);
    char line[QUERY_LINE];

    place(&ask.board, 0, "1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1 13:1 25:2");
    place(&ask.board, 1, "1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1 25:4");
    ask.cube_log2 = BG_CUBE_LOG2_MAX;
    ask.raise = 1;
    ask.rules.jacoby = false;
    ck_assert_int_eq(query_write(line, &ask, &strength, NULL), BG_OK);
    ck_assert_uint_le(strlen(line), 254);
}

/* ---- the process ---- */

/* Noisy answers depend only on the question: not on earlier questions, not on the process. */
TEST(noise_is_repeatable)
{
    struct engine_settings settings = settings_of(0, 0);
    struct bg_answer noisy[2][21], quiet;
    int changed = 0;

    for (int run = 0; run < 2; run++) {
        struct engine *engine;

        settings.noise = 0.2;
        engine = start(&settings);
        for (int i = 0; i < 21; i++) {
            int number = run == 0 ? i : 20 - i, high = 1;
            struct bg_ask ask = ask_begin(BG_DECIDE_PLAY, 7);

            while (number >= high * (high + 1) / 2) {
                high++;
            }
            ask.stage = stage_of(high, number - high * (high - 1) / 2 + 1);
            place(&ask.board, 0, SETUP);
            place(&ask.board, 1, SETUP);
            noisy[run][number] = answer_of(engine, &ask, "noise");
        }
        engine_stop(engine);
    }
    ck_assert_int_eq(memcmp(noisy[0], noisy[1], sizeof noisy[0]), 0);
    settings.noise = 0.0;
    struct engine *engine = start(&settings);
    for (int high = 1, number = 0; high <= 6; high++) {
        for (int low = 1; low <= high; low++, number++) {
            struct bg_ask ask = ask_begin(BG_DECIDE_PLAY, 7);

            ask.stage = stage_of(high, low);
            place(&ask.board, 0, SETUP);
            place(&ask.board, 1, SETUP);
            quiet = answer_of(engine, &ask, "no noise");
            changed += memcmp(&quiet, &noisy[0][number], sizeof quiet) != 0;
        }
    }
    ck_assert_int_ge(changed, 5);
    engine_stop(engine);
}
