/* Drawn with classes and no colours: the page's style sheet gives them, also for dark screens
 * and for paper. Every number is an integer, so that gallery/site/board.js makes the same bytes
 * from the text of the position (tests/browser compares them).
 *
 * Seat 0's checkers are bright and seat 1's dark, whoever sits below: a viewer who turns the board
 * still sees the same player's checkers. */
#include "board_svg.h"

#include "markup.h"

enum {
    UNIT = 60, /* width of a point and of a checker */
    RIM = 12,
    COLUMN = 62, /* of the cube at the left, and of the checkers off at the right */
    LEFT = RIM + COLUMN + RIM,
    BAR = LEFT + 6 * UNIT,
    HALF = BAR + UNIT, /* left edge of the right half */
    RIGHT = HALF + 6 * UNIT,
    TRAY = RIGHT + RIM,
    WIDTH = TRAY + COLUMN + RIM,
    EDGE = 26, /* above and below the points: their numbers */
    STACK = 5, /* checkers drawn on one point; for more a number is printed */
    BAR_STACK = 3,
    GAP = 90, /* between the upper and the lower points */
    SPIKE = STACK * UNIT - 8,
    MIDDLE = EDGE + STACK * UNIT + GAP / 2,
    THIRD = EDGE + 2 * STACK * UNIT + GAP, /* lower edge of the third row, or of all points */
    RADIUS = UNIT / 2 - 2,
    LIFT = UNIT / 5, /* what lies on another checker is drawn so much higher */
    SLAB = 16,
    SLAB_STEP = 18,
    SQUARE = 50, /* cube and dice */
    DIE_STEP = SQUARE + 8,
    EYE = 13,
    POINTS_MAX = 36,
    HAND = 110 /* from the edge to the checkers in hand */
};

struct drawing {
    FILE *out;
    const struct pos *pos;
    int below;
    int points; /* 24 or 36 */
    int bottom; /* lower edge of the points */
};

/* Where a checker lies. */
struct place {
    int x, y;
};

static int slot_at(int point)
{
    return point > BG_POINTS ? point - BG_POINTS - 1 + BG_FAR : point;
}

static int point_of(int slot)
{
    return slot >= BG_FAR ? slot - BG_FAR + BG_POINTS + 1 : slot;
}

/* The point in the numbering of the seat below, of a seat's own slot; and back. */
static int seen_point(const struct drawing *drawing, int seat, int slot)
{
    return point_of(seat == drawing->below ? slot
                                           : bg_variant_opponent_slot(drawing->pos->variant, slot));
}

static int own_slot(const struct drawing *drawing, int seat, int point)
{
    const int slot = slot_at(point);

    return seat == drawing->below ? slot : bg_variant_opponent_slot(drawing->pos->variant, slot);
}

/* Left edge of a point, numbered from the lower side; a third row runs as the lowest one. */
static int point_x(int point)
{
    const int column = point <= 12 ? 12 - point : point <= BG_POINTS ? point - 13 : 36 - point;

    return LEFT + column * UNIT + (column >= 6 ? UNIT : 0);
}

static bool is_high(int point)
{
    return point > 12 && point <= BG_POINTS;
}

static int point_base(const struct drawing *drawing, int point)
{
    return is_high(point) ? EDGE : point > BG_POINTS ? THIRD : drawing->bottom;
}

static void words(FILE *out, const char *class, int x, int y, int number)
{
    fprintf(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">%d</text>\n", class, x, y, number);
}

static void rect(FILE *out, const char *class, int x, int y, int width, int height)
{
    fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class, x, y,
            width, height);
}

static void spikes(const struct drawing *drawing)
{
    FILE *out = drawing->out;
    const int height = drawing->bottom - EDGE;

    fprintf(out, "<rect class=\"frame\" width=\"%d\" height=\"%d\" rx=\"10\"/>\n", WIDTH,
            drawing->bottom + EDGE);
    rect(out, "wood", RIM, EDGE, COLUMN, height);
    rect(out, "felt", LEFT, EDGE, 6 * UNIT, height);
    rect(out, "felt", HALF, EDGE, 6 * UNIT, height);
    rect(out, "wood", TRAY, EDGE, COLUMN, height);
    for (int point = 1; point <= drawing->points; point++) {
        const int x = point_x(point), base = point_base(drawing, point);
        const int way = is_high(point) ? 1 : -1;
        const int number = point_of(own_slot(drawing, drawing->pos->mover, point));

        fprintf(out, "<path class=\"p%d\" d=\"M%d %dl%d %dl%d %dz\"/>\n", point % 2, x + 1, base,
                UNIT / 2 - 1, way * SPIKE, UNIT / 2 - 1, -way * SPIKE);
        words(out, "num", x + UNIT / 2, base + (way > 0 ? -8 : 18), number);
    }
}

/* ------------------------------------------------------------------ checkers */

/* Returns whether a checker of the other seat lies under a seat's checkers on its slot. */
static bool has_pinned(const struct drawing *drawing, int seat, int slot)
{
    const int other = slot == BG_BAR || slot == BG_HAND
                          ? slot
                          : bg_variant_opponent_slot(drawing->pos->variant, slot);

    return (drawing->pos->board.pinned[1 - seat] >> other & 1) != 0;
}

/* Finds where checker number i of a seat's slot lies, from 0 at the edge. */
static struct place place_of(const struct drawing *drawing, int seat, int slot, int i)
{
    const bool is_below = seat == drawing->below;
    struct place place = {BAR + UNIT / 2, 0};

    if (slot == BG_BAR) {
        /* Beside the points where they enter: the lower side's are above the middle. */
        i = i < BAR_STACK ? i : BAR_STACK - 1;
        place.y = MIDDLE + (is_below ? -1 : 1) * (34 + UNIT * i);
    } else if (slot == BG_HAND) {
        place.x = RIM + COLUMN / 2;
        place.y = is_below ? drawing->bottom - HAND : EDGE + HAND;
    } else if (slot == BG_OFF) {
        place.x = TRAY + COLUMN / 2;
        place.y = is_below ? drawing->bottom - SLAB_STEP * i - SLAB / 2 - 1
                           : EDGE + SLAB_STEP * i + SLAB / 2 + 1;
    } else {
        const int point = seen_point(drawing, seat, slot);
        const int way = is_high(point) ? 1 : -1;
        const int stacked = slot <= 6 ? drawing->pos->board.stacked[seat][slot] : 0;
        const int flat = drawing->pos->board.at[seat][slot] - stacked;

        i = i < STACK ? i : STACK; /* of a ring only: it lies above a whole stack */
        place.x = point_x(point) + UNIT / 2;
        place.y = stacked > 0 && i >= flat ? UNIT * (flat - 1) + LIFT * (i - flat + 1) : UNIT * i;
        place.y += UNIT / 2 + (has_pinned(drawing, seat, slot) ? LIFT : 0);
        place.y = point_base(drawing, point) + way * place.y;
    }
    return place;
}

static void checker(FILE *out, int seat, struct place at)
{
    fprintf(out,
            "<circle class=\"c%d\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n"
            "<circle class=\"r%d\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n",
            seat, at.x, at.y, RADIUS, seat, at.x, at.y, RADIUS - 7);
}

/* Draws the checkers of a slot, with their number if it is high: a higher stack would reach into
 * the other half. */
static void stack(const struct drawing *drawing, int seat, int slot, int most)
{
    const int count = drawing->pos->board.at[seat][slot];

    for (int i = 0; i < count && i < most; i++) {
        checker(drawing->out, seat, place_of(drawing, seat, slot, i));
    }
    if (count > most || (count > 0 && slot == BG_HAND)) {
        const struct place top = place_of(drawing, seat, slot, most - 1);

        words(drawing->out, seat == 0 ? "n0" : "n1", top.x, top.y + 9, count);
    }
}

/* Draws a pinned checker first: what pins it lies on it. */
static void checkers(const struct drawing *drawing)
{
    for (int point = 1; point <= drawing->points; point++) {
        for (int under = 1; under >= 0; under--) {
            for (int seat = 0; seat < 2; seat++) {
                const int slot = own_slot(drawing, seat, point);

                if ((drawing->pos->board.pinned[seat] >> slot & 1) == (uint64_t)under) {
                    stack(drawing, seat, slot, STACK);
                }
            }
        }
    }
    for (int seat = 0; seat < 2; seat++) {
        stack(drawing, seat, BG_BAR, BAR_STACK);
        stack(drawing, seat, BG_HAND, 1);
    }
}

/* Draws checkers borne off as flat pieces, their number, and the pips left. */
static void trays(const struct drawing *drawing)
{
    FILE *out = drawing->out;

    for (int seat = 0; seat < 2; seat++) {
        const bool is_below = seat == drawing->below;
        const int off = drawing->pos->board.at[seat][BG_OFF];

        for (int i = 0; i < off; i++) {
            const struct place at = place_of(drawing, seat, BG_OFF, i);

            rect(out, seat == 0 ? "c0" : "c1", at.x - SQUARE / 2, at.y - SLAB / 2, SQUARE, SLAB);
        }
        if (off > 0) {
            words(out, "num", TRAY + COLUMN / 2, is_below ? drawing->bottom + 18 : 18, off);
        }
        words(out, "pips", TRAY + COLUMN / 2, is_below ? drawing->bottom - 311 : EDGE + 331,
              bg_variant_pips(drawing->pos->variant, &drawing->pos->board, seat));
    }
}

static void ring(FILE *out, const char *class, bool is_slab, struct place at)
{
    if (is_slab) {
        rect(out, class, at.x - SQUARE / 2, at.y - SLAB / 2, SQUARE, SLAB);
    } else {
        fprintf(out, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", class, at.x, at.y,
                RADIUS);
    }
}

/* Rings the checkers of the last play; a dashed ring shows where each came from. */
static void rings(const struct drawing *drawing)
{
    const struct bg_play *last = &drawing->pos->last;
    const int seat = drawing->pos->last_seat;

    for (int i = 0; seat >= 0 && i < last->moves; i++) {
        const struct bg_move move = last->move[i];
        const uint8_t *at = drawing->pos->board.at[seat];
        const int most = move.to == BG_OFF || at[move.to] < STACK ? at[move.to] : STACK;
        int arrived = 1, left = 0;

        for (int k = 0; k < i; k++) { /* the later ones of equal moves lie below the first */
            arrived += last->move[k].to == move.to;
            left += last->move[k].from == move.from;
        }
        if (move.from != move.to) {
            ring(drawing->out, "from", false,
                 place_of(drawing, seat, move.from, at[move.from] + left));
        }
        if (most >= arrived) {
            ring(drawing->out, "ring", move.to == BG_OFF,
                 place_of(drawing, seat, move.to, most - arrived));
        }
    }
}

/* ------------------------------------------------------------------ cube and dice */

/* The middle of a seat's right half, as it sits. */
static int half_of(const struct drawing *drawing, int seat)
{
    return (seat == drawing->below ? HALF : LEFT) + 3 * UNIT;
}

/* In the middle nobody has turned it: it shows 64 and lies on its side, as on a table. */
static void cube(const struct drawing *drawing)
{
    const struct pos *pos = drawing->pos;
    const int middle = (EDGE + drawing->bottom) / 2;
    int x = RIM + COLUMN / 2, y;

    if (!pos->has_cube) {
        return;
    }
    y = pos->cube_owner < 0                 ? middle
        : pos->cube_owner == drawing->below ? drawing->bottom - SQUARE / 2 - 6
                                            : EDGE + SQUARE / 2 + 6;
    if (pos->offered >= 0) {
        x = half_of(drawing, pos->offered) - UNIT;
        y = MIDDLE;
        fprintf(drawing->out, "<text class=\"says\" x=\"%d\" y=\"%d\">doubles</text>\n", x + 100,
                y + 11);
    }
    fprintf(drawing->out,
            "<rect class=\"cube\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
            x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE);
    fprintf(drawing->out, "<text class=\"value\" x=\"%d\" y=\"%d\"", x, y + 9);
    if (pos->cube_log2 == 0) {
        fprintf(drawing->out, " transform=\"rotate(-90 %d %d)\"", x, y);
    }
    fprintf(drawing->out, ">%lld</text>\n", pos->cube_log2 == 0 ? 64 : 1LL << pos->cube_log2);
}

static void die(const struct drawing *drawing, int i, int x)
{
    static const char *const eyes[] = {"", "5", "37", "357", "1379", "13579", "134679"};
    const struct pos *pos = drawing->pos;

    fprintf(drawing->out,
            "<g class=\"d%d%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"9\"/>",
            pos->mover, pos->played[i] ? " played" : "", x, MIDDLE - SQUARE / 2, SQUARE, SQUARE);
    for (const char *eye = eyes[pos->die[i]]; *eye != '\0'; eye++) {
        const int place = *eye - '1';

        fprintf(drawing->out, "<circle cx=\"%d\" cy=\"%d\" r=\"5\"/>",
                x + SQUARE / 2 + EYE * (place % 3 - 1), MIDDLE + EYE * (place / 3 - 1));
    }
    fputs("</g>\n", drawing->out);
}

static void dice(const struct drawing *drawing)
{
    const int count = drawing->pos->dice;
    const int first = half_of(drawing, drawing->pos->mover) - (count * DIE_STEP - 8) / 2;

    for (int i = 0; i < count; i++) {
        die(drawing, i, first + i * DIE_STEP);
    }
}

/* For who does not see it: each side's checkers by its own points. */
static void describe(const struct drawing *drawing)
{
    static const char *const sides[] = {"White", "Black"};
    static const struct {
        int slot;
        const char *name;
    } places[] = {{BG_BAR, "bar"}, {BG_HAND, "hand"}, {BG_OFF, "off"}};
    const struct pos *pos = drawing->pos;

    fputs("<desc>", drawing->out);
    for (int seat = 0; seat < 2; seat++) {
        const uint8_t *at = pos->board.at[seat];

        fprintf(drawing->out, "%s", sides[seat]);
        for (int point = drawing->points; point >= 1; point--) {
            if (at[slot_at(point)] > 0) {
                fprintf(drawing->out, " %d:%d", point, at[slot_at(point)]);
            }
        }
        for (int i = 0; i < 3; i++) {
            if (at[places[i].slot] > 0) {
                fprintf(drawing->out, " %s:%d", places[i].name, at[places[i].slot]);
            }
        }
        fprintf(drawing->out, ", %d pips. ", bg_variant_pips(pos->variant, &pos->board, seat));
    }
    fprintf(drawing->out, "%s to play", sides[pos->mover]);
    for (int i = 0; i < pos->dice; i++) {
        fprintf(drawing->out, " %d", pos->die[i]);
    }
    fputs("</desc>\n", drawing->out);
}

void board_svg_write(FILE *out, const struct doc_board *board, const char *label)
{
    struct drawing drawing = {.out = out, .pos = &board->pos, .below = board->below};
    char text[POS_TEXT];

    pos_write(text, drawing.pos);
    /* The fields of the board end at its first bar; 36 points are six groups, 24 are four. */
    drawing.points = 6;
    for (const char *c = text; *c != '|'; c++) {
        drawing.points += *c == '/' ? 6 : 0;
    }
    drawing.bottom = drawing.points == POINTS_MAX ? THIRD + GAP + STACK * UNIT : THIRD;
    fprintf(out,
            "<svg class=\"board\" role=\"img\" viewBox=\"0 0 %d %d\" "
            "xmlns=\"http://www.w3.org/2000/svg\" data-pos=\"",
            WIDTH, drawing.bottom + EDGE);
    markup_text(out, text);
    fprintf(out, "\" data-below=\"%d\" aria-label=\"", board->below);
    markup_text(out, label);
    fputs("\">\n", out);
    describe(&drawing);
    spikes(&drawing);
    trays(&drawing);
    checkers(&drawing);
    rings(&drawing);
    cube(&drawing);
    dice(&drawing);
    fputs("</svg>\n", out);
}
