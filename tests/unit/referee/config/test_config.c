/* Event files: accepted and refused content, and the place that a message names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "config/config.h"
#include "base/yaml.h"
#include "bot/registry.h"
#include "support/suite.h"

#define DOCS TEST_DATA "/../../docs/"

static struct registry *registry;

static void open_registry(void)
{
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    assert_ok(registry_open(&registry, &error));
}

static void close_registry(void)
{
    registry_close(registry);
}

/* Reads text as a tournament's file, fills in defaults and checks it. */
static enum bg_status read_text(struct config_event *event, const char *text, struct bg_error *err)
{
    enum bg_status status;

    config_event_init(event);
    status = config_event_parse(event, "e.yaml", text, strlen(text), registry, err);
    if (status == BG_OK) {
        config_event_settle(event);
        status = config_event_check(event, err);
    }
    return status;
}

static const char *value_of(struct config_key *key, const struct config_event *event,
                            const char *name)
{
    for (int i = 0; config_key(key, event, i); i++) {
        if (strcmp(key->name, name) == 0) {
            return key->value;
        }
    }
    return NULL;
}

#define BOTS "bots: [greedy, random]\n"

/* One key as written, and its effective value; before it, other lines that the file needs. */
static const struct {
    const char *text, *key, *value;
} good[] = {
    {BOTS "event: spring-2", "event", "spring-2"},
    {BOTS "name: spring", "event", "spring"},
    {BOTS "length: 7", "length", "7"},
    {BOTS "length: \"7\"", "length", "7"},
    {BOTS "length: money", "length", "0"},
    {BOTS "length: 0", "jacoby", "on"},
    {BOTS "length: 0\njacoby: no", "jacoby", "off"},
    {BOTS "jacoby: off\nlength: 0", "jacoby", "off"},
    {BOTS "length: 5", "crawford", "on"},
    {BOTS "length: 5", "jacoby", "off"},
    {BOTS "length: 0", "crawford", "off"},
    {BOTS "crawford: false", "crawford", "off"},
    {BOTS "pairs: 1000000000", "pairs", "1000000000"},
    {BOTS "rounds: 3", "pairs", "3"},
    {BOTS "duplicate: False", NULL, NULL},
    {BOTS "duplicate: false", "duplicate", "off"},
    {BOTS "cube: off", "cube", "off"},
    {BOTS "length: 0\nbeavers: on", "beavers", "on"},
    {BOTS "length: 0\nbeavers: 2", "raises", "1"},
    {BOTS "length: 0\nbeavers: 1", "raises", "0"},
    {BOTS "length: 0\nbeavers: on\nraises: unlimited", "raises", "unlimited"},
    {BOTS "length: 0\nbeavers: on\nraccoons: on", "raises", "1"},
    {BOTS "length: 0\nauto_doubles: 3", "auto_doubles", "3"},
    {BOTS "variant: misere\nlength: 0", "cube_limit", "64"},
    {BOTS "length: 0\nvariant: misere\ncube_limit: 0", "cube_limit", "0"},
    {BOTS "variant: misere\nlength: 0\ncube: off", "cube_limit", "0"},
    {BOTS "variant: misere\nlength: 5", "cube_limit", "0"},
    {BOTS "variant: misere\nlength: 0\nauto_doubles: 6", "cube_limit", "64"},
    {BOTS "variant: misere\nlength: 0\nauto_doubles: 7", "cube_limit", "0"},
    {BOTS "variant: tabula\nlength: 0", "cube_limit", "0"}, /* it has no cube */
    {BOTS "variant: tabula\nlength: 0\ncube: on", "cube_limit", "64"},
    {BOTS "variant: xii-scripta\nlength: 0\ncube: on\ncube_limit: 4", "cube_limit", "4"},
    {BOTS "variant: tabula\nlength: 0\nconditions: [{between: [greedy, random], cube: on}]",
     "cube_limit", "64"},
    {BOTS "length: 0", "cube_limit", "0"},
    {BOTS "variant: nackgammon\nlength: 0\nbeavers: on", "cube_limit", "0"},
    {BOTS "holland: on", "holland", "on"},
    {BOTS "opening: winner", "opening", "winner"},
    {BOTS "turn_cap: 0", "turn_cap", "0"},
    {BOTS "forfeit: single", "forfeit", "single"},
    {BOTS "fault: match", "fault", "match"},
    {BOTS "clock: bank=2m/pt,delay=12s", "clock", "bank=2m/pt,delay=12s"},
    {BOTS "margin: 5ms", "margin", "5ms"},
    {BOTS "ceiling: 1.5s", "ceiling", "1500ms"},
    {BOTS "concurrency: 3", "concurrency", "3"},
    {BOTS "concurrency: 1", "instances", "1"},
    {BOTS "instances: 9", "instances", "9"},
    {BOTS, "affinity", "off"},
    {BOTS "affinity: auto", "affinity", "auto"},
    {BOTS "seed: 18446744073709551615", "seed", "18446744073709551615"},
    {BOTS "seed: 0", "seed", "0"},
    {BOTS "results: /tmp/x.db", "results", "/tmp/x.db"},
    {BOTS "event: spring", "results", "./bgref-results/spring.db"},
    {BOTS, "results", "./bgref-results/e.db"},
    {BOTS "rating_interval: 1m", "rating_interval", "60s"},
    {"x: &a\n", NULL, NULL},
    {"length: &n 5\npairs: *n\n" BOTS, "pairs", "5"},
    {"---\n" BOTS "...\n", "length", "3"},
    {"\xef\xbb\xbf" BOTS, "length", "3"},
};

TEST_ROWS(a_key_is_read, good)
{
    struct config_event event;
    struct config_key key;
    enum bg_status status = read_text(&event, good[_i].text, &error);

    if (good[_i].key == NULL) {
        ck_assert_msg(status == BG_E_CONFIG, "taken: %s", good[_i].text);
    } else {
        ck_assert_msg(status == BG_OK, "%s: %s", good[_i].text, error.text);
        ck_assert_str_eq(value_of(&key, &event, good[_i].key), good[_i].value);
    }
    config_event_deinit(&event);
}

/* A refused file, the beginning of its message and a part of it. */
static const struct {
    const char *text, *place, *message;
} bad[] = {
    {"", "e.yaml:1: ", "map of keys"},
    {"# nothing\n", "e.yaml:1: ", "map of keys"},
    {"- a\n", "e.yaml:1: ", "map of keys"},
    {"spring\n", "e.yaml:1: ", "map of keys"},
    {"length: 3\n", "e.yaml: bots: ", "at least two"},
    {"bots: [greedy]\n", "e.yaml: bots: ", "only one"},
    {"bots: []\n", "e.yaml: bots: ", "there is none"},
    {"\nbots: greedy\n", "e.yaml:2: bots: ", "list is needed"},
    {"bots:\n  a: b\n", "e.yaml:2: bots: ", "list is needed"},
    {"bots:\n- greedy\n- greedy\n", "e.yaml:3: bots: ", "two bots are called greedy"},
    {"bots:\n- greedy\n- gredy\n", "e.yaml:3: bots: ", "perhaps greedy?"},
    {"bots:\n- greedy\n- ./none-such\n", "e.yaml:3: bots: ", "No such file"},
    {"bots:\n- greedy\n- [a]\n", "e.yaml:3: bots: ", "one value is needed"},
    {"bots:\n- greedy\n-\n", "e.yaml:", "no bot is called ''"},
    {"bots:\n- greedy\n- {name: x}\n", "e.yaml:3: name: ", "no bot is called 'x'"},
    {"bots:\n- greedy\n- {dir: /}\n", "e.yaml:3: bots: ", "bot (a name"},
    {"bots:\n- greedy\n- {bot: random, cmd: x}\n", "e.yaml:3: bots: ", "exclude"},
    {"bots:\n- greedy\n- {bot: random,\n   nmae: x}\n", "e.yaml:4: nmae: ", "perhaps name?"},
    {"bots:\n- greedy\n- bot: random\n  bot: first\n", "e.yaml:4: bot: ", "given twice"},
    {"bots:\n- greedy\n- bot: random\n  name: 'a b'\n", "e.yaml:4: name: ", "not a name"},
    {"bots:\n- greedy\n- bot: random\n  clock: 5\n", "e.yaml:4: clock: ", "not a clock"},
    {"bots:\n- greedy\n- bot: random\n  options: [a]\n", "e.yaml:4: options: ", "map is needed"},
    {"bots:\n- greedy\n- bot: random\n  options: {a: [b]}\n", "e.yaml:4: a: ", "one value"},
    {"bots:\n- greedy\n- bot: random\n  instances: 0\n", "e.yaml:4: instances: ", "from 1"},
    {"bots:\n- greedy\n- {cmd: '\"x', name: x}\n", "e.yaml:3: cmd: ", "not closed"},
    {BOTS "lenght: 3\n", "e.yaml:2: lenght: ", "perhaps length?"},
    {BOTS "affinity: 0-1000\n", "e.yaml:2: affinity: ", "does not exist"},
    {BOTS "xyzzy: 3\n", "e.yaml:2: xyzzy: ", "unknown key"},
    {BOTS "Length: 3\n", "e.yaml:2: Length: ", "perhaps length?"},
    {BOTS "bot: 3\n", "e.yaml:2: bot: ", "perhaps bots?"},
    {BOTS "length: 3\nlength: 5\n", "e.yaml:3: length: ", "given twice, see length in line 2"},
    {BOTS "pairs: 3\nrounds: 3\n", "e.yaml:3: rounds: ", "see pairs in line 2"},
    {BOTS "raises: 1\nraccoons: on\n", "e.yaml:3: raccoons: ", "see raises in line 2"},
    {BOTS "beavers: 2\nraises: 1\n", "e.yaml:3: raises: ", "given twice"},
    {BOTS BOTS, "e.yaml:2: bots: ", "given twice"},
    {BOTS "length: 3pt\n", "e.yaml:2: length: ", "from 0 to 10000"},
    {BOTS "length: -1\n", "e.yaml:2: length: ", "from 0 to 10000"},
    {BOTS "length: 10001\n", "e.yaml:2: length: ", "from 0 to 10000"},
    {BOTS "length: 3.0\n", "e.yaml:2: length: ", "from 0 to 10000"},
    {BOTS "length: 0x3\n", "e.yaml:2: length: ", "from 0 to 10000"},
    {BOTS "length:\n", "e.yaml:2: length: ", "value is missing"},
    {BOTS "length: [3]\n", "e.yaml:2: length: ", "not a list"},
    {BOTS "length: {a: 3}\n", "e.yaml:2: length: ", "not a map"},
    {BOTS "pairs: 0\n", "e.yaml:2: pairs: ", "from 1"},
    {BOTS "pairs: 99999999999999999999\n", "e.yaml:2: pairs: ", "from 1"},
    {BOTS "seed: 18446744073709551616\n", "e.yaml:2: seed: ", "neither a whole number nor random"},
    {BOTS "cube: maybe\n", "e.yaml:2: cube: ", "neither on"},
    {BOTS "cube: 1\n", "e.yaml:2: cube: ", "neither on"},
    {BOTS "beavers: many\n", "e.yaml:2: beavers: ", "nor a number"},
    {BOTS "raises: -1\n", "e.yaml:2: raises: ", "nor unlimited"},
    {BOTS "opening: middle\n", "e.yaml:2: opening: ", "sum-reroll"},
    {BOTS "fault: life\n", "e.yaml:2: fault: ", "neither game nor match"},
    {BOTS "revisions: new_entry\n", "e.yaml:2: revisions: ", "was taken away; take freeze"},
    {BOTS "variant: backgamon\n", "e.yaml:2: variant: ", "perhaps backgammon"},
    {BOTS "clock: 12s\n", "e.yaml:2: clock: ", "not a clock"},
    {BOTS "margin: 12\n", "e.yaml:2: margin: ", "needs a unit"},
    {BOTS "ceiling: 0s\n", "e.yaml:2: ceiling: ", "more than 0"},
    {BOTS "rating_interval: 1.5s\n", "e.yaml:2: rating_interval: ", "seconds"},
    {BOTS "event: a/b\n", "e.yaml:2: event: ", "not a name"},
    {BOTS "event: \"a\\0b\"\n", "e.yaml:2: event: ", "control character"},
    {BOTS "\n\njacoby: on\n", "e.yaml:4: jacoby", ""},
    {BOTS "length: 0\nholland: on\n", "e.yaml:3: holland", ""},
    {BOTS "length: 0\nraises: 2\n", "e.yaml:3: raises", ""},
    {BOTS "cube: off\ncube_limit: 8\n", "e.yaml:3: cube_limit: ", "the cube is off"},
    {BOTS "broadcast: 5\n", "e.yaml:2: broadcast: ", "a map is needed, like {delay: 30s}"},
    {BOTS "broadcast: {proxy: nginx}\n", "e.yaml:2: broadcast_proxy: ", "like 192.0.2.0/24"},
    {BOTS "schedule: swis\n", "e.yaml:2: schedule: ", "league, round-robin"},
    {BOTS "seeds: entry\n", "e.yaml:2: seeds: ", "a plain round robin has no seeds"},
    {BOTS "door: {listen: \"tcp://0.0.0.0:99999\"}\n",
     "e.yaml:2: listen: ", "with a port up to 65535"},
    {BOTS "? [a]\n: 3\n", "e.yaml:2: key: ", "one value"},
    {BOTS "a: b: c\n", "e.yaml:2: ", "not YAML"},
    {BOTS "a: [b\n", "e.yaml:", "not YAML"},
    {BOTS "a: *b\n", "e.yaml:2: ", "not YAML"},
    {BOTS "\tlength: 3\n", "e.yaml:2: ", "not YAML"},
    {BOTS "---\nlength: 3\n", "e.yaml:3: ", "second document"},
    {BOTS "a: \xff\n", "e.yaml: ", "UTF-8"},
};

TEST_ROWS(errors_name_file_and_line, bad)
{
    struct config_event event;
    enum bg_status status = read_text(&event, bad[_i].text, &error);

    ck_assert_msg(status == BG_E_CONFIG, "%s: status %d, %s", bad[_i].text, (int)status,
                  error.text);
    ck_assert_msg(strncmp(error.text, bad[_i].place, strlen(bad[_i].place)) == 0, "%s: %s",
                  bad[_i].text, error.text);
    ck_assert_msg(strstr(error.text, bad[_i].message) != NULL, "%s: %s", bad[_i].text, error.text);
    config_event_deinit(&event);
}

TEST(bots_with_all_keys_are_read)
{
    static const char text[] = "bots:\n"
                               "- greedy\n"
                               "- name: mine\n"
                               "  cmd: ./bot 'a b'\n"
                               "  args: --more\n"
                               "  dir: /tmp\n"
                               "  options: {Ply: 2, Style: bold}\n"
                               "  instances: 3\n"
                               "  clock: move=50ms\n"
                               "- {name: g2, bot: gnubg, options: {Plies: 2}}\n";
    struct config_event event;
    const struct competitor *mine, *other;

    assert_ok(read_text(&event, text, &error));
    ck_assert_int_eq(event.bot_count, 3);
    mine = &event.bots[1];
    ck_assert_str_eq(mine->name, "mine");
    ck_assert_str_eq(mine->cmd, "./bot 'a b' --more");
    ck_assert_str_eq(mine->dir, "/tmp");
    ck_assert_int_eq(mine->option_count, 2);
    ck_assert_str_eq(mine->options[1].name, "Style");
    ck_assert_str_eq(mine->options[1].value, "bold");
    ck_assert_int_eq(mine->instances, 3);
    ck_assert(mine->has_clock);
    ck_assert_int_eq(mine->clock.move_ns, 50000000);
    other = &event.bots[2];
    ck_assert_str_eq(other->name, "g2");
    ck_assert_int_eq(other->option_count, 1); /* the bundled Plies=0 is replaced */
    ck_assert_str_eq(other->options[0].value, "2");
    config_event_deinit(&event);
}

TEST(flags_override_the_file)
{
    struct config_event event;
    struct config_key key;
    static const char text[] = BOTS "rounds: 3\nlength: 5\nclock: move=1s\n";

    config_event_init(&event);
    ck_assert_int_eq(config_event_parse(&event, "e.yaml", text, strlen(text), registry, NULL),
                     BG_OK);
    ck_assert_int_eq(config_event_set(&event, "pairs", "9", NULL), BG_OK);
    ck_assert_int_eq(config_event_set(&event, "length", "0", NULL), BG_OK);
    ck_assert_int_eq(config_event_set(&event, "turn-cap", "77", NULL), BG_OK);
    config_event_settle(&event);
    ck_assert_int_eq(config_event_check(&event, NULL), BG_OK);
    ck_assert_str_eq(value_of(&key, &event, "pairs"), "9");
    ck_assert_str_eq(value_of(&key, &event, "jacoby"), "on"); /* follows the new length */
    ck_assert_str_eq(value_of(&key, &event, "turn_cap"), "77");
    ck_assert_str_eq(value_of(&key, &event, "clock"), "move=1s");
    config_event_deinit(&event);
}

/* A flag that is refused beside a file, and the beginning of its message. */
static const struct {
    const char *key, *value, *message;
} bad_flag[] = {
    {"jacoby", "on", "--jacoby"},
    {"broadcast_delay", "30s", "--broadcast-delay: there are no pages; add --browser"},
    {"broadcast_proxy", "nginx", "--broadcast-proxy: 'nginx' is not a network"},
};

TEST_ROWS(a_refused_flag_is_named_as_a_flag, bad_flag)
{
    struct config_event event;

    config_event_init(&event);
    ck_assert_int_eq(config_event_parse(&event, "e.yaml", BOTS, strlen(BOTS), registry, NULL),
                     BG_OK);
    assert_ok(config_event_set(&event, bad_flag[_i].key, bad_flag[_i].value, &error));
    config_event_settle(&event);
    ck_assert_int_eq(config_event_check(&event, &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, bad_flag[_i].message) == error.text, "%s", error.text);
    config_event_deinit(&event);
}

static enum bg_status check_as_a_judge(const char *text, struct bg_error *err)
{
    return strcmp(text, "me") == 0 ? BG_OK : bg_error_set(err, BG_E_ARGUMENT, "only me");
}

TEST(judge_settings_are_checked_by_the_judge_registry)
{
    struct config_event event;
    struct config_key key;

    config_event_init(&event);
    event.judge_check = check_as_a_judge;
    assert_ok(config_event_set(&event, "judge", "me", &error));
    ck_assert_int_eq(config_event_set(&event, "judge", "you", &error), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text, "judge: only me");
    ck_assert_str_eq(value_of(&key, &event, "judge"), "me");
    assert_ok(config_event_set(&event, "judge", "none", &error));
    ck_assert_str_eq(event.judge, "");
    config_event_deinit(&event);
}

/* All settings that affect results, as one text. */
static void gather(void *user, const char *key, const char *value)
{
    strcat(strcat(strcat(strcat(user, key), "="), value), "\n");
}

static void settings(char *out, const char *text)
{
    struct config_event event;

    out[0] = '\0';
    ck_assert_msg(read_text(&event, text, &error) == BG_OK, "%s: %s", text, error.text);
    config_event_each(&event, gather, out);
    config_event_deinit(&event);
}

TEST(settings_list_everything_that_affects_results)
{
    static char one[20000], two[20000];

    settings(one, "bots: [random, {name: m, cmd: /a/b/bot -x, options: {P: 1}, clock: move=1s}]\n"
                  "length: 0\nbeavers: 3\nseed: 5\n");
    ck_assert_ptr_nonnull(strstr(one, "\nbots=m,random\n"));
    ck_assert_ptr_nonnull(strstr(one, "\nbot.m=bot -x option.P=1 clock=move=1s\n"));
    ck_assert_ptr_nonnull(strstr(one, "\nbeavers=on\nraises=2\n"));
    ck_assert_ptr_nonnull(strstr(one, "\nseed=5\n"));
    ck_assert_ptr_nonnull(strstr(one, "\npairs=50\n"));
    /* the program's path, and how an event is run, change no result */
    settings(two, "bots: [{name: m, cmd: /c/bot -x, options: {P: 1}, clock: move=1s, instances: 2},"
                  " random]\n"
                  "length: money\nbeavers: on\nraises: 2\nseed: 5\nconcurrency: 7\nresults: z.db\n"
                  "start: 9s\nquarantine: 2\nrating_interval: 4s\n");
    ck_assert_str_eq(one, two);
    settings(two, "bots: [random, {name: m, cmd: /a/b/bot -y, options: {P: 1}, clock: move=1s}]\n"
                  "length: 0\nbeavers: 3\nseed: 5\n");
    ck_assert_str_ne(one, two);
}

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 65536);

    ck_assert_msg(file != NULL && text != NULL, "%s", path);
    ck_assert_uint_gt(fread(text, 1, 65535, file), 0);
    fclose(file);
    return text;
}

/* docs/event.yaml shows every key; keys that are not commented out there have their default. */
TEST(the_documented_event_shows_every_key_at_its_default)
{
    char *text = file_text(DOCS "event.yaml");
    struct config_event event, fresh;
    struct config_key shown, standard;

    config_event_init(&event);
    config_event_init(&fresh);
    assert_ok(config_event_read(&event, DOCS "event.yaml", registry, &error));
    for (int i = 0; config_key(&shown, &event, i); i++) {
        char line[64], comment[64], word[64];
        bool active;

        snprintf(line, sizeof line, "\n%s: ", shown.name);
        snprintf(comment, sizeof comment, "\n# %s: ", shown.name);
        snprintf(word, sizeof word, "%s is the same", shown.name);
        active = strstr(text, line) != NULL;
        ck_assert_msg(active || strstr(text, comment) != NULL || strstr(text, word) != NULL,
                      "docs/event.yaml does not show %s", shown.name);
        ck_assert(config_key(&standard, &fresh, i));
        if (active) {
            ck_assert_msg(strcmp(shown.value, standard.value) == 0, "%s is %s, by default %s",
                          shown.name, shown.value, standard.value);
        }
    }
    config_event_settle(&event);
    assert_ok(config_event_check(&event, &error));
    config_event_deinit(&event);
    config_event_deinit(&fresh);
    free(text);
}

TEST(the_documented_bots_are_read)
{
    char *text = file_text(DOCS "bots.yaml");
    struct competitor bot;

    assert_ok(registry_parse(registry, "bots.yaml", text, strlen(text), &error));
    assert_ok(registry_resolve(&bot, registry, "mybot-deep", &error));
    ck_assert_str_eq(bot.cmd, "./mybot --depth 3");
    assert_ok(registry_resolve(&bot, registry, "gnubg-wild", &error));
    ck_assert_str_eq(bot.options[1].value, "0.2");
    free(text);
}

TEST(a_file_that_is_too_large_or_missing_is_refused)
{
    struct config_event event;
    char *large = malloc(YAML_BYTES + 1);

    memset(large, '#', YAML_BYTES + 1);
    config_event_init(&event);
    ck_assert_int_eq(config_event_parse(&event, "e.yaml", large, YAML_BYTES + 1, registry, &error),
                     BG_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(error.text, "larger than 256 KiB"));
    ck_assert_int_ne(config_event_read(&event, "/nonexistent.yaml", registry, &error), BG_OK);
    ck_assert_ptr_nonnull(strstr(error.text, "/nonexistent.yaml"));
    free(large);
    config_event_deinit(&event);
}

/* A list that contains itself (libyaml builds a cyclic graph), and deeply nested lists. */
TEST(yaml_cycles_and_deep_nesting_are_refused)
{
    enum { DEEP = 5000 }; /* libyaml needs time that grows with its square */
    struct config_event event;
    char *deep = malloc(DEEP + 1);

    ck_assert_int_eq(read_text(&event, "bots: &a [*a, *a]\n", &error), BG_E_CONFIG);
    config_event_deinit(&event);
    ck_assert_int_eq(read_text(&event, "bots:\n- &m {bot: random, options: *m}\n", &error),
                     BG_E_CONFIG);
    config_event_deinit(&event);
    memset(deep, '[', DEEP);
    deep[DEEP] = '\0';
    ck_assert_int_eq(read_text(&event, deep, &error), BG_E_CONFIG);
    config_event_deinit(&event);
    free(deep);
}

static const struct {
    const char *text, *near; /* NULL: no suggestion */
} misspelt[] = {
    {"duell", "duel"},
    {"deul", "duel"},
    {"tournement", "tournament"},
    {"turn-cap", "turn_cap"},
    {"tour", "tournament"},
    {"DUEL", "duel"},
    {"zzz", NULL},
    {"", NULL},
    {"x", NULL},
};

TEST_ROWS(nearest_name_is_suggested, misspelt)
{
    static const char *const names[] = {"duel", "tournament", "turn_cap", "show"};
    const char *near = closest_name(misspelt[_i].text, names, 4);

    if (misspelt[_i].near == NULL) {
        ck_assert_msg(near == NULL, "'%s' gives %s", misspelt[_i].text, near);
    } else {
        ck_assert_msg(near != NULL && strcmp(near, misspelt[_i].near) == 0, "'%s' gives %s",
                      misspelt[_i].text, near == NULL ? "nothing" : near);
    }
}

SUITE_FIXTURE(open_registry, close_registry)
