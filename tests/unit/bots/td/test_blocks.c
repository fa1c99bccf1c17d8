/* td's counts of a position in games without hits: against all legal plays, and against a walk
 * along the points. */
#include <bgref/evaluate.h>
#include <bgref/play.h>
#include <string.h>

#include "blocks.h"
#include "chance.h"
#include "support/suite.h"

enum { GAMES = 12, TURNS = 120, HOME = 6, ROLL_MOST = 24 };

static const char *const GAMES_WITHOUT_HITS[] = {"nard",      "long-nardi", "fevga",
                                                 "moultezim", "tapa",       "plakoto"};

static void counts_of(float out[2][BLOCKS_MOST], const struct bg_variant *variant,
                      const struct bg_board *board)
{
    struct side_points sides[2];
    struct blocks blocks;

    blocks_begin(&blocks, variant);
    side_look(&sides[0], board->at[0]);
    side_look(&sides[1], board->at[1]);
    blocks_counts(out, &blocks, board, sides);
}

static bool is_race(const struct bg_variant *variant, const struct bg_board *board)
{
    struct side_points sides[2];
    struct blocks blocks;

    blocks_begin(&blocks, variant);
    side_look(&sides[0], board->at[0]);
    side_look(&sides[1], board->at[1]);
    return blocks_race(&blocks, sides);
}

static int whole(float share, float of)
{
    return (int)(share * of + 0.5F);
}

static void list(struct bg_play_list *out, const struct bg_variant *variant,
                 const struct bg_board *board, int seat, struct bg_roll roll)
{
    const struct bg_stage stage = bg_stage_of_roll(variant, roll);

    bg_play_list(out, variant, board, seat, &stage);
}

/* Plays a random play of a random roll. Returns false if there is none. */
static bool play_at_random(struct bg_board *board, const struct bg_variant *variant, int seat,
                           struct chance *chance)
{
    static struct bg_play_list plays;

    list(&plays, variant, board, seat, bg_roll_at(chance_below(chance, BG_ROLLS)));
    if (plays.count > 0) {
        bg_play_make(board, variant, board, seat,
                     &plays.play[chance_below(chance, (int)plays.count)]);
    }
    return plays.count > 0;
}

struct tally {
    int whole, nothing, wasted;
};

/* What legal plays do with all throws; for positions from which no roll bears off. */
static struct tally tally_of(const struct bg_variant *variant, const struct bg_board *board,
                             int seat)
{
    static struct bg_play_list plays;
    const int before = bg_board_pips(board, seat);
    struct tally tally = {0, 0, 0};

    for (int i = 0; i < BG_ROLLS; i++) {
        const struct bg_roll roll = bg_roll_at(i);
        const int weight = bg_roll_weight(i);
        const int all = (weight == 1 ? 2 : 1) * (roll.die[0] + roll.die[1]);
        int played = 0;

        list(&plays, variant, board, seat, roll);
        if (plays.count > 0) {
            struct bg_board after;

            bg_play_make(&after, variant, board, seat, &plays.play[0]);
            played = before - bg_board_pips(&after, seat);
        }
        tally.whole += played == all ? weight : 0;
        tally.nothing += played == 0 ? weight : 0;
        tally.wasted += weight * (all - played);
    }
    return tally;
}

/* Whether this side can bear off with no roll, so far away are its checkers. */
static bool is_far(const struct bg_board *board, int seat)
{
    int pips = 0;

    for (int slot = HOME + 1; slot <= BG_POINTS; slot++) {
        pips += board->at[seat][slot] * (slot - HOME);
    }
    return pips >= ROLL_MOST;
}

/* Whether the game goes on for long; with a mother pinned plakoto does not. */
static bool goes_on(const struct bg_board *board)
{
    return is_far(board, 0) && is_far(board, 1) &&
           ((board->pinned[0] | board->pinned[1]) >> BG_POINTS & 1) == 0;
}

/* Compares one side's throws; returns whether they are as legal plays have them. */
static bool compare(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    const struct tally tally = tally_of(variant, board, seat);
    float counts[2][BLOCKS_MOST];

    counts_of(counts, variant, board);
    return whole(counts[seat][BLOCKS_WHOLE], 36.0F) == tally.whole &&
           whole(counts[seat][BLOCKS_NOTHING], 36.0F) == tally.nothing &&
           whole(counts[seat][BLOCKS_WASTED], 36.0F * 8.0F) == tally.wasted;
}

/* Plays random games and compares the throws of the side to roll. Returns how many differ. */
static int differences(int *compared, const char *game)
{
    const struct bg_variant *variant = bg_variant_find(game);
    struct chance chance;
    int other = 0;

    *compared = 0;
    chance_begin(&chance, 5);
    for (int round = 0; round < GAMES; round++) {
        struct bg_board board;

        bg_variant_setup(&board, variant);
        for (int turn = 0; turn < TURNS && goes_on(&board); turn++) {
            (void)play_at_random(&board, variant, turn % 2, &chance);
            if (is_far(&board, 1 - turn % 2) && !is_race(variant, &board)) {
                ++*compared;
                other += !compare(variant, &board, 1 - turn % 2);
            }
        }
    }
    return other;
}

/* nard and tapa have no rule but those of moves. */
TEST(throws_are_played_as_in_all_legal_plays)
{
    int compared, other = differences(&compared, "nard");

    ck_assert_int_gt(compared, 300);
    ck_assert_int_eq(other, 0);
    other = differences(&compared, "tapa");
    ck_assert_int_gt(compared, 300);
    ck_assert_int_eq(other, 0);
}

/* In long nardi the rule about blocks of six and the first turns differ from the counts, in plakoto
 * what happens to the mother. */
TEST(special_rules_change_few_throws)
{
    int compared, other = differences(&compared, "long-nardi");

    ck_assert_int_gt(compared, 300);
    ck_assert_msg(other * 20 < compared, "%d of %d", other, compared);
    other = differences(&compared, "plakoto");
    ck_assert_int_gt(compared, 200);
    ck_assert_msg(other * 20 < compared, "%d of %d", other, compared);
}

/* All of own checkers are at home, and some of the other side's before them. */
static struct bg_board bearing_off(struct chance *chance)
{
    struct bg_board board = {.at = {{[BG_OFF] = 5}, {[BG_OFF] = 3}}};
    const int open = 1 + chance_below(chance, HOME);
    const int closed = 1 + chance_below(chance, (1 << HOME) - 1);

    for (int slot = 1; slot <= HOME; slot++) {
        board.at[1][25 - slot] = slot != open && (closed >> (slot - 1) & 1) != 0 ? 1 : 0;
    }
    for (int left = 15 - 5; left > 0;) {
        const int slot = 1 + chance_below(chance, HOME);

        if (board.at[1][25 - slot] == 0) {
            board.at[0][slot]++;
            left--;
        }
    }
    board.at[1][12] = 2;
    return board;
}

/* Where it bears off a side knows exactly what it cannot play at all; what it can play in full is
 * at least what is counted, since a first number may free the second. */
TEST(bearing_off_counts_as_a_move)
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = bg_variant_find("nard");
    struct chance chance;
    int compared = 0, stuck = 0;

    chance_begin(&chance, 21);
    for (int round = 0; round < 600; round++) {
        const struct bg_board board = bearing_off(&chance);
        float counts[2][BLOCKS_MOST];
        int all = 0, nothing = 0;

        if (is_race(variant, &board)) {
            continue;
        }
        for (int i = 0; i < BG_ROLLS; i++) {
            const int weight = bg_roll_weight(i);

            list(&plays, variant, &board, 0, bg_roll_at(i));
            nothing += plays.count == 0 ? weight : 0;
            all += plays.count > 0 && plays.play[0].moves == (weight == 1 ? 4 : 2) ? weight : 0;
        }
        counts_of(counts, variant, &board);
        ck_assert_int_eq(whole(counts[0][BLOCKS_NOTHING], 36.0F), nothing);
        ck_assert_int_le(whole(counts[0][BLOCKS_WHOLE], 36.0F), all);
        compared++;
        stuck += nothing > 0;
    }
    ck_assert_int_gt(compared, 200);
    ck_assert_int_gt(stuck, 20);
}

/* ---- rows ---- */

static bool is_closed(const struct bg_variant *variant, const struct bg_board *board, int seat,
                      int slot)
{
    const int there = board->at[1 - seat][bg_variant_opponent_slot(variant, slot)];
    const bool pinning = (board->pinned[seat] >> slot & 1) != 0;
    const bool pins = strcmp(bg_variant_id(variant), "tapa") == 0 ||
                      strcmp(bg_variant_id(variant), "plakoto") == 0;

    return pinning || there > (pins ? 1 : 0);
}

/* Returns the longest row of closed points before this seat's rearmost checker. held: for each
 * point of a row past its second, the checkers behind the row's point, times its place past it. */
static int row_before(int *held, const struct bg_variant *variant, const struct bg_board *board,
                      int seat)
{
    int row = 0, longest = 0, last = BG_POINTS;

    *held = 0;
    while (last > 0 && board->at[seat][last] == 0) {
        last--;
    }
    for (int slot = last - 1; slot >= 1; slot--) {
        int behind = 0;

        for (int from = slot + 1; from <= BG_POINTS; from++) {
            behind += board->at[seat][from];
        }
        row = is_closed(variant, board, seat, slot) ? row + 1 : 0;
        longest = row > longest ? row : longest;
        *held += row > 2 ? (row - 2) * behind : 0;
    }
    return longest;
}

TEST_LOOP(rows_are_counted_point_by_point, 0, 6)
{
    const char *game = GAMES_WITHOUT_HITS[_i];
    const struct bg_variant *variant = bg_variant_find(game);
    struct chance chance;
    struct bg_board board;
    int compared = 0, long_rows = 0;

    chance_begin(&chance, 9);
    for (int turn = 0; turn < 1200; turn++) {
        float counts[2][BLOCKS_MOST];
        int seat = turn % 2, held, row;

        if (turn % 150 == 0) {
            bg_variant_setup(&board, variant);
        }
        (void)play_at_random(&board, variant, seat, &chance);
        if (is_race(variant, &board)) {
            continue;
        }
        counts_of(counts, variant, &board);
        row = row_before(&held, variant, &board, seat);
        ck_assert_int_eq(whole(counts[seat][BLOCKS_ROWS], 6.0F), row);
        ck_assert_int_eq(whole(counts[seat][BLOCKS_ROWS + 1], 60.0F), held);
        compared++;
        long_rows += row >= 3;
    }
    ck_assert_int_gt(compared, 300);
    ck_assert_int_gt(long_rows, 10);
}

/* ---- races ---- */

/* Returns whether a checker of this seat has one of the other side on its point or before it. */
static bool has_before(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    bool found = false;

    for (int from = 1; from <= BG_POINTS; from++) {
        for (int slot = 1; slot <= from && board->at[seat][from] > 0; slot++) {
            found = found || board->at[1 - seat][bg_variant_opponent_slot(variant, slot)] > 0;
        }
    }
    return found;
}

TEST_LOOP(a_race_is_where_nobody_is_before_another, 0, 6)
{
    const struct bg_variant *variant = bg_variant_find(GAMES_WITHOUT_HITS[_i]);
    struct chance chance;
    struct bg_board board;
    int races = 0;

    chance_begin(&chance, 13);
    for (int turn = 0; turn < 3000; turn++) {
        bool expected;

        if (turn % 300 == 0) {
            bg_variant_setup(&board, variant);
        }
        if (board.at[0][BG_OFF] < 12 && board.at[1][BG_OFF] < 12) {
            (void)play_at_random(&board, variant, turn % 2, &chance);
        }
        expected = !has_before(variant, &board, 0) && !has_before(variant, &board, 1);
        ck_assert(is_race(variant, &board) == expected);
        races += expected;
    }
    ck_assert_int_gt(races, 10);
}

/* ---- pins ---- */

/* Returns the throws with which the other side can pin a checker of this seat on these slots. */
static int pins_by_plays(const struct bg_variant *variant, const struct bg_board *board, int seat,
                         uint64_t slots)
{
    static struct bg_play_list plays;
    int throws = 0;

    for (int i = 0; i < BG_ROLLS; i++) {
        bool pins = false;

        list(&plays, variant, board, 1 - seat, bg_roll_at(i));
        for (size_t k = 0; k < plays.count && !pins; k++) {
            struct bg_board after;

            bg_play_make(&after, variant, board, 1 - seat, &plays.play[k]);
            pins = (after.pinned[seat] & ~board->pinned[seat] & slots) != 0;
        }
        throws += pins ? bg_roll_weight(i) : 0;
    }
    return throws;
}

/* A pin on the way that is left again is counted too, and plays that the duty to play as much as
 * possible forbids. */
TEST(threats_to_pin_are_those_of_all_legal_plays)
{
    const struct bg_variant *variant = bg_variant_find("tapa");
    struct chance chance;
    int compared = 0, other = 0, in_start = 0;

    chance_begin(&chance, 17);
    for (int round = 0; round < GAMES; round++) {
        struct bg_board board;

        bg_variant_setup(&board, variant);
        for (int turn = 0; turn < 60; turn++) {
            float counts[2][BLOCKS_MOST];
            int seat = turn % 2, all, start, found;

            (void)play_at_random(&board, variant, seat, &chance);
            counts_of(counts, variant, &board);
            all = pins_by_plays(variant, &board, seat, UINT64_MAX);
            start = pins_by_plays(variant, &board, seat, UINT64_C(0x3f) << 19);
            found = whole(counts[seat][BLOCKS_PINS], 36.0F);
            ck_assert_int_ge(found, all);
            ck_assert_int_ge(whole(counts[seat][BLOCKS_PINS + 2], 36.0F), start);
            compared++;
            other += found != all;
            in_start += start > 0;
        }
    }
    ck_assert_int_gt(compared, 500);
    ck_assert_int_gt(in_start, 50);
    ck_assert_msg(other * 20 < compared, "%d of %d", other, compared);
}

TEST(only_games_without_hits_have_them)
{
    struct blocks blocks;

    for (int i = 0; i < 6; i++) {
        blocks_begin(&blocks, bg_variant_find(GAMES_WITHOUT_HITS[i]));
        ck_assert_int_eq(blocks.count, i < 4 ? BLOCKS_PINS : BLOCKS_MOST);
    }
    blocks_begin(&blocks, bg_variant_find("backgammon"));
    ck_assert_int_eq(blocks.count, 0);
    blocks_begin(&blocks, bg_variant_find("long-nardi:head=any"));
    ck_assert_int_eq(blocks.count, BLOCKS_PINS);
}
