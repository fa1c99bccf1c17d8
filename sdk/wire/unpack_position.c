/* A position is checked for what is possible at all, whatever the variant: at most BG_CHECKERS a
 * side. Whether it can occur in its game is the rules' matter, since the wire does not know
 * which game a position belongs to. */
#include "unpack.h"

#include <string.h>

#include "schema.h"

enum { HISTORY = 8 };

/* Reads one side's counts. Returns false if they are impossible. */
static bool side_read(uint8_t at[BG_SLOTS], const ProtobufCBinaryData *in)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t eight[(BG_SLOTS + 7) / 8] = {0}, sums = 0;

    if (in->len > BG_SLOTS) {
        return false;
    }
    memcpy(eight, in->data == NULL ? (const uint8_t *)"" : in->data, in->len);
    memcpy(at, eight, BG_SLOTS);
    /* A sum of ten bytes fits into 16 bits, so no lane can overflow into the next. */
    for (size_t i = 0; i < sizeof eight / sizeof eight[0]; i++) { /* four sums of ten bytes */
        sums += (eight[i] & even) + (eight[i] >> 8 & even);
    }
    return (sums & 0xffff) + (sums >> 16 & 0xffff) + (sums >> 32 & 0xffff) + (sums >> 48) <=
           BG_CHECKERS;
}

static bool history_read(struct bg_board *out, int seat, const ProtobufCBinaryData *in)
{
    uint8_t bytes[HISTORY] = {0};

    if (in->len == 0) { /* empty in most games */
        out->turns[seat] = out->may_hit[seat] = 0;
        memset(out->stacked[seat], 0, sizeof out->stacked[seat]);
        return true;
    }
    if (in->len > HISTORY) {
        return false;
    }
    memcpy(bytes, in->data, in->len);
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

bool unpack_position_fields(Bgref__V1__Position *out, const uint8_t *data, size_t size)
{
    static const uint8_t types[] = {
        [POSITION_OWN] = FIELD_BYTES,          [POSITION_OPPONENT] = FIELD_BYTES,
        [POSITION_OWN_PINNED] = FIELD_FIXED64, [POSITION_OPPONENT_PINNED] = FIELD_FIXED64,
        [POSITION_OWN_HISTORY] = FIELD_BYTES,  [POSITION_OPPONENT_HISTORY] = FIELD_BYTES,
    };
    ProtobufCBinaryData *const bytes[] = {
        [POSITION_OWN] = &out->own,
        [POSITION_OPPONENT] = &out->opponent,
        [POSITION_OWN_HISTORY] = &out->own_history,
        [POSITION_OPPONENT_HISTORY] = &out->opponent_history,
    };
    struct fields fields = fields_of(data, size);
    struct wire_field field;

    while (fields_next(&fields, &field)) {
        if (field.number > POSITION_OPPONENT_HISTORY) {
            continue;
        }
        if (field.type != types[field.number]) {
            return false;
        }
        if (field.type == FIELD_BYTES) {
            *bytes[field.number] =
                (ProtobufCBinaryData){field.size, (uint8_t *)(uintptr_t)field.data};
        } else if (field.number == POSITION_OWN_PINNED) {
            out->own_pinned = field.value;
        } else {
            out->opponent_pinned = field.value;
        }
    }
    return !fields.malformed;
}

bool unpack_position(struct bg_board *out, const Bgref__V1__Position *in)
{
    out->pinned[0] = in->own_pinned;
    out->pinned[1] = in->opponent_pinned;
    return side_read(out->at[0], &in->own) && side_read(out->at[1], &in->opponent) &&
           (in->own_pinned | in->opponent_pinned) >> BG_SLOTS == 0 &&
           history_read(out, 0, &in->own_history) && history_read(out, 1, &in->opponent_history);
}

bool unpack_moves(struct bg_play *out, const uint8_t *data, size_t size)
{
    if (size % 2 != 0 || size > 2 * BG_MOVES_MAX) {
        return false;
    }
    memset(out, 0, sizeof *out);
    out->moves = (uint8_t)(size / 2);
    for (size_t i = 0; i < out->moves; i++) {
        out->move[i] = (struct bg_move){data[2 * i], data[2 * i + 1]};
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
