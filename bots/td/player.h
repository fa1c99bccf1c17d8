/* player.h - the chances of a position: exact where the game is over or near its end, else by a
 * net. */
#ifndef BOTS_TD_PLAYER_H
#define BOTS_TD_PLAYER_H

#include "../exact/bearoff.h"
#include "sieve.h"

/* Nets and the game that they were trained for. */
struct player {
    const struct bg_variant *variant;
    struct encoding encoding;
    struct net net;
    struct net race;     /* for positions without contact; without weights: `net` is for them too */
    struct sieve *sieve; /* for `net`; NULL: each play is worth the full net */
    const struct bearoff *bearoff; /* lent; exact, where `race` is for the position; NULL: none */
    int checkers;                  /* of a side */
    bool off_loses;                /* who is off first has lost */
    bool off_saves;                /* who has a checker off loses no gammon */
    int counted; /* where a win counts the loser's checkers: the most of them; else 0 */
    bool names;  /* in self-play it names doubles by its net, not at random */
};

/* Where checkers are counted there are no gammons: NET_GAMMON is the mean of the points won beyond
 * the first, 0 where the game is lost, as a share of the most that are possible; NET_LOSE_GAMMON
 * is the same of the points lost. The other two are 0. */

/* Finds what the player has to know of its game; the nets, the sieve and the table of
 * bear-offs are the caller's to fill and destroy. */
void player_begin(struct player *player, const struct bg_variant *variant);

/* Whether the game has races as backgammon has: its board, its moves, its bearing off. */
bool player_has_races(const struct player *player);

/* Returns whether a position of such a game is a race. */
bool player_is_race(const struct player *player, const struct bg_board *board);

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

/* Sets the chances of a game that ended so, seen by this seat. level: of the win. */
void player_result(float out[NET_OUTPUTS], const struct player *player, int winner, int level,
                   int seat);

/* Returns the points of a money game without a cube. */
float player_equity(const struct player *player, const float chances[NET_OUTPUTS]);

/* Chances after a play of this seat. */
void player_chances(float out[NET_OUTPUTS], const struct player *player,
                    const struct bg_board *board, int seat);

#endif
