/* choice.h - which plays of a roll are worth the full net: where a game has a sieve, the few that
 * it finds best; else all. */
#ifndef BOTS_TD_CHOICE_H
#define BOTS_TD_CHOICE_H

#include <bgref/play.h>

#include "player.h"

/* What each chance adds to the value of a position, without further use of a cube. */
struct worth {
    float of[NET_OUTPUTS];
};

/* Money without a cube. */
extern const struct worth WORTH_MONEY;

/* Plays of a list by number, ascending. */
struct choice {
    int count;
    uint16_t play[BG_PLAYS_MAX];
};

void choice_all(struct choice *out, const struct bg_play_list *plays);

enum {
    CHOICE_MOST = 12, /* that a sieve leaves */
    CHOICE_FEW = 6,   /* where many positions are worth more than the best play of each */
    CHOICE_LUCK = 4 /* for the luck of rolls, which hangs less on the best play than mistakes do */
};

/* plays: all of a roll, by the vantage's seat from its board. kept: how many a sieve leaves, at
 * most CHOICE_MOST. */
void choice_find(struct choice *out, const struct vantage *vantage,
                 const struct bg_play_list *plays, const struct worth *worth, int kept);

#endif
