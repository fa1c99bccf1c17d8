#include "store.h"

#include <stdlib.h>

void store_game_destroy(struct store_game *game)
{
    if (game != NULL) {
        free(game->id);
        free(game->a);
        free(game->b);
        free(game->text);
        store_fault_destroy(game->evidence);
        free(game);
    }
}

void store_game_result(struct store_game *game, const struct bg_match *match, int seat_a)
{
    game->length_points = match->rules.length_points;
    game->winner = match->result.winner < 0 ? -1 : match->result.winner == seat_a ? 0 : 1;
    game->points = match->result.points;
    /* Where checkers are counted there are no gammons: the points say how many. */
    game->level = bg_variant_level_max(match->rules.variant) > 3 && match->result.level > 1
                      ? 1
                      : match->result.level;
    game->end = match->result.end;
    game->fault = match->result.fault;
    game->turns = match->turn;
    game->score_a = match->score[seat_a];
    game->score_b = match->score[1 - seat_a];
    game->match_over = match->need.kind == BG_NEED_NOTHING;
    game->match_winner = match->match_winner < 0 ? -1 : match->match_winner == seat_a ? 0 : 1;
}

void store_fault_destroy(struct store_fault *fault)
{
    if (fault != NULL) {
        free(fault->game_id);
        free(fault->bot);
        free(fault->rule);
        free(fault->position_id);
        free(fault->xgid);
        free(fault->dice);
        free(fault->reply);
        free(fault->stderr_tail);
        free(fault->legal);
        free(fault->reproduce);
        free(fault->story);
        free(fault);
    }
}
