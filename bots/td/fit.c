/* The lessons are gone through many times with the slopes of batches, unlike self-play, which
 * learns each position once: lessons are dear to make (means over all rolls) and cheap to read
 * again. */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "processor.h"

enum { BATCH = 64 };

static const double RATE_BEGIN = 0.002, RATE_END = 0.00002; /* falls by the same factor each step */
static const float KEEP_SLOPE = 0.9F, KEEP_SQUARE = 0.999F;

struct fit {
    struct player *player;
    struct lessons *lessons;
    struct chance chance;
    size_t next;            /* lesson */
    float *sum;             /* owned: of the slopes of a batch, for each weight */
    float *slope;           /* owned: mean, of late */
    float *square;          /* owned: of the slope, mean, of late */
    double slopes, squares; /* what of these means is not yet there */
};

static void shuffle(struct fit *fit)
{
    struct lesson *at = fit->lessons->at;

    for (size_t i = fit->lessons->count; i > 1; i--) {
        const size_t other = (size_t)(chance_real(&fit->chance) * (double)i);
        const struct lesson lesson = at[i - 1];

        at[i - 1] = at[other];
        at[other] = lesson;
    }
}

static void add_batch(struct fit *fit)
{
    const struct player *player = fit->player;

    for (int i = 0; i < BATCH; i++) {
        const struct lesson *lesson;
        struct inputs inputs;

        if (fit->next == fit->lessons->count) {
            shuffle(fit);
            fit->next = 0;
        }
        lesson = &fit->lessons->at[fit->next++];
        encode(&inputs, &player->encoding, &lesson->board, lesson->seat);
        net_slopes(fit->sum, &player->net, &inputs, lesson->target);
    }
}

/* sum becomes 0. rate: of a step whose means are whole; share: what of the squares is there. */
FOR_EVERY_PROCESSOR static void step(float *restrict weights, float *restrict sum,
                                     float *restrict slope, float *restrict square, size_t count,
                                     float rate, float share)
{
    for (size_t i = 0; i < count; i++) {
        const float now = sum[i] / (float)BATCH;

        slope[i] = KEEP_SLOPE * slope[i] + (1.0F - KEEP_SLOPE) * now;
        square[i] = KEEP_SQUARE * square[i] + (1.0F - KEEP_SQUARE) * now * now;
        weights[i] += rate * slope[i] / (sqrtf(square[i] / share) + 1e-8F);
        sum[i] = 0.0F;
    }
}

static void learn(struct fit *fit, int times)
{
    struct net *net = &fit->player->net;
    const size_t steps = (size_t)times * fit->lessons->count / BATCH;

    for (size_t i = 0; i < steps; i++) {
        const double rate = RATE_BEGIN * pow(RATE_END / RATE_BEGIN, (double)i / (double)steps);

        add_batch(fit);
        fit->slopes *= (double)KEEP_SLOPE;
        fit->squares *= (double)KEEP_SQUARE;
        step(net->weights, fit->sum, fit->slope, fit->square, net->count,
             (float)(rate / (1.0 - fit->slopes)), (float)(1.0 - fit->squares));
    }
}

enum bg_status fit_net(struct player *player, struct lessons *lessons, int times, uint64_t seed,
                       struct bg_error *err)
{
    const size_t count = player->net.count;
    struct fit fit = {.player = player,
                      .lessons = lessons,
                      .next = lessons->count, /* shuffled at first */
                      .sum = calloc(count, sizeof(float)),
                      .slope = calloc(count, sizeof(float)),
                      .square = calloc(count, sizeof(float)),
                      .slopes = 1.0,
                      .squares = 1.0};
    enum bg_status status = BG_OK;

    chance_begin(&fit.chance, seed);
    if (fit.sum == NULL || fit.slope == NULL || fit.square == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "slopes of a net");
    } else if (lessons->count > 0) {
        learn(&fit, times);
    }
    free(fit.sum);
    free(fit.slope);
    free(fit.square);
    return status;
}
