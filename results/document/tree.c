/* The lines of a round stand in the middle between those of the round before, so that place and
 * line are found by shifts of bits alone and no drawing is kept in memory. */
#include "tree.h"

#include <string.h>

#include "markup.h"
#include "plain_text.h"
#include "width.h"

/* Number of places of a round. */
static int places_of(const struct doc_tree *tree, int round)
{
    return 1 << (tree->rounds + 1 - round);
}

/* Lines of the whole drawing. */
static int lines_of(const struct doc_tree *tree)
{
    return 2 * places_of(tree, 1) - 1;
}

/* The place of a round that stands on this line; -1: none. */
static int place_on(const struct doc_tree *tree, int round, int line)
{
    for (int at = line >> round; at <= (line >> round) + 1 && at < places_of(tree, round); at++) {
        if (doc_tree_line(round, at) == line) {
            return at;
        }
    }
    return -1;
}

/* ------------------------------------------------------------------------------- on a terminal */

enum { MOST = 26, JOINT = 3 /* " -+" */ };

static void put_dashes(FILE *out, int count)
{
    for (int i = 0; i < count; i++) {
        fputs("\u2500", out);
    }
}

/* Prints a place in `width` columns, with its line to the next round. */
static void put_place(FILE *out, const struct doc_tree *tree, int round, int at, int width)
{
    const struct doc_place *place = doc_tree_place(tree, round, at);
    const char *mark = place->mark == NULL ? "" : place->mark;
    char text[WIDTH_FIT];
    int room = width - JOINT - (mark[0] == '\0' ? 0 : width_columns(mark) + 1);
    int used = 0;

    if (place->name != NULL) {
        width_fit(text, place->name, room, WIDTH_NAME, "~", width_column);
        used = fprintf(out, "%s%s%s", text, mark[0] == '\0' ? "" : " ", mark) > 0
                   ? width_columns(text) + (mark[0] == '\0' ? 0 : width_columns(mark) + 1)
                   : 0;
    }
    if (round > tree->rounds) {
        return;
    }
    if (used > 0) {
        fputc(' ', out);
        used++;
    }
    put_dashes(out, width - 1 - used);
    fputs(at % 2 == 0 ? "\u2510" : "\u2518", out);
}

/* Prints the empty part of a round on a line: the vertical line between two of its places. */
static void put_gap(FILE *out, const struct doc_tree *tree, int round, int line, int width)
{
    const char *joint = " ";

    if (round <= tree->rounds) {
        int next = place_on(tree, round + 1, line);
        int pair = line >> (round + 1);

        if (next >= 0) {
            joint = "\u251c";
        } else if (pair < places_of(tree, round + 1) && line > doc_tree_line(round, 2 * pair) &&
                   line < doc_tree_line(round, 2 * pair + 1)) {
            joint = "\u2502";
        }
    }
    fprintf(out, "%*s%s", width - 1, "", joint);
}

/* The last round that has something on a line. */
static int last_on(const struct doc_tree *tree, int line)
{
    for (int round = tree->rounds + 1; round > 1; round--) {
        int pair = line >> round;

        if (place_on(tree, round, line) >= 0) {
            return round;
        }
        /* between two places of the round before */
        if (pair < places_of(tree, round) && line > doc_tree_line(round - 1, 2 * pair) &&
            line < doc_tree_line(round - 1, 2 * pair + 1)) {
            return round - 1;
        }
    }
    return 1;
}

void tree_plain_write(FILE *out, const struct doc_tree *tree)
{
    int width = PLAIN_COLUMNS / (tree->rounds + 1);

    width = width > MOST ? MOST : width;
    plain_paragraph(out, 0, tree->caption);
    fputc('\n', out);
    for (int line = 0; line < lines_of(tree); line++) {
        int last = last_on(tree, line);

        for (int round = 1; round <= last; round++) {
            int at = place_on(tree, round, line);

            if (at >= 0) {
                put_place(out, tree, round, at, width);
            } else {
                put_gap(out, tree, round, line, width);
            }
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

/* ------------------------------------------------------------------------------------- as SVG */

enum { WIDE = 168, HIGH = 14, TOP = 16, GAP = 8, CUT = 20 /* columns of a name */ };

static int y_of(int round, int at)
{
    return TOP + HIGH * doc_tree_line(round, at);
}

static void svg_place(FILE *out, const struct doc_tree *tree, int round, int at)
{
    const struct doc_place *place = doc_tree_place(tree, round, at);
    int x = (round - 1) * WIDE, y = y_of(round, at);
    char text[WIDTH_FIT];

    if (place->name != NULL) {
        width_fit(text, place->name, CUT, WIDTH_NAME, "~", width_column);
        fprintf(out, "<text%s x=\"%d\" y=\"%d\">", place->won ? " class=\"won\"" : "", x, y - 3);
        markup_text(out, text);
        if (place->mark != NULL) {
            fputs(" <tspan class=\"mark\">", out);
            markup_text(out, place->mark);
            fputs("</tspan>", out);
        }
        fputs("</text>\n", out);
    }
    fprintf(out, "<path d=\"M%d %dh%d\"/>\n", x, y, WIDE - GAP);
    if (round <= tree->rounds) {
        fprintf(out, "<path d=\"M%d %dV%dH%d\"/>\n", x + WIDE - GAP, y, y_of(round + 1, at / 2),
                x + WIDE);
    }
}

void tree_svg_write(FILE *out, const struct doc_tree *tree)
{
    int width = (tree->rounds + 1) * WIDE, height = TOP + HIGH * lines_of(tree);

    fprintf(out,
            "<svg class=\"tree\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "aria-label=\"",
            width, height, width, height);
    markup_text(out, tree->caption);
    fputs("\">\n", out);
    for (int round = 1; round <= tree->rounds + 1; round++) {
        for (int at = 0; at < places_of(tree, round); at++) {
            svg_place(out, tree, round, at);
        }
    }
    fputs("</svg>\n", out);
}
