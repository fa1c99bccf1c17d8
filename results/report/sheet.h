/* sheet.h - what is published of an event's form: standing, draw sheet, crosstable, bracket, match
 * list, ladder, entrants, decisions of the desk.
 *
 * Everything comes from the season (season/season.h) and its journal. Each part adds one section
 * to a document; a part without content adds nothing. `bgref report --sheet` prints them alone, and
 * the report of an event that has a form or a journal includes them.
 */
#ifndef RESULTS_REPORT_SHEET_H
#define RESULTS_REPORT_SHEET_H

#include "document/document.h"
#include "season/season.h"

struct store;

/* What an entrant declared; texts may be NULL: not declared. Lent. */
struct sheet_entry {
    char *author, *operator, * origins; /* one line each text that was in force, the last one is */
    char *said_author;                  /* the same, by the program's own words */
    char *version, *program;            /* of the last program that played under its name */
};

struct sheet {
    struct doc *doc;
    const struct season *season;
    const struct plan *plan;
    const struct act *act; /* the journal, [acts] */
    size_t acts;
    const struct sheet_entry *entry; /* [season_entrants]; NULL: nothing is known */
    const char *signed_by;           /* as of signatures_told; NULL: nobody */
    const char *lapsed;              /* the same: signatures that do not hold */
    enum bg_status status;           /* set by the parts: the first failure */
    struct bg_error *err;
};

struct sheet_part {
    const char *name; /* of the section, and of --section */
    void (*build)(struct sheet *sheet);
    const char *help;
};

enum { SHEET_PARTS = 8 };

extern const struct sheet_part sheet_parts[SHEET_PARTS]; /* in the order of printing */

/* Returns the part, or NULL; *nearest: the nearest name, or NULL. */
const struct sheet_part *sheet_part_find(const char *name, const char **nearest);

/* Writes who is first by the event's own rule, and how it became so, in a sentence; "": nobody yet.
 * final: nothing about the event can change any more. sheet_lead: the same, and how far the event
 * is. The document owns both. */
const char *sheet_champion(struct doc *doc, const struct season *season, bool final);
const char *sheet_lead(struct doc *doc, const struct season *season);

/* Gives a document the title of the event (if it has one of its own) and the line below it: place,
 * date (if none is given, this one), organiser, director. Adds them to the last section as facts
 * for JSON. */
enum bg_status sheet_about(struct doc *doc, struct store *store, const char *date,
                           struct bg_error *err);

/* The season of a store, with what the parts need. */
struct sheet_source;

/* Reads it. Without a form and without a journal *out is NULL and the status BG_OK. BG_E_STORE,
 * BG_E_MISMATCH (the journal). */
enum bg_status sheet_source_read(struct sheet_source **out, struct store *store,
                                 struct bg_error *err);
const struct season *sheet_season(const struct sheet_source *source); /* lent */
void sheet_source_destroy(struct sheet_source *source);               /* NULL is fine */

/* Builds parts of a source into a document; parts NULL: all. */
enum bg_status sheet_build(struct doc *doc, const struct sheet_source *source,
                           const struct sheet_part *const *parts, int count, struct bg_error *err);

/* The whole sheet of a results database as a document, which the caller destroys. BG_E_ARGUMENT: no
 * such file, or an event without form and journal; else as above. */
enum bg_status sheet_open(struct doc **out, const char *path, const struct sheet_part *const *parts,
                          int count, struct bg_error *err);

/* Prints the standing of each stage and group alone, for a terminal. */
enum bg_status sheet_standing_write(FILE *out, const struct season *season, struct bg_error *err);

/* The parts. */
void sheet_standing(struct sheet *sheet);
void sheet_draw(struct sheet *sheet);
void sheet_crosstable(struct sheet *sheet);
void sheet_bracket(struct sheet *sheet);
void sheet_matches(struct sheet *sheet);
void sheet_ladder(struct sheet *sheet);
void sheet_entries(struct sheet *sheet);
void sheet_decisions(struct sheet *sheet);

#endif
