/* The text for monitoring, and the checks of a host's health. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/health_checks.h"
#include "loop/metrics_merge.h"
#include "loop/metrics_text.h"

#include "support/suite.h"

#define S_NS INT64_C(1000000000)

static char *text;
static size_t size;
static FILE *out;

static void set_up(void)
{
    text = NULL;
    out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
}

static void tear_down(void)
{
    fclose(out);
    free(text);
}

/* ---- text ---- */

TEST(labels_and_help_are_escaped)
{
    const struct metrics_label labels[] = {{"event", "a\"b\\c\nd"}, {"x", ""}};

    metrics_family(out, "m", METRICS_GAUGE, "one\ntwo\\three \"four\"");
    metrics_number(out, "m", labels, 2, 1);
    metrics_number(out, "m", NULL, 0, 2);
    fflush(out);
    ck_assert_str_eq(text, "# HELP m one\\ntwo\\\\three \"four\"\n# TYPE m gauge\n"
                           "m{event=\"a\\\"b\\\\c\\nd\",x=\"\"} 1\nm 2\n");
}

static const struct {
    double value;
    const char *text;
} numbers[] = {{0, "m 0\n"},
               {12345678901234, "m 12345678901234\n"},
               {0.1, "m 0.1\n"},
               {1.0 / 3, "m 0.3333333333333333\n"},
               {-2.5e-9, "m -2.5e-09\n"},
               {INFINITY, "m +Inf\n"},
               {NAN, "m NaN\n"}};

TEST_ROWS(numbers_are_short_and_exact, numbers)
{
    metrics_number(out, "m", NULL, 0, numbers[_i].value);
    fflush(out);
    ck_assert_str_eq(text, numbers[_i].text);
}

TEST(a_histogram_counts_up_to_each_bound)
{
    static struct duration_histogram durations;
    const struct metrics_label label = {"event", "e"};

    memset(&durations, 0, sizeof durations);
    histogram_add(&durations, 1);
    histogram_add(&durations, 1023);
    histogram_add(&durations, 1025); /* above the first bound, 1024 ns */
    histogram_add(&durations, 2 * S_NS);
    histogram_add(&durations, 1000 * S_NS); /* above all bounds */
    metrics_durations(out, "m", &label, 1, &durations);
    fflush(out);
    ck_assert_ptr_nonnull(strstr(text, "m_bucket{event=\"e\",le=\"1.024e-06\"} 2\n"));
    ck_assert_ptr_nonnull(strstr(text, "m_bucket{event=\"e\",le=\"4.096e-06\"} 3\n"));
    ck_assert_ptr_nonnull(strstr(text, "m_bucket{event=\"e\",le=\"1.073741824\"} 3\n"));
    ck_assert_ptr_nonnull(strstr(text, "m_bucket{event=\"e\",le=\"4.294967296\"} 4\n"));
    ck_assert_ptr_nonnull(strstr(text, "m_bucket{event=\"e\",le=\"68.719476736\"} 4\n"));
    ck_assert_ptr_nonnull(strstr(text, "m_bucket{event=\"e\",le=\"+Inf\"} 5\n"));
    ck_assert_ptr_nonnull(strstr(text, "m_sum{event=\"e\"} 1002.000002049\n"));
    ck_assert_ptr_nonnull(strstr(text, "m_count{event=\"e\"} 5\n"));
}

/* ---- texts of several events as one ---- */

TEST(each_family_is_there_once_with_all_samples)
{
    static const char cup[] =
        "# HELP a_total Games.\n# TYPE a_total counter\na_total{event=\"cup\"} 3\n"
        "# HELP w Waits.\n# TYPE w gauge\nw{event=\"cup\"} 1\n";
    static const char league[] = "# HELP w Waits.\n# TYPE w gauge\nw{event=\"x y\"} 2.5\n"
                                 "# HELP b New.\n# TYPE b gauge\nb{event=\"league\"} 7\n"
                                 "# HELP a_total Games.\n# TYPE a_total counter\n"
                                 "a_total{event=\"league\"} 4\n";
    struct metrics_merge *merge = metrics_merge_create();

    metrics_merge_add(merge, cup);
    metrics_merge_add(merge, league);
    metrics_merge_write(out, merge);
    fflush(out);
    ck_assert_str_eq(text, "# HELP a_total Games.\n# TYPE a_total counter\n"
                           "a_total{event=\"cup\"} 3\na_total{event=\"league\"} 4\n"
                           "# HELP w Waits.\n# TYPE w gauge\n"
                           "w{event=\"cup\"} 1\nw{event=\"x y\"} 2.5\n"
                           "# HELP b New.\n# TYPE b gauge\nb{event=\"league\"} 7\n");
    ck_assert_double_eq(metrics_merge_sum(merge, "w"), 3.5);
    ck_assert_double_eq(metrics_merge_sum(merge, "none"), 0);
    metrics_merge_destroy(merge);
}

/* ---- health ---- */

static const struct health_facts well = {
    .now_ns = 100 * S_NS,
    .turned_ns = 99 * S_NS,
    .waits_ns = 95 * S_NS,
    .disk_free = UINT64_C(1) << 30,
    .disk_bytes = UINT64_C(1) << 40,
    .children = {{"doorman", true, NULL}, {"gateway", true, NULL}},
    .child_count = 2,
};

/* The checks that are not fine, with commas. */
static const char *wrong(const struct health_facts *facts)
{
    static char names[200];
    struct health_check checks[HEALTH_CHECKS_MOST];
    int count = health_checks_make(checks, facts);

    names[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (!checks[i].fine) {
            strcat(strcat(names, names[0] == '\0' ? "" : ","), checks[i].name);
        }
    }
    ck_assert_int_eq(health_checks_are_fine(checks, count), names[0] == '\0');
    return names;
}

TEST(every_limit_is_the_last_value_that_is_fine)
{
    struct health_facts facts = well;

    ck_assert_str_eq(wrong(&facts), "");
    facts.turned_ns--;
    ck_assert_str_eq(wrong(&facts), "loop");
    facts.waits_ns--;
    ck_assert_str_eq(wrong(&facts), "loop,store");
    facts.disk_free--;
    ck_assert_str_eq(wrong(&facts), "loop,store,disk");
    facts.children[1].alive = false;
    ck_assert_str_eq(wrong(&facts), "loop,store,disk,gateway");
}

TEST(what_is_idle_or_unknown_or_small_is_fine)
{
    struct health_facts facts = well;

    facts.waits_ns = 0; /* nothing waits */
    facts.disk_bytes = 0;
    facts.disk_free = 0;
    facts.child_count = 0;
    ck_assert_str_eq(wrong(&facts), "");
    facts.disk_bytes = UINT64_C(2) << 30; /* a small disk: a twentieth is enough */
    facts.disk_free = facts.disk_bytes / 20;
    ck_assert_str_eq(wrong(&facts), "");
    facts.disk_free--;
    ck_assert_str_eq(wrong(&facts), "disk");
}

TEST(the_checks_are_one_line_of_json)
{
    struct health_check checks[HEALTH_CHECKS_MOST];
    struct health_facts facts = well;

    facts.child_count = 1;
    facts.children[0].alive = false;
    health_checks_json(out, checks, health_checks_make(checks, &facts));
    fflush(out);
    ck_assert_str_eq(
        text,
        "{\"fine\": false, \"checks\": ["
        "{\"check\": \"loop\", \"fine\": true, \"found\": \"turned 1.000 s ago\"}, "
        "{\"check\": \"store\", \"fine\": true, \"found\": \"waits for 5.000 s to be stored\"}, "
        "{\"check\": \"disk\", \"fine\": true, \"found\": \"1024 MiB free of 1048576\"}, "
        "{\"check\": \"doorman\", \"fine\": false, \"found\": \"does not run\"}]}\n");
}

SUITE_FIXTURE(set_up, tear_down)
