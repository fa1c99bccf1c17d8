/* unpack.h - shared by the sources that unpack messages. Private to sdk/wire.
 *
 * unpack.c has the arena and the envelopes, unpack_values.c text, lists and numbers,
 * unpack_position.c positions and plays, unpack_rules.c rules and settings, unpack_ask.c asks,
 * unpack_answer.c answers, heads.c only what
 * those two are about, unpack_evaluate.c positions to value and their values,
 * unpack_greeting.c Hello and Welcome. Asks and answers are read in place (fields.h), other
 * messages by the generated code. Every function checks its input and returns BG_E_FORMAT with a
 * text that names the first invalid field.
 */
#ifndef SDK_WIRE_UNPACK_H
#define SDK_WIRE_UNPACK_H

#include <bgref.pb-c.h>

#include "fields.h"
#include "wire.h"

/* Settings that asks have in common, checked. */
struct unpack_settings {
    struct bg_rules rules;
    int64_t ceiling_ns, increment_ns[2], delay_ns[2];
    char opponent[BG_OPPONENT];
    size_t opponent_size; /* with the terminator */
};

/* The last settings and their bytes; the next message nearly always has the same. */
struct unpack_kept {
    uint8_t bytes[512];
    size_t size; /* 0: none */
    struct unpack_settings settings;
};

struct wire_reader {
    uint8_t *arena;
    size_t used, room;
    bool exhausted;
    ProtobufCAllocator allocator;
    const struct bg_variant *variant; /* of the last Ask; the next one nearly always has the same */
    struct unpack_kept kept;
    union {
        struct wire_hello hello;
        struct wire_welcome welcome;
    } greeting;
};

struct unpack_range {
    const char *what;
    uint64_t value, max;
};

/* Looks in an envelope, asks or answers for the field `number`, whose content is read by hand.
 * Returns 1 if it is the content, 0 if the content is of another kind, -1 if the bytes are not an
 * envelope or have this field beside other known contents. Fields up to last are known contents. */
int unpack_content(struct wire_field *out, uint32_t number, uint32_t last, const uint8_t *data,
                   size_t size);

/* Allocates from the arena, valid until the next unpack. NULL: the arena is full. user is the
 * reader. */
void *unpack_take(void *user, size_t size);

/* Reports that the arena is full: the message is too large for this reader. */
enum bg_status unpack_exhausted(const struct wire_reader *reader, struct bg_error *err);

/* Reports that the bytes are not the expected message. */
enum bg_status unpack_garbled(const struct wire_reader *reader, const char *message, size_t size,
                              struct bg_error *err);

/* Copy text of at most size - 1 bytes after checking its UTF-8; a list becomes one text with
 * separators. unpack_text_lent reads text without a terminator; a zero byte in it counts as a
 * control character. */
enum bg_status unpack_text(char *out, size_t size, const char *text, const char *what,
                           struct bg_error *err);
enum bg_status unpack_text_lent(char *out, size_t size, const uint8_t *text, size_t length,
                                const char *what, struct bg_error *err);
enum bg_status unpack_list(char *out, size_t size, char *const *list, size_t count, char separator,
                           const char *what, struct bg_error *err);
enum bg_status unpack_ranges(const struct unpack_range *ranges, size_t count, struct bg_error *err);

/* Read positions and plays. Return false if they are impossible: counts above 15, history out of
 * range, half a move or more than four. Only unpack_slots_exist checks the slots of moves. */
bool unpack_position(struct bg_board *out, const Bgref__V1__Position *in);
bool unpack_moves(struct bg_play *out, const uint8_t *data, size_t size);
/* Reads a position in place; lends from data. */
bool unpack_position_fields(Bgref__V1__Position *out, const uint8_t *data, size_t size);
bool unpack_slots_exist(const struct bg_play *play);
enum bg_status unpack_rules(struct bg_rules *out, struct wire_reader *reader,
                            const Bgref__V1__Rules *in, struct bg_error *err);

enum bg_status unpack_settings(struct unpack_settings *out, struct wire_reader *reader,
                               const uint8_t *data, size_t size, struct bg_error *err);

/* Read Asks and Answers from data[0..size-1]. */
enum bg_status unpack_asks(struct wire_message *out, struct wire_reader *reader,
                           const uint8_t *data, size_t size, struct bg_error *err);
enum bg_status unpack_answers(struct wire_message *out, struct wire_reader *reader,
                              const uint8_t *data, size_t size, struct bg_error *err);

enum bg_status unpack_evaluate(struct wire_message *out, struct wire_reader *reader,
                               const Bgref__V1__EvaluateRequest *in, struct bg_error *err);
enum bg_status unpack_evaluation(struct wire_message *out, struct wire_reader *reader,
                                 const Bgref__V1__Evaluation *in, struct bg_error *err);
enum bg_status unpack_tells(struct wire_message *out, struct wire_reader *reader,
                            const Bgref__V1__Tells *in, struct bg_error *err);
enum bg_status unpack_new_game(struct wire_message *out, struct wire_reader *reader,
                               const Bgref__V1__NewGame *in, struct bg_error *err);
enum bg_status unpack_hello(struct wire_message *out, struct wire_reader *reader,
                            const Bgref__V1__Hello *in, struct bg_error *err);
enum bg_status unpack_commitment(struct wire_message *out, const Bgref__V1__Commitment *in,
                                 struct bg_error *err);
enum bg_status unpack_reveal(struct wire_message *out, const Bgref__V1__Reveal *in,
                             struct bg_error *err);
enum bg_status unpack_welcome(struct wire_message *out, struct wire_reader *reader,
                              const Bgref__V1__Welcome *in, struct bg_error *err);

#endif
