/* Boards and the descriptions of games. */
#include <bgref/board.h>
#include <bgref/notation.h>
#include <bgref/rule.h>
#include <bgref/variant.h>

#include <stdio.h>
#include <string.h>

#include "rules/games.h"
#include "support/suite.h"

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
    {"long-nardi", "w15-----/------/b15-----/------|0,0|0,0|0,0|w|-", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"short-nardi", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_PLAY,
     BG_NEXT_SAME, 1, 3},
    {"portes", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"plakoto", "w15-----/------/------/-----b15|0,0|0,0|0,0|w|-", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"fevga", "w15-----/------/b15-----/------|0,0|0,0|0,0|w|-", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"moultezim", "w15-----/------/b15-----/------|0,0|0,0|0,0|w|-", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"gul", "w15-----/------/b15-----/------|0,0|0,0|0,0|w|-", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"gulbara", "w15-----/------/b15-----/------|0,0|0,0|0,0|w|t=0,0", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"tapa", "w15-----/------/------/-----b15|0,0|0,0|0,0|w|-", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"tavla", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"acey-deucey", "------/------/------/------|0,0|15,15|0,0|w|-", 375, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 15},
    {"asodio", "------/------/------/------|0,0|15,15|0,0|w|-", 375, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
    {"russian", "------/------/------/------|0,0|15,15|0,0|w|-", 375, BG_OPENING_CHOICE,
     BG_NEXT_SAME, 0, 3},
    {"old-english", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_CHOICE,
     BG_NEXT_SAME, 0, 3},
    {"misere", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_PLAY,
     BG_NEXT_SAME, 1, 1},
    {"tabula", "------/------/------/------|0,0|15,15|0,0|w|-", 375, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 1},
    {"irish", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_PLAY,
     BG_NEXT_SAME, 0, 1},
    {"dutch", "------/------/------/------|0,0|15,15|0,0|w|-", 375, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 3},
    {"shuanglu", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_PLAY,
     BG_NEXT_SAME, 0, 1},
    {"kiz-tavlasi", "b2b2b2b3b3b3/------/------/w3w3w3w2w2w2|0,0|0,0|0,0|w|k=222111/222111", 57,
     BG_OPENING_REROLL, BG_NEXT_WINNER, 0, 1},
    {"hoyle-1870", "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-", 167, BG_OPENING_CHOICE,
     BG_NEXT_HOYLE, 0, 3},
    {"xii-scripta", "------/------/------/------/------/------|0,0|15,15|0,0|w|-", 555,
     BG_OPENING_REROLL, BG_NEXT_WINNER, 0, 1},
    {"nard", "w15-----/------/------/-----b15|0,0|0,0|0,0|w|-", 360, BG_OPENING_REROLL,
     BG_NEXT_WINNER, 0, 2},
};

TEST_ROWS(game_is_described, games)
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
        ck_assert_int_eq(bg_variant_pips(variant, &board, seat), games[_i].pips);
        ck_assert_int_eq(bg_board_count(&board, seat), variant->checkers);
    }
}

/* Texts of one description; the first is its id. NULL ends a row. */
static const char *const spellings[][4] = {
    {"long-nardi", "long-nardi:head=doubles", "long-nardi:koks=off,block=ahead", NULL},
    {"long-nardi:head=any", "long-nardi:head=any,koks=off", "long-nardi:block=ahead,head=any",
     NULL},
    {"gulbara:grace=none,handover=off", "gulbara:handover=off,grace=none", NULL},
    {"gulbara:grace=global,handover=off,head=1,block=nardi,bear=exact",
     "gulbara:bear=exact,block=nardi,head=1,handover=off,grace=global", NULL},
    {"russian:21=wild", "russian:21=wild,enter-all=off", NULL},
    {"tabula:way=common,enter-all=half", "tabula:enter-all=half,way=common", NULL},
    {"misere:turns=500", NULL},
    {"moultezim", "multezim", NULL},
    {"moultezim:first=outer", "multezim:first=outer", NULL},
    {"tavla", "shesh-besh", "tawla", "takhteh"},
    {"tabula:score=backgammon", "tabula:score=backgammon,way=contrary", NULL},
    {"russian:next=winner", "russian:21=plain,next=winner", NULL},
};

TEST(options_change_payoffs_and_who_begins)
{
    ck_assert_int_eq(bg_variant_level_max(bg_variant_find("tabula")), 1);
    ck_assert_int_eq(bg_variant_level_max(bg_variant_find("tabula:score=gammon")), 2);
    ck_assert_int_eq(bg_variant_level_max(bg_variant_find("tabula:score=backgammon")), 3);
    ck_assert_int_eq(bg_variant_next(bg_variant_find("russian")), BG_NEXT_SAME);
    ck_assert_int_eq(bg_variant_next(bg_variant_find("russian:next=winner")), BG_NEXT_WINNER);
    ck_assert_int_eq(bg_rules_default(bg_variant_find("russian:next=winner"), 3).next,
                     BG_NEXT_WINNER);
}

TEST(aliases_name_their_game)
{
    static const char *const others[][2] = {{"tawle", "tavla"},
                                            {"trio-trac", "backgammon"},
                                            {"takhte-nard", "tavla"},
                                            {"gamao", "backgammon"},
                                            {"narde:head=any", "long-nardi:head=any"},
                                            {"crazy-narde", "gulbara"}};
    const char *id, *alias;
    int count = 0;

    for (; (alias = bg_variant_alias(&id, count)) != NULL; count++) {
        ck_assert_str_eq(bg_variant_id(bg_variant_find(alias)), id);
        ck_assert_ptr_null(bg_rotation_find(alias));
    }
    ck_assert_int_gt(count, 30);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_ptr_nonnull(bg_variant_find(others[i][0]));
        ck_assert_str_eq(bg_variant_id(bg_variant_find(others[i][0])), others[i][1]);
    }
    ck_assert_ptr_null(bg_variant_alias(&id, -1));
}

TEST_ROWS(options_have_one_description, spellings)
{
    const struct bg_variant *first = bg_variant_find(spellings[_i][0]);

    ck_assert_ptr_nonnull(first);
    ck_assert_str_eq(bg_variant_id(first), spellings[_i][0]);
    for (int i = 1; i < 4 && spellings[_i][i] != NULL; i++) {
        ck_assert_ptr_eq(bg_variant_find(spellings[_i][i]), first);
    }
}

/* Every combination of every game: ids lead back, and no two share a description. */
TEST(option_combinations_have_distinct_names)
{
    static const struct bg_variant *seen[1024];
    const struct bg_variant *game;
    int count = 0;

    for (int g = 0; (game = bg_variant_at(g)) != NULL; g++) {
        int chosen[GAME_OPTIONS] = {0}, option;

        do {
            char text[512];
            size_t length = (size_t)snprintf(text, sizeof text, "%s", game->id);

            for (int i = 0; i < GAME_OPTIONS && game->option[i].name != NULL; i++) {
                length += (size_t)snprintf(text + length, sizeof text - length, "%c%s=%s",
                                           i == 0 ? ':' : ',', game->option[i].name,
                                           game->option[i].choice[chosen[i]].name);
            }
            ck_assert_int_lt(count, COUNT(seen));
            seen[count] = bg_variant_find(text);
            ck_assert_msg(seen[count] != NULL, "%s", text);
            ck_assert_ptr_eq(bg_variant_find(bg_variant_id(seen[count])), seen[count]);
            for (int i = 0; i < count; i++) {
                ck_assert_ptr_ne(seen[i], seen[count]);
            }
            count++;
            for (option = 0; option < GAME_OPTIONS && game->option[option].name != NULL; option++) {
                chosen[option]++;
                if (chosen[option] < GAME_CHOICES &&
                    game->option[option].choice[chosen[option]].name != NULL) {
                    break;
                }
                chosen[option] = 0;
            }
        } while (option < GAME_OPTIONS && game->option[option].name != NULL);
    }
    ck_assert_int_gt(count, 100);
}

static const struct {
    const char *text, *message;
} refused_games[] = {
    {"backgamon", "unknown; known are backgammon, nackgammon"},
    {"", "unknown"},
    {"backgammon:", "no such option \"\"; it has no options"},
    {"tavla:", "no such option"},
    {"tavla:hit-run", "no such option \"hit-run\"; it has hit-run=off|on"},
    {"tavla:hit-run=", "no such value"},
    {"tavla:hit-run=no", "no such value \"hit-run=no\"; it has hit-run=off|on"},
    {"tavla:hit-run=on,", "no such option"},
    {"tavla:hit-run=on,hit-run=on", "given twice"},
    {"long-nardi:head=any,way=common",
     "it has head=doubles|any|need, block=ahead|end|all, koks=off|on, equal-turns=off|on"},
};

TEST_ROWS(unknown_options_are_refused, refused_games)
{
    const struct bg_variant *variant = NULL;

    ck_assert_int_eq(bg_variant_read(&variant, refused_games[_i].text, &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, refused_games[_i].message) != NULL, "%s", error.text);
    ck_assert_ptr_null(variant);
    ck_assert_ptr_null(bg_variant_find(refused_games[_i].text));
}

static const struct {
    const char *id;
    int count;
    const char *game[5];
} rotations[] = {
    {"tavli", 3, {"portes", "plakoto", "fevga"}},
    {"tavli:tavli=5", 5, {"portes", "plakoto", "fevga", "gul", "asodio"}},
    {"turkish", 3, {"portes", "gulbara", "tapa"}},
};

TEST_ROWS(rotations_repeat_their_games, rotations)
{
    const struct bg_rotation *rotation = bg_rotation_find(rotations[_i].id);

    ck_assert_ptr_nonnull(rotation);
    ck_assert_ptr_eq(bg_rotation_at(_i), rotation);
    ck_assert_str_eq(bg_rotation_id(rotation), rotations[_i].id);
    ck_assert_int_eq(bg_rotation_count(rotation), rotations[_i].count);
    for (int game = 0; game < 12; game++) {
        ck_assert_str_eq(bg_variant_id(bg_rotation_game(rotation, game)),
                         rotations[_i].game[game % rotations[_i].count]);
    }
    ck_assert_ptr_null(bg_rotation_at(COUNT(rotations)));
    ck_assert_ptr_null(bg_rotation_find("tavli=5"));
}

TEST(games_end)
{
    ck_assert_ptr_null(bg_variant_at(COUNT(games)));
    ck_assert_ptr_null(bg_variant_at(-1));
    ck_assert_ptr_null(bg_variant_find("Backgammon"));
    ck_assert_ptr_null(bg_variant_find(""));
}

static const struct {
    enum way way;
    int slot, opponent;
} ways[] = {
    {WAY_CONTRARY, 1, 24},         {WAY_CONTRARY, 24, 1}, {WAY_CONTRARY, 13, 12},
    {WAY_PARALLEL, 24, 12},        {WAY_PARALLEL, 13, 1}, {WAY_PARALLEL, 12, 24},
    {WAY_PARALLEL, 1, 13},         {WAY_COMMON, 7, 7},    {WAY_SCRIPTA, 3, 22},
    {WAY_SCRIPTA, BG_FAR, BG_FAR}, {WAY_SCRIPTA, 38, 38},
};

TEST_ROWS(opponent_numbers_depend_on_the_direction, ways)
{
    const struct bg_variant variant = {.way = ways[_i].way};

    ck_assert_int_eq(bg_variant_opponent_slot(&variant, ways[_i].slot), ways[_i].opponent);
    ck_assert_int_eq(bg_variant_opponent_slot(&variant, ways[_i].opponent), ways[_i].slot);
}

/* Level of a win by White (seat 0), who is borne off or not. */
static const struct {
    const char *game, *name, *position;
    int level;
} levels[] = {
    {"backgammon", "loser has one off", "------/------/------/-----b14|0,0|0,0|15,1|w|-", 1},
    {"backgammon", "loser has one off and one on the bar",
     "------/------/------/-----b13|0,1|0,0|15,1|w|-", 1},
    {"backgammon", "loser has none off", "b15-----/------/------/------|0,0|0,0|15,0|w|-", 2},
    {"backgammon", "loser on the winner's 7", "b14-----/------/-----b1/------|0,0|0,0|15,0|w|-", 2},
    {"backgammon", "loser on the winner's 6", "b14-----/------/------/b1-----|0,0|0,0|15,0|w|-", 3},
    {"backgammon", "loser on the winner's 1", "b14-----/------/------/-----b1|0,0|0,0|15,0|w|-", 3},
    {"backgammon", "loser on the bar", "b14-----/------/------/------|0,1|0,0|15,0|w|-", 3},
    {"backgammon", "winner has not finished", "b15-----/------/------/w15-----|0,0|0,0|0,0|w|-", 2},
    {"long-nardi", "none off", "b15-----/------/------/------|0,0|0,0|15,0|w|-", 2},
    {"long-nardi", "one off", "b14-----/------/------/------|0,0|0,0|15,1|w|-", 1},
    {"long-nardi:koks=on", "none off, at black's head",
     "------/------/b15-----/------|0,0|0,0|15,0|w|-", 3},
    {"long-nardi:koks=on", "none off, past the entry table",
     "------/------/------/b15-----|0,0|0,0|15,0|w|-", 2},
    {"portes", "no triple game", "b14-----/------/------/-----b1|0,0|0,0|15,0|w|-", 2},
    {"acey-deucey", "ten not off", "b10-----/------/------/------|0,0|0,0|15,5|w|-", 10},
    {"acey-deucey", "none off", "------/------/------/------|0,0|0,15|15,0|w|-", 15},
    {"acey-deucey:score=single", "none off", "------/------/------/------|0,0|0,15|15,0|w|-", 1},
    {"russian", "in the common entry table", "-----b15/------/------/------|0,0|0,0|15,0|w|-", 3},
    {"russian", "in the common home table", "------/------/------/b15-----|0,0|0,0|15,0|w|-", 2},
    {"russian", "in hand", "------/------/------/b14-----|0,0|0,1|15,0|w|-", 3},
    {"dutch", "in hand", "b14-----/------/------/------|0,0|0,1|15,0|w|h=wb", 3},
    {"misere", "always single", "b14-----/------/------/-----b1|0,0|0,0|15,0|w|-", 1},
    {"irish:score=gammon", "none off", "b14-----/------/------/-----b1|0,0|0,0|15,0|w|-", 2},
    {"tabula", "always single", "------/------/------/------|0,0|0,15|15,0|w|-", 1},
    {"kiz-tavlasi", "none off", "b2b2b2b3b3b3/------/------/------|0,0|0,0|15,0|w|k=000000/222111",
     1},
    {"kiz-tavlasi:score=gammon", "none off",
     "b2b2b2b3b3b3/------/------/------|0,0|0,0|15,0|w|k=000000/222111", 2},
};

TEST_ROWS(level_of_a_win, levels)
{
    const struct bg_variant *variant = bg_variant_find(levels[_i].game);
    struct bg_board board;
    int mover;

    ck_assert_msg(bg_position_text_read(&board, &mover, variant, levels[_i].position, &error) ==
                      BG_OK,
                  "%s", error.text);
    ck_assert_msg(bg_variant_level(variant, &board, 0) == levels[_i].level, "%s %s",
                  levels[_i].game, levels[_i].name);
    bg_board_swap(&board, &board);
    ck_assert_msg(bg_variant_level(variant, &board, 1) == levels[_i].level, "%s, seats exchanged",
                  levels[_i].name);
}

TEST(boards_differ_in_every_field)
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

TEST(pips_of_bar_hand_and_far_points)
{
    struct bg_board board = {
        .at = {{[BG_BAR] = 2, [BG_HAND] = 1, [3] = 2, [BG_OFF] = 5}, {[BG_FAR] = 1, [38] = 1}}};

    ck_assert_int_eq(bg_board_pips(&board, 0), 81);
    ck_assert_int_eq(bg_board_pips(&board, 1), 25 + 36);
}

TEST(three_dice_and_short_doubles)
{
    const struct bg_variant tabula = {.dice = 3}, irish = {.dice = 2, .double_times = 2};
    struct bg_stage stage = bg_stage_of_roll(&tabula, (struct bg_roll){{5, 6, 5}});

    ck_assert_int_eq(stage.parts, 2);
    ck_assert_int_eq(stage.part[0].number, 6);
    ck_assert_int_eq(stage.part[0].times, 1);
    ck_assert_int_eq(stage.part[1].number, 5);
    ck_assert_int_eq(stage.part[1].times, 2);
    stage = bg_stage_of_roll(&tabula, (struct bg_roll){{6, 2, 0}}); /* an opening by two dice */
    ck_assert_int_eq(stage.parts, 2);
    ck_assert_int_eq(stage.part[1].number, 2);
    stage = bg_stage_of_roll(&tabula, (struct bg_roll){{2, 2, 2}});
    ck_assert_int_eq(stage.parts, 1);
    ck_assert_int_eq(stage.part[0].times, 3);
    stage = bg_stage_of_roll(&irish, (struct bg_roll){{4, 4, 0}});
    ck_assert_int_eq(stage.parts, 1);
    ck_assert_int_eq(stage.part[0].times, 2);
}

TEST(rules_have_numbers_and_sentences)
{
    for (int i = 0; i < BG_RULE_COUNT; i++) {
        ck_assert_msg(bg_rule_number((enum bg_rule)i) != NULL, "rule %d has no number", i);
        ck_assert_msg(bg_rule_text((enum bg_rule)i) != NULL, "rule %d has no text", i);
    }
    ck_assert_str_eq(bg_rule_number(BG_RULE_NONE), "-");
    ck_assert_str_eq(bg_rule_number(BG_RULE_MOST), "G6.1");
}
