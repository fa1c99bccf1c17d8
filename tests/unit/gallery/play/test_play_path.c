/* Plays that are made one checker at a time: against the list of legal plays, in every game. */
#include "play/play_path.h"

#include <bgref/variant.h>

#include "support/suite.h"

/* What single moves reach: each whole play a legal one, each legal one reached; no move that leads
 * nowhere. */
struct reached {
    bool is_reached[BG_PLAYS_MAX];
    size_t count;
};

static void walk_on(struct reached *reached, const struct play_path *path)
{
    ck_assert(path->is_whole || path->next_count > 0);
    for (size_t i = 0; path->is_whole && i < path->legal.count; i++) {
        struct bg_board after;

        bg_play_make(&after, path->variant, &path->before, 0, &path->legal.play[i]);
        if (bg_board_equal(&after, &path->board) && !reached->is_reached[i]) {
            reached->is_reached[i] = true;
            reached->count++;
        }
    }
    for (int i = 0; i < path->next_count; i++) {
        struct play_path longer = *path;

        ck_assert(path_add(&longer, path->next[i].move.from, path->next[i].number));
        walk_on(reached, &longer);
    }
}

TEST(single_moves_reach_every_legal_play_in_every_game)
{
    static struct play_path path;
    const struct bg_variant *game;
    unsigned dice = 1;
    int games = 0, positions = 0;

    for (; (game = bg_variant_at(games)) != NULL; games++) {
        struct bg_board board;

        bg_variant_setup(&board, game);
        for (int turn = 0; turn < 60; turn++) {
            const uint8_t a = (uint8_t)(1 + (dice >> 16) % 6), b = (uint8_t)(1 + (dice >> 20) % 6);
            const struct bg_roll roll = {{a > b ? a : b, a > b ? b : a, 0}};
            const struct bg_stage stage = bg_stage_of_roll(game, roll);
            struct reached reached = {.count = 0};

            dice = dice * 1103515245u + 12345u;
            path_begin(&path, game, &board, &stage);
            if (path.legal.count > 0 && path.legal.count <= 30) {
                walk_on(&reached, &path);
                ck_assert_uint_eq(reached.count, path.legal.count);
                positions++;
            }
            if (path.legal.count > 0) {
                bg_play_make(&board, game, &board, 0,
                             &path.legal.play[dice / 7 % path.legal.count]);
            }
            bg_board_swap(&board, &board);
        }
    }
    ck_assert_int_gt(positions, 20 * games);
}

TEST(a_single_move_that_is_not_offered_changes_nothing)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");
    static struct play_path path, before;
    const struct bg_stage stage = bg_stage_of_roll(variant, (struct bg_roll){{6, 5, 0}});
    struct bg_board board;

    bg_variant_setup(&board, variant);
    path_begin(&path, variant, &board, &stage);
    before = path;
    ck_assert(!path_add(&path, 24, 5)); /* closed */
    ck_assert(!path_add(&path, 24, 4));
    ck_assert(!path_add(&path, 99, 6));
    ck_assert_mem_eq(&path, &before, sizeof path);
    ck_assert(path_add(&path, 24, 6));
    ck_assert(!path.is_whole);
    ck_assert(path_add(&path, 18, 5));
    ck_assert(path.is_whole);
    ck_assert_int_eq(path.next_count, 0);
}
