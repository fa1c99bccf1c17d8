/* The form for a terminal: at most 100 columns; a wider table goes on below, under its first
 * column. */
#include "document.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "markup.h"
#include "page.h"

enum { GAP = 2, NAME_MOST = 34, TEXT_MOST = 60, DRAWING = 4096, MATRIX_NAME = 16 };

/* A foreign text for a terminal, cleaned (rules/clean.h). Cut to `most` characters and filled up to
 * `width` columns, at the right when that is negative. */
static void put(FILE *out, const char *text, int most, int width)
{
    int length = markup_length(text), shown = length > most ? most : length, left = shown;
    int fill = abs(width) - shown;
    size_t size = strlen(text);

    left -= length > most; /* for the mark of the cut */
    fprintf(out, "%*s", width < 0 && fill > 0 ? fill : 0, "");
    for (size_t at = 0, used; at < size && left >= 0; at += used) {
        char piece[CLEAN_PIECE];

        clean_piece(piece, &used, text + at, size - at, CLEAN_TEXT);
        piece[0] = piece[0] == '\n' ? ' ' : piece[0];
        for (const char *c = piece; *c != '\0' && left >= 0; c++) {
            left -= ((unsigned char)*c & 0xC0) != 0x80;
            if (left >= 0) {
                fputc(*c, out);
            }
        }
    }
    fputs(length > most ? "~" : "", out);
    fprintf(out, "%*s", width > 0 && fill > 0 ? fill : 0, "");
}

struct layout {
    const struct doc_table *table;
    int *width; /* by column; 0: not shown; negative: numbers, at the right */
};

static int most_of(const struct doc_table *table, int column)
{
    return column == table->head ? NAME_MOST : table->column[column].code ? INT16_MAX : TEXT_MOST;
}

static int at_least(int width, const char *text)
{
    int length = text == NULL ? 0 : markup_length(text);

    return length > width ? length : width;
}

static int width_of(const struct doc_table *table, int column)
{
    const struct doc_column *head = &table->column[column];
    int width = 0;
    char shown[DOC_CELL];

    if (!doc_is_shown(table, column)) {
        return 0;
    }
    for (int row = 0; row < table->rows; row++) {
        width = at_least(width, doc_shown(shown, table, row, column));
    }
    width = width > most_of(table, column) ? most_of(table, column) : width;
    width = at_least(at_least(width, head->title), head->unit);
    width = width == 0 ? 1 : width;
    return doc_is_text(table, column) ? width : -width;
}

/* The columns of one block: from `first` on as many as fit, later blocks beside the head column.
 * Returns the next. */
static int block_end(const struct layout *layout, int first)
{
    int used = first > 0 ? abs(layout->width[layout->table->head]) : -GAP, column = first;

    for (; column < layout->table->columns; column++) {
        int width = layout->width[column] == 0 ? 0 : abs(layout->width[column]) + GAP;

        if (column > first && used + width > PAGE_COLUMNS) {
            break;
        }
        used += width;
    }
    return column;
}

/* One line of a block; text(user, column) says what stands in a column. No line ends in blanks. */
static void line(FILE *out, const struct layout *layout, int first, int end,
                 const char *(*text)(const struct layout *layout, int row, int column,
                                     char shown[DOC_CELL]),
                 int row)
{
    char shown[DOC_CELL];
    bool begun = false;
    int blanks = 0, head = layout->table->head;

    for (int column = first > 0 ? head : 0; column < end;
         column = column < first ? first : column + 1) {
        int width = layout->width[column];
        const char *said;
        int length, most;

        if (width == 0) {
            continue;
        }
        blanks += begun ? GAP : 0;
        begun = true;
        said = text(layout, row, column, shown);
        most = most_of(layout->table, column);
        length = markup_length(said);
        length = length > most ? most : length;
        if (length == 0) {
            blanks += abs(width);
            continue;
        }
        fprintf(out, "%*s", blanks, "");
        put(out, said, most, width < 0 ? width : length);
        blanks = width < 0 ? 0 : width - length;
    }
    fputc('\n', out);
}

static const char *title_text(const struct layout *layout, int row, int column,
                              char shown[DOC_CELL])
{
    (void)row;
    (void)shown;
    return layout->table->column[column].title;
}

static const char *unit_text(const struct layout *layout, int row, int column, char shown[DOC_CELL])
{
    (void)row;
    (void)shown;
    return layout->table->column[column].unit == NULL ? "" : layout->table->column[column].unit;
}

static const char *row_text(const struct layout *layout, int row, int column, char shown[DOC_CELL])
{
    return doc_shown(shown, layout->table, row, column);
}

static bool has_units(const struct layout *layout, int first, int end)
{
    for (int column = first; column < end; column++) {
        if (layout->width[column] != 0 && layout->table->column[column].unit != NULL) {
            return true;
        }
    }
    return false;
}

static void facts_plain(FILE *out, const struct doc_table *table)
{
    char shown[DOC_CELL];
    int width = 0;

    for (int row = 0; row < table->rows; row++) {
        width = at_least(width, doc_shown(shown, table, row, 1));
    }
    for (int row = 0; row < table->rows; row++) {
        if (doc_at(table, row, 2)->kind == DOC_FLAG) {
            continue;
        }
        fputs("  ", out);
        put(out, doc_shown(shown, table, row, 1), width, width + GAP);
        put(out, doc_shown(shown, table, row, 2), INT16_MAX, 0);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static enum bg_status table_plain(FILE *out, const struct doc_table *table, struct bg_error *err)
{
    struct layout layout = {.table = table};
    int first = 0, end = 0;

    if (table->data || table->rows == 0) {
        return BG_OK;
    }
    page_wrap(out, 0, "%s", table->caption);
    if (table->facts) {
        facts_plain(out, table);
        return BG_OK;
    }
    layout.width = calloc((size_t)table->columns, sizeof *layout.width);
    if (layout.width == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "report as text");
    }
    for (int column = 0; column < table->columns; column++) {
        layout.width[column] = width_of(table, column);
    }
    for (first = 0; end < table->columns; first = end) {
        end = block_end(&layout, first);
        line(out, &layout, first, end, title_text, 0);
        if (has_units(&layout, first, end)) {
            line(out, &layout, first, end, unit_text, 0);
        }
        for (int row = 0; row < table->rows; row++) {
            line(out, &layout, first, end, row_text, row);
        }
        fputc('\n', out);
    }
    free(layout.width);
    return BG_OK;
}

/* ------------------------------------------------------------------ matrices */

static const char *matrix_text(const struct doc_matrix *matrix, int row, int column, int which,
                               char shown[DOC_CELL])
{
    return row == column
               ? ""
               : doc_shown(shown, matrix->table, doc_matrix_row(matrix, row, column), which);
}

static int matrix_width(const struct doc_matrix *matrix)
{
    char shown[DOC_CELL];
    int width = 3;

    for (int row = 0; row < matrix->count; row++) {
        for (int column = 0; column < matrix->count; column++) {
            width = at_least(width, matrix_text(matrix, row, column, matrix->main, shown));
            if (matrix->sub >= 0) {
                width = at_least(width, matrix_text(matrix, row, column, matrix->sub, shown));
            }
        }
    }
    return width + GAP;
}

static void matrix_line(FILE *out, const struct doc_matrix *matrix, int row, int first, int end,
                        int which, int width)
{
    char shown[DOC_CELL];
    int blanks = 0;

    for (int column = first; column < end; column++) {
        const char *text = matrix_text(matrix, row, column, which, shown);

        blanks += width;
        if (text[0] != '\0') {
            put(out, text, width, -blanks);
            blanks = 0;
        }
    }
    fputc('\n', out);
}

static void matrix_plain(FILE *out, const struct doc_matrix *matrix)
{
    int width = matrix_width(matrix), label = 6 + MATRIX_NAME;
    int fit = (PAGE_COLUMNS - label) / width;

    if (matrix->count < 2) {
        return;
    }
    page_wrap(out, 0, "%s", matrix->caption);
    for (int first = 0; first < matrix->count; first += fit) {
        int end = first + fit < matrix->count ? first + fit : matrix->count;

        fprintf(out, "%*s", label, "");
        for (int column = first; column < end; column++) {
            fprintf(out, "%*d", width, column + 1);
        }
        fputc('\n', out);
        for (int row = 0; row < matrix->count; row++) {
            fprintf(out, "%4d  ", row + 1);
            put(out, matrix->name[row], MATRIX_NAME, MATRIX_NAME);
            matrix_line(out, matrix, row, first, end, matrix->main, width);
            if (matrix->sub >= 0) {
                fprintf(out, "%*s", label, "");
                matrix_line(out, matrix, row, first, end, matrix->sub, width);
            }
        }
        fputc('\n', out);
    }
}

/* -------------------------------------------------------------------- boards */

static void board_plain(FILE *out, const struct doc_boards *boards, int row)
{
    const struct doc_table *table = boards->table;
    const struct doc_board *board = &boards->board[row];
    char text[DOC_CELL], drawing[DRAWING];

    put(out, doc_shown(text, table, row, boards->title), PAGE_COLUMNS, 0);
    fputc('\n', out);
    bg_board_draw(drawing, sizeof drawing, board->variant, &board->board,
                  board->has_id ? &board->id : NULL, board->below);
    fputs(drawing, out);
    for (int column = 0; column < table->columns; column++) {
        const struct doc_column *head = &table->column[column];

        if (doc_is_shown(table, column) && column != boards->title &&
            doc_at(table, row, column)->kind != DOC_NONE) {
            fprintf(out, "  %-10s ", head->title);
            put(out, doc_shown(text, table, row, column), INT16_MAX, 0);
            fprintf(out, "%s%s\n", head->unit == NULL ? "" : " ",
                    head->unit == NULL ? "" : head->unit);
        }
    }
    fputc('\n', out);
}

static void boards_plain(FILE *out, const struct doc_boards *boards)
{
    if (boards->count > 0) {
        page_wrap(out, 0, "%s", boards->caption);
        fputc('\n', out);
    }
    for (int row = 0; row < boards->count && row < boards->table->rows; row++) {
        board_plain(out, boards, row);
    }
}

/* Plots are left out: the tables beside them have every number. */
static enum bg_status block_plain(FILE *out, const struct doc_block *block, struct bg_error *err)
{
    const struct doc_note *note = (const struct doc_note *)block;

    switch (block->kind) {
    case DOC_NOTE:
        page_wrap(out, 2, "%s%s", note->warning ? "! " : "* ", note->text);
        break;
    case DOC_TABLE:
        return table_plain(out, (const struct doc_table *)block, err);
    case DOC_MATRIX:
        matrix_plain(out, (const struct doc_matrix *)block);
        break;
    case DOC_BOARDS:
        boards_plain(out, (const struct doc_boards *)block);
        break;
    case DOC_PLOT:
        break;
    }
    return BG_OK;
}

static void underline(FILE *out, const char *title, char mark)
{
    int length = markup_length(title);

    put(out, title, PAGE_COLUMNS, 0);
    fputc('\n', out);
    for (int i = 0; i < length && i < PAGE_COLUMNS; i++) {
        fputc(mark, out);
    }
    fputs("\n\n", out);
}

enum bg_status document_plain(FILE *out, const struct doc *doc, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    underline(out, doc->title, '=');
    if (doc->lead[0] != '\0') {
        page_wrap(out, 0, "%s", doc->lead);
        fputc('\n', out);
    }
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        underline(out, section->title, '-');
        for (const struct doc_block *block = section->first; status == BG_OK && block != NULL;
             block = block->next) {
            status = block_plain(out, block, err);
        }
        fputc('\n', out);
    }
    if (status == BG_OK && ferror(out) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "write report: %s", strerror(errno));
    }
    return status;
}
