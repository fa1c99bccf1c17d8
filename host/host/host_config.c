/* Each word of a section is a row with the place that it sets; reading, twice, unknown and near
 * words are one code for all. The list of events is read last, because what an event may say
 * depends on the door, and the door on sections that may stand behind the list.
 *
 * Words that were taken away (gone) keep a row with the remedy: an operator who upgrades reads
 * what to do, not "unknown key". */
#include "host_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/registry.h"
#include "config/door_value.h"
#include "host_event.h"
#include "base/closest.h"
#include "base/memory.h"
#include "base/plain.h"

#define DRAIN_NS INT64_C(60000000000)
#define BACK_NS  INT64_C(60000000000)

#define REGISTRATION_GONE                                                                          \
    "was taken away: a host takes no registrations any more. Leave registration, porch and "       \
    "address out; authors send you NAME.pub, whose key you add to the list that allow names. "     \
    "Keys that were registered are in allowed.yaml of the host's folder, in the form of that list"

#define BACKUP_GONE                                                                                \
    "was taken away: a host makes no backups any more. Leave the section out; let a timer call "   \
    "'bgref backup RESULTS.db FOLDER --keep 8' (bgref-host-backup.timer is an example)"

enum { SECTION_WORD = 64 };

/* The word `address` of the door. */
#define DOOR_ADDRESS "door_address"

/* A word of a section. */
struct host_config_word {
    const char *section, *name;
    enum { WORD_TEXT, WORD_TIME, WORD_NOT, WORD_DOOR } kind; /* WORD_NOT: `no` sets it */
    size_t offset, size; /* in struct host_config, of a text; WORD_DOOR: config/door_value.h */
};

#define MEMBER(kind, member)                                                                       \
    kind, offsetof(struct host_config, member), sizeof((struct host_config *)0)->member

static const struct host_config_word words[] = {
    {"host", "name", MEMBER(WORD_TEXT, name)},
    {"host", "contact", MEMBER(WORD_TEXT, contact)},
    {"host", "user", MEMBER(WORD_TEXT, user)},
    {"host", "folder", MEMBER(WORD_TEXT, folder)},
    {"host", "drain", MEMBER(WORD_TIME, drain_ns)},
    {"host", "back", MEMBER(WORD_TIME, back_ns)},
    {"host", "log", MEMBER(WORD_TEXT, log)},
    {"host", "log_addresses", MEMBER(WORD_NOT, hides_addresses)},
    {"admin", "socket", MEMBER(WORD_TEXT, socket)},
    {"admin", "metrics", MEMBER(WORD_TEXT, metrics)},
    {"page", "listen", MEMBER(WORD_TEXT, page)},
    {"page", "registrations", MEMBER(WORD_TEXT, registrations)},
    {"page", "invitations", MEMBER(WORD_TEXT, invitations)},
    {"bots", "key", MEMBER(WORD_TEXT, key)},
    {"bots", "allow", MEMBER(WORD_TEXT, allow)},
    {"bots", "listen", WORD_DOOR, 0, 0},
    {"bots", DOOR_ADDRESS, WORD_DOOR, 0, 0},
    {"bots", "file", WORD_DOOR, 0, 0},
    {"bots", "per_address", WORD_DOOR, 0, 0},
    {"bots", "connections", WORD_DOOR, 0, 0},
};

enum { WORDS = sizeof words / sizeof words[0] };

/* What older files may have, and what to do instead. */
static const struct {
    const char *section, *name, *instead; /* section "": a section */
} gone[] = {
    {"bots", "registration", REGISTRATION_GONE},
    {"bots", "porch", REGISTRATION_GONE},
    {"bots", "address", REGISTRATION_GONE},
    {"", "backup", BACKUP_GONE},
};

enum { GONE = sizeof gone / sizeof gone[0] };

static const char *find_gone(const char *section, const char *name)
{
    for (int i = 0; i < GONE; i++) {
        if (strcmp(gone[i].section, section) == 0 && strcmp(gone[i].name, name) == 0) {
            return gone[i].instead;
        }
    }
    return NULL;
}

static const struct host_config_word *find_word(const char *section, const char *name)
{
    for (int i = 0; i < WORDS; i++) {
        if (strcmp(words[i].section, section) == 0 && strcmp(words[i].name, name) == 0) {
            return &words[i];
        }
    }
    return NULL;
}

static enum bg_status unknown_word(const struct yaml *yaml, int key, const char *section,
                                   const char *name, struct bg_error *err)
{
    const char *known[WORDS], *near, *instead = find_gone(section, name);
    int count = 0;

    if (instead != NULL) {
        return yaml_error(err, yaml, key, name, "%s", instead);
    }
    for (int i = 0; i < WORDS; i++) {
        if (strcmp(words[i].section, section) == 0) {
            known[count++] = words[i].name;
        }
    }
    near = closest_name(name, known, count);
    return yaml_error(err, yaml, key, name,
                      "unknown key of %s%s%s%s; 'bgref host --example' lists all keys", section,
                      near == NULL ? "" : ", perhaps ", near == NULL ? "" : near,
                      near == NULL ? "" : "?");
}

static enum bg_status word_take(struct host_config *out, const struct yaml *yaml, int value,
                                const struct host_config_word *word, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    /* WORD_DOOR has no place here: the door's own reader (door_value_take) sets its values, as
     * for event files. */
    void *place = (char *)out + word->offset;
    const char *text;
    enum bg_status status;

    if (yaml_text(&text, yaml, value, word->name, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    out->allow_line = place == out->allow ? yaml_line(yaml, value) : out->allow_line;
    if (word->kind == WORD_TEXT) {
        status = copy_read(place, word->size, text, &why);
    } else if (word->kind == WORD_DOOR) {
        status = door_value_take(
            &out->door, strcmp(word->name, DOOR_ADDRESS) == 0 ? "address" : word->name, text, &why);
    } else if (word->kind == WORD_NOT) {
        static const char *const answers[] = {"yes", "no", NULL};
        int answer = 0;

        status = word_read(&answer, text, answers, &why);
        *(bool *)place = answer == 1;
    } else {
        status = time_read((int64_t *)place, text, 0, &why);
    }
    return status == BG_OK ? BG_OK : yaml_error(err, yaml, value, word->name, "%s", why.text);
}

static enum bg_status section_read(struct host_config *out, const struct yaml *yaml, int map,
                                   const char *section, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int key, value, twice;

    if (!yaml_is_map(yaml, map)) {
        return yaml_error(err, yaml, map, section, "a map is needed: %s: {%s: ...}", section,
                          strcmp(section, "admin") == 0  ? "socket"
                          : strcmp(section, "bots") == 0 ? "listen"
                          : strcmp(section, "page") == 0 ? "listen"
                                                         : "folder");
    }
    for (int i = 0; i < yaml_count(yaml, map) && status == BG_OK; i++) {
        const struct host_config_word *word;
        const char *name;

        yaml_pair(&key, &value, yaml, map, i);
        status = yaml_text(&name, yaml, key, section, SECTION_WORD, err);
        if (status != BG_OK) {
            break;
        }
        word = find_word(section, name);
        if (word == NULL) {
            status = unknown_word(yaml, key, section, name, err);
        } else if (yaml_find(yaml, map, name, &twice) != 0 && twice != 0) {
            status = yaml_error(err, yaml, twice, name, "given twice; keep one");
        } else {
            status = word_take(out, yaml, value, word, err);
        }
    }
    return status;
}

static enum bg_status events_read(struct host_config *out, const struct yaml *yaml, int list,
                                  const struct registry *registry, struct bg_error *err)
{
    int count = yaml_count(yaml, list);
    enum bg_status status = BG_OK;

    if (!yaml_is_list(yaml, list)) {
        return yaml_error(err, yaml, list, "events",
                          "a list is needed, one '- {file: cup.yaml, start: always}' a line");
    }
    if (count > AGENDA_EVENTS) {
        return yaml_error(err, yaml, list, "events", "more than %d", AGENDA_EVENTS);
    }
    out->events = memory_zeroed((size_t)count + 1, sizeof *out->events);
    for (int i = 0; i < count && status == BG_OK; i++) {
        struct agenda_event rule;

        status = host_event_read(&out->events[i], &rule, yaml, yaml_item(yaml, list, i), registry,
                                 out, err);
        if (status == BG_OK) {
            status = agenda_add(&out->rules, &rule, err);
        }
        if (status != BG_OK) {
            free(out->events[i].bots);
            free(out->events[i].remote);
        }
    }
    return status == BG_OK && registry != NULL ? host_events_check(out, yaml, list, err) : status;
}

static bool is_section(const char *name)
{
    return strcmp(name, "bots") == 0 || strcmp(name, "host") == 0 || strcmp(name, "admin") == 0 ||
           strcmp(name, "page") == 0;
}

static bool says_nothing(const struct config_door *door)
{
    return door->listen[0] == '\0' && door->address[0] == '\0' && door->file[0] == '\0' &&
           door->per_address == 0 && door->connections == 0;
}

/* The door of all events has the key and the list of the host. */
static enum bg_status settle_door(struct host_config *out, const struct yaml *yaml,
                                  struct bg_error *err)
{
    struct config_door *door = &out->door;
    struct bg_error why = {.text = ""};

    if (out->registrations[0] != '\0' && (says_nothing(door) || out->page[0] == '\0')) {
        return yaml_error(err, yaml, yaml_root(yaml), "page",
                          "registrations are for a host with a page and a door of all events: give "
                          "page: {listen: ...} and bots: {listen: ...}");
    }
    if (out->invitations[0] != '\0' && out->registrations[0] == '\0') {
        return yaml_error(err, yaml, yaml_root(yaml), "page",
                          "invitations are for registrations; give registrations: FILE, too");
    }
    if (says_nothing(door)) {
        return BG_OK;
    }
    snprintf(door->key, sizeof door->key, "%s", out->key);
    snprintf(door->allow, sizeof door->allow, "%s", out->allow);
    return door_value_complete(door, &why) == BG_OK
               ? BG_OK
               : yaml_error(err, yaml, yaml_root(yaml), "bots", "%s", why.text);
}

enum bg_status host_config_allow(struct allow_list *out, const struct host_config *config,
                                 struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    enum bg_status status = BG_OK;

    *out = (struct allow_list){.entries = NULL};
    if (config->allow[0] != '\0') {
        status = allow_load(out, config->allow, &why);
    }
    if (status == BG_OK) {
        return BG_OK;
    }
    return bg_error_set(err, status, "%s:%d: allow: %s", config->file, config->allow_line,
                        why.text);
}

static enum bg_status check_allow(const struct host_config *config, struct bg_error *err)
{
    struct allow_list list;
    enum bg_status status = host_config_allow(&list, config, err);

    allow_deinit(&list);
    return status;
}

static enum bg_status unknown_section(const struct yaml *yaml, int key, const char *name,
                                      struct bg_error *err)
{
    static const char *const sections[] = {"host", "bots", "admin", "page", "events"};
    const char *near = closest_name(name, sections, sizeof sections / sizeof sections[0]),
               *instead = find_gone("", name);

    if (instead != NULL) {
        return yaml_error(err, yaml, key, name, "%s", instead);
    }
    return yaml_error(err, yaml, key, name,
                      "unknown key%s%s%s; a host's file has host, bots, admin, page and events",
                      near == NULL ? "" : ", perhaps ", near == NULL ? "" : near,
                      near == NULL ? "" : "?");
}

static enum bg_status root_read(struct host_config *out, const struct yaml *yaml,
                                const struct registry *registry, struct bg_error *err)
{
    int root = yaml_root(yaml), key, value, twice;
    int events = 0;
    enum bg_status status = BG_OK;

    if (root == 0 || !yaml_is_map(yaml, root)) {
        return yaml_error(err, yaml, root, NULL,
                          "a host's file is a map of keys; 'bgref host --example' prints one");
    }
    for (int i = 0; i < yaml_count(yaml, root) && status == BG_OK; i++) {
        const char *name;

        yaml_pair(&key, &value, yaml, root, i);
        status = yaml_text(&name, yaml, key, "key", SECTION_WORD, err);
        if (status != BG_OK) {
            break;
        }
        if (yaml_find(yaml, root, name, &twice) != 0 && twice != 0) {
            status = yaml_error(err, yaml, twice, name, "given twice; keep one");
        } else if (strcmp(name, "events") == 0) {
            events = value;
        } else if (is_section(name)) {
            status = section_read(out, yaml, value, name, err);
        } else {
            status = unknown_section(yaml, key, name, err);
        }
    }
    if (status == BG_OK && out->folder[0] == '\0') {
        status = yaml_error(err, yaml, root, "host",
                            "a folder is needed: host: {name: \"Autumn league\", folder: hosted}");
    }
    if (status == BG_OK) {
        status = settle_door(out, yaml, err);
    }
    if (status == BG_OK && registry != NULL) { /* its mistakes are not those of an event */
        status = check_allow(out, err);
    }
    /* registry == NULL: only the sections are wanted, before root's rights are given up. */
    if (status == BG_OK && events != 0) { /* last: their door follows from the rest */
        status = events_read(out, yaml, events, registry, err);
    }
    return status;
}

/* Who is not on this machine asks through a proxy that its operator has set up. */
static bool is_loopback(const char *listen)
{
    const char *colon = strrchr(listen, ':');
    int port;

    return (strncmp(listen, "tcp://127.", 10) == 0 || strncmp(listen, "tcp://[::1]:", 12) == 0 ||
            strncmp(listen, "tcp://localhost:", 16) == 0) &&
           colon != NULL && int_read(&port, colon + 1, 1, 65535, NULL) == BG_OK;
}

static enum bg_status complete(struct host_config *config, struct bg_error *err)
{
    if (strcmp(config->metrics, "yes") == 0 || strcmp(config->metrics, "no") == 0) {
        snprintf(config->metrics, sizeof config->metrics, "%s",
                 config->metrics[0] == 'y' ? HOST_METRICS : "");
    }
    /* The pages have no proof of who asks. */
    if (config->metrics[0] != '\0' && !is_loopback(config->metrics)) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%s: admin: metrics: %s is not an address that only this machine "
                            "reaches; write yes, no "
                            "or an address like " HOST_METRICS,
                            config->file, config->metrics);
    }
    if (config->name[0] == '\0') {
        snprintf(config->name, sizeof config->name, "bgref");
    }
    if (config->socket[0] == '\0' && snprintf(config->socket, sizeof config->socket, "%s/admin",
                                              config->folder) >= (int)sizeof config->socket) {
        return bg_error_set(err, BG_E_CONFIG, "%s: host: folder: too long a name", config->file);
    }
    return BG_OK;
}

static enum bg_status read_config(struct host_config *out, const char *path,
                                  const struct registry *registry, struct bg_error *err)
{
    struct yaml *yaml = NULL;
    enum bg_status status;

    *out = (struct host_config){.drain_ns = DRAIN_NS, .back_ns = BACK_NS};
    status = copy_read(out->file, sizeof out->file, path, err);
    if (status == BG_OK) {
        status = yaml_open(&yaml, path, err);
    }
    if (status == BG_OK) {
        status = root_read(out, yaml, registry, err);
    }
    if (status == BG_OK) {
        status = complete(out, err);
    }
    yaml_close(yaml);
    if (status != BG_OK) {
        host_config_deinit(out);
    }
    return status;
}

enum bg_status host_config_read(struct host_config *out, const char *path, struct bg_error *err)
{
    struct registry *registry = NULL;
    enum bg_status status = registry_open(&registry, err);

    if (status == BG_OK) {
        status = read_config(out, path, registry, err);
    }
    registry_close(registry);
    return status;
}

enum bg_status host_config_read_sections(struct host_config *out, const char *path,
                                         struct bg_error *err)
{
    return read_config(out, path, NULL, err);
}

void host_config_deinit(struct host_config *config)
{
    for (int i = 0; i < config->rules.count; i++) {
        free(config->events[i].bots);
        free(config->events[i].remote);
    }
    free(config->events);
    agenda_deinit(&config->rules);
    config->events = NULL;
}

const struct host_event *host_config_find(const struct host_config *config, const char *name)
{
    for (int i = 0; i < config->rules.count; i++) {
        if (strcmp(config->events[i].name, name) == 0) {
            return &config->events[i];
        }
    }
    return NULL;
}
