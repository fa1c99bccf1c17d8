/* Ties are settled by groups: those who are equal by all criteria so far are ordered among
 * themselves by the next one. A comparison by all criteria at once cannot do that, since direct
 * encounter depends on who else is in the group. */
#include "standings.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Sums of all results between every two players; index [a * players + b]. */
struct standings_results {
    int players;
    double *score; /* score of a against b */
    double *legs;  /* legs of a against b; NULL: ranks by score */
    bool *met;
    const struct standings_order *order;
};

/* What the encounters leave open. */
struct standings_terms {
    const double *legs;    /* of each encounter; NULL: ranks by score */
    const double *granted; /* of each player; NULL: nothing */
    const struct standings_order *order;
};

const struct standings_order standings_usual = {
    4, {STANDINGS_DIRECT, STANDINGS_SB, STANDINGS_WINS, STANDINGS_DIFFERENCE}};
const struct standings_order standings_swiss = {
    3, {STANDINGS_BUCHHOLZ, STANDINGS_DIRECT, STANDINGS_SB}};

static size_t at(const struct standings_results *results, int a, int b)
{
    return (size_t)a * (size_t)results->players + (size_t)b;
}

/* Rounds to 1e-9 before comparing, so that sums made in another order stay equal. */
static double rounded(double x)
{
    return nearbyint(x * 1e9);
}

struct keyed {
    struct standings_row row;
    double legs;
    double key;
};

static double share_of(double score, double legs)
{
    return legs > 0 ? score / legs : 0;
}

static int compare_keyed(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;

    if (rounded(a->key) != rounded(b->key)) {
        return rounded(a->key) > rounded(b->key) ? -1 : 1;
    }
    /* By number, so that the order of equals does not depend on the library's qsort. */
    return (a->row.player > b->row.player) - (a->row.player < b->row.player);
}

static bool all_met(const struct keyed *group, int count, const struct standings_results *results)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (!results->met[at(results, group[i].row.player, group[j].row.player)]) {
                return false;
            }
        }
    }
    return true;
}

static double direct_score(const struct keyed *of, const struct keyed *group, int count,
                           const struct standings_results *results)
{
    double sum = 0, legs = 0;

    for (int i = 0; i < count; i++) {
        size_t cell = at(results, of->row.player, group[i].row.player);

        sum += results->score[cell];
        legs += results->legs == NULL ? 0 : results->legs[cell];
    }
    return results->legs == NULL ? sum : share_of(sum, legs);
}

/* Fills the keys for a criterion. Returns false if it does not apply. */
static bool fill_keys(struct keyed *group, int count, enum standings_criterion criterion,
                      const struct standings_results *results)
{
    if (criterion == STANDINGS_DIRECT && !all_met(group, count, results)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        switch (criterion) {
        case STANDINGS_NONE:
            group[i].key = results->legs == NULL ? group[i].row.score : group[i].row.share;
            break;
        case STANDINGS_DIRECT:
            group[i].key = direct_score(&group[i], group, count, results);
            break;
        case STANDINGS_SB:
            group[i].key = group[i].row.sb;
            break;
        case STANDINGS_WINS:
            group[i].key = group[i].row.wins;
            break;
        case STANDINGS_DIFFERENCE:
            group[i].key = results->legs == NULL ? group[i].row.difference
                                                 : share_of(group[i].row.difference, group[i].legs);
            break;
        case STANDINGS_BUCHHOLZ:
            group[i].key = group[i].row.buchholz;
            break;
        }
    }
    return true;
}

/* Puts a group of equals in order by the score (step -1) or by the criteria from order[step] on.
 * rows[0].rank counts from `rank`. */
static void settle_group(struct keyed *group, int count, int rank, int step,
                         const struct standings_results *results)
{
    bool none_left = step >= results->order->count;
    enum standings_criterion criterion =
        step < 0 || none_left ? STANDINGS_NONE : results->order->criterion[step];
    bool apply = count > 1 && !none_left && fill_keys(group, count, criterion, results);
    bool split = false;

    if (apply) {
        qsort(group, (size_t)count, sizeof *group, compare_keyed);
        split = rounded(group[0].key) != rounded(group[count - 1].key);
    }
    if (count == 1 || none_left) {
        for (int i = 0; i < count; i++) {
            group[i].row.rank = rank;
            group[i].row.shared = count > 1;
        }
        return;
    }
    if (!split) {
        settle_group(group, count, rank, step + 1, results);
        return;
    }
    for (int begin = 0, end = 0; begin < count; begin = end) {
        double key = group[begin].key;

        while (end < count && rounded(group[end].key) == rounded(key)) {
            group[end++].row.tiebreak = criterion;
        }
        /* direct encounter is repeated among the players it left equal; then the later criteria
         * follow */
        settle_group(group + begin, end - begin, rank + begin,
                     criterion == STANDINGS_DIRECT ? step : step + 1, results);
    }
}

/* Fills in a player's row, before it is ranked. */
static void describe_row(struct standings_row *row, int player,
                         const struct standings_results *results, const double *totals,
                         const struct keyed *keyed)
{
    bool by_share = results->legs != NULL;

    row->score = totals[player];
    row->share = by_share ? share_of(totals[player], keyed[player].legs) : NAN;
    for (int opponent = 0; opponent < results->players; opponent++) {
        double own = results->score[at(results, player, opponent)];

        row->sb +=
            own * (by_share ? share_of(totals[opponent], keyed[opponent].legs) : totals[opponent]);
        row->wins += rounded(own) > rounded(results->score[at(results, opponent, player)]);
    }
}

static void add_up(struct standings_results *results, struct keyed *rows, double *totals,
                   const struct standings_encounter *encounters, size_t count,
                   const struct standings_terms *terms)
{
    const double *legs = terms->legs;

    for (int i = 0; i < results->players; i++) {
        totals[i] = terms->granted == NULL ? 0 : terms->granted[i];
    }
    for (size_t k = 0; k < count; k++) {
        const struct standings_encounter *e = &encounters[k];

        results->score[at(results, e->a, e->b)] += e->score_a;
        results->score[at(results, e->b, e->a)] += e->score_b;
        if (legs != NULL) {
            results->legs[at(results, e->a, e->b)] += legs[k];
            results->legs[at(results, e->b, e->a)] += legs[k];
            rows[e->a].legs += legs[k];
            rows[e->b].legs += legs[k];
        }
        results->met[at(results, e->a, e->b)] = true;
        results->met[at(results, e->b, e->a)] = true;
        totals[e->a] += e->score_a;
        totals[e->b] += e->score_b;
        rows[e->a].row.difference += e->difference;
        rows[e->b].row.difference -= e->difference;
    }
    for (size_t k = 0; k < count; k++) {
        /* In a second pass, when all totals are known. */
        rows[encounters[k].a].row.buchholz += totals[encounters[k].b];
        rows[encounters[k].b].row.buchholz += totals[encounters[k].a];
    }
}

static void rank(struct standings_row *rows, int players,
                 const struct standings_encounter *encounters, size_t count,
                 const struct standings_terms *terms)
{
    bool by_share = terms->legs != NULL;
    size_t n = (size_t)players;
    struct standings_results results = {players, memory_zeroed(n * n, sizeof(double)),
                                        by_share ? memory_zeroed(n * n, sizeof(double)) : NULL,
                                        memory_zeroed(n * n, sizeof(bool)), terms->order};
    struct keyed *keyed = memory_zeroed(n, sizeof *keyed);
    double *totals = memory_zeroed(n, sizeof *totals);

    add_up(&results, keyed, totals, encounters, count, terms);
    for (int i = 0; i < players; i++) {
        keyed[i].row.player = i;
        describe_row(&keyed[i].row, i, &results, totals, keyed);
    }
    if (players > 0) {
        settle_group(keyed, players, 1, -1, &results);
    }
    for (int i = 0; i < players; i++) {
        rows[i] = keyed[i].row;
    }
    free(results.score);
    free(results.legs);
    free(results.met);
    free(keyed);
    free(totals);
}

void standings_of(struct standings_row *rows, int players,
                  const struct standings_encounter *encounters, size_t count)
{
    standings_in_order(rows, players, encounters, count, NULL, &standings_usual);
}

void standings_by_share(struct standings_row *rows, int players,
                        const struct standings_encounter *encounters, const double *legs,
                        size_t count)
{
    struct standings_terms terms = {legs, NULL, &standings_usual};

    rank(rows, players, encounters, count, &terms);
}

void standings_in_order(struct standings_row *rows, int players,
                        const struct standings_encounter *encounters, size_t count,
                        const double *granted, const struct standings_order *order)
{
    struct standings_terms terms = {NULL, granted, order};

    rank(rows, players, encounters, count, &terms);
}

const char *standings_criterion_name(enum standings_criterion criterion)
{
    static const char *const names[] = {NULL, "direct", "sb", "wins", "diff", "buchholz"};

    return names[criterion];
}
