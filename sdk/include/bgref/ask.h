/* ask.h - one decision: the question to a bot and its answer.
 *
 * An Ask is complete: a bot can play without keeping anything between Asks. Everything is given
 * from the asked seat's view: in ask.board, at[0] is the asked seat ("own") and at[1] the opponent.
 *
 * The library owns every Ask and lends it. struct bg_ask and struct bg_ask_played may grow at their
 * ends (api.h); struct bg_ask_result is fixed, because it is lent as an array. A copy of an Ask
 * (`struct bg_ask mine = *ask;`) holds the members that these headers know. Every function accepts
 * it instead of the original. Memory that it points to is still only lent.
 */
#ifndef BGREF_ASK_H
#define BGREF_ASK_H

#include <bgref/match.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BG_GAME_ID = 192, /* bytes with the terminator: two names of 64, numbers, separators */
    BG_OPPONENT = 65, /* bytes with the terminator of a bot's name */
};

enum bg_decision {
    BG_DECIDE_NONE = 0,
    BG_DECIDE_DOUBLE,      /* double or roll */
    BG_DECIDE_TAKE,        /* take, pass, or beaver when ask.may_raise */
    BG_DECIDE_RAISE,       /* the opponent raised our double or raise: take, pass, or raise on */
    BG_DECIDE_PLAY,        /* play ask.stage; there is at least one legal play */
    BG_DECIDE_KEEP,        /* keep the opening numbers or roll again */
    BG_DECIDE_NAME,        /* name a double 1..6 */
    BG_DECIDE_RESIGNATION, /* accept or refuse the opponent's offer at ask.resign_level */
    BG_DECIDE_DICE, /* say which ask.dice dice lie on the board; only with info.enters_dice */
    BG_DECIDE_COUNT,
    /* Not decisions of a game: positions to value, for bots with info.evaluates (evaluate.h). */
    BG_VALUE_POSITION = 64, /* own is about to turn the cube or roll: chances and equity */
    BG_VALUE_ROLLS, /* own is about to roll, the cube stays: best play of each of 21 rolls */
    BG_VALUE_CUBE,  /* own may double: the value of each action */
    BG_VALUE_THROWS /* as ROLLS, in games with three dice: of each of 56 throws */
};

/* One legal result, when the Ask lists them. */
struct bg_ask_result {
    struct bg_board board; /* own is seat 0 */
    struct bg_play play;   /* single moves that reach it */
};

/* The play that was made in the game; the bot also has to value it (evaluate.h). May grow at its
 * end. */
struct bg_ask_played {
    struct bg_roll roll;
    struct bg_board board; /* after it; own is seat 0 */
};

/* May grow at its end. */
struct bg_ask {
    uint64_t decision;     /* number of this decision, for the Answer; never used twice */
    char game[BG_GAME_ID]; /* stable id of the game */
    enum bg_decision kind;
    struct bg_rules rules; /* in force */
    struct bg_board board; /* at[0] own, at[1] the opponent's, each from its own side */
    struct bg_stage stage; /* numbers to play (PLAY), kept or not (KEEP); else parts 0 */
    int seat;              /* always 0; the bot does not learn its seat in the match */
    int cube_log2;         /* cube value 1 << cube_log2, before a pending double */
    int cube_owner;        /* 0 own, 1 the opponent's, BG_CENTRED */
    int64_t score[2];      /* own, the opponent's, before this game */
    bool crawford_game, post_crawford;
    bool may_raise;    /* TAKE, RAISE: a beaver or further raise is possible */
    int raise;         /* RAISE: raises so far: 1 beaver, 2 raccoon, ... */
    int resign_level;  /* RESIGNATION: offered level */
    int refused_level; /* highest own offer refused in this turn, 0 none */
    int turn;          /* turns completed in this game, both sides */
    bool has_clock;
    int64_t left_ns[2];                  /* clock left, own and the opponent's, when has_clock */
    int64_t ceiling_ns;                  /* time limit of this decision, also without a clock */
    char opponent[BG_OPPONENT];          /* its name; "" in events with duplicate pairs */
    uint64_t bot_seed;                   /* for bots that need random numbers but repeatable play */
    uint32_t result_count;               /* legal results, when the bot asked for them; else 0 */
    const struct bg_ask_result *results; /* result_count of them, sorted; NULL when not sent.
                                            Lent until the next bg_bot_next */
    const struct bg_ask_played *played;  /* BG_VALUE_ROLLS, THROWS: value this play too; else NULL.
                                            Lent  until the next bg_bot_next */
    int64_t increment_ns[2];             /* added to left_ns after each completed turn, own and the
                                            opponent's; 0 without clock */
    int64_t delay_ns[2];                 /* of each turn, used before left_ns; 0 without clock */
    int dice;                            /* DICE: how many dice are asked for, 1..4; else 0 */
    bool own_dice;      /* DICE: own roll, or own dice of the opening; false: the opponent's */
    bool opening_dice;  /* DICE: of the opening */
    uint8_t entered[4]; /* DICE: what the other operator said last, high first; 0: nothing yet */
    int disagreements;  /* DICE: how often the two have disagreed on this roll */
};

enum bg_answer_kind {
    BG_ANSWER_NONE = 0,
    BG_ANSWER_ROLL,
    BG_ANSWER_DOUBLE,
    BG_ANSWER_TAKE, /* also: accept a raise */
    BG_ANSWER_PASS,
    BG_ANSWER_RAISE, /* beaver, raccoon, ... */
    BG_ANSWER_KEEP,
    BG_ANSWER_REROLL,
    BG_ANSWER_ACCEPT, /* a resignation */
    BG_ANSWER_REFUSE,
    BG_ANSWER_NAME,   /* value: 1..6 */
    BG_ANSWER_RESIGN, /* value: level 1..3 (acey-deucey 1..15) instead of the decision */
    BG_ANSWER_INDEX,  /* value: index into the Ask's results */
    BG_ANSWER_MOVES,  /* play */
    BG_ANSWER_RESULT, /* result */
    BG_ANSWER_DICE,   /* value: the dice as digits, high first: 63 is a 6 and a 3 */
    BG_ANSWER_COUNT
};

/* An answer as a value, for programs that keep answers; no function of the library takes one. */
struct bg_answer {
    uint64_t decision;
    enum bg_answer_kind kind;
    uint32_t value;
    struct bg_play play;
    struct bg_board result; /* own is seat 0 */
};

/* Returns whether this kind of answer fits this kind of decision. It may still be illegal: a raise
 * fits every TAKE, but is legal only when ask.may_raise. False for BG_VALUE_... and for unknown
 * kinds. */
BG_API bool bg_answer_fits(enum bg_decision decision, enum bg_answer_kind answer);

/* Lists the fitting answers, for people: "action ROLL or DOUBLE, or resign". Static; never NULL. */
BG_API const char *bg_decision_answers(enum bg_decision decision);

/* bg_decision_name returns the protocol's name ("DOUBLE", "RESIGNATION"; "NONE" for an unknown
 * kind), bg_answer_name a short word ("roll", "moves"; "nothing"). Static; never NULL. */
BG_API const char *bg_decision_name(enum bg_decision decision);
BG_API const char *bg_answer_name(enum bg_answer_kind answer);

#ifdef __cplusplus
}
#endif
#endif
