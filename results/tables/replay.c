/* The steps go through bg_match_step as they did when they were played, and the board is drawn
 * from the match that this gives: what is shown is what follows from the record, not what the
 * record claims. */
#include "replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include <record/thought_words.h>

#include "base/memory.h"
#include "page.h"
#include "base/plural.h"

enum { DRAWING = 4096, SEAT_BELOW = 0, MEASURABLE_NS = 500 * 1000 /* prints as 0.001 s */ };

/* Of the words: where they are printed, and what they speak of. */
struct replay {
    FILE *out;
    const char *name[2];
    const struct bg_match *match;
};

/* Of the drawing. */
struct replay_page {
    FILE *out;
    int turn; /* of the last heading: each turn gets one heading */
};

/* Prints the offered loss: a level, or checkers in variants that count them. */
static void say_level(FILE *out, const struct bg_variant *variant, int level)
{
    static const char *const names[] = {"nothing", "a single game", "a gammon", "a backgammon"};

    if (bg_variant_level_max(variant) > 3) {
        fprintf(out, "%d %s", level, plural((uint64_t)level, "point", "points"));
    } else {
        fprintf(out, "%s", names[level >= 0 && level <= 3 ? level : 0]);
    }
}

static void draw_board(FILE *out, const struct bg_match *match)
{
    char text[DRAWING];
    struct bg_match_id id;
    bool fits = bg_match_id_of(&id, match, NULL) == BG_OK;

    if (fits && (match->roll.die[2] > 0 || match->part != BG_PART_ROLL)) {
        id.dice[0] = id.dice[1] = 0; /* the id has no place for them */
    }

    bg_board_draw(text, sizeof text, match->rules.variant, &match->board, fits ? &id : NULL,
                  SEAT_BELOW);
    fprintf(out, "\n%s", text);
}

static void write_time(FILE *out, int64_t spent_ns)
{
    if (spent_ns >= MEASURABLE_NS) {
        fprintf(out, "   (%.3f s)", (double)spent_ns / 1e9);
    }
    fputc('\n', out);
}

static void say_opening(const struct replay *replay, const struct bg_step *step)
{
    const uint8_t *die = step->die;

    if (die[2] > 0) { /* each side rolled two dice; the totals decide */
        fprintf(replay->out, "opening: %s %d+%d, %s %d+%d", replay->name[0], die[0], die[1],
                replay->name[1], die[2], die[3]);
    } else {
        fprintf(replay->out, "opening: %s %d, %s %d", replay->name[0], die[0], replay->name[1],
                die[1]);
    }
}

static void say_dice(const struct replay *replay, const struct bg_step *step)
{
    if (step->kind == BG_STEP_OPEN) {
        say_opening(replay, step);
        return;
    }
    int high = step->die[0] > step->die[1] ? step->die[0] : step->die[1];

    fprintf(replay->out, "%s rolls %d%d", replay->name[step->seat], high,
            step->die[0] + step->die[1] - high);
    if (step->die[2] > 0) {
        fprintf(replay->out, "%d", step->die[2]);
    }
}

static void say_play(const struct replay *replay, const struct bg_step *step)
{
    char text[BG_PLAY_TEXT], stage[BG_STAGE_TEXT];

    bg_play_write(text, replay->match->rules.variant, &replay->match->board, step->seat,
                  &step->play);
    fprintf(replay->out, "%s plays %s", replay->name[step->seat], text);
    if (replay->match->part != BG_PART_ROLL) { /* the play's numbers are not the dice */
        bg_stage_write(stage, &replay->match->stage);
        fprintf(replay->out, "   [%s: %s]", bg_part_name(replay->match->part), stage);
    }
}

/* Prints a step before it is made. */
static void say_step(const struct replay *replay, const struct bg_step *step)
{
    FILE *out = replay->out;
    const char *who = step->seat == 0 || step->seat == 1 ? replay->name[step->seat] : "";
    int64_t cube = INT64_C(1) << replay->match->cube_log2;

    switch (step->kind) {
    case BG_STEP_OPEN:
    case BG_STEP_ROLL:
        say_dice(replay, step);
        break;
    case BG_STEP_PLAY:
        say_play(replay, step);
        break;
    case BG_STEP_DOUBLE:
        fprintf(out, "%s doubles to %" PRId64, who, 2 * cube);
        break;
    case BG_STEP_RESIGN:
        fprintf(out, "%s offers to resign ", who);
        say_level(out, replay->match->rules.variant, step->level);
        break;
    case BG_STEP_NAME:
        fprintf(out, "%s names %d", who, step->level);
        break;
    case BG_STEP_FAULT:
        fprintf(out, "%s is at fault: %s", who, bg_fault_name(step->fault));
        break;
    default:
        fprintf(out, "%s: %s", who, bg_step_name(step->kind));
        break;
    }
}

/* Whether the turn was lost: a roll without a legal play. */
static bool turn_was_lost(const struct bg_match *match, const struct bg_step *step, int turns)
{
    return (step->kind == BG_STEP_ROLL || step->kind == BG_STEP_OPEN) &&
           match->need.kind != BG_NEED_PLAY && match->turn > turns;
}

/* The words are made before the step, because the play's notation needs the board on which it
 * begins. */
static enum bg_rule make_step(FILE *out, struct bg_match *match, const char *const name[2],
                              const struct bg_step *step)
{
    const int turn = match->turn;
    const struct replay replay = {out, {name[0], name[1]}, match};
    enum bg_rule broken;

    say_step(&replay, step);
    broken = bg_match_step(match, step);
    if (turn_was_lost(match, step, turn)) {
        fputs(", cannot move", out);
    }
    return broken;
}

char *replay_make(struct bg_match *match, enum bg_rule *broken, const char *const name[2],
                  const struct bg_step *step)
{
    char *words = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&words, &size);

    *broken = make_step(out, match, name, step);
    memory_stream_close(out);
    return words;
}

/* Of a record's steps. All write their words into one stream, since opening one costs more than
 * everything else about a step. */
struct replaying {
    struct bg_match match;
    const char *name[2];
    FILE *out;
    char *words; /* owned; of the last step, after a flush */
};

static enum bg_status replay_step(struct replaying *replaying, const struct record_view *view,
                                  int i, replay_fn fn, void *user, struct bg_error *err)
{
    const struct bg_match before = replaying->match;
    struct bg_step step;
    struct bg_thought thought;
    struct replay_step told = {.before = &before,
                               .after = &replaying->match,
                               .step = &step,
                               .name = {replaying->name[0], replaying->name[1]},
                               .turn = before.turn + 1};
    enum bg_rule broken;

    record_view_step(&step, &told.spent_ns, view, i);
    told.thought = record_view_thought(&thought, view, i) ? &thought : NULL;
    rewind(replaying->out);
    broken = make_step(replaying->out, &replaying->match, replaying->name, &step);
    fputc('\0', replaying->out);
    fflush(replaying->out);
    told.words = replaying->words;
    fn(user, &told);
    return broken == BG_RULE_NONE
               ? BG_OK
               : bg_error_set(err, BG_E_MISMATCH, "step %d: breaks rule %s: %s", i + 1,
                              bg_rule_number(broken), bg_rule_text(broken));
}

static enum bg_status replay_begin(struct replaying *replay, const struct record_view *view,
                                   struct bg_error *err)
{
    for (int seat = 0; seat < 2; seat++) {
        const char *name = record_view_value(view, seat == 0 ? "seat0" : "seat1");

        replay->name[seat] = name == NULL ? "?" : name;
    }
    return record_view_start(&replay->match, view, err);
}

static enum bg_status replay_steps(struct replaying *replay, const struct record_view *view,
                                   replay_fn fn, void *user, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    size_t size;

    replay->out = memory_stream(&replay->words, &size);
    for (int i = 0; status == BG_OK && i < record_view_steps(view); i++) {
        status = replay_step(replay, view, i, fn, user, err);
    }
    memory_stream_close(replay->out);
    free(replay->words);
    return status;
}

enum bg_status replay_each(struct bg_match *end, const struct record_view *view, replay_fn fn,
                           void *user, struct bg_error *err)
{
    struct replaying replay = {.name = {NULL}};
    enum bg_status status = replay_begin(&replay, view, err);

    if (status == BG_OK) {
        status = replay_steps(&replay, view, fn, user, err);
    }
    *end = replay.match;
    return status;
}

/* ------------------------------------------------------------------ as text */

static void print_step(void *user, const struct replay_step *told)
{
    struct replay_page *page = user;

    if (told->step->kind == BG_STEP_PLAY) {
        draw_board(page->out, told->before);
    }
    if (page->turn != told->turn) {
        fprintf(page->out, "%3d. ", told->turn);
        page->turn = told->turn;
    } else {
        fprintf(page->out, "     ");
    }
    fputs(told->words, page->out);
    write_time(page->out, told->spent_ns);
    if (told->thought != NULL) {
        char words[THOUGHT_WORDS];

        thought_words_write(words, told->thought);
        fprintf(page->out, "       thinks: %s\n", words);
    }
}

static void write_head(FILE *out, const struct replaying *replay, const struct record_view *view)
{
    const struct bg_match *match = &replay->match;
    const char *id = record_view_value(view, "id");

    fprintf(out, "%s\n%s (O) against %s (X)", id == NULL ? "" : id, replay->name[0],
            replay->name[1]);
    fprintf(out, ", %s%s%s%s", bg_variant_id(match->rules.variant),
            match->rules.rotation == NULL ? "" : " (",
            match->rules.rotation == NULL ? "" : bg_rotation_id(match->rules.rotation),
            match->rules.rotation == NULL ? "" : ")");
    if (match->rules.length_points == 0) {
        fprintf(out, ", money game\n\n");
    } else {
        fprintf(out, ", match to %d, score %" PRId64 ":%" PRId64 "%s\n\n",
                match->rules.length_points, match->score[0], match->score[1],
                match->crawford_game ? ", Crawford game" : "");
    }
}

static void write_result(FILE *out, const struct replaying *replay, const struct record_view *view)
{
    struct bg_result result;
    int64_t left_ns[2];

    record_view_result(&result, left_ns, view);
    draw_board(out, &replay->match);
    if (result.winner < 0) {
        fprintf(out, "\nDrawn (%s)\n", bg_end_name(result.end));
        return;
    }
    fprintf(out, "\n%s wins %" PRId64 " point%s (%s, by %s%s%s)\n", replay->name[result.winner],
            result.points, plural_s((uint64_t)result.points),
            bg_result_how(replay->match.rules.variant, &result), bg_end_name(result.end),
            result.end == BG_END_FAULT ? ": " : "",
            result.end == BG_END_FAULT ? bg_fault_name(result.fault) : "");
    if (replay->match.rules.length_points > 0) {
        fprintf(out, "Score %s %" PRId64 ", %s %" PRId64 "\n", replay->name[0],
                replay->match.score[0], replay->name[1], replay->match.score[1]);
    }
}

enum bg_status replay_write(FILE *out, const struct record_view *view, struct bg_error *err)
{
    struct replaying replay = {.name = {NULL}};
    struct replay_page page = {.out = out};
    enum bg_status status = replay_begin(&replay, view, err);

    if (status == BG_OK) {
        write_head(out, &replay, view);
        status = replay_steps(&replay, view, print_step, &page, err);
    }
    if (status == BG_OK) {
        write_result(out, &replay, view);
    }
    return status;
}
