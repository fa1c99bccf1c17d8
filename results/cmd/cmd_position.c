/* cmd_position.c - bgref position: one position in every notation. A bare Position ID says
 * neither who is on roll nor the cube; the values that are shown for it are named in the help,
 * and every other notation is derived from one struct position, so that two notations of one
 * line cannot disagree. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "base/docs.h"
#include "format/positions.h"

enum { DRAWING = 4096, WHITE = 0 };
struct arguments {
    bool tsv;
    const char *variant;
    const char *text;
};

static const struct command_row options[] = {
    {"tsv",
     .help =
         "Read rows 'POSITION_ID<TAB>MATCH_ID[<TAB>anything]' from standard input (comments begin "
         "with "
         "#), print for each the IDs, the boards of the side not on roll and of the side on roll "
         "(25 "
         "counts each), cube, owner, move, turn, crawford, jacoby, length, scores of seat 0 and 1, "
         "dice, doubled, resigned and game state",
     COMMAND_FLAG(tsv)},
    {"variant", .value = "GAME",
     .help =
         "The game, such as plakoto; POSITION is then in the notation of every game (docs/rules.md "
         "N3), "
         "and White is below",
     COMMAND_TEXT(variant)},
    {0}};

static const struct command_row words[] = {{"position", COMMAND_TEXT(text)}, {0}};

static void check_position(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->tsv == (arguments->text != NULL)) {
        command_misuse(arguments->tsv ? "--tsv reads standard input: give no position"
                                      : "a position is needed, like 'bgref position "
                                        "4HPwATDgc/ABMA'");
    } else if (arguments->tsv && arguments->variant != NULL) {
        command_misuse("--tsv is for backgammon");
    }
}

static const struct command command = {
    .usage = "POSITION\n--variant GAME POSITION\n--tsv < ROWS",
    .help =
        "Draw a position; of backgammon, print it in every notation.\vPOSITION is a Position ID, "
        "PositionID:MatchID, XGID, OGID or a board line of FIBS, also within the text that gnubg "
        "or "
        "eXtreme Gammon prints around it. A bare Position ID is shown as money play with Jacoby, "
        "centred cube and seat 1 on roll. A notation that cannot express the position is shown as "
        "'-'.",
    .options = options,
    .words = words,
    .check = check_position,
};

static void print_board(FILE *out, const uint8_t at[BG_SLOTS])
{
    for (int slot = 1; slot <= BG_BAR; slot++) {
        fprintf(out, "%c%d", slot == 1 ? '\t' : ',', at[slot]);
    }
}

static enum bg_status position_of_row(char **column, int columns, FILE *out, struct bg_error *err)
{
    struct bg_match_id id;
    struct bg_board board;
    enum bg_status status = bg_match_id_read(&id, column[1], err);

    (void)columns;
    if (status == BG_OK) {
        status = bg_position_id_read(&board, column[0], id.move, err);
    }
    if (status != BG_OK) {
        return status;
    }
    fprintf(out, "%s\t%s", column[0], column[1]);
    print_board(out, board.at[1 - id.move]);
    print_board(out, board.at[id.move]);
    fprintf(out, "\t%ld\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", 1L << id.cube_log2,
            id.cube_owner, id.move, id.turn, id.crawford, id.jacoby, id.length, id.score[0],
            id.score[1], id.dice[0], id.dice[1], id.doubled, id.resigned, id.state);
    return BG_OK;
}

static int show_position(const char *text)
{
    char drawing[DRAWING], position_id[BG_POSITION_ID], match_id[BG_MATCH_ID], xgid[BG_XGID];
    char every[BG_POSITION_TEXT];
    struct position position;
    struct bg_error err;

    if (position_read(&position, text, &err) != BG_OK) {
        command_say(err.text);
        return EXIT_MISUSE;
    }
    bg_board_draw(drawing, sizeof drawing, bg_variant_find("backgammon"), &position.board,
                  &position.id, 1);
    bg_position_id_write(position_id, &position.board, position.id.move);
    bg_position_text_write(every, bg_variant_find("backgammon"), &position.board, position.id.move);
    /* Each notation has limits of its own (scores, cubes); the others are still worth printing. */
    if (bg_match_id_write(match_id, &position.id, NULL) != BG_OK) {
        strcpy(match_id, "-");
    }
    if (position_xgid_write(xgid, &position, NULL) != BG_OK) {
        strcpy(xgid, "-");
    }
    printf("%s\n", drawing);
    printf("Position ID  %s\nMatch ID     %s\nXGID         %s\nNotation     %s\n", position_id,
           match_id, xgid, every);
    return EXIT_DONE;
}

static int show_game_position(const char *game, const char *text)
{
    const struct bg_variant *variant = NULL;
    char drawing[DRAWING];
    struct bg_board board;
    struct bg_error err;
    int mover = WHITE;

    if (bg_variant_read(&variant, game, &err) != BG_OK ||
        bg_position_text_read(&board, &mover, variant, text, &err) != BG_OK) {
        command_say(err.text);
        return EXIT_MISUSE;
    }
    bg_board_draw(drawing, sizeof drawing, variant, &board, NULL, WHITE);
    printf("%s\n%s (%s) plays next\n", drawing, mover == WHITE ? "White" : "Black",
           mover == WHITE ? "O" : "X");
    return EXIT_DONE;
}

int cmd_position(int argc, char **argv)
{
    char space[POSITION_SPACE];
    struct arguments arguments = {0};

    position_arguments(argc, argv, space);
    command_read(&command, argc, argv, &arguments);
    if (arguments.tsv) {
        return position_rows(stdin, stdout, "bgref position", 2, position_of_row);
    }
    return arguments.variant != NULL
               ? show_game_position(arguments.variant, position_word(arguments.text))
               : show_position(arguments.text);
}
