/* The tally that is stored with the games: counting the games again always gives the same. */
#define _GNU_SOURCE
#include <sums/tally.h>

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <record/record_lookup.h>
#include <store/run.h>

#include "support/set_aside.h"
#include "support/random_match.h"
#include "support/results_folder.h"
#include "support/suite.h"

/* Pairs are in three runs. */
enum { BOTS = 18, PAIRS = 6, PAIR_STEP = 13, RECORDS = 12 };

static int bots = BOTS / 2; /* that play */
static const char letters[] = "0123456789abcdefgh";

/* From records: times, clocks, rolls. */
static struct record records[RECORDS];

static void make_records(void)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    struct chance chance = {17};
    char hash[RECORD_HASH];

    for (int i = 0; i < RECORDS; i++) {
        struct bg_match match;

        bg_match_begin(&match, &rules);
        random_game(&records[i], hash, &match, "a|b|0|0|0", "", i % 3 != 0, &chance);
    }
}

static void free_records(void)
{
    for (int i = 0; i < RECORDS; i++) {
        record_deinit(&records[i]);
    }
}

/* --- random games ------------------------------------------------------------------------- */

/* Its last line is "hash HASH". */
static void set_record(struct store_game *game, const struct record *record)
{
    free(game->text);
    game->text = strdup(record->text);
    game->text_size = record->size;
    snprintf(game->hash, sizeof game->hash, "%.64s", record->text + record->size - RECORD_HASH);
}

/* Any game of the schedule; the same place always has the same game. Matches end with their third
 * game, a money game ends immediately. */
static struct store_game *make_game(int a, int b, int pair, int leg, int number, int length)
{
    struct chance chance = {
        (uint64_t)((((a * BOTS / 2 + b) * PAIRS + pair) * 2 + leg) * 3 + number) + 1};
    struct store_game *game = calloc(1, sizeof *game);
    char names[2][8], id[64];
    int winner = (int)chance_below(&chance, 9);

    snprintf(names[0], sizeof names[0], "bot%c", letters[a]);
    snprintf(names[1], sizeof names[1], "bot%c", letters[b]);
    snprintf(id, sizeof id, "%s|%s|%d|%d|%d", names[0], names[1], pair, leg, number);
    *game = (struct store_game){
        .id = strdup(id),
        .a = strdup(names[0]),
        .b = strdup(names[1]),
        .pair = (uint64_t)pair,
        .leg = leg,
        .game = number,
        .length_points = length,
        .winner = winner == 8 ? -1 : winner % 2,
        .turns = 30 + number,
        .match_over = length == 0 || number == 2,
    };

    set_record(game, &records[chance_below(&chance, RECORDS - 1)]);
    game->left_ns[0] = chance_below(&chance, 60000) - 100;
    game->left_ns[1] = chance_below(&chance, 60000);
    if (game->winner >= 0) {
        game->level = 1 + (int)chance_below(&chance, 3);
        game->points = game->level << chance_below(&chance, 4);
    }
    game->end = winner == 0 ? BG_END_FAULT : winner == 8 ? BG_END_CAP : BG_END_OFF;
    game->fault = winner == 0 ? (enum bg_fault)(1 + chance_below(&chance, 4)) : BG_FAULT_NONE;
    game->match_winner = game->match_over ? game->winner : -1;
    return game;
}

/* Puts games anywhere in the schedule, some twice, some with another record (refused when they are
 * written). Returns the number of refused ones; asserts nothing, because child processes call it
 * too. */
static int put_games(struct store *store, int count, int length, struct chance *chance)
{
    int refused = 0;

    for (int i = 0; i < count; i++) {
        int a = (int)chance_below(chance, bots - 1), rest = bots - 1 - a;
        int b = a + 1 + (int)chance_below(chance, rest);
        struct store_game *game = make_game(a, b, PAIR_STEP * (int)chance_below(chance, PAIRS),
                                            (int)chance_below(chance, 2),
                                            length == 0 ? 0 : (int)chance_below(chance, 3), length);

        if (chance_below(chance, 20) == 0) {
            set_record(game, &records[RECORDS - 1]);
            game->points += 7;
        }
        refused += store_put_game(store, game, NULL) != BG_OK;
    }
    return refused;
}

/* --- the two tallies ---------------------------------------------------------------------- */

static bool count_game(void *user, const struct store_game *game)
{
    ck_assert_int_eq(tally_add_game(user, game, NULL), BG_OK);
    return true;
}

static bool take_encounter(void *user, const char *a, const char *b, int length_points,
                           const struct encounter *total)
{
    ck_assert_int_eq(tally_add_encounter(user, a, b, length_points, total, NULL), BG_OK);
    return true;
}

static bool take_lost(void *user, const char *bot, enum bg_fault fault, uint64_t games)
{
    ck_assert_int_eq(tally_add_faults(user, bot, fault, games, NULL), BG_OK);
    return true;
}

static void assert_same(const struct tally *x, const struct tally *y)
{
    ck_assert_int_eq(x->bots, y->bots);
    ck_assert_uint_eq(x->games, y->games);
    ck_assert_uint_eq(x->legs, y->legs);
    ck_assert_uint_eq(x->encounters, y->encounters);
    for (int a = 0; a < x->bots; a++) {
        ck_assert_str_eq(x->bot[a].name, y->bot[a].name);
        ck_assert_uint_eq(x->bot[a].games, y->bot[a].games);
        ck_assert_mem_eq(x->bot[a].faults, y->bot[a].faults, sizeof x->bot[a].faults);
        for (int b = 0; b < x->bots; b++) {
            bool flip = false;
            const struct tally_encounter *e = tally_encounter(x, a, b, &flip);
            const struct tally_encounter *f = tally_encounter(y, a, b, &flip);

            ck_assert_int_eq(e == NULL, f == NULL);
            ck_assert(e == NULL || memcmp(&e->total, &f->total, sizeof e->total) == 0);
        }
    }
}

/* --- runs ----------------------------------------------------------------------------------- */

/* Every run as bytes, in order. */
struct packed {
    unsigned char *bytes;
    size_t size, runs;
};

static void pack(struct packed *out, const unsigned char *bytes, size_t size)
{
    out->bytes = realloc(out->bytes, out->size + size);
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static bool pack_run(void *user, const struct run *run)
{
    struct packed *out = user;
    unsigned char *games, *sums;
    size_t game_bytes = run_pack_games(&games, run), sum_bytes = run_pack_sums(&sums, run);

    ck_assert(!run->is_strange);
    pack(out, (const unsigned char *)run->a, strlen(run->a) + 1);
    pack(out, (const unsigned char *)run->b, strlen(run->b) + 1);
    pack(out, (const unsigned char *)&run->first, sizeof run->first);
    pack(out, games, game_bytes);
    pack(out, sums, sum_bytes);
    free(games);
    free(sums);
    out->runs++;
    return true;
}

static bool build_run(void *user, const struct store_game *game)
{
    return run_build_game(user, game);
}

/* The runs of the store are those of its games, byte for byte. */
static void assert_runs(struct store *store)
{
    struct packed kept = {0}, counted = {0};
    struct run_build build = RUN_BUILD(true, pack_run, &counted);

    ck_assert_int_eq(store_all_runs(store, true, pack_run, &kept, NULL), BG_OK);
    ck_assert_int_eq(store_all_games(store, true, build_run, &build, NULL), BG_OK);
    run_build_end(&build);
    ck_assert_uint_eq(kept.runs, counted.runs);
    ck_assert_uint_eq(kept.size, counted.size);
    ck_assert(kept.size == 0 || memcmp(kept.bytes, counted.bytes, kept.size) == 0);
    free(kept.bytes);
    free(counted.bytes);
}

/* Views of runs, computed from them and from the games in another way. */
struct shown {
    struct tally tally;
    struct duration_histogram time[BOTS];
    int64_t least_left_ns[BOTS];
    uint64_t roll[RUN_ROLLS], starters[3];
    int bot[2]; /* by seat */
};

static struct shown *shown_create(int length)
{
    struct shown *shown = calloc(1, sizeof *shown);

    tally_init(&shown->tally, length);
    for (int i = 0; i < BOTS; i++) {
        shown->least_left_ns[i] = INT64_MAX;
    }
    return shown;
}

static void shown_destroy(struct shown *shown)
{
    tally_deinit(&shown->tally);
    free(shown);
}

static void show_left(struct shown *shown, int bot, int64_t left_ns)
{
    if (left_ns < shown->least_left_ns[bot]) {
        shown->least_left_ns[bot] = left_ns;
    }
}

static int bot_of(const char *name)
{
    return (int)(strchr(letters, name[3]) - letters);
}

static bool show_run(void *user, const struct run *run)
{
    struct shown *shown = user;

    for (size_t i = 0; i < run->games; i++) {
        struct store_game game;

        run_game_at(&game, run, i);
        count_game(&shown->tally, &game);
        shown->starters[run->game[i].starter + 1]++;
    }
    for (int side = 0; side < 2; side++) {
        const struct run_time *time = &run->sums.time[side];
        int bot = bot_of(side == 0 ? run->a : run->b);

        shown->time[bot].count += time->spent.count;
        shown->time[bot].sum_ns += time->spent.sum_ns;
        shown->time[bot].most_ns = fmax(shown->time[bot].most_ns, time->spent.most_ns);
        for (int i = 0; i < HISTOGRAM_PLACES; i++) {
            shown->time[bot].place[i] += time->spent.place[i];
        }
        show_left(shown, bot, time->least_left_ns);
    }
    for (int i = 0; i < RUN_ROLLS; i++) {
        shown->roll[i] += run->sums.roll[i];
    }
    return true;
}

static void show_time(void *user, int seat, int64_t spent_ns)
{
    struct shown *shown = user;

    histogram_add(&shown->time[shown->bot[seat]], spent_ns);
}

static void show_roll(void *user, int die, int other)
{
    struct shown *shown = user;

    shown->roll[6 * die + other - 7]++;
}

static bool show_game(void *user, const struct store_game *game)
{
    struct shown *shown = user;
    size_t size;

    count_game(&shown->tally, game);
    shown->starters[record_lookup_starter(game->text, game->text_size) + 1]++;
    shown->bot[game->leg] = bot_of(game->a);
    shown->bot[1 - game->leg] = bot_of(game->b);
    record_lookup_steps(game->text, game->text_size,
                        &(struct record_lookup_steps){.time = show_time,
                                                      .roll = game->leg == 0 ? show_roll : NULL,
                                                      .user = shown});
    for (int side = 0; side < 2; side++) {
        if (header_lookup(&size, game->text, game->text_size, "left") != NULL) {
            show_left(shown, shown->bot[side ^ game->leg], game->left_ns[side]);
        }
    }
    return true;
}

/* Tables show the same from the runs as from the games. */
static void assert_shown(struct store *store, int length)
{
    struct shown *runs = shown_create(length), *games = shown_create(length);

    ck_assert_int_eq(store_all_runs(store, true, show_run, runs, NULL), BG_OK);
    ck_assert_int_eq(store_all_games(store, true, show_game, games, NULL), BG_OK);
    assert_same(&runs->tally, &games->tally);
    ck_assert_mem_eq(runs->time, games->time, sizeof runs->time);
    ck_assert_mem_eq(runs->least_left_ns, games->least_left_ns, sizeof runs->least_left_ns);
    ck_assert_mem_eq(runs->roll, games->roll, sizeof runs->roll);
    ck_assert_mem_eq(runs->starters, games->starters, sizeof runs->starters);
    shown_destroy(runs);
    shown_destroy(games);
}

/* Returns the number of games. */
static uint64_t assert_kept(struct store *store, int length)
{
    struct tally counted, kept;
    uint64_t games = 0;
    bool is_kept = false;

    tally_init(&counted, length);
    tally_init(&kept, length);
    ck_assert_int_eq(store_all_games(store, false, count_game, &counted, NULL), BG_OK);
    ck_assert_int_eq(store_tally(store, &is_kept, take_encounter, take_lost, &kept, NULL), BG_OK);
    ck_assert(is_kept);
    assert_same(&counted, &kept);
    assert_runs(store);
    assert_shown(store, length);
    ck_assert_int_eq(store->ops->check(store, false, NULL), BG_OK);
    assert_ok(store->ops->check(store, true, &error));
    games = counted.games;
    tally_deinit(&counted);
    tally_deinit(&kept);
    return games;
}

/* --- tests -------------------------------------------------------------------------------- */

static const int lengths[] = {0, 5};

/* Groups of every size, with more encounters in one than are kept in memory. Conflicts are
 * reported, not counted. */
TEST_LOOP(tally_does_not_depend_on_order_or_repetition, 0, 2)
{
    struct chance chance = {(uint64_t)_i + 3};
    int length = lengths[_i];
    uint64_t games = 0;

    for (int round = 0; round < 12; round++) {
        struct store *store = open_store();

        ck_assert_int_eq(put_games(store, 1 + (int)chance_below(&chance, 150), length, &chance), 0);
        (void)store->ops->flush(store, NULL); /* may report a conflict */
        store_destroy(store);
        store = open_store();
        ck_assert_uint_ge(assert_kept(store, length), games);
        games = assert_kept(store, length);
        store_destroy(store);
    }
    ck_assert_uint_gt(games, 200);
}

/* More encounters and runs come repeatedly than are kept in memory between transactions. */
TEST_LOOP(evicted_sums_are_read_again, 0, 2)
{
    struct chance chance = {(uint64_t)_i + 61};
    struct store *store = open_store();

    bots = BOTS;
    for (int round = 0; round < 30; round++) {
        ck_assert_int_eq(
            put_games(store, 1 + (int)chance_below(&chance, 250), lengths[_i], &chance), 0);
        if (round % 5 == 4) {
            char name[32];

            snprintf(name, sizeof name, "bot0|bot%d|0", 1 + round / 5);
            (void)set_pair_aside(store, name, "shown", "2026-01-01T00:00:00Z", NULL);
        }
        (void)store->ops->flush(store, NULL); /* reports a conflict */
    }
    store_destroy(store);
    store = open_store();
    ck_assert_uint_gt(assert_kept(store, lengths[_i]), 1000);
    store_destroy(store);
    bots = BOTS / 2;
}

static bool take_pairs(void *user, const struct run *run)
{
    for (size_t i = 0; i < run->games; i++) {
        struct pair stands;

        run_pair(&stands, run, run->game[i].pair);
        tally_add_pair(user, run->a, run->b, run->game[i].pair, &stands);
    }
    return true;
}

static void add_durable(void *user, const struct store_game *game)
{
    if (tally_add_game(user, game, NULL) != BG_OK) {
        abort(); /* on the store's thread */
    }
}

/* A resume: earlier games come as sums with the state of their pairs; then games as they arrive. */
TEST_LOOP(later_games_are_added_to_the_sums, 0, 2)
{
    struct chance chance = {(uint64_t)_i + 41};
    struct store *store = open_store();
    struct tally resumed, counted;
    bool kept = false;

    ck_assert_int_eq(put_games(store, 700, lengths[_i], &chance), 0);
    (void)store->ops->flush(store, NULL); /* reports a conflict */
    store_destroy(store);
    store = open_store();
    tally_init(&resumed, lengths[_i]);
    ck_assert_int_eq(store_tally(store, &kept, take_encounter, take_lost, &resumed, NULL), BG_OK);
    ck_assert(kept);
    ck_assert_int_eq(store_all_runs(store, false, take_pairs, &resumed, NULL), BG_OK);
    store->ops->listen(store, &(struct store_listener){.game = add_durable, .user = &resumed});
    ck_assert_int_eq(put_games(store, 700, lengths[_i], &chance), 0);
    (void)store->ops->flush(store, NULL);
    store_destroy(store);
    store = open_store();
    tally_init(&counted, lengths[_i]);
    ck_assert_int_eq(store_all_games(store, false, count_game, &counted, NULL), BG_OK);
    ck_assert_uint_gt(counted.games, 300);
    assert_same(&counted, &resumed);
    tally_deinit(&resumed);
    tally_deinit(&counted);
    store_destroy(store);
}

/* Games that are removed leave the tally in the same transaction. */
TEST_LOOP(pairs_set_aside_are_not_counted, 0, 2)
{
    struct chance chance = {(uint64_t)_i + 11};
    struct store *store = open_store();
    uint64_t games;

    ck_assert_int_eq(put_games(store, 1500, lengths[_i], &chance), 0);
    (void)store->ops->flush(store, NULL); /* reports a conflict */
    store_destroy(store);
    store = open_store();
    games = assert_kept(store, lengths[_i]);
    for (int pair = 0; pair < PAIRS; pair++) {
        char name[32];

        snprintf(name, sizeof name, "bot0|bot%d|%d", 1 + pair, PAIR_STEP * pair);
        ck_assert_int_eq(put_games(store, 2, lengths[_i], &chance), 0);
        (void)set_pair_aside(store, name, "shown", "2026-01-01T00:00:00Z", NULL);
    }
    store_destroy(store);
    store = open_store();
    ck_assert_uint_lt(assert_kept(store, lengths[_i]), games);
    store_destroy(store);
}

/* Items that a full disk has removed from a transaction are not counted in the next one. */
TEST(a_failed_transaction_counts_nothing)
{
    struct chance chance = {5};
    struct store *store = open_store();
    struct rlimit limit, small;
    enum bg_status flushed;
    int refused = 0;

    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 600 << 10;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    refused = put_games(store, 3000, 0, &chance);
    flushed = store->ops->flush(store, NULL);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(refused, 0);
    ck_assert_int_eq(flushed, BG_E_TIMEOUT);
    (void)store->ops->flush(store, NULL);
    store_destroy(store);
    store = open_store();
    ck_assert_uint_gt(assert_kept(store, 0), 200);
    store_destroy(store);
}

/* The same if a game in the middle of a transaction cannot be written. */
TEST(a_transaction_that_stops_half_way_counts_nothing)
{
    struct chance chance = {6};
    struct store *store = open_store();

    sql("CREATE TRIGGER stop BEFORE INSERT ON game WHEN new.pair=39"
        " BEGIN SELECT RAISE(ABORT, 'not this one'); END");
    for (int part = 0; part < 3; part++) {
        ck_assert_int_eq(put_games(store, 100, 5, &chance), 0);
        ck_assert_int_eq(store->ops->flush(store, NULL), BG_E_STORE);
    }
    sql("DROP TRIGGER stop");
    (void)store->ops->flush(store, NULL);
    store_destroy(store);
    store = open_store();
    ck_assert_uint_gt(assert_kept(store, 5), 200);
    store_destroy(store);
}

static void write_until_killed(int round)
{
    struct chance chance = {(uint64_t)round + 77};
    struct store *store = NULL;

    if (store_sqlite_open(&store, path, NULL) != BG_OK) {
        _exit(1);
    }
    for (;;) {
        (void)put_games(store, 1 + (int)chance_below(&chance, 9), 5, &chance);
        (void)store->ops->flush(store, NULL);
    }
}

TEST(a_kill_leaves_game_and_tally_or_neither)
{
    struct chance chance = {11};
    uint64_t games = 0;

    for (int round = 0; round < 10 || (games == 0 && round < 100); round++) {
        pid_t child = fork();

        ck_assert_int_ge(child, 0);
        if (child == 0) {
            write_until_killed(round);
        }
        /* The time of the kill; later on a slow machine that has stored nothing yet. */
        poll(NULL, 0, 5 + (int)chance_below(&chance, 60) * (1 + round / 10));
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);

        struct store *store = open_store();

        games = assert_kept(store, 5);
        store_destroy(store);
    }
    ck_assert_uint_gt(games, 0);
}

/* Readers do not use a tally that somebody changed; the next writer counts it again. */
static const char *const deeds[] = {
    "UPDATE encounter SET total=x'ff' WHERE a='bot0'",
    "UPDATE encounter SET total=(SELECT total FROM encounter WHERE b='bot8') WHERE a='bot0'",
    "UPDATE encounter SET length=3 WHERE a='bot0'",
    "DELETE FROM encounter WHERE b='bot8'",
    "INSERT INTO encounter VALUES('bot0','bot99',0,x'0001')",
    "UPDATE lost SET games=games+1",
    "DELETE FROM lost WHERE bot='bot1'",
    "DELETE FROM seal WHERE name='encounter'",
    "UPDATE seal SET rows=rows+1 WHERE name IN ('encounter','lost')",
    "UPDATE seal SET sum=x'00' WHERE name IN ('encounter','lost')",
};

TEST_ROWS(a_changed_tally_is_rebuilt, deeds)
{
    struct chance chance = {2};
    struct store *store = open_store();
    bool kept = true;

    ck_assert_int_eq(put_games(store, 300, 0, &chance), 0);
    store_destroy(store);
    sql(deeds[_i]);
    ck_assert_int_eq(store_sqlite_open_read(&store, path, NULL), BG_OK);
    ck_assert_int_eq(store_tally(store, &kept, NULL, NULL, NULL, NULL), BG_OK);
    ck_assert(!kept);
    store_destroy(store);
    store = open_store();
    ck_assert_uint_gt(assert_kept(store, 0), 100);
    ck_assert_int_eq(put_games(store, 300, 0, &chance), 0);
    store_destroy(store);
    ck_assert_int_eq(store_sqlite_open_read(&store, path, NULL), BG_OK);
    ck_assert_uint_gt(assert_kept(store, 0), 200);
    store_destroy(store);
}

/* Readers build runs that somebody changed from the games, and a writer stores them again. */
static const char *const run_deeds[] = {
    "UPDATE run SET games=x'ff' WHERE a='bot0'",
    "UPDATE run SET games=(SELECT games FROM run WHERE b='bot8') WHERE a='bot0'",
    "UPDATE run SET sums=x'' WHERE b='bot1'",
    "UPDATE run SET first=first+32 WHERE first=64",
    "DELETE FROM run WHERE b='bot8'",
    "DELETE FROM run",
    "DELETE FROM seal WHERE name='run'",
};

TEST_ROWS(changed_runs_are_rebuilt, run_deeds)
{
    struct chance chance = {9};
    struct store *store = open_store();

    ck_assert_int_eq(put_games(store, 300, 0, &chance), 0);
    store_destroy(store);
    sql(run_deeds[_i]);
    ck_assert_int_eq(store_sqlite_open_read(&store, path, NULL), BG_OK);
    assert_runs(store);
    store_destroy(store);
    store = open_store();
    ck_assert_uint_gt(assert_kept(store, 0), 100);
    ck_assert_int_eq(put_games(store, 300, 0, &chance), 0);
    store_destroy(store);
    ck_assert_int_eq(store_sqlite_open_read(&store, path, NULL), BG_OK);
    ck_assert_uint_gt(assert_kept(store, 0), 200);
    store_destroy(store);
}

TEST(sums_as_bytes)
{
    static const unsigned char cut[] = {0x80}, unknown[] = {60, 1},
                               large[] = {0, 0xff, 0xff, 0xff, 0xff, 0x7f};
    unsigned char bytes[ENCOUNTER_BYTES];
    struct encounter x = {0}, y;
    size_t size = 0;

    ck_assert_uint_eq(encounter_pack(bytes, &x), 0);
    for (int i = 0; i < ENCOUNTER_COUNTS; i++) {
        x.count[i] = i % 3 == 0 ? UINT32_MAX : (uint32_t)i;
    }
    for (int i = 0; i < ENCOUNTER_SUMS; i++) {
        x.sum[i] = i % 3 == 0 ? INT64_MIN : i % 3 == 1 ? INT64_MAX : -i;
    }
    size = encounter_pack(bytes, &x);
    ck_assert_uint_le(size, sizeof bytes);
    ck_assert(encounter_unpack(&y, bytes, size));
    ck_assert_mem_eq(&x, &y, sizeof x);
    ck_assert(!encounter_unpack(&y, bytes, size - 1));
    ck_assert(!encounter_unpack(&y, cut, sizeof cut));
    ck_assert(!encounter_unpack(&y, unknown, sizeof unknown));
    ck_assert(!encounter_unpack(&y, large, sizeof large));
}

void suite_begin(TCase *tests)
{
    tcase_add_unchecked_fixture(tests, make_records, free_records);
    tcase_add_checked_fixture(tests, make_folder, folder_remove);
}
