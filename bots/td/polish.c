#include "polish.h"

#include <bgref/evaluate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "choice.h"

enum {
    TURNS = 1000, /* of a game; a longer one ends there */
    ROUNDS = 6,   /* times that every position is learned */
    EVERY = 500   /* positions from one set of weights in the mean to the next */
};

static const double RANDOM = 0.02; /* share of plays that are random */
static const float RATE_BEGIN = 0.003F, RATE_END = 0.002F;

struct turn {
    struct inputs inputs;     /* after the play */
    float mean[NET_OUTPUTS];  /* of the best plays of all rolls */
    float found[NET_OUTPUTS]; /* of the best play of the roll that came */
    bool is_random;           /* another play was made */
};

struct sample {
    size_t start; /* of its inputs */
    int count;
    float target[NET_OUTPUTS];
};

struct polish {
    struct player *player;
    struct chance chance;
    struct turn turn[TURNS]; /* of a game */
    int turns;
    struct sample *samples; /* owned */
    size_t count, room;
    uint16_t *index; /* owned; inputs of all samples */
    float *value;    /* owned */
    size_t used, inputs_room;
};

/* ---- a game ---- */

/* Sets the chances after the best play of a list from the vantage, and returns its number; without
 * a play those of the position as it stands, and 0. */
static int best_play(float out[NET_OUTPUTS], const struct vantage *vantage,
                     const struct bg_play_list *plays)
{
    struct choice choice;
    int best = 0;

    choice_find(&choice, vantage, plays, &WORTH_MONEY);
    if (choice.count == 0) {
        vantage_chances(out, vantage, &vantage->base.board);
    }
    for (int i = 0; i < choice.count; i++) {
        float chances[NET_OUTPUTS];
        struct bg_board after;

        bg_play_make(&after, vantage->player->variant, &vantage->base.board, vantage->base.seat,
                     &plays->play[choice.play[i]]);
        vantage_chances(chances, vantage, &after);
        if (i == 0 || net_equity(chances) > net_equity(out)) {
            memcpy(out, chances, sizeof chances);
            best = choice.play[i];
        }
    }
    return best;
}

static void find_mean(float out[NET_OUTPUTS], const struct vantage *vantage)
{
    const struct bg_variant *variant = vantage->player->variant;
    static struct bg_play_list plays; /* large; used only within this call */

    memset(out, 0, NET_OUTPUTS * sizeof *out);
    for (int i = 0; i < BG_ROLLS; i++) {
        const float weight = (float)bg_roll_weight(i) / 36.0F;
        const struct bg_stage stage = bg_stage_of_roll(variant, bg_roll_at(i));
        float best[NET_OUTPUTS];

        bg_play_list(&plays, variant, &vantage->base.board, vantage->base.seat, &stage);
        best_play(best, vantage, &plays);
        for (int o = 0; o < NET_OUTPUTS; o++) {
            out[o] += weight * best[o];
        }
    }
}

/* Plays a turn from *board and notes it. Returns whether the net is for the position after it. */
static bool play_turn(struct bg_board *board, struct polish *polish, int seat, struct bg_roll roll)
{
    static struct bg_play_list plays; /* large; used only within this call */
    struct player *player = polish->player;
    const struct bg_stage stage = bg_stage_of_roll(player->variant, roll);
    struct turn *turn = &polish->turn[polish->turns++];
    struct vantage vantage;
    int chosen;

    vantage_begin(&vantage, player, board, seat);
    find_mean(turn->mean, &vantage);
    bg_play_list(&plays, player->variant, board, seat, &stage);
    chosen = best_play(turn->found, &vantage, &plays);
    turn->is_random = chance_real(&polish->chance) < RANDOM;
    if (turn->is_random) {
        chosen = chance_below(&polish->chance, (int)plays.count);
    }
    if (plays.count > 0) {
        bg_play_make(board, player->variant, &vantage.base.board, seat, &plays.play[chosen]);
    }
    encode(&turn->inputs, &player->encoding, board, seat);
    return player_sifts(player, board);
}

static struct bg_roll throw_dice(struct chance *chance)
{
    const uint8_t one = (uint8_t)(1 + chance_below(chance, 6));
    const uint8_t two = (uint8_t)(1 + chance_below(chance, 6));

    return one > two ? (struct bg_roll){{one, two, 0}} : (struct bg_roll){{two, one, 0}};
}

static void play_game(struct polish *polish)
{
    struct bg_roll roll = throw_dice(&polish->chance);
    struct bg_board board;
    int seat = 0;
    bool goes_on;

    bg_variant_setup(&board, polish->player->variant);
    while (roll.die[0] == roll.die[1]) {
        roll = throw_dice(&polish->chance);
    }
    polish->turns = 0;
    do {
        goes_on = play_turn(&board, polish, seat, roll) && polish->turns < TURNS;
        roll = throw_dice(&polish->chance);
        seat = 1 - seat;
    } while (goes_on);
}

/* ---- what is learned ---- */

void polish_target(float out[NET_OUTPUTS], const float mean[NET_OUTPUTS],
                   const float found[NET_OUTPUTS], const float target[NET_OUTPUTS])
{
    for (int o = 0; o < NET_OUTPUTS; o++) {
        out[o] = mean[o] + target[o] - found[o];
    }
    net_swap(out, out);
}

static enum bg_status no_room(struct bg_error *err)
{
    return bg_error_set(err, BG_E_MEMORY, "positions to polish a net");
}

static enum bg_status make_room_for_inputs(struct polish *polish, size_t room, struct bg_error *err)
{
    uint16_t *index = realloc(polish->index, room * sizeof *index);
    float *value;

    if (index == NULL) {
        return no_room(err);
    }
    polish->index = index;
    value = realloc(polish->value, room * sizeof *value);
    if (value == NULL) {
        return no_room(err);
    }
    polish->value = value;
    polish->inputs_room = room;
    return BG_OK;
}

/* Makes room for the samples of one more game. */
static enum bg_status make_room(struct polish *polish, struct bg_error *err)
{
    const size_t inputs = polish->used + (size_t)TURNS * ENCODE_MOST;

    if (polish->count + TURNS > polish->room) {
        const size_t room = 2 * (polish->count + TURNS);
        struct sample *samples = realloc(polish->samples, room * sizeof *samples);

        if (samples == NULL) {
            return no_room(err);
        }
        polish->samples = samples;
        polish->room = room;
    }
    return inputs <= polish->inputs_room ? BG_OK : make_room_for_inputs(polish, 2 * inputs, err);
}

static void keep_sample(struct polish *polish, const struct inputs *inputs,
                        const float target[NET_OUTPUTS])
{
    struct sample *sample = &polish->samples[polish->count++];
    const size_t count = (size_t)inputs->count;

    *sample = (struct sample){.start = polish->used, .count = inputs->count};
    memcpy(sample->target, target, sizeof sample->target);
    memcpy(polish->index + polish->used, inputs->index, count * sizeof *inputs->index);
    memcpy(polish->value + polish->used, inputs->value, count * sizeof *inputs->value);
    polish->used += count;
}

/* Keeps the positions of the game, the last first; the one after the last turn is not for this
 * net. A random play ends what is known of the turns before it. */
static void keep_game(struct polish *polish)
{
    float target[NET_OUTPUTS];

    for (int i = polish->turns - 2; i >= 0; i--) {
        const struct turn *next = &polish->turn[i + 1];
        const bool ends = next->is_random || i == polish->turns - 2;

        polish_target(target, next->mean, next->found, ends ? next->found : target);
        keep_sample(polish, &polish->turn[i].inputs, target);
    }
}

static void shuffle(struct polish *polish)
{
    for (size_t i = polish->count; i > 1; i--) {
        const size_t other = (size_t)(chance_real(&polish->chance) * (double)i);
        const struct sample sample = polish->samples[i - 1];

        polish->samples[i - 1] = polish->samples[other];
        polish->samples[other] = sample;
    }
}

static void learn_sample(const struct polish *polish, size_t number, float rate)
{
    const struct sample *sample = &polish->samples[number];
    const size_t count = (size_t)sample->count;
    struct inputs inputs;

    inputs.count = sample->count;
    memcpy(inputs.index, polish->index + sample->start, count * sizeof *inputs.index);
    memcpy(inputs.value, polish->value + sample->start, count * sizeof *inputs.value);
    net_learn(&polish->player->net, &inputs, sample->target, rate);
}

/* sum: of the weights, as many as the net has, 0 at first. */
static void learn(struct polish *polish, double *sum)
{
    struct net *net = &polish->player->net;
    const size_t all = ROUNDS * polish->count;
    size_t summed = 0;

    for (size_t i = 0; i < all; i++) {
        if (i % polish->count == 0) {
            shuffle(polish);
        }
        learn_sample(polish, i % polish->count,
                     RATE_BEGIN * powf(RATE_END / RATE_BEGIN, (float)i / (float)all));
        if (i >= all / 2 && (i % EVERY == 0 || i + 1 == all)) {
            for (size_t w = 0; w < net->count; w++) {
                sum[w] += (double)net->weights[w];
            }
            summed++;
        }
    }
    for (size_t w = 0; w < net->count && summed > 0; w++) {
        net->weights[w] = (float)(sum[w] / (double)summed);
    }
}

enum bg_status polish_net(struct player *player, long games, uint64_t seed, struct bg_error *err)
{
    struct polish *polish = calloc(1, sizeof *polish);
    double *sum = calloc(player->net.count, sizeof *sum);
    enum bg_status status = BG_OK;

    if (polish == NULL || sum == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "polish of a net");
        goto done;
    }
    polish->player = player;
    chance_begin(&polish->chance, seed);
    for (long game = 0; game < games && status == BG_OK; game++) {
        status = make_room(polish, err);
        if (status == BG_OK) {
            play_game(polish);
            keep_game(polish);
        }
    }
    if (status == BG_OK) {
        learn(polish, sum);
    }
done:
    if (polish != NULL) {
        free(polish->samples);
        free(polish->index);
        free(polish->value);
    }
    free(polish);
    free(sum);
    return status;
}
