/* Time per step of the match machine in ordinary backgammon. Random money games without cube are
 * recorded first and then replayed: plays once as results and once as moves to be judged.
 *
 *     bench_match [STEPS] [RUNS]
 */
#include <bgref/match.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/match_laws.h"
#include "timing.h"

enum { STEPS_MAX = 1000000, RUNS_MAX = 99 };

static struct bg_step steps[STEPS_MAX];
static struct bg_board results[STEPS_MAX];
static struct bg_play_list list;

static struct bg_rules rules_of_bench(void)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);

    rules.cube = rules.jacoby = false;
    return rules;
}

static void choose(struct bg_step *step, const struct bg_match *match, uint64_t *random)
{
    step->seat = match->need.seat;
    switch (match->need.kind) {
    case BG_NEED_OPENING:
        step->kind = BG_STEP_OPEN;
        break;
    case BG_NEED_ROLL:
        step->kind = BG_STEP_ROLL;
        break;
    default:
        bg_play_list(&list, match->rules.variant, &match->board, step->seat, &match->stage);
        step->kind = BG_STEP_PLAY;
        step->play = list.play[laws_below(random, (int)list.count)];
        return;
    }
    step->die[0] = (uint8_t)(1 + laws_below(random, 6));
    step->die[1] = (uint8_t)(1 + laws_below(random, 6));
}

static void record_steps(int count)
{
    const struct bg_rules rules = rules_of_bench();
    uint64_t random = 1;
    struct bg_match match;

    bg_match_begin(&match, &rules);
    for (int i = 0; i < count; i++) {
        if (match.need.kind == BG_NEED_NOTHING) {
            bg_match_begin(&match, &rules);
        }
        choose(&steps[i], &match, &random);
        if (bg_match_step(&match, &steps[i]) != BG_RULE_NONE) {
            abort();
        }
        results[i] = match.board;
    }
}

/* Nanoseconds per step. */
static double run(int count, bool judged)
{
    const struct bg_rules rules = rules_of_bench();
    const int64_t begin = now_ns();
    struct bg_match match;

    bg_match_begin(&match, &rules);
    for (int i = 0; i < count; i++) {
        if (match.need.kind == BG_NEED_NOTHING) {
            bg_match_begin(&match, &rules);
        }
        if (steps[i].kind == BG_STEP_PLAY && !judged) {
            bg_match_play_result(&match, &results[i]);
        } else if (bg_match_step(&match, &steps[i]) != BG_RULE_NONE) {
            abort();
        }
    }
    return (double)(now_ns() - begin) / count;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 200000, runs = argc > 2 ? atoi(argv[2]) : 9;
    double spent[2][RUNS_MAX];

    if (count < 1 || count > STEPS_MAX || runs < 1 || runs > RUNS_MAX) {
        fprintf(stderr, "usage: bench_match [STEPS, at most %d] [RUNS, at most %d]\n", STEPS_MAX,
                RUNS_MAX);
        return 2;
    }
    record_steps(count);
    for (int i = 0; i < runs; i++) {
        for (int judged = 0; judged < 2; judged++) {
            spent[judged][i] = run(count, judged != 0);
        }
    }
    for (int judged = 0; judged < 2; judged++) {
        qsort(spent[judged], (size_t)runs, sizeof spent[judged][0], compare);
        printf("%-24s %7.1f ns a step, median of %d runs (%.1f to %.1f)\n",
               judged ? "plays judged by moves" : "plays given as results", spent[judged][runs / 2],
               runs, spent[judged][0], spent[judged][runs - 1]);
    }
    return 0;
}
