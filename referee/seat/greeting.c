/* The order of the checks is that of what a message can be trusted for. The token is first: with
 * a wrong one this is some other process, and nothing that it says is of our bot. Then the
 * version, since in another one the other fields may mean something else; then games and
 * options; last what this event alone asks for. The first reason is the one that is sent and
 * printed. */
#include "greeting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "bot/bundled.h"
#include "base/closest.h"
#include "base/memory.h"
#include "decisions.h"
#include "flood.h"
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

/* Returns the option with this name in welcome, or NULL. */
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
    const char *names[WIRE_OPTIONS_MAX];

    for (size_t i = 0; i < hello->option_count; i++) {
        names[i] = hello->options[i].name;
    }
    snprintf(why, WIRE_TEXT, "bot %s does not offer it%s; it has %s", bot->name,
             closest_perhaps(bot->options[option].name, names, (int)hello->option_count).text,
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

/* "*" is every game, "long-nardi:*" is that game with any options; any other word is a game's
 * id. */
bool greeting_plays(const char *variants, const struct bg_variant *variant)
{
    const char *list = variants[0] == '\0' ? "backgammon" : variants;
    const char *id = bg_variant_id(variant);
    char any[WIRE_VARIANT + 3];

    snprintf(any, sizeof any, "%.*s:*", (int)strcspn(id, ":"), id);
    return offer_has_word(list, id, ' ') || offer_has_word(list, any, ' ') ||
           offer_has_word(list, "*", ' ');
}

/* Returns the first game of the event that the bot does not play, or NULL. */
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

/* Names the remedy: build an old bot again; use a newer referee for a newer bot. */
static void explain_version(char *why, const struct wire_hello *hello)
{
    const uint32_t best = hello->protocol_count == 0 ? 0 : hello->protocols[0];

    snprintf(why, WIRE_TEXT, "the bot speaks version %" PRIu32 ", this referee only version %d: %s",
             best, BG_PROTOCOL,
             best > BG_PROTOCOL ? "it needs a newer bgref"
                                : "build it again with this version's SDK or bgref.proto");
}

bool greeting_answer(struct wire_welcome *welcome, char *what, char *why,
                     const struct wire_hello *hello, const struct competitor *bot,
                     const struct bg_rules *rules)
{
    const struct bg_variant *missing = rules == NULL ? NULL : missing_game(hello, rules);

    memset(welcome, 0, sizeof *welcome);
    if (!speaks(hello, BG_PROTOCOL)) {
        snprintf(what, WIRE_TEXT, "protocol");
        explain_version(why, hello);
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

/* ------------------------------------------------------------- the first message */

void greeting_deinit(struct greeting *greeting)
{
    free(greeting->offers);
    *greeting = (struct greeting){.in_flight = 1};
}

static int in_flight_of(const struct wire_hello *hello)
{
    if (hello->max_in_flight == 0) {
        return 1;
    }
    return hello->max_in_flight > DECISIONS_MAX ? DECISIONS_MAX : (int)hello->max_in_flight;
}

static void keep_offers(struct greeting *greeting, const struct wire_hello *hello,
                        const struct wire_welcome *welcome)
{
    greeting_deinit(greeting);
    greeting->offers = memory_zeroed(hello->option_count, sizeof *greeting->offers);
    greeting->offer_count = hello->option_count;
    memcpy(greeting->offers, hello->options, greeting->offer_count * sizeof *greeting->offers);
    snprintf(greeting->variants, sizeof greeting->variants, "%s", hello->variants);
    greeting->want_plays = hello->want_plays;
    greeting->want_tells = hello->want_tells;
    greeting->want_pairings = hello->want_tells && hello->want_pairings;
    greeting->stateful = hello->stateful;
    greeting->in_flight = in_flight_of(hello);
    greeting_version(greeting->version, sizeof greeting->version, hello);
    clean_write(greeting->author, sizeof greeting->author, hello->author, strlen(hello->author),
                CLEAN_LINE);
    greeting_options(greeting->options, sizeof greeting->options, welcome);
}

/* Sets the fields that greeting_answer does not set. */
static void set_limits(struct wire_welcome *welcome, const struct greeting *greeting,
                       const struct greeting_terms *terms)
{
    const struct competitor *bot = terms->bot;

    snprintf(welcome->event, sizeof welcome->event, "%s", terms->event);
    welcome->resuming = terms->resuming;
    welcome->want_thoughts = terms->want_thoughts;
    welcome->open_games = terms->open_games;
    welcome->open_game_count = terms->open_game_count;
    welcome->limits = (struct wire_limits){
        .tables = (uint32_t)bot->limits.tables,
        .hello_bytes = bot->remote ? ENTRY_HELLO : GREETING_MESSAGE_BYTES,
        .starts_an_hour = bot->remote ? (uint32_t)entry_limits_starts(&bot->limits) : 0,
        .message_bytes = GREETING_MESSAGE_BYTES,
        .messages_per_second = FLOOD_MESSAGES,
        .bytes_per_second = FLOOD_BYTES,
        .in_flight = (uint32_t)greeting->in_flight,
        .start_ns = (uint64_t)terms->start_ns,
        .new_game_ns = (uint64_t)terms->new_game_ns,
        .decision_ns = (uint64_t)terms->ceiling_ns,
    };
}

static void pack_refusal(struct wire_buffer *buffer, const char *what, const char *why)
{
    struct bg_error err;

    if (wire_pack_refusal(buffer, what, why, &err) != BG_OK) {
        buffer->size = 0; /* no Refusal is sent: the bot is ended */
    }
}

/* Who changes the program between two games of one event does so before all eyes. */
static bool is_same_revision(struct greeting *greeting, char what[WIRE_TEXT], char why[WIRE_TEXT],
                             const struct wire_hello *hello, const struct greeting_terms *terms)
{
    char version[sizeof greeting->version];

    greeting_version(version, sizeof version, hello);
    if (terms->version == NULL || strcmp(version, terms->version) == 0) {
        return true;
    }
    snprintf(greeting->refused, sizeof greeting->refused, "%s", version);
    snprintf(what, WIRE_TEXT, "version");
    snprintf(why, WIRE_TEXT,
             "%.64s played as %.80s in this event, and this program is %.80s; start that one, or "
             "ask the director to accept this one",
             terms->bot->name, terms->version, version);
    return false;
}

/* What this event needs beside the game. */
static bool can_serve(char what[WIRE_TEXT], char why[WIRE_TEXT], const struct wire_hello *hello,
                      const struct greeting_terms *terms)
{
    if (terms->evaluator && !hello->evaluates) {
        snprintf(what, WIRE_TEXT, "judge");
        snprintf(why, WIRE_TEXT,
                 "it does not value positions (its Hello has no 'evaluates'); bots that do "
                 "are " BUNDLED_EVALUATORS);
        return false;
    }
    if (terms->enters_dice && !hello->enters_dice) {
        snprintf(what, WIRE_TEXT, "dice");
        snprintf(
            why, WIRE_TEXT,
            "people roll in this event (dice=manual), and bot %.64s has no operator who could "
            "enter dice; let a person sit there with bgref join --seat or the bot human, or leave "
            "dice=manual out",
            terms->bot->name);
        return false;
    }
    return true;
}

static bool take_hello(struct greeting *greeting, struct wire_buffer *buffer,
                       char text[GREETING_TEXT], const struct wire_hello *hello,
                       const struct greeting_terms *terms)
{
    static struct wire_welcome welcome; /* large; used only within this call, on one thread */
    char what[WIRE_TEXT], why[WIRE_TEXT];
    struct bg_error err;
    bool is_welcome = false;

    if (terms->token != NULL && strcmp(hello->token, terms->token) != 0) {
        snprintf(what, sizeof what, "token");
        snprintf(why, sizeof why,
                 "it differs from BGREF_TOKEN in the bot's environment; send that value");
    } else if (greeting_answer(&welcome, what, why, hello, terms->bot, terms->rules)) {
        is_welcome = can_serve(what, why, hello, terms) &&
                     is_same_revision(greeting, what, why, hello, terms);
    }
    if (!is_welcome) {
        buffer->size = 0;
        pack_refusal(buffer, what, why);
        bg_error_set(&err, BG_E_REFUSED, "refused: %s: %s", what, why);
        snprintf(text, GREETING_TEXT, "%s", err.text);
        return false;
    }
    /* Only now: a refused Hello must not replace what is known of the bot from before. */
    keep_offers(greeting, hello, &welcome);
    set_limits(&welcome, greeting, terms);
    if (wire_pack_welcome(buffer, &welcome, &err) != BG_OK) {
        buffer->size = 0;
        snprintf(text, GREETING_TEXT, "%s", err.text);
        return false;
    }
    return true;
}

const char *greeting_parts(enum link_what what)
{
    return what == LINK_DELIMITED
               ? "an empty frame before the message, as REQ sockets send; a bot needs a DEALER and "
                 "sends its message as one frame"
               : "a message of several frames; send each message as one frame";
}

bool greeting_take(struct greeting *greeting, struct wire_buffer *buffer, char text[GREETING_TEXT],
                   const struct link_frame *frame, const struct greeting_terms *terms)
{
    struct wire_message message;
    struct bg_error err;
    const char *why;

    if (frame->what != LINK_MESSAGE) {
        why = greeting_parts(frame->what);
    } else if (wire_unpack_to_referee(&message, terms->reader, frame->data, frame->size, &err) !=
               BG_OK) {
        why = err.text;
    } else if (message.content != WIRE_HELLO) {
        why = "it is another kind of message";
    } else {
        return take_hello(greeting, buffer, text, message.hello, terms);
    }
    pack_refusal(buffer, "first message", why);
    snprintf(text, GREETING_TEXT, "its first message is not a Hello: %s", why);
    return false;
}
