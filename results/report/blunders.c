/* The worst choices, each with its position drawn. The table has what a program needs, the drawn
 * boards what people look at; both are made row by row, so board i belongs to row i. */
#include <inttypes.h>
#include <stdio.h>

#include "section.h"

enum { TITLE, NAME, OPPONENT, KIND, ERROR, LOSS, PLAYED, BEST, GAME, STEP, XGID, COLUMNS };

#define COMMON_COLUMNS                                                                             \
    [TITLE] = {.key = "title", .title = "Position", .use = DOC_SHOWN},                             \
    [NAME] = {.key = "bot", .title = "Bot", .bot = true, .use = DOC_DATA},                         \
    [OPPONENT] = {.key = "opponent", .title = "Against", .bot = true, .use = DOC_DATA},            \
    [KIND] = {.key = "kind", .title = "Kind", .use = DOC_DATA},                                    \
    [ERROR] = {.key = "error", .title = "Error", .unit = "EMG (points, cube 1)", .decimals = 3},   \
    [PLAYED] = {.key = "played", .title = "Played", .code = true},                                 \
    [BEST] = {.key = "best", .title = "Best", .code = true},                                       \
    [GAME] = {.key = "game", .title = "Game", .code = true},                                       \
    [STEP] = {.key = "step", .title = "Step"},                                                     \
    [XGID] = {.key = "xgid", .title = "XGID", .code = true}

static const struct doc_column money_columns[COLUMNS] = {
    COMMON_COLUMNS,
    [LOSS] = {.key = "loss", .title = "Loss", .unit = "points", .decimals = 3},
};

static const struct doc_column match_columns[COLUMNS] = {
    COMMON_COLUMNS,
    [LOSS] = {.key = "loss", .title = "Loss", .unit = "MWC (0 to 1)", .decimals = 3},
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
        doc_say(table, TITLE, "%s plays %d%d against %s%s", name, die[0] > die[1] ? die[0] : die[1],
                die[0] > die[1] ? die[1] : die[0], opponent, score);
    } else {
        doc_say(table, TITLE, "%s %s against %s%s", name,
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
    doc_text(table, NAME, section_bot(report, blunder->bot));
    doc_text(table, OPPONENT, blunder->opponent);
    doc_text(table, KIND, kind_word(blunder->worst.kind));
    doc_number(table, ERROR, blunder->worst.error);
    doc_number(table, LOSS, blunder->worst.loss);
    doc_text(table, PLAYED, blunder->played);
    doc_text(table, BEST, blunder->worst.best);
    doc_text(table, GAME, blunder->worst.game_id);
    doc_number(table, STEP, blunder->worst.step + 1);
    if (board->has_id && bg_xgid_write(xgid, &board->board, &board->id, NULL) == BG_OK) {
        doc_text(table, XGID, xgid);
    }
}

static void add_blunder(const struct report *report, struct doc_table *table,
                        struct doc_boards *boards, const struct blunder *blunder)
{
    struct doc_board board = {.board = blunder->match.board,
                              .variant = blunder->match.rules.variant,
                              .below = blunder->seat};

    board.has_id = bg_match_id_of(&board.id, &blunder->match, NULL) == BG_OK;
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
                      report->money ? money_columns : match_columns, COLUMNS);
    table->data = true;
    boards = doc_boards(report->doc, table,
                        doc_format(report->doc,
                                   "The largest errors of each bot by %s. The bot that chose is at "
                                   "the bottom and moves to the lower right; numbers at the right "
                                   "are pips.",
                                   gather->judged.judge));
    if (boards != NULL) {
        boards->group = NAME;
    }
    for (int k = 0; k < report->count; k++) {
        for (int i = 0; i < gather->blunders; i++) {
            if (gather->blunder[i].bot == report->order[k]) {
                add_blunder(report, table, boards, &gather->blunder[i]);
            }
        }
    }
}
