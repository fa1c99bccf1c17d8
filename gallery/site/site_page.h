/* site_page.h - what the families of pages share: a page that is being answered, and its event.
 *
 * A family is a source of its own (site_event.c, site_games.c, ...) with functions for rows of the
 * tables of routes in site.c. Such a function makes a document and gives it to site_doc, or
 * answers with site_none.
 */
#ifndef GALLERY_SITE_SITE_PAGE_H
#define GALLERY_SITE_SITE_PAGE_H

#include <sys/stat.h>

#include "budget.h"
#include "document/document.h"
#include "loop/web.h"
#include "report/sheet.h"
#include "site.h"
#include "store/store.h"
#include "sums/gather.h"

enum {
    SITE_OK = 200,
    SITE_NOT_FOUND = 404,
    SITE_FAILED = 500,
    SITE_BUSY = 503,
    SITE_LIST = 200, /* rows of a list */
    SITE_TAG = 80,
    SITE_SHORT_S = 2 /* how long a page may be kept that changes with the results */
};

/* The pages of an event that are made of its sums, in the order of the line of navigation. */
enum event_page {
    EVENT_MAIN,
    EVENT_STANDINGS,
    EVENT_CROSSTABLE,
    EVENT_ROUNDS,
    EVENT_BRACKET,
    EVENT_LADDER,
    EVENT_PAGES,
    EVENT_ALWAYS = EVENT_PAGES /* no page of sums: every event has it */
};

/* When the files of a database were last written. */
struct site_stamp {
    struct timespec written[2];
    off_t size[2];
    uint64_t renewed; /* how often: the delay shows more of the same files */
};

/* A match that is not over. */
struct site_open {
    const struct meeting *meeting; /* the source's */
    bool is_final;
};

/* One results database. Its sums are read when a page needs them, and again when it has changed. */
struct site_event {
    char *path, *name;           /* owned; name: its part of paths, unique in the site */
    struct site_stamp stamp;     /* of the sums */
    char tag[SITE_TAG];          /* of its pages */
    int64_t read_ns, cost_ns;    /* when the sums were read, and how long that took */
    uint64_t renewed;            /* see site_renew */
    char *judge;                 /* owned; whose verdicts games show, "" none; NULL: unknown yet */
    uint64_t pairs;              /* of a folder: games of later pairs share a page; 0: none */
    bool is_read;                /* the sums are there */
    struct gather gather;        /* its store is open only while a page is made */
    struct sheet_source *source; /* NULL: it has no form and no journal */
    struct site_open *open;      /* [opens], owned; of the source */
    size_t opens, open_room;
    struct doc *doc[EVENT_PAGES]; /* owned; made when asked for */
    bool has[EVENT_PAGES];
};

/* Of the calendar of a host. */
struct site_date {
    char name[SITE_NAME], state[16];
    int64_t start_s, told_s;
};

/* The database of an event that is over, as it is downloaded. */
struct site_copy {
    const struct site_event *event; /* NULL: none was made */
    char root[RECORD_HASH];
    int fd; /* of a file without a name */
    uint64_t bytes;
};

struct site {
    struct site_event *event; /* owned; [events] */
    int events;
    size_t room;
    const struct site_live *live; /* lent, like user; NULL: nothing is in play */
    void *user;
    struct budget budget;
    struct site_date *date; /* owned; [dates], by their starts */
    size_t dates, date_room;
    struct site_copy copy; /* the last one that was asked for */
    const char *address;   /* lent; "" not known */
    bool has_join;         /* there is a page "join" */
    bool has_databases;    /* e/EVENT/EVENT.db is there, of those that are over */
    bool is_folder;        /* the pages become files: paths have endings, and lists numbers */
};

struct site_page {
    struct site *site;
    struct site_event *event; /* NULL: the page belongs to none */
    const char *path;         /* of the page, without a first slash and .json: "e/cup/standings" */
    const char *rest;         /* of the path, behind the route's */
    const char *query;
    enum event_page which; /* of an event's sums */
    bool is_json, is_picture;
    const char *frame;     /* "embed", "overlay"; NULL: by itself */
    const char *picture;   /* the path of its own picture; NULL: it has that of its event */
    int number;            /* of a list's page in a folder, from 1 */
    char next[BG_GAME_ID]; /* set by a list: the cursor of its next page; "" none */
    struct store *store;   /* of the event, while the page is made; see site_event_read */
    FILE *out;
    struct web_answer *answer;
    int status;
    struct bg_error err;
};

/* Answers, each once for a page. site_doc takes the document (NULL: page->err says why not, with
 * its status). */
void site_doc(struct site_page *page, struct doc *doc, enum bg_status status);
/* The same of a document that stays the event's. */
void site_doc_lent(struct site_page *page, struct doc *doc);
void site_text(struct site_page *page, const char *type, const char *text);
void site_none(struct site_page *page, const char *why);        /* 404 */
void site_error(struct site_page *page, enum bg_status status); /* page->err */

/* Finds the page by its path, and answers. */
void site_route(struct site_page *page);
/* Calls fn for the path of each page but those of games. BG_E_STORE and others: sums cannot be
 * read.
 */
enum bg_status site_each_path(struct site *site, void (*fn)(void *user, const char *path),
                              void *user, struct bg_error *err);

/* Returns the path of a page from the site's first page, with the ending that pages have here.
 * The document owns it. */
const char *site_path(const struct site_page *page, struct doc *doc, const char *format, ...)
    BG_PRINTF(3, 4);
/* A name as it stands in paths. The document owns it. */
const char *site_name(struct doc *doc, const char *name);

/* Opens the event's store and reads its sums, if they are not those of the database as it is. After
 * BG_OK page->event->gather is there until the page is answered. */
enum bg_status site_event_read(struct site_page *page);
/* Opens the event's store; the sums have it, too, until the page is answered. */
enum bg_status site_event_open(struct site_page *page);
void site_event_close(struct site_page *page);
void site_event_deinit(struct site_event *event);
/* Reads an event for a page that may belong to none. NULL: it cannot be read. */
struct site_event *site_event_at(const struct site_page *page, int i, struct bg_error *err);
/* When something was last stored, in seconds since 1970; of an event that was read. */
double site_event_seen_s(const struct site_event *event);

/* Whether it is on, or comes. */
bool site_date_holds(const struct site_date *date);
/* Whether an event of the site has this name. */
bool site_has_event(const struct site *site, const char *name);

/* Creates the document of a page of the event, titled "WHAT - EVENT". After site_event_read. */
struct doc *site_event_doc(const struct site_page *page, const char *what);

/* Adds the section of games of one bot, of two, or of all (-1), SITE_LIST of them from the query's
 * cursor on, and the way to more. After site_event_read. BG_E_ARGUMENT: the cursor is none. */
struct report_whom;
enum bg_status site_list(struct site_page *page, struct doc *doc, const struct report_whom *whom);

/* Answers with the page of a game. page->store is open. */
void site_game_write(struct site_page *page, const struct game_id *id);

/* Of a folder: games of two bots whose pairs are first to end - 1, as a file of JSON; each game has
 * a line, and the last one (site_pack_end) says of which pair the first may be, and how many there
 * are. */
enum { SITE_PACK = 32 /* pairs of a file; shared.js has the same number */ };

struct site_pack {
    const char *a, *b;
    uint64_t first, end;
    int games;     /* set: how many were written; 0: nothing was */
    bool has_more; /* set: there are games of these or later pairs */
};

/* out NULL: only counts them. */
enum bg_status site_pack_write(FILE *out, struct site_pack *pack, struct store *store,
                               struct bg_error *err);
void site_pack_end(FILE *out, const struct site_pack *pack);
/* Answers with the page that shows each game of such a file. After site_event_read. */
void site_shared_write(struct site_page *page);

/* Whether the event, which was read, has a database to download. */
bool site_has_database(const struct site *site, const struct site_event *event);
void site_copy_drop(struct site *site);

/* Answers with the picture of a document. */
void site_picture(struct site_page *page, const struct doc *doc);

/* The families. */
void site_lobby(struct site_page *page);
void site_archive(struct site_page *page);
void site_rules(struct site_page *page);
void site_about(struct site_page *page);
void site_events_atom(struct site_page *page);
void site_calendar(struct site_page *page);
void site_event_picture(struct site_page *page);
void site_event_page(struct site_page *page);
void site_event_live(struct site_page *page); /* page->which */
void site_games(struct site_page *page);
void site_game(struct site_page *page);
void site_encounter(struct site_page *page);
void site_bot(struct site_page *page);
void site_file(struct site_page *page);
void site_database(struct site_page *page);

#endif
