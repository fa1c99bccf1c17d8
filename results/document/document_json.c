/* JSON: every table by its name, at full precision, null for undefined values (docs/report.md).
 * Tables by name and not in a list: a program that wants the standings should not depend on
 * which sections a report has. What is only shown (texts made from other columns) is left out. */
#include "document.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <bgref/api.h>

#include "base/foreign.h"
#include "json_value.h"

enum { DOCUMENT_SCHEMA = 3, SITE_SCHEMA = 1, FACT_KEY = 0, FACT_VALUE = 2 };

/* A column keeps its type: whole numbers are counts. */
static json_t *cell_json(const struct doc_table *table, int row, int column)
{
    return json_of_cell(doc_at(table, row, column), table->column[column].decimals == 0);
}

static json_t *facts_json(const struct doc_table *table)
{
    json_t *out = json_object();

    for (int row = 0; row < table->rows; row++) {
        json_object_set_new(out, doc_at(table, row, FACT_KEY)->text,
                            cell_json(table, row, FACT_VALUE));
    }
    return out;
}

static json_t *columns_json(const struct doc_table *table)
{
    json_t *out = json_array();

    for (int column = 0; column < table->columns; column++) {
        const struct doc_column *head = &table->column[column];

        if (head->use != DOC_SHOWN) {
            json_array_append_new(out, json_pack("{s:s, s:s, s:s?}", "key", head->key, "title",
                                                 head->title, "unit", head->unit));
        }
    }
    return out;
}

static json_t *rows_json(const struct doc_table *table)
{
    json_t *out = json_array();

    for (int row = 0; row < table->rows; row++) {
        json_t *object = json_object();

        for (int column = 0; column < table->columns; column++) {
            if (table->column[column].use != DOC_SHOWN) {
                json_object_set_new(object, table->column[column].key,
                                    cell_json(table, row, column));
            }
        }
        json_array_append_new(out, object);
    }
    return out;
}

static void section_json(json_t *tables, json_t *notes, const struct doc_section *section)
{
    json_t *said = json_array();

    for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
        if (block->kind == DOC_TABLE) {
            const struct doc_table *table = (const struct doc_table *)block;

            json_object_set_new(
                tables, table->name,
                table->facts ? facts_json(table)
                             : json_pack("{s:s, s:o, s:o}", "caption", table->caption, "columns",
                                         columns_json(table), "rows", rows_json(table)));
        } else if (block->kind == DOC_NOTE) {
            json_array_append_new(said, foreign_json(((const struct doc_note *)block)->text));
        }
    }
    json_object_set_new(notes, section->id, said);
}

enum bg_status document_json(FILE *out, const struct doc *doc, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    json_t *tables = json_object(), *notes = json_object();
    json_t *json = NULL;

    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        section_json(tables, notes, section);
    }
    json = json_pack("{s:o, s:i, s:s, s:o, s:o, s:o?, s:o, s:o}", "schema",
                     doc->site != NULL ? json_integer(SITE_SCHEMA) : json_string("bgref-report"),
                     "version", DOCUMENT_SCHEMA, "bgref", BG_VERSION, "title",
                     foreign_json(doc->title), "lead", foreign_json(doc->lead), "state",
                     doc->state[0] == '\0' ? NULL : foreign_json(doc->state), "tables", tables,
                     "notes", notes);
    if (json == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "report as json");
    }
    if (json_dumpf(json, out, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)) != 0 ||
        fputc('\n', out) == EOF) {
        status = bg_error_set(err, BG_E_SYSTEM, "write report: %s", strerror(errno));
    }
    json_decref(json);
    return status;
}
