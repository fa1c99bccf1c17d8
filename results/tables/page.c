/* The columns of a terminal. Names are fitted by columns and not by bytes, because printf's
 * %-16s counts bytes and would shift every line with an accent or a Chinese name. */
#include "page.h"

#include <math.h>
#include <stdarg.h>
#include <unistd.h>

#include "document/plain_text.h"
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

/* 0.0 or 100.0 would claim a certainty that no sample has, so the ends are printed as bounds. */
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

void page_name(FILE *out, int width, const char *name)
{
    char fitting[WIDTH_FIT];

    width_fit(fitting, name, width, WIDTH_TEXT, "~", width_column);
    fprintf(out, "%s%*s", fitting, width - width_columns(fitting), "");
}

void page_wrap(FILE *out, int indent, const char *format, ...)
{
    char text[PAGE_PARAGRAPH];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    plain_paragraph(out, indent, text);
}

void page_line(FILE *out, int indent, const char *format, ...)
{
    char text[PAGE_PARAGRAPH];
    va_list arguments;
    int fd = fileno(out); /* -1: in memory */

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* Broken into lines for people only: a program that reads messages from a pipe gets each as
     * one line. */
    if (fd >= 0 && isatty(fd)) {
        plain_paragraph(out, indent, text);
    } else {
        fprintf(out, "%s\n", text);
    }
}
