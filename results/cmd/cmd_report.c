/* cmd_report.c - bgref report: a results database as one page, text or JSON. The page stands
 * beside the database under a name that follows from it, because a browser needs a file; text
 * and JSON are for pipes. A sheet (--sheet) is looked at while an event runs, so it goes there in
 * every form: written beside the results it would take the name of the report. */
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
#include <report/sheet.h>

#include "base/closest.h"
#include "base/output.h"

enum { FORM_USUAL, FORM_HTML, FORM_TEXT, FORM_JSON, FORM_CSV, FORM_LATEX };

typedef enum bg_status (*form_fn)(FILE *out, const struct doc *doc, struct bg_error *err);

static const form_fn forms[] = {NULL,          document_html, document_plain,
                                document_json, document_csv,  document_latex};

struct arguments {
    const char *results, *output, *judge, *table;
    int form;
    int bootstrap; /* draws; 0: not requested */
    bool sheet;
    const struct sheet_part *part[SHEET_PARTS];
    int parts;
};

static void take_part(void *all, const char *name, const struct command_row *row)
{
    struct arguments *arguments = all;
    const char *near = NULL;
    const struct sheet_part *part = sheet_part_find(name, &near);

    if (part == NULL) {
        command_misuse("--section '%.40s': no such section%s; there are standing, draw, "
                       "crosstable, bracket, matches, ladder, entries, decisions",
                       name, closest_hint(near).text);
    }
    (void)row;
    for (int i = 0; i < arguments->parts; i++) {
        if (arguments->part[i] == part) {
            return;
        }
    }
    arguments->part[arguments->parts++] = part;
}

static const struct command_row options[] = {
    {"out", 'o', .value = "FILE",
     .help = "Write to FILE, which appears only when complete; - is standard output (default: "
             "RESULTS with "
             "the ending .html; text, JSON and sheets go to standard output)",
     COMMAND_TEXT(output)},
    {"output", .is_alias = true},
    {"html", .help = "One page that needs no network and no scripts (the default of a report)",
     COMMAND_CONSTANT(form), .least = FORM_HTML, .group = "form"},
    {"text", .help = "Text of at most 80 columns (the default of a sheet)", COMMAND_CONSTANT(form),
     .least = FORM_TEXT, .group = "form"},
    {"json", .help = "The same numbers as JSON, at full precision", COMMAND_CONSTANT(form),
     .least = FORM_JSON, .group = "form"},
    {"csv",
     .help = "The tables as CSV, at full precision; several are separated by an empty line, and "
             "each begins with its name",
     COMMAND_CONSTANT(form), .least = FORM_CSV, .group = "form"},
    {"latex", .help = "The tables as LaTeX, each as a float for a paper", COMMAND_CONSTANT(form),
     .least = FORM_LATEX, .group = "form"},
    {"table", 't', .value = "NAME",
     .help = "With --csv or --latex: only this table, by its name in the JSON: standings, certain, "
             "encounters, luck, errors, clocks, ...",
     COMMAND_TEXT(table)},
    {"sheet",
     .help = "Only what is published of an event's form: standing, draw sheet, crosstable, "
             "bracket, match list with dates, ladder, entry list, decisions of the desk",
     COMMAND_FLAG(sheet)},
    {"section", 's', .value = "NAME",
     .help = "With --sheet: only this section; can be repeated: standing, draw, crosstable, "
             "bracket, matches, ladder, entries, decisions",
     .take = take_part, .needs = "sheet"},
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

/* A sheet comes from the journal, which has neither. */
static void check_report(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->sheet && (arguments->judge != NULL || arguments->bootstrap != 0)) {
        command_misuse("--sheet has no judgements and no ratings: leave out --%s",
                       arguments->judge != NULL ? "judge" : "bootstrap");
    }
    if (arguments->table != NULL && arguments->form != FORM_CSV && arguments->form != FORM_LATEX) {
        command_misuse("--table needs --csv or --latex: the other forms have all tables");
    }
}

static const struct command command = {
    .usage = "RESULTS.db",
    .help =
        "Writes the report of an event: standings, crosstable, ratings with error bars, results "
        "without luck, error rates, blunders as drawn boards, clocks, faults. Also while the event "
        "is "
        "running.\vJudgements come from 'bgref judge'. All times are UTC. Exit status: 0 done, 2 "
        "misuse or a sheet of an event without a form, 5 the database cannot be read or the report "
        "not written, 6 the journal is damaged.",
    .options = options,
    .words = words,
    .check = check_report,
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
    int form = arguments->form != FORM_USUAL ? arguments->form
               : arguments->sheet            ? FORM_TEXT
                                             : FORM_HTML;
    bool beside = arguments->output == NULL && form == FORM_HTML && !arguments->sheet;
    char *path = beside ? page_path(arguments->results) : NULL;
    struct output output = {0};
    struct doc *doc = NULL;
    enum bg_status status = BG_OK;

    /* The document is complete before the output is opened: an event that cannot be read leaves
     * the old page as it is. */
    status =
        arguments->sheet
            ? sheet_open(&doc, arguments->results, arguments->parts == 0 ? NULL : arguments->part,
                         arguments->parts, err)
            : report_open(&doc, arguments->results, arguments->judge, arguments->bootstrap, err);
    if (status == BG_OK && arguments->table != NULL) {
        status = doc_only(doc, arguments->table, err);
    }
    if (status == BG_OK) {
        status = output_open(&output, beside ? path : arguments->output, err);
    }
    if (status == BG_OK) {
        status = forms[form](output.file, doc, err);
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
