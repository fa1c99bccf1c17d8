/* evaluate.h - positions that a bot is asked to value, and the values it answers.
 *
 * A bot that can value positions can be a judge: after the games it is asked what every roll was
 * worth, and the luck of the dice is taken out of the results. It says so by info.evaluates and is
 * then handed, beside the decisions, asks of three more kinds, in which board, rules, cube, score,
 * crawford_game, post_crawford and played are set; game is empty and no clock runs. Most engines
 * need one function of their own, the value of a position after a play:
 *
 *     static double after(void *user, const struct bg_ask *ask, const struct bg_board *board) ...
 *
 *     struct bg_value value = BG_VALUE_INIT;
 *     ...
 *     case BG_VALUE_ROLLS:
 *         bg_value_rolls(&value.of.rolls, ask, after, engine);
 *         status = bg_bot_answer_value(bot, ask, &value, &err);
 *         break;
 *     case BG_VALUE_CUBE:
 *     case BG_VALUE_POSITION:
 *         status = bg_bot_answer_cannot(bot, ask, "not valued here", &err);
 *
 * Viewpoint: own, which is at[0] in ask.board and is on roll in all three kinds, also for what its
 * plays lead to. Units: ask.rules say which.
 *
 *     money (length_points 0)  points for each point of the cube as the ask shows it, so that a
 *                              plain game won is 1 whatever the cube; with the right to turn the
 *                              cube reckoned with when rules.cube, gammons as the game counts them
 *     match                    chance 0..1 that own wins the match
 *
 * An evaluator need not be good to be fair: a bad one makes luck-adjusted results vary more, never
 * wrong on average. It has to be the same for all rolls of an ask: no deeper look at some of them.
 *
 * struct bg_value grows, by further members of its union, and says its size. The structs of values
 * themselves are fixed: a new kind of value is a new struct.
 */
#ifndef BGREF_EVALUATE_H
#define BGREF_EVALUATE_H

#include <bgref/ask.h>
#include <bgref/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BG_ROLLS = 21 /* of two dice: 11, 21, 22, 31, 32, 33, ... 66 */ };

/* Roll number i, 0..20, high die first. */
BG_API struct bg_roll bg_roll_at(int i);

/* The number of a roll of two dice in any order, 0..20; -1 for anything else. */
BG_API int bg_roll_number(struct bg_roll roll);

/* In how many of 36 throws roll number i comes: 1 for doubles, else 2. */
BG_API int bg_roll_weight(int i);

/* Chances by checkers alone and the equity. Each win includes the larger ones. */
struct bg_chances {
    double win, win_gammon, win_backgammon; /* 0..1 of own */
    double lose_gammon, lose_backgammon;    /* 0..1 of the opponent */
    double equity;
};

/* Values of the 21 rolls after own's best play of each; the opponent is then to turn the cube or
 * roll, or the game is over. A roll that cannot be played has no moves and the value of passing
 * it. */
struct bg_roll_values {
    double equity[BG_ROLLS];
    struct bg_play best[BG_ROLLS];
    double played; /* of ask.played; NAN when there is none */
};

/* Values for own, about to turn the cube, in units of the cube before the double. */
struct bg_cube_values {
    double no_double;   /* it rolls */
    double double_take; /* the cube is doubled and the opponent's; money: twice what it is for each
                           point of the new cube */
    double double_pass; /* money: 1 */
};

enum { BG_VALUE_WHY = 256 };

/* The answer to one ask of these kinds. Grows at its end, which is the union: size says how much of
 * it the program knows. */
struct bg_value {
    size_t size;           /* sizeof (struct bg_value), set by BG_VALUE_INIT */
    enum bg_decision kind; /* BG_VALUE_... */
    bool cannot;           /* why holds the reason; nothing else is set */
    char why[BG_VALUE_WHY];
    union {
        struct bg_chances chances;
        struct bg_roll_values rolls;
        struct bg_cube_values cube;
    } of;
};

#define BG_VALUE_INIT                                                                              \
    {                                                                                              \
        sizeof(struct bg_value), BG_DECIDE_NONE, false, "",                                        \
        {                                                                                          \
            {                                                                                      \
                0, 0, 0, 0, 0, 0                                                                   \
            }                                                                                      \
        }                                                                                          \
    }

/* Value for own of board, which own's play has reached; board may be the end of the game. */
typedef double (*bg_value_fn)(void *user, const struct bg_ask *ask, const struct bg_board *board);

/* Fills *out by valuing the result of every legal play of every roll, and ask.played. Only games in
 * which bg_variant_turn_is_roll are asked for rolls. */
BG_API void bg_value_rolls(struct bg_roll_values *out, const struct bg_ask *ask, bg_value_fn value,
                           void *user);

/* Checks that value answers ask: of its kind and size, finite, chances and match-winning chances
 * within 0..1 and consistent, plays legal. BG_E_ARGUMENT: the text names the first value that does
 * not fit. Both the client and the referee check every answer so. */
BG_API enum bg_status bg_value_check(const struct bg_ask *ask, const struct bg_value *value,
                                     struct bg_error *err);

#ifdef __cplusplus
}
#endif
#endif
