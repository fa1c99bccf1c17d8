#include "ppg.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "graph.h"
#include "linear.h"
#include "significance.h"

/* Largest remainder of sums of values that cancel exactly. */
static const double RESIDUE = 1e-12;

/* Returns the sum of (D_c - n_c ppg)^2, with the difference computed as (D_c N - n_c S) / N. For
 * whole points that is exact, so pairs that cancel give exactly 0. */
static double residual_squares(const struct ppg *out, const double *points, const double *games,
                               size_t count)
{
    double sum = 0;

    for (size_t c = 0; c < count; c++) {
        double residual = (points[c] * out->games - games[c] * out->points) / out->games;

        sum += residual * residual;
    }
    return sum;
}

double ppg_sd_of_games(const double *points, size_t games)
{
    double sum = 0, mean = 0, squares = 0;

    for (size_t i = 0; i < games; i++) {
        sum += points[i];
    }
    mean = games > 0 ? sum / (double)games : 0; /* exact if all games have the same whole points */
    for (size_t i = 0; i < games; i++) {
        squares += (points[i] - mean) * (points[i] - mean);
    }
    return games < 2 ? NAN : sqrt(squares / (double)(games - 1));
}

double ppg_sd_of_sums(double games, double sum, double square_sum)
{
    return games < 2 ? NAN : sqrt(fmax(0, square_sum - sum * sum / games) / (games - 1));
}

/* Computes the fields that follow from the counts and the squared residuals. */
static void finish_ppg(struct ppg *out, double residual_squares, double sd_game)
{
    out->se = sqrt(out->clusters / (out->clusters - 1) * residual_squares) / out->games;
    /* set the rounding remainder of cancelling fractions to 0 */
    if (fabs(out->ppg) < RESIDUE) {
        out->ppg = 0;
    }
    if (out->se < RESIDUE) {
        out->se = 0;
    }
    out->ci[0] = out->ppg - STAT_Z95 * out->se;
    out->ci[1] = out->ppg + STAT_Z95 * out->se;
    out->los = stat_los(out->ppg, out->se);
    out->sd_game = sd_game;
    if (out->sd_game > RESIDUE) {
        out->design_effect = out->se * out->se * out->games / (out->sd_game * out->sd_game);
    }
}

static const struct ppg NOTHING = {0, 0, 0, NAN, NAN, {NAN, NAN}, NAN, NAN, NAN};

void ppg_of(struct ppg *out, const double *points, const double *games, size_t count,
            double sd_game)
{
    *out = NOTHING;
    for (size_t c = 0; c < count; c++) {
        if (games[c] > 0) {
            out->clusters++;
            out->games += games[c];
            out->points += points[c];
        }
    }
    if (out->clusters > 0) {
        out->ppg = out->points / out->games;
    }
    if (out->clusters > 1) {
        finish_ppg(out, residual_squares(out, points, games, count), sd_game);
    }
}

/* Copies the encounters with a defined result and checks them; the caller frees *edges. */
static enum bg_status usable(struct ppg_encounter *kept, size_t *kept_count,
                             const struct ppg_encounter *encounters, size_t count,
                             struct bg_error *err)
{
    *kept_count = 0;
    for (size_t k = 0; k < count; k++) {
        struct ppg_encounter e = encounters[k];

        if (isnan(e.ppg) || isnan(e.se)) {
            continue;
        }
        if (e.games > 0) {
            e.se = fmax(e.se, 1 / e.games);
        }
        if (!(e.se > 0) || !isfinite(e.se) || !isfinite(e.ppg) || e.a == e.b) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "encounter %zu: needs two engines and a standard error above 0, "
                                "not %g",
                                k, e.se);
        }
        kept[(*kept_count)++] = e;
    }
    return BG_OK;
}

/* A fit in progress. */
struct ppg_fit {
    struct ppg_rating *players; /* [count], the caller's array */
    int count;
    int *place, *size; /* owned; each engine's number inside its group; members of each group */
    struct ppg_encounter *encounter; /* owned; the encounters with a defined result */
    size_t encounters;
};

/* Fits one group. */
static enum bg_status fit_group(const struct ppg_fit *fit, int group, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct ppg_rating *players = fit->players;
    const int *place = fit->place;
    int size = fit->size[group];
    size_t cells = (size_t)size * (size_t)size;
    double *matrix = memory_zeroed(cells, sizeof *matrix);
    double *target = memory_zeroed((size_t)size, sizeof *target);

    for (size_t k = 0; k < fit->encounters; k++) {
        const struct ppg_encounter *e = &fit->encounter[k];
        double weight = 1 / (e->se * e->se);

        if (players[e->a].group == group) {
            laplacian_add(matrix, size, place[e->a], place[e->b], weight);
            target[place[e->a]] += weight * e->ppg;
            target[place[e->b]] -= weight * e->ppg;
        }
    }
    if (!laplacian_pinv(matrix, size)) {
        status = bg_error_set(err, BG_E_MISMATCH, "money ratings: standard errors too unlike");
        goto done;
    }
    for (int i = 0; i < fit->count; i++) {
        const double *row = matrix + (size_t)place[i] * (size_t)size;

        if (players[i].group == group) {
            players[i].rating = 0;
            for (int j = 0; j < size; j++) {
                players[i].rating += row[j] * target[j];
            }
            players[i].se = sqrt(fmax(0, row[place[i]]));
        }
    }
done:
    free(matrix);
    free(target);
    return status;
}

/* Finds the groups and each engine's number inside its group. */
static void group_players(int *groups, struct ppg_fit *fit)
{
    struct graph_edge *edges = memory_zeroed(fit->encounters, sizeof *edges);
    int *group = memory_zeroed((size_t)fit->count, sizeof *group);

    for (size_t k = 0; k < fit->encounters; k++) {
        edges[k] = (struct graph_edge){fit->encounter[k].a, fit->encounter[k].b};
    }
    *groups = graph_groups(group, fit->count, edges, fit->encounters);
    for (int i = 0; i < fit->count; i++) {
        fit->players[i] = (struct ppg_rating){NAN, NAN, group[i]};
        fit->place[i] = group[i] < 0 ? 0 : fit->size[group[i]]++;
    }
    free(edges);
    free(group);
}

enum bg_status ppg_table_fit(struct ppg_rating *players, struct ppg_table *table, int count,
                             const struct ppg_encounter *encounters, size_t encounter_count,
                             struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct ppg_fit fit = {.players = players,
                          .count = count,
                          .place = memory_zeroed((size_t)count, sizeof *fit.place),
                          .size = memory_zeroed((size_t)count, sizeof *fit.size),
                          .encounter = memory_zeroed(encounter_count, sizeof *fit.encounter)};

    *table = (struct ppg_table){0};
    status = usable(fit.encounter, &fit.encounters, encounters, encounter_count, err);
    if (status == BG_OK) {
        group_players(&table->groups, &fit);
    }
    table->dof = (double)fit.encounters;
    for (int g = 0; status == BG_OK && g < table->groups; g++) {
        table->dof -= fit.size[g] - 1;
        status = fit_group(&fit, g, err);
    }
    for (size_t k = 0; status == BG_OK && k < fit.encounters; k++) {
        const struct ppg_encounter *e = &fit.encounter[k];
        double miss = (e->ppg - players[e->a].rating + players[e->b].rating) / e->se;

        table->chi2 += miss * miss;
    }
    free(fit.encounter);
    free(fit.place);
    free(fit.size);
    return status;
}

/* ------------------------------------------------------------------ heavy tails */

/* Sorts by counting if all points are whole and close together. Returns false if they are not. */
static bool sort_whole(double *points, size_t count)
{
    /* Nearly all games have whole points below it, and counting sorts millions of them in one
     * pass. */
    enum { HALF = 2048, PLACES = 2 * HALF };
    size_t seen[PLACES] = {0}, at = 0;

    for (size_t i = 0; i < count; i++) {
        double place = points[i] + HALF;

        if (!(place >= 0 && place < PLACES) || place != floor(place)) {
            return false;
        }
        seen[(int)place]++;
    }
    for (int place = 0; place < PLACES; place++) {
        for (size_t k = 0; k < seen[place]; k++) {
            points[at++] = place - HALF;
        }
    }
    return true;
}

void tails_of(struct tails *out, double *points, size_t count, double cube)
{
    double mean = 0, squares = 0, low, high;

    *out = (struct tails){.games = (double)count, .share = NAN, .median = NAN};
    if (count == 0) {
        return;
    }
    if (!sort_whole(points, count)) {
        qsort(points, count, sizeof *points, draw_by_size);
    }
    for (size_t i = 0; i < count; i++) {
        mean += points[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        squares += (points[i] - mean) * (points[i] - mean);
    }
    low = points[0];
    high = points[count - 1];
    out->cube = cube;
    out->median = 0.5 * (points[(count - 1) / 2] + points[count / 2]);
    out->largest = high - mean >= mean - low ? high : low;
    if (squares > 0) {
        out->share = (out->largest - mean) * (out->largest - mean) / squares;
    }
    out->heavy = cube > TAILS_CUBE || (count >= TAILS_GAMES && out->share >= TAILS_SHARE);
}
