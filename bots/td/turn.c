/* A turn of several stages (a double that is played on, numbers that are handed over) is valued
 * by playing it through the match machine, which knows each game's turns; nothing about games is
 * repeated here. Where a stage ends the turn, or a roll follows, the net's value stands. */
#include "turn.h"

#include <string.h>

#include "../bkg/cube.h"

enum { WIDEST = 3, STAGES_MOST = 16 };

/* How many plays of a stage are played on, by the number of stages before it. */
static int width_at(int depth)
{
    return depth == 0 ? WIDEST : 1;
}

struct turn_candidate {
    double worth; /* of the mover */
    struct bg_board board;
    uint16_t number;
};

enum bg_status turn_begin(struct turn *out, const struct player *player, const struct bg_ask *ask,
                          struct bg_error *err)
{
    const struct bg_start start = {.board = ask->board,
                                   .on_roll = 0,
                                   .score = {ask->score[0], ask->score[1]},
                                   .cube_log2 = ask->cube_log2,
                                   .cube_owner = ask->cube_owner,
                                   .crawford_game = ask->crawford_game,
                                   .crawford_done = ask->post_crawford};
    struct bg_rules rules = ask->rules;

    /* One turn is valued: the next game's variant cannot matter. */
    rules.rotation = NULL;
    out->player = player;
    out->ask = ask;
    return bg_match_begin_at(&out->before, &rules, &start, err);
}

/* Own's value when the game has ended. */
static double ended(const struct turn *turn, const struct bg_result *result)
{
    float chances[NET_OUTPUTS];

    if (result->winner < 0) {
        return cube_points(turn->ask, 0.0);
    }
    player_result(chances, turn->player, result->winner, result->level, 0);
    return values_worth(turn->player, turn->ask, chances);
}

static double rolling(const struct turn *turn, const struct bg_board *board, int roller)
{
    return values_position(turn->player, turn->ask, board, roller);
}

/* ---------------------------------------------------------------- a stage */

/* Keeps the best in order, the best first; of equal ones the first. */
static void keep_play(struct turn_candidate best[WIDEST], int *count, int width,
                      const struct turn_candidate *one)
{
    int at = *count;

    while (at > 0 && best[at - 1].worth < one->worth) {
        at--;
    }
    if (at < width) {
        int moved = (*count < width ? *count : width - 1) - at;

        memmove(&best[at + 1], &best[at], (size_t)moved * sizeof *best);
        best[at] = *one;
        *count += *count < width;
    }
}

/* Finds the best plays of a stage if `roller` is to roll after them, and returns their number. */
static int look_shallow(struct turn_candidate best[WIDEST], const struct turn *turn,
                        const struct bg_match *match, const struct bg_play_list *plays, int roller,
                        int width)
{
    const struct player *player = turn->player;
    const int mover = match->need.seat, viewer = 1 - roller;
    struct vantage vantage;
    int count = 0;

    vantage_begin(&vantage, player, &match->board, viewer);
    for (size_t i = 0; i < plays->count; i++) {
        struct turn_candidate one = {.number = (uint16_t)i};
        float chances[NET_OUTPUTS];

        bg_play_make(&one.board, player->variant, &match->board, mover, &plays->play[i]);
        if (one.board.at[mover][BG_OFF] == player->checkers) {
            player_chances(chances, player, &one.board, mover);
        } else {
            vantage_chances(chances, &vantage, &one.board);
        }
        if ((one.board.at[mover][BG_OFF] == player->checkers ? mover : viewer) == 1) {
            net_swap(chances, chances);
        }
        one.worth = values_worth(player, turn->ask, chances) * (mover == 0 ? 1.0 : -1.0);
        keep_play(best, &count, width, &one);
    }
    return count;
}

static double value_deep(const struct turn *turn, const struct bg_match *match, int depth);

/* Whether a play of the stage leads to a roll; *roller: whose. */
static bool leads_to_roll(int *roller, const struct turn *turn, const struct bg_match *match,
                          const struct bg_play *play)
{
    struct bg_match next = *match;
    struct bg_board board;

    bg_play_make(&board, turn->player->variant, &match->board, match->need.seat, play);
    bg_match_play_result(&next, &board);
    *roller = next.need.kind == BG_NEED_NOTHING ? 1 - match->need.seat : next.need.seat;
    return next.need.kind == BG_NEED_ROLL || next.need.kind == BG_NEED_DOUBLE ||
           next.need.kind == BG_NEED_NOTHING;
}

/* Own's value after the best play of the stage, which match waits for. All plays of a stage use as
 * many numbers (G6.1), so the same comes after each of them. */
static double best_of_stage(struct bg_play *out, const struct turn *turn,
                            const struct bg_match *match, int depth)
{
    static struct bg_play_list plays; /* large; used only before the turn is played on */
    const int mover = match->need.seat;
    const double sign = mover == 0 ? 1.0 : -1.0;
    struct turn_candidate best[WIDEST];
    struct bg_play play[WIDEST];
    int roller, count, first = 0;
    bool rolls;

    bg_play_list(&plays, turn->player->variant, &match->board, mover, &match->stage);
    rolls = leads_to_roll(&roller, turn, match, &plays.play[0]);
    count = look_shallow(best, turn, match, &plays, rolls ? roller : 1 - mover,
                         rolls ? 1 : width_at(depth));
    play[0] = plays.play[0]; /* there is always one */
    for (int i = 0; i < count; i++) {
        play[i] = plays.play[best[i].number];
    }
    for (int i = 0; i < count && !rolls; i++) {
        struct bg_match next = *match;

        bg_match_play_result(&next, &best[i].board);
        best[i].worth = sign * value_deep(turn, &next, depth + 1);
        first = best[i].worth > best[first].worth ? i : first;
    }
    *out = play[first];
    return sign * best[first].worth;
}

static double best_of_names(const struct turn *turn, const struct bg_match *match, int depth)
{
    double most = 0.0;

    for (uint8_t number = 1; number <= 6; number++) {
        const struct bg_step step = {
            .kind = BG_STEP_NAME, .seat = match->need.seat, .level = number};
        struct bg_match next = *match;
        double worth;

        (void)bg_match_step(&next, &step);
        worth = value_deep(turn, &next, depth);
        most = number == 1 || worth > most ? worth : most;
    }
    return most;
}

static double value_deep(const struct turn *turn, const struct bg_match *match, int depth)
{
    struct bg_play play;

    if (match->need.kind == BG_NEED_NOTHING || match->result.end != BG_END_NONE) {
        return ended(turn, &match->result);
    }
    /* Turns may go on for long (doubles that give another stage): beyond this the net's value
     * serves. */
    if (match->need.kind == BG_NEED_PLAY && depth < STAGES_MOST) {
        return best_of_stage(&play, turn, match, depth);
    }
    return match->need.kind == BG_NEED_NAME ? best_of_names(turn, match, depth)
                                            : rolling(turn, &match->board, match->need.seat);
}

/* ---------------------------------------------------------------- a roll */

static void roll_dice(struct bg_match *out, const struct turn *turn, struct bg_roll roll)
{
    struct bg_step step = {.kind = BG_STEP_ROLL, .seat = 0};

    memcpy(step.die, roll.die, sizeof roll.die);
    *out = turn->before;
    (void)bg_match_step(out, &step);
}

static bool own_plays(const struct bg_match *match)
{
    return match->need.kind == BG_NEED_PLAY && match->need.seat == 0;
}

double turn_roll(struct bg_play *out, const struct turn *turn, struct bg_roll roll)
{
    struct bg_match match;

    roll_dice(&match, turn, roll);
    out->moves = 0;
    return own_plays(&match) ? best_of_stage(out, turn, &match, 0) : value_deep(turn, &match, 0);
}

double turn_played(const struct turn *turn, struct bg_roll roll, const struct bg_board *board)
{
    struct bg_match match;

    roll_dice(&match, turn, roll);
    if (own_plays(&match)) {
        bg_match_play_result(&match, board);
    }
    return value_deep(turn, &match, 1);
}
