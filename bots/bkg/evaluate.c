/* Linear in its terms, and not a net, so that each part of a value can be named: docs/bkg.md
 * explains a position by this sum. Berliner's lesson is in the blending: a weight that changes at a
 * border makes a bot play towards the better side of that border, so every weight is a mean over
 * classes whose shares change smoothly.
 *
 * The sum is log-odds. Terms are measured for both sides and subtracted, so a position and its
 * mirror have opposite values without a rule for it. */
#include "evaluate.h"

#include <math.h>

static const double HUNDREDTHS = 0.01;

static double chance(double odds)
{
    return 1.0 / (1.0 + exp(-HUNDREDTHS * odds));
}

/* Returns an amount of a term times its weight, blended from the classes. */
static double blended(double amount, const double worth[PHASE_COUNT],
                      const double phase[PHASE_COUNT])
{
    double sum = 0.0;

    for (int i = 0; i < PHASE_COUNT; i++) {
        sum += amount * phase[i] * worth[i];
    }
    return sum;
}

double evaluate_odds(const struct weights *worth, const struct facts *facts)
{
    const struct side *own = &facts->side[0], *opponent = &facts->side[1];
    double sum = 0.0;

    for (int i = 0; i < TERMS; i++) {
        double amount = terms[i].measure(own, opponent) - terms[i].measure(opponent, own);

        sum += blended(terms[i].sign * amount, worth->win[i], facts->phase);
    }
    return sum;
}

/* Sets the shares of a seat's wins that are gammons, and of these gammons that are backgammons. */
static void find_shares(double *gammon, double *backgammon, const struct weights *worth,
                        const struct facts *facts, int seat)
{
    const struct side *own = &facts->side[seat], *opponent = &facts->side[1 - seat];
    double odds = 0.0, more = 0.0;

    for (int i = 0; i < GAMMON_TERMS; i++) {
        double amount = gammon_terms[i].sign * gammon_terms[i].measure(own, opponent);

        odds += blended(amount, worth->gammon[i], facts->phase);
        more += blended(amount, worth->backgammon[i], facts->phase);
    }
    /* Whoever has a checker off cannot lose a gammon; a backgammon needs one in the winner's
     * home or on the bar. */
    *gammon = opponent->at[BG_OFF] > 0 ? 0.0 : chance(odds);
    *backgammon = opponent->back > 0 ? chance(more) : 0.0;
}

void evaluate(struct outlook *out, const struct weights *worth, const struct bg_board *board,
              int roller)
{
    struct facts facts;

    facts_find(&facts, board, roller);
    out->win = chance(evaluate_odds(worth, &facts));
    find_shares(&out->gammon, &out->backgammon, worth, &facts, 0);
    find_shares(&out->lose_gammon, &out->lose_backgammon, worth, &facts, 1);
    out->gammon *= out->win;
    out->backgammon *= out->gammon;
    out->lose_gammon *= 1.0 - out->win;
    out->lose_backgammon *= out->lose_gammon;
    out->live = OUTLOOK_LIVE;
}
