/* Counts of positions reached from the opening in 1, 2 and 3 plays, against a walk over GNU
 * Backgammon's generator (tests/vectors/README.md).
 *
 * T21 counts each of the 21 rolls once, T36 non-doubles twice at each depth, U different positions.
 * Depth 3 runs in optimised builds only; with the argument `distinct` the program counts U(3),
 * which takes a while. */
#include <bgref/play.h>

#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>
#include <bgref/variant.h>

#include "support/suite.h"

#ifdef TEST_DEEP
enum { DEEPEST = 3 };
#else
enum { DEEPEST = 2 };
#endif

enum { ROLLS = 21, DEPTHS = 3 };

struct count {
    uint64_t t21, t36, passes;
};

static const struct {
    uint64_t t21, t36, passes, distinct;
} expected[DEPTHS + 1] = {
    [1] = {447, 637, 0, 406},
    [2] = {202782, 419783, 0, 163706},
    [3] = {116154993, 346692108, 67273, 29420722},
};

static const struct bg_variant *variant;
static struct bg_play_list lists[DEPTHS + 1];

static void setup(void)
{
    variant = bg_variant_find("backgammon");
}

/* Roll number i of the 21: the stage and how many of 36 rolls it is. */
static struct bg_stage roll_number(int i, unsigned *weight)
{
    int high = 1;

    while (i >= high) {
        i -= high++;
    }
    *weight = high == i + 1 ? 1 : 2;
    return bg_stage_of_roll(variant, (struct bg_roll){{(uint8_t)high, (uint8_t)(i + 1), 0}});
}

/* Seat 0 always plays; boards are swapped between plays. No game ends within three plays. */
static struct count perft(const struct bg_board *board, int depth)
{
    struct bg_play_list *list = &lists[depth];
    struct count total = {0, 0, 0};

    for (int i = 0; i < ROLLS; i++) {
        unsigned weight;
        const struct bg_stage stage = roll_number(i, &weight);

        bg_play_list(list, variant, board, 0, &stage);
        if (depth == 1) {
            const size_t children = list->count > 0 ? list->count : 1;

            total.t21 += children;
            total.t36 += weight * children;
            total.passes += list->count == 0;
            continue;
        }
        for (size_t j = 0; j == 0 || j < list->count; j++) {
            const struct bg_play pass = {0};
            struct count below;
            struct bg_board next;

            bg_play_make(&next, variant, board, 0, list->count > 0 ? &list->play[j] : &pass);
            bg_board_swap(&next, &next);
            below = perft(&next, depth - 1);
            total.t21 += below.t21;
            total.t36 += weight * below.t36;
            total.passes += below.passes;
        }
    }
    return total;
}

TEST_LOOP(paths, 1, DEEPEST + 1)
{
    struct bg_board board;
    struct count count;

    bg_variant_setup(&board, variant);
    count = perft(&board, _i);
    ck_assert_uint_eq(count.t21, expected[_i].t21);
    ck_assert_uint_eq(count.t36, expected[_i].t36);
    ck_assert_uint_eq(count.passes, expected[_i].passes);
}

/* Different positions: a set of fingerprints with open addressing. The chance that two of 29
 * million positions share a 64-bit fingerprint is 1 in 40,000. */
struct set {
    uint64_t *slot;
    size_t mask, count;
};

static uint64_t fingerprint(const struct bg_board *board)
{
    uint64_t hash = 0;

    for (int seat = 0; seat < 2; seat++) {
        for (int i = 0; i < 4; i++) {
            uint64_t word;

            memcpy(&word, &board->at[seat][8 * i], sizeof word);
            hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
            hash ^= hash >> 32;
        }
    }
    hash *= UINT64_C(0x94d049bb133111eb);
    return (hash ^ hash >> 29) | 1; /* 0 is an empty slot */
}

static bool set_add(struct set *set, uint64_t print)
{
    size_t at = (print >> 1) & set->mask;

    for (; set->slot[at] != 0; at = (at + 1) & set->mask) {
        if (set->slot[at] == print) {
            return false;
        }
    }
    if (set->count == set->mask) { /* Check's assertions are too slow here */
        ck_abort_msg("set is too small");
    }
    set->slot[at] = print;
    set->count++;
    return true;
}

static void set_init(struct set *set, int bits)
{
    set->mask = ((size_t)1 << bits) - 1;
    set->count = 0;
    set->slot = calloc(set->mask + 1, sizeof set->slot[0]);
    ck_assert_ptr_nonnull(set->slot);
}

enum { PARTS = 4, PART_SHIFT = 62 };

/* Children of the boards that belong to one part of the set; the new ones go to *next (may be
 * NULL), which has space for all. */
static void add_children(struct set *set, struct bg_board *next, const struct bg_board *boards,
                         size_t count, uint64_t part, uint64_t parts)
{
    for (size_t i = 0; i < count * ROLLS; i++) {
        struct bg_play_list *list = &lists[0];
        unsigned weight;
        const struct bg_board *board = &boards[i / ROLLS];
        const struct bg_stage stage = roll_number((int)(i % ROLLS), &weight);
        const struct bg_play pass = {0};

        bg_play_list(list, variant, board, 0, &stage);
        for (size_t j = 0; j == 0 || j < list->count; j++) {
            struct bg_board child;
            uint64_t print;

            bg_play_make(&child, variant, board, 0, list->count > 0 ? &list->play[j] : &pass);
            print = fingerprint(&child);
            if ((print >> PART_SHIFT) % parts == part && set_add(set, print) && next != NULL) {
                bg_board_swap(&next[set->count - 1], &child);
            }
        }
    }
}

/* Different positions after one and two plays; the caller frees the boards. */
static struct bg_board *distinct_boards(int depth, size_t *count)
{
    struct bg_board *boards = calloc(1, sizeof *boards);

    ck_assert_ptr_nonnull(boards);
    bg_variant_setup(boards, variant);
    *count = 1;
    for (int i = 1; i <= depth; i++) {
        struct bg_board *next = calloc(expected[i].t21, sizeof *next);
        struct set set;

        ck_assert_ptr_nonnull(next);
        set_init(&set, 19);
        add_children(&set, next, boards, *count, 0, 1);
        *count = set.count;
        free(set.slot);
        free(boards);
        boards = next;
    }
    return boards;
}

TEST_LOOP(positions, 1, 3)
{
    size_t count;
    struct bg_board *boards = distinct_boards(_i, &count);

    free(boards);
    ck_assert_uint_eq(count, expected[_i].distinct);
}

TEST_IN(distinct, positions_after_three)
{
    size_t count, total = 0;
    struct bg_board *boards = distinct_boards(2, &count);

    for (uint64_t part = 0; part < PARTS; part++) {
        struct set set;

        set_init(&set, 24);
        add_children(&set, NULL, boards, count, part, PARTS);
        total += set.count;
        free(set.slot);
    }
    free(boards);
    ck_assert_uint_eq(total, expected[3].distinct);
}

void suite_begin(TCase *tests)
{
    TCase *distinct = suite_case("distinct");

    suite_on_request("distinct");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(distinct, setup, NULL);
    tcase_set_timeout(distinct, 600);
}
