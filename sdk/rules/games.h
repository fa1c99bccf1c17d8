/* games.h - what one description of a game holds. Private to the rules; everyone else asks
 * variant.h. A new game is a row in variant.c and, where its checkers move otherwise, a generator
 * play_x.c that offers a struct mover.
 */
#ifndef RULES_GAMES_H
#define RULES_GAMES_H

#include <bgref/variant.h>

/* Where the foe's own point n lies in own numbering (docs/rules.md, G1). */
enum way {
    WAY_CONTRARY, /* 25 - n */
    WAY_PARALLEL, /* n + 12 or n - 12 */
    WAY_COMMON,   /* n */
    WAY_SCRIPTA   /* n beyond 24, else 25 - n */
};

/* What a single enemy checker on a point means (G2). */
enum contact { CONTACT_HIT, CONTACT_PIN, CONTACT_BLOCK, CONTACT_NONE };

/* How checkers move. All functions are pure; seat is the mover. */
struct mover {
    /* As bg_play_list, bg_play_exists. */
    void (*list)(struct bg_play_list *out, const struct bg_variant *variant,
                 const struct bg_board *board, int seat, const struct bg_stage *stage);
    bool (*exists)(const struct bg_variant *variant, const struct bg_board *board, int seat,
                   const struct bg_stage *stage);
    /* The rule against moving one checker from `from` by number, or BG_RULE_NONE and the slot it
     * reaches in *to. from is a slot that exists. */
    enum bg_rule (*may)(int *to, const struct bg_variant *variant, const struct bg_board *board,
                        int seat, int from, int number);
    /* Moves one checker and does what its landing does. */
    void (*move)(struct bg_board *board, const struct bg_variant *variant, int seat, int from,
                 int to);
    /* A play that uses all numbers is legal as it stands: no restriction looks at whole plays. */
    bool full_is_legal;
};

enum { GAME_PILES = 6 };

struct bg_variant {
    const char *id;
    int checkers; /* of a seat */
    int points;   /* 24 or 36 */
    enum way way;
    enum contact contact;
    int dice;         /* 2 or 3 */
    int double_times; /* how often a double is played; of three dice each number counts once */
    enum bg_opening opening;
    bool cube;
    int level_max;    /* 1, 2 or 3 */
    bool position_id; /* plays are ordered by the Position ID, else by the notation of every game */
    struct {
        uint8_t slot, checkers;
    } setup[GAME_PILES]; /* alike for both seats; checkers 0 ends it */
    int (*level)(const struct bg_variant *variant, const struct bg_board *board, int winner);
    const struct mover *mover;
};

/* The mover of backgammon and of the games that share its moves (play.c). */
extern const struct mover mover_hit;

#endif
