/* Connecting by address and by name, and what fails. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmd/tcp_dial.h"
#include "support/suite.h"

enum { PATIENCE_MS = 20000 };

/* A name with two addresses. No machine is asked for it, and no hosts file has to have it. */
#define NAMED "bots.example"

static int listener;
static int port;

static struct sockaddr_in named_at[2];
static struct addrinfo named[2];

int __real_getaddrinfo(const char *host, const char *service, const struct addrinfo *wanted,
                       struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *wanted,
                       struct addrinfo **found);
void __real_freeaddrinfo(struct addrinfo *found);
void __wrap_freeaddrinfo(struct addrinfo *found);

int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *wanted,
                       struct addrinfo **found)
{
    if (strcmp(host, NAMED) != 0) {
        return __real_getaddrinfo(host, service, wanted, found);
    }
    if ((wanted->ai_flags & AI_NUMERICHOST) != 0) {
        return EAI_NONAME;
    }
    *found = named;
    return 0;
}

void __wrap_freeaddrinfo(struct addrinfo *found)
{
    if (found != named) {
        __real_freeaddrinfo(found);
    }
}

/* Nobody listens at the first address of NAMED; this test does at the second. */
static void name_here(void)
{
    static const char *const addresses[] = {"127.0.0.2", "127.0.0.1"};

    for (int i = 0; i < 2; i++) {
        named_at[i] =
            (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        ck_assert_int_eq(inet_pton(AF_INET, addresses[i], &named_at[i].sin_addr), 1);
        named[i] = (struct addrinfo){.ai_family = AF_INET,
                                     .ai_socktype = SOCK_STREAM,
                                     .ai_addrlen = sizeof named_at[i],
                                     .ai_addr = (struct sockaddr *)&named_at[i],
                                     .ai_next = i == 0 ? &named[1] : NULL};
    }
}

static void listen_here(void)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof own;

    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&own, sizeof own), 0);
    ck_assert_int_eq(listen(listener, 5), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&own, &size), 0);
    port = ntohs(own.sin_port);
    name_here();
}

static void close_here(void)
{
    close(listener);
}

/* At the port of this test. */
static struct tcp_dial *open_dial(const char *host)
{
    char endpoint[300];
    struct tcp_dial *dial = NULL;

    snprintf(endpoint, sizeof endpoint, "tcp://%s:%d", host, port);
    assert_ok(tcp_dial_open(&dial, endpoint, &error));
    return dial;
}

/* Goes on until it is connected or has failed. */
static enum tcp_dial_news end_of(int *fd, struct tcp_dial *dial, struct bg_error *err)
{
    enum tcp_dial_news news;

    while ((news = tcp_dial_go_on(fd, dial, 1, err)) == TCP_DIAL_WAITS) {
        struct pollfd wait = {.fd = -1};

        wait.fd = tcp_dial_fd(dial, &wait.events);
        ck_assert_int_ge(wait.fd, 0);
        ck_assert_int_eq(poll(&wait, 1, PATIENCE_MS), 1);
    }
    return news;
}

static void expect_connected(const char *host)
{
    struct tcp_dial *dial = open_dial(host);
    char byte = 'a';
    int fd = -1, other;

    ck_assert_int_eq(end_of(&fd, dial, &error), TCP_DIAL_CONNECTED);
    tcp_dial_close(dial); /* the descriptor is the caller's */
    other = accept(listener, NULL, NULL);
    ck_assert_int_ge(other, 0);
    ck_assert_int_eq(send(fd, &byte, 1, 0), 1);
    byte = 'b';
    ck_assert_int_eq(recv(other, &byte, 1, 0), 1);
    ck_assert_int_eq(byte, 'a');
    ck_assert_int_lt(recv(fd, &byte, 1, 0), 0); /* it does not wait */
    close(fd);
    close(other);
}

TEST(an_address_is_connected)
{
    expect_connected("127.0.0.1");
}

TEST(a_name_is_looked_up_and_each_of_its_addresses_tried)
{
    expect_connected(NAMED);
}

TEST(nobody_at_the_address_is_a_failure_with_its_reason)
{
    struct tcp_dial *dial;
    int fd = -1;

    close(listener);
    dial = open_dial("127.0.0.1");
    ck_assert_int_eq(end_of(&fd, dial, &error), TCP_DIAL_FAILED);
    ck_assert_str_eq(error.text, "127.0.0.1: Connection refused");
    ck_assert_int_eq(fd, -1);
    tcp_dial_close(dial);
}

/* It is none without a question to another machine. */
TEST(a_name_that_is_none_is_a_failure_with_its_reason)
{
    struct tcp_dial *dial = open_dial("no..host");
    int fd = -1;

    ck_assert_int_eq(end_of(&fd, dial, &error), TCP_DIAL_FAILED);
    ck_assert_ptr_eq(strstr(error.text, "no..host: "), error.text);
    ck_assert_uint_gt(strlen(error.text), strlen("no..host: "));
    tcp_dial_close(dial);
}

TEST(an_address_that_does_not_answer_is_given_up)
{
    struct tcp_dial *dial;
    int fd = -1, first = -1, waiting[64], count = 0;

    ck_assert_int_eq(listen(listener, 0), 0); /* once it is full, the kernel does not answer */
    while (count < 64 && first == -1) {
        struct tcp_dial *one = open_dial("127.0.0.1");
        struct pollfd wait = {.fd = tcp_dial_fd(one, &wait.events)};

        (void)tcp_dial_go_on(&first, one, 1, &error);
        wait.fd = tcp_dial_fd(one, &wait.events);
        if (first >= 0 || poll(&wait, 1, 200) == 1) {
            ck_assert(first >= 0 || end_of(&first, one, &error) == TCP_DIAL_CONNECTED);
            waiting[count++] = first;
            first = -1;
            tcp_dial_close(one);
            continue;
        }
        dial = one;
        ck_assert_int_eq(tcp_dial_go_on(&fd, dial, 1 + TCP_DIAL_MOST_NS, &error), TCP_DIAL_WAITS);
        ck_assert_int_eq(tcp_dial_go_on(&fd, dial, 2 + TCP_DIAL_MOST_NS, &error), TCP_DIAL_FAILED);
        ck_assert_str_eq(error.text, "127.0.0.1: Connection timed out");
        tcp_dial_close(dial);
        first = -2;
    }
    ck_assert_int_eq(first, -2);
    while (count > 0) {
        close(waiting[--count]);
    }
}

TEST(a_look_up_that_nobody_waits_for_ends_by_itself)
{
    for (int i = 0; i < 20; i++) {
        struct tcp_dial *dial = open_dial(NAMED);
        short events = 0;

        ck_assert_int_ge(tcp_dial_fd(dial, &events), 0);
        ck_assert_int_eq(events, POLLIN);
        tcp_dial_close(dial);
    }
}

static const char *const other_forms[] = {
    "127.0.0.1:5555",   "tcp://127.0.0.1",       "ipc:///tmp/x", "tcp://:5555", "",
    "tcp://127.0.0.1:", "tcp://127.0.0.1:65536", "tcp://[]:1",   "tcp:/",
};

TEST_ROWS(another_form_is_refused, other_forms)
{
    struct tcp_dial *dial = NULL;
    enum bg_status status = tcp_dial_open(&dial, other_forms[_i], &error);

    ck_assert_int_eq(status, BG_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(error.text, "is not an address like tcp://"));
}

SUITE_FIXTURE(listen_here, close_here)
