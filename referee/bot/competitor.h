/* competitor.h - one bot that competes: what to start, under which name, with which options and
 * limits of its own.
 *
 * The keys of a competitor (name, cmd, args, dir, options, instances, clock, stderr) are the same
 * in the event file, in bots.yaml and behind -engine. Only "bot", the name of another competitor to
 * start from, is read by the registry (registry.h).
 */
#ifndef REFEREE_BOT_COMPETITOR_H
#define REFEREE_BOT_COMPETITOR_H

#include <stdbool.h>

#include "record/clock.h"
#include "text/units.h"

struct yaml;

enum { COMPETITOR_OPTIONS = 32, COMPETITORS_MAX = 1000 /* of an event, or a file of bots */ };

struct competitor_option {
    char name[NAME_SIZE];
    char value[256];
};

/* Fully resolved. A plain value: all zero is one without name and command. */
struct competitor {
    char name[NAME_SIZE];   /* 1..64 of letters, digits . _ + - */
    char cmd[1024];         /* command line, split like a shell would (quotes, no expansion) */
    char dir[1024];         /* working folder, "" the current one */
    char base[NAME_SIZE];   /* the name of 'bgref bots' whose command it has, "" none */
    char stderr_file[1024]; /* its standard error is appended to this file, "" none */
    struct competitor_option options[COMPETITOR_OPTIONS];
    int option_count;
    int instances; /* 0: the event's */
    bool has_clock;
    struct clock_control clock;
};

/* How many keys there are, "bot" and two names of chess harnesses (tc, st) included. */
int competitor_key_count(void);
/* Whether a map of a file may have this key: one of ours, or a word of chess harnesses for what is
 * so in any case. BG_E_ARGUMENT: it may not; the message lists the keys. */
enum bg_status competitor_check_key(const char *key, struct bg_error *err);

/* Sets every key but bot, cmd and options from its text. BG_E_ARGUMENT: an unknown key, or what is
 * wrong with the value, without the key's name; *bot is as before. */
enum bg_status competitor_set(struct competitor *bot, const char *key, const char *value,
                              struct bg_error *err);

/* Sets the command line and, where there is no name yet, the name that it suggests. BG_E_ARGUMENT;
 * BG_E_MEMORY. */
enum bg_status competitor_set_cmd(struct competitor *bot, const char *text, struct bg_error *err);

/* Sets one option of the bot, instead of an earlier value. BG_E_ARGUMENT: too long, or too many. */
enum bg_status competitor_set_option(struct competitor *bot, const char *name, const char *value,
                                     struct bg_error *err);

/* Sets all options of a map in a file. BG_E_CONFIG: file:line and the remedy. */
enum bg_status competitor_set_options(struct competitor *bot, const struct yaml *yaml, int map,
                                      struct bg_error *err);

/* A name for the program at this path: its file name, with '-' for what names cannot hold. */
void competitor_name_of(char out[NAME_SIZE], const char *path);

#endif
