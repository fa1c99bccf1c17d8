/* The games of a leg are replayed through the match machine in their order; no score is taken
 * from the database's columns, which nothing proves. The last game is kept, as a table without
 * sessions takes the programs of its seats from it. */
#include "rebuild.h"

#include <string.h>

/* Restores the match and its clocks at the end of one stored game of the leg. */
static bool rebuild_game(void *user, const struct store_game *game)
{
    struct rebuild *rebuild = user;
    struct record_view *view = NULL;
    struct bg_result result;
    int64_t left_ns[2];

    rebuild->status = record_read(&view, game->text, game->text_size, rebuild->err);
    if (rebuild->status == BG_OK) {
        rebuild->status = record_replay(rebuild->match, view, rebuild->err);
    }
    if (rebuild->status == BG_OK) {
        record_view_result(&result, left_ns, view);
        clock_resume(&rebuild->clocks[0], left_ns[0]);
        clock_resume(&rebuild->clocks[1], left_ns[1]);
        memcpy(rebuild->prev, game->hash, RECORD_HASH);
        rebuild->games++;
        record_view_destroy(rebuild->last);
        rebuild->last = view;
        view = NULL;
    }
    record_view_destroy(view);
    return rebuild->status == BG_OK;
}

enum bg_status rebuild_leg(struct rebuild *rebuild, const struct game_sink *sink,
                           const struct game_id *leg, struct bg_error *err)
{
    enum bg_status status;

    rebuild->games = 0;
    rebuild->last = NULL;
    rebuild->status = BG_OK;
    rebuild->err = err;
    status = sink->leg_games(sink->user, leg, rebuild_game, rebuild, err);
    return status == BG_OK ? rebuild->status : status;
}
