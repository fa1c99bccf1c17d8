#include "known_games.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint16_t *chain_of(struct known_games *games, const char *game)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (const char *at = game; *at != '\0'; at++) {
        hash = (hash ^ (uint8_t)*at) * UINT64_C(1099511628211);
    }
    return &games->first[(hash ^ hash >> 32) % KNOWN_GAMES_CHAINS];
}

static void unlink_place(struct known_games *games, uint16_t place)
{
    uint16_t *at = chain_of(games, games->game[place - 1]);

    while (*at != 0 && *at != place) {
        at = &games->next[*at - 1];
    }
    *at = *at == place ? games->next[place - 1] : 0;
}

bool known_games_add(struct known_games *games, const char *game)
{
    uint16_t *first = chain_of(games, game);
    uint16_t place = (uint16_t)(games->count % KNOWN_GAMES + 1);

    for (uint16_t at = *first; at != 0; at = games->next[at - 1]) {
        if (strcmp(games->game[at - 1], game) == 0) {
            return false;
        }
    }
    if (games->count >= KNOWN_GAMES) {
        unlink_place(games, place);
    }
    snprintf(games->game[place - 1], BG_GAME_ID, "%s", game);
    games->next[place - 1] = *first;
    *first = place;
    games->count++;
    return true;
}
