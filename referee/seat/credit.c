/* received_ns - lag_ns is when the loop became busy, so it names the turn of the loop in which a
 * frame came: work on own frames is summed as long as it is the same. No list of frames is kept. */
#include "credit.h"

int64_t credit_for_queue(const struct credit *credit, int64_t received_ns, int64_t lag_ns)
{
    int64_t own_ns = credit->since_ns == received_ns - lag_ns ? credit->own_ns : 0;
    int64_t others_ns = lag_ns > own_ns ? lag_ns - own_ns : 0;

    return others_ns < CREDIT_QUEUE_NS ? others_ns : CREDIT_QUEUE_NS;
}

void credit_note_work(struct credit *credit, int64_t received_ns, int64_t lag_ns, int64_t until_ns)
{
    if (credit->since_ns != received_ns - lag_ns) {
        credit->since_ns = received_ns - lag_ns;
        credit->own_ns = 0;
    }
    credit->own_ns += until_ns - received_ns;
}
