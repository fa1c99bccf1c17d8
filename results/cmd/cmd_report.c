/* cmd_report.c - bgref report: a results database as one page, text or JSON. The page stands
 * beside the database under a name that follows from it, because a browser needs a file; text
 * and JSON are for pipes. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <sums/bootstrap.h>
#include <report/report.h>

#include "base/output.h"

enum { FORM_HTML, FORM_TEXT, FORM_JSON };

typedef enum bg_status (*form_fn)(FILE *out, const struct doc *doc, struct bg_error *err);

static const form_fn forms[] = {document_html, document_plain, document_json};

struct arguments {
    const char *results, *output, *judge;
    int form;
    int bootstrap; /* draws; 0: not requested */
};

static const struct command_row options[] = {
    {"out", 'o', .value = "FILE",
     .help = "Write to FILE, which appears only when complete; - is standard output (default: "
             "RESULTS with "
             "the ending .html; text and JSON go to standard output)",
     COMMAND_TEXT(output)},
    {"output", .is_alias = true},
    {"html", .help = "One page that needs no network and no scripts (the default)",
     COMMAND_CONSTANT(form), .least = FORM_HTML, .group = "form"},
    {"text", .help = "Text of at most 80 columns", COMMAND_CONSTANT(form), .least = FORM_TEXT,
     .group = "form"},
    {"json", .help = "The same numbers as JSON, at full precision", COMMAND_CONSTANT(form),
     .least = FORM_JSON, .group = "form"},
    {"judge", .value = "NAME",
     .help = "Whose judgements to show: a name or its first words, like gnubg (default: the judge "
             "with the "
             "most games)",
     COMMAND_TEXT(judge)},
    {"bootstrap", .value = "N",
     .help = "Also intervals of ratings from N draws of the pairs (1000 is enough)",
     COMMAND_INT(bootstrap), .least = BOOTSTRAP_FEWEST, .most = BOOTSTRAP_MOST},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "RESULTS.db",
    .help =
        "Writes the report of an event: standings, crosstable, ratings with error bars, results "
        "without luck, error rates, blunders as drawn boards, clocks, faults. Also while the event "
        "is "
        "running.\vJudgements come from 'bgref judge'. Exit status: 0 done, 2 misuse, 5 the "
        "database "
        "cannot be read or the report not written.",
    .options = options,
    .words = words,
    .missing = "needs a results database",
};

/* Returns RESULTS with .html instead of .db; the caller frees it. */
static char *page_path(const char *results)
{
    size_t size = strlen(results);

    size -= size > 3 && strcmp(results + size - 3, ".db") == 0 ? 3 : 0;
    return memory_print("%.*s.html", (int)size, results);
}

static enum bg_status write_report(const struct arguments *arguments, struct bg_error *err)
{
    bool beside = arguments->output == NULL && arguments->form == FORM_HTML;
    char *path = beside ? page_path(arguments->results) : NULL;
    struct output output = {0};
    struct doc *doc = NULL;
    enum bg_status status = BG_OK;

    /* The document is complete before the output is opened: an event that cannot be read leaves
     * the old page as it is. */
    status = report_open(&doc, arguments->results, arguments->judge, arguments->bootstrap, err);
    if (status == BG_OK) {
        status = output_open(&output, beside ? path : arguments->output, err);
    }
    if (status == BG_OK) {
        status = forms[arguments->form](output.file, doc, err);
    }
    if (status == BG_OK) {
        status = output_close(&output, err);
    }
    if (status == BG_OK && beside) {
        printf("%s\n", path);
    }
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

    command_read(&command, argc, argv, &arguments);
    status = write_report(&arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
    }
    return exit_status_of_results(status);
}
