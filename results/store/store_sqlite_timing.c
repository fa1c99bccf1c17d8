/* How long commits take, for monitoring. */
#include "store_sqlite.h"

#include <time.h>

int64_t sqlite_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void sqlite_commits(struct store *base, struct duration_histogram *out)
{
    struct sqlite_store *store = sqlite_store_of(base);

    if (!store->read_only) {
        pthread_mutex_lock(&store->mutex);
        *out = store->commits;
        pthread_mutex_unlock(&store->mutex);
    }
}
