/* Checks a whole store: its games, and everything beside them. The store is checked before its
 * content is read and once more at the end: before, because nothing can be trusted in a damaged
 * file; at the end with the seal, which needs all that was read. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season/season_store.h"
#include "verify.h"
#include "verify_claims.h"
#include "verify_journal.h"
#include "verify_judged.h"
#include "verify_tally.h"

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
        status = verify_judged(&sum->judged, store, walk->err);
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
