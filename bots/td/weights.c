/* Weights are stored as 16 bits, shares of the largest one: half the size of floats in the
 * repository. polish.c rounds in the same way, so what is measured is what a file will have.
 * Bytes are written one by one, low first, so a file is the same on every machine; its header is
 * text, with the recipe by which it was made. */
#include "weights.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGMOID "sigmoid"

static const char TITLE[] = "bgref-td-1";

enum { LINE = 512, WIDTH = 2, FULL = 32767, HEAD = 4 };

static float largest(const struct net *net)
{
    float most = 1e-6F;

    for (size_t i = 0; i < net->count; i++) {
        most = fabsf(net->weights[i]) > most ? fabsf(net->weights[i]) : most;
    }
    return most;
}

static int16_t share(float weight, float most)
{
    return (int16_t)lrintf(weight / most * FULL);
}

static float unshare(int16_t part, float most)
{
    return (float)part * (most / FULL);
}

void weights_path(char *out, size_t size, const char *path, const char *kind)
{
    size_t length = strlen(path), stem = length;

    if (length >= 3 && strcmp(path + length - 3, ".td") == 0) {
        stem = length - 3;
    }
    snprintf(out, size, "%.*s.%s.td", (int)stem, path, kind);
}

void weights_round(struct net *net)
{
    float most = largest(net);

    for (size_t i = 0; i < net->count; i++) {
        net->weights[i] = unshare(share(net->weights[i], most), most);
    }
}

static uint64_t digest_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static size_t size_of(size_t count)
{
    return HEAD + count * WIDTH;
}

static void put_number(uint8_t *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

static void pack(uint8_t *bytes, const struct net *net)
{
    float most = largest(net);
    uint32_t bits;

    memcpy(&bits, &most, sizeof bits);
    put_number(bytes, bits, HEAD);
    for (size_t i = 0; i < net->count; i++) {
        put_number(bytes + size_of(i), (uint16_t)share(net->weights[i], most), WIDTH);
    }
}

static bool unpack(struct net *net, const uint8_t *bytes)
{
    uint32_t bits =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    float most;

    memcpy(&most, &bits, sizeof most);
    for (size_t i = 0; i < net->count; i++) {
        const uint8_t *at = bytes + size_of(i);

        net->weights[i] = unshare((int16_t)(uint16_t)(at[0] | at[1] << 8), most);
    }
    return isfinite(most) && most > 0.0F;
}

enum bg_status weights_write(const struct net *net, const char *game, const char *recipe,
                             const char *path, struct bg_error *err)
{
    size_t size = size_of(net->count);
    uint8_t *bytes = malloc(size);
    FILE *file = bytes == NULL ? NULL : fopen(path, "wb");
    bool written = false;

    if (file != NULL) {
        pack(bytes, net);
        written =
            fprintf(file, "%s\ngame %s\nsize %d %d%s\nrecipe %s\ndigest %016" PRIx64 "\n\n", TITLE,
                    game, net->inputs, net->hidden, net->units == NET_SIGMOID ? " " SIGMOID : "",
                    recipe, digest_bytes(bytes, size)) > 0 &&
            fwrite(bytes, 1, size, file) == size;
        written = fclose(file) == 0 && written;
    }
    free(bytes);
    return written ? BG_OK : bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
}

/* ------------------------------------------------------------------------ reading */

/* Reads the next line, without its end, if it begins with this word; returns what follows. */
static const char *line_of(char line[LINE], FILE *file, const char *word)
{
    size_t length = strlen(word);

    if (fgets(line, LINE, file) == NULL || strncmp(line, word, length) != 0) {
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    return line + length + (line[length] == ' ');
}

/* Reads "INPUTS HIDDEN" or "INPUTS HIDDEN sigmoid". */
static bool read_size(struct net *out, const char *text)
{
    int length = 0;
    bool found = sscanf(text, "%d %d%n", &out->inputs, &out->hidden, &length) == 2;

    out->units = found && strcmp(text + length, " " SIGMOID) == 0 ? NET_SIGMOID : NET_SOFTSIGN;
    return found && (text[length] == '\0' || out->units == NET_SIGMOID);
}

/* head: only its size and units are set. */
static const char *read_net_head(struct net *head, uint64_t *digest, FILE *file, const char *game)
{
    char line[LINE];
    const char *rest = line_of(line, file, TITLE);

    if (rest == NULL) {
        return "it is not a net of bgref-td";
    }
    rest = line_of(line, file, "game");
    if (rest == NULL || strcmp(rest, game) != 0) {
        return "it is for another game";
    }
    rest = line_of(line, file, "size");
    if (rest == NULL || !read_size(head, rest)) {
        return "its size is missing";
    }
    if (line_of(line, file, "recipe") == NULL) {
        return "its recipe is missing";
    }
    rest = line_of(line, file, "digest");
    if (rest == NULL || sscanf(rest, "%" SCNx64, digest) != 1 || fgetc(file) != '\n') {
        return "its digest is missing";
    }
    return NULL;
}

static const char *read_body(struct net *net, uint64_t digest, FILE *file)
{
    size_t size = size_of(net->count);
    uint8_t *bytes = malloc(size);
    const char *why = NULL;

    if (bytes == NULL) {
        return "memory";
    }
    if (fread(bytes, 1, size, file) != size || fgetc(file) != EOF) {
        why = "its length is not that of its size";
    } else if (digest_bytes(bytes, size) != digest || !unpack(net, bytes)) {
        why = "it is damaged";
    }
    free(bytes);
    return why;
}

enum bg_status weights_read(struct net *net, const char *game, int inputs, const char *path,
                            struct bg_error *err)
{
    FILE *file = fopen(path, "rb");
    struct net head = {.inputs = 0};
    uint64_t digest = 0;
    const char *why = file == NULL ? strerror(errno) : read_net_head(&head, &digest, file, game);

    *net = (struct net){.inputs = 0};
    /* Multiples of 16, as net.c takes sixteen units at once. */
    if (why == NULL && (head.inputs != inputs || head.hidden < 16 ||
                        head.hidden > NET_HIDDEN_MOST || head.hidden % 16 != 0)) {
        why = "it was made for other inputs";
    }
    if (why == NULL) {
        why = net_create(net, head.inputs, head.hidden, head.units, 0, err) == BG_OK
                  ? read_body(net, digest, file)
                  : "memory";
    }
    if (file != NULL) {
        fclose(file);
    }
    if (why != NULL) {
        net_destroy(net);
        return bg_error_set(err, BG_E_CONFIG, "%s: %s; 'bgref-td-train %.*s' makes it again", path,
                            why, (int)strcspn(game, " "), game);
    }
    return BG_OK;
}
