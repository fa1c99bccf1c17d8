/* Command lines of duel and tournament, as users type them. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/exit_status.h>

#include "cmd/options.h"
#include "support/suite.h"

enum { WORDS = 16 };

static enum bg_status read_line(struct config_event *event, struct options *options,
                                enum options_command command, const char *const *words,
                                struct bg_error *err)
{
    char *argv[WORDS + 1];
    int argc = 0;
    enum bg_status status;

    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    for (; words[argc] != NULL; argc++) {
        argv[argc] = strdup(words[argc]);
    }
    argv[argc] = NULL;
    status = options_read(options, event, command, argc, argv, err);
    for (int i = 0; i < argc; i++) {
        free(argv[i]);
    }
    return status;
}

static void value_of(char *out, const struct config_event *event, const char *name)
{
    struct config_key key;

    for (int i = 0; config_key(&key, event, i); i++) {
        if (strcmp(key.name, name) == 0) {
            memcpy(out, key.value, CONFIG_VALUE);
            return;
        }
    }
    ck_abort_msg("no key %s", name);
}

/* The value of one key after a duel's command line. */
static const struct {
    const char *words[WORDS];
    const char *key, *value;
} duels[] = {
    {{"duel", "greedy", "random"}, "length", "0"},
    {{"duel", "greedy", "random"}, "jacoby", "on"},
    {{"duel", "greedy", "random"}, "beavers", "off"},
    {{"duel", "greedy", "random"}, "pairs", "200"},
    {{"duel", "greedy", "random"}, "duplicate", "on"},
    {{"duel", "greedy", "random"}, "ceiling", "60s"},
    {{"duel", "greedy", "random"}, "start", "30s"},
    {{"duel", "greedy", "random"}, "new_game", "5s"},
    {{"duel", "greedy", "random"}, "margin", "0s"},
    {{"duel", "greedy", "random"}, "quarantine", "5"},
    {{"duel", "greedy", "random"}, "turn_cap", "2000"},
    {{"duel", "greedy", "random"}, "seed", "random"},
    {{"duel", "greedy", "random"}, "event", "greedy-vs-random"},
    {{"duel", "greedy", "random"}, "results", "./bgref-results/greedy-vs-random.db"},
    {{"duel", "random", "greedy"}, "event", "random-vs-greedy"},
    {{"duel", "greedy", "greedy"}, "event", "greedy-vs-greedy-2"},
    {{"duel", "greedy", "random", "--pairs", "7"}, "pairs", "7"},
    {{"duel", "--pairs=7", "greedy", "random"}, "pairs", "7"},
    {{"duel", "greedy", "-pairs", "7", "random"}, "pairs", "7"},
    {{"duel", "greedy", "random", "-rounds", "7"}, "pairs", "7"},
    {{"duel", "greedy", "random", "--pai", "7"}, "pairs", "7"},
    {{"duel", "greedy", "random", "-games", "10"}, "pairs", "5"},
    {{"duel", "greedy", "random", "-g", "10"}, "pairs", "5"},
    {{"duel", "greedy", "random", "-g", "9", "--duplicate", "off"}, "pairs", "9"},
    {{"duel", "greedy", "random", "-concurrency", "4"}, "concurrency", "4"},
    {{"duel", "greedy", "random", "-j", "4"}, "concurrency", "4"},
    {{"duel", "greedy", "random", "-j4"}, "concurrency", "4"},
    {{"duel", "greedy", "random", "-p", "4"}, "concurrency", "4"},
    {{"duel", "greedy", "random", "-srand", "5"}, "seed", "5"},
    {{"duel", "greedy", "random", "--seed", "5"}, "seed", "5"},
    {{"duel", "greedy", "random", "-maxmoves", "99"}, "turn_cap", "99"},
    {{"duel", "greedy", "random", "--turn-cap", "99"}, "turn_cap", "99"},
    {{"duel", "greedy", "random", "-ratinginterval", "30s"}, "rating_interval", "30s"},
    {{"duel", "greedy", "random", "-tc", "move=50ms"}, "clock", "move=50ms"},
    {{"duel", "greedy", "random", "--clock", "bank=60s,inc=100ms"}, "clock", "bank=60s,inc=100ms"},
    {{"duel", "greedy", "random", "-timemargin", "5ms"}, "margin", "5ms"},
    {{"duel", "greedy", "random", "--jacoby", "off"}, "jacoby", "off"},
    {{"duel", "greedy", "random", "--jacoby=off"}, "jacoby", "off"},
    {{"duel", "greedy", "--jacoby", "no", "random"}, "jacoby", "off"},
    {{"duel", "greedy", "random", "--beavers"}, "beavers", "on"},
    {{"duel", "greedy", "random", "--beavers", "3"}, "raises", "2"},
    {{"duel", "greedy", "random", "--cube", "off"}, "cube", "off"},
    {{"duel", "greedy", "random", "--length", "7"}, "crawford", "on"},
    {{"duel", "greedy", "random", "--length", "7"}, "jacoby", "off"},
    {{"duel", "greedy", "random", "--length", "7", "--crawford", "off"}, "crawford", "off"},
    {{"duel", "human", "random"}, "pairs", "1"},
    {{"duel", "random", "human"}, "duplicate", "off"},
    {{"duel", "random", "-engine", "name=me", "bot=human"}, "concurrency", "1"},
    {{"duel", "human", "random"}, "ceiling", "24h"},
    {{"duel", "human", "random", "--ceiling", "5s"}, "ceiling", "5s"},
    {{"duel", "human", "random", "-games", "3"}, "pairs", "3"},
    {{"duel", "human", "random", "--duplicate", "-games", "8"}, "pairs", "4"},
    {{"duel", "greedy", "random", "--strict"}, "strict", "on"},
    {{"duel", "greedy", "random", "--name", "mine"}, "results", "./bgref-results/mine.db"},
    {{"duel", "greedy", "random", "--results", "/tmp/x.db"}, "results", "/tmp/x.db"},
    {{"duel", "greedy", "random", "--pairs", "7", "--pairs", "8"}, "pairs", "8"},
    {{"duel", "greedy", "random", "-repeat", "-recover", "-rounds", "2"}, "pairs", "2"},
    {{"duel", "greedy", "-engine", "random", "-j", "3"}, "concurrency", "3"},
    {{"duel", "greedy", "random", "-ratinginterval", "30"}, "rating_interval", "30"},
    {{"duel", "greedy", "random", "-ratinginterval", "30"}, "chess_lines", "on"},
    {{"duel", "greedy", "random", "-ratinginterval", "30s"}, "chess_lines", "off"},
    {{"duel", "greedy", "random", "-scoreinterval", "5"}, "chess_lines", "on"},
    {{"duel", "greedy", "random", "--chess-lines"}, "score_interval", "1"},
    {{"duel", "greedy", "random", "--events", "-"}, "events", "-"},
    {{"duel", "-sprt", "ppg0=-0.02", "ppg1=0.05", "greedy", "random"},
     "sprt",
     "ppg0=-0.02 ppg1=0.05 alpha=0.05 beta=0.05 model=auto statistic=plain min_clusters=100"},
    {{"duel", "greedy", "random", "-sprt", "ppg0=0 ppg1=0.05"}, "pairs", "100000"},
    {{"duel", "greedy", "random", "-sprt", "ppg0=0 ppg1=0.05", "--duplicate=off"},
     "pairs",
     "200000"},
    {{"duel", "greedy", "random", "-sprt", "ppg0=0", "ppg1=0.05", "-g", "10"}, "pairs", "5"},
    {{"duel", "greedy", "random", "--sprt=ppg0=0 ppg1=0.05", "--exit-verdict"},
     "exit_verdict",
     "on"},
};

TEST_ROWS(a_duel_is_read, duels)
{
    struct config_event event;
    struct options options;
    char value[CONFIG_VALUE];
    enum bg_status status = read_line(&event, &options, OPTIONS_DUEL, duels[_i].words, &error);

    ck_assert_msg(status == BG_OK, "%s", error.text);
    ck_assert_int_eq(event.bot_count, 2);
    value_of(value, &event, duels[_i].key);
    ck_assert_msg(strcmp(value, duels[_i].value) == 0, "row %d: %s is %s", _i, duels[_i].key,
                  value);
    options_deinit(&options);
    config_event_deinit(&event);
}

static const struct {
    const char *words[WORDS];
    const char *message;
} bad[] = {
    {{"duel", "greedy", "randm"}, "perhaps random?"},
    {{"duel", "greedy", "random", "--piars", "4"}, "no flag --piars (perhaps --pairs?)"},
    {{"duel", "greedy", "random", "-turncap=4"}, "perhaps --turn-cap?"},
    {{"duel", "greedy", "random", "--xyzzy"}, "no flag --xyzzy; 'bgref duel --help'"},
    {{"duel", "greedy", "random", "--j4"}, "no flag --j4"},
    {{"duel", "greedy", "random", "--pairs", "many"}, "--pairs: 'many'"},
    {{"duel", "greedy", "random", "--turn-cap", "-1"}, "--turn-cap: '-1'"},
    {{"duel", "greedy", "random", "--jacoby=maybe"}, "--jacoby: 'maybe'"},
    {{"duel", "greedy", "random", "--judge=gnubg:plies=7"}, "--judge: judge gnubg: plies=7"},
    {{"duel", "greedy", "random", "-tc", "40/60"}, "--clock: '40/60'"},
    {{"duel", "greedy", "random", "-games", "9"}, "odd"},
    {{"duel", "greedy", "random", "-games", "2", "-rounds", "9"}, "--games"},
    {{"duel", "greedy", "random", "-games", "2", "--length", "3"}, "--games"},
    {{"duel", "greedy", "random", "-games", "x"}, "--games: 'x'"},
    {{"duel", "greedy", "random", "-sprt", "elo0=0", "elo1=5"}, "--sprt: money games are tested"},
    {{"duel", "greedy", "random", "-sprt", "--quiet"}, "--sprt: "},
    {{"duel", "greedy", "random", "-openings", "file=/no/x"}, "--openings: /no/x: "},
    {{"duel", "greedy", "random", "-openings", "fil=/no/x"}, "(perhaps file?)"},
    {{"duel", "greedy", "random", "-tournament", "pyramid"}, "schedule: "},
    {{"duel", "greedy", "random", "-pgnout", "x"}, "-pgnout: not available yet"},
    {{"duel", "greedy", "random", "--length", "3", "--jacoby", "on"}, "--jacoby"},
    {{"duel", "greedy", "-engine"}, "must follow"},
    {{"duel", "greedy", "-engine", "cmd=x", "nmae=y"}, "perhaps name?"},
    {{"duel", "greedy", "random", "-each", "name=x"}, "-each name=x"},
    {{"duel", "greedy", "random", "-each", "x"}, "-each x"},
    {{"duel", "greedy", "random", "--log", "loud"}, "--log 'loud'"},
    {{"duel", "greedy", "random", "--pairs"}, "--pairs"},
};

TEST_ROWS(errors_name_the_flag, bad)
{
    struct config_event event;
    struct options options;
    enum bg_status status = read_line(&event, &options, OPTIONS_DUEL, bad[_i].words, &error);

    ck_assert_msg(status == BG_E_ARGUMENT, "row %d: status %d", _i, (int)status);
    ck_assert_int_eq(exit_status_of(status), 2);
    ck_assert_msg(strstr(error.text, bad[_i].message) != NULL, "row %d: %s", _i, error.text);
    options_deinit(&options);
    config_event_deinit(&event);
}

/* A refusal by argp ends the program with 2, and --help with 0. */
static const struct {
    const char *words[WORDS];
    enum options_command command;
} leaving[] = {
    {{"duel"}, OPTIONS_DUEL},
    {{"duel", "greedy"}, OPTIONS_DUEL},
    {{"duel", "a", "b", "c"}, OPTIONS_DUEL},
    {{"tournament"}, OPTIONS_TOURNAMENT},
    {{"tournament", "a", "b"}, OPTIONS_TOURNAMENT},
};

TEST_ROWS_EXIT(misuse_exits_with_2, 2, leaving)
{
    struct config_event event;
    struct options options;

    read_line(&event, &options, leaving[_i].command, leaving[_i].words, NULL);
    exit(0); /* not reached */
}

TEST(engines_and_each_make_bots)
{
    static const char *const words[] = {
        "duel",    "-engine", "name=n", "cmd=./x --fast", "option.Ply=2", "-pairs", "3",
        "-engine", "greedy",  "-each",  "instances=2",    "option.Ply=1", NULL};
    struct config_event event;
    struct options options;

    assert_ok(read_line(&event, &options, OPTIONS_DUEL, words, &error));
    ck_assert_str_eq(event.bots[0].name, "n");
    ck_assert_str_eq(event.bots[0].cmd, "./x --fast");
    ck_assert_int_eq(event.bots[0].instances, 2);
    ck_assert_int_eq(event.bots[0].option_count, 1);
    ck_assert_str_eq(event.bots[0].options[0].value, "2");
    ck_assert_str_eq(event.bots[1].name, "greedy");
    ck_assert_str_eq(event.bots[1].options[0].value, "1");
    ck_assert_uint_eq(event.pairs, 3);
    ck_assert_str_eq(options.command, "bgref duel -engine name=n 'cmd=./x --fast' option.Ply=2 "
                                      "-pairs 3 -engine greedy -each instances=2 option.Ply=1");
    options_deinit(&options);
    config_event_deinit(&event);
}

TEST(tournament_flags_override_the_event_file)
{
    char path[] = "/tmp/bgref-options-XXXXXX";
    int fd = mkstemp(path);
    static const char text[] = "bots: [greedy, random]\nrounds: 4\nlength: 5\nevent: spring\n";
    const char *words[] = {"tournament", path,      "-pairs", "9", "--fresh",
                           "-q",         "-engine", "first",  NULL};
    const char *plain[] = {"tournament", path, NULL};
    const char *each[] = {"tournament", path, "-each", "instances=2", NULL};
    const char *games[] = {"tournament", path, "-games", "4", NULL};
    struct config_event event;
    struct options options;

    ck_assert_int_eq(write(fd, text, sizeof text - 1), (int)sizeof text - 1);
    close(fd);
    assert_ok(read_line(&event, &options, OPTIONS_TOURNAMENT, words, &error));
    ck_assert_uint_eq(event.pairs, 9);
    ck_assert_int_eq(event.rules.length_points, 5);
    ck_assert_int_eq(event.bot_count, 3);
    ck_assert(event.fresh && options.quiet);
    ck_assert_str_eq(event.results, "./bgref-results/spring.db");
    options_deinit(&options);
    config_event_deinit(&event);
    assert_ok(read_line(&event, &options, OPTIONS_TOURNAMENT, plain, &error));
    ck_assert_uint_eq(event.pairs, 4);
    ck_assert(!event.fresh && !options.quiet);
    options_deinit(&options);
    config_event_deinit(&event);
    ck_assert_int_eq(read_line(&event, &options, OPTIONS_TOURNAMENT, each, &error), BG_E_ARGUMENT);
    options_deinit(&options);
    config_event_deinit(&event);
    ck_assert_int_eq(read_line(&event, &options, OPTIONS_TOURNAMENT, games, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "--pairs"));
    options_deinit(&options);
    config_event_deinit(&event);
    unlink(path);
    ck_assert_int_eq(read_line(&event, &options, OPTIONS_TOURNAMENT, plain, &error), BG_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    options_deinit(&options);
    config_event_deinit(&event);
}

/* The text of --help, printed by a child process. */
static void help_of(char *out, size_t size, enum options_command command)
{
    static const char *const words[] = {"x", "--help", NULL};
    struct config_event event;
    struct options options;
    int ends[2], state;
    size_t used = 0;
    ssize_t count;
    pid_t child;

    ck_assert_int_eq(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        read_line(&event, &options, command, words, NULL);
        _exit(9); /* not reached */
    }
    close(ends[1]);
    while ((count = read(ends[0], out + used, size - 1 - used)) > 0) {
        used += (size_t)count;
    }
    out[used] = '\0';
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_msg(WIFEXITED(state) && WEXITSTATUS(state) == 0, "status %d", state);
    used = 0; /* lines may break anywhere: blanks and breaks become one blank */
    for (const char *c = out; *c != '\0'; c++) {
        if ((*c != ' ' && *c != '\n') || (used > 0 && out[used - 1] != ' ')) {
            out[used++] = *c == '\n' ? ' ' : *c;
        }
    }
    out[used] = '\0';
}

TEST_LOOP(help_shows_every_flag_and_its_default, 0, 2)
{
    static char text[32768];
    enum options_command command = _i == 0 ? OPTIONS_DUEL : OPTIONS_TOURNAMENT;
    struct config_event event;
    struct config_key key;
    int flags = 0, defaults = 0;

    help_of(text, sizeof text, command);
    config_event_init(&event);
    for (int i = 0; config_key(&key, &event, i); i++) {
        char flag[40] = "--";

        strcat(flag, key.name);
        for (char *c = flag; *c != '\0'; c++) {
            *c = *c == '_' ? '-' : *c;
        }
        ck_assert_msg(strstr(text, flag) != NULL, "%s is missing", flag);
        flags += !key.is_alias;
    }
    for (const char *at = text; (at = strstr(at, "(default ")) != NULL; at++) {
        defaults++;
    }
    ck_assert_int_ge(defaults, flags);
    ck_assert_ptr_nonnull(strstr(text, command == OPTIONS_DUEL ? "(default 200)" : "(default 50)"));
    ck_assert_ptr_nonnull(strstr(text, "(default 60s)"));
    config_event_deinit(&event);
}
