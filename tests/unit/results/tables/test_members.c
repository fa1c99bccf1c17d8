/* Unknown members of a JSON question are refused by name, in every kind of question and at every
 * place: a vector of that kind is asked again with one more member, whose name is almost that of an
 * existing one. */
#define _GNU_SOURCE
#include "support/suite.h"

#include <tables/json_input.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

static const char *const vectors[] = {"r03_mixed_lengths_anchor",
                                      "r08_duplicate_pairs",
                                      "m01_money_pairs",
                                      "i01_intervals",
                                      "p01_ppg_table",
                                      "t01_standings",
                                      "s01_sprt",
                                      "f01_fibs",
                                      "e01_error_rate",
                                      "l03_luck_opening"};

static void ask(struct bg_error *err, enum bg_status *status, const json_t *question)
{
    char path[] = "/tmp/bgref-members-XXXXXX";
    int fd = mkstemp(path);
    struct json_input input;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(json_dumpfd(question, fd, 0), 0);
    close(fd);
    *err = (struct bg_error){0};
    *status = json_input_read(&input, path, err);
    unlink(path);
    if (*status == BG_OK) {
        json_input_deinit(&input);
    }
}

/* Asks again with a similar name for each member of `object`; place: its path, with a dot. */
static int misspell_each(const json_t *question, json_t *object, const char *place)
{
    json_t *members = json_copy(object), *value;
    const char *key;
    int refused = 0;

    json_object_foreach(members, key, value)
    {
        char wrong[64], want[256];
        enum bg_status status;

        snprintf(wrong, sizeof wrong, "%sq", key);
        json_object_set(object, wrong, value);
        ask(&error, &status, question);
        ck_assert_int_eq(status, BG_E_FORMAT);
        snprintf(want, sizeof want, "%s%s: unknown member", place, wrong);
        ck_assert_msg(strstr(error.text, want) != NULL, "%s, not '%s'", error.text, want);
        snprintf(want, sizeof want, "did you mean %s?", key);
        if (strlen(key) > 3) { /* a shorter name has too many similar ones */
            ck_assert_msg(strstr(error.text, want) != NULL, "%s, not '%s'", error.text, want);
        }
        json_object_del(object, wrong);
        refused++;
    }
    json_decref(members);
    return refused;
}

TEST_ROWS(unknown_members_are_refused_in_every_kind, vectors)
{
    char path[512], place[128];
    json_t *vector, *question, *input, *value;
    enum bg_status status;
    const char *key;

    snprintf(path, sizeof path, TEST_DATA "/ratings/%s.json", vectors[_i]);
    vector = json_load_file(path, 0, NULL);
    ck_assert_ptr_nonnull(vector);
    question = json_pack("{s:O, s:O}", "kind", json_object_get(vector, "kind"), "input",
                         json_object_get(vector, "input"));
    json_decref(vector);
    ask(&error, &status, question);
    ck_assert_msg(status == BG_OK, "%s", error.text);
    ck_assert_int_eq(misspell_each(question, question, ""), 2);
    input = json_object_get(question, "input");
    ck_assert_int_gt(misspell_each(question, input, "input."), 0);
    vector = json_copy(input); /* the order of members changes */
    json_object_foreach(vector, key, value)
    {
        json_t *first = json_is_array(value) ? json_array_get(value, 0) : NULL;

        if (json_is_object(value)) {
            snprintf(place, sizeof place, "input.%s.", key);
            misspell_each(question, value, place);
        } else if (json_is_object(first)) {
            snprintf(place, sizeof place, "input.%s[0].", key);
            ck_assert_int_gt(misspell_each(question, first, place), 0);
        }
    }
    json_decref(vector);
    json_decref(question);
}
