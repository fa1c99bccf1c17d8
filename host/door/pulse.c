/* Shared memory and atomics, since what is to be known is that a process does not run: it cannot
 * answer, and its last message may wait in a socket that nobody reads. All members are written
 * by the gateway alone; readers take them without a lock. */
#include "pulse.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loop/folder.h"

/* A round that is later than this is not only a busy machine. */
#define LATE_NS INT64_C(20000000)

const char *pulse_path(const char *endpoint)
{
    static char path[LINK_ENDPOINT + 8];

    snprintf(path, sizeof path, "%s.pulse", folder_path_of(endpoint));
    return path;
}

struct pulse_page *pulse_open(const char *endpoint)
{
    int fd = open(pulse_path(endpoint), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    void *page = MAP_FAILED;

    /* With its room on the disk: else a write to the page could end the process. A mapping of a
     * file that has no room raises SIGBUS when it is written to. */
    if (fd >= 0 && posix_fallocate(fd, 0, sizeof(struct pulse_page)) == 0) {
        page = mmap(NULL, sizeof(struct pulse_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    /* The mapping keeps the file. */
    if (fd >= 0) {
        close(fd);
    }
    return page == MAP_FAILED ? NULL : page;
}

void pulse_close(struct pulse_page *page)
{
    if (page != NULL) {
        munmap(page, sizeof *page);
    }
}

int64_t pulse_stop(int64_t passed_ns)
{
    /* All of it or nothing: short delays are the machine's ordinary business, and each bot's
     * clock has its own allowance for them. */
    return passed_ns > PULSE_MS * INT64_C(1000000) + LATE_NS ? passed_ns : 0;
}

int64_t pulse_beat(struct pulse_page *page, int64_t *beat_ns, int64_t now_ns)
{
    int64_t stop_ns = *beat_ns == 0 ? 0 : pulse_stop(now_ns - *beat_ns);

    *beat_ns = now_ns;
    if (page == NULL) {
        return stop_ns;
    }
    if (stop_ns >= PULSE_LONG_NS) {
        atomic_store(&page->long_ns, now_ns);
    }
    atomic_fetch_add(&page->stalled_ns, stop_ns);
    atomic_store(&page->beat_ns, now_ns); /* last: see pulse_stalled */
    return stop_ns;
}

void pulse_rest(struct pulse_page *page, int64_t *beat_ns)
{
    *beat_ns = 0;
    if (page != NULL) {
        /* While it waits without a deadline its silence is no stop. */
        atomic_store(&page->beat_ns, 0);
    }
}

int64_t pulse_stalled(const struct pulse_page *page, int64_t now_ns)
{
    int64_t beat_ns, stalled_ns;

    if (page == NULL) {
        return 0;
    }
    do { /* a stop that ends now is in the sum, or is seen by the age of the beat: not in both */
        beat_ns = atomic_load(&page->beat_ns);
        stalled_ns = atomic_load(&page->stalled_ns);
    } while (beat_ns != atomic_load(&page->beat_ns));
    return stalled_ns + (beat_ns == 0 ? 0 : pulse_stop(now_ns - beat_ns));
}

bool pulse_was_long(const struct pulse_page *page, int64_t now_ns)
{
    int64_t beat_ns = page == NULL ? 0 : atomic_load(&page->beat_ns);
    int64_t long_ns = page == NULL ? 0 : atomic_load(&page->long_ns);

    return (long_ns > 0 && now_ns - long_ns < PULSE_AFTER_NS) ||
           (beat_ns > 0 && now_ns - beat_ns >= PULSE_LONG_NS);
}
