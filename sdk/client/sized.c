/* A program and the library may be of different versions. Structs of the interface only grow at
 * their end, so a size tells which members there are; what is larger than known was compiled for
 * a newer library, whose members would be ignored without a word. */
#include "sized.h"

enum bg_status sized_check(const char *what, size_t size, size_t first, size_t known,
                           struct bg_error *err)
{
    if (size == 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s of size 0: begin with its initialiser", what);
    }
    if (size < first) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s of %zu bytes, at least %zu: this program was compiled with the "
                            "headers of an older bgref, which libbgref.so.%d does not serve; "
                            "compile it again",
                            what, size, first, BG_ABI);
    }
    if (size > known) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s of %zu bytes, at most %zu: this program was compiled with the "
                            "headers of a newer bgref than this library, %s; install that one",
                            what, size, known, BG_VERSION);
    }
    return BG_OK;
}
