/* html_site.h - what a page has because it is one among others: head, line of navigation, links.
 * Without a site (doc->site is NULL) nothing is written, and texts stay texts. */
#ifndef RESULTS_DOCUMENT_HTML_SITE_H
#define RESULTS_DOCUMENT_HTML_SITE_H

#include "document.h"

/* Style sheet, scripts, and what other programs show of the page. */
void html_site_head(FILE *out, const struct doc *doc);
/* Opens the body, with what kind of a frame it is for. */
void html_site_body(FILE *out, const struct doc *doc);
/* The links of the line of navigation. */
void html_site_navigation(FILE *out, const struct doc *doc);
/* A text, as a link if it has a path. */
void html_site_link(FILE *out, const struct doc_site *site, const char *path, const char *shown);
/* A cell's text, as a link if its page is known: of a game, of a bot, or the cell's own path. */
void html_site_text(FILE *out, const struct doc_table *table, int row, int column,
                    const char *shown);

#endif
