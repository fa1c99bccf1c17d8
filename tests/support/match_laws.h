/* match_laws.h - laws that hold for every match at any time, for property tests and fuzzing. */
#ifndef SUPPORT_MATCH_LAWS_H
#define SUPPORT_MATCH_LAWS_H

#include <stdbool.h>
#include <stdint.h>

#include <bgref/match.h>

/* Reproducible random numbers for tests: the complete state is the seed. */
uint64_t laws_random(uint64_t *state);

/* 0..n-1. */
int laws_below(uint64_t *state, int n);

/* A random game with options. */
const struct bg_variant *laws_variant(uint64_t *state);

/* Rules that bg_rules_check accepts, from random numbers of *state: every game and rotation,
 * backgammon most often. */
struct bg_rules laws_rules(uint64_t *state);

/* The first law for single states that *match breaks, as a sentence; NULL if all hold. */
const char *laws_of_state(const struct bg_match *match);

/* Makes the step and also checks the laws for steps: an illegal step changes nothing; the same step
 * with the seats exchanged has the same verdict and the mirrored outcome; the fast and the slow way
 * to judge plays agree. *broken: the verdict. Returns NULL if all laws hold. */
const char *laws_of_step(struct bg_match *match, const struct bg_step *step, enum bg_rule *broken);

#endif
