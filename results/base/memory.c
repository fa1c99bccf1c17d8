#define _GNU_SOURCE /* asprintf, MADV_HUGEPAGE */
#include "memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

#include "exit_status.h"

static const uintptr_t LARGE_PAGE = (uintptr_t)2 << 20;

void memory_none(size_t size)
{
    char line[200];
    int length = snprintf(line, sizeof line,
                          "bgref: no memory for %zu bytes; what is stored is safe, and the same "
                          "command goes on from there\n",
                          size);

    /* not through stdio, which may want memory, nor exit, whose handlers may */
    (void)!write(STDERR_FILENO, line, (size_t)length);
    _exit(EXIT_SURROUNDINGS);
}

/* calloc, and not malloc with memset: large blocks come from the kernel as zeros, and are not
 * touched before they are used. */
void *memory_zeroed(size_t count, size_t size)
{
    size_t elements = count == 0 ? 1 : count;
    char *out = calloc(elements, size);

    if (out == NULL) {
        memory_none(size == 0 || count < SIZE_MAX / size ? count * size : SIZE_MAX);
    }
#ifdef MADV_HUGEPAGE
    if (elements * size >= 2 * LARGE_PAGE) {
        uintptr_t unaligned = (uintptr_t)out % LARGE_PAGE;
        size_t skipped = unaligned == 0 ? 0 : LARGE_PAGE - unaligned;
        size_t room = elements * size - skipped;

        madvise(out + skipped, room - room % LARGE_PAGE, MADV_HUGEPAGE); /* only a wish */
    }
#endif
    return out;
}

void *memory_list(void *list, size_t *room, size_t count, size_t size)
{
    size_t wanted = 2 * *room > count ? 2 * *room : count;

    if (count <= *room && list != NULL) {
        return list;
    }
    /* Unlike realloc it refuses a product that overflows. */
    list = reallocarray(list, wanted, size);
    if (list == NULL) {
        memory_none(wanted < SIZE_MAX / size ? wanted * size : SIZE_MAX);
    }
    *room = wanted;
    return list;
}

char *memory_text(const char *text)
{
    return text == NULL ? NULL : memory_text_of(text, strlen(text));
}

char *memory_text_of(const char *text, size_t size)
{
    char *copy = strndup(text, size);

    if (copy == NULL) {
        memory_none(size);
    }
    return copy;
}

char *memory_print(const char *format, ...)
{
    char *out = NULL;
    va_list values;
    int length;

    va_start(values, format);
    length = vasprintf(&out, format, values);
    va_end(values);
    if (length < 0) {
        memory_none(strlen(format));
    }
    return out;
}

FILE *memory_stream(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);

    if (stream == NULL) {
        memory_none(BUFSIZ);
    }
    return stream;
}

void memory_stream_close(FILE *stream)
{
    bool failed = ferror(stream) != 0;

    if (fclose(stream) != 0 || failed) {
        memory_none(BUFSIZ);
    }
}
