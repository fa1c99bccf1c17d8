/* From the lines of the record and not from a replay: sums over all games of an event need no
 * board. */
#include "record_times.h"

#include <string.h>

#include "record_lookup.h"

static void add_time(void *user, int seat, int64_t spent_ns)
{
    struct move_times *times = user;

    times->spent_ns[seat] += spent_ns;
    times->decisions[seat]++;
}

void move_times_of_record(struct move_times *out, const char *text, size_t size)
{
    memset(out, 0, sizeof *out);
    record_lookup_steps(text, size, &(struct record_lookup_steps){.time = add_time, .user = out});
}
