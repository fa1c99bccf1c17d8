/* stake.h - which rules a careless play could break in a position. Pure. */
#ifndef REFEREE_CHECK_STAKE_H
#define REFEREE_CHECK_STAKE_H

#include <bgref/match.h>

/* Sets broken[rule] for every rule that some plain mistake breaks where match->need is a play:
 * moving a checker by a number that may not, stopping too early, doing nothing. Returns what it
 * cost: plays listed times mistakes tried. */
uint64_t stake_find(bool broken[BG_RULE_COUNT], const struct bg_match *match);

#endif
