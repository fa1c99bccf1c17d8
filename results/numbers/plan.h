/* plan.h - computes how many games a question needs, before they are played.
 *
 * Pure. A half-width or difference of D with a standard deviation s a game needs (z s / D)^2 games:
 * z 1.96 for a 95 % interval of half-width D (a true difference of D is then shown half of the
 * time), 2.80 to show it in 80 % of events.
 */
#ifndef RESULTS_NUMBERS_PLAN_H
#define RESULTS_NUMBERS_PLAN_H

#include <stddef.h>

/* How games are played and counted. The deviations are measured between engines of nearly equal
 * strength, money with the cube, a reference-quality judge; take your own as soon as there are some
 * 200 games. */
struct plan_method {
    const char *name, *words;
    double sd; /* points a game; of pairs: of a pair's mean, times sqrt 2 */
};

enum { PLAN_PLAIN, PLAN_DUPLICATE, PLAN_ADJUSTED, PLAN_BOTH, PLAN_METHODS };

extern const struct plan_method plan_methods[PLAN_METHODS];

/* The quantile of the standard normal distribution, 0 < p < 1. */
double plan_quantile(double p);

/* z of a two-sided interval of this coverage (0..1), and what a power (chance to show a true
 * difference) adds to it: 0 for 0.5. */
double plan_coverage_z(double coverage);
double plan_power_z(double power);

/* Games for a difference of `difference` points a game at this standard deviation, z the sum of
 * both. Not rounded. */
double plan_games(double difference, double sd, double z);

/* The other way round: the difference that this many games show. */
double plan_difference(double games, double sd, double z);

/* Matches with plain dice that tell the win rate of a rating difference from one half: Wilson's
 * interval at the expected rate ends at one half; with power likewise in that share of events. */
double plan_matches(double rating_difference, double length_points, double coverage_z,
                    double power_z);

#endif
