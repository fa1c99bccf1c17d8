/* Dice are a function of names and numbers: event key, pair, game, stream, draw. So anybody who
 * gets the key can compute them again, both legs of a pair have the same, and a game that goes on
 * after a kill needs nothing to be saved. docs/protocol.md and record.md specify the bytes; nothing
 * here may change without a new number in the messages ("bgref-dice-1").
 *
 * Streams: each seat has its own, with its own count of draws, so that one bot's choice (a
 * double, a resignation) cannot shift the dice of the other seat. Why a keyed hash and not a
 * generator with a state: a generator would have to be at the right place after each
 * interruption, and a bot that saw some of its output could compute the rest. */
#include <bgref/dice.h>

#include <assert.h>
#include <string.h>

#include <sodium.h>

#include "dice_draw.h"

/* Room for "bgref-dice-1|" with three 64-bit numbers, "open" and a continuation number. */
enum { DECIMAL_MAX = 20, MESSAGE_MAX = KEYED_HASH_MESSAGE };

/* A message under construction. Written by hand: snprintf would cost more than the hash. */
struct message {
    size_t length;
    char text[MESSAGE_MAX];
};

static inline void put_string(struct message *message, const char *text)
{
    size_t length = strlen(text);

    assert(message->length + length <= MESSAGE_MAX);
    memcpy(message->text + message->length, text, length);
    message->length += length;
}

static void put_number(struct message *message, uint64_t number)
{
    char digits[DECIMAL_MAX];
    size_t count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    assert(message->length + count <= MESSAGE_MAX);
    while (count > 0) {
        message->text[message->length++] = digits[--count];
    }
}

static void put_bar_number(struct message *message, uint64_t number)
{
    put_string(message, "|");
    put_number(message, number);
}

/* key NULL: the plain hash. Cannot fail: every length is a constant within libsodium's limits. */
static void hash(uint8_t out[BG_KEY_BYTES], const struct message *message,
                 const struct bg_dice_key *key)
{
    crypto_generichash(out, BG_KEY_BYTES, (const unsigned char *)message->text, message->length,
                       key == NULL ? NULL : key->bytes, key == NULL ? 0 : BG_KEY_BYTES);
}

static void absorb(crypto_generichash_state *state, const char *text)
{
    crypto_generichash_update(state, (const unsigned char *)text, strlen(text));
}

void bg_dice_pair_key(struct bg_dice_key *out, const struct bg_dice_key *event,
                      const struct bg_dice_pair *pair)
{
    crypto_generichash_state state;
    struct message numbers = {0};

    /* Committed dice have both bots' parts; with one of them alone the other bot could choose
     * dice by its own. */
    assert((pair->nonce_a == NULL) == (pair->nonce_b == NULL));
    put_bar_number(&numbers, pair->pair);
    put_bar_number(&numbers, pair->attempt);

    /* Hashed in parts, because this module has no limit for the length of names and nonces. */
    crypto_generichash_init(&state, event->bytes, BG_KEY_BYTES, BG_KEY_BYTES);
    absorb(&state, "bgref-pair-1|");
    absorb(&state, pair->a);
    absorb(&state, "|");
    absorb(&state, pair->b);
    crypto_generichash_update(&state, (const unsigned char *)numbers.text, numbers.length);
    if (pair->nonce_a != NULL && pair->nonce_b != NULL) {
        absorb(&state, "|");
        absorb(&state, pair->nonce_a);
        absorb(&state, "|");
        absorb(&state, pair->nonce_b);
    }
    crypto_generichash_final(&state, out->bytes, BG_KEY_BYTES);
    sodium_memzero(&state, sizeof state);
}

/* The message of a draw, up to the draw's number. */
static void put_stem(struct message *message, uint64_t game, enum bg_dice_stream stream)
{
    static const char *const stream_names[] = {"|0|", "|1|", "|open|"};

    assert(stream >= BG_STREAM_0 && stream <= BG_STREAM_OPEN);
    message->length = 0;
    put_string(message, "bgref-dice-1|");
    put_number(message, game);
    put_string(message, stream_names[stream]);
}

/* Adds dice from one digest until there are count of them. Returns the number of dice. */
static size_t append_dice(uint8_t *dice, size_t drawn, size_t count, const uint8_t *digest)
{
    for (size_t i = 0; i < KEYED_HASH_BYTES && drawn < count; i++) {
        /* 252 = 42 * 6: larger bytes would favour the low numbers. */
        if (digest[i] < 252) {
            dice[drawn++] = (uint8_t)(digest[i] % 6 + 1);
        }
    }
    return drawn;
}

void dice_draw(uint8_t *dice, size_t count, const struct keyed_hash *pair, uint64_t game,
               enum bg_dice_stream stream, uint64_t n)
{
    uint8_t digest[KEYED_HASH_BYTES];
    struct message message;
    size_t stem;
    size_t drawn = 0;

    put_stem(&message, game, stream);
    put_number(&message, n);
    stem = message.length;
    /* A digest with too many large bytes is possible, if rare: the draw goes on with a
     * continuation number, which is part of the specification. */
    for (uint64_t more = 1; drawn < count; more++) {
        keyed_hash(digest, pair, message.text, message.length);
        drawn = append_dice(dice, drawn, count, digest);
        message.length = stem;
        put_bar_number(&message, more);
    }
}

void dice_ahead_begin(struct dice_ahead *out, const struct bg_dice_key *pair_key)
{
    memset(out, 0, sizeof *out);
    keyed_hash_begin(&out->pair, pair_key->bytes);
}

/* Computes draw n and the next draws of a stream, if the processor supports it. */
static void fill_ahead(struct dice_ahead *dice, uint64_t game, enum bg_dice_stream number,
                       uint64_t n)
{
    struct dice_stream *stream = &dice->stream[number];
    struct message stem = {0}, messages[KEYED_HASH_LANES];
    const void *texts[KEYED_HASH_LANES];
    size_t sizes[KEYED_HASH_LANES];
    uint8_t digests[KEYED_HASH_LANES][KEYED_HASH_BYTES];

    stream->count = 0;
    put_stem(&stem, game, number);
    for (int i = 0; i < KEYED_HASH_LANES; i++) {
        messages[i] = stem;
        put_number(&messages[i], n + (uint64_t)i);
        texts[i] = messages[i].text;
        sizes[i] = messages[i].length;
    }
    /* Without the instructions for it each draw is computed alone; the dice are the same. */
    if (!keyed_hash_lanes(digests, &dice->pair, texts, sizes)) {
        return;
    }
    stream->game = game;
    stream->from = n;
    /* A draw whose digest does not have enough dice ends the part that is computed ahead. */
    while (stream->count < KEYED_HASH_LANES &&
           append_dice(stream->dice[stream->count], 0, DICE_OF_A_ROLL, digests[stream->count]) ==
               DICE_OF_A_ROLL) {
        stream->count++;
    }
}

static bool is_ahead(const struct dice_stream *stream, uint64_t game, uint64_t n)
{
    /* Unsigned: a draw from before `from` is far beyond count. */
    return game == stream->game && n - stream->from < (uint64_t)stream->count;
}

void dice_ahead_draw(uint8_t *out, size_t count, struct dice_ahead *dice, uint64_t game,
                     enum bg_dice_stream stream, uint64_t n)
{
    assert(count <= DICE_OF_A_ROLL);
    if (stream != BG_STREAM_OPEN && !is_ahead(&dice->stream[stream], game, n)) {
        fill_ahead(dice, game, stream, n);
    }
    if (stream != BG_STREAM_OPEN && is_ahead(&dice->stream[stream], game, n)) {
        memcpy(out, dice->stream[stream].dice[n - dice->stream[stream].from], count);
    } else {
        dice_draw(out, count, &dice->pair, game, stream, n);
    }
}

void bg_dice_draw(uint8_t *dice, size_t count, const struct bg_dice_key *pair_key, uint64_t game,
                  enum bg_dice_stream stream, uint64_t n)
{
    struct keyed_hash pair;

    keyed_hash_begin(&pair, pair_key->bytes);
    dice_draw(dice, count, &pair, game, stream, n);
    sodium_memzero(&pair, sizeof pair);
}

void bg_dice_key_from_seed(struct bg_dice_key *out, uint64_t seed)
{
    struct message message = {0};

    put_string(&message, "bgref-seed-1");
    put_bar_number(&message, seed);
    hash(out->bytes, &message, NULL);
}

void bg_dice_id_key(struct bg_dice_key *out, const struct bg_dice_key *event)
{
    struct message message = {0};

    put_string(&message, "bgref-game-id-1");
    hash(out->bytes, &message, event);
}

void bg_dice_alias(char out[BG_ALIAS], const struct bg_dice_key *id_key, const char *name)
{
    uint8_t digest[(BG_ALIAS - 1) / 2];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)name, strlen(name),
                       id_key->bytes, BG_KEY_BYTES);
    sodium_bin2hex(out, BG_ALIAS, digest, sizeof digest);
}

uint64_t bg_dice_bot_seed(const char *game_id)
{
    crypto_generichash_state state;
    uint8_t digest[BG_KEY_BYTES];
    uint64_t seed = 0;

    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    absorb(&state, "bgref-bot-1|");
    absorb(&state, game_id);
    crypto_generichash_final(&state, digest, sizeof digest);
    for (int i = 7; i >= 0; i--) {
        seed = seed << 8 | digest[i];
    }
    return seed;
}

void bg_dice_key_to_hex(char out[BG_KEY_HEX], const struct bg_dice_key *key)
{
    sodium_bin2hex(out, BG_KEY_HEX, key->bytes, BG_KEY_BYTES);
}

/* Returns the value of a lower-case hex digit, or -1. Capital letters are refused: a key has one
 * text, by which digests are compared. */
static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

enum bg_status bg_dice_key_from_hex(struct bg_dice_key *out, const char *text, struct bg_error *err)
{
    struct bg_dice_key key;
    size_t length = strlen(text);

    /* Messages do not quote the text, because it may be a key with one mistyped letter. */
    if (length != BG_KEY_HEX - 1) {
        return bg_error_set(err, BG_E_FORMAT, "key of %zu characters: expected 64 hex digits",
                            length);
    }
    for (size_t i = 0; i < BG_KEY_BYTES; i++) {
        int high = hex_value(text[2 * i]);
        int low = hex_value(text[2 * i + 1]);

        if (high < 0 || low < 0) {
            return bg_error_set(err, BG_E_FORMAT,
                                "key, character %zu: expected a digit 0-9 or a-f (lower case)",
                                high < 0 ? 2 * i + 1 : 2 * i + 2);
        }
        key.bytes[i] = (uint8_t)(high << 4 | low);
    }
    *out = key;
    return BG_OK;
}

void bg_dice_key_digest(char out[BG_KEY_HEX], const struct bg_dice_key *key)
{
    struct message message = {0};
    struct bg_dice_key digest;
    char hex[BG_KEY_HEX];

    bg_dice_key_to_hex(hex, key);
    put_string(&message, "bgref-key-1|");
    put_string(&message, hex);
    hash(digest.bytes, &message, NULL);
    bg_dice_key_to_hex(out, &digest);
}
