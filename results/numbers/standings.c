#include "standings.h"

#include <math.h>
#include <stdlib.h>

/* What has been played between every two, as sums; index [a * players + b]. */
struct results {
    int players;
    double *score; /* of a against b */
    bool *met;
};

static size_t at(const struct results *results, int a, int b)
{
    return (size_t)a * (size_t)results->players + (size_t)b;
}

/* Values are compared rounded to 1e-9, so that sums in another order stay equal. */
static double rounded(double x)
{
    return nearbyint(x * 1e9);
}

struct keyed {
    struct standings_row row;
    double key;
};

static int compare_keyed(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;

    if (rounded(a->key) != rounded(b->key)) {
        return rounded(a->key) > rounded(b->key) ? -1 : 1;
    }
    return (a->row.player > b->row.player) - (a->row.player < b->row.player);
}

static bool all_met(const struct keyed *group, int count, const struct results *results)
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
                           const struct results *results)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        sum += results->score[at(results, of->row.player, group[i].row.player)];
    }
    return sum;
}

/* Fills the keys of a criterion; false when it does not apply. */
static bool fill_keys(struct keyed *group, int count, enum standings_criterion criterion,
                      const struct results *results)
{
    if (criterion == STANDINGS_DIRECT && !all_met(group, count, results)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        switch (criterion) {
        case STANDINGS_NONE:
            group[i].key = group[i].row.score;
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
            group[i].key = group[i].row.difference;
            break;
        }
    }
    return true;
}

/* Puts a group of equals in order from this criterion on. Ranks inside are left to the caller:
 * rows[0].rank counts from `rank`. */
static void settle(struct keyed *group, int count, int rank, enum standings_criterion criterion,
                   const struct results *results)
{
    bool apply = count > 1 && fill_keys(group, count, criterion, results);
    bool split = false;

    if (apply) {
        qsort(group, (size_t)count, sizeof *group, compare_keyed);
        split = rounded(group[0].key) != rounded(group[count - 1].key);
    }
    if (count == 1 || (!split && criterion == STANDINGS_DIFFERENCE)) {
        for (int i = 0; i < count; i++) {
            group[i].row.rank = rank;
            group[i].row.shared = count > 1;
        }
        return;
    }
    if (!split) {
        settle(group, count, rank, criterion + 1, results);
        return;
    }
    for (int begin = 0, end = 0; begin < count; begin = end) {
        double key = group[begin].key;

        while (end < count && rounded(group[end].key) == rounded(key)) {
            group[end++].row.tiebreak = criterion;
        }
        /* direct encounter is repeated among those it left equal; later criteria go on */
        settle(group + begin, end - begin, rank + begin,
               criterion == STANDINGS_DIRECT || criterion == STANDINGS_DIFFERENCE ? criterion
                                                                                  : criterion + 1,
               results);
    }
}

/* Everything a player's row says before it is ranked. */
static void describe(struct standings_row *row, int player, const struct results *results,
                     const double *totals)
{
    row->score = totals[player];
    for (int foe = 0; foe < results->players; foe++) {
        double own = results->score[at(results, player, foe)];

        row->sb += own * totals[foe];
        row->wins += rounded(own) > rounded(results->score[at(results, foe, player)]);
    }
}

static void add_up(struct results *results, struct keyed *rows, double *totals,
                   const struct standings_encounter *encounters, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const struct standings_encounter *e = &encounters[k];

        results->score[at(results, e->a, e->b)] += e->score_a;
        results->score[at(results, e->b, e->a)] += e->score_b;
        results->met[at(results, e->a, e->b)] = true;
        results->met[at(results, e->b, e->a)] = true;
        totals[e->a] += e->score_a;
        totals[e->b] += e->score_b;
        rows[e->a].row.difference += e->difference;
        rows[e->b].row.difference -= e->difference;
    }
}

enum bg_status standings_of(struct standings_row *rows, int players,
                            const struct standings_encounter *encounters, size_t count,
                            struct bg_error *err)
{
    enum bg_status status = BG_OK;
    size_t n = (size_t)players;
    struct results results = {players, calloc(n * n + 1, sizeof(double)),
                              calloc(n * n + 1, sizeof(bool))};
    struct keyed *keyed = calloc(n + 1, sizeof *keyed);
    double *totals = calloc(n + 1, sizeof *totals);

    if (results.score == NULL || results.met == NULL || keyed == NULL || totals == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "standings of %d players", players);
        goto done;
    }
    add_up(&results, keyed, totals, encounters, count);
    for (int i = 0; i < players; i++) {
        keyed[i].row.player = i;
        describe(&keyed[i].row, i, &results, totals);
    }
    if (players > 0) {
        settle(keyed, players, 1, STANDINGS_NONE, &results);
    }
    for (int i = 0; i < players; i++) {
        rows[i] = keyed[i].row;
    }
done:
    free(results.score);
    free(results.met);
    free(keyed);
    free(totals);
    return status;
}

const char *standings_criterion_name(enum standings_criterion criterion)
{
    static const char *const names[] = {NULL, "direct", "sb", "wins", "diff"};

    return names[criterion];
}
