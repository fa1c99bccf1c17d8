/* board_svg.h - a position as SVG, for a page that has the classes of report.css. */
#ifndef RESULTS_DOCUMENT_BOARD_SVG_H
#define RESULTS_DOCUMENT_BOARD_SVG_H

#include "document.h"

/* Draws seat `below` at the bottom, dark, moving to the lower right; the points have its numbers.
 * Returns false and writes nothing for a board that cannot be drawn this way (36 points, or pinned
 * or stacked checkers); bg_board_draw draws it as text. label: for screen readers. */
bool board_svg_write(FILE *out, const struct doc_board *board, const char *label);

#endif
