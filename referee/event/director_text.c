/* Apart from director.c, because these functions only read the season; what changes it stays in
 * one file. */
#include "director.h"

#include <string.h>

#include "base/plural.h"

/* Rounds of a stage for so many entrants; 0: without rounds, or unknown. */
static int rounds_of(const struct plan_stage *stage, int entrants)
{
    switch (stage->form) {
    case PLAN_CIRCLE:
        return circle_rounds(entrants, stage->cycles);
    case PLAN_SWISS:
        return stage->rounds > 0 ? stage->rounds : swiss_rounds(entrants);
    default:
        return 0;
    }
}

void director_round(char out[DISPLAY_ROUND], const struct director *director)
{
    const struct season *season = director == NULL ? NULL : director_season(director);
    const struct plan *plan;
    int stage, round = 0, count, rounds;

    out[0] = '\0';
    if (season == NULL) {
        return;
    }
    plan = director_plan(director);
    stage = season_stage(season);
    count = season_entrants(season);
    for (size_t i = season_meetings(season); i-- > 0;) {
        const struct season_meeting *meeting = season_meeting(season, i);

        if (meeting->stage != stage) {
            break;
        }
        round = meeting->meeting.round > round ? meeting->meeting.round : round;
    }
    if (round == 0 || stage >= plan->stages) {
        return;
    }
    rounds = stage == 0 && plan->stage[0].groups <= 1 ? rounds_of(&plan->stage[0], count) : 0;
    if (plan->stages > 1) {
        snprintf(out, DISPLAY_ROUND, "stage %d, ", stage + 1);
    }
    snprintf(out + strlen(out), DISPLAY_ROUND - strlen(out), "round %d", round);
    if (rounds > 0) {
        snprintf(out + strlen(out), DISPLAY_ROUND - strlen(out), " of %d", rounds);
    }
}

/* Walkovers because a bot was absent, as far as it was not withdrawn. In a ladder or league such a
 * meeting is void: nobody had to meet. */
static int lacking_meetings(const struct season *season)
{
    int count = 0;

    for (size_t i = 0; i < season_meetings(season); i++) {
        const struct season_meeting *seen = season_meeting(season, i);
        bool is_lacking = seen->end == SEASON_WALKOVER && !seen->by_desk;
        int side[2] = {seen->meeting.a, seen->meeting.b};

        for (int k = 0; k < 2 && is_lacking; k++) {
            is_lacking = season_entrant(season, side[k])->state != SEASON_WITHDRAWN;
        }
        count += is_lacking;
    }
    return count;
}

static bool is_absent(const struct season *season, int entrant)
{
    return season_entrant(season, entrant)->state == SEASON_ABSENT;
}

bool director_lacks_games(const struct director *director)
{
    const struct season *season = director_season(director);
    bool lacks = lacking_meetings(season) > 0;

    for (int i = 0; i < season_entrants(season) && !lacks; i++) {
        lacks = is_absent(season, i);
    }
    return lacks;
}

/* Whether this run tried to start it: then its last error is printed elsewhere. */
static bool was_tried(const struct entrants *entrants, const char *name)
{
    bool tried = false;

    for (int i = 0; i < entrants->event->bot_count; i++) {
        tried = tried || (entrants->list[i].absent && strcmp(entrants->names[i], name) == 0);
    }
    return tried;
}

void director_print_lacking(FILE *out, const struct director *director,
                            const struct entrants *entrants)
{
    const struct season *season = director_season(director);
    int meetings = lacking_meetings(season);

    if (meetings > 0) {
        fprintf(out, "WALKOVERS: %d meeting%s not played, because a bot was absent\n", meetings,
                plural((uint64_t)meetings, " was", "s were"));
    }
    for (int i = 0; i < season_entrants(season); i++) {
        const char *name = season_entrant(season, i)->name;

        if (is_absent(season, i) && !was_tried(entrants, name)) {
            fprintf(out, "ABSENT: %s; 'bgref desk' reinstates or withdraws it\n", name);
        }
    }
}
