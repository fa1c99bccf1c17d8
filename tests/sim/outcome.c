#include "outcome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sums/tally.h"
#include "record/game_id.h"
#include "tables/event_table.h"

struct check {
    const struct sim_event *sim;
    struct outcome *outcome;
    struct tally tally;
    uint64_t fault_sum;   /* over games lost by a fault; the evidence must bring it to 0 */
    char leg[BG_GAME_ID]; /* "A|B|pair|leg" of the previous game */
    char prev[RECORD_HASH];
    int next_game;
    bool over;
    int64_t left_ns[2];
    int turns;
};

/* One seat's clock after docs/running.md: a decision first uses the delay, which is full again
 * whenever the turn to think passes, then the reserve; a completed turn adds the increment. */
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

/* Recomputes both clocks from the times in the record. A difference is allowed only if a flag fell
 * (the time of a late answer is not in any step). */
static void check_clocks(struct check *check, const struct store_game *game,
                         const struct record_view *view)
{
    const struct sim_event *sim = check->sim;
    const struct clock_control *clock = &sim->event.clock;
    struct hand hands[2] = {{check->left_ns[game->leg], 0}, {check->left_ns[1 - game->leg], 0}};
    int deciding = -1;
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
        if (deciding != step.seat) {
            hands[step.seat].delay_ns = clock->delay_ns;
        }
        deciding = step.seat;
        take_time(&hands[step.seat], spent_ns);
        if (match.turn != turn && step.kind != BG_STEP_FAULT) {
            hands[step.seat].left_ns += clock->inc_ns;
            deciding = -1;
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

/* A number from the fields that a game and its evidence share; sums of it do not depend on
 * order. */
static uint64_t fault_number(const char *game_id, const char *bot, enum bg_fault fault)
{
    const char *words[] = {game_id, bot, bg_fault_name(fault)};
    uint64_t number = 0xcbf29ce484222325u;

    for (int i = 0; i < 3; i++) {
        for (const char *at = words[i]; *at != '\0'; at++) {
            number = (number ^ (unsigned char)*at) * 0x100000001b3u;
        }
        number = (number ^ 0xff) * 0x100000001b3u;
    }
    return number;
}

static void check_fault(struct check *check, const struct store_game *game)
{
    static const enum bg_fault expected[SIM_KINDS] = {
        [SIM_CHEAT] = BG_FAULT_ILLEGAL,   [SIM_MUDDLED] = BG_FAULT_GARBLED,
        [SIM_SLOW] = BG_FAULT_LATE,       [SIM_MUTE] = BG_FAULT_SILENT,
        [SIM_NOISY] = BG_FAULT_GARBLED,   [SIM_FRAIL] = BG_FAULT_CRASH,
        [SIM_SEVERED] = BG_FAULT_CRASH,   [SIM_FICKLE] = BG_FAULT_CRASH,
        [SIM_BULKY] = BG_FAULT_OVERSIZED,
    };
    const struct sim_event *sim = check->sim;
    const char *loser = game->winner == 0 ? game->b : game->a;
    enum sim_kind kind = sim_kind_of(loser);
    /* With a clock the flag falls before the ceiling, so silence counts as lateness. */
    bool flagged = kind == SIM_MUTE && sim->event.clock.kind != CLOCK_NONE;
    enum bg_fault named = flagged ? BG_FAULT_LATE : expected[kind];

    MUST(kind != SIM_HONEST, "%s: the honest %s is charged with %s", game->id, loser,
         bg_fault_name(game->fault));
    /* Without a clock a delay below the ceiling is not a fault. */
    MUST(game->fault == named, "%s: %s is charged with %s, not %s", game->id, loser,
         bg_fault_name(game->fault), bg_fault_name(named));
    check->outcome->faults[kind]++;
    check->fault_sum += fault_number(game->id, loser, game->fault);
}

/* Every game lost by a fault has its evidence once, and no other game has any. Faults outside games
 * are charged to bots that misbehave. */
static void check_evidence(void *user, const struct store_fault *fault)
{
    struct check *check = user;
    const struct sim_event *sim = check->sim;

    MUST(sim_kind_of(fault->bot) != SIM_HONEST, "the honest %s is charged with %s: %s", fault->bot,
         bg_fault_name(fault->fault), fault->story);
    if (fault->game_id != NULL) {
        check->fault_sum -= fault_number(fault->game_id, fault->bot, fault->fault);
        return;
    }
    MUST(fault->fault == BG_FAULT_START, "%s is charged with %s outside of a game: %s", fault->bot,
         bg_fault_name(fault->fault), fault->story);
    check->outcome->outside++;
}

/* Dice come from the key: recomputed from the event's seed and the number of each roll. */
static void check_dice(const struct sim_event *sim, const struct store_game *game,
                       const struct record_view *view)
{
    struct bg_dice_key event_key, key;
    uint64_t next[3] = {0, 0, 0};

    bg_dice_key_from_seed(&event_key, sim->seed);
    bg_dice_pair_key(
        &key, &event_key,
        &(struct bg_dice_pair){
            .a = game->a, .b = game->b, .pair = game->pair, .attempt = record_view_attempt(view)});
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
    const struct sim_event *sim = check->sim;
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
    check_dice(sim, game, view);
    check_clocks(check, game, view);
    MUST(match.score[seat_a] == game->score_a && match.score[1 - seat_a] == game->score_b,
         "%s: the record ends at another score", game->id);
    MUST((match.need.kind == BG_NEED_NOTHING) == game->match_over, "%s: over", game->id);
    record_canonical(&check->outcome->text, view);
    record_view_destroy(view);
}

static bool check_game(void *user, const struct store_game *game)
{
    struct check *check = user;
    const struct sim_event *sim = check->sim;
    char leg[BG_GAME_ID];
    struct game_id id;

    MUST(game_id_read(&id, game->id), "%s is not a game id", game->id);
    game_id_write_leg(leg, &id);
    if (strcmp(leg, check->leg) != 0) {
        struct clock begun;

        MUST(check->leg[0] == '\0' || check->over, "%s was left unfinished", check->leg);
        snprintf(check->leg, sizeof check->leg, "%s", leg);
        check->prev[0] = '\0';
        check->next_game = 0;
        clock_begin(&begun, &sim->event.clock, game->length_points);
        check->left_ns[0] = check->left_ns[1] = begun.left_ns;
    } else {
        MUST(!check->over, "%s: a game after the last", game->id);
    }
    MUST(game->game == check->next_game, "%s: not the next game", game->id);
    check_record(check, game);
    if (game->end == BG_END_FAULT) {
        check_fault(check, game);
    }
    MUST(tally_add_game(&check->tally, game, NULL) == BG_OK, "%s: tally", game->id);
    check->next_game++;
    check->over = game->match_over;
    memcpy(check->prev, game->hash, sizeof check->prev);
    check->outcome->games++;
    return true;
}

/* ------------------------------------------------------------- games lost with a machine */

struct twin {
    const struct sim_event *sim;
    const struct store_game *lost;
    bool found;
};

static void canonical(struct record *out, const struct sim_event *sim,
                      const struct store_game *game)
{
    struct record_view *view = NULL;
    struct bg_error err = {.text = ""};

    MUST(record_read(&view, game->text, game->text_size, &err) == BG_OK, "%s: %s", game->id,
         err.text);
    record_canonical(out, view);
    record_view_destroy(view);
}

static bool compare_twin(void *user, const struct store_game *game)
{
    struct twin *twin = user;
    const struct sim_event *sim = twin->sim;
    struct record before = {0}, after = {0};

    if (game->game != twin->lost->game) {
        return true;
    }
    twin->found = true;
    if (sim->event.trust == CONFIG_TRUST_STRANGERS) {
        MUST(strcmp(game->hash, twin->lost->hash) != 0, "%s was played again with its dice",
             game->id);
        return false;
    }
    canonical(&before, sim, twin->lost);
    canonical(&after, sim, game);
    MUST(before.size == after.size && memcmp(before.text, after.text, before.size) == 0,
         "%s was lost with the machine, and played otherwise after it", game->id);
    record_deinit(&before);
    record_deinit(&after);
    return false;
}

static void check_lost(void *user, const struct store_game *lost)
{
    const struct sim_event *sim = user;
    struct twin twin = {sim, lost, false};

    MUST(store_leg_games(sim_store(), lost->a, lost->b, lost->pair, lost->leg, compare_twin, &twin,
                         NULL) == BG_OK,
         "reading");
    MUST(twin.found, "%s was lost with the machine, and never played again", lost->id);
}

void outcome_check_replays(const struct outcome *outcome, const struct sim_event *sim)
{
    const struct sim_counts *counts = sim_counts();

    MUST(counts->games_twice == 0, "%" PRIu64 " games were played again that were not lost",
         counts->games_twice);
    MUST(counts->games_put == outcome->games + counts->games_lost,
         "%" PRIu64 " games put, %" PRIu64 " there, %" PRIu64 " lost", counts->games_put,
         outcome->games, counts->games_lost);
    sim_store_each_lost(check_lost, (void *)(uintptr_t)sim);
}

/* ------------------------------------------------------------------------- the whole */

static void count_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    ++*(uint64_t *)user;
}

static uint64_t legs_of_a_pairing(const struct config_event *event)
{
    return event->pairs * (event->duplicate ? 2 : 1);
}

static uint64_t fixtures(const struct config_event *event)
{
    uint64_t bots = (uint64_t)event->bot_count;

    return bots * (bots - 1) / 2 * legs_of_a_pairing(event);
}

/* The printed table is the one that follows from the records. */
static void check_table(const struct check *check, const char *printed)
{
    const struct sim_event *sim = check->sim;
    struct report_options options = REPORT_OPTIONS_INIT;
    char *expected = NULL;
    size_t size;
    FILE *out = open_memstream(&expected, &size);

    options.title = sim->event.name;
    options.planned_legs = legs_of_a_pairing(&sim->event);
    options.brief = true;
    options.final = true;
    options.trust = strstr(printed, ", trust: own") != NULL ? "own" : "strangers";
    MUST(out != NULL && report_table(out, &check->tally, &options, NULL) == BG_OK &&
             fclose(out) == 0,
         "no table");
    MUST(strncmp(printed, expected, size) == 0, "printed was\n%s\nthe records give\n%s", printed,
         expected);
    free(expected);
}

void outcome_check(struct outcome *outcome, const struct sim_event *sim, const char *table)
{
    struct check check = {.sim = sim, .outcome = outcome, .over = true};
    struct store *store = sim_store();

    tally_init(&check.tally, sim->event.rules.length_points);
    for (int i = 0; i < sim->event.bot_count; i++) {
        tally_add_bot(&check.tally, sim->event.bots[i].name);
    }
    MUST(store_all_games(store, true, check_game, &check, NULL) == BG_OK &&
             store_all_unplayed(store, count_unplayed, &outcome->unplayed, NULL) == BG_OK &&
             store_all_faults(store, check_evidence, &check, NULL) == BG_OK,
         "reading");
    MUST(check.over, "%s was left unfinished", check.leg);
    MUST(check.tally.legs + outcome->unplayed == fixtures(&sim->event),
         "%" PRIu64 " matches over and %" PRIu64 " unplayed of %" PRIu64, check.tally.legs,
         outcome->unplayed, fixtures(&sim->event));
    MUST(check.fault_sum == 0, "faults of games and the evidence of them do not agree");
    check_table(&check, table);
    tally_deinit(&check.tally);
}
