/* A setting is compared wherever a record repeats it: tables and reports show the settings as
 * what was played, so the records must say the same. */
#include "verify_claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/game_id.h"
#include "store/entry.h"

struct claim {
    char *key, *value; /* owned */
};

struct claims {
    struct claim *claim; /* owned; sorted by key, as in the store */
    size_t count, room;
    const struct season *season; /* lent; NULL: all games have the event's rules */
};

/* A setting, and where a record repeats it: a line of its header, or a word of `rules`. */
static const struct {
    const char *setting, *line, *word;
} pairs[] = {
    {"event.event", "event", NULL},
    {"event.trust", "trust", NULL},
    {"event.clock", "clock", NULL},
    {"event.length", "rules", "length="},
    {"event.variant", "rules", "variant="},
    {"event.opening", "rules", "opening="},
    {"event.cube", "rules", "cube="},
    {"event.jacoby", "rules", "jacoby="},
    {"event.beavers", "rules", "beavers="},
    {"event.crawford", "rules", "crawford="},
    {"event.holland", "rules", "holland="},
    {"event.raises", "rules", "raises="},
    {"event.auto_doubles", "rules", "auto-doubles="},
    {"event.turn_cap", "rules", "turn-cap="},
};

static void take_claim(void *user, const char *key, const char *value)
{
    struct claims *claims = user;

    claims->claim =
        memory_list(claims->claim, &claims->room, claims->count + 1, sizeof *claims->claim);
    claims->claim[claims->count++] = (struct claim){memory_text(key), memory_text(value)};
}

enum bg_status claims_read(struct claims **out, struct store *store, struct bg_error *err)
{
    struct claims *claims = memory_zeroed(1, sizeof *claims);
    enum bg_status status = store_meta_each(store, "event.", take_claim, claims, err);

    if (status == BG_OK) {
        status = store_meta_each(store, "program.", take_claim, claims, err);
    }
    if (status == BG_OK) {
        *out = claims;
        claims = NULL;
    }
    claims_destroy(claims);
    return status;
}

void claims_have_terms(struct claims *claims, const struct season *season)
{
    claims->season = season;
}

void claims_destroy(struct claims *claims)
{
    if (claims == NULL) {
        return;
    }
    for (size_t i = 0; i < claims->count; i++) {
        free(claims->claim[i].key);
        free(claims->claim[i].value);
    }
    free(claims->claim);
    free(claims);
}

static int by_key(const void *key, const void *claim)
{
    return strcmp(key, ((const struct claim *)claim)->key);
}

static const char *find_claim(const struct claims *claims, const char *key)
{
    const struct claim *found = claims->count == 0 ? NULL
                                                   : bsearch(key, claims->claim, claims->count,
                                                             sizeof *claims->claim, by_key);

    return found == NULL ? NULL : found->value;
}

static enum bg_status check_program(const struct claims *claims, const struct record_view *view,
                                    int seat, struct bg_error *err)
{
    const char *name = record_view_value(view, seat == 0 ? "seat0" : "seat1");
    const char *digest = record_view_value(view, seat == 0 ? "program0" : "program1");
    char key[ENTRY_KEY];
    const char *text;
    struct edition edition;

    editions_key(key, name);
    text = find_claim(claims, key);
    if (text == NULL || digest == NULL || strcmp(digest, "-") == 0) {
        return BG_OK;
    }
    while (edition_read(&edition, &text)) {
        if (strcmp(edition.digest, digest) == 0) {
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_MISMATCH,
                        "game %s: %s was played by program %.*s, which the results do not list for "
                        "it (setting %s)",
                        record_view_value(view, "id"), name, EDITION_SHORT, digest, key);
}

/* Whether "word=VALUE" is among the words of a line. */
static bool has_word(const char *line, const char *word, const char *value)
{
    const char *at = strstr(line, word);
    size_t size;

    if (at == NULL) {
        return true; /* an optional rule that this record leaves out */
    }
    at += strlen(word);
    size = strcspn(at, " ");
    return strlen(value) == size && memcmp(at, value, size) == 0;
}

/* Rules that change from game to game, and a clock for one bot alone, can differ from the
 * event's. */
static bool is_said_otherwise(const char *setting, const char *line)
{
    return (strcmp(setting, "event.clock") == 0 && strstr(line, " / ") != NULL) ||
           (strcmp(setting, "event.variant") == 0 && strstr(line, " rotation=") != NULL);
}

/* The rules of a game where they differ from the event's. */
static struct terms terms_of_game(const struct claims *claims, const struct record_view *view)
{
    struct game_id id;
    struct season_leg leg;

    if (claims->season == NULL || !game_id_read(&id, record_view_value(view, "id"))) {
        return terms_none();
    }
    leg = (struct season_leg){.a = id.a, .b = id.b, .pair = id.pair, .leg = id.leg};
    return season_leg_terms(claims->season, &leg);
}

/* terms: of this game. */
static enum bg_status check_setting(const struct claims *claims, const struct record_view *view,
                                    size_t i, const struct terms *terms, struct bg_error *err)
{
    char text[TERMS_TEXT], words[TERMS_TEXT];
    const char *own = terms_setting(text, terms, pairs[i].setting + strlen("event."));
    const char *value = own != NULL ? own : find_claim(claims, pairs[i].setting);
    const char *line = record_view_value(view, pairs[i].line);

    if (value == NULL || line == NULL || is_said_otherwise(pairs[i].setting, line) ||
        (strcmp(value, "unlimited") == 0 && has_word(line, pairs[i].word, "-1")) ||
        (pairs[i].word == NULL ? strcmp(value, line) == 0 : has_word(line, pairs[i].word, value))) {
        return BG_OK;
    }
    if (own != NULL) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "game %s: its pairing has '%s', the game was played with '%.200s'",
                            record_view_value(view, "id"), terms_write(words, terms), line);
    }
    return bg_error_set(err, BG_E_MISMATCH,
                        "game %s: setting %s of the event is '%.120s', the game was played with "
                        "'%.200s'",
                        record_view_value(view, "id"), pairs[i].setting, value, line);
}

enum bg_status claims_check(const struct claims *claims, const struct record_view *view,
                            struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct terms terms;

    if (claims == NULL) {
        return BG_OK;
    }
    terms = terms_of_game(claims, view);
    for (int seat = 0; seat < 2 && status == BG_OK; seat++) {
        status = check_program(claims, view, seat, err);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && status == BG_OK; i++) {
        status = check_setting(claims, view, i, &terms, err);
    }
    return status;
}
