/* What others may ask a session, and leave with it. Apart from session.c, where the state changes:
 * nothing here changes it, and nothing sends. */
#include <stdio.h>

#include "session_inside.h"

enum session_state session_state(const struct session *session)
{
    return session->state;
}

int64_t session_stalled(void *user, int64_t now_ns)
{
    const struct session *session = user;
    const struct session_door *door = session->setup.door;

    /* A remote bot's messages pass a host's door as well: what holds that up is not the bot's
     * time. */
    return loop_stalled(session->setup.loop, now_ns) +
           (door == NULL || door->stalled == NULL ? 0 : door->stalled(door->user, now_ns));
}

link_peer session_peer(const struct session *session)
{
    return session->is_greeted ? session->peer : 0;
}

bool session_owns(const struct session *session, pid_t pid)
{
    return bot_process_owns(session->process, pid);
}

int session_failed_starts(const struct session *session)
{
    return session->failed_starts;
}

bool session_is_away(const struct session *session)
{
    return session->absence == SESSION_AWAY || session->absence == SESSION_EXCUSED;
}

bool session_charge_absence(struct session *session)
{
    bool is_gone = session->absence != SESSION_PRESENT;
    bool was_charged = is_gone && session->is_charged;

    session->is_charged = is_gone;
    return was_charged;
}

const char *session_event(const struct session *session)
{
    return session->setup.event;
}

int session_bot_index(const struct session *session)
{
    return session->setup.bot_index;
}

int session_instance(const struct session *session)
{
    return session->setup.instance;
}

const struct greeting *session_greeting(const struct session *session)
{
    return &session->greeting;
}

int64_t session_cpu_ns(const struct session *session)
{
    return bot_process_cpu_ns(session->process);
}

int session_in_flight(const struct session *session)
{
    return session->decisions.most;
}

uint64_t session_memory(const struct session *session)
{
    return bot_process_memory(session->process);
}

struct session_reply session_reply(const struct session *session)
{
    return session->inbox.reply;
}

bool session_take_thought(struct bg_thought *out, struct session *session)
{
    return inbox_take_thought(out, &session->inbox);
}

const char *session_stderr(struct session *session)
{
    return bot_process_stderr(session->process);
}

struct session_work session_work(const struct session *session)
{
    return session->inbox.work;
}

int *session_tables(struct session *session)
{
    return &session->tables;
}

int session_starts(const struct session *session)
{
    return session->starts;
}

bool session_take_refusals(struct session *session, int most)
{
    bool are_many = session->refusals >= most;

    session->refusals = are_many ? 0 : session->refusals;
    return are_many;
}

void session_take_version(struct session *session, const char *version)
{
    session->takes_version = true;
    snprintf(session->next_version, sizeof session->next_version, "%s", version);
}

struct wire_buffer *session_buffer(struct session *session)
{
    return &session->buffer;
}

void session_tell(struct session *session, struct wire_tells *tells)
{
    struct bg_error err;

    if (session->state == SESSION_READY && session->greeting.want_tells &&
        wire_tells_move(&session->tells, tells, &err) == BG_OK) {
        session_mark(session);
    }
    /* Also if they are not sent: the buffer is for the next ones. */
    tells->size = 0;
}
