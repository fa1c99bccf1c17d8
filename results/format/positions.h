/* positions.h - positions as given to the commands: on the command line in any
 * notation, or in rows separated by tabs.
 */
#ifndef RESULTS_FORMAT_POSITIONS_H
#define RESULTS_FORMAT_POSITIONS_H

#include <stdio.h>

#include <bgref/notation.h>

struct position {
    struct bg_board board;
    struct bg_match_id id; /* for a bare Position ID: money, Jacoby, cube centred, seat 1 on roll */
    bool has_match;        /* id was given */
    int cube_limit; /* the largest cube that its XGID gives, as a power of two; 0: none given */
};

/* Whether the text has the form of an XGID, with or without "XGID=". */
bool position_is_xgid(const char *text);

/* Reads a Position ID, PositionID:MatchID, XGID, OGID or FIBS board, also within the text that
 * gnubg or eXtreme Gammon prints around it ("Position ID: ...", "XGID=..."). BG_E_FORMAT. */
enum bg_status position_read(struct position *out, const char *text, struct bg_error *err);

/* Writes an XGID with the largest cube that was read. BG_E_FORMAT as bg_xgid_write. */
enum bg_status position_xgid_write(char out[BG_XGID], const struct position *position,
                                   struct bg_error *err);

/* Positions can begin with '-', which looks like an option. Puts "XGID=" before an XGID, and a
 * blank before the notation of all variants, in space. Leaves arguments that do not fit
 * unchanged. */
enum { POSITION_SPACE = 512 };
void position_arguments(int argc, char **argv, char space[POSITION_SPACE]);

/* Returns a position in the notation of all variants without the blank of position_arguments. */
const char *position_word(const char *argument);

/* Handles one row of standard input: prints its result, or returns an error that describes the
 * defect. */
typedef enum bg_status position_row(char **column, int columns, FILE *out, struct bg_error *err);

/* Reads rows from in to its end, skips comments ('#'), and passes each to row with its first
 * `needed` columns. Stops at the first bad row with "COMMAND: line N: ..." on stderr. Returns the
 * exit status. */
int position_rows(FILE *in, FILE *out, const char *command, int needed, position_row *row);

#endif
