/* plural.h - words that agree with a count: "1 game", "2 games". Used by all messages and tables.
 */
#ifndef RESULTS_BASE_PLURAL_H
#define RESULTS_BASE_PLURAL_H

#include <stdint.h>

/* Returns the form of the word for this count. */
static inline const char *plural(uint64_t count, const char *one, const char *several)
{
    return count == 1 ? one : several;
}

/* Returns "s", or "" for a count of 1. */
static inline const char *plural_s(uint64_t count)
{
    return plural(count, "", "s");
}

#endif
