/* positions.h - positions as the commands plays and position get them: on the command line in any
 * notation, or in rows separated by tabs. */
#ifndef RESULTS_RULEBOOK_POSITIONS_H
#define RESULTS_RULEBOOK_POSITIONS_H

#include <stdio.h>

#include <bgref/notation.h>

struct position {
    struct bg_board board;
    struct bg_match_id id; /* of a bare Position ID: money, Jacoby, cube centred, seat 1 on roll */
    bool has_match;        /* id was given */
};

/* Reads a Position ID, PositionID:MatchID, or an XGID. BG_E_FORMAT. */
enum bg_status position_read(struct position *out, const char *text, struct bg_error *err);

/* Positions may begin with '-', which looks like an option: puts "XGID=" in front of an XGID, and a
 * blank in front of the notation of every game, in space. Arguments that do not fit are left alone.
 */
enum { POSITION_SPACE = 512 };
void position_arguments(int argc, char **argv, char space[POSITION_SPACE]);

/* A position in the notation of every game, as it was before position_arguments. */
const char *position_word(const char *argument);

/* Handles one row of standard input: prints its result, or returns an error that names the fault.
 */
typedef enum bg_status position_row(char **column, int columns, FILE *out, struct bg_error *err);

/* Reads rows from in to its end, skips comments ('#'), and hands each to row with its first
 * `needed` columns. The first bad row ends it with "COMMAND: line N: ..." on stderr.
 * Returns the exit status. */
int position_rows(FILE *in, FILE *out, const char *command, int needed, position_row *row);

#endif
