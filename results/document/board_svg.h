/* board_svg.h - a position as SVG, for a page that has the classes of report.css. */
#ifndef RESULTS_DOCUMENT_BOARD_SVG_H
#define RESULTS_DOCUMENT_BOARD_SVG_H

#include "document.h"

/* Draws seat `below` at the bottom, moving to the lower right; the points have the numbers of the
 * side that plays. The text of the position (record/pos.h) is in data-pos. label: for screen
 * readers. */
void board_svg_write(FILE *out, const struct doc_board *board, const char *label);

#endif
