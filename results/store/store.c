/* Calls with few parts over the store's operations: a store implements one `each`, one `put` and
 * one `change`, and callers still do not fill in structs by hand. */
#include "store.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "record/game_id.h"

void store_game_destroy(struct store_game *game)
{
    if (game != NULL) {
        free(game->id);
        free(game->a);
        free(game->b);
        free(game->text);
        store_fault_destroy(game->evidence);
        free(game);
    }
}

void store_steps_destroy(struct store_steps *steps)
{
    if (steps != NULL) {
        free(steps->lines);
        free(steps);
    }
}

void store_game_result(struct store_game *game, const struct bg_match *match, int leg)
{
    int winner = match->result.winner, match_winner = match->match_winner;

    game->length_points = match->rules.length_points;
    game->winner = winner < 0 ? -1 : game_id_bot_at(leg, winner);
    game->points = match->result.points;
    /* Where checkers are counted there are no gammons: the level comes from the points. */
    game->level = bg_variant_level_max(match->rules.variant) > 3 && match->result.level > 1
                      ? 1
                      : match->result.level;
    game->end = match->result.end;
    game->fault = match->result.fault;
    game->turns = match->turn;
    game->score_a = match->score[game_id_seat_of(leg, 0)];
    game->score_b = match->score[game_id_seat_of(leg, 1)];
    game->match_over = match->need.kind == BG_NEED_NOTHING;
    game->match_winner = match_winner < 0 ? -1 : game_id_bot_at(leg, match_winner);
}

void store_fault_destroy(struct store_fault *fault)
{
    if (fault != NULL) {
        free(fault->game_id);
        free(fault->bot);
        free(fault->rule);
        free(fault->position_id);
        free(fault->xgid);
        free(fault->dice);
        free(fault->reply);
        free(fault->stderr_tail);
        free(fault->legal);
        free(fault->reproduce);
        free(fault->story);
        free(fault);
    }
}

/* --- what waits to be written: the queue owns it, whatever becomes of it -------------------------
 */

void store_item_free(struct store_item *item)
{
    switch (item->kind) {
    case STORE_ITEM_GAME:
        store_game_destroy(item->as.game);
        break;
    case STORE_ITEM_FAULT:
        store_fault_destroy(item->as.fault);
        break;
    case STORE_ITEM_JUDGEMENT:
        judgement_destroy(item->as.judgement);
        break;
    case STORE_ITEM_ACT:
        free(item->as.act);
        break;
    case STORE_ITEM_STEPS:
        store_steps_destroy(item->as.steps);
        break;
    case STORE_ITEM_META:
    case STORE_ITEM_UNPLAYED:
    case STORE_ITEM_ASIDE:
    case STORE_ITEM_AGAIN:
    case STORE_ITEM_REOPEN:
        free(item->as.text.first);
        free(item->as.text.second);
        free(item->as.text.third);
        break;
    }
}

void store_queue_clear(struct store_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++) {
        store_item_free(&queue->item[i]);
    }
    queue->count = 0;
}

void store_queue_deinit(struct store_queue *queue)
{
    store_queue_clear(queue);
    free(queue->item);
    *queue = (struct store_queue){0};
}

void store_queue_add(struct store_queue *queue, const struct store_item *item)
{
    queue->item = memory_list(queue->item, &queue->room, queue->count + 1, sizeof *queue->item);
    queue->item[queue->count++] = *item;
}

/* --- queries with few parts ---------------------------------------------------------------- */

static enum bg_status ask_each(struct store *store, const struct store_query *query,
                               struct bg_error *err)
{
    return store->ops->each(store, query, err);
}

enum bg_status store_meta_each(struct store *store, const char *prefix, store_setting_fn fn,
                               void *user, struct bg_error *err)
{
    return ask_each(
        store,
        &(struct store_query){STORE_SETTINGS, .name = prefix, .fn.setting = fn, .user = user}, err);
}

enum bg_status store_meta_text(char *out, size_t room, struct store *store, const char *key,
                               struct bg_error *err)
{
    bool found;

    return store->ops->meta_get(store, key, out, room, &found, err);
}

/* A place in the store takes four of the parameters. */
enum bg_status store_leg_games(struct store *store, const char *a, const char *b, uint64_t pair,
                               int leg, store_game_fn fn, void *user, struct bg_error *err)
{
    const struct game_id id = game_id_of_leg(a, b, pair, leg);

    return ask_each(
        store, &(struct store_query){STORE_GAMES, &id, .full = true, .fn.game = fn, .user = user},
        err);
}

enum bg_status store_games_after(struct store *store, const struct game_id *after, int limit,
                                 bool with_text, store_game_fn fn, void *user, struct bg_error *err)
{
    return ask_each(store,
                    &(struct store_query){STORE_GAMES, after, .full = with_text, .limit = limit,
                                          .fn.game = fn, .user = user},
                    err);
}

enum bg_status store_all_games(struct store *store, bool with_text, store_game_fn fn, void *user,
                               struct bg_error *err)
{
    return ask_each(
        store, &(struct store_query){STORE_GAMES, .full = with_text, .fn.game = fn, .user = user},
        err);
}

static bool count_game(void *user, const struct store_game *game)
{
    (void)game;
    ++*(uint64_t *)user;
    return true;
}

enum bg_status store_count_games(uint64_t *count, struct store *store, struct bg_error *err)
{
    return store_all_games(store, false, count_game, count, err);
}

enum bg_status store_all_set_aside(struct store *store, store_aside_fn fn, void *user,
                                   struct bg_error *err)
{
    return ask_each(store, &(struct store_query){STORE_SET_ASIDE, .fn.aside = fn, .user = user},
                    err);
}

enum bg_status store_all_attempts(struct store *store, store_attempt_fn fn, void *user,
                                  struct bg_error *err)
{
    return ask_each(store, &(struct store_query){STORE_ATTEMPTS, .fn.attempt = fn, .user = user},
                    err);
}

enum bg_status store_all_unplayed(struct store *store, store_unplayed_fn fn, void *user,
                                  struct bg_error *err)
{
    return ask_each(store, &(struct store_query){STORE_UNPLAYED, .fn.unplayed = fn, .user = user},
                    err);
}

enum bg_status store_all_faults(struct store *store, store_fault_fn fn, void *user,
                                struct bg_error *err)
{
    return ask_each(store, &(struct store_query){STORE_FAULTS, .fn.fault = fn, .user = user}, err);
}

enum bg_status store_all_acts(struct store *store, store_act_fn fn, void *user,
                              struct bg_error *err)
{
    return ask_each(store, &(struct store_query){STORE_ACTS, .fn.act = fn, .user = user}, err);
}

enum bg_status store_each_steps(struct store *store, const struct game_id *game, store_steps_fn fn,
                                void *user, struct bg_error *err)
{
    return ask_each(store, &(struct store_query){STORE_STEPS, game, .fn.steps = fn, .user = user},
                    err);
}

enum bg_status store_each_date(struct store *store, int limit, store_date_fn fn, void *user,
                               struct bg_error *err)
{
    return ask_each(store,
                    &(struct store_query){STORE_DATES, .limit = limit, .fn.date = fn, .user = user},
                    err);
}

enum bg_status store_each_judge(struct store *store, store_judge_fn fn, void *user,
                                struct bg_error *err)
{
    return ask_each(store, &(struct store_query){STORE_JUDGES, .fn.judge = fn, .user = user}, err);
}

enum bg_status store_each_judgement(struct store *store, const char *judge, store_judgement_fn fn,
                                    void *user, struct bg_error *err)
{
    return ask_each(
        store,
        &(struct store_query){STORE_JUDGEMENTS, .name = judge, .fn.judgement = fn, .user = user},
        err);
}

enum bg_status store_leg_judgements(struct store *store, const struct game_id *leg,
                                    const char *judge, store_judgement_fn fn, void *user,
                                    struct bg_error *err)
{
    return ask_each(store,
                    &(struct store_query){STORE_JUDGEMENTS, .of = leg, .name = judge,
                                          .fn.judgement = fn, .user = user},
                    err);
}

enum bg_status store_all_runs(struct store *store, bool with_sums, store_run_fn fn, void *user,
                              struct bg_error *err)
{
    return ask_each(
        store, &(struct store_query){STORE_RUNS, .full = with_sums, .fn.run = fn, .user = user},
        err);
}

enum bg_status store_tally(struct store *store, bool *kept, store_encounter_fn encounter_fn,
                           store_lost_fn lost_fn, void *user, struct bg_error *err)
{
    return ask_each(store,
                    &(struct store_query){STORE_TALLY, .kept = kept, .fn.encounter = encounter_fn,
                                          .lost = lost_fn, .user = user},
                    err);
}

/* --- items and changes with few parts -------------------------------------------------------- */

static enum bg_status put_item(struct store *store, struct store_item item, struct bg_error *err)
{
    return store->ops->put(store, &item, err);
}

enum bg_status store_put_game(struct store *store, struct store_game *take, struct bg_error *err)
{
    return put_item(store, (struct store_item){STORE_ITEM_GAME, .as.game = take}, err);
}

enum bg_status store_put_fault(struct store *store, struct store_fault *take, struct bg_error *err)
{
    return put_item(store, (struct store_item){STORE_ITEM_FAULT, .as.fault = take}, err);
}

enum bg_status store_put_judgement(struct store *store, struct judgement *take,
                                   struct bg_error *err)
{
    return put_item(store, (struct store_item){STORE_ITEM_JUDGEMENT, .as.judgement = take}, err);
}

enum bg_status store_put_steps(struct store *store, struct store_steps *take, struct bg_error *err)
{
    return put_item(store, (struct store_item){STORE_ITEM_STEPS, .as.steps = take}, err);
}

enum bg_status store_put_unplayed(struct store *store, const char *fixture, const char *bot,
                                  const char *why, struct bg_error *err)
{
    return put_item(
        store,
        (struct store_item){STORE_ITEM_UNPLAYED,
                            .as.text = {memory_text(fixture), memory_text(bot), memory_text(why)}},
        err);
}

enum bg_status store_put_acts(struct store *store, const struct act *acts, size_t count,
                              struct bg_error *err)
{
    return store->ops->change(store, &(struct store_change){.acts = acts, .act_count = count}, err);
}

enum bg_status store_meta_set(struct store *store, const char *key, const char *value,
                              struct bg_error *err)
{
    const struct store_setting setting = {key, value};

    return store->ops->change(store, &(struct store_change){&setting, .setting_count = 1}, err);
}
