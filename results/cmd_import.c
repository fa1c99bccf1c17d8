/* cmd_import.c - bgref import: matches of others, put into a results database. */
#define _GNU_SOURCE
#include "cmd.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <format/mat_read.h>
#include <record/store.h>

enum { KEY_RESULTS = 256 };

struct arguments {
    const char *results;
    char **file; /* into argv; owned list */
    int files;
};

static const struct argp_option options[] = {
    {"results", 'r', "RESULTS.db", 0, "Put the games into this database, which is made if missing",
     0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'r':
        arguments->results = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->file == NULL) {
            arguments->file = calloc((size_t)state->argc, sizeof arguments->file[0]);
            if (arguments->file == NULL) {
                return ENOMEM;
            }
        }
        arguments->file[arguments->files++] = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->files == 0 || arguments->results == NULL) {
            argp_error(state, "needs matches and a database, like 'bgref import MATCH.mat "
                              "--results RESULTS.db'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp description = {
    options,
    parse,
    "FILE.mat...",
    "Puts matches that were played elsewhere into a results database, where they can be shown, "
    "judged and rated like others (docs/formats.md).\v"
    "Every step is played again by the rules; a file with a step that breaks one is named with its "
    "line and not imported. Matches of one database have one length. Exit status: 0 done, 1 a step "
    "breaks a rule, 2 a file or the database cannot be used, 5 it cannot be written.",
    NULL,
    NULL,
    NULL};

static void print_note(const char *story)
{
    fprintf(stderr, "bgref import: %s\n", story);
}

/* What is in the database: which pair number is free, and whether a match was imported before. */
struct present {
    const struct mat_match *match;
    const char *a, *b;
    uint64_t free_pair;
    int length_points; /* -1: no games */
    bool foreign;      /* a game with other dice than a file's: an event of our own */
    bool repeated;     /* the same first game is there */
};

static bool is_same_play(const struct record_view *one, const struct record_view *other)
{
    bool same = record_view_steps(one) == record_view_steps(other);

    for (int i = 0; same && i < record_view_steps(one); i++) {
        struct bg_step step, step_other;
        char line[RECORD_STEP], line_other[RECORD_STEP];

        record_view_step(&step, NULL, one, i);
        record_view_step(&step_other, NULL, other, i);
        record_step_write(line, &step);
        record_step_write(line_other, &step_other);
        same = strcmp(line, line_other) == 0;
    }
    return same;
}

/* Whether the game in the database is the first one of the file. */
static bool is_repeated(const struct store_game *game, const struct mat_game *first)
{
    struct record_view *stored = NULL, *read = NULL;
    bool same = record_read(&stored, game->text, game->text_size, NULL) == BG_OK &&
                record_read(&read, first->record.text, first->record.size, NULL) == BG_OK &&
                is_same_play(stored, read);

    record_view_destroy(stored);
    record_view_destroy(read);
    return same;
}

static bool look_at(void *user, const struct store_game *game)
{
    struct present *present = user;

    present->length_points = game->length_points;
    present->foreign |= memmem(game->text, game->text_size, "\ndice file #", 12) == NULL;
    if (strcmp(game->a, present->a) == 0 && strcmp(game->b, present->b) == 0) {
        if (game->pair >= present->free_pair) {
            present->free_pair = game->pair + 1;
        }
        present->repeated |= is_repeated(game, &present->match->game[0]);
    }
    return true;
}

static enum bg_status check_present(struct present *present, struct store *store, const char *path,
                                    const struct arguments *arguments, struct bg_error *err)
{
    bool swapped = strcmp(present->match->name[0], present->match->name[1]) > 0;
    enum bg_status status;

    present->a = present->match->name[swapped];
    present->b = present->match->name[!swapped];
    present->length_points = -1;
    status = store->ops->all_games(store, true, look_at, present, err);
    if (status != BG_OK) {
        return status;
    }
    if (present->foreign) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: holds an event of bgref; import into another database",
                            arguments->results);
    }
    if (present->length_points >= 0 && present->length_points != present->match->length_points) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: a match to %d points (0: money), but %s holds matches to %d; "
                            "import into another database",
                            path, present->match->length_points, arguments->results,
                            present->length_points);
    }
    if (present->repeated) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: its first game is in %s already", path,
                            arguments->results);
    }
    return BG_OK;
}

static enum bg_status put_game(struct store *store, const struct mat_match *match, int i,
                               const struct present *present, struct bg_error *err)
{
    struct mat_game *from = &match->game[i];
    struct store_game *game = calloc(1, sizeof *game);

    if (game == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "a game");
    }
    game->id = strdup(from->id);
    game->a = strdup(present->a);
    game->b = strdup(present->b);
    game->text = strdup(from->record.text);
    if (game->id == NULL || game->a == NULL || game->b == NULL || game->text == NULL) {
        store_game_destroy(game);
        return bg_error_set(err, BG_E_MEMORY, "a game");
    }
    game->text_size = from->record.size;
    game->pair = present->free_pair + (uint64_t)(match->length_points == 0 ? i : 0);
    game->leg = present->a != match->name[0];
    game->game = match->length_points == 0 ? 0 : i;
    store_game_result(game, &from->end, game->leg);
    memcpy(game->hash, from->hash, sizeof game->hash);
    return store->ops->put_game(store, game, err);
}

/* Read twice: the number of its pair is known only when its players are. */
static enum bg_status import_file(struct store *store, const struct arguments *arguments,
                                  const char *path, struct bg_error *err)
{
    struct mat_match match = {0};
    struct present present = {.match = &match};
    enum bg_status status = mat_read_file(&match, path, 0, NULL, err);

    if (status == BG_OK && match.games == 0) {
        status = bg_error_set(err, BG_E_FORMAT, "%s: no finished game", path);
    }
    if (status == BG_OK) {
        status = check_present(&present, store, path, arguments, err);
    }
    if (status == BG_OK) {
        mat_match_deinit(&match);
        status = mat_read_file(&match, path, present.free_pair, print_note, err);
    }
    present.a = match.name[strcmp(match.name[0], match.name[1]) > 0];
    present.b = match.name[strcmp(match.name[0], match.name[1]) <= 0];
    for (int i = 0; status == BG_OK && i < match.games; i++) {
        status = put_game(store, &match, i, &present, err);
    }
    if (status == BG_OK) {
        status = store->ops->flush(store, err);
    }
    if (status == BG_OK) {
        fprintf(stderr, "bgref import: %s: %d games%s\n", path, match.games,
                match.unfinished ? ", the last one is not finished and left out" : "");
    }
    mat_match_deinit(&match);
    return status;
}

int cmd_import(int argc, char **argv)
{
    static char name[] = "bgref import";
    struct arguments arguments = {0};
    struct store *store = NULL;
    struct bg_error err = {0};
    enum bg_status status = BG_OK;

    argv[0] = name;
    argp_err_exit_status = EXIT_MISUSE;
    if (argp_parse(&description, argc, argv, 0, NULL, &arguments) != 0) {
        return EXIT_MISUSE;
    }
    status = store_sqlite_open(&store, arguments.results, &err);
    for (int i = 0; status == BG_OK && i < arguments.files; i++) {
        status = import_file(store, &arguments, arguments.file[i], &err);
    }
    store_destroy(store);
    free(arguments.file);
    if (status != BG_OK) {
        fprintf(stderr, "bgref import: %s\n", err.text);
    }
    return status == BG_E_MISMATCH ? EXIT_CHECK : exit_status_of(status);
}
