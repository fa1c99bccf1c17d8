/* First pass: the fields as they are (raw_ask), with types checked by a table. Second pass: values,
 * with a message that names the decision. So a garbled message and an impossible value are told
 * apart, and the fast path has no allocation but the list of asks. Unknown fields are passed over:
 * a newer referee may add some.
 *
 * Rules, limits and the opponent's name are the same for many asks; they stand once in the
 * message, in a table, and each ask has an index into it (settings_apply). */
#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "schema.h"

enum { RESULTS_MAX = 4096, PARTS_MAX = 3 };

/* The fields of one Ask, still encoded in the frame. */
struct raw_ask {
    uint64_t number[ASK_FIELDS]; /* varints and fixed64, by field */
    const uint8_t *game;
    size_t game_size;
    Bgref__V1__Position position;
    uint64_t part[PARTS_MAX][2]; /* number, times */
    uint64_t left_ns[2];
    uint64_t enter[ENTER_FIELDS]; /* by field; ENTERED: as digits */
    size_t parts, results;        /* how many there are, even if too many */
    uint32_t above;               /* the first field with a number that is too large; 0: none */
    uint64_t above_value;
    bool has_position, has_clock, has_enter, is_entered_wrongly;
};

/* By field: its type, and for numbers the largest value. */
static const struct ask_rule {
    const char *what;
    uint64_t max;
    enum field_type type;
} rules[ASK_FIELDS] = {
    [ASK_DECISION] = {"decision", UINT64_MAX, FIELD_VARINT},
    [ASK_GAME] = {"game", 0, FIELD_BYTES},
    [ASK_KIND] = {"kind", UINT64_MAX, FIELD_VARINT},
    [ASK_SETTINGS] = {"settings", UINT64_MAX, FIELD_VARINT},
    [ASK_POSITION] = {"position", 0, FIELD_BYTES},
    [ASK_NUMBERS] = {"numbers", 0, FIELD_BYTES},
    [ASK_BOT_SEED] = {"bot_seed", UINT64_MAX, FIELD_FIXED64},
    [ASK_TURN] = {"turn", INT_MAX, FIELD_VARINT},
    [ASK_OWN_SCORE] = {"own_score", INT64_MAX, FIELD_VARINT},
    [ASK_OPPONENT_SCORE] = {"opponent_score", INT64_MAX, FIELD_VARINT},
    [ASK_CUBE_LOG2] = {"cube_log2", BG_CUBE_LOG2_MAX, FIELD_VARINT},
    [ASK_CUBE_OWNER] = {"cube_owner", BGREF__V1__CUBE_OWNER__CUBE_OPPONENT, FIELD_VARINT},
    [ASK_CLOCK] = {"clock", 0, FIELD_BYTES},
    [ASK_RESULT_COUNT] = {"result_count", UINT32_MAX, FIELD_VARINT},
    [ASK_RESULTS] = {"results", 0, FIELD_BYTES},
    [ASK_CRAWFORD_GAME] = {"crawford_game", UINT64_MAX, FIELD_VARINT},
    [ASK_POST_CRAWFORD] = {"post_crawford", UINT64_MAX, FIELD_VARINT},
    [ASK_MAY_RAISE] = {"may_raise", UINT64_MAX, FIELD_VARINT},
    [ASK_RAISE] = {"raise", BG_CUBE_LOG2_MAX, FIELD_VARINT},
    [ASK_RESIGN_LEVEL] = {"resign_level", BG_CHECKERS, FIELD_VARINT},
    [ASK_REFUSED_LEVEL] = {"refused_level", BG_CHECKERS, FIELD_VARINT},
    [ASK_ENTER] = {"enter", 0, FIELD_BYTES},
};

/* ---------------------------------------------------------------- raw fields */

/* Reads a message of two numbers, its fields 1 and 2. */
static bool pair_read(uint64_t out[2], const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    while (fields_next(&fields, &field)) {
        if (field.number > 2) {
            continue;
        }
        if (field.type != FIELD_VARINT) {
            return false;
        }
        out[field.number - 1] = field.value;
    }
    return !fields.malformed;
}

static bool raw_part_read(struct raw_ask *out, const struct wire_field *in)
{
    uint64_t part[2] = {0};

    if (!pair_read(part, in)) {
        return false;
    }
    if (out->parts < PARTS_MAX) {
        memcpy(out->part[out->parts], part, sizeof part);
    }
    out->parts++;
    return true;
}

/* Reads an EnterDice. */
static bool enter_read(struct raw_ask *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    out->has_enter = true;
    while (fields_next(&fields, &field)) {
        if (field.number >= ENTER_FIELDS) {
            continue;
        }
        if (field.type != (field.number == ENTER_ENTERED ? FIELD_BYTES : FIELD_VARINT)) {
            return false;
        }
        if (field.number == ENTER_ENTERED) {
            out->enter[ENTER_ENTERED] = wire_digits_of_dice(field.data, field.size);
            out->is_entered_wrongly = field.size > 0 && out->enter[ENTER_ENTERED] == 0;
        } else {
            out->enter[field.number] = field.value;
        }
    }
    return !fields.malformed;
}

/* Reads a field that holds bytes. */
static bool raw_bytes_read(struct raw_ask *out, const struct wire_field *in)
{
    switch (in->number) {
    case ASK_GAME:
        out->game = in->data;
        out->game_size = in->size;
        return true;
    case ASK_POSITION:
        out->has_position = true;
        return unpack_position_fields(&out->position, in->data, in->size);
    case ASK_NUMBERS:
        return raw_part_read(out, in);
    case ASK_CLOCK:
        out->has_clock = true;
        return pair_read(out->left_ns, in);
    case ASK_ENTER:
        return enter_read(out, in);
    default: /* a result: read later, when the count of results is known */
        /* Counted, to compare with result_count before memory is taken for them. */
        out->results++;
        return true;
    }
}

static bool raw_read(struct raw_ask *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    memset(out, 0, sizeof *out);
    while (fields_next(&fields, &field)) {
        if (field.number >= ASK_FIELDS) {
            continue;
        }
        if (field.type != rules[field.number].type) {
            return false;
        }
        if (field.type != FIELD_BYTES) {
            out->number[field.number] = field.value;
            if (field.value > rules[field.number].max && out->above == 0) {
                out->above = field.number;
                out->above_value = field.value;
            }
        } else if (!raw_bytes_read(out, &field)) {
            return false;
        }
    }
    return !fields.malformed;
}

/* ---------------------------------------------------------------- values */

static enum bg_status ranges_check(const struct raw_ask *in, struct bg_error *err)
{
    const uint64_t kind = in->number[ASK_KIND];

    if (kind <= BGREF__V1__DECISION__DECISION_NONE || kind > BGREF__V1__DECISION__DECISION_DICE) {
        return bg_error_set(err, BG_E_FORMAT, "kind: decision %" PRIu64 " is not known here", kind);
    }
    if (in->above != 0) {
        return bg_error_set(err, BG_E_FORMAT, "%s: %" PRIu64 " is above %" PRIu64,
                            rules[in->above].what, in->above_value, rules[in->above].max);
    }
    return in->has_position ? BG_OK : bg_error_set(err, BG_E_FORMAT, "position: missing");
}

static enum bg_status stage_read(struct bg_stage *out, const struct raw_ask *in,
                                 struct bg_error *err)
{
    bool owed = in->number[ASK_KIND] == BGREF__V1__DECISION__DECISION_PLAY ||
                in->number[ASK_KIND] == BGREF__V1__DECISION__DECISION_KEEP;

    memset(out, 0, sizeof *out);
    if (in->parts > PARTS_MAX || (owed && in->parts == 0)) {
        return bg_error_set(err, BG_E_FORMAT, "numbers: %zu of them", in->parts);
    }
    for (size_t i = 0; i < in->parts; i++) {
        const uint64_t number = in->part[i][0], times = in->part[i][1];

        if (number < 1 || number > 6 || times < 1 || times > 4) {
            return bg_error_set(err, BG_E_FORMAT, "numbers: %" PRIu64 " times %" PRIu64, number,
                                times);
        }
        /* One form for each roll, so that equal stages have equal bytes. */
        if (i > 0 && number >= out->part[i - 1].number) {
            return bg_error_set(err, BG_E_FORMAT, "numbers: not high first, or one twice");
        }
        out->part[i].number = (uint8_t)number;
        out->part[i].times = (uint8_t)times;
    }
    out->parts = (uint8_t)in->parts;
    return BG_OK;
}

static enum bg_status clock_read(struct bg_ask *out, const struct raw_ask *in, struct bg_error *err)
{
    if (in->left_ns[0] > INT64_MAX || in->left_ns[1] > INT64_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "clock: more than 63 bits");
    }
    out->has_clock = in->has_clock;
    out->left_ns[0] = (int64_t)in->left_ns[0];
    out->left_ns[1] = (int64_t)in->left_ns[1];
    return BG_OK;
}

static enum bg_status enter_check(struct bg_ask *out, const struct raw_ask *in,
                                  struct bg_error *err)
{
    const uint64_t count = in->enter[ENTER_COUNT];
    size_t entered = wire_dice_of_digits(out->entered, (uint32_t)in->enter[ENTER_ENTERED]);

    out->dice = 0;
    out->own_dice = in->enter[ENTER_OWN] != 0;
    out->opening_dice = in->enter[ENTER_OPENING] != 0;
    out->disagreements = 0;
    if (!in->has_enter) {
        return in->number[ASK_KIND] == BGREF__V1__DECISION__DECISION_DICE
                   ? bg_error_set(err, BG_E_FORMAT, "enter: missing")
                   : BG_OK;
    }
    if (count < 1 || count > WIRE_DICE) {
        return bg_error_set(err, BG_E_FORMAT, "enter: %" PRIu64 " dice", count);
    }
    if (in->is_entered_wrongly || (entered != 0 && entered != count)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "enter: the dice that were entered are not %" PRIu64 " of 1 to 6",
                            count);
    }
    if (in->enter[ENTER_DISAGREEMENTS] > INT_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "enter: too many disagreements");
    }
    out->dice = (int)count;
    out->disagreements = (int)in->enter[ENTER_DISAGREEMENTS];
    return BG_OK;
}

static void numbers_read(struct bg_ask *out, const struct raw_ask *in)
{
    /* In bounds: ranges_check has compared it with the enum's last value. */
    static const int owners[] = {BG_CENTRED, 0, 1}; /* by enum CubeOwner */

    out->decision = in->number[ASK_DECISION];
    out->kind = (enum bg_decision)in->number[ASK_KIND]; /* same numbers: see pack_ask.c */
    out->seat = 0;
    out->cube_log2 = (int)in->number[ASK_CUBE_LOG2];
    out->cube_owner = owners[in->number[ASK_CUBE_OWNER]];
    out->score[0] = (int64_t)in->number[ASK_OWN_SCORE];
    out->score[1] = (int64_t)in->number[ASK_OPPONENT_SCORE];
    out->crawford_game = in->number[ASK_CRAWFORD_GAME] != 0;
    out->post_crawford = in->number[ASK_POST_CRAWFORD] != 0;
    out->may_raise = in->number[ASK_MAY_RAISE] != 0;
    out->raise = (int)in->number[ASK_RAISE];
    out->resign_level = (int)in->number[ASK_RESIGN_LEVEL];
    out->refused_level = (int)in->number[ASK_REFUSED_LEVEL];
    out->turn = (int)in->number[ASK_TURN];
    out->bot_seed = in->number[ASK_BOT_SEED];
    out->result_count = (uint32_t)in->number[ASK_RESULT_COUNT];
    out->results = NULL;
    out->played = NULL;
}

/* ---------------------------------------------------------------- results */

static bool result_read(struct bg_ask_result *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field, moves = {0};
    Bgref__V1__Position position;
    bool has_position = false;

    bgref__v1__position__init(&position);
    while (fields_next(&fields, &field)) {
        if (field.number > RESULT_MOVES) {
            continue;
        }
        if (field.type != FIELD_BYTES) {
            return false;
        }
        if (field.number == RESULT_MOVES) {
            moves = field;
        } else if (unpack_position_fields(&position, field.data, field.size)) {
            has_position = true;
        } else {
            return false;
        }
    }
    return !fields.malformed && has_position && unpack_position(&out->board, &position) &&
           unpack_moves(&out->play, moves.data, moves.size) && unpack_slots_exist(&out->play);
}

/* in: the whole Ask; its fields have already been checked. */
static enum bg_status results_read(struct bg_ask *out, struct wire_reader *reader, size_t count,
                                   const struct wire_field *in, struct bg_error *err)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;
    struct bg_ask_result *results;

    if (count > RESULTS_MAX || count != out->result_count) {
        return bg_error_set(err, BG_E_FORMAT, "results: %zu listed, result_count %" PRIu32, count,
                            out->result_count);
    }
    results = unpack_take(reader, count * sizeof *results);
    if (results == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; fields_next(&fields, &field);) {
        if (field.number == ASK_RESULTS && !result_read(&results[i++], &field)) {
            return bg_error_set(err, BG_E_FORMAT, "results: number %zu is impossible", i - 1);
        }
    }
    out->results = results;
    return BG_OK;
}

/* ---------------------------------------------------------------- asks */

/* The table of an Asks, checked. */
struct unpack_ask_table {
    struct unpack_settings *settings;
    size_t count;
};

static enum bg_status settings_apply(struct bg_ask *out, const struct unpack_ask_table *table,
                                     uint64_t index, struct bg_error *err)
{
    const struct unpack_settings *settings;

    if (index >= table->count) {
        return bg_error_set(err, BG_E_FORMAT,
                            "settings: index %" PRIu64 ", but the message lists %zu", index,
                            table->count);
    }
    settings = &table->settings[index];
    out->rules = settings->rules;
    out->ceiling_ns = settings->ceiling_ns;
    memcpy(out->increment_ns, settings->increment_ns, sizeof out->increment_ns);
    memcpy(out->delay_ns, settings->delay_ns, sizeof out->delay_ns);
    memcpy(out->opponent, settings->opponent, settings->opponent_size);
    return BG_OK;
}

static enum bg_status ask_check(struct bg_ask *out, const struct raw_ask *raw,
                                const struct unpack_ask_table *table, struct bg_error *err)
{
    enum bg_status status = ranges_check(raw, err);

    if (status != BG_OK) {
        return status;
    }
    numbers_read(out, raw);
    if (!unpack_position(&out->board, &raw->position)) {
        return bg_error_set(err, BG_E_FORMAT, "position: impossible");
    }
    if ((status = unpack_text_lent(out->game, sizeof out->game, raw->game, raw->game_size, "game",
                                   err)) != BG_OK ||
        (status = settings_apply(out, table, raw->number[ASK_SETTINGS], err)) != BG_OK ||
        (status = stage_read(&out->stage, raw, err)) != BG_OK ||
        (status = enter_check(out, raw, err)) != BG_OK) {
        return status;
    }
    return clock_read(out, raw, err);
}

static enum bg_status ask_read(struct bg_ask *out, struct wire_reader *reader,
                               const struct wire_field *in, const struct unpack_ask_table *table,
                               struct bg_error *err)
{
    struct raw_ask raw;
    struct bg_error why;
    enum bg_status status;

    if (!raw_read(&raw, in)) {
        return unpack_garbled(reader, "Ask", in->size, err);
    }
    status = ask_check(out, &raw, table, &why);
    if (status == BG_OK && raw.results > 0) {
        status = results_read(out, reader, raw.results, in, &why);
    }
    return status == BG_OK ? BG_OK
                           : bg_error_set(err, status, "ask for decision %" PRIu64 ": %s",
                                          raw.number[ASK_DECISION], why.text);
}

/* ---------------------------------------------------------------- lists */

/* count[]: by field, the number of its entries. Returns false if the bytes are not Asks. */
static bool lists_count(size_t count[ASKS_ASKS + 1], const uint8_t *data, size_t size)
{
    struct fields fields = fields_of(data, size);
    struct wire_field field;

    while (fields_next(&fields, &field)) {
        if (field.number > ASKS_ASKS) {
            continue;
        }
        if (field.type != FIELD_BYTES) {
            return false;
        }
        count[field.number]++;
    }
    return !fields.malformed;
}

static enum bg_status limit_check(const char *what, size_t count, struct bg_error *err)
{
    return count <= WIRE_BATCH_MAX
               ? BG_OK
               : bg_error_set(err, BG_E_FORMAT, "%s: %zu in one message, at most %d", what, count,
                              WIRE_BATCH_MAX);
}

static enum bg_status table_read(struct unpack_ask_table *out, struct wire_reader *reader,
                                 const uint8_t *data, size_t size, struct bg_error *err)
{
    struct fields fields = fields_of(data, size);
    struct wire_field field;

    out->settings = unpack_take(reader, out->count * sizeof *out->settings);
    if (out->settings == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; fields_next(&fields, &field);) {
        struct bg_error why;
        enum bg_status status;

        if (field.number != ASKS_SETTINGS) {
            continue;
        }
        status = unpack_settings(&out->settings[i], reader, field.data, field.size, &why);
        if (status != BG_OK) {
            return bg_error_set(err, status, "settings %zu: %s", i, why.text);
        }
        i++;
    }
    return BG_OK;
}

enum bg_status unpack_asks(struct wire_message *out, struct wire_reader *reader,
                           const uint8_t *data, size_t size, struct bg_error *err)
{
    struct fields fields = fields_of(data, size);
    struct wire_field field;
    size_t count[ASKS_ASKS + 1] = {0};
    struct unpack_ask_table table;
    struct bg_ask *asks;
    enum bg_status status;

    if (!lists_count(count, data, size)) {
        return unpack_garbled(reader, "ToBot", size, err);
    }
    table.count = count[ASKS_SETTINGS];
    if ((status = limit_check("settings", table.count, err)) != BG_OK ||
        (status = limit_check("asks", count[ASKS_ASKS], err)) != BG_OK ||
        (status = table_read(&table, reader, data, size, err)) != BG_OK) {
        return status;
    }
    asks = unpack_take(reader, count[ASKS_ASKS] * sizeof *asks);
    if (asks == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; fields_next(&fields, &field);) {
        if (field.number == ASKS_ASKS &&
            (status = ask_read(&asks[i++], reader, &field, &table, err)) != BG_OK) {
            return status;
        }
    }
    out->asks = asks;
    out->count = count[ASKS_ASKS];
    return BG_OK;
}
