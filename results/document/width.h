/* width.h - the display width of a text, and cutting it to a width.
 *
 *     width_fit(name, cell, 16, WIDTH_NAME, "~", width_column);   at most 16 columns of a terminal
 *
 * Texts are cleaned (rules/clean.h) before they are measured. In doubt a character is taken for
 * wide: a line may come out short, never long.
 */
#ifndef RESULTS_DOCUMENT_WIDTH_H
#define RESULTS_DOCUMENT_WIDTH_H

#include <stddef.h>
#include <stdint.h>

enum { WIDTH_FIT = 1024 /* bytes of a text that was cut to a room */ };

/* How much of the room stays for the front when a text is cut: names are numbered at their end. */
#define WIDTH_NAME 0.6
#define WIDTH_TEXT 1.0

/* The room of one character in some unit. */
typedef double (*width_fn)(uint32_t character);

/* Columns of a terminal: 0 for marks on the character before, 2 for East Asian ones and emoji. */
double width_column(uint32_t character);

/* Of the cleaned text. */
double width_of(const char *text, width_fn measure);
int width_columns(const char *text);

/* The cleaned text on one line, what does not fit into `most` left out and `mark` put there. A text
 * that is longer than `out` counts as too wide. */
void width_fit(char out[WIDTH_FIT], const char *text, double most, double front, const char *mark,
               width_fn measure);

/* The first bytes of a clean text that fit, at least one character of it. */
size_t width_bytes(const char *clean, double most, width_fn measure);

#endif
