/* Entries are inserted in their order while the file is read, not sorted at its end: an entry
 * may begin from another bot by name, and finds bundled ones and those above it. A bot of the
 * user's file replaces the bundled one of the same name; two of one file are a mistake. */
#include "registry.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/closest.h"
#include "base/yaml.h"
#include "bundled.h"
#include "command.h"
#include "near_path.h"

struct registry_entry {
    struct competitor bot;
    bool bundled;
    bool replaces;
};

struct registry {
    struct registry_entry *entries; /* sorted by name */
    int count;
    size_t room;
    char user_file[1024];
    char bots_dir[1024];
    char origin[1024]; /* file of the entries that are not bundled */
};

static int find(const struct registry *registry, const char *name)
{
    for (int i = 0; i < registry->count; i++) {
        if (strcmp(registry->entries[i].bot.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Adds or replaces an entry; the entries stay sorted. */
static void put(struct registry *registry, const struct competitor *bot, bool is_bundled)
{
    int at = find(registry, bot->name);
    struct registry_entry *more;

    if (at >= 0) {
        registry->entries[at] = (struct registry_entry){.bot = *bot, .replaces = true};
        return;
    }
    registry->entries = more =
        memory_list(registry->entries, &registry->room, (size_t)registry->count + 1, sizeof *more);
    for (at = registry->count; at > 0 && strcmp(more[at - 1].bot.name, bot->name) > 0; at--) {
        more[at] = more[at - 1];
    }
    more[at] = (struct registry_entry){.bot = *bot, .bundled = is_bundled};
    registry->count++;
}

static enum bg_status put_bundled(struct registry *registry, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < bundled_count() && status == BG_OK; i++) {
        struct competitor bot;

        status = bundled_bot(&bot, i, registry->bots_dir, err);
        if (status == BG_OK) {
            put(registry, &bot, true);
        }
    }
    return status;
}

enum bg_status registry_resolve(struct competitor *out, const struct registry *registry,
                                const char *text, struct bg_error *err)
{
    int at = find(registry, text);
    const char **names;
    const char *near;
    char here[NEAR_PATH];

    if (at >= 0) {
        *out = registry->entries[at].bot;
        /* A name= behind it may change the name; that it is this bot is known by base. */
        memcpy(out->base, out->name, sizeof out->base);
        return BG_OK;
    }
    memset(out, 0, sizeof *out);
    if (strchr(text, '/') != NULL) {
        near_path(here, text);
        /* access(X_OK) is true of a folder that may be entered. */
        if (strstr(here, " is a folder") != NULL) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "program %.200s: a folder; name the program in it", text);
        }
        if (access(text, X_OK) != 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "program %.200s: %s%s", text, strerror(errno),
                                errno == EACCES ? " (chmod +x makes it executable)" : "");
        }
        competitor_name_of(out->name, text);
        if (!command_append(out->cmd, sizeof out->cmd, text) || out->name[0] == '\0') {
            return bg_error_set(err, BG_E_ARGUMENT, "program %.200s: not the path of a program",
                                text);
        }
        return BG_OK;
    }
    names = memory_zeroed((size_t)registry->count, sizeof *names);
    for (int i = 0; i < registry->count; i++) {
        names[i] = registry->entries[i].bot.name;
    }
    near = closest_name(text, names, registry->count);
    free(names);
    near_path(here, text);
    return bg_error_set(err, BG_E_ARGUMENT,
                        "no bot is called '%.64s'%s; 'bgref bots' lists them, and a program "
                        "is named by its path, like ./mybot%s",
                        text, closest_hint(near).text, here);
}

/* ---- YAML ---- */

/* Reads the base of a bot: another bot by name, or a command. */
static enum bg_status read_base(struct competitor *out, const struct registry *registry,
                                const struct yaml *yaml, int map, const char *what,
                                struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    int twice;
    int name = yaml_find(yaml, map, "name", &twice);
    int bot = yaml_find(yaml, map, "bot", &twice);
    int cmd = yaml_find(yaml, map, "cmd", &twice);
    const char *text;
    enum bg_status status;

    if (bot != 0 && cmd != 0) {
        return yaml_error(err, yaml, map, what, "bot and cmd exclude each other");
    }
    /* A remote bot has nothing to start here: whatever stood there would never be used. */
    if (yaml_find(yaml, map, "remote", &twice) != 0) {
        return bot == 0 && cmd == 0 && name != 0
                   ? BG_OK
                   : yaml_error(err, yaml, map, what,
                                "a remote bot has a name, and no bot or cmd: its author starts it");
    }
    if (bot == 0 && cmd == 0 && name == 0) {
        return yaml_error(err, yaml, map, what,
                          "bot (a name of 'bgref bots') or cmd (a command) is missing");
    }
    if (yaml_text(&text, yaml, bot != 0 ? bot : cmd != 0 ? cmd : name, what, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    status = cmd != 0 ? competitor_set_cmd(out, text, &why)
                      : registry_resolve(out, registry, text, &why);
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

/* Checks that every key is known and occurs once. This check comes first, because a wrong key is
 * often the reason for a missing bot. */
static enum bg_status check_keys(const struct yaml *yaml, int map, const char *what,
                                 struct bg_error *err)
{
    for (int i = 0; i < yaml_count(yaml, map); i++) {
        struct bg_error why = {.text = ""};
        int key, value, twice;
        const char *name;

        if (i >= competitor_key_count()) {
            return yaml_error(err, yaml, map, what, "too many keys");
        }
        yaml_pair(&key, &value, yaml, map, i);
        if (yaml_text(&name, yaml, key, what, 64, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (competitor_check_key(name, &why) != BG_OK) {
            return yaml_error(err, yaml, key, name, "%s", why.text);
        }
        yaml_find(yaml, map, name, &twice);
        if (twice != 0) {
            return yaml_error(err, yaml, twice, name, "given twice; keep one");
        }
    }
    return BG_OK;
}

/* Reads one entry of the map. read_base has already read bot and cmd. */
static enum bg_status read_entry(struct competitor *out, const struct yaml *yaml, int key,
                                 int value, const char *what, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    const char *name, *text;
    enum bg_status status = yaml_text(&name, yaml, key, what, 64, err);

    if (status != BG_OK || strcmp(name, "bot") == 0 || strcmp(name, "cmd") == 0) {
        return status;
    }
    if (strcmp(name, "options") == 0) {
        return competitor_set_options(out, yaml, value, err);
    }
    if (strcmp(name, "origins") == 0 && yaml_is_list(yaml, value)) {
        return competitor_set_origins(out, yaml, value, err);
    }
    status = yaml_text(&text, yaml, value, name, 1023, err);
    if (status == BG_OK && competitor_set(out, name, text, &why) != BG_OK) {
        status = yaml_error(err, yaml, key, name, "%s", why.text);
    }
    return status;
}

static enum bg_status read_map(struct competitor *out, const struct registry *registry,
                               const struct yaml *yaml, int map, const char *what,
                               struct bg_error *err)
{
    enum bg_status status = check_keys(yaml, map, what, err);

    if (status == BG_OK) {
        status = read_base(out, registry, yaml, map, what, err);
    }
    for (int i = 0; status == BG_OK && i < yaml_count(yaml, map); i++) {
        int key, value;

        yaml_pair(&key, &value, yaml, map, i);
        status = read_entry(out, yaml, key, value, what, err);
    }
    return status;
}

enum bg_status registry_read(struct competitor *out, const struct registry *registry,
                             const struct yaml *yaml, int node, const char *what, const char *name,
                             struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    const char *text;
    enum bg_status status;

    memset(out, 0, sizeof *out);
    if (yaml_is_map(yaml, node)) {
        status = read_map(out, registry, yaml, node, what, err);
        if (status == BG_OK && name != NULL && out->remote) {
            status = yaml_error(err, yaml, node, "remote",
                                "a remote bot belongs to an event, whose file has its door");
        }
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
        status = competitor_set_cmd(out, text, &why);
    } else {
        status = registry_resolve(out, registry, text, &why);
    }
    return status == BG_OK ? BG_OK : yaml_error(err, yaml, node, what, "%s", why.text);
}

/* Refuses relative paths in the user's file, because the current folder can be any folder. */
static enum bg_status check_paths(const struct competitor *bot, const struct yaml *yaml, int node,
                                  struct bg_error *err)
{
    char **words = NULL;
    bool relative = false;

    if (bot->dir[0] != '\0' && bot->dir[0] != '/') {
        return yaml_error(err, yaml, node, bot->name, "dir '%.100s' is not a full path", bot->dir);
    }
    if (command_split(&words, bot->cmd, NULL) == BG_OK) {
        /* A word without a slash is looked for in PATH, which is the same in every folder. */
        relative = words[0][0] != '/' && strchr(words[0], '/') != NULL && bot->dir[0] == '\0';
    }
    free(words);
    if (relative) {
        return yaml_error(err, yaml, node, bot->name,
                          "cmd '%.100s' is not a full path, and dir is missing", bot->cmd);
    }
    return BG_OK;
}

static enum bg_status read_bots(struct registry *registry, const struct yaml *yaml,
                                struct bg_error *err)
{
    int root = yaml_root(yaml);
    int twice, bots;

    if (root == 0) {
        return BG_OK; /* only comments: the user has not written entries yet */
    }
    bots = yaml_is_map(yaml, root) ? yaml_find(yaml, root, "bots", &twice) : 0;
    if (bots == 0 || yaml_count(yaml, root) != 1 || !yaml_is_map(yaml, bots)) {
        return yaml_error(err, yaml, root, NULL,
                          "a bots file is 'bots:' and below it a map of names, like "
                          "'mybot: /home/me/mybot --fast'");
    }
    if (yaml_count(yaml, bots) > COMPETITORS_MAX) {
        return yaml_error(err, yaml, bots, "bots", "more than %d bots", COMPETITORS_MAX);
    }
    for (int i = 0; i < yaml_count(yaml, bots); i++) {
        int key, value, at;
        const char *name;
        struct competitor bot;
        struct bg_error why = {.text = ""};
        enum bg_status status;

        yaml_pair(&key, &value, yaml, bots, i);
        if (yaml_text(&name, yaml, key, "bots", NAME_SIZE - 1, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (name_check(name, &why) != BG_OK) {
            return yaml_error(err, yaml, key, "bots", "%s", why.text);
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
            put(registry, &bot, false);
        } else {
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
        status = read_bots(registry, yaml, err);
    }
    yaml_close(yaml);
    return status;
}

enum bg_status registry_open(struct registry **out, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    struct yaml *yaml = NULL;
    struct registry *registry = memory_zeroed(1, sizeof *registry);

    bundled_find_folder(registry->bots_dir, sizeof registry->bots_dir);
    bundled_find_user_file(registry->user_file, sizeof registry->user_file);
    status = put_bundled(registry, err);
    if (status != BG_OK) {
        goto done;
    }
    /* Most users have none, and that is no mistake. */
    if (registry->user_file[0] != '\0' && access(registry->user_file, F_OK) == 0) {
        status = yaml_open(&yaml, registry->user_file, err);
        if (status == BG_OK) {
            memcpy(registry->origin, registry->user_file, sizeof registry->origin);
            status = read_bots(registry, yaml, err);
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

const struct competitor *registry_at(const struct registry *registry, int i)
{
    assert(i >= 0 && i < registry->count);
    return &registry->entries[i].bot;
}

bool registry_only_plays(const struct registry *registry, const char *text)
{
    int at = find(registry, text);

    return at >= 0 && registry->entries[at].bundled && bundled_only_plays(text);
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

/* Returns the text after "key=" if word begins with it, else NULL. */
static const char *value_of(const char *word, const char *key)
{
    size_t length = strlen(key);

    return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

/* Resolves the base of the bot: the word that names a bot, or cmd=. */
static enum bg_status engine_base(struct competitor *out, const struct registry *registry,
                                  const char *const *words, int count, struct bg_error *err)
{
    const char *base = NULL, *cmd = NULL, *name = NULL;

    for (int i = 0; i < count; i++) {
        const char *bot = strchr(words[i], '=') == NULL ? words[i] : value_of(words[i], "bot");

        if (bot != NULL && base != NULL) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.64s' and '%.64s' are two bots; one is expected here", base,
                                bot);
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
        return cmd[0] != '\0' ? competitor_set_cmd(out, cmd, err)
                              : bg_error_set(err, BG_E_ARGUMENT,
                                             "cmd=: the value is missing, like cmd=./mybot");
    }
    if (name != NULL) {
        return registry_resolve(out, registry, name, err);
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "a bot is missing: a name of 'bgref bots', or cmd=\"./mybot\"");
}

/* Refuses a word whose key no bot has: it may be the misspelt cmd= that names the bot. */
static enum bg_status check_engine_keys(const char *const *words, int count, struct bg_error *err)
{
    for (int i = 0; i < count; i++) {
        size_t length = strcspn(words[i], "=");
        struct bg_error why = {.text = ""};
        char key[NAME_SIZE];

        if (words[i][length] == '\0' || strncmp(words[i], "option.", strlen("option.")) == 0) {
            continue;
        }
        snprintf(key, sizeof key, "%.*s", (int)length, words[i]);
        if (length >= sizeof key || competitor_check_key(key, &why) != BG_OK) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.80s': %.300s; an option of the bot is written option.%.80s",
                                words[i], why.text[0] == '\0' ? "unknown key" : why.text, words[i]);
        }
    }
    return BG_OK;
}

enum bg_status registry_engine(struct competitor *out, const struct registry *registry,
                               const char *const *words, int count, struct bg_error *err)
{
    enum bg_status status = check_engine_keys(words, count, err);

    if (status == BG_OK) {
        status = engine_base(out, registry, words, count, err);
    }
    for (int i = 0; status == BG_OK && i < count; i++) {
        const char *equals = strchr(words[i], '=');
        char key[NAME_SIZE + 8];
        size_t length = equals == NULL ? 0 : (size_t)(equals - words[i]);
        struct bg_error why = {.text = ""};

        /* engine_base() has read these: the base must be known before a key changes it. */
        if (equals == NULL || value_of(words[i], "bot") != NULL ||
            value_of(words[i], "cmd") != NULL) {
            continue;
        }
        if (length >= sizeof key) {
            return bg_error_set(err, BG_E_ARGUMENT, "-engine: '%.80s': unknown key", words[i]);
        }
        memcpy(key, words[i], length);
        key[length] = '\0';
        status = strncmp(key, "option.", 7) == 0
                     ? competitor_set_option(out, key + 7, equals + 1, &why)
                     : competitor_set(out, key, equals + 1, &why);
        if (status != BG_OK) {
            bg_error_set(err, status, "-engine %.80s: %.400s", words[i], why.text);
        }
    }
    return status;
}
