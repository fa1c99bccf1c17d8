/* editions.h - which programs have played under a bot's name in an event.
 *
 * Stored as setting "program.NAME": one line per program, in the order in which they played, with
 * six fields separated by "|": digest, time of first play, time of its newest file, version,
 * command with options, number of files. A second line means that a user allowed a changed program
 * to continue under the same name; all figures of that bot then mix several programs.
 */
#ifndef RESULTS_STORE_EDITIONS_H
#define RESULTS_STORE_EDITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EDITIONS_MOST = 64, /* of one name in an event */
    EDITION_DIGEST = 65,
    EDITION_SHORT = 8, /* characters of a digest shown to users */
    EDITION_TIME = 24,
    EDITION_VERSION = 256,
    EDITION_WORDS = 1024,
    EDITIONS_KEY = 80,
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
void editions_key(char out[EDITIONS_KEY], const char *bot);

/* Writes the name of the setting by which a director has accepted a program that is to come: with a
 * text, whatever the bot is when it comes next goes on under its name; "" none. */
void editions_accepted_key(char out[EDITIONS_KEY], const char *bot);

/* Of the setting with the version as which a bot came last, and was refused; "": it is over. */
void editions_refused_key(char out[EDITIONS_KEY], const char *bot);

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

#endif
