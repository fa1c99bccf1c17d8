/* Several events as one tally, and the points of a circuit. */
#include <sums/circuit.h>
#include <sums/summary.h>

#include <math.h>
#include <string.h>

#include "support/played.h"
#include "support/suite.h"

enum { PAIRS = 24 };

static uint64_t chance = 7;

static int draw(int below)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((chance >> 33) % (uint64_t)below);
}

/* Plays pairs of matches of three bots, each into the whole event and into one of its halves, whose
 * bots have other names. */
static void play_halves(struct tally *whole, struct tally half[2], int length)
{
    static const char *const name[2][3] = {{"ant", "bee", "cat"}, {"zebra", "yak", "cat"}};

    for (int a = 0; a < 3; a++) {
        for (int b = a + 1; b < 3; b++) {
            for (int i = 0; i < 2 * PAIRS; i++) {
                int of = i / 2 % 2, winner = draw(5) < 2 + (b - a) / 2 ? 0 : 1;
                const char *x = name[of][a], *y = name[of][b];
                int64_t points = length == 0 ? 1 + draw(3) : length;
                int level = length == 0 ? (int)points : 1;
                struct played row = {name[0][a], name[0][b], (uint64_t)i / 2, i % 2,
                                     0,          winner,     points,          level,
                                     true,       winner,     BG_FAULT_NONE};

                played_add(whole, &row, 1);
                row.a = strcmp(x, y) < 0 ? x : y;
                row.b = strcmp(x, y) < 0 ? y : x;
                if (strcmp(x, y) > 0) { /* who had seat 0 in leg 0 has it in leg 1 */
                    row.leg = 1 - row.leg;
                    row.winner = row.match_winner = 1 - winner;
                }
                played_add(&half[of], &row, 1);
            }
        }
    }
}

static const char *renamed(const char *name)
{
    return strcmp(name, "zebra") == 0 ? "ant" : strcmp(name, "yak") == 0 ? "bee" : name;
}

static void join(struct tally *out, const struct tally *half)
{
    const char *names[3];

    for (int i = 0; i < half->bots; i++) {
        names[i] = renamed(half->bot[i].name);
    }
    ck_assert_int_eq(circuit_add(out, half, names, NULL), BG_OK);
}

static void assert_same(double one, double other, const char *what)
{
    ck_assert_msg((isnan(one) && isnan(other)) || fabs(one - other) < 1e-9, "%s: %.12g and %.12g",
                  what, one, other);
}

static void assert_same_fit(const struct tally *one, const struct tally *other)
{
    struct summary_options options = {.rating = RATING_OPTIONS_INIT};
    struct summary left, right;

    ck_assert_int_eq(summary_of(&left, one, &options, NULL), BG_OK);
    ck_assert_int_eq(summary_of(&right, other, &options, NULL), BG_OK);
    for (int i = 0; i < one->bots; i++) {
        int k = tally_find(other, one->bot[i].name);
        const struct strength_bot *a = &left.strength.bot[i], *b = &right.strength.bot[k];

        ck_assert_int_ge(k, 0);
        assert_same(a->rating, b->rating, "rating");
        assert_same(a->se, b->se, "standard error");
        assert_same(a->df, b->df, "degrees of freedom");
        assert_same((double)left.bot[i].sum.points, (double)right.bot[k].sum.points, "points");
        for (int seat = 0; seat < 2; seat++) {
            assert_same((double)left.bot[i].sum.seat_points[seat],
                        (double)right.bot[k].sum.seat_points[seat], "points by seat");
        }
        for (int level = 0; level < TALLY_LEVELS; level++) {
            ck_assert_uint_eq(left.bot[i].sum.levels[level], right.bot[k].sum.levels[level]);
        }
    }
    summary_deinit(&left);
    summary_deinit(&right);
}

static const int lengths[] = {0, 1, 5};

TEST_ROWS(two_halves_of_an_event_give_the_fit_of_the_whole, lengths)
{
    struct tally whole, half[2], joint;
    int length = lengths[_i];

    tally_init(&whole, length);
    tally_init(&half[0], length);
    tally_init(&half[1], length);
    tally_init(&joint, length);
    play_halves(&whole, half, length);
    join(&joint, &half[0]);
    join(&joint, &half[1]);
    ck_assert_uint_eq(joint.games, whole.games);
    ck_assert_uint_eq(joint.legs, whole.legs);
    ck_assert_int_eq(joint.bots, 3);
    assert_same_fit(&whole, &joint);
    tally_deinit(&whole);
    tally_deinit(&half[0]);
    tally_deinit(&half[1]);
    tally_deinit(&joint);
}

TEST(an_encounter_flipped_twice_is_itself)
{
    struct encounter one, once, twice;

    memset(&one, 0, sizeof one); /* compared by bytes below */
    for (int i = 0; i < ENCOUNTER_COUNTS; i++) {
        one.count[i] = (uint32_t)(100 + i);
    }
    for (int i = 0; i < ENCOUNTER_SUMS; i++) {
        one.sum[i] = 1000 + i;
    }
    once = encounter_flip(&one);
    twice = encounter_flip(&once);
    ck_assert_uint_eq(once.count[ENCOUNTER_PAIRS], one.count[ENCOUNTER_PAIRS + 2]);
    ck_assert_uint_eq(once.count[ENCOUNTER_LEVEL + 3], one.count[ENCOUNTER_LEVEL + 7]);
    ck_assert_int_eq(once.sum[ENCOUNTER_LEG_POINTS], -one.sum[ENCOUNTER_LEG_POINTS + 1]);
    ck_assert_mem_eq(&one.count, &twice.count, sizeof one.count);
    ck_assert_mem_eq(&one.sum, &twice.sum, sizeof one.sum);
}

TEST(shared_places_share_their_points)
{
    static const int rank[] = {1, 2, 2, 4, 5, 5, 5, 0, 9};
    static const double expected[] = {10, 5, 5, 3, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 0};
    struct points_table table;
    double out[9];

    ck_assert_int_eq(
        points_read(&table, "# circuit\n1 10\n2 6 # second\n3-3 4\n4 3\n 5 1\r\n", NULL), BG_OK);
    points_share(out, &table, rank, 9);
    for (int i = 0; i < 9; i++) {
        ck_assert_msg(fabs(out[i] - expected[i]) < 1e-12, "rank %d: %g", rank[i], out[i]);
    }
}

static const struct {
    const char *text, *message;
} wrong[] = {
    {"1 10\nfirst 6\n", "line 2: 'first 6': needs a place"},
    {"1 10\n1 6\n", "line 2: place 1 has a line already"},
    {"1-3 5\n3 2", "line 2: place 3 has a line already"},
    {"3-1 5\n", "line 1: '3-1 5': needs a place"},
    {"0 5\n", "line 1: '0 5': needs a place"},
    {"1001 5\n", "needs a place (1 to 1000)"},
    {"1 -5\n", "needs a place"},
    {"1 nan\n", "needs a place"},
    {"1 5 6\n", "needs a place"},
    {"15\n", "needs a place"},
    {"# nothing\n", "no place has points"},
};

TEST_ROWS(a_wrong_table_of_points_is_refused_with_its_line, wrong)
{
    struct points_table table;

    ck_assert_int_eq(points_read(&table, wrong[_i].text, &error), BG_E_FORMAT);
    ck_assert_msg(strstr(error.text, wrong[_i].message) != NULL, "%s", error.text);
}
