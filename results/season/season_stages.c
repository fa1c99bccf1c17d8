/* season_stages.c - the entrants of a stage and its groups. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

static void group_deinit(struct season_group *group)
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

/* The pointers of the original are copied with the struct and replaced one by one here; what is
 * forgotten would be freed twice. */
static void group_copy(struct season_group *group)
{
    size_t n = (size_t)group->entrants;
    struct heat *main = &group->main, *playoff = &group->playoff;
    const struct snapshot *kept = group->snapshot;

    main->meeting = array_copy(main->meeting, main->room, main->count, sizeof *main->meeting);
    playoff->meeting =
        array_copy(playoff->meeting, playoff->room, playoff->count, sizeof *playoff->meeting);
    group->member = array_copy(group->member, group->room, n, sizeof *group->member);
    group->entrant = array_copy(group->entrant, group->room, n, sizeof *group->entrant);
    if (kept != NULL) {
        group->snapshot =
            array_copy(kept, 1, 1, sizeof *kept + (size_t)kept->entrants * sizeof *kept->rating);
    }
}

void stage_copy(struct stage *out, const struct stage *stage)
{
    size_t groups = (size_t)stage->groups;

    *out = *stage;
    out->group = array_copy(stage->group, groups, groups, sizeof *stage->group);
    for (size_t g = 0; g < groups; g++) {
        group_copy(&out->group[g]);
    }
}

struct history group_history(const struct season_group *group)
{
    return (struct history){group->entrants, group->entrant, group->main.count,
                            group->main.meeting};
}

void group_add(struct season *season, int stage, int number, int entrant, int rounds_missed)
{
    struct season_group *group = &season->stage[stage].group[number];
    struct season_entry *entry = &season->entry[entrant];
    size_t wanted = (size_t)group->entrants + 1, room = group->room;

    group->member = memory_list(group->member, &room, wanted, sizeof *group->member);
    group->entrant = memory_list(group->entrant, &group->room, wanted, sizeof *group->entrant);
    group->member[group->entrants] = entrant;
    group->entrant[group->entrants] =
        (struct entrant){entry->seen.state != SEASON_IN, rounds_missed};
    entry->group[stage] = number;
    entry->local[stage] = group->entrants++;
}

/* Fills out with the entrants of a stage, first seed first. *count: how many. Who has withdrawn
 * since is passed over, and the next of its group goes on; an absent one goes on, since it may
 * come back. */
static enum bg_status draw_stage(int *out, int *count, const struct season *season, int stage,
                                 struct bg_error *err)
{
    int last = stage - 1, take = season->plan.stage[stage].take;
    struct season_place *places = memory_zeroed((size_t)season->entrants, sizeof *places);
    enum bg_status status = BG_OK;

    *count = 0;
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
    free(places);
    return status;
}

/* Returns the group of seed i: 0 1 2 2 1 0 0 1 2 ... The usual way to make groups of equal
 * strength from seeds. */
static int snake(int i, int groups)
{
    int turn = i / groups, at = i % groups;

    return turn % 2 == 0 ? at : groups - 1 - at;
}

enum bg_status stage_begin(struct season *season, int number, struct bg_error *err)
{
    struct stage *stage = &season->stage[number];
    int groups = season->plan.stage[number].groups;
    int *seed = memory_zeroed((size_t)season->entrants, sizeof *seed), count;
    enum bg_status status = draw_stage(seed, &count, season, number, err);

    if (status == BG_OK) {
        stage->groups = groups < 1 ? 1 : groups;
        stage->group = memory_zeroed((size_t)stage->groups, sizeof *stage->group);
        for (int i = 0; i < count; i++) {
            int g = snake(i, stage->groups);

            group_add(season, number, g, seed[i], 0);
            stage->group[g].regular++;
        }
        stage->is_begun = true;
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
    const struct season_entry *entry = &season->entry[entrant];
    const struct season_group *group =
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
        /* Who loses the round before the last one still has the meeting for third place. */
        lost += meeting_score(meeting, own) < 0.5 && meeting->round != third;
    }
    return lost >= (plan->form == PLAN_DOUBLE ? 2 : 1);
}

/* Errs on the side of yes: it decides whether a bot's process may be ended, and one that is
 * needed again would have to be started anew. */
bool season_may_play(const struct season *season, int entrant)
{
    const struct season_entry *entry = &season->entry[entrant];
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
