#define _GNU_SOURCE /* SO_PEERCRED, accept4 */
#include "desk_socket.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "desk/desk.h"

/* A new client replaces the one that has been silent for longest. */
enum { CLIENTS = 4, WAITING = 4 };

struct client {
    struct desk_socket *socket;
    int fd; /* -1: free */
    uint64_t since;
    char line[DESK_LINE];
    size_t size;
};

struct desk_socket {
    struct loop *loop;
    char *path; /* owned */
    int fd;
    struct client client[CLIENTS];
    uint64_t clients; /* ever */
    desk_socket_fn fn;
    void *user;
};

/* ------------------------------------------------------------------ one client */

static void drop(struct client *client)
{
    if (client->fd >= 0) {
        loop_unwatch(client->socket->loop, client->fd);
        close(client->fd);
    }
    client->fd = -1;
    client->size = 0;
}

/* The answer fits into the socket's buffer, or its end is lost: the referee never waits. */
static void reply(const struct client *client, const char *head, const char *text)
{
    char *all = NULL;
    int size = asprintf(&all, "%s\n%s", head, text);

    for (int sent = 0; size > 0 && sent < size;) {
        ssize_t now =
            send(client->fd, all + sent, (size_t)(size - sent), MSG_NOSIGNAL | MSG_DONTWAIT);

        if (now <= 0) {
            break;
        }
        sent += (int)now;
    }
    if (size >= 0) {
        free(all);
    }
}

static void answer(struct client *client)
{
    struct desk_socket *socket = client->socket;
    struct bg_error err = {.text = ""};
    struct desk_wish wish;
    char head[16], *text = NULL;
    enum bg_status status;

    if (!desk_line_read(&wish, client->line)) {
        status = bg_error_set(&err, BG_E_FORMAT, "not a line of bgref desk");
    } else {
        desk_sign_act(&wish.act);
        status = socket->fn(socket->user, &wish, &text, &err);
    }
    if (status == BG_OK) {
        reply(client, "ok", text == NULL ? "" : text);
    } else {
        snprintf(head, sizeof head, "%d", (int)status);
        reply(client, head, err.text);
    }
    free(text);
}

/* Whether the desk has gone, so that nobody would learn of an act: this happens when the referee
 * was stopped for longer than a desk waits. */
static bool is_gone(const struct client *client)
{
    struct pollfd end = {.fd = client->fd};

    return poll(&end, 1, 0) > 0 && (end.revents & POLLHUP) != 0;
}

static void on_line(void *user)
{
    struct client *client = user;
    ssize_t got = recv(client->fd, client->line + client->size,
                       sizeof client->line - 1 - client->size, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (got > 0) {
        client->size += (size_t)got;
        client->line[client->size] = '\0';
        if (strchr(client->line, '\n') == NULL && client->size < sizeof client->line - 1) {
            return;
        }
        if (!is_gone(client)) {
            answer(client);
        }
    }
    drop(client);
}

/* ------------------------------------------------------------------ clients */

static struct client *free_place(struct desk_socket *socket)
{
    struct client *oldest = &socket->client[0];

    for (int i = 0; i < CLIENTS; i++) {
        if (socket->client[i].fd < 0) {
            return &socket->client[i];
        }
        oldest = socket->client[i].since < oldest->since ? &socket->client[i] : oldest;
    }
    drop(oldest);
    return oldest;
}

static bool is_ours(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

static void on_client(void *user)
{
    struct desk_socket *socket = user;
    struct client *client;
    int fd = accept4(socket->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0) {
        return;
    }
    if (!is_ours(fd)) {
        close(fd);
        return;
    }
    client = free_place(socket);
    *client = (struct client){.socket = socket, .fd = fd, .since = ++socket->clients};
    if (loop_watch(socket->loop, fd, on_line, client, NULL) != BG_OK) {
        close(fd);
        client->fd = -1;
    }
}

/* ------------------------------------------------------------------ the socket */

/* Removes what a killed referee left; only a socket. */
static enum bg_status clear(const char *path, struct bg_error *err)
{
    struct stat info;

    if (lstat(path, &info) != 0) {
        return BG_OK;
    }
    if (!S_ISSOCK(info.st_mode)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: in the way of the desk's socket; remove it",
                            path);
    }
    return unlink(path) == 0 ? BG_OK
                             : bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
}

static enum bg_status listen_at(struct desk_socket *socket, const char *results,
                                struct bg_error *err)
{
    struct sockaddr_un address;
    int folder;
    enum bg_status status = desk_socket_make(&socket->fd, &folder, &address, results, err);

    if (status == BG_OK) {
        status = clear(socket->path, err);
    }
    /* The mode of the file is that of the descriptor; nobody else ever finds it open. */
    if (status == BG_OK &&
        (fchmod(socket->fd, 0600) != 0 ||
         bind(socket->fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
         chmod(socket->path, 0600) != 0 || listen(socket->fd, WAITING) != 0)) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", socket->path, strerror(errno));
    }
    if (folder >= 0) {
        close(folder);
    }
    return status;
}

enum bg_status desk_socket_open(struct desk_socket **out, struct loop *loop, const char *results,
                                desk_socket_fn fn, void *user, struct bg_error *err)
{
    struct desk_socket *socket = calloc(1, sizeof *socket);
    enum bg_status status;

    if (socket == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "the desk's socket");
    }
    *socket = (struct desk_socket){.loop = loop, .fd = -1, .fn = fn, .user = user};
    for (int i = 0; i < CLIENTS; i++) {
        socket->client[i] = (struct client){.socket = socket, .fd = -1};
    }
    status = asprintf(&socket->path, "%s.desk", results) < 0
                 ? bg_error_set(err, BG_E_MEMORY, "the desk's socket")
                 : listen_at(socket, results, err);
    if (status == BG_OK) {
        status = loop_watch(loop, socket->fd, on_client, socket, err);
    }
    if (status == BG_OK) {
        *out = socket;
        socket = NULL;
    }
    desk_socket_close(socket);
    return status;
}

void desk_socket_close(struct desk_socket *socket)
{
    struct stat info;

    if (socket == NULL) {
        return;
    }
    for (int i = 0; i < CLIENTS; i++) {
        drop(&socket->client[i]);
    }
    if (socket->fd >= 0) {
        loop_unwatch(socket->loop, socket->fd);
        close(socket->fd);
        if (lstat(socket->path, &info) == 0 && S_ISSOCK(info.st_mode)) {
            (void)unlink(socket->path);
        }
    }
    free(socket->path);
    free(socket);
}
