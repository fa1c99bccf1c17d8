/* game_id.h - a game's id "A|B|pair|leg|game", its leg's "A|B|pair|leg" and its pair's "A|B|pair".
 *
 * A and B are the bots' names, A < B by bytes; pair and game count from 0. The leg's number is A's
 * seat. Numbers are decimal without leading zeros. Only this module writes and reads these forms.
 */
#ifndef RESULTS_RECORD_GAME_ID_H
#define RESULTS_RECORD_GAME_ID_H

#include <stdbool.h>
#include <stdint.h>

#include <bgref/ask.h>
#include <bgref/dice.h>

enum { GAME_ID_NAME = 65 /* 64 bytes and the terminator */ };

struct game_id {
    char a[GAME_ID_NAME], b[GAME_ID_NAME];
    uint64_t pair; /* up to 18 digits */
    int leg;       /* 0 or 1; also A's seat */
    int game;      /* within the leg */
};

/* Returns the first game of leg 0 of pair 0 of two bots; names are 1 to 64 bytes, A < B. */
struct game_id game_id_of(const char *a, const char *b);
/* Returns the first game of one of their legs. */
struct game_id game_id_of_leg(const char *a, const char *b, uint64_t pair, int leg);

/* Writes into at least BG_GAME_ID bytes. */
void game_id_write(char *out, const struct game_id *id);
void game_id_write_leg(char *out, const struct game_id *id);
void game_id_write_pair(char *out, const struct game_id *id);

/* Returns false unless text is an id of exactly this form; refuses control characters. */
bool game_id_read(struct game_id *out, const char *text);
bool game_id_read_leg(struct game_id *out, const char *text);  /* sets game to 0 */
bool game_id_read_pair(struct game_id *out, const char *text); /* sets game and leg to 0 */

/* The ids of a leg and of a game in SQL, from the store's columns. */
#define GAME_ID_SQL_LEG "a||'|'||b||'|'||pair||'|'||leg"
#define GAME_ID_SQL     GAME_ID_SQL_LEG "||'|'||game"

/* Returns < 0, 0, > 0 in the order of exports: a, b, pair, leg; names by bytes. */
int game_id_compare_leg(const struct game_id *x, const struct game_id *y);

/* Writes the alias that bots see instead of the id (bgref/dice.h). attempt: how often the pair was
 * restarted, from 0. */
void game_id_alias(char out[BG_ALIAS], const struct game_id *id, uint64_t attempt,
                   const struct bg_dice_key *id_key);

/* Seats in a leg: a bot's seat (bot 0 is A, 1 is B), and the bot on a seat. In leg 0, A has seat 0;
 * in leg 1, A has seat 1. */
static inline int game_id_seat_of(int leg, int bot)
{
    return bot ^ leg;
}

static inline int game_id_bot_at(int leg, int seat)
{
    return seat ^ leg;
}

/* Returns the name of the bot on a seat. */
const char *game_id_bot(const struct game_id *id, int seat);

/* Whether the game with this id belongs to `part`: a pairing "A|B", a pair, a leg or the game
 * itself. */
bool game_id_is_part(const char *id, const char *part);

#endif
