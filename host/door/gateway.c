/* The gateway carries messages and reads two things of them: whether the first byte is a Hello's,
 * and whether a joiner asks for its standing. It holds no state of a game; so it can be ended and
 * started at any time, at the price of the connections alone.
 *
 * Which connection of a key counts: the newest, for each place of a joiner. An author whose line
 * is lost comes again before the old connection has timed out, and must not be kept out by it.
 * Two programs with one key would throw each other out for ever; replacements.h ends that. */
#define _GNU_SOURCE
#include "gateway.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <sodium.h>

#include "call.h"
#include "callers.h"
#include "door_counts.h"
#include "base/exit_status.h"
#include "guests.h"
#include "inside.h"
#include "stranger_process.h"
#include "wire/wire.h"

enum {
    SECOND_NS = 1000000000,
    KEY_CONNECTIONS = GATEWAY_AT_ONCE + 4 /* of one bot: one for each place, and some that end */
};

struct gateway {
    struct guests guests;
    struct callers callers;
    /* It stays in memory that is never written to a disk, if it may be locked. */
    struct join_secret host;
    struct watched control;
    bool is_listening, is_over;
    bool has_said_limit; /* that a key has come too often */
    struct call_common common;
};

static struct call *call_of(const struct gateway *gateway, int i)
{
    return gateway->callers.list[i]->own;
}

static void connect_calls(const struct gateway *gateway)
{
    for (int i = 0; i < gateway->callers.count; i++) {
        if (call_of(gateway, i) != NULL) {
            call_connect(call_of(gateway, i));
        }
    }
}

static bool is_call_of(const struct gateway *gateway, int i, const struct guest *guest)
{
    return call_of(gateway, i) != NULL && call_of(gateway, i)->guest == guest;
}

static void dismiss_all(struct gateway *gateway, const struct guest *guest, const char *why)
{
    for (int i = 0; i < gateway->callers.count; i++) {
        if (is_call_of(gateway, i, guest)) {
            call_dismiss(call_of(gateway, i), why);
        }
    }
}

static void dismiss_banned(struct gateway *gateway, const struct guest *guest)
{
    char why[GUEST_REASON + 16];

    snprintf(why, sizeof why, "banned: %s", guest->reason);
    dismiss_all(gateway, guest, why);
}

/* A bot that may join; another key than it had ends what has come with the old one. */
static bool allow(struct gateway *gateway, const struct guest *known, const Inside__Message *bot)
{
    unsigned char key[KEY_FILE_BYTES];

    if (known != NULL && key_read_hex(key, bot->text) && memcmp(known->key, key, sizeof key) != 0) {
        dismiss_all(gateway, known, "the host knows another key of this bot now");
    }
    return guests_add(&gateway->guests, bot);
}

static void forget(struct gateway *gateway, struct guest *guest)
{
    /* The guest stays in the list, since its calls point to it. */
    guest->is_gone = true;
    dismiss_all(gateway, guest, "the host does not know this key any more; ask its operator");
}

static void kick(struct gateway *gateway, const struct guest *guest)
{
    for (int i = 0; i < gateway->callers.count; i++) {
        if (is_call_of(gateway, i, guest)) {
            call_end_start(call_of(gateway, i));
        }
    }
}

static void note(struct gateway *gateway, const struct guest *guest, const char *text)
{
    for (int i = 0; i < gateway->callers.count; i++) {
        if (is_call_of(gateway, i, guest) && call_of(gateway, i)->first != NULL) {
            call_owe_note(call_of(gateway, i), GATEWAY_SAY, text);
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
static int64_t replace_older(const struct gateway *gateway, const struct call *call)
{
    struct replacements *known = &call->guest->replacements;
    const int64_t now_ns = gateway->callers.now_ns;
    int64_t wait_ns = replacements_wait_ns(known, now_ns);

    for (int i = 0; i < gateway->callers.count && wait_ns == 0; i++) {
        struct call *older = call_of(gateway, i);

        if (!is_call_of(gateway, i, call->guest) || older == call || !older->has_begun ||
            /* Without a Hello an older one has no place yet, and what is over gives it up by
             * itself. */
            older->place != call->place || older->is_over) {
            continue;
        }
        /* The same run of a joiner comes again after a loss, however often: that is one program. */
        if (!call_is_same_run(older, call) && replacements_note(known, call->place, now_ns)) {
            wait_ns = replacements_wait_ns(known, now_ns);
            inside_send(inside_own(), INSIDE__KIND__TWICE, call->guest->name, wait_ns / SECOND_NS,
                        call->caller->address);
            call_let_wait(older, wait_ns, GATEWAY_TWICE);
        } else {
            call_replace(older);
        }
    }
    return wait_ns;
}

static void note_dismissed(enum door_result why)
{
    inside_send(inside_own(), INSIDE__KIND__DISMISSED, NULL, why, NULL);
}

/* Whether a first message may take its place in the event at all; else the call has been ended. */
static bool may_begin(struct call *call, size_t size)
{
    struct guest *guest = call->guest;
    char why[64];
    int64_t wait_ns;

    /* The network first: whoever has stolen a key must not use up its owner's starts by trying. */
    if (!guest_may_come_from(guest, call->caller->address)) {
        note_dismissed(DOOR_RESULT_NETWORK);
        call_dismiss_foreign(call, call->caller->address);
        return false;
    }
    if (call->is_excess) {
        note_dismissed(DOOR_RESULT_KEY_RATE);
        call_send_away(call);
        return false;
    }
    /* Before it counts as a start: a Hello that is refused is no start. */
    if (size > ENTRY_HELLO) {
        call_refuse_hello(call, size);
        return false;
    }
    wait_ns = guest_start(guest, call->common->callers->now_ns);
    if (wait_ns > 0) {
        note_dismissed(DOOR_RESULT_START_RATE);
        snprintf(why, sizeof why, "more than %d starts of this bot in an hour", guest->starts);
        call_let_wait(call, wait_ns, why);
    }
    return wait_ns == 0;
}

/* The first message of a connection: the newest connection of a key (and place) counts. */
static void begin_call(struct gateway *gateway, struct call *call, const void *data, size_t size)
{
    struct guest *guest = call->guest;
    int64_t wait_ns;

    call->has_begun = true;
    call->place = call_place(call);
    if (!may_begin(call, size)) { /* it takes no other's place */
        return;
    }
    /* The Hello waits here until the referee waits for the bot; how much may wait is bounded by
     * ENTRY_HELLO and KEY_CONNECTIONS. */
    call->first = malloc(size + 1);
    if (call->first == NULL) {
        call_dismiss(call, "the host is short of memory; join again later");
        return;
    }
    memcpy(call->first, data, size);
    call->first_size = size;
    /* Before the questions below: also a connection that is then sent away shows that the older
     * one's author is here anew. */
    wait_ns = replace_older(gateway, call);
    if (guest->is_barred) { /* since its key was let in */
        note_dismissed(DOOR_RESULT_BANNED);
        dismiss_banned(gateway, guest);
        return;
    }
    if (wait_ns > 0) {
        note_dismissed(DOOR_RESULT_KEY_TWICE);
        call_let_wait(call, wait_ns, GATEWAY_TWICE);
        return;
    }
    /* Before `came`: an event that waits may send its first message at once. */
    call_note_if_lends(call, GATEWAY_STAY, "");
    call_tell_end(call);
    inside_send(inside_own(), INSIDE__KIND__CAME, guest->name, 0, call->caller->address);
    call_connect(call);
}

/* ------------------------------------------------------------------------ the author asks */

/* Whether it is the question of a joiner, and not a message of a bot. */
static bool is_ask(const struct call *call, const uint8_t *data, size_t size)
{
    return call_is_joiner(call) && size == sizeof GATEWAY_ASK && data[0] == GATEWAY_NOTE &&
           memcmp(data + 1, GATEWAY_ASK, size - 1) == 0;
}

/* The referee is asked at most once a second for each bot; whoever has asked before gets each
 * answer. */
static void take_ask(const struct gateway *gateway, struct call *call)
{
    struct guest *guest = call->guest;
    const int64_t now_ns = gateway->callers.now_ns;

    if (!guest_may_come_from(guest, call->caller->address) || guest->is_barred || call->is_over) {
        return;
    }
    call->has_asked = true;
    if (guest->asked_ns == 0 || now_ns - guest->asked_ns >= SECOND_NS) {
        /* The answer goes to all connections of this bot that have asked (tell_status), so
         * nobody is passed over. */
        guest->asked_ns = now_ns;
        inside_send(inside_own(), INSIDE__KIND__ASKS, guest->name, 0, NULL);
    }
}

static void tell_status(const struct gateway *gateway, const struct guest *guest, const char *line)
{
    for (int i = 0; i < gateway->callers.count; i++) {
        if (is_call_of(gateway, i, guest) && call_of(gateway, i)->has_asked) {
            call_try_note(call_of(gateway, i), GATEWAY_STATUS, line);
        }
    }
}

/* A connection that does not begin with a Hello is the rest of one that was lost: libzmq connects
 * again by itself, and sends what waited. Its author hears of the loss by the end of this one. */
static void take_message(void *user, struct caller *caller, const void *data, size_t size,
                         int parts)
{
    struct gateway *gateway = user;
    struct call *call = caller->own;

    /* Told in words, as it is a mistake of a bot's author: libzmq sends several frames where a
     * program uses SNDMORE. */
    if (parts > 1) {
        call_dismiss(call, "a message of several frames; send each message as one frame");
    } else if (is_ask(call, data, size)) {
        take_ask(gateway, call);
    } else if (!call->has_begun && !is_hello(data, size)) {
        caller_close(caller);
    } else if (!call->has_begun) {
        begin_call(gateway, call, data, size);
    } else if (!call_send(call, data, size)) {
        /* Too much waits for the referee, or its line has ended. */
        call_end_start(call);
    }
}

static void send_taken(void *user, struct caller *caller)
{
    (void)user;
    if (caller->own != NULL) {
        call_flush(caller->own);
    }
}

/* ------------------------------------------------------------------------ who may come */

/* Of too many connections of a bot the oldest one ends that does not play. */
static void end_excess(const struct gateway *gateway, const struct guest *guest)
{
    struct caller *oldest = NULL;

    /* One at most is too many, as this is looked at with each new one. */
    for (int i = 0; i < gateway->callers.count && guest->connections > KEY_CONNECTIONS; i++) {
        struct caller *caller = gateway->callers.list[i];
        const struct call *call = caller->own;

        if (is_call_of(gateway, i, guest) && caller->watched.fd >= 0 &&
            (!call->has_begun || call->is_over) &&
            (oldest == NULL || caller->begun_ns < oldest->begun_ns)) {
            oldest = caller;
        }
    }
    if (oldest != NULL) {
        caller_close(oldest);
    }
}

static void note_excess(struct gateway *gateway, struct caller *caller)
{
    if (!gateway->has_said_limit) {
        gateway->has_said_limit = true;
        inside_send_limited(caller->address, "too many connections of its key in a minute");
    }
}

static const char *refusal(void *user, struct caller *caller, const uint8_t key[CURVE_KEY])
{
    struct gateway *gateway = user;
    struct guest *guest = guests_by_key(&gateway->guests, key);
    struct call *call;

    /* One answer for all three: who is banned does not hear that the key is known. */
    if (guest == NULL || guest->is_barred || guest->is_gone) {
        inside_send(
            inside_own(), INSIDE__KIND__REFUSED, NULL,
            guest != NULL && guest->is_barred ? DOOR_RESULT_BANNED : DOOR_RESULT_UNKNOWN_KEY, NULL);
        return CURVE_UNKNOWN_KEY;
    }
    call = call_create(&gateway->common, caller, guest);
    if (call == NULL) {
        return "the host is short of memory";
    }
    caller->own = call;
    /* A thief of the key in another network is not counted: it could keep the owner out. */
    call->is_excess = guest_may_come_from(guest, caller->address) &&
                      !guest_may_shake_hands(guest, gateway->callers.now_ns);
    if (call->is_excess) {
        note_excess(gateway, caller);
    }
    guest->connections++;
    end_excess(gateway, guest);
    return NULL;
}

/* Only what the bot's author sees of it: who answers no PING plays on. */
static void measured(void *user, struct caller *caller, int64_t trip_ns)
{
    const struct call *call = caller->own;

    (void)user;
    if (call != NULL && call->has_begun && !call->is_over) {
        inside_send(inside_own(), INSIDE__KIND__TRIP, call->guest->name, trip_ns / 1000, NULL);
    }
}

static void gone(void *user, struct caller *caller)
{
    const struct gateway *gateway = user;
    struct call *call = caller->own;

    /* `turned`: no handshake was completed, as with scanners; who was `refused` is among them. */
    if (!caller->was_ready && !gateway->is_over) {
        inside_send(inside_own(), INSIDE__KIND__TURNED, NULL, 0, caller->address);
    }
    if (call != NULL) {
        call_end(call, gateway->is_over ? "the referee has ended" : "it closed its connection");
        /* calls are freed only here, at the end of a round: callers.h. */
        call->guest->connections--;
        free(call);
    }
}

/* ------------------------------------------------------------------------ the round */

static void take_end(struct gateway *gateway, const Inside__Message *end)
{
    snprintf(gateway->common.ends, sizeof gateway->common.ends, "%s", end->text);
    gateway->common.back_s = end->number;
    for (int i = 0; i < gateway->callers.count; i++) {
        if (call_of(gateway, i) != NULL && call_of(gateway, i)->has_begun) {
            call_tell_end(call_of(gateway, i));
        }
    }
}

/* Tells the referee that connections are taken, with the host's public key. */
static bool open_door(struct gateway *gateway)
{
    char hex[KEY_FILE_DIGITS];

    gateway->is_listening = callers_open(&gateway->callers);
    sodium_bin2hex(hex, sizeof hex, gateway->host.public.key, sizeof gateway->host.public.key);
    return gateway->is_listening && inside_send(inside_own(), INSIDE__KIND__BOUND, NULL, 0, hex);
}

/* What is said of one bot. */
static void take_of_guest(struct gateway *gateway, struct guest *guest,
                          const Inside__Message *message)
{
    switch (message->kind) {
    case INSIDE__KIND__OPEN:
        snprintf(guest->endpoint, sizeof guest->endpoint, "%s", message->text);
        break;
    case INSIDE__KIND__SHUT:
        /* What is connected stays: only the next connection is concerned. */
        guest->endpoint[0] = '\0';
        break;
    case INSIDE__KIND__BAR:
        guest->is_barred = true;
        snprintf(guest->reason, sizeof guest->reason, "%s", message->text);
        dismiss_banned(gateway, guest);
        break;
    case INSIDE__KIND__FORGET:
        forget(gateway, guest);
        break;
    case INSIDE__KIND__KICK:
        kick(gateway, guest);
        break;
    case INSIDE__KIND__WAIT:
        guest->replacements.until_ns = gateway->callers.now_ns + message->number * SECOND_NS;
        break;
    case INSIDE__KIND__STATUS:
        tell_status(gateway, guest, message->text);
        break;
    case INSIDE__KIND__NOTE:
        note(gateway, guest, message->text);
        break;
    default:
        break;
    }
}

static void take_of_referee(void *user, const Inside__Message *message)
{
    struct gateway *gateway = user;
    struct guest *guest = guests_find(&gateway->guests, message->bot);

    switch (message->kind) {
    case INSIDE__KIND__ALLOW:
        gateway->is_over |= !allow(gateway, guest, message);
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
        guests_unbar(&gateway->guests);
        break;
    default:
        if (guest != NULL) {
            take_of_guest(gateway, guest, message);
        }
    }
}

static void on_control(void *user, uint32_t events)
{
    struct gateway *gateway = user;

    (void)events;
    gateway->is_over |= !inside_each(INSIDE_FD, "referee", take_of_referee, gateway);
    /* One of these messages may have been the `open` that a call waits for. */
    connect_calls(gateway);
}

/* Sends what the referee sent last: its Goodbye. */
static void close_gateway(struct gateway *gateway)
{
    gateway->common.is_closing = true;
    for (int i = 0; i < gateway->callers.count; i++) {
        struct call *call = call_of(gateway, i);

        if (call != NULL) {
            /* The referee's last message may be in the socket, unread. */
            call_serve(call);
            call_part(call);
        }
    }
    callers_deinit(&gateway->callers);
    guests_deinit(&gateway->guests);
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
    const struct callers_setup setup = {.host = &gateway.host,
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
    gateway.common.callers = &gateway.callers;
    gateway.control = (struct watched){.fn = on_control, .user = &gateway};
    gateway.is_over = !callers_init(&gateway.callers, &setup, listener) ||
                      !watched_begin(&gateway.control, gateway.callers.epoll, INSIDE_FD, EPOLLIN);
    gateway.callers.pulse = pulse;
    while (!gateway.is_over) {
        gateway.is_over |= !callers_round(&gateway.callers) || !inside_flush(inside_own());
    }
    close_gateway(&gateway);
    return EXIT_DONE;
}
