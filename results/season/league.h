/* league.h - a continuous league: chooses the next meeting whenever two entrants are free. Pure.
 *
 * First entrant: free and not an anchor; fewest meetings in the window, then fewest ever, then by
 * name. Its opponent has the largest v = p (1 - p) / (1 + m), where p is the chance to win by the
 * ratings and m is the number of their meetings in the window; then fewest meetings ever, then by
 * name. p (1 - p) is the information of a result. Two entrants whose latest meeting was with each
 * other do not meet if another opponent is free. Every fifth of an entrant's first 20 meetings is
 * against an anchor, if one is free. If the first entrant has no opponent, the next one is tried.
 */
#ifndef RESULTS_SEASON_LEAGUE_H
#define RESULTS_SEASON_LEAGUE_H

#include "history.h"

struct league_options {
    size_t window;        /* number of latest meetings that count; usually 200 */
    double length_points; /* of a match */
    bool anchor_pairs;    /* two anchors may meet */
};

/* Lent; [entrant] each. */
struct league_field {
    const char *const *name;
    const double *rating; /* docs/statistics.md, FIBS scale */
    const bool *anchor;   /* NULL: no anchors */
    const bool *busy;     /* not free, in addition to entrants in open meetings; NULL: none */
};

/* Finds the next meeting. Returns false if there is none now. */
bool league_next(struct meeting *out, const struct history *history,
                 const struct league_field *field, const struct league_options *options);

#endif
