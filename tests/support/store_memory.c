#include "store_memory.h"
#include "store_memory_acts.h"
#include "store_memory_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/game_id.h"
#include "store/run_build.h"

struct setting {
    char *key, *value;
};

/* One fixture that will not be played. */
struct unplayed {
    char *fixture, *bot, *why;
    struct store_game place; /* a, b (owned), pair, leg: the sort key */
};

/* A game of a pair that was restarted, and the attempt in which it was played. */
struct aside {
    struct store_game *game;
    uint64_t attempt;
};

/* Items of one size, growing. */
struct list {
    void **item;
    size_t count, room;
};

struct memory_store {
    struct store base;
    struct list games, faults, settings, unplayed;
    struct list arrived; /* the games again, in the order of arrival */
    struct list judgements;
    struct list attempts, aside, aside_faults;
    struct memory_acts acts;
    struct memory_steps steps;
    uint64_t puts; /* games and steps */
    uint64_t durable_games;
    uint64_t fault_count; /* games that ever arrived */
    struct bg_error conflict;
    store_durable_fn fn;
    store_judged_fn judged_fn;
    void *judged_user;
    void *user;
};

static struct memory_store *self(struct store *store)
{
    return (struct memory_store *)store;
}

static bool list_add(struct list *list, void *item)
{
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 16 : list->room * 2;
        void **grown = realloc(list->item, room * sizeof *grown);

        if (grown == NULL) {
            return false;
        }
        list->item = grown;
        list->room = room;
    }
    list->item[list->count++] = item;
    return true;
}

static char *copy(const char *text)
{
    return text == NULL ? NULL : strdup(text);
}

static void setting_free(struct setting *setting)
{
    free(setting->key);
    free(setting->value);
    free(setting);
}

static void unplayed_free(struct unplayed *unplayed)
{
    free(unplayed->fixture);
    free(unplayed->bot);
    free(unplayed->why);
    free(unplayed->place.a);
    free(unplayed->place.b);
    free(unplayed);
}

static void attempt_free(struct store_attempt *attempt)
{
    free(attempt->a);
    free(attempt->b);
    free(attempt->reason);
    free(attempt->at);
    free(attempt);
}

static void destroy_aside(struct memory_store *store)
{
    for (size_t i = 0; i < store->attempts.count; i++) {
        attempt_free(store->attempts.item[i]);
    }
    for (size_t i = 0; i < store->aside.count; i++) {
        store_game_destroy(((struct aside *)store->aside.item[i])->game);
        free(store->aside.item[i]);
    }
    for (size_t i = 0; i < store->aside_faults.count; i++) {
        store_fault_destroy(store->aside_faults.item[i]);
    }
    free(store->attempts.item);
    free(store->aside.item);
    free(store->aside_faults.item);
}

static void destroy(struct store *base)
{
    struct memory_store *store = self(base);

    for (size_t i = 0; i < store->games.count; i++) {
        store_game_destroy(store->games.item[i]);
    }
    for (size_t i = 0; i < store->faults.count; i++) {
        store_fault_destroy(store->faults.item[i]);
    }
    for (size_t i = 0; i < store->settings.count; i++) {
        setting_free(store->settings.item[i]);
    }
    for (size_t i = 0; i < store->unplayed.count; i++) {
        unplayed_free(store->unplayed.item[i]);
    }
    for (size_t i = 0; i < store->judgements.count; i++) {
        judgement_destroy(store->judgements.item[i]);
    }
    destroy_aside(store);
    memory_acts_free(&store->acts);
    memory_steps_free(&store->steps);
    free(store->judgements.item);
    free(store->arrived.item);
    free(store->games.item);
    free(store->faults.item);
    free(store->settings.item);
    free(store->unplayed.item);
    free(store);
}

/* --- order ------------------------------------------------------------------------------- */

static int by_place(const struct store_game *a, const struct store_game *b)
{
    int order = strcmp(a->a, b->a);

    order = order != 0 ? order : strcmp(a->b, b->b);
    order = order != 0 ? order : (a->pair > b->pair) - (a->pair < b->pair);
    order = order != 0 ? order : a->leg - b->leg;
    return order != 0 ? order : a->game - b->game;
}

static int games_by_place(const void *a, const void *b)
{
    return by_place(*(struct store_game *const *)a, *(struct store_game *const *)b);
}

static int unplayed_by_place(const void *a, const void *b)
{
    return by_place(&(*(struct unplayed *const *)a)->place, &(*(struct unplayed *const *)b)->place);
}

static int settings_by_key(const void *a, const void *b)
{
    return strcmp((*(struct setting *const *)a)->key, (*(struct setting *const *)b)->key);
}

static void sort(struct list *list, int (*order)(const void *, const void *))
{
    if (list->count > 0) {
        qsort(list->item, list->count, sizeof *list->item, order);
    }
}

/* --- settings ---------------------------------------------------------------------------- */

static struct setting *find_setting(const struct memory_store *store, const char *key)
{
    for (size_t i = 0; i < store->settings.count; i++) {
        struct setting *setting = store->settings.item[i];

        if (strcmp(setting->key, key) == 0) {
            return setting;
        }
    }
    return NULL;
}

static enum bg_status meta_get(struct store *base, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err)
{
    const struct setting *setting = find_setting(self(base), key);

    *found = false;
    out[0] = '\0';
    if (setting == NULL) {
        return BG_OK;
    }
    if (strlen(setting->value) >= room) {
        return bg_error_set(err, BG_E_STORE, "setting %s has %zu bytes, expected less than %zu",
                            key, strlen(setting->value), room);
    }
    strcpy(out, setting->value);
    *found = true;
    return BG_OK;
}

static enum bg_status meta_set(struct store *base, const char *key, const char *value,
                               struct bg_error *err)
{
    struct setting *setting = find_setting(self(base), key);

    if (setting == NULL) {
        setting = calloc(1, sizeof *setting);
        if (setting == NULL || !list_add(&self(base)->settings, setting)) {
            free(setting);
            return bg_error_set(err, BG_E_MEMORY, "setting %s", key);
        }
        setting->key = copy(key);
    }
    free(setting->value);
    setting->value = copy(value);
    return BG_OK;
}

static enum bg_status meta_each(struct store *base, const char *prefix,
                                void (*fn)(void *user, const char *key, const char *value),
                                void *user, struct bg_error *err)
{
    struct list *list = &self(base)->settings;

    (void)err;
    sort(list, settings_by_key);
    for (size_t i = 0; i < list->count; i++) {
        const struct setting *setting = list->item[i];

        if (strncmp(setting->key, prefix, strlen(prefix)) == 0) {
            fn(user, setting->key, setting->value);
        }
    }
    return BG_OK;
}

/* --- writing ----------------------------------------------------------------------------- */

static struct store_game *find_game(const struct memory_store *store, const struct store_game *game)
{
    for (size_t i = 0; i < store->games.count; i++) {
        if (by_place(store->games.item[i], game) == 0) {
            return store->games.item[i];
        }
    }
    return NULL;
}

static enum bg_status put_fault(struct store *base, struct store_fault *take, struct bg_error *err)
{
    take->number = ++self(base)->fault_count;
    if (!list_add(&self(base)->faults, take)) {
        store_fault_destroy(take);
        return bg_error_set(err, BG_E_MEMORY, "faults");
    }
    return BG_OK;
}

static enum bg_status put_evidence(struct memory_store *store, struct store_game *game,
                                   struct bg_error *err)
{
    struct store_fault *evidence = game->evidence;

    game->evidence = NULL;
    return evidence == NULL ? BG_OK : put_fault(&store->base, evidence, err);
}

static enum bg_status put_game(struct store *base, struct store_game *take, struct bg_error *err)
{
    struct memory_store *store = self(base);
    const struct store_game *old = find_game(store, take);
    enum bg_status status = old == NULL ? put_evidence(store, take, err) : BG_OK;
    struct game_id id = game_id_of_leg(take->a, take->b, take->pair, take->leg);

    id.game = take->game;
    memory_steps_drop(&store->steps, &id, false);
    store->puts++;

    if (status != BG_OK) {
        store_game_destroy(take);
        return status;
    }

    if (old != NULL) {
        if (strcmp(old->hash, take->hash) != 0 && store->conflict.status == BG_OK) {
            bg_error_set(&store->conflict, BG_E_STORE,
                         "game %s is stored already with another record", take->id);
        }
        store_game_destroy(take);
    } else if (!list_add(&store->arrived, take) || !list_add(&store->games, take)) {
        store_game_destroy(take);
        return bg_error_set(err, BG_E_MEMORY, "games");
    } else if (store->fn != NULL) {
        store->fn(store->user, take);
    }
    store->durable_games++;
    return BG_OK;
}

/* "A|B|pair|leg" into the place. */
static bool read_fixture(struct store_game *place, const char *fixture)
{
    struct game_id id;

    if (!game_id_read_leg(&id, fixture)) {
        return false;
    }
    place->a = copy(id.a);
    place->b = copy(id.b);
    place->pair = id.pair;
    place->leg = id.leg;
    return true;
}

static enum bg_status put_unplayed(struct store *base, const char *fixture, const char *bot,
                                   const char *why, struct bg_error *err)
{
    struct list *list = &self(base)->unplayed;
    struct unplayed *unplayed = NULL;

    for (size_t i = 0; i < list->count; i++) {
        struct unplayed *old = list->item[i];

        unplayed = strcmp(old->fixture, fixture) == 0 ? old : unplayed;
    }
    if (unplayed == NULL) {
        unplayed = calloc(1, sizeof *unplayed);
        if (unplayed == NULL || !read_fixture(&unplayed->place, fixture)) {
            free(unplayed);
            return bg_error_set(err, BG_E_ARGUMENT, "fixture '%s': not of the form A|B|pair|leg",
                                fixture);
        }
        unplayed->fixture = copy(fixture);
        if (!list_add(list, unplayed)) {
            unplayed_free(unplayed);
            return bg_error_set(err, BG_E_MEMORY, "unplayed fixtures");
        }
    }
    free(unplayed->bot);
    free(unplayed->why);
    unplayed->bot = copy(bot);
    unplayed->why = copy(why);
    return BG_OK;
}

static struct judgement **find_judgement(const struct memory_store *store, const char *judge,
                                         const char *hash)
{
    for (size_t i = 0; i < store->judgements.count; i++) {
        struct judgement *judgement = store->judgements.item[i];

        if (strcmp(judgement->judge, judge) == 0 && strcmp(judgement->hash, hash) == 0) {
            return (struct judgement **)&store->judgements.item[i];
        }
    }
    return NULL;
}

static enum bg_status put_judgement(struct store *base, struct judgement *take,
                                    struct bg_error *err)
{
    struct memory_store *store = self(base);
    struct judgement **old = find_judgement(store, take->judge, take->hash);

    if (old != NULL) {
        judgement_destroy(*old);
        *old = take;
    } else if (!list_add(&store->judgements, take)) {
        judgement_destroy(take);
        return bg_error_set(err, BG_E_MEMORY, "judgements");
    }
    if (store->judged_fn != NULL) {
        store->judged_fn(store->judged_user, take);
    }
    return BG_OK;
}

static void list_remove(struct list *list, size_t at)
{
    memmove(&list->item[at], &list->item[at + 1], (list->count - at - 1) * sizeof *list->item);
    list->count--;
}

static void list_forget(struct list *list, const void *item)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->item[i] == item) {
            list_remove(list, i--);
        }
    }
}

/* The data that belongs to a game that is set aside. */
static void detach(struct memory_store *store, const struct store_game *game)
{
    list_forget(&store->arrived, game);
    for (size_t i = 0; i < store->faults.count; i++) {
        struct store_fault *fault = store->faults.item[i];

        if (fault->game_id != NULL && strcmp(fault->game_id, game->id) == 0) {
            list_add(&store->aside_faults, fault);
            list_remove(&store->faults, i--);
        }
    }
    for (size_t i = 0; i < store->judgements.count; i++) {
        struct judgement *judgement = store->judgements.item[i];

        if (strcmp(judgement->hash, game->hash) == 0) {
            judgement_destroy(judgement);
            list_remove(&store->judgements, i--);
        }
    }
}

static bool is_of_pair(const char *a, const char *b, uint64_t pair, const struct game_id *id)
{
    return strcmp(a, id->a) == 0 && strcmp(b, id->b) == 0 && pair == id->pair;
}

static enum bg_status set_aside(struct store *base, const char *pair, const char *reason,
                                const char *at, struct bg_error *err)
{
    struct memory_store *store = self(base);
    struct store_attempt *attempt = calloc(1, sizeof *attempt);
    struct game_id id;

    if (attempt == NULL || !game_id_read_pair(&id, pair)) {
        free(attempt);
        return bg_error_set(err, BG_E_ARGUMENT, "pair '%s': not of the form A|B|pair", pair);
    }
    *attempt =
        (struct store_attempt){copy(id.a), copy(id.b), id.pair, 1, 0, copy(reason), copy(at)};
    if (!list_add(&store->attempts, attempt)) {
        free(attempt);
        return bg_error_set(err, BG_E_MEMORY, "pair '%s'", pair);
    }
    memory_steps_drop(&store->steps, &id, true);
    for (size_t i = 0; i + 1 < store->attempts.count; i++) {
        const struct store_attempt *before = store->attempts.item[i];

        attempt->attempt += is_of_pair(before->a, before->b, before->pair, &id);
    }
    for (size_t i = 0; i < store->games.count; i++) {
        struct store_game *game = store->games.item[i];
        struct aside *aside;

        if (is_of_pair(game->a, game->b, game->pair, &id)) {
            aside = calloc(1, sizeof *aside);
            if (aside == NULL || !list_add(&store->aside, aside)) {
                free(aside);
                return bg_error_set(err, BG_E_MEMORY, "pair '%s'", pair);
            }
            *aside = (struct aside){game, attempt->attempt - 1};
            detach(store, game);
            list_remove(&store->games, i--);
            attempt->games++;
        }
    }
    return BG_OK;
}

/* A pair gets other dice, and keeps its games. */
static enum bg_status begin_again(struct store *base, const struct store_change *change,
                                  struct bg_error *err)
{
    struct memory_store *store = self(base);
    const struct game_id *id = change->again;
    struct store_attempt *attempt = id == NULL ? NULL : calloc(1, sizeof *attempt);

    if (id == NULL) {
        return BG_OK;
    }
    if (attempt == NULL || !list_add(&store->attempts, attempt)) {
        free(attempt);
        return bg_error_set(err, BG_E_MEMORY, "pair of %s", id->a);
    }
    *attempt = (struct store_attempt){copy(id->a), copy(id->b),          id->pair,        1,
                                      0,           copy(change->reason), copy(change->at)};
    for (size_t i = 0; i + 1 < store->attempts.count; i++) {
        const struct store_attempt *before = store->attempts.item[i];

        attempt->attempt += is_of_pair(before->a, before->b, before->pair, id);
    }
    memory_steps_drop(&store->steps, id, true);
    return BG_OK;
}

static void reopen(struct memory_store *store, const char *bot)
{
    struct list *list = &store->unplayed;

    for (size_t i = 0; bot != NULL && i < list->count; i++) {
        struct unplayed *unplayed = list->item[i];

        if (unplayed->bot != NULL && strcmp(unplayed->bot, bot) == 0) {
            unplayed_free(unplayed);
            list_remove(list, i--);
        }
    }
}

static enum bg_status change_all(struct store *base, const struct store_change *change,
                                 struct bg_error *err)
{
    enum bg_status status =
        memory_acts_put(&self(base)->acts, change->acts, change->act_count, err);

    if (status != BG_OK) {
        return status;
    }
    reopen(self(base), change->reinstated);
    for (size_t i = 0; status == BG_OK && i < change->setting_count; i++) {
        status = meta_set(base, change->settings[i].key, change->settings[i].value, err);
    }
    for (size_t i = 0; status == BG_OK && i < change->unplayed_count; i++) {
        const struct store_unplayed *unplayed = &change->unplayed[i];

        status = put_unplayed(base, unplayed->fixture, unplayed->bot, unplayed->why, err);
    }
    for (size_t i = 0; status == BG_OK && i < change->pair_count; i++) {
        char pair[BG_GAME_ID];

        game_id_write_pair(pair, &change->pairs[i]);
        status = set_aside(base, pair, change->reason, change->at, err);
    }
    return status == BG_OK ? begin_again(base, change, err) : status;
}

static enum bg_status put_steps(struct store *base, struct store_steps *take, struct bg_error *err)
{
    self(base)->puts++;
    return memory_steps_put(&self(base)->steps, take, err);
}

static void put_count(struct store *base, uint64_t *put, uint64_t *durable)
{
    if (put != NULL) {
        *put = self(base)->puts;
    }
    if (durable != NULL) {
        *durable = self(base)->puts;
    }
}

static enum bg_status each_steps(struct store *base, const struct game_id *game, store_steps_fn fn,
                                 void *user, struct bg_error *err)
{
    (void)err;
    memory_steps_each(&self(base)->steps, game, fn, user);
    return BG_OK;
}

static enum bg_status put_acts(struct store *base, const struct act *acts, size_t count,
                               struct bg_error *err)
{
    return memory_acts_put(&self(base)->acts, acts, count, err);
}

static void on_durable(struct store *base, store_durable_fn fn, void *user)
{
    self(base)->fn = fn;
    self(base)->user = user;
}

static void on_judged(struct store *base, store_judged_fn fn, void *user)
{
    self(base)->judged_fn = fn;
    self(base)->judged_user = user;
}

static int settled_fd(struct store *base)
{
    (void)base;
    return -1;
}

static enum bg_status flush(struct store *base, struct bg_error *err)
{
    const struct bg_error *conflict = &self(base)->conflict;

    return conflict->status == BG_OK ? BG_OK
                                     : bg_error_set(err, conflict->status, "%s", conflict->text);
}

static enum bg_status settled(struct store *base, uint64_t *durable_games, struct bg_error *err)
{
    *durable_games = self(base)->durable_games;
    return flush(base, err);
}

/* --- reading ----------------------------------------------------------------------------- */

static enum bg_status each_game(struct store *base, const struct store_game *leg, bool with_text,
                                store_game_fn fn, void *user, struct bg_error *err)
{
    struct list *list = &self(base)->games;
    enum bg_status status = flush(base, err);
    bool more = status == BG_OK;

    sort(list, games_by_place);
    for (size_t i = 0; i < list->count && more; i++) {
        struct store_game game = *(struct store_game *)list->item[i];

        if (leg != NULL && (strcmp(game.a, leg->a) != 0 || strcmp(game.b, leg->b) != 0 ||
                            game.pair != leg->pair || game.leg != leg->leg)) {
            continue;
        }
        if (!with_text) {
            game.text = NULL;
            game.text_size = 0;
        }
        more = fn(user, &game);
    }
    return status;
}

static enum bg_status leg_games(struct store *base, const char *a, const char *b, uint64_t pair,
                                int leg, store_game_fn fn, void *user, struct bg_error *err)
{
    struct store_game place = {.a = copy(a), .b = copy(b), .pair = pair, .leg = leg};
    enum bg_status status = each_game(base, &place, true, fn, user, err);

    free(place.a);
    free(place.b);
    return status;
}

static enum bg_status all_games(struct store *base, bool with_text, store_game_fn fn, void *user,
                                struct bg_error *err)
{
    return each_game(base, NULL, with_text, fn, user, err);
}

static enum bg_status all_unplayed(struct store *base,
                                   void (*fn)(void *user, const char *fixture, const char *bot,
                                              const char *why),
                                   void *user, struct bg_error *err)
{
    struct list *list = &self(base)->unplayed;

    (void)err;
    sort(list, unplayed_by_place);
    for (size_t i = 0; i < list->count; i++) {
        const struct unplayed *unplayed = list->item[i];

        fn(user, unplayed->fixture, unplayed->bot, unplayed->why);
    }
    return BG_OK;
}

/* It stores none: they are counted from the games. */
static enum bg_status tally(struct store *base, bool *kept, store_encounter_fn encounter_fn,
                            store_lost_fn lost_fn, void *user, struct bg_error *err)
{
    (void)base;
    (void)encounter_fn;
    (void)lost_fn;
    (void)user;
    (void)err;
    *kept = false;
    return BG_OK;
}

static bool build_run(void *user, const struct store_game *game)
{
    return run_build_game(user, game);
}

/* It stores none either: they are built. */
static enum bg_status all_runs(struct store *base, bool with_sums, store_run_fn fn, void *user,
                               struct bg_error *err)
{
    struct run_build build = RUN_BUILD(with_sums, fn, user);
    enum bg_status status = each_game(base, NULL, with_sums, build_run, &build, err);

    run_build_end(&build);
    return status;
}

static enum bg_status all_faults(struct store *base,
                                 void (*fn)(void *user, const struct store_fault *fault),
                                 void *user, struct bg_error *err)
{
    const struct list *list = &self(base)->faults;

    (void)err;
    for (size_t i = 0; i < list->count; i++) {
        fn(user, list->item[i]);
    }
    return BG_OK;
}

static int attempts_by_place(const void *a, const void *b)
{
    const struct store_attempt *x = *(struct store_attempt *const *)a;
    const struct store_attempt *y = *(struct store_attempt *const *)b;
    const struct store_game left = {.a = x->a, .b = x->b, .pair = x->pair};
    const struct store_game right = {.a = y->a, .b = y->b, .pair = y->pair};
    int order = by_place(&left, &right);

    return order != 0 ? order : (x->attempt > y->attempt) - (x->attempt < y->attempt);
}

static int aside_by_place(const void *a, const void *b)
{
    const struct aside *x = *(struct aside *const *)a, *y = *(struct aside *const *)b;
    struct store_game left = *x->game, right = *y->game;
    int order;

    left.leg = left.game = right.leg = right.game = 0;
    order = by_place(&left, &right);
    order = order != 0 ? order : (x->attempt > y->attempt) - (x->attempt < y->attempt);
    return order != 0 ? order : by_place(x->game, y->game);
}

static enum bg_status all_attempts(struct store *base,
                                   void (*fn)(void *user, const struct store_attempt *attempt),
                                   void *user, struct bg_error *err)
{
    struct list *list = &self(base)->attempts;

    (void)err;
    sort(list, attempts_by_place);
    for (size_t i = 0; i < list->count; i++) {
        fn(user, list->item[i]);
    }
    return BG_OK;
}

static enum bg_status all_set_aside(struct store *base, store_aside_fn fn, void *user,
                                    struct bg_error *err)
{
    struct list *list = &self(base)->aside;
    bool more = true;

    (void)err;
    sort(list, aside_by_place);
    for (size_t i = 0; i < list->count && more; i++) {
        const struct aside *aside = list->item[i];

        more = fn(user, aside->game, aside->attempt);
    }
    return BG_OK;
}

static enum bg_status all_acts(struct store *base, store_act_fn fn, void *user,
                               struct bg_error *err)
{
    (void)err;
    memory_acts_each(&self(base)->acts, fn, user);
    return BG_OK;
}

static enum bg_status each_judgement(struct store *base, const char *judge, store_judgement_fn fn,
                                     void *user, struct bg_error *err)
{
    struct memory_store *store = self(base);
    bool more = true;

    (void)err;
    sort(&store->games, games_by_place);
    for (size_t i = 0; i < store->games.count && more; i++) {
        struct store_game game = *(struct store_game *)store->games.item[i];
        struct judgement **found = find_judgement(store, judge, game.hash);

        if (found != NULL) {
            struct judgement judgement = **found;

            game.text = NULL;
            game.text_size = 0;
            judgement.game_id = game.id;
            more = fn(user, &game, &judgement);
        }
    }
    return BG_OK;
}

static int judgements_by_judge(const void *a, const void *b)
{
    return strcmp((*(struct judgement *const *)a)->judge, (*(struct judgement *const *)b)->judge);
}

static enum bg_status each_judge(struct store *base,
                                 void (*fn)(void *user, const char *judge, uint64_t games),
                                 void *user, struct bg_error *err)
{
    struct list *list = &self(base)->judgements;
    uint64_t games = 0;

    (void)err;
    sort(list, judgements_by_judge);
    for (size_t i = 0; i < list->count; i++) {
        games++;
        if (i + 1 == list->count || judgements_by_judge(&list->item[i], &list->item[i + 1]) != 0) {
            fn(user, ((struct judgement *)list->item[i])->judge, games);
            games = 0;
        }
    }
    return BG_OK;
}

static enum bg_status unjudged(struct store *base, const char *judge, bool with_choices,
                               int64_t *cursor, int limit, store_game_fn fn, void *user,
                               struct bg_error *err)
{
    struct memory_store *store = self(base);
    bool more = true;

    (void)err;
    while (more && limit > 0 && (size_t)*cursor < store->arrived.count) {
        const struct store_game *game = store->arrived.item[(*cursor)++];
        struct judgement **found = judge == NULL ? NULL : find_judgement(store, judge, game->hash);

        if (found == NULL || (with_choices && !(*found)->has_choices)) {
            limit--;
            more = fn(user, game);
        }
    }
    return BG_OK;
}

static enum bg_status snapshot(struct store *base, bool on, struct bg_error *err)
{
    (void)base;
    (void)on;
    (void)err;
    return BG_OK;
}

static enum bg_status check_whole(struct store *base, struct bg_error *err)
{
    (void)base;
    (void)err;
    return BG_OK;
}

static enum bg_status check_seal(struct store *base, bool *sealed, struct bg_error *err)
{
    (void)base;
    (void)err;
    *sealed = true;
    return BG_OK;
}

struct store *store_memory_create(void)
{
    static const struct store_ops ops = {
        .destroy = destroy,
        .meta_get = meta_get,
        .meta_set = meta_set,
        .change_all = change_all,
        .meta_each = meta_each,
        .put_game = put_game,
        .put_fault = put_fault,
        .put_unplayed = put_unplayed,
        .put_judgement = put_judgement,
        .put_steps = put_steps,
        .put_count = put_count,
        .each_steps = each_steps,
        .on_durable = on_durable,
        .on_judged = on_judged,
        .settled_fd = settled_fd,
        .settled = settled,
        .flush = flush,
        .leg_games = leg_games,
        .all_games = all_games,
        .tally = tally,
        .all_runs = all_runs,
        .all_unplayed = all_unplayed,
        .all_faults = all_faults,
        .all_attempts = all_attempts,
        .all_set_aside = all_set_aside,
        .each_judgement = each_judgement,
        .each_judge = each_judge,
        .unjudged = unjudged,
        .put_acts = put_acts,
        .all_acts = all_acts,
        .snapshot = snapshot,
        .check_whole = check_whole,
        .check_seal = check_seal,
    };
    struct memory_store *store = calloc(1, sizeof *store);

    if (store == NULL) {
        return NULL;
    }
    store->base.ops = &ops;
    return &store->base;
}
