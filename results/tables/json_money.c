/* Kinds money and interval, which need no names. The games are counted before they are read: the
 * spread of a game is computed from one array over all clusters, which must not move while it is
 * filled. */
#include "base/memory.h"
#include "json_read.h"

#include <math.h>
#include <stdlib.h>

/* Counts the games of all clusters, to allocate their room. */
static enum bg_status count_games(size_t *games, const struct json_place *list)
{
    *games = 0;
    for (size_t c = 0; c < json_array_size(list->value); c++) {
        struct json_place cluster = json_item(list, c);
        enum bg_status status = json_need_list(&cluster);

        if (status != BG_OK) {
            return status;
        }
        *games += json_array_size(cluster.value);
    }
    return BG_OK;
}

enum bg_status json_read_money(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "clusters");
    size_t games = 0;
    enum bg_status status = json_need_list(&list);

    if (status == BG_OK) {
        status = count_games(&games, &list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->points = memory_zeroed(out->count, sizeof *out->points);
    out->games = memory_zeroed(out->count, sizeof *out->games);
    out->game_points = memory_zeroed(games, sizeof *out->game_points);
    for (size_t c = 0; c < out->count; c++) {
        struct json_place cluster = json_item(&list, c);

        for (size_t g = 0; status == BG_OK && g < json_array_size(cluster.value); g++) {
            double *points = &out->game_points[out->game_count++];

            status = json_item_number(points, &cluster, g, -HUGE_VAL);
            out->points[c] += *points;
            out->games[c]++;
        }
    }
    return status;
}

static enum bg_status read_interval(struct json_interval *row, const struct json_place *at)
{
    struct json_place pairs = json_member(at, "pairs");
    enum bg_status status = json_need_object(at);

    if (status == BG_OK && pairs.value != NULL) {
        row->paired = true;
        return json_need_pairs(row->pairs, &pairs);
    }
    if (status == BG_OK) {
        status = json_member_number(&row->matches, at, "matches", 0);
    }
    if (status == BG_OK) {
        status = json_member_number(&row->wins, at, "wins", 0);
    }
    if (status == BG_OK && row->wins > row->matches) {
        status = json_wrong(at, "more wins than matches");
    }
    return status;
}

enum bg_status json_read_intervals(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "rows");
    enum bg_status status = json_need_list(&list);

    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->interval = memory_zeroed(out->count, sizeof *out->interval);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_interval(&out->interval[k], &at);
    }
    return status;
}
