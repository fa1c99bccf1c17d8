/* A document is memory that is freed at once: texts, tables and cells live as long as it, so
 * whoever adds to it owns nothing and no error path frees a part. */
#include "document.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FACT_KEY, FACT_TITLE, FACT_VALUE };

const char *const doc_tone_sign[5] = {"\u25bc", "\u25bd", "=", "\u25b3", "\u25b2"};
const char *const doc_tone_says[5] = {"clearly behind (95 %)", "behind", "even", "ahead",
                                      "clearly ahead (95 %)"};

/* Memory for the life of the document, kept in a list. */
struct doc_memory {
    struct doc_memory *next;
    max_align_t bytes[];
};

/* ------------------------------------------------------------------ memory */

static void *doc_alloc(struct doc *doc, size_t size)
{
    struct doc_memory *memory = memory_zeroed(1, sizeof *memory + size);

    memory->next = doc->memory;
    doc->memory = memory;
    return memory->bytes;
}

/* Returns a larger place for an array; the old place stays allocated until the end. Pointers
 * into the old place may be held by views, and cost no more than the document's life. */
static void *doc_grow(struct doc *doc, const void *old, int *room, size_t size)
{
    int more = *room < 8 ? 8 : 2 * *room;
    void *place = doc_alloc(doc, (size_t)more * size);

    if (*room > 0) {
        memcpy(place, old, (size_t)*room * size);
    }
    *room = more;
    return place;
}

/* One element more, so that an array of no elements has an address. */
void *doc_array(struct doc *doc, size_t count, size_t size)
{
    return doc_alloc(doc, (count + 1) * size);
}

struct doc *doc_create(const char *title)
{
    struct doc *doc = memory_zeroed(1, sizeof *doc);

    doc->end = &doc->first;
    doc->about = doc->lead = doc->state = "";
    doc->title = doc_copy(doc, title);
    return doc;
}

void doc_destroy(struct doc *doc)
{
    if (doc == NULL) {
        return;
    }
    while (doc->memory != NULL) {
        struct doc_memory *next = doc->memory->next;

        free(doc->memory);
        doc->memory = next;
    }
    free(doc);
}

/* ------------------------------------------------------------------- texts */

const char *doc_copy(struct doc *doc, const char *text)
{
    char *copy = doc_alloc(doc, strlen(text) + 1);

    return strcpy(copy, text);
}

static const char *doc_vformat(struct doc *doc, const char *format, va_list arguments)
{
    va_list again;
    int size;
    char *text;

    va_copy(again, arguments);
    size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0) {
        return "";
    }
    text = doc_alloc(doc, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    return text;
}

const char *doc_format(struct doc *doc, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = doc_vformat(doc, format, arguments);
    va_end(arguments);
    return text;
}

/* ------------------------------------------------------------------ blocks */

void doc_section(struct doc *doc, const char *id, const char *title)
{
    struct doc_section *section = doc_alloc(doc, sizeof *section);

    *section = (struct doc_section){.id = doc_copy(doc, id), .title = doc_copy(doc, title)};
    section->end = &section->first;
    *doc->end = doc->last = section;
    doc->end = &section->next;
}

static void *doc_block(struct doc *doc, enum doc_block_kind kind, size_t size)
{
    struct doc_block *block = doc_alloc(doc, size);

    assert(doc->last != NULL);
    block->kind = kind;
    *doc->last->end = block;
    doc->last->end = &block->next;
    return block;
}

static struct doc_note *put_note(struct doc *doc, enum doc_note_kind kind, const char *format,
                                 va_list arguments)
{
    struct doc_note *note = doc_block(doc, DOC_NOTE, sizeof *note);

    note->kind = kind;
    note->text = doc_vformat(doc, format, arguments);
    return note;
}

void doc_note(struct doc *doc, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    put_note(doc, DOC_NOTE_HOW, format, arguments);
    va_end(arguments);
}

void doc_tell(struct doc *doc, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    put_note(doc, DOC_NOTE_TELL, format, arguments);
    va_end(arguments);
}

void doc_nothing(struct doc *doc, const char *id, const char *title, const char *format, ...)
{
    va_list arguments;

    doc_section(doc, id, title);
    doc->last->folded = true;
    va_start(arguments, format);
    put_note(doc, DOC_NOTE_TELL, format, arguments);
    va_end(arguments);
}

void doc_warn(struct doc *doc, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    put_note(doc, DOC_NOTE_WARNING, format, arguments);
    va_end(arguments);
}

void doc_way(struct doc *doc, const char *path, const char *format, ...)
{
    struct doc_note *note;
    va_list arguments;

    va_start(arguments, format);
    note = put_note(doc, DOC_NOTE_TELL, format, arguments);
    va_end(arguments);
    note->path = doc_copy(doc, path);
}

struct doc_table *doc_table(struct doc *doc, const char *name, const char *caption,
                            const struct doc_column *columns, int count)
{
    struct doc_table *table = doc_block(doc, DOC_TABLE, sizeof *table);

    table->doc = doc;
    table->name = doc_copy(doc, name);
    table->caption = doc_copy(doc, caption);
    table->column = columns;
    table->columns = count;
    return table;
}

struct doc_table *doc_facts(struct doc *doc, const char *name, const char *caption)
{
    static const struct doc_column columns[] = {
        {"key", "", .use = DOC_DATA},
        {"title", .title = ""},
        {"value", .title = ""},
    };
    struct doc_table *table = doc_table(doc, name, caption, columns, 3);

    table->facts = true;
    table->head = FACT_TITLE;
    return table;
}

struct doc_view *doc_view(struct doc *doc, struct doc_table *table, const char *caption,
                          const struct doc_pick *picks, int count)
{
    struct doc_view *view = doc_block(doc, DOC_VIEW, sizeof *view);

    view->table = table;
    view->caption = doc_copy(doc, caption);
    view->pick = picks;
    view->picks = count;
    table->data = true;
    return view;
}

struct doc_matrix *doc_matrix(struct doc *doc, const struct doc_table *table, const char *caption)
{
    struct doc_matrix *matrix = doc_block(doc, DOC_MATRIX, sizeof *matrix);

    matrix->table = table;
    matrix->caption = doc_copy(doc, caption);
    matrix->sub = matrix->tone = -1;
    return matrix;
}

/* The cells are shared with the whole table, which therefore must not grow any more. */
struct doc_table *doc_part(struct doc_table *table, int first, int count)
{
    struct doc_table *part = doc_array(table->doc, 1, sizeof *part);

    assert(first >= 0 && count >= 0 && first + count <= table->rows);
    *part = *table;
    part->cell = table->cell + (size_t)first * (size_t)table->columns;
    part->rows = part->room = count;
    return part;
}

struct doc_tree *doc_tree(struct doc *doc, int rounds, const char *caption)
{
    struct doc_tree *tree = doc_block(doc, DOC_TREE, sizeof *tree);

    assert(rounds >= 1 && rounds <= 12);
    tree->rounds = rounds;
    tree->caption = doc_copy(doc, caption);
    tree->place = doc_array(doc, (size_t)1 << (rounds + 1), sizeof *tree->place);
    return tree;
}

/* Round 1 has the last half of the array, as in a heap. */
struct doc_place *doc_tree_place(const struct doc_tree *tree, int round, int at)
{
    return &tree->place[((size_t)1 << (tree->rounds + 1 - round)) + (size_t)at];
}

int doc_tree_line(int round, int at)
{
    return (at << round) + (1 << (round - 1)) - 1;
}

struct doc_plot *doc_plot(struct doc *doc, enum doc_plot_kind kind, const struct doc_table *table,
                          const char *caption)
{
    struct doc_plot *plot = doc_block(doc, DOC_PLOT, sizeof *plot);

    plot->kind = kind;
    plot->table = table;
    plot->caption = doc_copy(doc, caption);
    plot->zero = NAN;
    return plot;
}

struct doc_boards *doc_boards(struct doc *doc, const struct doc_table *table, const char *caption)
{
    struct doc_boards *boards = doc_block(doc, DOC_BOARDS, sizeof *boards);

    boards->table = table;
    boards->caption = doc_copy(doc, caption);
    boards->group = -1;
    return boards;
}

struct doc_board doc_board_of(const struct bg_match *match, int below)
{
    struct doc_board board = {.below = below};

    pos_of(&board.pos, match);
    board.has_id = bg_match_id_of(&board.id, match, NULL) == BG_OK;
    return board;
}

struct doc_board doc_board_of_xgid(const char *xgid)
{
    struct doc_board board = {.below = 0};
    struct bg_match_id *id = &board.id;
    struct pos *pos = &board.pos;

    if (xgid == NULL || bg_xgid_read(&pos->board, id, xgid, NULL) != BG_OK) {
        return board;
    }
    pos->variant = bg_variant_find("backgammon");
    pos->mover = id->move;
    pos->has_cube = true;
    pos->cube_log2 = id->cube_log2 + (id->doubled ? 1 : 0);
    pos->cube_owner = id->cube_owner;
    pos->offered = id->doubled ? id->move : -1;
    pos->dice = id->dice[0] == 0 ? 0 : id->dice[0] == id->dice[1] ? 4 : 2;
    for (int i = 0; i < pos->dice; i++) {
        pos->die[i] = (uint8_t)id->dice[i % 2];
    }
    pos->last_seat = -1;
    board.has_id = true;
    board.below = id->turn;
    return board;
}

void doc_board(struct doc_boards *boards, const struct doc_board *board)
{
    if (boards->count == boards->room) {
        boards->board =
            doc_grow(boards->table->doc, boards->board, &boards->room, sizeof *boards->board);
    }
    boards->board[boards->count++] = *board;
}

/* ------------------------------------------------------------------- cells */

void doc_row(struct doc_table *table)
{
    if (table->rows == table->room) {
        table->cell = doc_grow(table->doc, table->cell, &table->room,
                               (size_t)table->columns * sizeof *table->cell);
    }
    table->rows++;
}

static struct doc_cell *doc_cell(struct doc_table *table, int column)
{
    assert(table->rows > 0 && column >= 0 && column < table->columns);
    return &table->cell[(table->rows - 1) * table->columns + column];
}

void doc_number(struct doc_table *table, int column, double number)
{
    struct doc_cell *cell = doc_cell(table, column);

    *cell = (struct doc_cell){.kind = DOC_NUMBER, .number = number};
}

void doc_put(struct doc_table *table, int column, const struct doc_cell *cell)
{
    struct doc_cell *place = doc_cell(table, column);

    if (cell->kind == DOC_TEXT) {
        doc_text(table, column, cell->text);
    } else if (place != NULL) {
        *place = *cell;
    }
}

void doc_flag(struct doc_table *table, int column, bool flag)
{
    struct doc_cell *cell = doc_cell(table, column);

    *cell = (struct doc_cell){.kind = DOC_FLAG, .number = flag};
}

void doc_text(struct doc_table *table, int column, const char *text)
{
    struct doc_cell *cell = doc_cell(table, column);

    if (cell != NULL && text != NULL && text[0] != '\0') {
        *cell = (struct doc_cell){.kind = DOC_TEXT, .text = doc_copy(table->doc, text)};
    }
}

static void put_words(struct doc_table *table, int column, const char *format, va_list arguments)
{
    struct doc_cell *cell = doc_cell(table, column);

    *cell = (struct doc_cell){.kind = DOC_TEXT, .text = doc_vformat(table->doc, format, arguments)};
}

void doc_say(struct doc_table *table, int column, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    put_words(table, column, format, arguments);
    va_end(arguments);
}

void doc_mark(struct doc_table *table, int column, const char *mark)
{
    struct doc_cell *cell = doc_cell(table, column);

    cell->mark = mark;
}

void doc_small(struct doc_table *table, int column, bool small)
{
    struct doc_cell *cell = doc_cell(table, column);

    cell->after = small ? DOC_SMALL : NULL;
}

void doc_strong(struct doc_table *table, int column, bool strong)
{
    struct doc_cell *cell = doc_cell(table, column);

    cell->strong = strong;
}

void doc_lead_to(struct doc_table *table, int column, const char *path)
{
    doc_cell(table, column)->path = doc_copy(table->doc, path);
}

double doc_source_number(const struct doc_source *source, const void *from)
{
    const void *at = from == NULL ? NULL : (const char *)from + source->at;

    switch (at == NULL ? DOC_TYPE_NONE : source->type) {
    case DOC_TYPE_DOUBLE:
        return source->factor * *(const double *)at;
    case DOC_TYPE_INT:
        return source->factor * *(const int *)at;
    case DOC_TYPE_BOOL:
        return source->factor * *(const bool *)at;
    case DOC_TYPE_I64:
        return source->factor * (double)*(const int64_t *)at;
    case DOC_TYPE_U64:
        return source->factor * (double)*(const uint64_t *)at;
    case DOC_TYPE_TEXT:
    case DOC_TYPE_NONE:
        break;
    }
    return NAN;
}

void doc_fill(struct doc_table *table, const void *from)
{
    for (int column = 0; from != NULL && column < table->columns; column++) {
        const struct doc_source *source = &table->column[column].from;

        if (source->type == DOC_TYPE_TEXT) {
            doc_text(table, column, *(const char *const *)((const char *)from + source->at));
        } else if (source->type == DOC_TYPE_BOOL) {
            doc_flag(table, column, doc_source_number(source, from) != 0);
        } else if (source->type != DOC_TYPE_NONE) {
            doc_number(table, column, doc_source_number(source, from));
        }
    }
}

void doc_fold(struct doc_table *table)
{
    struct doc_cell *cell = doc_cell(table, table->head);

    cell->folded = true;
}

void doc_fact_place(struct doc_table *facts, enum doc_fact place)
{
    struct doc_cell *cell = doc_cell(facts, FACT_TITLE);

    cell->place = place;
}

void doc_fact(struct doc_table *facts, const char *key, const char *title, const char *format, ...)
{
    va_list arguments;

    doc_row(facts);
    doc_text(facts, FACT_KEY, key);
    doc_text(facts, FACT_TITLE, title);
    va_start(arguments, format);
    put_words(facts, FACT_VALUE, format, arguments);
    va_end(arguments);
}

void doc_fact_code(struct doc_table *facts, const char *key, const char *title, const char *text)
{
    doc_fact(facts, key, title, "%s", text);
    doc_strong(facts, FACT_VALUE, true);
}

void doc_fact_number(struct doc_table *facts, const char *key, const char *title, double number)
{
    doc_row(facts);
    doc_text(facts, FACT_KEY, key);
    doc_text(facts, FACT_TITLE, title);
    doc_number(facts, FACT_VALUE, number);
}

void doc_fact_flag(struct doc_table *facts, const char *key, const char *title, bool flag)
{
    doc_row(facts);
    doc_text(facts, FACT_KEY, key);
    doc_text(facts, FACT_TITLE, title);
    doc_flag(facts, FACT_VALUE, flag);
}

/* ----------------------------------------------------------------- names */

void doc_set_aliases(struct doc *doc, struct doc_alias *alias, int count)
{
    doc->alias = alias;
    doc->aliases = alias == NULL ? 0 : count;
}

static int compare_alias(const void *name, const void *alias)
{
    return strcmp(name, ((const struct doc_alias *)alias)->name);
}

const char *doc_alias(const struct doc *doc, const char *name)
{
    const struct doc_alias *alias =
        doc->aliases == 0
            ? NULL
            : bsearch(name, doc->alias, (size_t)doc->aliases, sizeof *alias, compare_alias);

    return alias == NULL ? name : alias->shown;
}

/* ----------------------------------------------------------------- reading */

const struct doc_cell *doc_at(const struct doc_table *table, int row, int column)
{
    return &table->cell[row * table->columns + column];
}

const char *doc_shown(char out[DOC_CELL], const struct doc_table *table, int row, int column)
{
    const struct doc_cell *cell = doc_at(table, row, column);
    const struct doc_column *head = &table->column[column];

    switch (cell->kind) {
    case DOC_TEXT:
        return head->bot ? doc_alias(table->doc, cell->text) : cell->text;
    case DOC_FLAG:
        return cell->number != 0 ? "yes" : "no";
    case DOC_NUMBER:
        if (isfinite(cell->number)) {
            double least = 0.5 * pow(10, -head->decimals);
            double number = fabs(cell->number) < least ? 0 : cell->number; /* avoids "-0.0" */
            const char *mark = cell->mark == NULL ? "" : cell->mark;

            /* A chance is never shown as 0 or 100: the draws or digits end there, not the
             * chance. */
            if (head->chance && (number < least || number > 100 - least)) {
                mark = number < least ? "<" : ">";
                number = number < least ? 2 * least : 100 - 2 * least;
            }
            snprintf(out, DOC_CELL, head->sign ? "%s%+.*f%s" : "%s%.*f%s", mark, head->decimals,
                     number, cell->after == NULL ? "" : cell->after);
            return out;
        }
        return "-";
    case DOC_NONE:
    default:
        return "-";
    }
}

static enum doc_kind first_kind(const struct doc_table *table, int column)
{
    for (int row = 0; row < table->rows; row++) {
        enum doc_kind kind = doc_at(table, row, column)->kind;

        if (kind != DOC_NONE) {
            return kind;
        }
    }
    return DOC_NONE;
}

static bool is_defined(const struct doc_cell *cell)
{
    return cell->kind == DOC_TEXT || cell->kind == DOC_FLAG ||
           (cell->kind == DOC_NUMBER && isfinite(cell->number));
}

/* Whether it has content other than 0. */
static bool is_something(const struct doc_cell *cell)
{
    return is_defined(cell) && (cell->kind == DOC_TEXT || cell->number != 0);
}

bool doc_is_shown(const struct doc_table *table, int column)
{
    const struct doc_column *head = &table->column[column];

    const bool is_for_people = head->use != DOC_DATA && head->use != DOC_ROW;

    if (!is_for_people || column == table->head) {
        return is_for_people;
    }
    for (int row = 0; row < table->rows; row++) {
        const struct doc_cell *cell = doc_at(table, row, column);

        if (head->quiet ? is_something(cell) : is_defined(cell)) {
            return true;
        }
    }
    return false;
}

bool doc_is_text(const struct doc_table *table, int column)
{
    enum doc_kind kind = first_kind(table, column);

    return kind == DOC_TEXT || kind == DOC_NONE;
}

struct doc_pick doc_pick_at(const struct doc_view *view, int pick)
{
    struct doc_pick all = {.main = pick};

    return view->pick == NULL ? all : view->pick[pick];
}

bool doc_pick_shown(const struct doc_view *view, int pick)
{
    return doc_is_shown(view->table, doc_pick_at(view, pick).main);
}

const char *doc_sub(char out[2 * DOC_CELL], const struct doc_view *view, int row, int pick)
{
    struct doc_pick at = doc_pick_at(view, pick);
    char low[DOC_CELL], high[DOC_CELL];
    const char *from, *to, *joint;

    out[0] = '\0';
    if (at.sub == 0 || !is_defined(doc_at(view->table, row, at.sub)) ||
        (at.end != 0 && !is_defined(doc_at(view->table, row, at.end)))) {
        return out;
    }
    from = doc_shown(low, view->table, row, at.sub);
    if (at.end == 0 &&
        strpbrk(from, "123456789") == NULL) { /* a bar that rounds to 0 prints as < */
        int places = view->table->column[at.sub].decimals;

        if (is_something(doc_at(view->table, row, at.sub))) {
            snprintf(out, 2 * DOC_CELL, "%s<%.*f", at.before == NULL ? "" : at.before, places,
                     pow(10, -places));
        }
        return out;
    }
    to = at.end == 0 ? "" : doc_shown(high, view->table, row, at.end);
    joint = at.end == 0                                                    ? ""
            : strchr("+-", from[0]) != NULL || strchr("+-", to[0]) != NULL ? " to "
                                                                           : "\u2013";
    snprintf(out, 2 * DOC_CELL, "%s%.60s%s%.60s", at.before == NULL ? "" : at.before, from, joint,
             to);
    return out;
}

const char *doc_sub_head(const struct doc_view *view, int pick)
{
    struct doc_pick at = doc_pick_at(view, pick);
    char sub[2 * DOC_CELL];

    for (int row = 0; at.sub != 0 && row < view->table->rows; row++) {
        if (doc_sub(sub, view, row, pick)[0] != '\0') {
            const char *unit = view->table->column[at.sub].unit;

            return at.says != NULL ? at.says : unit == NULL ? "" : unit;
        }
    }
    return "";
}

bool doc_row_is_folded(const struct doc_view *view, int row)
{
    bool any = false;

    for (int pick = 0; pick < view->picks; pick++) {
        struct doc_pick at = doc_pick_at(view, pick);

        any = any || (at.main != view->table->head && doc_pick_shown(view, pick) &&
                      (is_something(doc_at(view->table, row, at.main)) ||
                       (at.sub > 0 && is_something(doc_at(view->table, row, at.sub)))));
    }
    return !any || doc_at(view->table, row, view->table->head)->folded;
}

bool doc_fact_is(const struct doc_table *facts, int row, enum doc_fact place)
{
    const struct doc_cell *value = doc_at(facts, row, FACT_VALUE);

    return doc_at(facts, row, FACT_TITLE)->place == place && value->kind != DOC_FLAG &&
           is_defined(value) && (value->kind != DOC_TEXT || value->text[0] != '\0');
}

int doc_matrix_row(const struct doc_matrix *matrix, int row, int column)
{
    return row * (matrix->count - 1) + (column < row ? column : column - 1);
}

const struct doc_table *doc_block_table(const struct doc_block *block)
{
    switch (block->kind) {
    case DOC_TABLE:
        return (const struct doc_table *)block;
    case DOC_VIEW:
        return ((const struct doc_view *)block)->table;
    case DOC_MATRIX:
        return ((const struct doc_matrix *)block)->table;
    default:
        return NULL;
    }
}

bool doc_is_wanted(const struct doc *doc, const struct doc_table *table)
{
    return doc->only == NULL || strcmp(table->name, doc->only) == 0;
}

enum bg_status doc_only(struct doc *doc, const char *table, struct bg_error *err)
{
    const char *names = "";

    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
            const struct doc_table *seen = (const struct doc_table *)block;

            if (block->kind == DOC_TABLE && !seen->facts) {
                doc->only = strcmp(seen->name, table) == 0 ? seen->name : doc->only;
                names = doc_format(doc, "%s%s%s", names, names[0] == '\0' ? "" : ", ", seen->name);
            }
        }
    }
    return doc->only != NULL ? BG_OK
                             : bg_error_set(err, BG_E_ARGUMENT,
                                            "--table '%.40s': these results have no such table; "
                                            "there are %s",
                                            table, names);
}

bool doc_board_has(const struct doc_boards *boards, int row, int column)
{
    return (boards->facts == 0 ? doc_is_shown(boards->table, column) && column != boards->title
                               : (boards->facts >> column & 1) != 0) &&
           doc_at(boards->table, row, column)->kind != DOC_NONE;
}
