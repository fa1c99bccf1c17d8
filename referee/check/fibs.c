/* gnubg's line has more than a decision needs, and some of it twice. All numbers must be there,
 * but only those are believed that nothing else tells: the checkers borne off, for example,
 * follow from the board. */
#include "fibs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers after the two names, counted from 0. */
enum {
    LENGTH,
    SCORE,
    BOARD = SCORE +
            2, /* 26: the opponent's bar, points 1 to 24, own bar, as the positive side counts */
    TURN = BOARD + 26,
    DICE,
    OPPONENT_DICE = DICE + 2,
    CUBE = OPPONENT_DICE + 2,
    MAY_DOUBLE,
    DOUBLED = MAY_DOUBLE + 2,
    COLOUR,
    DIRECTION,
    POST_CRAWFORD = DIRECTION + 9,
    NOT_CRAWFORD,
    NUMBERS,
    MONEY_LENGTH = 9999 /* also sent for money */
};

static enum bg_status read_numbers(int out[NUMBERS], const char *line, struct bg_error *err)
{
    const char *at = line;

    if (strncmp(line, "board:", 6) != 0) {
        return bg_error_set(err, BG_E_FORMAT, "expected 'board:...', got '%.40s'", line);
    }
    for (int i = 0; i < 3; i++) { /* board and two names, which hold no colon */
        at = strchr(at, ':');
        if (at == NULL) {
            return bg_error_set(err, BG_E_FORMAT, "board: two names are missing");
        }
        at++;
    }
    for (int i = 0; i < NUMBERS; i++) {
        char *end;
        long value = strtol(at, &end, 10);

        if (end == at || (*end != ':' && i + 1 < NUMBERS) || value < -1000000 || value > 1000000) {
            return bg_error_set(err, BG_E_FORMAT, "board: number %d of %d is wrong: '%.20s'", i + 1,
                                NUMBERS, at);
        }
        out[i] = (int)value;
        at = end + (*end == ':' ? 1 : 0);
    }
    return BG_OK;
}

/* own: 1 when we are the positive side, -1 when the negative. Each side's men are counted from its
 * own side; what is missing to 15 is off. */
static enum bg_status read_board(struct bg_board *out, const int *numbers, int own,
                                 struct bg_error *err)
{
    memset(out, 0, sizeof *out);
    for (int slot = 0; slot <= BG_BAR; slot++) {
        int count = numbers[BOARD + slot];
        int seat = (count > 0) == (own > 0) ? 0 : 1;
        int at = count > 0 ? slot : BG_BAR - slot;

        if (count == 0) {
            continue;
        }
        if (abs(count) > BG_CHECKERS || at == BG_OFF) {
            return bg_error_set(err, BG_E_FORMAT, "board: %d checkers on point %d", count, slot);
        }
        out->at[seat][at] = (uint8_t)abs(count);
    }
    for (int seat = 0; seat < 2; seat++) {
        int count = bg_board_count(out, seat);

        if (count > BG_CHECKERS) {
            return bg_error_set(err, BG_E_FORMAT, "board: %d checkers on one side", count);
        }
        out->at[seat][BG_OFF] = (uint8_t)(BG_CHECKERS - count);
    }
    return BG_OK;
}

/* Flags of who may double come with the positive side first. Before a double is answered, cube and
 * flags are as they were. */
static int cube_owner(const int *numbers, int own)
{
    bool positive = numbers[MAY_DOUBLE] != 0, negative = numbers[MAY_DOUBLE + 1] != 0;

    /* Both may double: the cube is in the middle. Neither may in Crawford's game, where it is
     * there too. */
    if (positive == negative) {
        return BG_CENTRED;
    }
    return positive == (own > 0) ? 0 : 1;
}

static enum bg_status read_position(struct ask_position *out, const int *numbers, int own,
                                    bool doubled, struct bg_error *err)
{
    int length = numbers[LENGTH] == MONEY_LENGTH ? 0 : numbers[LENGTH];
    /* The first score is the negative side's; names and scores are exchanged after a double. */
    int own_score = (own < 0) != doubled ? SCORE : SCORE + 1;

    *out = (struct ask_position){.length_points = length,
                                 .score = {numbers[own_score], numbers[2 * SCORE + 1 - own_score]},
                                 .cube_log2 = ask_position_cube_log2(numbers[CUBE]),
                                 .cube_owner = cube_owner(numbers, own),
                                 .jacoby = true,
                                 .beavers = true,
                                 .crawford =
                                     numbers[POST_CRAWFORD] == 0 && numbers[NOT_CRAWFORD] == 0};
    if (length < 0 || length > 10000) {
        return bg_error_set(err, BG_E_FORMAT, "board: match to %d points", length);
    }
    if (out->cube_log2 < 0) {
        return bg_error_set(err, BG_E_FORMAT, "board: cube at %d", numbers[CUBE]);
    }
    return read_board(&out->board, numbers, own, err);
}

static enum bg_status put_double(struct bg_match *match, struct bg_error *err)
{
    struct bg_step step = {.kind = BG_STEP_DOUBLE, .seat = 1};

    return bg_match_step(match, &step) == BG_RULE_NONE
               ? BG_OK
               : bg_error_set(err, BG_E_FORMAT, "board: a double that could not be made");
}

enum bg_status fibs_read(struct fibs *out, const char *line, struct bg_error *err)
{
    int numbers[NUMBERS];
    struct ask_position position;
    bool doubled;
    int own, high, low;
    enum bg_status status = read_numbers(numbers, line, err);

    if (status != BG_OK) {
        return status;
    }
    memset(out, 0, sizeof *out);
    if (abs(numbers[TURN]) != 1) {
        return bg_error_set(err, BG_E_FORMAT, "board: turn %d: expected 1 or -1", numbers[TURN]);
    }
    doubled = numbers[DOUBLED] != 0;
    own = doubled ? -numbers[TURN] : numbers[TURN]; /* turn is then the doubler's */
    status = read_position(&position, numbers, own, doubled, err);
    if (status == BG_OK &&
        ask_position_match(&out->match, &position, doubled ? 1 : 0, err) != BG_OK) {
        status = BG_E_FORMAT;
    }
    if (status != BG_OK || doubled) {
        return status != BG_OK ? status : put_double(&out->match, err);
    }
    high = numbers[DICE] > numbers[DICE + 1] ? numbers[DICE] : numbers[DICE + 1];
    low = numbers[DICE] + numbers[DICE + 1] - high;
    if (high == 0 && low == 0) {
        out->rolls_only = out->match.need.kind != BG_NEED_DOUBLE;
        return BG_OK;
    }
    if (low < 1 || high > 6 || !ask_position_roll(&out->match, high, low)) {
        return bg_error_set(err, BG_E_FORMAT, "board: dice %d %d", numbers[DICE],
                            numbers[DICE + 1]);
    }
    out->must_pass = out->match.need.kind != BG_NEED_PLAY || out->match.need.seat != 0;
    return BG_OK;
}

static void write_play(char out[FIBS_ANSWER], const struct bg_play *play)
{
    int used = 0;

    for (int i = 0; i < play->moves; i++) {
        used += snprintf(out + used, FIBS_ANSWER - (size_t)used, "%s%d/%d", i > 0 ? " " : "",
                         play->move[i].from, play->move[i].to);
    }
    snprintf(out + used, FIBS_ANSWER - (size_t)used, "\n");
}

void fibs_answer(char out[FIBS_ANSWER], const struct bg_step *step, bool rolls)
{
    const char *word = "roll";

    if (!rolls && step->kind == BG_STEP_PLAY) {
        write_play(out, &step->play);
        return;
    }
    if (!rolls && step->kind == BG_STEP_RESIGN) {
        snprintf(out, FIBS_ANSWER, "resign %d\n", step->level);
        return;
    }
    if (!rolls) {
        word = step->kind == BG_STEP_DOUBLE  ? "double"
               : step->kind == BG_STEP_TAKE  ? "take"
               : step->kind == BG_STEP_RAISE ? "beaver"
                                             : "drop";
    }
    snprintf(out, FIBS_ANSWER, "%s\n", word);
}
