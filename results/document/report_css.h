/* report_css.h - the style sheets of a report and of its positions, embedded in the program.
 */
#ifndef RESULTS_DOCUMENT_REPORT_CSS_H
#define RESULTS_DOCUMENT_REPORT_CSS_H

/* The bytes of report.css and board.css behind it, terminated. */
extern const unsigned char report_css[];

#endif
