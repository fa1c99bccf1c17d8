/* play.h - rolls, stages and legal plays.
 *
 * The smallest use: list every legal play for seat's roll and make the first.
 *
 *     static struct bg_play_list plays;
 *     struct bg_stage stage = bg_stage_of_roll(variant, roll);
 *     bg_play_list(&plays, variant, &board, seat, &stage);
 *     bg_play_make(&board, variant, &board, seat, &plays.play[0]);
 *
 * Nothing here allocates, reads a clock or keeps state.
 */
#ifndef BGREF_PLAY_H
#define BGREF_PLAY_H

#include <stddef.h>

#include <bgref/board.h>
#include <bgref/rule.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bg_variant; /* variant.h */

/* Two dice, high first, or three (die[2] is 0 with two); {0,0,0} is "not rolled". */
struct bg_roll {
    uint8_t die[3];
};

/* Numbers that are played together under one compulsory rule: 63 is {2, {6,1},{3,1}}; 33 is
 * {1, {3,4}} (or {3,2} in games where a double is two moves); handed-over numbers have the same
 * form. */
struct bg_stage {
    uint8_t parts; /* 0..3 */
    struct {
        uint8_t number; /* 1..6, high first, all different */
        uint8_t times;  /* 1..4 */
    } part[3];
};

/* One checker, one number (or several merged: see bg_play_check). Slots as in board.h, of the seat
 * that moves; from is never BG_OFF. In kiz-tavlasi "lower" is from == to. */
struct bg_move {
    uint8_t from, to;
};

enum { BG_MOVES_MAX = 4 };

struct bg_play {
    uint8_t moves; /* 0..4 */
    struct bg_move move[BG_MOVES_MAX];
};

/* Upper limit of distinct results of one stage. Four equal numbers over 15 checkers give at most
 * C(18,4) = 3060 boards. Three different numbers: each to another checker 15*14*13, two to one
 * checker in either order (another blot may be hit on the way) 3*15*14*2, all to one in any order
 * 15*6, together 4080. More than 15^3 occur in real positions. */
enum { BG_PLAYS_MAX = 4080 };

struct bg_play_list {
    size_t count;
    struct bg_play play[BG_PLAYS_MAX];
};

/* Returns the numbers that roll gives in this game (G5); if die[2] is 0, two dice in a game with
 * three. */
BG_API struct bg_stage bg_stage_of_roll(const struct bg_variant *variant, struct bg_roll roll);

/* Lists every legal play of stage for seat (G1-G6) into out->play[0..count-1], each with a
 * different resulting board, in unspecified order. count 0: the turn is lost. Never fails. All is
 * lent. */
BG_API void bg_play_list(struct bg_play_list *out, const struct bg_variant *variant,
                         const struct bg_board *board, int seat, const struct bg_stage *stage);

/* Sorts the list in the order of the vectors: ascending by the bytes of the text of the resulting
 * position (the Position ID in backgammon, the notation of rules.md 3 elsewhere). */
BG_API void bg_play_list_sort(struct bg_play_list *list, const struct bg_variant *variant,
                              const struct bg_board *board, int seat);

/* Returns true if at least one number of the stage can be played. */
BG_API bool bg_play_exists(const struct bg_variant *variant, const struct bg_board *board, int seat,
                           const struct bg_stage *stage);

/* Makes the single moves of play one after another, hits and pins included; play must be legal
 * or at least possible (a checker on each from). out may be board. */
BG_API void bg_play_make(struct bg_board *out, const struct bg_variant *variant,
                         const struct bg_board *board, int seat, const struct bg_play *play);

/* Judges a play from a bot: single moves in any order, merged moves allowed (24/13 with
 * 65). BG_RULE_NONE: legal, *result holds the position after it. Otherwise returns the broken
 * rule; *result is unchanged. BG_RULE_AMBIGUOUS: merged moves have legal readings with different
 * results. play may hold anything: slots out of range break BG_RULE_SLOT. */
BG_API enum bg_rule bg_play_check(struct bg_board *result, const struct bg_variant *variant,
                                  const struct bg_board *board, int seat,
                                  const struct bg_stage *stage, const struct bg_play *play);

/* Judges a resulting position from a bot. BG_RULE_NONE: it is one of the legal results; *play (may
 * be NULL) then holds single moves that reach it. */
BG_API enum bg_rule bg_play_check_result(struct bg_play *play, const struct bg_variant *variant,
                                         const struct bg_board *board, int seat,
                                         const struct bg_stage *stage,
                                         const struct bg_board *result);

#ifdef __cplusplus
}
#endif
#endif
