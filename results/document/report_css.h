/* report_css.h - the looks of a report (report.css) inside the program.
 */
#ifndef RESULTS_DOCUMENT_REPORT_CSS_H
#define RESULTS_DOCUMENT_REPORT_CSS_H

/* The bytes of report.css, terminated. */
extern const unsigned char report_css[];

#endif
