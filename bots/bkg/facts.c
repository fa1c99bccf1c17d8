/* What many terms ask for is counted once for each position: pips, home points, shots of both
 * sides. Shots are most of the work, and are counted only where there is contact. The classes
 * come from three numbers by smooth curves (exp), which cross where the constants at the top
 * say. */
#include "facts.h"

#include <math.h>
#include <string.h>

/* Where the classes cross, and how gently. */
static const double ENGAGED_SCALE = 6.0;                      /* pips: nearly all contact at 20 */
static const double HOME_MIDDLE = 0.75, HOME_SCALE = 0.08;    /* shares of the checkers */
static const double EARLY_MIDDLE = 270.0, EARLY_SCALE = 18.0; /* pips of both sides */
static const double LEAD_SCALE = 12.0;                        /* pips */

static double rises(double value)
{
    return 1.0 / (1.0 + exp(-value));
}

void facts_blend(double phase[PHASE_COUNT], const struct blend *blend)
{
    double contact = 1.0 - exp(-blend->engaged / ENGAGED_SCALE);
    double late = rises((blend->home - HOME_MIDDLE) / HOME_SCALE);
    double early = rises((blend->pips - EARLY_MIDDLE) / EARLY_SCALE);

    phase[PHASE_RACE] = 1.0 - contact;
    phase[PHASE_LATE] = contact * late;
    phase[PHASE_OPENING] = contact * (1.0 - late) * early;
    phase[PHASE_MIDDLE] = contact * (1.0 - late) * (1.0 - early);
}

static void count_side(struct side *side)
{
    const uint8_t *at = side->at;

    side->men = at[BG_OFF];
    for (int slot = 1; slot <= BG_BAR; slot++) {
        side->men += at[slot];
        side->pips += slot * at[slot];
        side->rear = at[slot] > 0 ? slot : side->rear;
        side->back += slot > BG_POINTS - 6 ? at[slot] : 0;
        side->home_points += slot <= 6 && at[slot] >= 2 ? 1 : 0;
    }
}

/* Returns the pips that this side's checkers still have to move to pass the other's rearmost. */
static double engaged(const struct side *own, const struct side *opponent)
{
    double pips = 0.0;

    for (int slot = 1; slot <= BG_BAR; slot++) {
        /* A slot s is the other side's 25 - s. */
        int over = slot + opponent->rear - BG_BAR;

        pips += over > 0 ? over * own->at[slot] : 0;
    }
    return pips;
}

static double share_home(const struct side *own)
{
    int home = own->at[BG_OFF];

    for (int slot = 1; slot <= 6; slot++) {
        home += own->at[slot];
    }
    return own->men > 0 ? (double)home / own->men : 1.0;
}

void facts_find(struct facts *out, const struct bg_board *board, int roller)
{
    struct side *side = out->side;

    memset(out, 0, sizeof *out);
    for (int seat = 0; seat < 2; seat++) {
        side[seat].at = board->at[seat];
        side[seat].rolls = seat == roller;
        count_side(&side[seat]);
    }
    out->blend = (struct blend){
        .engaged = fmin(engaged(&side[0], &side[1]), engaged(&side[1], &side[0])),
        .home = fmax(share_home(&side[0]), share_home(&side[1])),
        .pips = side[0].pips + side[1].pips,
    };
    facts_blend(out->phase, &out->blend);
    for (int seat = 0; seat < 2; seat++) {
        struct side *own = &side[seat], *opponent = &side[1 - seat];

        own->ahead = rises((opponent->pips - own->pips) / LEAD_SCALE);
        own->stays_out = shots_stays_out(own->at);
        if (out->blend.engaged > 0.0) {
            shots_find(&own->shots, opponent->at, own->at);
        }
    }
}
