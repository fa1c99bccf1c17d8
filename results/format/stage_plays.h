/* stage_plays.h - legal plays of any variant by stage, and whether one answer to a roll is legal,
 * for bgref plays. */
#ifndef RESULTS_FORMAT_STAGE_PLAYS_H
#define RESULTS_FORMAT_STAGE_PLAYS_H

#include <stdio.h>

#include <bgref/notation.h>

/* Reads a row 'VARIANT POSITION STAGE' and prints it with the number of results and the results,
 * sorted by bytes. A position_row (positions.h). */
enum bg_status stage_plays_row(char **column, int columns, FILE *out, struct bg_error *err);

/* The same as a numbered list of plays. */
enum bg_status stage_plays_show(const char *variant, const char *position, const char *stage,
                                FILE *out, struct bg_error *err);

/* One of these is given, as text: single moves ("24/18 13/11", own slots), the position after the
 * play, or an index into the sorted legal plays. */
struct check_play {
    const char *moves, *result, *index;
};

/* What the play answers: a roll, or another stage of a seat. */
struct check_stage {
    const struct bg_variant *variant;
    struct bg_board board;
    struct bg_stage stage;
    int seat;
};

/* Prints "legal: ..." or "illegal: G6.1 ..." and sets *legal. result is read as a Position ID in
 * backgammon, else in the notation of all variants. BG_E_FORMAT: cannot be read. */
enum bg_status check_play(bool *legal, const struct check_play *check, const struct check_stage *at,
                          FILE *out, struct bg_error *err);

/* The same with variant, position and stage in the notations of all variants. */
enum bg_status check_play_text(bool *legal, const struct check_play *check, const char *variant,
                               const char *position, const char *stage, FILE *out,
                               struct bg_error *err);

#endif
