/* sized.h - structs that begin with their size, from programs with older or newer headers. */
#ifndef SDK_CLIENT_SIZED_H
#define SDK_CLIENT_SIZED_H

#include <stddef.h>

#include <bgref/error.h>

/* Size of a struct up to the end of a member. */
#define SIZED_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* Checks the size of the struct named `what`: at least `first`, its size in the first headers of
 * this BG_ABI, and at most `known`. BG_E_ARGUMENT: the text of err has which headers are older. */
enum bg_status sized_check(const char *what, size_t size, size_t first, size_t known,
                           struct bg_error *err);

#endif
