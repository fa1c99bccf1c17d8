/* The size is checked before the message is unpacked, so that what is too large costs nothing
 * but its reading. One message is charged at most one fault, whatever it holds: else a bot could
 * be quarantined by one mistake in a batch. */
#include "inbox.h"

#include <inttypes.h>
#include <stdio.h>

#include "../log.h"
#include "greeting.h"

enum bg_fault inbox_read(struct wire_message *message, char text[INBOX_TEXT],
                         const struct link_frame *frame, struct wire_reader *reader)
{
    struct bg_error err;

    if (frame->what != LINK_MESSAGE) {
        snprintf(text, INBOX_TEXT, "%s", greeting_parts(frame->what));
        return BG_FAULT_GARBLED;
    }
    if (frame->size > GREETING_MESSAGE_BYTES) {
        snprintf(text, INBOX_TEXT, "a message of %zu bytes; at most %d are allowed", frame->size,
                 GREETING_MESSAGE_BYTES);
        return BG_FAULT_OVERSIZED;
    }
    if (wire_unpack_to_referee(message, reader, frame->data, frame->size, &err) != BG_OK) {
        snprintf(text, INBOX_TEXT, "%s", err.text);
        return BG_FAULT_GARBLED;
    }
    return BG_FAULT_NONE;
}

/* A late answer is not a fault: it may have been sent before its deadline was known to have passed.
 * Log it once, for the bot's author. */
static void note_late_answer(struct inbox *inbox, const struct bg_answer *answer)
{
    if (!inbox->said_late_answer) {
        inbox->said_late_answer = true;
        log_info("session",
                 "bot=%s answered decision %" PRIu64
                 " again, or after its deadline: ignored; further "
                 "such answers are not logged",
                 inbox->bot, answer->decision);
    }
}

/* Closes the answered decision and measures its time. */
static void take_open(struct inbox *inbox, struct session_slot *slot,
                      const struct bg_answer *answer, const struct receipt *receipt)
{
    int64_t spent_ns = receipt->received_ns - slot->sent_ns;
    int64_t credit_ns = receipt->stalled_ns - slot->stalled_ns, waited_ns;

    /* The larger, not the sum: while the referee was held up, the frame also lay in its queue. */
    credit_ns = credit_ns > receipt->queue_ns ? credit_ns : receipt->queue_ns;
    credit_ns = credit_ns < spent_ns ? credit_ns : spent_ns;
    waited_ns =
        inbox->listener->waited(inbox->user, slot, receipt->received_ns, spent_ns - credit_ns);
    /* Before the listener hears of it: it may ask the next decision at once, and needs the
     * place. */
    decisions_close(inbox->decisions, slot);
    inbox->work.decisions++;
    inbox->work.spent_ns += spent_ns;
    inbox->credit->given_ns += credit_ns;
    inbox->credit->waited_ns += waited_ns;
    inbox->listener->answered(inbox->user, slot, answer, spent_ns, credit_ns + waited_ns);
}

/* Handles one answer. Returns false if it is ignored: its decision is already closed, or it is a
 * further unknown number in the same message (a message is charged at most one fault). */
static bool take_answer(bool *strayed, struct inbox *inbox, const struct bg_answer *answer,
                        const struct receipt *receipt)
{
    struct session_slot *slot = NULL;
    enum decision_found found = decisions_find(&slot, inbox->decisions, answer->decision);

    if (found == DECISION_OPEN && slot->announces) { /* it was not asked yet */
        found = DECISION_NEVER;
    }
    if (found == DECISION_NEVER && !*strayed) {
        char text[120];

        *strayed = true;
        snprintf(text, sizeof text,
                 "an answer to decision %" PRIu64 ", which was never asked; use the Ask's number",
                 answer->decision);
        inbox->listener->strayed(inbox->user, text);
        return true;
    }
    if (found != DECISION_OPEN) {
        note_late_answer(inbox, answer);
        return false;
    }
    take_open(inbox, slot, answer, receipt);
    return true;
}

bool inbox_take_answers(const char **what, struct inbox *inbox, const struct wire_message *message,
                        const struct receipt *receipt)
{
    bool fits = message->count > 0;
    bool strayed = false;

    for (size_t i = 0; i < message->count && inbox->listener->is_open(inbox->user); i++) {
        inbox->reply.answer = &message->answers[i];
        inbox->reply.trouble = message->answer_trouble[i];
        inbox->reply.thought = message->answer_thought[i];
        fits &= take_answer(&strayed, inbox, &message->answers[i], receipt);
    }
    *what = message->count == 0 ? "an Answers without an answer"
                                : "an answer to a closed decision: answer each decision once";
    return fits;
}

bool inbox_take_thought(struct bg_thought *out, struct inbox *inbox)
{
    const char *why = NULL;

    if (inbox->reply.thought.data == NULL) {
        return false;
    }
    why = wire_thought_read(out, &inbox->reply.thought);
    if (why != NULL && inbox->work.dropped_thoughts++ == 0) {
        log_warn("session",
                 "bot=%s told a thought that is dropped: %s; its answer counts, and further ones "
                 "are not logged",
                 inbox->bot, why);
    }
    return why == NULL && !wire_thought_is_empty(out);
}

bool inbox_floods(struct inbox *inbox, char text[INBOX_TEXT], const char *what, size_t bytes,
                  int64_t received_ns, int64_t stalled_ns)
{
    if (!flood_count(&inbox->flood, bytes, received_ns, stalled_ns)) {
        return false;
    }
    snprintf(text, INBOX_TEXT,
             "too many messages that answer nothing: more than %d or %d bytes in a second; the "
             "last was %s",
             FLOOD_MESSAGES, FLOOD_BYTES, what);
    return true;
}

enum bg_fault inbox_lost(char text[INBOX_TEXT], enum link_end end, const char *why)
{
    static const enum bg_fault faults[] = {
        [LINK_CLOSED] = BG_FAULT_CRASH,    [LINK_OVERSIZED] = BG_FAULT_OVERSIZED,
        [LINK_ENDLESS] = BG_FAULT_GARBLED, [LINK_GARBLED] = BG_FAULT_GARBLED,
        [LINK_UNREAD] = BG_FAULT_UNREAD,   [LINK_TIRED] = BG_FAULT_START,
    };

    snprintf(text, INBOX_TEXT, "%s%s", why,
             end == LINK_UNREAD || end == LINK_TIRED ? "" : "; the connection was ended");
    return faults[end];
}
