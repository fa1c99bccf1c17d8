/* hand_dice.h - a roll of people at a board (`dice: manual`): what the two operators have said of
 * it, and who is asked next. Pure.
 *
 * The operator of the side that rolls says the dice, then the other one says what it sees. The dice
 * count when the last thing that both have said is the same. In the opening each side has its own
 * dice, usually one, which are said and confirmed one side after the other.
 */
#ifndef REFEREE_TABLE_HAND_DICE_H
#define REFEREE_TABLE_HAND_DICE_H

#include <bgref/ask.h>

enum {
    HAND_DISAGREEMENTS = 3, /* on one roll; then the game is held for the director */
    HAND_DICE = 4
};

/* To say dice is free for this long; longer time runs on the clock of the side that says them: its
 * own dice, because its program may be thinking about the roll already; the other side's, because
 * nobody may hold up a game for nothing. In the opening no clock runs. */
#define HAND_FREE_NS (INT64_C(20) * 1000000000)

struct hand_dice {
    int count;              /* dice that are asked for; 0: no roll is due */
    int roller, asked;      /* seats: whose dice they are; who has to say them */
    bool opening;           /* a seat's part of the opening */
    bool held;              /* nobody is asked any more */
    int disagreements;      /* on these dice so far */
    uint32_t said[2];       /* by seat: the digits that it said last; 0 nothing */
    uint8_t die[HAND_DICE]; /* of a step: complete when hand_dice_take returns HAND_AGREED */
};

/* A roll of the seat is due, or with seat -1 the opening. */
void hand_dice_begin(struct hand_dice *hand, const struct bg_match *match, int seat);

/* Makes the ask, which is of hand->asked, the question for the dice. */
void hand_dice_ask(struct bg_ask *ask, const struct hand_dice *hand);

/* Whether a die of the roll lies on the board. */
bool hand_dice_are_seen(const struct hand_dice *hand);

enum hand_news {
    HAND_WRONG,  /* another number of dice than was asked for: nothing has changed */
    HAND_ASK,    /* hand->asked is asked next */
    HAND_AGREED, /* the roll counts: hand->die */
    HAND_HELD    /* they have disagreed too often */
};

/* hand->asked has said the dice with these digits (bg_answer.value). */
enum hand_news hand_dice_take(struct hand_dice *hand, uint32_t digits);

#endif
