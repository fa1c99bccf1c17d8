/* plays_board.c - bgref plays --board: one position in every notation. A bare Position ID says
 * neither who is on roll nor the cube; the values that are shown for it are named in the help,
 * and every other notation is derived from one struct position, so that two notations of one
 * line cannot disagree. */
#define _GNU_SOURCE
#include "plays_board.h"
#include "command.h"

#include <string.h>

#include "base/exit_status.h"
#include "format/positions.h"

enum { DRAWING = 4096, WHITE = 0 };

static void print_board(FILE *out, const uint8_t at[BG_SLOTS])
{
    for (int slot = 1; slot <= BG_BAR; slot++) {
        fprintf(out, "%c%d", slot == 1 ? '\t' : ',', at[slot]);
    }
}

enum bg_status board_row(char **column, int columns, FILE *out, struct bg_error *err)
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

int board_show(const char *text)
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

int board_show_of(const char *game, const char *text)
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
