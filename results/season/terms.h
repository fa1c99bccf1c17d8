/* terms.h - the rules of a meeting where they differ from those of the event: "cube=off length=7".
 *
 * The rules of a game are a value that follows from three things, the later before the earlier and
 * word by word: the event's rules; the length of the stage or play-off (match=N, length=N,
 * playoff_length=N); the conditions of the two bots, from the event file or the desk. So every
 * reader of a results database knows the rules of each game, and verify compares them with those
 * that its record has. Money games and matches are never mixed in one event.
 */
#ifndef RESULTS_SEASON_TERMS_H
#define RESULTS_SEASON_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/match.h>

enum terms_word {
    TERMS_CUBE,     /* 0 off, 1 on */
    TERMS_LENGTH,   /* points, at least 1; only in an event of matches */
    TERMS_CRAWFORD, /* matches; off: without the holland rule too */
    TERMS_JACOBY,   /* money */
    TERMS_BEAVERS,  /* money; off: no raises */
    TERMS_WORDS
};

enum { TERMS_TEXT = 80, TERMS_NAME = 65, TERMS_EVENT = -1 };

/* By word; TERMS_EVENT: as in the event. */
struct terms {
    int value[TERMS_WORDS];
};

struct terms terms_none(void);
bool terms_are_none(const struct terms *terms);

/* Reads "cube=off length=7". event_length: 0 money. BG_E_ARGUMENT: the message has the word, why it
 * is wrong, and the nearest right one. */
enum bg_status terms_read(struct terms *out, const char *text, int event_length,
                          struct bg_error *err);
/* Writes the words in one order; "": none. Returns out. */
const char *terms_write(char out[TERMS_TEXT], const struct terms *terms);

/* Both, and where both have a word, that of over. */
struct terms terms_over(const struct terms *under, const struct terms *over);

/* The event's rules with these terms. They need bg_rules_check: a rotation has no cube. */
struct bg_rules terms_rules(const struct bg_rules *event, const struct terms *terms);

/* What an event's setting ("length", "holland", ...) is under these terms, lent as long as out;
 * NULL: the event's. */
const char *terms_setting(char out[TERMS_TEXT], const struct terms *terms, const char *setting);

/* ---------------------------------------------------------------- conditions of an event file
 *
 * "A,B cube=off length=7; C,D cube=off": the setting "event.conditions". */

struct terms_between {
    char name[2][TERMS_NAME];
    struct terms terms;
};

/* Reads the next condition; *more: there was one, and *at is behind it. BG_E_ARGUMENT as
 * terms_read. */
enum bg_status terms_next(struct terms_between *out, bool *more, const char **at, int event_length,
                          struct bg_error *err);

/* Checks all of them: known names, no two for the same bots. BG_E_ARGUMENT. */
enum bg_status terms_check(const char *conditions, const char *const *names, int count,
                           int event_length, struct bg_error *err);

#endif
