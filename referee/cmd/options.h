/* options.h - the command lines of duel and tournament.
 *
 * Every key of the event file is a flag (--turn-cap for turn_cap). For users of chess harnesses
 * there are also single dashes, -engine and -each with key=value words, and the harnesses' names.
 */
#ifndef REFEREE_CMD_OPTIONS_H
#define REFEREE_CMD_OPTIONS_H

#include "config/config.h"
#include "outputs.h"

enum options_command { OPTIONS_DUEL, OPTIONS_TOURNAMENT };

struct options {
    bool quiet;
    struct outputs outputs; /* owned */
    char *command;          /* the typed command, quoted for a shell; owned */
};

/* Reads argv into a complete, checked event: defaults, then the file, then flags. event needs only
 * config_event_deinit afterwards, in every case. Does not return for --help and for words that argp
 * refuses: exit status 0 and 2. BG_E_ARGUMENT, BG_E_CONFIG: the message names the flag or
 * file:line. Prints notes about assumptions on standard error. */
enum bg_status options_read(struct options *out, struct config_event *event,
                            enum options_command command, int argc, char **argv,
                            struct bg_error *err);
void options_deinit(struct options *options);

#endif
