/* plural.h - words that agree with a count: "1 game", "2 games". One home for all that people read.
 */
#ifndef RESULTS_WORDS_PLURAL_H
#define RESULTS_WORDS_PLURAL_H

#include <stdint.h>

/* The word for so many. Returns one of the two. */
static inline const char *plural(uint64_t count, const char *one, const char *several)
{
    return count == 1 ? one : several;
}

/* "s" behind a noun, but not behind a single one. */
static inline const char *plural_s(uint64_t count)
{
    return plural(count, "", "s");
}

#endif
