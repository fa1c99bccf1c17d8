/* season_rows.c - the rows that follow from the form, and season_follow. The rows are texts made
 * in one place, both to be stored and to be compared with what a journal has. A change of one
 * letter here makes every older journal invalid. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

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

void row_of_round(struct act *out, int stage, int round)
{
    set_kind(out, ACT_ROUND, "");
    snprintf(out->subject, sizeof out->subject, "stage=%d round=%d", stage + 1, round);
}

void row_of_pending(struct act *out, const struct season *season, const struct pending *pending)
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

bool row_of_games(struct act *out, const struct season *season, const struct match_up *match_up)
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

bool row_of_absence(struct act *out, const struct season *season, const struct match_up *match_up)
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
static enum bg_status season_next_row(struct act *out, bool *found, const struct season *season,
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

/* Whether season_follow may have something to do; false: certainly not. */
static enum bg_status has_row(bool *out, const struct season *season, struct bg_error *err)
{
    struct act act = {0};

    return season_next_row(&act, out, season, err);
}

enum bg_status season_follow(struct season_acts *out, const struct season *season, const char *at,
                             struct bg_error *err)
{
    struct season *next = NULL;
    size_t room = 0;
    bool found = false;
    enum bg_status status = has_row(&found, season, err);

    *out = (struct season_acts){0};
    if (status != BG_OK || !found) {
        return status;
    }
    /* Tried on a copy: the rows are the caller's to store, and only stored rows may change the
     * season. */
    next = season_clone(season);
    while (status == BG_OK && found) {
        struct act act = {0};

        status = season_next_row(&act, &found, next, err);
        if (status != BG_OK || !found) {
            break;
        }
        snprintf(act.at, sizeof act.at, "%s", at);
        snprintf(act.who, sizeof act.who, "bgref");
        season_seal(&act, next);
        status = season_take(next, &act, err);
        out->acts = memory_list(out->acts, &room, out->count + 1, sizeof act);
        out->acts[out->count++] = act;
    }
    if (status != BG_OK) {
        free(out->acts);
        *out = (struct season_acts){0};
    }
    season_destroy(next);
    return status;
}
