/* A transcript is judged against the machine row by row, and a game has one verdict: after its
 * first bad row the machine and the file are at different positions, so that every later row
 * would be called bad as well. */
#include "transcript.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>
#include <rules/clean.h>

enum { COLUMNS = 7, HOST = -1, VARIANT_TEXT = 96, MESSAGE = 300, NUMBER_MAX = 100000000 };

enum transcript_kind { KIND_OPEN, KIND_STAGE, KIND_END };

struct transcript_row {
    char *variant;
    int game, number;
    int side; /* seat; -1 for '-' */
    enum transcript_kind kind;
    enum bg_part part; /* KIND_STAGE */
    char *data, *position;
};

/* The game being judged. */
struct transcript_judge {
    const char *name;
    FILE *out, *talk;
    char text[VARIANT_TEXT]; /* the variant as written in the rows */
    const struct bg_variant *variant;
    int game, row;         /* row: the last one */
    bool open, over, bad;  /* a game has begun; its end row was read; it is bad */
    char score[64];        /* POINTS:HOW, if over and good */
    struct bg_match match; /* after the last row */
    int seen;              /* stages of match already passed that rows have shown */
    unsigned long line;
    long games, bad_games;
};

/* ---- verdicts ---- */

__attribute__((format(printf, 4, 5))) static void condemn(struct transcript_judge *judge, int row,
                                                          const char *rule, const char *format, ...)
{
    char message[MESSAGE];
    va_list values;

    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    fprintf(judge->out, "%s\t%d\tbad\t%d\t%s\n", judge->text, judge->game, row, rule);
    fprintf(judge->talk, "%s:%lu: %s, game %d, row %d: %s (%s)\n", judge->name, judge->line,
            judge->text, judge->game, row, message, rule);
    judge->bad = true;
    judge->bad_games++;
}

static void condemn_rule(struct transcript_judge *judge, const struct transcript_row *row,
                         enum bg_rule rule)
{
    condemn(judge, row->number, bg_rule_number(rule), "%s", bg_rule_text(rule));
}

static bool is_game(const struct bg_variant *variant, const char *game)
{
    const char *id = bg_variant_id(variant);
    size_t length = strcspn(id, ":");

    return strlen(game) == length && memcmp(game, id, length) == 0;
}

/* Returns N for VN in docs/rules.md. */
static int game_number(const struct bg_variant *variant)
{
    int i = 0;

    while (!is_game(variant, bg_variant_id(bg_variant_at(i)))) {
        i++;
    }
    return i + 1;
}

/* Returns the rule that defines the stages of a turn in this variant. */
static const char *rule_of_part(const struct bg_variant *variant, enum bg_part part)
{
    static const struct {
        const char *game;
        enum bg_part part;
        const char *rule;
    } rules[] = {
        {"gul", BG_PART_NEXT, "V10.1"},           {"gul", BG_PART_CARRY, "V10.2"},
        {"gulbara", BG_PART_NEXT, "V11.2"},       {"gulbara", BG_PART_CARRY, "V11.2"},
        {"acey-deucey", BG_PART_CHOICE, "V14.1"}, {"asodio", BG_PART_CHOICE, "V15.2"},
        {"asodio", BG_PART_COMPLEMENT, "V15.2"},  {"russian", BG_PART_CHOICE, "V16.2"},
        {"russian", BG_PART_COMPLEMENT, "V16.2"},
    };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].part == part && is_game(variant, rules[i].game)) {
            return rules[i].rule;
        }
    }
    return "G7";
}

/* Returns the rule by which the game has ended, or by which it has not. */
static const char *rule_of_end(const struct bg_match *match)
{
    switch (match->result.end) {
    case BG_END_DEAD:
        return "G10";
    case BG_END_SPECIAL:
        return "V7.1";
    default:
        return "G9";
    }
}

/* ---- what the machine expects ---- */

/* A stage that the machine has passed or waits for. */
struct transcript_wanted {
    int seat;
    enum bg_part part;
    struct bg_stage stage;
    bool passed;
    struct bg_board before;
};

/* Returns it; valid if a passed stage has no row yet, or a play is due. */
static struct transcript_wanted wanted_stage(const struct transcript_judge *judge)
{
    const struct bg_match *match = &judge->match;
    struct transcript_wanted wanted = {.before = match->board,
                                       .passed = judge->seen < match->passes};

    if (wanted.passed) {
        const struct bg_pass *pass = &match->pass[judge->seen];

        wanted.seat = pass->seat < 0 ? -1 : pass->seat;
        wanted.part = (enum bg_part)pass->part;
        wanted.stage = pass->stage;
        memcpy(wanted.before.turns, pass->turns, sizeof pass->turns);
    } else {
        wanted.seat = match->need.seat;
        wanted.part = match->part;
        wanted.stage = match->stage;
    }
    return wanted;
}

static bool has_stage(const struct transcript_judge *judge)
{
    return judge->seen < judge->match.passes || judge->match.need.kind == BG_NEED_PLAY;
}

static void describe_need(char text[MESSAGE], const struct transcript_judge *judge)
{
    struct bg_need need = judge->match.need;
    char stage[BG_STAGE_TEXT];

    if (has_stage(judge)) {
        const struct transcript_wanted wanted = wanted_stage(judge);

        bg_stage_write(stage, &wanted.stage);
        snprintf(text, MESSAGE, "%c: %s %s", wanted.seat == 0 ? 'w' : 'b',
                 bg_part_name(wanted.part), stage);
    } else if (need.kind == BG_NEED_NOTHING) {
        snprintf(text, MESSAGE, "the end, %lld:%s", (long long)judge->match.result.points,
                 bg_result_how(judge->variant, &judge->match.result));
    } else {
        snprintf(text, MESSAGE, "%c: %s", need.seat == 0 ? 'w' : 'b',
                 need.kind == BG_NEED_NAME ? "choice" : "roll");
    }
}

/* Reports a row in the wrong place; part is the kind of stage that the machine expects. */
static void condemn_order(struct transcript_judge *judge, const struct transcript_row *row,
                          enum bg_part part)
{
    char expected[MESSAGE];
    bool special = row->kind == KIND_STAGE && row->part != BG_PART_ROLL;

    describe_need(expected, judge);
    condemn(judge, row->number, rule_of_part(judge->variant, special ? row->part : part),
            "expected %s", expected);
}

static bool make_step(struct transcript_judge *judge, const struct bg_step *step)
{
    judge->seen = 0;
    return bg_match_step(&judge->match, step) == BG_RULE_NONE;
}

/* ---- rows of a turn ---- */

/* Whether the text is a stage as a row must write it: the digits of a roll, 4x3 and 54
 * otherwise. */
static bool is_stage_text(const char *data, const struct bg_variant *variant,
                          const struct transcript_wanted *wanted)
{
    struct bg_stage given;
    char text[BG_STAGE_TEXT];

    if (wanted->part == BG_PART_ROLL) {
        return strchr(data, 'x') == NULL && bg_stage_read(&given, variant, data, NULL) == BG_OK &&
               memcmp(&given, &wanted->stage, sizeof given) == 0;
    }
    bg_stage_write(text, &wanted->stage);
    return strcmp(text, data) == 0;
}

/* Makes a step from the row's dice or named number. Returns false if the row is bad and was
 * reported. */
static bool take_numbers(struct transcript_judge *judge, const struct transcript_row *row)
{
    const struct bg_need need = judge->match.need;
    bool names = need.kind == BG_NEED_NAME;
    struct bg_step step = {.kind = names ? BG_STEP_NAME : BG_STEP_ROLL, .seat = need.seat};
    struct bg_stage stage;

    if (row->part != (names ? BG_PART_CHOICE : BG_PART_ROLL) || row->side != need.seat) {
        condemn_order(judge, row, names ? BG_PART_CHOICE : BG_PART_ROLL);
        return false;
    }
    if (bg_stage_read(&stage, judge->variant, row->data, NULL) != BG_OK ||
        (strchr(row->data, 'x') != NULL) != names || (names && stage.part[0].times != 4)) {
        condemn(judge, row->number, names ? rule_of_part(judge->variant, BG_PART_CHOICE) : "G8",
                "'%.20s': expected a %s", row->data,
                names ? "named double like 4x4" : "roll, high first");
        return false;
    }
    if (names) {
        step.level = stage.part[0].number;
    }
    for (int i = 0; !names && i < 3 && row->data[i] != '\0'; i++) {
        step.die[i] = (uint8_t)(row->data[i] - '0');
    }
    if (!make_step(judge, &step)) {
        condemn_rule(judge, row, BG_RULE_DICE);
        return false;
    }
    return true;
}

/* Reads the row's position, with the row's side. */
static bool read_position(struct bg_board *board, struct transcript_judge *judge,
                          const struct transcript_row *row, int side)
{
    struct bg_error err;
    int mover;

    if (bg_position_text_read(board, &mover, judge->variant, row->position, &err) != BG_OK) {
        condemn(judge, row->number, "N3", "%s", err.text);
        return false;
    }
    if (mover != side) {
        condemn(judge, row->number, "N3", "the side of the position is not that of the row");
        return false;
    }
    return true;
}

static void judge_stage(struct transcript_judge *judge, const struct transcript_row *row)
{
    struct bg_step step = {.kind = BG_STEP_PLAY, .seat = row->side};
    struct bg_board board;
    struct transcript_wanted wanted;
    enum bg_rule rule;

    if (!has_stage(judge)) {
        if (judge->match.need.kind == BG_NEED_NOTHING) {
            condemn(judge, row->number, rule_of_end(&judge->match), "the game is over");
            return;
        }
        if (!take_numbers(judge, row)) {
            return;
        }
    }
    wanted = wanted_stage(judge);
    if (row->side != wanted.seat || row->part != wanted.part ||
        !is_stage_text(row->data, judge->variant, &wanted)) {
        condemn_order(judge, row, wanted.part);
        return;
    }
    if (!read_position(&board, judge, row, row->side)) {
        return;
    }
    if (wanted.passed) {
        judge->seen++;
        if (!bg_board_equal(&board, &wanted.before)) {
            condemn(judge, row->number, "G6", "nothing can be played");
        }
        return;
    }
    rule = bg_play_check_result(&step.play, judge->variant, &judge->match.board, row->side,
                                &judge->match.stage, &board);
    if (rule == BG_RULE_NONE && !make_step(judge, &step)) {
        rule = BG_RULE_RESULT;
    }
    /* The flags can have changed with the turn. */
    if (rule == BG_RULE_NONE && memcmp(board.at, judge->match.board.at, sizeof board.at) != 0) {
        rule = BG_RULE_RESULT;
    }
    if (rule != BG_RULE_NONE) {
        condemn_rule(judge, row, rule);
    }
}

/* ---- the first row and the last ---- */

/* Reads "w4b4,w2b5" and ",keep" or ",reroll": opening steps until the machine knows the starter. */
static bool take_opening(struct transcript_judge *judge, const struct transcript_row *row)
{
    const char *at = row->data;
    struct bg_step step = {.kind = BG_STEP_OPEN, .seat = HOST};

    while (at[0] == 'w' && at[1] != '\0' && at[2] == 'b' && at[3] != '\0') {
        step.die[0] = (uint8_t)(at[1] - '0');
        step.die[1] = (uint8_t)(at[3] - '0');
        if (!make_step(judge, &step)) {
            return false;
        }
        at += 4;
        if (*at != ',') {
            break;
        }
        at++;
    }
    if (judge->match.need.kind != BG_NEED_KEEP) {
        return *at == '\0' && judge->match.need.kind != BG_NEED_OPENING;
    }
    step = (struct bg_step){.kind = strcmp(at, "keep") == 0 ? BG_STEP_KEEP : BG_STEP_REROLL,
                            .seat = judge->match.need.seat};
    return (step.kind == BG_STEP_KEEP || strcmp(at, "reroll") == 0) && make_step(judge, &step);
}

static void judge_open(struct transcript_judge *judge, const struct transcript_row *row)
{
    struct bg_board board, setup;

    if (!take_opening(judge, row) || judge->match.began != row->side) {
        condemn(judge, row->number, "G8", "the opening dice '%.40s' do not make %c begin",
                row->data,
                row->side == 0   ? 'w'
                : row->side == 1 ? 'b'
                                 : '-');
        return;
    }
    if (!read_position(&board, judge, row, row->side)) {
        return;
    }
    bg_variant_setup(&setup, judge->variant);
    if (!bg_board_equal(&board, &setup)) {
        char rule[8];

        snprintf(rule, sizeof rule, "V%d", game_number(judge->variant));
        condemn(judge, row->number, rule, "the position is not the set-up of the game");
    }
}

static void judge_end(struct transcript_judge *judge, const struct transcript_row *row)
{
    const struct bg_match *match = &judge->match;
    const char *rule = rule_of_end(match);
    char *expected = judge->score;
    struct bg_board board;
    int mover;

    judge->over = true;
    if (has_stage(judge) || match->need.kind != BG_NEED_NOTHING) {
        char next[MESSAGE];

        describe_need(next, judge);
        condemn(judge, row->number, rule, "the game continues with %s", next);
        return;
    }
    snprintf(expected, sizeof judge->score, "%lld:%s", (long long)match->result.points,
             bg_result_how(judge->variant, &match->result));
    if (strcmp(expected, row->data) != 0 || match->result.winner != row->side) {
        condemn(judge, row->number, rule, "expected end: %s%s",
                match->result.winner == 0   ? "w wins "
                : match->result.winner == 1 ? "b wins "
                                            : "drawn, ",
                expected);
        return;
    }
    if (bg_position_text_read(&board, &mover, judge->variant, row->position, NULL) != BG_OK ||
        !bg_board_equal(&board, &match->board)) {
        condemn(judge, row->number, rule, "the game ended in another position");
    }
}

/* ---- games ---- */

/* Every game is independent and has no cube, in all variants. */
static void begin_rule_game(struct transcript_judge *judge, const struct transcript_row *row)
{
    struct bg_rules rules = bg_rules_default(judge->variant, 0);

    rules.cube = rules.jacoby = false;
    rules.turn_cap = 0;
    bg_match_begin(&judge->match, &rules);
    snprintf(judge->text, sizeof judge->text, "%s", row->variant);
    judge->game = row->game;
    judge->row = 0;
    judge->seen = 0;
    judge->open = true;
    judge->over = judge->bad = false;
    judge->games++;
}

/* Call when the game has no further row. */
static void close_game(struct transcript_judge *judge)
{
    if (judge->open && !judge->bad && !judge->over) {
        condemn(judge, judge->row + 1, rule_of_end(&judge->match), "the row 'end' is missing");
    } else if (judge->open && !judge->bad) {
        fprintf(judge->out, "%s\t%d\tok\t%s\n", judge->text, judge->game, judge->score);
    }
    judge->open = false;
}

static void judge_row(struct transcript_judge *judge, const struct transcript_row *row)
{
    bool first = judge->row == 0;

    if (judge->bad) {
        return;
    }
    if (row->number != judge->row + 1) {
        condemn(judge, row->number, "G7", "row %d is expected here", judge->row + 1);
    } else if (judge->over) {
        condemn(judge, row->number, rule_of_end(&judge->match), "a row after the end");
    } else if (first != (row->kind == KIND_OPEN)) {
        condemn(judge, row->number, "G8", "the first row, and no other, is 'open'");
    } else if (row->kind == KIND_OPEN) {
        judge_open(judge, row);
    } else if (row->kind == KIND_STAGE) {
        judge_stage(judge, row);
    } else {
        judge_end(judge, row);
    }
    judge->row = row->number;
}

/* ---- reading ---- */

static bool read_small(int *out, const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    *out = (int)value;
    return text[0] >= '1' && text[0] <= '9' && *end == '\0' && value <= NUMBER_MAX;
}

static bool read_kind(struct transcript_row *row, const char *text)
{
    row->kind = KIND_STAGE;
    for (int part = 0; part < BG_PART_COUNT; part++) {
        if (strcmp(text, bg_part_name((enum bg_part)part)) == 0) {
            row->part = (enum bg_part)part;
            return true;
        }
    }
    row->kind = strcmp(text, "open") == 0 ? KIND_OPEN : KIND_END;
    return row->kind == KIND_OPEN || strcmp(text, "end") == 0;
}

static enum bg_status read_columns(struct transcript_row *row, char *column[COLUMNS],
                                   struct bg_error *err)
{
    const char *side = column[3];

    row->variant = column[0];
    row->data = column[5];
    row->position = column[6];
    if (strlen(row->variant) >= VARIANT_TEXT) {
        return bg_error_set(err, BG_E_FORMAT, "column 1: '%.20s...' is too long for a variant",
                            row->variant);
    }
    if (!read_small(&row->game, column[1])) {
        return bg_error_set(err, BG_E_FORMAT,
                            "column 2: '%.20s' is not the number of a game, from 1", column[1]);
    }
    if (!read_small(&row->number, column[2])) {
        return bg_error_set(err, BG_E_FORMAT,
                            "column 3: '%.20s' is not the number of a row, from 1", column[2]);
    }
    if (strcmp(side, "w") != 0 && strcmp(side, "b") != 0 && strcmp(side, "-") != 0) {
        return bg_error_set(err, BG_E_FORMAT, "column 4: side '%.20s', expected w, b or -", side);
    }
    row->side = side[0] == 'w' ? 0 : side[0] == 'b' ? 1 : -1;
    if (!read_kind(row, column[4])) {
        return bg_error_set(err, BG_E_FORMAT,
                            "column 5: kind '%.20s', expected open, roll, next, choice, "
                            "complement, carry or end",
                            column[4]);
    }
    return BG_OK;
}

/* Cuts line in place. */
static enum bg_status read_transcript_row(struct transcript_row *row, char *line, size_t length,
                                          struct bg_error *err)
{
    char *column[COLUMNS];
    int count = 0;

    if (strlen(line) != length) {
        return bg_error_set(err, BG_E_FORMAT, "a zero byte; a row is text");
    }
    line[strcspn(line, "\n")] = '\0';
    for (char *at = line; at != NULL && count <= COLUMNS; count++) {
        char *tab = strchr(at, '\t');

        if (count < COLUMNS) {
            column[count] = at;
        }
        if (tab != NULL) {
            *tab++ = '\0';
        }
        at = tab;
    }
    if (count != COLUMNS) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%s than the 7 columns variant, game, row, side, kind, data, position; "
                            "separate them by single tabs",
                            count < COLUMNS ? "less" : "more");
    }
    return read_columns(row, column, err);
}

/* Whether the row begins another game; the same game may come once more right after its end. */
static bool is_next_game(const struct transcript_judge *judge, const struct transcript_row *row)
{
    return !judge->open || row->game != judge->game || strcmp(row->variant, judge->text) != 0 ||
           (judge->over && row->kind == KIND_OPEN);
}

/* Parts of the line are printed later, so tabs between columns are the only invisible characters
 * allowed. */
static enum bg_status check_clean(const char *line, size_t length, struct bg_error *err)
{
    for (size_t at = 0; at < length; at++) {
        at += clean_find(line + at, length - at, CLEAN_TEXT);
        if (at < length && line[at] != '\t') {
            return bg_error_set(err, BG_E_FORMAT,
                                "byte %zu is a control character, or an invisible one", at + 1);
        }
    }
    return BG_OK;
}

static enum bg_status judge_line(struct transcript_judge *judge, char *line, size_t length,
                                 struct bg_error *err)
{
    struct transcript_row row = {0};
    enum bg_status status = check_clean(line, length, err);

    if (status == BG_OK) {
        status = read_transcript_row(&row, line, length, err);
    }
    if (status != BG_OK) {
        return status;
    }
    if (is_next_game(judge, &row)) {
        close_game(judge);
        status = bg_variant_read(&judge->variant, row.variant, err);
        if (status != BG_OK) {
            return status;
        }
        begin_rule_game(judge, &row);
    }
    judge_row(judge, &row);
    return BG_OK;
}

int transcript_judge(FILE *in, const char *name, FILE *out, FILE *talk)
{
    struct transcript_judge judge = {.name = name, .out = out, .talk = talk};
    struct bg_error err;
    char *line = NULL;
    size_t size = 0;
    int status = EXIT_DONE;

    for (ssize_t length; (length = getline(&line, &size, in)) >= 0;) {
        judge.line++;
        if (line[0] == '#') {
            continue;
        }
        if (judge_line(&judge, line, (size_t)length, &err) != BG_OK) {
            fprintf(talk, "%s:%lu: %s\n", name, judge.line, err.text);
            status = EXIT_MISUSE;
            goto done;
        }
    }
    if (ferror(in)) {
        fprintf(talk, "%s: read line %lu: %s\n", name, judge.line + 1, strerror(errno));
        status = EXIT_SURROUNDINGS;
        goto done;
    }
    close_game(&judge);
    if (judge.games == 0) {
        fprintf(talk,
                "%s: contains no game; rows are variant, game, row, side, kind, data, position\n",
                name);
        status = EXIT_MISUSE;
    } else if (judge.bad_games > 0) {
        status = EXIT_CHECK;
    }
done:
    free(line);
    return status;
}
