/* How often the bots that a host knows may shake hands. Time is an argument. */

#include "door/remote_bots.h"
#include "support/suite.h"

#define SECOND_NS INT64_C(1000000000)

/* Handshakes that are let in, of one attempt every step_ns for a time. */
static int count(struct remote_bot *bot, int64_t from_ns, int64_t for_ns, int64_t step_ns)
{
    int let_in = 0;

    for (int64_t at_ns = from_ns; at_ns < from_ns + for_ns; at_ns += step_ns) {
        let_in += remote_bot_may_shake_hands(bot, at_ns);
    }
    return let_in;
}

TEST(ten_come_at_once_and_then_one_every_six_seconds)
{
    struct remote_bot bot = {.name = "anna"};
    const int64_t begun_ns = 1000 * SECOND_NS;

    ck_assert_int_eq(count(&bot, begun_ns, SECOND_NS, SECOND_NS / 1000), 10);
    ck_assert_int_eq(count(&bot, begun_ns + SECOND_NS, 60 * SECOND_NS, SECOND_NS / 100), 10);
    ck_assert_int_eq(count(&bot, begun_ns + 600 * SECOND_NS, SECOND_NS, SECOND_NS / 100), 10);
}

TEST(what_the_host_ended_itself_is_not_counted)
{
    struct remote_bot bot = {.name = "anna", .starts = ENTRY_STARTS};
    const int64_t begun_ns = 1000 * SECOND_NS;

    for (int i = 0; i < 1000; i++) {
        ck_assert(remote_bot_may_shake_hands(&bot, begun_ns + i));
        remote_bot_forgive(&bot);
    }
    ck_assert_int_eq(count(&bot, begun_ns + SECOND_NS, SECOND_NS, SECOND_NS / 100), 10);
}

/* A bot that says Hello as often as it can: N at once, then N an hour; the wait is told. */
TEST(starts_are_counted_by_the_hour)
{
    struct remote_bot bot = {.name = "anna", .starts = 6};
    const int64_t begun_ns = 1000 * SECOND_NS;

    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(remote_bot_start(&bot, begun_ns), 0);
    }
    ck_assert_int_eq(remote_bot_start(&bot, begun_ns + SECOND_NS), 599 * SECOND_NS);
    ck_assert_int_eq(remote_bot_start(&bot, begun_ns + 2 * SECOND_NS), 598 * SECOND_NS);
    ck_assert_int_eq(remote_bot_start(&bot, begun_ns + 600 * SECOND_NS), 0);
    ck_assert_int_gt(remote_bot_start(&bot, begun_ns + 600 * SECOND_NS), 0);
    remote_bot_forgive(&bot); /* the host ended the last one */
    ck_assert_int_eq(remote_bot_start(&bot, begun_ns + 600 * SECOND_NS), 0);
}

/* ------------------------------------------------------------------ a key in use twice */

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
