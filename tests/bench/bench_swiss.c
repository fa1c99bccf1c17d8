/* How long the pairing of a Swiss round takes.
 *
 * Usage: bench_swiss [ENTRANTS [ROUNDS [SEASONS]]]    200 entrants, 199 rounds, 5 seasons
 *
 * Results are random, a fifth are draws. Every third season, entrants leave in the course of it.
 * Prints for the default number of rounds of such an event, and for all rounds, the median and the
 * longest time of a round, in milliseconds of the processor. Late rounds are the hard ones: few
 * pairings without a rematch are left.
 */
#include "season/swiss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1000, FEWEST = 2 };

static struct entrant entrants[MOST];
static struct meeting *meetings;
static double *took_ms;
static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void play(struct meeting *meeting, uint64_t result)
{
    if (meeting->ended == 0) {
        meeting->ended = result;
        meeting->score_a = draw(5) == 0 ? 0.5 : draw(2);
    }
}

/* Appends the times of a season's rounds from took_ms[*count]. */
static void season(int number, int people, int rounds, size_t *count)
{
    struct history history = {people, entrants, 0, meetings};
    struct meeting *out = meetings;
    uint64_t results = 0;

    memset(entrants, 0, sizeof entrants);
    for (int round = 1; round <= rounds; round++) {
        double begun_ms = now_ms();
        int lines;

        out = meetings + history.meetings;
        lines = swiss_round(out, &history, SWISS_LATE_NOTHING);
        took_ms[(*count)++] = now_ms() - begun_ms;
        for (int i = 0; i < lines; i++) {
            play(&out[i], ++results);
        }
        history.meetings += (size_t)lines;
        if (number % 3 == 2 && draw(4) == 0) {
            entrants[draw((uint32_t)people)].left = true;
        }
    }
}

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

static void measure(const char *name, int people, int rounds, int seasons)
{
    size_t count = 0;

    for (int i = 0; i < seasons; i++) {
        state = (uint64_t)i + 1;
        season(i, people, rounds, &count);
    }
    qsort(took_ms, count, sizeof took_ms[0], compare);
    printf("%s: %d entrants, %d rounds, %d seasons: median %.2f ms, longest %.2f ms a round\n",
           name, people, rounds, seasons, took_ms[count / 2], took_ms[count - 1]);
}

int main(int argc, char **argv)
{
    int people = argc > 1 ? atoi(argv[1]) : 200, rounds = argc > 2 ? atoi(argv[2]) : people - 1;
    int seasons = argc > 3 ? atoi(argv[3]) : 5;
    bool good;

    if (people < FEWEST || people > MOST || rounds < 1 || rounds >= people || seasons < 1) {
        fprintf(stderr,
                "usage: bench_swiss [ENTRANTS (2 to %d) [ROUNDS (below ENTRANTS) [SEASONS]]]\n",
                MOST);
        return 2;
    }
    meetings = calloc((size_t)(people + 1) / 2 * (size_t)(rounds + swiss_rounds(people)),
                      sizeof *meetings);
    took_ms = calloc((size_t)(rounds + swiss_rounds(people)) * (size_t)seasons, sizeof *took_ms);
    good = meetings != NULL && took_ms != NULL;
    if (good) {
        measure("default", people, swiss_rounds(people), seasons);
        measure("all", people, rounds, seasons);
    }
    free(meetings);
    free(took_ms);
    return good ? 0 : 1;
}
