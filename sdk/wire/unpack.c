#include "wire.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <bgref.pb-c.h>

enum { ALIGN = 16, RESULTS_MAX = 4096, HISTORY = 8 };

struct wire_reader {
    uint8_t *arena;
    size_t used, room;
    bool exhausted;
    ProtobufCAllocator allocator;
    const struct bg_variant *variant; /* of the last Ask: nearly always that of the next one too */
    union {
        struct wire_hello hello;
        struct wire_welcome welcome;
    } greeting;
};

static void *arena_take(void *user, size_t size)
{
    struct wire_reader *reader = user;
    size_t start = (reader->used + ALIGN - 1) & ~(size_t)(ALIGN - 1);

    if (start > reader->room || size > reader->room - start) {
        reader->exhausted = true;
        return NULL;
    }
    reader->used = start + size;
    return reader->arena + start;
}

/* The arena is emptied as a whole by the next unpack. */
static void arena_give_back(void *user, void *pointer)
{
    (void)user;
    (void)pointer;
}

enum bg_status wire_reader_create(struct wire_reader **out, size_t arena_bytes,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct wire_reader *reader = calloc(1, sizeof *reader);

    if (reader == NULL || (reader->arena = malloc(arena_bytes)) == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "message arena of %zu bytes", arena_bytes);
        goto done;
    }
    reader->room = arena_bytes;
    reader->allocator = (ProtobufCAllocator){
        .alloc = arena_take, .free = arena_give_back, .allocator_data = reader};
    *out = reader;
    reader = NULL; /* now the caller's */
done:
    wire_reader_destroy(reader);
    return status;
}

void wire_reader_destroy(struct wire_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    free(reader->arena);
    free(reader);
}

static enum bg_status exhausted_set(const struct wire_reader *reader, struct bg_error *err)
{
    return bg_error_set(err, BG_E_FORMAT, "message: needs more than the %zu bytes set aside",
                        reader->room);
}

/* ---------------------------------------------------------------- text */

/* Length of the well-formed UTF-8 character at text (Unicode table 3-7), 0 when there is none. */
static size_t character_length(const uint8_t *text)
{
    uint8_t low = 0x80, high = 0xbf;
    size_t length;

    if (text[0] < 0x80) {
        return 1;
    }
    if (text[0] >= 0xc2 && text[0] <= 0xdf) {
        length = 2;
    } else if (text[0] >= 0xe0 && text[0] <= 0xef) {
        length = 3;
        low = text[0] == 0xe0 ? 0xa0 : low;   /* overlong */
        high = text[0] == 0xed ? 0x9f : high; /* surrogates */
    } else if (text[0] >= 0xf0 && text[0] <= 0xf4) {
        length = 4;
        low = text[0] == 0xf0 ? 0x90 : low;
        high = text[0] == 0xf4 ? 0x8f : high; /* past U+10FFFF */
    } else {
        return 0;
    }
    if (text[1] < low || text[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xbf) {
            return 0;
        }
    }
    return length;
}

/* True for C0 controls, DEL and C1 controls: what could steer a terminal. */
static bool is_control(const uint8_t *text)
{
    return text[0] < 0x20 || text[0] == 0x7f || (text[0] == 0xc2 && text[1] < 0xa0);
}

/* Copies checked text into out[0..size-1]. Text with a zero byte inside ends there. */
static enum bg_status text_read(char *out, size_t size, const char *text, const char *what,
                                struct bg_error *err)
{
    const uint8_t *in = (const uint8_t *)text;
    size_t at = 0;

    while (in[at] != 0) {
        size_t length = character_length(in + at);

        if (length == 0) {
            return bg_error_set(err, BG_E_FORMAT, "%s: byte %zu is not UTF-8", what, at);
        }
        if (is_control(in + at)) {
            return bg_error_set(err, BG_E_FORMAT, "%s: byte %zu is a control character", what, at);
        }
        if (at + length >= size) {
            return bg_error_set(err, BG_E_FORMAT, "%s: longer than %zu bytes", what, size - 1);
        }
        at += length;
    }
    memcpy(out, text, at);
    out[at] = '\0';
    return BG_OK;
}

/* Joins a list into out, separated; a separator inside an entry would change the list. */
static enum bg_status list_read(char *out, size_t size, char *const *list, size_t count,
                                char separator, const char *what, struct bg_error *err)
{
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        enum bg_status status;

        if (at > 0) {
            out[at++] = separator;
        }
        status = text_read(out + at, size - at, list[i], what, err);
        if (status != BG_OK) {
            return status;
        }
        if (strchr(out + at, separator) != NULL || out[at] == '\0') {
            return bg_error_set(err, BG_E_FORMAT, "%s: entry %zu is empty or has '%c'", what, i,
                                separator);
        }
        at += strlen(out + at);
        if (at + 1 >= size && i + 1 < count) {
            return bg_error_set(err, BG_E_FORMAT, "%s: longer than %zu bytes", what, size - 1);
        }
    }
    return BG_OK;
}

/* ---------------------------------------------------------------- numbers */

struct range {
    const char *what;
    uint64_t value, max;
};

static enum bg_status ranges_check(const struct range *ranges, size_t count, struct bg_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].value > ranges[i].max) {
            return bg_error_set(err, BG_E_FORMAT, "%s: %" PRIu64 " is above %" PRIu64,
                                ranges[i].what, ranges[i].value, ranges[i].max);
        }
    }
    return BG_OK;
}

/* ---------------------------------------------------------------- positions and plays */

/* One side's counts; false when they cannot be. */
static bool side_read(uint8_t at[BG_SLOTS], const ProtobufCBinaryData *in)
{
    unsigned sum = 0;

    if (in->len > BG_SLOTS) {
        return false;
    }
    for (size_t i = 0; i < in->len; i++) {
        at[i] = in->data[i];
        sum += in->data[i];
    }
    memset(at + in->len, 0, BG_SLOTS - in->len);
    return sum <= BG_CHECKERS;
}

static bool history_read(struct bg_board *out, int seat, const ProtobufCBinaryData *in)
{
    uint8_t bytes[HISTORY] = {0};

    if (in->len > HISTORY) {
        return false;
    }
    if (in->len > 0) {
        memcpy(bytes, in->data, in->len);
    }
    out->turns[seat] = bytes[0];
    out->may_hit[seat] = bytes[1];
    out->stacked[seat][0] = 0;
    memcpy(out->stacked[seat] + 1, bytes + 2, HISTORY - 2);
    for (int i = 1; i <= 6; i++) {
        if (out->stacked[seat][i] > BG_CHECKERS) {
            return false;
        }
    }
    return bytes[0] <= 3 && bytes[1] <= 1;
}

static bool position_read(struct bg_board *out, const Bgref__V1__Position *in)
{
    out->pinned[0] = in->own_pinned;
    out->pinned[1] = in->foe_pinned;
    return side_read(out->at[0], &in->own) && side_read(out->at[1], &in->foe) &&
           (in->own_pinned | in->foe_pinned) >> BG_SLOTS == 0 &&
           history_read(out, 0, &in->own_history) && history_read(out, 1, &in->foe_history);
}

static bool moves_read(struct bg_play *out, const ProtobufCBinaryData *in)
{
    if (in->len % 2 != 0 || in->len > 2 * BG_MOVES_MAX) {
        return false;
    }
    memset(out, 0, sizeof *out);
    out->moves = (uint8_t)(in->len / 2);
    for (size_t i = 0; i < out->moves; i++) {
        out->move[i] = (struct bg_move){in->data[2 * i], in->data[2 * i + 1]};
    }
    return true;
}

static bool slots_exist(const struct bg_play *play)
{
    for (int i = 0; i < play->moves; i++) {
        if (play->move[i].from == BG_OFF || play->move[i].from >= BG_SLOTS ||
            play->move[i].to >= BG_SLOTS) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- rules */

static enum bg_status variant_read(const struct bg_variant **out, struct wire_reader *reader,
                                   const char *text, struct bg_error *err)
{
    char id[WIRE_VARIANT];
    enum bg_status status;

    if (reader->variant != NULL && strcmp(bg_variant_id(reader->variant), text) == 0) {
        *out = reader->variant;
        return BG_OK;
    }
    status = text_read(id, sizeof id, text, "rules: variant", err);
    if (status != BG_OK) {
        return status;
    }
    *out = bg_variant_find(id);
    if (*out == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "rules: variant %s: not known here", id);
    }
    reader->variant = *out;
    return BG_OK;
}

static enum bg_status rotation_read(const struct bg_rotation **out, const char *text,
                                    struct bg_error *err)
{
    char id[WIRE_VARIANT];
    enum bg_status status;

    *out = NULL;
    if (text[0] == '\0') {
        return BG_OK;
    }
    status = text_read(id, sizeof id, text, "rules: rotation", err);
    if (status != BG_OK) {
        return status;
    }
    *out = bg_rotation_find(id);
    return *out != NULL ? BG_OK
                        : bg_error_set(err, BG_E_FORMAT, "rules: rotation %s: not known here", id);
}

static enum bg_status rules_read(struct bg_rules *out, struct wire_reader *reader,
                                 const Bgref__V1__Rules *in, struct bg_error *err)
{
    const struct range ranges[] = {
        {"rules: length", in->length, 10000},
        {"rules: opening", (uint32_t)in->opening, BG_OPENING_COUNT - 1},
        {"rules: raises + 1", (uint64_t)((int64_t)in->raises + 1), BG_CUBE_LOG2_MAX + 1},
        {"rules: auto_doubles", in->auto_doubles, BG_CUBE_LOG2_MAX},
        {"rules: turn_cap", in->turn_cap, INT_MAX},
        {"rules: next", (uint32_t)in->next, BG_NEXT_COUNT - 1},
    };
    enum bg_status status = ranges_check(ranges, sizeof ranges / sizeof ranges[0], err);

    if (status != BG_OK) {
        return status;
    }
    if (in->n_options > 0) {
        char option[WIRE_TEXT];

        status = text_read(option, sizeof option, in->options[0], "rules: option", err);
        return status != BG_OK
                   ? status
                   : bg_error_set(err, BG_E_FORMAT, "rules: option %s: not known here", option);
    }
    out->length_points = (int)in->length;
    out->opening = (enum bg_opening)in->opening;
    out->cube = in->cube;
    out->jacoby = in->jacoby;
    out->beavers = in->beavers;
    out->raises = in->raises;
    out->auto_doubles = (int)in->auto_doubles;
    out->crawford = in->crawford;
    out->holland = in->holland;
    out->forfeit_single = in->forfeit_single;
    out->fault_match = in->fault_match;
    out->turn_cap = (int)in->turn_cap;
    out->next = (enum bg_next)in->next;
    status = rotation_read(&out->rotation, in->rotation, err);
    return status != BG_OK ? status : variant_read(&out->variant, reader, in->variant, err);
}

/* ---------------------------------------------------------------- asks */

static enum bg_status stage_read(struct bg_stage *out, const Bgref__V1__Ask *in,
                                 struct bg_error *err)
{
    bool owed = in->kind == BGREF__V1__DECISION__DECISION_PLAY ||
                in->kind == BGREF__V1__DECISION__DECISION_KEEP;

    memset(out, 0, sizeof *out);
    if (in->n_numbers > 3 || (owed && in->n_numbers == 0)) {
        return bg_error_set(err, BG_E_FORMAT, "numbers: %zu of them", in->n_numbers);
    }
    for (size_t i = 0; i < in->n_numbers; i++) {
        const Bgref__V1__Numbers *part = in->numbers[i];

        if (part->number < 1 || part->number > 6 || part->times < 1 || part->times > 4) {
            return bg_error_set(err, BG_E_FORMAT, "numbers: %" PRIu32 " times %" PRIu32,
                                part->number, part->times);
        }
        if (i > 0 && part->number >= out->part[i - 1].number) {
            return bg_error_set(err, BG_E_FORMAT, "numbers: not high first, or one twice");
        }
        out->part[i].number = (uint8_t)part->number;
        out->part[i].times = (uint8_t)part->times;
    }
    out->parts = (uint8_t)in->n_numbers;
    return BG_OK;
}

static enum bg_status results_read(struct bg_ask *out, struct wire_reader *reader,
                                   const Bgref__V1__Ask *in, struct bg_error *err)
{
    struct bg_ask_result *results;

    out->result_count = in->result_count;
    out->results = NULL;
    if (in->n_results == 0) {
        return BG_OK;
    }
    if (in->n_results > RESULTS_MAX || in->n_results != in->result_count) {
        return bg_error_set(err, BG_E_FORMAT, "results: %zu listed, result_count %" PRIu32,
                            in->n_results, in->result_count);
    }
    results = arena_take(reader, in->n_results * sizeof *results);
    if (results == NULL) {
        return exhausted_set(reader, err);
    }
    for (size_t i = 0; i < in->n_results; i++) {
        const Bgref__V1__Result *result = in->results[i];

        if (result->position == NULL || !position_read(&results[i].board, result->position) ||
            !moves_read(&results[i].play, &result->moves) || !slots_exist(&results[i].play)) {
            return bg_error_set(err, BG_E_FORMAT, "results: number %zu cannot be", i);
        }
    }
    out->results = results;
    return BG_OK;
}

static enum bg_status ask_ranges_check(const Bgref__V1__Ask *in, struct bg_error *err)
{
    const struct range ranges[] = {
        {"seat", in->seat, 1},
        {"cube_log2", in->cube_log2, BG_CUBE_LOG2_MAX},
        {"cube_owner", (uint32_t)in->cube_owner, BGREF__V1__CUBE_OWNER__CUBE_FOE},
        {"own_score", in->own_score, INT64_MAX},
        {"foe_score", in->foe_score, INT64_MAX},
        {"raise", in->raise, BG_CUBE_LOG2_MAX},
        {"resign_level", in->resign_level, BG_CHECKERS},
        {"refused_level", in->refused_level, BG_CHECKERS},
        {"turn", in->turn, INT_MAX},
        {"ceiling_ns", in->ceiling_ns, INT64_MAX},
    };

    if (in->kind <= BGREF__V1__DECISION__DECISION_NONE ||
        in->kind > BGREF__V1__DECISION__DECISION_RESIGNATION) {
        return bg_error_set(err, BG_E_FORMAT, "kind: decision %d is not known here", (int)in->kind);
    }
    if (in->rules == NULL || in->position == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "%s: missing", in->rules ? "position" : "rules");
    }
    return ranges_check(ranges, sizeof ranges / sizeof ranges[0], err);
}

static enum bg_status clock_read(struct bg_ask *out, const Bgref__V1__Clock *in,
                                 struct bg_error *err)
{
    out->has_clock = in != NULL;
    out->left_ns[0] = out->left_ns[1] = 0;
    if (in == NULL) {
        return BG_OK;
    }
    if (in->own_left_ns > INT64_MAX || in->foe_left_ns > INT64_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "clock: more than 63 bits");
    }
    out->left_ns[0] = (int64_t)in->own_left_ns;
    out->left_ns[1] = (int64_t)in->foe_left_ns;
    return BG_OK;
}

static void ask_fields_read(struct bg_ask *out, const Bgref__V1__Ask *in)
{
    static const int owners[] = {BG_CENTRED, 0, 1}; /* by enum CubeOwner */

    out->decision = in->decision;
    out->kind = (enum bg_decision)in->kind; /* same numbers: see the assertion in pack.c */
    out->seat = (int)in->seat;
    out->cube_log2 = (int)in->cube_log2;
    out->cube_owner = owners[in->cube_owner];
    out->score[0] = (int64_t)in->own_score;
    out->score[1] = (int64_t)in->foe_score;
    out->crawford_game = in->crawford_game;
    out->post_crawford = in->post_crawford;
    out->may_raise = in->may_raise;
    out->raise = (int)in->raise;
    out->resign_level = (int)in->resign_level;
    out->refused_level = (int)in->refused_level;
    out->turn = (int)in->turn;
    out->ceiling_ns = (int64_t)in->ceiling_ns;
    out->bot_seed = in->bot_seed;
}

static enum bg_status ask_read(struct bg_ask *out, struct wire_reader *reader,
                               const Bgref__V1__Ask *in, struct bg_error *err)
{
    enum bg_status status = ask_ranges_check(in, err);

    if (status != BG_OK) {
        return status;
    }
    ask_fields_read(out, in);
    if (!position_read(&out->board, in->position)) {
        return bg_error_set(err, BG_E_FORMAT, "position: cannot be");
    }
    if ((status = text_read(out->game, sizeof out->game, in->game, "game", err)) != BG_OK ||
        (status = rules_read(&out->rules, reader, in->rules, err)) != BG_OK ||
        (status = stage_read(&out->stage, in, err)) != BG_OK ||
        (status = clock_read(out, in->clock, err)) != BG_OK) {
        return status;
    }
    return results_read(out, reader, in, err);
}

static enum bg_status asks_read(struct wire_message *out, struct wire_reader *reader,
                                const Bgref__V1__Asks *in, struct bg_error *err)
{
    struct bg_ask *asks;

    if (in->n_asks > WIRE_BATCH_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "asks: %zu in one message, at most %d", in->n_asks,
                            WIRE_BATCH_MAX);
    }
    asks = arena_take(reader, in->n_asks * sizeof *asks);
    if (asks == NULL) {
        return exhausted_set(reader, err);
    }
    for (size_t i = 0; i < in->n_asks; i++) {
        struct bg_error story = {0};
        enum bg_status status = ask_read(&asks[i], reader, in->asks[i], &story);

        if (status != BG_OK) {
            return bg_error_set(err, status, "ask for decision %" PRIu64 ": %s",
                                in->asks[i]->decision, story.text);
        }
    }
    out->asks = asks;
    out->count = in->n_asks;
    return BG_OK;
}

/* ---------------------------------------------------------------- answers */

static enum bg_answer_kind number_read(uint32_t *out, uint32_t value, uint32_t max,
                                       enum bg_answer_kind kind)
{
    *out = value;
    return value >= 1 && value <= max ? kind : BG_ANSWER_NONE;
}

static void answer_read(struct bg_answer *out, const Bgref__V1__Answer *in)
{
    out->decision = in->decision;
    out->kind = BG_ANSWER_NONE;
    out->value = 0;
    out->play.moves = 0;
    switch (in->content_case) {
    case BGREF__V1__ANSWER__CONTENT_ACTION:
        if (in->action >= BGREF__V1__ACTION__ACTION_NONE &&
            in->action <= BGREF__V1__ACTION__ACTION_REFUSE) {
            out->kind = (enum bg_answer_kind)in->action; /* same numbers: see pack.c */
        }
        break;
    case BGREF__V1__ANSWER__CONTENT_INDEX:
        out->kind = BG_ANSWER_INDEX;
        out->value = in->index;
        break;
    case BGREF__V1__ANSWER__CONTENT_MOVES:
        if (moves_read(&out->play, &in->moves)) {
            out->kind = BG_ANSWER_MOVES;
        }
        break;
    case BGREF__V1__ANSWER__CONTENT_RESULT:
        if (in->result != NULL && position_read(&out->result, in->result)) {
            out->kind = BG_ANSWER_RESULT;
        }
        break;
    case BGREF__V1__ANSWER__CONTENT_NAME:
        out->kind = number_read(&out->value, in->name, 6, BG_ANSWER_NAME);
        break;
    case BGREF__V1__ANSWER__CONTENT_RESIGN:
        out->kind = number_read(&out->value, in->resign, BG_CHECKERS, BG_ANSWER_RESIGN);
        break;
    case BGREF__V1__ANSWER__CONTENT__NOT_SET:
    default:
        break;
    }
}

static enum bg_status answers_read(struct wire_message *out, struct wire_reader *reader,
                                   const Bgref__V1__Answers *in, struct bg_error *err)
{
    struct bg_answer *answers;

    if (in->n_answers > WIRE_BATCH_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "answers: %zu in one message, at most %d",
                            in->n_answers, WIRE_BATCH_MAX);
    }
    answers = arena_take(reader, in->n_answers * sizeof *answers);
    if (answers == NULL) {
        return exhausted_set(reader, err);
    }
    for (size_t i = 0; i < in->n_answers; i++) {
        answer_read(&answers[i], in->answers[i]);
    }
    out->answers = answers;
    out->count = in->n_answers;
    return BG_OK;
}

/* ---------------------------------------------------------------- greeting */

static enum bg_status option_read(struct wire_option *out, const Bgref__V1__Option *in,
                                  struct bg_error *err)
{
    enum bg_status status;

    if (in->type < BGREF__V1__OPTION_TYPE__OPTION_STRING ||
        in->type > BGREF__V1__OPTION_TYPE__OPTION_CHOICE) {
        return bg_error_set(err, BG_E_FORMAT, "option: type %d is not known here", (int)in->type);
    }
    out->type = (enum wire_option_type)in->type;
    if ((status = text_read(out->name, sizeof out->name, in->name, "option name", err)) != BG_OK ||
        (status = text_read(out->value, sizeof out->value, in->value, "option value", err)) !=
            BG_OK ||
        (status = text_read(out->min, sizeof out->min, in->min, "option min", err)) != BG_OK ||
        (status = text_read(out->max, sizeof out->max, in->max, "option max", err)) != BG_OK ||
        (status = text_read(out->help, sizeof out->help, in->help, "option help", err)) != BG_OK) {
        return status;
    }
    return list_read(out->choices, sizeof out->choices, in->choices, in->n_choices, '|',
                     "option choices", err);
}

static enum bg_status options_read(struct wire_option *out, size_t *count,
                                   Bgref__V1__Option *const *in, size_t in_count,
                                   struct bg_error *err)
{
    if (in_count > WIRE_OPTIONS_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "options: %zu, at most %d", in_count,
                            WIRE_OPTIONS_MAX);
    }
    for (size_t i = 0; i < in_count; i++) {
        enum bg_status status = option_read(&out[i], in[i], err);

        if (status != BG_OK) {
            return status;
        }
    }
    *count = in_count;
    return BG_OK;
}

static enum bg_status hello_read(struct wire_message *out, struct wire_reader *reader,
                                 const Bgref__V1__Hello *in, struct bg_error *err)
{
    struct wire_hello *hello = &reader->greeting.hello;
    size_t room = sizeof hello->protocols / sizeof hello->protocols[0];
    enum bg_status status;

    memset(hello, 0, sizeof *hello);
    if (in->n_protocols > room) {
        return bg_error_set(err, BG_E_FORMAT, "protocols: %zu, at most %zu", in->n_protocols, room);
    }
    for (size_t i = 0; i < in->n_protocols; i++) {
        hello->protocols[i] = in->protocols[i];
    }
    hello->protocol_count = in->n_protocols;
    hello->pid = in->pid;
    hello->max_in_flight = in->max_in_flight == 0 ? 1 : in->max_in_flight;
    hello->stateful = in->stateful;
    hello->want_plays = in->want_plays;
    hello->want_tells = in->want_tells;
    hello->evaluates = in->evaluates;
    if ((status = text_read(hello->token, sizeof hello->token, in->token, "token", err)) != BG_OK ||
        (status = text_read(hello->name, sizeof hello->name, in->name, "name", err)) != BG_OK ||
        (status = text_read(hello->version, sizeof hello->version, in->version, "version", err)) !=
            BG_OK ||
        (status = text_read(hello->author, sizeof hello->author, in->author, "author", err)) !=
            BG_OK ||
        (status = list_read(hello->variants, sizeof hello->variants, in->variants, in->n_variants,
                            ' ', "variants", err)) != BG_OK) {
        return status;
    }
    out->hello = hello;
    return options_read(hello->options, &hello->option_count, in->options, in->n_options, err);
}

static enum bg_status welcome_read(struct wire_message *out, struct wire_reader *reader,
                                   const Bgref__V1__Welcome *in, struct bg_error *err)
{
    struct wire_welcome *welcome = &reader->greeting.welcome;
    enum bg_status status;

    memset(welcome, 0, sizeof *welcome);
    welcome->protocol = in->protocol;
    if (in->limits != NULL) {
        welcome->limits = (struct wire_limits){
            .message_bytes = in->limits->message_bytes,
            .messages_per_second = in->limits->messages_per_second,
            .bytes_per_second = in->limits->bytes_per_second,
            .in_flight = in->limits->in_flight,
            .start_ns = in->limits->start_ns,
            .new_game_ns = in->limits->new_game_ns,
            .decision_ns = in->limits->decision_ns,
        };
    }
    if ((status = text_read(welcome->bot, sizeof welcome->bot, in->bot, "bot", err)) != BG_OK ||
        (status = text_read(welcome->event, sizeof welcome->event, in->event, "event", err)) !=
            BG_OK ||
        (status = text_read(welcome->referee, sizeof welcome->referee, in->referee, "referee",
                            err)) != BG_OK) {
        return status;
    }
    out->welcome = welcome;
    return options_read(welcome->options, &welcome->option_count, in->options, in->n_options, err);
}

static enum bg_status new_game_read(struct wire_message *out, const Bgref__V1__NewGame *in,
                                    struct bg_error *err)
{
    if (in->begin == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "new_game: begin: missing");
    }
    return text_read(out->game, sizeof out->game, in->begin->game, "new_game: game", err);
}

/* ---------------------------------------------------------------- envelopes */

static void reader_restart(struct wire_reader *reader, struct wire_message *out)
{
    reader->used = 0;
    reader->exhausted = false;
    out->content = WIRE_NOTHING;
    out->field = 0;
    out->nonce = 0;
    out->what[0] = out->why[0] = out->game[0] = '\0';
    out->hello = NULL;
    out->welcome = NULL;
    out->count = 0;
    out->asks = NULL;
    out->answers = NULL;
}

static enum bg_status garbled_set(const struct wire_reader *reader, const char *message,
                                  size_t size, struct bg_error *err)
{
    if (reader->exhausted) {
        return exhausted_set(reader, err);
    }
    return bg_error_set(err, BG_E_FORMAT, "message: %zu bytes that are no %s", size, message);
}

/* Content not known here stays in the envelope's unknown fields; its number names it. */
static enum bg_status unknown_read(struct wire_message *out, const ProtobufCMessage *envelope,
                                   struct bg_error *err)
{
    if (envelope->n_unknown_fields == 0) {
        return bg_error_set(err, BG_E_FORMAT, "message: no content");
    }
    out->content = WIRE_NOTHING;
    out->field = envelope->unknown_fields[0].tag;
    return BG_OK;
}

static enum bg_status to_bot_read(struct wire_message *out, struct wire_reader *reader,
                                  const Bgref__V1__ToBot *in, struct bg_error *err)
{
    enum bg_status status;

    out->field = in->content_case;
    switch (in->content_case) {
    case BGREF__V1__TO_BOT__CONTENT_ASKS:
        out->content = WIRE_ASKS;
        return asks_read(out, reader, in->asks, err);
    case BGREF__V1__TO_BOT__CONTENT_WELCOME:
        out->content = WIRE_WELCOME;
        return welcome_read(out, reader, in->welcome, err);
    case BGREF__V1__TO_BOT__CONTENT_REFUSAL:
        out->content = WIRE_REFUSAL;
        status = text_read(out->what, sizeof out->what, in->refusal->what, "refusal: what", err);
        return status != BG_OK
                   ? status
                   : text_read(out->why, sizeof out->why, in->refusal->why, "refusal: why", err);
    case BGREF__V1__TO_BOT__CONTENT_NEW_GAME:
        out->content = WIRE_NEW_GAME;
        return new_game_read(out, in->new_game, err);
    case BGREF__V1__TO_BOT__CONTENT_PING:
        out->content = WIRE_PING;
        out->nonce = in->ping->nonce;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT_GOODBYE:
        out->content = WIRE_GOODBYE;
        return text_read(out->why, sizeof out->why, in->goodbye->why, "goodbye: why", err);
    case BGREF__V1__TO_BOT__CONTENT_NOT_UNDERSTOOD:
        out->content = WIRE_NOT_UNDERSTOOD;
        out->field = in->not_understood->field;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT_TELLS:
        out->content = WIRE_TELLS;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT_EVALUATE:
        out->content = WIRE_EVALUATE;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT_COMMITMENT:
        out->content = WIRE_COMMITMENT;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT_REVEAL:
        out->content = WIRE_REVEAL;
        return BG_OK;
    case BGREF__V1__TO_BOT__CONTENT__NOT_SET:
    default:
        return unknown_read(out, &in->base, err);
    }
}

static enum bg_status to_referee_read(struct wire_message *out, struct wire_reader *reader,
                                      const Bgref__V1__ToReferee *in, struct bg_error *err)
{
    out->field = in->content_case;
    switch (in->content_case) {
    case BGREF__V1__TO_REFEREE__CONTENT_ANSWERS:
        out->content = WIRE_ANSWERS;
        return answers_read(out, reader, in->answers, err);
    case BGREF__V1__TO_REFEREE__CONTENT_HELLO:
        out->content = WIRE_HELLO;
        return hello_read(out, reader, in->hello, err);
    case BGREF__V1__TO_REFEREE__CONTENT_READY:
        out->content = WIRE_READY;
        return text_read(out->game, sizeof out->game, in->ready->game, "ready: game", err);
    case BGREF__V1__TO_REFEREE__CONTENT_PONG:
        out->content = WIRE_PONG;
        out->nonce = in->pong->nonce;
        return BG_OK;
    case BGREF__V1__TO_REFEREE__CONTENT_NOT_UNDERSTOOD:
        out->content = WIRE_NOT_UNDERSTOOD;
        out->field = in->not_understood->field;
        return BG_OK;
    case BGREF__V1__TO_REFEREE__CONTENT_EVALUATION:
        out->content = WIRE_EVALUATION;
        return BG_OK;
    case BGREF__V1__TO_REFEREE__CONTENT_COMMITMENT:
        out->content = WIRE_COMMITMENT;
        return BG_OK;
    case BGREF__V1__TO_REFEREE__CONTENT_REVEAL:
        out->content = WIRE_REVEAL;
        return BG_OK;
    case BGREF__V1__TO_REFEREE__CONTENT__NOT_SET:
    default:
        return unknown_read(out, &in->base, err);
    }
}

enum bg_status wire_unpack_to_bot(struct wire_message *out, struct wire_reader *reader,
                                  const void *data, size_t size, struct bg_error *err)
{
    Bgref__V1__ToBot *envelope;

    reader_restart(reader, out);
    envelope = bgref__v1__to_bot__unpack(&reader->allocator, size, data);
    if (envelope == NULL) {
        return garbled_set(reader, "ToBot", size, err);
    }
    return to_bot_read(out, reader, envelope, err);
}

enum bg_status wire_unpack_to_referee(struct wire_message *out, struct wire_reader *reader,
                                      const void *data, size_t size, struct bg_error *err)
{
    Bgref__V1__ToReferee *envelope;

    reader_restart(reader, out);
    envelope = bgref__v1__to_referee__unpack(&reader->allocator, size, data);
    if (envelope == NULL) {
        return garbled_set(reader, "ToReferee", size, err);
    }
    return to_referee_read(out, reader, envelope, err);
}
