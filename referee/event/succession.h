/* succession.h - a bot that comes as another version, in an event that takes it as a new entrant
 * (revisions: new_entry).
 *
 * What plays is fixed for a run: who meets whom, and all that is counted by bot. So the run
 * finishes its games and ends, with a wish (successors.h), and the next one of the same process
 * begins with the new entrant. Until then the bot is told nothing and comes again; its own running
 * games are lost, as those of a bot that does not come back: no change of version is a way out of a
 * game.
 */
#ifndef REFEREE_EVENT_SUCCESSION_H
#define REFEREE_EVENT_SUCCESSION_H

#include "preflight.h"
#include "entry_wishes.h"

enum { SUCCESSION_REASON = 200 };

struct succession {
    const struct preflight *preflight; /* lent, like these */
    struct loop *loop;
    struct entry_wishes *wishes; /* NULL: the run has no next one */
    bool is_closed;              /* the run ends anyway */
    bool is_wanted;              /* it has to end for this */
    /* The last refusal, so that a bot that comes again and again costs no reading of results. */
    int refused_bot;
    int64_t refused_ns;
    char refused[SUCCESSION_REASON];
};

/* A bot has come as this version. Returns true if it is a new entrant of the next run; false if the
 * event goes on without it: why is then the reason, "" if new_entry has no part in it. */
bool succession_takes(struct succession *succession, int bot, const char *version,
                      char why[SUCCESSION_REASON]);

/* Before the first game: the same for bots of this machine, with what they say of themselves. */
void succession_look(struct succession *succession);

/* Gives up the lost lines of those that come as another version; sessions report it as failed
 * starts. */
void succession_give_up(const struct succession *succession);

#endif
