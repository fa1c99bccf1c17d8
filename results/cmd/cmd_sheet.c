/* cmd_sheet.c - bgref sheet: what is published of an event's form. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <stdio.h>
#include <string.h>

#include "output.h"
#include "sheet/sheet.h"

enum { KEY_TEXT = 256, KEY_JSON, KEY_HTML, KEY_CSV };

typedef enum bg_status (*form_fn)(FILE *out, const struct doc *doc, struct bg_error *err);

struct arguments {
    const char *results, *output;
    form_fn form;
    const struct sheet_part *part[SHEET_PARTS];
    int parts;
};

static error_t choose(struct arguments *arguments, form_fn form)
{
    if (arguments->form != NULL && arguments->form != form) {
        command_misuse("choose one of --text, --html, --json and --csv");
    }
    arguments->form = form;
    return 0;
}

static void choose_part(struct arguments *arguments, const char *name)
{
    const char *near = NULL;
    const struct sheet_part *part = sheet_part_find(name, &near);

    if (part == NULL) {
        command_misuse("--section '%.40s': no such section%s%s%s; there are standing, draw, "
                       "crosstable, bracket, matches, ladder, entries, decisions",
                       name, near == NULL ? "" : " (perhaps ", near == NULL ? "" : near,
                       near == NULL ? "" : "?)");
    }
    for (int i = 0; i < arguments->parts; i++) {
        if (arguments->part[i] == part) {
            return;
        }
    }
    arguments->part[arguments->parts++] = part;
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
    case KEY_CSV:
        return choose(arguments, document_csv);
    case 's':
        choose_part(arguments, value);
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
    {"section", 's', "NAME", 0,
     "Only this section; can be repeated: standing, draw, crosstable, bracket, matches, ladder, "
     "entries, decisions",
     0},
    {"text", KEY_TEXT, NULL, 0, "Text of at most 80 columns (the default)", 0},
    {"html", KEY_HTML, NULL, 0, "One page that needs no network and no scripts", 0},
    {"json", KEY_JSON, NULL, 0, "The same as JSON", 0},
    {"csv", KEY_CSV, NULL, 0,
     "The tables as CSV, with one section for one table; several are separated by an empty line, "
     "and each begins with its name",
     0},
    {"out", 'o', "FILE", 0,
     "Write to FILE, which appears only when complete (default: standard output)", 0},
    {"output", 0, NULL, OPTION_ALIAS, NULL, 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "RESULTS.db",
    "Prints what is published of an event with a form: standing, draw sheet, crosstable, bracket, "
    "match list with dates, ladder, entry list, decisions of the desk. Also while the event is "
    "running.\vAll times are UTC. 'bgref report' has the same sections beside ratings and games. "
    "Exit status: 0 done, 2 misuse or an event without a form, 5 the database cannot be read or "
    "the sheet not written, 6 the journal is damaged.",
    NULL,
    NULL,
    NULL};

static enum bg_status run(const struct arguments *arguments, struct bg_error *err)
{
    form_fn form = arguments->form == NULL ? document_plain : arguments->form;
    struct output output = {0};
    struct doc *doc = NULL;
    enum bg_status status =
        sheet_open(&doc, arguments->results, arguments->parts == 0 ? NULL : arguments->part,
                   arguments->parts, err);

    if (status == BG_OK) {
        status = output_open(&output, arguments->output, err);
    }
    if (status == BG_OK) {
        status = form(output.file, doc, err);
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

    command_parse(&description, argc, argv, 0, &arguments);
    status = run(&arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
    }
    return exit_status_of_results(status);
}
