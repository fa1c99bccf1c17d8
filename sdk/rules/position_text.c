/* The notation of every game (docs/rules.md N3). Seat 0 is White. */
#include <bgref/notation.h>

#include <assert.h>
#include <string.h>

#include "games.h"

static const int places[] = {BG_BAR, BG_HAND, BG_OFF};

enum { PILES = 6, TURNS_MAX = 3 };

struct position_writer {
    char *at, *end;
};

static void put_char(struct position_writer *text, char c)
{
    assert(text->at < text->end);
    *text->at++ = c;
}

static void put_number(struct position_writer *text, unsigned number)
{
    if (number >= 10) {
        put_number(text, number / 10);
    }
    put_char(text, (char)('0' + number % 10));
}

static void put_point(struct position_writer *text, const struct bg_variant *variant,
                      const struct bg_board *board, int white_slot)
{
    const int slot[2] = {white_slot, bg_variant_opponent_slot(variant, white_slot)};

    for (int seat = 0; seat < 2; seat++) {
        const bool under = (board->pinned[seat] >> slot[seat] & 1) != 0;
        const unsigned count = board->at[seat][slot[seat]];

        if (count == 0 || under) {
            continue;
        }
        put_char(text, seat == 0 ? 'w' : 'b');
        put_number(text, count);
        if ((board->pinned[1 - seat] >> slot[1 - seat] & 1) != 0) {
            put_char(text, '+');
            put_char(text, seat == 0 ? 'b' : 'w');
            put_char(text, '1');
        }
        return;
    }
    put_char(text, '-');
}

static void put_pair(struct position_writer *text, unsigned white, unsigned black)
{
    put_char(text, '|');
    put_number(text, white);
    put_char(text, ',');
    put_number(text, black);
}

/* Writes the history that the board does not show. */
static void put_flags(struct position_writer *text, const struct bg_variant *variant,
                      const struct bg_board *board)
{
    switch (variant->flags) {
    case FLAGS_TURNS:
        put_char(text, 't');
        put_char(text, '=');
        put_number(text, board->turns[0]);
        put_char(text, ',');
        put_number(text, board->turns[1]);
        return;
    case FLAGS_RIGHT:
        if (board->may_hit[0] + board->may_hit[1] == 0) {
            break;
        }
        put_char(text, 'h');
        put_char(text, '=');
        for (int seat = 0; seat < 2; seat++) {
            if (board->may_hit[seat] != 0) {
                put_char(text, seat == 0 ? 'w' : 'b');
            }
        }
        return;
    case FLAGS_STACKS:
        put_char(text, 'k');
        for (int seat = 0; seat < 2; seat++) {
            put_char(text, seat == 0 ? '=' : '/');
            for (int point = PILES; point >= 1; point--) {
                put_number(text, board->stacked[seat][point]);
            }
        }
        return;
    case FLAGS_NONE:
        break;
    }
    put_char(text, '-');
}

void bg_position_text_write(char out[BG_POSITION_TEXT], const struct bg_variant *variant,
                            const struct bg_board *board, int mover)
{
    struct position_writer text = {out, out + BG_POSITION_TEXT};

    for (int point = variant->points; point >= 1; point--) {
        put_point(&text, variant, board, slot_of_point(point));
        if (point % 6 == 1 && point > 1) {
            put_char(&text, '/');
        }
    }
    for (int i = 0; i < 3; i++) {
        put_pair(&text, board->at[0][places[i]], board->at[1][places[i]]);
    }
    put_char(&text, '|');
    put_char(&text, mover == 0 ? 'w' : 'b');
    put_char(&text, '|');
    put_flags(&text, variant, board);
    put_char(&text, '\0');
}

/* The reader takes the parts in order; writing the result again shows whether the text was
 * canonical. */

struct position_text_reader {
    const char *at;
    const struct bg_variant *variant;
    struct bg_board board;
};

/* Reads a count without a sign, at most two digits; returns -1 if there is none. */
static int take_count(struct position_text_reader *reader)
{
    int count = -1;

    for (int digits = 0; digits < 2 && *reader->at >= '0' && *reader->at <= '9'; digits++) {
        count = (count < 0 ? 0 : count) * 10 + (*reader->at++ - '0');
    }
    return count;
}

static bool skip(struct position_text_reader *reader, char c)
{
    if (*reader->at != c) {
        return false;
    }
    reader->at++;
    return true;
}

/* Reads 'w' or 'b'; returns the seat, or -1. */
static int take_side(struct position_text_reader *reader)
{
    return skip(reader, 'w') ? 0 : skip(reader, 'b') ? 1 : -1;
}

static bool take_point(struct position_text_reader *reader, int white_slot)
{
    const int slot[2] = {white_slot, bg_variant_opponent_slot(reader->variant, white_slot)};
    int seat, count;

    if (skip(reader, '-')) {
        return true;
    }
    seat = take_side(reader);
    count = seat < 0 ? -1 : take_count(reader);
    if (count < 1 || count > reader->variant->checkers) {
        return false;
    }
    reader->board.at[seat][slot[seat]] = (uint8_t)count;
    if (skip(reader, '+')) {
        if (reader->variant->contact != CONTACT_PIN || take_side(reader) != 1 - seat ||
            take_count(reader) != 1) {
            return false;
        }
        reader->board.at[1 - seat][slot[1 - seat]] = 1;
        reader->board.pinned[1 - seat] |= UINT64_C(1) << slot[1 - seat];
    }
    return true;
}

static bool take_pair(struct position_text_reader *reader, int slot)
{
    const bool opened = skip(reader, '|');
    const int white = opened ? take_count(reader) : -1;
    const int black = white >= 0 && skip(reader, ',') ? take_count(reader) : -1;

    if (black < 0 || white > BG_CHECKERS || black > BG_CHECKERS) {
        return false;
    }
    reader->board.at[0][slot] = (uint8_t)white;
    reader->board.at[1][slot] = (uint8_t)black;
    return true;
}

/* Reads a digit from 0 to most; returns -1 if there is none. */
static int take_digit(struct position_text_reader *reader, int most)
{
    if (*reader->at < '0' || *reader->at > '0' + most) {
        return -1;
    }
    return *reader->at++ - '0';
}

static bool take_turns(struct position_text_reader *reader)
{
    for (int seat = 0; seat < 2; seat++) {
        const bool opened = seat == 0 ? skip(reader, 't') && skip(reader, '=') : skip(reader, ',');
        const int turns = opened ? take_digit(reader, TURNS_MAX) : -1;

        if (turns < 0) {
            return false;
        }
        reader->board.turns[seat] = (uint8_t)turns;
    }
    return true;
}

static bool take_rights(struct position_text_reader *reader)
{
    if (skip(reader, '-')) {
        return true;
    }
    if (!skip(reader, 'h') || !skip(reader, '=')) {
        return false;
    }
    reader->board.may_hit[0] = skip(reader, 'w');
    reader->board.may_hit[1] = skip(reader, 'b');
    return reader->board.may_hit[0] + reader->board.may_hit[1] > 0;
}

/* The lowest checker of each pile is never stacked. */
static bool take_stacks(struct position_text_reader *reader)
{
    if (!skip(reader, 'k')) {
        return false;
    }
    for (int seat = 0; seat < 2; seat++) {
        if (!skip(reader, seat == 0 ? '=' : '/')) {
            return false;
        }
        for (int point = PILES; point >= 1; point--) {
            const int most = reader->board.at[seat][point] - 1;
            const int count = take_digit(reader, most < 0 ? 0 : most < 9 ? most : 9);

            if (count < 0) {
                return false;
            }
            reader->board.stacked[seat][point] = (uint8_t)count;
        }
    }
    return true;
}

static bool take_flags(struct position_text_reader *reader)
{
    switch (reader->variant->flags) {
    case FLAGS_TURNS:
        return take_turns(reader);
    case FLAGS_RIGHT:
        return take_rights(reader);
    case FLAGS_STACKS:
        return take_stacks(reader);
    case FLAGS_NONE:
        break;
    }
    return skip(reader, '-');
}

static bool take_position(struct position_text_reader *reader, int *mover)
{
    for (int point = reader->variant->points; point >= 1; point--) {
        if (!take_point(reader, slot_of_point(point)) ||
            (point % 6 == 1 && point > 1 && !skip(reader, '/'))) {
            return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!take_pair(reader, places[i])) {
            return false;
        }
    }
    if (!skip(reader, '|')) {
        return false;
    }
    *mover = take_side(reader);
    return *mover >= 0 && skip(reader, '|') && take_flags(reader) && *reader->at == '\0';
}

/* Returns why the text's position is impossible in the game, or NULL. */
static const char *misfit(const struct position_text_reader *reader)
{
    const struct bg_variant *variant = reader->variant;
    const uint8_t *white = reader->board.at[0], *black = reader->board.at[1];

    if (white[BG_BAR] + black[BG_BAR] > 0 && variant->contact != CONTACT_HIT) {
        return "there is no bar in this game";
    }
    if (white[BG_HAND] + black[BG_HAND] > 0 && variant->setup[0].slot != BG_HAND) {
        return "no checkers are in hand in this game";
    }
    return NULL;
}

enum bg_status bg_position_text_read(struct bg_board *board, int *mover,
                                     const struct bg_variant *variant, const char *text,
                                     struct bg_error *err)
{
    struct position_text_reader reader = {.at = text, .variant = variant};
    char again[BG_POSITION_TEXT];
    const char *why;
    int side;

    if (!take_position(&reader, &side)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "position \"%.260s\": not understood at character %ld", text,
                            (long)(reader.at - text) + 1);
    }
    for (int seat = 0; seat < 2; seat++) {
        if (bg_board_count(&reader.board, seat) != variant->checkers) {
            return bg_error_set(err, BG_E_FORMAT, "position \"%.260s\": %s has %d checkers, not %d",
                                text, seat == 0 ? "white" : "black",
                                bg_board_count(&reader.board, seat), variant->checkers);
        }
    }
    why = misfit(&reader);
    if (why != NULL) {
        return bg_error_set(err, BG_E_FORMAT, "position \"%.260s\": %s", text, why);
    }
    bg_position_text_write(again, variant, &reader.board, side);
    if (strcmp(again, text) != 0) {
        return bg_error_set(err, BG_E_FORMAT, "position \"%.260s\": numbers have leading zeros",
                            text);
    }
    *board = reader.board;
    *mover = side;
    return BG_OK;
}

void bg_position_order_text(char out[BG_POSITION_TEXT], const struct bg_variant *variant,
                            const struct bg_board *board, int mover)
{
    if (variant->position_id) {
        bg_position_id_write(out, board, mover);
    } else {
        bg_position_text_write(out, variant, board, mover);
    }
}
