/* ask_position.h - one decision out of its match, as other programs describe it: position, score
 * and cube.
 *
 * Own is seat 0 of every match made here, whoever is on roll.
 */
#ifndef REFEREE_CHECK_ASK_POSITION_H
#define REFEREE_CHECK_ASK_POSITION_H

#include <bgref/match.h>

struct ask_position {
    const struct bg_variant *variant; /* NULL: backgammon */
    struct bg_board board;            /* at[0] own */
    int length_points;                /* 0 money */
    int64_t score[2];                 /* own, the opponent's; not used for money */
    int cube_log2;
    int cube_owner; /* 0 own, 1 the opponent's, BG_CENTRED */
    bool jacoby, beavers;
    bool crawford; /* at a score of the Crawford game: it is this one; else it is past */
};

/* The match with on_roll about to double or to roll. BG_E_ARGUMENT: there is no such match, or its
 * game is over. */
enum bg_status ask_position_match(struct bg_match *out, const struct ask_position *position,
                                  int on_roll, struct bg_error *err);

/* Rolls for the player on roll. Returns false if this roll is impossible now. If the roll cannot
 * be played, the match then waits for the other side. */
bool ask_position_roll(struct bg_match *match, int high, int low);

/* What a Position ID leaves out: checkers that are nowhere else are off. False: there are more than
 * the game has. */
bool ask_position_set_off(struct ask_position *position);

/* Returns the exponent of a cube value 1, 2, 4, ...; -1 for other values. */
int ask_position_cube_log2(int64_t value);

#endif
