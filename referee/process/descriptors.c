/* The limits from before are kept: those of a bot are made from them, so that what the referee
 * raised for itself is not inherited. Whether the number suffices is a sum made before the
 * start, because EMFILE in the middle of an event would look like a bot's failure. */
#define _GNU_SOURCE /* syscall */
#include "descriptors.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 65536 }; /* closed one by one */

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

/* closefrom() would do, but came with glibc 2.34, and other C libraries lack it. Linux 5.9 knows
 * the call; a filter may refuse it. */
void descriptors_close_from(int first)
{
    struct rlimit limit;

#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) {
        return;
    }
#endif
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > MOST_DESCRIPTORS) {
        limit.rlim_cur = MOST_DESCRIPTORS;
    }
    for (int fd = first; fd < (int)limit.rlim_cur; fd++) {
        close(fd);
    }
}

void descriptors_close_pair(int ends[2])
{
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
    }
}
