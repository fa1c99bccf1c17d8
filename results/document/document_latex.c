/* LaTeX: the tables as they are printed, each as a float that a paper can \input. It needs T1 fonts
 * and no package, so that it compiles wherever LaTeX does. Letters that such fonts lack are written
 * by their number: pdflatex would stop at them. */
#include "document.h"

#include <errno.h>
#include <string.h>

#include <rules/clean.h>

#include "width.h"

enum {
    TEXT = 1024,
    WIDE = 26,          /* columns of a text that gets several lines */
    MATRIX_COLUMNS = 16 /* side by side */
};

/* Characters with a command of their own. */
static const struct {
    uint32_t character;
    const char *command;
} commands[] = {
    {'\\', "\\textbackslash{}"},
    {'~', "\\textasciitilde{}"},
    {'^', "\\textasciicircum{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'`', "\\textasciigrave{}"},
    {'"', "\\textquotedbl{}"},
    {0x00b1, "$\\pm$"},
    {0x00b5, "$\\mu$"},
    {0x00b7, "$\\cdot$"},
    {0x00bd, "$\\frac{1}{2}$"},
    {0x00d7, "$\\times$"},
    {0x2013, "--"},
    {0x2014, "---"},
    {0x2020, "$\\dagger$"},
    {0x2026, "\\dots{}"},
    {0x2212, "$-$"},
};

/* Letters with accents, and those of Europe that T1 fonts have. */
static bool t1_has(uint32_t character)
{
    static const uint32_t missing[] = {0xd7,  0xf7,  0x126, 0x127, 0x138,
                                       0x13f, 0x140, 0x149, 0x166, 0x167};

    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        if (missing[i] == character) {
            return false;
        }
    }
    return character >= 0xc0 && character <= 0x17e;
}

/* before: the character in front of it, 0 none. */
static void tex_character(FILE *out, uint32_t character, uint32_t before, const char *bytes,
                          size_t size)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (commands[i].character == character) {
            fputs(commands[i].command, out);
            return;
        }
    }
    if (character < 0x80 && strchr("#$%&_{}", (int)character) != NULL) {
        fprintf(out, "\\%c", (char)character);
    } else if (character < 0x80 &&
               (strchr("[]*", (int)character) != NULL ||
                (character == before && strchr("-,'", (int)character) != NULL))) {
        /* In braces: two of them would become another sign, and one behind the end of a row a
         * part of the command that ends it. */
        fprintf(out, "{%c}", (char)character);
    } else if (character < 0x80 || t1_has(character)) {
        fwrite(bytes, 1, size, out);
    } else {
        fprintf(out, "{[}U+%04X{]}", (unsigned)character);
    }
}

static void tex_text(FILE *out, const char *text)
{
    char clean[TEXT];
    size_t size = clean_write(clean, sizeof clean, text, strlen(text), CLEAN_LINE), used;
    uint32_t before = 0;

    for (size_t at = 0; at < size; at += used) {
        uint32_t character;

        used = clean_character(&character, clean + at, size - at);
        if (used == 0) {
            break; /* clean text has none */
        }
        tex_character(out, character, before, clean + at, used);
        before = character;
    }
}

/* A minus, not a hyphen. */
static void tex_number(FILE *out, const char *number)
{
    bool is_negative = number[0] == '-' && number[1] != '\0';

    fputs(is_negative ? "$-$" : "", out);
    tex_text(out, number + is_negative);
}

static void float_begin(FILE *out, const char *name, int count, const char *caption)
{
    fputs("\\begin{table}[htbp]\n\\centering\n\\caption{", out);
    tex_text(out, caption);
    fprintf(out, "}\\label{tab:%s", name);
    fprintf(out, count > 1 ? "-%d}\n" : "}\n", count);
    fputs("\\begin{tabular}{", out);
}

static void float_end(FILE *out)
{
    fputs("\\hline\n\\end{tabular}\n\\end{table}\n\n", out);
}

/* How a column stands: numbers at the right, long texts in lines. */
static const char *alignment(const struct doc_table *table, int column)
{
    char text[DOC_CELL];

    if (!doc_is_text(table, column)) {
        return "r";
    }
    for (int row = 0; row < table->rows; row++) {
        if (width_columns(doc_shown(text, table, row, column)) > WIDE) {
            return "p{0.25\\linewidth}";
        }
    }
    return "l";
}

static void tex_cell(FILE *out, const struct doc_view *view, int row, int pick)
{
    int column = doc_pick_at(view, pick).main;
    const struct doc_cell *cell = doc_at(view->table, row, column);
    char text[DOC_CELL], sub[2 * DOC_CELL];
    const char *shown = doc_shown(text, view->table, row, column);

    fputs(cell->strong ? "\\textbf{" : "", out);
    (cell->kind == DOC_NUMBER ? tex_number : tex_text)(out, shown);
    fputs(cell->strong ? "}" : "", out);
    if (doc_sub(sub, view, row, pick)[0] != '\0') {
        bool is_range = doc_pick_at(view, pick).before == NULL;

        fputs(is_range ? " (" : " ", out);
        tex_text(out, sub);
        fputs(is_range ? ")" : "", out);
    }
}

/* Writes one line of a view: its heads (row -2), the units below them (-1), or a row. */
static void tex_line(FILE *out, const struct doc_view *view, int row)
{
    const char *between = "";

    for (int pick = 0; pick < view->picks; pick++) {
        const struct doc_column *head = &view->table->column[doc_pick_at(view, pick).main];

        if (!doc_pick_shown(view, pick)) {
            continue;
        }
        fputs(between, out);
        between = " & ";
        if (row >= 0) {
            tex_cell(out, view, row, pick);
        } else if (row == -2) {
            tex_text(out, head->title);
        } else {
            const char *sub = doc_sub_head(view, pick);

            tex_text(out, head->unit == NULL ? "" : head->unit);
            fputs(head->unit != NULL && sub[0] != '\0' ? ", " : "", out);
            tex_text(out, sub);
        }
    }
    fputs(" \\\\\n", out);
}

static void tex_view(FILE *out, const struct doc_view *view, int count)
{
    const struct doc_table *table = view->table;

    float_begin(out, table->name, count, view->caption);
    for (int pick = 0; pick < view->picks; pick++) {
        if (doc_pick_shown(view, pick)) {
            fputs(alignment(table, doc_pick_at(view, pick).main), out);
        }
    }
    fputs("}\n\\hline\n", out);
    tex_line(out, view, -2);
    tex_line(out, view, -1);
    fputs("\\hline\n", out);
    for (int row = 0; row < table->rows; row++) {
        if (!doc_row_is_folded(view, row)) {
            tex_line(out, view, row);
        }
    }
    float_end(out);
}

static void tex_matrix_row(FILE *out, const struct doc_matrix *matrix, int row, int first, int last)
{
    char text[DOC_CELL];

    fprintf(out, "%d ", row + 1);
    tex_text(out, matrix->name[row]);
    for (int column = first; column < last; column++) {
        int at = row == column ? -1 : doc_matrix_row(matrix, row, column);
        bool strong = at >= 0 && doc_at(matrix->table, at, matrix->main)->strong;

        fputs(strong ? " & \\textbf{" : " & ", out);
        if (at >= 0) {
            tex_text(out, doc_shown(text, matrix->table, at, matrix->main));
        }
        fputs(strong ? "}" : "", out);
    }
    fputs(" \\\\\n", out);
}

/* The results without the line below them, which a page of paper has no room for. */
static void tex_matrix(FILE *out, const struct doc_matrix *matrix, int *count)
{
    for (int first = 0; first < matrix->count; first += MATRIX_COLUMNS) {
        int last = first + MATRIX_COLUMNS < matrix->count ? first + MATRIX_COLUMNS : matrix->count;

        float_begin(out, matrix->table->name, ++*count, matrix->caption);
        fputc('l', out);
        for (int column = first; column < last; column++) {
            fputc('r', out);
        }
        fputs("}\n\\hline\n", out);
        tex_text(out, matrix->title);
        for (int column = first; column < last; column++) {
            fprintf(out, " & %d", column + 1);
        }
        fputs(" \\\\\n\\hline\n", out);
        for (int row = 0; row < matrix->count; row++) {
            tex_matrix_row(out, matrix, row, first, last);
        }
        float_end(out);
    }
}

static void tex_table(FILE *out, const struct doc_table *table, int *count)
{
    const struct doc_view view = {
        .caption = table->caption, .table = table, .picks = table->columns};

    tex_view(out, &view, ++*count);
}

/* Writes the tables of a block under the name that they all have; *count: those written so far. */
static void tex_block(FILE *out, const struct doc_block *block, int *count)
{
    const struct doc_table *table = doc_block_table(block);

    if (block->kind == DOC_VIEW && table->rows > 0) {
        tex_view(out, (const struct doc_view *)block, ++*count);
    } else if (block->kind == DOC_MATRIX) {
        tex_matrix(out, (const struct doc_matrix *)block, count);
    } else if (block->kind == DOC_TABLE && !table->data && !table->facts && table->rows > 0) {
        tex_table(out, table, count);
    }
}

/* Every table by its name, with its views and matrices: labels are numbered in a name. */
static void tex_named(FILE *out, const struct doc *doc, const struct doc_table *wanted)
{
    int count = 0;

    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
            const struct doc_table *table = doc_block_table(block);

            if (table != NULL && strcmp(table->name, wanted->name) == 0) {
                tex_block(out, block, &count);
            }
        }
    }
    if (count == 0 && doc->only != NULL) {
        tex_table(out, wanted, &count); /* one that the page shows as a drawing */
    }
}

enum bg_status document_latex(FILE *out, const struct doc *doc, struct bg_error *err)
{
    fputs("% Made by bgref. Needs \\usepackage[T1]{fontenc}, and a LaTeX of 2020 or later.\n\n",
          out);
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
            const struct doc_table *table = (const struct doc_table *)block;

            if (block->kind == DOC_TABLE && !table->facts && doc_is_wanted(doc, table)) {
                tex_named(out, doc, table);
            }
        }
    }
    return ferror(out) == 0 ? BG_OK
                            : bg_error_set(err, BG_E_SYSTEM, "write tables: %s", strerror(errno));
}
