/* Decision numbers, slots, and the order of waiting decisions. */

#include "seat/decisions.h"
#include "support/suite.h"

enum { SLOTS = 40 };

static struct decisions decisions;
static struct session_slot slots[SLOTS];

static void begin(int most)
{
    decisions = (struct decisions){.most = most};
    for (int i = 0; i < SLOTS; i++) {
        slots[i] = (struct session_slot){.limit_ns = i};
        decisions_wait(&decisions, &slots[i]);
    }
}

static int open_all(void)
{
    int count = 0, from = 0;

    while (decisions_open(&decisions, &from) != NULL) {
        count++;
    }
    return count;
}

static enum decision_found find(const struct session_slot **out, uint64_t number)
{
    struct session_slot *slot = NULL;
    enum decision_found found = decisions_find(&slot, &decisions, number);

    *out = slot;
    return found;
}

TEST(decisions_are_opened_in_order_up_to_the_limit)
{
    const struct session_slot *slot;

    begin(7);
    ck_assert_int_eq(open_all(), 7);
    for (int i = 0; i < SLOTS; i++) {
        ck_assert_int_eq(slots[i].state, i < 7 ? SLOT_OPEN : SLOT_WAITING);
    }
    for (int i = 0; i < 7; i++) {
        ck_assert_int_eq(find(&slot, slots[i].ask.decision), DECISION_OPEN);
        ck_assert_ptr_eq(slot, &slots[i]);
    }
}

TEST(decision_numbers_are_unique_and_classified)
{
    static uint64_t given[600];
    const struct session_slot *slot;
    int count = 0;

    begin(3);
    while (count < 600) {
        int from = 0;
        struct session_slot *opened = decisions_open(&decisions, &from);

        if (opened == NULL) { /* full: the one with the least limit waits again */
            struct session_slot *least = NULL;

            for (int i = 0; i < SLOTS; i++) {
                if (slots[i].state == SLOT_OPEN &&
                    (least == NULL || slots[i].limit_ns < least->limit_ns)) {
                    least = &slots[i];
                }
            }
            decisions_close(&decisions, least);
            ck_assert_int_eq(find(&slot, least->ask.decision), DECISION_CLOSED);
            least->limit_ns += SLOTS;
            decisions_wait(&decisions, least);
            continue;
        }
        given[count++] = opened->ask.decision;
        for (int i = 0; i < count - 1; i++) {
            ck_assert_uint_ne(given[i], opened->ask.decision);
        }
    }
    for (int i = 0; i < count; i++) {
        ck_assert_int_ne(find(&slot, given[i]), DECISION_NEVER);
        ck_assert_int_eq(find(&slot, given[i] + (UINT64_C(1) << 40)), DECISION_NEVER);
    }
    ck_assert_int_eq(find(&slot, 0), DECISION_NEVER);
    ck_assert_int_eq(find(&slot, 5), DECISION_NEVER);
    ck_assert_int_eq(find(&slot, UINT64_MAX), DECISION_NEVER);
}

TEST(any_waiting_or_open_decision_can_be_cancelled)
{
    static const int taken[] = {0, 5, 20, SLOTS - 1};
    int left = SLOTS;

    begin(4);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        decisions_cancel(&decisions, &slots[taken[i]]);
        ck_assert_int_eq(slots[taken[i]].state, SLOT_IDLE);
        left--;
    }
    ck_assert_int_eq(open_all(), 4);
    decisions_cancel(&decisions, &slots[1]);
    left--;
    ck_assert_int_eq(decisions.open, 3);
    decisions.most = DECISIONS_MAX;
    ck_assert_int_eq(open_all(), left - 3);
    decisions_wait(&decisions, &slots[SLOTS - 1]);
    ck_assert_ptr_eq(decisions.first, &slots[SLOTS - 1]);
    ck_assert_ptr_eq(decisions.last, &slots[SLOTS - 1]);
    decisions_cancel(&decisions, &slots[SLOTS - 1]);
    ck_assert_ptr_null(decisions.first);
    ck_assert_ptr_null(decisions.last);
}

TEST(the_oldest_decision_is_the_one_sent_first)
{
    begin(3);
    ck_assert_ptr_null(decisions_oldest(&decisions));
    ck_assert_int_eq(open_all(), 3);
    slots[0].sent_ns = 50;
    slots[1].sent_ns = 20;
    slots[2].sent_ns = 30;
    ck_assert_ptr_eq(decisions_oldest(&decisions), &slots[1]);
    decisions_close(&decisions, &slots[1]);
    ck_assert_ptr_eq(decisions_oldest(&decisions), &slots[2]);
}

TEST(open_decisions_wait_for_the_next_process_under_new_numbers)
{
    uint64_t before[3];
    const struct session_slot *slot;

    begin(3);
    ck_assert_int_eq(open_all(), 3);
    for (int i = 0; i < 3; i++) {
        before[i] = slots[i].ask.decision;
    }
    decisions_reopen(&decisions);
    ck_assert_int_eq(decisions.open, 0);
    decisions.most = DECISIONS_MAX;
    ck_assert_int_eq(open_all(), SLOTS);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(find(&slot, before[i]), DECISION_CLOSED);
        ck_assert_int_eq(find(&slot, slots[i].ask.decision), DECISION_OPEN);
        ck_assert_ptr_eq(slot, &slots[i]);
    }
}

/* Nothing is overdue up to the due time; after it the decision sent first is returned. The
 * referee's own delays are not counted. */
TEST(a_decision_is_overdue_only_after_the_due_time)
{
    static const int64_t sent[] = {50, 10, 30, 20}, limit[] = {100, 90, 15, 40};
    int64_t spent_ns = 0;
    int from = 0;

    decisions = (struct decisions){.most = 4};
    ck_assert_int_eq(decisions_due_ns(&decisions, 0), INT64_MAX);
    for (int i = 0; i < 4; i++) {
        slots[i] = (struct session_slot){.limit_ns = limit[i], .sent_ns = sent[i]};
        decisions_wait(&decisions, &slots[i]);
        ck_assert_ptr_eq(decisions_open(&decisions, &from), &slots[i]);
    }
    ck_assert_int_eq(decisions_due_ns(&decisions, 0), 45);
    ck_assert_ptr_null(decisions_overdue(&spent_ns, &decisions, 45, 0));
    ck_assert_ptr_eq(decisions_overdue(&spent_ns, &decisions, 46, 0), &slots[2]);
    ck_assert_int_eq(spent_ns, 16);
    ck_assert_ptr_eq(decisions_overdue(&spent_ns, &decisions, 61, 0), &slots[3]);
    ck_assert_int_eq(decisions_due_ns(&decisions, 7), 52);
    ck_assert_ptr_null(decisions_overdue(&spent_ns, &decisions, 52, 7));
    slots[1].allowed_ns = INT64_MAX; /* no limit */
    decisions_close(&decisions, &slots[2]);
    decisions_close(&decisions, &slots[3]);
    ck_assert_int_eq(decisions_due_ns(&decisions, 0), 150);
}
