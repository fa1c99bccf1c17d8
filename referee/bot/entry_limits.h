/* entry_limits.h - what a host's operator allows a remote bot: the limits of its entry in
 * allow.yaml.
 *
 * All zero: no limit. A plain value, copied with the bot.
 */
#ifndef REFEREE_BOT_ENTRY_LIMITS_H
#define REFEREE_BOT_ENTRY_LIMITS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/cidr.h"
#include "base/units.h"

enum {
    ENTRY_TABLES_MOST = 65536,
    ENTRY_STARTS = 240, /* an hour, of an entry that says nothing */
    ENTRY_STARTS_MOST = 3600,
    ENTRY_HELLO = 4096, /* bytes: largest Hello of a remote bot */
    ENTRY_EVENTS = 16,
    ENTRY_NETWORKS = 8,
    ENTRY_TEXT = ENTRY_EVENTS * (NAME_SIZE + 2) /* a list as text with its terminator */
};

struct entry_limits {
    int tables; /* most tables at once in an event, and most events of a host at once; 0 any */
    int starts_an_hour;                   /* most starts in an hour; 0: ENTRY_STARTS */
    char events[ENTRY_EVENTS][NAME_SIZE]; /* the only ones that it plays in; a name stands for all
                                           * instances of a repeated event */
    int event_count;                      /* 0: it plays in all */
    struct cidr from[ENTRY_NETWORKS];     /* the only networks from which its key is taken */
    int from_count;                       /* 0: from all */
};

/* Returns how many times it may start in an hour. */
int entry_limits_starts(const struct entry_limits *limits);

/* Returns whether networks and starts are the same: what a door is told of an entry. */
bool entry_limits_are_same(const struct entry_limits *one, const struct entry_limits *other);

/* Returns whether the bot may play in an event; "cup@2027-01-16" is an instance of "cup". */
bool entry_limits_have_event(const struct entry_limits *limits, const char *event);

/* Write a list, its words after separator: "cup, league". */
void entry_limits_write_events(char out[ENTRY_TEXT], const struct entry_limits *limits,
                               const char *separator);
void entry_limits_write_from(char out[ENTRY_TEXT], const struct entry_limits *limits,
                             const char *separator);

#endif
