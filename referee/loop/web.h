/* web.h - pages and streams by HTTP/1.1 in the loop: libmicrohttpd without a thread of its own.
 *
 * libmicrohttpd reads requests and writes answers. GET is passed on, HEAD as GET without what is
 * written, POST where the settings take it; every other method is 405. A connection has one answer.
 * The loop never waits: a connection that has not sent its request 5 s after it came, or not read
 * the answer 60 s later, is closed; of more than settings.pages the oldest one is.
 *
 * A request is refused (400) before a page function sees it if its head is not written as
 * "Name:value" in lines that end with CR LF, if it says its length twice, or if its path has
 * "..", a backslash, a control character (each also as %XX) or more than WEB_PATH bytes.
 *
 * A stream is an answer that goes on: server-sent events of a channel.
 *
 *     struct web_channel *channel = web_channel_create(web, "game 7");
 *     // in the page function: what is written to out is the snapshot, a JSON value
 *     answer->channel = channel;
 *     return 200;
 *     // later, for all that read it
 *     web_channel_send(channel, "play", "{\"game\": 7, ...}");
 *
 * A reader gets `retry: 2000`, then an event `snapshot`, then what is sent to the channel, each
 * with `id: EPOCH-N`, and a comment after 20 s without an event. One that comes again with
 * Last-Event-ID goes on behind that event if it is of this epoch and among the last WEB_RING;
 * otherwise it gets an event `reset` before the snapshot. A reader that is WEB_LAG events or 15 s
 * behind is closed, and comes again by itself.
 */
#ifndef REFEREE_LOOP_WEB_H
#define REFEREE_LOOP_WEB_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loop.h"

enum {
    /* More than libmicrohttpd accepts at once (10), so that a request that has come is answered
     * before its connection makes room. */
    WEB_CONNECTIONS = 32,
    WEB_PATH = 256,
    WEB_BODY = 4096, /* bytes of a POST; more is 413 */
    WEB_RING = 1024,
    WEB_LAG = 64,
    WEB_FROM = 48
};

struct cidr;
struct web;
struct web_channel;

/* All texts are there, "" where the request has none. Lent for the call. */
struct web_request {
    const char *method; /* "GET" or "POST" */
    const char *path;   /* without escapes and query */
    const char *query;  /* behind '?', with its escapes: for web_value */
    const char *host;   /* "": HTTP/1.0 */
    const char *if_none_match, *last_event_id;
    const char *origin; /* of the page whose script or form asks */
    /* Who asks, as a number: what a trusted proxy says, otherwise the other end; "": a socket
     * file. */
    const char *from;
    bool is_forwarded; /* it came by a proxy: it has X-Forwarded-For */
    const char *body;  /* of a POST: a form (for web_value) or JSON, with its terminator */
    size_t body_size;
    bool body_is_json;
};

/* Empty at first, with "text/plain; charset=utf-8" as type. */
struct web_answer {
    const char *type; /* static */
    /* What changes when the page does, without quotes. A request that names it in If-None-Match
     * gets 304 and nothing of what was written. */
    char etag[80];
    int max_age_s;       /* how long it may be kept unasked; 0: not at all */
    bool is_immutable;   /* it never changes: kept for a year */
    bool is_open;        /* scripts of other sites may read it: for /api */
    bool may_frame;      /* other sites may show it in a frame: for /embed */
    bool takes_forms;    /* its forms may send to this site */
    char location[300];  /* where the browser goes on; with status 303 */
    char file_name[100]; /* saved under this name instead of being shown; no quotes in it */
    /* With status 200 and file_bytes: so many bytes of this descriptor are the page, instead of
     * what was written. Taken. A connection has a second more for every 64 KiB. */
    int file;
    uint64_t file_bytes;
    struct web_channel *channel; /* lent; with status 200: the answer is a stream of it */
};

/* Writes the page. Returns its status; a status above 400 may leave it empty, then the status'
 * words are the page. With a channel: writes the snapshot. */
typedef int (*web_fn)(void *user, const struct web_request *request, FILE *out,
                      struct web_answer *answer);

struct web_settings {
    web_fn fn;
    void *user;
    int pages;       /* connections that are no streams; 0: WEB_CONNECTIONS */
    int spectators;  /* streams at most; more are 503 */
    int per_address; /* connections of one address at once; 0: any number */
    bool takes_posts;
    const struct cidr *proxy; /* copied; NULL: none. Its X-Forwarded-For says who asks */
};

struct web_counts {
    int pages, streams; /* connections now */
    uint64_t streams_total, dropped_lag, refused_address, refused_full;
    uint64_t answers[600]; /* by status, those of streams too */
};

/* Serves at fd, a listening socket of any family, which it takes (on failure too). Each web has
 * connections of its own: those of one do not push out those of another. BG_E_SYSTEM. */
enum bg_status web_start(struct web **out, struct loop *loop, int fd,
                         const struct web_settings *settings, struct bg_error *err);
/* Destroys all channels, closes all connections and fd. Before loop_destroy. NULL is fine. */
void web_stop(struct web *web);

const struct web_counts *web_counts(const struct web *web);

/* name: copied, for web_channel_find; no two need to differ. */
struct web_channel *web_channel_create(struct web *web, const char *name);
/* Returns the channel that was created first among those of this name, or NULL. */
struct web_channel *web_channel_find(const struct web *web, const char *name);
/* kind: a word. json: one JSON value; line breaks between its parts become spaces. Both copied. */
void web_channel_send(struct web_channel *channel, const char *kind, const char *json);
/* Something is missing between what was sent and what comes: a new epoch. Each reader gets `reset`
 * and the snapshot. */
void web_channel_reset(struct web_channel *channel, const char *snapshot);
int web_channel_streams(const struct web_channel *channel);
/* Its streams end behind what was sent. NULL is fine. */
void web_channel_destroy(struct web_channel *channel);

/* Reads the value of name in a query or a form ("a=1&b=x%20y"), without escapes. Returns false, and
 * out is "", if it is missing, longer than size - 1 bytes, or has a zero byte. */
bool web_value(char *out, size_t size, const char *pairs, const char *name);

#endif
