/* The head of exported records: what was published before and after the event, in front of what
 * proves it. Lines that the root covers come last and all together, because the root is a digest
 * over exactly this text. */
#include "published.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plain.h"
#include "canonical.h"
#include <rules/clean.h>

static const char magic[] = "bgref-records 1";
static const char first_record[] = "bgref-record 1 ";

static const struct {
    const char *word; /* in the text */
    const char *meta; /* in the store */
    size_t offset, room;
} fields[] = {
#define FIELD(word, meta, name)                                                                    \
    {                                                                                              \
        word, meta, offsetof(struct published, name), sizeof((struct published *)0)->name          \
    }
    FIELD("event", "event.event", event),
    FIELD("dice", "dice.kind", dice),
    FIELD("root", "results.root", root),
#undef FIELD
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static char *field_of(struct published *published, int i)
{
    return (char *)published + fields[i].offset;
}

/* A key in the store: "dice.WORD" for the first, "dice.WORD.N" (N from 2) for later ones. */
static enum bg_status get_key(char out[BG_KEY_HEX], bool *found, struct store *store,
                              const char *word, int number, struct bg_error *err)
{
    char name[32];

    snprintf(name, sizeof name, number == 1 ? "dice.%s" : "dice.%s.%d", word, number);
    return store->ops->meta_get(store, name, out, BG_KEY_HEX, found, err);
}

static enum bg_status get_keys(struct published *out, struct store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    bool found = true;

    while (status == BG_OK && found && out->key_count < PUBLISHED_KEYS) {
        int number = out->key_count + 1;

        status = get_key(out->keys[out->key_count].digest, &found, store, "digest", number, err);
        if (status == BG_OK && found) {
            status = get_key(out->keys[out->key_count++].key, &found, store, "key", number, err);
        }
    }
    return status;
}

/* The latest of each key, so that nobody pushes the others out by signing again and again. */
static void keep_signature(struct published *out, const struct signature *signature)
{
    for (int i = 0; i < out->signatures; i++) {
        if (memcmp(out->signature[i].by.key, signature->by.key, sizeof signature->by.key) == 0) {
            out->signature[i] = *signature;
            return;
        }
    }
    if (out->signatures == PUBLISHED_SIGNATURES) {
        memmove(&out->signature[0], &out->signature[1],
                (PUBLISHED_SIGNATURES - 1) * sizeof out->signature[0]);
        out->signatures--;
    }
    out->signature[out->signatures++] = *signature;
}

/* Signatures of an earlier root count for nothing. */
static enum bg_status take_signature(void *user, const struct signature *signature,
                                     struct bg_error *err)
{
    struct published *out = user;

    (void)err;
    if (strcmp(signature->root, out->root) == 0) {
        keep_signature(out, signature);
    }
    return BG_OK;
}

enum bg_status published_of_store(struct published *out, struct store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *out = (struct published){.event = ""};
    for (int i = 0; i < FIELDS && status == BG_OK; i++) {
        bool found;

        status = store->ops->meta_get(store, fields[i].meta, field_of(out, i), fields[i].room,
                                      &found, err);
    }
    if (status == BG_OK) {
        status = get_keys(out, store, err);
    }
    return status == BG_OK ? signature_each(store, take_signature, out, err) : status;
}

/* Copies the value of "word HEX" into a key. */
static bool take_hex(char out[BG_KEY_HEX], const char *line, size_t size, const char *word)
{
    size_t length = strlen(word);

    if (size != length + BG_KEY_HEX || memcmp(line, word, length) != 0 || line[length] != ' ') {
        return false;
    }
    memcpy(out, line + length + 1, BG_KEY_HEX - 1);
    out[BG_KEY_HEX - 1] = '\0';
    return true;
}

/* A digest begins the next key; a key belongs to the digest before it. */
static bool take_key(struct published *out, const char *line, size_t size)
{
    if (out->key_count < PUBLISHED_KEYS &&
        take_hex(out->keys[out->key_count].digest, line, size, "digest")) {
        out->key_count++;
        return true;
    }
    return out->key_count > 0 && out->keys[out->key_count - 1].key[0] == '\0' &&
           take_hex(out->keys[out->key_count - 1].key, line, size, "key");
}

/* "signed ..." of a text. */
static bool take_signed(struct published *out, const char *line, size_t size)
{
    struct signature signature;
    char text[SIGNATURE_LINE];
    size_t word = strlen("signed ");

    if (!text_begins(line, line + size, "signed ") || size - word >= sizeof text) {
        return false;
    }
    memcpy(text, line + word, size - word);
    text[size - word] = '\0';
    if (!signature_read(&signature, text)) {
        return false;
    }
    keep_signature(out, &signature);
    return true;
}

/* Stores "word value" in its field. Returns false for an unknown word or too long a value. */
static bool take_published(struct published *out, const char *line, size_t size)
{
    for (int i = 0; i < FIELDS; i++) {
        size_t word = strlen(fields[i].word);

        if (size > word && memcmp(line, fields[i].word, word) == 0 && line[word] == ' ') {
            size_t value = size - word - 1;

            if (value >= fields[i].room || memchr(line, '\0', size) != NULL) {
                return false;
            }
            memcpy(field_of(out, i), line + word + 1, value);
            field_of(out, i)[value] = '\0';
            return true;
        }
    }
    if (text_begins(line, line + size, "games ")) {
        out->games = strtoull(line + strlen("games "), NULL, 10); /* ends at the line's end */
        return true;
    }
    return take_key(out, line, size) || take_signed(out, line, size);
}

/* Whether it is a line covered by the root; such lines come last, all together. */
static bool is_covered(const char *at, const char *end)
{
    return text_begins(at, end, "attempt ") || text_begins(at, end, "settings ") ||
           text_begins(at, end, "unplayed ") || text_begins(at, end, "faults ") ||
           text_begins(at, end, "act ") || text_begins(at, end, "acts ");
}

void published_deinit(struct published *published)
{
    root_head_free(&published->head);
}

enum bg_status published_read(struct published *out, const char **records, const char *text,
                              size_t size, struct bg_error *err)
{
    const char *at = text, *end = text + size, *covered = NULL;

    *out = (struct published){.games = UINT64_MAX};
    for (int number = 1; at < end && !text_begins(at, end, first_record); number++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t line = (size_t)((line_end == NULL ? end : line_end) - at);

        if (number > 1 && is_covered(at, at + line)) {
            covered = covered == NULL ? at : covered;
        } else if (number == 1 ? line != strlen(magic) || memcmp(at, magic, line) != 0
                               : covered != NULL || !take_published(out, at, line)) {
            return bg_error_set(err, number == 1 ? BG_E_FORMAT : BG_E_MISMATCH,
                                number == 1
                                    ? "line %d: neither exported records ('%s') nor one record "
                                      "('%s...'); create them with bgref export --records"
                                    : "line %d: not a line of the head of exported records "
                                      "(%s, then %s...)",
                                number, magic, first_record);
        }
        at = line_end == NULL ? end : line_end + 1;
    }
    *records = at;
    for (int i = 0; i < out->signatures; i++) {
        out->signature[i].games = out->games;
        snprintf(out->signature[i].root, sizeof out->signature[i].root, "%s", out->root);
    }
    if (covered != NULL) {
        out->head.size = (size_t)(at - covered);
        out->head.text = memory_text_of(covered, out->head.size);
    }
    return BG_OK;
}

static void write_signatures(FILE *out, const struct published *published)
{
    char line[SIGNATURE_LINE];

    for (int i = 0; i < published->signatures; i++) {
        if (strcmp(published->signature[i].root, published->root) == 0) {
            signature_write(line, &published->signature[i]);
            fprintf(out, "signed %s\n", line);
        }
    }
}

static void write_keys(FILE *out, const struct published *published)
{
    for (int i = 0; i < published->key_count; i++) {
        fprintf(out, "digest %s\n", published->keys[i].digest);
        if (published->keys[i].key[0] != '\0') {
            fprintf(out, "key %s\n", published->keys[i].key);
        }
    }
}

enum bg_status published_write(FILE *out, struct store *store, struct bg_error *err)
{
    struct published published;
    struct root_head head;
    uint64_t games = 0;
    enum bg_status status = published_of_store(&published, store, err);

    if (status == BG_OK) {
        status = store_count_games(&games, store, err);
    }
    if (status == BG_OK) {
        /* Computed and not copied from the settings: a running event has none there yet, and a
         * copy of records shall always have the one that fits. */
        status = root_of_store(published.root, store, err);
    }
    if (status != BG_OK) {
        return status;
    }
    fprintf(out, "%s\n", magic);
    for (int i = 0; i < FIELDS; i++) {
        if (strcmp(fields[i].word, "root") == 0) {
            write_keys(out, &published);
        }
        if (field_of(&published, i)[0] != '\0') {
            fprintf(out, "%s ", fields[i].word);
            clean_print(out, field_of(&published, i), CLEAN_LINE);
            fputc('\n', out);
        }
    }
    write_signatures(out, &published);
    fprintf(out, "games %" PRIu64 "\n", games);
    status = root_head_read(&head, store, err);
    if (status == BG_OK) {
        fputs(head.text, out);
        status = canonical_write_records(out, store, err);
    }
    root_head_free(&head);
    return status;
}

static const char *const said[WITHDRAWN_MOST] = {"results.decided", "results.counted",
                                                 "results.root"};

/* Settings are withdrawn by an empty text and not deleted: the store's settings are only ever
 * replaced, and an older program that asks for one finds nothing said, as before the end of the
 * event. */
enum bg_status withdrawn_find(struct withdrawn *out, struct store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char text[RECORD_HASH] = "";

    *out = (struct withdrawn){.count = 0};
    for (int i = 0; i < WITHDRAWN_MOST && status == BG_OK; i++) {
        status = store_meta_text(text, sizeof text, store, said[i], err);
        if (status == BG_OK && text[0] != '\0') {
            out->setting[out->count++] = (struct store_setting){said[i], ""};
        }
    }
    /* The root is the last of the list, so its text is the one that is left. */
    snprintf(out->root, sizeof out->root, "%s", text);
    return status;
}
