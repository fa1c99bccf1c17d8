/* getaddrinfo() blocks, for many seconds where a name server does not answer, and has no way to be
 * ended. So a name is looked up by a thread of its own that belongs to the look-up, not to the
 * dial: a dial that is given up leaves it behind, and the last of the two frees it. Numeric
 * addresses need no thread.
 *
 * Addresses are tried one after another, in the order that the system prefers (RFC 6724), each
 * for TCP_DIAL_MOST_NS. */
#define _GNU_SOURCE
#include "tcp_dial.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door/tcp_listen.h"
#include "base/memory.h"

enum { PORT = 8 };

/* A look-up outlives a dial that is given up: whoever releases it last frees it. */
struct tcp_dial_lookup {
    char host[TCP_ADDRESS_HOST], port[PORT];
    int done; /* an eventfd, readable when it is over */
    int error;
    struct addrinfo *found; /* owned */
    atomic_int owners;
};

struct tcp_dial {
    struct tcp_dial_lookup *lookup; /* held */
    const struct addrinfo *at;      /* the address that is tried, or NULL: it is looked up */
    bool is_found;                  /* the look-up is over */
    int fd;                         /* -1 none */
    int64_t since_ns;               /* it is tried since then; 0: not yet known */
    int error;                      /* errno of the last address */
};

static void release(struct tcp_dial_lookup *lookup)
{
    if (atomic_fetch_sub(&lookup->owners, 1) > 1) {
        return;
    }
    if (lookup->found != NULL) {
        freeaddrinfo(lookup->found);
    }
    close(lookup->done);
    free(lookup);
}

static void look_up(struct tcp_dial_lookup *lookup, int flags)
{
    const struct addrinfo wanted = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | flags};

    lookup->error = getaddrinfo(lookup->host, lookup->port, &wanted, &lookup->found);
}

static void *look_up_aside(void *user)
{
    struct tcp_dial_lookup *lookup = user;

    /* No IPv6 address where the machine has none: each try would cost its whole time. */
    look_up(lookup, AI_ADDRCONFIG);
    (void)eventfd_write(lookup->done, 1);
    release(lookup);
    return NULL;
}

/* The thread takes no signal: those are the caller's. */
static enum bg_status start_thread(struct tcp_dial_lookup *lookup, struct bg_error *err)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int error;

    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    atomic_fetch_add(&lookup->owners, 1);
    error = pthread_create(&thread, &attributes, look_up_aside, lookup);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        atomic_fetch_sub(&lookup->owners, 1);
        return bg_error_set(err, BG_E_SYSTEM, "look up %s: %s", lookup->host, strerror(error));
    }
    return BG_OK;
}

/* An address is known at once. */
static enum bg_status begin_lookup(struct tcp_dial *dial, struct bg_error *err)
{
    struct tcp_dial_lookup *lookup = dial->lookup;

    look_up(lookup, AI_NUMERICHOST);
    /* AI_NUMERICHOST says so for every name. */
    if (lookup->error == EAI_NONAME) {
        return start_thread(lookup, err);
    }
    (void)eventfd_write(lookup->done, 1);
    return BG_OK;
}

static struct tcp_dial_lookup *lookup_create(const char *endpoint)
{
    struct tcp_dial_lookup *lookup = memory_zeroed(1, sizeof *lookup);
    const char *port = "";

    atomic_init(&lookup->owners, 1);
    lookup->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (lookup->done < 0 || !tcp_address_cut(lookup->host, &port, endpoint) ||
        snprintf(lookup->port, sizeof lookup->port, "%s", port) >= (int)sizeof lookup->port) {
        lookup->host[0] = '\0';
    }
    return lookup;
}

enum bg_status tcp_dial_open(struct tcp_dial **out, const char *endpoint, struct bg_error *err)
{
    struct tcp_dial *dial = memory_zeroed(1, sizeof *dial);
    struct tcp_dial_lookup *lookup = lookup_create(endpoint);
    enum bg_status status = BG_OK;

    if (lookup->done < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "eventfd: %s", strerror(errno));
    } else if (lookup->host[0] == '\0') {
        status = bg_error_set(err, BG_E_CONFIG,
                              "%.160s is not an address like tcp://bg.example.org:5555", endpoint);
    } else {
        dial->lookup = lookup;
        dial->fd = -1;
        status = begin_lookup(dial, err);
    }
    if (status != BG_OK) {
        free(dial);
        release(lookup);
        return status;
    }
    *out = dial;
    return BG_OK;
}

void tcp_dial_close(struct tcp_dial *dial)
{
    if (dial != NULL) {
        if (dial->fd >= 0) {
            close(dial->fd);
        }
        release(dial->lookup);
        free(dial);
    }
}

/* Begins to connect to the present address. Returns false with dial->error. */
static bool try_address(struct tcp_dial *dial, int64_t now_ns)
{
    const int yes = 1;

    dial->since_ns = now_ns;
    dial->fd = socket(dial->at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (dial->fd >= 0) {
        /* An answer is small, and a clock waits for it. */
        (void)setsockopt(dial->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (connect(dial->fd, dial->at->ai_addr, dial->at->ai_addrlen) == 0 ||
            errno == EINPROGRESS) {
            return true;
        }
    }
    dial->error = errno;
    return false;
}

static void next_address(struct tcp_dial *dial)
{
    if (dial->fd >= 0) {
        close(dial->fd);
        dial->fd = -1;
    }
    dial->at = dial->at->ai_next;
}

/* Returns whether the connection stands, or has failed with dial->error; false: neither yet. */
static bool dial_has_ended(struct tcp_dial *dial, int64_t now_ns)
{
    struct pollfd fd = {dial->fd, POLLOUT, 0};
    socklen_t size = sizeof dial->error;

    if (poll(&fd, 1, 0) > 0) {
        /* The result of a connect that was in progress; reading it also clears it. */
        if (getsockopt(dial->fd, SOL_SOCKET, SO_ERROR, &dial->error, &size) != 0) {
            dial->error = errno;
        }
        /* Nobody who listens not resets a line that stood: what was said before can be read. */
        dial->error = dial->error == ECONNRESET || dial->error == EPIPE ? 0 : dial->error;
        return true;
    }
    dial->error = ETIMEDOUT;
    return now_ns - dial->since_ns > TCP_DIAL_MOST_NS;
}

static enum tcp_dial_news failed(const struct tcp_dial *dial, struct bg_error *err)
{
    const struct tcp_dial_lookup *lookup = dial->lookup;

    (void)bg_error_set(err, BG_E_LINK, "%s: %s", lookup->host,
                       lookup->error != 0 ? gai_strerror(lookup->error) : strerror(dial->error));
    return TCP_DIAL_FAILED;
}

enum tcp_dial_news tcp_dial_go_on(int *fd, struct tcp_dial *dial, int64_t now_ns,
                                  struct bg_error *err)
{
    eventfd_t done;

    if (!dial->is_found) {
        if (eventfd_read(dial->lookup->done, &done) != 0) {
            return TCP_DIAL_WAITS;
        }
        dial->is_found = true;
        dial->at = dial->lookup->error == 0 ? dial->lookup->found : NULL;
    }
    while (dial->at != NULL) {
        bool is_tried = dial->fd >= 0 || try_address(dial, now_ns);

        if (is_tried && !dial_has_ended(dial, now_ns)) {
            return TCP_DIAL_WAITS;
        }
        if (is_tried && dial->error == 0) {
            *fd = dial->fd;
            dial->fd = -1;
            return TCP_DIAL_CONNECTED;
        }
        next_address(dial);
    }
    return failed(dial, err);
}

int tcp_dial_fd(const struct tcp_dial *dial, short *events)
{
    *events = dial->is_found ? POLLOUT : POLLIN;
    return dial->is_found ? dial->fd : dial->lookup->done;
}
