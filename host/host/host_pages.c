#define _GNU_SOURCE /* accept4 */
#include "host_pages.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "front/tcp_listen.h"
#include "loop/socket_file.h"
#include "loop/http_request.h"
#include "base/memory.h"

#define LIFE_NS  INT64_C(5000000000)
#define AGAIN_NS INT64_C(5000000) /* a full socket is tried again after this */

/* Each entrance has its own clients: nobody at the port can hold up the file's. */
enum { CLIENTS = 8, WAITING = 16 };

struct host_pages_client {
    struct entrance *entrance;
    int fd; /* -1: free */
    uint64_t since;
    char head[HTTP_REQUEST_MOST];
    size_t size;
    char *answer; /* owned; NULL: the request is not complete */
    size_t answer_size, sent;
};

struct entrance {
    struct host_pages *pages;
    int fd; /* -1: closed */
    bool is_file;
    struct host_pages_client clients[CLIENTS];
    uint64_t came; /* ever */
};

struct host_pages {
    struct host_pages_setup setup;
    struct entrance file, port;
};

static struct loop *loop_of(const struct host_pages_client *client)
{
    return client->entrance->pages->setup.loop;
}

static void drop(struct host_pages_client *client)
{
    if (client->fd >= 0) {
        loop_forget(loop_of(client), client);
        loop_unwatch(loop_of(client), client->fd);
        close(client->fd);
    }
    free(client->answer);
    client->answer = NULL;
    client->fd = -1;
    client->size = 0;
}

static void on_late(void *user, int64_t now_ns)
{
    (void)now_ns;
    drop(user);
}

/* ------------------------------------------------------------------ the answer */

static void on_again(void *user, int64_t now_ns);

/* Sends what fits; the rest a moment later. */
static void send_on(struct host_pages_client *client)
{
    ssize_t now = send(client->fd, client->answer + client->sent,
                       client->answer_size - client->sent, MSG_NOSIGNAL | MSG_DONTWAIT);

    client->sent += now > 0 ? (size_t)now : 0;
    if (client->sent == client->answer_size) {
        shutdown(client->fd, SHUT_WR);
        drop(client);
    } else {
        loop_after(loop_of(client), AGAIN_NS, on_again, client);
    }
}

static void on_again(void *user, int64_t now_ns)
{
    (void)now_ns;
    send_on(user);
}

static const char *words_of(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    default:
        return "Service Unavailable";
    }
}

/* Names of this machine only: a page of somebody else's in a browser here must not read ours by a
 * name of its own that leads to 127.0.0.1. */
static bool is_own_name(const char *host)
{
    static const char *const names[] = {"localhost", "[::1]"};
    const char *colon = strrchr(host, ':');
    size_t size =
        colon == NULL || strchr(colon, ']') != NULL ? strlen(host) : (size_t)(colon - host);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (size == strlen(names[i]) && strncasecmp(host, names[i], size) == 0) {
            return true;
        }
    }
    return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == size;
}

static int find_page(const struct host_pages_client *client, enum http_got got,
                     const struct http_request *request, FILE *out, const char **type)
{
    const struct host_pages_setup *setup = &client->entrance->pages->setup;

    if (got == HTTP_GET &&
        (client->entrance->is_file || request->host[0] == '\0' || is_own_name(request->host))) {
        return setup->fn(setup->user, request->path, out, type);
    }
    return got == HTTP_METHOD ? 405 : got == HTTP_LONG ? 431 : 400;
}

static void make_answer(struct host_pages_client *client, enum http_got got,
                        const struct http_request *request)
{
    const char *type = "text/plain; charset=utf-8";
    char *body = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&body, &size);
    int status = find_page(client, got, request, out, &type);

    if (status != 200 && status != 503) {
        fprintf(out, "%s\n", words_of(status));
    }
    memory_stream_close(out);
    client->answer = memory_print("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s"
                                  "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                                  "Connection: close\r\n\r\n%s",
                                  status, words_of(status), type, size,
                                  status == 405 ? "Allow: GET\r\n" : "", body);
    free(body);
    client->answer_size = strlen(client->answer);
    client->sent = 0;
}

static void on_bytes(void *user)
{
    struct host_pages_client *client = user;
    struct http_request request;
    enum http_got got;
    ssize_t size = recv(client->fd, client->head + client->size, sizeof client->head - client->size,
                        MSG_DONTWAIT);

    if (size <= 0) {
        drop(client); /* it has gone; readable, so there is no other reason */
        return;
    }
    client->size += (size_t)size;
    got = http_request_read(&request, client->head, client->size);
    if (got == HTTP_MORE) {
        return;
    }
    loop_unwatch(loop_of(client), client->fd); /* what comes behind it is not read */
    make_answer(client, got, &request);
    send_on(client);
}

/* ------------------------------------------------------------------ clients */

static struct host_pages_client *free_place(struct entrance *entrance)
{
    struct host_pages_client *oldest = &entrance->clients[0];

    for (int i = 0; i < CLIENTS; i++) {
        struct host_pages_client *client = &entrance->clients[i];

        if (client->fd < 0) {
            return client;
        }
        oldest = client->since < oldest->since ? client : oldest;
    }
    drop(oldest);
    return oldest;
}

static void on_client(void *user)
{
    struct entrance *entrance = user;
    struct host_pages_client *client;
    unsigned uid;
    int fd = accept4(entrance->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0) {
        return;
    }
    if (entrance->is_file && !socket_file_admits(fd, true, &uid)) {
        close(fd);
        return;
    }
    client = free_place(entrance);
    client->fd = fd;
    client->since = ++entrance->came;
    loop_after(loop_of(client), LIFE_NS, on_late, client);
    if (loop_watch(loop_of(client), fd, on_bytes, client, NULL) != BG_OK) {
        drop(client);
    }
}

/* ------------------------------------------------------------------ opening and closing */

static void init_entrance(struct entrance *entrance, struct host_pages *pages, bool is_file)
{
    *entrance = (struct entrance){.pages = pages, .fd = -1, .is_file = is_file};
    for (int i = 0; i < CLIENTS; i++) {
        entrance->clients[i].entrance = entrance;
        entrance->clients[i].fd = -1;
    }
}

static enum bg_status open_entrances(struct host_pages *pages, struct bg_error *err)
{
    const struct host_pages_setup *setup = &pages->setup;
    char bound[TCP_LISTEN_TEXT];
    enum bg_status status =
        socket_file_open(&pages->file.fd, setup->file, "the socket for monitoring", WAITING, err);

    if (status == BG_OK) {
        status = loop_watch(setup->loop, pages->file.fd, on_client, &pages->file, err);
    }
    if (status == BG_OK && setup->listen[0] != '\0') {
        status = tcp_listen(&pages->port.fd, bound, setup->listen, WAITING, err);
        if (status == BG_OK) {
            status = loop_watch(setup->loop, pages->port.fd, on_client, &pages->port, err);
        }
        if (status == BG_OK) {
            fprintf(stderr, "metrics: http%s/metrics\n", bound + strlen("tcp"));
        }
    }
    return status;
}

enum bg_status host_pages_open(struct host_pages **out, const struct host_pages_setup *setup,
                               struct bg_error *err)
{
    struct host_pages *pages = memory_zeroed(1, sizeof *pages);
    enum bg_status status;

    pages->setup = *setup;
    init_entrance(&pages->file, pages, true);
    init_entrance(&pages->port, pages, false);
    status = open_entrances(pages, err);
    if (status == BG_OK) {
        *out = pages;
        pages = NULL;
    }
    host_pages_close(pages);
    return status;
}

static void close_clients(struct entrance *entrance)
{
    for (int i = 0; i < CLIENTS; i++) {
        drop(&entrance->clients[i]);
    }
    if (entrance->fd >= 0) {
        loop_unwatch(entrance->pages->setup.loop, entrance->fd);
    }
}

void host_pages_close(struct host_pages *pages)
{
    if (pages == NULL) {
        return;
    }
    close_clients(&pages->file);
    close_clients(&pages->port);
    if (pages->file.fd >= 0) {
        socket_file_close(pages->file.fd, pages->setup.file);
    }
    if (pages->port.fd >= 0) {
        close(pages->port.fd);
    }
    free(pages);
}
