/* cmd_import.c - bgref import: adds other programs' matches to a results database. Files are
 * taken one by one, and a match that breaks a rule stops neither its file nor the others:
 * collections of thousands of matches have some that are damaged. What cannot be written stops
 * everything, because the next match would fail in the same way. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "results_commands.h"
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <format/foreign.h>
#include <format/import_index.h>
#include <store/store.h>
#include <rules/clean.h>

#include "base/output.h"
#include "base/docs.h"
#include "base/plain_file.h"
#include "base/plural.h"

/* A link to a folder above would be followed for ever. */
enum { DEPTH_MAX = 16 /* of folders */ };

enum only { ONLY_MATCHES, ONLY_MONEY, ONLY_ANY }; /* as in kinds */

struct arguments {
    const char *results;
    int only; /* enum only */
    struct command_words files;
};

static const char *const kinds[] = {"matches", "money", NULL};

static const struct command_row options[] = {
    {"results", 'r', .value = "RESULTS.db",
     .help = "Add the games to this database; create it if missing", COMMAND_TEXT(results),
     .is_needed = true},
    {"only", 'o', .value = "KIND", .help = "Import only 'matches' or only 'money' games",
     COMMAND_CHOICE(only), .words = kinds},
    {0}};

static const struct command_row words[] = {{"file", COMMAND_LIST(files), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "FILE|FOLDER...",
    .help = "Adds matches of other programs, .mat and .sgf files, to a results database, where "
            "they can be "
            "shown, judged and rated like others (docs/formats.md). From a folder, imports all "
            ".mat, .sgf "
            "and .txt files, also from its folders.\vEvery step is played again by the rules. A "
            "game with "
            "a step that breaks a rule is listed with its line and position and left out; the "
            "others are "
            "imported, those behind it in a match as another match that begins at their score. A "
            "database "
            "contains either matches, of any lengths, or money "
            "games: --only imports one kind from files that contain both. Exit status: 0 done, 1 a "
            "match "
            "breaks a rule, 2 a file or the database cannot be used, 5 it cannot be written.",
    .options = options,
    .words = words,
    .missing = "needs matches and a database, like 'bgref import MATCH.mat --results RESULTS.db'",
};

struct import {
    const char *results;
    struct store *store; /* NULL: does not exist yet, and there is nothing to add */
    struct import_index *index;
    int only;
    int files, refused, games, matches;
    int left_out;    /* games left out of files that were read */
    int passed_over; /* matches and sessions that --only excludes */
    int exit_status; /* the most severe so far */
    bool stop;       /* the database cannot be written */
};

/* ---- one file ---- */

static void place_match(void *user, struct foreign_match *match, const struct foreign_file *before)
{
    import_index_place(((struct import *)user)->index, match, before);
}

static enum bg_status import_game(struct store *store, const struct foreign_match *match, int i,
                                  struct bg_error *err)
{
    const struct foreign_game *from = &match->game[i];
    struct store_game *game = memory_zeroed(1, sizeof *game);
    /* A pair is stored under its names in byte order; leg 1 says that the second of them has
     * seat 0. */
    int swapped = strcmp(match->name[0], match->name[1]) > 0;

    game->id = memory_text(from->id);
    game->a = memory_text(match->name[swapped]);
    game->b = memory_text(match->name[!swapped]);
    game->text = memory_text(from->record.text);
    game->text_size = from->record.size;
    game->pair = from->pair;
    game->leg = swapped;
    game->game = match->length_points == 0 ? 0 : i;
    store_game_result(game, &from->end, game->leg);
    memcpy(game->hash, from->hash, sizeof game->hash);
    return store_put_game(store, game, err);
}

/* Adds the games from `first` on. Creates the database for the first good match. A database that
 * nothing good would be in is not made: a mistyped file name shall leave nothing behind. */
static enum bg_status put_match(struct import *import, const struct foreign_match *match, int first,
                                struct bg_error *err)
{
    enum bg_status status =
        import->store != NULL ? BG_OK : store_sqlite_open(&import->store, import->results, err);

    for (int i = first; status == BG_OK && i < match->games; i++) {
        status = import_game(import->store, match, i, err);
    }
    if (status == BG_OK) {
        status = import_index_add(import->index, match, err);
    }
    import->stop = status != BG_OK;
    return status;
}

/* Prints what was imported from a file. */
struct taken {
    int games, matches, known, left_out;
};

static void report(struct import *import, const char *path, const struct foreign_file *file,
                   const struct taken *taken)
{
    int printed = 0;

    fputs("bgref import: ", stderr);
    clean_print(stderr, path, CLEAN_LINE);
    fprintf(stderr, ": %d %s", taken->games, plural((unsigned)taken->games, "game", "games"));
    if (taken->matches > 1) {
        fprintf(stderr, " of %d matches", taken->matches);
    }
    if (taken->known > 0) {
        fprintf(stderr, " after %d that %s in the database already", taken->known,
                plural((unsigned)taken->known, "is", "are"));
    }
    for (int i = 0; i < FOREIGN_NOTES; i++) {
        if (file->notes[i] > 0) {
            fprintf(stderr, "%s%dx %s", printed++ == 0 ? " (" : "; ", file->notes[i],
                    foreign_note_text((enum foreign_note)i));
        }
    }
    fputs(printed > 0 ? ")" : "", stderr);
    if (taken->left_out > 0) {
        fprintf(stderr, "; %d left out", taken->left_out);
    }
    fputc('\n', stderr);
    import->games += taken->games;
    import->matches += taken->matches;
    import->left_out += taken->left_out;
}

/* What is neither a broken rule nor misuse weighs the same: the first of it is kept. */
static int gravity(int status)
{
    return status == EXIT_CHECK ? 1 : status == EXIT_MISUSE ? 2 : status == 0 ? 0 : 3;
}

/* Prints why a match was not imported, and keeps the most severe exit status. */
static void complain(struct import *import, enum bg_status status, const char *why)
{
    int exit_status = status == BG_E_MISMATCH ? EXIT_CHECK : exit_status_of(status);

    fprintf(stderr, "bgref import: %s\n", why);
    if (gravity(exit_status) > gravity(import->exit_status)) {
        import->exit_status = exit_status;
    }
}

static void complain_left(void *user, enum bg_status status, const char *why)
{
    complain(user, status, why);
}

static void refuse_match(struct import *import, enum bg_status status, const struct bg_error *err)
{
    complain(import, status, err->text);
    import->refused++;
}

/* Imports each match separately: skips a match that is there already or of the other kind. */
static enum bg_status take_match(struct import *import, const char *path,
                                 const struct foreign_match *match, struct taken *taken,
                                 struct bg_error *err)
{
    int first = 0;
    enum bg_status status = import_index_check(&first, import->index, match, path, err);

    if (status == BG_OK) {
        status = put_match(import, match, first, err);
    }
    if (status == BG_OK) {
        taken->games += match->games - first;
        taken->known += first;
        taken->matches++;
    }
    return status;
}

static bool is_asked_for(const struct import *import, const struct foreign_match *match)
{
    return import->only == ONLY_ANY || (match->length_points == 0) == (import->only == ONLY_MONEY);
}

static enum bg_status take_matches(struct import *import, const char *path,
                                   const struct foreign_file *file, struct taken *taken,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int asked = 0;

    for (int i = 0; i < file->matches && !import->stop; i++) {
        if (!is_asked_for(import, &file->match[i])) {
            import->passed_over++;
            continue;
        }
        asked++;
        status = take_match(import, path, &file->match[i], taken, err);
        if (status == BG_E_ARGUMENT && file->matches > 1) { /* list the match */
            complain(import, status, err->text);
            taken->left_out++;
            status = BG_OK;
        } else if (status != BG_OK) {
            return status;
        }
    }
    if (taken->matches > 0) {
        /* Reported as imported only what is durable; once a file and not once a match, because
         * each flush waits for the disk. */
        status = import->store->ops->flush(import->store, err);
        import->stop = status != BG_OK;
    } else if (asked > 0) {
        import->refused++; /* each match is listed */
    }
    return status;
}

static void import_file(struct import *import, const char *path)
{
    const struct foreign_user user = {
        .user = import, .placed = place_match, .left_out = complain_left};
    struct foreign_file file = {0};
    struct taken taken = {0};
    struct bg_error err = {0};
    enum bg_status status = foreign_read_file(&file, path, &user, &err);

    import->files++;
    if (status == BG_OK && file.matches == 0) {
        status = bg_error_set(&err, BG_E_FORMAT, "%.200s: no finished game", path);
    }
    taken.left_out = file.left_out;
    if (status == BG_OK) {
        status = take_matches(import, path, &file, &taken, &err);
    }
    if (status != BG_OK) {
        refuse_match(import, status, &err);
    } else if (taken.matches > 0) {
        report(import, path, &file, &taken);
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

static void import_folder(struct import *import, const char *path, int depth)
{
    struct dirent **entry = NULL;
    struct bg_error err = {0};
    /* Sorted, because readdir gives names in the order of the disk, and pair numbers follow the
     * order of import. */
    int count = scandir(path, &entry, is_shown, alphasort);

    if (count < 0) {
        refuse_match(import, bg_error_set(&err, BG_E_ARGUMENT, "%.200s: %s", path, strerror(errno)),
                     &err);
        return;
    }
    for (int i = 0; i < count; i++) {
        char *inner = memory_print("%s/%s", path, entry[i]->d_name);

        if (!import->stop && !plain_is_folder(inner) && is_match_name(inner)) {
            import_file(import, inner);
        } else if (!import->stop && plain_is_folder(inner) && depth < DEPTH_MAX) {
            import_folder(import, inner, depth + 1);
        }
        free(inner);
        free(entry[i]);
    }
    free((void *)entry);
}

static void import_path(struct import *import, const char *path)
{
    int files = import->files, refused = import->refused;
    struct bg_error err = {0};

    if (!plain_is_folder(path)) {
        import_file(import, path);
        return;
    }
    import_folder(import, path, 0);
    if (import->files == files && import->refused == refused) {
        refuse_match(
            import,
            bg_error_set(&err, BG_E_ARGUMENT, "%.200s: has no .mat, .sgf or .txt file", path),
            &err);
    }
}

/* ---- the command ---- */

static enum bg_status open_results(struct import *import, struct bg_error *err)
{
    struct bg_error why = {0};
    enum bg_status status;

    import->index = import_index_create();
    if (access(import->results, F_OK) != 0) {
        return output_may_write(import->results, err); /* a misspelt folder is not made */
    }
    status = store_sqlite_open(&import->store, import->results, &why);
    if (status != BG_OK) { /* a foreign database is a user error */
        return bg_error_set(err, status == BG_E_STORE ? BG_E_ARGUMENT : status, "%s", why.text);
    }
    return import_index_read(import->index, import->store, import->results, err);
}

static void summarize(const struct import *import)
{
    fprintf(stderr, "bgref import: %d of %d %s: %d %s of %d %s", import->files - import->refused,
            import->files, plural((unsigned)import->files, "file", "files"), import->games,
            plural((unsigned)import->games, "game", "games"), import->matches,
            plural((unsigned)import->matches, "match or session", "matches or sessions"));
    if (import->passed_over > 0) {
        fprintf(stderr, "; %d %s passed over", import->passed_over,
                import->only == ONLY_MONEY
                    ? plural((unsigned)import->passed_over, "match", "matches")
                    : plural((unsigned)import->passed_over, "money session", "money sessions"));
    }
    fputs(import->refused > 0 || import->left_out > 0 ? "; the refused ones are listed above\n"
                                                      : "\n",
          stderr);
}

int cmd_import(int argc, char **argv)
{
    struct arguments arguments = {.only = ONLY_ANY};
    struct import import = {0};
    struct bg_error err = {0};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    import.results = arguments.results;
    import.only = arguments.only;
    status = open_results(&import, &err);
    if (status != BG_OK) {
        refuse_match(&import, status, &err);
    }
    for (int i = 0; status == BG_OK && !import.stop && i < arguments.files.count; i++) {
        import_path(&import, arguments.files.word[i]);
    }
    if (import.files > 1 || import.passed_over > 0) {
        summarize(&import);
    }
    store_destroy(import.store);
    import_index_destroy(import.index);
    return import.exit_status;
}
