/* A play is valued with the other side on roll, a cube with the own side: evaluate() is told who
 * throws, as the throw in hand is worth several pips. */
#include "values.h"

#include "cube.h"

double values_after(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    const struct bg_variant *variant = ask->rules.variant;
    struct outlook outlook;

    (void)user;
    if (board->at[0][BG_OFF] == bg_board_count(board, 0)) {
        int most = cube_levels(ask, ask->cube_owner), level = bg_variant_level(variant, board, 0);

        return cube_points(ask, level < most ? level : most);
    }
    evaluate(&outlook, &weights, board, 1);
    return cube_value(ask, &outlook, (struct cube_at){0, ask->cube_owner});
}

static void find_chances(struct bg_chances *out, const struct bg_ask *ask,
                         const struct outlook *outlook)
{
    int most = cube_levels(ask, ask->cube_owner);

    *out = (struct bg_chances){
        .win = outlook->win,
        .win_gammon = most > 1 ? outlook->gammon : 0.0,
        .win_backgammon = most > 2 ? outlook->backgammon : 0.0,
        .lose_gammon = most > 1 ? outlook->lose_gammon : 0.0,
        .lose_backgammon = most > 2 ? outlook->lose_backgammon : 0.0,
        .equity = cube_value(ask, outlook, (struct cube_at){0, ask->cube_owner}),
    };
}

void values_find(struct bg_value *out, const struct bg_ask *ask)
{
    struct outlook outlook;

    if (ask->kind == BG_VALUE_ROLLS) {
        bg_value_rolls(&out->of.rolls, ask, values_after, NULL);
        return;
    }
    evaluate(&outlook, &weights, &ask->board, 0);
    if (ask->kind == BG_VALUE_CUBE) {
        out->of.cube = (struct bg_cube_values){
            .no_double = cube_value(ask, &outlook, (struct cube_at){0, ask->cube_owner}),
            .double_take = cube_value(ask, &outlook, (struct cube_at){1, 1}),
            .double_pass = cube_points(ask, 1.0),
        };
    } else {
        find_chances(&out->of.chances, ask, &outlook);
    }
}
