#include "store.h"

#include <stdlib.h>

void store_game_destroy(struct store_game *game)
{
    if (game != NULL) {
        free(game->id);
        free(game->a);
        free(game->b);
        free(game->text);
        free(game);
    }
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
