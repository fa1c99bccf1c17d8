/* The times are of the monotonic clock, from log_open() on: they do not jump when somebody sets
 * the clock. Texts of bots stand in these lines, so they are cleaned where they are written, not
 * by each caller. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>
#include "base/utc.h"

static const char *const names[] = {"none", "error", "warn", "info", "debug"};

/* The only global state outside of the loop, because the log level applies to the whole program. */
static enum log_level current = LOG_LEVEL_WARN;
static int64_t begun_ns;
static bool hides_addresses;

enum bg_status log_open(const char *level, struct bg_error *err)
{
    const char *variable = getenv("BGREF_LOG"), *addresses = getenv("BGREF_LOG_ADDRESSES");
    const char *text = level != NULL ? level : variable;

    begun_ns = utc_steady_ns();
    hides_addresses = addresses != NULL && strcmp(addresses, "no") == 0;
    if (text == NULL || text[0] == '\0') {
        return BG_OK;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            current = (enum log_level)i;
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "%s '%.40s': no such level; there are none, error, warn, info and debug",
                        level != NULL ? "--log" : "BGREF_LOG", text);
}

const char *log_address(const char *text)
{
    return hides_addresses ? "an address" : text;
}

void log_hide_addresses(bool hide)
{
    hides_addresses = hide;
}

static void line(enum log_level level, const char *module, const char *format, va_list arguments)
{
    char raw[1024], text[1024];
    double seconds;
    int size;

    if (level > current) {
        return;
    }
    seconds = begun_ns == 0 ? 0.0 : 1e-9 * (double)(utc_steady_ns() - begun_ns);
    size = snprintf(text, sizeof text, "%.3f %s %s ", seconds, names[level], module);
    vsnprintf(raw, sizeof raw, format, arguments);
    /* A line is one write: lines of two threads do not mix. Line breaks inside would forge lines.
     */
    clean_write(text + size, sizeof text - (size_t)size, raw, strlen(raw), CLEAN_LINE);
    fprintf(stderr, "%s\n", text);
}

#define DEFINE(name, level)                                                                        \
    void name(const char *module, const char *format, ...)                                         \
    {                                                                                              \
        va_list arguments;                                                                         \
                                                                                                   \
        va_start(arguments, format);                                                               \
        line(level, module, format, arguments);                                                    \
        va_end(arguments);                                                                         \
    }

DEFINE(log_error, LOG_LEVEL_ERROR)
DEFINE(log_warn, LOG_LEVEL_WARN)
DEFINE(log_info, LOG_LEVEL_INFO)
