/* web.h - pages by HTTP/1.1 in the loop: libmicrohttpd without a thread of its own.
 *
 * libmicrohttpd reads requests and writes answers. GET and HEAD are passed on, every other method
 * is 405; a connection has one answer. The loop never waits: a connection that has not sent its
 * request and read the answer after 5 s is closed, and of more than WEB_CONNECTIONS the oldest one.
 */
#ifndef REFEREE_LOOP_WEB_H
#define REFEREE_LOOP_WEB_H

#include <bgref/error.h>

#include <stdio.h>

#include "loop.h"

/* More than libmicrohttpd accepts at once (10), so that a request that has come is answered before
 * its connection makes room. */
enum { WEB_CONNECTIONS = 32 };

struct web_request {
    const char *path; /* without escapes and query */
    const char *host; /* the field Host; "" none (HTTP/1.0) */
};

/* Writes the page. Returns its status; a status above 400 may leave it empty, then the status'
 * words are the page. *type: its content type; static. */
typedef int (*web_fn)(void *user, const struct web_request *request, FILE *out, const char **type);

struct web;

/* Serves at fd, a listening socket of any family, which it takes (on failure too). Each web has
 * connections of its own: those of one do not push out those of another. BG_E_SYSTEM. */
enum bg_status web_start(struct web **out, struct loop *loop, int fd, web_fn fn, void *user,
                         struct bg_error *err);
/* Closes all connections and fd. Before loop_destroy. NULL is fine. */
void web_stop(struct web *web);

#endif
