/* Which implementation serves an endpoint is decided once, here. A wish by BGREF_CLIENT that
 * cannot be met is refused: whoever sets it measures or searches an error, and would be misled
 * by the other one. */
#include "channel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char variable[] = "BGREF_CLIENT";

/* A path in the file system. Abstract names ("ipc://@...") are left to libzmq. */
static bool is_path(const char *endpoint)
{
    return strncmp(endpoint, "ipc://", 6) == 0 && endpoint[6] != '@' && endpoint[6] != '\0';
}

enum bg_status channel_open(struct channel **out, const char *endpoint, struct bg_error *err)
{
    const char *wish = getenv(variable);

    if (wish == NULL || wish[0] == '\0') {
        return is_path(endpoint) ? channel_socket_open(out, endpoint, err)
                                 : channel_zmq_open(out, endpoint, err);
    }
    if (strcmp(wish, "libzmq") == 0) {
        return channel_zmq_open(out, endpoint, err);
    }
    if (strcmp(wish, "socket") != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is %s: socket or libzmq is possible", variable,
                            wish);
    }
    if (!is_path(endpoint)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s is socket: that is for ipc://PATH; connect to %s by libzmq",
                            variable, endpoint);
    }
    return channel_socket_open(out, endpoint, err);
}

void channel_close(struct channel *channel)
{
    if (channel != NULL) {
        channel->ops->close(channel);
    }
}

enum bg_status channel_send(struct channel *channel, const void *data, size_t size,
                            struct bg_error *err)
{
    return channel->ops->send(channel, data, size, err);
}

enum bg_status channel_take(struct channel *channel, const void **data, size_t *size,
                            struct bg_error *err)
{
    return channel->ops->take(channel, data, size, err);
}

enum bg_status channel_receive(struct channel *channel, int timeout_ms, const void **data,
                               size_t *size, struct bg_error *err)
{
    return channel->ops->receive(channel, timeout_ms, data, size, err);
}

bool channel_holds(const struct channel *channel)
{
    return channel->ops->holds(channel);
}

enum bg_status channel_read_on(struct channel *channel, struct bg_error *err)
{
    return channel->ops->read_on(channel, err);
}

enum channel_line channel_line(struct channel *channel)
{
    return channel->ops->line(channel);
}

int channel_fd(struct channel *channel)
{
    return channel->ops->fd(channel);
}

int64_t channel_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
