/* A thought is read by hand like the answer around it, but apart from it: an answer whose thought
 * is garbage is an answer. What is impossible drops all of it, because a reader of the record could
 * not know which half of a mistaken thought to believe. */
#include <math.h>

#include "pen.h"
#include "rules/clean.h"
#include "schema.h"
#include "unpack.h"

/* Engines compute chances with floats. */
static const double slack = 1e-4;

enum { EQUITY_MOST = 1000 };

/* ---------------------------------------------------------------- reading */

static double double_of(const struct wire_field *field)
{
    double value;

    memcpy(&value, &field->value, sizeof value);
    return value;
}

/* The chances in the order of their fields. */
static double *chance_at(struct bg_chances *chances, uint32_t number)
{
    double *const at[] = {&chances->win, &chances->win_gammon, &chances->win_backgammon,
                          &chances->lose_gammon, &chances->lose_backgammon};

    return at[number - CHANCES_WIN];
}

static bool chances_read(struct bg_thought *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    out->has_chances = true;
    while (fields_next(&fields, &field)) {
        if (field.number <= CHANCES_LOSE_BACKGAMMON) {
            if (field.type != FIELD_FIXED64) {
                return false;
            }
            *chance_at(&out->chances, field.number) = double_of(&field);
        }
    }
    return !fields.malformed;
}

static bool worth_read(struct bg_thought *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    out->has_equity = true;
    while (fields_next(&fields, &field)) {
        if (field.number == WORTH_EQUITY) {
            if (field.type != FIELD_FIXED64) {
                return false;
            }
            out->chances.equity = double_of(&field);
        }
    }
    return !fields.malformed;
}

static bool candidate_read(struct bg_candidate *out, const struct wire_field *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;

    *out = (struct bg_candidate){.kind = BG_ANSWER_NONE};
    while (fields_next(&fields, &field)) {
        if (field.number == CANDIDATE_ACTION && field.type == FIELD_VARINT) {
            out->kind =
                field.value <= BG_ANSWER_REFUSE ? (enum bg_answer_kind)field.value : BG_ANSWER_NONE;
        } else if (field.number == CANDIDATE_MOVES && field.type == FIELD_BYTES) {
            out->kind = BG_ANSWER_MOVES;
            if (field.size == 0 || !unpack_moves(&out->play, field.data, field.size) ||
                !unpack_slots_exist(&out->play)) {
                return false;
            }
        } else if (field.number == CANDIDATE_EQUITY && field.type == FIELD_FIXED64) {
            out->equity = double_of(&field);
        } else if (field.number <= CANDIDATE_EQUITY) {
            return false;
        }
    }
    return !fields.malformed && out->kind != BG_ANSWER_NONE;
}

static const char *field_read(struct bg_thought *out, const struct wire_field *field)
{
    switch (field->number) {
    case THOUGHT_CHANCES:
        return field->type == FIELD_BYTES && chances_read(out, field) ? NULL : "no chances";
    case THOUGHT_WORTH:
        return field->type == FIELD_BYTES && worth_read(out, field) ? NULL : "no equity";
    case THOUGHT_CANDIDATES:
        if (out->candidate_count == BG_CANDIDATES_MAX) {
            return "more than 8 candidates";
        }
        return field->type == FIELD_BYTES &&
                       candidate_read(&out->candidate[out->candidate_count++], field)
                   ? NULL
                   : "a candidate that is neither an action nor moves";
    case THOUGHT_PLIES:
        out->plies = (uint32_t)field->value;
        return field->type == FIELD_VARINT && field->value <= BG_THOUGHT_PLIES_MAX
                   ? NULL
                   : "plies are not within 0..100";
    case THOUGHT_TEXT:
        if (field->type != FIELD_BYTES) {
            return "no text";
        }
        clean_write(out->text, sizeof out->text, (const char *)field->data, field->size,
                    CLEAN_LINE);
        return NULL;
    case THOUGHT_UNIT:
        out->unit = (enum bg_equity_unit)field->value;
        return field->type == FIELD_VARINT && field->value < BG_EQUITY_UNIT_COUNT
                   ? NULL
                   : "an unknown unit of equity";
    default:
        return NULL; /* of a later version */
    }
}

/* Brings a chance into 0..whole. Returns false if it is not within 0..1 but for rounding. Nets know
 * nothing of sums: that more gammons than games are won is no garbage. */
static bool chance_fits(double *chance, double whole)
{
    if (!(*chance >= -slack && *chance <= 1.0 + slack)) { /* also false for what is no number */
        return false;
    }
    *chance = *chance < 0.0 ? 0.0 : *chance > whole ? whole : *chance;
    return true;
}

static bool equity_fits(double *equity, enum bg_equity_unit unit)
{
    return unit == BG_EQUITY_MATCH ? chance_fits(equity, 1.0)
                                   : isfinite(*equity) && fabs(*equity) <= EQUITY_MOST;
}

static const char *thought_check(struct bg_thought *thought)
{
    struct bg_chances *chances = &thought->chances;

    if (!chance_fits(&chances->win, 1.0) || !chance_fits(&chances->win_gammon, chances->win) ||
        !chance_fits(&chances->win_backgammon, chances->win_gammon) ||
        !chance_fits(&chances->lose_gammon, 1.0 - chances->win) ||
        !chance_fits(&chances->lose_backgammon, chances->lose_gammon)) {
        return "a chance outside 0..1";
    }
    if (!equity_fits(&chances->equity, thought->unit)) {
        return "an equity outside its unit's range";
    }
    for (uint32_t i = 0; i < thought->candidate_count; i++) {
        if (!equity_fits(&thought->candidate[i].equity, thought->unit)) {
            return "a candidate's equity outside its unit's range";
        }
    }
    return NULL;
}

const char *wire_thought_read(struct bg_thought *out, const struct wire_bytes *in)
{
    struct fields fields = fields_of(in->data, in->size);
    struct wire_field field;
    const char *why = NULL;

    *out = (struct bg_thought){.size = sizeof *out};
    while (why == NULL && fields_next(&fields, &field)) {
        why = field_read(out, &field);
    }
    if (why == NULL && fields.malformed) {
        why = "bytes that are no Thought";
    }
    return why == NULL ? thought_check(out) : why;
}

bool wire_thought_is_empty(const struct bg_thought *thought)
{
    return !thought->has_chances && !thought->has_equity && thought->candidate_count == 0 &&
           thought->plies == 0 && thought->text[0] == '\0';
}

/* ---------------------------------------------------------------- writing */

static void double_write(struct pen *pen, uint32_t number, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    pen_fixed64(pen, number, bits);
}

static void candidate_write(struct pen *pen, const struct bg_candidate *candidate)
{
    const uint8_t *end = pen->at;

    double_write(pen, CANDIDATE_EQUITY, candidate->equity);
    if (candidate->kind == BG_ANSWER_MOVES) {
        const size_t moves =
            candidate->play.moves <= BG_MOVES_MAX ? candidate->play.moves : BG_MOVES_MAX;

        pen_bytes(pen, CANDIDATE_MOVES, candidate->play.move, 2 * moves);
    } else {
        pen_choice(pen, CANDIDATE_ACTION, (uint32_t)candidate->kind);
    }
    pen_length(pen, THOUGHT_CANDIDATES, end);
}

size_t wire_thought_write(uint8_t out[WIRE_THOUGHT], const struct bg_thought *thought)
{
    struct pen pen = {out + WIRE_THOUGHT};
    struct bg_chances chances = thought->chances;
    const uint8_t *end;

    pen_number(&pen, THOUGHT_UNIT, (uint32_t)thought->unit);
    pen_bytes(&pen, THOUGHT_TEXT, thought->text, strnlen(thought->text, sizeof thought->text - 1));
    pen_number(&pen, THOUGHT_PLIES, thought->plies);
    for (size_t i = thought->candidate_count < BG_CANDIDATES_MAX ? thought->candidate_count
                                                                 : BG_CANDIDATES_MAX;
         i-- > 0;) {
        candidate_write(&pen, &thought->candidate[i]);
    }
    if (thought->has_equity) {
        end = pen.at;
        double_write(&pen, WORTH_EQUITY, thought->chances.equity);
        pen_length(&pen, THOUGHT_WORTH, end);
    }
    if (thought->has_chances) {
        end = pen.at;
        for (uint32_t number = CHANCES_LOSE_BACKGAMMON; number >= CHANCES_WIN; number--) {
            double_write(&pen, number, *chance_at(&chances, number));
        }
        pen_length(&pen, THOUGHT_CHANCES, end);
    }
    memmove(out, pen.at, (size_t)(out + WIRE_THOUGHT - pen.at));
    return (size_t)(out + WIRE_THOUGHT - pen.at);
}
