/* report.h - the report of an event: gathered once, built once, written in any form.
 *
 *     report_open(&doc, "spring.db", NULL, 0, &err);
 *     document_html(out, doc, &err);
 *     doc_destroy(doc);
 */
#ifndef RESULTS_REPORT_REPORT_H
#define RESULTS_REPORT_REPORT_H

#include "document/document.h"

/* The document of a results database, also while its event runs. judge: whose judgements to show,
 * NULL the one with the most games. bootstrap: draws for ratings too, 0 not. The caller's to
 * destroy. Errors as gather_open. */
enum bg_status report_open(struct doc **out, const char *path, const char *judge, int bootstrap,
                           struct bg_error *err);

#endif
