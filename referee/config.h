/* config.h - event and bots files, and the settings of a run.
 *
 * The event file is YAML with one table of keys (config.c); every message names file:line:key.
 * Command line flags override the file, the file overrides defaults.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <bgref/match.h>

#include "table/clock.h"

enum { CONFIG_NAME = 65, CONFIG_BOTS_MAX = 1000, CONFIG_OPTIONS_MAX = 32 };

struct config_option {
    char name[CONFIG_NAME];
    char value[256];
};

/* One competitor, fully resolved: what to start and under which name. */
struct config_bot {
    char name[CONFIG_NAME];  /* 1..64 of letters, digits . _ + - */
    char cmd[1024];          /* command line, split like a shell would (quotes, no expansion) */
    char dir[1024];          /* working folder, "" the current one */
    struct config_option options[CONFIG_OPTIONS_MAX];
    int option_count;
    int instances;           /* 0: the event's */
    bool has_clock;
    struct clock_control clock;
};

struct config_event {
    char name[CONFIG_NAME];
    char results[1024];      /* path of the database */
    struct config_bot *bots; /* owned */
    int bot_count;
    struct bg_rules rules;
    uint64_t pairs;          /* a pairing */
    bool duplicate;          /* duplicate pairs (default) or plain dice */
    struct clock_control clock;
    int64_t margin_ns;
    int64_t ceiling_ns;      /* 60 s */
    int64_t start_ns;        /* 30 s */
    int64_t new_game_ns;     /* 5 s */
    int concurrency;         /* tables at once; default cores */
    int instances;           /* processes a bot; default min(concurrency, cores) */
    int quarantine;          /* faults after which a bot is quarantined; 5 */
    bool strict;             /* stop at the first fault, exit 4 */
    bool fresh;              /* refuse to go on with old results */
    bool has_seed;
    uint64_t seed;
    int rating_interval_s;   /* seconds between table prints, 0: none */
};

void config_event_init(struct config_event *event); /* defaults of a tournament */
void config_event_deinit(struct config_event *event);

/* Reads EVENT.yaml. BG_E_CONFIG: file:line:key and the remedy. */
enum bg_status config_event_read(struct config_event *event, const char *path,
                                 struct bg_error *err);

/* Checks what can be checked before anything starts (names unique, rules, two bots, numbers). */
enum bg_status config_event_check(const struct config_event *event, struct bg_error *err);

/* Calls fn for every setting that makes results what they are, as key and value: what the store
 * keeps and a changed event is compared with. "bots" and "pairs" may grow; others may not change. */
void config_event_each(const struct config_event *event,
                       void (*fn)(void *user, const char *key, const char *value), void *user);

#endif
