/* document.h - a report before formatting: sections of notes, tables, matrices, plots, boards.
 *
 *     struct doc *doc = doc_create("spring");
 *     doc_section(doc, "standings", "Standings");
 *     table = doc_table(doc, "standings", "Final table", columns, COUNT);
 *     doc_row(table);
 *     doc_text(table, NAME, "gnubg");
 *     doc_number(table, RATING, 1723.4);
 *     doc_note(doc, "Rating: ...");
 *     document_html(out, doc, &err);      or document_plain, document_json
 *
 * Every number of a report is in one cell of one table; matrices, plots and boards only refer to
 * cells. So the three forms always agree. Texts are copied; they can contain any bytes from
 * outside, and each form escapes them in its own way.
 */
#ifndef RESULTS_DOCUMENT_DOCUMENT_H
#define RESULTS_DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <bgref/notation.h>

#include "record/pos.h"

struct doc;

enum doc_kind { DOC_NONE, DOC_NUMBER, DOC_TEXT, DOC_FLAG };

/* Where a value of a struct stands, for a list of fields: its type, its place, and the factor with
 * which a number is shown. */
enum doc_type {
    DOC_TYPE_NONE,
    DOC_TYPE_DOUBLE,
    DOC_TYPE_INT,
    DOC_TYPE_BOOL,
    DOC_TYPE_I64,
    DOC_TYPE_U64,
    DOC_TYPE_TEXT
};

struct doc_source {
    enum doc_type type;
    size_t at;
    double factor;
};

/* clang-format off */
#define DOC_TYPE_OF(value)                                                                         \
    _Generic((value), double: DOC_TYPE_DOUBLE, int: DOC_TYPE_INT, bool: DOC_TYPE_BOOL,             \
             int64_t: DOC_TYPE_I64, uint64_t: DOC_TYPE_U64, char *: DOC_TYPE_TEXT,                 \
             const char *: DOC_TYPE_TEXT)
/* clang-format on */
#define DOC_SOURCE(type, member, factor)                                                           \
    {                                                                                              \
        DOC_TYPE_OF(((type *)NULL)->member), offsetof(type, member), (factor)                      \
    }

enum doc_use {
    DOC_EVERYWHERE,
    DOC_SHOWN, /* text and HTML only: other cells of the row have the same as numbers */
    DOC_DATA,  /* JSON only */
    DOC_ROW    /* JSON, and in HTML an attribute of the row: what a page's script needs */
};

struct doc_column {
    const char *key;   /* name in JSON */
    const char *title; /* above the column */
    const char *unit;  /* NULL: none */
    int decimals;      /* of numbers */
    bool sign;         /* prints + for positive numbers */
    bool chance;       /* in percent; prints a limit where rounding would give 0 or 100 */
    bool code;         /* texts to copy: commands, positions */
    bool bot;          /* texts are names of bots; text and HTML print their doc_alias */
    bool quiet;        /* not printed in text and HTML if it is 0 in every row */
    bool game;         /* texts are ids of games; on a site they lead to the game's page, and
                          names of bots to the bot's */
    bool meeting;      /* texts lead there to the encounter of the bots in the first two columns */
    enum doc_use use;
    struct doc_source from; /* the member that doc_fill shows; none: the caller sets the cells */
};

enum doc_fact {
    DOC_FACT_BELOW, /* at its table's place */
    DOC_FACT_TOP,   /* at the top of the report: what a reader needs first */
    DOC_FACT_DATA   /* in JSON only */
};

struct doc_cell {
    enum doc_kind kind;
    double number;     /* not finite: undefined */
    const char *text;  /* never NULL in a DOC_TEXT */
    const char *mark;  /* printed before a number: ">", "<"; NULL none */
    const char *after; /* printed after a number: DOC_SMALL; NULL none */
    const char *path;  /* on a site: where the text leads, from the site's first page, or the id of
                          a game, whose page it is; NULL none */
    bool strong;
    bool folded;         /* in the column that names a row: text and HTML hide the row */
    enum doc_fact place; /* in the title cell of a fact */
};

#define DOC_SMALL "\u2020" /* dagger: a small sample */

enum doc_block_kind { DOC_NOTE, DOC_TABLE, DOC_VIEW, DOC_MATRIX, DOC_PLOT, DOC_BOARDS, DOC_TREE };

struct doc_block {
    enum doc_block_kind kind;
    struct doc_block *next;
};

enum doc_note_kind {
    DOC_NOTE_HOW,    /* how to read the numbers; a form can hide it at first */
    DOC_NOTE_TELL,   /* a fact about this event */
    DOC_NOTE_WARNING /* important: always visible */
};

struct doc_note {
    struct doc_block block;
    const char *text;
    const char *path; /* on a site: where it leads, as struct doc_cell; NULL none */
    enum doc_note_kind kind;
};

struct doc_table {
    struct doc_block block;
    struct doc *doc;
    const char *name;    /* in JSON */
    const char *caption; /* including the model behind the numbers */
    const struct doc_column *column;
    int columns;
    struct doc_cell *cell; /* owned; [row * columns + column] */
    int rows, room;
    int head;     /* column that names the row: it stays visible when scrolling */
    bool facts;   /* each row is key, title, value: an object in JSON */
    bool data;    /* printed only by views, matrices, plots and boards */
    bool compact; /* text: without units; it and its matrices are up to 100 columns wide */
};

/* A column as printed: a cell can have a second line from other columns of its row, as before +
 * sub, or as sub to end if both have values. */
struct doc_pick {
    int main;
    int sub, end;       /* columns; 0: none (the first column is never a second line) */
    const char *before; /* "\u00b1", "of "; NULL: nothing */
    const char *says;   /* title of the second line, in the table head; NULL: the unit of sub */
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

/* Columns of a table that are printed together. The table itself is then in JSON only. */
struct doc_view {
    struct doc_block block;
    const char *caption;
    const struct doc_table *table;
    const struct doc_pick *pick; /* lent; NULL: every column of the table */
    int picks;
};

/* Cells of a table whose rows are all ordered pairs of `count` names, in the order (0,1), (0,2) ...
 * (1,0), (1,2) ... */
struct doc_matrix {
    struct doc_block block;
    const char *caption;
    const struct doc_table *table;
    const char *const *name; /* [count] */
    int count;
    int main, sub;     /* columns; sub -1: one line per cell */
    int tone;          /* column of enum doc_tone; -1: none */
    const char *title; /* what the names are */
};

/* Who is ahead, from the row's view; shown by colour and by a sign. */
enum doc_tone { DOC_TONE_LOST = -2, DOC_TONE_BEHIND, DOC_TONE_EVEN, DOC_TONE_AHEAD, DOC_TONE_WON };
extern const char *const doc_tone_sign[5]; /* [tone + 2] */
extern const char *const doc_tone_says[5];

enum { DOC_SERIES = 3 };

enum doc_plot_kind {
    DOC_PLOT_DOTS,    /* one line per row: value with its error bar, one or two series */
    DOC_PLOT_SCATTER, /* one point per row */
    DOC_PLOT_LINES,   /* a line per series over the numbers of the label's column */
    DOC_PLOT_COURSE   /* a line through the rows with the same label, which follow one another */
};

/* Of the axis across. */
enum doc_scale {
    DOC_SCALE_PLAIN,
    DOC_SCALE_LOG, /* powers of ten, for DOTS of positive numbers */
    DOC_SCALE_TIME /* seconds since 1970, shown as UTC */
};

struct doc_series {
    const char *name;
    int value;     /* column; a number with a mark ("<=") is a bound and is drawn as an arrow */
    int error;     /* column: half the width of the bar; 0: none */
    int low, high; /* columns: the ends of the bar instead of error; 0: none */
    double least, most; /* possible values: bars are cut there; both 0: no limit */
};

struct doc_plot {
    struct doc_block block;
    enum doc_plot_kind kind;
    enum doc_scale scale;
    const char *caption;
    const struct doc_table *table;
    int label;                            /* column */
    struct doc_series series[DOC_SERIES]; /* scatter, course: x, y */
    int series_count;
    const char *axis[2]; /* DOTS: [0]; others: x, y; with units */
    bool band;   /* COURSE: errors of the second series as a band around the line, not as bars */
    double zero; /* a line is drawn here, except in a SCATTER; NaN: none */
};

/* What stands beside a seat's edge of a board; clock NULL: none. */
struct doc_side {
    const char *name, *score, *clock;
};

/* Positions for the rows of a table, in the same order; without a variant none of that row. */
struct doc_board {
    struct pos pos; /* its variant is lent for the life of the document */
    struct bg_match_id id;
    bool has_id;             /* id has valid cube, dice and score: for the drawing as text */
    int below;               /* seat at the bottom */
    struct doc_side side[2]; /* HTML: by seat; name NULL: nothing is said */
};

struct doc_boards {
    struct doc_block block;
    const char *caption;
    const struct doc_table *table;
    struct doc_board *board; /* owned; [rows of the table] */
    int count, room;
    int title;      /* column: the board's heading */
    unsigned facts; /* bits: the columns below a board; 0: all that are shown, but the heading */
    int group;      /* column: boards with the same text are printed together under it; -1: none */
};

/* A drawn elimination. Round 1 has 2^(rounds) places, each next round half of them, and the last
 * one is the winner's: the winners of places 2i and 2i + 1 of a round stand on place i of the next.
 * Its numbers are in a table. */
struct doc_place {
    const char *name; /* NULL: nobody yet */
    const char *mark; /* behind the name, "3" or "walkover"; NULL none */
    bool won;         /* it stands in the next round too */
};

struct doc_tree {
    struct doc_block block;
    const char *caption;
    int rounds;              /* of meetings */
    struct doc_place *place; /* owned; see doc_tree_place */
};

struct doc_section {
    const char *id, *title;
    bool folded; /* no content: printed with other folded sections at the end */
    struct doc_block *first, **end;
    struct doc_section *next;
};

/* A bot's display name; JSON keeps the bot's own name. */
struct doc_alias {
    const char *name, *shown;
};

/* What a page must know of the site that it belongs to (gallery/site/site.h); lent. Paths are from
 * the site's first page, escaped. */
struct doc_link {
    const char *path, *words;
    bool is_here;
};

struct doc_site {
    const char *root;    /* from this page to the first one: "./", "../../" */
    const char *event;   /* the path of its event: "e/cup/"; NULL: it belongs to none */
    const char *ending;  /* of the paths of pages: "", in a folder of files ".html" */
    const char *assets;  /* the path of style sheet, icon and scripts: "s/1f3a/" */
    const char *address; /* of the first page, for other programs: "https://bg.org/"; "" unknown */
    const char *image;   /* the path of a picture of the page; NULL none */
    uint64_t pairs;      /* games of later pairs share the page "game"; 0: each has its own */
    const char *frame;   /* it is shown in another page: "embed", or over a picture: "overlay"; NULL
                            by itself. In embed.css */
    const char *const *scripts; /* names in the folder of assets; the last is NULL */
    struct doc_link *link;      /* the line of navigation */
    int links;
};

/* Writes a name as a part of a path; a game's id as A/B/PAIR/LEG/GAME, of a file A/B/PAIR-LEG-GAME:
 * a folder for each game costs more than its page. */
void doc_path_write(FILE *out, const char *name);
void doc_game_path_write(FILE *out, const char *id, bool is_file);

struct doc {
    const char *title;
    const char *about;           /* where, when, by whom: below the title; "" none */
    const char *lead;            /* the event in one sentence; "" none */
    size_t lead_strong;          /* of its bytes these are the news: who has won */
    const char *state;           /* why numbers can still change; "" none */
    const struct doc_table *top; /* facts, some of them for the top of the report; NULL */
    struct doc_section *first, **end, *last;
    const struct doc_site *site; /* HTML: it is a page among others; NULL: one file for itself */
    const char *part;            /* on a site: the page has PART.js and PART.css too; NULL none */
    const char *only;            /* CSV, LaTeX: this table alone; NULL all. Set by doc_only */
    struct doc_memory *memory;   /* owned; all memory of the document */
    struct doc_alias *alias;     /* sorted by name */
    int aliases;
};

/* Memory that is missing ends the program (base/memory.h), here and below. */
struct doc *doc_create(const char *title);
void doc_destroy(struct doc *doc);

/* Sets the display names of `count` bots, sorted as by strcmp; lent for the life of the
 * document. */
void doc_set_aliases(struct doc *doc, struct doc_alias *alias, int count);
/* Returns a bot's display name. */
const char *doc_alias(const struct doc *doc, const char *name);

/* Returns a copy that lives as long as the document. */
const char *doc_copy(struct doc *doc, const char *text);
const char *doc_format(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3);
/* Returns zeroed memory for the life of the document. */
void *doc_array(struct doc *doc, size_t count, size_t size);

void doc_section(struct doc *doc, const char *id, const char *title);
/* Adds a section without content, with the reason. */
void doc_nothing(struct doc *doc, const char *id, const char *title, const char *format, ...)
    BG_PRINTF(4, 5);
void doc_note(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3); /* DOC_NOTE_HOW */
void doc_tell(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3);
void doc_warn(struct doc *doc, const char *format, ...) BG_PRINTF(2, 3);
/* A line that is a link on a site; path is copied. */
void doc_way(struct doc *doc, const char *path, const char *format, ...) BG_PRINTF(3, 4);

/* columns are lent for the life of the document. */
struct doc_table *doc_table(struct doc *doc, const char *name, const char *caption,
                            const struct doc_column *columns, int count);
/* A table of named facts; an object in JSON. */
struct doc_table *doc_facts(struct doc *doc, const char *name, const char *caption);
void doc_row(struct doc_table *table);
/* Set cells of the last row. An empty or NULL text prints as "-". */
void doc_number(struct doc_table *table, int column, double number);
void doc_text(struct doc_table *table, int column, const char *text);
void doc_say(struct doc_table *table, int column, const char *format, ...) BG_PRINTF(3, 4);
void doc_flag(struct doc_table *table, int column, bool flag);
void doc_put(struct doc_table *table, int column,
             const struct doc_cell *cell); /* copies its text */
void doc_mark(struct doc_table *table, int column, const char *mark);
void doc_small(struct doc_table *table, int column, bool small); /* marks a small sample */
void doc_strong(struct doc_table *table, int column, bool strong);
/* path: of the cell, copied; see struct doc_cell. */
void doc_lead_to(struct doc_table *table, int column, const char *path);
/* Sets the cells of the last row whose columns have a source, from this struct; NULL: none. */
void doc_fill(struct doc_table *table, const void *from);
void doc_fold(struct doc_table *table); /* hides the last row in text and HTML */
/* Adds a row of facts. */
void doc_fact(struct doc_table *facts, const char *key, const char *title, const char *format, ...)
    BG_PRINTF(4, 5);
/* A fact to copy. */
void doc_fact_code(struct doc_table *facts, const char *key, const char *title, const char *text);
void doc_fact_number(struct doc_table *facts, const char *key, const char *title, double number);
/* For JSON only; text and HTML have a sentence instead. */
void doc_fact_flag(struct doc_table *facts, const char *key, const char *title, bool flag);
/* Sets the last fact's place in text and HTML. */
void doc_fact_place(struct doc_table *facts, enum doc_fact place);

/* Add a block that refers to a table; the caller completes the result. */
struct doc_view *doc_view(struct doc *doc, struct doc_table *table, const char *caption,
                          const struct doc_pick *picks, int count);
struct doc_matrix *doc_matrix(struct doc *doc, const struct doc_table *table, const char *caption);
struct doc_plot *doc_plot(struct doc *doc, enum doc_plot_kind kind, const struct doc_table *table,
                          const char *caption);
struct doc_boards *doc_boards(struct doc *doc, const struct doc_table *table, const char *caption);
void doc_board(struct doc_boards *boards, const struct doc_board *board);
/* Returns the position of a match, without a last play. */
struct doc_board doc_board_of(const struct bg_match *match, int below);
/* The same from an XGID, from the side of who has to act; empty if it is none. */
struct doc_board doc_board_of_xgid(const char *xgid);
/* rounds: 1 to 12. */
struct doc_tree *doc_tree(struct doc *doc, int rounds, const char *caption);
/* Returns place `at` of a round, 1 to rounds + 1. */
struct doc_place *doc_tree_place(const struct doc_tree *tree, int round, int at);
/* The line of a place in a drawing: places of round 1 are on lines 0, 2, 4, ... */
int doc_tree_line(int round, int at);

/* For the forms: returns a cell of a table; doc_shown returns its text, "-" if undefined. Returns
 * text cells unchanged. */
const struct doc_cell *doc_at(const struct doc_table *table, int row, int column);
enum { DOC_CELL = 64 };
const char *doc_shown(char out[DOC_CELL], const struct doc_table *table, int row, int column);
/* Whether text and HTML print the column: it is not for JSON only, and has content. */
bool doc_is_shown(const struct doc_table *table, int column);
/* Whether the column has texts, judged by its first cell with content. */
bool doc_is_text(const struct doc_table *table, int column);
/* For a view: returns a pick, whether it is printed, and the second line of its cell; "" none. */
struct doc_pick doc_pick_at(const struct doc_view *view, int pick);
bool doc_pick_shown(const struct doc_view *view, int pick);
const char *doc_sub(char out[2 * DOC_CELL], const struct doc_view *view, int row, int pick);
const char *doc_sub_head(const struct doc_view *view, int pick); /* "" none */
/* Whether a row has only its name: no number except 0, no text. */
bool doc_row_is_folded(const struct doc_view *view, int row);
/* Whether a fact belongs to this place. Facts without a value belong to none. */
bool doc_fact_is(const struct doc_table *facts, int row, enum doc_fact place);
/* Whether a column of the row is printed below its board. */
bool doc_board_has(const struct doc_boards *boards, int row, int column);
/* Returns the row of a matrix's cell. */
int doc_matrix_row(const struct doc_matrix *matrix, int row, int column);

/* For the forms: the table that a block is, or is of; NULL none. Whether its form writes a table:
 * it has data, and is the only one that is wanted, or all are. */
const struct doc_table *doc_block_table(const struct doc_block *block);
bool doc_is_wanted(const struct doc *doc, const struct doc_table *table);

/* The number of a source; NaN if it is none, or there is no struct (NULL). */
double doc_source_number(const struct doc_source *source, const void *from);

/* Makes the rows first .. first + count - 1 of a table a table of their own, for views and
 * matrices, after all rows were added. */
struct doc_table *doc_part(struct doc_table *table, int first, int count);

/* The forms. CSV: the tables one after another, each behind a line with its name if there are
 * several; full precision, as JSON. BG_E_SYSTEM: writing failed. */
enum bg_status document_html(FILE *out, const struct doc *doc, struct bg_error *err);
enum bg_status document_plain(FILE *out, const struct doc *doc, struct bg_error *err);
/* The plain text without title and headings, for a terminal. */
enum bg_status document_blocks(FILE *out, const struct doc *doc, struct bg_error *err);
enum bg_status document_json(FILE *out, const struct doc *doc, struct bg_error *err);
enum bg_status document_csv(FILE *out, const struct doc *doc, struct bg_error *err);
/* The tables as printed, as floats for a paper. */
enum bg_status document_latex(FILE *out, const struct doc *doc, struct bg_error *err);
/* Chooses the table that CSV and LaTeX write, instead of all. BG_E_ARGUMENT: there is no such one,
 * with the names of those that there are. */
enum bg_status doc_only(struct doc *doc, const char *table, struct bg_error *err);

#endif
