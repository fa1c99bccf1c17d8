/* What a database already has, in the C library's trees: a match is recognised by what was
 * played in it, not by its file's name, since the same match comes again under another name, in
 * another collection, or with more games behind it. */
#define _GNU_SOURCE /* tdestroy, twalk_r, memmem */
#include "import_index.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "foreign_names.h"

enum { KEY_ROOM = FOREIGN_NAME + 4, NAME_ROOM = 65 };

/* A player by the name in files, and by the name for bots. Each tree owns its entries. */
struct import_index_player {
    char key[KEY_ROOM];
    char name[NAME_ROOM];
};

/* Two players, and their next free pair. */
struct import_index_couple {
    char key[2 * NAME_ROOM];
    uint64_t free_pair;
};

/* A match or a money game, identified by what was played. 128 bits without a cryptographic hash:
 * nobody gains by two matches that collide, and by chance none will. */
struct import_index_played {
    uint64_t digest[2];
};

struct import_index {
    void *players; /* sorted by key */
    void *names;   /* sorted by name; separate entries of the same type */
    void *couples;
    void *played;
    bool has_money, has_matches;
};

static int compare_keys(const void *one, const void *other)
{
    return strcmp(((const struct import_index_player *)one)->key,
                  ((const struct import_index_player *)other)->key);
}

static int compare_names(const void *one, const void *other)
{
    return strcmp(((const struct import_index_player *)one)->name,
                  ((const struct import_index_player *)other)->name);
}

static int compare_couples(const void *one, const void *other)
{
    return strcmp(((const struct import_index_couple *)one)->key,
                  ((const struct import_index_couple *)other)->key);
}

static int compare_played(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct import_index_played));
}

struct import_index *import_index_create(void)
{
    return memory_zeroed(1, sizeof(struct import_index));
}

void import_index_destroy(struct import_index *index)
{
    if (index != NULL) {
        tdestroy(index->players, free);
        tdestroy(index->names, free);
        tdestroy(index->couples, free);
        tdestroy(index->played, free);
        free(index);
    }
}

/* Adds a copy of entry unless it is there already. Returns the stored entry. tsearch stores the
 * pointer that it was given, or returns the older one; the address tells which. */
static void *put_entry(void **tree, const void *entry, size_t size,
                       int (*compare)(const void *, const void *))
{
    void *copy = memory_zeroed(size, 1), **node;

    memcpy(copy, entry, size);
    node = tsearch(copy, tree, compare);
    if (node == NULL) {
        memory_none(size);
    }
    if (*node != copy) {
        free(copy);
    }
    return *node;
}

/* ---- players ---- */

/* Both players of a match can have the same name; then the seat is part of the key. */
static void key_of(char out[KEY_ROOM], const char *display, bool same, int seat)
{
    snprintf(out, KEY_ROOM, "%s%s", display, !same ? "" : seat == 0 ? "\n1" : "\n2");
}

static void put_player(struct import_index *index, const struct import_index_player *player)
{
    put_entry(&index->players, player, sizeof *player, compare_keys);
    put_entry(&index->names, player, sizeof *player, compare_names);
}

/* Sets the name of the player with this key; a new player gets an unused name. */
static void name_player(struct import_index *index, char name[NAME_ROOM], const char *key)
{
    struct import_index_player player;
    struct import_index_player *const *known;

    snprintf(player.key, sizeof player.key, "%s", key);
    known = tfind(&player, &index->players, compare_keys);
    if (known != NULL) {
        memcpy(name, (*known)->name, NAME_ROOM);
        return;
    }
    memcpy(player.name, name, NAME_ROOM);
    for (int i = 2; tfind(&player, &index->names, compare_names) != NULL; i++) {
        snprintf(player.name, sizeof player.name, "%.54s-%d", name, i);
    }
    memcpy(name, player.name, NAME_ROOM);
    put_player(index, &player);
}

struct import_index_listing {
    void (*fn)(void *user, const char *display, const char *name);
    void *user;
};

static void list_player(const void *node, VISIT which, void *closure)
{
    const struct import_index_player *player = *(struct import_index_player *const *)node;
    const struct import_index_listing *listing = closure;
    char display[KEY_ROOM];

    snprintf(display, sizeof display, "%.*s", (int)strcspn(player->key, "\n"), player->key);
    /* twalk visits an inner node three times; in this order each player comes once, sorted. */
    if ((which == postorder || which == leaf) && strcmp(display, player->name) != 0) {
        listing->fn(listing->user, display, player->name);
    }
}

void import_index_players(const struct import_index *index,
                          void (*fn)(void *user, const char *display, const char *name), void *user)
{
    struct import_index_listing listing = {fn, user};

    twalk_r(index->players, list_player, &listing);
}

/* ---- couples ---- */

static struct import_index_couple *couple_of(struct import_index *index, const char *name,
                                             const char *other)
{
    bool swapped = strcmp(name, other) > 0;
    struct import_index_couple couple = {.free_pair = 0};

    snprintf(couple.key, sizeof couple.key, "%.64s|%.64s", swapped ? other : name,
             swapped ? name : other);
    return put_entry(&index->couples, &couple, sizeof couple, compare_couples);
}

static bool is_between(const struct foreign_match *match, const struct foreign_match *other)
{
    bool straight =
        strcmp(match->name[0], other->name[0]) == 0 && strcmp(match->name[1], other->name[1]) == 0;

    return straight || (strcmp(match->name[0], other->name[1]) == 0 &&
                        strcmp(match->name[1], other->name[0]) == 0);
}

static uint64_t pairs_of(const struct foreign_match *match)
{
    return match->length_points == 0 ? (uint64_t)match->games : 1;
}

void import_index_place(struct import_index *index, struct foreign_match *match,
                        const struct foreign_file *before)
{
    bool same = strcmp(match->display[0], match->display[1]) == 0;

    for (int seat = 0; seat < 2; seat++) {
        char key[KEY_ROOM];

        key_of(key, match->display[seat], same, seat);
        if (!same) {
            foreign_bot_name(match->name[seat], match->display[seat]);
        }
        name_player(index, match->name[seat], key);
    }
    match->pair = couple_of(index, match->name[0], match->name[1])->free_pair;
    for (int i = 0; i < before->matches; i++) { /* of this file, not yet in the database */
        if (&before->match[i] != match && is_between(&before->match[i], match)) {
            match->pair += pairs_of(&before->match[i]);
        }
    }
}

/* ---- what was played ---- */

/* FNV with two multipliers, so that the halves do not collide together. */
static void digest_text(struct import_index_played *played, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        played->digest[0] = (played->digest[0] ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
        played->digest[1] = (played->digest[1] ^ (unsigned char)*at) * UINT64_C(0x9e3779b97f4a7c15);
    }
}

static void digest_begin(struct import_index_played *played, const char *name, const char *other,
                         int length)
{
    char head[2 * NAME_ROOM + 32];

    *played =
        (struct import_index_played){{UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)}};
    snprintf(head, sizeof head, "%.64s|%.64s|%d\n", name, other, length);
    digest_text(played, head);
}

static void digest_steps(struct import_index_played *played, const struct record_view *view)
{
    for (int i = 0; i < record_view_steps(view); i++) {
        struct bg_step step;
        char line[RECORD_STEP];

        record_view_step(&step, NULL, view, i);
        record_step_write(line, &step);
        digest_text(played, line);
        digest_text(played, "\n");
    }
}

static enum bg_status digest_game(struct import_index_played *played, const char *text, size_t size,
                                  struct bg_error *err)
{
    struct record_view *view = NULL;
    enum bg_status status = record_read(&view, text, size, err);

    if (status == BG_OK) {
        digest_steps(played, view);
    }
    record_view_destroy(view);
    return status;
}

/* ---- reading a database ---- */

struct import_index_reading {
    struct import_index *index;
    const char *path;
    struct bg_error *err;
    enum bg_status status;
    struct import_index_played played; /* digest of the current match */
    char a[NAME_ROOM], b[NAME_ROOM];
    uint64_t pair;
    int leg;
    bool open;
};

static void close_match(struct import_index_reading *reading)
{
    if (reading->open) {
        put_entry(&reading->index->played, &reading->played, sizeof reading->played,
                  compare_played);
    }
    reading->open = false;
}

static void take_players(struct import_index_reading *reading, const struct record_view *view)
{
    const char *const name[2] = {record_view_value(view, "seat0"),
                                 record_view_value(view, "seat1")};
    const char *display[2] = {record_view_value(view, "version0"),
                              record_view_value(view, "version1")};
    bool same;

    for (int seat = 0; seat < 2; seat++) {
        display[seat] = display[seat] == NULL ? name[seat] : display[seat];
    }
    same = strcmp(display[0], display[1]) == 0;
    for (int seat = 0; seat < 2; seat++) {
        struct import_index_player player;

        key_of(player.key, display[seat], same, seat);
        snprintf(player.name, sizeof player.name, "%s", name[seat]);
        put_player(reading->index, &player);
    }
}

static enum bg_status index_game(struct import_index_reading *reading,
                                 const struct store_game *game)
{
    struct import_index *index = reading->index;
    struct record_view *view = NULL;
    struct import_index_couple *couple;
    bool goes_on = reading->open && game->length_points > 0 && reading->pair == game->pair &&
                   reading->leg == game->leg && strcmp(reading->a, game->a) == 0 &&
                   strcmp(reading->b, game->b) == 0;
    enum bg_status status = record_read(&view, game->text, game->text_size, reading->err);

    if (status != BG_OK) {
        return status;
    }
    take_players(reading, view);
    if (!goes_on) {
        close_match(reading);
        digest_begin(&reading->played, record_view_value(view, "seat0"),
                     record_view_value(view, "seat1"), game->length_points);
        snprintf(reading->a, sizeof reading->a, "%s", game->a);
        snprintf(reading->b, sizeof reading->b, "%s", game->b);
        reading->pair = game->pair;
        reading->leg = game->leg;
        reading->open = true;
    }
    digest_steps(&reading->played, view);
    record_view_destroy(view);
    couple = couple_of(index, game->a, game->b);
    if (game->pair >= couple->free_pair) {
        couple->free_pair = game->pair + 1;
    }
    index->has_money = index->has_money || game->length_points == 0;
    index->has_matches = index->has_matches || game->length_points > 0;
    return BG_OK;
}

/* Recognised by the dice: only imported games have "dice file". Their steps could be told apart
 * from an event's in no other way. */
static bool look_at(void *user, const struct store_game *game)
{
    struct import_index_reading *reading = user;

    reading->status =
        memmem(game->text, game->text_size, "\ndice file #", 12) == NULL
            ? bg_error_set(reading->err, BG_E_ARGUMENT,
                           "%s contains an event of bgref; import into another database",
                           reading->path)
            : index_game(reading, game);
    return reading->status == BG_OK;
}

enum bg_status import_index_read(struct import_index *index, struct store *store, const char *path,
                                 struct bg_error *err)
{
    struct import_index_reading reading = {.index = index, .path = path, .err = err};
    enum bg_status status = store_all_games(store, true, look_at, &reading, err);

    status = status == BG_OK ? reading.status : status;
    if (status == BG_OK) {
        close_match(&reading);
    }
    return status;
}

/* ---- checking, adding ---- */

/* Whether game i of a money session, or the whole match, is in the database. */
static enum bg_status digest_match(struct import_index_played *played,
                                   const struct foreign_match *match, int i, struct bg_error *err)
{
    bool money = match->length_points == 0;
    enum bg_status status = BG_OK;

    digest_begin(played, match->name[0], match->name[1], match->length_points);
    for (int game = money ? i : 0; status == BG_OK && game < (money ? i + 1 : match->games);
         game++) {
        const struct record *record = &match->game[game].record;

        status = digest_game(played, record->text, record->size, err);
    }
    return status;
}

enum bg_status import_index_check(int *known, const struct import_index *index,
                                  const struct foreign_match *match, const char *path,
                                  struct bg_error *err)
{
    bool money = match->length_points == 0, there = true;
    int parts = money ? match->games : 1, first = 0;

    *known = 0;
    if (money ? index->has_matches : index->has_money) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "%s: %s, but the database holds %s, which are rated by another model: 'bgref import "
            "--only %s --results ANOTHER.db' puts them into a separate database",
            path, money ? "money games" : "a match", money ? "matches" : "money games",
            money ? "money" : "matches");
    }
    while (there && first < parts) {
        struct import_index_played played;
        enum bg_status status = digest_match(&played, match, first, err);

        if (status != BG_OK) {
            return status;
        }
        there = tfind(&played, &index->played, compare_played) != NULL;
        first += there;
    }
    if (first == parts) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %s in the database already", path,
                            match->games == 1 ? "its game is" : "its games are");
    }
    *known = money ? first : 0;
    return BG_OK;
}

enum bg_status import_index_add(struct import_index *index, const struct foreign_match *match,
                                struct bg_error *err)
{
    int parts = match->length_points == 0 ? match->games : 1;
    struct import_index_couple *couple = couple_of(index, match->name[0], match->name[1]);
    enum bg_status status = BG_OK;

    for (int i = 0; status == BG_OK && i < parts; i++) {
        struct import_index_played played;

        status = digest_match(&played, match, i, err);
        if (status == BG_OK) {
            put_entry(&index->played, &played, sizeof played, compare_played);
        }
    }
    if (status == BG_OK) {
        uint64_t next = match->pair + pairs_of(match);

        couple->free_pair = next > couple->free_pair ? next : couple->free_pair;
        index->has_money = index->has_money || match->length_points == 0;
        index->has_matches = index->has_matches || match->length_points > 0;
    }
    return status;
}
