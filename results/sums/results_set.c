/* Opens what every table begins with. Settings are read before the games, because they say which
 * of them count and what their order is. */
#include "results_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <record/record_lookup.h>
#include <rules/clean.h>
#include <store/counted.h>
#include "season/season_store.h"
#include <store/entry.h>
#include <store/run.h>

#include "record/round_robin.h"
#include "summary.h"

enum { SETTING_ROOM = 128 * 1024 /* enough for a thousand names */ };

/* ------------------------------------------------------------------ places
 * By name, since entrants of a season and bots of a tally are numbered independently: one who has
 * played no game is only in the season. */

enum bg_status event_places(int **out, const struct season *season, const struct tally *tally,
                            struct bg_error *err)
{
    int *place;
    enum bg_status status;

    *out = NULL;
    if (season == NULL || season_plan(season)->stages == 0) {
        return BG_OK;
    }
    place = memory_zeroed((size_t)season_entrants(season), sizeof *place);
    status = season_places(place, season, err);
    if (status == BG_OK) {
        *out = memory_zeroed((size_t)tally->bots, sizeof **out);
    }
    for (int bot = 0; status == BG_OK && bot < tally->bots; bot++) {
        int entrant = season_find(season, tally->bot[bot].name);

        (*out)[bot] = entrant < 0 ? 0 : place[entrant];
    }
    free(place);
    return status;
}

/* ------------------------------------------------------------------ names of imported players
 * They come from the records, because only imported games have them; reading ends as soon as every
 * bot was seen, so an event of bgref costs one game a bot. */

enum { DISPLAY = 256, NAME = 65 };

struct players_reading {
    struct tally *tally;
    bool *known; /* by bot */
    int left;    /* bots not known yet */
};

static void header_value_of(char *out, size_t room, const struct store_game *game, const char *key)
{
    size_t size = 0;
    const char *value = header_lookup(&size, game->text, game->text_size, key);

    clean_write(out, room, value == NULL ? "" : value, value == NULL ? 0 : size, CLEAN_LINE);
}

static void take_player(struct players_reading *reading, const struct store_game *game,
                        const char *const key[2])
{
    char name[NAME], display[DISPLAY];
    int bot;

    header_value_of(name, sizeof name, game, key[0]);
    bot = tally_find(reading->tally, name);
    if (bot < 0 || reading->known[bot]) {
        return;
    }
    reading->known[bot] = true;
    reading->left--;
    header_value_of(display, sizeof display, game, key[1]);
    if (display[0] != '\0' && strcmp(display, name) != 0) {
        tally_set_display(reading->tally, name, display);
    }
}

static bool take_players(void *user, const struct store_game *game)
{
    static const char *const keys[2][2] = {{"seat0", "version0"}, {"seat1", "version1"}};
    struct players_reading *reading = user;

    for (int seat = 0; seat < 2; seat++) {
        take_player(reading, game, keys[seat]);
    }
    return reading->left > 0;
}

struct players_shown {
    const char *text;
    int bot;
};

static int compare_shown(const void *one, const void *other)
{
    return strcmp(((const struct players_shown *)one)->text,
                  ((const struct players_shown *)other)->text);
}

static size_t list_texts(struct players_shown *shown, const struct tally *tally)
{
    size_t count = 0;

    for (int i = 0; i < tally->bots; i++) {
        shown[count++] = (struct players_shown){tally->bot[i].name, i};
        if (tally->bot[i].display != NULL) {
            shown[count++] = (struct players_shown){tally->bot[i].display, i};
        }
    }
    qsort(shown, count, sizeof *shown, compare_shown);
    return count;
}

/* If a display name is ambiguous, the player keeps the unique id. */
static void part_players(struct tally *tally)
{
    struct players_shown *shown = memory_zeroed(2 * (size_t)tally->bots, sizeof *shown);
    bool *doubtful = memory_zeroed((size_t)tally->bots, sizeof *doubtful);

    for (size_t count = list_texts(shown, tally), i = 1; i < count; i++) {
        if (compare_shown(&shown[i - 1], &shown[i]) == 0) {
            doubtful[shown[i - 1].bot] = doubtful[shown[i].bot] = true;
        }
    }
    for (int i = 0; i < tally->bots; i++) {
        if (doubtful[i]) {
            free(tally->bot[i].display);
            tally->bot[i].display = NULL;
        }
    }
    free(shown);
    free(doubtful);
}

/* Sets every bot's display name in the tally to the player's name in the records (version0,
 * version1), cleaned, if it differs from the bot's name, is not empty and no other player has it.
 * For stores of imports: reads games' texts until all names are known. BG_E_STORE. */
static enum bg_status players_read(struct tally *tally, struct store *store, struct bg_error *err)
{
    struct players_reading reading = {.tally = tally,
                                      .left = tally->bots,
                                      .known = memory_zeroed((size_t)tally->bots, sizeof(bool))};
    enum bg_status status = BG_OK;

    if (tally->bots > 0) {
        status = store_all_games(store, true, take_players, &reading, err);
    }
    free(reading.known);
    if (status == BG_OK) {
        part_players(tally);
    }
    return status;
}

/* ------------------------------------------------------------------ games and settings */

static void add_bots(struct tally *tally, char *names)
{
    char *rest = NULL;

    for (char *name = strtok_r(names, " ,\n", &rest); name != NULL;
         name = strtok_r(NULL, " ,\n", &rest)) {
        tally_add_bot(tally, name);
    }
}

struct results_set_loading {
    struct tally *tally;
    uint64_t counted; /* only pairs below this count */
    uint64_t surplus; /* games left out */
    bool begun;       /* if false, without a setting, the first game gives the length */
    enum bg_status status;
    struct bg_error *err;
};

/* For imports: no setting has the length, and they may have several. */
static void begin_lengths(struct tally *tally, int length_points)
{
    tally->length_points = tally->length_most = length_points;
    tally->any_length = length_points > 0;
}

static bool load_game(struct results_set_loading *loading, const struct store_game *game)
{
    if (game->pair >= loading->counted) {
        loading->surplus++;
        return true;
    }
    if (!loading->begun) {
        begin_lengths(loading->tally, game->length_points);
        loading->begun = true;
    }
    loading->status = tally_add_game(loading->tally, game, loading->err);
    return loading->status == BG_OK;
}

static bool load_encounter(void *user, const char *a, const char *b, int length_points,
                           const struct encounter *total)
{
    struct results_set_loading *loading = user;

    if (!loading->begun) {
        begin_lengths(loading->tally, length_points);
        loading->begun = true;
    }
    loading->status = tally_add_encounter(loading->tally, a, b, length_points, total, loading->err);
    return loading->status == BG_OK;
}

static bool load_lost(void *user, const char *bot, enum bg_fault fault, uint64_t games)
{
    struct results_set_loading *loading = user;

    loading->status = tally_add_faults(loading->tally, bot, fault, games, loading->err);
    return loading->status == BG_OK;
}

static bool load_run(void *user, const struct run *run)
{
    struct results_set_loading *loading = user;
    bool more = true;

    for (size_t i = 0; i < run->games && more; i++) {
        struct store_game game;

        run_game_at(&game, run, i);
        more = load_game(loading, &game);
    }
    return more;
}

/* Loads the tally kept with the games, or else counts the games. The kept tally has no list of
 * games, so it serves only if all pairs count. */
static enum bg_status load_results(struct results_set_loading *loading, struct store *store)
{
    bool kept = false;
    enum bg_status status = counted_read(&loading->counted, store, loading->err);

    if (status == BG_OK && loading->counted == UINT64_MAX) {
        status = store_tally(store, &kept, load_encounter, load_lost, loading, loading->err);
    }

    if (status == BG_OK && !kept) {
        status = store_all_runs(store, false, load_run, loading, loading->err);
    }
    return status == BG_OK ? loading->status : status;
}

static void count_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    (void)fixture;
    (void)bot;
    (void)why;
    ++*(uint64_t *)user;
}

static enum bg_status read_editions(struct event_results *out, char *text, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < out->tally.bots && status == BG_OK; i++) {
        const char *name = out->tally.bot[i].name;
        char key[ENTRY_KEY];

        editions_key(key, name);
        status = store_meta_text(text, SETTING_ROOM, out->store, key, err);
        if (status == BG_OK && text[0] != '\0') {
            tally_set_editions(&out->tally, name, text);
        }
    }
    return status;
}

static void count_attempt(void *user, const struct store_attempt *attempt)
{
    struct event_results *results = user;

    results->begun_anew++;
    results->set_aside += attempt->games;
}

static void tell_reinstated(void *user, const char *bot, const struct reinstated *act)
{
    struct event_results *results = user;
    char *before = results->reinstated;

    results->reinstated = memory_print("%s%s%s on %s: %s", before == NULL ? "" : before,
                                       before == NULL ? "" : "; ", bot, act->at, act->reason);
    free(before);
}

static enum bg_status read_settings(struct event_results *out, bool *has_length, char *text,
                                    struct bg_error *err)
{
    struct store *store = out->store;
    enum bg_status status = store_meta_text(text, SETTING_ROOM, store, "event.event", err);
    bool any_length = false;

    if (status == BG_OK && text[0] != '\0') {
        snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, text);
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.length", err);
        *has_length = text[0] >= '0' && text[0] <= '9';
        tally_init(&out->tally, *has_length ? atoi(text) : 0);
        *has_length = *has_length || strcmp(text, "money") == 0;
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.duplicate", err);
        out->duplicate = text[0] == '\0' || strcmp(text, "on") == 0 || strcmp(text, "true") == 0 ||
                         strcmp(text, "yes") == 0 || strcmp(text, "1") == 0;
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.cube", err);
        out->jacoby = strcmp(text, "on") == 0;
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.jacoby", err);
        out->jacoby = out->jacoby && strcmp(text, "on") == 0;
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.trust", err);
        snprintf(out->trust, sizeof out->trust, "%.*s", (int)sizeof out->trust - 1, text);
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.pairs", err);
        out->pairs = strtoull(text, NULL, 10);
    }
    if (status == BG_OK) { /* paired while it runs: nobody knows how many games there will be */
        status = store_meta_text(text, SETTING_ROOM, store, "event.schedule", err);
        out->pairs = text[0] == '\0' ? out->pairs : 0;
        any_length = text[0] != '\0';
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.conditions", err);
    }
    if (status == BG_OK) { /* each stage and each two bots can have a length of their own */
        out->tally.any_length = out->tally.length_points > 0 && (any_length || text[0] != '\0');
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "results.order", err);
    }
    if (status == BG_OK) {
        add_bots(&out->tally, text);
        status = store_meta_text(text, SETTING_ROOM, store, "event.bots", err);
    }
    if (status == BG_OK) {
        add_bots(&out->tally, text);
    }
    return status;
}

static enum bg_status read_conditions(struct event_results *out, struct bg_error *err)
{
    char *text = NULL;
    enum bg_status status = season_conditions_text(&text, out->store, err);

    if (status == BG_OK) {
        tally_set_conditions(&out->tally, text);
    }
    free(text);
    return status;
}

/* Reads from the journal: the standing of the event's form, if it has one; whether it is held. */
static enum bg_status read_places(struct event_results *out, struct bg_error *err)
{
    struct season *season = NULL;
    enum bg_status status = season_load(&season, out->store, err);

    if (status == BG_OK) {
        /* what is over or closed is not held any more */
        out->held =
            strcmp(season_phase(season), season_held(season)) == 0 ? season_held(season) : "";
        status = event_places(&out->place, season, &out->tally, err);
    }
    season_destroy(season);
    /* a damaged journal: `verify` and `report --sheet` say so, and the games can still be rated */
    return status == BG_E_MISMATCH ? BG_OK : status;
}

enum bg_status event_store_open(struct store **out, const char *path, struct bg_error *err)
{
    return store_sqlite_open_read(out, path, err);
}

enum bg_status event_results_open(struct event_results *out, const char *path, struct bg_error *err)
{
    struct results_set_loading loading = {.tally = &out->tally, .err = err};
    char *text = memory_zeroed(SETTING_ROOM, 1);
    bool has_length = false;
    enum bg_status status = BG_OK;

    *out = (struct event_results){.duplicate = true, .held = ""};
    snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, path);
    status = event_store_open(&out->store, path, err);
    if (status == BG_OK) {
        status = read_settings(out, &has_length, text, err);
        loading.begun = has_length;
    }
    if (status == BG_OK) {
        status = load_results(&loading, out->store);
        out->counted = loading.counted;
        out->surplus = loading.surplus;
    }
    if (status == BG_OK) {
        status = read_editions(out, text, err);
    }
    if (status == BG_OK) {
        status = read_conditions(out, err);
    }
    if (status == BG_OK && !has_length) { /* imports: the event has no setting for its length */
        status = players_read(&out->tally, out->store, err);
    }
    if (status == BG_OK) {
        status = store_all_unplayed(out->store, count_unplayed, &out->unplayed, err);
    }
    if (status == BG_OK) {
        status = store_all_attempts(out->store, count_attempt, out, err);
    }
    if (status == BG_OK) {
        status = reinstated_each(out->store, tell_reinstated, out, err);
    }
    if (status == BG_OK) {
        status = read_places(out, err);
    }
    if (status == BG_OK) {
        out->planned = round_robin_fixtures((uint64_t)out->tally.bots, out->pairs, out->duplicate);
    }
    free(text);
    if (status != BG_OK) {
        event_results_close(out);
    }
    return status;
}

void event_results_close(struct event_results *results)
{
    store_destroy(results->store);
    tally_deinit(&results->tally);
    free(results->place);
    results->place = NULL;
    free(results->reinstated);
    results->reinstated = NULL;
    results->store = NULL;
}

enum bg_status event_results_legs(struct legs *out, const struct event_results *results,
                                  bool matches, struct bg_error *err)
{
    *out = (struct legs){0};
    return results->tally.length_points > 0 && !matches
               ? BG_OK
               : legs_read(out, results->store, &results->tally, err);
}

struct report_options event_results_options(const struct event_results *results)
{
    struct report_options options = REPORT_OPTIONS_INIT;

    options.title = results->name;
    options.jacoby = results->jacoby;
    options.trust = results->trust[0] == '\0' ? NULL : results->trust;
    options.surplus = results->surplus;
    options.decided = results->counted != UINT64_MAX;
    options.place = results->place;
    options.planned_legs = round_robin_of_pairing(results->pairs, results->duplicate);
    options.final =
        results->planned > 0 && results->tally.legs + results->unplayed >= results->planned;
    return options;
}
