/* Which games have a line in the log of `bgref join`: the first twenty, then one a minute. */
#include "support/suite.h"

#include <cmd/game_lines.h>

#define SECOND_NS INT64_C(1000000000)

/* Returns how many of these games have a line. */
static int lines_of(struct game_lines *lines, int64_t *now_ns, int games, int64_t every_ns)
{
    int count = 0;

    for (int i = 0; i < games; i++) {
        count += game_lines_take(lines, *now_ns);
        *now_ns += every_ns;
    }
    return count;
}

TEST(quick_games_have_a_line_a_minute)
{
    struct game_lines lines = {0};
    int64_t now_ns = 5 * SECOND_NS;

    ck_assert_int_eq(lines_of(&lines, &now_ns, 59000, SECOND_NS / 1000), GAME_LINES_AT_ONCE);
    /* An hour with 100 games a second. */
    ck_assert_int_eq(lines_of(&lines, &now_ns, 360000, SECOND_NS / 100), 60);
}

TEST(slow_games_all_have_a_line)
{
    struct game_lines lines = {0};
    int64_t now_ns = 0;

    ck_assert_int_eq(lines_of(&lines, &now_ns, 1000, 60 * SECOND_NS), 1000);
}

TEST(after_a_rest_all_lines_are_left_and_not_more)
{
    struct game_lines lines = {0};
    int64_t now_ns = 0;

    ck_assert_int_eq(lines_of(&lines, &now_ns, 100, 0), GAME_LINES_AT_ONCE);
    now_ns += 86400 * SECOND_NS;
    ck_assert_int_eq(lines_of(&lines, &now_ns, 100, 0), GAME_LINES_AT_ONCE);
    now_ns += 180 * SECOND_NS;
    ck_assert_int_eq(lines_of(&lines, &now_ns, 100, 0), 3);
}
