/* The limits from before are kept: those of a bot are made from them, so that what the referee
 * raised for itself is not inherited. Whether the number suffices is a sum made before the
 * start, because EMFILE in the middle of an event would look like a bot's failure. */
#include "descriptors.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static struct rlimit before;
static bool is_raised;

void descriptors_raise(void)
{
    struct rlimit limit;

    if (is_raised || getrlimit(RLIMIT_NOFILE, &before) != 0) {
        return;
    }
    is_raised = true;
    limit = before;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* if it fails, the present limit is used */
}

void descriptors_of_bot(struct rlimit *out, int most)
{
    const rlim_t wanted = (rlim_t)(most > 0 ? most : DESCRIPTORS_BOT);

    if (is_raised) {
        *out = before;
    } else if (getrlimit(RLIMIT_NOFILE, out) != 0) {
        *out = (struct rlimit){wanted, wanted};
    }
    out->rlim_max = wanted < out->rlim_max ? wanted : out->rlim_max;
    out->rlim_cur = out->rlim_max;
}

enum bg_status descriptors_suffice(int seats, int judges, struct bg_error *err)
{
    long needed = DESCRIPTORS_OWN + DESCRIPTORS_RESERVE + (long)seats * DESCRIPTORS_SEAT +
                  (long)judges * DESCRIPTORS_JUDGE;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        (rlim_t)needed <= limit.rlim_cur) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "%ld open files may be needed, and %llu are allowed: %d processes of bots "
                        "take %d each%s, the referee %d; 'ulimit -Hn %ld' or more, or fewer bots "
                        "or --instances",
                        needed, (unsigned long long)limit.rlim_cur, seats, DESCRIPTORS_SEAT,
                        judges > 0 ? ", those of the judge more" : "",
                        DESCRIPTORS_OWN + DESCRIPTORS_RESERVE, needed);
}

void descriptors_close_pair(int ends[2])
{
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
    }
}
