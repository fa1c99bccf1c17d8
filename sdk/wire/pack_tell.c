/* NewGame and Tells, packed by the generated code: only bots that ask for them get them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"
#include "pen.h"
#include "schema.h"

enum { HEAD_BYTES = 16 };

static_assert((int)BG_STEP_FAULT == (int)BGREF__V1__STEP_KIND__STEP_FAULT, "");
static_assert((int)BG_STEP_ROLL == (int)BGREF__V1__STEP_KIND__STEP_ROLL, "");

struct begin_space {
    Bgref__V1__GameBegin message;
    Bgref__V1__Rules rules;
    Bgref__V1__Clock clock;
    struct pack_position position;
};

static Bgref__V1__GameBegin *begin_fill(struct begin_space *space,
                                        const struct bg_game_begin *begin)
{
    Bgref__V1__GameBegin *out = &space->message;

    bgref__v1__game_begin__init(out);
    out->game = pack_text_lent(begin->game);
    out->rules = pack_rules(&space->rules, &begin->rules);
    out->position = pack_position(&space->position, &begin->board);
    out->cube_log2 = (uint32_t)begin->cube_log2;
    out->cube_owner = (Bgref__V1__CubeOwner)(begin->cube_owner + 1); /* centred is -1 here */
    out->own_score = (uint64_t)begin->score[0];
    out->opponent_score = (uint64_t)begin->score[1];
    out->crawford_game = begin->crawford_game;
    out->post_crawford = begin->post_crawford;
    if (begin->has_clock) {
        bgref__v1__clock__init(&space->clock);
        /* A flag that has fallen leaves less than nothing; the field has no sign. */
        space->clock.own_left_ns = begin->left_ns[0] < 0 ? 0 : (uint64_t)begin->left_ns[0];
        space->clock.opponent_left_ns = begin->left_ns[1] < 0 ? 0 : (uint64_t)begin->left_ns[1];
        out->clock = &space->clock;
    }
    out->bot_seed = begin->bot_seed;
    out->opponent = pack_text_lent(begin->opponent);
    out->game_number = (uint32_t)begin->game_number;
    return out;
}

enum bg_status wire_pack_new_game(struct wire_buffer *buffer, const struct bg_game_begin *begin,
                                  struct bg_error *err)
{
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__NewGame message = BGREF__V1__NEW_GAME__INIT;
    struct begin_space space;

    message.begin = begin_fill(&space, begin);
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_NEW_GAME;
    envelope.new_game = &message;
    return pack_envelope(buffer, &envelope.base, err);
}

/* ---------------------------------------------------------------- tells */

static void step_fill(Bgref__V1__Stepped *out, struct pack_position *position,
                      const struct bg_tell_step *step)
{
    bgref__v1__stepped__init(out);
    out->kind = (Bgref__V1__StepKind)step->kind;
    out->own = step->own;
    out->dice = (ProtobufCBinaryData){(size_t)step->dice, pack_bytes_lent(step->die)};
    out->level = (uint32_t)step->level;
    if (step->kind == BG_STEP_PLAY) {
        out->moves = pack_moves(&step->play);
        out->position = pack_position(position, &step->board);
    }
    if (step->kind == BG_STEP_FAULT) {
        out->fault = pack_text_lent(bg_fault_name(step->fault));
    }
}

static void end_fill(Bgref__V1__GameEnd *out, const struct bg_tell_end *end)
{
    bgref__v1__game_end__init(out);
    out->how = pack_text_lent(bg_end_name(end->end));
    out->own_points = end->own_points;
    out->level = (uint32_t)end->level;
    out->own_score = (uint64_t)end->score[0];
    out->opponent_score = (uint64_t)end->score[1];
}

static enum bg_status tells_room(struct wire_tells *tells, size_t more, struct bg_error *err)
{
    if (tells->room - tells->size < more) {
        /* Twice as much, so that the steps of a long game do not cost an allocation each. */
        size_t room = 2 * tells->room + more;
        uint8_t *data = realloc(tells->data, room);

        if (data == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "tells of %zu bytes", room);
        }
        tells->data = data;
        tells->room = room;
    }
    return BG_OK;
}

enum bg_status wire_tells_add(struct wire_tells *tells, const struct bg_tell *tell,
                              struct bg_error *err)
{
    Bgref__V1__Tell message = BGREF__V1__TELL__INIT;
    Bgref__V1__Stepped step;
    Bgref__V1__GameEnd end;
    Bgref__V1__MatchEnd match_end = BGREF__V1__MATCH_END__INIT;
    Bgref__V1__Paired paired = BGREF__V1__PAIRED__INIT;
    struct begin_space begin;
    struct pack_position position;
    uint8_t head[HEAD_BYTES];
    struct pen pen = {head + sizeof head};
    enum bg_status status;
    size_t size;

    message.game = pack_text_lent(tell->game);
    message.number = tell->number;
    switch (tell->kind) {
    case BG_TELL_BEGIN:
        message.event_case = BGREF__V1__TELL__EVENT_BEGIN;
        message.begin = begin_fill(&begin, &tell->begin);
        break;
    case BG_TELL_STEP:
        step_fill(&step, &position, &tell->step);
        message.event_case = BGREF__V1__TELL__EVENT_STEP;
        message.step = &step;
        break;
    case BG_TELL_END:
        end_fill(&end, &tell->end);
        message.event_case = BGREF__V1__TELL__EVENT_END;
        message.end = &end;
        break;
    case BG_TELL_PAIRED:
        paired.opponent = pack_text_lent(tell->paired.opponent);
        paired.event = pack_text_lent(tell->paired.event);
        paired.length = (uint32_t)tell->paired.length;
        message.event_case = BGREF__V1__TELL__EVENT_PAIRED;
        message.paired = &paired;
        break;
    default:
        match_end.own_won = tell->own_won > 0;
        match_end.drawn = tell->own_won < 0;
        message.event_case = BGREF__V1__TELL__EVENT_MATCH_END;
        message.match_end = &match_end;
        break;
    }
    /* Packed now and not when it is sent: what it tells of is lent, and changes with the next
     * step. */
    size = bgref__v1__tell__get_packed_size(&message);
    pen_varint(&pen, size);
    pen_tag(&pen, TELLS_TELLS, FIELD_BYTES);
    status = tells_room(tells, sizeof head + size, err);
    if (status == BG_OK) {
        size_t head_size = (size_t)(head + sizeof head - pen.at);

        memcpy(tells->data + tells->size, pen.at, head_size);
        tells->size += head_size;
        tells->size += bgref__v1__tell__pack(&message, tells->data + tells->size);
    }
    return status;
}

enum bg_status wire_tells_move(struct wire_tells *to, struct wire_tells *from, struct bg_error *err)
{
    enum bg_status status = tells_room(to, from->size, err);

    if (status == BG_OK && from->size > 0) {
        memcpy(to->data + to->size, from->data, from->size);
        to->size += from->size;
        from->size = 0;
    }
    return status;
}

void wire_tells_deinit(struct wire_tells *tells)
{
    free(tells->data);
    *tells = (struct wire_tells){0};
}

enum bg_status wire_pack_tells(struct wire_buffer *buffer, const struct wire_tells *tells,
                               struct bg_error *err)
{
    enum bg_status status = pack_room(buffer, HEAD_BYTES + tells->size, err);
    struct pen pen;

    if (status == BG_OK) {
        pen.at = buffer->memory + buffer->room;
        pen_raw(&pen, tells->data, tells->size);
        pen_length(&pen, TO_BOT_TELLS, buffer->memory + buffer->room);
        buffer->data = pen.at;
        buffer->size = (size_t)(buffer->memory + buffer->room - pen.at);
    }
    return status;
}
