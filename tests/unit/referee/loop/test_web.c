/* Pages and streams over real sockets: requests that are refused, caching, forms, and events that
 * reach each reader once and in order. */
#include "support/suite.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cidr.h"
#include "loop/web.h"

#define TURN_NS INT64_C(1000000)
#define MOST_NS INT64_C(30000000000)

#define GET(path) "GET " path " HTTP/1.1\r\nHost: x\r\n\r\n"

enum { TEXT = 1 << 18 };

struct client {
    int fd;
    char text[TEXT]; /* what came */
    size_t size;
    bool is_closed;
};

static struct loop *loop;
static struct web *web;
static struct web_channel *channel;
static struct web_answer next_answer;
static struct sockaddr_in address;
static struct client clients[40];
static char seen[WEB_BODY + 1000]; /* of the last request that a page function got */
static int asked, next_status;

static int on_page(void *user, const struct web_request *request, FILE *out,
                   struct web_answer *answer)
{
    (void)user;
    asked++;
    snprintf(seen, sizeof seen, "%s %s?%s from %s body %s%s", request->method, request->path,
             request->query, request->from, request->body_is_json ? "json " : "", request->body);
    *answer = next_answer;
    answer->type = "text/html";
    answer->channel = strncmp(request->path, "/stream", 7) == 0 ? channel : NULL;
    fputs(answer->channel != NULL ? "{\"all\":\n1}" : "page", out);
    return next_status;
}

static void serve(struct web_settings settings)
{
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    settings.fn = on_page;
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001)};
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, size), 0);
    ck_assert_int_eq(listen(fd, 128), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    assert_ok(loop_create(&loop, &error));
    assert_ok(web_start(&web, loop, fd, &settings, &error));
    channel = web_channel_create(web, "game");
}

static void set_up(void)
{
    asked = 0;
    next_status = 200;
    next_answer = (struct web_answer){.type = NULL};
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        clients[i].fd = -1;
    }
}

static void tear_down(void)
{
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        close(clients[i].fd);
    }
    web_stop(web);
    loop_destroy(loop);
    web = NULL;
    loop = NULL;
}

SUITE_FIXTURE(set_up, tear_down)

/* The client comes from 127.0.0.`host`. */
static struct client *ask_as(int place, int host, const char *request)
{
    struct sockaddr_in from = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(0x7f000000 + (uint32_t)host)};
    struct client *client = &clients[place];

    close(client->fd);
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    client->size = 0;
    client->is_closed = false;
    ck_assert_int_eq(bind(client->fd, (struct sockaddr *)&from, sizeof from), 0);
    ck_assert_int_eq(connect(client->fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert(send(client->fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request));
    return client;
}

static void on_turn(void *user, int64_t now_ns)
{
    loop_stop(loop);
}

static void turn(void)
{
    loop_after(loop, TURN_NS, on_turn, &loop);
    assert_ok(loop_run(loop, &error));
}

static void read_some(struct client *client)
{
    ssize_t got = 1;

    while (!client->is_closed && got > 0) {
        got = recv(client->fd, client->text + client->size, TEXT - 1 - client->size, MSG_DONTWAIT);
        client->is_closed = got == 0 || (got < 0 && errno != EAGAIN);
        client->size += got > 0 ? (size_t)got : 0;
    }
    client->text[client->size] = '\0';
}

/* Until the text has come, or, NULL, the end. */
static void await(struct client *client, const char *text)
{
    const int64_t begin_ns = loop_now(loop);

    for (;;) {
        read_some(client);
        if (text == NULL ? client->is_closed : strstr(client->text, text) != NULL) {
            return;
        }
        ck_assert_msg(!client->is_closed && loop_now(loop) - begin_ns < MOST_NS,
                      "'%s' does not come: '%s'", text, client->text);
        turn();
    }
}

static int status_of(const char *request)
{
    struct client *client = ask_as(0, 1, request);

    await(client, NULL);
    return client->size == 0 ? 0 : atoi(client->text + strlen("HTTP/1.1 "));
}

static bool has(const char *text)
{
    return strstr(clients[0].text, text) != NULL;
}

/* ---- pages ---- */

TEST(a_post_is_passed_on_only_where_it_is_taken)
{
    static const char post[] = "POST /p?q=1 HTTP/1.1\r\nHost: x\r\nContent-Type: "
                               "application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b";

    serve((struct web_settings){.takes_posts = true});
    ck_assert_int_eq(status_of(post), 200);
    ck_assert_str_eq(seen, "POST /p?q=1 from 127.0.0.1 body a=b");
}

/* ---- streams ---- */

TEST(a_reader_gets_the_snapshot_and_then_each_event)
{
    struct client *client;

    serve((struct web_settings){.spectators = 2});
    web_channel_send(channel, "play", "{\"n\": 0}");
    client = ask_as(0, 1, GET("/stream"));
    await(client, "data: {\"all\": 1}\n\n");
    ck_assert(has("\r\nContent-Type: text/event-stream\r\n"));
    ck_assert(has("\r\nCache-Control: no-store\r\n"));
    ck_assert(has("retry: 2000\n\nid: "));
    ck_assert(has("-1\nevent: snapshot\n"));
    ck_assert_ptr_null(strstr(client->text, "\"n\": 0"));
    web_channel_send(channel, "play", "{\"n\":\r\n1}");
    web_channel_send(channel, "end", "{}");
    await(client, "-2\nevent: play\ndata: {\"n\":  1}\n\n");
    await(client, "-3\nevent: end\ndata: {}\n\n");
    web_channel_send(channel, "end", "{\"last\": true}");
    web_channel_destroy(channel);
    await(client, "{\"last\": true}");
    await(client, NULL);
}
