/* Matches that GNU Backgammon played, and hand-written ones that it accepts, through bg_match_step:
 * every step must be legal, and scores, cube, Crawford game and points must be those of the file.
 */

#include "support/mat_file.h"
#include "support/suite.h"

enum { GAMES_MAX = 8 };

/* From the files; the points are also compared while reading. */
static const struct expected_match {
    const char *name, *path;
    size_t games;
    struct {
        int64_t score[2];
        bool crawford_game, crawford_done;
        int64_t cube;
        enum bg_end end;
        int winner, level;
    } game[GAMES_MAX];
} matches[] = {
    {"gnubg against itself to 3 points",
     TEST_DATA "/gnubg-match3.mat",
     3,
     {{{0, 0}, false, false, 2, BG_END_PASS, 0, 1},
      {{2, 0}, true, false, 1, BG_END_RESIGN, 1, 2},
      {{2, 2}, false, true, 1, BG_END_RESIGN, 1, 2}}},
    {"gnubg against itself for money",
     TEST_DATA "/gnubg-money3.mat",
     3,
     {{{0, 0}, false, false, 2, BG_END_OFF, 1, 1},
      {{0, 2}, false, false, 4, BG_END_PASS, 0, 1},
      {{4, 2}, false, false, 2, BG_END_RESIGN, 0, 1}}},
    {"by hand to 5 points, with gammons resigned",
     TEST_DATA "/hand-match5.mat",
     4,
     {{{0, 0}, false, false, 1, BG_END_PASS, 0, 1},
      {{1, 0}, false, false, 2, BG_END_RESIGN, 1, 2},
      {{1, 4}, true, false, 1, BG_END_RESIGN, 0, 2},
      {{3, 4}, false, true, 2, BG_END_RESIGN, 1, 1}}},
    {"by hand for money",
     TEST_DATA "/hand-money2.mat",
     2,
     {{{0, 0}, false, false, 1, BG_END_PASS, 1, 1},
      {{0, 1}, false, false, 2, BG_END_RESIGN, 0, 1}}},
};

TEST_ROWS(a_match_file_is_replayed, matches)
{
    const struct expected_match *expected = &matches[_i];
    struct mat_game game[GAMES_MAX];
    char message[512];
    size_t count;

    ck_assert_msg(mat_replay(game, GAMES_MAX, &count, expected->path, message, sizeof message),
                  "%s: %s", expected->name, message);
    ck_assert_msg(count == expected->games, "%s: %zu games", expected->name, count);
    for (size_t i = 0; i < count; i++) {
        const struct bg_result *result = &game[i].result;

        ck_assert_int_eq(game[i].score[0], expected->game[i].score[0]);
        ck_assert_int_eq(game[i].score[1], expected->game[i].score[1]);
        ck_assert_msg(game[i].crawford_game == expected->game[i].crawford_game &&
                          game[i].crawford_done == expected->game[i].crawford_done,
                      "%s: Crawford in game %zu", expected->name, i + 1);
        ck_assert_msg(game[i].cube == expected->game[i].cube, "%s: cube %lld in game %zu",
                      expected->name, (long long)game[i].cube, i + 1);
        ck_assert_msg(result->end == expected->game[i].end, "%s: game %zu ends by %s",
                      expected->name, i + 1, bg_end_name(result->end));
        ck_assert_int_eq(result->winner, expected->game[i].winner);
        ck_assert_int_eq(result->level, expected->game[i].level);
    }
}
