/* play_path.h - a play that is made one checker at a time, for boards that are touched: which
 * single moves can be made next, so that the whole can still become a legal play (G6).
 */
#ifndef GALLERY_PLAY_PLAY_PATH_H
#define GALLERY_PLAY_PLAY_PATH_H

#include <bgref/play.h>

enum { PATH_NEXT_MAX = 3 * BG_SLOTS };

struct path_move {
    struct bg_move move;
    uint8_t number; /* of the dice */
};

/* About 40 KB. */
struct play_path {
    const struct bg_variant *variant;
    struct bg_board before; /* when the stage began; the mover is seat 0 */
    struct bg_stage stage;
    struct bg_play_list legal;

    struct bg_board board; /* after the moves of play */
    struct bg_play play;
    uint8_t left[3];                      /* left[i]: how often stage.part[i] can still be used */
    bool is_whole;                        /* play is legal as it is */
    int next_count;                       /* 0: nothing can be added */
    struct path_move next[PATH_NEXT_MAX]; /* by slot, farthest first, and number, high first */
};

/* Begins at a position without a move made. */
void path_begin(struct play_path *path, const struct bg_variant *variant,
                const struct bg_board *board, const struct bg_stage *stage);

/* Moves a checker by a number. Returns false, and changes nothing, unless it is one of next. */
bool path_add(struct play_path *path, int from, int number);

#endif
