#include "ledger.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anew.h"
#include "anything.h"
#include "dice_key.h"
#include "event_settings.h"
#include "finder.h"
#include "finished.h"
#include "trust.h"
#include "store/editions.h"
#include "record/game_id.h"
#include "proof/root.h"

#include "../log.h"

enum { EDITIONS_ROOM = 131072 };

#define DECIDED "results.decided" /* in the results */

struct ledger {
    const struct config_event *event; /* lent */
    struct store *store;
    struct dice_key dice_key;
    struct event_settings *settings; /* owned; compared, and not stored yet */
    struct tally tally;
    pthread_mutex_t tally_mutex;
    struct finder finder;
    struct finished finished; /* has a lock of its own */
    uint8_t **settled; /* owned; [a * bots + b]: a bit for each pair and leg, NULL none yet */
    uint8_t **begun;   /* likewise: games were there when the results were opened */
    int *faults;       /* owned; by bot: what it was charged with before */
    uint64_t settled_count, unplayed_count; /* the second is part of the first */
    struct anew anew;
    bool thinking;  /* past games are read with their thinking times */
    bool published; /* the key of the dice, in this run */
    bool strangers; /* compete here */
    bool decided;   /* by a test, before everything was played */
    bool played;    /* something was played, or given up, before: settings are fixed */
};

/* ----------------------------------------------------------- settled fixtures */

static uint8_t **bits_of(const struct ledger *ledger, uint8_t **of, const struct fixture *fixture)
{
    return &of[(size_t)fixture->a * (size_t)ledger->event->bot_count + (size_t)fixture->b];
}

static bool has_bit(const struct ledger *ledger, uint8_t **of, const struct fixture *fixture)
{
    const uint8_t *bits = *bits_of(ledger, of, fixture);
    uint64_t bit = 2 * fixture->pair + (uint64_t)fixture->leg;

    return bits != NULL && fixture->pair < ledger->event->pairs &&
           (bits[bit / 8] & 1 << bit % 8) != 0;
}

/* False: no memory, or a pair of a longer event before, kept but not part of this one. */
static bool set_bit(const struct ledger *ledger, uint8_t **of, const struct fixture *fixture)
{
    uint8_t **bits = bits_of(ledger, of, fixture);
    uint64_t bit = 2 * fixture->pair + (uint64_t)fixture->leg;

    if (fixture->pair >= ledger->event->pairs) {
        return false;
    }
    if (*bits == NULL) {
        *bits = calloc((size_t)(2 * ledger->event->pairs / 8 + 1), 1);
    }
    if (*bits != NULL) {
        (*bits)[bit / 8] |= (uint8_t)(1 << bit % 8);
    }
    return *bits != NULL;
}

bool ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture)
{
    return has_bit(ledger, ledger->settled, fixture);
}

bool ledger_is_begun(const struct ledger *ledger, const struct fixture *fixture)
{
    return has_bit(ledger, ledger->begun, fixture);
}

void ledger_settle(struct ledger *ledger, const struct fixture *fixture)
{
    if (!ledger_is_settled(ledger, fixture) && set_bit(ledger, ledger->settled, fixture)) {
        ledger->settled_count++;
    }
}

void ledger_give_up(struct ledger *ledger, const struct fixture *fixture)
{
    uint64_t before = ledger->settled_count;

    ledger_settle(ledger, fixture);
    ledger->unplayed_count += ledger->settled_count - before;
}

uint64_t ledger_unplayed(const struct ledger *ledger)
{
    return ledger->unplayed_count;
}

int ledger_faults(const struct ledger *ledger, int bot)
{
    return ledger->faults[bot];
}

uint64_t ledger_settled(const struct ledger *ledger)
{
    return ledger->settled_count;
}

/* ------------------------------------------------------------ what is there */

uint64_t ledger_attempt(const struct ledger *ledger, const struct fixture *fixture)
{
    return anew_attempt(&ledger->anew, fixture);
}

enum bg_status ledger_plan_anew(struct ledger *ledger, const struct fixture *pair,
                                struct bg_error *err)
{
    return anew_plan(&ledger->anew, pair) ? BG_OK
                                          : bg_error_set(err, BG_E_MEMORY, "pairs begun anew");
}

uint64_t ledger_each_anew(struct ledger *ledger,
                          void (*fn)(void *user, const struct store_attempt *attempt), void *user)
{
    uint64_t count = ledger->anew.is_begun ? ledger->anew.planned.count : 0;

    for (uint64_t i = 0; i < count; i++) {
        const struct store_attempt act = anew_act(&ledger->anew, i, ledger->event);

        fn(user, &act);
    }
    return count;
}

struct loading {
    struct ledger *ledger;
    enum bg_status status;
    struct bg_error *err;
};

static bool load_game(void *user, const struct store_game *game)
{
    struct loading *loading = user;
    struct ledger *ledger = loading->ledger;
    struct fixture fixture = {finder_bot(&ledger->finder, game->a),
                              finder_bot(&ledger->finder, game->b), game->pair, game->leg};
    struct anew_pair *planned = anew_find(&ledger->anew, &fixture);

    if (planned != NULL) {
        planned->games++;
        return true;
    }
    if (fixture.a >= 0 && fixture.b >= 0) {
        if (!set_bit(ledger, ledger->begun, &fixture) && fixture.pair < ledger->event->pairs) {
            loading->status = bg_error_set(loading->err, BG_E_MEMORY, "games of old results");
            return false;
        }
        if (game->match_over) {
            ledger_settle(ledger, &fixture);
        }
    }
    loading->status = tally_add_game(&ledger->tally, game, loading->err);
    return loading->status == BG_OK;
}

static void load_attempt(void *user, const struct store_attempt *attempt)
{
    struct loading *loading = user;
    struct ledger *ledger = loading->ledger;
    struct fixture pair = {finder_bot(&ledger->finder, attempt->a),
                           finder_bot(&ledger->finder, attempt->b), attempt->pair, 0};

    if (!anew_add(&ledger->anew, &pair, attempt->attempt)) {
        loading->status = bg_error_set(loading->err, BG_E_MEMORY, "pairs begun anew");
    }
}

static void load_unplayed(void *user, const char *text, const char *bot, const char *why)
{
    struct ledger *ledger = user;
    struct fixture fixture;

    (void)bot;
    (void)why;
    if (finder_text(&fixture, &ledger->finder, text)) {
        ledger_give_up(ledger, &fixture);
    }
}

static void load_fault(void *user, const struct store_fault *fault)
{
    struct ledger *ledger = user;
    int bot = fault->bot == NULL ? -1 : finder_bot(&ledger->finder, fault->bot);
    struct fixture fixture;
    struct game_id id;

    if (fault->game_id != NULL && game_id_read(&id, fault->game_id) &&
        finder_id(&fixture, &ledger->finder, &id) && anew_find(&ledger->anew, &fixture) != NULL) {
        return;
    }
    /* A start that failed counts in its own run only: the next one tries again. */
    if (bot >= 0 && fault->fault != BG_FAULT_HOST && fault->fault != BG_FAULT_START) {
        ledger->faults[bot]++;
    }
}

/* ------------------------------------------------------ games that became durable */

void ledger_watch(struct ledger *ledger, bool thinking)
{
    ledger->thinking = thinking;
    finished_watch(&ledger->finished, thinking);
}

bool ledger_is_pair_open(const struct ledger *ledger, const struct store_game *game)
{
    struct fixture fixture;
    bool open = false;

    if (finder_game(&fixture, &ledger->finder, game)) {
        for (fixture.leg = 0; fixture.leg < (ledger->event->duplicate ? 2 : 1); fixture.leg++) {
            open = open || !ledger_is_settled(ledger, &fixture);
        }
    }
    return open;
}

void ledger_take(struct ledger *ledger, ledger_game_fn fn, void *user)
{
    finished_take_games(&ledger->finished, &ledger->finder, fn, user);
}

struct past {
    const struct ledger *ledger;
    ledger_game_fn fn;
    void (*unplayed)(void *user, const struct fixture *fixture, const char *bot, const char *why);
    void *user;
};

static bool past_game(void *user, const struct store_game *game)
{
    const struct past *past = user;
    struct thinking thinking = {.decisions = {0, 0}};
    struct fixture fixture;

    if (finder_game(&fixture, &past->ledger->finder, game) &&
        anew_find(&past->ledger->anew, &fixture) == NULL) {
        if (game->text != NULL) {
            thinking_of_record(&thinking, game->text, game->text_size);
        }
        past->fn(past->user, &fixture, game, &thinking);
    }
    return true;
}

enum bg_status ledger_past(struct ledger *ledger, ledger_game_fn fn, void *user,
                           struct bg_error *err)
{
    struct past past = {.ledger = ledger, .fn = fn, .user = user};

    return ledger->store->ops->all_games(ledger->store, ledger->thinking, past_game, &past, err);
}

static void past_unplayed(void *user, const char *text, const char *bot, const char *why)
{
    const struct past *past = user;
    struct fixture fixture;

    if (finder_text(&fixture, &past->ledger->finder, text) &&
        fixture.pair < past->ledger->event->pairs) {
        past->unplayed(past->user, &fixture, bot, why);
    }
}

enum bg_status ledger_past_unplayed(struct ledger *ledger,
                                    void (*fn)(void *user, const struct fixture *fixture,
                                               const char *bot, const char *why),
                                    void *user, struct bg_error *err)
{
    struct past past = {.ledger = ledger, .unplayed = fn, .user = user};

    return ledger->store->ops->all_unplayed(ledger->store, past_unplayed, &past, err);
}

/* ------------------------------------------------------------------- judgements */

/* On the store's thread. */
static void on_judged(void *user, const struct judgement *judgement)
{
    struct ledger *ledger = user;

    finished_put_judgement(&ledger->finished, judgement);
}

void ledger_watch_judged(struct ledger *ledger)
{
    ledger->store->ops->on_judged(ledger->store, on_judged, ledger);
}

void ledger_take_judged(struct ledger *ledger, ledger_judged_fn fn, void *user)
{
    finished_take_judgements(&ledger->finished, &ledger->finder, fn, user);
}

struct past_judged {
    const struct ledger *ledger;
    ledger_judged_fn fn;
    void *user;
};

static bool past_judgement(void *user, const struct store_game *game,
                           const struct judgement *judgement)
{
    const struct past_judged *past = user;
    struct fixture fixture;

    if (finder_game(&fixture, &past->ledger->finder, game) &&
        anew_find(&past->ledger->anew, &fixture) == NULL) {
        past->fn(past->user, &fixture, game->game, judgement);
    }
    return true;
}

enum bg_status ledger_past_judged(struct ledger *ledger, const char *judge, ledger_judged_fn fn,
                                  void *user, struct bg_error *err)
{
    struct past_judged past = {ledger, fn, user};

    return ledger->store->ops->each_judgement(ledger->store, judge, past_judgement, &past, err);
}

/* ------------------------------------------------------------------- the tally */

static void on_durable(void *user, const struct store_game *game)
{
    struct ledger *ledger = user;

    pthread_mutex_lock(&ledger->tally_mutex);
    /* A game that does not fit was refused by the store already; memory trouble shows again, and is
     * told, when the table is made. */
    (void)tally_add_game(&ledger->tally, game, NULL);
    pthread_mutex_unlock(&ledger->tally_mutex);
    finished_put_game(&ledger->finished, game);
}

/* Which programs each bot was, for the tables. */
static enum bg_status load_editions(struct tally *out, const struct ledger *ledger,
                                    struct bg_error *err)
{
    struct store *store = ledger->store;
    char *text = malloc(EDITIONS_ROOM);
    enum bg_status status =
        text == NULL ? bg_error_set(err, BG_E_MEMORY, "programs of the bots") : BG_OK;

    for (int i = 0; i < ledger->event->bot_count && status == BG_OK; i++) {
        const char *name = ledger->event->bots[i].name;
        char key[EDITIONS_KEY];
        bool found = false;

        editions_key(key, name);
        status = store->ops->meta_get(store, key, text, EDITIONS_ROOM, &found, err);
        if (status == BG_OK && found) {
            status = tally_set_editions(out, name, text, err);
        }
    }
    free(text);
    return status;
}

static enum bg_status load(struct ledger *ledger, struct bg_error *err)
{
    struct loading loading = {ledger, BG_OK, err};
    struct store *store = ledger->store;
    enum bg_status status = BG_OK;

    tally_init(&ledger->tally, ledger->event->rules.length_points);
    for (int i = 0; i < ledger->event->bot_count && status == BG_OK; i++) {
        status = tally_add_bot(&ledger->tally, ledger->event->bots[i].name, err);
    }
    if (status == BG_OK) {
        status = load_editions(&ledger->tally, ledger, err);
    }
    if (status == BG_OK) {
        status = store->ops->all_games(store, false, load_game, &loading, err);
    }
    if (status == BG_OK) {
        status = loading.status;
    }
    if (status == BG_OK) {
        status = store->ops->all_unplayed(store, load_unplayed, ledger, err);
    }
    if (status == BG_OK) {
        status = store->ops->all_faults(store, load_fault, ledger, err);
    }
    if (status == BG_OK) {
        status = store->ops->all_attempts(store, load_attempt, &loading, err);
    }
    return status == BG_OK ? loading.status : status;
}

static void forget_bits(const struct ledger *ledger, uint8_t **of)
{
    for (int i = 0; i < ledger->event->bot_count * ledger->event->bot_count; i++) {
        free(of[i]);
        of[i] = NULL;
    }
}

enum bg_status ledger_look_anew(struct ledger *ledger, struct bg_error *err)
{
    forget_bits(ledger, ledger->settled);
    forget_bits(ledger, ledger->begun);
    memset(ledger->faults, 0, (size_t)ledger->event->bot_count * sizeof *ledger->faults);
    ledger->settled_count = ledger->unplayed_count = 0;
    anew_forget_stored(&ledger->anew);
    tally_deinit(&ledger->tally);
    return load(ledger, err);
}

struct counting {
    struct tally *tally;
    uint64_t pairs;
    enum bg_status status;
    struct bg_error *err;
};

static bool count_game(void *user, const struct store_game *game)
{
    struct counting *counting = user;

    if (game->pair >= counting->pairs) {
        return true; /* surplus */
    }
    counting->status = tally_add_game(counting->tally, game, counting->err);
    return counting->status == BG_OK;
}

enum bg_status ledger_counted(struct tally *out, const struct ledger *ledger, uint64_t pairs,
                              struct bg_error *err)
{
    struct counting counting = {.tally = out, .pairs = pairs, .status = BG_OK, .err = err};
    enum bg_status status = BG_OK;

    tally_init(out, ledger->event->rules.length_points);
    for (int i = 0; i < ledger->event->bot_count && status == BG_OK; i++) {
        status = tally_add_bot(out, ledger->event->bots[i].name, err);
    }
    if (status == BG_OK) {
        status = load_editions(out, ledger, err);
    }
    if (status == BG_OK) {
        status = ledger->store->ops->all_games(ledger->store, false, count_game, &counting, err);
    }
    return status == BG_OK ? counting.status : status;
}

const struct tally *ledger_lock_tally(struct ledger *ledger)
{
    pthread_mutex_lock(&ledger->tally_mutex);
    return &ledger->tally;
}

void ledger_unlock_tally(struct ledger *ledger)
{
    pthread_mutex_unlock(&ledger->tally_mutex);
}

/* ------------------------------------------------------------------ settings */

static enum bg_status find_played(struct ledger *ledger, struct bg_error *err)
{
    struct store *store = ledger->store;
    enum bg_status status = anything_played(&ledger->played, store, err);
    char text[8];

    if (status == BG_OK) {
        status = store->ops->meta_get(store, DECIDED, text, sizeof text, &ledger->decided, err);
        ledger->decided = ledger->decided && text[0] != '\0';
    }
    return status;
}

static enum bg_status check_settings(struct ledger *ledger, const struct program *programs,
                                     struct bg_error *err)
{
    const struct event_settings_setup setup = {.event = ledger->event,
                                               .store = ledger->store,
                                               .trust = ledger_trust(ledger),
                                               .programs = programs,
                                               .played = ledger->played,
                                               .decided = ledger->decided};

    return event_settings_check(&ledger->settings, &setup, err);
}

/* ------------------------------------------------------------ the end of the event */

/* Whether more is played: not when every fixture is over, nor after a test that has decided. */
static enum bg_status find_key(struct ledger *ledger, struct bg_error *err)
{
    const struct config_event *event = ledger->event;
    uint64_t bots = (uint64_t)event->bot_count;
    uint64_t fixtures = bots * (bots - 1) / 2 * event->pairs * (event->duplicate ? 2 : 1);
    bool goes_on = ledger->settled_count < fixtures && !(ledger->decided && event->sprt.on);

    return dice_key_open(&ledger->dice_key, event, ledger->store, ledger_dice(ledger),
                         ledger->played, goes_on, err);
}

/* What is new, at once. versions: as in ledger_begin. */
static enum bg_status store_start(struct ledger *ledger, const char *const *versions, int64_t now_s,
                                  bool has_root, struct bg_error *err)
{
    struct store_setting settings[DICE_KEY_SETTINGS + 1];
    struct game_id *pairs = anew_pairs(&ledger->anew, ledger->event);
    char at[ANEW_TIME];
    struct store_change with = {.settings = settings,
                                .pairs = pairs,
                                .pair_count = ledger->anew.planned.count,
                                .reason = ANEW_REASON,
                                .at = at};
    enum bg_status status = BG_OK;

    anew_time(at, now_s);
    if (pairs == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "pairs begun anew");
    }
    if (versions != NULL) {
        status = dice_key_begin(settings, &with.setting_count, &ledger->dice_key, err);
    }
    if (has_root && (versions != NULL || with.pair_count > 0)) {
        settings[with.setting_count++] = (struct store_setting){"results.root", ""};
    }
    if (status == BG_OK) {
        status = event_settings_store(ledger->settings, versions, now_s, &with, err);
    }
    if (status == BG_OK && versions != NULL) {
        dice_key_begun(&ledger->dice_key);
    }
    if (status == BG_OK) {
        anew_begin(&ledger->anew, at);
    }
    free(pairs);
    return status;
}

/* Games may come: the root that an earlier end published no longer stands. */
enum bg_status ledger_begin(struct ledger *ledger, const char *const *versions, int64_t now_s,
                            struct bg_error *err)
{
    struct store *store = ledger->store;
    char text[RECORD_HASH];
    bool found = false;
    enum bg_status status =
        store->ops->meta_get(store, "results.root", text, sizeof text, &found, err);

    if (status == BG_OK && versions != NULL) {
        status = event_settings_versions(ledger->settings, versions, err);
    }
    if (status == BG_OK) {
        status = store_start(ledger, versions, now_s, text[0] != '\0', err);
    }
    if (status == BG_OK) {
        pthread_mutex_lock(&ledger->tally_mutex);
        status = load_editions(&ledger->tally, ledger, err);
        pthread_mutex_unlock(&ledger->tally_mutex);
    }
    return status;
}

enum bg_status ledger_decide(struct ledger *ledger, struct bg_error *err)
{
    return ledger->store->ops->meta_set(ledger->store, DECIDED, "yes", err);
}

enum bg_status ledger_publish(char root[RECORD_HASH], struct ledger *ledger, struct bg_error *err)
{
    enum bg_status status = root_of_store(root, ledger->store, err);

    if (status == BG_OK) {
        status = ledger->store->ops->meta_set(ledger->store, "results.root", root, err);
    }
    ledger->published = status == BG_OK;
    return status == BG_OK ? dice_key_publish(&ledger->dice_key, err) : status;
}

enum bg_status ledger_keep_key(struct ledger *ledger, struct bg_error *err)
{
    return ledger->published ? BG_OK : dice_key_keep(&ledger->dice_key, err);
}

/* ------------------------------------------------------------------- opening */

/* A log that was missing when the results were opened is told once. */
static enum bg_status tell_lost_log(struct store *store, const char *results, struct bg_error *err)
{
    char text[8];
    bool found = false;
    enum bg_status status =
        store->ops->meta_get(store, STORE_LOG_LOST, text, sizeof text, &found, err);

    if (status != BG_OK || !found || strcmp(text, "new") != 0) {
        return status;
    }
    log_warn("event",
             "results=%s an earlier run was cut off, and its log %s-wal is gone: games and "
             "settings that stood only there are missing, and are played and stored again (a copy "
             "of results needs both files)",
             results, results);
    return store->ops->meta_set(store, STORE_LOG_LOST, "told", err);
}

enum bg_status ledger_open(struct ledger **out, const struct config_event *event, bool confined,
                           const struct program *programs, struct bg_error *err)
{
    size_t bots = (size_t)event->bot_count;
    enum bg_status status = BG_OK;
    struct ledger *ledger = calloc(1, sizeof *ledger);

    if (ledger == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "ledger");
    }
    pthread_mutex_init(&ledger->tally_mutex, NULL);
    ledger->event = event;
    finished_init(&ledger->finished);
    ledger->settled = calloc(bots * bots, sizeof *ledger->settled);
    ledger->begun = calloc(bots * bots, sizeof *ledger->begun);
    ledger->faults = calloc(bots, sizeof *ledger->faults);
    if (ledger->settled == NULL || ledger->begun == NULL || ledger->faults == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "ledger");
        goto done;
    }
    status = finder_init(&ledger->finder, event, err);
    if (status != BG_OK) {
        goto done;
    }
    status = store_sqlite_open(&ledger->store, event->results, err);
    if (status == BG_OK) {
        status = tell_lost_log(ledger->store, event->results, err);
    }
    if (status == BG_OK) {
        status = find_played(ledger, err);
    }
    if (status == BG_OK) {
        status =
            trust_resolve(&ledger->strangers, event, ledger->store, ledger->played, confined, err);
    }
    if (status == BG_OK) {
        status = check_settings(ledger, programs, err);
    }
    if (status == BG_OK) {
        status = load(ledger, err);
    }
    if (status == BG_OK) {
        status = find_key(ledger, err);
    }
    if (status == BG_OK) {
        ledger->store->ops->on_durable(ledger->store, on_durable, ledger);
        *out = ledger;
        ledger = NULL;
    }
done:
    ledger_close(ledger);
    return status;
}

static void free_bits(const struct ledger *ledger, uint8_t **of)
{
    if (of != NULL) {
        forget_bits(ledger, of);
    }
    free(of);
}

void ledger_close(struct ledger *ledger)
{
    if (ledger == NULL) {
        return;
    }
    event_settings_destroy(ledger->settings);
    store_destroy(ledger->store);
    finished_deinit(&ledger->finished);
    tally_deinit(&ledger->tally);
    pthread_mutex_destroy(&ledger->tally_mutex);
    free_bits(ledger, ledger->settled);
    free_bits(ledger, ledger->begun);
    finder_deinit(&ledger->finder);
    free(ledger->faults);
    anew_deinit(&ledger->anew);
    free(ledger);
}

struct store *ledger_store(struct ledger *ledger)
{
    return ledger->store;
}

const struct bg_dice_key *ledger_key(const struct ledger *ledger)
{
    return &ledger->dice_key.key;
}

bool ledger_has_strangers(const struct ledger *ledger)
{
    return ledger->strangers;
}

const char *ledger_trust(const struct ledger *ledger)
{
    return trust_name(ledger->strangers);
}

const struct bg_dice_key *ledger_first_key(const struct ledger *ledger)
{
    return &ledger->dice_key.first;
}

int ledger_key_number(const struct ledger *ledger)
{
    return ledger->dice_key.number;
}

bool ledger_has_later_key(const struct ledger *ledger)
{
    return ledger->dice_key.number > 1;
}

bool ledger_key_is_public(const struct ledger *ledger)
{
    return ledger->dice_key.is_public;
}

const char *ledger_dice(const struct ledger *ledger)
{
    return ledger->event->commit ? "committed" : ledger->event->has_seed ? "reproducible" : "keyed";
}

void ledger_key_digest(char out[BG_KEY_HEX], const struct ledger *ledger)
{
    bg_dice_key_digest(out, &ledger->dice_key.key);
}
