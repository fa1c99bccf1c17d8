/* season_form_acts.c - rows that follow from the form: each must be the one that follows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "season_parse.h"
#include "season_state.h"

static enum bg_status wrong(const struct act *act, const struct act *expected, struct bg_error *err)
{
    if (expected->kind[0] == '\0') {
        return bg_error_set(err, BG_E_MISMATCH,
                            "row %" PRIu64 ": '%s %.150s' does not follow: nothing of the kind is "
                            "due here",
                            act->number, act->kind, act->subject);
    }
    return bg_error_set(err, BG_E_MISMATCH,
                        "row %" PRIu64 ": '%s %.150s' does not follow; expected '%s %.150s'",
                        act->number, act->kind, act->subject, expected->kind, expected->subject);
}

static bool is_same(const struct act *act, const struct act *expected)
{
    return strcmp(act->kind, expected->kind) == 0 && strcmp(act->subject, expected->subject) == 0 &&
           strcmp(act->reason, expected->reason) == 0;
}

/* Reads FROM+COUNT of a row. */
static struct season_units units_of(const struct act *act)
{
    struct season_units units = {0};
    char text[48];

    if (act_word(text, sizeof text, act->subject, "pairs")) {
        sscanf(text, "%" SCNu64 "+%" SCNu64, &units.from, &units.count);
    }
    return units;
}

/* ------------------------------------------------------------------ rounds and pairings */

static void take_list(struct season *season, struct pending_list *list)
{
    free(season->pending.item);
    season->pending = *list;
    season->pending.next = 0;
    *list = (struct pending_list){0};
    for (size_t i = 0; i < season->pending.count; i++) {
        const struct pending *item = &season->pending.item[i];

        if (item->is_playoff) {
            season->stage[season->pending.stage].group[item->group].is_played_off = true;
        }
    }
}

static enum bg_status take_round(struct season *season, const struct act *act, struct bg_error *err)
{
    struct act expected = {0};
    struct due due;
    enum bg_status status = season_due(&due, season, err);

    if (status != BG_OK) {
        goto done;
    }
    if (due.kind == DUE_ROUND) {
        row_of_round(&expected, due.stage, due.begins ? 1 : season->stage[due.stage].rounds + 1);
    }
    if (!is_same(act, &expected)) {
        status = wrong(act, &expected, err);
        goto done;
    }
    if (due.begins) {
        int before = season->present;

        status = stage_begin(season, due.stage, err);
        if (status == BG_OK) {
            season->present = due.stage;
            status = stage_round(&due.list, season, due.stage, err);
        }
        if (status != BG_OK) {
            season->present = before;
            stage_undo(season, due.stage);
            goto done;
        }
    }
    due.list.stage = due.stage;
    season->stage[due.stage].rounds++;
    take_list(season, &due.list);
done:
    free(due.list.item);
    return status;
}

static enum bg_status add_meeting(struct season *season, const struct pending *item, int stage,
                                  const struct act *act, struct bg_error *err)
{
    enum bg_status status = meeting_add(season, item, stage, act, err);
    struct match_up *match_up;

    if (status != BG_OK) {
        return status;
    }
    match_up = &season->match_up[season->meetings - 1];
    if (item->meeting.kind == MEETING_BYE) {
        season->entry[match_up->seen.meeting.a].seen.byes++;
        meeting_end(season, match_up, SEASON_BYE, 1, act);
        return BG_OK;
    }
    return units_allot(season, match_up->seen.number, match_up->seen.meeting.a,
                       match_up->seen.meeting.b, units_of(act), err);
}

static enum bg_status take_pending(struct season *season, const struct act *act,
                                   struct bg_error *err)
{
    struct pending_list *list = &season->pending;
    struct act expected = {0};
    enum bg_status status;

    row_of_pending(&expected, season, &list->item[list->next]);
    if (!is_same(act, &expected)) {
        return wrong(act, &expected, err);
    }
    status = add_meeting(season, &list->item[list->next], list->stage, act, err);
    if (status == BG_OK && ++list->next == list->count) {
        free(list->item);
        *list = (struct pending_list){0};
    }
    return status;
}

/* A meeting that a ladder or league pairs. Without a check (trusted journal) the row is believed.
 */
static enum bg_status take_challenge(struct season *season, const struct act *act,
                                     struct bg_error *err)
{
    struct act expected = {0};
    struct due due = {.list = {0}};
    enum bg_status status = BG_OK;

    if (season->is_trusted) {
        struct pending item = {0};

        status = read_challenge(&item, season, act, err);
        return status == BG_OK ? add_meeting(season, &item, season->present, act, err) : status;
    }
    status = season_due(&due, season, err);
    if (status == BG_OK && due.kind == DUE_CHALLENGE) {
        row_of_pending(&expected, season, &due.list.item[0]);
    }
    if (status == BG_OK && !is_same(act, &expected)) {
        status = wrong(act, &expected, err);
    }
    if (status == BG_OK) {
        status = add_meeting(season, &due.list.item[0], due.stage, act, err);
    }
    free(due.list.item);
    return status;
}

/* ------------------------------------------------------------------ results */

static enum bg_status take_result(struct season *season, struct match_up *match_up,
                                  const struct act *act, struct bg_error *err)
{
    struct act expected = {0};
    struct verdict verdict = meeting_verdict(season, match_up);

    if (!row_of_games(&expected, season, match_up) || !is_same(act, &expected)) {
        return wrong(act, &expected, err);
    }
    meeting_end(season, match_up, SEASON_PLAYED, verdict.score, act);
    match_up->seen.by_seed = verdict.by_seed;
    return BG_OK;
}

static enum bg_status take_further(struct season *season, struct match_up *match_up,
                                   const struct act *act, struct bg_error *err)
{
    struct act expected = {0};
    struct verdict verdict = meeting_verdict(season, match_up);

    if (!row_of_games(&expected, season, match_up) || !is_same(act, &expected)) {
        return wrong(act, &expected, err);
    }
    match_up->extra += verdict.is_extra;
    return units_allot(season, match_up->seen.number, match_up->seen.meeting.a,
                       match_up->seen.meeting.b, units_of(act), err);
}

static enum bg_status take_absence(struct season *season, struct match_up *match_up,
                                   const struct act *act, struct bg_error *err)
{
    const struct season_meeting *seen = &match_up->seen;
    bool a_is_out, b_is_out;
    struct act expected = {0};

    if (!row_of_absence(&expected, season, match_up) || !is_same(act, &expected)) {
        return wrong(act, &expected, err);
    }
    a_is_out = season->entry[seen->meeting.a].seen.state != SEASON_IN;
    b_is_out = season->entry[seen->meeting.b].seen.state != SEASON_IN;
    if (strcmp(act->kind, act_rules[ACT_VOID].name) == 0) {
        meeting_end(season, match_up, SEASON_VOID, 0, act);
    } else if (a_is_out && b_is_out) {
        meeting_end_absent(season, match_up, act);
    } else {
        meeting_end(season, match_up, SEASON_WALKOVER, b_is_out ? 1 : 0, act);
    }
    return BG_OK;
}

enum bg_status take_of_form(struct season *season, enum act_kind kind, const struct act *act,
                            struct bg_error *err)
{
    struct act nothing = {0};
    struct match_up *match_up;
    char a[8];

    if (season->plan.stages == 0) {
        return wrong(act, &nothing, err);
    }
    if (season->pending.count > 0) {
        return take_pending(season, act, err);
    }
    if (kind == ACT_ROUND) {
        return take_round(season, act, err);
    }
    if (kind == ACT_BYE) {
        return wrong(act, &nothing, err);
    }
    if (kind == ACT_FIXTURE && act_word(a, sizeof a, act->subject, "stage")) {
        return take_challenge(season, act, err);
    }
    match_up = meeting_of(season, act);
    if (match_up == NULL) {
        return wrong(act, &nothing, err);
    }
    return kind == ACT_RESULT    ? take_result(season, match_up, act, err)
           : kind == ACT_FIXTURE ? take_further(season, match_up, act, err)
                                 : take_absence(season, match_up, act, err);
}
