/* closest.h - the known name nearest to a misspelled one. */
#ifndef RESULTS_BASE_CLOSEST_H
#define RESULTS_BASE_CLOSEST_H

/* Returns the name nearest to text by added, missing, changed or swapped letters, ignoring case;
 * NULL if no name is near enough. names[0..count-1] are lent; the result is one of them. */
const char *closest_name(const char *text, const char *const *names, int count);

#endif
