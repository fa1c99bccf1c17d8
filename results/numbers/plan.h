/* plan.h - computes how many games a question needs, before they are played.
 *
 * Pure. With a standard deviation s per game, a half-width or difference D needs (z s / D)^2 games.
 * z = 1.96 gives a 95 % interval of half-width D (an event then detects a true difference of D half
 * of the time); z = 2.80 detects it in 80 % of events.
 */
#ifndef RESULTS_NUMBERS_PLAN_H
#define RESULTS_NUMBERS_PLAN_H

#include <stddef.h>

/* How games are played and counted. The deviations were measured between engines of nearly equal
 * strength, for money games with the cube, with a judge of reference quality. Use your own
 * deviations as soon as you have some 200 games. */
struct plan_method {
    const char *name, *words;
    double sd; /* points per game; for pairs: of a pair's mean, times sqrt 2 */
};

enum { PLAN_PLAIN, PLAN_DUPLICATE, PLAN_ADJUSTED, PLAN_BOTH, PLAN_METHODS };

extern const struct plan_method plan_methods[PLAN_METHODS];

/* The quantile of the standard normal distribution, 0 < p < 1. */
double plan_quantile(double p);

/* plan_coverage_z: z of a two-sided interval with this coverage (0..1). plan_power_z: what to add
 * to z for this power (probability to detect a true difference); 0 for 0.5. */
double plan_coverage_z(double coverage);
double plan_power_z(double power);

/* Games needed for a difference of `difference` points per game at this standard deviation; z is
 * the sum of both z values. Not rounded. */
double plan_games(double difference, double sd, double z);

/* The inverse: the difference that this many games can detect. */
double plan_difference(double games, double sd, double z);

/* Matches with plain dice needed to distinguish the win rate of a rating difference from one half:
 * Wilson's interval at the expected rate ends at one half. With power, the same in that share of
 * events. */
double plan_matches(double rating_difference, double length_points, double coverage_z,
                    double power_z);

#endif
