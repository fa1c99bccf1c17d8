/* Text of 80 columns, for records, terminals and messages. The seat below is drawn as O with its
 * own numbers on the points, whichever seat that is, so a person sees the board as that seat
 * does. Everything goes through drawf(), which never writes beyond the caller's buffer. */
#include <bgref/notation.h>

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "games.h"

enum { ROWS = 5 /* in each half */ };

struct canvas {
    char *at;
    size_t left; /* bytes with the terminator */
};

static void drawf(struct canvas *canvas, const char *format, ...) BG_PRINTF(2, 3);

static void drawf(struct canvas *canvas, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(canvas->at, canvas->left, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    if ((size_t)length >= canvas->left) { /* cut: the caller's buffer is too small */
        length = canvas->left > 0 ? (int)canvas->left - 1 : 0;
    }
    canvas->at += length;
    canvas->left -= (size_t)length;
}

static char letter(int seat)
{
    return seat == 0 ? 'O' : 'X';
}

/* The checkers on one point, numbered for the seat below: the seat that holds it, and a checker
 * pinned under them. */
struct drawing_cell {
    int holder;  /* -1: empty */
    int count;   /* number of the holder's checkers */
    bool pinned; /* a checker of the other seat lies under them */
};

struct picture {
    const struct bg_variant *variant;
    const struct bg_board *board;
    int below; /* seat whose numbering is shown */
};

static struct drawing_cell cell_at(const struct picture *picture, int slot)
{
    const struct bg_board *board = picture->board;
    int slots[2];
    struct drawing_cell cell = {-1, 0, false};

    slots[picture->below] = slot;
    slots[1 - picture->below] = bg_variant_opponent_slot(picture->variant, slot);
    for (int seat = 0; seat < 2; seat++) {
        if (board->at[seat][slots[seat]] == 0) {
            continue;
        }
        if ((board->pinned[seat] >> slots[seat] & 1) != 0) {
            cell.pinned = true;
        } else {
            cell.holder = seat;
            cell.count = board->at[seat][slots[seat]];
        }
    }
    return cell;
}

/* Draws three characters of a stack of checkers at height row; row 1 lies on the edge. */
static void draw_stack(struct canvas *canvas, int count, char sign, int row)
{
    if (row == ROWS && count > ROWS) {
        drawf(canvas, "%2d ", count);
    } else {
        drawf(canvas, " %c ", count >= row ? sign : ' ');
    }
}

/* A pinned checker is drawn on the edge as a small letter; a number counts the checkers above
 * it. */
static void draw_point(struct canvas *canvas, const struct picture *picture, int slot, int row)
{
    const struct drawing_cell cell = cell_at(picture, slot);
    const int under = cell.pinned ? 1 : 0;

    if (cell.holder < 0) {
        drawf(canvas, "   ");
    } else if (under > 0 && row == 1) {
        drawf(canvas, " %c ", letter(1 - cell.holder) - 'A' + 'a');
    } else if (row == ROWS && cell.count + under > ROWS) {
        drawf(canvas, "%2d ", cell.count);
    } else {
        draw_stack(canvas, cell.count + under, letter(cell.holder), row);
    }
}

/* Returns the slot at place i (0 to 11 from the left) of a band of twelve points. */
enum band { BAND_TOP, BAND_MIDDLE, BAND_BOTTOM };

static int slot_in(enum band band, int i)
{
    switch (band) {
    case BAND_TOP:
        return 13 + i;
    case BAND_MIDDLE: /* 36 to 25: next to 25 is 24, and the opponent's 24 */
        /* Games with a third row of points (V25) have it between the others. */
        return BG_FAR + 11 - i;
    case BAND_BOTTOM:
        break;
    }
    return 12 - i;
}

/* Draws one row of a band: six points, the bar, six points. */
static void draw_row(struct canvas *canvas, const struct picture *picture, enum band band, int row)
{
    /* A seat's bar is drawn in the half where its checkers enter. */
    const int bar = band == BAND_TOP ? picture->below : 1 - picture->below;

    drawf(canvas, " |");
    for (int i = 0; i < 6; i++) {
        draw_point(canvas, picture, slot_in(band, i), row);
    }
    drawf(canvas, "|");
    if (band == BAND_MIDDLE) {
        drawf(canvas, "   ");
    } else {
        draw_stack(canvas, picture->board->at[bar][BG_BAR], letter(bar), row);
    }
    drawf(canvas, "|");
    for (int i = 6; i < 12; i++) {
        draw_point(canvas, picture, slot_in(band, i), row);
    }
    drawf(canvas, "|");
}

/* Draws the state that is not checkers on the board, what there is of it. */
static void draw_special(struct canvas *canvas, const struct bg_board *board, int seat)
{
    bool stacked = false;
    const char *before = "  ";

    if (board->at[seat][BG_HAND] > 0) {
        drawf(canvas, "%s%d in hand", before, board->at[seat][BG_HAND]);
        before = ", ";
    }
    for (int slot = 1; slot <= 6; slot++) {
        stacked |= board->stacked[seat][slot] > 0;
    }
    if (stacked) {
        drawf(canvas, "%sstacked on 6 to 1:", before);
        for (int slot = 6; slot >= 1; slot--) {
            drawf(canvas, " %d", board->stacked[seat][slot]);
        }
        before = ", ";
    }
    if (board->turns[seat] > 0) {
        drawf(canvas, "%s%d turn%s played", before, board->turns[seat],
              board->turns[seat] == 1 ? "" : "s");
        before = ", ";
    }
    if (board->may_hit[seat] > 0) {
        drawf(canvas, "%smay hit", before);
    }
}

static void draw_score(struct canvas *canvas, const struct bg_match_id *id, int seat)
{
    if (id != NULL) {
        drawf(canvas, "  %d point%s", id->score[seat], id->score[seat] == 1 ? "" : "s");
    }
}

/* Draws the cube, offers and dice of a seat beside its half of the board. */
static void draw_state(struct canvas *canvas, const struct bg_match_id *id, int seat)
{
    if (id == NULL) {
        return;
    }
    if (id->cube_owner == seat) {
        drawf(canvas, "  cube %ld", 1L << id->cube_log2);
    }
    if (id->move != seat || id->state != 1) {
        return;
    }
    if (id->resigned > 0) {
        drawf(canvas, "  resigns at level %d", id->resigned);
    } else if (id->doubled) {
        drawf(canvas, "  doubles to %ld", 2L << id->cube_log2);
    } else if (id->dice[0] > 0) {
        drawf(canvas, "  to play %d%d", id->dice[0], id->dice[1]);
    } else {
        drawf(canvas, "  on roll");
    }
}

/* Draws what stands beside a seat's half of the board, in four rows from its edge, so that 80
 * columns are enough. */
static void draw_beside(struct canvas *canvas, const struct picture *picture,
                        const struct bg_match_id *id, int seat, int row)
{
    const struct bg_board *board = picture->board;

    switch (row) {
    case 1:
        drawf(canvas, "  %c seat %d: %d pips, %d off", letter(seat), seat,
              bg_variant_pips(picture->variant, board, seat), board->at[seat][BG_OFF]);
        break;
    case 2:
        draw_state(canvas, id, seat);
        break;
    case 3:
        draw_score(canvas, id, seat);
        break;
    case 4:
        draw_special(canvas, board, seat);
        break;
    default:
        break;
    }
}

static void draw_middle(struct canvas *canvas, const struct bg_match_id *id)
{
    drawf(canvas, " |                  |BAR|                  |");
    if (id != NULL) {
        if (id->length > 0) {
            drawf(canvas, "  %d point match%s", id->length, id->crawford ? ", Crawford game" : "");
        } else {
            drawf(canvas, "  money%s", id->jacoby ? ", Jacoby" : "");
        }
        if (id->cube_owner == BG_CENTRED) {
            drawf(canvas, ", cube %ld", 1L << id->cube_log2);
        }
    }
    drawf(canvas, "\n");
}

static void draw_edge(struct canvas *canvas, enum band band)
{
    drawf(canvas, " +");
    for (int i = 0; i < 12; i++) {
        const int slot = slot_in(band, i), point = slot >= BG_FAR ? slot - 2 : slot;

        drawf(canvas, "%s%s%d-", i == 6 ? "-----" : "", point < 10 ? "-" : "", point);
    }
    drawf(canvas, "+\n");
}

/* Draws the middle row of a board of 36 points; it stands on its lower edge. */
static void draw_middle_band(struct canvas *canvas, const struct picture *picture)
{
    for (int row = ROWS; row >= 1; row--) {
        draw_row(canvas, picture, BAND_MIDDLE, row);
        drawf(canvas, "\n");
    }
    draw_edge(canvas, BAND_MIDDLE);
}

void bg_board_draw(char *out, size_t size, const struct bg_variant *variant,
                   const struct bg_board *board, const struct bg_match_id *id, int below)
{
    const struct picture picture = {variant, board, below};
    struct canvas canvas = {out, size};

    assert(size > 0);
    draw_edge(&canvas, BAND_TOP);
    for (int row = 1; row <= ROWS; row++) {
        draw_row(&canvas, &picture, BAND_TOP, row);
        draw_beside(&canvas, &picture, id, 1 - below, row);
        drawf(&canvas, "\n");
    }
    draw_middle(&canvas, id);
    if (variant->points > BG_POINTS) {
        draw_middle_band(&canvas, &picture);
    }
    for (int row = ROWS; row >= 1; row--) {
        draw_row(&canvas, &picture, BAND_BOTTOM, row);
        draw_beside(&canvas, &picture, id, below, row);
        drawf(&canvas, "\n");
    }
    draw_edge(&canvas, BAND_BOTTOM);
}
