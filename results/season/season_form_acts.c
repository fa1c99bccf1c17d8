/* season_form_acts.c - the rows that follow from the form: which one is next, and whether a row of
 * the journal is it. They are texts made in one place: a row by bgref is computed again and
 * compared, kind, subject and reason, so a forged or misplaced row is found without a list of what
 * may be wrong with it. A change of one letter here makes every older journal invalid. In a journal
 * that was checked when it was written (is_trusted), the costly rows are only read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

/* ------------------------------------------------------------------ the next row */

static const char *const part_words[] = {"main", "losers", "final", "third", "playoff"};

static void set_kind(struct act *act, enum act_kind kind, const char *reason)
{
    snprintf(act->kind, sizeof act->kind, "%s", act_rules[kind].name);
    snprintf(act->reason, sizeof act->reason, "%s", reason);
    act->subject[0] = '\0';
}

/* Scores are computed as doubles, and only three of them exist. */
static const char *score_text(double score)
{
    return score > 0.75 ? "1" : score > 0.25 ? "0.5" : "0";
}

static void row_of_round(struct act *out, int stage, int round)
{
    set_kind(out, ACT_ROUND, "");
    snprintf(out->subject, sizeof out->subject, "stage=%d round=%d", stage + 1, round);
}

static void row_of_pending(struct act *out, const struct season *season,
                           const struct pending *pending)
{
    int stage = season->pending.count > 0 ? season->pending.stage : season->present;
    const struct season_group *group = &season->stage[stage].group[pending->group];
    const struct meeting *meeting = &pending->meeting;
    bool is_bye = meeting->kind == MEETING_BYE;
    int a = group->member[meeting->a], used;

    set_kind(out, is_bye ? ACT_BYE : ACT_FIXTURE, "");
    used = snprintf(out->subject, sizeof out->subject,
                    "meeting=%zu stage=%d group=%d part=%s round=%d line=%d ", season->meetings + 1,
                    stage + 1, pending->group + 1, part_words[meeting->part], meeting->round,
                    meeting->line + 1);
    if (is_bye) {
        snprintf(out->subject + used, sizeof out->subject - (size_t)used, "bot=%s",
                 season->entry[a].seen.name);
    } else {
        int b = group->member[meeting->b];
        struct match_up match_up = {.seen = {.stage = stage}, .is_playoff = pending->is_playoff};
        bool is_out =
            season->entry[a].seen.state != SEASON_IN || season->entry[b].seen.state != SEASON_IN;
        int count;
        enum plan_terms terms = meeting_terms(&count, season, &match_up);

        snprintf(out->subject + used, sizeof out->subject - (size_t)used,
                 "a=%s b=%s pairs=%" PRIu64 "+%" PRIu64, season->entry[a].seen.name,
                 season->entry[b].seen.name, couple_next(season, a, b),
                 is_out ? 0 : first_units(terms, count));
    }
}

static bool row_of_games(struct act *out, const struct season *season,
                         const struct match_up *match_up)
{
    const struct season_meeting *seen = &match_up->seen;
    struct season_verdict verdict = meeting_verdict(season, match_up);

    if (verdict.state == VERDICT_OVER) {
        set_kind(out, ACT_RESULT, "");
        snprintf(out->subject, sizeof out->subject,
                 "meeting=%" PRIu64 " score=%s points=%" PRId64 ":%" PRId64, seen->number,
                 score_text(verdict.score), seen->points_a, seen->points_b);
    } else if (verdict.state == VERDICT_MORE) {
        set_kind(out, ACT_FIXTURE, "");
        snprintf(out->subject, sizeof out->subject,
                 "meeting=%" PRIu64 " pairs=%" PRIu64 "+%" PRIu64, seen->number,
                 couple_next(season, seen->meeting.a, seen->meeting.b), verdict.units);
    }
    return verdict.state != VERDICT_WAIT;
}

static bool row_of_absence(struct act *out, const struct season *season,
                           const struct match_up *match_up)
{
    const struct season_meeting *seen = &match_up->seen;
    const struct season_entrant *a = &season->entry[seen->meeting.a].seen;
    const struct season_entrant *b = &season->entry[seen->meeting.b].seen;
    bool a_is_out = a->state != SEASON_IN, b_is_out = b->state != SEASON_IN;
    char reason[ACT_REASON];

    if (seen->end != SEASON_OPEN || (!a_is_out && !b_is_out)) {
        return false;
    }
    if (a_is_out && b_is_out) {
        snprintf(reason, sizeof reason, "%s and %s are out", a->name, b->name);
    } else {
        snprintf(reason, sizeof reason, "%s is %s", a_is_out ? a->name : b->name,
                 (a_is_out ? a : b)->state == SEASON_ABSENT ? "absent" : "withdrawn");
    }
    if (stage_is_endless(season, seen->stage) && !match_up->is_playoff) {
        set_kind(out, ACT_VOID, reason);
        snprintf(out->subject, sizeof out->subject, "meeting=%" PRIu64, seen->number);
    } else {
        set_kind(out, ACT_WALKOVER, reason);
        snprintf(out->subject, sizeof out->subject, "meeting=%" PRIu64 " bot=%s", seen->number,
                 a_is_out && b_is_out ? "-"
                 : a_is_out           ? b->name
                                      : a->name);
    }
    return true;
}

/* A result before an absence: games that decide a meeting were played before anybody left. */
static bool row_of_open(struct act *out, const struct season *season)
{
    for (size_t i = 0; i < season->open_count; i++) {
        const struct match_up *match_up = &season->match_up[season->open[i]];
        bool is_over = meeting_verdict(season, match_up).state == VERDICT_OVER;

        if (!is_over && row_of_absence(out, season, match_up)) {
            return true;
        }
        if (row_of_games(out, season, match_up)) {
            return true;
        }
    }
    return false;
}

/* Fills kind, subject and reason of the next row of the form; *found: false if there is none. */
static enum bg_status next_row(struct act *out, bool *found, const struct season *season,
                               struct bg_error *err)
{
    struct season_due due;
    enum bg_status status;

    *found = true;
    if (season->pending.count > 0) {
        row_of_pending(out, season, &season->pending.item[season->pending.next]);
        return BG_OK;
    }
    if (row_of_open(out, season)) {
        return BG_OK;
    }
    status = season_due(&due, season, err);
    *found = status == BG_OK && due.kind != DUE_NOTHING;
    if (*found && due.kind == DUE_ROUND) {
        row_of_round(out, due.stage, due.begins ? 1 : season->stage[due.stage].rounds + 1);
    } else if (*found) {
        *found = season->tables == 0 || season->stage[due.stage].open < (size_t)season->tables;
        row_of_pending(out, season, &due.list.item[0]);
    }
    free(due.list.item);
    return status;
}

enum bg_status season_follow(struct season_acts *out, struct season *season, const char *at,
                             struct bg_error *err)
{
    size_t room = 0;
    enum bg_status status = BG_OK;
    bool found = true;

    *out = (struct season_acts){0};
    while (status == BG_OK && found) {
        struct act act = {0};

        status = next_row(&act, &found, season, err);
        if (status == BG_OK && found) {
            snprintf(act.at, sizeof act.at, "%s", at);
            snprintf(act.who, sizeof act.who, "bgref");
            season_seal(&act, season);
            status = season_take(season, &act, err);
            out->acts = memory_list(out->acts, &room, out->count + 1, sizeof act);
            out->acts[out->count++] = act;
        }
    }
    if (status != BG_OK) {
        free(out->acts);
        *out = (struct season_acts){0};
    }
    return status;
}

/* ------------------------------------------------------------------ a row is taken */

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
        units_allot(season, match_up->seen.number, read_units(act));
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
    units_allot(season, match_up->seen.number, read_units(act));
}

/* A result, or further units. */
static enum bg_status take_games(struct season *season, struct match_up *match_up,
                                 const struct act *act, struct bg_error *err)
{
    struct act expected = {0};
    struct season_verdict verdict = meeting_verdict(season, match_up);

    if (!row_of_games(&expected, season, match_up) || !is_same_act(act, &expected)) {
        return wrong_act(act, &expected, err);
    }
    if (verdict.state == VERDICT_MORE) {
        add_units(season, match_up, act);
        return BG_OK;
    }
    meeting_end(season, match_up, SEASON_PLAYED, verdict.score, act);
    /* The row does not say it; it follows where the last games were level too. */
    match_up->seen.by_seed = verdict.by_seed;
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
    return kind == ACT_RESULT || kind == ACT_FIXTURE ? take_games(season, match_up, act, err)
                                                     : take_absence(season, match_up, act, err);
}
