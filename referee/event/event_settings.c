#include "event_settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/editions.h"
#include "record/record_peek.h"

enum { VALUE_ROOM = 131072 };

#define ORDER "results.order"

/* A setting to be stored; bot: whose it is, -1 the event's. */
struct pending {
    char *key, *value; /* owned */
    int bot;
};

/* A bot of the event, as its results know it. */
struct known {
    char *editions;      /* owned; NULL none */
    struct edition last; /* its last one, where has_last */
    char *words;         /* owned; program, arguments, options as they are now */
    bool has_last, has_games;
    bool changed; /* since its last game, and accepted */
};

/* What was played, looked up when something differs. */
struct played {
    bool is_read;
    char **names; /* owned; bots with games */
    size_t count;
    uint64_t pairs; /* one more than the highest pair number */
};

struct event_settings {
    struct event_settings_setup setup;
    struct known *known; /* owned; by bot */
    struct pending *pending;
    size_t count, room;
    struct played played;
    char *old; /* owned; VALUE_ROOM bytes */
    enum bg_status status;
    struct bg_error *err; /* lent while comparing */
};

/* ------------------------------------------------------------------- what was played */

static bool is_listed(const struct played *played, const char *name)
{
    for (size_t i = played->count; i-- > 0;) { /* games are sorted: mostly the last one */
        if (strcmp(played->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool list_name(struct played *played, const char *name)
{
    char **names;

    if (is_listed(played, name)) {
        return true;
    }
    names = realloc(played->names, (played->count + 1) * sizeof *names);
    if (names == NULL) {
        return false;
    }
    played->names = names;
    names[played->count] = strdup(name);
    return names[played->count++] != NULL;
}

static bool note_game(void *user, const struct store_game *game)
{
    struct event_settings *settings = user;
    struct played *played = &settings->played;

    if (!list_name(played, game->a) || !list_name(played, game->b)) {
        settings->status = bg_error_set(settings->err, BG_E_MEMORY, "names of the bots");
        return false;
    }
    played->pairs = game->pair >= played->pairs ? game->pair + 1 : played->pairs;
    return true;
}

static const struct played *played(struct event_settings *settings)
{
    struct store *store = settings->setup.store;

    if (settings->setup.played && !settings->played.is_read && settings->status == BG_OK) {
        enum bg_status status =
            store->ops->all_games(store, false, note_game, settings, settings->err);

        settings->status = settings->status == BG_OK ? status : settings->status;
        settings->played.is_read = true;
    }
    return &settings->played;
}

static bool has_games(struct event_settings *settings, const char *name)
{
    return is_listed(played(settings), name);
}

/* ----------------------------------------------------------------------- refusing */

/* The two ways on, and a third. */
static void refuse_bot(struct event_settings *settings, const char *bot, const char *was,
                       const char *now)
{
    settings->status =
        bg_error_set(settings->err, BG_E_CONFIG,
                     "%s changed since its last game: %.120s then, %.120s now; --accept-changed "
                     "goes on and marks it, --fresh begins again and keeps the old results, --name "
                     "NAME begins others",
                     bot, was, now);
}

static void refuse(struct event_settings *settings, const char *key, const char *was,
                   const char *now)
{
    settings->status = bg_error_set(
        settings->err, BG_E_CONFIG,
        "%s: begun with %s=%.120s, now %s=%.120s; set it back, begin again with --fresh (the old "
        "results are kept), or give other --results",
        settings->setup.event->results, key, was, key, now);
}

static void add(struct event_settings *settings, const char *key, const char *value, int bot)
{
    struct pending *pending;

    if (settings->count == settings->room) {
        size_t room = settings->room == 0 ? 64 : 2 * settings->room;

        pending = realloc(settings->pending, room * sizeof *pending);
        if (pending == NULL) {
            settings->status = bg_error_set(settings->err, BG_E_MEMORY, "settings");
            return;
        }
        settings->pending = pending;
        settings->room = room;
    }
    pending = &settings->pending[settings->count++];
    *pending = (struct pending){strdup(key), strdup(value), bot};
    if (pending->key == NULL || pending->value == NULL) {
        settings->status = bg_error_set(settings->err, BG_E_MEMORY, "settings");
    }
}

/* ------------------------------------------------------------------- the settings */

/* Every name of the old list (separated by commas) that has games is in the new one. */
static bool names_stay(struct event_settings *settings, const char *old, const char *new)
{
    while (*old != '\0') {
        size_t length = strcspn(old, ",");
        bool found = false;
        char name[CONFIG_NAME];

        for (const char *at = new; *at != '\0' && !found; at += *at == ',' ? 1 : 0) {
            size_t size = strcspn(at, ",");

            found = size == length && memcmp(at, old, size) == 0;
            at += size;
        }
        snprintf(name, sizeof name, "%.*s", (int)length, old);
        if (!found && has_games(settings, name)) {
            return false;
        }
        old += length + (old[length] == ',' ? 1 : 0);
    }
    return true;
}

static int index_of(const struct config_event *event, const char *name)
{
    for (int i = 0; i < event->bot_count; i++) {
        if (strcmp(event->bots[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Program, arguments and options of a bot. found: the results have others. */
static void compare_words(struct event_settings *settings, int bot, bool found, const char *value)
{
    struct known *known = &settings->known[bot];
    const char *name = settings->setup.event->bots[bot].name;

    if (found && has_games(settings, name)) {
        known->changed = true;
        if (!settings->setup.event->accept_changed) {
            refuse_bot(settings, name, settings->old, value);
        }
    }
}

/* Whether a setting that differs is refused. */
static void compare_event(struct event_settings *settings, const char *key, const char *value)
{
    const struct event_settings_setup *setup = &settings->setup;
    const char *was = settings->old;
    char least[32];
    bool is_fine = false;

    if (strcmp(key, "pairs") == 0) {
        is_fine = strtoull(value, NULL, 10) >= strtoull(was, NULL, 10) ||
                  strtoull(value, NULL, 10) >= played(settings)->pairs;
        snprintf(least, sizeof least, "%" PRIu64, settings->played.pairs);
        was = is_fine ? was : least;
    } else if (strcmp(key, "sprt") == 0) {
        is_fine = setup->decided && strcmp(value, "off") == 0;
        add(settings, "results.counted", "", -1); /* nothing is surplus any more */
    } else if (strcmp(key, "bots") == 0) {
        is_fine = names_stay(settings, was, value);
    }
    if (!is_fine && setup->played && settings->status == BG_OK) {
        refuse(settings, key, was, value);
    }
}

/* Before there was such a key, a late answer cost the game. */
static bool was_implied(struct event_settings *settings, const char *key)
{
    if (strcmp(key, "flag") != 0 || !settings->setup.played) {
        return false;
    }
    strcpy(settings->old, "game");
    return true;
}

static void compare_setting(void *user, const char *key, const char *value)
{
    struct event_settings *settings = user;
    struct store *store = settings->setup.store;
    int bot = strncmp(key, "bot.", 4) == 0 ? index_of(settings->setup.event, key + 4) : -1;
    char name[256];
    bool found = false;

    if (settings->status != BG_OK) {
        return;
    }
    snprintf(name, sizeof name, "event.%s", key);
    settings->status =
        store->ops->meta_get(store, name, settings->old, VALUE_ROOM, &found, settings->err);
    if (bot >= 0) {
        settings->known[bot].words = strdup(value);
    }
    found = found || (settings->status == BG_OK && was_implied(settings, key));
    if (settings->status != BG_OK || (found && strcmp(settings->old, value) == 0)) {
        return;
    }
    if (bot >= 0) {
        compare_words(settings, bot, found, value);
    } else if (found) {
        compare_event(settings, key, value);
    }
    if (settings->status == BG_OK) {
        add(settings, name, value, bot);
    }
}

/* The bots as this run names them, so that every table of them sees two from the first one. (The
 * setting `bots` is in the order of names: it is the same event in any order.) */
static void compare_order(struct event_settings *settings)
{
    const struct config_event *event = settings->setup.event;
    struct store *store = settings->setup.store;
    char *text = malloc(VALUE_ROOM);
    size_t used = 0;
    bool found;

    if (text == NULL) {
        settings->status = bg_error_set(settings->err, BG_E_MEMORY, "settings");
        return;
    }
    text[0] = '\0';
    for (int i = 0; i < event->bot_count && used < VALUE_ROOM; i++) {
        used += (size_t)snprintf(text + used, VALUE_ROOM - used, "%s%s", i > 0 ? "," : "",
                                 event->bots[i].name);
    }
    settings->status =
        store->ops->meta_get(store, ORDER, settings->old, VALUE_ROOM, &found, settings->err);
    if (settings->status == BG_OK && strcmp(settings->old, text) != 0) {
        add(settings, ORDER, text, -1);
    }
    free(text);
}

/* -------------------------------------------------------------------- the programs */

struct looking {
    const char *name;
    struct edition *edition;
    bool found;
};

static bool look_at_program(void *user, const struct store_game *game)
{
    struct looking *looking = user;
    bool is_a = strcmp(game->a, looking->name) == 0;
    size_t size = 0;
    const char *digest = NULL;

    if (game->text != NULL && (is_a || strcmp(game->b, looking->name) == 0)) {
        digest = peek_value(&size, game->text, game->text_size,
                            (is_a ? 0 : 1) == game->leg ? "program0" : "program1");
    }
    if (digest != NULL && size < EDITION_DIGEST) {
        snprintf(looking->edition->digest, EDITION_DIGEST, "%.*s", (int)size, digest);
        looking->found = true;
    }
    return true;
}

/* Results from before programs were kept as a setting: the last record knows the digest. */
static void recall_program(struct event_settings *settings, int bot)
{
    struct store *store = settings->setup.store;
    struct known *known = &settings->known[bot];
    struct looking looking = {settings->setup.event->bots[bot].name, &known->last, false};

    if (!has_games(settings, looking.name) || settings->status != BG_OK) {
        return;
    }
    known->last = (struct edition){.since = "-", .built = "-", .version = "-"};
    settings->status = store->ops->all_games(store, true, look_at_program, &looking, settings->err);
    known->has_last = looking.found;
    if (settings->status == BG_OK && looking.found) {
        known->editions = editions_add(NULL, &known->last);
    }
}

static void read_editions(struct event_settings *settings, int bot)
{
    struct store *store = settings->setup.store;
    struct known *known = &settings->known[bot];
    char key[EDITIONS_KEY];
    bool found = false;

    editions_key(key, settings->setup.event->bots[bot].name);
    settings->status =
        store->ops->meta_get(store, key, settings->old, VALUE_ROOM, &found, settings->err);
    if (settings->status == BG_OK && found) {
        known->editions = strdup(settings->old);
        known->has_last = edition_last(&known->last, settings->old);
    } else if (settings->status == BG_OK && settings->setup.played) {
        recall_program(settings, bot);
    }
}

/* A program that is not there has not changed: it is a bot that does not start. */
static bool is_missing(const struct event_settings *settings, const struct program *program)
{
    return settings->setup.event->absent_unplayed && strcmp(program->digest, "-") == 0;
}

static void compare_program(struct event_settings *settings, int bot)
{
    struct known *known = &settings->known[bot];
    const struct program *program = &settings->setup.programs[bot];
    char was[64], now[64], built[EDITION_TIME];

    read_editions(settings, bot);
    if (settings->status != BG_OK || !known->has_last ||
        strcmp(known->last.digest, program->digest) == 0 || is_missing(settings, program) ||
        !has_games(settings, settings->setup.event->bots[bot].name)) {
        return;
    }
    known->changed = true;
    if (!settings->setup.event->accept_changed && settings->status == BG_OK) {
        edition_time(built, program->built_s);
        snprintf(was, sizeof was, "program %.*s of %s", EDITION_SHORT, known->last.digest,
                 known->last.built);
        snprintf(now, sizeof now, "%.*s of %s UTC", EDITION_SHORT, program->digest, built);
        refuse_bot(settings, settings->setup.event->bots[bot].name, was, now);
    }
}

enum bg_status event_settings_check(struct event_settings **out,
                                    const struct event_settings_setup *setup, struct bg_error *err)
{
    struct event_settings *settings = calloc(1, sizeof *settings);
    enum bg_status status;

    if (settings == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "settings");
    }
    settings->setup = *setup;
    settings->err = err;
    settings->old = malloc(VALUE_ROOM);
    settings->known = calloc((size_t)setup->event->bot_count, sizeof *settings->known);
    if (settings->old == NULL || settings->known == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "settings");
        goto done;
    }
    config_event_each(setup->event, compare_setting, settings);
    compare_setting(settings, "trust", setup->trust);
    if (settings->status == BG_OK) {
        compare_order(settings);
    }
    for (int i = 0; i < setup->event->bot_count && setup->programs != NULL; i++) {
        if (settings->status == BG_OK) {
            compare_program(settings, i);
        }
    }
    status = settings->status;
    if (status == BG_OK) {
        *out = settings;
        settings = NULL;
    }
done:
    event_settings_destroy(settings);
    return status;
}

void event_settings_destroy(struct event_settings *settings)
{
    if (settings == NULL) {
        return;
    }
    for (int i = 0; settings->known != NULL && i < settings->setup.event->bot_count; i++) {
        free(settings->known[i].editions);
        free(settings->known[i].words);
    }
    for (size_t i = 0; i < settings->count; i++) {
        free(settings->pending[i].key);
        free(settings->pending[i].value);
    }
    for (size_t i = 0; i < settings->played.count; i++) {
        free(settings->played.names[i]);
    }
    free(settings->known);
    free(settings->pending);
    free(settings->played.names);
    free(settings->old);
    free(settings);
}

/* ------------------------------------------------------------------------ storing */

static void compare_version(struct event_settings *settings, int bot, const char *version)
{
    struct known *known = &settings->known[bot];
    const char *name = settings->setup.event->bots[bot].name;

    if (!known->has_last || known->changed || strcmp(known->last.version, "-") == 0 ||
        edition_has_version(&known->last, version) || !has_games(settings, name)) {
        return;
    }
    known->changed = true;
    if (!settings->setup.event->accept_changed) {
        refuse_bot(settings, name, known->last.version, version);
    }
}

/* A bot that plays: its program, where it is another than the last. */
static void add_program(struct event_settings *settings, int bot, const char *version,
                        int64_t now_s)
{
    struct known *known = &settings->known[bot];
    const struct program *program = &settings->setup.programs[bot];
    const char *name = settings->setup.event->bots[bot].name;
    struct edition edition;
    char key[EDITIONS_KEY];
    char *text;

    if (known->has_last && !known->changed && has_games(settings, name)) {
        return;
    }
    snprintf(edition.digest, sizeof edition.digest, "%s", program->digest);
    edition_time(edition.since, now_s);
    edition_time(edition.built, program->built_s);
    snprintf(edition.version, sizeof edition.version, "%.*s", EDITION_VERSION - 1, version);
    snprintf(edition.words, sizeof edition.words, "%.*s", EDITION_WORDS - 1,
             known->words == NULL ? "-" : known->words);
    text = editions_add(known->changed ? known->editions : NULL, &edition);
    if (text == NULL) {
        settings->status = bg_error_set(settings->err, BG_E_MEMORY, "programs of the bots");
        return;
    }
    editions_key(key, name);
    add(settings, key, text, -1);
    free(text);
}

static enum bg_status write_all(struct event_settings *settings, const char *const *versions,
                                const struct store_change *with, struct bg_error *err)
{
    struct store *store = settings->setup.store;
    struct store_setting *list = calloc(settings->count + with->setting_count + 1, sizeof *list);
    struct store_change change = *with;
    size_t count = 0;
    enum bg_status status;

    if (list == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "settings");
    }
    for (size_t i = 0; i < settings->count; i++) {
        const struct pending *pending = &settings->pending[i];

        /* A changed bot that does not play stays as its games know it. */
        if (pending->bot < 0 || !settings->known[pending->bot].changed ||
            (versions != NULL && versions[pending->bot] != NULL)) {
            list[count++] = (struct store_setting){pending->key, pending->value};
        }
    }
    for (size_t i = 0; i < with->setting_count; i++) {
        list[count++] = with->settings[i];
    }
    change.settings = list;
    change.setting_count = count;
    status = count + change.pair_count == 0 ? BG_OK : store->ops->change_all(store, &change, err);
    free(list);
    return status;
}

enum bg_status event_settings_versions(struct event_settings *settings, const char *const *versions,
                                       struct bg_error *err)
{
    settings->err = err;
    for (int i = 0; i < settings->setup.event->bot_count && settings->status == BG_OK; i++) {
        if (versions[i] != NULL && settings->setup.programs != NULL) {
            compare_version(settings, i, versions[i][0] == '\0' ? "-" : versions[i]);
        }
    }
    return settings->status;
}

enum bg_status event_settings_store(struct event_settings *settings, const char *const *versions,
                                    int64_t now_s, const struct store_change *with,
                                    struct bg_error *err)
{
    settings->err = err;
    for (int i = 0; i < settings->setup.event->bot_count && versions != NULL; i++) {
        if (versions[i] != NULL && settings->setup.programs != NULL && settings->status == BG_OK) {
            add_program(settings, i, versions[i], now_s);
        }
    }
    return settings->status == BG_OK ? write_all(settings, versions, with, err) : settings->status;
}
