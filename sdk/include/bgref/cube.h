/* cube.h - who may double, who may raise, what is at stake (rules.md 5.1, 5.2). */
#ifndef BGREF_CUBE_H
#define BGREF_CUBE_H

#include <bgref/match.h>

#ifdef __cplusplus
extern "C" {
#endif

/* BG_RULE_NONE when seat, on roll, may double now; else the rule against it (C1-C6). */
BG_API enum bg_rule bg_cube_may_double(const struct bg_match *match, int seat);

/* BG_RULE_NONE when the seat that owes an answer to a double or raise may raise it (C7, C5). */
BG_API enum bg_rule bg_cube_may_raise(const struct bg_match *match);

/* What a pass would pay while an answer to a cube offer is owed, else the cube value. */
BG_API int64_t bg_cube_stake(const struct bg_match *match);

#ifdef __cplusplus
}
#endif
#endif
