/* Wilson's interval and not p +- z se, which has no width at 0 or at all wins and leaves the
 * range near them. */
#include "winrate.h"

#include <math.h>
#include <stdbool.h>

#include "significance.h"

/* Wilson's interval for w wins in n matches at quantile z, clipped to [0, 1]. */
static void wilson(double out[2], double w, double n, double z)
{
    double p = w / n;
    double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);

    out[0] = fmax(0, centre - half);
    out[1] = fmin(1, centre + half);
}

void winrate_of_matches(struct winrate *out, double wins, double matches)
{
    *out = (struct winrate){matches, wins, NAN, NAN, 1, {NAN, NAN}};
    if (matches > 0) {
        out->rate = wins / matches;
        out->se = sqrt(out->rate * (1 - out->rate) / matches);
        wilson(out->wilson, wins, matches, STAT_Z95);
    }
}

void winrate_of_pairs(struct winrate *out, const double pairs[3])
{
    double m = pairs[0] + pairs[1] + pairs[2], n = 2 * m, wins = pairs[1] + 2 * pairs[2];
    double p = wins / n;

    winrate_of_matches(out, wins, n);
    out->se = NAN;
    if (m >= 2 && wins > 0 && wins < n) {
        double variance =
            (pairs[0] * p * p + pairs[1] * (0.5 - p) * (0.5 - p) + pairs[2] * (1 - p) * (1 - p)) /
            (m * (m - 1));

        out->se = sqrt(variance);
        out->deff = fmax(variance / (p * (1 - p) / n), 1 / n);
        /* Pairs with the same dice carry less, or more, than independent matches: the interval
         * is made for as many matches as they are worth. */
        wilson(out->wilson, wins / out->deff, n / out->deff, STAT_Z95);
    }
}

void winrate_of_variance(struct winrate *out, double wins, double matches, double expected,
                         double variance, double units, double t)
{
    double plain = expected * (1 - expected / matches), least = matches / units;
    bool split = wins > 0 && wins < matches;

    *out = (struct winrate){matches, wins, NAN, NAN, 1, {NAN, NAN}};
    if (!(matches > 0)) {
        return;
    }
    out->rate = wins / matches;
    /* a pair counts as one observation at worst, and also if no pair was split */
    out->deff = split && variance > 0 && plain > 0 ? fmin(variance / plain, least) : least;
    out->se = split ? sqrt(out->deff * out->rate * (1 - out->rate) / matches) : NAN;
    wilson(out->wilson, wins / out->deff, matches / out->deff, t);
}

struct winrate_stats winrate_stats_of(const struct winrate_counts *counts, bool paired)
{
    double won = (double)counts->won, lost = (double)counts->lost, drawn = (double)counts->drawn;
    double n = won + lost + drawn, m = 0, mean = 0, squares = 0;
    struct winrate_stats out = {(won + 0.5 * drawn) / n, NAN, NAN};

    if (paired) {
        for (int i = 0; i < 5; i++) {
            m += (double)counts->pairs[i];
            mean += (double)counts->pairs[i] * i / 4;
        }
        mean /= m;
        for (int i = 0; i < 5; i++) {
            squares += (double)counts->pairs[i] * (i / 4.0 - mean) * (i / 4.0 - mean);
        }
    } else {
        m = n;
        squares = won * (1 - out.share) * (1 - out.share) + lost * out.share * out.share +
                  drawn * (0.5 - out.share) * (0.5 - out.share);
    }
    if (m >= 2 && squares > 0) { /* clusters that are all equal show no spread */
        out.se = sqrt(squares / (m - 1) / m);
        out.per_game = sqrt(squares / (m - 1) * (paired ? 2 : 1));
    }
    return out;
}

static double elo_of(double share)
{
    return -400 * log10(1 / share - 1);
}

struct winrate_elo winrate_elo_of(const struct winrate_stats *stats, double played)
{
    const double decade = 800 / log(10), share = stats->share;
    double low = share - STAT_Z95 * stats->se, high = share + STAT_Z95 * stats->se;
    double edge = 0.5 / played; /* half a win less than all */
    struct winrate_elo out = {NAN, NAN,
                              share >= 1   ? 1
                              : share <= 0 ? -1
                                           : 0,
                              NAN, STAT_Z95 * decade / sqrt(played)};

    if (out.side != 0) {
        out.elo = elo_of(out.side > 0 ? 1 - edge : edge);
    } else {
        low = low < edge ? edge : low;
        high = high > 1 - edge ? 1 - edge : high;
        out.elo = elo_of(share);
        out.elo_bar = (elo_of(high) - elo_of(low)) / 2;
    }
    if (stats->per_game > 0) {
        out.nelo = (share - 0.5) / stats->per_game * decade;
    }
    return out;
}

double winrate_los(const struct winrate_stats *stats, double clusters)
{
    double los = stat_los(stats->share - 0.5, stats->se), alike = pow(0.5, clusters);

    if (isnan(los) && clusters > 0) {
        return stats->share > 0.5 ? 1 - alike : stats->share < 0.5 ? alike : 0.5;
    }
    return los;
}
