/* The author's side of a connection and its line to the referee are two things that end at
 * different times. A call that is over (is_over) has no line to the referee any more, and its
 * connection lives on for the last message; so everything that is said is said before call_end(),
 * and nothing after it.
 *
 * A bot that connects by itself understands Goodbye only; `bgref join` also notes (GATEWAY_NOTE)
 * and an empty message, which is "this start has ended, begin again". Which of both calls is
 * written in the identity that it gave in its handshake: nothing is let in by that, so it needs
 * no proof. */
#define _GNU_SOURCE
#include "call.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "gateway.h"

/* ------------------------------------------------------------------------ to the remote bot */

static void end_line(struct call *call)
{
    (void)watched_end(&call->local, call->common->callers->epoll);
    local_line_close(&call->line);
}

static void say_left(struct call *call, const char *why)
{
    static char nowhere[] = "-";
    Inside__Message message = INSIDE__MESSAGE__INIT;

    message.kind = INSIDE__KIND__LEFT;
    message.bot = call->guest->name;
    message.place = call->endpoint[0] == '\0' ? nowhere : call->endpoint;
    message.text = inside_lent(why);
    inside_put(inside_own(), &message);
}

void call_end(struct call *call, const char *why)
{
    /* The local connection was made, and its handshake not complete: the referee never got the
     * Hello. */
    if (call->line.fd >= 0 && call->line.first != NULL && call->guest->endpoint[0] == '\0') {
        /* the referee has not heard it, and waits there for the next call */
        snprintf(call->guest->endpoint, sizeof call->guest->endpoint, "%s", call->endpoint);
    }
    if (call->has_begun && !call->is_over) {
        say_left(call, why);
    }
    call->is_over = true;
    end_line(call);
    free(call->first);
    call->first = NULL;
    caller_flush(call->caller);
    caller_finish(call->caller);
}

static size_t joiner_size(void)
{
    return strlen(GATEWAY_JOINER);
}

bool call_is_joiner(const struct call *call)
{
    const struct curve *curve = &call->caller->curve;

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

void call_owe_note(const struct call *call, const char *word, const char *text)
{
    char note[GATEWAY_NOTE_BYTES];

    if (call_is_joiner(call) && !call->is_over) {
        caller_owe(call->caller, note, write_note(note, word, text));
        caller_flush(call->caller);
    }
}

void call_try_note(const struct call *call, const char *word, const char *text)
{
    char note[GATEWAY_NOTE_BYTES];

    if (call_is_joiner(call) && !call->is_over &&
        caller_send(call->caller, note, write_note(note, word, text))) {
        caller_flush(call->caller);
    }
}

void call_note_if_lends(const struct call *call, const char *word, const char *text)
{
    if (call->common->lends) {
        call_owe_note(call, word, text);
    }
}

typedef enum bg_status (*goodbye_fn)(struct wire_buffer *, const char *, struct bg_error *);

static void say_goodbye(struct call *call, const char *why, goodbye_fn pack)
{
    struct wire_buffer *buffer = &call->common->buffer;

    /* Where several events share the gateway an event's Goodbye does not end the stay; this one
     * does. */
    call_note_if_lends(call, GATEWAY_LEAVE, "");
    if (!call->is_over && pack(buffer, why, NULL) == BG_OK) {
        caller_owe(call->caller, buffer->data, buffer->size);
    }
}

void call_dismiss(struct call *call, const char *why)
{
    say_goodbye(call, why, wire_pack_goodbye);
    call_end(call, why);
}

void call_tell_end(const struct call *call)
{
    char note[INSIDE_TEXT + 24];

    if (call->common->ends[0] == '\0') {
        return;
    }
    if (call->common->back_s < 0) {
        call_owe_note(call, GATEWAY_SAY, call->common->ends);
        call_owe_note(call, GATEWAY_LEAVE, "");
    } else {
        call_owe_note(call, GATEWAY_STAY, "");
        snprintf(note, sizeof note, "%" PRId64 " %s", call->common->back_s, call->common->ends);
        call_owe_note(call, GATEWAY_ENDS, note);
    }
}

void call_replace(struct call *call)
{
    static const char why[] = "replaced: this key has connected again";

    say_goodbye(call, why, wire_pack_replaced);
    call_end(call, why);
}

/* A message of no bytes tells a joiner to start again. A bot that has connected by itself knows
 * none: its line ends. */
static void end_start_because(struct call *call, const char *why)
{
    if (call_is_joiner(call) && !call->is_over) {
        caller_owe(call->caller, "", 0);
    }
    call_end(call, why);
}

/* Whether the end of a call is a Goodbye: there is nothing to start again for. While games of a
 * host that ends for good still run, a joiner may come again. */
static bool ends_for_good(const struct call *call)
{
    const struct call_common *common = call->common;

    return common->ends[0] != '\0' &&
           (!call_is_joiner(call) || (common->is_closing && common->back_s < 0));
}

/* Whose line is lost, or who does not read, has ended its start itself: it counts. */
void call_end_start(struct call *call)
{
    /* The referee has ended this start, not its author: it counts against no limit. */
    if (!call->is_over && !call->is_unread && call->caller->watched.fd >= 0) {
        guest_forgive(call->guest);
    }
    if (ends_for_good(call)) {
        call_dismiss(call, call->common->ends);
    } else {
        end_start_because(call, "the referee has ended this session");
    }
}

/* Its key has come too often. An ERROR in the handshake would be no cheaper, and a client on libzmq
 * never tries again after one; this one starts again, later each time. */
void call_send_away(struct call *call)
{
    static const char why[] =
        "too many connections of this key in a minute; the host takes it again in a few seconds";

    /* A bot by itself knows no pause: its line ends with the reason. */
    if (!call_is_joiner(call)) {
        call_dismiss(call, why);
        return;
    }
    call_owe_note(call, GATEWAY_SAY, why);
    end_start_because(call, why);
}

static bool pass_to_remote(void *user, const void *data, size_t size)
{
    struct call *call = user;

    /* Kept, because call_end_start() has to know later whose fault the end is. */
    call->is_unread = !caller_send(call->caller, data, size);
    return !call->is_unread;
}

int call_place(const struct call *call)
{
    int place = call_is_joiner(call) ? call->caller->curve.identity[joiner_size()] - '0' : 0;

    return place >= 0 && place < GATEWAY_AT_ONCE ? place : 0;
}

bool call_is_same_run(const struct call *one, const struct call *other)
{
    const struct curve *x = &one->caller->curve, *y = &other->caller->curve;
    size_t at = joiner_size() + GATEWAY_RUN_AT;

    return call_is_joiner(one) && call_is_joiner(other) && x->identity_size >= at + GATEWAY_RUN &&
           y->identity_size >= at + GATEWAY_RUN &&
           /* The same run of a joiner comes again after its line was lost: that is no second
            * program. */
           memcmp(x->identity + at, y->identity + at, GATEWAY_RUN) == 0;
}

void call_let_wait(struct call *call, int64_t wait_ns, const char *why)
{
    char text[256];

    /* Rounded up: who comes in the last second would be sent away once more. */
    snprintf(text, sizeof text, "%d %s", (int)((wait_ns + 999999999) / 1000000000), why);
    call_owe_note(call, GATEWAY_WAIT, text);
    if (call_is_joiner(call)) {
        end_start_because(call, why);
    } else {
        call_dismiss(call, why);
    }
}

void call_dismiss_foreign(struct call *call, const char *address)
{
    char why[HANDOVER_ADDRESS + 160];

    snprintf(why, sizeof why,
             "the host takes this key from certain networks only, and %s is in none of them; ask "
             "its operator",
             address);
    say_goodbye(call, why, wire_pack_goodbye);
    call_end(call, "its key is not taken from its network"); /* a log may be without addresses */
}

void call_refuse_hello(struct call *call, size_t size)
{
    struct wire_buffer *buffer = &call->common->buffer;

    inside_send(inside_own(), INSIDE__KIND__LARGE, call->guest->name, (int64_t)size,
                call->caller->address);
    if (wire_pack_refusal(buffer, "hello", GATEWAY_HELLO, NULL) == BG_OK) {
        caller_owe(call->caller, buffer->data, buffer->size);
    }
    call_end(call, "its Hello is too large");
}

void call_part(struct call *call)
{
    if (!call->is_over && ends_for_good(call)) {
        call_dismiss(call, call->common->ends);
    }
}

/* ------------------------------------------------------------------------ to the referee */

static void watch_line(struct call *call)
{
    watched_change(&call->local, call->common->callers->epoll,
                   local_line_wants_writing(&call->line) ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

/* An author who does not read, and for whom too much waits, loses this start. */
static void on_local(void *user, uint32_t events)
{
    struct call *call = user;

    /* An end of the line is found by reading it, so which event woke us does not matter. */
    (void)events;
    if (!local_line_serve(&call->line, pass_to_remote, call)) {
        call_end_start(call);
        return;
    }
    caller_flush(call->caller);
    watch_line(call);
}

void call_connect(struct call *call)
{
    if (call->is_over || call->first == NULL || call->guest->endpoint[0] == '\0') {
        return;
    }
    if (local_line_connect(&call->line, call->guest->endpoint, call->first, call->first_size,
                           GATEWAY_MESSAGE_BYTES) &&
        watched_begin(&call->local, call->common->callers->epoll, call->line.fd, EPOLLIN)) {
        inside_send(inside_own(), INSIDE__KIND__LENT, call->guest->name, 0, call->guest->endpoint);
        free(call->first);
        call->first = NULL;
        snprintf(call->endpoint, sizeof call->endpoint, "%s", call->guest->endpoint);
        watch_line(call);
    } else { /* the referee does not wait there any more */
        end_line(call);
    }
    call->guest->endpoint[0] = '\0'; /* a place takes one connection */
}

struct call *call_create(struct call_common *common, struct caller *caller, struct guest *guest)
{
    struct call *call = calloc(1, sizeof *call);

    if (call != NULL) {
        *call = (struct call){.common = common,
                              .caller = caller,
                              .guest = guest,
                              .local = {.fd = -1, .fn = on_local, .user = call}};
        local_line_init(&call->line);
    }
    return call;
}

bool call_send(struct call *call, const void *data, size_t size)
{
    return call->line.fd < 0 || local_line_send(&call->line, data, size);
}

void call_serve(struct call *call)
{
    if (call->line.fd >= 0) {
        on_local(call, 0);
    }
}

void call_flush(struct call *call)
{
    if (call->line.fd < 0) {
        return;
    }
    if (local_line_flush(&call->line)) {
        watch_line(call);
    } else {
        call_end_start(call);
    }
}
