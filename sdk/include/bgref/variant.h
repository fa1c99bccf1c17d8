/* variant.h - one description a game.
 *
 * A game of the tables family is data: set-up, way, contact, doubles, opening, ends and scores.
 * A description is constant and lives for the whole program; compare by pointer.
 */
#ifndef BGREF_VARIANT_H
#define BGREF_VARIANT_H

#include <bgref/board.h>
#include <bgref/error.h>
#include <bgref/play.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a game finds who begins (G8). */
enum bg_opening {
    BG_OPENING_PLAY,       /* a die each, ties again, the higher plays these two numbers */
    BG_OPENING_REROLL,     /* a die each, the higher rolls both dice */
    BG_OPENING_CHOICE,     /* a die each, the higher keeps the two numbers or rolls both anew */
    BG_OPENING_SUM_REROLL, /* two dice each, the larger total rolls anew */
    BG_OPENING_SUM_PLAY,   /* two dice each, the larger total plays his own dice */
    BG_OPENING_WINNER,     /* the winner of the last game begins, rolling both dice */
    BG_OPENING_COUNT
};

struct bg_variant;

/* The description with this id ("backgammon"), or NULL. */
BG_API const struct bg_variant *bg_variant_find(const char *id);

/* Description number i in the order of the rule book, or NULL when i is past the last. */
BG_API const struct bg_variant *bg_variant_at(int i);

/* Its id as in the rule book, lower case. Static. */
BG_API const char *bg_variant_id(const struct bg_variant *variant);

/* Its position before the first roll. */
BG_API void bg_variant_setup(struct bg_board *out, const struct bg_variant *variant);

/* The foe's slot that is the same point as own slot (1..24, 27..38), by the way of the game. */
BG_API int bg_variant_foe_slot(const struct bg_variant *variant, int slot);

/* Opening mode when nothing else is said; whether the game has a cube when nothing else is said. */
BG_API enum bg_opening bg_variant_opening(const struct bg_variant *variant);
BG_API bool bg_variant_has_cube(const struct bg_variant *variant);

/* Worth of a win by winner on this board, cube aside: 1 single, 2 gammon, 3 backgammon (G9). The
 * loser's checkers decide; the winner need not have finished (used for forfeits and resignation). */
BG_API int bg_variant_level(const struct bg_variant *variant, const struct bg_board *board,
                            int winner);

/* The highest level that the scoring of this game has: 1, 2 or 3. */
BG_API int bg_variant_level_max(const struct bg_variant *variant);

#ifdef __cplusplus
}
#endif
#endif
