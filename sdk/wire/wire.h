/* wire.h - converts messages to values and back; only sdk/wire uses the generated code.
 *
 * Used by the client (bot side) and by the referee (other side). Packing writes into a growing
 * struct wire_buffer that is kept and reused; unpacking uses a fixed arena inside struct
 * wire_reader, so nothing is allocated on the decision path once buffers have grown.
 *
 * Unpacking checks everything: UTF-8, control characters and length of texts, ranges of numbers,
 * known games and rule options. A failure is BG_E_FORMAT with a text that names the field. One
 * exception, so that the fault is charged to the right game: if an Answer has a readable decision
 * number but invalid content (empty, an unknown action, a name outside 1..6, more than four moves,
 * counts above 15, ...), its kind is BG_ANSWER_NONE. The slots of an answered play are not checked
 * here; the rules do that.
 */
#ifndef SDK_WIRE_WIRE_H
#define SDK_WIRE_WIRE_H

#include <bgref/ask.h>
#include <bgref/error.h>
#include <bgref/evaluate.h>
#include <bgref/tell.h>
#include <bgref/thought.h>

/* Starts as {0}. */
struct wire_buffer {
    uint8_t *data; /* the message; points into memory */
    size_t size;
    uint8_t *memory; /* owned */
    size_t room;
    void *scratch; /* owned: messages are built here before they are packed */
    size_t scratch_room;
    struct pack_settings *settings; /* owned: the last packed settings of asks, for reuse */
};

void wire_buffer_deinit(struct wire_buffer *buffer);

enum { WIRE_NAME = 65, WIRE_TEXT = 256, WIRE_OPTIONS_MAX = 64, WIRE_BATCH_MAX = 1024 };
enum { WIRE_EVALUATE_MAX = 64 /* items of a request: its answer stays below 64 KiB */ };
enum { WIRE_VARIANT = 128, /* a game with its options */ };
enum { WIRE_SECRET = 32 /* bytes of a nonce, and of a digest */ };
enum { WIRE_FIELD_COMMITMENT = 6, WIRE_FIELD_REVEAL = 7 /* numbers in ToBot */ };

enum wire_option_type { WIRE_STRING, WIRE_INTEGER, WIRE_REAL, WIRE_FLAG, WIRE_CHOICE };

struct wire_option {
    char name[WIRE_NAME];
    enum wire_option_type type;
    char value[WIRE_TEXT]; /* Hello: the default; Welcome: the value to use */
    char min[32], max[32];
    char choices[WIRE_TEXT]; /* separated by '|' */
    char help[WIRE_TEXT];
};

struct wire_hello {
    uint32_t protocols[8];
    size_t protocol_count;
    char token[WIRE_NAME];
    uint32_t pid;
    char name[WIRE_NAME], version[WIRE_NAME], author[WIRE_TEXT];
    char variants[512]; /* separated by blanks; empty: backgammon */
    struct wire_option options[WIRE_OPTIONS_MAX];
    size_t option_count;
    uint32_t max_in_flight;
    bool stateful, want_plays, want_tells, evaluates, enters_dice, want_pairings;
};

struct wire_limits {
    uint32_t message_bytes, messages_per_second, bytes_per_second, in_flight;
    uint32_t tables, games_a_day, hello_bytes, starts_an_hour; /* 0: any number */
    uint64_t start_ns, new_game_ns, decision_ns;
};

struct wire_welcome {
    uint32_t protocol;
    struct wire_option options[WIRE_OPTIONS_MAX];
    size_t option_count;
    struct wire_limits limits;
    char bot[WIRE_NAME], event[WIRE_TEXT], referee[WIRE_NAME];
    bool resuming, want_thoughts;
    const char *const *open_games; /* lent: by the caller, or until the next unpack of the reader */
    size_t open_game_count;        /* at most WIRE_BATCH_MAX */
};

/* A part of a message as it came, lent from it. data NULL: it has no such part. */
struct wire_bytes {
    const uint8_t *data;
    size_t size;
};

/* The content of a message; each comment lists the members that are set. */
enum wire_content {
    WIRE_NOTHING, /* an envelope with unknown content: field is its number */
    WIRE_WELCOME,
    WIRE_REFUSAL, /* what, why */
    WIRE_ASKS,
    WIRE_TELLS,
    WIRE_EVALUATE, /* number, asks */
    WIRE_NEW_GAME,
    WIRE_GOODBYE, /* why, is_replaced */
    WIRE_HELLO,
    WIRE_READY, /* game */
    WIRE_ANSWERS,
    WIRE_EVALUATION, /* number, values */
    WIRE_COMMITMENT,
    WIRE_REVEAL,
    WIRE_PING,          /* nonce */
    WIRE_PONG,          /* nonce */
    WIRE_NOT_UNDERSTOOD /* field */
};

struct wire_message {
    enum wire_content content;
    uint32_t field; /* field number of the content; NOT_UNDERSTOOD: the field number in it */
    uint64_t nonce; /* PING, PONG */
    bool is_replaced;
    char what[WIRE_TEXT], why[WIRE_TEXT];
    char game[BG_GAME_ID];              /* READY, NEW_GAME; COMMITMENT, REVEAL: the subject */
    uint8_t secret[WIRE_SECRET];        /* COMMITMENT: the digest; REVEAL: the nonce */
    size_t secret_size;                 /* bytes in secret; REVEAL to a bot: 0 */
    const struct wire_hello *hello;     /* HELLO: lent until the next unpack of this reader */
    const struct wire_welcome *welcome; /* WELCOME: lent in the same way */
    uint64_t number;                    /* EVALUATE, EVALUATION */
    size_t count;                       /* ASKS, ANSWERS, TELLS, EVALUATE, EVALUATION */
    const struct bg_ask *asks;          /* ASKS, EVALUATE: lent in the same way */
    const struct bg_answer *answers;    /* ANSWERS: lent likewise; kind BG_ANSWER_NONE: what the bot
                                           sent is no answer, and the next field says why */
    const char *const *answer_trouble;  /* ANSWERS: by answer, NULL: valid. Lent likewise */
    const struct wire_bytes *answer_thought; /* ANSWERS: by answer, unread. Lent likewise */
    const struct bg_tell *tells;             /* TELLS, count of them: lent likewise */
    const struct bg_game_begin *begin;       /* NEW_GAME: lent likewise */
    const struct bg_value *values; /* EVALUATION: lent likewise; see wire_unpack_to_referee */
};

/* Dice as the digits of a number, high first (bg_answer.value): 63 is a 6 and a 3. Returns 0 if
 * they are not 1 to 4 dice of 1..6. wire_dice_of_digits returns how many there are, in die[0..3];
 * unused ones are 0. */
enum { WIRE_DICE = 4 };
uint32_t wire_digits_of_dice(const uint8_t *die, size_t count);
size_t wire_dice_of_digits(uint8_t die[WIRE_DICE], uint32_t digits);

/* Thoughts are read one by one, and only where they are kept. wire_thought_read returns NULL, or
 * why this one is dropped (static, lower case, a few words): bytes that are no Thought, or a value
 * that thought.h excludes. The text is cleaned and cut. wire_thought_is_empty: nothing is told.
 * wire_thought_write returns how many bytes it wrote; text, moves and candidates beyond their
 * limits are left out, all other values are written as they are. */
enum { WIRE_THOUGHT = 512 /* bytes of the largest that is written */ };
const char *wire_thought_read(struct bg_thought *out, const struct wire_bytes *in);
bool wire_thought_is_empty(const struct bg_thought *thought);
size_t wire_thought_write(uint8_t out[WIRE_THOUGHT], const struct bg_thought *thought);

struct wire_reader; /* arena and the last message's values */

/* arena_bytes: limit for one unpacked message and its values; a decision needs about 3 KiB, a
 * listed result about 500 bytes, an answer about 400. A message that needs more is BG_E_FORMAT.
 * Unused memory is not touched. */
enum bg_status wire_reader_create(struct wire_reader **out, size_t arena_bytes,
                                  struct bg_error *err);
void wire_reader_destroy(struct wire_reader *reader);

/* Bot side: unpacks a ToBot. Referee side: unpacks a ToReferee. BG_E_FORMAT: garbled.
 * data is lent for the call. The values of an EVALUATION are finite numbers, with 21 or 56 rolls in
 * order and moves on existing slots; bg_value_check checks whether they answer the question. */
enum bg_status wire_unpack_to_bot(struct wire_message *out, struct wire_reader *reader,
                                  const void *data, size_t size, struct bg_error *err);
enum bg_status wire_unpack_to_referee(struct wire_message *out, struct wire_reader *reader,
                                      const void *data, size_t size, struct bg_error *err);

/* What an Ask is about. For a program between referee and bot, which passes it on as it is. */
struct wire_ask_head {
    uint64_t decision;
    const char *game; /* lent from the message, without a terminator, unchecked */
    size_t game_size; /* below BG_GAME_ID */
};

/* Read a ToBot with Asks, a ToReferee with Answers, and nothing of them but this. Return false if
 * it is another message, or cannot be read. Every message that is unpacked as Asks or Answers is
 * also read here; of the others some are, since most fields are not checked. */
bool wire_read_ask_heads(struct wire_ask_head out[WIRE_BATCH_MAX], size_t *count, const void *data,
                         size_t size);
bool wire_read_answer_numbers(uint64_t out[WIRE_BATCH_MAX], size_t *count, const void *data,
                              size_t size);

/* Each packs one complete frame into buffer and replaces its contents. BG_E_MEMORY only.
 * wire_pack_asks takes pointers, so that a caller can collect the asks for one bot. */
enum bg_status wire_pack_hello(struct wire_buffer *buffer, const struct wire_hello *hello,
                               struct bg_error *err);
enum bg_status wire_pack_welcome(struct wire_buffer *buffer, const struct wire_welcome *welcome,
                                 struct bg_error *err);
enum bg_status wire_pack_refusal(struct wire_buffer *buffer, const char *what, const char *why,
                                 struct bg_error *err);
enum bg_status wire_pack_ready(struct wire_buffer *buffer, const char *game, struct bg_error *err);
enum bg_status wire_pack_asks(struct wire_buffer *buffer, const struct bg_ask *const *asks,
                              size_t count, struct bg_error *err);
enum bg_status wire_pack_answers(struct wire_buffer *buffer, const struct bg_answer *answers,
                                 size_t count, struct bg_error *err);
/* The same with a thought beside each answer. */
enum bg_status wire_pack_thoughts(struct wire_buffer *buffer, const struct bg_answer *answers,
                                  const struct wire_bytes *thoughts, size_t count,
                                  struct bg_error *err);
/* At most WIRE_EVALUATE_MAX asks of the kinds BG_VALUE_...; values in the order of the asks.
 * with_legal: lists the legal results of every roll, for bots without rules; unpacking ignores
 * them. */
enum bg_status wire_pack_evaluate(struct wire_buffer *buffer, uint64_t number,
                                  const struct bg_ask *const *asks, size_t count, bool with_legal,
                                  struct bg_error *err);
enum bg_status wire_pack_evaluation(struct wire_buffer *buffer, uint64_t number,
                                    const struct bg_value *values, size_t count,
                                    struct bg_error *err);
enum bg_status wire_pack_goodbye(struct wire_buffer *buffer, const char *why, struct bg_error *err);
/* The same to a connection whose place another one has taken. */
enum bg_status wire_pack_replaced(struct wire_buffer *buffer, const char *why,
                                  struct bg_error *err);
enum bg_status wire_pack_not_understood_to_bot(struct wire_buffer *buffer, uint32_t field,
                                               struct bg_error *err);
enum bg_status wire_pack_not_understood_to_referee(struct wire_buffer *buffer, uint32_t field,
                                                   struct bg_error *err);
/* Committed dice, in both directions. A reveal sent to a bot asks for the bot's nonce. */
enum bg_status wire_pack_commitment_to_bot(struct wire_buffer *buffer,
                                           const uint8_t digest[WIRE_SECRET], const char *subject,
                                           struct bg_error *err);
enum bg_status wire_pack_commitment_to_referee(struct wire_buffer *buffer,
                                               const uint8_t digest[WIRE_SECRET],
                                               const char *subject, struct bg_error *err);
enum bg_status wire_pack_reveal_to_bot(struct wire_buffer *buffer, const char *subject,
                                       struct bg_error *err);
enum bg_status wire_pack_reveal_to_referee(struct wire_buffer *buffer,
                                           const uint8_t nonce[WIRE_SECRET], const char *subject,
                                           struct bg_error *err);
/* Tells are packed one by one into a list, which grows and is kept. Starts as {0}. wire_tells_move
 * appends `from` to `to` and empties `from`; wire_pack_tells makes a message of the list. */
struct wire_tells {
    uint8_t *data; /* owned */
    size_t size, room;
};
enum bg_status wire_tells_add(struct wire_tells *tells, const struct bg_tell *tell,
                              struct bg_error *err);
enum bg_status wire_tells_move(struct wire_tells *to, struct wire_tells *from,
                               struct bg_error *err);
void wire_tells_deinit(struct wire_tells *tells);
enum bg_status wire_pack_tells(struct wire_buffer *buffer, const struct wire_tells *tells,
                               struct bg_error *err);
enum bg_status wire_pack_new_game(struct wire_buffer *buffer, const struct bg_game_begin *begin,
                                  struct bg_error *err);
enum bg_status wire_pack_ping(struct wire_buffer *buffer, uint64_t nonce, struct bg_error *err);
enum bg_status wire_pack_pong(struct wire_buffer *buffer, uint64_t nonce, struct bg_error *err);

#endif
