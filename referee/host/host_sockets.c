#include "host_sockets.h"

#include <string.h>
#include <unistd.h>

#include "door/tcp_listen.h"
#include "service/listen_fds.h"

static const char door_name[] = "door", porch_name[] = "porch";

static enum bg_status take_one(struct host_sockets *out, const struct listen_fd *socket,
                               struct bg_error *err)
{
    int *place = strcmp(socket->name, door_name) == 0    ? &out->door
                 : strcmp(socket->name, porch_name) == 0 ? &out->porch
                                                         : NULL;

    if (place == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "the service manager's socket is called '%.40s'; its unit needs "
                            "FileDescriptorName=door or FileDescriptorName=porch",
                            socket->name);
    }
    if (*place != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "the service manager has two sockets called %s; its unit needs one "
                            "ListenStream= only",
                            socket->name);
    }
    *place = socket->fd;
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

static enum bg_status check(int fd, const char *name, const char *endpoint, const char *missing,
                            struct bg_error *err)
{
    if (fd == 0) {
        return BG_OK;
    }
    return endpoint[0] != '\0'
               ? tcp_listen_check(fd, name, endpoint, err)
               : bg_error_set(err, BG_E_CONFIG,
                              "the service manager has a socket for the %s, but the host's file "
                              "opens none (%s); disable the socket unit",
                              name, missing);
}

enum bg_status host_sockets_check(const struct host_sockets *sockets,
                                  const struct host_config *config, struct bg_error *err)
{
    enum bg_status status =
        check(sockets->door, door_name, config->door.listen, "bots: listen", err);

    return status == BG_OK ? check(sockets->porch, porch_name,
                                   config->policy == PEOPLE_CLOSED ? "" : config->porch,
                                   "bots: registration and porch", err)
                           : status;
}

void host_sockets_close(struct host_sockets *sockets)
{
    if (sockets->door > 0) {
        close(sockets->door);
    }
    if (sockets->porch > 0) {
        close(sockets->porch);
    }
    *sockets = (struct host_sockets){.door = 0};
}
