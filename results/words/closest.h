/* closest.h - the known name nearest to a misspelled one. */
#ifndef RESULTS_WORDS_CLOSEST_H
#define RESULTS_WORDS_CLOSEST_H

/* The name nearest to text by letters added, dropped, changed or swapped, case aside; NULL when
 * none is near enough to be worth saying. names[0..count-1] are lent; the answer is one of them. */
const char *closest_name(const char *text, const char *const *names, int count);

#endif
