/* evaluate.h - positions for a bot to value, and its answers.
 *
 * A bot that can value positions can be a judge: after the games the referee asks it for the value
 * of every roll and removes the luck of the dice from the results. Such a bot sets info.evaluates
 * and then also gets asks of four more kinds. In these board, rules, cube, score, crawford_game,
 * post_crawford and played are set; game is empty and no clock runs. Most engines need to write one
 * function, the value of a position after a play:
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
 *     case BG_VALUE_THROWS:
 *         status = bg_bot_answer_cannot(bot, ask, "not valued here", &err);
 *
 * Viewpoint: own, which is at[0] in ask.board and is on roll in all these kinds; also for positions
 * after its plays. Units depend on ask.rules:
 *
 *     money (length_points 0)  points divided by the cube value in the ask, so that a single game
 *                              won is 1 with any cube value; includes the value of the right to
 *                              double if rules.cube, and gammons as the game counts them
 *     match                    chance 0..1 that own wins the match
 *
 * An evaluator may be weak: luck-adjusted results then vary more, but stay correct on average. It
 * must treat all rolls of an ask alike: the same search depth for each.
 *
 * struct bg_value can get further members of its union; its member size has its size. The structs
 * of values themselves are fixed: a new kind of value is a new struct.
 */
#ifndef BGREF_EVALUATE_H
#define BGREF_EVALUATE_H

#include <bgref/ask.h>
#include <bgref/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BG_ROLLS = 21 /* of two dice: 11, 21, 22, 31, 32, 33, ... 66 */ };

/* Returns roll number i, 0..20, high die first. */
BG_API struct bg_roll bg_roll_at(int i);

/* Returns the number of a roll of two dice in any order, 0..20; -1 for anything else. */
BG_API int bg_roll_number(struct bg_roll roll);

/* Returns how many of the 36 throws give roll number i: 1 for doubles, else 2. */
BG_API int bg_roll_weight(int i);

enum { BG_THROWS = 56 /* of three dice: 111, 211, 221, 222, 311, 321, ... 666 */ };

/* The same for the games with three dice: throw number i, 0..55, high die first; its number, -1 for
 * anything else; and how many of the 216 throws give it: 1, 3 or 6. */
BG_API struct bg_roll bg_throw_at(int i);
BG_API int bg_throw_number(struct bg_roll roll);
BG_API int bg_throw_weight(int i);

/* Chances without regard to the cube, and the equity. Each win includes the larger ones. */
struct bg_chances {
    double win, win_gammon, win_backgammon; /* 0..1 of own */
    double lose_gammon, lose_backgammon;    /* 0..1 of the opponent */
    double equity;
};

/* Values of the 21 rolls after own's best play of each; then the opponent doubles or rolls, or the
 * game is over. A roll that cannot be played has no moves and the value of the unchanged position.
 * Where the turn goes on after that play (more numbers, a named double, another roll), the value
 * includes the rest of the turn as well as the bot can tell; best is the play of the first stage.
 */
struct bg_roll_values {
    double equity[BG_ROLLS];
    struct bg_play best[BG_ROLLS];
    double played; /* of ask.played; NAN when there is none */
};

/* The same for the 56 throws of three dice. */
struct bg_throw_values {
    double equity[BG_THROWS];
    struct bg_play best[BG_THROWS];
    double played;
};

/* Values for own, who may double now, in units of the cube before the double. */
struct bg_cube_values {
    double no_double;   /* own rolls */
    double double_take; /* the opponent owns the doubled cube; money: twice the value in units of
                           the new cube */
    double double_pass; /* money: 1 */
};

enum { BG_VALUE_WHY = 256 };

/* The answer to one ask of these kinds. Grows at its end, which is the union: size is its size in
 * the program's headers. */
struct bg_value {
    size_t size;           /* sizeof (struct bg_value), set by BG_VALUE_INIT */
    enum bg_decision kind; /* BG_VALUE_... */
    bool cannot;           /* why holds the reason; nothing else is set */
    char why[BG_VALUE_WHY];
    union {
        struct bg_chances chances;
        struct bg_roll_values rolls;
        struct bg_cube_values cube;
        struct bg_throw_values throws;
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

/* Returns own's value of board, the position after own's play; the game may be over there. */
typedef double (*bg_value_fn)(void *user, const struct bg_ask *ask, const struct bg_board *board);

/* Fills *out by valuing the result of every legal play of every roll, and ask.played. For
 * BG_VALUE_ROLLS; the result of a play is valued as if it ended the turn. */
BG_API void bg_value_rolls(struct bg_roll_values *out, const struct bg_ask *ask, bg_value_fn value,
                           void *user);

/* The same for BG_VALUE_THROWS. */
BG_API void bg_value_throws(struct bg_throw_values *out, const struct bg_ask *ask,
                            bg_value_fn value, void *user);

/* Checks that value is an answer to ask: its kind and size, finite, chances and match-winning
 * chances within 0..1 and consistent, plays legal. BG_E_ARGUMENT: the text names the first invalid
 * value. Both the client and the referee check every answer with it. */
BG_API enum bg_status bg_value_check(const struct bg_ask *ask, const struct bg_value *value,
                                     struct bg_error *err);

#ifdef __cplusplus
}
#endif
#endif
