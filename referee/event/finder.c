#include "finder.h"

#include <stdlib.h>
#include <string.h>

enum bg_status finder_init(struct finder *out, const struct config_event *event,
                           struct bg_error *err)
{
    *out = (struct finder){event, calloc((size_t)event->bot_count, sizeof *out->by_name)};
    if (out->by_name == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "names of the bots");
    }
    for (int i = 0; i < event->bot_count; i++) { /* insertion: a thousand names at most */
        int at = i;

        while (at > 0 && strcmp(event->bots[out->by_name[at - 1]].name, event->bots[i].name) > 0) {
            out->by_name[at] = out->by_name[at - 1];
            at--;
        }
        out->by_name[at] = i;
    }
    return BG_OK;
}

void finder_deinit(struct finder *finder)
{
    free(finder->by_name);
    finder->by_name = NULL;
}

int finder_bot(const struct finder *finder, const char *name)
{
    int low = 0, high = finder->event->bot_count;

    while (low < high) {
        int middle = (low + high) / 2;
        const char *there = finder->event->bots[finder->by_name[middle]].name;
        int order = strcmp(name, there);

        if (order == 0) {
            return finder->by_name[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return -1;
}

bool finder_id(struct fixture *out, const struct finder *finder, const struct game_id *id)
{
    *out =
        (struct fixture){finder_bot(finder, id->a), finder_bot(finder, id->b), id->pair, id->leg};
    return out->a >= 0 && out->b >= 0;
}

bool finder_text(struct fixture *out, const struct finder *finder, const char *text)
{
    struct game_id id;

    return game_id_read_leg(&id, text) && finder_id(out, finder, &id);
}

bool finder_game(struct fixture *out, const struct finder *finder, const struct store_game *game)
{
    *out = (struct fixture){finder_bot(finder, game->a), finder_bot(finder, game->b), game->pair,
                            game->leg};
    return out->a >= 0 && out->b >= 0 && game->pair < finder->event->pairs;
}
