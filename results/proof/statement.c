/* The standing that is signed has counts, points and places and no ratings: a signed text has to
 * be the same on every machine, and ratings depend on the last bits of a double. */
#include "statement.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "base/memory.h"
#include "season/season_store.h"
#include "store/counted.h"

enum { DIGEST = (RECORD_HASH - 1) / 2 };

static void write_digest(char out[RECORD_HASH], crypto_generichash_state *state)
{
    unsigned char digest[DIGEST];

    crypto_generichash_final(state, digest, sizeof digest);
    sodium_bin2hex(out, RECORD_HASH, digest, sizeof digest);
}

/* ------------------------------------------------------------------------- the journal, dates */

static void write_time(char out[ACT_AT], int64_t seconds)
{
    time_t at = (time_t)seconds;
    struct tm utc;

    if (gmtime_r(&at, &utc) == NULL || strftime(out, ACT_AT, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        out[0] = '\0';
    }
}

/* Texts of the same form: the earlier one comes first. */
static void widen(struct statement *statement, const char *begun, const char *ended)
{
    if (statement->begun[0] == '\0' || strcmp(begun, statement->begun) < 0) {
        snprintf(statement->begun, sizeof statement->begun, "%s", begun);
    }
    if (strcmp(ended, statement->ended) > 0) {
        snprintf(statement->ended, sizeof statement->ended, "%s", ended);
    }
}

static bool take_act(void *user, const struct act *act)
{
    struct statement *statement = user;

    statement->acts++;
    memcpy(statement->journal, act->hash, sizeof statement->journal);
    widen(statement, act->at, act->at);
    return true;
}

/* The account of a run: "begun=SECONDS ... seconds=SECONDS ...". */
static void take_run(void *user, const char *key, const char *value)
{
    const char *begun = strstr(value, "begun="), *lasted = strstr(value, " seconds=");
    char first[ACT_AT], last[ACT_AT];

    (void)key;
    if (begun != NULL) {
        int64_t at = strtoll(begun + strlen("begun="), NULL, 10);
        double seconds = lasted == NULL ? 0 : strtod(lasted + strlen(" seconds="), NULL);

        write_time(first, at);
        /* The account is text in the store: a damaged number must not become a time outside the
         * calendar. */
        write_time(last, seconds > 0 && seconds < 1e9 ? at + (int64_t)seconds : at);
        widen(user, first, last);
    }
}

/* ------------------------------------------------------------------------- the event */

static void hash_setting(void *user, const char *key, const char *value)
{
    /* With the zero at the end of each, so that no two lists of keys and values have the same
     * bytes. */
    crypto_generichash_update(user, (const unsigned char *)key, strlen(key) + 1);
    crypto_generichash_update(user, (const unsigned char *)value, strlen(value) + 1);
}

static enum bg_status read_event(char out[RECORD_HASH], struct store *store, struct bg_error *err)
{
    crypto_generichash_state state;
    enum bg_status status;

    crypto_generichash_init(&state, NULL, 0, DIGEST);
    status = store_meta_each(store, "event.", hash_setting, &state, err);
    if (status == BG_OK) {
        status = store_meta_each(store, "season.", hash_setting, &state, err);
    }
    write_digest(out, &state);
    return status;
}

/* ------------------------------------------------------------------------- the standing */

struct statement_line {
    char *name; /* owned */
    uint64_t games, won, lost;
    int64_t points;
};

struct standing {
    struct statement_line *line; /* owned */
    size_t count, room, last[2];
    uint64_t counted;
};

/* Games come sorted by their bots, so most often it is the same line again. */
static struct statement_line *line_of(struct standing *standing, int bot, const char *name)
{
    size_t i = standing->last[bot];

    if (i >= standing->count || strcmp(standing->line[i].name, name) != 0) {
        for (i = 0; i < standing->count && strcmp(standing->line[i].name, name) != 0; i++) {
        }
    }
    if (i == standing->count) {
        standing->line = memory_list(standing->line, &standing->room, standing->count + 1,
                                     sizeof *standing->line);
        standing->line[standing->count++] = (struct statement_line){.name = memory_text(name)};
    }
    standing->last[bot] = i;
    return &standing->line[i];
}

static bool add_game(void *user, const struct store_game *game)
{
    struct standing *standing = user;

    for (int bot = 0; bot < 2 && game->pair < standing->counted; bot++) {
        struct statement_line *line = line_of(standing, bot, bot == 0 ? game->a : game->b);

        line->games++;
        line->won += game->winner == bot;
        line->lost += game->winner == 1 - bot;
        line->points += game->winner < 0 ? 0 : game->winner == bot ? game->points : -game->points;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct statement_line *)a)->name,
                  ((const struct statement_line *)b)->name);
}

static void sum_lines(char out[RECORD_HASH], struct standing *standing)
{
    static const char first[] = "bgref-standing 1\n";
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, DIGEST);
    crypto_generichash_update(&state, (const unsigned char *)first, strlen(first));
    if (standing->count > 0) {
        qsort(standing->line, standing->count, sizeof *standing->line, by_name);
    }
    for (size_t i = 0; i < standing->count; i++) {
        const struct statement_line *line = &standing->line[i];
        char text[512];
        snprintf(text, sizeof text, "%.256s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64 "\n",
                 line->name, line->games, line->won, line->lost, line->points);

        crypto_generichash_update(&state, (const unsigned char *)text, strlen(text));
    }
    write_digest(out, &state);
}

static void hash_line(crypto_generichash_state *state, const char *text)
{
    crypto_generichash_update(state, (const unsigned char *)text, strlen(text));
}

/* The places of one group. */
static enum bg_status add_places(crypto_generichash_state *state, const struct season *season,
                                 int stage, int group, struct bg_error *err)
{
    struct season_place *place = memory_zeroed((size_t)season_entrants(season) + 1, sizeof *place);
    int count = 0;
    enum bg_status status = season_standing(place, &count, season, stage, group, err);
    char text[512];

    for (int i = 0; i < count && status == BG_OK; i++) {
        snprintf(text, sizeof text, "%d %d %d %s %.1f\n", stage + 1, group + 1, place[i].place,
                 season_entrant(season, place[i].entrant)->name, place[i].score);
        hash_line(state, text);
    }
    free(place);
    return status;
}

/* The standing of an event with a form. */
static enum bg_status read_places(char out[RECORD_HASH], const struct season *season,
                                  struct bg_error *err)
{
    crypto_generichash_state state;
    enum bg_status status = BG_OK;

    crypto_generichash_init(&state, NULL, 0, DIGEST);
    hash_line(&state, "bgref-standing 1\n");
    for (int stage = 0; stage <= season_stage(season) && status == BG_OK; stage++) {
        for (int group = 0; group < season_groups(season, stage) && status == BG_OK; group++) {
            status = add_places(&state, season, stage, group, err);
        }
    }
    write_digest(out, &state);
    return status;
}

/* The standing of a plain round robin. */
static enum bg_status read_sums(char out[RECORD_HASH], struct store *store, struct bg_error *err)
{
    struct standing standing = {0};
    enum bg_status status = counted_read(&standing.counted, store, err);

    if (status == BG_OK) {
        status = store_all_games(store, false, add_game, &standing, err);
    }
    if (status == BG_OK) {
        sum_lines(out, &standing);
    }
    for (size_t i = 0; i < standing.count; i++) {
        free(standing.line[i].name);
    }
    free(standing.line);
    return status;
}

static enum bg_status read_standing(char out[RECORD_HASH], struct store *store,
                                    struct bg_error *err)
{
    struct season *season = NULL;
    char schedule[PLAN_TEXT];
    enum bg_status status =
        store_meta_text(schedule, sizeof schedule, store, "event.schedule", err);

    if (status != BG_OK || schedule[0] == '\0') {
        return status == BG_OK ? read_sums(out, store, err) : status;
    }
    status = season_load(&season, store, err);
    if (status == BG_OK) {
        status = season_plan(season)->stages > 0 ? read_places(out, season, err)
                                                 : read_sums(out, store, err);
    }
    season_destroy(season);
    return status;
}

enum bg_status statement_read(struct statement *out, struct store *store, struct bg_error *err)
{
    enum bg_status status;

    *out = (struct statement){.journal = ACT_ORIGIN};
    status = store_all_acts(store, take_act, out, err);
    if (status == BG_OK) {
        status = store_meta_each(store, "run.", take_run, out, err);
    }
    if (status == BG_OK) {
        status = read_event(out->event, store, err);
    }
    return status == BG_OK ? read_standing(out->standing, store, err) : status;
}
