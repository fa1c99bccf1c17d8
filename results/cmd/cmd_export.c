/* cmd_export.c - bgref export: a results database as text. The whole database goes through one
 * output that appears only when complete; formats of single matches make their own files, since
 * one match that cannot be expressed must not spoil the others. */
#include "base/memory.h"
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <format/export.h>
#include <proof/canonical.h>
#include <rules/clean.h>

#include "base/docs.h"
#include "base/output.h"
#include "proof/published.h"
#include "base/plural.h"

struct arguments {
    const char *results, *output;
    const struct format *format; /* NULL: the whole database */
    struct command_words games;
    bool canonical, records, set_aside;
};

/* Writes "mat, sgf, csv". */
static void list_formats(char *out, size_t room)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; format_at(i) != NULL && used < room; i++) {
        used += (size_t)snprintf(out + used, room - used, "%s%s", i == 0 ? "" : ", ",
                                 format_at(i)->name);
    }
}

static void take_format(void *arguments, const char *name, const struct command_row *row)
{
    const struct format *format = format_find(name);
    char list[80];

    if (format == NULL) {
        list_formats(list, sizeof list);
        command_misuse("--format %s: unknown format; expected one of %s", name, list);
    }
    (void)row;
    ((struct arguments *)arguments)->format = format;
}

static void check_export(void *all)
{
    const struct arguments *arguments = all;
    bool whole = arguments->canonical || arguments->records;
    char list[80];

    if (!whole && arguments->format == NULL) {
        list_formats(list, sizeof list);
        command_misuse("what to export is missing: --format %s; or --canonical, --records", list);
    }
    if (whole && arguments->games.count > 0) {
        command_misuse("'%s': single games need --format", arguments->games.word[0]);
    }
    if (arguments->set_aside && (arguments->format == NULL || arguments->format->by_match)) {
        command_misuse("--set-aside needs --format csv, json, jsonl or xgid; --records always has "
                       "those games, marked");
    }
}

static const struct command_row options[] = {
    {"format", 'f', .value = "FORMAT", .help = "mat, sgf, csv, json, jsonl or xgid, see below",
     .take = take_format, .group = "what"},
    {"canonical",
     .help = "Steps and results of all games and the unplayed fixtures, sorted, without times, "
             "evidence, "
             "host and program digests: the same event always gives the same bytes",
     COMMAND_FLAG(canonical), .group = "what"},
    {"records",
     .help = "The full records of all games, as stored; games that were set aside come at the end, "
             "marked",
     COMMAND_FLAG(records), .group = "what"},
    {"set-aside", .help = "Only the games that were set aside when their pair was restarted",
     COMMAND_FLAG(set_aside)},
    {"output", 'o', .value = "FILE|FOLDER",
     .help =
         "Write to FILE, which appears only when complete, or files into FOLDER (default: standard "
         "output)",
     COMMAND_TEXT(output)},
    {"out", .is_alias = true, .is_hidden = true},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true},
    {"game", COMMAND_LIST(games)},
    {0}};

static const struct command command = {
    .usage = "RESULTS.db [GAME...]",
    .help =
        "Writes the games of a results database as text, also while the event is running. GAME is "
        "an "
        "id, 'A|B|pair|leg|game' (quote it), or its beginning: 'A|B|0|1' is a match.\vFormats "
        "(docs/formats.md):\n  mat    a match in two columns, as GNU Backgammon and most others "
        "import "
        "it\n  sgf    a match as GNU Backgammon saves it; can express more than mat\n  csv    one "
        "line "
        "per game\n  json   one document with all games and their steps\n  jsonl  the same games, "
        "one "
        "object per line\n  xgid   every decision with its XGID, dice and choice, separated by "
        "tabs\nmat and sgf give a file for each match, and one for all money games of two bots: "
        "name a "
        "folder, or one match and a FILE.mat.\n\nGames are sorted by the names of the bots, pair, "
        "leg "
        "and game. Exit status: 0 done, 1 a game that the format cannot express was left out (each "
        "is "
        "listed), 2 misuse, 5 the database cannot be read or the output not written, 6 a record is "
        "damaged.",
    .options = options,
    .words = words,
    .missing = "the results are missing, like 'bgref export RESULTS.db --format mat'",
    .check = check_export,
};

/* The message quotes names from a file, so it is cleaned before a terminal sees it. */
static void say_refused(const char *message)
{
    fputs("bgref export: left out: ", stderr);
    clean_print(stderr, message, CLEAN_LINE);
    fputc('\n', stderr);
}

/* Prints the counts only if files were named, not when writing to a pipe. */
static int write_format(const struct arguments *arguments, struct store *store,
                        struct bg_error *err)
{
    struct export_request request = {.format = arguments->format,
                                     .output = arguments->output,
                                     .wanted = arguments->games.word,
                                     .wanteds = arguments->games.count,
                                     .set_aside = arguments->set_aside,
                                     .refused = say_refused};
    struct export_count count;
    enum bg_status status = export_write(&count, store, &request, err);

    if (status != BG_OK) {
        return exit_status_of_results(status);
    }
    if (arguments->format->by_match && arguments->output != NULL) {
        fprintf(stderr, "bgref export: %d game%s in %d file%s\n", count.games,
                plural_s((uint64_t)count.games), count.files, plural_s((uint64_t)count.files));
    }
    return count.refused > 0 ? EXIT_CHECK : EXIT_DONE;
}

static int write_whole(const struct arguments *arguments, struct store *store, struct bg_error *err)
{
    struct output output = {0};
    enum bg_status status = output_open(&output, arguments->output, err);

    if (status == BG_OK) {
        status =
            (arguments->canonical ? canonical_write : published_write)(output.file, store, err);
    }
    if (status == BG_OK) {
        status = output_close(&output, err);
    }
    output_discard(&output);
    return exit_status_of_results(status);
}

static int write_export(const struct arguments *arguments, struct bg_error *err)
{
    struct store *store = NULL;
    int status = exit_status_of(store_sqlite_open_read(&store, arguments->results, err));

    if (status == EXIT_DONE) {
        status = arguments->format != NULL ? write_format(arguments, store, err)
                                           : write_whole(arguments, store, err);
    }
    store_destroy(store);
    return status;
}

int cmd_export(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bg_error error = {0};
    int status;

    command_read(&command, argc, argv, &arguments);
    status = write_export(&arguments, &error);
    if (error.text[0] != '\0') {
        command_say(error.text);
    }
    return status;
}
