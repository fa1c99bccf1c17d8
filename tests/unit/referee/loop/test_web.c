/* Pages and streams over real sockets: requests that are refused, caching, forms, and events that
 * reach each reader once and in order. */
#define _GNU_SOURCE /* syscall */
#include "support/suite.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/cidr.h"
#include "loop/web.h"

#define S_NS    INT64_C(1000000000)
#define TURN_NS INT64_C(1000000)
#define MOST_NS INT64_C(30000000000)

#define STREAM    "GET /stream HTTP/1.0\r\n\r\n"
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
static int64_t ahead_ns; /* of the monotonic clock, before the system's */

/* In the place of libc's. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, now);

    if (clock == CLOCK_MONOTONIC) {
        now->tv_sec += (time_t)(ahead_ns / S_NS);
    }
    return result;
}

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

/* At a socket that is bound. */
static void serve_at(int fd, struct web_settings settings)
{
    struct sockaddr_in6 bound; /* its port stands where that of IPv4 does */
    socklen_t size = sizeof bound;

    settings.fn = on_page;
    ck_assert_int_eq(listen(fd, 128), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&bound, &size), 0);
    address = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001), .sin_port = bound.sin6_port};
    assert_ok(loop_create(&loop, &error));
    assert_ok(web_start(&web, loop, fd, &settings, &error));
    channel = web_channel_create(web, "game");
}

static void serve(struct web_settings settings)
{
    const struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&here, sizeof here), 0);
    serve_at(fd, settings);
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
    const int few = 4096; /* bytes that it takes without reading */

    close(client->fd);
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    client->size = 0;
    client->is_closed = false;
    ck_assert_int_eq(setsockopt(client->fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof few), 0);
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

/* ---- requests ---- */

#define HOST       " HTTP/1.1\r\nHost: x\r\n"
#define POST(what) "POST /p" HOST what
#define FORM       "Content-Type: application/x-www-form-urlencoded\r\n"

static const struct {
    const char *name, *request;
    int status;
} requests[] = {
    /* ~3~ stands for three letters */
    {"plain", GET("/"), 200},
    {"query", GET("/?..%00"), 200},
    {"two requests", GET("/") GET("/"), 200},
    {"body of a GET", "GET /" HOST "Content-Length: 9\r\n\r\n" GET("/"), 200},
    {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
    {"no version", "GET /\r\n\r\n", 400},
    {"version 2", "PRI * HTTP/2.0\r\n\r\n", 505},
    {"both lengths", POST(FORM "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\na=b"), 400},
    {"both lengths of a GET",
     "GET /" HOST "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n", 400},
    {"two lengths", POST(FORM "Content-Length: 3\r\nContent-Length: 4\r\n\r\na=b"), 400},
    {"two equal lengths", "GET /" HOST "Content-Length: 3\r\nContent-Length: 3\r\n\r\n", 400},
    {"two lengths in one", POST(FORM "Content-Length: 3, 4\r\n\r\na=b"), 400},
    {"negative length", POST(FORM "Content-Length: -3\r\n\r\na=b"), 400},
    {"folded line", "GET /" HOST "A: b\r\n c: d\r\n\r\n", 400},
    {"folded length", POST(FORM "Content-Length:\r\n 3\r\n\r\na=b"), 400},
    {"line without CR", "GET /" HOST "A: b\n\r\n", 400},
    {"lines without CR", "GET / HTTP/1.1\nHost: x\n\n", 400},
    {"no blank after the colon", "GET / HTTP/1.1\r\nHost:x\r\nA:b\r\n\r\n", 200},
    {"blanks after the colon", "GET /" HOST "A: \t  b: c\r\n\r\n", 200},
    {"blanks behind a value", "GET /" HOST "A: b  \r\n\r\n", 200},
    {"field without value", "GET /" HOST "A:\r\nB: \r\n\r\n", 200},
    {"blanks instead of a CR", "GET /" HOST "A:  b\n\r\n", 400},
    {"no blank, folded", "GET /" HOST "A:b\r\n c: d\r\n\r\n", 400},
    {"no blank before a length without CR",
     POST(FORM "Content-Length:3\nContent-Length:  4\r\n\r\na=b"), 400},
    {"blank before the colon", "GET /" HOST "A : b\r\n\r\n", 400},
    {"blanks in the line", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"zero byte in the path", GET("/a%00b"), 400},
    {"zero byte at its end", GET("/a%00"), 400},
    {"line break in it", GET("/a%0d%0ab"), 400},
    {"path of 256 bytes", GET("/~255~"), 200},
    {"path of 257 bytes", GET("/~256~"), 400},
    {"path of 12,000 bytes", GET("/~12000~"), 414},
    {"head of 3,000 bytes", "GET /" HOST "A: ~3000~\r\n\r\n", 200},
    {"head of 12,000 bytes", "GET /" HOST "A: ~12000~\r\n\r\n", 431},
    {"backslash", GET("/a\\b"), 400},
    {"backslash as %5c", GET("/a%5cb"), 400},
    {"no path", "GET *" HOST "\r\n", 400},
    {"PUT", "PUT /" HOST "Content-Length: 0\r\n\r\n", 405},
    {"OPTIONS", "OPTIONS /" HOST "\r\n", 405},
    {"TRACE", "TRACE /" HOST "\r\n", 405},
    {"get", "get /" HOST "\r\n", 405},
    {"form", POST(FORM "Content-Length: 3\r\n\r\na=b"), 200},
    {"JSON", POST("Content-Type: application/json; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}"),
     200},
    {"empty form", POST(FORM "Content-Length: 0\r\n\r\n"), 200},
    {"form and a request", POST(FORM "Content-Length: 3\r\n\r\na=b") GET("/"), 200},
    {"form without length", POST(FORM "\r\n"), 411},
    {"form in chunks", POST(FORM "Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n"), 411},
    {"form of 4,097 bytes", POST(FORM "Content-Length: 4097\r\n\r\n"), 413},
    {"endless form", POST(FORM "Content-Length: 99999999999999999999999\r\n\r\n"), 413},
    {"text", POST("Content-Type: text/plain\r\nContent-Length: 3\r\n\r\na=b"), 415},
    {"nothing known", POST("Content-Length: 3\r\n\r\na=b"), 415},
};

TEST_ROWS(a_request_has_one_answer_and_only_a_plain_one_reaches_a_page, requests)
{
    const char *head = requests[_i].request, *fill = strchr(head, '~'), *more;
    char request[13000], letters[12001];
    int count = fill == NULL ? 0 : atoi(fill + 1);

    memset(letters, 'a', sizeof letters);
    snprintf(request, sizeof request, "%.*s%.*s%s", (int)strcspn(head, "~"), head, count, letters,
             fill == NULL ? "" : strchr(fill + 1, '~') + 1);
    serve((struct web_settings){.takes_posts = true});
    ck_assert_msg(status_of(request) == requests[_i].status, "%s: %s", requests[_i].name,
                  clients[0].text);
    ck_assert_int_eq(asked, requests[_i].status == 200);
    /* libmicrohttpd 0.9.75 writes the head of an error of its own twice. */
    more = strstr(clients[0].text, "Referrer-Policy");
    ck_assert(more == NULL || strstr(more + 1, "Referrer-Policy") == NULL);
}

/* Each way to write two dots, a slash and where it leads; 240 in all. */
TEST(no_spelling_of_a_way_up_reaches_a_page)
{
    static const char *const dots[] = {"..", "%2e%2e", ".%2E", "%2e."},
                             *const slashes[] = {"/", "%2f", "\\", "%5C", "//"},
                             *const starts[] = {"/", "/games/", "/s/style.css"},
                             *const ends[] = {"etc/passwd", "", "%65tc%2fshadow", "r.db"};
    char request[400], first[2000] = "";
    int count = 0;

    serve((struct web_settings){.pages = 300});
    for (int i = 0; i < 4 * 5 * 3 * 4; i++, count++) {
        const char *dot = dots[i % 4], *slash = slashes[i / 4 % 5];

        snprintf(request, sizeof request, "GET %s%s%s%s%s%s%s%s" HOST "\r\n", starts[i / 20 % 3],
                 slash, dot, slash, dot, slash, dot[0] == '.' ? slash : "", ends[i / 60]);
        ck_assert_msg(status_of(request) == 400, "%s", request);
        if (count == 0) {
            snprintf(first, sizeof first, "%s", strstr(clients[0].text, "\r\n\r\n"));
        }
        ck_assert_str_eq(strstr(clients[0].text, "\r\n\r\n"), first);
    }
    ck_assert_int_eq(asked, 0);
    ck_assert_int_eq(count, 240);
}

TEST(a_post_is_passed_on_where_it_is_taken)
{
    serve((struct web_settings){.takes_posts = false});
    ck_assert_int_eq(status_of(POST(FORM "Content-Length: 3\r\n\r\na=b")), 405);
    ck_assert(has("\r\nAllow: GET, HEAD\r\n"));
    tear_down();
    serve((struct web_settings){.takes_posts = true});
    (void)ask_as(0, 1, "POST /p?q=1" HOST FORM "Content-Length: 3\r\n\r\na=");
    turn();
    ck_assert_int_eq(send(clients[0].fd, "b&", 2, MSG_NOSIGNAL), 2);
    await(&clients[0], NULL);
    ck_assert_str_eq(seen, "POST /p?q=1 from 127.0.0.1 body a=b");
    ck_assert_int_eq(
        status_of(POST("Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")), 200);
    ck_assert_str_eq(seen, "POST /p? from 127.0.0.1 body json {}");
    clients[0].text[0] = '\0';
}

TEST(a_head_has_no_text)
{
    serve((struct web_settings){.spectators = 1});
    ck_assert_int_eq(status_of("HEAD /" HOST "\r\n"), 200);
    ck_assert(has("\r\nContent-Length: 4\r\n"));
    ck_assert_str_eq(strstr(clients[0].text, "\r\n\r\n"), "\r\n\r\n");
    ck_assert_int_eq(status_of("HEAD /stream" HOST "\r\n"), 200);
    ck_assert(has("\r\nContent-Type: text/event-stream\r\n"));
    ck_assert_uint_eq(web_counts(web)->streams_total, 0);
}

/* ---- answers ---- */

static void answer_file(off_t bytes)
{
    next_answer = (struct web_answer){.etag = "a", .file_bytes = (uint64_t)bytes};
    next_answer.file = memfd_create("page", MFD_CLOEXEC);
    ck_assert_int_eq(ftruncate(next_answer.file, bytes), 0);
    ck_assert_int_eq(pwrite(next_answer.file, "end", 3, bytes - 3), 3);
}

TEST(a_file_is_a_page)
{
    enum { BYTES = 200000, LARGE = 16 << 20 };

    serve((struct web_settings){.pages = 2});
    answer_file(BYTES);
    ck_assert_int_eq(status_of(GET("/")), 200);
    ck_assert(has("\r\nContent-Length: 200000\r\n"));
    ck_assert_str_eq(clients[0].text + clients[0].size - 3, "end");
    answer_file(BYTES);
    ck_assert_int_eq(status_of("GET /" HOST "If-None-Match: W/\"a\"\r\n\r\n"), 304);
    ck_assert_int_eq(fcntl(next_answer.file, F_GETFD), -1);
    answer_file(LARGE); /* who reads slowly has time for it, but not for ever */
    (void)ask_as(0, 1, GET("/"));
    turn();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(web_counts(web)->pages, 1);
        ahead_ns += (60 + LARGE / 65536 - 10) * S_NS / (i == 0 ? 1 : 10);
        turn();
        turn();
    }
    ck_assert_int_eq(web_counts(web)->pages, 0);
}

#define IF_NONE(tags) "GET /" HOST "If-None-Match: " tags "\r\n\r\n"

static const struct {
    const char *request;
    struct web_answer answer;
    int status, wanted;
    const char *line; /* of the head */
} answers[] = {
    {GET("/"), {.type = ""}, 200, 200, "Cache-Control: no-store"},
    {GET("/"), {.max_age_s = 2}, 200, 200, "Cache-Control: public, max-age=2"},
    {GET("/"), {.etag = "a"}, 200, 200, "Cache-Control: no-cache"},
    {GET("/"), {.etag = "a"}, 200, 200, "ETag: W/\"a\""},
    {GET("/"),
     {.is_immutable = true},
     200,
     200,
     "Cache-Control: public, max-age=31536000, immutable"},
    {IF_NONE("W/\"a\""), {.etag = "a"}, 200, 304, "ETag: W/\"a\""},
    {IF_NONE("\"b\", \"a\""), {.etag = "a"}, 200, 304, "Cache-Control: no-cache"},
    {IF_NONE("*"), {.etag = "a"}, 200, 304, "ETag: W/\"a\""},
    {IF_NONE("*"), {.etag = ""}, 200, 200, "Content-Length: 4"},
    {IF_NONE("\"ab\", a"), {.etag = "a"}, 200, 200, "Content-Length: 4"},
    {IF_NONE("\"a\""), {.etag = "a"}, 404, 404, "Content-Length: 4"},
    {GET("/"), {.is_open = true}, 200, 200, "Access-Control-Allow-Origin: *"},
    {GET("/"), {.max_age_s = 2}, 200, 200, "Vary: Accept-Encoding"},
    {GET("/"), {.location = "/g/1"}, 303, 303, "Location: /g/1"},
    {GET("/"), {.location = "/g\r\nX: 1"}, 303, 303, "Content-Length: 4"},
    {GET("/"),
     {.file_name = "a.mat"},
     200,
     200,
     "Content-Disposition: attachment; filename=\"a.mat\""},
    {GET("/"), {.type = ""}, 503, 503, "Retry-After: 15"},
};

TEST_ROWS(an_answer_is_told_as_headers, answers)
{
    char line[200];

    serve((struct web_settings){.pages = 1});
    next_answer = answers[_i].answer;
    next_status = answers[_i].status;
    ck_assert_int_eq(status_of(answers[_i].request), answers[_i].wanted);
    snprintf(line, sizeof line, "\r\n%s\r\n", answers[_i].line);
    ck_assert_msg(has(line), "%s", clients[0].text);
    ck_assert(!has("\r\nX: "));
    ck_assert(has("page") == (answers[_i].wanted != 304));
    ck_assert_uint_eq(web_counts(web)->answers[answers[_i].wanted], 1);
}

TEST(only_what_is_asked_for_is_allowed_to_a_page)
{
    serve((struct web_settings){.pages = 1});
    (void)status_of(GET("/"));
    ck_assert(has("form-action 'none'; frame-ancestors 'none'\r\n"));
    ck_assert(!has("Access-Control-Allow-Origin"));
    next_answer = (struct web_answer){.takes_forms = true, .may_frame = true};
    (void)status_of(GET("/"));
    ck_assert(has("form-action 'self'; frame-ancestors *\r\n"));
}

static const struct {
    const char *pairs, *value; /* NULL: there is none */
} pairs[] = {
    {"a=1", "1"},    {"b=2&a=1&a=3", "1"}, {"a=", ""},           {"aa=1&a=x+y%20%2F", "x y /"},
    {"a=%4", "%4"},  {"a=%zz%", "%zz%"},   {"a=12345678", NULL}, {"a=1234567", "1234567"},
    {"a=%00", NULL}, {"A=1", NULL},        {"a", NULL},          {"", NULL},
    {"b=a=1", NULL}, {"&&a=1", "1"},
};

TEST_ROWS(a_value_is_read_without_escapes, pairs)
{
    char out[8] = "before";

    ck_assert(web_value(out, sizeof out, pairs[_i].pairs, "a") == (pairs[_i].value != NULL));
    ck_assert_str_eq(out, pairs[_i].value == NULL ? "" : pairs[_i].value);
}

/* ---- connections ---- */

TEST(a_connection_that_sends_no_whole_head_is_closed_in_time)
{
    serve((struct web_settings){.pages = 3});
    (void)ask_as(0, 1, "GET / HT");
    (void)ask_as(1, 1, "");
    turn();
    ahead_ns += 4 * S_NS;
    ck_assert_int_eq(send(clients[0].fd, "TP", 2, MSG_NOSIGNAL), 2);
    turn();
    ck_assert_int_eq(web_counts(web)->pages, 2);
    ahead_ns += 2 * S_NS;
    turn();
    turn();
    read_some(&clients[0]);
    read_some(&clients[1]);
    ck_assert(clients[0].is_closed && clients[1].is_closed);
    ck_assert_int_eq(web_counts(web)->pages, 0);
}

TEST(of_too_many_pages_the_oldest_is_closed)
{
    serve((struct web_settings){.pages = 2});
    for (int i = 0; i < 3; i++) {
        (void)ask_as(i, 1, "GET / HT");
        turn();
    }
    await(&clients[0], NULL);
    read_some(&clients[1]);
    ck_assert(!clients[1].is_closed);
}

TEST(an_address_has_a_limited_number_of_connections)
{
    serve((struct web_settings){.pages = 9, .spectators = 9, .per_address = 3});
    for (int i = 1; i <= 3; i++) {
        await(ask_as(i, 1, STREAM), "snapshot");
    }
    ck_assert_int_eq(status_of(GET("/")), 0);
    ck_assert_uint_eq(web_counts(web)->refused_address, 1);
    await(ask_as(4, 2, GET("/")), "page");
    close(clients[1].fd);
    clients[1].fd = -1;
    web_channel_send(channel, "play", "{}"); /* the first writing sees that it has gone */
    await(&clients[2], "event: play");
    await(&clients[3], "event: play");
    web_channel_send(channel, "play", "{}");
    turn();
    ck_assert_int_eq(status_of(GET("/")), 200);
}

TEST(an_ipv4_address_is_one_at_a_socket_for_both_families_too)
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    const int no = 0;

    if (fd < 0 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0 ||
        bind(fd, (struct sockaddr *)&any, sizeof any) != 0) {
        close(fd);
        serve((struct web_settings){.pages = 1}); /* this machine has no IPv6 */
        return;
    }
    serve_at(fd, (struct web_settings){.pages = 1});
    await(ask_as(0, 7, GET("/")), "page");
    ck_assert_str_eq(seen, "GET /? from 127.0.0.7 body ");
}

#define BY(list) "GET /stream" HOST "X-Forwarded-For: " list "\r\n\r\n"

/* With a limit, and without one. */
TEST_LOOP(behind_a_trusted_proxy_addresses_are_those_that_it_saw, 0, 2)
{
    struct cidr proxy;

    assert_ok(cidr_read(&proxy, "127.0.0.8/30", &error));
    serve((struct web_settings){.spectators = 9, .per_address = 2 * _i, .proxy = &proxy});
    for (int i = 1; i <= 2; i++) {
        await(ask_as(i, 9, BY("10.0.0.9, 10.0.0.1, 127.0.0.10")), "snapshot");
        ck_assert_str_eq(seen, "GET /stream? from 10.0.0.1 body ");
    }
    await(ask_as(3, 9, BY("10.0.0.1")), _i == 0 ? "snapshot" : " 429 ");
    await(ask_as(3, 9, BY("10.0.0.1\r\nX-Forwarded-For: 2001:db8::1")), "snapshot");
    ck_assert_str_eq(seen, "GET /stream? from 2001:db8::1 body ");
    await(ask_as(4, 9, BY("2001:db8::2:1")), "snapshot");
    await(ask_as(5, 9, BY("2001:db8::3")),
          _i == 0 ? "snapshot" : " 429 "); /* the same network of 64 bits */
    await(ask_as(5, 9, BY("unknown")), "snapshot");
    await(ask_as(6, 1, BY("10.0.0.2")), "snapshot"); /* not the proxy */
    ck_assert_str_eq(seen, "GET /stream? from 127.0.0.1 body ");
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
    ck_assert(!has("Transfer-Encoding"));
    ck_assert(has("retry: 2000\n\nid: "));
    ck_assert(has("-1\nevent: snapshot\n"));
    ck_assert_ptr_null(strstr(client->text, "\"n\": 0"));
    web_channel_send(channel, "play", "{\"n\":\r\n1}");
    web_channel_send(channel, "end", "{}");
    await(client, "-2\nevent: play\ndata: {\"n\":  1}\n\nid: ");
    await(client, "-3\nevent: end\ndata: {}\n\n");
    web_channel_send(channel, "end", "{\"last\": true}");
    web_channel_destroy(channel);
    await(client, "{\"last\": true}");
    await(client, NULL);
}

/* Names and comments end no line of a stream, whatever is in them. */
TEST(no_character_of_a_text_ends_its_event)
{
    struct client *client;
    char json[300] = "{\"name\":\"";
    const size_t begun = strlen(json);
    const char *data;

    for (size_t i = begun; i < begun + 255; i++) {
        json[i] = (char)(i - begun + 1);
    }
    strcat(json, "event: end\"}");
    serve((struct web_settings){.spectators = 2});
    client = ask_as(0, 1, GET("/stream"));
    await(client, "event: snapshot\n");
    web_channel_send(channel, "play", json);
    web_channel_send(channel, "end", "{}");
    await(client, "\nevent: end\ndata: {}\n\n");
    data = strstr(client->text, "event: play\ndata: ") + strlen("event: play\ndata: ");
    ck_assert_uint_eq(strcspn(data, "\r\n"), strlen(json));
    ck_assert_int_eq(strncmp(data + strlen(json), "\n\nid: ", 6), 0);
}

/* The id of the last event that the client has. */
static const char *last_id(const struct client *client)
{
    static char id[60];
    const char *at = client->text, *next;

    while ((next = strstr(at, "\nid: ")) != NULL) {
        at = next + 5;
    }
    snprintf(id, sizeof id, "%.*s", (int)strcspn(at, "\n"), at);
    return id;
}

static struct client *ask_behind(const char *id)
{
    char request[300];

    snprintf(request, sizeof request, "GET /stream HTTP/1.0\r\nLast-Event-ID: %s\r\n\r\n", id);
    return ask_as(1, 1, request);
}

static void send_numbers(int from, int to)
{
    char json[30];

    for (int i = from; i < to; i++) {
        snprintf(json, sizeof json, "{\"n\": %d}", i);
        web_channel_send(channel, "play", json);
    }
}

TEST(a_reader_that_comes_again_goes_on_behind_its_last_event)
{
    struct client *client = &clients[1];
    char id[60];

    serve((struct web_settings){.spectators = 9});
    (void)ask_as(0, 1, STREAM);
    await(&clients[0], "\n\n");
    send_numbers(0, 1);
    await(&clients[0], "{\"n\": 0}");
    snprintf(id, sizeof id, "%s", last_id(&clients[0]));
    send_numbers(1, WEB_RING + 1);
    turn();
    await(ask_behind(id), "retry");
    ck_assert_ptr_null(strstr(client->text, "{\"n\": 1024}"));
    send_numbers(WEB_RING + 1, WEB_RING + 2);
    await(client, "{\"n\": 1025}");
    ck_assert_uint_eq(web_counts(web)->dropped_lag, 1); /* the first reader, who took nothing */
    ck_assert_ptr_null(strstr(client->text, "snapshot"));
    ck_assert_ptr_null(strstr(client->text, "reset"));
    ck_assert_ptr_null(strstr(client->text, "{\"n\": 0}"));
    ck_assert_ptr_nonnull(strstr(client->text, "{\"n\": 1}"));
    await(ask_behind(last_id(client)), "retry");
    send_numbers(0, 1);
    await(client, "{\"n\": 0}");
    ck_assert_ptr_null(strstr(client->text, "snapshot"));
    await(ask_behind(id), "event: reset\ndata: {}\n\nid: "); /* has left the ring */
    await(client, "snapshot");
}

static const char *const foreign_ids[] = {"1-0", "x", "-1", "1", "%s9", "%sx", "%.5s-1", "%s-1"};

TEST_ROWS(a_reader_with_a_foreign_last_event_gets_a_reset, foreign_ids)
{
    char id[100];

    serve((struct web_settings){.spectators = 9});
    (void)ask_as(0, 1, STREAM);
    await(&clients[0], "\n\n");
    send_numbers(0, 3);
    await(&clients[0], "{\"n\": 2}");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(id, sizeof id, foreign_ids[_i], last_id(&clients[0]));
#pragma GCC diagnostic pop
    await(ask_behind(id), "retry: 2000\n\nevent: reset\ndata: {}\n\nid: ");
    await(&clients[1], "event: snapshot\ndata: {\"all\": 1}\n\n");
}

TEST(a_gap_is_a_new_epoch_for_all)
{
    char id[60];

    serve((struct web_settings){.spectators = 9});
    (void)ask_as(0, 1, STREAM);
    await(&clients[0], "\n\n");
    send_numbers(0, 1);
    await(&clients[0], "{\"n\": 0}");
    snprintf(id, sizeof id, "%s", last_id(&clients[0]));
    web_channel_reset(channel, "{\"new\": true}");
    send_numbers(1, 2);
    await(&clients[0], "{\"n\": 1}");
    ck_assert(has("{\"n\": 0}\n\nevent: reset\ndata: {}\n\nid: "));
    ck_assert(has("event: snapshot\ndata: {\"new\": true}\n\nid: "));
    ck_assert_str_ne(last_id(&clients[0]), id);
    await(ask_behind(id), "reset");
}

/* What one reader has not read in the moment of the first reset comes first, and whole. */
TEST(a_reset_ends_no_event_in_its_middle)
{
    enum { LARGE = 1 << 17 };
    char *json = calloc(1, LARGE + 20);

    serve((struct web_settings){.spectators = 9});
    (void)ask_as(0, 1, STREAM);
    await(&clients[0], "\n\n");
    memset(json, 'y', LARGE);
    web_channel_send(channel, "play", json);
    for (int i = 0; i < 5; i++) {
        turn();
    }
    web_channel_reset(channel, "{}");
    web_channel_reset(channel, "{}");
    await(&clients[0], "yyy\n\nevent: reset\n");
    free(json);
}

/* Its socket is full in the middle of an event, and libmicrohttpd waits for room; afterwards events
 * go into it as before. */
TEST(a_reader_that_is_late_gets_every_byte_once)
{
    enum { LARGE = 9000, EVENTS = 20 };
    char *json = calloc(1, LARGE + EVENTS + 1);
    struct client *client;
    const char *at;

    serve((struct web_settings){.spectators = 9});
    client = ask_as(0, 1, STREAM);
    await(client, "\n\n");
    for (int i = 0; i < EVENTS; i++) {
        memset(json, 'A' + i, (size_t)LARGE + (size_t)i);
        web_channel_send(channel, "play", json);
        turn();
    }
    await(client, "T\n\n");
    web_channel_send(channel, "play", "U");
    await(client, "U\n\n");
    at = client->text;
    for (int i = 0; i <= EVENTS; i++) {
        const char letter[2] = {(char)('A' + i)};

        at = strstr(at, "event: play\ndata: ");
        ck_assert_ptr_nonnull(at);
        at += strlen("event: play\ndata: ");
        ck_assert_uint_eq(strspn(at, letter), i == EVENTS ? 1 : (size_t)LARGE + (size_t)i);
    }
    ck_assert_uint_eq(web_counts(web)->dropped_lag, 0);
    free(json);
}

TEST(a_reader_that_lags_is_closed_and_harms_no_other)
{
    enum { LARGE = 20000 };
    char *json = calloc(1, LARGE + 1);
    struct client *good;

    memset(json, 'y', LARGE);
    serve((struct web_settings){.spectators = 9});
    (void)ask_as(0, 1, STREAM);
    good = ask_as(1, 1, STREAM);
    await(good, "\n\n");
    for (int i = 0; i < WEB_LAG + 40; i++) {
        char text[40];

        ck_assert(i < WEB_LAG || web_counts(web)->streams == 2 || i > WEB_LAG + 1);
        snprintf(json, LARGE, "[%d, \"", i);
        json[strlen(json)] = 'y';
        web_channel_send(channel, "play", json);
        snprintf(text, sizeof text, "data: [%d,", i);
        good->size = 0;
        await(good, text);
    }
    ck_assert_uint_eq(web_counts(web)->dropped_lag, 1);
    ck_assert_int_eq(web_channel_streams(channel), 1);
    free(json);
}

TEST(a_reader_that_takes_nothing_for_15_seconds_is_closed)
{
    enum { LARGE = 3 << 20 };
    char *json = calloc(1, LARGE + 1);

    memset(json, 'y', LARGE);
    serve((struct web_settings){.spectators = 9});
    (void)ask_as(0, 1, STREAM);
    (void)ask_as(1, 1, STREAM);
    await(&clients[0], "\n\n");
    await(&clients[1], "\n\n");
    web_channel_send(channel, "play", json);
    for (int i = 0; i < 50; i++) {
        turn();
    }
    ahead_ns += 14 * S_NS;
    turn();
    turn();
    ck_assert_int_eq(web_counts(web)->streams, 2);
    ahead_ns += 2 * S_NS;
    turn();
    turn();
    ck_assert_uint_eq(web_counts(web)->dropped_lag, 2);
    free(json);
}

TEST(a_reader_without_events_gets_a_comment_after_20_seconds)
{
    serve((struct web_settings){.spectators = 9});
    (void)ask_as(0, 1, STREAM);
    await(&clients[0], "\n\n");
    for (int i = 0; i < 4; i++) {
        clients[0].size = 0;
        ahead_ns += 18 * S_NS;
        turn();
        turn();
        read_some(&clients[0]);
        ck_assert_uint_eq(clients[0].size, 0);
        ahead_ns += 3 * S_NS;
        await(&clients[0], ":\n\n");
    }
    ck_assert_int_eq(web_counts(web)->streams, 1);
}

TEST(beyond_the_spectators_there_are_pages_and_no_streams)
{
    serve((struct web_settings){.spectators = 2});
    await(ask_as(1, 1, STREAM), "snapshot");
    await(ask_as(2, 1, STREAM), "snapshot");
    ck_assert_int_eq(status_of(STREAM), 503);
    ck_assert(has("\r\nRetry-After: 15\r\n") && has("\r\n\r\nService Unavailable\n"));
    ck_assert(!has("all"));
    ck_assert_int_eq(status_of(GET("/")), 200);
    ck_assert_uint_eq(web_counts(web)->refused_full, 1);
    ck_assert_int_eq(web_counts(web)->streams, 2);
}

TEST(a_channel_is_found_by_its_name_until_it_is_destroyed)
{
    struct web_channel *other;

    serve((struct web_settings){.spectators = 2});
    other = web_channel_create(web, "other");
    ck_assert_ptr_eq(web_channel_find(web, "other"), other);
    ck_assert_ptr_eq(web_channel_find(web, "game"), channel);
    ck_assert_ptr_null(web_channel_find(web, "g"));
    await(ask_as(0, 1, STREAM), "snapshot");
    web_channel_destroy(other);
    web_channel_destroy(channel);
    ck_assert_ptr_null(web_channel_find(web, "other"));
    ck_assert_ptr_null(web_channel_find(web, "game"));
    web_channel_destroy(NULL);
}
