/* The sieve of td against its net's own plain run; the plays that are kept against a plain sort and
 * against the full net. */
#include <bgref/evaluate.h>
#include <math.h>
#include <string.h>

#include "chance.h"
#include "choice.h"
#include "support/suite.h"
#include "weights.h"

enum { PLACES = 60 };

static struct bg_play_list plays;

static void prepare(struct player *player)
{
    player_begin(player, bg_variant_find("backgammon"));
    ck_assert_int_eq(net_create(&player->net, player->encoding.size, 32, NET_SIGMOID, 5, NULL),
                     BG_OK);
}

static void read_nets(struct player *player, struct net *sieve)
{
    player_begin(player, bg_variant_find("backgammon"));
    assert_ok(weights_read(&player->net, "backgammon", player->encoding.size,
                           TD_NETS "/backgammon.td", &error));
    assert_ok(weights_read(&player->race, "backgammon race", player->encoding.size,
                           TD_NETS "/backgammon.race.td", &error));
    assert_ok(weights_read(sieve, "backgammon sieve", player->encoding.size,
                           TD_NETS "/backgammon.sieve.td", &error));
    assert_ok(sieve_create(&player->sieve, sieve, &player->encoding, &error));
}

static void finish(struct player *player)
{
    net_destroy(&player->net);
    net_destroy(&player->race);
    sieve_destroy(player->sieve);
}

/* Plays at random from the start. */
static void wander(struct bg_board *board, int *seat, const struct bg_variant *variant,
                   struct chance *chance)
{
    struct bg_stage stage = bg_stage_of_roll(variant, bg_roll_at(chance_below(chance, BG_ROLLS)));

    bg_play_list(&plays, variant, board, *seat, &stage);
    if (plays.count > 0) {
        bg_play_make(board, variant, board, *seat,
                     &plays.play[chance_below(chance, (int)plays.count)]);
    }
    *seat = 1 - *seat;
    if (board->at[0][BG_OFF] > 0 || board->at[1][BG_OFF] > 0) {
        bg_variant_setup(board, variant);
    }
}

TEST(a_sieve_is_its_net_without_counts)
{
    struct player player;
    struct net net;
    struct bg_board board;
    struct chance chance;
    int seat = 0, compared = 0;

    read_nets(&player, &net);
    chance_begin(&chance, 3);
    bg_variant_setup(&board, player.variant);
    for (int i = 0; i < PLACES; i++, wander(&board, &seat, player.variant, &chance)) {
        struct bg_stage stage = bg_stage_of_roll(player.variant, bg_roll_at(i % BG_ROLLS));
        struct sieve_near near;

        sieve_near_begin(&near, player.sieve, &board, seat);
        bg_play_list(&plays, player.variant, &board, seat, &stage);
        for (size_t k = 0; k < plays.count; k++, compared++) {
            float found[NET_OUTPUTS], plain[NET_OUTPUTS];
            struct bg_board after;
            struct inputs inputs;

            bg_play_make(&after, player.variant, &board, seat, &plays.play[k]);
            encode(&inputs, &player.encoding, &after, seat);
            sieve_inputs(&inputs, &player.encoding);
            net_run(plain, &net, &inputs);
            sieve_chances(found, &near, &after);
            for (int o = 0; o < NET_OUTPUTS; o++) {
                ck_assert_float_eq_tol(found[o], plain[o], 2e-5F);
            }
        }
    }
    ck_assert_int_gt(compared, 500);
    net_destroy(&net);
    finish(&player);
}

/* By the sieve's own values: nothing left out is better than anything kept. */
static void check_kept(const struct choice *choice, const struct vantage *vantage,
                       const struct worth *worth)
{
    double least = 1e9, most = -1e9;

    for (size_t k = 0; k < plays.count; k++) {
        float chances[NET_OUTPUTS];
        struct bg_board after;
        double value = 0.0;
        bool kept = false;

        bg_play_make(&after, vantage->player->variant, &vantage->base.board, vantage->base.seat,
                     &plays.play[k]);
        sieve_chances(chances, &vantage->coarse, &after);
        for (int o = 0; o < NET_OUTPUTS; o++) {
            value += (double)(chances[o] * worth->of[o]);
        }
        for (int i = 0; i < choice->count; i++) {
            kept = kept || choice->play[i] == k;
        }
        least = kept && value < least ? value : least;
        most = !kept && value > most ? value : most;
    }
    ck_assert_double_ge(least, most - 1e-6);
}

TEST(the_best_of_the_sieve_are_kept_in_the_lists_order)
{
    const struct worth gammons_are_nothing = {{2.0F, 0.0F, 0.0F, 0.0F, 0.0F}};
    struct player player;
    struct net net;
    struct bg_board board;
    struct chance chance;
    int seat = 0, sifted = 0;

    read_nets(&player, &net);
    chance_begin(&chance, 8);
    bg_variant_setup(&board, player.variant);
    for (int i = 0; i < PLACES; i++, wander(&board, &seat, player.variant, &chance)) {
        const struct worth *worth = i % 2 == 0 ? &WORTH_MONEY : &gammons_are_nothing;
        const int kept = i % 4 < 2 ? CHOICE_MOST : CHOICE_FEW;
        struct bg_stage stage = bg_stage_of_roll(player.variant, bg_roll_at(i % BG_ROLLS));
        struct vantage vantage;
        struct choice choice;

        vantage_begin(&vantage, &player, &board, seat);
        bg_play_list(&plays, player.variant, &board, seat, &stage);
        choice_find(&choice, &vantage, &plays, worth, kept);
        ck_assert_int_eq(choice.count, (int)plays.count < kept ? (int)plays.count : kept);
        for (int k = 1; k < choice.count; k++) {
            ck_assert_int_gt(choice.play[k], choice.play[k - 1]);
        }
        check_kept(&choice, &vantage, worth);
        sifted += (int)plays.count > kept;
    }
    ck_assert_int_gt(sifted, 10);
    net_destroy(&net);
    finish(&player);
}

TEST(without_a_sieve_every_play_is_valued)
{
    struct player player;
    struct bg_stage stage;
    struct vantage vantage;
    struct choice choice;
    struct bg_board board;

    prepare(&player);
    stage = bg_stage_of_roll(player.variant, bg_roll_at(0));
    bg_variant_setup(&board, player.variant);
    vantage_begin(&vantage, &player, &board, 0);
    bg_play_list(&plays, player.variant, &board, 0, &stage);
    choice_find(&choice, &vantage, &plays, &WORTH_MONEY, CHOICE_MOST);
    ck_assert_uint_gt(plays.count, CHOICE_MOST);
    ck_assert_int_eq(choice.count, (int)plays.count);
    finish(&player);
}

/* The net's best play by a plain search, over all plays: what the sieve costs in points a roll. */
TEST(the_shipped_sieve_keeps_the_best_play)
{
    enum { ROLLS = 2000 };
    struct player player;
    struct net net;
    struct bg_board board;
    struct chance chance;
    double lost = 0.0;
    int seat = 0, missed = 0;

    read_nets(&player, &net);
    chance_begin(&chance, 21);
    bg_variant_setup(&board, player.variant);
    for (int i = 0; i < ROLLS; i++) {
        struct bg_stage stage =
            bg_stage_of_roll(player.variant, bg_roll_at(chance_below(&chance, BG_ROLLS)));
        struct vantage vantage;
        struct choice choice;
        struct bg_board next = board;
        float best = -9.0F, kept = -9.0F;

        vantage_begin(&vantage, &player, &board, seat);
        bg_play_list(&plays, player.variant, &board, seat, &stage);
        choice_find(&choice, &vantage, &plays, &WORTH_MONEY, CHOICE_MOST);
        for (size_t k = 0; k < plays.count; k++) {
            float chances[NET_OUTPUTS], value;
            struct bg_board after;
            bool is_kept = false;

            bg_play_make(&after, player.variant, &board, seat, &plays.play[k]);
            player_chances(chances, &player, &after, seat);
            value = net_equity(chances);
            for (int c = 0; c < choice.count; c++) {
                is_kept = is_kept || choice.play[c] == k;
            }
            next = value > best ? after : next;
            best = value > best ? value : best;
            kept = is_kept && value > kept ? value : kept;
        }
        missed += plays.count > 0 && kept < best;
        lost += plays.count > 0 ? (double)(best - kept) : 0.0;
        board = next;
        seat = 1 - seat;
        if (board.at[0][BG_OFF] > 0 || board.at[1][BG_OFF] > 0) {
            bg_variant_setup(&board, player.variant);
        }
    }
    ck_assert_double_lt(lost / ROLLS, 0.0005);
    ck_assert_int_lt(missed, ROLLS / 50);
    net_destroy(&net);
    finish(&player);
}

TEST(a_sieve_of_another_size_is_refused)
{
    struct player player;
    struct sieve *sieve = NULL;

    prepare(&player); /* 32 sigmoid units, but with other inputs */
    player.net.inputs--;
    ck_assert_int_eq(sieve_create(&sieve, &player.net, &player.encoding, &error), BG_E_CONFIG);
    player.net.inputs++;
    player.net.units = NET_SOFTSIGN;
    ck_assert_int_eq(sieve_create(&sieve, &player.net, &player.encoding, &error), BG_E_CONFIG);
    ck_assert_ptr_null(sieve);
    ck_assert_ptr_nonnull(strstr(error.text, "sigmoid"));
    finish(&player);
}
