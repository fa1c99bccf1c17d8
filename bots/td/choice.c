/* A small net (the sieve) values all plays, and the large one only the best few of them. How
 * many are kept is a trade of time for the best plays that the small net misjudges. A list that
 * is no longer than that is not sifted at all. */
#include "choice.h"

const struct worth WORTH_MONEY = {{2.0F, 1.0F, 1.0F, -1.0F, -1.0F}};

struct choice_candidate {
    float value;
    uint16_t play;
};

static float worth_of(const float chances[NET_OUTPUTS], const struct worth *worth)
{
    float value = 0.0F;

    for (int o = 0; o < NET_OUTPUTS; o++) {
        value += chances[o] * worth->of[o];
    }
    return value;
}

/* Keeps the best in order, the best first; of equal ones the first. */
static void rank(struct choice_candidate *best, int *count, int kept, struct choice_candidate one)
{
    int at = *count;

    if (at == kept) {
        if (best[kept - 1].value >= one.value) {
            return;
        }
        at--;
    } else {
        ++*count;
    }
    for (; at > 0 && best[at - 1].value < one.value; at--) {
        best[at] = best[at - 1];
    }
    best[at] = one;
}

void choice_all(struct choice *out, const struct bg_play_list *plays)
{
    out->count = (int)plays->count;
    for (int i = 0; i < out->count; i++) {
        out->play[i] = (uint16_t)i;
    }
}

/* In the order of the list, so that of equal plays the first is found as without a sieve. */
static void take_best(struct choice *out, const struct choice_candidate *best, int kept)
{
    out->count = 0;
    for (int i = 0; i < kept; i++) {
        int at = out->count++;

        for (; at > 0 && out->play[at - 1] > best[i].play; at--) {
            out->play[at] = out->play[at - 1];
        }
        out->play[at] = best[i].play;
    }
}

void choice_find(struct choice *out, const struct vantage *vantage,
                 const struct bg_play_list *plays, const struct worth *worth, int kept)
{
    struct choice_candidate best[CHOICE_MOST];
    int count = 0;

    if (!vantage->sifts || (int)plays->count <= kept) {
        choice_all(out, plays);
        return;
    }
    for (size_t i = 0; i < plays->count; i++) {
        float chances[NET_OUTPUTS];
        struct bg_board after;

        bg_play_make(&after, vantage->player->variant, &vantage->base.board, vantage->base.seat,
                     &plays->play[i]);
        sieve_chances(chances, &vantage->coarse, &after);
        rank(best, &count, kept, (struct choice_candidate){worth_of(chances, worth), (uint16_t)i});
    }
    take_best(out, best, kept);
}
