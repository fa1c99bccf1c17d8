/* sized.h - structs that say their size, from programs of older and newer headers. */
#ifndef SDK_CLIENT_SIZED_H
#define SDK_CLIENT_SIZED_H

#include <stddef.h>

#include <bgref/error.h>

/* Bytes of a struct up to the end of a member. */
#define SIZED_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* Whether size bytes of the struct called what can be understood: at least first, which the first
 * headers of this BG_ABI had, at most known. BG_E_ARGUMENT says which headers are the older. */
enum bg_status sized_check(const char *what, size_t size, size_t first, size_t known,
                           struct bg_error *err);

#endif
