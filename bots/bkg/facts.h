/* facts.h - what is counted once on a board, for all terms. */
#ifndef BOTS_BKG_FACTS_H
#define BOTS_BKG_FACTS_H

#include <bgref/board.h>

#include "shots.h"

/* Berliner's application coefficients: how much a position belongs to each class of positions.
 * Each is 0..1, together they are 1, and all are smooth functions of counts: a position between two
 * classes is valued partly by both, so that no play wins by crossing a border. */
enum facts_phase {
    PHASE_RACE,    /* the sides have passed each other, or nearly */
    PHASE_LATE,    /* contact, while a side comes home or bears off */
    PHASE_OPENING, /* contact, most of the way still ahead */
    PHASE_MIDDLE,  /* contact, in between */
    PHASE_COUNT
};

/* The counts from which the coefficients are blended. */
struct blend {
    double engaged; /* pips that checkers of both sides still have to go to pass each other */
    double home;    /* 0..1: checkers that are home or off, of the side that has more of them */
    double pips;    /* of both sides */
};

/* Sets the coefficients. */
void facts_blend(double phase[PHASE_COUNT], const struct blend *blend);

/* One side's counts. Slots are its own: 24 is farthest from home, 25 the bar. */
struct side {
    const uint8_t *at;
    bool rolls;         /* this side is about to roll */
    int men;            /* all its checkers, including those off */
    int pips;           /* to bear off all */
    int rear;           /* highest slot with a checker, the bar included; 0: all are off */
    int back;           /* checkers in the other side's home board or on the bar */
    int home_points;    /* points 1..6 held by two or more checkers */
    double stays_out;   /* chance that an opposing checker on the bar does not enter, 0..1 */
    struct shots shots; /* of the other side against this side's blots */
    double ahead;       /* 0..1: how much it leads the race; 0.5 when even. The sides' sum is 1 */
};

struct facts {
    struct side side[2]; /* by seat */
    struct blend blend;
    double phase[PHASE_COUNT];
};

/* Counts board, which *out refers to afterwards; roller: the seat that is about to roll. */
void facts_find(struct facts *out, const struct bg_board *board, int roller);

#endif
