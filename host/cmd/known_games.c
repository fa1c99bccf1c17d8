/* A ring of the last KNOWN_GAMES games, found by chains of numbers instead of pointers: one
 * block of fixed size, however many games a bot plays in a week. A game that is forgotten and
 * comes again is counted twice, which only a bot with more open games than that could see. */
#include "known_games.h"

#include <assert.h>
#include <string.h>

_Static_assert(BG_GAME_ID <= UINT8_MAX + 1, "the size of a name is kept in a byte");

/* Eight bytes at a time: every decision of a quick bot comes here. */
static uint16_t *chain_of(struct known_games *games, const char *game, size_t size)
{
    uint64_t hash = size, word;

    for (size_t at = 0; at < size; at += sizeof word) {
        word = 0;
        memcpy(&word, game + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return &games->first[hash % KNOWN_GAMES_CHAINS];
}

static void unlink_place(struct known_games *games, uint16_t place)
{
    uint16_t *at = chain_of(games, games->game[place - 1], games->size[place - 1]);

    while (*at != 0 && *at != place) {
        at = &games->next[*at - 1];
    }
    *at = *at == place ? games->next[place - 1] : 0;
}

bool known_games_add(struct known_games *games, const char *game, size_t size)
{
    uint16_t *first = chain_of(games, game, size);
    uint16_t place = (uint16_t)(games->count % KNOWN_GAMES + 1);

    assert(size < BG_GAME_ID);
    for (uint16_t at = *first; at != 0; at = games->next[at - 1]) {
        if (games->size[at - 1] == size && memcmp(games->game[at - 1], game, size) == 0) {
            return false;
        }
    }
    /* The oldest place is taken; its game has to leave its chain before its name is overwritten. */
    if (games->count >= KNOWN_GAMES) {
        unlink_place(games, place);
    }
    memcpy(games->game[place - 1], game, size);
    games->size[place - 1] = (uint8_t)size;
    games->next[place - 1] = *first;
    *first = place;
    games->count++;
    return true;
}
