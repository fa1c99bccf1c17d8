/* Learning without luck: targets against plain sums along a game, and a net that was put wrong. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "polish.h"
#include "selfplay.h"
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
START_TEST(target_is_the_result_without_the_luck)
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
        polish_target(target, mean[i], found[i], target);
    }
    ck_assert_double_eq_tol((double)net_equity(target), plain, 1e-4);
}
END_TEST

static void read_net(struct net *out, const struct player *player, const char *kind)
{
    struct bg_error err = {.text = ""};
    char path[400], name[40];

    snprintf(path, sizeof path, "%s/backgammon%s%s.td", TD_NETS, *kind != '\0' ? "." : "", kind);
    snprintf(name, sizeof name, "backgammon%s%s", *kind != '\0' ? " " : "", kind);
    ck_assert_msg(weights_read(out, name, player->encoding.size, path, &err) == BG_OK, "%s",
                  err.text);
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

/* Every position seems better than it is for who has played it: the luck that is taken out is
 * wrong, but on average there is none, so the results tell. */
START_TEST(what_a_net_overrates_is_put_right_by_the_results)
{
    struct net right, sieve;
    struct player player;
    double before;

    player_begin(&player, bg_variant_find("backgammon"));
    read_net(&player.net, &player, "");
    read_net(&right, &player, "");
    read_net(&player.race, &player, "race");
    read_net(&sieve, &player, "sieve");
    ck_assert_int_eq(sieve_create(&player.sieve, &sieve, &player.encoding, NULL), BG_OK);
    player.net.weights[player.net.count - NET_OUTPUTS + NET_WIN] += 0.4F;
    before = gap_of(&player, &right);
    ck_assert_double_gt(before, 0.05);
    ck_assert_int_eq(polish_net(&player, 25, 2, NULL), BG_OK);
    ck_assert_double_lt(fabs(gap_of(&player, &right)), 0.4 * before);
    net_destroy(&player.net);
    net_destroy(&player.race);
    net_destroy(&right);
    net_destroy(&sieve);
    sieve_destroy(player.sieve);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("polish");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_test(tests, target_is_the_result_without_the_luck);
    tcase_add_test(tests, what_a_net_overrates_is_put_right_by_the_results);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
