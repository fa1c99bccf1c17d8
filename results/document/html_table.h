/* html_table.h - a document's tables and matrices as HTML: captions, heads with scope, and a frame
 * that scrolls if the page is narrow.
 */
#ifndef RESULTS_DOCUMENT_HTML_TABLE_H
#define RESULTS_DOCUMENT_HTML_TABLE_H

#include "document.h"

/* Writes nothing for a table that other blocks print, or that has no rows. */
void html_table(FILE *out, const struct doc_table *table);
void html_view(FILE *out, const struct doc_view *view);
/* Writes the facts of a table that belong to this place. */
void html_facts(FILE *out, const struct doc_table *table, enum doc_fact place);
void html_matrix(FILE *out, const struct doc_matrix *matrix);

#endif
