/* A list or a map of the file is first joined to the text that a flag would have. So each key
 * has one reader, one form in the results, and one set of messages; only `bots`, and `door` as a
 * map, are read as they stand, because their parts have lines of their own to name. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <base/docs.h>

#include "base/yaml.h"
#include "bot/registry.h"
#include "door_value.h"
#include "keys.h"
#include "values.h"

static enum bg_status bots_read(struct config_event *event, const struct yaml *yaml, int list,
                                const struct registry *registry, struct bg_error *err)
{
    if (!yaml_is_list(yaml, list)) {
        return yaml_error(err, yaml, list, "bots",
                          "a list is needed, one '- name' a line or [gnubg, greedy]");
    }
    for (int i = 0; i < yaml_count(yaml, list); i++) {
        int item = yaml_item(yaml, list, i);
        struct competitor bot;
        struct bg_error why = {.text = ""};
        enum bg_status status = registry_read(&bot, registry, yaml, item, "bots", NULL, err);

        if (status != BG_OK) {
            return status;
        }
        if (config_event_add(event, &bot, &why) != BG_OK) {
            return yaml_error(err, yaml, item, "bots", "%s", why.text);
        }
    }
    return BG_OK;
}

/* Appends text; returns false if it does not fit. */
static bool append_item(char out[CONFIG_SEEDS], const char *before, const char *text)
{
    size_t used = strlen(out);

    return snprintf(out + used, CONFIG_SEEDS - used, "%s%s", used == 0 ? "" : before, text) <
           (int)(CONFIG_SEEDS - used);
}

static enum bg_status too_long(const struct yaml *yaml, int list, const char *name,
                               struct bg_error *err)
{
    return yaml_error(err, yaml, list, name, "longer than %d characters", CONFIG_SEEDS - 1);
}

/* Joins a list of stages to one schedule. */
static enum bg_status stages_read(char out[CONFIG_SEEDS], const struct yaml *yaml, int list,
                                  const char *name, struct bg_error *err)
{
    out[0] = '\0';
    for (int i = 0; i < yaml_count(yaml, list); i++) {
        const char *text;

        if (yaml_text(&text, yaml, yaml_item(yaml, list, i), name, 1023, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (!append_item(out, " then ", text)) {
            return too_long(yaml, list, name, err);
        }
    }
    return BG_OK;
}

/* Joins a list of names with commas. */
static enum bg_status list_read(char out[CONFIG_SEEDS], const struct yaml *yaml, int list,
                                const char *name, struct bg_error *err)
{
    out[0] = '\0';
    for (int i = 0; i < yaml_count(yaml, list); i++) {
        const char *text;

        if (yaml_text(&text, yaml, yaml_item(yaml, list, i), name, 255, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (!append_item(out, ",", text)) {
            return too_long(yaml, list, name, err);
        }
    }
    return BG_OK;
}

/* Appends one item of `conditions`: a map with between: [A, B] and words, or a text. */
static enum bg_status condition_read(char out[CONFIG_SEEDS], const struct yaml *yaml, int item,
                                     struct bg_error *err)
{
    char words[512] = "", names[CONFIG_SEEDS] = "";
    const char *word, *text;
    int key, value;

    if (!yaml_is_map(yaml, item)) {
        return yaml_text(&text, yaml, item, "conditions", 1023, err) != BG_OK ? BG_E_CONFIG
               : append_item(out, "; ", text)                                 ? BG_OK
                                              : too_long(yaml, item, "conditions", err);
    }
    for (int i = 0; i < yaml_count(yaml, item); i++) {
        yaml_pair(&key, &value, yaml, item, i);
        if (yaml_text(&word, yaml, key, "conditions", 64, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (strcmp(word, "between") == 0 && yaml_is_list(yaml, value) &&
            yaml_count(yaml, value) == 2) {
            if (list_read(names, yaml, value, "conditions", err) != BG_OK) {
                return BG_E_CONFIG;
            }
        } else if (strcmp(word, "between") == 0) {
            return yaml_error(err, yaml, value, "conditions", "between needs two bots: [ann, bob]");
        } else if (yaml_text(&text, yaml, value, "conditions", 64, err) != BG_OK) {
            return BG_E_CONFIG;
        } else if (snprintf(words + strlen(words), sizeof words - strlen(words), " %s=%s", word,
                            text) >= (int)(sizeof words - strlen(words))) {
            return too_long(yaml, item, "conditions", err);
        }
    }
    if (names[0] == '\0') {
        return yaml_error(err, yaml, item, "conditions",
                          "between is missing: {between: [ann, bob], cube: off}");
    }
    return append_item(out, "; ", names) && append_item(out, "", words)
               ? BG_OK
               : too_long(yaml, item, "conditions", err);
}

/* The items' lines are for messages: each is checked where it stands, its bots with the event. */
static enum bg_status conditions_read(char out[CONFIG_SEEDS], const struct yaml *yaml, int list,
                                      struct bg_error *err)
{
    out[0] = '\0';
    for (int i = 0; i < yaml_count(yaml, list); i++) {
        enum bg_status status = condition_read(out, yaml, yaml_item(yaml, list, i), err);

        if (status != BG_OK) {
            return status;
        }
    }
    return BG_OK;
}

/* Reads `door` as a map. */
static enum bg_status door_read(struct config_door *out, const struct yaml *yaml, int map,
                                struct bg_error *err)
{
    struct config_door door = {.listen = ""};

    for (int i = 0; i < yaml_count(yaml, map); i++) {
        struct bg_error why = {.text = ""};
        const char *word, *text;
        int key, value;

        yaml_pair(&key, &value, yaml, map, i);
        if (yaml_text(&word, yaml, key, "door", 64, err) != BG_OK ||
            yaml_text(&text, yaml, value, word, 1023, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (door_value_take(&door, word, text, &why) != BG_OK) {
            return yaml_error(err, yaml, value, word, "%s", why.text);
        }
    }
    *out = door;
    return BG_OK;
}

static enum bg_status map_read(struct config_event *event, const char *before,
                               const struct yaml *yaml, int map, const struct registry *registry,
                               struct bg_error *err);

static enum bg_status unknown_key(const struct yaml *yaml, int node, const char *name,
                                  struct bg_error *err)
{
    const char *near = key_near(name);

    return near == NULL ? yaml_error(err, yaml, node, name,
                                     "unknown key; %s/event.yaml lists all keys", docs_folder())
                        : yaml_error(err, yaml, node, name, "unknown key; perhaps %s?", near);
}

/* before: what the key begins with, of the members of a map. */
static enum bg_status entry_read(struct config_event *event, const char *before,
                                 const struct yaml *yaml, int name_node, int value,
                                 const struct registry *registry, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    const struct key *key, *other;
    char stages[CONFIG_SEEDS], member[96];
    const char *name, *text;

    if (yaml_text(&name, yaml, name_node, "key", 64, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    snprintf(member, sizeof member, "%s%s", before, name);
    name = member;
    if (strcmp(name, "broadcast") == 0) {
        return yaml_is_map(yaml, value) ? map_read(event, "broadcast_", yaml, value, registry, err)
                                        : yaml_error(err, yaml, value, name,
                                                     "a map is needed, like {delay: 30s}; keys: "
                                                     "delay, release, spectators, proxy");
    }
    if (strcmp(name, "bots") == 0) {
        return event->bot_count > 0
                   ? yaml_error(err, yaml, name_node, "bots", "given twice; keep one list")
                   : bots_read(event, yaml, value, registry, err);
    }
    key = key_find(name);
    if (key == NULL) {
        return unknown_key(yaml, name_node, name, err);
    }
    /* Two names of one place (pairs and rounds) count as the same key. */
    other = key_given(event, key);
    if (other != NULL) {
        return yaml_error(err, yaml, name_node, name, "given twice, see %s in line %d; keep one",
                          other->name, event->given[key_number(other)]);
    }
    if (key->kind == KEY_DOOR && yaml_is_map(yaml, value)) {
        event->given[key_number(key)] = yaml_line(yaml, name_node);
        return door_read(&event->door, yaml, value, err);
    }
    if (key->kind == KEY_SCHEDULE && yaml_is_list(yaml, value)) {
        if (stages_read(stages, yaml, value, name, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        text = stages;
    } else if (key->kind == KEY_CONDITIONS && yaml_is_list(yaml, value)) {
        if (conditions_read(stages, yaml, value, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        text = stages[0] == '\0' ? "none" : stages;
    } else if (key->kind == KEY_LIST && yaml_is_list(yaml, value)) {
        if (list_read(stages, yaml, value, name, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        text = stages;
    } else if (yaml_text(&text, yaml, value, name, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    if (value_read(event, key, text, yaml_line(yaml, name_node), &why) != BG_OK) {
        return yaml_error(err, yaml, value, name, "%s", why.text);
    }
    event->given[key_number(key)] = yaml_line(yaml, name_node);
    return BG_OK;
}

static enum bg_status map_read(struct config_event *event, const char *before,
                               const struct yaml *yaml, int map, const struct registry *registry,
                               struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < yaml_count(yaml, map) && status == BG_OK; i++) {
        int key, value;

        yaml_pair(&key, &value, yaml, map, i);
        status = entry_read(event, before, yaml, key, value, registry, err);
    }
    return status;
}

static enum bg_status yaml_to_event(struct config_event *event, const struct yaml *yaml,
                                    const struct registry *registry, struct bg_error *err)
{
    int root = yaml_root(yaml);

    if (root == 0 || !yaml_is_map(yaml, root)) {
        return yaml_error(err, yaml, root, NULL,
                          "an event file is a map of keys, like 'bots: [gnubg, greedy]'");
    }
    return map_read(event, "", yaml, root, registry, err);
}

enum bg_status config_event_parse(struct config_event *event, const char *name, const void *bytes,
                                  size_t size, const struct registry *registry,
                                  struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status = yaml_parse(&yaml, name, bytes, size, err);

    if (status == BG_OK) {
        snprintf(event->file, sizeof event->file, "%s", name);
        status = yaml_to_event(event, yaml, registry, err);
    }
    yaml_close(yaml);
    return status;
}

enum bg_status config_event_read(struct config_event *event, const char *path,
                                 const struct registry *registry, struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status = yaml_open(&yaml, path, err);

    if (status == BG_OK) {
        snprintf(event->file, sizeof event->file, "%s", path);
        status = yaml_to_event(event, yaml, registry, err);
    }
    yaml_close(yaml);
    return status;
}
