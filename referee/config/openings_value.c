/* The words are separated by blanks, and so may be the parts of a file's name: `file=` takes
 * everything up to the next word with a '='. The order of the positions is written by itself too
 * (openings_value_order): results keep it and the digest of the file, but not its path, which
 * may be another one on the machine where the event goes on. */
#include "openings_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/closest.h"
#include "base/units.h"

enum { WORD_ROOM = 1024 };

static const char *const format_words[] = {"auto", "xgid", "position", NULL};
static const char *const order_words[] = {"sequential", "random", NULL};
static const char *const bad_words[] = {"refuse", "skip", NULL};

static enum bg_status word_take(struct config_openings *out, const char *key, const char *value,
                                struct bg_error *err)
{
    static const char *const keys[] = {"file", "format", "order", "start", "bad"};
    enum bg_status status;
    int word = 0;

    if (strcmp(key, "file") == 0) {
        return copy_read(out->file, sizeof out->file, value, err);
    }
    if (strcmp(key, "format") == 0) {
        status = word_read(&word, value, format_words, err);
        out->format = (enum config_openings_format)word;
        return status;
    }
    if (strcmp(key, "order") == 0) {
        status = word_read(&word, value, order_words, err);
        out->random = word == 1;
        return status;
    }
    if (strcmp(key, "bad") == 0) {
        status = word_read(&word, value, bad_words, err);
        out->skips_bad = word == 1;
        return status;
    }
    if (strcmp(key, "start") == 0) {
        return count_read(&out->start, value, 0, 1000000000, err);
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "unknown word %.40s%s; known are file, format, order, start, bad", key,
                        closest_perhaps(key, keys, sizeof keys / sizeof keys[0]).text);
}

/* Returns the length of the word at `at`: up to the next blank. A file's name extends to the next
 * key=value. */
static size_t word_length(const char *at)
{
    size_t length = strcspn(at, " ");

    if (strncmp(at, "file=", 5) != 0) {
        return length;
    }
    for (;;) {
        size_t blanks = strspn(at + length, " ");
        size_t more = strcspn(at + length + blanks, " ");

        if (more == 0 || memchr(at + length + blanks, '=', more) != NULL) {
            return length;
        }
        length += blanks + more;
    }
}

enum bg_status openings_value_read(struct config_openings *out, const char *text,
                                   struct bg_error *err)
{
    struct config_openings read = {.file = ""};
    const char *at = text + strspn(text, " ");
    enum bg_status status = BG_OK;

    if (strcmp(text, "off") == 0) {
        *out = read;
        return BG_OK;
    }
    while (status == BG_OK && *at != '\0') {
        size_t length = word_length(at);
        struct bg_error why = {.text = ""};
        char word[WORD_ROOM];
        char *equal;

        if (length >= sizeof word) {
            return bg_error_set(err, BG_E_ARGUMENT, "'%.40s...' is too long", at);
        }
        memcpy(word, at, length);
        word[length] = '\0';
        equal = strchr(word, '=');
        if (equal == NULL && read.file[0] == '\0') { /* only a path */
            status = word_take(&read, "file", word, &why);
        } else if (equal == NULL) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.40s' is not key=value; words like file=x.xgid order=random are "
                                "needed",
                                word);
        } else {
            *equal = '\0';
            status = word_take(&read, word, equal + 1, &why);
        }
        if (status != BG_OK) {
            return bg_error_set(err, status, "%.40s: %.300s", equal == NULL ? "file" : word,
                                why.text);
        }
        at += length;
        at += strspn(at, " ");
    }
    if (read.file[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT, "which file? like file=positions.xgid");
    }
    *out = read;
    return BG_OK;
}

void openings_value_order(char *out, size_t size, const struct config_openings *openings)
{
    if (openings->file[0] == '\0') {
        snprintf(out, size, "off");
        return;
    }
    snprintf(out, size, "order=%s start=%" PRIu64 "%s", order_words[openings->random],
             openings->start, openings->skips_bad ? " bad=skip" : "");
}

void openings_value_write(char *out, size_t size, const struct config_openings *openings)
{
    if (openings->file[0] == '\0') {
        snprintf(out, size, "off");
        return;
    }
    snprintf(out, size, "file=%s format=%s order=%s start=%" PRIu64 "%s", openings->file,
             format_words[openings->format], order_words[openings->random], openings->start,
             openings->skips_bad ? " bad=skip" : "");
}
