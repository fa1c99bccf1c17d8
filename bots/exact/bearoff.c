/* One side's bear-off as a distribution of turns, since in a race without contact neither side
 * changes what the other does. Positions are numbered so that each roll leads to a lower number
 * (men.c): one pass in order of numbers solves all. Plays minimise the mean number of turns,
 * which is nearly, not always, the best in a race against a known opponent. */
#include "bearoff.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept_file.h"
#include "men.h"

#define FORMAT "bgref bear-off of one side 1\npoints %d\npositions %d\nchances %zu\n"

/* Chances below this are left out at the end of a distribution: they cannot be told from rounding.
 */
static const float negligible = 1e-9f;

struct bearoff_turns {
    uint32_t start;  /* of its chances */
    uint8_t first;   /* the first turn with a chance */
    uint8_t count;   /* turns from there */
    uint16_t unused; /* 0: a file has these bytes too */
};

struct bearoff {
    struct men men;
    struct bearoff_turns *turns; /* by number of the position */
    float *mean;
    float *chances; /* of all positions, one after another */
    size_t used, capacity;
    struct kept_file kept; /* has the three, if it is open; else they are allocated */
};

/* The best position that a roll can lead to. */
struct bearoff_choice {
    const struct bearoff *bearoff;
    uint8_t at[MEN_PLACES_MAX + 1];
    int best;
    float least;
};

static void choice_end(struct bearoff_choice *choice)
{
    int number = men_number(&choice->bearoff->men, choice->at);

    if (choice->best < 0 || choice->bearoff->mean[number] < choice->least) {
        choice->best = number;
        choice->least = choice->bearoff->mean[number];
    }
}

static int farthest(const struct bearoff_choice *choice)
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
static void choice_play(struct bearoff_choice *choice, const int *dice, int count, int highest)
{
    int back = count > 0 ? farthest(choice) : 0;

    if (back == 0) {
        choice_end(choice);
        return;
    }
    for (int from = back < highest ? back : highest; from >= 1; from--) {
        int to = from - dice[0];

        /* G4: a larger number bears off from the farthest point only, and nothing goes off while
         * one is not home. */
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

static int best_of_roll(struct bearoff_choice *choice, int high, int low)
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

static enum bg_status keep_chances(struct bearoff *bearoff, int position,
                                   const double chance[BEAROFF_TURNS_MAX], struct bg_error *err)
{
    struct bearoff_turns *turns = &bearoff->turns[position];
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
    *turns =
        (struct bearoff_turns){(uint32_t)bearoff->used, (uint8_t)first, (uint8_t)(end - first), 0};
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
    struct bearoff_choice choice = {.bearoff = bearoff};

    men_place(choice.at, &bearoff->men, position);
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            const struct bearoff_turns *next = &bearoff->turns[best_of_roll(&choice, high, low)];

            assert(next->first + next->count < BEAROFF_TURNS_MAX);
            for (int i = 0; i < next->count; i++) {
                chance[next->first + i + 1] += (double)bearoff->chances[next->start + (uint32_t)i] *
                                               (high == low ? 1.0 : 2.0) / 36.0;
            }
        }
    }
    return keep_chances(bearoff, position, chance, err);
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
    status = keep_chances(bearoff, 0, off, err);
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
    if (bearoff == NULL) {
        return;
    }
    if (bearoff->kept.map == NULL) {
        free(bearoff->turns);
        free(bearoff->mean);
        free(bearoff->chances);
    }
    kept_file_close(&bearoff->kept);
    free(bearoff);
}

/* ---- as a file ---- */

/* The file has the turns, the means and the chances, one after another. */
static size_t bytes_of(int ways, size_t chances)
{
    return (size_t)ways * (sizeof(struct bearoff_turns) + sizeof(float)) + chances * sizeof(float);
}

enum bg_status bearoff_write(const struct bearoff *bearoff, const char *path, struct bg_error *err)
{
    const size_t ways = (size_t)bearoff->men.ways;
    const size_t size = bytes_of(bearoff->men.ways, bearoff->used);
    char text[200], *bytes = malloc(size), *at = bytes;
    enum bg_status status;

    if (bytes == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "write %s: %zu bytes", path, size);
    }
    memcpy(at, bearoff->turns, ways * sizeof *bearoff->turns);
    at += ways * sizeof *bearoff->turns;
    memcpy(at, bearoff->mean, ways * sizeof *bearoff->mean);
    at += ways * sizeof *bearoff->mean;
    memcpy(at, bearoff->chances, bearoff->used * sizeof *bearoff->chances);
    snprintf(text, sizeof text, FORMAT, bearoff->men.places, bearoff->men.ways, bearoff->used);
    status = kept_file_write(path, text, bytes, size, err);
    free(bytes);
    return status;
}

static enum bg_status check_table(struct bearoff *bearoff, const char *path, int points,
                                  struct bg_error *err)
{
    const struct kept_file *kept = &bearoff->kept;
    const size_t ways = (size_t)bearoff->men.ways;
    int found_points = 0, found_ways = 0;
    unsigned long long sum = 0;

    if (sscanf(kept->text, FORMAT "digest %llx\n", &found_points, &found_ways, &bearoff->used,
               &sum) != 4) {
        return bg_error_set(err, BG_E_FORMAT, "%s: not a table of bear-offs", path);
    }
    if (found_points != points || found_ways != bearoff->men.ways ||
        bearoff->used > ways * BEAROFF_TURNS_MAX ||
        kept->size != bytes_of(found_ways, bearoff->used)) {
        return bg_error_set(err, BG_E_FORMAT, "%s: not complete, or not for %d points", path,
                            points);
    }
    /* A table with one wrong byte would be believed for ever. */
    if (kept_file_digest(kept->bytes, kept->size) != sum) {
        return bg_error_set(err, BG_E_FORMAT, "%s: damaged, its digest differs", path);
    }
    bearoff->turns = (struct bearoff_turns *)(void *)((char *)kept->map + KEPT_FILE_TEXT);
    bearoff->mean = (float *)(void *)(bearoff->turns + ways);
    bearoff->chances = bearoff->mean + ways;
    return BG_OK;
}

enum bg_status bearoff_open(struct bearoff **out, const char *path, int points,
                            struct bg_error *err)
{
    struct bearoff *bearoff = calloc(1, sizeof *bearoff);
    enum bg_status status;

    if (bearoff == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "bear-off");
    }
    men_init(&bearoff->men, points, BG_CHECKERS);
    status = kept_file_open(&bearoff->kept, path, err);
    if (status == BG_OK) {
        status = check_table(bearoff, path, points, err);
    }
    if (status == BG_OK) {
        *out = bearoff;
        bearoff = NULL;
    }
    bearoff_destroy(bearoff);
    return status;
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
    const struct bearoff_turns *turns = &bearoff->turns[position];

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
    const struct bearoff_turns *first = &bearoff->turns[own], *second = &bearoff->turns[other];
    const float *theirs = bearoff->chances + second->start;
    double win = 0.0, before = 0.0; /* chance that the other side is off in fewer turns */
    int known = 0;

    for (int i = 0; i < first->count; i++) {
        while (known < second->count && second->first + known < first->first + i) {
            before += (double)theirs[known++];
        }
        win += (double)bearoff->chances[first->start + (uint32_t)i] * (1.0 - before);
    }
    /* Chances were cut (negligible) and are floats: their sum is 1 only nearly. */
    return win < 0.0 ? 0.0 : win > 1.0 ? 1.0 : win;
}
