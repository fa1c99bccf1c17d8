/* Targets for a net that is good already: for each position of a game the mean over all rolls of
 * the best play's chances, not the outcome of one roll. Noise in the choice of plays, and games
 * with random turns, bring positions that the net would avoid, and whose values it has to know
 * to go on avoiding them. */
#include "lessons.h"

#include <bgref/evaluate.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chance.h"
#include "choice.h"

enum {
    TURNS = 1000, /* of a game; a longer one ends there */
    WILD = 15     /* turns at the beginning of a wild game, at most, among which some are random */
};

static const float LAMBDA = 0.85F;
static const double WILD_RANDOM = 0.25; /* share of their plays */
/* Standard deviations of an error in the value of each play, in points: so that the net also learns
 * what plays are worth that it thinks a little worse. */
static const double NOISE = 0.04, WILD_NOISE = 0.02;

struct lessons_turn {
    struct bg_board board; /* after the play */
    int seat;
    float mean[NET_OUTPUTS];  /* of the best plays of all rolls */
    float found[NET_OUTPUTS]; /* of the play that was chosen */
    bool is_random;           /* and then another one was made */
};

struct lessons_game {
    struct player *player; /* lent */
    struct chance chance;
    double noise; /* of the values by which plays are chosen */
    int wild;     /* turns among which some are random */
    struct lessons_turn turn[TURNS];
    int turns;
    struct bg_play_list plays; /* of the roll in hand */
};

/* ---- a game ---- */

/* Returns a number from a normal distribution with deviation 1. */
static double chance_normal(struct chance *chance)
{
    const double radius = sqrt(-2.0 * log(1.0 - chance_real(chance)));

    return radius * cos(6.283185307179586 * chance_real(chance));
}

/* Sets the chances after the play with the best value, with noise if there is any, and returns its
 * number in game->plays; without a play those of the position as it stands, and 0. */
static int choose_play(float out[NET_OUTPUTS], struct lessons_game *game,
                       const struct vantage *vantage, double noise)
{
    struct choice choice;
    double most = 0.0;
    int best = 0;

    choice_find(&choice, vantage, &game->plays, &WORTH_MONEY, CHOICE_FEW);
    if (choice.count == 0) {
        vantage_chances(out, vantage, &vantage->base.board);
    }
    for (int i = 0; i < choice.count; i++) {
        float chances[NET_OUTPUTS];
        struct bg_board after;
        double value;

        bg_play_make(&after, vantage->player->variant, &vantage->base.board, vantage->base.seat,
                     &game->plays.play[choice.play[i]]);
        vantage_chances(chances, vantage, &after);
        value = (double)net_equity(chances);
        value += noise > 0.0 ? noise * chance_normal(&game->chance) : 0.0;
        if (i == 0 || value > most) {
            memcpy(out, chances, sizeof chances);
            most = value;
            best = choice.play[i];
        }
    }
    return best;
}

static void list_plays(struct lessons_game *game, const struct vantage *vantage,
                       struct bg_roll roll)
{
    const struct bg_variant *variant = vantage->player->variant;
    const struct bg_stage stage = bg_stage_of_roll(variant, roll);

    bg_play_list(&game->plays, variant, &vantage->base.board, vantage->base.seat, &stage);
}

static void find_mean(float out[NET_OUTPUTS], struct lessons_game *game,
                      const struct vantage *vantage)
{
    memset(out, 0, NET_OUTPUTS * sizeof *out);
    for (int i = 0; i < BG_ROLLS; i++) {
        const float weight = (float)bg_roll_weight(i) / 36.0F;
        float best[NET_OUTPUTS];

        list_plays(game, vantage, bg_roll_at(i));
        choose_play(best, game, vantage, 0.0);
        for (int o = 0; o < NET_OUTPUTS; o++) {
            out[o] += weight * best[o];
        }
    }
}

/* Plays a turn from *board and notes it. Returns whether the net is for the position after it. */
static bool play_turn(struct bg_board *board, struct lessons_game *game, int seat,
                      struct bg_roll roll)
{
    struct player *player = game->player;
    struct lessons_turn *turn = &game->turn[game->turns++];
    struct vantage vantage;
    int chosen;

    vantage_begin(&vantage, player, board, seat);
    find_mean(turn->mean, game, &vantage);
    list_plays(game, &vantage, roll);
    chosen = choose_play(turn->found, game, &vantage, game->noise);
    turn->is_random = game->turns <= game->wild && chance_real(&game->chance) < WILD_RANDOM;
    if (turn->is_random) {
        chosen = chance_below(&game->chance, (int)game->plays.count);
    }
    if (game->plays.count > 0) {
        bg_play_make(board, player->variant, &vantage.base.board, seat, &game->plays.play[chosen]);
    }
    turn->board = *board;
    turn->seat = seat;
    return player_sifts(player, board);
}

static struct bg_roll throw_dice(struct chance *chance)
{
    const uint8_t one = (uint8_t)(1 + chance_below(chance, 6));
    const uint8_t two = (uint8_t)(1 + chance_below(chance, 6));

    return one > two ? (struct bg_roll){{one, two, 0}} : (struct bg_roll){{two, one, 0}};
}

/* Of four games two are played as well as the net can, one with noise, and one is wild: random
 * plays at its beginning bring positions that the net would not come to, such as back games. */
static void begin_lesson(struct lessons_game *game, uint64_t seed, long number)
{
    struct chance root; /* so that games with numbers near each other have nothing in common */

    chance_begin(&root, seed * UINT64_C(1000003) + (uint64_t)number);
    chance_begin(&game->chance, chance_bits(&root));
    game->wild = number % 4 == 3 ? 2 + chance_below(&game->chance, WILD) : 0;
    game->noise = number % 4 == 3 ? WILD_NOISE : number % 4 == 1 ? NOISE : 0.0;
    game->turns = 0;
}

static void play_game(struct lessons_game *game)
{
    struct bg_roll roll = throw_dice(&game->chance);
    struct bg_board board;
    int seat = 0;
    bool goes_on;

    bg_variant_setup(&board, game->player->variant);
    while (roll.die[0] == roll.die[1]) {
        roll = throw_dice(&game->chance);
    }
    do {
        goes_on = play_turn(&board, game, seat, roll) && game->turns < TURNS;
        roll = throw_dice(&game->chance);
        seat = 1 - seat;
    } while (goes_on);
}

/* ---- what is learned ---- */

void lesson_target(float out[NET_OUTPUTS], const float mean[NET_OUTPUTS],
                   const float found[NET_OUTPUTS], const float target[NET_OUTPUTS])
{
    for (int o = 0; o < NET_OUTPUTS; o++) {
        out[o] = mean[o] + target[o] - found[o];
    }
    net_swap(out, out);
}

/* Lists the positions of the game, the last first; the one after the last turn is not for this net.
 * A random play ends what is known of the turns before it. out has room for TURNS. Returns how many
 * there are. */
static size_t list_game(struct lesson *out, const struct lessons_game *game)
{
    float target[NET_OUTPUTS];
    size_t count = 0;

    for (int i = game->turns - 2; i >= 0; i--) {
        const struct lessons_turn *turn = &game->turn[i], *next = &game->turn[i + 1];
        const bool ends = next->is_random || i == game->turns - 2;
        struct lesson *lesson = &out[count++];

        for (int o = 0; o < NET_OUTPUTS; o++) {
            target[o] =
                ends ? next->found[o] : next->found[o] + LAMBDA * (target[o] - next->found[o]);
        }
        lesson_target(target, next->mean, next->found, target);
        memset(lesson, 0, sizeof *lesson);
        lesson->board = turn->board;
        lesson->seat = turn->seat;
        memcpy(lesson->target, target, sizeof lesson->target);
    }
    return count;
}

/* ---- the workers ---- */

/* A process that plays some of the games and writes their lessons to a file. */
struct lessons_worker {
    FILE *file;
    pid_t process; /* 0: none */
};

/* Plays games number `from` to before `to`; their lessons go to the file. */
static bool do_part(FILE *file, struct player *player, uint64_t seed, long from, long to)
{
    struct lessons_game *game = malloc(sizeof *game);
    struct lesson *lessons = calloc(TURNS, sizeof *lessons);
    bool done = game != NULL && lessons != NULL;

    for (long number = from; number < to && done; number++) {
        size_t count;

        game->player = player;
        begin_lesson(game, seed, number);
        play_game(game);
        count = list_game(lessons, game);
        done = fwrite(lessons, sizeof *lessons, count, file) == count;
    }
    free(game);
    free(lessons);
    return done && fflush(file) == 0;
}

static enum bg_status start_worker(struct lessons_worker *worker, struct player *player,
                                   const struct lesson_plan *plan, int number, struct bg_error *err)
{
    const long from = plan->first + plan->games * number / plan->workers;
    const long to = plan->first + plan->games * (number + 1) / plan->workers;

    worker->file = tmpfile();
    if (worker->file == NULL) {
        return bg_error_set(err, BG_E_SYSTEM, "a file for lessons: %s", strerror(errno));
    }
    fflush(stdout); /* else the worker would have a copy of what waits there */
    worker->process = fork();
    if (worker->process < 0) {
        worker->process = 0;
        return bg_error_set(err, BG_E_SYSTEM, "a worker for lessons: %s", strerror(errno));
    }
    if (worker->process == 0) {
        _exit(do_part(worker->file, player, plan->seed, from, to) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    return BG_OK;
}

static enum bg_status wait_for_worker(struct lessons_worker *worker, struct bg_error *err)
{
    int code = 0;
    pid_t ended;

    do {
        ended = waitpid(worker->process, &code, 0);
    } while (ended < 0 && errno == EINTR);
    worker->process = 0;
    if (ended < 0 || !WIFEXITED(code) || WEXITSTATUS(code) != EXIT_SUCCESS) {
        return bg_error_set(err, BG_E_SYSTEM,
                            "a worker could not write its lessons: is there room in /tmp?");
    }
    return BG_OK;
}

/* Takes what the worker has written. */
static enum bg_status read_lessons(struct lessons *lessons, FILE *file, struct bg_error *err)
{
    size_t count = 0;

    rewind(file);
    do {
        lessons->count += count;
        if (lessons->count + TURNS > lessons->room) {
            const size_t room = 2 * (lessons->count + TURNS);
            struct lesson *at = realloc(lessons->at, room * sizeof *at);

            if (at == NULL) {
                return bg_error_set(err, BG_E_MEMORY, "%zu lessons", room);
            }
            lessons->at = at;
            lessons->room = room;
        }
        count = fread(&lessons->at[lessons->count], sizeof *lessons->at, TURNS, file);
    } while (count > 0);
    return ferror(file) ? bg_error_set(err, BG_E_SYSTEM, "lessons cannot be read again") : BG_OK;
}

enum bg_status lessons_play(struct lessons *lessons, struct player *player,
                            const struct lesson_plan *plan, struct bg_error *err)
{
    struct lessons_worker workers[LESSON_WORKERS_MAX] = {{.process = 0}};
    enum bg_status status = BG_OK;

    for (int i = 0; i < plan->workers && status == BG_OK; i++) {
        status = start_worker(&workers[i], player, plan, i, err);
    }
    for (int i = 0; i < plan->workers; i++) { /* also after a failure: none is left behind */
        struct lessons_worker *worker = &workers[i];
        const enum bg_status ended =
            worker->process > 0 ? wait_for_worker(worker, status == BG_OK ? err : NULL) : BG_OK;

        status = status == BG_OK ? ended : status;
        if (status == BG_OK) {
            status = read_lessons(lessons, worker->file, err);
        }
        if (worker->file != NULL) {
            fclose(worker->file);
        }
    }
    return status;
}
