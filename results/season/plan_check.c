/* What needs the entrants, apart from plan.c: a schedule is read before it is known who takes
 * part, and the number of entrants changes until the first round. */
#include "plan.h"

#include <stdio.h>
#include <string.h>

#include "base/closest.h"
#include "base/plural.h"

static enum bg_status check_names(const char *what, const char (*named)[PLAN_NAME], int count,
                                  const char *const *names, int entrants, struct bg_error *err)
{
    for (int i = 0; i < count; i++) {
        const char *near = closest_name(named[i], names, entrants);
        bool found = false;

        for (int k = 0; k < entrants; k++) {
            found = found || strcmp(named[i], names[k]) == 0;
        }
        if (!found) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "%s=%s: the event has no bot with this name%s%s%s", what, named[i],
                                near == NULL ? "" : " (perhaps ", near == NULL ? "" : near,
                                near == NULL ? "" : "?)");
        }
    }
    return BG_OK;
}

/* Compares a stage with the number of its entrants. */
static enum bg_status check_stage(const struct plan_stage *stage, int entrants,
                                  struct bg_error *err)
{
    const char *name = plan_form_name(stage->form);
    /* Rounded down: if the smallest group can play the form, all can. */
    int size = entrants / stage->groups; /* of the smallest group */

    if (size < 2) {
        return stage->groups == 1
                   ? bg_error_set(err, BG_E_ARGUMENT, "%s needs two entrants, and there %s %d",
                                  name, plural((uint64_t)entrants, "is", "are"), entrants)
                   : bg_error_set(err, BG_E_ARGUMENT,
                                  "groups=%d: %d entrants make groups with fewer than two",
                                  stage->groups, entrants);
    }
    /* In one round more somebody would have to meet an opponent again, which a Swiss never
     * pairs. */
    if (stage->form == PLAN_SWISS && stage->rounds > size - 1 + size % 2) {
        return bg_error_set(err, BG_E_ARGUMENT, "rounds=%d: %d entrants have at most %d rounds",
                            stage->rounds, size, size - 1 + size % 2);
    }
    if (stage->form == PLAN_GAUNTLET && stage->heroes >= entrants) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "heroes: all %d entrants are heroes, so no challenger is left",
                            entrants);
    }
    return BG_OK;
}

enum bg_status plan_check(const struct plan *plan, const char *const *names, int entrants,
                          struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int present = entrants;

    for (int i = 0; i < plan->stages && status == BG_OK; i++) {
        const struct plan_stage *stage = &plan->stage[i];

        if (i > 0) {
            int groups = plan->stage[i - 1].groups;

            if (stage->take > present / groups) {
                return bg_error_set(err, BG_E_ARGUMENT,
                                    "take=%d: the stage before has only %d entrants%s", stage->take,
                                    present / groups, groups > 1 ? " in a group" : "");
            }
            present = stage->take * groups;
        }
        status = check_stage(stage, present, err);
        if (status == BG_OK) {
            status = check_names("heroes", stage->hero, stage->heroes, names, entrants, err);
        }
        if (status == BG_OK) {
            status = check_names("anchors", stage->anchor, stage->anchors, names, entrants, err);
        }
    }
    return status;
}

/* ---------------------------------------------------------------------------------- for people */

/* A switch without default: the compiler then says where a new form has no words. */
static void write_form(char *out, size_t room, const struct plan_stage *stage)
{
    switch (stage->form) {
    case PLAN_CIRCLE:
        snprintf(out, room, "a round robin in rounds%s",
                 stage->table == CIRCLE_BERGER ? " by Berger's tables" : "");
        break;
    case PLAN_GAUNTLET:
        snprintf(out, room, "a gauntlet of %d %s", stage->heroes,
                 plural((uint64_t)stage->heroes, "hero", "heroes"));
        break;
    case PLAN_SWISS:
        if (stage->rounds > 0) {
            snprintf(out, room, "a Swiss of %d round%s", stage->rounds,
                     plural_s((uint64_t)stage->rounds));
        } else {
            snprintf(out, room, "a Swiss");
        }
        break;
    case PLAN_KNOCKOUT:
        snprintf(out, room, "a knockout%s",
                 stage->third_place ? " with a meeting for third place" : "");
        break;
    case PLAN_DOUBLE:
        snprintf(out, room, "a double elimination");
        break;
    case PLAN_LADDER:
    case PLAN_LEAGUE:
    case PLAN_FORMS:
        snprintf(out, room, "%s", stage->form == PLAN_LADDER ? "a ladder" : "a continuous league");
        break;
    }
}

static void write_terms(char *out, size_t room, const struct plan_stage *stage)
{
    char length[32] = "";

    if (stage->length > 0) {
        snprintf(length, sizeof length, ", matches to %d", stage->length);
    }
    switch (stage->terms) {
    case PLAN_PAIRS:
        snprintf(out, room, "%d pair%s%s", stage->count, plural_s((uint64_t)stage->count), length);
        break;
    case PLAN_MATCH:
        snprintf(out, room, "one match to %d", stage->count);
        break;
    case PLAN_BEST_OF:
        snprintf(out, room, "best of %d%s", stage->count, length);
        break;
    case PLAN_POINTS:
        snprintf(out, room, "%d game%s with points added%s", stage->count,
                 plural_s((uint64_t)stage->count), length);
        break;
    }
}

void plan_stage_text(char *out, size_t room, const struct plan_stage *stage)
{
    char form[64], terms[64], take[32] = "", cycles[32] = "", groups[32] = "", meetings[48] = "";
    char tie[96] = "";

    write_form(form, sizeof form, stage);
    write_terms(terms, sizeof terms, stage);
    if (stage->take > 0) {
        snprintf(take, sizeof take, " of the best %d", stage->take);
    }
    if (stage->groups > 1) {
        snprintf(groups, sizeof groups, " in %d groups", stage->groups);
    }
    if (stage->cycles > 1) {
        snprintf(cycles, sizeof cycles, ", %d times", stage->cycles);
    }
    if (stage->meetings > 0) {
        snprintf(meetings, sizeof meetings, ", until %d meetings are played", stage->meetings);
    }
    if (stage->tie == PLAN_TIE_PLAYOFF) {
        int used = snprintf(tie, sizeof tie, "; a shared first place is played off, best of %d",
                            stage->playoff);

        if (stage->playoff_length > 0) {
            snprintf(tie + used, sizeof tie - (size_t)used, ", matches to %d",
                     stage->playoff_length);
        }
    }
    snprintf(out, room, "%s%s%s%s%s, %s for each meeting%s", form, take, groups, cycles, meetings,
             terms, tie);
}
