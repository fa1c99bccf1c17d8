/* A place carries its path as text and extends it on the way down, because a value of jansson
 * does not know what it is in. A path that is too
 * long is cut, which shortens a message and nothing else. */
#include "json_place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/closest.h"

bool json_is_fine(const struct json_place *at)
{
    return at->file->status == BG_OK;
}

bool json_is_given(const struct json_place *at)
{
    return at->value != NULL && !json_is_null(at->value);
}

void json_wrong(const struct json_place *at, const char *what)
{
    if (json_is_fine(at)) {
        at->file->status =
            bg_error_set(at->file->err, BG_E_FORMAT, "%s: %s: %s", at->file->name, at->path, what);
    }
}

/* jansson returns NULL for an index outside, and for a value that is not a list: the reader of
 * the value reports it as missing. */
struct json_place json_item(const struct json_place *list, size_t i)
{
    struct json_place out = *list;

    snprintf(out.path, sizeof out.path, "%.120s[%zu]", list->path, i);
    out.value = json_array_get(list->value, i);
    return out;
}

/* Returns a member; its value is NULL if it is missing. */
struct json_place json_member(const struct json_place *object, const char *key)
{
    struct json_place out = *object;

    snprintf(out.path, sizeof out.path, "%.120s%s%.30s", object->path,
             object->path[0] == '\0' ? "" : ".", key);
    out.value = json_object_get(object->value, key);
    return out;
}

size_t json_need_list(const struct json_place *at)
{
    if (!json_is_array(at->value)) {
        json_wrong(at, at->value == NULL ? "missing; needs a list" : "needs a list");
    }
    return json_is_fine(at) ? json_array_size(at->value) : 0;
}

void json_need_object(const struct json_place *at)
{
    if (!json_is_object(at->value)) {
        json_wrong(at, at->value == NULL ? "missing; needs an object" : "needs an object");
    }
}

double json_need_number(const struct json_place *at, double least)
{
    double number = json_number_value(at->value);
    char what[64];

    if (!json_is_number(at->value)) {
        json_wrong(at, at->value == NULL ? "missing; needs a number" : "needs a number");
    } else if (!(number >= least)) { /* this way round NaN would be refused too */
        snprintf(what, sizeof what, "is %g, needs at least %g", number, least);
        json_wrong(at, what);
    }
    return number;
}

double json_member_number(const struct json_place *object, const char *key, double least)
{
    struct json_place at = json_member(object, key);

    return json_need_number(&at, least);
}

double json_item_number(const struct json_place *list, size_t i, double least)
{
    struct json_place at = json_item(list, i);

    return json_need_number(&at, least);
}

double json_member_perhaps(const struct json_place *object, const char *key, double least,
                           double missing)
{
    struct json_place at = json_member(object, key);

    return json_is_given(&at) ? json_need_number(&at, least) : missing;
}

void json_need_pairs(double pairs[3], const struct json_place *at)
{
    if (json_need_list(at) != 3) {
        json_wrong(at, "needs three counts: pairs with 0, 1 and 2 wins");
    }
    for (size_t s = 0; s < 3; s++) {
        pairs[s] = json_item_number(at, s, 0);
    }
}

void json_need_numbers(double *out, size_t count, const struct json_place *at, double least,
                       bool may_be_null)
{
    size_t size = json_need_list(at);
    char what[64];

    if (size != count) {
        snprintf(what, sizeof what, "needs %zu numbers, has %zu", count, size);
        json_wrong(at, what);
    }
    for (size_t i = 0; i < count; i++) {
        struct json_place item = json_item(at, i);

        out[i] = may_be_null && json_is_null(item.value) ? NAN : json_need_number(&item, least);
    }
}

int json_need_word(const char *const *words, int count, const struct json_place *at,
                   const char *what)
{
    const char *word = json_string_value(at->value);

    for (int i = 0; word != NULL && i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            return i;
        }
    }
    json_wrong(at, what);
    return 0;
}

static int count_of(const char *const *names)
{
    int count = 0;

    while (count < JSON_NAMES && names[count] != NULL) {
        count++;
    }
    return count;
}

/* Refuses the member by name, with the nearest known name, if it is not one of the names. */
static void check_member(const struct json_place *at, const char *key, const char *const *names)
{
    int count = count_of(names);
    char what[512];
    size_t used = 0;

    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], key) == 0) {
            return;
        }
    }
    const char *near = closest_name(key, names, count);

    if (near != NULL) {
        snprintf(what, sizeof what, "unknown member; did you mean %s?", near);
    } else {
        used = (size_t)snprintf(what, sizeof what, "unknown member; there are");
        for (int i = 0; i < count; i++) {
            used += (size_t)snprintf(what + used, sizeof what - used, "%s %s", i > 0 ? "," : "",
                                     names[i]);
        }
    }
    json_wrong(at, what);
}

/* If it is not an object, its reader reports that. */
void json_check_members(const struct json_place *object, const char *const *names)
{
    json_t *value = NULL;
    const char *key;
    json_t *member;

    /* jansson iterates only over non-const objects; nothing is written */
    memcpy(&value, &object->value, sizeof value);
    json_object_foreach(value, key, member)
    {
        struct json_place at = json_member(object, key);

        check_member(&at, key, names);
    }
}
