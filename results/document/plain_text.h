/* plain_text.h - words of a report on a terminal: foreign texts are cleaned, and no line is longer
 * than PLAIN_COLUMNS.
 */
#ifndef RESULTS_DOCUMENT_PLAIN_TEXT_H
#define RESULTS_DOCUMENT_PLAIN_TEXT_H

#include <stdbool.h>
#include <stdio.h>

enum { PLAIN_COLUMNS = 80 };

/* A paragraph; lines after the first begin with `indent` blanks. A word that is longer than a line
 * is broken. */
void plain_paragraph(FILE *out, int indent, const char *text);

/* The same behind `indent` columns that are already written. */
void plain_indented(FILE *out, int indent, const char *text);

/* "  TITLE  VALUE", the values of all facts below each other when `width` is that of the widest
 * title. */
void plain_fact(FILE *out, int width, const char *title, const char *value);

/* Something to be copied: on the line of its title as a fact, or below it; a command that is longer
 * goes on behind a backslash, as a shell reads it. */
void plain_code(FILE *out, int width, const char *title, const char *value);

/* Names, one after the other: begin with before, out; nothing is written for none. */
struct plain_list {
    FILE *out;
    const char *before;
    int column; /* 0: none yet */
};

void plain_list_add(struct plain_list *list, const char *name);
void plain_list_end(struct plain_list *list);

#endif
