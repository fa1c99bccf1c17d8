#include "director.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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

static void print_score(char out[32], double score)
{
    snprintf(out, 32, "%g", score);
}

static void print_row(FILE *out, const struct season *season, const struct season_place *row,
                      int width)
{
    char score[32] = "", place[32];

    if (!isnan(row->score)) {
        print_score(score, row->score);
    }
    snprintf(place, sizeof place, "%s%d", row->shared ? "=" : "", row->place);
    fprintf(out, "%5s  %-*s %6s", place, width, season_entrant(season, row->entrant)->name, score);
    if (!isnan(row->buchholz)) {
        fprintf(out, " %8g", row->buchholz);
    }
    fprintf(out, " %6d %4d %5d %4d %+7" PRId64, row->played, row->won, row->drawn, row->lost,
            row->points);
    if (row->byes > 0) {
        fprintf(out, "  %d bye%s", row->byes, row->byes == 1 ? "" : "s");
    }
    if (row->walkovers > 0) {
        fprintf(out, "  %d walkover%s", row->walkovers, row->walkovers == 1 ? "" : "s");
    }
    if (row->decided > 0) {
        fprintf(out, "  %d decided", row->decided);
    }
    fputc('\n', out);
}

static enum bg_status print_group(FILE *out, const struct director *director, int stage, int group,
                                  struct season_place *rows, struct bg_error *err)
{
    const struct season *season = director_season(director);
    const struct plan *plan = director_plan(director);
    char text[256];
    int count = 0, width = 4;
    enum bg_status status = season_standing(rows, &count, season, stage, group, err);

    if (status != BG_OK || count == 0) {
        return status;
    }
    for (int i = 0; i < count; i++) {
        int length = (int)strlen(season_entrant(season, rows[i].entrant)->name);

        width = length > width ? length : width;
    }
    plan_stage_text(text, sizeof text, &plan->stage[stage]);
    fprintf(out, "order of %s", text);
    if (season_groups(season, stage) > 1) {
        fprintf(out, ", group %d", group + 1);
    }
    fprintf(out, "%s\n",
            stage == season_stage(season) && !season_is_over(season) ? " (not finished)" : "");
    fprintf(out, "place  %-*s  score%s played  won drawn lost  points\n", width, "bot",
            isnan(rows[0].buchholz) ? "" : " buchholz");
    for (int i = 0; i < count; i++) {
        print_row(out, season, &rows[i], width);
    }
    return BG_OK;
}

enum bg_status director_print(FILE *out, const struct director *director, struct bg_error *err)
{
    const struct season *season = director_season(director);
    struct season_place *rows = memory_zeroed((size_t)season_entrants(season) + 1, sizeof *rows);
    enum bg_status status = BG_OK;

    for (int stage = season_stage(season); stage >= 0 && status == BG_OK; stage--) {
        for (int group = 0; group < season_groups(season, stage) && status == BG_OK; group++) {
            status = print_group(out, director, stage, group, rows, err);
        }
        fputc('\n', out);
    }
    free(rows);
    return status;
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
