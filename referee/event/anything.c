#include "anything.h"

static bool note_game(void *user, const struct store_game *game)
{
    (void)game;
    *(bool *)user = true;
    return false;
}

static void note_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    (void)fixture;
    (void)bot;
    (void)why;
    *(bool *)user = true;
}

enum bg_status anything_played(bool *played, struct store *store, struct bg_error *err)
{
    enum bg_status status;

    *played = false;
    status = store->ops->all_games(store, false, note_game, played, err);
    if (status == BG_OK && !*played) {
        status = store->ops->all_unplayed(store, note_unplayed, played, err);
    }
    return status;
}
