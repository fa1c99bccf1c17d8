/* Conditions of single pairs. They are words with a value each and not free text, because they
 * become rules of a match: what is not in the table cannot be agreed upon. */
#include "terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "base/memory.h"
#include "season_state.h"

enum { LENGTH_MOST = 10000, WORD = 160 };

enum play { ANY_PLAY, MATCHES, MONEY };

static const struct {
    const char *name;
    bool is_number;
    enum play play;
} words[TERMS_WORDS] = {
    [TERMS_CUBE] = {"cube", false, ANY_PLAY},        [TERMS_LENGTH] = {"length", true, MATCHES},
    [TERMS_CRAWFORD] = {"crawford", false, MATCHES}, [TERMS_JACOBY] = {"jacoby", false, MONEY},
    [TERMS_BEAVERS] = {"beavers", false, MONEY},
};

struct terms terms_none(void)
{
    struct terms terms;

    for (int i = 0; i < TERMS_WORDS; i++) {
        terms.value[i] = TERMS_EVENT;
    }
    return terms;
}

bool terms_are_none(const struct terms *terms)
{
    bool none = true;

    for (int i = 0; i < TERMS_WORDS; i++) {
        none = none && terms->value[i] == TERMS_EVENT;
    }
    return none;
}

/* ---------------------------------------------------------------------------------- reading */

static enum bg_status unknown(const char *word, struct bg_error *err)
{
    const char *names[TERMS_WORDS];

    for (int i = 0; i < TERMS_WORDS; i++) {
        names[i] = words[i].name;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "unknown condition '%.40s'%s; known are cube, length, crawford, jacoby "
                        "and beavers",
                        word, closest_perhaps(word, names, TERMS_WORDS).text);
}

/* A length is a whole number; the other words are on or off. -1: neither. */
static int condition_value(const char *text, bool is_number)
{
    static const char *const flags[][2] = {
        {"off", "on"}, {"no", "yes"}, {"false", "true"}, {"0", "1"}};
    size_t digits = strspn(text, "0123456789");

    if (is_number) {
        /* Six digits fit an int, so atoi is safe. */
        int number = digits > 0 && digits < 7 && text[digits] == '\0' ? atoi(text) : 0;

        return number >= 1 && number <= LENGTH_MOST ? number : -1;
    }
    for (size_t i = 0; i < 2 * sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(text, flags[i / 2][i % 2]) == 0) {
            return (int)(i % 2);
        }
    }
    return -1;
}

/* Whether a word makes sense for matches or for money games. */
static enum bg_status check_play(int i, const char *value, int event_length, struct bg_error *err)
{
    const char *name = words[i].name;

    if (i == TERMS_LENGTH && event_length == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "length=%.20s: the event plays money games, and they have no common "
                            "table with matches; give the event a length, or play two events",
                            value);
    }
    if (words[i].play == MATCHES && event_length == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s=%.20s: only matches have it, and the event plays money games", name,
                            value);
    }
    if (i == TERMS_LENGTH && (strcmp(value, "money") == 0 || strcmp(value, "0") == 0)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "length=%s: the event plays matches, and they have no common table "
                            "with money games; play two events",
                            value);
    }
    if (words[i].play == MONEY && event_length > 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s=%.20s: only money games have it, and the event plays matches", name,
                            value);
    }
    return BG_OK;
}

/* Reads "cube=off". */
static enum bg_status read_condition(struct terms *terms, char *word, int event_length,
                                     struct bg_error *err)
{
    char *value = strchr(word, '=');
    enum bg_status status;
    int i = 0, number;

    if (value == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is not a condition like cube=off", word);
    }
    *value++ = '\0';
    while (i < TERMS_WORDS && strcmp(words[i].name, word) != 0) {
        i++;
    }
    if (i == TERMS_WORDS) {
        return unknown(word, err);
    }
    if (terms->value[i] != TERMS_EVENT) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is given twice", words[i].name);
    }
    status = check_play(i, value, event_length, err);
    if (status != BG_OK) {
        return status;
    }
    number = condition_value(value, words[i].is_number);
    if (number < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s=%.40s: not %s", words[i].name, value,
                            words[i].is_number ? "a whole number from 1 to 10000" : "on or off");
    }
    terms->value[i] = number;
    return BG_OK;
}

enum bg_status terms_read(struct terms *out, const char *text, int event_length,
                          struct bg_error *err)
{
    struct terms terms = terms_none();
    enum bg_status status = BG_OK;

    for (const char *at = text + strspn(text, " "); status == BG_OK && *at != '\0';
         at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        char word[WORD];

        snprintf(word, sizeof word, "%.*s", (int)(length < WORD ? length : WORD - 1), at);
        status = read_condition(&terms, word, event_length, err);
        at += length;
    }
    if (status == BG_OK && terms_are_none(&terms)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "no condition is given, like cube=off");
    }
    if (status == BG_OK) {
        *out = terms;
    }
    return status;
}

const char *terms_write(char out[TERMS_TEXT], const struct terms *terms)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < TERMS_WORDS; i++) {
        int value = terms->value[i];
        const char *before = used > 0 ? " " : "";

        if (value != TERMS_EVENT && words[i].is_number) {
            used += (size_t)snprintf(out + used, TERMS_TEXT - used, "%s%s=%d", before,
                                     words[i].name, value);
        } else if (value != TERMS_EVENT) {
            used += (size_t)snprintf(out + used, TERMS_TEXT - used, "%s%s=%s", before,
                                     words[i].name, value == 1 ? "on" : "off");
        }
    }
    return out;
}

/* ---------------------------------------------------------------------------------- using */

struct terms terms_over(const struct terms *under, const struct terms *over)
{
    struct terms both = *under;

    for (int i = 0; i < TERMS_WORDS; i++) {
        both.value[i] = over->value[i] != TERMS_EVENT ? over->value[i] : both.value[i];
    }
    return both;
}

struct bg_rules terms_rules(const struct bg_rules *event, const struct terms *terms)
{
    struct bg_rules rules = *event;
    const int *value = terms->value;

    rules.cube = value[TERMS_CUBE] == TERMS_EVENT ? rules.cube : value[TERMS_CUBE] == 1;
    rules.jacoby = value[TERMS_JACOBY] == TERMS_EVENT ? rules.jacoby : value[TERMS_JACOBY] == 1;
    if (value[TERMS_LENGTH] != TERMS_EVENT) {
        rules.length_points = value[TERMS_LENGTH];
    }
    if (value[TERMS_CRAWFORD] != TERMS_EVENT) {
        rules.crawford = value[TERMS_CRAWFORD] == 1;
        /* Both hang on another word: Holland is about the games after Crawford's, raises are
         * answers to a beaver. */
        rules.holland = rules.holland && rules.crawford;
    }
    if (value[TERMS_BEAVERS] != TERMS_EVENT) {
        rules.beavers = value[TERMS_BEAVERS] == 1;
        rules.raises = rules.beavers ? rules.raises : 0;
    }
    return rules;
}

const char *terms_setting(char out[TERMS_TEXT], const struct terms *terms, const char *setting)
{
    int value = TERMS_EVENT;
    bool is_number = false;

    if (strcmp(setting, "holland") == 0 || strcmp(setting, "raises") == 0) {
        is_number = setting[0] == 'r';
        value = terms->value[is_number ? TERMS_BEAVERS : TERMS_CRAWFORD] == 0 ? 0 : TERMS_EVENT;
    }
    for (int i = 0; i < TERMS_WORDS; i++) {
        if (strcmp(words[i].name, setting) == 0) {
            value = terms->value[i];
            is_number = words[i].is_number;
        }
    }
    if (value == TERMS_EVENT) {
        return NULL;
    }
    if (is_number) {
        snprintf(out, TERMS_TEXT, "%d", value);
        return out;
    }
    return value == 1 ? "on" : "off";
}

/* ---------------------------------------------------------------------------------- conditions */

/* Reads "A,B" and cuts it off. */
static enum bg_status read_names(char out[2][TERMS_NAME], char **text, struct bg_error *err)
{
    char *at = *text + strspn(*text, " ");
    size_t length = strcspn(at, " "), first = strcspn(at, ", ");

    if (at[first] != ',' || first == 0 || first >= TERMS_NAME || first + 1 >= length ||
        length - first - 1 >= TERMS_NAME || memchr(at + first + 1, ',', length - first - 1)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.60s': a condition is like 'ann,bob cube=off length=7': two bots, "
                            "then words; the next one follows after ';'",
                            at);
    }
    snprintf(out[0], TERMS_NAME, "%.*s", (int)first, at);
    snprintf(out[1], TERMS_NAME, "%.*s", (int)(length - first - 1), at + first + 1);
    *text = at + length;
    return BG_OK;
}

enum bg_status terms_next(struct terms_between *out, bool *more, const char **at, int event_length,
                          struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    char text[2 * TERMS_NAME + WORD], *rest = text;
    enum bg_status status;
    size_t length;

    *at += strspn(*at, "; ");
    *more = **at != '\0';
    if (!*more) {
        return BG_OK;
    }
    length = strcspn(*at, ";");
    if (length >= sizeof text) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.40s...': too long for a condition", *at);
    }
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length;
    status = read_names(out->name, &rest, err);
    if (status != BG_OK) {
        return status;
    }
    status = terms_read(&out->terms, rest, event_length, &why);
    return status == BG_OK ? BG_OK
                           : bg_error_set(err, status, "between %s and %s: %.300s", out->name[0],
                                          out->name[1], why.text);
}

static bool is_same_pair(const struct terms_between *between, const char *a, const char *b)
{
    return (strcmp(between->name[0], a) == 0 && strcmp(between->name[1], b) == 0) ||
           (strcmp(between->name[0], b) == 0 && strcmp(between->name[1], a) == 0);
}

static enum bg_status check_name(const char *name, const char *const *names, int count,
                                 struct bg_error *err)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_ARGUMENT, "between %s: the event has no bot with this name%s",
                        name, closest_perhaps(name, names, count).text);
}

/* Counts the conditions of these two. */
static int count_pair(const char *conditions, const struct terms_between *one, int event_length)
{
    struct terms_between other;
    const char *at = conditions;
    int count = 0;
    bool more = true;

    while (terms_next(&other, &more, &at, event_length, NULL) == BG_OK && more) {
        count += is_same_pair(&other, one->name[0], one->name[1]);
    }
    return count;
}

enum bg_status terms_check(const char *conditions, const char *const *names, int count,
                           int event_length, struct bg_error *err)
{
    struct terms_between one;
    const char *at = conditions;
    enum bg_status status;
    bool more = true;

    while ((status = terms_next(&one, &more, &at, event_length, err)) == BG_OK && more) {
        for (int i = 0; i < 2 && status == BG_OK; i++) {
            status = check_name(one.name[i], names, count, err);
        }
        if (status != BG_OK) {
            return status;
        }
        if (strcmp(one.name[0], one.name[1]) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "between %s and itself: they never meet",
                                one.name[0]);
        }
        if (count_pair(conditions, &one, event_length) > 1) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "between %s and %s: given twice; write all words into one",
                                one.name[0], one.name[1]);
        }
    }
    return status;
}

/* ---------------------------------------------------------------------------------- in a season
 * Terms are asked for by row and not by time: a condition holds for meetings that are paired after
 * it, so a meeting keeps the terms under which it was announced. */

/* The last condition of two names before a row; NULL: none. */
static const struct condition *condition_before(const struct season *season, uint32_t a, uint32_t b,
                                                uint64_t act)
{
    /* From the last one back; a later condition has the words of the earlier ones already in it. */
    for (size_t i = season->conditions; i > 0; i--) {
        const struct condition *condition = &season->condition[i - 1];

        if (condition->act < act && ((condition->a == a && condition->b == b) ||
                                     (condition->a == b && condition->b == a))) {
            return condition;
        }
    }
    return NULL;
}

void condition_add(struct season *season, uint32_t a, uint32_t b, const struct terms *terms,
                   uint64_t act)
{
    const struct condition *before = condition_before(season, a, b, UINT64_MAX);
    struct condition condition = {.a = a, .b = b, .act = act};

    condition.terms = before == NULL ? *terms : terms_over(&before->terms, terms);
    terms_write(condition.text, &condition.terms);
    season->condition = memory_list(season->condition, &season->condition_room,
                                    season->conditions + 1, sizeof condition);
    season->condition[season->conditions++] = condition;
}

enum bg_status conditions_begin(struct season *season, const char *conditions, struct bg_error *err)
{
    struct terms_between one;
    const char *at = conditions;
    enum bg_status status;
    bool more = true;

    while ((status = terms_next(&one, &more, &at, season->length_points, err)) == BG_OK && more) {
        uint32_t a = name_add(season, one.name[0]), b = name_add(season, one.name[1]);

        condition_add(season, a, b, &one.terms, 0);
    }
    return status;
}

/* Two names that are paired by a row. */
static struct terms terms_of(const struct season *season, uint32_t a, uint32_t b, uint64_t row)
{
    const struct condition *found = condition_before(season, a, b, row);

    return found == NULL ? terms_none() : found->terms;
}

struct terms season_meeting_terms(const struct season *season, size_t i)
{
    const struct match_up *match_up = &season->match_up[i];
    const struct season_meeting *seen = &match_up->seen;
    struct terms stage = terms_none(), pair;
    int length =
        plan_length(&season->plan.stage[seen->stage], match_up->is_playoff, season->length_points);

    if (length != season->length_points) {
        stage.value[TERMS_LENGTH] = length;
    }
    if (seen->meeting.a < 0 || seen->meeting.b < 0) {
        return stage;
    }
    pair = terms_of(season, season->entry[seen->meeting.a].name,
                    season->entry[seen->meeting.b].name, seen->paired);
    return terms_over(&stage, &pair);
}

struct terms season_fixture_terms(const struct season *season, uint64_t i)
{
    struct season_fixture fixture;

    season_fixture(&fixture, season, i);
    return fixture.meeting > 0
               ? season_meeting_terms(season, (size_t)fixture.meeting - 1)
               : terms_of(season, season->entry[fixture.a].name, season->entry[fixture.b].name, 1);
}

struct terms season_leg_terms(const struct season *season, const struct season_leg *leg)
{
    int64_t a = name_find(season, leg->a), b = name_find(season, leg->b);
    struct leg_at at;

    if (a < 0 || b < 0) {
        return terms_none();
    }
    return leg_of_names(&at, season, leg) ? season_meeting_terms(season, (size_t)at.of->meeting - 1)
                                          : terms_of(season, (uint32_t)a, (uint32_t)b, 1);
}
