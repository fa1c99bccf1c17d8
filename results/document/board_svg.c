/* Drawn with classes and no colours: the page's style sheet gives them, also for dark screens
 * and for paper. */
#include "board_svg.h"

#include "markup.h"

enum {
    POINT = 20, /* width of a point */
    LEFT = 26,  /* left edge of the board; the cube is left of it */
    BAR = LEFT + 6 * POINT,
    HALF = BAR + POINT, /* left edge of the right half */
    RIGHT = HALF + 6 * POINT,
    TRAY = RIGHT + 4,
    TRAY_WIDTH = 30,
    WIDTH = TRAY + TRAY_WIDTH + 2,
    TOP = 13,
    BOTTOM = TOP + 184,
    MIDDLE = (TOP + BOTTOM) / 2,
    HEIGHT = BOTTOM + 13,
    STACK = 5, /* checkers drawn on one point; for more a number is printed */
    RADIUS = 9,
    SPIKE = 78
};

/* Left edge of a point, numbered 1..24 from the lower side. */
static int point_x(int point)
{
    int column = point <= 12 ? 12 - point : point - 13;

    return LEFT + column * POINT + (column >= 6 ? POINT : 0);
}

static bool is_low(int point)
{
    return point <= 12;
}

static void words(FILE *out, const char *class, double x, double y, int number)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%d</text>\n", class, x, y, number);
}

static void spikes(FILE *out)
{
    fprintf(out,
            "<rect class=\"felt\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
            "<rect class=\"wood\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
            "<rect class=\"wood\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
            LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, BAR, TOP, POINT, BOTTOM - TOP, TRAY, TOP,
            TRAY_WIDTH, BOTTOM - TOP);
    for (int point = 1; point <= BG_POINTS; point++) {
        int x = point_x(point), base = is_low(point) ? BOTTOM : TOP;

        fprintf(out, "<path class=\"p%d\" d=\"M%d %dl%d %dl%d %dz\"/>\n", point % 2, x, base,
                POINT / 2, is_low(point) ? -SPIKE : SPIKE, POINT / 2,
                is_low(point) ? SPIKE : -SPIKE);
        words(out, "num", x + POINT / 2.0, is_low(point) ? HEIGHT - 3 : TOP - 4, point);
    }
}

/* Draws a stack from `base` in direction `way`, with its number if it is high. */
static void stack(FILE *out, int side, double x, double base, int way, int count)
{
    for (int i = 0; i < count && i < STACK; i++) {
        fprintf(out, "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>\n", side, x,
                base + way * (RADIUS + 0.5 + 2 * RADIUS * i), RADIUS);
    }
    /* A higher stack would reach into the other half: five are drawn and the number says the
     * rest, as on printed diagrams. */
    if (count > STACK) {
        words(out, side == 0 ? "n0" : "n1", x,
              base + way * (RADIUS + 0.5 + 2 * RADIUS * (STACK - 1)) + 4, count);
    }
}

static void checkers(FILE *out, const struct doc_board *board)
{
    for (int side = 0; side < 2; side++) { /* 0: lower side */
        int seat = side == 0 ? board->below : 1 - board->below;
        const uint8_t *at = board->board.at[seat];

        for (int slot = 1; slot <= BG_POINTS; slot++) {
            int point = side == 0 ? slot : bg_variant_opponent_slot(board->variant, slot);

            if (at[slot] > 0) {
                stack(out, side, point_x(point) + POINT / 2.0, is_low(point) ? BOTTOM : TOP,
                      is_low(point) ? -1 : 1, at[slot]);
            }
        }
        if (at[BG_BAR] > 0) {
            stack(out, side, BAR + POINT / 2.0, MIDDLE + (side == 0 ? 6 : -6), side == 0 ? 1 : -1,
                  at[BG_BAR]);
        }
    }
}

/* Draws checkers borne off as flat pieces, and the pips left. */
static void tray(FILE *out, const struct doc_board *board)
{
    for (int side = 0; side < 2; side++) {
        int seat = side == 0 ? board->below : 1 - board->below;
        int off = board->board.at[seat][BG_OFF];

        for (int i = 0; i < off; i++) {
            int y = side == 0 ? BOTTOM - 5 * (i + 1) : TOP + 5 * i;

            fprintf(out, "<rect class=\"c%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"4\"/>\n",
                    side, TRAY + 3, y, TRAY_WIDTH - 6);
        }
        words(out, "num", TRAY + TRAY_WIDTH / 2.0, side == 0 ? HEIGHT - 3 : TOP - 4,
              bg_variant_pips(board->variant, &board->board, seat));
    }
}

static void cube(FILE *out, const struct doc_board *board)
{
    int owner = board->id.cube_owner;
    int y = owner == BG_CENTRED ? MIDDLE - 10 : owner == board->below ? BOTTOM - 20 : TOP;

    fprintf(out, "<rect class=\"cube\" x=\"2\" y=\"%d\" width=\"20\" height=\"20\" rx=\"3\"/>\n",
            y);
    words(out, "n1", 12, y + 14, 1 << board->id.cube_log2);
}

static void die(FILE *out, int number, int x, int y)
{
    static const char *const eyes[] = {"", "5", "37", "357", "1379", "13579", "134679"};

    fprintf(out, "<rect class=\"die\" x=\"%d\" y=\"%d\" width=\"18\" height=\"18\" rx=\"3\"/>\n", x,
            y);
    for (const char *eye = eyes[number]; *eye != '\0'; eye++) {
        int place = *eye - '1';

        fprintf(out, "<circle class=\"eye\" cx=\"%d\" cy=\"%d\" r=\"1.8\"/>\n",
                x + 4 + 5 * (place % 3), y + 4 + 5 * (place / 3));
    }
}

static void dice(FILE *out, const struct doc_board *board)
{
    int middle = board->id.move == board->below ? HALF + 3 * POINT : LEFT + 3 * POINT;

    for (int i = 0; i < 2; i++) {
        if (board->id.dice[i] >= 1 && board->id.dice[i] <= 6) {
            die(out, board->id.dice[i], middle - 21 + 24 * i, MIDDLE - 9);
        }
    }
}

static bool can_draw(const struct doc_board *board)
{
    const struct bg_board *at = &board->board;
    bool fits = at->pinned[0] == 0 && at->pinned[1] == 0;

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        int point = bg_variant_opponent_slot(board->variant, slot);

        /* The opponent's points must be the board's own: else his checkers have no place in this
         * picture, and the text is shown. */
        fits = fits && point >= 1 && point <= BG_POINTS;
    }

    for (int seat = 0; seat < 2; seat++) {
        for (int slot = BG_HAND; slot < BG_SLOTS; slot++) {
            fits = fits && at->at[seat][slot] == 0;
        }
        for (int i = 1; i < 7; i++) {
            fits = fits && at->stacked[seat][i] == 0;
        }
    }
    return fits;
}

bool board_svg_write(FILE *out, const struct doc_board *board, const char *label)
{
    if (!can_draw(board)) {
        return false;
    }
    fprintf(out,
            "<svg class=\"board\" role=\"img\" viewBox=\"0 0 %d %d\" "
            "xmlns=\"http://www.w3.org/2000/svg\" aria-label=\"",
            WIDTH, HEIGHT);
    markup_text(out, label);
    fputs("\">\n", out);
    spikes(out);
    tray(out, board);
    checkers(out, board);
    if (board->has_id) {
        cube(out, board);
        dice(out, board);
    }
    fputs("</svg>\n", out);
    return true;
}
