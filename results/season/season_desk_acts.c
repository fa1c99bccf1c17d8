/* season_desk_acts.c - acts of a director: what is asked for, whether it is allowed now. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "swiss.h"
#include "season_state.h"

typedef enum bg_status act_fn(struct season *season, const struct act *act, struct bg_error *err);

static const char *entrant_name(const struct season *season, int entrant)
{
    return season->entry[entrant].seen.name;
}

/* ------------------------------------------------------------------ entrants */

static enum bg_status over_check(const struct season *season, const struct act *act,
                                 struct bg_error *err)
{
    if (season->plan.stages == 0 || !season_is_over(season)) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "%s: all meetings are over; allowed are adjudicate, void, replay, note and "
                        "close",
                        act->kind);
}

static enum bg_status take_enter(struct season *season, const struct act *act, struct bg_error *err)
{
    char name[PLAN_NAME];
    enum bg_status status = read_new_name(name, season, act, err);

    if (status != BG_OK) {
        return status;
    }
    if (season->stage[0].is_begun) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "enter %s: the first round is paired; late-enter adds an entrant now",
                            name);
    }
    entrant_add(season, name, false, act->number);
    return BG_OK;
}

/* Says why a form takes no entrant now; NULL: it does. Answers as words and not as a status,
 * because the remedy differs by form, and the sheet of the desk prints the same sentence. */
static const char *late_obstacle(const struct season *season)
{
    const struct plan_stage *plan = &season->plan.stage[0];
    const struct stage *stage = &season->stage[0];
    const struct season_group *group = stage->group;

    if (!stage->is_begun) {
        return "the first round is not paired yet; use enter";
    }
    if (season->present > 0) {
        return "the first stage is over; nobody can enter now";
    }
    if (plan_is_elimination(plan->form)) {
        return "the bracket is drawn; nobody can enter a knockout after its first round is paired";
    }
    if (stage->is_over || stage->is_ending) {
        return "the stage is over; nobody can enter now";
    }
    for (int g = 0; g < stage->groups; g++) {
        if (group[g].is_played_off) {
            return "the play-off is drawn; nobody can enter now";
        }
        if (plan->form == PLAN_SWISS &&
            !swiss_may_enter(swiss_rounds_of(plan, &group[g]), group[g].rounds)) {
            return "more than half of the rounds are paired; a Swiss takes late entrants until "
                   "then";
        }
    }
    return NULL;
}

static enum bg_status take_late_enter(struct season *season, const struct act *act,
                                      struct bg_error *err)
{
    const struct stage *stage = &season->stage[0];
    char name[PLAN_NAME];
    enum bg_status status = read_new_name(name, season, act, err);
    const char *obstacle = season->plan.stages == 0 ? NULL : late_obstacle(season);
    int smallest = 0;

    if (status != BG_OK) {
        return status;
    }
    if (obstacle != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "late-enter %s: %s", name, obstacle);
    }
    entrant_add(season, name, true, act->number);
    if (season->plan.stages == 0) {
        return BG_OK;
    }
    for (int g = 1; g < stage->groups; g++) {
        if (stage->group[g].entrants < stage->group[smallest].entrants) {
            smallest = g;
        }
    }
    group_add(season, 0, smallest, season->entrants - 1, stage->group[smallest].rounds);
    return BG_OK;
}

static enum bg_status set_state(struct season *season, const struct act *act,
                                enum season_state state, struct bg_error *err)
{
    static const char *const words[] = {"takes part", "absent", "withdrawn"};
    enum season_state now;
    int entrant;
    enum bg_status status = over_check(season, act, err);

    if (status == BG_OK) {
        status = read_entrant(&entrant, season, act, err);
    }
    if (status != BG_OK) {
        return status;
    }
    now = season->entry[entrant].seen.state;
    if (state == SEASON_IN && now == SEASON_IN) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "reinstate %s: it takes part; only an absent or withdrawn entrant can "
                            "be reinstated",
                            entrant_name(season, entrant));
    }
    if (now == state || (state == SEASON_ABSENT && now == SEASON_WITHDRAWN)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s %s: it is %s already (row %" PRIu64 "); reinstate brings it back",
                            act->kind, entrant_name(season, entrant), words[now],
                            season->entry[entrant].seen.act);
    }
    entrant_enter_state(season, entrant, state, act->number);
    return BG_OK;
}

static enum bg_status take_withdraw(struct season *season, const struct act *act,
                                    struct bg_error *err)
{
    return set_state(season, act, SEASON_WITHDRAWN, err);
}

static enum bg_status take_reinstate(struct season *season, const struct act *act,
                                     struct bg_error *err)
{
    return set_state(season, act, SEASON_IN, err);
}

static enum bg_status take_absent(struct season *season, const struct act *act,
                                  struct bg_error *err)
{
    return set_state(season, act, SEASON_ABSENT, err);
}

/* ------------------------------------------------------------------ the rest */

static enum bg_status take_note(struct season *season, const struct act *act, struct bg_error *err)
{
    const char *held = act_held(act);

    if (held == NULL && strcmp(act->subject, "-") != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "note: the state of an event is paused, cancelled or running, as in "
                            "state=paused");
    }
    season->held = held == NULL ? season->held : held;
    return BG_OK;
}

/* Reads between=A,B and the other words. */
static enum bg_status read_condition(int entrant[2], struct terms *terms,
                                     const struct season *season, const struct act *act,
                                     struct bg_error *err)
{
    const char *text = strchr(act->subject, ' ');
    struct bg_error why = {.text = ""};
    char between[2 * PLAN_NAME], *comma;

    if (strncmp(act->subject, "between=", 8) != 0 || text == NULL ||
        !act_word(between, sizeof between, act->subject, "between") ||
        (comma = strchr(between, ',')) == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "condition needs '%s'",
                            act_rules[ACT_CONDITION].subject);
    }
    *comma = '\0';
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? between : comma + 1;

        entrant[i] = season_find(season, name);
        if (entrant[i] < 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "'%s' is not an entrant of this event", name);
        }
    }
    if (entrant[0] == entrant[1]) {
        return bg_error_set(err, BG_E_ARGUMENT, "condition: %s and itself never meet", between);
    }
    if (terms_read(terms, text, season->length_points, &why) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT, "condition: %.400s", why.text);
    }
    return season->is_cubeless && terms->value[TERMS_CUBE] == 1
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "condition: cube=on: the event plays a rotation of games, which has "
                              "no cube")
               : BG_OK;
}

static enum bg_status take_condition(struct season *season, const struct act *act,
                                     struct bg_error *err)
{
    struct terms terms = terms_none();
    int entrant[2] = {0};
    enum bg_status status = over_check(season, act, err);

    if (status == BG_OK) {
        status = read_condition(entrant, &terms, season, act, err);
    }
    if (status != BG_OK) {
        return status;
    }
    for (size_t i = 0; i < season->open_count; i++) {
        const struct season_meeting *open = &season->match_up[season->open[i]].seen;

        if (meeting_has(&open->meeting, entrant[0]) && meeting_has(&open->meeting, entrant[1])) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "condition: %s and %s are in meeting %" PRIu64
                                "; conditions are set before two entrants are paired",
                                entrant_name(season, entrant[0]), entrant_name(season, entrant[1]),
                                open->number);
        }
    }
    condition_add(season, season->entry[entrant[0]].name, season->entry[entrant[1]].name, &terms,
                  act->number);
    return BG_OK;
}

static enum bg_status take_close(struct season *season, const struct act *act, struct bg_error *err)
{
    struct stage *stage = &season->stage[season->present];
    bool is_endless = season->plan.stages > 0 && stage_is_endless(season, season->present);
    bool is_last = season->present + 1 >= season->plan.stages;

    if (strcmp(act->subject, "-") != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "close has no subject ('-')");
    }
    /* A second close would not be an act: it changes nothing, and would stand in the journal as
     * if it had. */
    if (stage->is_ending) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "close: stage %d is closing already; %zu of its meetings are open",
                            season->present + 1, stage->open);
    }
    /* A form without an end has to be asked to end: what is paired is played, and nothing more
     * is paired. */
    if (is_endless && stage->is_begun) {
        stage->is_ending = true;
        season->is_closing = is_last;
        return BG_OK;
    }
    if (season->plan.stages > 0 && !season_is_over(season)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "close: the event is not over: stage %d of %d, round %d, %zu open "
                            "meetings; adjudicate, walkover and withdraw end meetings",
                            season->present + 1, season->plan.stages, stage->rounds, stage->open);
    }
    season->is_closing = true;
    return BG_OK;
}

static enum bg_status take_sign(struct season *season, const struct act *act, struct bg_error *err)
{
    char signer[PLAN_NAME];
    enum bg_status status = only_words(act, "signer", err);

    if (status != BG_OK) {
        return status;
    }
    if (!act_word(signer, sizeof signer, act->subject, "signer")) {
        return bg_error_set(err, BG_E_ARGUMENT, "sign needs 'signer=FINGERPRINT'");
    }
    if (!season->is_closed) {
        return bg_error_set(err, BG_E_ARGUMENT, "sign: the event is not closed; close comes first");
    }
    for (size_t i = 0; i < season->signers; i++) {
        if (strcmp(season->signer[i], signer) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "sign: %s has signed already", signer);
        }
    }
    season->signer = memory_list(season->signer, &season->signer_room, season->signers + 1,
                                 sizeof *season->signer);
    memcpy(season->signer[season->signers++], signer, sizeof signer);
    return BG_OK;
}

/* It plays again when it is there: the form notes that. */
static enum bg_status take_accept(struct season *season, const struct act *act,
                                  struct bg_error *err)
{
    int entrant;
    enum bg_status status = over_check(season, act, err);

    if (status == BG_OK) {
        status = read_entrant(&entrant, season, act, err);
    }
    if (status == BG_OK && season->entry[entrant].seen.state == SEASON_WITHDRAWN) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "accept %s: it is withdrawn; reinstate brings it back",
                            entrant_name(season, entrant));
    }
    return status;
}

static act_fn *const handlers[ACT_KINDS] = {
    [ACT_ENTER] = take_enter,           [ACT_LATE_ENTER] = take_late_enter,
    [ACT_WITHDRAW] = take_withdraw,     [ACT_REINSTATE] = take_reinstate,
    [ACT_ACCEPT] = take_accept,         [ACT_ABSENT] = take_absent,
    [ACT_WALKOVER] = take_walkover,     [ACT_VOID] = take_void,
    [ACT_ADJUDICATE] = take_adjudicate, [ACT_REPLAY] = take_replay,
    [ACT_CONDITION] = take_condition,   [ACT_NOTE] = take_note,
    [ACT_CLOSE] = take_close,           [ACT_SIGN] = take_sign,
};

enum bg_status take_of_desk(struct season *season, enum act_kind kind, const struct act *act,
                            struct bg_error *err)
{
    const struct act_rule *rule = &act_rules[kind];
    bool is_form = strcmp(act->who, "bgref") == 0;

    if (handlers[kind] == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: it follows from the form of the event; nobody can ask for it",
                            rule->name);
    }
    if (is_form && !rule->by_form) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: a director asks for it, never bgref itself",
                            rule->name);
    }
    if (rule->needs_reason && !is_form && strspn(act->reason, " ") == strlen(act->reason)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s needs a reason", rule->name);
    }
    /* A signature is for what cannot change any more. */
    if (season->is_closed && kind != ACT_NOTE && kind != ACT_SIGN) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: the event is closed; allowed are note and sign", rule->name);
    }
    /* The rows of a round stand together: an act between them could change for whom the rest of
     * it was computed. */
    if (season->pending.count > 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: a round is being paired; try again after it",
                            rule->name);
    }
    return handlers[kind](season, act, err);
}
