/* Trials end in any order and are added in theirs, from a ring of those that are open. An early
 * end (`until`) would else depend on which process is faster. While the oldest trial of a full
 * ring is open no new one begins. */
#include "rollout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

enum { CHANCES = 5 }; /* of struct bg_chances without its equity */

/* One trial of one line that is being played. */
struct rollout_slot {
    struct trial trial;
    struct bg_ask ask;
    int line;
    bool busy;
    bool waits; /* the question is given out */
};

/* The trials that have begun but are not yet added, in a ring. */
struct open_trial {
    int left;                  /* lines that are still being played */
    bool no_chances;           /* a line has none */
    double *value;             /* owned; [lines] */
    double (*chance)[CHANCES]; /* owned; [lines] */
};

struct rollout {
    struct rollout_setup setup;
    struct trial_rules rules;
    struct trial_start *line;  /* owned */
    struct rollout_slot *slot; /* owned; setup.open_max */
    struct open_trial *row;    /* owned; rows, trial t in row t % rows */
    uint64_t rows;
    uint64_t begun; /* trials whose first line has begun ... */
    int begun_line; /* ... and the next line of the last of them */
    struct rollout_sums sums;
    double (*chance)[CHANCES]; /* owned; [lines], sums */
    bool has_chances;
    bool done;
};

static void make_rows(struct rollout *rollout)
{
    size_t lines = (size_t)rollout->setup.lines;

    rollout->rows = (uint64_t)rollout->setup.open_max / lines + 2;
    rollout->row = memory_zeroed(rollout->rows, sizeof *rollout->row);
    for (uint64_t i = 0; i < rollout->rows; i++) {
        rollout->row[i].value = memory_zeroed(lines, sizeof *rollout->row[i].value);
        rollout->row[i].chance = memory_zeroed(lines, sizeof *rollout->row[i].chance);
    }
}

enum bg_status rollout_create(struct rollout **out, const struct rollout_setup *setup,
                              struct bg_error *err)
{
    size_t lines = (size_t)setup->lines;
    enum bg_status status;
    struct rollout *rollout = memory_zeroed(1, sizeof *rollout);

    rollout->setup = *setup;
    rollout->line = memory_zeroed(lines, sizeof *rollout->line);
    rollout->slot = memory_zeroed((size_t)setup->open_max, sizeof *rollout->slot);
    rollout->chance = memory_zeroed(lines, sizeof *rollout->chance);
    make_rows(rollout);
    memcpy(rollout->line, setup->line, lines * sizeof *rollout->line);
    rollout_sums_init(&rollout->sums, setup->lines);
    status =
        trial_rules_init(&rollout->rules, &rollout->line[0].match, setup->seed, setup->text, err);
    if (status != BG_OK) {
        goto done;
    }
    rollout->rules.own = setup->own;
    rollout->rules.cube_log2 = setup->cube_log2;
    rollout->rules.plies = setup->plies;
    rollout->rules.reduces = setup->reduces;
    rollout->rules.chances = setup->chances;
    rollout->has_chances = setup->chances;
    rollout->begun_line = setup->lines; /* no trial has lines left to begin */
    *out = rollout;
    rollout = NULL; /* now the caller's */
done:
    rollout_destroy(rollout);
    return status;
}

void rollout_destroy(struct rollout *rollout)
{
    if (rollout == NULL) {
        return;
    }
    for (uint64_t i = 0; i < rollout->rows; i++) {
        free(rollout->row[i].value);
        free(rollout->row[i].chance);
    }
    free(rollout->row);
    free(rollout->line);
    free(rollout->slot);
    free(rollout->chance);
    rollout_sums_deinit(&rollout->sums);
    trial_rules_deinit(&rollout->rules);
    free(rollout);
}

/* ---------------------------------------------------------------- finished trials */

int rollout_best(const struct rollout *rollout)
{
    int best = -1;

    for (int i = 0; i < rollout->setup.lines && rollout->sums.trials > 0; i++) {
        if (best < 0 ||
            rollout_sums_mean(&rollout->sums, i) > rollout_sums_mean(&rollout->sums, best)) {
            best = i;
        }
    }
    return best;
}

static bool is_exact_enough(const struct rollout *rollout)
{
    const struct rollout_sums *sums = &rollout->sums;
    int best = rollout_best(rollout);
    double largest = sums->lines == 1 ? rollout_sums_error(sums, 0) : 0.0;

    for (int i = 0; i < sums->lines; i++) {
        largest = i == best ? largest : fmax(largest, rollout_sums_error_apart(sums, best, i));
    }
    return largest <= rollout->setup.until;
}

/* Adds the finished trials in their order, so that an earlier end does not depend on the order of
 * answers. */
static void add_finished(struct rollout *rollout)
{
    struct rollout_sums *sums = &rollout->sums;

    while (!rollout->done && sums->trials < rollout->begun) {
        struct open_trial *row = &rollout->row[sums->trials % rollout->rows];

        if (row->left > 0) {
            return;
        }
        rollout->has_chances = rollout->has_chances && !row->no_chances;
        for (int i = 0; i < sums->lines; i++) {
            for (int j = 0; j < CHANCES; j++) {
                rollout->chance[i][j] += row->chance[i][j];
            }
        }
        rollout_sums_add(sums, trial_first_roll(&rollout->rules, sums->trials), row->value);
        rollout->done =
            sums->trials == rollout->setup.trials ||
            (rollout->setup.until > 0.0 && sums->trials % ROLLOUT_BLOCK == 0 &&
             sums->trials >= ROLLOUT_BLOCK * ROLLOUT_STOP_BLOCKS && is_exact_enough(rollout));
    }
}

static void finish_trial(struct rollout *rollout, struct rollout_slot *slot)
{
    const struct trial *trial = &slot->trial;
    const struct bg_chances *chances = &trial->chances;
    struct open_trial *row = &rollout->row[trial->number % rollout->rows];
    double *chance = row->chance[slot->line];

    row->value[slot->line] = trial->value;
    row->no_chances = row->no_chances || !trial->has_chances;
    chance[0] = chances->win;
    chance[1] = chances->win_gammon;
    chance[2] = chances->win_backgammon;
    chance[3] = chances->lose_gammon;
    chance[4] = chances->lose_backgammon;
    slot->busy = false;
    row->left--;
    add_finished(rollout);
}

/* ---------------------------------------------------------------- questions */

/* Begins the next line of the next trial in a free slot. Returns false if none may begin. */
static bool begin(struct rollout *rollout, struct rollout_slot *slot)
{
    if (rollout->begun_line == rollout->setup.lines) {
        struct open_trial *row = &rollout->row[rollout->begun % rollout->rows];

        if (rollout->begun == rollout->setup.trials ||
            rollout->begun - rollout->sums.trials == rollout->rows) {
            return false;
        }
        row->left = rollout->setup.lines;
        row->no_chances = false;
        rollout->begun++;
        rollout->begun_line = 0;
    }
    slot->line = rollout->begun_line++;
    slot->busy = true;
    slot->waits = false;
    trial_begin(&slot->trial, &rollout->rules, &rollout->line[slot->line], rollout->begun - 1);
    return true;
}

size_t rollout_next(struct rollout *rollout, int *slots, const struct bg_ask **ask, size_t max)
{
    size_t count = 0;

    for (int i = 0; i < rollout->setup.open_max && count < max && !rollout->done; i++) {
        struct rollout_slot *slot = &rollout->slot[i];

        while (!rollout->done && (slot->busy || begin(rollout, slot)) && !slot->waits) {
            if (!trial_ask(&slot->ask, &slot->trial)) {
                finish_trial(rollout, slot); /* its game was over at the start */
                continue;
            }
            slot->waits = true;
            slots[count] = i;
            ask[count++] = &slot->ask;
        }
    }
    return count;
}

enum bg_status rollout_take(struct rollout *rollout, int i, const struct bg_value *value,
                            struct bg_error *err)
{
    struct rollout_slot *slot = &rollout->slot[i];
    enum bg_status status;

    assert(slot->busy && slot->waits);
    slot->waits = false;
    status = trial_take(&slot->trial, value, err);
    if (status == BG_OK && slot->trial.over) {
        finish_trial(rollout, slot);
    }
    return status;
}

/* ---------------------------------------------------------------- results */

bool rollout_is_done(const struct rollout *rollout)
{
    return rollout->done;
}

const struct rollout_sums *rollout_sums(const struct rollout *rollout)
{
    return &rollout->sums;
}

bool rollout_chances(struct bg_chances *out, const struct rollout *rollout, int line)
{
    double n = (double)rollout->sums.trials;
    const double *sum = rollout->chance[line];

    *out = (struct bg_chances){.win = sum[0] / n,
                               .win_gammon = sum[1] / n,
                               .win_backgammon = sum[2] / n,
                               .lose_gammon = sum[3] / n,
                               .lose_backgammon = sum[4] / n};
    return rollout->has_chances && rollout->sums.trials > 0;
}
