/* bench_rate BGREF FOLDER [BOTS [PAIRS [LENGTH]]] - the cost of ratings over many games.
 *
 * Makes a results database of BOTS bots (1000) in which every two bots have played PAIRS (2) pairs
 * of random matches of LENGTH points (5; 0: money games), without records: 2 million games. Prints
 * the cost of counting them once, when the database is opened for writing. Then prints medians of
 * five, wall time and CPU time (all threads), for: `bgref rate` and `bgref report` as processes
 * (the report up to 50 bots); in this process, reading the tally and computing ratings with all
 * errors, LOS and standings. For comparison it prints the ceiling: the floating-point work of one
 * factorization and one inverse of that order. rate.db stays in FOLDER and is reused.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <numbers/linear.h>
#include <numbers/rating.h>
#include <store/store.h>
#include <sums/results_set.h>
#include <sums/summary.h>
#include <tables/event_table.h>

#include "timing.h"

enum { REPORT_BOTS = 50 };

static int length_points = 5;

static char path[512];

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_rate: %s: %s\n", what, why);
    exit(1);
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / 2147483648.0;
}

/* --- the database ------------------------------------------------------------------------- */

static void run(sqlite3 *db, const char *text)
{
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK) {
        fail(text, sqlite3_errmsg(db));
    }
}

/* One match, won by one game; the bots' strengths are spread evenly over 600 points. */
static void add_game(sqlite3_stmt *sql, int bots, int a, int b, int pair, int leg, uint64_t *dice)
{
    double gap = 600.0 * (a - b) / bots;
    int winner =
        uniform(dice) < rating_expected(gap, length_points > 0 ? length_points : 5) ? 0 : 1;
    char names[2][16];

    snprintf(names[0], sizeof names[0], "bot%04d", a);
    snprintf(names[1], sizeof names[1], "bot%04d", b);
    sqlite3_bind_text(sql, 1, names[0], -1, SQLITE_STATIC);
    sqlite3_bind_text(sql, 2, names[1], -1, SQLITE_STATIC);
    sqlite3_bind_int(sql, 3, pair);
    sqlite3_bind_int(sql, 4, leg);
    sqlite3_bind_int(sql, 5, winner);
    sqlite3_bind_int(sql, 6, 1 + (int)(3 * uniform(dice)));
    sqlite3_bind_int(sql, 7, length_points);
    if (sqlite3_step(sql) != SQLITE_DONE) {
        fail("insert", "failed");
    }
    sqlite3_reset(sql);
}

static void make_games(int bots, int pairs)
{
    static const char text[] =
        "INSERT INTO game VALUES(?1,?2,?3,?4,0,?7,?5,?6,1,'off',NULL,50,5,0,1,?5,0,0,'0','')";
    sqlite3_stmt *sql = NULL;
    sqlite3 *db = NULL;
    uint64_t dice = 1;

    if (sqlite3_open(path, &db) != SQLITE_OK) {
        fail(path, sqlite3_errmsg(db));
    }
    /* With rows that their seals do not know: opening for writing makes tally and runs anew. */
    run(db, "PRAGMA synchronous=OFF; BEGIN; INSERT INTO lost VALUES('','',0);"
            "INSERT INTO run VALUES('','',0,'','');");
    run(db, length_points == 0 ? "INSERT INTO meta VALUES('event.length','money')"
                               : "INSERT INTO meta VALUES('event.length','5')");
    if (sqlite3_prepare_v2(db, text, -1, &sql, NULL) != SQLITE_OK) {
        fail("prepare", sqlite3_errmsg(db));
    }
    for (int a = 0; a < bots; a++) {
        for (int b = a + 1; b < bots; b++) {
            for (int leg = 0; leg < 2 * pairs; leg++) {
                add_game(sql, bots, a, b, leg / 2, leg % 2, &dice);
            }
        }
    }
    sqlite3_finalize(sql);
    run(db, "COMMIT");
    sqlite3_close(db);
}

static void open_for_writing(void)
{
    struct store *store = NULL;
    struct bg_error err = {0};

    if (store_sqlite_open(&store, path, &err) != BG_OK) {
        fail("open", err.text);
    }
    store_destroy(store);
}

/* --- the cost ----------------------------------------------------------------------------- */

/* Wall time, and CPU time over all threads: if other programs run, only the CPU time is
 * meaningful. */
struct cost {
    double wall[ROUNDS], cpu[ROUNDS];
};

static double cpu_of(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static void begin_cost(struct cost *out, int round)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    out->wall[round] = seconds(CLOCK_MONOTONIC);
    out->cpu[round] = cpu_of(&usage);
}

static void end_cost(struct cost *out, int round)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    out->wall[round] = seconds(CLOCK_MONOTONIC) - out->wall[round];
    out->cpu[round] = cpu_of(&usage) - out->cpu[round];
}

static void print_cost(const char *name, struct cost *cost)
{
    printf("%-20s %8.3f s, processor %.3f s\n", name, median(cost->wall), median(cost->cpu));
}

static long memory_kib; /* the largest memory of a child process */

static void run_process(struct cost *out, int round, const char *bgref, const char *command)
{
    struct rusage usage;
    double begin = seconds(CLOCK_MONOTONIC);
    int code = 0;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL) {
            execl(bgref, bgref, command, path, strcmp(command, "report") == 0 ? "--text" : NULL,
                  (char *)NULL);
        }
        _exit(127);
    }
    if (child < 0 || wait4(child, &code, 0, &usage) != child || code != 0) {
        fail(bgref, command);
    }
    out->cpu[round] = cpu_of(&usage);
    out->wall[round] = seconds(CLOCK_MONOTONIC) - begin;
    memory_kib = usage.ru_maxrss > memory_kib ? usage.ru_maxrss : memory_kib;
}

static void time_parts(struct cost *load, struct cost *rate, int round)
{
    struct event_results results = {0};
    struct report_options table;
    struct summary summary = {0};
    struct bg_error err = {0};

    begin_cost(load, round);
    if (event_results_open(&results, path, &err) != BG_OK) {
        fail("read", err.text);
    }
    end_cost(load, round);
    table = event_results_options(&results);
    begin_cost(rate, round);
    if (summary_of(&summary, &results.tally, &(struct summary_options){.rating = table.rating},
                   &err) != BG_OK) {
        fail("ratings", err.text);
    }
    end_cost(rate, round);
    summary_deinit(&summary);
    event_results_close(&results);
}

static void time_algebra(struct cost *out, int round, int bots)
{
    size_t n = (size_t)bots;
    double *matrix = calloc(n * n, sizeof *matrix);

    for (int a = 0; a < bots; a++) {
        for (int b = a + 1; b < bots; b++) {
            laplacian_add(matrix, bots, a, b, 1 + (a + b) % 7);
        }
    }
    begin_cost(out, round);
    if (!laplacian_pinv(matrix, bots)) {
        fail("inverse", "not definite");
    }
    end_cost(out, round);
    free(matrix);
}

int main(int argc, char **argv)
{
    int bots = argc > 3 ? atoi(argv[3]) : 1000, pairs = argc > 4 ? atoi(argv[4]) : 2;
    struct cost rate, report, load, ratings, algebra;
    double begin = 0;

    length_points = argc > 5 ? atoi(argv[5]) : 5;
    if (argc < 3 || bots < 2 || pairs < 1) {
        fprintf(stderr, "usage: bench_rate BGREF FOLDER [BOTS [PAIRS [LENGTH]]]\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/rate.db", argv[2]);
    if (access(path, F_OK) != 0) {
        open_for_writing();
        begin = seconds(CLOCK_MONOTONIC);
        make_games(bots, pairs);
        printf("games made:       %8.2f s\n", seconds(CLOCK_MONOTONIC) - begin);
        begin = seconds(CLOCK_MONOTONIC);
        open_for_writing();
        printf("counted once:     %8.2f s\n", seconds(CLOCK_MONOTONIC) - begin);
    }
    for (int i = 0; i < ROUNDS; i++) {
        run_process(&rate, i, argv[1], "rate");
        if (bots <= REPORT_BOTS) {
            run_process(&report, i, argv[1], "report");
        }
        time_parts(&load, &ratings, i);
        time_algebra(&algebra, i, bots);
    }
    print_cost("bgref rate:", &rate);
    print_cost("  tally read:", &load);
    print_cost("  ratings from it:", &ratings);
    print_cost("  one inverse:", &algebra);
    if (bots <= REPORT_BOTS) {
        print_cost("bgref report --text:", &report);
    }
    printf("memory:              %8.1f MiB\n", (double)memory_kib / 1024);
    return 0;
}
