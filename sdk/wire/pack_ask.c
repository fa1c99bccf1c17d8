/* Asks are most of what a referee sends, so they are written field by field into the buffer,
 * without the structs of protobuf-c; room for the largest sizes is made first, so that writing
 * needs no checks. Decisions of one match share rules and limits, which go into a table of the
 * message once. */
#include "pack.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pen.h"
#include "schema.h"

/* The largest size of each part on the wire: a side of a position has 41 bytes, its history 10, the
 * game's id 194. Settings hold two ids of at most 127 bytes and a name. */
enum {
    ENVELOPE_BYTES = 32,
    SETTINGS_BYTES = 512,
    ASK_BYTES = 512,
    RESULT_BYTES = 160,
    ANSWER_BYTES = 160,
    THOUGHT_HEAD = 8,
    LOOK_BACK = 8 /* settings that a new ask is compared with; later ones may repeat earlier ones */
};

/* Values that are cast between this library's enums and the schema's. */
static_assert((int)BG_DECIDE_DICE == (int)BGREF__V1__DECISION__DECISION_DICE, "");
static_assert((int)BG_ANSWER_REFUSE == (int)BGREF__V1__ACTION__ACTION_REFUSE, "");
static_assert((int)BG_EQUITY_MATCH == (int)BGREF__V1__EQUITY_UNIT__EQUITY_MATCH, "");
/* Moves go out as the bytes they are: from, to, from, to, ... */
static_assert(sizeof(struct bg_move) == 2 && offsetof(struct bg_move, from) == 0, "");

struct pack_settings {
    struct bg_ask of; /* an ask with these settings */
    size_t size;      /* 0: none yet */
    uint8_t bytes[SETTINGS_BYTES];
};

static uint64_t not_negative(int64_t value)
{
    return value < 0 ? 0 : (uint64_t)value;
}

/* ---------------------------------------------------------------- positions */

static void history_write(struct pen *pen, uint32_t number, const struct bg_board *board, int seat)
{
    uint8_t history[PACK_HISTORY];

    pen_bytes(pen, number, history, pack_history(history, board, seat));
}

static void position_write(struct pen *pen, uint32_t number, const struct bg_board *board)
{
    const uint8_t *end = pen->at;

    history_write(pen, POSITION_OPPONENT_HISTORY, board, 1);
    history_write(pen, POSITION_OWN_HISTORY, board, 0);
    pen_fixed64(pen, POSITION_OPPONENT_PINNED, board->pinned[1]);
    pen_fixed64(pen, POSITION_OWN_PINNED, board->pinned[0]);
    pen_bytes(pen, POSITION_OPPONENT, board->at[1], pack_side_size(board->at[1]));
    pen_bytes(pen, POSITION_OWN, board->at[0], pack_side_size(board->at[0]));
    pen_length(pen, number, end);
}

/* ---------------------------------------------------------------- settings */

static bool rules_same(const struct bg_rules *a, const struct bg_rules *b)
{
    return a->variant == b->variant && a->rotation == b->rotation &&
           a->length_points == b->length_points && a->opening == b->opening && a->cube == b->cube &&
           a->jacoby == b->jacoby && a->beavers == b->beavers && a->raises == b->raises &&
           a->auto_doubles == b->auto_doubles && a->crawford == b->crawford &&
           a->holland == b->holland && a->forfeit_single == b->forfeit_single &&
           a->fault_match == b->fault_match && a->flag_match == b->flag_match &&
           a->turn_cap == b->turn_cap && a->next == b->next && a->cube_limit == b->cube_limit;
}

static bool settings_same(const struct bg_ask *a, const struct bg_ask *b)
{
    return a->ceiling_ns == b->ceiling_ns && a->increment_ns[0] == b->increment_ns[0] &&
           a->increment_ns[1] == b->increment_ns[1] && a->delay_ns[0] == b->delay_ns[0] &&
           a->delay_ns[1] == b->delay_ns[1] && strcmp(a->opponent, b->opponent) == 0 &&
           rules_same(&a->rules, &b->rules);
}

/* Lists the different settings: list[] has one ask for each, index[i] is the entry for asks[i].
 * Returns how many there are. */
static size_t settings_gather(const struct bg_ask **list, uint16_t *index,
                              const struct bg_ask *const *asks, size_t count)
{
    size_t settings = 0;

    for (size_t i = 0; i < count; i++) {
        size_t oldest = settings > LOOK_BACK ? settings - LOOK_BACK : 0;
        size_t at = settings;

        while (at > oldest && !settings_same(list[at - 1], asks[i])) {
            at--;
        }
        if (at == oldest) { /* new settings */
            list[settings++] = asks[i];
            at = settings;
        }
        index[i] = (uint16_t)(at - 1);
    }
    return settings;
}

static Bgref__V1__TimeControl *time_fill(Bgref__V1__TimeControl *out, const struct bg_ask *ask)
{
    if ((ask->increment_ns[0] | ask->increment_ns[1] | ask->delay_ns[0] | ask->delay_ns[1]) == 0) {
        return NULL;
    }
    bgref__v1__time_control__init(out);
    out->own_increment_ns = not_negative(ask->increment_ns[0]);
    out->opponent_increment_ns = not_negative(ask->increment_ns[1]);
    out->own_delay_ns = not_negative(ask->delay_ns[0]);
    out->opponent_delay_ns = not_negative(ask->delay_ns[1]);
    return out;
}

/* Packs the settings into kept, unless they are the same as last time. */
static void settings_keep(struct pack_settings *kept, const struct bg_ask *ask)
{
    Bgref__V1__Settings message = BGREF__V1__SETTINGS__INIT;
    Bgref__V1__Rules rules;
    Bgref__V1__TimeControl time;

    if (kept->size > 0 && settings_same(&kept->of, ask)) {
        return;
    }
    kept->of = *ask;
    message.rules = pack_rules(&rules, &ask->rules);
    message.ceiling_ns = not_negative(ask->ceiling_ns);
    message.opponent = kept->of.opponent;
    message.time = time_fill(&time, ask);
    assert(bgref__v1__settings__get_packed_size(&message) <= SETTINGS_BYTES);
    kept->size = bgref__v1__settings__pack(&message, kept->bytes);
}

/* ---------------------------------------------------------------- asks */

static void numbers_write(struct pen *pen, const struct bg_stage *stage)
{
    for (size_t i = stage->parts; i-- > 0;) {
        const uint8_t *end = pen->at;

        pen_number(pen, NUMBERS_TIMES, stage->part[i].times);
        pen_number(pen, NUMBERS_NUMBER, stage->part[i].number);
        pen_length(pen, ASK_NUMBERS, end);
    }
}

static void clock_write(struct pen *pen, const struct bg_ask *ask)
{
    const uint8_t *end = pen->at;

    if (ask->has_clock) {
        pen_number(pen, CLOCK_OPPONENT_LEFT_NS, not_negative(ask->left_ns[1]));
        pen_number(pen, CLOCK_OWN_LEFT_NS, not_negative(ask->left_ns[0]));
        pen_length(pen, ASK_CLOCK, end);
    }
}

static void results_write(struct pen *pen, const struct bg_ask *ask)
{
    for (size_t i = ask->results == NULL ? 0 : ask->result_count; i-- > 0;) {
        const struct bg_ask_result *result = &ask->results[i];
        const uint8_t *end = pen->at;

        assert(result->play.moves <= BG_MOVES_MAX);
        pen_bytes(pen, RESULT_MOVES, result->play.move, 2 * (size_t)result->play.moves);
        position_write(pen, RESULT_POSITION, &result->board);
        pen_length(pen, ASK_RESULTS, end);
    }
}

static void enter_write(struct pen *pen, const struct bg_ask *ask)
{
    const uint8_t *end = pen->at;

    if (ask->kind == BG_DECIDE_DICE) {
        pen_number(pen, ENTER_DISAGREEMENTS, (uint32_t)ask->disagreements);
        pen_bytes(pen, ENTER_ENTERED, ask->entered, ask->entered[0] == 0 ? 0 : (size_t)ask->dice);
        pen_number(pen, ENTER_OPENING, ask->opening_dice);
        pen_number(pen, ENTER_OWN, ask->own_dice);
        pen_number(pen, ENTER_COUNT, (uint32_t)ask->dice);
        pen_length(pen, ASK_ENTER, end);
    }
}

static void ask_write(struct pen *pen, const struct bg_ask *ask, uint16_t settings)
{
    const uint8_t *end = pen->at;

    enter_write(pen, ask);
    pen_number(pen, ASK_REFUSED_LEVEL, (uint32_t)ask->refused_level);
    pen_number(pen, ASK_RESIGN_LEVEL, (uint32_t)ask->resign_level);
    pen_number(pen, ASK_RAISE, (uint32_t)ask->raise);
    pen_number(pen, ASK_MAY_RAISE, ask->may_raise);
    pen_number(pen, ASK_POST_CRAWFORD, ask->post_crawford);
    pen_number(pen, ASK_CRAWFORD_GAME, ask->crawford_game);
    results_write(pen, ask);
    pen_number(pen, ASK_RESULT_COUNT, ask->result_count);
    clock_write(pen, ask);
    pen_number(pen, ASK_CUBE_OWNER, (uint32_t)(ask->cube_owner + 1)); /* centred is -1 here */
    pen_number(pen, ASK_CUBE_LOG2, (uint32_t)ask->cube_log2);
    pen_number(pen, ASK_OPPONENT_SCORE, not_negative(ask->score[1]));
    pen_number(pen, ASK_OWN_SCORE, not_negative(ask->score[0]));
    pen_number(pen, ASK_TURN, (uint32_t)ask->turn);
    pen_fixed64(pen, ASK_BOT_SEED, ask->bot_seed);
    numbers_write(pen, &ask->stage);
    position_write(pen, ASK_POSITION, &ask->board);
    pen_number(pen, ASK_SETTINGS, settings);
    pen_number(pen, ASK_KIND, (uint32_t)ask->kind);
    pen_bytes(pen, ASK_GAME, ask->game, strlen(ask->game));
    pen_number(pen, ASK_DECISION, ask->decision);
    pen_length(pen, ASKS_ASKS, end);
}

static enum bg_status settings_room(struct wire_buffer *buffer, struct bg_error *err)
{
    if (buffer->settings == NULL) {
        buffer->settings = calloc(1, sizeof *buffer->settings);
    }
    return buffer->settings != NULL ? BG_OK : bg_error_set(err, BG_E_MEMORY, "settings of asks");
}

enum bg_status wire_pack_asks(struct wire_buffer *buffer, const struct bg_ask *const *asks,
                              size_t count, struct bg_error *err)
{
    const struct bg_ask *list[WIRE_BATCH_MAX];
    uint16_t index[WIRE_BATCH_MAX];
    size_t results = 0, settings;
    enum bg_status status;
    struct pen pen;

    assert(count <= WIRE_BATCH_MAX);
    for (size_t i = 0; i < count; i++) {
        results += asks[i]->results == NULL ? 0 : asks[i]->result_count;
    }
    settings = settings_gather(list, index, asks, count);
    if ((status = settings_room(buffer, err)) != BG_OK ||
        (status = pack_room(buffer,
                            ENVELOPE_BYTES + settings * SETTINGS_BYTES + count * ASK_BYTES +
                                results * RESULT_BYTES,
                            err)) != BG_OK) {
        return status;
    }
    pen.at = buffer->memory + buffer->room;
    for (size_t i = count; i-- > 0;) {
        ask_write(&pen, asks[i], index[i]);
    }
    for (size_t i = settings; i-- > 0;) {
        settings_keep(buffer->settings, list[i]);
        pen_raw(&pen, buffer->settings->bytes, buffer->settings->size);
        pen_length(&pen, ASKS_SETTINGS, pen.at + buffer->settings->size);
    }
    pen_length(&pen, TO_BOT_ASKS, buffer->memory + buffer->room);
    buffer->data = pen.at;
    buffer->size = (size_t)(buffer->memory + buffer->room - pen.at);
    return BG_OK;
}

/* ---------------------------------------------------------------- answers */

static void dice_write(struct pen *pen, uint32_t digits)
{
    uint8_t die[WIRE_DICE];

    pen_bytes(pen, ANSWER_DICE, die, wire_dice_of_digits(die, digits));
}

static void answer_write(struct pen *pen, const struct bg_answer *answer,
                         const struct wire_bytes *thought)
{
    const uint8_t *const all = pen->at, *end;

    if (thought != NULL) {
        pen_bytes(pen, ANSWER_THOUGHT, thought->data, thought->size);
    }
    end = pen->at;
    switch (answer->kind) {
    case BG_ANSWER_NAME:
        pen_choice(pen, ANSWER_NAME, answer->value);
        break;
    case BG_ANSWER_RESIGN:
        pen_choice(pen, ANSWER_RESIGN, answer->value);
        break;
    case BG_ANSWER_INDEX:
        pen_choice(pen, ANSWER_INDEX, answer->value);
        break;
    case BG_ANSWER_MOVES:
        assert(answer->play.moves <= BG_MOVES_MAX);
        pen_raw(pen, answer->play.move, 2 * (size_t)answer->play.moves);
        pen_length(pen, ANSWER_MOVES, end);
        break;
    case BG_ANSWER_RESULT:
        position_write(pen, ANSWER_RESULT, &answer->result);
        break;
    case BG_ANSWER_DICE:
        dice_write(pen, answer->value);
        break;
    default:
        pen_choice(pen, ANSWER_ACTION, (uint32_t)answer->kind);
        break;
    }
    pen_number(pen, ANSWER_DECISION, answer->decision);
    pen_length(pen, ANSWERS_ANSWERS, all);
}

enum bg_status wire_pack_answers(struct wire_buffer *buffer, const struct bg_answer *answers,
                                 size_t count, struct bg_error *err)
{
    return wire_pack_thoughts(buffer, answers, NULL, count, err);
}

enum bg_status wire_pack_thoughts(struct wire_buffer *buffer, const struct bg_answer *answers,
                                  const struct wire_bytes *thoughts, size_t count,
                                  struct bg_error *err)
{
    size_t room = ENVELOPE_BYTES + count * ANSWER_BYTES;
    enum bg_status status;
    struct pen pen;

    for (size_t i = 0; i < count && thoughts != NULL; i++) {
        room += thoughts[i].size + THOUGHT_HEAD;
    }
    status = pack_room(buffer, room, err);
    if (status != BG_OK) {
        return status;
    }
    pen.at = buffer->memory + buffer->room;
    for (size_t i = count; i-- > 0;) {
        answer_write(&pen, &answers[i], thoughts == NULL ? NULL : &thoughts[i]);
    }
    pen_length(&pen, TO_REFEREE_ANSWERS, buffer->memory + buffer->room);
    buffer->data = pen.at;
    buffer->size = (size_t)(buffer->memory + buffer->room - pen.at);
    return BG_OK;
}
