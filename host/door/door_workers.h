/* door_workers.h - the door's two processes, and what they are told when they begin. Only door.c
 * and door_workers.c look into a door.
 */
#ifndef HOST_DOOR_DOOR_WORKERS_H
#define HOST_DOOR_DOOR_WORKERS_H

#include "ban_list.h"
#include "inside.h"
#include "door.h"
#include "host_file.h"
#include "loop/folder.h"
#include "pulse.h"

struct door_place {
    char endpoint[LINK_ENDPOINT]; /* the referee waits here for the bot; "" nowhere */
    bool has_failed;              /* a process of the door has ended since then */
    int64_t trip_us;              /* of its line; 0: not known */
    int64_t twice_ns;             /* its key was in use twice: it has to wait until then */
};

enum { GATEWAY, DOORMAN, WORKERS };

/* One of the door's two processes. */
struct door_worker {
    struct door *door;
    pid_t pid;               /* 0: none */
    int fd;                  /* to it; -1: none */
    struct inside_queue out; /* to it */
    int64_t wait_ns;         /* before the next start */
    bool is_bound;           /* it listens */
    int64_t marked;          /* the last MARK that it has answered */
};

struct door {
    struct door_setup setup;
    struct session_door of_sessions;
    struct door_worker workers[WORKERS];
    struct folder folder;         /* of the gateway's socket */
    char endpoint[LINK_ENDPOINT]; /* that socket */
    char listen[HOST_ENDPOINT];   /* the next doorman listens where the first one did */
    char hex[KEY_FILE_DIGITS];    /* the host's public key */
    struct pulse_page *pulse;     /* owned: the gateway's; NULL: its stops are not known */
    struct door_place *places;    /* owned; by bot */
    struct door_counts counts;    /* without the refusals of the present doorman */
    uint64_t doorman[DOOR_WHYS];  /* these */
    uint64_t refused;             /* connections that ended in their handshake: by their key */
    uint64_t turned;              /* all of these */
    bool is_written;              /* HOST.bgref */
    int64_t mark;                 /* the last one that was sent */
    char ends[INSIDE_TEXT / 2];   /* how the host has said that it ends; "" not yet */
    int64_t back_s;               /* see door_ends */
    int64_t ends_ns;              /* when it said so */
    struct ban_watch bans;
};

static inline bool door_worker_is_gateway(const struct door_worker *worker)
{
    return worker == &worker->door->workers[GATEWAY];
}

static inline struct inside_queue *door_to_gateway(struct door *door)
{
    return &door->workers[GATEWAY].out;
}

/* Starts a process, which gets what it has to know. BG_E_START, BG_E_SYSTEM. */
enum bg_status door_worker_start(struct door_worker *worker, struct bg_error *err);

/* Ends it; it has patience_ms to end by itself. */
void door_worker_end(struct door_worker *worker, int patience_ms);

/* A bot that may join. */
void door_worker_tell_bot(struct door_worker *gateway, const struct competitor *bot);

/* How the host ends, if it does. */
void door_tell_end(struct door *door);

/* Tells both processes who is kept out. */
void door_tell_bans(struct door *door);

#endif
