/* cmd_import.c - bgref import: matches of others, put into a results database. */
#define _GNU_SOURCE
#include "cmd.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include <format/foreign.h>
#include <format/import_index.h>
#include <record/store.h>
#include <rules/clean.h>

enum { DEPTH_MAX = 16 /* of folders */ };

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
    "FILE|FOLDER...",
    "Puts matches that were played elsewhere, .mat and .sgf files, into a results database, where "
    "they can be shown, judged and rated like others (docs/formats.md). Of a folder all .mat, .sgf "
    "and .txt files are taken, those of its folders too.\v"
    "Every step is played again by the rules; a file with a step that breaks one is named with its "
    "line and not imported, the others are. A database holds matches, of any lengths, or money "
    "games. Exit status: 0 done, 1 a file breaks a rule, 2 a file or the database cannot be used, "
    "5 it cannot be written.",
    NULL,
    NULL,
    NULL};

struct import {
    const char *results;
    struct store *store; /* NULL: not there, and nothing to put in as yet */
    struct import_index *index;
    int files, refused, games, matches;
    int exit_status; /* the gravest so far */
    bool stop;       /* the database cannot be written */
};

/* ---- one file ---- */

static enum bg_status place(void *user, struct foreign_match *match,
                            const struct foreign_file *before, struct bg_error *err)
{
    return import_index_place(((struct import *)user)->index, match, before, err);
}

static enum bg_status put_game(struct store *store, const struct foreign_match *match, int i,
                               struct bg_error *err)
{
    const struct foreign_game *from = &match->game[i];
    struct store_game *game = calloc(1, sizeof *game);
    int swapped = strcmp(match->name[0], match->name[1]) > 0;

    if (game == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "a game");
    }
    game->id = strdup(from->id);
    game->a = strdup(match->name[swapped]);
    game->b = strdup(match->name[!swapped]);
    game->text = strdup(from->record.text);
    if (game->id == NULL || game->a == NULL || game->b == NULL || game->text == NULL) {
        store_game_destroy(game);
        return bg_error_set(err, BG_E_MEMORY, "a game");
    }
    game->text_size = from->record.size;
    game->pair = match->pair + (uint64_t)(match->length_points == 0 ? i : 0);
    game->leg = swapped;
    game->game = match->length_points == 0 ? 0 : i;
    store_game_result(game, &from->end, game->leg);
    memcpy(game->hash, from->hash, sizeof game->hash);
    return store->ops->put_game(store, game, err);
}

/* The database is made for the first match that is good. */
static enum bg_status put_file(struct import *import, const struct foreign_file *file,
                               struct bg_error *err)
{
    enum bg_status status =
        import->store != NULL ? BG_OK : store_sqlite_open(&import->store, import->results, err);

    for (int i = 0; status == BG_OK && i < file->matches; i++) {
        for (int j = 0; status == BG_OK && j < file->match[i].games; j++) {
            status = put_game(import->store, &file->match[i], j, err);
        }
        if (status == BG_OK) {
            status = import_index_add(import->index, &file->match[i], err);
        }
    }
    if (status == BG_OK) {
        status = import->store->ops->flush(import->store, err);
    }
    import->stop = status != BG_OK;
    return status;
}

static void report(struct import *import, const char *path, const struct foreign_file *file)
{
    int games = 0, told = 0;

    for (int i = 0; i < file->matches; i++) {
        games += file->match[i].games;
    }
    fputs("bgref import: ", stderr);
    clean_print(stderr, path, CLEAN_LINE);
    fprintf(stderr, ": %d game%s", games, games == 1 ? "" : "s");
    if (file->matches > 1) {
        fprintf(stderr, " of %d matches", file->matches);
    }
    for (int i = 0; i < FOREIGN_NOTES; i++) {
        if (file->notes[i] > 0) {
            fprintf(stderr, "%s%dx %s", told++ == 0 ? " (" : "; ", file->notes[i],
                    foreign_note_text((enum foreign_note)i));
        }
    }
    fprintf(stderr, "%s\n", told > 0 ? ")" : "");
    import->games += games;
    import->matches += file->matches;
}

static int gravity(int status)
{
    return status == EXIT_CHECK ? 1 : status == EXIT_MISUSE ? 2 : status == 0 ? 0 : 3;
}

static void refuse(struct import *import, enum bg_status status, const struct bg_error *err)
{
    int exit_status = status == BG_E_MISMATCH ? EXIT_CHECK : exit_status_of(status);

    fprintf(stderr, "bgref import: %s\n", err->text);
    import->refused++;
    if (gravity(exit_status) > gravity(import->exit_status)) {
        import->exit_status = exit_status;
    }
}

static void import_file(struct import *import, const char *path)
{
    const struct foreign_user user = {.user = import, .placed = place};
    struct foreign_file file = {0};
    struct bg_error err = {0};
    enum bg_status status = foreign_read_file(&file, path, &user, &err);

    import->files++;
    if (status == BG_OK && file.matches == 0) {
        status = bg_error_set(&err, BG_E_FORMAT, "%.200s: no finished game", path);
    }
    for (int i = 0; status == BG_OK && i < file.matches; i++) {
        status = import_index_check(import->index, &file.match[i], path, &err);
    }
    if (status == BG_OK) {
        status = put_file(import, &file, &err);
    }
    if (status == BG_OK) {
        report(import, path, &file);
    } else {
        refuse(import, status, &err);
    }
    foreign_file_deinit(&file);
}

/* ---- folders ---- */

static bool is_match_name(const char *name)
{
    static const char *const ends[] = {".mat", ".sgf", ".txt"};
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < sizeof ends / sizeof ends[0]; i++) {
        if (strcasecmp(dot, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void import_folder(struct import *import, const char *path, int depth)
{
    struct dirent **entry = NULL;
    struct bg_error err = {0};
    int count = scandir(path, &entry, is_shown, alphasort);

    if (count < 0) {
        refuse(import, bg_error_set(&err, BG_E_ARGUMENT, "%.200s: %s", path, strerror(errno)),
               &err);
        return;
    }
    for (int i = 0; i < count; i++) {
        char *inner = NULL;

        if (!import->stop && asprintf(&inner, "%s/%s", path, entry[i]->d_name) > 0) {
            if (is_folder(inner)) {
                if (depth < DEPTH_MAX) {
                    import_folder(import, inner, depth + 1);
                }
            } else if (is_match_name(inner)) {
                import_file(import, inner);
            }
            free(inner);
        }
        free(entry[i]);
    }
    free((void *)entry);
}

static void import_path(struct import *import, const char *path)
{
    int files = import->files, refused = import->refused;
    struct bg_error err = {0};

    if (!is_folder(path)) {
        import_file(import, path);
        return;
    }
    import_folder(import, path, 0);
    if (import->files == files && import->refused == refused) {
        refuse(import,
               bg_error_set(&err, BG_E_ARGUMENT, "%.200s: no .mat, .sgf or .txt file in it", path),
               &err);
    }
}

/* ---- the command ---- */

static enum bg_status open_results(struct import *import, struct bg_error *err)
{
    enum bg_status status = import_index_create(&import->index, err);

    if (status == BG_OK && access(import->results, F_OK) == 0) {
        status = store_sqlite_open(&import->store, import->results, err);
        if (status == BG_OK) {
            status = import_index_read(import->index, import->store, import->results, err);
        }
    }
    return status;
}

int cmd_import(int argc, char **argv)
{
    static char name[] = "bgref import";
    struct arguments arguments = {0};
    struct import import = {0};
    struct bg_error err = {0};
    enum bg_status status;

    argv[0] = name;
    argp_err_exit_status = EXIT_MISUSE;
    if (argp_parse(&description, argc, argv, 0, NULL, &arguments) != 0) {
        return EXIT_MISUSE;
    }
    import.results = arguments.results;
    status = open_results(&import, &err);
    if (status != BG_OK) {
        refuse(&import, status, &err);
    }
    for (int i = 0; status == BG_OK && !import.stop && i < arguments.files; i++) {
        import_path(&import, arguments.file[i]);
    }
    if (import.files > 1) {
        fprintf(stderr, "bgref import: %d of %d files: %d games of %d matches or sessions%s\n",
                import.files - import.refused, import.files, import.games, import.matches,
                import.refused > 0 ? "; what was refused is named above" : "");
    }
    store_destroy(import.store);
    import_index_destroy(import.index);
    free((void *)arguments.file);
    return import.exit_status;
}
