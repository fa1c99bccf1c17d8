/* Ids with options. A game with options is a copy of its row with some fields changed. Every
 * combination has its own place in a static pool, which is filled on first use, so that a
 * combination always has the same address and no memory is allocated. */
#include <bgref/variant.h>

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "games.h"

/* All combinations of options in all games together; unit tests count them. */
enum { POOL = 512 };

enum { EMPTY, FILLING, READY };

static struct {
    atomic_int state;
    struct bg_variant variant;
} pool[POOL];

static_assert(sizeof(enum way) == sizeof(int), "an option may choose an enum");

static int option_count(const struct bg_variant *game)
{
    int count = 0;

    while (count < GAME_OPTIONS && game->option[count].name != NULL) {
        count++;
    }
    return count;
}

static int choice_count(const struct game_option *option)
{
    int count = 0;

    while (count < GAME_CHOICES && option->choice[count].name != NULL) {
        count++;
    }
    return count;
}

/* Returns the number of the game's combinations, with the plain one. */
static int combinations(const struct bg_variant *game)
{
    int count = 1;

    for (int i = 0; i < option_count(game); i++) {
        count *= choice_count(&game->option[i]);
    }
    return count;
}

/* Returns where the game's combinations begin in the pool. */
static int pool_begin(const struct bg_variant *game)
{
    const struct bg_variant *at;
    int begin = 0;

    for (int i = 0; (at = bg_variant_at(i)) != game; i++) {
        begin += combinations(at);
    }
    return begin;
}

/* Sets the fields that follow from the chosen options. */
static void settle_variant(struct bg_variant *variant)
{
    if (variant->koks) {
        variant->level_max = 3;
    }
    if (variant->score == SCORE_LEVELS && variant->level_max > 3) {
        variant->level_max = 1; /* V14 score=single */
    }
    if (variant->hit_right == HIT_PRESENT) { /* V21 hit-right=present: the board itself shows it */
        variant->flags = FLAGS_NONE;
    }
    if (variant->stay && variant->mover == &mover_hit) {
        variant->mover = &mover_steps;
    }
}

static void fill_variant(struct bg_variant *out, const struct bg_variant *game,
                         const int chosen[GAME_OPTIONS])
{
    size_t length;

    *out = *game;
    length = (size_t)snprintf(out->name, sizeof out->name, "%s", game->id);
    for (int i = 0, written = 0; i < option_count(game); i++) {
        const struct game_option *option = &game->option[i];

        memcpy((char *)out + option->field, &option->choice[chosen[i]].value, sizeof(int));
        if (chosen[i] > 0) {
            length += (size_t)snprintf(out->name + length, sizeof out->name - length, "%c%s=%s",
                                       written++ == 0 ? ':' : ',', option->name,
                                       option->choice[chosen[i]].name);
        }
    }
    assert(length < sizeof out->name);
    settle_variant(out);
}

/* Returns the only description of game with these choices. */
static const struct bg_variant *interned(const struct bg_variant *game,
                                         const int chosen[GAME_OPTIONS])
{
    int place = 0, empty = EMPTY;

    for (int i = 0; i < option_count(game); i++) {
        place = place * choice_count(&game->option[i]) + chosen[i];
    }
    if (place == 0) { /* all defaults */
        return game;
    }
    place += pool_begin(game);
    assert(place < POOL);
    if (atomic_compare_exchange_strong(&pool[place].state, &empty, FILLING)) {
        fill_variant(&pool[place].variant, game, chosen);
        atomic_store(&pool[place].state, READY);
    }
    while (atomic_load(&pool[place].state) != READY) {
        /* Another thread is filling it; that takes some hundred nanoseconds. */
    }
    return &pool[place].variant;
}

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

static const struct bg_variant *find_game(const char *id, size_t length)
{
    const struct bg_variant *game;
    const char *alias, *known;

    for (int i = 0; (alias = bg_variant_alias(&known, i)) != NULL; i++) {
        if (is_word(alias, id, length)) {
            return find_game(known, strlen(known));
        }
    }

    for (int i = 0; (game = bg_variant_at(i)) != NULL; i++) {
        if (is_word(game->id, id, length)) {
            return game;
        }
    }
    return NULL;
}

bool bg_variant_option(char *text, size_t size, const struct bg_variant *variant, int i)
{
    const struct game_option *option;
    size_t length;

    if (i < 0 || i >= option_count(variant)) {
        return false;
    }
    option = &variant->option[i];
    length = (size_t)snprintf(text, size, "%s=", option->name);
    for (int choice = 0; choice < choice_count(option) && length < size; choice++) {
        length += (size_t)snprintf(text + length, size - length, "%s%s", choice > 0 ? "|" : "",
                                   option->choice[choice].name);
    }
    return true;
}

/* Writes the game's options, for the end of an error message. */
static void tell_options(char text[256], const struct bg_variant *game)
{
    size_t length = 0;

    if (option_count(game) == 0) {
        snprintf(text, 256, "it has no options");
        return;
    }
    for (int i = 0; i < option_count(game) && length < 256; i++) {
        char one[96];

        bg_variant_option(one, sizeof one, game, i);
        length +=
            (size_t)snprintf(text + length, 256 - length, "%s%s", i == 0 ? "it has " : ", ", one);
    }
}

/* Index of the word of this length among names that at(i) gives, or -1. */
static int find_option(const struct bg_variant *game, const char *word, size_t length)
{
    for (int i = 0; i < option_count(game); i++) {
        if (strlen(game->option[i].name) == length &&
            memcmp(game->option[i].name, word, length) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_choice(const struct game_option *option, const char *word, size_t length)
{
    for (int i = 0; i < choice_count(option); i++) {
        if (strlen(option->choice[i].name) == length &&
            memcmp(option->choice[i].name, word, length) == 0) {
            return i;
        }
    }
    return -1;
}

static enum bg_status reject(struct bg_error *err, const struct bg_variant *game, const char *text,
                             const char *why, const char *word, size_t length)
{
    char has[256];

    tell_options(has, game);
    return bg_error_set(err, BG_E_ARGUMENT, "game \"%.100s\": %s \"%.*s\"; %s", text, why,
                        length < 60 ? (int)length : 60, word, has);
}

/* Reads "option=value,..." from at into chosen; each option at most once. */
static enum bg_status read_chosen(int chosen[GAME_OPTIONS], const struct bg_variant *game,
                                  const char *text, const char *at, struct bg_error *err)
{
    bool seen[GAME_OPTIONS] = {false};

    for (;;) {
        const size_t length = strcspn(at, ",");
        const size_t name = strcspn(at, "=");
        const int option = name < length ? find_option(game, at, name) : -1;
        int choice;

        if (option < 0) {
            return reject(err, game, text, "no such option", at, length);
        }
        choice = find_choice(&game->option[option], at + name + 1, length - name - 1);
        if (choice < 0) {
            return reject(err, game, text, "no such value", at, length);
        }
        if (seen[option]) {
            return reject(err, game, text, "given twice", at, length);
        }
        seen[option] = true;
        chosen[option] = choice;
        if (at[length] == '\0') {
            return BG_OK;
        }
        at += length + 1;
    }
}

static enum bg_status refuse_game(struct bg_error *err, const char *text)
{
    const struct bg_variant *game;
    char games[400];
    size_t length = 0;

    for (int i = 0; (game = bg_variant_at(i)) != NULL && length < sizeof games; i++) {
        length += (size_t)snprintf(games + length, sizeof games - length, "%s%s", i > 0 ? ", " : "",
                                   game->id);
    }
    return bg_error_set(err, BG_E_ARGUMENT, "game \"%.60s\": unknown; known are %s", text, games);
}

enum bg_status bg_variant_read(const struct bg_variant **out, const char *text,
                               struct bg_error *err)
{
    const size_t length = strcspn(text, ":");
    const struct bg_variant *game = find_game(text, length);
    int chosen[GAME_OPTIONS] = {0};

    if (game == NULL) {
        return refuse_game(err, text);
    }
    if (text[length] == ':') {
        const enum bg_status status = read_chosen(chosen, game, text, text + length + 1, err);

        if (status != BG_OK) {
            return status;
        }
    }
    *out = interned(game, chosen);
    return BG_OK;
}

const struct bg_variant *bg_variant_find(const char *id)
{
    const struct bg_variant *variant = NULL;

    (void)bg_variant_read(&variant, id, NULL);
    return variant;
}
