/* The rules decide here, not in the page: it shows what it gets and sends what was clicked. */
#include "person.h"

#include <bgref/notation.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/pos.h"

enum { OK = 200, BAD = 400, CLOSED = 409, ILLEGAL = 422 };
#define MS_NS INT64_C(1000000)

static void refuse(struct person_reply *reply, int status, const char *format, ...) BG_PRINTF(3, 4);

static void refuse(struct person_reply *reply, int status, const char *format, ...)
{
    va_list arguments;

    reply->status = status;
    va_start(arguments, format);
    vsnprintf(reply->why, sizeof reply->why, format, arguments);
    va_end(arguments);
}

/* ------------------------------------------------------------------ what happens */

static void say(struct person *person, const char *line, size_t size)
{
    char **place = &person->lines[person->line_count++ % PERSON_LINES];

    free(*place);
    *place = memory_text_of(line, size);
}

static void say_lines(struct person *person, const char *text)
{
    while (*text != '\0') {
        const size_t size = strcspn(text, "\n");

        if (size > 0) {
            say(person, text, size);
        }
        text += size + (text[size] == '\n');
    }
}

void person_ask(struct person *person, const struct bg_ask *ask, int64_t now_ns)
{
    if (person->is_open) {
        say_lines(person, "The time for this decision is over.");
    }
    person->ask = *ask;
    person->ask.results = NULL; /* lent until the next message */
    person->ask.result_count = 0;
    person->ask.played = NULL;
    memcpy(person->score, ask->score, sizeof person->score);
    person->asked_ns = now_ns;
    person->is_open = true;
    person->number++;
}

void person_tell(struct person *person, const struct bg_tell *tell)
{
    char text[STORY_TEXT];

    story_tell(text, &person->story, tell);
    say_lines(person, text);
    if (tell->kind == BG_TELL_BEGIN) {
        person->last_seat = -1;
    } else if (tell->kind == BG_TELL_STEP && tell->step.kind == BG_STEP_PLAY) {
        person->last_seat = tell->step.own ? 0 : 1;
        person->last = tell->step.play;
    } else if (tell->kind == BG_TELL_END) {
        memcpy(person->score, tell->end.score, sizeof person->score);
        person->is_open = false; /* lost by time, or the opponent's fault */
    }
    person->number++;
}

void person_end(struct person *person, const char *why)
{
    snprintf(person->over, sizeof person->over, "%s", why);
    person->is_open = false;
    person->number++;
}

void person_deinit(struct person *person)
{
    for (int i = 0; i < PERSON_LINES; i++) {
        free(person->lines[i]);
    }
}

/* ------------------------------------------------------------------ the state */

static bool is_board_of(const struct person *person)
{
    return person->is_open || person->story.variant != NULL;
}

static const struct bg_rules *rules_of(const struct person *person)
{
    return person->is_open ? &person->ask.rules : &person->story.rules;
}

static json_t *pair_of(int64_t own, int64_t opponent)
{
    return json_pack("[I, I]", (json_int_t)own, (json_int_t)opponent);
}

static json_t *numbers_of(const struct bg_stage *stage, const uint8_t *left)
{
    json_t *list = json_array();

    for (int part = 0; part < stage->parts; part++) {
        const int times = left == NULL ? stage->part[part].times : left[part];

        for (int i = 0; i < times; i++) {
            json_array_append_new(list, json_integer(stage->part[part].number));
        }
    }
    return list;
}

/* As many dice as numbers; those that are not left have been played. */
static void put_dice(struct pos *pos, const struct bg_stage *stage, const uint8_t *left)
{
    for (int part = 0; part < stage->parts; part++) {
        for (int i = 0; i < stage->part[part].times && pos->dice < POS_DICE; i++) {
            pos->played[pos->dice] = left != NULL && i >= left[part];
            pos->die[pos->dice++] = stage->part[part].number;
        }
    }
}

/* Sets what an open decision shows. path: of the moves made so far; NULL: no play is asked. */
static void put_ask(struct pos *pos, const struct bg_ask *ask, const struct play_path *path)
{
    const bool is_offered = ask->kind == BG_DECIDE_TAKE || ask->kind == BG_DECIDE_RAISE;

    pos->board = path != NULL ? path->board : ask->board;
    pos->cube_log2 = ask->cube_log2 + (is_offered ? 1 + ask->raise : 0);
    pos->cube_owner = ask->cube_owner;
    pos->offered = is_offered ? 1 : -1;
    put_dice(pos, &ask->stage, path != NULL ? path->left : NULL);
}

static void put_story(struct pos *pos, const struct story *story)
{
    const bool is_known = story->is_followed;

    pos->board = story->board;
    pos->mover = story->has_stage && (!is_known || story->match.on_roll == 1) ? 1 : 0;
    pos->cube_log2 = is_known ? story->match.cube_log2 : story->start.cube_log2;
    pos->cube_owner = is_known ? story->match.cube_owner : story->start.cube_owner;
    if (story->has_stage) {
        put_dice(pos, &story->stage, NULL);
    }
}

static json_t *board_json(const struct person *person, const struct play_path *path)
{
    const struct bg_rules *rules = rules_of(person);
    const bool has_moved = path != NULL && path->play.moves > 0;
    struct pos pos = {.variant = rules->variant,
                      .has_cube = rules->cube,
                      .offered = -1,
                      .last_seat = has_moved ? -1 : person->last_seat,
                      .last = person->last};
    char text[POS_TEXT];

    if (person->is_open) {
        put_ask(&pos, &person->ask, path);
    } else {
        put_story(&pos, &person->story);
    }
    pos_write(text, &pos);
    return json_pack("{s:s, s:i, s:o}", "pos", text, "cube", pos.cube_log2, "pips",
                     pair_of(bg_variant_pips(pos.variant, &pos.board, 0),
                             bg_variant_pips(pos.variant, &pos.board, 1)));
}

static json_t *path_json(const struct person *person, const struct play_path *path)
{
    json_t *next = json_array();
    char text[BG_PLAY_TEXT];

    for (int i = 0; i < path->next_count; i++) {
        const struct path_move *move = &path->next[i];

        json_array_append_new(next, json_pack("{s:i, s:i, s:i}", "from", move->move.from, "to",
                                              move->move.to, "number", move->number));
    }
    bg_play_write(text, path->variant, &path->before, 0, &path->play);
    return json_pack("{s:s, s:o, s:b, s:o, s:o}", "text", text, "board", board_json(person, path),
                     "whole", path->is_whole, "left", numbers_of(&path->stage, path->left), "next",
                     next);
}

static bool may_answer(const struct bg_ask *ask, enum bg_answer_kind answer)
{
    return bg_answer_fits(ask->kind, answer) && (answer != BG_ANSWER_RAISE || ask->may_raise);
}

/* R1, R2: an offer is higher than one that was refused, and not made against a double. */
static bool may_resign(const struct person *person, int level)
{
    const struct bg_ask *ask = &person->ask;
    const struct story *story = &person->story;

    return may_answer(ask, BG_ANSWER_RESIGN) && ask->kind != BG_DECIDE_TAKE &&
           ask->kind != BG_DECIDE_RAISE && ask->kind != BG_DECIDE_RESIGNATION &&
           level > ask->refused_level && level <= bg_variant_level_max(ask->rules.variant) &&
           !(story->is_followed && story->match.resign_offers >= BG_OFFERS_MAX);
}

static json_t *answers_json(const struct person *person)
{
    static const enum bg_answer_kind words[] = {
        BG_ANSWER_ROLL, BG_ANSWER_DOUBLE, BG_ANSWER_TAKE,   BG_ANSWER_PASS,  BG_ANSWER_RAISE,
        BG_ANSWER_KEEP, BG_ANSWER_REROLL, BG_ANSWER_ACCEPT, BG_ANSWER_REFUSE};
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (may_answer(&person->ask, words[i])) {
            json_array_append_new(list, json_string(bg_answer_name(words[i])));
        }
    }
    return list;
}

static json_t *levels_json(const struct person *person)
{
    json_t *list = json_array();

    for (int level = 1; level <= bg_variant_level_max(person->ask.rules.variant); level++) {
        if (may_resign(person, level)) {
            json_array_append_new(list, json_integer(level));
        }
    }
    return list;
}

static json_t *clock_json(const struct bg_ask *ask, int64_t passed_ns)
{
    const int64_t over_ns = passed_ns > ask->delay_ns[0] ? passed_ns - ask->delay_ns[0] : 0;

    if (!ask->has_clock) {
        return json_null();
    }
    return json_pack("{s:o, s:I}", "left_ms",
                     pair_of((ask->left_ns[0] - over_ns) / MS_NS, ask->left_ns[1] / MS_NS),
                     "delay_ms", (json_int_t)((ask->delay_ns[0] - passed_ns + over_ns) / MS_NS));
}

static json_t *ask_json(const struct person *person, int64_t now_ns)
{
    static struct play_path path;
    const struct bg_ask *ask = &person->ask;
    const int64_t passed_ns = now_ns - person->asked_ns;
    char decision[24], forced[BG_PLAY_TEXT];
    json_t *json;

    snprintf(decision, sizeof decision, "%" PRIu64, ask->decision);
    json = json_pack("{s:s, s:s, s:o, s:o, s:i, s:I, s:o}", "decision", decision, "kind",
                     bg_decision_name(ask->kind), "answers", answers_json(person), "resign",
                     levels_json(person), "resign_level", ask->resign_level, "ceiling_ms",
                     (json_int_t)((ask->ceiling_ns - passed_ns) / MS_NS), "clock",
                     clock_json(ask, passed_ns));
    if (ask->kind == BG_DECIDE_PLAY || ask->kind == BG_DECIDE_KEEP) {
        json_object_set_new(json, "dice", numbers_of(&ask->stage, NULL));
    }
    if (ask->kind == BG_DECIDE_PLAY) {
        path_begin(&path, ask->rules.variant, &ask->board, &ask->stage);
        json_object_set_new(json, "path", path_json(person, &path));
        if (path.legal.count == 1) {
            bg_play_write(forced, path.variant, &path.before, 0, &path.legal.play[0]);
            json_object_set_new(json, "forced", json_string(forced));
        }
    }
    return json;
}

static json_t *lines_json(const struct person *person)
{
    const uint64_t first =
        person->line_count > PERSON_LINES ? person->line_count - PERSON_LINES : 0;
    json_t *list = json_array();

    for (uint64_t i = first; i < person->line_count; i++) {
        json_array_append_new(list, json_string(person->lines[i % PERSON_LINES]));
    }
    return list;
}

json_t *person_state(const struct person *person, int64_t now_ns)
{
    const struct bg_rules *rules = rules_of(person);
    const struct story *story = &person->story;
    const char *opponent = person->is_open ? person->ask.opponent : "";
    json_t *json =
        json_pack("{s:I, s:s, s:s, s:o, s:o, s:I, s:s}", "number", (json_int_t)person->number,
                  "bot", bg_bot_name(person->bot), "opponent", opponent, "score",
                  pair_of(person->score[0], person->score[1]), "lines", lines_json(person),
                  "line_count", (json_int_t)person->line_count, "over", person->over);

    if (is_board_of(person)) {
        json_object_set_new(json, "variant", json_string(bg_variant_id(rules->variant)));
        json_object_set_new(json, "length", json_integer(rules->length_points));
        json_object_set_new(json, "has_cube", json_boolean(rules->cube));
        json_object_set_new(json, "board", board_json(person, NULL));
    }
    if (story->has_stage && !person->is_open) {
        json_object_set_new(json, "rolled", numbers_of(&story->stage, NULL));
    }
    if (person->is_open) {
        json_object_set_new(json, "ask", ask_json(person, now_ns));
    }
    return json;
}

/* ------------------------------------------------------------------ answers */

static bool is_asked(struct person_reply *reply, const struct person *person, const char *decision)
{
    char now[24];

    snprintf(now, sizeof now, "%" PRIu64, person->ask.decision);
    if (person->is_open && strcmp(now, decision) == 0) {
        return true;
    }
    refuse(reply, CLOSED, "decision %.24s is not open; reload the page to see what is asked now",
           decision);
    return false;
}

/* Makes the moves of a text. */
static bool walk_moves(struct person_reply *reply, struct play_path *path,
                       const struct person *person, const char *moves)
{
    const struct bg_ask *ask = &person->ask;

    if (ask->kind != BG_DECIDE_PLAY) {
        refuse(reply, ILLEGAL, "no play is asked now");
        return false;
    }
    path_begin(path, ask->rules.variant, &ask->board, &ask->stage);
    while (*moves != '\0') {
        char *rest;
        const unsigned long from = strtoul(moves, &rest, 10);
        const unsigned long number = *rest == '.' ? strtoul(rest + 1, &rest, 10) : 0;

        if (from >= BG_SLOTS || number == 0 || number > 6 || (*rest != '\0' && *rest != '-')) {
            refuse(reply, BAD, "moves: expected SLOT.NUMBER-SLOT.NUMBER, as 24.6-18.3");
            return false;
        }
        if (!path_add(path, (int)from, (int)number)) {
            refuse(reply, ILLEGAL, "no legal play goes on with the checker on %lu by %lu", from,
                   number);
            return false;
        }
        moves = rest + (*rest == '-');
    }
    return true;
}

json_t *person_path(struct person_reply *reply, const struct person *person, const char *decision,
                    const char *moves)
{
    static struct play_path path;

    if (!is_asked(reply, person, decision) || !walk_moves(reply, &path, person, moves)) {
        return NULL;
    }
    reply->status = OK;
    return path_json(person, &path);
}

static enum bg_status send_play(struct person_reply *reply, struct person *person,
                                const char *moves, struct bg_error *err)
{
    static struct play_path path;
    char text[BG_PLAY_TEXT], line[BG_PLAY_TEXT + 16];

    if (!walk_moves(reply, &path, person, moves)) {
        return BG_OK;
    }
    if (!path.is_whole) {
        refuse(reply, ILLEGAL, "the play is not complete: more numbers can be played");
        return BG_OK;
    }
    reply->status = OK;
    bg_play_write(text, path.variant, &path.before, 0, &path.play);
    snprintf(line, sizeof line, "You play %s.", text);
    say_lines(person, line);
    return bg_bot_answer_result(person->bot, &person->ask, &path.board, err);
}

static enum bg_status send_number(struct person_reply *reply, struct person *person,
                                  enum bg_answer_kind kind, int number, struct bg_error *err)
{
    if (kind == BG_ANSWER_RESIGN ? !may_resign(person, number)
                                 : person->ask.kind != BG_DECIDE_NAME || number < 1 || number > 6) {
        refuse(reply, ILLEGAL, "%d is not one of the numbers that can be chosen now", number);
        return BG_OK;
    }
    reply->status = OK;
    return kind == BG_ANSWER_RESIGN ? bg_bot_resign(person->bot, &person->ask, number, err)
                                    : bg_bot_answer_name(person->bot, &person->ask, number, err);
}

static enum bg_answer_kind kind_of(const char *word)
{
    for (int kind = BG_ANSWER_NONE + 1; kind < BG_ANSWER_COUNT; kind++) {
        if (strcmp(bg_answer_name((enum bg_answer_kind)kind), word) == 0) {
            return (enum bg_answer_kind)kind;
        }
    }
    return BG_ANSWER_NONE;
}

static enum bg_status send(struct person_reply *reply, struct person *person,
                           enum bg_answer_kind kind, const char *moves, int number,
                           struct bg_error *err)
{
    switch (kind) {
    case BG_ANSWER_MOVES:
        return send_play(reply, person, moves, err);
    case BG_ANSWER_RESIGN:
    case BG_ANSWER_NAME:
        return send_number(reply, person, kind, number, err);
    case BG_ANSWER_NONE:
    case BG_ANSWER_INDEX:
    case BG_ANSWER_RESULT:
    case BG_ANSWER_DICE:
        refuse(reply, BAD, "answer: not an answer of a page");
        return BG_OK;
    default:
        break;
    }
    if (!may_answer(&person->ask, kind)) {
        refuse(reply, ILLEGAL, "%s does not answer what is asked: %s", bg_answer_name(kind),
               bg_decision_answers(person->ask.kind));
        return BG_OK;
    }
    reply->status = OK;
    return bg_bot_answer(person->bot, &person->ask, kind, err);
}

void person_answer(struct person_reply *reply, struct person *person, json_t *answer)
{
    const char *decision, *word, *moves = "";
    struct bg_error err = {.text = ""};
    enum bg_status status;
    int number = 0;

    if (json_unpack(answer, "{s:s, s:s, s?s, s?i !}", "decision", &decision, "answer", &word,
                    "moves", &moves, "number", &number) != 0) {
        refuse(reply, BAD, "expected a JSON object with decision and answer, and moves or number");
        return;
    }
    if (!is_asked(reply, person, decision)) {
        return;
    }
    status = send(reply, person, kind_of(word), moves, number, &err);
    if (status != BG_OK) {
        refuse(reply, ILLEGAL, "%s", err.text);
    }
    if (reply->status != OK) {
        return;
    }
    person->is_open = false;
    person->number++;
    /* Sends it now. The line's end is met by the next bg_bot_next. */
    (void)bg_bot_flush(person->bot, &err);
}
