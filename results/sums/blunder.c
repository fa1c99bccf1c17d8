#include "blunder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decision_key.h"
#include "record/game_id.h"

struct blunder_finding {
    struct blunder *blunder;
    bool found;
};

/* Inserts a choice into the worst found so far, which are sorted. */
static void put_worst(struct blunder *out, int *count, int room, int bot,
                      const struct judged_worst *worst)
{
    int place = *count;

    while (place > 0 && out[place - 1].worst.error < worst->error) {
        place--;
    }
    if (place == room) {
        return;
    }
    *count += *count < room;
    memmove(&out[place + 1], &out[place], (size_t)(*count - 1 - place) * sizeof *out);
    memset(&out[place], 0, sizeof *out);
    out[place].bot = bot;
    out[place].worst = *worst;
}

/* Replays the match up to the step of the choice. */
static bool replay(struct blunder *blunder, const struct record_view *view)
{
    struct bg_step step;

    if (!decision_find(&blunder->match, &step, view, blunder->worst.step) || step.seat < 0) {
        return false;
    }
    blunder->seat = step.seat;
    decision_words(blunder->played, &blunder->match, &step);
    return true;
}

static bool look_at_worst(void *user, const struct store_game *game)
{
    struct blunder_finding *finding = user;
    struct blunder *blunder = finding->blunder;
    struct record_view *view = NULL;

    if (strcmp(game->id, blunder->worst.game_id) != 0) {
        return true;
    }
    if (record_read(&view, game->text, game->text_size, NULL) == BG_OK) {
        finding->found = replay(blunder, view);
        snprintf(blunder->opponent, sizeof blunder->opponent, "%s",
                 game_id_bot_at(game->leg, blunder->seat) == 0 ? game->b : game->a);
    }
    record_view_destroy(view);
    return false;
}

static enum bg_status find_blunder(bool *found, struct blunder *blunder, struct store *store,
                                   struct bg_error *err)
{
    struct blunder_finding finding = {.blunder = blunder};
    enum bg_status status = BG_OK;
    struct game_id id;

    if (game_id_read(&id, blunder->worst.game_id)) {
        status = store_leg_games(store, id.a, id.b, id.pair, id.leg, look_at_worst, &finding, err);
    }
    *found = finding.found;
    return status;
}

enum bg_status blunders_find(struct blunder *out, int *count, int room, struct store *store,
                             const struct judged_sums *judged, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int all = 0, each = judged->bots > 0 ? room / judged->bots : 0;

    each = each < 1 ? 1 : each; /* so that a weak bot does not hide the others */
    for (int bot = 0; bot < judged->bots; bot++) {
        for (int i = 0; i < judged->bot[bot].worst_count && i < each; i++) {
            put_worst(out, &all, room, bot, &judged->bot[bot].worst[i]);
        }
    }
    *count = 0;
    for (int i = 0; status == BG_OK && i < all; i++) {
        bool found = false;

        out[*count] = out[i];
        status = find_blunder(&found, &out[*count], store, err);
        *count += found;
    }
    return status;
}
