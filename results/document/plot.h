/* plot.h - a document's plot as SVG, for a page that has the classes of report.css. */
#ifndef RESULTS_DOCUMENT_PLOT_H
#define RESULTS_DOCUMENT_PLOT_H

#include "document.h"

/* Leaves out rows without a finite value; the caption is written elsewhere. id: unique in the page,
 * for the title read by screen readers. */
void plot_write(FILE *out, const struct doc_plot *plot, int id);

/* Whether there is anything to draw. */
bool plot_has_data(const struct doc_plot *plot);

#endif
