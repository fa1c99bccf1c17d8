/* tree.h - a drawn elimination: with characters for a terminal, as SVG for a page. */
#ifndef RESULTS_DOCUMENT_TREE_H
#define RESULTS_DOCUMENT_TREE_H

#include <stdio.h>

#include "document.h"

/* At most PLAIN_COLUMNS wide: names are cut. */
void tree_plain_write(FILE *out, const struct doc_tree *tree);

void tree_svg_write(FILE *out, const struct doc_tree *tree);

#endif
