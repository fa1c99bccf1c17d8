#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bkg/cube.h"
#include "ahead.h"
#include "turn.h"
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

/* Reads a net of this kind that stands beside the file at path, if it is there. */
static enum bg_status read_beside(struct net *out, const struct player *player, const char *path,
                                  const char *kind, struct bg_error *err)
{
    char name[64], beside[PATH];

    snprintf(name, sizeof name, "%.40s %.10s", bg_variant_id(player->variant), kind);
    weights_path(beside, sizeof beside, path, kind);
    return access(beside, F_OK) == 0 ? weights_read(out, name, player->encoding.size, beside, err)
                                     : BG_OK;
}

static enum bg_status read_sieve(struct player *player, const char *path, struct bg_error *err)
{
    struct net net = {.inputs = 0};
    enum bg_status status = read_beside(&net, player, path, WEIGHTS_SIEVE, err);

    if (status == BG_OK && net.weights != NULL) {
        status = sieve_create(&player->sieve, &net, &player->encoding, err);
    }
    net_destroy(&net);
    return status;
}

/* Reads the nets of a game if its file is there. */
static enum bg_status read_game(const struct bg_variant *variant, const char *folder,
                                struct bg_error *err)
{
    struct player *player = &players[player_count];
    const char *game = bg_variant_id(variant);
    enum bg_status status = BG_OK;
    char path[PATH];

    snprintf(path, sizeof path, "%.1000s/%.100s.td", folder, game);
    if (access(path, F_OK) != 0 || player_count == GAMES) {
        return BG_OK;
    }
    player_begin(player, variant);
    status = weights_read(&player->net, game, player->encoding.size, path, err);
    if (status == BG_OK && player_has_races(player)) {
        status = read_beside(&player->race, player, path, WEIGHTS_RACE, err);
    }
    if (status == BG_OK) {
        status = read_sieve(player, path, err);
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

static void outlook_of(struct outlook *out, const struct player *player,
                       const float chances[NET_OUTPUTS])
{
    *out = (struct outlook){.win = (double)chances[NET_WIN]};
    if (player->counted == 0) {
        out->gammon = (double)chances[NET_GAMMON];
        out->backgammon = (double)chances[NET_BACKGAMMON];
        out->lose_gammon = (double)chances[NET_LOSE_GAMMON];
        out->lose_backgammon = (double)chances[NET_LOSE_BACKGAMMON];
    }
}

/* The net sees a position after a play: the side that is about to roll has not just played. */
static void own_chances(float out[NET_OUTPUTS], const struct player *player,
                        const struct bg_board *board, int roller)
{
    player_chances(out, player, board, 1 - roller);
    if (roller == 0) {
        net_swap(out, out);
    }
}

void values_outlook(struct outlook *out, const struct player *player, const struct bg_board *board,
                    int roller)
{
    float chances[NET_OUTPUTS];

    own_chances(chances, player, board, roller);
    outlook_of(out, player, chances);
}

void values_outlook_ahead(struct outlook *out, const struct player *player,
                          const struct bg_board *board, int roller)
{
    float chances[NET_OUTPUTS];

    if (!bg_variant_turn_is_roll(player->variant)) {
        values_outlook(out, player, board, roller);
        return;
    }
    ahead_chances(chances, player, board, 1 - roller);
    if (roller == 0) {
        net_swap(chances, chances);
    }
    outlook_of(out, player, chances);
}

/* Mean points of the games that are won, or lost, with this chance. */
static double mean_points(const struct bg_ask *ask, double chance, double share)
{
    const double more = cube_levels(ask, ask->cube_owner) - 1;

    return 1.0 + more * (chance > share ? share / chance : share > 0.0 ? 1.0 : 0.0);
}

/* Where checkers are counted: with a cube that is turned so often and then dead. */
static double counted_value(const struct bg_ask *ask, const float chances[NET_OUTPUTS], int turns)
{
    const double win = (double)chances[NET_WIN];
    const double most = mean_points(ask, win, (double)chances[NET_GAMMON]);
    const double least = mean_points(ask, 1.0 - win, (double)chances[NET_LOSE_GAMMON]);

    return win * cube_points(ask, ldexp(most, turns)) +
           (1.0 - win) * cube_points(ask, ldexp(-least, turns));
}

double values_worth(const struct player *player, const struct bg_ask *ask,
                    const float chances[NET_OUTPUTS])
{
    struct outlook outlook;

    if (player->counted > 0) {
        return counted_value(ask, chances, 0);
    }
    outlook_of(&outlook, player, chances);
    return cube_value(ask, &outlook, (struct cube_at){0, ask->cube_owner});
}

double values_position(const struct player *player, const struct bg_ask *ask,
                       const struct bg_board *board, int roller)
{
    float chances[NET_OUTPUTS];

    own_chances(chances, player, board, roller);
    return values_worth(player, ask, chances);
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

double values_after(const struct player *player, const struct bg_ask *ask,
                    const struct bg_board *board)
{
    float chances[NET_OUTPUTS];
    struct outlook outlook;

    vantage_chances(chances, own_vantage(player, &ask->board), board);
    if (board->at[0][BG_OFF] == player->checkers && player->counted == 0) {
        outlook_of(&outlook, player, chances);
        return settled(ask, &outlook);
    }
    return values_worth(player, ask, chances);
}

/* What the chances of own are worth in this decision, with the cube as it stands. */
static void find_worth(struct worth *out, const struct bg_ask *ask)
{
    const int most = cube_levels(ask, ask->cube_owner);
    const double win = cube_points(ask, 1.0), lose = cube_points(ask, -1.0);
    const double two = most < 2 ? win : cube_points(ask, 2.0);
    const double three = most < 3 ? two : cube_points(ask, 3.0);
    const double lose_two = most < 2 ? lose : cube_points(ask, -2.0);
    const double lose_three = most < 3 ? lose_two : cube_points(ask, -3.0);

    *out = (struct worth){{[NET_WIN] = (float)(win - lose),
                           [NET_GAMMON] = (float)(two - win),
                           [NET_BACKGAMMON] = (float)(three - two),
                           [NET_LOSE_GAMMON] = (float)(lose_two - lose),
                           [NET_LOSE_BACKGAMMON] = (float)(lose_three - lose_two)}};
}

void values_choose(struct choice *out, const struct player *player, const struct bg_ask *ask,
                   const struct bg_play_list *plays)
{
    struct worth worth;

    find_worth(&worth, ask);
    choice_find(out, own_vantage(player, &ask->board), plays, &worth);
}

/* Finds the best play of this roll and returns its value. */
static double best_of_roll(struct bg_play *out, const struct player *player,
                           const struct bg_ask *ask, struct bg_roll roll)
{
    const struct bg_variant *variant = player->variant;
    const struct bg_stage stage = bg_stage_of_roll(variant, roll);
    static struct bg_play_list plays; /* large; used only within this call */
    struct choice choice;
    double best = 0.0;

    bg_play_list(&plays, variant, &ask->board, 0, &stage);
    values_choose(&choice, player, ask, &plays);
    out->moves = 0;
    for (int i = 0; i < choice.count; i++) {
        const struct bg_play *play = &plays.play[choice.play[i]];
        struct bg_board after;
        double worth;

        bg_play_make(&after, variant, &ask->board, 0, play);
        worth = values_after(player, ask, &after);
        if (i == 0 || worth > best) {
            best = worth;
            *out = *play;
        }
    }
    return choice.count > 0 ? best : values_after(player, ask, &ask->board);
}

static void find_simple_rolls(struct bg_roll_values *out, const struct player *player,
                              const struct bg_ask *ask)
{
    for (int i = 0; i < BG_ROLLS; i++) {
        out->equity[i] = best_of_roll(&out->best[i], player, ask, bg_roll_at(i));
    }
    out->played = ask->played == NULL ? NAN : values_after(player, ask, &ask->played->board);
}

static double played_value(const struct turn *turn)
{
    const struct bg_ask_played *played = turn->ask->played;

    return played == NULL ? NAN : turn_played(turn, played->roll, &played->board);
}

static void find_rolls(struct bg_roll_values *out, const struct turn *turn)
{
    for (int i = 0; i < BG_ROLLS; i++) {
        out->equity[i] = turn_roll(&out->best[i], turn, bg_roll_at(i));
    }
    out->played = played_value(turn);
}

static void find_throws(struct bg_throw_values *out, const struct turn *turn)
{
    for (int i = 0; i < BG_THROWS; i++) {
        out->equity[i] = turn_roll(&out->best[i], turn, bg_throw_at(i));
    }
    out->played = played_value(turn);
}

/* The values of all rolls. */
static void find_all(struct bg_value *out, const struct player *player, const struct bg_ask *ask)
{
    struct bg_error err = {.text = ""};
    struct turn turn;

    if (bg_variant_turn_is_roll(player->variant)) {
        find_simple_rolls(&out->of.rolls, player, ask);
    } else if (turn_begin(&turn, player, ask, &err) != BG_OK) {
        out->cannot = true;
        snprintf(out->why, sizeof out->why, "%.200s", err.text);
    } else if (ask->kind == BG_VALUE_THROWS) {
        find_throws(&out->of.throws, &turn);
    } else {
        find_rolls(&out->of.rolls, &turn);
    }
}

double values_after_roll(const struct player *player, const struct bg_ask *ask,
                         const struct bg_board *board)
{
    float chances[NET_OUTPUTS];

    if (board->at[0][BG_OFF] == player->checkers || !bg_variant_turn_is_roll(player->variant)) {
        return values_after(player, ask, board);
    }
    ahead_chances(chances, player, board, 0);
    return values_worth(player, ask, chances);
}

static void find_chances(struct bg_chances *out, const struct player *player,
                         const struct bg_ask *ask)
{
    int most = cube_levels(ask, ask->cube_owner);
    struct outlook outlook;

    values_outlook(&outlook, player, &ask->board, 0);
    *out = (struct bg_chances){
        .win = outlook.win,
        .win_gammon = most > 1 ? outlook.gammon : 0.0,
        .win_backgammon = most > 2 ? outlook.backgammon : 0.0,
        .lose_gammon = most > 1 ? outlook.lose_gammon : 0.0,
        .lose_backgammon = most > 2 ? outlook.lose_backgammon : 0.0,
        .equity = values_position(player, ask, &ask->board, 0),
    };
}

static void find_cube(struct bg_cube_values *out, const struct player *player,
                      const struct bg_ask *ask)
{
    float chances[NET_OUTPUTS];
    struct outlook outlook;

    own_chances(chances, player, &ask->board, 0);
    outlook_of(&outlook, player, chances);
    *out = (struct bg_cube_values){
        .no_double = values_worth(player, ask, chances),
        .double_take = player->counted > 0 ? counted_value(ask, chances, 1)
                                           : cube_value(ask, &outlook, (struct cube_at){1, 1}),
        .double_pass = cube_points(ask, 1.0),
    };
}

void values_find(struct bg_value *out, const struct bg_ask *ask)
{
    struct player *player = values_player(ask->rules.variant);

    if (player == NULL) {
        out->cannot = true;
        snprintf(out->why, sizeof out->why, "%s: there is no net for this game",
                 bg_variant_id(ask->rules.variant));
    } else if (ask->kind == BG_VALUE_CUBE) {
        find_cube(&out->of.cube, player, ask);
    } else if (ask->kind == BG_VALUE_POSITION) {
        find_chances(&out->of.chances, player, ask);
    } else {
        find_all(out, player, ask);
    }
}
