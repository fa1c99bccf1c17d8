#include "foreign_game.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_names.h"
#include "foreign_play.h"
#include "record/game_id.h"

enum { GAMES_MAX = 100000, MATCHES_MAX = 10000, STEPS_MAX = 20000 };

void foreign_reader_deinit(struct foreign_reader *reader)
{
    free(reader->step);
}

/* ---- words ---- */

enum bg_status foreign_fail(struct foreign_reader *reader, enum bg_status status,
                            const char *format, ...)
{
    char message[320];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (reader->number > 0) {
        return bg_error_set(reader->err, status, "%.120s:%d: game %d: %s", reader->name,
                            reader->line, reader->number, message);
    }
    return bg_error_set(reader->err, status, "%.120s:%d: %s", reader->name, reader->line, message);
}

static const char *name_of(const struct foreign_reader *reader, int seat)
{
    const struct foreign_match *match = reader->match_out;

    return match->display[seat][0] != '\0' ? match->display[seat] : match->name[seat];
}

void foreign_note(struct foreign_reader *reader, enum foreign_note note, int seat)
{
    const struct foreign_user *user = reader->user;
    char sentence[512], game[32] = "";

    reader->out->notes[note]++;
    if (user == NULL || user->noted == NULL) {
        return;
    }
    if (reader->number > 0) {
        snprintf(game, sizeof game, "game %d: ", reader->number);
    }
    snprintf(sentence, sizeof sentence, "%.120s:%d: %s%s%s%s", reader->name, reader->line, game,
             seat < 0 ? "" : name_of(reader, seat), seat < 0 ? "" : ": ", foreign_note_text(note));
    user->noted(user->user, note, sentence);
}

/* ---- steps ---- */

static enum bg_status make(struct foreign_reader *reader, const struct bg_step *step,
                           const char *part)
{
    enum bg_rule broken = bg_match_step(&reader->match, step);

    if (broken != BG_RULE_NONE) {
        return foreign_fail(reader, BG_E_MISMATCH, "%s, '%.60s': %s: %s",
                            step->seat < 0 ? "opening" : name_of(reader, step->seat), part,
                            bg_rule_number(broken), bg_rule_text(broken));
    }
    if (reader->steps == reader->room) {
        int room = reader->room == 0 ? 256 : 2 * reader->room;
        struct bg_step *more =
            room > STEPS_MAX ? NULL : realloc(reader->step, (size_t)room * sizeof more[0]);

        if (more == NULL) {
            return foreign_fail(reader, BG_E_MEMORY, "a game of more than %d steps", reader->steps);
        }
        reader->step = more;
        reader->room = room;
    }
    reader->step[reader->steps++] = *step;
    return BG_OK;
}

enum bg_status foreign_simple(struct foreign_reader *reader, enum bg_step_kind kind, int seat,
                              const char *part)
{
    struct bg_step step = {.kind = kind, .seat = seat};

    return make(reader, &step, part);
}

/* ---- matches ---- */

enum bg_status foreign_match_begin(struct foreign_reader *reader,
                                   const char display[2][FOREIGN_NAME])
{
    struct foreign_file *out = reader->out;
    struct foreign_match *more = NULL, *match;

    foreign_match_end(reader);
    if (out->matches < MATCHES_MAX) {
        more = realloc(out->match, ((size_t)out->matches + 1) * sizeof more[0]);
    }
    if (more == NULL) {
        return foreign_fail(reader, BG_E_MEMORY, "%d matches", out->matches);
    }
    out->match = more;
    match = &more[out->matches];
    *match = (struct foreign_match){.length_points = reader->rules.length_points};
    for (int seat = 0; seat < 2; seat++) {
        memcpy(match->display[seat], display[seat], FOREIGN_NAME);
        foreign_bot_name(match->name[seat], display[seat]);
    }
    foreign_part_names(match->name[0], match->name[1]);
    reader->match_out = match;
    for (int seat = 0; seat < 2; seat++) {
        if (display[seat][0] == '\0') {
            foreign_note(reader, FOREIGN_NAMELESS, seat);
        }
    }
    enum bg_status status = BG_OK;

    if (reader->user != NULL && reader->user->placed != NULL) {
        status = reader->user->placed(reader->user->user, match, out, reader->err);
    }
    out->matches++;
    return status;
}

void foreign_match_end(struct foreign_reader *reader)
{
    struct foreign_file *out = reader->out;

    if (reader->match_out != NULL && reader->match_out->games == 0) {
        free(reader->match_out->game);
        out->matches--;
    }
    reader->match_out = NULL;
}

static void drop_games(struct foreign_match *match)
{
    for (int i = 0; i < match->games; i++) {
        record_deinit(&match->game[i].record);
    }
    match->games = 0;
}

bool foreign_is_bad(enum bg_status status)
{
    return status == BG_E_MISMATCH || status == BG_E_FORMAT;
}

void foreign_leave_out(struct foreign_reader *reader, enum bg_status status)
{
    const struct foreign_user *user = reader->user;

    reader->in_game = false;
    reader->out->left_out++;
    if (reader->match_out != NULL && reader->match_out->length_points > 0) {
        drop_games(reader->match_out);
        foreign_match_end(reader);
    }
    if (user != NULL && user->left_out != NULL) {
        user->left_out(user->user, status, reader->err == NULL ? "" : reader->err->text);
    }
}

/* ---- records ---- */

static enum bg_status write_record(struct foreign_game *game, const struct foreign_reader *reader)
{
    const struct foreign_match *out = reader->match_out;
    bool follows = out->games > 0 && out->length_points > 0;
    struct record_header header = {.game_id = game->id,
                                   .event = reader->event,
                                   .seat_name = {out->name[0], out->name[1]},
                                   .seat_program = {"-", "-"},
                                   .seat_version = {out->display[0], out->display[1]},
                                   .start = &reader->start,
                                   .clock = "none",
                                   .prev = follows ? out->game[out->games - 1].hash : "",
                                   .dice = "file"};
    enum bg_status status = record_begin(&game->record, &header, reader->err);

    for (int i = 0; status == BG_OK && i < reader->steps; i++) {
        status = record_append(&game->record, &reader->step[i], -1, reader->err);
    }
    return status == BG_OK
               ? record_end(&game->record, &reader->match.result, NULL, game->hash, reader->err)
               : status;
}

static enum bg_status keep_game(struct foreign_reader *reader)
{
    struct foreign_match *out = reader->match_out;
    struct foreign_game *more = NULL, *game;
    struct game_id id;
    bool swapped = strcmp(out->name[0], out->name[1]) > 0, money = out->length_points == 0;

    if (out->games < GAMES_MAX) {
        more = realloc(out->game, ((size_t)out->games + 1) * sizeof more[0]);
    }
    if (more == NULL) {
        return foreign_fail(reader, BG_E_MEMORY, "%d games", out->games);
    }
    out->game = more;
    game = &more[out->games];
    *game = (struct foreign_game){.end = reader->match};
    game->pair = out->pair + (uint64_t)(money ? out->games : 0);
    id = game_id_of_leg(out->name[swapped], out->name[!swapped], game->pair, swapped);
    id.game = reader->start.game;
    game_id_write(game->id, &id);

    enum bg_status status = write_record(game, reader);

    out->games++; /* also if incomplete, because it owns memory */
    reader->in_game = false;
    return status;
}

/* ---- beginning of a game ---- */

static bool is_crawford(const struct foreign_reader *reader)
{
    int last = reader->rules.length_points - 1;

    return reader->rules.crawford && last > 0 &&
           (reader->score[0] == last) != (reader->score[1] == last);
}

static void forget_steps(struct foreign_reader *reader)
{
    reader->steps = 0;
    reader->unplayed = false;
    reader->in_game = true;
    reader->own_turn[0].known = reader->own_turn[1].known = false;
}

enum bg_status foreign_game_begin_at(struct foreign_reader *reader, const struct bg_start *given)
{
    struct bg_start start = *given;
    struct bg_error why = {0};
    bool money = reader->rules.length_points == 0;

    forget_steps(reader);
    start.game = money ? 0 : reader->match_out->games;
    start.score[0] = money ? 0 : reader->score[0];
    start.score[1] = money ? 0 : reader->score[1];
    if (bg_match_begin_at(&reader->match, &reader->rules, &start, &why) != BG_OK) {
        return foreign_fail(reader, BG_E_MISMATCH, "%s", why.text);
    }
    reader->start = reader->match;
    return BG_OK;
}

/* Computes the start from the scores alone, if there is no game before. */
static enum bg_status begin_from_scores(struct foreign_reader *reader)
{
    struct bg_start start = {
        .on_roll = -1, .cube_owner = BG_CENTRED, .crawford_game = is_crawford(reader)};

    bg_variant_setup(&start.board, reader->rules.variant);
    return foreign_game_begin_at(reader, &start);
}

enum bg_status foreign_game_begin(struct foreign_reader *reader)
{
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
    const struct foreign_match *out = reader->match_out;

    if (out->length_points == 0 || out->games == 0) {
        return begin_from_scores(reader);
    }
    forget_steps(reader);
    reader->match = out->game[out->games - 1].end;
    if (bg_match_step(&reader->match, &next) != BG_RULE_NONE) {
        return foreign_fail(reader, BG_E_MISMATCH, "the match is over before it");
    }
    if (reader->match.score[0] != reader->score[0] || reader->match.score[1] != reader->score[1]) {
        return foreign_fail(reader, BG_E_MISMATCH,
                            "the score is given as %" PRId64 " to %" PRId64
                            ", but the games before make %" PRId64 " to %" PRId64,
                            reader->score[0], reader->score[1], reader->match.score[0],
                            reader->match.score[1]);
    }
    reader->start = reader->match;
    return BG_OK;
}

/* Begins a game whose first roll is a double, or whose first action is a cube action: it had no
 * opening roll. */
static enum bg_status begin_without_opening(struct foreign_reader *reader, int seat)
{
    const struct bg_start start = {.board = reader->start.board,
                                   .on_roll = seat,
                                   .cube_log2 = reader->start.cube_log2,
                                   .cube_owner = reader->start.cube_owner,
                                   .crawford_game = reader->start.crawford_game,
                                   .crawford_done = reader->start.crawford_done};

    return foreign_game_begin_at(reader, &start);
}

/* ---- rolls and plays ---- */

/* Checks a roll without moves although a legal play exists: it means a resignation, unless play
 * continues after it. */
static enum bg_status check_played(struct foreign_reader *reader, const char *part)
{
    static struct bg_play_list plays;
    struct bg_step step = {.kind = BG_STEP_PLAY, .seat = reader->match.need.seat};

    if (!reader->unplayed) {
        return BG_OK;
    }
    reader->unplayed = false;
    bg_play_list(&plays, reader->rules.variant, &reader->match.board, step.seat,
                 &reader->match.stage);
    if (plays.count != 1) {
        return foreign_fail(reader, BG_E_MISMATCH, "%s has not played the roll before '%.40s'",
                            name_of(reader, step.seat), part);
    }
    step.play = plays.play[0];
    foreign_note(reader, FOREIGN_FORCED, step.seat);
    return make(reader, &step, part);
}

enum bg_status foreign_roll(struct foreign_reader *reader, int seat, const int dice[2],
                            const char *part)
{
    struct bg_step step = {
        .kind = BG_STEP_ROLL, .seat = seat, .die = {(uint8_t)dice[0], (uint8_t)dice[1]}};
    enum bg_status status = check_played(reader, part);

    if (status == BG_OK && reader->match.need.kind == BG_NEED_RAISE &&
        reader->match.need.seat == seat) {
        status = foreign_simple(reader, BG_STEP_TAKE, seat, part); /* accepts the beaver */
    }
    if (status == BG_OK && reader->match.need.kind == BG_NEED_OPENING) {
        if (dice[0] == dice[1]) {
            status = begin_without_opening(reader, seat);
        } else {
            bool first = dice[0] > dice[1];

            step.kind = BG_STEP_OPEN;
            step.seat = -1;
            step.die[seat] = (uint8_t)dice[!first];
            step.die[1 - seat] = (uint8_t)dice[first];
        }
    }
    return status == BG_OK ? make(reader, &step, part) : status;
}

enum bg_status foreign_moves(struct foreign_reader *reader, int seat, const char *part,
                             const char *moves)
{
    struct bg_step step = {.kind = BG_STEP_PLAY, .seat = seat};
    struct foreign_moves written;
    struct bg_error why = {0};
    bool owes = reader->match.need.kind == BG_NEED_PLAY && reader->match.need.seat == seat;

    if (*moves == '\0') {
        reader->unplayed = reader->match.need.kind == BG_NEED_PLAY;
        return BG_OK;
    }
    if (foreign_moves_read(&written, moves, &why) != BG_OK) {
        return foreign_fail(reader, BG_E_FORMAT, "%s, '%.60s': %.150s", name_of(reader, seat), part,
                            why.text);
    }
    if (written.capitals) {
        foreign_note(reader, FOREIGN_CAPITALS, seat);
    }
    step.play = written.play;
    if (owes) {
        enum foreign_reading reading = foreign_play_find(&step.play, &reader->match, &written);

        if (reading != FOREIGN_AS_WRITTEN) {
            foreign_note(reader, reading == FOREIGN_BY_HITS ? FOREIGN_NO_HIT : FOREIGN_STEPS, seat);
        }
        reader->own_turn[seat] =
            (struct foreign_place){.known = true, .match = reader->match, .steps = reader->steps};
    }
    return make(reader, &step, part);
}

/* ---- the cube ---- */

enum bg_status foreign_double(struct foreign_reader *reader, int seat, int64_t value,
                              const char *part)
{
    bool raise =
        reader->match.need.kind == BG_NEED_TAKE || reader->match.need.kind == BG_NEED_RAISE;
    int64_t offered;
    enum bg_status status = check_played(reader, part);

    if (status == BG_OK && reader->match.need.kind == BG_NEED_OPENING) {
        status = begin_without_opening(reader, seat);
    }
    offered = INT64_C(2) << (reader->match.cube_log2 + raise);
    if (status == BG_OK && value != 0 && value != offered) {
        return foreign_fail(reader, BG_E_MISMATCH, "%s, '%.60s': the cube would come to %" PRId64,
                            name_of(reader, seat), part, offered);
    }
    return status == BG_OK
               ? foreign_simple(reader, raise ? BG_STEP_RAISE : BG_STEP_DOUBLE, seat, part)
               : status;
}

/* ---- the end ---- */

/* Makes the resignation that the file's winner and points imply. For a resignation out of turn,
 * goes back to that player's last own turn; a single game given up after a double is a pass. */
static enum bg_status resign(struct foreign_reader *reader, int winner, int64_t points)
{
    int64_t cube = INT64_C(1) << reader->match.cube_log2;
    struct bg_step step = {.kind = BG_STEP_RESIGN, .seat = 1 - winner};
    const struct bg_need *need = &reader->match.need;

    step.level = (uint8_t)(points <= cube ? 1 : points <= 2 * cube ? 2 : 3);
    if ((need->kind == BG_NEED_TAKE || need->kind == BG_NEED_RAISE) && need->seat == step.seat &&
        step.level == 1) {
        return foreign_simple(reader, BG_STEP_PASS, step.seat, "Wins");
    }
    if (bg_match_may_resign(&reader->match, step.seat, step.level) != BG_RULE_NONE) {
        const struct foreign_place *back = &reader->own_turn[step.seat];

        if (!back->known || INT64_C(1) << back->match.cube_log2 != cube) {
            return foreign_fail(
                reader, BG_E_MISMATCH,
                "%s resigns out of turn, and has no own turn before it at this cube value",
                name_of(reader, step.seat));
        }
        foreign_note(reader, FOREIGN_OUT_OF_TURN, step.seat);
        reader->match = back->match;
        reader->steps = back->steps;
    }
    enum bg_status status = make(reader, &step, "Wins");

    return status == BG_OK ? foreign_simple(reader, BG_STEP_ACCEPT, winner, "Wins") : status;
}

/* Some servers write no more points than the match needed. */
static bool is_capped(const struct foreign_reader *reader, int64_t points)
{
    const struct bg_result *result = &reader->match.result;
    int length = reader->rules.length_points;

    return length > 0 && points < result->points &&
           reader->start.score[result->winner] + points >= length;
}

enum bg_status foreign_wins(struct foreign_reader *reader, int winner, int64_t points)
{
    const struct bg_result *result = &reader->match.result;
    enum bg_status status = BG_OK;

    if (result->end == BG_END_NONE) {
        status = resign(reader, winner, points);
    }
    if (status != BG_OK) {
        return status;
    }
    if (result->winner == winner && is_capped(reader, points)) {
        foreign_note(reader, FOREIGN_CAPPED, winner);
    } else if (result->winner != winner || result->points != points) {
        return foreign_fail(reader, BG_E_MISMATCH,
                            "%s wins %" PRId64 " in the file, but %s wins %" PRId64 " by the rules",
                            name_of(reader, winner), points,
                            result->winner < 0 ? "neither" : name_of(reader, result->winner),
                            result->points);
    }
    return keep_game(reader);
}

enum bg_status foreign_game_end(struct foreign_reader *reader)
{
    if (!reader->in_game) {
        return BG_OK;
    }
    if (reader->match.result.end != BG_END_NONE) {
        return keep_game(reader);
    }
    foreign_note(reader, FOREIGN_UNFINISHED, -1);
    reader->in_game = false;
    return BG_OK;
}
