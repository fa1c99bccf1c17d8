/* The kernel looks at this limit whenever the stack of the first thread grows, so to raise it is
 * enough: no new exec, no thread with a stack of its own. */
#include "stack.h"

#include <sys/resource.h>

enum bg_status stack_suffice(struct bg_error *err)
{
    struct rlimit limit, wanted;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= STACK_NEEDED) {
        return BG_OK;
    }
    wanted = limit;
    wanted.rlim_cur = STACK_NEEDED;
    if (wanted.rlim_max < wanted.rlim_cur) { /* only root may raise it */
        wanted.rlim_max = wanted.rlim_cur;
    }
    if (setrlimit(RLIMIT_STACK, &wanted) == 0) { /* takes effect at once */
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "a stack of %d KB may be needed, and %llu KB are allowed: 'ulimit -s %d' "
                        "or more",
                        STACK_NEEDED >> 10, (unsigned long long)limit.rlim_cur >> 10,
                        STACK_NEEDED >> 10);
}
