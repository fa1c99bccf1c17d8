/* editions.h - which programs a bot's name has stood for in an event.
 *
 * The results keep them as setting "program.NAME": a line for each program, in the order in which
 * they played, of six fields with "|" between: digest, when it first played, when its newest file
 * was written, version, command with options, number of its files. A further line means that
 * somebody let a changed program go on under the same name; then every number of that bot pools
 * several programs.
 */
#ifndef RESULTS_STORE_EDITIONS_H
#define RESULTS_STORE_EDITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EDITION_DIGEST = 65,
    EDITION_SHORT = 8, /* characters of a digest that people are shown */
    EDITION_TIME = 24,
    EDITION_VERSION = 256,
    EDITION_WORDS = 1024,
    EDITIONS_KEY = 80,
    EDITIONS_NOTE = 1024
};

struct edition {
    char digest[EDITION_DIGEST]; /* of its files, "-" not known */
    char since[EDITION_TIME];    /* UTC, like "2026-11-22 09:10:45"; "-" not known; so below */
    char built[EDITION_TIME];
    char version[EDITION_VERSION]; /* as it calls itself, "-" not known */
    char words[EDITION_WORDS];     /* command without folders, options, clock */
    int files;                     /* that the digest covers; 0 not known */
};

/* The name of the setting. */
void editions_key(char out[EDITIONS_KEY], const char *bot);

/* Seconds since 1970 as an edition has them; below 1: "-". */
void edition_time(char out[EDITION_TIME], int64_t calendar_s);

/* The next one of *text, which moves behind it; false at the end. */
bool edition_read(struct edition *out, const char **text);
/* Whether it is this version, as an edition writes it. */
bool edition_has_version(const struct edition *edition, const char *version);
/* The last one; false: there is none. */
bool edition_last(struct edition *out, const char *text);
int editions_count(const char *text);

/* The text with one more line; the caller's. before may be NULL. NULL: no memory. */
char *editions_add(const char *before, const struct edition *edition);

/* The note in a table about a bot with several programs; "" where there is but one. */
void editions_note(char out[EDITIONS_NOTE], const char *bot, const char *text);

#endif
