/* Bounds and defaults come as texts, so that one field of the protocol serves every type. Every
 * offer is checked when the Hello comes, not when an option is set: a bot whose default is
 * outside of its own bounds is then refused with its reason, whatever the event sets. */
#include "offer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

bool offer_has_word(const char *text, const char *word, char part)
{
    size_t length = strlen(word);

    for (const char *at = text; at != NULL && *at != '\0';) {
        const char *end = strchr(at, part);
        size_t size = end == NULL ? strlen(at) : (size_t)(end - at);

        if (size == length && memcmp(at, word, size) == 0) {
            return true;
        }
        at = end == NULL ? NULL : end + 1;
    }
    return false;
}

/* Reads a finite decimal number; strtod alone also accepts "nan", "inf", "0x1p3" and leading
 * spaces. */
static bool read_number(double *out, const char *text, bool whole)
{
    char *end = NULL;

    if (text[0] == '\0' || strspn(text, "+-.0123456789eE") != strlen(text)) {
        return false;
    }
    errno = 0;
    *out = strtod(text, &end);
    return *end == '\0' && errno == 0 && isfinite(*out) && (!whole || floor(*out) == *out);
}

static bool in_range(const struct wire_option *option, const char *value, bool whole, char *why)
{
    double number;

    if (!read_number(&number, value, whole)) {
        snprintf(why, WIRE_TEXT, "\"%.60s\" is not %s", value,
                 whole ? "a whole number" : "a number");
        return false;
    }
    if ((option->min[0] != '\0' && number < strtod(option->min, NULL)) ||
        (option->max[0] != '\0' && number > strtod(option->max, NULL))) {
        snprintf(why, WIRE_TEXT, "%.60s is outside %s..%s", value, option->min, option->max);
        return false;
    }
    return true;
}

bool offer_takes(char why[WIRE_TEXT], const struct wire_option *option, const char *value)
{
    switch (option->type) {
    case WIRE_INTEGER:
        return in_range(option, value, true, why);
    case WIRE_REAL:
        return in_range(option, value, false, why);
    case WIRE_FLAG:
        if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
            return true;
        }
        snprintf(why, WIRE_TEXT, "\"%.60s\" is not true or false", value);
        return false;
    case WIRE_CHOICE:
        if (offer_has_word(option->choices, value, '|')) {
            return true;
        }
        snprintf(why, WIRE_TEXT, "\"%.40s\" is not one of %.160s", value, option->choices);
        return false;
    case WIRE_STRING:
        break;
    }
    return true;
}

/* Returns true if its texts are UTF-8 without control or invisible characters. */
static bool is_clean(char *why, const struct wire_option *option)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"name", option->name}, {"value", option->value},     {"min", option->min},
                 {"max", option->max},   {"choices", option->choices}, {"help", option->help}};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t size = strlen(texts[i].text);
        enum clean_kind kind = texts[i].text == option->help ? CLEAN_TEXT : CLEAN_LINE;

        if (clean_find(texts[i].text, size, kind) < size) {
            snprintf(why, WIRE_TEXT,
                     "its %s holds a control or invisible character, or is not UTF-8",
                     texts[i].name);
            return false;
        }
    }
    return true;
}

/* Checks a number's bounds, with which in_range compares. */
static bool has_bounds(char *why, const struct wire_option *option)
{
    const bool whole = option->type == WIRE_INTEGER;
    const char *bounds[] = {option->min, option->max};
    double number[2] = {-INFINITY, INFINITY};

    for (int i = 0; i < 2; i++) {
        if (bounds[i][0] != '\0' && !read_number(&number[i], bounds[i], whole)) {
            snprintf(why, WIRE_TEXT, "its %s \"%.60s\" is not %s", i == 0 ? "min" : "max",
                     bounds[i], whole ? "a whole number" : "a number");
            return false;
        }
    }
    if (number[0] > number[1]) {
        snprintf(why, WIRE_TEXT, "its min %.60s is above its max %.60s", option->min, option->max);
        return false;
    }
    return true;
}

static bool is_sound(char *why, const struct wire_option *option)
{
    char wrong[WIRE_TEXT];

    if (option->name[0] == '\0' || strchr(option->name, '=') != NULL) {
        snprintf(why, WIRE_TEXT, "its name is empty or holds a '='");
        return false;
    }
    if (!is_clean(why, option)) {
        return false;
    }
    if ((option->type == WIRE_INTEGER || option->type == WIRE_REAL) && !has_bounds(why, option)) {
        return false;
    }
    if (!offer_takes(wrong, option, option->value)) {
        snprintf(why, WIRE_TEXT, "its default value is invalid: %.200s", wrong);
        return false;
    }
    return true;
}

bool offer_check(char what[WIRE_TEXT], char why[WIRE_TEXT], const struct wire_option *options,
                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(what, WIRE_TEXT, "option %s", options[i].name);
        if (options[i].name[0] == '\0') {
            snprintf(what, WIRE_TEXT, "option number %zu", i + 1);
        }
        if (!is_sound(why, &options[i])) {
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            if (strcmp(options[i].name, options[k].name) == 0) {
                snprintf(why, WIRE_TEXT, "it is offered twice");
                return false;
            }
        }
    }
    return true;
}
