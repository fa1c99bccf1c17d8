/* SVG as text and without scripts, like the page around it. Sizes of texts are estimated,
 * because a file cannot ask the browser; too wide an estimate costs a little room, too narrow a
 * one would let names run into bars. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "markup.h"
#include "width.h"

enum {
    WIDTH = 480,
    MARGIN = 8,
    NAME = 150, /* widest name */
    LINE = 22,  /* height of a row of dots */
    LEGEND = 20,
    FOOT = 38, /* ticks and the axis title */
    SCATTER_HEIGHT = 380,
    LINES_HEIGHT = 230,
    COURSE_HEIGHT = 300,
    LINES = 8,       /* of a course */
    LINE_NAME = 110, /* the widest name beside one */
    LABEL_GAP = 15,
    LABEL_FAR = 5 * LABEL_GAP,
    LABELS_MAX = 64
};

static double number_at(const struct doc_plot *plot, int row, int column)
{
    const struct doc_cell *cell = doc_at(plot->table, row, column);
    const double number = cell->kind == DOC_NUMBER ? cell->number : NAN;

    return plot->scale == DOC_SCALE_LOG ? log10(number) : number;
}

static const char *label_at(const struct doc_plot *plot, int row)
{
    const struct doc_cell *cell = doc_at(plot->table, row, plot->label);

    if (cell->kind != DOC_TEXT) {
        return "-";
    }
    return plot->table->column[plot->label].bot ? doc_alias(plot->table->doc, cell->text)
                                                : cell->text;
}

/* Width of a character, estimated rather too wide, in the larger of report.css's two sizes. */
static double pixels(uint32_t character)
{
    double columns = width_column(character);

    if (columns != 1) {
        return 15 * columns / 2;
    }
    if (character >= 0x80 || strchr("mwMW@%", (int)character) != NULL) {
        return character >= 0x80 ? 10.5 : 14.5;
    }
    if (strchr("iljtfrI.,:;'|!()[]/ -", (int)character) != NULL) {
        return 6;
    }
    return character >= 'A' && character <= 'Z' ? 11 : 9;
}

static double room_of(const char *text, double most)
{
    return fmin(width_of(text, pixels), most);
}

static double column_at(const struct doc_plot *plot, int row, int column)
{
    return column == 0 ? (double)NAN : number_at(plot, row, column);
}

/* Computes the ends of a value's bar, limited to possible values. */
static void ends_at(double out[2], const struct doc_plot *plot, int row, int s)
{
    const struct doc_series *series = &plot->series[s];
    double value = number_at(plot, row, series->value);
    double error = column_at(plot, row, series->error);
    double low = column_at(plot, row, series->low), high = column_at(plot, row, series->high);

    error = isfinite(error) ? error : 0;
    out[0] = isfinite(low) ? low : value - error;
    out[1] = isfinite(high) ? high : value + error;
    if (series->least < series->most) {
        out[0] = fmax(series->least, out[0]);
        out[1] = fmin(series->most, out[1]);
    }
}

/* Whether the value should have a bar, and nobody knows how long it is. */
static bool lacks_bar(const struct doc_plot *plot, int row, int s)
{
    const struct doc_series *series = &plot->series[s];

    return (series->error != 0 && !isfinite(column_at(plot, row, series->error))) ||
           (series->low != 0 && !isfinite(column_at(plot, row, series->low)));
}

/* -1: an upper bound, 1: a lower bound, 0: an exact value. */
static int bound_at(const struct doc_plot *plot, int row, int s)
{
    const char *mark = doc_at(plot->table, row, plot->series[s].value)->mark;

    return mark == NULL ? 0 : mark[0] == '<' ? -1 : 1;
}

static bool has_point(const struct doc_plot *plot, int row)
{
    bool all = true, any = false;

    for (int s = 0; s < plot->series_count; s++) {
        bool finite = isfinite(number_at(plot, row, plot->series[s].value));

        all = all && finite;
        any = any || finite;
    }
    return plot->kind == DOC_PLOT_SCATTER || plot->kind == DOC_PLOT_COURSE ? all : any;
}

static int points_of(const struct doc_plot *plot)
{
    int count = 0;

    for (int row = 0; row < plot->table->rows; row++) {
        count += has_point(plot, row);
    }
    return count;
}

bool plot_has_data(const struct doc_plot *plot)
{
    return plot->table != NULL && points_of(plot) > 0;
}

/* Finds the range of the values of series first..last with their bars. A bar much longer than the
 * range of the values is cut at the edge, so that it does not compress everything else. */
static void extent(double *low, double *high, const struct doc_plot *plot, int first, int last)
{
    double least = INFINITY, most = -INFINITY, span;

    for (int pass = 0; pass < 2; pass++) {
        span = most - least;
        for (int row = 0; row < plot->table->rows; row++) {
            for (int s = first; s <= last; s++) {
                double value = number_at(plot, row, plot->series[s].value);
                double cut = pass == 0 ? 0 : span > 0 ? span / 2 : INFINITY;

                if (isfinite(value)) {
                    double ends[2];

                    ends_at(ends, plot, row, s);
                    least = fmin(least, fmax(ends[0], value - cut));
                    most = fmax(most, fmin(ends[1], value + cut));
                }
            }
        }
    }
    if (isfinite(plot->zero) && isfinite(least)) {
        least = fmin(least, plot->zero);
        most = fmax(most, plot->zero);
    }
    *low = least;
    *high = most;
}

static void draw_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2, y2);
}

/* A circle for the first series, a square for the second, so that they differ without colour;
 * hollow if its bar is not known. */
static void point(FILE *out, int s, double x, double y, bool is_open)
{
    const char *open = is_open ? " open" : "";

    if (s == 0) {
        fprintf(out, "<circle class=\"s0%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", open, x, y);
    } else {
        fprintf(out, "<rect class=\"s1%s\" x=\"%.1f\" y=\"%.1f\" width=\"7.4\" height=\"7.4\"/>\n",
                open, x - 3.7, y - 3.7);
    }
}

/* Prints a text that takes at most this many units, cut in its middle. */
static void words(FILE *out, const char *class, double x, double y, const char *text, double most)
{
    char fitting[WIDTH_FIT];

    width_fit(fitting, text, most, WIDTH_NAME, "\u2026", pixels);
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    markup_text(out, fitting);
    fputs("</text>\n", out);
}

/* The axis across has the plot's scale, the one upward is plain. */
static void tick_text(char out[32], const struct axis *axis, double value, enum doc_scale scale)
{
    if (scale == DOC_SCALE_LOG) {
        snprintf(out, 32, "%g", pow(10, value));
    } else if (scale == DOC_SCALE_TIME) {
        axis_time_text(out, axis, value);
    } else {
        snprintf(out, 32, "%.*f", axis->decimals, fabs(value) < axis->step / 2 ? 0.0 : value);
    }
}

static int ticks_of(const struct axis *axis)
{
    return 1 + (int)floor((axis->high - axis->first) / axis->step + 1e-9);
}

/* Draws grid and numbers below; moves the outermost numbers inwards if they would be cut off. */
static void across(FILE *out, const struct doc_plot *plot, const struct axis *axis, double top,
                   double bottom)
{
    for (int i = 0; i < ticks_of(axis); i++) {
        double value = axis->first + i * axis->step, x = axis_at(axis, value), half;
        char text[32];

        tick_text(text, axis, value, plot->scale);
        half = room_of(text, WIDTH) / 2;
        draw_line(out, "grid", x, top, x, bottom);
        words(out, "tick mid", fmax(half, fmin(x, WIDTH - half)), bottom + 14, text, WIDTH);
    }
    words(out, "axis mid", (axis->from + axis->to) / 2, bottom + 31, plot->axis[0],
          2 * fmin((axis->from + axis->to) / 2, WIDTH - (axis->from + axis->to) / 2));
}

/* Width of the widest number. */
static double ticks_room(const struct axis *axis, enum doc_scale scale)
{
    double room = 0;

    for (int i = 0; i < ticks_of(axis); i++) {
        char text[32];

        tick_text(text, axis, axis->first + i * axis->step, scale);
        room = fmax(room, room_of(text, WIDTH));
    }
    return room;
}

/* Draws grid and numbers at the left. */
static void upward(FILE *out, const struct axis *axis, double left, double right, const char *name)
{
    for (int i = 0; i < ticks_of(axis); i++) {
        double value = axis->first + i * axis->step, y = axis_at(axis, value);
        char text[32];

        tick_text(text, axis, value, DOC_SCALE_PLAIN);
        draw_line(out, "grid", left, y, right, y);
        words(out, "tick end", left - 5, y + 4, text, WIDTH);
    }
    words(out, "axis", MARGIN, 12, name, WIDTH - 2 * MARGIN);
}

/* Chooses as many numbers below as fit without touching; of powers of ten whole ones. */
static void axis_across(struct axis *axis, enum doc_scale scale, double low, double high,
                        double from, double to)
{
    /* Tried from many to few: how long the numbers are follows from the step between them. */
    for (int ticks = 5; ticks > 0; ticks--) {
        axis_init(axis, low, high, from, to, ticks);
        if (scale == DOC_SCALE_TIME) {
            axis_time(axis);
        } else if (scale != DOC_SCALE_PLAIN) {
            axis->step = fmax(1, axis->step);
            axis->first = ceil(axis->low / axis->step) * axis->step;
        }
        if (ticks_room(axis, scale) + 6 <= axis->step * (to - from) / (axis->high - axis->low)) {
            break;
        }
    }
}

static void open_svg(FILE *out, const struct doc_plot *plot, int id, int height)
{
    fprintf(out,
            "<svg class=\"plot\" role=\"img\" aria-labelledby=\"plot%d\" viewBox=\"0 0 %d %d\" "
            "xmlns=\"http://www.w3.org/2000/svg\">\n<title id=\"plot%d\">",
            id, WIDTH, height, id);
    markup_text(out, plot->caption);
    fputs("</title>\n", out);
}

/* Two axes and what they enclose. */
struct frame {
    struct axis x, y;
    double left, right, top, bottom;
};

/* Opens the drawing with both axes. Beside the frame there is so much room, and below it. */
static struct frame open_frame(FILE *out, const struct doc_plot *plot, int id, int height,
                               double beside, int below)
{
    struct frame frame = {.right = WIDTH - MARGIN - beside, .top = 22, .bottom = height - FOOT};
    const bool is_lines = plot->kind == DOC_PLOT_LINES;
    double low, high;

    extent(&low, &high, plot, is_lines ? 0 : 1, plot->series_count - 1);
    axis_init(&frame.y, low, high, frame.bottom, frame.top, 6);
    frame.left = MARGIN + ticks_room(&frame.y, DOC_SCALE_PLAIN) + 5;
    extent(&low, &high, plot, 0, 0);
    if (is_lines) {
        low = number_at(plot, 0, plot->label);
        high = number_at(plot, plot->table->rows - 1, plot->label);
    }
    axis_across(&frame.x, plot->scale, low, high, frame.left, frame.right);
    open_svg(out, plot, id, height + below);
    across(out, plot, &frame.x, frame.top, frame.bottom);
    upward(out, &frame.y, frame.left, frame.right, plot->axis[1]);
    if (isfinite(plot->zero)) {
        draw_line(out, "zero", frame.left, axis_at(&frame.y, plot->zero), frame.right,
                  axis_at(&frame.y, plot->zero));
    }
    return frame;
}

/* --------------------------------------------------------------------- dots */

static double gutter_of(const struct doc_plot *plot)
{
    double widest = 20;

    for (int row = 0; row < plot->table->rows; row++) {
        widest = has_point(plot, row) ? fmax(widest, room_of(label_at(plot, row), NAME)) : widest;
    }
    return MARGIN + widest + 4;
}

static void legend(FILE *out, const struct doc_plot *plot, double x)
{
    for (int s = 0; s < plot->series_count; s++) {
        point(out, s, x + 6, 10, false);
        words(out, "label", x + 15, 14, plot->series[s].name, WIDTH - x);
        x += 30 + room_of(plot->series[s].name, WIDTH);
    }
}

/* For a bound, draws an arrow towards the possible values. */
static void arrow(FILE *out, const struct axis *axis, int s, double value, int side, double y)
{
    double x = axis_kept(axis, value), tip = x + 16.0 * side;

    fprintf(out,
            "<path class=\"bar b%d\" d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fL%.1f %.1fL%.1f "
            "%.1f\"/>\n",
            s, x, y - 5, y + 5, x, y, tip, tip - 5.0 * side, y - 4, tip, y, tip - 5.0 * side,
            y + 4);
}

static void bar(FILE *out, const struct axis *axis, int s, double value, const double ends[2],
                double y, bool is_open)
{
    double from = axis_kept(axis, ends[0]), to = axis_kept(axis, ends[1]);
    char class[16];

    snprintf(class, sizeof class, "bar b%d", s);
    if (ends[1] > ends[0]) {
        draw_line(out, class, from, y, to, y);
        /* A bar that is cut at the edge has no cap there: a cap would be read as its end. */
        if (ends[0] >= axis->low) {
            draw_line(out, class, from, y - 4, from, y + 4);
        }
        if (ends[1] <= axis->high) {
            draw_line(out, class, to, y - 4, to, y + 4);
        }
    }
    point(out, s, axis_kept(axis, value), y, is_open);
}

static void dots(FILE *out, const struct doc_plot *plot, int id)
{
    int series = plot->series_count, rows = points_of(plot);
    int height = LINE + (series - 1) * 12;
    double left = gutter_of(plot);
    int top = series > 1 ? LEGEND + MARGIN : MARGIN, bottom = top + rows * height;
    double low, high, y = top + height / 2.0;
    struct axis axis;

    extent(&low, &high, plot, 0, series - 1);
    if (plot->scale == DOC_SCALE_LOG) { /* so that two powers of ten can be seen */
        low = floor(low);
        high = fmax(low + 1, ceil(high));
    }
    axis_across(&axis, plot->scale, low, high, left + 22, WIDTH - 3 * MARGIN);
    open_svg(out, plot, id, bottom + FOOT);
    if (series > 1) {
        legend(out, plot, left);
    }
    across(out, plot, &axis, top, bottom);
    if (isfinite(plot->zero)) {
        draw_line(out, "zero", axis_at(&axis, plot->zero), top, axis_at(&axis, plot->zero), bottom);
    }
    for (int row = 0; row < plot->table->rows; row++) {
        if (!has_point(plot, row)) {
            continue;
        }
        words(out, "label end", left, y + 4, label_at(plot, row), NAME);
        for (int s = 0; s < series; s++) {
            double value = number_at(plot, row, plot->series[s].value);

            double at = y + (series > 1 ? (s == 0 ? -6 : 6) : 0);

            if (isfinite(value) && bound_at(plot, row, s) != 0) {
                arrow(out, &axis, s, value, bound_at(plot, row, s), at);
            } else if (isfinite(value)) {
                double ends[2];

                ends_at(ends, plot, row, s);
                bar(out, &axis, s, value, ends, at, lacks_bar(plot, row, s));
            }
        }
        y += height;
    }
    fputs("</svg>\n", out);
}

/* ------------------------------------------------------------------ scatter */

struct label {
    int row;
    double x, y, at; /* position of the point, and height of the label */
};

static int by_height(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    return x->y < y->y ? -1 : x->y > y->y;
}

/* Moves labels down if their points are side by side at nearly the same height. Leaves out a label
 * that would be too far from its point: the table has every number. */
static void part_labels(struct label *labels, int count)
{
    qsort(labels, (size_t)count, sizeof *labels, by_height);
    for (int i = 0; i < count; i++) {
        labels[i].at = labels[i].y;
        for (int k = 0; k < i; k++) {
            if (fabs(labels[i].x - labels[k].x) < NAME && labels[i].at - labels[k].at < LABEL_GAP) {
                labels[i].at = labels[k].at + LABEL_GAP;
            }
        }
    }
}

static void scatter_labels(FILE *out, const struct doc_plot *plot, const struct frame *frame)
{
    struct label labels[LABELS_MAX] = {{.row = 0}};
    int count = 0;

    for (int row = 0; row < plot->table->rows && count < LABELS_MAX; row++) {
        if (has_point(plot, row)) {
            labels[count++] =
                (struct label){row, axis_at(&frame->x, number_at(plot, row, plot->series[0].value)),
                               axis_at(&frame->y, number_at(plot, row, plot->series[1].value)), 0};
        }
    }
    part_labels(labels, count);
    for (int i = 0; i < count; i++) {
        const char *text = label_at(plot, labels[i].row);
        bool left = labels[i].x + 8 + room_of(text, NAME) > WIDTH - MARGIN;
        double x = labels[i].x + (left ? -8 : 8);

        if (labels[i].at - labels[i].y > LABEL_FAR || labels[i].at > frame->bottom) {
            continue;
        }
        if (labels[i].at - labels[i].y > 2) {
            draw_line(out, "leader", labels[i].x, labels[i].y, x, labels[i].at - 8);
        }
        words(out, left ? "label halo end" : "label halo", x, labels[i].at - 5, text, NAME);
    }
}

static void scatter(FILE *out, const struct doc_plot *plot, int id)
{
    const struct frame frame = open_frame(out, plot, id, SCATTER_HEIGHT, 0, 0);

    for (int row = 0; row < plot->table->rows; row++) {
        double at_x, at_y, across_x[2], along_y[2];

        if (!has_point(plot, row)) {
            continue;
        }
        at_x = axis_at(&frame.x, number_at(plot, row, plot->series[0].value));
        at_y = axis_at(&frame.y, number_at(plot, row, plot->series[1].value));
        ends_at(across_x, plot, row, 0);
        ends_at(along_y, plot, row, 1);
        draw_line(out, "bar b0 faint", axis_kept(&frame.x, across_x[0]), at_y,
                  axis_kept(&frame.x, across_x[1]), at_y);
        draw_line(out, "bar b0 faint", at_x, axis_kept(&frame.y, along_y[0]), at_x,
                  axis_kept(&frame.y, along_y[1]));
        point(out, 0, at_x, at_y, lacks_bar(plot, row, 0) || lacks_bar(plot, row, 1));
    }
    scatter_labels(out, plot, &frame);
    fputs("</svg>\n", out);
}

/* -------------------------------------------------------------------- lines */

/* Lines differ in their dashes too. */
static void line_legend(FILE *out, const struct doc_plot *plot, double x, double y)
{
    for (int s = 0; s < plot->series_count; s++) {
        char class[16];

        snprintf(class, sizeof class, "line l%d", s);
        draw_line(out, class, x, y - 4, x + 26, y - 4);
        words(out, "label", x + 31, y, plot->series[s].name, NAME);
        x += 45 + room_of(plot->series[s].name, NAME);
    }
}

static void line(FILE *out, const struct doc_plot *plot, int s, const struct frame *frame)
{
    char before = 'M';

    fprintf(out, "<path class=\"line l%d\" d=\"", s);
    for (int row = 0; row < plot->table->rows; row++) {
        const double value = number_at(plot, row, plot->series[s].value);

        if (isfinite(value)) {
            fprintf(out, "%c%.1f %.1f", before,
                    axis_at(&frame->x, number_at(plot, row, plot->label)),
                    axis_at(&frame->y, value));
            before = 'L';
        }
    }
    fputs("\"/>\n", out);
}

/* The ends of the axis across stand in the drawing: a script finds the row of a click. */
static void lines(FILE *out, const struct doc_plot *plot, int id)
{
    struct frame frame;

    fputs("<div class=\"lines\">\n", out);
    frame = open_frame(out, plot, id, LINES_HEIGHT, 0, LEGEND);
    for (int s = 0; s < plot->series_count; s++) {
        line(out, plot, s, &frame);
    }
    line_legend(out, plot, frame.left, LINES_HEIGHT + LEGEND - 6);
    fprintf(out,
            "<rect class=\"area\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "data-low=\"%g\" data-high=\"%g\"/>\n</svg>\n</div>\n",
            frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top, frame.x.low,
            frame.x.high);
}

/* ---------------------------------------------------- a line for each label */

/* Where the line that begins in this row ends. */
static int line_end(const struct doc_plot *plot, int row)
{
    int end = row + 1;

    while (end < plot->table->rows && strcmp(label_at(plot, row), label_at(plot, end)) == 0) {
        end++;
    }
    return end;
}

/* Writes the band around a line, a piece for each stretch of rows whose bars are known. */
static void band(FILE *out, const struct doc_plot *plot, int first, int number,
                 const struct frame *frame)
{
    const int end = line_end(plot, first);

    for (int row = first, next; row < end; row = next + 1) {
        double along[2];

        for (next = row; next < end && has_point(plot, next) && !lacks_bar(plot, next, 1); next++) {
        }
        if (next - row < 2) {
            continue;
        }
        fprintf(out, "<path class=\"band l%d\" d=\"", number);
        for (int i = 0; i < 2 * (next - row); i++) { /* there along the upper ends, and back */
            const int at = i < next - row ? row + i : 2 * next - row - 1 - i;

            ends_at(along, plot, at, 1);
            fprintf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L',
                    axis_kept(&frame->x, number_at(plot, at, plot->series[0].value)),
                    axis_kept(&frame->y, along[i < next - row]));
        }
        fputs("Z\"/>\n", out);
    }
}

/* Writes a line with its band or bars, and remembers where its name is to stand. Returns false if
 * there is nothing to draw. */
static bool course_line(FILE *out, const struct doc_plot *plot, struct label *label, int number,
                        const struct frame *frame)
{
    const int first = label->row, end = line_end(plot, first);
    const char *step = "M";

    if (plot->band) {
        band(out, plot, first, number, frame);
    }
    for (int row = first; row < end && plot->series[1].error > 0 && !plot->band; row++) {
        if (has_point(plot, row)) {
            const double x = axis_kept(&frame->x, number_at(plot, row, plot->series[0].value));
            double along[2];

            ends_at(along, plot, row, 1);
            draw_line(out, "bar b0 faint", x, axis_kept(&frame->y, along[0]), x,
                      axis_kept(&frame->y, along[1]));
        }
    }
    fprintf(out, "<path class=\"line l%d\" d=\"", number);
    for (int row = first; row < end; row++) {
        if (has_point(plot, row)) {
            label->x = axis_kept(&frame->x, number_at(plot, row, plot->series[0].value));
            label->y = axis_kept(&frame->y, number_at(plot, row, plot->series[1].value));
            fprintf(out, "%s%.1f %.1f", step, label->x, label->y);
            step = "L";
        }
    }
    fputs("\"/>\n", out);
    return step[0] == 'L';
}

/* Names stand beside the ends of their lines, in their order, apart from each other, and above the
 * foot of the drawing. */
static void line_names(FILE *out, const struct doc_plot *plot, struct label *labels, int count,
                       double bottom)
{
    double most = bottom;

    part_labels(labels, count);
    for (int i = count; i-- > 0;) {
        labels[i].at = fmin(labels[i].at, most);
        most = labels[i].at - LABEL_GAP;
    }
    for (int i = 0; i < count; i++) {
        draw_line(out, "leader", labels[i].x + 1, labels[i].y, labels[i].x + 12, labels[i].at);
        words(out, "label", labels[i].x + 15, labels[i].at + 4, label_at(plot, labels[i].row),
              LINE_NAME - 15);
    }
}

static void course(FILE *out, const struct doc_plot *plot, int id)
{
    const struct frame frame = open_frame(out, plot, id, COURSE_HEIGHT, LINE_NAME, 0);
    struct label labels[LINES] = {{.row = 0}};
    int count = 0;

    for (int row = 0; row < plot->table->rows && count < LINES; row = line_end(plot, row)) {
        labels[count].row = row;
        count += course_line(out, plot, &labels[count], count, &frame);
    }
    line_names(out, plot, labels, count, frame.bottom);
    fputs("</svg>\n", out);
}

void plot_write(FILE *out, const struct doc_plot *plot, int id)
{
    if (plot_has_data(plot)) {
        static void (*const draw[])(FILE * out, const struct doc_plot *plot, int id) = {
            [DOC_PLOT_DOTS] = dots,
            [DOC_PLOT_SCATTER] = scatter,
            [DOC_PLOT_LINES] = lines,
            [DOC_PLOT_COURSE] = course,
        };

        draw[plot->kind](out, plot, id);
    }
}
