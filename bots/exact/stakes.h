/* stakes.h - money equities at one position, with each owner of the cube.
 *
 * For the side on roll, in units of the cube as it stands, with an unlimited cube and without
 * beavers. A roll's values are those after the opponent's turn to be on roll has come: see
 * stake_turn.
 */
#ifndef BOTS_EXACT_STAKES_H
#define BOTS_EXACT_STAKES_H

/* Index of an equity. */
enum stake {
    STAKE_OWN,    /* the side on roll owns the cube */
    STAKE_OTHER,  /* the other side owns it */
    STAKE_MIDDLE, /* centred, gammons count */
    STAKE_JACOBY, /* centred, gammons do not count before a double is taken */
    STAKE_COUNT
};

struct stakes {
    float at[STAKE_COUNT];
};

/* Returns whose cube it is for the other side. */
static inline enum stake stake_turn(enum stake stake)
{
    return stake == STAKE_OWN ? STAKE_OTHER : stake == STAKE_OTHER ? STAKE_OWN : stake;
}

/* Sets *out to the equities before the cube decision, from those of rolling without a double. */
static inline void stakes_decide(struct stakes *out, const struct stakes *rolled)
{
    float taken = 2.0f * rolled->at[STAKE_OTHER];
    float doubled = taken < 1.0f ? taken : 1.0f; /* else the other side passes */

    for (int i = 0; i < STAKE_COUNT; i++) {
        float held = rolled->at[i];

        out->at[i] = i != STAKE_OTHER && doubled > held ? doubled : held;
    }
}

#endif
