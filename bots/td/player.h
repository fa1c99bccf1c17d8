/* player.h - the chances of a position: exact where the game is over or near its end, else by a
 * net. */
#ifndef BOTS_TD_PLAYER_H
#define BOTS_TD_PLAYER_H

#include "sieve.h"

/* Nets and the game that they were trained for. */
struct player {
    const struct bg_variant *variant;
    struct encoding encoding;
    struct net net;
    struct net race;     /* for positions without contact; without weights: `net` is for them too */
    struct sieve *sieve; /* for `net`; NULL: each play is worth the full net */
    int checkers;        /* of a side */
    bool off_loses;      /* who is off first has lost */
    bool off_saves;      /* who has a checker off loses no gammon */
};

/* Finds what the player has to know of its game; the nets and the sieve are the caller's to fill
 * and destroy. */
void player_begin(struct player *player, const struct bg_variant *variant);

/* Whether the game has races as backgammon has: its board, its moves, its bearing off. */
bool player_has_races(const struct player *player);

/* Returns the net for a position after a play, for learning; NULL: its chances are exact, though
 * the game goes on. */
struct net *player_net(struct player *player, const struct bg_board *board);

/* Returns whether positions with this board are for the net with the sieve. */
bool player_sifts(const struct player *player, const struct bg_board *board);

/* A position from which plays of one seat start: their values are found faster than alone, and
 * differ by rounding only. */
struct vantage {
    const struct player *player; /* lent */
    const struct net *net;       /* the player's for this position */
    struct encode_base base;
    struct net_near near;
    bool sifts; /* plays can be sifted: */
    struct sieve_near coarse;
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
