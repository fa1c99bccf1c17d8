/* match_laws.h - what holds for every match at every moment, for property tests and fuzzing. */
#ifndef SUPPORT_MATCH_LAWS_H
#define SUPPORT_MATCH_LAWS_H

#include <stdbool.h>
#include <stdint.h>

#include <bgref/match.h>

/* Repeatable numbers for tests: the whole state is the seed. */
uint64_t laws_random(uint64_t *state);

/* 0..n-1. */
int laws_below(uint64_t *state, int n);

/* A game with options, any of them. */
const struct bg_variant *laws_variant(uint64_t *state);

/* Rules that bg_rules_check accepts, from numbers of *state: every game and rotation, backgammon
 * most often. */
struct bg_rules laws_rules(uint64_t *state);

/* The first law of a single state that *match breaks, as a sentence; NULL when all hold. */
const char *laws_of_state(const struct bg_match *match);

/* Makes the step and checks the laws of steps besides: an illegal step changes nothing, the same
 * step with the seats exchanged has the same verdict and the mirrored outcome, the quick way of
 * plays equals the slow one. *broken: the verdict. NULL when all laws hold. */
const char *laws_of_step(struct bg_match *match, const struct bg_step *step, enum bg_rule *broken);

#endif
