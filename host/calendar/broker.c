/* Which event gets a bot's next connection, as a pure function of who asks. The order
 * (is_before): who has lost it and asks again, who began earlier, who has bots already (so that
 * one event can start instead of each holding half of what it needs), who was served least, and
 * the name, so that the answer is always the same. */
#include "broker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void broker_init(struct broker *broker, int bot_count)
{
    *broker = (struct broker){.bots = NULL};
    broker_grow(broker, bot_count);
}

void broker_deinit(struct broker *broker)
{
    for (int i = 0; i < broker->bot_count; i++) {
        free(broker->bots[i].wants);
    }
    free(broker->bots);
    *broker = (struct broker){.bots = NULL};
}

void broker_grow(struct broker *broker, int bot_count)
{
    broker->bots =
        memory_list(broker->bots, &broker->room, (size_t)bot_count + 1, sizeof *broker->bots);
    for (; broker->bot_count < bot_count; broker->bot_count++) {
        broker->bots[broker->bot_count] = (struct broker_bot){.count = 0};
    }
}

static struct broker_want *find_want(const struct broker *broker, int bot, const char *event)
{
    const struct broker_bot *of = &broker->bots[bot];

    for (int i = 0; i < of->count; i++) {
        if (strcmp(of->wants[i].event, event) == 0) {
            return &of->wants[i];
        }
    }
    return NULL;
}

void broker_open(struct broker *broker, int bot, const char *event, const char *endpoint,
                 bool again)
{
    struct broker_bot *of = &broker->bots[bot];
    struct broker_want *want = find_want(broker, bot, event);

    if (want == NULL) {
        of->wants = memory_list(of->wants, &of->room, (size_t)of->count + 1, sizeof *want);
        want = &of->wants[of->count++];
        *want = (struct broker_want){.served = 0};
        snprintf(want->event, sizeof want->event, "%s", event);
    }
    snprintf(want->endpoint, sizeof want->endpoint, "%s", endpoint);
    want->again = again;
    want->is_back = false;
    want->is_lent = false;
    want->owed_until_ns = 0;
}

void broker_note_back(struct broker *broker, int bot, const char *event)
{
    struct broker_want *want = find_want(broker, bot, event);

    if (want != NULL) {
        want->again = want->is_back = true;
    }
}

void broker_refuse(struct broker *broker, int bot, const char *event, bool is_refused)
{
    struct broker_want *want = find_want(broker, bot, event);

    if (want != NULL) {
        want->is_refused = is_refused;
    }
}

void broker_shut(struct broker *broker, int bot, const char *event)
{
    struct broker_want *want = find_want(broker, bot, event);

    if (want != NULL) {
        want->endpoint[0] = '\0';
        want->is_lent = false;
        want->owed_until_ns = 0;
    }
}

/* Returns what had a connection lent to the endpoint; NULL: nothing. */
static struct broker_want *lent_to(const struct broker *broker, int bot, const char *endpoint)
{
    const struct broker_bot *of = &broker->bots[bot];

    for (int i = 0; i < of->count; i++) {
        if (of->wants[i].is_lent && strcmp(of->wants[i].endpoint, endpoint) == 0) {
            return &of->wants[i];
        }
    }
    return NULL;
}

bool broker_lost(struct broker *broker, int bot, const char *endpoint, int64_t until_ns)
{
    struct broker_want *want = lent_to(broker, bot, endpoint);

    if (want != NULL) {
        want->owed_until_ns = until_ns;
    }
    return want != NULL;
}

bool broker_unheard(struct broker *broker, int bot, const char *endpoint)
{
    struct broker_want *want = lent_to(broker, bot, endpoint);

    if (want != NULL) {
        want->is_lent = false;
        want->served--;
    }
    return want != NULL;
}

void broker_lost_all(struct broker *broker, int64_t until_ns)
{
    for (int bot = 0; bot < broker->bot_count; bot++) {
        struct broker_bot *of = &broker->bots[bot];

        for (int i = 0; i < of->count; i++) {
            if (of->wants[i].is_lent) {
                of->wants[i].owed_until_ns = until_ns;
            }
        }
    }
}

/* Another event gets the bot than those that have lost it. */
static void pass_over(const struct broker_bot *of)
{
    for (int i = 0; i < of->count; i++) {
        of->wants[i].is_passed =
            /* An event that has lost the bot could have got it back and did not: from now on the
             * bot counts as kept from it. */
            of->wants[i].is_passed || (of->wants[i].served > 0 && !of->wants[i].is_lent);
    }
}

const char *broker_lent(struct broker *broker, int bot, const char *endpoint)
{
    struct broker_bot *of = &broker->bots[bot];

    for (int i = 0; i < of->count; i++) {
        struct broker_want *want = &of->wants[i];

        /* By the place, not the event: the gateway connects to what it was told, which may be a
         * moment old. */
        if (endpoint[0] != '\0' && !want->is_lent && strcmp(want->endpoint, endpoint) == 0) {
            pass_over(of);
            want->is_lent = true;
            want->is_passed = false;
            want->served++;
            return want->event;
        }
    }
    return NULL;
}

void broker_leave(struct broker *broker, const char *event)
{
    for (int bot = 0; bot < broker->bot_count; bot++) {
        struct broker_bot *of = &broker->bots[bot];
        struct broker_want *want = find_want(broker, bot, event);

        if (want != NULL) {
            /* The order of wants has no meaning. */
            *want = of->wants[--of->count];
        }
    }
}

static bool has_any(const struct broker *broker, const char *event)
{
    for (int bot = 0; bot < broker->bot_count; bot++) {
        const struct broker_want *want = find_want(broker, bot, event);

        if (want != NULL && want->is_lent) {
            return true;
        }
    }
    return false;
}

static bool is_before(const struct broker *broker, const struct broker_want *one,
                      const struct broker_want *other)
{
    bool has = has_any(broker, one->event);

    if (one->is_back != other->is_back) {
        return one->is_back;
    }
    if (one->again != other->again) {
        return one->again;
    }
    if (has != has_any(broker, other->event)) {
        return has;
    }
    if (one->served != other->served) {
        return one->served < other->served;
    }
    return strcmp(one->event, other->event) < 0;
}

static bool waits(const struct broker_want *want)
{
    return want->endpoint[0] != '\0' && !want->is_lent;
}

static bool has_most(const struct broker *broker, int bot)
{
    return broker->bots[bot].most > 0 && broker_holders(broker, bot) >= broker->bots[bot].most;
}

static bool is_owed(const struct broker_bot *of, int64_t now_ns)
{
    for (int i = 0; i < of->count; i++) {
        if (of->wants[i].owed_until_ns > now_ns) {
            return true;
        }
    }
    return false;
}

const struct broker_want *broker_next(const struct broker *broker, int bot, int64_t now_ns)
{
    const struct broker_bot *of = &broker->bots[bot];
    const struct broker_want *next = NULL;

    for (int i = 0; i < of->count && !has_most(broker, bot) && !is_owed(of, now_ns); i++) {
        const struct broker_want *want = &of->wants[i];

        if (waits(want) && !want->is_refused && (next == NULL || is_before(broker, want, next))) {
            next = want;
        }
    }
    return next;
}

bool broker_keeps(const struct broker *broker, int bot, const char *event)
{
    const struct broker_want *want = find_want(broker, bot, event);
    bool has_left = want != NULL && want->served > 0 && !want->is_passed;

    return want != NULL && !want->is_lent &&
           (has_most(broker, bot) || (!has_left && broker_holders(broker, bot) > 0));
}

int broker_holders(const struct broker *broker, int bot)
{
    int count = 0;

    for (int i = 0; i < broker->bots[bot].count; i++) {
        count += broker->bots[bot].wants[i].is_lent;
    }
    return count;
}

const char *broker_refused(const struct broker *broker, int bot)
{
    const struct broker_bot *of = &broker->bots[bot];

    for (int i = 0; i < of->count; i++) {
        if (waits(&of->wants[i]) && of->wants[i].is_refused) {
            return of->wants[i].event;
        }
    }
    return NULL;
}

bool broker_is_at_most(const struct broker *broker, int bot)
{
    const struct broker_bot *of = &broker->bots[bot];
    bool is_wanted = false;

    for (int i = 0; i < of->count; i++) {
        is_wanted = is_wanted || (waits(&of->wants[i]) && !of->wants[i].is_refused);
    }
    return is_wanted && has_most(broker, bot);
}
