/* Readers of values that people type. strtol and its like take blanks, signs and overflow in
 * silence, which a person would not notice. */
#include "plain.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool plain_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

enum bg_status flag_read(bool *out, const char *text, struct bg_error *err)
{
    static const char *const words[2][3] = {{"off", "no", "false"}, {"on", "yes", "true"}};

    for (int value = 0; value < 2; value++) {
        for (int i = 0; i < 3; i++) {
            if (strcmp(text, words[value][i]) == 0) {
                *out = value == 1;
                return BG_OK;
            }
        }
    }
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is neither on (yes, true) nor off (no, false)",
                        text);
}

enum bg_status count_read(uint64_t *out, const char *text, uint64_t least, uint64_t most,
                          struct bg_error *err)
{
    uint64_t value = 0;
    const char *at = text;

    for (; isdigit((unsigned char)*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');

        if (value > (UINT64_MAX - digit) / 10) {
            break;
        }
        value = value * 10 + digit;
    }
    if (at == text || *at != '\0' || value < least || value > most) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is not a whole number from %" PRIu64 " to %" PRIu64, text,
                            least, most);
    }
    *out = value;
    return BG_OK;
}

enum bg_status int_read(int *out, const char *text, uint64_t least, uint64_t most,
                        struct bg_error *err)
{
    uint64_t value;
    enum bg_status status = count_read(&value, text, least, most, err);

    if (status == BG_OK) {
        *out = (int)value;
    }
    return status;
}

enum bg_status copy_read(char *out, size_t size, const char *text, struct bg_error *err)
{
    if (text[0] == '\0' || strlen(text) >= size) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            text[0] == '\0' ? "the value is missing" : "longer than %zu bytes",
                            size - 1);
    }
    memcpy(out, text, strlen(text) + 1);
    return BG_OK;
}

enum bg_status word_read(int *out, const char *text, const char *const *words, struct bg_error *err)
{
    char all[160] = "";
    size_t used = 0;

    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return BG_OK;
        }
        used +=
            (size_t)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is none of %s", text, all);
}

bool text_begins(const char *at, const char *end, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(end - at) >= size && memcmp(at, word, size) == 0;
}
