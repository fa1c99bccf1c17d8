#include "summary.h"

#include <math.h>
#include <stdlib.h>

enum bg_status summary_ppg(struct ppg *out, const struct tally *tally, int bot, int foe,
                           struct bg_error *err)
{
    struct tally_sum sum;

    (void)err;
    tally_sum(&sum, tally, bot, foe);
    summary_ppg_of(out, tally, &sum);
    return BG_OK;
}

void summary_ppg_of(struct ppg *out, const struct tally *tally, const struct tally_sum *sum)
{
    struct ppg_sums sums = {.clusters = (double)sum->clusters,
                            .points = (double)sum->points,
                            .games = (double)(sum->seat_games[0] + sum->seat_games[1]),
                            .dd = sum->dd,
                            .dn = sum->dn,
                            .nn = sum->nn};

    ppg_of_sums(out, &sums,
                tally->length_points > 0 /* squares then hold games of unfinished matches too */
                    ? NAN
                    : ppg_sd_of_sums((double)sum->games, (double)sum->points, sum->squares));
}

void summary_winrate(struct winrate *out, const struct tally_sum *sum)
{
    double pairs[3] = {(double)sum->pairs[0], (double)sum->pairs[1], (double)sum->pairs[2]};

    winrate_of_pairs(out, pairs);
    if (sum->halves[0] + sum->halves[1] > 0 || !(out->matches > 0)) {
        struct winrate paired = *out;

        /* single legs beside pairs: all as plain matches, with the pairs' design effect */
        winrate_of_matches(out, (double)sum->legs_won, (double)(sum->legs_won + sum->legs_lost));
        out->deff = paired.deff;
        out->se *= sqrt(paired.deff);
    }
}

static void *array(size_t count, size_t size, enum bg_status *status, struct bg_error *err)
{
    void *out = calloc(count + 1, size);

    if (out == NULL) {
        *status = bg_error_set(err, BG_E_MEMORY, "summary of %zu entries", count);
    }
    return out;
}

/* Who played under half of its fixtures when the event was over. */
static void drop_absent(struct summary *out, const struct summary_options *options)
{
    const struct tally *tally = out->tally;

    if (!options->final || options->planned_legs == 0) {
        return;
    }
    for (int i = 0; i < tally->bots; i++) {
        double planned = (double)options->planned_legs * (tally->bots - 1);

        out->bot[i].dropped = 2 * (double)out->bot[i].sum.legs < planned;
    }
}

static enum bg_status summarise_bots(struct summary *out, const struct summary_options *options,
                                     struct bg_error *err)
{
    const struct tally *tally = out->tally;
    enum bg_status status = BG_OK;

    for (int i = 0; status == BG_OK && i < tally->bots; i++) {
        struct summary_bot *bot = &out->bot[i];

        tally_sum(&bot->sum, tally, i, -1);
        summary_winrate(&bot->winrate, &bot->sum);
        for (int fault = 0; fault < BG_FAULT_COUNT; fault++) {
            bot->faults += (double)tally->bot[i].faults[fault];
        }
        status = summary_ppg(&bot->ppg, tally, i, -1, err);
    }
    drop_absent(out, options);
    return status;
}

/* Calls fn for every encounter with decided legs, from the side with the smaller index. */
static void each_encounter(struct summary *out,
                           void (*fn)(struct summary *out, int a, int b,
                                      const struct tally_sum *sum, void *user),
                           void *user)
{
    for (int a = 0; a < out->tally->bots; a++) {
        for (int b = a + 1; b < out->tally->bots; b++) {
            struct tally_sum sum;

            tally_sum(&sum, out->tally, a, b);
            if (sum.legs > 0) {
                fn(out, a, b, &sum, user);
            }
        }
    }
}

struct standings_work {
    struct standings_encounter *encounter;
    size_t count;
    int *place; /* bot -> number among the ranked */
};

static void add_standing(struct summary *out, int a, int b, const struct tally_sum *sum, void *user)
{
    struct standings_work *work = user;
    double points = (double)sum->points;

    if (!out->bot[a].dropped && !out->bot[b].dropped) {
        work->encounter[work->count++] = (struct standings_encounter){
            .a = work->place[a],
            .b = work->place[b],
            .score_a = out->money ? points : (double)sum->legs_won,
            .score_b = out->money ? -points : (double)sum->legs_lost,
            .difference = points,
        };
    }
}

static enum bg_status rank_bots(struct summary *out, struct bg_error *err)
{
    const struct tally *tally = out->tally;
    size_t bots = (size_t)tally->bots;
    enum bg_status status = BG_OK;
    struct standings_work work = {
        .encounter = array(tally->encounters, sizeof *work.encounter, &status, err),
        .place = array(bots, sizeof *work.place, &status, err),
    };
    int *ranked = array(bots, sizeof *ranked, &status, err);
    uint64_t legs = 0;

    if (status != BG_OK) {
        goto done;
    }
    for (int i = 0; i < tally->bots; i++) {
        if (!out->bot[i].dropped) {
            out->uneven = out->uneven || (out->standings > 0 && out->bot[i].sum.legs != legs);
            legs = out->bot[i].sum.legs;
            work.place[i] = out->standings;
            ranked[out->standings++] = i;
        }
    }
    each_encounter(out, add_standing, &work);
    status = standings_of(out->standing, out->standings, work.encounter, work.count, err);
    for (int i = 0; status == BG_OK && i < out->standings; i++) {
        out->standing[i].player = ranked[out->standing[i].player];
    }
done:
    free(work.encounter);
    free(work.place);
    free(ranked);
    return status;
}

static void add_row(struct summary *out, int a, int b, const struct tally_sum *sum, double length)
{
    double pairs[3] = {(double)sum->pairs[0], (double)sum->pairs[1], (double)sum->pairs[2]};

    if (pairs[0] + pairs[1] + pairs[2] > 0) {
        out->row[out->rows++] = rating_row_pairs(a, b, length, pairs);
    }
    if (sum->halves[0] + sum->halves[1] > 0) {
        out->row[out->rows++] = (struct rating_row){.a = a,
                                                    .b = b,
                                                    .length_points = length,
                                                    .wins_a = (double)sum->halves[1],
                                                    .wins_b = (double)sum->halves[0]};
    }
}

/* Matches of each length by themselves: a longer one says more of the difference. */
static void add_rows(struct summary *out, int a, int b, const struct tally_sum *sum, void *user)
{
    struct tally_sum part;
    int length;

    (void)sum, (void)user;
    for (size_t i = 0; tally_length_sum(&part, &length, out->tally, a, b, i); i++) {
        add_row(out, a, b, &part, length);
    }
}

/* Ratings that cannot be fitted are a remark in the report, not a failure of it. */
static enum bg_status rate_matches(struct summary *out, const struct rating_options *options,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;

    out->row =
        array(2 * (out->tally->encounters + out->tally->parts), sizeof *out->row, &status, err);
    if (status != BG_OK) {
        return status;
    }
    each_encounter(out, add_rows, NULL);
    status = rating_fit(&out->fit, out->tally->bots, out->row, out->rows, options, &out->trouble);
    if (status == BG_E_MISMATCH) {
        return BG_OK;
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", out->trouble.text);
}

struct money_work {
    struct ppg_encounter *encounter;
    size_t count;
    enum bg_status status;
    struct bg_error *err;
};

static void add_money(struct summary *out, int a, int b, const struct tally_sum *sum, void *user)
{
    struct money_work *work = user;
    struct ppg ppg;

    if (work->status == BG_OK) {
        work->status = summary_ppg(&ppg, out->tally, a, b, work->err);
    }
    if (work->status == BG_OK) {
        work->encounter[work->count++] =
            (struct ppg_encounter){a, b, ppg.ppg, ppg.se, (double)sum->games};
    }
}

static enum bg_status rate_money(struct summary *out, struct bg_error *err)
{
    struct money_work work = {.err = err};

    work.encounter = array(out->tally->encounters, sizeof *work.encounter, &work.status, err);
    out->money_rating =
        array((size_t)out->tally->bots, sizeof *out->money_rating, &work.status, err);
    if (work.status == BG_OK) {
        each_encounter(out, add_money, &work);
    }
    if (work.status == BG_OK) {
        work.status = ppg_table_fit(out->money_rating, &out->money_table, out->tally->bots,
                                    work.encounter, work.count, err);
    }
    free(work.encounter);
    return work.status;
}

enum bg_status summary_of(struct summary *out, const struct tally *tally,
                          const struct summary_options *options, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    size_t bots = (size_t)tally->bots;

    *out = (struct summary){.tally = tally, .money = tally->length_points == 0};
    out->bot = array(bots, sizeof *out->bot, &status, err);
    out->standing = array(bots, sizeof *out->standing, &status, err);
    if (status == BG_OK) {
        status = summarise_bots(out, options, err);
    }
    if (status == BG_OK) {
        status = rank_bots(out, err);
    }
    if (status == BG_OK) {
        status = out->money ? rate_money(out, err) : rate_matches(out, &options->rating, err);
    }
    if (status != BG_OK) {
        summary_deinit(out);
    }
    return status;
}

void summary_deinit(struct summary *summary)
{
    free(summary->bot);
    free(summary->standing);
    free(summary->row);
    rating_fit_deinit(&summary->fit);
    free(summary->money_rating);
    *summary = (struct summary){0};
}

int summary_order(int *order, const struct summary *summary)
{
    int count = 0;

    for (int k = 0; k < summary->standings; k++) {
        order[count++] = summary->standing[k].player;
    }
    for (int i = 0; i < summary->tally->bots; i++) {
        if (summary->bot[i].dropped) {
            order[count++] = i;
        }
    }
    return count;
}

enum bg_status summary_los(double *los, const struct summary *summary, int a, int b,
                           struct bg_error *err)
{
    struct ppg ppg = {.los = NAN};
    enum bg_status status = BG_OK;

    if (summary->money) {
        status = summary_ppg(&ppg, summary->tally, a, b, err);
        *los = ppg.los;
    } else {
        *los = summary->fit.players > 0
                   ? summary->fit.los[(size_t)a * (size_t)summary->fit.players + (size_t)b]
                   : NAN;
    }
    return status;
}
