#define _GNU_SOURCE
#include "porch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include <sodium.h>

#include "askers.h"
#include "callers.h"
#include "control.h"
#include "control_queue.h"
#include "exit_status.h"
#include "pace.h"
#include "register.h"
#include "stranger_process.h"
#include "text/units.h"

enum { HASH = 32 };

struct porch {
    struct callers callers;
    struct stranger_process process;
    struct watched control;
    bool is_listening;
    struct askers askers; /* the callers that wait for the host's answer */
    struct pace pace;
    bool is_over;
};

/* Any key passes. */
static const char *refusal(void *user, struct caller *caller, const uint8_t key[CURVE_KEY])
{
    (void)user;
    (void)caller;
    (void)key;
    return NULL;
}

/* ------------------------------------------------------------------------ answers */

static void answer(struct caller *caller, enum register_word word, const char *text)
{
    struct register_answer answer = {.word = word};
    char message[REGISTER_MOST];
    size_t size;

    snprintf(answer.text, sizeof answer.text, "%s", text);
    size = register_answer_write(message, &answer);
    caller_owe(caller, message, size);
    caller_flush(caller);
}

/* "answer NUMBER WORD TEXT": WORD is the number of a register_word. */
static void take_answer(struct porch *porch, char *rest)
{
    const char *first = control_word(&rest), *second = control_word(&rest);
    struct caller *caller;
    uint64_t number;
    int word = 0;

    if (count_read(&number, first, 0, UINT64_MAX, NULL) == BG_OK &&
        int_read(&word, second, 0, REGISTER_REFUSED, NULL) == BG_OK) {
        caller = askers_take(&porch->askers, number);
        if (caller != NULL) {
            answer(caller, (enum register_word)word, rest == NULL ? "" : rest);
        }
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

static void pass_on(struct porch *porch, struct caller *caller, const struct register_ask *ask)
{
    uint64_t number = askers_add(&porch->askers, caller);
    char hash[2 * HASH + 1], key[KEY_FILE_DIGITS];

    hash_token(hash, ask->token);
    sodium_bin2hex(key, sizeof key, caller->curve.peer, CURVE_KEY);
    if (!control_tell("asked %" PRIu64 " %s %s %s %s %s", number, key, hash,
                      ask->next[0] == '\0' ? "-" : ask->next, ask->name, ask->contact)) {
        answer(caller, REGISTER_REFUSED, "the host is busy; ask again later");
        (void)askers_take(&porch->askers, number);
    }
}

static void take_request(void *user, struct caller *caller, const void *data, size_t size,
                         int parts)
{
    struct porch *porch = user;
    struct register_ask ask;
    struct bg_error err = {.text = ""};

    if (parts > 1) {
        return;
    }
    if (!pace_admit(&porch->pace, caller->address, porch->callers.now_ns)) {
        answer(caller, REGISTER_REFUSED,
               "one request a minute is taken from an address; ask again in a minute");
    } else if (register_read(&ask, data, size, &err) != BG_OK) {
        answer(caller, REGISTER_REFUSED, err.text);
    } else {
        pass_on(porch, caller, &ask);
    }
    sodium_memzero(&ask, sizeof ask);
}

static void gone(void *user, struct caller *caller)
{
    struct porch *porch = user;

    askers_forget(&porch->askers, caller);
    if (!caller->was_ready && !porch->is_over) {
        control_tell("turned %s", caller->address);
    }
}

/* ------------------------------------------------------------------------ the round */

static void on_control(void *user, uint32_t events)
{
    struct porch *porch = user;
    char text[CONTROL_TEXT];
    enum control_got got;

    (void)events;
    while ((got = control_take(text, CONTROL_FD)) == CONTROL_LINE) {
        char *rest = text;
        const char *word = control_word(&rest);

        if (strcmp(word, "listen") == 0 && !porch->is_listening) {
            porch->is_listening = callers_open(&porch->callers);
            porch->is_over |= !porch->is_listening || !stranger_process_bound(&porch->process);
        } else if (strcmp(word, "answer") == 0) {
            take_answer(porch, rest);
        } else if (strcmp(word, "mark") == 0) {
            control_tell("marked %s", control_word(&rest));
        }
    }
    porch->is_over |= got == CONTROL_ENDED;
}

int porch_main(int argc, char **argv)
{
    static struct porch porch;
    const struct callers_setup setup = {.host = &porch.process.host,
                                        .message_max = REGISTER_MOST,
                                        .refusal = refusal,
                                        .message = take_request,
                                        .gone = gone,
                                        .user = &porch};
    int exit_status = stranger_process_begin(&porch.process, argc, argv);

    if (exit_status != EXIT_DONE) {
        return exit_status;
    }
    porch.pace.every_ns = PORCH_EVERY_S * INT64_C(1000000000);
    porch.control = (struct watched){.fn = on_control, .user = &porch};
    porch.is_over = !callers_init(&porch.callers, &setup, porch.process.listener) ||
                    !watched_begin(&porch.control, porch.callers.epoll, CONTROL_FD, EPOLLIN);
    while (!porch.is_over) {
        porch.is_over |= !callers_round(&porch.callers) || !control_tell_flush();
    }
    callers_deinit(&porch.callers);
    stranger_process_end(&porch.process);
    return EXIT_DONE;
}
