/* web_inside.h - what the parts of web.h share: connections and the loop (web.c), requests and
 * answers (web_answer.c), channels and their streams (web_channel.c). */
#ifndef REFEREE_LOOP_WEB_INSIDE_H
#define REFEREE_LOOP_WEB_INSIDE_H

#include "web.h"

#include <microhttpd.h>
#include <sys/queue.h>

#include "base/cidr.h"

/* libmicrohttpd is not linked, but loaded with the first pages: only few runs have some, and
 * Debian's library brings GnuTLS and ten more, for TLS that is not spoken here. Loading them took
 * 3.7 of the 12.0 million instructions of `bgref --version`, libzmq and what it brings 3.3; without
 * both it has 1.9 (valgrind --tool=callgrind, 2026-11-29, Debian 12), and a third of the time. */
#define WEB_FUNCTIONS(X)                                                                           \
    X(add_response_header)                                                                         \
    X(create_response_from_buffer)                                                                 \
    X(create_response_from_fd)                                                                     \
    X(create_response_from_callback)                                                               \
    X(destroy_response)                                                                            \
    X(get_connection_info)                                                                         \
    X(get_connection_values)                                                                       \
    X(get_daemon_info)                                                                             \
    X(get_reason_phrase_for)                                                                       \
    X(get_timeout)                                                                                 \
    X(lookup_connection_value)                                                                     \
    X(queue_response)                                                                              \
    X(resume_connection)                                                                           \
    X(run)                                                                                         \
    X(set_response_options)                                                                        \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(suspend_connection)
#define WEB_POINTER(name) __typeof__(MHD_##name) *(name);

struct web_functions {
    WEB_FUNCTIONS(WEB_POINTER)
};
extern struct web_functions mhd;

#define WEB_S_NS INT64_C(1000000000)

/* A connection that reads a channel. */
struct web_stream {
    struct web_channel *channel; /* NULL: it is none */
    char *opening;               /* owned; sent before events; NULL: it is sent */
    size_t rest;                 /* so many bytes of the opening end what a reset found half sent */
    size_t sent;                 /* of the opening, then of the event `next` */
    uint64_t next;               /* event to be sent */
    uint64_t joined;             /* the first event that counts for its lag */
    int64_t moved_ns;            /* when it took something last */
    bool waits;                  /* suspended: it has all */
    bool owes_comment;
};

TAILQ_HEAD(web_peers, web_peer);
LIST_HEAD(web_neighbours, web_peer);

struct web_peer {
    struct web *web;
    struct MHD_Connection *connection;
    TAILQ_ENTRY(web_peer) place; /* among web.pages or its channel's streams, until it is cut */
    LIST_ENTRY(web_peer) near;   /* in web.addresses */
    int fd;                      /* lent; -1: cut, it is being closed */
    uint64_t address;            /* 0: not counted */
    char from[WEB_FROM];
    int64_t due_ns;   /* it is cut then; not for streams */
    bool was_asked;   /* the head is read */
    bool is_odd;      /* its path is refused */
    char *query;      /* owned, as body */
    size_t line_size; /* of the request's first line, without its end */
    char *body;
    size_t body_size;
    struct web_stream stream;
};

TAILQ_HEAD(web_channels, web_channel);

enum { WEB_BUCKETS = 1024 };

struct web {
    struct loop *loop;
    struct MHD_Daemon *daemon;
    int epoll_fd; /* the daemon's; readable when one of its descriptors is */
    struct web_settings settings;
    struct cidr proxy;
    struct web_peers pages; /* the oldest first */
    struct web_neighbours addresses[WEB_BUCKETS];
    struct web_channels channels;
    struct web_counts counts;
    int peers;
    bool has_closed, is_sweeping;
    struct web *sweep; /* itself: the user of the sweep's deadline */
    bool is_woken;     /* resumed connections or events wait for a run */
};

/* Closes a connection as soon as libmicrohttpd runs. */
void web_cut(struct web_peer *peer);
/* Counts it as a connection of its address. Returns false if that has too many; from is "" for
 * those that are not counted. */
bool web_admit(struct web_peer *peer, const char *from);
/* Lets libmicrohttpd run in the next round. */
void web_wake(struct web *web);

/* The callbacks of libmicrohttpd for requests; user is the web. */
enum MHD_Result web_on_request(void *user, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *body,
                               size_t *body_size, void **context);
void *web_on_line(void *user, const char *uri, struct MHD_Connection *connection);

/* Returns the text as gzip and sets its size, for the caller to free; NULL: it cannot be made. */
char *web_gzip(size_t *size, char *text);

/* Makes the peer a stream of the channel. snapshot: JSON. */
struct MHD_Response *web_stream_open(struct web_peer *peer, struct web_channel *channel,
                                     const char *last_event_id, const char *snapshot);
/* Lets go of the channel. */
void web_stream_leave(struct web_peer *peer);
/* Sends what has come for the channels; once in a round of the loop, so that several events go
 * together. */
void web_channels_give(struct web *web);
/* Once a second: cuts streams that lag, sends comments to those that have nothing to read. */
void web_channels_sweep(struct web *web, int64_t now_ns);
void web_channels_stop(struct web *web);

#endif
