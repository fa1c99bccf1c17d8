#include "tally.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void tally_init(struct tally *tally, int length_points)
{
    *tally = (struct tally){.length_points = length_points};
}

void tally_deinit(struct tally *tally)
{
    for (int i = 0; i < tally->bots; i++) {
        free(tally->bot[i].name);
    }
    for (size_t i = 0; i < tally->encounters; i++) {
        free(tally->encounter[i]->pair);
        free(tally->encounter[i]);
    }
    free(tally->bot);
    free((void *)tally->encounter);
    free(tally->grid);
    *tally = (struct tally){0};
}

int tally_find(const struct tally *tally, const char *name)
{
    for (int i = 0; i < tally->bots; i++) {
        if (strcmp(tally->bot[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int *grid_cell(const struct tally *tally, int a, int b)
{
    return &tally->grid[(size_t)a * (size_t)tally->bot_room + (size_t)b];
}

/* Both directions point at the same encounter, so a look-up needs no order of names. */
static void grid_fill(struct tally *tally)
{
    size_t room = (size_t)tally->bot_room;

    memset(tally->grid, 0, room * room * sizeof *tally->grid);
    for (size_t i = 0; i < tally->encounters; i++) {
        const struct tally_encounter *e = tally->encounter[i];

        *grid_cell(tally, e->a, e->b) = (int)i + 1;
        *grid_cell(tally, e->b, e->a) = (int)i + 1;
    }
}

static enum bg_status make_bot_room(struct tally *tally, struct bg_error *err)
{
    int room = tally->bot_room == 0 ? 8 : tally->bot_room * 2;
    struct tally_bot *bot = NULL;
    int *grid = NULL;

    if (tally->bots < tally->bot_room) {
        return BG_OK;
    }
    grid = calloc((size_t)room * (size_t)room, sizeof *grid);
    bot = realloc(tally->bot, (size_t)room * sizeof *bot);
    if (bot != NULL) {
        tally->bot = bot;
    }
    if (grid == NULL || bot == NULL) {
        free(grid);
        return bg_error_set(err, BG_E_MEMORY, "tally of %d bots", room);
    }
    free(tally->grid);
    tally->grid = grid;
    tally->bot_room = room;
    grid_fill(tally);
    return BG_OK;
}

/* Where a bot belongs: entered ones in entry order, then those only seen in games, by name. That
 * makes the tally independent of the order of the games. */
static int bot_place(const struct tally *tally, const char *name, bool entered)
{
    int place = 0;

    while (place < tally->bots && tally->bot[place].entered) {
        place++;
    }
    while (!entered && place < tally->bots && strcmp(tally->bot[place].name, name) < 0) {
        place++;
    }
    return place;
}

static enum bg_status insert_bot(struct tally *tally, const char *name, bool entered,
                                 struct bg_error *err)
{
    enum bg_status status = make_bot_room(tally, err);
    int place = bot_place(tally, name, entered);
    char *copy = NULL;

    if (status != BG_OK) {
        return status;
    }
    copy = strdup(name);
    if (copy == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "name of bot %s", name);
    }
    memmove(&tally->bot[place + 1], &tally->bot[place],
            (size_t)(tally->bots - place) * sizeof *tally->bot);
    tally->bot[place] = (struct tally_bot){.name = copy, .entered = entered};
    tally->bots++;
    for (size_t i = 0; i < tally->encounters; i++) {
        struct tally_encounter *e = tally->encounter[i];

        e->a += e->a >= place ? 1 : 0;
        e->b += e->b >= place ? 1 : 0;
    }
    grid_fill(tally);
    return BG_OK;
}

/* A bot seen in games before it was entered moves to its entry place. */
static void promote_bot(struct tally *tally, int from)
{
    struct tally_bot moved = tally->bot[from];
    int to = bot_place(tally, moved.name, true);

    moved.entered = true;
    memmove(&tally->bot[to + 1], &tally->bot[to], (size_t)(from - to) * sizeof *tally->bot);
    tally->bot[to] = moved;
    for (size_t i = 0; i < tally->encounters; i++) {
        int *side[2] = {&tally->encounter[i]->a, &tally->encounter[i]->b};

        for (int s = 0; s < 2; s++) {
            if (*side[s] == from) {
                *side[s] = to;
            } else if (*side[s] >= to && *side[s] < from) {
                ++*side[s];
            }
        }
    }
    grid_fill(tally);
}

enum bg_status tally_add_bot(struct tally *tally, const char *name, struct bg_error *err)
{
    int known = tally_find(tally, name);

    if (known < 0) {
        return insert_bot(tally, name, true, err);
    }
    if (!tally->bot[known].entered) {
        promote_bot(tally, known);
    }
    return BG_OK;
}

static enum bg_status find_or_add(int *out, struct tally *tally, const char *name,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (tally_find(tally, name) < 0) {
        status = insert_bot(tally, name, false, err);
    }
    *out = tally_find(tally, name);
    return status;
}

static enum bg_status encounter_of(struct tally_encounter **out, struct tally *tally, int a, int b,
                                   struct bg_error *err)
{
    struct tally_encounter *e = NULL;
    int number = *grid_cell(tally, a, b);

    if (number > 0) {
        *out = tally->encounter[number - 1];
        return BG_OK;
    }
    if (tally->encounters == tally->encounter_room) {
        size_t room = tally->encounter_room == 0 ? 16 : tally->encounter_room * 2;
        struct tally_encounter **grown = realloc((void *)tally->encounter, room * sizeof(void *));

        if (grown == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "tally of %zu encounters", room);
        }
        tally->encounter = grown;
        tally->encounter_room = room;
    }
    e = calloc(1, sizeof *e);
    if (e == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "tally of an encounter");
    }
    e->a = a;
    e->b = b;
    tally->encounter[tally->encounters++] = e;
    *grid_cell(tally, a, b) = (int)tally->encounters;
    *grid_cell(tally, b, a) = (int)tally->encounters;
    *out = e;
    return BG_OK;
}

/* The entry of a pair, created when new. Pairs come nearly in order, so the search is short and
 * the insertion is mostly an append. */
static enum bg_status pair_of(struct tally_pair **out, struct tally_encounter *e, uint64_t number,
                              struct bg_error *err)
{
    size_t low = 0, high = e->pairs;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (e->pair[middle].pair < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < e->pairs && e->pair[low].pair == number) {
        *out = &e->pair[low];
        return BG_OK;
    }
    if (e->pairs == e->room) {
        size_t room = e->room == 0 ? 64 : e->room * 2;
        struct tally_pair *grown = realloc(e->pair, room * sizeof *grown);

        if (grown == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "tally of %zu pairs", room);
        }
        e->pair = grown;
        e->room = room;
    }
    memmove(&e->pair[low + 1], &e->pair[low], (e->pairs - low) * sizeof *e->pair);
    e->pair[low] = (struct tally_pair){.pair = number};
    e->pairs++;
    *out = &e->pair[low];
    return BG_OK;
}

static enum bg_status check_game(const struct tally *tally, const struct store_game *game,
                                 struct bg_error *err)
{
    const char *id = game->id == NULL ? "?" : game->id;

    if (game->length_points != tally->length_points) {
        return bg_error_set(err, BG_E_FORMAT, "game %s: length %d in an event of length %d", id,
                            game->length_points, tally->length_points);
    }
    if (game->a == NULL || game->b == NULL || strcmp(game->a, game->b) >= 0) {
        return bg_error_set(err, BG_E_FORMAT, "game %s: names are not in order", id);
    }
    if (game->leg < 0 || game->leg > 1 || game->winner < -1 || game->winner > 1 ||
        game->level < 0 || game->level >= TALLY_LEVELS || game->points < 0 || game->turns < 0 ||
        (int)game->end < 0 || game->end >= BG_END_COUNT || (int)game->fault < 0 ||
        game->fault >= BG_FAULT_COUNT || game->match_winner < -1 || game->match_winner > 1) {
        return bg_error_set(err, BG_E_FORMAT, "game %s: leg, winner, level or end out of range",
                            id);
    }
    return BG_OK;
}

static void count_leg(struct tally *tally, struct tally_encounter *e, struct tally_pair *pair,
                      const struct store_game *game)
{
    int winner = game->length_points == 0 ? game->winner : game->match_winner;

    if (game->length_points > 0 && !game->match_over) {
        return;
    }
    tally->legs++;
    if (winner < 0) {
        pair->leg[game->leg] = TALLY_DRAWN;
        e->legs_drawn++;
    } else {
        pair->leg[game->leg] = winner == 0 ? TALLY_WON_A : TALLY_WON_B;
        e->legs_won[winner]++;
    }
}

enum bg_status tally_add_game(struct tally *tally, const struct store_game *game,
                              struct bg_error *err)
{
    struct tally_encounter *e = NULL;
    struct tally_pair *pair = NULL;
    enum bg_status status = check_game(tally, game, err);
    int a = 0, b = 0;

    if (status == BG_OK) {
        status = find_or_add(&a, tally, game->a, err);
    }
    if (status == BG_OK) {
        status = find_or_add(&b, tally, game->b, err);
    }
    if (status == BG_OK) {
        a = tally_find(tally, game->a); /* adding b may have moved it */
        status = encounter_of(&e, tally, a, b, err);
    }
    if (status == BG_OK) {
        status = pair_of(&pair, e, game->pair, err);
    }
    if (status != BG_OK) {
        return status;
    }
    pair->games[game->leg]++;
    e->games++;
    e->ends[game->end]++;
    e->turns += (uint64_t)game->turns;
    if (game->winner < 0) {
        e->levels[0][0]++;
    } else {
        e->won[game->winner]++;
        e->levels[game->winner][game->level]++;
        e->squares += (double)game->points * (double)game->points;
        pair->points[game->leg][game->winner] += game->points;
    }
    count_leg(tally, e, pair, game);
    tally->bot[a].games++;
    tally->bot[b].games++;
    if (game->end == BG_END_FAULT && game->winner >= 0) {
        tally->bot[game->winner == 0 ? b : a].faults[game->fault]++;
    }
    tally->games++;
    return BG_OK;
}

const struct tally_encounter *tally_encounter(const struct tally *tally, int x, int y, bool *flip)
{
    int number = 0;

    assert(x >= 0 && x < tally->bots && y >= 0 && y < tally->bots);
    number = x == y ? 0 : *grid_cell(tally, x, y);
    if (number == 0) {
        return NULL;
    }
    *flip = tally->encounter[number - 1]->a != x;
    return tally->encounter[number - 1];
}

static void sum_pair(struct tally_sum *out, const struct tally_pair *pair, int own)
{
    int won = 0, lost = 0;

    for (int leg = 0; leg < 2; leg++) {
        int64_t points = pair->points[leg][own] - pair->points[leg][1 - own];

        if (pair->leg[leg] == TALLY_OPEN) {
            continue;
        }
        won += pair->leg[leg] == (own == 0 ? TALLY_WON_A : TALLY_WON_B);
        lost += pair->leg[leg] == (own == 0 ? TALLY_WON_B : TALLY_WON_A);
        out->legs++;
        out->points += points;
        out->points_for += pair->points[leg][own];
        out->points_against += pair->points[leg][1 - own];
        out->seat_points[leg == own ? 0 : 1] += points; /* leg 0: A sits on seat 0 */
        out->seat_games[leg == own ? 0 : 1] += pair->games[leg];
    }
    out->legs_won += (uint64_t)won;
    out->legs_lost += (uint64_t)lost;
    out->clusters += pair->leg[0] != TALLY_OPEN || pair->leg[1] != TALLY_OPEN;
    if (won + lost == 2) {
        out->pairs[won]++;
    } else if (won + lost == 1) {
        out->halves[won]++;
    }
}

static void sum_encounter(struct tally_sum *out, const struct tally_encounter *e, int own)
{
    out->games += e->games;
    out->won += e->won[own];
    out->lost += e->won[1 - own];
    out->turns += e->turns;
    out->squares += e->squares;
    for (int level = 1; level < TALLY_LEVELS; level++) {
        out->levels[level] += e->levels[own][level];
    }
    out->levels[0] += e->levels[0][0];
    for (size_t i = 0; i < e->pairs; i++) {
        sum_pair(out, &e->pair[i], own);
    }
}

/* The foes of a loop over one (foe >= 0) or all of them. */
static int first_foe(int foe)
{
    return foe < 0 ? 0 : foe;
}

static int last_foe(const struct tally *tally, int foe)
{
    return foe < 0 ? tally->bots - 1 : foe;
}

void tally_sum(struct tally_sum *out, const struct tally *tally, int bot, int foe)
{
    *out = (struct tally_sum){0};
    for (int other = first_foe(foe); other <= last_foe(tally, foe); other++) {
        bool flip = false;
        const struct tally_encounter *e = tally_encounter(tally, bot, other, &flip);

        if (e != NULL) {
            sum_encounter(out, e, flip ? 1 : 0);
        }
    }
}

static size_t cluster_fill(double *points, double *games, const struct tally_encounter *e,
                           bool flip)
{
    size_t count = 0;

    for (size_t i = 0; i < e->pairs; i++) {
        const struct tally_pair *pair = &e->pair[i];
        double sum = 0, n = 0;

        for (int leg = 0; leg < 2; leg++) {
            if (pair->leg[leg] != TALLY_OPEN) {
                sum += (double)(pair->points[leg][0] - pair->points[leg][1]);
                n += pair->games[leg];
            }
        }
        if (n > 0) {
            points[count] = flip ? -sum : sum;
            games[count++] = n;
        }
    }
    return count;
}

enum bg_status tally_clusters(double **points, double **games, size_t *count,
                              const struct tally *tally, int bot, int foe, struct bg_error *err)
{
    size_t room = 1;
    bool flip = false;

    *count = 0;
    for (int other = first_foe(foe); other <= last_foe(tally, foe); other++) {
        const struct tally_encounter *e = tally_encounter(tally, bot, other, &flip);

        room += e != NULL ? e->pairs : 0;
    }
    *points = calloc(room, sizeof **points);
    *games = calloc(room, sizeof **games);
    if (*points == NULL || *games == NULL) {
        free(*points);
        free(*games);
        *points = *games = NULL;
        return bg_error_set(err, BG_E_MEMORY, "%zu clusters", room);
    }
    for (int other = first_foe(foe); other <= last_foe(tally, foe); other++) {
        const struct tally_encounter *e = tally_encounter(tally, bot, other, &flip);

        if (e != NULL) {
            *count += cluster_fill(*points + *count, *games + *count, e, flip);
        }
    }
    return BG_OK;
}
