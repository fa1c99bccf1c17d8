/* report_css.h - the style sheet of a report (report.css), embedded in the program.
 */
#ifndef RESULTS_DOCUMENT_REPORT_CSS_H
#define RESULTS_DOCUMENT_REPORT_CSS_H

/* The bytes of report.css, terminated. */
extern const unsigned char report_css[];

#endif
