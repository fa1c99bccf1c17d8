/* posed_state.h - a position's score and cube in words, if its notation cannot hold them.
 *
 *     length=5 score=2-1 crawford=past cube=4 owner=other
 *
 * As the side to move sees it: its points come first; owner=own: it owns the cube. Defaults: money
 * play, 0-0, a cube of 1 in the middle. crawford=now: the Crawford game; crawford=past: a later
 * one.
 */
#ifndef REFEREE_TABLE_POSED_STATE_H
#define REFEREE_TABLE_POSED_STATE_H

#include <bgref/match.h>

enum { POSED_STATE = 160 };

/* "" for money play with a centred cube of 1. */
void posed_state_write(char out[POSED_STATE], const struct bg_match *match);

/* start->on_roll is the side to move; sets score, cube and Crawford. *length_points: 0 for money.
 * BG_E_ARGUMENT names the word. */
enum bg_status posed_state_read(struct bg_start *start, int *length_points, const char *words,
                                struct bg_error *err);

#endif
