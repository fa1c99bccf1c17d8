/* variant.h - one description a game.
 *
 * A game of the tables family is data: set-up, way, contact, doubles, opening, ends and scores.
 * Named options are part of a game's id: "long-nardi", "long-nardi:head=any",
 * "gulbara:grace=none,handover=off". A description is constant and lives for the whole program;
 * one set of options has one description, however it is spelled: compare by pointer.
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

/* Who begins the next game, and how (G8). */
enum bg_next {
    BG_NEXT_SAME,      /* by the opening mode again */
    BG_NEXT_WINNER,    /* the winner of the last game begins, rolling both dice */
    BG_NEXT_HOYLE,     /* after a single game its winner, else by the opening mode */
    BG_NEXT_ALTERNATE, /* the seat that did not begin the last game, rolling both dice */
    BG_NEXT_COUNT
};

struct bg_variant;

/* The description with this id, options included in any order ("ID[:option=value[,...]]"), or
 * NULL. */
BG_API const struct bg_variant *bg_variant_find(const char *id);

/* As bg_variant_find. BG_E_ARGUMENT names the wrong part of the text and the options of the game.
 */
BG_API enum bg_status bg_variant_read(const struct bg_variant **out, const char *text,
                                      struct bg_error *err);

/* Other name number i of a plain game, under which it is found too ("multezim" is "moultezim"), and
 * *id of the game; or NULL when i is past the last. Static. */
BG_API const char *bg_variant_alias(const char **id, int i);

/* Plain game number i in the order of the rule book, or NULL when i is past the last. */
BG_API const struct bg_variant *bg_variant_at(int i);

/* Its id as in the rule book, lower case, followed by the options that differ from the game's
 * defaults. bg_variant_find gives the same description for it. Static. */
BG_API const char *bg_variant_id(const struct bg_variant *variant);

/* The options of a game as people type them, "head=doubles|any|need" for i = 0, 1, ...; the default
 * stands first. Writes them into text and returns true, or false when i is past the last. */
BG_API bool bg_variant_option(char *text, size_t size, const struct bg_variant *variant, int i);

/* Its position before the first roll. */
BG_API void bg_variant_setup(struct bg_board *out, const struct bg_variant *variant);

/* The opponent's slot that is the same point as own slot (1..24, 27..38), by the way of the game.
 */
BG_API int bg_variant_opponent_slot(const struct bg_variant *variant, int slot);

/* Opening mode and who begins the next game by default; whether the game has a cube by
 * default. */
BG_API enum bg_opening bg_variant_opening(const struct bg_variant *variant);
BG_API enum bg_next bg_variant_next(const struct bg_variant *variant);
BG_API bool bg_variant_has_cube(const struct bg_variant *variant);

/* Worth of a win by winner on this board, cube aside: 1 single, 2 gammon, 3 backgammon (G9); in
 * acey-deucey the loser's checkers that are not off. The loser's checkers decide; the winner need
 * not have finished (used for forfeits and resignation). */
BG_API int bg_variant_level(const struct bg_variant *variant, const struct bg_board *board,
                            int winner);

/* Pips seat still has to walk in this game; the bar and the hand lie one point before the entry. */
BG_API int bg_variant_pips(const struct bg_variant *variant, const struct bg_board *board,
                           int seat);

/* True when every turn of this game is one roll of two dice, played as one stage: then the values
 * of 21 rolls cover every turn (evaluate.h). */
BG_API bool bg_variant_turn_is_roll(const struct bg_variant *variant);

/* The highest level that the scoring of this game has: 1, 2 or 3; in acey-deucey 15. */
BG_API int bg_variant_level_max(const struct bg_variant *variant);

/* A rotation: games played in turn within one match (docs/rules.md, section of rotations). */
struct bg_rotation;

/* The rotation with this id ("tavli", "tavli:tavli=5", "turkish"), or NULL. */
BG_API const struct bg_rotation *bg_rotation_find(const char *id);

/* Rotation number i, or NULL when i is past the last. */
BG_API const struct bg_rotation *bg_rotation_at(int i);

/* Its id. Static. */
BG_API const char *bg_rotation_id(const struct bg_rotation *rotation);

/* How many games it has, and the game that is played as number `game` of a match, from 0. */
BG_API int bg_rotation_count(const struct bg_rotation *rotation);
BG_API const struct bg_variant *bg_rotation_game(const struct bg_rotation *rotation, int game);

#ifdef __cplusplus
}
#endif
#endif
