/* Notations: vectors of GNU Backgammon, refused texts, plays as text, the drawn board. */
#include "support/suite.h"

#include <bgref/notation.h>

#include <stdio.h>
#include <string.h>

#include <bgref/variant.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

#define OPENING "4HPwATDgc/ABMA"

enum { LINE = 1024, COLUMNS = 19 };

static const struct bg_variant *variant;

static void setup(void)
{
    variant = bg_variant_find("backgammon");
}

/* Reads the next row of a file, split at its tabs; returns the number of columns, 0 at the end. */
static int next_row(char *column[COLUMNS], char line[LINE], FILE *file)
{
    int columns = 0;

    do {
        if (fgets(line, LINE, file) == NULL) {
            return 0;
        }
    } while (line[0] == '#');
    line[strcspn(line, "\n")] = '\0';
    while (columns < COLUMNS) {
        column[columns++] = line;
        line += strcspn(line, "\t");
        if (*line == '\0') {
            break;
        }
        *line++ = '\0';
    }
    return columns;
}

static void counts_text(char *out, const uint8_t at[BG_SLOTS])
{
    for (int slot = 1; slot <= BG_BAR; slot++) {
        out += sprintf(out, "%s%d", slot > 1 ? "," : "", at[slot]);
    }
}

static void check_match_row(char *column[COLUMNS])
{
    char text[LINE];
    struct bg_match_id id;
    struct bg_board board;

    assert_ok(bg_match_id_read(&id, column[1], &error));
    assert_ok(bg_position_id_read(&board, column[0], id.move, &error));
    counts_text(text, board.at[1 - id.move]);
    ck_assert_str_eq(text, column[2]);
    counts_text(text, board.at[id.move]);
    ck_assert_str_eq(text, column[3]);
    sprintf(text, "%d %d %d %d %d %d %d %d %d %d %d %d %d %d", 1 << id.cube_log2, id.cube_owner,
            id.move, id.turn, id.crawford, id.jacoby, id.length, id.score[0], id.score[1],
            id.dice[0], id.dice[1], id.doubled, id.resigned, id.state);
    for (int i = 4; i < 17; i++) {
        column[i][strlen(column[i])] = ' '; /* the tabs again, as blanks */
    }
    ck_assert_str_eq(text, column[4]);
    ck_assert_int_eq(bg_match_id_write(text, &id, NULL), BG_OK);
    ck_assert_str_eq(text, column[1]);
    bg_position_id_write(text, &board, id.move);
    ck_assert_str_eq(text, column[0]);
}

TEST(match_ids_of_gnubg)
{
    FILE *file = fopen(TEST_DATA "/matchid.tsv", "r");
    char line[LINE], *column[COLUMNS];
    int rows = 0;

    ck_assert_ptr_nonnull(file);
    for (; next_row(column, line, file) == COLUMNS; rows++) {
        check_match_row(column);
    }
    fclose(file);
    ck_assert_int_eq(rows, 300);
}

TEST(xgids_are_read_like_in_gnubg)
{
    FILE *file = fopen(TEST_DATA "/xgid.tsv", "r");
    char line[LINE], *column[COLUMNS], text[BG_XGID];
    int rows = 0;

    ck_assert_ptr_nonnull(file);
    for (; next_row(column, line, file) == 3; rows++) {
        struct bg_match_id id;
        struct bg_board board;

        assert_ok(bg_xgid_read(&board, &id, column[0], &error));
        bg_position_id_write(text, &board, id.move);
        ck_assert_str_eq(text, column[1]);
        ck_assert_int_eq(bg_match_id_write(text, &id, NULL), BG_OK);
        ck_assert_str_eq(text, column[2]);
        ck_assert_int_eq(bg_xgid_write(text, &board, &id, NULL), BG_OK);
        ck_assert_msg(strncmp(text, column[0], strlen(column[0]) - 2) == 0, "%s %s", text,
                      column[0]); /* without the highest cube */
    }
    fclose(file);
    ck_assert_int_eq(rows, 90);
}

/* GNU Backgammon reads this one as 21. It comes back with the larger die first. */
TEST(dice_of_a_match_id_may_have_any_order)
{
    struct bg_match_id id;
    char text[BG_MATCH_ID];

    ck_assert_int_eq(bg_match_id_read(&id, "cIkIAgAAAAAA", NULL), BG_OK);
    ck_assert_int_eq(id.dice[0], 2);
    ck_assert_int_eq(id.dice[1], 1);
    ck_assert_int_eq(bg_match_id_write(text, &id, NULL), BG_OK);
    ck_assert_str_ne(text, "cIkIAgAAAAAA");
    ck_assert_int_eq(bg_match_id_read(&id, text, NULL), BG_OK);
    ck_assert_int_eq(id.dice[0], 2);
}

/* Texts that every reader must refuse, and a part of the message. */

#define XG "-b----E-C---eE---c-e----B-"

enum notation { POSITION_ID, MATCH_ID, XGID, EVERY_GAME, PLAY };

static const struct {
    enum notation notation;
    const char *text, *message;
} refused[] = {
    {POSITION_ID, "", "exactly 14"},
    {POSITION_ID, "4HPwATDgc/ABM", "exactly 14"},
    {POSITION_ID, "4HPwATDgc/ABMAA", "exactly 14"},
    {POSITION_ID, "4HPwATDgc_ABMA", "character 10"},
    {POSITION_ID, "4HPwATDgc/ABMB", "last character"},
    {POSITION_ID, "//////////////", "last character"},
    {POSITION_ID, "/////////////w", "more than 15"},
    {POSITION_ID, "AAAAAAAAgAAAAA", "goes on"},
    {POSITION_ID, "AACABAAAAAAAAA", "both sides stand"},
    {MATCH_ID, "", "exactly 12"},
    {MATCH_ID, "cIkKAAAAAAA", "exactly 12"},
    {MATCH_ID, "cIkKAAAAAAAAA", "exactly 12"},
    {MATCH_ID, "cIkKAAAAAA\xc3\xa4", "character 11"},
    {MATCH_ID, "IAAAAAAAAAAE", "cube owner 2"},
    {MATCH_ID, "8AkAAAAAAAAA", "money play has no Crawford game"},
    {MATCH_ID, "AAUAAAAAAAAE", "game state 5"},
    {MATCH_ID, "AIADAAAAAAAE", "higher die 7"},
    {MATCH_ID, "AIAAAAAAAAAE", "dice 1 and 0"},
    {MATCH_ID, "AAAAAAAAAAAI", "goes on"},
    {XGID, "", "character 1"},
    {XGID, "XGID=", "character 1"},
    {XGID, "-b----E-C---eE---c-e----B", "character 26"},
    {XGID, "-b----E-C---eE---c-e----P-:0:0:1:00:0:0:0:0:10", "character 25"},
    {XGID, "Ab----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "bar"},
    {XGID, "-b----E-C---eE---c-e----Ba:0:0:1:00:0:0:0:0:10", "bar"},
    {XGID, "-b----E-C---eE---c-e----C-:0:0:1:00:0:0:0:0:10", "more than 15"},
    {XGID, XG, "cube"},
    {XGID, XG ":16:0:1:00:0:0:0:0:10", "cube"},
    {XGID, XG ":0:2:1:00:0:0:0:0:10", "owner"},
    {XGID, XG ":0:0:0:00:0:0:0:0:10", "turn"},
    {XGID, XG ":0:0:1:70:0:0:0:0:10", "dice"},
    {XGID, XG ":0:0:1:30:0:0:0:0:10", "dice"},
    {XGID, XG ":0:0:1:3:0:0:0:0:10", "dice"},
    {XGID, XG ":0:0:1:B:0:0:3:0:10", "beaver"},
    {XGID, XG ":0:0:1:00:-1:0:0:0:10", "score"},
    {XGID, XG ":0:0:1:00:99999999999:0:0:0:10", "score"},
    {XGID, XG ":0:0:1:00:0:0:2:7:10", "crawford"},
    {XGID, XG ":0:0:1:00:0:0:0:0", "highest cube"},
    {XGID, XG ":0:0:1:00:0:0:0:0:10:", "follows"},
    {XGID, XG ":0:0:1:00:0:0:0:0:10 ", "follows"},
    {EVERY_GAME, "", "character 1"},
    {EVERY_GAME, "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|x|-", "character 49"},
    {EVERY_GAME, "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-x", "not understood"},
    {EVERY_GAME, "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,1|w|-", "black has 16"},
    {EVERY_GAME, "w02----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", "leading zeros"},
    {EVERY_GAME, "w2----b5/-b3---w5/b5---w3-/w5----b2|00,0|0,0|0,0|w|-", "leading zeros"},
    {EVERY_GAME, "w2+b1----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", "not understood"},
    {PLAY, "8", "'/'"},
    {PLAY, "8/", "character 3"},
    {PLAY, "/5", "character 1"},
    {PLAY, "off/5", "character 1"},
    {PLAY, "8/5,6/5", "blank"},
    {PLAY, "8/bar", "character 3"},
    {PLAY, "26/20", "character 1"},
    {PLAY, "08/05", "character 1"},
    {PLAY, "8/5(5)", "repeat"},
    {PLAY, "8/5(", "repeat"},
    {PLAY, "6/off/5", "bearing off"},
    {PLAY, "8/7 8/7 8/7 6/5 6/5", "four"},
    {PLAY, "24/18/12(3)", "four"},
    {PLAY, "24/23/22/21/20/19", "four"},
    {PLAY, "8/99999999999999999999", "character 3"},
};

static enum bg_status read_any(enum notation notation, const char *text, struct bg_error *err)
{
    struct bg_board board;
    struct bg_match_id id;
    struct bg_play play;
    int mover;

    switch (notation) {
    case POSITION_ID:
        return bg_position_id_read(&board, text, 0, err);
    case MATCH_ID:
        return bg_match_id_read(&id, text, err);
    case XGID:
        return bg_xgid_read(&board, &id, text, err);
    case EVERY_GAME:
        return bg_position_text_read(&board, &mover, variant, text, err);
    default:
        return bg_play_read(&play, text, err);
    }
}

TEST_ROWS(invalid_text_is_refused, refused)
{
    ck_assert_msg(read_any(refused[_i].notation, refused[_i].text, &error) == BG_E_FORMAT,
                  "\"%s\" was taken", refused[_i].text);
    ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "\"%s\": %s", refused[_i].text,
                  error.text);
}

/* Values that a notation cannot express. */
TEST(values_without_notation_are_refused)
{
    static const struct bg_match_id fits = {.cube_owner = BG_CENTRED, .state = 1};
    struct bg_match_id id[10];
    char text[BG_XGID];
    struct bg_board board;

    bg_variant_setup(&board, variant);
    for (int i = 0; i < COUNT(id); i++) {
        id[i] = fits;
    }
    ck_assert_int_eq(bg_xgid_write(text, &board, &fits, NULL), BG_OK);
    ck_assert_int_eq(bg_match_id_write(text, &fits, NULL), BG_OK);
    id[0].cube_log2 = 16;
    id[1].score[0] = 32768;
    id[2].length = 32768;
    id[3].score[1] = -1;
    id[4].dice[0] = 7;
    id[5].dice[0] = 3;
    for (int i = 0; i < 6; i++) {
        ck_assert_msg(bg_match_id_write(text, &id[i], NULL) == BG_E_FORMAT, "match ID %d", i);
    }
    id[6].resigned = 1; /* fits a Match ID */
    id[7].state = 2;
    id[8].crawford = 1;
    id[9].dice[1] = -1;
    for (int i = 0; i < COUNT(id); i++) {
        ck_assert_msg(bg_xgid_write(text, &board, &id[i], NULL) == BG_E_FORMAT, "XGID %d", i);
    }
}

static const struct {
    const char *text;
    struct bg_play play;
    const char *again; /* as we write it on the opening position; NULL: not written */
} plays[] = {
    {"", {0, {{0}}}, ""},
    {"8/5 6/5", {2, {{8, 5}, {6, 5}}}, "8/5 6/5"},
    {"  8/5   6/5 ", {2, {{8, 5}, {6, 5}}}, "8/5 6/5"},
    {"24/18/13", {2, {{24, 18}, {18, 13}}}, "24/18 18/13"},
    {"24/13", {1, {{24, 13}}}, "24/13"},
    {"13/7(2)", {2, {{13, 7}, {13, 7}}}, "13/7(2)"},
    {"13/7(2) 24/18(2)", {4, {{13, 7}, {13, 7}, {24, 18}, {24, 18}}}, "13/7(2) 24/18(2)"},
    {"24/22/20(2)", {4, {{24, 22}, {22, 20}, {24, 22}, {22, 20}}}, NULL},
    {"bar/20* 25/21", {2, {{25, 20}, {25, 21}}}, NULL},
    {"6/off 6/0 5/off*", {3, {{6, 0}, {6, 0}, {5, 0}}}, NULL},
    {"hand/20", {1, {{BG_HAND, 20}}}, NULL},
    {"24/23*/22*(2)*", {4, {{24, 23}, {23, 22}, {24, 23}, {23, 22}}}, NULL},
};

TEST_ROWS(play_as_text, plays)
{
    char text[BG_PLAY_TEXT];
    struct bg_play play;
    struct bg_board board;

    assert_ok(bg_play_read(&play, plays[_i].text, &error));
    ck_assert_mem_eq(&play, &plays[_i].play, sizeof play);
    if (plays[_i].again != NULL) {
        bg_variant_setup(&board, variant);
        bg_play_write(text, variant, &board, 0, &play);
        ck_assert_str_eq(text, plays[_i].again);
    }
    bg_play_write(text, variant, NULL, 0, &play);
    ck_assert_int_eq(bg_play_read(&play, text, NULL), BG_OK);
    ck_assert_mem_eq(&play, &plays[_i].play, sizeof play);
}

static const struct {
    struct bg_play play;
    const char *text;
} hits[] = {
    {{2, {{24, 18}, {18, 13}}}, "24/18* 18/13*"},
    {{2, {{24, 18}, {24, 18}}}, "24/18*(2)"},
    {{2, {{24, 19}, {24, 18}}}, "24/19 24/18*"},
    {{1, {{24, 13}}}, "24/13*"},
};

TEST_ROWS(hits_are_marked, hits)
{
    struct bg_board board;
    char text[BG_PLAY_TEXT];
    int mover;

    ck_assert_int_eq(bg_position_text_read(&board, &mover, variant,
                                           "w2-----/b1----b1/------/------|0,0|0,0|13,13|w|-",
                                           NULL),
                     BG_OK);
    bg_play_write(text, variant, &board, 0, &hits[_i].play);
    ck_assert_str_eq(text, hits[_i].text);
}

static const struct {
    const char *text, *again; /* NULL: refused */
} stages[] = {
    {"63", "63"},  {"33", "3x4"}, {"4x3", "4x3"}, {"5x1", "5x1"}, {"36", NULL},  {"6", NULL},
    {"652", NULL}, {"07", NULL},  {"4x5", NULL},  {"4x0", NULL},  {"7x1", NULL}, {"4x", NULL},
    {"63 ", NULL}, {"", NULL},    {"x3", NULL},   {"4x31", NULL},
};

TEST_ROWS(stages_are_read_and_written, stages)
{
    struct bg_stage stage;
    char text[BG_STAGE_TEXT];
    const bool reads = bg_stage_read(&stage, variant, stages[_i].text, NULL) == BG_OK;

    ck_assert_msg(reads == (stages[_i].again != NULL), "'%s'", stages[_i].text);
    if (reads) {
        bg_stage_write(text, &stage);
        ck_assert_str_eq(text, stages[_i].again);
    }
}

static const char opening_drawing[] = " +13-14-15-16-17-18------19-20-21-22-23-24-+\n"
                                      " | X           O    |   | O              X |\n"
                                      " | X           O    |   | O              X |\n"
                                      " | X           O    |   | O                |\n"
                                      " | X                |   | O                |\n"
                                      " | X                |   | O                |\n"
                                      " |                  |BAR|                  |\n"
                                      " | O                |   | X                |\n"
                                      " | O                |   | X                |\n"
                                      " | O           X    |   | X                |\n"
                                      " | O           X    |   | X              O |\n"
                                      " | O           X    |   | X              O |\n"
                                      " +12-11-10--9--8--7-------6--5--4--3--2--1-+\n";

/* The board as GNU Backgammon draws it, without the notes at its side. */
TEST(opening_is_drawn)
{
    struct bg_board board;
    char drawing[2048], bare[2048], *out = bare;

    bg_variant_setup(&board, variant);
    bg_board_draw(drawing, sizeof drawing, variant, &board, NULL, 1);
    for (const char *line = drawing; *line != '\0'; line = strchr(line, '\n') + 1) {
        out += sprintf(out, "%.44s", line);
        if (out[-1] != '\n') {
            *out++ = '\n';
            *out = '\0';
        }
    }
    ck_assert_str_eq(bare, opening_drawing);
}

TEST(drawing_shows_cube_dice_and_tall_stacks)
{
    const struct bg_match_id id = {.cube_log2 = 3,
                                   .cube_owner = 0,
                                   .move = 1,
                                   .turn = 1,
                                   .length = 7,
                                   .score = {2, 1},
                                   .dice = {6, 5},
                                   .state = 1};
    struct bg_board board = {.at = {{[1] = 12, [BG_BAR] = 3}, {[1] = 15}}};
    char drawing[2048], small[100];

    bg_board_draw(drawing, sizeof drawing, variant, &board, &id, 1);
    ck_assert_ptr_nonnull(strstr(drawing, "12 |"));
    ck_assert_ptr_nonnull(strstr(drawing, "15 |"));
    ck_assert_ptr_nonnull(strstr(drawing, "| O |"));
    ck_assert_ptr_nonnull(strstr(drawing, "cube 8"));
    ck_assert_ptr_nonnull(strstr(drawing, "to play 65"));
    ck_assert_ptr_nonnull(strstr(drawing, "7 point match"));
    ck_assert_ptr_nonnull(strstr(drawing, "X seat 1: 15 pips, 0 off\n"));
    ck_assert_ptr_nonnull(strstr(drawing, "  1 point\n"));
    for (const char *line = drawing; *line != '\0'; line = strchr(line, '\n') + 1) {
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    }
    bg_board_draw(small, sizeof small, variant, &board, &id, 1); /* cut, not overrun */
    ck_assert_uint_eq(strlen(small), sizeof small - 1);
}

TEST(match_id_of_a_match)
{
    struct bg_match match = {.rules = {.length_points = 5},
                             .need = {BG_NEED_TAKE, 1},
                             .score = {3, 4},
                             .cube_owner = -1};
    struct bg_match_id id;

    ck_assert_int_eq(bg_match_id_of(&id, &match, NULL), BG_OK);
    ck_assert_int_eq(id.move, 0);
    ck_assert_int_eq(id.turn, 1);
    ck_assert_int_eq(id.doubled, 1);
    ck_assert_int_eq(id.state, 1);
    match.cube_log2 = 16;
    ck_assert_int_eq(bg_match_id_of(&id, &match, NULL), BG_E_FORMAT);
    match.cube_log2 = 0;
    match.score[1] = 40000;
    ck_assert_int_eq(bg_match_id_of(&id, &match, NULL), BG_E_FORMAT);
    match.score[1] = 4;
    match.need.kind = BG_NEED_RAISE;
    ck_assert_int_eq(bg_match_id_of(&id, &match, NULL), BG_E_FORMAT);
    match.need = (struct bg_need){BG_NEED_NOTHING, -1};
    match.result.end = BG_END_PASS;
    ck_assert_int_eq(bg_match_id_of(&id, &match, NULL), BG_OK);
    ck_assert_int_eq(id.state, 4);
    ck_assert_int_eq(id.doubled, 0);
}

SUITE_FIXTURE(setup, NULL)
