/* Suite of results/report/game.c and game_turns.c: what the page of a game says is what the judge
 * said of its steps. */
#include "report/game.h"
#include "numbers/errors.h"
#include "support/random_match.h"
#include "support/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROLLS = 3, CHOICES = 3 };

struct game {
    struct record record;
    struct record_view *view;
    struct bg_match end;
    struct judged_roll roll[ROLLS];
    struct judged_choice choice[CHOICES];
    struct judgement judgement;
    struct doc *doc;
};

/* The step of play number `wanted`, from 0. */
static int play_at(const struct record_view *view, int wanted)
{
    struct bg_step step;
    int64_t spent_ns;

    for (int i = 0; i < record_view_steps(view); i++) {
        record_view_step(&step, &spent_ns, view, i);
        if (step.kind == BG_STEP_PLAY && wanted-- == 0) {
            return i;
        }
    }
    ck_abort_msg("too short a game");
    return 0;
}

/* A random game in leg `leg`, judged: three plays of growing error, and the rolls before them. */
static void open_game(struct game *game, int leg, int length)
{
    static const double errors[CHOICES] = {0.01, 0.05, 0.123};
    const struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), length);
    struct chance chance = {7};
    char hash[RECORD_HASH];
    struct game_source source = {.games = 0};

    memset(game, 0, sizeof *game);
    bg_match_begin(&game->end, &rules);
    random_game(&game->record, hash, &game->end, leg == 0 ? "a|b|0|0|0" : "a|b|0|1|0", "", false,
                &chance);
    ck_assert_int_eq(record_read(&game->view, game->record.text, game->record.size, &error), BG_OK);
    for (int i = 0; i < CHOICES; i++) {
        struct bg_step step;
        int64_t spent_ns;
        const int at = play_at(game->view, i + 3);

        record_view_step(&step, &spent_ns, game->view, at);
        game->roll[i] = (struct judged_roll){at - 1, step.seat ^ leg, 0.1 * (i + 1), 0};
        game->choice[i] = (struct judged_choice){at,        step.seat ^ leg, JUDGED_PLAY, true,
                                                 errors[i], 2 * errors[i],   "13/7 8/7"};
    }
    game->judgement = (struct judgement){.judge = (char *)"oracle",
                                         .roll = game->roll,
                                         .rolls = ROLLS,
                                         .choice = game->choice,
                                         .choices = CHOICES,
                                         .has_choices = true};
    source.view = game->view;
    source.judgement = &game->judgement;
    ck_assert_int_eq(game_document(&game->doc, &source, &error), BG_OK);
}

static void close_game(struct game *game)
{
    doc_destroy(game->doc);
    record_view_destroy(game->view);
    record_deinit(&game->record);
}

static const struct doc_table *table_of(const struct doc *doc, const char *name)
{
    for (const struct doc_section *section = doc->first; section != NULL; section = section->next) {
        for (const struct doc_block *block = section->first; block != NULL; block = block->next) {
            const struct doc_table *table = (const struct doc_table *)block;

            if (block->kind == DOC_TABLE && strcmp(table->name, name) == 0) {
                return table;
            }
        }
    }
    ck_abort_msg("no table %s", name);
    return NULL;
}

static const struct doc_cell *cell_of(const struct doc_table *table, int row, const char *key)
{
    for (int column = 0; column < table->columns; column++) {
        if (strcmp(table->column[column].key, key) == 0) {
            return doc_at(table, row, column);
        }
    }
    ck_abort_msg("no column %s", key);
    return NULL;
}

TEST(verdicts_stand_in_words_beside_their_turns)
{
    static const struct {
        int length;
        const char *verdict[CHOICES], *mark[CHOICES];
    } said[] = {
        {0,
         {"\u221210 (\u22120.020 points)", "error \u221250 (\u22120.100 points); best: 13/7 8/7",
          "blunder \u2212123 (\u22120.246 points); best: 13/7 8/7"},
         {NULL, "error", "blunder"}},
        {7,
         {"\u221210 (\u22122.00 %)", "error \u221250 (\u221210.00 %); best: 13/7 8/7",
          "blunder \u2212123 (\u221224.60 %); best: 13/7 8/7"},
         {NULL, "error", "blunder"}}};

    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct game game;
        const struct doc_table *list;
        int seen = 0;

        open_game(&game, 0, said[i].length);
        list = table_of(game.doc, "list");
        for (int row = 0; row < list->rows; row++) {
            const struct doc_cell *verdict = cell_of(list, row, "verdict");
            const struct doc_cell *mark = cell_of(list, row, "mark");

            if (verdict->kind == DOC_TEXT) {
                ck_assert_str_eq(verdict->text, said[i].verdict[seen]);
                ck_assert_int_eq((int)cell_of(list, row, "step")->number,
                                 game.choice[seen].step + 1);
                ck_assert(mark->kind == DOC_TEXT ? strcmp(mark->text, said[i].mark[seen]) == 0
                                                 : said[i].mark[seen] == NULL);
                seen++;
            }
        }
        ck_assert_int_eq(seen, CHOICES);
        ck_assert_int_eq(table_of(game.doc, "blunders")->rows, 1);
        close_game(&game);
    }
}

TEST(luck_and_errors_are_those_of_the_side_in_either_leg)
{
    for (int leg = 0; leg < 2; leg++) {
        struct game game;
        const struct doc_table *steps, *sides;
        double luck[2] = {0, 0}, loss[2] = {0, 0};
        int last;

        open_game(&game, leg, 0);
        steps = table_of(game.doc, "turns");
        sides = table_of(game.doc, "sides");
        last = steps->rows - 1;
        for (int i = 0; i < ROLLS; i++) {
            luck[game.roll[i].bot ^ leg] += game.roll[i].luck;
            loss[game.choice[i].bot ^ leg] += game.choice[i].loss;
        }
        ck_assert_double_eq_tol(cell_of(steps, last, "luck_seat0")->number, luck[0], 1e-12);
        ck_assert_double_eq_tol(cell_of(steps, last, "luck_seat1")->number, luck[1], 1e-12);
        ck_assert_double_eq_tol(cell_of(steps, last, "ahead_seat0")->number,
                                luck[0] - loss[0] - luck[1] + loss[1], 1e-12);
        for (int seat = 0; seat < 2; seat++) {
            ck_assert_double_eq_tol(cell_of(sides, seat, "luck")->number, luck[seat], 1e-12);
            ck_assert_double_eq_tol(cell_of(sides, seat, "loss")->number, loss[seat], 1e-12);
        }
        ck_assert_str_eq(cell_of(sides, 0, "bot")->text, record_view_value(game.view, "seat0"));
        close_game(&game);
    }
}

/* Every step's position can be read again, and the last one is the game's. */
TEST(every_step_has_its_position)
{
    struct game game;
    const struct doc_table *steps;
    struct pos pos;

    open_game(&game, 0, 0);
    steps = table_of(game.doc, "turns");
    ck_assert_int_eq(steps->rows, record_view_steps(game.view));
    for (int row = 0; row < steps->rows; row++) {
        ck_assert_int_eq(
            pos_read(&pos, game.end.rules.variant, cell_of(steps, row, "pos")->text, &error),
            BG_OK);
    }
    ck_assert(bg_board_equal(&pos.board, &game.end.board));
    close_game(&game);
}

TEST(only_what_changes_in_a_position_is_written)
{
    static const char *const positions[] = {
        "w2----b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-|c|1-|33|-",
        "w1-w1--b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|w|-|c|1-|3.3.|w24/22",
        "w1-w1--b5/-b3---w5/b5---w3-/w5----b2|0,0|0,0|0,0|b|-|c|2-!b|-|w24/22",
        "w1-w1--b5/-b3---w5/b5---w3-/w4-b1--b1|1,0|0,0|0,0|b|-|c|2w|66|b1/3"};
    static const char *const changes[] = {
        "w2----b5/-b3---w5/b5---w3-/w5----b2|33|-|w|0,0|0,0|0,0|-|c|1-", "w1-w1--b5|.|w24/22",
        "|-||b||||||2-!b", "///w4-b1--b1|66|b1/3||1,0|||||2w"};

    for (int i = 0; i < 4; i++) {
        char text[POS_TEXT];

        pos_changes_write(text, positions[i], i == 0 ? "" : positions[i - 1]);
        ck_assert_str_eq(text, changes[i]);
    }
}

/* Without a judge too. */
TEST(a_fault_is_marked)
{
    const struct bg_rules rules = bg_rules_default(bg_variant_find("plakoto"), 0);
    struct chance chance = {1};
    struct game game = {.view = NULL};
    struct game_source source = {.games = 0};
    const struct doc_table *list;
    char hash[RECORD_HASH];

    do {
        bg_match_begin(&game.end, &rules);
        random_game(&game.record, hash, &game.end, "a|b|0|0|0", "", false, &chance);
    } while (game.end.result.end != BG_END_FAULT);
    ck_assert_int_eq(record_read(&game.view, game.record.text, game.record.size, &error), BG_OK);
    source.view = game.view;
    ck_assert_int_eq(game_document(&game.doc, &source, &error), BG_OK);
    list = table_of(game.doc, "list");
    ck_assert_str_eq(cell_of(list, list->rows - 1, "mark")->text, "fault");
    close_game(&game);
}
