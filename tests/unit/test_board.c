/* Boards and the descriptions of games. */
#include <bgref/board.h>
#include <bgref/notation.h>
#include <bgref/rule.h>
#include <bgref/variant.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "rules/games.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

static const struct {
    const char *id, *setup;
    int pips;
    enum bg_opening opening;
    enum bg_next next;
    int cube, level_max;
} games[] = {
    {"backgammon", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_PLAY,
     BG_NEXT_SAME, 1, 3},
    {"nackgammon", "w2w2---b4/-b3---w4/b4---w3-/w4---b2b2|0,0|0,0|0,0|w|-", 194, BG_OPENING_PLAY,
     BG_NEXT_SAME, 1, 3},
    {"hypergammon", "w1w1w1---/------/------/---b1b1b1|0,0|0,0|0,0|w|-", 69, BG_OPENING_PLAY,
     BG_NEXT_SAME, 1, 3},
};

START_TEST(game_is_described)
{
    const struct bg_variant *variant = bg_variant_find(games[_i].id);
    char text[BG_POSITION_TEXT];
    struct bg_board board, swapped;

    ck_assert_ptr_nonnull(variant);
    ck_assert_ptr_eq(bg_variant_at(_i), variant);
    ck_assert_str_eq(bg_variant_id(variant), games[_i].id);
    ck_assert_int_eq(bg_variant_opening(variant), games[_i].opening);
    ck_assert_int_eq(bg_variant_next(variant), games[_i].next);
    ck_assert_int_eq(bg_variant_has_cube(variant), games[_i].cube);
    ck_assert_int_eq(bg_variant_level_max(variant), games[_i].level_max);
    bg_variant_setup(&board, variant);
    bg_position_text_write(text, variant, &board, 0);
    ck_assert_str_eq(text, games[_i].setup);
    bg_board_swap(&swapped, &board);
    ck_assert(bg_board_equal(&swapped, &board));
    for (int seat = 0; seat < 2; seat++) {
        ck_assert_int_eq(bg_board_pips(&board, seat), games[_i].pips);
        ck_assert_int_eq(bg_board_count(&board, seat), variant->checkers);
    }
}
END_TEST

START_TEST(games_end)
{
    ck_assert_ptr_null(bg_variant_at(25));
    ck_assert_ptr_null(bg_variant_at(-1));
    ck_assert_ptr_null(bg_variant_find("Backgammon"));
    ck_assert_ptr_null(bg_variant_find(""));
}
END_TEST

static const struct {
    enum way way;
    int slot, foe;
} ways[] = {
    {WAY_CONTRARY, 1, 24},         {WAY_CONTRARY, 24, 1}, {WAY_CONTRARY, 13, 12},
    {WAY_PARALLEL, 24, 12},        {WAY_PARALLEL, 13, 1}, {WAY_PARALLEL, 12, 24},
    {WAY_PARALLEL, 1, 13},         {WAY_COMMON, 7, 7},    {WAY_SCRIPTA, 3, 22},
    {WAY_SCRIPTA, BG_FAR, BG_FAR}, {WAY_SCRIPTA, 38, 38},
};

START_TEST(foe_numbers_by_the_way)
{
    const struct bg_variant variant = {.way = ways[_i].way};

    ck_assert_int_eq(bg_variant_foe_slot(&variant, ways[_i].slot), ways[_i].foe);
    ck_assert_int_eq(bg_variant_foe_slot(&variant, ways[_i].foe), ways[_i].slot);
}
END_TEST

/* Level of a win by White (seat 0), who is off or not. */
static const struct {
    const char *name, *position;
    int level;
} levels[] = {
    {"loser has one off", "------/------/------/-----b14|0,0|0,0|15,1|w|-", 1},
    {"loser has one off and one on the bar", "------/------/------/-----b13|0,1|0,0|15,1|w|-", 1},
    {"loser has none off", "b15-----/------/------/------|0,0|0,0|15,0|w|-", 2},
    {"loser on the winner's 7", "b14-----/------/-----b1/------|0,0|0,0|15,0|w|-", 2},
    {"loser on the winner's 6", "b14-----/------/------/b1-----|0,0|0,0|15,0|w|-", 3},
    {"loser on the winner's 1", "b14-----/------/------/-----b1|0,0|0,0|15,0|w|-", 3},
    {"loser on the bar", "b14-----/------/------/------|0,1|0,0|15,0|w|-", 3},
    {"winner has not finished", "b15-----/------/------/w15-----|0,0|0,0|0,0|w|-", 2},
};

START_TEST(level_of_a_win)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");
    struct bg_board board;
    struct bg_error err;
    int mover;

    ck_assert_msg(bg_position_text_read(&board, &mover, variant, levels[_i].position, &err) ==
                      BG_OK,
                  "%s", err.text);
    ck_assert_msg(bg_variant_level(variant, &board, 0) == levels[_i].level, "%s", levels[_i].name);
    bg_board_swap(&board, &board);
    ck_assert_msg(bg_variant_level(variant, &board, 1) == levels[_i].level, "%s, seats exchanged",
                  levels[_i].name);
}
END_TEST

START_TEST(boards_differ_in_every_field)
{
    struct bg_board board[8] = {0}, swapped;

    board[1].at[0][24] = 1;
    board[2].at[1][BG_SLOTS - 1] = 1;
    board[3].pinned[0] = 1;
    board[4].pinned[1] = 1;
    board[5].turns[1] = 1;
    board[6].may_hit[0] = 1;
    board[7].stacked[1][6] = 1;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            ck_assert_int_eq(bg_board_equal(&board[i], &board[j]), i == j);
        }
        bg_board_swap(&swapped, &board[i]);
        ck_assert_int_eq(bg_board_equal(&swapped, &board[i]), i == 0);
        bg_board_swap(&swapped, &swapped);
        ck_assert(bg_board_equal(&swapped, &board[i]));
    }
}
END_TEST

START_TEST(pips_of_bar_hand_and_far_points)
{
    struct bg_board board = {
        .at = {{[BG_BAR] = 2, [BG_HAND] = 1, [3] = 2, [BG_OFF] = 5}, {[BG_FAR] = 1, [38] = 1}}};

    ck_assert_int_eq(bg_board_pips(&board, 0), 81);
    ck_assert_int_eq(bg_board_pips(&board, 1), 25 + 36);
}
END_TEST

START_TEST(three_dice_and_short_doubles)
{
    const struct bg_variant tabula = {.dice = 3}, irish = {.dice = 2, .double_times = 2};
    struct bg_stage stage = bg_stage_of_roll(&tabula, (struct bg_roll){{5, 6, 5}});

    ck_assert_int_eq(stage.parts, 2);
    ck_assert_int_eq(stage.part[0].number, 6);
    ck_assert_int_eq(stage.part[0].times, 1);
    ck_assert_int_eq(stage.part[1].number, 5);
    ck_assert_int_eq(stage.part[1].times, 2);
    stage = bg_stage_of_roll(&tabula, (struct bg_roll){{2, 2, 2}});
    ck_assert_int_eq(stage.parts, 1);
    ck_assert_int_eq(stage.part[0].times, 3);
    stage = bg_stage_of_roll(&irish, (struct bg_roll){{4, 4, 0}});
    ck_assert_int_eq(stage.parts, 1);
    ck_assert_int_eq(stage.part[0].times, 2);
}
END_TEST

START_TEST(rules_have_numbers_and_sentences)
{
    for (int i = 0; i < BG_RULE_COUNT; i++) {
        ck_assert_msg(bg_rule_number((enum bg_rule)i) != NULL, "rule %d has no number", i);
        ck_assert_msg(bg_rule_text((enum bg_rule)i) != NULL, "rule %d has no text", i);
    }
    ck_assert_str_eq(bg_rule_number(BG_RULE_NONE), "-");
    ck_assert_str_eq(bg_rule_number(BG_RULE_MOST), "G6.1");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("board");
    TCase *all = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(all, game_is_described, 0, COUNT(games));
    tcase_add_test(all, games_end);
    tcase_add_loop_test(all, foe_numbers_by_the_way, 0, COUNT(ways));
    tcase_add_loop_test(all, level_of_a_win, 0, COUNT(levels));
    tcase_add_test(all, boards_differ_in_every_field);
    tcase_add_test(all, pips_of_bar_hand_and_far_points);
    tcase_add_test(all, three_dice_and_short_doubles);
    tcase_add_test(all, rules_have_numbers_and_sentences);
    suite_add_tcase(suite, all);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
