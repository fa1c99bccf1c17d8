#include "json_value.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "foreign.h"

json_t *json_of(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_of_count(double x)
{
    return json_integer((json_int_t)x);
}

json_t *json_of_cell(const struct doc_cell *cell, bool counts)
{
    switch (cell->kind) {
    case DOC_NUMBER:
        return counts && isfinite(cell->number) && cell->number == floor(cell->number) &&
                       fabs(cell->number) < 9e15
                   ? json_integer((json_int_t)cell->number)
                   : json_of(cell->number);
    case DOC_TEXT:
        return foreign_json(cell->text);
    case DOC_FLAG:
        return json_boolean(cell->number != 0);
    case DOC_NONE:
    default:
        return json_null();
    }
}

json_t *json_of_range(const double x[2])
{
    return isnan(x[0]) ? json_null() : json_pack("[o, o]", json_of(x[0]), json_of(x[1]));
}

json_t *json_of_group(int group)
{
    return group < 0 ? json_null() : json_integer(group);
}

enum bg_status json_line(FILE *out, json_t *json, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (json == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "results as json");
    }
    if (json_dumpf(json, out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) != 0 ||
        fputc('\n', out) == EOF) {
        status = bg_error_set(err, BG_E_SYSTEM, "write json: %s", strerror(errno));
    }
    json_decref(json);
    return status;
}

static json_t *rating_player(const char *name, const struct rating_player *p)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:s, s:o, s:o, s:o}", "name", name, "rating",
                     json_of(p->rating), "se", json_of(p->se), "robust_se", json_of(p->robust_se),
                     "group", json_of_group(p->group), "prior", (int)p->prior, "flag",
                     rating_flag_name(p->flag), "matches", json_of(p->matches), "wins",
                     json_of(p->wins), "expected_wins", json_of(p->expected_wins));
}

json_t *json_of_ratings(const struct rating_fit *fit, json_name_fn name, const void *names)
{
    json_t *players = json_array(), *los = json_array();

    for (int i = 0; i < fit->players; i++) {
        json_t *row = json_array();

        for (int j = 0; j < fit->players; j++) {
            json_array_append_new(row,
                                  json_of(fit->los[(size_t)i * (size_t)fit->players + (size_t)j]));
        }
        json_array_append_new(players, rating_player(name(names, i), &fit->player[i]));
        json_array_append_new(los, row);
    }
    return json_pack("{s:o, s:o, s:i, s:s}", "players", players, "los", los, "groups", fit->groups,
                     "los_se", fit->robust ? "robust" : "fisher");
}

json_t *json_of_money(const struct ppg *ppg)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "clusters",
                     json_of_count(ppg->clusters), "games", json_of_count(ppg->games), "points",
                     json_of(ppg->points), "ppg", json_of(ppg->ppg), "se", json_of(ppg->se), "ci",
                     json_of_range(ppg->ci), "los", json_of(ppg->los), "sd_game",
                     json_of(ppg->sd_game), "design_effect", json_of(ppg->design_effect));
}

json_t *json_of_money_ratings(const struct ppg_rating *rating, int players,
                              const struct ppg_table *table, json_name_fn name, const void *names)
{
    json_t *list = json_array();

    for (int i = 0; i < players; i++) {
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "name", name(names, i),
                                              "ppg_rating", json_of(rating[i].rating), "se",
                                              json_of(rating[i].se), "group",
                                              json_of_group(rating[i].group)));
    }
    return json_pack("{s:o, s:o, s:o}", "players", list, "chi2", json_of(table->chi2), "dof",
                     json_of_count(table->dof));
}

json_t *json_of_standing(const struct standings_row *row, const char *name)
{
    return json_pack("{s:s, s:i, s:b, s:o, s:o, s:i, s:o, s:s?}", "name", name, "rank", row->rank,
                     "shared", (int)row->shared, "score", json_of(row->score), "sb",
                     json_of(row->sb), "wins", row->wins, "diff", json_of(row->difference),
                     "tiebreak", standings_criterion_name(row->tiebreak));
}
