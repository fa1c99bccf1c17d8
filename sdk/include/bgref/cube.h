/* cube.h - who may double, who may raise, how many points are at stake (rules.md 5.1, 5.2). */
#ifndef BGREF_CUBE_H
#define BGREF_CUBE_H

#include <bgref/match.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns BG_RULE_NONE if seat, on roll, may double now; else the rule that forbids it (C1-C6). */
BG_API enum bg_rule bg_cube_may_double(const struct bg_match *match, int seat);

/* Returns BG_RULE_NONE if the seat that must answer a double or raise may raise it (C7, C5). */
BG_API enum bg_rule bg_cube_may_raise(const struct bg_match *match);

/* Returns the points that a pass would cost while a cube offer is pending, else the cube value. */
BG_API int64_t bg_cube_stake(const struct bg_match *match);

#ifdef __cplusplus
}
#endif
#endif
