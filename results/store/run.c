/* The bytes of a run are a form of our own and not JSON or a table: every event reads all of them
 * when it goes on, and a row for each game would be read as slowly as the games. What cannot be
 * packed (a number from a damaged row) marks the whole run as strange instead of being cut to fit.
 */
#include "run.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "record/record_lookup.h"
#include "store.h"
#include "varint.h"

static_assert(BG_END_COUNT <= 8, "an end has three bits");
static_assert(ENCOUNTER_LEVELS <= 4, "a level has two bits");

/* Bits of the two bytes that each game begins with. */
enum {
    LEVEL_SHIFT = 2,
    OVER = 1 << 4,
    STARTER_SHIFT = 5,
    ELSEWHERE = 1 << 7, /* its place follows: it does not follow the game before */
    MATCH_SHIFT = 3,    /* in the second byte, above the end's bits */
    FAULT = 1 << 5,     /* the fault follows */
    LENGTH = 1 << 6     /* the length follows: it differs from the game before */
};

enum { STRANGE = 0xff, GAME_BYTES = 2 + 6 * VARINT_MOST };

uint64_t run_first(uint64_t pair)
{
    return pair - pair % RUN_PAIRS;
}

void run_init(struct run *out, const char *a, const char *b, uint64_t first)
{
    *out = (struct run){.a = a, .b = b, .first = first};
    run_sums_init(&out->sums);
}

void run_deinit(struct run *run)
{
    free(run->game);
    run_sums_deinit(&run->sums);
    *run = (struct run){0};
}

void run_clear(struct run *run, const char *a, const char *b, uint64_t first)
{
    run->a = a;
    run->b = b;
    run->first = first;
    run->games = 0;
    run->is_strange = false;
    run_sums_clear(&run->sums);
}

/* ------------------------------------------------------------------- games */

static int compare_games(const struct run_game *x, const struct run_game *y)
{
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    return x->facts.leg != y->facts.leg ? x->facts.leg - y->facts.leg : x->game - y->game;
}

static void insert(struct run *run, const struct run_game *game)
{
    size_t at = run->games;

    run->game = memory_list(run->game, &run->room, run->games + 1, sizeof *run->game);
    /* From the end: games mostly come in order, and those of one run are few. */
    while (at > 0 && compare_games(&run->game[at - 1], game) > 0) {
        at--;
    }
    memmove(&run->game[at + 1], &run->game[at], (run->games - at) * sizeof *run->game);
    run->game[at] = *game;
    run->games++;
}

static bool is_sound(const struct run_game *game)
{
    return encounter_game_is_sound(&game->facts) && game->game >= 0 &&
           game->facts.length_points >= 0 && (int)game->fault >= 0 && game->fault < BG_FAULT_COUNT;
}

void run_add(struct run *run, const struct store_game *game, bool with_sums)
{
    const struct run_game added = {
        .pair = game->pair,
        .game = game->game,
        .facts = encounter_game_of(game),
        .fault = game->fault,
        .starter = game->text == NULL ? -1 : record_lookup_starter(game->text, game->text_size),
    };

    if (!is_sound(&added)) {
        run->is_strange = true;
        return;
    }
    insert(run, &added);
    if (with_sums && game->text != NULL) {
        run_sums_add(&run->sums, game);
    }
}

void run_pair(struct pair *out, const struct run *run, uint64_t pair)
{
    *out = (struct pair){0};
    for (size_t i = 0; i < run->games; i++) {
        if (run->game[i].pair == pair) {
            encounter_pair_add(out, &run->game[i].facts);
        }
    }
}

void run_game_at(struct store_game *out, const struct run *run, size_t i)
{
    const struct run_game *game = &run->game[i];
    const struct encounter_game *facts = &game->facts;
    /* Scores of matches are not kept in a run; in money play they follow from the points. */
    bool scores = facts->length_points == 0 && facts->winner >= 0;

    *out = (struct store_game){
        .pair = game->pair,
        .leg = facts->leg,
        .game = game->game,
        .length_points = facts->length_points,
        .winner = facts->winner,
        .points = facts->points,
        .level = facts->level,
        .end = facts->end,
        .fault = game->fault,
        .turns = facts->turns,
        .score_a = scores && facts->winner == 0 ? facts->points : 0,
        .score_b = scores && facts->winner == 1 ? facts->points : 0,
        .match_over = facts->match_over,
        .match_winner = facts->match_winner,
    };
    memcpy(&out->a, &run->a, sizeof out->a); /* not const in *out, but lent */
    memcpy(&out->b, &run->b, sizeof out->b);
}

/* ---------------------------------------------------------------- as bytes */

/* Returns the expected place of the next game, if none is missing. In a run that was played in
 * order no place is stored at all: two bytes, the points and the turns are a game. */
static struct run_game next_place(const struct run_game *game)
{
    struct run_game next = {
        .pair = game->pair,
        .game = game->game + 1,
        .facts = {.leg = game->facts.leg, .length_points = game->facts.length_points}};

    if (game->facts.match_over) {
        next.pair += game->facts.leg == 1;
        next.facts.leg = 1 - game->facts.leg;
        next.game = 0;
    }
    return next;
}

static unsigned char *pack_game(unsigned char *at, const struct run_game *game,
                                const struct run_game *next, uint64_t first)
{
    const struct encounter_game *facts = &game->facts;
    bool elsewhere = compare_games(game, next) != 0;
    bool length = facts->length_points != next->facts.length_points;

    *at++ = (unsigned char)((facts->winner + 1) | facts->level << LEVEL_SHIFT |
                            (facts->match_over ? OVER : 0) | (game->starter + 1) << STARTER_SHIFT |
                            (elsewhere ? ELSEWHERE : 0));
    *at++ = (unsigned char)((int)facts->end | (facts->match_winner + 1) << MATCH_SHIFT |
                            (game->fault != BG_FAULT_NONE ? FAULT : 0) | (length ? LENGTH : 0));
    if (elsewhere) {
        at = varint_put(at, 2 * (game->pair - first) + (uint64_t)facts->leg);
        at = varint_put(at, (uint64_t)game->game);
    }
    if (game->fault != BG_FAULT_NONE) {
        at = varint_put(at, (uint64_t)game->fault);
    }
    if (length) {
        at = varint_put(at, (uint64_t)facts->length_points);
    }
    at = varint_put(at, (uint64_t)facts->points);
    return varint_put(at, (uint64_t)facts->turns);
}

size_t run_pack_games(unsigned char **out, const struct run *run)
{
    unsigned char *bytes = memory_zeroed(run->games * GAME_BYTES, 1), *at = bytes;
    struct run_game next = {.pair = run->first};

    *out = bytes;
    if (run->is_strange) {
        *at++ = STRANGE;
        return 1;
    }
    for (size_t i = 0; i < run->games; i++) {
        at = pack_game(at, &run->game[i], &next, run->first);
        next = next_place(&run->game[i]);
    }
    return (size_t)(at - bytes);
}

static bool get_int(int *out, const unsigned char **at, const unsigned char *end)
{
    uint64_t value;
    bool got = varint_get(&value, at, end) && value <= INT32_MAX;

    *out = got ? (int)value : 0;
    return got;
}

static bool get_place(struct run_game *game, uint64_t first, const unsigned char **at,
                      const unsigned char *end)
{
    int place;
    bool got = get_int(&place, at, end) && place < 2 * RUN_PAIRS && get_int(&game->game, at, end);

    game->pair = first + (uint64_t)place / 2;
    game->facts.leg = place % 2;
    return got;
}

/* Reads a game. *game holds the expected place, used unless the bytes have another. */
static bool get_game(struct run_game *game, uint64_t first, const unsigned char **at,
                     const unsigned char *end)
{
    struct encounter_game *facts = &game->facts;
    int one, two, fault = 0;
    uint64_t points;
    bool got = end - *at >= 2;

    if (!got || **at == STRANGE) {
        return false;
    }
    one = *(*at)++;
    two = *(*at)++;
    facts->winner = (one & 3) - 1;
    facts->level = one >> LEVEL_SHIFT & 3;
    facts->match_over = (one & OVER) != 0;
    game->starter = (one >> STARTER_SHIFT & 3) - 1;
    facts->end = (enum bg_end)(two & 7);
    facts->match_winner = (two >> MATCH_SHIFT & 3) - 1;
    got = (one & ELSEWHERE) == 0 || get_place(game, first, at, end);
    got = got && ((two & FAULT) == 0 || get_int(&fault, at, end));
    got = got && ((two & LENGTH) == 0 || get_int(&facts->length_points, at, end));
    got = got && varint_get(&points, at, end) && points <= INT64_MAX;
    got = got && get_int(&facts->turns, at, end);
    game->fault = (enum bg_fault)fault;
    facts->points = got ? (int64_t)points : 0;
    return got && is_sound(game) && game->starter <= 1 && game->pair - first < RUN_PAIRS;
}

bool run_unpack_games(struct run *run, const unsigned char *bytes, size_t size)
{
    const unsigned char *end = size == 0 ? bytes : bytes + size;
    struct run_game game = {.pair = run->first};

    while (bytes < end) {
        if (!get_game(&game, run->first, &bytes, end)) {
            return false;
        }
        insert(run, &game);
        game = next_place(&game);
    }
    return true;
}

/* ------------------------------------------------------------------ sums of the records */

/* A packed player: side, digest, place */
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

/* ---------------------------------------------------------------- sums as bytes */

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

/* ------------------------------------------------------------------ building
 * Games come sorted by names and pair, so a run is complete as soon as a game of another one
 * comes, and one run at a time is in memory. */

static bool is_of(const struct run *run, const struct store_game *game)
{
    return run->a != NULL && run->first == run_first(game->pair) && strcmp(run->b, game->b) == 0 &&
           strcmp(run->a, game->a) == 0;
}

/* Copies the names, because they must outlive the game they came with. */
static void begin_run(struct run_build *build, const struct store_game *game)
{
    free(build->a);
    free(build->b);
    build->a = memory_text(game->a);
    build->b = memory_text(game->b);
    run_clear(&build->run, build->a, build->b, run_first(game->pair));
}

static void pass_on(struct run_build *build)
{
    if (build->run.a != NULL && !build->is_stopped) {
        build->is_stopped = !build->fn(build->user, &build->run);
    }
}

bool run_build_game(struct run_build *build, const struct store_game *game)
{
    if (!is_of(&build->run, game)) {
        pass_on(build);
        begin_run(build, game);
    }
    run_add(&build->run, game, build->with_sums);
    return !build->is_stopped;
}

void run_build_end(struct run_build *build)
{
    pass_on(build);
    run_deinit(&build->run);
    free(build->a);
    free(build->b);
    build->a = build->b = NULL;
}
