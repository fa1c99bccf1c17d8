#include "library.h"

#include <dlfcn.h>
#include <string.h>

enum bg_status library_load(void *functions, const char *const *names, size_t count,
                            const char *file, struct bg_error *err)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL); /* never closed: it may have threads */

    for (size_t i = 0; i < count; i++) {
        void *function = library == NULL ? NULL : dlsym(library, names[i]);

        if (function == NULL) {
            return bg_error_set(err, BG_E_SYSTEM, "load %s: %s", file, dlerror());
        }
        /* C has no conversion between the two kinds of pointers; POSIX makes them alike. */
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return BG_OK;
}
