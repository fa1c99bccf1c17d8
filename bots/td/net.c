/* One hidden layer and five outputs, in floats, written for the vector units of this machine,
 * with the same order of additions for each: the answers of one file are the same on machines
 * that have the same instructions. The first layer is nearly all of the work, hence the sums of
 * a near position (net_near), to which a play adds only what it changes. */
#include "net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "processor.h"
#include "sigmoid.h"

static float *hidden_biases(const struct net *net)
{
    return net->weights + (size_t)net->inputs * (size_t)net->hidden;
}

/* [output][hidden unit] */
static float *output_weights(const struct net *net)
{
    return hidden_biases(net) + net->hidden;
}

static float *output_biases(const struct net *net)
{
    return output_weights(net) + (size_t)NET_OUTPUTS * (size_t)net->hidden;
}

enum bg_status net_create(struct net *net, int inputs, int hidden, enum net_units units,
                          uint64_t seed, struct bg_error *err)
{
    struct chance chance;

    *net = (struct net){.inputs = inputs, .hidden = hidden, .units = units};
    net->count = (size_t)(inputs + 1 + NET_OUTPUTS) * (size_t)hidden + NET_OUTPUTS;
    net->weights = calloc(net->count, sizeof *net->weights);
    if (net->weights == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "a net of %d inputs", inputs);
    }
    chance_begin(&chance, seed);
    for (size_t i = 0; i < net->count; i++) {
        /* Small and random: equal units would learn the same for ever. */
        net->weights[i] = (float)(chance_real(&chance) - 0.5) * 0.2F;
    }
    return BG_OK;
}

void net_destroy(struct net *net)
{
    free(net->weights);
    *net = (struct net){.inputs = 0};
}

static float chance_of(float x)
{
    return 1.0F / (1.0F + expf(-x));
}

/* Eight or sixteen sums side by side, in a register; weights need no alignment. */
typedef float lanes8 __attribute__((vector_size(8 * sizeof(float)), aligned(sizeof(float))));
typedef float lanes16 __attribute__((vector_size(16 * sizeof(float)), aligned(sizeof(float))));

/* Defines a function that adds to `lanes` from sum + h on, and to three more of them after it, what
 * the inputs give them, and returns where the next ones begin: these sums are read and written
 * once. */
/* NOLINTBEGIN(bugprone-macro-parentheses): words of a declaration */
#define DEFINE_ADD_FOUR(name, lanes, processor)                                                    \
    struct name##_sums {                                                                           \
        lanes part[4];                                                                             \
    };                                                                                             \
                                                                                                   \
    processor static int name(float *restrict sum, const float *restrict weights,                  \
                              const struct inputs *inputs, int hidden, int h)                      \
    {                                                                                              \
        struct name##_sums *at = (struct name##_sums *)(sum + h), sums = *at;                      \
                                                                                                   \
        for (int i = 0; i < inputs->count; i++) {                                                  \
            const struct name##_sums *row =                                                        \
                (const struct name##_sums *)(weights + h + inputs->index[i] * (size_t)hidden);     \
            const float value = inputs->value[i];                                                  \
                                                                                                   \
            sums.part[0] += row->part[0] * value;                                                  \
            sums.part[1] += row->part[1] * value;                                                  \
            sums.part[2] += row->part[2] * value;                                                  \
            sums.part[3] += row->part[3] * value;                                                  \
        }                                                                                          \
        *at = sums;                                                                                \
        return h + (int)(sizeof sums / sizeof(float));                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#ifdef HAS_WIDE_LANES
DEFINE_ADD_FOUR(add_64, lanes16, __attribute__((target("avx512f"))))
#endif
DEFINE_ADD_FOUR(add_32, lanes8, FOR_NARROW_LANES)

/* sum[] += weight[] * value, for all hidden units. */
static void add_rows(float *restrict sum, const float *restrict weights,
                     const struct inputs *inputs, int hidden)
{
    int h = 0;

#ifdef HAS_WIDE_LANES
    for (bool wide = __builtin_cpu_supports("avx512f"); wide && h + 64 <= hidden;) {
        h = add_64(sum, weights, inputs, hidden, h);
    }
#endif
    while (h + 32 <= hidden) {
        h = add_32(sum, weights, inputs, hidden, h);
    }
    for (; h < hidden; h += 8) {
        lanes8 *at = (lanes8 *)(sum + h);

        for (int i = 0; i < inputs->count; i++) {
            *at += *(const lanes8 *)(weights + h + inputs->index[i] * (size_t)hidden) *
                   inputs->value[i];
        }
    }
}

FOR_EVERY_PROCESSOR static void softsign(float *restrict unit, int hidden)
{
    for (int h = 0; h < hidden; h++) {
        unit[h] = unit[h] / (1.0F + fabsf(unit[h]));
    }
}

FOR_EVERY_PROCESSOR static void sigmoid(float *restrict unit, int hidden)
{
    for (int h = 0; h < hidden; h++) {
        unit[h] = sigmoid_fast(unit[h]);
    }
}

static void bend(float *unit, const struct net *net)
{
    if (net->units == NET_SIGMOID) {
        sigmoid(unit, net->hidden);
    } else {
        softsign(unit, net->hidden);
    }
}

/* Returns how fast a unit grows with its sum. */
static float slope_of(enum net_units units, float unit)
{
    const float slope = 1.0F - fabsf(unit);

    return units == NET_SIGMOID ? unit * (1.0F - unit) : slope * slope;
}

/* The order of additions is fixed: 16 sums side by side, then their sum. */
FOR_EVERY_PROCESSOR static float dot(const float *restrict a, const float *restrict b, int size)
{
    float part[16] = {0}, sum = 0.0F;

    for (int i = 0; i < size; i += 16) {
        for (int k = 0; k < 16; k++) {
            /* Sixteen sums, which a compiler may keep in registers without changing the order of
             * additions. */
            part[k] += a[i + k] * b[i + k];
        }
    }
    for (int k = 0; k < 16; k++) {
        sum += part[k];
    }
    return sum;
}

static void run_hidden(float unit[NET_HIDDEN_MOST], const struct net *net,
                       const struct inputs *inputs)
{
    memcpy(unit, hidden_biases(net), (size_t)net->hidden * sizeof *unit);
    add_rows(unit, net->weights, inputs, net->hidden);
    bend(unit, net);
}

static void run_outputs(float out[NET_OUTPUTS], const struct net *net, const float *unit)
{
    for (int o = 0; o < NET_OUTPUTS; o++) {
        out[o] = chance_of(
            output_biases(net)[o] +
            dot(output_weights(net) + (size_t)o * (size_t)net->hidden, unit, net->hidden));
    }
}

void net_run(float out[NET_OUTPUTS], const struct net *net, const struct inputs *inputs)
{
    float unit[NET_HIDDEN_MOST];

    run_hidden(unit, net, inputs);
    run_outputs(out, net, unit);
}

void net_near_begin(struct net_near *out, const struct net *net, const struct inputs *inputs)
{
    memcpy(out->sum, hidden_biases(net), (size_t)net->hidden * sizeof *out->sum);
    add_rows(out->sum, net->weights, inputs, net->hidden);
}

void net_run_near(float out[NET_OUTPUTS], const struct net *net, const struct net_near *near,
                  const struct inputs *change)
{
    float unit[NET_HIDDEN_MOST];

    memcpy(unit, near->sum, (size_t)net->hidden * sizeof *unit);
    add_rows(unit, net->weights, change, net->hidden);
    bend(unit, net);
    run_outputs(out, net, unit);
}

FOR_EVERY_PROCESSOR static void learn_rows(float *restrict weights, const float *restrict step,
                                           const struct inputs *inputs, int hidden)
{
    for (int i = 0; i < inputs->count; i++) {
        float *restrict row = weights + (size_t)inputs->index[i] * (size_t)hidden;
        const float value = inputs->value[i];

        for (int h = 0; h < hidden; h++) {
            row[h] += step[h] * value;
        }
    }
}

/* step[] gets what the hidden units should change by. */
FOR_EVERY_PROCESSOR static void step_back(float *restrict step, const float *restrict weights,
                                          float error, int hidden)
{
    for (int h = 0; h < hidden; h++) {
        step[h] += error * weights[h];
    }
}

FOR_EVERY_PROCESSOR static void learn_output(float *restrict weights, const float *restrict unit,
                                             float by, int hidden)
{
    for (int h = 0; h < hidden; h++) {
        weights[h] += by * unit[h];
    }
}

/* Adds to numbers like the net's weights what these should change by at this rate; they may be the
 * weights themselves. */
static void add_slopes(struct net *to, const struct net *net, const struct inputs *inputs,
                       const float target[NET_OUTPUTS], float rate)
{
    float unit[NET_HIDDEN_MOST], step[NET_HIDDEN_MOST] = {0}, out[NET_OUTPUTS];
    const size_t hidden = (size_t)net->hidden;

    run_hidden(unit, net, inputs);
    run_outputs(out, net, unit);
    for (size_t o = 0; o < NET_OUTPUTS; o++) {
        float error = target[o] - out[o]; /* the gradient of the cross-entropy */

        step_back(step, output_weights(net) + o * hidden, error, net->hidden);
        learn_output(output_weights(to) + o * hidden, unit, rate * error, net->hidden);
        output_biases(to)[o] += rate * error;
    }
    for (int h = 0; h < net->hidden; h++) {
        step[h] *= rate * slope_of(net->units, unit[h]);
        hidden_biases(to)[h] += step[h];
    }
    learn_rows(to->weights, step, inputs, net->hidden);
}

void net_learn(struct net *net, const struct inputs *inputs, const float target[NET_OUTPUTS],
               float rate)
{
    add_slopes(net, net, inputs, target, rate);
}

void net_slopes(float *sum, const struct net *net, const struct inputs *inputs,
                const float target[NET_OUTPUTS])
{
    struct net to = *net;

    to.weights = sum;
    add_slopes(&to, net, inputs, target, 1.0F);
}

void net_swap(float out[NET_OUTPUTS], const float in[NET_OUTPUTS])
{
    const float gammon = in[NET_GAMMON], backgammon = in[NET_BACKGAMMON];

    out[NET_WIN] = 1.0F - in[NET_WIN];
    out[NET_GAMMON] = in[NET_LOSE_GAMMON];
    out[NET_BACKGAMMON] = in[NET_LOSE_BACKGAMMON];
    out[NET_LOSE_GAMMON] = gammon;
    out[NET_LOSE_BACKGAMMON] = backgammon;
}

float net_equity(const float out[NET_OUTPUTS])
{
    return 2.0F * out[NET_WIN] - 1.0F + out[NET_GAMMON] + out[NET_BACKGAMMON] -
           out[NET_LOSE_GAMMON] - out[NET_LOSE_BACKGAMMON];
}
