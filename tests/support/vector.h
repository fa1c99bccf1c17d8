/* vector.h - compares a file of tests/vectors/ratings with our results. */
#ifndef VECTOR_H
#define VECTOR_H

#include <check.h>

/* Adds a test of each named file, which fails with the path of the first member that differs from
 * `expected`. names: separated by spaces. Once in a program. */
void vector_add(TCase *tests, const char *names);

#endif
