/* markup.h - what HTML and SVG share: foreign text made harmless, marks well formed as XML.
 */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include <stdio.h>

/* Text as it may stand between marks and in quoted attributes (never in a script, a style or an
 * address: pages have none that is foreign). It is cleaned (rules/clean.h), which leaves nothing
 * that XML has no place for. */
void markup_text(FILE *out, const char *text);

/* The same, at most `most` characters, the last one an ellipsis when some are left out. */
void markup_cut(FILE *out, const char *text, int most);

/* Characters of the text as it is written. */
int markup_length(const char *text);

#endif
