/* Steps and rules as the words of a record. One table for both directions, so that nothing is
 * written that cannot be read; and one spelling for each step, because records are hashed. */
#include "record_text.h"

#include <assert.h>
#include <string.h>

/* The words of the format. They never change; faults have fixed names (error.h). */
static const char *const step_words[BG_STEP_COUNT] = {
    [BG_STEP_OPEN] = "open",     [BG_STEP_ROLL] = "roll",     [BG_STEP_DOUBLE] = "double",
    [BG_STEP_TAKE] = "take",     [BG_STEP_PASS] = "pass",     [BG_STEP_RAISE] = "raise",
    [BG_STEP_PLAY] = "play",     [BG_STEP_RESIGN] = "resign", [BG_STEP_ACCEPT] = "accept",
    [BG_STEP_REFUSE] = "refuse", [BG_STEP_KEEP] = "keep",     [BG_STEP_REROLL] = "reroll",
    [BG_STEP_NAME] = "name",     [BG_STEP_FAULT] = "fault",   [BG_STEP_NEXT] = "next",
};

static const char *const end_words[BG_END_COUNT] = {
    [BG_END_NONE] = "none",     [BG_END_OFF] = "off",         [BG_END_PASS] = "pass",
    [BG_END_RESIGN] = "resign", [BG_END_FAULT] = "fault",     [BG_END_DEAD] = "dead",
    [BG_END_CAP] = "cap",       [BG_END_SPECIAL] = "special",
};

static const char *const opening_words[BG_OPENING_COUNT] = {
    [BG_OPENING_PLAY] = "play",         [BG_OPENING_REROLL] = "reroll",
    [BG_OPENING_CHOICE] = "choice",     [BG_OPENING_SUM_REROLL] = "sum-reroll",
    [BG_OPENING_SUM_PLAY] = "sum-play", [BG_OPENING_WINNER] = "winner",
};

static const char *const next_words[BG_NEXT_COUNT] = {
    [BG_NEXT_SAME] = "same",
    [BG_NEXT_WINNER] = "winner",
    [BG_NEXT_HOYLE] = "hoyle",
    [BG_NEXT_ALTERNATE] = "alternate",
};

/* Returns a word's index in a table; -1 if it is missing. */
static int find_word(const char *const *table, int count, const char *word, size_t size)
{
    for (int i = 0; i < count; i++) {
        if (strlen(table[i]) == size && memcmp(table[i], word, size) == 0) {
            return i;
        }
    }
    return -1;
}

/* Steps that no bot has decided; their lines have no seat. */
static bool is_hosts(enum bg_step_kind kind)
{
    return kind == BG_STEP_OPEN || kind == BG_STEP_NEXT;
}

/* --- steps ------------------------------------------------------------------------------- */

static char *put_dice(char *at, const uint8_t die[4])
{
    *at++ = ' ';
    for (int i = 0; i < 4 && die[i] != 0; i++) {
        assert(die[i] <= 6);
        *at++ = (char)('0' + die[i]);
    }
    return at;
}

static inline char *put_moves(char *at, const struct bg_play *play, char before)
{
    assert(play->moves <= BG_MOVES_MAX);
    for (int i = 0; i < play->moves; i++) {
        *at++ = before;
        at = line_put_slot(at, play->move[i].from);
        *at++ = '/';
        at = line_put_slot(at, play->move[i].to);
    }
    return at;
}

static char *record_put_step(char *at, const struct bg_step *step)
{
    assert(step->kind >= 0 && step->kind < BG_STEP_COUNT);
    if (!is_hosts(step->kind)) {
        assert(step->seat == 0 || step->seat == 1);
        *at++ = (char)('0' + step->seat);
        *at++ = ' ';
    }
    at = line_put(at, step_words[step->kind]);
    switch (step->kind) {
    case BG_STEP_OPEN:
    case BG_STEP_ROLL:
        return put_dice(at, step->die);
    case BG_STEP_PLAY:
        return put_moves(at, &step->play, ' ');
    case BG_STEP_RESIGN:
    case BG_STEP_NAME:
        *at++ = ' ';
        return line_put_int(at, step->level);
    case BG_STEP_FAULT:
        *at++ = ' ';
        return line_put(at, bg_fault_name(step->fault));
    default:
        return at;
    }
}

static bool scan_dice(struct scan *scan, struct bg_step *step, int least, int most)
{
    int count = 0;

    if (!scan_text(scan, " ")) {
        return false;
    }
    for (; !scan_is_done(scan); scan->at++) {
        if (count == most || *scan->at < '1' || *scan->at > '6') {
            return false;
        }
        step->die[count++] = (uint8_t)(*scan->at - '0');
    }
    return count >= least;
}

/* Only the spelling is judged here. Whether the moves are legal, and in the right order, the
 * match machine says when the record is replayed. */
static inline bool read_moves(struct bg_play *play, struct scan *scan, const char *between)
{
    do {
        int from, to;

        if (play->moves == BG_MOVES_MAX || (play->moves > 0 && !scan_text(scan, between)) ||
            !scan_slot(scan, &from) || !scan_text(scan, "/") || !scan_slot(scan, &to)) {
            return false;
        }
        play->move[play->moves].from = (uint8_t)from;
        play->move[play->moves++].to = (uint8_t)to;
    } while (!scan_is_done(scan));
    return true;
}

static bool scan_level(struct scan *scan, struct bg_step *step, int most)
{
    int64_t level;

    if (!scan_text(scan, " ") || !scan_int(scan, 1, most, &level)) {
        return false;
    }
    step->level = (uint8_t)level;
    return true;
}

static bool scan_fault(struct scan *scan, enum bg_fault *out)
{
    const char *word = scan->at;
    char name[16] = "";

    while (scan->at < scan->end && *scan->at != ' ') {
        scan->at++;
    }
    if ((size_t)(scan->at - word) >= sizeof name) {
        return false;
    }
    memcpy(name, word, (size_t)(scan->at - word));
    *out = bg_fault_from_name(name);
    return *out != BG_FAULT_NONE;
}

/* Reads what follows the step's word. */
static bool scan_details(struct scan *scan, struct bg_step *step)
{
    switch (step->kind) {
    case BG_STEP_OPEN:
        return scan_dice(scan, step, 2, 4);
    case BG_STEP_ROLL:
        return scan_dice(scan, step, 2, 3);
    case BG_STEP_PLAY:
        return scan_is_done(scan) || (scan_text(scan, " ") && read_moves(&step->play, scan, " "));
    case BG_STEP_RESIGN:
        return scan_level(scan, step, BG_CHECKERS);
    case BG_STEP_NAME:
        return scan_level(scan, step, 6);
    case BG_STEP_FAULT:
        return scan_text(scan, " ") && scan_fault(scan, &step->fault);
    default:
        return true;
    }
}

/* For others than steps, of which there are many. */
char *record_put_moves(char *at, const struct bg_play *play, char before)
{
    return put_moves(at, play, before);
}

bool record_read_moves(struct bg_play *out, struct scan *scan, const char *between)
{
    return read_moves(out, scan, between);
}

/* Return false if the text is not a step (a word, ...); *out is then undefined. */
static bool record_read_step(struct bg_step *out, const char *text, size_t size)
{
    struct scan scan = {text, text + size};
    int64_t seat;
    bool has_seat = scan_int(&scan, 0, 1, &seat);

    *out = (struct bg_step){.seat = has_seat ? (int)seat : -1};
    if (has_seat && !scan_text(&scan, " ")) {
        return false;
    }

    const char *word = scan.at;

    while (scan.at < scan.end && *scan.at != ' ') {
        scan.at++;
    }

    int kind = find_word(step_words, BG_STEP_COUNT, word, (size_t)(scan.at - word));

    if (kind < 0 || is_hosts((enum bg_step_kind)kind) == has_seat) {
        return false;
    }
    out->kind = (enum bg_step_kind)kind;
    return scan_details(&scan, out) && scan_is_done(&scan);
}

void record_step_write(char out[RECORD_STEP], const struct bg_step *step)
{
    *record_put_step(out, step) = '\0';
}

enum bg_status record_step_read(struct bg_step *out, const char *line, struct bg_error *err)
{
    if (!record_read_step(out, line, strlen(line))) {
        return bg_error_set(err, BG_E_FORMAT, "'%.80s' is not a step of a record", line);
    }
    return BG_OK;
}

/* --- steps with their times -------------------------------------------------------------- */

char *record_put_timed(char *at, const struct bg_step *step, const struct record_time *time)
{
    at = record_put_step(at, step);
    if (time->spent_ns >= 0) {
        *at++ = ' ';
        *at++ = '@';
        at = line_put_int(at, time->spent_ns);
    }
    if (time->spent_ns >= 0 && time->waited_ns > 0) {
        *at++ = '+';
        at = line_put_int(at, time->waited_ns);
    }
    return at;
}

/* Cuts the time, which follows "@", off the line. */
bool record_read_timed(struct bg_step *out, struct record_time *time, const char *text, size_t size)
{
    const char *mark = memchr(text, '@', size);

    *time = (struct record_time){-1, 0};
    if (mark != NULL) {
        struct scan scan = {mark + 1, text + size};

        /* One blank before the mark and no other: a line has one spelling, because its bytes are
         * hashed. */
        if (mark - text < 2 || mark[-1] != ' ' || !scan_int(&scan, 0, INT64_MAX, &time->spent_ns) ||
            (scan_text(&scan, "+") && !scan_int(&scan, 1, INT64_MAX, &time->waited_ns)) ||
            !scan_is_done(&scan)) {
            return false;
        }
        size = (size_t)(mark - text) - 1;
    }
    return record_read_step(out, text, size);
}

void record_timed_write(char out[RECORD_TIMED], const struct bg_step *step,
                        const struct record_time *time)
{
    *record_put_timed(out, step, time) = '\0';
}

enum bg_status record_timed_read(struct bg_step *out, struct record_time *time, const char *line,
                                 size_t size, struct bg_error *err)
{
    if (!record_read_timed(out, time, line, size)) {
        return bg_error_set(err, BG_E_FORMAT, "'%.*s' is not a step of a record",
                            size > 80 ? 80 : (int)size, line);
    }
    return BG_OK;
}

/* --- rules ------------------------------------------------------------------------------- */

static const char *on_off(bool value)
{
    return value ? "on" : "off";
}

void record_rules_write(char out[RECORD_RULES], const struct bg_rules *rules)
{
    const struct {
        const char *key;
        bool value;
    } flags[] = {
        {" cube=", rules->cube},
        {" jacoby=", rules->jacoby},
        {" beavers=", rules->beavers},
        {" crawford=", rules->crawford},
        {" holland=", rules->holland},
        {" forfeit-single=", rules->forfeit_single},
        {" fault-match=", rules->fault_match},
    };
    char *at = line_put(out, "variant=");

    at = line_put(at, bg_variant_id(rules->variant));
    at = line_put(at, " length=");
    at = line_put_int(at, rules->length_points);
    at = line_put(at, " opening=");
    at = line_put(at, opening_words[rules->opening]);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        at = line_put(line_put(at, flags[i].key), on_off(flags[i].value));
    }
    at = line_put_int(line_put(at, " raises="), rules->raises);
    at = line_put_int(line_put(at, " auto-doubles="), rules->auto_doubles);
    at = line_put_int(line_put(at, " turn-cap="), rules->turn_cap);
    /* The words from here on came later and are written only where they differ from the default:
     * without them a record has the same text, and so the same hash, as before they were known. */
    if (rules->flag_match) {
        at = line_put(at, " flag-match=on");
    }
    if (rules->cube_limit != 0) {
        at = line_put_int(line_put(at, " cube-limit="), rules->cube_limit);
    }
    if (rules->next != BG_NEXT_SAME) {
        at = line_put(line_put(at, " next="), next_words[rules->next]);
    }
    if (rules->rotation != NULL) {
        at = line_put(line_put(at, " rotation="), bg_rotation_id(rules->rotation));
    }
    *at = '\0';
}

static bool scan_flag(struct scan *scan, const char *key, bool *out)
{
    if (!scan_text(scan, key)) {
        return false;
    }
    *out = scan_text(scan, "on");
    return *out || scan_text(scan, "off");
}

static bool scan_number(struct scan *scan, const char *key, int low, int high, int *out)
{
    int64_t value;

    if (!scan_text(scan, key) || !scan_int(scan, low, high, &value)) {
        return false;
    }
    *out = (int)value;
    return true;
}

enum { VARIANT_ID = 128 };

static bool scan_id(char id[VARIANT_ID], struct scan *scan)
{
    const char *word;
    size_t size;

    if (!scan_word(scan, &word, &size) || size >= VARIANT_ID) {
        return false;
    }
    memcpy(id, word, size);
    id[size] = '\0';
    return true;
}

static bool scan_variant(struct scan *scan, struct bg_rules *rules)
{
    char id[VARIANT_ID];

    if (!scan_text(scan, "variant=") || !scan_id(id, scan)) {
        return false;
    }
    rules->variant = bg_variant_find(id);
    /* Each option has one spelling. */
    return rules->variant != NULL && strcmp(bg_variant_id(rules->variant), id) == 0;
}

/* Reads the optional word next=; without it the default stays. */
static bool scan_next(struct scan *scan, struct bg_rules *rules)
{
    const char *word;
    size_t size;
    int next;

    if (scan_is_done(scan) || !scan_text(scan, " next=")) {
        return true;
    }
    word = scan->at;
    while (scan->at < scan->end && *scan->at != ' ') {
        scan->at++;
    }
    size = (size_t)(scan->at - word);
    next = find_word(next_words, BG_NEXT_COUNT, word, size);
    rules->next = (enum bg_next)(next < 0 ? 0 : next);
    return next > 0;
}

static bool scan_flag_match(struct scan *scan, struct bg_rules *rules)
{
    rules->flag_match = !scan_is_done(scan) && scan_text(scan, " flag-match=on");
    return true;
}

static bool scan_limit(struct scan *scan, struct bg_rules *rules)
{
    if (scan_is_done(scan) || !scan_text(scan, " cube-limit=")) {
        return true;
    }
    return scan_number(scan, "", 2, 1 << 30, &rules->cube_limit);
}

static bool scan_rotation(struct scan *scan, struct bg_rules *rules)
{
    char id[VARIANT_ID];

    if (scan_is_done(scan)) {
        return true;
    }
    if (!scan_text(scan, " rotation=") || !scan_id(id, scan)) {
        return false;
    }
    rules->rotation = bg_rotation_find(id);
    return rules->rotation != NULL && strcmp(bg_rotation_id(rules->rotation), id) == 0;
}

static bool scan_opening(struct scan *scan, struct bg_rules *rules)
{
    const char *word;
    size_t size;

    if (!scan_text(scan, " opening=") || !scan_word(scan, &word, &size)) {
        return false;
    }

    int opening = find_word(opening_words, BG_OPENING_COUNT, word, size);

    rules->opening = (enum bg_opening)(opening < 0 ? 0 : opening);
    return opening >= 0;
}

/* Reads the rules in their fixed order: one set of rules has one text. */
static bool scan_rules(struct scan *scan, struct bg_rules *rules)
{
    return scan_variant(scan, rules) &&
           scan_number(scan, "length=", 0, 10000, &rules->length_points) &&
           scan_opening(scan, rules) && scan_flag(scan, "cube=", &rules->cube) &&
           scan_flag(scan, " jacoby=", &rules->jacoby) &&
           scan_flag(scan, " beavers=", &rules->beavers) &&
           scan_flag(scan, " crawford=", &rules->crawford) &&
           scan_flag(scan, " holland=", &rules->holland) &&
           scan_flag(scan, " forfeit-single=", &rules->forfeit_single) &&
           scan_flag(scan, " fault-match=", &rules->fault_match) &&
           scan_number(scan, " raises=", -1, 1000, &rules->raises) &&
           scan_number(scan, " auto-doubles=", 0, 1000, &rules->auto_doubles) &&
           scan_number(scan, " turn-cap=", 0, 1000000000, &rules->turn_cap) &&
           scan_flag_match(scan, rules) && scan_limit(scan, rules) && scan_next(scan, rules) &&
           scan_rotation(scan, rules) && scan_is_done(scan);
}

enum bg_status record_rules_read(struct bg_rules *out, const char *line, struct bg_error *err)
{
    struct scan scan = {line, line + strlen(line)};
    struct bg_rules rules = {0};

    if (!scan_rules(&scan, &rules)) {
        return bg_error_set(err, BG_E_FORMAT, "rules '%.200s': not understood at '%.40s'", line,
                            scan.at);
    }
    if (bg_rules_check(&rules, err) != BG_OK) {
        return BG_E_FORMAT;
    }
    *out = rules;
    return BG_OK;
}

/* --- start ------------------------------------------------------------------------------- */

static char *put_seat(char *at, int seat)
{
    *at++ = (char)(seat < 0 ? '-' : '0' + seat);
    return at;
}

char *record_put_start(char *at, const struct bg_match *start)
{
    at = line_put_int(line_put(at, "game="), start->game);
    at = line_put_int(line_put(at, " score="), start->score[0]);
    *at++ = ':';
    at = line_put_int(at, start->score[1]);
    at = line_put_int(line_put(at, " cube="), (int64_t)1 << start->cube_log2);
    at = put_seat(line_put(at, " owner="), start->cube_owner);
    at = line_put(line_put(at, " crawford="), on_off(start->crawford_game));
    at = line_put(line_put(at, " post-crawford="), on_off(start->crawford_done));
    at = put_seat(line_put(at, " last-winner="), start->last_winner);
    if (start->drawn_games > 0) {
        at = line_put_int(line_put(at, " drawn="), start->drawn_games);
    }
    at = put_seat(line_put(at, " on-roll="), start->on_roll);
    return line_put(line_put(at, " position="), start->set_position ? "given" : "set-up");
}

static bool scan_seat(struct scan *scan, const char *key, int *out)
{
    int64_t seat = -1;

    if (!scan_text(scan, key) || (!scan_text(scan, "-") && !scan_int(scan, 0, 1, &seat))) {
        return false;
    }
    *out = (int)seat;
    return true;
}

static bool scan_cube(struct scan *scan, struct bg_match *out)
{
    int64_t value;

    if (!scan_text(scan, " cube=") || !scan_int(scan, 1, (int64_t)1 << BG_CUBE_LOG2_MAX, &value) ||
        (value & (value - 1)) != 0) {
        return false;
    }
    for (out->cube_log2 = 0; value > 1; value >>= 1) {
        out->cube_log2++;
    }
    return scan_seat(scan, " owner=", &out->cube_owner);
}

/* The word is missing if no game was drawn. */
static bool scan_drawn(struct scan *scan, int *out)
{
    struct scan there = *scan;

    *out = 0;
    return !scan_text(&there, " drawn=") ||
           scan_number(scan, " drawn=", 1, BG_DRAWN_GAMES - 1, out);
}

bool record_read_start(struct bg_match *out, const char *text, size_t size)
{
    const int64_t most = INT64_C(1) << 50;
    struct scan scan = {text, text + size};

    if (!scan_number(&scan, "game=", 0, 1000000000, &out->game) || !scan_text(&scan, " score=") ||
        !scan_int(&scan, 0, most, &out->score[0]) || !scan_text(&scan, ":") ||
        !scan_int(&scan, 0, most, &out->score[1]) || !scan_cube(&scan, out) ||
        !scan_flag(&scan, " crawford=", &out->crawford_game) ||
        !scan_flag(&scan, " post-crawford=", &out->crawford_done) ||
        !scan_seat(&scan, " last-winner=", &out->last_winner) ||
        !scan_drawn(&scan, &out->drawn_games) || !scan_seat(&scan, " on-roll=", &out->on_roll) ||
        !scan_text(&scan, " position=")) {
        return false;
    }
    out->set_position = scan_text(&scan, "given");
    return (out->set_position || scan_text(&scan, "set-up")) && scan_is_done(&scan);
}

/* --- board ------------------------------------------------------------------------------- */

/* Writes "24:2 13:5 8:3 6:5": slots from the far end, then the words that only some variants
 * need. */
char *record_put_board(char *at, const struct bg_board *board, int seat)
{
    char *begin = at;

    for (int slot = BG_SLOTS - 1; slot >= 0; slot--) {
        if (board->at[seat][slot] != 0) {
            at = line_put_slot(at, slot);
            *at++ = ':';
            at = line_put_int(at, board->at[seat][slot]);
            *at++ = ' ';
        }
    }
    for (int slot = 0; slot < BG_SLOTS; slot++) {
        if ((board->pinned[seat] >> slot & 1) != 0) {
            at = line_put_slot(line_put(at, "pinned:"), slot);
            *at++ = ' ';
        }
    }
    for (int slot = 1; slot <= 6; slot++) {
        if (board->stacked[seat][slot] != 0) {
            at = line_put_int(line_put(at, "stacked"), slot);
            *at++ = ':';
            at = line_put_int(at, board->stacked[seat][slot]);
            *at++ = ' ';
        }
    }
    if (board->turns[seat] != 0) {
        at = line_put_int(line_put(at, "turns:"), board->turns[seat]);
        *at++ = ' ';
    }
    if (board->may_hit[seat] != 0) {
        at = line_put(at, "may-hit:1 ");
    }
    if (at == begin) {
        return line_put(at, "-"); /* this seat has no checker at all */
    }
    return at - 1;
}

static bool scan_board_word(struct scan *word, struct bg_board *out, int seat)
{
    int64_t value, point;
    int slot;

    if (scan_text(word, "pinned:")) {
        if (!scan_slot(word, &slot)) {
            return false;
        }
        out->pinned[seat] |= UINT64_C(1) << slot;
        return true;
    }
    if (scan_text(word, "stacked")) {
        if (!scan_int(word, 1, 6, &point) || !scan_text(word, ":") ||
            !scan_int(word, 1, BG_CHECKERS, &value)) {
            return false;
        }
        out->stacked[seat][point] = (uint8_t)value;
        return true;
    }
    if (scan_text(word, "turns:")) {
        bool fits = scan_int(word, 1, 255, &value);

        out->turns[seat] = (uint8_t)(fits ? value : 0);
        return fits;
    }
    if (scan_text(word, "may-hit:1")) {
        out->may_hit[seat] = 1;
        return true;
    }
    if (!scan_slot(word, &slot) || !scan_text(word, ":") ||
        !scan_int(word, 1, BG_CHECKERS, &value)) {
        return false;
    }
    out->at[seat][slot] = (uint8_t)value;
    return true;
}

/* Fills one seat's part of a zeroed board. */
bool record_read_board(struct bg_board *out, int seat, const char *text, size_t size)
{
    struct scan scan = {text, text + size};
    const char *word;
    size_t word_size;

    if (size == 1 && text[0] == '-') {
        return true;
    }
    while (scan_word(&scan, &word, &word_size)) {
        struct scan part = {word, word + word_size};

        if (!scan_board_word(&part, out, seat) || !scan_is_done(&part)) {
            return false;
        }
    }

    /* Accepts only the form that bgref writes: refuses repeated words and other orders. */
    char again[1024];

    return scan_is_done(&scan) && (size_t)(record_put_board(again, out, seat) - again) == size &&
           memcmp(again, text, size) == 0;
}

const char *record_end_word(enum bg_end end)
{
    return end_words[end];
}

enum bg_end record_end_find(const char *word)
{
    int found = find_word(end_words, BG_END_COUNT, word, strlen(word));

    return (enum bg_end)(found < 0 ? 0 : found);
}

/* --- end --------------------------------------------------------------------------------- */

char *record_put_end(char *at, const struct bg_result *result)
{
    at = line_put(line_put(at, "end "), end_words[result->end]);
    at = put_seat(line_put(at, " winner="), result->winner);
    at = line_put_int(line_put(at, " level="), result->level);
    at = line_put_int(line_put(at, " points="), result->points);
    if (result->end == BG_END_FAULT) {
        at = line_put(line_put(at, " fault="), bg_fault_name(result->fault));
    }
    return at;
}

bool record_read_end(struct bg_result *out, bool *has_left, int64_t left_ns[2], const char *text,
                     size_t size)
{
    const int64_t most = INT64_C(1) << 50;
    struct scan scan = {text, text + size};
    const char *word;
    size_t word_size;
    int found;

    *out = (struct bg_result){.winner = -1};
    if (!scan_text(&scan, "end ") || !scan_word(&scan, &word, &word_size)) {
        return false;
    }
    found = find_word(end_words, BG_END_COUNT, word, word_size);
    if (found < 0 || !scan_seat(&scan, "winner=", &out->winner) ||
        !scan_number(&scan, " level=", 0, BG_CHECKERS, &out->level) ||
        !scan_text(&scan, " points=") || !scan_int(&scan, 0, most, &out->points)) {
        return false;
    }
    out->end = (enum bg_end)found;
    if (out->end == BG_END_FAULT &&
        (!scan_text(&scan, " fault=") || !scan_fault(&scan, &out->fault))) {
        return false;
    }
    *has_left = scan_text(&scan, " left=");
    if (*has_left &&
        (!scan_int(&scan, INT64_MIN, INT64_MAX, &left_ns[0]) || !scan_text(&scan, ",") ||
         !scan_int(&scan, INT64_MIN, INT64_MAX, &left_ns[1]))) {
        return false;
    }
    return scan_is_done(&scan);
}
