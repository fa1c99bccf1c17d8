/* event_places.h - the places of a form's standing, as a table of bots wants them: for a running
 * event and for one that is read. */
#ifndef RESULTS_SUMS_EVENT_PLACES_H
#define RESULTS_SUMS_EVENT_PLACES_H

#include <sums/tally.h>

struct season;

/* Fills *out, which the caller frees, with the places of the tally's bots in the standing of the
 * event's form (season_places), 0 none; NULL: there is no season (NULL), or no form. */
enum bg_status event_places(int **out, const struct season *season, const struct tally *tally,
                            struct bg_error *err);

#endif
