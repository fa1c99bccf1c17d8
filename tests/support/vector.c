#include "vector.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <tables/json_input.h>
#include <tables/json_answer.h>
#include <tables/event_table.h>

/* The tolerance by the member's name; llr's grows with its size. */
static double tolerance(const char *key, enum json_kind kind, double want)
{
    static const struct {
        const char *key;
        double ratings;
    } loose[] = {{"rating", 0.01},      {"se", 0.01},  {"robust_se", 0.01},
                 {"performance", 0.01}, {"los", 1e-5}, {"expected_wins", 1e-5}};

    for (size_t i = 0; i < sizeof loose / sizeof loose[0]; i++) {
        if (strcmp(loose[i].key, key) == 0 && (kind == JSON_RATINGS || strcmp(key, "los") == 0)) {
            return loose[i].ratings;
        }
    }
    return strncmp(key, "llr", 3) == 0 ? 1e-6 + 1e-9 * fabs(want) : 1e-6;
}

static void compare(const json_t *want, const json_t *got, const char *key, const char *path,
                    enum json_kind kind);

static void compare_objects(const json_t *want, const json_t *got, const char *path,
                            enum json_kind kind)
{
    json_t *copy = json_copy((json_t *)(size_t)want); /* the iteration needs a writable object */
    const char *key = NULL;
    json_t *value = NULL;
    char place[256];

    ck_assert_msg(json_object_size(want) == json_object_size(got), "%s: other members", path);
    json_object_foreach(copy, key, value)
    {
        snprintf(place, sizeof place, "%.200s.%.40s", path, key);
        ck_assert_msg(json_object_get(got, key) != NULL, "%s: missing", place);
        compare(value, json_object_get(got, key), key, place, kind);
    }
    json_decref(copy);
}

static void compare(const json_t *want, const json_t *got, const char *key, const char *path,
                    enum json_kind kind)
{
    char place[256];

    if (json_is_object(want) && json_is_object(got)) {
        compare_objects(want, got, path, kind);
    } else if (json_is_array(want) && json_is_array(got)) {
        ck_assert_msg(json_array_size(want) == json_array_size(got), "%s: other size", path);
        for (size_t i = 0; i < json_array_size(want); i++) {
            snprintf(place, sizeof place, "%.200s[%zu]", path, i);
            compare(json_array_get(want, i), json_array_get(got, i), key, place, kind);
        }
    } else if (json_is_number(want) && json_is_number(got)) {
        double miss = fabs(json_number_value(want) - json_number_value(got));

        ck_assert_msg(miss <= tolerance(key, kind, json_number_value(want)),
                      "%s: wanted %.10f, got %.10f", path, json_number_value(want),
                      json_number_value(got));
    } else {
        ck_assert_msg(json_equal(want, got), "%s: wanted another value or null", path);
    }
}

static void check_file(const char *path)
{
    struct json_input input;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json_t *file = json_load_file(path, 0, NULL), *got = NULL;

    ck_assert_msg(file != NULL, "%s: cannot be read", path);
    assert_ok(json_input_read(&input, path, &error));
    assert_ok(report_json_input(out, &input, &error));
    fclose(out);
    got = json_loads(text, 0, NULL);
    ck_assert_msg(got != NULL, "%s: our answer is no JSON", path);
    compare(json_object_get(file, "expected"), got, "",
            json_string_value(json_object_get(file, "name")), input.kind);
    json_decref(file);
    json_decref(got);
    json_input_deinit(&input);
    free(text);
}

static char names[16][64];

/* No TEST: the test is of the programs that name files. */
START_TEST(vector)
{
    char path[512];

    snprintf(path, sizeof path, TEST_DATA "/ratings/%s.json", names[_i]);
    check_file(path);
}

void vector_add(TCase *tests, const char *list)
{
    int count = 0, used = 0;

    while (count < 16 && sscanf(list, "%63s%n", names[count], &used) == 1) {
        list += used;
        count++;
    }
    tcase_add_loop_test(tests, vector, 0, count);
}
