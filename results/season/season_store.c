/* A season from the store, in two passes: the first believes the journal and shows which pairs
 * are void; only with this can the second tell games that were set aside by the desk, which
 * still explain a row, from those that a restart replaced. */
#include "season_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "season_state.h"
#include "store/run.h"

enum { SETTING_ROOM = 128 * 1024 /* enough for a thousand names */ };

/* ------------------------------------------------------------------ settings */

struct season_store_reader {
    struct season_setup setup;
    char *text, *event, *names, *conditions; /* owned */
    const char **seed;                       /* owned; into names */
    size_t seeds, seed_room;
};

static void reader_deinit(struct season_store_reader *reader)
{
    free(reader->text);
    free(reader->event);
    free(reader->names);
    free(reader->conditions);
    free(reader->seed);
}

static enum bg_status read_setting(struct season_store_reader *reader, struct store *store,
                                   const char *key, struct bg_error *err)
{
    return store_meta_text(reader->text, SETTING_ROOM, store, key, err);
}

static enum bg_status copy_setting(char **out, struct season_store_reader *reader,
                                   struct store *store, const char *key, struct bg_error *err)
{
    enum bg_status status = read_setting(reader, store, key, err);

    if (status == BG_OK) {
        free(*out);
        *out = memory_text(reader->text);
    }
    return status;
}

/* An event that began before seeds were stored has only its list of bots. */
static enum bg_status read_seeds(struct season_store_reader *reader, struct store *store,
                                 struct bg_error *err)
{
    enum bg_status status = copy_setting(&reader->names, reader, store, "season.seeds", err);
    char *rest = NULL;

    if (status == BG_OK && reader->names[0] == '\0') {
        status = copy_setting(&reader->names, reader, store, "event.bots", err);
    }
    if (status != BG_OK) {
        return status;
    }
    for (char *name = strtok_r(reader->names, " ,\n", &rest); name != NULL;
         name = strtok_r(NULL, " ,\n", &rest)) {
        reader->seed =
            memory_list(reader->seed, &reader->seed_room, reader->seeds + 1, sizeof *reader->seed);
        reader->seed[reader->seeds++] = name;
    }
    reader->setup.seeds = reader->seed;
    reader->setup.entrants = (int)reader->seeds;
    return BG_OK;
}

static bool is_off(const char *text)
{
    return strcmp(text, "off") == 0 || strcmp(text, "false") == 0 || strcmp(text, "no") == 0 ||
           strcmp(text, "0") == 0;
}

static enum bg_status read_numbers(struct season_store_reader *reader, struct store *store,
                                   struct bg_error *err)
{
    struct season_setup *setup = &reader->setup;
    enum bg_status status = read_setting(reader, store, "event.length", err);

    if (status == BG_OK) {
        setup->length_points = atoi(reader->text); /* "money": 0 */
        status = read_setting(reader, store, "event.duplicate", err);
    }
    if (status == BG_OK) {
        setup->legs = is_off(reader->text) ? 1 : 2;
        status = read_setting(reader, store, "season.tables", err);
    }
    if (status == BG_OK) {
        setup->tables = atoi(reader->text);
        status = read_setting(reader, store, "event.pairs", err);
    }
    if (status == BG_OK) {
        setup->pairs = strtoull(reader->text, NULL, 10);
        status = read_setting(reader, store, "event.variant", err);
    }
    if (status == BG_OK) {
        setup->is_cubeless = bg_rotation_find(reader->text) != NULL;
        status = copy_setting(&reader->conditions, reader, store, "event.conditions", err);
        setup->conditions = reader->conditions;
    }
    return status;
}

static enum bg_status reader_init(struct season_store_reader *out, struct store *store,
                                  struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    enum bg_status status;

    *out = (struct season_store_reader){.text = memory_zeroed(SETTING_ROOM, 1)};
    status = copy_setting(&out->event, out, store, "event.event", err);
    if (status == BG_OK) {
        out->setup.event = out->event;
        status = read_seeds(out, store, err);
    }
    if (status == BG_OK) {
        status = read_numbers(out, store, err);
    }
    if (status == BG_OK) {
        status = read_setting(out, store, "event.schedule", err);
    }
    if (status == BG_OK && out->text[0] != '\0') {
        /* the stored text has the terms of every stage */
        status = plan_read(&out->setup.plan, out->text, 1, &why);
        if (status == BG_E_ARGUMENT || status == BG_E_CONFIG) { /* it was correct when stored */
            status = BG_E_MISMATCH;
        }
        if (status != BG_OK) {
            bg_error_set(err, status, "setting event.schedule: %.400s", why.text);
        }
    }
    return status;
}

/* ------------------------------------------------------------------ games */

struct season_store_loading {
    struct season *season;
    const struct season *known; /* the end of the journal: which pairs are void */
    struct season_leg *aside;   /* owned; legs of void pairs, names in the season */
    size_t asides, aside_room;
};

/* Returns false if the game does not end its leg. */
static bool ended_leg(struct season_leg *out, const struct encounter_game *game)
{
    bool is_match = game->length_points > 0;

    *out = (struct season_leg){.leg = game->leg,
                               .winner = is_match ? game->match_winner : game->winner,
                               .points = is_match ? 1 : game->points};
    return !is_match || game->match_over;
}

static bool take_run(void *user, const struct run *run)
{
    struct season_store_loading *loading = user;
    struct season_leg leg;

    for (size_t i = 0; i < run->games; i++) {
        if (ended_leg(&leg, &run->game[i].facts)) {
            leg.a = run->a;
            leg.b = run->b;
            leg.pair = run->game[i].pair;
            season_leg(loading->season, &leg);
        }
    }
    return true;
}

/* Only of pairs that the desk voided; other games that were set aside are played again under the
 * same number. */
static bool take_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    struct season_store_loading *loading = user;
    const struct season *known = loading->known;
    const struct encounter_game facts = encounter_game_of(game);
    const struct couple *couple;
    struct season_leg leg;
    struct leg_at at;

    (void)attempt; /* sorted: the latest comes last */
    if (!ended_leg(&leg, &facts)) {
        return true;
    }
    leg.a = game->a;
    leg.b = game->b;
    leg.pair = game->pair;
    if (!leg_of_names(&at, known, &leg) || !at.leg->is_void) {
        return true;
    }
    couple = &known->couples.couple[at.of->couple];
    leg.a = known->names.name[couple->a];
    leg.b = known->names.name[couple->b];
    loading->aside = memory_list(loading->aside, &loading->aside_room, loading->asides + 1,
                                 sizeof *loading->aside);
    loading->aside[loading->asides++] = leg;
    return true;
}

/* ------------------------------------------------------------------ loading */

/* The journal. Read before the games: then no game is missing that a row was made from, also while
 * a referee writes. */
struct season_store_rows {
    struct act *act; /* owned */
    size_t count, room;
};

static bool keep_row(void *user, const struct act *act)
{
    struct season_store_rows *rows = user;

    rows->act = memory_list(rows->act, &rows->room, rows->count + 1, sizeof *rows->act);
    rows->act[rows->count++] = *act;
    return true;
}

/* Takes a stored row. One that was never allowed did not come from here, so the results are wrong,
 * not who reads them. */
static enum bg_status take_row(struct season *season, const struct act *act, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    enum bg_status status = season_take(season, act, &why);

    if (status == BG_E_ARGUMENT) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "row %" PRIu64 " of the journal (%.15s %.100s) is not allowed there: "
                            "%.300s",
                            act->number, act->kind, act->subject, why.text);
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", why.text);
}

/* Builds a season; known: for games that were set aside, NULL: without them. */
static enum bg_status build(struct season **out, const struct season_setup *setup,
                            struct store *store, const struct season_store_rows *rows,
                            const struct season *known, struct bg_error *err)
{
    struct season_store_loading loading = {.known = known};
    enum bg_status status = season_create(&loading.season, setup, err);

    if (status == BG_OK && setup->plan.stages > 0) {
        status = store_all_runs(store, false, take_run, &loading, err);
    }
    if (status == BG_OK && known != NULL) {
        status = store_all_set_aside(store, take_aside, &loading, err);
    }
    /* From the last attempt back: season_leg keeps the first result of a leg that it hears. */
    for (size_t i = loading.asides; status == BG_OK && i > 0; i--) {
        season_leg(loading.season, &loading.aside[i - 1]);
    }
    for (size_t i = 0; status == BG_OK && i < rows->count; i++) {
        status = take_row(loading.season, &rows->act[i], err);
    }
    if (status == BG_OK) {
        *out = loading.season;
        loading.season = NULL;
    }
    free(loading.aside);
    season_destroy(loading.season);
    return status;
}

/* Every game has to be of a fixture: the row is stored before the first game begins. */
static enum bg_status check_legs(const struct season *season, struct bg_error *err)
{
    for (uint32_t i = 0; i < season->couples.count; i++) {
        const struct couple *couple = &season->couples.couple[i];

        for (size_t k = 0; k < couple->leg_count; k++) {
            uint64_t pair = couple->legs[k].at / 2;
            int leg = (int)(couple->legs[k].at % 2);
            struct leg_at at;

            if (!leg_find(&at, season, couple->a, couple->b, pair, leg)) {
                return bg_error_set(
                    err, BG_E_MISMATCH,
                    "the games %.100s|%.100s|%" PRIu64 "|%d belong to no fixture of the journal",
                    season->names.name[couple->a], season->names.name[couple->b], pair, leg);
            }
        }
    }
    return BG_OK;
}

static enum bg_status load_season(struct season **out, struct store *store, bool is_checked,
                                  struct bg_error *err)
{
    struct season_store_reader reader = {.text = NULL};
    struct season *known = NULL;
    struct season_store_rows rows = {.act = NULL};
    enum bg_status status = store_all_acts(store, keep_row, &rows, err);

    if (status == BG_OK) {
        status = reader_init(&reader, store, err);
    }
    if (status == BG_OK) {
        reader.setup.is_trusted = true;
        status = build(&known, &reader.setup, store, &rows, NULL, err);
    }
    if (status == BG_OK && is_checked) {
        reader.setup.is_trusted = false;
        status = build(out, &reader.setup, store, &rows, known, err);
        if (status == BG_OK) {
            status = check_legs(*out, err);
            if (status != BG_OK) {
                season_destroy(*out);
                *out = NULL;
            }
        }
    } else if (status == BG_OK) {
        *out = known;
        known = NULL;
    }
    season_destroy(known);
    reader_deinit(&reader);
    free(rows.act);
    return status;
}

enum bg_status season_load(struct season **out, struct store *store, struct bg_error *err)
{
    return load_season(out, store, false, err);
}

enum bg_status season_load_checked(struct season **out, struct store *store, struct bg_error *err)
{
    return load_season(out, store, true, err);
}

/* ------------------------------------------------------------------ in words */

struct wording {
    FILE *out;
    bool is_begun;
};

static void word(struct wording *wording, const char *a, int a_size, const char *b, int b_size,
                 const char *words)
{
    fprintf(wording->out, "%s%.*s and %.*s: %s", wording->is_begun ? "; " : "", a_size, a, b_size,
            b, words);
    wording->is_begun = true;
}

/* Only rows that the season took are in the journal; others are left to verify. */
static bool word_row(void *user, const struct act *act)
{
    struct wording *wording = user;
    const char *names = act->subject + strlen("between=");
    size_t first = 0, both = 0;

    if (act_kind_read(act->kind) == ACT_CONDITION && strncmp(act->subject, "between=", 8) == 0) {
        first = strcspn(names, ", ");
        both = strcspn(names, " ");
        if (first < both && names[both] == ' ') {
            word(wording, names, (int)first, names + first + 1, (int)(both - first - 1),
                 names + both + 1);
            fprintf(wording->out, " (since row %" PRIu64 " of the journal)", act->number);
        }
    }
    return true;
}

/* A bad text is only left out here: loading the season reports it. */
static enum bg_status word_file(struct wording *wording, struct store *store, struct bg_error *err)
{
    struct season_store_reader reader = {.text = memory_zeroed(SETTING_ROOM, 1)};
    char words[TERMS_TEXT];
    struct terms_between one;
    enum bg_status status;
    int length = 0;
    bool more = true;

    status = read_setting(&reader, store, "event.length", err);
    if (status == BG_OK) {
        length = atoi(reader.text);
        status = read_setting(&reader, store, "event.conditions", err);
    }
    for (const char *at = reader.text;
         status == BG_OK && more && terms_next(&one, &more, &at, length, NULL) == BG_OK;) {
        if (more) {
            word(wording, one.name[0], (int)strlen(one.name[0]), one.name[1],
                 (int)strlen(one.name[1]), terms_write(words, &one.terms));
        }
    }
    reader_deinit(&reader);
    return status;
}

enum bg_status season_conditions_text(char **out, struct store *store, struct bg_error *err)
{
    char *text = NULL;
    size_t size = 0;
    struct wording wording = {.out = memory_stream(&text, &size)};
    enum bg_status status = word_file(&wording, store, err);

    if (status == BG_OK) {
        status = store_all_acts(store, word_row, &wording, err);
    }
    memory_stream_close(wording.out);
    if (status == BG_OK) {
        *out = text;
        text = NULL;
    }
    free(text);
    return status;
}
