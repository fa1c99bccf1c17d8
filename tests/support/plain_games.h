/* plain_games.h - a second description of the games, independent of the rules under test: the facts
 * that a slow enumeration needs. Written from docs/rules.md; shares nothing with sdk/rules. */
#ifndef SUPPORT_PLAIN_GAMES_H
#define SUPPORT_PLAIN_GAMES_H

#include <stdbool.h>

enum plain_way { PLAIN_CONTRARY, PLAIN_PARALLEL, PLAIN_COMMON, PLAIN_SCRIPTA };

enum plain_contact { PLAIN_HIT, PLAIN_BLOCK, PLAIN_PIN, PLAIN_PILES };

/* How many checkers may leave own 24 in a turn (V4.1). */
enum plain_head {
    PLAIN_HEAD_FREE,
    PLAIN_HEAD_DOUBLES, /* one; two of an untouched head with 33, 44, 66 */
    PLAIN_HEAD_ANY,     /* one; two of an untouched head */
    PLAIN_HEAD_NEED     /* one; two of an untouched head when one cannot play all numbers */
};

enum plain_block { PLAIN_BLOCK_FREE, PLAIN_BLOCK_AHEAD, PLAIN_BLOCK_END, PLAIN_BLOCK_ALL };

/* The six points of which a side may not hold all, or more than four. */
enum plain_quarter {
    PLAIN_QUARTER_FREE,
    PLAIN_QUARTER_OWN,  /* not all of 24..19 */
    PLAIN_QUARTER_BOTH, /* nor all of 12..7 */
    PLAIN_QUARTER_FOUR, /* at most four of 12..7 */
    PLAIN_QUARTER_HOME  /* not all of 6..1 */
};

enum plain_gate { PLAIN_GATE_FREE, PLAIN_GATE_FIRST, PLAIN_GATE_ALWAYS };

enum plain_entering { PLAIN_ENTER_FREE, PLAIN_ENTER_ALL, PLAIN_ENTER_HALF };

enum plain_right { PLAIN_RIGHT_GIVEN, PLAIN_RIGHT_KEPT, PLAIN_RIGHT_PRESENT };

enum plain_duty {
    PLAIN_DUTY_FULL,   /* G6 */
    PLAIN_DUTY_EITHER, /* G6 without its second part */
    PLAIN_DUTY_GO_ON,  /* any play that cannot be continued */
    PLAIN_DUTY_NONE    /* any play */
};

struct plain_game {
    const char *id;
    const char *setup; /* own point:checkers, "" for all in hand */
    enum plain_way way;
    enum plain_contact contact;
    int checkers, points, dice, times; /* times: how often a double is played */
    enum plain_duty duty;
    enum plain_head head;
    enum plain_block block;
    int first; /* the first checker moves alone until it stands here or lower; 0: no such rule */
    enum plain_quarter quarter;
    bool open_prime;   /* a blocked opponent is released if possible */
    bool mother;       /* pinning the last start checker ends games */
    bool bear_pinned;  /* only the pinned checker itself has to wait */
    bool exact;        /* no bearing off with a higher number */
    bool stay_on_hits; /* a point at home with a hit is not left empty */
    bool five;         /* at most five on a point */
    bool handover;     /* stages of one number any number of times: the rest of the opponent's */
    enum plain_gate gate;
    enum plain_entering entering;
    enum plain_right right;
};

/* Finds the game with this id and these options, "ID[:option=value[,...]]"; false if it is
 * unknown. */
bool plain_game_read(struct plain_game *out, const char *text);

/* The opponent's point at own point n; the same formula works in both directions. */
int plain_opponent_point(const struct plain_game *game, int n);

#endif
