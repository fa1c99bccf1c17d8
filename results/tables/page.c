#include "page.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "document/width.h"

void page_number(FILE *out, int width, int decimals, double x)
{
    if (isfinite(x)) {
        fprintf(out, "%*.*f", width, decimals, x);
    } else {
        fprintf(out, "%*s", width, "-");
    }
}

void page_signed(FILE *out, int width, int decimals, double x)
{
    if (isfinite(x)) {
        fprintf(out, "%+*.*f", width, decimals, x);
    } else {
        fprintf(out, "%*s", width, "-");
    }
}

void page_chance(FILE *out, int width, double chance)
{
    if (chance < 0.0005) {
        fprintf(out, "%*s", width, "<0.1");
    } else if (chance > 0.9995) {
        fprintf(out, "%*s", width, ">99.9");
    } else {
        page_number(out, width, 1, 100 * chance);
    }
}

void page_count(FILE *out, int width, double x)
{
    page_number(out, width, 0, x);
}

/* Counts the characters of UTF-8 text: all bytes except continuation bytes. */
static int columns_of(const char *text, size_t bytes)
{
    int columns = 0;

    for (size_t i = 0; i < bytes; i++) {
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return columns;
}

int page_columns(const char *text)
{
    return width_columns(text);
}

void page_name(FILE *out, int width, const char *name)
{
    char fitting[WIDTH_FIT];

    width_fit(fitting, name, width, WIDTH_TEXT, "~", width_column);
    fprintf(out, "%s%*s", fitting, width - width_columns(fitting), "");
}

/* A terminal would break longer lines inside words. */
static int terminal_width(FILE *out)
{
    enum { NARROWEST = 40 };
    struct winsize size = {.ws_col = 0};
    int fd = fileno(out); /* -1: in memory */

    if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
        size.ws_col > PAGE_COLUMNS) {
        return PAGE_COLUMNS;
    }
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

void page_wrap(FILE *out, int indent, const char *format, ...)
{
    char text[PAGE_PARAGRAPH];
    va_list arguments;
    int column = 0, width = terminal_width(out);

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *word = text; *word != '\0';) {
        size_t bytes = strcspn(word, " ");
        int columns = columns_of(word, bytes);

        if (column > indent && column + 1 + columns > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (word != text) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)bytes, word);
        column += columns;
        word += bytes;
        word += *word == ' ';
    }
    fputc('\n', out);
}

void page_line(FILE *out, int indent, const char *format, ...)
{
    char text[PAGE_PARAGRAPH];
    va_list arguments;
    int fd = fileno(out); /* -1: in memory */

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (fd >= 0 && isatty(fd)) {
        page_wrap(out, indent, "%s", text);
    } else {
        fprintf(out, "%s\n", text);
    }
}
