/* Learning without luck: targets against plain sums along a game, and a net that was put wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "polish.h"
#include "selfplay.h"
#include "support/suite.h"
#include "weights.h"

enum { TURNS = 9, PLACES = 60 };

static void any_chances(float out[NET_OUTPUTS], struct chance *chance)
{
    for (int o = 0; o < NET_OUTPUTS; o++) {
        out[o] = (float)chance_real(chance);
    }
}

/* What the first position should have been worth is the result less the luck of each roll: summed
 * for one side, without swapping anything. */
TEST(target_is_the_result_without_the_luck)
{
    float mean[TURNS][NET_OUTPUTS], found[TURNS][NET_OUTPUTS], target[NET_OUTPUTS];
    struct chance chance;
    double plain;

    chance_begin(&chance, 3);
    for (int i = 0; i < TURNS; i++) {
        any_chances(mean[i], &chance);
        any_chances(found[i], &chance);
    }
    memcpy(target, found[TURNS - 1], sizeof target); /* the end of the game is known */
    plain = net_equity(found[TURNS - 1]) * ((TURNS - 1) % 2 == 0 ? 1.0F : -1.0F);
    for (int i = TURNS - 1; i >= 1; i--) {
        const double side = i % 2 == 0 ? 1.0 : -1.0;

        plain -= side * (double)(net_equity(found[i]) - net_equity(mean[i]));
        lesson_target(target, mean[i], found[i], target);
    }
    ck_assert_double_eq_tol((double)net_equity(target), plain, 1e-4);
}

static void read_net(struct net *out, const struct player *player, const char *kind)
{
    char path[400], name[40];

    snprintf(path, sizeof path, "%s/backgammon%s%s.td", TD_NETS, *kind != '\0' ? "." : "", kind);
    snprintf(name, sizeof name, "backgammon%s%s", *kind != '\0' ? " " : "", kind);
    assert_ok(weights_read(out, name, player->encoding.size, path, &error));
}

struct gap {
    const struct player *player;
    const struct net *right;
    struct chance chance;
    double sum;
    int count;
};

/* Plays at random, and adds up how much more the net gives to win than the right one. */
static bool look(void *user, struct bg_board *out, const struct bg_match *match, int seat,
                 const struct bg_play_list *plays)
{
    struct gap *gap = user;
    float chances[NET_OUTPUTS], right[NET_OUTPUTS];
    struct inputs inputs;

    bg_play_make(out, gap->player->variant, &match->board, seat,
                 &plays->play[chance_below(&gap->chance, (int)plays->count)]);
    if (!player_sifts(gap->player, out)) {
        return false;
    }
    encode(&inputs, &gap->player->encoding, out, seat);
    net_run(chances, &gap->player->net, &inputs);
    net_run(right, gap->right, &inputs);
    gap->sum += (double)(chances[NET_WIN] - right[NET_WIN]);
    return ++gap->count < PLACES;
}

static double gap_of(const struct player *player, const struct net *right)
{
    struct gap gap = {.player = player, .right = right};
    struct bg_match match;

    chance_begin(&gap.chance, 8);
    selfplay_play(&match, player, &gap.chance, look, &gap);
    return gap.sum / gap.count;
}

static void begin_player(struct player *player)
{
    static struct bearoff *bearoff; /* mapped until the program ends */
    struct net sieve;

    player_begin(player, bg_variant_find("backgammon"));
    if (bearoff == NULL) {
        ck_assert_int_eq(bearoff_open(&bearoff, TD_NETS "/bear-off.values", BEAROFF_POINTS, NULL),
                         BG_OK);
    }
    player->bearoff = bearoff;
    read_net(&player->net, player, "");
    read_net(&player->race, player, "race");
    read_net(&sieve, player, "sieve");
    ck_assert_int_eq(sieve_create(&player->sieve, &sieve, &player->encoding, NULL), BG_OK);
    net_destroy(&sieve);
}

static void end_player(struct player *player)
{
    net_destroy(&player->net);
    net_destroy(&player->race);
    sieve_destroy(player->sieve);
}

/* The share of the games that a worker plays changes nothing, so the same recipe gives the same
 * bytes on a machine with more processors. */
TEST(workers_do_not_change_the_lessons)
{
    struct lesson_plan plan = {.games = 7, .seed = 5, .workers = 1};
    struct lessons by_one = {.count = 0}, by_three = {.count = 0};
    struct player player;

    begin_player(&player);
    ck_assert_int_eq(lessons_play(&by_one, &player, &plan, NULL), BG_OK);
    plan.workers = 3;
    ck_assert_int_eq(lessons_play(&by_three, &player, &plan, NULL), BG_OK);
    ck_assert_uint_gt(by_one.count, 100);
    ck_assert_uint_eq(by_three.count, by_one.count);
    ck_assert_mem_eq(by_three.at, by_one.at, by_one.count * sizeof *by_one.at);
    free(by_one.at);
    free(by_three.at);
    end_player(&player);
}

/* A game is the same whatever others are played, and another number is another game. */
TEST(every_game_has_dice_of_its_own)
{
    struct lesson_plan plan = {.games = 1, .seed = 5, .workers = 1};
    struct lessons first = {.count = 0}, three = {.count = 0}, third = {.count = 0};
    struct player player;

    begin_player(&player);
    ck_assert_int_eq(lessons_play(&first, &player, &plan, NULL), BG_OK);
    plan.first = 2;
    ck_assert_int_eq(lessons_play(&third, &player, &plan, NULL), BG_OK);
    plan.first = 0;
    plan.games = 3;
    ck_assert_int_eq(lessons_play(&three, &player, &plan, NULL), BG_OK);
    ck_assert_uint_gt(three.count, first.count + third.count);
    ck_assert_mem_eq(three.at, first.at, first.count * sizeof *first.at);
    ck_assert_mem_eq(&three.at[three.count - third.count], third.at,
                     third.count * sizeof *third.at);
    ck_assert_mem_ne(third.at, first.at, 5 * sizeof *first.at); /* of the same kind */
    free(first.at);
    free(three.at);
    free(third.at);
    end_player(&player);
}

/* Every position seems better than it is for who has played it: the luck that is taken out is
 * wrong, but on average there is none, so the results tell. */
TEST(what_a_net_overrates_is_put_right_by_the_results)
{
    const struct lesson_plan plan = {.games = 60, .seed = 2, .workers = 2};
    struct player player;
    struct net right;
    double before;

    begin_player(&player);
    read_net(&right, &player, "");
    player.net.weights[player.net.count - NET_OUTPUTS + NET_WIN] += 0.4F;
    before = gap_of(&player, &right);
    ck_assert_double_gt(before, 0.05);
    ck_assert_int_eq(polish_net(&player, &plan, 1, NULL), BG_OK);
    ck_assert_double_lt(fabs(gap_of(&player, &right)), 0.4 * before);
    net_destroy(&right);
    end_player(&player);
}

/* The slopes are what learning moves the weights by. */
TEST(slopes_are_a_step_of_learning)
{
    const float target[NET_OUTPUTS] = {0.7F, 0.2F, 0.1F, 0.1F, 0.0F}, rate = 0.01F;
    struct inputs inputs;
    struct player player;
    struct bg_board board;
    struct net learned;
    float *slopes;

    begin_player(&player);
    read_net(&learned, &player, "");
    slopes = calloc(learned.count, sizeof *slopes);
    ck_assert_ptr_nonnull(slopes);
    bg_variant_setup(&board, player.variant);
    encode(&inputs, &player.encoding, &board, 0);
    net_slopes(slopes, &player.net, &inputs, target);
    net_learn(&learned, &inputs, target, rate);
    for (size_t i = 0; i < learned.count; i++) {
        ck_assert_float_eq_tol(player.net.weights[i] + rate * slopes[i], learned.weights[i], 1e-5F);
    }
    ck_assert_float_gt(fabsf(slopes[learned.count - NET_OUTPUTS]), 0.0F);
    free(slopes);
    net_destroy(&learned);
    end_player(&player);
}
