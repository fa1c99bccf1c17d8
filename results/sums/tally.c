/* Encounters are found by a grid of all bots by all bots, since every game asks for one. Sums
 * are kept by adding and never by reading games again, so that a running event can be followed
 * game by game. */
#include "tally.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/plural.h"

void tally_init(struct tally *tally, int length_points)
{
    *tally = (struct tally){.length_points = length_points, .length_most = length_points};
}

void tally_deinit(struct tally *tally)
{
    for (int i = 0; i < tally->bots; i++) {
        free(tally->bot[i].name);
        free(tally->bot[i].display);
        free(tally->bot[i].editions);
    }
    for (size_t i = 0; i < tally->encounters; i++) {
        free(tally->encounter[i]->pair);
        free(tally->encounter[i]->part);
        free(tally->encounter[i]);
    }
    free(tally->bot);
    free(tally->by_name);
    free(tally->conditions);
    free((void *)tally->encounter);
    free(tally->grid);
    *tally = (struct tally){0};
}

/* Returns the place of a name in the sorted names, or where to insert it. */
static int name_place(const struct tally *tally, const char *name)
{
    int low = 0, high = tally->bots;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (strcmp(tally->bot[tally->by_name[middle]].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int tally_find(const struct tally *tally, const char *name)
{
    int place = name_place(tally, name);

    return place < tally->bots && strcmp(tally->bot[tally->by_name[place]].name, name) == 0
               ? tally->by_name[place]
               : -1;
}

static int *grid_cell(const struct tally *tally, int a, int b)
{
    return &tally->grid[(size_t)a * (size_t)tally->bot_room + (size_t)b];
}

/* Both directions refer to the same encounter, so a look-up needs no order of names. */
static void grid_fill(struct tally *tally)
{
    size_t room = (size_t)tally->bot_room;

    if (tally->encounters == 0) {
        return; /* keeps entering a thousand names quick: they come before the first encounter */
    }
    memset(tally->grid, 0, room * room * sizeof *tally->grid);
    for (size_t i = 0; i < tally->encounters; i++) {
        const struct tally_encounter *e = tally->encounter[i];

        *grid_cell(tally, e->a, e->b) = (int)i + 1;
        *grid_cell(tally, e->b, e->a) = (int)i + 1;
    }
}

static void make_bot_room(struct tally *tally)
{
    size_t room = (size_t)tally->bot_room, rooms = room;

    if (tally->bots < tally->bot_room) {
        return;
    }
    tally->bot = memory_list(tally->bot, &room, room + 1, sizeof *tally->bot);
    tally->by_name = memory_list(tally->by_name, &rooms, room, sizeof *tally->by_name);
    free(tally->grid);
    tally->grid = memory_zeroed(room * room, sizeof *tally->grid);
    tally->bot_room = (int)room;
    grid_fill(tally);
}

/* Returns a bot's place: entered bots in entry order, then bots only seen in games, by name. So the
 * tally does not depend on the order of the games. */
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

static void insert_bot(struct tally *tally, const char *name, bool entered)
{
    int place = bot_place(tally, name, entered), order = name_place(tally, name);

    make_bot_room(tally);
    memmove(&tally->bot[place + 1], &tally->bot[place],
            (size_t)(tally->bots - place) * sizeof *tally->bot);
    tally->bot[place] = (struct tally_bot){.name = memory_text(name), .entered = entered};
    for (int i = 0; i < tally->bots; i++) {
        tally->by_name[i] += tally->by_name[i] >= place ? 1 : 0;
    }
    memmove(&tally->by_name[order + 1], &tally->by_name[order],
            (size_t)(tally->bots - order) * sizeof *tally->by_name);
    tally->by_name[order] = place;
    tally->bots++;
    for (size_t i = 0; i < tally->encounters; i++) {
        struct tally_encounter *e = tally->encounter[i];

        /* Bots are kept in their final order, so those behind the new one move on, and who
         * refers to them moves along. */
        e->a += e->a >= place ? 1 : 0;
        e->b += e->b >= place ? 1 : 0;
    }
    grid_fill(tally);
}

static void set_text(char **text, const char *value)
{
    free(*text);
    *text = memory_text(value);
}

void tally_set_editions(struct tally *tally, const char *name, const char *editions)
{
    int bot = tally_find(tally, name);

    if (bot >= 0) {
        set_text(&tally->bot[bot].editions, editions);
    }
}

void tally_set_conditions(struct tally *tally, const char *conditions)
{
    if (conditions[0] != '\0') {
        set_text(&tally->conditions, conditions);
    }
}

void tally_set_display(struct tally *tally, const char *name, const char *display)
{
    int bot = tally_find(tally, name);

    if (bot >= 0) {
        set_text(&tally->bot[bot].display, display);
    }
}

const char *tally_shown(const struct tally *tally, int bot)
{
    const struct tally_bot *known = &tally->bot[bot];

    return known->display != NULL ? known->display : known->name;
}

/* Moves a bot that was seen in games before it was entered to its entry place. */
static void promote_bot(struct tally *tally, int from)
{
    struct tally_bot moved = tally->bot[from];
    int to = bot_place(tally, moved.name, true);

    moved.entered = true;
    memmove(&tally->bot[to + 1], &tally->bot[to], (size_t)(from - to) * sizeof *tally->bot);
    tally->bot[to] = moved;
    for (int i = 0; i < tally->bots; i++) {
        int *bot = &tally->by_name[i];

        *bot = *bot == from ? to : *bot >= to && *bot < from ? *bot + 1 : *bot;
    }
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

void tally_add_bot(struct tally *tally, const char *name)
{
    int known = tally_find(tally, name);

    if (known < 0) {
        insert_bot(tally, name, true);
    } else if (!tally->bot[known].entered) {
        promote_bot(tally, known);
    }
}

/* tally_find for side 0 or 1 of encounters, which mostly come in the order of their names. */
static int find_next(struct tally *tally, int side, const char *name)
{
    int *last = &tally->last[side];

    for (int place = *last; place <= *last + 1 && place < tally->bots; place++) {
        if (strcmp(tally->bot[tally->by_name[place]].name, name) == 0) {
            *last = place;
            return tally->by_name[place];
        }
    }
    *last = name_place(tally, name);
    return tally_find(tally, name);
}

static int find_or_add(struct tally *tally, const char *name)
{
    if (tally_find(tally, name) < 0) {
        insert_bot(tally, name, false);
    }
    return tally_find(tally, name);
}

static struct tally_encounter *encounter_of(struct tally *tally, int a, int b)
{
    struct tally_encounter *e = NULL;
    int number = *grid_cell(tally, a, b);

    if (number > 0) {
        return tally->encounter[number - 1];
    }
    tally->encounter = memory_list((void *)tally->encounter, &tally->encounter_room,
                                   tally->encounters + 1, sizeof(void *));
    e = memory_zeroed(1, sizeof *e);
    e->a = a;
    e->b = b;
    tally->encounter[tally->encounters++] = e;
    *grid_cell(tally, a, b) = (int)tally->encounters;
    *grid_cell(tally, b, a) = (int)tally->encounters;
    return e;
}

/* Returns the entry of a pair, or creates it. Pairs come nearly in order, so the search is short
 * and inserting is mostly appending. */
static struct tally_pair *pair_of(struct tally_encounter *e, uint64_t number)
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
    if (low == e->pairs || e->pair[low].pair != number) {
        e->pair = memory_list(e->pair, &e->room, e->pairs + 1, sizeof *e->pair);
        memmove(&e->pair[low + 1], &e->pair[low], (e->pairs - low) * sizeof *e->pair);
        e->pair[low] = (struct tally_pair){.pair = number};
        e->pairs++;
    }
    return &e->pair[low];
}

/* A tally can allow matches of several lengths (any_length), but never money games among
 * matches. */
static bool fits(const struct tally *tally, int length_points)
{
    return length_points == tally->length_points ||
           (tally->any_length && length_points > 0 && tally->length_points > 0);
}

static enum bg_status check_game(const struct tally *tally, const struct store_game *game,
                                 struct bg_error *err)
{
    const char *id = game->id == NULL ? "?" : game->id;
    struct encounter_game facts = encounter_game_of(game);

    if (!fits(tally, game->length_points)) {
        return bg_error_set(err, BG_E_FORMAT, "game %s: length %d in an event of length %d", id,
                            game->length_points, tally->length_points);
    }
    if (game->a == NULL || game->b == NULL || strcmp(game->a, game->b) >= 0) {
        return bg_error_set(err, BG_E_FORMAT, "game %s: names are not in order", id);
    }
    if (!encounter_game_is_sound(&facts) || (int)game->fault < 0 || game->fault >= BG_FAULT_COUNT) {
        return bg_error_set(err, BG_E_FORMAT, "game %s: leg, winner, level or end out of range",
                            id);
    }
    return BG_OK;
}

static uint64_t legs_of(const struct encounter *total)
{
    return (uint64_t)total->count[ENCOUNTER_LEGS_WON] + total->count[ENCOUNTER_LEGS_WON + 1] +
           total->count[ENCOUNTER_LEGS_DRAWN];
}

/* Returns the encounter of two names; adds unknown names. */
static struct tally_encounter *meet(struct tally *tally, const char *name_a, const char *name_b)
{
    int a = find_next(tally, 0, name_a), b = find_next(tally, 1, name_b);

    if (a < 0 || b < 0) {
        (void)find_or_add(tally, name_a);
        b = find_or_add(tally, name_b);
        a = tally_find(tally, name_a); /* adding b may have changed it */
    }
    return encounter_of(tally, a, b);
}

/* Returns the part of an encounter at this length; NULL if the tally has one length only. */
static struct tally_part *part_of(struct tally *tally, struct tally_encounter *e, int length_points)
{
    if (!tally->any_length) {
        return NULL;
    }
    for (size_t i = 0; i < e->parts; i++) {
        if (e->part[i].length_points == length_points) {
            return &e->part[i];
        }
    }
    e->part = memory_list(e->part, &e->part_room, e->parts + 1, sizeof *e->part);
    e->part[e->parts] = (struct tally_part){.length_points = length_points};
    tally->parts++;
    return &e->part[e->parts++];
}

/* Before its games. An event whose matches all have another length has only that one. */
static void widen(struct tally *tally, int length_points)
{
    if (tally->games == 0 && tally->legs == 0 && tally->any_length) {
        tally->length_points = tally->length_most = length_points;
    }
    tally->length_points =
        length_points < tally->length_points ? length_points : tally->length_points;
    tally->length_most = length_points > tally->length_most ? length_points : tally->length_most;
}

enum bg_status tally_add_game(struct tally *tally, const struct store_game *game,
                              struct bg_error *err)
{
    struct encounter_game facts = encounter_game_of(game);
    struct tally_encounter *e;
    struct tally_pair *pair;
    struct tally_part *part;
    enum bg_status status = check_game(tally, game, err);

    if (status != BG_OK) {
        return status;
    }
    e = meet(tally, game->a, game->b);
    pair = pair_of(e, game->pair);
    part = part_of(tally, e, game->length_points);
    widen(tally, game->length_points);
    if (part != NULL) {
        /* A copy: the pair moves on only once, with the total over all lengths. */
        struct pair before = pair->stands;

        encounter_add_game(&part->total, &before, &facts);
    }
    /* Taken out and put back: how many legs a game decides is known only after it was counted. */
    tally->legs -= legs_of(&e->total);
    encounter_add_game(&e->total, &pair->stands, &facts);
    tally->legs += legs_of(&e->total);
    tally->bot[e->a].games++;
    tally->bot[e->b].games++;
    if (game->end == BG_END_FAULT && game->winner >= 0) {
        tally->bot[game->winner == 0 ? e->b : e->a].faults[game->fault]++;
    }
    tally->games++;
    return BG_OK;
}

enum bg_status tally_add_encounter(struct tally *tally, const char *a, const char *b,
                                   int length_points, const struct encounter *total,
                                   struct bg_error *err)
{
    uint64_t games = total->count[ENCOUNTER_GAMES];
    struct tally_encounter *e;
    struct tally_part *part;

    if (!fits(tally, length_points) || strcmp(a, b) >= 0) {
        return bg_error_set(err, BG_E_FORMAT,
                            "games of %s and %s: length %d in an event of length %d, or names out "
                            "of order",
                            a, b, length_points, tally->length_points);
    }
    e = meet(tally, a, b);
    part = part_of(tally, e, length_points);
    widen(tally, length_points);
    if (part != NULL) {
        encounter_merge(&part->total, total);
    }
    encounter_merge(&e->total, total);
    tally->legs += legs_of(total);
    tally->games += games;
    tally->bot[e->a].games += games;
    tally->bot[e->b].games += games;
    return BG_OK;
}

void tally_add_pair(struct tally *tally, const char *a, const char *b, uint64_t pair,
                    const struct pair *stands)
{
    pair_of(meet(tally, a, b), pair)->stands = *stands;
}

static bool is_among(const struct game_id *pairs, size_t count, const char *a, const char *b,
                     uint64_t pair)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].pair == pair && strcmp(pairs[i].a, a) == 0 && strcmp(pairs[i].b, b) == 0) {
            return true;
        }
    }
    return false;
}

void tally_add_open(struct tally *tally, const struct tally *other, const struct game_id *but,
                    size_t count, int legs)
{
    for (size_t i = 0; i < other->encounters; i++) {
        const struct tally_encounter *e = other->encounter[i];
        const char *a = other->bot[e->a].name, *b = other->bot[e->b].name;

        for (size_t k = 0; k < e->pairs; k++) {
            const struct tally_pair *pair = &e->pair[k];

            if (pair_sum_of(&pair->stands).decided < legs &&
                !is_among(but, count, a, b, pair->pair)) {
                tally_add_pair(tally, a, b, pair->pair, &pair->stands);
            }
        }
    }
}

enum bg_status tally_add_faults(struct tally *tally, const char *bot, enum bg_fault fault,
                                uint64_t games, struct bg_error *err)
{
    if ((int)fault < 0 || fault >= BG_FAULT_COUNT) {
        return bg_error_set(err, BG_E_FORMAT, "fault %d of %s: unknown fault number", (int)fault,
                            bot);
    }
    tally->bot[find_or_add(tally, bot)].faults[fault] += games;
    return BG_OK;
}

void tally_lengths(char out[TALLY_LENGTHS], const struct tally *tally)
{
    if (tally->length_most > tally->length_points) {
        snprintf(out, TALLY_LENGTHS, "of %d to %d points", tally->length_points,
                 tally->length_most);
    } else {
        snprintf(out, TALLY_LENGTHS, "to %d point%s", tally->length_points,
                 plural_s((uint64_t)tally->length_points));
    }
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

/* own: 0 for A's view, 1 for B's. */
static void sum_encounter(struct tally_sum *out, const struct encounter *e, int own)
{
    const uint32_t *count = e->count;
    int sign = own == 0 ? 1 : -1;

    out->games += count[ENCOUNTER_GAMES];
    out->won += count[ENCOUNTER_GAMES_WON + own];
    out->lost += count[ENCOUNTER_GAMES_WON + 1 - own];
    out->legs += legs_of(e);
    out->legs_won += count[ENCOUNTER_LEGS_WON + own];
    out->legs_lost += count[ENCOUNTER_LEGS_WON + 1 - own];
    out->points_for += e->sum[ENCOUNTER_POINTS + own];
    out->points_against += e->sum[ENCOUNTER_POINTS + 1 - own];
    out->squares += (double)e->sum[ENCOUNTER_SQUARES];
    out->turns += (uint64_t)e->sum[ENCOUNTER_TURNS];
    out->levels[0] += count[ENCOUNTER_LEVEL];
    for (int level = 1; level < TALLY_LEVELS; level++) {
        out->levels[level] += count[ENCOUNTER_LEVEL + own * TALLY_LEVELS + level];
    }
    for (int won = 0; won < 3; won++) {
        int place = own == 0 ? won : 2 - won;

        out->pairs[2 * won] += count[ENCOUNTER_PAIRS + place];
        out->pairs[won + 1] += count[ENCOUNTER_DRAWN_PAIRS + place];
    }
    for (int won = 0; won < 2; won++) {
        out->halves[2 * won] += count[ENCOUNTER_HALVES + (own == 0 ? won : 1 - won)];
    }
    out->halves[1] += count[ENCOUNTER_DRAWN_HALVES];
    out->clusters += count[ENCOUNTER_CLUSTERS];
    for (int leg = 0; leg < 2; leg++) { /* leg 0: A has seat 0 */
        int seat = leg == own ? 0 : 1;

        out->seat_points[seat] += sign * e->sum[ENCOUNTER_LEG_POINTS + leg];
        out->seat_games[seat] += count[ENCOUNTER_LEG_GAMES + leg];
    }
    out->points = out->points_for - out->points_against;
    out->dd += (double)e->sum[ENCOUNTER_DD];
    out->dn += sign * (double)e->sum[ENCOUNTER_DN];
    out->nn += (double)e->sum[ENCOUNTER_NN];
}

/* For loops over one opponent (opponent >= 0) or all. */
static int first_opponent(int opponent)
{
    return opponent < 0 ? 0 : opponent;
}

static int last_opponent(const struct tally *tally, int opponent)
{
    return opponent < 0 ? tally->bots - 1 : opponent;
}

void tally_sum(struct tally_sum *out, const struct tally *tally, int bot, int opponent)
{
    *out = (struct tally_sum){0};
    for (int other = first_opponent(opponent); other <= last_opponent(tally, opponent); other++) {
        bool flip = false;
        const struct tally_encounter *e = tally_encounter(tally, bot, other, &flip);

        if (e != NULL) {
            sum_encounter(out, &e->total, flip ? 1 : 0);
        }
    }
}

void tally_sums(struct tally_sum *out, const struct tally *tally)
{
    memset(out, 0, (size_t)tally->bots * sizeof *out);
    for (size_t i = 0; i < tally->encounters; i++) {
        const struct tally_encounter *e = tally->encounter[i];

        sum_encounter(&out[e->a], &e->total, 0);
        sum_encounter(&out[e->b], &e->total, 1);
    }
}

uint64_t tally_drawn(const struct tally_sum *sum)
{
    return sum->legs - sum->legs_won - sum->legs_lost;
}

double tally_share(const struct tally_sum *sum)
{
    return sum->legs == 0
               ? (double)NAN
               : ((double)sum->legs_won + 0.5 * (double)tally_drawn(sum)) / (double)sum->legs;
}

bool tally_length_sum(struct tally_sum *out, int *length_points, const struct tally *tally, int bot,
                      int opponent, size_t i)
{
    bool flip = false;
    const struct tally_encounter *e = tally_encounter(tally, bot, opponent, &flip);
    bool whole = e != NULL && e->parts == 0;

    *out = (struct tally_sum){0};
    *length_points = tally->length_points;
    if (e == NULL || i >= (whole ? 1 : e->parts)) {
        return false;
    }
    if (!whole) {
        *length_points = e->part[i].length_points;
    }
    sum_encounter(out, whole ? &e->total : &e->part[i].total, flip ? 1 : 0);
    return true;
}
