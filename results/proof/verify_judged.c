/* Judgements are checked against the record of their game: luck stands only at rolls and choices
 * only at choices of that bot, and sums are those of their parts. The values themselves are the
 * judge's and are not computed again. */
#include "verify_judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/game_id.h"

/* Judgements are stored with ten digits. */
static const double tolerance = 1e-6;
/* gnubg gives the luck of a roll with five decimals, for a cube of 1, and its sum with more. */
static const double gnubg_rounding = 1e-5;

struct judges {
    char **name; /* owned, and so are the names */
    size_t count, room;
};

struct verify_judged_looking {
    struct store *store;
    const struct store_game *game;
    const struct judgement *judgement;
    uint64_t judged;
    enum bg_status status;
    struct bg_error *err;
};

static enum bg_status wrong_judged(struct verify_judged_looking *looking, const char *what)
{
    looking->status = bg_error_set(looking->err, BG_E_MISMATCH, "game %s: judgement by %.120s: %s",
                                   looking->game->id, looking->judgement->judge, what);
    return looking->status;
}

static bool fits(enum bg_step_kind kind, enum judged_kind choice)
{
    switch (choice) {
    case JUDGED_PLAY:
        return kind == BG_STEP_PLAY;
    case JUDGED_DOUBLE:
        return kind == BG_STEP_DOUBLE || kind == BG_STEP_ROLL;
    case JUDGED_TAKE:
        return kind == BG_STEP_TAKE || kind == BG_STEP_PASS || kind == BG_STEP_RAISE;
    }
    return false;
}

/* How far the sum of a seat's luck may be from its rolls because they are rounded. The points of a
 * game are never fewer than its cube. */
static double rounding(const struct verify_judged_looking *looking)
{
    const struct judgement *judgement = looking->judgement;
    double worth = looking->game->points > 1 ? (double)looking->game->points : 1;

    return strncmp(judgement->judge, "gnubg ", 6) == 0
               ? gnubg_rounding * worth * (double)(judgement->rolls + 1)
               : 0;
}

static enum bg_status check_rolls(struct verify_judged_looking *looking,
                                  const struct record_view *view)
{
    const struct judgement *judgement = looking->judgement;
    double sum[2] = {0, 0};
    int before = -1;

    for (size_t i = 0; i < judgement->rolls; i++) {
        const struct judged_roll *roll = &judgement->roll[i];
        struct bg_step step = {.seat = -1};

        /* In the order of the steps, so that no roll is counted twice. */
        if (roll->step <= before || roll->step >= record_view_steps(view)) {
            return wrong_judged(looking, "it has a roll for a step that is not in the record");
        }
        record_view_step(&step, NULL, view, roll->step);
        if (step.kind != BG_STEP_OPEN &&
            (step.kind != BG_STEP_ROLL ||
             roll->bot != game_id_bot_at(looking->game->leg, step.seat))) {
            return wrong_judged(looking, "it has a roll where the record has no roll by that bot");
        }
        before = roll->step;
        sum[roll->bot] += roll->luck;
    }
    for (int bot = 0; bot < 2; bot++) {
        double most = tolerance * (1 + fabs(sum[bot])) + rounding(looking);

        /* Written so that a NaN fails. */
        if (!(fabs(sum[bot] - judgement->luck[bot]) <= most)) {
            return wrong_judged(looking, "its luck is not the sum over its rolls");
        }
    }
    return BG_OK;
}

static enum bg_status check_choices(struct verify_judged_looking *looking,
                                    const struct record_view *view)
{
    const struct judgement *judgement = looking->judgement;
    int before = -1;

    for (size_t i = 0; i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];
        struct bg_step step = {.seat = -1};

        if (choice->step <= before || choice->step >= record_view_steps(view)) {
            return wrong_judged(looking, "it has a choice for a step that is not in the record");
        }
        record_view_step(&step, NULL, view, choice->step);
        if (!fits(step.kind, choice->kind) ||
            choice->bot != game_id_bot_at(looking->game->leg, step.seat)) {
            return wrong_judged(looking,
                                "it has a choice where the record has no choice by that bot");
        }
        before = choice->step;
    }
    return BG_OK;
}

static bool look_at(void *user, const struct store_game *game)
{
    struct verify_judged_looking *looking = user;
    struct record_view *view = NULL;

    if (game->game != looking->game->game) {
        return true;
    }
    looking->status = record_read(&view, game->text, game->text_size, looking->err);
    if (looking->status == BG_OK && check_rolls(looking, view) == BG_OK) {
        check_choices(looking, view);
    }
    record_view_destroy(view);
    looking->judged++;
    return false;
}

static bool look_up(void *user, const struct store_game *game, const struct judgement *judgement)
{
    struct verify_judged_looking *looking = user;
    enum bg_status status;

    looking->game = game;
    looking->judgement = judgement;
    status = store_leg_games(looking->store, game->a, game->b, game->pair, game->leg, look_at,
                             looking, looking->err);
    looking->status = looking->status != BG_OK ? looking->status : status;
    return looking->status == BG_OK;
}

static void add_judge(void *user, const char *judge, uint64_t games)
{
    struct judges *judges = user;

    (void)games;
    judges->name =
        memory_list(judges->name, &judges->room, judges->count + 1, sizeof *judges->name);
    judges->name[judges->count++] = memory_text(judge);
}

enum bg_status verify_judged(uint64_t *judged, struct store *store, struct bg_error *err)
{
    struct verify_judged_looking looking = {.store = store, .status = BG_OK, .err = err};
    struct judges judges = {0};
    enum bg_status status = store_each_judge(store, add_judge, &judges, err);

    for (size_t i = 0; i < judges.count && status == BG_OK; i++) {
        status = store_each_judgement(store, judges.name[i], look_up, &looking, err);
        status = looking.status != BG_OK ? looking.status : status;
    }
    for (size_t i = 0; i < judges.count; i++) {
        free(judges.name[i]);
    }
    free(judges.name);
    *judged = looking.judged;
    return status;
}
