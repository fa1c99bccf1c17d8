/* td's counts of a backgammon position: against all legal plays, and against a walk along the
 * points. */
#include <bgref/evaluate.h>
#include <bgref/play.h>
#include <string.h>

#include "chance.h"
#include "expert.h"
#include "support/suite.h"

enum { SHOTS = 0, LOSS = 1, TWICE = 2, LAST_MAN = 3, GAMES = 30, TURNS = 60 };

/* Returns the blots that plays of this roll hit, as bits: bit s is the thrower's slot s. */
static uint32_t hits_of(const struct bg_variant *variant, const struct bg_board *board, int thrower,
                        struct bg_roll roll)
{
    static struct bg_play_list plays;
    struct bg_stage stage = bg_stage_of_roll(variant, roll);
    const uint8_t *before = board->at[1 - thrower];
    uint32_t hits = 0;

    bg_play_list(&plays, variant, board, thrower, &stage);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, board, thrower, &plays.play[i]);
        for (int slot = 1; slot <= BG_POINTS; slot++) {
            hits |= (uint32_t)(after.at[1 - thrower][slot] < before[slot]) << (25 - slot);
        }
    }
    return hits;
}

/* Throws that hit, pips that the worst hit of each costs, throws that can hit one of two blots. */
struct tally {
    int throws, pips, twice;
};

static struct tally shots_at(const struct bg_variant *variant, const struct bg_board *board,
                             int seat)
{
    struct tally tally = {0, 0, 0};

    for (int i = 0; i < BG_ROLLS; i++) {
        const uint32_t hits = hits_of(variant, board, 1 - seat, bg_roll_at(i));
        const int weight = bg_roll_weight(i);
        int worst = 0;

        for (int slot = 1; slot <= BG_POINTS; slot++) {
            worst = (hits >> slot & 1) != 0 ? slot : worst;
        }
        tally.throws += hits != 0 ? weight : 0;
        tally.pips += worst * weight;
        tally.twice += (hits & (hits - 1)) != 0 ? weight : 0;
    }
    return tally;
}

static int whole(float share, float of)
{
    return (int)(share * of + 0.5F);
}

static void play_at_random(struct bg_board *board, const struct bg_variant *variant, int seat,
                           struct chance *chance)
{
    static struct bg_play_list plays;
    struct bg_stage stage = bg_stage_of_roll(variant, bg_roll_at(chance_below(chance, BG_ROLLS)));

    bg_play_list(&plays, variant, board, seat, &stage);
    if (plays.count > 0) {
        bg_play_make(board, variant, board, seat,
                     &plays.play[chance_below(chance, (int)plays.count)]);
    }
}

static void counts_of(float out[2][EXPERT_COUNTS], const struct bg_variant *variant,
                      const struct bg_board *board)
{
    const bool earns = strcmp(bg_variant_id(variant), "dutch") == 0;

    struct side_points sides[2];

    side_look(&sides[0], board->at[0]);
    side_look(&sides[1], board->at[1]);
    expert_counts(out, board, sides, earns);
}

/* The counts ask what a throw can do; the rule that as much as possible is played takes a few hits
 * away again. */
TEST_LOOP(shots_are_those_of_all_legal_plays, 0, 2)
{
    const struct bg_variant *variant = bg_variant_find(_i == 0 ? "backgammon" : "dutch");
    struct chance chance;
    int compared = 0, other = 0;

    chance_begin(&chance, 7);
    for (int game = 0; game < GAMES; game++) {
        struct bg_board board;

        bg_variant_setup(&board, variant);
        for (int turn = 0; turn < TURNS && board.at[1 - turn % 2][BG_OFF] < 10; turn++) {
            float counts[2][EXPERT_COUNTS];
            struct tally found, tally;
            int seat = turn % 2;

            play_at_random(&board, variant, seat, &chance);
            if (_i == 1 && board.may_hit[1 - seat] == 0) {
                continue; /* the right may be earned within the roll */
            }
            tally = shots_at(variant, &board, seat);
            counts_of(counts, variant, &board);
            found = (struct tally){whole(counts[seat][SHOTS], 36.0F),
                                   whole(counts[seat][LOSS], 36.0F * 12.0F),
                                   whole(counts[seat][TWICE], 36.0F)};
            ck_assert_int_ge(found.throws, tally.throws);
            ck_assert_int_ge(found.pips, tally.pips);
            ck_assert_int_ge(found.twice, tally.twice);
            compared++;
            other += found.throws != tally.throws || found.pips != tally.pips ||
                     found.twice != tally.twice;
        }
    }
    ck_assert_int_gt(compared, _i == 0 ? 1000 : 500);
    ck_assert_msg(other * 25 < compared, "%d of %d", other, compared);
}

/* Returns how many of 36 throws one checker can play in full from this slot, step by step. */
static int ways_of(const struct bg_board *board, int seat, int slot)
{
    int count = 0;

    for (int a = 1; a <= 6; a++) {
        for (int b = 1; b <= 6; b++) {
            int ends[3] = {slot - a - b, slot - a, slot - b};
            bool open[3];

            for (int i = 0; i < 3; i++) {
                open[i] = ends[i] < 1 || board->at[1 - seat][25 - ends[i]] < 2;
            }
            count += open[0] && (open[1] || open[2]);
        }
    }
    return count;
}

TEST(ways_out_are_counted_step_by_step)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");
    struct chance chance;
    struct bg_board board;
    int compared = 0;

    chance_begin(&chance, 11);
    bg_variant_setup(&board, variant);
    for (int turn = 0; turn < TURNS; turn++) {
        float counts[2][EXPERT_COUNTS];
        int seat = turn % 2, last = BG_BAR, others = BG_BAR;

        play_at_random(&board, variant, seat, &chance);
        while (last > 0 && board.at[seat][last] == 0) {
            last--;
        }
        while (others > 0 && board.at[1 - seat][others] == 0) {
            others--;
        }
        if (last <= 6 || last + others <= 25) {
            continue;
        }
        counts_of(counts, variant, &board);
        ck_assert_int_eq((int)((1.0F - counts[seat][LAST_MAN]) * 36.0F + 0.5F),
                         ways_of(&board, seat, last));
        compared++;
    }
    ck_assert_int_gt(compared, TURNS / 2);
}

TEST(a_blot_is_safe_from_a_side_without_the_right_to_hit)
{
    const struct bg_variant *dutch = bg_variant_find("dutch");
    struct bg_board board = {.at = {{[8] = 1, [BG_OFF] = 14}, {[20] = 2, [BG_HAND] = 13}}};
    float counts[2][EXPERT_COUNTS];

    counts_of(counts, dutch, &board);
    ck_assert(counts[0][SHOTS] == 0.0F);
    board.may_hit[1] = 1;
    counts_of(counts, dutch, &board);
    ck_assert_int_eq(whole(counts[0][SHOTS], 36.0F), shots_at(dutch, &board, 0).throws);
    ck_assert(counts[0][SHOTS] > 0.0F);
}

TEST(only_games_like_backgammon_have_them)
{
    ck_assert(expert_covers(bg_variant_find("backgammon")));
    ck_assert(expert_covers(bg_variant_find("hypergammon")));
    ck_assert(expert_covers(bg_variant_find("dutch")));
    ck_assert(!expert_covers(bg_variant_find("plakoto")));
    ck_assert(!expert_covers(bg_variant_find("fevga")));
}
