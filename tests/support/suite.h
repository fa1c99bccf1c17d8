#ifndef SUPPORT_SUITE_H
#define SUPPORT_SUITE_H

#include <check.h>

/* The list of tests of a program with one suite. The program defines it, and support/suite.c is its
 * main. One with several cases of libcheck, or with arguments, has a main of its own instead. */
void suite_tests(TCase *tests);

#endif
