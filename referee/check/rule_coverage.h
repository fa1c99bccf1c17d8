/* rule_coverage.h - which rules a careless play could break in a position. Pure. */
#ifndef REFEREE_CHECK_RULE_COVERAGE_H
#define REFEREE_CHECK_RULE_COVERAGE_H

#include <bgref/match.h>

/* Sets broken[rule] for every rule that a simple mistake breaks, if match->need is a play: a
 * move by a number that is not allowed, stopping too early, or no move. Returns the cost of the
 * search: plays listed times mistakes tried. */
uint64_t rule_coverage_find(bool broken[BG_RULE_COUNT], const struct bg_match *match);

#endif
