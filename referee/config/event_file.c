#include "config.h"

#include <stdio.h>
#include <string.h>

#include <words/docs.h>

#include "text/yaml.h"
#include "bot/registry.h"
#include "keys.h"
#include "values.h"

static enum bg_status bots_read(struct config_event *event, const struct document *document,
                                int list, const struct registry *registry, struct bg_error *err)
{
    if (!document_is_list(document, list)) {
        return document_error(err, document, list, "bots",
                              "a list is needed, one '- name' a line or [gnubg, greedy]");
    }
    for (int i = 0; i < document_count(document, list); i++) {
        int item = document_item(document, list, i);
        struct config_bot bot;
        struct bg_error why = {.text = ""};
        enum bg_status status = registry_read(&bot, registry, document, item, "bots", NULL, err);

        if (status != BG_OK) {
            return status;
        }
        if (config_event_add(event, &bot, &why) != BG_OK) {
            return document_error(err, document, item, "bots", "%s", why.text);
        }
    }
    return BG_OK;
}

static enum bg_status entry_read(struct config_event *event, const struct document *document,
                                 int name_node, int value, const struct registry *registry,
                                 struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    const struct key *key, *before;
    const char *name, *text;

    if (document_text(&name, document, name_node, "key", 64, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    if (strcmp(name, "bots") == 0) {
        return event->bot_count > 0
                   ? document_error(err, document, name_node, "bots", "given twice; keep one list")
                   : bots_read(event, document, value, registry, err);
    }
    key = key_find(name);
    if (key == NULL) {
        const char *near = key_near(name);

        return near == NULL
                   ? document_error(err, document, name_node, name,
                                    "unknown key; %s/event.yaml lists all keys", docs_folder())
                   : document_error(err, document, name_node, name, "unknown key; perhaps %s?",
                                    near);
    }
    before = key_given(event, key);
    if (before != NULL) {
        return document_error(err, document, name_node, name,
                              "given twice, see %s in line %d; keep one", before->name,
                              event->given[key_number(before)]);
    }
    if (document_text(&text, document, value, name, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    if (value_read(event, key, text, document_line(document, name_node), &why) != BG_OK) {
        return document_error(err, document, value, name, "%s", why.text);
    }
    event->given[key_number(key)] = document_line(document, name_node);
    return BG_OK;
}

static enum bg_status document_to_event(struct config_event *event, const struct document *document,
                                        const struct registry *registry, struct bg_error *err)
{
    int root = document_root(document);

    if (root == 0 || !document_is_map(document, root)) {
        return document_error(err, document, root, NULL,
                              "an event file is a map of keys, like 'bots: [gnubg, greedy]'");
    }
    for (int i = 0; i < document_count(document, root); i++) {
        int key, value;
        enum bg_status status;

        document_pair(&key, &value, document, root, i);
        status = entry_read(event, document, key, value, registry, err);
        if (status != BG_OK) {
            return status;
        }
    }
    return BG_OK;
}

enum bg_status config_event_parse(struct config_event *event, const char *name, const void *bytes,
                                  size_t size, const struct registry *registry,
                                  struct bg_error *err)
{
    struct document *document = NULL;
    enum bg_status status = document_parse(&document, name, bytes, size, err);

    if (status == BG_OK) {
        snprintf(event->file, sizeof event->file, "%s", name);
        status = document_to_event(event, document, registry, err);
    }
    document_close(document);
    return status;
}

enum bg_status config_event_read(struct config_event *event, const char *path,
                                 const struct registry *registry, struct bg_error *err)
{
    struct document *document = NULL;
    enum bg_status status = document_open(&document, path, err);

    if (status == BG_OK) {
        snprintf(event->file, sizeof event->file, "%s", path);
        status = document_to_event(event, document, registry, err);
    }
    document_close(document);
    return status;
}
