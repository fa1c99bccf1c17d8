/* library.h - functions of a shared library that few runs need: loaded when they are called for, so
 * that not each start of the program pays for it. packaging/CMakeLists.txt names its package, which
 * Debian's tools find for linked libraries only. */
#ifndef RESULTS_BASE_LIBRARY_H
#define RESULTS_BASE_LIBRARY_H

#include <bgref/error.h>

#include <stddef.h>

/* Loads file (as "libzmq.so.5") for the rest of the process. functions: a struct of count pointers
 * to functions, which are those of names in the same order. BG_E_SYSTEM: it says what is missing.
 */
enum bg_status library_load(void *functions, const char *const *names, size_t count,
                            const char *file, struct bg_error *err);

#endif
