/* The picture is an SVG first, with the style sheet of the pages. librsvg and what it brings are
 * not linked, as libmicrohttpd is not: only these pages need them. So their few functions are
 * declared here, as their libraries promise them for as long as they have these file names. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "base/memory.h"
#include "document/board_svg.h"
#include "document/markup.h"
#include "document/report_css.h"
#include "document/tree.h"

enum { WIDE = 1200, HIGH = 630, ARGB = 0, TITLE = 44, WORDS = 70, LEAD = 100, ROWS = 9 };

struct rectangle {
    double x, y, width, height;
};

static struct {
    void *(*image_surface_create)(int format, int width, int height);
    void *(*create)(void *surface);
    void (*destroy)(void *cairo);
    void (*surface_destroy)(void *surface);
    int (*surface_write)(void *surface,
                         int (*put)(void *user, const unsigned char *bytes, unsigned size),
                         void *user);
    void *(*svg_read)(const unsigned char *bytes, size_t size, void **error);
    int (*svg_draw)(void *svg, void *cairo, const struct rectangle *place, void **error);
    void (*unref)(void *object);
} libraries;

static const char *const names[] = {
    "cairo_image_surface_create",
    "cairo_create",
    "cairo_destroy",
    "cairo_surface_destroy",
    "cairo_surface_write_to_png_stream",
    "rsvg_handle_new_from_data",
    "rsvg_handle_render_document",
    "g_object_unref",
};

static enum bg_status load(struct bg_error *err)
{
    /* The functions of cairo and GObject are found behind those of the library that uses them. */
    return library_load(&libraries, names, sizeof names / sizeof *names, "librsvg-2.so.2", err);
}

bool picture_is_possible(void)
{
    static int known = -1;

    known = known < 0 ? load(NULL) == BG_OK : known;
    return known != 0;
}

/* ------------------------------------------------------------------ the drawing */

/* Writes the value of a property of the style sheet, the first one, which is that of the day. */
static void put_value(FILE *out, const char *name, size_t size)
{
    for (const char *at = (const char *)report_css; (at = strstr(at, "--")) != NULL; at++) {
        if (strncmp(at, name, size) == 0 && at[size] == ':') {
            at += size + 1;
            fwrite(at, 1, strcspn(at, ";}"), out);
            return;
        }
    }
}

/* Writes the style sheet with values instead of var(--name), which librsvg does not know. */
static void put_style(FILE *out)
{
    static const char var[] = "var(";
    const char *css = (const char *)report_css, *at;

    fputs("<style>", out);
    for (; (at = strstr(css, var)) != NULL; css = strchr(at, ')') + 1) {
        fwrite(css, 1, (size_t)(at - css), out);
        at += strlen(var);
        put_value(out, at, strcspn(at, ")"));
    }
    fputs(css, out);
    fputs("</style>\n", out);
}

/* Text on one line; what does not fit is cut between characters. */
static void put_text(FILE *out, int y, int size, const char *weight, const char *text, size_t most)
{
    char *line = memory_text(text);
    size_t length = strlen(line);

    for (length = length > most ? most : length;
         length > 0 && ((unsigned char)line[length] & 0xC0) == 0x80; length--) {
    }
    line[length] = '\0';
    fprintf(out,
            "<text x=\"40\" y=\"%d\" font-size=\"%d\" font-weight=\"%s\" "
            "fill=\"#1a1d21\">",
            y, size, weight);
    markup_text(out, line);
    fputs("</text>\n", out);
    free(line);
}

static const struct doc_block *find_block(const struct doc *doc, enum doc_block_kind kind)
{
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
            if (block->kind == kind) {
                return block;
            }
        }
    }
    return NULL;
}

static void put_tree(FILE *out, const struct doc_tree *tree)
{
    char *text;
    size_t length;
    FILE *drawing = memory_stream(&text, &length);
    const char *size;

    tree_svg_write(drawing, tree);
    memory_stream_close(drawing);
    size = strstr(text, "viewBox=\""); /* of what is drawn: it becomes as large as there is room */
    fprintf(
        out, "<svg x=\"40\" y=\"120\" width=\"1120\" height=\"490\" %.*s\">\n%s</svg>\n",
        (int)(size == NULL ? 0 : strcspn(size + strlen("viewBox=\""), "\"") + strlen("viewBox=\"")),
        size == NULL ? "" : size, text);
    free(text);
}

/* The first rows of the first table: place, name and score. */
static void put_rows(FILE *out, const struct doc_table *table)
{
    for (int row = 0; row < table->rows && row < ROWS; row++) {
        char line[3 * DOC_CELL] = "", text[DOC_CELL];
        size_t used = 0;

        for (int column = 0, shown = 0; column < table->columns && shown < 3; column++) {
            if (doc_is_shown(table, column) && used < sizeof line) {
                used +=
                    (size_t)snprintf(line + used, sizeof line - used, "%s%.60s",
                                     used == 0 ? "" : "    ", doc_shown(text, table, row, column));
                shown++;
            }
        }
        put_text(out, 180 + 48 * row, 34, "400", line, WORDS);
    }
}

static void put_drawing(FILE *out, const struct doc *doc)
{
    const struct doc_tree *tree = (const struct doc_tree *)find_block(doc, DOC_TREE);
    const struct doc_boards *boards = (const struct doc_boards *)find_block(doc, DOC_BOARDS);
    const struct doc_view *view = (const struct doc_view *)find_block(doc, DOC_VIEW);

    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n",
            WIDE, HIGH, WIDE, HIGH);
    put_style(out);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDE, HIGH);
    put_text(out, 62, TITLE, "700", doc->title, WORDS / 2 + 8);
    put_text(out, 102, 22, "400", doc->lead, LEAD);
    if (doc->part != NULL && boards != NULL && boards->count > 0) {
        fputs("<svg x=\"40\" y=\"90\" width=\"1120\" height=\"520\">\n", out);
        board_svg_write(out, &boards->board[0], "");
        fputs("</svg>\n", out);
    } else if (tree != NULL) {
        put_tree(out, tree);
    } else if (view != NULL) {
        put_rows(out, view->table);
    }
    fputs("</svg>\n", out);
}

/* ------------------------------------------------------------------ the picture */

static int put_piece(void *user, const unsigned char *bytes, unsigned size)
{
    (void)fwrite(bytes, 1, size, user);
    return 0;
}

enum bg_status picture_write(FILE *out, const struct doc *doc, struct bg_error *err)
{
    const struct rectangle whole = {0, 0, WIDE, HIGH};
    enum bg_status status = load(err);
    void *svg, *surface, *cairo;
    char *text;
    size_t size;
    FILE *drawing;

    if (status != BG_OK) {
        return status;
    }
    drawing = memory_stream(&text, &size);
    put_drawing(drawing, doc);
    memory_stream_close(drawing);
    surface = libraries.image_surface_create(ARGB, WIDE, HIGH);
    cairo = libraries.create(surface);
    svg = libraries.svg_read((const unsigned char *)text, size, NULL);
    if (svg == NULL || !libraries.svg_draw(svg, cairo, &whole, NULL) ||
        libraries.surface_write(surface, put_piece, out) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "the picture of '%s' cannot be drawn", doc->title);
    }
    if (svg != NULL) {
        libraries.unref(svg);
    }
    libraries.destroy(cairo);
    libraries.surface_destroy(surface);
    free(text);
    return status;
}
