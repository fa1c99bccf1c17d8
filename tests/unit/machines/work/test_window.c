/* How much work is handed out: the window and the size of items. */
#include "support/suite.h"

#include "work/window.h"
#include "work/work.h"

#define SECOND_NS INT64_C(1000000000)

static const struct {
    uint64_t slots;
    int items;
} windows[] = {{0, 64}, {1, 64}, {32, 64}, {33, 66}, {1000, 2000}, {UINT64_MAX, 2097152}};

TEST_ROWS(twice_the_slots_wait_or_are_played_and_64_at_least, windows)
{
    ck_assert_int_eq(window_items(windows[_i].slots), windows[_i].items);
}

static const struct {
    const char *name;
    uint64_t units;
    int64_t busy_ns;
    uint64_t left, slots;
    int size;
} sizes[] = {
    {"one at the start", 0, 0, 1000, 4, 1},
    {"a minute of them", 10, 20 * SECOND_NS, 1000, 4, 30},
    {"one that takes longer", 2, 300 * SECOND_NS, 1000, 4, 1},
    {"500 at most", 100, SECOND_NS, 1000000, 4, 500},
    {"nothing measurable", 100, 0, 1000000, 4, 500},
    {"the last ones go to all slots", 10, 20 * SECOND_NS, 80, 4, 10},
    {"and single ones at the end", 10, 20 * SECOND_NS, 3, 4, 1},
    {"no worker seen yet", 10, 20 * SECOND_NS, 1000, 0, 30},
};

TEST_ROWS(an_item_takes_about_a_minute, sizes)
{
    struct window_pace pace = {.units = 0};

    window_note(&pace, sizes[_i].units, sizes[_i].busy_ns);
    ck_assert_msg(window_units(&pace, sizes[_i].left, sizes[_i].slots) == sizes[_i].size, "%s: %d",
                  sizes[_i].name, window_units(&pace, sizes[_i].left, sizes[_i].slots));
}

TEST(the_pace_follows_a_change)
{
    struct window_pace pace = {.units = 0};

    window_note(&pace, 1, 2 * SECOND_NS);
    window_note(&pace, 1, 4 * SECOND_NS);
    ck_assert_double_eq_tol(pace.unit_ns, 3e9, 1);
    window_note(&pace, 100000, 100000 * SECOND_NS); /* more than are remembered */
    ck_assert_double_eq_tol(pace.unit_ns, 1e9, 1);
    ck_assert_uint_eq(pace.units, 1000);
    for (int i = 0; i < 5000; i++) {
        window_note(&pace, 1, 6 * SECOND_NS);
    }
    ck_assert(pace.unit_ns > 5.9e9 && pace.unit_ns <= 6e9);
}

void suite_begin(TCase *tests)
{
    (void)tests;
}
