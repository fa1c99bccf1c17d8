#include <math.h>
#include <stdlib.h>

#include "contrasts.h"

#include "base/memory.h"
#include "strength.h"
#include "student.h"

static const double LN10 = 2.302585092994045684;

static double beta_of(const struct rating_row *row)
{
    return LN10 * sqrt(row->length_points) / 2000;
}

static double row_matches(const struct rating_row *row)
{
    return row->wins_a + row->wins_b;
}

double strength_effect_at(double p, double effect)
{
    double most = fmax(p, 1 - p);

    return fmax(effect, (2 * most - 1) / most);
}

/* Whether the rating difference of the row's two bots comes only from their direct results. */
static bool is_alone(const struct strength *strength, const struct rating_row *row)
{
    const struct strength_bot *a = &strength->bot[row->a], *b = &strength->bot[row->b];
    int size = 0;

    for (int i = 0; i < strength->bots && size <= 2; i++) {
        size += strength->bot[i].group == a->group;
    }
    return size == 2 && a->group >= 0 && a->group == b->group && a->bar + b->bar > 0;
}

/* The number of matches in these rows that a bot wins on average if it is so many rating points
 * better. */
static double wins_at(const struct rating_row *rows, size_t count, double better)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++) {
        sum += row_matches(&rows[k]) * rating_expected(better, rows[k].length_points);
    }
    return sum;
}

/* The share of matches between two bots whose ratings come from these matches: converts the
 * interval of their rating difference to a share, so that it contains one half exactly when the
 * ratings find neither bot better. */
static void share_of_rating(struct winrate *out, double *df, const struct strength *strength,
                            const struct rating_row *rows, size_t count, int bot)
{
    const struct strength_bot *me = &strength->bot[bot];
    const struct strength_bot *opponent = &strength->bot[rows->a == bot ? rows->b : rows->a];
    double better = me->rating - opponent->rating, slope = 0;

    *df = fmin(me->bar > 0 ? me->df : (double)INFINITY,
               opponent->bar > 0 ? opponent->df : (double)INFINITY);
    for (size_t k = 0; k < count; k++) {
        double p = rating_expected(better, rows[k].length_points);

        slope += row_matches(&rows[k]) * beta_of(&rows[k]) * p * (1 - p);
    }
    out->se = slope * (me->se + opponent->se) / out->matches;
    out->deff = out->se * out->se * out->matches / (out->rate * (1 - out->rate));
    /* if lengths disagree, the share itself can lie outside the interval */
    out->wilson[0] = fmin(out->rate, wins_at(rows, count, me->low - opponent->high) / out->matches);
    out->wilson[1] = fmax(out->rate, wins_at(rows, count, me->high - opponent->low) / out->matches);
}

/* Sums over a bot's rows, for its share of matches. */
struct won {
    double wins, matches, expected, units, known, shared;
    size_t first, rows; /* of several bots: the place of its first row, and how many it has */
    int opponent;       /* the last one */
    bool several;       /* opponents */
};

/* Adds a row as each of its bots sees it; a bot may be NULL. */
static void add_won(struct won *of_a, struct won *of_b, const struct strength *strength,
                    const struct rating_row *row)
{
    const struct strength_bot *a = &strength->bot[row->a], *b = &strength->bot[row->b];
    double n = row_matches(row), p = row->wins_a / n, known = 0, shared = 0;

    if (a->group == b->group) {
        p = rating_expected(a->rating - b->rating, row->length_points);
    }
    if (row->paired && isfinite(strength->df)) {
        double share = contrasts_own_share(rating_row_count(row) - 1);

        shared = (1 - share) * n * p * (1 - p) * strength_effect_at(p, strength->design_effect);
        known = share * rating_row_squares(row, p);
    } else {
        known = n * p * (1 - p);
    }
    for (int side = 0; side < 2; side++) {
        struct won *won = side == 0 ? of_a : of_b;

        if (won != NULL) {
            won->wins += side == 0 ? row->wins_a : row->wins_b;
            won->matches += n;
            won->expected += n * (side == 0 ? p : 1 - p);
            won->units += (row->paired ? rating_row_count(row) : n);
            won->known += known;
            won->shared += shared;
        }
    }
}

static void close_won(struct winrate *out, double *df, const struct won *won,
                      const struct strength *strength)
{
    *df = won->shared > 0 ? strength->df * pow(1 + won->known / won->shared, 2) : INFINITY;
    winrate_of_variance(out, won->wins, won->matches, won->expected, won->known + won->shared,
                        won->units, student_t95(*df));
}

void strength_winrate(struct winrate *out, double *df, const struct strength *strength,
                      const struct rating_row *rows, size_t count, int bot)
{
    struct won won = {0};
    bool two = count > 0 && is_alone(strength, &rows[0]);

    for (size_t k = 0; k < count; k++) {
        const struct rating_row *row = &rows[k];

        if (row_matches(row) > 0 && (row->a == bot || row->b == bot)) {
            two = two && (row->a == rows->a || row->a == rows->b) &&
                  (row->b == rows->a || row->b == rows->b);
            add_won(row->a == bot ? &won : NULL, row->b == bot ? &won : NULL, strength, row);
        }
    }
    close_won(out, df, &won, strength);
    if (two && won.wins > 0 && won.wins < won.matches) {
        share_of_rating(out, df, strength, rows, count, bot);
    }
}

/* Notes the place of a bot's row, and whether all its rows are against one opponent. */
static void place_won(struct won *won, size_t place, int opponent)
{
    won->first = won->rows == 0 ? place : won->first;
    won->several = won->several || (won->rows > 0 && won->opponent != opponent);
    won->opponent = opponent;
    won->rows++;
}

void strength_winrates(struct winrate *out, const struct strength *strength,
                       const struct rating_row *rows, size_t count)
{
    struct won *won = memory_zeroed((size_t)strength->bots, sizeof *won);
    double df = 0;

    for (size_t k = 0; k < count; k++) {
        if (row_matches(&rows[k]) > 0) {
            place_won(&won[rows[k].a], k, rows[k].b);
            place_won(&won[rows[k].b], k, rows[k].a);
            add_won(&won[rows[k].a], &won[rows[k].b], strength, &rows[k]);
        }
    }
    for (int i = 0; i < strength->bots; i++) {
        if (won[i].rows > 0 && !won[i].several) { /* its rating may come from these rows alone */
            strength_winrate(&out[i], &df, strength, rows + won[i].first, won[i].rows, i);
        } else {
            close_won(&out[i], &df, &won[i], strength);
        }
    }
    free(won);
}
