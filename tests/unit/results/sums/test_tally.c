/* The tally: the same games give the same counts, whatever their order. */
#include <sums/legs.h>
#include <sums/tally.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/played.h"
#include "support/suite.h"

enum { MONEY = 0, SHUFFLES = 30 };

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

static const struct played money[] = {
    {"ant", "bee", 0, 0, 0, 0, 2, 2, false, 0, BG_FAULT_NONE},
    {"ant", "bee", 0, 1, 0, 1, 2, 2, false, 0, BG_FAULT_NONE},
    {"ant", "bee", 1, 0, 0, 0, 1, 1, false, 0, BG_FAULT_NONE},
    {"ant", "bee", 1, 1, 0, 0, 6, 3, false, 0, BG_FAULT_LATE},
    {"ant", "bee", 7, 1, 0, -1, 0, 0, false, 0, BG_FAULT_NONE},
    {"ant", "cat", 0, 0, 0, 1, 4, 1, false, 0, BG_FAULT_CRASH},
    {"ant", "cat", 0, 1, 0, 1, 1, 1, false, 0, BG_FAULT_NONE},
    {"bee", "cat", 3, 0, 0, 0, 2, 1, false, 0, BG_FAULT_NONE},
    {"Zed", "ant", 0, 0, 0, 0, 3, 3, false, 0, BG_FAULT_NONE},
};

static const struct played matches[] = {
    {"ant", "bee", 0, 0, 0, 0, 2, 2, false, 0, BG_FAULT_NONE},
    {"ant", "bee", 0, 0, 1, 1, 1, 1, false, 0, BG_FAULT_NONE},
    {"ant", "bee", 0, 0, 2, 0, 1, 1, true, 0, BG_FAULT_NONE},
    {"ant", "bee", 0, 1, 0, 1, 4, 2, true, 1, BG_FAULT_NONE},
    {"ant", "bee", 1, 0, 0, 0, 2, 1, false, 0, BG_FAULT_NONE}, /* continues */
    {"ant", "bee", 1, 1, 0, 0, 3, 3, true, 0, BG_FAULT_NONE},
    {"bee", "cat", 0, 0, 0, 1, 3, 3, true, 1, BG_FAULT_ILLEGAL},
    {"bee", "cat", 0, 1, 0, 1, 3, 3, true, 1, BG_FAULT_NONE},
};

static void fill(struct tally *tally, int length, const struct played *rows, size_t count)
{
    tally_init(tally, length);
    played_add(tally, rows, count);
}

static void assert_same(const struct tally *x, const struct tally *y)
{
    ck_assert_int_eq(x->bots, y->bots);
    ck_assert_uint_eq(x->games, y->games);
    ck_assert_uint_eq(x->legs, y->legs);
    for (int a = 0; a < x->bots; a++) {
        ck_assert_str_eq(x->bot[a].name, y->bot[a].name);
        ck_assert_mem_eq(x->bot[a].faults, y->bot[a].faults, sizeof x->bot[a].faults);
        for (int b = 0; b < x->bots; b++) {
            struct tally_sum p, q;
            bool flip_p = false, flip_q = false;
            const struct tally_encounter *e = tally_encounter(x, a, b, &flip_p);
            const struct tally_encounter *f = tally_encounter(y, a, b, &flip_q);

            tally_sum(&p, x, a, b);
            tally_sum(&q, y, a, b);
            ck_assert_mem_eq(&p, &q, sizeof p);
            ck_assert_int_eq(e == NULL, f == NULL);
            if (e != NULL) {
                ck_assert_int_eq(flip_p, flip_q);
                ck_assert_mem_eq(&e->total, &f->total, sizeof e->total);
            }
        }
    }
}

static void shuffle(struct played *rows, size_t count, unsigned *seed)
{
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = (size_t)rand_r(seed) % (i + 1);
        struct played other = rows[i];

        rows[i] = rows[j];
        rows[j] = other;
    }
}

TEST_LOOP(the_order_of_games_does_not_matter, 0, SHUFFLES)
{
    struct tally straight, mixed;
    struct played rows[COUNT(money)];
    unsigned seed = (unsigned)_i;

    memcpy(rows, money, sizeof money);
    shuffle(rows, COUNT(rows), &seed);
    fill(&straight, MONEY, money, COUNT(money));
    fill(&mixed, MONEY, rows, COUNT(rows));
    assert_same(&straight, &mixed);
    tally_deinit(&straight);
    tally_deinit(&mixed);
}

TEST_LOOP(the_order_of_match_games_does_not_matter, 0, SHUFFLES)
{
    struct tally straight, mixed;
    struct played rows[COUNT(matches)];
    unsigned seed = (unsigned)_i + 1000;

    memcpy(rows, matches, sizeof matches);
    shuffle(rows, COUNT(rows), &seed);
    fill(&straight, 3, matches, COUNT(matches));
    fill(&mixed, 3, rows, COUNT(rows));
    assert_same(&straight, &mixed);
    tally_deinit(&straight);
    tally_deinit(&mixed);
}

TEST(money_counts_games_and_clusters)
{
    struct tally tally;
    struct tally_sum sum;
    int ant, bee;

    fill(&tally, MONEY, money, COUNT(money));
    ant = tally_find(&tally, "ant");
    bee = tally_find(&tally, "bee");
    tally_sum(&sum, &tally, bee, ant);
    ck_assert_uint_eq(sum.games, 5);
    ck_assert_uint_eq(sum.legs_won, 1);
    ck_assert_uint_eq(sum.legs_lost, 3);
    ck_assert_int_eq(sum.points, -7);
    ck_assert_int_eq(sum.points_for, 2);
    ck_assert_int_eq(sum.points_against, 9);
    ck_assert_uint_eq(sum.levels[0], 1);
    ck_assert_uint_eq(sum.levels[2], 1);
    ck_assert_uint_eq(sum.clusters, 3);
    ck_assert_int_eq(sum.seat_points[0], 2 - 6); /* leg 1 puts bee on seat 0 */
    ck_assert_int_eq(sum.seat_points[1], -2 - 1);
    ck_assert_double_eq(sum.squares, 4 + 4 + 1 + 36);
    ck_assert_uint_eq(tally.bot[bee].faults[BG_FAULT_LATE], 1);
    ck_assert_uint_eq(tally.bot[ant].faults[BG_FAULT_CRASH], 1);
    /* clusters of bee: 0 in 2 games, -7 in 2, 0 in 1 */
    ck_assert_double_eq(sum.dd, 49);
    ck_assert_double_eq(sum.dn, -14);
    ck_assert_double_eq(sum.nn, 4 + 4 + 1);
    tally_deinit(&tally);
}

TEST(only_finished_matches_are_counted)
{
    struct tally tally;
    struct tally_sum sum;

    fill(&tally, 3, matches, COUNT(matches));
    tally_sum(&sum, &tally, tally_find(&tally, "ant"), tally_find(&tally, "bee"));
    ck_assert_uint_eq(sum.games, 6);
    ck_assert_uint_eq(sum.legs, 3);
    ck_assert_uint_eq(sum.legs_won, 2);
    ck_assert_uint_eq(sum.pairs[2], 1);
    ck_assert_uint_eq(sum.halves[2], 1);
    ck_assert_uint_eq(sum.pairs[0] + sum.pairs[4] + sum.halves[0], 0);
    ck_assert_int_eq(sum.points, 2 - 1 + 1 - 4 + 3); /* the open match is left out */
    tally_sum(&sum, &tally, tally_find(&tally, "cat"), -1);
    ck_assert_uint_eq(sum.pairs[4], 1);
    ck_assert_uint_eq(tally.legs, 5);
    ck_assert_uint_eq(tally.bot[tally_find(&tally, "bee")].faults[BG_FAULT_ILLEGAL], 1);
    tally_deinit(&tally);
}

/* A drawn leg is half a win, and its pair is a pair: by half wins of ant 1 (lost and drawn), 2
 * (both drawn), 3 (drawn and won); a drawn leg alone is a single one. */
TEST(drawn_pairs_count_as_pairs)
{
    static const struct played drawn[] = {
        {"ant", "bee", 0, 0, 0, 1, 1, 1, true, 1, BG_FAULT_NONE},
        {"ant", "bee", 0, 1, 0, -1, 0, 0, true, -1, BG_FAULT_NONE},
        {"ant", "bee", 1, 0, 0, -1, 0, 0, true, -1, BG_FAULT_NONE},
        {"ant", "bee", 1, 1, 0, -1, 0, 0, true, -1, BG_FAULT_NONE},
        {"ant", "bee", 2, 0, 0, -1, 0, 0, true, -1, BG_FAULT_NONE},
        {"ant", "bee", 2, 1, 0, 0, 1, 1, true, 0, BG_FAULT_NONE},
        {"ant", "bee", 3, 0, 0, -1, 0, 0, true, -1, BG_FAULT_NONE},
        {"ant", "bee", 4, 0, 0, 0, 1, 1, true, 0, BG_FAULT_NONE},
        {"ant", "bee", 4, 1, 0, 0, 1, 1, true, 0, BG_FAULT_NONE},
    };
    static const uint64_t pairs[5] = {0, 1, 1, 1, 1}, turned[5] = {1, 1, 1, 1, 0};
    struct tally tally;
    struct tally_sum sum;

    fill(&tally, 1, drawn, COUNT(drawn));
    tally_sum(&sum, &tally, tally_find(&tally, "ant"), -1);
    ck_assert_mem_eq(sum.pairs, pairs, sizeof pairs);
    ck_assert_uint_eq(sum.halves[1], 1);
    ck_assert_uint_eq(sum.halves[0] + sum.halves[2], 0);
    ck_assert_uint_eq(sum.clusters, 5);
    ck_assert_uint_eq(tally_drawn(&sum), 5);
    ck_assert_double_eq(tally_share(&sum), (3 + 2.5) / 9);
    tally_sum(&sum, &tally, tally_find(&tally, "bee"), -1);
    ck_assert_mem_eq(sum.pairs, turned, sizeof turned);
    tally_deinit(&tally);
}

TEST(cells_are_mirrored_and_points_sum_to_zero)
{
    struct tally tally;
    int64_t all = 0;
    uint64_t won = 0, lost = 0;

    fill(&tally, MONEY, money, COUNT(money));
    for (int a = 0; a < tally.bots; a++) {
        struct tally_sum total;

        tally_sum(&total, &tally, a, -1);
        all += total.points;
        won += total.legs_won;
        lost += total.legs_lost;
        for (int b = 0; b < tally.bots; b++) {
            struct tally_sum x, y;

            tally_sum(&x, &tally, a, b);
            tally_sum(&y, &tally, b, a);
            ck_assert_int_eq(x.points, -y.points);
            ck_assert_uint_eq(x.legs_won, y.legs_lost);
            ck_assert_uint_eq(x.legs, y.legs);
        }
    }
    ck_assert_int_eq(all, 0);
    ck_assert_uint_eq(won, lost);
    tally_deinit(&tally);
}

TEST(entered_bots_come_first_in_their_order)
{
    struct tally early, late;
    static const char *const order[] = {"cat", "idle", "ant"};
    static const char *const names[] = {"cat", "idle", "ant", "Zed", "bee"};

    tally_init(&early, MONEY);
    for (int i = 0; i < 3; i++) {
        tally_add_bot(&early, order[i]);
    }
    played_add(&early, money, COUNT(money));
    fill(&late, MONEY, money, COUNT(money));
    for (int i = 0; i < 3; i++) {
        tally_add_bot(&late, order[i]);
    }
    tally_add_bot(&late, "cat");
    assert_same(&early, &late);
    for (int i = 0; i < 5; i++) {
        ck_assert_str_eq(late.bot[i].name, names[i]);
    }
    tally_deinit(&early);
    tally_deinit(&late);
}

TEST(many_bots_and_pairs_are_counted_separately)
{
    struct tally tally;
    char names[40][8];

    tally_init(&tally, MONEY);
    for (int i = 39; i >= 0; i--) {
        snprintf(names[i], sizeof names[i], "b%02d", i);
    }
    for (int a = 38; a >= 0; a--) {
        for (int b = 39; b > a; b--) {
            for (uint64_t pair = 5; pair-- > 0;) {
                struct played row = {names[a], names[b], pair, 0, 0, 0, a + 1, 1, false, 0, 0};

                played_add(&tally, &row, 1);
            }
        }
    }
    ck_assert_int_eq(tally.bots, 40);
    for (int a = 0; a < 40; a++) {
        for (int b = a + 1; b < 40; b++) {
            struct tally_sum sum;

            ck_assert_str_eq(tally.bot[a].name, names[a]);
            tally_sum(&sum, &tally, b, a);
            ck_assert_int_eq(sum.points, -5 * (a + 1));
            ck_assert_uint_eq(sum.clusters, 5);
        }
    }
    tally_deinit(&tally);
}

static const struct {
    const char *why;
    struct played row;
    int length;
} foreign[] = {
    {"another length", {"ant", "bee", 0, 0, 0, 0, 1, 1, true, 0, 0}, 5},
    {"names not in order", {"bee", "ant", 0, 0, 0, 0, 1, 1, true, 0, 0}, 0},
    {"a bot against itself", {"ant", "ant", 0, 0, 0, 0, 1, 1, true, 0, 0}, 0},
    {"a third leg", {"ant", "bee", 0, 2, 0, 0, 1, 1, true, 0, 0}, 0},
    {"a third winner", {"ant", "bee", 0, 0, 0, 2, 1, 1, true, 0, 0}, 0},
    {"a fourth level", {"ant", "bee", 0, 0, 0, 0, 1, 4, true, 0, 0}, 0},
};

TEST_ROWS(a_game_that_does_not_belong_is_refused, foreign)
{
    struct tally tally;
    char id[BG_GAME_ID];
    struct store_game game = played_game(id, &foreign[_i].row, foreign[_i].length);

    tally_init(&tally, MONEY);
    ck_assert_msg(tally_add_game(&tally, &game, &error) == BG_E_FORMAT, "%s", foreign[_i].why);
    ck_assert_ptr_nonnull(strstr(error.text, id));
    ck_assert_uint_eq(tally.games, 0);
    ck_assert_int_eq(tally.bots, 0);
    tally_deinit(&tally);
}

/* Legs come encounter by encounter in another order than that of the names, and some encounters
 * are cut: a match length of its own, or a later run. */
TEST_LOOP(legs_of_encounters_in_any_order_are_sorted, 0, SHUFFLES)
{
    enum { BOTS = 5, LENGTHS = 2, PAIRS = 40, RUNS = 60 };
    bool has[BOTS][BOTS][LENGTHS][PAIRS] = {{{{false}}}};
    struct legs legs = {0};
    size_t at = 0;

    srand((unsigned)_i);
    for (int run = 0; run < RUNS; run++) {
        int a = rand() % (BOTS - 1), b = a + 1 + rand() % (BOTS - 1 - a), length = rand() % LENGTHS;
        int first = rand() % PAIRS;

        for (int pair = first; pair < PAIRS && !has[a][b][length][pair]; pair++) {
            for (int8_t leg = 0; leg < 2; leg++) {
                const struct leg next = {.a = a,
                                         .b = b,
                                         .length_points = length,
                                         .pair = (uint64_t)pair,
                                         .points = pair - 2 * leg,
                                         .leg = leg,
                                         .over = true};

                legs_add(&legs, &next);
            }
            has[a][b][length][pair] = true;
        }
    }
    legs_close(&legs);
    for (int k = 0; k < BOTS * BOTS * LENGTHS * PAIRS * 2; k++) {
        int8_t leg = (int8_t)(k % 2);
        int pair = k / 2 % PAIRS, length = k / 2 / PAIRS % LENGTHS;
        int b = k / 2 / PAIRS / LENGTHS % BOTS, a = k / 2 / PAIRS / LENGTHS / BOTS;

        if (has[a][b][length][pair]) {
            const struct leg *got = &legs.leg[at++];

            ck_assert(got->a == a && got->b == b && got->length_points == length &&
                      got->pair == (uint64_t)pair && got->leg == leg &&
                      got->points == pair - 2 * leg);
        }
    }
    ck_assert_uint_eq(at, legs.count);
    legs_deinit(&legs);
}
