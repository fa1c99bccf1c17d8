/* candidates.h - the legal plays of a roll, and which of them a bot that values positions likes
 * best. Pure. */
#ifndef REFEREE_JUDGE_CANDIDATES_H
#define REFEREE_JUDGE_CANDIDATES_H

#include <bgref/evaluate.h>

/* One legal play, for the seat that must play. */
struct candidate {
    struct bg_play play;       /* single moves */
    struct bg_match after;     /* the match after it */
    struct bg_ask_played made; /* what ask.played points to */
    struct bg_ask ask;         /* for the bot's value of it, in of.rolls.played */
    double value;              /* the bot's */
};

struct candidates {
    struct candidate *list; /* owned */
    size_t count;
};

/* Lists the plays of match, which needs a play. */
void candidates_list(struct candidates *out, const struct bg_match *match);
void candidates_deinit(struct candidates *candidates); /* accepts a zeroed struct */

/* Sorts them by value, best first, equal ones by the position reached; keeps the first `most`. */
void candidates_keep(struct candidates *candidates, size_t most);

#endif
