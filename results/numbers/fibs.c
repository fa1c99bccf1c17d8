/* The formula of the server, in its order: both changes come from the ratings before the match,
 * and experience counts only afterwards. */
#include "fibs.h"

#include <math.h>

#include "rating.h"

struct fibs_player fibs_newcomer(const struct fibs_options *options)
{
    return (struct fibs_player){options->start, 0};
}

static double factor(const struct fibs_player *player, const struct fibs_options *options)
{
    return fmax(1, options->ramp_top - player->experience / options->ramp_slope);
}

void fibs_match(struct fibs_player *winner, struct fibs_player *loser, double length_points,
                const struct fibs_options *options)
{
    double loser_chance = rating_expected(loser->rating - winner->rating, length_points);
    double change = 4 * sqrt(length_points) * loser_chance;

    winner->rating += factor(winner, options) * change;
    loser->rating -= factor(loser, options) * change;
    winner->experience += length_points;
    loser->experience += length_points;
}
