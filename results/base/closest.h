/* closest.h - the known name nearest to a misspelled one. */
#ifndef RESULTS_BASE_CLOSEST_H
#define RESULTS_BASE_CLOSEST_H

/* Returns the name nearest to text by added, missing, changed or swapped letters, ignoring case;
 * NULL if no name is near enough. names[0..count-1] are lent; the result is one of them. */
const char *closest_name(const char *text, const char *const *names, int count);

/* " (perhaps NAME?)" with the nearest of the names, or with the one given; "" if there is none. As
 * a struct it can stand among the arguments of the call that prints it: closest_hint(near).text. */
struct closest_text {
    char text[80];
};

struct closest_text closest_perhaps(const char *text, const char *const *names, int count);
struct closest_text closest_hint(const char *near);

#endif
