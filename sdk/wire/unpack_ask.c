#include "unpack.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESULTS_MAX = 4096, HISTORY = 8 };

/* ---------------------------------------------------------------- positions and plays */

/* One side's counts; false when they are impossible. */
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

bool unpack_position(struct bg_board *out, const Bgref__V1__Position *in)
{
    out->pinned[0] = in->own_pinned;
    out->pinned[1] = in->foe_pinned;
    return side_read(out->at[0], &in->own) && side_read(out->at[1], &in->foe) &&
           (in->own_pinned | in->foe_pinned) >> BG_SLOTS == 0 &&
           history_read(out, 0, &in->own_history) && history_read(out, 1, &in->foe_history);
}

bool unpack_moves(struct bg_play *out, const ProtobufCBinaryData *in)
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

bool unpack_slots_exist(const struct bg_play *play)
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
    status = unpack_text(id, sizeof id, text, "rules: variant", err);
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
    status = unpack_text(id, sizeof id, text, "rules: rotation", err);
    if (status != BG_OK) {
        return status;
    }
    *out = bg_rotation_find(id);
    return *out != NULL ? BG_OK
                        : bg_error_set(err, BG_E_FORMAT, "rules: rotation %s: not known here", id);
}

enum bg_status unpack_rules(struct bg_rules *out, struct wire_reader *reader,
                            const Bgref__V1__Rules *in, struct bg_error *err)
{
    const struct unpack_range ranges[] = {
        {"rules: length", in->length, 10000},
        {"rules: opening", (uint32_t)in->opening, BG_OPENING_COUNT - 1},
        {"rules: raises + 1", (uint64_t)((int64_t)in->raises + 1), BG_CUBE_LOG2_MAX + 1},
        {"rules: auto_doubles", in->auto_doubles, BG_CUBE_LOG2_MAX},
        {"rules: turn_cap", in->turn_cap, INT_MAX},
        {"rules: next", (uint32_t)in->next, BG_NEXT_COUNT - 1},
        {"rules: cube_limit", in->cube_limit, 1 << 30},
    };
    enum bg_status status = unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);

    if (status != BG_OK) {
        return status;
    }
    if (in->n_options > 0) {
        char option[WIRE_TEXT];

        status = unpack_text(option, sizeof option, in->options[0], "rules: option", err);
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
    out->flag_match = in->flag_match;
    out->turn_cap = (int)in->turn_cap;
    out->next = (enum bg_next)in->next;
    out->cube_limit = (int)in->cube_limit;
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
    results = unpack_take(reader, in->n_results * sizeof *results);
    if (results == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; i < in->n_results; i++) {
        const Bgref__V1__Result *result = in->results[i];

        if (result->position == NULL || !unpack_position(&results[i].board, result->position) ||
            !unpack_moves(&results[i].play, &result->moves) ||
            !unpack_slots_exist(&results[i].play)) {
            return bg_error_set(err, BG_E_FORMAT, "results: number %zu is impossible", i);
        }
    }
    out->results = results;
    return BG_OK;
}

static enum bg_status ask_ranges_check(const Bgref__V1__Ask *in, struct bg_error *err)
{
    const struct unpack_range ranges[] = {
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
    return unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);
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
    out->played = NULL;
    if (!unpack_position(&out->board, in->position)) {
        return bg_error_set(err, BG_E_FORMAT, "position: impossible");
    }
    if ((status = unpack_text(out->game, sizeof out->game, in->game, "game", err)) != BG_OK ||
        (status = unpack_text(out->opponent, sizeof out->opponent, in->opponent, "opponent",
                              err)) != BG_OK ||
        (status = unpack_rules(&out->rules, reader, in->rules, err)) != BG_OK ||
        (status = stage_read(&out->stage, in, err)) != BG_OK ||
        (status = clock_read(out, in->clock, err)) != BG_OK) {
        return status;
    }
    return results_read(out, reader, in, err);
}

enum bg_status unpack_asks(struct wire_message *out, struct wire_reader *reader,
                           const Bgref__V1__Asks *in, struct bg_error *err)
{
    struct bg_ask *asks;

    if (in->n_asks > WIRE_BATCH_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "asks: %zu in one message, at most %d", in->n_asks,
                            WIRE_BATCH_MAX);
    }
    asks = unpack_take(reader, in->n_asks * sizeof *asks);
    if (asks == NULL) {
        return unpack_exhausted(reader, err);
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

enum { TROUBLE = 96 };

static bool number_is_good(char *trouble, const char *what, uint32_t value, uint32_t max)
{
    if (value >= 1 && value <= max) {
        return true;
    }
    snprintf(trouble, TROUBLE, "%s %" PRIu32 " is not within 1..%" PRIu32, what, value, max);
    return false;
}

static void moves_answer_read(struct bg_answer *out, char *trouble, const ProtobufCBinaryData *in)
{
    if (unpack_moves(&out->play, in)) {
        out->kind = BG_ANSWER_MOVES;
        return;
    }
    snprintf(trouble, TROUBLE, "moves has %zu bytes; a move is two (from, to), at most %d in all",
             in->len, 2 * BG_MOVES_MAX);
}

static void result_answer_read(struct bg_answer *out, char *trouble, const Bgref__V1__Position *in)
{
    if (in != NULL && unpack_position(&out->result, in)) {
        out->kind = BG_ANSWER_RESULT;
        return;
    }
    snprintf(trouble, TROUBLE, "result is not a position: at most %d slots and %d checkers a side",
             BG_SLOTS, BG_CHECKERS);
}

/* An unusable answer gets kind BG_ANSWER_NONE and trouble the reason; otherwise trouble is "". */
static void answer_read(struct bg_answer *out, char *trouble, const Bgref__V1__Answer *in)
{
    trouble[0] = '\0';
    out->decision = in->decision;
    out->kind = BG_ANSWER_NONE;
    out->value = 0;
    out->play.moves = 0;
    switch (in->content_case) {
    case BGREF__V1__ANSWER__CONTENT_ACTION:
        if (in->action > BGREF__V1__ACTION__ACTION_NONE &&
            in->action <= BGREF__V1__ACTION__ACTION_REFUSE) {
            out->kind = (enum bg_answer_kind)in->action; /* same numbers: see pack.c */
        } else {
            snprintf(trouble, TROUBLE, "action %d is not one of enum Action", (int)in->action);
        }
        break;
    case BGREF__V1__ANSWER__CONTENT_INDEX:
        out->kind = BG_ANSWER_INDEX;
        out->value = in->index;
        break;
    case BGREF__V1__ANSWER__CONTENT_MOVES:
        moves_answer_read(out, trouble, &in->moves);
        break;
    case BGREF__V1__ANSWER__CONTENT_RESULT:
        result_answer_read(out, trouble, in->result);
        break;
    case BGREF__V1__ANSWER__CONTENT_NAME:
        out->value = in->name;
        out->kind = number_is_good(trouble, "name", in->name, 6) ? BG_ANSWER_NAME : BG_ANSWER_NONE;
        break;
    case BGREF__V1__ANSWER__CONTENT_RESIGN:
        out->value = in->resign;
        out->kind = number_is_good(trouble, "resign", in->resign, BG_CHECKERS) ? BG_ANSWER_RESIGN
                                                                               : BG_ANSWER_NONE;
        break;
    case BGREF__V1__ANSWER__CONTENT__NOT_SET:
    default:
        snprintf(trouble, TROUBLE, "it has a number and nothing else that is known here");
        break;
    }
}

enum bg_status unpack_answers(struct wire_message *out, struct wire_reader *reader,
                              const Bgref__V1__Answers *in, struct bg_error *err)
{
    struct bg_answer *answers;
    const char **troubles;
    char trouble[TROUBLE];

    if (in->n_answers > WIRE_BATCH_MAX) {
        return bg_error_set(err, BG_E_FORMAT, "answers: %zu in one message, at most %d",
                            in->n_answers, WIRE_BATCH_MAX);
    }
    answers = unpack_take(reader, in->n_answers * sizeof *answers);
    troubles = (const char **)unpack_take(reader, in->n_answers * sizeof *troubles);
    if (answers == NULL || troubles == NULL) {
        return unpack_exhausted(reader, err);
    }
    for (size_t i = 0; i < in->n_answers; i++) {
        char *kept = NULL;

        answer_read(&answers[i], trouble, in->answers[i]);
        if (trouble[0] != '\0' && (kept = unpack_take(reader, strlen(trouble) + 1)) == NULL) {
            return unpack_exhausted(reader, err);
        }
        troubles[i] = kept == NULL ? NULL : strcpy(kept, trouble);
    }
    out->answers = answers;
    out->answer_trouble = troubles;
    out->count = in->n_answers;
    return BG_OK;
}
