/* ladder.h - a ranking list: a challenger that wins takes the place of the loser. Pure.
 *
 * The challenger is, of all below the first who are free, the one with fewest meetings, then the
 * lowest. It challenges the farthest above it within `reach` places who is free, but not if for
 * either of the two the other was the latest opponent; if it can challenge nobody the next one is
 * tried, and if nobody can, rematches are allowed. Places of those who have left are not counted.
 */
#ifndef RESULTS_FORMS_LADDER_H
#define RESULTS_FORMS_LADDER_H

#include <bgref/error.h>

#include "history.h"

struct ladder_options {
    int reach; /* places above; usually 2 */
    bool swap; /* winner and loser change places; else those between move down by one */
};

/* order[0..entrants - 1], best first: the seeds, moved by the results in the order in which they
 * came. A draw moves nobody. BG_E_MEMORY. */
enum bg_status ladder_order(int *order, const struct history *history,
                            const struct ladder_options *options, struct bg_error *err);

/* The next challenge; a is the challenger. Who is in an open meeting is not free, nor is whom
 * `busy` names, [entrant]; NULL: nobody. *found: false if there is none now. BG_E_MEMORY. */
enum bg_status ladder_next(struct meeting *out, bool *found, const struct history *history,
                           const bool *busy, const struct ladder_options *options,
                           struct bg_error *err);

#endif
