#define _GNU_SOURCE
#include "porch.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <sodium.h>
#include <zmq.h>

#include "askers.h"
#include "confine.h"
#include "control.h"
#include "curve_router.h"
#include "doorman.h"
#include "exit_status.h"
#include "pace.h"
#include "process/portable.h"
#include "proof/join_key.h"
#include "register.h"
#include "text/units.h"
#include "zap.h"

enum { BATCH = 16, HASH = 32 };

struct porch {
    void *context, *router, *rep;
    int listener;
    bool is_listening;
    struct join_secret host;
    struct askers askers; /* who waits for the host's answer */
    struct pace pace;
    bool is_over;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Any key passes; its digits become the user id of the connection. */
static const char *owner_of(void *user, const uint8_t key[ZAP_KEY])
{
    static char hex[KEY_FILE_DIGITS];

    (void)user;
    sodium_bin2hex(hex, sizeof hex, key, ZAP_KEY);
    return hex;
}

/* ------------------------------------------------------------------------ answers */

static void answer(const struct porch *porch, const struct asker *asker, enum register_word word,
                   const char *text)
{
    struct register_answer answer = {.word = word};
    char message[REGISTER_MOST];
    size_t size;

    snprintf(answer.text, sizeof answer.text, "%s", text);
    size = register_answer_write(message, &answer);
    if (zmq_send(porch->router, asker->id, asker->id_size, ZMQ_DONTWAIT | ZMQ_SNDMORE) >= 0) {
        (void)zmq_send(porch->router, message, size, ZMQ_DONTWAIT);
    }
}

/* "answer NUMBER WORD TEXT": WORD is the number of a register_word. */
static void take_answer(struct porch *porch, char *rest)
{
    const char *first = control_word(&rest), *second = control_word(&rest);
    struct asker asker;
    uint64_t number;
    int word = 0;

    if (count_read(&number, first, 0, UINT64_MAX, NULL) == BG_OK &&
        int_read(&word, second, 0, REGISTER_REFUSED, NULL) == BG_OK &&
        askers_take(&asker, &porch->askers, number)) {
        answer(porch, &asker, (enum register_word)word, rest == NULL ? "" : rest);
    }
}

/* ------------------------------------------------------------------------ requests */

/* Writes the digits of a token's BLAKE2b; "-": there is no token. */
static void hash_token(char out[2 * HASH + 1], const char *token)
{
    unsigned char bytes[REGISTER_TOKEN / 2], hash[HASH];

    snprintf(out, 2 * HASH + 1, "-");
    if (token[0] != '\0' &&
        sodium_hex2bin(bytes, sizeof bytes, token, REGISTER_TOKEN - 1, NULL, NULL, NULL) == 0) {
        crypto_generichash(hash, sizeof hash, bytes, sizeof bytes, NULL, 0);
        sodium_bin2hex(out, 2 * HASH + 1, hash, sizeof hash);
    }
    sodium_memzero(bytes, sizeof bytes);
}

static void pass_on(struct porch *porch, const struct asker *asker, const char *key,
                    const struct register_ask *ask)
{
    uint64_t number = askers_add(&porch->askers, asker);
    char hash[2 * HASH + 1];
    struct asker none;

    hash_token(hash, ask->token);
    if (!control_send(CONTROL_FD, "asked %" PRIu64 " %s %s %s %s %s", number, key, hash,
                      ask->next[0] == '\0' ? "-" : ask->next, ask->name, ask->contact)) {
        answer(porch, asker, REGISTER_REFUSED, "the host is busy; ask again later");
        (void)askers_take(&none, &porch->askers, number);
    }
}

static void take_request(struct porch *porch, const struct asker *asker, zmq_msg_t *message)
{
    const char *key = zmq_msg_gets(message, "User-Id");
    struct register_ask ask;
    struct bg_error err = {.text = ""};
    char address[DOORMAN_ADDRESS];

    doorman_address_of(address, zmq_msg_get(message, ZMQ_SRCFD));
    if (key == NULL) {
        return;
    }
    if (!pace_admit(&porch->pace, address, now_ns())) {
        answer(porch, asker, REGISTER_REFUSED,
               "one request a minute is taken from an address; ask again in a minute");
    } else if (register_read(&ask, zmq_msg_data(message), zmq_msg_size(message), &err) != BG_OK) {
        answer(porch, asker, REGISTER_REFUSED, err.text);
    } else {
        pass_on(porch, asker, key, &ask);
    }
    sodium_memzero(&ask, sizeof ask);
}

/* Takes a message of the ROUTER: the name of its connection, and its frames. */
static bool read_router(struct porch *porch)
{
    struct asker asker;
    zmq_msg_t message, rest;
    int id_size = zmq_recv(porch->router, asker.id, sizeof asker.id, ZMQ_DONTWAIT);
    bool more, is_whole;

    if (id_size < 0) {
        return false;
    }
    asker.id_size = (size_t)id_size;
    zmq_msg_init(&message);
    (void)zmq_msg_recv(&message, porch->router, ZMQ_DONTWAIT);
    is_whole = !zmq_msg_more(&message);
    for (more = !is_whole; more;) {
        zmq_msg_init(&rest);
        more = zmq_msg_recv(&rest, porch->router, ZMQ_DONTWAIT) >= 0 && zmq_msg_more(&rest);
        zmq_msg_close(&rest);
    }
    if (is_whole && id_size > 0 && id_size <= ASKER_ID) {
        take_request(porch, &asker, &message);
    }
    zmq_msg_close(&message);
    return true;
}

/* ------------------------------------------------------------------------ beginning and end */

static bool failed(const char *what)
{
    control_send(CONTROL_FD, "failed %s: %s", what, zmq_strerror(zmq_errno()));
    return false;
}

/* The ZAP handler is bound before the porch opens, as the gateway's. */
static bool open_porch(struct porch *porch, const char *endpoint)
{
    char hex[KEY_FILE_DIGITS];

    porch->context = zmq_ctx_new();
    porch->rep = zmq_socket(porch->context, ZMQ_REP);
    porch->router = zmq_socket(porch->context, ZMQ_ROUTER);
    if (porch->rep == NULL || porch->router == NULL || zmq_bind(porch->rep, ZAP_ENDPOINT) != 0) {
        return failed("sockets");
    }
    if (!curve_router_set(porch->router, &porch->host, ZAP_PORCH, REGISTER_MOST) ||
        zmq_setsockopt(porch->router, ZMQ_USE_FD, &porch->listener, sizeof porch->listener) != 0) {
        return failed("settings of the porch");
    }
    if (zmq_bind(porch->router, endpoint) != 0) {
        return failed(endpoint);
    }
    sodium_bin2hex(hex, sizeof hex, porch->host.public.key, sizeof porch->host.public.key);
    porch->is_listening = true;
    return control_send(CONTROL_FD, "bound %s", hex);
}

static void close_porch(struct porch *porch)
{
    if (porch->context != NULL) {
        zmq_close(porch->router);
        zmq_close(porch->rep);
        zmq_ctx_term(porch->context);
    }
    join_secret_wipe(&porch->host);
}

/* ------------------------------------------------------------------------ the round */

static void take_control(struct porch *porch, const char *listen)
{
    char text[CONTROL_TEXT];
    enum control_got got;

    while ((got = control_take(text, CONTROL_FD)) == CONTROL_LINE) {
        char *rest = text;
        const char *word = control_word(&rest);

        if (strcmp(word, "listen") == 0 && !porch->is_listening) {
            porch->is_over |= !open_porch(porch, listen);
        } else if (strcmp(word, "answer") == 0) {
            take_answer(porch, rest);
        }
    }
    porch->is_over |= got == CONTROL_ENDED;
}

static void play_round(struct porch *porch, const char *listen)
{
    zmq_pollitem_t items[] = {{NULL, CONTROL_FD, ZMQ_POLLIN, 0},
                              {porch->rep, 0, ZMQ_POLLIN, 0},
                              {porch->router, 0, ZMQ_POLLIN, 0}};
    char address[ZAP_FRAME];

    if (zmq_poll(items, porch->is_listening ? 3 : 1, -1) < 0 && zmq_errno() != EINTR) {
        porch->is_over = true;
        return;
    }
    take_control(porch, listen);
    if (porch->is_listening) {
        while (zap_serve(address, porch->rep, ZAP_PORCH, owner_of, NULL)) {
        }
        for (int i = 0; i < BATCH && read_router(porch); i++) {
        }
    }
}

int porch_main(int argc, char **argv)
{
    static struct porch porch;
    struct bg_error err = {.text = ""};
    int type = 0;
    socklen_t size = sizeof type;

    if (argc != 3 || getsockopt(CONTROL_FD, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
        type != SOCK_SEQPACKET) {
        fprintf(stderr, "%s: a part of 'bgref host', which starts it\n", PORCH_NAME);
        return EXIT_MISUSE;
    }
    close_descriptors_from(CONTROL_FD + 1);
    signal(SIGPIPE, SIG_IGN);
    porch.pace.every_ns = PORCH_EVERY_S * INT64_C(1000000000);
    if (sodium_init() < 0 || join_secret_read(&porch.host, argv[2], &err) != BG_OK) {
        control_send(CONTROL_FD, "failed %s", err.text);
        return EXIT_MISUSE;
    }
    porch.listener = curve_router_listen(argv[1]);
    if (porch.listener < 0) {
        control_send(CONTROL_FD, "failed %s: %s", argv[1], strerror(errno));
        return EXIT_SURROUNDINGS;
    }
    confine_child(PORCH_NAME);
    while (!porch.is_over) {
        play_round(&porch, argv[1]);
    }
    close_porch(&porch);
    return EXIT_DONE;
}
