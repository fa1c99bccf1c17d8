/* player.h - one of our bots, asked for single decisions by another program.
 *
 * What a bot answers is judged here as at a table: what leaves is always legal.
 */
#ifndef REFEREE_CHECK_PLAYER_H
#define REFEREE_CHECK_PLAYER_H

#include <bgref/match.h>

#include "bot/competitor.h"

struct player;

/* Finds the bot of these words: as after -engine (registry.h), or, if is_command, a command. */
enum bg_status player_find(struct competitor *out, const char *const *words, int count,
                           bool is_command, struct bg_error *err);

/* Starts the bot. event: the word that its game ids begin with. ceiling_ns: longest time for one
 * answer. BG_E_START: why it does not start. */
enum bg_status player_open(struct player **out, const struct competitor *bot, const char *event,
                           int64_t ceiling_ns, struct bg_error *err);
/* Ends the bot. NULL is fine. */
void player_close(struct player *player);

/* Returns whether the bot supports this game. */
bool player_plays(const struct player *player, const struct bg_variant *variant);

/* The decisions that follow belong to another game. */
void player_new_game(struct player *player);

/* What seat 0, which owes it, decides: *rolls, else *step, whose play is in single moves. A bot
 * may offer to resign (BG_STEP_RESIGN) unless a refused offer is behind it in *match.
 * BG_E_MISMATCH: the bot's fault, the message names it; other failures are ours. */
enum bg_status player_decide(struct bg_step *step, bool *rolls, struct player *player,
                             const struct bg_match *match, struct bg_error *err);

#endif
