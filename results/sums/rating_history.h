/* rating_history.h - the ratings of an event as they stood at points of it: what its table would
 * have shown then. Pure.
 *
 *     uint8_t *point = memory_zeroed(legs.count, 1);
 *     rating_history_by_date(point, at_s, &legs, date, count)       or the caller fills point
 *     rating_history_of(&history, bots, &legs, point, &rating, &err);
 *     history.rating[k * bots + bot]                         after all legs up to point k
 *     rating_history_deinit(&history);
 */
#ifndef RESULTS_SUMS_RATING_HISTORY_H
#define RESULTS_SUMS_RATING_HISTORY_H

#include "legs.h"
#include "numbers/rating.h"

enum {
    RATING_HISTORY_POINTS = 41, /* from the first leg to the last, at equal distances */
    RATING_HISTORY_BOTS = 64,   /* each point costs as much as a table */
    RATING_HISTORY_WORK = 6000, /* points times encounters; with more only some points are rated */
    RATING_HISTORY_LEAST = 8,   /* rated in any case */
    RATING_HISTORY_SHORT_S = 60 /* an event that took less has nothing to show by date */
};

/* When a leg ended: seconds since 1970, UTC; 0 and beyond year 9999: unknown. Bots as in the
 * legs. */
struct rating_history_date {
    int a, b;
    uint64_t pair;
    int leg;
    int64_t at_s;
};

/* Fills point[legs->count] with the points at which the legs have ended, and at_s with the times of
 * the points. A leg without a date has that of the last one before it between its bots. Sorts
 * `date`. Returns false if a time is unknown, or they differ by less than RATING_HISTORY_SHORT_S.
 */
bool rating_history_by_date(uint8_t *point, int64_t at_s[RATING_HISTORY_POINTS],
                            const struct legs *legs, struct rating_history_date *date,
                            size_t count);

/* Of matches as in struct strength_bot; of money games points per game (struct ppg). NaN: unknown.
 */
struct rating_then {
    double rating, se;
};

struct rating_history {
    int step; /* only each step-th point is rated, counted from the last; others are zeroed */
    uint64_t legs[RATING_HISTORY_POINTS]; /* up to each point */
    struct rating_then *rating;           /* owned; [point * bots + bot] */
};

/* The same of an event that is kept for several pages: computed for the first that needs it. */
struct rating_course {
    bool is_known;
    bool is_dated; /* points are by date: at_s; else by number */
    int64_t at_s[RATING_HISTORY_POINTS];
    struct rating_history history;
};

/* legs: closed; point: of each leg, below RATING_HISTORY_POINTS. options: of the event's own
 * ratings. BG_E_ARGUMENT: they are impossible. */
enum bg_status rating_history_of(struct rating_history *out, int bots, const struct legs *legs,
                                 const uint8_t *point, const struct rating_options *options,
                                 struct bg_error *err);
void rating_history_deinit(struct rating_history *history); /* accepts a zeroed struct */

#endif
