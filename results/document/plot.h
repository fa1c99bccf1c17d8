/* plot.h - a plot of a document as SVG, to stand in a page that has the classes of report.css.
 */
#ifndef RESULTS_DOCUMENT_PLOT_H
#define RESULTS_DOCUMENT_PLOT_H

#include "document.h"

/* Rows without a finite value are left out; the caption stands outside. id: of the page, for the
 * title that is read aloud. */
void plot_write(FILE *out, const struct doc_plot *plot, int id);

/* Whether there is anything to draw. */
bool plot_has_data(const struct doc_plot *plot);

#endif
