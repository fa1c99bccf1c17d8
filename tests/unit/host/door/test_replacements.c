/* A key in use twice: after how many replacements it waits, and how long. */
#include "support/suite.h"

#include "door/replacements.h"

#define SECOND_NS INT64_C(1000000000)

static const struct row {
    const char *what;
    int64_t at_s[6]; /* of the replacements; -1 ends them */
    int place[6];
    int waits_after; /* this many replacements; 0: never */
} rows[] = {
    {"one_restart_is_allowed", {5, -1}, {0}, 0},
    {"two_are_allowed", {5, 6, -1}, {0}, 0},
    {"three_within_a_minute_are_not", {5, 30, 65, -1}, {0}, 3},
    {"three_in_more_than_a_minute_are", {5, 30, 66, -1}, {0}, 0},
    {"the_last_three_count", {5, 50, 70, 90, -1}, {0}, 4},
    {"places_are_counted_apart", {1, 1, 1, 2, 2, -1}, {0, 1, 2, 0, 1}, 0},
    {"also_the_last_place", {1, 2, 3, -1}, {7, 7, 7}, 3},
    {"a_place_is_found_among_others", {1, 2, 3, 4, 5, -1}, {3, 4, 3, 4, 3}, 5},
};

TEST_ROWS(the_key_waits, rows)
{
    const struct row *row = &rows[_i];
    struct replacements of = {.until_ns = 0};
    int waits_after = 0;
    int64_t now_ns = 0;

    for (int i = 0; row->at_s[i] >= 0 && waits_after == 0; i++) {
        now_ns = row->at_s[i] * SECOND_NS;
        ck_assert_msg(replacements_wait_ns(&of, now_ns) == 0, "%s", row->what);
        waits_after = replacements_note(&of, row->place[i], now_ns) ? i + 1 : 0;
    }
    ck_assert_msg(waits_after == row->waits_after, "%s: %d", row->what, waits_after);
    ck_assert_int_eq(replacements_wait_ns(&of, now_ns),
                     waits_after == 0 ? 0 : REPLACEMENTS_WAIT_NS);
}

TEST(the_wait_ends_and_all_begins_anew)
{
    struct replacements of = {.until_ns = 0};
    int64_t now_ns = 100 * SECOND_NS;

    for (int i = 0; i < REPLACEMENTS_MOST; i++) {
        ck_assert_int_eq(replacements_note(&of, 0, now_ns + i), i == REPLACEMENTS_MOST - 1);
    }
    now_ns += REPLACEMENTS_MOST - 1;
    ck_assert_int_eq(replacements_wait_ns(&of, now_ns + REPLACEMENTS_WAIT_NS - 1), 1);
    now_ns += REPLACEMENTS_WAIT_NS;
    ck_assert_int_eq(replacements_wait_ns(&of, now_ns), 0);
    ck_assert(!replacements_note(&of, 0, now_ns));
    ck_assert(!replacements_note(&of, 0, now_ns));
    ck_assert(replacements_note(&of, 0, now_ns));
}
