/* The line server has looked at who connects, and lets in this user only, so the number of the
 * user is not looked at again. Each line is one act: a desk that ends after it has sent one
 * leaves nothing half done here. */
#define _GNU_SOURCE /* asprintf */
#include "desk_socket.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "proof/desk.h"
#include "loop/line_server.h"

struct desk_socket {
    struct line_server *server; /* owned */
    desk_socket_fn fn;
    void *user;
};

static enum bg_status on_desk_line(void *user, char *line, unsigned uid, char **answer,
                                   struct bg_error *err)
{
    struct desk_socket *socket = user;
    struct desk_wish wish;

    (void)uid;
    if (!desk_line_read(&wish, line)) {
        return bg_error_set(err, BG_E_FORMAT, "not a line of bgref desk");
    }
    if (wish.has_asker) {
        desk_sign_act_as(&wish.act, wish.asker);
    } else {
        desk_sign_act(&wish.act);
    }
    return socket->fn(socket->user, &wish, answer, err);
}

enum bg_status desk_socket_open(struct desk_socket **out, struct loop *loop, const char *results,
                                desk_socket_fn fn, void *user, struct bg_error *err)
{
    struct desk_socket *socket = memory_zeroed(1, sizeof *socket);
    struct line_server_setup setup = {.loop = loop,
                                      .whose = "the desk's socket",
                                      .longest = DESK_LINE,
                                      .fn = on_desk_line,
                                      .user = socket};
    char *path = memory_print("%s.desk", results);
    enum bg_status status;

    *socket = (struct desk_socket){.fn = fn, .user = user};
    setup.path = path;
    status = line_server_open(&socket->server, &setup, err);
    if (status == BG_OK) {
        *out = socket;
        socket = NULL;
    }
    desk_socket_close(socket);
    free(path);
    return status;
}

void desk_socket_close(struct desk_socket *socket)
{
    if (socket != NULL) {
        line_server_close(socket->server);
        free(socket);
    }
}
