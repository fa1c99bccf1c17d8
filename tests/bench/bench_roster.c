/* The cost of a round of the loop without its frames, with many bots of which few have work.
 *
 * Usage: bench_roster [SESSIONS [OPEN]]    200 sessions with 32 open decisions each
 *
 * Every session is ready; one at a time is asked and answers. Compared with a walk over all
 * sessions, as before rosters kept a list of due sessions. Prints nanoseconds per round and per
 * sweep.
 */
#include "support/hand_bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 20000, IN_FLIGHT = 64 };

static struct hand_table table;
static struct session_slot *slots;

/* Calls the real clock; the wrapped one is moved by the test. */
static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void settle_all(void)
{
    for (int i = 0; i < table.roster.count; i++) {
        session_settle(table.roster.sessions[i]);
    }
}

static void sweep_all(int64_t now_ns)
{
    for (int i = 0; i < table.roster.count; i++) {
        session_sweep(table.roster.sessions[i], now_ns);
    }
}

/* A decision of one session was cancelled, so the session is checked, and has nothing to send. */
static double round_ns(bool by_walk, struct session_slot *idle)
{
    double begun_s = now_s();

    for (int i = 0; i < ROUNDS; i++) {
        session_cancel(table.roster.sessions[i % table.roster.count], idle);
        if (by_walk) {
            settle_all();
        } else {
            roster_settle(&table.roster);
        }
    }
    return (now_s() - begun_s) * 1e9 / ROUNDS;
}

static double sweep_ns(bool by_walk)
{
    int64_t now_ns = loop_now(table.loop);
    double begun_s = now_s();

    for (int i = 0; i < ROUNDS / 10; i++) {
        if (by_walk) {
            sweep_all(now_ns);
        } else {
            roster_sweep(&table.roster, now_ns);
        }
    }
    return (now_s() - begun_s) * 1e9 / (ROUNDS / 10);
}

int main(int argc, char **argv)
{
    int sessions = argc > 1 ? atoi(argv[1]) : 200, open = argc > 2 ? atoi(argv[2]) : 32;
    struct session_slot idle;

    if (sessions < 1 || sessions > HAND_DOORS || open < 0 || open > IN_FLIGHT) {
        fprintf(stderr, "usage: bench_roster [SESSIONS (1 to %d) [OPEN (0 to %d)]]\n", HAND_DOORS,
                IN_FLIGHT);
        return EXIT_FAILURE;
    }
    hand_table_open(&table, sessions);
    hand_start_all(&table);
    slots = calloc((size_t)(sessions * open) + 1, sizeof *slots);
    if (slots == NULL) {
        return EXIT_FAILURE;
    }
    for (int i = 0; i < sessions; i++) {
        hand_greet(&table, i, IN_FLIGHT);
        for (int k = 0; k < open; k++) {
            hand_slot(&slots[i * open + k], table.roster.sessions[i], HAND_CEILING_NS);
            session_ask(table.roster.sessions[i], &slots[i * open + k]);
        }
    }
    hand_run(table.loop, 0);
    hand_slot(&idle, table.roster.sessions[0], HAND_CEILING_NS);
    printf("%d sessions, %d open each: round %.0f ns by walk, %.0f ns by what is due; ", sessions,
           open, round_ns(true, &idle), round_ns(false, &idle));
    printf("sweep %.0f ns by walk, %.0f ns by what is due\n", sweep_ns(true), sweep_ns(false));
    free(slots);
    hand_table_close(&table);
    return EXIT_SUCCESS;
}
