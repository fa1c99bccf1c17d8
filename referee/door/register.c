#define _GNU_SOURCE /* strsep */
#include "register.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <rules/clean.h>

#include "text/units.h"

static const char ask_magic[] = "bgref-register-1";
static const char answer_magic[] = "bgref-registered-1";
static const char *const words[] = {"registered", "waits", "refused", NULL};

enum { FIELDS = 5, ANSWER_FIELDS = 3 };

/* Copies a message as text. Returns false if it is too long or has a byte 0. */
static bool text_of(char out[REGISTER_MOST + 1], const void *data, size_t size)
{
    if (size > REGISTER_MOST || memchr(data, '\0', size) != NULL) {
        return false;
    }
    memcpy(out, data, size);
    out[size] = '\0';
    return true;
}

/* Splits at TABs. Returns the number of fields, `most` + 1 if there are more. */
static int split(char **field, int most, char *text)
{
    char *rest = text;
    int fields = 0;

    while (rest != NULL && fields < most) {
        field[fields++] = strsep(&rest, "\t");
    }
    return rest == NULL ? fields : most + 1;
}

static void copy_lower(char *out, const char *text)
{
    do {
        *out++ = (char)tolower((unsigned char)*text);
    } while (*text++ != '\0');
}

bool register_token_is_valid(const char *text)
{
    return strlen(text) == REGISTER_TOKEN - 1 &&
           text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
}

static bool is_clean(const char *text)
{
    char line[CLEAN_GROWTH * REGISTER_CONTACT + 1];

    if (strlen(text) >= REGISTER_CONTACT) {
        return false;
    }
    clean_write(line, sizeof line, text, strlen(text), CLEAN_LINE);
    return strcmp(line, text) == 0;
}

enum bg_status register_read(struct register_ask *out, const void *data, size_t size,
                             struct bg_error *err)
{
    unsigned char key[KEY_FILE_BYTES];
    char text[REGISTER_MOST + 1], *field[FIELDS];

    *out = (struct register_ask){.name = ""};
    if (!text_of(text, data, size) || split(field, FIELDS, text) != FIELDS ||
        strcmp(field[0], ask_magic) != 0) {
        return bg_error_set(err, BG_E_FORMAT,
                            "this is the porch: it takes registrations ('bgref register')");
    }
    if (!key_name_is_valid(field[1])) {
        return bg_error_set(err, BG_E_FORMAT, "not a name of 1 to 64 letters, digits or . _ + -");
    }
    if (field[2][0] != '\0' && !register_token_is_valid(field[2])) {
        return bg_error_set(err, BG_E_FORMAT, "a token has %d hexadecimal digits",
                            REGISTER_TOKEN - 1);
    }
    if (field[3][0] != '\0' && !key_read_hex(key, field[3])) {
        return bg_error_set(err, BG_E_FORMAT, "the next key is not 64 hexadecimal digits");
    }
    if (!is_clean(field[4])) {
        return bg_error_set(err, BG_E_FORMAT,
                            "the contact is not one line of at most %d bytes of visible text",
                            REGISTER_CONTACT - 1);
    }
    snprintf(out->name, sizeof out->name, "%s", field[1]);
    copy_lower(out->token, field[2]);
    copy_lower(out->next, field[3]);
    snprintf(out->contact, sizeof out->contact, "%s", field[4]);
    return BG_OK;
}

enum bg_status register_answer_read(struct register_answer *out, const void *data, size_t size,
                                    struct bg_error *err)
{
    char text[REGISTER_MOST + 1], *field[ANSWER_FIELDS];
    int word = REGISTER_REFUSED;

    *out = (struct register_answer){.word = REGISTER_REFUSED};
    if (!text_of(text, data, size) || split(field, ANSWER_FIELDS, text) != ANSWER_FIELDS ||
        strcmp(field[0], answer_magic) != 0 || word_read(&word, field[1], words, NULL) != BG_OK) {
        return bg_error_set(err, BG_E_FORMAT, "the host's answer is not one to a registration");
    }
    out->word = (enum register_word)word;
    clean_write(out->text, sizeof out->text, field[2], strlen(field[2]), CLEAN_LINE);
    return BG_OK;
}

size_t register_write(char out[REGISTER_MOST], const struct register_ask *ask)
{
    return (size_t)snprintf(out, REGISTER_MOST, "%s\t%s\t%s\t%s\t%s", ask_magic, ask->name,
                            ask->token, ask->next, ask->contact);
}

size_t register_answer_write(char out[REGISTER_MOST], const struct register_answer *answer)
{
    return (size_t)snprintf(out, REGISTER_MOST, "%s\t%s\t%s", answer_magic, words[answer->word],
                            answer->text);
}
