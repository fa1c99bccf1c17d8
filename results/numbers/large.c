#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "large.h"

#include <stdint.h>
#include <stdlib.h>

#include <sys/mman.h>

static const uintptr_t LARGE_PAGE = (uintptr_t)2 << 20;

void *large_array(size_t count, size_t size)
{
    char *out = calloc(count + 1, size);

#ifdef MADV_HUGEPAGE
    if (out != NULL && (count + 1) * size >= 2 * LARGE_PAGE) {
        uintptr_t unaligned = (uintptr_t)out % LARGE_PAGE;
        size_t skipped = unaligned == 0 ? 0 : LARGE_PAGE - unaligned;
        size_t room = (count + 1) * size - skipped;

        madvise(out + skipped, room - room % LARGE_PAGE, MADV_HUGEPAGE); /* only a wish */
    }
#endif
    return out;
}
