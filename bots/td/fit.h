/* fit.h - a net learns from many lessons at once, several times over.
 *
 * Steps by the mean of 64 lessons, each weight's own step by how much its slope varies (Kingma and
 * Ba, "Adam", 2015): weights of inputs that are seldom there, such as those of back games, learn as
 * fast as others.
 */
#ifndef BOTS_TD_FIT_H
#define BOTS_TD_FIT_H

#include "lessons.h"

/* Moves the player's net for positions with contact towards the targets; each lesson is learned
 * this many times. The order becomes another, by the seed. BG_E_MEMORY. */
enum bg_status fit_net(struct player *player, struct lessons *lessons, int times, uint64_t seed,
                       struct bg_error *err);

#endif
