#include "plays_plain.h"

#include <stdlib.h>

struct search {
    struct plain_list *out;
    int seat;
    int number[4], numbers;
    int most, sum; /* of the best sequences so far */
};

bool plain_has(const struct plain_list *list, const struct bg_board *board)
{
    for (int i = 0; i < list->count; i++) {
        if (bg_board_equal(&list->result[i], board)) {
            return true;
        }
    }
    return false;
}

/* G1 to G4 for one checker and one number. */
static bool move_one(struct bg_board *board, int seat, int from, int number)
{
    uint8_t *own = board->at[seat], *foe = board->at[1 - seat];
    const int to = from - number;

    if (own[from] == 0 || (own[25] > 0 && from != 25)) {
        return false;
    }
    if (to >= 1) {
        if (foe[25 - to] >= 2) {
            return false;
        }
        if (foe[25 - to] == 1) {
            foe[25 - to] = 0;
            foe[25]++;
        }
        own[from]--;
        own[to]++;
        return true;
    }
    for (int slot = 7; slot <= 25; slot++) {
        if (own[slot] > 0) {
            return false;
        }
    }
    for (int slot = from + 1; slot <= 6; slot++) {
        if (own[slot] > 0 && to < 0) {
            return false;
        }
    }
    own[from]--;
    own[0]++;
    return true;
}

/* A sequence that cannot be continued: G6 keeps the most numbers, then the largest sum. */
static void finish(struct search *search, const struct bg_board *board, int used, int sum)
{
    if (used == 0 || used < search->most || (used == search->most && sum < search->sum)) {
        return;
    }
    if (used > search->most || sum > search->sum) {
        search->most = used;
        search->sum = sum;
        search->out->count = 0;
    }
    if (!plain_has(search->out, board)) {
        if (search->out->count == PLAIN_MAX) {
            abort();
        }
        search->out->result[search->out->count++] = *board;
    }
}

static void go_on(struct search *search, const struct bg_board *board, unsigned done, int used,
                  int sum)
{
    bool stuck = true;

    for (int i = 0; i < search->numbers; i++) {
        if ((done >> i & 1) != 0) {
            continue;
        }
        for (int from = 1; from <= 25; from++) {
            struct bg_board next = *board;

            if (move_one(&next, search->seat, from, search->number[i])) {
                stuck = false;
                go_on(search, &next, done | 1u << i, used + 1, sum + search->number[i]);
            }
        }
        if (search->numbers == 4) {
            break; /* equal numbers: it does not matter which of them comes next */
        }
    }
    if (stuck) {
        finish(search, board, used, sum);
    }
}

void plays_plain(struct plain_list *out, const struct bg_board *board, int seat, int a, int b)
{
    struct search search = {
        .out = out, .seat = seat, .number = {a, b, a, b}, .numbers = a == b ? 4 : 2};

    out->count = 0;
    go_on(&search, board, 0, 0, 0);
}
