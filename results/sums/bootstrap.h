/* bootstrap.h - intervals without a variance model: resamples the pairs. Pure; the same legs give
 * the same intervals.
 *
 * In every encounter, m - 1 of the m clusters (pairs) are drawn with replacement and weighted by m
 * / (m - 1) (Rao and Wu), so that the spread is right for few pairs too. A figure's interval is the
 * middle range of its values over all draws. It holds a little more than 95 % of them: as much as
 * Student's t for the bot's clusters is wider than the normal distribution (Hesterberg). An
 * encounter with one cluster is not resampled.
 */
#ifndef RESULTS_SUMS_BOOTSTRAP_H
#define RESULTS_SUMS_BOOTSTRAP_H

#include "sums/legs.h"
#include "numbers/strength.h"

enum {
    BOOTSTRAP_DRAWS = 1000, /* default for points a game */
    BOOTSTRAP_MANY = 20000, /* clusters; with more, the program draws how often each kind comes
                               (equal clusters are one kind), which has the same distribution */
    BOOTSTRAP_LEAST = 400,  /* smallest default, even where kinds are many; see BOOTSTRAP_WORK */
    BOOTSTRAP_WORK = 20000000,
    BOOTSTRAP_FEWEST = 100, /* smallest number a user can request: fewer have no middle 95 % */
    BOOTSTRAP_MOST = 100000
};

/* NaN if the bot has fewer than STRENGTH_SMALL clusters, if a tenth of them are alone in their
 * encounter, or if one draw in twenty has no rating. */
struct bootstrap_range {
    double low, high;
};

struct bootstrap {
    int bots, draws;
    struct bootstrap_range *ppg,
        *rating; /* owned; index as in the legs; rating is NULL if unused */
};

/* The event's own fit, which ratings are drawn from. options: for matches, as in the fit. */
struct bootstrap_fit {
    const struct strength *strength;
    const struct rating_options *options;
};

/* draws: 0 means BOOTSTRAP_DRAWS; fewer are made for very many clusters. fit: also resamples the
 * ratings, inside this fit's components and with its weights and anchor; NULL: no ratings.
 * BG_E_ARGUMENT as rating_fit. */
enum bg_status bootstrap_of(struct bootstrap *out, int bots, const struct legs *legs, int draws,
                            const struct bootstrap_fit *fit, struct bg_error *err);
void bootstrap_deinit(struct bootstrap *bootstrap); /* accepts a zeroed struct */

#endif
