/* rule.h - the numbered rules, as the verdict of a check.
 *
 * A verdict is BG_RULE_NONE ("legal") or the rule that is broken. bg_rule_number returns the
 * rule's number in docs/rules.md, bg_rule_text one sentence for people.
 */
#ifndef BGREF_RULE_H
#define BGREF_RULE_H

#include <bgref/api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bg_rule {
    BG_RULE_NONE = 0,
    BG_RULE_SLOT,         /* N1: a slot, number or seat that does not exist */
    BG_RULE_DISTANCE,     /* G1: no number of the roll moves that far */
    BG_RULE_NO_CHECKER,   /* G1: no checker to move there */
    BG_RULE_BLOCKED,      /* G2: the point is closed */
    BG_RULE_BAR_FIRST,    /* G3: a checker on the bar must enter first */
    BG_RULE_BEAR_EARLY,   /* G4: bearing off before all checkers are home */
    BG_RULE_BEAR_HIGHER,  /* G4: a larger number bears off from the highest point only */
    BG_RULE_NUMBER_USED,  /* G5: more moves than the roll has numbers, or a number used too often */
    BG_RULE_MOST,         /* G6.1: more numbers can be played */
    BG_RULE_HIGHER,       /* G6.2: the higher number must be played */
    BG_RULE_RESULT,       /* G6: the position is not a legal result */
    BG_RULE_AMBIGUOUS,    /* N2: a merged move with several legal results */
    BG_RULE_TURN,         /* G7: not this seat's decision, or not this kind of step now */
    BG_RULE_DICE,         /* G8: impossible dice (range, a tie where none can be kept) */
    BG_RULE_DOUBLE_OFF,   /* C1: no cube in this game (cubeless, Crawford, 1-point match) */
    BG_RULE_DOUBLE_OWNER, /* C2: the cube is the opponent's */
    BG_RULE_DOUBLE_FIRST, /* C3: no double on the first turn after an opening roll */
    BG_RULE_DOUBLE_DEAD,  /* C4: the cube is dead for the doubler */
    BG_RULE_DOUBLE_LIMIT, /* C5: the technical limit of the cube value */
    BG_RULE_DOUBLE_HOLLAND, /* C6: Holland rule */
    BG_RULE_BEAVER,         /* C7: beavers, raccoons or further raises are not in use here */
    BG_RULE_RESIGN_LEVEL,   /* R1: a level that this game or this offer does not have */
    BG_RULE_RESIGN_ORDER,   /* R2: an offer must rise, at most three in a turn, not against a double
                             */
    BG_RULE_OVER,           /* M1: the match is over */
    BG_RULE_GAME_OVER,      /* G9: the game has ended inside the stage */
    BG_RULE_PINNED,         /* G2: the checker is pinned */
    BG_RULE_BEAR_PINNED,    /* G4: no bearing off while an own checker is pinned */
    BG_RULE_HEAD,           /* V4.1: too many checkers leave the head */
    BG_RULE_SIX_BLOCK,      /* V4.2: a block of six without a opponent's checker ahead */
    BG_RULE_FIRST_CHECKER,  /* V8.1: only the first checker may move before it has passed */
    BG_RULE_QUARTER,        /* V8.2, V9: all six points of a table */
    BG_RULE_PRIME,          /* V8.3: the prime must be opened */
    BG_RULE_START_TABLE,    /* V9.2: more than four points of the opponent's start table */
    BG_RULE_HIT_RUN,        /* V13.1: the checker that has hit at home may not go on */
    BG_RULE_GATE,           /* V15.1: checkers in hand enter with a double or 21 only */
    BG_RULE_BEAR_EXACT,     /* V15.3: a number bears off from its own point only */
    BG_RULE_ENTER_ALL,      /* V16, V19: checkers in hand come first */
    BG_RULE_POINT_FULL,     /* V17.1: five checkers on a point at most */
    BG_RULE_HIT_RIGHT,      /* V21.1: no right to hit yet */
    BG_RULE_STACKED,        /* V23.2: lower the stacks first, each number on its own point */
    BG_RULE_COUNT
};

/* "G6.1"; "-" for BG_RULE_NONE. Static; never NULL. */
BG_API const char *bg_rule_number(enum bg_rule rule);

/* One sentence without full stop ("more numbers can be played"). Static; never NULL. */
BG_API const char *bg_rule_text(enum bg_rule rule);

#ifdef __cplusplus
}
#endif
#endif
