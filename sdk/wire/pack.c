/* Messages are built on the stack and in scratch, with texts and bytes lent from the caller's
 * values (pack_text_lent): protobuf-c reads a tree of pointers, and copying everything first
 * would double the work. The generated structs have no const; what is lent is only read. */
#include "pack.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { CHOICES_MAX = WIRE_TEXT / 2 };

/* Values that are cast between this library's enums and the schema's. */
static_assert((int)BG_OPENING_WINNER == (int)BGREF__V1__OPENING__OPENING_WINNER, "");
static_assert((int)BG_NEXT_ALTERNATE == (int)BGREF__V1__NEXT__NEXT_ALTERNATE, "");
static_assert((int)WIRE_CHOICE == (int)BGREF__V1__OPTION_TYPE__OPTION_CHOICE, "");
/* Moves go out as the bytes they are: from, to, from, to, ... */
static_assert(sizeof(struct bg_move) == 2 && offsetof(struct bg_move, from) == 0, "");

void wire_buffer_deinit(struct wire_buffer *buffer)
{
    free(buffer->memory);
    free(buffer->scratch);
    free(buffer->settings);
    *buffer = (struct wire_buffer){0};
}

/* ---------------------------------------------------------------- space */

void *pack_scratch(struct wire_buffer *buffer, size_t size, struct bg_error *err)
{
    if (size > buffer->scratch_room) {
        size_t room = size + size / 2;

        free(buffer->scratch);
        buffer->scratch = malloc(room);
        buffer->scratch_room = buffer->scratch == NULL ? 0 : room;
        if (buffer->scratch == NULL) {
            bg_error_set(err, BG_E_MEMORY, "message scratch of %zu bytes", room);
        }
    }
    return buffer->scratch;
}

enum bg_status pack_room(struct wire_buffer *buffer, size_t size, struct bg_error *err)
{
    if (size > buffer->room) {
        size_t room = size + size / 2;
        uint8_t *memory = realloc(buffer->memory, room);

        if (memory == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "message of %zu bytes", size);
        }
        buffer->memory = memory;
        buffer->room = room;
    }
    return BG_OK;
}

enum bg_status pack_envelope(struct wire_buffer *buffer, const ProtobufCMessage *envelope,
                             struct bg_error *err)
{
    enum bg_status status =
        /* One more than needed: an empty message has an address, too. */
        pack_room(buffer, protobuf_c_message_get_packed_size(envelope) + 1, err);

    if (status == BG_OK) {
        buffer->data = buffer->memory;
        buffer->size = protobuf_c_message_pack(envelope, buffer->data);
    }
    return status;
}

uint8_t *pack_bytes_lent(const void *bytes)
{
    return (uint8_t *)(uintptr_t)bytes;
}

char *pack_text_lent(const char *text)
{
    return (char *)(uintptr_t)text;
}

/* ---------------------------------------------------------------- positions, rules */

/* Returns the number of bytes up to the last one that is not zero. */
static size_t size_to_last(const uint8_t *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == 0) {
        size--;
    }
    return size;
}

static bool eight_are_zero(const uint8_t *bytes)
{
    uint64_t eight;

    memcpy(&eight, bytes, sizeof eight);
    return eight == 0;
}

size_t pack_side_size(const uint8_t at[BG_SLOTS])
{
    /* Most games use only the slots up to the bar. Zeros at the end are left out (the reader
     * fills them in), and most positions end at the bar: two looks in place of a loop. */
    const bool is_short = eight_are_zero(at + (BG_SLOTS - 8)) && eight_are_zero(at + BG_BAR + 1);

    static_assert(BG_BAR + 1 + 8 >= BG_SLOTS - 8, "the two cover what lies behind the bar");
    return size_to_last(at, is_short ? BG_BAR + 1 : BG_SLOTS);
}

size_t pack_history(uint8_t out[PACK_HISTORY], const struct bg_board *board, int seat)
{
    out[0] = board->turns[seat];
    out[1] = board->may_hit[seat];
    memcpy(out + 2, board->stacked[seat] + 1, PACK_HISTORY - 2);
    /* Only games that need a history (stacked points, first turns) have one. */
    return eight_are_zero(out) ? 0 : size_to_last(out, PACK_HISTORY);
}

static ProtobufCBinaryData side_of(const uint8_t at[BG_SLOTS])
{
    return (ProtobufCBinaryData){pack_side_size(at), pack_bytes_lent(at)};
}

static ProtobufCBinaryData history_of(uint8_t space[PACK_HISTORY], const struct bg_board *board,
                                      int seat)
{
    return (ProtobufCBinaryData){pack_history(space, board, seat), space};
}

Bgref__V1__Position *pack_position(struct pack_position *space, const struct bg_board *board)
{
    Bgref__V1__Position *out = &space->message;

    bgref__v1__position__init(out);
    out->own = side_of(board->at[0]);
    out->opponent = side_of(board->at[1]);
    out->own_pinned = board->pinned[0];
    out->opponent_pinned = board->pinned[1];
    out->own_history = history_of(space->history[0], board, 0);
    out->opponent_history = history_of(space->history[1], board, 1);
    return out;
}

ProtobufCBinaryData pack_moves(const struct bg_play *play)
{
    assert(play->moves <= BG_MOVES_MAX);
    return (ProtobufCBinaryData){2 * (size_t)play->moves, pack_bytes_lent(play->move)};
}

Bgref__V1__Rules *pack_rules(Bgref__V1__Rules *out, const struct bg_rules *rules)
{
    bgref__v1__rules__init(out);
    out->variant = pack_text_lent(bg_variant_id(rules->variant));
    out->length = (uint32_t)rules->length_points;
    out->opening = (Bgref__V1__Opening)rules->opening;
    out->cube = rules->cube;
    out->jacoby = rules->jacoby && rules->cube; /* it needs a cube: no bot has to know */
    out->beavers = rules->beavers;
    out->raises = rules->raises;
    out->auto_doubles = (uint32_t)rules->auto_doubles;
    out->crawford = rules->crawford;
    out->holland = rules->holland;
    out->forfeit_single = rules->forfeit_single;
    out->fault_match = rules->fault_match;
    out->flag_match = rules->flag_match;
    out->turn_cap = (uint32_t)rules->turn_cap;
    out->cube_limit = (uint32_t)rules->cube_limit;
    out->next = (Bgref__V1__Next)rules->next;
    if (rules->rotation != NULL) {
        out->rotation = pack_text_lent(bg_rotation_id(rules->rotation));
    }
    return out;
}

/* ---------------------------------------------------------------- greeting */

struct option_space {
    Bgref__V1__Option message;
    char *choice[CHOICES_MAX + 1];
    char text[WIRE_TEXT];
};

/* Splits text in place at separator; entries point into it. */
static size_t list_split(char **entries, size_t room, char *text, char separator)
{
    size_t count = 0;

    while (*text != '\0' && count < room) {
        char *end = strchr(text, separator);

        entries[count++] = text;
        if (end == NULL) {
            break;
        }
        *end = '\0';
        text = end + 1;
    }
    return count;
}

static Bgref__V1__Option *option_fill(struct option_space *space, const struct wire_option *option)
{
    Bgref__V1__Option *out = &space->message;

    bgref__v1__option__init(out);
    out->name = pack_text_lent(option->name);
    out->type = (Bgref__V1__OptionType)option->type;
    out->value = pack_text_lent(option->value);
    out->min = pack_text_lent(option->min);
    out->max = pack_text_lent(option->max);
    out->help = pack_text_lent(option->help);
    memcpy(space->text, option->choices, sizeof space->text);
    out->choices = space->choice;
    out->n_choices = list_split(space->choice, CHOICES_MAX, space->text, '|');
    return out;
}

/* Builds the messages of the options in buffer's scratch; list has room for WIRE_OPTIONS_MAX. */
static enum bg_status options_fill(Bgref__V1__Option **list, struct wire_buffer *buffer,
                                   const struct wire_option *options, size_t count,
                                   struct bg_error *err)
{
    struct option_space *spaces = pack_scratch(buffer, count * sizeof *spaces + 1, err);

    if (spaces == NULL) {
        return BG_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        list[i] = option_fill(&spaces[i], &options[i]);
    }
    return BG_OK;
}

enum bg_status wire_pack_hello(struct wire_buffer *buffer, const struct wire_hello *hello,
                               struct bg_error *err)
{
    Bgref__V1__ToReferee envelope = BGREF__V1__TO_REFEREE__INIT;
    Bgref__V1__Hello message = BGREF__V1__HELLO__INIT;
    Bgref__V1__Option *options[WIRE_OPTIONS_MAX];
    char variants[sizeof hello->variants];
    char *variant_list[sizeof hello->variants / 2];
    enum bg_status status = options_fill(options, buffer, hello->options, hello->option_count, err);

    if (status != BG_OK) {
        return status;
    }
    memcpy(variants, hello->variants, sizeof variants);
    message.variants = variant_list;
    message.n_variants =
        list_split(variant_list, sizeof variant_list / sizeof variant_list[0], variants, ' ');
    message.protocols = (uint32_t *)(uintptr_t)hello->protocols;
    message.n_protocols = hello->protocol_count;
    message.token = pack_text_lent(hello->token);
    message.pid = hello->pid;
    message.name = pack_text_lent(hello->name);
    message.version = pack_text_lent(hello->version);
    message.author = pack_text_lent(hello->author);
    message.options = options;
    message.n_options = hello->option_count;
    message.max_in_flight = hello->max_in_flight;
    message.stateful = hello->stateful;
    message.want_plays = hello->want_plays;
    message.want_tells = hello->want_tells;
    message.evaluates = hello->evaluates;
    message.enters_dice = hello->enters_dice;
    message.want_pairings = hello->want_pairings;
    envelope.content_case = BGREF__V1__TO_REFEREE__CONTENT_HELLO;
    envelope.hello = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_welcome(struct wire_buffer *buffer, const struct wire_welcome *welcome,
                                 struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__Welcome message = BGREF__V1__WELCOME__INIT;
    Bgref__V1__Limits limits = BGREF__V1__LIMITS__INIT;
    Bgref__V1__Option *options[WIRE_OPTIONS_MAX];
    enum bg_status status =
        options_fill(options, buffer, welcome->options, welcome->option_count, err);

    if (status != BG_OK) {
        return status;
    }
    limits.message_bytes = welcome->limits.message_bytes;
    limits.messages_per_second = welcome->limits.messages_per_second;
    limits.bytes_per_second = welcome->limits.bytes_per_second;
    limits.start_ns = welcome->limits.start_ns;
    limits.new_game_ns = welcome->limits.new_game_ns;
    limits.decision_ns = welcome->limits.decision_ns;
    limits.in_flight = welcome->limits.in_flight;
    limits.tables = welcome->limits.tables;
    limits.games_a_day = welcome->limits.games_a_day;
    limits.hello_bytes = welcome->limits.hello_bytes;
    limits.starts_an_hour = welcome->limits.starts_an_hour;
    message.protocol = welcome->protocol;
    message.options = options;
    message.n_options = welcome->option_count;
    message.limits = &limits;
    message.bot = pack_text_lent(welcome->bot);
    message.event = pack_text_lent(welcome->event);
    message.referee = pack_text_lent(welcome->referee);
    message.resuming = welcome->resuming;
    message.want_thoughts = welcome->want_thoughts;
    message.open_games = (char **)(uintptr_t)welcome->open_games;
    message.n_open_games = welcome->open_game_count;
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_WELCOME;
    envelope.welcome = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

/* ---------------------------------------------------------------- small messages */

/* Reasons may contain anything; on the wire they are short plain text. Characters that the other
 * side would refuse become '?'. */
char *pack_reason(char out[WIRE_TEXT], const char *text)
{
    size_t length = 0;

    for (; length < WIRE_TEXT - 1 && text[length] != '\0'; length++) {
        unsigned char byte = (unsigned char)text[length];

        out[length] = byte < 0x20 || byte > 0x7e ? '?' : text[length];
    }
    out[length] = '\0';
    return out;
}

enum bg_status wire_pack_refusal(struct wire_buffer *buffer, const char *what, const char *why,
                                 struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__Refusal message = BGREF__V1__REFUSAL__INIT;
    char what_text[WIRE_TEXT], why_text[WIRE_TEXT];

    message.what = pack_reason(what_text, what);
    message.why = pack_reason(why_text, why);
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_REFUSAL;
    envelope.refusal = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

static enum bg_status pack_parting(struct wire_buffer *buffer, const char *why,
                                   Bgref__V1__Parting parting, struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__Goodbye message = BGREF__V1__GOODBYE__INIT;
    char why_text[WIRE_TEXT];

    message.why = pack_reason(why_text, why);
    message.parting = parting;
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_GOODBYE;
    envelope.goodbye = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_goodbye(struct wire_buffer *buffer, const char *why, struct bg_error *err)
{
    return pack_parting(buffer, why, BGREF__V1__PARTING__PARTING_OVER, err);
}

enum bg_status wire_pack_replaced(struct wire_buffer *buffer, const char *why, struct bg_error *err)
{
    return pack_parting(buffer, why, BGREF__V1__PARTING__PARTING_REPLACED, err);
}

enum bg_status wire_pack_ready(struct wire_buffer *buffer, const char *game, struct bg_error *err)
{
    Bgref__V1__ToReferee envelope = BGREF__V1__TO_REFEREE__INIT;
    Bgref__V1__Ready message = BGREF__V1__READY__INIT;

    message.game = pack_text_lent(game);
    envelope.content_case = BGREF__V1__TO_REFEREE__CONTENT_READY;
    envelope.ready = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_not_understood_to_bot(struct wire_buffer *buffer, uint32_t field,
                                               struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__NotUnderstood message = BGREF__V1__NOT_UNDERSTOOD__INIT;

    message.field = field;
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_NOT_UNDERSTOOD;
    envelope.not_understood = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_not_understood_to_referee(struct wire_buffer *buffer, uint32_t field,
                                                   struct bg_error *err)
{
    Bgref__V1__ToReferee envelope = BGREF__V1__TO_REFEREE__INIT;
    Bgref__V1__NotUnderstood message = BGREF__V1__NOT_UNDERSTOOD__INIT;

    message.field = field;
    envelope.content_case = BGREF__V1__TO_REFEREE__CONTENT_NOT_UNDERSTOOD;
    envelope.not_understood = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_ping(struct wire_buffer *buffer, uint64_t nonce, struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__Ping message = BGREF__V1__PING__INIT;

    message.nonce = nonce;
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_PING;
    envelope.ping = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

enum bg_status wire_pack_pong(struct wire_buffer *buffer, uint64_t nonce, struct bg_error *err)
{
    Bgref__V1__ToReferee envelope = BGREF__V1__TO_REFEREE__INIT;
    Bgref__V1__Pong message = BGREF__V1__PONG__INIT;

    message.nonce = nonce;
    envelope.content_case = BGREF__V1__TO_REFEREE__CONTENT_PONG;
    envelope.pong = &message;
    return pack_envelope(buffer, &envelope.base, err);
}
