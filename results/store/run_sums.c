/* The records of a run as sums. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_peek.h"
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

void run_sums_deinit(struct run_sums *sums)
{
    free(sums->player);
    sums->player = NULL;
    sums->players = 0;
}

/* ----------------------------------------------------------------- players */

static int compare(const struct run_player *x, const struct run_player *y)
{
    return x->side != y->side ? x->side - y->side : memcmp(x->digest, y->digest, RUN_DIGEST);
}

static bool is_earlier(const struct run_player *x, const struct run_player *y)
{
    if (x->pair != y->pair) {
        return x->pair < y->pair;
    }
    return x->leg != y->leg ? x->leg < y->leg : x->game < y->game;
}

static bool add_player(struct run_sums *sums, const struct run_player *player)
{
    struct run_player *list = sums->player;
    size_t at = 0;

    while (at < sums->players && compare(&list[at], player) < 0) {
        at++;
    }
    if (at < sums->players && compare(&list[at], player) == 0) {
        if (is_earlier(player, &list[at])) {
            list[at] = *player;
        }
        return true;
    }
    list = realloc(list, (sums->players + 1) * sizeof *list);
    if (list == NULL) {
        return false;
    }
    memmove(&list[at + 1], &list[at], (sums->players - at) * sizeof *list);
    list[at] = *player;
    sums->player = list;
    sums->players++;
    return true;
}

static void digest_of(unsigned char out[RUN_DIGEST], const struct store_game *game, int seat)
{
    static const char *const keys[2][4] = {{"program0", "version0", "options0", "host"},
                                           {"program1", "version1", "options1", "host"}};
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, RUN_DIGEST);
    for (int i = 0; i < 4; i++) {
        size_t size = 0;
        const char *value = peek_value(&size, game->text, game->text_size, keys[seat][i]);
        unsigned char head[1 + sizeof(uint64_t)] = {value != NULL};

        for (size_t k = 0; k < sizeof(uint64_t); k++) {
            head[1 + k] = (unsigned char)((uint64_t)size >> (8 * k));
        }
        crypto_generichash_update(&state, head, sizeof head);
        if (value != NULL) {
            crypto_generichash_update(&state, (const unsigned char *)value, size);
        }
    }
    crypto_generichash_final(&state, out, RUN_DIGEST);
}

/* -------------------------------------------------------------- one record */

struct peeking {
    struct run_sums *sums;
    int leg;
};

static void add_time(void *user, int seat, int64_t spent_ns)
{
    const struct peeking *peeking = user;

    spread_add(&peeking->sums->time[seat ^ peeking->leg].spent, spent_ns);
}

static void add_roll(void *user, int die, int other)
{
    const struct peeking *peeking = user;

    if (die >= 1 && die <= 6 && other >= 1 && other <= 6) {
        peeking->sums->roll[6 * (die - 1) + other - 1]++;
    }
}

bool run_sums_add(struct run_sums *sums, const struct store_game *game)
{
    struct peeking peeking = {sums, game->leg};
    struct run_player player = {.pair = game->pair, .leg = game->leg, .game = game->game};
    bool has_clock = peek_value(&(size_t){0}, game->text, game->text_size, "left") != NULL,
         added = true;

    for (int side = 0; side < 2 && added; side++) {
        struct run_time *time = &sums->time[side];

        if (has_clock && game->left_ns[side] < time->least_left_ns) {
            time->least_left_ns = game->left_ns[side];
        }
        player.side = side;
        digest_of(player.digest, game, side ^ game->leg);
        added = add_player(sums, &player);
    }
    peek_times(game->text, game->text_size, add_time, &peeking);
    if (game->leg == 0) { /* the other leg has the same dice */
        peek_rolls(game->text, game->text_size, add_roll, &peeking);
    }
    return added;
}

/* ---------------------------------------------------------------- as bytes */

/* Limits times to about three centuries: a record can contain any number. */
static uint64_t whole(double ns)
{
    return ns < 1e19 ? (uint64_t)ns : (uint64_t)1e19;
}

/* Writes the numbers that are not 0: their count, then each with its distance from the previous
 * place. */
static unsigned char *put_places(unsigned char *at, const struct spread *spread)
{
    uint64_t many = 0;
    int last = 0;

    for (int i = 0; i < SPREAD_PLACES; i++) {
        many += spread->place[i] > 0;
    }
    at = varint_put(at, many);
    for (int i = 0; i < SPREAD_PLACES; i++) {
        if (spread->place[i] > 0) {
            at = varint_put(varint_put(at, (uint64_t)(i - last)), spread->place[i]);
            last = i;
        }
    }
    at = varint_put(at, whole(spread->sum_ns));
    return varint_put(at, whole(spread->most_ns));
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
    size_t room = 2 * (SPREAD_PLACES + 4) * 2 * VARINT_MOST + RUN_ROLLS * VARINT_MOST +
                  VARINT_MOST + sums->players * PLAYER_BYTES;
    unsigned char *bytes = malloc(room), *at = bytes;

    *out = bytes;
    if (bytes == NULL) {
        return 0;
    }
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

static bool get_places(struct spread *spread, const unsigned char **at, const unsigned char *end)
{
    uint64_t many, step, count, place = 0, sum, most;

    if (!varint_get(&many, at, end) || many > SPREAD_PLACES) {
        return false;
    }
    for (uint64_t i = 0; i < many; i++) {
        if (!varint_get(&step, at, end) || !varint_get(&count, at, end) || count > UINT32_MAX ||
            step >= SPREAD_PLACES || place + step >= SPREAD_PLACES) {
            return false;
        }
        place += step;
        spread->place[place] += (uint32_t)count;
        spread->count += count;
    }
    if (!varint_get(&sum, at, end) || !varint_get(&most, at, end)) {
        return false;
    }
    spread->sum_ns += (double)sum;
    spread->most_ns = (double)most > spread->most_ns ? (double)most : spread->most_ns;
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
        if (!add_player(&run->sums, &player)) {
            return false;
        }
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
