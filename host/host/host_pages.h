/* host_pages.h - pages of a host for programs that monitor it: HTTP at a socket file of its user,
 * and at a port of this machine if HOST.yaml says so.
 *
 * One GET a connection, of a head that loop/http_request.h takes; every other request is
 * refused. The loop never waits: a connection that has not sent its request and read the answer
 * after a few seconds is closed, and of too many the oldest one.
 */
#ifndef HOST_HOST_HOST_PAGES_H
#define HOST_HOST_HOST_PAGES_H

#include <bgref/error.h>

#include <stdio.h>

#include "loop/loop.h"

/* Writes the page at this path. Returns its status, 404: there is none. *type: its content type;
 * static. */
typedef int (*host_pages_fn)(void *user, const char *path, FILE *out, const char **type);

struct host_pages_setup {
    struct loop *loop;
    const char *file;   /* the socket */
    const char *listen; /* "tcp://127.0.0.1:9464"; "" nowhere */
    host_pages_fn fn;
    void *user;
};

struct host_pages;

/* The setup's parts are lent for their life. BG_E_ARGUMENT, BG_E_CONFIG, BG_E_SYSTEM. */
enum bg_status host_pages_open(struct host_pages **out, const struct host_pages_setup *setup,
                               struct bg_error *err);
/* Before loop_destroy. NULL is fine. */
void host_pages_close(struct host_pages *pages);

#endif
