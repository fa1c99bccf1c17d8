/* lessons.h - positions and what they should have been worth, from games of a net with itself.
 *
 * The worth of a position is what came later in its game, less the luck of every roll: each roll is
 * worth what its best play is more than the mean over all rolls, as the net sees it. On average the
 * target is what it would be without taking luck away, with a small part of its noise. What came
 * later counts by LESSON_LAMBDA for each turn farther; so far as it does not, the net's own value
 * takes its place.
 */
#ifndef BOTS_TD_LESSONS_H
#define BOTS_TD_LESSONS_H

#include "player.h"

struct lesson {
    struct bg_board board; /* after a play */
    int seat;              /* who has played */
    float target[NET_OUTPUTS];
};

struct lessons {
    struct lesson *at; /* owned */
    size_t count, room;
};

/* Games number `first` to first + games - 1, each with dice and choices by the seed and its number.
 */
struct lesson_plan {
    long first, games;
    uint64_t seed;
    int workers; /* processes that share the games, 1 to LESSON_WORKERS_MAX; they do not change what
                    is learned */
};

enum { LESSON_WORKERS_MAX = 64 };

/* Plays the games of a plan, which end where races begin, and adds the positions for the player's
 * net to the lessons in the order of the games. For games where a turn is one roll and that have a
 * net for races. The caller frees lessons->at, also after a failure. BG_E_MEMORY; BG_E_SYSTEM: a
 * worker cannot do its part.
 */
enum bg_status lessons_play(struct lessons *lessons, struct player *player,
                            const struct lesson_plan *plan, struct bg_error *err);

/* Sets what a position should have been worth, seen by the side that has played it. Seen by the
 * other side, which is next: the mean of its best plays of all rolls, what was found for the play
 * of the roll that came, and what that one should have been worth (out may be the same). */
void lesson_target(float out[NET_OUTPUTS], const float mean[NET_OUTPUTS],
                   const float found[NET_OUTPUTS], const float target[NET_OUTPUTS]);

#endif
