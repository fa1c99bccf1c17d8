/* season_terms.c - the rules of meetings and games where they differ from the event's. Terms are
 * asked for by row and not by time: a condition holds for meetings that are paired after it, so
 * a meeting keeps the terms under which it was announced. */
#include <stdio.h>

#include "base/memory.h"
#include "season_state.h"

/* The last condition of two names before a row; NULL: none. */
static const struct condition *condition_before(const struct season *season, uint32_t a, uint32_t b,
                                                uint64_t act)
{
    /* From the last one back; a later condition has the words of the earlier ones already in it. */
    for (size_t i = season->conditions; i > 0; i--) {
        const struct condition *condition = &season->condition[i - 1];

        if (condition->act < act && ((condition->a == a && condition->b == b) ||
                                     (condition->a == b && condition->b == a))) {
            return condition;
        }
    }
    return NULL;
}

void condition_add(struct season *season, uint32_t a, uint32_t b, const struct terms *terms,
                   uint64_t act)
{
    const struct condition *before = condition_before(season, a, b, UINT64_MAX);
    struct condition condition = {.a = a, .b = b, .act = act};

    condition.terms = before == NULL ? *terms : terms_over(&before->terms, terms);
    terms_write(condition.text, &condition.terms);
    season->condition = memory_list(season->condition, &season->condition_room,
                                    season->conditions + 1, sizeof condition);
    season->condition[season->conditions++] = condition;
}

enum bg_status conditions_begin(struct season *season, const char *conditions, struct bg_error *err)
{
    struct terms_between one;
    const char *at = conditions;
    enum bg_status status;
    bool more = true;

    while ((status = terms_next(&one, &more, &at, season->length_points, err)) == BG_OK && more) {
        uint32_t a = name_add(season, one.name[0]), b = name_add(season, one.name[1]);

        condition_add(season, a, b, &one.terms, 0);
    }
    return status;
}

/* Two names that are paired by a row. */
static struct terms terms_of(const struct season *season, uint32_t a, uint32_t b, uint64_t row)
{
    const struct condition *found = condition_before(season, a, b, row);

    return found == NULL ? terms_none() : found->terms;
}

struct terms season_meeting_terms(const struct season *season, size_t i)
{
    const struct match_up *match_up = &season->match_up[i];
    const struct season_meeting *seen = &match_up->seen;
    struct terms stage = terms_none(), pair;
    int length =
        plan_length(&season->plan.stage[seen->stage], match_up->is_playoff, season->length_points);

    if (length != season->length_points) {
        stage.value[TERMS_LENGTH] = length;
    }
    if (seen->meeting.a < 0 || seen->meeting.b < 0) {
        return stage;
    }
    pair = terms_of(season, season->entry[seen->meeting.a].name,
                    season->entry[seen->meeting.b].name, seen->paired);
    return terms_over(&stage, &pair);
}

struct terms season_fixture_terms(const struct season *season, uint64_t i)
{
    const struct season_fixture *fixture = &season->fixture[i].seen;

    return fixture->meeting > 0 ? season_meeting_terms(season, (size_t)fixture->meeting - 1)
                                : terms_of(season, season->entry[fixture->a].name,
                                           season->entry[fixture->b].name, 1);
}

struct terms season_leg_terms(const struct season *season, const struct season_leg *leg)
{
    int64_t a = name_find(season, leg->a), b = name_find(season, leg->b);
    struct leg_slot key = {.pair = leg->pair, .leg = leg->leg};
    const struct leg_slot *slot;

    if (a < 0 || b < 0) {
        return terms_none();
    }
    key.a = (uint32_t)a + 1;
    key.b = (uint32_t)b + 1;
    slot = leg_find(season, &key);
    return slot != NULL && slot->fixture > 0 ? season_fixture_terms(season, slot->fixture - 1)
                                             : terms_of(season, (uint32_t)a, (uint32_t)b, 1);
}
