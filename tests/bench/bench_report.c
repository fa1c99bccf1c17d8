/* bench_report [FOLDER] - how long the report of a large event takes.
 *
 * Makes a database of 20 bots, every bot against every other, 50 pairs per pairing (19,000 random
 * games, each with a judgement of every roll and choice, and faults). Prints medians of five
 * rounds, wall time and CPU time, of reading it and of writing each form. If FOLDER is given, the
 * database stays there.
 */
#include <report/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <store/store.h>

#include "../support/random_match.h"
#include "timing.h"

enum { BOTS = 20, PAIRS = 50, NAME = 16 };

static const char judge[] = "chance plies=0";

static void must(enum bg_status status, const struct bg_error *err)
{
    if (status != BG_OK) {
        fprintf(stderr, "bench_report: %s\n", err->text);
        exit(1);
    }
}

/* A random judgement with luck for every roll and an error for every choice. */
static struct judgement *judge_game(const struct store_game *game, struct chance *chance)
{
    struct judgement *judgement = calloc(1, sizeof *judgement);
    struct record_view *view = NULL;
    struct bg_error err = {0};

    must(record_read(&view, game->text, game->text_size, &err), &err);

    size_t steps = (size_t)record_view_steps(view);

    *judgement = (struct judgement){.game_id = strdup(game->id),
                                    .judge = strdup(judge),
                                    .hash = strdup(game->hash),
                                    .roll = calloc(steps + 1, sizeof *judgement->roll),
                                    .choice = calloc(steps + 1, sizeof *judgement->choice),
                                    .has_choices = true,
                                    .cpu_ns = 50000000};
    for (int i = 0; i < (int)steps; i++) {
        struct bg_step step;
        int64_t spent_ns;

        record_view_step(&step, &spent_ns, view, i);

        int bot = step.seat < 0 ? 0 : step.seat ^ game->leg;
        double value = (double)(chance_below(chance, 2001) - 1000) / 5000;

        if (step.kind == BG_STEP_ROLL) {
            judgement->roll[judgement->rolls++] = (struct judged_roll){i, bot, value, 0};
            judgement->luck[bot] += value;
        } else if (step.kind == BG_STEP_PLAY || step.kind == BG_STEP_DOUBLE) {
            judgement->choice[judgement->choices++] =
                (struct judged_choice){i,
                                       bot,
                                       step.kind == BG_STEP_PLAY ? JUDGED_PLAY : JUDGED_DOUBLE,
                                       true,
                                       value < 0 ? 0 : value,
                                       value < 0 ? 0 : value,
                                       "13/8 6/5"};
        }
    }
    record_view_destroy(view);
    return judgement;
}

static struct store_game *play_game(const char *a, const char *b, int pair, int leg,
                                    const struct bg_rules *rules, struct chance *chance)
{
    struct store_game *game = calloc(1, sizeof *game);
    struct record record = {0};
    struct bg_match match;
    char id[BG_GAME_ID];

    snprintf(id, sizeof id, "%s|%s|%d|%d|0", a, b, pair, leg);
    *game = (struct store_game){.id = strdup(id),
                                .a = strdup(a),
                                .b = strdup(b),
                                .pair = (uint64_t)pair,
                                .leg = leg,
                                .match_over = true};
    bg_match_begin(&match, rules);
    random_game(&record, game->hash, &match, id, "", true, chance);
    game->winner = match.result.winner < 0 ? -1 : match.result.winner ^ leg;
    game->match_winner = game->winner;
    game->points = match.result.points;
    game->level = match.result.level;
    game->end = match.result.end;
    game->fault = match.result.fault;
    game->turns = match.turn;
    game->text = strdup(record.text);
    game->text_size = record.size;
    record_deinit(&record);
    return game;
}

static struct store_fault *make_fault(const struct store_game *game)
{
    struct store_fault *fault = calloc(1, sizeof *fault);

    *fault = (struct store_fault){.game_id = strdup(game->id),
                                  .bot = strdup(game->winner == 0 ? game->b : game->a),
                                  .fault = game->fault,
                                  .story = strdup("by chance"),
                                  .reproduce = strdup("bgref plays 4HPwATDgc/ABMA 3 1")};
    return fault;
}

static void put_pairing(struct store *store, int x, int y, struct chance *chance, size_t *bytes)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    struct bg_error err = {0};
    char a[NAME], b[NAME];

    snprintf(a, sizeof a, "bot-%02d", x);
    snprintf(b, sizeof b, "bot-%02d", y);
    for (int i = 0; i < 2 * PAIRS; i++) {
        struct store_game *game = play_game(a, b, i / 2, i % 2, &rules, chance);
        struct judgement *judgement = judge_game(game, chance);

        *bytes += game->text_size;
        if (game->end == BG_END_FAULT) {
            must(store_put_fault(store, make_fault(game), &err), &err);
        }
        must(store_put_game(store, game, &err), &err);
        must(store_put_judgement(store, judgement, &err), &err);
    }
    must(store->ops->flush(store, &err), &err);
}

static void make_event(const char *path)
{
    struct store *store = NULL;
    struct bg_error err = {0};
    struct chance chance = {7};
    char bots[BOTS * NAME] = "", pairs[16];
    double begin = seconds(CLOCK_MONOTONIC);
    size_t bytes = 0;

    must(store_sqlite_open(&store, path, &err), &err);
    for (int i = 0; i < BOTS; i++) {
        char name[NAME];

        snprintf(name, sizeof name, "%sbot-%02d", i == 0 ? "" : ",", i);
        strcat(bots, name);
    }
    snprintf(pairs, sizeof pairs, "%d", PAIRS);
    must(store_meta_set(store, "event.event", "twenty bots by chance", &err), &err);
    must(store_meta_set(store, "event.length", "money", &err), &err);
    must(store_meta_set(store, "event.pairs", pairs, &err), &err);
    must(store_meta_set(store, "event.bots", bots, &err), &err);
    for (int x = 0; x < BOTS; x++) {
        for (int y = x + 1; y < BOTS; y++) {
            put_pairing(store, x, y, &chance, &bytes);
        }
    }
    store_destroy(store);
    printf("event: %d bots, %d games, %.1f MB of records, made in %.0f s\n", BOTS,
           BOTS * (BOTS - 1) * PAIRS, (double)bytes / 1e6, seconds(CLOCK_MONOTONIC) - begin);
}

static void bench(const char *path)
{
    static const struct {
        const char *name;
        enum bg_status (*write)(FILE *out, const struct doc *doc, struct bg_error *err);
    } forms[] = {{"html", document_html}, {"text", document_plain}, {"json", document_json}};
    double reading[ROUNDS], cpu[ROUNDS], writing[3][ROUNDS], all[ROUNDS];
    size_t sizes[3] = {0};
    struct bg_error err = {0};

    for (int round = 0; round < ROUNDS; round++) {
        struct doc *doc = NULL;
        double begin = seconds(CLOCK_MONOTONIC), worked = seconds(CLOCK_PROCESS_CPUTIME_ID);

        must(report_open(&doc, path, NULL, 0, &err), &err);
        reading[round] = seconds(CLOCK_MONOTONIC) - begin;
        cpu[round] = seconds(CLOCK_PROCESS_CPUTIME_ID) - worked;
        for (int form = 0; form < 3; form++) {
            char *text = NULL;
            FILE *out = open_memstream(&text, &sizes[form]);

            begin = seconds(CLOCK_MONOTONIC);
            must(forms[form].write(out, doc, &err), &err);
            fclose(out);
            writing[form][round] = seconds(CLOCK_MONOTONIC) - begin;
            free(text);
        }
        all[round] = reading[round] + writing[0][round];
        doc_destroy(doc);
    }
    printf("reading and computing: %.2f s, %.2f s of the processor\n", median(reading),
           median(cpu));
    for (int form = 0; form < 3; form++) {
        printf("%s: %.3f s, %zu bytes\n", forms[form].name, median(writing[form]), sizes[form]);
    }
    printf("the page, all in all: %.2f s\n", median(all));
}

int main(int argc, char **argv)
{
    char folder[64] = "/tmp/bgref-bench-XXXXXX", path[512];
    char *made = argc > 1 ? argv[1] : mkdtemp(folder);

    if (made == NULL) {
        perror("bench_report: temporary folder");
        return 1;
    }
    snprintf(path, sizeof path, "%s/bench_report.db", made);
    make_event(path);
    bench(path);
    if (argc <= 1) { /* the event in a given folder is kept for inspection */
        unlink(path);
        strcat(path, ".lock");
        unlink(path);
        rmdir(made);
    }
    return 0;
}
