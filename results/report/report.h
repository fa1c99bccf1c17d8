/* report.h - the report of an event: read once, built once, written in any form.
 *
 *     report_open(&doc, "spring.db", NULL, 0, &err);
 *     document_html(out, doc, &err);
 *     doc_destroy(doc);
 */
#ifndef RESULTS_REPORT_REPORT_H
#define RESULTS_REPORT_REPORT_H

#include "document/document.h"

/* Builds the document of a results database; works while the event is running. judge: whose
 * judgements to use, NULL: the judge with most games. bootstrap: draws also for ratings; 0 none.
 * The caller destroys the document. Errors as gather_open. */
enum bg_status report_open(struct doc **out, const char *path, const char *judge, int bootstrap,
                           struct bg_error *err);

#endif
