/* A game's net, its net for races and its tables are one player: which of them a position
 * belongs to is decided here and nowhere else, so training, playing and judging cannot disagree.
 * Nets know no rules, so their chances are made possible afterwards (tidy). */
#include "player.h"

#include <bgref/match.h>

#include <string.h>

#include "race.h"

/* Plays the last checker off by the rules of the game, and looks who has won. */
static bool loses_by_bearing_off(const struct bg_variant *variant, int checkers)
{
    struct bg_rules rules = bg_rules_default(variant, 0);
    struct bg_start start = {.on_roll = 0, .cube_owner = BG_CENTRED};
    struct bg_step roll = {.kind = BG_STEP_ROLL, .seat = 0, .die = {6, 5}};
    static struct bg_play_list plays; /* large; used only within this call */
    struct bg_match match;
    struct bg_board after;

    rules.cube = rules.jacoby = false;
    for (int seat = 0; seat < 2; seat++) {
        start.board.at[seat][1] = 1;
        start.board.at[seat][BG_OFF] = (uint8_t)(checkers - 1);
    }
    if (bg_match_begin_at(&match, &rules, &start, NULL) != BG_OK ||
        bg_match_step(&match, &roll) != BG_RULE_NONE || match.need.kind != BG_NEED_PLAY) {
        return false;
    }
    bg_play_list(&plays, variant, &match.board, 0, &match.stage);
    if (plays.count == 0) {
        return false;
    }
    bg_play_make(&after, variant, &match.board, 0, &plays.play[0]);
    bg_match_play_result(&match, &after);
    return match.result.end != BG_END_NONE && match.result.winner == 1;
}

bool player_has_races(const struct player *player)
{
    static const char *const games[] = {
        "backgammon", "nackgammon", "hypergammon", "short-nardi", "portes", "tavla",   "dutch",
        "long-nardi", "fevga",      "moultezim",   "nard",        "tapa",   "plakoto",
    };
    const char *id = bg_variant_id(player->variant);
    size_t length = strcspn(id, ":");
    bool found = false;

    for (size_t i = 0; i < sizeof games / sizeof games[0] && !found; i++) {
        found = strlen(games[i]) == length && memcmp(games[i], id, length) == 0;
    }
    return found;
}

void player_begin(struct player *player, const struct bg_variant *variant)
{
    struct bg_board board;

    memset(player, 0, sizeof *player);
    bg_variant_setup(&board, variant);
    player->variant = variant;
    encoding_begin(&player->encoding, variant);
    player->checkers = bg_board_count(&board, 0);
    player->off_loses = loses_by_bearing_off(variant, player->checkers);
    player->off_saves = player_has_races(player);
    player->counted = bg_variant_level_max(variant) > 3 ? bg_variant_level_max(variant) : 0;
}

void player_result(float out[NET_OUTPUTS], const struct player *player, int winner, int level,
                   int seat)
{
    const bool wins = winner == seat, counts = player->counted > 0;
    const float share = (float)(level - 1) / (float)(counts ? player->counted - 1 : 1);
    const float more = counts ? share : level >= 2 ? 1.0F : 0.0F;

    memset(out, 0, NET_OUTPUTS * sizeof *out);
    if (winner < 0) {
        out[NET_WIN] = 0.5F;
        return;
    }
    out[NET_WIN] = wins ? 1.0F : 0.0F;
    out[wins ? NET_GAMMON : NET_LOSE_GAMMON] = more;
    out[wins ? NET_BACKGAMMON : NET_LOSE_BACKGAMMON] = !counts && level >= 3 ? 1.0F : 0.0F;
}

float player_equity(const struct player *player, const float chances[NET_OUTPUTS])
{
    return player->counted == 0 ? net_equity(chances)
                                : 2.0F * chances[NET_WIN] - 1.0F +
                                      (float)(player->counted - 1) *
                                          (chances[NET_GAMMON] - chances[NET_LOSE_GAMMON]);
}

/* All checkers of this seat are off. */
static void settled(float out[NET_OUTPUTS], const struct player *player,
                    const struct bg_board *board, int seat)
{
    const int winner = player->off_loses ? 1 - seat : seat;

    player_result(out, player, winner, bg_variant_level(player->variant, board, winner), seat);
}

/* A net knows no rules: a larger win is not likelier than a smaller one, and impossible ones have
 * no chance. */
static void tidy(float out[NET_OUTPUTS], const struct player *player, const struct bg_board *board,
                 int seat)
{
    const int level_max = bg_variant_level_max(player->variant);
    const float lose = 1.0F - out[NET_WIN];

    if (level_max < 2 || (player->off_saves && board->at[1 - seat][BG_OFF] > 0)) {
        out[NET_GAMMON] = 0.0F;
    }
    if (level_max < 2 || (player->off_saves && board->at[seat][BG_OFF] > 0)) {
        out[NET_LOSE_GAMMON] = 0.0F;
    }
    if (level_max < 3 || player->counted > 0) {
        out[NET_BACKGAMMON] = out[NET_LOSE_BACKGAMMON] = 0.0F;
    }
    out[NET_GAMMON] = out[NET_GAMMON] < out[NET_WIN] ? out[NET_GAMMON] : out[NET_WIN];
    out[NET_BACKGAMMON] =
        out[NET_BACKGAMMON] < out[NET_GAMMON] ? out[NET_BACKGAMMON] : out[NET_GAMMON];
    out[NET_LOSE_GAMMON] = out[NET_LOSE_GAMMON] < lose ? out[NET_LOSE_GAMMON] : lose;
    out[NET_LOSE_BACKGAMMON] = out[NET_LOSE_BACKGAMMON] < out[NET_LOSE_GAMMON]
                                   ? out[NET_LOSE_BACKGAMMON]
                                   : out[NET_LOSE_GAMMON];
}

bool player_is_race(const struct player *player, const struct bg_board *board)
{
    struct side_points sides[2];

    if (player->encoding.blocks.count == 0) {
        return race_has_begun(board);
    }
    side_look(&sides[0], board->at[0]);
    side_look(&sides[1], board->at[1]);
    return blocks_race(&player->encoding.blocks, sides);
}

static const struct net *net_for(const struct player *player, const struct bg_board *board)
{
    return player->race.weights != NULL && player_is_race(player, board) ? &player->race
                                                                         : &player->net;
}

bool player_sifts(const struct player *player, const struct bg_board *board)
{
    return net_for(player, board) == &player->net;
}

struct net *player_net(struct player *player, const struct bg_board *board)
{
    float chances[NET_OUTPUTS];

    if (net_for(player, board) == &player->net) {
        return &player->net;
    }
    return race_chances(chances, player->bearoff, board, 0) ? NULL : &player->race;
}

/* Sets the chances where they are certain or exact. net: for this position. */
static bool is_known(float out[NET_OUTPUTS], const struct player *player, const struct net *net,
                     const struct bg_board *board, int seat)
{
    if (board->at[seat][BG_OFF] == player->checkers) {
        settled(out, player, board, seat);
        return true;
    }
    return net == &player->race && race_chances(out, player->bearoff, board, seat);
}

void player_chances(float out[NET_OUTPUTS], const struct player *player,
                    const struct bg_board *board, int seat)
{
    const struct net *net = net_for(player, board);
    struct inputs inputs;

    if (is_known(out, player, net, board, seat)) {
        return;
    }
    encode(&inputs, &player->encoding, board, seat);
    net_run(out, net, &inputs);
    tidy(out, player, board, seat);
}

void vantage_begin(struct vantage *out, const struct player *player, const struct bg_board *board,
                   int seat)
{
    struct inputs inputs;

    out->player = player;
    out->net = net_for(player, board);
    encode_base_begin(&out->base, &player->encoding, board, seat);
    encode(&inputs, &player->encoding, board, seat);
    net_near_begin(&out->near, out->net, &inputs);
    out->sifts = player->sieve != NULL && player_sifts(player, board);
    if (out->sifts) {
        sieve_near_begin(&out->coarse, player->sieve, board, seat);
    }
}

void vantage_chances(float out[NET_OUTPUTS], const struct vantage *vantage,
                     const struct bg_board *board)
{
    const struct player *player = vantage->player;
    const struct net *net = net_for(player, board);
    const int seat = vantage->base.seat;
    struct inputs change;

    /* The sums of the near position belong to the other net. */
    if (net != vantage->net) { /* the play has ended the contact */
        player_chances(out, player, board, seat);
        return;
    }
    if (is_known(out, player, net, board, seat)) {
        return;
    }
    encode_change(&change, &player->encoding, &vantage->base, board);
    net_run_near(out, net, &vantage->near, &change);
    tidy(out, player, board, seat);
}
