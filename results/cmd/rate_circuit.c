/* All files of words are read before any database is opened: a mistake in them is found at once,
 * and opening a hundred events takes a while. */
#include "rate_circuit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plain_file.h"
#include "base/closest.h"
#include <sums/circuit.h>
#include <tables/circuit_text.h>

enum { FILE_MOST = 1 << 20 };

bool rate_circuit_is_wanted(const struct rate_circuit *asked)
{
    return asked->count > 1 || asked->by_name || asked->map != NULL || asked->points != NULL ||
           asked->history;
}

/* Reads a whole text file; the caller frees *out. */
static enum bg_status read_rules_file(char **out, const char *path, struct bg_error *err)
{
    FILE *file = NULL;
    const char *why = plain_file_open(&file, path, FILE_MOST);
    char *text = file == NULL ? NULL : memory_zeroed(FILE_MOST + 1, 1);
    enum bg_status status = BG_OK;
    size_t size = 0;

    *out = NULL;
    if (file == NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: %s", path, why);
        goto done;
    }
    /* One byte more than is allowed, so that a file that has grown since it was opened is seen
     * to be too long. */
    size = fread(text, 1, FILE_MOST + 1, file);
    if (ferror(file) != 0) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: cannot be read", path);
    } else if (size > FILE_MOST || memchr(text, '\0', size) != NULL) {
        status = bg_error_set(err, BG_E_FORMAT, "%s: not a text of at most %d bytes", path,
                              (int)FILE_MOST);
    } else {
        text[size] = '\0';
        *out = text;
        text = NULL;
    }
done:
    free(text);
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

enum bg_status rate_unknown_anchor(const char *name, const char *const *names, int count,
                                   struct bg_error *err)
{
    return bg_error_set(err, BG_E_ARGUMENT, "--anchor %.80s: no such bot in these results%s", name,
                        closest_perhaps(name, names, count).text);
}

static enum bg_status read_points(struct points_table *out, const char *path, struct bg_error *err)
{
    struct bg_error why = {0};
    char *text = NULL;
    enum bg_status status = read_rules_file(&text, path, err);

    if (status == BG_OK) {
        status = points_read(out, text, &why);
        status = status == BG_OK ? BG_OK : bg_error_set(err, status, "%s: %s", path, why.text);
    }
    free(text);
    return status;
}

static enum bg_status print(const struct rate_circuit *asked, struct circuit *circuit,
                            const struct circuit_options *options, struct bg_error *err)
{
    return asked->json ? circuit_json(stdout, circuit, options, err)
                       : circuit_text(stdout, circuit, options, err);
}

enum bg_status rate_circuit(const struct rate_circuit *asked, const struct rating_options *rating,
                            struct bg_error *err)
{
    struct circuit circuit = {0};
    struct points_table *points = NULL;
    struct circuit_options options = {
        .rating = *rating, .history = asked->history, .explain = asked->explain};
    struct circuit_who who = {.by_name = asked->by_name || asked->map != NULL};
    char *map = NULL;
    enum bg_status status = BG_OK;

    if (asked->points != NULL) {
        points = memory_zeroed(1, sizeof *points);
        status = read_points(points, asked->points, err);
    }
    if (status == BG_OK && asked->map != NULL) {
        status = read_rules_file(&map, asked->map, err);
        who.map = map;
        who.map_name = asked->map;
    }
    if (status == BG_OK) {
        status = circuit_open(&circuit, asked->paths, asked->count, &who, err);
    }
    if (status == BG_OK && asked->anchor != NULL) {
        for (int i = 0; i < circuit.competitors; i++) {
            if (strcmp(circuit.name[i], asked->anchor) == 0) {
                options.anchor = circuit.name[i];
            }
        }
        if (options.anchor == NULL) {
            status = rate_unknown_anchor(asked->anchor, (const char *const *)circuit.name,
                                         circuit.competitors, err);
        }
    }
    if (status == BG_OK) {
        options.points = points;
        status = print(asked, &circuit, &options, err);
    }
    circuit_close(&circuit);
    free(points);
    free(map);
    return status;
}
