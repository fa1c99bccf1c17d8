/* plain_text.h - words of a report on a terminal: cleans foreign texts; no line is longer than
 * PLAIN_COLUMNS.
 */
#ifndef RESULTS_DOCUMENT_PLAIN_TEXT_H
#define RESULTS_DOCUMENT_PLAIN_TEXT_H

#include <stdbool.h>
#include <stdio.h>

enum { PLAIN_COLUMNS = 80 };

/* Prints a paragraph, on a narrower terminal at its width; lines after the first begin with
 * `indent` blanks. Breaks a word that is longer than a line. */
void plain_paragraph(FILE *out, int indent, const char *text);

/* The same after `indent` columns that are already printed. */
void plain_indented(FILE *out, int indent, const char *text);

/* Prints "  TITLE  VALUE"; if `width` is the longest title's, the values of all facts are
 * aligned. */
void plain_fact(FILE *out, int width, const char *title, const char *value);

/* Prints text to copy: on its title's line like a fact, or below it. A longer command continues
 * after a backslash, as a shell reads it. */
void plain_code(FILE *out, int width, const char *title, const char *value);

/* Prints names one after the other: begin with before, out; prints nothing if there are none. */
struct plain_list {
    FILE *out;
    const char *before;
    int column; /* 0: nothing printed yet */
};

void plain_list_add(struct plain_list *list, const char *name);
void plain_list_end(struct plain_list *list);

#endif
