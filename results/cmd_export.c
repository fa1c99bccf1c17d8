/* cmd_export.c - bgref export: a results database as text. */
#include "cmd.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <record/canonical.h>

#include "output.h"
#include "published.h"

enum { KEY_CANONICAL = 256, KEY_RECORDS };

typedef enum bg_status (*export_fn)(FILE *out, struct store *store, struct bg_error *err);

struct arguments {
    const char *results, *output;
    export_fn write;
};

static error_t choose(struct arguments *arguments, export_fn write, struct argp_state *state)
{
    if (arguments->write != NULL) {
        argp_error(state, "choose one of --canonical and --records");
    }
    arguments->write = write;
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case KEY_CANONICAL:
        return choose(arguments, canonical_write, state);
    case KEY_RECORDS:
        return choose(arguments, published_write, state);
    case 'o':
        arguments->output = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->results != NULL) {
            argp_error(state, "'%s': one results database is enough", value);
        }
        arguments->results = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->results == NULL) {
            argp_error(state,
                       "the results are missing, like 'bgref export RESULTS.db --canonical'");
        }
        if (arguments->write == NULL) {
            argp_error(state, "what to export is missing: --canonical or --records");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"canonical", KEY_CANONICAL, NULL, 0,
     "Steps and results of all games and the unplayed fixtures, sorted, without times, evidence, "
     "host and program digests: the same event gives the same bytes, however it ran",
     0},
    {"records", KEY_RECORDS, NULL, 0, "The full records of all games, as they are stored", 0},
    {"output", 'o', "FILE", 0,
     "Write to FILE, which appears when it is complete (default: standard output)", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "RESULTS.db",
    "Writes the games of a results database as text, also while the event is running.\v"
    "Games are sorted by the names of the bots, pair, leg and game. Exit status: 0 done, 2 misuse, "
    "5 the database cannot be read or the output not written, 6 a record is damaged.",
    NULL,
    NULL,
    NULL};

static int run(const struct arguments *arguments, struct bg_error *err)
{
    enum bg_status status;
    struct store *store = NULL;
    struct output output = {0};

    status = store_sqlite_open_read(&store, arguments->results, err);
    if (status == BG_OK) {
        status = output_open(&output, arguments->output, err);
    }
    if (status == BG_OK) {
        status = arguments->write(output.file, store, err);
    }
    if (status == BG_OK) {
        status = output_close(&output, err);
    }
    output_discard(&output);
    store_destroy(store);
    return status == BG_E_MISMATCH ? EXIT_VERIFY : exit_status_of(status);
}

int cmd_export(int argc, char **argv)
{
    static char name[] = "bgref export";
    struct arguments arguments = {0};
    struct bg_error error = {0};
    int status;

    argv[0] = name;
    argp_err_exit_status = EXIT_MISUSE;
    if (argp_parse(&description, argc, argv, 0, NULL, &arguments) != 0) {
        return EXIT_MISUSE;
    }
    status = run(&arguments, &error);
    if (status != EXIT_DONE) {
        fprintf(stderr, "%s: %s\n", name, error.text);
    }
    return status;
}
