/* door_metrics.h - the numbers of a door for monitoring, in the format of metrics_text.h. */
#ifndef HOST_DOOR_DOOR_METRICS_H
#define HOST_DOOR_DOOR_METRICS_H

#include <stdio.h>

#include "door_counts.h"

/* Writes three families. event: whose own door it is; NULL: a host's. */
void door_metrics_write(FILE *out, const char *event, const struct door_counts *counts);

#endif
