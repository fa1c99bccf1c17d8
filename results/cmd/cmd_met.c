/* cmd_met.c - bgref met: the match equity table, the chance at a score, and other tables. The
 * table is printed in the form that --table reads, so that a printed one can be changed and used
 * again. Chances of one game need to know about Crawford, which a score alone does not say; the
 * caller must, and is never guessed for. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_file.h"
#include <numbers/met.h>

struct arguments {
    int away;
    const char *table;
    struct met_score score; /* away 0: no score given */
    int cube;
};

static void take_score(void *arguments, const char *text, const struct command_row *row)
{
    struct met_score *out = &((struct arguments *)arguments)->score;
    char rest;

    (void)row;
    if (sscanf(text, "%d-%d%c", &out->away[0], &out->away[1], &rest) != 2 || out->away[0] < 1 ||
        out->away[1] < 1 || out->away[0] > MET_AWAY_MAX || out->away[1] > MET_AWAY_MAX) {
        command_misuse("--score '%s': needs the points that both sides need, 1 to %d each, like "
                       "3-5",
                       text, MET_AWAY_MAX);
    }
}

/* Refuses impossible scores and cubes. At 1-away the game is the Crawford game or a later one,
 * which have different chances. */
static void check_score(const struct arguments *arguments)
{
    const struct met_score *score = &arguments->score;
    int ours = score->away[0], theirs = score->away[1];
    bool one = (ours == 1) != (theirs == 1);

    if (score->crawford && score->crawford_done) {
        command_misuse("choose one of --crawford and --post: a game cannot be both");
    }
    if (score->crawford && !one) {
        command_misuse("--score %d-%d: in the Crawford game exactly one side is 1 point away", ours,
                       theirs);
    }
    if (score->crawford_done && ours != 1 && theirs != 1) {
        command_misuse("--score %d-%d: after the Crawford game at least one side is 1 point away",
                       ours, theirs);
    }
    if (one && !score->crawford && !score->crawford_done) {
        command_misuse(
            "--score %d-%d: this is the Crawford game or a later one: add --crawford or --post",
            ours, theirs);
    }
    if (score->crawford && arguments->cube > 1) {
        command_misuse("--cube %d: the Crawford game has no cube", arguments->cube);
    }
    /* A power of two has one bit, which this clears. */
    if ((arguments->cube & (arguments->cube - 1)) != 0) {
        command_misuse("--cube %d: a cube shows 1, 2, 4, 8 ...", arguments->cube);
    }
}

static const struct command_row options[] = {
    {"away", .value = "N", .help = "Table to N points to go (default 15, at most 128)",
     COMMAND_INT(away), .least = 1, .most = MET_AWAY_MAX},
    {"score", .value = "I-J", .help = "Only this score: we need I points, they need J",
     .take = take_score},
    {"cube", .value = "V", .help = "With --score: the value of the cube in this game (default 1)",
     COMMAND_INT(cube), .least = 1, .most = 1 << 20, .needs = "score"},
    {"crawford", .help = "With --score: this is the Crawford game", COMMAND_FLAG(score.crawford),
     .needs = "score"},
    {"post", .help = "With --score: the Crawford game is over", COMMAND_FLAG(score.crawford_done),
     .needs = "score"},
    {"table", .value = "FILE",
     .help = "Use this table, in the same form, instead of the model; refuses an impossible table",
     COMMAND_TEXT(table)},
    {0}};

static void check_met(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->score.away[0] > 0) {
        check_score(arguments);
    }
}

static const struct command command = {
    .usage = "",
    .help = "The match equity table: chances to win the match before a game, from the project's "
            "own model. "
            "Row: points we need, column: points they need; 1-away is before the Crawford game, "
            "the last "
            "row is for the trailer after it.",
    .options = options,
    .check = check_met,
};

enum { TABLE_MOST = 16 << 20 };

static enum bg_status get_table(struct met *out, const struct arguments *arguments,
                                struct bg_error *err)
{
    const struct met_score *score = &arguments->score;
    int most = score->away[0] > score->away[1] ? score->away[0] : score->away[1];
    enum bg_status status = BG_OK;
    FILE *in = NULL;
    const char *why;

    if (arguments->table == NULL) {
        /* The model is computed only up to the score that is asked for: a table has as many
         * entries as the square of its points. */
        return met_model(out, most > 0 ? most : arguments->away > 0 ? arguments->away : 15, err);
    }
    why = plain_file_open(&in, arguments->table, TABLE_MOST);
    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %s", arguments->table, why);
    }
    status = met_read(out, in, arguments->table, err);
    fclose(in);
    if (status == BG_OK && (most > out->away || arguments->away > out->away)) {
        status =
            bg_error_set(err, BG_E_ARGUMENT, "%s has only %d points", arguments->table, out->away);
        met_deinit(out);
    }
    return status;
}

static void print_table(const struct met *met, int away)
{
    printf("away");
    for (int j = 1; j <= away; j++) {
        printf("\t%d", j);
    }
    for (int i = 1; i <= away; i++) {
        printf("\n%d", i);
        for (int j = 1; j <= away; j++) {
            printf("\t%.6f", met_chance(met, i, j, MET_NORMAL));
        }
    }
    printf("\npost");
    for (int k = 1; k <= away; k++) {
        printf("\t%.6f", met_chance(met, k, 1, MET_POST));
    }
    putchar('\n');
}

static void print_score(const struct met *met, const struct met_score *score, int cube)
{
    static const char *const levels[] = {"single game", "gammon", "backgammon"};

    printf("%d-away %d-away%s: match won %.6f\n", score->away[0], score->away[1],
           score->crawford        ? ", Crawford game"
           : score->crawford_done ? ", post-Crawford"
                                  : "",
           met_chance(met, score->away[0], score->away[1],
                      score->crawford_done ? MET_POST : MET_NORMAL));
    printf("this game, cube %d    won      lost\n", cube);
    for (int level = 1; level <= 3; level++) {
        printf("  %-14s %8.6f  %8.6f\n", levels[level - 1],
               met_chance_after(met, score, 0, 0, level * cube),
               met_chance_after(met, score, 0, 1, level * cube));
    }
}

int cmd_met(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct met met = {0};
    struct bg_error err = {0};
    enum bg_status status = BG_OK;

    command_read(&command, argc, argv, &arguments);
    status = get_table(&met, &arguments, &err);
    if (status == BG_OK && arguments.score.away[0] > 0) {
        print_score(&met, &arguments.score, arguments.cube > 0 ? arguments.cube : 1);
    } else if (status == BG_OK) {
        print_table(&met, arguments.away > 0 ? arguments.away : met.away);
    }
    met_deinit(&met);
    if (status == BG_OK && fflush(stdout) != 0) {
        status = bg_error_set(&err, BG_E_SYSTEM, "write the table: %s", strerror(errno));
    }
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    return EXIT_DONE;
}
