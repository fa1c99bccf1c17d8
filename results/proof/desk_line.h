/* desk_line.h - the way to a running referee: a socket beside the results, RESULTS.desk.
 *
 * The client sends one line, "bgref-desk-1 TAB FLAGS TAB KIND TAB SUBJECT TAB REASON LF"; FLAGS has
 * d (dry run), j (JSON) or -, then the number of the user for whom a host asks, if it does. The
 * referee answers with the line "ok", or the number of an enum bg_status, and then text to the end
 * of the stream. Only the user who runs the referee may connect.
 *
 * A text with a version of its own and no message of proto/inside.proto: a program may have run for
 * a month when a newer bgref asks it, and five fields are written and read in 35 lines.
 */
#ifndef RESULTS_PROOF_DESK_LINE_H
#define RESULTS_PROOF_DESK_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "store/act.h"

enum { DESK_LINE = ACT_KIND + ACT_SUBJECT + ACT_REASON + 32 };

struct desk_wish {
    struct act act; /* kind, subject, reason */
    bool dry_run, json;
    bool has_asker; /* a host asks for this user: the act is signed so */
    unsigned asker;
};

/* Returns false for any other text; the line is cut. */
bool desk_line_read(struct desk_wish *out, char *line);

/* Asks a running referee, and waits at most patience_s seconds. BG_E_BUSY: none is listening.
 * BG_OK: *answer is its text; the caller frees it. Else the referee's refusal. */
enum bg_status desk_ask(char **answer, const char *results, const struct desk_wish *wish,
                        int patience_s, struct bg_error *err);

/* Removes the socket that a killed referee has left; the caller has the results open to write. */
void desk_clear(const char *results);

#endif
