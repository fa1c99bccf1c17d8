/* The first variable that is set decides, also if its path is too long: to fall back to the next
 * one would split what a bot has computed over two folders. */
#include "cache.h"

#include <stdio.h>
#include <stdlib.h>

void cache_find_folder(char *out, size_t size)
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"BGREF_CACHE", ""}, {"XDG_CACHE_HOME", "/bgref"}, {"HOME", "/.cache/bgref"}};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *folder = getenv(places[i].variable);

        if (folder != NULL && folder[0] == '/') { /* XDG: relative paths are ignored */
            if ((size_t)snprintf(out, size, "%s%s", folder, places[i].below) >= size) {
                out[0] = '\0';
            }
            return;
        }
    }
    out[0] = '\0';
}
