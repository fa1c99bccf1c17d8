/* html_table.h - tables and matrices of a document as HTML: captions, heads with their scope, and a
 * frame of their own that scrolls when the page is narrow.
 */
#ifndef RESULTS_DOCUMENT_HTML_TABLE_H
#define RESULTS_DOCUMENT_HTML_TABLE_H

#include "document.h"

/* Nothing is written for a table that other blocks show, or that has no rows. */
void html_table(FILE *out, const struct doc_table *table);
void html_view(FILE *out, const struct doc_view *view);
/* Those facts of a table that stand in this place. */
void html_facts(FILE *out, const struct doc_table *table, enum doc_fact place);
void html_matrix(FILE *out, const struct doc_matrix *matrix);

#endif
