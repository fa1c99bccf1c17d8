#include "allow.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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

/* Checks an entry against those before it. */
static enum bg_status check_others(const struct yaml *yaml, int i, const char *name,
                                   const char *hex, struct bg_error *err)
{
    int list = yaml_root(yaml);

    for (int k = 0; k < i; k++) {
        const char *other, *other_hex;
        enum bg_status status = entry_read(&other, &other_hex, yaml, yaml_item(yaml, list, k), err);

        if (status == BG_OK && strcmp(other, name) == 0) {
            status = yaml_error(err, yaml, yaml_item(yaml, list, i), name, "is there already");
        }
        if (status == BG_OK && strcasecmp(other_hex, hex) == 0) {
            status = yaml_error(err, yaml, yaml_item(yaml, list, i), name,
                                "has the key of %.64s; a key is the identity of one bot", other);
        }
        if (status != BG_OK) {
            return status;
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

static enum bg_status take_entries(struct config_event *event, const struct yaml *yaml,
                                   struct bg_error *err)
{
    int list = yaml_root(yaml);
    enum bg_status status = BG_OK;

    if (!yaml_is_list(yaml, list)) {
        return yaml_error(err, yaml, list, NULL,
                          "a list is needed: one '- {name: anna, key: 64 digits}' a line");
    }
    for (int i = 0; i < yaml_count(yaml, list) && status == BG_OK; i++) {
        const char *name, *hex;

        status = entry_read(&name, &hex, yaml, yaml_item(yaml, list, i), err);
        if (status == BG_OK) {
            status = check_others(yaml, i, name, hex, err);
        }
        for (int k = 0; k < event->bot_count && status == BG_OK; k++) {
            if (event->bots[k].remote && strcmp(event->bots[k].name, name) == 0) {
                copy_lower(event->bots[k].key, hex);
            }
        }
    }
    return status;
}

enum bg_status allow_read(struct config_event *event, const char *path, struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status = yaml_open(&yaml, path, err);

    if (status == BG_OK) {
        status = take_entries(event, yaml, err);
    }
    for (int i = 0; i < event->bot_count && status == BG_OK; i++) {
        if (event->bots[i].remote && event->bots[i].key[0] == '\0') {
            status = yaml_error(err, yaml, yaml_root(yaml), NULL,
                                "has no key of the remote bot %s; its author makes one with 'bgref "
                                "keygen --join %s' and sends %s.pub",
                                event->bots[i].name, event->bots[i].name, event->bots[i].name);
        }
    }
    yaml_close(yaml);
    return status;
}
