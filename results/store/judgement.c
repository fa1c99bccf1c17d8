/* Rolls and choices are stored as lines of text: an event has millions of them, each a few
 * bytes, and as rows of a table they would cost more in keys than in numbers. As text they can
 * be looked at with any tool. */
#include "judgement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

static const char *const kind_words[] = {"play", "double", "take"};

enum { KINDS = sizeof kind_words / sizeof kind_words[0] };

void judgement_destroy(struct judgement *judgement)
{
    if (judgement != NULL) {
        free(judgement->game_id);
        free(judgement->judge);
        free(judgement->hash);
        free(judgement->roll);
        free(judgement->choice);
        free(judgement);
    }
}

struct judgement *judgement_copy(const struct judgement *judgement)
{
    struct judgement *copy = memory_zeroed(1, sizeof *copy);

    *copy = *judgement;
    copy->game_id = memory_text(judgement->game_id);
    copy->judge = memory_text(judgement->judge);
    copy->hash = memory_text(judgement->hash);
    copy->roll = memory_zeroed(judgement->rolls, sizeof *copy->roll);
    copy->choice = memory_zeroed(judgement->choices, sizeof *copy->choice);
    for (size_t i = 0; i < judgement->rolls; i++) {
        copy->roll[i] = judgement->roll[i];
    }
    for (size_t i = 0; i < judgement->choices; i++) {
        copy->choice[i] = judgement->choice[i];
    }
    return copy;
}

/* --- as text --------------------------------------------------------------------------------- */

char *judgement_rolls_text(const struct judgement *judgement)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);

    for (size_t i = 0; i < judgement->rolls; i++) {
        const struct judged_roll *roll = &judgement->roll[i];

        fprintf(out, "%d %d %.10g", roll->step, roll->bot, roll->luck);
        if (roll->se > 0) {
            fprintf(out, " %.4g", roll->se);
        }
        fputc('\n', out);
    }
    memory_stream_close(out);
    return text;
}

char *judgement_choices_text(const struct judgement *judgement)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);

    for (size_t i = 0; i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];

        fprintf(out, "%d %d %s %d %.10g %.10g %s\n", choice->step, choice->bot,
                kind_words[choice->kind], choice->counted, choice->error, choice->loss,
                choice->best);
    }
    memory_stream_close(out);
    return text;
}

static bool read_int(const char **at, int *out)
{
    char *end;
    long value = strtol(*at, &end, 10);

    if (end == *at || *end != ' ' || value < 0 || value > 1000000) {
        return false;
    }
    *out = (int)value;
    *at = end + 1;
    return true;
}

/* strtod reads "nan" and "inf" too, which no judge has. */
static bool read_real(const char **at, double *out, char behind)
{
    char *end;

    *out = strtod(*at, &end);
    if (end == *at || *end != behind || !isfinite(*out)) {
        return false;
    }
    *at = end + 1;
    return true;
}

static bool read_kind(const char **at, enum judged_kind *out)
{
    for (int i = 0; i < KINDS; i++) {
        size_t length = strlen(kind_words[i]);

        if (strncmp(*at, kind_words[i], length) == 0 && (*at)[length] == ' ') {
            *out = (enum judged_kind)i;
            *at += length + 1;
            return true;
        }
    }
    return false;
}

static bool read_roll(const char **at, struct judged_roll *out)
{
    if (!read_int(at, &out->step) || !read_int(at, &out->bot) || out->bot > 1) {
        return false;
    }
    out->se = 0;
    return read_real(at, &out->luck, '\n') ||
           (read_real(at, &out->luck, ' ') && read_real(at, &out->se, '\n') && out->se > 0);
}

static bool read_choice(const char **at, struct judged_choice *out)
{
    int counted;
    size_t length;

    if (!read_int(at, &out->step) || !read_int(at, &out->bot) || out->bot > 1 ||
        !read_kind(at, &out->kind) || !read_int(at, &counted) || counted > 1 ||
        !read_real(at, &out->error, ' ') || !read_real(at, &out->loss, ' ')) {
        return false;
    }
    out->counted = counted == 1;
    length = strcspn(*at, "\n");
    if (length >= sizeof out->best || (*at)[length] != '\n') {
        return false;
    }
    memcpy(out->best, *at, length);
    out->best[length] = '\0';
    *at += length + 1;
    return true;
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;

    for (; *text != '\0'; text++) {
        lines += *text == '\n' || text[1] == '\0';
    }
    return lines;
}

enum bg_status judgement_read_rolls(struct judgement *out, const char *text, struct bg_error *err)
{
    size_t lines = lines_of(text);

    free(out->roll);
    out->rolls = 0;
    out->roll = memory_zeroed(lines, sizeof *out->roll);
    for (size_t i = 0; i < lines; i++) {
        if (!read_roll(&text, &out->roll[i])) {
            return bg_error_set(err, BG_E_FORMAT,
                                "judgement: roll line %zu is not 'STEP BOT LUCK [SE]'", i + 1);
        }
    }
    out->rolls = lines;
    return BG_OK;
}

enum bg_status judgement_read_choices(struct judgement *out, const char *text, struct bg_error *err)
{
    size_t lines = lines_of(text);

    free(out->choice);
    out->choices = 0;
    out->choice = memory_zeroed(lines, sizeof *out->choice);
    for (size_t i = 0; i < lines; i++) {
        if (!read_choice(&text, &out->choice[i])) {
            return bg_error_set(
                err, BG_E_FORMAT,
                "judgement: choice line %zu is not 'STEP BOT KIND COUNTED ERROR LOSS BEST'", i + 1);
        }
    }
    out->choices = lines;
    return BG_OK;
}
