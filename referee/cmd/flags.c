/* argp's table is made at run time from the keys of events, so a new key is a flag without a
 * line here. Names of other harnesses are hidden aliases, which the help of their key mentions.
 * Mistakes are looked for before argp runs: it would answer in getopt's words, without the
 * nearest flag, and for a lost value without an example. */
#include "flags.h"

#include <argp.h>
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <base/docs.h>
#include <base/exit_status.h>

#include "cmd/command.h"

/* Other names of keys, by the harness that uses them. */
static const struct {
    const char *key, *name;
    int letter;
} other_names[] = {
    {"pairs", "rounds", 0},
    {"event", "name", 0},
    {"schedule", "stages", 0},
    {"seed", "srand", 's'},
    {"clock", "tc", 0},
    {"turn_cap", "maxmoves", 0},
    {"rating_interval", "ratinginterval", 0},
    {"concurrency", "parallel", 'p'},
    {"concurrency", "jobs", 'j'},
    {"margin", "timemargin", 0},
    {"score_interval", "scoreinterval", 0},
    {"outcome_interval", "outcomeinterval", 0},
};

enum {
    KEY_OF = 1000,
    OPTION_GAMES = 'g',
    OPTION_FRESH = 900,
    OPTION_LOG,
    OPTION_ACCEPT_CHANGED = 903,
    OPTION_QUIET = 'q',
    OPTION_BROWSER = 'b',
    OPTION_GATE = 700,
    OPTION_LENDER,
    OPTION_GALLERY,
    OPTION_OUTPUT = 910
};

enum { GROUP_PLAY = 1, GROUP_RUN, GROUP_BOTS };

/* argp's table, made from the table of keys; its texts live as long as it does. */
struct flags {
    struct argp_option options[CONFIG_KEYS_MAX * 2 + 24];
    char names[CONFIG_KEYS_MAX][32];
    char help[CONFIG_KEYS_MAX][400];
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

/* Writes other names into the help text: two long names in one column are too wide for argp. */
static void also_write(char *out, size_t size, const char *key)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        if (strcmp(other_names[i].key, key) == 0 && used < size) {
            used += (size_t)snprintf(out + used, size - used, "%s--%s",
                                     used == 0 ? "; also " : ", ", other_names[i].name);
        }
    }
}

static void flags_add_key(struct flags *flags, const struct line *line,
                          const struct config_key *key, int row)
{
    int group = key->is_result || key->is_alias || strcmp(key->name, "pairs") == 0 ||
                        strcmp(key->name, "schedule") == 0 || strcmp(key->name, "seeds") == 0
                    ? GROUP_PLAY
                    : GROUP_RUN;

    char also[128];

    also_write(also, sizeof also, key->name);
    snprintf(flags->names[row], sizeof flags->names[row], "%s", key->name);
    for (char *c = flags->names[row]; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    snprintf(flags->help[row], sizeof flags->help[row], "%s%s (default %.60s%s)", key->help, also,
             default_text(line, key)[0] == '\0' ? "none" : default_text(line, key),
             strcmp(key->name, "concurrency") == 0 ? ", the cores" : "");
    flags->options[flags->count++] =
        (struct argp_option){.name = flags->names[row],
                             .key = KEY_OF + row,
                             .arg = key->is_flag ? "on|off" : "VALUE",
                             .flags = key->is_flag ? OPTION_ARG_OPTIONAL : 0,
                             .doc = flags->help[row],
                             .group = group};
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        if (strcmp(other_names[i].key, key->name) == 0) {
            flags->options[flags->count++] =
                (struct argp_option){.name = other_names[i].name,
                                     .key = KEY_OF + row,
                                     .flags = OPTION_ALIAS | OPTION_HIDDEN};
            if (other_names[i].letter != 0) {
                flags->options[flags->count++] =
                    (struct argp_option){.key = other_names[i].letter, .flags = OPTION_ALIAS};
            }
        }
    }
}

/* The flags that do not set a key of the event. */
static const struct argp_option fixed[] = {
    {.name = "fresh",
     .key = OPTION_FRESH,
     .group = GROUP_RUN,
     .doc = "begin again; old results are kept under a dated name (default: go on)"},
    {.name = "accept-changed",
     .key = OPTION_ACCEPT_CHANGED,
     .group = GROUP_RUN,
     .doc = "continue with a bot that changed since its last game; tables mark it (default: stop)"},
    {.name = "browser",
     .key = OPTION_BROWSER,
     .group = GROUP_RUN,
     .doc = "show running games in this desktop's browser (default: no pages; with --page they are "
            "at that address)"},
    {.name = "gate",
     .key = OPTION_GATE,
     .arg = "FILE",
     .group = GROUP_RUN,
     .doc = "who is kept out at the door; 'bgref host' gives it to its events (default: nobody)"},
    {.name = "lender",
     .key = OPTION_LENDER,
     .arg = "FD",
     .group = GROUP_RUN,
     .doc = "descriptor by which 'bgref host' lends its door to an event (default: an own door)"},
    {.name = "gallery",
     .key = OPTION_GALLERY,
     .arg = "PATH",
     .group = GROUP_RUN,
     .doc =
         "socket of the pages of 'bgref host', which gives it to its events (default: own pages, "
         "with --page)"},
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

static void flags_init(struct flags *flags, const struct line *line)
{
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
    for (int i = 0; outputs_flag(i) != NULL; i++) {
        flags->options[flags->count++] = (struct argp_option){.name = outputs_flag(i),
                                                              .key = OPTION_OUTPUT + i,
                                                              .arg = "FILE",
                                                              .group = GROUP_RUN,
                                                              .doc = outputs_help(i)};
    }
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        flags->options[flags->count++] = fixed[i];
    }
    assert(flags->count < (int)(sizeof flags->options / sizeof flags->options[0]));
}

/* Returns the event key that one of argp's options sets, or NULL. */
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

/* Refuses a word like games=10, which is a flag without its dashes, and option.X=1, which belongs
 * to one bot. */
static void refuse_setting(const struct line *line, const char *arg)
{
    size_t length = strcspn(arg, "=");
    struct config_key key;

    if (arg[length] == '\0') {
        return;
    }
    if (strncmp(arg, "option.", strlen("option.")) == 0) {
        command_misuse("'%s' sets an option of one bot: name that bot as '-engine BOT %s'", arg,
                       arg);
    }
    for (int i = -1; i < 0 || config_key(&key, line->event, i); i++) {
        const char *name = i < 0 ? "games" : key.name;

        if (strlen(name) == length && strncmp(name, arg, length) == 0) {
            command_misuse("'%s': a flag begins with two dashes: --%s", arg, arg);
        }
    }
}

static void too_many(const struct line *line, int most, const char *arg)
{
    const char *name = line_switch_before(line, arg);

    if (name != NULL) {
        command_misuse("--%s %s: a switch is --%s=on or --%s=off", name, arg, name, name);
    }
    command_misuse(most == 2 ? "'%s' is one bot too many; a duel has two"
                             : "'%s' is one file too many; an event has one",
                   arg);
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct line *line = state->input;
    int most = line->command == OPTIONS_DUEL ? 2 : 1;
    const char *name = key_of_option(line, key);
    const char **text = key == OPTION_GATE      ? &line->gate
                        : key == OPTION_LENDER  ? &line->lender
                        : key == OPTION_GALLERY ? &line->gallery
                        : key == OPTION_LOG     ? &line->log
                                                : NULL;

    if (name != NULL) {
        line->settings[line->setting_count++] = (struct setting){name, arg == NULL ? "on" : arg};
        return 0;
    }
    if (key >= OPTION_OUTPUT && key < OPTION_OUTPUT + OUTPUTS) {
        line->outputs.path[key - OPTION_OUTPUT] = arg;
        return 0;
    }
    if (text != NULL) {
        *text = arg;
        return 0;
    }
    switch (key) {
    case OPTION_GAMES:
        line->games = arg;
        return 0;
    case OPTION_FRESH:
        line->fresh = true;
        return 0;
    case OPTION_ACCEPT_CHANGED:
        line->accept_changed = true;
        return 0;
    case OPTION_BROWSER:
        line->browser = true;
        return 0;
    case OPTION_QUIET:
        line->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        refuse_setting(line, arg);
        if (line->positional_count == most) {
            too_many(line, most, arg);
        }
        line->positional[line->positional_count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (most == 2 && line->positional_count + line->engine_count != 2) {
            command_misuse("a duel needs two bots, like 'bgref duel gnubg ./mybot'; there %s %d",
                           line->positional_count + line->engine_count == 1 ? "is" : "are",
                           line->positional_count + line->engine_count);
        }
        if (most == 1 && line->positional_count == 0) {
            command_misuse("the event file is missing, like 'bgref tournament EVENT.yaml'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Returns whether argp will know the word: a long name or the beginning of one, or a letter with
 * its value. */
static bool is_known(const char *const *names, int count, const struct flags *flags,
                     const char *name, size_t length, bool one_dash)
{
    for (int i = 0; i < count; i++) {
        /* The beginning of a name is enough for argp too. */
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

/* Returns the flag that is this word and needs a value behind it; NULL: another word. */
static const struct argp_option *without_value(const struct flags *flags, const char *word)
{
    const char *name = without_dashes(word);

    for (int i = 0; name != NULL && i < flags->count; i++) {
        const struct argp_option *option = &flags->options[i];

        if (option->name != NULL && strcmp(option->name, name) == 0 && option->arg != NULL &&
            (option->flags & (OPTION_ARG_OPTIONAL | OPTION_DOC)) == 0) {
            return option;
        }
    }
    return NULL;
}

/* Refuses a last flag without its value, in the words of all other commands. */
static enum bg_status check_last(const struct line *line, const struct flags *flags,
                                 struct bg_error *err)
{
    int last = line->rest_count - 1;
    const struct argp_option *option = last < 1 ? NULL : without_value(flags, line->rest[last]);

    if (option == NULL || (last > 1 && without_value(flags, line->rest[last - 1]) != NULL)) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT, "--%s needs a value: --%s=%s", option->name,
                        option->name, option->arg);
}

/* Refuses an unknown flag and suggests the nearest one, because argp does not. */
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

        if (length != 0 && name[length] == '=' &&
            (strncmp("help", name, length) == 0 || strncmp("usage", name, length) == 0)) {
            return bg_error_set(err, BG_E_ARGUMENT, "--%.*s takes no value; see '%s --help'",
                                (int)length, name, line->rest[0]);
        }
        if (length == 0 || !isalpha((unsigned char)name[0]) ||
            is_known(names, count, flags, name, length, line->rest[i][1] != '-')) {
            continue;
        }
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), name);
        if (strcmp(word, "games") == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "--games counts the games of a duel; use --pairs here");
        }
        return command_no_flag(word, names, count, line->rest[0], err);
    }
    return BG_OK;
}

enum bg_status flags_parse(struct line *line, struct bg_error *err)
{
    static struct flags flags; /* argp keeps pointers into it only while it parses */
    const struct argp argp = {
        .options = flags.options,
        .parser = on_option,
        .args_doc = line->command == OPTIONS_DUEL ? "A B" : "EVENT.yaml",
        .doc = line->command == OPTIONS_DUEL
                   ? "Plays two bots against each other and reports who is better, with error bars."
                     "\vA bot is a name of 'bgref bots', a path like ./mybot, or an -engine. The "
                     "same command again continues where it stopped."
                   : "Plays every bot of EVENT.yaml against every other and ends in a table."
                     "\vFlags override the file, the file overrides defaults; docs/event.yaml "
                     "shows every key. The same command again continues where it stopped.",
        .help_filter = docs_in_help};

    flags_init(&flags, line);
    if (check_flags(line, &flags, err) != BG_OK || check_last(line, &flags, err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    argp_err_exit_status = EXIT_MISUSE;
    if (argp_parse(&argp, line->rest_count, line->rest, ARGP_LONG_ONLY, NULL, line) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "command line");
    }
    return BG_OK;
}
