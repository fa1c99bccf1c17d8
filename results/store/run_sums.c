/* The records of a run as sums. */
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "record/record_lookup.h"
#include "run.h"
#include "store.h"
#include "varint.h"

/* a packed player: side, digest, place */
enum { PLAYER_BYTES = RUN_DIGEST + 4 * VARINT_MOST };

void run_sums_init(struct run_sums *out)
{
    *out = (struct run_sums){0};
    out->time[0].least_left_ns = out->time[1].least_left_ns = INT64_MAX;
}

void run_sums_clear(struct run_sums *sums)
{
    memset(sums->time, 0, sizeof sums->time);
    memset(sums->roll, 0, sizeof sums->roll);
    sums->time[0].least_left_ns = sums->time[1].least_left_ns = INT64_MAX;
    sums->players = 0;
}

void run_sums_deinit(struct run_sums *sums)
{
    free(sums->player);
    sums->player = NULL;
    sums->players = sums->player_room = 0;
}

/* ----------------------------------------------------------------- players */

static int compare_players(const struct run_player *x, const struct run_player *y)
{
    return x->side != y->side ? x->side - y->side : memcmp(x->digest, y->digest, RUN_DIGEST);
}

/* The first game by its place and not by its arrival, so that the bytes do not depend on the
 * order of games. */
static bool is_earlier(const struct run_player *x, const struct run_player *y)
{
    if (x->pair != y->pair) {
        return x->pair < y->pair;
    }
    return x->leg != y->leg ? x->leg < y->leg : x->game < y->game;
}

static void add_player(struct run_sums *sums, const struct run_player *player)
{
    struct run_player *list = sums->player;
    size_t at = 0;

    while (at < sums->players && compare_players(&list[at], player) < 0) {
        at++;
    }
    if (at < sums->players && compare_players(&list[at], player) == 0) {
        if (is_earlier(player, &list[at])) {
            list[at] = *player;
        }
        return;
    }
    list = memory_list(list, &sums->player_room, sums->players + 1, sizeof *list);
    memmove(&list[at + 1], &list[at], (sums->players - at) * sizeof *list);
    list[at] = *player;
    sums->player = list;
    sums->players++;
}

/* What the header of a record says. */
enum { PROGRAM, VERSION, OPTIONS, OF_SEAT, HOST = 2 * OF_SEAT, LEFT, VALUES };

static const char *const keys[VALUES] = {"program0", "version0", "options0", "program1",
                                         "version1", "options1", "host",     "left"};

/* Length and presence before each text, so that no two lists of texts give the same bytes. */
static void put_head(unsigned char head[9], const struct header_value *value)
{
    head[0] = value->at != NULL;
    for (size_t k = 0; k < sizeof(uint64_t); k++) {
        head[1 + k] = (unsigned char)((uint64_t)value->size >> (8 * k));
    }
}

/* Of any length. */
static void digest_parts(unsigned char out[RUN_DIGEST], const struct header_value *const value[4])
{
    crypto_generichash_state state;
    unsigned char head[9];

    crypto_generichash_init(&state, NULL, 0, RUN_DIGEST);
    for (int i = 0; i < 4; i++) {
        put_head(head, value[i]);
        crypto_generichash_update(&state, head, sizeof head);
        crypto_generichash_update(&state, (const unsigned char *)value[i]->at, value[i]->size);
    }
    crypto_generichash_final(&state, out, RUN_DIGEST);
}

/* Of the usual length: the digest of before, if they are the same. A bot says the same in every
 * game, and comparing is cheaper than hashing. */
static void digest_said(unsigned char out[RUN_DIGEST], struct run_said *said,
                        const struct header_value *values, int seat)
{
    const struct header_value *of = &values[OF_SEAT * seat],
                              *value[4] = {&of[PROGRAM], &of[VERSION], &of[OPTIONS], &values[HOST]};
    unsigned char text[RUN_SAID], *at = text;
    size_t size = 0;

    for (int i = 0; i < 4; i++) {
        size += 9 + value[i]->size;
    }
    if (size > sizeof text) {
        digest_parts(out, value);
        return;
    }
    for (int i = 0; i < 4; i++) {
        put_head(at, value[i]);
        at += 9;
        if (value[i]->size > 0) {
            memcpy(at, value[i]->at, value[i]->size);
            at += value[i]->size;
        }
    }
    if (said->size != size || memcmp(said->text, text, size) != 0) {
        crypto_generichash(said->digest, RUN_DIGEST, text, size, NULL, 0);
        memcpy(said->text, text, size);
        said->size = size;
    }
    memcpy(out, said->digest, RUN_DIGEST);
}

/* -------------------------------------------------------------- one record */

struct adding {
    struct run_sums *sums;
    int leg;
};

static void add_time(void *user, int seat, int64_t spent_ns)
{
    const struct adding *adding = user;

    histogram_add(&adding->sums->time[seat ^ adding->leg].spent, spent_ns);
}

static void add_roll(void *user, int die, int other)
{
    const struct adding *adding = user;

    if (die >= 1 && die <= 6 && other >= 1 && other <= 6) {
        adding->sums->roll[6 * (die - 1) + other - 1]++;
    }
}

void run_sums_add(struct run_sums *sums, const struct store_game *game)
{
    struct adding adding = {sums, game->leg};
    struct run_player player = {.pair = game->pair, .leg = game->leg, .game = game->game};
    struct header_value value[VALUES];
    const struct record_lookup_steps steps = {
        .time = add_time,
        .roll = game->leg == 0 ? add_roll : NULL, /* the other leg has the same dice */
        .user = &adding};

    header_values(value, keys, VALUES, game->text, game->text_size);
    for (int side = 0; side < 2; side++) {
        struct run_time *time = &sums->time[side];
        int seat = side ^ game->leg;

        if (value[LEFT].at != NULL && game->left_ns[side] < time->least_left_ns) {
            time->least_left_ns = game->left_ns[side];
        }
        player.side = side;
        digest_said(player.digest, &sums->said[seat], value, seat);
        add_player(sums, &player);
    }
    record_lookup_steps(game->text, game->text_size, &steps);
}

/* ---------------------------------------------------------------- as bytes */

/* Limits times to about three centuries: a record can contain any number. */
static uint64_t whole_ns(double ns)
{
    return ns < 1e19 ? (uint64_t)ns : (uint64_t)1e19;
}

/* Most places are empty: eight are looked at at once. */
enum { GROUP = 8 };

static_assert(HISTOGRAM_PLACES % GROUP == 0, "groups of places");

static bool is_empty(const uint32_t place[GROUP])
{
    static const uint32_t none[GROUP];

    return memcmp(place, none, sizeof none) == 0;
}

/* Writes the numbers that are not 0: their count, then each with its distance from the previous
 * place. */
static unsigned char *put_places(unsigned char *at, const struct duration_histogram *histogram)
{
    int many = 0, last = 0, filled[HISTOGRAM_PLACES];

    for (int i = 0; i < HISTOGRAM_PLACES; i += GROUP) {
        if (!is_empty(&histogram->place[i])) {
            for (int k = i; k < i + GROUP; k++) {
                filled[many] = k;
                many += histogram->place[k] > 0;
            }
        }
    }
    at = varint_put(at, (uint64_t)many);
    for (int i = 0; i < many; i++) {
        at = varint_put(varint_put(at, (uint64_t)(filled[i] - last)), histogram->place[filled[i]]);
        last = filled[i];
    }
    at = varint_put(at, whole_ns(histogram->sum_ns));
    return varint_put(at, whole_ns(histogram->most_ns));
}

static unsigned char *put_player(unsigned char *at, const struct run_player *player, uint64_t first)
{
    *at++ = (unsigned char)(2 * player->side + player->leg);
    memcpy(at, player->digest, RUN_DIGEST);
    at = varint_put(at + RUN_DIGEST, player->pair - first);
    return varint_put(at, (uint64_t)player->game);
}

size_t run_pack_sums(unsigned char **out, const struct run *run)
{
    const struct run_sums *sums = &run->sums;
    size_t room = 2 * (HISTOGRAM_PLACES + 4) * 2 * VARINT_MOST + RUN_ROLLS * VARINT_MOST +
                  VARINT_MOST + sums->players * PLAYER_BYTES;
    unsigned char *bytes = memory_zeroed(room, 1), *at = bytes;

    *out = bytes;
    for (int side = 0; side < 2; side++) {
        const struct run_time *time = &sums->time[side];
        bool has_clock = time->least_left_ns != INT64_MAX;

        at = put_places(at, &time->spent);
        *at++ = has_clock;
        at = has_clock ? varint_put(at, varint_fold(time->least_left_ns)) : at;
    }
    for (int i = 0; i < RUN_ROLLS; i++) {
        at = varint_put(at, sums->roll[i]);
    }
    at = varint_put(at, sums->players);
    for (size_t i = 0; i < sums->players; i++) {
        at = put_player(at, &sums->player[i], run->first);
    }
    return (size_t)(at - bytes);
}

static bool get_places(struct duration_histogram *histogram, const unsigned char **at,
                       const unsigned char *end)
{
    uint64_t many, step, count, place = 0, sum, most;

    if (!varint_get(&many, at, end) || many > HISTOGRAM_PLACES) {
        return false;
    }
    for (uint64_t i = 0; i < many; i++) {
        if (!varint_get(&step, at, end) || !varint_get(&count, at, end) || count > UINT32_MAX ||
            step >= HISTOGRAM_PLACES || place + step >= HISTOGRAM_PLACES) {
            return false;
        }
        place += step;
        histogram->place[place] += (uint32_t)count;
        histogram->count += count;
    }
    if (!varint_get(&sum, at, end) || !varint_get(&most, at, end)) {
        return false;
    }
    histogram->sum_ns += (double)sum;
    histogram->most_ns = (double)most > histogram->most_ns ? (double)most : histogram->most_ns;
    return true;
}

static bool get_left(struct run_time *time, const unsigned char **at, const unsigned char *end)
{
    uint64_t folded;
    int64_t left;

    if (*at == end || **at > 1) {
        return false;
    }
    if (*(*at)++ == 1) {
        if (!varint_get(&folded, at, end)) {
            return false;
        }
        left = varint_unfold(folded);
        time->least_left_ns = left < time->least_left_ns ? left : time->least_left_ns;
    }
    return true;
}

static bool get_players(struct run *run, const unsigned char **at, const unsigned char *end)
{
    uint64_t players, distance, game;

    if (!varint_get(&players, at, end)) {
        return false;
    }
    for (uint64_t i = 0; i < players; i++) {
        struct run_player player = {0};

        if (end - *at < 1 + RUN_DIGEST || **at > 3) {
            return false;
        }
        player.side = **at / 2;
        player.leg = *(*at)++ % 2;
        memcpy(player.digest, *at, RUN_DIGEST);
        *at += RUN_DIGEST;
        if (!varint_get(&distance, at, end) || distance >= RUN_PAIRS ||
            !varint_get(&game, at, end) || game > INT32_MAX) {
            return false;
        }
        player.pair = run->first + distance;
        player.game = (int)game;
        add_player(&run->sums, &player);
    }
    return true;
}

bool run_unpack_sums(struct run *run, const unsigned char *bytes, size_t size)
{
    const unsigned char *end = size == 0 ? bytes : bytes + size;
    struct run_sums *sums = &run->sums;
    uint64_t rolls;

    for (int side = 0; side < 2; side++) {
        if (!get_places(&sums->time[side].spent, &bytes, end) ||
            !get_left(&sums->time[side], &bytes, end)) {
            return false;
        }
    }
    for (int i = 0; i < RUN_ROLLS; i++) {
        if (!varint_get(&rolls, &bytes, end)) {
            return false;
        }
        sums->roll[i] += rolls;
    }
    return get_players(run, &bytes, end) && bytes == end;
}
