/* flow.h - how the rooms of the match machine share one match. Private to the rules.
 *
 *     match.c        steps: a step is judged, then written
 *     turn.c         the flow of a game: games, turns, rolls, stages
 *     stakes.c       ends and their points
 *     start.c        beginning at any position
 *     match_rules.c  the rules in force, and names
 */
#ifndef SDK_RULES_FLOW_H
#define SDK_RULES_FLOW_H

#include <bgref/match.h>

enum { HOST = -1, NOBODY = -1 };

/* No score may come near the end of 64 bits, whatever cube is added to it. */
#define SCORE_MAX (INT64_C(1) << 60)

static inline bool is_seat(int seat)
{
    return seat == 0 || seat == 1;
}

static inline void set_need(struct bg_match *match, enum bg_need_kind kind, int seat)
{
    match->need.kind = kind;
    match->need.seat = seat;
}

/* ---- turn.c ---- */

/* Resets everything that belongs to one game; score, Crawford and the number of the game stay. Who
 * begins follows from the result of the last game, still in *match (rules.next). */
void flow_begin_game(struct bg_match *match);

/* The turn of seat, first of a game or after the opponent's, without handed-over numbers. */
void flow_begin_turn(struct bg_match *match, int seat);

/* Handles the roll of the seat on roll: high first, die[2] 0 with two dice. */
void flow_begin_roll(struct bg_match *match, struct bg_roll roll);

/* Handles a double named by the seat on roll. */
void flow_begin_choice(struct bg_match *match, int number);

/* Handles a played stage: result is one of its legal results. */
void flow_take_result(struct bg_match *match, const struct bg_board *result);

/* Rules 5.2: the first game after one seat, and only one, has come to length - 1. */
bool flow_is_crawford_score(const struct bg_match *match);

/* ---- stakes.c ---- */

/* Ends the game. winner NOBODY and level 0: drawn. */
void score_finish(struct bg_match *match, enum bg_end end, int winner, int level);

/* What a win by winner on this board counts, cube aside. */
int score_level(const struct bg_match *match, int winner);

/* The level that counts of one that was agreed (Jacoby). */
int score_counted(const struct bg_match *match, int level);

#endif
