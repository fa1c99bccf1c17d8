/* Bear-off without contact: one side's turns, and both sides' equities.
 *
 * Oracles: positions computed by hand; the plays of the rule library; gnubg's own databases where
 * they are installed. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bgref/evaluate.h>
#include <bgref/variant.h>

#include "exact/bearoff.h"

#include "support/suite.h"

#define ONE_SIDED "/usr/share/gnubg/gnubg_os0.bd"
#define TWO_SIDED "/var/lib/gnubg/gnubg_ts0.bd"

enum { POINTS = 6, HEADER = 40, FULL = 65535 };

static struct bearoff *bearoff;

static void create(void)
{
    assert_ok(bearoff_create(&bearoff, BEAROFF_POINTS, &error));
}

static void destroy(void)
{
    bearoff_destroy(bearoff);
}

/* ---- as a file ---- */

static void make_path(char path[64])
{
    int file;

    snprintf(path, 64, "/tmp/bgref-bearoff-XXXXXX");
    file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

TEST(test_a_file_has_the_same_table)
{
    struct bearoff *read = NULL;
    float made[BEAROFF_TURNS_MAX], kept[BEAROFF_TURNS_MAX];
    char path[64];

    make_path(path);
    assert_ok(bearoff_write(bearoff, path, &error));
    assert_ok(bearoff_open(&read, path, BEAROFF_POINTS, &error));
    ck_assert_int_eq(bearoff_count(read), bearoff_count(bearoff));
    for (int i = 0; i < bearoff_count(bearoff); i++) {
        int turns = bearoff_turns(bearoff, i, made);

        ck_assert_int_eq(bearoff_turns(read, i, kept), turns);
        ck_assert_mem_eq(kept, made, (size_t)turns * sizeof *kept);
        ck_assert(bearoff_mean(read, i) == bearoff_mean(bearoff, i));
        ck_assert(bearoff_win(read, i, 1000) == bearoff_win(bearoff, i, 1000));
    }
    bearoff_destroy(read);
    ck_assert_int_eq(bearoff_open(&read, path, 7, &error), BG_E_FORMAT);
    unlink(path);
    ck_assert_int_eq(bearoff_open(&read, path, BEAROFF_POINTS, &error), BG_E_SYSTEM);
}

static void flip(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    int byte;

    ck_assert_ptr_nonnull(file);
    fseek(file, at, SEEK_SET);
    byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 16, file);
    fclose(file);
}

/* One byte changed, anywhere behind the text or in its first line; cut short anywhere. */
TEST(test_damaged_files_are_refused)
{
    struct bearoff *read = NULL;
    char path[64];
    struct stat about;

    make_path(path);
    assert_ok(bearoff_write(bearoff, path, &error));
    ck_assert_int_eq(stat(path, &about), 0);
    for (int i = 0; i < 40; i++) {
        const long at = i < 10 ? i : 4096 + (about.st_size - 4097) * (i - 10) / 29;

        flip(path, at);
        ck_assert_msg(bearoff_open(&read, path, BEAROFF_POINTS, &error) == BG_E_FORMAT, "%ld", at);
        ck_assert_ptr_nonnull(strstr(error.text, path));
        flip(path, at);
    }
    assert_ok(bearoff_open(&read, path, BEAROFF_POINTS, &error));
    bearoff_destroy(read);
    for (int i = 9; i >= 0; i--) {
        ck_assert_int_eq(truncate(path, about.st_size * i / 10), 0);
        ck_assert_int_eq(bearoff_open(&read, path, BEAROFF_POINTS, &error), BG_E_FORMAT);
    }
    unlink(path);
}

/* ---- by hand ---- */

TEST(test_known_distributions)
{
    static const struct {
        const char *name;
        uint8_t at[BG_SLOTS];
        int turns;
        float chance[4];
    } rows[] = {
        {"all off", {15}, 1, {1.0f}},
        {"one on 1", {14, 1}, 2, {0.0f, 1.0f}},
        {"two on 1", {13, 2}, 2, {0.0f, 1.0f}},
        {"three on 1: doubles", {12, 3}, 3, {0.0f, 6.0f / 36, 30.0f / 36}},
        /* 6x, 51, 42, 33 and higher doubles, and 22: all but 11 (4 pips), 21, 31, 41, 32 */
        {"one on 6", {14, 0, 0, 0, 0, 0, 1}, 3, {0.0f, 27.0f / 36, 9.0f / 36}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        float chance[BEAROFF_TURNS_MAX];
        int position = bearoff_find(bearoff, rows[i].at);
        double mean = 0.0;

        ck_assert_msg(bearoff_turns(bearoff, position, chance) == rows[i].turns, "%s",
                      rows[i].name);
        for (int t = 0; t < rows[i].turns; t++) {
            ck_assert_msg(fabsf(chance[t] - rows[i].chance[t]) < 1e-6f, "%s: %g in %d turns",
                          rows[i].name, (double)chance[t], t);
            mean += t * (double)chance[t];
        }
        ck_assert_double_eq_tol(bearoff_mean(bearoff, position), mean, 1e-6);
    }
}

/* One checker on 6 each: the side on roll wins at once with 3/4, later only if the other fails
 * first. */
TEST(test_race_of_single_checkers)
{
    const uint8_t at[BG_SLOTS] = {[0] = 14, [6] = 1};
    int side = bearoff_find(bearoff, at);

    ck_assert_double_eq_tol(bearoff_win(bearoff, side, side), 0.75 + 0.25 * 0.25, 1e-6);
    ck_assert_double_eq_tol(bearoff_win(bearoff, 0, side), 1.0, 1e-6);
    ck_assert_double_eq_tol(bearoff_win(bearoff, side, 0), 0.0, 1e-6);
}

TEST(test_positions_that_are_not_in_it)
{
    const uint8_t far[BG_SLOTS] = {[0] = 14, [7] = 1}, bar[BG_SLOTS] = {[0] = 14, [BG_BAR] = 1};
    const uint8_t all[BG_SLOTS] = {[6] = 15};

    ck_assert_int_eq(bearoff_find(bearoff, far), -1);
    ck_assert_int_eq(bearoff_find(bearoff, bar), -1);
    ck_assert_int_eq(bearoff_find(bearoff, all), bearoff_count(bearoff) - 1);
}

/* ---- with the rule library's plays ---- */

/* Returns the least mean over the plays of a roll, by the rule library. */
static double least_mean(const struct bearoff *of, const struct bg_board *board, int roll)
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = bg_variant_find("backgammon");
    struct bg_stage stage = bg_stage_of_roll(variant, bg_roll_at(roll));
    double least = 1e9;

    bg_play_list(&plays, variant, board, 0, &stage);
    ck_assert_uint_gt(plays.count, 0);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;
        double mean;

        bg_play_make(&after, variant, board, 0, &plays.play[i]);
        mean = bearoff_mean(of, bearoff_find(of, after.at[0]));
        least = mean < least ? mean : least;
    }
    return least;
}

/* Every mean is one turn more than the mean of the best next ones. Many positions of 6 points, and
 * of 7, where not every checker is home. */
static void check_means(const struct bearoff *of, int points)
{
    for (int trial = 0; trial < 3000; trial++) {
        struct bg_board board = {.at = {{0}, {[BG_OFF] = 14, [1] = 1}}};
        int checkers = 1 + rand() % BG_CHECKERS;
        double mean = 1.0;

        board.at[0][BG_OFF] = (uint8_t)(BG_CHECKERS - checkers);
        for (int i = 0; i < checkers; i++) {
            board.at[0][1 + rand() % points]++;
        }
        for (int roll = 0; roll < BG_ROLLS; roll++) {
            mean += bg_roll_weight(roll) * least_mean(of, &board, roll) / 36.0;
        }
        ck_assert_double_eq_tol(bearoff_mean(of, bearoff_find(of, board.at[0])), mean, 2e-6);
    }
}

TEST(test_means_by_the_rules)
{
    check_means(bearoff, POINTS);
}

TEST(test_seven_points)
{
    struct bearoff *seven;

    assert_ok(bearoff_create(&seven, 7, &error));
    ck_assert_int_eq(bearoff_count(seven), 170544);
    check_means(seven, 7);
    bearoff_destroy(seven);
}

/* ---- gnubg ---- */

static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static unsigned word(const uint8_t *at)
{
    return at[0] + 256u * at[1];
}

/* gnubg's order: by the number of checkers, then by their points in ascending order. Returns false
 * after the last. */
static bool next_in_gnubg(int point[BG_CHECKERS], int *checkers, int most)
{
    for (int i = *checkers - 1; i >= 0; i--) {
        if (point[i] < POINTS) {
            int to = point[i] + 1;

            for (int k = i; k < *checkers; k++) {
                point[k] = to;
            }
            return true;
        }
    }
    if (*checkers == most) {
        return false;
    }
    (*checkers)++;
    for (int k = 0; k < *checkers; k++) {
        point[k] = 1;
    }
    return true;
}

static int list_gnubg(int *found, int most, int (*find)(const uint8_t at[BG_SLOTS]))
{
    int point[BG_CHECKERS], checkers = 0, count = 0;

    do {
        uint8_t at[BG_SLOTS] = {0};

        at[BG_OFF] = (uint8_t)(BG_CHECKERS - checkers);
        for (int i = 0; i < checkers; i++) {
            at[point[i]]++;
        }
        found[count++] = find(at);
    } while (next_in_gnubg(point, &checkers, most));
    return count;
}

static int find_one(const uint8_t at[BG_SLOTS])
{
    return bearoff_find(bearoff, at);
}

/* An index of 8 bytes for each position: the start of its words, the first turn and the number of
 * turns of the whole bear-off, then the same of the first checker. Two plays with equally many
 * turns on average can have different chances, so the mean is compared strictly and the chances
 * loosely. */
TEST(test_one_sided_equals_gnubg)
{
    static int number[54264];
    double most_mean = 0.0, most_chance = 0.0;
    int different = 0;
    size_t size, words;
    uint8_t *bytes;

    if (access(ONE_SIDED, R_OK) != 0) {
        return;
    }
    bytes = read_whole(ONE_SIDED, &size);
    ck_assert_int_eq(memcmp(bytes, "gnubg-OS-06-15-1-1-0", 20), 0);
    ck_assert_int_eq(list_gnubg(number, BG_CHECKERS, find_one), bearoff_count(bearoff));
    words = HEADER + 8u * (size_t)bearoff_count(bearoff);
    for (int i = 0; i < bearoff_count(bearoff); i++) {
        const uint8_t *entry = bytes + HEADER + 8 * (size_t)i;
        const uint8_t *at = bytes + words + 2 * (word(entry) + 65536u * word(entry + 2));
        float chance[BEAROFF_TURNS_MAX] = {0};
        double mean = 0.0, largest = 0.0;
        int turns = bearoff_turns(bearoff, number[i], chance);

        for (int t = 0; t < turns || t < entry[5] + entry[4]; t++) {
            bool has = t >= entry[5] && t < entry[5] + entry[4];
            double theirs = has ? word(at + 2 * (t - entry[5])) / (double)FULL : 0.0;
            double difference = fabs(theirs - (t < turns ? (double)chance[t] : 0.0));

            mean += t * theirs;
            largest = difference > largest ? difference : largest;
        }
        different += largest > 0.0002;
        most_chance = largest > most_chance ? largest : most_chance;
        mean = fabs(mean - bearoff_mean(bearoff, number[i]));
        most_mean = mean > most_mean ? mean : most_mean;
    }
    free(bytes);
    printf("one side: means differ by at most %.6f, chances by %.6f; %d positions by more than "
           "0.0002\n",
           most_mean, most_chance, different);
    ck_assert_double_lt(most_mean, 0.0003);
    ck_assert_double_lt(most_chance, 0.01);
    ck_assert_int_lt(different, 200);
}

void suite_begin(TCase *tests)
{
    tcase_add_unchecked_fixture(tests, create, destroy);
}
