/* V23.2, kiz-tavlasi: checkers do not walk. A number lowers one stacked checker of its own point
 * while any is stacked, then takes one off. Lowering is a move from a slot to itself. */
#include <assert.h>

#include "games.h"

static bool is_any_stacked(const struct bg_board *board, int seat)
{
    for (int point = 1; point <= 6; point++) {
        if (board->stacked[seat][point] > 0) {
            return true;
        }
    }
    return false;
}

static enum bg_rule may_pile(int *to, const struct course *course, const struct bg_board *board,
                             int from, int number)
{
    if (from != number) {
        return BG_RULE_STACKED;
    }
    if (board->at[course->seat][from] == 0) {
        return BG_RULE_NO_CHECKER;
    }
    if (is_any_stacked(board, course->seat)) {
        *to = from;
        return board->stacked[course->seat][from] > 0 ? BG_RULE_NONE : BG_RULE_STACKED;
    }
    *to = BG_OFF;
    return BG_RULE_NONE;
}

static void move_pile(struct bg_board *board, const struct bg_variant *variant, int seat, int from,
                      int to)
{
    (void)variant;
    if (to == from) {
        assert(board->stacked[seat][from] > 0);
        board->stacked[seat][from]--;
    } else {
        assert(board->at[seat][from] > 0);
        board->at[seat][from]--;
        board->at[seat][to]++;
    }
}

const struct mover mover_piles = {
    .list = tree_list,
    .exists = tree_exists,
    .may = may_pile,
    .move = move_pile,
};
