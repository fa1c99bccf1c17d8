/* season_stages.c - the entrants of a stage and its groups. */
#include <stdlib.h>
#include <string.h>

#include "season_state.h"

static void group_deinit(struct group *group)
{
    free(group->member);
    free(group->entrant);
    free(group->main.meeting);
    free(group->playoff.meeting);
    free(group->snapshot);
}

void stage_clear(struct stage *stage)
{
    for (int g = 0; g < stage->groups; g++) {
        group_deinit(&stage->group[g]);
    }
    free(stage->group);
    *stage = (struct stage){0};
}

void stage_undo(struct season *season, int stage)
{
    stage_clear(&season->stage[stage]);
    for (int i = 0; i < season->entrants; i++) {
        season->entry[i].group[stage] = season->entry[i].local[stage] = -1;
    }
}

static void *copy_of(const void *from, size_t count, size_t room, size_t size)
{
    void *copy = malloc(room * size + 1);

    if (copy != NULL && count > 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static bool heat_copy(struct heat *heat)
{
    heat->meeting = copy_of(heat->meeting, heat->count, heat->room, sizeof *heat->meeting);
    return heat->meeting != NULL;
}

/* Without memory it is computed again. */
static struct snapshot *snapshot_copy(const struct snapshot *snapshot)
{
    size_t size = snapshot == NULL
                      ? 0
                      : sizeof *snapshot + (size_t)snapshot->entrants * sizeof *snapshot->rating;
    struct snapshot *copy = snapshot == NULL ? NULL : malloc(size);

    if (copy != NULL) {
        memcpy(copy, snapshot, size);
    }
    return copy;
}

static bool group_copy(struct group *group)
{
    size_t n = (size_t)group->entrants, room = (size_t)group->room;
    bool is_complete = heat_copy(&group->main);

    is_complete = heat_copy(&group->playoff) && is_complete;
    group->snapshot = snapshot_copy(group->snapshot);
    group->member = copy_of(group->member, n, room, sizeof *group->member);
    group->entrant = copy_of(group->entrant, n, room, sizeof *group->entrant);
    return is_complete && group->member != NULL && group->entrant != NULL;
}

bool stage_copy(struct stage *out, const struct stage *stage)
{
    bool is_complete = true;

    *out = *stage;
    if (stage->group == NULL) {
        return true;
    }
    out->group =
        copy_of(stage->group, (size_t)stage->groups, (size_t)stage->groups, sizeof *stage->group);
    if (out->group == NULL) {
        out->groups = 0;
        return false;
    }
    for (int g = 0; g < stage->groups; g++) {
        is_complete = group_copy(&out->group[g]) && is_complete;
    }
    return is_complete;
}

struct history group_history(const struct group *group)
{
    return (struct history){group->entrants, group->entrant, group->main.count,
                            group->main.meeting};
}

bool group_add(struct season *season, int stage, int number, int entrant, int rounds_missed)
{
    struct group *group = &season->stage[stage].group[number];
    struct entry *entry = &season->entry[entrant];
    size_t room = (size_t)group->room, entrant_room = room;

    if (!season_room((void **)&group->member, &room, (size_t)group->entrants,
                     sizeof *group->member) ||
        !season_room((void **)&group->entrant, &entrant_room, (size_t)group->entrants,
                     sizeof *group->entrant)) {
        return false;
    }
    group->room = (int)room;
    group->member[group->entrants] = entrant;
    group->entrant[group->entrants] =
        (struct entrant){entry->seen.state != SEASON_IN, rounds_missed};
    entry->group[stage] = number;
    entry->local[stage] = group->entrants++;
    return true;
}

/* Fills out with the entrants of a stage, first seed first. *count: how many. */
static enum bg_status draw(int *out, int *count, const struct season *season, int stage,
                           struct bg_error *err)
{
    int last = stage - 1, take = season->plan.stage[stage].take;
    struct season_place *places = calloc((size_t)season->entrants + 1, sizeof *places);
    enum bg_status status = BG_OK;

    *count = 0;
    if (places == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "the entrants of stage %d", stage + 1);
        goto done;
    }
    for (int rank = 0; stage > 0 && rank < take; rank++) { /* the first of each group come first */
        for (int g = 0; status == BG_OK && g < season->stage[last].groups; g++) {
            int size, at = 0, i = 0;

            status = season_standing(places, &size, season, last, g, err);
            for (; status == BG_OK && i < size; i++) {
                bool left = season->entry[places[i].entrant].seen.state == SEASON_WITHDRAWN;

                if (!left && at++ == rank) {
                    out[(*count)++] = places[i].entrant;
                    break;
                }
            }
        }
    }
    for (int i = 0; stage == 0 && i < season->entrants; i++) {
        if (season->entry[i].seen.state != SEASON_WITHDRAWN) {
            out[(*count)++] = i;
        }
    }
done:
    free(places);
    return status;
}

/* Returns the group of seed i: 0 1 2 2 1 0 0 1 2 ... */
static int snake(int i, int groups)
{
    int turn = i / groups, at = i % groups;

    return turn % 2 == 0 ? at : groups - 1 - at;
}

enum bg_status stage_begin(struct season *season, int number, struct bg_error *err)
{
    struct stage *stage = &season->stage[number];
    int groups = season->plan.stage[number].groups;
    int *seed = calloc((size_t)season->entrants + 1, sizeof *seed);
    enum bg_status status = BG_OK;
    int count = 0;

    if (seed == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "the entrants of stage %d", number + 1);
        goto done;
    }
    status = draw(seed, &count, season, number, err);
    if (status != BG_OK) {
        goto done;
    }
    stage->groups = groups < 1 ? 1 : groups;
    stage->group = calloc((size_t)stage->groups, sizeof *stage->group);
    if (stage->group == NULL) {
        stage->groups = 0;
        status = bg_error_set(err, BG_E_MEMORY, "the groups of stage %d", number + 1);
        goto done;
    }
    for (int i = 0; i < count; i++) {
        int g = snake(i, stage->groups);

        if (!group_add(season, number, g, seed[i], 0)) {
            status = bg_error_set(err, BG_E_MEMORY, "the groups of stage %d", number + 1);
            goto done;
        }
        stage->group[g].regular++;
    }
    stage->is_begun = true;
done:
    if (status != BG_OK) {
        stage_undo(season, number);
    }
    free(seed);
    return status;
}

/* ------------------------------------------------------------------ who may still play */

static bool has_open_meeting(const struct season *season, int entrant)
{
    bool has = false;

    for (size_t i = 0; i < season->open_count && !has; i++) {
        has = meeting_has(&season->match_up[season->open[i]].seen.meeting, entrant);
    }
    return has;
}

/* Rounds of a knockout; the losers of the one before the last may play for third place. */
static int rounds_of_knockout(int entrants)
{
    int rounds = 0;

    while (1 << rounds < entrants) {
        rounds++;
    }
    return rounds;
}

/* Whether an elimination has no further meeting for an entrant that has none open. */
static bool is_eliminated(const struct season *season, int entrant)
{
    const struct plan_stage *plan = &season->plan.stage[season->present];
    const struct entry *entry = &season->entry[entrant];
    const struct group *group =
        &season->stage[season->present].group[entry->group[season->present]];
    int own = entry->local[season->present], lost = 0;
    int third = plan->third_place ? rounds_of_knockout(group->regular) - 1 : 0;

    for (size_t i = 0; i < group->main.count; i++) {
        const struct meeting *meeting = &group->main.meeting[i];

        if (!meeting_has(meeting, own) || meeting->ended == 0) {
            continue;
        }
        if (meeting->part == PART_THIRD) {
            return true;
        }
        lost += meeting_score(meeting, own) < 0.5 && meeting->round != third;
    }
    return lost >= (plan->form == PLAN_DOUBLE ? 2 : 1);
}

bool season_may_play(const struct season *season, int entrant)
{
    const struct entry *entry = &season->entry[entrant];
    enum plan_form form;

    if (entry->seen.state == SEASON_WITHDRAWN || season_is_over(season) || season->is_closed) {
        return false;
    }
    if (has_open_meeting(season, entrant) || !season->stage[season->present].is_begun) {
        return true;
    }
    if (entry->group[season->present] < 0) {
        return false; /* it was not taken into this stage */
    }
    form = season->plan.stage[season->present].form;
    return season->present + 1 < season->plan.stages ||
           (form != PLAN_KNOCKOUT && form != PLAN_DOUBLE) || !is_eliminated(season, entrant);
}
