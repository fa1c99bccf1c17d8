/* Reads records of any origin, replays and checks them. A record is read strictly: every line
 * has its check, and a step one spelling. A damaged record is refused with its first bad line
 * instead of being understood in some way. */
#include "record.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "base/memory.h"
#include "record_line.h"
#include "record_text.h"

/* The header's lines, in their fixed order. */
enum record_read_key {
    KEY_ID,
    KEY_ALIAS,
    KEY_EVENT,
    KEY_TRUST,
    KEY_SEAT0,
    KEY_PROGRAM0,
    KEY_VERSION0,
    KEY_OPTIONS0,
    KEY_SEAT1,
    KEY_PROGRAM1,
    KEY_VERSION1,
    KEY_OPTIONS1,
    KEY_CLOCK,
    KEY_LEFT,
    KEY_DICE,
    KEY_KEY,
    KEY_ATTEMPT,
    KEY_HOST,
    KEY_PREV,
    KEY_RULES,
    KEY_START,
    KEY_BOARD0,
    KEY_BOARD1,
    KEY_COUNT
};

static const struct {
    const char *word;
    bool optional;
} keys[KEY_COUNT] = {
    [KEY_ID] = {"id", false},
    [KEY_ALIAS] = {"alias", true},
    [KEY_EVENT] = {"event", false},
    [KEY_TRUST] = {"trust", true},
    [KEY_SEAT0] = {"seat0", false},
    [KEY_PROGRAM0] = {"program0", false},
    [KEY_VERSION0] = {"version0", false},
    [KEY_OPTIONS0] = {"options0", false},
    [KEY_SEAT1] = {"seat1", false},
    [KEY_PROGRAM1] = {"program1", false},
    [KEY_VERSION1] = {"version1", false},
    [KEY_OPTIONS1] = {"options1", false},
    [KEY_CLOCK] = {"clock", false},
    [KEY_LEFT] = {"left", true},
    [KEY_DICE] = {"dice", false},
    [KEY_KEY] = {"key", true},
    [KEY_ATTEMPT] = {"attempt", true},
    [KEY_HOST] = {"host", false},
    [KEY_PREV] = {"prev", false},
    [KEY_RULES] = {"rules", false},
    [KEY_START] = {"start", false},
    [KEY_BOARD0] = {"board0", true},
    [KEY_BOARD1] = {"board1", true},
};

struct record_step {
    struct bg_step step;
    struct record_time time;
    int line;              /* its number */
    unsigned thought_size; /* of the line that follows it; 0: it is no thought */
    size_t thought;        /* where that begins in text */
};

struct record_view {
    char *text;                   /* unchanged */
    size_t size;                  /* without the hash line */
    char *values;                 /* a copy of the header with each value terminated */
    const char *value[KEY_COUNT]; /* point into values; NULL: missing */
    struct record_step *step;
    int steps;
    size_t room;      /* for steps */
    int header_lines; /* up to and including "steps"; 0: not read yet */
    int end_line;     /* number of the line "end"; 0: not read yet */
    struct bg_result result;
    bool has_left;
    int64_t left_ns[2];
    char hash[RECORD_HASH];
    int bad_line; /* first line with a wrong check, from 1; 0 none */
};

/* Iterates over the lines of a text. */
struct lines {
    const char *at, *end;
    const char *line; /* the current one, without check and LF */
    size_t size;
    int number; /* from 1 */
    uint16_t check;
};

void record_view_destroy(struct record_view *view)
{
    if (view != NULL) {
        free(view->text);
        free(view->values);
        free(view->step);
        free(view);
    }
}

/* --- lines ------------------------------------------------------------------------------- */

/* Returns the number, from 1, of the step that a line is, or that it belongs to. */
static int step_of_line(const struct record_view *view, int line)
{
    int step = 0;

    while (step < view->steps && view->step[step].line <= line) {
        step++;
    }
    return step + (step == view->steps && view->end_line == 0);
}

/* Sets an error with the line: the first with a wrong check if there is one, else the line
 * given. */
static enum bg_status wrong_line(const struct record_view *view, int line, const char *what,
                                 struct bg_error *err)
{
    /* The check of the first bad line is the cause; what is not understood later follows from
     * it. */
    if (view->bad_line != 0 && view->bad_line <= line) {
        line = view->bad_line;
        what = "does not fit its check";
    }
    if (view->header_lines != 0 && line > view->header_lines &&
        (view->end_line == 0 || line < view->end_line)) {
        return bg_error_set(err, BG_E_FORMAT, "record line %d (step %d): %s", line,
                            step_of_line(view, line), what);
    }
    return bg_error_set(err, BG_E_FORMAT, "record line %d: %s", line, what);
}

/* bgref writes only clean records. Cleaning would change a tab too. */
static bool is_plain(const char *text, size_t size)
{
    return clean_find(text, size, CLEAN_LINE) == size;
}

/* Goes to the next line and notes the first with a wrong check. Returns false if it does not have
 * the form of a record line. */
static bool next_record_line(struct lines *lines, struct record_view *view)
{
    const char *end =
        lines->at == lines->end ? NULL : memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    char check[LINE_CHECK_TEXT];

    lines->number++;
    if (end == NULL || end - lines->at <= LINE_CHECK_TEXT ||
        !is_plain(lines->at, (size_t)(end - lines->at))) {
        return false;
    }
    lines->line = lines->at;
    lines->size = (size_t)(end - lines->at) - LINE_CHECK_TEXT;
    lines->check = line_check(lines->check, lines->line, lines->size);
    lines->at = end + 1;
    line_put_check(check, lines->check);
    if (memcmp(lines->line + lines->size, check, LINE_CHECK_TEXT) != 0) {
        view->bad_line = view->bad_line == 0 ? lines->number : view->bad_line;
        /* Goes on behind a wrong check, so that a message can say what the damage has done. */
        return lines->line[lines->size] == ' ' && lines->line[lines->size + 1] == '#';
    }
    return true;
}

static bool line_is(const struct lines *lines, const char *text)
{
    return lines->size == strlen(text) && memcmp(lines->line, text, lines->size) == 0;
}

/* Splits the current line, "key value"; the caller terminates *value. */
static bool has_key(const struct lines *lines, const char *word)
{
    size_t size = strlen(word);

    return lines->size > size && memcmp(lines->line, word, size) == 0 && lines->line[size] == ' ';
}

uint64_t record_view_attempt(const struct record_view *view)
{
    const char *text = view->value[KEY_ATTEMPT];
    struct scan scan = {text, text == NULL ? NULL : text + strlen(text)};
    int64_t attempt;

    return text != NULL && scan_int(&scan, 1, INT64_MAX, &attempt) && scan_is_done(&scan)
               ? (uint64_t)attempt
               : 0;
}

/* --- reading ----------------------------------------------------------------------------- */

/* Copies the value of the current line to *at, terminated. */
static void keep_value(struct record_view *view, enum record_read_key key,
                       const struct lines *lines, char **at)
{
    size_t word = strlen(keys[key].word) + 1;
    size_t size = lines->size - word;

    memcpy(*at, lines->line + word, size);
    (*at)[size] = '\0';
    view->value[key] = *at;
    *at += size + 1;
}

static enum bg_status read_header(struct record_view *view, struct lines *lines,
                                  struct bg_error *err)
{
    char *at = view->values;

    if (!next_record_line(lines, view) || !line_is(lines, RECORD_MAGIC)) {
        return wrong_line(view, 1, "expected '" RECORD_MAGIC "', the format this program reads",
                          err);
    }

    bool has_line = next_record_line(lines, view);

    for (int key = 0; key < KEY_COUNT; key++) {
        if (has_line && has_key(lines, keys[key].word)) {
            keep_value(view, (enum record_read_key)key, lines, &at);
            has_line = next_record_line(lines, view);
        } else if (!keys[key].optional) {
            char what[64];

            strcpy(what, "expected a line '");
            strcat(strcat(what, keys[key].word), "'");
            return wrong_line(view, lines->number, what, err);
        }
    }
    if (!has_line || !line_is(lines, "steps")) {
        return wrong_line(view, lines->number, "expected 'steps'", err);
    }
    if ((view->value[KEY_BOARD0] == NULL) != (view->value[KEY_BOARD1] == NULL)) {
        return wrong_line(view, lines->number, "expected both boards or none", err);
    }
    if (view->value[KEY_ATTEMPT] != NULL && record_view_attempt(view) == 0) {
        return wrong_line(view, lines->number, "attempt: expected a number from 1", err);
    }
    view->header_lines = lines->number;
    return BG_OK;
}

/* Keeps the current line if it is what the last step's bot thought. */
static bool keep_thought(struct record_view *view, const struct lines *lines)
{
    struct record_step *step = view->steps == 0 ? NULL : &view->step[view->steps - 1];
    struct bg_thought thought;

    if (step == NULL || step->thought_size > 0 || step->step.seat < 0 ||
        !record_thought_read(&thought, lines->line, lines->size)) {
        return false;
    }
    step->thought = (size_t)(lines->line - view->text);
    step->thought_size = (unsigned)lines->size;
    return true;
}

static enum bg_status read_steps(struct record_view *view, struct lines *lines,
                                 struct bg_error *err)
{
    for (;;) {
        if (!next_record_line(lines, view)) {
            return wrong_line(view, lines->number, "no step with its check, and no end", err);
        }
        if (lines->size >= 4 && memcmp(lines->line, "end ", 4) == 0) {
            view->end_line = lines->number;
            break;
        }
        if (lines->line[0] == RECORD_THINKS[0]) { /* no step begins like it */
            if (!keep_thought(view, lines)) {
                return wrong_line(view, lines->number, "no thought of the step before it", err);
            }
            continue;
        }
        view->step =
            memory_list(view->step, &view->room, (size_t)view->steps + 1, sizeof *view->step);
        if (!record_read_timed(&view->step[view->steps].step, &view->step[view->steps].time,
                               lines->line, lines->size)) {
            return wrong_line(view, lines->number, "no step", err);
        }
        view->step[view->steps].line = lines->number;
        view->step[view->steps].thought_size = 0;
        view->steps++;
    }
    if (!record_read_end(&view->result, &view->has_left, view->left_ns, lines->line, lines->size)) {
        return wrong_line(view, lines->number, "the end is not understood", err);
    }
    return BG_OK;
}

static enum bg_status read_hash(struct record_view *view, const struct lines *lines,
                                struct bg_error *err)
{
    struct scan scan = {lines->at, lines->end};
    const char *hash;

    view->size = (size_t)(lines->at - view->text);
    if (!scan_text(&scan, "hash ") || scan.end - scan.at != RECORD_HASH || scan.end[-1] != '\n') {
        return wrong_line(view, lines->number + 1,
                          "expected 'hash' with 64 digits, and nothing after it", err);
    }
    hash = scan.at;
    for (int i = 0; i < RECORD_HASH - 1; i++) {
        if (hash[i] == '\0' || strchr("0123456789abcdef", hash[i]) == NULL) {
            return wrong_line(view, lines->number + 1, "the hash is not 64 hexadecimal digits",
                              err);
        }
    }
    memcpy(view->hash, hash, RECORD_HASH - 1);
    return BG_OK;
}

enum bg_status record_read(struct record_view **out, const char *text, size_t size,
                           struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct record_view *view = memory_zeroed(1, sizeof *view);
    struct lines lines;
    size_t room = 0;

    view->text = memory_list(NULL, &room, size + 1, 1);
    room = 0;
    view->values = memory_list(NULL, &room, size + 1, 1);
    if (size > 0) {
        memcpy(view->text, text, size);
    }
    view->text[size] = '\0';
    lines = (struct lines){.at = view->text, .end = view->text + size, .check = LINE_CHECK_START};
    status = read_header(view, &lines, err);
    if (status == BG_OK) {
        status = read_steps(view, &lines, err);
    }
    if (status == BG_OK) {
        status = read_hash(view, &lines, err);
    }
    if (status != BG_OK) {
        goto done;
    }
    *out = view;
    view = NULL; /* now the caller's */
done:
    record_view_destroy(view);
    return status;
}

/* --- what is in it ----------------------------------------------------------------------- */

const char *record_view_value(const struct record_view *view, const char *key)
{
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].word, key) == 0) {
            return view->value[i];
        }
    }
    return NULL;
}

int record_view_steps(const struct record_view *view)
{
    return view->steps;
}

void record_view_step(struct bg_step *step, int64_t *spent_ns, const struct record_view *view,
                      int i)
{
    *step = view->step[i].step;
    if (spent_ns != NULL) {
        *spent_ns = view->step[i].time.spent_ns;
    }
}

int64_t record_view_waited(const struct record_view *view, int i)
{
    return view->step[i].time.waited_ns;
}

int record_view_line(const struct record_view *view, int i)
{
    return view->step[i].line;
}

bool record_view_thought(struct bg_thought *out, const struct record_view *view, int i)
{
    const struct record_step *step = &view->step[i];

    return step->thought_size > 0 &&
           record_thought_read(out, view->text + step->thought, step->thought_size);
}

const char *record_view_hash(const struct record_view *view)
{
    return view->hash;
}

void record_view_result(struct bg_result *result, int64_t left_ns[2],
                        const struct record_view *view)
{
    *result = view->result;
    if (left_ns != NULL) {
        left_ns[0] = view->has_left ? view->left_ns[0] : 0;
        left_ns[1] = view->has_left ? view->left_ns[1] : 0;
    }
}

/* --- the match before the first step ----------------------------------------------------- */

static enum bg_status wrong_value(const struct record_view *view, enum record_read_key key,
                                  const char *why, struct bg_error *err)
{
    return bg_error_set(err, BG_E_FORMAT, "record %s: %s '%.160s'%s%s", view->value[KEY_ID],
                        keys[key].word, view->value[key], why[0] == '\0' ? "" : ": ", why);
}

static enum bg_status read_boards(struct bg_board *out, const struct record_view *view,
                                  const struct bg_variant *variant, struct bg_error *err)
{
    if (view->value[KEY_BOARD0] == NULL) {
        bg_variant_setup(out, variant);
        return BG_OK;
    }
    *out = (struct bg_board){0};
    for (int seat = 0; seat < 2; seat++) {
        enum record_read_key key = seat == 0 ? KEY_BOARD0 : KEY_BOARD1;
        const char *text = view->value[key];

        if (!record_read_board(out, seat, text, strlen(text))) {
            return wrong_value(view, key, "no position", err);
        }
    }
    return BG_OK;
}

enum bg_status record_view_start(struct bg_match *out, const struct record_view *view,
                                 struct bg_error *err)
{
    const char *text = view->value[KEY_START];
    struct bg_rules rules;
    struct bg_match stated, match;
    struct bg_start start = {0};
    struct bg_error why = {0};

    if (record_rules_read(&rules, view->value[KEY_RULES], &why) != BG_OK) {
        return bg_error_set(err, BG_E_FORMAT, "record %s: %s", view->value[KEY_ID], why.text);
    }
    if (!record_read_start(&stated, text, strlen(text))) {
        return wrong_value(view, KEY_START, "", err);
    }
    if (read_boards(&start.board, view, rules.variant, err) != BG_OK) {
        return BG_E_FORMAT;
    }
    start.on_roll = stated.on_roll;
    start.by_next = !stated.set_position && stated.on_roll != -1; /* without an opening roll */
    start.score[0] = stated.score[0];
    start.score[1] = stated.score[1];
    start.cube_log2 = stated.cube_log2;
    start.cube_owner = stated.cube_owner;
    start.crawford_game = stated.crawford_game;
    start.crawford_done = stated.crawford_done;
    start.game = stated.game;
    if (bg_match_begin_at(&match, &rules, &start, &why) != BG_OK) {
        return wrong_value(view, KEY_START, why.text, err);
    }
    match.last_winner = stated.last_winner;
    match.drawn_games = stated.drawn_games;
    if (match.on_roll != stated.on_roll || (stated.drawn_games > 0 && stated.last_winner != -1) ||
        match.set_position != stated.set_position || match.crawford_game != stated.crawford_game ||
        match.rules.variant != rules.variant) {
        return wrong_value(view, KEY_START, "no match begins like this", err);
    }
    *out = match;
    return BG_OK;
}

/* --- replay and checks ------------------------------------------------------------------- */

static bool same_result(const struct bg_result *a, const struct bg_result *b)
{
    return a->end == b->end && a->winner == b->winner && a->level == b->level &&
           a->points == b->points && a->fault == b->fault;
}

static enum bg_status broken_step(const struct record_view *view, int i, enum bg_rule rule,
                                  struct bg_error *err)
{
    char text[RECORD_STEP];

    record_step_write(text, &view->step[i].step);
    return bg_error_set(err, BG_E_MISMATCH, "record %s: line %d (step %d) '%s': rule %s, %s",
                        view->value[KEY_ID], view->step[i].line, i + 1, text, bg_rule_number(rule),
                        bg_rule_text(rule));
}

enum bg_status record_replay(struct bg_match *out, const struct record_view *view,
                             struct bg_error *err)
{
    struct bg_match match;
    enum bg_status status = record_view_start(&match, view, err);

    if (status != BG_OK) {
        return status;
    }
    for (int i = 0; i < view->steps; i++) {
        /* A record is one game: steps after its end are an error. */
        enum bg_rule rule = match.need.kind == BG_NEED_GAME
                                ? BG_RULE_OVER
                                : bg_match_step(&match, &view->step[i].step);

        if (rule != BG_RULE_NONE) {
            return broken_step(view, i, rule, err);
        }
    }
    if (!same_result(&match.result, &view->result)) {
        char played[RECORD_STEP], stated[RECORD_STEP];

        *record_put_end(played, &match.result) = '\0';
        *record_put_end(stated, &view->result) = '\0';
        return bg_error_set(err, BG_E_MISMATCH,
                            "record %s: line %d has '%s', but its steps give '%s'",
                            view->value[KEY_ID], view->end_line, stated, played);
    }
    *out = match;
    return BG_OK;
}

enum bg_status record_check_hash(const struct record_view *view, struct bg_error *err)
{
    char hash[RECORD_HASH];

    if (view->bad_line != 0) {
        wrong_line(view, view->bad_line, "does not fit its check", err);
        if (err != NULL) {
            err->status = BG_E_MISMATCH;
        }
        return BG_E_MISMATCH;
    }
    record_hash_text(hash, view->text, view->size);
    if (strcmp(hash, view->hash) != 0) {
        return bg_error_set(
            err, BG_E_MISMATCH,
            "record %s: every line fits its check, but the hash over all is %.12s..., "
            "not %.12s...",
            view->value[KEY_ID], hash, view->hash);
    }
    return BG_OK;
}

/* --- canonical text ---------------------------------------------------------------------- */

static void put_line(struct record *out, const char *word, const char *value)
{
    char *at;

    record_reserve(out, strlen(word) + strlen(value) + 2);
    at = line_put(line_put(out->text + out->size, word), value);
    *at++ = '\n';
    *at = '\0';
    out->size = (size_t)(at - out->text);
}

void record_canonical(struct record *out, const struct record_view *view)
{
    /* What two programs that played the same game must agree on; not who hosted it, or how long
     * it took. */
    static const enum record_read_key kept[] = {KEY_ID,    KEY_SEAT0,  KEY_SEAT1, KEY_RULES,
                                                KEY_START, KEY_BOARD0, KEY_BOARD1};
    char line[RECORD_STEP];

    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        if (view->value[kept[i]] != NULL) {
            char word[16];

            strcat(strcpy(word, keys[kept[i]].word), " ");
            put_line(out, word, view->value[kept[i]]);
        }
    }
    for (int i = 0; i < view->steps; i++) {
        record_step_write(line, &view->step[i].step);
        put_line(out, "", line);
    }
    *record_put_end(line, &view->result) = '\0';
    put_line(out, line, "");
}
