/* desk_request.h - what bgref desk asks of the desk.
 */
#ifndef RESULTS_CMD_DESK_REQUEST_H
#define RESULTS_CMD_DESK_REQUEST_H

#include <stdbool.h>

#include <bgref/error.h>

#include "store/act.h"

struct desk_request {
    const char *results;
    struct act wish; /* kind, subject, reason; kind "": the event as it is */
    bool dry_run, json;
};

/* Takes the act, or has the running referee take it, and prints what it does to standard output.
 * BG_E_ARGUMENT: not allowed now; BG_E_BUSY: another program uses the results; BG_E_MISMATCH: the
 * journal does not follow; BG_E_STORE. */
enum bg_status desk_request_run(const struct desk_request *request, struct bg_error *err);

#endif
