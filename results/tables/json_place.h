/* json_place.h - one value of a JSON file with its path, for error messages. Private to json_*.c.
 */
#ifndef RESULTS_TABLES_JSON_PLACE_H
#define RESULTS_TABLES_JSON_PLACE_H

#include <stddef.h>

#include <jansson.h>

#include <bgref/error.h>

struct json_place {
    const char *file;
    const json_t *value; /* lent; NULL: missing */
    char path[160];      /* input.results[3].a */
    struct bg_error *err;
};

struct json_place json_item(const struct json_place *list, size_t i);
struct json_place json_member(const struct json_place *object, const char *key);

/* "FILE: PATH: what" as BG_E_FORMAT. */
enum bg_status json_wrong(const struct json_place *at, const char *what);

/* Return BG_OK, or an error that the value is missing or of another kind. */
enum bg_status json_need_list(const struct json_place *at);
enum bg_status json_need_object(const struct json_place *at);
enum bg_status json_need_number(double *out, const struct json_place *at, double least);
enum bg_status json_member_number(double *out, const struct json_place *object, const char *key,
                                  double least);
/* The same for a member that may be missing or null; then *out does not change. */
enum bg_status json_member_perhaps(double *out, const struct json_place *object, const char *key,
                                   double least);
enum bg_status json_item_number(double *out, const struct json_place *list, size_t i, double least);

/* Reads a list of exactly `count` numbers of at least `least`; null reads as NaN where allowed. */
enum bg_status json_need_numbers(double *out, size_t count, const struct json_place *at,
                                 double least, int may_be_null);

/* Finds which of `count` words the text is; `what` is the error's text. */
enum bg_status json_need_word(int *out, const char *const *words, int count,
                              const struct json_place *at, const char *what);

/* Reads three counts: pairs with 0, 1 and 2 wins. */
enum bg_status json_need_pairs(double pairs[3], const struct json_place *at);

#endif
