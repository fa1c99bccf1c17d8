/* flags.h - the flags of duel and tournament as argp wants them, made from the table of keys. */
#ifndef REFEREE_CMD_FLAGS_H
#define REFEREE_CMD_FLAGS_H

#include "line.h"

/* Reads line->rest into line: settings, bots' names, flags. For --help and for words that argp
 * refuses it does not return. BG_E_ARGUMENT: a flag that is none, with the nearest one. */
enum bg_status flags_parse(struct line *line, struct bg_error *err);

#endif
