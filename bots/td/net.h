/* net.h - a net with one hidden layer: five chances from the inputs of a position.
 *
 * Hidden units x / (1 + |x|) or 1 / (1 + exp(-x)), outputs 1 / (1 + exp(-x)). Single floats; the
 * code for the processor it runs on is chosen at the start, and the results differ by rounding
 * only.
 */
#ifndef BOTS_TD_NET_H
#define BOTS_TD_NET_H

#include <bgref/error.h>

#include <stddef.h>
#include <stdint.h>

#include "encode.h"

/* Chances of the side that has just played; each includes the larger wins. */
enum net_output {
    NET_WIN,
    NET_GAMMON,
    NET_BACKGAMMON,
    NET_LOSE_GAMMON,
    NET_LOSE_BACKGAMMON,
    NET_OUTPUTS
};

enum { NET_HIDDEN_MOST = 256 };

/* What a hidden unit makes of its sum x. */
enum net_units {
    NET_SOFTSIGN, /* x / (1 + |x|) */
    NET_SIGMOID   /* 1 / (1 + exp(-x)) */
};

struct net {
    int inputs, hidden; /* hidden: a multiple of 16 */
    enum net_units units;
    float *weights; /* owned: for each input its hidden units; biases; outputs by hidden unit;
                       biases */
    size_t count;
};

/* Random weights by this seed. BG_E_MEMORY. */
enum bg_status net_create(struct net *net, int inputs, int hidden, enum net_units units,
                          uint64_t seed, struct bg_error *err);
void net_destroy(struct net *net);

void net_run(float out[NET_OUTPUTS], const struct net *net, const struct inputs *inputs);

/* What a position's inputs add to each hidden unit. Positions near it, such as those after the
 * plays of one roll, differ in few inputs and so are valued faster. */
struct net_near {
    float sum[NET_HIDDEN_MOST];
};

void net_near_begin(struct net_near *out, const struct net *net, const struct inputs *inputs);
/* As net_run but for rounding. change: the inputs that differ from near's, with what they have
 * more. */
void net_run_near(float out[NET_OUTPUTS], const struct net *net, const struct net_near *near,
                  const struct inputs *change);

/* Moves the weights towards these chances. */
void net_learn(struct net *net, const struct inputs *inputs, const float target[NET_OUTPUTS],
               float rate);

/* Adds to sum, which has a number for each weight, how the weights should move towards these
 * chances. */
void net_slopes(float *sum, const struct net *net, const struct inputs *inputs,
                const float target[NET_OUTPUTS]);

/* The chances seen by the other side. */
void net_swap(float out[NET_OUTPUTS], const float in[NET_OUTPUTS]);
/* Points of a money game without a cube. */
float net_equity(const float out[NET_OUTPUTS]);

#endif
