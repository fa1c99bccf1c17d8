/* The keys are those of the event file, of bots.yaml and of -engine alike, so that a line can be
 * moved from one to another. `tc` and `st` are keys too, with the meaning that they have in
 * chess. What people write in their place (command, program, path) is not taken as an alias,
 * which every page would have to explain: it is only known to the hint of the message. */
#include "competitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "base/closest.h"
#include "base/yaml.h"
#include "chess_words.h"
#include "command.h"

static const char *const keys[] = {
    "name", "bot",    "cmd",     "args",   "dir",      "instances", "clock",  "tc",
    "st",   "stderr", "options", "author", "operator", "origins",   "remote", "late"};

int competitor_key_count(void)
{
    return (int)(sizeof keys / sizeof keys[0]);
}

static bool is_key(const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i], name) == 0) {
            return true;
        }
    }
    return false;
}

enum bg_status competitor_set_option(struct competitor *bot, const char *name, const char *value,
                                     struct bg_error *err)
{
    int at = 0;

    if (name[0] == '\0' || strlen(name) >= sizeof bot->options[0].name) {
        return bg_error_set(err, BG_E_ARGUMENT, "an option's name has 1 to 64 bytes");
    }
    if (strlen(value) >= sizeof bot->options[0].value) {
        return bg_error_set(err, BG_E_ARGUMENT, "option %s: longer than 255 bytes", name);
    }
    /* The later value counts: a base bot's options and those of -each stand before the bot's
     * own. */
    while (at < bot->option_count && strcmp(bot->options[at].name, name) != 0) {
        at++;
    }
    if (at == COMPETITOR_OPTIONS) {
        return bg_error_set(err, BG_E_ARGUMENT, "more than %d options", COMPETITOR_OPTIONS);
    }
    bot->option_count = at == bot->option_count ? at + 1 : bot->option_count;
    memcpy(bot->options[at].name, name, strlen(name) + 1);
    memcpy(bot->options[at].value, value, strlen(value) + 1);
    return BG_OK;
}

static enum bg_status set_args(struct competitor *bot, const char *text, struct bg_error *err)
{
    size_t used = strlen(bot->cmd);

    if (used + 1 + strlen(text) >= sizeof bot->cmd) {
        return bg_error_set(err, BG_E_ARGUMENT, "the command is longer than %zu bytes",
                            sizeof bot->cmd - 1);
    }
    bot->base[0] = '\0'; /* the command no longer comes from the base bot */
    bot->cmd[used] = ' ';
    memcpy(bot->cmd + used + 1, text, strlen(text) + 1);
    return BG_OK;
}

static enum bg_status set_clock(struct competitor *bot, const char *key, const char *value,
                                struct bg_error *err)
{
    char text[CHESS_WORDS_CLOCK];
    enum bg_status status;

    if (strcmp(key, "clock") == 0) {
        status = clock_control_read(&bot->clock, value, err);
    } else {
        status = strcmp(key, "st") == 0 ? chess_words_st(text, value, err)
                                        : chess_words_tc(text, value, err);
        status = status == BG_OK ? clock_control_read(&bot->clock, text, err) : status;
    }
    bot->has_clock = bot->has_clock || status == BG_OK;
    return status;
}

/* Returns where a declaration for the entry list is kept; NULL: another key. */
static char *declared_of(struct competitor *bot, const char *key)
{
    return strcmp(key, "author") == 0 ? bot->author
                                      : strcmp(key, "operator") == 0
               ? bot->operator: strcmp(key, "origins") == 0 ? bot->origins : NULL;
}

static enum bg_status set_declared(char *out, const char *value, struct bg_error *err)
{
    size_t size = strlen(value);

    if (size >= COMPETITOR_DECLARED || strspn(value, " ") == size ||
        clean_find(value, size, CLEAN_LINE) != size) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "a line of 1 to %d bytes, without control and invisible characters",
                            COMPETITOR_DECLARED - 1);
    }
    memcpy(out, value, size + 1);
    return BG_OK;
}

enum bg_status competitor_set_origins(struct competitor *bot, const struct yaml *yaml, int list,
                                      struct bg_error *err)
{
    char all[COMPETITOR_DECLARED + 2] = "";
    struct bg_error why = {.text = ""};
    size_t used = 0;

    for (int i = 0; i < yaml_count(yaml, list) && used < sizeof all; i++) {
        const char *text;

        if (yaml_text(&text, yaml, yaml_item(yaml, list, i), "origins", COMPETITOR_DECLARED - 1,
                      err) != BG_OK) {
            return BG_E_CONFIG;
        }
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : ", ", text);
    }
    return set_declared(bot->origins, all, &why) == BG_OK
               ? BG_OK
               : yaml_error(err, yaml, list, "origins", "%s", why.text);
}

static enum bg_status unknown_key(const char *key, struct bg_error *err)
{
    static const struct {
        const char *word, *key;
    } others[] = {{"command", "cmd"},    {"program", "cmd"},   {"path", "cmd"},
                  {"arguments", "args"}, {"folder", "dir"},    {"option", "options"},
                  {"authors", "author"}, {"origin", "origins"}};
    enum { OTHERS = sizeof others / sizeof others[0], KEYS = sizeof keys / sizeof keys[0] };
    const char *names[KEYS + OTHERS], *near;

    for (int i = 0; i < KEYS + OTHERS; i++) {
        names[i] = i < KEYS ? keys[i] : others[i - KEYS].word;
    }
    near = closest_name(key, names, KEYS + OTHERS);
    for (int i = 0; i < OTHERS; i++) {
        near = near == others[i].word ? others[i].key : near;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "unknown key%s; there are name, bot, cmd, args, dir, "
                        "instances, clock, stderr, options, author, operator, origins, remote and "
                        "late",
                        closest_hint(near).text);
}

enum bg_status competitor_check_key(const char *key, struct bg_error *err)
{
    enum bg_status status;

    /* Only whether the key is known matters here: "off" is a value of none that says something. */
    if (is_key(key) || chess_words_other(&status, key, "off", NULL)) {
        return BG_OK;
    }
    return unknown_key(key, err);
}

enum bg_status competitor_set(struct competitor *bot, const char *key, const char *value,
                              struct bg_error *err)
{
    enum bg_status status;

    if (strcmp(key, "name") == 0) {
        status = name_check(value, err);
        return status == BG_OK ? copy_read(bot->name, sizeof bot->name, value, err) : status;
    }
    if (strcmp(key, "args") == 0) {
        return set_args(bot, value, err);
    }
    if (strcmp(key, "dir") == 0) {
        return copy_read(bot->dir, sizeof bot->dir, value, err);
    }
    if (strcmp(key, "instances") == 0) {
        return int_read(&bot->instances, value, 1, 1024, err);
    }
    if (strcmp(key, "remote") == 0) {
        return flag_read(&bot->remote, value, err);
    }
    if (strcmp(key, "late") == 0) {
        return flag_read(&bot->late, value, err);
    }
    if (strcmp(key, "stderr") == 0) {
        return copy_read(bot->stderr_file, sizeof bot->stderr_file, value, err);
    }
    if (declared_of(bot, key) != NULL) {
        return set_declared(declared_of(bot, key), value, err);
    }
    if (strcmp(key, "clock") == 0 || strcmp(key, "tc") == 0 || strcmp(key, "st") == 0) {
        return set_clock(bot, key, value, err);
    }
    if (chess_words_other(&status, key, value, err)) {
        return status;
    }
    return unknown_key(key, err);
}

void competitor_name_of(char out[NAME_SIZE], const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    size_t length = 0;

    for (; length < NAME_SIZE - 1 && base[length] != '\0'; length++) {
        char one[2] = {base[length], '\0'};

        out[length] = name_is_valid(one) ? base[length] : '-';
    }
    out[length] = '\0';
}

enum bg_status competitor_set_cmd(struct competitor *bot, const char *text, struct bg_error *err)
{
    char **words = NULL;
    enum bg_status status = copy_read(bot->cmd, sizeof bot->cmd, text, err);

    if (status != BG_OK) {
        return status;
    }
    status = command_split(&words, text, err);
    if (status == BG_OK && bot->name[0] == '\0') {
        competitor_name_of(bot->name, words[0]);
    }
    free(words);
    return status;
}

enum bg_status competitor_set_options(struct competitor *bot, const struct yaml *yaml, int map,
                                      struct bg_error *err)
{
    if (!yaml_is_map(yaml, map)) {
        return yaml_error(err, yaml, map, "options",
                          "a map is needed, like {Plies: 0, Noise: 0.05}");
    }
    for (int i = 0; i < yaml_count(yaml, map); i++) {
        int key, value;
        const char *name, *text;
        struct bg_error why = {.text = ""};

        yaml_pair(&key, &value, yaml, map, i);
        if (yaml_text(&name, yaml, key, "options", NAME_SIZE - 1, err) != BG_OK ||
            yaml_text(&text, yaml, value, name, 255, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (competitor_set_option(bot, name, text, &why) != BG_OK) {
            return yaml_error(err, yaml, key, "options", "%s", why.text);
        }
    }
    return BG_OK;
}

bool competitor_is_person(const struct competitor *bot)
{
    return strcmp(bot->base, "human") == 0 || strcmp(bot->base, "person") == 0;
}

int competitor_find(const struct competitor *bots, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(bots[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
