/* jetstream.h - streams of a NATS server and their consumers, by the server's own requests.
 *
 * Each function sends one request and calls fn once, later, with the answer.
 */
#ifndef MACHINES_NATS_JETSTREAM_H
#define MACHINES_NATS_JETSTREAM_H

#include <jansson.h>

#include "nats.h"

/* Codes of the server that callers tell apart. */
enum {
    JETSTREAM_SILENT = -1, /* no answer in time: lost, or not permitted (nats_refused) */
    JETSTREAM_OFF = 503,   /* the server has no JetStream */
    JETSTREAM_NO_SPACE = 10047,
    JETSTREAM_NO_STREAM = 10059,
    JETSTREAM_NO_CONSUMER = 10014,
    JETSTREAM_OTHER = 10058, /* a stream of this name has other settings */
    JETSTREAM_FULL = 10077   /* the stream is full; or, of a work queue, has the item */
};

struct jetstream_answer {
    int code;           /* 0: done; else as above or another one of the server */
    const char *text;   /* the server's own words; "" none */
    bool is_double;     /* put: the server has the message already */
    uint64_t messages;  /* look: in the stream, also those that a consumer has not confirmed */
    const json_t *json; /* the whole answer; NULL none */
};

typedef void (*jetstream_fn)(void *user, const struct jetstream_answer *answer); /* lent */

struct jetstream_stream {
    const char *name, *subjects; /* one pattern */
    bool one_each;               /* at most one message a subject; a second one is refused */
    int64_t most_bytes;          /* reserved; 0: no limit */
    int64_t doubles_ns;          /* how long message ids are remembered */
    int replicas;                /* 0 counts as 1 */
};

/* A work queue in files that refuses what it has no room for. One that exists and is equal is
 * fine. */
void jetstream_add(struct nats *nats, const struct jetstream_stream *stream, jetstream_fn fn,
                   void *user);
void jetstream_drop(struct nats *nats, const char *stream, jetstream_fn fn, void *user);
/* How many messages it has; subjects: a pattern whose subjects are listed in answer->json at
 * state.subjects, with the number of messages; NULL none. */
void jetstream_look(struct nats *nats, const char *stream, const char *subjects, jetstream_fn fn,
                    void *user);

struct jetstream_consumer {
    const char *stream, *name;
    const char *filter;         /* "" all */
    int64_t wait_ns;            /* what is not confirmed within it is given out again */
    int most_open, most_asking; /* messages unconfirmed (-1 any), and pulls waiting; 0: as the
                                   server likes */
};

/* A pull consumer with explicit confirmation, and any number of deliveries. */
void jetstream_consume(struct nats *nats, const struct jetstream_consumer *consumer,
                       jetstream_fn fn, void *user);
void jetstream_drop_consumer(struct nats *nats, const char *stream, const char *name,
                             jetstream_fn fn, void *user);

/* Publishes a message that the stream confirms. */
void jetstream_put(struct nats *nats, const char *subject, const char *id, const void *bytes,
                   size_t size, int64_t timeout_ns, jetstream_fn fn, void *user);

/* Asks for up to batch messages within wait_ns: fn is called for each, with the subject to confirm
 * it in `reply`; then once with NULL. */
void jetstream_pull(struct nats *nats, const char *stream, const char *consumer, int batch,
                    int64_t wait_ns, nats_fn fn, void *user);
/* How often the message has been given out, from 1, by its reply. 0: not such a reply. */
uint64_t jetstream_delivery(const char *reply);

/* Confirms a message; asks for more time; gives it back, for delivery after delay_ns. */
void jetstream_done(struct nats *nats, const char *reply);
void jetstream_working(struct nats *nats, const char *reply);
void jetstream_back(struct nats *nats, const char *reply, int64_t delay_ns);

#endif
