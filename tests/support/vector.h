/* vector.h - compares a file of tests/vectors/ratings with our results. */
#ifndef VECTOR_H
#define VECTOR_H

/* Fails the running test with the path of the first member that differs from `expected`. */
void vector_check(const char *path);

#endif
