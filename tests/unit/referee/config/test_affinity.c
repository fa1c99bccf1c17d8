#define _GNU_SOURCE /* sched_setaffinity */
#include "config/affinity.h"
#include "support/suite.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* A core that this process may use on any machine. */
static int some_core(void)
{
    cpu_set_t set;
    int core = 0;

    CPU_ZERO(&set);
    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    while (!CPU_ISSET((size_t)core, &set)) {
        core++;
    }
    return core;
}

TEST(words_and_lists_round_trip)
{
    struct affinity affinity;
    char given[32], written[32];

    snprintf(given, sizeof given, "%d", some_core());
    ck_assert_int_eq(affinity_read(&affinity, given, NULL), BG_OK);
    affinity_write(written, sizeof written, &affinity);
    ck_assert_str_eq(written, given);
    ck_assert_int_eq(affinity_core(&affinity, 0), some_core());
    ck_assert_int_eq(affinity_core(&affinity, 7), some_core());
    ck_assert_int_eq(affinity_read(&affinity, "off", NULL), BG_OK);
    affinity_write(written, sizeof written, &affinity);
    ck_assert_str_eq(written, "off");
    ck_assert_int_eq(affinity_core(&affinity, 0), -1);
    ck_assert_int_eq(affinity_read(&affinity, "auto", NULL), BG_OK);
    affinity_write(written, sizeof written, &affinity);
    ck_assert_str_eq(written, "auto");
}

/* Only the list is tested here, not this machine's cores. */
TEST(processes_take_the_cores_in_turn)
{
    const struct affinity affinity = {.kind = AFFINITY_LIST, .count = 5, .core = {1, 4, 5, 6, 9}};
    char written[32];

    ck_assert_int_eq(affinity_core(&affinity, 0), 1);
    ck_assert_int_eq(affinity_core(&affinity, 1), 4);
    ck_assert_int_eq(affinity_core(&affinity, 4), 9);
    ck_assert_int_eq(affinity_core(&affinity, 5), 1);
    affinity_write(written, sizeof written, &affinity);
    ck_assert_str_eq(written, "1,4-6,9");
}

TEST(auto_uses_every_allowed_core)
{
    struct affinity affinity;
    cpu_set_t set, one;

    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    ck_assert_int_eq(affinity_read(&affinity, "auto", NULL), BG_OK);
    ck_assert_int_eq(affinity.count, CPU_COUNT(&set));
    for (int i = 0; i < affinity.count; i++) {
        ck_assert(CPU_ISSET((size_t)affinity_core(&affinity, i), &set));
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)some_core(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_int_eq(affinity_read(&affinity, "auto", NULL), BG_OK);
    ck_assert_int_eq(sched_setaffinity(0, sizeof set, &set), 0);
    ck_assert_int_eq(affinity.count, 1);
}

static const struct {
    const char *text, *says;
} refused[] = {
    {"1000", "core 1000 does not exist"},    {"99999999999999999999", "does not exist"},
    {"0-1000000", "does not exist"},         {"fast", "'fast' is neither"},
    {"0,", "neither off, auto nor a list"},  {",0", "neither off, auto nor a list"},
    {"1-0", "neither off, auto nor a list"}, {"-1", "neither off, auto nor a list"},
    {"0 1", "neither off, auto nor a list"}, {"", "neither off, auto nor a list"},
};

TEST_ROWS(invalid_lists_and_unknown_cores_are_refused, refused)
{
    struct affinity affinity = {.kind = AFFINITY_AUTO};

    ck_assert_int_eq(affinity_read(&affinity, refused[_i].text, &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "%s: %s", refused[_i].text,
                  error.text);
    ck_assert_int_eq(affinity.kind, AFFINITY_AUTO);
}

TEST(a_repeated_core_is_refused)
{
    struct affinity affinity;
    char given[32];

    snprintf(given, sizeof given, "%d,%d", some_core(), some_core());
    ck_assert_int_eq(affinity_read(&affinity, given, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "given twice"));
}
