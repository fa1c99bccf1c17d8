/* thought.h - what a bot thought: an optional part of its answer, for people who look at the game.
 *
 *     struct bg_thought thought = BG_THOUGHT_INIT;
 *     thought.has_chances = thought.has_equity = true;
 *     thought.chances.win = 0.62;
 *     thought.chances.equity = 0.31;
 *     bg_bot_think(bot, ask, &thought, &err);
 *     bg_bot_answer_play(bot, ask, &play, &err);
 *
 * It is stored in the game's record and shown with it after the game: never to the opponent or
 * another bot, and it changes nothing in the game. The referee drops and counts a thought with an
 * impossible value (not a number, a chance outside 0..1, an unknown slot, ...); that is no fault.
 * All values are own's, after the answer: of the chosen play, of the chosen cube action.
 */
#ifndef BGREF_THOUGHT_H
#define BGREF_THOUGHT_H

#include <bgref/ask.h>
#include <bgref/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BG_CANDIDATES_MAX = 8, BG_THOUGHT_TEXT = 201, BG_THOUGHT_PLIES_MAX = 100 };

enum bg_equity_unit {
    BG_EQUITY_POINTS, /* points for each point of the cube, -1000..1000; in a match as if it were
                         money, or normalised */
    BG_EQUITY_MATCH,  /* chance to win the match, 0..1 */
    BG_EQUITY_UNIT_COUNT
};

/* A play or an action that could have been the answer. */
struct bg_candidate {
    enum bg_answer_kind kind; /* BG_ANSWER_MOVES: play; or an action, BG_ANSWER_ROLL .. REFUSE */
    struct bg_play play;      /* at least one move, own slots */
    double equity;            /* in thought.unit */
};

/* Grows at its end: size is its size in the program's headers. */
struct bg_thought {
    size_t size; /* sizeof (struct bg_thought), set by BG_THOUGHT_INIT */
    bool has_chances, has_equity;
    enum bg_equity_unit unit;   /* of all equities here */
    struct bg_chances chances;  /* equity: only with has_equity; the rest: only with has_chances.
                                   Without regard to the cube; a win includes gammons, a gammon
                                   backgammons, and what is more than its whole is cut to it */
    uint32_t plies;             /* rolls looked ahead; 0: none, or not told */
    uint32_t candidate_count;   /* 0 .. BG_CANDIDATES_MAX */
    char text[BG_THOUGHT_TEXT]; /* a few words, UTF-8; "": none. Control characters are rewritten,
                                   and what is then longer is cut off */
    struct bg_candidate candidate[BG_CANDIDATES_MAX]; /* the best first */
};

#define BG_THOUGHT_INIT                                                                            \
    {                                                                                              \
        sizeof(struct bg_thought), false, false, BG_EQUITY_POINTS, {0, 0, 0, 0, 0, 0}, 0, 0, "",   \
        {                                                                                          \
            {                                                                                      \
                BG_ANSWER_NONE, {0, {{0, 0}}}, 0                                                   \
            }                                                                                      \
        }                                                                                          \
    }

#ifdef __cplusplus
}
#endif
#endif
