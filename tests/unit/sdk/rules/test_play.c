/* Legal plays: the vectors of GNU Backgammon, perft, and checks of plays as bots send them. */
#include <bgref/play.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>
#include <bgref/variant.h>

#include "support/moves_file.h"
#include "support/suite.h"

static const struct bg_variant *variant;
static struct bg_play_list list;

static void setup(void)
{
    variant = bg_variant_find("backgammon");
}

static struct bg_board board_of(const char *id, int seat)
{
    struct bg_board board;

    assert_ok(bg_position_id_read(&board, id, seat, &error));
    return board;
}

static struct bg_stage stage_of(int a, int b)
{
    return bg_stage_of_roll(variant, (struct bg_roll){{(uint8_t)a, (uint8_t)b, 0}});
}

/* The results of the list in the vectors' form. */
static void results_text(char *out, const struct bg_board *board, int seat)
{
    char *end = out;

    if (list.count == 0) {
        strcpy(out, "-");
    }
    for (size_t i = 0; i < list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, board, seat, &list.play[i]);
        if (i > 0) {
            *end++ = ',';
        }
        bg_position_id_write(end, &after, seat);
        end += strlen(end);
    }
}

TEST_LOOP(every_row_of_the_vectors, 0, 2)
{
    static struct moves_row row;
    static char got[MOVES_LINE];
    const int seat = _i;
    FILE *file = fopen(TEST_DATA "/backgammon-moves.tsv", "r");
    int rows = 0;

    ck_assert_ptr_nonnull(file);
    while (moves_row_next(&row, file)) {
        const struct bg_board board = board_of(row.position, seat);
        const struct bg_stage stage = stage_of(row.die[0], row.die[1]);

        bg_play_list(&list, variant, &board, seat, &stage);
        bg_play_list_sort(&list, variant, &board, seat);
        results_text(got, &board, seat);
        ck_assert_msg(strcmp(got, row.results) == 0, "%s %d%d:\n got %s\nwant %s", row.position,
                      row.die[0], row.die[1], got, row.results);
        ck_assert_msg((int)list.count == row.count, "%s count", row.position);
        ck_assert_msg(bg_play_exists(variant, &board, seat, &stage) == (row.count > 0),
                      "%s %d%d: exists", row.position, row.die[0], row.die[1]);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 5371);
}

/* Plays as a bot sends them, and the rule that they break. White is seat 0 and to play. */

#define OPENING    "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-"
#define ON_BAR     "------/------/w1-----/-----b1|1,0|0,0|13,14|w|-"
#define TWO_ON_BAR "------/------/w1-----/-----b1|2,0|0,0|12,14|w|-"
#define BEAR_OFF   "------/------/------/w1w1--w1b1|0,0|0,0|12,14|w|-"
#define HIGHER     "------/------/w1-----/-----b2|0,0|0,0|14,13|w|-"
#define BLOT       "w1-----/b1-----/------/------|0,0|0,0|14,14|w|-"
#define BLOTS      "w1-----/b1b1----/------/------|0,0|0,0|14,13|w|-"
#define LAST       "------/------/------/w1----b1|0,0|0,0|14,14|w|-"
#define CLOSED     "b2b2b2b2b2b2/------/------/w5w5w4---|1,0|0,0|0,3|w|-"

static const struct {
    const char *name, *position;
    int die[2];
    const char *play;
    enum bg_rule rule;
} checks[] = {
    {"an ordinary play", OPENING, {3, 1}, "8/5 6/5", BG_RULE_NONE},
    {"the other order", OPENING, {3, 1}, "6/5 8/5", BG_RULE_NONE},
    {"two numbers with one checker", OPENING, {6, 5}, "24/18 18/13", BG_RULE_NONE},
    {"the same in an order that cannot be played", OPENING, {6, 5}, "18/13 24/18", BG_RULE_NONE},
    {"merged, one way closed", OPENING, {6, 5}, "24/13", BG_RULE_NONE},
    {"merged, both ways open", OPENING, {2, 1}, "24/21", BG_RULE_NONE},
    {"a double", OPENING, {6, 6}, "24/18(2) 13/7(2)", BG_RULE_NONE},
    {"a double, three merged", OPENING, {3, 3}, "13/4 6/3", BG_RULE_NONE},
    {"a double, all merged", OPENING, {2, 2}, "13/5", BG_RULE_NONE},
    {"a double, two merged pairs", OPENING, {2, 2}, "13/9 6/2", BG_RULE_NONE},
    {"a merged move and a single one too many", OPENING, {3, 1}, "24/20 6/5", BG_RULE_NUMBER_USED},
    {"one number of two", OPENING, {3, 1}, "8/5", BG_RULE_MOST},
    {"three numbers of four", OPENING, {1, 1}, "8/7(2) 6/5", BG_RULE_MOST},
    {"no move though there is one", OPENING, {3, 1}, "", BG_RULE_MOST},
    {"one number twice", OPENING, {3, 1}, "8/5 8/5", BG_RULE_NUMBER_USED},
    {"a higher number twice", OPENING, {6, 5}, "13/7 8/2", BG_RULE_NUMBER_USED},
    {"a distance that was not rolled", OPENING, {3, 1}, "8/6 6/5", BG_RULE_DISTANCE},
    {"backwards", OPENING, {3, 1}, "6/8", BG_RULE_DISTANCE},
    {"off from too far for the roll", OPENING, {3, 1}, "6/off 8/5", BG_RULE_DISTANCE},
    {"no checker there", OPENING, {3, 1}, "8/5 7/6", BG_RULE_NO_CHECKER},
    {"the opponent's checkers are not one's own", OPENING, {3, 1}, "12/9 6/5", BG_RULE_NO_CHECKER},
    {"more checkers than stand there", OPENING, {6, 6}, "24/18(3) 13/7", BG_RULE_NO_CHECKER},
    {"a closed point", OPENING, {6, 5}, "24/19 24/18", BG_RULE_BLOCKED},
    {"a point closed by two", OPENING, {5, 3}, "6/1 8/5", BG_RULE_BLOCKED},
    {"merged over closed points", OPENING, {5, 5}, "24/14 13/8 6/1", BG_RULE_BLOCKED},
    {"off before all are home", OPENING, {6, 6}, "6/off(4)", BG_RULE_BEAR_EARLY},
    {"past a checker on the bar", ON_BAR, {6, 5}, "12/6 12/7", BG_RULE_BAR_FIRST},
    {"entering", ON_BAR, {6, 5}, "bar/20 12/6", BG_RULE_NONE},
    {"entering, told last", ON_BAR, {6, 5}, "12/6 bar/20", BG_RULE_NONE},
    {"entering and going on, merged", ON_BAR, {6, 5}, "bar/14", BG_RULE_NONE},
    {"entering only", ON_BAR, {6, 5}, "bar/20", BG_RULE_MOST},
    {"one of two enters", TWO_ON_BAR, {6, 5}, "bar/20 12/6", BG_RULE_BAR_FIRST},
    {"one of two enters and goes on", TWO_ON_BAR, {6, 5}, "bar/14", BG_RULE_BAR_FIRST},
    {"nothing can enter", CLOSED, {6, 5}, "", BG_RULE_NONE},
    {"entering on a closed point", CLOSED, {6, 5}, "bar/20", BG_RULE_BLOCKED},
    {"bearing off by larger numbers", BEAR_OFF, {6, 6}, "6/off 5/off 2/off", BG_RULE_NONE},
    {"the same from below", BEAR_OFF, {6, 6}, "2/off 5/off 6/off", BG_RULE_NONE},
    {"larger number, not the highest point", BEAR_OFF, {4, 3}, "2/off 6/3", BG_RULE_BEAR_HIGHER},
    {"larger number once the higher are gone", BEAR_OFF, {6, 5}, "5/off 6/off", BG_RULE_NONE},
    {"the higher number when only one can be played", HIGHER, {6, 5}, "12/6", BG_RULE_NONE},
    {"the lower number when only one can be played", HIGHER, {6, 5}, "12/7", BG_RULE_HIGHER},
    {"merged, a hit one way only", BLOT, {6, 5}, "24/13", BG_RULE_AMBIGUOUS},
    {"merged, another hit each way", BLOTS, {6, 5}, "24/13", BG_RULE_AMBIGUOUS},
    {"told with the hit", BLOT, {6, 5}, "24/18*/13", BG_RULE_NONE},
    {"told without the hit", BLOT, {6, 5}, "24/19/13", BG_RULE_NONE},
    {"last checker with one of two numbers", LAST, {6, 5}, "6/off", BG_RULE_NONE},
    {"last checker with both numbers", LAST, {6, 4}, "6/2 2/off", BG_RULE_NONE},
    {"last checker not taken off", LAST, {6, 4}, "6/2", BG_RULE_MOST},
};

TEST_ROWS(play_is_judged, checks)
{
    struct bg_board board, result, made;
    struct bg_play play;
    enum bg_rule rule;
    int mover;

    ck_assert_msg(bg_position_text_read(&board, &mover, variant, checks[_i].position, &error) ==
                      BG_OK,
                  "%s: %s", checks[_i].name, error.text);
    ck_assert_int_eq(bg_play_read(&play, checks[_i].play, NULL), BG_OK);
    for (int seat = 0; seat < 2; seat++) {
        const struct bg_stage stage = stage_of(checks[_i].die[0], checks[_i].die[1]);

        made = result = board;
        rule = bg_play_check(&result, variant, &board, seat, &stage, &play);
        ck_assert_msg(rule == checks[_i].rule, "%s: %s %s, expected %s %s", checks[_i].name,
                      bg_rule_number(rule), bg_rule_text(rule), bg_rule_number(checks[_i].rule),
                      bg_rule_text(checks[_i].rule));
        if (rule != BG_RULE_NONE) {
            ck_assert(bg_board_equal(&result, &board));
        } else {
            ck_assert_int_eq(bg_play_check_result(&play, variant, &board, seat, &stage, &result),
                             BG_RULE_NONE);
            bg_play_make(&made, variant, &board, seat, &play);
            ck_assert(bg_board_equal(&made, &result));
        }
        ck_assert_int_eq(bg_play_read(&play, checks[_i].play, NULL), BG_OK);
        bg_board_swap(&board, &board);
    }
}

static const struct {
    struct bg_play play;
    enum bg_rule rule;
} shapes[] = {
    {{1, {{0, 0}}}, BG_RULE_SLOT},
    {{1, {{26, 20}}}, BG_RULE_SLOT},
    {{1, {{255, 254}}}, BG_RULE_SLOT},
    {{1, {{6, 25}}}, BG_RULE_SLOT},
    {{1, {{6, 255}}}, BG_RULE_SLOT},
    {{1, {{6, 6}}}, BG_RULE_DISTANCE},
    {{5, {{8, 5}, {6, 5}}}, BG_RULE_NUMBER_USED},
    {{255, {{8, 5}, {6, 5}}}, BG_RULE_NUMBER_USED},
};

TEST_ROWS(impossible_shape_is_refused, shapes)
{
    const struct bg_stage stage = stage_of(3, 1);
    struct bg_board board, result;

    bg_variant_setup(&board, variant);
    ck_assert_int_eq(bg_play_check(&result, variant, &board, 0, &stage, &shapes[_i].play),
                     shapes[_i].rule);
}

TEST(result_is_judged)
{
    const struct bg_stage stage = stage_of(3, 1);
    struct bg_board board, result;

    bg_variant_setup(&board, variant);
    result = board;
    ck_assert_int_eq(bg_play_check_result(NULL, variant, &board, 0, &stage, &result),
                     BG_RULE_RESULT);
    result.at[0][8] -= 1;
    result.at[0][6] -= 1;
    result.at[0][5] += 2;
    ck_assert_int_eq(bg_play_check_result(NULL, variant, &board, 0, &stage, &result), BG_RULE_NONE);
    result.at[1][24]--;
    result.at[1][BG_BAR]++;
    ck_assert_int_eq(bg_play_check_result(NULL, variant, &board, 0, &stage, &result),
                     BG_RULE_RESULT);
}

/* Rows of hit-games-moves.tsv: backgammon, nackgammon and hypergammon in the notation N3. */

enum { COLUMNS = 5 };

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void check_row(const char *const column[COLUMNS])
{
    static char text[BG_PLAYS_MAX][BG_POSITION_TEXT], got[MOVES_LINE * 4];
    char *end = got;
    struct bg_board board;
    struct bg_stage stage;
    int mover;

    variant = bg_variant_find(column[0]);
    assert_ok(bg_position_text_read(&board, &mover, variant, column[1], &error));
    bg_position_text_write(got, variant, &board, mover);
    ck_assert_str_eq(got, column[1]);
    stage = stage_of(column[2][0] - '0', column[2][1] - '0');
    bg_play_list(&list, variant, &board, mover, &stage);
    bg_play_list_sort(&list, variant, &board, mover);
    ck_assert_msg((int)list.count == atoi(column[3]), "%s %s", column[1], column[2]);
    for (size_t i = 0; i < list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, &board, mover, &list.play[i]);
        bg_position_text_write(text[i], variant, &after, mover);
    }
    if (strcmp(column[0], "backgammon") == 0) { /* by Position ID; the file sorts by this text */
        qsort(text, list.count, sizeof text[0], by_text);
    }
    strcpy(got, "-");
    for (size_t i = 0; i < list.count; i++) {
        end += sprintf(end, "%s%s", i > 0 ? ";" : "", text[i]);
    }
    ck_assert_str_eq(got, column[4]);
}

TEST(rows_of_the_games_that_share_the_moves)
{
    static char line[MOVES_LINE * 4];
    FILE *file = fopen(TEST_DATA "/hit-games-moves.tsv", "r");
    int rows = 0;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *column[COLUMNS];
        char *rest = line;

        if (line[0] == '#') {
            continue;
        }
        for (int i = 0; i < COLUMNS; i++) {
            column[i] = strtok_r(i == 0 ? line : NULL, "\t\n", &rest);
            ck_assert_ptr_nonnull(column[i]);
        }
        check_row(column);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 900);
}

SUITE_FIXTURE(setup, NULL)
