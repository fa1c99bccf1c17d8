/* Questions in FIBS board format, which gnubg's external player reads. Every field is written
 * from the side that the question is about, because gnubg's answers are that side's. Money play
 * is asked without a score, so an answer depends on the position alone. */
#include "query.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include "../common/stage.h"

enum {
    OWN = 0, /* seats as in ask.board */
    OPPONENT = 1,
    CUBE_LOG2_MAX = 10 /* beyond 64 points and in money play the cube's size changes no decision */
};

/* A question to be written. The board is always the one of the side on roll. */
struct query_question {
    int mover;       /* OWN or OPPONENT: the positive side of the board */
    int dice[2];     /* 0 0: not rolled */
    bool doubled;    /* the mover has doubled, the other side answers */
    int cube_owner;  /* OWN, OPPONENT or BG_CENTRED */
    int resignation; /* level the mover offers, 0 none */
    bool equity;     /* ask for the mover's equity rather than for a decision */
};

struct query_line {
    char *text;
    size_t used;
};

/* Numbers as gnubg reads them, with the colon before them. */
enum { SMALL = BG_CHECKERS, SMALL_BYTES = 4 };

static const struct {
    char text[SMALL_BYTES + 1];
    uint8_t size;
} smalls[2 * SMALL + 1] = {
    {":-15", 4}, {":-14", 4}, {":-13", 4}, {":-12", 4}, {":-11", 4}, {":-10", 4}, {":-9", 3},
    {":-8", 3},  {":-7", 3},  {":-6", 3},  {":-5", 3},  {":-4", 3},  {":-3", 3},  {":-2", 3},
    {":-1", 3},  {":0", 2},   {":1", 2},   {":2", 2},   {":3", 2},   {":4", 2},   {":5", 2},
    {":6", 2},   {":7", 2},   {":8", 2},   {":9", 2},   {":10", 3},  {":11", 3},  {":12", 3},
    {":13", 3},  {":14", 3},  {":15", 3}};

static void push(struct query_line *line, const char *text)
{
    size_t length = strlen(text);

    assert(length < QUERY_LINE - line->used);
    memcpy(line->text + line->used, text, length + 1);
    line->used += length;
}

/* Adds ":NUMBER". A question has 50 numbers, nearly all of them small: printf would take longer
 * than everything else that the bridge does with a decision. */
static void add_number(struct query_line *line, int64_t number)
{
    if (number >= -SMALL && number <= SMALL) {
        assert(SMALL_BYTES < QUERY_LINE - line->used);
        memcpy(line->text + line->used, smalls[number + SMALL].text, SMALL_BYTES + 1);
        line->used += smalls[number + SMALL].size;
    } else {
        char text[24];

        snprintf(text, sizeof text, ":%lld", (long long)number);
        push(line, text);
    }
}

static void add_numbers(struct query_line *line, size_t count, const int64_t *numbers)
{
    for (size_t i = 0; i < count; i++) {
        add_number(line, numbers[i]);
    }
}

/* Writes 26 entries as the mover counts: its own checkers positive, the other side's negative. */
static void add_board(struct query_line *line, const struct bg_board *board, int mover)
{
    const uint8_t *mine = board->at[mover], *other = board->at[1 - mover];

    add_number(line, -other[BG_BAR]);
    for (int point = 1; point <= BG_POINTS; point++) {
        add_number(line, mine[point] > 0 ? mine[point] : -other[BG_POINTS + 1 - point]);
    }
    add_number(line, mine[BG_BAR]);
}

/* The first score belongs to the side that did not move last, except while a double is pending:
 * then the doubler's comes first. Money play has no score: without it answers do not depend on
 * earlier games. */
static void add_score(struct query_line *line, const struct bg_ask *ask,
                      const struct query_question *question)
{
    int first = question->doubled ? question->mover : 1 - question->mover;
    bool is_match = ask->rules.length_points > 0;

    add_number(line, ask->rules.length_points);
    add_number(line, is_match ? ask->score[first] : 0);
    add_number(line, is_match ? ask->score[1 - first] : 0);
}

static void push_roll(struct query_line *line, const int dice[2])
{
    const int64_t numbers[] = {dice[0], dice[1], dice[0], dice[1]};

    add_numbers(line, sizeof numbers / sizeof *numbers, numbers);
}

static void add_cube(struct query_line *line, const struct bg_ask *ask,
                     const struct query_question *question)
{
    int log2 = ask->cube_log2 < CUBE_LOG2_MAX ? ask->cube_log2 : CUBE_LOG2_MAX;
    const int64_t numbers[] = {INT64_C(1) << log2, question->cube_owner != 1 - question->mover,
                               question->cube_owner != question->mover, question->doubled};

    add_numbers(line, sizeof numbers / sizeof *numbers, numbers);
}

/* Adds checkers borne off, four numbers that are not used, and what the Crawford rule says. */
static void add_rest(struct query_line *line, const struct bg_ask *ask, int mover)
{
    const int64_t numbers[] = {ask->board.at[mover][BG_OFF],
                               ask->board.at[1 - mover][BG_OFF],
                               0,
                               0,
                               0,
                               0,
                               ask->post_crawford,
                               !ask->crawford_game};

    add_numbers(line, sizeof numbers / sizeof *numbers, numbers);
}

static void add_strength(struct query_line *line, const struct bg_ask *ask,
                         const struct query_strength *strength)
{
    char text[80];

    snprintf(text, sizeof text, " plies %d %s noise %.6f deterministic on", strength->plies,
             ask->rules.cube ? "cubeful" : "cubeless", strength->noise);
    push(line, text);
}

static void write_question(char *out, const struct bg_ask *ask,
                           const struct query_question *question,
                           const struct query_strength *strength)
{
    struct query_line line = {out, 0};

    push(&line, question->equity ? "evaluation fibsboard board:me:you" : "board:me:you");
    add_score(&line, ask, question);
    add_board(&line, &ask->board, question->mover);
    push(&line, ":1");
    push_roll(&line, question->dice);
    add_cube(&line, ask, question);
    push(&line, ":1:-1:0:25");
    add_rest(&line, ask, question->mover);
    if (ask->rules.length_points == 0) {
        push(&line, ask->rules.jacoby && ask->rules.cube ? " jacobyrule on" : " jacobyrule off");
    }
    if (question->resignation > 0) {
        char text[24];

        snprintf(text, sizeof text, " resignation %d", question->resignation);
        push(&line, text);
    }
    if (question->equity) {
        add_strength(&line, ask, strength);
    }
}

/* After an odd number of raises the first doubler decides, after an even number the side that
 * beavered. It is the doubler's turn in any case, and the side that beavered keeps the cube. */
static int raise_doubler(const struct bg_ask *ask)
{
    return ask->raise % 2 == 1 ? OWN : OPPONENT;
}

/* Games that gnubg plays: backgammon, also from another set-up or under another name. */
static bool is_backgammon(const struct bg_variant *variant)
{
    return variant != NULL &&
           (variant == bg_variant_find("backgammon") || variant == bg_variant_find("nackgammon") ||
            variant == bg_variant_find("short-nardi"));
}

static enum bg_status check_ask(const struct bg_ask *ask, struct bg_error *err)
{
    if (!is_backgammon(ask->rules.variant)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: gnubg is asked for backgammon only",
                            ask->rules.variant == NULL ? "?" : bg_variant_id(ask->rules.variant));
    }
    if (ask->rules.length_points > QUERY_LENGTH_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "match to %d points: gnubg plays matches of at most %d points",
                            ask->rules.length_points, QUERY_LENGTH_MAX);
    }
    return BG_OK;
}

enum bg_status query_write(char out[QUERY_LINE], const struct bg_ask *ask,
                           const struct query_strength *strength, struct bg_error *err)
{
    struct query_question question = {.mover = OWN, .cube_owner = ask->cube_owner};
    enum bg_status status = check_ask(ask, err);

    if (status != BG_OK) {
        return status;
    }
    switch (ask->kind) {
    case BG_DECIDE_DOUBLE:
        break;
    case BG_DECIDE_PLAY:
        if (!dice_of_stage(question.dice, &ask->stage)) {
            return bg_error_set(err, BG_E_ARGUMENT, "numbers to play that no roll gives");
        }
        break;
    case BG_DECIDE_TAKE:
        question.mover = OPPONENT;
        question.doubled = true;
        break;
    case BG_DECIDE_RAISE:
        question.mover = raise_doubler(ask);
        question.cube_owner = 1 - question.mover;
        question.equity = true;
        break;
    case BG_DECIDE_RESIGNATION:
        question.mover = OPPONENT;
        question.resignation = ask->resign_level;
        break;
    default:
        return bg_error_set(err, BG_E_ARGUMENT, "decision kind %d: gnubg has no such decision",
                            (int)ask->kind);
    }
    write_question(out, ask, &question, strength);
    return BG_OK;
}

/* Passing costs half of the cube that accepting puts into play. A raccoon doubles the equity of
 * accepting, whether it is positive or negative. Never raises beyond the raccoon: two bots with
 * different opinions about one position would drive the cube to its limit. */
static bool read_raise(struct bg_answer *out, const struct bg_ask *ask, const char *text)
{
    double value[6], equity;

    if (sscanf(text, "%lf %lf %lf %lf %lf %lf", &value[0], &value[1], &value[2], &value[3],
               &value[4], &value[5]) != 6) {
        return false;
    }
    equity = raise_doubler(ask) == OWN ? value[5] : -value[5];
    if (equity < -0.5) {
        out->kind = BG_ANSWER_PASS;
    } else {
        bool raccoon = ask->raise == 1 && ask->may_raise && equity > 0.0;

        out->kind = raccoon ? BG_ANSWER_RAISE : BG_ANSWER_TAKE;
    }
    return true;
}

struct query_word {
    enum bg_decision decision;
    const char *text;
    enum bg_answer_kind answer;
};

static const struct query_word words[] = {
    {BG_DECIDE_DOUBLE, "double", BG_ANSWER_DOUBLE},
    {BG_DECIDE_DOUBLE, "roll", BG_ANSWER_ROLL},
    {BG_DECIDE_TAKE, "take", BG_ANSWER_TAKE},
    {BG_DECIDE_TAKE, "drop", BG_ANSWER_PASS},
    {BG_DECIDE_TAKE, "beaver", BG_ANSWER_RAISE},
    {BG_DECIDE_RESIGNATION, "accept", BG_ANSWER_ACCEPT},
    {BG_DECIDE_RESIGNATION, "reject", BG_ANSWER_REFUSE},
};

static bool read_action(struct bg_answer *out, const struct bg_ask *ask, const char *text)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].decision == ask->kind && strcmp(words[i].text, text) == 0) {
            out->kind = words[i].answer;
            /* gnubg is told that beavers are in use (engine.c), so it may say it where they are
             * not. */
            if (out->kind == BG_ANSWER_RAISE && !ask->may_raise) {
                out->kind = BG_ANSWER_TAKE;
            }
            return true;
        }
    }
    return false;
}

/* A decision to play always has a legal play, so an empty reply is not an answer. */
static bool read_moves(struct bg_answer *out, const char *text)
{
    out->kind = BG_ANSWER_MOVES;
    return bg_play_read(&out->play, text, NULL) == BG_OK && out->play.moves > 0;
}

enum bg_status query_read(struct bg_answer *out, const struct bg_ask *ask, const char *reply,
                          struct bg_error *err)
{
    char text[QUERY_LINE];
    size_t length = strcspn(reply, "\r\n");
    bool fits;

    while (length > 0 && reply[length - 1] == ' ') {
        length--;
    }
    if (length >= sizeof text) {
        return bg_error_set(err, BG_E_FORMAT, "gnubg's reply has %zu bytes", length);
    }
    memcpy(text, reply, length);
    text[length] = '\0';
    memset(out, 0, sizeof *out);
    out->decision = ask->decision;
    if (ask->kind == BG_DECIDE_PLAY) {
        fits = read_moves(out, text);
    } else if (ask->kind == BG_DECIDE_RAISE) {
        fits = read_raise(out, ask, text);
    } else {
        fits = read_action(out, ask, text);
    }
    return fits ? BG_OK : bg_error_set(err, BG_E_FORMAT, "gnubg's reply is \"%s\"", text);
}

enum bg_status query_write_value(char out[QUERY_LINE], const struct bg_ask *ask, bool own_rolls,
                                 const struct query_strength *strength, struct bg_error *err)
{
    struct query_question question = {
        .mover = own_rolls ? OWN : OPPONENT, .cube_owner = ask->cube_owner, .equity = true};
    enum bg_status status = check_ask(ask, err);

    if (status == BG_OK) {
        write_question(out, ask, &question, strength);
    }
    return status;
}

enum bg_status query_read_value(struct bg_chances *out, const char *reply, struct bg_error *err)
{
    int end = 0;

    if (sscanf(reply, "%lf %lf %lf %lf %lf %lf %n", &out->win, &out->win_gammon,
               &out->win_backgammon, &out->lose_gammon, &out->lose_backgammon, &out->equity,
               &end) != 6 ||
        reply[end] != '\0') {
        return bg_error_set(err, BG_E_FORMAT, "gnubg's reply is \"%.80s\"", reply);
    }
    return BG_OK;
}
