/* The author's side of a connection and the connection to the referee are two things that end at
 * different times. A relay that is over (is_over) has none to the referee any more, and its
 * connection lives on for the last message; so everything that is said is said before relay_end(),
 * and nothing after it.
 *
 * A bot that connects by itself understands Goodbye only; `bgref join` also notes (GATEWAY_NOTE)
 * and an empty message, which is "this start has ended, begin again". Which of both comes is
 * written in the identity that it gave in its handshake: nothing is let in by that, so it needs
 * no proof.
 *
 * No libzmq on the referee's side, since one of its sockets has a thread and buffers of its own for
 * what is one Unix socket; ZMTP with the mechanism NULL is a greeting, a READY and frames (zmtp.h).
 * To the referee this connection looks like that of any local bot. */
#define _GNU_SOURCE
#include "relay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "gateway.h"

enum { INPUT = 64 * 1024 };

/* ------------------------------------------------------------------------ the local connection */

/* Called for each message of the referee. Returns false to end the reading. */
typedef bool (*message_fn)(void *user, const void *data, size_t size);

static const char SCHEME[] = "ipc://";

static void close_local(struct relay_local *local)
{
    if (local->fd >= 0) {
        close(local->fd);
        zmtp_reader_deinit(&local->reader);
    }
    backlog_deinit(&local->backlog);
    free(local->first);
    *local = (struct relay_local){.fd = -1};
}

static bool connect_to(int fd, const char *endpoint)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = endpoint + strlen(SCHEME);

    if (strncmp(endpoint, SCHEME, strlen(SCHEME)) != 0 || strlen(path) >= sizeof address.sun_path) {
        return false;
    }
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

/* Connects. first: sent as soon as the referee listens; copied. Returns false if nobody listens at
 * this endpoint ("ipc:///..."). */
static bool connect_local(struct relay_local *local, const char *endpoint, const void *first,
                          size_t first_size, size_t message_max)
{
    uint8_t hail[ZMTP_GREETING + ZMTP_WRITTEN];

    *local = (struct relay_local){.fd = -1};
    local->first = malloc(first_size + 1);
    /* connect() of a local socket succeeds at once, or fails: non-blocking is for the bytes
     * behind it. */
    local->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (local->first == NULL || local->fd < 0) {
        close_local(local);
        return false;
    }
    zmtp_reader_init(&local->reader, message_max);
    memcpy(local->first, first, first_size);
    local->first_size = first_size;
    zmtp_greeting(hail);
    if (!connect_to(local->fd, endpoint) ||
        backlog_send(&local->backlog, local->fd, NULL, 0, hail,
                     /* In one go, without waiting for the other side's greeting: with the
                      * mechanism NULL nothing of ours depends on it, and a start is one round
                      * shorter. */
                     ZMTP_GREETING + zmtp_ready(hail + ZMTP_GREETING, "DEALER"), 0) != BG_OK) {
        close_local(local);
        return false;
    }
    return true;
}

/* Keeps a message, which is sent with the next flush_local. Returns false if the referee does not
 * take what came before. */
static bool send_local(struct relay_local *local, const void *data, size_t size)
{
    uint8_t head[ZMTP_HEAD];

    /* Before READY nothing may be sent; the bot's Hello waits in `first`, and what comes
     * behind it before that ends the connection: a bot waits for its Welcome. */
    return local->is_ready && local->backlog.size <= RELAY_UNSENT &&
           backlog_keep(&local->backlog, head, zmtp_head(head, size, false), 0) == BG_OK &&
           backlog_keep(&local->backlog, data, size, 0) == BG_OK;
}

/* Returns false if the connection has ended. */
static bool flush_local(struct relay_local *local)
{
    return backlog_flush(&local->backlog, local->fd, 0) == BG_OK;
}

static bool send_first(struct relay_local *local)
{
    bool sent;

    /* From the other side's READY on: ZMTP allows no message before the handshake is complete. */
    local->is_ready = true;
    sent = send_local(local, local->first, local->first_size) && flush_local(local);
    free(local->first);
    local->first = NULL;
    return sent;
}

static bool pong(struct relay_local *local, const struct zmtp_item *item)
{
    uint8_t reply[ZMTP_WRITTEN];

    return backlog_send(&local->backlog, local->fd, NULL, 0, reply,
                        zmtp_pong(reply, item->data, item->size), 0) == BG_OK;
}

/* The descriptor can be read or written: reads what is there. Returns false if the connection has
 * ended or fn returned false. */
static bool serve_local(struct relay_local *local, message_fn fn, void *user)
{
    static uint8_t input[INPUT]; /* one thread; used only within this call */
    const uint8_t *at = input;
    struct zmtp_item item;
    ssize_t size;
    bool goes_on = flush_local(local);

    size = recv(local->fd, input, sizeof input, MSG_DONTWAIT);
    if (size <= 0) {
        return goes_on && size < 0 && (errno == EAGAIN || errno == EINTR);
    }
    for (;;) {
        switch (zmtp_read(&item, &local->reader, &at, input + size)) {
        case ZMTP_MORE:
            return goes_on;
        case ZMTP_READY:
            goes_on = send_first(local) && goes_on;
            break;
        case ZMTP_MESSAGE:
            if (!fn(user, item.data, item.size)) {
                return false;
            }
            break;
        case ZMTP_PING:
            goes_on = pong(local, &item) && goes_on;
            break;
        case ZMTP_PONG:
            break;
        /* The referee sends single frames only. */
        case ZMTP_DROPPED:
        case ZMTP_BROKEN:
            return false;
        }
    }
}

/* ------------------------------------------------------------------------ to the remote bot */

static void end_local(struct relay *relay)
{
    (void)watched_end(&relay->watched, relay->common->peers->epoll);
    close_local(&relay->local);
}

static void say_left(struct relay *relay, const char *why, bool is_unheard)
{
    inside_send_place(inside_own(), INSIDE__KIND__LEFT, relay->bot->name, is_unheard, why,
                      relay->endpoint[0] == '\0' ? "-" : relay->endpoint);
}

void relay_end(struct relay *relay, const char *why)
{
    /* The local connection was made, and its handshake not complete: the referee never got the
     * Hello, and waits there for the next one. */
    const bool is_unheard = relay->local.fd >= 0 && relay->local.first != NULL;

    /* A host that lends says itself who may go there: the next one may have another key. */
    if (is_unheard && !relay->common->lends && relay->bot->endpoint[0] == '\0') {
        snprintf(relay->bot->endpoint, sizeof relay->bot->endpoint, "%s", relay->endpoint);
    }
    if (relay->has_begun && !relay->is_over) {
        say_left(relay, why, is_unheard);
    }
    relay->is_over = true;
    end_local(relay);
    free(relay->first);
    relay->first = NULL;
    peer_flush(relay->peer);
    peer_finish(relay->peer);
}

static size_t joiner_size(void)
{
    return strlen(GATEWAY_JOINER);
}

bool relay_is_joiner(const struct relay *relay)
{
    const struct curve *curve = &relay->peer->curve;

    return curve->identity_size > joiner_size() &&
           memcmp(curve->identity, GATEWAY_JOINER, joiner_size()) == 0;
}

static size_t write_note(char note[GATEWAY_NOTE_BYTES], const char *word, const char *text)
{
    int size = snprintf(note, GATEWAY_NOTE_BYTES, "%c%s %s", '@', word, text);

    /* The byte is no first byte of a message of bgref.v1, so a joiner tells notes from messages
     * without reading them. */
    note[0] = GATEWAY_NOTE;
    return size < GATEWAY_NOTE_BYTES ? (size_t)size : GATEWAY_NOTE_BYTES - 1;
}

void relay_owe_note(const struct relay *relay, const char *word, const char *text)
{
    char note[GATEWAY_NOTE_BYTES];

    if (relay_is_joiner(relay) && !relay->is_over) {
        peer_owe(relay->peer, note, write_note(note, word, text));
        peer_flush(relay->peer);
    }
}

void relay_try_note(const struct relay *relay, const char *word, const char *text)
{
    char note[GATEWAY_NOTE_BYTES];

    if (relay_is_joiner(relay) && !relay->is_over &&
        peer_send(relay->peer, note, write_note(note, word, text))) {
        peer_flush(relay->peer);
    }
}

void relay_note_if_lends(const struct relay *relay, const char *word, const char *text)
{
    if (relay->common->lends) {
        relay_owe_note(relay, word, text);
    }
}

typedef enum bg_status (*goodbye_fn)(struct wire_buffer *, const char *, struct bg_error *);

static void say_goodbye(struct relay *relay, const char *why, goodbye_fn pack)
{
    struct wire_buffer *buffer = &relay->common->buffer;

    /* Where several events share the gateway an event's Goodbye does not end the stay; this one
     * does. */
    relay_note_if_lends(relay, GATEWAY_LEAVE, "");
    if (!relay->is_over && pack(buffer, why, NULL) == BG_OK) {
        peer_owe(relay->peer, buffer->data, buffer->size);
    }
}

void relay_dismiss(struct relay *relay, const char *why)
{
    say_goodbye(relay, why, wire_pack_goodbye);
    relay_end(relay, why);
}

void relay_tell_end(const struct relay *relay)
{
    char note[INSIDE_TEXT + 24];

    if (relay->common->ends[0] == '\0') {
        return;
    }
    if (relay->common->back_s < 0) {
        relay_owe_note(relay, GATEWAY_SAY, relay->common->ends);
        relay_owe_note(relay, GATEWAY_LEAVE, "");
    } else {
        relay_owe_note(relay, GATEWAY_STAY, "");
        snprintf(note, sizeof note, "%" PRId64 " %s", relay->common->back_s, relay->common->ends);
        relay_owe_note(relay, GATEWAY_ENDS, note);
    }
}

void relay_replace(struct relay *relay)
{
    static const char why[] = "replaced: this key has connected again";

    say_goodbye(relay, why, wire_pack_replaced);
    relay_end(relay, why);
}

/* A message of no bytes tells a joiner to start again. A bot that has connected by itself knows
 * none: its line ends. */
static void end_start_because(struct relay *relay, const char *why)
{
    if (relay_is_joiner(relay) && !relay->is_over) {
        peer_owe(relay->peer, "", 0);
    }
    relay_end(relay, why);
}

/* Whether the end of a relay is a Goodbye: there is nothing to start again for. While games of a
 * host that ends for good still run, a joiner may come again. */
static bool ends_for_good(const struct relay *relay)
{
    const struct relay_common *common = relay->common;

    return common->ends[0] != '\0' &&
           (!relay_is_joiner(relay) || (common->is_closing && common->back_s < 0));
}

/* Whose line is lost, or who does not read, has ended its start itself: it counts. */
void relay_end_start(struct relay *relay)
{
    /* The referee has ended this start, not its author: it counts against no limit. */
    if (!relay->is_over && !relay->is_unread && relay->peer->watched.fd >= 0) {
        remote_bot_forgive(relay->bot);
    }
    if (ends_for_good(relay)) {
        relay_dismiss(relay, relay->common->ends);
    } else {
        end_start_because(relay, "the referee has ended this session");
    }
}

/* Its key has come too often. An ERROR in the handshake would be no cheaper, and a client on libzmq
 * never tries again after one; this one starts again, later each time. */
void relay_send_away(struct relay *relay)
{
    static const char why[] =
        "too many connections of this key in a minute; the host takes it again in a few seconds";

    /* A bot by itself knows no pause: its line ends with the reason. */
    if (!relay_is_joiner(relay)) {
        relay_dismiss(relay, why);
        return;
    }
    relay_owe_note(relay, GATEWAY_SAY, why);
    end_start_because(relay, why);
}

static bool pass_to_remote(void *user, const void *data, size_t size)
{
    struct relay *relay = user;

    /* Kept, because relay_end_start() has to know later whose fault the end is. */
    relay->is_unread = !peer_send(relay->peer, data, size);
    return !relay->is_unread;
}

int relay_place(const struct relay *relay)
{
    int place = relay_is_joiner(relay) ? relay->peer->curve.identity[joiner_size()] - '0' : 0;

    return place >= 0 && place < GATEWAY_AT_ONCE ? place : 0;
}

bool relay_is_same_run(const struct relay *one, const struct relay *other)
{
    const struct curve *x = &one->peer->curve, *y = &other->peer->curve;
    size_t at = joiner_size() + GATEWAY_RUN_AT;

    return relay_is_joiner(one) && relay_is_joiner(other) && x->identity_size >= at + GATEWAY_RUN &&
           y->identity_size >= at + GATEWAY_RUN &&
           /* The same run of a joiner comes again after its line was lost: that is no second
            * program. */
           memcmp(x->identity + at, y->identity + at, GATEWAY_RUN) == 0;
}

void relay_let_wait(struct relay *relay, int64_t wait_ns, const char *why)
{
    char text[256];

    /* Rounded up: who comes in the last second would be sent away once more. */
    snprintf(text, sizeof text, "%d %s", (int)((wait_ns + 999999999) / 1000000000), why);
    relay_owe_note(relay, GATEWAY_WAIT, text);
    if (relay_is_joiner(relay)) {
        end_start_because(relay, why);
    } else {
        relay_dismiss(relay, why);
    }
}

void relay_dismiss_foreign(struct relay *relay, const char *address)
{
    char why[HANDOVER_ADDRESS + 160];

    snprintf(why, sizeof why,
             "the host takes this key from certain networks only, and %s is in none of them; ask "
             "its operator",
             address);
    say_goodbye(relay, why, wire_pack_goodbye);
    relay_end(relay, "its key is not taken from its network"); /* a log may be without addresses */
}

void relay_refuse_hello(struct relay *relay, size_t size)
{
    struct wire_buffer *buffer = &relay->common->buffer;

    inside_send(inside_own(), INSIDE__KIND__LARGE, relay->bot->name, (int64_t)size,
                relay->peer->address);
    if (wire_pack_refusal(buffer, "hello", GATEWAY_HELLO, NULL) == BG_OK) {
        peer_owe(relay->peer, buffer->data, buffer->size);
    }
    relay_end(relay, "its Hello is too large");
}

void relay_part(struct relay *relay)
{
    if (!relay->is_over && ends_for_good(relay)) {
        relay_dismiss(relay, relay->common->ends);
    }
}

/* ------------------------------------------------------------------------ to the referee */

static void watch_local(struct relay *relay)
{
    watched_change(&relay->watched, relay->common->peers->epoll,
                   relay->local.backlog.size > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

/* An author who does not read, and for whom too much waits, loses this start. */
static void on_local(void *user, uint32_t events)
{
    struct relay *relay = user;

    /* Its end is found by reading it, so which event woke us does not matter. */
    (void)events;
    if (!serve_local(&relay->local, pass_to_remote, relay)) {
        relay_end_start(relay);
        return;
    }
    peer_flush(relay->peer);
    watch_local(relay);
}

void relay_connect(struct relay *relay)
{
    if (relay->is_over || relay->first == NULL || relay->bot->endpoint[0] == '\0') {
        return;
    }
    if (connect_local(&relay->local, relay->bot->endpoint, relay->first, relay->first_size,
                      GATEWAY_MESSAGE_BYTES) &&
        watched_begin(&relay->watched, relay->common->peers->epoll, relay->local.fd, EPOLLIN)) {
        inside_send(inside_own(), INSIDE__KIND__LENT, relay->bot->name, 0, relay->bot->endpoint);
        free(relay->first);
        relay->first = NULL;
        snprintf(relay->endpoint, sizeof relay->endpoint, "%s", relay->bot->endpoint);
        watch_local(relay);
    } else { /* the referee does not wait there any more */
        end_local(relay);
    }
    relay->bot->endpoint[0] = '\0'; /* a place takes one connection */
}

struct relay *relay_create(struct relay_common *common, struct peer *peer, struct remote_bot *bot)
{
    struct relay *relay = calloc(1, sizeof *relay);

    if (relay != NULL) {
        *relay = (struct relay){.common = common,
                                .peer = peer,
                                .bot = bot,
                                .local = {.fd = -1},
                                .watched = {.fd = -1, .fn = on_local, .user = relay}};
    }
    return relay;
}

bool relay_send(struct relay *relay, const void *data, size_t size)
{
    return relay->local.fd < 0 || send_local(&relay->local, data, size);
}

void relay_serve(struct relay *relay)
{
    if (relay->local.fd >= 0) {
        on_local(relay, 0);
    }
}

void relay_flush(struct relay *relay)
{
    if (relay->local.fd < 0) {
        return;
    }
    if (flush_local(&relay->local)) {
        watch_local(relay);
    } else {
        relay_end_start(relay);
    }
}
