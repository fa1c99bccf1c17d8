#include "winrate.h"

#include <math.h>
#include <stdbool.h>

#include "ppg.h"

/* Wilson's interval of w wins in n matches at quantile z, clipped to [0, 1]. */
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
        wilson(out->wilson, wins / out->deff, n / out->deff, STAT_Z95);
    }
}

void winrate_of_spread(struct winrate *out, double wins, double matches, double expected,
                       double variance, double units, double t)
{
    double plain = expected * (1 - expected / matches), least = matches / units;
    bool split = wins > 0 && wins < matches;

    *out = (struct winrate){matches, wins, NAN, NAN, 1, {NAN, NAN}};
    if (!(matches > 0)) {
        return;
    }
    out->rate = wins / matches;
    /* a pair counts as one observation at the worst, and where none was split */
    out->deff = split && variance > 0 && plain > 0 ? fmin(variance / plain, least) : least;
    out->se = split ? sqrt(out->deff * out->rate * (1 - out->rate) / matches) : NAN;
    wilson(out->wilson, wins / out->deff, matches / out->deff, t);
}
