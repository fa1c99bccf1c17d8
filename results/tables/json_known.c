/* The members that an input may have. Others are refused by name, with the nearest known name.
 * The members are tables and not code, so that this check runs before any reader and cannot be
 * forgotten in one: an unknown member that is ignored would answer another question than the one
 * that was asked. */
#include <stdio.h>
#include <string.h>

#include "base/closest.h"
#include "json_read.h"

enum { NAMES = 16 };

struct known_members {
    const char *input[NAMES];   /* members of `input` */
    const char *options[NAMES]; /* of input.options */
    const char *rows;           /* a list in `input` whose items are objects */
    const char *row[NAMES];     /* and the members of these objects */
};

/* A test vector has its answer in the same file, so `expected` and `description` are allowed,
 * and are not read. */
static const char *const root_names[NAMES] = {"kind", "input", "name", "description", "expected"};

static const struct known_members known[JSON_KIND_COUNT] = {
    [JSON_RATINGS] = {.input = {"players", "options", "results", "performance"},
                      .options = {"anchor", "anchor_rating", "prior", "mode"},
                      .rows = "results",
                      .row = {"a", "b", "length", "wins_a", "wins_b", "pairs"}},
    [JSON_MONEY] = {.input = {"clusters"}},
    [JSON_INTERVAL] = {.input = {"rows"}, .rows = "rows", .row = {"wins", "matches", "pairs"}},
    [JSON_PPG_TABLE] = {.input = {"players", "encounters"}},
    [JSON_STANDINGS] = {.input = {"players", "encounters"}},
    [JSON_SPRT] = {.input = {"tests"},
                   .rows = "tests",
                   .row = {"model", "alpha", "beta", "min_clusters", "x", "m", "mean", "var",
                           "rows", "h0", "h1", "counts", "length", "s0", "s1"}},
    [JSON_FIBS] = {.input = {"players", "matches", "options"}, .options = {"start", "ramp"}},
    [JSON_ERRORS] = {.input = {"decisions"},
                     .rows = "decisions",
                     .row = {"side", "kind", "forced", "close", "error"}},
    [JSON_LUCK] = {.input = {"result_a", "rolls", "unit", "initial_equity_a", "error_a", "error_b"},
                   .rows = "rolls",
                   .row = {"side", "dice", "after", "other"}},
};

static int count_of(const char *const *names)
{
    int count = 0;

    while (count < NAMES && names[count] != NULL) {
        count++;
    }
    return count;
}

static enum bg_status refuse_member(const struct json_place *at, const char *key,
                                    const char *const *names)
{
    const char *near = closest_name(key, names, count_of(names));
    char what[512];
    size_t used = 0;

    if (near != NULL) {
        snprintf(what, sizeof what, "unknown member; did you mean %s?", near);
        return json_wrong(at, what);
    }
    used = (size_t)snprintf(what, sizeof what, "unknown member; there are");
    for (int i = 0; i < count_of(names); i++) {
        used +=
            (size_t)snprintf(what + used, sizeof what - used, "%s %s", i > 0 ? "," : "", names[i]);
    }
    return json_wrong(at, what);
}

/* If it is not an object, its reader reports that. */
static enum bg_status check_members(const struct json_place *object, const char *const *names)
{
    json_t *value = NULL;
    void *iterator = NULL;

    if (json_is_object(object->value)) {
        /* jansson iterates only over non-const objects; nothing is written */
        memcpy(&value, &object->value, sizeof value);
        iterator = json_object_iter(value);
    }
    for (; iterator != NULL; iterator = json_object_iter_next(value, iterator)) {
        const char *key = json_object_iter_key(iterator);
        bool found = false;

        for (int i = 0; i < NAMES && names[i] != NULL; i++) {
            found = found || strcmp(names[i], key) == 0;
        }
        if (!found) {
            struct json_place at = json_member(object, key);

            return refuse_member(&at, key, names);
        }
    }
    return BG_OK;
}

enum bg_status json_check_known(enum json_kind kind, const struct json_place *root,
                                const struct json_place *input)
{
    const struct known_members *names = &known[kind];
    struct json_place options = json_member(input, "options");
    struct json_place rows = json_member(input, names->rows == NULL ? "" : names->rows);
    enum bg_status status = check_members(root, root_names);

    if (status == BG_OK) {
        status = check_members(input, names->input);
    }
    if (status == BG_OK) {
        status = check_members(&options, names->options);
    }
    for (size_t i = 0; status == BG_OK && i < json_array_size(rows.value); i++) {
        struct json_place row = json_item(&rows, i);

        status = check_members(&row, names->row);
    }
    return status;
}
