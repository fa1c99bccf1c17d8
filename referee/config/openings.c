/* Every position is played into a match at once (bg_match_begin_at), although only its text is
 * needed now: what the rules of this event refuse is then named with its line before any bot is
 * started, not in the game that would begin with it.
 *
 * The random order comes from sorting by a keyed hash, not from shuffling with a random generator:
 * the place of one position can be checked without drawing all before it, in any language that has
 * BLAKE2b, and no version of a generator can change it. */
#include "openings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include <bgref/notation.h>

#include "base/memory.h"
#include "base/plain.h"
#include "base/plain_file.h"
#include "format/positions.h"

enum { LINE_ROOM = 1024 };

struct openings_reading {
    const struct config_openings *config;
    const struct bg_rules *rules;
    struct openings *openings;
    size_t room;
};

/* ---- one position ---- */

/* Returns true if the game has fifteen checkers that move and hit as in backgammon: Position IDs
 * and XGIDs express only that. */
static bool has_ids(const struct bg_variant *variant)
{
    return variant == bg_variant_find("backgammon") || variant == bg_variant_find("nackgammon");
}

/* Counts what of an XGID or Match ID is left out: the event decides dice, length and score, and a
 * game begins before a double. */
static void count_left_out(struct openings *openings, const struct bg_match_id *id,
                           const struct bg_rules *rules)
{
    openings->dice += id->dice[0] != 0;
    openings->offers += id->doubled || id->resigned != 0;
    openings->scores += id->score[0] != 0 || id->score[1] != 0 || id->crawford ||
                        (id->length != 0 && id->length != rules->length_points);
}

static enum bg_status id_read(struct bg_start *out, struct bg_match_id *id, const char *text,
                              const struct bg_rules *rules, struct bg_error *err)
{
    struct position position;
    enum bg_status status;

    if (!has_ids(rules->variant)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "Position IDs and XGIDs are of backgammon; write positions of %s as "
                            "'bgref plays --variant' takes them",
                            bg_variant_id(rules->variant));
    }
    status = position_read(&position, text, err);
    if (status == BG_OK && position.id.state > 1) {
        status = bg_error_set(err, BG_E_FORMAT, "the game is over");
    }
    if (status == BG_OK) {
        *id = position.id;
        out->board = position.board;
        out->on_roll = position.id.move;
        out->cube_log2 = position.id.cube_log2;
        out->cube_owner = position.id.cube_owner;
    }
    return status;
}

static enum bg_status position_take(struct bg_start *out, const char *text,
                                    const struct openings_reading *reading, struct bg_error *err)
{
    enum config_openings_format format = reading->config->format;
    struct bg_start start = {.on_roll = 0, .cube_owner = BG_CENTRED};
    struct bg_match_id id = {.length = 0}; /* the notation of every game leaves nothing out */
    struct bg_match match;
    enum bg_status status;

    if (format != CONFIG_OPENINGS_AUTO &&
        position_is_xgid(text) != (format == CONFIG_OPENINGS_XGID)) {
        return bg_error_set(err, BG_E_FORMAT,
                            position_is_xgid(text)
                                ? "this is an XGID, and format=position was given"
                                : "this is not an XGID, but format=xgid was given");
    }
    if (strchr(text, '|') != NULL) {
        status =
            bg_position_text_read(&start.board, &start.on_roll, reading->rules->variant, text, err);
    } else {
        status = id_read(&start, &id, text, reading->rules, err);
    }
    if (status == BG_OK) {
        status = bg_match_begin_at(&match, reading->rules, &start, err);
    }
    if (status == BG_OK) {
        *out = start;
        count_left_out(reading->openings, &id, reading->rules);
    }
    return status;
}

/* ---- lines ---- */

static enum bg_status add(struct openings_reading *reading, const struct bg_start *start,
                          struct bg_error *err)
{
    struct openings *openings = reading->openings;

    if (openings->count == OPENINGS_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "more than %d positions", OPENINGS_MAX);
    }
    openings->start =
        memory_list(openings->start, &reading->room, openings->count + 1, sizeof *openings->start);
    openings->start[openings->count++] = *start;
    return BG_OK;
}

/* Copies the line into text, without its comment and outer blanks. */
static enum bg_status strip(char text[LINE_ROOM], const char *line, size_t length,
                            struct bg_error *err)
{
    const char *comment = memchr(line, '#', length);

    length = comment == NULL ? length : (size_t)(comment - line);
    if (memchr(line, '\0', length) != NULL) {
        return bg_error_set(err, BG_E_FORMAT, "a zero byte is not text");
    }
    while (length > 0 && plain_is_blank(line[0])) {
        line++;
        length--;
    }
    while (length > 0 && plain_is_blank(line[length - 1])) {
        length--;
    }
    if (length >= LINE_ROOM) {
        return bg_error_set(err, BG_E_FORMAT, "a line of %zu characters is not a position", length);
    }
    memcpy(text, line, length);
    text[length] = '\0';
    return BG_OK;
}

static void note_bad(struct openings *openings, const char *file, size_t number,
                     const struct bg_error *why)
{
    if (openings->bad++ == 0) {
        snprintf(openings->first_bad, sizeof openings->first_bad, "%.80s:%zu: %.150s", file, number,
                 why->text);
    }
}

/* Checks that a position is left behind those that start= skips. */
static enum bg_status check_count(const struct openings_reading *reading, struct bg_error *err)
{
    const struct config_openings *config = reading->config;
    size_t count = reading->openings->count;

    if (count == 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%.200s: holds no position; one a line, as XGID or Position ID",
                            config->file);
    }
    return config->start < count
               ? BG_OK
               : bg_error_set(err, BG_E_CONFIG,
                              "%.200s: start=%" PRIu64 " skips all of its %zu positions",
                              config->file, config->start, count);
}

static enum bg_status lines_read(struct openings_reading *reading, const char *bytes, size_t size,
                                 struct bg_error *err)
{
    const char *file = reading->config->file, *end = bytes + size;
    size_t number = 0;

    for (const char *line = bytes; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        struct bg_error why = {.text = ""};
        struct bg_start start;
        char text[LINE_ROOM];
        enum bg_status status;

        next = next == NULL ? end : next;
        number++;
        status = strip(text, line, (size_t)(next - line), &why);
        if (status == BG_OK && text[0] != '\0') {
            status = position_take(&start, text, reading, &why);
            status = status == BG_OK ? add(reading, &start, &why) : status;
        }
        if (status != BG_OK && !reading->config->skips_bad) {
            return bg_error_set(err, BG_E_CONFIG,
                                "%.200s:%zu: %.250s (bad=skip leaves such lines out)", file, number,
                                why.text);
        }
        if (status != BG_OK) {
            note_bad(reading->openings, file, number, &why);
        }
        line = next + 1;
    }
    return check_count(reading, err);
}

enum bg_status openings_parse(struct openings **out, const struct config_openings *config,
                              const char *bytes, size_t size, const struct bg_rules *rules,
                              struct bg_error *err)
{
    struct openings *openings = memory_zeroed(1, sizeof *openings);
    struct openings_reading reading = {.config = config, .rules = rules, .openings = openings};
    unsigned char digest[(OPENINGS_DIGEST - 1) / 2];
    enum bg_status status;

    /* Over the bytes as they are in the file, before a mark is skipped: anybody can compute it. */
    crypto_generichash(digest, sizeof digest, (const unsigned char *)bytes, size, NULL, 0);
    sodium_bin2hex(openings->digest, sizeof openings->digest, digest, sizeof digest);
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) { /* some editors' mark of UTF-8 */
        bytes += 3;
        size -= 3;
    }
    status = lines_read(&reading, bytes, size, err);
    if (status == BG_OK) {
        *out = openings;
        openings = NULL;
    }
    openings_close(openings);
    return status;
}

/* ---- the file ---- */

enum bg_status openings_open(struct openings **out, const struct config_openings *config,
                             const struct bg_rules *rules, struct bg_error *err)
{
    enum { BLOCK = 65536 };
    FILE *file;
    const char *why = plain_file_open(&file, config->file, OPENINGS_BYTES);
    char *bytes = NULL;
    size_t size = 0, room = 0, got = 0;
    enum bg_status status = BG_OK;

    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "openings: %.200s: %s", config->file, why);
    }
    do {
        /* plain_file_open() has looked at the size, but a file may grow while it is read. */
        if (size > OPENINGS_BYTES) {
            status = bg_error_set(err, BG_E_ARGUMENT, "openings: %.200s: larger than %d MiB",
                                  config->file, OPENINGS_BYTES >> 20);
            goto done;
        }
        bytes = memory_list(bytes, &room, size + BLOCK, 1);
        got = fread(bytes + size, 1, BLOCK, file);
        size += got;
    } while (got > 0);
    if (ferror(file)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "openings: read %.200s: %s", config->file,
                              strerror(errno));
        goto done;
    }
    status = openings_parse(out, config, bytes, size, rules, err);
done:
    free(bytes);
    fclose(file);
    return status;
}

void openings_close(struct openings *openings)
{
    if (openings != NULL) {
        free(openings->start);
        free(openings);
    }
}

/* ---- the order ---- */

struct drawn {
    unsigned char hash[32];
    uint32_t place;
};

static int by_hash(const void *a, const void *b)
{
    const struct drawn *left = a, *right = b;
    int order = memcmp(left->hash, right->hash, sizeof left->hash);

    return order != 0 ? order : left->place < right->place ? -1 : 1;
}

static void shuffle(struct openings_order *order, const struct bg_dice_key *key)
{
    size_t count = order->openings->count;
    struct drawn *drawn = memory_zeroed(count, sizeof *drawn);

    order->place = memory_zeroed(count, sizeof *order->place);
    for (size_t i = 0; i < count; i++) {
        char text[40];
        int length = snprintf(text, sizeof text, "bgref-openings-1|%zu", i);

        crypto_generichash(drawn[i].hash, sizeof drawn[i].hash, (const unsigned char *)text,
                           (unsigned long long)length, key->bytes, sizeof key->bytes);
        drawn[i].place = (uint32_t)i;
    }
    qsort(drawn, count, sizeof *drawn, by_hash);
    for (size_t i = 0; i < count; i++) {
        order->place[i] = drawn[i].place;
    }
    free(drawn);
}

void openings_order_init(struct openings_order *out, const struct config_event *event,
                         const struct bg_dice_key *key)
{
    *out = (struct openings_order){.openings = event->positions, .first = event->openings.start};
    if (out->openings != NULL && event->openings.random) {
        shuffle(out, key);
    }
}

void openings_order_deinit(struct openings_order *order)
{
    free(order->place);
    order->place = NULL;
}

const struct bg_start *openings_order_of_pair(const struct openings_order *order, uint64_t pair)
{
    size_t at;

    if (order->openings == NULL) {
        return NULL;
    }
    at = (size_t)((order->first + pair) % order->openings->count);
    return &order->openings->start[order->place == NULL ? at : order->place[at]];
}
