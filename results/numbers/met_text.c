/* Match equity tables as text: reads tables from files and checks every table. */
#define _GNU_SOURCE
#include "met.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SUM_TOLERANCE = 1e-9;
static const char BLANKS[] = " \t,\r\n";

/* --- the laws of a table ------------------------------------------------------------------ */

/* Whether x is not a number between 0 and 1; NaN is not such a number either. */
static bool is_chance(double x)
{
    return x >= 0 && x <= 1;
}

static enum bg_status check_cell(const struct met *met, int i, int j, struct bg_error *err)
{
    double here = met_chance(met, i, j, MET_NORMAL), mirror = met_chance(met, j, i, MET_NORMAL);

    if (!is_chance(here)) {
        return bg_error_set(err, BG_E_FORMAT, "%d-away %d-away: %g is not a chance between 0 and 1",
                            i, j, here);
    }
    /* written so that NaN fails too */
    if (!(fabs(here + mirror - 1) <= SUM_TOLERANCE)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%d-away %d-away: %.9g and its mirror %.9g sum to %.9g, not to 1", i, j,
                            here, mirror, here + mirror);
    }
    if (i > 1 && here > met_chance(met, i - 1, j, MET_NORMAL)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%d-away %d-away: %.9g is more than with 1 point fewer to go, %.9g", i,
                            j, here, met_chance(met, i - 1, j, MET_NORMAL));
    }
    if (j > 1 && here < met_chance(met, i, j - 1, MET_NORMAL)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%d-away %d-away: %.9g is less than against 1 point fewer, %.9g", i, j,
                            here, met_chance(met, i, j - 1, MET_NORMAL));
    }
    return BG_OK;
}

enum bg_status met_check(const struct met *met, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 1; status == BG_OK && i <= met->away; i++) {
        for (int j = 1; status == BG_OK && j <= met->away; j++) {
            status = check_cell(met, i, j, err);
        }
    }
    for (int k = 1; status == BG_OK && k <= met->away; k++) {
        double here = met->post[k - 1], before = k > 1 ? met->post[k - 2] : here;

        if (!is_chance(here) || here > before) {
            status =
                bg_error_set(err, BG_E_FORMAT,
                             "post-Crawford %d-away: %.9g is not a chance, or is above %.9g with "
                             "1 point fewer to go",
                             k, here, before);
        }
    }
    if (status == BG_OK && !(fabs(met->post[0] - 0.5) <= SUM_TOLERANCE / 2)) {
        status = bg_error_set(err, BG_E_FORMAT, "post-Crawford 1-away: %.9g, not one half",
                              met->post[0]);
    }
    return status;
}

/* --- reading ------------------------------------------------------------------------------ */

struct met_text_reader {
    FILE *in;
    const char *file;
    char *text; /* the line's text, owned */
    size_t room;
    int line;
    char *rest; /* what strtok has not read yet */
    struct bg_error *err;
};

static enum bg_status wrong_met(const struct met_text_reader *reader, const char *what)
{
    return bg_error_set(reader->err, BG_E_FORMAT, "%s:%d: %s", reader->file, reader->line, what);
}

/* Returns the first word of the next line that is not empty or a comment; NULL at the end. */
static char *next_met_line(struct met_text_reader *reader)
{
    while (getline(&reader->text, &reader->room, reader->in) >= 0) {
        char *word = NULL;

        reader->line++;
        word = strtok_r(reader->text, BLANKS, &reader->rest);
        if (word != NULL && word[0] != '#') {
            return word;
        }
    }
    return NULL;
}

static char *next_word(struct met_text_reader *reader)
{
    return strtok_r(NULL, BLANKS, &reader->rest);
}

/* Reads the first line: away 1 2 ... n. */
static enum bg_status read_away_head(int *away, struct met_text_reader *reader)
{
    const char *word = next_met_line(reader);
    char expected[16];

    if (word == NULL || strcmp(word, "away") != 0) {
        return wrong_met(reader, "needs the line: away 1 2 3 ...");
    }
    *away = 0;
    while ((word = next_word(reader)) != NULL) {
        snprintf(expected, sizeof expected, "%d", *away + 1);
        if (*away == MET_AWAY_MAX || strcmp(word, expected) != 0) {
            return wrong_met(reader, "after away needs 1 2 3 ..., at most to 128");
        }
        ++*away;
    }
    return *away > 0 ? BG_OK : wrong_met(reader, "after away needs 1 2 3 ...");
}

static enum bg_status read_chances(double *out, int count, struct met_text_reader *reader)
{
    char what[96];

    for (int j = 0; j < count; j++) {
        const char *word = next_word(reader);
        char *end = NULL;

        out[j] = word == NULL ? NAN : strtod(word, &end);
        if (word == NULL || *end != '\0' || !isfinite(out[j])) {
            snprintf(what, sizeof what, "needs %d chances, number %d is '%.30s'", count, j + 1,
                     word == NULL ? "missing" : word);
            return wrong_met(reader, what);
        }
    }
    return next_word(reader) == NULL ? BG_OK : wrong_met(reader, "has more chances than the head");
}

static enum bg_status read_rows(struct met *met, struct met_text_reader *reader)
{
    enum bg_status status = BG_OK;
    const char *word = NULL;
    char expected[16];

    for (int i = 1; status == BG_OK && i <= met->away; i++) {
        word = next_met_line(reader);
        snprintf(expected, sizeof expected, "%d", i);
        status = word != NULL && strcmp(word, expected) == 0
                     ? read_chances(&met->game[(i - 1) * met->away], met->away, reader)
                     : wrong_met(reader, "rows need to be 1, 2, 3 ... as in the head");
    }
    if (status != BG_OK) {
        return status;
    }
    word = next_met_line(reader);
    if (word == NULL) {
        /* A file without this row has its own scores only: those of the model are better than
         * none. */
        struct met model;

        status = met_model(&model, met->away, reader->err);
        if (status == BG_OK) {
            memcpy(met->post, model.post, (size_t)met->away * sizeof *met->post);
            met_deinit(&model);
        }
        return status;
    }
    if (strcmp(word, "post") != 0) {
        return wrong_met(reader, "after the rows there may be a row post, nothing else");
    }
    status = read_chances(met->post, met->away, reader);
    return status == BG_OK && next_met_line(reader) != NULL
               ? wrong_met(reader, "post is the last row")
               : status;
}

enum bg_status met_read(struct met *out, FILE *in, const char *file, struct bg_error *err)
{
    struct met_text_reader reader = {.in = in, .file = file, .err = err};
    struct bg_error trouble = {0};
    int away = 0;
    enum bg_status status = read_away_head(&away, &reader);

    *out = (struct met){0};
    if (status == BG_OK) {
        met_init(out, away);
        status = read_rows(out, &reader);
    }
    if (ferror(in)) {
        status = bg_error_set(err, BG_E_SYSTEM, "read %s: %s", file, strerror(errno));
    } else if (status == BG_OK) {
        status = met_check(out, &trouble);
        if (status != BG_OK) {
            bg_error_set(err, status, "%s: %s", file, trouble.text);
        }
    }
    free(reader.text);
    if (status != BG_OK) {
        met_deinit(out);
    }
    return status;
}
