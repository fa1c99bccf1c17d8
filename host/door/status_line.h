/* status_line.h - what a host tells the author of a remote bot when it asks (gateway.h): one line
 * of JSON about the host, and one about each event that the bot plays in.
 *
 *     {"host": "club", "events": 1, "tables": 4, "limit": "", "next": "cup at
 * 2027-01-16T12:00:00Z", "ends": "", "back_s": 0}
 *     {"event": "spring", "state": "plays", "rank": 2, "shared": false, "of": 8, "money": false,
 *      "games": 40, "games_won": 22, "games_lost": 18, "matches": 8, "matches_won": 5,
 *      "matches_lost": 3, "points": 14, "faults": 1, "faults_most": 5, "lost_by": {"late": 1},
 *      "last_fault": "late: it took 61.2 s", "held": ""}
 *
 * JSON and no message of inside.proto: the author's bgref may be of another version, and `bgref
 * join
 * --status --json` prints the lines as they came.
 *
 * It has only what is the bot's own, and its rank. Members may be added; a reader ignores those
 * that it does not know. docs/remote.md describes them.
 */
#ifndef HOST_DOOR_STATUS_LINE_H
#define HOST_DOOR_STATUS_LINE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STATUS_LINE = 928, /* bytes with the terminator: a text of inside.h has room for it */
    STATUS_NAME = 128,
    STATUS_TEXT = 240
};

struct status_host {
    char name[STATUS_NAME];
    int events;              /* so many lines of events follow */
    int tables;              /* most tables at once; 0: any number */
    int starts_an_hour;      /* most starts of the bot in an hour; 0: any number, or not known */
    int64_t line_us;         /* a message to the bot and back; 0: not known */
    char limit[STATUS_TEXT]; /* why it does not play now; "" nothing keeps it */
    char next[STATUS_TEXT];  /* the next event; "" unknown, or it plays */
    char ends[STATUS_TEXT];  /* that the host ends, and when it is back; "" it does not */
    int64_t back_s;          /* it is back within so many seconds; 0: it does not end, or unknown */
};

struct status_event {
    char event[STATUS_NAME];
    char state[16]; /* "plays", "awaited" (its line is not there), "absent" or "quarantined" */
    int rank, of;   /* place among so many; 0: not ranked yet */
    bool shared;    /* the rank */
    bool money;     /* matches are single games, points decide */
    int64_t games, games_won, games_lost;
    int64_t matches, matches_won, matches_lost;
    int64_t points;                  /* of all games, won minus lost */
    int64_t faults;                  /* that count for a quarantine ... */
    int64_t faults_most;             /* ... which comes with so many */
    int64_t lost_by[BG_FAULT_COUNT]; /* games */
    char last_fault[STATUS_TEXT];    /* of this run; "" none */
    char held[STATUS_TEXT];          /* a game that is held for the director; "" none */
};

enum status_kind { STATUS_NONE, STATUS_HOST, STATUS_EVENT };

struct status {
    enum status_kind kind;
    struct status_host host;
    struct status_event event;
};

/* Write one line; texts are cleaned, and shortened if they have no room. Return false: no memory,
 * and out is "". */
bool status_write_host(char out[STATUS_LINE], const struct status_host *host);
bool status_write_event(char out[STATUS_LINE], const struct status_event *event);

/* Reads one line; texts in *out are clean. Returns STATUS_NONE, as out->kind, for anything else. */
enum status_kind status_read(struct status *out, const char *line, size_t size);

#endif
