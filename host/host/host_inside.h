/* host_inside.h - the state of a running host, for the files host*.c. */
#ifndef HOST_HOST_HOST_INSIDE_H
#define HOST_HOST_HOST_INSIDE_H

#include "door/door.h"
#include "door/ban_list.h"
#include "host_config.h"
#include "host_door.h"
#include "host_log.h"
#include "host_start.h"
#include "loop/line_server.h"
#include "loop/signals.h"
#include "calendar/quarantine.h"
#include "runs.h"
#include "loop/notify.h"

enum host_phase { HOST_UP, HOST_DRAINS, HOST_HURRIES };

/* How a host ends. */
struct host_end {
    bool has_left;  /* authors have been told that it ends now */
    bool is_asked;  /* back_s is the admin's wish, and not what HOST.yaml says */
    bool finishes;  /* running matches, however long they take */
    int64_t back_s; /* it is expected back so long after its end; DOOR_NEVER: it is not */
};

struct broadcast;
struct web;

/* When the loop last turned. */
struct host_beat {
    struct loop *loop;
    int64_t turned_ns;
    int64_t late_ns; /* how much too late that was */
};

struct host {
    bool quiet;
    struct host_config config; /* owned, as are these */
    struct agenda agenda;
    struct runs runs;
    struct host_door *door; /* NULL: each event has its own */
    struct host_journal journal;
    struct loop *loop;
    struct signals *signals;
    struct line_server *admin;
    struct notify notify;
    struct host_sockets sockets; /* owned: those of its service manager */
    struct host_made made;       /* its folder, with the lock */
    char state[HOST_PATH];       /* the file */
    struct ban_list bans;        /* owned: who is kept out */
    char bans_file[HOST_PATH];
    struct quarantines quarantines; /* owned: who rests after too many faults */
    char quarantine_file[HOST_PATH];
    struct host_note *notes; /* owned: of host_desk.h */
    enum host_phase phase;
    struct host_end end;
    struct host_log log; /* owned */
    bool is_unsaved;     /* the file of the state is older than the state */
    char refused[600];   /* why HOST.yaml was not taken when it was last read; "" it was */
    int64_t unsaved_ns;  /* since when; 0: it is not */
    int64_t since_s;
    struct host_beat beat;
    struct config_event *page;                 /* owned: as an event without games has it */
    char *page_words[4];                       /* owned; page->page_words */
    struct broadcast *broadcast;               /* owned; NULL: no pages */
    struct web *pages_of_file, *pages_of_port; /* owned: for monitoring */
    char pages_file[HOST_PATH + 16];
};

/* Seconds since 1970. */
int64_t host_now(void);

/* Adds a line to the journal and prints it. uid: HOST_ITSELF or who asked. */
void host_say(struct host *host, int64_t uid, const char *what, const char *how);

/* After every change: states follow from the time, the file from the states, processes from both.
 */
void host_settle(struct host *host);

/* Stores the states. BG_E_SYSTEM. */
enum bg_status host_save(struct host *host, struct bg_error *err);

/* Begins to end as host->end says: no new events; games may end, or (the second time) not. */
void host_drain(struct host *host);

/* One line of the admin. *answer: as line_server_fn. */
enum bg_status host_act(void *user, char *line, unsigned uid, char **answer, struct bg_error *err);

/* Whether an instance has this bot, of its event file or entered, also since it began. */
bool host_has_entrant(const struct host *host, const struct agenda_event *event,
                      const struct instance *instance, const char *bot);

/* host_door_listener.next: what comes next for a bot that no running event wants. */
void host_next(void *user, char *out, size_t size, const char *bot);

/* host_pages.c. open: the pages' process starts before the events, which connect to it; without
 * pages nothing happens. settle: tells it of the calendar. */
enum bg_status host_pages_open(struct host *host, bool browser, struct bg_error *err);
void host_pages_settle(struct host *host);
void host_pages_close(struct host *host);

/* Returns all events and their states as text, which the caller frees. */
char *host_status(const struct host *host);

#endif
