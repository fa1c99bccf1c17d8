/* dice.h - keyed dice: repeatable, not guessable.
 *
 *     Kp     = BLAKE2b-256(key = K,  "bgref-pair-1|A|B|pair|attempt"[|nonceA|nonceB in hex])
 *     digest = BLAKE2b-256(key = Kp, "bgref-dice-1|game|stream|n")
 *     bytes in order; b < 252 gives b mod 6 + 1, others are skipped; after the last byte the
 *     message gets "|1", then "|2", ...
 *     Ki     = BLAKE2b-256(key = K,  "bgref-game-id-1")
 *     alias  = BLAKE2b-128(key = Ki, "A|B|pair|leg|game"): sent to bots instead of the game's
 *              id, so that they learn neither pair nor leg nor opponent
 *
 * A and B are bot names, A < B by bytes. Pure functions; no state.
 */
#ifndef BGREF_DICE_H
#define BGREF_DICE_H

#include <stddef.h>
#include <stdint.h>

#include <bgref/api.h>
#include <bgref/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BG_KEY_BYTES = 32, BG_KEY_HEX = 65 /* with the terminator */ };

struct bg_dice_key {
    uint8_t bytes[BG_KEY_BYTES];
};

enum bg_dice_stream { BG_STREAM_0 = 0, BG_STREAM_1 = 1, BG_STREAM_OPEN = 2 };

/* Identifies a pair of games; all texts are lent for the call. */
struct bg_dice_pair {
    const char *a, *b; /* names of the bots, a < b by bytes */
    uint64_t pair, attempt;
    const char *nonce_a, *nonce_b; /* committed nonces in lower-case hex; both NULL: none */
};

/* Derives one pair's key. */
BG_API void bg_dice_pair_key(struct bg_dice_key *out, const struct bg_dice_key *event,
                             const struct bg_dice_pair *pair);

/* Sets dice[] to the first `count` dice (1..6) of message (game, stream, n). */
BG_API void bg_dice_draw(uint8_t *dice, size_t count, const struct bg_dice_key *pair_key,
                         uint64_t game, enum bg_dice_stream stream, uint64_t n);

/* Event key of a repeatable run: BLAKE2b-256 of "bgref-seed-1|N". */
BG_API void bg_dice_key_from_seed(struct bg_dice_key *out, uint64_t seed);

/* The key for aliases of games. It reveals nothing about the event's key. */
BG_API void bg_dice_id_key(struct bg_dice_key *out, const struct bg_dice_key *event);

/* The alias of `name` that bots get, lower-case hex. The name of a game is "A|B|pair|leg|game",
 * followed by "|attempt" if the pair was restarted. */
enum { BG_ALIAS = 33 };
BG_API void bg_dice_alias(char out[BG_ALIAS], const struct bg_dice_key *id_key, const char *name);

/* bot_seed of a game: the first 8 bytes, little endian, of BLAKE2b-256 of "bgref-bot-1|ID", where
 * ID is the alias that the bot gets. It reveals nothing about a dice key. */
BG_API uint64_t bg_dice_bot_seed(const char *game_id);

/* Convert a key to 64 lower-case hex digits and back. BG_E_FORMAT: any other text. */
BG_API void bg_dice_key_to_hex(char out[BG_KEY_HEX], const struct bg_dice_key *key);
BG_API enum bg_status bg_dice_key_from_hex(struct bg_dice_key *out, const char *text,
                                           struct bg_error *err);

/* Digest of a key (BLAKE2b-256 of "bgref-key-1|" and the key's hex), as hex. The digest is
 * published before the event. */
BG_API void bg_dice_key_digest(char out[BG_KEY_HEX], const struct bg_dice_key *key);

#ifdef __cplusplus
}
#endif
#endif
