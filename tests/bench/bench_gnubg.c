/* Decisions per second of the gnubg bot, and CPU time per decision of bridge and gnubg together.
 *
 * Usage: bench_gnubg BOT MOVES.tsv [COUNT [BATCH [Option=value...]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/resource.h>

#include <bgref/notation.h>

#include "support/bot_host.h"

enum { ROW = 1 << 18, POSITIONS = 1024, BATCH_MAX = 64 };

static struct bg_ask asks[POSITIONS];

static size_t read_positions(const char *path)
{
    static char row[ROW];
    FILE *file = fopen(path, "r");
    size_t found = 0;

    while (file != NULL && found < POSITIONS && fgets(row, sizeof row, file) != NULL) {
        struct bg_ask *ask = &asks[found];
        char position[16];
        int d1, d2, results;

        if (row[0] == '#' || strstr(row, "selfplay") == NULL ||
            sscanf(row, "%15s %d %d %d", position, &d1, &d2, &results) != 4 || results == 0) {
            continue;
        }
        struct bg_roll roll = {{(uint8_t)(d1 > d2 ? d1 : d2), (uint8_t)(d1 > d2 ? d2 : d1), 0}};

        *ask = (struct bg_ask){.kind = BG_DECIDE_PLAY, .cube_owner = BG_CENTRED};
        ask->rules = bg_rules_default(bg_variant_find("backgammon"), 7);
        snprintf(ask->game, sizeof ask->game, "a|b|%zu|0|0", found);
        if (bg_position_id_read(&ask->board, position, 0, NULL) == BG_OK) {
            ask->stage = bg_stage_of_roll(ask->rules.variant, roll);
            found++;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Sends count decisions in batches; prints the rates. */
static void measure(struct bot_host *host, const char *what, size_t positions, size_t count,
                    size_t batch)
{
    static struct bg_answer answers[BATCH_MAX];
    struct timespec begin, end;
    size_t done = 0;
    double wall;
    int status;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (done < count) {
        if (!bot_host_ask(host, answers, &asks[done % (positions - batch)], batch, &status)) {
            fprintf(stderr, "the bot ended\n");
            exit(1);
        }
        done += batch;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    wall = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("%s: %zu decisions, %zu at once: %.0f/s\n", what, done, batch, (double)done / wall);
}

int main(int argc, char **argv)
{
    size_t count = argc > 3 ? strtoul(argv[3], NULL, 10) : 10000;
    size_t batch = argc > 4 ? strtoul(argv[4], NULL, 10) : 8;
    size_t positions = argc > 2 ? read_positions(argv[2]) : 0;
    const char *const *options = argc > 5 ? (const char *const *)&argv[5] : NULL;
    struct bot_host *host;
    struct rusage used;
    int status;

    if (positions < 2 * BATCH_MAX || batch == 0 || batch > BATCH_MAX) {
        fprintf(stderr, "usage: bench_gnubg BOT MOVES.tsv [COUNT [BATCH [Option=value...]]]\n");
        return 2;
    }
    host = bot_host_start(argv[1], options, &status);
    if (host == NULL) {
        return 1;
    }
    measure(host, "plays", positions, count, batch);
    bot_host_end(host);
    getrusage(RUSAGE_CHILDREN, &used);
    printf("bridge and gnubg, start included: %.3f ms CPU a decision\n",
           1e3 * (seconds(used.ru_utime) + seconds(used.ru_stime)) / (double)count);
    return 0;
}
