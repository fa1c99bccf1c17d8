#define _GNU_SOURCE
#include "gateway.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <sodium.h>
#include <zmq.h>

#include "confine.h"
#include "control.h"
#include "curve_router.h"
#include "doorman.h"
#include "exit_status.h"
#include "guests.h"
#include "local_line.h"
#include "process/portable.h"
#include "proof/join_key.h"
#include "wire/wire.h"
#include "zap.h"

enum {
    ID_MOST = 256,    /* bytes of libzmq's name of a connection */
    CALLS_MOST = 512, /* connections known at once, with those that have ended here */
    FIXED = 4,        /* places of poll before those of the local connections */
    BATCH = 64        /* most messages taken in one round */
};

static const char MONITOR[] = "inproc://bgref-door";

/* A remote bot's connection. */
struct call {
    uint8_t id[ID_MOST]; /* libzmq's name of it */
    size_t id_size;
    int remote_fd; /* libzmq's descriptor of it: tells which one has ended */
    struct guest *guest;
    int place;    /* of the connections of this bot; the newest one of a place counts */
    bool is_over; /* ended on our side; its frames are dropped until the other side closes */
    void *first;  /* owned: its first message, until the referee waits for this bot; NULL: sent */
    size_t first_size;
    char endpoint[LINK_ENDPOINT]; /* where it was connected, "" nowhere yet */
    struct local_line line;
};

struct gateway {
    struct guests guests;
    struct call *calls[CALLS_MOST]; /* owned */
    int call_count;
    void *context, *router, *rep, *monitor;
    struct join_secret host;
    int listener; /* the doorman's connections come here */
    bool is_listening, is_over;
    int rep_fd, router_fd, monitor_fd; /* libzmq's, see play_round */
    bool router_is_read;               /* the ROUTER had nothing more, and was not used since */
    bool lends;                        /* to several events */
    struct wire_buffer buffer;
};

/* ------------------------------------------------------------------------ to the remote bot */

static bool send_remote(struct gateway *gateway, const struct call *call, const void *data,
                        size_t size)
{
    gateway->router_is_read = false; /* sending may take the signal of a message that came */
    return zmq_send(gateway->router, call->id, call->id_size, ZMQ_DONTWAIT | ZMQ_SNDMORE) >= 0 &&
           zmq_send(gateway->router, data, size, ZMQ_DONTWAIT) >= 0;
}

static void end_call(struct call *call, const char *why)
{
    if (call->line.fd >= 0 && call->line.first != NULL && call->guest->endpoint[0] == '\0') {
        /* the referee has not heard it, and waits there for the next call */
        snprintf(call->guest->endpoint, sizeof call->guest->endpoint, "%s", call->endpoint);
    }
    if (!call->is_over) {
        call->is_over = true;
        control_send(CONTROL_FD, "left %s %s", call->guest->name, why);
    }
    local_line_close(&call->line);
    free(call->first);
    call->first = NULL;
}

static size_t joiner_size(void)
{
    return strlen(GATEWAY_JOINER);
}

static bool is_joiner(const struct call *call)
{
    return call->id_size > joiner_size() && memcmp(call->id, GATEWAY_JOINER, joiner_size()) == 0;
}

/* Only a host that lends sends notes. */
static void send_note(struct gateway *gateway, const struct call *call, const char *word,
                      const char *text)
{
    char note[CONTROL_TEXT];
    int size = snprintf(note, sizeof note, "%c%s %s", '@', word, text);

    note[0] = GATEWAY_NOTE;
    if (gateway->lends && is_joiner(call) && !call->is_over) {
        (void)send_remote(gateway, call, note,
                          (size_t)size < sizeof note ? (size_t)size : sizeof note - 1);
    }
}

/* Ends a call with a Goodbye: the remote side does not come back by itself. */
static void dismiss(struct gateway *gateway, struct call *call, const char *why)
{
    send_note(gateway, call, GATEWAY_LEAVE, "");
    if (!call->is_over && wire_pack_goodbye(&gateway->buffer, why, NULL) == BG_OK) {
        (void)send_remote(gateway, call, gateway->buffer.data, gateway->buffer.size);
    }
    end_call(call, why);
}

/* The referee has ended this start of the bot. A message of no bytes tells the other side. */
static void end_start(struct gateway *gateway, struct call *call)
{
    if (!call->is_over) {
        (void)send_remote(gateway, call, "", 0);
    }
    end_call(call, "the referee has ended this session");
}

struct passing {
    struct gateway *gateway;
    const struct call *call;
};

static bool pass_to_remote(void *user, const void *data, size_t size)
{
    const struct passing *passing = user;

    return send_remote(passing->gateway, passing->call, data, size);
}

static void serve_local(struct gateway *gateway, struct call *call)
{
    struct passing passing = {gateway, call};

    if (call->line.fd >= 0 && !local_line_serve(&call->line, pass_to_remote, &passing)) {
        end_start(gateway, call);
    }
}

/* ------------------------------------------------------------------------ to the referee */

/* Connects a call whose bot the referee waits for. */
static void connect_call(struct call *call)
{
    if (call->is_over || call->first == NULL || call->guest->endpoint[0] == '\0') {
        return;
    }
    if (local_line_connect(&call->line, call->guest->endpoint, call->first, call->first_size,
                           GATEWAY_MESSAGE_BYTES)) {
        control_send(CONTROL_FD, "lent %s %s", call->guest->name, call->guest->endpoint);
        free(call->first);
        call->first = NULL;
        snprintf(call->endpoint, sizeof call->endpoint, "%s", call->guest->endpoint);
        call->guest->endpoint[0] = '\0'; /* a place takes one connection */
    } else {                             /* the referee does not wait there any more */
        call->guest->endpoint[0] = '\0';
    }
}

static void connect_calls(const struct gateway *gateway)
{
    for (int i = 0; i < gateway->call_count; i++) {
        connect_call(gateway->calls[i]);
    }
}

static void free_call(struct gateway *gateway, int i)
{
    end_call(gateway->calls[i], "it closed its connection");
    free(gateway->calls[i]);
    gateway->calls[i] = gateway->calls[--gateway->call_count];
}

/* A connection of this descriptor has ended. */
static void forget_descriptor(struct gateway *gateway, int fd)
{
    for (int i = gateway->call_count; i-- > 0;) {
        if (gateway->calls[i]->remote_fd == fd) {
            free_call(gateway, i);
        }
    }
}

/* libzmq reports the end of a connection before it closes its descriptor, so before another
 * connection can get the same number. */
static void read_monitor(struct gateway *gateway)
{
    for (;;) {
        uint8_t event[6] = {0};
        char address[ID_MOST];
        int32_t value;

        if (zmq_recv(gateway->monitor, event, sizeof event, ZMQ_DONTWAIT) < 0) {
            return;
        }
        (void)zmq_recv(gateway->monitor, address, sizeof address, ZMQ_DONTWAIT);
        memcpy(&value, event + 2, sizeof value);
        forget_descriptor(gateway, value);
    }
}

static struct call *find_call(const struct gateway *gateway, const void *id, size_t size)
{
    for (int i = 0; i < gateway->call_count; i++) {
        if (gateway->calls[i]->id_size == size && memcmp(gateway->calls[i]->id, id, size) == 0) {
            return gateway->calls[i];
        }
    }
    return NULL;
}

static void dismiss_all(struct gateway *gateway, const struct guest *guest, const char *why)
{
    for (int i = 0; i < gateway->call_count; i++) {
        if (gateway->calls[i]->guest == guest) {
            dismiss(gateway, gateway->calls[i], why);
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
static bool allow(struct gateway *gateway, const char *name, const char *hex)
{
    const struct guest *known = guests_find(&gateway->guests, name);
    unsigned char key[KEY_FILE_BYTES];

    if (known != NULL && key_read_hex(key, hex) && memcmp(known->key, key, sizeof key) != 0) {
        dismiss_all(gateway, known, "the host knows another key of this bot now");
    }
    return guests_add(&gateway->guests, name, hex);
}

static void forget(struct gateway *gateway, struct guest *guest)
{
    guest->is_gone = true;
    dismiss_all(gateway, guest, "the host does not know this key any more; ask its operator");
}

static void kick(struct gateway *gateway, const struct guest *guest)
{
    for (int i = 0; i < gateway->call_count; i++) {
        if (gateway->calls[i]->guest == guest) {
            end_start(gateway, gateway->calls[i]);
        }
    }
}

static void note(struct gateway *gateway, const struct guest *guest, const char *text)
{
    for (int i = 0; i < gateway->call_count; i++) {
        if (gateway->calls[i]->guest == guest && gateway->calls[i]->first != NULL) {
            send_note(gateway, gateway->calls[i], GATEWAY_SAY, text);
        }
    }
}

/* The content of a ToReferee is its first field; hello has number 1, and a length. */
static bool is_hello(zmq_msg_t *message)
{
    enum { HELLO = 1 << 3 | 2 };

    return zmq_msg_size(message) > 0 && *(const uint8_t *)zmq_msg_data(message) == HELLO;
}

/* The number of the connection among those of its bot. */
static int place_of(const struct call *call)
{
    int place = is_joiner(call) ? call->id[joiner_size()] - '0' : 0;

    return place >= 0 && place < GATEWAY_AT_ONCE ? place : 0;
}

static void replace_older(struct gateway *gateway, const struct call *call)
{
    for (int i = 0; i < gateway->call_count; i++) {
        struct call *older = gateway->calls[i];

        if (older->guest == call->guest && older->place == call->place && !older->is_over) {
            dismiss(gateway, older, "replaced: this key has connected again");
        }
    }
}

static void dismiss_foreign(struct gateway *gateway, struct call *call, const char *address)
{
    char why[DOORMAN_ADDRESS + 160];

    snprintf(why, sizeof why,
             "the host takes this key from certain networks only, and %s is in none of them; ask "
             "its operator",
             address);
    dismiss(gateway, call, why);
}

/* The first message of a connection: the newest connection of a key (and place) counts. A message
 * that a connection sent before it ended may come after its end was reported, and is no beginning.
 */
static void begin_call(struct gateway *gateway, const void *id, size_t id_size, zmq_msg_t *message)
{
    const char *name = zmq_msg_gets(message, "User-Id");
    struct guest *guest = name == NULL ? NULL : guests_find(&gateway->guests, name);
    struct call *call = calloc(1, sizeof *call);
    char address[DOORMAN_ADDRESS];

    read_monitor(gateway); /* its descriptor may have been another connection's */
    doorman_address_of(address, zmq_msg_get(message, ZMQ_SRCFD));
    if (guest == NULL || guest->is_gone || call == NULL || !is_hello(message) ||
        strcmp(address, "?") == 0 || gateway->call_count == CALLS_MOST || id_size > ID_MOST) {
        free(call);
        return;
    }
    local_line_init(&call->line);
    memcpy(call->id, id, id_size);
    call->id_size = id_size;
    call->guest = guest;
    call->place = place_of(call);
    call->remote_fd = zmq_msg_get(message, ZMQ_SRCFD);
    call->first_size = zmq_msg_size(message);
    call->first = malloc(call->first_size + 1);
    if (call->first == NULL) {
        free(call);
        return;
    }
    memcpy(call->first, zmq_msg_data(message), call->first_size);
    if (!guest_may_come_from(guest, address)) { /* it takes no other's place */
        gateway->calls[gateway->call_count++] = call;
        dismiss_foreign(gateway, call, address);
        return;
    }
    replace_older(gateway, call);
    gateway->calls[gateway->call_count++] = call;
    if (guest->is_barred) { /* since its key was let in */
        dismiss_banned(gateway, guest);
        return;
    }
    send_note(gateway, call, GATEWAY_STAY, "");
    control_send(CONTROL_FD, "came %s %s", guest->name, address);
    connect_call(call);
}

static void take_message(struct gateway *gateway, const void *id, size_t id_size,
                         zmq_msg_t *message, bool is_whole)
{
    struct call *call = find_call(gateway, id, id_size);

    if (call == NULL && is_whole) {
        begin_call(gateway, id, id_size, message);
    } else if (call == NULL || call->is_over) {
        return;
    } else if (!is_whole) {
        dismiss(gateway, call, "a message of several frames; send each message as one frame");
    } else if (call->line.fd >= 0 &&
               !local_line_send(&call->line, zmq_msg_data(message), zmq_msg_size(message))) {
        end_start(gateway, call);
    }
}

/* Takes a message of the ROUTER: the name of its connection, and its frames. */
static bool read_router(struct gateway *gateway)
{
    uint8_t id[ID_MOST];
    zmq_msg_t message, rest;
    int id_size = zmq_recv(gateway->router, id, sizeof id, ZMQ_DONTWAIT);
    bool more, is_whole;

    if (id_size < 0) {
        return false;
    }
    zmq_msg_init(&message);
    (void)zmq_msg_recv(&message, gateway->router, ZMQ_DONTWAIT);
    is_whole = !zmq_msg_more(&message);
    for (more = !is_whole; more;) {
        zmq_msg_init(&rest);
        more = zmq_msg_recv(&rest, gateway->router, ZMQ_DONTWAIT) >= 0 && zmq_msg_more(&rest);
        zmq_msg_close(&rest);
    }
    take_message(gateway, id, id_size > ID_MOST ? ID_MOST : (size_t)id_size, &message, is_whole);
    zmq_msg_close(&message);
    return true;
}

/* ------------------------------------------------------------------------ beginning */

static const char *owner_of(void *user, const uint8_t key[ZAP_KEY])
{
    const struct gateway *gateway = user;
    const struct guest *guest = guests_by_key(&gateway->guests, key);

    return guest == NULL || guest->is_barred || guest->is_gone ? NULL : guest->name;
}

static int fd_of(void *socket)
{
    int fd = -1;
    size_t size = sizeof fd;

    (void)zmq_getsockopt(socket, ZMQ_FD, &fd, &size);
    return fd;
}

static bool failed(const char *what)
{
    control_send(CONTROL_FD, "failed %s: %s", what, zmq_strerror(zmq_errno()));
    return false;
}

/* The ZAP handler is bound before the door opens: without it libzmq would let every key in. */
static bool open_door(struct gateway *gateway, const char *endpoint)
{
    char hex[KEY_FILE_DIGITS];

    gateway->context = zmq_ctx_new();
    gateway->rep = zmq_socket(gateway->context, ZMQ_REP);
    gateway->router = zmq_socket(gateway->context, ZMQ_ROUTER);
    gateway->monitor = zmq_socket(gateway->context, ZMQ_PAIR);
    if (gateway->rep == NULL || gateway->router == NULL || gateway->monitor == NULL ||
        zmq_bind(gateway->rep, ZAP_ENDPOINT) != 0) {
        return failed("sockets");
    }
    if (!curve_router_set(gateway->router, &gateway->host, ZAP_DOMAIN, GATEWAY_MESSAGE_BYTES) ||
        zmq_socket_monitor(gateway->router, MONITOR, ZMQ_EVENT_DISCONNECTED) != 0 ||
        zmq_connect(gateway->monitor, MONITOR) != 0 ||
        zmq_setsockopt(gateway->router, ZMQ_USE_FD, &gateway->listener, sizeof gateway->listener) !=
            0) {
        return failed("settings of the door");
    }
    if (zmq_bind(gateway->router, endpoint) != 0) {
        return failed(endpoint);
    }
    sodium_bin2hex(hex, sizeof hex, gateway->host.public.key, sizeof gateway->host.public.key);
    gateway->rep_fd = fd_of(gateway->rep);
    gateway->router_fd = fd_of(gateway->router);
    gateway->monitor_fd = fd_of(gateway->monitor);
    read_monitor(gateway); /* libzmq signals only what comes after a read that found nothing */
    gateway->is_listening = true;
    return control_send(CONTROL_FD, "bound %s", hex);
}

/* ------------------------------------------------------------------------ the round */

/* What is said of one bot. */
static void take_of_guest(struct gateway *gateway, struct guest *guest, const char *word,
                          char *rest)
{
    if (strcmp(word, "open") == 0) {
        snprintf(guest->endpoint, sizeof guest->endpoint, "%s", control_word(&rest));
    } else if (strcmp(word, "shut") == 0) {
        guest->endpoint[0] = '\0';
    } else if (strcmp(word, "bar") == 0) {
        guest->is_barred = true;
        snprintf(guest->reason, sizeof guest->reason, "%s", rest == NULL ? "" : rest);
        dismiss_banned(gateway, guest);
    } else if (strcmp(word, "forget") == 0) {
        forget(gateway, guest);
    } else if (strcmp(word, "from") == 0) {
        gateway->is_over |= !guest_set_networks(guest, rest);
    } else if (strcmp(word, "kick") == 0) {
        kick(gateway, guest);
    } else if (strcmp(word, "note") == 0) {
        note(gateway, guest, rest == NULL ? "" : rest);
    }
}

static void take_control(struct gateway *gateway, const char *listen)
{
    char text[CONTROL_TEXT];
    enum control_got got;

    while ((got = control_take(text, CONTROL_FD)) == CONTROL_LINE) {
        char *rest = text;
        const char *word = control_word(&rest), *name = control_word(&rest);
        struct guest *guest = guests_find(&gateway->guests, name);

        if (strcmp(word, "allow") == 0) {
            gateway->is_over |= !allow(gateway, name, control_word(&rest));
        } else if (strcmp(word, "lends") == 0) {
            gateway->lends = true;
        } else if (strcmp(word, "listen") == 0 && !gateway->is_listening) {
            gateway->is_over |= !open_door(gateway, listen);
        } else if (strcmp(word, "unbar") == 0) {
            guests_unbar(&gateway->guests);
        } else if (guest != NULL) {
            take_of_guest(gateway, guest, word, rest);
        }
    }
    gateway->is_over |= got == CONTROL_ENDED;
}

static void take_questions(struct gateway *gateway)
{
    char address[ZAP_FRAME];

    while (zap_serve(address, gateway->rep, ZAP_DOMAIN, owner_of, gateway)) {
        if (address[0] != '\0') {
            control_send(CONTROL_FD, "refused");
        }
    }
}

/* Takes messages of the remote bots, at most a round's share. */
static void take_router(struct gateway *gateway)
{
    int left = BATCH;

    while (left > 0 && read_router(gateway)) {
        left--;
    }
    gateway->router_is_read = left > 0;
}

/* Places of poll: FIXED ones, then one for each local connection, in the order of the calls. */
static int list_places(struct pollfd places[FIXED + CALLS_MOST], const struct gateway *gateway)
{
    int count = 0;

    places[count++] = (struct pollfd){CONTROL_FD, POLLIN, 0};
    places[count++] = (struct pollfd){gateway->is_listening ? gateway->rep_fd : -1, POLLIN, 0};
    places[count++] = (struct pollfd){gateway->is_listening ? gateway->router_fd : -1, POLLIN, 0};
    places[count++] = (struct pollfd){gateway->is_listening ? gateway->monitor_fd : -1, POLLIN, 0};
    for (int i = 0; i < gateway->call_count; i++) {
        const struct local_line *line = &gateway->calls[i]->line;

        places[count++] = (struct pollfd){
            line->fd, local_line_wants_writing(line) ? POLLIN | POLLOUT : POLLIN, 0};
    }
    return count;
}

static void serve_readable(struct gateway *gateway, const struct pollfd *places, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; places[i].revents != 0 && j < gateway->call_count; j++) {
            if (gateway->calls[j]->line.fd == places[i].fd) {
                serve_local(gateway, gateway->calls[j]);
            }
        }
    }
}

/* zmq_poll would ask each socket several times a round, with two system calls each time, which
 * costs more than the messages. libzmq's descriptors become readable when something happens to a
 * socket, and any call for the socket may take that signal: so a socket is read until it has
 * nothing, and the ROUTER also after each round in which something was sent. */
static void play_round(struct gateway *gateway, const char *listen)
{
    static struct pollfd places[FIXED + CALLS_MOST];
    int count = list_places(places, gateway);
    bool has_waiting = gateway->is_listening && !gateway->router_is_read;

    if (poll(places, (nfds_t)count, has_waiting ? 0 : -1) < 0) {
        gateway->is_over = errno != EINTR;
        return;
    }
    if (places[0].revents != 0) {
        take_control(gateway, listen);
        connect_calls(gateway);
    }
    if (places[1].revents != 0) {
        take_questions(gateway);
    }
    if (places[3].revents != 0) {
        read_monitor(gateway);
    }
    serve_readable(gateway, places + FIXED, count - FIXED);
    if (gateway->is_listening && (places[2].revents != 0 || !gateway->router_is_read)) {
        take_router(gateway);
    }
}

/* Sends what the referee sent last: its Goodbye. */
static void close_gateway(struct gateway *gateway)
{
    for (int i = 0; i < gateway->call_count; i++) {
        serve_local(gateway, gateway->calls[i]);
        end_call(gateway->calls[i], "the referee has ended");
        free(gateway->calls[i]);
    }
    if (gateway->context != NULL) {
        zmq_close(gateway->monitor);
        zmq_close(gateway->router);
        zmq_close(gateway->rep);
        zmq_ctx_term(gateway->context);
    }
    guests_deinit(&gateway->guests);
    wire_buffer_deinit(&gateway->buffer);
    join_secret_wipe(&gateway->host);
}

int gateway_main(int argc, char **argv)
{
    static struct gateway gateway;
    struct bg_error err = {.text = ""};
    int type = 0;
    socklen_t size = sizeof type;

    if (argc != 3 || getsockopt(CONTROL_FD, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
        type != SOCK_SEQPACKET) {
        fprintf(stderr, "%s: a part of 'bgref tournament', which starts it\n", GATEWAY_NAME);
        return EXIT_MISUSE;
    }
    close_descriptors_from(CONTROL_FD + 1);
    signal(SIGPIPE, SIG_IGN);
    if (sodium_init() < 0 || join_secret_read(&gateway.host, argv[2], &err) != BG_OK) {
        control_send(CONTROL_FD, "failed %s", err.text);
        return EXIT_MISUSE;
    }
    gateway.listener = curve_router_listen(argv[1]);
    if (gateway.listener < 0) {
        control_send(CONTROL_FD, "failed %s: %s", argv[1], strerror(errno));
        return EXIT_SURROUNDINGS;
    }
    confine_child(GATEWAY_NAME);
    while (!gateway.is_over) {
        play_round(&gateway, argv[1]);
    }
    close_gateway(&gateway);
    return EXIT_DONE;
}
