/* td's nets: against a plain loop, against finite differences, in files, and that they learn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "selfplay.h"
#include "weights.h"

#include "support/suite.h"

enum { INPUTS = 40, HIDDEN = 96 /* a block of 64 and two of 16 */ };

static struct inputs some_inputs(struct chance *chance)
{
    struct inputs inputs = {.count = 0};

    for (int i = 0; i < INPUTS; i++) {
        if (chance_below(chance, 3) == 0) {
            inputs.index[inputs.count] = (uint16_t)i;
            inputs.value[inputs.count++] = (float)(chance_real(chance) * 2.0 - 0.5);
        }
    }
    return inputs;
}

static enum net_units units_of(int i)
{
    return i % 2 == 0 ? NET_SOFTSIGN : NET_SIGMOID;
}

/* The weights by their documented order: inputs, biases, outputs, biases. */
static double weight(const struct net *net, int input, int hidden)
{
    return (double)net->weights[input * HIDDEN + hidden];
}

static void plain_run(double out[NET_OUTPUTS], const struct net *net, const struct inputs *inputs)
{
    double unit[HIDDEN];

    for (int h = 0; h < HIDDEN; h++) {
        double sum = weight(net, INPUTS, h);

        for (int i = 0; i < inputs->count; i++) {
            sum += (double)inputs->value[i] * weight(net, inputs->index[i], h);
        }
        unit[h] = net->units == NET_SIGMOID ? 1.0 / (1.0 + exp(-sum)) : sum / (1.0 + fabs(sum));
    }
    for (int o = 0; o < NET_OUTPUTS; o++) {
        double sum = (double)net->weights[(INPUTS + 1 + NET_OUTPUTS) * HIDDEN + o];

        for (int h = 0; h < HIDDEN; h++) {
            sum += unit[h] * weight(net, INPUTS + 1 + o, h);
        }
        out[o] = 1.0 / (1.0 + exp(-sum));
    }
}

TEST_LOOP(a_plain_loop_agrees, 0, 4)
{
    struct chance chance;
    struct net net;

    chance_begin(&chance, (uint64_t)_i);
    ck_assert_int_eq(net_create(&net, INPUTS, HIDDEN, units_of(_i), (uint64_t)_i, NULL), BG_OK);
    for (int round = 0; round < 200; round++) {
        struct inputs inputs = some_inputs(&chance);
        float out[NET_OUTPUTS];
        double plain[NET_OUTPUTS];

        net_run(out, &net, &inputs);
        plain_run(plain, &net, &inputs);
        for (int o = 0; o < NET_OUTPUTS; o++) {
            ck_assert_double_eq_tol((double)out[o], plain[o], 1e-5);
        }
    }
    net_destroy(&net);
}

enum { SIZE_MOST = 1024 };

static void spread(float out[SIZE_MOST], const struct inputs *inputs)
{
    memset(out, 0, SIZE_MOST * sizeof *out);
    for (int i = 0; i < inputs->count; i++) {
        out[inputs->index[i]] = inputs->value[i];
    }
}

static struct inputs difference(const struct inputs *to, const struct inputs *from)
{
    struct inputs change = {.count = 0};
    float there[SIZE_MOST], here[SIZE_MOST];

    spread(there, to);
    spread(here, from);
    for (int i = 0; i < SIZE_MOST; i++) {
        if (there[i] != here[i]) {
            change.index[change.count] = (uint16_t)i;
            change.value[change.count++] = there[i] - here[i];
        }
    }
    return change;
}

TEST_LOOP(a_value_found_from_nearby_is_the_same, 0, 4)
{
    struct chance chance;
    struct net net;

    chance_begin(&chance, (uint64_t)_i);
    ck_assert_int_eq(net_create(&net, INPUTS, HIDDEN, units_of(_i), (uint64_t)_i, NULL), BG_OK);
    for (int round = 0; round < 200; round++) {
        struct inputs from = some_inputs(&chance), to = some_inputs(&chance), change;
        struct net_near near;
        float out[NET_OUTPUTS];
        double plain[NET_OUTPUTS];

        net_near_begin(&near, &net, &from);
        change = difference(&to, &from);
        net_run_near(out, &net, &near, &change);
        plain_run(plain, &net, &to);
        for (int o = 0; o < NET_OUTPUTS; o++) {
            ck_assert_double_eq_tol((double)out[o], plain[o], 1e-5);
        }
    }
    net_destroy(&net);
}

static double cross_entropy(const struct net *net, const struct inputs *inputs,
                            const float target[NET_OUTPUTS])
{
    double out[NET_OUTPUTS], sum = 0.0;

    plain_run(out, net, inputs);
    for (int o = 0; o < NET_OUTPUTS; o++) {
        double t = (double)target[o];

        sum -= t * log(out[o]) + (1.0 - t) * log(1.0 - out[o]);
    }
    return sum;
}

TEST_LOOP(a_step_goes_down_the_gradient, 0, 2)
{
    static const float target[NET_OUTPUTS] = {0.9F, 0.3F, 0.0F, 0.6F, 0.1F};
    const float rate = 1e-3F, small = 1e-3F;
    struct chance chance;
    struct inputs inputs;
    struct net net, moved;

    chance_begin(&chance, 5);
    inputs = some_inputs(&chance);
    ck_assert_int_eq(net_create(&net, INPUTS, HIDDEN, units_of(_i), 3, NULL), BG_OK);
    ck_assert_int_eq(net_create(&moved, INPUTS, HIDDEN, units_of(_i), 3, NULL), BG_OK);
    net_learn(&moved, &inputs, target, rate);
    for (size_t i = 0; i < net.count; i++) {
        float kept = net.weights[i];
        double up, down, slope;

        net.weights[i] = kept + small;
        up = cross_entropy(&net, &inputs, target);
        net.weights[i] = kept - small;
        down = cross_entropy(&net, &inputs, target);
        net.weights[i] = kept;
        slope = (up - down) / (2.0 * (double)small);
        ck_assert_double_eq_tol((double)(moved.weights[i] - kept) / (double)rate, -slope, 2e-3);
    }
    net_destroy(&net);
    net_destroy(&moved);
}

/* ------------------------------------------------------------------------ positions */

static int games(void)
{
    int count = 0;

    while (bg_variant_at(count) != NULL) {
        count++;
    }
    return count;
}

TEST_LOOP(both_sides_are_seen_alike, 0, games())
{
    const struct bg_variant *variant = bg_variant_at(_i);
    struct chance chance;
    struct bg_board board, turned;
    struct encoding encoding;

    encoding_begin(&encoding, variant);
    chance_begin(&chance, (uint64_t)_i + 1);
    bg_variant_setup(&board, variant);
    for (int move = 0; move < 300; move++) {
        struct inputs own, other;
        int seat = move % 2, from = 1 + chance_below(&chance, BG_HAND);
        int to = chance_below(&chance, BG_BAR);

        if (board.at[seat][from] > 0) {
            board.at[seat][from]--;
            board.at[seat][to]++;
        }
        bg_board_swap(&turned, &board);
        encode(&own, &encoding, &board, 0);
        encode(&other, &encoding, &turned, 1);
        ck_assert_int_eq(own.count, other.count);
        ck_assert_int_lt(own.count, ENCODE_MOST);
        for (int i = 0; i < own.count; i++) {
            ck_assert_int_eq(own.index[i], other.index[i]);
            ck_assert(own.value[i] == other.value[i]);
            ck_assert_int_lt(own.index[i], encoding.size);
        }
    }
}

static void move_at_random(struct bg_board *board, struct chance *chance)
{
    int seat = chance_below(chance, 2), from = 1 + chance_below(chance, BG_HAND);
    int to = chance_below(chance, BG_BAR), pin = 1 + chance_below(chance, BG_POINTS);

    if (board->at[seat][from] > 0) {
        board->at[seat][from]--;
        board->at[seat][to]++;
    }
    if (chance_below(chance, 8) == 0) {
        board->pinned[seat] ^= UINT64_C(1) << pin;
    }
}

TEST_LOOP(a_change_is_what_two_positions_differ_in, 0, games())
{
    struct encoding encoding;
    struct chance chance;
    struct bg_board board;

    encoding_begin(&encoding, bg_variant_at(_i));
    chance_begin(&chance, (uint64_t)_i + 1);
    bg_variant_setup(&board, encoding.variant);
    for (int round = 0; round < 200; round++) {
        struct inputs before, after, change, plain;
        struct encode_base base;
        int seat = round % 2;

        encode(&before, &encoding, &board, seat);
        encode_base_begin(&base, &encoding, &board, seat);
        for (int move = 0; move < 3; move++) {
            move_at_random(&board, &chance);
        }
        encode(&after, &encoding, &board, seat);
        encode_change(&change, &encoding, &base, &board);
        plain = difference(&after, &before);
        ck_assert_int_eq(change.count, plain.count);
        for (int i = 0; i < plain.count; i++) {
            ck_assert_int_eq(change.index[i], plain.index[i]);
            ck_assert(change.value[i] == plain.value[i]);
        }
    }
}

TEST(only_in_misere_the_first_to_be_off_loses)
{
    const struct bg_variant *variant;
    struct player player;

    for (int i = 0; (variant = bg_variant_at(i)) != NULL; i++) {
        player_begin(&player, variant);
        ck_assert_msg(player.off_loses == (strcmp(bg_variant_id(variant), "misere") == 0), "%s",
                      bg_variant_id(variant));
    }
}

TEST(a_finished_game_is_not_guessed)
{
    struct player player;
    struct bg_board board = {.at = {{0}}};
    float out[NET_OUTPUTS];

    player_begin(&player, bg_variant_find("backgammon"));
    ck_assert_int_eq(net_create(&player.net, player.encoding.size, 16, NET_SOFTSIGN, 1, NULL),
                     BG_OK);
    board.at[0][BG_OFF] = 15;
    board.at[1][20] = 15;
    player_chances(out, &player, &board, 0);
    ck_assert(net_equity(out) == 3.0F);
    board.at[1][20] = 0;
    board.at[1][10] = 15;
    player_chances(out, &player, &board, 0);
    ck_assert(net_equity(out) == 2.0F);
    board.at[1][10] = 14;
    board.at[1][BG_OFF] = 1;
    player_chances(out, &player, &board, 0);
    ck_assert(net_equity(out) == 1.0F);
    net_swap(out, out);
    ck_assert(net_equity(out) == -1.0F);
    net_destroy(&player.net);
}

TEST(counted_checkers_are_the_points)
{
    struct player player;
    struct bg_board board = {.at = {{0}}};
    float out[NET_OUTPUTS];

    player_begin(&player, bg_variant_find("acey-deucey"));
    ck_assert_int_eq(player.counted, 15);
    for (int left = 1; left <= 15; left++) {
        board.at[1][BG_OFF] = 15;
        board.at[0][7] = (uint8_t)left;
        board.at[0][BG_OFF] = (uint8_t)(15 - left);
        player_chances(out, &player, &board, 1);
        ck_assert_float_eq_tol(player_equity(&player, out), (float)left, 1e-4F);
        net_swap(out, out);
        ck_assert_float_eq_tol(player_equity(&player, out), -(float)left, 1e-4F);
        player_result(out, &player, 0, left, 1);
        ck_assert_float_eq_tol(player_equity(&player, out), -(float)left, 1e-4F);
    }
    player_result(out, &player, -1, 0, 0);
    ck_assert_float_eq_tol(player_equity(&player, out), 0.0F, 1e-6F);
    player_begin(&player, bg_variant_find("acey-deucey:score=single"));
    ck_assert_int_eq(player.counted, 0);
}

/* ------------------------------------------------------------------------ files */

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/bgref-unit-td-%d", (int)getpid());
}

static void remove_file(void)
{
    (void)unlink(path);
}

static void write_net(void)
{
    struct net net;

    ck_assert_int_eq(net_create(&net, INPUTS, HIDDEN, NET_SIGMOID, 9, NULL), BG_OK);
    ck_assert_int_eq(weights_write(&net, "portes", "by hand", path, NULL), BG_OK);
    net_destroy(&net);
}

TEST_IN(files, a_file_keeps_the_rounded_weights)
{
    struct net net, read;

    write_net();
    ck_assert_int_eq(net_create(&net, INPUTS, HIDDEN, NET_SIGMOID, 9, NULL), BG_OK);
    weights_round(&net);
    ck_assert_int_eq(weights_read(&read, "portes", INPUTS, path, NULL), BG_OK);
    for (size_t i = 0; i < net.count; i++) {
        ck_assert(read.weights[i] == net.weights[i]);
    }
    net_destroy(&net);
    net_destroy(&read);
}

/* Every byte matters, and every length. */
TEST_LOOP_IN(files, a_damaged_file_is_refused_with_the_remedy, 0, 2)
{
    static char bytes[20000];
    struct net net;
    FILE *file;
    long size, words, words_end;

    write_net();
    file = fopen(path, "rb");
    size = (long)fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    words = (long)(strstr(bytes, "recipe") - bytes) + (long)strlen("recipe");
    words_end = words + (long)strcspn(bytes + words, "\n");
    for (long at = 0; at <= size; at += at < 120 ? 1 : 97) {
        bool cut = _i == 0;

        file = fopen(path, "wb");
        bytes[at] ^= cut ? 0 : 4;
        ck_assert_uint_eq(fwrite(bytes, 1, (size_t)(cut ? at : size), file),
                          (size_t)(cut ? at : size));
        bytes[at] ^= cut ? 0 : 4;
        fclose(file);
        if (at == size || (!cut && at >= words && at < words_end)) {
            continue; /* whole; or in the recipe's words, which are for people */
        }
        ck_assert_msg(weights_read(&net, "portes", INPUTS, path, &error) == BG_E_CONFIG, "byte %ld",
                      at);
        ck_assert_ptr_nonnull(strstr(error.text, path));
        ck_assert_ptr_nonnull(strstr(error.text, "bgref-td-train portes"));
    }
}

TEST_IN(files, a_file_for_something_else_is_refused)
{
    struct net net;

    write_net();
    ck_assert_int_eq(weights_read(&net, "tavla", INPUTS, path, &error), BG_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(error.text, "another game"));
    ck_assert_int_eq(weights_read(&net, "portes", INPUTS + 1, path, &error), BG_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(error.text, "other inputs"));
    remove_file();
    ck_assert_int_eq(weights_read(&net, "portes", INPUTS, path, &error), BG_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(error.text, "No such file"));
}

/* ------------------------------------------------------------------------ learning */

static void train_in(struct player *player, const char *variant, long games, uint64_t seed)
{
    const struct recipe recipe = {.games = games,
                                  .rate_begin = 0.05F,
                                  .rate_end = 0.01F,
                                  .lambda_begin = 0.8F,
                                  .lambda_end = 0.5F,
                                  .random = 0.02F};
    struct selfplay *selfplay;

    player_begin(player, bg_variant_find(variant));
    player->names = true;
    ck_assert_int_eq(net_create(&player->net, player->encoding.size, 16, NET_SIGMOID, seed, NULL),
                     BG_OK);
    ck_assert_int_eq(selfplay_create(&selfplay, player, &recipe, seed, NULL), BG_OK);
    for (long game = 0; game < games; game++) {
        selfplay_game(selfplay, game);
    }
    selfplay_destroy(selfplay);
}

static void train(struct player *player, long games, uint64_t seed)
{
    train_in(player, "hypergammon", games, seed);
}

/* 3,000 games against random plays have a standard error of 0.03 points a game. */
TEST(it_learns_and_beats_random_plays)
{
    struct player player;

    train(&player, 3000, 11);
    ck_assert_double_gt(selfplay_against_random(&player, 3000, 5), 0.4);
    net_destroy(&player.net);
}

/* Where checkers are counted, 15 points are the most that a game can give. */
TEST(it_learns_what_counted_checkers_are_worth)
{
    struct player player, again;

    train_in(&player, "acey-deucey", 60, 11);
    ck_assert_double_gt(selfplay_against_random(&player, 40, 5), 5.0);
    train_in(&again, "acey-deucey", 60, 11);
    ck_assert_int_eq(
        memcmp(player.net.weights, again.net.weights, player.net.count * sizeof(float)), 0);
    net_destroy(&player.net);
    net_destroy(&again.net);
}

TEST(the_same_recipe_gives_the_same_weights)
{
    struct player one, other;

    train(&one, 300, 4);
    train(&other, 300, 4);
    ck_assert_uint_eq(one.net.count, other.net.count);
    ck_assert_int_eq(memcmp(one.net.weights, other.net.weights, one.net.count * sizeof(float)), 0);
    net_destroy(&one.net);
    net_destroy(&other.net);
}

void suite_begin(TCase *tests)
{
    tcase_add_checked_fixture(suite_case("files"), name_file, remove_file);
}
