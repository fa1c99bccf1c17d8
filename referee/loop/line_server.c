/* One line, one answer, then the connection ends: nothing has to be kept for a client between
 * two lines. There are few places, and the client that came first gives up its place for a new
 * one: a program that connects and is stopped cannot keep others out. */
#define _GNU_SOURCE /* accept4 */
#include "line_server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "socket_file.h"

/* A new client replaces the one that has been silent for longest. */
enum { CLIENTS = 4, WAITING = 4 };

/* Between two tries to send the rest of an answer; who has not read it by then gets no more. */
#define AGAIN_NS   INT64_C(10000000)
#define PATIENT_NS INT64_C(60000000000)

struct line_server_client {
    struct line_server *server;
    int fd; /* -1: free */
    unsigned uid;
    uint64_t since;
    char line[LINE_SERVER_LINE];
    size_t size;
    char *answer; /* owned: it has not all been sent; NULL: none is */
    size_t answer_size, sent;
    int64_t answered_ns;
    struct client_timer {
        struct line_server_client *client;
    } timer; /* of its next try */
};

struct line_server {
    struct line_server_setup setup;
    char *path; /* owned */
    int fd;
    struct line_server_client client[CLIENTS];
    uint64_t clients; /* ever */
};

/* ------------------------------------------------------------------ one client */

static void drop_client(struct line_server_client *client)
{
    if (client->fd >= 0) {
        loop_unwatch(client->server->setup.loop, client->fd);
        loop_forget(client->server->setup.loop, &client->timer);
        close(client->fd);
    }
    free(client->answer);
    client->answer = NULL;
    client->fd = -1;
    client->size = 0;
}

/* Sends what the socket takes. Returns whether the rest has to wait. */
static bool send_some(struct line_server_client *client)
{
    ssize_t now = 0;

    while (client->sent < client->answer_size && now >= 0) {
        now = send(client->fd, client->answer + client->sent, client->answer_size - client->sent,
                   MSG_NOSIGNAL | MSG_DONTWAIT);
        client->sent += now > 0 ? (size_t)now : 0;
    }
    return now < 0 && (errno == EAGAIN || errno == EINTR);
}

/* The loop never waits: a large answer is sent as fast as the other side reads. */
static void on_time(void *user, int64_t now_ns)
{
    struct client_timer *timer = user;
    struct line_server_client *client = timer->client;

    if (!send_some(client) || now_ns - client->answered_ns > PATIENT_NS) {
        drop_client(client);
        return;
    }
    loop_after(client->server->setup.loop, AGAIN_NS, on_time, timer);
}

static void reply(struct line_server_client *client, const char *head, const char *text)
{
    client->answer = memory_print("%s\n%s", head, text);
    client->answer_size = strlen(client->answer);
    client->sent = 0;
}

static void answer_client(struct line_server_client *client)
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
static bool is_gone(const struct line_server_client *client)
{
    struct pollfd end = {.fd = client->fd};

    return poll(&end, 1, 0) > 0 && (end.revents & POLLHUP) != 0;
}

static void on_client_line(void *user)
{
    struct line_server_client *client = user;
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
            answer_client(client);
            loop_unwatch(client->server->setup.loop, client->fd); /* it says nothing any more */
            client->answered_ns = loop_now(client->server->setup.loop);
            on_time(&client->timer, client->answered_ns);
            return;
        }
    }
    drop_client(client);
}

/* ------------------------------------------------------------------ clients */

static struct line_server_client *free_place(struct line_server *server)
{
    struct line_server_client *oldest = &server->client[0];

    for (int i = 0; i < CLIENTS; i++) {
        if (server->client[i].fd < 0) {
            return &server->client[i];
        }
        oldest = server->client[i].since < oldest->since ? &server->client[i] : oldest;
    }
    /* Who connects and says nothing must not keep others out. */
    drop_client(oldest);
    return oldest;
}

static void on_client(void *user)
{
    struct line_server *server = user;
    struct line_server_client *client;
    unsigned uid;
    int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0) {
        return;
    }
    if (!socket_file_admits(fd, server->setup.takes_root, &uid)) {
        close(fd);
        return;
    }
    client = free_place(server);
    *client = (struct line_server_client){
        .server = server, .fd = fd, .uid = uid, .since = ++server->clients, .timer.client = client};
    if (loop_watch(server->setup.loop, fd, on_client_line, client, NULL) != BG_OK) {
        close(fd);
        client->fd = -1;
    }
}

/* ------------------------------------------------------------------ the socket */

enum bg_status line_server_open(struct line_server **out, const struct line_server_setup *setup,
                                struct bg_error *err)
{
    struct line_server *server = memory_zeroed(1, sizeof *server);
    enum bg_status status;

    *server = (struct line_server){.setup = *setup, .fd = -1};
    for (int i = 0; i < CLIENTS; i++) {
        server->client[i] = (struct line_server_client){.server = server, .fd = -1};
    }
    server->path = memory_text(setup->path);
    status = socket_file_open(&server->fd, SOCK_STREAM, server->path, setup->whose, WAITING, err);
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
    if (server == NULL) {
        return;
    }
    for (int i = 0; i < CLIENTS; i++) {
        drop_client(&server->client[i]);
    }
    if (server->fd >= 0) {
        loop_unwatch(server->setup.loop, server->fd);
        socket_file_close(server->fd, server->path);
    }
    free(server->path);
    free(server);
}
