/* TD(lambda), computed backwards from the end of a game: each position's target is a mix of what
 * the game came to and what the net thought of the next position. Random plays (recipe.random)
 * explore; what followed such a play says nothing of the play before it, so the target is then
 * the best play's value. */
#include "selfplay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 3000 /* of a game; of a longer one the first are forgotten */ };

/* A position after a play. */
struct selfplay_position {
    struct inputs inputs;
    struct net *net;          /* that learns from it; NULL: its chances are exact */
    int seat;                 /* who has played */
    int turn;                 /* of the game: a turn may have several plays */
    float found[NET_OUTPUTS]; /* its chances when it was played */
    float best[NET_OUTPUTS];  /* those of the best play instead */
    bool is_random;
};

struct selfplay {
    struct player *player; /* lent */
    struct recipe recipe;
    struct chance chance;
    struct selfplay_position *positions; /* owned */
    int count;
};

enum bg_status selfplay_create(struct selfplay **out, struct player *player,
                               const struct recipe *recipe, uint64_t seed, struct bg_error *err)
{
    struct selfplay *selfplay = calloc(1, sizeof *selfplay);

    if (selfplay == NULL ||
        (selfplay->positions = calloc(POSITIONS, sizeof *selfplay->positions)) == NULL) {
        free(selfplay);
        return bg_error_set(err, BG_E_MEMORY, "self-play");
    }
    selfplay->player = player;
    selfplay->recipe = *recipe;
    chance_begin(&selfplay->chance, seed);
    *out = selfplay;
    return BG_OK;
}

void selfplay_destroy(struct selfplay *selfplay)
{
    if (selfplay != NULL) {
        free(selfplay->positions);
        free(selfplay);
    }
}

/* ------------------------------------------------------------------------ a game */

static void throw_dice(struct bg_step *step, const struct bg_match *match, struct chance *chance)
{
    for (int i = 0; i < bg_match_dice(match); i++) {
        step->die[i] = (uint8_t)(1 + chance_below(chance, 6));
    }
}

/* Returns the double with the best play. */
static int best_name(const struct player *player, const struct bg_match *match)
{
    static struct bg_play_list plays; /* large; used only within this call */
    const int seat = match->need.seat;
    float most = 0.0F, chances[NET_OUTPUTS];
    int best = 0;

    for (uint8_t number = 1; number <= 6; number++) {
        const struct bg_stage stage = {1, {{number, 4}}};

        bg_play_list(&plays, player->variant, &match->board, seat, &stage);
        if (plays.count == 0) {
            continue;
        }
        (void)selfplay_best(chances, player, &match->board, seat, &plays);
        if (best == 0 || player_equity(player, chances) > most) {
            most = player_equity(player, chances);
            best = number;
        }
    }
    return best == 0 ? 1 : best;
}

/* Everything but plays. */
static void step_other(struct bg_match *match, const struct player *player, struct chance *chance)
{
    struct bg_step step = {.kind = BG_STEP_ROLL, .seat = match->need.seat};

    switch (match->need.kind) {
    case BG_NEED_OPENING:
        step.kind = BG_STEP_OPEN;
        step.seat = -1;
        throw_dice(&step, match, chance);
        break;
    case BG_NEED_KEEP:
        step.kind = BG_STEP_KEEP;
        break;
    case BG_NEED_NAME:
        step.kind = BG_STEP_NAME;
        step.level =
            (uint8_t)(player->names ? best_name(player, match) : 1 + chance_below(chance, 6));
        break;
    default:
        throw_dice(&step, match, chance);
        break;
    }
    (void)bg_match_step(match, &step);
}

void selfplay_play(struct bg_match *match, const struct player *player, struct chance *chance,
                   choose_fn choose, void *user)
{
    static struct bg_play_list plays; /* large; used only within this call */
    struct bg_rules rules = bg_rules_default(player->variant, 0);
    struct bg_board after;
    bool goes_on = true;

    /* Chances are learned without a cube; what a cube makes of them is Janowski's (bkg/cube.c). */
    rules.cube = rules.jacoby = false;
    bg_match_begin(match, &rules);
    while (goes_on && match->need.kind != BG_NEED_NOTHING) {
        if (match->need.kind == BG_NEED_PLAY) {
            int seat = match->need.seat;

            bg_play_list(&plays, player->variant, &match->board, seat, &match->stage);
            goes_on = choose(user, &after, match, seat, &plays);
            bg_match_play_result(match, &after);
        } else {
            step_other(match, player, chance);
        }
    }
}

int selfplay_best(float out[NET_OUTPUTS], const struct player *player, const struct bg_board *board,
                  int seat, const struct bg_play_list *plays)
{
    struct vantage vantage;
    float most = 0.0F;
    int best = 0;

    vantage_begin(&vantage, player, board, seat);
    for (size_t i = 0; i < plays->count; i++) {
        float chances[NET_OUTPUTS];
        struct bg_board after;

        bg_play_make(&after, player->variant, board, seat, &plays->play[i]);
        vantage_chances(chances, &vantage, &after);
        if (i == 0 || player_equity(player, chances) > most) {
            most = player_equity(player, chances);
            best = (int)i;
            memcpy(out, chances, sizeof chances);
        }
    }
    return best;
}

static bool choose_and_note(void *user, struct bg_board *out, const struct bg_match *match,
                            int seat, const struct bg_play_list *plays)
{
    struct selfplay *selfplay = user;
    const struct player *player = selfplay->player;
    struct selfplay_position *position = &selfplay->positions[selfplay->count % POSITIONS];
    int chosen = selfplay_best(position->best, player, &match->board, seat, plays);

    position->seat = seat;
    position->turn = match->turn;
    /* Only where a turn is one roll: in the middle of a turn of several stages the best play
     * instead is not known. */
    position->is_random = bg_variant_turn_is_roll(player->variant) &&
                          chance_real(&selfplay->chance) < selfplay->recipe.random;
    if (position->is_random) {
        chosen = chance_below(&selfplay->chance, (int)plays->count);
    }
    bg_play_make(out, player->variant, &match->board, seat, &plays->play[chosen]);
    encode(&position->inputs, &player->encoding, out, seat);
    position->net = player_net(selfplay->player, out);
    if (position->is_random) {
        player_chances(position->found, player, out, seat);
    } else {
        memcpy(position->found, position->best, sizeof position->found);
    }
    selfplay->count++;
    return position->net != NULL;
}

/* ------------------------------------------------------------------------ learning */

/* What this position should have been worth, from the position after it: target and found are that
 * one's, seen by its own side. */
static void look_back(float target[NET_OUTPUTS], const struct selfplay_position *position,
                      const struct selfplay_position *next, float lambda)
{
    const float *found = next->is_random ? next->best : next->found;

    for (int o = 0; o < NET_OUTPUTS; o++) {
        target[o] = next->is_random ? found[o] : (1.0F - lambda) * found[o] + lambda * target[o];
    }
    if (next->seat != position->seat) {
        net_swap(target, target);
    }
}

static void learn(struct selfplay *selfplay, const struct bg_result *result, float rate,
                  float lambda)
{
    int kept = selfplay->count < POSITIONS ? selfplay->count : POSITIONS;
    const struct selfplay_position *next = NULL;
    float target[NET_OUTPUTS];

    for (int i = 0; i < kept; i++) {
        const struct selfplay_position *position =
            &selfplay->positions[(selfplay->count - 1 - i) % POSITIONS];

        if (next != NULL && next->turn == position->turn) {
            continue; /* the net is for positions at the end of a turn */
        }
        if (position->net == NULL) {
            memcpy(target, position->found, sizeof target);
        } else if (next == NULL) {
            player_result(target, selfplay->player, result->winner, result->level, position->seat);
        } else {
            look_back(target, position, next, lambda);
        }
        if (position->net != NULL) {
            net_learn(position->net, &position->inputs, target, rate);
        }
        next = position;
    }
}

void selfplay_game(struct selfplay *selfplay, long game)
{
    const struct recipe *recipe = &selfplay->recipe;
    float part = (float)game / (float)(recipe->games > 1 ? recipe->games : 1);
    float rate = recipe->rate_begin * powf(recipe->rate_end / recipe->rate_begin, part);
    float lambda = recipe->lambda_begin + (recipe->lambda_end - recipe->lambda_begin) * part;
    struct bg_match match;

    selfplay->count = 0;
    selfplay_play(&match, selfplay->player, &selfplay->chance, choose_and_note, selfplay);
    learn(selfplay, &match.result, rate, lambda);
}

/* ------------------------------------------------------------------------ measuring */

struct contest {
    const struct player *player;
    struct chance chance;
    int seat; /* of the net */
};

static bool choose_in_contest(void *user, struct bg_board *out, const struct bg_match *match,
                              int seat, const struct bg_play_list *plays)
{
    struct contest *contest = user;
    float chances[NET_OUTPUTS];
    int chosen = seat == contest->seat
                     ? selfplay_best(chances, contest->player, &match->board, seat, plays)
                     : chance_below(&contest->chance, (int)plays->count);

    bg_play_make(out, contest->player->variant, &match->board, seat, &plays->play[chosen]);
    return true;
}

double selfplay_against_random(const struct player *player, long games, uint64_t seed)
{
    struct contest contest = {.player = player};
    double points = 0.0;

    chance_begin(&contest.chance, seed);
    for (long game = 0; game < games; game++) {
        struct bg_match match;

        contest.seat = (int)(game % 2);
        selfplay_play(&match, player, &contest.chance, choose_in_contest, &contest);
        points += match.result.winner < 0               ? 0.0
                  : match.result.winner == contest.seat ? (double)match.result.points
                                                        : -(double)match.result.points;
    }
    return points / (double)games;
}
