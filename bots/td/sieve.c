/* For each slot and number of checkers the sum of its weights is made beforehand, so a position
 * is one addition of a row for each slot of both sides, and no encoding. It is trained on the
 * large net's own values (study.c): it has to order plays as that one does, not to be right. */
#include "sieve.h"

#include <stdlib.h>
#include <string.h>

#include "processor.h"
#include "sigmoid.h"

enum {
    MOST = 15, /* checkers on a slot; more count as these */
    PARTS = 4,
    WIDTH = 8 /* of the outputs in memory, at least NET_OUTPUTS */
};

struct sieve {
    float row[2][ENCODE_SLOTS][MOST + 1][SIEVE_HIDDEN]; /* [own, other][slot - 1][checkers] */
    float hidden_bias[SIEVE_HIDDEN];
    float output[SIEVE_HIDDEN][WIDTH];
    float output_bias[WIDTH];
};

static void fill_rows(struct sieve *sieve, const struct net *net, const struct encoding *encoding)
{
    struct inputs inputs;

    for (int side = 0; side < 2; side++) {
        for (int slot = 1; slot <= ENCODE_SLOTS; slot++) {
            for (int checkers = 0; checkers <= MOST; checkers++) {
                float *row = sieve->row[side][slot - 1][checkers];

                inputs.count = 0;
                encode_slot(&inputs, encoding, side, slot, checkers);
                for (int i = 0; i < inputs.count; i++) {
                    const float *weights = net->weights + inputs.index[i] * (size_t)SIEVE_HIDDEN;

                    for (int h = 0; h < SIEVE_HIDDEN; h++) {
                        row[h] += weights[h] * inputs.value[i];
                    }
                }
            }
        }
    }
}

static void fill_outputs(struct sieve *sieve, const struct net *net)
{
    const float *at = net->weights + (size_t)net->inputs * SIEVE_HIDDEN;

    memcpy(sieve->hidden_bias, at, sizeof sieve->hidden_bias);
    at += SIEVE_HIDDEN;
    for (int o = 0; o < NET_OUTPUTS; o++) {
        for (int h = 0; h < SIEVE_HIDDEN; h++) {
            sieve->output[h][o] = *at++;
        }
    }
    memcpy(sieve->output_bias, at, NET_OUTPUTS * sizeof *at);
}

enum bg_status sieve_create(struct sieve **out, const struct net *net,
                            const struct encoding *encoding, struct bg_error *err)
{
    struct sieve *sieve;

    if (net->hidden != SIEVE_HIDDEN || net->units != NET_SIGMOID || net->inputs != encoding->size ||
        encoding->far) {
        return bg_error_set(err, BG_E_CONFIG,
                            "a sieve has %d sigmoid units, and its game 24 points", SIEVE_HIDDEN);
    }
    sieve = calloc(1, sizeof *sieve);
    if (sieve == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "a sieve");
    }
    fill_rows(sieve, net, encoding);
    fill_outputs(sieve, net);
    *out = sieve;
    return BG_OK;
}

void sieve_destroy(struct sieve *sieve)
{
    free(sieve);
}

void sieve_inputs(struct inputs *inputs, const struct encoding *encoding)
{
    int kept = 0;

    for (int i = 0; i < inputs->count; i++) {
        if (encode_is_slot(encoding, inputs->index[i])) {
            inputs->index[kept] = inputs->index[i];
            inputs->value[kept++] = inputs->value[i];
        }
    }
    inputs->count = kept;
}

/* ---- running ---- */

static int at_most(int checkers)
{
    return checkers < MOST ? checkers : MOST;
}

/* Hidden units side by side, in registers; rows need no alignment. */
typedef float lanes8 __attribute__((vector_size(8 * sizeof(float)), aligned(sizeof(float))));

struct units {
    lanes8 part[SIEVE_HIDDEN / 8];
};

static inline void add_row(struct units *sum, const float *row)
{
    const struct units *more = (const struct units *)row;

    for (int i = 0; i < SIEVE_HIDDEN / 8; i++) {
        sum->part[i] += more->part[i];
    }
}

static inline void take_row(struct units *sum, const float *row)
{
    const struct units *less = (const struct units *)row;

    for (int i = 0; i < SIEVE_HIDDEN / 8; i++) {
        sum->part[i] -= less->part[i];
    }
}

void sieve_near_begin(struct sieve_near *out, const struct sieve *sieve,
                      const struct bg_board *board, int seat)
{
    out->sieve = sieve;
    out->board = *board;
    out->seat = seat;
    memcpy(out->sum, sieve->hidden_bias, sizeof out->sum);
    for (int side = 0; side < 2; side++) {
        const uint8_t *at = board->at[side == 0 ? seat : 1 - seat];

        for (int slot = 1; slot <= ENCODE_SLOTS; slot++) {
            add_row((struct units *)out->sum, sieve->row[side][slot - 1][at_most(at[slot])]);
        }
    }
}

/* What has changed on one side's slots. */
static inline void move_side(struct units *sum,
                             const float row[ENCODE_SLOTS][MOST + 1][SIEVE_HIDDEN],
                             const uint8_t *at, const uint8_t *before)
{
    uint32_t changed = 0;

    for (int i = 0; i < ENCODE_SLOTS; i++) {
        changed |= (uint32_t)(at[i] != before[i]) << i;
    }
    for (; changed != 0; changed &= changed - 1) {
        int i = __builtin_ctz(changed);

        add_row(sum, row[i][at_most(at[i])]);
        take_row(sum, row[i][at_most(before[i])]);
    }
}

/* sum: of the hidden units; becomes these. out: WIDTH outputs. */
static inline void run_outputs(float *restrict out, const struct sieve *sieve, float *restrict sum)
{
    float part[PARTS][WIDTH] = {{0}}; /* so that no addition waits for the one before */

    for (int h = 0; h < SIEVE_HIDDEN; h++) {
        sum[h] = sigmoid_fast(sum[h]);
    }
    for (int h = 0; h < SIEVE_HIDDEN; h += PARTS) {
        for (int k = 0; k < PARTS; k++) {
            for (int o = 0; o < WIDTH; o++) {
                part[k][o] += sum[h + k] * sieve->output[h + k][o];
            }
        }
    }
    for (int o = 0; o < WIDTH; o++) {
        out[o] = sigmoid_fast(sieve->output_bias[o] + (part[0][o] + part[1][o]) +
                              (part[2][o] + part[3][o]));
    }
}

FOR_EVERY_PROCESSOR void sieve_chances(float out[NET_OUTPUTS], const struct sieve_near *near,
                                       const struct bg_board *board)
{
    const struct sieve *sieve = near->sieve;
    const int seat = near->seat;
    struct units sum;
    float unit[SIEVE_HIDDEN], all[WIDTH];

    memcpy(&sum, near->sum, sizeof sum);
    move_side(&sum, sieve->row[0], board->at[seat] + 1, near->board.at[seat] + 1);
    move_side(&sum, sieve->row[1], board->at[1 - seat] + 1, near->board.at[1 - seat] + 1);
    memcpy(unit, &sum, sizeof unit);
    run_outputs(all, sieve, unit);
    memcpy(out, all, NET_OUTPUTS * sizeof *out);
}
