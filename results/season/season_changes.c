/* season_changes.c - changes of a season, after all checks. Nothing here can be refused: who
 * calls has checked everything, so a season is never left half changed by an error. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

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
