/* season_decisions.c - decisions of the desk on meetings and games. A decision may change a
 * result only until something was drawn from it: a next round of an elimination, a play-off, a
 * next stage. After that the drawn meetings would contradict the result, and no later act could
 * repair it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"

/* Whether what follows from a meeting is already drawn. */
static enum bg_status lock_check(const struct season *season, const struct match_up *match_up,
                                 const struct act *act, struct bg_error *err)
{
    const struct season_meeting *seen = &match_up->seen;
    const struct stage *stage = &season->stage[seen->stage];

    if (seen->end == SEASON_BYE) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: meeting %" PRIu64 " is a bye; it stands",
                            act->kind, seen->number);
    }
    if (seen->stage != season->present) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: too late: stage %d is over, and stage %d was drawn from it",
                            act->kind, seen->stage + 1, season->present + 1);
    }
    if (is_elimination(season, match_up) && stage->rounds > match_up->row_round) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: too late: round %d was drawn from the result of meeting %" PRIu64,
                            act->kind, stage->rounds, seen->number);
    }
    if (stage->group[seen->group].is_played_off && !match_up->is_playoff) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: too late: the play-off was drawn from the result of meeting "
                            "%" PRIu64,
                            act->kind, seen->number);
    }
    return BG_OK;
}

static enum bg_status meetings_check(const struct season *season, const struct act *act,
                                     struct bg_error *err)
{
    if (season->plan.stages > 0) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "%s: a plain round robin has no meetings; void and replay take "
                        "pair=A|B|PAIR",
                        act->kind);
}

/* Reads the meeting and checks that it can still be decided. */
static enum bg_status begin_decision(struct match_up **out, struct season *season,
                                     const struct act *act, const char *words, struct bg_error *err)
{
    enum bg_status status = meetings_check(season, act, err);

    if (status == BG_OK) {
        status = only_words(act, words, err);
    }
    if (status == BG_OK) {
        status = read_meeting(out, season, act, err);
    }
    return status == BG_OK ? lock_check(season, *out, act, err) : status;
}

enum bg_status take_walkover(struct season *season, const struct act *act, struct bg_error *err)
{
    struct match_up *match_up;
    char name[PLAN_NAME];
    enum bg_status status = begin_decision(&match_up, season, act, "meeting bot", err);
    const char *a, *b;

    if (status != BG_OK) {
        return status;
    }
    a = season->entry[match_up->seen.meeting.a].seen.name;
    if (match_up->seen.end != SEASON_OPEN) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "walkover: meeting %" PRIu64 " has ended (row %" PRIu64
                            "); adjudicate changes its result",
                            match_up->seen.number, match_up->seen.result);
    }
    b = season->entry[match_up->seen.meeting.b].seen.name;
    if (!act_word(name, sizeof name, act->subject, "bot") ||
        (strcmp(name, a) != 0 && strcmp(name, b) != 0 && strcmp(name, "-") != 0)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "walkover: bot= is the winner of meeting %" PRIu64
                            ": %s, %s, or - for nobody",
                            match_up->seen.number, a, b);
    }
    if (strcmp(name, "-") == 0) {
        meeting_end_absent(season, match_up, act);
    } else {
        meeting_end(season, match_up, SEASON_WALKOVER, strcmp(name, a) == 0 ? 1 : 0, act);
    }
    return BG_OK;
}

enum bg_status take_adjudicate(struct season *season, const struct act *act, struct bg_error *err)
{
    struct match_up *match_up;
    char text[8] = "";
    enum bg_status status = begin_decision(&match_up, season, act, "meeting score", err);
    double score;

    if (status != BG_OK) {
        return status;
    }
    act_word(text, sizeof text, act->subject, "score");
    if (strcmp(text, "1") != 0 && strcmp(text, "0.5") != 0 && strcmp(text, "0") != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "adjudicate: score= is 1, 0.5 or 0 for %s, the first of meeting "
                            "%" PRIu64,
                            season->entry[match_up->seen.meeting.a].seen.name,
                            match_up->seen.number);
    }
    score = text[0] == '1' ? 1 : text[1] == '.' ? 0.5 : 0;
    if (score == 0.5 && is_elimination(season, match_up)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "adjudicate: a knockout needs a winner: score=1 or score=0");
    }
    if (match_up->seen.end == SEASON_ADJUDICATED && match_up->seen.meeting.score_a == score) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "adjudicate: row %" PRIu64 " decided meeting %" PRIu64 " so already",
                            match_up->seen.result, match_up->seen.number);
    }
    meeting_end(season, match_up, SEASON_ADJUDICATED, score, act);
    return BG_OK;
}

/* ------------------------------------------------------------------ void */

static struct void_pair *void_find(const struct season *season, const uint32_t names[2],
                                   uint64_t pair)
{
    for (size_t i = 0; i < season->voids; i++) {
        struct void_pair *voided = &season->voided[i];

        if (voided->a == names[0] && voided->b == names[1] && voided->pair == pair) {
            return voided;
        }
    }
    return NULL;
}

static void void_add(struct season *season, const uint32_t names[2], uint64_t pair,
                     bool is_replayed)
{
    struct void_pair *voided = void_find(season, names, pair);

    if (voided == NULL) {
        season->voided = memory_list(season->voided, &season->void_room, season->voids + 1,
                                     sizeof *season->voided);
        voided = &season->voided[season->voids++];
        *voided = (struct void_pair){names[0], names[1], pair, false};
    }
    voided->is_replayed = voided->is_replayed || is_replayed;
}

/* Finds the pair's meeting (NULL in a plain round robin), and whether it is void. */
static enum bg_status find_pair(struct match_up **out, bool *is_void, struct season *season,
                                const struct act *act, const uint32_t names[2], uint64_t pair,
                                struct bg_error *err)
{
    struct leg_at at;
    bool is_fixture = leg_find(&at, season, names[0], names[1], pair, 0);

    *out = NULL;
    /* Not by what was played: games of a void pair are set aside, and when the journal is read
     * again its legs were dropped with its meeting. */
    *is_void = void_find(season, names, pair) != NULL ||
               (is_fixture && at.leg->is_void && !at.leg->is_dropped);
    if (!is_fixture && (season->plan.stages > 0 || pair >= season->pairs)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: pair %" PRIu64 " of %s and %s is not in the event", act->kind,
                            pair, season->names.name[names[0]], season->names.name[names[1]]);
    }
    if (is_fixture) {
        *out = &season->match_up[at.of->meeting - 1];
        return lock_check(season, *out, act, err);
    }
    return BG_OK;
}

static enum bg_status void_meeting(struct season *season, const struct act *act,
                                   struct bg_error *err)
{
    struct match_up *match_up;
    enum bg_status status = begin_decision(&match_up, season, act, "meeting", err);

    if (status != BG_OK) {
        return status;
    }
    if (match_up->seen.end == SEASON_VOID) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "void: meeting %" PRIu64 " is void (row %" PRIu64 ")",
                            match_up->seen.number, match_up->seen.result);
    }
    if (is_elimination(season, match_up)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "void: a knockout needs a winner of meeting %" PRIu64
                            "; replay or adjudicate it",
                            match_up->seen.number);
    }
    meeting_end(season, match_up, SEASON_VOID, 0, act);
    return BG_OK;
}

enum bg_status take_void(struct season *season, const struct act *act, struct bg_error *err)
{
    struct match_up *match_up;
    char text[8];
    uint32_t names[2];
    uint64_t pair;
    bool is_void;
    enum bg_status status;

    if (act_word(text, sizeof text, act->subject, "meeting") ||
        strncmp(act->subject, "meeting=", 8) == 0) {
        return void_meeting(season, act, err);
    }
    status = only_words(act, strncmp(act->subject, "game=", 5) == 0 ? "game" : "pair", err);
    if (status == BG_OK) {
        status = read_pair(names, &pair, season, act, err);
    }
    if (status == BG_OK) {
        status = find_pair(&match_up, &is_void, season, act, names, pair, err);
    }
    if (status != BG_OK) {
        return status;
    }
    if (is_void) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "void: pair %" PRIu64 " of %s and %s is void already", pair,
                            season->names.name[names[0]], season->names.name[names[1]]);
    }
    void_add(season, names, pair, false);
    pair_void(season, names[0], names[1], pair);
    if (match_up != NULL && match_up->seen.end == SEASON_PLAYED) {
        meeting_reopen(season, match_up);
    }
    return BG_OK;
}

/* ------------------------------------------------------------------ replay */

/* The numbers stand in the row, because who reads the journal later must not depend on how we
 * would choose them then. */
static enum bg_status check_units(const struct season *season, const struct act *act, int a, int b,
                                  uint64_t count, struct bg_error *err)
{
    char text[48] = "", expected[48];

    snprintf(expected, sizeof expected, "%" PRIu64 "+%" PRIu64, couple_next(season, a, b), count);
    act_word(text, sizeof text, act->subject, "pairs");
    if (strcmp(text, expected) == 0) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT, "replay: pairs=%s; the next unused pairs are pairs=%s",
                        text, expected);
}

static enum bg_status check_sides(const struct season *season, const struct act *act,
                                  const int side[2], struct bg_error *err)
{
    for (int i = 0; i < 2; i++) {
        const struct season_entrant *entrant = &season->entry[side[i]].seen;

        if (entrant->state != SEASON_IN) {
            return bg_error_set(err, BG_E_ARGUMENT, "%s: %s is %s; reinstate it first", act->kind,
                                entrant->name,
                                entrant->state == SEASON_ABSENT ? "absent" : "withdrawn");
        }
    }
    return BG_OK;
}

static enum bg_status check_rows(const struct match_up *match_up, struct bg_error *err)
{
    if (match_up->seen.unit_rows < SEASON_UNITS) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "replay: meeting %" PRIu64 " was continued too often; adjudicate it",
                        match_up->seen.number);
}

static uint64_t units_of_meeting(const struct season *season, const struct match_up *match_up)
{
    int count;
    enum plan_terms terms = meeting_terms(&count, season, match_up);

    return first_units(terms, count);
}

static enum bg_status replay_meeting(struct season *season, const struct act *act,
                                     struct bg_error *err)
{
    struct match_up *match_up;
    uint64_t units;
    enum bg_status status = begin_decision(&match_up, season, act, "meeting pairs", err);

    if (status == BG_OK) {
        int side[2] = {match_up->seen.meeting.a, match_up->seen.meeting.b};

        units = units_of_meeting(season, match_up);
        status = check_sides(season, act, side, err);
        if (status == BG_OK) {
            status = check_units(season, act, side[0], side[1], units, err);
        }
    }
    if (status == BG_OK) {
        status = check_rows(match_up, err);
    }
    if (status != BG_OK) {
        return status;
    }
    /* First the old legs, then the new ones: units_allot counts on in the meeting that the first
     * has emptied. */
    meeting_void_legs(season, match_up, false);
    match_up->extra = 0;
    units_allot(season, match_up->seen.number, units);
    meeting_reopen(season, match_up);
    return BG_OK;
}

static enum bg_status check_replay(struct match_up **out, uint32_t names[2], uint64_t *pair,
                                   struct season *season, const struct act *act,
                                   struct bg_error *err)
{
    const struct void_pair *voided;
    bool is_void;
    enum bg_status status = only_words(act, season->plan.stages == 0 ? "pair" : "pair pairs", err);

    if (status == BG_OK) {
        status = read_pair(names, pair, season, act, err);
    }
    if (status == BG_OK) {
        status = find_pair(out, &is_void, season, act, names, *pair, err);
    }
    if (status != BG_OK) {
        return status;
    }
    if (season->plan.stages == 0) {
        return !is_void ? BG_OK
                        : bg_error_set(err, BG_E_ARGUMENT,
                                       "replay: pair %" PRIu64 " of %s and %s is void; it is not "
                                       "played again",
                                       *pair, season->names.name[names[0]],
                                       season->names.name[names[1]]);
    }
    voided = void_find(season, names, *pair);
    if ((voided != NULL && voided->is_replayed) || (is_void && voided == NULL)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "replay: pair %" PRIu64 " of %s and %s was replaced already", *pair,
                            season->names.name[names[0]], season->names.name[names[1]]);
    }
    if ((*out)->seen.end != SEASON_OPEN && (*out)->seen.end != SEASON_PLAYED) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "replay: row %" PRIu64 " decided meeting %" PRIu64
                            "; replay the whole meeting, or adjudicate it",
                            (*out)->seen.result, (*out)->seen.number);
    }
    return check_rows(*out, err);
}

static enum bg_status replay_pair(struct season *season, const struct act *act,
                                  struct bg_error *err)
{
    struct match_up *match_up = NULL;
    uint32_t names[2] = {0};
    uint64_t pair = 0;
    enum bg_status status = check_replay(&match_up, names, &pair, season, act, err);
    int side[2];

    if (status != BG_OK) {
        return status;
    }
    side[0] = season->entrant_of[names[0]];
    side[1] = season->entrant_of[names[1]];
    status = check_sides(season, act, side, err);
    if (season->plan.stages == 0) {
        return status; /* the pair keeps its number: the next attempt at it has other dice */
    }
    if (status == BG_OK) {
        status = check_units(season, act, side[0], side[1], 1, err);
    }
    if (status != BG_OK) {
        return status;
    }
    void_add(season, names, pair, true);
    pair_void(season, names[0], names[1], pair);
    units_allot(season, match_up->seen.number, 1);
    meeting_reopen(season, match_up);
    return BG_OK;
}

static bool is_of_meeting(const struct act *act)
{
    return strncmp(act->subject, "meeting=", 8) == 0;
}

enum bg_status take_replay(struct season *season, const struct act *act, struct bg_error *err)
{
    return is_of_meeting(act) ? replay_meeting(season, act, err) : replay_pair(season, act, err);
}

/* Leaves the act as it is where it cannot be read; taking it then says what is wrong. */
void replay_complete(struct act *act, const struct season *season)
{
    size_t used = strlen(act->subject);
    struct match_up *match_up = is_of_meeting(act) ? meeting_of(season, act) : NULL;
    char text[48];
    uint32_t names[2];
    uint64_t pair, units = 1;
    int a, b;

    if (season->plan.stages == 0 || act_word(text, sizeof text, act->subject, "pairs") ||
        strstr(act->subject, " pairs=")) {
        return;
    }
    if (match_up != NULL && match_up->seen.meeting.b != FORMS_NOBODY) {
        a = match_up->seen.meeting.a;
        b = match_up->seen.meeting.b;
        units = units_of_meeting(season, match_up);
    } else if (!is_of_meeting(act) && read_pair(names, &pair, season, act, NULL) == BG_OK) {
        a = season->entrant_of[names[0]];
        b = season->entrant_of[names[1]];
    } else {
        return;
    }
    snprintf(act->subject + used, sizeof act->subject - used, " pairs=%" PRIu64 "+%" PRIu64,
             couple_next(season, a, b), units);
}
