/* The bots' errors, by checker play and cube, and the worst of them, each with its position drawn.
 * Sums are added before rates are made: a mean of rates would weigh a single cube decision like a
 * hundred plays. The table of blunders has what a program needs, the drawn boards what people look
 * at; both are made row by row, so board i belongs to row i. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "record/rules_words.h"
#include "section.h"

enum {
    NAME,
    PLAYS,
    PLAY_RATE,
    PLAY_PR,
    DOUBLES,
    DOUBLE_RATE,
    TAKES,
    TAKE_RATE,
    CUBE_PR,
    ALL,
    RATE,
    PR,
    SNOWIE,
    COLUMNS
};

static const struct doc_column columns[COLUMNS] = {
    [NAME] = {"bot", "Bot", .bot = true},
    [PLAYS] = {"plays", "Plays", .unit = "counted"},
    [PLAY_RATE] = {"play_er_milli", "Play errors", "mEMG/play", .decimals = 2},
    [PLAY_PR] = {"play_pr", "Play PR", .decimals = 2},
    [DOUBLES] = {"doubles", "Doubles", .unit = "counted"},
    [DOUBLE_RATE] = {"double_er_milli", "Double errors", "mEMG/decision", .decimals = 2},
    [TAKES] = {"takes", "Takes", .unit = "counted"},
    [TAKE_RATE] = {"take_er_milli", "Take errors", "mEMG/decision", .decimals = 2},
    [CUBE_PR] = {"cube_pr", "Cube PR", .decimals = 2},
    [ALL] = {"decisions", "Decisions", .unit = "counted"},
    [RATE] = {"er_milli", "All errors", "mEMG/decision", .decimals = 2},
    [PR] = {"pr", "PR", .decimals = 2},
    [SNOWIE] = {"snowie", "Snowie", "mEMG/play of both", .decimals = 2},
};

/* The counts are printed below the rates computed from them. */
static const struct doc_pick picks[] = {
    DOC_PICK(NAME),
    DOC_PICK(PR),
    DOC_PICK(PLAY_PR),
    DOC_PICK(CUBE_PR),
    DOC_PICK_OF(RATE, ALL, "of decisions"),
    DOC_PICK_OF(PLAY_RATE, PLAYS, "of plays"),
    DOC_PICK_OF(DOUBLE_RATE, DOUBLES, "of doubles"),
    DOC_PICK_OF(TAKE_RATE, TAKES, "of takes"),
    DOC_PICK(SNOWIE),
};

/* Adds the sums of several kinds. */
static struct errors_sum sum_of(const struct judged_bot *bot, int first, int last)
{
    struct errors_sum sum = {0};

    for (int kind = first; kind <= last; kind++) {
        sum.counted += bot->sum[kind].counted;
        sum.error += bot->sum[kind].error;
        sum.moves += bot->sum[kind].moves;
    }
    return sum;
}

static struct errors_rates rates_of(const struct judged_bot *bot, struct errors_sum sum)
{
    const struct errors_sum opponents = {.moves = bot->opponent_moves};

    return errors_rates_of(&sum, &opponents);
}

static void errors_row(struct doc_table *table, const struct report *report, int i)
{
    const struct judged_bot *bot = &report->gather->judged.bot[i];
    const struct errors_sum plays = sum_of(bot, JUDGED_PLAY, JUDGED_PLAY);
    const struct errors_sum doubles = sum_of(bot, JUDGED_DOUBLE, JUDGED_DOUBLE);
    const struct errors_sum takes = sum_of(bot, JUDGED_TAKE, JUDGED_TAKE);
    const struct errors_sum cube = sum_of(bot, JUDGED_DOUBLE, JUDGED_TAKE);
    const struct errors_sum all = sum_of(bot, JUDGED_PLAY, JUDGED_TAKE);

    doc_row(table);
    doc_text(table, NAME, section_bot(report, i));
    doc_number(table, PLAYS, plays.counted);
    doc_number(table, PLAY_RATE, rates_of(bot, plays).milli);
    doc_number(table, PLAY_PR, rates_of(bot, plays).pr);
    doc_number(table, DOUBLES, doubles.counted);
    doc_number(table, DOUBLE_RATE, rates_of(bot, doubles).milli);
    doc_number(table, TAKES, takes.counted);
    doc_number(table, TAKE_RATE, rates_of(bot, takes).milli);
    doc_number(table, CUBE_PR, rates_of(bot, cube).pr);
    doc_number(table, ALL, all.counted);
    doc_number(table, RATE, rates_of(bot, all).milli);
    doc_number(table, PR, rates_of(bot, all).pr);
    doc_number(table, SNOWIE, rates_of(bot, all).snowie);
}

void section_errors(struct report *report)
{
    const struct judged_sums *judged = &report->gather->judged;
    struct doc_table *table;

    if (!judged->choices) {
        return;
    }
    doc_section(report->doc, "errors", "Error rates");
    table =
        doc_table(report->doc, "errors", "Error rates by checker play and cube", columns, COLUMNS);
    doc_view(report->doc, table, "Error rates by checker play and cube", picks,
             sizeof picks / sizeof picks[0]);
    for (int i = 0; i < report->count; i++) {
        errors_row(table, report, report->order[i]);
    }
    doc_note(
        report->doc,
        "By %s. An error is the best choice's value minus the chosen one's, in normalised equity "
        "(EMG; mEMG is a thousandth). Counted: plays with a choice, doubles, takes and passes, and "
        "rolls if a double was close or right (0.16). PR is 500 times the errors a decision. Error "
        "rates depend on the judge and favour bots that resemble it: a diagnosis, never a ranking.",
        judged->judge);
    if (judged_sums_is_exact(judged)) {
        doc_tell(
            report->doc,
            "The judge made no mistake in these games: with the errors that it found it explains "
            "every result to the last digit. So these error rates are absolute: points lost "
            "against perfect play, not one judge's opinion.");
    }
}

/* -------------------------------------------------------------------- the largest errors */

enum {
    BLUNDER_TITLE,
    BLUNDER_NAME,
    BLUNDER_OPPONENT,
    BLUNDER_KIND,
    BLUNDER_ERROR,
    BLUNDER_LOSS,
    BLUNDER_PLAYED,
    BLUNDER_BEST,
    BLUNDER_GAME,
    BLUNDER_STEP,
    BLUNDER_XGID,
    BLUNDER_COLUMNS
};

#define BLUNDER_COMMON                                                                             \
    [BLUNDER_TITLE] = {"title", "Position", .use = DOC_SHOWN},                                     \
    [BLUNDER_NAME] = {"bot", "Bot", .bot = true, .use = DOC_DATA},                                 \
    [BLUNDER_OPPONENT] = {"opponent", "Against", .bot = true, .use = DOC_DATA},                    \
    [BLUNDER_KIND] = {"kind", "Kind", .use = DOC_DATA},                                            \
    [BLUNDER_ERROR] = {"error", "Error", "EMG (points, cube 1)", .decimals = 3},                   \
    [BLUNDER_PLAYED] = {"played", "Played", .code = true},                                         \
    [BLUNDER_BEST] = {"best", "Best", .code = true},                                               \
    [BLUNDER_GAME] = {"game", "Game", .code = true}, [BLUNDER_STEP] = {"step", .title = "Step"},   \
    [BLUNDER_XGID] = {"xgid", "XGID", .code = true}

static const struct doc_column money_columns[BLUNDER_COLUMNS] = {
    BLUNDER_COMMON,
    [BLUNDER_LOSS] = {"loss", "Loss", "points", .decimals = 3},
};

static const struct doc_column match_columns[BLUNDER_COLUMNS] = {
    BLUNDER_COMMON,
    [BLUNDER_LOSS] = {"loss", "Loss", "MWC (0 to 1)", .decimals = 3},
};

static const char *kind_word(enum judged_kind kind)
{
    return kind == JUDGED_PLAY ? "play" : kind == JUDGED_DOUBLE ? "double" : "take";
}

static void blunder_title(struct doc_table *table, const struct report *report,
                          const struct blunder *blunder)
{
    const char *name = section_shown(report, blunder->bot);
    const char *opponent = doc_alias(report->doc, blunder->opponent);
    const struct bg_match *match = &blunder->match;
    const uint8_t *die = match->roll.die;
    const char *score = "";

    if (match->rules.length_points > 0) {
        score = doc_format(report->doc, ", %" PRId64 "\u2013%" PRId64 " to %d",
                           match->score[blunder->seat], match->score[1 - blunder->seat],
                           match->rules.length_points);
    }
    if (blunder->worst.kind == JUDGED_PLAY) {
        doc_say(table, BLUNDER_TITLE, "%s plays %d%d against %s%s", name,
                die[0] > die[1] ? die[0] : die[1], die[0] > die[1] ? die[1] : die[0], opponent,
                score);
    } else {
        doc_say(table, BLUNDER_TITLE, "%s %s against %s%s", name,
                blunder->worst.kind == JUDGED_DOUBLE ? "may double" : "is doubled", opponent,
                score);
    }
}

static void blunder_row(struct doc_table *table, const struct report *report,
                        const struct blunder *blunder, const struct doc_board *board)
{
    char xgid[BG_XGID];

    doc_row(table);
    blunder_title(table, report, blunder);
    doc_text(table, BLUNDER_NAME, section_bot(report, blunder->bot));
    doc_text(table, BLUNDER_OPPONENT, blunder->opponent);
    doc_text(table, BLUNDER_KIND, kind_word(blunder->worst.kind));
    doc_number(table, BLUNDER_ERROR, blunder->worst.error);
    doc_number(table, BLUNDER_LOSS, blunder->worst.loss);
    doc_text(table, BLUNDER_PLAYED, blunder->played);
    doc_text(table, BLUNDER_BEST, blunder->worst.best);
    doc_text(table, BLUNDER_GAME, blunder->worst.game_id);
    doc_number(table, BLUNDER_STEP, blunder->worst.step + 1);
    if (board->has_id && rules_have_xgid(board->pos.variant) &&
        bg_xgid_write(xgid, &board->pos.board, &board->id, NULL) == BG_OK) {
        doc_text(table, BLUNDER_XGID, xgid);
    }
}

static void add_blunder(const struct report *report, struct doc_table *table,
                        struct doc_boards *boards, const struct blunder *blunder)
{
    const struct doc_board board = doc_board_of(&blunder->match, blunder->seat);

    blunder_row(table, report, blunder, &board);
    doc_board(boards, &board);
}

void section_blunders(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_table *table;
    struct doc_boards *boards;

    if (gather->blunders == 0) {
        return;
    }
    doc_section(report->doc, "blunders", "Blunders");
    table = doc_table(report->doc, "blunders", "The largest errors",
                      report->money ? money_columns : match_columns, BLUNDER_COLUMNS);
    table->data = true;
    boards = doc_boards(report->doc, table,
                        doc_format(report->doc,
                                   "The largest errors of each bot by %s. The bot that chose is at "
                                   "the bottom and moves to the lower right; numbers at the right "
                                   "are pips.",
                                   gather->judged.judge));
    if (boards != NULL) {
        boards->group = BLUNDER_NAME;
    }
    for (int k = 0; k < report->count; k++) {
        for (int i = 0; i < gather->blunders; i++) {
            if (gather->blunder[i].bot == report->order[k]) {
                add_blunder(report, table, boards, &gather->blunder[i]);
            }
        }
    }
}
