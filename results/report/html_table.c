#include "html_table.h"

#include <string.h>

#include "markup.h"

enum {
    WIDE_COLUMNS = 10, /* of a matrix whose cells have two lines, and of others */
    NARROW_COLUMNS = 16,
    CAPTION = 256
};

/* Opens the frame; what is read aloud of it is the caption. */
static void open_table(FILE *out, const char *caption, const char *class)
{
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
    markup_text(out, caption);
    fprintf(out, "\">\n<table class=\"%s\">\n<caption>", class);
    markup_text(out, caption);
    fputs("</caption>\n", out);
}

static void close_table(FILE *out)
{
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void heads(FILE *out, const struct doc_table *table)
{
    fputs("<thead>\n<tr>", out);
    for (int column = 0; column < table->columns; column++) {
        const struct doc_column *head = &table->column[column];

        if (!doc_is_shown(table, column)) {
            continue;
        }
        fprintf(out, "<th scope=\"col\"%s>", doc_is_text(table, column) ? " class=\"text\"" : "");
        markup_text(out, head->title);
        if (head->unit != NULL) {
            fputs("<small>", out);
            markup_text(out, head->unit);
            fputs("</small>", out);
        }
        fputs("</th>", out);
    }
    fputs("</tr>\n</thead>\n", out);
}

static void content(FILE *out, const struct doc_table *table, int row, int column)
{
    char text[DOC_CELL];
    const char *shown = doc_shown(text, table, row, column);
    bool code = table->column[column].code && strcmp(shown, "-") != 0;

    fputs(code ? "<code>" : "", out);
    markup_text(out, shown);
    fputs(code ? "</code>" : "", out);
}

static void cell(FILE *out, const struct doc_table *table, int row, int column)
{
    bool head = column == table->head, text = doc_is_text(table, column),
         strong = doc_at(table, row, column)->strong;

    fputs(head ? "<th scope=\"row\"" : "<td", out);
    if (text || strong) {
        fprintf(out, " class=\"%s%s%s\"", text ? "text" : "", text && strong ? " " : "",
                strong ? "strong" : "");
    }
    fputc('>', out);
    content(out, table, row, column);
    fputs(head ? "</th>" : "</td>", out);
}

static void facts(FILE *out, const struct doc_table *table)
{
    enum { TITLE = 1, VALUE };
    char text[DOC_CELL];

    fputs("<dl class=\"facts\">\n", out);
    for (int row = 0; row < table->rows; row++) {
        if (doc_at(table, row, VALUE)->kind == DOC_FLAG) {
            continue;
        }
        fputs("<div><dt>", out);
        markup_text(out, doc_shown(text, table, row, TITLE));
        fputs("</dt><dd>", out);
        markup_text(out, doc_shown(text, table, row, VALUE));
        fputs("</dd></div>\n", out);
    }
    fputs("</dl>\n", out);
}

void html_table(FILE *out, const struct doc_table *table)
{
    if (table->data || table->rows == 0) {
        return;
    }
    if (table->facts) {
        facts(out, table);
        return;
    }
    open_table(out, table->caption, "rows");
    heads(out, table);
    fputs("<tbody>\n", out);
    for (int row = 0; row < table->rows; row++) {
        fputs("<tr>", out);
        for (int column = 0; column < table->columns; column++) {
            if (doc_is_shown(table, column)) {
                cell(out, table, row, column);
            }
        }
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void matrix_cell(FILE *out, const struct doc_matrix *matrix, int row, int column)
{
    int at;

    if (row == column) {
        fputs("<td class=\"self\"></td>", out);
        return;
    }
    at = doc_matrix_row(matrix, row, column);
    fputs(doc_at(matrix->table, at, matrix->main)->strong ? "<td class=\"strong\">" : "<td>", out);
    content(out, matrix->table, at, matrix->main);
    if (matrix->sub >= 0) {
        fputs("<small>", out);
        content(out, matrix->table, at, matrix->sub);
        fputs("</small>", out);
    }
    fputs("</td>", out);
}

/* The columns first..last-1 as a table of their own. */
static void matrix_block(FILE *out, const struct doc_matrix *matrix, const char *caption, int first,
                         int last)
{
    open_table(out, caption, "matrix");
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
        fprintf(out, "<tr><th scope=\"row\" class=\"text\">%d ", row + 1);
        markup_text(out, matrix->name[row]);
        fputs("</th>", out);
        for (int column = first; column < last; column++) {
            matrix_cell(out, matrix, row, column);
        }
        fputs("</tr>\n", out);
    }
    close_table(out);
}

/* As many columns side by side as fit on paper, evenly. */
void html_matrix(FILE *out, const struct doc_matrix *matrix)
{
    int most = matrix->sub >= 0 ? WIDE_COLUMNS : NARROW_COLUMNS;
    int blocks = (matrix->count + most - 1) / most;
    int each = blocks == 0 ? 0 : (matrix->count + blocks - 1) / blocks;

    if (matrix->count < 2) {
        return;
    }
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
