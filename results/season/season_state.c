/* season_state.c - the parts of a season and how they change: groups of a stage, meetings,
 * entrants. Nothing here is refused: who calls has checked everything, so a season is never left
 * half changed by an error. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

/* ------------------------------------------------------------------ stages and groups */

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

/* ------------------------------------------------------------------ meetings and entrants */

/* In the order of the meetings, also for one that is opened again: rows that follow are looked
 * for in this order, and replaying the journal must find the same one. */
static void open_add(struct season *season, size_t index)
{
    size_t at = season->open_count;

    season->open = memory_list(season->open, &season->open_room, at + 1, sizeof *season->open);
    for (; at > 0 && season->open[at - 1] > index; at--) {
        season->open[at] = season->open[at - 1];
    }
    season->open[at] = index;
    season->open_count++;
    season->stage[season->match_up[index].seen.stage].open++;
}

static void open_remove(struct season *season, size_t index)
{
    size_t at = 0;

    while (at < season->open_count && season->open[at] != index) {
        at++;
    }
    if (at == season->open_count) {
        return;
    }
    memmove(&season->open[at], &season->open[at + 1],
            (season->open_count - at - 1) * sizeof *season->open);
    season->open_count--;
    season->stage[season->match_up[index].seen.stage].open--;
}

void meeting_add(struct season *season, const struct pending *pending, int stage,
                 const struct act *act)
{
    struct season_group *group = &season->stage[stage].group[pending->group];
    struct heat *heat = pending->is_playoff ? &group->playoff : &group->main;
    struct match_up match_up = {.is_playoff = pending->is_playoff,
                                .at = heat->count,
                                .row_round = season->stage[stage].rounds};
    struct season_meeting *seen = &match_up.seen;
    size_t index = season->meetings;

    seen->number = index + 1;
    seen->stage = stage;
    seen->group = pending->group;
    seen->meeting = pending->meeting;
    seen->meeting.a = group->member[pending->meeting.a];
    seen->winner = FORMS_NOBODY;
    seen->paired = act->number;
    memcpy(seen->paired_at, act->at, sizeof seen->paired_at);
    season->entry[seen->meeting.a].seen.meetings++;
    if (seen->meeting.b != FORMS_NOBODY) {
        seen->meeting.b = group->member[pending->meeting.b];
        season->entry[seen->meeting.b].seen.meetings++;
    }
    heat->meeting = memory_list(heat->meeting, &heat->room, heat->count + 1, sizeof *heat->meeting);
    heat->meeting[heat->count++] = pending->meeting;
    season->match_up =
        memory_list(season->match_up, &season->meeting_room, index + 1, sizeof *season->match_up);
    season->match_up[season->meetings++] = match_up;
    season->stage[stage].meetings++;
    if (pending->meeting.round > group->rounds && pending->meeting.part == PART_MAIN) {
        group->rounds = pending->meeting.round;
    }
    open_add(season, index);
}

/* The meeting as the forms see it: a walkover's winner comes first. */
static void write_local(struct season *season, const struct match_up *match_up, uint64_t ended)
{
    const struct season_meeting *seen = &match_up->seen;
    struct meeting *local = meeting_local(season, match_up);
    int a = season->entry[seen->meeting.a].local[seen->stage];
    int b = seen->meeting.b == FORMS_NOBODY ? FORMS_NOBODY
                                            : season->entry[seen->meeting.b].local[seen->stage];

    local->a = a;
    local->b = b;
    local->ended = ended;
    local->score_a = seen->meeting.score_a;
    local->kind = seen->meeting.kind;
    if (seen->end == SEASON_VOID || (seen->end == SEASON_WALKOVER && seen->winner < 0)) {
        local->kind = MEETING_ABSENT;
    } else if (seen->end == SEASON_WALKOVER) {
        local->kind = MEETING_WALKOVER;
        if (seen->meeting.score_a < 0.5) {
            local->a = b;
            local->b = a;
        }
    }
}

/* Sets the end, and counts the results of games in the group. A result that is taken away
 * changes ratings without changing how many there are; the revision tells the snapshot. */
static void set_end(struct season *season, struct match_up *match_up, enum season_end end)
{
    struct season_meeting *seen = &match_up->seen;
    struct season_group *group = &season->stage[seen->stage].group[seen->group];

    if (!match_up->is_playoff) {
        group->revision += seen->end == SEASON_PLAYED;
        group->results -= seen->end == SEASON_PLAYED;
        group->results += end == SEASON_PLAYED;
    }
    seen->end = end;
}

void meeting_end(struct season *season, struct match_up *match_up, enum season_end end,
                 double score, const struct act *act)
{
    struct season_meeting *seen = &match_up->seen;

    set_end(season, match_up, end);
    seen->meeting.score_a = score;
    seen->meeting.ended = act->number;
    seen->winner = end == SEASON_VOID ? FORMS_NOBODY
                   : score > 0.5      ? seen->meeting.a
                   : score < 0.5      ? seen->meeting.b
                                      : FORMS_NOBODY;
    seen->result = act->number;
    seen->by_desk = strcmp(act->who, "bgref") != 0;
    memcpy(seen->ended_at, act->at, sizeof seen->ended_at);
    if (end != SEASON_PLAYED) {
        seen->by_seed = false;
        /* A decision ends what is still to be played; a void meeting also loses what was played. */
        meeting_void_legs(season, match_up, end != SEASON_VOID);
    }
    open_remove(season, (size_t)seen->number - 1);
    write_local(season, match_up, act->number);
}

void meeting_end_absent(struct season *season, struct match_up *match_up, const struct act *act)
{
    meeting_end(season, match_up, SEASON_WALKOVER, 0, act);
    match_up->seen.winner = FORMS_NOBODY;
    write_local(season, match_up, act->number);
}

void meeting_reopen(struct season *season, struct match_up *match_up)
{
    struct season_meeting *seen = &match_up->seen;

    if (seen->end == SEASON_OPEN) {
        return;
    }
    set_end(season, match_up, SEASON_OPEN);
    seen->winner = FORMS_NOBODY;
    seen->by_seed = false;
    seen->meeting.ended = 0;
    seen->meeting.score_a = 0;
    seen->result = 0;
    seen->ended_at[0] = '\0';
    write_local(season, match_up, 0);
    open_add(season, (size_t)seen->number - 1);
}

void entrant_enter_state(struct season *season, int entrant, enum season_state state, uint64_t act)
{
    struct season_entry *entry = &season->entry[entrant];

    entry->seen.state = state;
    entry->seen.act = act;
    for (int s = 0; s < PLAN_STAGES; s++) {
        if (entry->group[s] >= 0 && season->stage[s].is_begun) {
            struct season_group *group = &season->stage[s].group[entry->group[s]];

            group->entrant[entry->local[s]].left = state != SEASON_IN;
        }
    }
}

void entrant_add(struct season *season, const char *name, bool late, uint64_t act)
{
    uint32_t number = name_add(season, name);
    struct season_entry *entry;

    season->entry = memory_list(season->entry, &season->entry_room, (size_t)season->entrants + 1,
                                sizeof *season->entry);
    entry = &season->entry[season->entrants];
    *entry = (struct season_entry){
        .seen = {.name = season->names.name[number], .late = late, .act = act}, .name = number};
    for (int s = 0; s < PLAN_STAGES; s++) {
        entry->group[s] = entry->local[s] = -1;
    }
    season->entrant_of[number] = season->entrants++;
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

    if (entry->seen.state == SEASON_WITHDRAWN || season->plan.stages == 0 ||
        season_is_over(season) || season->is_closed) {
        return false;
    }
    if (has_open_meeting(season, entrant) || !season->stage[season->present].is_begun) {
        return true;
    }
    if (entry->group[season->present] < 0) {
        return false; /* it was not taken into this stage */
    }
    return season->present + 1 < season->plan.stages ||
           !plan_is_elimination(season->plan.stage[season->present].form) ||
           !is_eliminated(season, entrant);
}
