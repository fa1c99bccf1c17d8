/* Simulated tournaments: test_sim [WORLDS [FIRST_SEED]]
 *
 * Every world is played three times: once undisturbed with one table; then twice with several
 * tables, interruptions, machines that die, bots that do not start again and failing writes, first
 * between bots of one author, who must play the same games, then between strangers. No game of
 * strangers is asked about in two runs: one that was cut off is played again with other dice. Bots
 * of one author, with a seed, meet such dice again. Some worlds are played once more, on a machine
 * that is stopped now and then. Invariants: every fixture ends once or is unplayed; every record
 * replays to its result, with the dice of its key and attempt; exactly the games lost with a
 * machine are played again, those of one author with the same result; clocks gain only their
 * increments; only bots that misbehave are charged, and with the right fault; every game lost by a
 * fault has its evidence once; the printed table is the one that follows from the records.
 *
 * Standard output is a line "what count" for each counter, for tools/campaign-simulation.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outcome.h"
#include "witness.h"

/* Sums over all worlds. */
static struct totals {
    uint64_t worlds, games, outside, runs, strangers, betrayals;
    uint64_t faults[SIM_KINDS];
    struct sim_counts counts;
} totals;

static void count(const struct outcome *outcome)
{
    const struct sim_counts *counts = sim_counts();

    totals.games += outcome->games;
    totals.outside += outcome->outside;
    totals.runs += outcome->runs;
    for (int i = 0; i < SIM_KINDS; i++) {
        totals.faults[i] += outcome->faults[i];
        totals.counts.misdeeds[i] += counts->misdeeds[i];
    }
    totals.counts.stumbles += counts->stumbles;
    totals.counts.plugs += counts->plugs;
    totals.counts.machines += counts->machines;
    totals.counts.full_disks += counts->full_disks;
    totals.counts.games_lost += counts->games_lost;
    totals.counts.faults_lost += counts->faults_lost;
}

static void print_totals(void)
{
    const struct sim_counts *counts = &totals.counts;

    printf("worlds %" PRIu64 "\ngames %" PRIu64 "\nruns %" PRIu64 "\n", totals.worlds, totals.games,
           totals.runs);
    for (int i = 0; i < SIM_KINDS; i++) {
        if (counts->misdeeds[i] > 0) {
            printf("done.%s %" PRIu64 "\nlost.%s %" PRIu64 "\n", sim_kind_names[i],
                   counts->misdeeds[i], sim_kind_names[i], totals.faults[i]);
        }
    }
    printf("stumbles %" PRIu64 "\nstumbles.charged %" PRIu64 "\n", counts->stumbles,
           totals.outside);
    printf("plugs %" PRIu64 "\nmachines %" PRIu64 "\nfull_disks %" PRIu64 "\n", counts->plugs,
           counts->machines, counts->full_disks);
    printf("stops %" PRIu64 "\n", counts->stops);
    printf("strangers %" PRIu64 "\nown.betrayals %" PRIu64 "\n", totals.strangers,
           totals.betrayals);
    printf("games_lost %" PRIu64 "\nfaults_lost %" PRIu64 "\n", counts->games_lost,
           counts->faults_lost);
}

static void play(struct outcome *outcome, const struct sim_event *sim, const struct sim_plan *plan)
{
    char *table;

    memset(outcome, 0, sizeof *outcome);
    sim_begin(plan);
    table = sim_event_play(&outcome->runs, sim);
    outcome_check(outcome, sim, table);
    outcome_check_replays(outcome, sim);
    count(outcome);
    free(table);
    sim_store_forget();
    sim_end();
}

static void play_calm(struct outcome *outcome, struct sim_event *sim)
{
    struct sim_plan plan = sim->plan;

    plan.store_fails_every = plan.stumble = 0;
    plan.interrupt_every_ns = plan.stops_every_ns = 0;
    sim->event.concurrency = sim->event.instances = 1;
    play(outcome, sim, &plan);
}

static bool same_games(const struct outcome *a, const struct outcome *b)
{
    return a->text.size == b->text.size && memcmp(a->text.text, b->text.text, a->text.size) == 0;
}

/* In every second world each decision survives: games that are cut off go on where they were. */
static void play_rough(const struct outcome *calm, struct sim_event *sim)
{
    struct sim_plan plan = sim->plan;
    struct outcome rough;

    sim->event.durable_decision = sim->seed % 2 == 1;
    if (sim->event.durable_decision) { /* every decision waits for it */
        plan.sync_ns /= 20;
    }
    plan.stops_every_ns = 0;
    play(&rough, sim, &plan);
    sim->event.durable_decision = false;
    MUST(same_games(calm, &rough), "the disturbed run gave other games");
    MUST(calm->clocks == rough.clocks, "the disturbed run left other times on the clocks");
    record_deinit(&rough.text);
}

/* Strangers: a file gives the same key, since a seed is refused. */
static void play_strangers(struct sim_event *sim)
{
    struct config_event *event = &sim->event;
    struct config_event own = *event;
    char folder[] = "/tmp/bgref-sim-XXXXXX";
    struct sim_plan plan = sim->plan;
    struct outcome strangers;
    struct bg_dice_key key;
    FILE *file;

    MUST(mkdtemp(folder) != NULL, "no folder");
    snprintf(event->results, sizeof event->results, "%s/r.db", folder);
    snprintf(event->key_file, sizeof event->key_file, "%s/key", folder);
    bg_dice_key_from_seed(&key, sim->seed);
    file = fopen(event->key_file, "wb");
    MUST(file != NULL && fwrite(key.bytes, sizeof key.bytes, 1, file) == 1 && fclose(file) == 0,
         "no key file");
    event->has_seed = false;
    event->trust = CONFIG_TRUST_STRANGERS;
    event->sandbox = CONFIG_SANDBOX_ON;
    event->duplicate = false;
    plan.stops_every_ns = 0;
    witness_begin();
    play(&strangers, sim, &plan);
    MUST(witness_betrayals() == 0, "strangers met the dice of a game in two runs");
    witness_end();
    record_deinit(&strangers.text);
    remove(event->key_file);
    MUST(rmdir(folder) == 0, "something was left in the folder of the results");
    totals.strangers++;
    *event = own;
}

/* A machine that is stopped now and then gives bots more time, so with clocks the games may
 * differ. */
static void play_stopped(const struct outcome *calm, const struct sim_event *sim)
{
    struct sim_plan plan = sim->plan;
    struct outcome stopped;

    plan.store_fails_every = 0;
    plan.interrupt_every_ns = 0;
    play(&stopped, sim, &plan);
    MUST(sim->event.clock.kind != CLOCK_NONE || same_games(calm, &stopped),
         "the machine stood still, and other games came of it");
    totals.counts.stops += sim_counts()->stops;
    record_deinit(&stopped.text);
}

static void play_all(struct sim_event *sim)
{
    struct outcome calm;
    uint64_t state = sim->seed;

    play_calm(&calm, sim);
    sim->event.concurrency = 2 + (int)sim_event_draw(&state, 12);
    sim->event.instances = 1 + (int)sim_event_draw(&state, 3);
    witness_begin();
    play_rough(&calm, sim);
    totals.betrayals += witness_betrayals();
    witness_end();
    play_strangers(sim);
    if (sim->plan.stops_every_ns > 0) {
        play_stopped(&calm, sim);
    }
    record_deinit(&calm.text);
}

int main(int argc, char **argv)
{
    uint64_t worlds = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    static struct sim_event sim;
    int out = sim_hush();

    for (uint64_t seed = first; seed < first + worlds; seed++) {
        sim_event_make(&sim, seed);
        play_all(&sim);
        totals.worlds++;
    }
    sim_speak(out);
    print_totals();
    if (totals.betrayals == 0) {
        fprintf(stderr, "test_sim: the witness sees nothing\n");
        return EXIT_FAILURE;
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
