#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "config.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "closest.h"
#include "document.h"
#include "seat/command.h"
#include "seat/registry.h"

/* ---- the table of keys ---- */

enum kind {
    KEY_NAME,     /* char[CONFIG_NAME] */
    KEY_PATH,     /* char[1024] */
    KEY_INT,      /* int, least to most */
    KEY_LENGTH,   /* the same; "money" is 0 */
    KEY_COUNT,    /* uint64_t, least to most */
    KEY_FLAG,     /* bool */
    KEY_TIME,     /* int64_t in ns */
    KEY_SECONDS,  /* int, a time in whole seconds */
    KEY_CLOCK,    /* struct clock_control */
    KEY_VARIANT,  /* struct bg_rules: a game, or a rotation of games */
    KEY_OPENING,  /* enum bg_opening */
    KEY_NEXT,     /* enum bg_next */
    KEY_CHOICE,   /* bool: words[0] is false, words[1] true */
    KEY_BEAVERS,  /* bool; a number says how many, which sets raises too */
    KEY_RAISES,   /* int; "unlimited" is -1 */
    KEY_RACCOONS, /* int raises: on is 1, off 0 */
    KEY_SEED,     /* uint64_t; "random" */
    KEY_BYTES,    /* uint64_t; with K, M or G; "none" is 0 */
    KEY_SANDBOX,  /* enum config_sandbox */
};

struct key {
    const char *name;
    enum kind kind;
    size_t offset;
    uint64_t least, most;
    const char *const *words; /* KEY_CHOICE */
    bool results;             /* results depend on it: config_event_each */
    bool alias;               /* another name of a row above */
    bool rules;               /* its default follows from variant and length */
    const char *help;
};

#define AT(member) offsetof(struct config_event, member)

static const char *const forfeit_words[] = {"position", "single"};
static const char *const fault_words[] = {"game", "match"};

static const char *const absent_words[] = {"stop", "unplayed"};
static const char *const sandbox_words[CONFIG_SANDBOX_COUNT] = {
    [CONFIG_SANDBOX_OFF] = "off",
    [CONFIG_SANDBOX_AUTO] = "auto",
    [CONFIG_SANDBOX_ON] = "on",
};

static const char *const opening_words[BG_OPENING_COUNT] = {
    [BG_OPENING_PLAY] = "play",         [BG_OPENING_REROLL] = "reroll",
    [BG_OPENING_CHOICE] = "choice",     [BG_OPENING_SUM_REROLL] = "sum-reroll",
    [BG_OPENING_SUM_PLAY] = "sum-play", [BG_OPENING_WINNER] = "winner",
};

static const char *const next_words[BG_NEXT_COUNT] = {
    [BG_NEXT_SAME] = "same",
    [BG_NEXT_WINNER] = "winner",
    [BG_NEXT_HOYLE] = "hoyle",
    [BG_NEXT_ALTERNATE] = "alternate",
};

static const struct key keys[] = {
    {"event", KEY_NAME, AT(name), .help = "name of the event"},
    {"name", KEY_NAME, AT(name), .alias = true, .help = "the same as event"},
    {"variant", KEY_VARIANT, AT(rules), .results = true,
     .help = "game of 'bgref rules', with options like long-nardi:head=any; or a rotation: tavli"},
    {"length", KEY_LENGTH, AT(rules.length_points), 0, 10000, .results = true,
     .help = "points of a match; 0 or money: games that stand alone"},
    {"pairs", KEY_COUNT, AT(pairs), 1, 1000000000,
     .help =
         "pairs of fixtures that any two bots play (with duplicate: same dice, seats exchanged)"},
    {"rounds", KEY_COUNT, AT(pairs), 1, 1000000000, .alias = true, .help = "the same as pairs"},
    {"duplicate", KEY_FLAG, AT(duplicate), .results = true,
     .help = "every fixture twice with the same dice and exchanged seats; off: once"},
    {"cube", KEY_FLAG, AT(rules.cube), .results = true, .rules = true, .help = "doubling cube"},
    {"jacoby", KEY_FLAG, AT(rules.jacoby), .results = true, .rules = true,
     .help = "money: gammons count only after a taken double"},
    {"crawford", KEY_FLAG, AT(rules.crawford), .results = true, .rules = true,
     .help = "match: one game without cube when a side is one point away"},
    {"beavers", KEY_BEAVERS, AT(rules.beavers), .results = true, .rules = true,
     .help = "money: redouble at once when doubled; a number says how many raises in all"},
    {"raises", KEY_RAISES, AT(rules.raises), 0, 38, .results = true, .rules = true,
     .help = "money: raises after the beaver (1: raccoon), or unlimited"},
    {"raccoons", KEY_RACCOONS, AT(rules.raises), .alias = true, .help = "on is raises 1"},
    {"auto_doubles", KEY_INT, AT(rules.auto_doubles), 0, 38, .results = true, .rules = true,
     .help = "money: most automatic doubles a game"},
    {"holland", KEY_FLAG, AT(rules.holland), .results = true, .rules = true,
     .help = "match: no double before two turns of each side after the Crawford game"},
    {"opening", KEY_OPENING, AT(rules.opening), .results = true, .rules = true,
     .help = "who begins: play, reroll, choice, sum-reroll, sum-play or winner"},
    {"next", KEY_NEXT, AT(rules.next), .results = true, .rules = true,
     .help = "who begins the next game: same, winner, hoyle or alternate"},
    {"turn_cap", KEY_INT, AT(rules.turn_cap), 0, 1000000, .results = true, .rules = true,
     .help = "turns a side after which a game is drawn; 0: none"},
    {"forfeit", KEY_CHOICE, AT(rules.forfeit_single), .words = forfeit_words, .results = true,
     .rules = true, .help = "price of a fault: what the position allows, or single"},
    {"fault", KEY_CHOICE, AT(rules.fault_match), .words = fault_words, .results = true,
     .rules = true, .help = "what a fault costs: the game or the match"},
    {"clock", KEY_CLOCK, AT(clock), .results = true,
     .help = "none, move=50ms, bank=60s,inc=100ms or bank=2m/pt,delay=12s"},
    {"margin", KEY_TIME, AT(margin_ns), .results = true,
     .help = "time forgiven before a flag falls"},
    {"ceiling", KEY_TIME, AT(ceiling_ns), 1, .results = true,
     .help = "most time for one decision, whatever the clock says"},
    {"start", KEY_TIME, AT(start_ns), 1, .help = "most time from a bot's start to its greeting"},
    {"new_game", KEY_TIME, AT(new_game_ns), 1, .help = "most time to get ready for a game"},
    {"concurrency", KEY_INT, AT(concurrency), 1, 4096, .help = "tables at once"},
    {"instances", KEY_INT, AT(instances), 1, 1024, .help = "processes of each bot"},
    {"quarantine", KEY_INT, AT(quarantine), 1, 1000000,
     .help = "faults after which a bot's remaining fixtures stay unplayed"},
    {"strict", KEY_FLAG, AT(strict), .help = "stop at the first fault (exit status 4)"},
    {"absent", KEY_CHOICE, AT(absent_unplayed), .words = absent_words,
     .help = "a bot that does not start at all: stop (exit status 3), or leave its fixtures "
             "unplayed"},
    {"memory", KEY_BYTES, AT(memory_bytes), 1 << 20, UINT64_C(1) << 50,
     .help = "most memory that a process of a bot may hold with its children, like 2G; none"},
    {"sandbox", KEY_SANDBOX, AT(sandbox),
     .help = "bots see the system read-only, their folder, no network and no other process: on, "
             "off, or auto (where this machine can)"},
    {"seed", KEY_SEED, AT(seed), .results = true,
     .help = "a number makes dice repeatable; random: a key nobody knows before the end"},
    {"results", KEY_PATH, AT(results), .help = "the database"},
    {"rating_interval", KEY_SECONDS, AT(rating_interval_s), 0, 604800,
     .help = "time between two tables while it runs; 0s: none"},
};

enum { KEYS = sizeof keys / sizeof keys[0], ROTATION_LENGTH = 5 };
_Static_assert((int)KEYS <= (int)CONFIG_KEYS_MAX, "config_event.given has a place for every key");

static const struct key *key_find(const char *name)
{
    for (int i = 0; i < KEYS; i++) {
        const char *a = keys[i].name, *b = name;

        /* auto_doubles in the file is --auto-doubles as a flag */
        while (*a != '\0' && (*a == *b || (*a == '_' && *b == '-'))) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0') {
            return &keys[i];
        }
    }
    return NULL;
}

static const char *key_near(const char *name)
{
    const char *names[KEYS + 1];

    for (int i = 0; i < KEYS; i++) {
        names[i] = keys[i].name;
    }
    names[KEYS] = "bots";
    return closest_name(name, names, KEYS + 1);
}

/* ---- values ---- */

bool config_is_name(const char *text)
{
    size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-");

    return length > 0 && length < CONFIG_NAME && text[length] == '\0';
}

enum bg_status config_flag_read(bool *out, const char *text, struct bg_error *err)
{
    static const char *const words[2][3] = {{"off", "no", "false"}, {"on", "yes", "true"}};

    for (int value = 0; value < 2; value++) {
        for (int i = 0; i < 3; i++) {
            if (strcmp(text, words[value][i]) == 0) {
                *out = value == 1;
                return BG_OK;
            }
        }
    }
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is neither on (yes, true) nor off (no, false)",
                        text);
}

enum bg_status config_number_read(uint64_t *out, const char *text, uint64_t least, uint64_t most,
                                  struct bg_error *err)
{
    uint64_t value = 0;
    const char *at = text;

    for (; isdigit((unsigned char)*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');

        if (value > (UINT64_MAX - digit) / 10) {
            break;
        }
        value = value * 10 + digit;
    }
    if (at == text || *at != '\0' || value < least || value > most) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is not a whole number from %" PRIu64 " to %" PRIu64, text,
                            least, most);
    }
    *out = value;
    return BG_OK;
}

static enum bg_status int_read(int *out, const char *text, const struct key *key,
                               struct bg_error *err)
{
    uint64_t value;
    enum bg_status status = config_number_read(&value, text, key->least, key->most, err);

    if (status == BG_OK) {
        *out = (int)value;
    }
    return status;
}

static enum bg_status copy_read(char *out, size_t size, const char *text, struct bg_error *err)
{
    if (text[0] == '\0' || strlen(text) >= size) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            text[0] == '\0' ? "the value is missing" : "longer than %zu bytes",
                            size - 1);
    }
    memcpy(out, text, strlen(text) + 1);
    return BG_OK;
}

/* The nearest name of a game or rotation, for a text that is neither. */
static const char *variant_near(const char *text)
{
    const char *names[64];
    int count = 0;

    for (int i = 0; count < 48 && bg_variant_at(i) != NULL; i++) {
        names[count++] = bg_variant_id(bg_variant_at(i));
    }
    for (int i = 0; count < 64 && bg_rotation_at(i) != NULL; i++) {
        names[count++] = bg_rotation_id(bg_rotation_at(i));
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
    if (bg_variant_find(name) != NULL) { /* the game is known: its options are wrong */
        return bg_error_set(err, BG_E_ARGUMENT, "%s", why.text);
    }
    near = variant_near(name);
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is not a game known here; %s%s",
                        strlen(text) > 40 ? "(long text)" : text,
                        near == NULL ? "'bgref rules' lists all" : "perhaps ",
                        near == NULL ? "" : near);
}

/* The number of the word in a list, or BG_E_ARGUMENT with all of them. */
static enum bg_status word_read(int *out, const char *text, const char *const *words, int count,
                                struct bg_error *err)
{
    char all[160] = "";
    size_t used = 0;

    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return BG_OK;
        }
        used +=
            (size_t)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is none of %s", text, all);
}

static enum bg_status opening_read(enum bg_opening *out, const char *text, struct bg_error *err)
{
    int found = 0;
    enum bg_status status = word_read(&found, text, opening_words, BG_OPENING_COUNT, err);

    *out = status == BG_OK ? (enum bg_opening)found : *out;
    return status;
}

static enum bg_status next_read(enum bg_next *out, const char *text, struct bg_error *err)
{
    int found = 0;
    enum bg_status status = word_read(&found, text, next_words, BG_NEXT_COUNT, err);

    *out = status == BG_OK ? (enum bg_next)found : *out;
    return status;
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

static enum bg_status seconds_read(int *out, const char *text, struct bg_error *err)
{
    int64_t ns = 0;
    enum bg_status status = clock_time_read(&ns, text, err);

    if (status != BG_OK) {
        return status;
    }
    if (ns % 1000000000 != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is not a whole number of seconds", text);
    }
    *out = (int)(ns / 1000000000);
    return BG_OK;
}

static enum bg_status time_read(int64_t *out, const char *text, const struct key *key,
                                struct bg_error *err)
{
    int64_t ns = 0;
    enum bg_status status = clock_time_read(&ns, text, err);

    if (status == BG_OK && ns < (int64_t)key->least) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is too short; it must be more than 0",
                            text);
    }
    if (status == BG_OK) {
        *out = ns;
    }
    return status;
}

/* "2" is a beaver and one raise after it, as gnubg counts. */
static enum bg_status beavers_read(struct config_event *event, const char *text, int from,
                                   struct bg_error *err)
{
    uint64_t count;
    bool on = true;

    if (!isdigit((unsigned char)text[0])) {
        enum bg_status status = config_flag_read(&on, text, NULL);

        event->rules.beavers = status == BG_OK ? on : event->rules.beavers;
        return status == BG_OK ? BG_OK
                               : bg_error_set(err, BG_E_ARGUMENT,
                                              "'%.40s' is neither on, off nor a number", text);
    }
    if (config_number_read(&count, text, 0, 39, err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    event->rules.beavers = count > 0;
    if (count > 1) {
        event->rules.raises = (int)count - 1;
        event->given[key_find("raises") - keys] = from;
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
    if (int_read(out, text, key, err) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is neither a number from 0 to 38 nor unlimited", text);
    }
    return BG_OK;
}

static enum bg_status seed_read(struct config_event *event, const char *text, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (strcmp(text, "random") == 0) {
        event->has_seed = false;
        return BG_OK;
    }
    status = config_number_read(&event->seed, text, 0, UINT64_MAX, err);
    if (status == BG_OK) {
        event->has_seed = true;
    } else {
        bg_error_set(err, status, "'%.40s' is neither a whole number nor random", text);
    }
    return status;
}

static enum bg_status bytes_read(uint64_t *out, const char *text, const struct key *key,
                                 struct bg_error *err)
{
    static const char units[] = "KMG";
    char digits[24];
    size_t length = strspn(text, "0123456789");
    const char *unit = text[length] == '\0' ? NULL : strchr(units, text[length]);
    int shift = unit == NULL ? 0 : 10 * (int)(unit - units + 1);
    uint64_t value;

    if (strcmp(text, "none") == 0) {
        *out = 0;
        return BG_OK;
    }
    if (length < sizeof digits) {
        memcpy(digits, text, length);
        digits[length] = '\0';
    }
    if (length >= sizeof digits || text[length + (unit != NULL)] != '\0' ||
        config_number_read(&value, digits, (key->least + (UINT64_C(1) << shift) - 1) >> shift,
                           key->most >> shift, NULL) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.40s' is not a size from 1M on, like 512M or 2G, nor none", text);
    }
    *out = value << shift;
    return BG_OK;
}

static void bytes_write(char *out, size_t size, uint64_t value)
{
    int step = 0;

    while (value != 0 && value % 1024 == 0 && step < 3) {
        value /= 1024;
        step++;
    }
    if (value == 0) {
        snprintf(out, size, "none");
    } else {
        snprintf(out, size, "%" PRIu64 "%.1s", value, &"\0K\0M\0G"[2 * step]);
    }
}

static enum bg_status sandbox_read(enum config_sandbox *out, const char *text, struct bg_error *err)
{
    for (int i = 0; i < CONFIG_SANDBOX_COUNT; i++) {
        if (strcmp(text, sandbox_words[i]) == 0) {
            *out = (enum config_sandbox)i;
            return BG_OK;
        }
    }
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s' is none of on, off, auto", text);
}

/* Reads text into the key's place. from: CONFIG_FLAG or a line. */
static enum bg_status key_set(struct config_event *event, const struct key *key, const char *text,
                              int from, struct bg_error *err)
{
    void *place = (char *)event + key->offset;
    bool on = false;
    enum bg_status status = BG_OK;

    if (text[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT, "the value is missing");
    }
    switch (key->kind) {
    case KEY_NAME:
        if (!config_is_name(text)) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.70s' is not a name: 1 to 64 of letters, digits, . _ + -", text);
        }
        return copy_read(place, CONFIG_NAME, text, err);
    case KEY_PATH:
        return copy_read(place, sizeof event->results, text, err);
    case KEY_INT:
        return int_read(place, text, key, err);
    case KEY_LENGTH:
        return int_read(place, strcmp(text, "money") == 0 ? "0" : text, key, err);
    case KEY_COUNT:
        return config_number_read(place, text, key->least, key->most, err);
    case KEY_FLAG:
        return config_flag_read(place, text, err);
    case KEY_TIME:
        return time_read(place, text, key, err);
    case KEY_SECONDS:
        return seconds_read(place, text, err);
    case KEY_CLOCK:
        return clock_control_read(place, text, err);
    case KEY_VARIANT:
        return variant_read(place, text, err);
    case KEY_OPENING:
        return opening_read(place, text, err);
    case KEY_NEXT:
        return next_read(place, text, err);
    case KEY_CHOICE:
        return choice_read(place, text, key, err);
    case KEY_BEAVERS:
        return beavers_read(event, text, from, err);
    case KEY_RAISES:
        return raises_read(place, text, key, err);
    case KEY_RACCOONS:
        status = config_flag_read(&on, text, err);
        event->rules.raises = status == BG_OK ? on : event->rules.raises;
        return status;
    case KEY_SEED:
        return seed_read(event, text, err);
    case KEY_BYTES:
        return bytes_read(place, text, key, err);
    case KEY_SANDBOX:
        return sandbox_read(place, text, err);
    }
    assert(!"a kind of key without a reader");
    return BG_E_ARGUMENT;
}

/* The value in force, as key_set would read it. */
static void key_write(char *out, size_t size, const struct config_event *event,
                      const struct key *key)
{
    const void *place = (const char *)event + key->offset;

    switch (key->kind) {
    case KEY_NAME:
    case KEY_PATH:
        snprintf(out, size, "%s", (const char *)place);
        break;
    case KEY_INT:
    case KEY_LENGTH:
        snprintf(out, size, "%d", *(const int *)place);
        break;
    case KEY_COUNT:
        snprintf(out, size, "%" PRIu64, *(const uint64_t *)place);
        break;
    case KEY_FLAG:
    case KEY_BEAVERS:
        snprintf(out, size, "%s", *(const bool *)place ? "on" : "off");
        break;
    case KEY_TIME:
        clock_time_write(out, size, *(const int64_t *)place);
        break;
    case KEY_SECONDS:
        clock_time_write(out, size, *(const int *)place * INT64_C(1000000000));
        break;
    case KEY_CLOCK:
        clock_control_write(out, size, place);
        break;
    case KEY_VARIANT:
        snprintf(out, size, "%s",
                 event->rules.rotation != NULL ? bg_rotation_id(event->rules.rotation)
                                               : bg_variant_id(event->rules.variant));
        break;
    case KEY_OPENING:
        snprintf(out, size, "%s", opening_words[event->rules.opening]);
        break;
    case KEY_NEXT:
        snprintf(out, size, "%s", next_words[event->rules.next]);
        break;
    case KEY_CHOICE:
        snprintf(out, size, "%s", key->words[*(const bool *)place ? 1 : 0]);
        break;
    case KEY_RAISES:
        if (event->rules.raises < 0) {
            snprintf(out, size, "unlimited");
            break;
        }
        snprintf(out, size, "%d", event->rules.raises);
        break;
    case KEY_RACCOONS:
        snprintf(out, size, "%s", event->rules.raises != 0 ? "on" : "off");
        break;
    case KEY_SEED:
        if (event->has_seed) {
            snprintf(out, size, "%" PRIu64, event->seed);
        } else {
            snprintf(out, size, "random");
        }
        break;
    case KEY_BYTES:
        bytes_write(out, size, *(const uint64_t *)place);
        break;
    case KEY_SANDBOX:
        snprintf(out, size, "%s", sandbox_words[event->sandbox]);
        break;
    }
}

bool config_key(struct config_key *out, const struct config_event *event, int i)
{
    if (i < 0 || i >= KEYS) {
        return false;
    }
    *out = (struct config_key){.name = keys[i].name,
                               .help = keys[i].help,
                               .is_flag = keys[i].kind == KEY_FLAG || keys[i].kind == KEY_BEAVERS ||
                                          keys[i].kind == KEY_RACCOONS,
                               .is_alias = keys[i].alias,
                               .is_result = keys[i].results};
    key_write(out->value, sizeof out->value, event, &keys[i]);
    return true;
}

/* A row of the same place that is given already, or NULL. */
static const struct key *key_given(const struct config_event *event, const struct key *key)
{
    for (int i = 0; i < KEYS; i++) {
        if (keys[i].offset == key->offset && event->given[i] != CONFIG_DEFAULT) {
            return &keys[i];
        }
    }
    return NULL;
}

enum bg_status config_event_set(struct config_event *event, const char *name, const char *text,
                                struct bg_error *err)
{
    const struct key *key = key_find(name);
    struct bg_error why = {.text = ""};
    enum bg_status status;

    assert(key != NULL);
    status = key_set(event, key, text, CONFIG_FLAG, &why);
    if (status != BG_OK) {
        return bg_error_set(err, status, "%s: %s", name, why.text);
    }
    for (int i = 0; i < KEYS; i++) { /* over what the file says under another name */
        if (keys[i].offset == key->offset) {
            event->given[i] = CONFIG_DEFAULT;
        }
    }
    event->given[key - keys] = CONFIG_FLAG;
    return BG_OK;
}

bool config_event_is_given(const struct config_event *event, const char *name)
{
    const struct key *key = key_find(name);

    assert(key != NULL);
    return key_given(event, key) != NULL;
}

/* ---- the event ---- */

int config_cores(void)
{
    cpu_set_t set;
    int count = 0;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
    return count > 0 ? count : 1;
}

void config_event_init(struct config_event *event)
{
    const int64_t second = 1000000000;

    memset(event, 0, sizeof *event);
    event->rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    event->pairs = 50;
    event->duplicate = true;
    event->clock.kind = CLOCK_NONE;
    event->ceiling_ns = 60 * second;
    event->start_ns = 30 * second;
    event->new_game_ns = 5 * second;
    event->concurrency = config_cores();
    event->instances = event->concurrency;
    event->quarantine = 5;
    event->sandbox = CONFIG_SANDBOX_OFF;
    event->rating_interval_s = 0;
}

void config_event_init_duel(struct config_event *event)
{
    config_event_init(event);
    event->rules = bg_rules_default(event->rules.variant, 0);
    event->pairs = 200;
}

void config_event_deinit(struct config_event *event)
{
    free(event->bots);
    event->bots = NULL;
    event->bot_count = 0;
}

enum bg_status config_event_add(struct config_event *event, const struct config_bot *bot,
                                struct bg_error *err)
{
    struct config_bot *more;

    if (event->bot_count == CONFIG_BOTS_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "more than %d bots", CONFIG_BOTS_MAX);
    }
    for (int i = 0; i < event->bot_count; i++) {
        if (strcmp(event->bots[i].name, bot->name) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "two bots are called %s; give one another name, like "
                                "{name: %.58s-2, bot: %s}",
                                bot->name, bot->name, bot->name);
        }
    }
    more = realloc(event->bots, ((size_t)event->bot_count + 1) * sizeof *more);
    if (more == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "bots of the event");
    }
    event->bots = more;
    event->bots[event->bot_count++] = *bot;
    return BG_OK;
}

/* ---- the file ---- */

static enum bg_status bots_read(struct config_event *event, const struct document *document,
                                int list, const struct registry *registry, struct bg_error *err)
{
    if (!document_is_list(document, list)) {
        return document_error(err, document, list, "bots",
                              "a list is needed, one '- name' a line or [gnubg, greedy]");
    }
    for (int i = 0; i < document_count(document, list); i++) {
        int item = document_item(document, list, i);
        struct config_bot bot;
        struct bg_error why = {.text = ""};
        enum bg_status status = registry_read(&bot, registry, document, item, "bots", NULL, err);

        if (status != BG_OK) {
            return status;
        }
        if (config_event_add(event, &bot, &why) != BG_OK) {
            return document_error(err, document, item, "bots", "%s", why.text);
        }
    }
    return BG_OK;
}

static enum bg_status entry_read(struct config_event *event, const struct document *document,
                                 int name_node, int value, const struct registry *registry,
                                 struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    const struct key *key, *before;
    const char *name, *text;

    if (document_text(&name, document, name_node, "key", 64, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    if (strcmp(name, "bots") == 0) {
        return event->bot_count > 0
                   ? document_error(err, document, name_node, "bots", "given twice; keep one list")
                   : bots_read(event, document, value, registry, err);
    }
    key = key_find(name);
    if (key == NULL) {
        const char *near = key_near(name);

        return document_error(err, document, name_node, name, "unknown key%s%s%s",
                              near == NULL ? "; docs/event.yaml lists all keys" : "; perhaps ",
                              near == NULL ? "" : near, near == NULL ? "" : "?");
    }
    before = key_given(event, key);
    if (before != NULL) {
        return document_error(err, document, name_node, name,
                              "given twice, see %s in line %d; keep one", before->name,
                              event->given[before - keys]);
    }
    if (document_text(&text, document, value, name, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    if (key_set(event, key, text, document_line(document, name_node), &why) != BG_OK) {
        return document_error(err, document, value, name, "%s", why.text);
    }
    event->given[key - keys] = document_line(document, name_node);
    return BG_OK;
}

static enum bg_status document_to_event(struct config_event *event, const struct document *document,
                                        const struct registry *registry, struct bg_error *err)
{
    int root = document_root(document);

    if (root == 0 || !document_is_map(document, root)) {
        return document_error(err, document, root, NULL,
                              "an event file is a map of keys, like 'bots: [gnubg, greedy]'");
    }
    for (int i = 0; i < document_count(document, root); i++) {
        int key, value;
        enum bg_status status;

        document_pair(&key, &value, document, root, i);
        status = entry_read(event, document, key, value, registry, err);
        if (status != BG_OK) {
            return status;
        }
    }
    return BG_OK;
}

enum bg_status config_event_parse(struct config_event *event, const char *name, const void *bytes,
                                  size_t size, const struct registry *registry,
                                  struct bg_error *err)
{
    struct document *document = NULL;
    enum bg_status status = document_parse(&document, name, bytes, size, err);

    if (status == BG_OK) {
        snprintf(event->file, sizeof event->file, "%s", name);
        status = document_to_event(event, document, registry, err);
    }
    document_close(document);
    return status;
}

enum bg_status config_event_read(struct config_event *event, const char *path,
                                 const struct registry *registry, struct bg_error *err)
{
    struct document *document = NULL;
    enum bg_status status = document_open(&document, path, err);

    if (status == BG_OK) {
        snprintf(event->file, sizeof event->file, "%s", path);
        status = document_to_event(event, document, registry, err);
    }
    document_close(document);
    return status;
}

/* ---- what follows from what was given ---- */

static void name_from_file(char name[CONFIG_NAME], const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash == NULL ? file : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t length = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);

    length = length < CONFIG_NAME - 1 ? length : CONFIG_NAME - 1;
    for (size_t i = 0; i < length; i++) {
        char one[2] = {base[i], '\0'};

        name[i] = base[i];
        if (!config_is_name(one)) {
            name[i] = '-';
        }
    }
    name[length] = '\0';
}

/* What follows from the game and the length; a rotation has no cube, and so no Crawford game. */
static struct bg_rules default_rules(const struct bg_rules *given)
{
    struct bg_rules rules = bg_rules_default(given->variant, given->length_points);

    if (given->rotation != NULL) {
        rules.rotation = given->rotation;
        rules.cube = rules.jacoby = rules.crawford = false;
    }
    return rules;
}

void config_event_settle(struct config_event *event)
{
    struct config_event fresh = *event;

    if (event->rules.rotation != NULL) {
        if (!config_event_is_given(event, "length")) {
            event->rules.length_points = ROTATION_LENGTH;
        }
    }
    fresh.rules = default_rules(&event->rules);
    for (int i = 0; i < KEYS; i++) {
        if (keys[i].rules && key_given(event, &keys[i]) == NULL) {
            char value[CONFIG_VALUE];

            key_write(value, sizeof value, &fresh, &keys[i]);
            key_set(event, &keys[i], value, CONFIG_DEFAULT, NULL);
        }
    }
    if (event->name[0] == '\0') {
        name_from_file(event->name, event->file[0] == '\0' ? "event" : event->file);
    }
    if (event->results[0] == '\0') {
        snprintf(event->results, sizeof event->results, "./bgref-results/%s.db", event->name);
    }
    if (!config_event_is_given(event, "instances")) {
        int cores = config_cores();

        event->instances = event->concurrency < cores ? event->concurrency : cores;
    }
}

/* Puts the place where it was said before a story that begins with a key's name. */
static enum bg_status check_error(const struct config_event *event, const struct bg_error *why,
                                  struct bg_error *err)
{
    size_t length = strcspn(why->text, ": ,");
    char name[32];
    const struct key *key = NULL;

    if (length < sizeof name) {
        memcpy(name, why->text, length);
        name[length] = '\0';
        key = key_find(name);
        key = key == NULL ? NULL : key_given(event, key);
    }
    if (key != NULL && event->given[key - keys] > 0) {
        return bg_error_set(err, BG_E_CONFIG, "%.200s:%d: %.300s", event->file,
                            event->given[key - keys], why->text);
    }
    return bg_error_set(err, event->file[0] != '\0' && key == NULL ? BG_E_CONFIG : BG_E_ARGUMENT,
                        "%.200s%s%.300s", key != NULL ? "--" : event->file,
                        key == NULL && event->file[0] != '\0' ? ": " : "", why->text);
}

enum bg_status config_event_check(const struct config_event *event, struct bg_error *err)
{
    struct bg_error why = {.text = ""};

    if (!config_is_name(event->name)) {
        bg_error_set(&why, BG_E_ARGUMENT, "event: '%s' is not a name", event->name);
        return check_error(event, &why, err);
    }
    if (event->bot_count < 2) {
        bg_error_set(&why, BG_E_ARGUMENT,
                     "bots: %s; an event needs at least two, like 'bots: [gnubg, greedy]'",
                     event->bot_count == 0 ? "there is none" : "there is only one");
        return check_error(event, &why, err);
    }
    for (int i = 0; i < event->bot_count; i++) {
        for (int j = 0; j < i; j++) {
            if (strcmp(event->bots[i].name, event->bots[j].name) == 0) {
                bg_error_set(&why, BG_E_ARGUMENT, "bots: two are called %s", event->bots[i].name);
                return check_error(event, &why, err);
            }
        }
        if (!config_is_name(event->bots[i].name) || event->bots[i].cmd[0] == '\0') {
            bg_error_set(&why, BG_E_ARGUMENT, "bots: '%s' has no proper name or no command",
                         event->bots[i].name);
            return check_error(event, &why, err);
        }
    }
    if (bg_rules_check(&event->rules, &why) != BG_OK) {
        return check_error(event, &why, err);
    }
    return BG_OK;
}

/* ---- what results depend on ---- */

static int by_name(const void *a, const void *b)
{
    const struct config_bot *const *left = a, *const *right = b;

    return strcmp((*left)->name, (*right)->name);
}

/* Program without its folder, arguments, options and clock: a bot that moved is the same bot. */
static void bot_write(char *out, size_t size, const struct config_bot *bot)
{
    char **words = NULL;
    char clock[128];

    out[0] = '\0';
    if (command_split(&words, bot->cmd, NULL) == BG_OK) {
        for (int i = 0; words[i] != NULL; i++) {
            const char *slash = i == 0 ? strrchr(words[i], '/') : NULL;

            command_append(out, size, slash == NULL ? words[i] : slash + 1);
        }
    }
    free(words);
    for (int i = 0; i < bot->option_count; i++) {
        char option[400];

        snprintf(option, sizeof option, "option.%s=%s", bot->options[i].name,
                 bot->options[i].value);
        command_append(out, size, option);
    }
    if (bot->has_clock) {
        char text[140];

        clock_control_write(clock, sizeof clock, &bot->clock);
        snprintf(text, sizeof text, "clock=%s", clock);
        command_append(out, size, text);
    }
}

static void bots_each(const struct config_event *event,
                      void (*fn)(void *user, const char *key, const char *value), void *user)
{
    enum { ROOM = 16 * 1024 };
    const struct config_bot **sorted = calloc((size_t)event->bot_count + 1, sizeof(void *));
    char *list = calloc((size_t)event->bot_count + 1, CONFIG_NAME + 1);
    char *text = malloc(ROOM);
    size_t at = 0;

    if (sorted == NULL || list == NULL || text == NULL) {
        abort(); /* a few kilobytes; nothing sensible can follow */
    }
    for (int i = 0; i < event->bot_count; i++) {
        sorted[i] = &event->bots[i];
    }
    qsort(sorted, (size_t)event->bot_count, sizeof(void *), by_name);
    for (int i = 0; i < event->bot_count; i++) {
        at +=
            (size_t)snprintf(list + at, CONFIG_NAME + 1, "%s%s", i > 0 ? "," : "", sorted[i]->name);
    }
    fn(user, "bots", list);
    for (int i = 0; i < event->bot_count; i++) {
        char key[CONFIG_NAME + 4];

        snprintf(key, sizeof key, "bot.%s", sorted[i]->name);
        bot_write(text, ROOM, sorted[i]);
        fn(user, key, text);
    }
    free(text);
    free(list);
    free(sorted);
}

void config_event_each(const struct config_event *event,
                       void (*fn)(void *user, const char *key, const char *value), void *user)
{
    char value[CONFIG_VALUE];

    fn(user, "event", event->name);
    for (int i = 0; i < KEYS; i++) {
        if (keys[i].results && !keys[i].alias) {
            key_write(value, sizeof value, event, &keys[i]);
            fn(user, keys[i].name, value);
        }
    }
    snprintf(value, sizeof value, "%" PRIu64, event->pairs);
    fn(user, "pairs", value);
    bots_each(event, fn, user);
}
