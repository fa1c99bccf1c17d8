/* Exports: the canonical text must not depend on how an event was run. */
#define _GNU_SOURCE
#include <proof/canonical.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/random_match.h"
#include "support/results_folder.h"
#include "support/scratch_store.h"
#include "support/suite.h"

enum { LEGS = 8 };

/* Plays one match, always the same for a leg except for its clocks, and stores its games. */
static void play_leg(struct store *store, int leg, uint64_t clocks)
{
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    struct chance chance = {100 + (uint64_t)leg}, clock = {clocks};
    struct bg_match match;

    bg_match_begin(&match, &rules);
    for (int number = 0;; number++) {
        struct record record = {0};
        struct store_game *game = calloc(1, sizeof *game);
        struct record_header header = {.start = &match, .host = clocks == 1 ? "here" : "there"};
        char id[BG_GAME_ID];

        snprintf(id, sizeof id, "a|b|%d|%d|%d", leg / 2 * 5, leg % 2, number);
        header.game_id = id;
        record_begin(&record, &header);
        while (match.need.kind != BG_NEED_GAME && match.need.kind != BG_NEED_NOTHING) {
            struct bg_step step = random_step(&match, &chance);

            ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_NONE);
            record_append(&record, &step, chance_below(&clock, 100000));
        }
        *game = (struct store_game){.id = strdup(id),
                                    .a = strdup("a"),
                                    .b = strdup("b"),
                                    .pair = (uint64_t)(leg / 2 * 5),
                                    .leg = leg % 2,
                                    .game = number,
                                    .end = match.result.end};
        record_end(&record, &match.result, NULL, game->hash);
        game->text = record.text; /* handed over */
        game->text_size = record.size;
        ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
        if (match.need.kind == BG_NEED_NOTHING) {
            break;
        }
        ck_assert_int_eq(bg_match_step(&match, &next), BG_RULE_NONE);
    }
}

/* The export as text; the caller frees it. */
static char *export(struct store *store, enum bg_status expected,
                    enum bg_status (*write)(FILE *, struct store *, struct bg_error *))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    ck_assert_msg(write(out, store, &error) == expected, "%s", error.text);
    fclose(out);
    return text;
}

TEST(an_event_has_one_canonical_text)
{
    struct store *forward = open_store(), *backward = scratch_store_create();
    char *first, *second, *records;

    for (int leg = 0; leg < LEGS; leg++) {
        play_leg(forward, leg, 1);
        play_leg(backward, LEGS - 1 - leg, 2);
    }
    store_put_unplayed(forward, "a|b|100|1", "b", "at 12:01", NULL);
    store_put_unplayed(forward, "a|b|20|0", "a", "at 12:02", NULL);
    store_put_unplayed(backward, "a|b|20|0", "a", "at 13:02", NULL);
    store_put_unplayed(backward, "a|b|100|1", "b", "at 13:01", NULL);
    first = export(forward, BG_OK, canonical_write);
    second = export(backward, BG_OK, canonical_write);
    ck_assert_str_eq(first, second);
    ck_assert_ptr_nonnull(strstr(first, "\nunplayed a|b|20|0 a\nunplayed a|b|100|1 b\n"));
    ck_assert_ptr_nonnull(strstr(first, "\nid a|b|15|1|0\n"));
    ck_assert_ptr_null(strstr(first, "here"));
    free(second);
    records = export(forward, BG_OK, canonical_write_records);
    second = export(backward, BG_OK, canonical_write_records);
    ck_assert_str_ne(records, second);
    ck_assert_ptr_nonnull(strstr(records, "host here"));
    free(first);
    free(second);
    free(records);
    store_destroy(forward);
    store_destroy(backward);
}

/* A record that can be read but was changed: one digit of a time differs. */
TEST(a_damaged_record_is_not_exported)
{
    struct store *store = scratch_store_create();
    struct store_game *game = calloc(1, sizeof *game);
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 1);
    struct record record = {0};
    struct chance chance = {4};
    struct bg_match match;

    bg_match_begin(&match, &rules);
    random_game(&record, game->hash, &match, "a|b|0|0|0", "", true, &chance);
    strchr(strstr(record.text, "\nsteps"), '@')[1] ^= 1;
    game->id = strdup("a|b|0|0|0");
    game->a = strdup("a");
    game->b = strdup("b");
    game->text = record.text; /* handed over */
    game->text_size = record.size;
    ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
    free(export(store, BG_E_MISMATCH, canonical_write));
    store_destroy(store);
}

/* --- the command ------------------------------------------------------------------------- */

/* Runs "bgref export ARGUMENTS" in the folder; returns its status, output goes to files there. */
static int run(const char *arguments)
{
    char command[512];
    int status;

    snprintf(command, sizeof command, "cd '%s' && { '%s/bgref' export %s; } > stdout 2> stderr",
             folder, TEST_BIN, arguments);
    status = system(command);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static char *read_file(const char *name)
{
    static char text[1 << 20];
    char full[256];
    FILE *file;

    snprintf(full, sizeof full, "%s/%s", folder, name);
    file = fopen(full, "r");
    ck_assert_msg(file != NULL, "%s", full);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

TEST(the_command_exports_while_a_store_is_open)
{
    struct store *store = open_store();
    char *expected;
    struct stat other;

    play_leg(store, 0, 1);
    expected = export(store, BG_OK, canonical_write);
    ck_assert_int_eq(run("results.db --canonical"), 0);
    ck_assert_str_eq(read_file("stdout"), expected);
    ck_assert_int_eq(run("results.db --canonical -o out.txt"), 0);
    ck_assert_str_eq(read_file("stdout"), "");
    ck_assert_str_eq(read_file("out.txt"), expected);
    ck_assert_int_eq(run("results.db --canonical -o nowhere/out.txt"), 2);
    ck_assert_ptr_nonnull(
        strstr(read_file("stderr"), "nowhere/out.txt: there is no folder nowhere"));
    snprintf(path, sizeof path, "%s/nowhere", folder);
    ck_assert_int_ne(stat(path, &other), 0);
    free(expected);
    store_destroy(store);
}

static const struct {
    const char *arguments;
    int status;
    const char *message;
} misuses[] = {
    {"", 2, "the results are missing"},
    {"results.db", 2, "or --canonical, --records"},
    {"results.db --canonical --records", 2, "choose one"},
    {"results.db more.db --canonical", 2, "'more.db': single games need --format"},
    {"results.db --canonicle", 2, "canonicle"},
    {"none.db --canonical", 2, "none.db: No such file"},
    {"results.db --canonical > /dev/full", 5, "write the export: No space left"},
};

TEST_ROWS(misuse_is_reported, misuses)
{
    struct store *store = open_store();

    play_leg(store, 0, 1);
    store_destroy(store);
    ck_assert_int_eq(run(misuses[_i].arguments), misuses[_i].status);
    ck_assert_msg(strstr(read_file("stderr"), misuses[_i].message) != NULL, "%s",
                  read_file("stderr"));
}

SUITE_FIXTURE(make_folder, folder_remove)
