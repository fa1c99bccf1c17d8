/* One game as .sgf: every kind of action, letter by letter. tests/process/test_formats.py shows the
 * same to GNU Backgammon.
 */
#define _GNU_SOURCE
#include <format/sgf.h>

#include <string.h>

#include "support/random_match.h"
#include "support/record_script.h"
#include "support/suite.h"

#define HEAD       "(;FF[4]GM[6]CA[UTF-8]AP[bgref:" BG_VERSION "]"
#define MONEY      HEAD "MI[length:0][game:0][ws:0][bs:0]PW[alice]PB[bob]EV[script]"
#define MATCH5     HEAD "MI[length:5][game:0][ws:0][bs:0]PW[alice]PB[bob]EV[script]RU[Crawford]"
#define TO_THE_BAR "open 31, 0 play 8/5 6/5, 1 roll 64, 1 play 24/18 13/9, "

static const struct {
    const char *name, *rules, *start, *steps, *text;
} games[] = {
    {"each side's points are letters in White's frame", "money jacoby=0", NULL,
     "open 31, 0 play 8/5 6/5, 1 roll 42, 1 play 8/4 6/4, 0 double, 1 pass",
     MONEY "RE[W+1]\n;W[31hefe]\n;B[42qusu]\n;W[double]\n;B[drop]\n)\n"},
    {"ties of the opening are not actions, merged moves are taken apart", "money", NULL,
     "open 44, open 26, 1 play 24/16, 0 roll 55, 0 play 8/3 8/3 6/1 6/1, 1 fault late",
     MONEY "RU[Jacoby]RE[W+1R]C[step 6: bob loses by a fault (late)]\n"
           ";B[62aggi]\n;W[55hchcfafa]\n)\n"},
    {"dice of an offer to resign stay unplayed", "match=5", NULL,
     TO_THE_BAR "0 roll 61, 0 resign 2, 1 accept",
     MATCH5 "RE[B+2R]\n;W[31hefe]\n;B[64aglp]\n;W[61]\n)\n"},
    {"a refused offer is a comment and the dice are played", "match=5", NULL,
     "open 31, 0 resign 1, 1 refuse, 0 play 8/5 6/5, 1 roll 52, 1 resign 3, 0 accept",
     MATCH5 "RE[W+3R]C[step 3: alice offers to resign a single game, refused]\n"
            ";W[31hefe]\n;B[52]\n)\n"},
    {"beaver and raccoon are doubles", "money beavers raises=1", NULL,
     TO_THE_BAR "0 double, 1 raise, 0 raise, 1 take, 0 roll 21, 0 resign 1, 1 accept",
     MONEY "RU[Jacoby]RE[B+8R]\n;W[31hefe]\n;B[64aglp]\n;W[double]\n;B[double]\n;W[double]\n"
           ";B[take]\n;W[21]\n)\n"},
    {"a passed beaver pays what was taken", "money beavers", NULL,
     TO_THE_BAR "0 double, 1 raise, 0 pass",
     MONEY "RU[Jacoby]RE[B+2]\n;W[31hefe]\n;B[64aglp]\n;W[double]\n;B[double]\n;W[drop]\n)\n"},
    {"a fault of the doubled side leaves the double open", "match=5", NULL,
     TO_THE_BAR "0 double, 1 fault crash",
     MATCH5 "RE[W+3R]C[step 6: bob loses by a fault (crash)]\n"
            ";W[31hefe]\n;B[64aglp]\n;W[double]\n)\n"},
    {"bar, off, a dance and the Crawford game", "match=3",
     "score=2-1 crawford game=4 on=1 x=25:1,6:1,0:13 y=6:2,5:2,4:2,3:2,2:2,1:2,0:3",
     "1 roll 61, 1 play 6/off 2/1, 0 roll 55, 1 roll 66, 1 play 6/off 5/off 5/off 4/off, "
     "0 resign 1, 1 accept",
     HEAD "MI[length:3][game:4][ws:2][bs:1]PW[alice]PB[bob]RU[Crawford:CrawfordGame]RE[B+1R]\n"
          ";PL[B]AE[a:y]AW[y][f]AB[s][s][t][t][u][u][v][v][w][w][x][x]\n"
          ";B[61szwx]\n;W[55]\n;B[66sztztzuz]\n)\n"},
    {"automatic doubles stand in the root, a cube set before the game in nodes", "money auto=3",
     NULL, "open 11, open 22, open 31, 0 fault silent",
     MONEY "RU[Jacoby]CV[4]RE[B+4R]C[step 4: alice loses by a fault (silent)]\n;W[31]\n)\n"},
    {"a cube that was there before", "money", "cube=4@1 on=1", "1 double, 0 pass",
     MONEY "RU[Jacoby]RE[B+4]\n;CV[4]\n;CP[b]\n;B[double]\n;W[drop]\n)\n"},
    {"no cube, another game", "match=1 game=nackgammon cube=0 crawford=0", NULL,
     "open 14, 1 fault garbled",
     HEAD "MI[length:1][game:0][ws:0][bs:0]PW[alice]PB[bob]EV[script]RU[NoCube:Nackgammon]"
          "RE[W+3R]C[step 2: bob loses by a fault (garbled)]\n;B[41]\n)\n"},
    {"without a cube gammons count, although the rules say jacoby", "money cube=0", NULL,
     "open 31, 1 fault late",
     MONEY "RU[NoCube]RE[W+3R]C[step 2: bob loses by a fault (late)]\n;W[31]\n)\n"},
    {"a draw has no result", "money cap=1", NULL,
     "open 31, 0 play 8/5 6/5, 1 roll 31, 1 play 8/5 6/5",
     MONEY "RU[Jacoby]C[drawn (cap)]\n;W[31hefe]\n;B[31qtst]\n)\n"},
    {"opening numbers are kept, or rolled anew", "money opening=choice", NULL,
     "open 31, 0 keep, 0 play 8/5 6/5, 1 fault late",
     MONEY "RU[Jacoby]RE[W+1R]C[step 4: bob loses by a fault (late)]\n;W[31hefe]\n)\n"},
    {"opening numbers rolled anew", "money opening=choice", NULL,
     "open 31, 0 reroll, 0 roll 33, 0 play 8/5 8/5 6/3 6/3, 1 fault late",
     MONEY "RU[Jacoby]RE[W+1R]C[step 5: bob loses by a fault (late)]\n;W[33hehefcfc]\n)\n"},
};

TEST_ROWS(a_game_is_written_letter_by_letter, games)
{
    struct record_view *view =
        record_script_view(games[_i].rules, games[_i].start, games[_i].steps);
    struct record out = {0};

    ck_assert_msg(sgf_write_game(&out, view, false, &error) == BG_OK, "%s: %s", games[_i].name,
                  error.text);
    ck_assert_msg(strcmp(out.text, games[_i].text) == 0, "%s:\n%s", games[_i].name, out.text);
    record_deinit(&out);
    record_view_destroy(view);
}

TEST(session_players_may_be_swapped)
{
    const struct sgf_place place = {.white = 1, .game = 7, .score = {-2, 30}};
    struct record_view *view = record_script_view(
        "money jacoby=0", NULL, "open 31, 0 play 8/5 6/5, 1 roll 42, 1 play 8/4 6/4, 0 fault late");
    struct record out = {0};

    ck_assert_int_eq(sgf_write_game_at(&out, view, &place, NULL), BG_OK);
    ck_assert_str_eq(out.text,
                     HEAD "MI[length:0][game:7][ws:30][bs:-2]PW[bob]PB[alice]RE[W+3R]"
                          "C[step 5: alice loses by a fault (late)]\n;B[31qtst]\n;W[42hdfd]\n)\n");
    record_deinit(&out);
    record_view_destroy(view);
}

static const struct {
    const char *rules, *start, *steps, *message;
} refused[] = {
    {"money game=portes", NULL, "open 31, 0 fault late", "game alice|bob|0|0|0: portes, not"},
    {"match=65", NULL, "open 31, 0 fault late", "a match to 65 points; in .sgf matches end at 64"},
    {"money", "cube=4096@0 on=0", "0 double, 1 pass", "the cube reaches 8192; in .sgf it ends at"},
};

TEST_ROWS(limits_of_sgf_are_reported_by_name, refused)
{
    struct record_view *view =
        record_script_view(refused[_i].rules, refused[_i].start, refused[_i].steps);
    struct record out = {0};

    ck_assert_int_eq(sgf_write_game(&out, view, false, &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "%s", error.text);
    ck_assert_uint_eq(out.size, 0);
    record_deinit(&out);
    record_view_destroy(view);
}

/* Random games with every option: each is written, and has a node for each roll. */
TEST(random_games_are_written)
{
    struct chance chance = {20261121};
    struct record record = {0}, out = {0};

    for (int i = 0; i < 200; i++) {
        struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), i % 2 * 7);
        struct bg_match match;
        struct record_view *view = NULL;
        char hash[RECORD_HASH];
        size_t before = out.size;

        if (rules.length_points == 0) {
            rules.beavers = true;
            rules.raises = 3;
        }
        bg_match_begin(&match, &rules);
        random_game(&record, hash, &match, "left|right|0|0|0", "", false, &chance);
        ck_assert_int_eq(record_read(&view, record.text, record.size, NULL), BG_OK);
        ck_assert_msg(sgf_write_game(&out, view, false, &error) == BG_OK ||
                          strstr(error.text, "the cube reaches") != NULL,
                      "%s", error.text);
        ck_assert(out.size == before || strcmp(out.text + out.size - 2, ")\n") == 0);
        record_view_destroy(view);
    }
    record_deinit(&out);
    record_deinit(&record);
}
