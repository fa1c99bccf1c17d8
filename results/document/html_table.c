/* Every table has its caption, its heads and scopes: a screen reader reads from them what a cell
 * is. A wide one scrolls in its own frame, so that the page keeps the width of a telephone. */
#include "html_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "html_site.h"
#include "markup.h"
#include "width.h"

enum {
    WIDE_COLUMNS = 10, /* columns of a matrix whose cells have two lines, and of others */
    NARROW_COLUMNS = 16,
    CAPTION = 256,
    LONG_NAME = 24,
    PAGE_ROWS = 30 /* of two lines each, on a page of paper */
};

/* Opens the frame; screen readers read the caption aloud. The caption keeps its place while the
 * table scrolls below it. On paper only a table that is longer than a page is cut. */
static void open_table(FILE *out, const char *caption, const char *class, const char *name,
                       int rows)
{
    fprintf(out, "<div class=\"scroll%s\" role=\"region\" tabindex=\"0\" aria-label=\"",
            rows > PAGE_ROWS ? " long" : "");
    markup_text(out, caption);
    fprintf(out, "\">\n<table class=\"%s\" data-table=\"%s\">\n<caption><span>", class, name);
    markup_text(out, caption);
    fputs("</span></caption>\n", out);
}

static void close_table(FILE *out)
{
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void small(FILE *out, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        fputs("<small>", out);
        markup_text(out, text);
        fputs("</small>", out);
    }
}

/* A unit can break after its slash. */
static void unit(FILE *out, const char *text)
{
    size_t first = text == NULL ? 0 : strcspn(text, "/");

    if (first == 0 || text[first] == '\0') {
        small(out, text);
        return;
    }
    fprintf(out, "<small>%.*s/<wbr/>", (int)first, text);
    markup_text(out, text + first + 1);
    fputs("</small>", out);
}

/* Whether a column has texts that need several lines. */
static bool is_wide(const struct doc_view *view, int column)
{
    char shown[DOC_CELL];

    if (!doc_is_text(view->table, column) || column == view->table->head) {
        return false;
    }
    for (int row = 0; row < view->table->rows; row++) {
        if (width_columns(doc_shown(shown, view->table, row, column)) > LONG_NAME) {
            return true;
        }
    }
    return false;
}

static void heads(FILE *out, const struct doc_view *view)
{
    const struct doc_table *table = view->table;

    fputs("<thead>\n<tr>", out);
    for (int pick = 0; pick < view->picks; pick++) {
        int column = doc_pick_at(view, pick).main;
        const struct doc_column *head = &table->column[column];

        if (!doc_pick_shown(view, pick)) {
            continue;
        }
        fprintf(out, "<th scope=\"col\" data-key=\"%s\"%s>", head->key,
                doc_is_text(table, column) ? " class=\"text\"" : "");
        markup_text(out, head->title);
        unit(out, head->unit);
        small(out, doc_sub_head(view, pick));
        fputs("</th>", out);
    }
    fputs("</tr>\n</thead>\n", out);
}

/* Isolates foreign words: text written from right to left must not change the direction of the
 * rest. */
static void content(FILE *out, const struct doc_table *table, int row, int column)
{
    char text[DOC_CELL];
    const char *shown = doc_shown(text, table, row, column);
    bool code = table->column[column].code && strcmp(shown, "-") != 0;
    bool words = doc_at(table, row, column)->kind == DOC_TEXT;
    const char *tag = code ? "code" : "bdi";

    if (!words) {
        markup_text(out, shown);
        return;
    }
    fprintf(out, "<%s>", tag);
    html_site_text(out, table, row, column, shown);
    fprintf(out, "</%s>", tag);
}

/* Names that need several lines are printed smaller. */
static const char *long_name(const char *name)
{
    return width_columns(name) > LONG_NAME && strchr(name, ' ') == NULL ? " long" : "";
}

static void cell(FILE *out, const struct doc_view *view, int row, int pick, bool wide)
{
    const struct doc_table *table = view->table;
    int column = doc_pick_at(view, pick).main;
    bool head = column == table->head;
    char sub[2 * DOC_CELL], shown[DOC_CELL];

    fputs(head ? "<th scope=\"row\"" : "<td", out);
    if (doc_is_text(table, column) || doc_at(table, row, column)->strong) {
        fprintf(out, " class=\"%s%s%s%s%s\"", doc_is_text(table, column) ? "text" : "number",
                wide ? " words" : "", doc_at(table, row, column)->kind == DOC_NONE ? " none" : "",
                head ? long_name(doc_shown(shown, table, row, column)) : "",
                doc_at(table, row, column)->strong ? " strong" : "");
    }
    fputc('>', out);
    content(out, table, row, column);
    small(out, doc_sub(sub, view, row, pick));
    fputs(head ? "</th>" : "</td>", out);
}

void html_facts(FILE *out, const struct doc_table *table, enum doc_fact place)
{
    enum { KEY, TITLE, VALUE };
    char text[DOC_CELL];

    fprintf(out, "<dl class=\"%s\">\n", place == DOC_FACT_TOP ? "top" : "facts");
    for (int row = 0; row < table->rows; row++) {
        bool code = doc_at(table, row, VALUE)->strong;

        if (!doc_fact_is(table, row, place)) {
            continue;
        }
        fprintf(out, "<div data-key=\"%s\"><dt>", doc_at(table, row, KEY)->text);
        markup_text(out, doc_shown(text, table, row, TITLE));
        fprintf(out, "</dt><dd>%s", code ? "<code>" : "");
        markup_text(out, doc_shown(text, table, row, VALUE));
        fprintf(out, "%s</dd></div>\n", code ? "</code>" : "");
    }
    fputs("</dl>\n", out);
}

/* Prints the names of rows without content, on one line. */
static void folded(FILE *out, const struct doc_view *view)
{
    char text[DOC_CELL];
    bool any = false;

    for (int row = 0; row < view->table->rows; row++) {
        if (doc_row_is_folded(view, row)) {
            fputs(any ? "; " : "<p class=\"note\">Nothing to show: ", out);
            fputs("<bdi>", out);
            markup_text(out, doc_shown(text, view->table, row, view->table->head));
            fputs("</bdi>", out);
            any = true;
        }
    }
    fputs(any ? ".</p>\n" : "", out);
}

/* Opens a row, with what a script needs to know about it. */
static void open_row(FILE *out, const struct doc_table *table, int row)
{
    fputs("<tr", out);
    for (int column = 0; column < table->columns; column++) {
        char text[DOC_CELL];

        if (table->column[column].use == DOC_ROW && doc_at(table, row, column)->kind != DOC_NONE) {
            fprintf(out, " data-%s=\"", table->column[column].key);
            markup_text(out, doc_shown(text, table, row, column));
            fputc('"', out);
        }
    }
    fputc('>', out);
}

void html_view(FILE *out, const struct doc_view *view)
{
    const struct doc_table *table = view->table;
    enum { HIDDEN, PLAIN, WIDE } *look = memory_zeroed((size_t)view->picks, sizeof *look);
    int shown = 0;

    for (int pick = 0; pick < view->picks; pick++) { /* each looks at every row: once is enough */
        look[pick] = !doc_pick_shown(view, pick)                   ? HIDDEN
                     : is_wide(view, doc_pick_at(view, pick).main) ? WIDE
                                                                   : PLAIN;
    }

    for (int row = 0; row < table->rows; row++) {
        shown += !doc_row_is_folded(view, row);
    }
    if (shown > 0) {
        open_table(out, view->caption, "rows", table->name, shown);
        heads(out, view);
        fputs("<tbody>\n", out);
        for (int row = 0; row < table->rows; row++) {
            if (doc_row_is_folded(view, row)) {
                continue;
            }
            open_row(out, table, row);
            for (int pick = 0; pick < view->picks; pick++) {
                if (look[pick] != HIDDEN) {
                    cell(out, view, row, pick, look[pick] == WIDE);
                }
            }
            fputs("</tr>\n", out);
        }
        close_table(out);
    }
    folded(out, view);
    free(look);
}

void html_table(FILE *out, const struct doc_table *table)
{
    const struct doc_view view = {
        .caption = table->caption, .table = table, .picks = table->columns};

    if (table->data || table->rows == 0) {
        return;
    }
    if (table->facts) {
        html_facts(out, table, DOC_FACT_BELOW);
    } else {
        html_view(out, &view);
    }
}

static int tone_of(const struct doc_matrix *matrix, int at)
{
    const struct doc_cell *tone = matrix->tone < 0 ? NULL : doc_at(matrix->table, at, matrix->tone);

    return tone == NULL || tone->kind != DOC_NUMBER || isnan(tone->number) ? -1
                                                                           : 2 + (int)tone->number;
}

static void matrix_cell(FILE *out, const struct doc_matrix *matrix, int row, int column)
{
    int at, tone;
    char text[DOC_CELL];

    if (row == column) {
        fputs("<td class=\"self\"></td>", out);
        return;
    }
    at = doc_matrix_row(matrix, row, column);
    tone = tone_of(matrix, at);
    if (tone >= 0) {
        /* Sign and colour both: not everybody can tell red from green, and paper may be grey. */
        fprintf(out, "<td class=\"tone t%d\"><span aria-hidden=\"true\">%s</span> ", tone,
                doc_tone_sign[tone]);
    } else {
        fputs(doc_at(matrix->table, at, matrix->main)->strong ? "<td class=\"strong\">" : "<td>",
              out);
    }
    html_site_text(out, matrix->table, at, matrix->main,
                   doc_shown(text, matrix->table, at, matrix->main));
    if (matrix->sub >= 0 && doc_at(matrix->table, at, matrix->sub)->kind != DOC_NONE) {
        small(out, doc_shown(text, matrix->table, at, matrix->sub));
    }
    fputs("</td>", out);
}

/* Prints the columns first..last-1 as a separate table. */
static void matrix_block(FILE *out, const struct doc_matrix *matrix, const char *caption, int first,
                         int last)
{
    open_table(out, caption, "matrix", matrix->table->name, matrix->count);
    fputs("<thead>\n<tr><th scope=\"col\" class=\"text\">", out);
    markup_text(out, matrix->title);
    fputs("</th>", out);
    for (int column = first; column < last; column++) {
        fprintf(out, "<th scope=\"col\"><abbr title=\"");
        markup_text(out, matrix->name[column]);
        fprintf(out, "\">%d</abbr></th>", column + 1);
    }
    fputs("</tr>\n</thead>\n<tbody>\n", out);
    for (int row = 0; row < matrix->count; row++) {
        fprintf(out, "<tr><th scope=\"row\" class=\"text%s\">%d <bdi>",
                long_name(matrix->name[row]), row + 1);
        markup_text(out, matrix->name[row]);
        fputs("</bdi></th>", out);
        for (int column = first; column < last; column++) {
            matrix_cell(out, matrix, row, column);
        }
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void legend(FILE *out, const struct doc_matrix *matrix)
{
    if (matrix->tone < 0) {
        return;
    }
    fputs("<ul class=\"legend\" aria-label=\"The row is\">\n", out);
    for (int tone = 4; tone >= 0; tone--) {
        fprintf(out, "<li class=\"tone t%d\">%s %s</li>\n", tone, doc_tone_sign[tone],
                doc_tone_says[tone]);
    }
    fputs("</ul>\n", out);
}

/* All cells as signs on coloured squares, which many bots have room for; the numbers are what the
 * mouse is told, and the tables below. */
static void map(FILE *out, const struct doc_matrix *matrix)
{
    char text[DOC_CELL];

    open_table(out, "Who is ahead: the row against the column", "matrix map", matrix->table->name,
               0);
    fputs("<thead>\n<tr><th scope=\"col\" class=\"text\">", out);
    markup_text(out, matrix->title);
    fputs("</th>", out);
    for (int column = 0; column < matrix->count; column++) {
        fprintf(out, "<th scope=\"col\">%d</th>", column + 1);
    }
    fputs("</tr>\n</thead>\n<tbody>\n", out);
    for (int row = 0; row < matrix->count; row++) {
        fprintf(out, "<tr><th scope=\"row\" class=\"text\">%d <bdi>", row + 1);
        markup_text(out, matrix->name[row]);
        fputs("</bdi></th>", out);
        for (int column = 0; column < matrix->count; column++) {
            int at = row == column ? -1 : doc_matrix_row(matrix, row, column);
            int tone = at < 0 ? -1 : tone_of(matrix, at);

            if (tone < 0) {
                fputs(at < 0 ? "<td class=\"self\"></td>" : "<td></td>", out);
                continue;
            }
            fprintf(out, "<td class=\"tone t%d\" title=\"", tone);
            markup_text(out, matrix->name[row]);
            fputs(" : ", out);
            markup_text(out, matrix->name[column]);
            fputs(" ", out);
            markup_text(out, doc_shown(text, matrix->table, at, matrix->main));
            fprintf(out, "\">%s</td>", doc_tone_sign[tone]);
        }
        fputs("</tr>\n", out);
    }
    close_table(out);
}

/* Prints as many columns side by side as fit on paper, evenly divided. */
static void blocks(FILE *out, const struct doc_matrix *matrix)
{
    int most = matrix->sub >= 0 ? WIDE_COLUMNS : NARROW_COLUMNS;
    int blocks = (matrix->count + most - 1) / most;
    /* Divided evenly, so that the last block is not a single column. */
    int each = blocks == 0 ? 0 : (matrix->count + blocks - 1) / blocks;

    for (int first = 0; first < matrix->count; first += each) {
        int last = first + each < matrix->count ? first + each : matrix->count;

        if (blocks == 1) {
            matrix_block(out, matrix, matrix->caption, first, last);
        } else {
            char caption[CAPTION];

            snprintf(caption, sizeof caption, "%s (columns %d to %d)", matrix->caption, first + 1,
                     last);
            matrix_block(out, matrix, caption, first, last);
        }
    }
}

/* A matrix of many bots is a page of its own, folded below its picture. */
void html_matrix(FILE *out, const struct doc_matrix *matrix)
{
    bool is_large = matrix->count > NARROW_COLUMNS;

    if (matrix->count < 2) {
        return;
    }
    legend(out, matrix);
    if (is_large && matrix->tone >= 0) {
        map(out, matrix);
    }
    if (is_large) {
        fputs("<details class=\"blocks\">\n<summary>", out);
        markup_text(out, matrix->caption);
        fputs(": all numbers</summary>\n", out);
    }
    blocks(out, matrix);
    fputs(is_large ? "</details>\n" : "", out);
}
