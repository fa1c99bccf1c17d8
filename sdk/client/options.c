/* Values come as text in both directions, so bounds are compared as what the option's type says,
 * here and nowhere else. A bound that is no number is no bound: authors leave it empty. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool integer_read(long long *out, const char *text)
{
    char *end;

    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0';
}

static bool real_read(double *out, const char *text)
{
    char *end;

    *out = strtod(text, &end);
    /* Infinity minus itself and NaN are NaN; so math.h is not needed. */
    return end != text && *end == '\0' && *out - *out == 0; /* finite */
}

static bool integer_fits(const struct wire_option *option)
{
    long long value, bound;

    return integer_read(&value, option->value) &&
           (!integer_read(&bound, option->min) || value >= bound) &&
           (!integer_read(&bound, option->max) || value <= bound);
}

static bool real_fits(const struct wire_option *option)
{
    double value, bound;

    return real_read(&value, option->value) &&
           (!real_read(&bound, option->min) || value >= bound) &&
           (!real_read(&bound, option->max) || value <= bound);
}

static bool choice_fits(const struct wire_option *option)
{
    size_t length = strlen(option->value);

    for (const char *at = option->choices; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strcspn(at, "|") == length && strncmp(at, option->value, length) == 0) {
            return true;
        }
    }
    return false;
}

static enum bg_status value_check(const struct wire_option *option, struct bg_error *err)
{
    switch (option->type) {
    case WIRE_INTEGER:
        return integer_fits(option)
                   ? BG_OK
                   : bg_error_set(err, BG_E_ARGUMENT, "option %s: %s is not an integer in %s..%s",
                                  option->name, option->value, option->min, option->max);
    case WIRE_REAL:
        return real_fits(option)
                   ? BG_OK
                   : bg_error_set(err, BG_E_ARGUMENT, "option %s: %s is not a number in %s..%s",
                                  option->name, option->value, option->min, option->max);
    case WIRE_FLAG:
        return strcmp(option->value, "true") == 0 || strcmp(option->value, "false") == 0
                   ? BG_OK
                   : bg_error_set(err, BG_E_ARGUMENT, "option %s: %s is neither true nor false",
                                  option->name, option->value);
    case WIRE_CHOICE:
        return choice_fits(option) ? BG_OK
                                   : bg_error_set(err, BG_E_ARGUMENT, "option %s: %s is none of %s",
                                                  option->name, option->value, option->choices);
    case WIRE_STRING:
    default:
        return BG_OK;
    }
}

static bool copy(char *out, size_t size, const char *text)
{
    size_t length = text == NULL ? 0 : strlen(text);

    if (length >= size) {
        return false;
    }
    if (length > 0) {
        memcpy(out, text, length);
    }
    out[length] = '\0';
    return true;
}

enum bg_status options_add(struct wire_hello *hello, const struct bg_option *in,
                           struct bg_error *err)
{
    struct wire_option *out = &hello->options[hello->option_count];
    enum bg_status status;

    out->type = (enum wire_option_type)in->type;
    if (in->name == NULL || in->name[0] == '\0' || !copy(out->name, sizeof out->name, in->name) ||
        !copy(out->value, sizeof out->value, in->value) ||
        !copy(out->min, sizeof out->min, in->min) || !copy(out->max, sizeof out->max, in->max) ||
        !copy(out->choices, sizeof out->choices, in->choices) ||
        !copy(out->help, sizeof out->help, in->help)) {
        return bg_error_set(err, BG_E_ARGUMENT, "option %zu (%s): no name, or a text too long",
                            hello->option_count, in->name == NULL ? "" : in->name);
    }
    status = value_check(out, err);
    if (status == BG_OK) {
        hello->option_count++;
    }
    return status;
}

static struct wire_option *option_find(struct wire_hello *hello, const char *name)
{
    for (size_t i = 0; i < hello->option_count; i++) {
        if (strcmp(hello->options[i].name, name) == 0) {
            return &hello->options[i];
        }
    }
    return NULL;
}

enum bg_status options_set(struct wire_hello *hello, const struct wire_welcome *welcome,
                           bool is_from_afar, struct bg_error *err)
{
    for (size_t i = 0; i < welcome->option_count; i++) {
        struct wire_option *option = option_find(hello, welcome->options[i].name);
        enum bg_status status;

        if (option == NULL) {
            return bg_error_set(err, BG_E_ARGUMENT, "option %s: not one of this bot's options",
                                welcome->options[i].name);
        }
        /* The referee on this machine could start any program anyway; one elsewhere must not get
         * that by a bot's option. */
        if (is_from_afar && option->type == WIRE_STRING &&
            strcmp(option->value, welcome->options[i].value) != 0) {
            return bg_error_set(
                err, BG_E_ARGUMENT,
                "option %s: a host on another machine may not set another text, which "
                "may name a program or a file",
                option->name);
        }
        /* Checked after it is set: the bot does not start with a value that does not fit, so
         * nobody reads it. */
        memcpy(option->value, welcome->options[i].value, sizeof option->value);
        status = value_check(option, err);
        if (status != BG_OK) {
            return status;
        }
    }
    return BG_OK;
}
