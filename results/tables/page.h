/* page.h - cells and paragraphs of the text reports: never inf or nan, never too wide.
 */
#ifndef RESULTS_TABLES_PAGE_H
#define RESULTS_TABLES_PAGE_H

#include <stdio.h>

#include <bgref/api.h>

enum {
    PAGE_COLUMNS = 100,
    PAGE_NAME_MAX = 24,   /* longest name printed in full in a table */
    PAGE_PARAGRAPH = 4096 /* bytes of the longest paragraph, with the terminator */
};

/* A number right-aligned in `width` columns; "-" when it is not finite. */
void page_number(FILE *out, int width, int decimals, double x);
/* The same with its sign always shown. */
void page_signed(FILE *out, int width, int decimals, double x);
/* A whole number. */
/* A chance 0..1 in percent with one decimal; "<0.1" and ">99.9" for what would be rounded to
 * certainty, "-" when not known. No sample is certain. */
void page_chance(FILE *out, int width, double chance);
void page_count(FILE *out, int width, double x);

/* How many columns a UTF-8 text takes (width.h). */
int page_columns(const char *text);

/* A name left-aligned in `width` columns, cut with "~" when longer. */
void page_name(FILE *out, int width, const char *name);

/* A paragraph wrapped at PAGE_COLUMNS; lines after the first begin with `indent` blanks. Columns
 * are counted in characters, not bytes. */
void page_wrap(FILE *out, int indent, const char *format, ...) BG_PRINTF(3, 4);

#endif
