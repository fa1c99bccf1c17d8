/* nats.h - a connection to a NATS server, as a part of the loop.
 *
 * libnats has threads of its own; what they get goes into a queue, and all functions given here are
 * called on the loop's thread. Nothing waits, but nats_open. A lost connection comes back by
 * itself: subscriptions go on, what is published meanwhile is an error (BG_E_TIMEOUT), and open
 * requests end without an answer. Not implemented yet: over libnats,
 * loaded with the first connection.
 */
#ifndef MACHINES_NATS_NATS_H
#define MACHINES_NATS_NATS_H

#include "loop/loop.h"

struct nats;

/* The server takes no larger message (its max_payload is 1 MiB as shipped). */
enum { NATS_MESSAGE_MOST = 900 * 1024 };

struct nats_setup {
    const char *urls; /* "nats://HOST:PORT[,URL ...]" or tls://; all lent for the call */
    const char *key;  /* file with an nkey seed, 0600; "" none */
    const char *ca;   /* file with the certificate that signs the server's; "" the system's */
    const char *name; /* of this side, [A-Za-z0-9_-]: shown by the server, and the inbox's prefix
                         is "_INBOX_NAME" */
    int64_t wait_ns;  /* how long an unreachable server is waited for */
    bool tells;       /* says so on standard error each 5 s */
    struct loop *loop;
    /* The connection was lost (why says how), or is back. May be NULL. */
    void (*changed)(void *user, bool is_connected, const char *why);
    void *user;
};

struct nats_message {
    const char *subject, *reply; /* reply "" none */
    const void *bytes;
    size_t size;
    int status; /* of a message of the server's own: 404, 408, 503, ...; 0: a message */
};

typedef void (*nats_fn)(void *user, const struct nats_message *message); /* lent */

/* Connects. BG_E_TIMEOUT: nobody answers; BG_E_LINK: TLS fails; BG_E_REFUSED: the key is not known;
 * BG_E_ARGUMENT: a wrong URL or key file, plain text beyond loopback, or a build without NATS. */
enum bg_status nats_open(struct nats **out, const struct nats_setup *setup, struct bg_error *err);
void nats_close(struct nats *nats); /* NULL is fine */

bool nats_is_connected(const struct nats *nats);
/* The server as messages name it: "HOST:PORT". Lent. */
const char *nats_server(const struct nats *nats);
/* The last right that the server refused ("publish SUBJECT"), or "". A request without an answer
 * may have that reason. Lent until the next turn of the loop. */
const char *nats_refused(const struct nats *nats);

/* Calls fn for every message of a subject (wildcards as in NATS). */
enum bg_status nats_subscribe(struct nats *nats, const char *subject, nats_fn fn, void *user,
                              struct bg_error *err);

/* Publishes. id: the header Nats-Msg-Id; NULL none. BG_E_TIMEOUT: not connected; BG_E_ARGUMENT: too
 * large. */
enum bg_status nats_publish(struct nats *nats, const char *subject, const char *id,
                            const void *bytes, size_t size, struct bg_error *err);

/* Publishes, and calls fn once: with the answer, or with NULL if none came in time, or could not
 * be sent. fn is called later, never inside of this call. */
void nats_request(struct nats *nats, const char *subject, const char *id, const void *bytes,
                  size_t size, int64_t timeout_ns, nats_fn fn, void *user);

/* The same, for several answers: fn is called for each until the time is over, then with NULL. */
void nats_collect(struct nats *nats, const char *subject, const void *bytes, size_t size,
                  int64_t timeout_ns, nats_fn fn, void *user);

/* Forgets the user's open requests and subscriptions. */
void nats_forget(struct nats *nats, const void *user);

#endif
