/* Sockets have names in systemd (FileDescriptorName); a host wants exactly one, `door`. Any
 * other is refused: it would listen for ever without anybody to accept. */
#include "host_sockets.h"

#include <string.h>
#include <unistd.h>

#include "door/tcp_listen.h"
#include "loop/listen_fds.h"

static const char door_name[] = "door";

static enum bg_status take_one(struct host_sockets *out, const struct listen_fd *socket,
                               struct bg_error *err)
{
    if (strcmp(socket->name, door_name) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "the service manager's socket is called '%.40s', and a host has only a "
                            "door: disable its unit, or give it FileDescriptorName=door",
                            socket->name);
    }
    if (out->door != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "the service manager has two sockets called %s; its unit needs one "
                            "ListenStream= only",
                            socket->name);
    }
    out->door = socket->fd;
    return listen_fds_check(socket, err);
}

enum bg_status host_sockets_take(struct host_sockets *out, struct bg_error *err)
{
    struct listen_fd found[LISTEN_FDS_MOST];
    int count = 0;
    enum bg_status status = listen_fds_take(found, &count, err);

    *out = (struct host_sockets){.door = 0};
    for (int i = 0; i < count && status == BG_OK; i++) {
        status = take_one(out, &found[i], err);
    }
    return status;
}

enum bg_status host_sockets_check(const struct host_sockets *sockets,
                                  const struct host_config *config, struct bg_error *err)
{
    if (sockets->door == 0) {
        return BG_OK;
    }
    return config->door.listen[0] != '\0'
               ? tcp_listen_check(sockets->door, door_name, config->door.listen, err)
               : bg_error_set(err, BG_E_CONFIG,
                              "the service manager has a socket for the door, but the host's file "
                              "opens none (bots: listen); disable the socket unit");
}

void host_sockets_close(struct host_sockets *sockets)
{
    if (sockets->door > 0) {
        close(sockets->door);
    }
    *sockets = (struct host_sockets){.door = 0};
}
