/* document.h - a report before it has a form: sections of notes, tables, matrices, plots, boards.
 *
 *     struct doc *doc = doc_create("spring");
 *     doc_section(doc, "standings", "Standings");
 *     table = doc_table(doc, "standings", "Final table", columns, COUNT);
 *     doc_row(table);
 *     doc_text(table, NAME, "gnubg");
 *     doc_number(table, RATING, 1723.4);
 *     doc_note(doc, "Rating: ...");
 *     status = doc_status(doc, &err);
 *     document_html(out, doc, &err);      or document_plain, document_json
 *
 * Every number of a report stands in one cell of one table; matrices, plots and boards only point
 * at cells. So the three forms cannot disagree. Building never fails in between: what there was no
 * memory for is returned by doc_status at the end. Texts are copied; they may hold any bytes of
 * strangers, each form escapes them in its own way.
 */
#ifndef RESULTS_DOCUMENT_DOCUMENT_H
#define RESULTS_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <bgref/notation.h>

struct doc;

enum doc_kind { DOC_NONE, DOC_NUMBER, DOC_TEXT, DOC_FLAG };

enum doc_use {
    DOC_EVERYWHERE,
    DOC_SHOWN, /* for people only: what other cells of the row say in numbers */
    DOC_DATA   /* in JSON only */
};

struct doc_column {
    const char *key;   /* in JSON */
    const char *title; /* above the column */
    const char *unit;  /* NULL: none */
    int decimals;      /* of numbers */
    bool sign;         /* + is written */
    bool chance;       /* in percent: what would be rounded to certainty is shown as a limit */
    bool code;         /* texts are for copying: commands, positions */
    bool bot;          /* texts are names of bots: people see their doc_alias */
    bool quiet;        /* not shown to people where it is 0 in every row */
    enum doc_use use;
};

enum doc_fact {
    DOC_FACT_BELOW, /* where its table stands */
    DOC_FACT_TOP,   /* over everything: what a reader wants first */
    DOC_FACT_DATA   /* in JSON only */
};

struct doc_cell {
    enum doc_kind kind;
    double number;     /* not finite: not defined */
    const char *text;  /* never NULL in a DOC_TEXT */
    const char *mark;  /* shown before a number: ">", "<"; NULL none */
    const char *after; /* shown behind a number: DOC_SMALL; NULL none */
    bool strong;
    bool folded;         /* of the column that names a row: the row has nothing to say to people */
    enum doc_fact place; /* of the title of a fact */
};

#define DOC_SMALL "\u2020" /* dagger: a small sample */

enum doc_block_kind { DOC_NOTE, DOC_TABLE, DOC_VIEW, DOC_MATRIX, DOC_PLOT, DOC_BOARDS };

struct doc_block {
    enum doc_block_kind kind;
    struct doc_block *next;
};

enum doc_note_kind {
    DOC_NOTE_HOW,    /* how to read the numbers: out of the way where that can be */
    DOC_NOTE_TELL,   /* what is so in this event */
    DOC_NOTE_WARNING /* important: always shown */
};

struct doc_note {
    struct doc_block block;
    const char *text;
    enum doc_note_kind kind;
};

struct doc_table {
    struct doc_block block;
    struct doc *doc;
    const char *name;    /* in JSON */
    const char *caption; /* with the model behind the numbers */
    const struct doc_column *column;
    int columns;
    struct doc_cell *cell; /* owned; [row * columns + column] */
    int rows, room;
    int head;   /* column that names the row: it stays in sight */
    bool facts; /* key, title, value in each row: an object in JSON */
    bool data;  /* shown by views, matrices, plots and boards only */
};

/* A column as people see it: a cell may have a second line from other columns of its row, as
 * before + sub, or sub to end where both are there. */
struct doc_pick {
    int main;
    int sub, end;       /* columns; 0: none (the first column never stands below another) */
    const char *before; /* "\u00b1", "of "; NULL: nothing */
    const char *says;   /* of the second line, in the head; NULL: the unit of sub */
};

#define DOC_PICK(column)                                                                           \
    {                                                                                              \
        .main = (column)                                                                           \
    }
#define DOC_PICK_BAR(column, bar)                                                                  \
    {                                                                                              \
        .main = (column), .sub = (bar), .before = "\u00b1", .says = "\u00b1 95 %"                  \
    }
#define DOC_PICK_RANGE(column, low, high)                                                          \
    {                                                                                              \
        .main = (column), .sub = (low), .end = (high)                                              \
    }
#define DOC_PICK_OF(column, whole, what)                                                           \
    {                                                                                              \
        .main = (column), .sub = (whole), .before = "of ", .says = (what)                          \
    }

/* Columns of a table that stand together. The table itself is then for programs. */
struct doc_view {
    struct doc_block block;
    const char *caption;
    const struct doc_table *table;
    const struct doc_pick *pick; /* lent; NULL: every column of the table */
    int picks;
};

/* Shown cells of a table whose rows are all ordered pairs of `count` names, in the order (0,1),
 * (0,2) ... (1,0), (1,2) ... */
struct doc_matrix {
    struct doc_block block;
    const char *caption;
    const struct doc_table *table;
    const char *const *name; /* [count] */
    int count;
    int main, sub;     /* columns; sub -1: one line a cell */
    int tone;          /* column of enum doc_tone; -1: none */
    const char *title; /* of what the names are */
};

/* Who is ahead, from the view of a row; shown by colour and by a sign. */
enum doc_tone { DOC_TONE_LOST = -2, DOC_TONE_BEHIND, DOC_TONE_EVEN, DOC_TONE_AHEAD, DOC_TONE_WON };
extern const char *const doc_tone_sign[5]; /* [tone + 2] */
extern const char *const doc_tone_says[5];

enum doc_plot_kind {
    DOC_PLOT_DOTS,   /* a line a row: value with its error bar, one or two series */
    DOC_PLOT_SCATTER /* a point a row */
};

struct doc_series {
    const char *name;
    int value;          /* column; a number with a mark ("<=") is a bound: it gets an arrow */
    int error;          /* column: half width of the bar; 0: none */
    int low, high;      /* columns: the ends of the bar in place of error; 0: none */
    double least, most; /* what is possible: bars end there; both 0: anything */
};

struct doc_plot {
    struct doc_block block;
    enum doc_plot_kind kind;
    const char *caption;
    const struct doc_table *table;
    int label;                   /* column */
    struct doc_series series[2]; /* scatter: x, y */
    int series_count;
    const char *axis[2]; /* DOTS: [0]; scatter: x, y; with units */
    double zero;         /* a line is drawn here; NaN none */
};

/* Positions to the rows of a table, in their order. */
struct doc_board {
    struct bg_board board;
    const struct bg_variant *variant; /* lent for the life of the document */
    struct bg_match_id id;
    bool has_id; /* cube, dice and score of id are known */
    int below;   /* seat at the bottom */
};

struct doc_boards {
    struct doc_block block;
    const char *caption;
    const struct doc_table *table;
    struct doc_board *board; /* owned; [rows of the table] */
    int count, room;
    int title; /* column: the heading of a board */
    int group; /* column: boards with the same text stand together, under it; -1: none */
};

struct doc_section {
    const char *id, *title;
    bool folded; /* nothing to show: its notes stand together with those of others, at the end */
    struct doc_block *first, **end;
    struct doc_section *next;
};

/* A bot by the name that people see; in JSON it keeps its own. */
struct doc_alias {
    const char *name, *shown;
};

struct doc {
    const char *title;
    const char *lead;            /* the event in one sentence; "" none */
    const char *state;           /* why numbers may still change; "" none */
    const struct doc_table *top; /* facts, some of which stand over everything; NULL */
    struct doc_section *first, **end, *last;
    struct doc_memory *memory; /* owned; everything of the document */
    struct doc_alias *alias;   /* by name */
    int aliases;
    bool failed;
};

struct doc *doc_create(const char *title); /* NULL: no memory; so below, where doc is NULL too */
void doc_destroy(struct doc *doc);
/* BG_E_MEMORY when something is missing. */
enum bg_status doc_status(const struct doc *doc, struct bg_error *err);

/* What people see for the names of so many bots, in the order of strcmp; lent for the life of the
 * document. */
void doc_set_aliases(struct doc *doc, struct doc_alias *alias, int count);
/* A bot as people see it. */
const char *doc_alias(const struct doc *doc, const char *name);

/* A text of the document's own. */
const char *doc_copy(struct doc *doc, const char *text);
const char *doc_format(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3);
/* Zeroed memory for the life of the document; NULL: none. */
void *doc_array(struct doc *doc, size_t count, size_t size);

void doc_section(struct doc *doc, const char *id, const char *title);
/* A section that would be empty, and why. */
void doc_nothing(struct doc *doc, const char *id, const char *title, const char *format, ...)
    BG_PRINTF(4, 5);
void doc_note(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3); /* DOC_NOTE_HOW */
void doc_tell(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3);
void doc_warn(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3);

/* columns are lent for the life of the document. NULL: no memory, and fine below. */
struct doc_table *doc_table(struct doc *doc, const char *name, const char *caption,
                            const struct doc_column *columns, int count);
/* A table of what is known by name, in JSON an object. */
struct doc_table *doc_facts(struct doc *doc, const char *name, const char *caption);
void doc_row(struct doc_table *table);
/* Cells of the last row. An empty or NULL text is shown as "-". */
void doc_number(struct doc_table *table, int column, double number);
void doc_text(struct doc_table *table, int column, const char *text);
void doc_say(struct doc_table *table, int column, const char *format, ...) BG_PRINTF(3, 4);
void doc_flag(struct doc_table *table, int column, bool flag);
void doc_put(struct doc_table *table, int column,
             const struct doc_cell *cell);                      /* copies its text */
struct doc_cell *doc_cell(struct doc_table *table, int column); /* NULL: no memory */
void doc_mark(struct doc_table *table, int column, const char *mark);
void doc_small(struct doc_table *table, int column, bool small); /* marks a small sample */
void doc_strong(struct doc_table *table, int column, bool strong);
void doc_fold(struct doc_table *table); /* the last row has nothing for people */
/* A whole row of facts. */
void doc_fact(struct doc_table *facts, const char *key, const char *title, const char *format, ...)
    BG_PRINTF(4, 5);
/* Something for copying. */
void doc_fact_code(struct doc_table *facts, const char *key, const char *title, const char *text);
void doc_fact_number(struct doc_table *facts, const char *key, const char *title, double number);
/* For programs only: people get a sentence instead. */
void doc_fact_flag(struct doc_table *facts, const char *key, const char *title, bool flag);
/* Where the last fact stands, for people. */
void doc_fact_place(struct doc_table *facts, enum doc_fact place);

/* Blocks that point at a table are added with what they point at; the result is for the caller to
 * complete. NULL: no memory. */
struct doc_view *doc_view(struct doc *doc, struct doc_table *table, const char *caption,
                          const struct doc_pick *picks, int count);
struct doc_matrix *doc_matrix(struct doc *doc, const struct doc_table *table, const char *caption);
struct doc_plot *doc_plot(struct doc *doc, enum doc_plot_kind kind, const struct doc_table *table,
                          const char *caption);
struct doc_boards *doc_boards(struct doc *doc, const struct doc_table *table, const char *caption);
void doc_board(struct doc_boards *boards, const struct doc_board *board);

/* For the forms: a cell of a table, and as text for people, "-" when it is not defined. A text is
 * given as it is. */
const struct doc_cell *doc_at(const struct doc_table *table, int row, int column);
enum { DOC_CELL = 64 };
const char *doc_shown(char out[DOC_CELL], const struct doc_table *table, int row, int column);
/* Whether people see the column: not for data only, and something stands in it. */
bool doc_is_shown(const struct doc_table *table, int column);
/* Whether the column holds texts, by the first cell that holds anything. */
bool doc_is_text(const struct doc_table *table, int column);
/* Of a view: a pick, whether it is shown, and the second line of its cell, "" none. */
struct doc_pick doc_pick_at(const struct doc_view *view, int pick);
bool doc_pick_shown(const struct doc_view *view, int pick);
const char *doc_sub(char out[2 * DOC_CELL], const struct doc_view *view, int row, int pick);
const char *doc_sub_head(const struct doc_view *view, int pick); /* "" none */
/* Whether a row has nothing beside its name: no number but 0, no text. */
bool doc_row_is_folded(const struct doc_view *view, int row);
/* Whether a fact stands in this place. Facts without a value stand in none. */
bool doc_fact_is(const struct doc_table *facts, int row, enum doc_fact place);
/* The row of a matrix's cell. */
int doc_matrix_row(const struct doc_matrix *matrix, int row, int column);

/* The three forms. BG_E_SYSTEM: writing failed. */
enum bg_status document_html(FILE *out, const struct doc *doc, struct bg_error *err);
enum bg_status document_plain(FILE *out, const struct doc *doc, struct bg_error *err);
enum bg_status document_json(FILE *out, const struct doc *doc, struct bg_error *err);

#endif
