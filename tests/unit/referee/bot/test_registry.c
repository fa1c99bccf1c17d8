/* Bots by name: bundled ones, the user's file, paths, and the words after -engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/conditions.h"
#include "bot/registry.h"
#include "support/suite.h"

static char home[] = "/tmp/bgref-registry-XXXXXX";
static char file[128];

/* A home folder of the test, with a bots file if text is given. */
static struct registry *open_with(const char *text, enum bg_status *status, struct bg_error *err)
{
    struct registry *registry = NULL;
    char folder[96];

    ck_assert_ptr_nonnull(mkdtemp(home));
    setenv("XDG_CONFIG_HOME", home, 1);
    setenv("BGREF_BOTS_DIR", "/opt/my bots", 1);
    snprintf(folder, sizeof folder, "%s/bgref", home);
    snprintf(file, sizeof file, "%s/bgref/bots.yaml", home);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    if (text != NULL) {
        FILE *out = fopen(file, "w");

        ck_assert(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
    }
    *status = registry_open(&registry, err);
    unlink(file);
    rmdir(folder);
    rmdir(home);
    return registry;
}

static struct registry *open_good(const char *text)
{
    enum bg_status status;
    struct registry *registry = open_with(text, &status, &error);

    ck_assert_msg(status == BG_OK, "%s", error.text);
    return registry;
}

static int index_of(const struct registry *registry, const char *name)
{
    for (int i = 0; i < registry_count(registry); i++) {
        if (strcmp(registry_at(registry, i)->name, name) == 0) {
            return i;
        }
    }
    ck_abort_msg("%s is missing", name);
    return -1;
}

TEST(bundled_bots_say_where_their_games_repeat)
{
    struct registry *registry = NULL;

    assert_ok(registry_open(&registry, &error));
    for (int i = 0; i < registry_count(registry); i++) {
        const struct competitor *bot = registry_at(registry, i);
        const char *repeats = conditions_repeat(bot->cmd);

        ck_assert_str_eq(
            repeats, strncmp(bot->name, "gnubg", 5) == 0 ? "same gnubg"
                     : strcmp(bot->name, "human") == 0 || strcmp(bot->name, "person") == 0 ? "no"
                     : strcmp(bot->name, "ubgi") == 0                                      ? "?"
                     : strcmp(bot->name, "greedy") == 0 || strcmp(bot->name, "bkg") == 0 ||
                             strcmp(bot->name, "python") == 0
                         ? "same libm"
                         : "anywhere");
    }
    ck_assert_str_eq(conditions_repeat("./my-bgref-td"), "?");
    ck_assert_str_eq(conditions_repeat("/opt/bgref-td --fast"), "anywhere");
    registry_close(registry);
}

TEST(conditions_name_the_processor_and_gnubgs_data)
{
    char plain[CONDITIONS_TEXT], gnubg[CONDITIONS_TEXT];

    conditions_here(plain, false);
    conditions_here(gnubg, true);
    ck_assert_ptr_nonnull(strstr(plain, "processor="));
    ck_assert_ptr_nonnull(strstr(plain, " libc="));
    ck_assert_ptr_null(strstr(plain, "gnubg"));
    ck_assert(strncmp(gnubg, plain, strlen(plain)) == 0);
    ck_assert_ptr_nonnull(strstr(gnubg, " gnubg.wd="));
    ck_assert_ptr_nonnull(strstr(gnubg, " gnubg_ts0.bd="));
    ck_assert(conditions_need_gnubg("bot:gnubg 0.1.0"));
    ck_assert(!conditions_need_gnubg("bot:td 0.1.0"));
}

TEST(bundled_bots_are_listed_in_order)
{
    static const char *const names[] = {"bkg",         "exact",   "first",   "gnubg",
                                        "gnubg-noise", "greedy",  "python",  "random",
                                        "td",          "td-1ply", "td-noise"};
    struct registry *registry = open_good(NULL);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int at = index_of(registry, names[i]);

        ck_assert_str_eq(registry_origin(registry, at), "bundled");
        ck_assert_msg(strncmp(registry_at(registry, at)->cmd, "'/opt/my bots/bgref-", 20) == 0,
                      "%s", registry_at(registry, at)->cmd);
    }
    for (int i = 1; i < registry_count(registry); i++) {
        ck_assert_int_lt(strcmp(registry_at(registry, i - 1)->name, registry_at(registry, i)->name),
                         0);
    }
    ck_assert_str_eq(registry_at(registry, index_of(registry, "gnubg-noise"))->options[1].name,
                     "Noise");
    ck_assert_str_eq(registry_user_file(registry), file);
    registry_close(registry);
}

TEST(the_users_file_adds_and_replaces)
{
    struct registry *registry =
        open_good("bots:\n"
                  "  zz: /bin/zz -x\n"
                  "  greedy: {cmd: /my/greedy}\n"
                  "  aa: {bot: gnubg, options: {Plies: 1}, instances: 2}\n");
    int at = index_of(registry, "greedy");

    ck_assert_str_eq(registry_origin(registry, at), file);
    ck_assert(registry_replaces(registry, at));
    ck_assert_str_eq(registry_at(registry, at)->cmd, "/my/greedy");
    ck_assert_int_eq(index_of(registry, "aa"), 0);
    ck_assert_int_eq(registry_at(registry, 0)->instances, 2);
    ck_assert_str_eq(registry_at(registry, 0)->options[0].value, "1");
    ck_assert_str_eq(registry_at(registry, index_of(registry, "zz"))->cmd, "/bin/zz -x");
    ck_assert(!registry_replaces(registry, index_of(registry, "zz")));
    registry_close(registry);
}

static const struct {
    const char *text, *message; /* after "FILE:" */
} bad[] = {
    {"- a\n", "1: a bots file is"},
    {"mybot: /bin/x\n", "1: a bots file is"},
    {"bots:\n  a: /bin/x\nmore: 1\n", "1: a bots file is"},
    {"bots: [a]\n", "1: a bots file is"},
    {"bots:\n  a b: /bin/x\n", "2: bots: 'a b' is not a name"},
    {"bots:\n  a: ./x\n", "2: a: cmd './x' is not a full path"},
    {"bots:\n  a: {cmd: /x, dir: y}\n", "2: a: dir 'y' is not a full path"},
    {"bots:\n  a: /x\n  a: /y\n", "3: a: given twice"},
    {"bots:\n  a: {bot: none-such}\n", "2: bot: no bot is called"},
    {"bots:\n  a: {comand: /x}\n", "2: comand: unknown key (perhaps cmd?)"},
    {"bots:\n  a: {args: -x}\n", "2: a: bot (a name"},
    {"bots:\n  a:\n", "2: a: the value is missing"},
    {"bots:\n  a: {cmd: /x, tc: 5/60}\n", "2: tc: '5/60': a clock of backgammon"},
    {"bots:\n  a: [x]\n", "2: a: one value is needed"},
};

TEST_ROWS(user_file_errors_name_file_and_line, bad)
{
    enum bg_status status;
    char message[256];

    ck_assert_ptr_null(open_with(bad[_i].text, &status, &error));
    ck_assert_int_eq(status, BG_E_CONFIG);
    snprintf(message, sizeof message, "%s:%s", file, bad[_i].message);
    ck_assert_msg(strncmp(error.text, message, strlen(message)) == 0, "%s", error.text);
}

TEST(a_file_with_only_comments_is_valid)
{
    struct registry *registry = open_good("# later\n");

    registry_close(registry);
}

TEST(a_path_names_a_bot)
{
    struct registry *registry = open_good(NULL);
    struct competitor bot;
    char odd[] = "/tmp/bgref odd'bot-XXXXXX";
    char cmd[128];
    int fd = mkstemp(odd);

    ck_assert_int_ge(fd, 0);
    assert_ok(registry_resolve(&bot, registry, "/bin/sh", &error));
    ck_assert_str_eq(bot.name, "sh");
    ck_assert_str_eq(bot.cmd, "/bin/sh");
    ck_assert_int_eq(registry_resolve(&bot, registry, odd, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "chmod"));
    ck_assert_int_eq(fchmod(fd, 0700), 0);
    close(fd);
    assert_ok(registry_resolve(&bot, registry, odd, &error));
    ck_assert_int_eq(strncmp(bot.name, "bgref-odd-bot-", 14), 0);
    snprintf(cmd, sizeof cmd, "'/tmp/bgref odd'\\''bot-%s'", odd + strlen(odd) - 6);
    ck_assert_str_eq(bot.cmd, cmd);
    unlink(odd);
    ck_assert_int_eq(registry_resolve(&bot, registry, "gnubgg", &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "perhaps gnubg?"));
    ck_assert_int_eq(registry_resolve(&bot, registry, "./none", &error), BG_E_ARGUMENT);
    registry_close(registry);
}

static const struct {
    const char *words[6];
    const char *name, *cmd, *option; /* option "X=v": the last one; name NULL: refused */
    const char *message;
} engines[] = {
    {{"/bin/sh"}, "sh", "/bin/sh", NULL, ""},
    {{"cmd=./x --fast"}, "x", "./x --fast", NULL, ""},
    {{"name=n", "cmd=./x"}, "n", "./x", NULL, ""},
    {{"cmd=./x", "name=n", "args=-a -b"}, "n", "./x -a -b", NULL, ""},
    {{"cmd=./x", "option.Ply=2"}, "x", "./x", "Ply=2", ""},
    {{"cmd=./x", "option.A=b=c"}, "x", "./x", "A=b=c", ""},
    {{"cmd=./x", "option.A="}, "x", "./x", "A=", ""},
    {{"option.Ply=1", "cmd=./x", "option.Ply=2"}, "x", "./x", "Ply=2", ""}, /* -each, then own */
    {{"bot=/bin/sh", "name=n"}, "n", "/bin/sh", NULL, ""},
    {{"cmd=./x", "tc=move=1s"}, "x", "./x", NULL, ""},
    {{"gnubg", "greedy"}, NULL, NULL, NULL, "are two bots; one is expected here"},
    {{"gnubg", "cmd=./x"}, NULL, NULL, NULL, "exclude"},
    {{"option.A=1"}, NULL, NULL, NULL, "a bot is missing"},
    {{"name=none"}, NULL, NULL, NULL, "no bot is called 'none'"},
    {{"gnubg", "nam=x"}, NULL, NULL, NULL, "perhaps name?"},
    {{"gnubg", "proto=uci"}, NULL, NULL, NULL, "-engine proto=uci: a bot speaks bgref's protocol"},
    {{"gnubg", "name=a b"}, NULL, NULL, NULL, "not a name"},
    {{"gnubg", "instances=many"}, NULL, NULL, NULL, "whole number"},
    {{"gnubg", "option.=1"}, NULL, NULL, NULL, "option's name"},
    {{"cmd="}, NULL, NULL, NULL, "missing"},
    {{"cmd='x"}, NULL, NULL, NULL, "not closed"},
};

TEST_ROWS(engine_words_are_read, engines)
{
    struct registry *registry = open_good(NULL);
    struct competitor bot;
    enum bg_status status;
    int count = 0;

    while (engines[_i].words[count] != NULL) {
        count++;
    }
    status = registry_engine(&bot, registry, engines[_i].words, count, &error);
    if (engines[_i].name == NULL) {
        ck_assert_msg(status == BG_E_ARGUMENT, "taken: %s", engines[_i].words[0]);
        ck_assert_msg(strstr(error.text, engines[_i].message) != NULL, "%s", error.text);
    } else {
        ck_assert_msg(status == BG_OK, "%s", error.text);
        ck_assert_str_eq(bot.name, engines[_i].name);
        ck_assert_str_eq(bot.cmd, engines[_i].cmd);
        if (engines[_i].option != NULL) {
            char text[340];

            ck_assert_int_eq(bot.option_count, 1);
            snprintf(text, sizeof text, "%s=%s", bot.options[0].name, bot.options[0].value);
            ck_assert_str_eq(text, engines[_i].option);
        }
    }
    registry_close(registry);
}

TEST(too_many_options_are_refused)
{
    struct registry *registry = open_good(NULL);
    static char text[COMPETITOR_OPTIONS + 2][32];
    const char *words[COMPETITOR_OPTIONS + 2] = {"cmd=./x"};
    struct competitor bot;

    for (int i = 1; i < COMPETITOR_OPTIONS + 2; i++) {
        snprintf(text[i], sizeof text[i], "option.o%d=1", i);
        words[i] = text[i];
    }
    assert_ok(registry_engine(&bot, registry, words, COMPETITOR_OPTIONS + 1, &error));
    ck_assert_int_eq(bot.option_count, COMPETITOR_OPTIONS);
    ck_assert_int_eq(registry_engine(&bot, registry, words, COMPETITOR_OPTIONS + 2, &error),
                     BG_E_ARGUMENT);
    registry_close(registry);
}
