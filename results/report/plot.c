#include "plot.h"

#include <math.h>
#include <stdlib.h>

#include "axis.h"
#include "markup.h"

enum {
    WIDTH = 480,
    MARGIN = 8,
    LETTER = 7, /* widest usual letter at the size of report.css */
    NAME_LETTERS = 18,
    LINE = 22, /* height of a row of dots */
    LEGEND = 20,
    FOOT = 38, /* ticks and the name of the axis */
    SCATTER_HEIGHT = 380,
    LABEL_GAP = 13,
    LABEL_FAR = 5 * LABEL_GAP,
    LABELS_MAX = 64
};

static double number_at(const struct doc_plot *plot, int row, int column)
{
    const struct doc_cell *cell = doc_at(plot->table, row, column);

    return cell->kind == DOC_NUMBER ? cell->number : NAN;
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

static double error_at(const struct doc_plot *plot, int row, int s)
{
    int column = plot->series[s].error;
    double error = column < 0 ? NAN : number_at(plot, row, column);

    return isfinite(error) ? error : 0;
}

/* Where the bar of a value ends, below and above. */
static void ends_at(double out[2], const struct doc_plot *plot, int row, int s)
{
    double value = number_at(plot, row, plot->series[s].value), error = error_at(plot, row, s);

    out[0] = plot->series[s].chance ? fmax(0, value - error) : value - error;
    out[1] = plot->series[s].chance ? fmin(1, value + error) : value + error;
}

static bool has_point(const struct doc_plot *plot, int row)
{
    bool all = true, any = false;

    for (int s = 0; s < plot->series_count; s++) {
        bool finite = isfinite(number_at(plot, row, plot->series[s].value));

        all = all && finite;
        any = any || finite;
    }
    return plot->kind == DOC_PLOT_SCATTER ? all : any;
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

/* The extent of the values of series first..last, with their bars; a bar much longer than the rest
 * is wide does not squeeze everything else, it is cut at the edge. */
static void extent(double *low, double *high, const struct doc_plot *plot, int first, int last)
{
    double least = INFINITY, most = -INFINITY, span;

    for (int pass = 0; pass < 2; pass++) {
        span = most - least;
        for (int row = 0; row < plot->table->rows; row++) {
            for (int s = first; s <= last; s++) {
                double value = number_at(plot, row, plot->series[s].value);
                double bar = pass == 0 ? 0 : error_at(plot, row, s);

                if (pass == 1 && span > 0 && bar > span / 2) {
                    bar = span / 2;
                }
                if (isfinite(value)) {
                    double ends[2];

                    ends_at(ends, plot, row, s);
                    least = fmin(least, fmax(ends[0], value - bar));
                    most = fmax(most, fmin(ends[1], value + bar));
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

static void line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class, x1, y1, x2, y2);
}

/* A circle for the first series, a square for the second: they differ without colour too. */
static void point(FILE *out, int s, double x, double y)
{
    if (s == 0) {
        fprintf(out, "<circle class=\"s0\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", x, y);
    } else {
        fprintf(out, "<rect class=\"s1\" x=\"%.1f\" y=\"%.1f\" width=\"7.4\" height=\"7.4\"/>\n",
                x - 3.7, y - 3.7);
    }
}

static void words(FILE *out, const char *class, double x, double y, const char *text, int most)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    markup_cut(out, text, most);
    fputs("</text>\n", out);
}

static void tick_words(FILE *out, const char *class, double x, double y, const struct axis *axis,
                       double value)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%.*f</text>\n", class, x, y,
            axis->decimals, fabs(value) < axis->step / 2 ? 0.0 : value);
}

static int ticks_of(const struct axis *axis)
{
    return 1 + (int)floor((axis->high - axis->first) / axis->step + 1e-9);
}

/* Grid and numbers below. */
static void across(FILE *out, const struct axis *axis, double top, double bottom, const char *name)
{
    for (int i = 0; i < ticks_of(axis); i++) {
        double value = axis->first + i * axis->step, x = axis_at(axis, value);

        line(out, "grid", x, top, x, bottom);
        tick_words(out, "tick mid", x, bottom + 14, axis, value);
    }
    words(out, "axis mid", (axis->from + axis->to) / 2, bottom + 31, name, 70);
}

/* Grid and numbers at the left. */
static void upward(FILE *out, const struct axis *axis, double left, double right, const char *name)
{
    for (int i = 0; i < ticks_of(axis); i++) {
        double value = axis->first + i * axis->step, y = axis_at(axis, value);

        line(out, "grid", left, y, right, y);
        tick_words(out, "tick end", left - 5, y + 4, axis, value);
    }
    words(out, "axis", MARGIN, 12, name, 70);
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

/* --------------------------------------------------------------------- dots */

static int gutter_of(const struct doc_plot *plot)
{
    int longest = 3;

    for (int row = 0; row < plot->table->rows; row++) {
        int length = has_point(plot, row) ? markup_length(label_at(plot, row)) : 0;

        longest = length > longest ? length : longest;
    }
    return MARGIN + LETTER * (longest < NAME_LETTERS ? longest : NAME_LETTERS) + 4;
}

static void legend(FILE *out, const struct doc_plot *plot, double x)
{
    for (int s = 0; s < plot->series_count; s++) {
        point(out, s, x + 6, 10);
        words(out, "label", x + 15, 14, plot->series[s].name, 40);
        x += 30 + (LETTER - 1) * markup_length(plot->series[s].name);
    }
}

static void bar(FILE *out, const struct axis *axis, int s, double value, const double ends[2],
                double y)
{
    double from = axis_kept(axis, ends[0]), to = axis_kept(axis, ends[1]);
    char class[16];

    snprintf(class, sizeof class, "bar b%d", s);
    if (ends[1] > ends[0]) {
        line(out, class, from, y, to, y);
        if (ends[0] >= axis->low) {
            line(out, class, from, y - 4, from, y + 4);
        }
        if (ends[1] <= axis->high) {
            line(out, class, to, y - 4, to, y + 4);
        }
    }
    point(out, s, axis_kept(axis, value), y);
}

static void dots(FILE *out, const struct doc_plot *plot, int id)
{
    int series = plot->series_count, rows = points_of(plot);
    int height = LINE + (series - 1) * 12, left = gutter_of(plot);
    int top = series > 1 ? LEGEND + MARGIN : MARGIN, bottom = top + rows * height;
    double low, high, y = top + height / 2.0;
    struct axis axis;

    extent(&low, &high, plot, 0, series - 1);
    axis_init(&axis, low, high, left + 6, WIDTH - 2 * MARGIN, 5);
    open_svg(out, plot, id, bottom + FOOT);
    if (series > 1) {
        legend(out, plot, left);
    }
    across(out, &axis, top, bottom, plot->axis[0]);
    if (isfinite(plot->zero)) {
        line(out, "zero", axis_at(&axis, plot->zero), top, axis_at(&axis, plot->zero), bottom);
    }
    for (int row = 0; row < plot->table->rows; row++) {
        if (!has_point(plot, row)) {
            continue;
        }
        words(out, "label end", left, y + 4, label_at(plot, row), NAME_LETTERS);
        for (int s = 0; s < series; s++) {
            double value = number_at(plot, row, plot->series[s].value);

            if (isfinite(value)) {
                double ends[2];

                ends_at(ends, plot, row, s);
                bar(out, &axis, s, value, ends, y + (series > 1 ? (s == 0 ? -6 : 6) : 0));
            }
        }
        y += height;
    }
    fputs("</svg>\n", out);
}

/* ------------------------------------------------------------------ scatter */

struct label {
    int row;
    double x, y, at; /* of the point, and where the label stands */
};

static int by_height(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    return x->y < y->y ? -1 : x->y > y->y;
}

/* Labels whose points are at nearly one height and side by side are moved down below each other.
 * One that would come too far from its point is left out: the table has every number. */
static void part_labels(struct label *labels, int count)
{
    qsort(labels, (size_t)count, sizeof *labels, by_height);
    for (int i = 0; i < count; i++) {
        labels[i].at = labels[i].y;
        for (int k = 0; k < i; k++) {
            if (fabs(labels[i].x - labels[k].x) < LETTER * NAME_LETTERS &&
                labels[i].at - labels[k].at < LABEL_GAP) {
                labels[i].at = labels[k].at + LABEL_GAP;
            }
        }
    }
}

static void scatter_labels(FILE *out, const struct doc_plot *plot, const struct axis *across_axis,
                           const struct axis *up)
{
    struct label labels[LABELS_MAX] = {{.row = 0}};
    int count = 0;

    for (int row = 0; row < plot->table->rows && count < LABELS_MAX; row++) {
        if (has_point(plot, row)) {
            labels[count++] = (struct label){
                row, axis_at(across_axis, number_at(plot, row, plot->series[0].value)),
                axis_at(up, number_at(plot, row, plot->series[1].value)), 0};
        }
    }
    part_labels(labels, count);
    for (int i = 0; i < count; i++) {
        const char *text = label_at(plot, labels[i].row);
        int length = markup_length(text);
        bool left = labels[i].x + 8 + LETTER * (length < NAME_LETTERS ? length : NAME_LETTERS) >
                    WIDTH - MARGIN;
        double x = labels[i].x + (left ? -8 : 8);

        if (labels[i].at - labels[i].y > LABEL_FAR || labels[i].at > up->from) {
            continue;
        }
        if (labels[i].at - labels[i].y > 2) {
            line(out, "leader", labels[i].x, labels[i].y, x, labels[i].at - 8);
        }
        words(out, left ? "label halo end" : "label halo", x, labels[i].at - 5, text, NAME_LETTERS);
    }
}

static void scatter(FILE *out, const struct doc_plot *plot, int id)
{
    const double left = 52, right = WIDTH - MARGIN, top = 22, bottom = SCATTER_HEIGHT - FOOT;
    struct axis x, y;
    double low, high;

    extent(&low, &high, plot, 0, 0);
    axis_init(&x, low, high, left, right, 5);
    extent(&low, &high, plot, 1, 1);
    axis_init(&y, low, high, bottom, top, 6);
    open_svg(out, plot, id, SCATTER_HEIGHT);
    across(out, &x, top, bottom, plot->axis[0]);
    upward(out, &y, left, right, plot->axis[1]);
    if (isfinite(plot->zero)) {
        line(out, "zero", axis_at(&x, plot->zero), top, axis_at(&x, plot->zero), bottom);
        line(out, "zero", left, axis_at(&y, plot->zero), right, axis_at(&y, plot->zero));
    }
    for (int row = 0; row < plot->table->rows; row++) {
        double at_x, at_y, across_x[2], along_y[2];

        if (!has_point(plot, row)) {
            continue;
        }
        at_x = axis_at(&x, number_at(plot, row, plot->series[0].value));
        at_y = axis_at(&y, number_at(plot, row, plot->series[1].value));
        ends_at(across_x, plot, row, 0);
        ends_at(along_y, plot, row, 1);
        line(out, "bar b0 faint", axis_kept(&x, across_x[0]), at_y, axis_kept(&x, across_x[1]),
             at_y);
        line(out, "bar b0 faint", at_x, axis_kept(&y, along_y[0]), at_x, axis_kept(&y, along_y[1]));
        point(out, 0, at_x, at_y);
    }
    scatter_labels(out, plot, &x, &y);
    fputs("</svg>\n", out);
}

void plot_write(FILE *out, const struct doc_plot *plot, int id)
{
    if (plot_has_data(plot)) {
        (plot->kind == DOC_PLOT_DOTS ? dots : scatter)(out, plot, id);
    }
}
