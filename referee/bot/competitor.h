/* competitor.h - one bot that competes: what to start, under which name, with which options and
 * limits of its own.
 *
 * The keys of a competitor (name, cmd, args, dir, options, instances, clock, stderr, author,
 * operator, origins, remote, late) are the same in the event file, in bots.yaml and behind -engine.
 * Only "bot", the name of another competitor to start from, is read by the registry (registry.h).
 */
#ifndef REFEREE_BOT_COMPETITOR_H
#define REFEREE_BOT_COMPETITOR_H

#include <stdbool.h>

#include "entry_limits.h"
#include "record/clock.h"
#include "base/units.h"

struct yaml;

enum {
    COMPETITOR_DECLARED = 256 /* bytes */,
    COMPETITOR_OPTIONS = 32,
    COMPETITORS_MAX = 1000 /* limit for an event or a bots file */
};

struct competitor_option {
    char name[NAME_SIZE];
    char value[256];
};

/* A fully resolved bot. A zeroed value is valid: it has no name and no command. */
struct competitor {
    char name[NAME_SIZE];   /* 1 to 64 letters, digits or . _ + - */
    char cmd[1024];         /* command line, split like a shell would (quotes, no expansion) */
    char dir[1024];         /* working folder; "" is the current folder */
    char base[NAME_SIZE];   /* the 'bgref bots' name from which its command comes, "" none */
    char stderr_file[1024]; /* file to which its standard error is appended, "" none */
    /* For the entry list, as declared; "" not declared. One line of visible text each. */
    char author[COMPETITOR_DECLARED], operator[COMPETITOR_DECLARED], origins[COMPETITOR_DECLARED];
    struct competitor_option options[COMPETITOR_OPTIONS];
    int option_count;
    bool remote;  /* its author starts it elsewhere, and it joins (door/door.h): no command */
    char key[65]; /* remote: its public key in hexadecimal digits; "" not read yet */
    struct entry_limits limits; /* remote: what its entry in the list of keys allows it */
    bool late;                  /* no entrant yet: the desk may enter it while the event runs */
    int instances;              /* 0: use the event's value */
    bool has_clock;
    struct clock_control clock;
};

/* Returns the number of keys, including "bot" and two names of chess harnesses (tc, st). */
int competitor_key_count(void);
/* Checks that a map in a file may have this key: a key of the referee, or a chess harness word
 * for what the referee always does. BG_E_ARGUMENT: it may not; the message lists the keys. */
enum bg_status competitor_check_key(const char *key, struct bg_error *err);

/* Sets any key except bot, cmd and options from its text. BG_E_ARGUMENT: the key is unknown or
 * the value is invalid; the message does not name the key, and *bot is unchanged. */
enum bg_status competitor_set(struct competitor *bot, const char *key, const char *value,
                              struct bg_error *err);

/* Sets the command line and, if there is no name yet, a name derived from it. BG_E_ARGUMENT. */
enum bg_status competitor_set_cmd(struct competitor *bot, const char *text, struct bg_error *err);

/* Sets one option of the bot; replaces an earlier value. BG_E_ARGUMENT: too long, or too many
 * options. */
enum bg_status competitor_set_option(struct competitor *bot, const char *name, const char *value,
                                     struct bg_error *err);

/* Sets all options from a map in a file. BG_E_CONFIG: the message has file:line and the remedy. */
enum bg_status competitor_set_options(struct competitor *bot, const struct yaml *yaml, int map,
                                      struct bg_error *err);

/* Sets the origins from a list in a file, joined by ", ". BG_E_CONFIG: file:line and the remedy. */
enum bg_status competitor_set_origins(struct competitor *bot, const struct yaml *yaml, int list,
                                      struct bg_error *err);

/* Whether a person plays: the bundled bot human (at a terminal) or person (in a browser). */
bool competitor_is_person(const struct competitor *bot);

/* Returns the place of the bot with this name; -1: there is none. */
int competitor_find(const struct competitor *bots, int count, const char *name);

/* Makes a bot name from this path: the file name, with '-' for characters that a name must not
 * have. */
void competitor_name_of(char out[NAME_SIZE], const char *path);

#endif
