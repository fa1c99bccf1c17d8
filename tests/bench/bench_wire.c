/* bench_wire - the codec's time per decision: with 32 decisions in a message, as with many tables,
 * and with one, as in lock-step; medians over rounds. */
#define _POSIX_C_SOURCE 200809L

#include <wire/wire.h>

#include <bgref/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 32, DECISIONS = 64000 /* per round */, ROUNDS = 15, KINDS = 4 };

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int double_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void need(enum bg_status status, const struct bg_error *err)
{
    if (status != BG_OK) {
        fprintf(stderr, "bench_wire: %s\n", err->text);
        exit(1);
    }
}

static void asks_fill(struct bg_ask *out)
{
    const struct bg_variant *variant = bg_variant_find("backgammon");

    for (int i = 0; i < BATCH; i++) {
        struct bg_ask *ask = &out[i];

        memset(ask, 0, sizeof *ask);
        ask->decision = 1000000 + (uint64_t)i;
        snprintf(ask->game, sizeof ask->game, "%032x", 0x12345678u * (unsigned)(i + 1));
        ask->kind = BG_DECIDE_PLAY;
        ask->rules = (struct bg_rules){.variant = variant,
                                       .length_points = 7,
                                       .cube = true,
                                       .crawford = true,
                                       .turn_cap = 2000};
        bg_variant_setup(&ask->board, variant);
        ask->stage.parts = 2;
        ask->stage.part[0].number = 6;
        ask->stage.part[0].times = 1;
        ask->stage.part[1].number = 1;
        ask->stage.part[1].times = 1;
        ask->cube_owner = BG_CENTRED;
        ask->score[0] = 3;
        ask->turn = i;
        ask->ceiling_ns = 60000000000;
        ask->bot_seed = 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
    }
}

static void answers_fill(struct bg_answer *out)
{
    for (int i = 0; i < BATCH; i++) {
        memset(&out[i], 0, sizeof out[i]);
        out[i].decision = 1000000 + (uint64_t)i;
        out[i].kind = BG_ANSWER_MOVES;
        out[i].play.moves = 2;
        out[i].play.move[0] = (struct bg_move){13, 7};
        out[i].play.move[1] = (struct bg_move){8, 7};
    }
}

static struct bg_ask asks[BATCH];
static struct bg_answer answers[BATCH];

/* One round with `batch` decisions per message: nanoseconds per decision, by kind. */
static void round_run(double ns[KINDS], struct wire_buffer *out, struct wire_buffer *back,
                      struct wire_reader *reader, size_t batch)
{
    const struct bg_ask *list[BATCH];
    const int repeats = DECISIONS / (int)batch;
    struct wire_message message;
    struct bg_error err;
    double start[KINDS + 1];

    for (size_t i = 0; i < batch; i++) {
        list[i] = &asks[i];
    }
    start[0] = now_ns();
    for (int i = 0; i < repeats; i++) {
        need(wire_pack_asks(out, list, batch, &err), &err);
    }
    start[1] = now_ns();
    for (int i = 0; i < repeats; i++) {
        need(wire_unpack_to_bot(&message, reader, out->data, out->size, &err), &err);
    }
    start[2] = now_ns();
    for (int i = 0; i < repeats; i++) {
        need(wire_pack_answers(back, answers, batch, &err), &err);
    }
    start[3] = now_ns();
    for (int i = 0; i < repeats; i++) {
        need(wire_unpack_to_referee(&message, reader, back->data, back->size, &err), &err);
    }
    start[4] = now_ns();
    for (int kind = 0; kind < KINDS; kind++) {
        ns[kind] = (start[kind + 1] - start[kind]) / ((double)repeats * (double)batch);
    }
}

static void measure(struct wire_reader *reader, size_t batch)
{
    static const char *const names[KINDS] = {"ask pack", "ask unpack", "answer pack",
                                             "answer unpack"};
    struct wire_buffer out = {0}, back = {0};
    double ns[KINDS][ROUNDS], sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double of_round[KINDS];

        round_run(of_round, &out, &back, reader, batch);
        for (int kind = 0; kind < KINDS; kind++) {
            ns[kind][round] = of_round[kind];
        }
    }
    printf("%zu in a message; ask %zu bytes, answer %zu bytes; CPU, median of %d rounds\n", batch,
           out.size / batch, back.size / batch, ROUNDS);
    for (int kind = 0; kind < KINDS; kind++) {
        qsort(ns[kind], ROUNDS, sizeof ns[kind][0], double_compare);
        printf("%-14s %7.1f ns  (%.1f to %.1f)\n", names[kind], ns[kind][ROUNDS / 2], ns[kind][0],
               ns[kind][ROUNDS - 1]);
        sum += ns[kind][ROUNDS / 2];
    }
    printf("%-14s %7.1f ns\n", "together", sum);
    wire_buffer_deinit(&out);
    wire_buffer_deinit(&back);
}

int main(void)
{
    struct wire_reader *reader = NULL;
    struct bg_error err;

    need(wire_reader_create(&reader, 1 << 20, &err), &err);
    asks_fill(asks);
    answers_fill(answers);
    measure(reader, BATCH);
    measure(reader, 1);
    wire_reader_destroy(reader);
    return 0;
}
