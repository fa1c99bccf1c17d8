/* notation.h - positions and plays as text.
 *
 * GNU Backgammon's Position ID (14 characters) and Match ID (12), XGID, the notation of every game
 * (docs/rules.md N3), plays as "8/5 6/5". Readers accept only the canonical form and report
 * the place of an error; writers fail only if the notation cannot express the value.
 */
#ifndef BGREF_NOTATION_H
#define BGREF_NOTATION_H

#include <bgref/match.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BG_POSITION_ID = 15,
    BG_MATCH_ID = 13,
    BG_XGID = 96,
    BG_POSITION_TEXT = 256,
    BG_PLAY_TEXT = 64
};

/* Position ID of board for the player on roll: the opponent's 25 counts first, then on_roll's. */
BG_API void bg_position_id_write(char out[BG_POSITION_ID], const struct bg_board *board,
                                 int on_roll);

/* Sets *board: the player on roll becomes seat on_roll; checkers missing from 15 are off.
 * BG_E_FORMAT: the text of err names the error (length, character, more than 15 checkers, both
 * sides on one point).
 */
BG_API enum bg_status bg_position_id_read(struct bg_board *board, const char *text, int on_roll,
                                          struct bg_error *err);

/* The fields of a Match ID, with the meanings of GNU Backgammon. */
struct bg_match_id {
    int cube_log2;  /* 0..15 */
    int cube_owner; /* 0, 1, -1 centred */
    int move;       /* player on roll (the doubler or resigner while one is pending) */
    int turn;       /* player who has to act */
    int crawford;   /* 1: this is the Crawford game */
    int jacoby;
    int length;   /* 0 money .. 32767 */
    int score[2]; /* 0..32767 */
    int dice[2];  /* larger first, 0 not rolled */
    int doubled;  /* 1: a double is pending */
    int resigned; /* 0..3: level offered */
    int state;    /* 0 no game, 1 playing, 2 over, 3 resigned, 4 double dropped */
    int beavers;  /* money play with beavers; XGID only, a Match ID does not have it */
};

BG_API enum bg_status bg_match_id_write(char out[BG_MATCH_ID], const struct bg_match_id *id,
                                        struct bg_error *err);
/* Accepts the dice in any order. BG_E_FORMAT. */
BG_API enum bg_status bg_match_id_read(struct bg_match_id *out, const char *text,
                                       struct bg_error *err);

/* XGID of a position: "XGID=", 26 board characters and nine fields. Seat 1 is the bottom player
 * ("X", turn 1), seat 0 the top player (turn -1), as in GNU Backgammon. BG_E_FORMAT: it
 * cannot express a value (a resignation, a finished game). The reader accepts the text with or
 * without "XGID=" and dice in either order. */
BG_API enum bg_status bg_xgid_write(char out[BG_XGID], const struct bg_board *board,
                                    const struct bg_match_id *id, struct bg_error *err);
BG_API enum bg_status bg_xgid_read(struct bg_board *board, struct bg_match_id *id, const char *text,
                                   struct bg_error *err);

/* Sets *out to the Match ID fields of a running match. BG_E_FORMAT: a value does not fit (cube,
 * score). */
BG_API enum bg_status bg_match_id_of(struct bg_match_id *out, const struct bg_match *match,
                                     struct bg_error *err);

/* A play as text, "13/8 6/5", "bar/20 8/off", "" for no move. board may be NULL; if it
 * is given, a `*` marks a hit. */
BG_API void bg_play_write(char out[BG_PLAY_TEXT], const struct bg_variant *variant,
                          const struct bg_board *board, int seat, const struct bg_play *play);

/* Reads "8/5 6/5", "24/18/13", "13/7(2)", "bar/20", "25/20", "6/off", "6/0", hit marks ignored. */
BG_API enum bg_status bg_play_read(struct bg_play *out, const char *text, struct bg_error *err);
/* The same for a game that may have 36 points: there 25 to 36 are points, and the bar is "bar". */
BG_API enum bg_status bg_play_read_in(struct bg_play *out, const struct bg_variant *variant,
                                      const char *text, struct bg_error *err);

/* The notation of every game (N3), "w2----b5/...|bar|hand|off|side|flags"; seat 0 is White, mover
 * is the side that plays next. */
BG_API void bg_position_text_write(char out[BG_POSITION_TEXT], const struct bg_variant *variant,
                                   const struct bg_board *board, int mover);

/* Reads *board and *mover from that notation. BG_E_FORMAT: the text of err has the place. */
BG_API enum bg_status bg_position_text_read(struct bg_board *board, int *mover,
                                            const struct bg_variant *variant, const char *text,
                                            struct bg_error *err);

/* A stage as text: "63", "652" with three dice, "4x3" for the number 4 three times. A double is
 * written "3x4"; the reader also accepts "33", which gives as many numbers as doubles have in the
 * game. BG_E_FORMAT: the text of err has the expected form. */
enum { BG_STAGE_TEXT = 16 };
BG_API void bg_stage_write(char out[BG_STAGE_TEXT], const struct bg_stage *stage);
BG_API enum bg_status bg_stage_read(struct bg_stage *out, const struct bg_variant *variant,
                                    const char *text, struct bg_error *err);

/* Writes the text by which play lists and vectors are sorted: in backgammon the Position ID from
 * the mover's side, in other games the notation of every game. */
BG_API void bg_position_order_text(char out[BG_POSITION_TEXT], const struct bg_variant *variant,
                                   const struct bg_board *board, int mover);

/* Draws the board for people, seat `below` at the bottom and in its numbering, 15 lines ending in
 * '\n' (21 on the board of 36 points), into out; 4096 bytes are enough. dice, cube and score
 * are taken from id; NULL: they are left out. Seat 0 is O, seat 1 is X; a pinned checker is a small
 * letter below the stack that pins it. */
BG_API void bg_board_draw(char *out, size_t size, const struct bg_variant *variant,
                          const struct bg_board *board, const struct bg_match_id *id, int below);

#ifdef __cplusplus
}
#endif
#endif
