/* A season is a fold over the rows of the journal: nothing is kept that does not follow from
 * settings, rows and games, so that who reads the journal later gets the same state. Hence every
 * act is checked against it before it is stored, and a clone serves to try acts out. */
#include "season.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

/* ------------------------------------------------------------------ one season */

enum bg_status season_create(struct season **out, const struct season_setup *setup,
                             struct bg_error *err)
{
    struct season *season = NULL;
    enum bg_status status = BG_OK;

    if (setup->plan.stages > 0) {
        status = plan_check(&setup->plan, setup->seeds, setup->entrants, err);
        if (status != BG_OK) {
            goto done;
        }
    }
    season = memory_zeroed(1, sizeof *season);
    season->event = memory_text(setup->event);
    season->plan = setup->plan;
    season->legs = setup->legs;
    season->length_points = setup->length_points;
    season->pairs = setup->plan.stages == 0 ? setup->pairs : 0;
    season->tables = setup->tables;
    season->is_cubeless = setup->is_cubeless;
    season->is_trusted = setup->is_trusted;
    memcpy(season->head, ACT_ORIGIN, sizeof season->head);
    for (int i = 0; status == BG_OK && i < setup->entrants; i++) {
        if (season_find(season, setup->seeds[i]) >= 0) {
            status = bg_error_set(err, BG_E_ARGUMENT, "seed %d: %s is a seed already", i + 1,
                                  setup->seeds[i]);
        } else {
            entrant_add(season, setup->seeds[i], false, 0);
        }
    }
    if (status == BG_OK && setup->conditions != NULL) {
        status = conditions_begin(season, setup->conditions, err);
    }
    if (status == BG_OK) {
        *out = season;
        season = NULL;
    }
done:
    season_destroy(season);
    return status;
}

void season_destroy(struct season *season)
{
    if (season == NULL) {
        return;
    }
    for (uint32_t i = 0; i < season->names.count; i++) {
        free(season->names.name[i]);
    }
    for (int s = 0; s < PLAN_STAGES; s++) {
        stage_clear(&season->stage[s]);
    }
    free(season->names.name);
    free(season->names.slot);
    free(season->entrant_of);
    couples_clear(&season->couples);
    free(season->entry);
    free(season->match_up);
    free(season->open);
    free(season->allotment);
    free(season->condition);
    free(season->voided);
    free(season->pending.item);
    free(season->signer);
    free(season->event);
    free(season);
}

/* ------------------------------------------------------------------ a copy */

void *array_copy(const void *from, size_t room, size_t count, size_t size)
{
    void *copy = from == NULL ? NULL : memory_zeroed(room, size);

    return copy == NULL ? NULL : memcpy(copy, from, count * size);
}

#define COPY(array, room, count) array_copy(array, room, (size_t)(count), sizeof *(array))

struct season *season_clone(const struct season *season)
{
    struct season *copy = array_copy(season, 1, 1, sizeof *season);

    copy->event = memory_text(season->event);
    copy->names.name = COPY(season->names.name, season->names.room, season->names.count);
    copy->names.slot = COPY(season->names.slot, season->names.slots, season->names.slots);
    copy->entrant_of = COPY(season->entrant_of, season->entrant_of_room, season->names.count);
    couples_copy(&copy->couples, &season->couples);
    copy->entry = COPY(season->entry, season->entry_room, season->entrants);
    copy->match_up = COPY(season->match_up, season->meeting_room, season->meetings);
    copy->open = COPY(season->open, season->open_room, season->open_count);
    copy->allotment = COPY(season->allotment, season->allotment_room, season->allotments);
    copy->condition = COPY(season->condition, season->condition_room, season->conditions);
    copy->voided = COPY(season->voided, season->void_room, season->voids);
    copy->signer = COPY(season->signer, season->signer_room, season->signers);
    copy->pending.item = COPY(season->pending.item, season->pending.room, season->pending.count);
    for (int s = 0; s < PLAN_STAGES; s++) {
        stage_copy(&copy->stage[s], &season->stage[s]);
    }
    for (uint32_t i = 0; i < copy->names.count; i++) {
        copy->names.name[i] = memory_text(season->names.name[i]);
    }
    for (int i = 0; i < copy->entrants; i++) {
        /* Names are lent by their table, and the table was copied too. */
        copy->entry[i].seen.name = copy->names.name[copy->entry[i].name];
    }
    return copy;
}

/* ------------------------------------------------------------------ rows */

/* A replay is completed first, because the hash covers its pair numbers. */
void season_seal(struct act *act, const struct season *season)
{
    if (strcmp(act->kind, act_rules[ACT_REPLAY].name) == 0) {
        replay_complete(act, season);
    }
    act->number = season->acts + 1;
    act_seal(act, season->head);
}

static enum bg_status check_row(const struct season *season, const struct act *act,
                                struct bg_error *err)
{
    if (act->number != season->acts + 1) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "row %" PRIu64 " of the journal is missing; row %" PRIu64
                            " is in its place",
                            season->acts + 1, act->number);
    }
    if (!act_is_sealed(act, season->head)) {
        return bg_error_set(err, BG_E_MISMATCH, "row %" PRIu64 " of the journal was changed",
                            act->number);
    }
    if (act_kind_read(act->kind) == ACT_KINDS) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%s' is not an act", act->kind);
    }
    return BG_OK;
}

enum bg_status season_take(struct season *season, const struct act *act, struct bg_error *err)
{
    enum bg_status status = check_row(season, act, err);
    enum act_kind kind;
    bool is_of_form;

    if (status != BG_OK) {
        return status;
    }
    kind = act_kind_read(act->kind);
    /* Absences and returns may be noted by bgref itself, but nothing makes them due, so they are
     * checked like a director's. */
    is_of_form = strcmp(act->who, "bgref") == 0 && act_rules[kind].by_form && kind != ACT_ABSENT &&
                 kind != ACT_REINSTATE;
    status =
        is_of_form ? take_of_form(season, kind, act, err) : take_of_desk(season, kind, act, err);
    if (status != BG_OK) {
        return status;
    }
    season->acts = act->number;
    /* Only after the act was taken: a refused row must leave the chain where it was. */
    memcpy(season->head, act->hash, sizeof season->head);
    return season_settle(season, err);
}

/* ------------------------------------------------------------------ what can be asked */

bool season_is_over(const struct season *season)
{
    const struct stage *stage = &season->stage[season->present];

    return season->plan.stages > 0 && season->present + 1 == season->plan.stages &&
           stage->is_over && stage->open == 0 && season->pending.count == 0;
}

bool season_is_closed(const struct season *season)
{
    return season->is_closed;
}

const char *season_held(const struct season *season)
{
    return season->held == NULL ? "" : season->held;
}

const char *season_phase(const struct season *season)
{
    const char *held = season_held(season);

    return season->is_closed                ? "closed"
           : strcmp(held, "cancelled") == 0 ? held
           : season_is_over(season)         ? "over"
           : held[0] != '\0'                ? held
                                            : "open";
}

uint64_t season_acts_taken(const struct season *season)
{
    return season->acts;
}

const char *season_head(const struct season *season)
{
    return season->head;
}

const struct plan *season_plan(const struct season *season)
{
    return &season->plan;
}

int season_legs(const struct season *season)
{
    return season->legs;
}

uint64_t season_pairs(const struct season *season)
{
    return season->pairs;
}

int season_entrants(const struct season *season)
{
    return season->entrants;
}

const struct season_entrant *season_entrant(const struct season *season, int i)
{
    return &season->entry[i].seen;
}

int season_find(const struct season *season, const char *name)
{
    int64_t number = name_find(season, name);

    return number < 0 ? -1 : season->entrant_of[number];
}

size_t season_meetings(const struct season *season)
{
    return season->meetings;
}

const struct season_meeting *season_meeting(const struct season *season, size_t i)
{
    return &season->match_up[i].seen;
}

bool season_meeting_is_bare(const struct season *season, size_t i)
{
    const struct match_up *match_up = &season->match_up[i];

    return match_up->seen.end == SEASON_OPEN && match_up->units == 0;
}

bool season_fixture_is_void(const struct season *season, uint64_t i)
{
    return i < season->fixtures && leg_of_fixture(season, i).leg->is_void;
}

bool season_fixture_is_dropped(const struct season *season, uint64_t i)
{
    return i < season->fixtures && leg_of_fixture(season, i).leg->is_dropped;
}

int season_stage(const struct season *season)
{
    return season->present;
}

int season_groups(const struct season *season, int stage)
{
    return season->stage[stage].groups;
}
