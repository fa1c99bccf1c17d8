/* CPU time of td's turn of backgammon: all plays of all 21 rolls of a position valued by the net,
 * as a judge asks for, one position after the other of games that the net plays with itself.
 *
 *     bench_td NET.td [RUNS]
 */
#include <bgref/evaluate.h>
#include <bgref/play.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chance.h"
#include "choice.h"
#include "weights.h"
#include "timing.h"

enum { POSITIONS = 400, RUNS_MAX = 99 };

struct place {
    struct bg_board board;
    int seat;
};

static struct place places[POSITIONS];
static struct bg_play_list plays;

/* Returns the number of plays; *board becomes the one after the best. */
static size_t play_best(struct bg_board *board, const struct vantage *vantage,
                        const struct bg_roll roll)
{
    const struct bg_variant *variant = vantage->player->variant;
    struct bg_stage stage = bg_stage_of_roll(variant, roll);
    struct bg_board best = *board;
    struct choice choice;
    float most = 0.0F;

    bg_play_list(&plays, variant, board, vantage->base.seat, &stage);
    choice_find(&choice, vantage, &plays, &WORTH_MONEY, CHOICE_MOST);
    for (int i = 0; i < choice.count; i++) {
        float chances[NET_OUTPUTS];
        struct bg_board after;

        bg_play_make(&after, variant, board, vantage->base.seat, &plays.play[choice.play[i]]);
        vantage_chances(chances, vantage, &after);
        if (i == 0 || net_equity(chances) > most) {
            most = net_equity(chances);
            best = after;
        }
    }
    *board = best;
    return plays.count;
}

static void fill(const struct player *player)
{
    struct chance chance;
    struct bg_board board;
    int seat = 0;

    chance_begin(&chance, 1);
    bg_variant_setup(&board, player->variant);
    for (int i = 0; i < POSITIONS; i++, seat = 1 - seat) {
        struct vantage vantage;

        if (board.at[0][BG_OFF] == player->checkers || board.at[1][BG_OFF] == player->checkers) {
            bg_variant_setup(&board, player->variant);
        }
        places[i] = (struct place){board, seat};
        vantage_begin(&vantage, player, &board, seat);
        play_best(&board, &vantage, bg_roll_at(chance_below(&chance, BG_ROLLS)));
    }
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Returns microseconds a position; *valued: plays of all of them. */
static double run(size_t *valued, const struct player *player)
{
    const double begin = now_us();

    *valued = 0;
    for (int i = 0; i < POSITIONS; i++) {
        struct vantage vantage;

        vantage_begin(&vantage, player, &places[i].board, places[i].seat);
        for (int roll = 0; roll < BG_ROLLS; roll++) {
            struct bg_board board = places[i].board;

            *valued += play_best(&board, &vantage, bg_roll_at(roll));
        }
    }
    return (now_us() - begin) / POSITIONS;
}

/* Without a file of it the plays are not sifted. */
static enum bg_status read_sieve(struct player *player, const char *path, struct bg_error *err)
{
    struct net net = {.inputs = 0};
    enum bg_status status = BG_OK;
    char beside[1000];

    weights_path(beside, sizeof beside, path, WEIGHTS_SIEVE);
    if (access(beside, F_OK) == 0) {
        status =
            weights_read(&net, "backgammon " WEIGHTS_SIEVE, player->encoding.size, beside, err);
    }
    if (status == BG_OK && net.weights != NULL) {
        status = sieve_create(&player->sieve, &net, &player->encoding, err);
    }
    net_destroy(&net);
    return status;
}

int main(int argc, char **argv)
{
    static struct player player;
    const int runs = argc > 2 ? atoi(argv[2]) : 15;
    double us[RUNS_MAX];
    struct bg_error err;
    size_t valued;

    if (argc < 2 || runs < 5 || runs > RUNS_MAX) {
        fprintf(stderr, "bench_td NET.td [RUNS]; runs: 5 to %d\n", RUNS_MAX);
        return 2;
    }
    player_begin(&player, bg_variant_find("backgammon"));
    if (weights_read(&player.net, "backgammon", player.encoding.size, argv[1], &err) != BG_OK ||
        read_sieve(&player, argv[1], &err) != BG_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    fill(&player);
    run(&valued, &player); /* warm */
    for (int i = 0; i < runs; i++) {
        us[i] = run(&valued, &player);
    }
    qsort(us, (size_t)runs, sizeof us[0], compare);
    printf("net                   %d inputs, %d hidden\n", player.net.inputs, player.net.hidden);
    printf("plays a turn          %.0f (21 rolls)\n", (double)valued / POSITIONS);
    printf("us a turn             %.0f median, %.0f fastest, %.0f slowest of %d runs\n",
           us[runs / 2], us[0], us[runs - 1], runs);
    printf("ns a play             %.0f\n", us[runs / 2] * 1e3 * POSITIONS / (double)valued);
    net_destroy(&player.net);
    sieve_destroy(player.sieve);
    return 0;
}
