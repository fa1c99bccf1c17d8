/* Simulated tournaments with the real store and its thread: test_disk [WORLDS [FIRST_SEED]]
 *
 * Link, processes and bots are doubles, so the only threads are the referee's loop and the store's
 * thread, with the tally between them: this is for the thread sanitizer. Runs are interrupted and
 * resumed from the disk; every invariant must hold.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "outcome.h"

static uint64_t play(struct sim_event *sim)
{
    struct outcome outcome = {0};
    char *table;

    sim_begin(&sim->plan);
    table = sim_event_play(&outcome.runs, sim);
    sim_store_read(sim->event.results);
    outcome_check(&outcome, sim, table);
    sim_store_forget();
    sim_end();
    record_deinit(&outcome.text);
    free(table);
    return outcome.games;
}

static void make(struct sim_event *sim, uint64_t seed, const char *folder)
{
    sim_event_make(sim, seed);
    sim->event.concurrency = 4;
    sim->event.instances = 2;
    sim->plan.stops_every_ns = 0;
    sim->plan.machine_dies_every = sim->plan.store_fails_every = 0;
    snprintf(sim->event.results, sizeof sim->event.results, "%s/%" PRIu64 ".db", folder, seed);
}

static void remove_results(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", ".lock"};
    char name[1100];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)remove(name); /* some of them may be missing */
    }
}

int main(int argc, char **argv)
{
    uint64_t worlds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    char folder[] = "/tmp/bgref-disk-XXXXXX";
    static struct sim_event sim;
    uint64_t games = 0;
    int out;

    if (mkdtemp(folder) == NULL) {
        return EXIT_FAILURE;
    }
    out = sim_hush();
    for (uint64_t seed = first; seed < first + worlds; seed++) {
        make(&sim, seed, folder);
        games += play(&sim);
        remove_results(sim.event.results);
    }
    sim_speak(out);
    printf("%" PRIu64 " worlds, %" PRIu64 " games: every invariant held\n", worlds, games);
    return rmdir(folder) == 0 && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
