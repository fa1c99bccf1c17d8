/* The command that confines a bot: what it makes visible, and what it refuses. */
#define _GNU_SOURCE /* mkdtemp */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/mounts.h"
#include "process/sandbox.h"
#include "support/suite.h"

static char folder[PATH_MAX]; /* of the test; a real path */

static void begin(void)
{
    char name[] = "/tmp/bgref-sandbox-XXXXXX";

    ck_assert_ptr_nonnull(mkdtemp(name));
    ck_assert_ptr_nonnull(realpath(name, folder));
}

static const char *path(const char *name)
{
    static char paths[4][PATH_MAX];
    static int next;
    char *out = paths[next++ % 4];

    snprintf(out, PATH_MAX, "%s/%s", folder, name);
    return out;
}

static void make(const char *name)
{
    FILE *file = fopen(path(name), "w");

    ck_assert_ptr_nonnull(file);
    fputs("#!/bin/sh\n", file);
    fclose(file);
    ck_assert_int_eq(chmod(path(name), 0755), 0);
}

static void end(void)
{
    char command[PATH_MAX + 16];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/* Wraps the program `bot` with the results in `results`; returns the status, and the words in one
 * line. */
static enum bg_status wrap(char *line, size_t size, const char *bot, const char *results,
                           struct bg_error *err)
{
    char word[PATH_MAX];
    char *words[] = {word, NULL};
    struct sandbox sandbox = {.words = words,
                              .dir = "",
                              .endpoint = "ipc:///nowhere/bgref/bots",
                              .hidden = results,
                              .memory_bytes = 7777};
    struct sandbox_command command = {.filter_fd = -1};
    enum bg_status status;

    snprintf(word, sizeof word, "%s", bot);
    status = sandbox_wrap(&command, &sandbox, err);
    line[0] = '\0';
    for (size_t i = 0; status == BG_OK && command.words[i] != NULL; i++) {
        ck_assert_uint_lt(strlen(line) + strlen(command.words[i]) + 2, size);
        strcat(strcat(line, command.words[i]), " ");
    }
    if (command.filter_fd >= 0) {
        close(command.filter_fd);
    }
    free(status == BG_OK ? command.words : NULL);
    return status;
}

TEST(results_below_the_bot_are_covered_and_writable_folders_are_limited)
{
    char line[1 << 16], expected[2 * PATH_MAX];

    make("bot");
    ck_assert_int_eq(mkdir(path("results"), 0755), 0);
    ck_assert_int_eq(symlink(path("results"), path("link")), 0);
    assert_ok(wrap(line, sizeof line, path("bot"), path("link/r.db"), &error));
    snprintf(expected, sizeof expected, " --ro-bind %s %s --size 4096 --tmpfs %s ", folder, folder,
             path("results"));
    ck_assert_ptr_nonnull(strstr(line, expected));
    ck_assert_ptr_nonnull(strstr(line, " --size 7777 --tmpfs /tmp "));
    ck_assert_ptr_nonnull(strstr(line, " --size 7777 --tmpfs /dev/shm "));
    ck_assert_ptr_null(strstr(line, "/etc/shadow"));
}

TEST(a_bot_beside_the_results_is_refused)
{
    char line[1 << 16];

    make("bot");
    ck_assert_int_eq(wrap(line, sizeof line, path("bot"), path("r.db"), &error), BG_E_START);
    ck_assert_ptr_nonnull(strstr(error.text, "put the results elsewhere (--results)"));
    ck_assert_int_eq(wrap(line, sizeof line, path("bot"), "/r.db", &error), BG_E_START);
    ck_assert_ptr_nonnull(strstr(error.text, "put the results elsewhere (--results)"));
}

TEST(results_with_a_second_name_are_refused)
{
    char line[1 << 16];

    make("bot");
    ck_assert_int_eq(mkdir(path("results"), 0755), 0);
    make("results/r.db.key");
    ck_assert_int_eq(link(path("results/r.db.key"), path("other")), 0);
    ck_assert_int_eq(wrap(line, sizeof line, path("bot"), path("results/r.db"), &error),
                     BG_E_START);
    ck_assert_ptr_nonnull(strstr(error.text, "r.db.key has a second name (a hard link)"));
}

TEST(only_the_program_is_visible_of_a_home_folder)
{
    char line[1 << 16], whole[2 * PATH_MAX], one[2 * PATH_MAX];

    make("bot");
    ck_assert_int_eq(mkdir(path("user"), 0755), 0);
    snprintf(whole, sizeof whole, " --ro-bind %s %s ", folder, folder);
    snprintf(one, sizeof one, " --ro-bind %s %s ", path("bot"), path("bot"));
    for (int i = 0; i < 2; i++) { /* the home folder itself, and its parent */
        ck_assert_int_eq(setenv("HOME", i == 0 ? folder : path("user"), 1), 0);
        assert_ok(wrap(line, sizeof line, path("bot"), "/nowhere/r.db", &error));
        ck_assert_ptr_nonnull(strstr(line, one));
        ck_assert_ptr_null(strstr(line, whole));
    }
    ck_assert_int_eq(setenv("HOME", "/nowhere", 1), 0);
    assert_ok(wrap(line, sizeof line, path("bot"), "/nowhere/r.db", &error));
    ck_assert_ptr_nonnull(strstr(line, whole));
}

TEST(a_path_is_below_a_folder_only_by_whole_names)
{
    ck_assert(is_below("/a/b", "/a"));
    ck_assert(is_below("/a", "/a"));
    ck_assert(is_below("/a", "/"));
    ck_assert(is_below("/", "/"));
    ck_assert(!is_below("/ab", "/a"));
    ck_assert(!is_below("/", "/a"));
}

SUITE_FIXTURE(begin, end)
