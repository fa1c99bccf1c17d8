/* gnubg answers each question by itself, and each answer would wake this process. Sleeping for
 * about half of the time that the open questions need lets answers gather, so both processes
 * switch less. The estimate follows slowly upwards and quickly downwards: too long a sleep
 * leaves gnubg idle while a clock runs. */
#include "pace.h"

enum {
    HOLD_NS = 10000000, /* a clock of the game runs meanwhile */
    FEW = 4,            /* fewer open questions are soon answered, and the referee waits for them */
    SMOOTHING = 8
};

/* Without questions left, gnubg has waited for an unknown time: the bridge slept too long. */
void pace_note(struct pace *pace, int answered, int64_t elapsed_ns, int open)
{
    int64_t each_ns = answered > 0 ? elapsed_ns / answered : 0;

    if (answered <= 0) {
        return;
    }
    if (open == 0 && pace->question_ns > 0 && each_ns > pace->question_ns) {
        pace->question_ns -= pace->question_ns / 4;
    } else if (pace->question_ns == 0) {
        pace->question_ns = each_ns;
    } else {
        pace->question_ns += (each_ns - pace->question_ns) / SMOOTHING;
    }
}

int64_t pace_hold_ns(const struct pace *pace, int open)
{
    int64_t hold_ns = pace->question_ns * (open / 2);

    if (open < FEW) {
        return 0;
    }
    return hold_ns < HOLD_NS ? hold_ns : HOLD_NS;
}
