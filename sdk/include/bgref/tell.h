/* tell.h - what happens in a bot's games, for bots that ask to be told: engines that keep a game in
 * memory, engines that learn, consoles, bridges.
 *
 * A bot with info.new_game is announced each game before its first decision; no clock runs until it
 * has returned. A bot with info.told is told every step of its games, of both sides, and their end.
 * Neither is needed to play: every Ask is complete.
 *
 * Everything is given from the told bot's view: "own" is its side, in a board at[0] is own. The
 * steps of a game before a decision are told before its Ask. Both sides are told a roll at the same
 * time, and never before the cube decision that precedes it.
 *
 * To keep a match of match.h in step: begin it at the position of the begin, then pass every step
 * to bg_match_step with seat 0 for own. After a crash or a restart of the referee a game may begin
 * at its present position: then the turn is known with the first step, and a double or an offer to
 * resign may be pending, which the next Ask shows.
 *
 * The library owns these structs and lends them for the call. bg_game_begin and bg_tell may grow at
 * their ends (api.h).
 */
#ifndef BGREF_TELL_H
#define BGREF_TELL_H

#include <bgref/ask.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bg_game_begin {
    char game[BG_GAME_ID]; /* as in the Asks */
    struct bg_rules rules;
    struct bg_board board;
    int cube_log2;
    int cube_owner;   /* 0 own, 1 the opponent's, BG_CENTRED */
    int64_t score[2]; /* own, the opponent's, before this game */
    bool crawford_game, post_crawford;
    bool has_clock;
    int64_t left_ns[2];         /* clock left, own and the opponent's, when has_clock */
    uint64_t bot_seed;          /* as in the Asks */
    char opponent[BG_OPPONENT]; /* its name; "" in events with duplicate pairs */
    int game_number;            /* in its match, from 0 */
};

enum bg_tell_kind {
    BG_TELL_BEGIN,
    BG_TELL_STEP,
    BG_TELL_END,
    BG_TELL_MATCH_END,
    BG_TELL_PAIRED, /* only with info.want_pairings */
    BG_TELL_COUNT
};

struct bg_tell_step {
    enum bg_step_kind kind; /* never BG_STEP_NEXT */
    bool own;               /* own side acted; false for OPEN */
    uint8_t die[4];         /* OPEN: own first (in sum modes die[0..1] own); ROLL */
    int dice;               /* how many of them; 0 for other steps */
    struct bg_play play;    /* PLAY: single moves, in the slots of the side that moved */
    struct bg_board board;  /* PLAY: after it */
    int level;              /* RESIGN, NAME */
    enum bg_fault fault;    /* FAULT */
};

struct bg_tell_end {
    enum bg_end end;
    int level;          /* as in struct bg_result */
    int64_t own_points; /* negative: lost; 0: drawn */
    int64_t score[2];   /* own, the opponent's, after the game */
};

/* The bot has been paired: a match, or a money game, begins soon. */
struct bg_tell_paired {
    char opponent[BG_OPPONENT]; /* its name; "" in events with duplicate pairs */
    char event[256];            /* "" there */
    int length;                 /* of the match in points; 0: a money game */
};

struct bg_tell {
    char game[BG_GAME_ID]; /* PAIRED: "", and number is 0 */
    uint64_t number;       /* counts within the game, from 0; a gap: the process was started anew */
    enum bg_tell_kind kind;
    struct bg_game_begin begin;   /* BEGIN */
    struct bg_tell_step step;     /* STEP */
    struct bg_tell_end end;       /* END */
    int own_won;                  /* MATCH_END: 1 won, 0 lost, -1 drawn */
    struct bg_tell_paired paired; /* PAIRED */
};

#ifdef __cplusplus
}
#endif
#endif
