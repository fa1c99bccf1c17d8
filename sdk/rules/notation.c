/* Position ID and Match ID are GNU Backgammon's (docs/rules.md, Notation): bits with the least
 * significant first, then base64 without padding. Reading is strict: every text that is accepted
 * is what writing would give, except for the order of the dice. So a position has one ID, and
 * IDs can be compared as text. */
#include <bgref/notation.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { POSITION_BYTES = 10, POSITION_BITS = 80, MATCH_BYTES = 9, MATCH_BITS = 67 };

/* Ordinary base64 without padding: the most significant bits of byte 0 come first. */
static void base64_write(char *out, const uint8_t *bytes, int count)
{
    unsigned held = 0;
    int bits = 0;

    for (int i = 0; i < count; i++) {
        held = held << 8 | bytes[i];
        for (bits += 8; bits >= 6; bits -= 6) {
            *out++ = base64_digits[held >> (bits - 6) & 63];
        }
    }
    if (bits > 0) {
        *out++ = base64_digits[held << (6 - bits) & 63];
    }
    *out = '\0';
}

/* Reads exactly the characters of `count` bytes; what: the notation's name for messages. */
static enum bg_status base64_read(uint8_t *bytes, int count, const char *text, const char *what,
                                  struct bg_error *err)
{
    const size_t length = ((size_t)count * 8 + 5) / 6;
    unsigned held = 0;
    int bits = 0;

    if (strnlen(text, length + 1) != length) {
        return bg_error_set(err, BG_E_FORMAT, "%s \"%.40s\": needs exactly %zu characters", what,
                            text, length);
    }
    for (size_t i = 0; i < length; i++) {
        const char *digit = strchr(base64_digits, text[i]);

        if (digit == NULL) {
            return bg_error_set(err, BG_E_FORMAT,
                                "%s \"%s\": character %zu is not one of A-Z a-z 0-9 + /", what,
                                text, i + 1);
        }
        held = held << 6 | (unsigned)(digit - base64_digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            *bytes++ = (uint8_t)(held >> bits);
        }
    }
    /* Otherwise two texts would be one position. */
    if ((held & ((1u << bits) - 1)) != 0) {
        return bg_error_set(err, BG_E_FORMAT, "%s \"%s\": the last character has bits to spare",
                            what, text);
    }
    return BG_OK;
}

/* Position ID: for each of 25 slots one 1-bit for each checker, then a 0-bit; the opponent's slots
 * first. */

/* Builds the 80 bits in two words, one run of ones at a time. */
static void position_key(uint8_t key[POSITION_BYTES], const struct bg_board *board, int on_roll)
{
    uint64_t low = 0, high = 0;
    int bit = 0;

    for (int side = 0; side < 2; side++) {
        const uint8_t *at = board->at[side == 0 ? 1 - on_roll : on_roll];

        for (int slot = 1; slot <= BG_BAR; slot++) {
            const int count = at[slot] & 15; /* a larger count is the caller's bug */
            const uint64_t ones = (UINT64_C(1) << count) - 1;

            if (bit < 64) {
                low |= ones << bit;
                high |= bit + count > 64 ? ones >> (64 - bit) : 0;
            } else if (bit < POSITION_BITS) {
                high |= ones << (bit - 64);
            }
            bit += count + 1;
        }
    }
    assert(bit <= POSITION_BITS);
    for (int i = 0; i < POSITION_BYTES; i++) {
        key[i] = (uint8_t)(i < 8 ? low >> 8 * i : high >> 8 * (i - 8));
    }
}

void bg_position_id_write(char out[BG_POSITION_ID], const struct bg_board *board, int on_roll)
{
    uint8_t key[POSITION_BYTES];

    position_key(key, board, on_roll);
    base64_write(out, key, POSITION_BYTES);
}

/* Reads one side's slots from the key, starting at *bit. */
static enum bg_status side_of_key(uint8_t at[BG_SLOTS], const uint8_t key[POSITION_BYTES], int *bit,
                                  const char *text, struct bg_error *err)
{
    int count = 0;

    for (int slot = 1; slot <= BG_BAR; (*bit)++) {
        assert(*bit < POSITION_BITS); /* twice 15 checkers and 25 slots are 80 bits */
        if ((key[*bit / 8] >> *bit % 8 & 1) == 0) {
            slot++;
            continue;
        }
        if (++count > BG_CHECKERS) {
            return bg_error_set(err, BG_E_FORMAT,
                                "position ID \"%s\": more than 15 checkers on one side", text);
        }
        at[slot]++;
    }
    /* The ID does not say how many are off: the rest of 15. */
    at[BG_OFF] = (uint8_t)(BG_CHECKERS - count);
    return BG_OK;
}

enum bg_status bg_position_id_read(struct bg_board *board, const char *text, int on_roll,
                                   struct bg_error *err)
{
    uint8_t key[POSITION_BYTES];
    struct bg_board read = {0};
    enum bg_status status;
    int bit = 0;

    status = base64_read(key, POSITION_BYTES, text, "position ID", err);
    if (status == BG_OK) {
        status = side_of_key(read.at[1 - on_roll], key, &bit, text, err);
    }
    if (status == BG_OK) {
        status = side_of_key(read.at[on_roll], key, &bit, text, err);
    }
    if (status != BG_OK) {
        return status;
    }
    for (; bit < POSITION_BITS; bit++) {
        if ((key[bit / 8] >> bit % 8 & 1) != 0) {
            return bg_error_set(err, BG_E_FORMAT, "position ID \"%s\": goes on after the last bar",
                                text);
        }
    }
    for (int slot = 1; slot <= BG_POINTS; slot++) {
        /* The bits can say it, but no position of backgammon is so. */
        if (read.at[on_roll][slot] > 0 && read.at[1 - on_roll][25 - slot] > 0) {
            return bg_error_set(err, BG_E_FORMAT,
                                "position ID \"%s\": both sides stand on point %d of the player "
                                "on roll",
                                text, slot);
        }
    }
    *board = read;
    return BG_OK;
}

/* Match ID: fields of fixed width, least significant bit first. */

enum match_field {
    FIELD_CUBE,
    FIELD_OWNER,
    FIELD_MOVE,
    FIELD_CRAWFORD,
    FIELD_STATE,
    FIELD_TURN,
    FIELD_DOUBLED,
    FIELD_RESIGNED,
    FIELD_DIE_HIGH,
    FIELD_DIE_LOW,
    FIELD_LENGTH,
    FIELD_SCORE_0,
    FIELD_SCORE_1,
    FIELD_NO_JACOBY,
    FIELD_COUNT
};

enum { OWNER_CENTRED = 3 };

static const struct {
    const char *name;
    int bits, max;
} match_fields[FIELD_COUNT] = {
    [FIELD_CUBE] = {"cube (power of two)", 4, 15},
    [FIELD_OWNER] = {"cube owner", 2, 3},
    [FIELD_MOVE] = {"player on roll", 1, 1},
    [FIELD_CRAWFORD] = {"crawford", 1, 1},
    [FIELD_STATE] = {"game state", 3, 4},
    [FIELD_TURN] = {"turn", 1, 1},
    [FIELD_DOUBLED] = {"doubled", 1, 1},
    [FIELD_RESIGNED] = {"resigned", 2, 3},
    [FIELD_DIE_HIGH] = {"higher die", 3, 6},
    [FIELD_DIE_LOW] = {"lower die", 3, 6},
    [FIELD_LENGTH] = {"match length", 15, 32767},
    [FIELD_SCORE_0] = {"score of player 0", 15, 32767},
    [FIELD_SCORE_1] = {"score of player 1", 15, 32767},
    [FIELD_NO_JACOBY] = {"no jacoby", 1, 1},
};

static void fields_of_id(int64_t fields[FIELD_COUNT], const struct bg_match_id *id)
{
    fields[FIELD_CUBE] = id->cube_log2;
    fields[FIELD_OWNER] = id->cube_owner == BG_CENTRED ? OWNER_CENTRED : id->cube_owner;
    fields[FIELD_MOVE] = id->move;
    fields[FIELD_CRAWFORD] = id->crawford;
    fields[FIELD_STATE] = id->state;
    fields[FIELD_TURN] = id->turn;
    fields[FIELD_DOUBLED] = id->doubled;
    fields[FIELD_RESIGNED] = id->resigned;
    fields[FIELD_DIE_HIGH] = id->dice[0];
    fields[FIELD_DIE_LOW] = id->dice[1];
    fields[FIELD_LENGTH] = id->length;
    fields[FIELD_SCORE_0] = id->score[0];
    fields[FIELD_SCORE_1] = id->score[1];
    fields[FIELD_NO_JACOBY] = !id->jacoby;
}

static enum bg_status check_fields(const int64_t fields[FIELD_COUNT], struct bg_error *err)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (fields[i] < 0 || fields[i] > match_fields[i].max) {
            return bg_error_set(err, BG_E_FORMAT, "match ID: %s %lld is not 0 to %d",
                                match_fields[i].name, (long long)fields[i], match_fields[i].max);
        }
    }
    /* 0, 1, and 3 for the centre: gnubg's numbers. */
    if (fields[FIELD_OWNER] == 2) {
        return bg_error_set(err, BG_E_FORMAT, "match ID: cube owner 2 does not exist");
    }
    if (fields[FIELD_CRAWFORD] && fields[FIELD_LENGTH] == 0) {
        return bg_error_set(err, BG_E_FORMAT, "match ID: money play has no Crawford game");
    }
    if ((fields[FIELD_DIE_HIGH] == 0) != (fields[FIELD_DIE_LOW] == 0) ||
        fields[FIELD_DIE_HIGH] < fields[FIELD_DIE_LOW]) {
        return bg_error_set(err, BG_E_FORMAT,
                            "match ID: dice %lld and %lld are not the larger one first, or both 0",
                            (long long)fields[FIELD_DIE_HIGH], (long long)fields[FIELD_DIE_LOW]);
    }
    return BG_OK;
}

enum bg_status bg_match_id_write(char out[BG_MATCH_ID], const struct bg_match_id *id,
                                 struct bg_error *err)
{
    uint8_t key[MATCH_BYTES] = {0};
    int64_t fields[FIELD_COUNT];
    enum bg_status status;
    int bit = 0;

    fields_of_id(fields, id);
    status = check_fields(fields, err);
    if (status != BG_OK) {
        return status;
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        for (int j = 0; j < match_fields[i].bits; j++, bit++) {
            key[bit / 8] = (uint8_t)(key[bit / 8] | (fields[i] >> j & 1) << bit % 8);
        }
    }
    base64_write(out, key, MATCH_BYTES);
    return BG_OK;
}

/* Some programs write the dice in the order of the throw. */
static void sort_dice(int64_t fields[FIELD_COUNT])
{
    int64_t high = fields[FIELD_DIE_HIGH];

    if (high > 0 && high < fields[FIELD_DIE_LOW]) {
        fields[FIELD_DIE_HIGH] = fields[FIELD_DIE_LOW];
        fields[FIELD_DIE_LOW] = high;
    }
}

enum bg_status bg_match_id_read(struct bg_match_id *out, const char *text, struct bg_error *err)
{
    uint8_t key[MATCH_BYTES];
    int64_t fields[FIELD_COUNT] = {0};
    enum bg_status status;
    int bit = 0;

    status = base64_read(key, MATCH_BYTES, text, "match ID", err);
    if (status != BG_OK) {
        return status;
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        for (int j = 0; j < match_fields[i].bits; j++, bit++) {
            fields[i] |= (int64_t)(key[bit / 8] >> bit % 8 & 1) << j;
        }
    }
    assert(bit == MATCH_BITS);
    if (key[bit / 8] >> bit % 8 != 0) {
        return bg_error_set(err, BG_E_FORMAT, "match ID \"%s\": goes on after the last field",
                            text);
    }
    sort_dice(fields);
    status = check_fields(fields, err);
    if (status != BG_OK) {
        return status;
    }
    *out = (struct bg_match_id){
        .cube_log2 = (int)fields[FIELD_CUBE],
        .cube_owner = fields[FIELD_OWNER] == OWNER_CENTRED ? BG_CENTRED : (int)fields[FIELD_OWNER],
        .move = (int)fields[FIELD_MOVE],
        .turn = (int)fields[FIELD_TURN],
        .crawford = (int)fields[FIELD_CRAWFORD],
        .jacoby = !fields[FIELD_NO_JACOBY],
        .length = (int)fields[FIELD_LENGTH],
        .score = {(int)fields[FIELD_SCORE_0], (int)fields[FIELD_SCORE_1]},
        .dice = {(int)fields[FIELD_DIE_HIGH], (int)fields[FIELD_DIE_LOW]},
        .doubled = (int)fields[FIELD_DOUBLED],
        .resigned = (int)fields[FIELD_RESIGNED],
        .state = (int)fields[FIELD_STATE],
    };
    return BG_OK;
}

static int state_number(const struct bg_match *match)
{
    enum { NO_GAME, PLAYING, OVER, RESIGNED, DROPPED };

    switch (match->result.end) {
    case BG_END_NONE:
        return match->on_roll < 0 ? NO_GAME : PLAYING;
    case BG_END_RESIGN:
        return RESIGNED;
    case BG_END_PASS:
        return DROPPED;
    default:
        return OVER;
    }
}

enum bg_status bg_match_id_of(struct bg_match_id *out, const struct bg_match *match,
                              struct bg_error *err)
{
    const int on_roll = match->on_roll < 0 ? 0 : match->on_roll;
    const int high = match->roll.die[0], low = match->roll.die[1];

    /* gnubg's format has beavers as a rule, but no place for an offered one. */
    if (match->need.kind == BG_NEED_RAISE || match->raise > 0) {
        return bg_error_set(err, BG_E_FORMAT, "match ID: a pending raise has no place in it");
    }
    if (match->cube_log2 > match_fields[FIELD_CUBE].max ||
        match->rules.length_points > match_fields[FIELD_LENGTH].max || match->score[0] < 0 ||
        match->score[1] < 0 || match->score[0] > match_fields[FIELD_SCORE_0].max ||
        match->score[1] > match_fields[FIELD_SCORE_1].max) {
        return bg_error_set(err, BG_E_FORMAT,
                            "match ID: cube 2^%d, length %d or score %lld-%lld does not fit",
                            match->cube_log2, match->rules.length_points,
                            (long long)match->score[0], (long long)match->score[1]);
    }
    *out = (struct bg_match_id){
        .cube_log2 = match->cube_log2,
        .cube_owner = match->cube_owner,
        .move = on_roll,
        .turn = match->need.seat < 0 ? on_roll : match->need.seat,
        .crawford = match->crawford_game,
        .jacoby = match->rules.jacoby && match->rules.cube,
        .length = match->rules.length_points,
        .score = {(int)match->score[0], (int)match->score[1]},
        .dice = {high > low ? high : low, high > low ? low : high},
        .doubled = match->need.kind == BG_NEED_TAKE,
        .resigned = match->need.kind == BG_NEED_RESIGNATION ? match->resign_level : 0,
        .state = state_number(match),
        .beavers = match->rules.beavers,
    };
    return BG_OK;
}

/* XGID, the notation of eXtreme Gammon: 26 board characters and nine fields, separated by ':'.
 *
 * The board is always seen by the bottom player "X", who is seat 1 as in GNU Backgammon: the top
 * player's bar, points 1 to 24, the bottom player's bar; 'A' is one checker of the bottom player,
 * 'a' one of the top player's. Fields: cube as a power of two, its owner (1 bottom, -1 top, 0
 * centred), turn (1, -1), dice (00, two digits, or D while a double is pending: the turn is then
 * the doubler's and the cube still the old one), score of bottom and top, Crawford (or in money
 * play 1 Jacoby + 2 beavers), length, highest cube as a power of two. */

enum { BOTTOM = 1, TOP = 0, BOARD_CHARS = 26, CUBE_LIMIT = 10 };

enum xgid_field {
    XGID_CUBE,
    XGID_OWNER,
    XGID_TURN,
    XGID_DICE,
    XGID_SCORE_BOTTOM,
    XGID_SCORE_TOP,
    XGID_RULES,
    XGID_LENGTH,
    XGID_LIMIT,
    XGID_COUNT
};

static const struct {
    const char *name;
    int min, max;
} fields[XGID_COUNT] = {
    [XGID_CUBE] = {"cube (power of two)", 0, 15},
    [XGID_OWNER] = {"cube owner", -1, 1},
    [XGID_TURN] = {"turn", -1, 1},
    [XGID_DICE] = {"dice", 0, 66}, /* read by its own function */
    [XGID_SCORE_BOTTOM] = {"score of the bottom player", 0, 32767},
    [XGID_SCORE_TOP] = {"score of the top player", 0, 32767},
    [XGID_RULES] = {"crawford or jacoby", 0, 3},
    [XGID_LENGTH] = {"match length", 0, 32767},
    [XGID_LIMIT] = {"highest cube", 0, 99},
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
    if (id->cube_log2 < 0 || id->cube_log2 > fields[XGID_CUBE].max || id->length < 0 ||
        id->length > fields[XGID_LENGTH].max) {
        return unfit(err, "cube or match length does not fit");
    }
    for (int seat = 0; seat < 2; seat++) {
        if (id->score[seat] < 0 || id->score[seat] > fields[XGID_SCORE_TOP].max) {
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

static enum bg_status read_fields(int values[XGID_COUNT], struct bg_match_id *id, const char *at,
                                  struct bg_error *err)
{
    for (int i = 0; i < XGID_COUNT; i++) {
        if (*at != ':') {
            return bg_error_set(err, BG_E_FORMAT, "XGID: ':' and the %s should follow",
                                fields[i].name);
        }
        at++;
        if (i == XGID_DICE) {
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
    int values[XGID_COUNT] = {0};
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
    if (values[XGID_TURN] == 0) {
        return unfit(err, "turn is neither 1 nor -1");
    }
    if (values[XGID_LENGTH] > 0 && values[XGID_RULES] > 1) {
        return unfit(err, "crawford is neither 0 nor 1");
    }
    read.cube_log2 = values[XGID_CUBE];
    read.cube_owner = values[XGID_OWNER] == 0 ? BG_CENTRED : values[XGID_OWNER] == 1;
    read.move = values[XGID_TURN] == 1;
    read.turn = read.doubled ? !read.move : read.move;
    read.score[BOTTOM] = values[XGID_SCORE_BOTTOM];
    read.score[TOP] = values[XGID_SCORE_TOP];
    read.length = values[XGID_LENGTH];
    read.crawford = read.length > 0 && values[XGID_RULES] == 1;
    read.jacoby = read.length == 0 && (values[XGID_RULES] & 1) != 0;
    read.beavers = read.length == 0 && (values[XGID_RULES] & 2) != 0;
    *board = read_to;
    *id = read;
    return BG_OK;
}
