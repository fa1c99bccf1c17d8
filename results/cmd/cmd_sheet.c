/* cmd_sheet.c - bgref sheet: what is published of an event's form. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "report/sheet.h"

enum { FORM_TEXT, FORM_HTML, FORM_JSON, FORM_CSV };

typedef enum bg_status (*form_fn)(FILE *out, const struct doc *doc, struct bg_error *err);

static const form_fn forms[] = {document_plain, document_html, document_json, document_csv};

struct arguments {
    const char *results, *output;
    int form;
    const struct sheet_part *part[SHEET_PARTS];
    int parts;
};

static void take_part(void *all, const char *name, const struct command_row *row)
{
    struct arguments *arguments = all;
    const char *near = NULL;
    const struct sheet_part *part = sheet_part_find(name, &near);

    if (part == NULL) {
        command_misuse("--section '%.40s': no such section%s%s%s; there are standing, draw, "
                       "crosstable, bracket, matches, ladder, entries, decisions",
                       name, near == NULL ? "" : " (perhaps ", near == NULL ? "" : near,
                       near == NULL ? "" : "?)");
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
    {"section", 's', .value = "NAME",
     .help = "Only this section; can be repeated: standing, draw, crosstable, bracket, matches, "
             "ladder, "
             "entries, decisions",
     .take = take_part},
    {"text", .help = "Text of at most 80 columns (the default)", COMMAND_CONSTANT(form),
     .least = FORM_TEXT, .group = "form"},
    {"html", .help = "One page that needs no network and no scripts", COMMAND_CONSTANT(form),
     .least = FORM_HTML, .group = "form"},
    {"json", .help = "The same as JSON", COMMAND_CONSTANT(form), .least = FORM_JSON,
     .group = "form"},
    {"csv",
     .help = "The tables as CSV, with one section for one table; several are separated by an empty "
             "line, "
             "and each begins with its name",
     COMMAND_CONSTANT(form), .least = FORM_CSV, .group = "form"},
    {"out", 'o', .value = "FILE",
     .help = "Write to FILE, which appears only when complete (default: standard output)",
     COMMAND_TEXT(output)},
    {"output", .is_alias = true},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "RESULTS.db",
    .help =
        "Prints what is published of an event with a form: standing, draw sheet, crosstable, "
        "bracket, "
        "match list with dates, ladder, entry list, decisions of the desk. Also while the event is "
        "running.\vAll times are UTC. 'bgref report' has the same sections beside ratings and "
        "games. "
        "Exit status: 0 done, 2 misuse or an event without a form, 5 the database cannot be read "
        "or "
        "the sheet not written, 6 the journal is damaged.",
    .options = options,
    .words = words,
    .missing = "needs a results database",
};

static enum bg_status write_sheet(const struct arguments *arguments, struct bg_error *err)
{
    struct output output = {0};
    struct doc *doc = NULL;
    enum bg_status status =
        sheet_open(&doc, arguments->results, arguments->parts == 0 ? NULL : arguments->part,
                   arguments->parts, err);

    if (status == BG_OK) {
        status = output_open(&output, arguments->output, err);
    }
    if (status == BG_OK) {
        status = forms[arguments->form](output.file, doc, err);
    }
    if (status == BG_OK) {
        status = output_close(&output, err);
    }
    output_discard(&output);
    doc_destroy(doc);
    return status;
}

int cmd_sheet(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bg_error err = {0};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = write_sheet(&arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
    }
    return exit_status_of_results(status);
}
