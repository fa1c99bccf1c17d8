/* keys.h - the table of keys of an event: name, kind of value, place, help.
 *
 * A row is a key of the event file, one flag of the command line and one line of the help. To
 * add a key: a row here, its member in config.h, its line in docs/event.yaml, and, for a new kind
 * of value, a reader and a writer in values.c.
 */
#ifndef REFEREE_CONFIG_KEYS_H
#define REFEREE_CONFIG_KEYS_H

#include "config.h"

enum key_kind {
    KEY_NAME,       /* char[NAME_SIZE] */
    KEY_PATH,       /* char[1024] */
    KEY_LINE,       /* char[ABOUT_TEXT], one line for people; "none" is "" */
    KEY_INT,        /* int, least to most */
    KEY_INT_OR_0,   /* the same, or 0: the default */
    KEY_LENGTH,     /* the same; "money" is 0 */
    KEY_COUNT,      /* uint64_t, least to most */
    KEY_FLAG,       /* bool */
    KEY_TIME,       /* int64_t in ns */
    KEY_INTERVAL,   /* int, a time in whole seconds; for rating_interval also a number of games */
    KEY_CORES,      /* int, least to most; 0: all cores, -N: all but N (at least 1) */
    KEY_CLOCK,      /* struct clock_control */
    KEY_VARIANT,    /* struct bg_rules: a game, or a rotation of games */
    KEY_WORD,       /* an enum: the number of the word in words */
    KEY_CHOICE,     /* bool: words[0] is false, words[1] true */
    KEY_BEAVERS,    /* bool; or a number of beavers, which also sets raises */
    KEY_RAISES,     /* int; "unlimited" is -1 */
    KEY_RACCOONS,   /* int raises: on is 1, off 0 */
    KEY_SEED,       /* uint64_t; "random" */
    KEY_JUDGE,      /* char[1024], as judge_open takes it; "none" is "" */
    KEY_BYTES,      /* uint64_t; with K, M or G; "none" is 0 */
    KEY_SPRT,       /* struct config_sprt */
    KEY_OPENINGS,   /* struct config_openings */
    KEY_AFFINITY,   /* struct affinity */
    KEY_DOOR,       /* struct config_door */
    KEY_SCHEDULE,   /* char[PLAN_TEXT]; "round-robin" is "" */
    KEY_CONDITIONS, /* char[CONFIG_SEEDS]; "none" is "" */
    KEY_LIST,       /* char[CONFIG_SEEDS]; "none" is "" */
};

/* A word of a key that was taken away, and what to do instead. */
struct key_gone {
    const char *word, *instead;
};

struct key {
    const char *name;
    enum key_kind kind;
    size_t offset; /* the value's place in struct config_event */
    uint64_t least, most;
    const char *const *words;    /* KEY_WORD, KEY_CHOICE; ends with NULL */
    const struct key_gone *gone; /* KEY_WORD; NULL none */
    bool results;                /* results depend on it: config_event_each */
    bool alias;                  /* another name of a row above */
    bool rules;                  /* its default follows from variant and length */
    const char *help;
};

/* Return row i, or NULL if i is past the last row; and a row's number, its index in
 * event->given. */
const struct key *key_at(int i);
int key_number(const struct key *key);

/* Returns the row with this name, or NULL. '-' counts as '_', as in flags. */
const struct key *key_find(const char *name);
/* Returns the nearest name, or NULL. Static. */
const char *key_near(const char *name);

/* Returns another row for the same member that is already given, or NULL. */
const struct key *key_given(const struct config_event *event, const struct key *key);

/* Sets a message that begins with a key's name, for a key that a flag has set: "cube_limit 3: why"
 * becomes "--cube-limit 3: why". Returns the status. */
enum bg_status key_flag_error(struct bg_error *err, enum bg_status status, const char *text);

#endif
