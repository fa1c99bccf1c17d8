/* A place carries its path as text and extends it on the way down, because a value of jansson
 * does not know what it is in. A path that is too
 * long is cut, which shortens a message and nothing else. */
#include "json_place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum bg_status json_wrong(const struct json_place *at, const char *what)
{
    return bg_error_set(at->err, BG_E_FORMAT, "%s: %s: %s", at->file, at->path, what);
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

enum bg_status json_need_list(const struct json_place *at)
{
    if (at->value == NULL) {
        return json_wrong(at, "missing; needs a list");
    }
    return json_is_array(at->value) ? BG_OK : json_wrong(at, "needs a list");
}

enum bg_status json_need_object(const struct json_place *at)
{
    if (at->value == NULL) {
        return json_wrong(at, "missing; needs an object");
    }
    return json_is_object(at->value) ? BG_OK : json_wrong(at, "needs an object");
}

enum bg_status json_need_number(double *out, const struct json_place *at, double least)
{
    char what[64];

    if (!json_is_number(at->value)) {
        return json_wrong(at, at->value == NULL ? "missing; needs a number" : "needs a number");
    }
    *out = json_number_value(at->value);
    /* Written this way round so that NaN would be refused too. */
    if (!(*out >= least)) {
        snprintf(what, sizeof what, "is %g, needs at least %g", *out, least);
        return json_wrong(at, what);
    }
    return BG_OK;
}

enum bg_status json_member_number(double *out, const struct json_place *object, const char *key,
                                  double least)
{
    struct json_place at = json_member(object, key);

    return json_need_number(out, &at, least);
}

enum bg_status json_item_number(double *out, const struct json_place *list, size_t i, double least)
{
    struct json_place at = json_item(list, i);

    return json_need_number(out, &at, least);
}

/* Three counts. */
enum bg_status json_need_pairs(double pairs[3], const struct json_place *at)
{
    enum bg_status status = json_need_list(at);

    if (status == BG_OK && json_array_size(at->value) != 3) {
        status = json_wrong(at, "needs three counts: pairs with 0, 1 and 2 wins");
    }
    for (size_t s = 0; status == BG_OK && s < 3; s++) {
        status = json_item_number(&pairs[s], at, s, 0);
    }
    return status;
}

enum bg_status json_member_perhaps(double *out, const struct json_place *object, const char *key,
                                   double least)
{
    struct json_place at = json_member(object, key);

    return at.value == NULL || json_is_null(at.value) ? BG_OK : json_need_number(out, &at, least);
}

enum bg_status json_need_numbers(double *out, size_t count, const struct json_place *at,
                                 double least, int may_be_null)
{
    enum bg_status status = json_need_list(at);
    char what[64];

    if (status == BG_OK && json_array_size(at->value) != count) {
        snprintf(what, sizeof what, "needs %zu numbers, has %zu", count,
                 json_array_size(at->value));
        status = json_wrong(at, what);
    }
    for (size_t i = 0; status == BG_OK && i < count; i++) {
        struct json_place item = json_item(at, i);

        if (may_be_null && json_is_null(item.value)) {
            out[i] = NAN;
        } else {
            status = json_need_number(&out[i], &item, least);
        }
    }
    return status;
}

enum bg_status json_need_word(int *out, const char *const *words, int count,
                              const struct json_place *at, const char *what)
{
    const char *word = json_string_value(at->value);

    for (int i = 0; word != NULL && i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return BG_OK;
        }
    }
    return json_wrong(at, what);
}
