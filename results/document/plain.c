/* Text for a terminal: at most 80 columns. A wider table continues below, again with its first
 * column; texts to copy are printed under the table.
 */
#include "base/memory.h"
#include "document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/api.h>

#include "plain_text.h"
#include "tree.h"
#include "width.h"

enum {
    GAP = 2,
    COMPACT_COLUMNS = 100,
    NAME_MOST = 34,
    TEXT_MOST = 44,
    DRAWING = 4096,
    MATRIX_NAME = 16,
    MATRIX_NUMBER = 6, /* columns before a name */
    FOLDED_TITLES = 15,
    CODES = 4
};

struct layout {
    const struct doc_view *view;
    int *width; /* by pick; 0: not printed; negative: numbers, right-aligned */
};

static int head_pick(const struct doc_view *view)
{
    for (int pick = 0; pick < view->picks; pick++) {
        if (doc_pick_at(view, pick).main == view->table->head) {
            return pick;
        }
    }
    return 0;
}

static bool is_head(const struct doc_view *view, int pick)
{
    return doc_pick_at(view, pick).main == view->table->head;
}

static bool is_code(const struct doc_view *view, int pick)
{
    return view->table->column[doc_pick_at(view, pick).main].code;
}

/* Writes both lines of a cell, cut to its column's width. */
static void cell_text(char out[WIDTH_FIT], const struct doc_view *view, int row, int pick)
{
    char shown[DOC_CELL], sub[2 * DOC_CELL], both[3 * DOC_CELL + 2];
    const char *text = doc_shown(shown, view->table, row, doc_pick_at(view, pick).main);

    doc_sub(sub, view, row, pick);
    if (sub[0] != '\0') {
        snprintf(both, sizeof both, "%.63s %s", text, sub);
        text = both;
    }
    width_fit(out, text, is_head(view, pick) ? NAME_MOST : TEXT_MOST,
              is_head(view, pick) ? WIDTH_NAME : WIDTH_TEXT, "~", width_column);
}

static const char *title_of(const struct doc_view *view, int pick)
{
    return view->table->column[doc_pick_at(view, pick).main].title;
}

/* A unit has a line of its own under the title: beside it, the two would often be wider than the
 * numbers of the column. Compact tables have no room for it. */
static void units_of(char out[WIDTH_FIT], const struct doc_view *view, int pick)
{
    const char *unit = view->table->column[doc_pick_at(view, pick).main].unit;
    const char *sub = doc_sub_head(view, pick);

    unit = unit == NULL || view->table->compact ? "" : unit;
    snprintf(out, WIDTH_FIT, "%s%s%s", unit, unit[0] != '\0' && sub[0] != '\0' ? ", " : "", sub);
}

/* The widest cell that is printed decides. A folded row does not count: it would make a column
 * wider for a text that nobody sees. */
static int width_of_pick(const struct doc_view *view, int pick)
{
    char text[WIDTH_FIT];
    int width = 1;

    if (!doc_pick_shown(view, pick) || is_code(view, pick)) {
        return 0;
    }
    for (int row = 0; row < view->table->rows; row++) {
        if (!doc_row_is_folded(view, row)) {
            cell_text(text, view, row, pick);
            width = width_columns(text) > width ? width_columns(text) : width;
        }
    }
    units_of(text, view, pick);
    width = width_columns(text) > width ? width_columns(text) : width;
    width =
        width_columns(title_of(view, pick)) > width ? width_columns(title_of(view, pick)) : width;
    return doc_is_text(view->table, doc_pick_at(view, pick).main) ? width : -width;
}

static int columns_of(const struct doc_table *table)
{
    return table->compact ? COMPACT_COLUMNS : PLAIN_COLUMNS;
}

/* Finds the picks of one block: from `first` on as many as fit; later blocks repeat the head
 * column. Returns the first pick of the next block. */
static int block_end(const struct layout *layout, int first)
{
    /* The first column of a block is taken even if it is wider than the terminal: else the
     * blocks would never end. */
    int used = first > 0 ? abs(layout->width[head_pick(layout->view)]) : -GAP, pick = first;
    int most = columns_of(layout->view->table);

    for (; pick < layout->view->picks; pick++) {
        int width = layout->width[pick] == 0 ? 0 : abs(layout->width[pick]) + GAP;

        if (pick > first && used + width > most) {
            break;
        }
        used += width;
    }
    return pick;
}

enum { ROW_TITLES = -2, ROW_UNITS = -1 };

static void text_at(char out[WIDTH_FIT], const struct layout *layout, int row, int pick)
{
    if (row == ROW_TITLES) {
        snprintf(out, WIDTH_FIT, "%s", title_of(layout->view, pick));
    } else if (row == ROW_UNITS) {
        units_of(out, layout->view, pick);
    } else {
        cell_text(out, layout->view, row, pick);
    }
}

/* Prints one line of a block. No line ends in blanks. */
static void block_line(FILE *out, const struct layout *layout, int first, int end, int row)
{
    int blanks = 0, head = head_pick(layout->view);
    bool begun = false;

    for (int pick = first > 0 ? head : 0; pick < end; pick = pick < first ? first : pick + 1) {
        int width = layout->width[pick], length;
        char text[WIDTH_FIT];

        if (width == 0) {
            continue;
        }
        blanks += begun ? GAP : 0;
        begun = true;
        text_at(text, layout, row, pick);
        length = width_columns(text);
        if (length == 0) {
            blanks += abs(width);
            continue;
        }
        blanks += width < 0 ? -width - length : 0;
        fprintf(out, "%*s%s", blanks, "", text);
        blanks = width < 0 ? 0 : width - length;
    }
    fputc('\n', out);
}

static bool has_units(const struct layout *layout, int first, int end)
{
    char text[WIDTH_FIT];

    for (int pick = first; pick < end; pick++) {
        units_of(text, layout->view, pick);
        if (layout->width[pick] != 0 && text[0] != '\0') {
            return true;
        }
    }
    return false;
}

/* Whether a block has content beside the names of its rows. */
static bool says_more(const struct layout *layout, int first, int end)
{
    for (int pick = first; pick < end; pick++) {
        if (layout->width[pick] != 0 && (first == 0 || !is_head(layout->view, pick))) {
            return true;
        }
    }
    return false;
}

static void blocks(FILE *out, const struct layout *layout)
{
    const struct doc_view *view = layout->view;

    for (int first = 0, end; first < view->picks; first = end) {
        end = block_end(layout, first);
        if (!says_more(layout, first, end)) {
            continue;
        }
        block_line(out, layout, first, end, ROW_TITLES);
        if (has_units(layout, first, end)) {
            block_line(out, layout, first, end, ROW_UNITS);
        }
        for (int row = 0; row < view->table->rows; row++) {
            if (!doc_row_is_folded(view, row)) {
                block_line(out, layout, first, end, row);
            }
        }
        fputc('\n', out);
    }
}

/* Prints the texts to copy: uncut, row by row. */
static void codes(FILE *out, const struct doc_view *view)
{
    for (int row = 0; row < view->table->rows; row++) {
        bool begun = false;

        for (int pick = 0; pick < view->picks; pick++) {
            int column = doc_pick_at(view, pick).main;
            char text[DOC_CELL], name[WIDTH_FIT];

            if (!is_code(view, pick) || !doc_pick_shown(view, pick) ||
                doc_at(view->table, row, column)->kind == DOC_NONE ||
                doc_row_is_folded(view, row)) {
                continue;
            }
            if (!begun) {
                cell_text(name, view, row, head_pick(view));
                fprintf(out, "%s\n", name);
            }
            begun = true;
            plain_code(out, 0, title_of(view, pick), doc_shown(text, view->table, row, column));
        }
        fputs(begun ? "\n" : "", out);
    }
}

/* Rows without content are one list of names: as rows they would be a column of dashes. */
static void folded(FILE *out, const struct doc_view *view)
{
    struct plain_list list = {.out = out, .before = "* Nothing to show: "};
    char text[DOC_CELL];

    for (int row = 0; row < view->table->rows; row++) {
        if (doc_row_is_folded(view, row)) {
            plain_list_add(&list, doc_shown(text, view->table, row, view->table->head));
        }
    }
    plain_list_end(&list);
}

static void view_plain(FILE *out, const struct doc_view *view)
{
    struct layout layout = {.view = view};
    int shown = 0;

    layout.width = memory_zeroed((size_t)view->picks, sizeof *layout.width);
    for (int row = 0; row < view->table->rows; row++) {
        shown += !doc_row_is_folded(view, row);
    }
    for (int pick = 0; pick < view->picks; pick++) {
        layout.width[pick] = width_of_pick(view, pick);
    }
    if (shown > 0) {
        if (view->caption[0] != '\0') {
            plain_paragraph(out, 0, view->caption);
        }
        blocks(out, &layout);
        codes(out, view);
    }
    folded(out, view);
    free(layout.width);
}

/* The titles of all facts of a place are as wide as the widest of them, so that the values stand
 * under each other; those of other places do not count. */
static void facts_plain(FILE *out, const struct doc_table *table, enum doc_fact place)
{
    enum { TITLE = 1, VALUE };
    char shown[DOC_CELL];
    int width = 0;

    for (int row = 0; row < table->rows; row++) {
        int columns = width_columns(doc_shown(shown, table, row, TITLE));

        width = doc_fact_is(table, row, place) && columns > width ? columns : width;
    }
    for (int row = 0; row < table->rows; row++) {
        const char *title = doc_at(table, row, TITLE)->text;

        if (!doc_fact_is(table, row, place)) {
            continue;
        }
        if (doc_at(table, row, VALUE)->strong) {
            plain_code(out, width, title, doc_shown(shown, table, row, VALUE));
        } else {
            plain_fact(out, width, title, doc_shown(shown, table, row, VALUE));
        }
    }
    fputc('\n', out);
}

static void table_plain(FILE *out, const struct doc_table *table)
{
    const struct doc_view view = {
        .caption = table->caption, .table = table, .picks = table->columns};

    if (table->data || table->rows == 0) {
        return;
    }
    if (table->facts) {
        plain_paragraph(out, 0, table->caption);
        facts_plain(out, table, DOC_FACT_BELOW);
    } else {
        view_plain(out, &view);
    }
}

/* ------------------------------------------------------------------ matrices */

/* Writes a cell; the sign of its tone comes before the main line. */
static void matrix_text(char out[WIDTH_FIT], const struct doc_matrix *matrix, int row, int column,
                        int which)
{
    char shown[DOC_CELL];
    int at = row == column ? -1 : doc_matrix_row(matrix, row, column);
    const struct doc_cell *tone =
        at < 0 || matrix->tone < 0 ? NULL : doc_at(matrix->table, at, matrix->tone);
    /* HTML shows who is ahead by a colour, which a text does not have, nor everybody sees. */
    bool signed_cell = which == matrix->main && tone != NULL && tone->kind == DOC_NUMBER;

    out[0] = '\0';
    if (at >= 0) {
        snprintf(out, WIDTH_FIT, "%s%s%s", signed_cell ? doc_tone_sign[2 + (int)tone->number] : "",
                 signed_cell ? " " : "", doc_shown(shown, matrix->table, at, which));
    }
}

/* Columns of the rows' names: as the longest, at most MATRIX_NAME. */
static int matrix_names(const struct doc_matrix *matrix)
{
    int width = 1;

    for (int row = 0; row < matrix->count && width < MATRIX_NAME; row++) {
        int columns = width_columns(matrix->name[row]);

        width = columns > width ? columns : width;
    }
    return width < MATRIX_NAME ? width : MATRIX_NAME;
}

static int matrix_width(const struct doc_matrix *matrix)
{
    char text[WIDTH_FIT];
    int width = 3;

    for (int row = 0; row < matrix->count; row++) {
        for (int column = 0; column < matrix->count; column++) {
            matrix_text(text, matrix, row, column, matrix->main);
            width = width_columns(text) > width ? width_columns(text) : width;
            if (matrix->sub >= 0) {
                matrix_text(text, matrix, row, column, matrix->sub);
                width = width_columns(text) > width ? width_columns(text) : width;
            }
        }
    }
    return width + GAP;
}

/* The first line of a row begins with its name. No line ends in blanks. */
static void matrix_line(FILE *out, const struct doc_matrix *matrix, int row, int first, int end,
                        int which, int width)
{
    char text[WIDTH_FIT];
    int names = matrix_names(matrix), blanks = MATRIX_NUMBER + names;

    if (which == matrix->main) {
        width_fit(text, matrix->name[row], names, WIDTH_NAME, "~", width_column);
        fprintf(out, "%4d  %s", row + 1, text);
        blanks = names - width_columns(text);
    }
    for (int column = first; column < end; column++) {
        matrix_text(text, matrix, row, column, which);
        blanks += width;
        if (text[0] != '\0') {
            fprintf(out, "%*s%s", blanks - width_columns(text), "", text);
            blanks = 0;
        }
    }
    fputc('\n', out);
}

static void legend(FILE *out, const struct doc_matrix *matrix)
{
    struct plain_list list = {.out = out, .before = "The row is "};

    for (int tone = 4; matrix->tone >= 0 && tone >= 0; tone--) {
        char text[WIDTH_FIT];

        snprintf(text, sizeof text, "%s %s", doc_tone_sign[tone], doc_tone_says[tone]);
        plain_list_add(&list, text);
    }
    plain_list_end(&list);
}

/* Columns have the numbers of the bots only: names above them would make every column as wide as
 * the longest name, and a table of ten bots several blocks. */
static void matrix_plain(FILE *out, const struct doc_matrix *matrix)
{
    int width = matrix_width(matrix), label = MATRIX_NUMBER + matrix_names(matrix);
    int fit = (columns_of(matrix->table) - label) / width;

    if (matrix->count < 2) {
        return;
    }
    plain_paragraph(out, 0, matrix->caption);
    legend(out, matrix);
    for (int first = 0; first < matrix->count; first += fit) {
        int end = first + fit < matrix->count ? first + fit : matrix->count;

        fprintf(out, "%*s", label, "");
        for (int column = first; column < end; column++) {
            fprintf(out, "%*d", width, column + 1);
        }
        fputc('\n', out);
        for (int row = 0; row < matrix->count; row++) {
            matrix_line(out, matrix, row, first, end, matrix->main, width);
            if (matrix->sub >= 0) {
                matrix_line(out, matrix, row, first, end, matrix->sub, width);
            }
        }
        fputc('\n', out);
    }
}

/* -------------------------------------------------------------------- boards */

/* A drawn board starts at the left edge; what does not fit beside it is printed below its line. */
static void drawing_plain(FILE *out, char *drawing)
{
    char *rest = NULL;

    for (char *text = strtok_r(drawing, "\n", &rest); text != NULL;
         text = strtok_r(NULL, "\n", &rest)) {
        int columns;

        text += text[0] == ' ';
        columns = width_columns(text);
        /* The last "|" is the board's right edge: what is cut off behind it is the text beside
         * the board. */
        if (columns > PLAIN_COLUMNS && strrchr(text, '|') != NULL) {
            int board = (int)(strrchr(text, '|') - text) + 1;

            fprintf(out, "%.*s\n%*s%s\n", board, text, CODES, "",
                    text + board + strspn(text + board, " "));
        } else {
            fprintf(out, "%s\n", text);
        }
    }
}

static void board_plain(FILE *out, const struct doc_boards *boards, int row)
{
    enum { TITLES = 8 };
    const struct doc_table *table = boards->table;
    const struct doc_board *board = &boards->board[row];
    char shown[DOC_CELL], text[WIDTH_FIT], drawing[DRAWING];

    plain_paragraph(out, 0, doc_shown(shown, table, row, boards->title));
    bg_board_draw(drawing, sizeof drawing, board->pos.variant, &board->pos.board,
                  board->has_id ? &board->id : NULL, board->below);
    drawing_plain(out, drawing);
    for (int column = 0; column < table->columns; column++) {
        const struct doc_column *head = &table->column[column];
        const char *said = doc_shown(shown, table, row, column);

        if (column == boards->group || !doc_board_has(boards, row, column)) {
            continue;
        }
        if (head->code) {
            plain_code(out, TITLES, head->title, said);
        } else {
            snprintf(text, sizeof text, "%.63s%s%s", said, head->unit == NULL ? "" : " ",
                     head->unit == NULL ? "" : head->unit);
            plain_fact(out, TITLES, head->title, text);
        }
    }
    fputc('\n', out);
}

static void boards_plain(FILE *out, const struct doc_boards *boards)
{
    if (boards->count > 0) {
        plain_paragraph(out, 0, boards->caption);
        fputc('\n', out);
    }
    for (int row = 0; row < boards->count && row < boards->table->rows; row++) {
        if (boards->board[row].pos.variant != NULL) {
            board_plain(out, boards, row);
        }
    }
}

/* Leaves out plots: the tables beside them have every number. */
static void block_plain(FILE *out, const struct doc_block *block)
{
    const struct doc_note *note = (const struct doc_note *)block;

    switch (block->kind) {
    case DOC_NOTE:
        fputs(note->kind == DOC_NOTE_WARNING ? "! " : "* ", out);
        plain_indented(out, 2, note->text);
        break;
    case DOC_TABLE:
        table_plain(out, (const struct doc_table *)block);
        break;
    case DOC_VIEW:
        view_plain(out, (const struct doc_view *)block);
        break;
    case DOC_MATRIX:
        matrix_plain(out, (const struct doc_matrix *)block);
        break;
    case DOC_BOARDS:
        boards_plain(out, (const struct doc_boards *)block);
        break;
    case DOC_TREE:
        tree_plain_write(out, (const struct doc_tree *)block);
        break;
    case DOC_PLOT:
        break;
    }
}

static void underline(FILE *out, const char *title, char mark)
{
    int length = width_columns(title);

    plain_paragraph(out, 0, title);
    for (int i = 0; i < length && i < PLAIN_COLUMNS; i++) {
        fputc(mark, out);
    }
    fputs("\n\n", out);
}

/* An empty line between notes and what follows: a table has one behind it. */
static void blocks_plain(FILE *out, const struct doc_section *section)
{
    for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
        block_plain(out, block);
        if (block->kind == DOC_NOTE && block->next != NULL && block->next->kind != DOC_NOTE) {
            fputc('\n', out);
        }
    }
}

static void section_plain(FILE *out, const struct doc_section *section)
{
    underline(out, section->title, '-');
    blocks_plain(out, section);
    fputc('\n', out);
}

/* One list at the end: a heading for each section that has nothing to show would hide the
 * others. */
static void folded_sections(FILE *out, const struct doc *doc)
{
    bool any = false;

    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        const struct doc_note *note = (const struct doc_note *)section->first;

        if (section->folded && note != NULL) {
            if (!any) {
                underline(out, "Nothing to show", '-');
            }
            plain_fact(out, FOLDED_TITLES, section->title, note->text);
            any = true;
        }
    }
}

static void head_plain(FILE *out, const struct doc *doc)
{
    underline(out, doc->title, '=');
    if (doc->about[0] != '\0') {
        plain_paragraph(out, 0, doc->about);
        fputc('\n', out);
    }
    if (doc->lead[0] != '\0') {
        plain_paragraph(out, 0, doc->lead);
        fputc('\n', out);
    }
    if (doc->state[0] != '\0') {
        fputs("! ", out);
        plain_indented(out, 2, doc->state);
        fputc('\n', out);
    }
    if (doc->top != NULL) {
        facts_plain(out, doc->top, DOC_FACT_TOP);
    }
}

/* Asked once, at the end: stdio remembers an error of any write before. What it still buffers is
 * written by the caller, who has opened the file. */
static enum bg_status written(FILE *out, struct bg_error *err)
{
    return ferror(out) == 0 ? BG_OK
                            : bg_error_set(err, BG_E_SYSTEM, "write report: %s", strerror(errno));
}

enum bg_status document_plain(FILE *out, const struct doc *doc, struct bg_error *err)
{
    head_plain(out, doc);
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        if (!section->folded) {
            section_plain(out, section);
        }
    }
    folded_sections(out, doc);
    return written(out, err);
}

enum bg_status document_blocks(FILE *out, const struct doc *doc, struct bg_error *err)
{
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        blocks_plain(out, section);
    }
    return written(out, err);
}
