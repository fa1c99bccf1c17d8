/* variant.h - descriptions of the games.
 *
 * A game of the tables family is data: set-up, way, contact, doubles, opening, ends and scores.
 * Named options are part of a game's id: "long-nardi", "long-nardi:head=any",
 * "gulbara:grace=none,handover=off". A description is constant and valid for the whole
 * program. Each set of options has exactly one description, in whatever order it is written:
 * compare pointers.
 */
#ifndef BGREF_VARIANT_H
#define BGREF_VARIANT_H

#include <bgref/board.h>
#include <bgref/error.h>
#include <bgref/play.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a game decides who begins (G8). */
enum bg_opening {
    BG_OPENING_PLAY,       /* a die each, ties again, the higher plays these two numbers */
    BG_OPENING_REROLL,     /* a die each, the higher rolls both dice */
    BG_OPENING_CHOICE,     /* a die each, the higher keeps the two numbers or rolls both again */
    BG_OPENING_SUM_REROLL, /* two dice each, the larger total rolls again */
    BG_OPENING_SUM_PLAY,   /* two dice each, the larger total plays its own dice */
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

/* Like bg_variant_find. BG_E_ARGUMENT: the text of err names the wrong part and the options of the
 * game. */
BG_API enum bg_status bg_variant_read(const struct bg_variant **out, const char *text,
                                      struct bg_error *err);

/* Returns alternative name number i ("multezim" for "moultezim"), which bg_variant_find accepts
 * too, and sets *id to the id of its game. NULL: i is past the last. Static. */
BG_API const char *bg_variant_alias(const char **id, int i);

/* Returns game number i, with default options, in the order of the rule book. NULL: i is past the
 * last. */
BG_API const struct bg_variant *bg_variant_at(int i);

/* Returns its id as in the rule book, lower case, followed by the options that differ from the
 * game's defaults. bg_variant_find returns the same description for this id. Static. */
BG_API const char *bg_variant_id(const struct bg_variant *variant);

/* Writes option number i of a game as users type it, "head=doubles|any|need", the default first.
 * Returns false if i is past the last. */
BG_API bool bg_variant_option(char *text, size_t size, const struct bg_variant *variant, int i);

/* Its position before the first roll. */
BG_API void bg_variant_setup(struct bg_board *out, const struct bg_variant *variant);

/* Returns the opponent's slot for the same point as own slot (1..24, 27..38); it depends on the
 * directions of play. */
BG_API int bg_variant_opponent_slot(const struct bg_variant *variant, int slot);

/* The game's defaults: how the opening is decided, who begins the next game, and whether there is a
 * cube. */
BG_API enum bg_opening bg_variant_opening(const struct bg_variant *variant);
BG_API enum bg_next bg_variant_next(const struct bg_variant *variant);
BG_API bool bg_variant_has_cube(const struct bg_variant *variant);

/* Returns the level of a win by winner on this board, without the cube: 1 single, 2 gammon, 3
 * backgammon (G9); in acey-deucey the loser's checkers that are not off. Only the loser's checkers
 * count; the winner need not have finished (for forfeits and resignation). */
BG_API int bg_variant_level(const struct bg_variant *variant, const struct bg_board *board,
                            int winner);

/* Returns the pips that seat still needs in this game; the bar and the hand count as one point
 * before the entry. */
BG_API int bg_variant_pips(const struct bg_variant *variant, const struct bg_board *board,
                           int seat);

/* Returns true if every turn of this game is one roll of two dice, played as one stage: a value of
 * the position after each play then covers every turn (evaluate.h). */
BG_API bool bg_variant_turn_is_roll(const struct bg_variant *variant);

/* Returns how many dice a roll has: 2, or 3 in tabula and xii-scripta. */
BG_API int bg_variant_dice(const struct bg_variant *variant);

/* Returns the highest level in this game: 1, 2 or 3; in acey-deucey 15. */
BG_API int bg_variant_level_max(const struct bg_variant *variant);

/* A rotation: games played in turn within one match (docs/rules.md, section of rotations). */
struct bg_rotation;

/* Returns the rotation with this id ("tavli", "tavli:tavli=5", "turkish"), or NULL. */
BG_API const struct bg_rotation *bg_rotation_find(const char *id);

/* Returns rotation number i, or NULL if i is past the last. */
BG_API const struct bg_rotation *bg_rotation_at(int i);

/* Its id. Static. */
BG_API const char *bg_rotation_id(const struct bg_rotation *rotation);

/* Return how many games it has, and the game played as number `game` of a match, from 0. */
BG_API int bg_rotation_count(const struct bg_rotation *rotation);
BG_API const struct bg_variant *bg_rotation_game(const struct bg_rotation *rotation, int game);

#ifdef __cplusplus
}
#endif
#endif
