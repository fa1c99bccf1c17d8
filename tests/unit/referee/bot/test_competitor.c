/* A competitor, key by key, and the bundled ones. */
#include <stdio.h>
#include <string.h>

#include "bot/bundled.h"
#include "bot/competitor.h"
#include "support/suite.h"
#include "base/yaml.h"

static const struct {
    const char *key, *value;
    const char *message; /* NULL: it is set */
} keys[] = {
    {"name", "x.Y_1+-", NULL},
    {"name", "a b", "'a b' is not a name: 1 to 64 of the letters a-z A-Z, digits, . _ + -"},
    {"name", "", "'' is not a name: 1 to 64 of the letters a-z A-Z, digits, . _ + -"},
    {"name", "gr\xc3\xb6\xc3\x9ft",
     "'gr\xc3\xb6\xc3\x9ft' is not a name: 1 to 64 of the letters a-z A-Z, digits, . _ + -"},
    {"dir", "/srv", NULL},
    {"dir", "", "the value is missing"},
    {"stderr", "log.txt", NULL},
    {"author", "Ann, Bo", NULL},
    {"origins", "own work", NULL},
    {"operator", "  ", "a line of 1 to 255 bytes, without control and invisible characters"},
    {"author", "a\nb", "a line of 1 to 255 bytes, without control and invisible characters"},
    {"instances", "1024", NULL},
    {"instances", "0", "'0' is not a whole number from 1 to 1024"},
    {"instances", "1025", "'1025' is not a whole number from 1 to 1024"},
    {"clock", "move=1s", NULL},
    {"tc", "60+1", NULL},
    {"st", "0.5", NULL},
    {"st", "0", "'0': not the seconds of a move, like 0.5; or use clock=move=500ms"},
    {"timemargin", "5", "the margin is the event's: --margin 5ms"},
    {"folder", "/srv",
     "unknown key (perhaps dir?); there are name, bot, cmd, args, dir, instances, clock, stderr, "
     "options, author, operator, origins, remote and late"},
    {"Nmae", "x",
     "unknown key (perhaps name?); there are name, bot, cmd, args, dir, instances, clock, stderr, "
     "options, author, operator, origins, remote and late"},
};

TEST_ROWS(invalid_value_leaves_the_competitor_unchanged, keys)
{
    struct competitor bot, before;
    const void *was = &before, *is = &bot;
    enum bg_status status;

    memset(&bot, 0, sizeof bot);
    assert_ok(competitor_set_cmd(&bot, "./x --fast", &error));
    memcpy(&before, &bot, sizeof bot);
    status = competitor_set(&bot, keys[_i].key, keys[_i].value, &error);
    if (keys[_i].message == NULL) {
        ck_assert_msg(status == BG_OK, "%s: %s", keys[_i].key, error.text);
        ck_assert(memcmp(was, is, sizeof bot) != 0);
    } else {
        ck_assert_int_eq(status, BG_E_ARGUMENT);
        ck_assert_str_eq(error.text, keys[_i].message);
        ck_assert(memcmp(was, is, sizeof bot) == 0);
    }
}

TEST(each_key_sets_its_own_field)
{
    struct competitor bot = {.option_count = 0};

    ck_assert_int_eq(competitor_set(&bot, "name", "me", NULL), BG_OK);
    ck_assert_int_eq(competitor_set(&bot, "dir", "/srv", NULL), BG_OK);
    ck_assert_int_eq(competitor_set(&bot, "stderr", "log.txt", NULL), BG_OK);
    ck_assert_int_eq(competitor_set(&bot, "instances", "3", NULL), BG_OK);
    ck_assert(!bot.has_clock);
    ck_assert_int_eq(competitor_set(&bot, "tc", "60+1", NULL), BG_OK);
    ck_assert_str_eq(bot.name, "me");
    ck_assert_str_eq(bot.dir, "/srv");
    ck_assert_str_eq(bot.stderr_file, "log.txt");
    ck_assert_int_eq(bot.instances, 3);
    ck_assert(bot.has_clock);
}

TEST(a_command_suggests_a_name_and_takes_arguments)
{
    struct competitor bot = {.option_count = 0};

    snprintf(bot.base, sizeof bot.base, "gnubg");
    assert_ok(competitor_set_cmd(&bot, "'./my bot.py' -v", &error));
    ck_assert_str_eq(bot.name, "my-bot.py");
    assert_ok(competitor_set(&bot, "args", "--fast '-x y'", &error));
    ck_assert_str_eq(bot.cmd, "'./my bot.py' -v --fast '-x y'");
    ck_assert_str_eq(bot.base, ""); /* no longer that bot's command */
    assert_ok(competitor_set_cmd(&bot, "./other", &error));
    ck_assert_str_eq(bot.name, "my-bot.py"); /* an existing name stays */
    ck_assert_int_eq(competitor_set_cmd(&bot, "'./x", &error), BG_E_ARGUMENT);
}

TEST(arguments_that_do_not_fit_change_nothing)
{
    struct competitor bot = {.option_count = 0};
    char many[sizeof bot.cmd];

    memset(many, 'x', sizeof many - 1);
    many[sizeof many - strlen("./x ")] = '\0'; /* one too many */
    assert_ok(competitor_set_cmd(&bot, "./x", &error));
    ck_assert_int_eq(competitor_set(&bot, "args", many, &error), BG_E_ARGUMENT);
    ck_assert_str_eq(bot.cmd, "./x");
    many[sizeof many - 1 - strlen("./x ")] = '\0';
    assert_ok(competitor_set(&bot, "args", many, &error));
    ck_assert_uint_eq(strlen(bot.cmd), sizeof bot.cmd - 1);
}

TEST(an_option_replaces_its_earlier_value)
{
    struct competitor bot = {.option_count = 0};
    char name[NAME_SIZE + 1], value[257];

    assert_ok(competitor_set_option(&bot, "Plies", "0", &error));
    assert_ok(competitor_set_option(&bot, "Noise", "", &error));
    assert_ok(competitor_set_option(&bot, "Plies", "2", &error));
    ck_assert_int_eq(bot.option_count, 2);
    ck_assert_str_eq(bot.options[0].value, "2");
    memset(name, 'n', sizeof name);
    name[NAME_SIZE] = '\0';
    memset(value, 'v', sizeof value);
    value[256] = '\0';
    ck_assert_int_eq(competitor_set_option(&bot, name, "1", &error), BG_E_ARGUMENT);
    ck_assert_int_eq(competitor_set_option(&bot, "Plies", value, &error), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text, "option Plies: longer than 255 bytes");
    name[NAME_SIZE - 1] = '\0';
    value[255] = '\0';
    assert_ok(competitor_set_option(&bot, name, value, &error));
    ck_assert_int_eq(bot.option_count, 3);
}

static const struct {
    const char *text, *message; /* message NULL: the arguments are set */
} maps[] = {
    {"{Plies: 1, Noise: 0.05}", NULL},
    {"Plies", "e.yaml:1: options: a map is needed, like {Plies: 0, Noise: 0.05}"},
    {"{Plies: [1]}", "e.yaml:1: Plies: one value is needed here, not a list"},
    {"{'': 1}", "e.yaml:1: options: an option's name has 1 to 64 bytes"},
};

TEST_ROWS(options_of_a_file_are_a_map, maps)
{
    struct competitor bot = {.option_count = 0};
    struct yaml *yaml = NULL;
    enum bg_status status;

    assert_ok(yaml_parse(&yaml, "e.yaml", maps[_i].text, strlen(maps[_i].text), &error));
    status = competitor_set_options(&bot, yaml, yaml_root(yaml), &error);
    if (maps[_i].message == NULL) {
        ck_assert_msg(status == BG_OK, "%s", error.text);
        ck_assert_int_eq(bot.option_count, 2);
        ck_assert_str_eq(bot.options[1].value, "0.05");
    } else {
        ck_assert_int_eq(status, BG_E_CONFIG);
        ck_assert_str_eq(error.text, maps[_i].message);
    }
    yaml_close(yaml);
}

TEST(own_keys_and_chess_harness_words_are_known)
{
    static const char *const known[] = {"name", "bot", "cmd", "options", "tc", "proto", "nodes"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ck_assert_msg(competitor_check_key(known[i], &error) == BG_OK, "%s", known[i]);
    }
    ck_assert_int_eq(competitor_check_key("option", &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "(perhaps options?)"));
}

TEST(bundled_bots_are_found_in_the_folder)
{
    char longest[1100];
    struct competitor bot;

    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    for (int i = 0; i < bundled_count(); i++) {
        assert_ok(bundled_bot(&bot, i, "/opt/my bots", &error));
        ck_assert_int_eq(strncmp(bot.cmd, "'/opt/my bots/bgref-", 20), 0);
        ck_assert(name_is_valid(bot.name));
        ck_assert_int_eq(bundled_bot(&bot, i, longest, &error), BG_E_ARGUMENT);
        ck_assert_str_eq(error.text, "BGREF_BOTS_DIR: path is too long");
    }
}
