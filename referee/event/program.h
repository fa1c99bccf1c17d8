/* program.h - which program a bot is: a digest over the files its command line names. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "config/config.h"

enum { PROGRAM_DIGEST = 65 };

struct program {
    char digest[PROGRAM_DIGEST];
    int64_t built_s; /* when the newest of its files was written, since 1970; 0 not known */
};

/* digest: hex BLAKE2b-256 over every word of the bot's command that is a readable file (the program
 * itself looked up as the system would), or "-" when none is. */
void program_of(struct program *out, const struct config_bot *bot);

#endif
