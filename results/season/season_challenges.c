/* season_challenges.c - the next meeting of a ladder or a league. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ladder.h"
#include "league.h"
#include "numbers/rating.h"
#include "season_pairing.h"

/* Ratings for pairing stand still for some results: a fit for each pairing would cost the most
 * of a league, and the pairing would depend on whether a game that has just ended was already
 * counted. */
enum { SNAPSHOT_EVERY = 20 };

bool challenge_of_ladder(struct meeting *out, const struct season *season, int stage, int number)
{
    const struct plan_stage *plan = &season->plan.stage[stage];
    const struct season_group *group = &season->stage[stage].group[number];
    struct history history = group_history(group);
    struct ladder_options options = {plan->reach, plan->swap};
    bool found = ladder_next(out, &history, NULL, &options);

    out->line = (int)group->main.count;
    return found;
}

/* ------------------------------------------------------------------ league */

static double length_of(const struct season *season, int stage)
{
    const struct plan_stage *plan = &season->plan.stage[stage];
    int length = plan_length(plan, false, season->length_points);

    return length > 0 ? length : 1;
}

static int compare_results(const void *x, const void *y)
{
    const struct season_meeting *a = *(const struct season_meeting *const *)x;
    const struct season_meeting *b = *(const struct season_meeting *const *)y;

    return (a->result > b->result) - (a->result < b->result);
}

/* The played meetings of a group, in the order of their results. *count: how many. Sorted by the
 * row of the result, since meetings end in another order than they were paired. */
static const struct season_meeting **played(size_t *count, const struct season *season, int stage,
                                            int group)
{
    const struct season_meeting **list = memory_zeroed(season->meetings, sizeof(*list));

    *count = 0;
    for (size_t i = 0; i < season->meetings; i++) {
        const struct season_meeting *seen = &season->match_up[i].seen;

        if (seen->stage == stage && seen->group == group && seen->end == SEASON_PLAYED &&
            !season->match_up[i].is_playoff) {
            list[(*count)++] = seen;
        }
    }
    qsort(list, *count, sizeof(*list), compare_results);
    return list;
}

static bool is_anchor(const struct season *season, int stage, int entrant)
{
    const struct plan_stage *plan = &season->plan.stage[stage];

    for (int i = 0; i < plan->anchors; i++) {
        if (strcmp(plan->anchor[i], season->entry[entrant].seen.name) == 0) {
            return true;
        }
    }
    return false;
}

/* One virtual draw for each entrant keeps every rating finite. The first anchor has RATING_START;
 * without anchors the mean has it. */
enum bg_status league_ratings(double *rating, const struct season *season, int stage, int number,
                              size_t results, struct bg_error *err)
{
    const struct season_group *group = &season->stage[stage].group[number];
    struct rating_options options = {-1, RATING_START, RATING_PRIOR_FIXED, 1};
    struct rating_fit fit = {0};
    size_t count;
    const struct season_meeting **list = played(&count, season, stage, number);
    struct rating_row *rows = memory_zeroed(count, sizeof *rows);
    enum bg_status status = BG_OK;

    count = count < results ? count : results;
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct rating_row){.a = season->entry[list[i]->meeting.a].local[stage],
                                      .b = season->entry[list[i]->meeting.b].local[stage],
                                      .length_points = length_of(season, stage),
                                      .wins_a = list[i]->meeting.score_a,
                                      .wins_b = 1 - list[i]->meeting.score_a};
    }
    for (int i = group->entrants - 1; i >= 0; i--) {
        rating[i] = RATING_START;
        options.anchor = is_anchor(season, stage, group->member[i]) ? i : options.anchor;
    }
    if (count > 0) {
        status = rating_fit(&fit, group->entrants, rows, count, &options, err);
    }
    for (int i = 0; count > 0 && status == BG_OK && i < group->entrants; i++) {
        rating[i] = fit.player[i].matches > 0 ? fit.player[i].rating : RATING_START;
    }
    rating_fit_deinit(&fit);
    free(list);
    free(rows);
    return status;
}

/* The ratings that pairing uses: over all results up to the greatest multiple of SNAPSHOT_EVERY.
 * They are kept in the group until a result more or less changes them. */
static enum bg_status snapshot(const double **out, struct season_group *group,
                               const struct season *season, int stage, int number,
                               struct bg_error *err)
{
    size_t n = (size_t)group->entrants, results = group->results - group->results % SNAPSHOT_EVERY;
    struct snapshot *kept = group->snapshot;
    enum bg_status status;

    if (kept != NULL && kept->results == results && kept->revision == group->revision &&
        kept->entrants == group->entrants) {
        *out = kept->rating;
        return BG_OK;
    }
    free(kept);
    kept = group->snapshot = memory_zeroed(1, sizeof *kept + n * sizeof *kept->rating);
    kept->revision = group->revision;
    kept->entrants = group->entrants;
    kept->results = SIZE_MAX; /* not valid yet */
    status = league_ratings(kept->rating, season, stage, number, results, err);
    if (status == BG_OK) {
        kept->results = results;
    }
    *out = kept->rating;
    return status;
}

enum bg_status challenge_of_league(struct meeting *out, bool *found, const struct season *season,
                                   int stage, int number, struct bg_error *err)
{
    const struct plan_stage *plan = &season->plan.stage[stage];
    struct season_group *group = &season->stage[stage].group[number]; /* only its snapshot is set */
    size_t n = (size_t)group->entrants;
    struct history history = group_history(group);
    struct league_options options = {(size_t)plan->window, length_of(season, stage),
                                     plan->anchor_pairs};
    const char **name = memory_zeroed(n, sizeof(*name));
    bool *anchor = memory_zeroed(n, sizeof *anchor);
    struct league_field field = {name, NULL, anchor, NULL};
    enum bg_status status;

    *found = false;
    for (size_t i = 0; i < n; i++) {
        name[i] = season->entry[group->member[i]].seen.name;
        anchor[i] = is_anchor(season, stage, group->member[i]);
    }
    status = snapshot(&field.rating, group, season, stage, number, err);
    if (status == BG_OK) {
        *found = league_next(out, &history, &field, &options);
        out->line = (int)group->main.count;
    }
    free(name);
    free(anchor);
    return status;
}
