/* Positions as people copy them from elsewhere. A board from FIBS says who moves by colour and
 * direction, so all is turned to the reader's side first; what the notation does not have
 * (Jacoby, whose turn the cube waits for) gets the value that its source plays with. */
#include "pasted.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 64, TEXT_MAX = 1024, TOP = 0, BOTTOM = 1, POINTS = 24, CHECKERS = 15 };

/* ---- fields ---- */

struct pasted_fields {
    const char *notation; /* for messages */
    char text[TEXT_MAX];
    char *field[FIELDS_MAX];
    int count;
};

/* Cuts a copy of the text, up to its first blank, at its colons. A name of FIBS has no blank. */
static enum bg_status cut_fields(struct pasted_fields *out, const char *notation, const char *text,
                                 struct bg_error *err)
{
    size_t length = strcspn(text, " \t\r\n");
    char *at = out->text;

    out->notation = notation;
    if (length >= sizeof out->text) {
        return bg_error_set(err, BG_E_FORMAT, "%s: a text of %zu bytes", notation, length);
    }
    memcpy(out->text, text, length);
    out->text[length] = '\0';
    for (out->count = 0; at != NULL && out->count < FIELDS_MAX; out->count++) {
        out->field[out->count] = at;
        at = strchr(at, ':');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    return BG_OK;
}

/* Reads the whole number of a field. */
static enum bg_status read_field(int *out, const struct pasted_fields *fields, int index,
                                 const char *name, int min, int max, struct bg_error *err)
{
    const char *text = index < fields->count ? fields->field[index] : "";
    char *end;
    long value = strtol(text, &end, 10);

    if (*text == '\0' || *end != '\0' || value < min || value > max) {
        return bg_error_set(err, BG_E_FORMAT, "%s: the %s '%.20s' is not a number from %d to %d",
                            fields->notation, name, text, min, max);
    }
    *out = (int)value;
    return BG_OK;
}

/* Bears off what is missing from fifteen, and refuses boards that cannot be. */
static enum bg_status complete(struct bg_board *board, const char *notation, struct bg_error *err)
{
    for (int seat = 0; seat < 2; seat++) {
        int count = 0;

        for (int slot = 1; slot <= BG_BAR; slot++) {
            count += board->at[seat][slot];
        }
        if (count > CHECKERS) {
            return bg_error_set(err, BG_E_FORMAT, "%s: one side has %d checkers, %d are allowed",
                                notation, count, CHECKERS);
        }
        board->at[seat][BG_OFF] = (uint8_t)(CHECKERS - count);
    }
    for (int point = 1; point <= POINTS; point++) {
        if (board->at[BOTTOM][point] > 0 && board->at[TOP][25 - point] > 0) {
            return bg_error_set(err, BG_E_FORMAT, "%s: both sides are on point %d", notation,
                                point);
        }
    }
    return BG_OK;
}

static void set_dice(struct bg_match_id *id, int a, int b)
{
    id->dice[0] = a > b ? a : b;
    id->dice[1] = a > b ? b : a;
}

/* ---- FIBS ----
 * As the server writes it. What gnubg sends to an external player has the same fields but other
 * meanings (scores change places after a double, no direction): referee/serve reads that. */

static const char fibs[] = "FIBS board";

/* The places of the fields behind "board". */
enum fibs_field {
    FIBS_LENGTH = 3,
    FIBS_SCORE,
    FIBS_THEIR_SCORE,
    FIBS_BOARD,
    FIBS_TURN = FIBS_BOARD + 26,
    FIBS_DICE,
    FIBS_THEIR_DICE = FIBS_DICE + 2,
    FIBS_CUBE = FIBS_THEIR_DICE + 2,
    FIBS_MAY_DOUBLE,
    FIBS_THEY_MAY_DOUBLE,
    FIBS_WAS_DOUBLED,
    FIBS_COLOR,
    FIBS_DIRECTION,
    FIBS_LEAST, /* a line may be cut behind it */
    FIBS_AFTER_CRAWFORD = FIBS_DIRECTION + 9
};

enum { FIBS_UNLIMITED = 9999 };

bool pasted_is_fibs(const char *text)
{
    return strncmp(text, "board:", 6) == 0;
}

/* Sets the checkers. The sign of a count is its colour; both players' points are numbered from 1 to
 * 24, and who plays from 24 to 1 (direction -1) counts as they are numbered. */
static enum bg_status fibs_board(struct bg_board *board, const struct pasted_fields *fields,
                                 int color, int direction, struct bg_error *err)
{
    for (int point = 0; point <= 25; point++) {
        int count;
        enum bg_status status = read_field(&count, fields, FIBS_BOARD + point, "number of checkers",
                                           -CHECKERS, CHECKERS, err);
        int seat = (count > 0) == (color > 0) ? BOTTOM : TOP;
        int slot = (direction < 0) == (seat == BOTTOM) ? point : 25 - point;

        if (status != BG_OK) {
            return status;
        }
        if (count != 0 && slot == BG_OFF) {
            return bg_error_set(err, BG_E_FORMAT, "%s: %d checkers on place %d, the other bar",
                                fibs, abs(count), point);
        }
        if (count != 0) {
            board->at[seat][slot] = (uint8_t)abs(count);
        }
    }
    return complete(board, fibs, err);
}

/* Sets who may double: both players can only while the cube is in the middle. */
static enum bg_status fibs_cube(struct bg_match_id *id, const struct pasted_fields *fields,
                                struct bg_error *err)
{
    int value, mine, theirs, doubled;
    enum bg_status status = read_field(&value, fields, FIBS_CUBE, "cube", 1, 1 << 15, err);

    status = status == BG_OK ? read_field(&mine, fields, FIBS_MAY_DOUBLE, "may double", 0, 1, err)
                             : status;
    status = status == BG_OK
                 ? read_field(&theirs, fields, FIBS_THEY_MAY_DOUBLE, "may double", 0, 1, err)
                 : status;
    status = status == BG_OK
                 ? read_field(&doubled, fields, FIBS_WAS_DOUBLED, "was doubled", 0, 1, err)
                 : status;
    if (status != BG_OK) {
        return status;
    }
    if ((value & (value - 1)) != 0) {
        return bg_error_set(err, BG_E_FORMAT, "%s: the cube %d is not a power of two", fibs, value);
    }
    while (1 << id->cube_log2 < value) {
        id->cube_log2++;
    }
    if (doubled) { /* the opponent has doubled the reader: the cube still has its old owner */
        id->doubled = 1;
        id->move = TOP;
        id->turn = BOTTOM;
        mine = 0;
        theirs = 1;
    }
    id->cube_owner = value == 1 || mine == theirs ? BG_CENTRED : mine ? BOTTOM : TOP;
    return BG_OK;
}

static enum bg_status fibs_match(struct bg_match_id *id, const struct pasted_fields *fields,
                                 struct bg_error *err)
{
    int length, after = 0;
    enum bg_status status = read_field(&length, fields, FIBS_LENGTH, "match length", 0, 32767, err);

    status = status == BG_OK
                 ? read_field(&id->score[BOTTOM], fields, FIBS_SCORE, "score", 0, 32767, err)
                 : status;
    status = status == BG_OK
                 ? read_field(&id->score[TOP], fields, FIBS_THEIR_SCORE, "score", 0, 32767, err)
                 : status;
    if (status == BG_OK && fields->count > FIBS_AFTER_CRAWFORD) {
        status = read_field(&after, fields, FIBS_AFTER_CRAWFORD, "did Crawford", 0, 1, err);
    }
    id->length = length == FIBS_UNLIMITED ? 0 : length;
    id->jacoby = id->length == 0;
    id->crawford = id->length > 1 && !after &&
                   (id->score[TOP] == length - 1) != (id->score[BOTTOM] == length - 1);
    return status;
}

static enum bg_status fibs_turn(struct bg_match_id *id, const struct pasted_fields *fields,
                                int color, struct bg_error *err)
{
    int turn, die[2] = {0, 0};
    enum bg_status status = read_field(&turn, fields, FIBS_TURN, "turn", -1, 1, err);

    if (status == BG_OK && turn == 0) {
        return bg_error_set(err, BG_E_FORMAT, "%s: the game is over (turn 0)", fibs);
    }
    id->move = id->turn = turn == color ? BOTTOM : TOP;
    for (int i = 0; status == BG_OK && i < 2; i++) {
        status = read_field(&die[i], fields, (id->move == BOTTOM ? FIBS_DICE : FIBS_THEIR_DICE) + i,
                            "die", 0, 6, err);
    }
    if (status == BG_OK && (die[0] == 0) != (die[1] == 0)) {
        return bg_error_set(err, BG_E_FORMAT, "%s: the dice %d and %d", fibs, die[0], die[1]);
    }
    set_dice(id, die[0], die[1]);
    return status;
}

enum bg_status pasted_fibs_read(struct position *out, const char *text, struct bg_error *err)
{
    struct position read = {.id = {.state = 1}, .has_match = true};
    struct pasted_fields fields = {.count = 0};
    int color, direction;
    enum bg_status status = cut_fields(&fields, fibs, text, err);

    if (status == BG_OK && fields.count < FIBS_LEAST) {
        return bg_error_set(err, BG_E_FORMAT, "%s: %d fields; it has 53", fibs, fields.count);
    }
    status =
        status == BG_OK ? read_field(&color, &fields, FIBS_COLOR, "colour", -1, 1, err) : status;
    status = status == BG_OK
                 ? read_field(&direction, &fields, FIBS_DIRECTION, "direction", -1, 1, err)
                 : status;
    if (status == BG_OK && (color == 0 || direction == 0)) {
        return bg_error_set(err, BG_E_FORMAT, "%s: colour or direction is 0", fibs);
    }
    status = status == BG_OK ? fibs_board(&read.board, &fields, color, direction, err) : status;
    status = status == BG_OK ? fibs_match(&read.id, &fields, err) : status;
    status = status == BG_OK ? fibs_turn(&read.id, &fields, color, err) : status;
    status = status == BG_OK ? fibs_cube(&read.id, &fields, err) : status;
    if (status == BG_OK) {
        *out = read;
    }
    return status;
}

/* ---- OGID ---- */

static const char ogid[] = "OGID";
static const char places[] = "0123456789abcdefghijklmnop"; /* 0 White's bar, p (25) Black's */

enum ogid_field {
    OGID_WHITE,
    OGID_BLACK,
    OGID_CUBE,
    OGID_DICE,
    OGID_COLOR,
    OGID_STATE,
    OGID_SCORE_WHITE,
    OGID_SCORE_BLACK,
    OGID_LENGTH,
    OGID_MOVE,
    OGID_CHECKERS
};

static bool is_cube(const char *at)
{
    return at[0] != '\0' && strchr("NWBD?", at[0]) != NULL && isdigit((unsigned char)at[1]) &&
           at[2] != '\0' && strchr("NOTP", at[2]) != NULL && (at[3] == ':' || at[3] == '\0');
}

bool pasted_is_ogid(const char *text)
{
    const char *white = strchr(text, ':');
    const char *black = white == NULL ? NULL : strchr(white + 1, ':');

    /* the cube, which no other notation writes so: wrong checkers are then told as an OGID's */
    return black != NULL && is_cube(black + 1);
}

/* Sets one side's checkers, a character each. White plays from 1 to 24, Black, the bottom player,
 * from 24 to 1; q is a checker off. */
static enum bg_status ogid_side(uint8_t at[BG_SLOTS], const char *text, int seat,
                                struct bg_error *err)
{
    for (; *text != '\0'; text++) {
        const char *place = strchr(places, *text);
        int slot = place == NULL ? 0 : (int)(place - places);

        if (*text == 'q') {
            continue;
        }
        slot = seat == TOP ? 25 - slot : slot;
        if (place == NULL || slot == BG_OFF || at[slot] == CHECKERS) {
            return bg_error_set(err, BG_E_FORMAT, "%s: no checker of %s can stand at '%c'", ogid,
                                seat == TOP ? "White" : "Black", *text);
        }
        at[slot]++;
    }
    return BG_OK;
}

/* The colour is who has acted last, so the other one is on roll; only before the first roll of a
 * game does the state name who begins. */
static enum bg_status ogid_turn(struct bg_match_id *id, const struct pasted_fields *fields,
                                struct bg_error *err)
{
    const char *dice = fields->count > OGID_DICE ? fields->field[OGID_DICE] : "";
    const char *color = fields->count > OGID_COLOR ? fields->field[OGID_COLOR] : "W";
    const char *state = fields->count > OGID_STATE ? fields->field[OGID_STATE] : "";

    if (strcmp(color, "W") != 0 && strcmp(color, "B") != 0) {
        return bg_error_set(err, BG_E_FORMAT, "%s: the colour '%.20s' is neither W nor B", ogid,
                            color);
    }
    if (dice[0] != '\0') {
        if (strlen(dice) != 2 || strspn(dice, "123456") != 2) {
            return bg_error_set(err, BG_E_FORMAT, "%s: the dice '%.20s' are not two numbers 1 to 6",
                                ogid, dice);
        }
        set_dice(id, dice[0] - '0', dice[1] - '0');
    }
    id->move = *color == 'W' ? BOTTOM : TOP;
    if (dice[0] == '\0' && strcmp(state, "IW") == 0) {
        id->move = TOP;
    } else if (dice[0] == '\0' && strcmp(state, "IB") == 0) {
        id->move = BOTTOM;
    }
    id->turn = id->move;
    return BG_OK;
}

static enum bg_status ogid_cube(struct bg_match_id *id, const char *cube, struct bg_error *err)
{
    id->cube_log2 = cube[1] - '0';
    id->cube_owner = cube[0] == 'W' ? TOP : cube[0] == 'B' ? BOTTOM : BG_CENTRED;
    if (cube[2] == 'P') {
        return bg_error_set(err, BG_E_FORMAT, "%s: the game is over (a double was passed)", ogid);
    }
    if (cube[2] == 'O') { /* who acted last has doubled */
        id->doubled = 1;
        id->turn = id->move;
        id->move = 1 - id->turn;
        id->dice[0] = id->dice[1] = 0;
    }
    return BG_OK;
}

/* Reads the scores and the length, "7", "7C" (the Crawford game), "7L" (after it), "0G15". */
static enum bg_status ogid_match(struct bg_match_id *id, struct pasted_fields *fields,
                                 struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int checkers = CHECKERS;

    if (fields->count > OGID_SCORE_BLACK) {
        status =
            read_field(&id->score[TOP], fields, OGID_SCORE_WHITE, "score of White", 0, 32767, err);
        status = status == BG_OK ? read_field(&id->score[BOTTOM], fields, OGID_SCORE_BLACK,
                                              "score of Black", 0, 32767, err)
                                 : status;
    }
    if (status == BG_OK && fields->count > OGID_LENGTH) {
        char *length = fields->field[OGID_LENGTH];
        char *mark = length + strspn(length, "0123456789");

        id->crawford = *mark == 'C';
        if (*mark != '\0' && strchr("CLG", *mark) == NULL) {
            return bg_error_set(err, BG_E_FORMAT, "%s: the match length '%.20s'", ogid, length);
        }
        *mark = '\0';
        status = read_field(&id->length, fields, OGID_LENGTH, "match length", 0, 32767, err);
    }
    if (status == BG_OK && fields->count > OGID_CHECKERS &&
        fields->field[OGID_CHECKERS][0] != '\0') {
        status = read_field(&checkers, fields, OGID_CHECKERS, "number of checkers", CHECKERS,
                            CHECKERS, err);
    }
    id->jacoby = id->length == 0;
    id->crawford = id->crawford && id->length > 1;
    return status;
}

enum bg_status pasted_ogid_read(struct position *out, const char *text, struct bg_error *err)
{
    struct position read = {.id = {.state = 1}, .has_match = true};
    struct pasted_fields fields = {.count = 0};
    enum bg_status status = cut_fields(&fields, ogid, text, err);

    if (status == BG_OK && (fields.count <= OGID_CUBE || !is_cube(fields.field[OGID_CUBE]))) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%s: expected WHITE:BLACK:CUBE, a cube like N0N, then dice, colour, "
                            "state, scores and length",
                            ogid);
    }
    status = status == BG_OK ? ogid_side(read.board.at[TOP], fields.field[OGID_WHITE], TOP, err)
                             : status;
    status = status == BG_OK
                 ? ogid_side(read.board.at[BOTTOM], fields.field[OGID_BLACK], BOTTOM, err)
                 : status;
    status = status == BG_OK ? complete(&read.board, ogid, err) : status;
    status = status == BG_OK ? ogid_turn(&read.id, &fields, err) : status;
    status = status == BG_OK ? ogid_cube(&read.id, fields.field[OGID_CUBE], err) : status;
    status = status == BG_OK ? ogid_match(&read.id, &fields, err) : status;
    if (status == BG_OK) {
        *out = read;
    }
    return status;
}
