/* width.h - the display width of a text, and cutting it to a width.
 *
 *     width_fit(name, cell, 16, WIDTH_NAME, "~", width_column);   at most 16 columns of a terminal
 *
 * Cleans texts (rules/clean.h) before measuring. A doubtful character counts as wide, so a line can
 * be too short but never too long.
 */
#ifndef RESULTS_DOCUMENT_WIDTH_H
#define RESULTS_DOCUMENT_WIDTH_H

#include <stddef.h>
#include <stdint.h>

enum { WIDTH_FIT = 1024 /* bytes of a cut text */ };

/* Share of the room kept for the beginning of a cut name; the rest is for its end, because names
 * often end in a number. */
#define WIDTH_NAME 0.6
#define WIDTH_TEXT 1.0

/* Returns the width of one character in some unit. */
typedef double (*width_fn)(uint32_t character);

/* Columns of a terminal: 0 for combining marks, 2 for East Asian characters and emoji. */
double width_column(uint32_t character);

/* Width of the cleaned text. */
double width_of(const char *text, width_fn measure);
int width_columns(const char *text);

/* Writes the cleaned text on one line; if it is wider than `most`, replaces a part by `mark`. A
 * text longer than `out` counts as too wide. */
void width_fit(char out[WIDTH_FIT], const char *text, double most, double front, const char *mark,
               width_fn measure);

/* Returns how many bytes of a clean text fit, at least one character. */
size_t width_bytes(const char *clean, double most, width_fn measure);

#endif
