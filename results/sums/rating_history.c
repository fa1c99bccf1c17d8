/* One pass over the legs: each point has the sums by which it differs from the point before. */
#include "rating_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utc.h"
#include "numbers/strength.h"

/* ------------------------------------------------------------------- by date */

static int by_place(const void *x, const void *y)
{
    const struct rating_history_date *a = x, *b = y;

    if (a->a != b->a || a->b != b->b) {
        return a->a != b->a ? a->a - b->a : a->b - b->b;
    }
    return a->pair != b->pair ? (a->pair > b->pair) - (a->pair < b->pair) : a->leg - b->leg;
}

static struct rating_history_date place_of(const struct leg *leg)
{
    return (struct rating_history_date){leg->a, leg->b, leg->pair, leg->leg, 0};
}

/* The date of a leg is the last one at or before it. *next: the first one behind the leg before;
 * legs come by length first, so that it goes back where another length begins. */
static int64_t date_of(size_t *next, const struct leg *leg, const struct rating_history_date *date,
                       size_t count)
{
    const struct rating_history_date place = place_of(leg), *found;

    while (*next > 0 && by_place(&date[*next - 1], &place) > 0) {
        --*next;
    }
    while (*next < count && by_place(&date[*next], &place) <= 0) {
        ++*next;
    }
    found = *next > 0 ? &date[*next - 1] : NULL;
    return found != NULL && found->a == leg->a && found->b == leg->b ? found->at_s : 0;
}

/* Finds the date of leg i, and returns the end of the legs that have it too. By halves: there may
 * be millions of legs and few dates. */
static size_t dated_end(int64_t *at_s, size_t *next, const struct legs *legs, size_t i,
                        const struct rating_history_date *date, size_t count)
{
    size_t high = legs_encounter_end(legs, i), low = i + 1;

    *at_s = date_of(next, &legs->leg[i], date, count);
    while (*next < count && low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct rating_history_date place = place_of(&legs->leg[middle]);

        if (by_place(&date[*next], &place) <= 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return high;
}

bool rating_history_by_date(uint8_t *point, int64_t at_s[RATING_HISTORY_POINTS],
                            const struct legs *legs, struct rating_history_date *date, size_t count)
{
    const int last = RATING_HISTORY_POINTS - 1;
    int64_t first_s = INT64_MAX, span_s = 0, leg_s;
    size_t next = 0;

    qsort(date, count, sizeof *date, by_place);
    for (size_t i = 0; i < legs->count;) {
        i = dated_end(&leg_s, &next, legs, i, date, count);
        if (leg_s <= 0 || leg_s >= UTC_YEAR_10000) {
            return false;
        }
        first_s = leg_s < first_s ? leg_s : first_s;
        span_s = leg_s > span_s ? leg_s : span_s;
    }
    span_s -= first_s;
    if (legs->count == 0 || span_s < RATING_HISTORY_SHORT_S) {
        return false;
    }
    for (int k = 0; k <= last; k++) {
        at_s[k] = first_s + span_s * k / last;
    }
    next = 0;
    for (size_t i = 0, end; i < legs->count; i = end) {
        int k;

        end = dated_end(&leg_s, &next, legs, i, date, count);
        k = (int)((leg_s - first_s) * last / span_s);
        memset(point + i, at_s[k] < leg_s ? k + 1 : k, end - i);
    }
    return true;
}

/* ------------------------------------------------------------------- ratings */

/* What the legs of one length between two bots add up to; of matches only pairs and single. */
struct history_sums {
    double clusters, legs, points, dd, dn, nn; /* as struct strength_money */
    double pairs[5], single[3];                /* by half wins of a */
};

struct history_work {
    const struct legs *legs;
    struct history_sums *change; /* [point * encounters + encounter] */
    size_t encounters;
    size_t *first; /* [encounter]: its first leg */
    struct rating_row *row;
    struct strength_money *money;
};

/* Counts the legs of a cluster, or with sign -1 takes them away. */
static void count_cluster(struct history_sums *sums, const struct leg *leg, int legs, double sign)
{
    double points = leg[0].points, halves = 2 * (double)leg[0].won, n = legs;

    for (int i = 1; i < legs; i++) {
        points += leg[i].points;
        halves += 2 * (double)leg[i].won;
    }
    sums->clusters += sign;
    sums->legs += sign * n;
    sums->points += sign * points;
    sums->dd += sign * points * points;
    sums->dn += sign * points * n;
    sums->nn += sign * n * n;
    if (legs == 1) {
        sums->single[(int)halves] += sign;
    } else {
        sums->pairs[(int)halves] += sign;
    }
}

static void read_changes(struct history_work *work, const uint8_t *point, uint64_t *legs_at)
{
    const struct legs *legs = work->legs;
    size_t encounter = 0;

    for (size_t i = 0, end, next; i < legs->count; i = end) {
        end = legs_encounter_end(legs, i);
        work->first[encounter] = i;
        for (size_t k = i; k < end; k = next) {
            const struct leg *leg = &legs->leg[k];
            const int many = k + 1 < end && leg[1].pair == leg->pair ? 2 : 1;
            const int later = many == 2 && point[k + 1] > point[k];
            const uint8_t whole = later ? point[k + 1] : point[k];
            struct history_sums *at = &work->change[encounter];

            next = k + (size_t)many;
            legs_at[point[k]]++;
            if (many == 2) {
                const size_t alone = later ? k : k + 1;

                legs_at[point[k + 1]]++;
                if (point[alone] < whole) { /* one leg was over before the other */
                    count_cluster(at + point[alone] * work->encounters, &legs->leg[alone], 1, 1);
                    count_cluster(at + whole * work->encounters, &legs->leg[alone], 1, -1);
                }
            }
            count_cluster(at + whole * work->encounters, leg, many, 1);
        }
        encounter++;
    }
}

static void add_change(struct history_sums *sums, const struct history_sums *change)
{
    sums->clusters += change->clusters;
    sums->legs += change->legs;
    sums->points += change->points;
    sums->dd += change->dd;
    sums->dn += change->dn;
    sums->nn += change->nn;
    for (int i = 0; i < 5; i++) {
        sums->pairs[i] += change->pairs[i];
    }
    for (int i = 0; i < 3; i++) {
        sums->single[i] += change->single[i];
    }
}

/* From the view of the bot with the smaller index, as in the event's own fit: where results are all
 * of one side, its last digits depend on the view. */
static size_t fill_rows(struct rating_row *row, const struct leg *leg,
                        const struct history_sums *sums)
{
    const bool flip = leg->a > leg->b;
    const int a = flip ? leg->b : leg->a, b = flip ? leg->a : leg->b;
    double pairs[5], single[3];
    size_t rows = 0;

    for (int i = 0; i < 5; i++) {
        pairs[i] = sums->pairs[flip ? 4 - i : i];
    }
    for (int i = 0; i < 3; i++) {
        single[i] = sums->single[flip ? 2 - i : i];
    }
    if (pairs[0] + pairs[1] + pairs[2] + pairs[3] + pairs[4] > 0) {
        row[rows++] =
            rating_row_drawn(a, b, leg->length_points, (double[]){pairs[0], pairs[2], pairs[4]},
                             (double[]){pairs[1], pairs[3]});
    }
    if (single[0] + single[1] + single[2] > 0) {
        row[rows++] = (struct rating_row){.a = a,
                                          .b = b,
                                          .length_points = leg->length_points,
                                          .wins_a = single[2] + single[1] / 2,
                                          .wins_b = single[0] + single[1] / 2};
    }
    return rows;
}

/* Points per game of each bot, stratified by opponent as in the event's table. */
static void share_points(struct rating_then *rating, const struct strength *strength,
                         const struct strength_money *money, size_t count)
{
    struct strength_money *mine = memory_zeroed(count, sizeof *mine);
    int *side = memory_zeroed(count, sizeof *side);

    for (int bot = 0; bot < strength->bots; bot++) {
        struct ppg ppg;
        double df;
        size_t met = 0;

        for (size_t i = 0; i < count; i++) {
            if (money[i].a == bot || money[i].b == bot) {
                side[met] = money[i].a == bot ? 1 : -1;
                mine[met++] = money[i];
            }
        }
        strength_ppg(&ppg, &df, strength, mine, side, met);
        rating[bot] = (struct rating_then){ppg.ppg, ppg.se};
    }
    free(mine);
    free(side);
}

/* Fits what has been played by then. Results that no rating explains leave NaN. */
static enum bg_status fit_point(struct rating_then *out, const struct history_work *work, int bots,
                                const struct history_sums *sums,
                                const struct rating_options *options, struct bg_error *err)
{
    const bool is_money = work->legs->leg[0].length_points == 0;
    struct strength strength = {0};
    enum bg_status status;
    size_t rows = 0;

    for (size_t e = 0; e < work->encounters; e++) {
        const struct leg *leg = &work->legs->leg[work->first[e]];
        const struct history_sums *s = &sums[e];

        if (!is_money) {
            rows += fill_rows(&work->row[rows], leg, s);
        } else if (s->clusters > 0) {
            work->money[rows++] = (struct strength_money){leg->a,    leg->b, s->clusters, s->legs,
                                                          s->points, s->dd,  s->dn,       s->nn};
        }
    }
    status = is_money ? strength_spread_of_money(&strength, bots, work->money, rows, err)
                      : strength_of_matches(&strength, bots, work->row, rows, options, err);
    if (status == BG_E_MISMATCH) {
        strength_create(&strength, bots);
        status = BG_OK;
    }
    for (int i = 0; i < bots && status == BG_OK; i++) {
        out[i] = (struct rating_then){strength.bot[i].rating, strength.bot[i].se};
    }
    if (is_money && status == BG_OK) {
        share_points(out, &strength, work->money, rows);
    }
    strength_deinit(&strength);
    return status;
}

static int step_of(size_t encounters)
{
    const size_t most = RATING_HISTORY_WORK / (encounters + 1);
    const size_t points = most > RATING_HISTORY_LEAST ? most : RATING_HISTORY_LEAST;

    return 1 + (int)((RATING_HISTORY_POINTS - 1) / points);
}

static enum bg_status fit_all(struct rating_history *out, const struct history_work *work, int bots,
                              const struct rating_options *options, struct bg_error *err)
{
    struct history_sums *sums = memory_zeroed(work->encounters, sizeof *sums);
    enum bg_status status = BG_OK;
    uint64_t rated = 0; /* legs at the rated point before */

    for (int k = 0; k < RATING_HISTORY_POINTS && status == BG_OK; k++) {
        struct rating_then *rating = &out->rating[k * bots];

        for (size_t e = 0; e < work->encounters && out->legs[k] > 0; e++) {
            add_change(&sums[e], &work->change[(size_t)k * work->encounters + e]);
        }
        out->legs[k] += k > 0 ? out->legs[k - 1] : 0;
        if ((RATING_HISTORY_POINTS - 1 - k) % out->step != 0) {
            continue;
        }
        if (out->legs[k] == rated && k >= out->step) { /* a night: as before */
            memcpy(rating, rating - out->step * bots, (size_t)bots * sizeof *rating);
        } else {
            status = fit_point(rating, work, bots, sums, options, err);
        }
        rated = out->legs[k];
    }
    free(sums);
    return status;
}

enum bg_status rating_history_of(struct rating_history *out, int bots, const struct legs *legs,
                                 const uint8_t *point, const struct rating_options *options,
                                 struct bg_error *err)
{
    struct history_work work = {.legs = legs};
    struct rating_options alone = *options;
    enum bg_status status = BG_OK;

    alone.uncompared = true;
    *out = (struct rating_history){
        .rating = memory_zeroed((size_t)bots * RATING_HISTORY_POINTS, sizeof *out->rating)};
    for (size_t i = 0; i < legs->count; i = legs_encounter_end(legs, i)) {
        work.encounters++;
    }
    out->step = step_of(work.encounters);
    work.change = memory_zeroed(work.encounters * RATING_HISTORY_POINTS, sizeof *work.change);
    work.first = memory_zeroed(work.encounters, sizeof *work.first);
    work.row = memory_zeroed(2 * work.encounters, sizeof *work.row);
    work.money = memory_zeroed(work.encounters, sizeof *work.money);
    read_changes(&work, point, out->legs);
    if (legs->count > 0) {
        status = fit_all(out, &work, bots, &alone, err);
    }
    free(work.change);
    free(work.first);
    free(work.row);
    free(work.money);
    if (status != BG_OK) {
        rating_history_deinit(out);
    }
    return status;
}

void rating_history_deinit(struct rating_history *history)
{
    free(history->rating);
    *history = (struct rating_history){0};
}
