/* desk_socket.h - acts of a director while the event runs: a socket beside the results (desk_line.h
 * has the lines), served by the loop.
 *
 * The socket has mode 0600; another user's connection is closed. A socket that a killed referee
 * left is replaced: who holds the lock of the results is the only one.
 */
#ifndef REFEREE_EVENT_DESK_SOCKET_H
#define REFEREE_EVENT_DESK_SOCKET_H

#include "proof/desk_line.h"
#include "loop/loop.h"

struct desk_socket;

/* Decides on a wish, whose who and at are set. *answer: what to print, from malloc; only on BG_OK.
 */
typedef enum bg_status (*desk_socket_fn)(void *user, const struct desk_wish *wish, char **answer,
                                         struct bg_error *err);

/* loop and user are lent. BG_E_ARGUMENT, BG_E_SYSTEM. */
enum bg_status desk_socket_open(struct desk_socket **out, struct loop *loop, const char *results,
                                desk_socket_fn fn, void *user, struct bg_error *err);
/* Removes the socket. Before loop_destroy. NULL is fine. */
void desk_socket_close(struct desk_socket *socket);

#endif
