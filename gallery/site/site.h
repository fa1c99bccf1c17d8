/* site.h - the pages of results databases, by their paths. Reads them, and writes nothing.
 *
 *     /                          the lobby: every event, where it stands, who leads
 *     /archive /about /rules/G   events that are over; what this is; the rules of a game
 *     /e/EVENT/                  an event's report
 *     /e/EVENT/standings         and crosstable, rounds, bracket, ladder: what the event has
 *     /e/EVENT/live              its games in play
 *     /e/EVENT/games             its games, ?bot= &opponent= &after= (the id of the last one seen)
 *     /e/EVENT/g/A/B/PAIR/LEG/GAME   one game, as its id, with slashes
 *     /e/EVENT/m/A-vs-B          two bots' encounter
 *     /e/EVENT/b/BOT             one bot
 *     /e/EVENT/EVENT.db          the database, if it may be had
 *     /api/v1/...json            each page as JSON; of a path that ends with a slash index.json
 *     /s/HASH/...                style sheet, scripts, icon, by what they contain
 *
 * Works while a referee writes: each page shows what is stored when it is asked for. Links are
 * relative, so that a page works behind any path of a web server.
 */
#ifndef GALLERY_SITE_SITE_H
#define GALLERY_SITE_SITE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SITE_NAME = 200 };

struct site;
struct web_answer;
struct web_request;

/* Opens results databases, each an event. Paths are copied. BG_E_ARGUMENT: one is not a results
 * database. */
enum bg_status site_open(struct site **out, const char *const *paths, int count,
                         struct bg_error *err);
void site_close(struct site *site); /* NULL is fine */

/* Sets where the first page is for everybody, "https://bg.org/cup/", which other programs need: for
 * pictures and feeds. Lent. NULL: not known, as at first. */
void site_set_address(struct site *site, const char *address);

struct site_settings {
    int budget;    /* percent of a core that pages may use: beyond it lists are refused; 100, as
                      at first: as much as is asked for */
    bool has_join; /* every page leads to "join", which another answers */
    bool has_databases; /* databases of events that are over may be had */
};

void site_set(struct site *site, const struct site_settings *settings);

/* Adds an event, if it is not there. *name: what its paths have, lent until site_close. Statuses as
 * of site_open. */
enum bg_status site_add(const char **name, struct site *site, const char *path,
                        struct bg_error *err);

/* Adds a date of a host's calendar. name: of the event, "": forgets all dates. state: in words.
 * Copied. */
void site_add_date(struct site *site, const char *name, const char *state, int64_t start_s);

struct doc;
struct site_page;

/* What is in play, besides what is stored. list: adds it to the lobby, or to the
 * page of page->event. game: returns the page of a
 * game of page->event that is not stored, or NULL. */
struct site_live {
    void (*list)(void *user, const struct site_page *page, struct doc *doc);
    struct doc *(*game)(void *user, const struct site_page *page, const char *id);
};

/* What is at stake in a game of two bots. */
struct site_stake {
    bool is_final; /* of an event that ends with one */
    int rank[2];   /* of the bots in the standing; 0: not known */
};

/* As the event's sums say, if they were read for a page. */
struct site_stake site_stake_of(const struct site *site, const char *event,
                                const char *const name[2]);

/* The event has results that its pages may not have yet: they are made anew when they are asked for
 * next. Returns in how many nanoseconds they can be, 0 at once. */
int64_t site_renew(struct site *site, const char *event);

/* Both lent; NULL: nothing is in play. */
void site_show_live(struct site *site, const struct site_live *live, void *user);

/* Answers a request (loop/web.h), whose path and query count. Returns the status of HTTP: 200; 404:
 * there is no such page; 500: the results cannot be read; 503: not soon enough. Of an error out
 * says why, as text. */
int site_write(struct site *site, const struct web_request *request, FILE *out,
               struct web_answer *answer);

#endif
