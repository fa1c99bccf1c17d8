/* The bounds of a histogram are fixed and few, though its own places are finer: a monitor keeps
 * a series for each bound of each event, and only equal bounds can be added. */
#include "metrics_text.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BOUND_FIRST = 10, BOUND_LAST = 36, BOUND_STEP = 2 /* of the power of two */ };
enum { NUMBER = 40, NAME = 100 };

static const char *const kind_words[] = {"counter", "gauge", "histogram"};

/* Backslashes and line feeds, in values of labels also quotation marks, are written with a
 * backslash. */
static void put_text(FILE *out, const char *text, bool quoted)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            fputs("\\n", out);
        } else {
            if (*text == '\\' || (*text == '"' && quoted)) {
                fputc('\\', out);
            }
            fputc(*text, out);
        }
    }
}

/* As short as it can be without loss. */
static void number_write(char out[NUMBER], double value)
{
    if (isnan(value) || isinf(value)) {
        snprintf(out, NUMBER, "%s", isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, NUMBER, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            return;
        }
    }
}

void metrics_family(FILE *out, const char *name, enum metrics_kind kind, const char *help)
{
    fprintf(out, "# HELP %s ", name);
    put_text(out, help, false);
    fprintf(out, "\n# TYPE %s %s\n", name, kind_words[kind]);
}

void metrics_number(FILE *out, const char *name, const struct metrics_label *labels, int count,
                    double value)
{
    char text[NUMBER];

    fputs(name, out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "%c%s=\"", i == 0 ? '{' : ',', labels[i].name);
        put_text(out, labels[i].value, true);
        fputc('"', out);
    }
    number_write(text, value);
    fprintf(out, "%s %s\n", count > 0 ? "}" : "", text);
}

void metrics_durations(FILE *out, const char *name, const struct metrics_label *labels, int count,
                       const struct duration_histogram *durations)
{
    struct metrics_label all[METRICS_LABELS];
    char full[NAME], bound[NUMBER];
    uint64_t below = 0;
    int place = 0;

    assert(count < METRICS_LABELS);
    for (int i = 0; i < count; i++) {
        all[i] = labels[i];
    }
    all[count] = (struct metrics_label){"le", bound};
    snprintf(full, sizeof full, "%s_bucket", name);
    for (int power = BOUND_FIRST; power <= BOUND_LAST; power += BOUND_STEP) {
        while (place < power * HISTOGRAM_STEPS) {
            below += durations->place[place++];
        }
        number_write(bound, exp2(power) / 1e9);
        metrics_number(out, full, all, count + 1, (double)below);
    }
    snprintf(bound, sizeof bound, "+Inf");
    metrics_number(out, full, all, count + 1, (double)durations->count);
    snprintf(full, sizeof full, "%s_sum", name);
    metrics_number(out, full, labels, count, durations->sum_ns / 1e9);
    snprintf(full, sizeof full, "%s_count", name);
    metrics_number(out, full, labels, count, (double)durations->count);
}
