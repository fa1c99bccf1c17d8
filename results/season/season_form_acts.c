/* season_form_acts.c - rows that follow from the form: each must be the one that follows. A row
 * by bgref is computed again and compared as text, kind, subject and reason. So a forged or
 * misplaced row is found without a list of what may be wrong with it. In a journal that was
 * checked when it was written (is_trusted), the costly ones are only read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "season_parse.h"
#include "season_state.h"

static enum bg_status wrong_act(const struct act *act, const struct act *expected,
                                struct bg_error *err)
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

static bool is_same_act(const struct act *act, const struct act *expected)
{
    return strcmp(act->kind, expected->kind) == 0 && strcmp(act->subject, expected->subject) == 0 &&
           strcmp(act->reason, expected->reason) == 0;
}

/* ------------------------------------------------------------------ rounds and pairings */

/* Takes the list over, so that a pairing that is announced by "round" is not computed again for
 * each of its rows. */
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
    struct season_due due;
    enum bg_status status = season_due(&due, season, err);

    if (status != BG_OK) {
        goto done;
    }
    if (due.kind == DUE_ROUND) {
        row_of_round(&expected, due.stage, due.begins ? 1 : season->stage[due.stage].rounds + 1);
    }
    if (!is_same_act(act, &expected)) {
        status = wrong_act(act, &expected, err);
        goto done;
    }
    if (due.begins) {
        status = stage_begin(season, due.stage, err);
        if (status != BG_OK) {
            goto done;
        }
        season->present = due.stage;
        stage_round(&due.list, season, due.stage);
    }
    due.list.stage = due.stage;
    season->stage[due.stage].rounds++;
    take_list(season, &due.list);
done:
    free(due.list.item);
    return status;
}

static void add_meeting(struct season *season, const struct pending *item, int stage,
                        const struct act *act)
{
    struct match_up *match_up;

    meeting_add(season, item, stage, act);
    match_up = &season->match_up[season->meetings - 1];
    if (item->meeting.kind == MEETING_BYE) {
        season->entry[match_up->seen.meeting.a].seen.byes++;
        meeting_end(season, match_up, SEASON_BYE, 1, act);
    } else {
        units_allot(season, match_up->seen.number, match_up->seen.meeting.a,
                    match_up->seen.meeting.b, read_units(act));
    }
}

static enum bg_status take_pending(struct season *season, const struct act *act,
                                   struct bg_error *err)
{
    struct pending_list *list = &season->pending;
    struct act expected = {0};

    row_of_pending(&expected, season, &list->item[list->next]);
    if (!is_same_act(act, &expected)) {
        return wrong_act(act, &expected, err);
    }
    add_meeting(season, &list->item[list->next], list->stage, act);
    if (++list->next == list->count) {
        free(list->item);
        *list = (struct pending_list){0};
    }
    return BG_OK;
}

/* A meeting that a ladder or league pairs. Without a check (trusted journal) the row is believed.
 */
static enum bg_status take_challenge(struct season *season, const struct act *act,
                                     struct bg_error *err)
{
    struct act expected = {0};
    struct season_due due = {.list = {0}};
    enum bg_status status = BG_OK;

    status = season_due(&due, season, err);
    if (status == BG_OK && due.kind == DUE_CHALLENGE) {
        row_of_pending(&expected, season, &due.list.item[0]);
    }
    if (status == BG_OK && !is_same_act(act, &expected)) {
        status = wrong_act(act, &expected, err);
    }
    if (status == BG_OK) {
        add_meeting(season, &due.list.item[0], due.stage, act);
    }
    free(due.list.item);
    return status;
}

/* ------------------------------------------------------------------ results */

/* Further units: beyond those of the terms they are extra, because the score is level. */
static void add_units(struct season *season, struct match_up *match_up, const struct act *act)
{
    int count;
    enum plan_terms terms = meeting_terms(&count, season, match_up);

    match_up->extra += terms != PLAN_BEST_OF || match_up->units >= (uint64_t)count;
    units_allot(season, match_up->seen.number, match_up->seen.meeting.a, match_up->seen.meeting.b,
                read_units(act));
}

static enum bg_status take_result(struct season *season, struct match_up *match_up,
                                  const struct act *act, struct bg_error *err)
{
    struct act expected = {0};
    struct season_verdict verdict = meeting_verdict(season, match_up);

    if (!row_of_games(&expected, season, match_up) || !is_same_act(act, &expected)) {
        return wrong_act(act, &expected, err);
    }
    meeting_end(season, match_up, SEASON_PLAYED, verdict.score, act);
    /* The row does not say it; it follows where the last games were level too. */
    match_up->seen.by_seed = verdict.by_seed;
    return BG_OK;
}

static enum bg_status take_further(struct season *season, struct match_up *match_up,
                                   const struct act *act, struct bg_error *err)
{
    struct act expected = {0};

    if (!row_of_games(&expected, season, match_up) || !is_same_act(act, &expected)) {
        return wrong_act(act, &expected, err);
    }
    add_units(season, match_up, act);
    return BG_OK;
}

static enum bg_status take_absence(struct season *season, struct match_up *match_up,
                                   const struct act *act, struct bg_error *err)
{
    const struct season_meeting *seen = &match_up->seen;
    bool a_is_out, b_is_out;
    struct act expected = {0};

    if (!row_of_absence(&expected, season, match_up) || !is_same_act(act, &expected)) {
        return wrong_act(act, &expected, err);
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

/* ------------------------------------------------------------------ a journal that was checked */

/* A row about one meeting, without a look at its games. */
static enum bg_status believe(struct season *season, enum act_kind kind, struct match_up *match_up,
                              const struct act *act, struct bg_error *err)
{
    const struct season_meeting *seen = &match_up->seen;
    char word[PLAN_NAME] = "";

    if (seen->end != SEASON_OPEN) {
        return wrong_act(act, &(struct act){0}, err);
    }
    if (kind == ACT_FIXTURE) {
        add_units(season, match_up, act);
        return BG_OK;
    }
    if (kind == ACT_VOID) {
        meeting_end(season, match_up, SEASON_VOID, 0, act);
        return BG_OK;
    }
    act_word(word, sizeof word, act->subject, kind == ACT_RESULT ? "score" : "bot");
    if (kind == ACT_RESULT) {
        double score = word[0] == '1' ? 1 : word[1] == '.' ? 0.5 : 0;

        meeting_end(season, match_up, SEASON_PLAYED, score, act);
        match_up->seen.by_seed =
            is_elimination(season, match_up) && match_up->extra == PLAN_EXTRA &&
            (match_up->wins_a == match_up->wins_b || seen->points_a == seen->points_b);
    } else if (strcmp(word, "-") == 0) {
        meeting_end_absent(season, match_up, act);
    } else {
        bool a_wins = strcmp(season->entry[seen->meeting.a].seen.name, word) == 0;

        meeting_end(season, match_up, SEASON_WALKOVER, a_wins ? 1 : 0, act);
    }
    return BG_OK;
}

static enum bg_status believe_challenge(struct season *season, const struct act *act,
                                        struct bg_error *err)
{
    struct pending item = {0};
    enum bg_status status = read_challenge(&item, season, act, err);

    if (status == BG_OK) {
        item.meeting.line = (int)season->stage[season->present].group[item.group].main.count;
        add_meeting(season, &item, season->present, act);
    }
    return status;
}

enum bg_status take_of_form(struct season *season, enum act_kind kind, const struct act *act,
                            struct bg_error *err)
{
    struct act nothing = {0};
    struct match_up *match_up;
    char a[8];

    if (season->plan.stages == 0) {
        return wrong_act(act, &nothing, err);
    }
    if (season->pending.count > 0) {
        return take_pending(season, act, err);
    }
    if (kind == ACT_ROUND) {
        return take_round(season, act, err);
    }
    if (kind == ACT_BYE) {
        return wrong_act(act, &nothing, err);
    }
    if (kind == ACT_FIXTURE && act_word(a, sizeof a, act->subject, "stage")) {
        return season->is_trusted ? believe_challenge(season, act, err)
                                  : take_challenge(season, act, err);
    }
    match_up = meeting_of(season, act);
    if (match_up == NULL) {
        return wrong_act(act, &nothing, err);
    }
    if (season->is_trusted) {
        return believe(season, kind, match_up, act, err);
    }
    return kind == ACT_RESULT    ? take_result(season, match_up, act, err)
           : kind == ACT_FIXTURE ? take_further(season, match_up, act, err)
                                 : take_absence(season, match_up, act, err);
}
