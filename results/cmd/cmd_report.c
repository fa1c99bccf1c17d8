/* cmd_report.c - bgref report: a results database as one page, text or JSON. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <numbers/bootstrap.h>
#include <report/report.h>

#include "output.h"

enum { KEY_TEXT = 256, KEY_JSON, KEY_HTML, KEY_JUDGE, KEY_BOOTSTRAP };

typedef enum bg_status (*form_fn)(FILE *out, const struct doc *doc, struct bg_error *err);

struct arguments {
    const char *results, *output, *judge;
    form_fn form;
    int bootstrap; /* draws; 0: not requested */
};

static error_t choose(struct arguments *arguments, form_fn form)
{
    if (arguments->form != NULL && arguments->form != form) {
        command_misuse("choose one of --html, --text and --json");
    }
    arguments->form = form;
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case KEY_TEXT:
        return choose(arguments, document_plain);
    case KEY_JSON:
        return choose(arguments, document_json);
    case KEY_HTML:
        return choose(arguments, document_html);
    case KEY_JUDGE:
        arguments->judge = value;
        return 0;
    case KEY_BOOTSTRAP:
        if (!bootstrap_read_draws(&arguments->bootstrap, value)) {
            command_misuse("--bootstrap '%s': needs a whole number of draws, %d to %d", value,
                           BOOTSTRAP_FEWEST, BOOTSTRAP_MOST);
        }
        return 0;
    case 'o':
        arguments->output = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->results != NULL) {
            command_misuse("'%s': one results database is enough", value);
        }
        arguments->results = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->results == NULL) {
            command_misuse("needs a results database");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"out", 'o', "FILE", 0,
     "Write to FILE, which appears only when complete; - is standard output (default: RESULTS with "
     "the ending .html; text and JSON go to standard output)",
     0},
    {"output", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"html", KEY_HTML, NULL, 0, "One page that needs no network and no scripts (the default)", 0},
    {"text", KEY_TEXT, NULL, 0, "Text of at most 80 columns", 0},
    {"json", KEY_JSON, NULL, 0, "The same numbers as JSON, at full precision", 0},
    {"judge", KEY_JUDGE, "NAME", 0,
     "Whose judgements to show: a name or its first words, like gnubg (default: the judge with the "
     "most games)",
     0},
    {"bootstrap", KEY_BOOTSTRAP, "N", 0,
     "Also intervals of ratings from N draws of the pairs (1000 is enough)", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "RESULTS.db",
    "Writes the report of an event: standings, crosstable, ratings with error bars, results "
    "without luck, error rates, blunders as drawn boards, clocks, faults. Also while the event is "
    "running.\vJudgements come from 'bgref judge'. Exit status: 0 done, 2 misuse, 5 the database "
    "cannot be read or the report not written.",
    NULL,
    NULL,
    NULL};

/* Returns RESULTS with .html instead of .db; the caller frees it. */
static char *page_path(const char *results)
{
    size_t size = strlen(results);
    char *path = malloc(size + sizeof ".html");

    if (path != NULL) {
        if (size > 3 && strcmp(results + size - 3, ".db") == 0) {
            size -= 3;
        }
        memcpy(path, results, size);
        strcpy(path + size, ".html");
    }
    return path;
}

static enum bg_status run(const struct arguments *arguments, struct bg_error *err)
{
    form_fn form = arguments->form == NULL ? document_html : arguments->form;
    bool beside = arguments->output == NULL && form == document_html;
    char *path = beside ? page_path(arguments->results) : NULL;
    struct output output = {0};
    struct doc *doc = NULL;
    enum bg_status status = BG_OK;

    if (beside && path == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "name of the report");
        goto done;
    }
    status = report_open(&doc, arguments->results, arguments->judge, arguments->bootstrap, err);
    if (status == BG_OK) {
        status = output_open(&output, beside ? path : arguments->output, err);
    }
    if (status == BG_OK) {
        status = form(output.file, doc, err);
    }
    if (status == BG_OK) {
        status = output_close(&output, err);
    }
    if (status == BG_OK && beside) {
        printf("%s\n", path);
    }
done:
    output_discard(&output);
    doc_destroy(doc);
    free(path);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bg_error err = {0};
    enum bg_status status;

    command_parse(&description, argc, argv, 0, &arguments);
    status = run(&arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
    }
    return exit_status_of_results(status);
}
