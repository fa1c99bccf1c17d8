/* One thread and one epoll for all: the work of a message is a box of CURVE (some microseconds),
 * and the order of what one peer says needs no lock. Fairness is by pieces: at most INPUT bytes
 * of a peer in a round, so who floods waits for everybody else's turn.
 *
 * A peer is never freed where it is closed: functions up the stack may hold it. peer_close()
 * ends the descriptor, and the end of the round frees what has none (watched.fd < 0). */
#define _GNU_SOURCE
#include "peers.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gateway.h"
#include "inside.h"
#include "base/utc.h"

#define MS_NS INT64_C(1000000)

enum {
    SWEEP_MS = 250,
    FLUSH_MS = 5, /* while messages to the referee wait */
    LOOK_MS = 10,
    HANDED = 16,       /* most new connections in a round, so that those that have ended are closed
                          meanwhile */
    INPUT = 16 * 1024, /* read of one peer in a round: a flood costs the others less than 1 ms */
    MESSAGE_MOST = 256 * 1024,
    REFUSED_MS = 2000 /* for the other side to read an ERROR */
};

/* ------------------------------------------------------------------------ sending */

/* The doorman has a duplicate of the descriptor: only a shutdown ends the connection. */
void peer_close(struct peer *peer)
{
    int fd = watched_end(&peer->watched, peer->peers->epoll);

    if (fd >= 0) {
        (void)shutdown(fd, SHUT_RDWR);
        close(fd);
    }
}

static void keep_bytes(struct peer *peer, const void *data, size_t size)
{
    /* Who lets so much wait does not read. It is closed, not paused: a pause would hold back the
     * referee's messages, with a clock running. */
    if (peer->watched.fd >= 0 && size > 0 &&
        (peer->backlog.size + size > PEERS_UNSENT + PEERS_OWED ||
         backlog_keep(&peer->backlog, data, size, 0) != BG_OK)) {
        peer_close(peer);
    }
}

void peer_owe(struct peer *peer, const void *data, size_t size)
{
    static uint8_t
        frame[MESSAGE_MOST + CURVE_OVERHEAD]; /* one thread; used only within this call */

    assert(size <= MESSAGE_MOST);
    /* Before that there is no key to seal with; after the last message nothing may follow it. */
    if (curve_is_ready(&peer->curve) && !peer->is_last) {
        keep_bytes(peer, frame, curve_seal(frame, &peer->curve, data, size));
    }
}

bool peer_send(struct peer *peer, const void *data, size_t size)
{
    /* What has to come (a Goodbye, notes) has room of its own behind this limit (PEERS_OWED):
     * a peer that does not read still hears why it is ended, if it begins to. */
    if (peer->backlog.size + size > PEERS_UNSENT) {
        return false;
    }
    peer_owe(peer, data, size);
    return peer->watched.fd >= 0;
}

void peer_flush(struct peer *peer)
{
    if (peer->watched.fd < 0) {
        return;
    }
    if (backlog_flush(&peer->backlog, peer->watched.fd, 0) != BG_OK) {
        peer_close(peer);
    } else {
        if (peer->backlog.size == 0 && peer->is_last) {
            /* Only the sending: a close with unread bytes would become a reset, which discards
             * what was sent. */
            (void)shutdown(peer->watched.fd, SHUT_WR);
        }
        watched_change(&peer->watched, peer->peers->epoll,
                       /* A socket can nearly always be written: without something to send
                        * EPOLLOUT would wake the loop for ever. */
                       peer->backlog.size > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
}

void peer_finish(struct peer *peer)
{
    if (peer->until_ns == 0) {
        peer->until_ns = peer->peers->now_ns + PEERS_ENDING_MS * MS_NS;
    }
}

/* ------------------------------------------------------------------------ reading */

static const char *refusal(void *user, const uint8_t key[CURVE_KEY])
{
    struct peer *peer = user;
    const struct peers_setup *setup = &peer->peers->setup;

    return setup->refusal(setup->user, peer, key);
}

/* An ERROR is still sent; anything else that is broken needs no words. */
static void take_broken(struct peer *peer, bool is_told)
{
    if (!is_told) {
        peer_close(peer);
        return;
    }
    peer->is_last = true;
    peer->until_ns = peer->peers->now_ns + REFUSED_MS * MS_NS;
}

static void take_item(struct peer *peer, enum curve_news news, const struct curve_item *item)
{
    const struct peers_setup *setup = &peer->peers->setup;

    keep_bytes(peer, item->reply, item->reply_size);
    /* A PONG that nobody has asked for measures nothing. */
    if (news == CURVE_PONG && peer->asked_ns > 0) {
        if (setup->answered != NULL) {
            setup->answered(setup->user, peer, peer->peers->now_ns - peer->asked_ns);
        }
        peer->asked_ns = 0;
    } else if (news == CURVE_READY) {
        peer->was_ready = true;
    } else if (news == CURVE_BROKEN) {
        take_broken(peer, item->reply_size > 0);
        /* What an ending peer still sends concerns nobody any more. */
    } else if ((news == CURVE_MESSAGE || news == CURVE_DROPPED) && peer->until_ns == 0) {
        setup->message(setup->user, peer, item->data, item->size,
                       news == CURVE_MESSAGE ? 1 : item->parts);
    }
}

static void take_input(struct peer *peer, const uint8_t *at, const uint8_t *end)
{
    const struct peers_setup *setup = &peer->peers->setup;
    enum curve_news news = CURVE_MORE;

    do {
        struct curve_item item;

        news = curve_read(&item, &peer->curve, &at, end);
        take_item(peer, news, &item);
        /* Any of these messages may have closed the peer. */
    } while (news != CURVE_MORE && news != CURVE_BROKEN && peer->watched.fd >= 0);
    if (peer->watched.fd >= 0 && setup->taken != NULL) {
        setup->taken(setup->user, peer);
    }
}

static void on_peer(void *user, uint32_t events)
{
    static uint8_t input[INPUT]; /* one thread; used only within this call */
    struct peer *peer = user;
    ssize_t size;

    if ((events & ~(uint32_t)EPOLLOUT) != 0) {
        size = recv(peer->watched.fd, input, sizeof input, MSG_DONTWAIT);
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
            peer_close(peer);
            return;
        }
        /* Any byte is a sign of life, also of a handshake or of a half message. */
        peer->heard_ns = peer->peers->now_ns;
        if (size > 0 && !peer->is_last) {
            take_input(peer, input, input + size);
        }
    }
    peer_flush(peer);
}

/* ------------------------------------------------------------------------ from the doorman */

static struct peer *add_peer(struct peers *peers)
{
    struct peer *peer;

    if (peers->count == peers->room) {
        int room = peers->room == 0 ? 16 : 2 * peers->room;
        struct peer **list = realloc(peers->list, (size_t)room * sizeof *list);

        /* The doorman's limit is lower; this one holds if that one fails. */
        if (list == NULL || peers->count >= PEERS_MOST) {
            peers->list = list == NULL ? peers->list : list;
            return NULL;
        }
        peers->list = list;
        peers->room = room;
    }
    peer = calloc(1, sizeof *peer);
    if (peer != NULL) {
        peers->list[peers->count++] = peer;
    }
    return peer;
}

static void begin_peer(struct peers *peers, int door, int fd, const char *address)
{
    struct peer *peer = fd < 0 ? NULL : add_peer(peers);
    uint8_t greeting[ZMTP_GREETING];

    if (peer == NULL) {
        if (fd >= 0) {
            (void)shutdown(fd, SHUT_RDWR);
            close(fd);
        }
        return;
    }
    peer->peers = peers;
    peer->door = door;
    peer->begun_ns = peer->heard_ns = peers->now_ns;
    peer->watched.fn = on_peer;
    peer->watched.user = peer;
    snprintf(peer->address, sizeof peer->address, "%s", address);
    peer->as_server = (struct curve_server){.public = peers->setup.host->public.key,
                                            .secret = peers->setup.host->key,
                                            .refusal = refusal,
                                            .user = peer};
    curve_init_server(&peer->curve, &peer->as_server, peers->setup.message_max);
    if (!watched_begin(&peer->watched, peers->epoll, fd, EPOLLIN)) {
        peer_close(peer);
        return;
    }
    /* ZMTP 3: both sides send their greeting at once; a client may wait for ours. */
    curve_greeting(greeting, &peer->curve);
    keep_bytes(peer, greeting, sizeof greeting);
    peer_flush(peer);
}

/* Without its doorman nobody counts these connections. */
static void end_door(struct peers *peers, struct peers_door *door)
{
    int number = (int)(door - peers->doors);

    close(watched_end(&door->watched, peers->epoll));
    for (int i = 0; i < peers->count; i++) {
        if (peers->list[i]->door == number) {
            peer_close(peers->list[i]);
        }
    }
}

static void on_door(void *user, uint32_t events)
{
    struct peers_door *door = user;
    struct peers *peers = door->peers;
    char address[HANDOVER_ADDRESS];
    enum handover_got got;
    int fd, taken = 0;

    (void)events;
    do {
        got = handover_take(&fd, address, door->watched.fd);
        if (got == HANDOVER_TAKEN) {
            begin_peer(peers, (int)(door - peers->doors), fd, address);
        }
        /* The rest stays in the socket, and epoll (level-triggered) wakes for it in the next round.
         */
    } while (got == HANDOVER_TAKEN && ++taken < HANDED);
    if (got == HANDOVER_ENDED) {
        end_door(peers, door);
    }
}

static void on_listener(void *user, uint32_t events)
{
    struct peers *peers = user;
    int fd = handover_accept(peers->listener.fd);
    struct peers_door *door = NULL;

    (void)events;
    /* A new doorman comes while the connections of the old one may still end. */
    for (int i = 0; i < PEERS_DOORS && door == NULL; i++) {
        door = peers->doors[i].watched.fd < 0 ? &peers->doors[i] : NULL;
    }
    if (fd >= 0 && (door == NULL || !watched_begin(&door->watched, peers->epoll, fd, EPOLLIN))) {
        close(fd);
    }
}

/* ------------------------------------------------------------------------ the round */

static void beat(struct peer *peer)
{
    const int64_t now_ns = peer->peers->now_ns;
    /* An unanswered PING is not repeated before another heartbeat has passed. */
    int64_t silent_since = peer->heard_ns > peer->pinged_ns ? peer->heard_ns : peer->pinged_ns;
    uint8_t ping[CURVE_WRITTEN];

    if ((now_ns - silent_since >= GATEWAY_HEARTBEAT_MS * MS_NS ||
         now_ns - peer->pinged_ns >= GATEWAY_MEASURE_MS * MS_NS) &&
        curve_is_ready(&peer->curve)) {
        peer->pinged_ns = now_ns;
        peer->asked_ns = peer->asked_ns == 0 ? now_ns : peer->asked_ns;
        keep_bytes(peer, ping, curve_seal_ping(ping, &peer->curve, 0));
        peer_flush(peer);
    }
}

static bool is_due(const struct peer *peer)
{
    const int64_t now_ns = peer->peers->now_ns;

    return now_ns - peer->heard_ns >= GATEWAY_DEAD_MS * MS_NS ||
           (peer->until_ns != 0 && now_ns >= peer->until_ns) ||
           (!peer->was_ready && now_ns - peer->begun_ns >= PEERS_HANDSHAKE_MS * MS_NS);
}

static void sweep_peers(struct peers *peers)
{
    peers->sweep_ns = peers->now_ns + SWEEP_MS * MS_NS;
    for (int i = 0; i < peers->count; i++) {
        struct peer *peer = peers->list[i];

        /* Every SWEEP_MS, not by a timer of each peer: limits of seconds need no finer one. */
        if (is_due(peer)) {
            peer_close(peer);
        } else if (peer->watched.fd >= 0) {
            beat(peer);
        }
    }
}

static void free_peer(struct peers *peers, int i)
{
    struct peer *peer = peers->list[i];

    peers->setup.gone(peers->setup.user, peer);
    curve_deinit(&peer->curve);
    backlog_deinit(&peer->backlog);
    /* The last one takes its place, so loops that free go from the end. */
    peers->list[i] = peers->list[--peers->count];
    free(peer);
}

/* What was silent while this process was stopped is not dead for that. */
static void on_woke(void *user)
{
    struct peers *peers = user;
    int64_t stop_ns = pulse_beat(peers->pulse, &peers->beat_ns, peers->now_ns);

    for (int i = 0; i < peers->count && stop_ns > 0; i++) {
        struct peer *peer = peers->list[i];

        peer->begun_ns += stop_ns;
        peer->heard_ns += stop_ns;
        peer->pinged_ns += stop_ns;
        peer->asked_ns += peer->asked_ns == 0 ? 0 : stop_ns;
        peer->until_ns += peer->until_ns == 0 ? 0 : stop_ns;
    }
}

bool peers_round(struct peers *peers)
{
    int wait_ms = inside_waits(inside_own()) ? FLUSH_MS : peers->count > 0 ? PULSE_MS : -1;
    bool is_well;

    if (wait_ms < 0) {
        pulse_rest(peers->pulse, &peers->beat_ns);
    }
    is_well = watched_round(&peers->now_ns, peers->epoll, wait_ms, on_woke, peers);
    if (peers->now_ns >= peers->sweep_ns) {
        sweep_peers(peers);
    }
    for (int i = peers->count; i-- > 0;) {
        if (peers->list[i]->watched.fd < 0) {
            free_peer(peers, i);
        }
    }
    return is_well;
}

/* ------------------------------------------------------------------------ beginning and end */

bool peers_init(struct peers *peers, const struct peers_setup *setup, int listener)
{
    *peers = (struct peers){.setup = *setup,
                            .epoll = epoll_create1(EPOLL_CLOEXEC),
                            .listener = {.fd = listener, .fn = on_listener, .user = peers}};
    assert(setup->message_max <= MESSAGE_MOST);
    for (int i = 0; i < PEERS_DOORS; i++) {
        struct peers_door *door = &peers->doors[i];

        *door = (struct peers_door){peers, {.fd = -1, .fn = on_door, .user = door}};
    }
    peers->now_ns = utc_steady_ns();
    return peers->epoll >= 0;
}

bool peers_open(struct peers *peers)
{
    return watched_begin(&peers->listener, peers->epoll, peers->listener.fd, EPOLLIN);
}

/* Returns whether something still waits to be sent. */
static bool flush_all(struct peers *peers)
{
    bool waits = false;

    for (int i = 0; i < peers->count; i++) {
        peer_flush(peers->list[i]);
        waits = waits || (peers->list[i]->watched.fd >= 0 && peers->list[i]->backlog.size > 0);
    }
    return waits;
}

void peers_deinit(struct peers *peers)
{
    for (int waited_ms = 0; flush_all(peers) && waited_ms < PEERS_LINGER_MS; waited_ms += LOOK_MS) {
        poll(NULL, 0, LOOK_MS);
    }
    while (peers->count > 0) {
        /* What comes now stays unread: the doorman's duplicate keeps it from becoming a reset. */
        int fd = watched_end(&peers->list[0]->watched, peers->epoll);

        if (fd >= 0) {
            (void)shutdown(fd, SHUT_WR);
            close(fd);
        }
        free_peer(peers, 0);
    }
    free(peers->list);
}
