/* A person's seat: what is typed, judged, completed and told. The oracle for plays is the list of
 * legal plays: each is typed in several spellings and has to lead to its own board. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include "complete.h"
#include "entry.h"
#include "../common/story.h"
#include "support/random_board.h"
#include "support/suite.h"

enum { LINE = 160, POSITIONS = 40, SPELLINGS = 8, GAMES = 26 };

static const struct bg_variant *backgammon(void)
{
    return bg_variant_find("backgammon");
}

/* The position before the first roll, and this roll to be played. */
static struct bg_ask first_play(int high, int low)
{
    struct bg_ask ask = {.kind = BG_DECIDE_PLAY, .rules = bg_rules_default(backgammon(), 5)};

    bg_variant_setup(&ask.board, backgammon());
    ask.stage = bg_stage_of_roll(backgammon(), (struct bg_roll){{(uint8_t)high, (uint8_t)low, 0}});
    return ask;
}

static enum entry_news type_line(struct entry *entry, const char *line, char text[ENTRY_TEXT])
{
    struct typed typed;
    enum entry_news news = ENTRY_REFUSED;

    if (entry_read(&typed, text, entry, line)) {
        news = entry_type(entry, &typed, text);
    }
    return news;
}

/* ---- every legal play in several spellings ---- */

/* Writes each `from` that stands for one of `from`'s bytes as `to`. */
static void replace(char line[LINE], const char *from, const char *to)
{
    char out[LINE] = "";
    const char *at = line;

    while (*at != '\0') {
        const char *found = strstr(at, from);
        const size_t kept = found == NULL ? strlen(at) : (size_t)(found - at);
        const size_t used = strlen(out);

        snprintf(out + used, sizeof out - used, "%.*s%s", (int)kept, at, found == NULL ? "" : to);
        at += kept + (found == NULL ? 0 : strlen(from));
    }
    memcpy(line, out, LINE);
}

static void reverse_words(char line[LINE])
{
    char out[LINE] = "", words[8][LINE];
    int count = 0, used = 0;

    while (count < 8 && sscanf(line + used, "%159s", words[count]) == 1) {
        used += (int)strspn(line + used, " ") + (int)strlen(words[count++]);
    }
    while (count-- > 0) {
        const size_t length = strlen(out);

        snprintf(out + length, sizeof out - length, "%s%s", words[count], count > 0 ? "  " : "");
    }
    memcpy(line, out, LINE);
}

static void spell(char line[LINE], const char *play, int way, const struct bg_stage *stage)
{
    char dice[BG_STAGE_TEXT];

    snprintf(line, LINE, "%s", play);
    switch (way) {
    case 1:
        for (char *byte = line; *byte != '\0'; byte++) {
            *byte = (char)toupper((unsigned char)*byte);
        }
        break;
    case 2:
        replace(line, "/", "-");
        replace(line, " ", ", ");
        break;
    case 3:
        replace(line, "bar", "b");
        replace(line, "off", "o");
        replace(line, "hand", "h");
        replace(line, "*", "x");
        break;
    case 4:
        reverse_words(line);
        break;
    case 5:
        bg_stage_write(dice, stage);
        snprintf(line, LINE, " %s : %s ", dice, play);
        replace(line, "off", "0");
        break;
    case 6:
        replace(line, "(", "x");
        replace(line, ")", "");
        replace(line, "/", "->");
        replace(line, "->", "/");
        break;
    case 7:
        replace(line, "/", " ");
        replace(line, "*", "");
        break;
    default:
        break;
    }
}

static void try_play(const struct bg_ask *ask, const struct bg_play *play)
{
    static struct entry entry;
    struct bg_board want;
    char text[BG_PLAY_TEXT], line[LINE], said[ENTRY_TEXT];

    bg_play_make(&want, ask->rules.variant, &ask->board, 0, play);
    bg_play_write(text, ask->rules.variant, &ask->board, 0, play);
    for (int way = 0; way < SPELLINGS; way++) {
        spell(line, text, way, &ask->stage);
        entry_begin(&entry, ask);
        ck_assert_msg(type_line(&entry, line, said) == ENTRY_WHOLE, "%s: %s as \"%s\": %s",
                      bg_variant_id(ask->rules.variant), text, line, said);
        ck_assert_msg(bg_board_equal(&entry.after, &want), "%s as \"%s\": %s", text, line, said);
    }
}

TEST_LOOP(every_legal_play_is_read_in_every_spelling, 0, GAMES)
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = bg_variant_at(_i);
    struct plain_game game;
    uint64_t random = 20 + (uint64_t)_i;

    ck_assert_ptr_nonnull(variant);
    ck_assert(plain_game_read(&game, bg_variant_id(variant)));
    for (int i = 0; i < POSITIONS; i++) {
        struct bg_ask ask = {.kind = BG_DECIDE_PLAY, .rules = bg_rules_default(variant, 0)};
        const int third = game.dice == 3 ? 1 + i % 5 : 0;
        const struct bg_roll roll = {
            {(uint8_t)(1 + i % 6), (uint8_t)(1 + i / 6 % 6), (uint8_t)third}};

        random_board(&ask.board, &game, &random);
        ask.stage = bg_stage_of_roll(variant, roll);
        bg_play_list(&plays, variant, &ask.board, 0, &ask.stage);
        for (size_t p = 0; p < plays.count; p += 1 + plays.count / 12) {
            try_play(&ask, &plays.play[p]);
        }
    }
}

/* ---- rows ---- */

static const struct {
    const char *line;
    enum entry_news news;
    const char *text; /* how it begins */
} rows[] = {
    /* 31 from the first position */
    {"8/5 6/5", ENTRY_WHOLE, "8/5 6/5"},
    {"6-5,8-5", ENTRY_WHOLE, "6/5 8/5"},
    {"13: 8/5 6/5", ENTRY_WHOLE, "8/5 6/5"},
    {"3-1: 8/5 6/5", ENTRY_WHOLE, "8/5 6/5"},
    {"move 8 5 6 5", ENTRY_WHOLE, "8/5 6/5"},
    {"24/23/20", ENTRY_WHOLE, "24/23 23/20"},
    {"24/20", ENTRY_WHOLE, "24/20"},
    {"8/5", ENTRY_PART, "So far 8/5."},
    {"41: 8/5 6/5", ENTRY_REFUSED, "Not these dice: you rolled 31."},
    {"8/5* 6/5", ENTRY_REFUSED, "A hit is marked where"},
    {"8/5*", ENTRY_REFUSED, "A hit is marked where"},
    {"8/5. 6/5.", ENTRY_WHOLE, "8/5 6/5"},
    {"8\xe2\x80\x93"
     "5\xc2\xa0"
     "6\xe2\x88\x92"
     "5",
     ENTRY_WHOLE, "8/5 6/5"},
    {"8/4 6/5", ENTRY_REFUSED, "Not legal (G5)"},
    {"24/21 8/7 6/5", ENTRY_REFUSED, "Not legal (G"},
    {"12/9", ENTRY_REFUSED, "Not legal (G1)"},
    {"6/off", ENTRY_REFUSED, "Not legal (G"},
    {"bar/22", ENTRY_REFUSED, "Not legal (G1)"},
    {"99/3", ENTRY_REFUSED, "Not a play at \"99/3\": a move begins"},
    {"13/26", ENTRY_REFUSED, "Not a play at \"13/26\": a move ends"},
    {"13/bar", ENTRY_REFUSED, "Not a play at \"13/bar\": a move ends"},
    {"off/13", ENTRY_REFUSED, "Not a play at \"off/13\": a move begins"},
    {"6/off/5", ENTRY_REFUSED, "Not a play at \"6/off/5\": nothing moves on"},
    {"8/5 6", ENTRY_REFUSED, "Not a play at \"6\": a move is written"},
    {"8/5(5)", ENTRY_REFUSED, "Not a play at \"8/5(5)\": a repeat"},
    {"8/5(2", ENTRY_REFUSED, "Not a play at \"8/5(2\": a repeat"},
    {"8/5z", ENTRY_REFUSED, "Not a play at \"8/5z\": a blank is missing"},
    {"8/7(4) 8/7", ENTRY_REFUSED, "Not a play at \"8/7\": more than four"},
    {"8/7/6/5/4/3", ENTRY_REFUSED, "Not a play at \"8/7/6/5/4/3\": more than four"},
    {"7: 8/5", ENTRY_REFUSED, "Not dice: \"7:\""},
    {":", ENTRY_REFUSED, "Not understood"},
    {"31:", ENTRY_REFUSED, "No move was typed"},
    {"double", ENTRY_REFUSED, "The dice are rolled"},
    {"take", ENTRY_REFUSED, "That does not answer"},
    {"5", ENTRY_REFUSED, "A single number is no answer"},
    {"doble", ENTRY_REFUSED, "Not understood: \"doble\""},
    {"resign", ENTRY_WHOLE, "Resign level 1 (a single game)"},
    {"Resign Gammon", ENTRY_WHOLE, "Resign level 2 (a gammon)"},
    {"resign bg", ENTRY_WHOLE, "Resign level 3 (a backgammon)"},
    {"resign 4", ENTRY_REFUSED, "resign, resign gammon or resign backgammon"},
    {"", ENTRY_REFUSED, "An answer is asked."},
};

TEST_ROWS(rows_are_understood_or_refused_with_the_reason, rows)
{
    const struct bg_ask ask = first_play(3, 1);
    struct entry entry;
    char text[ENTRY_TEXT];

    entry_begin(&entry, &ask);
    ck_assert_msg(type_line(&entry, rows[_i].line, text) == rows[_i].news, "\"%s\": %s",
                  rows[_i].line, text);
    ck_assert_msg(strncmp(text, rows[_i].text, strlen(rows[_i].text)) == 0, "\"%s\": %s",
                  rows[_i].line, text);
    ck_assert_int_eq(entry.answer != BG_ANSWER_NONE, rows[_i].news == ENTRY_WHOLE);
}

TEST(a_merged_move_with_two_results_is_refused)
{
    struct bg_ask ask = first_play(3, 1);
    struct entry entry;
    char text[ENTRY_TEXT];

    ask.board.at[1][25 - 21] = 1; /* a blot on own 21; 24/20 hits it or not */
    ask.board.at[1][6]--;
    entry_begin(&entry, &ask);
    ck_assert_int_eq(type_line(&entry, "24/20", text), ENTRY_REFUSED);
    ck_assert_msg(strstr(text, "(N2)") != NULL, "%s", text);
    ck_assert_int_eq(type_line(&entry, "24/21*/20", text), ENTRY_WHOLE);
    ck_assert_str_eq(text, "24/21* 21/20");
    ck_assert_int_eq(entry.after.at[1][BG_BAR], 1);
}

TEST(plays_are_typed_in_parts_corrected_and_taken_back)
{
    const struct bg_ask ask = first_play(3, 1);
    struct entry entry;
    char text[ENTRY_TEXT];

    entry_begin(&entry, &ask);
    ck_assert(!entry_undo(&entry, text));
    ck_assert_int_eq(type_line(&entry, "8/5", text), ENTRY_PART);
    ck_assert_int_eq(type_line(&entry, "13/12 6/4", text), ENTRY_REFUSED);
    ck_assert_int_eq(type_line(&entry, "6/5", text), ENTRY_WHOLE);
    ck_assert(entry_undo(&entry, text));
    ck_assert_str_eq(text, "8/5");
    ck_assert_int_eq(entry.answer, BG_ANSWER_NONE);
    ck_assert_int_eq(type_line(&entry, "24/23 13/10", text), ENTRY_WHOLE); /* all of it anew */
    ck_assert_str_eq(text, "24/23 13/10");
    ck_assert_int_eq(type_line(&entry, "8/5 6/5", text), ENTRY_WHOLE); /* replaces it */
    ck_assert_int_eq(entry.after.at[0][5], 2);
    ck_assert_int_eq(type_line(&entry, "8/4 6/5", text), ENTRY_REFUSED);
    ck_assert_int_eq(entry.answer, BG_ANSWER_NONE); /* an empty line must not send the old one */
    ck_assert_int_eq(entry.line_count, 0);
}

static const struct {
    enum bg_decision kind;
    bool may_raise;
    const char *line;
    enum bg_answer_kind answer; /* NONE: refused */
} words[] = {
    {BG_DECIDE_DOUBLE, false, "", BG_ANSWER_ROLL},
    {BG_DECIDE_DOUBLE, false, "R", BG_ANSWER_ROLL},
    {BG_DECIDE_DOUBLE, false, "double", BG_ANSWER_DOUBLE},
    {BG_DECIDE_DOUBLE, false, "redouble", BG_ANSWER_DOUBLE},
    {BG_DECIDE_DOUBLE, false, "take", BG_ANSWER_NONE},
    {BG_DECIDE_DOUBLE, false, "13/7", BG_ANSWER_NONE},
    {BG_DECIDE_TAKE, false, "t", BG_ANSWER_TAKE},
    {BG_DECIDE_TAKE, false, "accept", BG_ANSWER_TAKE},
    {BG_DECIDE_TAKE, false, "pass", BG_ANSWER_PASS},
    {BG_DECIDE_TAKE, false, "drop", BG_ANSWER_PASS},
    {BG_DECIDE_TAKE, false, "refuse", BG_ANSWER_PASS},
    {BG_DECIDE_TAKE, false, "beaver", BG_ANSWER_NONE},
    {BG_DECIDE_TAKE, true, "beaver", BG_ANSWER_RAISE},
    {BG_DECIDE_TAKE, true, "resign", BG_ANSWER_NONE},
    {BG_DECIDE_TAKE, false, "", BG_ANSWER_NONE},
    {BG_DECIDE_RAISE, true, "raccoon", BG_ANSWER_RAISE},
    {BG_DECIDE_RAISE, true, "resign", BG_ANSWER_NONE},
    {BG_DECIDE_RESIGNATION, true, "resign", BG_ANSWER_NONE},
    {BG_DECIDE_KEEP, false, "keep", BG_ANSWER_KEEP},
    {BG_DECIDE_KEEP, false, "reroll", BG_ANSWER_REROLL},
    {BG_DECIDE_NAME, false, "5", BG_ANSWER_NAME},
    {BG_DECIDE_NAME, false, "7", BG_ANSWER_NONE},
    {BG_DECIDE_RESIGNATION, false, "accept", BG_ANSWER_ACCEPT},
    {BG_DECIDE_RESIGNATION, false, "reject", BG_ANSWER_REFUSE},
    {BG_DECIDE_RESIGNATION, false, "take", BG_ANSWER_NONE},
};

TEST_ROWS(words_answer_their_questions, words)
{
    struct bg_ask ask = first_play(3, 1);
    struct entry entry;
    char text[ENTRY_TEXT];

    ask.kind = words[_i].kind;
    ask.may_raise = words[_i].may_raise;
    entry_begin(&entry, &ask);
    (void)type_line(&entry, words[_i].line, text);
    ck_assert_msg(entry.answer == words[_i].answer, "\"%s\": %s", words[_i].line, text);
}

static const struct {
    int dice;
    bool entered;            /* the other operator has said 5-2-... */
    const char *line, *read; /* read NULL: refused */
} dice_rows[] = {
    {2, false, "63", "6-3"},      {2, false, "3 6", "3-6"}, {2, false, " 6-3 ", "6-3"},
    {2, false, "6,3", "6-3"},     {2, false, "6", NULL},    {2, false, "631", NULL},
    {2, false, "07", NULL},       {2, false, "17", NULL},   {2, false, "six three", NULL},
    {2, false, "6-3-", NULL},     {2, false, "", NULL},     {2, false, "yes", NULL},
    {2, false, "roll", NULL},     {2, false, "13/7", NULL}, {2, true, "yes", "5-2"},
    {2, true, "y", "5-2"},        {2, true, "", NULL},      {2, true, "63", "6-3"},
    {1, false, "4", "4"},         {1, false, "44", NULL},   {1, true, "yes", "5"},
    {3, false, "6 1 1", "6-1-1"}, {3, false, "61", NULL},   {4, false, "6611", "6-6-1-1"},
};

TEST_ROWS(dice_are_typed, dice_rows)
{
    struct bg_ask ask = {.kind = BG_DECIDE_DICE,
                         .rules = bg_rules_default(backgammon(), 5),
                         .dice = dice_rows[_i].dice,
                         .entered = {dice_rows[_i].entered ? 5 : 0, dice_rows[_i].entered ? 2 : 0}};
    struct entry entry;
    char text[ENTRY_TEXT];

    entry_begin(&entry, &ask);
    ck_assert_msg(type_line(&entry, dice_rows[_i].line, text) ==
                      (dice_rows[_i].read == NULL ? ENTRY_REFUSED : ENTRY_WHOLE),
                  "\"%s\": %s", dice_rows[_i].line, text);
    if (dice_rows[_i].read != NULL) {
        ck_assert_str_eq(text, dice_rows[_i].read);
        ck_assert_int_eq(entry.answer, BG_ANSWER_DICE);
        ck_assert_int_eq(entry.die[0], text[0] - '0');
    }
    ck_assert_str_ne(text, "");
}

TEST(a_refused_resignation_has_to_rise)
{
    struct bg_ask ask = first_play(3, 1);
    struct entry entry;
    char text[ENTRY_TEXT];

    ask.refused_level = 1;
    entry_begin(&entry, &ask);
    ck_assert_int_eq(type_line(&entry, "resign", text), ENTRY_REFUSED);
    ck_assert_int_eq(type_line(&entry, "resign gammon", text), ENTRY_WHOLE);
    ck_assert_int_eq(entry.value, 2);
}

/* ---- completion ---- */

static const struct {
    enum bg_decision kind;
    const char *line, *add;
    int count; /* -1: several */
} lines[] = {
    {BG_DECIDE_DOUBLE, "dou", "ble", 1},   {BG_DECIDE_DOUBLE, "re", "", -1},
    {BG_DECIDE_DOUBLE, "red", "ouble", 1}, {BG_DECIDE_DOUBLE, "ta", "", 0},
    {BG_DECIDE_TAKE, "ta", "ke", 1},       {BG_DECIDE_TAKE, "be", "", 0},
    {BG_DECIDE_PLAY, "13/", "10", 1},      {BG_DECIDE_PLAY, "8/5 6/", "5", 1},
    {BG_DECIDE_PLAY, "6/5 8/", "5", 1},    {BG_DECIDE_PLAY, "8/", "", -1},
    {BG_DECIDE_PLAY, "6/5 13/", "10", 1},  {BG_DECIDE_PLAY, "6/5 12/", "", 0},
    {BG_DECIDE_PLAY, "x", "", 0},          {BG_DECIDE_PLAY, "6/5 8/5 13/", "", 0},
    {BG_DECIDE_PLAY, "hel", "p", 1},
};

TEST_ROWS(lines_are_completed, lines)
{
    struct bg_ask ask = first_play(3, 1);
    struct completion found;
    struct entry entry;

    ask.kind = lines[_i].kind;
    entry_begin(&entry, &ask);
    complete_line(&found, &entry, lines[_i].line);
    ck_assert_str_eq(found.add, lines[_i].add);
    ck_assert_msg(lines[_i].count < 0 ? found.count > 1 : (int)found.count == lines[_i].count,
                  "\"%s\": %zu: %s", lines[_i].line, found.count, found.list);
}

/* ---- what is told ---- */

static void tell_step(char text[STORY_TEXT], struct story *story, struct bg_tell_step step)
{
    const struct bg_tell tell = {.kind = BG_TELL_STEP, .step = step};

    story_tell(text, story, &tell);
}

TEST(a_game_is_told_in_sentences)
{
    struct bg_tell tell = {.kind = BG_TELL_BEGIN};
    struct bg_tell_step play = {.kind = BG_STEP_PLAY, .play = {2, {{8, 5}, {6, 5}}}};
    struct story story = {.variant = NULL};
    char text[STORY_TEXT];

    tell_step(text, &story, play); /* before a begin: nothing to say, and no crash */
    ck_assert_str_eq(text, "");
    tell.begin.rules = bg_rules_default(backgammon(), 7);
    bg_variant_setup(&tell.begin.board, backgammon());
    tell.begin.score[1] = 3;
    snprintf(tell.begin.opponent, sizeof tell.begin.opponent, "bert");
    story_tell(text, &story, &tell);
    ck_assert_str_eq(text, "\nA new game against bert: backgammon, 0 to 3 in a match to 7.\n");
    tell_step(text, &story, (struct bg_tell_step){.kind = BG_STEP_OPEN, .dice = 2, .die = {1, 3}});
    ck_assert_str_eq(text, "The opening: you 1, the opponent 3.\n");
    play.board = tell.begin.board;
    tell_step(text, &story, play);
    ck_assert_str_eq(text, "The opponent rolled 31 and played 8/5 6/5.\n");
    tell_step(text, &story,
              (struct bg_tell_step){.kind = BG_STEP_ROLL, .own = true, .dice = 2, .die = {6, 6}});
    ck_assert_str_eq(text, ""); /* the question has it */
    play = (struct bg_tell_step){.kind = BG_STEP_PLAY, .own = true, .board = tell.begin.board};
    tell_step(text, &story, play);
    ck_assert_str_eq(text, "");
    tell_step(text, &story, (struct bg_tell_step){.kind = BG_STEP_TAKE});
    ck_assert_str_eq(text, "The opponent takes.\n");
    tell_step(text, &story, (struct bg_tell_step){.kind = BG_STEP_TAKE, .own = true});
    ck_assert_str_eq(text, "");
    ck_assert_str_eq(story.last, "The opponent rolled 31 and played 8/5 6/5.\n");
    tell = (struct bg_tell){.kind = BG_TELL_END, .end = {.own_points = -2, .score = {0, 5}}};
    story_tell(text, &story, &tell);
    ck_assert_str_eq(text, "You lose 2 points. The score: you 0, the opponent 5.\n");
    tell = (struct bg_tell){.kind = BG_TELL_MATCH_END, .own_won = 1};
    story_tell(text, &story, &tell);
    ck_assert_str_eq(text, "The match is yours.\n");
}

/* Of a roll without a move only the dice are told, and nobody is asked. */
TEST(a_roll_without_a_move_is_said)
{
    struct bg_tell tell = {.kind = BG_TELL_BEGIN};
    struct bg_tell_step roll = {.kind = BG_STEP_ROLL, .own = true, .dice = 2, .die = {3, 3}};
    struct story story = {.variant = NULL};
    char text[STORY_TEXT];

    tell.begin.rules = bg_rules_default(backgammon(), 7);
    tell.begin.cube_owner = BG_CENTRED;
    for (int slot = 1; slot <= 6; slot++) { /* both sides are closed out but for the 2 points */
        tell.begin.board.at[0][slot] = slot == 2 ? 0 : 2;
        tell.begin.board.at[1][slot] = slot == 2 ? 0 : 2;
    }
    tell.begin.board.at[0][BG_BAR] = 5;
    tell.begin.board.at[1][BG_BAR] = 5;
    story_tell(text, &story, &tell);
    ck_assert(strstr(text, "The game goes on") != NULL);
    tell_step(text, &story, roll);
    ck_assert_str_eq(text, "You rolled 33 and cannot move.\n");
    ck_assert_str_eq(story.last, "");
    roll = (struct bg_tell_step){.kind = BG_STEP_ROLL, .dice = 2, .die = {4, 6}};
    tell_step(text, &story, roll);
    ck_assert_str_eq(text, "The opponent rolled 64 and cannot move.\n");
    ck_assert_str_eq(story.last, text);
    roll = (struct bg_tell_step){.kind = BG_STEP_ROLL, .own = true, .dice = 2, .die = {2, 1}};
    tell_step(text, &story, roll);
    ck_assert_str_eq(text, "");
}

/* Sets the step that the match needs, and the same as it is told to seat 0. */
static void choose_step(struct bg_step *step, struct bg_tell_step *told,
                        const struct bg_match *match, uint64_t *random)
{
    static struct bg_play_list plays;

    *step = (struct bg_step){.kind = BG_STEP_ROLL, .seat = match->need.seat};
    *told = (struct bg_tell_step){.own = match->need.seat == 0, .dice = bg_match_dice(match)};
    for (int die = 0; die < told->dice; die++) {
        *random = *random * 6364136223846793005U + 1442695040888963407U;
        step->die[die] = told->die[die] = (uint8_t)(1 + (*random >> 33) % 6);
    }
    switch (match->need.kind) {
    case BG_NEED_OPENING:
        step->kind = BG_STEP_OPEN;
        step->seat = -1;
        break;
    case BG_NEED_PLAY:
        bg_play_list(&plays, match->rules.variant, &match->board, step->seat, &match->stage);
        step->kind = BG_STEP_PLAY;
        step->play = told->play = plays.play[0];
        break;
    case BG_NEED_KEEP:
        step->kind = BG_STEP_KEEP;
        break;
    case BG_NEED_NAME:
        step->kind = BG_STEP_NAME;
        step->level = 3;
        told->level = 3;
        break;
    default:
        break;
    }
    told->kind = step->kind;
}

/* Whatever a game's stages are: a roll is said to have no move if and only if no play follows. */
TEST_LOOP(rolls_without_a_move_are_said_in_every_game, 0, GAMES)
{
    const struct bg_variant *variant = bg_variant_at(_i);
    struct bg_tell tell = {.kind = BG_TELL_BEGIN};
    struct story story = {.variant = NULL};
    struct bg_match match;
    uint64_t random = 77 + (uint64_t)_i;
    char text[STORY_TEXT];

    tell.begin.rules = bg_rules_default(variant, 1);
    tell.begin.rules.cube = false;
    bg_variant_setup(&tell.begin.board, variant);
    tell.begin.cube_owner = BG_CENTRED;
    bg_match_begin(&match, &tell.begin.rules);
    story_tell(text, &story, &tell);
    for (int i = 0; i < 400 && match.result.end == BG_END_NONE; i++) {
        struct bg_tell_step told;
        struct bg_step step;
        bool is_lost = false;

        choose_step(&step, &told, &match, &random);
        ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_NONE);
        told.board = match.board;
        for (int pass = 0; pass < match.passes; pass++) {
            is_lost |= match.pass[pass].part == BG_PART_ROLL;
        }
        tell_step(text, &story, told);
        ck_assert_msg(story.is_followed, "%s: step %d is lost", bg_variant_id(variant), i);
        ck_assert_msg((strstr(text, "and cannot move.") != NULL) == is_lost, "%s: %s",
                      bg_variant_id(variant), text);
    }
    ck_assert_int_gt(match.rolls[0], 5);
}
