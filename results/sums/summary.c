#include "summary.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <base/memory.h>

#include "record/round_robin.h"
#include "numbers/significance.h"

static double drawn_half(const struct tally_sum *sum)
{
    return 0.5 * (double)tally_drawn(sum);
}

/* In a finished event, drops bots that played under half of their fixtures. */
static void drop_absent(struct summary *out, const struct summary_options *options)
{
    const struct tally *tally = out->tally;

    if (!options->final || options->planned_legs == 0) {
        return;
    }
    for (int i = 0; i < tally->bots; i++) {
        out->bot[i].dropped = 2 * out->bot[i].sum.legs <
                              round_robin_of_bot((uint64_t)tally->bots, options->planned_legs);
    }
}

static void count_bots(struct summary *out, const struct summary_options *options)
{
    const struct tally *tally = out->tally;
    struct tally_sum *sum = memory_zeroed((size_t)tally->bots, sizeof *sum);

    tally_sums(sum, tally);
    for (int i = 0; i < tally->bots; i++) {
        struct summary_bot *bot = &out->bot[i];

        bot->sum = sum[i];
        for (int fault = 0; fault < BG_FAULT_COUNT; fault++) {
            bot->faults += (double)tally->bot[i].faults[fault];
        }
    }
    free(sum);
    drop_absent(out, options);
}

struct standings_work {
    struct standings_encounter *encounter;
    double *legs; /* legs of a against b */
    size_t count;
    int *place; /* bot -> number among the ranked */
};

static void add_standing(struct summary *out, int a, int b, const struct tally_sum *sum,
                         struct standings_work *work)
{
    double points = (double)sum->points;

    if (!out->bot[a].dropped && !out->bot[b].dropped) {
        work->legs[work->count] = (double)sum->legs;
        work->encounter[work->count++] = (struct standings_encounter){
            .a = work->place[a],
            .b = work->place[b],
            .score_a = out->money ? points : (double)sum->legs_won + drawn_half(sum),
            .score_b = out->money ? -points : (double)sum->legs_lost + drawn_half(sum),
            .difference = points,
        };
    }
}

static void set_place(struct summary *out, int a, int b, size_t number)
{
    size_t n = (size_t)out->tally->bots;

    out->place[(size_t)a * n + (size_t)b] = (uint32_t)number + 1;
    out->place[(size_t)b * n + (size_t)a] = (uint32_t)number + 1;
}

static void add_row(struct summary *out, int a, int b, const struct tally_sum *sum, double length)
{
    const uint64_t *pairs = sum->pairs, *halves = sum->halves;
    double whole[3] = {(double)pairs[0], (double)pairs[2], (double)pairs[4]};
    double drawn[2] = {(double)pairs[1], (double)pairs[3]};

    if (whole[0] + whole[1] + whole[2] + drawn[0] + drawn[1] > 0) {
        out->row[out->rows++] = rating_row_drawn(a, b, length, whole, drawn);
    }
    /* single legs; a drawn one is half a win for each side */
    if (halves[0] + halves[1] + halves[2] > 0) {
        out->row[out->rows++] =
            (struct rating_row){.a = a,
                                .b = b,
                                .length_points = length,
                                .wins_a = (double)halves[2] + 0.5 * (double)halves[1],
                                .wins_b = (double)halves[0] + 0.5 * (double)halves[1]};
    }
}

/* Adds one row for each match length: longer matches separate bots more. */
static void add_rows(struct summary *out, int a, int b, const struct tally_sum *sum)
{
    struct tally_sum part;
    int length;

    set_place(out, a, b, out->rows);
    if (!out->tally->any_length) {
        add_row(out, a, b, sum, out->tally->length_points);
        return;
    }
    for (size_t i = 0; tally_length_sum(&part, &length, out->tally, a, b, i); i++) {
        add_row(out, a, b, &part, length);
    }
}

static void add_money(struct summary *out, int a, int b, const struct tally_sum *sum)
{
    set_place(out, a, b, out->encounters);
    out->encounter[out->encounters++] =
        (struct strength_money){.a = a,
                                .b = b,
                                .clusters = (double)sum->clusters,
                                .games = (double)(sum->seat_games[0] + sum->seat_games[1]),
                                .points = (double)sum->points,
                                .dd = sum->dd,
                                .dn = sum->dn,
                                .nn = sum->nn};
}

/* Counts an encounter for the standings and for the ratings. */
static void count_encounter(struct summary *out, int a, int b, const struct tally_sum *sum,
                            struct standings_work *work)
{
    add_standing(out, a, b, sum, work);
    if (out->money) {
        add_money(out, a, b, sum);
    } else {
        add_rows(out, a, b, sum);
    }
}

/* Counts every encounter with decided legs, from the view of the bot with the smaller index. */
static void add_encounters(struct summary *out, struct standings_work *work)
{
    for (int a = 0; a < out->tally->bots; a++) {
        for (int b = a + 1; b < out->tally->bots; b++) {
            struct tally_sum sum;
            bool flip = false;

            if (tally_encounter(out->tally, a, b, &flip) != NULL) {
                tally_sum(&sum, out->tally, a, b);
                if (sum.legs > 0) {
                    count_encounter(out, a, b, &sum, work);
                }
            }
        }
    }
}

/* Finds whether the ranked bots have played unequal numbers of legs among themselves. */
static void find_uneven(struct summary *out, const struct standings_work *work)
{
    double *legs = memory_zeroed((size_t)out->standings, sizeof *legs);

    for (size_t k = 0; k < work->count; k++) {
        legs[work->encounter[k].a] += work->legs[k];
        legs[work->encounter[k].b] += work->legs[k];
    }
    for (int i = 1; i < out->standings; i++) {
        out->uneven = out->uneven || legs[i] != legs[0];
    }
    free(legs);
}

/* Ranks by the places in the standing of the event's form; who has none is last. */
static void rank_by_form(struct summary *out, const int *place)
{
    int last = 0;

    out->by_form = true;
    for (int i = 0; i < out->standings; i++) {
        /* Inserted in place, so that bots of one rank keep the order of the usual standing. */
        struct standings_row row = out->standing[i];
        int at = i;

        row.rank = place[row.player] > 0 ? place[row.player] : INT_MAX;
        row.tiebreak = STANDINGS_NONE;
        for (; at > 0 && out->standing[at - 1].rank > row.rank; at--) {
            out->standing[at] = out->standing[at - 1];
        }
        out->standing[at] = row;
        last += row.rank < INT_MAX;
    }
    for (int i = 0; i < out->standings; i++) {
        struct standings_row *row = &out->standing[i];

        row->rank = row->rank < INT_MAX ? row->rank : last + 1;
        row->shared = i > 0 && row[-1].rank == row->rank;
        if (row->shared) {
            row[-1].shared = true;
        }
    }
}

static void rank_bots(struct summary *out, const int *place)
{
    const struct tally *tally = out->tally;
    size_t bots = (size_t)tally->bots;
    struct standings_work work = {
        .encounter = memory_zeroed(tally->encounters, sizeof *work.encounter),
        .legs = memory_zeroed(tally->encounters, sizeof *work.legs),
        .place = memory_zeroed(bots, sizeof *work.place),
    };
    int *ranked = memory_zeroed(bots, sizeof *ranked);

    for (int i = 0; i < tally->bots; i++) {
        if (!out->bot[i].dropped) {
            work.place[i] = out->standings;
            ranked[out->standings++] = i;
        }
    }
    add_encounters(out, &work);
    find_uneven(out, &work);
    if (out->uneven) {
        standings_by_share(out->standing, out->standings, work.encounter, work.legs, work.count);
    } else {
        standings_of(out->standing, out->standings, work.encounter, work.count);
    }
    for (int i = 0; i < out->standings; i++) {
        out->standing[i].player = ranked[out->standing[i].player];
    }
    if (place != NULL) {
        rank_by_form(out, place);
    }
    free(work.encounter);
    free(work.legs);
    free(work.place);
    free(ranked);
}

/* If the ratings cannot be fitted, the report gets a remark and does not fail. */
static enum bg_status rate(struct summary *out, const struct summary_options *options,
                           struct bg_error *err)
{
    int bots = out->tally->bots;
    enum bg_status status = out->money
                                ? strength_of_money(&out->strength, bots, out->encounter,
                                                    out->encounters, &out->trouble)
                                : strength_of_matches(&out->strength, bots, out->row, out->rows,
                                                      &options->rating, &out->trouble);
    /* Results that no rating explains are still a standing. */
    if (status == BG_E_MISMATCH) {
        strength_create(&out->strength, bots);
        return BG_OK;
    }
    if (status == BG_OK && options->decided) {
        strength_allow_stop(&out->strength);
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", out->trouble.text);
}

/* Computes the bots' figures that use the event's spread: in money play points per game, else
 * shares of matches; the other is NaN. */
static void spread_bots(struct summary *out)
{
    struct winrate *rate = memory_zeroed((size_t)out->tally->bots, sizeof *rate);

    strength_winrates(rate, &out->strength, out->row, out->rows);
    for (int i = 0; i < out->tally->bots; i++) {
        struct summary_bot *bot = &out->bot[i];

        bot->winrate = rate[i];
        summary_ppg(&bot->ppg, &bot->ppg_df, out, i, -1);
    }
    free(rate);
}

/* Sorts the points of all games by bot: those of bot i start at begin[i]. */
static void sort_points(double *points, size_t *begin, const struct legs *legs, int bots)
{
    for (size_t i = 0; i < legs->count; i++) {
        begin[legs->leg[i].a + 1]++;
        begin[legs->leg[i].b + 1]++;
    }
    for (int bot = 0; bot < bots; bot++) {
        begin[bot + 1] += begin[bot];
    }
    /* Counted and then placed, without a sort by bot: there can be millions of games. */
    for (size_t i = legs->count; i > 0; i--) {
        const struct leg *leg = &legs->leg[i - 1];

        points[--begin[leg->a + 1]] = leg->points;
        points[--begin[leg->b + 1]] = -leg->points;
    }
    for (int bot = 0; bot < bots; bot++) { /* each part is filled from its end */
        begin[bot] = begin[bot + 1];
    }
    begin[bots] = 2 * legs->count;
}

/* Computes the tails of every bot's points. */
static void find_tails(struct summary *out, const struct legs *legs)
{
    int bots = out->tally->bots;
    double *points = memory_zeroed(2 * legs->count, sizeof *points);
    double *cube = memory_zeroed((size_t)bots, sizeof *cube);
    size_t *begin = memory_zeroed((size_t)bots + 1, sizeof *begin);

    for (size_t i = 0; i < legs->count; i++) {
        const struct leg *leg = &legs->leg[i];

        cube[leg->a] = fmax(cube[leg->a], leg->cube);
        cube[leg->b] = fmax(cube[leg->b], leg->cube);
    }
    sort_points(points, begin, legs, bots);
    for (int i = 0; i < bots; i++) {
        tails_of(&out->bot[i].tails, points + begin[i], begin[i + 1] - begin[i], cube[i]);
    }
    free(points);
    free(cube);
    free(begin);
}

/* Computes what needs the single legs. */
static enum bg_status look_at_legs(struct summary *out, const struct summary_options *options,
                                   struct bg_error *err)
{
    const struct bootstrap_fit fit = {&out->strength, &options->rating};
    bool rated = options->bootstrap > 0 && out->trouble.status == BG_OK;

    out->looked = options->legs != NULL;
    if (options->legs == NULL || (!out->money && !rated)) {
        return BG_OK;
    }
    if (out->money) {
        find_tails(out, options->legs);
    }
    return bootstrap_of(&out->bootstrap, out->tally->bots, options->legs, options->bootstrap,
                        rated ? &fit : NULL, err);
}

enum bg_status summary_of(struct summary *out, const struct tally *tally,
                          const struct summary_options *options, struct bg_error *err)
{
    enum bg_status status;
    size_t bots = (size_t)tally->bots;

    *out = (struct summary){.tally = tally, .money = tally->length_points == 0};
    out->bot = memory_zeroed(bots, sizeof *out->bot);
    out->standing = memory_zeroed(bots, sizeof *out->standing);
    out->row = memory_zeroed(2 * (tally->encounters + tally->parts), sizeof *out->row);
    out->encounter = memory_zeroed(tally->encounters, sizeof *out->encounter);
    out->place = memory_zeroed(bots * bots, sizeof *out->place);
    count_bots(out, options);
    rank_bots(out, options->place);
    status = rate(out, options, err);
    if (status == BG_OK) {
        spread_bots(out);
        status = look_at_legs(out, options, err);
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
    free(summary->encounter);
    free(summary->place);
    strength_deinit(&summary->strength);
    bootstrap_deinit(&summary->bootstrap);
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

double summary_los(const struct summary *summary, int a, int b)
{
    return summary->strength.los[(size_t)a * (size_t)summary->strength.bots + (size_t)b];
}

bool summary_established(const struct summary *summary, int a, int b)
{
    return summary->strength.established[(size_t)a * (size_t)summary->strength.bots + (size_t)b];
}

double summary_bar(double se, double df)
{
    return student_t95(df) * se;
}

/* Returns the number of the first row or encounter of two bots, from 1; 0 none. */
static size_t row_place(const struct summary *summary, int a, int b)
{
    return summary->place[(size_t)a * (size_t)summary->tally->bots + (size_t)b];
}

void summary_ppg(struct ppg *out, double *df, const struct summary *summary, int bot, int opponent)
{
    int first = opponent < 0 ? 0 : opponent;
    int last = opponent < 0 ? summary->tally->bots - 1 : opponent;
    size_t count = 0, room = (size_t)(last - first) + 1;
    struct strength_money *mine;
    int *side;
    struct tally_sum sum;

    if (!summary->money) {
        strength_ppg(out, df, &summary->strength, NULL, NULL, 0);
        return;
    }
    mine = memory_zeroed(room, sizeof *mine);
    side = memory_zeroed(room, sizeof *side);
    for (int other = first; other <= last; other++) {
        size_t place = row_place(summary, bot, other);

        if (place > 0) {
            mine[count] = summary->encounter[place - 1];
            side[count] = mine[count].a == bot ? 1 : -1;
            count++;
        }
    }
    strength_ppg(out, df, &summary->strength, mine, side, count);
    if (opponent < 0) {
        sum = summary->bot[bot].sum;
    } else {
        tally_sum(&sum, summary->tally, bot, opponent);
    }
    out->sd_game = ppg_sd_of_sums((double)sum.games, (double)sum.points, sum.squares);
    out->design_effect = out->clusters >= STRENGTH_SMALL && out->sd_game > 0
                             ? out->se * out->se * out->games / (out->sd_game * out->sd_game)
                             : NAN;
    free(mine);
    free(side);
}

/* Finds the rows of two bots. Each match length has up to two: pairs and single matches. Returns
 * how many. */
static size_t rows_of(const struct rating_row **first, const struct summary *summary, int a, int b)
{
    size_t place = row_place(summary, a, b), count = 0;

    *first = place == 0 ? NULL : &summary->row[place - 1];
    while (place > 0 && place - 1 + count < summary->rows) {
        const struct rating_row *row = *first + count;

        if ((row->a != a || row->b != b) && (row->a != b || row->b != a)) {
            break;
        }
        count++;
    }
    return count;
}

void summary_winrate(struct winrate *out, const struct summary *summary, int bot, int opponent)
{
    const struct rating_row *first = NULL;
    struct rating_row *mine;
    size_t count = 0;
    double df = 0;

    if (summary->money || opponent >= 0) {
        count = summary->money ? 0 : rows_of(&first, summary, bot, opponent);
        strength_winrate(out, &df, &summary->strength, first, count, bot);
        return;
    }
    for (int other = 0; other < summary->tally->bots; other++) {
        count += other == bot ? 0 : rows_of(&first, summary, bot, other);
    }
    mine = memory_zeroed(count, sizeof *mine);
    count = 0;
    for (int other = 0; other < summary->tally->bots; other++) {
        size_t rows = other == bot ? 0 : rows_of(&first, summary, bot, other);

        for (size_t k = 0; k < rows; k++) {
            mine[count++] = first[k];
        }
    }
    strength_winrate(out, &df, &summary->strength, mine, count, bot);
    free(mine);
}

struct summary_options report_summary_options(const struct report_options *options)
{
    return (struct summary_options){.rating = options->rating,
                                    .place = options->place,
                                    .planned_legs = options->planned_legs,
                                    .final = options->final,
                                    .decided = options->decided,
                                    .legs = options->legs,
                                    .bootstrap = options->bootstrap};
}
