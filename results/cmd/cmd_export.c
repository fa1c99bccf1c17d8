/* cmd_export.c - bgref export: a results database as text. */
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

#include "words/docs.h"
#include "output.h"
#include "proof/published.h"
#include "words/plural.h"

enum { KEY_CANONICAL = 256, KEY_RECORDS, KEY_ASIDE };

typedef enum bg_status (*export_fn)(FILE *out, struct store *store, struct bg_error *err);

struct arguments {
    const char *results, *output;
    export_fn write; /* writes the whole database; NULL: use format */
    const struct format *format;
    char **games; /* requested games; points into argv */
    int games_count;
    bool set_aside;
};

static error_t choose(struct arguments *arguments, export_fn write, const struct format *format)
{
    if (arguments->write != NULL || arguments->format != NULL) {
        command_misuse("choose one of --format, --canonical and --records");
    }
    arguments->write = write;
    arguments->format = format;
    return 0;
}

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

static error_t choose_format(struct arguments *arguments, const char *name)
{
    const struct format *format = format_find(name);
    char list[80];

    if (format == NULL) {
        list_formats(list, sizeof list);
        command_misuse("--format %s: unknown format; expected one of %s", name, list);
        return EINVAL;
    }
    return choose(arguments, NULL, format);
}

static error_t take_word(struct arguments *arguments, char *word, struct argp_state *state)
{
    if (arguments->results == NULL) {
        arguments->results = word;
        return 0;
    }
    if (arguments->games == NULL) {
        arguments->games = memory_zeroed((size_t)state->argc, sizeof arguments->games[0]);
    }
    arguments->games[arguments->games_count++] = word;
    return 0;
}

static void check_words(const struct arguments *arguments)
{
    char list[80];

    if (arguments->results == NULL) {
        command_misuse("the results are missing, like 'bgref export RESULTS.db --format mat'");
    }
    if (arguments->write == NULL && arguments->format == NULL) {
        list_formats(list, sizeof list);
        command_misuse("what to export is missing: --format %s; or --canonical, --records", list);
    }
    if (arguments->write != NULL && arguments->games_count > 0) {
        command_misuse("'%s': single games need --format", arguments->games[0]);
    }
    if (arguments->set_aside && (arguments->format == NULL || arguments->format->by_match)) {
        command_misuse("--set-aside needs --format csv, json, jsonl or xgid; --records always has "
                       "those games, marked");
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case KEY_CANONICAL:
        return choose(arguments, canonical_write, NULL);
    case KEY_RECORDS:
        return choose(arguments, published_write, NULL);
    case KEY_ASIDE:
        arguments->set_aside = true;
        return 0;
    case 'o':
        arguments->output = value;
        return 0;
    case 'f':
        return choose_format(arguments, value);
    case ARGP_KEY_ARG:
        return take_word(arguments, value, state);
    case ARGP_KEY_END:
        check_words(arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "mat, sgf, csv, json, jsonl or xgid, see below", 0},
    {"canonical", KEY_CANONICAL, NULL, 0,
     "Steps and results of all games and the unplayed fixtures, sorted, without times, evidence, "
     "host and program digests: the same event always gives the same bytes",
     0},
    {"records", KEY_RECORDS, NULL, 0,
     "The full records of all games, as stored; games that were set aside come at the end, marked",
     0},
    {"set-aside", KEY_ASIDE, NULL, 0,
     "Only the games that were set aside when their pair was restarted", 0},
    {"output", 'o', "FILE|FOLDER", 0,
     "Write to FILE, which appears only when complete, or files into FOLDER (default: standard "
     "output)",
     0},
    {"out", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "RESULTS.db [GAME...]",
    "Writes the games of a results database as text, also while the event is running. GAME is an "
    "id, 'A|B|pair|leg|game' (quote it), or its beginning: 'A|B|0|1' is a match.\vFormats "
    "(docs/formats.md):\n  mat    a match in two columns, as GNU Backgammon and most others import "
    "it\n  sgf    a match as GNU Backgammon saves it; can express more than mat\n  csv    one line "
    "per game\n  json   one document with all games and their steps\n  jsonl  the same games, one "
    "object per line\n  xgid   every decision with its XGID, dice and choice, separated by "
    "tabs\nmat and sgf give a file for each match, and one for all money games of two bots: name a "
    "folder, or one match and a FILE.mat.\n\nGames are sorted by the names of the bots, pair, leg "
    "and game. Exit status: 0 done, 1 a game that the format cannot express was left out (each is "
    "listed), 2 misuse, 5 the database cannot be read or the output not written, 6 a record is "
    "damaged.",
    NULL,
    docs_in_help,
    NULL};

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
                                     .wanted = arguments->games,
                                     .wanteds = arguments->games_count,
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
        status = arguments->write(output.file, store, err);
    }
    if (status == BG_OK) {
        status = output_close(&output, err);
    }
    output_discard(&output);
    return exit_status_of_results(status);
}

static int run(const struct arguments *arguments, struct bg_error *err)
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

    command_parse(&description, argc, argv, 0, &arguments);
    status = run(&arguments, &error);
    if (error.text[0] != '\0') {
        command_say(error.text);
    }
    free(arguments.games);
    return status;
}
