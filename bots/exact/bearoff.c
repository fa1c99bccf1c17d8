#include "bearoff.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "men.h"

/* Chances below this are left out at the end of a distribution: they cannot be told from rounding.
 */
static const float negligible = 1e-9f;

struct turns {
    uint32_t start; /* of its chances */
    uint8_t first;  /* the first turn with a chance */
    uint8_t count;  /* turns from there */
};

struct bearoff {
    struct men men;
    struct turns *turns; /* by number of the position */
    float *mean;
    float *chances; /* of all positions, one after another */
    size_t used, capacity;
};

/* The best position that a roll can lead to. */
struct choice {
    const struct bearoff *bearoff;
    uint8_t at[MEN_PLACES_MAX + 1];
    int best;
    float least;
};

static void choice_end(struct choice *choice)
{
    int number = men_number(&choice->bearoff->men, choice->at);

    if (choice->best < 0 || choice->bearoff->mean[number] < choice->least) {
        choice->best = number;
        choice->least = choice->bearoff->mean[number];
    }
}

static int farthest(const struct choice *choice)
{
    int place = choice->bearoff->men.places;

    while (place > 0 && choice->at[place] == 0) {
        place--;
    }
    return place;
}

/* Plays the dice in this order in every way, the doubles' checkers from far to near: that order of
 * the same moves is legal if any is. No number is ever lost, because the farthest checker can
 * always move or go off. */
static void choice_play(struct choice *choice, const int *dice, int count, int highest)
{
    int back = count > 0 ? farthest(choice) : 0;

    if (back == 0) {
        choice_end(choice);
        return;
    }
    for (int from = back < highest ? back : highest; from >= 1; from--) {
        int to = from - dice[0];

        if (choice->at[from] == 0 || (to < 0 && from != back) || (to <= 0 && back > 6)) {
            continue;
        }
        to = to < 0 ? 0 : to;
        choice->at[from]--;
        choice->at[to]++;
        choice_play(choice, dice + 1, count - 1,
                    count > 1 && dice[0] == dice[1] ? from : MEN_PLACES_MAX);
        choice->at[to]--;
        choice->at[from]++;
    }
}

static int best_of_roll(struct choice *choice, int high, int low)
{
    const int four[] = {high, high, high, high}, down[] = {high, low}, up[] = {low, high};

    choice->best = -1;
    if (high == low) {
        choice_play(choice, four, 4, MEN_PLACES_MAX);
    } else {
        choice_play(choice, down, 2, MEN_PLACES_MAX);
        choice_play(choice, up, 2, MEN_PLACES_MAX);
    }
    return choice->best;
}

static enum bg_status keep(struct bearoff *bearoff, int position,
                           const double chance[BEAROFF_TURNS_MAX], struct bg_error *err)
{
    struct turns *turns = &bearoff->turns[position];
    int first = 0, end = BEAROFF_TURNS_MAX;
    double mean = 0.0;

    while (first < BEAROFF_TURNS_MAX - 1 && (float)chance[first] < negligible) {
        first++;
    }
    while (end > first + 1 && (float)chance[end - 1] < negligible) {
        end--;
    }
    if (bearoff->used + BEAROFF_TURNS_MAX > bearoff->capacity) {
        size_t capacity = 2 * bearoff->capacity + (1 << 16);
        float *chances = realloc(bearoff->chances, capacity * sizeof *chances);

        if (chances == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "bear-off chances");
        }
        bearoff->chances = chances;
        bearoff->capacity = capacity;
    }
    *turns = (struct turns){(uint32_t)bearoff->used, (uint8_t)first, (uint8_t)(end - first)};
    for (int t = first; t < end; t++) {
        bearoff->chances[bearoff->used++] = (float)chance[t];
        mean += t * chance[t];
    }
    bearoff->mean[position] = (float)mean;
    return BG_OK;
}

/* All positions with a lower number are known. */
static enum bg_status solve(struct bearoff *bearoff, int position, struct bg_error *err)
{
    double chance[BEAROFF_TURNS_MAX] = {0};
    struct choice choice = {.bearoff = bearoff};

    men_place(choice.at, &bearoff->men, position);
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            const struct turns *next = &bearoff->turns[best_of_roll(&choice, high, low)];

            assert(next->first + next->count < BEAROFF_TURNS_MAX);
            for (int i = 0; i < next->count; i++) {
                chance[next->first + i + 1] += (double)bearoff->chances[next->start + (uint32_t)i] *
                                               (high == low ? 1.0 : 2.0) / 36.0;
            }
        }
    }
    return keep(bearoff, position, chance, err);
}

enum bg_status bearoff_create(struct bearoff **out, int points, struct bg_error *err)
{
    struct bearoff *bearoff = calloc(1, sizeof *bearoff);
    const double off[BEAROFF_TURNS_MAX] = {1.0};
    enum bg_status status = BG_OK;

    assert(points >= 1 && points <= BEAROFF_POINTS_MAX);
    if (bearoff == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "bear-off");
    }
    men_init(&bearoff->men, points, BG_CHECKERS);
    bearoff->turns = calloc((size_t)bearoff->men.ways, sizeof *bearoff->turns);
    bearoff->mean = calloc((size_t)bearoff->men.ways, sizeof *bearoff->mean);
    if (bearoff->turns == NULL || bearoff->mean == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "bear-off of %d points", points);
        goto done;
    }
    status = keep(bearoff, 0, off, err);
    for (int i = 1; i < bearoff->men.ways && status == BG_OK; i++) {
        status = solve(bearoff, i, err);
    }
    if (status == BG_OK) {
        *out = bearoff;
        bearoff = NULL;
    }
done:
    bearoff_destroy(bearoff);
    return status;
}

void bearoff_destroy(struct bearoff *bearoff)
{
    if (bearoff != NULL) {
        free(bearoff->turns);
        free(bearoff->mean);
        free(bearoff->chances);
        free(bearoff);
    }
}

int bearoff_count(const struct bearoff *bearoff)
{
    return bearoff->men.ways;
}

int bearoff_find(const struct bearoff *bearoff, const uint8_t at[BG_SLOTS])
{
    int here = 0;

    for (int slot = 1; slot < BG_SLOTS; slot++) {
        if (at[slot] > 0 && slot > bearoff->men.places) {
            return -1;
        }
        here += at[slot];
    }
    return here > bearoff->men.count ? -1 : men_number(&bearoff->men, at);
}

int bearoff_turns(const struct bearoff *bearoff, int position, float chance[BEAROFF_TURNS_MAX])
{
    const struct turns *turns = &bearoff->turns[position];

    memset(chance, 0, turns->first * sizeof *chance);
    memcpy(chance + turns->first, bearoff->chances + turns->start, turns->count * sizeof *chance);
    return turns->first + turns->count;
}

double bearoff_mean(const struct bearoff *bearoff, int position)
{
    return bearoff->mean[position];
}

double bearoff_win(const struct bearoff *bearoff, int own, int other)
{
    const struct turns *first = &bearoff->turns[own], *second = &bearoff->turns[other];
    const float *theirs = bearoff->chances + second->start;
    double win = 0.0, before = 0.0; /* chance that the other side is off in fewer turns */
    int known = 0;

    for (int i = 0; i < first->count; i++) {
        while (known < second->count && second->first + known < first->first + i) {
            before += (double)theirs[known++];
        }
        win += (double)bearoff->chances[first->start + (uint32_t)i] * (1.0 - before);
    }
    return win < 0.0 ? 0.0 : win > 1.0 ? 1.0 : win;
}
