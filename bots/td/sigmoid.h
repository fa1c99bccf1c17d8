/* sigmoid.h - 1 / (1 + exp(-x)) in steps that a vector unit has. */
#ifndef BOTS_TD_SIGMOID_H
#define BOTS_TD_SIGMOID_H

#include <stdint.h>
#include <string.h>

/* Returns exp(x) to six digits, for x from -80 to 80, in steps that a vector unit has. */
static inline float exp_fast(float x)
{
    const float whole = 12582912.0F; /* 1.5 * 2^23: what is added to it is rounded to an integer */
    const float twos = x * 1.44269504F, near = twos + whole;
    const float rest = twos - (near - whole); /* from -0.5 to 0.5 */
    uint32_t bits;
    float power;

    memcpy(&bits, &near, sizeof bits);
    bits = (bits + 127U) << 23; /* 2 to that integer */
    memcpy(&power, &bits, sizeof power);
    return power *
           (1.0F +
            rest * (0.69314718F +
                    rest * (0.24022651F +
                            rest * (0.05550411F + rest * (0.00961813F + rest * 0.00133336F)))));
}

/* Returns 1 / (1 + exp(-x)) to six digits. */
static inline float sigmoid_fast(float x)
{
    const float small = x < 80.0F ? x : 80.0F;
    const float within = small > -80.0F ? small : -80.0F;

    return 1.0F / (1.0F + exp_fast(-within));
}

#endif
