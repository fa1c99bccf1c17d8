/* The command is a part of the bot's program, so that an installed bot can make its own file,
 * with the same numbering of positions by construction. */
#include "make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hyper_file.h"
#include "solve.h"

enum { SWEEPS_MAX = 200 };

static const float LEAST = 1e-6f;

static const char usage[] =
    "Usage: bgref-exact solve hypergammon [--checkers N] [--threads N] [--output FILE]\n"
    "Solves every position of hypergammon, cubeless and with the cube, and keeps the values for\n"
    "the bot exact. With three checkers: some minutes, 400 MB of memory, a file of 343 MB.\n"
    "  --checkers N    checkers a side: 1, 2 or 3 (default 3, the only game that is played)\n"
    "  --threads N     1 to 16, all with the same result (default: the cores of this machine)\n"
    "  --output FILE   default: hypergammon-N.values in $BGREF_CACHE, $XDG_CACHE_HOME/bgref or\n"
    "                  $HOME/.cache/bgref\n";

struct order {
    int checkers, threads;
    char path[HYPER_FILE_PATH];
};

static void told(void *user, int sweep, float change)
{
    (void)user;
    printf("sweep %d: largest change %.7f\n", sweep, (double)change);
    fflush(stdout);
}

static int cores(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online < 1 ? 1 : online > SOLVE_THREADS_MAX ? SOLVE_THREADS_MAX : (int)online;
}

/* Returns the number 1..most in text, 0 for anything else. */
static int number_up_to(const char *text, int most)
{
    char *end;
    long number = strtol(text, &end, 10);

    return end != text && *end == '\0' && number >= 1 && number <= most ? (int)number : 0;
}

/* Returns false for a wrong command. */
static bool read_order(struct order *out, int words, char **word)
{
    *out = (struct order){.checkers = HYPER_CHECKERS_MAX, .threads = cores()};
    if (words < 2 || strcmp(word[0], "solve") != 0 || strcmp(word[1], "hypergammon") != 0) {
        return false;
    }
    for (int i = 2; i < words; i += 2) {
        if (i + 1 == words) {
            return false;
        }
        if (strcmp(word[i], "--checkers") == 0) {
            out->checkers = number_up_to(word[i + 1], HYPER_CHECKERS_MAX);
        } else if (strcmp(word[i], "--threads") == 0) {
            out->threads = number_up_to(word[i + 1], SOLVE_THREADS_MAX);
        } else if (strcmp(word[i], "--output") == 0 && strlen(word[i + 1]) < sizeof out->path) {
            snprintf(out->path, sizeof out->path, "%s", word[i + 1]);
        } else {
            return false;
        }
    }
    return out->checkers > 0 && out->threads > 0;
}

static enum bg_status make(struct order *order, struct bg_error *err)
{
    struct solution solution = {0};
    struct hyper hyper = {0};
    enum bg_status status = BG_OK;
    const struct solve_settings settings = {
        .least = LEAST, .sweeps_max = SWEEPS_MAX, .threads = order->threads, .told = told};

    if (order->path[0] == '\0') {
        status = hyper_file_find_path(order->path, order->checkers, err);
    }
    if (status == BG_OK) {
        status = hyper_init(&hyper, order->checkers, err);
    }
    if (status == BG_OK) {
        printf("hypergammon with %d checkers a side: %d x %d positions, until no value changes by "
               "%g\n",
               order->checkers, hyper.men.ways, hyper.men.ways, (double)LEAST);
        fflush(stdout);
        status = solve(&solution, &hyper, &settings, err);
    }
    if (status == BG_OK) {
        status = hyper_file_write(&solution, order->path, err);
    }
    solution_deinit(&solution);
    hyper_deinit(&hyper);
    return status;
}

int make_command(int words, char **word)
{
    struct order order;
    struct bg_error err = {0};

    if (words == 1 && strcmp(word[0], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_order(&order, words, word)) {
        fputs(usage, stderr);
        return 2;
    }
    if (make(&order, &err) != BG_OK) {
        fprintf(stderr, "bgref-exact: %s\n", err.text);
        return 1;
    }
    printf("written: %s\n", order.path);
    return 0;
}
