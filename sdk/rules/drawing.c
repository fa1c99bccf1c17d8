#include <bgref/notation.h>

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

enum { ROWS = 5 /* of each half */ };

struct canvas {
    char *at;
    size_t left; /* bytes with the terminator */
};

static void draw(struct canvas *canvas, const char *format, ...) BG_PRINTF(2, 3);

static void draw(struct canvas *canvas, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(canvas->at, canvas->left, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    if ((size_t)length >= canvas->left) { /* cut: the caller's space is too small */
        length = canvas->left > 0 ? (int)canvas->left - 1 : 0;
    }
    canvas->at += length;
    canvas->left -= (size_t)length;
}

static char letter(int seat)
{
    return seat == 0 ? 'O' : 'X';
}

/* Three characters of a stack of checkers at height row, 1 lying on the edge. */
static void draw_cell(struct canvas *canvas, int count, char sign, int row)
{
    if (row == ROWS && count > ROWS) {
        draw(canvas, "%2d ", count);
    } else {
        draw(canvas, " %c ", count >= row ? sign : ' ');
    }
}

static void draw_point(struct canvas *canvas, const struct bg_board *board, int below, int point,
                       int row)
{
    const int own = board->at[below][point], foe = board->at[1 - below][25 - point];

    draw_cell(canvas, own > 0 ? own : foe, letter(own > 0 ? below : 1 - below), row);
}

/* One row of a half: points left..left+5*step, bar, the next six. */
static void draw_row(struct canvas *canvas, const struct bg_board *board, int below, bool top,
                     int row)
{
    const int first = top ? 13 : 12, step = top ? 1 : -1;
    const int bar = top ? below : 1 - below; /* where they enter */

    draw(canvas, " |");
    for (int i = 0; i < 6; i++) {
        draw_point(canvas, board, below, first + step * i, row);
    }
    draw(canvas, "|");
    draw_cell(canvas, board->at[bar][BG_BAR], letter(bar), row);
    draw(canvas, "|");
    for (int i = 6; i < 12; i++) {
        draw_point(canvas, board, below, first + step * i, row);
    }
    draw(canvas, "|");
}

static void draw_player(struct canvas *canvas, const struct bg_board *board,
                        const struct bg_match_id *id, int seat)
{
    draw(canvas, "  %c seat %d: %d pips, %d off", letter(seat), seat, bg_board_pips(board, seat),
         board->at[seat][BG_OFF]);
    if (id != NULL) {
        draw(canvas, ", %d point%s", id->score[seat], id->score[seat] == 1 ? "" : "s");
    }
}

/* Cube, offers and dice of a seat, beside its half of the board. */
static void draw_state(struct canvas *canvas, const struct bg_match_id *id, int seat)
{
    if (id == NULL) {
        return;
    }
    if (id->cube_owner == seat) {
        draw(canvas, "  cube %ld", 1L << id->cube_log2);
    }
    if (id->move != seat || id->state != 1) {
        return;
    }
    if (id->resigned > 0) {
        draw(canvas, "  resigns at level %d", id->resigned);
    } else if (id->doubled) {
        draw(canvas, "  doubles to %ld", 2L << id->cube_log2);
    } else if (id->dice[0] > 0) {
        draw(canvas, "  to play %d%d", id->dice[0], id->dice[1]);
    } else {
        draw(canvas, "  on roll");
    }
}

static void draw_middle(struct canvas *canvas, const struct bg_match_id *id)
{
    draw(canvas, " |                  |BAR|                  |");
    if (id != NULL) {
        if (id->length > 0) {
            draw(canvas, "  %d point match%s", id->length, id->crawford ? ", Crawford game" : "");
        } else {
            draw(canvas, "  money%s", id->jacoby ? ", Jacoby" : "");
        }
        if (id->cube_owner == BG_CENTRED) {
            draw(canvas, ", cube %ld", 1L << id->cube_log2);
        }
    }
    draw(canvas, "\n");
}

void bg_board_draw(char *out, size_t size, const struct bg_board *board,
                   const struct bg_match_id *id, int below)
{
    struct canvas canvas = {out, size};

    assert(size > 0);
    draw(&canvas, " +13-14-15-16-17-18------19-20-21-22-23-24-+\n");
    for (int row = 1; row <= ROWS; row++) {
        draw_row(&canvas, board, below, true, row);
        if (row == 1) {
            draw_player(&canvas, board, id, 1 - below);
        } else if (row == 2) {
            draw_state(&canvas, id, 1 - below);
        }
        draw(&canvas, "\n");
    }
    draw_middle(&canvas, id);
    for (int row = ROWS; row >= 1; row--) {
        draw_row(&canvas, board, below, false, row);
        if (row == 1) {
            draw_player(&canvas, board, id, below);
        } else if (row == 2) {
            draw_state(&canvas, id, below);
        }
        draw(&canvas, "\n");
    }
    draw(&canvas, " +12-11-10--9--8--7-------6--5--4--3--2--1-+\n");
}
