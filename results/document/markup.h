/* markup.h - shared by HTML and SVG: escapes foreign text and writes well-formed markup. */
#ifndef RESULTS_DOCUMENT_MARKUP_H
#define RESULTS_DOCUMENT_MARKUP_H

#include <stdio.h>

/* Writes text between tags or in quoted attributes (never in a script, a style or an address; pages
 * have no foreign ones). Cleans it first (rules/clean.h), which removes everything invalid in
 * XML. */
void markup_text(FILE *out, const char *text);

#endif
