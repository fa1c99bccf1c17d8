/* Hypergammon: its positions and plays, its solution, and the file of it.
 *
 * Oracles: the rule library's plays; a slow solver with other numbers, other plays and another
 * order; gnubg's makehyper where it is installed. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bgref/evaluate.h>
#include <bgref/variant.h>

#include "exact/solve.h"
#include "exact/hyper_file.h"

#include "support/suite.h"

static struct bg_play_list plays;

static const struct bg_variant *variant(void)
{
    return bg_variant_find("hypergammon");
}

/* Puts seat's checkers there; the rest of `checkers` is off. */
static void put(struct bg_board *board, int seat, const struct hyper *hyper, int position)
{
    uint8_t at[HYPER_PLACES + 1];

    men_place(at, &hyper->men, position);
    memset(board->at[seat], 0, sizeof board->at[seat]);
    memcpy(board->at[seat], at, sizeof at);
}

static bool legal(const struct bg_board *board)
{
    for (int p = 1; p <= BG_POINTS; p++) {
        if (board->at[0][p] > 0 && board->at[1][25 - p] > 0) {
            return false;
        }
    }
    return true;
}

/* ---- positions and plays ---- */

TEST(test_numbers_of_positions)
{
    static const int ways[] = {0, 26, 351, 3276};

    for (int checkers = 1; checkers <= 3; checkers++) {
        struct men men;

        men_init(&men, HYPER_PLACES, checkers);
        ck_assert_int_eq(men.ways, ways[checkers]);
        for (int i = 0; i < men.ways; i++) {
            uint8_t at[HYPER_PLACES + 1];
            int count = 0;

            men_place(at, &men, i);
            for (int p = 0; p <= HYPER_PLACES; p++) {
                count += at[p];
            }
            ck_assert_int_eq(count, checkers);
            ck_assert_int_eq(men_number(&men, at), i);
        }
    }
}

/* Returns whether one of the listed plays gives these positions of both sides. */
static bool has(const struct hyper *hyper, int own, int other, int roll, int own_after,
                int other_after)
{
    int count;
    const struct hyper_side *side = &hyper->side[other];
    const struct hyper_play *list = hyper_list(&count, hyper, own, side->block, roll);

    for (int i = 0; i < count; i++) {
        if (list[i].to == own_after && side->hit[hyper_hit(side, list[i].landed)] == other_after) {
            return true;
        }
    }
    return false;
}

static int distinct(const struct hyper *hyper, int own, int other, int roll)
{
    int count, different = 0;
    const struct hyper_side *side = &hyper->side[other];
    const struct hyper_play *list = hyper_list(&count, hyper, own, side->block, roll);

    for (int i = 0; i < count; i++) {
        bool is_new = true;

        for (int k = 0; k < i && is_new; k++) {
            is_new = list[k].to != list[i].to || side->hit[hyper_hit(side, list[k].landed)] !=
                                                     side->hit[hyper_hit(side, list[i].landed)];
        }
        different += is_new;
    }
    return different;
}

static void check_plays(const struct hyper *hyper, int own, int other)
{
    struct bg_board board = {0};

    put(&board, 0, hyper, own);
    put(&board, 1, hyper, other);
    if (own == 0 || other == 0 || !legal(&board)) {
        ck_assert(own == 0 || other == 0 || !hyper_fits(hyper, own, other));
        return;
    }
    ck_assert(hyper_fits(hyper, own, other));
    ck_assert_int_eq(hyper->side[other].level, bg_variant_level(variant(), &board, 0));
    for (int roll = 0; roll < BG_ROLLS; roll++) {
        struct bg_stage stage = bg_stage_of_roll(variant(), bg_roll_at(roll));

        bg_play_list(&plays, variant(), &board, 0, &stage);
        for (size_t i = 0; i < plays.count; i++) {
            struct bg_board after;

            bg_play_make(&after, variant(), &board, 0, &plays.play[i]);
            ck_assert_msg(has(hyper, own, other, roll, hyper_find(hyper, after.at[0]),
                              hyper_find(hyper, after.at[1])),
                          "%d against %d, roll %d", own, other, roll);
        }
        if (plays.count == 0) {
            ck_assert(has(hyper, own, other, roll, own, other));
        }
        ck_assert_int_eq(distinct(hyper, own, other, roll),
                         plays.count == 0 ? 1 : (int)plays.count);
    }
}

TEST(test_plays_by_the_rules)
{
    for (int checkers = 1; checkers <= 3; checkers++) {
        struct hyper hyper;

        assert_ok(hyper_init(&hyper, checkers, &error));
        for (int trial = 0; trial < 4000; trial++) {
            check_plays(&hyper, rand() % hyper.men.ways, rand() % hyper.men.ways);
        }
        hyper_deinit(&hyper);
    }
}

/* ---- a slow solver ---- */

/* Positions are numbered by the places of both sides' checkers in base 26, own first, each side's
 * in descending order; the values are doubles; the plays are the rule library's. */
enum { SLOW_MAX = 351 * 351, EQUITIES = 5 };

struct slow {
    int count; /* of positions */
    struct bg_board *board;
    int *where;                 /* [key]: number, -1 none */
    double (*value)[EQUITIES];  /* own cube, other's, centred, Jacoby, cubeless */
    double (*rolled)[EQUITIES]; /* the same without a double */
    bool as_gnubg;              /* see check_gnubg */
    int *next;                  /* lists of following positions: a length, then their numbers */
    size_t *start;              /* [number * 21 + roll] */
    size_t used, capacity;
};

static int key_of_side(const uint8_t at[BG_SLOTS])
{
    int key = 0;

    for (int p = BG_BAR; p >= 0; p--) {
        for (int i = 0; i < at[p]; i++) {
            key = key * 26 + p;
        }
    }
    return key;
}

static int key_of(const struct bg_board *board, int checkers)
{
    int sides = checkers == 1 ? 26 : 26 * 26;

    return key_of_side(board->at[0]) * sides + key_of_side(board->at[1]);
}

static void slow_positions(struct slow *slow, int checkers)
{
    int sides = checkers == 1 ? 26 : 26 * 26;

    slow->board = calloc(SLOW_MAX, sizeof *slow->board);
    slow->where = malloc((size_t)sides * (size_t)sides * sizeof *slow->where);
    slow->value = calloc(SLOW_MAX, sizeof *slow->value);
    slow->rolled = calloc(SLOW_MAX, sizeof *slow->rolled);
    slow->start = calloc((size_t)SLOW_MAX * BG_ROLLS, sizeof *slow->start);
    ck_assert(slow->board != NULL && slow->where != NULL && slow->value != NULL &&
              slow->rolled != NULL && slow->start != NULL);
    for (int key = 0; key < sides * sides; key++) {
        struct bg_board board = {0};
        int place[4] = {key / sides / 26, key / sides % 26, key % sides / 26, key % sides % 26};

        slow->where[key] = -1;
        for (int seat = 0; seat < 2; seat++) {
            if (checkers == 2) {
                board.at[seat][place[2 * seat]]++;
            }
            board.at[seat][place[2 * seat + 1]]++;
        }
        if (key_of(&board, checkers) == key && legal(&board)) {
            slow->where[key] = slow->count;
            slow->board[slow->count++] = board;
        }
    }
}

static void slow_add(struct slow *slow, int number)
{
    if (slow->used == slow->capacity) {
        slow->capacity = 2 * slow->capacity + (1 << 20);
        slow->next = realloc(slow->next, slow->capacity * sizeof *slow->next);
        ck_assert_ptr_nonnull(slow->next);
    }
    slow->next[slow->used++] = number;
}

static void slow_plays(struct slow *slow, int checkers)
{
    for (int i = 0; i < slow->count; i++) {
        const struct bg_board *board = &slow->board[i];

        for (int roll = 0; roll < BG_ROLLS; roll++) {
            struct bg_stage stage = bg_stage_of_roll(variant(), bg_roll_at(roll));
            struct bg_board after;

            slow->start[i * BG_ROLLS + roll] = slow->used;
            if (board->at[0][BG_OFF] == checkers || board->at[1][BG_OFF] == checkers) {
                continue;
            }
            bg_play_list(&plays, variant(), board, 0, &stage);
            slow_add(slow, (int)plays.count); /* 0: the position itself follows */
            for (size_t k = 0; k < plays.count; k++) {
                bg_play_make(&after, variant(), board, 0, &plays.play[k]);
                bg_board_swap(&after, &after);
                slow_add(slow, slow->where[key_of(&after, checkers)]);
            }
            if (plays.count == 0) {
                bg_board_swap(&after, board);
                slow_add(slow, slow->where[key_of(&after, checkers)]);
            }
        }
    }
}

/* The equities of rolling without a double, by the other side's best equities afterwards. */
static void slow_rolled(double out[EQUITIES], const struct slow *slow, int number)
{
    static const int turned[EQUITIES] = {1, 0, 2, 3, 4};

    memset(out, 0, EQUITIES * sizeof *out);
    for (int roll = 0; roll < BG_ROLLS; roll++) {
        const int *list = slow->next + slow->start[number * BG_ROLLS + roll];
        const bool odd = list[0] == 0 && slow->as_gnubg;
        double least[EQUITIES] = {9, 9, 9, 9, 9};

        for (int i = 1; i <= (list[0] == 0 ? 1 : list[0]); i++) {
            const double *value = odd ? slow->rolled[list[i]] : slow->value[list[i]];

            for (int e = 0; e < EQUITIES; e++) {
                least[e] = value[e] < least[e] ? value[e] : least[e];
            }
        }
        for (int e = 0; e < EQUITIES; e++) {
            out[e] -= least[odd ? e : turned[e]] * bg_roll_weight(roll) / 36.0;
        }
    }
}

static double slow_sweep(struct slow *slow, int checkers)
{
    double change = 0.0;

    for (int i = 0; i < slow->count; i++) {
        const struct bg_board *board = &slow->board[i];
        double rolled[EQUITIES], cash;

        if (board->at[0][BG_OFF] == checkers) {
            continue; /* the side on roll is already off: not a position of a game */
        }
        if (board->at[1][BG_OFF] == checkers) {
            for (int e = 0; e < EQUITIES; e++) {
                slow->value[i][e] = e == 3 ? -1.0 : -bg_variant_level(variant(), board, 1);
            }
            continue;
        }
        slow_rolled(rolled, slow, i);
        cash = fmin(2.0 * rolled[1], 1.0);
        memcpy(slow->rolled[i], rolled, sizeof rolled);
        for (int e = 0; e < EQUITIES; e++) {
            double value = e == 1 || e == 4 ? rolled[e] : fmax(rolled[e], cash);

            change = fmax(change, fabs(value - slow->value[i][e]));
            slow->value[i][e] = value;
        }
    }
    return change;
}

static void slow_solve(struct slow *slow, int checkers, bool as_gnubg)
{
    memset(slow, 0, sizeof *slow);
    slow->as_gnubg = as_gnubg;
    slow_positions(slow, checkers);
    slow_plays(slow, checkers);
    while (slow_sweep(slow, checkers) >= 1e-6) {
    }
}

static void slow_free(struct slow *slow)
{
    free(slow->board);
    free(slow->where);
    free(slow->value);
    free(slow->rolled);
    free(slow->next);
    free(slow->start);
}

/* ---- gnubg ---- */

#define MAKEHYPER "/usr/games/makehyper"

enum { HEADER = 40, ENTRY = 28, FULL = 0xffffff };

static double word(const uint8_t *at)
{
    return (at[0] + 256.0 * at[1] + 65536.0 * at[2]) / FULL;
}

/* gnubg's number of a side's position: by the checkers on the board, then by their places in
 * ascending order. */
static int number_in_gnubg(const uint8_t at[BG_SLOTS], int checkers)
{
    int place[2] = {0}, used = 0;

    for (int p = 1; p <= BG_BAR; p++) {
        for (int i = 0; i < at[p]; i++) {
            place[used++] = p;
        }
    }
    ck_assert_int_le(checkers, 2);
    if (used < 2) {
        return place[0];
    }
    return 25 + (place[0] - 1) * 25 - (place[0] - 1) * (place[0] - 2) / 2 + place[1] - place[0] + 1;
}

/* An entry has 24-bit numbers: five chances without a cube, then the equities of rolling without a
 * double, -3 to 3: own cube, centred, centred with Jacoby, the other side's.
 *
 * Its makehyper has a mistake (1.07): after a roll that cannot be played it takes the other side's
 * stored equities as they are, with the owner of the cube exchanged and without the right to
 * double. With two checkers this changes half of the equities with a cube, by up to 0.021. A slow
 * solver with the same mistake must agree in every position; with one checker no roll is lost, and
 * without a cube the mistake has no effect. */
static void check_gnubg(const struct slow *slow, int checkers)
{
    static const int column[EQUITIES] = {0, 3, 1, 2, -1};
    char path[] = "/tmp/bgref-makehyper-XXXXXX", command[256];
    int file = mkstemp(path);
    size_t ways = checkers == 1 ? 26 : 351;
    double most = 0.0;
    FILE *in;
    uint8_t *bytes = malloc(ways * ways * ENTRY);

    ck_assert(file >= 0 && bytes != NULL);
    snprintf(command, sizeof command, MAKEHYPER " -n -c %d -t 1e-6 -f %s >/dev/null", checkers,
             path);
    ck_assert_int_eq(system(command), 0);
    in = fdopen(file, "rb");
    ck_assert_int_eq(fseek(in, HEADER, SEEK_SET), 0);
    ck_assert_uint_eq(fread(bytes, ENTRY, ways * ways, in), ways * ways);
    fclose(in);
    unlink(path);
    for (int i = 0; i < slow->count; i++) {
        const struct bg_board *board = &slow->board[i];
        const uint8_t *entry =
            bytes + ENTRY * (ways * (size_t)number_in_gnubg(board->at[0], checkers) +
                             (size_t)number_in_gnubg(board->at[1], checkers));
        double rolled[EQUITIES], cubeless = 2.0 * word(entry) - 1.0 + word(entry + 3) +
                                            word(entry + 6) - word(entry + 9) - word(entry + 12);

        if (board->at[0][BG_OFF] == checkers || board->at[1][BG_OFF] == checkers) {
            continue;
        }
        slow_rolled(rolled, slow, i);
        for (int e = 0; e < EQUITIES; e++) {
            double theirs = column[e] < 0 ? cubeless : 6.0 * word(entry + 15 + 3 * column[e]) - 3.0;

            most = fmax(most, fabs(theirs - rolled[e]));
        }
    }
    free(bytes);
    printf("%d checkers: largest difference from gnubg %.8f\n", checkers, most);
    ck_assert_double_lt(most, 3e-5);
}

/* ---- the solution ---- */

/* The mover's value of this position after its play, from the other side's values. */
static double after_play(const struct hyper *hyper, const struct solution *solution,
                         const struct bg_board *after, int goal)
{
    static const int theirs[GOAL_COUNT] = {GOAL_OTHER,    GOAL_OWN, GOAL_MIDDLE, GOAL_JACOBY,
                                           GOAL_CUBELESS, GOAL_WIN, GOAL_SAVE,   GOAL_GAMMON};
    const struct values *values =
        solution_at(solution, hyper_find(hyper, after->at[1]), hyper_find(hyper, after->at[0]));
    int level = bg_variant_level(variant(), after, 0);

    if (after->at[0][BG_OFF] < hyper->checkers) {
        return -(double)values->at[theirs[goal]];
    }
    switch (goal) { /* the mover has won */
    case GOAL_JACOBY:
    case GOAL_WIN:
    case GOAL_SAVE:
        return 1.0;
    case GOAL_GAMMON:
        return level > 1 ? 1.0 : 0.0;
    default:
        return level;
    }
}

/* The values of rolling now, one step on by the rule library's plays. */
static void step(double out[GOAL_COUNT], const struct hyper *hyper, const struct solution *solution,
                 const struct bg_board *board)
{
    memset(out, 0, GOAL_COUNT * sizeof *out);
    for (int roll = 0; roll < BG_ROLLS; roll++) {
        struct bg_stage stage = bg_stage_of_roll(variant(), bg_roll_at(roll));
        double best[GOAL_COUNT];

        bg_play_list(&plays, variant(), board, 0, &stage);
        for (int g = 0; g < GOAL_COUNT; g++) {
            best[g] = -1e9;
        }
        for (size_t i = 0; i == 0 || i < plays.count; i++) {
            struct bg_board after = *board;

            if (plays.count > 0) {
                bg_play_make(&after, variant(), board, 0, &plays.play[i]);
            }
            for (int g = 0; g < GOAL_COUNT; g++) {
                best[g] = fmax(best[g], after_play(hyper, solution, &after, g));
            }
        }
        for (int g = 0; g < GOAL_COUNT; g++) {
            out[g] += best[g] * bg_roll_weight(roll) / 36.0;
        }
    }
}

/* The one-step equation at random positions. */
static void check_steps(const struct hyper *hyper, const struct solution *solution, int positions)
{
    double most = 0.0;

    for (int done = 0; done < positions;) {
        int own = 1 + rand() % (hyper->men.ways - 1), other = 1 + rand() % (hyper->men.ways - 1);
        const struct values *values = solution_at(solution, own, other);
        struct bg_board board = {0};
        double rolled[GOAL_COUNT], cash;

        put(&board, 0, hyper, own);
        put(&board, 1, hyper, other);
        if (!legal(&board)) {
            continue;
        }
        step(rolled, hyper, solution, &board);
        cash = fmin(2.0 * rolled[GOAL_OTHER], 1.0);
        for (int g = 0; g < GOAL_COUNT; g++) {
            bool may = g == GOAL_OWN || g == GOAL_MIDDLE || g == GOAL_JACOBY;
            double value = may ? fmax(rolled[g], cash) : rolled[g];

            most = fmax(most, fabs(value - (double)values->at[g]));
        }
        done++;
    }
    printf("%d checkers: %d sweeps, one step at %d positions, largest difference %.8f\n",
           hyper->checkers, solution->sweeps, positions, most);
    ck_assert_double_lt(most, 1e-5);
}

static void check_slow(int checkers, bool gnubg)
{
    static const enum goal goals[EQUITIES] = {GOAL_OWN, GOAL_OTHER, GOAL_MIDDLE, GOAL_JACOBY,
                                              GOAL_CUBELESS};
    struct solution solution;
    struct hyper hyper;
    struct slow slow;
    double most = 0.0;

    assert_ok(hyper_init(&hyper, checkers, &error));
    assert_ok(
        solve(&solution, &hyper, &(struct solve_settings){1e-6f, 100, 1, NULL, NULL}, &error));
    slow_solve(&slow, checkers, false);
    for (int i = 0; i < slow.count; i++) {
        int own = hyper_find(&hyper, slow.board[i].at[0]);
        int other = hyper_find(&hyper, slow.board[i].at[1]);
        const struct values *values = solution_at(&solution, own, other);

        for (int e = 0; e < EQUITIES && own > 0; e++) {
            double difference = fabs((double)values->at[goals[e]] - slow.value[i][e]);

            most = difference > most ? difference : most;
        }
    }
    printf("%d checkers: %d positions, %d sweeps, largest difference from the slow solver %.8f\n",
           checkers, slow.count, solution.sweeps, most);
    ck_assert_double_lt(most, 1e-5);
    if (gnubg && access(MAKEHYPER, X_OK) == 0) {
        struct slow theirs;

        slow_solve(&theirs, checkers, true);
        check_gnubg(&theirs, checkers);
        slow_free(&theirs);
    }
    check_steps(&hyper, &solution, 1000);
    slow_free(&slow);
    solution_deinit(&solution);
    hyper_deinit(&hyper);
}

TEST(test_one_checker_as_the_slow_solver)
{
    check_slow(1, true);
}

TEST(test_two_checkers_as_the_slow_solver)
{
    check_slow(2 / TEST_PART, false); /* under a sanitizer one checker: the same lines of code */
}

TEST_IN(long, test_two_checkers_as_gnubg)
{
    check_slow(2, true);
}

TEST_IN(long, test_three_checkers_step)
{
    struct solution solution;
    struct hyper hyper;

    assert_ok(hyper_init(&hyper, 3, &error));
    assert_ok(
        solve(&solution, &hyper, &(struct solve_settings){1e-6f, 100, 1, NULL, NULL}, &error));
    check_steps(&hyper, &solution, 10000);
    solution_deinit(&solution);
    hyper_deinit(&hyper);
}

TEST(test_sweeps_end)
{
    struct solution solution;
    struct hyper hyper;

    assert_ok(hyper_init(&hyper, 1, &error));
    ck_assert_int_eq(
        solve(&solution, &hyper, &(struct solve_settings){1e-6f, 3, 1, NULL, NULL}, &error),
        BG_E_ARGUMENT);
    ck_assert_ptr_null(solution.values);
    ck_assert_ptr_nonnull(strstr(error.text, "3 sweeps"));
    hyper_deinit(&hyper);
}

/* The same bits, however many threads. */
TEST(test_threads_change_nothing)
{
    struct solution one, many;
    struct hyper hyper;

    assert_ok(hyper_init(&hyper, 1, &error));
    assert_ok(solve(&one, &hyper, &(struct solve_settings){1e-6f, 100, 1, NULL, NULL}, &error));
    for (int threads = 2; threads <= SOLVE_THREADS_MAX; threads += 3) {
        assert_ok(solve(&many, &hyper, &(struct solve_settings){1e-6f, 100, threads, NULL, NULL},
                        &error));
        ck_assert_int_eq(many.sweeps, one.sweeps);
        ck_assert_mem_eq(many.values, one.values, (size_t)(26 * 26) * sizeof *one.values);
        solution_deinit(&many);
    }
    solution_deinit(&one);
    hyper_deinit(&hyper);
}

/* ---- the file ---- */

struct place {
    char folder[64], path[HYPER_FILE_PATH];
};

static void place_make(struct place *place, struct hyper *hyper, struct solution *solution)
{
    snprintf(place->folder, sizeof place->folder, "/tmp/bgref-hyper-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place->folder));
    ck_assert_int_eq(setenv("BGREF_CACHE", place->folder, 1), 0);
    assert_ok(hyper_file_find_path(place->path, 1, &error));
    assert_ok(hyper_init(hyper, 1, &error));
    assert_ok(solve(solution, hyper, &(struct solve_settings){1e-6f, 100, 1, NULL, NULL}, &error));
    assert_ok(hyper_file_write(solution, place->path, &error));
}

static void place_remove(struct place *place, struct hyper *hyper, struct solution *solution)
{
    ck_assert_int_eq(unlink(place->path), 0);
    ck_assert_int_eq(rmdir(place->folder), 0); /* no draft is left */
    solution_deinit(solution);
    hyper_deinit(hyper);
}

TEST(test_file_keeps_everything)
{
    struct solution solution;
    struct hyper hyper;
    struct place place;
    struct hyper_file table;

    place_make(&place, &hyper, &solution);
    assert_ok(hyper_file_open(&table, place.path, 1, &error));
    ck_assert_int_eq(table.solution.ways, solution.ways);
    ck_assert_int_eq(table.solution.sweeps, solution.sweeps);
    ck_assert_mem_eq(table.solution.values, solution.values,
                     (size_t)(26 * 26) * sizeof *solution.values);
    hyper_file_close(&table);
    ck_assert_int_eq(hyper_file_open(&table, place.path, 2, &error), BG_E_FORMAT);
    place_remove(&place, &hyper, &solution);
    ck_assert_int_eq(hyper_file_open(&table, place.path, 1, &error), BG_E_SYSTEM);
}

/* One byte changed, one missing, nothing at all. */
TEST(test_damaged_files_are_refused)
{
    struct solution solution;
    struct hyper hyper;
    struct place place;
    struct hyper_file table;
    struct stat about;
    FILE *file;

    place_make(&place, &hyper, &solution);
    ck_assert_int_eq(stat(place.path, &about), 0);
    for (int i = 0; i < 50; i++) {
        long at = 4096 + rand() % (about.st_size - 4096);
        int byte;

        file = fopen(place.path, "r+b");
        fseek(file, at, SEEK_SET);
        byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ 1 << i % 8, file);
        fclose(file);
        ck_assert_int_eq(hyper_file_open(&table, place.path, 1, &error), BG_E_FORMAT);
        ck_assert_ptr_nonnull(strstr(error.text, "digest"));
        file = fopen(place.path, "r+b");
        fseek(file, at, SEEK_SET);
        fputc(byte, file);
        fclose(file);
    }
    assert_ok(hyper_file_open(&table, place.path, 1, &error));
    hyper_file_close(&table);
    ck_assert_int_eq(truncate(place.path, about.st_size - 1), 0);
    ck_assert_int_eq(hyper_file_open(&table, place.path, 1, &error), BG_E_FORMAT);
    ck_assert_int_eq(truncate(place.path, 0), 0);
    ck_assert_int_eq(hyper_file_open(&table, place.path, 1, &error), BG_E_FORMAT);
    place_remove(&place, &hyper, &solution);
}

TEST(test_folder_of_the_file)
{
    char path[HYPER_FILE_PATH];

    setenv("BGREF_CACHE", "/a/b", 1);
    setenv("XDG_CACHE_HOME", "/c", 1);
    setenv("HOME", "/d", 1);
    assert_ok(hyper_file_find_path(path, 3, &error));
    ck_assert_str_eq(path, "/a/b/hypergammon-3.values");
    unsetenv("BGREF_CACHE");
    assert_ok(hyper_file_find_path(path, 3, &error));
    ck_assert_str_eq(path, "/c/bgref/hypergammon-3.values");
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_ok(hyper_file_find_path(path, 2, &error));
    ck_assert_str_eq(path, "/d/.cache/bgref/hypergammon-2.values");
    unsetenv("HOME");
    ck_assert_int_eq(hyper_file_find_path(path, 2, &error), BG_E_ARGUMENT);
}

/* test_hyper: what is quick; test_hyper long: minutes. */
void suite_begin(TCase *tests)
{
    suite_on_request("long");
    tcase_set_timeout(suite_case("long"), 3600);
}
