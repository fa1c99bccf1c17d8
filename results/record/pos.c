/* Nothing here is known only from the order of steps but the last play and the dice that are
 * already played: what a viewer of one position asks for, and no record says in one place. */
#include "pos.h"

#include <stdio.h>
#include <string.h>

enum { POS_LOG2_MAX = 40, POS_WORD = 128 };

/* How the other side's slot of a point is found (bg_variant_opponent_slot), as one letter. */
static char way_of(const struct bg_variant *variant)
{
    static const struct {
        int slot;
        char letter;
    } ways[] = {{24, 'c'}, {13, 'p'}, {1, 'o'}};
    char letter = 'c';

    for (int i = 0; i < 3; i++) {
        letter = bg_variant_opponent_slot(variant, 1) == ways[i].slot ? ways[i].letter : letter;
    }
    return letter;
}

/* ------------------------------------------------------------------ from a match */

static void set_dice(struct pos *pos, const struct bg_stage *stage)
{
    pos->dice = 0;
    memset(pos->die, 0, sizeof pos->die);
    memset(pos->played, 0, sizeof pos->played);
    for (int part = 0; part < stage->parts; part++) {
        for (int i = 0; i < stage->part[part].times && pos->dice < POS_DICE; i++) {
            pos->die[pos->dice++] = stage->part[part].number;
        }
    }
}

static void set_cube(struct pos *pos, const struct bg_match *match)
{
    const bool asked = match->need.kind == BG_NEED_TAKE || match->need.kind == BG_NEED_RAISE;

    pos->has_cube = match->rules.cube;
    pos->cube_log2 = match->cube_log2;
    pos->cube_owner = match->cube_owner;
    pos->offered = -1;
    if (asked && pos->has_cube) {
        pos->cube_log2 = match->cube_log2 + 1 < POS_LOG2_MAX ? match->cube_log2 + 1 : POS_LOG2_MAX;
        pos->offered = 1 - match->need.seat;
    }
}

void pos_of(struct pos *out, const struct bg_match *match)
{
    memset(out, 0, sizeof *out);
    out->variant = match->rules.variant;
    out->board = match->board;
    out->mover = match->on_roll == 1 ? 1 : 0;
    out->last_seat = -1;
    set_cube(out, match);
    if (match->need.kind == BG_NEED_PLAY) {
        out->mover = match->need.seat;
        set_dice(out, &match->stage);
    }
}

/* Joins the moves of one checker: 24/18 18/13 is drawn as 24/13. A move that neither begins nor
 * ends anywhere else (a lowered checker) stays. */
static void set_last(struct pos *pos, int seat, const struct bg_play *play)
{
    pos->last_seat = seat;
    memset(&pos->last, 0, sizeof pos->last);
    for (int i = 0; i < play->moves; i++) {
        struct bg_move move = play->move[i];
        int joined = -1;

        for (int k = 0; k < pos->last.moves && joined < 0; k++) {
            joined = pos->last.move[k].to == move.from && move.from != move.to ? k : -1;
        }
        if (joined >= 0) {
            pos->last.move[joined].to = move.to;
        } else {
            pos->last.move[pos->last.moves++] = move;
        }
    }
}

void pos_step(struct pos *pos, const struct bg_match *before, const struct bg_step *step,
              const struct bg_match *after)
{
    const struct pos was = *pos;

    pos_of(pos, after);
    pos->last_seat = was.last_seat;
    pos->last = was.last;
    if (step->kind == BG_STEP_PLAY) {
        pos->mover = step->seat;
        set_last(pos, step->seat, &step->play);
        set_dice(pos, &before->stage);
        memset(pos->played, true, (size_t)pos->dice);
    } else if (step->kind == BG_STEP_ROLL && after->need.kind != BG_NEED_PLAY) {
        /* A roll without a play: it is shown all the same. */
        const struct bg_roll roll = {.die = {step->die[0], step->die[1], step->die[2]}};
        const struct bg_stage stage = bg_stage_of_roll(pos->variant, roll);

        pos->mover = step->seat;
        set_dice(pos, &stage);
    } else if (step->kind == BG_STEP_DOUBLE || step->kind == BG_STEP_RAISE) {
        pos->mover = before->on_roll == 1 ? 1 : 0;
    }
}

/* ------------------------------------------------------------------ as text */

static const char seats[] = "wb";

/* Returns where the next character goes, as those below. Written by hand: a long event has millions
 * of positions, and snprintf would be most of their cost. */
static char *put_count(char *at, long long number)
{
    char digits[24];
    int count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

static char *put_slot(char *at, int slot)
{
    return slot == BG_BAR    ? stpcpy(at, "bar")
           : slot == BG_OFF  ? stpcpy(at, "off")
           : slot == BG_HAND ? stpcpy(at, "hand")
                             : put_count(at, slot < BG_FAR ? slot : slot - BG_FAR + BG_POINTS + 1);
}

static char *put_cube(char *at, const struct pos *pos)
{
    if (!pos->has_cube) {
        return stpcpy(at, "-");
    }
    at = put_count(at, 1LL << pos->cube_log2);
    *at++ = pos->cube_owner < 0 ? '-' : seats[pos->cube_owner];
    if (pos->offered >= 0) {
        *at++ = '!';
        *at++ = seats[pos->offered];
    }
    return at;
}

static char *put_dice(char *at, const struct pos *pos)
{
    for (int i = 0; i < pos->dice; i++) {
        *at++ = (char)('0' + pos->die[i]);
        if (pos->played[i]) {
            *at++ = '.';
        }
    }
    return stpcpy(at, pos->dice == 0 ? "-" : "");
}

static char *put_last(char *at, const struct pos *pos)
{
    const int moves = pos->last_seat < 0 ? 0 : pos->last.moves;

    for (int i = 0; i < moves; i++) {
        *at++ = i == 0 ? seats[pos->last_seat] : ',';
        at = put_slot(at, pos->last.move[i].from);
        *at++ = '/';
        at = put_slot(at, pos->last.move[i].to);
    }
    return stpcpy(at, moves == 0 ? "-" : "");
}

void pos_write(char out[POS_TEXT], const struct pos *pos)
{
    char *at = out;

    bg_position_text_write(out, pos->variant, &pos->board, pos->mover);
    at += strlen(out);
    *at++ = '|';
    *at++ = way_of(pos->variant);
    at = put_cube(stpcpy(at, "|"), pos);
    at = put_dice(stpcpy(at, "|"), pos);
    (void)put_last(stpcpy(at, "|"), pos);
}

/* ------------------------------------------------------------------ what changes */

enum { PARTS = 10, PART_DICE = 8 };

/* Those first that change most. */
static const int pos_changes[PARTS] = {0, PART_DICE, 9, 4, 1, 2, 3, 5, 6, 7};

/* Splits a text in its place. Returns how many parts there are. */
static int split(char *part[PARTS], char *text, char mark)
{
    int count = 0;

    while (text != NULL && count < PARTS) {
        part[count++] = text;
        text = strchr(text, mark);
        if (text != NULL) {
            *text++ = '\0';
        }
    }
    return count;
}

/* "4.2." after "42". */
static bool is_played(const char *now, const char *before)
{
    while (*now != '\0' && *now == *before && now[1] == '.') {
        now += 2;
        before++;
    }
    return *now == '\0' && *before == '\0';
}

/* Writes the quarters of a board that are not as before. */
static char *put_board(char *at, char *now, char *before)
{
    char *part[PARTS], *part_before[PARTS];
    const int parts = split(part, now, '/'), parts_before = split(part_before, before, '/');
    int waiting = 0;

    for (int i = 0; i < parts; i++, waiting++) {
        if (parts != parts_before || strcmp(part[i], part_before[i]) != 0) {
            memset(at, '/', (size_t)waiting);
            at = stpcpy(at + waiting, part[i]);
            waiting = 0;
        }
    }
    return at;
}

void pos_changes_write(char out[POS_TEXT], const char *now, const char *before)
{
    char text[POS_TEXT], text_before[POS_TEXT], *part[PARTS], *part_before[PARTS], *at = out;
    int waiting = 0;

    (void)stpcpy(text, now);
    (void)stpcpy(text_before, before[0] == '\0' ? "|||||||||" : before);
    (void)split(part, text, '|');
    (void)split(part_before, text_before, '|');
    for (int i = 0; i < PARTS; i++, waiting++) {
        char *one = part[pos_changes[i]], *one_before = part_before[pos_changes[i]];

        if (strcmp(one, one_before) != 0) {
            memset(at, '|', (size_t)waiting);
            at += waiting;
            at = i == 0 ? put_board(at, one, one_before)
                 : pos_changes[i] == PART_DICE && is_played(one, one_before) ? stpcpy(at, ".")
                                                                             : stpcpy(at, one);
            waiting = 0;
        }
    }
    *at = '\0';
}

/* ------------------------------------------------------------------ from text */

static int seat_of(char letter)
{
    return letter == 'w' ? 0 : letter == 'b' ? 1 : -1;
}

static bool read_cube_word(struct pos *pos, const char *text)
{
    long long value = 0;
    char owner = '-', offered = '-';

    pos->cube_owner = pos->offered = -1;
    pos->has_cube = sscanf(text, "%lld%c!%c", &value, &owner, &offered) >= 2;
    for (int log2 = 0; pos->has_cube && log2 <= POS_LOG2_MAX; log2++) {
        pos->cube_log2 = 1LL << log2 == value ? log2 : pos->cube_log2;
    }
    pos->cube_owner = seat_of(owner);
    pos->offered = seat_of(offered);
    return true; /* writing it again shows what was wrong */
}

static bool read_dice(struct pos *pos, const char *text)
{
    for (const char *at = text; *at != '\0' && *at != '-'; at++) {
        if (*at == '.' && pos->dice > 0) {
            pos->played[pos->dice - 1] = true;
        } else if (*at >= '1' && *at <= '6' && pos->dice < POS_DICE) {
            pos->die[pos->dice++] = (uint8_t)(*at - '0');
        } else {
            return false;
        }
    }
    return true;
}

static bool read_last(struct pos *pos, const char *text)
{
    char words[POS_WORD];
    struct bg_error none;

    pos->last_seat = seat_of(text[0]);
    if (pos->last_seat < 0) {
        return strcmp(text, "-") == 0;
    }
    snprintf(words, sizeof words, "%s", text + 1);
    for (char *comma = strchr(words, ','); comma != NULL; comma = strchr(comma, ',')) {
        *comma = ' ';
    }
    return bg_play_read_in(&pos->last, pos->variant, words, &none) == BG_OK;
}

enum bg_status pos_read(struct pos *out, const struct bg_variant *variant, const char *text,
                        struct bg_error *err)
{
    static bool (*const readers[])(struct pos *, const char *) = {NULL, read_cube_word, read_dice,
                                                                  read_last};
    static const char *const names[] = {"way", "cube", "dice", "last play"};
    struct pos pos = {.variant = variant};
    char board[POS_TEXT], again[POS_TEXT], *field[5] = {board};
    enum bg_status status;

    snprintf(board, sizeof board, "%s", text);
    for (int i = 4; i > 0; i--) { /* the notation of every game has bars of its own */
        field[i] = strrchr(board, '|');
        if (field[i] == NULL) {
            return bg_error_set(err, BG_E_FORMAT, "position \"%.260s\": it has no %s", text,
                                names[i - 1]);
        }
        *field[i]++ = '\0';
    }
    status = bg_position_text_read(&pos.board, &pos.mover, variant, board, err);
    for (int i = 1; status == BG_OK && i < 4; i++) {
        if (!readers[i](&pos, field[i + 1])) {
            status = bg_error_set(err, BG_E_FORMAT, "position \"%.260s\": its %s is not understood",
                                  text, names[i]);
        }
    }
    if (status != BG_OK) {
        return status;
    }
    pos_write(again, &pos);
    if (strcmp(again, text) != 0) {
        return bg_error_set(err, BG_E_FORMAT, "position \"%.260s\": it should be \"%.300s\"", text,
                            again);
    }
    *out = pos;
    return BG_OK;
}
