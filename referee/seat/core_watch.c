/* One deadline for all open decisions of a bot, and one look for all that are due at it: a look
 * reads a file of /proc for each of the bot's threads, which is far dearer than the arithmetic.
 * Looks are shared by count, since the decisions that lent one are closed in any order. */
#include "core_watch.h"

#define MS_NS INT64_C(1000000)
/* Less is not worth a word in a record. */
#define LEAST_NS (MS_NS / 10)

/* How long after its sending a decision gets its first look. A bank pays for each millisecond; with
 * a limit for each decision a wait matters only if the limit is reached. */
static int64_t first_look_ns(const struct session_slot *slot)
{
    return slot->pays_bank || slot->allowed_ns < 16 * MS_NS ? MS_NS : slot->allowed_ns / 16;
}

static void arm(struct core_watch *watch, int64_t delay_ns);

/* Takes a first look for all that are due; they share it. */
static void on_due(void *user, int64_t now_ns)
{
    struct core_watch *watch = user;
    struct core_look *look = NULL;
    int64_t next_ns = INT64_MAX;

    watch->is_armed = false;
    for (int i = 0; i < watch->decisions->span; i++) {
        struct session_slot *slot = watch->decisions->place[i].slot;
        int64_t left_ns = slot == NULL || slot->look != NULL || slot->is_unseen
                              ? INT64_MAX
                              : slot->sent_ns + first_look_ns(slot) - now_ns;

        if (left_ns > 0) {
            next_ns = left_ns < next_ns ? left_ns : next_ns;
            continue;
        }
        look = look != NULL ? look : bot_process_core_look(watch->process, now_ns);
        slot->look = look;
        slot->is_unseen = look == NULL; /* it is not tried again for this one */
        if (look != NULL) {
            look->uses++;
        }
    }
    if (next_ns != INT64_MAX) {
        arm(watch, next_ns);
    }
}

static void arm(struct core_watch *watch, int64_t delay_ns)
{
    loop_after(watch->loop, delay_ns, on_due, watch);
    watch->is_armed = true;
}

void core_watch_sent(struct core_watch *watch)
{
    int64_t first_ns = INT64_MAX;

    if (watch->process == NULL || watch->is_armed) {
        return; /* all decisions of a bot are of one clock: none that is sent later is due before */
    }
    for (int i = 0; i < watch->decisions->span; i++) {
        const struct session_slot *slot = watch->decisions->place[i].slot;

        if (slot != NULL && slot->look == NULL && !slot->is_unseen &&
            first_look_ns(slot) < first_ns) {
            first_ns = first_look_ns(slot);
        }
    }
    if (first_ns != INT64_MAX) {
        arm(watch, first_ns);
    }
}

void core_watch_end(struct core_watch *watch)
{
    loop_forget(watch->loop, watch);
    watch->is_armed = false;
    core_look_release(watch->last);
    watch->last = NULL;
}

/* Brings slot->waited_ns and slot->doubt_ns of an open decision up to date, if it has had its first
 * look. */
static void core_watch_measure(struct core_watch *watch, struct session_slot *slot, int64_t now_ns)
{
    struct core_wait wait;

    if (slot->look == NULL) {
        return;
    }
    if (watch->last == NULL || watch->last->at_ns != now_ns) {
        core_look_release(watch->last);
        watch->last = bot_process_core_look(watch->process, now_ns);
        if (watch->last == NULL) {
            return;
        }
        watch->last->uses = 1;
    }
    wait = core_wait_between(slot->look, watch->last, slot->sent_ns);
    slot->waited_ns = wait.known_ns < LEAST_NS ? 0 : wait.known_ns;
    slot->doubt_ns = wait.possible_ns - slot->waited_ns;
    slot->is_stopped = watch->last->is_stopped;
}

struct session_slot *core_watch_overdue(int64_t *spent_ns, struct core_watch *watch, int64_t now_ns,
                                        int64_t stalled_ns)
{
    struct session_slot *slot = NULL, *before;

    do { /* one that was measured comes again only if it is overdue still */
        before = slot;
        slot = decisions_overdue(spent_ns, watch->decisions, now_ns, stalled_ns);
        if (slot != NULL && slot != before) {
            core_watch_measure(watch, slot, now_ns);
        }
    } while (slot != before && slot != NULL);
    return slot;
}

int64_t core_watch_answered(struct core_watch *watch, struct session_slot *slot,
                            int64_t received_ns, int64_t charged_ns)
{
    slot->waited_ns = 0;
    if (charged_ns > slot->allowed_ns || slot->pays_bank) {
        core_watch_measure(watch, slot, received_ns);
    }
    slot->waited_ns = slot->waited_ns < charged_ns ? slot->waited_ns : charged_ns;
    return slot->waited_ns;
}
