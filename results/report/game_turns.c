/* One pass over the steps fills both tables: every step has a row with its position, for the
 * script and for programs, and every turn of a side has one line for people, a roll and its play
 * together. What is said of a turn are the same numbers that its steps have. */
#include "game_turns.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numbers/met.h"
#include "record/rules_words.h"
#include "record/thought_words.h"
#include "tables/replay.h"

#define MINUS "\u2212"

enum {
    STEP,
    TURN,
    BOT,
    WORDS,
    SECONDS,
    LUCK,
    ERROR,
    LOSS,
    MARK,
    BEST,
    XGID,
    LUCK_0,
    LUCK_1,
    AHEAD,
    LEFT_0,
    LEFT_1,
    NEXT,
    POSITION,
    MATCH,
    POS,
    WIN,
    WIN_GAMMON,
    WIN_BACKGAMMON,
    LOSE_GAMMON,
    LOSE_BACKGAMMON,
    EQUITY,
    EQUITY_UNIT,
    PLIES,
    CANDIDATES,
    SAYS,
    COLUMNS
};

#define STEP_COLUMNS(unit_)                                                                        \
    [STEP] = {"step", "Step"}, [TURN] = {"turn", "Turn"}, [BOT] = {"bot", "Bot", .bot = true},     \
    [WORDS] = {"did", "What happened"},                                                            \
    [SECONDS] = {"seconds", "Time", .unit = "s", .decimals = 3},                                   \
    [LUCK] = {"luck", "Luck", .unit = (unit_), .decimals = 4, .sign = true},                       \
    [ERROR] = {"error", "Error", .unit = "EMG", .decimals = 4, .quiet = true},                     \
    [LOSS] = {"loss", "Loss", .unit = (unit_), .decimals = 4, .quiet = true},                      \
    [MARK] = {"mark", "Mark", .use = DOC_ROW}, [BEST] = {"best", "Best", .code = true},            \
    [XGID] = {"xgid", "Position before", .code = true},                                            \
    [LUCK_0] = {"luck_seat0", "Luck so far", .decimals = 4, .use = DOC_DATA},                      \
    [LUCK_1] = {"luck_seat1", "Luck so far", .decimals = 4, .use = DOC_DATA},                      \
    [AHEAD] = {"ahead_seat0", "Ahead", .decimals = 4, .use = DOC_DATA},                            \
    [LEFT_0] = {"left_s_seat0", "Clock", .decimals = 1, .use = DOC_ROW},                           \
    [LEFT_1] = {"left_s_seat1", "Clock", .decimals = 1, .use = DOC_ROW},                           \
    [NEXT] = {"next_seat", "Next", .use = DOC_ROW},                                                \
    [POSITION] = {"position_id", "Position ID before", .use = DOC_ROW},                            \
    [MATCH] = {"match_id", "Match ID before", .use = DOC_ROW},                                     \
    [POS] = {"pos", "Position after", .use = DOC_ROW}, /* and what the bot that acted thought: */  \
        [WIN] = {"win", "Its chance to win", "%", .chance = true, .decimals = 1},                  \
    [WIN_GAMMON] = {"win_gammon", "To win a gammon", "%", .chance = true, .decimals = 1},          \
    [WIN_BACKGAMMON] = {"win_backgammon", "", .use = DOC_DATA},                                    \
    [LOSE_GAMMON] = {"lose_gammon", "To lose a gammon", "%", .chance = true, .decimals = 1},       \
    [LOSE_BACKGAMMON] = {"lose_backgammon", "", .use = DOC_DATA},                                  \
    [EQUITY] = {"equity", "Its equity", .sign = true, .decimals = 3},                              \
    [EQUITY_UNIT] = {"equity_unit", "", .use = DOC_DATA}, [PLIES] = {"look_ahead", "Plies"},       \
    [CANDIDATES] = {"candidates", "What it compared"}, [SAYS] = {"says", "What it says"}

static const struct doc_column money_columns[COLUMNS] = {STEP_COLUMNS("points")};
static const struct doc_column match_columns[COLUMNS] = {STEP_COLUMNS("MWC (0 to 1)")};

enum {
    LIST_TURN,
    LIST_BOT,
    LIST_DID,
    LIST_LUCK,
    LIST_VERDICT,
    LIST_SEAT,
    LIST_STEP,
    LIST_MARK,
    LIST_KIND,
    LIST_COLUMNS
};

static const struct doc_column list_columns[LIST_COLUMNS] = {
    [LIST_TURN] = {"turn", "Turn"},
    [LIST_BOT] = {"bot", "Bot", .bot = true},
    [LIST_DID] = {"did", "Roll and play"},
    [LIST_LUCK] = {"luck", "Luck", .use = DOC_SHOWN},
    [LIST_VERDICT] = {"verdict", "Verdict"},
    [LIST_SEAT] = {"seat", "Seat", .use = DOC_ROW},
    [LIST_STEP] = {"step", "Step", .use = DOC_ROW},
    [LIST_MARK] = {"mark", "Mark", .use = DOC_ROW},
    [LIST_KIND] = {"kind", "Kind", .use = DOC_ROW},
};

enum { FAULT_TITLE, FAULT_PLAYED, FAULT_BEST, FAULT_LOSS, FAULT_STEP, FAULT_XGID, FAULT_COLUMNS };

static const struct doc_column fault_columns[FAULT_COLUMNS] = {
    [FAULT_TITLE] = {"title", "Position", .use = DOC_SHOWN},
    [FAULT_PLAYED] = {"played", "Played", .code = true},
    [FAULT_BEST] = {"best", "Best", .code = true},
    [FAULT_LOSS] = {"verdict", "Loss"},
    [FAULT_STEP] = {"step", "Step"},
    [FAULT_XGID] = {"xgid", "XGID", .code = true},
};

/* ------------------------------------------------------------------ words */

void game_clock_write(char out[32], int64_t left_ns)
{
    const int64_t all = (left_ns < 0 ? 0 : left_ns) / 1000000000;

    if (all >= 3600) {
        snprintf(out, 32, "%" PRId64 ":%02d:%02d", all / 3600, (int)(all / 60 % 60),
                 (int)(all % 60));
    } else {
        snprintf(out, 32, "%d:%02d", (int)(all / 60), (int)(all % 60));
    }
}

/* "+0.31" in points, "+1.2 %" in match-winning chance. */
static const char *signed_words(struct game_turns *turns, double value, int decimals)
{
    const double shown = turns->money ? value : 100 * value;

    return doc_format(turns->doc, "%s%.*f%s", shown < 0 ? MINUS : "+",
                      turns->money ? decimals : decimals - 1, fabs(shown),
                      turns->money ? "" : " %");
}

/* "blunder: −123, −1.2 %", in thousandths of a point, and what it costs in this match or with this
 * cube. */
static const char *loss_words(struct game_turns *turns, const struct judged_choice *choice,
                              const char *unit)
{
    const enum errors_mark mark = errors_mark_of(choice->error);
    const char *word = errors_mark_word(mark);
    const char *number = doc_format(turns->doc, "%s%s" MINUS "%.0f%s", word, mark > 0 ? " " : "",
                                    1000 * choice->error, unit);

    if (turns->money && fabs(choice->loss - choice->error) < 5e-4) {
        return number;
    }
    return doc_format(turns->doc, "%s (%s%s)", number, signed_words(turns, -choice->loss, 3),
                      turns->money ? " points" : "");
}

static bool is_roll(const struct bg_step *step)
{
    return step->kind == BG_STEP_ROLL || step->kind == BG_STEP_OPEN;
}

/* A choice worth a word; NULL: none. */
static const char *verdict_words(struct game_turns *turns, const struct judged_choice *choice,
                                 const struct bg_step *step)
{
    const char *loss;

    if (choice == NULL || choice->error < 5e-3) { /* smaller ones are the judge's noise */
        return NULL;
    }
    loss = loss_words(turns, choice, "");
    if (errors_mark_of(choice->error) == ERRORS_NONE || choice->best[0] == '\0') {
        return loss;
    }
    return doc_format(turns->doc, "%s%s; best: %s", is_roll(step) ? "no double: " : "", loss,
                      choice->best);
}

/* What a side did, without its name. */
static const char *deed_words(struct game_turns *turns, const struct replay_step *told)
{
    static const char *const words[BG_STEP_COUNT] = {
        [BG_STEP_TAKE] = "takes",      [BG_STEP_PASS] = "passes",
        [BG_STEP_ACCEPT] = "accepts",  [BG_STEP_REFUSE] = "refuses",
        [BG_STEP_KEEP] = "keeps them", [BG_STEP_REROLL] = "rolls again"};
    const int seat = told->step->seat;
    const char *name = seat == 0 || seat == 1 ? told->name[seat] : "";
    const char *deed = told->words + strlen(name);

    if (words[told->step->kind] != NULL) {
        return words[told->step->kind];
    }
    deed += strncmp(deed, " plays ", 7) == 0 ? 7 : strspn(deed, ": ");
    return doc_copy(turns->doc, deed);
}

static const char *roll_words(struct game_turns *turns, const struct pos *pos)
{
    char text[8] = "";

    for (int i = 0; i < pos->dice && i < (pos->die[0] == pos->die[1] ? 2 : 3); i++) {
        snprintf(text + i, sizeof text - (size_t)i, "%d", pos->die[i]);
    }
    return doc_copy(turns->doc, text);
}

/* ------------------------------------------------------------------ one line a turn */

static const char *joined(struct game_turns *turns, const char *first, const char *second)
{
    return first == NULL    ? second
           : second == NULL ? first
                            : doc_format(turns->doc, "%s. %s", first, second);
}

/* Adds the line of a step, with the roll that waits for it. */
static void add_turn(struct game_turns *turns, const struct replay_step *told, const char *did,
                     const char *verdict, double error)
{
    struct doc_table *table = turns->turns;
    const enum bg_step_kind kind = told->step->kind;
    const int seat = told->step->seat < 0 ? turns->pos.mover : told->step->seat;
    const enum errors_mark mark = errors_mark_of(error);

    doc_row(table);
    doc_number(table, LIST_TURN, told->turn);
    doc_text(table, LIST_BOT, told->name[seat]);
    doc_say(table, LIST_DID, "%s%s%s", turns->roll == NULL ? "" : turns->roll,
            turns->roll == NULL || did[0] == '\0' ? "" : ": ", did);
    if (turns->roll != NULL && isfinite(turns->roll_luck)) {
        doc_text(table, LIST_LUCK, signed_words(turns, turns->roll_luck, 2));
    }
    doc_text(table, LIST_VERDICT, joined(turns, turns->roll_verdict, verdict));
    doc_number(table, LIST_SEAT, seat);
    doc_number(table, LIST_STEP, turns->steps->rows);
    if (kind == BG_STEP_FAULT || mark != ERRORS_NONE) {
        doc_text(table, LIST_MARK, kind == BG_STEP_FAULT ? "fault" : errors_mark_word(mark));
    }
    if (kind == BG_STEP_DOUBLE || kind == BG_STEP_TAKE || kind == BG_STEP_PASS ||
        kind == BG_STEP_RAISE) {
        doc_text(table, LIST_KIND, "cube");
    }
    turns->roll = turns->roll_verdict = NULL;
}

static void tell_turn(struct game_turns *turns, const struct replay_step *told,
                      const struct judged_choice *choice, double luck)
{
    const char *verdict = verdict_words(turns, choice, told->step);
    const double error = choice == NULL ? 0 : choice->error;

    if (!is_roll(told->step)) {
        add_turn(turns, told, deed_words(turns, told), verdict, error);
        return;
    }
    turns->roll = roll_words(turns, &turns->pos);
    turns->roll_luck = luck;
    turns->roll_verdict = verdict;
    if (told->after->need.kind != BG_NEED_PLAY) {
        if (told->step->kind == BG_STEP_ROLL || choice != NULL) {
            add_turn(turns, told, "cannot move", NULL, error);
        }
        turns->roll = turns->roll_verdict = NULL;
    } else if (errors_mark_of(error) != ERRORS_NONE) {
        add_turn(turns, told, "", NULL, error); /* two verdicts, two lines */
    }
}

/* ------------------------------------------------------------------ every step */

static const struct judged_choice *choice_at(struct game_turns *turns, int step)
{
    const struct judgement *judged = turns->source->judgement;

    while (judged != NULL && turns->choices < judged->choices &&
           judged->choice[turns->choices].step < step) {
        turns->choices++;
    }
    return judged != NULL && turns->choices < judged->choices &&
                   judged->choice[turns->choices].step == step
               ? &judged->choice[turns->choices]
               : NULL;
}

/* The luck of the step's roll, added to its side; NaN: it has none. */
static double luck_at(struct game_turns *turns, int step)
{
    const struct judgement *judged = turns->source->judgement;

    while (judged != NULL && turns->rolls < judged->rolls &&
           judged->roll[turns->rolls].step < step) {
        turns->rolls++;
    }
    if (judged == NULL || turns->rolls >= judged->rolls ||
        judged->roll[turns->rolls].step != step) {
        return NAN;
    }
    turns->side[game_id_seat_of(turns->leg, judged->roll[turns->rolls].bot)].luck +=
        judged->roll[turns->rolls].luck;
    return judged->roll[turns->rolls].luck;
}

static void count_choice(struct game_turns *turns, const struct judged_choice *choice)
{
    struct game_side *side = &turns->side[game_id_seat_of(turns->leg, choice->bot)];

    side->loss += choice->loss;
    side->blunders += errors_mark_of(choice->error) == ERRORS_BLUNDER;
    errors_count(&side->errors, choice->kind == JUDGED_PLAY, choice->counted, choice->error);
}

/* As the referee charged it (referee/table): a turn on the clock goes on until the turn passes. */
static void charge(struct game_turns *turns, const struct replay_step *told)
{
    const int seat = told->step->seat;

    if (!turns->has_clock || told->spent_ns < 0 || seat < 0) {
        return;
    }
    if (turns->on_clock != seat) {
        clock_turn(&turns->clock[seat]);
        turns->on_clock = seat;
    }
    (void)clock_charge(&turns->clock[seat], told->spent_ns, 0, false);
    if (told->after->turn != told->before->turn) {
        (void)clock_charge(&turns->clock[seat], 0, 0, true);
        turns->on_clock = -1;
    }
}

static bool write_xgid(char out[BG_XGID], const struct doc_board *board)
{
    return board->has_id && rules_have_xgid(board->pos.variant) &&
           bg_xgid_write(out, &board->pos.board, &board->id, NULL) == BG_OK;
}

/* Adds what other programs call the position before the step. */
static void add_ids(struct doc_table *table, const struct doc_board *before, int on_roll)
{
    char xgid[BG_XGID], position[BG_POSITION_ID], match[BG_MATCH_ID];

    if (!write_xgid(xgid, before)) {
        return;
    }
    doc_text(table, XGID, xgid);
    bg_position_id_write(position, &before->pos.board, on_roll == 1);
    doc_text(table, POSITION, position);
    if (bg_match_id_write(match, &before->id, NULL) == BG_OK) {
        doc_text(table, MATCH, match);
    }
}

static void add_judged(struct game_turns *turns, const struct judged_choice *choice, double luck)
{
    struct doc_table *table = turns->steps;
    const struct game_side *side = turns->side;

    doc_number(table, LUCK, luck);
    if (choice != NULL) {
        const enum errors_mark mark = errors_mark_of(choice->error);

        doc_number(table, ERROR, choice->error);
        doc_number(table, LOSS, choice->loss);
        doc_text(table, BEST, choice->error > 0 ? choice->best : "");
        if (mark != ERRORS_NONE) {
            doc_text(table, MARK, errors_mark_word(mark));
        }
    }
    if (turns->source->judgement != NULL) {
        doc_number(table, LUCK_0, side[0].luck);
        doc_number(table, LUCK_1, side[1].luck);
        doc_number(table, AHEAD,
                   turns->before + side[0].luck - side[0].loss - side[1].luck + side[1].loss);
    }
}

/* Keeps the largest blunders, with their positions before the choice. */
static void keep_fault(struct game_turns *turns, const struct doc_board *before,
                       const struct judged_choice *choice, const char *played)
{
    int at = turns->faults;

    if (errors_mark_of(choice->error) != ERRORS_BLUNDER) {
        return;
    }
    while (at > 0 && turns->fault[at - 1].error < choice->error) {
        at--;
    }
    if (at == GAME_BLUNDERS) {
        return;
    }
    turns->faults += turns->faults < GAME_BLUNDERS;
    memmove(&turns->fault[at + 1], &turns->fault[at],
            (size_t)(turns->faults - 1 - at) * sizeof *turns->fault);
    turns->fault[at] = (struct game_fault){*before, choice->error, turns->steps->rows - 1, played};
}

static void add_thought(struct doc_table *table, const struct bg_thought *thought)
{
    const struct bg_chances *chances = &thought->chances;
    char candidates[THOUGHT_WORDS];

    if (thought->has_chances) {
        doc_number(table, WIN, 100.0 * chances->win);
        doc_number(table, WIN_GAMMON, 100.0 * chances->win_gammon);
        doc_number(table, WIN_BACKGAMMON, 100.0 * chances->win_backgammon);
        doc_number(table, LOSE_GAMMON, 100.0 * chances->lose_gammon);
        doc_number(table, LOSE_BACKGAMMON, 100.0 * chances->lose_backgammon);
    }
    if (thought->has_equity) {
        doc_number(table, EQUITY, chances->equity);
        doc_text(table, EQUITY_UNIT, thought->unit == BG_EQUITY_MATCH ? "match" : "points");
    }
    if (thought->plies > 0) {
        doc_number(table, PLIES, thought->plies);
    }
    if (thought->candidate_count > 0) {
        thought_candidates_write(candidates, thought);
        doc_text(table, CANDIDATES, candidates);
    }
    if (thought->text[0] != '\0') {
        doc_text(table, SAYS, thought->text);
    }
}

static void add_step(void *user, const struct replay_step *told)
{
    struct game_turns *turns = user;
    struct doc_table *table = turns->steps;
    const int seat = told->step->seat, index = table->rows;
    const struct judged_choice *choice = choice_at(turns, index);
    const double luck = luck_at(turns, index);
    struct doc_board before = doc_board_of(told->before, seat == 1);
    char pos[POS_TEXT];

    before.pos = index == 0 ? before.pos : turns->pos;
    turns->pos = before.pos;
    pos_step(&turns->pos, told->before, told->step, told->after);
    pos_write(pos, &turns->pos);
    if (choice != NULL) {
        count_choice(turns, choice);
    }
    charge(turns, told);
    doc_row(table);
    doc_number(table, STEP, index + 1);
    doc_number(table, TURN, told->turn);
    doc_text(table, BOT, seat == 0 || seat == 1 ? told->name[seat] : "");
    doc_text(table, WORDS, told->words);
    doc_number(table, SECONDS, told->spent_ns < 0 ? NAN : (double)told->spent_ns / 1e9);
    add_ids(table, &before, told->before->on_roll);
    add_judged(turns, choice, luck);
    if (turns->has_clock) {
        doc_number(table, LEFT_0, (double)turns->clock[0].left_ns / 1e9);
        doc_number(table, LEFT_1, (double)turns->clock[1].left_ns / 1e9);
    }
    if (told->after->need.seat >= 0) {
        doc_number(table, NEXT, told->after->need.seat);
    }
    doc_text(table, POS, pos);
    if (told->thought != NULL) {
        add_thought(table, told->thought);
    }
    tell_turn(turns, told, choice, luck);
    if (choice != NULL) {
        keep_fault(turns, &before, choice, is_roll(told->step) ? "roll" : deed_words(turns, told));
    }
}

/* ------------------------------------------------------------------ sections */

/* What the title of a clock says, and what is left at the beginning. */
static void begin_clocks(struct game_turns *turns, int length)
{
    const char *text = record_view_value(turns->source->view, "clock");
    const char *left = record_view_value(turns->source->view, "left");
    const char *other = text == NULL ? NULL : strstr(text, " / ");
    int64_t left_ns[2];

    turns->on_clock = -1;
    for (int seat = 0; text != NULL && seat < 2; seat++) {
        struct clock_control control;
        char words[128];

        snprintf(words, sizeof words, "%.*s",
                 seat == 0 && other != NULL ? (int)(other - text) : (int)strlen(text),
                 seat == 1 && other != NULL ? other + 3 : text);
        if (clock_control_read(&control, words, NULL) == BG_OK && clock_has_bank(&control)) {
            clock_begin(&turns->clock[seat], &control, length);
            turns->has_clock = true;
        }
    }
    if (turns->has_clock && left != NULL &&
        sscanf(left, "%" SCNd64 ",%" SCNd64, &left_ns[0], &left_ns[1]) == 2) {
        clock_resume(&turns->clock[0], left_ns[0]);
        clock_resume(&turns->clock[1], left_ns[1]);
    }
}

/* Seat 0's chance before the game, with equal sides; 0.5 where the score is out of the table. */
static double chance_before(const struct bg_match *start)
{
    const int length = start->rules.length_points;
    const int64_t away[2] = {length - start->score[0], length - start->score[1]};
    struct met met = {.away = 0};
    double chance = 0.5;

    if (length <= 25 && away[0] > 0 && away[1] > 0 && met_model(&met, length, NULL) == BG_OK) {
        chance = met_chance(&met, (int)away[0], (int)away[1],
                            start->crawford_done ? MET_POST : MET_NORMAL);
    }
    met_deinit(&met);
    return chance - 0.5;
}

/* Called first for the table's place, then for its rows. */
static void add_sides(struct game_turns *turns)
{
    enum { SIDE_BOT, SIDE_LUCK, SIDE_LOSS, SIDE_RATE, SIDE_PR, SIDE_BLUNDERS, SIDE_COLUMNS };
#define SIDES(unit_)                                                                               \
    {                                                                                              \
        [SIDE_BOT] = {"bot", "Bot", .bot = true},                                                  \
        [SIDE_LUCK] = {"luck", "Luck", (unit_), .decimals = 3, .sign = true},                      \
        [SIDE_LOSS] = {"loss", "Errors", (unit_), .decimals = 3},                                  \
        [SIDE_RATE] = {"er_milli", "Error rate", "mEMG/decision", .decimals = 1},                  \
        [SIDE_PR] = {"pr", "PR", .decimals = 1}, [SIDE_BLUNDERS] = {                               \
            "blunders",                                                                            \
            .title = "Blunders"                                                                    \
        }                                                                                          \
    }
    static const struct doc_column sides[2][SIDE_COLUMNS] = {SIDES("MWC (0 to 1)"),
                                                             SIDES("points")};
    struct doc_table *table = turns->sides;

    if (table == NULL) {
        turns->sides = doc_table(turns->doc, "sides", "Luck and errors of both sides",
                                 sides[turns->money], SIDE_COLUMNS);
        return;
    }
    for (int seat = 0; seat < 2; seat++) {
        const struct game_side *side = &turns->side[seat];
        const struct errors_rates rates =
            errors_rates_of(&side->errors, &turns->side[1 - seat].errors);

        doc_row(table);
        doc_text(table, SIDE_BOT,
                 record_view_value(turns->source->view, seat == 0 ? "seat0" : "seat1"));
        doc_number(table, SIDE_LUCK, side->luck);
        if (turns->source->judgement->has_choices) {
            doc_number(table, SIDE_LOSS, side->loss);
            doc_number(table, SIDE_RATE, rates.milli);
            doc_number(table, SIDE_PR, rates.pr);
            doc_number(table, SIDE_BLUNDERS, side->blunders);
        }
    }
}

static void add_luck(struct game_turns *turns, const char *const name[2])
{
    struct doc *doc = turns->doc;
    const char *unit = turns->money ? "points" : "match-winning chance";

    doc_section(doc, "luck", "Luck and equity");
    add_sides(turns);
    turns->plot = doc_plot(doc, DOC_PLOT_LINES, NULL,
                           turns->money ? "Luck so far, and who is ahead"
                                        : "Luck so far, and who is ahead in the match");
    turns->plot->axis[0] = "step";
    turns->plot->axis[1] = unit;
    turns->plot->zero = 0;
    turns->plot->label = STEP;
    turns->plot->series_count = 3;
    turns->plot->series[0] =
        (struct doc_series){.name = doc_format(doc, "luck of %s", name[0]), .value = LUCK_0};
    turns->plot->series[1] =
        (struct doc_series){.name = doc_format(doc, "luck of %s", name[1]), .value = LUCK_1};
    turns->plot->series[2] =
        (struct doc_series){.name = doc_format(doc, "lead of %s", name[0]), .value = AHEAD};
    doc_note(doc,
             "By %s. Luck of a roll: the value of its best play minus the position's value before "
             "the roll, in %s. Lead: what the side can expect, by luck and errors so far%s. The "
             "numbers of every step are in the last table.",
             turns->source->judgement->judge, unit, turns->money ? "" : "; 0 is an even chance");
}

static bool has_blunder(const struct judgement *judged)
{
    for (size_t i = 0; judged != NULL && i < judged->choices; i++) {
        if (errors_mark_of(judged->choice[i].error) == ERRORS_BLUNDER) {
            return true;
        }
    }
    return false;
}

static int by_row(const void *a, const void *b)
{
    return ((const struct game_fault *)a)->row - ((const struct game_fault *)b)->row;
}

/* Adds the positions, in the order of the game. */
static void add_faults(struct game_turns *turns, struct doc_boards *boards)
{
    const struct doc_table *steps = turns->steps;

    qsort(turns->fault, (size_t)turns->faults, sizeof *turns->fault, by_row);
    for (int i = 0; i < turns->faults; i++) {
        const struct game_fault *fault = &turns->fault[i];
        const struct judged_choice *choice = turns->source->judgement->choice;
        char xgid[BG_XGID];

        while (choice->step != fault->row) {
            choice++;
        }
        doc_row(turns->blunders);
        doc_say(turns->blunders, FAULT_TITLE, "turn %.0f: %s %s%s",
                doc_at(steps, fault->row, TURN)->number, doc_at(steps, fault->row, BOT)->text,
                choice->kind == JUDGED_PLAY     ? "plays "
                : choice->kind == JUDGED_DOUBLE ? "may double"
                                                : "is doubled",
                choice->kind == JUDGED_PLAY ? roll_words(turns, &fault->board.pos) : "");
        doc_text(turns->blunders, FAULT_PLAYED, fault->played);
        doc_text(turns->blunders, FAULT_BEST, choice->best);
        doc_text(turns->blunders, FAULT_LOSS, loss_words(turns, choice, " millipoints"));
        doc_number(turns->blunders, FAULT_STEP, fault->row + 1);
        if (write_xgid(xgid, &fault->board)) {
            doc_text(turns->blunders, FAULT_XGID, xgid);
        }
        doc_board(boards, &fault->board);
    }
}

enum bg_status game_turns_add(struct game_turns *turns, struct bg_match *end, struct bg_error *err)
{
    const struct record_view *view = turns->source->view;
    const char *const name[2] = {record_view_value(view, "seat0"),
                                 record_view_value(view, "seat1")};
    struct doc_boards *boards = NULL;
    struct bg_match start;
    enum bg_status status = record_view_start(&start, view, err);

    if (status != BG_OK) {
        return status;
    }
    turns->money = start.rules.length_points == 0;
    turns->before = turns->money ? 0 : chance_before(&start);
    begin_clocks(turns, start.rules.length_points);
    doc_section(turns->doc, "turns", "Turns");
    turns->turns = doc_table(turns->doc, "list",
                             doc_format(turns->doc,
                                        "Turn by turn: %s has the bright checkers, "
                                        "%s the dark ones",
                                        name[0], name[1]),
                             list_columns, LIST_COLUMNS);
    if (turns->source->judgement != NULL) {
        doc_note(turns->doc,
                 "Verdicts by %s: what a choice loses against the best one, in thousandths of a "
                 "point (cube at 1)%s; doubtful from 20 on, error from 40, blunder from 80.",
                 turns->source->judgement->judge,
                 turns->money ? "" : ", and in match-winning chance");
        add_luck(turns, name);
    }
    if (has_blunder(turns->source->judgement)) {
        doc_section(turns->doc, "blunders", "Blunders");
        turns->blunders =
            doc_table(turns->doc, "blunders", "The largest blunders", fault_columns, FAULT_COLUMNS);
        turns->blunders->data = true;
        boards = doc_boards(turns->doc, turns->blunders,
                            "The side that chose is at the bottom and moves to the lower right.");
        boards->title = FAULT_TITLE;
    }
    doc_section(turns->doc, "steps", "Every step");
    turns->steps = doc_table(turns->doc, "turns", "What happened, step by step",
                             turns->money ? money_columns : match_columns, COLUMNS);
    turns->steps->head = STEP;
    status = replay_each(end, view, add_step, turns, err);
    if (turns->plot != NULL) {
        turns->plot->table = turns->steps;
    }
    if (boards != NULL) {
        add_faults(turns, boards);
    }
    if (turns->source->judgement != NULL) {
        add_sides(turns);
    }
    return status;
}

/* ------------------------------------------------------------------ steps as short texts */

struct game_writing {
    struct game_turns *turns;
    FILE *out;
    int turn;           /* of the step before; 0 at first */
    char pos[POS_TEXT]; /* before the step; "" at first */
};

/* Names may have quotes; nothing else that JSON escapes is in these words. */
static void write_words(FILE *out, const char *words)
{
    for (size_t size = strcspn(words, "\"\\"); words[size] != '\0'; size = strcspn(words, "\"\\")) {
        fprintf(out, "%.*s\\%c", (int)size, words, words[size]);
        words += size + 1;
    }
    fputs(words, out);
}

static void write_short(void *user, const struct replay_step *told)
{
    static const char *const verbs[] = {" plays ", " rolls "};
    struct game_writing *writing = user;
    struct game_turns *turns = writing->turns;
    FILE *out = writing->out;
    const int seat = told->step->seat;
    const char *words = told->words, *name = seat == 0 || seat == 1 ? told->name[seat] : "";
    char pos[POS_TEXT], changes[POS_TEXT], form = '=';

    if (writing->turn == 0) {
        pos_of(&turns->pos, told->before);
    }
    pos_step(&turns->pos, told->before, told->step, told->after);
    pos_write(pos, &turns->pos);
    pos_changes_write(changes, pos, writing->pos);
    charge(turns, told);
    if (name[0] != '\0' && strncmp(words, name, strlen(name)) == 0) {
        words += strlen(name);
        form = '+';
    }
    for (int i = 0; i < 2 && form == '+'; i++) {
        if (strncmp(words, verbs[i], strlen(verbs[i])) == 0) {
            words += strlen(verbs[i]);
            form = verbs[i][1];
        }
    }
    fputs(writing->turn == 0 ? "\"" : ",\"", out);
    fputc("-01"[seat + 1], out);
    fputc("-01"[told->after->need.seat + 1], out);
    fputc(told->turn == writing->turn ? '=' : '+', out);
    fputc(form, out);
    fputs(changes, out);
    fputc(' ', out);
    if (told->spent_ns >= 0) {
        fprintf(out, "%" PRId64, (told->spent_ns + 500000) / 1000000);
    }
    if (turns->has_clock) {
        fprintf(out, ",%.1f,%.1f", (double)turns->clock[0].left_ns / 1e9,
                (double)turns->clock[1].left_ns / 1e9);
    }
    fputc(' ', out);
    write_words(out, words);
    fputc('"', out);
    writing->turn = told->turn;
    memcpy(writing->pos, pos, sizeof pos);
}

enum bg_status game_turns_write(struct game_turns *turns, FILE *out, struct bg_match *end,
                                struct bg_error *err)
{
    const struct record_view *view = turns->source->view;
    struct game_writing writing = {.turns = turns, .out = out};
    enum bg_status status = record_view_start(end, view, err);

    if (status == BG_OK) {
        turns->money = end->rules.length_points == 0;
        begin_clocks(turns, end->rules.length_points);
        fputc('[', out);
        status = replay_each(end, view, write_short, &writing, err);
        fputc(']', out);
    }
    return status;
}
