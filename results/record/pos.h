/* pos.h - a position as a page draws it, in every game: one short text for programs and scripts.
 *
 *     w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-|c|1-|63|b13/8,6/5
 *
 * The six fields of the notation of every game (docs/rules.md N3), and four more, so that who draws
 * needs no rules: the way, the cube, the dice and the last play (docs/report.md).
 */
#ifndef RESULTS_RECORD_POS_H
#define RESULTS_RECORD_POS_H

#include <bgref/match.h>
#include <bgref/notation.h>

enum { POS_TEXT = BG_POSITION_TEXT + 128, POS_DICE = 4 };

struct pos {
    const struct bg_variant *variant;
    struct bg_board board;
    int mover; /* seat 0 or 1: whose dice these are, or who plays next */
    bool has_cube;
    int cube_log2, cube_owner; /* of an offered cube: as it is if it is taken; BG_CENTRED */
    int offered;               /* the seat that offers the cube; -1: none */
    int dice;                  /* how many numbers are shown, 0 to POS_DICE */
    uint8_t die[POS_DICE];
    bool played[POS_DICE];
    int last_seat;       /* who made the last play; -1: none */
    struct bg_play last; /* its way from first to last point of each checker; that seat's slots */
};

/* Sets *out to the position of a match, without a last play. */
void pos_of(struct pos *out, const struct bg_match *match);

/* Moves *pos, the position before a legal step, to the position that the step leaves: dice that
 * were played stay until the next roll, and the play until the next one. */
void pos_step(struct pos *pos, const struct bg_match *before, const struct bg_step *step,
              const struct bg_match *after);

void pos_write(char out[POS_TEXT], const struct pos *pos);
/* Writes what changes between two such texts, of positions of one game: the parts in the order of
 * pos_changes, where a part that stays is empty, and such parts at the end are left out; likewise
 * the quarters of the board, its first part. Dice that are now played are ".". before "": the
 * whole. */
void pos_changes_write(char out[POS_TEXT], const char *now, const char *before);
/* Reads only what pos_write writes. BG_E_FORMAT: the message names the field. */
enum bg_status pos_read(struct pos *out, const struct bg_variant *variant, const char *text,
                        struct bg_error *err);

#endif
