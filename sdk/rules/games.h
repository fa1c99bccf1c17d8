/* games.h - what one description of a game holds. Private to the rules, and to gallery/play, where
 * checkers are moved one by one; everyone else asks variant.h. A new game is a row in variant.c
 * and, where its checkers move otherwise, a generator play_x.c that offers a struct mover.
 *
 * Zero is the ordinary case of every field below `id` .. `setup`, so that a row lists only what is
 * special. Fields that a named option changes are ints (enums), see struct game_option.
 */
#ifndef SDK_RULES_GAMES_H
#define SDK_RULES_GAMES_H

#include <stddef.h>

#include <bgref/variant.h>

/* Where the opponent's own point n lies in own numbering (docs/rules.md, G1). */
enum way {
    WAY_CONTRARY, /* 25 - n */
    WAY_PARALLEL, /* n + 12 or n - 12 */
    WAY_COMMON,   /* n */
    WAY_SCRIPTA   /* n beyond 24, else 25 - n */
};

/* What a single enemy checker on a point means (G2). */
enum contact { CONTACT_HIT, CONTACT_PIN, CONTACT_BLOCK, CONTACT_NONE };

/* The stages of a turn (match.c). "Played" means: all numbers of the stage were used. */
enum turns {
    TURNS_PLAIN,    /* the roll */
    TURNS_ESCALATE, /* double n: nn, then (n+1)x4 .. 6x4, each only after the one before was played;
                       not in the grace (see grace) */
    TURNS_ACEY,     /* 21 played: a named double dx4, played: another roll. Double played: another
                       roll unless doubles_again is 0 */
    TURNS_ASODIO,   /* double n: nn, (7-n)x4, another roll. 21: a named double dx4, (7-d)x4, another
                       roll. The turn is over at the first stage that is not played */
    TURNS_RUSSIAN   /* double n: nn, (7-n)x4, another roll; see plain_first and wild_21 */
};

/* Turns in which a double does not escalate: none, each side's first three, the first three of the
 * game. */
enum grace { GRACE_NONE, GRACE_OWN, GRACE_GLOBAL };

/* When checkers in hand may enter: always; once a double or 21 has brought one in; only with a
 * double or 21 (asodio). */
enum variant_gate { GATE_OPEN, GATE_ONCE, GATE_ALWAYS };

/* How the loser's checkers count. */
enum variant_score {
    SCORE_LEVELS,  /* 1, 2, 3 up to level_max */
    SCORE_CHECKERS /* a point for each checker not borne off: level is 1..15 */
};

/* Who bears off last checker first: wins, or loses (misere). */
enum variant_goal { GOAL_FIRST_OFF, GOAL_LAST_OFF };

/* Most checkers that leave own 24 in a turn: any number; one, on the first turn two with 33, 44,
 * 66; two on the first turn; two on the first turn when one cannot play the whole roll. */
enum head { HEAD_FREE, HEAD_DOUBLES, HEAD_ANY, HEAD_NEED };

/* Six points in a row with no opposing checker ahead of them: free; forbidden after every single
 * move; at the end of the stage only. BLOCK_ALL: forbidden wherever the opponent stands. */
enum block { BLOCK_FREE, BLOCK_MOVE, BLOCK_END, BLOCK_ALL };

/* How far the first checker walks before others may move: no rule; past 12; to 18. */
enum first { FIRST_FREE, FIRST_PASSED, FIRST_OUTER };

/* Tables of which too many points may not be held: none; all six of own 24-19; those and all six
 * of own 12-7; five of own 12-7; all six of own 6-1. */
enum quarter { QUARTER_FREE, QUARTER_OWN, QUARTER_BOTH, QUARTER_START, QUARTER_HOME };

/* What must be played (G6): the most numbers with the largest sum; the most numbers; whatever
 * cannot be continued; anything. */
enum duty { DUTY_HIGHER, DUTY_MOST, DUTY_ANY_END, DUTY_NONE };

/* Checkers in hand: mix freely with the board; enter before others move; enter before any goes
 * below own 13. */
enum enter { ENTER_FREE, ENTER_FIRST, ENTER_HALF };

/* Who may hit: everybody; who has had a checker on own 6-1, for the rest of the game; who has one
 * there or off (dutch). */
enum hit_right { HIT_FREE, HIT_EARNED, HIT_PRESENT };

/* History that the board does not show, written in the flags of a position (N3). */
enum flags { FLAGS_NONE, FLAGS_TURNS, FLAGS_RIGHT, FLAGS_STACKS };

/* A stage that is being played, from its beginning: for restrictions that look back. Every such
 * history is the difference of two boards, so plays that meet on one board have one future. */
struct course {
    const struct bg_variant *variant;
    const struct bg_board *before; /* the board when the stage began */
    const struct bg_stage *stage;
    int seat;
    int head_max; /* checkers that may leave own 24 in this stage; 15: no head rule */
};

/* Begins a stage: fills *out, which borrows board and stage. */
void course_begin(struct course *out, const struct bg_variant *variant,
                  const struct bg_board *board, int seat, const struct bg_stage *stage);

/* How checkers move. All functions are pure; the seat of the course is the mover. */
struct mover {
    /* As bg_play_list, bg_play_exists. */
    void (*list)(struct bg_play_list *out, const struct bg_variant *variant,
                 const struct bg_board *board, int seat, const struct bg_stage *stage);
    bool (*exists)(const struct bg_variant *variant, const struct bg_board *board, int seat,
                   const struct bg_stage *stage);
    /* The rule against moving one checker from `from` by number, or BG_RULE_NONE and the slot it
     * reaches in *to. board is the course's board or one that single moves of it have reached;
     * from is a slot that exists. */
    enum bg_rule (*may)(int *to, const struct course *course, const struct bg_board *board,
                        int from, int number);
    /* Moves one checker and does what its landing does. */
    void (*move)(struct bg_board *board, const struct bg_variant *variant, int seat, int from,
                 int to);
    /* The usual play, for speed: one move a number, each legal in the order given. Every order of
     * such moves ends on one board, so no other reading of the play matters. Returns false, with
     * result untouched, if it is not such a play: then its readings decide. NULL: a game without
     * this. */
    bool (*written)(struct bg_board *result, const struct bg_board *board, int seat,
                    const struct bg_stage *stage, const struct bg_play *play);
};

/* Results that the board decides, after any single move. */
enum board_end {
    BOARD_GOES_ON,
    BOARD_OFF,    /* *seat has all checkers off (G9; it has won, in misere lost) */
    BOARD_MOTHER, /* *seat wins by the opponent's mother: variant->mother points (V7.1) */
    BOARD_DRAW    /* both mothers are pinned (V7.1) */
};
enum board_end board_end(int *seat, const struct bg_variant *variant, const struct bg_board *board);

enum { GAME_PILES = 6, GAME_OPTIONS = 5, GAME_CHOICES = 4, GAME_NAME = 96 };

/* A named option: chooses the value of one int field. */
struct game_option {
    const char *name;
    size_t field; /* offsetof(struct bg_variant, ...) */
    struct {
        const char *name;
        int value;
    } choice[GAME_CHOICES]; /* name NULL ends it */
};

struct bg_variant {
    const char *id;       /* without options */
    char name[GAME_NAME]; /* with options: set in descriptions that have some, else empty */
    int checkers;         /* of a seat */
    int points;           /* 24 or 36 */
    enum way way;
    enum contact contact;
    int dice;         /* 2 or 3 */
    int double_times; /* how often a double is played; of three dice each number counts once */
    enum bg_opening opening;
    enum bg_next next;
    bool cube;
    int level_max;    /* 1, 2 or 3; with SCORE_CHECKERS 15 */
    bool position_id; /* plays are ordered by the Position ID, else by the notation of every game */
    enum flags flags;
    struct {
        uint8_t slot, checkers;
    } setup[GAME_PILES]; /* alike for both seats; checkers 0 ends it. BG_HAND: in hand */
    const struct mover *mover;

    /* Turns (match.c). */
    enum turns turns;
    enum grace grace;  /* TURNS_ESCALATE */
    int carry;         /* numbers that could not be played are handed over to the opponent */
    int doubles_again; /* TURNS_ACEY: a double that was played gives another roll */
    int plain_first;   /* TURNS_RUSSIAN: each side's first double is an ordinary one */
    int wild_21;       /* TURNS_RUSSIAN: 21 played is followed by a named double, its complement and
                          another roll */

    /* Ends and scores (match.c, variant.c). */
    enum variant_goal goal;
    enum variant_score score;
    int mother;      /* points for the pinned mother, 0: no mother rule */
    int koks;        /* 3 for a loser with none off and a checker in its own entry table */
    int equal_turns; /* who did not begin has one more turn when the beginner finishes first */
    int turns_cap;   /* drawn after so many turns of each side, 0: only the host's cap */

    /* Restrictions (play_steps.c). */
    enum duty duty;
    enum head head;
    enum block block;
    enum first first;
    enum quarter quarter;
    int prime;       /* the duty to open the prime, after G6 */
    int stay;        /* no hit-and-run in the own home table */
    int point_max;   /* most own checkers on a point, 0: any number */
    int exact;       /* a number bears off from its own point only */
    int bear_pinned; /* bearing off although an own checker is pinned */
    enum variant_gate gate;
    enum enter enter;
    enum hit_right hit_right;

    struct game_option option[GAME_OPTIONS]; /* name NULL ends it */
};

/* Points counted through, bar and hand one past the entry: pips are differences of these. */
static inline int point_of_slot(const struct bg_variant *variant, int slot)
{
    if (slot == BG_BAR || slot == BG_HAND) {
        return variant->points + 1;
    }
    return slot < BG_FAR ? slot : slot - BG_FAR + BG_POINTS + 1;
}

static inline int slot_of_point(int point)
{
    return point > BG_POINTS ? point - BG_POINTS - 1 + BG_FAR : point;
}

/* The movers: backgammon and the games that share its moves (play_hit.c); every game in which
 * checkers walk, and piles that are lowered (play_steps.c). */
extern const struct mover mover_hit, mover_steps, mover_piles;

/* list and exists for any mover, by its may and move (play_tree.c). */
void tree_list(struct bg_play_list *out, const struct bg_variant *variant,
               const struct bg_board *board, int seat, const struct bg_stage *stage);
bool tree_exists(const struct bg_variant *variant, const struct bg_board *board, int seat,
                 const struct bg_stage *stage);

/* Restrictions that judge the end of a stage, not a single move (play_steps.c). */
bool is_blocked_in(const struct bg_variant *variant, const struct bg_board *board, int seat);
bool is_stuck(const struct bg_variant *variant, const struct bg_board *board, int seat);

#endif
