/* axis.h - a linear axis: data to places, round numbers for its ticks.
 */
#ifndef RESULTS_DOCUMENT_AXIS_H
#define RESULTS_DOCUMENT_AXIS_H

struct axis {
    double low, high;   /* of the data */
    double from, to;    /* places of low and high */
    double step, first; /* ticks: first, first + step, ... up to high */
    int decimals;       /* that tell two ticks apart */
};

/* An axis that shows every value between low and high (any order, may be equal) with some air;
 * about `ticks` ticks. */
void axis_init(struct axis *axis, double low, double high, double from, double to, int ticks);
double axis_at(const struct axis *axis, double value);
/* The same, kept inside the axis. */
double axis_kept(const struct axis *axis, double value);

#endif
