/* Matches are rated in the order of the schedule, whatever the order in which they were added: by
 * bots, as a store's runs come, or in any order. */
#include "support/suite.h"

#include <sums/fibs_order.h>

#include <stdlib.h>

#include <numbers/draw.h>

enum { BOTS = 9, PAIRS = 40, MATCHES = BOTS * (BOTS - 1) * PAIRS };

static struct fibs_order_match match[MATCHES];

/* Two legs per pair, in the order of the schedule: pair, bots, leg. */
static void make_matches(void)
{
    struct draw draw = DRAW_INIT(3);
    size_t count = 0;

    for (uint64_t pair = 0; pair < PAIRS; pair++) {
        for (int a = 0; a < BOTS; a++) {
            for (int b = a + 1; b < BOTS; b++) {
                for (int leg = 0; leg < 2; leg++) {
                    bool won = draw_unit(&draw) < 0.6;

                    match[count++] = (struct fibs_order_match){.pair = pair,
                                                               .a = a,
                                                               .b = b,
                                                               .leg = (int8_t)leg,
                                                               .a_won = won,
                                                               .length_points = 1 + leg};
                }
            }
        }
    }
}

/* By bots whose names sort differently from their indices, then in the order of play. */
static int by_bots(const void *x, const void *y)
{
    const struct fibs_order_match *one = x, *two = y;

    if (one->a != two->a) {
        return (one->a * 5) % BOTS - (two->a * 5) % BOTS;
    }
    if (one->b != two->b) {
        return (one->b * 7) % BOTS - (two->b * 7) % BOTS;
    }
    return one->pair != two->pair ? (one->pair > two->pair) - (one->pair < two->pair)
                                  : one->leg - two->leg;
}

static void shuffle(size_t changes)
{
    struct draw draw = DRAW_INIT(4);

    for (size_t k = 0; k < changes; k++) {
        size_t i = draw_below(&draw, MATCHES), j = draw_below(&draw, MATCHES);
        struct fibs_order_match keep = match[i];

        match[i] = match[j];
        match[j] = keep;
    }
}

static void rate(struct fibs_player player[BOTS], size_t count)
{
    struct fibs_order order = {0};

    for (int i = 0; i < BOTS; i++) {
        player[i] = (struct fibs_player){.rating = 1500};
    }
    for (size_t k = 0; k < count; k++) {
        fibs_order_add(&order, &match[k]);
    }
    fibs_order_rate(player, &order);
    fibs_order_deinit(&order);
}

TEST_LOOP(any_order_gives_the_ratings_of_the_schedule, 0, 5)
{
    static const struct fibs_options options = FIBS_OPTIONS_INIT;
    struct fibs_player expected[BOTS], player[BOTS];

    make_matches();
    for (int i = 0; i < BOTS; i++) {
        expected[i] = (struct fibs_player){.rating = 1500};
    }
    for (size_t k = 0; k < MATCHES; k++) {
        const struct fibs_order_match *m = &match[k];

        fibs_match(&expected[m->a_won ? m->a : m->b], &expected[m->a_won ? m->b : m->a],
                   m->length_points, &options);
    }
    if (_i > 0) {
        qsort(match, MATCHES, sizeof *match, by_bots);
    }
    if (_i == 2) { /* the second leg of a pair before the first */
        struct fibs_order_match first = match[0];

        match[0] = match[1];
        match[1] = first;
    }
    if (_i > 2) { /* one exchange adds a few stretches, many exchanges leave none */
        shuffle(_i == 3 ? 1 : MATCHES);
    }
    rate(player, MATCHES);
    for (int i = 0; i < BOTS; i++) {
        ck_assert_double_eq(player[i].rating, expected[i].rating);
    }
}

TEST(large_pair_numbers_and_empty_events_are_rated)
{
    struct fibs_player player[BOTS], same[BOTS];

    rate(player, 0);
    ck_assert_double_eq(player[0].rating, 1500);
    make_matches();
    qsort(match, MATCHES, sizeof *match, by_bots);
    rate(player, MATCHES);
    for (size_t k = 0; k < MATCHES; k++) {
        match[k].pair += UINT64_MAX - (PAIRS - 1);
    }
    rate(same, MATCHES);
    for (int i = 0; i < BOTS; i++) {
        ck_assert_double_eq(player[i].rating, same[i].rating);
    }
}
