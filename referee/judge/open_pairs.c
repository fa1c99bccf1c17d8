#include "open_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "record/game_id.h"

struct open_pair {
    struct game_id id; /* of leg 0, game 0 */
    uint64_t games;
    int legs; /* bits of the legs that have ended or are never played */
};

struct search {
    struct open_pairs *pairs;
    int all; /* bits of a pair's legs */
    bool lacks_memory;
};

/* Returns < 0, 0, > 0 in the order of pairs. */
static int compare(const void *x, const void *y)
{
    const struct open_pair *one = x, *other = y;

    return game_id_compare_leg(&one->id, &other->id);
}

/* The last pair in the list is being read; a closed pair is removed from it. */
static bool on_game(void *user, const struct store_game *game)
{
    struct search *search = user;
    struct open_pairs *pairs = search->pairs;
    struct open_pair key = {.id = game_id_of_leg(game->a, game->b, game->pair, 0)};
    struct open_pair *last = pairs->count == 0 ? NULL : &pairs->list[pairs->count - 1];

    if (last == NULL || compare(last, &key) != 0) {
        pairs->count -= last != NULL && last->legs == search->all;
        if (pairs->count == pairs->room) {
            size_t room = pairs->room == 0 ? 16 : 2 * pairs->room;
            struct open_pair *more = realloc(pairs->list, room * sizeof *more);

            if (more == NULL) {
                search->lacks_memory = true;
                return false;
            }
            pairs->list = more;
            pairs->room = room;
        }
        last = &pairs->list[pairs->count++];
        *last = key;
    }
    last->games++;
    last->legs |= game->match_over ? 1 << game->leg : 0;
    return true;
}

static struct open_pair *find(const struct open_pairs *pairs, const struct open_pair *key)
{
    return pairs->count == 0
               ? NULL
               : bsearch(key, pairs->list, pairs->count, sizeof *pairs->list, compare);
}

static void on_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    struct search *search = user;
    struct open_pair *pair = NULL;
    struct game_id id;

    (void)bot;
    (void)why;
    if (game_id_read_leg(&id, fixture)) {
        struct open_pair key = {.id = game_id_of_leg(id.a, id.b, id.pair, 0)};

        pair = find(search->pairs, &key);
    }
    if (pair != NULL) {
        pair->legs |= 1 << id.leg;
    }
}

static void keep_open(struct open_pairs *pairs, int all)
{
    size_t kept = 0;

    for (size_t i = 0; i < pairs->count; i++) {
        if (pairs->list[i].legs != all) {
            pairs->games += pairs->list[i].games;
            pairs->list[kept++] = pairs->list[i];
        }
    }
    pairs->count = kept;
}

enum bg_status open_pairs_find(struct open_pairs *out, struct store *store, struct bg_error *err)
{
    struct search search = {.pairs = out, .all = 3};
    char trust[16], duplicate[16];
    bool has_trust = false, has_duplicate = false;
    enum bg_status status;

    *out = (struct open_pairs){0};
    status = store->ops->meta_get(store, "event.trust", trust, sizeof trust, &has_trust, err);
    if (status == BG_OK) {
        status = store->ops->meta_get(store, "event.duplicate", duplicate, sizeof duplicate,
                                      &has_duplicate, err);
    }
    if (status != BG_OK || !has_trust || strcmp(trust, "strangers") != 0) {
        return status;
    }
    if (has_duplicate && strcmp(duplicate, "off") == 0) {
        search.all = 1;
    }
    status = store->ops->all_games(store, false, on_game, &search, err);
    if (status == BG_OK && search.lacks_memory) {
        status = bg_error_set(err, BG_E_MEMORY, "open pairs");
    }
    if (status == BG_OK) {
        status = store->ops->all_unplayed(store, on_unplayed, &search, err);
    }
    keep_open(out, search.all);
    if (status != BG_OK) {
        open_pairs_deinit(out);
    }
    return status;
}

void open_pairs_deinit(struct open_pairs *pairs)
{
    free(pairs->list);
    *pairs = (struct open_pairs){0};
}

bool open_pairs_has(const struct open_pairs *pairs, const struct store_game *game)
{
    const struct open_pair key = {.id = game_id_of_leg(game->a, game->b, game->pair, 0)};

    return find(pairs, &key) != NULL;
}
