/* An error is a value that the caller owns: no allocation, nothing to free, and it can be passed
 * on as the reason of another. The text is cleaned where it is made, since arguments are often
 * foreign (a path, a bot's name, a line of a file). */
#include <bgref/error.h>

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clean.h"

#define LACK "out of memory"

enum { RAW = 2048 }; /* before the text is cleaned and cut; an argument may be an error's text */

enum bg_status bg_error_set(struct bg_error *err, enum bg_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        char raw[RAW];
        size_t used = 0;

        err->status = status;
        va_start(arguments, format);
        /* Before it is cleaned: err->text may be one of the arguments. */
        vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        /* Callers pass only the purpose of the memory. */
        if (status == BG_E_MEMORY && strstr(raw, LACK) == NULL) {
            used =
                clean_write(err->text, sizeof err->text, LACK ": ", strlen(LACK ": "), CLEAN_LINE);
        }
        clean_write(err->text + used, sizeof err->text - used, raw, strlen(raw), CLEAN_LINE);
    }
    return status;
}

const char *bg_status_name(enum bg_status status)
{
    static const char *const names[BG_STATUS_COUNT] = {
        "ok",    "argument", "format", "config",  "memory", "system",  "link",
        "store", "busy",     "start",  "refused", "closed", "timeout", "mismatch",
    };

    assert(status >= 0 && status < BG_STATUS_COUNT);
    return names[status];
}

static const char *const fault_names[BG_FAULT_COUNT] = {
    "none",  "illegal", "ambiguous", "late",  "garbled", "oversized", "flood", "unread",
    "order", "crash",   "silent",    "start", "host",    "memory",    "gone",
};

const char *bg_fault_name(enum bg_fault fault)
{
    assert(fault >= 0 && fault < BG_FAULT_COUNT);
    return fault_names[fault];
}

enum bg_fault bg_fault_from_name(const char *name)
{
    for (int i = 1; i < BG_FAULT_COUNT; i++) {
        if (strcmp(name, fault_names[i]) == 0) {
            return (enum bg_fault)i;
        }
    }
    return BG_FAULT_NONE;
}
