/* CSV (RFC 4180): the tables, at full precision, with the names of the columns as in JSON. */
#include "document.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <rules/clean.h>

#include "base/csv_text.h"

static void put_csv_text(FILE *out, const char *text)
{
    char clean[1024], field[2 * sizeof clean + 4];

    clean_write(clean, sizeof clean, text, strlen(text), CLEAN_LINE);
    csv_text(field, sizeof field, clean);
    fputs(field, out);
}

static void put_cell(FILE *out, const struct doc_cell *cell, bool whole)
{
    switch (cell->kind) {
    case DOC_NONE:
        break;
    case DOC_NUMBER:
        if (isfinite(cell->number)) {
            /* An undefined number is an empty field: "nan" would make a column of text of it in
             * a spreadsheet. */
            fprintf(out, whole ? "%.0f" : "%.17g", cell->number);
        }
        break;
    case DOC_TEXT:
        put_csv_text(out, cell->text);
        break;
    case DOC_FLAG:
        fputs(cell->number != 0 ? "true" : "false", out);
        break;
    }
}

static void put_table(FILE *out, const struct doc_table *table)
{
    const char *before = "";

    for (int column = 0; column < table->columns; column++) {
        if (table->column[column].use != DOC_SHOWN) {
            fprintf(out, "%s%s", before, table->column[column].key);
            before = ",";
        }
    }
    fputs("\r\n", out);
    for (int row = 0; row < table->rows; row++) {
        before = "";
        for (int column = 0; column < table->columns; column++) {
            if (table->column[column].use != DOC_SHOWN) {
                fputs(before, out);
                put_cell(out, doc_at(table, row, column), table->column[column].decimals == 0);
                before = ",";
            }
        }
        fputs("\r\n", out);
    }
}

/* Writes every table but those of facts; returns their number. out NULL: only counts. */
static int each_table(FILE *out, const struct doc *doc, bool names)
{
    int count = 0;

    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
            const struct doc_table *table = (const struct doc_table *)block;

            if (block->kind != DOC_TABLE || table->facts || !doc_is_wanted(doc, table)) {
                continue;
            }
            if (out != NULL && names) {
                fprintf(out, "%s%s\r\n", count > 0 ? "\r\n" : "", table->name);
            }
            if (out != NULL) {
                put_table(out, table);
            }
            count++;
        }
    }
    return count;
}

enum bg_status document_csv(FILE *out, const struct doc *doc, struct bg_error *err)
{
    each_table(out, doc, each_table(NULL, doc, false) > 1);
    return ferror(out) == 0 ? BG_OK
                            : bg_error_set(err, BG_E_SYSTEM, "write tables: %s", strerror(errno));
}
