/* cube.h - what a position is worth with the cube, after Janowski.
 *
 * A cube is worth something between dead (nobody will turn it again) and fully live (turned at the
 * exact moment): outlook.live of the way. Money and matches differ only in what points are worth.
 */
#ifndef BOTS_BKG_CUBE_H
#define BOTS_BKG_CUBE_H

#include <bgref/ask.h>

#include "evaluate.h"

/* Where the cube is imagined. */
struct cube_at {
    int turns; /* doublings from the cube of the ask */
    int owner; /* 0 own, 1 the other side, BG_CENTRED */
};

/* Returns own's value of the position that has this outlook, in the units of evaluate.h: money in
 * points for each point of the cube in ask, match the chance to win it. */
double cube_value(const struct bg_ask *ask, const struct outlook *outlook, struct cube_at at);

/* The same when `roller` (0 own, 1 the other side) is about to double or to roll: the better of
 * the two for it, with the better reply to a double. */
double cube_turn(const struct bg_ask *ask, const struct outlook *outlook, struct cube_at at,
                 int roller);

/* The same from the value without a double, which is cube_value or a better one. */
double cube_decided(const struct bg_ask *ask, const struct outlook *outlook, struct cube_at at,
                    int roller, double held);

/* Returns own's value when it wins `points` times the cube in ask, negative: loses, in the same
 * unit. */
double cube_points(const struct bg_ask *ask, double points);

/* Returns the highest level of a win that counts while the cube has this owner: with Jacoby's rule
 * 1 while it is in the middle. */
int cube_levels(const struct bg_ask *ask, int owner);

/* Returns whether own, who is about to roll, should double. */
bool cube_doubles(const struct bg_ask *ask, const struct outlook *outlook);

/* Returns the answer to a double or raise. */
enum bg_answer_kind cube_answer(const struct bg_ask *ask, const struct outlook *outlook);

/* The same in two steps, for who has a better value than the outlook's: where the cube is if own
 * accepts, and the answer when that is worth `taken`. */
struct cube_at cube_taken(const struct bg_ask *ask);
enum bg_answer_kind cube_reply(const struct bg_ask *ask, double taken);

/* Returns the level at which to give up a game that is lost beyond doubt, 0: play on. */
int cube_resigns(const struct bg_ask *ask, const struct outlook *outlook);

#endif
