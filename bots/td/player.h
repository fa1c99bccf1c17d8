/* player.h - the chances of a position: exact where the game is over, else by the net. */
#ifndef BOTS_TD_PLAYER_H
#define BOTS_TD_PLAYER_H

#include "net.h"

/* A net and the game that it was trained for. */
struct player {
    const struct bg_variant *variant;
    struct encoding encoding;
    struct net net;
    int checkers;   /* of a side */
    bool off_loses; /* who is off first has lost */
};

/* Finds what the player has to know of its game; the net is the caller's to fill. */
void player_begin(struct player *player, const struct bg_variant *variant);

/* A position from which plays of one seat start: their values are found faster than alone, and
 * differ by rounding only. */
struct vantage {
    const struct player *player; /* lent */
    struct encode_base base;
    struct net_near near;
};

void vantage_begin(struct vantage *out, const struct player *player, const struct bg_board *board,
                   int seat);
/* Chances after a play of the vantage's seat. */
void vantage_chances(float out[NET_OUTPUTS], const struct vantage *vantage,
                     const struct bg_board *board);

/* Chances after a play of this seat. */
void player_chances(float out[NET_OUTPUTS], const struct player *player,
                    const struct bg_board *board, int seat);

#endif
