/* The lines are those of the record and are read by its reader. When a game goes on, each step
 * passes the match machine and each roll is compared with the key's, so rows that were changed
 * are refused. A table waits for a number (ticket) that the store counts up to, so that many
 * tables wait for one commit. */
#include "keeping.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "record/game_id.h"

#define ROLLING "rolling " /* a line that is no step */

void keeping_deinit(struct keeping *keeping)
{
    free(keeping->lines);
    *keeping = (struct keeping){0};
}

void keeping_begin(struct keeping *keeping)
{
    keeping->size = 0;
    keeping->first = keeping->count = 0;
    keeping->rolling = -1;
}

/* Where the next line is written. */
static char *next_kept_line(struct keeping *keeping, size_t most)
{
    keeping->lines = memory_list(keeping->lines, &keeping->room, keeping->size + most + 1, 1);
    return keeping->lines + keeping->size;
}

/* The line is written behind the others. */
static void end_line(struct keeping *keeping)
{
    keeping->size += strlen(keeping->lines + keeping->size);
    keeping->lines[keeping->size++] = '\n';
    keeping->count++;
}

void keeping_add(struct keeping *keeping, const struct bg_step *step,
                 const struct record_time *time)
{
    record_timed_write(next_kept_line(keeping, RECORD_TIMED), step, time);
    end_line(keeping);
}

void keeping_add_thought(struct keeping *keeping, const struct bg_thought *thought)
{
    record_thought_write(next_kept_line(keeping, RECORD_THOUGHT), thought);
    end_line(keeping);
}

void keeping_add_rolling(struct keeping *keeping, int seat, int64_t spent_ns)
{
    snprintf(next_kept_line(keeping, RECORD_TIMED), RECORD_TIMED, ROLLING "%d @%" PRId64, seat,
             spent_ns);
    end_line(keeping);
}

static enum bg_status put(struct keeping *keeping, const struct keeping_game *game,
                          struct bg_error *err)
{
    struct store_steps *steps = memory_zeroed(1, sizeof *steps);
    enum bg_status status;

    steps->lines = memory_text_of(keeping->size == 0 ? "" : keeping->lines, keeping->size);
    steps->game = *game->id;
    steps->first = keeping->first;
    for (int seat = 0; seat < 2; seat++) {
        steps->left_ns[seat] = game->clocks[seat].left_ns;
        steps->delay_ns[seat] = game->clocks[seat].delay_left_ns;
    }
    steps->on_clock = *game->on_clock;
    status = game->sink->put_steps(game->sink->user, steps, err);
    keeping->ticket = game->sink->put_count(game->sink->user);
    keeping->first += keeping->count;
    keeping->count = 0;
    keeping->size = 0;
    return status;
}

enum bg_status keeping_put(struct keeping *keeping, const struct keeping_game *game,
                           struct bg_error *err)
{
    return keeping->count == 0 ? BG_OK : put(keeping, game, err);
}

enum bg_status keeping_mark(struct keeping *keeping, const struct keeping_game *game,
                            struct bg_error *err)
{
    keeping_begin(keeping);
    return put(keeping, game, err);
}

void keeping_end(struct keeping *keeping, const struct game_sink *sink)
{
    keeping_begin(keeping);
    keeping->ticket = sink->put_count(sink->user);
}

bool keeping_is_durable(const struct keeping *keeping)
{
    return keeping->ticket <= keeping->durable;
}

/* ---------------------------------------------------------------------- resuming */

struct resuming {
    struct keeping *keeping;
    const struct keeping_game *game;
    struct record *record;
    struct dice_ahead *rolls;
    enum bg_status status;
    struct bg_error *err;
};

static bool refuse(struct resuming *resuming, const char *line, size_t size, const char *why)
{
    char id[BG_GAME_ID];

    game_id_write(id, resuming->game->id);
    resuming->status =
        bg_error_set(resuming->err, BG_E_STORE,
                     "game %s was cut off and cannot go on: its stored step %d '%.*s': %s", id,
                     resuming->keeping->first + 1, size > 80 ? 80 : (int)size, line, why);
    return false;
}

/* Whether a roll has the dice that the key gives now. */
static bool has_keys_dice(const struct resuming *resuming, const struct bg_step *step)
{
    const struct bg_match *match = resuming->game->match;
    struct bg_step drawn = {.kind = step->kind};
    bool opens = step->kind == BG_STEP_OPEN;

    if (resuming->rolls == NULL || (!opens && step->kind != BG_STEP_ROLL)) {
        return true;
    }
    if (!opens && step->seat != 0 && step->seat != 1) {
        return false;
    }
    dice_ahead_draw(drawn.die, (size_t)bg_match_dice(match), resuming->rolls, (uint64_t)match->game,
                    opens             ? BG_STREAM_OPEN
                    : step->seat == 0 ? BG_STREAM_0
                                      : BG_STREAM_1,
                    (uint64_t)(opens ? match->openings : match->rolls[step->seat]));
    return memcmp(drawn.die, step->die, sizeof drawn.die) == 0;
}

/* Reads "rolling SEAT @NS", of people only. Returns false if it is another line. */
static bool resume_rolling(const struct resuming *resuming, const char *line, size_t size)
{
    const struct bg_need need = resuming->game->match->need;
    char text[RECORD_TIMED];
    int seat, end = -1;
    int64_t spent_ns;

    snprintf(text, sizeof text, "%.*s", size < sizeof text ? (int)size : 0, line);
    if (resuming->rolls != NULL ||
        sscanf(text, ROLLING "%d @%" SCNd64 "%n", &seat, &spent_ns, &end) != 2 ||
        text[end] != '\0' || need.kind != BG_NEED_DOUBLE || seat != need.seat || spent_ns < 0) {
        return false;
    }
    resuming->keeping->rolling = seat;
    resuming->keeping->rolling_ns = spent_ns;
    resuming->keeping->first++;
    return true;
}

/* Reads what was thought of the step before. Returns false if it is another line. */
static bool resume_thought(const struct resuming *resuming, const char *line, size_t size)
{
    struct bg_thought thought;

    /* Most lines are steps, and none of them begins like this. */
    if (line[0] != 't' || resuming->record->steps == 0 ||
        !record_thought_read(&thought, line, size)) {
        return false;
    }
    record_append_thought(resuming->record, &thought);
    resuming->keeping->first++;
    return true;
}

static bool resume_step(struct resuming *resuming, const char *line, size_t size)
{
    struct bg_step step;
    struct record_time time;
    enum bg_rule rule;

    if (resume_rolling(resuming, line, size) || resume_thought(resuming, line, size)) {
        return true;
    }
    resuming->keeping->rolling = -1;
    if (record_timed_read(&step, &time, line, size, NULL) != BG_OK) {
        return refuse(resuming, line, size, "is not a step");
    }
    if (!has_keys_dice(resuming, &step)) {
        return refuse(resuming, line, size, "these are not the dice of the event's key");
    }
    rule = bg_match_step(resuming->game->match, &step);
    if (rule != BG_RULE_NONE) {
        return refuse(resuming, line, size, bg_rule_text(rule));
    }
    resuming->keeping->first++;
    record_append_timed(resuming->record, &step, &time);
    return true;
}

static bool resume_row(void *user, const struct store_steps *row)
{
    struct resuming *resuming = user;
    const struct keeping_game *game = resuming->game;
    const char *at = row->lines == NULL ? "" : row->lines;

    if (row->first != resuming->keeping->first) {
        return refuse(resuming, at, strcspn(at, "\n"), "steps before it are missing");
    }
    while (*at != '\0') {
        size_t size = strcspn(at, "\n");

        if (!resume_step(resuming, at, size)) {
            return false;
        }
        at += size + (at[size] == '\n');
    }
    for (int seat = 0; seat < 2; seat++) {
        game->clocks[seat].left_ns = row->left_ns[seat];
        game->clocks[seat].delay_left_ns = row->delay_ns[seat];
    }
    *game->on_clock = row->on_clock;
    return true;
}

enum bg_status keeping_resume(struct keeping *keeping, const struct keeping_game *game,
                              struct record *record, struct dice_ahead *rolls, struct bg_error *err)
{
    struct resuming resuming = {keeping, game, record, rolls, BG_OK, err};
    enum bg_status status =
        game->sink->each_steps(game->sink->user, game->id, resume_row, &resuming, err);

    return status == BG_OK ? resuming.status : status;
}
