/* match.h - the match machine: one pure step function for play, record, replay and verify.
 *
 *     struct bg_match match;
 *     bg_match_begin(&match, &rules);
 *     while (bg_match_need(&match).kind != BG_NEED_NOTHING) {
 *         struct bg_step step = ...whatever is needed...;
 *         enum bg_rule broken = bg_match_step(&match, &step);
 *     }
 *
 * The machine reads no clock and draws no dice: dice and late answers come in as steps.
 *
 * The structs here are plain values in the caller's memory. struct bg_rules, bg_match and bg_start
 * keep their size and grow into their member `reserved`; all others are fixed (api.h). So set them
 * up with bg_rules_default, bg_match_begin and `= {0}` or named members, which leave it 0.
 */
#ifndef BGREF_MATCH_H
#define BGREF_MATCH_H

#include <bgref/board.h>
#include <bgref/error.h>
#include <bgref/play.h>
#include <bgref/rule.h>
#include <bgref/variant.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BG_CUBE_LOG2_MAX = 40,
    BG_CENTRED = -1,
    BG_TURN_CAP = 2000,
    BG_DRAWN_GAMES = 10, /* after so many drawn games in a row the match ends as drawn (M2) */
    BG_OFFERS_MAX = 3,
    BG_PASSES_MAX =
        3 /* most stages without a choice after one step: of the turn and of handed-over numbers */
};

/* The rules in force for one match or one money game. Plain value. */
struct bg_rules {
    const struct bg_variant *variant; /* the present game */
    int length_points;                /* 0: money (every game counts alone); else 1..10000 */
    enum bg_opening opening;
    bool cube;           /* false: cubeless, gammons count */
    bool jacoby;         /* money: gammons count only after a taken double; no effect cubeless */
    bool beavers;        /* money */
    int raises;          /* money, needs beavers: further raises after the beaver; 0 none,
                            1 raccoon, ...; -1 unlimited */
    int auto_doubles;    /* money: maximum of automatic doubles per game, 0 none */
    bool crawford;       /* match; a drawn Crawford game is repeated as Crawford game */
    bool holland;        /* match, needs crawford */
    bool forfeit_single; /* a fault costs one times the stake in any position */
    bool fault_match;    /* a fault costs the whole match */
    int turn_cap;        /* turns per side after which a game is drawn and marked; 0: none */
    enum bg_next next;   /* who begins the next game of a match */
    const struct bg_rotation *rotation; /* games in turn, in a match without cube; the machine sets
                            variant. NULL: always the same game */
    int cube_limit;       /* largest value of the cube, a power of 2; 0: only BG_CUBE_LOG2_MAX */
    bool flag_match;      /* BG_FAULT_LATE costs the whole match; other faults: see fault_match */
    uint64_t reserved[8]; /* 0 */
};

/* The defaults: money with jacoby, no beavers when length_points is 0; crawford in a match; the
 * variant's own opening, next game and cube; turn cap BG_TURN_CAP; no rotation. */
BG_API struct bg_rules bg_rules_default(const struct bg_variant *variant, int length_points);

/* Checks combinations (holland without crawford, raises without beavers, ...) and that `reserved`
 * is 0: rules of later headers are refused. BG_OK, or BG_E_ARGUMENT naming the option. */
BG_API enum bg_status bg_rules_check(const struct bg_rules *rules, struct bg_error *err);

/* What the match waits for. */
enum bg_need_kind {
    BG_NEED_NOTHING,     /* the match is over */
    BG_NEED_OPENING,     /* the host: opening dice (BG_STEP_OPEN) */
    BG_NEED_ROLL,        /* the host: dice of `seat` (BG_STEP_ROLL); the seat may not double */
    BG_NEED_DOUBLE,      /* the seat: double or roll. BG_STEP_ROLL here: the seat rolls */
    BG_NEED_TAKE,        /* the seat: take, pass or beaver */
    BG_NEED_RAISE,       /* the seat: answer to a beaver or raise: accept (take), pass or raise */
    BG_NEED_PLAY,        /* the seat: a play of match.stage; there is at least one */
    BG_NEED_KEEP,        /* the seat: keep the opening numbers or roll again */
    BG_NEED_NAME,        /* the seat: name a double (acey-deucey, asodio) */
    BG_NEED_RESIGNATION, /* the seat: accept or refuse the opponent's offer */
    BG_NEED_GAME,        /* the host: the game is over, BG_STEP_NEXT begins the next */
    BG_NEED_COUNT
};

struct bg_need {
    enum bg_need_kind kind;
    int seat; /* who must act: 0 or 1; for BG_NEED_ROLL the seat that rolls; else -1 for the host */
};

enum bg_step_kind {
    BG_STEP_OPEN, /* dice: die[0] seat 0's, die[1] seat 1's (in sum modes die[0..1], die[2..3]) */
    BG_STEP_ROLL, /* dice: die[0..1] (tabula, xii-scripta 0..2), any order */
    BG_STEP_DOUBLE,
    BG_STEP_TAKE, /* takes a double, or accepts a raise */
    BG_STEP_PASS,
    BG_STEP_RAISE,  /* beaver, raccoon, ... */
    BG_STEP_PLAY,   /* play */
    BG_STEP_RESIGN, /* level */
    BG_STEP_ACCEPT,
    BG_STEP_REFUSE,
    BG_STEP_KEEP,
    BG_STEP_REROLL,
    BG_STEP_NAME,  /* level: the named number 1..6 */
    BG_STEP_FAULT, /* seat at fault; fault */
    BG_STEP_NEXT,  /* the host begins the next game of the match */
    BG_STEP_COUNT
};

struct bg_step {
    enum bg_step_kind kind;
    int seat;            /* who acts; -1 for OPEN and NEXT */
    uint8_t die[4];      /* OPEN, ROLL; 0 where unused */
    uint8_t level;       /* RESIGN 1..3 (acey-deucey 1..15), NAME 1..6 */
    enum bg_fault fault; /* FAULT */
    struct bg_play play; /* PLAY: single or merged moves; judged by the result */
};

/* How a game ended. */
enum bg_end {
    BG_END_NONE, /* still going on */
    BG_END_OFF,  /* all checkers off */
    BG_END_PASS, /* a double or raise was passed */
    BG_END_RESIGN,
    BG_END_FAULT,
    BG_END_DEAD,    /* G10: drawn, neither side can move any more */
    BG_END_CAP,     /* drawn by the turn cap, and marked */
    BG_END_SPECIAL, /* by a rule of the game: plakoto's mother (won, or drawn with both), a draw by
                       the equal turns of long-nardi */
    BG_END_COUNT
};

struct bg_result {
    enum bg_end end;
    int winner;     /* seat, or -1: drawn or not over */
    int level;      /* 1 single, 2 gammon, 3 backgammon, as counted (after Jacoby); points for the
                       mother; checkers left in acey-deucey, 1..15; 0 drawn */
    int64_t points; /* level times stake; 0 drawn */
    enum bg_fault fault; /* when end is BG_END_FAULT */
};

/* Which numbers of a turn a stage plays (docs/rules.md 6.10, 6.11, 6.14 to 6.16). */
enum bg_part {
    BG_PART_ROLL,       /* the numbers of the roll */
    BG_PART_NEXT,       /* the next higher number of a double that escalates (gul, gulbara) */
    BG_PART_CHOICE,     /* the double that the seat named (acey-deucey, asodio, russian) */
    BG_PART_COMPLEMENT, /* seven minus the double (asodio, russian) */
    BG_PART_CARRY,      /* handed over by the opponent, before the seat's own roll (gul, gulbara) */
    BG_PART_COUNT
};

/* A stage without a playable number; no bot was asked. */
struct bg_pass {
    int8_t seat;
    uint8_t part; /* enum bg_part */
    struct bg_stage stage;
    uint8_t turns[2]; /* board.turns at that time (gulbara) */
};

/* The whole state of a match. Plain value: a copy is a snapshot. Read any field; only
 * bg_match_begin and bg_match_step write. */
struct bg_match {
    struct bg_rules rules;
    struct bg_board board;
    struct bg_need need;
    struct bg_stage stage; /* numbers to play when need is PLAY */
    struct bg_roll roll;   /* dice of this turn, {0} before its first roll; after a second roll in
                              the same turn, the dice of that roll */
    int64_t score[2];      /* points won so far by each seat, money too */
    int game;              /* number of the game, from 0 */
    int on_roll;           /* whose turn it is; -1 before the opening */
    int turn;              /* turns completed in this game, both sides */
    int turns[2];          /* turns completed in this game by each seat */
    int rolls[2];          /* rolls by each seat in this game; also the number of its next roll */
    int openings;          /* opening attempts in this game */
    int cube_log2;         /* cube value is 1 << cube_log2 */
    int cube_owner;        /* seat or BG_CENTRED */
    bool cube_turned;      /* a double was offered and taken in this game (Jacoby) */
    bool set_position;     /* the game began from a given position, without opening roll */
    int raise;             /* raises of the pending double: 0 double, 1 beaver, 2 raccoon, ... */
    int doubler;           /* who offered the pending double; -1 none */
    int resign_level;      /* level of the pending or last refused offer of this turn, 0 none */
    int resign_offers;     /* offers made in this turn */
    struct bg_need resign_need; /* need before the offer */
    int auto_doubles;           /* automatic doubles in this game */
    bool crawford_game;         /* this is the Crawford game */
    bool crawford_done;         /* the Crawford game is past (post-Crawford) */
    int last_winner;            /* winner of the last game, -1 none or drawn */
    int drawn_games;            /* number of drawn games in a row until now */
    int match_winner;           /* -1: not over or drawn (M2); money: the game's winner, -1
                                   if drawn */
    struct bg_result result;    /* of the game that has just ended; end is BG_END_NONE before */
    enum bg_part part;          /* the part of the turn that stage belongs to */
    bool escalates;             /* a stage with higher numbers follows when this one is played */
    bool
        last_turn; /* the seat that began has finished; the other has its equal turn (long-nardi) */
    int began;     /* seat that began this game; -1 before the opening */
    int doubles[2]; /* doubles rolled by each seat in this game (russian) */
    int passes;     /* stages that the last step skipped, in their order: */
    struct bg_pass pass[BG_PASSES_MAX];
    uint64_t reserved[8]; /* 0 */
};

/* A start other than the set-up (openings, resumed positions, tests). */
struct bg_start {
    struct bg_board board;
    int on_roll; /* seat on roll; -1: an opening roll decides */
    int64_t score[2];
    int cube_log2, cube_owner;
    bool crawford_game, crawford_done;
    int game;
    bool by_next; /* true: rules.next decided that on_roll begins this game, without opening roll;
                     false: the position was given */
    uint64_t reserved[4]; /* 0 */
};

/* Begins a match from the set-up; need is BG_NEED_OPENING. rules must have passed bg_rules_check.
 */
BG_API void bg_match_begin(struct bg_match *match, const struct bg_rules *rules);

/* Begins at a given position, with everything that the notation of games has (hands, pins, flags).
 * BG_E_ARGUMENT: the position is impossible (checker counts, a game that is over, score), or start
 * was made with later headers. */
BG_API enum bg_status bg_match_begin_at(struct bg_match *match, const struct bg_rules *rules,
                                        const struct bg_start *start, struct bg_error *err);

/* Returns match->need: what the match waits for now. */
BG_API struct bg_need bg_match_need(const struct bg_match *match);

/* Returns how many dice the needed opening or roll has: 2; 4 for an opening by sums; 3 for a roll
 * in tabula and xii-scripta. 0: the match does not wait for dice. */
BG_API int bg_match_dice(const struct bg_match *match);

/* Returns BG_RULE_NONE if seat may offer to resign at this level now. */
BG_API enum bg_rule bg_match_may_resign(const struct bg_match *match, int seat, int level);

/* The only place where state changes. BG_RULE_NONE: *match is the next state. Otherwise
 * returns the broken rule; *match is unchanged. step may hold anything that a bot can send.
 * In money play (length 0) the match is over after one game. */
BG_API enum bg_rule bg_match_step(struct bg_match *match, const struct bg_step *step);

/* Applies a play that was already checked, given the board after it; saves a second check. result
 * must be one of the legal results of match->stage. */
BG_API void bg_match_play_result(struct bg_match *match, const struct bg_board *result);

/* Returns the points that seat would lose if it forfeited now (rules.md 5.4). */
BG_API int64_t bg_match_forfeit(const struct bg_match *match, int seat, int *level);

/* Short fixed names ("double", "resign", ...; "off", "pass", ...). Static; never NULL. */
BG_API const char *bg_step_name(enum bg_step_kind kind);
BG_API const char *bg_need_name(enum bg_need_kind kind);
BG_API const char *bg_end_name(enum bg_end end);
BG_API const char *bg_part_name(enum bg_part part);

/* Returns how a game of this variant ended, in one word: "single", "gammon", "backgammon",
 * "mother", "checkers", "draw-mothers", "draw-dead", "draw-cap", "draw-turns"; "-": not
 * over. */
BG_API const char *bg_result_how(const struct bg_variant *variant, const struct bg_result *result);

#ifdef __cplusplus
}
#endif
#endif
