#define _GNU_SOURCE /* SO_PEERCRED, accept4 */
#include "line_server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "desk/line_ask.h"

/* A new client replaces the one that has been silent for longest. */
enum { CLIENTS = 4, WAITING = 4 };

struct client {
    struct line_server *server;
    int fd; /* -1: free */
    unsigned uid;
    uint64_t since;
    char line[LINE_SERVER_LINE];
    size_t size;
};

struct line_server {
    struct line_server_setup setup;
    char *path; /* owned */
    int fd;
    struct client client[CLIENTS];
    uint64_t clients; /* ever */
};

/* ------------------------------------------------------------------ one client */

static void drop(struct client *client)
{
    if (client->fd >= 0) {
        loop_unwatch(client->server->setup.loop, client->fd);
        close(client->fd);
    }
    client->fd = -1;
    client->size = 0;
}

/* The answer fits into the socket's buffer, or its end is lost: the loop never waits. */
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
    const struct line_server_setup *setup = &client->server->setup;
    struct bg_error err = {.text = ""};
    char head[16], *text = NULL;
    enum bg_status status = setup->fn(setup->user, client->line, client->uid, &text, &err);

    if (status == BG_OK) {
        reply(client, "ok", text == NULL ? "" : text);
    } else {
        snprintf(head, sizeof head, "%d", (int)status);
        reply(client, head, err.text);
    }
    free(text);
}

/* Whether who asked has gone, so that nobody would learn of an act: this happens when this program
 * was stopped for longer than the other one waits. */
static bool is_gone(const struct client *client)
{
    struct pollfd end = {.fd = client->fd};

    return poll(&end, 1, 0) > 0 && (end.revents & POLLHUP) != 0;
}

static void on_line(void *user)
{
    struct client *client = user;
    size_t longest = client->server->setup.longest;
    ssize_t got =
        recv(client->fd, client->line + client->size, longest - 1 - client->size, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (got > 0) {
        client->size += (size_t)got;
        client->line[client->size] = '\0';
        if (strchr(client->line, '\n') == NULL && client->size < longest - 1) {
            return;
        }
        if (!is_gone(client)) {
            answer(client);
        }
    }
    drop(client);
}

/* ------------------------------------------------------------------ clients */

static struct client *free_place(struct line_server *server)
{
    struct client *oldest = &server->client[0];

    for (int i = 0; i < CLIENTS; i++) {
        if (server->client[i].fd < 0) {
            return &server->client[i];
        }
        oldest = server->client[i].since < oldest->since ? &server->client[i] : oldest;
    }
    drop(oldest);
    return oldest;
}

static bool may_ask(const struct line_server *server, int fd, unsigned *uid)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return false;
    }
    *uid = peer.uid;
    return peer.uid == geteuid() || (server->setup.takes_root && peer.uid == 0);
}

static void on_client(void *user)
{
    struct line_server *server = user;
    struct client *client;
    unsigned uid;
    int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0) {
        return;
    }
    if (!may_ask(server, fd, &uid)) {
        close(fd);
        return;
    }
    client = free_place(server);
    *client = (struct client){.server = server, .fd = fd, .uid = uid, .since = ++server->clients};
    if (loop_watch(server->setup.loop, fd, on_line, client, NULL) != BG_OK) {
        close(fd);
        client->fd = -1;
    }
}

/* ------------------------------------------------------------------ the socket */

/* Removes what a killed program left; only a socket. */
static enum bg_status clear(const struct line_server *server, struct bg_error *err)
{
    struct stat info;

    if (lstat(server->path, &info) != 0) {
        return BG_OK;
    }
    if (!S_ISSOCK(info.st_mode)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: in the way of %s; remove it", server->path,
                            server->setup.whose);
    }
    return unlink(server->path) == 0
               ? BG_OK
               : bg_error_set(err, BG_E_SYSTEM, "%s: %s", server->path, strerror(errno));
}

static enum bg_status listen_at(struct line_server *server, struct bg_error *err)
{
    struct sockaddr_un address;
    int folder;
    enum bg_status status = line_socket_make(&server->fd, &folder, &address, server->path, err);

    if (status == BG_OK) {
        status = clear(server, err);
    }
    /* The mode of the file is that of the descriptor; nobody else ever finds it open. */
    if (status == BG_OK &&
        (fchmod(server->fd, 0600) != 0 ||
         bind(server->fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
         chmod(server->path, 0600) != 0 || listen(server->fd, WAITING) != 0)) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", server->path, strerror(errno));
    }
    if (folder >= 0) {
        close(folder);
    }
    return status;
}

enum bg_status line_server_open(struct line_server **out, const struct line_server_setup *setup,
                                struct bg_error *err)
{
    struct line_server *server = calloc(1, sizeof *server);
    enum bg_status status;

    if (server == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "%s", setup->whose);
    }
    *server = (struct line_server){.setup = *setup, .fd = -1};
    for (int i = 0; i < CLIENTS; i++) {
        server->client[i] = (struct client){.server = server, .fd = -1};
    }
    server->path = strdup(setup->path);
    status = server->path == NULL ? bg_error_set(err, BG_E_MEMORY, "%s", setup->whose)
                                  : listen_at(server, err);
    if (status == BG_OK) {
        status = loop_watch(setup->loop, server->fd, on_client, server, err);
    }
    if (status == BG_OK) {
        *out = server;
        server = NULL;
    }
    line_server_close(server);
    return status;
}

void line_server_close(struct line_server *server)
{
    struct stat info;

    if (server == NULL) {
        return;
    }
    for (int i = 0; i < CLIENTS; i++) {
        drop(&server->client[i]);
    }
    if (server->fd >= 0) {
        loop_unwatch(server->setup.loop, server->fd);
        close(server->fd);
        if (lstat(server->path, &info) == 0 && S_ISSOCK(info.st_mode)) {
            (void)unlink(server->path);
        }
    }
    free(server->path);
    free(server);
}
