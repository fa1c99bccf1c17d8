/* json_place.h - one value of a JSON file with its path, for error messages. Private to json_*.c.
 *
 * The first error stays with the file: after it nothing is reported any more, numbers read as 0 and
 * lists as empty. So a reader is a list of what it reads, and asks only where it computes with it.
 */
#ifndef RESULTS_TABLES_JSON_PLACE_H
#define RESULTS_TABLES_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <bgref/error.h>

struct json_file {
    const char *name;
    enum bg_status status; /* BG_OK until the first error */
    struct bg_error *err;
};

struct json_place {
    struct json_file *file; /* lent */
    const json_t *value;    /* lent; NULL: missing */
    char path[160];         /* input.results[3].a */
};

struct json_place json_item(const struct json_place *list, size_t i);
struct json_place json_member(const struct json_place *object, const char *key);

/* Whether nothing was wrong so far. */
bool json_is_fine(const struct json_place *at);
/* Whether there is a value other than null. */
bool json_is_given(const struct json_place *at);

/* "FILE: PATH: what" as BG_E_FORMAT, unless something was wrong before. */
void json_wrong(const struct json_place *at, const char *what);

/* Read a value, or report that it is missing or of another kind. Returns the list's size. */
size_t json_need_list(const struct json_place *at);
void json_need_object(const struct json_place *at);
double json_need_number(const struct json_place *at, double least);
double json_member_number(const struct json_place *object, const char *key, double least);
double json_item_number(const struct json_place *list, size_t i, double least);
/* The same for a member that may be missing or null; then it is `missing`. */
double json_member_perhaps(const struct json_place *object, const char *key, double least,
                           double missing);

/* Reads a list of exactly `count` numbers of at least `least`; null reads as NaN where allowed. */
void json_need_numbers(double *out, size_t count, const struct json_place *at, double least,
                       bool may_be_null);

/* Returns which of `count` words the text is; `what` is the error's text. */
int json_need_word(const char *const *words, int count, const struct json_place *at,
                   const char *what);

/* Reads three counts: pairs with 0, 1 and 2 wins. */
void json_need_pairs(double pairs[3], const struct json_place *at);

enum { JSON_NAMES = 16 };

/* Refuses each member whose name is not among these; NULL is behind the last. What is not an object
 * has no members. */
void json_check_members(const struct json_place *object, const char *const *names);

#endif
