/* Sessions are visited in the order of their numbers, never in that of their events (due.h): so
 * a simulated event gives the same games whatever order its frames came in. To look through all
 * of them for the owner of a process is only for strangers, of whom there are few. */
#include "roster.h"

#include <stdlib.h>

#include "../log.h"
#include "base/memory.h"

void roster_deinit(struct roster *roster)
{
    for (int i = 0; i < roster->count; i++) {
        session_destroy(roster->sessions[i]);
    }
    free(roster->sessions);
    due_deinit(&roster->due);
    *roster = (struct roster){.sessions = NULL};
}

void roster_add(struct roster *roster, struct session *take)
{
    due_add(&roster->due);
    roster->sessions = memory_list(roster->sessions, &roster->room, (size_t)roster->count + 1,
                                   sizeof(*roster->sessions));
    session_join(take, &roster->due, roster->count);
    roster->sessions[roster->count++] = take;
}

/* Returns the session that owns this process. */
static struct session *find_owner(const struct roster *roster, pid_t pid)
{
    for (int i = 0; i < roster->count && pid != 0; i++) {
        if (session_owns(roster->sessions[i], pid)) {
            return roster->sessions[i];
        }
    }
    return NULL;
}

static void on_stranger(struct roster *roster, pid_t pid)
{
    struct session *thief = find_owner(roster, pid);

    if (thief != NULL) {
        session_on_trespass(thief, pid);
    } else {
        log_warn("roster", "pid=%d tried to connect to a bot's socket and was refused", (int)pid);
    }
}

void roster_on_frame(struct roster *roster, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    switch (frame->what) {
    case LINK_STRANGER:
        on_stranger(roster, frame->pid);
        break;
    case LINK_LOST:
        session_on_lost(frame->user, frame->end, frame->text);
        break;
    default:
        session_on_frame(frame->user, frame, received_ns, lag_ns);
    }
}

void roster_settle(struct roster *roster)
{
    for (int i = -1; (i = due_take_marked(&roster->due, i + 1)) >= 0;) {
        session_settle(roster->sessions[i]);
    }
}

void roster_sweep(struct roster *roster, int64_t now_ns)
{
    due_collect(&roster->due, now_ns);
    for (int i = -1; (i = due_take_late(&roster->due, i + 1)) >= 0;) {
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
