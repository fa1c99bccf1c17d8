/* One reader for every notation, so that each command takes whatever a user has at hand. Which
 * one it is follows from its form; where two forms could be meant, the message says what was
 * expected. */
#define _GNU_SOURCE
#include "positions.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"

enum { COLUMNS_MAX = 4, POSITION_WORD = 256 };

/* ------------------------------------------------------------------ from elsewhere */

/* Positions as people copy them from servers and other programs. FIBS: the line
 * "board:You:them:..." of its client protocol (CLIP). OGID: OpenGammon's fields
 * WHITE:BLACK:CUBE:DICE:COLOR:STATE:SCORES:LENGTH:MOVE. In both the player of the lower numbers
 * (FIBS: who reads the line; OGID: Black) becomes seat 1, the bottom player. A board from FIBS says
 * who moves by colour and direction, so all is turned to the reader's side first; what the notation
 * does not have (Jacoby, whose turn the cube waits for) gets the value that its source plays with.
 * They read up to the text's end or its first blank; after an error *out is unchanged. */

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

/* Returns true if the text begins as a board of FIBS does. */
static bool pasted_is_fibs(const char *text)
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

static enum bg_status pasted_fibs_read(struct position *out, const char *text, struct bg_error *err)
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

/* Returns true if the text has the first three fields of an OGID, which no other notation has. */
static bool pasted_is_ogid(const char *text)
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

static enum bg_status pasted_ogid_read(struct position *out, const char *text, struct bg_error *err)
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

/* ------------------------------------------------------------------ every notation */

/* Nine fields follow an XGID's board; a pair of IDs has one ':'. */
bool position_is_xgid(const char *text)
{
    const char *colon = strchr(text, ':');

    return strncmp(text, "XGID=", 5) == 0 || (colon != NULL && strchr(colon + 1, ':') != NULL);
}

/* The largest cube of an XGID that has been read: its last field. */
static int limit_of(const char *xgid)
{
    return (int)strtol(strrchr(xgid, ':') + 1, NULL, 10);
}

/* Reads one notation without anything around it. */
static enum bg_status read_notation(struct position *out, const char *text, struct bg_error *err)
{
    struct position read = {
        .id = {.cube_owner = BG_CENTRED, .move = 1, .turn = 1, .jacoby = 1, .state = 1}};
    const char *colon = strchr(text, ':');
    enum bg_status status = BG_OK;
    char id[BG_POSITION_ID + 1];
    struct bg_match_id only;

    if (position_is_xgid(text)) {
        read.has_match = true;
        status = bg_xgid_read(&read.board, &read.id, text, err);
        read.cube_limit = status == BG_OK ? limit_of(text) : 0;
    } else if (colon == NULL && bg_match_id_read(&only, text, NULL) == BG_OK) {
        status = bg_error_set(err, BG_E_FORMAT,
                              "'%.20s' is a Match ID, which holds no board: write "
                              "PositionID:MatchID",
                              text);
    } else if (colon == NULL) {
        status = bg_position_id_read(&read.board, text, read.id.move, err);
    } else {
        /* Keeps one character more than fits, so that the reader finds the text too long. */
        snprintf(id, sizeof id, "%.*s",
                 (int)(colon - text < BG_POSITION_ID ? colon - text : BG_POSITION_ID), text);
        read.has_match = true;
        status = bg_match_id_read(&read.id, colon + 1, err);
        if (status == BG_OK) {
            status = bg_position_id_read(&read.board, id, read.id.move, err);
        }
    }
    if (status == BG_OK) {
        *out = read;
    }
    return status;
}

/* Returns what follows a label like "Position ID:" or "XGID=" in the text, behind blanks; NULL: the
 * label is not there. */
static const char *labelled(const char *text, const char *label)
{
    const char *at = strcasestr(text, label);

    if (at == NULL) {
        return NULL;
    }
    at += strlen(label);
    at += strspn(at, " \t");
    at += *at == ':' || *at == '=';
    return at + strspn(at, " \t");
}

/* Copies the word at `at` behind what out already has. Returns false if it does not fit. */
static bool add_word(char out[POSITION_WORD], const char *at)
{
    size_t used = strlen(out), length = strcspn(at, " \t\r\n\f\v");

    if (used + length >= POSITION_WORD) {
        return false;
    }
    memcpy(out + used, at, length);
    out[used + length] = '\0';
    return true;
}

enum bg_status position_read(struct position *out, const char *text, struct bg_error *err)
{
    const char *xgid = strstr(text, "XGID="), *words = labelled(text, "OGID=");
    const char *position = labelled(text, "Position ID"), *match = labelled(text, "Match ID");
    const char *both = labelled(text, "GNUBGID");
    char word[POSITION_WORD] = "";
    bool fits;

    text += strspn(text, " \t\r\n");
    if (pasted_is_fibs(text)) {
        return pasted_fibs_read(out, text, err);
    }
    if (words != NULL || pasted_is_ogid(text)) {
        return pasted_ogid_read(out, words != NULL ? words : text, err);
    }
    if (xgid != NULL) {
        fits = add_word(word, xgid);
    } else if (position != NULL) {
        fits = add_word(word, position) &&
               (match == NULL || (add_word(word, ":") && add_word(word, match)));
    } else {
        fits = add_word(word, both != NULL ? both : text);
    }
    if (!fits || word[0] == '\0' ||
        (xgid == NULL && position == NULL && both == NULL && text[strlen(word)] != '\0' &&
         text[strlen(word) + strspn(text + strlen(word), " \t\r\n")] != '\0')) {
        return bg_error_set(err, BG_E_FORMAT,
                            "'%.40s' is not a position: expected a Position ID, "
                            "PositionID:MatchID, XGID, OGID or a board of FIBS",
                            text);
    }
    return read_notation(out, word, err);
}

enum bg_status position_xgid_write(char out[BG_XGID], const struct position *position,
                                   struct bg_error *err)
{
    enum bg_status status = bg_xgid_write(out, &position->board, &position->id, err);
    char *limit = status == BG_OK ? strrchr(out, ':') : NULL;

    if (limit != NULL && position->cube_limit > 0) {
        snprintf(limit, (size_t)(out + BG_XGID - limit), ":%d", position->cube_limit);
    }
    return status;
}

/* A notation may begin with '-', which the parser of options would take for one; so it gets
 * something in front before argp sees it. */
void position_arguments(int argc, char **argv, char space[POSITION_SPACE])
{
    char *end = space;

    for (int i = 1; i < argc; i++) {
        /* "XGID=" may come before an XGID, and a blank before the notation of all variants. */
        const char *before = position_is_xgid(argv[i]) ? "XGID=" : strchr(argv[i], '|') ? " " : "";
        const size_t size = strlen(before) + strlen(argv[i]) + 1;

        if (argv[i][0] == '-' && before[0] != '\0' &&
            size <= (size_t)(space + POSITION_SPACE - end)) {
            strcpy(stpcpy(end, before), argv[i]);
            argv[i] = end;
            end += size;
        }
    }
}

const char *position_word(const char *argument)
{
    return argument + (argument[0] == ' ');
}

/* Cuts line at its tabs and ignores what follows the last column. Returns the number of columns. */
static int split_row(char *column[COLUMNS_MAX], int most, char *line)
{
    int count = 0;

    while (count < most) {
        column[count++] = line;
        line += strcspn(line, "\t");
        if (*line == '\0') {
            break;
        }
        *line++ = '\0';
    }
    return count;
}

static enum bg_status read_position_row(char *line, size_t length, int needed, FILE *out,
                                        position_row *row, struct bg_error *err)
{
    char *column[COLUMNS_MAX];
    int columns;

    if (strlen(line) != length) {
        return bg_error_set(err, BG_E_FORMAT, "the line has a zero byte; expected text");
    }
    if (length > 0 && line[length - 1] == '\n') {
        line[length - 1] = '\0';
    }
    columns = split_row(column, needed, line);
    if (columns < needed) {
        return bg_error_set(err, BG_E_FORMAT, "needs %d columns separated by tabs, has %d", needed,
                            columns);
    }
    return row(column, columns, out, err);
}

/* Ends at the first bad row: a program that reads the output counts on one line for each of its
 * own. */
int position_rows(FILE *in, FILE *out, const char *command, int needed, position_row *row)
{
    char *line = NULL;
    size_t size = 0;
    int status = EXIT_DONE;
    unsigned long number = 0;
    struct bg_error err;

    for (ssize_t length; (length = getline(&line, &size, in)) >= 0;) {
        number++;
        if (line[0] == '#') {
            continue;
        }
        if (read_position_row(line, (size_t)length, needed, out, row, &err) != BG_OK) {
            fflush(out);
            fprintf(stderr, "%s: line %lu: %s\n", command, number, err.text);
            status = EXIT_MISUSE;
            goto done;
        }
    }
    if (ferror(in)) {
        fprintf(stderr, "%s: read line %lu: %s\n", command, number + 1, strerror(errno));
        status = EXIT_SURROUNDINGS;
    }
done:
    if (fflush(out) != 0 || ferror(out)) {
        fprintf(stderr, "%s: write standard output: %s\n", command, strerror(errno));
        status = EXIT_SURROUNDINGS;
    }
    free(line);
    return status;
}
