#include "ladder.h"

#include <stdlib.h>

#include "base/memory.h"

/* The data for choosing a challenge. */
struct ladder_places {
    int count;
    int *entrant; /* [place]: the entrant there, without those that have left */
    int *played;  /* [place]: number of meetings */
    int *latest;  /* [place]: the latest opponent, FORMS_NOBODY */
    bool *free;   /* [place] */
};

static int compare_ends(const void *x, const void *y)
{
    const struct meeting *a = *(const struct meeting *const *)x;
    const struct meeting *b = *(const struct meeting *const *)y;

    return (a->ended > b->ended) - (a->ended < b->ended);
}

int ladder_place(const int *order, int count, int entrant)
{
    int place = 0;

    while (place < count && order[place] != entrant) {
        place++;
    }
    return place;
}

void ladder_move(int *order, int count, int winner, int loser, bool swap)
{
    int from = ladder_place(order, count, winner), to = ladder_place(order, count, loser);

    if (from == count || from < to) {
        return; /* the better placed entrant won */
    }
    if (swap) {
        order[from] = loser;
    }
    for (int i = from; !swap && i > to; i--) {
        order[i] = order[i - 1];
    }
    order[to] = winner;
}

void ladder_order(int *order, const struct history *history, const struct ladder_options *options)
{
    const struct meeting **ended = memory_zeroed(history->meetings, sizeof *ended);
    size_t count = 0;

    for (int i = 0; i < history->entrants; i++) {
        order[i] = i;
    }
    for (size_t i = 0; i < history->meetings; i++) {
        const struct meeting *meeting = &history->meeting[i];

        if (meeting->ended > 0 &&
            (meeting->kind == MEETING_PLAYED || meeting->kind == MEETING_WALKOVER)) {
            ended[count++] = meeting;
        }
    }
    qsort(ended, count, sizeof *ended, compare_ends);
    for (size_t i = 0; i < count; i++) {
        double score = meeting_score(ended[i], ended[i]->a);

        if (score > 0.5) {
            ladder_move(order, history->entrants, ended[i]->a, ended[i]->b, options->swap);
        } else if (score < 0.5) {
            ladder_move(order, history->entrants, ended[i]->b, ended[i]->a, options->swap);
        }
    }
    free(ended);
}

/* Fills places from the order: entrants, number of meetings, latest opponents. */
static void look_at_places(struct ladder_places *places, const int *order,
                           const struct history *history, const bool *busy)
{
    for (int i = 0; i < history->entrants; i++) {
        int entrant = order[i], place = places->count;

        /* Places of those that have left are skipped, so that a gap does not shorten anybody's
         * reach. */
        if (history->entrant[entrant].left) {
            continue;
        }
        places->entrant[place] = entrant;
        places->played[place] = 0;
        places->latest[place] = FORMS_NOBODY;
        places->free[place] = busy == NULL || !busy[entrant];
        for (size_t k = 0; k < history->meetings; k++) {
            const struct meeting *meeting = &history->meeting[k];

            if (meeting_has(meeting, entrant)) {
                places->played[place]++;
                places->latest[place] = meeting->a == entrant ? meeting->b : meeting->a;
                places->free[place] = places->free[place] && meeting->ended > 0;
            }
        }
        places->count++;
    }
}

/* Returns the place that the entrant at a place may challenge, above it; -1: none. */
static int target(const struct ladder_places *places, int place, int reach, bool rematches)
{
    for (int above = place > reach ? place - reach : 0; above < place; above++) {
        bool rematch = places->latest[above] == places->entrant[place] ||
                       places->latest[place] == places->entrant[above];

        if (places->free[above] && (rematches || !rematch)) {
            return above;
        }
    }
    return -1;
}

/* Returns the place of the best challenger: fewest meetings, then lowest place; -1: none can
 * challenge. */
static int challenger(const struct ladder_places *places, int reach, bool rematches)
{
    int best = -1;

    for (int place = places->count - 1; place > 0; place--) {
        if (places->free[place] && target(places, place, reach, rematches) >= 0 &&
            (best < 0 || places->played[place] < places->played[best])) {
            best = place;
        }
    }
    return best;
}

bool ladder_next(struct meeting *out, const struct history *history, const bool *busy,
                 const struct ladder_options *options)
{
    size_t n = (size_t)history->entrants;
    int *order = memory_zeroed(n, sizeof *order);
    struct ladder_places places = {0, memory_zeroed(n, sizeof(int)), memory_zeroed(n, sizeof(int)),
                                   memory_zeroed(n, sizeof(int)), memory_zeroed(n, sizeof(bool))};
    bool found = false;

    ladder_order(order, history, options);
    look_at_places(&places, order, history, busy);
    /* A rematch only if nothing else is possible: two neighbours would otherwise challenge each
     * other in turn. */
    for (int rematches = 0; rematches <= 1 && !found; rematches++) {
        int place = challenger(&places, options->reach, rematches == 1);

        if (place >= 0) {
            int above = target(&places, place, options->reach, rematches == 1);

            *out = (struct meeting){.a = places.entrant[place], .b = places.entrant[above]};
            found = true;
        }
    }
    free(order);
    free(places.entrant);
    free(places.played);
    free(places.latest);
    free(places.free);
    return found;
}
