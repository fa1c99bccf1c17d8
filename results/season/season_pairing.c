/* season_pairing.c - who meets whom next, form by form. Who meets whom is a pure function of the
 * season, asked anew after every row: nothing that is due is remembered, so a referee that was
 * killed while pairing finds the same again. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "circle.h"
#include "knockout.h"
#include "ladder.h"
#include "league.h"
#include "numbers/rating.h"
#include "season_state.h"

/* The group that is paired, and where its meetings go. */
struct group_pairing {
    const struct season *season;
    const struct plan_stage *plan;
    const struct season_group *group;
    int number; /* of the group */
    struct pending_list *list;
};

static void pending_add(struct pending_list *list, const struct pending *item)
{
    list->item = memory_list(list->item, &list->room, list->count + 1, sizeof *list->item);
    list->item[list->count++] = *item;
}

static void add_all(const struct group_pairing *pairing, const struct meeting *meeting, int count,
                    bool is_playoff)
{
    for (int i = 0; i < count; i++) {
        struct pending item = {pairing->number, is_playoff, meeting[i]};

        if (item.meeting.kind != MEETING_BYE) {
            item.meeting.kind = MEETING_PLAYED; /* a walkover is a row of its own */
        }
        pending_add(pairing->list, &item);
    }
}

/* ------------------------------------------------------------------ round robin and gauntlet */

static bool is_in(const char (*names)[PLAN_NAME], int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_hero(const struct group_pairing *pairing, int local)
{
    return is_in(pairing->plan->hero, pairing->plan->heroes,
                 pairing->season->entry[pairing->group->member[local]].seen.name);
}

/* Late entrants meet the others in further rounds: each entrant in the order of the seeds meets
 * the first free one that it has met less often than there are cycles. They cannot be put into
 * the circle: its rounds follow from the number of entrants, and those that were paired would
 * change. */
static void pair_late(const struct group_pairing *pairing)
{
    const struct season_group *group = pairing->group;
    int n = group->entrants, count = 0;
    bool is_gauntlet = pairing->plan->form == PLAN_GAUNTLET;
    int *met = memory_zeroed((size_t)n * (size_t)n, sizeof *met);
    bool *taken = memory_zeroed((size_t)n, sizeof *taken);
    struct meeting *out = memory_zeroed((size_t)n, sizeof *out);

    for (size_t i = 0; i < group->main.count; i++) {
        const struct meeting *meeting = &group->main.meeting[i];

        if (meeting->b != FORMS_NOBODY) {
            met[meeting->a * n + meeting->b]++;
            met[meeting->b * n + meeting->a]++;
        }
    }
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; !taken[a] && !group->entrant[a].left && b < n; b++) {
            bool is_wanted = (a >= group->regular || b >= group->regular) &&
                             (!is_gauntlet || is_hero(pairing, a) != is_hero(pairing, b));

            if (is_wanted && !taken[b] && !group->entrant[b].left &&
                met[a * n + b] < pairing->plan->cycles) {
                taken[a] = taken[b] = true;
                out[count] =
                    (struct meeting){.round = group->rounds + 1, .line = count, .a = a, .b = b};
                count++;
            }
        }
    }
    add_all(pairing, out, count, false);
    free(met);
    free(taken);
    free(out);
}

static void pair_circle(const struct group_pairing *pairing)
{
    int n = pairing->group->regular, round = pairing->group->rounds + 1;
    struct meeting *out;

    if (round > circle_rounds(n, pairing->plan->cycles)) {
        pair_late(pairing);
        return;
    }
    out = memory_zeroed((size_t)circle_lines(n), sizeof *out);
    circle_round(out, n, round, pairing->plan->table);
    add_all(pairing, out, circle_lines(n), false);
    free(out);
}

static void pair_gauntlet(const struct group_pairing *pairing)
{
    int n = pairing->group->regular, round = pairing->group->rounds + 1, heroes = 0, others = 0;
    int *hero = memory_zeroed(2 * (size_t)n, sizeof *hero), *other = hero + n;
    struct meeting *out = memory_zeroed((size_t)n, sizeof *out);

    for (int i = 0; i < n; i++) {
        if (is_hero(pairing, i)) {
            hero[heroes++] = i;
        } else {
            other[others++] = i;
        }
    }
    if (heroes == 0 || others == 0 || round > others * pairing->plan->cycles) {
        pair_late(pairing);
    } else {
        add_all(pairing, out,
                gauntlet_round(out, hero, heroes, other, others, (round - 1) % others + 1), false);
        for (size_t i = 0; i < pairing->list->count; i++) {
            /* gauntlet_round knows one cycle only; here the rounds count on through all of them. */
            if (pairing->list->item[i].group == pairing->number) {
                pairing->list->item[i].meeting.round = round;
            }
        }
    }
    free(hero);
    free(out);
}

/* ------------------------------------------------------------------ Swiss, eliminations */

static void pair_swiss(const struct group_pairing *pairing)
{
    struct history history = group_history(pairing->group);
    struct meeting *out = memory_zeroed((size_t)history.entrants, sizeof *out);

    if (pairing->group->rounds < swiss_rounds_of(pairing->plan, pairing->group)) {
        add_all(pairing, out, swiss_round(out, &history, pairing->plan->late), false);
    }
    free(out);
}

int swiss_rounds_of(const struct plan_stage *plan, const struct season_group *group)
{
    return plan->rounds > 0 ? plan->rounds : swiss_rounds(group->regular);
}

static void pair_elimination(const struct group_pairing *pairing)
{
    struct history history = group_history(pairing->group);
    struct meeting *out = memory_zeroed((size_t)history.entrants, sizeof *out);
    int count = pairing->plan->form == PLAN_KNOCKOUT
                    ? knockout_next(out, NULL, &history, pairing->plan->third_place)
                    : double_knockout_next(out, NULL, &history);

    if (history.entrants > 1) {
        add_all(pairing, out, count, false);
    }
    free(out);
}

static void pair_group(const struct group_pairing *pairing)
{
    switch (pairing->plan->form) {
    case PLAN_CIRCLE:
        pair_circle(pairing);
        break;
    case PLAN_GAUNTLET:
        pair_gauntlet(pairing);
        break;
    case PLAN_SWISS:
        pair_swiss(pairing);
        break;
    case PLAN_KNOCKOUT:
    case PLAN_DOUBLE:
        pair_elimination(pairing);
        break;
    case PLAN_LADDER: /* no rounds */
    case PLAN_LEAGUE:
    case PLAN_FORMS:
        break;
    }
}

/* ------------------------------------------------------------------ ladder */

static bool challenge_of_ladder(struct meeting *out, const struct season *season, int stage,
                                int number)
{
    const struct plan_stage *plan = &season->plan.stage[stage];
    const struct season_group *group = &season->stage[stage].group[number];
    struct history history = group_history(group);
    struct ladder_options options = {plan->reach, plan->swap};
    bool found = ladder_next(out, &history, NULL, &options);

    out->line = (int)group->main.count;
    return found;
}

/* ------------------------------------------------------------------ league */

/* Ratings for pairing stand still for some results: a fit for each pairing would cost the most
 * of a league, and the pairing would depend on whether a game that has just ended was already
 * counted. */
enum { SNAPSHOT_EVERY = 20 };

static double length_of(const struct season *season, int stage)
{
    const struct plan_stage *plan = &season->plan.stage[stage];
    int length = plan_length(plan, false, season->length_points);

    return length > 0 ? length : 1;
}

static int compare_results(const void *x, const void *y)
{
    const struct season_meeting *a = *(const struct season_meeting *const *)x;
    const struct season_meeting *b = *(const struct season_meeting *const *)y;

    return (a->result > b->result) - (a->result < b->result);
}

/* The played meetings of a group, in the order of their results. *count: how many. Sorted by the
 * row of the result, since meetings end in another order than they were paired. */
static const struct season_meeting **played(size_t *count, const struct season *season, int stage,
                                            int group)
{
    const struct season_meeting **list = memory_zeroed(season->meetings, sizeof(*list));

    *count = 0;
    for (size_t i = 0; i < season->meetings; i++) {
        const struct season_meeting *seen = &season->match_up[i].seen;

        if (seen->stage == stage && seen->group == group && seen->end == SEASON_PLAYED &&
            !season->match_up[i].is_playoff) {
            list[(*count)++] = seen;
        }
    }
    qsort(list, *count, sizeof(*list), compare_results);
    return list;
}

static bool is_anchor(const struct season *season, int stage, int entrant)
{
    const struct plan_stage *plan = &season->plan.stage[stage];

    return is_in(plan->anchor, plan->anchors, season->entry[entrant].seen.name);
}

/* One virtual draw for each entrant keeps every rating finite. The first anchor has RATING_START;
 * without anchors the mean has it. */
enum bg_status league_ratings(double *rating, const struct season *season, int stage, int number,
                              size_t results, struct bg_error *err)
{
    const struct season_group *group = &season->stage[stage].group[number];
    struct rating_options options = {-1, RATING_START, RATING_PRIOR_FIXED, 1, false};
    struct rating_fit fit = {0};
    size_t count;
    const struct season_meeting **list = played(&count, season, stage, number);
    struct rating_row *rows = memory_zeroed(count, sizeof *rows);
    enum bg_status status = BG_OK;

    count = count < results ? count : results;
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct rating_row){.a = season->entry[list[i]->meeting.a].local[stage],
                                      .b = season->entry[list[i]->meeting.b].local[stage],
                                      .length_points = length_of(season, stage),
                                      .wins_a = list[i]->meeting.score_a,
                                      .wins_b = 1 - list[i]->meeting.score_a};
    }
    for (int i = group->entrants - 1; i >= 0; i--) {
        rating[i] = RATING_START;
        options.anchor = is_anchor(season, stage, group->member[i]) ? i : options.anchor;
    }
    if (count > 0) {
        status = rating_fit(&fit, group->entrants, rows, count, &options, err);
    }
    for (int i = 0; count > 0 && status == BG_OK && i < group->entrants; i++) {
        rating[i] = fit.player[i].matches > 0 ? fit.player[i].rating : RATING_START;
    }
    rating_fit_deinit(&fit);
    free(list);
    free(rows);
    return status;
}

/* The ratings that pairing uses: over all results up to the greatest multiple of SNAPSHOT_EVERY.
 * They are kept in the group until a result more or less changes them. */
static enum bg_status snapshot(const double **out, struct season_group *group,
                               const struct season *season, int stage, int number,
                               struct bg_error *err)
{
    size_t n = (size_t)group->entrants, results = group->results - group->results % SNAPSHOT_EVERY;
    struct snapshot *kept = group->snapshot;
    enum bg_status status;

    if (kept != NULL && kept->results == results && kept->revision == group->revision &&
        kept->entrants == group->entrants) {
        *out = kept->rating;
        return BG_OK;
    }
    free(kept);
    kept = group->snapshot = memory_zeroed(1, sizeof *kept + n * sizeof *kept->rating);
    kept->revision = group->revision;
    kept->entrants = group->entrants;
    kept->results = SIZE_MAX; /* not valid yet */
    status = league_ratings(kept->rating, season, stage, number, results, err);
    if (status == BG_OK) {
        kept->results = results;
    }
    *out = kept->rating;
    return status;
}

static enum bg_status challenge_of_league(struct meeting *out, bool *found,
                                          const struct season *season, int stage, int number,
                                          struct bg_error *err)
{
    const struct plan_stage *plan = &season->plan.stage[stage];
    struct season_group *group = &season->stage[stage].group[number]; /* only its snapshot is set */
    size_t n = (size_t)group->entrants;
    struct history history = group_history(group);
    struct league_options options = {(size_t)plan->window, length_of(season, stage),
                                     plan->anchor_pairs};
    const char **name = memory_zeroed(n, sizeof(*name));
    bool *anchor = memory_zeroed(n, sizeof *anchor);
    struct league_field field = {name, NULL, anchor, NULL};
    enum bg_status status;

    *found = false;
    for (size_t i = 0; i < n; i++) {
        name[i] = season->entry[group->member[i]].seen.name;
        anchor[i] = is_anchor(season, stage, group->member[i]);
    }
    status = snapshot(&field.rating, group, season, stage, number, err);
    if (status == BG_OK) {
        *found = league_next(out, &history, &field, &options);
        out->line = (int)group->main.count;
    }
    free(name);
    free(anchor);
    return status;
}

/* ------------------------------------------------------------------ play-offs */

/* Everybody on the shared first place meets everybody else of them once. */
static enum bg_status pair_playoff(const struct group_pairing *pairing, int stage,
                                   struct bg_error *err)
{
    const struct season *season = pairing->season;
    struct season_place *places = memory_zeroed((size_t)pairing->group->entrants, sizeof *places);
    int count = 0, tied = 0, line = 0;
    enum bg_status status = season_standing(places, &count, season, stage, pairing->number, err);

    while (status == BG_OK && tied < count && places[tied].place == 1) {
        tied++;
    }
    for (int i = 0; i < tied; i++) {
        for (int j = i + 1; j < tied; j++) {
            struct meeting meeting = {.part = PART_PLAYOFF,
                                      .round = 1,
                                      .line = line,
                                      .a = season->entry[places[i].entrant].local[stage],
                                      .b = season->entry[places[j].entrant].local[stage]};

            line++;
            add_all(pairing, &meeting, 1, true);
        }
    }
    free(places);
    return status;
}

/* ------------------------------------------------------------------ what is due */

bool stage_is_endless(const struct season *season, int stage)
{
    return plan_is_endless(season->plan.stage[stage].form);
}

void stage_round(struct pending_list *out, const struct season *season, int stage)
{
    const struct stage *begun = &season->stage[stage];

    out->stage = stage;
    for (int g = 0; g < begun->groups; g++) {
        struct group_pairing pairing = {season, &season->plan.stage[stage], &begun->group[g], g,
                                        out};

        if (!begun->group[g].is_played_off) {
            pair_group(&pairing);
        }
    }
}

static enum bg_status stage_playoffs(struct pending_list *out, const struct season *season,
                                     int stage, struct bg_error *err)
{
    const struct stage *begun = &season->stage[stage];
    enum bg_status status = BG_OK;

    if (season->plan.stage[stage].tie != PLAN_TIE_PLAYOFF) {
        return BG_OK;
    }
    for (int g = 0; status == BG_OK && g < begun->groups; g++) {
        struct group_pairing pairing = {season, &season->plan.stage[stage], &begun->group[g], g,
                                        out};

        if (!begun->group[g].is_played_off) {
            status = pair_playoff(&pairing, stage, err);
        }
    }
    return status;
}

/* A ladder or league: the next meeting of the first group that has one. */
static enum bg_status stage_challenge(struct season_due *out, const struct season *season,
                                      int stage, struct bg_error *err)
{
    const struct stage *begun = &season->stage[stage];
    size_t most = (size_t)season->plan.stage[stage].meetings;
    enum bg_status status = BG_OK;

    if (begun->is_ending || (most > 0 && begun->meetings >= most)) {
        return BG_OK;
    }
    for (int g = 0; status == BG_OK && out->list.count == 0 && g < begun->groups; g++) {
        struct pending item = {.group = g};
        bool found = false;

        if (season->plan.stage[stage].form == PLAN_LADDER) {
            found = challenge_of_ladder(&item.meeting, season, stage, g);
        } else {
            status = challenge_of_league(&item.meeting, &found, season, stage, g, err);
        }
        if (status == BG_OK && found) {
            pending_add(&out->list, &item);
        }
    }
    if (out->list.count > 0) {
        out->kind = DUE_CHALLENGE;
    }
    return status;
}

static bool stage_has_ended(const struct season *season, int stage)
{
    const struct stage *begun = &season->stage[stage];
    size_t most = (size_t)season->plan.stage[stage].meetings;

    return begun->open == 0 && (!stage_is_endless(season, stage) || begun->is_ending ||
                                (most > 0 && begun->meetings >= most));
}

enum bg_status season_due(struct season_due *out, const struct season *season, struct bg_error *err)
{
    int stage = season->present;
    enum bg_status status = BG_OK;

    *out = (struct season_due){.kind = DUE_NOTHING, .stage = stage, .list = {.stage = stage}};
    if (season->plan.stages == 0 || season->is_closed) {
        return BG_OK;
    }
    if (!season->stage[stage].is_begun) {
        out->kind = DUE_ROUND;
        out->begins = true;
        return BG_OK;
    }
    if (stage_is_endless(season, stage)) {
        status = stage_challenge(out, season, stage, err);
    } else if (season->stage[stage].open == 0) {
        stage_round(&out->list, season, stage);
    }
    if (status == BG_OK && out->list.count == 0 && stage_has_ended(season, stage)) {
        status = stage_playoffs(&out->list, season, stage, err);
        if (status == BG_OK && out->list.count == 0 && stage + 1 < season->plan.stages) {
            out->begins = true;
            out->stage = stage + 1;
        }
    }
    if (out->kind == DUE_NOTHING && (out->begins || out->list.count > 0)) {
        out->kind = DUE_ROUND;
    }
    return status;
}

enum bg_status season_settle(struct season *season, struct bg_error *err)
{
    struct stage *stage = &season->stage[season->present];
    struct season_due due = {0};
    enum bg_status status = BG_OK;
    bool is_over = false;

    if (season->plan.stages > 0 && stage->is_begun && season->pending.count == 0 &&
        stage_has_ended(season, season->present)) {
        status = season_due(&due, season, err);
        is_over = due.kind == DUE_NOTHING || due.begins;
        free(due.list.item);
    }
    if (status == BG_OK) {
        stage->is_over = is_over;
        season->is_closed =
            season->is_closed ||
            (season->is_closing && (season->plan.stages == 0 || season_is_over(season)));
    }
    return status;
}
