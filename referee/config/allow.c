#include "allow.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof/key_file.h"
#include "text/yaml.h"

/* Reads one entry; lent. */
static enum bg_status entry_read(const char **name, const char **hex, const struct yaml *yaml,
                                 int item, struct bg_error *err)
{
    unsigned char key[KEY_FILE_BYTES];

    *name = *hex = NULL;
    if (!yaml_is_map(yaml, item)) {
        return yaml_error(err, yaml, item, NULL, "an entry is a map: {name: anna, key: 64 digits}");
    }
    for (int i = 0; i < yaml_count(yaml, item); i++) {
        const char *word, *text;
        int key_node, value;

        yaml_pair(&key_node, &value, yaml, item, i);
        if (yaml_text(&word, yaml, key_node, "key", 64, err) != BG_OK ||
            yaml_text(&text, yaml, value, word, 1023, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        if (strcmp(word, "name") == 0) {
            *name = text;
        } else if (strcmp(word, "key") == 0) {
            *hex = text;
        } else if (strcmp(word, "note") != 0) {
            return yaml_error(err, yaml, key_node, word, "unknown; there are name, key and note");
        }
    }
    if (*name == NULL || !key_name_is_valid(*name)) {
        return yaml_error(err, yaml, item, "name", "the bot's name in the event is needed");
    }
    if (*hex == NULL || !key_read_hex(key, *hex)) {
        return yaml_error(err, yaml, item, "key",
                          "64 hexadecimal digits are needed, the last word of the author's "
                          "NAME.pub, which 'bgref keygen --join NAME' made");
    }
    return BG_OK;
}

static enum bg_status check_others(const struct allow_list *list, const struct yaml *yaml, int item,
                                   const struct allow_entry *entry, struct bg_error *err)
{
    for (int k = 0; k < list->count; k++) {
        if (strcmp(list->entries[k].name, entry->name) == 0) {
            return yaml_error(err, yaml, item, entry->name, "is there already");
        }
        if (strcmp(list->entries[k].key, entry->key) == 0) {
            return yaml_error(err, yaml, item, entry->name,
                              "has the key of %.64s; a key is the identity of one bot",
                              list->entries[k].name);
        }
    }
    return BG_OK;
}

/* Equal keys get equal texts. */
static void copy_lower(char out[KEY_FILE_DIGITS], const char *hex)
{
    for (int i = 0; i < KEY_FILE_DIGITS; i++) {
        out[i] = (char)tolower((unsigned char)hex[i]);
    }
}

static enum bg_status take_entries(struct allow_list *out, const struct yaml *yaml,
                                   struct bg_error *err)
{
    int list = yaml_root(yaml), count;
    enum bg_status status = BG_OK;

    if (!yaml_is_list(yaml, list)) {
        return yaml_error(err, yaml, list, NULL,
                          "a list is needed: one '- {name: anna, key: 64 digits}' a line");
    }
    count = yaml_count(yaml, list);
    out->entries = calloc((size_t)count + 1, sizeof *out->entries);
    if (out->entries == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "keys of remote bots");
    }
    for (int i = 0; i < count && status == BG_OK; i++) {
        struct allow_entry *entry = &out->entries[i];
        const char *name, *hex;

        status = entry_read(&name, &hex, yaml, yaml_item(yaml, list, i), err);
        if (status == BG_OK) {
            snprintf(entry->name, sizeof entry->name, "%s", name);
            copy_lower(entry->key, hex);
            status = check_others(out, yaml, yaml_item(yaml, list, i), entry, err);
        }
        out->count += status == BG_OK;
    }
    return status;
}

enum bg_status allow_load(struct allow_list *out, const char *path, struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status = yaml_open(&yaml, path, err);

    *out = (struct allow_list){.entries = NULL};
    if (status == BG_OK) {
        status = take_entries(out, yaml, err);
    }
    yaml_close(yaml);
    if (status != BG_OK) {
        allow_deinit(out);
    }
    return status;
}

void allow_deinit(struct allow_list *list)
{
    free(list->entries);
    *list = (struct allow_list){.entries = NULL};
}

const struct allow_entry *allow_find(const struct allow_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->entries[i].name, name) == 0) {
            return &list->entries[i];
        }
    }
    return NULL;
}

enum bg_status allow_read(struct config_event *event, const char *path, struct bg_error *err)
{
    struct allow_list list;
    enum bg_status status = allow_load(&list, path, err);

    for (int i = 0; i < event->bot_count && status == BG_OK; i++) {
        struct competitor *bot = &event->bots[i];
        const struct allow_entry *entry = bot->remote ? allow_find(&list, bot->name) : NULL;

        if (entry != NULL) {
            snprintf(bot->key, sizeof bot->key, "%s", entry->key);
        } else if (bot->remote && bot->key[0] == '\0') {
            status = bg_error_set(err, BG_E_CONFIG,
                                  "%s: has no key of the remote bot %s; its author makes one with "
                                  "'bgref keygen --join %s' and sends %s.pub",
                                  path, bot->name, bot->name, bot->name);
        }
    }
    allow_deinit(&list);
    return status;
}
