/* Kind fibs: matches in the order of completion. The list is kept as it stands, and not summed
 * to encounters as for kind ratings: a FIBS rating depends on the order of the matches. */
#include "base/memory.h"
#include "json_read.h"

#include <math.h>
#include <stdlib.h>

static enum bg_status read_fibs_options(struct fibs_options *out, const struct json_place *input)
{
    struct json_place object = json_member(input, "options"), ramp = json_member(&object, "ramp");
    double pair[2] = {out->ramp_top, out->ramp_slope};
    enum bg_status status = BG_OK;

    if (object.value == NULL || json_is_null(object.value)) {
        return BG_OK;
    }
    status = json_need_object(&object);
    if (status == BG_OK) {
        status = json_member_perhaps(&out->start, &object, "start", -HUGE_VAL);
    }
    if (status == BG_OK && ramp.value != NULL) {
        status = json_need_numbers(pair, 2, &ramp, 1, false);
    }
    out->ramp_top = pair[0];
    out->ramp_slope = pair[1];
    return status;
}

static enum bg_status read_match(struct json_match *out, const struct json_input *input,
                                 const struct json_place *at)
{
    struct json_place winner = json_item(at, 0), loser = json_item(at, 1);
    enum bg_status status = json_need_list(at);

    if (status == BG_OK && json_array_size(at->value) != 3) {
        status = json_wrong(at, "needs [winner, loser, length]");
    }
    if (status == BG_OK) {
        status = json_need_two(&out->winner, &out->loser, input, &winner, &loser);
    }
    return status == BG_OK ? json_item_number(&out->length_points, at, 2, 1) : status;
}

enum bg_status json_read_fibs(struct json_input *out, const struct json_place *input)
{
    struct json_place list = json_member(input, "matches");
    enum bg_status status = json_read_players(out, input);

    if (status == BG_OK) {
        status = read_fibs_options(&out->fibs, input);
    }
    if (status == BG_OK) {
        status = json_need_list(&list);
    }
    if (status != BG_OK) {
        return status;
    }
    out->count = json_array_size(list.value);
    out->match = memory_zeroed(out->count, sizeof *out->match);
    for (size_t k = 0; status == BG_OK && k < out->count; k++) {
        struct json_place at = json_item(&list, k);

        status = read_match(&out->match[k], out, &at);
    }
    return status;
}

struct fibs_player *json_fibs_players(const struct json_input *input)
{
    struct fibs_player *out = memory_zeroed((size_t)input->players, sizeof *out);

    for (int i = 0; i < input->players; i++) {
        out[i] = fibs_newcomer(&input->fibs);
    }
    return out;
}
