/* joiner.h - the author's side: runs a bot as a referee would, and carries its messages to a host.
 *
 * The bot connects to a local socket, as ever, and needs no change. Each start of the bot has a
 * connection to the host of its own. When the line is lost, a bot that keeps nothing in memory goes
 * on by the next line (kept_bot.h); another one is started again, as every bot when the host ends
 * the session, after 0.1 s that double up to 10 s. A Goodbye of the host ends it all; one of an
 * event, at a host with several, ends a start: the bot then waits for the next event.
 */
#ifndef HOST_CMD_JOINER_H
#define HOST_CMD_JOINER_H

#include "bot/competitor.h"
#include "door/host_file.h"
#include "proof/key_pair.h"

struct joiner_setup {
    const struct host_file *host; /* lent, like these */
    const struct join_secret *own;
    const struct competitor *bot;
    int place;    /* 0 and up: the same bot joins several times at once (GATEWAY_AT_ONCE) */
    bool quiet;   /* prints only what ends it */
    bool is_seat; /* a person's: it shows its games itself, and an end of it with status 0 is the
                     end of all */
};

/* Plays until the host says Goodbye, a signal comes, or nothing can be reached by trying again.
 * Returns the exit status; *err says why it is not 0. */
int joiner_run(const struct joiner_setup *setup, struct bg_error *err);

#endif
