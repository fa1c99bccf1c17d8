/* The sieve learns from positions as it will meet them: all plays of a decision, of which some
 * are taken at random, besides those that are best. Targets are the large net's chances, not
 * results. */
#include "study.h"

#include <math.h>

#include "selfplay.h"

enum { SIEVE_SAMPLES = 3 };

static const float SIEVE_RATE_BEGIN = 0.3F, SIEVE_RATE_END = 0.003F, SIEVE_RANDOM = 0.1F;

struct sieve_study {
    const struct player *player;
    struct net *net;
    struct chance chance;
    float rate;
};

static void learn_one(const struct sieve_study *study, const struct bg_board *board, int seat)
{
    const struct player *player = study->player;
    float target[NET_OUTPUTS];
    struct inputs inputs;

    player_chances(target, player, board, seat);
    encode(&inputs, &player->encoding, board, seat);
    sieve_inputs(&inputs, &player->encoding);
    net_learn(study->net, &inputs, target, study->rate);
}

static bool choose_and_learn(void *user, struct bg_board *out, const struct bg_match *match,
                             int seat, const struct bg_play_list *plays)
{
    struct sieve_study *study = user;
    const struct bg_variant *variant = study->player->variant;
    const int count = (int)plays->count;
    float chances[NET_OUTPUTS];
    int chosen = selfplay_best(chances, study->player, &match->board, seat, plays);
    struct bg_board after;

    bg_play_make(&after, variant, &match->board, seat, &plays->play[chosen]);
    learn_one(study, &after, seat);
    for (int i = 0; i < SIEVE_SAMPLES && count > 1; i++) {
        bg_play_make(&after, variant, &match->board, seat,
                     &plays->play[chance_below(&study->chance, count)]);
        learn_one(study, &after, seat);
    }
    if (chance_real(&study->chance) < (double)SIEVE_RANDOM) {
        chosen = chance_below(&study->chance, count);
    }
    bg_play_make(out, variant, &match->board, seat, &plays->play[chosen]);
    return player_sifts(study->player, out);
}

enum bg_status study_sieve(struct net *out, const struct player *player, long games, uint64_t seed,
                           struct bg_error *err)
{
    struct sieve_study study = {.player = player, .net = out};
    enum bg_status status =
        net_create(out, player->encoding.size, SIEVE_HIDDEN, NET_SIGMOID, seed, err);

    chance_begin(&study.chance, seed);
    for (long game = 0; game < games && status == BG_OK; game++) {
        struct bg_match match;

        study.rate =
            SIEVE_RATE_BEGIN * powf(SIEVE_RATE_END / SIEVE_RATE_BEGIN, (float)game / (float)games);
        selfplay_play(&match, player, &study.chance, choose_and_learn, &study);
    }
    return status;
}
