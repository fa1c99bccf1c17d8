/* HTML for a browser and for paper: one page that needs no network and no scripts. It is also
 * well-formed XML.
 */
#include "document.h"

#include <errno.h>
#include <string.h>

#include <bgref/api.h>

#include "board_svg.h"
#include "html_site.h"
#include "html_table.h"
#include "markup.h"
#include "plot.h"
#include "report_css.h"
#include "tree.h"

enum { LEAD = 1024 };

struct page {
    FILE *out;
    const struct doc_site *site;
    int plots; /* plots so far: they are numbered in the page */
};

static void note_html(struct page *page, const struct doc_note *note)
{
    static const char *const class[] = {"note", "tell", "warning"};

    fprintf(page->out, "<p class=\"%s\">", class[note->kind]);
    html_site_link(page->out, page->site, note->path, note->text);
    fputs("</p>\n", page->out);
}

static void plot_html(struct page *page, const struct doc_plot *plot)
{
    if (!plot_has_data(plot)) {
        return;
    }
    fputs("<figure>\n<figcaption>", page->out);
    markup_text(page->out, plot->caption);
    fputs("</figcaption>\n", page->out);
    /* Numbered over the whole page: an id may stand in a page but once. */
    plot_write(page->out, plot, ++page->plots);
    fputs("</figure>\n", page->out);
}

/* Prints the text of the table row about the position. */
static void board_facts(FILE *out, const struct doc_boards *boards, int row)
{
    const struct doc_table *table = boards->table;
    char text[DOC_CELL];

    fputs("<dl>\n", out);
    for (int column = 0; column < table->columns; column++) {
        const struct doc_column *head = &table->column[column];

        if (!doc_board_has(boards, row, column)) {
            continue;
        }
        fputs("<dt>", out);
        markup_text(out, head->title);
        fputs(head->code ? "</dt><dd><code>" : "</dt><dd>", out);
        markup_text(out, doc_shown(text, table, row, column));
        if (head->unit != NULL) {
            fputs(" <small>", out);
            markup_text(out, head->unit);
            fputs("</small>", out);
        }
        fputs(head->code ? "</code></dd>\n" : "</dd>\n", out);
    }
    fputs("</dl>\n", out);
}

/* A side of a board: its checkers' colour, name, score, pips and clock; a script says who plays. */
static void side_html(FILE *out, const struct doc_board *board, int seat)
{
    const struct doc_side *side = &board->side[seat];

    if (side->name == NULL) {
        return;
    }
    fprintf(out, "<p class=\"side\" data-seat=\"%d\"><span class=\"disc\"></span><bdi>", seat);
    markup_text(out, side->name);
    fputs("</bdi> <span class=\"score\">", out);
    markup_text(out, side->score);
    fprintf(out, "</span> <span class=\"count\">%d pips</span> <span class=\"clock\">",
            bg_variant_pips(board->pos.variant, &board->pos.board, seat));
    markup_text(out, side->clock == NULL ? "" : side->clock);
    fputs("</span> <span class=\"next\"></span></p>\n", out);
}

static void board_html(struct page *page, const struct doc_boards *boards, int row)
{
    const struct doc_board *board = &boards->board[row];
    char text[DOC_CELL];
    const char *title = doc_shown(text, boards->table, row, boards->title);

    fputs("<figure class=\"position\">\n<figcaption>", page->out);
    markup_text(page->out, title);
    fputs("</figcaption>\n", page->out);
    side_html(page->out, board, 1 - board->below);
    board_svg_write(page->out, board, title);
    side_html(page->out, board, board->below);
    board_facts(page->out, boards, row);
    fputs("</figure>\n", page->out);
}

static bool begins_group(const struct doc_boards *boards, int row)
{
    return boards->group >= 0 &&
           (row == 0 || strcmp(doc_at(boards->table, row, boards->group)->text,
                               doc_at(boards->table, row - 1, boards->group)->text) != 0);
}

static void boards_html(struct page *page, const struct doc_boards *boards)
{
    char text[DOC_CELL];

    if (boards->count == 0) {
        return;
    }
    if (boards->caption[0] != '\0') {
        fputs("<p class=\"tell\">", page->out);
        markup_text(page->out, boards->caption);
        fputs("</p>\n", page->out);
    }
    for (int row = 0; row < boards->count && row < boards->table->rows; row++) {
        if (row == 0 || begins_group(boards, row)) {
            fputs(row > 0 ? "</div>\n" : "", page->out);
            if (boards->group >= 0) {
                fputs("<h3>", page->out);
                markup_text(page->out, doc_shown(text, boards->table, row, boards->group));
                fputs("</h3>\n", page->out);
            }
            fputs("<div class=\"positions\">\n", page->out);
        }
        if (boards->board[row].pos.variant != NULL) {
            board_html(page, boards, row);
        }
    }
    fputs("</div>\n", page->out);
}

static void tree_html(struct page *page, const struct doc_tree *tree)
{
    fputs("<figure>\n<figcaption>", page->out);
    markup_text(page->out, tree->caption);
    fputs("</figcaption>\n<div class=\"scroll\">\n", page->out);
    tree_svg_write(page->out, tree);
    fputs("</div>\n</figure>\n", page->out);
}

static void block_html(struct page *page, const struct doc_block *block)
{
    switch (block->kind) {
    case DOC_NOTE:
        note_html(page, (const struct doc_note *)block);
        break;
    case DOC_TABLE:
        html_table(page->out, (const struct doc_table *)block);
        break;
    case DOC_VIEW:
        html_view(page->out, (const struct doc_view *)block);
        break;
    case DOC_MATRIX:
        html_matrix(page->out, (const struct doc_matrix *)block);
        break;
    case DOC_PLOT:
        plot_html(page, (const struct doc_plot *)block);
        break;
    case DOC_BOARDS:
        boards_html(page, (const struct doc_boards *)block);
        break;
    case DOC_TREE:
        tree_html(page, (const struct doc_tree *)block);
        break;
    }
}

/* What search engines and link previews show of the page. */
static void meta_html(FILE *out, const char *what, const char *text)
{
    if (text[0] != '\0') {
        fprintf(out, "<meta %s\" content=\"", what);
        markup_text(out, text);
        fputs("\"/>\n", out);
    }
}

static void head_html(FILE *out, const struct doc *doc)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"generator\" content=\"bgref " BG_VERSION "\"/>\n<title>",
          out);
    markup_text(out, doc->title);
    fputs("</title>\n", out);
    meta_html(out, "name=\"description", doc->lead);
    meta_html(out, "property=\"og:title", doc->title);
    meta_html(out, "property=\"og:description", doc->lead);
    meta_html(out, "property=\"og:type", "website");
    if (doc->site != NULL) {
        html_site_head(out, doc);
        fputs("</head>\n", out);
        return;
    }
    fputs("<style>\n", out);
    fputs((const char *)report_css, out);
    fputs("</style>\n</head>\n", out);
}

static void contents_html(FILE *out, const struct doc *doc)
{
    if (doc->first == NULL || doc->first->next == NULL) {
        return; /* one section stands below */
    }
    fputs("<nav aria-label=\"Contents\">\n<ul>\n", out);
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        if (section->folded) {
            continue;
        }
        fprintf(out, "<li><a href=\"#%s\">", section->id);
        markup_text(out, section->title);
        fputs("</a></li>\n", out);
    }
    fputs("</ul>\n</nav>\n", out);
}

/* Counts the plots: sections with plots use two columns if there is room. */
static int plots_of(const struct doc_section *section)
{
    int plots = 0;

    for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
        plots += block->kind == DOC_PLOT && plot_has_data((const struct doc_plot *)block);
    }
    return plots > 2 ? 2 : plots;
}

static void title_html(FILE *out, const struct doc *doc)
{
    fputs("<h1>", out);
    markup_text(out, doc->title);
    fputs("</h1>\n", out);
    if (doc->about[0] != '\0') {
        fputs("<p class=\"about\">", out);
        markup_text(out, doc->about);
        fputs("</p>\n", out);
    }
    if (doc->lead[0] != '\0') {
        char news[LEAD];

        snprintf(news, sizeof news, "%.*s", (int)doc->lead_strong, doc->lead);
        fputs("<p class=\"lead\"><strong>", out);
        markup_text(out, news);
        fputs("</strong>", out);
        markup_text(out, doc->lead + strlen(news));
        fputs("</p>\n", out);
    }
    if (doc->state[0] != '\0') {
        fputs("<p class=\"warning\">", out);
        markup_text(out, doc->state);
        fputs("</p>\n", out);
    }
    if (doc->top != NULL) {
        html_facts(out, doc->top, DOC_FACT_TOP);
    }
}

static bool is_how(const struct doc_block *block)
{
    return block->kind == DOC_NOTE && ((const struct doc_note *)block)->kind == DOC_NOTE_HOW;
}

/* Prints how to read a section's numbers, hidden behind a line that opens it. */
static void how_html(struct page *page, const struct doc_section *section)
{
    bool any = false;

    for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
        if (is_how(block)) {
            fputs(any ? "" : "<details>\n<summary>How to read this</summary>\n", page->out);
            note_html(page, (const struct doc_note *)block);
            any = true;
        }
    }
    fputs(any ? "</details>\n" : "", page->out);
}

static void section_html(struct page *page, const struct doc_section *section)
{
    FILE *out = page->out;

    fprintf(out,
            "<section class=\"plots%d\" id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 "
            "id=\"%s-title\">",
            plots_of(section), section->id, section->id, section->id);
    markup_text(out, section->title);
    fputs("</h2>\n", out);
    for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
        if (!is_how(block)) {
            block_html(page, block);
        }
    }
    how_html(page, section);
    fputs("</section>\n", out);
}

/* Lists the sections without content, one line each. */
static void folded_html(FILE *out, const struct doc *doc)
{
    bool any = false;

    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        if (!section->folded) {
            continue;
        }
        fputs(any ? ""
                  : "<section id=\"folded\" aria-labelledby=\"folded-title\">\n"
                    "<h2 id=\"folded-title\">Nothing to show</h2>\n<dl class=\"folded\">\n",
              out);
        fprintf(out, "<div id=\"%s\"><dt>", section->id);
        markup_text(out, section->title);
        fputs("</dt>", out);
        for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
            if (block->kind == DOC_NOTE) {
                fputs("<dd>", out);
                markup_text(out, ((const struct doc_note *)block)->text);
                fputs("</dd>", out);
            }
        }
        fputs("</div>\n", out);
        any = true;
    }
    fputs(any ? "</dl>\n</section>\n" : "", out);
}

enum bg_status document_html(FILE *out, const struct doc *doc, struct bg_error *err)
{
    struct page page = {.out = out, .site = doc->site};

    /* Style sheet and drawings of a report are in the page itself: it is mailed and archived as one
     * file, and opens without a network for decades. */
    head_html(out, doc);
    html_site_body(out, doc);
    fputs("<header>\n", out);
    if (doc->site != NULL) {
        html_site_navigation(out, doc);
    }
    title_html(out, doc);
    contents_html(out, doc);
    fputs("</header>\n<main>\n", out);
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        if (!section->folded) {
            section_html(&page, section);
        }
    }
    folded_html(out, doc);
    fputs("</main>\n<footer><p>Made by bgref " BG_VERSION ", the backgammon referee.</p></footer>\n"
          "</body>\n</html>\n",
          out);
    return ferror(out) == 0 ? BG_OK
                            : bg_error_set(err, BG_E_SYSTEM, "write report: %s", strerror(errno));
}
