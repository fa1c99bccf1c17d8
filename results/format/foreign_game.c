/* Every step of a foreign file goes through the match machine, and what it makes is stored as a
 * record like our own: tables, judges and verify need no second kind of game. Where files are
 * sloppy in known ways (a forced play left out, points capped), the reading is noted and not
 * hidden. */
#include "foreign_game.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include <base/memory.h>

#include "foreign_names.h"
#include "record/game_id.h"

/* Limits, because a damaged file may name anything, and what it names is held in memory. */
enum { GAMES_MAX = 100000, MATCHES_MAX = 10000, STEPS_MAX = 16384 };

void foreign_reader_deinit(struct foreign_reader *reader)
{
    free(reader->step);
}

/* ---- the play that moves mean ---- */

enum { MOVES_ROOM = 256 };

/* Moves as written. */
struct foreign_moves {
    struct bg_play play;
    int hits;      /* marked hits */
    bool capitals; /* "Bar/23", "6/Off" */
};

/* Reads "24/18* 13/8", "Bar/20(2)", "6/Off", separated by blanks or commas. */
static enum bg_status foreign_moves_read(struct foreign_moves *out, const char *text,
                                         struct bg_error *err)
{
    char plain[MOVES_ROOM];
    size_t length = strlen(text);

    *out = (struct foreign_moves){0};
    if (length >= sizeof plain) {
        return bg_error_set(err, BG_E_FORMAT, "moves of %zu bytes", length);
    }
    /* Up to the final zero, which is copied with the rest. */
    for (size_t i = 0; i <= length; i++) {
        unsigned char c = (unsigned char)text[i];

        out->capitals = out->capitals || isupper(c);
        out->hits += c == '*';
        plain[i] = c == ',' || c == '\t' ? ' ' : c == '-' ? '/' : (char)tolower(c);
    }
    return bg_play_read(&out->play, plain, err);
}

/* Computes the seat's own checkers after the moves, hits ignored. Returns false if a moved checker
 * is not there. */
static bool make_own(uint8_t own[BG_SLOTS], const struct bg_board *board, int seat,
                     const struct bg_play *play)
{
    int left[BG_SLOTS];

    for (int i = 0; i < BG_SLOTS; i++) {
        left[i] = board->at[seat][i];
    }
    for (int i = 0; i < play->moves; i++) {
        left[play->move[i].from]--;
        left[play->move[i].to]++;
    }
    for (int i = 0; i < BG_SLOTS; i++) {
        if (left[i] < 0) {
            return false;
        }
        own[i] = (uint8_t)left[i];
    }
    return true;
}

/* Whether the moves are steps of one checker whose last one bears it off. */
static bool is_borne_off_by_steps(const struct bg_play *play)
{
    for (int i = 0; i < play->moves; i++) {
        for (int j = 0; j < play->moves; j++) {
            if (i != j && play->move[i].to == BG_OFF && play->move[j].to == play->move[i].from) {
                return true;
            }
        }
    }
    return false;
}

/* Finds the only legal play that leaves the seat's checkers where the moves do, with this number of
 * hits; hits -1: any number. */
static bool find_only(struct bg_play *out, const struct bg_match *match,
                      const struct bg_play *written, int hits)
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = match->rules.variant;
    int seat = match->need.seat, found = 0;
    uint8_t own[BG_SLOTS];

    if (!make_own(own, &match->board, seat, written)) {
        return false;
    }
    bg_play_list(&plays, variant, &match->board, seat, &match->stage);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board result;

        bg_play_make(&result, variant, &match->board, seat, &plays.play[i]);
        if (memcmp(result.at[seat], own, sizeof own) == 0 &&
            (hits < 0 || result.at[1 - seat][BG_BAR] - match->board.at[1 - seat][BG_BAR] == hits)) {
            *out = plays.play[i];
            found++;
        }
    }
    return found == 1;
}

/* How a play was found. */
enum foreign_reading {
    FOREIGN_AS_WRITTEN,
    FOREIGN_BY_HITS,    /* several readings: the only one with the marked number of hits */
    FOREIGN_BY_POSITION /* steps of a checker that bears off: the legal play with the same final
                           position */
};

/* Finds the play that the moves mean, in a match that waits for a play. If no legal play fits, *out
 * has the moves as written, so that the rules can report the error. Pure. */
static enum foreign_reading foreign_play_find(struct bg_play *out, const struct bg_match *match,
                                              const struct foreign_moves *moves)
{
    struct bg_board result;
    struct bg_play play;
    enum bg_rule broken;

    *out = moves->play;
    if (match->need.kind != BG_NEED_PLAY) {
        return FOREIGN_AS_WRITTEN;
    }
    broken = bg_play_check(&result, match->rules.variant, &match->board, match->need.seat,
                           &match->stage, &moves->play);
    /* First by hits, because programs that write no ambiguous moves mark them; a bear-off in
     * impossible steps only by where it ends. */
    if (broken == BG_RULE_AMBIGUOUS && find_only(&play, match, &moves->play, moves->hits)) {
        *out = play;
        return FOREIGN_BY_HITS;
    }
    if (broken != BG_RULE_NONE && broken != BG_RULE_AMBIGUOUS &&
        is_borne_off_by_steps(&moves->play) && find_only(&play, match, &moves->play, -1)) {
        *out = play;
        return FOREIGN_BY_POSITION;
    }
    return FOREIGN_AS_WRITTEN;
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

const char *foreign_match_name(const struct foreign_match *match, int seat)
{
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
             seat < 0 ? "" : foreign_match_name(reader->match_out, seat), seat < 0 ? "" : ": ",
             foreign_note_text(note));
    user->noted(user->user, note, sentence);
}

/* ---- steps ---- */

/* Writes " in XGID=...", or nothing where an XGID cannot express the state. lost: the roll without
 * a legal play by which the turn has passed already, and before which the place is; NULL: none. */
static void write_place(char *out, size_t size, const struct bg_match *match,
                        const struct bg_step *lost)
{
    struct bg_match_id id;
    char xgid[BG_XGID];

    out[0] = '\0';
    if (bg_match_id_of(&id, match, NULL) != BG_OK) {
        return;
    }
    if (lost != NULL) {
        id.move = id.turn = lost->seat;
        id.dice[0] = lost->die[0];
        id.dice[1] = lost->die[1];
    }
    if (bg_xgid_write(xgid, &match->board, &id, NULL) == BG_OK) {
        snprintf(out, size, " in %s", xgid);
    }
}

/* Reports a step that breaks a rule. A play after a roll that has no legal one is the mistake of
 * that play: the rules have already given the turn to the opponent. */
static enum bg_status fail_step(struct foreign_reader *reader, const struct bg_step *step,
                                enum bg_rule broken, const char *part)
{
    const struct bg_step *last = reader->steps == 0 ? NULL : &reader->step[reader->steps - 1];
    bool lost = broken == BG_RULE_TURN && step->kind == BG_STEP_PLAY && last != NULL &&
                last->kind == BG_STEP_ROLL && last->seat == step->seat;
    char place[BG_XGID + 8];

    write_place(place, sizeof place, &reader->match, lost ? last : NULL);
    if (lost) {
        return foreign_fail(reader, BG_E_MISMATCH, "%s, '%.60s': no play is legal with this roll%s",
                            foreign_match_name(reader->match_out, step->seat), part, place);
    }
    return foreign_fail(reader, BG_E_MISMATCH, "%s, '%.60s': %s: %s%s",
                        step->seat < 0 ? "opening"
                                       : foreign_match_name(reader->match_out, step->seat),
                        part, bg_rule_number(broken), bg_rule_text(broken), place);
}

static enum bg_status make(struct foreign_reader *reader, const struct bg_step *step,
                           const char *part)
{
    enum bg_rule broken = bg_match_step(&reader->match, step);

    if (broken != BG_RULE_NONE) {
        return fail_step(reader, step, broken, part);
    }
    if (reader->steps == STEPS_MAX) {
        return foreign_fail(reader, BG_E_MEMORY, "a game of more than %d steps", reader->steps);
    }
    reader->step =
        memory_list(reader->step, &reader->room, (size_t)reader->steps + 1, sizeof *reader->step);
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
    struct foreign_match *match;

    foreign_match_end(reader);
    if (out->matches == MATCHES_MAX) {
        return foreign_fail(reader, BG_E_MEMORY, "%d matches", out->matches);
    }
    out->match = memory_list(out->match, &out->room, (size_t)out->matches + 1, sizeof *match);
    match = &out->match[out->matches];
    *match = (struct foreign_match){.length_points = reader->rules.length_points};
    for (int seat = 0; seat < 2; seat++) {
        memcpy(match->display[seat], display[seat], FOREIGN_NAME);
        foreign_bot_name(match->name[seat], display[seat]);
    }
    foreign_part_names(match->name[0], match->name[1]);
    reader->match_out = match;
    reader->crawford_seen = false;
    for (int seat = 0; seat < 2; seat++) {
        if (display[seat][0] == '\0') {
            foreign_note(reader, FOREIGN_NAMELESS, seat);
        }
    }
    if (reader->user != NULL && reader->user->placed != NULL) {
        reader->user->placed(reader->user->user, match, out);
    }
    out->matches++;
    return BG_OK;
}

void foreign_match_end(struct foreign_reader *reader)
{
    struct foreign_file *out = reader->out;

    if (reader->match_out != NULL && reader->match_out->games == 0) {
        free(reader->match_out->game);
        out->matches--;
    }
    reader->match_out = NULL;
    reader->broken = false;
}

bool foreign_is_bad(enum bg_status status)
{
    return status == BG_E_MISMATCH || status == BG_E_FORMAT;
}

void foreign_leave_out(struct foreign_reader *reader, enum bg_status status)
{
    const struct foreign_user *user = reader->user;

    reader->in_game = false;
    reader->broken = true;
    reader->out->left_out++;
    if (user != NULL && user->left_out != NULL) {
        user->left_out(user->user, status, reader->err == NULL ? "" : reader->err->text);
    }
}

/* ---- records ---- */

/* Times are unknown (-1), and "dice=file" tells verify that no key gives these rolls. */
static void write_record(struct foreign_game *game, const struct foreign_reader *reader)
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

    record_begin(&game->record, &header);
    for (int i = 0; i < reader->steps; i++) {
        record_append(&game->record, &reader->step[i], -1);
    }
    record_end(&game->record, &reader->match.result, NULL, game->hash);
}

static enum bg_status keep_game(struct foreign_reader *reader)
{
    struct foreign_match *out = reader->match_out;
    struct foreign_game *game;
    struct game_id id;
    bool swapped = strcmp(out->name[0], out->name[1]) > 0, money = out->length_points == 0;

    if (out->games == GAMES_MAX) {
        return foreign_fail(reader, BG_E_MEMORY, "%d games", out->games);
    }
    out->game = memory_list(out->game, &out->room, (size_t)out->games + 1, sizeof *game);
    game = &out->game[out->games];
    *game = (struct foreign_game){.end = reader->match};
    game->pair = out->pair + (uint64_t)(money ? out->games : 0);
    id = game_id_of_leg(out->name[swapped], out->name[!swapped], game->pair, swapped);
    id.game = reader->start.game;
    game_id_write(game->id, &id);

    write_record(game, reader);
    out->games++;
    reader->in_game = false;
    return BG_OK;
}

/* ---- beginning of a game ---- */

/* Whether exactly one player is one point away. */
static bool is_one_away(const struct foreign_reader *reader)
{
    int last = reader->rules.length_points - 1;

    return last > 0 && (reader->score[0] == last) != (reader->score[1] == last);
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
    bool one_away = reader->rules.crawford && is_one_away(reader);
    struct bg_start start = {.on_roll = -1,
                             .cube_owner = BG_CENTRED,
                             .crawford_game = one_away && !reader->crawford_seen,
                             .crawford_done = one_away && reader->crawford_seen};

    if (reader->rules.length_points > 0 && (reader->score[0] > 0 || reader->score[1] > 0)) {
        reader->from_score = true;
        foreign_note(reader, start.crawford_game ? FOREIGN_CRAWFORD : FOREIGN_MID_MATCH, -1);
    }
    bg_variant_setup(&start.board, reader->rules.variant);
    return foreign_game_begin_at(reader, &start);
}

/* Begins another match of the same players at reader->score, for games that cannot follow those
 * before. */
static enum bg_status begin_part(struct foreign_reader *reader)
{
    char display[2][FOREIGN_NAME];
    bool seen = reader->crawford_seen;
    enum bg_status status;

    memcpy(display, reader->match_out->display, sizeof display);
    status = foreign_match_begin(reader, (const char(*)[FOREIGN_NAME])display);
    reader->crawford_seen = seen;
    return status == BG_OK ? begin_from_scores(reader) : status;
}

/* Whether the score is the one that the games before make, and the match is not over. */
static bool follows(const struct foreign_reader *reader)
{
    return reader->match.score[0] == reader->score[0] && reader->match.score[1] == reader->score[1];
}

/* Begins the game after the last one of the open match. */
static enum bg_status begin_next(struct foreign_reader *reader)
{
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
    const struct foreign_match *out = reader->match_out;

    forget_steps(reader);
    reader->match = out->game[out->games - 1].end;
    if (bg_match_step(&reader->match, &next) != BG_RULE_NONE || !follows(reader)) {
        foreign_note(reader, FOREIGN_NEW_PART, -1);
        return begin_part(reader);
    }
    reader->start = reader->match;
    return BG_OK;
}

enum bg_status foreign_game_begin(struct foreign_reader *reader)
{
    const struct foreign_match *out = reader->match_out;
    enum bg_status status;

    reader->from_score = false;
    if (out->length_points == 0 || out->games == 0) {
        status = begin_from_scores(reader);
    } else if (reader->broken) {
        status = begin_part(reader);
    } else {
        status = begin_next(reader);
    }
    reader->broken = false;
    reader->crawford_seen = reader->crawford_seen || is_one_away(reader);
    return status;
}

/* Begins the game anew as one after Crawford's, with the steps made so far: a double shows that the
 * score alone was misread. */
static enum bg_status take_as_after_crawford(struct foreign_reader *reader)
{
    const struct bg_start start = {
        .board = reader->start.board,
        .on_roll = reader->start.need.kind == BG_NEED_OPENING ? -1 : reader->start.need.seat,
        .cube_owner = BG_CENTRED,
        .crawford_done = true};
    int steps = reader->steps;
    enum bg_status status = foreign_game_begin_at(reader, &start);

    for (; status == BG_OK && reader->steps < steps; reader->steps++) {
        if (bg_match_step(&reader->match, &reader->step[reader->steps]) != BG_RULE_NONE) {
            return foreign_fail(reader, BG_E_MISMATCH, "the game has no double in Crawford's game");
        }
    }
    foreign_note(reader, FOREIGN_AFTER_CRAWFORD, -1);
    return status;
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
                            foreign_match_name(reader->match_out, step.seat), part);
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
            /* The higher die of the opening belongs to who begins; the file has only the two
             * numbers. */
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
        return foreign_fail(reader, BG_E_FORMAT, "%s, '%.60s': %.150s",
                            foreign_match_name(reader->match_out, seat), part, why.text);
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

    if (status == BG_OK && reader->from_score && reader->match.crawford_game) {
        status = take_as_after_crawford(reader);
    }
    if (status == BG_OK && reader->match.need.kind == BG_NEED_OPENING) {
        status = begin_without_opening(reader, seat);
    }
    offered = INT64_C(2) << (reader->match.cube_log2 + raise);
    if (status == BG_OK && value != 0 && value != offered) {
        return foreign_fail(reader, BG_E_MISMATCH, "%s, '%.60s': the cube would come to %" PRId64,
                            foreign_match_name(reader->match_out, seat), part, offered);
    }
    return status == BG_OK
               ? foreign_simple(reader, raise ? BG_STEP_RAISE : BG_STEP_DOUBLE, seat, part)
               : status;
}

/* ---- the end ---- */

/* The level at which the loser resigns so that it costs these points: rounded up, at most 3. */
static int level_for(int64_t points, const struct bg_match *match)
{
    int64_t cube = INT64_C(1) << match->cube_log2;

    return points <= cube ? 1 : points <= 2 * cube ? 2 : 3;
}

/* Goes back to the player's last own turn before a resignation out of turn, or, if it had none, to
 * the begin of the game with that player on roll. */
static enum bg_status go_back(struct foreign_reader *reader, int seat)
{
    const struct foreign_place *back = &reader->own_turn[seat];

    if (!back->known) {
        return begin_without_opening(reader, seat);
    }
    reader->match = back->match;
    reader->steps = back->steps;
    return BG_OK;
}

/* Makes the resignation that the file's winner and points imply. For a resignation out of turn,
 * goes back to that player's last own turn; a single game given up after a double is a pass. */
static enum bg_status resign(struct foreign_reader *reader, int winner, int64_t points)
{
    struct bg_step step = {.kind = BG_STEP_RESIGN, .seat = 1 - winner};
    const struct bg_need *need = &reader->match.need;
    enum bg_status status = BG_OK;

    step.level = (uint8_t)level_for(points, &reader->match);
    if ((need->kind == BG_NEED_TAKE || need->kind == BG_NEED_RAISE) && need->seat == step.seat &&
        step.level == 1) {
        return foreign_simple(reader, BG_STEP_PASS, step.seat, "Wins");
    }
    if (need->kind == BG_NEED_OPENING) {
        foreign_note(reader, FOREIGN_BEFORE_ROLL, step.seat);
        status = begin_without_opening(reader, step.seat);
    } else if (bg_match_may_resign(&reader->match, step.seat, step.level) != BG_RULE_NONE) {
        foreign_note(reader, FOREIGN_OUT_OF_TURN, step.seat);
        status = go_back(reader, step.seat);
    }
    step.level = (uint8_t)level_for(points, &reader->match); /* the cube may be another there */
    status = status == BG_OK ? make(reader, &step, "Wins") : status;
    return status == BG_OK ? foreign_simple(reader, BG_STEP_ACCEPT, winner, "Wins") : status;
}

/* The points that the winner still needs for the match; money: more than any game has. */
static int64_t needed(const struct foreign_reader *reader, int winner)
{
    int length = reader->rules.length_points;

    return length == 0 ? INT64_MAX : length - reader->start.score[winner];
}

/* Ends a match that the loser gives up: by the cheapest resignation that costs it, or, if a
 * backgammon does not suffice, by leaving it. */
static enum bg_status give_match(struct foreign_reader *reader, int winner)
{
    const struct bg_step gone = {.kind = BG_STEP_FAULT, .seat = 1 - winner, .fault = BG_FAULT_GONE};
    int64_t points = needed(reader, winner);

    foreign_note(reader, FOREIGN_MATCH_GIVEN, 1 - winner);
    return points <= INT64_C(3) << reader->match.cube_log2 ? resign(reader, winner, points)
                                                           : make(reader, &gone, "Wins");
}

/* Some servers write no more points than the match needed. */
static bool is_capped(const struct foreign_reader *reader, int64_t points)
{
    const struct bg_result *result = &reader->match.result;

    return points < result->points && points >= needed(reader, result->winner);
}

enum bg_status foreign_wins(struct foreign_reader *reader, int winner, int64_t points,
                            bool ends_match)
{
    const struct bg_result *result = &reader->match.result;
    bool gives_match = false;
    enum bg_status status = BG_OK;

    reader->won = points;
    if (result->end == BG_END_NONE) {
        int64_t most = INT64_C(3) << reader->match.cube_log2;

        gives_match = ends_match && reader->rules.length_points > 0 &&
                      (points > most || points < needed(reader, winner));
        status = gives_match ? give_match(reader, winner) : resign(reader, winner, points);
    }
    if (status != BG_OK) {
        return status;
    }
    if (result->winner != winner) {
        foreign_note(reader, FOREIGN_WINNER, winner);
    } else if (is_capped(reader, points)) {
        foreign_note(reader, FOREIGN_CAPPED, winner);
    } else if (!gives_match && result->points != points) {
        foreign_note(reader, FOREIGN_POINTS, winner);
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
