/* flags.h - the flags of duel and tournament for argp, made from the table of keys. */
#ifndef REFEREE_CMD_FLAGS_H
#define REFEREE_CMD_FLAGS_H

#include "line.h"

/* Reads line->rest into line: settings, bots' names, flags. Does not return for --help and for
 * words that argp refuses. BG_E_ARGUMENT: an unknown flag; the message has the nearest one. */
enum bg_status flags_parse(struct line *line, struct bg_error *err);

#endif
