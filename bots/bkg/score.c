#include "score.h"

/* Of the games that a trailer wins after the Crawford game so many are gammons; he doubles at
 * once, so the game is for two points. */
static const double GAMMONS = 0.29;

enum { AFTER_MAX = 20 };

/* Returns the trailer's chance when he needs `away` points and the leader one, the Crawford game
 * past. */
static double after_crawford(double away)
{
    double chance[AFTER_MAX + 1] = {1.0, 0.5};
    int needed = away > AFTER_MAX ? AFTER_MAX : away < 0.0 ? 0 : (int)away;

    for (int i = 2; i <= needed; i++) {
        double gammon = i > 4 ? chance[i - 4] : 1.0;

        chance[i] = 0.5 * ((1.0 - GAMMONS) * chance[i - 2] + GAMMONS * gammon);
    }
    return chance[needed];
}

/* Returns the same when the Crawford game is about to begin: one game without the cube. */
static double at_crawford(double away)
{
    return 0.5 *
           ((1.0 - GAMMONS) * after_crawford(away - 1.0) + GAMMONS * after_crawford(away - 2.0));
}

static double trailer_chance(double away, bool crawford_over)
{
    return crawford_over ? after_crawford(away) : at_crawford(away);
}

double score_chance(const struct score *score)
{
    double lead = score->opponent - score->own;

    if (score->own <= 0.0 || score->opponent <= 0.0) {
        return score->own <= 0.0 ? 1.0 : 0.0;
    }
    if (lead == 0.0) {
        return 0.5;
    }
    if (score->own == 1.0) {
        return 1.0 - trailer_chance(score->opponent, score->crawford_over);
    }
    if (score->opponent == 1.0) {
        return trailer_chance(score->own, score->crawford_over);
    }
    /* Janowski: 85 % of the lead, as a share of what the trailer needs plus six. */
    return 0.5 + 0.85 * lead / ((lead > 0.0 ? score->opponent : score->own) + 6.0);
}
