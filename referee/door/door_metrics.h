/* door_metrics.h - the numbers of doors for monitoring, in the format of metrics_text.h. */
#ifndef REFEREE_DOOR_DOOR_METRICS_H
#define REFEREE_DOOR_DOOR_METRICS_H

#include <stdio.h>

#include "door_counts.h"

struct door_metrics {
    const char *event; /* the event whose own door it is; NULL: a host's */
    const char *name;  /* "door" or "porch" */
    struct door_counts counts;
};

/* Writes three families with the samples of all doors; nothing if there is none. */
void door_metrics_write(FILE *out, const struct door_metrics *doors, int count);

#endif
