#include "registry.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "words/closest.h"
#include "text/yaml.h"
#include "chess_words.h"
#include "command.h"
#include "near_path.h"

struct entry {
    struct config_bot bot;
    bool bundled;
    bool replaces;
};

struct registry {
    struct entry *entries; /* sorted by name */
    int count;
    char user_file[1024];
    char bots_dir[1024];
    char origin[1024]; /* of the entries that are not bundled */
};

/* ---- the bundled bots ---- */

static const struct bundled {
    const char *name, *program;
    struct config_option options[2];
    int option_count;
} bundled[] = {
    {"first", "bgref-first", {{"", ""}}, 0},
    {"random", "bgref-random", {{"", ""}}, 0},
    {"greedy", "bgref-greedy", {{"", ""}}, 0},
    {"python", "bgref-python", {{"", ""}}, 0},
    {"gnubg", "bgref-gnubg", {{"Plies", "0"}}, 1},
    {"gnubg-1ply", "bgref-gnubg", {{"Plies", "1"}}, 1},
    {"gnubg-2ply", "bgref-gnubg", {{"Plies", "2"}}, 1},
    {"ubgi", "bgref-ubgi", {{"", ""}}, 0},
    {"gnubg-noise", "bgref-gnubg", {{"Plies", "0"}, {"Noise", "0.05"}}, 2},
};

/* Beside the program in a build tree (bin/bots), in libexec when installed. */
static void find_bots_dir(char *out, size_t size)
{
    const char *variable = getenv("BGREF_BOTS_DIR");
    char self[900];
    ssize_t length;
    char *slash;

    if (variable != NULL && variable[0] != '\0') {
        snprintf(out, size, "%s", variable);
        return;
    }
    length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    slash = strrchr(self, '/');
    if (slash == NULL) {
        snprintf(out, size, "/usr/libexec/bgref");
        return;
    }
    *slash = '\0';
    snprintf(out, size, "%s/bots", self);
    if (access(out, X_OK) != 0) {
        slash = strrchr(self, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        snprintf(out, size, "%s/libexec/bgref", self);
    }
}

static void find_user_file(char *out, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");

    out[0] = '\0';
    if (config != NULL && config[0] == '/') { /* relative ones are to be ignored, says XDG */
        snprintf(out, size, "%s/bgref/bots.yaml", config);
    } else if (home != NULL && home[0] == '/') {
        snprintf(out, size, "%s/.config/bgref/bots.yaml", home);
    }
}

static int find(const struct registry *registry, const char *name)
{
    for (int i = 0; i < registry->count; i++) {
        if (strcmp(registry->entries[i].bot.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Adds or replaces, keeping the order. */
static enum bg_status put(struct registry *registry, const struct config_bot *bot, bool is_bundled,
                          struct bg_error *err)
{
    int at = find(registry, bot->name);
    struct entry *more;

    if (at >= 0) {
        registry->entries[at] = (struct entry){.bot = *bot, .replaces = true};
        return BG_OK;
    }
    more = realloc(registry->entries, ((size_t)registry->count + 1) * sizeof *more);
    if (more == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "registry of bots");
    }
    registry->entries = more;
    for (at = registry->count; at > 0 && strcmp(more[at - 1].bot.name, bot->name) > 0; at--) {
        more[at] = more[at - 1];
    }
    more[at] = (struct entry){.bot = *bot, .bundled = is_bundled};
    registry->count++;
    return BG_OK;
}

static enum bg_status put_bundled(struct registry *registry, struct bg_error *err)
{
    for (size_t i = 0; i < sizeof bundled / sizeof bundled[0]; i++) {
        struct config_bot bot = {.option_count = bundled[i].option_count};
        char path[1100];
        enum bg_status status;

        snprintf(path, sizeof path, "%s/%s", registry->bots_dir, bundled[i].program);
        if (!command_append(bot.cmd, sizeof bot.cmd, path)) {
            return bg_error_set(err, BG_E_ARGUMENT, "BGREF_BOTS_DIR: path is too long");
        }
        snprintf(bot.name, sizeof bot.name, "%s", bundled[i].name);
        memcpy(bot.options, bundled[i].options, sizeof bundled[i].options);
        status = put(registry, &bot, true, err);
        if (status != BG_OK) {
            return status;
        }
    }
    return BG_OK;
}

/* ---- one bot, key by key; the same keys in files and behind -engine ---- */

static const char *const keys[] = {"name",  "bot", "cmd", "args",   "dir",    "instances",
                                   "clock", "tc",  "st",  "stderr", "options"};

static bool is_key(const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static enum bg_status copy(char *out, size_t size, const char *text, struct bg_error *err)
{
    if (text[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT, "the value is missing");
    }
    if (strlen(text) >= size) {
        return bg_error_set(err, BG_E_ARGUMENT, "longer than %zu bytes", size - 1);
    }
    memcpy(out, text, strlen(text) + 1);
    return BG_OK;
}

static enum bg_status set_option(struct config_bot *bot, const char *name, const char *value,
                                 struct bg_error *err)
{
    int at = 0;

    if (name[0] == '\0' || strlen(name) >= sizeof bot->options[0].name) {
        return bg_error_set(err, BG_E_ARGUMENT, "an option's name has 1 to 64 bytes");
    }
    if (strlen(value) >= sizeof bot->options[0].value) {
        return bg_error_set(err, BG_E_ARGUMENT, "option %s: longer than 255 bytes", name);
    }
    while (at < bot->option_count && strcmp(bot->options[at].name, name) != 0) {
        at++;
    }
    if (at == CONFIG_OPTIONS_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "more than %d options", CONFIG_OPTIONS_MAX);
    }
    bot->option_count = at == bot->option_count ? at + 1 : bot->option_count;
    memcpy(bot->options[at].name, name, strlen(name) + 1);
    memcpy(bot->options[at].value, value, strlen(value) + 1);
    return BG_OK;
}

static enum bg_status set_args(struct config_bot *bot, const char *text, struct bg_error *err)
{
    size_t used = strlen(bot->cmd);

    if (used + 1 + strlen(text) >= sizeof bot->cmd) {
        return bg_error_set(err, BG_E_ARGUMENT, "the command is longer than %zu bytes",
                            sizeof bot->cmd - 1);
    }
    bot->base[0] = '\0'; /* not its command any more */
    bot->cmd[used] = ' ';
    memcpy(bot->cmd + used + 1, text, strlen(text) + 1);
    return BG_OK;
}

static enum bg_status set_clock(struct config_bot *bot, const char *key, const char *value,
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

static enum bg_status unknown_key(const char *key, struct bg_error *err)
{
    static const struct {
        const char *word, *key;
    } others[] = {{"command", "cmd"},    {"program", "cmd"}, {"path", "cmd"},
                  {"arguments", "args"}, {"folder", "dir"},  {"option", "options"}};
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
                        "unknown key%s%s%s; there are name, bot, cmd, args, dir, "
                        "instances, clock, stderr and options",
                        near == NULL ? "" : " (perhaps ", near == NULL ? "" : near,
                        near == NULL ? "" : "?)");
}

/* Every key but bot, cmd and options, which their callers read first. */
static enum bg_status set(struct config_bot *bot, const char *key, const char *value,
                          struct bg_error *err)
{
    enum bg_status status;

    if (strcmp(key, "name") == 0) {
        if (!name_is_valid(value)) {
            return bg_error_set(
                err, BG_E_ARGUMENT,
                "'%.70s' is not a name: 1 to 64 of the letters a-z A-Z, digits, . _ + -", value);
        }
        return copy(bot->name, sizeof bot->name, value, err);
    }
    if (strcmp(key, "args") == 0) {
        return set_args(bot, value, err);
    }
    if (strcmp(key, "dir") == 0) {
        return copy(bot->dir, sizeof bot->dir, value, err);
    }
    if (strcmp(key, "instances") == 0) {
        uint64_t count = 0;

        status = count_read(&count, value, 1, 1024, err);
        bot->instances = status == BG_OK ? (int)count : bot->instances;
        return status;
    }
    if (strcmp(key, "stderr") == 0) {
        return copy(bot->stderr_file, sizeof bot->stderr_file, value, err);
    }
    if (strcmp(key, "clock") == 0 || strcmp(key, "tc") == 0 || strcmp(key, "st") == 0) {
        return set_clock(bot, key, value, err);
    }
    if (chess_words_other(&status, key, value, err)) {
        return status;
    }
    return unknown_key(key, err);
}

/* A name for a program: its file name, with what names cannot hold replaced. */
static void name_of_program(char out[NAME_SIZE], const char *path)
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

/* Sets the command and, where there is none, the name that it suggests. */
static enum bg_status set_cmd(struct config_bot *bot, const char *text, struct bg_error *err)
{
    char **words = NULL;
    enum bg_status status = copy(bot->cmd, sizeof bot->cmd, text, err);

    if (status != BG_OK) {
        return status;
    }
    status = command_split(&words, text, err);
    if (status == BG_OK && bot->name[0] == '\0') {
        name_of_program(bot->name, words[0]);
    }
    free(words);
    return status;
}

enum bg_status registry_resolve(struct config_bot *out, const struct registry *registry,
                                const char *text, struct bg_error *err)
{
    int at = find(registry, text);
    const char **names;
    const char *near;
    char here[NEAR_PATH];

    if (at >= 0) {
        *out = registry->entries[at].bot;
        memcpy(out->base, out->name, sizeof out->base);
        return BG_OK;
    }
    memset(out, 0, sizeof *out);
    if (strchr(text, '/') != NULL) {
        near_path(here, text);
        if (strstr(here, " is a folder") != NULL) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "program %.200s: a folder; name the program in it", text);
        }
        if (access(text, X_OK) != 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "program %.200s: %s%s", text, strerror(errno),
                                errno == EACCES ? " (chmod +x makes it executable)" : "");
        }
        name_of_program(out->name, text);
        if (!command_append(out->cmd, sizeof out->cmd, text) || out->name[0] == '\0') {
            return bg_error_set(err, BG_E_ARGUMENT, "program %.200s: not the path of a program",
                                text);
        }
        return BG_OK;
    }
    names = calloc((size_t)registry->count + 1, sizeof *names);
    if (names == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "names of bots");
    }
    for (int i = 0; i < registry->count; i++) {
        names[i] = registry->entries[i].bot.name;
    }
    near = closest_name(text, names, registry->count);
    free(names);
    near_path(here, text);
    return bg_error_set(err, BG_E_ARGUMENT,
                        "no bot is called '%.64s'%s%s%s; 'bgref bots' lists them, and a program "
                        "is named by its path, like ./mybot%s",
                        text, near == NULL ? "" : " (perhaps ", near == NULL ? "" : near,
                        near == NULL ? "" : "?)", here);
}

/* ---- YAML ---- */

static enum bg_status read_options(struct config_bot *bot, const struct yaml *yaml, int map,
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
        if (set_option(bot, name, text, &why) != BG_OK) {
            return yaml_error(err, yaml, key, "options", "%s", why.text);
        }
    }
    return BG_OK;
}

/* The value node of a key in a map, or 0; *twice is its second key. */
static int map_find(const struct yaml *yaml, int map, const char *name, int *twice)
{
    int found = 0;

    *twice = 0;
    for (int i = 0; i < yaml_count(yaml, map); i++) {
        int key, value;
        const char *text;

        yaml_pair(&key, &value, yaml, map, i);
        if (yaml_is_text(yaml, key) && yaml_text(&text, yaml, key, NULL, 64, NULL) == BG_OK &&
            strcmp(text, name) == 0) {
            *twice = found != 0 ? key : 0;
            found = value;
        }
    }
    return found;
}

/* Where a bot starts from: another bot by name, or a command. */
static enum bg_status read_base(struct config_bot *out, const struct registry *registry,
                                const struct yaml *yaml, int map, const char *what,
                                struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    int twice;
    int name = map_find(yaml, map, "name", &twice);
    int bot = map_find(yaml, map, "bot", &twice);
    int cmd = map_find(yaml, map, "cmd", &twice);
    const char *text;
    enum bg_status status;

    if (bot != 0 && cmd != 0) {
        return yaml_error(err, yaml, map, what, "bot and cmd exclude each other");
    }
    if (bot == 0 && cmd == 0 && name == 0) {
        return yaml_error(err, yaml, map, what,
                          "bot (a name of 'bgref bots') or cmd (a command) is missing");
    }
    if (yaml_text(&text, yaml, bot != 0 ? bot : cmd != 0 ? cmd : name, what, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    status = cmd != 0 ? set_cmd(out, text, &why) : registry_resolve(out, registry, text, &why);
    if (status != BG_OK) {
        return yaml_error(err, yaml,
                          bot != 0   ? bot
                          : cmd != 0 ? cmd
                                     : name,
                          bot != 0   ? "bot"
                          : cmd != 0 ? "cmd"
                                     : "name",
                          "%s", why.text);
    }
    return BG_OK;
}

static enum bg_status read_map(struct config_bot *out, const struct registry *registry,
                               const struct yaml *yaml, int map, const char *what,
                               struct bg_error *err)
{
    enum bg_status status;

    for (int i = 0; i < yaml_count(yaml, map); i++) {
        int key, value, twice;
        const char *name;

        if (i >= (int)(sizeof keys / sizeof keys[0])) {
            return yaml_error(err, yaml, map, what, "too many keys");
        }
        yaml_pair(&key, &value, yaml, map, i);
        if (yaml_text(&name, yaml, key, what, 64, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (!is_key(name) && !chess_words_other(&status, name, "on", NULL)) {
            struct bg_error why = {.text = ""};

            unknown_key(name, &why); /* before its name or command is looked for */
            return yaml_error(err, yaml, key, name, "%s", why.text);
        }
        map_find(yaml, map, name, &twice);
        if (twice != 0) {
            return yaml_error(err, yaml, twice, name, "given twice; keep one");
        }
    }
    status = read_base(out, registry, yaml, map, what, err);
    for (int i = 0; status == BG_OK && i < yaml_count(yaml, map); i++) {
        int key, value;
        const char *name, *text;
        struct bg_error why = {.text = ""};

        yaml_pair(&key, &value, yaml, map, i);
        status = yaml_text(&name, yaml, key, what, 64, err);
        if (status != BG_OK || strcmp(name, "bot") == 0 || strcmp(name, "cmd") == 0) {
            continue;
        }
        if (strcmp(name, "options") == 0) {
            status = read_options(out, yaml, value, err);
            continue;
        }
        status = yaml_text(&text, yaml, value, name, 1023, err);
        if (status == BG_OK && set(out, name, text, &why) != BG_OK) {
            status = yaml_error(err, yaml, key, name, "%s", why.text);
        }
    }
    return status;
}

enum bg_status registry_read(struct config_bot *out, const struct registry *registry,
                             const struct yaml *yaml, int node, const char *what, const char *name,
                             struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    const char *text;
    enum bg_status status;

    memset(out, 0, sizeof *out);
    if (yaml_is_map(yaml, node)) {
        status = read_map(out, registry, yaml, node, what, err);
        if (status == BG_OK && name != NULL) {
            memcpy(out->name, name, strlen(name) + 1);
        }
        return status;
    }
    if (yaml_text(&text, yaml, node, what, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    if (name != NULL) {
        memcpy(out->name, name, strlen(name) + 1);
        status = set_cmd(out, text, &why);
    } else {
        status = registry_resolve(out, registry, text, &why);
    }
    return status == BG_OK ? BG_OK : yaml_error(err, yaml, node, what, "%s", why.text);
}

/* The user's file counts from no particular folder, so its paths must not either. */
static enum bg_status check_paths(const struct config_bot *bot, const struct yaml *yaml, int node,
                                  struct bg_error *err)
{
    char **words = NULL;
    bool relative = false;

    if (bot->dir[0] != '\0' && bot->dir[0] != '/') {
        return yaml_error(err, yaml, node, bot->name, "dir '%.100s' is not a full path", bot->dir);
    }
    if (command_split(&words, bot->cmd, NULL) == BG_OK) {
        relative = words[0][0] != '/' && strchr(words[0], '/') != NULL && bot->dir[0] == '\0';
    }
    free(words);
    if (relative) {
        return yaml_error(err, yaml, node, bot->name,
                          "cmd '%.100s' is not a full path, and dir is missing", bot->cmd);
    }
    return BG_OK;
}

static enum bg_status read_file(struct registry *registry, const struct yaml *yaml,
                                struct bg_error *err)
{
    int root = yaml_root(yaml);
    int twice, bots;

    if (root == 0) {
        return BG_OK; /* all comments: a file in the making */
    }
    bots = yaml_is_map(yaml, root) ? map_find(yaml, root, "bots", &twice) : 0;
    if (bots == 0 || yaml_count(yaml, root) != 1 || !yaml_is_map(yaml, bots)) {
        return yaml_error(err, yaml, root, NULL,
                          "a bots file is 'bots:' and below it a map of names, like "
                          "'mybot: /home/me/mybot --fast'");
    }
    if (yaml_count(yaml, bots) > CONFIG_BOTS_MAX) {
        return yaml_error(err, yaml, bots, "bots", "more than %d bots", CONFIG_BOTS_MAX);
    }
    for (int i = 0; i < yaml_count(yaml, bots); i++) {
        int key, value, at;
        const char *name;
        struct config_bot bot;
        enum bg_status status;

        yaml_pair(&key, &value, yaml, bots, i);
        if (yaml_text(&name, yaml, key, "bots", NAME_SIZE - 1, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (!name_is_valid(name)) {
            return yaml_error(err, yaml, key, "bots",
                              "'%s' is not a name: 1 to 64 of the letters a-z A-Z, digits, . _ + -",
                              name);
        }
        at = find(registry, name);
        if (at >= 0 && !registry->entries[at].bundled) {
            return yaml_error(err, yaml, key, name, "given twice; keep one");
        }
        status = registry_read(&bot, registry, yaml, value, name, name, err);
        if (status == BG_OK) {
            status = check_paths(&bot, yaml, value, err);
        }
        if (status == BG_OK) {
            status = put(registry, &bot, false, err);
        }
        if (status != BG_OK) {
            return status;
        }
    }
    return BG_OK;
}

enum bg_status registry_parse(struct registry *registry, const char *origin, const void *bytes,
                              size_t size, struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status = yaml_parse(&yaml, origin, bytes, size, err);

    if (status == BG_OK) {
        snprintf(registry->origin, sizeof registry->origin, "%s", origin);
        status = read_file(registry, yaml, err);
    }
    yaml_close(yaml);
    return status;
}

enum bg_status registry_open(struct registry **out, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct yaml *yaml = NULL;
    struct registry *registry = calloc(1, sizeof *registry);

    if (registry == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "registry of bots");
        goto done;
    }
    find_bots_dir(registry->bots_dir, sizeof registry->bots_dir);
    find_user_file(registry->user_file, sizeof registry->user_file);
    status = put_bundled(registry, err);
    if (status != BG_OK) {
        goto done;
    }
    if (registry->user_file[0] != '\0' && access(registry->user_file, F_OK) == 0) {
        status = yaml_open(&yaml, registry->user_file, err);
        if (status == BG_OK) {
            memcpy(registry->origin, registry->user_file, sizeof registry->origin);
            status = read_file(registry, yaml, err);
        }
        if (status != BG_OK) {
            goto done;
        }
    }
    *out = registry;
    registry = NULL; /* now the caller's */
done:
    yaml_close(yaml);
    registry_close(registry);
    return status;
}

void registry_close(struct registry *registry)
{
    if (registry != NULL) {
        free(registry->entries);
        free(registry);
    }
}

int registry_count(const struct registry *registry)
{
    return registry->count;
}

const struct config_bot *registry_at(const struct registry *registry, int i)
{
    assert(i >= 0 && i < registry->count);
    return &registry->entries[i].bot;
}

const char *registry_origin(const struct registry *registry, int i)
{
    return registry->entries[i].bundled ? "bundled" : registry->origin;
}

bool registry_replaces(const struct registry *registry, int i)
{
    return registry->entries[i].replaces;
}

const char *registry_user_file(const struct registry *registry)
{
    return registry->user_file;
}

const char *registry_bots_dir(const struct registry *registry)
{
    return registry->bots_dir;
}

/* ---- words behind -engine ---- */

/* The part behind "key=" when word begins so, else NULL. */
static const char *value_of(const char *word, const char *key)
{
    size_t length = strlen(key);

    return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

/* The bot that the words start from; *base is the word that says so. */
static enum bg_status engine_base(struct config_bot *out, const struct registry *registry,
                                  const char *const *words, int count, struct bg_error *err)
{
    const char *base = NULL, *cmd = NULL, *name = NULL;

    for (int i = 0; i < count; i++) {
        const char *bot = strchr(words[i], '=') == NULL ? words[i] : value_of(words[i], "bot");

        if (bot != NULL && base != NULL) {
            return bg_error_set(err, BG_E_ARGUMENT, "two bots in one -engine: '%.64s' and '%.64s'",
                                base, bot);
        }
        base = bot != NULL ? bot : base;
        cmd = value_of(words[i], "cmd") != NULL ? value_of(words[i], "cmd") : cmd;
        name = value_of(words[i], "name") != NULL ? value_of(words[i], "name") : name;
    }
    memset(out, 0, sizeof *out);
    if (base != NULL && cmd != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.64s' and cmd= exclude each other", base);
    }
    if (base != NULL) {
        return registry_resolve(out, registry, base, err);
    }
    if (cmd != NULL) {
        return set_cmd(out, cmd, err);
    }
    if (name != NULL) {
        return registry_resolve(out, registry, name, err);
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "-engine needs a bot: a name of 'bgref bots', or cmd=\"./mybot\"");
}

enum bg_status registry_engine(struct config_bot *out, const struct registry *registry,
                               const char *const *words, int count, struct bg_error *err)
{
    enum bg_status status = engine_base(out, registry, words, count, err);

    for (int i = 0; status == BG_OK && i < count; i++) {
        const char *equals = strchr(words[i], '=');
        char key[NAME_SIZE + 8];
        size_t length = equals == NULL ? 0 : (size_t)(equals - words[i]);
        struct bg_error why = {.text = ""};

        if (equals == NULL || value_of(words[i], "bot") != NULL ||
            value_of(words[i], "cmd") != NULL) {
            continue;
        }
        if (length >= sizeof key) {
            return bg_error_set(err, BG_E_ARGUMENT, "-engine: '%.80s': unknown key", words[i]);
        }
        memcpy(key, words[i], length);
        key[length] = '\0';
        status = strncmp(key, "option.", 7) == 0 ? set_option(out, key + 7, equals + 1, &why)
                                                 : set(out, key, equals + 1, &why);
        if (status != BG_OK) {
            bg_error_set(err, status, "-engine %.80s: %.400s", words[i], why.text);
        }
    }
    return status;
}
