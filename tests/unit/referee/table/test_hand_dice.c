/* What two operators say of one roll: when it counts, who is asked next, when the game is held. */
#include "table/hand_dice.h"
#include "support/suite.h"

static struct bg_match match;
static struct hand_dice hand;

/* A match of this game in which seat 1 has to roll. */
static void begin_roll(const char *game)
{
    const struct bg_rules rules = bg_rules_default(bg_variant_find(game), 0);

    bg_match_begin(&match, &rules);
    match.need = (struct bg_need){BG_NEED_ROLL, 1};
    hand_dice_begin(&hand, &match, 1);
}

static struct bg_ask question(void)
{
    struct bg_ask ask = {.kind = BG_DECIDE_DOUBLE, .refused_level = 2};

    hand_dice_ask(&ask, &hand);
    ck_assert_int_eq(ask.kind, BG_DECIDE_DICE);
    ck_assert_int_eq(ask.refused_level, 0);
    ck_assert_int_eq(ask.own_dice, hand.asked == hand.roller);
    return ask;
}

TEST(a_roll_counts_when_the_other_side_has_said_the_same)
{
    struct bg_ask ask;

    begin_roll("backgammon");
    ask = question();
    ck_assert_int_eq(hand.asked, 1);
    ck_assert_int_eq(ask.dice, 2);
    ck_assert_int_eq(ask.entered[0], 0);
    ck_assert_int_eq(hand_dice_take(&hand, 63), HAND_ASK);
    ask = question();
    ck_assert_int_eq(hand.asked, 0);
    ck_assert_int_eq(ask.entered[0], 6);
    ck_assert_int_eq(ask.entered[1], 3);
    ck_assert_int_eq(ask.entered[2], 0);
    ck_assert_int_eq(hand_dice_take(&hand, 63), HAND_AGREED);
    ck_assert_int_eq(hand.die[0], 6);
    ck_assert_int_eq(hand.die[1], 3);
    ck_assert_int_eq(hand.die[2], 0);
}

TEST(nobody_chooses_the_dice_alone)
{
    begin_roll("backgammon");
    for (int i = 0; i < HAND_DISAGREEMENTS;
         i++) { /* the roller insists, the other does not agree */
        ck_assert_int_eq(hand.asked, 1);
        ck_assert_int_eq(question().disagreements, i);
        ck_assert_int_eq(hand_dice_take(&hand, 66), HAND_ASK);
        ck_assert_int_eq(hand_dice_take(&hand, 21),
                         i + 1 < HAND_DISAGREEMENTS ? HAND_ASK : HAND_HELD);
    }
    ck_assert(hand.held);
    ck_assert_uint_eq(hand.said[1], 66);
    ck_assert_uint_eq(hand.said[0], 21);
}

TEST(after_a_disagreement_each_reads_what_the_other_said)
{
    struct bg_ask ask;

    begin_roll("backgammon");
    (void)hand_dice_take(&hand, 66);
    (void)hand_dice_take(&hand, 65);
    ask = question();
    ck_assert(ask.own_dice);
    ck_assert_int_eq(ask.disagreements, 1);
    ck_assert_int_eq(ask.entered[0] * 10 + ask.entered[1], 65);
    ck_assert_int_eq(hand_dice_take(&hand, 55), HAND_ASK);
    ask = question();
    ck_assert_int_eq(ask.entered[0] * 10 + ask.entered[1], 55);
    ck_assert_int_eq(hand_dice_take(&hand, 65), HAND_ASK);
    ck_assert_int_eq(hand_dice_take(&hand, 65), HAND_AGREED); /* the roller sees it too */
    ck_assert_int_eq(hand.die[0] * 10 + hand.die[1], 65);
}

TEST(another_number_of_dice_is_refused)
{
    begin_roll("backgammon");
    ck_assert_int_eq(hand_dice_take(&hand, 6), HAND_WRONG);
    ck_assert_int_eq(hand_dice_take(&hand, 631), HAND_WRONG);
    ck_assert_uint_eq(hand.said[1], 0);
    ck_assert_int_eq(hand.asked, 1);
}

TEST(a_game_with_three_dice_asks_for_three)
{
    begin_roll("tabula");
    ck_assert_int_eq(question().dice, 3);
    ck_assert_int_eq(hand_dice_take(&hand, 63), HAND_WRONG);
    ck_assert_int_eq(hand_dice_take(&hand, 631), HAND_ASK);
    ck_assert_int_eq(hand_dice_take(&hand, 631), HAND_AGREED);
    ck_assert_int_eq(hand.die[2], 1);
}

/* _i: 0 one die each, 1 two each (by sums). */
TEST_LOOP(each_side_has_its_own_dice_of_the_opening, 0, 2)
{
    static const uint32_t said[2][2] = {{3, 3}, {61, 55}};
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);

    rules.opening = _i == 0 ? BG_OPENING_PLAY : BG_OPENING_SUM_PLAY;
    bg_match_begin(&match, &rules);
    hand_dice_begin(&hand, &match, -1);
    for (int roller = 0; roller < 2; roller++) {
        ck_assert_int_eq(hand.asked, roller);
        ck_assert_int_eq(question().dice, _i + 1);
        ck_assert(question().own_dice && question().opening_dice);
        ck_assert_int_eq(question().entered[0], 0);
        ck_assert_int_eq(hand_dice_take(&hand, said[_i][roller]), HAND_ASK);
        ck_assert_int_eq(hand.asked, 1 - roller);
        ck_assert(!question().own_dice);
        ck_assert_int_eq(hand_dice_take(&hand, said[_i][roller]),
                         roller == 0 ? HAND_ASK : HAND_AGREED);
    }
    ck_assert_int_eq(hand.die[0], _i == 0 ? 3 : 6);
    ck_assert_int_eq(hand.die[1], _i == 0 ? 3 : 1);
    ck_assert_int_eq(hand.die[2], _i == 0 ? 0 : 5);
    ck_assert_int_eq(hand.die[3], _i == 0 ? 0 : 5);
}
