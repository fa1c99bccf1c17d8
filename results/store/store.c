#include "store.h"

#include <stdlib.h>

#include "record/game_id.h"

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

void store_steps_destroy(struct store_steps *steps)
{
    if (steps != NULL) {
        free(steps->lines);
        free(steps);
    }
}

void store_game_result(struct store_game *game, const struct bg_match *match, int leg)
{
    int winner = match->result.winner, match_winner = match->match_winner;

    game->length_points = match->rules.length_points;
    game->winner = winner < 0 ? -1 : game_id_bot_at(leg, winner);
    game->points = match->result.points;
    /* Where checkers are counted there are no gammons: the level comes from the points. */
    game->level = bg_variant_level_max(match->rules.variant) > 3 && match->result.level > 1
                      ? 1
                      : match->result.level;
    game->end = match->result.end;
    game->fault = match->result.fault;
    game->turns = match->turn;
    game->score_a = match->score[game_id_seat_of(leg, 0)];
    game->score_b = match->score[game_id_seat_of(leg, 1)];
    game->match_over = match->need.kind == BG_NEED_NOTHING;
    game->match_winner = match_winner < 0 ? -1 : game_id_bot_at(leg, match_winner);
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
