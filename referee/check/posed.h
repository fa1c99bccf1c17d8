/* posed.h - one decision, posed as text: a position, and perhaps dice.
 *
 * Backgammon in its own notations, with score, cube and a double that is pending; every other game
 * in the notation of every game (N3) and, unless it is money play with the cube in the middle, the
 * words of posed_state.h.
 */
#ifndef REFEREE_CHECK_POSED_H
#define REFEREE_CHECK_POSED_H

#include <bgref/match.h>

struct posed {
    const char *variant;  /* NULL: backgammon */
    const char *position; /* Position ID, PositionID:MatchID, XGID; or N3 */
    const char *dice;     /* "31", or a stage like 4x3; NULL: those of the position, or none */
    const char *rules;    /* rules that differ from the default, as in rules_words.h; NULL none */
    const char *state; /* match state that N3 does not hold, as in posed_state.h; NULL: money, cube
                          centred */
    const char *then;  /* later actions: "double, raise", "resign 2"; NULL none */
    bool may_roll;     /* also a position in which only the dice are missing (BG_NEED_ROLL) */
};

/* The match at that decision; match->need.seat owes it (or rolls). BG_E_FORMAT, BG_E_ARGUMENT: a
 * text that is not understood, or there is nothing to decide. */
enum bg_status posed_match(struct bg_match *out, const struct posed *posed, struct bg_error *err);

#endif
