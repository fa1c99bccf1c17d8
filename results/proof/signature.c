/* A text is signed and not a file: results can be copied or written anew, and a signature holds
 * as long as they say the same. */
#define _GNU_SOURCE
#include "signature.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/memory.h"
#include "season/season_store.h"
#include "root.h"

enum {
    EVENT = SIGNATURE_EVENT,
    MESSAGE = 1024 + EVENT,
    TEXT = 64 * 1024,
    KEY = 96,
    STATEMENT_WORDS = 6
};

static const char *date_or_none(const char *date)
{
    return date[0] == '\0' ? "-" : date;
}

/* Writes the words of the statement, each after the separator. */
static void write_words(char out[SIGNATURE_WORDS], const struct signature *signature,
                        char separator)
{
    const struct statement *said = &signature->statement;

    snprintf(out, SIGNATURE_WORDS, "%c%" PRIu64 "%c%s%c%s%c%s%c%s%c%s", separator, said->acts,
             separator, said->journal, separator, said->event, separator, said->standing, separator,
             date_or_none(said->begun), separator, date_or_none(said->ended));
}

/* Writes what is signed; returns its size. */
static size_t message_of(char out[MESSAGE], const struct signature *signature, const char *event)
{
    char words[SIGNATURE_WORDS];

    write_words(words, signature, '|');
    /* The event's name stands last: it is the only word that may have a "|" in it. */
    return (size_t)snprintf(out, MESSAGE, "bgref-signed-2|%s|%s|%" PRIu64 "|%s%s|%.255s",
                            signature->by.name, signature->time, signature->games, signature->root,
                            words, event);
}

bool signature_holds(const struct signature *signature, const char *event)
{
    char message[MESSAGE];
    size_t size = message_of(message, signature, event);

    return sign_text_holds(signature->bytes, message, size, signature->by.key);
}

/* ------------------------------------------------------------------------- one line */

static bool take_number(uint64_t *out, const char *text)
{
    char *end;

    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

static bool take_hex(unsigned char *out, size_t size, const char *text)
{
    return strlen(text) == 2 * size &&
           sodium_hex2bin(out, size, text, 2 * size, NULL, NULL, NULL) == 0;
}

static bool copy_field(char *out, size_t room, const char *text)
{
    return snprintf(out, room, "%s", text) < (int)room && text[0] != '\0';
}

/* Only "2026-11-22T08:30:00Z": the time is printed, and who signs chooses it. */
static bool take_time(char out[SIGNATURE_TIME], const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";

    for (size_t i = 0; i < sizeof form; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';

        if (form[i] == '0' ? !is_digit : text[i] != form[i]) {
            return false;
        }
    }
    memcpy(out, text, sizeof form);
    return true;
}

static bool take_digest(char out[RECORD_HASH], const char *text)
{
    return strlen(text) == RECORD_HASH - 1 && strspn(text, "0123456789abcdef") == RECORD_HASH - 1 &&
           copy_field(out, RECORD_HASH, text);
}

static bool take_date(char out[ACT_AT], const char *text)
{
    return strcmp(text, "-") == 0 || take_time(out, text);
}

static bool read_words(struct signature *out, char *const *word)
{
    struct statement *said = &out->statement;

    return take_number(&said->acts, word[0]) && take_digest(said->journal, word[1]) &&
           take_digest(said->event, word[2]) && take_digest(said->standing, word[3]) &&
           take_date(said->begun, word[4]) && take_date(said->ended, word[5]);
}

/* Cuts the line into at most `most` words; returns their number, one more if there are others. */
static int cut_words(char **word, int most, char *line, const char *separator)
{
    int count = 0;

    while (line != NULL && count < most) {
        word[count++] = strsep(&line, separator);
    }
    return line == NULL ? count : most + 1;
}

/* "NAME|TIME|GAMES|ROOT|HEX", then a statement; the line is cut. */
static bool read_stored(struct signature *out, char *line)
{
    enum { WORDS = 5 + STATEMENT_WORDS };
    char *word[WORDS];

    return cut_words(word, WORDS, line, "|") == WORDS && read_words(out, word + 5) &&
           key_name_is_valid(word[0]) && copy_field(out->by.name, sizeof out->by.name, word[0]) &&
           take_time(out->time, word[1]) && take_number(&out->games, word[2]) &&
           copy_field(out->root, sizeof out->root, word[3]) &&
           take_hex(out->bytes, sizeof out->bytes, word[4]);
}

void signature_write(char out[SIGNATURE_LINE], const struct signature *signature)
{
    char key[KEY_FILE_DIGITS], bytes[SIGNATURE_DIGITS], words[SIGNATURE_WORDS];

    write_words(words, signature, ' ');
    sodium_bin2hex(key, sizeof key, signature->by.key, sizeof signature->by.key);
    sodium_bin2hex(bytes, sizeof bytes, signature->bytes, sizeof signature->bytes);
    snprintf(out, SIGNATURE_LINE, "%s %s %s %s%s", signature->by.name, signature->time, key, bytes,
             words);
}

bool signature_read(struct signature *out, const char *line)
{
    enum { WORDS = 4 + STATEMENT_WORDS };
    char text[SIGNATURE_LINE], *word[WORDS];

    *out = (struct signature){.games = 0};
    return copy_field(text, sizeof text, line) && cut_words(word, WORDS, text, " ") == WORDS &&
           read_words(out, word + 4) && key_name_is_valid(word[0]) &&
           copy_field(out->by.name, sizeof out->by.name, word[0]) &&
           take_time(out->time, word[1]) && take_hex(out->by.key, sizeof out->by.key, word[2]) &&
           take_hex(out->bytes, sizeof out->bytes, word[3]);
}

/* ------------------------------------------------------------------------ a store's */

struct signature_each {
    signature_fn fn;
    void *user;
    enum bg_status status;
    struct bg_error *err;
};

static void read_key(void *user, const char *key, const char *value)
{
    struct signature_each *each = user;
    char *text = memory_text(value), *rest = text;

    for (char *line; each->status == BG_OK && (line = strsep(&rest, "\n")) != NULL;) {
        struct signature signature = {.games = 0};

        /* The text ends with a line end, behind which there is an empty line. */
        if (line[0] == '\0') {
            continue;
        }
        if (!take_hex(signature.by.key, sizeof signature.by.key, key + strlen(SIGNATURE_KEY)) ||
            !read_stored(&signature, line)) {
            each->status =
                bg_error_set(each->err, BG_E_MISMATCH, "setting %s: not a signature", key);
        } else {
            each->status = each->fn(each->user, &signature, each->err);
        }
    }
    free(text);
}

enum bg_status signature_each(struct store *store, signature_fn fn, void *user,
                              struct bg_error *err)
{
    struct signature_each each = {fn, user, BG_OK, err};
    enum bg_status status = store_meta_each(store, SIGNATURE_KEY, read_key, &each, err);

    return status == BG_OK ? each.status : status;
}

struct told {
    struct store *store;
    bool lapsed; /* lists the signatures that do not hold; else those that do */
    char *text;  /* owned */
};

static enum bg_status tell_signature(void *user, const struct signature *signature,
                                     struct bg_error *err)
{
    struct told *told = user;
    char root[RECORD_HASH], event[EVENT], print[KEY_FILE_PRINT], *text = NULL;
    enum bg_status status = store_meta_text(root, sizeof root, told->store, "results.root", err);

    if (status == BG_OK) {
        status = store_meta_text(event, sizeof event, told->store, "event.event", err);
    }
    if (status != BG_OK ||
        (strcmp(root, signature->root) == 0 && signature_holds(signature, event)) == told->lapsed) {
        return status;
    }
    key_fingerprint(print, signature->by.key);
    text = memory_print("%s%s%s on %s, fingerprint %s", told->text == NULL ? "" : told->text,
                        told->text == NULL ? "" : "; ", signature->by.name, signature->time, print);
    free(told->text);
    told->text = text;
    return BG_OK;
}

enum bg_status signatures_told(char **out, struct store *store, bool lapsed, struct bg_error *err)
{
    struct told told = {store, lapsed, NULL};
    enum bg_status status = signature_each(store, tell_signature, &told, err);

    if (status != BG_OK) {
        free(told.text);
        told.text = NULL;
    }
    *out = told.text;
    return status;
}

/* What is to be signed, from the results. */
static enum bg_status describe_results(struct signature *out, char event[EVENT],
                                       struct store *store, struct bg_error *err)
{
    enum bg_status status =
        store_meta_text(out->root, sizeof out->root, store, "results.root", err);

    if (status == BG_OK && out->root[0] == '\0') {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "no root is published: the event has not ended, so there is nothing "
                              "to sign yet");
    }
    if (status == BG_OK) {
        status = store_meta_text(event, EVENT, store, "event.event", err);
    }
    if (status == BG_OK) {
        status = statement_read(&out->statement, store, err);
    }
    return status == BG_OK ? store_count_games(&out->games, store, err) : status;
}

/* Nothing is signed that does not follow: neither games with another root than the published one,
 * nor a journal that is not what the games give. */
static enum bg_status check_results(struct store *store, const char *published,
                                    struct bg_error *err)
{
    struct season *season = NULL;
    char root[RECORD_HASH];
    enum bg_status status = root_of_store(root, store, err);

    if (status == BG_OK && strcmp(root, published) != 0) {
        status = bg_error_set(err, BG_E_MISMATCH,
                              "the published root is not the one of these results, which is %s: "
                              "they were changed since; 'bgref verify' names what it can",
                              root);
    }
    if (status == BG_OK) {
        status = season_load_checked(&season, store, err);
    }
    season_destroy(season);
    return status;
}

static enum bg_status keep_signature(struct store *store, const struct signature *signature,
                                     struct bg_error *err)
{
    char key[KEY], hex[KEY_FILE_DIGITS], bytes[SIGNATURE_DIGITS], words[SIGNATURE_WORDS];
    char *text = memory_zeroed(TEXT, 1);
    enum bg_status status = BG_OK;
    size_t used;

    write_words(words, signature, '|');
    sodium_bin2hex(hex, sizeof hex, signature->by.key, sizeof signature->by.key);
    sodium_bin2hex(bytes, sizeof bytes, signature->bytes, sizeof signature->bytes);
    snprintf(key, sizeof key, SIGNATURE_KEY "%s", hex);
    status = store_meta_text(text, TEXT, store, key, err);
    used = strlen(text);
    if (status == BG_OK && snprintf(text + used, TEXT - used, "%s|%s|%" PRIu64 "|%s|%s%s\n",
                                    signature->by.name, signature->time, signature->games,
                                    signature->root, bytes, words) >= (int)(TEXT - used)) {
        status = bg_error_set(err, BG_E_STORE, "setting %s: no room for more signatures", key);
    }
    if (status == BG_OK) {
        status = store_meta_set(store, key, text, err);
    }
    free(text);
    return status;
}

enum bg_status signature_add(struct signature *out, struct store *store,
                             const struct sign_secret *secret, struct bg_error *err)
{
    char event[EVENT] = "", message[MESSAGE];
    enum bg_status status;

    if (sodium_init() < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "libsodium does not start");
    }
    out->games = 0;
    out->by = secret->public;
    status = describe_results(out, event, store, err);
    if (status == BG_OK) {
        status = check_results(store, out->root, err);
    }
    if (status == BG_OK) {
        size_t size = message_of(message, out, event);

        sign_text(out->bytes, message, size, secret);
        status = keep_signature(store, out, err);
    }
    return status;
}
