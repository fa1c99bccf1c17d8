/* The game keeps a match of its own and makes the steps once more, because the words of a play need
 * the board before it. The members are named one by one, so that a new member of a struct is not
 * published by accident. */
#include "public_event.h"

#include <stdlib.h>

#include <bgref/notation.h>
#include <jansson.h>

#include "base/memory.h"
#include "record/rules_words.h"
#include "tables/replay.h"

static char *json_text(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));

    if (text == NULL) {
        memory_none(0);
    }
    json_decref(json);
    return text;
}

/* null where the condition does not hold. */
static json_t *whole_if(bool holds, int64_t x)
{
    return holds ? json_integer((json_int_t)x) : json_null();
}

static bool is_over(const struct bg_match *match)
{
    return match->need.kind == BG_NEED_GAME || match->need.kind == BG_NEED_NOTHING;
}

/* Sets what a viewer sees of the match. */
static void set_position(json_t *json, const struct public_game *game)
{
    const struct bg_match *match = &game->match;
    const bool is_owned = match->cube_owner != BG_CENTRED;
    struct bg_match_id id;
    char xgid[BG_XGID], pos[POS_TEXT];
    const bool has_xgid = rules_have_xgid(match->rules.variant) &&
                          bg_match_id_of(&id, match, NULL) == BG_OK &&
                          bg_xgid_write(xgid, &match->board, &id, NULL) == BG_OK;

    pos_write(pos, &game->pos);
    json_object_update_new(
        json, json_pack("{s:s, s:s?, s:o, s:[I, I], s:I, s:o}", "pos", pos, "xgid",
                        has_xgid ? xgid : NULL, "to_play",
                        whole_if(!is_over(match) && match->need.seat >= 0, match->need.seat),
                        "score", (json_int_t)match->score[0], (json_int_t)match->score[1], "cube",
                        (json_int_t)1 << match->cube_log2, "cube_owner",
                        whole_if(is_owned, match->cube_owner)));
}

char *public_begin(struct public_game *game, const char *hidden)
{
    const struct bg_match *match = &game->match;
    json_t *json = json_pack("{s:s, s:s, s:[s, s], s:s, s:i, s:s*}", "game", game->id, "event",
                             game->event, "names", game->name[0], game->name[1], "rules",
                             bg_variant_id(match->rules.variant), "length",
                             (int)match->rules.length_points, "hidden", hidden);

    if (hidden == NULL) {
        json_object_set_new(json, "match_game", json_integer(match->game + 1));
        json_object_set_new(json, "crawford", json_boolean(match->crawford_game));
        pos_of(&game->pos, match);
        set_position(json, game);
    }
    return json_text(json);
}

char *public_away(const struct public_game *game, int seat, bool is_away)
{
    return json_text(json_pack("{s:s, s:i, s:s, s:b}", "game", game->id, "seat", seat, "bot",
                               game->name[seat], "away", is_away));
}

static json_t *dice_of(const struct bg_step *step)
{
    json_t *dice = json_array();

    for (int i = 0; i < 4 && step->die[i] != 0; i++) {
        json_array_append_new(dice, json_integer(step->die[i]));
    }
    return dice;
}

static json_t *result_of(const struct bg_match *match)
{
    const struct bg_result *result = &match->result;

    return !is_over(match) ? json_null()
                           : json_pack("{s:o, s:I, s:s, s:s}", "winner",
                                       whole_if(result->winner >= 0, result->winner), "points",
                                       (json_int_t)result->points, "how",
                                       bg_result_how(match->rules.variant, result), "end",
                                       bg_end_name(result->end));
}

char *public_step(struct public_game *game, const struct record_made *made)
{
    const struct bg_step *step = made->step;
    const struct bg_match before = game->match;
    const bool has_dice = step->kind == BG_STEP_OPEN || step->kind == BG_STEP_ROLL;
    enum bg_rule broken;
    char *words = replay_make(&game->match, &broken, game->name, step);
    json_t *json = json_pack(
        "{s:s, s:i, s:s, s:o, s:s, s:o, s:i, s:o, s:o, s:o}", "game", game->id, "n", made->number,
        "kind", bg_step_name(step->kind), "seat", whole_if(step->seat >= 0, step->seat), "did",
        words, "dice", has_dice ? dice_of(step) : json_null(), "turn", made->after->turn, "spent_s",
        made->spent_ns < 0 ? json_null() : json_real((double)made->spent_ns / 1e9), "left_s",
        made->has_clock
            ? json_pack("[f, f]", (double)made->left_ns[0] / 1e9, (double)made->left_ns[1] / 1e9)
            : json_null(),
        "result", result_of(made->after));

    game->match = *made->after;
    if (broken == BG_RULE_NONE) {
        pos_step(&game->pos, &before, step, made->after);
    } else { /* it goes on after a kill, and its first steps were never told */
        pos_of(&game->pos, made->after);
    }
    set_position(json, game);
    free(words);
    return json_text(json);
}
