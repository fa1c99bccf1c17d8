/* The whole list is read and checked before any entry is used. A host reads it again while
 * events run, and a list with a mistake in it must leave the old one in force: half of a new one
 * would lock out the bots below the mistake. */
#include "allow.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "proof/key_pair.h"
#include "base/yaml.h"

/* What an entry says; the texts are lent. */
struct allow_said {
    const char *name, *hex;
    struct entry_limits limits;
};

typedef enum bg_status (*word_fn)(struct entry_limits *limits, const char *word,
                                  struct bg_error *err);

static enum bg_status take_event(struct entry_limits *limits, const char *word,
                                 struct bg_error *err)
{
    if (limits->event_count == ENTRY_EVENTS) {
        return bg_error_set(err, BG_E_ARGUMENT, "at most %d events", ENTRY_EVENTS);
    }
    if (!event_name_is_valid(word)) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.80s' is not the name of an event", word);
    }
    snprintf(limits->events[limits->event_count++], NAME_SIZE, "%s", word);
    return BG_OK;
}

static enum bg_status take_network(struct entry_limits *limits, const char *word,
                                   struct bg_error *err)
{
    if (limits->from_count == ENTRY_NETWORKS) {
        return bg_error_set(err, BG_E_ARGUMENT, "at most %d networks", ENTRY_NETWORKS);
    }
    return cidr_read(&limits->from[limits->from_count++], word, err);
}

static enum bg_status take_words(struct entry_limits *limits, const struct yaml *yaml, int list,
                                 const char *key, word_fn take, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (!yaml_is_list(yaml, list) || yaml_count(yaml, list) == 0) {
        return yaml_error(err, yaml, list, key, "a list with at least one item is needed, like %s",
                          strcmp(key, "from") == 0 ? "[192.0.2.0/24]" : "[cup, league]");
    }
    for (int i = 0; i < yaml_count(yaml, list) && status == BG_OK; i++) {
        int item = yaml_item(yaml, list, i);
        struct bg_error why = {.text = ""};
        const char *word;

        status = yaml_text(&word, yaml, item, key, 1023, err);
        if (status == BG_OK && take(limits, word, &why) != BG_OK) {
            status = yaml_error(err, yaml, item, key, "%s", why.text);
        }
    }
    return status;
}

static enum bg_status take_number(int *out, const struct yaml *yaml, int node, const char *key,
                                  int most, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    const char *text;
    enum bg_status status = yaml_text(&text, yaml, node, key, 1023, err);

    if (status == BG_OK && int_read(out, text, 1, (uint64_t)most, &why) != BG_OK) {
        status = yaml_error(err, yaml, node, key, "%s; leave it out for no limit", why.text);
    }
    return status;
}

static enum bg_status take_pair(struct allow_said *said, const struct yaml *yaml, int key_node,
                                int value, struct bg_error *err)
{
    const char *word;
    enum bg_status status = yaml_text(&word, yaml, key_node, "key", 64, err);

    if (status != BG_OK) {
        return status;
    }
    if (strcmp(word, "events") == 0) {
        return take_words(&said->limits, yaml, value, word, take_event, err);
    }
    if (strcmp(word, "from") == 0) {
        return take_words(&said->limits, yaml, value, word, take_network, err);
    }
    if (strcmp(word, "tables") == 0) {
        return take_number(&said->limits.tables, yaml, value, word, ENTRY_TABLES_MOST, err);
    }
    /* Not "unknown": lists that worked with earlier versions have it, and the limit is gone. */
    if (strcmp(word, "games_a_day") == 0) {
        return yaml_error(err, yaml, key_node, word,
                          "was taken away; leave it out: tables, events and starts_an_hour limit a "
                          "bot, and pairs and the calendar how much an event plays");
    }
    if (strcmp(word, "starts_an_hour") == 0) {
        return take_number(&said->limits.starts_an_hour, yaml, value, word, ENTRY_STARTS_MOST, err);
    }
    if (strcmp(word, "name") == 0) {
        return yaml_text(&said->name, yaml, value, word, 1023, err);
    }
    if (strcmp(word, "key") == 0) {
        return yaml_text(&said->hex, yaml, value, word, 1023, err);
    }
    if (strcmp(word, "note") == 0) {
        return yaml_text(&word, yaml, value, word, 1023, err);
    }
    return yaml_error(err, yaml, key_node, word,
                      "unknown; there are name, key, tables, starts_an_hour, events, from and "
                      "note");
}

static enum bg_status check_once(const struct yaml *yaml, int item, int key_node,
                                 struct bg_error *err)
{
    const char *word;
    int twice = 0;
    enum bg_status status = yaml_text(&word, yaml, key_node, "key", 64, err);

    if (status == BG_OK && yaml_find(yaml, item, word, &twice) != 0 && twice != 0) {
        status = yaml_error(err, yaml, twice, word, "given twice; keep one");
    }
    return status;
}

static enum bg_status said_read(struct allow_said *said, const struct yaml *yaml, int item,
                                struct bg_error *err)
{
    unsigned char key[KEY_FILE_BYTES];
    enum bg_status status = BG_OK;

    *said = (struct allow_said){.name = NULL};
    if (!yaml_is_map(yaml, item)) {
        return yaml_error(err, yaml, item, NULL, "an entry is a map: {name: anna, key: 64 digits}");
    }
    for (int i = 0; i < yaml_count(yaml, item) && status == BG_OK; i++) {
        int key_node, value;

        yaml_pair(&key_node, &value, yaml, item, i);
        status = check_once(yaml, item, key_node, err);
        if (status == BG_OK) {
            status = take_pair(said, yaml, key_node, value, err);
        }
    }
    if (status == BG_OK && said->name == NULL) {
        status = yaml_error(err, yaml, item, "name", "the bot's name in the event is needed");
    }
    if (status == BG_OK && !key_name_is_valid(said->name)) {
        status = yaml_error(
            err, yaml, item, "name",
            "'%.80s' is not a bot's name: 1 to 64 of letters, digits, . _ + -, the first no dot",
            said->name);
    }
    if (status == BG_OK && (said->hex == NULL || !key_read_hex(key, said->hex))) {
        status = yaml_error(err, yaml, item, "key",
                            "64 hexadecimal digits are needed, the last word of the author's "
                            "NAME.pub, which 'bgref keygen --join NAME' made");
    }
    return status;
}

/* ---- each name and each key once ---- */

/* Entries in an order; equal ones in the order of the file. */
typedef const struct allow_entry *sorted_entry;

static int in_file(const struct allow_entry *a, const struct allow_entry *b)
{
    return (a > b) - (a < b);
}

static int by_look(const void *a, const void *b)
{
    const sorted_entry *left = a, *right = b;
    int order = strcmp((*left)->look, (*right)->look);

    return order != 0 ? order : in_file(*left, *right);
}

static int by_key(const void *a, const void *b)
{
    const sorted_entry *left = a, *right = b;
    int order = strcmp((*left)->key, (*right)->key);

    return order != 0 ? order : in_file(*left, *right);
}

/* Names that a reader takes for each other get one look: "carl", "Carl" and "carI". */
static void write_look(char out[NAME_SIZE], const char *name)
{
    size_t length = 0;

    for (; length < NAME_SIZE - 1 && name[length] != '\0'; length++) {
        char c = (char)tolower((unsigned char)name[length]);

        out[length] = (char)(c == 'i' || c == '1' ? 'l' : c == '0' ? 'o' : c);
    }
    while (length > 0 && out[length - 1] == '.') {
        length--;
    }
    out[length] = '\0';
}

/* Returns the first entry of the file that repeats another, and *other; NULL: none does. */
static sorted_entry first_repeated(sorted_entry *other, sorted_entry *sorted, int count, bool keys)
{
    sorted_entry first = NULL;

    qsort(sorted, (size_t)count, sizeof *sorted, keys ? by_key : by_look);
    for (int i = 1, begin = 0; i < count; i++) {
        if (strcmp(keys ? sorted[i]->key : sorted[i]->look,
                   keys ? sorted[begin]->key : sorted[begin]->look) != 0) {
            begin = i;
        } else if (first == NULL || sorted[i] < first) {
            first = sorted[i];
            *other = sorted[begin];
        }
    }
    return first;
}

/* Sorts, because comparing each entry with each takes seconds for a list of 20,000. */
static enum bg_status check_once_each(struct allow_list *list, const struct yaml *yaml,
                                      struct bg_error *err)
{
    sorted_entry *sorted = memory_zeroed((size_t)list->count, sizeof *sorted);
    sorted_entry name, key, of = NULL, like = NULL;
    int item;

    /* At once: allow_deinit() frees it also after a refusal. */
    list->by_look = sorted;
    for (int i = 0; i < list->count; i++) {
        sorted[i] = &list->entries[i];
    }
    key = first_repeated(&of, sorted, list->count, true);
    name = first_repeated(&like, sorted, list->count, false); /* last: find_like needs this order */
    if (name == NULL && key == NULL) {
        return BG_OK;
    }
    if (name == NULL || (key != NULL && key < name)) {
        item = yaml_item(yaml, yaml_root(yaml), (int)(key - list->entries));
        return yaml_error(err, yaml, item, key->name,
                          "has the key of %.64s; a key is the identity of one bot", of->name);
    }
    item = yaml_item(yaml, yaml_root(yaml), (int)(name - list->entries));
    return strcmp(name->name, like->name) == 0
               ? yaml_error(err, yaml, item, name->name, "is there already")
               : yaml_error(err, yaml, item, name->name,
                            "looks like %.64s; give one of them another name", like->name);
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
    out->entries = memory_zeroed((size_t)count, sizeof *out->entries);
    for (int i = 0; i < count && status == BG_OK; i++) {
        struct allow_entry *entry = &out->entries[i];
        struct allow_said said;

        status = said_read(&said, yaml, yaml_item(yaml, list, i), err);
        if (status == BG_OK) {
            snprintf(entry->name, sizeof entry->name, "%s", said.name);
            write_look(entry->look, said.name);
            copy_lower(entry->key, said.hex);
            entry->limits = said.limits;
        }
        out->count += status == BG_OK;
    }
    return status == BG_OK ? check_once_each(out, yaml, err) : status;
}

/* opened: what the opening of the YAML returned; it is closed. */
static enum bg_status take_list(struct allow_list *out, struct yaml *yaml, enum bg_status opened,
                                struct bg_error *err)
{
    enum bg_status status = opened;

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

enum bg_status allow_load(struct allow_list *out, const char *path, struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status = yaml_open_list(&yaml, path, err);

    if (status != BG_OK && access(path, F_OK) != 0 && errno == ENOENT) {
        status = bg_error_set(err, BG_E_CONFIG,
                              "%s: No such file or directory; make it, with one '- {name: anna, "
                              "key: 64 digits}' a line, or [] for no keys yet",
                              path);
    }
    return take_list(out, yaml, status, err);
}

enum bg_status allow_parse(struct allow_list *out, const char *name, const void *bytes, size_t size,
                           struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status = yaml_parse(&yaml, name, bytes, size, err);

    return take_list(out, yaml, status, err);
}

void allow_deinit(struct allow_list *list)
{
    free((void *)list->by_look);
    free(list->entries);
    *list = (struct allow_list){.entries = NULL};
}

static int is_like(const void *look, const void *entry)
{
    const sorted_entry *at = entry;

    return strcmp(look, (*at)->look);
}

/* Returns the entry whose name looks like this one, or NULL. */
static sorted_entry find_like(const struct allow_list *list, const char *name)
{
    char look[NAME_SIZE];
    const sorted_entry *found = NULL;

    write_look(look, name);
    if (list->by_look != NULL) {
        found = bsearch(look, list->by_look, (size_t)list->count, sizeof *list->by_look, is_like);
    }
    return found == NULL ? NULL : *found;
}

const struct allow_entry *allow_find(const struct allow_list *list, const char *name)
{
    sorted_entry like = find_like(list, name);

    return like != NULL && strcmp(like->name, name) == 0 ? like : NULL;
}

/* Checks that no bot of this machine looks like a remote one of its event. */
static enum bg_status check_look(const struct config_event *event, const struct allow_list *list,
                                 const struct competitor *bot, struct bg_error *err)
{
    sorted_entry like = find_like(list, bot->name);

    for (int i = 0; like != NULL && i < event->bot_count; i++) {
        if (event->bots[i].remote && strcmp(event->bots[i].name, like->name) == 0) {
            return bg_error_set(err, BG_E_CONFIG,
                                "%s: bots: %s looks like %s; give one of them another name",
                                event->file, bot->name, like->name);
        }
    }
    return BG_OK;
}

static enum bg_status check_entry(const struct config_event *event, const struct allow_entry *entry,
                                  const char *path, struct bg_error *err)
{
    char events[ENTRY_TEXT];

    if (event->door.lender != 0 || entry_limits_have_event(&entry->limits, event->name)) {
        return BG_OK;
    }
    entry_limits_write_events(events, &entry->limits, ", ");
    return bg_error_set(err, BG_E_CONFIG,
                        "%s: the entry of %s is for the events %.300s, but %s has it as a bot; add "
                        "the event to the entry, or take the bot out of the event",
                        path, entry->name, events, event->name);
}

enum bg_status allow_read(struct config_event *event, const char *path, struct bg_error *err)
{
    struct allow_list list;
    enum bg_status status = allow_load(&list, path, err);

    for (int i = 0; i < event->bot_count && status == BG_OK; i++) {
        struct competitor *bot = &event->bots[i];
        const struct allow_entry *entry = bot->remote ? allow_find(&list, bot->name) : NULL;

        if (!bot->remote) {
            status = check_look(event, &list, bot, err);
        } else if (entry != NULL) {
            snprintf(bot->key, sizeof bot->key, "%s", entry->key);
            bot->limits = entry->limits;
            status = check_entry(event, entry, path, err);
        } else if (bot->key[0] == '\0') {
            status = bg_error_set(err, BG_E_CONFIG,
                                  "%s: has no key of the remote bot %s; its author makes one with "
                                  "'bgref keygen --join %s' and sends %s.pub",
                                  path, bot->name, bot->name, bot->name);
        }
    }
    allow_deinit(&list);
    return status;
}
