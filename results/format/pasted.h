/* pasted.h - positions of backgammon as servers and other programs write them.
 *
 * FIBS: the line "board:You:them:..." of its client protocol (CLIP). OGID: OpenGammon's fields
 * WHITE:BLACK:CUBE:DICE:COLOR:STATE:SCORES:LENGTH:MOVE. In both the player of the lower numbers
 * (FIBS: who reads the line; OGID: Black) becomes seat 1, the bottom player.
 */
#ifndef RESULTS_FORMAT_PASTED_H
#define RESULTS_FORMAT_PASTED_H

#include "positions.h"

/* Returns true if the text begins as a board of FIBS does. */
bool pasted_is_fibs(const char *text);

/* Returns true if the text has the first three fields of an OGID, which no other notation has. */
bool pasted_is_ogid(const char *text);

/* Read such a text up to its end or the first blank. BG_E_FORMAT: the text of err names the field
 * and its value. *out is then unchanged. */
enum bg_status pasted_fibs_read(struct position *out, const char *text, struct bg_error *err);
enum bg_status pasted_ogid_read(struct position *out, const char *text, struct bg_error *err);

#endif
