/* polish.h - a net that has learned learns on, from games without the luck of their dice.
 *
 * In each round the net plays games with itself (lessons.h) and learns their positions several
 * times in random order (fit.h). The games of the next round are played and valued by the better
 * net.
 */
#ifndef BOTS_TD_POLISH_H
#define BOTS_TD_POLISH_H

#include "lessons.h"

/* Teaches the player's net for positions with contact in so many rounds, each with as many games as
 * the plan has, which is that of the first; each ends with weights as a file would have them.
 * BG_E_MEMORY, BG_E_SYSTEM. */
enum bg_status polish_net(struct player *player, const struct lesson_plan *plan, int rounds,
                          struct bg_error *err);

#endif
