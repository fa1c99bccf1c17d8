/* bench_rate BGREF FOLDER [BOTS [PAIRS]] - what a table of many bots costs.
 *
 * Makes a results database of BOTS bots (1000) in which every two have played PAIRS (2) pairs of
 * matches by chance, without a tally: 2 million games. Prints what counting them costs once, when
 * the database is opened for writing, then medians of five: `bgref rate` as a process, and in this
 * process reading the tally, and the table with standard errors. FOLDER keeps rate.db and uses it
 * again.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <numbers/rating.h>
#include <store/store.h>
#include <sums/results_set.h>
#include <tables/standings_text.h>

enum { ROUNDS = 5, LENGTH_POINTS = 5 };

static char path[512];

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *value)
{
    qsort(value, ROUNDS, sizeof *value, compare);
    return value[ROUNDS / 2];
}

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

/* One match, won by one game: strengths are spread evenly over 600 points. */
static void add_game(sqlite3_stmt *sql, int bots, int a, int b, int pair, int leg, uint64_t *dice)
{
    double gap = 600.0 * (a - b) / bots;
    int winner = uniform(dice) < rating_expected(gap, LENGTH_POINTS) ? 0 : 1;
    char names[2][16];

    snprintf(names[0], sizeof names[0], "bot%04d", a);
    snprintf(names[1], sizeof names[1], "bot%04d", b);
    sqlite3_bind_text(sql, 1, names[0], -1, SQLITE_STATIC);
    sqlite3_bind_text(sql, 2, names[1], -1, SQLITE_STATIC);
    sqlite3_bind_int(sql, 3, pair);
    sqlite3_bind_int(sql, 4, leg);
    sqlite3_bind_int(sql, 5, winner);
    sqlite3_bind_int(sql, 6, 1 + (int)(3 * uniform(dice)));
    if (sqlite3_step(sql) != SQLITE_DONE) {
        fail("insert", "failed");
    }
    sqlite3_reset(sql);
}

static void make_games(int bots, int pairs)
{
    static const char text[] =
        "INSERT INTO game VALUES(?1,?2,?3,?4,0,5,?5,?6,1,'off',NULL,50,5,0,1,?5,0,0,'0','')";
    sqlite3_stmt *sql = NULL;
    sqlite3 *db = NULL;
    uint64_t dice = 1;

    if (sqlite3_open(path, &db) != SQLITE_OK) {
        fail(path, sqlite3_errmsg(db));
    }
    /* as before rows were sealed: opened for writing, the tally, runs and seal are made anew */
    run(db, "PRAGMA synchronous=OFF; BEGIN; DROP TABLE seal; PRAGMA user_version=5;"
            "INSERT INTO meta VALUES('event.length','5')");
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

/* --- what it costs ------------------------------------------------------------------------ */

/* Wall time; *cpu: of the process, both threads of the linear algebra together. On a machine that
 * has other work only the latter says something. */
static double time_of_process(double *cpu, const char *bgref)
{
    struct rusage usage;
    double begin = seconds();
    int code = 0;
    pid_t child;

    fflush(stdout);
    child = fork();

    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL) {
            execl(bgref, bgref, "rate", path, (char *)NULL);
        }
        _exit(127);
    }
    if (child < 0 || wait4(child, &code, 0, &usage) != child || code != 0) {
        fail(bgref, "did not rate");
    }
    *cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    return seconds() - begin;
}

static void time_of_parts(double *load, double *table)
{
    struct event_results results = {0};
    struct report_options options;
    struct bg_error err = {0};
    FILE *nowhere = fopen("/dev/null", "w");
    double begin = seconds();

    if (nowhere == NULL || event_results_open(&results, path, &err) != BG_OK) {
        fail("read", err.text);
    }
    *load = seconds() - begin;
    options = event_results_options(&results);
    begin = seconds();
    if (report_table(nowhere, &results.tally, &options, &err) != BG_OK) {
        fail("table", err.text);
    }
    *table = seconds() - begin;
    event_results_close(&results);
    fclose(nowhere);
}

int main(int argc, char **argv)
{
    int bots = argc > 3 ? atoi(argv[3]) : 1000, pairs = argc > 4 ? atoi(argv[4]) : 2;
    double process[ROUNDS], cpu[ROUNDS], load[ROUNDS], table[ROUNDS], begin = 0;

    if (argc < 3 || bots < 2 || pairs < 1) {
        fprintf(stderr, "usage: bench_rate BGREF FOLDER [BOTS [PAIRS]]\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/rate.db", argv[2]);
    if (access(path, F_OK) != 0) {
        open_for_writing();
        begin = seconds();
        make_games(bots, pairs);
        printf("games made:       %8.2f s\n", seconds() - begin);
        begin = seconds();
        open_for_writing();
        printf("counted once:     %8.2f s\n", seconds() - begin);
    }
    for (int i = 0; i < ROUNDS; i++) {
        process[i] = time_of_process(&cpu[i], argv[1]);
        time_of_parts(&load[i], &table[i]);
    }
    printf("bgref rate:       %8.3f s, processor time %.3f s\n", median(process), median(cpu));
    printf("  tally read:     %8.3f s\n", median(load));
    printf("  rated, printed: %8.3f s\n", median(table));
    return 0;
}
