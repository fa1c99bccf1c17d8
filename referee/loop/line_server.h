/* line_server.h - a socket file at which programs of the same user ask with one line and get an
 * answer (base/line_ask.h); served by the loop.
 *
 * The file has mode 0600; connections of other users are closed. A socket that a killed program
 * left is replaced: the caller holds a lock that makes it the only one.
 */
#ifndef REFEREE_LOOP_LINE_SERVER_H
#define REFEREE_LOOP_LINE_SERVER_H

#include "loop.h"

enum { LINE_SERVER_LINE = 4096 };

struct line_server;

/* Decides on a line, which may be cut; uid: of who asks. *answer: text, from malloc; only on
 * BG_OK. */
typedef enum bg_status (*line_server_fn)(void *user, char *line, unsigned uid, char **answer,
                                         struct bg_error *err);

struct line_server_setup {
    struct loop *loop;
    const char *path;
    const char *whose; /* "the desk's socket" */
    size_t longest;  /* a line with its LF; at most LINE_SERVER_LINE; without LF it is cut there */
    bool takes_root; /* root may ask too */
    line_server_fn fn;
    void *user;
};

/* What setup names is lent but for the path. BG_E_ARGUMENT, BG_E_SYSTEM. */
enum bg_status line_server_open(struct line_server **out, const struct line_server_setup *setup,
                                struct bg_error *err);
/* Removes the socket. Before loop_destroy. NULL is fine. */
void line_server_close(struct line_server *server);

#endif
