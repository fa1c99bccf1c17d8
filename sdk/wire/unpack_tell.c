/* NewGame and Tells, as the client reads them. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "unpack.h"

static enum bg_status begin_read(struct bg_game_begin *out, struct wire_reader *reader,
                                 const Bgref__V1__GameBegin *in, struct bg_error *err)
{
    static const int owners[] = {BG_CENTRED, 0, 1}; /* by enum CubeOwner */
    const struct unpack_range ranges[] = {
        {"cube_log2", in->cube_log2, BG_CUBE_LOG2_MAX},
        {"cube_owner", (uint64_t)in->cube_owner, BGREF__V1__CUBE_OWNER__CUBE_OPPONENT},
        {"own_score", in->own_score, INT64_MAX},
        {"opponent_score", in->opponent_score, INT64_MAX},
        {"game_number", in->game_number, INT_MAX},
        {"own_left_ns", in->clock == NULL ? 0 : in->clock->own_left_ns, INT64_MAX},
        {"opponent_left_ns", in->clock == NULL ? 0 : in->clock->opponent_left_ns, INT64_MAX},
    };
    enum bg_status status = unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);

    memset(out, 0, sizeof *out);
    if (status != BG_OK ||
        (status = unpack_text(out->game, sizeof out->game, in->game, "game", err)) != BG_OK ||
        (status = unpack_text(out->opponent, sizeof out->opponent, in->opponent, "opponent",
                              err)) != BG_OK) {
        return status;
    }
    if (in->rules == NULL || in->position == NULL || !unpack_position(&out->board, in->position)) {
        return bg_error_set(err, BG_E_FORMAT, "begin: rules or position missing or impossible");
    }
    out->cube_log2 = (int)in->cube_log2;
    out->cube_owner = owners[in->cube_owner];
    out->score[0] = (int64_t)in->own_score;
    out->score[1] = (int64_t)in->opponent_score;
    out->crawford_game = in->crawford_game;
    out->post_crawford = in->post_crawford;
    out->has_clock = in->clock != NULL;
    out->left_ns[0] = out->has_clock ? (int64_t)in->clock->own_left_ns : 0;
    out->left_ns[1] = out->has_clock ? (int64_t)in->clock->opponent_left_ns : 0;
    out->bot_seed = in->bot_seed;
    out->game_number = (int)in->game_number;
    return unpack_rules(&out->rules, reader, in->rules, err);
}

static enum bg_status step_read(struct bg_tell_step *out, const Bgref__V1__Stepped *in,
                                struct bg_error *err)
{
    const struct unpack_range ranges[] = {
        {"step: kind", (uint64_t)in->kind, BG_STEP_FAULT},
        {"step: dice", in->dice.len, sizeof out->die},
        {"step: level", in->level, BG_CHECKERS},
    };
    enum bg_status status = unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);

    if (status != BG_OK) {
        return status;
    }
    out->kind = (enum bg_step_kind)in->kind;
    out->own = in->own;
    out->dice = (int)in->dice.len;
    if (in->dice.len > 0) {
        memcpy(out->die, in->dice.data, in->dice.len);
    }
    out->level = (int)in->level;
    if (out->kind == BG_STEP_PLAY &&
        (in->position == NULL || !unpack_position(&out->board, in->position) ||
         !unpack_moves(&out->play, in->moves.data, in->moves.len) ||
         !unpack_slots_exist(&out->play))) {
        return bg_error_set(err, BG_E_FORMAT, "step: play missing or impossible");
    }
    if (out->kind == BG_STEP_FAULT) {
        /* Not refused if unknown: a fault of a newer referee is still a fault, and the game is
         * over. */
        out->fault = bg_fault_from_name(in->fault);
    }
    return BG_OK;
}

static enum bg_status end_read(struct bg_tell_end *out, const Bgref__V1__GameEnd *in,
                               struct bg_error *err)
{
    const struct unpack_range ranges[] = {
        {"end: level", in->level, INT_MAX},
        {"end: own_score", in->own_score, INT64_MAX},
        {"end: opponent_score", in->opponent_score, INT64_MAX},
    };
    enum bg_status status = unpack_ranges(ranges, sizeof ranges / sizeof ranges[0], err);

    if (status != BG_OK) {
        return status;
    }
    while (out->end < BG_END_COUNT && strcmp(bg_end_name(out->end), in->how) != 0) {
        out->end++;
    }
    out->level = (int)in->level;
    out->own_points = in->own_points;
    out->score[0] = (int64_t)in->own_score;
    out->score[1] = (int64_t)in->opponent_score;
    return out->end < BG_END_COUNT
               ? BG_OK
               : bg_error_set(err, BG_E_FORMAT, "end: how it ended is not known");
}

static enum bg_status paired_read(struct bg_tell_paired *out, const Bgref__V1__Paired *in,
                                  struct bg_error *err)
{
    const struct unpack_range range = {"paired: length", in->length, INT_MAX};
    enum bg_status status = unpack_ranges(&range, 1, err);

    if (status == BG_OK) {
        status =
            unpack_text(out->opponent, sizeof out->opponent, in->opponent, "paired: opponent", err);
    }
    if (status == BG_OK) {
        status = unpack_text(out->event, sizeof out->event, in->event, "paired: event", err);
    }
    out->length = (int)in->length;
    return status;
}

static enum bg_status tell_read(struct bg_tell *out, struct wire_reader *reader,
                                const Bgref__V1__Tell *in, struct bg_error *err)
{
    enum bg_status status = unpack_text(out->game, sizeof out->game, in->game, "game", err);

    out->number = in->number;
    if (status != BG_OK) {
        return status;
    }
    switch (in->event_case) {
    case BGREF__V1__TELL__EVENT_BEGIN:
        out->kind = BG_TELL_BEGIN;
        return begin_read(&out->begin, reader, in->begin, err);
    case BGREF__V1__TELL__EVENT_STEP:
        out->kind = BG_TELL_STEP;
        return step_read(&out->step, in->step, err);
    case BGREF__V1__TELL__EVENT_END:
        out->kind = BG_TELL_END;
        return end_read(&out->end, in->end, err);
    case BGREF__V1__TELL__EVENT_MATCH_END:
        out->kind = BG_TELL_MATCH_END;
        out->own_won = in->match_end->drawn ? -1 : in->match_end->own_won;
        return BG_OK;
    case BGREF__V1__TELL__EVENT_PAIRED:
        out->kind = BG_TELL_PAIRED;
        return paired_read(&out->paired, in->paired, err);
    case BGREF__V1__TELL__EVENT__NOT_SET:
    default:
        return bg_error_set(err, BG_E_FORMAT, "no known event");
    }
}

enum bg_status unpack_tells(struct wire_message *out, struct wire_reader *reader,
                            const Bgref__V1__Tells *in, struct bg_error *err)
{
    struct bg_tell *tells = unpack_take(reader, in->n_tells * sizeof *tells);

    out->content = WIRE_TELLS;
    if (tells == NULL) {
        return unpack_exhausted(reader, err);
    }
    memset(tells, 0, in->n_tells * sizeof *tells);
    for (size_t i = 0; i < in->n_tells; i++) {
        struct bg_error why;
        enum bg_status status = tell_read(&tells[i], reader, in->tells[i], &why);

        if (status != BG_OK) {
            return bg_error_set(err, status, "tell %zu: %s", i, why.text);
        }
    }
    out->count = in->n_tells;
    out->tells = tells;
    return BG_OK;
}

enum bg_status unpack_new_game(struct wire_message *out, struct wire_reader *reader,
                               const Bgref__V1__NewGame *in, struct bg_error *err)
{
    struct bg_game_begin *begin = unpack_take(reader, sizeof *begin);
    struct bg_error why;
    enum bg_status status;

    out->content = WIRE_NEW_GAME;
    if (begin == NULL) {
        return unpack_exhausted(reader, err);
    }
    if (in->begin == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "new_game: begin: missing");
    }
    status = begin_read(begin, reader, in->begin, &why);
    if (status != BG_OK) {
        return bg_error_set(err, status, "new_game: %s", why.text);
    }
    memcpy(out->game, begin->game, sizeof out->game);
    out->begin = begin;
    return BG_OK;
}
