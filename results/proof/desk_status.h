/* desk_status.h - an event as its director sees it: entrants, rounds, open questions.
 *
 * A question has the command that would answer it.
 */
#ifndef RESULTS_PROOF_DESK_STATUS_H
#define RESULTS_PROOF_DESK_STATUS_H

#include <stdio.h>

#include "desk.h"

/* results: the path, for the commands. BG_E_STORE. */
enum bg_status desk_status_write(FILE *out, const struct desk *desk, const char *results, bool json,
                                 struct bg_error *err);

#endif
