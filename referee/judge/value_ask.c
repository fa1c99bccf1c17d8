/* Whatever a value does not depend on stays zero: no clock, no names, no dice. A bot that valued
 * by them would value the same position differently in another match. */
#include "value_ask.h"

#include <string.h>

void value_ask_fill(struct bg_ask *out, const struct bg_match *match, int seat,
                    enum bg_decision kind)
{
    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->rules = match->rules;
    out->board = match->board;
    if (seat == 1) {
        bg_board_swap(&out->board, &match->board);
    }
    out->cube_log2 = match->cube_log2;
    out->cube_owner = match->cube_owner == BG_CENTRED ? BG_CENTRED : match->cube_owner != seat;
    out->score[0] = match->score[seat];
    out->score[1] = match->score[1 - seat];
    out->crawford_game = match->crawford_game;
    out->post_crawford = match->crawford_done;
}
