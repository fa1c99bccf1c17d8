/* host_sockets.h - the listening socket of a host's door, where its service manager has opened it
 * (loop/listen_fds.h): bots that connect while the host is started again wait.
 */
#ifndef HOST_HOST_HOST_SOCKETS_H
#define HOST_HOST_HOST_SOCKETS_H

#include "host_config.h"

struct host_sockets {
    int door; /* owned; 0: none */
};

/* Takes it out of the environment; before the program opens descriptors of its own.
 * BG_E_ARGUMENT: another name than door, two sockets, no listening socket; BG_E_SYSTEM. */
enum bg_status host_sockets_take(struct host_sockets *out, struct bg_error *err);
/* BG_E_CONFIG: HOST.yaml opens no door for it, or one at another address. */
enum bg_status host_sockets_check(const struct host_sockets *sockets,
                                  const struct host_config *config, struct bg_error *err);
void host_sockets_close(struct host_sockets *sockets);

#endif
