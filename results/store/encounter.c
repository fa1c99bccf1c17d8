#include "encounter.h"

#include <assert.h>
#include <string.h>

#include "store.h"
#include "varint.h"

static_assert(BG_END_COUNT <= ENCOUNTER_PAIRS - ENCOUNTER_END, "room for each end");

/* Limits points before squaring, because the squares of absurd cubes would overflow. Used only for
 * squares. */
static int64_t bounded(int64_t points)
{
    const int64_t most = 1 << 24;

    return points > most ? most : points < -most ? -most : points;
}

/* Adds a pair's share to the sums (sign 1), or removes it (-1). A pair's share is not linear in
 * its games (squares, pairs by outcome), so each game takes out the share of the pair as it was
 * and puts in the new one. This works in any order of games. */
static void count_pair(struct encounter *e, const struct pair *pair, int sign)
{
    const struct pair_sum sum = pair_sum_of(pair);
    uint32_t one = (uint32_t)sign; /* unsigned numbers wrap: adding -1 subtracts */

    for (int i = 0; i < 2; i++) {
        const struct pair_leg *leg = &pair->leg[i];

        if (leg->state != PAIR_OPEN) {
            e->sum[ENCOUNTER_LEG_POINTS + i] += sign * (leg->points[0] - leg->points[1]);
            e->count[ENCOUNTER_LEG_GAMES + i] += one * leg->games;
        }
        e->sum[ENCOUNTER_POINTS + i] += sign * sum.points[i];
    }
    e->count[ENCOUNTER_LEGS_WON] += one * (uint32_t)sum.won;
    e->count[ENCOUNTER_LEGS_WON + 1] += one * (uint32_t)sum.lost;
    e->count[ENCOUNTER_LEGS_DRAWN] += one * (uint32_t)sum.drawn;
    if (sum.decided == 2) {
        e->count[sum.drawn == 0 ? ENCOUNTER_PAIRS + sum.won
                                : ENCOUNTER_DRAWN_PAIRS - 1 + pair_half_wins(&sum)] += one;
    } else if (sum.decided == 1) {
        e->count[sum.drawn == 0 ? ENCOUNTER_HALVES + sum.won : ENCOUNTER_DRAWN_HALVES] += one;
    }
    if (sum.games > 0) {
        int64_t net = bounded(sum.net);

        e->count[ENCOUNTER_CLUSTERS] += one;
        e->sum[ENCOUNTER_DD] += sign * net * net;
        e->sum[ENCOUNTER_DN] += sign * net * sum.games;
        e->sum[ENCOUNTER_NN] += sign * sum.games * sum.games;
    }
}

struct encounter_game encounter_game_of(const struct store_game *game)
{
    return (struct encounter_game){.leg = game->leg,
                                   .length_points = game->length_points,
                                   .winner = game->winner,
                                   .points = game->points,
                                   .level = game->level,
                                   .end = game->end,
                                   .turns = game->turns,
                                   .match_over = game->match_over,
                                   .match_winner = game->match_winner};
}

bool encounter_game_is_sound(const struct encounter_game *game)
{
    return game->leg >= 0 && game->leg <= 1 && game->winner >= -1 && game->winner <= 1 &&
           game->level >= 0 && game->level < ENCOUNTER_LEVELS && game->points >= 0 &&
           game->turns >= 0 && (int)game->end >= 0 && game->end < BG_END_COUNT &&
           game->match_winner >= -1 && game->match_winner <= 1;
}

void encounter_pair_add(struct pair *pair, const struct encounter_game *game)
{
    struct pair_leg *leg = &pair->leg[game->leg];
    enum pair_state after = encounter_leg_after(game);

    leg->games++;
    if (game->winner >= 0) {
        leg->points[game->winner] += game->points;
    }
    if (after != PAIR_OPEN) {
        leg->state = after;
    }
}

void encounter_add_game(struct encounter *e, struct pair *pair, const struct encounter_game *game)
{
    count_pair(e, pair, -1);
    encounter_pair_add(pair, game);
    count_pair(e, pair, 1);
    e->count[ENCOUNTER_GAMES]++;
    e->count[ENCOUNTER_END + (int)game->end]++;
    e->sum[ENCOUNTER_TURNS] += game->turns;
    if (game->winner < 0) {
        e->count[ENCOUNTER_LEVEL]++;
    } else {
        e->count[ENCOUNTER_GAMES_WON + game->winner]++;
        e->count[ENCOUNTER_LEVEL + game->winner * ENCOUNTER_LEVELS + game->level]++;
        e->sum[ENCOUNTER_SQUARES] += bounded(game->points) * bounded(game->points);
    }
}

/* Swaps the fields at first and first + width, each of them `width` fields long. */
static void swap_counts(struct encounter *e, int first, int width)
{
    for (int i = first; i < first + width; i++) {
        uint32_t kept = e->count[i];

        e->count[i] = e->count[i + width];
        e->count[i + width] = kept;
    }
}

static void swap_ends(uint32_t *of_three)
{
    uint32_t kept = of_three[0];

    of_three[0] = of_three[2];
    of_three[2] = kept;
}

struct encounter encounter_flip(const struct encounter *encounter)
{
    struct encounter out = *encounter;

    swap_counts(&out, ENCOUNTER_GAMES_WON, 1);
    swap_counts(&out, ENCOUNTER_LEGS_WON, 1);
    /* behind the drawn games' field, which is level 0 of A */
    swap_counts(&out, ENCOUNTER_LEVEL, ENCOUNTER_LEVELS);
    out.count[ENCOUNTER_LEVEL] = encounter->count[ENCOUNTER_LEVEL];
    out.count[ENCOUNTER_LEVEL + ENCOUNTER_LEVELS] =
        encounter->count[ENCOUNTER_LEVEL + ENCOUNTER_LEVELS];
    swap_ends(&out.count[ENCOUNTER_PAIRS]);
    swap_counts(&out, ENCOUNTER_HALVES, 1);
    swap_counts(&out, ENCOUNTER_LEG_GAMES, 1); /* in leg 0 the new A has seat 0 */
    swap_ends(&out.count[ENCOUNTER_DRAWN_PAIRS]);
    out.sum[ENCOUNTER_POINTS] = encounter->sum[ENCOUNTER_POINTS + 1];
    out.sum[ENCOUNTER_POINTS + 1] = encounter->sum[ENCOUNTER_POINTS];
    out.sum[ENCOUNTER_LEG_POINTS] = -encounter->sum[ENCOUNTER_LEG_POINTS + 1];
    out.sum[ENCOUNTER_LEG_POINTS + 1] = -encounter->sum[ENCOUNTER_LEG_POINTS];
    out.sum[ENCOUNTER_DN] = -encounter->sum[ENCOUNTER_DN];
    return out;
}

void encounter_merge(struct encounter *sum, const struct encounter *other)
{
    for (int i = 0; i < ENCOUNTER_COUNTS; i++) {
        sum->count[i] += other->count[i];
    }
    for (int i = 0; i < ENCOUNTER_SUMS; i++) {
        sum->sum[i] += other->sum[i];
    }
}

void encounter_subtract(struct encounter *sum, const struct encounter *part)
{
    for (int i = 0; i < ENCOUNTER_COUNTS; i++) {
        sum->count[i] -= part->count[i];
    }
    for (int i = 0; i < ENCOUNTER_SUMS; i++) {
        sum->sum[i] -= part->sum[i];
    }
}

/* --- as bytes ----------------------------------------------------------------------------- */

/* Numbers of fields are stored; there is room below for counts that a later version adds. */
enum { SUMS_FROM = 64 /* field numbers of sums; smaller numbers are counts */ };

static_assert((int)ENCOUNTER_COUNTS <= (int)SUMS_FROM, "counts have their field numbers");

size_t encounter_pack(unsigned char out[ENCOUNTER_BYTES], const struct encounter *encounter)
{
    unsigned char *at = out;

    for (int i = 0; i < ENCOUNTER_COUNTS; i++) {
        if (encounter->count[i] != 0) {
            at = varint_put(varint_put(at, (uint64_t)i), encounter->count[i]);
        }
    }
    for (int i = 0; i < ENCOUNTER_SUMS; i++) {
        if (encounter->sum[i] != 0) {
            at =
                varint_put(varint_put(at, SUMS_FROM + (uint64_t)i), varint_fold(encounter->sum[i]));
        }
    }
    return (size_t)(at - out);
}

bool encounter_unpack(struct encounter *out, const unsigned char *bytes, size_t size)
{
    const unsigned char *end = size == 0 ? bytes : bytes + size;
    uint64_t field, value;

    *out = (struct encounter){0};
    while (bytes < end) {
        if (!varint_get(&field, &bytes, end) || !varint_get(&value, &bytes, end)) {
            return false;
        }
        if (field < ENCOUNTER_COUNTS && value <= UINT32_MAX) {
            out->count[field] = (uint32_t)value;
        } else if (field >= SUMS_FROM && field < SUMS_FROM + ENCOUNTER_SUMS) {
            out->sum[field - SUMS_FROM] = varint_unfold(value);
        } else {
            return false;
        }
    }
    return true;
}
