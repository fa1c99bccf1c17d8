/* season_verdict.c - what the games of a meeting say. A verdict looks only at sums that
 * season_games keeps, so it costs the same after every game, and asks for further units instead
 * of remembering that it did. */
#include "season_state.h"

static const struct plan_stage *plan_of(const struct season *season,
                                        const struct match_up *match_up)
{
    return &season->plan.stage[match_up->seen.stage];
}

enum plan_terms meeting_terms(int *count, const struct season *season,
                              const struct match_up *match_up)
{
    const struct plan_stage *stage = plan_of(season, match_up);

    *count = match_up->is_playoff ? stage->playoff : stage->count;
    return match_up->is_playoff ? PLAN_BEST_OF : stage->terms;
}

uint64_t first_units(enum plan_terms terms, int count)
{
    return terms == PLAN_MATCH ? 1 : (uint64_t)(terms == PLAN_BEST_OF ? count / 2 + 1 : count);
}

bool is_elimination(const struct season *season, const struct match_up *match_up)
{
    enum plan_form form = plan_of(season, match_up)->form;

    return !match_up->is_playoff && (form == PLAN_KNOCKOUT || form == PLAN_DOUBLE);
}

struct meeting *meeting_local(const struct season *season, const struct match_up *match_up)
{
    const struct season_meeting *seen = &match_up->seen;
    struct season_group *group = &season->stage[seen->stage].group[seen->group];

    return &(match_up->is_playoff ? &group->playoff : &group->main)->meeting[match_up->at];
}

/* The score is level after all units of the terms: in money play and in an elimination one more
 * unit, at most PLAN_EXTRA. */
static struct season_verdict level(const struct season *season, const struct match_up *match_up,
                                   enum plan_terms terms)
{
    bool is_money = season->length_points == 0 && terms != PLAN_MATCH;
    bool is_needed = is_money || is_elimination(season, match_up) || match_up->is_playoff;
    const struct season_meeting *seen = &match_up->seen;
    const struct season_entry *entry = season->entry;

    if (is_needed && match_up->extra < PLAN_EXTRA && seen->unit_rows < SEASON_UNITS) {
        return (struct season_verdict){.state = VERDICT_MORE, .units = 1};
    }
    /* Somebody has to go on, and more games could go on for ever: after PLAN_EXTRA units the
     * better seed does. */
    if (is_elimination(season, match_up)) {
        bool a_is_first =
            entry[seen->meeting.a].local[seen->stage] < entry[seen->meeting.b].local[seen->stage];

        return (struct season_verdict){
            .state = VERDICT_OVER, .score = a_is_first ? 1 : 0, .by_seed = true};
    }
    return (struct season_verdict){.state = VERDICT_OVER, .score = 0.5};
}

/* Only as many units as could decide: of a best of 9 at 4-2 one more is asked for, not three. */
static struct season_verdict best_of(const struct season *season, const struct match_up *match_up,
                                     int count)
{
    int a = match_up->wins_a, b = match_up->wins_b, most = a > b ? a : b;
    int played = (int)match_up->units, needed = count / 2 + 1 - most;

    if (needed <= 0 || (played >= count && a != b)) {
        return (struct season_verdict){.state = VERDICT_OVER, .score = a > b ? 1 : 0};
    }
    if (played >= count) {
        return level(season, match_up, PLAN_BEST_OF);
    }
    return (struct season_verdict){
        .state = VERDICT_MORE,
        .units = (uint64_t)(needed < count - played ? needed : count - played)};
}

struct season_verdict meeting_verdict(const struct season *season, const struct match_up *match_up)
{
    const struct season_meeting *seen = &match_up->seen;
    int count;
    enum plan_terms terms = meeting_terms(&count, season, match_up);

    if (seen->end != SEASON_OPEN || match_up->legs_open > 0 || match_up->units == 0) {
        return (struct season_verdict){.state = VERDICT_WAIT};
    }
    if (terms == PLAN_BEST_OF) {
        return best_of(season, match_up, count);
    }
    if (seen->points_a == seen->points_b) {
        return level(season, match_up, terms);
    }
    return (struct season_verdict){.state = VERDICT_OVER,
                                   .score = seen->points_a > seen->points_b ? 1 : 0};
}
