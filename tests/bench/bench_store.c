/* bench_store [FOLDER] - the cost of records and the store.
 *
 * Prints, medians of five rounds: writing record lines, reading and checking whole records, games
 * made durable by the SQLite store, and the CPU time per game of the caller and of the store's
 * thread.
 */
#define _GNU_SOURCE
#include <record/record.h>
#include <store/store.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sodium.h>

#include "../support/random_match.h"
#include "timing.h"

enum { RECORDS = 64, GAMES = 20000, WRITTEN = 5000, STEPS = 200 };

static struct record records[RECORDS];
static char hashes[RECORDS][RECORD_HASH];

/* Random games to the end; without a cube they are at least as long as real games. */
static void make_records(void)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 1);
    struct chance chance = {2};
    size_t bytes = 0;
    int lines = 0;

    for (int i = 0; i < RECORDS; i++) {
        struct bg_match match;

        bg_match_begin(&match, &rules);
        random_game(&records[i], hashes[i], &match, "one|two|0|0|0", "", true, &chance);
        bytes += records[i].size;
        lines += records[i].steps;
    }
    printf("records: %zu bytes and %d steps on average\n", bytes / RECORDS, lines / RECORDS);
}

static void bench_write(void)
{
    const struct bg_step steps[2] = {
        {.kind = BG_STEP_ROLL, .seat = 1, .die = {6, 5}},
        {.kind = BG_STEP_PLAY, .seat = 1, .play = {2, {{24, 18}, {13, 8}}}}};
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 1);
    struct bg_match start;
    const struct record_header header = {.game_id = "one|two|0|0|0",
                                         .event = "",
                                         .seat_name = {"one", "two"},
                                         .start = &start,
                                         .clock = "none",
                                         .prev = "",
                                         .dice = "keyed",
                                         .host = ""};
    double begin_us[ROUNDS], ns[ROUNDS], end_us[ROUNDS];
    struct record record = {0};
    struct bg_result result = {.winner = -1};
    char hash[RECORD_HASH];

    bg_match_begin(&start, &rules);
    for (int round = 0; round < ROUNDS; round++) {
        double beginning = 0, writing = 0, ending = 0;

        for (int game = 0; game < WRITTEN; game++) {
            double at[4] = {seconds(CLOCK_THREAD_CPUTIME_ID)};

            record_begin(&record, &header);
            at[1] = seconds(CLOCK_THREAD_CPUTIME_ID);
            for (int i = 0; i < STEPS; i++) {
                record_append(&record, &steps[i & 1], (i & 1) != 0 ? 123456 : -1);
            }
            at[2] = seconds(CLOCK_THREAD_CPUTIME_ID);
            record_end(&record, &result, NULL, hash);
            at[3] = seconds(CLOCK_THREAD_CPUTIME_ID);
            beginning += at[1] - at[0];
            writing += at[2] - at[1];
            ending += at[3] - at[2];
        }
        begin_us[round] = beginning * 1e6 / WRITTEN;
        ns[round] = writing * 1e9 / (WRITTEN * STEPS);
        end_us[round] = ending * 1e6 / WRITTEN;
    }
    printf("writing: %.1f us to begin a record, %.0f ns a step line, %.1f us to end it with %zu "
           "bytes\n",
           median(begin_us), median(ns), median(end_us), record.size);
    record_deinit(&record);
}

static void bench_read(void)
{
    double read[ROUNDS], replay[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        double begin, reading = 0, playing = 0;

        for (int i = 0; i < 10 * RECORDS; i++) {
            const struct record *record = &records[i % RECORDS];
            struct record_view *view = NULL;
            struct bg_match match;

            begin = seconds(CLOCK_THREAD_CPUTIME_ID);
            if (record_read(&view, record->text, record->size, NULL) != BG_OK ||
                record_check_hash(view, NULL) != BG_OK) {
                abort();
            }
            reading += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
            begin = seconds(CLOCK_THREAD_CPUTIME_ID);
            if (record_replay(&match, view, NULL) != BG_OK) {
                abort();
            }
            playing += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
            record_view_destroy(view);
        }
        read[round] = 10 * RECORDS / reading;
        replay[round] = 10 * RECORDS / playing;
    }
    printf("reading: %.0f records/s read and checked, %.0f records/s replayed\n", median(read),
           median(replay));
}

static struct store_game *make_game(int round, int i)
{
    struct store_game *game = calloc(1, sizeof *game);
    char id[BG_GAME_ID];

    snprintf(id, sizeof id, "one|two|%d|%d|0", round * GAMES + i / 2, i % 2);
    *game = (struct store_game){
        .id = strdup(id),
        .a = strdup("one"),
        .b = strdup("two"),
        .pair = (uint64_t)(round * GAMES + i / 2),
        .leg = i % 2,
        .points = 1,
        .level = 1,
        .end = BG_END_OFF,
        .match_over = true,
        .text = strdup(records[i % RECORDS].text),
        .text_size = records[i % RECORDS].size,
    };
    strcpy(game->hash, hashes[i % RECORDS]);
    return game;
}

/* CPU seconds of all threads except this one: user and kernel time. */
static void others(double out[2])
{
    struct rusage all, own;

    getrusage(RUSAGE_SELF, &all);
    getrusage(RUSAGE_THREAD, &own);
    out[0] = (double)(all.ru_utime.tv_sec - own.ru_utime.tv_sec) +
             (double)(all.ru_utime.tv_usec - own.ru_utime.tv_usec) / 1e6;
    out[1] = (double)(all.ru_stime.tv_sec - own.ru_stime.tv_sec) +
             (double)(all.ru_stime.tv_usec - own.ru_stime.tv_usec) / 1e6;
}

static void bench_store(const char *path)
{
    double rate[ROUNDS], put_us[ROUNDS], user_us[ROUNDS], kernel_us[ROUNDS];
    struct store *store = NULL;
    struct bg_error error = {0};

    if (store_sqlite_open(&store, path, &error) != BG_OK) {
        fprintf(stderr, "bench_store: %s\n", error.text);
        exit(1);
    }
    for (int round = 0; round < ROUNDS; round++) {
        double begin = seconds(CLOCK_MONOTONIC), putting = 0, before[2], after[2];

        others(before);
        for (int i = 0; i < GAMES; i++) {
            struct store_game *game = make_game(round, i);
            double put = seconds(CLOCK_THREAD_CPUTIME_ID);

            store_put_game(store, game, NULL);
            putting += seconds(CLOCK_THREAD_CPUTIME_ID) - put;
        }
        if (store->ops->flush(store, &error) != BG_OK) {
            fprintf(stderr, "bench_store: %s\n", error.text);
            exit(1);
        }
        rate[round] = GAMES / (seconds(CLOCK_MONOTONIC) - begin);
        others(after);
        put_us[round] = putting * 1e6 / GAMES;
        user_us[round] = (after[0] - before[0]) * 1e6 / GAMES;
        kernel_us[round] = (after[1] - before[1]) * 1e6 / GAMES;
    }
    printf(
        "store: %.0f games/s durable, %.2f us of the caller's CPU a game, %.1f us of the store's "
        "thread and %.1f us of the kernel for it\n",
        median(rate), median(put_us), median(user_us), median(kernel_us));
    store_destroy(store);
}

int main(int argc, char **argv)
{
    char folder[64] = "/tmp/bgref-bench-XXXXXX", path[512];
    char *made = argc > 1 ? argv[1] : mkdtemp(folder);

    if (sodium_init() < 0 || made == NULL) {
        perror("bench_store: temporary folder");
        return 1;
    }
    snprintf(path, sizeof path, "%s/bench_store.db", made);
    make_records();
    bench_write();
    bench_read();
    bench_store(path);
    for (int i = 0; i < RECORDS; i++) {
        record_deinit(&records[i]);
    }
    unlink(path);
    strcat(path, ".lock");
    unlink(path);
    if (argc <= 1) {
        rmdir(made);
    }
    return 0;
}
