#include "roster.h"

#include <stdlib.h>
#include <string.h>

void roster_deinit(struct roster *roster)
{
    for (int i = 0; i < roster->count; i++) {
        session_destroy(roster->sessions[i]);
    }
    free(roster->sessions);
    *roster = (struct roster){.sessions = NULL};
}

enum bg_status roster_add(struct roster *roster, struct session *take, struct bg_error *err)
{
    if (roster->count == roster->room) {
        int room = roster->room == 0 ? 16 : 2 * roster->room;
        struct session **sessions = realloc(roster->sessions, (size_t)room * sizeof(*sessions));

        if (sessions == NULL) {
            session_destroy(take);
            return bg_error_set(err, BG_E_MEMORY, "roster");
        }
        roster->sessions = sessions;
        roster->room = room;
    }
    roster->sessions[roster->count++] = take;
    return BG_OK;
}

static bool is_peer_of(const struct session *session, const struct link_peer *peer)
{
    const struct link_peer *own = session_peer(session);

    return own != NULL && link_peer_equal(own, peer);
}

static struct session *find_peer(struct roster *roster, const struct link_peer *peer)
{
    if (roster->last < roster->count && is_peer_of(roster->sessions[roster->last], peer)) {
        return roster->sessions[roster->last];
    }
    for (int i = 0; i < roster->count; i++) {
        if (is_peer_of(roster->sessions[i], peer)) {
            roster->last = i;
            return roster->sessions[i];
        }
    }
    return NULL;
}

static struct session *find_token(const struct roster *roster, const char *token)
{
    for (int i = 0; i < roster->count; i++) {
        struct session *session = roster->sessions[i];

        if (session_state(session) == SESSION_STARTING &&
            strcmp(session_token(session), token) == 0) {
            return session;
        }
    }
    return NULL;
}

/* The session whose process this is. */
static struct session *find_owner(const struct roster *roster, pid_t pid)
{
    for (int i = 0; i < roster->count && pid != 0; i++) {
        if (session_owns(roster->sessions[i], pid)) {
            return roster->sessions[i];
        }
    }
    return NULL;
}

/* What comes by a connection that is no session's still costs us time, which a bot pays for. */
static void on_stranger(struct roster *roster, const struct link_frame *frame, pid_t pid,
                        int64_t received_ns)
{
    struct session *session = find_owner(roster, pid);

    roster->strangers++;
    roster->stranger = frame->peer;
    if (session != NULL) {
        session_on_stray(session, frame->size, received_ns);
    }
}

/* A frame of a peer that is no session's: a greeting, or a stranger. */
static void on_new_peer(struct roster *roster, struct link *link, struct wire_reader *reader,
                        const struct link_frame *frame, int64_t received_ns)
{
    pid_t pid = link->ops->sender_pid(link);
    struct session *session = NULL;
    struct wire_message message;
    struct bg_error err;

    if (wire_unpack_to_referee(&message, reader, frame->data, frame->size, &err) != BG_OK) {
        session = find_owner(roster, pid);
        /* What a stranger still has on its way when its process is ended is no first message of the
         * next one, though that may have the same descriptor. */
        if (session != NULL && session_state(session) == SESSION_STARTING &&
            !link_peer_equal(&frame->peer, &roster->stranger)) {
            session_on_no_hello(session, err.text);
            return;
        }
    } else if (message.content == WIRE_HELLO) {
        session = find_token(roster, message.hello->token);
        if (session != NULL) {
            session_on_hello(session, &frame->peer, message.hello, pid);
            return;
        }
    }
    on_stranger(roster, frame, pid, received_ns);
}

void roster_on_frame(struct roster *roster, struct link *link, struct wire_reader *reader,
                     const struct link_frame *frame, int64_t received_ns, int64_t lag_ns)
{
    struct session *session = find_peer(roster, &frame->peer);

    if (session != NULL) {
        session_on_frame(session, frame, received_ns, lag_ns);
    } else {
        on_new_peer(roster, link, reader, frame, received_ns);
    }
}

void roster_on_lost(struct roster *roster, struct link *link)
{
    struct link_loss loss;

    while (link->ops->next_lost(&loss, link)) {
        struct session *session = find_peer(roster, &loss.peer);

        if (session != NULL) { /* else its process is gone already */
            session_on_lost(session, loss.by_us);
        }
    }
}

void roster_settle(struct roster *roster)
{
    for (int i = 0; i < roster->count; i++) {
        session_settle(roster->sessions[i]);
    }
}

void roster_sweep(struct roster *roster, int64_t now_ns)
{
    for (int i = 0; i < roster->count; i++) {
        session_sweep(roster->sessions[i], now_ns);
    }
}

bool roster_close(struct roster *roster, const char *why)
{
    for (int i = 0; i < roster->count; i++) {
        session_close(roster->sessions[i], why);
    }
    return roster_is_down(roster);
}

bool roster_is_down(const struct roster *roster)
{
    for (int i = 0; i < roster->count; i++) {
        if (session_state(roster->sessions[i]) != SESSION_DOWN) {
            return false;
        }
    }
    return true;
}
