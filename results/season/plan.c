/* Reads and writes the `schedule` of an event. The text is the plan's stored form, so it is
 * written in one spelling only (the table's order, options that have their default left out),
 * and two texts are the same plan if they are written alike. */
#include "plan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan_options.h"
#include "base/closest.h"
#include "base/plural.h"

enum {
    WORD = 1100, /* the longest: heroes=, with 16 names */
    MOST_PAIRS = 1000000000
};

#define BLANKS      " \t\r\n"
#define ROUND_ROBIN "round-robin"

static const char *const form_names[PLAN_FORMS] = {
    "circle", "gauntlet", "swiss", "knockout", "double-elimination", "ladder", "league"};

const char *plan_form_name(enum plan_form form)
{
    return form < PLAN_FORMS ? form_names[form] : "?";
}

/* ------------------------------------------------------------------------------------- reading */

/* The text, word by word. */
struct plan_words {
    const char *at;
    char word[WORD]; /* "": the end */
};

static enum bg_status words_next(struct plan_words *words, struct bg_error *err)
{
    size_t length;

    words->at += strspn(words->at, BLANKS);
    length = strcspn(words->at, BLANKS);
    if (length >= WORD) {
        return bg_error_set(err, BG_E_ARGUMENT, "%.40s...: a word with more than %d characters",
                            words->at, WORD - 1);
    }
    memcpy(words->word, words->at, length);
    words->word[length] = '\0';
    words->at += length;
    return BG_OK;
}

/* Refuses an unknown word and suggests the nearest of the known ones, which are listed. */
static enum bg_status unknown(const char *what, const char *word, const char *const *known,
                              int count, struct bg_error *err)
{
    char list[300] = "";

    for (int i = 0; i < count; i++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    return bg_error_set(err, BG_E_ARGUMENT, "unknown %s '%.40s'%s; known are %s", what, word,
                        closest_perhaps(word, known, count).text, list);
}

/* What a form is called here that has another name elsewhere; the words without '-' and '_'.
 * Words of federations and of other programs: who writes "monrad" has made no mistake in typing,
 * so the nearest word would mislead. */
static const struct {
    const char *word, *here;
} other_names[] = {
    {"singleelimination", "knockout"},
    {"elimination", "knockout"},
    {"cup", "knockout"},
    {"doubleelimination", "double-elimination"},
    {"doubleknockout", "double-elimination"},
    {"monrad", "swiss"},
    {"berger", "circle table=berger"},
    {"roundrobin", "circle (a whole event without rounds: " ROUND_ROBIN ")"},
};

static const char *name_here(const char *word)
{
    char plain[WORD];
    size_t length = 0;

    for (; *word != '\0' && length + 1 < sizeof plain; word++) {
        if (*word != '-' && *word != '_') {
            plain[length++] = *word >= 'A' && *word <= 'Z' ? (char)(*word - 'A' + 'a') : *word;
        }
    }
    plain[length] = '\0';
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        if (strcmp(plain, other_names[i].word) == 0) {
            return other_names[i].here;
        }
    }
    return NULL;
}

static enum bg_status read_form(struct plan_stage *out, const char *word, struct bg_error *err)
{
    const char *known[PLAN_FORMS + 1];

    if (word[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "a form is missing: a schedule is like 'swiss "
                            "rounds=5 then knockout take=4'");
    }
    if (strcmp(word, ROUND_ROBIN) == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            ROUND_ROBIN " is a whole event without rounds and options; a round "
                                        "robin as a stage is 'circle'");
    }
    for (int form = 0; form < PLAN_FORMS; form++) {
        if (strcmp(word, form_names[form]) == 0) {
            plan_stage_default(out, (enum plan_form)form);
            return BG_OK;
        }
    }
    if (name_here(word) != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "unknown form '%.40s': it is called %s here", word,
                            name_here(word));
    }
    memcpy(known, form_names, sizeof form_names);
    known[PLAN_FORMS] = ROUND_ROBIN;
    return unknown("form", word, known, PLAN_FORMS + 1, err);
}

static const struct plan_option *find_option(const char *name)
{
    for (int i = 0; i < PLAN_OPTIONS; i++) {
        if (strcmp(plan_options[i].name, name) == 0) {
            return &plan_options[i];
        }
    }
    return NULL;
}

/* An option of another form is refused, with the options that this form has. */
static enum bg_status refuse_option(enum plan_form form, const char *name, struct bg_error *err)
{
    const char *known[PLAN_OPTIONS];
    char what[64];
    int count = 0;

    for (int i = 0; i < PLAN_OPTIONS; i++) {
        if ((plan_options[i].forms & PLAN_BIT(form)) != 0) {
            known[count++] = plan_options[i].name;
        }
    }
    snprintf(what, sizeof what, "option of %s:", form_names[form]);
    return unknown(what, name, known, count, err);
}

/* What a stage's text has named so far. */
struct named {
    bool option[PLAN_OPTIONS];
    const char *terms; /* the option that chose the terms; NULL: none */
};

static enum bg_status read_option(struct plan_stage *stage, struct named *named, char *word,
                                  struct bg_error *err)
{
    char *value = strchr(word, '=');
    const struct plan_option *option;

    if (value == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is not an option like pairs=10; a further stage begins with "
                            "'then'",
                            word);
    }
    *value++ = '\0';
    option = find_option(word);
    if (option == NULL || (option->forms & PLAN_BIT(stage->form)) == 0) {
        return refuse_option(stage->form, word, err);
    }
    if (named->option[option - plan_options]) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is given twice for %s", word,
                            form_names[stage->form]);
    }
    if (option->terms >= 0 && named->terms != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s and %s exclude each other", named->terms,
                            option->name);
    }
    named->terms = option->terms >= 0 ? option->name : named->terms;
    named->option[option - plan_options] = true;
    return plan_option_read(stage, option, value, err);
}

/* Checks what options say together. */
static enum bg_status check_stage(const struct plan *plan, int i, const struct named *named,
                                  struct bg_error *err)
{
    const struct plan_stage *stage = &plan->stage[i];
    const char *name = form_names[stage->form];

    if (i == 0 && stage->take > 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "take=%d: the first stage takes all entrants; take is for later stages",
                            stage->take);
    }
    if (i > 0 && stage->take == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s after 'then' needs take=N: the number of the best that enter it",
                            name);
    }
    if (stage->form == PLAN_GAUNTLET && stage->heroes == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "gauntlet needs heroes=NAME,...: the bots that meet all others");
    }
    if (stage->form == PLAN_GAUNTLET && i > 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "gauntlet is possible only as the first stage: its heroes must enter");
    }
    if (stage->tie == PLAN_TIE_SHARED && named->option[find_option("playoff") - plan_options]) {
        return bg_error_set(err, BG_E_ARGUMENT, "playoff=%d needs tie=playoff", stage->playoff);
    }
    if (stage->tie == PLAN_TIE_SHARED && stage->playoff_length > 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "playoff_length=%d needs tie=playoff",
                            stage->playoff_length);
    }
    if (stage->terms == PLAN_MATCH && stage->length > 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "match=%d and length=%d: match=N says the length already", stage->count,
                            stage->length);
    }
    if (i > 0 && plan->stage[i - 1].meetings == 0 && plan_is_endless(plan->stage[i - 1].form)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s before 'then' needs meetings=N: without it, it has no end",
                            form_names[plan->stage[i - 1].form]);
    }
    return BG_OK;
}

/* Reads a stage up to "then" (*more: there was one) or the end. */
static enum bg_status read_stage(struct plan *plan, struct plan_words *words, uint64_t pairs,
                                 bool *more, struct bg_error *err)
{
    struct plan_stage *stage = &plan->stage[plan->stages];
    struct named named = {.terms = NULL};
    enum bg_status status = words_next(words, err);

    if (status == BG_OK) {
        status = read_form(stage, words->word, err);
    }
    if (status != BG_OK) {
        return status;
    }
    stage->terms = PLAN_PAIRS;
    stage->count = (int)pairs;
    *more = false;
    while ((status = words_next(words, err)) == BG_OK && words->word[0] != '\0') {
        if (strcmp(words->word, "then") == 0) {
            *more = true;
            break;
        }
        status = read_option(stage, &named, words->word, err);
        if (status != BG_OK) {
            return status;
        }
    }
    return status == BG_OK ? check_stage(plan, plan->stages, &named, err) : status;
}

int plan_length(const struct plan_stage *stage, bool is_playoff, int event)
{
    int length = stage->terms == PLAN_MATCH ? stage->count : stage->length;

    length = is_playoff && stage->playoff_length > 0 ? stage->playoff_length : length;
    return length > 0 ? length : event;
}

/* ------------------------------------------------------------------------------------- writing */

struct plan_text {
    char *out;
    size_t room, used; /* used: also what did not fit */
};

/* Counts on after the room is full, so that plan_read can refuse a text that could not be stored
 * again. */
static void add_words(struct plan_text *text, const char *words)
{
    size_t left = text->used < text->room ? text->room - text->used : 0;

    text->used += (size_t)snprintf(left > 0 ? text->out + text->used : NULL, left, "%s", words);
}

static void write_stage(struct plan_text *text, const struct plan_stage *stage)
{
    char value[WORD];

    add_words(text, plan_form_name(stage->form));
    for (int i = 0; i < PLAN_OPTIONS; i++) {
        if (plan_option_is_set(stage, &plan_options[i])) {
            plan_option_write(value, sizeof value, stage, &plan_options[i]);
            add_words(text, " ");
            add_words(text, plan_options[i].name);
            add_words(text, "=");
            add_words(text, value);
        }
    }
}

/* Returns the length of the whole text. */
static size_t write_plan(char *out, const struct plan *plan)
{
    struct plan_text text = {out, PLAN_TEXT, 0};

    if (plan->stages == 0) {
        add_words(&text, ROUND_ROBIN);
    }
    for (int i = 0; i < plan->stages; i++) {
        add_words(&text, i > 0 ? " then " : "");
        write_stage(&text, &plan->stage[i]);
    }
    return text.used;
}

void plan_write(char *out, const struct plan *plan)
{
    write_plan(out, plan);
}

/* Fills *out only at the end: a caller's plan stays whole if a later stage is refused. */
enum bg_status plan_read(struct plan *out, const char *text, uint64_t pairs, struct bg_error *err)
{
    struct plan *plan = memory_zeroed(1, sizeof *plan);
    struct plan_words words = {.at = text};
    enum bg_status status = BG_OK;
    char written[PLAN_TEXT];
    bool more = true;

    assert(pairs >= 1 && pairs <= MOST_PAIRS);
    status = words_next(&words, err);
    if (status == BG_OK && strcmp(words.word, ROUND_ROBIN) == 0) {
        more = words.at[strspn(words.at, BLANKS)] != '\0'; /* then read_form refuses it */
    }
    words.at = text;
    while (status == BG_OK && more) {
        if (plan->stages == PLAN_STAGES) {
            status = bg_error_set(err, BG_E_ARGUMENT, "more than %d stages", PLAN_STAGES);
            break;
        }
        status = read_stage(plan, &words, pairs, &more, err);
        plan->stages++;
    }
    if (status == BG_OK && write_plan(written, plan) >= PLAN_TEXT) {
        status = bg_error_set(err, BG_E_ARGUMENT, "a schedule with more than %d characters",
                              PLAN_TEXT - 1);
    }
    if (status == BG_OK) {
        *out = *plan;
    }
    free(plan);
    return status;
}

/* ------------------------------------------------------------------------------------- entrants
 * Checked apart from the reading: a schedule is read before it is known who takes part, and the
 * number of entrants changes until the first round. */

static enum bg_status check_names(const char *what, const char (*named)[PLAN_NAME], int count,
                                  const char *const *names, int entrants, struct bg_error *err)
{
    for (int i = 0; i < count; i++) {
        bool found = false;

        for (int k = 0; k < entrants; k++) {
            found = found || strcmp(named[i], names[k]) == 0;
        }
        if (!found) {
            return bg_error_set(err, BG_E_ARGUMENT, "%s=%s: the event has no bot with this name%s",
                                what, named[i], closest_perhaps(named[i], names, entrants).text);
        }
    }
    return BG_OK;
}

/* Compares a stage with the number of its entrants. */
static enum bg_status check_size(const struct plan_stage *stage, int entrants, struct bg_error *err)
{
    const char *name = plan_form_name(stage->form);
    /* Rounded down: if the smallest group can play the form, all can. */
    int size = entrants / stage->groups; /* of the smallest group */

    if (size < 2) {
        return stage->groups == 1
                   ? bg_error_set(err, BG_E_ARGUMENT, "%s needs two entrants, and there %s %d",
                                  name, plural((uint64_t)entrants, "is", "are"), entrants)
                   : bg_error_set(err, BG_E_ARGUMENT,
                                  "groups=%d: %d entrants make groups with fewer than two",
                                  stage->groups, entrants);
    }
    /* In one round more somebody would have to meet an opponent again, which a Swiss never
     * pairs. */
    if (stage->form == PLAN_SWISS && stage->rounds > size - 1 + size % 2) {
        return bg_error_set(err, BG_E_ARGUMENT, "rounds=%d: %d entrants have at most %d rounds",
                            stage->rounds, size, size - 1 + size % 2);
    }
    if (stage->form == PLAN_GAUNTLET && stage->heroes >= entrants) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "heroes: all %d entrants are heroes, so no challenger is left",
                            entrants);
    }
    return BG_OK;
}

enum bg_status plan_check(const struct plan *plan, const char *const *names, int entrants,
                          struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int present = entrants;

    for (int i = 0; i < plan->stages && status == BG_OK; i++) {
        const struct plan_stage *stage = &plan->stage[i];

        if (i > 0) {
            int groups = plan->stage[i - 1].groups;

            if (stage->take > present / groups) {
                return bg_error_set(err, BG_E_ARGUMENT,
                                    "take=%d: the stage before has only %d entrants%s", stage->take,
                                    present / groups, groups > 1 ? " in a group" : "");
            }
            present = stage->take * groups;
        }
        status = check_size(stage, present, err);
        if (status == BG_OK) {
            status = check_names("heroes", stage->hero, stage->heroes, names, entrants, err);
        }
        if (status == BG_OK) {
            status = check_names("anchors", stage->anchor, stage->anchors, names, entrants, err);
        }
    }
    return status;
}

/* ---------------------------------------------------------------------------------- for people */

/* A switch without default: the compiler then says where a new form has no words. */
static void write_form(char *out, size_t room, const struct plan_stage *stage)
{
    switch (stage->form) {
    case PLAN_CIRCLE:
        snprintf(out, room, "a round robin in rounds%s",
                 stage->table == CIRCLE_BERGER ? " by Berger's tables" : "");
        break;
    case PLAN_GAUNTLET:
        snprintf(out, room, "a gauntlet of %d %s", stage->heroes,
                 plural((uint64_t)stage->heroes, "hero", "heroes"));
        break;
    case PLAN_SWISS:
        if (stage->rounds > 0) {
            snprintf(out, room, "a Swiss of %d round%s", stage->rounds,
                     plural_s((uint64_t)stage->rounds));
        } else {
            snprintf(out, room, "a Swiss");
        }
        break;
    case PLAN_KNOCKOUT:
        snprintf(out, room, "a knockout%s",
                 stage->third_place ? " with a meeting for third place" : "");
        break;
    case PLAN_DOUBLE:
        snprintf(out, room, "a double elimination");
        break;
    case PLAN_LADDER:
    case PLAN_LEAGUE:
    case PLAN_FORMS:
        snprintf(out, room, "%s", stage->form == PLAN_LADDER ? "a ladder" : "a continuous league");
        break;
    }
}

static void write_terms(char *out, size_t room, const struct plan_stage *stage)
{
    char length[32] = "";

    if (stage->length > 0) {
        snprintf(length, sizeof length, ", matches to %d", stage->length);
    }
    switch (stage->terms) {
    case PLAN_PAIRS:
        snprintf(out, room, "%d pair%s%s", stage->count, plural_s((uint64_t)stage->count), length);
        break;
    case PLAN_MATCH:
        snprintf(out, room, "one match to %d", stage->count);
        break;
    case PLAN_BEST_OF:
        snprintf(out, room, "best of %d%s", stage->count, length);
        break;
    case PLAN_POINTS:
        snprintf(out, room, "%d game%s with points added%s", stage->count,
                 plural_s((uint64_t)stage->count), length);
        break;
    }
}

void plan_stage_text(char *out, size_t room, const struct plan_stage *stage)
{
    char form[64], terms[64], take[32] = "", cycles[32] = "", groups[32] = "", meetings[48] = "";
    char tie[96] = "";

    write_form(form, sizeof form, stage);
    write_terms(terms, sizeof terms, stage);
    if (stage->take > 0) {
        snprintf(take, sizeof take, " of the best %d", stage->take);
    }
    if (stage->groups > 1) {
        snprintf(groups, sizeof groups, " in %d groups", stage->groups);
    }
    if (stage->cycles > 1) {
        snprintf(cycles, sizeof cycles, ", %d times", stage->cycles);
    }
    if (stage->meetings > 0) {
        snprintf(meetings, sizeof meetings, ", until %d meetings are played", stage->meetings);
    }
    if (stage->tie == PLAN_TIE_PLAYOFF) {
        int used = snprintf(tie, sizeof tie, "; a shared first place is played off, best of %d",
                            stage->playoff);

        if (stage->playoff_length > 0) {
            snprintf(tie + used, sizeof tie - (size_t)used, ", matches to %d",
                     stage->playoff_length);
        }
    }
    snprintf(out, room, "%s%s%s%s%s, %s for each meeting%s", form, take, groups, cycles, meetings,
             terms, tie);
}
