/* Each game has its net as a file, found by the game's name: a net that is added to the folder
 * makes its game playable without a new program. Values for judging go by the same functions as
 * the bot's own plays. */
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "turn.h"
#include "weights.h"

enum { GAMES = 32, PATH = 1200 };

static struct player players[GAMES];
static int player_count;
static struct bearoff *bearoff; /* for all of them, until the program ends */

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
        player->bearoff = bearoff;
    }
    if (status == BG_OK) {
        status = read_sieve(player, path, err);
    }
    player_count += status == BG_OK;
    return status;
}

/* Before the first question: a bot that computes the table at its first bear-off thinks for a
 * second on its clock. */
static enum bg_status open_bearoff(const char *folder, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    char path[PATH];
    enum bg_status status;

    snprintf(path, sizeof path, "%.1000s/" VALUES_BEAROFF, folder);
    status = bearoff_open(&bearoff, path, BEAROFF_POINTS, &why);
    return status == BG_OK
               ? BG_OK
               : bg_error_set(err, status, "%s; 'bgref-td-train --bear-off %s' makes it again",
                              why.text, path);
}

enum bg_status values_begin(char *games, size_t size, const char *folder, struct bg_error *err)
{
    const struct bg_variant *variant;
    enum bg_status status = open_bearoff(folder, err);

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

/* Whether values look at each roll with the cube. Else a turn may go on after its roll, or checkers
 * are counted. */
static bool looks_at_rolls(const struct player *player)
{
    return bg_variant_turn_is_roll(player->variant) && player->counted == 0;
}

/* Returns how live the cube is: less in a race, the less the shorter it is (gnubg's numbers). */
static double live_of(const struct player *player, const struct bg_board *board, int roller)
{
    int pips = 0;

    if (!player->off_saves || !player_is_race(player, board)) {
        return OUTLOOK_LIVE;
    }
    for (int slot = 1; slot < BG_SLOTS; slot++) {
        pips += slot * board->at[roller][slot];
    }
    return fmin(fmax(0.55 + 0.00125 * pips, 0.6), 0.7);
}

static void outlook_of(struct outlook *out, const struct player *player,
                       const float chances[NET_OUTPUTS])
{
    *out = (struct outlook){.win = (double)chances[NET_WIN], .live = OUTLOOK_LIVE};
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
    out->live = live_of(player, board, roller);
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

/* The cube as the ask has it. */
static struct cube_at cube_now(const struct bg_ask *ask)
{
    return (struct cube_at){0, ask->cube_owner};
}

double values_worth(const struct player *player, const struct bg_ask *ask,
                    const float chances[NET_OUTPUTS])
{
    struct outlook outlook;

    if (player->counted > 0) {
        return counted_value(ask, chances, 0);
    }
    outlook_of(&outlook, player, chances);
    return cube_value(ask, &outlook, cube_now(ask));
}

double values_position(const struct player *player, const struct bg_ask *ask,
                       const struct bg_board *board, int roller)
{
    float chances[NET_OUTPUTS];

    own_chances(chances, player, board, roller);
    return values_worth(player, ask, chances);
}

/* All checkers of a side are off: the result is certain. */
static double settled(const struct bg_ask *ask, const struct outlook *outlook, struct cube_at at)
{
    int most = cube_levels(ask, at.owner);
    bool won = outlook->win > 0.5;
    double large = won ? outlook->gammon : outlook->lose_gammon;
    double larger = won ? outlook->backgammon : outlook->lose_backgammon;
    int level = larger > 0.5 ? 3 : large > 0.5 ? 2 : 1;

    level = level < most ? level : most;
    return cube_points(ask, ldexp(won ? level : -level, at.turns));
}

/* What the chances of a seat are worth to it with the cube there. */
static void find_worth(struct worth *out, const struct bg_ask *ask, struct cube_at at, int seat)
{
    const double side = seat == 0 ? 1.0 : -1.0, cube = ldexp(side, at.turns);
    const int most = cube_levels(ask, at.owner);
    double win[3], lose[3];

    for (int i = 0; i < 3; i++) {
        const int level = i < most ? i + 1 : most;

        win[i] = side * cube_points(ask, cube * level);
        lose[i] = side * cube_points(ask, -cube * level);
    }
    *out = (struct worth){{[NET_WIN] = (float)(win[0] - lose[0]),
                           [NET_GAMMON] = (float)(win[1] - win[0]),
                           [NET_BACKGAMMON] = (float)(win[2] - win[1]),
                           [NET_LOSE_GAMMON] = (float)(lose[1] - lose[0]),
                           [NET_LOSE_BACKGAMMON] = (float)(lose[2] - lose[1])}};
}

void values_choose(struct choice *out, const struct player *player, const struct bg_ask *ask,
                   const struct bg_play_list *plays)
{
    struct worth worth;

    find_worth(&worth, ask, cube_now(ask), 0);
    choice_find(out, own_vantage(player, &ask->board), plays, &worth, CHOICE_MOST);
}

/* Somebody is about to roll: the position from where its plays start, and where the cube is. */
struct origin {
    const struct bg_ask *ask;
    const struct vantage *vantage;
    struct cube_at at;
    struct worth worth; /* to the side that rolls */
};

static void origin_begin(struct origin *out, const struct bg_ask *ask,
                         const struct vantage *vantage, struct cube_at at)
{
    *out = (struct origin){.ask = ask, .vantage = vantage, .at = at};
    find_worth(&out->worth, ask, at, vantage->base.seat);
}

/* Improves *best, own's value of the best play so far, by that of a board after another play;
 * returns whether it is better. first: there is none so far. The other side's right to double is
 * never a gain for who has played, so many plays need no look at it. */
static bool improve(double *best, bool first, const struct origin *origin,
                    const struct bg_board *board)
{
    const struct player *player = origin->vantage->player;
    const int seat = origin->vantage->base.seat;
    const double sign = seat == 0 ? 1.0 : -1.0;
    float chances[NET_OUTPUTS];
    struct outlook outlook;
    double worth;

    vantage_chances(chances, origin->vantage, board);
    if (seat == 1) {
        net_swap(chances, chances);
    }
    outlook_of(&outlook, player, chances);
    outlook.live = live_of(player, board, 1 - seat);
    if (board->at[seat][BG_OFF] == player->checkers) {
        worth = settled(origin->ask, &outlook, origin->at);
    } else {
        worth = cube_value(origin->ask, &outlook, origin->at);
        if (first || sign * worth > sign * *best) {
            worth = cube_decided(origin->ask, &outlook, origin->at, 1 - seat, worth);
        }
    }
    if (first || sign * worth > sign * *best) {
        *best = worth;
        return true;
    }
    return false;
}

/* Where values do not look at rolls. */
static double plain_after(const struct player *player, const struct bg_ask *ask,
                          const struct bg_board *board)
{
    float chances[NET_OUTPUTS];
    struct outlook outlook;

    vantage_chances(chances, own_vantage(player, &ask->board), board);
    if (board->at[0][BG_OFF] == player->checkers && player->counted == 0) {
        outlook_of(&outlook, player, chances);
        return settled(ask, &outlook, cube_now(ask));
    }
    return values_worth(player, ask, chances);
}

double values_after(const struct player *player, const struct bg_ask *ask,
                    const struct bg_board *board)
{
    const struct origin origin = {
        .ask = ask, .vantage = own_vantage(player, &ask->board), .at = cube_now(ask)};
    double value = 0.0;

    if (!looks_at_rolls(player)) {
        return plain_after(player, ask, board);
    }
    improve(&value, true, &origin, board);
    return value;
}

/* Finds the best play of this roll, of those that a sieve leaves, and returns own's value after it.
 */
static double best_of_roll(struct bg_play *out, const struct origin *origin, struct bg_roll roll,
                           int kept)
{
    const struct bg_variant *variant = origin->vantage->player->variant;
    const struct encode_base *base = &origin->vantage->base;
    const struct bg_stage stage = bg_stage_of_roll(variant, roll);
    static struct bg_play_list plays; /* large; used only within this call */
    struct choice choice;
    double best = 0.0;

    bg_play_list(&plays, variant, &base->board, base->seat, &stage);
    choice_find(&choice, origin->vantage, &plays, &origin->worth, kept);
    out->moves = 0;
    for (int i = 0; i < choice.count; i++) {
        const struct bg_play *play = &plays.play[choice.play[i]];
        struct bg_board after;

        bg_play_make(&after, variant, &base->board, base->seat, play);
        if (improve(&best, i == 0, origin, &after)) {
            *out = *play;
        }
    }
    if (choice.count == 0) {
        improve(&best, true, origin, &base->board);
    }
    return best;
}

static void find_simple_rolls(struct bg_roll_values *out, const struct player *player,
                              const struct bg_ask *ask)
{
    struct origin origin;
    int kept = ask->played == NULL ? CHOICE_LUCK : CHOICE_MOST;

    origin_begin(&origin, ask, own_vantage(player, &ask->board), cube_now(ask));
    for (int i = 0; i < BG_ROLLS; i++) {
        out->equity[i] = best_of_roll(&out->best[i], &origin, bg_roll_at(i), kept);
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

    if (looks_at_rolls(player)) {
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

double values_before(const struct player *player, const struct bg_ask *ask,
                     const struct bg_board *board, int roller, struct cube_at at)
{
    struct vantage vantage;
    struct origin origin;
    double sum = 0.0;

    if (!looks_at_rolls(player)) {
        struct outlook outlook;

        values_outlook(&outlook, player, board, roller);
        return cube_value(ask, &outlook, at);
    }
    vantage_begin(&vantage, player, board, roller);
    origin_begin(&origin, ask, &vantage, at);
    for (int i = 0; i < BG_ROLLS; i++) {
        struct bg_play play;

        sum += bg_roll_weight(i) * best_of_roll(&play, &origin, bg_roll_at(i), CHOICE_MOST);
    }
    return sum / 36.0;
}

double values_after_roll(const struct player *player, const struct bg_ask *ask,
                         const struct bg_board *board)
{
    struct outlook outlook;
    double held;

    if (board->at[0][BG_OFF] == player->checkers || !looks_at_rolls(player)) {
        return values_after(player, ask, board);
    }
    held = values_before(player, ask, board, 1, cube_now(ask));
    values_outlook(&outlook, player, board, 1);
    if (cube_turn(ask, &outlook, cube_now(ask), 1) < cube_value(ask, &outlook, cube_now(ask))) {
        const double taken = values_before(player, ask, board, 1, (struct cube_at){1, 0});

        held = fmin(held, fmax(taken, cube_points(ask, -1.0)));
    }
    return held;
}

void values_cube(struct bg_cube_values *out, const struct player *player, const struct bg_ask *ask)
{
    *out = (struct bg_cube_values){
        .no_double = values_before(player, ask, &ask->board, 0, cube_now(ask)),
        .double_take = values_before(player, ask, &ask->board, 0, (struct cube_at){1, 1}),
        .double_pass = cube_points(ask, 1.0),
    };
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
        .equity = looks_at_rolls(player) ? cube_turn(ask, &outlook, cube_now(ask), 0)
                                         : values_position(player, ask, &ask->board, 0),
    };
}

static void find_cube(struct bg_cube_values *out, const struct player *player,
                      const struct bg_ask *ask)
{
    float chances[NET_OUTPUTS];

    if (player->counted == 0) {
        values_cube(out, player, ask);
        return;
    }
    own_chances(chances, player, &ask->board, 0);
    *out = (struct bg_cube_values){
        .no_double = counted_value(ask, chances, 0),
        .double_take = counted_value(ask, chances, 1),
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
