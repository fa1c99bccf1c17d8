/* solve.h - every position of hypergammon, solved by repeated sweeps.
 *
 * A position's values follow from those after each roll's best play. Without hits the pips of both
 * sides fall, so one sweep in the order of pips solves all races; hits lead back, and each further
 * sweep carries values over one more hit. Sweeps end when no value has changed by more than asked.
 */
#ifndef BOTS_EXACT_SOLVE_H
#define BOTS_EXACT_SOLVE_H

#include <bgref/error.h>

#include "hyper.h"
#include "stakes.h"

/* What is known of a position, for the side on roll before it doubles or rolls. Each value is that
 * of the best play for just this value. */
enum goal {
    GOAL_OWN = STAKE_OWN, /* money with the cube: stakes.h */
    GOAL_OTHER = STAKE_OTHER,
    GOAL_MIDDLE = STAKE_MIDDLE,
    GOAL_JACOBY = STAKE_JACOBY,
    GOAL_CUBELESS, /* points without a cube; gammons 2, backgammons 3 */
    GOAL_WIN,      /* +1 won, -1 lost */
    GOAL_GAMMON,   /* +1 won gammon, 0 won a single game, -1 lost */
    GOAL_SAVE,     /* +1 won, 0 lost a single game, -1 lost a gammon */
    GOAL_COUNT
};

/* Returns the other side's goal in which it values every outcome as the opposite. */
enum goal goal_turn(enum goal goal);

struct values {
    float at[GOAL_COUNT];
};

/* Sets *out to the values before the cube decision, from those of rolling without a double. out may
 * be rolled. */
void values_decide(struct values *out, const struct values *rolled);

/* Values of all positions. */
struct solution {
    int checkers, ways;
    struct values *values; /* [other * ways + on roll]; 0 where no such position can be */
    int sweeps;
    float change; /* the largest change of the last sweep */
};

static inline const struct values *solution_at(const struct solution *solution, int own, int other)
{
    return &solution->values[(size_t)other * (size_t)solution->ways + (size_t)own];
}

enum { SOLVE_THREADS_MAX = 16 };

struct solve_settings {
    float least;    /* solved when no value changes by this or more in a sweep */
    int sweeps_max; /* an error if it is not solved then */
    int threads;    /* 1..SOLVE_THREADS_MAX; the values do not depend on it, bit by
                       bit */
    void (*told)(void *user, int sweep, float change); /* after each sweep; may be NULL */
    void *user;
};

/* Solves the game. BG_E_MEMORY; BG_E_ARGUMENT: not solved after sweeps_max
 * sweeps. */
enum bg_status solve(struct solution *out, const struct hyper *hyper,
                     const struct solve_settings *settings, struct bg_error *err);

void solution_deinit(struct solution *solution);

#endif
