#include "values.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bkg/cube.h"
#include "weights.h"

enum { GAMES = 32, PATH = 1200 };

static struct player players[GAMES];
static int player_count;

struct player *values_player(const struct bg_variant *variant)
{
    const char *id = bg_variant_id(variant);
    size_t length = strcspn(id, ":");
    struct player *found = NULL;

    for (int i = 0; i < player_count && found == NULL; i++) {
        const char *own = bg_variant_id(players[i].variant);

        found = strlen(own) == length && strncmp(own, id, length) == 0 ? &players[i] : NULL;
    }
    return found;
}

/* Reads the net of a game if its file is there. */
static enum bg_status read_game(const struct bg_variant *variant, const char *folder,
                                struct bg_error *err)
{
    struct player *player = &players[player_count];
    const char *game = bg_variant_id(variant);
    enum bg_status status = BG_OK;
    char path[PATH], race[PATH], name[64];

    snprintf(path, sizeof path, "%.1000s/%.100s.td", folder, game);
    if (access(path, F_OK) != 0 || player_count == GAMES) {
        return BG_OK;
    }
    player_begin(player, variant);
    status = weights_read(&player->net, game, player->encoding.size, path, err);
    weights_race_path(race, sizeof race, path);
    if (status == BG_OK && player_has_races(player) && access(race, F_OK) == 0) {
        snprintf(name, sizeof name, WEIGHTS_RACE, game);
        status = weights_read(&player->race, name, player->encoding.size, race, err);
    }
    player_count += status == BG_OK;
    return status;
}

enum bg_status values_begin(char *games, size_t size, const char *folder, struct bg_error *err)
{
    const struct bg_variant *variant;
    enum bg_status status = BG_OK;

    games[0] = '\0';
    for (int i = 0; (variant = bg_variant_at(i)) != NULL && status == BG_OK; i++) {
        int before = player_count;
        size_t used = strlen(games);

        status = read_game(variant, folder, err);
        if (player_count > before) {
            snprintf(games + used, size - used, "%s%s:*", used > 0 ? " " : "",
                     bg_variant_id(variant));
        }
    }
    return status == BG_OK && player_count == 0
               ? bg_error_set(err, BG_E_CONFIG, "no nets (*.td) in %.1000s", folder)
               : status;
}

/* Returns the vantage of own in this position. It is kept, as many plays from one position are
 * valued in a row. */
static const struct vantage *own_vantage(const struct player *player, const struct bg_board *board)
{
    static struct vantage vantage;

    if (vantage.player != player || !bg_board_equal(&vantage.base.board, board)) {
        vantage_begin(&vantage, player, board, 0);
    }
    return &vantage;
}

static void outlook_of(struct outlook *out, const float chances[NET_OUTPUTS])
{
    *out = (struct outlook){.win = (double)chances[NET_WIN],
                            .gammon = (double)chances[NET_GAMMON],
                            .backgammon = (double)chances[NET_BACKGAMMON],
                            .lose_gammon = (double)chances[NET_LOSE_GAMMON],
                            .lose_backgammon = (double)chances[NET_LOSE_BACKGAMMON]};
}

/* The net sees a position after a play: the side that is about to roll has not just played. */
void values_outlook(struct outlook *out, const struct player *player, const struct bg_board *board,
                    int roller)
{
    float chances[NET_OUTPUTS];

    player_chances(chances, player, board, 1 - roller);
    if (roller == 0) {
        net_swap(chances, chances);
    }
    outlook_of(out, chances);
}

/* All of own's checkers are off: the result is certain. */
static double settled(const struct bg_ask *ask, const struct outlook *outlook)
{
    int most = cube_levels(ask, ask->cube_owner);
    bool won = outlook->win > 0.5;
    double large = won ? outlook->gammon : outlook->lose_gammon;
    double larger = won ? outlook->backgammon : outlook->lose_backgammon;
    int level = larger > 0.5 ? 3 : large > 0.5 ? 2 : 1;

    level = level < most ? level : most;
    return cube_points(ask, won ? level : -level);
}

double values_after(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    const struct player *player = user;
    float chances[NET_OUTPUTS];
    struct outlook outlook;

    vantage_chances(chances, own_vantage(player, &ask->board), board);
    outlook_of(&outlook, chances);
    if (board->at[0][BG_OFF] == player->checkers) {
        return settled(ask, &outlook);
    }
    return cube_value(ask, &outlook, (struct cube_at){0, ask->cube_owner});
}

/* Returns the chances of the opponent's best play of this roll, seen by own. */
static void best_reply(struct outlook *out, const struct vantage *vantage,
                       const struct bg_board *board, const struct bg_stage *stage)
{
    const struct bg_variant *variant = vantage->player->variant;
    static struct bg_play_list plays; /* large; used only within this call */
    float chances[NET_OUTPUTS], best[NET_OUTPUTS];

    bg_play_list(&plays, variant, board, 1, stage);
    vantage_chances(best, vantage, board);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, board, 1, &plays.play[i]);
        vantage_chances(chances, vantage, &after);
        if (i == 0 || net_equity(chances) > net_equity(best)) {
            memcpy(best, chances, sizeof best);
        }
    }
    net_swap(best, best);
    outlook_of(out, best);
}

double values_after_roll(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    const struct player *player = user;
    struct outlook mean = {.win = 0.0};
    struct vantage vantage;

    if (board->at[0][BG_OFF] == player->checkers || !bg_variant_turn_is_roll(player->variant)) {
        return values_after(user, ask, board);
    }
    vantage_begin(&vantage, player, board, 1);
    for (int i = 0; i < BG_ROLLS; i++) {
        struct bg_stage stage = bg_stage_of_roll(player->variant, bg_roll_at(i));
        double weight = bg_roll_weight(i) / 36.0;
        struct outlook one;

        best_reply(&one, &vantage, board, &stage);
        mean.win += weight * one.win;
        mean.gammon += weight * one.gammon;
        mean.backgammon += weight * one.backgammon;
        mean.lose_gammon += weight * one.lose_gammon;
        mean.lose_backgammon += weight * one.lose_backgammon;
    }
    return cube_value(ask, &mean, (struct cube_at){0, ask->cube_owner});
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
    struct player *player = values_player(ask->rules.variant);
    struct outlook outlook;

    if (player == NULL) {
        out->cannot = true;
        snprintf(out->why, sizeof out->why, "%s: there is no net for this game",
                 bg_variant_id(ask->rules.variant));
        return;
    }
    if (ask->kind == BG_VALUE_ROLLS) {
        bg_value_rolls(&out->of.rolls, ask, values_after, player);
        return;
    }
    values_outlook(&outlook, player, &ask->board, 0);
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
