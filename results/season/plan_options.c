/* The options of all forms are rows with an offset into struct plan_stage, so that reading,
 * writing, help and refusals follow from one line; what a row cannot say (options that exclude
 * each other) is in plan.c. */
#include "plan_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND_ROBIN = PLAN_BIT(PLAN_CIRCLE) | PLAN_BIT(PLAN_GAUNTLET),
    ENDLESS = PLAN_BIT(PLAN_LADDER) | PLAN_BIT(PLAN_LEAGUE),
    SHARED = ROUND_ROBIN | PLAN_BIT(PLAN_SWISS) | PLAN_BIT(PLAN_LEAGUE),
    GROUPED = PLAN_ALL & ~PLAN_BIT(PLAN_GAUNTLET),
    WINDOW = 200, /* meetings of a league that count */
    REACH = 2,    /* places on a ladder */
    PLAYOFF = 3,
    MOST_PAIRS = 1000000000,
    MOST_LENGTH = 10000 /* points of a match, as in the event file */
};

#define STAGE(member) offsetof(struct plan_stage, member)
#define NO_YES                                                                                     \
    {                                                                                              \
        "no", "yes"                                                                                \
    }

/* Words are stored as int through an offset. */
_Static_assert(sizeof(enum plan_tie) == sizeof(int), "an enum is an int");
_Static_assert(sizeof(enum circle_table) == sizeof(int), "an enum is an int");
_Static_assert(sizeof(enum swiss_late) == sizeof(int), "an enum is an int");

/* name, forms, kind, least, most, words, at, length, terms */
const struct plan_option plan_options[PLAN_OPTIONS] = {
    {"take", PLAN_ALL, PLAN_COUNT, 1, 10000, {0}, STAGE(take), 0, -1},
    {"groups", GROUPED, PLAN_COUNT, 1, 1000, {0}, STAGE(groups), 0, -1},
    {"pairs", PLAN_ALL, PLAN_COUNT, 1, MOST_PAIRS, {0}, STAGE(count), 0, PLAN_PAIRS},
    {"match", PLAN_ALL, PLAN_COUNT, 1, MOST_LENGTH, {0}, STAGE(count), 0, PLAN_MATCH},
    {"best_of", PLAN_ALL, PLAN_ODD, 1, 9999, {0}, STAGE(count), 0, PLAN_BEST_OF},
    {"points", PLAN_ALL, PLAN_COUNT, 1, 1000000, {0}, STAGE(count), 0, PLAN_POINTS},
    {"length", PLAN_ALL, PLAN_COUNT, 1, MOST_LENGTH, {0}, STAGE(length), 0, -1},
    {"heroes",
     PLAN_BIT(PLAN_GAUNTLET),
     PLAN_NAMES,
     0,
     PLAN_HEROES,
     {0},
     STAGE(hero),
     STAGE(heroes),
     -1},
    {"cycles", ROUND_ROBIN, PLAN_COUNT, 1, 1000, {0}, STAGE(cycles), 0, -1},
    {"table", PLAN_BIT(PLAN_CIRCLE), PLAN_WORD, 0, 0, {"circle", "berger"}, STAGE(table), 0, -1},
    {"rounds", PLAN_BIT(PLAN_SWISS), PLAN_COUNT, 1, 10000, {0}, STAGE(rounds), 0, -1},
    {"late", PLAN_BIT(PLAN_SWISS), PLAN_WORD, 0, 0, {"nothing", "half"}, STAGE(late), 0, -1},
    {"third_place", PLAN_BIT(PLAN_KNOCKOUT), PLAN_FLAG, 0, 0, NO_YES, STAGE(third_place), 0, -1},
    {"reach", PLAN_BIT(PLAN_LADDER), PLAN_COUNT, 1, 1000, {0}, STAGE(reach), 0, -1},
    {"swap", PLAN_BIT(PLAN_LADDER), PLAN_FLAG, 0, 0, NO_YES, STAGE(swap), 0, -1},
    {"window", PLAN_BIT(PLAN_LEAGUE), PLAN_COUNT, 1, MOST_PAIRS, {0}, STAGE(window), 0, -1},
    {"anchors",
     PLAN_BIT(PLAN_LEAGUE),
     PLAN_NAMES,
     0,
     PLAN_ANCHORS,
     {0},
     STAGE(anchor),
     STAGE(anchors),
     -1},
    {"anchor_pairs", PLAN_BIT(PLAN_LEAGUE), PLAN_FLAG, 0, 0, NO_YES, STAGE(anchor_pairs), 0, -1},
    {"meetings", ENDLESS, PLAN_COUNT, 1, MOST_PAIRS, {0}, STAGE(meetings), 0, -1},
    {"tie", SHARED, PLAN_WORD, 0, 0, {"shared", "playoff"}, STAGE(tie), 0, -1},
    {"playoff", SHARED, PLAN_ODD, 1, 99, {0}, STAGE(playoff), 0, -1},
    {"playoff_length", SHARED, PLAN_COUNT, 1, MOST_LENGTH, {0}, STAGE(playoff_length), 0, -1},
};

void plan_stage_default(struct plan_stage *out, enum plan_form form)
{
    *out = (struct plan_stage){.form = form,
                               .groups = 1,
                               .cycles = 1,
                               .reach = REACH,
                               .window = WINDOW,
                               .playoff = PLAYOFF};
}

/* 18 digits at most, which always fit; strtoll's own overflow would need errno. */
static enum bg_status count_read(int *out, const struct plan_option *option, const char *value,
                                 struct bg_error *err)
{
    size_t digits = strspn(value, "0123456789");
    long long number = digits > 0 && digits < 18 ? strtoll(value, NULL, 10) : -1;
    bool odd = option->kind == PLAN_ODD;

    if (value[digits] != '\0' || number < option->least || number > option->most ||
        (odd && number % 2 == 0)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s=%.40s: not %s number from %d to %d",
                            option->name, value, odd ? "an odd" : "a whole", option->least,
                            option->most);
    }
    *out = (int)number;
    return BG_OK;
}

static enum bg_status word_read(int *out, const struct plan_option *option, const char *value,
                                struct bg_error *err)
{
    for (int i = 0; i < 2; i++) {
        if (strcmp(value, option->words[i]) == 0) {
            *out = i;
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_ARGUMENT, "%s=%.40s: neither %s nor %s", option->name, value,
                        option->words[0], option->words[1]);
}

/* Returns whether text[0..length-1] can be a name: 1 to 64 visible ASCII characters. */
static bool may_be_name(const char *text, size_t length)
{
    bool fine = length > 0 && length < PLAN_NAME;

    for (size_t i = 0; fine && i < length; i++) {
        fine = text[i] > ' ' && text[i] <= '~';
    }
    return fine;
}

static enum bg_status names_read(char (*out)[PLAN_NAME], int *count,
                                 const struct plan_option *option, const char *value,
                                 struct bg_error *err)
{
    const char *at = value;

    *count = 0;
    for (bool more = true; more; at++) {
        size_t length = strcspn(at, ",");

        if (!may_be_name(at, length)) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "%s=%.40s: not a list of bots' names like ann,bob", option->name,
                                value);
        }
        if (*count == option->most) {
            return bg_error_set(err, BG_E_ARGUMENT, "%s: more than %d names", option->name,
                                option->most);
        }
        for (int i = 0; i < *count; i++) {
            if (strlen(out[i]) == length && memcmp(out[i], at, length) == 0) {
                return bg_error_set(err, BG_E_ARGUMENT, "%s: %s is named twice", option->name,
                                    out[i]);
            }
        }
        memcpy(out[*count], at, length);
        out[(*count)++][length] = '\0';
        at += length;
        more = *at == ',';
    }
    return BG_OK;
}

enum bg_status plan_option_read(struct plan_stage *stage, const struct plan_option *option,
                                const char *value, struct bg_error *err)
{
    char *base = (char *)stage;
    enum bg_status status = BG_OK;
    int word = 0;

    switch (option->kind) {
    case PLAN_COUNT:
    case PLAN_ODD:
        status = count_read((int *)(void *)(base + option->at), option, value, err);
        break;
    case PLAN_WORD:
        status = word_read((int *)(void *)(base + option->at), option, value, err);
        break;
    case PLAN_FLAG:
        status = word_read(&word, option, value, err);
        *(bool *)(base + option->at) = word == 1;
        break;
    case PLAN_NAMES:
        status = names_read((char(*)[PLAN_NAME])(base + option->at),
                            (int *)(void *)(base + option->length), option, value, err);
        break;
    }
    if (status == BG_OK && option->terms >= 0) {
        stage->terms = (enum plan_terms)option->terms;
    }
    return status;
}

static int option_value(const struct plan_stage *stage, const struct plan_option *option)
{
    const char *base = (const char *)stage;

    if (option->kind == PLAN_FLAG) {
        return *(const bool *)(base + option->at);
    }
    return *(const int *)(const void *)(base +
                                        (option->kind == PLAN_NAMES ? option->length : option->at));
}

int plan_option_write(char *out, size_t room, const struct plan_stage *stage,
                      const struct plan_option *option)
{
    int value = option_value(stage, option);
    int used = 0;

    if (option->kind == PLAN_WORD || option->kind == PLAN_FLAG) {
        return snprintf(out, room, "%s", option->words[value != 0]);
    }
    if (option->kind != PLAN_NAMES) {
        return snprintf(out, room, "%d", value);
    }
    for (int i = 0; i < value; i++) {
        const char *name = (const char *)stage + option->at + (size_t)i * PLAN_NAME;
        size_t left = (size_t)used < room ? room - (size_t)used : 0;

        used += snprintf(left > 0 ? out + used : NULL, left, "%s%s", i > 0 ? "," : "", name);
    }
    return used;
}

/* By comparing with the default and not by a flag: "rounds=5" that equals the default is the
 * same plan, and must be stored as the same text. */
bool plan_option_is_set(const struct plan_stage *stage, const struct plan_option *option)
{
    struct plan_stage plain;

    if ((option->forms & PLAN_BIT(stage->form)) == 0) {
        return false;
    }
    if (option->terms >= 0) {
        return option->terms == (int)stage->terms;
    }
    plan_stage_default(&plain, stage->form);
    return option_value(stage, option) != option_value(&plain, option);
}
