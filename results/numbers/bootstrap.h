/* bootstrap.h - intervals without a variance model: resamples the pairs. Pure, and
 * the same for the same legs.
 *
 * In every encounter m clusters (pairs) become m - 1, drawn with replacement and weighted by
 * m / (m - 1) (Rao and Wu), so that the spread is right for few pairs too. The interval of a figure
 * holds the middle of what it is over all such draws: as much more than 95 % of them as Student's t
 * of the bot's clusters is wider than the normal (Hesterberg). An encounter with one cluster keeps
 * it.
 */
#ifndef RESULTS_NUMBERS_BOOTSTRAP_H
#define RESULTS_NUMBERS_BOOTSTRAP_H

#include "tally/legs.h"
#include "strength.h"

enum {
    BOOTSTRAP_DRAWS = 1000, /* for points a game, unless asked otherwise */
    BOOTSTRAP_MANY = 20000, /* clusters; of more it is drawn how often each kind of them comes,
                             * which is the same in law: equal clusters are one kind */
    BOOTSTRAP_LEAST = 400,  /* where kinds are many, too: BOOTSTRAP_WORK decides */
    BOOTSTRAP_WORK = 20000000,
    BOOTSTRAP_FEWEST = 100, /* that can be asked for: fewer have no middle 95 % */
    BOOTSTRAP_MOST = 100000
};

/* NaN: fewer than STRENGTH_SMALL clusters of the bot, a tenth of them without another one of their
 * encounter, or a rating that does not exist in one draw in twenty. */
struct bootstrap_range {
    double low, high;
};

struct bootstrap {
    int bots, draws;
    struct bootstrap_range *ppg, *rating; /* owned; as in the legs; rating NULL: not asked for */
};

/* What ratings are drawn from: the event's own fit. options: of matches, as the fit had them. */
struct bootstrap_fit {
    const struct strength *strength;
    const struct rating_options *options;
};

/* draws: 0 is BOOTSTRAP_DRAWS, fewer where there are very many clusters. fit: ratings are wanted
 * too, inside the components of this fit, with its weights and its anchor; NULL not. BG_E_MEMORY;
 * BG_E_ARGUMENT as rating_fit. */
enum bg_status bootstrap_of(struct bootstrap *out, int bots, const struct legs *legs, int draws,
                            const struct bootstrap_fit *fit, struct bg_error *err);
/* A number of draws as a person writes it. False: none, or out of range. */
bool bootstrap_read_draws(int *out, const char *text);
void bootstrap_deinit(struct bootstrap *bootstrap); /* also of a zeroed one */

#endif
