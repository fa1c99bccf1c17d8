/* markup.h - shared by HTML and SVG: escapes foreign text and writes well-formed marks.
 */
#ifndef RESULTS_DOCUMENT_MARKUP_H
#define RESULTS_DOCUMENT_MARKUP_H

#include <stdio.h>

/* Text as it may stand between marks and in quoted attributes (never in a script, a style or an
 * address: pages have none that is foreign). It is cleaned (rules/clean.h), which leaves nothing
 * that XML has no place for. */
void markup_text(FILE *out, const char *text);

#endif
