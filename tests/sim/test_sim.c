/* Simulated tournaments: test_sim [WORLDS [FIRST_SEED]]
 *
 * Every world is played twice: undisturbed with one table, and with several tables, interruptions
 * and failing writes until it is through. Both have to give the same games, and in both must hold:
 * every fixture is over once or unplayed; every record replays to its result; clocks never gain
 * what they did not earn; only bots that misbehave are charged, and for what they did; the tally
 * that the table is made of is the one of the records.
 */
#define _POSIX_C_SOURCE 200809L
#include "sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/tournament.h"
#include "exit_status.h"
#include "numbers/tally.h"
#include "record/record.h"

#define MS_NS INT64_C(1000000)

enum { BOTS_MAX = 5, RUNS_MAX = 400 };

struct scene {
    uint64_t seed;
    struct config_event event;
    struct config_bot bots[BOTS_MAX];
    struct sim_plan plan;
};

struct outcome {
    struct record text; /* the canonical texts one after another */
    uint64_t clocks;    /* a sum over what every game left on the clocks */
    uint64_t games, faults, unplayed, runs;
};

static uint64_t games_in_all;

#define MUST(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "test_sim: world %" PRIu64 ": ", scene->seed);                         \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\n");                                                                 \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

/* ------------------------------------------------------------------ what is played */

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void scene_bots(struct scene *scene, uint64_t *state)
{
    scene->event.bots = scene->bots;
    scene->event.bot_count = 2 + (int)draw(state, BOTS_MAX - 1);
    memset(scene->bots, 0, sizeof scene->bots);
    for (int i = 0; i < scene->event.bot_count; i++) {
        enum sim_kind kind = i < 1 ? SIM_HONEST : (enum sim_kind)draw(state, SIM_EXACT);

        snprintf(scene->bots[i].name, sizeof scene->bots[i].name, "%s%d", sim_kind_names[kind], i);
        snprintf(scene->bots[i].cmd, sizeof scene->bots[i].cmd, "sim");
    }
}

static void scene_rules(struct scene *scene, uint64_t *state)
{
    static const int lengths[] = {0, 0, 1, 3, 5};
    static const char *const clocks[] = {"none", "move=5ms", "bank=20ms,inc=1ms",
                                         "bank=15ms/pt,delay=2ms"};
    struct config_event *event = &scene->event;
    struct bg_rules *rules = &event->rules;

    *rules = bg_rules_default(bg_variant_find("backgammon"), lengths[draw(state, 5)]);
    if (rules->length_points == 0) {
        rules->jacoby = draw(state, 2);
        rules->beavers = draw(state, 2);
        rules->raises = rules->beavers ? (int)draw(state, 3) : 0;
        rules->auto_doubles = (int)draw(state, 3);
    } else {
        rules->crawford = draw(state, 4) != 0;
        rules->holland = rules->crawford && draw(state, 2);
    }
    if (clock_control_read(&event->clock, clocks[draw(state, 4)], NULL) != BG_OK) {
        abort();
    }
}

static void scene_make(struct scene *scene, uint64_t seed)
{
    uint64_t state = seed * 7919 + 17;
    struct config_event *event = &scene->event;

    scene->seed = seed;
    config_event_init(event);
    scene_bots(scene, &state);
    scene_rules(scene, &state);
    snprintf(event->name, sizeof event->name, "sim");
    snprintf(event->results, sizeof event->results, "sim.db");
    event->pairs = 1 + draw(&state, 4);
    event->duplicate = draw(&state, 4) != 0;
    event->margin_ns = (int64_t)draw(&state, 2) * MS_NS;
    event->ceiling_ns = 200 * MS_NS;
    event->start_ns = 1000 * MS_NS;
    event->quarantine = 1000000;
    event->has_seed = true;
    event->seed = seed;
    scene->plan = (struct sim_plan){
        .seed = seed,
        .rate = 20 + (int)draw(&state, 400),
        .late_ns = 150 * MS_NS,
        .hangs = event->clock.kind == CLOCK_NONE,
        .interrupt_every_ns = (int64_t)(10 + draw(&state, 300)) * MS_NS,
        .store_fails_every = draw(&state, 3) == 0 ? 3 + (int)draw(&state, 20) : 0,
    };
}

/* ----------------------------------------------------------------- what must hold */

struct check {
    const struct scene *scene;
    struct outcome *outcome;
    struct tally tally;
    char leg[BG_GAME_ID]; /* "A|B|pair|leg" of the game before */
    char prev[RECORD_HASH];
    int next_game;
    bool over;
    int64_t left_ns[2];
    int turns;
};

/* One seat's clock by the words of docs/running.md: a decision takes first from the delay, which is
 * fresh whenever the turn to think passes, then from the reserve; a completed turn adds the
 * increment. */
struct hand {
    int64_t left_ns, delay_ns;
};

static void take_time(struct hand *hand, int64_t spent_ns)
{
    int64_t free_ns = spent_ns < hand->delay_ns ? spent_ns : hand->delay_ns;

    hand->delay_ns -= free_ns;
    hand->left_ns -= spent_ns - free_ns;
    if (hand->left_ns < 0) {
        hand->left_ns = 0;
    }
}

/* Recomputes both clocks from the times in the record; only a flag that fell may differ (the time
 * of an answer that came too late stands in no step). */
static void check_clocks(struct check *check, const struct store_game *game,
                         const struct record_view *view)
{
    const struct scene *scene = check->scene;
    const struct clock_control *clock = &scene->event.clock;
    struct hand hands[2] = {{check->left_ns[game->leg], 0}, {check->left_ns[1 - game->leg], 0}};
    int thinking = -1;
    struct bg_match match;

    MUST(record_view_start(&match, view, NULL) == BG_OK, "%s: start", game->id);
    for (int i = 0; i < record_view_steps(view); i++) {
        struct bg_step step;
        int64_t spent_ns;
        int turn = match.turn;

        record_view_step(&step, &spent_ns, view, i);
        MUST(bg_match_step(&match, &step) == BG_RULE_NONE, "%s: step %d", game->id, i);
        if (step.seat < 0 || spent_ns < 0) {
            continue;
        }
        if (thinking != step.seat) {
            hands[step.seat].delay_ns = clock->delay_ns;
        }
        thinking = step.seat;
        take_time(&hands[step.seat], spent_ns);
        if (match.turn != turn && step.kind != BG_STEP_FAULT) {
            hands[step.seat].left_ns += clock->inc_ns;
            thinking = -1;
        }
    }
    for (int i = 0; i < 2; i++) {
        int64_t left_ns = hands[i == game->leg ? 0 : 1].left_ns;

        MUST(clock->kind < CLOCK_INCREMENT || left_ns == game->left_ns[i],
             "%s: a clock shows %" PRId64 ", its decisions leave %" PRId64, game->id,
             game->left_ns[i], left_ns);
        check->left_ns[i] = game->left_ns[i];
        check->outcome->clocks = check->outcome->clocks * 31 + (uint64_t)game->left_ns[i];
    }
}

static void check_fault(const struct check *check, const struct store_game *game)
{
    static const enum bg_fault expected[SIM_KINDS] = {
        [SIM_CHEAT] = BG_FAULT_ILLEGAL, [SIM_MUDDLED] = BG_FAULT_GARBLED,
        [SIM_SLOW] = BG_FAULT_LATE,     [SIM_MUTE] = BG_FAULT_SILENT,
        [SIM_NOISY] = BG_FAULT_GARBLED, [SIM_FRAIL] = BG_FAULT_CRASH,
    };
    const struct scene *scene = check->scene;
    const char *loser = game->winner == 0 ? game->b : game->a;
    enum sim_kind kind = sim_kind_of(loser);
    /* With a clock the flag falls before the ceiling, so silence is lateness. */
    bool flagged = kind == SIM_MUTE && scene->event.clock.kind != CLOCK_NONE;
    enum bg_fault named = flagged ? BG_FAULT_LATE : expected[kind];

    MUST(kind != SIM_HONEST, "%s: the honest %s is charged with %s", game->id, loser,
         bg_fault_name(game->fault));
    /* Without a clock what is late by less than the ceiling is no offence at all. */
    MUST(game->fault == named, "%s: %s is charged with %s, not %s", game->id, loser,
         bg_fault_name(game->fault), bg_fault_name(named));
}

/* Dice are the keyed ones: recomputed from the event's seed and the number of each roll. */
static void check_dice(const struct scene *scene, const struct store_game *game,
                       const struct record_view *view)
{
    struct bg_dice_key event_key, key;
    uint64_t next[3] = {0, 0, 0};

    bg_dice_key_from_seed(&event_key, scene->seed);
    bg_dice_pair_key(&key, &event_key, game->a, game->b, game->pair, 0, NULL, NULL);
    for (int i = 0; i < record_view_steps(view); i++) {
        struct bg_step step;
        int64_t spent_ns;
        uint8_t dice[2];
        enum bg_dice_stream stream;

        record_view_step(&step, &spent_ns, view, i);
        if (step.kind != BG_STEP_ROLL && step.kind != BG_STEP_OPEN) {
            continue;
        }
        stream = step.kind == BG_STEP_OPEN ? BG_STREAM_OPEN
                 : step.seat == 0          ? BG_STREAM_0
                                           : BG_STREAM_1;
        bg_dice_draw(dice, 2, &key, (uint64_t)game->game, stream, next[stream]++);
        MUST(dice[0] == step.die[0] && dice[1] == step.die[1], "%s: step %d has other dice",
             game->id, i);
    }
}

static void check_record(struct check *check, const struct store_game *game)
{
    const struct scene *scene = check->scene;
    struct record_view *view = NULL;
    struct bg_match match;
    struct bg_error err = {.text = ""};
    int seat_a = game->leg;

    MUST(record_read(&view, game->text, game->text_size, &err) == BG_OK, "%s: %s", game->id,
         err.text);
    MUST(record_check_hash(view, &err) == BG_OK, "%s: %s", game->id, err.text);
    MUST(record_replay(&match, view, &err) == BG_OK, "%s: %s", game->id, err.text);
    MUST(strcmp(record_view_hash(view), game->hash) == 0, "%s: hash", game->id);
    MUST(strcmp(record_view_value(view, "prev"), check->prev) == 0, "%s: prev", game->id);
    check_dice(scene, game, view);
    check_clocks(check, game, view);
    MUST(match.score[seat_a] == game->score_a && match.score[1 - seat_a] == game->score_b,
         "%s: the record ends at another score", game->id);
    MUST((match.need.kind == BG_NEED_NOTHING) == game->match_over, "%s: over", game->id);
    MUST(record_canonical(&check->outcome->text, view, &err) == BG_OK, "%s", err.text);
    record_view_destroy(view);
}

static bool check_game(void *user, const struct store_game *game)
{
    struct check *check = user;
    const struct scene *scene = check->scene;
    char leg[BG_GAME_ID];

    snprintf(leg, sizeof leg, "%s|%s|%" PRIu64 "|%d", game->a, game->b, game->pair, game->leg);
    if (strcmp(leg, check->leg) != 0) {
        struct clock begun;

        MUST(check->leg[0] == '\0' || check->over, "%s was left unfinished", check->leg);
        snprintf(check->leg, sizeof check->leg, "%s", leg);
        check->prev[0] = '\0';
        check->next_game = 0;
        clock_begin(&begun, &scene->event.clock, game->length_points);
        check->left_ns[0] = check->left_ns[1] = begun.left_ns;
    } else {
        MUST(!check->over, "%s: a game after the last", game->id);
    }
    MUST(game->game == check->next_game, "%s: not the next game", game->id);
    check_record(check, game);
    if (game->end == BG_END_FAULT) {
        check_fault(check, game);
        check->outcome->faults++;
    }
    MUST(tally_add_game(&check->tally, game, NULL) == BG_OK, "%s: tally", game->id);
    check->next_game++;
    check->over = game->match_over;
    memcpy(check->prev, game->hash, sizeof check->prev);
    check->outcome->games++;
    return true;
}

static void count_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    (void)fixture;
    (void)bot;
    (void)why;
    ++*(uint64_t *)user;
}

static uint64_t fixtures(const struct config_event *event)
{
    uint64_t bots = (uint64_t)event->bot_count;

    return bots * (bots - 1) / 2 * event->pairs * (event->duplicate ? 2 : 1);
}

static void check_all(const struct scene *scene, struct outcome *outcome)
{
    struct check check = {.scene = scene, .outcome = outcome, .over = true};
    struct store *store = sim_store();

    tally_init(&check.tally, scene->event.rules.length_points);
    MUST(store->ops->all_games(store, true, check_game, &check, NULL) == BG_OK, "reading");
    MUST(check.over, "%s was left unfinished", check.leg);
    MUST(store->ops->all_unplayed(store, count_unplayed, &outcome->unplayed, NULL) == BG_OK,
         "reading");
    MUST(check.tally.legs + outcome->unplayed == fixtures(&scene->event),
         "%" PRIu64 " matches over and %" PRIu64 " unplayed of %" PRIu64, check.tally.legs,
         outcome->unplayed, fixtures(&scene->event));
    tally_deinit(&check.tally);
}

/* -------------------------------------------------------------------------- playing */

static void play(struct outcome *outcome, const struct scene *scene, bool disturbed)
{
    struct tournament_run run = {.event = &scene->event, .command = "sim", .quiet = true};
    struct sim_plan plan = scene->plan;
    int status = EXIT_SURROUNDINGS;

    memset(outcome, 0, sizeof *outcome);
    if (!disturbed) {
        plan.store_fails_every = 0;
        plan.interrupt_every_ns = 0;
    }
    sim_begin(&plan);
    while (status != EXIT_DONE) {
        struct bg_error err = {.text = ""};

        MUST(outcome->runs < RUNS_MAX, "it never comes to an end");
        /* After many interruptions the plug stays in, so that long matches end too. */
        sim_new_run(outcome->runs < RUNS_MAX / 2);
        status = tournament_run(&run, &err);
        outcome->runs++;
        MUST(status == EXIT_DONE || strncmp(err.text, "sim:", 4) == 0, "status %d: %s", status,
             err.text);
    }
    check_all(scene, outcome);
    games_in_all += outcome->games;
    sim_store_forget();
    sim_end();
}

int main(int argc, char **argv)
{
    uint64_t worlds = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t faults = 0, interrupted = 0;
    static struct scene scene_made;
    const struct scene *scene = &scene_made;
    int out = sim_hush();

    for (uint64_t seed = first; seed < first + worlds; seed++) {
        struct outcome calm, rough;
        uint64_t state = seed;

        scene_make(&scene_made, seed);
        scene_made.event.concurrency = scene_made.event.instances = 1;
        play(&calm, scene, false);
        scene_made.event.concurrency = 2 + (int)draw(&state, 12);
        scene_made.event.instances = 1 + (int)draw(&state, 3);
        play(&rough, scene, true);
        MUST(calm.text.size == rough.text.size &&
                 memcmp(calm.text.text, rough.text.text, calm.text.size) == 0,
             "the disturbed run gave other games");
        MUST(calm.clocks == rough.clocks, "the disturbed run left other times on the clocks");
        faults += calm.faults;
        interrupted += rough.runs - 1;
        record_deinit(&calm.text);
        record_deinit(&rough.text);
    }
    sim_speak(out);
    printf("%" PRIu64 " worlds, %" PRIu64 " games, %" PRIu64 " faults, %" PRIu64
           " runs interrupted: every invariant held\n",
           worlds, games_in_all, faults, interrupted);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
