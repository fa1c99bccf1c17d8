#include "ahead.h"

#include <bgref/evaluate.h>

#include <string.h>

/* Sets the chances of the best play of this roll, or those of no play. */
static void best_of_roll(float out[NET_OUTPUTS], const struct vantage *vantage, struct bg_roll roll)
{
    const struct bg_variant *variant = vantage->player->variant;
    const struct bg_board *board = &vantage->base.board;
    const struct bg_stage stage = bg_stage_of_roll(variant, roll);
    static struct bg_play_list plays; /* large; used only within this call */
    struct choice choice;

    bg_play_list(&plays, variant, board, vantage->base.seat, &stage);
    choice_find(&choice, vantage, &plays, &WORTH_MONEY);
    if (choice.count == 0) {
        vantage_chances(out, vantage, board);
    }
    for (int i = 0; i < choice.count; i++) {
        float chances[NET_OUTPUTS];
        struct bg_board after;

        bg_play_make(&after, variant, board, vantage->base.seat, &plays.play[choice.play[i]]);
        vantage_chances(chances, vantage, &after);
        if (i == 0 || net_equity(chances) > net_equity(out)) {
            memcpy(out, chances, sizeof chances);
        }
    }
}

void ahead_chances(float out[NET_OUTPUTS], const struct player *player,
                   const struct bg_board *board, int seat)
{
    struct vantage vantage;

    memset(out, 0, NET_OUTPUTS * sizeof *out);
    vantage_begin(&vantage, player, board, 1 - seat);
    for (int i = 0; i < BG_ROLLS; i++) {
        const float weight = (float)bg_roll_weight(i) / 36.0F;
        float best[NET_OUTPUTS];

        best_of_roll(best, &vantage, bg_roll_at(i));
        net_swap(best, best);
        for (int o = 0; o < NET_OUTPUTS; o++) {
            out[o] += weight * best[o];
        }
    }
}
