/* Checks a whole store: its games, and everything beside them. The store is checked before its
 * content is read and once more at the end: before, because nothing can be trusted in a damaged
 * file; at the end with the seal, which needs all that was read.
 *
 * Judgements are checked against the record of their game: luck stands only at rolls and choices
 * only at choices of that bot, and sums are those of their parts. The values themselves are the
 * judge's, and only a new judgement could prove them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season/season_store.h"
#include "verify.h"
#include "verify_claims.h"
#include "verify_journal.h"
#include "verify_tally.h"

/* ------------------------------------------------------------------ games, attempts */

/* A pair got other dice. */
struct begun_anew {
    struct game_id id;
    uint64_t attempt;
    uint64_t games, found; /* games set aside with it: declared number, and number found */
};

struct verify_store_walk {
    struct verify verify;
    struct begun_anew *anew; /* owned */
    size_t anew_count, anew_room;
    struct recount *recount; /* owned */
    enum bg_status status;
    struct bg_error *err;
};

static void take_attempt(void *user, const struct store_attempt *attempt)
{
    struct verify_store_walk *walk = user;

    walk->anew =
        memory_list(walk->anew, &walk->anew_room, walk->anew_count + 1, sizeof *walk->anew);
    walk->anew[walk->anew_count++] = (struct begun_anew){
        .id = game_id_of_leg(attempt->a, attempt->b, attempt->pair, 0),
        .attempt = attempt->attempt,
        .games = attempt->games,
    };
}

/* Which attempts a game of the pair may be of: those since its games were last set aside (but for
 * games set aside: before that), up to the last one that is listed. So nobody can draw dice until
 * they please without a row for each draw. */
static void find_attempts(uint64_t *from, uint64_t *to, const struct verify_store_walk *walk,
                          uint64_t before)
{
    *from = *to = 0;
    for (size_t i = 0; i < walk->anew_count; i++) { /* seldom more than a few */
        const struct begun_anew *anew = &walk->anew[i];
        struct game_id id = anew->id;

        id.leg = walk->verify.id.leg;
        if (game_id_compare_leg(&id, &walk->verify.id) == 0 && anew->attempt <= before) {
            *from = anew->games > 0 ? anew->attempt : *from;
            *to = anew->attempt;
        }
    }
}

/* The record and the store must agree on the attempt. */
static enum bg_status check_attempt(const struct verify_store_walk *walk,
                                    const struct store_game *game, uint64_t before)
{
    uint64_t found = walk->verify.attempt, from, to;

    find_attempts(&from, &to, walk, before);
    return found >= from && found <= to
               ? BG_OK
               : bg_error_set(walk->err, BG_E_MISMATCH,
                              "game %s: its record is of attempt %" PRIu64
                              " of the pair, the store lists attempts %" PRIu64 " to %" PRIu64,
                              game->id, found, from, to);
}

static bool walk_game(void *user, const struct store_game *game)
{
    struct verify_store_walk *walk = user;

    walk->status = verify_game(&walk->verify, game->text, game->text_size, game, walk->err);
    if (walk->status == BG_OK) {
        walk->status = check_attempt(walk, game, UINT64_MAX);
    }
    if (walk->status == BG_OK) {
        recount_game(walk->recount, game);
    }
    return walk->status == BG_OK;
}

static bool walk_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    struct verify_store_walk *walk = user;

    walk->status = verify_game(&walk->verify, game->text, game->text_size, game, walk->err);
    if (walk->status == BG_OK) {
        walk->status = check_attempt(walk, game, attempt);
    }
    for (size_t i = 0; i < walk->anew_count; i++) {
        struct game_id id = walk->anew[i].id;

        id.leg = walk->verify.id.leg;
        walk->anew[i].found +=
            walk->anew[i].attempt == attempt + 1 && game_id_compare_leg(&id, &walk->verify.id) == 0;
    }
    return walk->status == BG_OK;
}

static enum bg_status count_aside(const struct verify_store_walk *walk)
{
    for (size_t i = 0; i < walk->anew_count; i++) {
        const struct begun_anew *anew = &walk->anew[i];

        if (anew->games != anew->found) {
            return bg_error_set(
                walk->err, BG_E_MISMATCH,
                "pair %s|%s|%" PRIu64 ": %" PRIu64 " games were set aside before attempt %" PRIu64
                ", %" PRIu64 " are there",
                anew->id.a, anew->id.b, anew->id.pair, anew->games, anew->attempt, anew->found);
        }
    }
    return BG_OK;
}

static enum bg_status walk_all(struct verify_store_walk *walk, struct store *store)
{
    enum bg_status status = store_all_attempts(store, take_attempt, walk, walk->err);

    /* Stopped by a row: the walk itself was well, its error is in walk->status. */
    status = status == BG_OK ? walk->status : status;
    if (status == BG_OK) {
        status = store_all_games(store, true, walk_game, walk, walk->err);
        status = status == BG_OK ? walk->status : status;
    }
    if (status == BG_OK) {
        /* Games set aside follow the others, and among them several attempts of one leg may
         * stand. */
        verify_set_aside(&walk->verify);
        status = store_all_set_aside(store, walk_aside, walk, walk->err);
        status = status == BG_OK ? walk->status : status;
    }
    return status == BG_OK ? count_aside(walk) : status;
}

/* ------------------------------------------------------------------ judgements */

/* Judgements are stored with ten digits. */
static const double tolerance = 1e-6;
/* gnubg gives the luck of a roll with five decimals, for a cube of 1, and its sum with more. */
static const double gnubg_rounding = 1e-5;

struct judges {
    char **name; /* owned, and so are the names */
    size_t count, room;
};

struct judgement_looking {
    struct store *store;
    const struct store_game *game;
    const struct judgement *judgement;
    uint64_t judged;
    enum bg_status status;
    struct bg_error *err;
};

static enum bg_status wrong_judged(struct judgement_looking *looking, const char *what)
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
static double rounding(const struct judgement_looking *looking)
{
    const struct judgement *judgement = looking->judgement;
    double worth = looking->game->points > 1 ? (double)looking->game->points : 1;

    return strncmp(judgement->judge, "gnubg ", 6) == 0
               ? gnubg_rounding * worth * (double)(judgement->rolls + 1)
               : 0;
}

static enum bg_status check_rolls(struct judgement_looking *looking, const struct record_view *view)
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

static enum bg_status check_choices(struct judgement_looking *looking,
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
    struct judgement_looking *looking = user;
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
    struct judgement_looking *looking = user;
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

/* *judged: number of judgements checked. BG_E_MISMATCH: the message has game and judge. */
static enum bg_status check_judged(uint64_t *judged, struct store *store, struct bg_error *err)
{
    struct judgement_looking looking = {.store = store, .status = BG_OK, .err = err};
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

/* ------------------------------------------------------------------ all of it */

static void count_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    (void)fixture;
    (void)bot;
    (void)why;
    ++*(uint64_t *)user;
}

/* Checks everything beside the games. */
static enum bg_status verify_beside(struct verify_sum *sum, struct verify_store_walk *walk,
                                    struct store *store)
{
    enum bg_status status =
        recount_compare(&sum->faults, &sum->faults_outside, walk->recount, store, walk->err);

    if (status == BG_OK) {
        status = store_all_unplayed(store, count_unplayed, &sum->unplayed, walk->err);
    }
    if (status == BG_OK) {
        status = check_judged(&sum->judged, store, walk->err);
    }
    return status == BG_OK ? store->ops->check(store, true, walk->err) : status;
}

/* The chain of the journal, and every row: each pairing and each result are computed again. *out:
 * the event that the rows make. */
static enum bg_status walk_journal(struct season **out, struct verify_store_walk *walk,
                                   struct store *store)
{
    enum bg_status status = verify_journal_of_store(&walk->verify.sum, store, walk->err);

    return status == BG_OK ? season_load_checked(out, store, walk->err) : status;
}

enum bg_status verify_store(struct verify_sum *out, struct store *store,
                            const struct verify_options *options, struct bg_error *err)
{
    struct verify_store_walk walk = {.status = BG_OK, .err = err};
    struct verify_options wanted = *options;
    struct claims *claims = NULL;
    struct season *season = NULL;
    struct root_head head = {0};
    enum bg_status status = store->ops->check(store, false, err);

    walk.recount = recount_create();
    if (status == BG_OK) {
        status = root_head_read(&head, store, err);
    }
    if (status == BG_OK) {
        status = claims_read(&claims, store, err);
    }
    if (status == BG_OK) {
        wanted.claims = claims;
        wanted.head = head.text;
        verify_begin(&walk.verify, &wanted);
        status = walk_journal(&season, &walk, store);
    }
    if (status == BG_OK) {
        claims_have_terms(claims, season);
        status = walk_all(&walk, store);
    }
    if (status == BG_OK) {
        status = verify_beside(&walk.verify.sum, &walk, store);
    }
    if (status == BG_OK) {
        status = verify_end(out, &walk.verify, err);
    }
    recount_destroy(walk.recount);
    claims_destroy(claims);
    season_destroy(season);
    root_head_free(&head);
    free(walk.anew);
    return status;
}
