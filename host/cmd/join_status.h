/* join_status.h - asks a host once how the bot of a key stands, without playing. */
#ifndef HOST_CMD_JOIN_STATUS_H
#define HOST_CMD_JOIN_STATUS_H

#include <stdbool.h>
#include <stdio.h>

#include "door/host_file.h"
#include "proof/key_pair.h"

/* Prints the answer as a table, or as one JSON object. A connection of the bot is not touched.
 * Returns the exit status; *err says why it is not 0. */
int join_status_print(FILE *out, const struct host_file *host, const struct join_secret *own,
                      bool as_json, struct bg_error *err);

#endif
