/* board_svg.h - a position as SVG, to stand in a page that has the classes of report.css.
 */
#ifndef RESULTS_DOCUMENT_BOARD_SVG_H
#define RESULTS_DOCUMENT_BOARD_SVG_H

#include "document.h"

/* Seat `below` is at the bottom, dark, and moves to the lower right; the points have its numbers.
 * False, and nothing written: a board that is not drawn this way (36 points, or checkers that are
 * pinned or stacked); bg_board_draw has it as text. label: read aloud. */
bool board_svg_write(FILE *out, const struct doc_board *board, const char *label);

#endif
