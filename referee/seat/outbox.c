/* A decision is held back once between two sends, for at most HOLD_NS: if it could be held again
 * and again, a bot that always has something open would never get it. The hold is a deadline of
 * the loop, so that nothing is sent from inside of the bot's own answer. */
#include "outbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "announcement.h"
#include "base/memory.h"

#define HOLD_NS INT64_C(1000000)

void outbox_init(struct outbox *outbox, struct decisions *decisions, struct loop *loop,
                 void (*released)(void *user), void *user)
{
    *outbox =
        (struct outbox){.decisions = decisions, .loop = loop, .released = released, .user = user};
}

void outbox_deinit(struct outbox *outbox)
{
    outbox_reset(outbox);
    results_list_deinit(&outbox->results);
}

void outbox_reset(struct outbox *outbox)
{
    loop_forget(outbox->loop, outbox);
    outbox->holding = outbox->held_since_send = false;
    outbox->announced[0] = '\0';
}

void outbox_note_ready(struct outbox *outbox, const char *game)
{
    snprintf(outbox->announced, sizeof outbox->announced, "%s", game);
}

void outbox_note_trip(struct outbox *outbox, int64_t trip_ns)
{
    outbox->trip_ns = trip_ns;
}

static void on_hold_end(void *user, int64_t now_ns)
{
    struct outbox *outbox = user;

    (void)now_ns;
    outbox->holding = false;
    outbox->released(outbox->user);
}

static bool holds_back(struct outbox *outbox)
{
    const int open = outbox->decisions->open;

    if (open == 0 || outbox->trip_ns >= HOLD_NS ||
        (outbox->is_far && decisions_wait_for(outbox->decisions, (open + 1) / 2))) {
        return false;
    }
    if (outbox->holding) {
        return true;
    }
    if (outbox->held_since_send) {
        return false;
    }
    loop_after(outbox->loop, HOLD_NS, on_hold_end, outbox);
    outbox->holding = outbox->held_since_send = true;
    return true;
}

/* Whether the bot has to be Ready for the slot's game first. A slot of kind NONE only asks that. */
static bool must_announce(const struct outbox *outbox, const struct session_slot *slot)
{
    return slot->ask.kind == BG_DECIDE_NONE ||
           (outbox->announces && strcmp(outbox->announced, slot->ask.game) != 0);
}

bool outbox_is_due(struct outbox *outbox)
{
    const struct decisions *decisions = outbox->decisions;
    bool has_next = decisions->first != NULL && decisions->open < decisions->most;

    /* a stateful bot ends one game before it is announced the next */
    if (has_next && outbox->announces && decisions->open > 0 &&
        must_announce(outbox, decisions->first)) {
        has_next = false;
    }
    return has_next && !holds_back(outbox);
}

/* What comes before a decision that is sent now. */
static void release(const struct outbox *outbox, const struct session_slot *slot)
{
    if (slot->leaving != NULL) {
        slot->leaving(slot->owner);
    } else if (outbox->tells != NULL) { /* the examiner's: a position without a story */
        announcement_tell(outbox->tells, &slot->ask, slot->game_number);
    }
}

/* Opens waiting decisions while there is room, up to the first that must be announced; asks[] gets
 * those to be sent. */
static int open_waiting(struct outbox *outbox, struct bg_ask **asks)
{
    struct decisions *decisions = outbox->decisions;
    struct session_slot *slot;
    int count = 0, from = 0;

    while (decisions->first != NULL && !must_announce(outbox, decisions->first) &&
           (slot = decisions_open(decisions, &from)) != NULL) {
        release(outbox, slot);
        asks[count++] = &slot->ask;
    }
    return count;
}

/* Opens the first waiting slot for its announcement. A decision is in the middle of a game, of
 * which the NewGame shows the position: its clock runs, else a bot would lose its line in each of
 * the opponent's turns, and think before its Ready. */
static struct session_slot *open_announcement(struct outbox *outbox)
{
    int from = 0;
    struct session_slot *slot = decisions_open(outbox->decisions, &from);

    slot->announces = true;
    slot->held = slot->ask.kind != BG_DECIDE_NONE;
    slot->allowed_ns = slot->held ? slot->allowed_ns : outbox->new_game_ns;
    return slot;
}

static int64_t stalled(const struct outbox *outbox, int64_t now_ns)
{
    return outbox->stalled == NULL ? loop_stalled(outbox->loop, now_ns)
                                   : outbox->stalled(outbox->user, now_ns);
}

static void stamp(struct outbox *outbox, struct bg_ask *const *asks, int count)
{
    int64_t now_ns = loop_now(outbox->loop);
    int64_t stalled_ns = stalled(outbox, now_ns);

    outbox->due_ns = INT64_MAX;
    for (int i = 0; i < count; i++) {
        struct session_slot *slot = NULL;

        decisions_find(&slot, outbox->decisions, asks[i]->decision);
        slot->sent_ns = now_ns;
        slot->stalled_ns = stalled_ns;
        outbox->due_ns =
            slot->allowed_ns < outbox->due_ns - now_ns ? now_ns + slot->allowed_ns : outbox->due_ns;
    }
}

static enum bg_status pack_asks(struct outbox *outbox, struct wire_buffer *buffer, bool want_plays,
                                struct bg_ask **asks, int count, struct bg_error *err)
{
    if (want_plays) {
        results_list_fill(&outbox->results, asks, count);
    }
    return wire_pack_asks(buffer, (const struct bg_ask *const *)asks, (size_t)count, err);
}

enum bg_status outbox_pack(struct outbox *outbox, struct wire_buffer *buffer, bool want_plays,
                           struct bg_error *err)
{
    struct bg_ask *asks[DECISIONS_MAX];
    enum bg_status status = BG_OK;
    int count;

    outbox->held_since_send = false;
    if (must_announce(outbox, outbox->decisions->first)) {
        struct session_slot *slot = open_announcement(outbox);

        asks[0] = &slot->ask;
        status = announcement_pack(buffer, &slot->ask, slot->game_number, err);
        stamp(outbox, asks, 1);
        return status;
    }
    count = open_waiting(outbox, asks);
    status = pack_asks(outbox, buffer, want_plays, asks, count, err);
    stamp(outbox, asks, count); /* last, because packing time is not the bot's */
    return status;
}

/* ------------------------------------------------------------------ sending again */

bool outbox_has_held(const struct outbox *outbox)
{
    const struct session_slot *slot = decisions_next_held(outbox->decisions, 0);

    return slot != NULL && !slot->announces;
}

/* What is left on a clock of which spent_ns were used in this turn: first the delay. */
static void run_down(struct bg_ask *ask, int64_t spent_ns)
{
    int64_t delayed_ns = spent_ns < ask->delay_ns[0] ? spent_ns : ask->delay_ns[0];

    if (ask->has_clock && ask->kind != BG_DECIDE_DICE) {
        ask->delay_ns[0] -= delayed_ns;
        ask->left_ns[0] -= spent_ns - delayed_ns;
        ask->left_ns[0] = ask->left_ns[0] > 0 ? ask->left_ns[0] : 0;
    }
    ask->ceiling_ns = ask->ceiling_ns > spent_ns ? ask->ceiling_ns - spent_ns : 0;
}

static enum bg_status announce_held(struct wire_buffer *buffer, struct session_slot *slot,
                                    struct bg_error *err)
{
    slot->announces = true;
    return announcement_pack(buffer, &slot->ask, slot->game_number, err);
}

enum bg_status outbox_pack_held(struct outbox *outbox, struct wire_buffer *buffer, bool want_plays,
                                struct bg_error *err)
{
    struct decisions *decisions = outbox->decisions;
    struct session_slot *slot = decisions_next_held(decisions, 0);
    struct bg_ask *asks[DECISIONS_MAX];
    struct bg_ask *now;
    int64_t now_ns = loop_now(outbox->loop);
    int64_t stalled_ns = stalled(outbox, now_ns);
    enum bg_status status;
    int count = 0;

    if (must_announce(outbox, slot)) {
        return announce_held(buffer, slot, err);
    }
    now = memory_zeroed((size_t)decisions->open, sizeof *now);
    for (; slot != NULL; slot = decisions_next_held(decisions, slot->place + 1)) {
        slot->held = false;
        release(outbox, slot);
        /* A copy with the clock run down: the slot keeps its Ask as it was first sent, because
         * the line may be lost again, and the time is then counted from the same begin. */
        now[count] = slot->ask;
        run_down(&now[count], now_ns - slot->sent_ns - (stalled_ns - slot->stalled_ns));
        asks[count] = &now[count];
        count++;
    }
    status = pack_asks(outbox, buffer, want_plays, asks, count, err);
    free(now);
    return status;
}
