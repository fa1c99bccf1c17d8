/* axis.h - a linear axis: converts data to positions, chooses round numbers for ticks. */
#ifndef RESULTS_DOCUMENT_AXIS_H
#define RESULTS_DOCUMENT_AXIS_H

struct axis {
    double low, high;   /* range of the data */
    double from, to;    /* positions of low and high */
    double step, first; /* ticks: first, first + step, ... up to high */
    int decimals;       /* enough to distinguish two ticks */
};

/* Makes an axis that shows every value between low and high (any order, may be equal) with a
 * margin; about `ticks` ticks. */
void axis_init(struct axis *axis, double low, double high, double from, double to, int ticks);
/* Makes the steps of an axis of seconds since 1970 minutes, hours, days, months of 30 days, or
 * years of 12 such months. */
void axis_time(struct axis *axis);
/* Writes a tick's time: the day, the minute, or both if the axis shows minutes of several days. */
void axis_time_text(char out[32], const struct axis *axis, double seconds);

double axis_at(const struct axis *axis, double value);
/* The same, limited to the axis. */
double axis_kept(const struct axis *axis, double value);

#endif
