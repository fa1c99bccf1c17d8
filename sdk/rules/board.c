/* Each seat counts from its own side, so exchanging the seats is exchanging halves: no slot
 * changes its number. Pips are a property of slots alone here; in games with other courses
 * bg_variant_pips knows more. */
#include <bgref/board.h>

#include <string.h>

bool bg_board_equal(const struct bg_board *a, const struct bg_board *b)
{
    /* Compared field by field, because the struct has padding. */
    return memcmp(a->at, b->at, sizeof a->at) == 0 &&
           memcmp(a->pinned, b->pinned, sizeof a->pinned) == 0 &&
           memcmp(a->turns, b->turns, sizeof a->turns) == 0 &&
           memcmp(a->may_hit, b->may_hit, sizeof a->may_hit) == 0 &&
           memcmp(a->stacked, b->stacked, sizeof a->stacked) == 0;
}

void bg_board_swap(struct bg_board *out, const struct bg_board *board)
{
    const struct bg_board was = *board;

    for (int seat = 0; seat < 2; seat++) {
        memcpy(out->at[seat], was.at[1 - seat], sizeof was.at[0]);
        memcpy(out->stacked[seat], was.stacked[1 - seat], sizeof was.stacked[0]);
        out->pinned[seat] = was.pinned[1 - seat];
        out->turns[seat] = was.turns[1 - seat];
        out->may_hit[seat] = was.may_hit[1 - seat];
    }
}

int bg_board_pips(const struct bg_board *board, int seat)
{
    const uint8_t *at = board->at[seat];
    int pips = 0;

    for (int slot = 1; slot <= BG_BAR; slot++) {
        pips += slot * at[slot];
    }
    /* From the hand a checker enters like from the bar: 25 pips away. */
    pips += BG_BAR * at[BG_HAND];
    for (int slot = BG_FAR; slot < BG_SLOTS; slot++) {
        pips += (slot - BG_FAR + BG_POINTS + 1) * at[slot];
    }
    return pips;
}

int bg_board_count(const struct bg_board *board, int seat)
{
    int count = 0;

    for (int slot = 0; slot < BG_SLOTS; slot++) {
        count += board->at[seat][slot];
    }
    return count;
}
