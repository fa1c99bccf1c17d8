/* known_games.h - the games that the author's side has seen lately, so that each is printed once.
 *
 * Every decision names its game, so looking one up has to be cheap.
 */
#ifndef HOST_CMD_KNOWN_GAMES_H
#define HOST_CMD_KNOWN_GAMES_H

#include <bgref/ask.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KNOWN_GAMES = 1024, KNOWN_GAMES_CHAINS = 2048 /* a power of two */ };

/* Starts as {0}. The newest KNOWN_GAMES games; an older one is new again. */
struct known_games {
    char game[KNOWN_GAMES][BG_GAME_ID];
    uint8_t size[KNOWN_GAMES];          /* of its name */
    uint16_t next[KNOWN_GAMES];         /* of its chain; places count from 1, 0 ends a chain */
    uint16_t first[KNOWN_GAMES_CHAINS]; /* of the games with this hash */
    uint64_t count;                     /* of all games ever added */
};

/* Returns true if game, of size bytes, below BG_GAME_ID, was not among them, and is now. */
bool known_games_add(struct known_games *games, const char *game, size_t size);

#endif
