/* XGID, the notation of eXtreme Gammon: 26 board characters and nine fields, separated by ':'.
 *
 * The board is always seen by the bottom player "X", who is seat 1 as in GNU Backgammon: the top
 * player's bar, points 1 to 24, the bottom player's bar; 'A' is one checker of the bottom player,
 * 'a' one of the top player's. Fields: cube as a power of two, its owner (1 bottom, -1 top, 0
 * centred), turn (1, -1), dice (00, two digits, or D while a double is pending: the turn is then
 * the doubler's and the cube still the old one), score of bottom and top, Crawford (or in money
 * play 1 Jacoby + 2 beavers), length, highest cube as a power of two. */
#include <bgref/notation.h>

#include <stdio.h>
#include <string.h>

enum { BOTTOM = 1, TOP = 0, BOARD_CHARS = 26, CUBE_LIMIT = 10 };

enum xgid_field {
    FIELD_CUBE,
    FIELD_OWNER,
    FIELD_TURN,
    FIELD_DICE,
    FIELD_SCORE_BOTTOM,
    FIELD_SCORE_TOP,
    FIELD_RULES,
    FIELD_LENGTH,
    FIELD_LIMIT,
    FIELD_COUNT
};

static const struct {
    const char *name;
    int min, max;
} fields[FIELD_COUNT] = {
    [FIELD_CUBE] = {"cube (power of two)", 0, 15},
    [FIELD_OWNER] = {"cube owner", -1, 1},
    [FIELD_TURN] = {"turn", -1, 1},
    [FIELD_DICE] = {"dice", 0, 66}, /* read by its own function */
    [FIELD_SCORE_BOTTOM] = {"score of the bottom player", 0, 32767},
    [FIELD_SCORE_TOP] = {"score of the top player", 0, 32767},
    [FIELD_RULES] = {"crawford or jacoby", 0, 3},
    [FIELD_LENGTH] = {"match length", 0, 32767},
    [FIELD_LIMIT] = {"highest cube", 0, 99},
};

static enum bg_status unfit(struct bg_error *err, const char *what)
{
    return bg_error_set(err, BG_E_FORMAT, "XGID: %s", what);
}

/* Refuses states that the notation cannot express. */
static enum bg_status check_id(const struct bg_match_id *id, struct bg_error *err)
{
    if (id->state != 1) {
        return unfit(err, "only a game in play has one");
    }
    if (id->resigned != 0) {
        return unfit(err, "a pending resignation has no place in it");
    }
    if (id->cube_log2 < 0 || id->cube_log2 > fields[FIELD_CUBE].max || id->length < 0 ||
        id->length > fields[FIELD_LENGTH].max) {
        return unfit(err, "cube or match length does not fit");
    }
    for (int seat = 0; seat < 2; seat++) {
        if (id->score[seat] < 0 || id->score[seat] > fields[FIELD_SCORE_TOP].max) {
            return unfit(err, "score does not fit");
        }
        if (id->dice[seat] < 0 || id->dice[seat] > 6 || (id->dice[0] == 0) != (id->dice[1] == 0)) {
            return unfit(err, "dice do not fit");
        }
    }
    if (id->crawford && id->length == 0) {
        return unfit(err, "money play has no Crawford game");
    }
    return BG_OK;
}

static enum bg_status write_board(char out[BOARD_CHARS], const struct bg_board *board,
                                  struct bg_error *err)
{
    for (int i = 0; i < BOARD_CHARS; i++) {
        const int bottom = i > 0 ? board->at[BOTTOM][i] : 0;
        const int top = i < BG_BAR ? board->at[TOP][BG_BAR - i] : 0;

        if (bottom > BG_CHECKERS || top > BG_CHECKERS || (bottom > 0 && top > 0)) {
            return unfit(err, "the board does not fit");
        }
        out[i] = (char)(bottom > 0 ? 'A' + bottom - 1 : top > 0 ? 'a' + top - 1 : '-');
    }
    return BG_OK;
}

enum bg_status bg_xgid_write(char out[BG_XGID], const struct bg_board *board,
                             const struct bg_match_id *id, struct bg_error *err)
{
    char points[BOARD_CHARS], dice[8] = "D";
    enum bg_status status = check_id(id, err);

    if (status == BG_OK) {
        status = write_board(points, board, err);
    }
    if (status != BG_OK) {
        return status;
    }
    if (!id->doubled) {
        snprintf(dice, sizeof dice, "%d%d", id->dice[0] % 10, id->dice[1] % 10);
    }
    snprintf(out, BG_XGID, "XGID=%.*s:%d:%d:%d:%s:%d:%d:%d:%d:%d", BOARD_CHARS, points,
             id->cube_log2,
             id->cube_owner == BG_CENTRED ? 0
             : id->cube_owner == BOTTOM   ? 1
                                          : -1,
             id->move == BOTTOM ? 1 : -1, dice, id->score[BOTTOM], id->score[TOP],
             id->length > 0 ? id->crawford != 0 : (id->jacoby != 0) + 2 * (id->beavers != 0),
             id->length, id->cube_log2 > CUBE_LIMIT ? id->cube_log2 : CUBE_LIMIT);
    return BG_OK;
}

static enum bg_status read_board(struct bg_board *board, const char *text, struct bg_error *err)
{
    const size_t length = strcspn(text, ":");
    int count[2] = {0, 0};

    memset(board, 0, sizeof *board);
    if (length > BOARD_CHARS && text[length] == ':') {
        return bg_error_set(err, BG_E_FORMAT, "XGID: the board has %zu characters, not %d", length,
                            BOARD_CHARS);
    }
    for (int i = 0; i < BOARD_CHARS; i++) {
        const char c = text[i];
        const int seat = c >= 'A' && c <= 'O' ? BOTTOM : TOP;
        const int here = seat == BOTTOM ? c - 'A' + 1 : c - 'a' + 1;
        const int slot = seat == BOTTOM ? i : BG_BAR - i;

        if (c == '-') {
            continue;
        }
        if (here < 1 || here > BG_CHECKERS) { /* counts the terminator too */
            return bg_error_set(err, BG_E_FORMAT,
                                "XGID: board character %d is not '-', 'A' to 'O' or 'a' to 'o'",
                                i + 1);
        }
        if (slot == BG_OFF) {
            return bg_error_set(err, BG_E_FORMAT,
                                "XGID: board character %d is the other player's bar", i + 1);
        }
        board->at[seat][slot] = (uint8_t)here;
        count[seat] += here;
    }
    for (int seat = 0; seat < 2; seat++) {
        if (count[seat] > BG_CHECKERS) {
            return unfit(err, "more than 15 checkers on one side");
        }
        board->at[seat][BG_OFF] = (uint8_t)(BG_CHECKERS - count[seat]);
    }
    return BG_OK;
}

/* Reads one number of at most five digits at *at and moves past it. */
static bool read_field(int *value, const char **at)
{
    const bool minus = **at == '-';
    const char *c = *at + minus;
    int digits = 0, read = 0;

    for (; *c >= '0' && *c <= '9' && digits < 5; c++, digits++) {
        read = read * 10 + (*c - '0');
    }
    *value = minus ? -read : read;
    *at = c;
    return digits > 0;
}

/* Dice in either order; D becomes a pending double. */
static enum bg_status read_dice(struct bg_match_id *id, const char **at, struct bg_error *err)
{
    const char first = (*at)[0];

    if (first == 'D') {
        id->doubled = 1;
        (*at)++;
        return BG_OK;
    }
    if (first == 'B' || first == 'R') {
        return unfit(err, "a pending beaver or raccoon (dice B, R) is not supported");
    }
    if (first >= '0' && first <= '6') {
        const char second = (*at)[1];

        if (second >= '0' && second <= '6' && (first == '0') == (second == '0')) {
            const int a = first - '0', b = second - '0';

            id->dice[0] = a > b ? a : b;
            id->dice[1] = a > b ? b : a;
            *at += 2;
            return BG_OK;
        }
    }
    return unfit(err, "dice are neither 00, two digits 1 to 6, nor D");
}

static enum bg_status read_fields(int values[FIELD_COUNT], struct bg_match_id *id, const char *at,
                                  struct bg_error *err)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (*at != ':') {
            return bg_error_set(err, BG_E_FORMAT, "XGID: ':' and the %s should follow",
                                fields[i].name);
        }
        at++;
        if (i == FIELD_DICE) {
            const enum bg_status status = read_dice(id, &at, err);

            if (status != BG_OK) {
                return status;
            }
        } else if (!read_field(&values[i], &at) || values[i] < fields[i].min ||
                   values[i] > fields[i].max) {
            return bg_error_set(err, BG_E_FORMAT, "XGID: %s is not a number from %d to %d",
                                fields[i].name, fields[i].min, fields[i].max);
        }
    }
    if (*at != '\0') {
        return bg_error_set(err, BG_E_FORMAT, "XGID: \"%.20s\" follows the last field", at);
    }
    return BG_OK;
}

enum bg_status bg_xgid_read(struct bg_board *board, struct bg_match_id *id, const char *text,
                            struct bg_error *err)
{
    struct bg_match_id read = {.state = 1};
    struct bg_board read_to;
    int values[FIELD_COUNT] = {0};
    enum bg_status status;

    if (strncmp(text, "XGID=", 5) == 0) {
        text += 5;
    }
    status = read_board(&read_to, text, err);
    if (status == BG_OK) {
        status = read_fields(values, &read, text + BOARD_CHARS, err);
    }
    if (status != BG_OK) {
        return status;
    }
    if (values[FIELD_TURN] == 0) {
        return unfit(err, "turn is neither 1 nor -1");
    }
    if (values[FIELD_LENGTH] > 0 && values[FIELD_RULES] > 1) {
        return unfit(err, "crawford is neither 0 nor 1");
    }
    read.cube_log2 = values[FIELD_CUBE];
    read.cube_owner = values[FIELD_OWNER] == 0 ? BG_CENTRED : values[FIELD_OWNER] == 1;
    read.move = values[FIELD_TURN] == 1;
    read.turn = read.doubled ? !read.move : read.move;
    read.score[BOTTOM] = values[FIELD_SCORE_BOTTOM];
    read.score[TOP] = values[FIELD_SCORE_TOP];
    read.length = values[FIELD_LENGTH];
    read.crawford = read.length > 0 && values[FIELD_RULES] == 1;
    read.jacoby = read.length == 0 && (values[FIELD_RULES] & 1) != 0;
    read.beavers = read.length == 0 && (values[FIELD_RULES] & 2) != 0;
    *board = read_to;
    *id = read;
    return BG_OK;
}
