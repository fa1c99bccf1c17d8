/* A message begins with a byte that says how the rest is packed, since a short one grows by
 * deflating. zlib is loaded as for pages (loop/web_gzip.c): without it messages go out as they are.
 */
#include "work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <zlib.h>

#include "base/library.h"
#include "base/memory.h"
#include "work_check.h"

/* Before the bytes: PLAIN, or DEFLATED and how many they become, little endian. */
enum { PLAIN = 0, DEFLATED = 1, HEAD = 1, DEFLATED_HEAD = 5, DEFLATE_FROM = 1024, LEVEL = 6 };

static struct {
    __typeof__(compress2) *deflate;
    __typeof__(compressBound) *bound;
    __typeof__(uncompress) *inflate;
} zlib;

static bool has_zlib(void)
{
    static const char *const names[] = {"compress2", "compressBound", "uncompress"};
    static int state; /* 0: not looked for; -1: there is none */

    if (state == 0) {
        state = library_load(&zlib, names, 3, "libz.so.1", NULL) == BG_OK ? 1 : -1;
    }
    return state > 0;
}

/* ------------------------------------------------------------------ names */

bool work_name_is(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && length < WORK_NAME &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               length;
}

void work_pairing(char out[17], const char *a, const char *b)
{
    unsigned char digest[32];
    char *text = memory_print("%s|%s", a, b);

    crypto_generichash(digest, sizeof digest, (const unsigned char *)text, strlen(text), NULL, 0);
    for (int i = 0; i < 8; i++) {
        snprintf(out + 2 * i, 3, "%02x", digest[i]);
    }
    free(text);
}

void work_subject(char out[WORK_SUBJECT], char kind, const struct work_place *place)
{
    snprintf(out, WORK_SUBJECT, "bgref.%c.%s.%s.%s.%" PRIu64 ".%" PRIu64, kind, place->event,
             place->token, place->pairing, place->first, place->count);
}

/* Copies the next token of a subject; "" if it has no room. */
static void next_token(char *out, size_t room, const char **at)
{
    const size_t length = strcspn(*at, ".");

    snprintf(out, room, "%.*s", length < room ? (int)length : 0, *at);
    *at += length + ((*at)[length] == '.' ? 1 : 0);
}

static bool is_hex(const char *text, size_t length)
{
    return strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

static bool next_number(uint64_t *out, const char **at)
{
    char text[20], again[24];

    next_token(text, sizeof text, at);
    *out = strtoull(text, NULL, 10);
    snprintf(again, sizeof again, "%" PRIu64, *out);
    return strcmp(text, again) == 0; /* no sign, no leading zero */
}

bool work_place_read(struct work_place *out, char kind, const char *subject)
{
    const char start[] = {'b', 'g', 'r', 'e', 'f', '.', kind, '.', '\0'};
    const char *at = subject + sizeof start - 1;

    if (strncmp(subject, start, sizeof start - 1) != 0) {
        return false;
    }
    next_token(out->event, sizeof out->event, &at);
    next_token(out->token, sizeof out->token, &at);
    next_token(out->pairing, sizeof out->pairing, &at);
    return is_hex(out->event, WORK_EVENT - 1) && work_name_is(out->token) &&
           is_hex(out->pairing, 16) && next_number(&out->first, &at) &&
           next_number(&out->count, &at) && *at == '\0' && out->count > 0;
}

bool work_sender(char out[WORK_NAME], const char *kind, const char *subject)
{
    char word[8], event[WORK_EVENT];
    const char *at = subject + strlen("bgref.");

    if (strncmp(subject, "bgref.", strlen("bgref.")) != 0) {
        return false;
    }
    next_token(word, sizeof word, &at);
    next_token(event, sizeof event, &at);
    next_token(out, WORK_NAME, &at);
    return strcmp(word, kind) == 0 && is_hex(event, WORK_EVENT - 1) && work_name_is(out) &&
           *at == '\0';
}

/* ------------------------------------------------------------------ bytes */

/* Deflates what stands behind HEAD; false: that would not make it smaller. */
static bool deflate_packed(uint8_t **packed, size_t *size)
{
    const size_t plain = *size - HEAD;
    uLongf room;
    uint8_t *out;
    bool is_smaller;

    if (plain <= DEFLATE_FROM || !has_zlib()) {
        return false;
    }
    room = zlib.bound(plain);
    out = memory_zeroed(DEFLATED_HEAD + room, 1);
    is_smaller = zlib.deflate(out + DEFLATED_HEAD, &room, *packed + HEAD, plain, LEVEL) == Z_OK &&
                 DEFLATED_HEAD + room < *size;
    if (!is_smaller) {
        free(out);
        return false;
    }
    out[0] = DEFLATED;
    for (int i = 0; i < 4; i++) {
        out[HEAD + i] = (uint8_t)(plain >> 8 * i);
    }
    free(*packed);
    *packed = out;
    *size = DEFLATED_HEAD + room;
    return true;
}

uint8_t *work_pack(size_t *size, const ProtobufCMessage *message)
{
    uint8_t *packed;

    *size = HEAD + protobuf_c_message_get_packed_size(message);
    packed = memory_zeroed(*size, 1);
    packed[0] = PLAIN;
    (void)protobuf_c_message_pack(message, packed + HEAD);
    (void)deflate_packed(&packed, size);
    return packed;
}

/* Returns what was deflated, for the caller to free; NULL: it is damaged or too large. */
static uint8_t *inflate_packed(size_t *size, const uint8_t *bytes)
{
    uLongf plain = 0;
    uint8_t *out;

    for (int i = 0; i < 4 && *size > DEFLATED_HEAD; i++) {
        plain |= (uLongf)bytes[HEAD + i] << 8 * i;
    }
    if (plain == 0 || plain > WORK_INFLATED || !has_zlib()) {
        return NULL;
    }
    out = memory_zeroed(plain, 1);
    if (zlib.inflate(out, &plain, bytes + DEFLATED_HEAD, *size - DEFLATED_HEAD) != Z_OK) {
        free(out);
        return NULL;
    }
    *size = plain;
    return out;
}

enum bg_status work_read(ProtobufCMessage **out, const ProtobufCMessageDescriptor *kind,
                         const void *bytes, size_t size, struct bg_error *err)
{
    const uint8_t *packed = bytes;
    uint8_t *inflated = NULL;
    enum bg_status status = BG_OK;

    *out = NULL;
    if (size > WORK_BYTES || size < HEAD || packed[0] > DEFLATED) {
        return bg_error_set(err, BG_E_FORMAT, "%s of %zu bytes: no message of this program",
                            kind->short_name, size);
    }
    if (packed[0] == DEFLATED) {
        inflated = inflate_packed(&size, packed);
    } else {
        size -= HEAD;
    }
    if (packed[0] == PLAIN || inflated != NULL) {
        *out = protobuf_c_message_unpack(kind, NULL, size,
                                         inflated != NULL ? inflated : packed + HEAD);
    }
    free(inflated);
    if (*out == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "%s: damaged, or from another program",
                            kind->short_name);
    }
    status = work_check_texts(*out, err);
    if (status != BG_OK) {
        work_free(*out);
        *out = NULL;
    }
    return status;
}

void work_free(ProtobufCMessage *message)
{
    if (message != NULL) {
        protobuf_c_message_free_unpacked(message, NULL);
    }
}
