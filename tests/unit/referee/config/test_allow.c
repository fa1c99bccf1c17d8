/* The list of keys: what an entry may say, and the place that a message names. */
#define _GNU_SOURCE /* open_memstream */
#include "config/allow.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DIGITS    "00112233445566778899aabbccddeeff00112233445566778899aabbccddee"
#define KEY       "key: '" DIGITS "ff'"
#define TWO(a, b) "- {name: " a ", " KEY "}\n- {name: " b ", key: '" DIGITS "00'}"

static char path[] = "/tmp/test-allow-XXXXXX";
static struct allow_list list;

static void make_file(void)
{
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void remove_file(void)
{
    unlink(path);
}

static void tear_down(void)
{
    allow_deinit(&list);
}

static enum bg_status load(const char *text, struct bg_error *err)
{
    FILE *out = fopen(path, "w");

    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    ck_assert_int_eq(fclose(out), 0);
    return allow_load(&list, path, err);
}

TEST(an_entry_has_its_limits_and_others_have_none)
{
    char text[ENTRY_TEXT];

    assert_ok(load("- {name: anna, " KEY ", tables: 4, events: [cup, 'final@2030-01-05'],\n"
                   "   from: [192.0.2.0/24, '2001:db8::1'], note: hers}\n"
                   "- {name: ben, key: '" DIGITS "00'}\n",
                   &error));
    const struct entry_limits *limits = &allow_find(&list, "anna")->limits;

    ck_assert_int_eq(limits->tables, 4);
    ck_assert(entry_limits_have_event(limits, "cup"));
    ck_assert(entry_limits_have_event(limits, "cup@2031-02-03"));
    ck_assert(entry_limits_have_event(limits, "final@2030-01-05"));
    ck_assert(!entry_limits_have_event(limits, "final@2031-01-05"));
    ck_assert(!entry_limits_have_event(limits, "final"));
    ck_assert(!entry_limits_have_event(limits, "cups"));
    ck_assert(!entry_limits_have_event(limits, "cu"));
    entry_limits_write_from(text, limits, " ");
    ck_assert_str_eq(text, "192.0.2.0/24 2001:db8::1/128");
    limits = &allow_find(&list, "ben")->limits;
    ck_assert_int_eq(limits->tables, 0);
    ck_assert_int_eq(limits->from_count, 0);
    ck_assert(entry_limits_have_event(limits, "cup"));
}

static const struct {
    const char *text, *message; /* after the file's name */
} bad[] = {
    {"- {name: anna, " KEY ", tables: 0}",
     ":1: tables: '0' is not a whole number from 1 to 65536; leave it out for no limit"},
    {"- {name: anna, " KEY ", tables: many}",
     ":1: tables: 'many' is not a whole number from 1 to 65536; leave it out for no limit"},
    {"- name: anna\n  " KEY "\n  events: cup",
     ":3: events: a list with at least one item is needed, like [cup, league]"},
    {"- {name: anna, " KEY ", events: []}",
     ":1: events: a list with at least one item is needed, like [cup, league]"},
    {"- {name: anna, " KEY ",\n events: [cup, 'a b']}",
     ":2: events: 'a b' is not the name of an event"},
    {"- {name: anna, " KEY ", from: [192.0.2.1/24]}", ":1: from: '192.0.2.1/24' has bits beyond"},
    {"- {name: anna, " KEY ", from: [home]}", ":1: from: 'home' is not a network"},
    {"- {name: anna, " KEY ", from: 192.0.2.0/24}",
     ":1: from: a list with at least one item is needed, like [192.0.2.0/24]"},
    {"- {name: anna, " KEY ", tables: 1, tables: 2}", ":1: tables: given twice; keep one"},
    {"- {name: anna, key: abc}", ":1: key: 64 hexadecimal digits are needed, the last word of the "
                                 "author's NAME.pub, which 'bgref keygen --join NAME' made"},
    {"- {name: anna, " KEY ", table: 1}", ":1: table: unknown; there are name, key, tables, "
                                          "starts_an_hour, events, from and note"},
    {"- {name: anna, " KEY ",\n   games_a_day: 20}",
     ":2: games_a_day: was taken away; leave it out: tables, events and starts_an_hour limit a "
     "bot"},
    {"- {name: anna, " KEY "}\n- {name: anna, key: '" DIGITS "00'}", ":2: anna: is there already"},
    {"- {name: anna, " KEY "}\n- {name: ben, " KEY "}", ":2: ben: has the key of anna"},
    {TWO("anna", "Anna"), ":2: Anna: looks like anna; give one of them another name"},
    {TWO("carl", "carI"), ":2: carI: looks like carl; give one of them another name"},
    {TWO("ann.", "ann"), ":2: ann: looks like ann.; give one of them another name"},
    {TWO("b-l0", "b-1O"), ":2: b-1O: looks like b-l0; give one of them another name"},
    {"- {name: zoe, " KEY "}\n- {name: anna, key: '" DIGITS "00'}\n- {name: ben, " KEY
     "}\n- {name: anna, key: '" DIGITS "01'}",
     ":3: ben: has the key of zoe"}, /* the first mistake of the file, whatever its kind */
};

TEST_ROWS(a_mistake_has_its_place, bad)
{
    size_t length = strlen(path);

    ck_assert_int_eq(load(bad[_i].text, &error), BG_E_CONFIG);
    ck_assert_int_eq(strncmp(error.text, path, length), 0);
    ck_assert_msg(strncmp(error.text + length, bad[_i].message, strlen(bad[_i].message)) == 0, "%s",
                  error.text);
}

/* Writes `count` times the text, between others. */
static char *repeated(const char *before, const char *text, int count, const char *after)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);

    ck_assert_ptr_nonnull(file);
    fputs(before, file);
    for (int i = 0; i < count; i++) {
        fputs(text, file);
    }
    fputs(after, file);
    ck_assert_int_eq(fclose(file), 0);
    return out;
}

/* Each of them took libyaml more than 20 seconds, in which a host played nothing. */
static const struct {
    const char *before, *text, *after, *message;
    int count;
} shapes[] = {
    {"- ", "[", "\n", ":1: lists and maps are nested deeper than 32, the most that is read",
     500000},
    {"- ", "{a: ", "\n", ":1: lists and maps are nested deeper than 32", 500000},
    {"", "- ", "a\n", ":1: lists and maps are nested deeper than 32", 500000},
    {"[", "&a 1,", "]\n", ":1: more than 64 anchors (&name), the most that are read", 500000},
};

TEST_ROWS(nesting_and_anchors_are_bounded, shapes)
{
    char *text = repeated(shapes[_i].before, shapes[_i].text, shapes[_i].count, shapes[_i].after);

    ck_assert_int_eq(load(text, &error), BG_E_CONFIG);
    ck_assert_msg(
        strncmp(error.text + strlen(path), shapes[_i].message, strlen(shapes[_i].message)) == 0,
        "%s", error.text);
    free(text);
}

static double load_long(int count)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    clock_t begun;
    double used;

    for (int i = 0; i < count; i++) {
        fprintf(file, "- {name: bot%d, key: '%064x'}\n", i, i + 1);
    }
    ck_assert_int_eq(fclose(file), 0);
    begun = clock();
    assert_ok(load(text, &error));
    for (int i = 0; i < count; i++) {
        char name[16];

        snprintf(name, sizeof name, "bot%d", i);
        ck_assert(allow_find(&list, name) == &list.entries[i]);
    }
    used = (double)(clock() - begun) / CLOCKS_PER_SEC;
    ck_assert_ptr_null(allow_find(&list, "nobody"));
    ck_assert_int_eq(list.count, count);
    allow_deinit(&list);
    free(text);
    return used;
}

/* Ten times the entries take ten times the time, not a hundred times. */
TEST(a_long_list_is_read_in_proportion)
{
    double few = load_long(3000), many = load_long(30000);

    ck_assert_msg(many < 30 * few + 0.1, "3,000 entries: %.3f s of CPU, 30,000: %.3f s", few, many);
}

void suite_begin(TCase *tests)
{
    tcase_add_unchecked_fixture(tests, make_file, remove_file);
    tcase_add_checked_fixture(tests, NULL, tear_down);
}
