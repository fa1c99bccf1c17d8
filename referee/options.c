#include "options.h"

#include <argp.h>
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <exit_status.h>

#include "closest.h"
#include "log.h"
#include "seat/command.h"
#include "seat/registry.h"

/* ---- words that argp does not see ---- */

/* Words of chess harnesses and of later versions: refused by name rather than ignored. */
static const char *const later[] = {
    "sprt",         "openings",     "tournament",     "seeds",           "matout",
    "sgfout",       "jsonout",      "csvout",         "pgnout",          "epdout",
    "use-affinity", "resultformat", "scoreinterval",  "outcomeinterval", "commit",
    "exit-verdict", "events",       "accept-changed", "trust",           "dice",
    "wait",
};

/* Words that ask for what is always so. */
static const struct {
    const char *word, *why;
} always[] = {
    {"repeat", "pairs are played twice with the same dice unless --duplicate=off"},
    {"recover", "a bot that fails is started again unless --strict"},
};

/* The words of one -engine or -each: argv[first..first+count-1]. */
struct group {
    int first, count;
};

/* A flag that sets a key; both lent (text from argv). */
struct setting {
    const char *key, *text;
};

struct line {
    enum options_command command;
    int argc;
    char **argv;
    struct group *engines; /* at most argc */
    int engine_count;
    char **each; /* words of every -each */
    int each_count;
    char **rest; /* what argp gets */
    int rest_count;
    struct setting *settings;
    int setting_count;
    const char *positional[3];
    int positional_count;
    const char *games;
    bool quiet, fresh;
    const char *log;
    struct config_event *event; /* defaults, for help */
};

static const char *without_dashes(const char *word)
{
    if (word[0] != '-' || word[1] == '\0') {
        return NULL;
    }
    return word + (word[1] == '-' ? 2 : 1);
}

static enum bg_status refuse_later(const char *name, struct bg_error *err)
{
    size_t length = strcspn(name, "=");

    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (strlen(later[i]) == length && strncmp(name, later[i], length) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "-%s: not available yet; leave it out",
                                later[i]);
        }
    }
    return BG_OK;
}

static bool is_always(const char *name)
{
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        if (strcmp(name, always[i].word) == 0) {
            fprintf(stderr, "bgref: -%s is not needed: %s\n", name, always[i].why);
            return true;
        }
    }
    return false;
}

static bool is_flag_key(const struct line *line, const char *name)
{
    struct config_key key;

    for (int i = 0; config_key(&key, line->event, i); i++) {
        char text[32];

        snprintf(text, sizeof text, "%s", key.name);
        for (char *c = text; *c != '\0'; c++) {
            *c = *c == '_' ? '-' : *c;
        }
        if (key.is_flag && strcmp(text, name) == 0) {
            return true;
        }
    }
    return false;
}

/* "--jacoby on" becomes "--jacoby=on": argp gives an optional value to a flag only so. */
static char *joined(const char *flag, const char *value)
{
    size_t size = strlen(flag) + 1 + strlen(value) + 1;
    char *text = malloc(size);

    if (text != NULL) {
        snprintf(text, size, "%s=%s", flag, value);
    }
    return text;
}

static bool is_flag_value(const char *text)
{
    bool on;

    return text != NULL && (config_flag_read(&on, text, NULL) == BG_OK ||
                            (text[0] != '\0' && strspn(text, "0123456789") == strlen(text)));
}

/* Sorts the words: groups, refusals, and the rest for argp. */
static enum bg_status gather(struct line *line, struct bg_error *err)
{
    for (int i = 1; i < line->argc; i++) {
        const char *name = without_dashes(line->argv[i]);
        bool engine = name != NULL && strcmp(name, "engine") == 0;
        char *word = line->argv[i];

        if (name != NULL && refuse_later(name, err) != BG_OK) {
            return BG_E_ARGUMENT;
        }
        if (name != NULL && is_always(name)) {
            continue;
        }
        if (engine || (name != NULL && strcmp(name, "each") == 0)) {
            int first = i + 1;

            while (i + 1 < line->argc && line->argv[i + 1][0] != '-') {
                i++;
                if (!engine) {
                    line->each[line->each_count++] = line->argv[i];
                }
            }
            if (i < first) {
                return bg_error_set(err, BG_E_ARGUMENT,
                                    "%s: words like name=X cmd=\"./mybot\" "
                                    "must follow",
                                    word);
            }
            if (engine) {
                line->engines[line->engine_count++] = (struct group){first, i - first + 1};
            }
            continue;
        }
        if (name != NULL && i + 1 < line->argc && is_flag_key(line, name) &&
            is_flag_value(line->argv[i + 1])) {
            word = joined(word, line->argv[++i]);
        } else {
            word = strdup(word);
        }
        if (word == NULL) {
            return bg_error_set(err, BG_E_MEMORY, "command line");
        }
        line->rest[line->rest_count++] = word;
    }
    return BG_OK;
}

static enum bg_status line_init(struct line *line, enum options_command command, int argc,
                                char **argv, struct config_event *event, struct bg_error *err)
{
    size_t room = (size_t)argc + 2;

    *line = (struct line){.command = command, .argc = argc, .argv = argv, .event = event};
    line->engines = calloc(room, sizeof *line->engines);
    line->each = calloc(room, sizeof *line->each);
    line->rest = calloc(room, sizeof *line->rest);
    line->settings = calloc(room, sizeof *line->settings);
    if (line->engines == NULL || line->each == NULL || line->rest == NULL ||
        line->settings == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "command line");
    }
    line->rest[0] = strdup(command == OPTIONS_DUEL ? "bgref duel" : "bgref tournament");
    if (line->rest[0] == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "command line");
    }
    line->rest_count = 1;
    return gather(line, err);
}

static void line_deinit(struct line *line)
{
    for (int i = 0; line->rest != NULL && i < line->rest_count; i++) {
        free(line->rest[i]);
    }
    free(line->rest);
    free(line->each);
    free(line->engines);
    free(line->settings);
}

/* ---- argp ---- */

/* Other names of keys, by the harness they come from. */
static const struct {
    const char *key, *name;
    int letter;
} other_names[] = {
    {"pairs", "rounds", 0},           {"event", "name", 0},
    {"seed", "srand", 's'},           {"clock", "tc", 0},
    {"turn_cap", "maxmoves", 0},      {"rating_interval", "ratinginterval", 0},
    {"concurrency", "parallel", 'p'}, {"concurrency", "jobs", 'j'},
    {"margin", "timemargin", 0},
};

enum { KEY_OF = 1000, OPTION_GAMES = 'g', OPTION_FRESH = 900, OPTION_LOG, OPTION_QUIET = 'q' };

enum { GROUP_PLAY = 1, GROUP_RUN, GROUP_BOTS };

/* The table that argp wants, made from the table of keys; the texts live as long as it does. */
struct flags {
    struct argp_option options[CONFIG_KEYS_MAX * 2 + 24];
    char names[CONFIG_KEYS_MAX][32];
    char help[CONFIG_KEYS_MAX][256];
    int count;
};

static const char *default_text(const struct line *line, const struct config_key *key)
{
    bool duel = line->command == OPTIONS_DUEL;

    if (strcmp(key->name, "event") == 0) {
        return duel ? "A-vs-B" : "the file's name";
    }
    if (strcmp(key->name, "results") == 0) {
        return "./bgref-results/EVENT.db";
    }
    if (strcmp(key->name, "instances") == 0) {
        return "concurrency, at most the cores";
    }
    if (strcmp(key->name, "crawford") == 0) {
        return "on in matches";
    }
    if (strcmp(key->name, "jacoby") == 0) {
        return "on for money";
    }
    return key->value;
}

static void flags_add_key(struct flags *flags, const struct line *line,
                          const struct config_key *key, int row)
{
    int group =
        key->is_result || key->is_alias || strcmp(key->name, "pairs") == 0 ? GROUP_PLAY : GROUP_RUN;

    snprintf(flags->names[row], sizeof flags->names[row], "%s", key->name);
    for (char *c = flags->names[row]; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    snprintf(flags->help[row], sizeof flags->help[row], "%s (default %.60s%s)", key->help,
             default_text(line, key), strcmp(key->name, "concurrency") == 0 ? ", the cores" : "");
    flags->options[flags->count++] =
        (struct argp_option){.name = flags->names[row],
                             .key = KEY_OF + row,
                             .arg = key->is_flag ? "on|off" : "VALUE",
                             .flags = key->is_flag ? OPTION_ARG_OPTIONAL : 0,
                             .doc = flags->help[row],
                             .group = group};
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        if (strcmp(other_names[i].key, key->name) == 0) {
            flags->options[flags->count++] = (struct argp_option){
                .name = other_names[i].name, .key = KEY_OF + row, .flags = OPTION_ALIAS};
            if (other_names[i].letter != 0) {
                flags->options[flags->count++] =
                    (struct argp_option){.key = other_names[i].letter, .flags = OPTION_ALIAS};
            }
        }
    }
}

static void flags_init(struct flags *flags, const struct line *line)
{
    static const struct argp_option fixed[] = {
        {.name = "fresh",
         .key = OPTION_FRESH,
         .group = GROUP_RUN,
         .doc = "refuse to go on with old results (default: go on)"},
        {.name = "quiet",
         .key = OPTION_QUIET,
         .group = GROUP_RUN,
         .doc = "only the final table, no progress (default: progress)"},
        {.name = "log",
         .key = OPTION_LOG,
         .arg = "LEVEL",
         .group = GROUP_RUN,
         .doc = "none, error, warn, info or debug (default BGREF_LOG, else warn)"},
        {.doc = "Bots:", .group = GROUP_BOTS},
        {.name = "-engine WORDS...",
         .key = 901,
         .flags = OPTION_DOC | OPTION_NO_USAGE,
         .group = GROUP_BOTS,
         .doc = "-engine NAME, or key=value words: name, bot, cmd, args, dir, option.X, instances, "
                "clock"},
        {.name = "-each WORDS...",
         .key = 902,
         .flags = OPTION_DOC | OPTION_NO_USAGE,
         .group = GROUP_BOTS,
         .doc = "-each key=value words, for every bot of the command line"},
    };
    struct config_key key;

    memset(flags, 0, sizeof *flags);
    flags->options[flags->count++] =
        (struct argp_option){.doc = "What is played:", .group = GROUP_PLAY};
    flags->options[flags->count++] =
        (struct argp_option){.doc = "How it runs:", .group = GROUP_RUN};
    for (int i = 0; config_key(&key, line->event, i); i++) {
        if (!key.is_alias || strcmp(key.name, "raccoons") == 0) {
            flags_add_key(flags, line, &key, i);
        }
    }
    if (line->command == OPTIONS_DUEL) {
        flags->options[flags->count++] = (struct argp_option){
            .name = "games",
            .key = OPTION_GAMES,
            .arg = "N",
            .group = GROUP_PLAY,
            .doc = "money: games in all, two a pair; instead of --pairs (default 400)"};
    }
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        flags->options[flags->count++] = fixed[i];
    }
    assert(flags->count < (int)(sizeof flags->options / sizeof flags->options[0]));
}

/* The event key that an option of argp's sets, or NULL. */
static const char *key_of_option(const struct line *line, int option)
{
    struct config_key row;

    if (option >= KEY_OF && config_key(&row, line->event, option - KEY_OF)) {
        return row.name;
    }
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        if (option != 0 && other_names[i].letter == option) {
            return other_names[i].key;
        }
    }
    return NULL;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct line *line = state->input;
    int most = line->command == OPTIONS_DUEL ? 2 : 1;
    const char *name = key_of_option(line, key);

    if (name != NULL) {
        line->settings[line->setting_count++] = (struct setting){name, arg == NULL ? "on" : arg};
        return 0;
    }
    switch (key) {
    case OPTION_GAMES:
        line->games = arg;
        return 0;
    case OPTION_FRESH:
        line->fresh = true;
        return 0;
    case OPTION_QUIET:
        line->quiet = true;
        return 0;
    case OPTION_LOG:
        line->log = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (line->positional_count == most) {
            argp_error(state,
                       most == 2 ? "'%s' is one bot too many; a duel has two"
                                 : "'%s' is one file too many; an event has one",
                       arg);
        }
        line->positional[line->positional_count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (most == 2 && line->positional_count + line->engine_count != 2) {
            argp_error(state, "a duel needs two bots, like 'bgref duel gnubg ./mybot'; there %s %d",
                       line->positional_count + line->engine_count == 1 ? "is" : "are",
                       line->positional_count + line->engine_count);
        }
        if (most == 1 && line->positional_count == 0) {
            argp_error(state, "the event file is missing, like 'bgref tournament EVENT.yaml'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Whether argp will know the word: a long name or the beginning of one, or a letter with its value.
 */
static bool is_known(const char *const *names, int count, const struct flags *flags,
                     const char *name, size_t length, bool one_dash)
{
    for (int i = 0; i < count; i++) {
        if (strncmp(names[i], name, length) == 0) {
            return true;
        }
    }
    for (int i = 0; one_dash && i < flags->count; i++) {
        if (flags->options[i].key == name[0]) {
            return true;
        }
    }
    return false;
}

/* A flag that nobody knows is told with the nearest one, which argp does not do. */
static enum bg_status check_flags(const struct line *line, const struct flags *flags,
                                  struct bg_error *err)
{
    const char *names[sizeof flags->options / sizeof flags->options[0] + 3] = {"help", "usage"};
    int count = 2;

    for (int i = 0; i < flags->count; i++) {
        if (flags->options[i].name != NULL && (flags->options[i].flags & OPTION_DOC) == 0) {
            names[count++] = flags->options[i].name;
        }
    }
    for (int i = 1; i < line->rest_count; i++) {
        const char *name = without_dashes(line->rest[i]);
        size_t length = name == NULL ? 0 : strcspn(name, "=");
        char word[32];
        const char *near;

        if (length == 0 || !isalpha((unsigned char)name[0]) ||
            is_known(names, count, flags, name, length, line->rest[i][1] != '-')) {
            continue;
        }
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), name);
        if (strcmp(word, "games") == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "--games counts the games of a duel; say --pairs here");
        }
        near = closest_name(word, names, count);
        return bg_error_set(err, BG_E_ARGUMENT,
                            "there is no flag --%s%s%s%s; '%s --help' lists them", word,
                            near == NULL ? "" : " (perhaps --", near == NULL ? "" : near,
                            near == NULL ? "" : "?)", line->rest[0]);
    }
    return BG_OK;
}

static enum bg_status parse(struct line *line, struct bg_error *err)
{
    static struct flags flags; /* argp keeps pointers into it only while it parses */
    const struct argp argp = {
        .options = flags.options,
        .parser = on_option,
        .args_doc = line->command == OPTIONS_DUEL ? "A B" : "EVENT.yaml",
        .doc = line->command == OPTIONS_DUEL
                   ? "Plays two bots against each other and reports who is better, with error bars."
                     "\vA bot is a name of 'bgref bots', a path like ./mybot, or an -engine. The "
                     "same command again goes on where it stopped."
                   : "Plays every bot of EVENT.yaml against every other and ends in a table."
                     "\vFlags override the file, the file overrides defaults; docs/event.yaml "
                     "shows every key. The same command again goes on where it stopped."};

    flags_init(&flags, line);
    if (check_flags(line, &flags, err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    argp_err_exit_status = EXIT_MISUSE;
    if (argp_parse(&argp, line->rest_count, line->rest, ARGP_LONG_ONLY, NULL, line) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "command line");
    }
    return BG_OK;
}

/* ---- from words to an event ---- */

static enum bg_status apply_settings(struct config_event *event, const struct line *line,
                                     struct bg_error *err)
{
    for (int i = 0; i < line->setting_count; i++) {
        struct bg_error why = {.text = ""};
        enum bg_status status =
            config_event_set(event, line->settings[i].key, line->settings[i].text, &why);

        if (status != BG_OK) {
            for (char *c = why.text; *c != ':' && *c != '\0'; c++) {
                *c = *c == '_' ? '-' : *c;
            }
            return bg_error_set(err, status, "--%.500s", why.text);
        }
    }
    event->fresh = line->fresh;
    return BG_OK;
}

/* --games is a total, as players count; pairs follow from it where a game is a fixture. */
static enum bg_status apply_games(struct config_event *event, const struct line *line,
                                  struct bg_error *err)
{
    uint64_t games = 0, a_pair = event->duplicate ? 2 : 1;
    struct bg_error why = {.text = ""};

    if (line->games == NULL) {
        return BG_OK;
    }
    if (config_event_is_given(event, "pairs")) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--games: the number of games in all, two a pair; beside --pairs or "
                            "--rounds it says the same thing twice, keep one");
    }
    if (event->rules.length_points != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--games: counts money games; matches are counted by --pairs");
    }
    if (config_number_read(&games, line->games, 1, 2000000000, &why) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT, "--games: %.400s", why.text);
    }
    if (games % a_pair != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--games: %s is odd, but pairs are two games with the same dice; make "
                            "it even, or say --duplicate=off",
                            line->games);
    }
    event->pairs = games / a_pair;
    return BG_OK;
}

static bool has_bot(const struct config_event *event, const char *name)
{
    for (int i = 0; i < event->bot_count; i++) {
        if (strcmp(event->bots[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds under the next free name, and says so: a bot against itself is a fair question. */
static enum bg_status add_renamed(struct config_event *event, struct config_bot *bot,
                                  struct bg_error *err)
{
    char name[CONFIG_NAME];

    memcpy(name, bot->name, sizeof name);
    for (int i = 2; has_bot(event, bot->name); i++) {
        snprintf(bot->name, sizeof bot->name, "%.56s-%d", name, i % 10000);
    }
    if (strcmp(name, bot->name) != 0) {
        fprintf(stderr, "bgref: the second %s is called %s\n", name, bot->name);
    }
    return config_event_add(event, bot, err);
}

/* One bot of the command line: the words of every -each, then its own. */
static enum bg_status add_bot(struct config_event *event, const struct line *line,
                              const struct registry *registry, char *const *words, int count,
                              struct bg_error *err)
{
    const char **all = calloc((size_t)(line->each_count + count) + 1, sizeof *all);
    struct config_bot bot;
    enum bg_status status;

    if (all == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "command line");
    }
    for (int i = 0; i < line->each_count; i++) {
        all[i] = line->each[i];
    }
    for (int i = 0; i < count; i++) {
        all[line->each_count + i] = words[i];
    }
    status = registry_engine(&bot, registry, all, line->each_count + count, err);
    free(all);
    return status == BG_OK ? add_renamed(event, &bot, err) : status;
}

static enum bg_status add_bots(struct config_event *event, const struct line *line,
                               const struct registry *registry, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int named = line->command == OPTIONS_DUEL ? line->positional_count : 0;

    for (int i = 0; i < line->each_count; i++) {
        if (strchr(line->each[i], '=') == NULL || strncmp(line->each[i], "name=", 5) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "-each %.80s: key=value words for every bot, and no name",
                                line->each[i]);
        }
    }
    if (line->each_count > 0 && named + line->engine_count == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "-each concerns bots of the command line; in %s say it for each bot",
                            line->positional[0]);
    }
    for (int i = 0; status == BG_OK && i < named; i++) {
        char *word = strdup(line->positional[i]);

        status = word == NULL ? bg_error_set(err, BG_E_MEMORY, "command line")
                              : add_bot(event, line, registry, &word, 1, err);
        free(word);
    }
    for (int i = 0; status == BG_OK && i < line->engine_count; i++) {
        status = add_bot(event, line, registry, line->argv + line->engines[i].first,
                         line->engines[i].count, err);
    }
    return status;
}

static enum bg_status name_duel(struct config_event *event, struct bg_error *err)
{
    int size;

    if (event->name[0] != '\0') {
        return BG_OK;
    }
    size = snprintf(event->name, sizeof event->name, "%s-vs-%s", event->bots[0].name,
                    event->bots[1].name);
    return size < (int)sizeof event->name
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT,
                              "--event: %s-vs-%s is too long for a name; give a shorter one",
                              event->bots[0].name, event->bots[1].name);
}

static enum bg_status assemble(struct config_event *event, const struct line *line,
                               const struct registry *registry, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (line->command == OPTIONS_TOURNAMENT) {
        status = config_event_read(event, line->positional[0], registry, err);
    }
    if (status == BG_OK) {
        status = apply_settings(event, line, err);
    }
    if (status == BG_OK) {
        status = apply_games(event, line, err);
    }
    if (status == BG_OK) {
        status = add_bots(event, line, registry, err);
    }
    if (status == BG_OK && line->command == OPTIONS_DUEL) {
        status = name_duel(event, err);
    }
    if (status == BG_OK) {
        config_event_settle(event);
        status = config_event_check(event, err);
    }
    return status;
}

static char *typed(int argc, char **argv)
{
    size_t size = 16;
    char *text;

    for (int i = 0; i < argc; i++) {
        size += 4 * strlen(argv[i]) + 4;
    }
    text = calloc(1, size);
    for (int i = 0; text != NULL && i < argc; i++) {
        if (i == 0) {
            snprintf(text, size, "bgref");
        }
        command_append(text, size, argv[i]);
    }
    return text;
}

enum bg_status options_read(struct options *out, struct config_event *event,
                            enum options_command command, int argc, char **argv,
                            struct bg_error *err)
{
    enum bg_status status;
    struct registry *registry = NULL;
    struct line line;

    memset(out, 0, sizeof *out);
    if (command == OPTIONS_DUEL) {
        config_event_init_duel(event);
    } else {
        config_event_init(event);
    }
    status = line_init(&line, command, argc, argv, event, err);
    if (status != BG_OK) {
        goto done;
    }
    status = parse(&line, err);
    if (status != BG_OK) {
        goto done;
    }
    status = registry_open(&registry, err);
    if (status != BG_OK) {
        goto done;
    }
    status = assemble(event, &line, registry, err);
    if (status != BG_OK) {
        goto done;
    }
    status = log_open(line.log, err);
    if (status != BG_OK) {
        goto done;
    }
    out->quiet = line.quiet;
    out->command = typed(argc, argv);
    if (out->command == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "command line");
    }
done:
    registry_close(registry);
    line_deinit(&line);
    return status;
}

void options_deinit(struct options *options)
{
    free(options->command);
    options->command = NULL;
}
