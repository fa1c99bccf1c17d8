/* The gateway carries messages and reads two things of them: whether the first byte is a Hello's,
 * and whether a joiner asks for its standing. It holds no state of a game; so it can be ended and
 * started at any time, at the price of the connections alone.
 *
 * Which connection of a key counts: the newest, for each place of a joiner. An author whose line
 * is lost comes again before the old connection has timed out, and must not be kept out by it.
 * Two programs with one key would throw each other out for ever; remote_bots.h ends that. */
#define _GNU_SOURCE
#include "gateway.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <sodium.h>

#include "relay.h"
#include "peers.h"
#include "door_counts.h"
#include "base/exit_status.h"
#include "remote_bots.h"
#include "inside.h"
#include "stranger_process.h"
#include "wire/wire.h"

enum {
    SECOND_NS = 1000000000,
    KEY_CONNECTIONS = GATEWAY_AT_ONCE + 4 /* of one bot: one for each place, and some that end */
};

struct gateway {
    struct remote_bots bots;
    struct peers peers;
    /* It stays in memory that is never written to a disk, if it may be locked. */
    struct join_secret host;
    struct watched control;
    bool is_listening, is_over;
    bool has_said_limit; /* that a key has come too often */
    struct relay_common common;
};

static struct relay *relay_of(const struct gateway *gateway, int i)
{
    return gateway->peers.list[i]->own;
}

static void connect_relays(const struct gateway *gateway)
{
    for (int i = 0; i < gateway->peers.count; i++) {
        if (relay_of(gateway, i) != NULL) {
            relay_connect(relay_of(gateway, i));
        }
    }
}

static bool is_relay_of(const struct gateway *gateway, int i, const struct remote_bot *bot)
{
    return relay_of(gateway, i) != NULL && relay_of(gateway, i)->bot == bot;
}

static void dismiss_all(struct gateway *gateway, const struct remote_bot *bot, const char *why)
{
    for (int i = 0; i < gateway->peers.count; i++) {
        if (is_relay_of(gateway, i, bot)) {
            relay_dismiss(relay_of(gateway, i), why);
        }
    }
}

static void dismiss_banned(struct gateway *gateway, const struct remote_bot *bot)
{
    char why[REMOTE_BOT_REASON + 16];

    snprintf(why, sizeof why, "banned: %s", bot->reason);
    dismiss_all(gateway, bot, why);
}

/* A bot that may join; another key than it had ends what has come with the old one. */
static bool allow(struct gateway *gateway, const struct remote_bot *known,
                  const Inside__Message *bot)
{
    unsigned char key[KEY_FILE_BYTES];

    if (known != NULL && key_read_hex(key, bot->text) && memcmp(known->key, key, sizeof key) != 0) {
        dismiss_all(gateway, known, "the host knows another key of this bot now");
    }
    return remote_bots_add(&gateway->bots, bot);
}

static void forget(struct gateway *gateway, struct remote_bot *bot)
{
    /* The bot stays in the list, since its relays point to it. */
    bot->is_gone = true;
    dismiss_all(gateway, bot, "the host does not know this key any more; ask its operator");
}

static void kick(struct gateway *gateway, const struct remote_bot *bot)
{
    for (int i = 0; i < gateway->peers.count; i++) {
        if (is_relay_of(gateway, i, bot)) {
            relay_end_start(relay_of(gateway, i));
        }
    }
}

static void note(struct gateway *gateway, const struct remote_bot *bot, const char *text)
{
    for (int i = 0; i < gateway->peers.count; i++) {
        if (is_relay_of(gateway, i, bot) && relay_of(gateway, i)->first != NULL) {
            relay_owe_note(relay_of(gateway, i), GATEWAY_SAY, text);
        }
    }
}

/* The content of a ToReferee is its first field; hello has number 1, and a length. */
static bool is_hello(const uint8_t *data, size_t size)
{
    enum { HELLO = 1 << 3 | 2 };

    return size > 0 && data[0] == HELLO;
}

/* The newest connection of a key and place counts. Returns how long the key has to wait: then this
 * one does not count either. */
static int64_t replace_older(const struct gateway *gateway, const struct relay *relay)
{
    struct replacements *known = &relay->bot->replacements;
    const int64_t now_ns = gateway->peers.now_ns;
    int64_t wait_ns = replacements_wait_ns(known, now_ns);

    for (int i = 0; i < gateway->peers.count && wait_ns == 0; i++) {
        struct relay *older = relay_of(gateway, i);

        if (!is_relay_of(gateway, i, relay->bot) || older == relay || !older->has_begun ||
            /* Without a Hello an older one has no place yet, and what is over gives it up by
             * itself. */
            older->place != relay->place || older->is_over) {
            continue;
        }
        /* The same run of a joiner comes again after a loss, however often: that is one program. */
        if (!relay_is_same_run(older, relay) && replacements_note(known, relay->place, now_ns)) {
            wait_ns = replacements_wait_ns(known, now_ns);
            inside_send(inside_own(), INSIDE__KIND__TWICE, relay->bot->name, wait_ns / SECOND_NS,
                        relay->peer->address);
            relay_let_wait(older, wait_ns, GATEWAY_TWICE);
        } else {
            relay_replace(older);
        }
    }
    return wait_ns;
}

static void note_dismissed(enum door_result why)
{
    inside_send(inside_own(), INSIDE__KIND__DISMISSED, NULL, why, NULL);
}

/* Whether a first message may take its place in the event at all; else the relay has been ended. */
static bool may_begin(struct relay *relay, size_t size)
{
    struct remote_bot *bot = relay->bot;
    char why[64];
    int64_t wait_ns;

    /* The network first: whoever has stolen a key must not use up its owner's starts by trying. */
    if (!remote_bot_may_come_from(bot, relay->peer->address)) {
        note_dismissed(DOOR_RESULT_NETWORK);
        relay_dismiss_foreign(relay, relay->peer->address);
        return false;
    }
    if (relay->is_excess) {
        note_dismissed(DOOR_RESULT_KEY_RATE);
        relay_send_away(relay);
        return false;
    }
    /* Before it counts as a start: a Hello that is refused is no start. */
    if (size > ENTRY_HELLO) {
        relay_refuse_hello(relay, size);
        return false;
    }
    wait_ns = remote_bot_start(bot, relay->common->peers->now_ns);
    if (wait_ns > 0) {
        note_dismissed(DOOR_RESULT_START_RATE);
        snprintf(why, sizeof why, "more than %d starts of this bot in an hour", bot->starts);
        relay_let_wait(relay, wait_ns, why);
    }
    return wait_ns == 0;
}

/* The first message of a connection: the newest connection of a key (and place) counts. */
static void begin_relay(struct gateway *gateway, struct relay *relay, const void *data, size_t size)
{
    struct remote_bot *bot = relay->bot;
    int64_t wait_ns;

    relay->has_begun = true;
    relay->place = relay_place(relay);
    if (!may_begin(relay, size)) { /* it takes no other's place */
        return;
    }
    /* The Hello waits here until the referee waits for the bot; how much may wait is bounded by
     * ENTRY_HELLO and KEY_CONNECTIONS. */
    relay->first = malloc(size + 1);
    if (relay->first == NULL) {
        relay_dismiss(relay, "the host is short of memory; join again later");
        return;
    }
    memcpy(relay->first, data, size);
    relay->first_size = size;
    /* Before the questions below: also a connection that is then sent away shows that the older
     * one's author is here anew. */
    wait_ns = replace_older(gateway, relay);
    if (bot->is_barred) { /* since its key was let in */
        note_dismissed(DOOR_RESULT_BANNED);
        dismiss_banned(gateway, bot);
        return;
    }
    if (wait_ns > 0) {
        note_dismissed(DOOR_RESULT_KEY_TWICE);
        relay_let_wait(relay, wait_ns, GATEWAY_TWICE);
        return;
    }
    /* Before `came`: an event that waits may send its first message at once. */
    relay_note_if_lends(relay, GATEWAY_STAY, "");
    relay_tell_end(relay);
    inside_send(inside_own(), INSIDE__KIND__CAME, bot->name, 0, relay->peer->address);
    relay_connect(relay);
}

/* ------------------------------------------------------------------------ the author asks */

/* Whether it is the question of a joiner, and not a message of a bot. */
static bool is_ask(const struct relay *relay, const uint8_t *data, size_t size)
{
    return relay_is_joiner(relay) && size == sizeof GATEWAY_ASK && data[0] == GATEWAY_NOTE &&
           memcmp(data + 1, GATEWAY_ASK, size - 1) == 0;
}

/* The referee is asked at most once a second for each bot; whoever has asked before gets each
 * answer. */
static void take_ask(const struct gateway *gateway, struct relay *relay)
{
    struct remote_bot *bot = relay->bot;
    const int64_t now_ns = gateway->peers.now_ns;

    if (!remote_bot_may_come_from(bot, relay->peer->address) || bot->is_barred || relay->is_over) {
        return;
    }
    relay->has_asked = true;
    if (bot->asked_ns == 0 || now_ns - bot->asked_ns >= SECOND_NS) {
        /* The answer goes to all connections of this bot that have asked (tell_status), so
         * nobody is passed over. */
        bot->asked_ns = now_ns;
        inside_send(inside_own(), INSIDE__KIND__ASKS, bot->name, 0, NULL);
    }
}

static void tell_status(const struct gateway *gateway, const struct remote_bot *bot,
                        const char *line)
{
    for (int i = 0; i < gateway->peers.count; i++) {
        if (is_relay_of(gateway, i, bot) && relay_of(gateway, i)->has_asked) {
            relay_try_note(relay_of(gateway, i), GATEWAY_STATUS, line);
        }
    }
}

/* A connection that does not begin with a Hello is the rest of one that was lost: libzmq connects
 * again by itself, and sends what waited. Its author hears of the loss by the end of this one. */
static void take_message(void *user, struct peer *peer, const void *data, size_t size, int parts)
{
    struct gateway *gateway = user;
    struct relay *relay = peer->own;

    /* Told in words, as it is a mistake of a bot's author: libzmq sends several frames where a
     * program uses SNDMORE. */
    if (parts > 1) {
        relay_dismiss(relay, "a message of several frames; send each message as one frame");
    } else if (is_ask(relay, data, size)) {
        take_ask(gateway, relay);
    } else if (!relay->has_begun && !is_hello(data, size)) {
        peer_close(peer);
    } else if (!relay->has_begun) {
        begin_relay(gateway, relay, data, size);
    } else if (!relay_send(relay, data, size)) {
        /* Too much waits for the referee, or its line has ended. */
        relay_end_start(relay);
    }
}

static void send_taken(void *user, struct peer *peer)
{
    (void)user;
    if (peer->own != NULL) {
        relay_flush(peer->own);
    }
}

/* ------------------------------------------------------------------------ who may come */

/* Of too many connections of a bot the oldest one ends that does not play. */
static void end_excess(const struct gateway *gateway, const struct remote_bot *bot)
{
    struct peer *oldest = NULL;

    /* One at most is too many, as this is looked at with each new one. */
    for (int i = 0; i < gateway->peers.count && bot->connections > KEY_CONNECTIONS; i++) {
        struct peer *peer = gateway->peers.list[i];
        const struct relay *relay = peer->own;

        if (is_relay_of(gateway, i, bot) && peer->watched.fd >= 0 &&
            (!relay->has_begun || relay->is_over) &&
            (oldest == NULL || peer->begun_ns < oldest->begun_ns)) {
            oldest = peer;
        }
    }
    if (oldest != NULL) {
        peer_close(oldest);
    }
}

static void note_excess(struct gateway *gateway, struct peer *peer)
{
    if (!gateway->has_said_limit) {
        gateway->has_said_limit = true;
        inside_send_place(inside_own(), INSIDE__KIND__LIMITED, NULL, 0,
                          "too many connections of its key in a minute", peer->address);
    }
}

static const char *refusal(void *user, struct peer *peer, const uint8_t key[CURVE_KEY])
{
    struct gateway *gateway = user;
    struct remote_bot *bot = remote_bots_by_key(&gateway->bots, key);
    struct relay *relay;

    /* One answer for all three: who is banned does not hear that the key is known. */
    if (bot == NULL || bot->is_barred || bot->is_gone) {
        inside_send(inside_own(), INSIDE__KIND__REFUSED, NULL,
                    bot != NULL && bot->is_barred ? DOOR_RESULT_BANNED : DOOR_RESULT_UNKNOWN_KEY,
                    NULL);
        return CURVE_UNKNOWN_KEY;
    }
    relay = relay_create(&gateway->common, peer, bot);
    if (relay == NULL) {
        return "the host is short of memory";
    }
    peer->own = relay;
    /* A thief of the key in another network is not counted: it could keep the owner out. */
    relay->is_excess = remote_bot_may_come_from(bot, peer->address) &&
                       !remote_bot_may_shake_hands(bot, gateway->peers.now_ns);
    if (relay->is_excess) {
        note_excess(gateway, peer);
    }
    bot->connections++;
    end_excess(gateway, bot);
    return NULL;
}

/* Only what the bot's author sees of it: who answers no PING plays on. */
static void measured(void *user, struct peer *peer, int64_t trip_ns)
{
    const struct relay *relay = peer->own;

    (void)user;
    if (relay != NULL && relay->has_begun && !relay->is_over) {
        inside_send(inside_own(), INSIDE__KIND__TRIP, relay->bot->name, trip_ns / 1000, NULL);
    }
}

static void gone(void *user, struct peer *peer)
{
    const struct gateway *gateway = user;
    struct relay *relay = peer->own;

    /* `turned`: no handshake was completed, as with scanners; who was `refused` is among them. */
    if (!peer->was_ready && !gateway->is_over) {
        inside_send(inside_own(), INSIDE__KIND__TURNED, NULL, 0, peer->address);
    }
    if (relay != NULL) {
        relay_end(relay, gateway->is_over ? "the referee has ended" : "it closed its connection");
        /* relays are freed only here, at the end of a round: peers.h. */
        relay->bot->connections--;
        free(relay);
    }
}

/* ------------------------------------------------------------------------ the round */

static void take_end(struct gateway *gateway, const Inside__Message *end)
{
    snprintf(gateway->common.ends, sizeof gateway->common.ends, "%s", end->text);
    gateway->common.back_s = end->number;
    for (int i = 0; i < gateway->peers.count; i++) {
        if (relay_of(gateway, i) != NULL && relay_of(gateway, i)->has_begun) {
            relay_tell_end(relay_of(gateway, i));
        }
    }
}

/* Tells the referee that connections are taken, with the host's public key. */
static bool open_door(struct gateway *gateway)
{
    char hex[KEY_FILE_DIGITS];

    gateway->is_listening = peers_open(&gateway->peers);
    sodium_bin2hex(hex, sizeof hex, gateway->host.public.key, sizeof gateway->host.public.key);
    return gateway->is_listening && inside_send(inside_own(), INSIDE__KIND__BOUND, NULL, 0, hex);
}

/* What is said of one bot. */
static void take_of_bot(struct gateway *gateway, struct remote_bot *bot,
                        const Inside__Message *message)
{
    switch (message->kind) {
    case INSIDE__KIND__OPEN:
        snprintf(bot->endpoint, sizeof bot->endpoint, "%s", message->text);
        break;
    case INSIDE__KIND__SHUT:
        /* What is connected stays: only the next connection is concerned. */
        bot->endpoint[0] = '\0';
        break;
    case INSIDE__KIND__BAR:
        bot->is_barred = true;
        snprintf(bot->reason, sizeof bot->reason, "%s", message->text);
        dismiss_banned(gateway, bot);
        break;
    case INSIDE__KIND__FORGET:
        forget(gateway, bot);
        break;
    case INSIDE__KIND__KICK:
        kick(gateway, bot);
        break;
    case INSIDE__KIND__WAIT:
        bot->replacements.until_ns = gateway->peers.now_ns + message->number * SECOND_NS;
        break;
    case INSIDE__KIND__STATUS:
        tell_status(gateway, bot, message->text);
        break;
    case INSIDE__KIND__NOTE:
        note(gateway, bot, message->text);
        break;
    default:
        break;
    }
}

static void take_of_referee(void *user, const Inside__Message *message)
{
    struct gateway *gateway = user;
    struct remote_bot *bot = remote_bots_find(&gateway->bots, message->bot);

    switch (message->kind) {
    case INSIDE__KIND__ALLOW:
        gateway->is_over |= !allow(gateway, bot, message);
        break;
    case INSIDE__KIND__LENDS:
        gateway->common.lends = true;
        break;
    case INSIDE__KIND__MARK:
        inside_send(inside_own(), INSIDE__KIND__MARKED, NULL, message->number, NULL);
        break;
    case INSIDE__KIND__ENDS:
        take_end(gateway, message);
        break;
    case INSIDE__KIND__LISTEN:
        gateway->is_over |= !gateway->is_listening && !open_door(gateway);
        break;
    case INSIDE__KIND__UNBAR:
        remote_bots_unbar(&gateway->bots);
        break;
    default:
        if (bot != NULL) {
            take_of_bot(gateway, bot, message);
        }
    }
}

static void on_control(void *user, uint32_t events)
{
    struct gateway *gateway = user;

    (void)events;
    gateway->is_over |= !inside_each(INSIDE_FD, "referee", take_of_referee, gateway);
    /* One of these messages may have been the `open` that a relay waits for. */
    connect_relays(gateway);
}

/* Sends what the referee sent last: its Goodbye. */
static void close_gateway(struct gateway *gateway)
{
    gateway->common.is_closing = true;
    for (int i = 0; i < gateway->peers.count; i++) {
        struct relay *relay = relay_of(gateway, i);

        if (relay != NULL) {
            /* The referee's last message may be in the socket, unread. */
            relay_serve(relay);
            relay_part(relay);
        }
    }
    peers_deinit(&gateway->peers);
    remote_bots_deinit(&gateway->bots);
    wire_buffer_deinit(&gateway->common.buffer);
    (void)sodium_munlock(&gateway->host, sizeof gateway->host); /* which wipes it */
}

/* Reads the host's secret key, makes the socket for the doorman, and is confined. Returns
 * EXIT_DONE, or the exit status. */
static int begin_gateway(struct gateway *gateway, int *listener, int argc, char **argv)
{
    struct bg_error err = {.text = ""};
    int exit_status = stranger_process_begin(argv[0], argc == 3, INSIDE_FD + 1);

    if (exit_status != EXIT_DONE) {
        return exit_status;
    }
    /* Before the secret is there, so that no page with it can be swapped out. It fails under a
     * small RLIMIT_MEMLOCK, and the host works all the same. */
    (void)sodium_mlock(&gateway->host, sizeof gateway->host);
    if (join_secret_read(&gateway->host, argv[2], &err) != BG_OK) {
        return stranger_process_fail(EXIT_MISUSE, err.text);
    }
    *listener = handover_listen(argv[1]);
    if (*listener < 0) {
        bg_error_set(&err, BG_E_SYSTEM, "%s: %s", argv[1], strerror(errno));
        return stranger_process_fail(EXIT_SURROUNDINGS, err.text);
    }
    /* The last step of the beginning, before the first stranger. */
    stranger_process_confine(argv[0]);
    return EXIT_DONE;
}

int gateway_main(int argc, char **argv)
{
    static struct gateway gateway;
    const struct peers_setup setup = {.host = &gateway.host,
                                      .message_max = GATEWAY_MESSAGE_BYTES,
                                      .refusal = refusal,
                                      .message = take_message,
                                      .taken = send_taken,
                                      .gone = gone,
                                      .answered = measured,
                                      .user = &gateway};
    struct pulse_page *pulse = argc == 3 ? pulse_open(argv[1]) : NULL; /* no file later */
    int listener = -1, exit_status = begin_gateway(&gateway, &listener, argc, argv);

    if (exit_status != EXIT_DONE) {
        return exit_status;
    }
    gateway.common.peers = &gateway.peers;
    gateway.control = (struct watched){.fn = on_control, .user = &gateway};
    gateway.is_over = !peers_init(&gateway.peers, &setup, listener) ||
                      !watched_begin(&gateway.control, gateway.peers.epoll, INSIDE_FD, EPOLLIN);
    gateway.peers.pulse = pulse;
    while (!gateway.is_over) {
        gateway.is_over |= !peers_round(&gateway.peers) || !inside_flush(inside_own());
    }
    close_gateway(&gateway);
    return EXIT_DONE;
}
