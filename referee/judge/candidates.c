/* The plays are sorted before they are valued, and of equal values the first is kept: so the
 * same plays are rolled out in every run. */
#include "candidates.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "value_ask.h"

static void candidate_fill(struct candidate *out, const struct bg_match *match,
                           const struct bg_play *play)
{
    const struct bg_variant *variant = match->rules.variant;
    int seat = match->need.seat;
    const struct bg_step step = {.kind = BG_STEP_PLAY, .seat = seat, .play = *play};

    out->play = *play;
    out->after = *match;
    out->made.roll = match->roll;
    bg_play_make(&out->made.board, variant, &match->board, seat, play);
    if (seat == 1) {
        bg_board_swap(&out->made.board, &out->made.board);
    }
    value_ask_fill(&out->ask, match, seat, BG_VALUE_ROLLS);
    (void)bg_match_step(&out->after, &step); /* from the list: legal */
}

void candidates_list(struct candidates *out, const struct bg_match *match)
{
    struct bg_play_list *plays = memory_zeroed(1, sizeof *plays); /* large */

    bg_play_list(plays, match->rules.variant, &match->board, match->need.seat, &match->stage);
    bg_play_list_sort(plays, match->rules.variant, &match->board, match->need.seat);
    *out = (struct candidates){memory_zeroed(plays->count, sizeof *out->list), plays->count};
    for (size_t i = 0; i < out->count; i++) {
        candidate_fill(&out->list[i], match, &plays->play[i]);
        out->list[i].ask.played = &out->list[i].made;
    }
    free(plays);
}

void candidates_deinit(struct candidates *candidates)
{
    free(candidates->list);
    *candidates = (struct candidates){.count = 0};
}

/* A stable selection: of equal values the first in the list comes first. Moving a candidate leaves
 * its ask.played behind, which is not needed any more. */
void candidates_keep(struct candidates *candidates, size_t most)
{
    for (size_t i = 0; i < candidates->count && i < most; i++) {
        size_t best = i;
        struct candidate moved;

        for (size_t j = i + 1; j < candidates->count; j++) {
            if (candidates->list[j].value > candidates->list[best].value) {
                best = j;
            }
        }
        moved = candidates->list[best];
        memmove(&candidates->list[i + 1], &candidates->list[i],
                (best - i) * sizeof *candidates->list);
        candidates->list[i] = moved;
        candidates->list[i].ask.played = NULL;
    }
    if (candidates->count > most) {
        candidates->count = most;
    }
}
