#include "dice_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "../log.h"

/* "dice.WORD", of later keys "dice.WORD.N". */
static void meta_name(char out[DICE_KEY_NAME], const char *word, int number)
{
    if (number == 1) {
        snprintf(out, DICE_KEY_NAME, "dice.%s", word);
    } else {
        snprintf(out, DICE_KEY_NAME, "dice.%s.%d", word, number);
    }
}

static enum bg_status get(char out[BG_KEY_HEX], bool *found, const struct dice_key *dice_key,
                          const char *word, int number, struct bg_error *err)
{
    char name[DICE_KEY_NAME];

    meta_name(name, word, number);
    return dice_key->store->ops->meta_get(dice_key->store, name, out, BG_KEY_HEX, found, err);
}

static enum bg_status set(const struct dice_key *dice_key, const char *word, const char *value,
                          struct bg_error *err)
{
    char name[DICE_KEY_NAME];

    meta_name(name, word, dice_key->number);
    return dice_key->store->ops->meta_set(dice_key->store, name, value, err);
}

/* --------------------------------------------------------------------- the files */

/* It appears whole: a kill while it is written leaves a beginning under another name, which the
 * next run writes over. */
static enum bg_status write_file(const struct dice_key *dice_key, struct bg_error *err)
{
    char text[BG_KEY_HEX + 1], path[DICE_KEY_PATH + sizeof ".new"];
    bool written;
    int fd;

    snprintf(path, sizeof path, "%s.new", dice_key->path);
    unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "make key file %s: %s", path, strerror(errno));
    }
    bg_dice_key_to_hex(text, &dice_key->key);
    text[BG_KEY_HEX - 1] = '\n';
    written = write(fd, text, BG_KEY_HEX) == BG_KEY_HEX && fsync(fd) == 0;
    if (close(fd) != 0 || !written || rename(path, dice_key->path) != 0) {
        bg_error_set(err, BG_E_SYSTEM, "write key file %s: %s", dice_key->path, strerror(errno));
        unlink(path);
        return BG_E_SYSTEM;
    }
    return BG_OK;
}

/* *found: the file is there and holds a key. */
static enum bg_status read_file(bool *found, struct dice_key *dice_key, struct bg_error *err)
{
    char text[BG_KEY_HEX + 2] = "";
    FILE *file = fopen(dice_key->path, "r");

    *found = file != NULL;
    if (file == NULL) {
        return BG_OK;
    }
    if (fgets(text, sizeof text, file) == NULL) {
        text[0] = '\0';
    }
    fclose(file);
    text[strcspn(text, "\n")] = '\0';
    if (bg_dice_key_from_hex(&dice_key->key, text, NULL) != BG_OK) {
        return bg_error_set(err, BG_E_SYSTEM, "%s: holds no key; it was cut short or changed",
                            dice_key->path);
    }
    return BG_OK;
}

/* The key that event->key_file brings. */
static enum bg_status read_given(struct bg_dice_key *out, const struct config_event *event,
                                 struct bg_error *err)
{
    unsigned char bytes[BG_KEY_BYTES + 1];
    FILE *file = fopen(event->key_file, "rb");
    size_t size;

    if (file == NULL) {
        return bg_error_set(err, BG_E_CONFIG, "key_file %s: %s", event->key_file, strerror(errno));
    }
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (size != BG_KEY_BYTES) {
        return bg_error_set(err, BG_E_CONFIG,
                            "key_file %s: has %s than 32 bytes; a key is 32 bytes", event->key_file,
                            size < BG_KEY_BYTES ? "fewer" : "more");
    }
    memcpy(out->bytes, bytes, BG_KEY_BYTES);
    return BG_OK;
}

/* ------------------------------------------------------------------------- finding */

/* Whether it is one of the keys before this one, which are published. */
static enum bg_status is_old(bool *old, const struct dice_key *dice_key,
                             const struct bg_dice_key *key, struct bg_error *err)
{
    char digest[BG_KEY_HEX], before[BG_KEY_HEX];
    enum bg_status status = BG_OK;

    *old = false;
    bg_dice_key_digest(digest, key);
    for (int number = 1; number < dice_key->number && status == BG_OK && !*old; number++) {
        bool found;

        status = get(before, &found, dice_key, "digest", number, err);
        *old = strcmp(before, digest) == 0;
    }
    return status;
}

/* The key of a file that is there already; a published one, left by a kill just before the file
 * was removed, is removed now. */
static enum bg_status take_up(bool *found, struct dice_key *dice_key, struct bg_error *err)
{
    bool old = false;
    enum bg_status status = read_file(found, dice_key, err);

    if (status == BG_OK && *found) {
        status = is_old(&old, dice_key, &dice_key->key, err);
    }
    if (status == BG_OK && old) {
        *found = false;
        if (unlink(dice_key->path) != 0) {
            status = bg_error_set(err, BG_E_SYSTEM, "remove key file %s: %s", dice_key->path,
                                  strerror(errno));
        }
    }
    return status;
}

static enum bg_status draw(struct dice_key *dice_key, struct bg_error *err)
{
    enum bg_status status = take_up(&dice_key->has_file, dice_key, err);

    dice_key->is_new = true;
    if (status == BG_OK && dice_key->has_file) {
        log_warn("event",
                 "key=%s is there, and results %s hold nothing that was begun with it: if there "
                 "were such results, bring them back; else the event begins with this key",
                 dice_key->path, dice_key->event->results);
    }
    if (status == BG_OK && !dice_key->has_file) {
        if (dice_key->event->key_file[0] != '\0') {
            status = read_given(&dice_key->key, dice_key->event, err);
        } else {
            randombytes_buf(dice_key->key.bytes, sizeof dice_key->key.bytes);
        }
    }
    return status;
}

/* The file is durable before the digest stands in the results, so a kill between leaves a key that
 * the next run takes up. */
enum bg_status dice_key_begin(struct store_setting settings[DICE_KEY_SETTINGS], size_t *count,
                              struct dice_key *dice_key, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *count = 0;
    if (!dice_key->is_new) {
        return BG_OK;
    }
    if (!dice_key->has_file && !dice_key->event->has_seed) {
        status = write_file(dice_key, err);
        dice_key->has_file = status == BG_OK;
    }
    bg_dice_key_digest(dice_key->digest, &dice_key->key);
    meta_name(dice_key->digest_name, "digest", dice_key->number);
    settings[(*count)++] = (struct store_setting){dice_key->digest_name, dice_key->digest};
    if (dice_key->number == 1) {
        settings[(*count)++] = (struct store_setting){"dice.kind", dice_key->kind};
    }
    return status;
}

void dice_key_begun(struct dice_key *dice_key)
{
    dice_key->is_new = false;
}

/* The key with this digest, which is not published yet. */
static enum bg_status read_secret(struct dice_key *dice_key, const char *digest,
                                  struct bg_error *err)
{
    char now[BG_KEY_HEX];
    bool found = false;
    enum bg_status status = read_file(&found, dice_key, err);

    if (status != BG_OK) {
        return status;
    }
    bg_dice_key_digest(now, &dice_key->key);
    if (!found || strcmp(now, digest) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "key file %s: %s; without it the event can't go on",
                            dice_key->path, found ? "belongs to other results" : "is missing");
    }
    return BG_OK;
}

/* Key number `number` of results begun before. *is_public: it is published, and is
 * dice_key->key; else its digest is in digest[]. *found: there is such a key. */
static enum bg_status look_up(char digest[BG_KEY_HEX], bool *found, bool *is_public,
                              struct dice_key *dice_key, int number, struct bg_error *err)
{
    char text[BG_KEY_HEX], now[BG_KEY_HEX];
    enum bg_status status = get(digest, found, dice_key, "digest", number, err);

    *is_public = false;
    if (status == BG_OK && *found) {
        status = get(text, is_public, dice_key, "key", number, err);
    }
    if (status != BG_OK || !*is_public) {
        return status;
    }
    status = bg_dice_key_from_hex(&dice_key->key, text, err);
    bg_dice_key_digest(now, &dice_key->key);
    if (status == BG_OK && strcmp(now, digest) != 0) {
        status = bg_error_set(err, BG_E_STORE,
                              "published key %d does not have the digest that was "
                              "published before it",
                              number);
    }
    return status;
}

/* A given key has to be the one in force, and must not have been published. */
static enum bg_status check_given(const struct dice_key *dice_key, struct bg_error *err)
{
    struct bg_dice_key given;
    enum bg_status status = read_given(&given, dice_key->event, err);

    if (status == BG_OK && memcmp(&given, &dice_key->key, sizeof given) != 0) {
        status = bg_error_set(err, BG_E_CONFIG,
                              "key_file %s: the event was begun with another key; leave key_file "
                              "out to go on, or give other --results",
                              dice_key->event->key_file);
    }
    return status;
}

/* The given key is not one that everybody has read. */
static enum bg_status check_fresh(const struct dice_key *dice_key, struct bg_error *err)
{
    struct bg_dice_key given;
    bool old = false;
    enum bg_status status = read_given(&given, dice_key->event, err);

    if (status == BG_OK) {
        status = is_old(&old, dice_key, &given, err);
    }
    if (status == BG_OK && old) {
        status = bg_error_set(err, BG_E_CONFIG,
                              "key_file %s: this key is published; an event that goes on needs a "
                              "new one: give another key_file, or none for a random key",
                              dice_key->event->key_file);
    }
    return status;
}

static enum bg_status find_or_draw(struct dice_key *dice_key, bool goes_on, struct bg_error *err)
{
    bool given = dice_key->event->key_file[0] != '\0', found = false, is_public = false;
    char digest[BG_KEY_HEX];
    enum bg_status status = look_up(digest, &found, &is_public, dice_key, 1, err);

    dice_key->number = 1;
    while (status == BG_OK && found && is_public) {
        char next[BG_KEY_HEX];
        bool has_next;

        if (dice_key->number == 1) {
            dice_key->first = dice_key->key;
        }
        status = get(next, &has_next, dice_key, "digest", dice_key->number + 1, err);
        if (status == BG_OK && !has_next && !goes_on) {
            dice_key->is_public = true;
            return BG_OK; /* nothing is rolled any more */
        }
        dice_key->number++;
        if (status == BG_OK) {
            status = look_up(digest, &found, &is_public, dice_key, dice_key->number, err);
        }
    }
    if (status == BG_OK && found) {
        status = read_secret(dice_key, digest, err);
        return status == BG_OK && given ? check_given(dice_key, err) : status;
    }
    if (status == BG_OK && given) {
        status = check_fresh(dice_key, err);
    }
    return status == BG_OK ? draw(dice_key, err) : status;
}

enum bg_status dice_key_open(struct dice_key *out, const struct config_event *event,
                             struct store *store, const char *kind, bool played, bool goes_on,
                             struct bg_error *err)
{
    char digest[BG_KEY_HEX];
    bool found = false;
    enum bg_status status;

    *out = (struct dice_key){.event = event, .store = store, .number = 1, .kind = kind};
    snprintf(out->path, sizeof out->path, "%s.key", event->results);
    if (event->has_seed) {
        bg_dice_key_from_seed(&out->key, event->seed);
        status = get(digest, &found, out, "digest", 1, err);
        out->is_new = !(found && played);
    } else {
        status = find_or_draw(out, goes_on, err);
    }
    if (out->number == 1) {
        out->first = out->key;
    }
    return status;
}

enum bg_status dice_key_keep(const struct dice_key *dice_key, struct bg_error *err)
{
    bool kept = dice_key->is_new || dice_key->is_public || dice_key->event->has_seed ||
                access(dice_key->path, F_OK) == 0;

    return kept ? BG_OK : write_file(dice_key, err);
}

enum bg_status dice_key_publish(const struct dice_key *dice_key, struct bg_error *err)
{
    char text[BG_KEY_HEX];
    enum bg_status status;

    bg_dice_key_to_hex(text, &dice_key->key);
    status = set(dice_key, "key", text, err);
    if (status == BG_OK && !dice_key->event->has_seed && unlink(dice_key->path) != 0 &&
        errno != ENOENT) {
        status = bg_error_set(err, BG_E_SYSTEM, "remove key file %s: %s", dice_key->path,
                              strerror(errno));
    }
    return status;
}
