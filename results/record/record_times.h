/* record_times.h - the move times of each side of a recorded game, summed over its steps. */
#ifndef RESULTS_RECORD_RECORD_TIMES_H
#define RESULTS_RECORD_RECORD_TIMES_H

#include <stddef.h>
#include <stdint.h>

struct move_times {
    int64_t spent_ns[2];   /* by seat: total time charged to its decisions */
    uint64_t decisions[2]; /* by seat: decisions with a time */
};

/* Reads a complete record as written by record_end (docs/record.md). Ignores unknown lines.
 * Allocates nothing. */
void move_times_of_record(struct move_times *out, const char *text, size_t size);

#endif
