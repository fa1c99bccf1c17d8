/* season_standing.c - the standing of a group, form by form. Ranks by the rule of each form.
 * Everything is counted from the meetings each time and nothing is kept, because a decision of
 * the desk may change any of them at any time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "knockout.h"
#include "ladder.h"
#include "swiss.h"
#include "season_state.h"

/* The group, and the standing by number in the group until it is sorted. */
struct season_standing_table {
    const struct season *season;
    int stage, number;
    const struct season_group *group;
    const struct plan_stage *plan;
    struct season_place *out;
};

/* ------------------------------------------------------------------ from the meetings */

static void count_side(struct season_place *place, const struct season_meeting *seen, int side)
{
    bool is_a = seen->meeting.a == side;
    double score = is_a ? seen->meeting.score_a : 1 - seen->meeting.score_a;

    if (seen->end == SEASON_BYE) {
        place->byes++;
        return;
    }
    if (seen->end == SEASON_OPEN || seen->end == SEASON_VOID) {
        return;
    }
    if (seen->end == SEASON_PLAYED) { /* a decision has no points, however far the games were */
        place->points += is_a ? seen->points_a - seen->points_b : seen->points_b - seen->points_a;
    }
    if (seen->end == SEASON_WALKOVER) {
        place->walkovers += seen->winner == side;
    } else {
        place->played++;
        place->decided += seen->end == SEASON_ADJUDICATED;
        place->won += score > 0.75;
        place->drawn += score == 0.5;
        place->lost += score < 0.25;
    }
}

/* Fills out[local] with counts. */
static void count_all(const struct season_standing_table *table)
{
    const struct season *season = table->season;

    for (int i = 0; i < table->group->entrants; i++) {
        table->out[i] = (struct season_place){.entrant = table->group->member[i],
                                              .buchholz = NAN,
                                              .sonneborn = NAN,
                                              .rating = NAN,
                                              .tiebreak = ""};
    }
    for (size_t m = 0; m < season->meetings; m++) {
        const struct season_meeting *seen = &season->match_up[m].seen;

        if (seen->stage != table->stage || seen->group != table->number ||
            season->match_up[m].is_playoff) {
            continue;
        }
        count_side(&table->out[season->entry[seen->meeting.a].local[table->stage]], seen,
                   seen->meeting.a);
        if (seen->meeting.b != FORMS_NOBODY) {
            count_side(&table->out[season->entry[seen->meeting.b].local[table->stage]], seen,
                       seen->meeting.b);
        }
    }
    for (int i = 0; i < table->group->entrants; i++) {
        struct season_place *place = &table->out[i];

        place->score = place->won + place->drawn / 2.0 + place->walkovers;
    }
}

/* ------------------------------------------------------------------ by rows of standings.h */

/* Sorts out[] by rows and takes their criteria. Rows come sorted, with the number in the group;
 * table->out is by this number until it is replaced here. */
static void apply_rows(const struct season_standing_table *table, const struct standings_row *rows,
                       bool has_buchholz)
{
    size_t n = (size_t)table->group->entrants;
    struct season_place *sorted = memory_zeroed(n, sizeof *sorted);

    for (size_t i = 0; i < n; i++) {
        const char *name = standings_criterion_name(rows[i].tiebreak);

        sorted[i] = table->out[rows[i].player];
        sorted[i].place = rows[i].rank;
        sorted[i].shared = rows[i].shared;
        sorted[i].score = rows[i].score;
        sorted[i].sonneborn = rows[i].sb;
        sorted[i].buchholz = has_buchholz ? rows[i].buchholz : NAN;
        sorted[i].tiebreak = name == NULL ? "" : name;
    }
    memcpy(table->out, sorted, n * sizeof *sorted);
    free(sorted);
}

/* Rows of a round robin, or of its play-off: walkovers are granted, byes count nothing. */
static void round_robin_rows(struct standings_row *rows, const struct season_standing_table *table,
                             bool is_playoff)
{
    const struct season *season = table->season;
    size_t n = (size_t)table->group->entrants, count = 0;
    struct standings_encounter *met = memory_zeroed(season->meetings, sizeof *met);
    double *granted = memory_zeroed(n, sizeof *granted);

    for (size_t m = 0; m < season->meetings; m++) {
        const struct match_up *match_up = &season->match_up[m];
        const struct season_meeting *seen = &match_up->seen;
        bool is_ours = seen->stage == table->stage && seen->group == table->number &&
                       match_up->is_playoff == is_playoff;

        if (is_ours && (seen->end == SEASON_PLAYED || seen->end == SEASON_ADJUDICATED)) {
            bool has_points = !is_playoff && seen->end == SEASON_PLAYED;
            double net = has_points ? (double)(seen->points_a - seen->points_b) : 0;

            met[count++] = (struct standings_encounter){
                .a = season->entry[seen->meeting.a].local[table->stage],
                .b = season->entry[seen->meeting.b].local[table->stage],
                .score_a = seen->meeting.score_a,
                .score_b = 1 - seen->meeting.score_a,
                .difference = net};
        } else if (is_ours && seen->end == SEASON_WALKOVER && seen->winner >= 0) {
            granted[season->entry[seen->winner].local[table->stage]] += 1;
        }
    }
    standings_in_order(rows, (int)n, met, count, granted, &standings_usual);
    free(met);
    free(granted);
}

static void by_rows(const struct season_standing_table *table)
{
    struct history history = group_history(table->group);
    struct standings_row *rows = memory_zeroed((size_t)table->group->entrants, sizeof *rows);
    bool is_swiss = table->plan->form == PLAN_SWISS;

    if (is_swiss) {
        swiss_standing(rows, &history, table->plan->late);
    } else {
        round_robin_rows(rows, table, false);
    }
    apply_rows(table, rows, is_swiss);
    free(rows);
}

/* ------------------------------------------------------------------ by places */

/* Sorts out[local] by key (smaller is better), then by number in the group; equal keys share. By
 * counting for each how many are better: groups are small, and equal keys keep the order of the
 * seeds, which qsort does not promise. */
static void by_keys(const struct season_standing_table *table, const double *key)
{
    int n = table->group->entrants;
    struct season_place *sorted = memory_zeroed((size_t)n, sizeof *sorted);

    for (int i = 0; i < n; i++) {
        int better = 0, equal = 0, before = 0;

        for (int j = 0; j < n; j++) {
            better += key[j] < key[i];
            equal += key[j] == key[i];
            before += j < i && key[j] == key[i];
        }
        sorted[better + before] = table->out[i];
        sorted[better + before].place = better + 1;
        sorted[better + before].shared = equal > 1;
    }
    memcpy(table->out, sorted, (size_t)n * sizeof *sorted);
    free(sorted);
}

/* Those still in share the first place; the forms give places to the others. */
static void by_bracket(const struct season_standing_table *table)
{
    struct history history = group_history(table->group);
    size_t n = (size_t)history.entrants;
    int *place = memory_zeroed(n, sizeof *place);
    double *key = memory_zeroed(n, sizeof *key);

    if (table->plan->form == PLAN_KNOCKOUT) {
        knockout_next(NULL, place, &history, table->plan->third_place);
    } else {
        double_knockout_next(NULL, place, &history);
    }
    for (size_t i = 0; i < n; i++) {
        key[i] = place[i] == 0 ? 1 : place[i];
    }
    by_keys(table, key);
    free(place);
    free(key);
}

/* The order of the ladder; those that left are behind the others. */
static void by_ladder(const struct season_standing_table *table)
{
    struct history history = group_history(table->group);
    struct ladder_options options = {table->plan->reach, table->plan->swap};
    size_t n = (size_t)history.entrants;
    int *order = memory_zeroed(n, sizeof *order);
    double *key = memory_zeroed(n, sizeof *key);

    ladder_order(order, &history, &options);
    for (size_t i = 0; i < n; i++) {
        bool withdrawn =
            table->season->entry[table->group->member[order[i]]].seen.state == SEASON_WITHDRAWN;

        key[order[i]] = (double)i + (withdrawn ? (double)n : 0);
    }
    by_keys(table, key);
    free(order);
    free(key);
}

/* By joint ratings; entrants without a result are behind the others. */
static enum bg_status by_rating(const struct season_standing_table *table, struct bg_error *err)
{
    size_t n = (size_t)table->group->entrants;
    double *rating = memory_zeroed(n, sizeof *rating), *key = memory_zeroed(n, sizeof *key);
    enum bg_status status =
        league_ratings(rating, table->season, table->stage, table->number, SIZE_MAX, err);

    for (size_t i = 0; i < n; i++) {
        bool is_rated = table->out[i].played > 0;

        table->out[i].rating = is_rated ? rating[i] : NAN;
        key[i] = is_rated ? -rating[i] : INFINITY;
    }
    by_keys(table, key);
    free(rating);
    free(key);
    return status;
}

/* ------------------------------------------------------------------ play-off */

/* Sorts the entrants of the play-off, who are on top, by its results. */
static void by_playoff(const struct season_standing_table *table)
{
    const struct season_group *group = table->group;
    struct standings_row *rows = memory_zeroed((size_t)group->entrants, sizeof *rows);
    struct season_place *sorted = memory_zeroed((size_t)group->entrants, sizeof *sorted);
    int tied = 0;

    round_robin_rows(rows, table, true);
    for (int i = 0; i < group->entrants; i++) {
        for (int k = 0; k < group->entrants && table->out[k].place == 1; k++) {
            if (table->out[k].entrant == group->member[rows[i].player]) {
                sorted[tied] = table->out[k];
                sorted[tied++].place = rows[i].rank;
            }
        }
    }
    for (int i = 0; i < tied; i++) {
        table->out[i] = sorted[i];
        table->out[i].tiebreak =
            sorted[tied - 1].place > 1 ? "playoff" : ""; /* "": all level again */
        table->out[i].shared = (i > 0 && sorted[i - 1].place == sorted[i].place) ||
                               (i + 1 < tied && sorted[i + 1].place == sorted[i].place);
    }
    free(rows);
    free(sorted);
}

enum bg_status season_standing(struct season_place *out, int *count, const struct season *season,
                               int stage, int group, struct bg_error *err)
{
    struct season_standing_table table = {
        .season = season, .stage = stage, .number = group, .out = out};
    enum bg_status status = BG_OK;

    *count = 0;
    if (group >= season->stage[stage].groups) {
        return BG_OK;
    }
    table.group = &season->stage[stage].group[group];
    table.plan = &season->plan.stage[stage];
    count_all(&table);
    switch (table.plan->form) {
    case PLAN_KNOCKOUT:
    case PLAN_DOUBLE:
        by_bracket(&table);
        break;
    case PLAN_LADDER:
        by_ladder(&table);
        break;
    case PLAN_LEAGUE:
        status = by_rating(&table, err);
        break;
    case PLAN_CIRCLE:
    case PLAN_GAUNTLET:
    case PLAN_SWISS:
    case PLAN_FORMS:
        by_rows(&table);
        break;
    }
    if (status == BG_OK && table.group->playoff.count > 0) {
        by_playoff(&table);
    }
    if (status == BG_OK) {
        *count = table.group->entrants;
    }
    return status;
}

/* Gives places after `before` to the entrants of a stage that have none yet; returns how many. */
static enum bg_status place_stage(int *given, int *place, const struct season *season, int stage,
                                  int before, struct bg_error *err)
{
    size_t entrants = (size_t)season_entrants(season);
    struct season_place *row = memory_zeroed(entrants, sizeof *row);
    int *key = memory_zeroed(entrants, sizeof *key); /* place in the group; 0: not of this stage */
    enum bg_status status = BG_OK;
    int count;

    *given = 0;
    for (int group = 0; status == BG_OK && group < season_groups(season, stage); group++) {
        status = season_standing(row, &count, season, stage, group, err);
        for (int i = 0; status == BG_OK && i < count; i++) {
            key[row[i].entrant] = place[row[i].entrant] == 0 ? row[i].place : 0;
        }
    }
    for (int i = 0; status == BG_OK && i < season_entrants(season); i++) {
        int better = 0;

        for (int k = 0; key[i] > 0 && k < season_entrants(season); k++) {
            better += key[k] > 0 && key[k] < key[i];
        }
        *given += key[i] > 0;
        place[i] = key[i] > 0 ? before + better + 1 : place[i];
    }
    free(row);
    free(key);
    return status;
}

enum bg_status season_places(int *place, const struct season *season, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int before = 0, given;

    memset(place, 0, (size_t)season_entrants(season) * sizeof *place);
    /* From the last stage back: who has reached a later one stands before all who have not. */
    for (int stage = season_stage(season); stage >= 0 && status == BG_OK; stage--) {
        status = place_stage(&given, place, season, stage, before, err);
        before += given;
    }
    return status;
}
