/* A key's value is reached by its offset in the event, and its kind says what type is there.
 * Reader and writer of a kind stand together because what is written is read again: a default
 * passes through its text (config_event_settle), and stored settings are compared with it. A
 * reader that refuses leaves the event as it was. */
#include "values.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rules/clean.h>

#include "base/closest.h"
#include "bot/chess_words.h"
#include "door_value.h"
#include "openings_value.h"
#include "sprt_value.h"
#include "base/units.h"

/* Returns the nearest name of a game or rotation, for an unknown name. */
static const char *variant_near(const char *text)
{
    const char *names[96], *id;
    int count = 0;

    for (int i = 0; count < 48 && bg_variant_at(i) != NULL; i++) {
        names[count++] = bg_variant_id(bg_variant_at(i));
    }
    for (int i = 0; count < 64 && bg_rotation_at(i) != NULL; i++) {
        names[count++] = bg_rotation_id(bg_rotation_at(i));
    }
    for (int i = 0; count < 96 && (names[count] = bg_variant_alias(&id, i)) != NULL; i++) {
        count++;
    }
    return closest_name(text, names, count);
}

static enum bg_status variant_read(struct bg_rules *out, const char *text, struct bg_error *err)
{
    const struct bg_rotation *rotation = bg_rotation_find(text);
    struct bg_error why = {.text = ""};
    char name[48];
    const char *near;

    if (rotation != NULL) {
        out->rotation = rotation;
        out->variant = bg_rotation_game(rotation, 0);
        return BG_OK;
    }
    if (bg_variant_read(&out->variant, text, &why) == BG_OK) {
        out->rotation = NULL;
        return BG_OK;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (bg_variant_find(name) != NULL) { /* the game is known, so its options are wrong */
        return bg_error_set(err, BG_E_ARGUMENT, "%s", why.text);
    }
    near = variant_near(name);
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is not a game known here; %s%s",
                        strlen(text) > 40 ? "(long text)" : text,
                        near == NULL ? "'bgref rules' lists all" : "perhaps ",
                        near == NULL ? "" : near);
}

static enum bg_status choice_read(bool *out, const char *text, const struct key *key,
                                  struct bg_error *err)
{
    for (int i = 0; i < 2; i++) {
        if (strcmp(text, key->words[i]) == 0) {
            *out = i == 1;
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is neither %s nor %s", text, key->words[0],
                        key->words[1]);
}

/* "2" is a beaver and one raise after it, as in gnubg. */
static enum bg_status beavers_read(struct config_event *event, const char *text, int from,
                                   struct bg_error *err)
{
    uint64_t count;
    bool on = true;

    if (!isdigit((unsigned char)text[0])) {
        enum bg_status status = flag_read(&on, text, NULL);

        event->rules.beavers = status == BG_OK ? on : event->rules.beavers;
        return status == BG_OK ? BG_OK
                               : bg_error_set(err, BG_E_ARGUMENT,
                                              "'%.40s' is neither on, off nor a number", text);
    }
    if (count_read(&count, text, 0, 39, err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    event->rules.beavers = count > 0;
    /* As if `raises` had been given in the same place, so that its default does not replace it. */
    if (count > 1) {
        event->rules.raises = (int)count - 1;
        event->given[key_number(key_find("raises"))] = from;
    }
    return BG_OK;
}

static enum bg_status raises_read(int *out, const char *text, const struct key *key,
                                  struct bg_error *err)
{
    if (strcmp(text, "unlimited") == 0) {
        *out = -1;
        return BG_OK;
    }
    if (int_read(out, text, key->least, key->most, err) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is neither a number from 0 to 38 nor unlimited", text);
    }
    return BG_OK;
}

/* As in chess harnesses: 0 means all cores of this machine, -N all but N. */
static enum bg_status cores_read(int *out, const char *text, const struct key *key,
                                 struct bg_error *err)
{
    int spared = 0, cores = config_cores();

    if (text[0] != '-' && strcmp(text, "0") != 0) {
        return int_read(out, text, key->least, key->most, err);
    }
    if (text[0] == '-' && int_read(&spared, text + 1, 1, key->most, err) != BG_OK) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "'%.40s' is not a whole number from 1 to %d, 0 for the cores, or -N for "
            "the cores but N",
            text, (int)key->most);
    }
    *out = cores > spared ? cores - spared : 1;
    return BG_OK;
}

static enum bg_status clock_read(struct clock_control *out, const char *text, struct bg_error *err)
{
    char own[CHESS_WORDS_CLOCK];
    enum bg_status status;

    /* A bare number is ambiguous; bank=2m/pt is a clock. */
    if (strpbrk(text, "+:/") == NULL || strchr(text, '=') != NULL) {
        return clock_control_read(out, text, err);
    }
    status = chess_words_tc(own, text, err);
    return status == BG_OK ? clock_control_read(out, own, err) : status;
}

static enum bg_status seed_read(struct config_event *event, const char *text, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (strcmp(text, "random") == 0) {
        event->has_seed = false;
        return BG_OK;
    }
    status = count_read(&event->seed, text, 0, UINT64_MAX, err);
    if (status == BG_OK) {
        event->has_seed = true;
    } else {
        bg_error_set(err, status, "'%.40s' is neither a whole number nor random", text);
    }
    return status;
}

static enum bg_status judge_read(struct config_event *event, const char *text, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (strcmp(text, "none") == 0) {
        event->judge[0] = '\0';
        return BG_OK;
    }
    /* By a pointer: the judges are in a room that this one must not know. */
    if (event->judge_check != NULL) {
        status = event->judge_check(text, err);
    }
    return status == BG_OK ? copy_read(event->judge, sizeof event->judge, text, err) : status;
}

/* Users of chess harnesses give a number of games; other users give a time. */
static enum bg_status interval_read(struct config_event *event, const char *text,
                                    const struct key *key, struct bg_error *err)
{
    bool games = text[strspn(text, "0123456789")] == '\0';
    uint64_t count = 0;
    enum bg_status status = games ? count_read(&count, text, key->least, key->most, err)
                                  : seconds_read(&event->rating_interval_s, text, err);

    if (status == BG_OK) {
        event->rating_interval = count;
        event->rating_interval_s = games ? 0 : event->rating_interval_s;
    }
    return status;
}

static enum bg_status name_read(char out[NAME_SIZE], const char *text, struct bg_error *err)
{
    enum bg_status status = event_name_is_valid(text) ? BG_OK : name_check(text, err);

    return status == BG_OK ? copy_read(out, NAME_SIZE, text, err) : status;
}

static enum bg_status enum_read(unsigned *out, const char *text, const struct key *key,
                                struct bg_error *err)
{
    int word = 0;
    enum bg_status status;

    if (key->gone != NULL && strcmp(text, key->gone->word) == 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%s' was taken away; %s", text,
                            key->gone->instead);
    }
    status = word_read(&word, text, key->words, err);
    *out = status == BG_OK ? (unsigned)word : *out;
    return status;
}

/* "none" is stored as "". A text that would print otherwise than it stands in the file is refused
 * and not cleaned: the director would see the marks of the cleaner first on the published page. */
static enum bg_status line_read(char out[ABOUT_TEXT], const char *text, struct bg_error *err)
{
    size_t size = strlen(text);

    if (size >= ABOUT_TEXT || strspn(text, " ") == size ||
        clean_find(text, size, CLEAN_LINE) != size) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "one line of 1 to %d bytes is needed, as UTF-8 and without control and "
                            "invisible characters; none: nothing is printed",
                            ABOUT_TEXT - 1);
    }
    memcpy(out, strcmp(text, "none") == 0 ? "" : text, strcmp(text, "none") == 0 ? 1 : size + 1);
    return BG_OK;
}

/* The word is stored as "". */
static enum bg_status plain_read(char *out, size_t size, const char *text, const char *word,
                                 struct bg_error *err)
{
    if (strcmp(text, word) != 0) {
        return copy_read(out, size, text, err);
    }
    out[0] = '\0';
    return BG_OK;
}

static enum bg_status raccoons_read(int *out, const char *text, struct bg_error *err)
{
    bool on = false;
    enum bg_status status = flag_read(&on, text, err);

    *out = status == BG_OK ? on : *out;
    return status;
}

/* Reads a value of several words: a text for people, a clock, a list of key=value. */
static enum bg_status words_read(void *place, const char *text, const struct key *key,
                                 struct bg_error *err)
{
    return key->kind == KEY_LINE       ? line_read(place, text, err)
           : key->kind == KEY_CLOCK    ? clock_read(place, text, err)
           : key->kind == KEY_SPRT     ? sprt_value_read(place, text, err)
           : key->kind == KEY_AFFINITY ? affinity_read(place, text, err)
           : key->kind == KEY_DOOR     ? door_value_read(place, text, err)
                                       : openings_value_read(place, text, err);
}

/* Whether the number is the 0 that stands for a default below the least one. */
static bool is_default(const struct key *key, const char *text)
{
    return key->kind == KEY_INT_OR_0 && strcmp(text, "0") == 0;
}

enum bg_status value_read(struct config_event *event, const struct key *key, const char *text,
                          int from, struct bg_error *err)
{
    void *place = (char *)event + key->offset;

    if (text[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT, "the value is missing");
    }
    switch (key->kind) {
    case KEY_NAME:
        return name_read(place, text, err);
    case KEY_PATH:
        return copy_read(place, sizeof event->results, text, err);
    case KEY_JUDGE:
        return judge_read(event, text, err);
    case KEY_INT:
    case KEY_INT_OR_0:
        return int_read(place, text, is_default(key, text) ? 0 : key->least, key->most, err);
    case KEY_CORES:
        return cores_read(place, text, key, err);
    case KEY_LENGTH:
        return int_read(place, strcmp(text, "money") == 0 ? "0" : text, key->least, key->most, err);
    case KEY_COUNT:
        return count_read(place, text, key->least, key->most, err);
    case KEY_FLAG:
        return flag_read(place, text, err);
    case KEY_TIME:
        return time_read(place, text, (int64_t)key->least, err);
    case KEY_INTERVAL:
        return interval_read(event, text, key, err);
    case KEY_VARIANT:
        return variant_read(place, text, err);
    case KEY_WORD:
        return enum_read(place, text, key, err);
    case KEY_CHOICE:
        return choice_read(place, text, key, err);
    case KEY_BEAVERS:
        return beavers_read(event, text, from, err);
    case KEY_RAISES:
        return raises_read(place, text, key, err);
    case KEY_RACCOONS:
        return raccoons_read(place, text, err);
    case KEY_SEED:
        return seed_read(event, text, err);
    case KEY_LINE:
    case KEY_CLOCK:
    case KEY_SPRT:
    case KEY_AFFINITY:
    case KEY_DOOR:
    case KEY_OPENINGS:
        return words_read(place, text, key, err);
    case KEY_SCHEDULE:
        return plain_read(place, PLAN_TEXT, text, "round-robin", err);
    case KEY_CONDITIONS:
    case KEY_LIST:
        return plain_read(place, CONFIG_SEEDS, text, "none", err);
    case KEY_BYTES:
        return bytes_read(place, text, key->least, key->most, err);
    }
    assert(!"a kind of key without a reader");
    return BG_E_ARGUMENT;
}

/* Returns the word for the present value, lent; NULL if it has to be written as a number, a time or
 * something longer. */
static const char *word_of(const struct config_event *event, const struct key *key)
{
    const void *place = (const char *)event + key->offset;

    switch (key->kind) {
    case KEY_NAME:
    case KEY_PATH:
        return place;
    case KEY_JUDGE:
    case KEY_LINE:
    case KEY_CONDITIONS:
    case KEY_LIST:
        return *(const char *)place == '\0' ? "none" : place;
    case KEY_SCHEDULE:
        return *(const char *)place == '\0' ? "round-robin" : place;
    case KEY_FLAG:
    case KEY_BEAVERS:
        return *(const bool *)place ? "on" : "off";
    case KEY_VARIANT:
        return event->rules.rotation != NULL ? bg_rotation_id(event->rules.rotation)
                                             : bg_variant_id(event->rules.variant);
    case KEY_WORD:
        return key->words[*(const unsigned *)place];
    case KEY_CHOICE:
        return key->words[*(const bool *)place ? 1 : 0];
    case KEY_RAISES:
        return event->rules.raises < 0 ? "unlimited" : NULL;
    case KEY_RACCOONS:
        return event->rules.raises != 0 ? "on" : "off";
    case KEY_SEED:
        return event->has_seed ? NULL : "random";
    default:
        return NULL;
    }
}

void value_write(char *out, size_t size, const struct config_event *event, const struct key *key)
{
    const void *place = (const char *)event + key->offset;
    const char *word = word_of(event, key);

    if (word != NULL) {
        snprintf(out, size, "%s", word);
        return;
    }
    switch (key->kind) {
    case KEY_INT:
    case KEY_INT_OR_0:
    case KEY_CORES:
    case KEY_LENGTH:
    case KEY_RAISES:
        snprintf(out, size, "%d", *(const int *)place);
        return;
    case KEY_COUNT:
    case KEY_SEED:
        snprintf(out, size, "%" PRIu64, *(const uint64_t *)place);
        return;
    case KEY_TIME:
        duration_write(out, size, *(const int64_t *)place);
        return;
    case KEY_INTERVAL:
        if (event->rating_interval > 0) {
            snprintf(out, size, "%" PRIu64, event->rating_interval);
        } else {
            duration_write(out, size, *(const int *)place * INT64_C(1000000000));
        }
        return;
    case KEY_CLOCK:
        clock_control_write(out, size, place);
        return;
    case KEY_SPRT:
        sprt_value_write(out, size, place);
        return;
    case KEY_AFFINITY:
        affinity_write(out, size, place);
        return;
    case KEY_DOOR:
        door_value_write(out, size, place);
        return;
    case KEY_OPENINGS:
        openings_value_write(out, size, place);
        return;
    case KEY_BYTES:
        bytes_write(out, size, *(const uint64_t *)place);
        return;
    default:
        assert(!"a kind of key without a writer");
    }
}
