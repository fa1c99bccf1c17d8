/* join_view.h - what an author sees of a bot that plays elsewhere: one screen of text. Pure: time
 * is an argument.
 */
#ifndef REFEREE_DOOR_JOIN_VIEW_H
#define REFEREE_DOOR_JOIN_VIEW_H

#include <bgref/ask.h>

#include <stdio.h>

#include "host_file.h"
#include "join_words.h"
#include "status_line.h"

enum {
    JOIN_VIEW_EVENTS = 8, /* that are shown at once */
    JOIN_VIEW_SAID = 5,   /* messages that are shown */
    JOIN_VIEW_ROWS = 48,  /* most lines */
    JOIN_VIEW_TEXT = 16384
};

/* The standing of a bot, from the host's lines. Starts as {0}. */
struct join_standing {
    struct status_host host; /* name "": unknown */
    struct status_event events[JOIN_VIEW_EVENTS];
    int event_count;
};

/* Takes a line; an event replaces what was known of it. A line about the host begins a new answer:
 * events that were not in the last one are forgotten. Returns what kind it was. */
enum status_kind join_standing_take(struct join_standing *standing, const char *line, size_t size);

/* Texts that are not our own are cleaned when they are written. Starts as {0}, with the lent
 * members. */
struct join_view {
    const struct host_file *host; /* lent, like these */
    const char *bot;
    char line[160];          /* the state of the connection */
    int64_t since_ns;        /* ... since then */
    int64_t ping_ns;         /* 0: unknown */
    char ends[200];          /* that the host ends; "" it does not */
    int64_t back_ns;         /* it is back by then; 0: unknown */
    char event[256];         /* the bot plays in it; "" in none */
    char limits[JOIN_WORDS]; /* join_words_limits; "" unknown */
    struct bg_ask ask;       /* the latest decision; its game is "" before the first */
    int64_t asked_ns;        /* when it came */
    bool is_answered;        /* the bot has answered since */
    uint64_t games, decisions;
    struct join_standing standing, shown; /* as it comes in; the last complete answer */
    struct {
        int64_t at_s; /* seconds since 1970 */
        char text[200];
    } said[JOIN_VIEW_SAID]; /* the latest ones; in turn */
    uint64_t said_count;
};

void join_view_line(struct join_view *view, int64_t now_ns, const char *text);
void join_view_say(struct join_view *view, int64_t now_s, const char *text);

/* The host ends, and is back within so many seconds; 0: unknown. text "": it does not. */
void join_view_end(struct join_view *view, int64_t now_ns, int64_t seconds, const char *text);

/* Writes the screen: lines of at most `columns` characters, each ended by LF. Returns how many. */
int join_view_write(char out[JOIN_VIEW_TEXT], const struct join_view *view, int columns,
                    bool has_colour, int64_t now_ns);

/* Writes a standing for a terminal, or a file: a table. */
void join_standing_print(FILE *out, const struct join_standing *standing, const char *bot);

#endif
