/* Sums are made anew beside the walk over all games, which reads every row anyway, and then
 * compared with the store's own. Of a run only its digest is kept: its sums are as large as what
 * is checked. */
#include "verify_tally.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/game_id.h"
#include "store/run.h"

struct counted {
    char *a, *b; /* owned */
    int length_points;
    struct encounter total;
};

struct lost {
    char *bot; /* owned */
    uint64_t games[BG_FAULT_COUNT];
};

/* A game lost by a fault. */
struct fault_game {
    char *id; /* owned */
    bool by_a;
    enum bg_fault fault;
    bool found; /* its evidence was found */
};

enum { DIGEST = 32 };

struct recount {
    struct counted *counted; /* owned; sorted by names and length */
    size_t counteds, counted_room;
    struct lost *lost; /* owned; in order of appearance */
    size_t losts, lost_room;
    struct fault_game *game; /* owned */
    size_t games, game_room;
    struct run_build build;       /* from the games in their order */
    unsigned char (*run)[DIGEST]; /* owned; in order */
    size_t runs, run_room;
    uint64_t pair; /* of the previous game */
    struct pair stands;
    /* used while comparing with the store's own */
    size_t next, next_run, kinds;
    uint64_t faults, outside;
    enum bg_status status;
    struct bg_error *err;
};

static bool note_run(void *user, const struct run *run);

struct recount *recount_create(void)
{
    struct recount *recount = memory_zeroed(1, sizeof *recount);

    recount->build = (struct run_build)RUN_BUILD(true, note_run, recount);
    return recount;
}

void recount_destroy(struct recount *recount)
{
    if (recount == NULL) {
        return;
    }
    for (size_t i = 0; i < recount->counteds; i++) {
        free(recount->counted[i].a);
        free(recount->counted[i].b);
    }
    for (size_t i = 0; i < recount->losts; i++) {
        free(recount->lost[i].bot);
    }
    for (size_t i = 0; i < recount->games; i++) {
        free(recount->game[i].id);
    }
    run_build_end(&recount->build);
    free(recount->run);
    free(recount->counted);
    free(recount->lost);
    free(recount->game);
    free(recount);
}

/* ----------------------------------------------------------------- counting */

/* Compares an encounter with a game's: < 0, 0, > 0. */
static int compare_counted(const struct counted *counted, const char *a, const char *b,
                           int length_points)
{
    int order = strcmp(counted->a, a);

    order = order != 0 ? order : strcmp(counted->b, b);
    return order != 0 ? order : counted->length_points - length_points;
}

/* Games come sorted by names, so the place is at the end or a few lengths before it. */
static struct counted *find_counted(struct recount *recount, const struct store_game *game)
{
    size_t at = recount->counteds;
    struct counted *list;

    while (at > 0 &&
           compare_counted(&recount->counted[at - 1], game->a, game->b, game->length_points) > 0) {
        at--;
    }
    if (at > 0 &&
        compare_counted(&recount->counted[at - 1], game->a, game->b, game->length_points) == 0) {
        return &recount->counted[at - 1];
    }
    recount->counted = list =
        memory_list(recount->counted, &recount->counted_room, recount->counteds + 1, sizeof *list);
    memmove(&list[at + 1], &list[at], (recount->counteds - at) * sizeof *list);
    list[at] = (struct counted){
        .a = memory_text(game->a), .b = memory_text(game->b), .length_points = game->length_points};
    recount->counteds++;
    return &list[at];
}

static void count_lost(struct recount *recount, const char *bot, enum bg_fault fault)
{
    struct lost *list = recount->lost;

    for (size_t i = 0; i < recount->losts; i++) {
        if (strcmp(list[i].bot, bot) == 0) {
            list[i].games[fault]++;
            return;
        }
    }
    recount->lost = list = memory_list(list, &recount->lost_room, recount->losts + 1, sizeof *list);
    list[recount->losts] = (struct lost){.bot = memory_text(bot)};
    list[recount->losts++].games[fault] = 1;
}

static void note_fault(struct recount *recount, const struct store_game *game)
{
    recount->game =
        memory_list(recount->game, &recount->game_room, recount->games + 1, sizeof *recount->game);
    recount->game[recount->games++] = (struct fault_game){
        .id = memory_text(game->id), .by_a = game->winner == 1, .fault = game->fault};
    count_lost(recount, game->winner == 0 ? game->b : game->a, game->fault);
}

static void digest_run(unsigned char out[DIGEST], const struct run *run)
{
    unsigned char *games = NULL, *sums = NULL;
    size_t game_bytes = run_pack_games(&games, run), sum_bytes = run_pack_sums(&sums, run);
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, DIGEST);
    crypto_generichash_update(&state, (const unsigned char *)run->a, strlen(run->a) + 1);
    crypto_generichash_update(&state, (const unsigned char *)run->b, strlen(run->b) + 1);
    crypto_generichash_update(&state, (const unsigned char *)&run->first, sizeof run->first);
    crypto_generichash_update(&state, (const unsigned char *)&game_bytes, sizeof game_bytes);
    crypto_generichash_update(&state, games, game_bytes);
    crypto_generichash_update(&state, sums, sum_bytes);
    crypto_generichash_final(&state, out, DIGEST);
    free(games);
    free(sums);
}

static bool note_run(void *user, const struct run *run)
{
    struct recount *recount = user;

    recount->run =
        memory_list(recount->run, &recount->run_room, recount->runs + 1, sizeof *recount->run);
    digest_run(recount->run[recount->runs++], run);
    return true;
}

void recount_game(struct recount *recount, const struct store_game *game)
{
    struct encounter_game facts = encounter_game_of(game);
    size_t before = recount->counteds;
    struct counted *counted = find_counted(recount, game);

    if (recount->counteds != before || recount->pair != game->pair) {
        recount->stands = (struct pair){0};
        recount->pair = game->pair;
    }
    if (encounter_game_is_sound(&facts)) {
        encounter_add_game(&counted->total, &recount->stands, &facts);
    }
    if (game->end == BG_END_FAULT && game->winner >= 0) {
        note_fault(recount, game);
    }
    run_build_game(&recount->build, game);
}

/* ---------------------------------------------------------------- comparing */

static bool compare_encounter(void *user, const char *a, const char *b, int length_points,
                              const struct encounter *total)
{
    struct recount *recount = user;
    const struct counted *expected =
        recount->next < recount->counteds ? &recount->counted[recount->next] : NULL;

    if (expected == NULL || compare_counted(expected, a, b, length_points) != 0 ||
        memcmp(total, &expected->total, sizeof *total) != 0) {
        recount->status = bg_error_set(recount->err, BG_E_MISMATCH,
                                       "the tally of %s and %s is not what their games give", a, b);
        return false;
    }
    recount->next++;
    return true;
}

static bool compare_lost(void *user, const char *bot, enum bg_fault fault, uint64_t games)
{
    struct recount *recount = user;

    for (size_t i = 0; i < recount->losts; i++) {
        if (strcmp(recount->lost[i].bot, bot) == 0 && fault < BG_FAULT_COUNT &&
            recount->lost[i].games[fault] == games && games > 0) {
            recount->kinds++;
            return true;
        }
    }
    recount->status = bg_error_set(recount->err, BG_E_MISMATCH,
                                   "the tally has %" PRIu64 " games that %s lost by a fault, which "
                                   "the games do not give",
                                   games, bot);
    return false;
}

static enum bg_status compare_tally(struct recount *recount, struct store *store)
{
    size_t kinds = 0;
    bool kept;
    enum bg_status status =
        store_tally(store, &kept, compare_encounter, compare_lost, recount, recount->err);

    for (size_t i = 0; i < recount->losts; i++) {
        for (int fault = 0; fault < BG_FAULT_COUNT; fault++) {
            kinds += recount->lost[i].games[fault] > 0;
        }
    }
    if (status != BG_OK || recount->status != BG_OK) {
        return status != BG_OK ? status : recount->status;
    }
    if (kept && recount->next < recount->counteds) {
        return bg_error_set(recount->err, BG_E_MISMATCH, "the tally lacks the games of %s and %s",
                            recount->counted[recount->next].a, recount->counted[recount->next].b);
    }
    return !kept || kinds == recount->kinds
               ? BG_OK
               : bg_error_set(recount->err, BG_E_MISMATCH,
                              "the tally lacks games that were lost by a fault");
}

static bool compare_run(void *user, const struct run *run)
{
    struct recount *recount = user;
    unsigned char digest[DIGEST];

    digest_run(digest, run);
    if (recount->next_run == recount->runs ||
        memcmp(digest, recount->run[recount->next_run], DIGEST) != 0) {
        recount->status = bg_error_set(recount->err, BG_E_MISMATCH,
                                       "the summary of the games of %s and %s from pair %" PRIu64
                                       " on, for tables and reports, is not what the games give",
                                       run->a, run->b, run->first);
    }
    recount->next_run++;
    return recount->status == BG_OK;
}

static enum bg_status compare_runs(struct recount *recount, struct store *store)
{
    enum bg_status status;

    run_build_end(&recount->build);
    status = store_all_runs(store, true, compare_run, recount, recount->err);
    status = status == BG_OK ? recount->status : status;
    return status != BG_OK || recount->next_run == recount->runs
               ? status
               : bg_error_set(recount->err, BG_E_MISMATCH,
                              "the summary of the games, for tables and reports, lacks games");
}

static int by_id(const void *x, const void *y)
{
    const struct fault_game *a = x, *b = y;

    return strcmp(a->id, b->id);
}

static void compare_fault(void *user, const struct store_fault *fault)
{
    struct recount *recount = user;
    struct fault_game wanted = {.id = fault->game_id};
    struct fault_game *game = NULL;
    struct game_id id;

    recount->faults++;
    if (recount->status != BG_OK || fault->game_id == NULL) {
        recount->outside += fault->game_id == NULL;
        return;
    }
    if (recount->games > 0) {
        game = bsearch(&wanted, recount->game, recount->games, sizeof wanted, by_id);
    }
    if (game == NULL || game->found || fault->bot == NULL || game->fault != fault->fault ||
        !game_id_read(&id, game->id) || strcmp(fault->bot, game->by_a ? id.a : id.b) != 0) {
        recount->status = bg_error_set(recount->err, BG_E_MISMATCH,
                                       "a fault of %s in game %s has evidence; the game %s",
                                       fault->bot, fault->game_id,
                                       game == NULL  ? "was not lost by a fault"
                                       : game->found ? "has but one"
                                                     : "was lost by another fault");
        return;
    }
    game->found = true;
}

enum bg_status recount_compare(uint64_t *faults, uint64_t *outside, struct recount *recount,
                               struct store *store, struct bg_error *err)
{
    enum bg_status status;

    recount->err = err;
    recount->status = BG_OK;
    status = compare_tally(recount, store);
    if (status == BG_OK) {
        status = compare_runs(recount, store);
    }
    if (status != BG_OK) {
        return status;
    }
    if (recount->games > 0) {
        qsort(recount->game, recount->games, sizeof *recount->game, by_id);
    }
    status = store_all_faults(store, compare_fault, recount, err);
    status = status == BG_OK ? recount->status : status;
    for (size_t i = 0; i < recount->games && status == BG_OK; i++) {
        if (!recount->game[i].found) {
            status = bg_error_set(
                err, BG_E_MISMATCH,
                "game %s was lost by a fault, but the evidence of the fault is missing",
                recount->game[i].id);
        }
    }
    *faults = recount->faults;
    *outside = recount->outside;
    return status;
}
