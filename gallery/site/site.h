/* site.h - the pages of a results database, by their paths. Reads it, and writes nothing.
 *
 *     /                       the report
 *     /games/1                all games, 200 a page
 *     /g/A/B/PAIR/LEG/GAME    one game, as its id, with slashes; and .json
 *     /style.css /board.js /icon.svg
 *
 * Works while a referee writes: each page shows what is stored when it is asked for.
 */
#ifndef GALLERY_SITE_SITE_H
#define GALLERY_SITE_SITE_H

#include <bgref/error.h>

#include <stdio.h>

struct site;

/* path is copied. BG_E_ARGUMENT: not a results database. */
enum bg_status site_open(struct site **out, const char *path, struct bg_error *err);
void site_close(struct site *site); /* NULL is fine */

/* Writes a page. Returns the status of HTTP: 200; 404: there is no such page; 500: the results
 * cannot be read. Of these two the page says why, as text. *type: its content type; static. */
int site_write(struct site *site, const char *path, FILE *out, const char **type);

#endif
