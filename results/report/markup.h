/* markup.h - what HTML and SVG share: foreign text made harmless, marks well formed as XML.
 */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include <stdio.h>

/* Text as it may stand between marks and in quoted attributes. Bytes that are no UTF-8, and
 * characters that XML has no place for, become U+FFFD. */
void markup_text(FILE *out, const char *text);

/* The same, at most `most` characters, the last one an ellipsis when some are left out. */
void markup_cut(FILE *out, const char *text, int most);

/* Characters of UTF-8 text. */
int markup_length(const char *text);

#endif
