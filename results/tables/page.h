/* page.h - cells and paragraphs of the text reports: never inf or nan, never too wide. */
#ifndef RESULTS_TABLES_PAGE_H
#define RESULTS_TABLES_PAGE_H

#include <stdio.h>

#include <bgref/api.h>

enum {
    PAGE_NAME_MAX = 24,   /* longest name that a table prints in full */
    PAGE_PARAGRAPH = 4096 /* bytes of the longest paragraph, including the terminator */
};

/* Prints a number right-aligned in `width` columns; "-" if it is not finite. */
void page_number(FILE *out, int width, int decimals, double x);
/* The same, always with a sign. */
void page_signed(FILE *out, int width, int decimals, double x);
/* Prints a probability 0..1 in percent with one decimal; "<0.1" and ">99.9" where rounding would
 * give 0 or 100, because no sample is certain; "-" if unknown. */
void page_chance(FILE *out, int width, double chance);
/* A whole number. */
void page_count(FILE *out, int width, double x);

/* Prints a name left-aligned in `width` columns, cut with "~" if it is longer. */
void page_name(FILE *out, int width, const char *name);

/* Prints a paragraph (plain_text.h). */
void page_wrap(FILE *out, int indent, const char *format, ...) BG_PRINTF(3, 4);

/* Prints one line; on a terminal, which would break it inside a word, as page_wrap does. For lines
 * that programs read too. */
void page_line(FILE *out, int indent, const char *format, ...) BG_PRINTF(3, 4);

#endif
