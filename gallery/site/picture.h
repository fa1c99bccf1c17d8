/* picture.h - a page's picture as PNG, which other programs show beside a link to it (og:image): a
 * board, a bracket, or the first ones of a standing. By librsvg, which is loaded with the first
 * picture; pages have none where the machine does not have it. */
#ifndef GALLERY_SITE_PICTURE_H
#define GALLERY_SITE_PICTURE_H

#include "document/document.h"

/* Whether this machine can make pictures. */
bool picture_is_possible(void);

/* Writes the picture of a document: its title, its first sentence, and what it has to show.
 * BG_E_SYSTEM. */
enum bg_status picture_write(FILE *out, const struct doc *doc, struct bg_error *err);

#endif
