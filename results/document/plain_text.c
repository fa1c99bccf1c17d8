#include "plain_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <rules/clean.h>

#include "base/memory.h"
#include "width.h"

enum { FACT_INDENT = 2, CODE_INDENT = 4 };

/* A line being filled. */
struct plain_text_filling {
    FILE *out;
    int column, indent, most;
    const char *joint; /* printed at the end of a line that continues */
};

static void new_line(struct plain_text_filling *filling, const char *joint)
{
    fprintf(filling->out, "%s\n%*s", joint, filling->indent, "");
    filling->column = filling->indent;
}

/* Adds a word of clean text after so many blanks, which a new line does not need. A word that is
 * wider than the line is cut between characters, where a terminal would do it anyway, but
 * without the indent. */
static void put_word(struct plain_text_filling *filling, const char *word, size_t bytes, int blanks)
{
    char *copy = memory_text_of(word, bytes), *at = copy;

    if (blanks > 0 && filling->column > filling->indent &&
        filling->column + blanks + width_columns(copy) > filling->most) {
        new_line(filling, filling->joint);
    } else {
        fprintf(filling->out, "%*s", blanks, "");
        filling->column += blanks;
    }
    while (*at != '\0') {
        size_t part = width_bytes(at, filling->most - filling->column, width_column);

        fprintf(filling->out, "%.*s", (int)part, at);
        filling->column += width_columns(at) - width_columns(at + part);
        at += part;
        if (*at != '\0') {
            new_line(filling, "");
        }
    }
    free(copy);
}

static void fill_lines(struct plain_text_filling *filling, const char *text)
{
    char *clean = clean_copy(text, CLEAN_TEXT);
    int blanks = 0;

    if (clean == NULL) {
        return;
    }
    for (const char *word = clean; *word != '\0';) {
        size_t bytes = strcspn(word, " \n");

        if (bytes > 0) {
            put_word(filling, word, bytes, blanks);
            blanks = 0;
        } else {
            bytes = 1;
            blanks++;
        }
        word += bytes;
    }
    fputc('\n', filling->out);
    free(clean);
}

/* A terminal would break longer lines inside words. */
static int columns_of(FILE *out)
{
    enum { NARROWEST = 40 };
    struct winsize size = {.ws_col = 0};
    int fd = fileno(out); /* -1: in memory */

    if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
        size.ws_col > PLAIN_COLUMNS) {
        return PLAIN_COLUMNS;
    }
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

void plain_paragraph(FILE *out, int indent, const char *text)
{
    struct plain_text_filling filling = {out, 0, indent, columns_of(out), ""};

    fill_lines(&filling, text);
}

void plain_indented(FILE *out, int indent, const char *text)
{
    struct plain_text_filling filling = {out, indent, indent, columns_of(out), ""};

    fill_lines(&filling, text);
}

void plain_fact(FILE *out, int width, const char *title, const char *value)
{
    int column = FACT_INDENT + width + FACT_INDENT;
    struct plain_text_filling filling = {out, column, column, columns_of(out), ""};

    fprintf(out, "%*s%s%*s", FACT_INDENT, "", title, FACT_INDENT + width - width_columns(title),
            "");
    fill_lines(&filling, value);
}

void plain_code(FILE *out, int width, const char *title, const char *value)
{
    struct plain_text_filling filling = {out, CODE_INDENT, CODE_INDENT, PLAIN_COLUMNS - 2, " \\"};
    int wanted = width_columns(title) > width ? width_columns(title) : width;
    int used = FACT_INDENT + wanted + FACT_INDENT;

    fprintf(out, "%*s%s", FACT_INDENT, "", title);
    if (used + width_columns(value) <= PLAIN_COLUMNS) {
        filling.column = used;
        fprintf(out, "%*s", FACT_INDENT + wanted - width_columns(title), "");
    } else {
        new_line(&filling, "");
    }
    /* The sign of a continued line is not needed then, so its room is. */
    if (filling.column + width_columns(value) <= PLAIN_COLUMNS) {
        filling.most = PLAIN_COLUMNS;
    }
    fill_lines(&filling, value);
}

void plain_list_add(struct plain_list *list, const char *name)
{
    const char *joint = list->column == 0 ? list->before : "; ";

    if (list->column > 0 && list->column + 3 + width_columns(name) > columns_of(list->out)) {
        joint = ";\n  ";
        list->column = 0;
    }
    fprintf(list->out, "%s%s", joint, name);
    list->column += width_columns(joint) + width_columns(name);
}

void plain_list_end(struct plain_list *list)
{
    if (list->column > 0) {
        fputs("\n", list->out);
    }
}
