/* Every link begins with the way back to the site's first page, so that the same page works behind
 * any path of a server and in a folder of files. */
#include "html_site.h"

#include <ctype.h>
#include <string.h>

#include <bgref/ask.h>

#include "markup.h"
#include "record/game_id.h"

void doc_path_write(FILE *out, const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        if (isalnum((unsigned char)*c) || strchr("._+-", *c) != NULL) {
            fputc(*c, out);
        } else {
            fprintf(out, "%%%02X", (unsigned char)*c);
        }
    }
}

void doc_game_path_write(FILE *out, const char *id, bool is_file)
{
    for (int bars = 0; *id != '\0'; bars++) {
        size_t size = strcspn(id, "|");
        char part[BG_GAME_ID];

        snprintf(part, sizeof part, "%.*s", (int)size, id);
        fputs(bars == 0 ? "" : bars < 3 || !is_file ? "/" : "-", out);
        doc_path_write(out, part);
        id += size + (id[size] == '|');
    }
}

static void open_link(FILE *out, const struct doc_site *site, const char *path)
{
    fputs("<a href=\"", out);
    markup_text(out, site->root);
    markup_text(out, path);
}

void html_site_link(FILE *out, const struct doc_site *site, const char *path, const char *shown)
{
    if (site != NULL && path != NULL) {
        open_link(out, site, path);
        fputs("\">", out);
        markup_text(out, shown);
        fputs("</a>", out);
    } else {
        markup_text(out, shown);
    }
}

/* A page of the event by the name in it. What is no part of a name, but may stand in a file from
 * elsewhere, is escaped. */
static void named_link(FILE *out, const struct doc_site *site, const char *family, const char *name,
                       const char *shown)
{
    struct game_id id;

    open_link(out, site, site->event);
    if (site->pairs > 0 && game_id_read(&id, name) && id.pair >= site->pairs) {
        fprintf(out, "game%s?", site->ending);
        doc_game_path_write(out, name, false);
        fputs("\">", out);
    } else {
        fputs(family, out);
        if (strchr(name, '|') != NULL) {
            doc_game_path_write(out, name, site->ending[0] != '\0');
        } else {
            doc_path_write(out, name);
        }
        fprintf(out, "%s\">", site->ending);
    }
    markup_text(out, shown);
    fputs("</a>", out);
}

/* The page of two bots, whose names are in order. */
static void meeting_link(FILE *out, const struct doc_table *table, int row, const char *shown)
{
    const struct doc_site *site = table->doc->site;
    const char *a = doc_at(table, row, 0)->text, *b = doc_at(table, row, 1)->text;

    open_link(out, site, site->event);
    fputs("m/", out);
    doc_path_write(out, strcmp(a, b) < 0 ? a : b);
    fputs("-vs-", out);
    doc_path_write(out, strcmp(a, b) < 0 ? b : a);
    fprintf(out, "%s\">", site->ending);
    markup_text(out, shown);
    fputs("</a>", out);
}

void html_site_text(FILE *out, const struct doc_table *table, int row, int column,
                    const char *shown)
{
    const struct doc_site *site = table->doc->site;
    const struct doc_cell *cell = doc_at(table, row, column);
    const struct doc_column *head = &table->column[column];
    const bool is_named = site != NULL && site->event != NULL && cell->path == NULL &&
                          cell->kind == DOC_TEXT && cell->text[0] != '\0';

    if (is_named && head->meeting) {
        meeting_link(out, table, row, shown);
    } else if (is_named && (head->game || head->bot)) {
        named_link(out, site, head->game ? "g/" : "b/", cell->text, shown);
    } else if (site != NULL && site->event != NULL && cell->path != NULL &&
               strchr(cell->path, '|') != NULL) {
        named_link(out, site, "g/", cell->path, shown);
    } else {
        html_site_link(out, site, cell->path, shown);
    }
}

void html_site_head(FILE *out, const struct doc *doc)
{
    const struct doc_site *site = doc->site;

    fprintf(out,
            "<link rel=\"icon\" href=\"%s%sicon.svg\"/>\n<link rel=\"stylesheet\" "
            "href=\"%s%sstyle.css\"/>\n",
            site->root, site->assets, site->root, site->assets);
    if (doc->part != NULL) {
        fprintf(out,
                "<link rel=\"stylesheet\" href=\"%s%s%s.css\"/>\n"
                "<script type=\"module\" src=\"%s%s%s.js\"></script>\n",
                site->root, site->assets, doc->part, site->root, site->assets, doc->part);
    }
    if (site->frame != NULL) { /* its links do not open inside of the frame */
        fprintf(out, "<link rel=\"stylesheet\" href=\"%s%sembed.css\"/>\n<base target=\"_top\"/>\n",
                site->root, site->assets);
    }
    for (const char *const *script = site->scripts; *script != NULL; script++) {
        fprintf(out, "<script type=\"module\" src=\"%s%s%s\"></script>\n", site->root, site->assets,
                *script);
    }
    if (site->image != NULL) {
        fputs("<meta property=\"og:image\" content=\"", out);
        markup_text(out, site->address[0] == '\0' ? site->root : site->address);
        markup_text(out, site->image);
        fputs("\"/>\n", out);
    }
}

void html_site_body(FILE *out, const struct doc *doc)
{
    if (doc->site != NULL && doc->site->frame != NULL) {
        fprintf(out, "<body class=\"%s\">\n", doc->site->frame);
    } else {
        fputs("<body>\n", out);
    }
}

void html_site_navigation(FILE *out, const struct doc *doc)
{
    const struct doc_site *site = doc->site;

    if (site->links == 0) {
        return;
    }
    fputs("<nav aria-label=\"Site\">\n<ul>\n", out);
    for (int i = 0; i < site->links; i++) {
        fputs("<li>", out);
        open_link(out, site, site->link[i].path);
        fputs(site->link[i].is_here ? "\" aria-current=\"page\">" : "\">", out);
        markup_text(out, site->link[i].words);
        fputs("</a></li>\n", out);
    }
    fputs("</ul>\n</nav>\n", out);
}
