#include "greeting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "words/closest.h"
#include "offer.h"

static bool speaks(const struct wire_hello *hello, uint32_t protocol)
{
    for (size_t i = 0; i < hello->protocol_count; i++) {
        if (hello->protocols[i] == protocol) {
            return true;
        }
    }
    return false;
}

/* The offered option with this name in welcome, or NULL. */
static struct wire_option *offered(struct wire_welcome *welcome, const char *name)
{
    for (size_t i = 0; i < welcome->option_count; i++) {
        if (strcmp(welcome->options[i].name, name) == 0) {
            return &welcome->options[i];
        }
    }
    return NULL;
}

static void misspelt(char why[WIRE_TEXT], const struct wire_hello *hello,
                     const struct competitor *bot, int option)
{
    const char *names[WIRE_OPTIONS_MAX], *near;

    for (size_t i = 0; i < hello->option_count; i++) {
        names[i] = hello->options[i].name;
    }
    near = closest_name(bot->options[option].name, names, (int)hello->option_count);
    snprintf(why, WIRE_TEXT, "bot %s does not offer it%s%s%s; it has %s", bot->name,
             near == NULL ? "" : " (perhaps ", near == NULL ? "" : near, near == NULL ? "" : "?)",
             hello->option_count == 0 ? "no options" : "");
    for (size_t i = 0; i < hello->option_count; i++) {
        size_t used = strlen(why);

        snprintf(why + used, WIRE_TEXT - used, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
}

static bool set_options(struct wire_welcome *welcome, char *what, char *why,
                        const struct wire_hello *hello, const struct competitor *bot)
{
    welcome->option_count = hello->option_count;
    memcpy(welcome->options, hello->options, hello->option_count * sizeof *hello->options);
    for (int i = 0; i < bot->option_count; i++) {
        struct wire_option *option = offered(welcome, bot->options[i].name);

        snprintf(what, WIRE_TEXT, "option %s", bot->options[i].name);
        if (option == NULL) {
            misspelt(why, hello, bot, i);
            return false;
        }
        if (!offer_takes(why, option, bot->options[i].value)) {
            return false;
        }
        snprintf(option->value, sizeof option->value, "%s", bot->options[i].value);
    }
    return true;
}

/* "*" is every game, "long-nardi:*" one with any options, else the word is the game's id. */
bool greeting_plays(const char *variants, const struct bg_variant *variant)
{
    const char *list = variants[0] == '\0' ? "backgammon" : variants;
    const char *id = bg_variant_id(variant);
    char any[WIRE_VARIANT + 3];

    snprintf(any, sizeof any, "%.*s:*", (int)strcspn(id, ":"), id);
    return offer_has_word(list, id, ' ') || offer_has_word(list, any, ' ') ||
           offer_has_word(list, "*", ' ');
}

/* The first game of the event that the bot does not play, or NULL. */
static const struct bg_variant *missing_game(const struct wire_hello *hello,
                                             const struct bg_rules *rules)
{
    int games = rules->rotation == NULL ? 1 : bg_rotation_count(rules->rotation);

    for (int i = 0; i < games; i++) {
        const struct bg_variant *variant =
            rules->rotation == NULL ? rules->variant : bg_rotation_game(rules->rotation, i);

        if (!greeting_plays(hello->variants, variant)) {
            return variant;
        }
    }
    return NULL;
}

bool greeting_answer(struct wire_welcome *welcome, char *what, char *why,
                     const struct wire_hello *hello, const struct competitor *bot,
                     const struct bg_rules *rules)
{
    const struct bg_variant *missing = rules == NULL ? NULL : missing_game(hello, rules);

    memset(welcome, 0, sizeof *welcome);
    if (!speaks(hello, BG_PROTOCOL)) {
        snprintf(what, WIRE_TEXT, "protocol");
        snprintf(why, WIRE_TEXT, "this referee speaks version %d only", BG_PROTOCOL);
        return false;
    }
    if (missing != NULL) {
        snprintf(what, WIRE_TEXT, "game %.100s", bg_variant_id(missing));
        snprintf(why, WIRE_TEXT, "bot %s plays %.120s", bot->name,
                 hello->variants[0] == '\0' ? "backgammon" : hello->variants);
        return false;
    }
    if (!offer_check(what, why, hello->options, hello->option_count)) {
        return false;
    }
    welcome->protocol = BG_PROTOCOL;
    snprintf(welcome->bot, sizeof welcome->bot, "%s", bot->name);
    snprintf(welcome->referee, sizeof welcome->referee, "bgref %s", BG_VERSION);
    return set_options(welcome, what, why, hello, bot);
}

void greeting_version(char *out, size_t size, const struct wire_hello *hello)
{
    char text[2 * WIRE_NAME + 1];

    snprintf(text, sizeof text, "%s%s%s", hello->name, hello->version[0] == '\0' ? "" : " ",
             hello->version);
    clean_write(out, size, text, strlen(text), CLEAN_LINE);
}

void greeting_options(char *out, size_t size, const struct wire_welcome *welcome)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < welcome->option_count && used + 1 < size; i++) {
        const char *part[] = {i == 0 ? "" : " ", welcome->options[i].name, "=",
                              welcome->options[i].value};

        for (size_t k = 0; k < sizeof part / sizeof part[0]; k++) {
            used += clean_write(out + used, size - used, part[k], strlen(part[k]), CLEAN_LINE);
        }
    }
}
