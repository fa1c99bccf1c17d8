#define _GNU_SOURCE /* open_memstream, strdup */
#include "judgement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Copies NULL as NULL; returns false without memory. */
static bool copy_bytes(void *out, const void *bytes, size_t size)
{
    void *copy = NULL;

    if (bytes != NULL && size > 0) {
        copy = malloc(size);
        if (copy == NULL) {
            return false;
        }
        memcpy(copy, bytes, size);
    }
    memcpy(out, &copy, sizeof copy);
    return true;
}

static bool copy_text(char **out, const char *text)
{
    return copy_bytes(out, text, text == NULL ? 0 : strlen(text) + 1);
}

struct judgement *judgement_copy(const struct judgement *judgement)
{
    struct judgement *copy = malloc(sizeof *copy);

    if (copy == NULL) {
        return NULL;
    }
    *copy = *judgement;
    copy->game_id = copy->judge = copy->hash = NULL;
    copy->roll = NULL;
    copy->choice = NULL;
    if (!copy_text(&copy->game_id, judgement->game_id) ||
        !copy_text(&copy->judge, judgement->judge) || !copy_text(&copy->hash, judgement->hash) ||
        !copy_bytes(&copy->roll, judgement->roll, judgement->rolls * sizeof *judgement->roll) ||
        !copy_bytes(&copy->choice, judgement->choice,
                    judgement->choices * sizeof *judgement->choice)) {
        judgement_destroy(copy);
        return NULL;
    }
    return copy;
}

/* --- as text --------------------------------------------------------------------------------- */

char *judgement_rolls_text(const struct judgement *judgement)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < judgement->rolls; i++) {
        const struct judged_roll *roll = &judgement->roll[i];

        fprintf(out, "%d %d %.10g", roll->step, roll->bot, roll->luck);
        if (roll->se > 0) {
            fprintf(out, " %.4g", roll->se);
        }
        fputc('\n', out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *judgement_choices_text(const struct judgement *judgement)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < judgement->choices; i++) {
        const struct judged_choice *choice = &judgement->choice[i];

        fprintf(out, "%d %d %s %d %.10g %.10g %s\n", choice->step, choice->bot,
                kind_words[choice->kind], choice->counted, choice->error, choice->loss,
                choice->best);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
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
    out->roll = calloc(lines + 1, sizeof *out->roll);
    if (out->roll == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "rolls of a judgement");
    }
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
    out->choice = calloc(lines + 1, sizeof *out->choice);
    if (out->choice == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "choices of a judgement");
    }
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
