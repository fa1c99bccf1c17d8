/* Who plays next is a rule and not a queue: the entrant with the fewest meetings lately, against
 * whom a game says most (p near 1/2, seldom met). A window lets newcomers catch up without
 * playing for ever against each other. */
#include "league.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "numbers/rating.h"

enum { NEWCOMER = 20, ANCHOR_EVERY = 5 };

struct league {
    const struct history *history;
    const struct league_field *field;
    const struct league_options *options;
    size_t *recent; /* [entrant]: meetings in the window */
    size_t *ever;   /* [entrant]: all meetings */
    size_t *latest; /* [entrant]: number of its latest meeting, from 1; 0: none */
    bool *free;     /* [entrant] */
    size_t *met;    /* [entrant]: meetings with the first entrant in the window */
};

static bool is_anchor(const struct league *league, int entrant)
{
    return league->field->anchor != NULL && league->field->anchor[entrant];
}

static void look_at_field(struct league *league)
{
    const struct history *history = league->history;
    size_t window = league->options->window;
    size_t begin = history->meetings > window ? history->meetings - window : 0;

    for (int i = 0; i < history->entrants; i++) {
        league->free[i] =
            !history->entrant[i].left && (league->field->busy == NULL || !league->field->busy[i]);
    }
    for (size_t k = 0; k < history->meetings; k++) {
        const struct meeting *meeting = &history->meeting[k];
        int sides[2] = {meeting->a, meeting->b};

        for (int s = 0; s < 2; s++) {
            if (sides[s] == FORMS_NOBODY) {
                continue;
            }
            league->ever[sides[s]]++;
            league->recent[sides[s]] += k >= begin;
            league->latest[sides[s]] = k + 1;
            league->free[sides[s]] = league->free[sides[s]] && meeting->ended > 0;
        }
    }
}

static void count_meetings(struct league *league, int a)
{
    const struct history *history = league->history;
    size_t window = league->options->window;
    size_t begin = history->meetings > window ? history->meetings - window : 0;

    memset(league->met, 0, (size_t)history->entrants * sizeof *league->met);
    for (size_t k = begin; k < history->meetings; k++) {
        const struct meeting *meeting = &history->meeting[k];

        if (meeting_has(meeting, a) && meeting->b != FORMS_NOBODY) {
            league->met[meeting->a == a ? meeting->b : meeting->a]++;
        }
    }
}

/* Whether x comes before y as the first entrant. */
static bool is_first(const struct league *league, int x, int y)
{
    if (league->recent[x] != league->recent[y]) {
        return league->recent[x] < league->recent[y];
    }
    if (league->ever[x] != league->ever[y]) {
        return league->ever[x] < league->ever[y];
    }
    return strcmp(league->field->name[x], league->field->name[y]) < 0;
}

/* Returns v for a meeting, rounded to 1e-9, so that another order of sums does not change the
 * choice. */
static double meeting_value(const struct league *league, int a, int b)
{
    const double *rating = league->field->rating;
    double p = rating_expected(rating[a] - rating[b], league->options->length_points);

    return nearbyint(p * (1 - p) / (1 + (double)league->met[b]) * 1e9);
}

/* The allowed opponents of a: every free entrant; only anchors; or all except its latest
 * opponent. */
struct league_wanted {
    bool anchors, others_than_latest;
};

/* Returns a's best opponent; -1: none. */
static int opponent(const struct league *league, int a, struct league_wanted wanted)
{
    int best = -1;

    for (int b = 0; b < league->history->entrants; b++) {
        bool latest = league->latest[a] > 0 && league->latest[a] == league->latest[b];
        double v;

        if (b == a || !league->free[b] || (wanted.anchors && !is_anchor(league, b)) ||
            (wanted.others_than_latest && latest) ||
            (!league->options->anchor_pairs && is_anchor(league, a) && is_anchor(league, b))) {
            continue;
        }
        v = best < 0 ? 0 : meeting_value(league, a, b) - meeting_value(league, a, best);
        if (best < 0 || v > 0 ||
            (v == 0 && (league->ever[b] < league->ever[best] ||
                        (league->ever[b] == league->ever[best] &&
                         strcmp(league->field->name[b], league->field->name[best]) < 0)))) {
            best = b;
        }
    }
    return best;
}

static int choose_opponent(const struct league *league, int a)
{
    size_t next = league->ever[a] + 1;
    int best = -1;

    if (next <= NEWCOMER && next % ANCHOR_EVERY == 0) {
        best = opponent(league, a,
                        (struct league_wanted){.anchors = true, .others_than_latest = true});
    }
    if (best < 0) {
        best = opponent(league, a, (struct league_wanted){.others_than_latest = true});
    }
    return best < 0 ? opponent(league, a, (struct league_wanted){0}) : best;
}

static bool choose(struct meeting *out, struct league *league, bool *tried)
{
    for (;;) {
        int a = -1, b;

        for (int i = 0; i < league->history->entrants; i++) {
            if (league->free[i] && !tried[i] && !is_anchor(league, i) &&
                (a < 0 || is_first(league, i, a))) {
                a = i;
            }
        }
        if (a < 0) {
            return false;
        }
        tried[a] = true;
        count_meetings(league, a);
        b = choose_opponent(league, a);
        if (b >= 0) {
            *out = (struct meeting){.a = a, .b = b};
            return true;
        }
    }
}

bool league_next(struct meeting *out, const struct history *history,
                 const struct league_field *field, const struct league_options *options)
{
    size_t n = (size_t)history->entrants;
    struct league league = {.history = history,
                            .field = field,
                            .options = options,
                            .recent = memory_zeroed(n, sizeof(size_t)),
                            .ever = memory_zeroed(n, sizeof(size_t)),
                            .latest = memory_zeroed(n, sizeof(size_t)),
                            .free = memory_zeroed(n, sizeof(bool)),
                            .met = memory_zeroed(n, sizeof(size_t))};
    bool *tried = memory_zeroed(n, sizeof *tried), found;

    look_at_field(&league);
    found = choose(out, &league, tried);
    free(league.recent);
    free(league.ever);
    free(league.latest);
    free(league.free);
    free(league.met);
    free(tried);
    return found;
}
