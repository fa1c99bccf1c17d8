/* entry.h - what the settings of an event keep of one bot, line by line: who stands behind it, the
 * programs that have played under its name, and that it was out and may play on.
 *
 * A text only grows by lines, in the order in which they came; the last line is the one in force.
 */
#ifndef RESULTS_STORE_ENTRY_H
#define RESULTS_STORE_ENTRY_H

#include "store.h"

enum { ENTRY_KEY = 96 }; /* the name of such a setting */

/* ------------------------------------------------------------------ what an event is called
 *
 * What people read above its tables. Stored as "about.title" and so on: not with the settings, so
 * that they are in no root, and may be corrected after the event. */

enum about_word {
    ABOUT_TITLE,
    ABOUT_PLACE,
    ABOUT_DATE,
    ABOUT_ORGANISER,
    ABOUT_DIRECTOR,
    ABOUT_WORDS
};
enum { ABOUT_TEXT = 201 }; /* bytes of a text, with its end */

struct about {
    char text[ABOUT_WORDS][ABOUT_TEXT]; /* one clean line each; "" not given */
};

/* The word as in the event file and in the setting, "title". Static. */
const char *about_name(enum about_word word);
/* Writes the setting's name. */
void about_key(char out[ENTRY_KEY], enum about_word word);
enum bg_status about_read(struct about *out, struct store *store, struct bg_error *err);

/* ------------------------------------------------------------------ what is declared
 *
 * Its author, its operator, its origins; and whom its program names as its author. Stored as
 * "event.author.NAME", "event.operator.NAME", "event.origins.NAME" and "event.said_author.NAME". A
 * second line means that the text changed after the bot's first game. */

enum entry_word {
    ENTRY_AUTHOR,
    ENTRY_OPERATOR,
    ENTRY_ORIGINS,
    ENTRY_SAID_AUTHOR, /* by the program, in its Hello */
    ENTRY_WORDS
};

/* The word as in the event file and in the setting, "author". Static. */
const char *entry_word_name(enum entry_word word);

/* Writes the setting's name, with "event." in front of it. */
void entry_key(char out[ENTRY_KEY], enum entry_word word, const char *bot);

/* Returns the bot's name in the key of such a setting ("author.NAME", without "event."), or NULL.
 * Lent. */
const char *entry_bot(const char *key);

/* Returns the last line. Lent from text. */
const char *entry_last(const char *text);

/* Returns the text with one more line, owned by the caller. before may be NULL. */
char *entry_add(const char *before, const char *line);

/* Whether the program names another author than the declared one; false if either is missing.
 * Capitals do not count. */
bool entry_differs(const char *author, const char *said);

/* ------------------------------------------------------------------ programs
 *
 * Stored as "program.NAME": one line per program, with six fields separated by "|": digest, time of
 * first play, time of its newest file, version, command with options, number of files. A second
 * line means that a user allowed a changed program to continue under the same name; all figures of
 * that bot then mix several programs. */

enum {
    EDITIONS_MOST = 64, /* of one name in an event */
    EDITION_DIGEST = 65,
    EDITION_SHORT = 8, /* characters of a digest shown to users */
    EDITION_TIME = 24,
    EDITION_VERSION = 256,
    EDITION_WORDS = 1024,
    EDITIONS_NOTE = 1024
};

struct edition {
    char digest[EDITION_DIGEST]; /* of its files; "-" unknown */
    char since[EDITION_TIME];    /* UTC, like "2026-11-22 09:10:45"; "-" unknown; the same below */
    char built[EDITION_TIME];
    char version[EDITION_VERSION]; /* the version that the bot reports; "-" unknown */
    char words[EDITION_WORDS];     /* command without folders, options, clock */
    int files;                     /* covered by the digest; 0 unknown */
};

/* Writes the setting's name. */
void editions_key(char out[ENTRY_KEY], const char *bot);

/* Writes the name of the setting by which a director has accepted a program that is to come: with a
 * text, whatever the bot is when it comes next goes on under its name; "" none. */
void editions_accepted_key(char out[ENTRY_KEY], const char *bot);

/* Of the setting with the version as which a bot came last, and was refused; "": it is over. */
void editions_refused_key(char out[ENTRY_KEY], const char *bot);

/* Formats seconds since 1970 for an edition; "-" if below 1. */
void edition_time(char out[EDITION_TIME], int64_t calendar_s);

/* Reads the next edition from *text and moves *text behind it. Returns false at the end. */
bool edition_read(struct edition *out, const char **text);
/* Whether the edition has this version. */
bool edition_has_version(const struct edition *edition, const char *version);
/* Reads the last edition. Returns false if there is none. */
bool edition_last(struct edition *out, const char *text);
int editions_count(const char *text);

/* Returns the text with one more line, owned by the caller. before may be NULL. */
char *editions_add(const char *before, const struct edition *edition);

/* Writes the note for a table about a bot with several programs; "" if it has only one. */
void editions_note(char out[EDITIONS_NOTE], const char *bot, const char *text);

/* ------------------------------------------------------------------ reinstated bots
 *
 * The desk reinstates a bot (proof/desk.h). Fixtures that were given up because of it are open
 * again, and its faults until then no longer count toward a quarantine. Games do not change. Stored
 * as "reinstated.NAME": one line per act, with five fields separated by "|": time, number of the
 * last fault that no longer counts, number of reopened fixtures, the root published until then ("-"
 * none), reason. */

#define REINSTATED "reinstated."

enum { REINSTATED_REASON = 201, REINSTATED_TIME = 24 };

struct reinstated {
    char at[REINSTATED_TIME]; /* UTC, "2026-11-22T08:30:00Z" */
    uint64_t fault;           /* number of a struct store_fault; 0 none */
    uint64_t fixtures;
    char root[RECORD_HASH]; /* "-": none had been published */
    char reason[REINSTATED_REASON];
};

/* The act is lent. */
typedef void (*reinstated_fn)(void *user, const char *bot, const struct reinstated *act);

/* Calls fn for every act, sorted by bot, then by time. */
enum bg_status reinstated_each(struct store *store, reinstated_fn fn, void *user,
                               struct bg_error *err);

/* Sets fixtures and fault: what was given up because of the bot, and its last fault. */
enum bg_status reinstated_count(struct reinstated *act, struct store *store, const char *bot,
                                struct bg_error *err);

/* Writes the setting that has the bot's earlier acts and this one: its name into key, its value
 * into *out, which the caller frees. BG_E_STORE: no room for more. */
enum bg_status reinstated_line(char **out, char key[ENTRY_KEY], struct store *store,
                               const char *bot, const struct reinstated *act, struct bg_error *err);

#endif
