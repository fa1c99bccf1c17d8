/* large.h - zeroed memory for the arrays of a fit, which can take tens of megabytes. */
#ifndef RESULTS_NUMBERS_LARGE_H
#define RESULTS_NUMBERS_LARGE_H

#include <stddef.h>

/* As calloc, with room for one element more, so that 0 elements are not NULL; freed with free. The
 * kernel is asked for large pages where an array has room for them: fewer page faults. NULL: no
 * memory. */
void *large_array(size_t count, size_t size);

#endif
