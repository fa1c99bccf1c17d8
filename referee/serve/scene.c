#include "scene.h"

static const struct bg_variant *variant_of(const struct scene *scene)
{
    return scene->variant != NULL ? scene->variant : bg_variant_find("backgammon");
}

enum bg_status scene_match(struct bg_match *out, const struct scene *scene, int on_roll,
                           struct bg_error *err)
{
    struct bg_rules rules = bg_rules_default(variant_of(scene), scene->length_points);
    struct bg_start start = {.board = scene->board,
                             .on_roll = on_roll,
                             .cube_log2 = scene->cube_log2,
                             .cube_owner = scene->cube_owner};
    int last = scene->length_points - 1; /* the score at 1-away */

    if (scene->length_points > 0) {
        bool own = scene->score[0] == last, opponent = scene->score[1] == last;

        start.score[0] = scene->score[0];
        start.score[1] = scene->score[1];
        start.crawford_game = own != opponent && scene->crawford;
        start.crawford_done = (own || opponent) && !start.crawford_game;
    } else {
        rules.jacoby = scene->jacoby;
        rules.beavers = scene->beavers;
    }
    return bg_match_begin_at(out, &rules, &start, err);
}

bool scene_roll(struct bg_match *match, int high, int low)
{
    struct bg_step step = {
        .kind = BG_STEP_ROLL, .seat = match->need.seat, .die = {(uint8_t)high, (uint8_t)low}};

    return bg_match_step(match, &step) == BG_RULE_NONE;
}

bool scene_set_off(struct scene *scene)
{
    struct bg_board setup;

    bg_variant_setup(&setup, variant_of(scene));
    for (int seat = 0; seat < 2; seat++) {
        int all = bg_board_count(&setup, seat);
        int there = bg_board_count(&scene->board, seat) - scene->board.at[seat][BG_OFF];

        if (there > all) {
            return false;
        }
        scene->board.at[seat][BG_OFF] = (uint8_t)(all - there);
    }
    return true;
}

int scene_cube_log2(int64_t value)
{
    for (int i = 0; i <= BG_CUBE_LOG2_MAX; i++) {
        if (value == INT64_C(1) << i) {
            return i;
        }
    }
    return -1;
}
