/* join_standing.h - how a bot stands at its host, from the host's lines (status_line.h). */
#ifndef HOST_CMD_JOIN_STANDING_H
#define HOST_CMD_JOIN_STANDING_H

#include <stdio.h>

#include "door/status_line.h"

enum { JOIN_STANDING_EVENTS = 8 /* that are printed at once */ };

/* Starts as {0}. */
struct join_standing {
    struct status_host host; /* name "": unknown */
    struct status_event events[JOIN_STANDING_EVENTS];
    int event_count;
};

/* Takes a line; an event replaces what was known of it. A line about the host begins a new answer:
 * events that were not in the last one are forgotten. Returns what kind it was. */
enum status_kind join_standing_take(struct join_standing *standing, const char *line, size_t size);

/* Prints a table. */
void join_standing_print(FILE *out, const struct join_standing *standing, const char *bot);

#endif
