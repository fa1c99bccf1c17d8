/* Position-rolls per second of bg_play_list on one core, over the rows of backgammon-moves.tsv.
 * Positions are decoded before the clock starts.
 *
 *     bench_plays [ROWS.tsv] [RUNS]
 */
#include <bgref/notation.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/moves_file.h"
#include "timing.h"

enum { CASES_MAX = 100000, RUNS_MAX = 99, RUN_NS = 300 * 1000 * 1000 };

struct bench_case {
    struct bg_board board;
    struct bg_stage stage;
};

static struct bench_case cases[CASES_MAX];
static int case_count;
static struct bg_play_list list;

static void read_cases(const char *path)
{
    static struct moves_row row;
    FILE *file = fopen(path, "r");
    struct bg_error err;

    if (file == NULL) {
        perror(path);
        exit(2);
    }
    while (case_count < CASES_MAX && moves_row_next(&row, file)) {
        const struct bg_roll roll = {{(uint8_t)row.die[0], (uint8_t)row.die[1], 0}};

        if (bg_position_id_read(&cases[case_count].board, row.position, 0, &err) != BG_OK) {
            fprintf(stderr, "%s\n", err.text);
            exit(2);
        }
        cases[case_count++].stage = bg_stage_of_roll(bg_variant_find("backgammon"), roll);
    }
    fclose(file);
}

/* Returns position-rolls per second over whole passes of the cases; *plays: plays listed in one
 * pass. */
static double run(size_t *plays)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");
    const int64_t begin = now_ns();
    int64_t spent, passes = 0;

    do {
        *plays = 0;
        for (int i = 0; i < case_count; i++) {
            bg_play_list(&list, variant, &cases[i].board, 0, &cases[i].stage);
            *plays += list.count;
        }
        passes++;
        spent = now_ns() - begin;
    } while (spent < RUN_NS);
    return (double)passes * case_count * 1e9 / (double)spent;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : TEST_DATA "/backgammon-moves.tsv";
    const int runs = argc > 2 ? atoi(argv[2]) : 9;
    double rate[RUNS_MAX];
    size_t plays;

    if (runs < 5 || runs > RUNS_MAX) {
        fprintf(stderr, "runs: 5 to %d\n", RUNS_MAX);
        return 2;
    }
    read_cases(path);
    run(&plays); /* warm */
    for (int i = 0; i < runs; i++) {
        rate[i] = run(&plays);
    }
    qsort(rate, (size_t)runs, sizeof rate[0], compare);
    printf("rows                  %d\n", case_count);
    printf("plays a row           %.1f\n", (double)plays / case_count);
    printf("runs                  %d\n", runs);
    printf("position-rolls/s      %.0f median, %.0f slowest, %.0f fastest\n", rate[runs / 2],
           rate[0], rate[runs - 1]);
    printf("ns a position-roll    %.0f\n", 1e9 / rate[runs / 2]);
    return 0;
}
