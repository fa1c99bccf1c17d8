/* Refused Hello messages with their reasons, and the option values that a Welcome sends. */
#include <stdio.h>
#include <string.h>

#include "seat/greeting.h"
#include "support/suite.h"

static struct wire_hello hello;
static struct wire_welcome welcome;
static struct competitor bot;
static char what[WIRE_TEXT], why[WIRE_TEXT];

static void offer(const char *name, enum wire_option_type type, const char *value, const char *min,
                  const char *max, const char *choices)
{
    struct wire_option *option = &hello.options[hello.option_count++];

    strcpy(option->name, name);
    option->type = type;
    strcpy(option->value, value);
    strcpy(option->min, min);
    strcpy(option->max, max);
    strcpy(option->choices, choices);
}

static struct bg_rules rules;

static void begin(void)
{
    rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    memset(&hello, 0, sizeof hello);
    memset(&bot, 0, sizeof bot);
    hello.protocols[0] = 7;
    hello.protocols[1] = BG_PROTOCOL;
    hello.protocol_count = 2;
    strcpy(bot.name, "tester");
    offer("Plies", WIRE_INTEGER, "0", "0", "3", "");
    offer("Noise", WIRE_REAL, "0", "0", "1", "");
    offer("Deep", WIRE_FLAG, "false", "", "", "");
    offer("Style", WIRE_CHOICE, "normal", "", "", "normal|bold");
    offer("Book", WIRE_STRING, "", "", "", "");
}

static bool greet(const char *name, const char *value)
{
    if (name != NULL) {
        strcpy(bot.options[0].name, name);
        strcpy(bot.options[0].value, value);
        bot.option_count = 1;
    }
    return greeting_answer(&welcome, what, why, &hello, &bot, &rules);
}

TEST(a_minimal_hello_is_welcomed_with_the_defaults)
{
    char text[128];

    begin();
    ck_assert(greet(NULL, NULL));
    ck_assert_uint_eq(welcome.protocol, BG_PROTOCOL);
    ck_assert_str_eq(welcome.bot, "tester");
    greeting_options(text, sizeof text, &welcome);
    ck_assert_str_eq(text, "Plies=0 Noise=0 Deep=false Style=normal Book=");
}

static const struct {
    const char *name, *value;
    const char *said; /* part of the refusal; NULL: accepted */
} values[] = {
    {"Plies", "2", NULL},           {"Plies", "4", "outside 0..3"},
    {"Plies", "-1", "outside"},     {"Plies", "1.5", "whole number"},
    {"Plies", "", "whole number"},  {"Plies", "2x", "whole number"},
    {"Noise", "0.02", NULL},        {"Noise", "1.01", "outside 0..1"},
    {"Noise", "little", "number"},  {"Deep", "true", NULL},
    {"Deep", "yes", "true or"},     {"Style", "bold", NULL},
    {"Style", "bol", "not one of"}, {"Style", "", "not one of"},
    {"Book", "any text", NULL},     {"plies", "1", "does not offer"},
    {"Noise", "nan", "number"},     {"Noise", "inf", "number"},
    {"Noise", "0x1p-2", "number"},  {"Noise", " 0.5", "number"},
    {"Plies", "1e999", "number"},   {"Plies", "1e300", "outside"},
    {"Noise", "-", "number"},
};

TEST_ROWS(option_values_are_checked, values)
{
    char label[WIRE_TEXT];

    begin();
    ck_assert_msg(greet(values[_i].name, values[_i].value) == (values[_i].said == NULL),
                  "option %s=%s: %s", values[_i].name, values[_i].value, why);
    if (values[_i].said != NULL) {
        snprintf(label, sizeof label, "option %s", values[_i].name);
        ck_assert_str_eq(what, label);
        ck_assert_msg(strstr(why, values[_i].said) != NULL, "%s=%s: %s", values[_i].name,
                      values[_i].value, why);
    }
}

TEST(another_protocol_is_refused)
{
    char versions[64];

    begin();
    hello.protocol_count = 1;
    ck_assert(!greet(NULL, NULL));
    ck_assert_str_eq(what, "protocol");
    ck_assert_ptr_nonnull(strstr(why, "it needs a newer bgref"));
    hello.protocols[0] = BG_PROTOCOL - 1; /* built before */
    ck_assert(!greet(NULL, NULL));
    snprintf(versions, sizeof versions, "speaks version %d, this referee only version %d",
             BG_PROTOCOL - 1, BG_PROTOCOL);
    ck_assert_msg(strstr(why, versions) != NULL, "%s", why);
    ck_assert_ptr_nonnull(strstr(why, "build it again with this version's SDK or bgref.proto"));
}

TEST(a_bot_of_other_games_is_refused)
{
    begin();
    strcpy(hello.variants, "nackgammon backgammonx");
    ck_assert(!greet(NULL, NULL));
    ck_assert_str_eq(what, "game backgammon");
    strcpy(hello.variants, "nackgammon backgammon");
    ck_assert(greet(NULL, NULL));
}

/* The games in a bot's Hello, and the event's game or rotation. */
static const struct {
    const char *says, *event;
    const char *missing; /* NULL: it may play */
} repertoires[] = {
    {"", "backgammon", NULL},
    {"", "tapa", "game tapa"},
    {"tapa", "tapa", NULL},
    {"*", "tapa:mother=2", NULL},
    {"tapa:*", "tapa", NULL},
    {"tapa:*", "tapa:mother=2", NULL},
    {"tapa", "tapa:mother=2", "game tapa:mother=2"},
    {"tapa:mother=2", "tapa:mother=2", NULL},
    {"tapa:mother=2", "tapa", "game tapa"},
    {"portes plakoto", "tavli", "game fevga"},
    {"fevga portes plakoto", "tavli", NULL},
    {"*", "turkish", NULL},
};

TEST_ROWS(a_bot_must_play_every_game_of_the_event, repertoires)
{
    bool welcomed;

    begin();
    strcpy(hello.variants, repertoires[_i].says);
    rules.rotation = bg_rotation_find(repertoires[_i].event);
    rules.variant = rules.rotation != NULL ? bg_rotation_game(rules.rotation, 0)
                                           : bg_variant_find(repertoires[_i].event);
    welcomed = greet(NULL, NULL);
    ck_assert_msg(welcomed == (repertoires[_i].missing == NULL), "'%s' in %s", repertoires[_i].says,
                  repertoires[_i].event);
    if (!welcomed) {
        ck_assert_str_eq(what, repertoires[_i].missing);
    }
}

TEST(options_fit_one_line_and_their_buffer)
{
    char text[96];

    begin();
    ck_assert(greet("Book", "a\nb\rc"));
    greeting_options(text, sizeof text, &welcome);
    ck_assert_ptr_nonnull(strstr(text, " Book=a\\x0ab\\x0dc"));
    greeting_options(text, 12, &welcome);
    ck_assert_str_eq(text, "Plies=0 Noi");
}

/* One more option in a Hello, and its refusal. With the name "Plies" there are two of that name. */
static const struct {
    const char *name;
    enum wire_option_type type;
    const char *value, *min, *max, *choices, *what, *why;
} offers[] = {
    {"Fine", WIRE_REAL, "-1.5e3", "-1e4", "", "", NULL, NULL},
    {"Move Overhead", WIRE_INTEGER, "+3", "", "", "", NULL, NULL},
    {"", WIRE_STRING, "", "", "", "", "option number 6", "its name is empty or holds a '='"},
    {"a=b", WIRE_STRING, "", "", "", "", "option a=b", "its name is empty or holds a '='"},
    {"Plies", WIRE_STRING, "", "", "", "", "option Plies", "it is offered twice"},
    {"N", WIRE_REAL, "nan", "", "", "", "option N",
     "its default value is invalid: \"nan\" is not a number"},
    {"N", WIRE_REAL, "inf", "", "", "", "option N",
     "its default value is invalid: \"inf\" is not a number"},
    {"N", WIRE_INTEGER, "", "", "", "", "option N",
     "its default value is invalid: \"\" is not a whole number"},
    {"N", WIRE_INTEGER, "5", "0", "4", "", "option N",
     "its default value is invalid: 5 is outside 0..4"},
    {"N", WIRE_REAL, "0", "-inf", "", "", "option N", "its min \"-inf\" is not a number"},
    {"N", WIRE_INTEGER, "0", "", "2.5", "", "option N", "its max \"2.5\" is not a whole number"},
    {"N", WIRE_REAL, "0", "2", "1", "", "option N", "its min 2 is above its max 1"},
    {"F", WIRE_FLAG, "1", "", "", "", "option F",
     "its default value is invalid: \"1\" is not true or false"},
    {"C", WIRE_CHOICE, "a", "", "", "", "option C",
     "its default value is invalid: \"a\" is not one of "},
    {"E\x1b[31m", WIRE_STRING, "", "", "", "", NULL,
     "its name holds a control or invisible character, or is not UTF-8"},
    {"S", WIRE_STRING, "\xff", "", "", "", "option S",
     "its value holds a control or invisible character, or is not UTF-8"},
    {"S", WIRE_STRING, "a\nb", "", "", "", "option S",
     "its value holds a control or invisible character, or is not UTF-8"},
};

TEST_ROWS(an_invalid_offered_option_is_refused_by_its_error, offers)
{
    begin();
    offer(offers[_i].name, offers[_i].type, offers[_i].value, offers[_i].min, offers[_i].max,
          offers[_i].choices);
    ck_assert(greet(NULL, NULL) == (offers[_i].why == NULL));
    if (offers[_i].what != NULL) {
        ck_assert_str_eq(what, offers[_i].what);
    }
    if (offers[_i].why != NULL) {
        ck_assert_str_eq(why, offers[_i].why);
    }
}
