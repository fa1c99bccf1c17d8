/* polish.h - a net that has learned learns on, from games without the luck of their dice.
 *
 * The net plays games with itself. What a position should have been worth is the result of its
 * game, less the luck of every roll after it as the net sees it (each roll against the mean of all
 * 21): on average the same as the result, with a small part of its noise. The net then learns all
 * positions several times in random order, and becomes the mean of what it was in the second half.
 */
#ifndef BOTS_TD_POLISH_H
#define BOTS_TD_POLISH_H

#include "player.h"

/* Teaches the player's net for positions with contact from this many games, which end where races
 * begin. For games where a turn is one roll. All is lent. BG_E_MEMORY. */
enum bg_status polish_net(struct player *player, long games, uint64_t seed, struct bg_error *err);

/* Sets what a position should have been worth, seen by the side that has played it. Seen by the
 * other side, which is next: the mean of its best plays of all rolls, what it found for that of the
 * roll that came, and what that one should have been worth (out may be the same). */
void polish_target(float out[NET_OUTPUTS], const float mean[NET_OUTPUTS],
                   const float found[NET_OUTPUTS], const float target[NET_OUTPUTS]);

#endif
